"""What mbarriers order: rings of them, by how often each has gone round.

A ring is `stages` mbarriers side by side, of which a thread uses cell k % stages in round k of a
loop that is in no other; its turn there is k // stages. (A ring of one is used in turn k; without
a loop, in turn 0.) Let P be the number of phases of a cell that are over.

*Waits.* A thread that waits in its turn j for the parity (j + c) % 2, c = 0 or 1, and has done so
in all turns before, knows P >= j + 1 - c behind it. By induction over j: for j = 0 and c = 1 that
is P >= 0; before turn j it knows P >= j - c, and P has the parity of j + 1 - c, or the wait does
not end.

*Arrivals.* Let a phase wait for `count` arrivals, at most so many threads arrive, each once in a
turn. Say that arrivals are held back where P >= j is known to a thread that arrives in its turn j.
Where all are, or there is one thread, P >= j + 1 means that each thread has arrived in its turns 0
to j: the phases up to j have taken count * (j + 1) arrivals, all of turns up to j since those of
later turns come in later phases, and there are no more than these. (One thread arrives in the
order of its turns.) So what a thread did before it arrived in turn j comes before what another
does that has waited until P >= j + 1.

*Held back.* A thread knows P >= j of a cell when it has waited for that; or when it has waited for
another ring, at whose cell every thread arrives only where it knows P >= j. That arrivals are held
back is so at each moment of an execution if it was so before: it may be taken for granted of the
other rings, and of a ring itself, for arrivals before.

Each step is a theorem of `proofs/lemmas/rings.py`. It is used to read what is ordered, as barriers
are, and is not certified: that two threads are not so ordered is assumed in certificates of races.

An arrival releases and a wait acquires (PTX ISA, mbarrier), so that before and after are those of
the memory model. All of this is asked of the access map: nobody makes an mbarrier later than the
first barrier of the block, nothing else touches it, and all that happens to it is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from symcute.errors import InputError
from symcute.expr.node import Node, Term
from symcute.expr.terms import (
    add,
    at_most,
    divide,
    equal,
    evaluate,
    from_polynomial,
    less,
    mul,
    names,
    polynomial,
    remainder,
    sub,
    substitute,
)
from symcute.kernel.access_map import Access, Phase
from symcute.kernel.ir.semantics import MBARRIER
from symcute.kernel.properties.context import Context
from symcute.solve.sequent import Sequent
from symcute.solve.tiers import shows

__all__ = ["Mbarriers", "Point"]

THREADS = ("tx", "ty", "tz")
#: The most threads of a block, and stages of a ring, that are gone through one by one.
MANY, STAGES = 1024, 64


@dataclass(frozen=True)
class _Ring:
    array: str
    start: Term  # in bytes
    stages: Term

    @property
    def end(self) -> Term:
        return add(self.start, mul(MBARRIER, self.stages))


@dataclass(frozen=True)
class _Use:
    """An arrival or a wait: its number in the access map, and the round that it is in.

    `behind`: how many phases less than its turn and one are over behind a wait.
    """

    number: int
    access: Access
    ring: _Ring
    round: Term
    behind: int = 0

    @property
    def cell(self) -> Term:
        return remainder(self.round, self.ring.stages)

    @property
    def turn(self) -> Term:
        return divide(self.round, self.ring.stages)


@dataclass(frozen=True)
class Point:
    """A cell of a ring, and a number of phases: those over, or those of which one is arrived in."""

    ring: object
    cell: Term
    phases: Term


class Mbarriers:
    """The rings of an access map, and what an access comes before and after by them."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._numbers = {id(a): n for n, a in enumerate(context.map.accesses)}

    @cached_property
    def needs(self) -> frozenset[int]:
        """The computations on which all that is said here rests."""
        signals = [a for a in self._context.map.accesses if a.signal]
        return frozenset().union(*(a.needs | a.value_needs | a.ends for a in signals))

    @cached_property
    def open(self) -> Access | None:
        """The first arrival or wait of which it is not known what it orders, or None."""
        known = {u.number for u in self._uses if u.ring in self._rings}
        signals = ((n, a) for n, a in enumerate(self._context.map.accesses) if a.signal)
        return next((a for n, a in signals if a.signal != "init" and n not in known), None)

    def before(self, access: Access) -> tuple[Point, ...]:
        """Return where its thread arrives behind an access: the phases up to the one it ends."""
        found = (u for u in self._arrivals if u.ring in self._rings)
        return tuple(
            Point(u.ring, u.cell, add(u.turn, 1)) for u in found if self._leads(access, u, False)
        )

    def after(self, access: Access) -> tuple[Point, ...]:
        """Return what its thread has waited for before an access: so many phases are over."""
        found = (u for u in self._waits if u.ring in self._rings)
        return tuple(
            Point(u.ring, u.cell, sub(add(u.turn, 1), u.behind))
            for u in found
            if self._leads(access, u, True)
        )

    def _leads(self, access: Access, use: _Use, first: bool) -> bool:
        """Return whether a thread comes by a use before (else behind) an access, in its rounds."""
        number = self._numbers.get(id(access))
        if number is None or number == use.number or access.late:
            return False
        if (use.number < number) is not first:
            return False
        loops = use.access.around
        if access.around[: len(loops)] != loops:
            return False
        given = {*access.guard}
        return all(g in given or shows(self._at(access), g) for g in use.access.guard)

    def _at(self, access: Access) -> Sequent:
        return self._context.at(access.guard)

    # --- uses -----------------------------------------------------------------------------------

    @cached_property
    def _uses(self) -> tuple[_Use, ...]:
        """All arrivals and waits, of arrays in which all of them are understood."""
        by_array: dict[str, list[Access]] = {}
        for a in self._context.map.accesses:
            by_array.setdefault(a.array, []).append(a)
        found: list[_Use] = []
        for array, accesses in by_array.items():
            if not any(a.signal for a in accesses) or not self._is_known(array, accesses):
                continue
            uses = [self._use(a) for a in accesses if a.signal not in ("", "init")]
            known = [u for u in uses if u is not None]
            if len(known) == len(uses):
                found += known
        return tuple(found)

    def _is_known(self, array: str, accesses: list[Access]) -> bool:
        """Return whether all signals in an array are known, and behind a barrier but for inits."""
        context = self._context
        if context.arrays[array].space != "shared":
            return False
        if context.unsupported(array, others=True, order=True) or context.doubtful_barriers():
            return False
        for a in (a for a in accesses if a.signal):
            first = a.phases == (Phase(-1),)
            if not a.exact or (a.signal == "init") is not first:
                return False
            if not first and any(p.start == -1 for p in a.phases):
                return False
        return True

    def _use(self, access: Access) -> _Use | None:
        """Return what ring a thread uses, and in which round, or None."""
        rounds = [v.name for v in access.variables if v.kind == "round"]
        kinds = {v.kind for v in access.variables}
        if not kinds <= {"round", "thread", "block"} or len(rounds) > 1:
            return None
        labels = tuple(v.loop for v in access.variables if v.kind == "round")
        if labels != access.around:
            return None
        where = self._where(access.offset, rounds[0] if rounds else 0)
        if where is None or not all(_holds_before(g, r) for g in access.guard for r in rounds):
            return None
        start, stages = where
        if not (names(start) | names(stages)) <= self._context.dims:
            return None
        if not shows(self._at(access), at_most(1, stages)):
            return None
        ring = _Ring(access.array, start, stages)
        use = _Use(self._numbers[id(access)], access, ring, rounds[0] if rounds else 0)
        if access.signal == "arrive":
            return use
        for behind in (0, 1):
            if access.value is not None and shows(
                self._at(access), equal(access.value, remainder(add(use.turn, behind), 2))
            ):
                return _Use(use.number, access, ring, use.round, behind)
        return None

    def _where(self, offset: Term, round: Term) -> tuple[Term, Term] | None:
        """Return where a ring begins and how many stages it has, whose cell is at an offset."""
        sum = polynomial(offset)
        if sum is None:
            return None
        cells = [m for m in sum if any(round in names(x) for x in m)] if round else []
        if not cells:
            return offset, 1
        if len(cells) > 1 or len(cells[0]) > 1 or sum[cells[0]] != MBARRIER:
            return None
        cell = cells[0][0]
        if not isinstance(cell, Node) or cell.op != "%" or cell.args[0] != round:
            return None
        return from_polynomial({m: c for m, c in sum.items() if m != cells[0]}), cell.args[1]

    @cached_property
    def _arrivals(self) -> tuple[_Use, ...]:
        return tuple(u for u in self._uses if u.access.signal == "arrive")

    @cached_property
    def _waits(self) -> tuple[_Use, ...]:
        return tuple(u for u in self._uses if u.access.signal == "wait")

    # --- rings ----------------------------------------------------------------------------------

    @cached_property
    def _rings(self) -> frozenset[_Ring]:
        """The rings of which every arrival is held back."""
        found = {u.ring for u in self._uses}
        found = {r for r in found if all(self._are_apart(r, o) for o in found if o is not r)}
        found = {r for r in found if self._is_untouched(r) and self._is_counted(r)}
        while True:
            kept = {r for r in found if self._is_held_back(r, found)}
            if kept == found:
                return frozenset(found)
            found = kept

    def _are_apart(self, one: _Ring, other: _Ring) -> bool:
        if one.array != other.array:
            return True
        here = self._context.at(())
        ends = at_most(one.end, other.start), at_most(other.end, one.start)
        return any(shows(here, e) for e in ends)

    def _is_untouched(self, ring: _Ring) -> bool:
        """Return whether all else that happens in the array happens elsewhere in it."""
        others = [a for a in self._context.map.accesses if a.array == ring.array and not a.signal]
        return all(self._is_elsewhere(a, ring) for a in others)

    def _is_counted(self, ring: _Ring) -> bool:
        """Return whether each mbarrier is made for as many arrivals as threads, at least, make."""
        inits = [a for a in self._context.map.accesses
                 if a.signal == "init" and a.array == ring.array]  # fmt: skip
        inits = [a for a in inits if not self._is_elsewhere(a, ring)]
        if not all(self._is_a_cell(a, ring) for a in inits):
            return False
        counts = {a.value for a in inits}
        arriving = self._arriving(ring)
        if len(counts) != 1 or arriving is None:
            return False
        (count,) = counts
        if type(count) is not int or count < max(1, arriving):
            return False
        cells: list[Term] = ["cell"]
        if type(ring.stages) is int:
            if ring.stages > STAGES:
                return False
            cells = list(range(ring.stages))
        return all(any(self._makes(a, ring, cell) for a in inits) for cell in cells)

    def _is_elsewhere(self, a: Access, ring: _Ring) -> bool:
        ends = at_most(add(a.offset, a.width), ring.start), at_most(ring.end, a.offset)
        return any(shows(self._at(a), e) for e in ends)

    def _is_a_cell(self, a: Access, ring: _Ring) -> bool:
        place = remainder(sub(a.offset, ring.start), MBARRIER)
        return shows(self._at(a), equal(place, 0))

    def _makes(self, init: Access, ring: _Ring, cell: Term) -> bool:
        """Return whether the first thread of a block makes the mbarrier of a cell."""
        place = add(ring.start, mul(MBARRIER, cell))
        values: dict[str, Term] = dict.fromkeys(THREADS, 0)
        rounds = [v.name for v in init.variables if v.kind == "round"]
        if any(v.kind not in ("round", "thread") for v in init.variables) or len(rounds) > 1:
            return False
        if len(init.around) != len(rounds):
            return False
        known = self._at(init)
        if not all(shows(known, equal(t, 0)) for t in THREADS if t in self._context.extents):
            return False
        if rounds:
            sum = polynomial(sub(place, init.offset))
            step = -(sum or {}).get((rounds[0],), 0)
            if sum is None or step == 0 or any(c % step for c in sum.values()):
                return False
            rest = {m: c // step for m, c in sum.items() if m != (rounds[0],)}
            if any(rounds[0] in names(x) for m in rest for x in m):
                return False
            values[rounds[0]] = from_polynomial(rest)
        given = () if type(cell) is int else (at_most(0, cell), less(cell, ring.stages))
        here = self._context.at(()).extended(given)
        asked = [equal(init.offset, place), *init.guard]
        return all(shows(here, substitute(x, values)) for x in asked)

    def _arriving(self, ring: _Ring) -> int | None:
        """Return how many threads arrive at most, each once in a turn, or None."""
        uses = [u for u in self._arrivals if u.ring == ring]
        context = self._context
        extents = [context.extents.get(t, 1) for t in THREADS]
        size = 1
        for extent in extents:
            if type(extent) is not int:
                return None
            size *= extent
        if size > MANY:
            return None
        total = 0
        for at in product(*(range(int(str(e))) for e in extents)):
            values = dict(zip(THREADS, at, strict=True))
            times = sum(_may_be(u.access, values) for u in uses)
            if times > 1:
                return None
            total += times
        return total

    def _is_held_back(self, ring: _Ring, rings: set[_Ring]) -> bool:
        arriving = self._arriving(ring)
        arrivals = [u for u in self._arrivals if u.ring == ring]
        return arriving is not None and (
            arriving <= 1 or all(self._is_late_enough(u, rings) for u in arrivals)
        )

    def _is_late_enough(self, arrival: _Use, rings: set[_Ring]) -> bool:
        """Return whether the phases before its turn are over where a thread arrives."""
        return any(
            over <= 0
            for w in self._in_step(arrival)
            for over in self._behind(w, arrival.ring, rings)
        )

    def _behind(self, wait: _Use, ring: _Ring, rings: set[_Ring]) -> Iterator[int]:
        """Yield how many phases less than its turn are over of a ring, behind a wait, at most."""
        if wait.ring == ring:
            yield wait.behind - 1
        elif wait.ring in rings and wait.ring.stages == ring.stages:
            # Someone has arrived in turn j - behind, if there is such a turn; so for all of them.
            arrivals = [u for u in self._arrivals if u.ring == wait.ring]
            known = [
                min((w.behind - 1 for w in self._in_step(u) if w.ring == ring), default=None)
                for u in arrivals
            ]
            if known and None not in known:
                yield max(wait.behind + k for k in known if k is not None)

    def _in_step(self, use: _Use) -> Iterator[_Use]:
        """Yield the waits that its thread has behind it in the same round."""
        for w in self._waits:
            if w.round == use.round and self._leads(use.access, w, True):
                yield w


def _holds_before(guard: Term, round: str) -> bool:
    """Return whether a guard that holds in a round of a loop holds in all rounds before."""
    if round not in names(guard) or guard == at_most(0, round):
        return True
    if not isinstance(guard, Node) or guard.op not in ("<", "<="):
        return False
    sum = polynomial(sub(*guard.args))
    if sum is None or any(round in names(x) for m in sum for x in m if m != (round,)):
        return False
    return sum.get((round,), 0) > 0


def _may_be(access: Access, thread: dict[str, int]) -> bool:
    """Return whether a thread may come by an access, by what its guard says of threads alone."""
    for g in access.guard:
        if names(g) <= thread.keys():
            try:
                if not evaluate(g, thread):
                    return False
            except InputError:
                continue
    return True
