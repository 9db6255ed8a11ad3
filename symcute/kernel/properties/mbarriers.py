"""What mbarriers order: rings of them, by how often each has gone round.

A ring is `stages` mbarriers side by side, of which a thread uses cell k % stages in round k; its
turn there is k // stages. Rounds are those of a loop that is in no other, from a number on that is
the same for all threads: where one loop ends another may begin. What is in no loop, and what a loop
does whose rounds are below `stages`, is in turn 0. (A ring of one is used in turn k of a loop.) Let
P be the number of phases of a cell that are over.

*Waits.* A thread that waits in its turn j for the parity (j + c) % 2, c = 0 or 1, and has done so
in all turns before, knows P >= j + 1 - c behind it. By induction over j: for j = 0 and c = 1 that
is P >= 0; before turn j it knows P >= j - c, and P has the parity of j + 1 - c, or the wait does
not end.

A loop that begins with round f comes behind waits of the same thread, for the same parities, in all
rounds before f; but for those of turn 0 that are for c = 1, behind which nothing more is known.

*Arrivals.* Let a phase wait for `count` arrivals, and at most so many threads arrive in a round,
each once; a round is of one site: no two loops have it. Say that arrivals are held back where
P >= j is known to a thread that arrives in its turn j, as it is for j = 0. Where all are, or there
is one thread, P >= j + 1 means that all who arrive in turns 0 to j have: the phases up to j have
taken count * (j + 1) arrivals, all of turns up to j since those of later turns come in later
phases, and there are no more than these. (One thread arrives in the order of its turns.) So what a
thread did before it arrived in turn j comes before what another does that has waited until
P >= j + 1. That is so too where it is one of those who arrive at a site, and does not do so: nobody
sees the phase of that turn end.

*Held back.* A thread knows P >= j of a cell when it has waited for that; or when it has waited for
another ring, at whose cell every thread arrives only where it knows P >= j. That arrivals are held
back is so at each moment of an execution if it was so before: it may be taken for granted of the
other rings, and of a ring itself, for arrivals before.

*Agents.* A "commit" is an arrival that comes later than where it stands: behind all that MMAs of
its thread had to read there. One that has come says so of all before it, so that P >= j + 1 says so
of the turns up to j.

*Bytes.* Let one thread arrive, in a phase that waits for it alone, and let arrivals be held back,
and so where copies begin that complete on the ring. In turn j so many bytes are expected before
that thread arrives, or as it does, as all copies of turn j have. The phase j is then not over
before all of these are complete: none of it is in a phase before, P >= j where it begins; the bytes
of turn j are expected when the arrival has come without which the phase does not end; and those
that have not come are those of the copies that are not complete. So what a copy of turn j does
comes before what a thread does that has waited until P >= j + 1.

*Numbers.* A barrier of the hardware with a number is an mbarrier at which each of so many threads
arrives and then waits. It counts warps, and is used for an order where whole warps come to it, as
many threads as it counts.

Each step about orders is a theorem of `proofs/lemmas/rings.py`. It is used to read what is ordered,
as barriers are, and is not certified: that two threads are not so ordered is assumed in
certificates of races.

An arrival releases and a wait acquires (PTX ISA, mbarrier), so that before and after are those of
the memory model. All of this is asked of the access map: nobody makes an mbarrier later than the
first barrier of the block, nothing else touches it, and all that happens to it is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from symcute.expr.node import Term
from symcute.expr.terms import (
    add,
    at_most,
    divide,
    equal,
    from_polynomial,
    less,
    mul,
    names,
    polynomial,
    remainder,
    sub,
    substitute,
)
from symcute.kernel.access_map import Access
from symcute.kernel.ir.semantics import MBARRIER
from symcute.kernel.properties.agents import fenced
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.endings import Endings
from symcute.kernel.properties.signals import THREADS, Signals
from symcute.kernel.properties.uses import Ring, Use, by_site
from symcute.solve.tiers import shows

__all__ = ["Mbarriers", "Point"]

#: The most stages of a ring that are gone through one by one.
STAGES = 64


@dataclass(frozen=True)
class Point:
    """A cell of a ring, and a number of phases: those over, or those of which one is arrived in."""

    ring: object
    cell: Term
    phases: Term


class Mbarriers:
    """The rings of an access map, and what an access comes before and after by them."""

    def __init__(self, context: Context) -> None:
        self._context, self._signals = context, Signals(context)

    @cached_property
    def needs(self) -> frozenset[int]:
        """The computations on which all that is said here rests."""
        signals = [a for a in self._context.map.accesses if a.signal]
        return frozenset().union(*(a.needs | a.value_needs | a.ends for a in signals))

    @cached_property
    def open(self) -> Access | None:
        """The first arrival or wait of which it is not known what it orders, or None."""
        known = {u.number for u in self._signals.uses if u.ring in self._rings}
        signals = ((n, a) for n, a in enumerate(self._context.map.accesses) if a.signal)
        return next((a for n, a in signals if a.signal != "init" and n not in known), None)

    def before(self, access: Access, agents: bool) -> tuple[Point, ...]:
        """Return where what an access does is told behind it: the phases up to the one it ends.

        That is where its thread arrives, with a fence between where `agents` are to see it; where
        an MMA has read, and where a copy is complete.
        """
        fences = None
        if agents and access.kind != "read" and not access.agent:
            fences = [f.accesses for f in fenced(self._context, access)]
        found = []
        for u in (u for u in self._signals.uses if u.ring in self._rings):
            match access.agent:
                case "":
                    told = u.access.signal == "arrive" and self._signals.leads(access, u, False)
                    told = told and (fences is None or any(f <= u.number for f in fences))
                case "mma":
                    told = u.access.signal == "commit" and self._signals.leads(access, u, False)
                case "load":
                    told = u.access.signal == "complete" and self._completes(access, u)
                case _:
                    told = False
            if told:
                found.append(Point(u.ring, u.cell, add(u.turn, 1)))
            elif not access.agent and fences is None and u.access.signal == "arrive":
                found += self._later(access, u)
        return tuple(found)

    def _later(self, access: Access, use: Use) -> Iterator[Point]:
        """Yield the phase that a thread ends where it first arrives behind an access, if it does.

        That is in the next round of the loop, or in the first one of a loop behind. Where it does
        not, nobody sees that phase end: who arrives stands at one place, and the phase takes all.
        """
        number = self._context.number(access)
        if (
            number is None
            or access.late
            or any(u.site != use.site for u in self._arrivals if u.ring == use.ring)
        ):
            return
        loops = {v.loop: v.name for v in access.variables if v.kind == "round"}
        if not use.counter or len(use.access.around) != 1:
            return
        if access.around[:1] == use.access.around:
            if use.number > number:
                return
            round = add(add(loops.get(use.access.around[0], "?"), 1), use.first)
            if "?" in names(round):
                return
        elif use.number > number:
            round = use.first
        else:
            return
        own = {*THREADS, *self._signals.elected}
        if self._context.implies(
            access.guard, tuple(g for g in use.access.guard if names(g) <= own)
        ):
            stages = use.ring.stages
            yield Point(use.ring, remainder(round, stages), add(divide(round, stages), 1))

    def _completes(self, access: Access, use: Use) -> bool:
        """Return whether a copy completes on an mbarrier: the signal stands right behind it."""
        signal = use.access
        same = signal.guard == access.guard and signal.around == access.around
        return self._context.number(access) == use.number - 1 and same

    def after(self, access: Access) -> tuple[Point, ...]:
        """Return what its thread has waited for before an access: so many phases are over.

        They are over of other rings too, of which those knew that who have arrived.
        """
        found = []
        for u in self._waits:
            if u.ring in self._rings and self._signals.leads(access, u, True):
                found.append(Point(u.ring, u.cell, sub(add(u.turn, 1), u.behind)))
                for ring in sorted(self._rings - {u.ring}, key=str):
                    for over in self._behind(u, ring, set(self._rings)):
                        cell = remainder(u.round, ring.stages)
                        found.append(Point(ring, cell, sub(u.turn, over)))
        return tuple(found)

    @cached_property
    def _arrivals(self) -> tuple[Use, ...]:
        return tuple(u for u in self._signals.uses if u.access.signal in ("arrive", "commit"))

    @cached_property
    def _waits(self) -> tuple[Use, ...]:
        return tuple(u for u in self._signals.uses if u.access.signal == "wait")

    @cached_property
    def ending(self) -> frozenset[int]:
        """The waits that end, by the numbers of their accesses."""
        counts = {r: {a.value for a in self._inits(r)} for r in self._rings}
        known = {r: n for r, values in counts.items() for n in values if type(n) is int}
        return Endings(self._context, self._signals, known).found

    # --- rings ----------------------------------------------------------------------------------

    @cached_property
    def _rings(self) -> frozenset[Ring]:
        """The rings of which every arrival is held back."""
        found = {u.ring for u in self._signals.uses}
        found = {r for r in found if all(self._are_apart(r, o) for o in found if o is not r)}
        found = {r for r in found if self._is_untouched(r) and self._is_counted(r)}
        found = {r for r in found if self._is_whole(r)}
        while True:
            kept = {r for r in found if self._is_held_back(r, found)}
            if kept == found:
                return frozenset(found)
            found = kept

    def _are_apart(self, one: Ring, other: Ring) -> bool:
        if one.array != other.array:
            return True
        here = self._context.at(())
        ends = at_most(one.end, other.start), at_most(other.end, one.start)
        return any(shows(here, e) for e in ends)

    def _is_untouched(self, ring: Ring) -> bool:
        """Return whether all else that happens in the array happens elsewhere in it."""
        others = [a for a in self._context.map.accesses if a.array == ring.array and not a.signal]
        return all(self._signals.is_elsewhere(a, ring) for a in others)

    def _is_whole(self, ring: Ring) -> bool:
        """Return whether just as many threads come to a numbered barrier as it counts."""
        waits = [u.access for u in self._waits if u.ring == ring]
        numbered = self._context.arrays[ring.array].numbered
        return not numbered or (len(waits) == 1 and self._signals.gathers(waits[0]))

    def _inits(self, ring: Ring) -> list[Access]:
        """Return what makes mbarriers, but for those that are surely of other rings."""
        return [
            a for a in self._context.map.accesses
            if a.signal == "init" and a.array == ring.array
            and not self._signals.is_elsewhere(a, ring)
        ]  # fmt: skip

    def _is_counted(self, ring: Ring) -> bool:
        """Return whether each mbarrier is made for as many arrivals as threads, at least, make."""
        inits = self._inits(ring)
        if not all(self._signals.is_a_cell(a, ring) for a in inits):
            return False
        counts = {a.value for a in inits}
        arriving = self._arriving(ring)
        if len(counts) != 1 or arriving is None:
            return False
        (count,) = counts
        if type(count) is not int or count < max(1, arriving):
            return False
        cells: list[Term] = [self._signals.fresh("cell")]
        if type(ring.stages) is int:
            if ring.stages > STAGES:
                return False
            cells = list(range(ring.stages))
        return all(any(self._makes(a, ring, cell) for a in inits) for cell in cells)

    def _makes(self, init: Access, ring: Ring, cell: Term) -> bool:
        """Return whether the first thread of a block makes the mbarrier of a cell."""
        place = add(ring.start, mul(MBARRIER, cell))
        values: dict[str, Term] = dict.fromkeys(THREADS, 0)
        rounds = [v.name for v in init.variables if v.kind == "round"]
        if any(v.kind not in ("round", "thread") for v in init.variables) or len(rounds) > 1:
            return False
        if len(init.around) != len(rounds):
            return False
        known = self._signals.at(init)
        one = self._signals.thread(known)
        if one is None:
            return False
        values.update(one)
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

    def _arriving(self, ring: Ring) -> int | None:
        """Return how many threads arrive at most, each once in a turn, or None."""
        uses = [u for u in self._arrivals if u.ring == ring]
        if not self._signals.are_apart(uses):
            return None
        most = 0
        for site in by_site(uses):
            found = [[times for times, _ in who] for who in self._signals.coming(site)]
            if not found or any(t > 1 for who in found for t in who):
                return None
            most = max(most, *map(sum, found))
        return most

    def _is_held_back(self, ring: Ring, rings: set[Ring]) -> bool:
        arriving = self._arriving(ring)
        uses = [u for u in self._signals.uses if u.ring == ring]
        arrivals = [u for u in self._arrivals if u.ring == ring]
        moved = any(u.access.signal in ("expect", "complete") for u in uses)
        if moved and not self._is_balanced(ring, uses, rings):
            return False
        if len({u.access.signal for u in arrivals}) > 1:  # they come in no order
            return False
        return arriving is not None and (
            (not moved and self._is_of_one(arrivals))
            or all(self._is_late_enough(u, rings) for u in arrivals)
        )

    def _is_of_one(self, arrivals: list[Use]) -> bool:
        """Return whether one thread makes all arrivals, in the order of their rounds."""
        who = list(self._signals.comers(arrivals))
        return (
            bool(who)
            and all(len(frozenset().union(*each.values())) <= 1 for each in who)
            and all(
                self._signals.is_before(u, v.first)
                for u in arrivals
                for v in arrivals
                if u.number < v.number and u.site != v.site
            )
        )

    def _is_balanced(self, ring: Ring, uses: list[Use], rings: set[Ring]) -> bool:
        """Return whether as many bytes are expected in each turn as copies of it have."""
        inits = self._inits(ring)
        if any(a.value != 1 for a in inits) or not all(map(self._is_told, inits)):
            return False
        ending = [u for u in uses if u.access.signal != "wait"]
        once = all(u.round == 0 for u in uses)
        return self._signals.are_apart(ending) and all(
            self._is_balanced_at(site, once, rings) for site in by_site(ending)
        )

    def _is_balanced_at(self, uses: list[Use], once: bool, rings: set[Ring]) -> bool:
        """Return whether that is so in the rounds in which some uses are made."""
        arrivals = [u for u in uses if u.access.signal in ("arrive", "commit")]
        copies = [u for u in uses if u.access.signal == "complete"]
        expects = [u for u in uses if u.access.signal == "expect"]
        if len(arrivals) != 1 or arrivals[0].access.signal != "arrive":
            return False
        if not all(u.bytes for u in (*copies, *expects)):
            return False
        for u in expects:
            early = self._signals.is_early(u.access) and once
            if not early and not self._signals.leads(arrivals[0].access, u, True):
                return False
        found = [sum(bytes for _, bytes in who) for who in self._signals.coming(copies)]
        return (
            bool(found)
            and max(found) == sum(u.bytes for u in expects)
            and all(self._is_late_enough(u, rings) for u in (*copies, *expects))
        )

    def _is_told(self, init: Access) -> bool:
        """Return whether a fence tells agents of an mbarrier, before all threads go on."""
        start = max(p.start for p in init.phases)
        events = enumerate(self._context.map.events)
        parted = next((n for n, e in events if n > start and e.scope == "block"), -1)
        fences = fenced(self._context, init, ("proxy", "init"))
        return any(f.barriers <= parted and not f.around for f in fences)

    def _is_late_enough(self, arrival: Use, rings: set[Ring]) -> bool:
        """Return whether the phases before its turn are over where a thread arrives."""
        return self._signals.is_before(arrival, arrival.ring.stages) or any(
            over <= 0
            for w in self._signals.in_step(arrival)
            for over in self._behind(w, arrival.ring, rings)
        )

    def _behind(self, wait: Use, ring: Ring, rings: set[Ring]) -> Iterator[int]:
        """Yield how many phases less than its turn are over of a ring, behind a wait, at most."""
        if wait.ring == ring:
            yield wait.behind - 1
        elif wait.ring in rings and wait.ring.stages == ring.stages:
            # Someone has arrived in turn j - behind, if there is such a turn; so for all of them.
            arrivals = [u for u in self._arrivals if u.ring == wait.ring]
            known = [
                min(
                    (w.behind - 1 for w in self._signals.in_step(u) if w.ring == ring),
                    default=0 if self._signals.is_before(u, ring.stages) else None,
                )
                for u in arrivals
            ]
            if known and None not in known:
                yield max(wait.behind + k for k in known if k is not None)
