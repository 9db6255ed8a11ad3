"""What operators and scopes of a program mean where C has no sign for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile

from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import NotUnderstood, Stmt

__all__ = [
    "AGENTS", "BARRIERS", "BITS", "GATHERS", "MBARRIER", "atomic_to", "disordered", "unordered",
]  # fmt: skip

#: The numbers of a block's barriers (PTX ISA, barrier).
BARRIERS = range(16)
#: The bytes of an mbarrier.
MBARRIER = 8
#: What signals do to a barrier that counts: such a one and an mbarrier are not the same.
GATHERS = ("gather", "gathered")

#: Who accesses memory beside the thread that begins it, at any time from there on. What orders it
#: with what comes before is what orders the thread; with what comes behind, the mbarrier alone on
#: which it completes: a "load" by TMA on that of the signal "complete" behind it, what an "mma"
#: reads on those of each "commit" behind it, and a "store" by TMA, of which nobody knows when it
#: has read, on none. Threads and agents see by different proxies what threads wrote: a `Fence` is
#: between. What a thread has read, and what an agent wrote, needs none.
AGENTS = ("load", "mma", "store")

#: What the bits of a number come to, of which there are so many: how many are set, how many zeros
#: are before the first one, the place of the last one (from 1, and 0 if none is), their reverse.
BITS: Mapping[str, Callable[[int, int], int]] = {
    "popc": lambda x, bits: x.bit_count(),
    "clz": lambda x, bits: bits - x.bit_length(),
    "ffs": lambda x, bits: (x & -x).bit_length(),
    "brev": lambda x, bits: int(f"{x:0{bits}b}"[::-1], 2),
}


def atomic_to(one: str, other: str, same_block: bool) -> bool:
    """Return whether accesses of these scopes by two threads are atomic to each other.

    Both scopes must include both threads (PTX ISA, Memory Consistency Model, Morally strong
    operations); "" is that of a plain access.

    >>> atomic_to("block", "device", True), atomic_to("block", "device", False)
    (True, False)
    """
    wide = {"block", "device", "system"} if same_block else {"device", "system"}
    return one in wide and other in wide


def unordered(what: str, place: Place, barrier: bool = False) -> NotUnderstood:
    """Return that something orders accesses in a way that is not followed.

    No race is certain then, and a proof rests on none of it.
    """
    return NotUnderstood(f"what {what} orders is not followed", place, (), (), barrier, "order")


def disordered(body: Sequence[Stmt]) -> bool:
    """Return whether what orders accesses is not understood from a kernel's start on.

    No execution shows a race then.
    """
    first = takewhile(lambda s: isinstance(s, NotUnderstood), body)
    return any(isinstance(s, NotUnderstood) and s.effect == "order" for s in first)
