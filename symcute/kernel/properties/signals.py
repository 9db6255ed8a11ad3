"""Who signals to mbarriers, and where: uses of rings, one by one.

A use is an arrival, a wait, or of bytes; it is of a ring, in a round of the loop around it. What is
not of that form is none, and then nothing is said of all that is in its array.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import prod

from symcute.errors import InputError
from symcute.expr.node import Node, Term
from symcute.expr.terms import (
    add,
    at_most,
    divide,
    equal,
    evaluate,
    from_polynomial,
    mul,
    names,
    polynomial,
    remainder,
    sub,
)
from symcute.kernel.access_map import Access
from symcute.kernel.ir.semantics import MBARRIER
from symcute.kernel.properties.context import Context
from symcute.solve.sequent import Sequent
from symcute.solve.tiers import shows

__all__ = ["ALL", "THREADS", "Ring", "Signals", "Use"]

THREADS = ("tx", "ty", "tz")
#: All threads as one unit.
ALL = frozenset({0})
#: The most threads of a block that are gone through one by one.
MANY = 1024
#: The most values of a dim that are gone through one by one: as many as lanes of a warp.
LANES = 32


@dataclass(frozen=True)
class Ring:
    """Mbarriers side by side in an array."""

    array: str
    start: Term  # in bytes
    stages: Term

    @property
    def end(self) -> Term:
        """The byte behind the last of them."""
        return add(self.start, mul(MBARRIER, self.stages))


@dataclass(frozen=True)
class Use:
    """An arrival or a wait: its number in the access map, and the round that it is in.

    `behind`: how many phases less than its turn and one are over behind a wait.
    """

    number: int
    access: Access
    ring: Ring
    round: Term
    behind: int = 0

    @property
    def bytes(self) -> int:
        """How many bytes are expected, or complete; 0 where that is no number."""
        value = self.access.value
        return value if type(value) is int else 0

    @property
    def cell(self) -> Term:
        """The number of the mbarrier in its ring."""
        return remainder(self.round, self.ring.stages)

    @property
    def turn(self) -> Term:
        """How often the loop has gone round the ring."""
        return divide(self.round, self.ring.stages)


class Signals:
    """The uses of mbarriers in an access map, and by whom."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def leads(self, access: Access, use: Use, first: bool) -> bool:
        """Return whether a thread comes by a use before (else behind) an access, in its rounds."""
        number = self._context.number(access)
        if number is None or number == use.number or access.late:
            return False
        if (use.number < number) is not first:
            return False
        loops = use.access.around
        if access.around[: len(loops)] != loops:
            return False
        return self._context.implies(access.guard, use.access.guard)

    def at(self, access: Access) -> Sequent:
        """Return what is known where an access happens."""
        return self._context.at(access.guard)

    # --- uses -----------------------------------------------------------------------------------

    @cached_property
    def uses(self) -> tuple[Use, ...]:
        """All arrivals and waits, of arrays in which all of them are understood."""
        by_array: dict[str, list[Access]] = {}
        for a in self._context.map.accesses:
            by_array.setdefault(a.array, []).append(a)
        found: list[Use] = []
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
        if any(a.view_of and array in (a.name, a.view_of) for a in context.map.arrays):
            return False
        if context.unsupported(array, others=True, order=True) or context.doubtful_barriers():
            return False
        signals = [a for a in accesses if a.signal]
        made = [p for a in signals if a.signal == "init" for p in a.phases]
        if not all(a.exact for a in signals) or not all(map(context.begins_once, made)):
            return False
        last = max((p.start for p in made), default=-1)
        return all(
            a.signal == "init" or self.is_early(a) or all(p.start > last for p in a.phases)
            for a in signals
        )

    def is_early(self, expect: Access) -> bool:
        """Return whether a thread expects bytes of an mbarrier that it has made just before.

        One that is made once more expects none.
        """
        number = self._context.number(expect) or 0
        before, behind = self._context.map.accesses[:number], self._context.map.accesses[number:]
        cell = Ring(expect.array, expect.offset, 1)
        return (
            expect.signal == "expect"
            and any(
                a.signal == "init"
                and a.offset == expect.offset
                and (a.array, a.guard, a.phases) == (expect.array, expect.guard, expect.phases)
                and not a.around
                and not expect.around
                for a in before
            )
            and all(
                self.is_elsewhere(a, cell)
                for a in behind
                if a.signal == "init" and a.array == expect.array
            )
        )

    def _use(self, access: Access) -> Use | None:
        """Return what ring a thread uses, and in which round, or None."""
        number = self._context.number(access)
        rounds = [v.name for v in access.variables if v.kind == "round"]
        kinds = {v.kind for v in access.variables}
        if number is None or not kinds <= {"round", "thread", "block"} or len(rounds) > 1:
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
        if not shows(self.at(access), at_most(1, stages)):
            return None
        ring = Ring(access.array, start, stages)
        use = Use(number, access, ring, rounds[0] if rounds else 0)
        if access.signal != "wait":
            return use
        for behind in (0, 1):
            if access.value is not None and shows(
                self.at(access), equal(access.value, remainder(add(use.turn, behind), 2))
            ):
                return replace(use, behind=behind)
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

    def is_elsewhere(self, a: Access, ring: Ring) -> bool:
        """Return whether an access touches no mbarrier of a ring."""
        ends = at_most(add(a.offset, a.width), ring.start), at_most(ring.end, a.offset)
        return any(shows(self.at(a), e) for e in ends)

    def is_a_cell(self, a: Access, ring: Ring) -> bool:
        """Return whether an access is whole cells behind where a ring begins."""
        place = remainder(sub(a.offset, ring.start), MBARRIER)
        return shows(self.at(a), equal(place, 0))

    def thread(self, known: Sequent) -> dict[str, Term] | None:
        """Return the one thread that comes to what is behind a guard: the first, or one elected."""
        axes = [t for t in THREADS if t in self._context.extents]
        if all(shows(known, equal(t, 0)) for t in axes):
            return {}
        for name in self.elected:
            if axes == ["tx"] and shows(known, equal("tx", name)):
                return {"tx": name}
        return None

    @cached_property
    def elected(self) -> dict[str, range]:
        """The dims that have few values, those of lanes that are elected among them."""
        known = self._context.at(()).ranges.ranges
        found = {}
        for name in sorted(self._context.dims):
            low, high = known.of(name)
            if high - low < LANES:
                found[name] = range(int(low), int(high) + 1)
        return found

    def gathers(self, wait: Access) -> bool:
        """Return whether so many threads wait at a numbered barrier as it counts, in whole warps.

        They are those whose coordinates allow it, whatever else is asked of them.
        """
        counts = {
            a.value
            for a in self._context.map.accesses
            if a.signal == "init" and a.array == wait.array
        }
        threads = self._threads()
        come = [k for k, v in enumerate(threads) if _may_be(wait, v)]
        warp = self._context.map.target.warp
        whole = {n for k in come for n in range(k // warp * warp, (k // warp + 1) * warp)}
        return counts == {len(come)} and whole == {*come}

    def coming(self, uses: list[Use]) -> list[list[tuple[int, int]]]:
        """Return how often threads come by one of some uses, and with how many bytes, at most.

        It is told of each thread, for each choice of who is elected; nothing where threads are many
        or not known.
        """
        found = []
        for allowed in self.comers(uses):
            who: dict[int, tuple[int, int]] = {}
            for u in uses:
                for t in allowed[u.number]:
                    times, bytes = who.get(t, (0, 0))
                    who[t] = times + 1, bytes + u.bytes
            found.append([*who.values()])
        return found

    def comers(self, uses: list[Use]) -> Iterator[dict[int, frozenset[int]]]:
        """Yield who may come by each of some uses, by number, for each choice of who is elected.

        Threads have the numbers of their order; nothing is told where they are many or not known.
        """
        every = self._threads()
        if not every:
            return
        mentioned = {u.number: {n for g in u.access.guard for n in names(g)} for u in uses}
        elected = {n: r for n, r in self.elected.items() if n in set().union(*mentioned.values())}
        some = {u.number: self._allowed(u.access) for u in uses}
        for at in product(*elected.values()):
            chosen = dict(zip(elected, at, strict=True))
            yield {
                u.number: frozenset(
                    t for t in some[u.number] if _may_be(u.access, {**every[t], **chosen})
                )
                if mentioned[u.number] & chosen.keys()
                else some[u.number]
                for u in uses
            }

    def _allowed(self, access: Access) -> frozenset[int]:
        """Return the threads whose coordinates allow them to come by an access."""
        return frozenset(k for k, v in enumerate(self._threads()) if _may_be(access, v))

    def units(self, access: Access, size: int) -> frozenset[int]:
        """Return the units of so many threads of which some may come by an access.

        All are one unit where threads are many or not known.
        """
        return frozenset(t // size for t in self._allowed(access)) if self._threads() else ALL

    def in_step(self, use: Use) -> Iterator[Use]:
        """Yield the waits that its thread has behind it in the same round."""
        for w in self.uses:
            if (
                w.access.signal == "wait"
                and w.round == use.round
                and self.leads(use.access, w, True)
            ):
                yield w

    def _threads(self) -> list[dict[str, int]]:
        """Return the threads of a block in their order; none where they are many or not known."""
        extents = [self._context.extents.get(t, 1) for t in THREADS]
        known = [int(str(extent)) for extent in extents if type(extent) is int]
        if len(known) < len(extents) or prod(known) > MANY:
            return []
        each = product(*map(range, reversed(known)))
        return [dict(zip(THREADS, reversed(at), strict=True)) for at in each]


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
