"""What accesses memory beside the threads, and what orders them in ways that are not followed.

TMA and MMAs of warpgroups read and write shared memory on their own: often not even where is known
(`matrices.py` has what descriptors name). mbarriers, clusters and waits for these order accesses;
what they order is not followed, so that no race is certain, and a proof rests on none of them.
"""

from __future__ import annotations

from typing import Protocol

from symcute.frontends.cuda.builder import Builder
from symcute.frontends.cuda.ptx import Instruction
from symcute.kernel.ir.expression import Expr
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Atomic, NotUnderstood, Stmt, Store
from symcute.kernel.ir.semantics import MBARRIER, unordered

__all__ = ["cluster", "copied", "mbarrier", "multiplied", "ordered"]


class At(Protocol):
    """Where an instruction stands."""

    @property
    def b(self) -> Builder: ...
    @property
    def place(self) -> Place: ...
    def address(self, text: str, window: str) -> Expr: ...
    def emit(self, statement: Stmt, window: str = "") -> None: ...


def cluster(c: At) -> None:
    """A barrier of a cluster, which some of the threads may miss."""
    c.emit(unordered("a barrier of a cluster", c.place, barrier=True))


def ordered(c: At) -> None:
    """A wait for what happens on its own, or what makes a group of it."""
    c.emit(unordered("a wait for asynchronous operations", c.place))


def mbarrier(c: At, each: Instruction, window: str) -> bool:
    """An mbarrier is accessed; return whether it is known where."""
    places = [o for o in each.operands if o.startswith("[")]
    if len(places) != 1:
        return False
    pointer = c.address(places[0], window)
    if each.parts[1] in ("init", "inval"):
        c.emit(Store(pointer, MBARRIER, c.place), window)
    else:
        name = ".".join(each.parts[:2])
        c.emit(Atomic(name, pointer, MBARRIER, c.place, scope="block"), window)
        # A thread that waits may never come to the barriers behind it.
        c.emit(unordered("an mbarrier", c.place, barrier=each.parts[1] == "await"))
    return True


def multiplied(c: At) -> None:
    """An MMA of a warpgroup reads matrices in shared memory, which descriptors name."""
    said = NotUnderstood(
        "what an MMA of a warpgroup reads, and when; it is not decided", c.place, (), (), False,
        "access",
    )  # fmt: skip
    # Of all the shared memory that there will be at last.
    c.emit(said, "shared")


def copied(c: At, each: Instruction) -> bool:
    """A copy by TMA, whose tensor map says how large it is; return whether it is known where."""
    ends = [p.split("::")[0] for p in each.parts if p.split("::")[0] in ("shared", "global")]
    given = [o[1:-1].split(",")[0].strip() for o in each.operands if o.startswith("[")]
    windows = [*ends, *(["shared"] if any(p.startswith("mbarrier") for p in each.parts) else [])]
    if len(ends) != 2 or "shared" not in ends or len(windows) != len(given):
        return False
    said = NotUnderstood(_copies("copies"), c.place, (), (), False, "access")
    places = [
        c.address(f"[{place}]", window if window == "shared" else "")
        for place, window in zip(given, windows, strict=True)
    ]
    c.b.touching(said, places)
    c.emit(said)
    if "tensor" in each.parts:  # of global memory it has but the map
        effect, does = ("inside", "writes") if ends[0] == "global" else ("order", "reads")
        c.emit(NotUnderstood(_copies(does), c.place, (), None, False, effect))
    return True


def _copies(does: str) -> str:
    return f"what TMA {does}, and when; it is not decided"
