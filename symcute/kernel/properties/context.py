"""What the properties of one kernel are decided on: its access map, the launch, sizes of arrays."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cached_property
from math import gcd, inf

from symcute.expr.node import Term
from symcute.expr.terms import add, at_most, divide, less, mul, names, substitute
from symcute.kernel.access_map import Access, AccessMap, BarrierEvent, Phase
from symcute.kernel.ir.expression import Base, Const, Expr, PtrAdd, Var
from symcute.kernel.ir.inside import inside
from symcute.kernel.ir.program import Array, Kernel, Pointer
from symcute.kernel.ir.semantics import disordered
from symcute.kernel.ir.setting import Setting
from symcute.kernel.symexec.entry import term_of
from symcute.solve.sequent import Sequent
from symcute.solve.tiers import shows

__all__ = ["AXES", "Context"]

#: The coordinates of blocks and threads, with their place in `grid` and `block`.
AXES = {"bx": 0, "by": 1, "bz": 2, "tx": 0, "ty": 1, "tz": 2}


class Context:
    """An access map with its setting, and sequents that are made once for each guard."""

    def __init__(
        self, map: AccessMap, setting: Setting, kernel: Kernel | None = None,
        sizes: Mapping[str, Term] | None = None,
    ) -> None:  # fmt: skip
        """Keep what questions are about; `sizes` are elements of arrays in place of extents."""
        self.map, self.setting, self.kernel = map, setting, kernel
        self._sizes = sizes or {}
        self.dims = map.dims | {str(n) for n in setting.given.dims()}
        self.arrays = {a.name: a for a in map.arrays}
        self._situations: dict[tuple[Term, ...], Sequent] = {}
        self._of_threads: dict[tuple[int, int], tuple[Access, tuple[Term, ...], Term]] = {}

    def at(self, guard: tuple[Term, ...]) -> Sequent:
        """Return the sequent behind a guard."""
        if guard not in self._situations:
            self._situations[guard] = self.always.extended(guard) if guard else self.always
        return self._situations[guard]

    @cached_property
    def always(self) -> Sequent:
        """The sequent of what is so everywhere."""
        return Sequent(self.map.facts, self.dims)

    def of_thread(self, access: Access, who: int) -> tuple[tuple[Term, ...], Term]:
        """Return all that is so behind an access, and its offset, with the names of a thread."""
        key = id(access), who
        if key not in self._of_threads:
            every = self.at(access.guard).hypotheses
            own = {n for h in (*every, access.offset) for n in names(h)} - self.dims
            rename: dict[str, Term] = {n: f"{n}__{who}" for n in own}
            given = tuple(substitute(h, rename) for h in every)
            # With the access itself, whose number no other has then.
            self._of_threads[key] = access, given, substitute(access.offset, rename)
        return self._of_threads[key][1:]

    @cached_property
    def touches(self) -> tuple[Access, ...]:
        """The accesses to memory of the program's own: barriers with numbers are none."""
        return tuple(a for a in self.map.accesses if not self.arrays[a.array].numbered)

    @cached_property
    def extents(self) -> dict[str, Term]:
        """How many blocks and threads there are along each axis that has more than one."""
        found = {}
        for name, k in AXES.items():
            extent = term_of((self.setting.grid if name[0] == "b" else self.setting.block)[k])
            if extent != 1:
                found[name] = extent
        return found

    def implies(self, guard: tuple[Term, ...], asked: tuple[Term, ...]) -> bool:
        """Return whether behind a guard it is shown that others hold."""
        given = {*guard}
        return all(g in given or shows(self.at(guard), g) for g in asked)

    def number(self, access: Access) -> int | None:
        """Return the number of an access in the map; None for what is not among its accesses."""
        return self._numbers.get(id(access))

    @cached_property
    def _numbers(self) -> dict[int, int]:
        return {id(a): n for n, a in enumerate(self.map.accesses)}

    def begins_once(self, phase: Phase) -> bool:
        """Return whether an interval begins with the kernel, or a barrier that is in no loop."""
        return phase.start < 0 or not _goes_round(self.map.events[phase.start])

    def axis_facts(self, names: tuple[str, ...]) -> tuple[Term, ...]:
        """Return the ranges of coordinates."""
        return tuple(
            f for n in names if n in self.extents for f in (at_most(0, n), less(n, self.extents[n]))
        )

    def bytes_of(self, array: Array) -> Term | None:
        """Return the size of an array in bytes, or None if nobody said."""
        if array.name in self._sizes:
            return mul(self._sizes[array.name], array.element)
        if array.name in self.setting.extents:
            return mul(term_of(self.setting.extents[array.name]), array.element)
        if array.bytes is not None:
            return array.bytes
        return term_of(self.setting.shared) if array.space == "shared" else None

    def alignment_of(self, array: Array) -> tuple[int, str]:
        """Return what the start of an array is a multiple of, and why."""
        target = self.map.target
        if array.name in self.setting.alignment:
            return self.setting.alignment[array.name], f"{array.name} is aligned as stated"
        if array.space in ("global", "constant") and array.bytes is None:
            return max(target.allocated, array.alignment), target.allocated_by
        if array.space == "shared" and array.bytes is None:
            return max(target.dynamic, array.alignment), "dynamic shared memory"
        return array.alignment, ""

    def step(self, array: str) -> int:
        """Return what pointers into an array are moved by multiples of, in bytes; 0 where none is.

        A variable may point into any of them, and so may what is seen in two ways.
        """
        if self.kernel is None:
            return 1
        own = [a for a in self.kernel.arrays if a.name == array]
        seen = any(a.view_of and array in (a.name, a.view_of) for a in self.map.arrays)
        alike = not own or seen
        return gcd(*(s for roots, s in self._steps if alike or not roots or array in roots))

    @cached_property
    def _steps(self) -> list[tuple[frozenset[str], int]]:
        """The moves of pointers in the program: the arrays that they may begin in, none for any."""
        assert self.kernel is not None
        return [(_roots(x.pointer), _step(x)) for x in _moves(self.kernel.body)]

    @cached_property
    def disordered(self) -> bool:
        """Whether no execution shows a race, since what orders accesses is not understood."""
        return self.kernel is not None and disordered(self.kernel.body)

    def unsupported(
        self, array: str, *, others: bool = False, order: bool = False, width: bool = False
    ) -> str:
        """Return why nothing is certain of the accesses to an array that are known, or nothing.

        `others`: it matters which other accesses there are; `order`: and in which order; `width`:
        how many bytes each has.
        """
        open = {"any", "access", *(["inside"] if others or order else ()), *(["order"] * order)}
        open |= {"aligned"} if width else set()
        for d in self.map.unsupported:
            if d.effect in open and (d.arrays is None or array in d.arrays):
                return f"{d.reason} at {d.place}"
        return ""

    def endless(
        self,
        behind: tuple[Phase, ...] = (),
        event: BarrierEvent | None = None,
        ending: Collection[int] = (),
    ) -> str:
        """Return what may keep a thread for ever (before what is in these intervals), or nothing.

        The waits that end are `ending`, by their numbers. What is in the first interval of the
        kernel comes before all that is in none of it, and a barrier of the block, in no loop,
        before all that is in intervals from it on.
        """
        first = bool(behind) and all(p.start == -1 for p in behind)
        number = inf
        if event is not None and event.scope == "block" and not _goes_round(event):
            number = next(n for n, e in enumerate(self.map.events) if e is event)
        for k, a in enumerate(self.map.accesses):
            early = any(p.start == -1 for p in a.phases)
            late = bool(a.phases) and all(p.start >= number for p in a.phases)
            if a.signal == "wait" and k not in ending and not late and (early or not first):
                return f"whether the wait for an mbarrier at {a.place} ends is not known"
        return ""

    def unit(self, size: int, rename: Mapping[str, str] | None = None) -> Term:
        """Return the number of a thread's warp, or unit of another size, in its block."""
        linear: Term = 0
        for n in reversed(("tx", "ty", "tz")):
            if n in self.extents:
                linear = add(mul(linear, self.extents[n]), (rename or {}).get(n, n))
        return divide(linear, size)

    def doubtful_barriers(self) -> str:
        """Return what may be a barrier, or keep a thread from one, or nothing."""
        for d in self.map.unsupported:
            if d.barrier and d.effect == "any":
                return f"{d.reason} at {d.place}"
        return ""


def _goes_round(event: BarrierEvent) -> bool:
    return any(v.kind == "round" for v in event.variables)


def _moves(x: object) -> Iterator[PtrAdd]:
    """Yield all sums of a pointer and a number in statements."""
    if isinstance(x, PtrAdd):
        yield x
    if isinstance(x, tuple):
        for y in x:
            yield from _moves(y)
    elif is_dataclass(x):
        for f in fields(x):
            yield from _moves(getattr(x, f.name))


def _roots(pointer: Expr) -> frozenset[str]:
    """Return the arrays that a pointer may point into; none where these may be any."""
    parts = [*inside(pointer)]
    if any(isinstance(x, Var) and x.type == Pointer() for x in parts):
        return frozenset()
    return frozenset(x.array for x in parts if isinstance(x, Base))


def _step(x: PtrAdd) -> int:
    return x.scale * x.index.value if isinstance(x.index, Const) else x.scale
