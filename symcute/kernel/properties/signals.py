"""Who signals to mbarriers, and where: uses of rings, one by one.

What is not of the form of a use is none, and then nothing is said of all that is in its array.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from itertools import product
from math import prod

from symcute.errors import InputError
from symcute.expr.node import Node, Term
from symcute.expr.terms import (
    add,
    at_most,
    equal,
    evaluate,
    from_polynomial,
    less,
    mul,
    names,
    polynomial,
    remainder,
    sub,
)
from symcute.kernel.access_map import Access
from symcute.kernel.ir.semantics import MBARRIER
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.uses import Ring, Use, by_site, plain
from symcute.solve.sequent import Sequent
from symcute.solve.tiers import shows

__all__ = ["ALL", "THREADS", "Signals"]

THREADS = ("tx", "ty", "tz")
#: All threads as one unit.
ALL = frozenset({0})
#: The most threads of a block that are gone through one by one.
MANY = 1024
#: The most values of a dim that are gone through one by one: as many as lanes of a warp.
LANES = 32


class Signals:
    """The uses of mbarriers in an access map, and by whom."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._in_step: dict[int, list[Use]] = {}

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

    def fresh(self, name: str) -> str:
        """Return a name that stands for nothing else: what the kernel has begins otherwise."""
        while name in self._context.dims:
            name += "_"
        return name

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
            signals = [a for a in accesses if a.signal not in ("", "init")]
            rings = dict.fromkeys(r for a in signals if (r := self._ring(a)) is not None)
            uses = [self._use(a, rings) for a in signals]
            known = [u for u in uses if u is not None]
            waits = [u for u in known if u.access.signal == "wait"]
            if len(known) == len(uses) and all(self._goes_on(u, waits) for u in waits):
                found += known
        return tuple(found)

    def _goes_on(self, wait: Use, waits: list[Use]) -> bool:
        """Return whether who waits has waited in the turns before the first of its loop."""
        return not wait.counter or self._has_waited(wait, waits)

    def _has_waited(self, wait: Use, waits: list[Use]) -> bool:
        """Return whether who waits has waited in each round before the first of its site.

        Those are left out of which a wait would be for a phase before the first.
        """
        here, early = self.at(wait.access), mul(wait.behind, wait.ring.stages)
        if wait.first == 0 or shows(here, at_most(wait.first, early)):
            return True
        between = self.fresh("round")
        for u in waits:
            alike = (u.ring, u.behind) == (wait.ring, wait.behind) and u.number < wait.number
            if not alike or (u.access.around and u.access.around == wait.access.around):
                continue
            before = at_most(early, between), at_most(u.first, between), less(between, wait.first)
            if all(shows(here.extended(before), g) for g in u.within(between)) and (
                u.first == 0
                or (shows(here, less(u.first, wait.first)) and self._has_waited(u, waits))
            ):
                return True
        return False

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

    def _ring(self, access: Access) -> Ring | None:
        """Return the ring that an access goes round, if it says of how many stages it is."""
        where = self._where(access)
        return None if where is None or where[0].stages == 0 else where[0]

    def _use(self, access: Access, rings: Iterable[Ring]) -> Use | None:
        """Return what ring a thread uses, and in which round, or None.

        What goes round none, as rounds are few, uses one of `rings` or a ring of one.
        """
        number, where = self._context.number(access), self._where(access)
        rounds = [v.name for v in access.variables if v.kind == "round"]
        if number is None or where is None:
            return None
        if not all(_holds_before(g, r) for g in access.guard for r in rounds):
            return None
        use = Use(number, access, where[0], rounds[0] if rounds else "", where[1])
        if use.ring.stages == 0:
            several = rings if where[2] or not use.counter else ()
            placed = next((u for r in several if (u := self._placed(use, r)) is not None), None)
            if placed is None and where[2]:
                return None
            use = placed or replace(use, ring=Ring(access.array, use.ring.start, 1))
        if access.signal != "wait":
            return use
        for behind in (0, 1):
            if access.value is not None and shows(
                self.at(access), equal(access.value, remainder(add(use.turn, behind), 2))
            ):
                return replace(use, behind=behind)
        return None

    def _placed(self, use: Use, ring: Ring) -> Use | None:
        """Return a use as one of a ring that its mbarriers are the first cells of."""
        place = plain(sub(use.ring.start, ring.start))
        if ring.array != use.ring.array or type(place) is not int or place % MBARRIER:
            return None
        found = replace(use, ring=ring, first=place // MBARRIER)
        inside = place >= 0 and self.is_before(found, ring.stages)
        return found if inside else None

    def _where(self, access: Access) -> tuple[Ring, Term, bool] | None:
        """Return a ring, the first round, and whether the cell goes on with the rounds.

        Where it does not go round, the ring begins with the first cell and has no stages.
        """
        rounds = [v.name for v in access.variables if v.kind == "round"]
        labels = tuple(v.loop for v in access.variables if v.kind == "round")
        kinds = {v.kind for v in access.variables}
        sum = polynomial(access.offset)
        if sum is None or not kinds <= {"round", "thread", "block"} or len(rounds) > 1:
            return None
        if labels != access.around:
            return None
        cells = [m for m in sum if any(r in names(x) for r in rounds for x in m)]
        start = from_polynomial({m: c for m, c in sum.items() if m not in cells})
        stages: Term = 0
        first: Term = 0
        if cells:
            (cell, *more), (round,) = cells[0], rounds
            if more or len(cells) > 1 or sum[cells[0]] != MBARRIER:
                return None
            if isinstance(cell, Node) and cell.op == "%":
                first, stages = plain(sub(cell.args[0], round)), cell.args[1]
            elif cell != round:
                return None
            if round in names(first):
                return None
        if not (names(start) | names(stages) | names(first)) <= self._context.dims:
            return None
        asked = [at_most(0, first), *([] if stages == 0 else [at_most(1, stages)])]
        if not all(shows(self.at(access), x) for x in asked):
            return None
        return Ring(access.array, start, stages), first, bool(cells)

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

    def in_step(self, use: Use) -> list[Use]:
        """Return the waits that its thread has behind it for the same round.

        Those of its loop are in the same round of the loop, or an earlier one; others are in a loop
        before, or in none.
        """
        if use.number not in self._in_step:
            waits = (w for w in self.uses if w.access.signal == "wait" and w.number < use.number)
            self._in_step[use.number] = [w for w in waits if self._is_in_step(use, w)]
        return self._in_step[use.number]

    def _is_in_step(self, use: Use, wait: Use) -> bool:
        if wait.counter and wait.access.around == use.access.around:
            sooner = shows(self.at(use.access), at_most(use.first, wait.first))
            return sooner and self.leads(use.access, wait, True)
        return not use.access.late and self._context.implies(
            use.access.guard, wait.within(use.round)
        )

    def is_before(self, use: Use, end: Term) -> bool:
        """Return whether all rounds of a use come before one."""
        return shows(self.at(use.access), less(use.round, end))

    def are_apart(self, uses: Iterable[Use]) -> bool:
        """Return whether uses that stand at several sites are never made in the same round."""
        sites = by_site(uses)
        return all(
            self.is_before(u, v.first) or self.is_before(v, u.first)
            for k, one in enumerate(sites)
            for other in sites[:k]
            for u in one
            for v in other
        )

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
