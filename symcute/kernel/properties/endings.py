"""Waits for mbarriers that end: nobody waits for ever there, in whatever order threads go on.

A wait is of a thread, in a round k = S*j + c of a ring of S cells: in its turn j at the cell c. It
is for the phase j - b of the cell to be over, b = 0 or 1, and ends where P, how many are over, has
the parity of j + 1 - b. All that follows is of rings of which every arrival is held back (see
`mbarriers`), whose phases wait for just as many arrivals as threads make in a turn, and in whose
turns as many bytes are expected as copies have.

*Not overtaken.* P <= j + 1 - b as long as the thread waits. A phase takes the arrivals of its own
turn, one of each thread that arrives. So phase j + 1 - b is not over before

- all who arrive in turn j + 1 - b have; the waiting thread is one of them, and does so behind the
  wait: in a later round of the loop, later in this one, or in a loop behind. Or it is of the warp
  of one of them, who has to pass a barrier of the warp before that arrival which the waiting thread
  comes to behind the wait. Or
- another ring of as many cells, for which an arrival that somebody makes waits before it in its
  round, has come so far that the waiting thread, or one of its warp in the same way, has arrived
  there behind the wait.

Where all of the ring is in round 0 and in no loop, there is one turn, and P <= 1.

*Held up.* The thread has waited in its turns before, so that P >= j - b. If it waits for ever then
P is j - b for ever, and j - b >= 0. All arrivals of turns before have come. All arrivals, expected
bytes and copies of turn j - b are somewhere in the program, in round q = k - S*b, and would come if
those who make them did: copies and commits end by themselves. So one of them stands still before
it, for ever: at another wait; or at a barrier, because of a thread that stands still at a wait
before that barrier. Of that wait and its round k' it is known that

- k' <= q + f' - f, if it is in the loop of the arrival and before it, of which the round f' is the
  first one, and f that of the arrival; and less if it is behind it;
- nothing, if it is in no loop or in another: it comes before the arrival in the program.

*Ends.* Who waits for ever is thus held up by somebody who does, and so on. There are no more such
waits than threads, so that one of them comes again, in the same round: some waits of the program
are held up by each other in a circle, in which the rounds come to no less. Where in each circle it
is known of all by how many rounds, at most, each is later than the one before, and these sum to
less than 0, there is none.

The steps about numbers are theorems of `proofs/lemmas/rings.py`.

Who is held up where is told of warps apart where all that threads wait for is known: threads of a
warp wait for each other, those of a warpgroup at its instructions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from math import inf

from symcute.expr.node import Term
from symcute.expr.terms import add, at_most, less, mul, names, negate, sub
from symcute.kernel.access_map import Access, BarrierEvent
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.signals import ALL, THREADS, Signals
from symcute.kernel.properties.uses import Ring, Use, by_site, plain
from symcute.solve.tiers import shows

__all__ = ["Endings"]

_ARRIVE = ("arrive", "commit")
#: The warps of a warpgroup.
GROUP = 4


class Endings:
    """The waits of an access map that end. `counts` says how many arrivals a ring's phase takes."""

    def __init__(self, context: Context, signals: Signals, counts: Mapping[Ring, int]) -> None:
        self._context, self._signals, self._counts = context, signals, counts
        self._uses = [u for u in signals.uses if u.ring in counts]

    @cached_property
    def found(self) -> frozenset[int]:
        """The waits that end, by the numbers of their accesses."""
        if any(d.barrier for d in self._context.map.unsupported):
            return frozenset()
        held = {
            u.number: dict(self._held_up(u))
            for u in self._uses
            if u.access.signal == "wait" and self._is_met(u) and self._is_not_overtaken(u)
        }
        while True:
            kept = {n: by for n, by in held.items() if by.keys() <= held.keys()}
            circles = _in_circles(kept)
            kept = {n: by for n, by in kept.items() if n not in circles}
            if kept == held:
                return frozenset(held)
            held = kept

    # --- what ends a wait -------------------------------------------------------------------------

    def _others(self, wait: Use) -> list[Use]:
        """Return what ends the phases of a wait's ring."""
        return [u for u in self._uses if u.ring == wait.ring and u.access.signal != "wait"]

    def _is_met(self, wait: Use) -> bool:
        """Return whether what ends a phase comes just as often as it takes, behind all waits."""
        sites = by_site(self._others(wait))
        for site in sites:
            by: dict[str, list[Use]] = {"arrive": [], "expect": [], "complete": []}
            for u in site:
                by["arrive" if u.access.signal == "commit" else u.access.signal].append(u)
            arrivals, expected, moved = (self._signals.coming(by[x]) for x in by)
            counts = {sum(times for times, _ in who) for who in arrivals}
            bytes = [{sum(n for _, n in who) for who in each} for each in (expected, moved)]
            if counts != {self._counts[wait.ring]} or bytes[0] != bytes[1] or len(bytes[0]) != 1:
                return False
        return self._is_sure(wait, sites)

    def _is_sure(self, wait: Use, sites: list[list[Use]]) -> bool:
        """Return whether just those threads whose coordinates allow it come by all uses of a site.

        It is asked of one site, where another thread comes to a wait, in the round that this one
        waits for; none is before the first. Up to where the next begins it is of each.
        """
        own = {*THREADS, *self._signals.elected}
        shared = self._context.dims | {"bx", "by", "bz", wait.counter}
        round = self._awaited(wait)
        given = (*wait.access.guard, at_most(0, round))
        firsts = [u.first for u, *_ in sites]
        if not sites or not self._context.implies(given, (at_most(firsts[0], round),)):
            return False
        for site, end in zip(sites, [*firsts[1:], None], strict=True):
            here = (*given, at_most(site[0].first, round))
            here = here if end is None else (*here, less(round, end))
            for u in site:
                first, *guard = u.within(round)
                each = zip(guard, u.access.guard, strict=True)
                asked = (first, *(g for g, said in each if not names(said) <= own))
                if not all(names(g) <= shared for g in asked):
                    return False
                if not self._context.implies(here, asked):
                    return False
        return True

    def _awaited(self, wait: Use) -> Term:
        """Return the round whose phase a wait is for, below 0 where it is before the first."""
        return sub(wait.round, mul(wait.behind, wait.ring.stages))

    # --- not overtaken ----------------------------------------------------------------------------

    def _is_not_overtaken(self, wait: Use) -> bool:
        """Return whether no phase more is over than who waits may take for the one before."""
        once = all(u.round == 0 for u in self._uses if u.ring == wait.ring)
        if once and not wait.behind:
            return True
        later = 1 - wait.behind
        return self._owes(wait, wait.ring, later) or any(
            self._owes(wait, ring, later - behind)
            for ring, behind in self._before_arrivals(wait, mul(later, wait.ring.stages))
        )

    def _before_arrivals(self, wait: Use, ahead: Term) -> set[tuple[Ring, int]]:
        """Return the other rings for which one of those waits whom a phase takes, so much later.

        Beside each is how many phases less than its turn and one are over of it. It is asked where
        the phase of that round is not over, wherever its arrivals stand.
        """
        round = add(wait.round, ahead)
        found: list[set[tuple[Ring, int]]] = []
        for site in by_site(u for u in self._others(wait) if u.access.signal in _ARRIVE):
            if not all(self._never(wait, u, round) for u in site):
                steps = (w for u in site if self._is_made(u) for w in self._signals.in_step(u))
                found.append(
                    {
                        (w.ring, w.behind)
                        for w in steps
                        if w.ring in self._counts and w.ring.stages == wait.ring.stages
                    }
                )
        return set.intersection(*found) if found else set()

    def _is_made(self, use: Use) -> bool:
        """Return whether somebody may come by a use, whoever is elected."""
        found = [who[use.number] for who in self._signals.comers([use])]
        return bool(found) and all(found)

    def _owes(self, wait: Use, ring: Ring, later: int) -> bool:
        """Return whether each who waits, or one of its warp, arrives so many turns later, behind.

        One of its warp does not arrive before who waits has gone on.
        """
        if later < 0:
            return False
        ahead = mul(later, ring.stages)
        owed = []
        for u in self._uses:
            if u.ring != ring or u.access.signal not in _ARRIVE:
                continue
            if self._never(wait, u, add(wait.round, ahead)):
                continue
            if not self._is_behind(wait, u, ahead):
                return False
            owed.append(u)
        warp = self._context.map.target.warp
        events = self._context.map.events
        tied = {u.number for u in owed if any(self._ties(e, wait, u, ahead) for e in events)}
        for who in self._signals.comers([wait, *owed]):
            for site in by_site(owed):
                owing = {t for u in site for t in who[u.number]}
                warps = {t // warp for u in site if u.number in tied for t in who[u.number]}
                if not all(t in owing or t // warp in warps for t in who[wait.number]):
                    return False
        return bool(owed)

    def _never(self, wait: Use, use: Use, round: Term) -> bool:
        """Return whether nobody comes by a use in a round that is given where a thread waits."""
        shared = self._context.dims | {"bx", "by", "bz", wait.counter}
        asked = [g for g in use.within(round) if names(g) <= shared]
        return any(self._context.implies(wait.access.guard, (negate(g),)) for g in asked)

    def _is_behind(self, wait: Use, use: Use, ahead: Term) -> bool:
        """Return whether a thread makes a use so many rounds later behind a wait."""
        if not wait.counter or use.access.around != wait.access.around:
            return use.number > wait.number
        rounds = sub(add(wait.first, ahead), use.first)
        here = self._context.at(wait.access.guard)
        if shows(here, at_most(1, rounds)):
            return True
        return use.number > wait.number and shows(here, at_most(0, rounds))

    def _ties(self, event: BarrierEvent, wait: Use, use: Use, ahead: Term) -> bool:
        """Return whether who comes by a use passes before a barrier of its warp behind a wait.

        In a later round that may be the barrier in the round of the wait, or in that of the use.
        """
        rounds = {v.name for v in event.variables if v.kind == "round"}
        if event.scope not in ("warp", "elected") or not event.exact:
            return False
        where = wait.number < event.accesses, event.accesses <= use.number
        if wait.counter and use.access.around == wait.access.around:
            here = self._context.at(wait.access.guard)
            later = shows(here, at_most(1, sub(add(wait.first, ahead), use.first)))
            between = rounds == {wait.counter} and (any(where) if later else all(where))
        else:
            between = rounds <= {use.counter} - {""} and all(where)
        return between and self._context.implies(use.access.guard, event.guard)

    # --- held up ----------------------------------------------------------------------------------

    def _held_up(self, wait: Use) -> Iterator[tuple[int, float]]:
        """Yield the waits at which those may stand for whom one waits, and how rounds compare.

        It is told by how many rounds they are later, at most.
        """
        if wait.behind and self._signals.is_before(wait, wait.ring.stages):
            return
        found: dict[int, float] = {}
        for u in self._others(wait):
            if self._never(wait, u, self._awaited(wait)):
                continue
            behind = max((e.accesses for e in self._barriers if e.accesses <= u.number), default=0)
            for number, other in self._waits.items():
                if number < behind:
                    later = inf
                elif not self._units[number] & self._units[u.number]:
                    continue
                elif u.counter and other.around == u.access.around:
                    later = self._later(wait, u, number)
                elif number < u.number:
                    later = inf
                else:
                    continue
                found[number] = max(later, found.get(number, -inf))
        yield from found.items()

    def _later(self, wait: Use, use: Use, other: int) -> float:
        """Return how many rounds later a wait may be before which a use is missing, at most.

        It is in the loop of that use, in the same round of the loop at most, and in an earlier one
        if it stands behind.
        """
        found = next((u for u in self._uses if u.number == other), None)
        if found is None:
            return inf
        behind = add(mul(wait.behind, wait.ring.stages), int(other > use.number))
        more = plain(sub(sub(found.first, use.first), behind))
        if type(more) is int:
            return more
        here = self._context.at(use.access.guard)
        return next((most for most in (-1, 0) if shows(here, at_most(more, most))), inf)

    @cached_property
    def _waits(self) -> dict[int, Access]:
        every = enumerate(self._context.map.accesses)
        return {n: a for n, a in every if a.signal == "wait"}

    @cached_property
    def _barriers(self) -> list[BarrierEvent]:
        return [e for e in self._context.map.events if e.scope in ("block", "grid")]

    @cached_property
    def _units(self) -> dict[int, frozenset[int]]:
        """Which threads may come by a signal, by units that may be held up together."""
        map = self._context.map
        known = not any(d.effect in ("any", "order") for d in map.unsupported)
        known &= not any(v.kind == "round" for e in self._barriers for v in e.variables)
        groups = any(e.scope == "warpgroup" for e in map.events)
        size = map.target.warp * (GROUP if groups else 1)
        signals = ((n, a) for n, a in enumerate(map.accesses) if a.signal)
        return {n: self._signals.units(a, size) if known else ALL for n, a in signals}


def _in_circles(held: Mapping[int, Mapping[int, float]]) -> set[int]:
    """Return the waits that are in a circle in which it is not known that rounds are less."""
    far = {(n, m): later for n, by in held.items() for m, later in by.items()}
    for k in held:
        for n in held:
            for m in held:
                if (n, k) in far and (k, m) in far:
                    far[n, m] = max(far[n, k] + far[k, m], far.get((n, m), -inf))
    return {n for n in held if far.get((n, n), -inf) >= 0}
