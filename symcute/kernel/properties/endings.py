"""Waits for mbarriers that end: nobody waits for ever there, in whatever order threads go on.

A wait is of a thread, in a round k = S*j + c of a ring of S cells: in its turn j at the cell c. It
is for the phase j - b of the cell to be over, b = 0 or 1, and ends where P, how many are over, has
the parity of j + 1 - b. All that follows is of rings of which every arrival is held back (see
`mbarriers`), whose phases wait for just as many arrivals as threads make in a turn, and in whose
turns as many bytes are expected as copies have.

*Not overtaken.* P <= j + 1 - b as long as the thread waits. A phase takes the arrivals of its own
turn, one of each thread that arrives. So phase j + 1 - b is not over before

- all who arrive in turn j + 1 - b have; the waiting thread is one of them, and does so behind the
  wait: in a later round, or later in this one. Or it is of the warp of one of them, who has to pass
  a barrier of the warp before that arrival which the waiting thread comes to behind the wait. Or
- another ring of as many cells, for which an arrival that somebody makes waits before it in its
  round, has come so far that the waiting thread, or one of its warp in the same way, has arrived
  there behind the wait.

Where nothing of the ring is in a loop, there is one turn, and P <= 1.

*Held up.* The thread has waited in its turns before, so that P >= j - b. If it waits for ever then
P is j - b for ever, and j - b >= 0. All arrivals, expected bytes and copies up to turn j - b are
somewhere in the program, in rounds up to k - S*b, and would come if those who make them did: copies
and commits end by themselves. So one of them stands still before it, for ever: at another wait; or
at a barrier, because of a thread that stands still at a wait before that barrier. Of that wait and
its round k' it is known that

- k' <= k - S*b, if it is in the loop of the arrival and before it, and less if it is behind it;
- nothing, if it is in no loop or in another: it comes before the arrival in the program.

*Ends.* Who waits for ever is thus held up by somebody who does, and so on. There are no more such
waits than threads, so that one of them comes again, in the same round: some waits of the program
are held up by each other in a circle, in which no round is less than the one before. Where each
circle has only rounds that are known, and one of them is less than the one before, there is none.

The steps about numbers are theorems of `proofs/lemmas/rings.py`.

Who is held up where is told of warps apart where all that threads wait for is known: threads of a
warp wait for each other, those of a warpgroup at its instructions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from symcute.expr.terms import at_most, mul, names, sub, substitute
from symcute.kernel.access_map import Access, BarrierEvent
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.signals import ALL, THREADS, Ring, Signals, Use

__all__ = ["Endings"]

#: How the round of a wait is to that of one that it is held up by: more, not less, or not known.
LESS, NO_MORE, UNKNOWN = 0, 1, 2
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
            kept = {n: by for n, by in kept.items() if not _is_in_a_circle(n, kept)}
            if kept == held:
                return frozenset(held)
            held = kept

    # --- what ends a wait -------------------------------------------------------------------------

    def _others(self, wait: Use) -> list[Use]:
        """Return what ends the phases of a wait's ring."""
        return [u for u in self._uses if u.ring == wait.ring and u.access.signal != "wait"]

    def _is_met(self, wait: Use) -> bool:
        """Return whether what ends a phase comes just as often as it takes, behind all waits."""
        others = self._others(wait)
        if not all(bool(u.access.around) == bool(wait.access.around) for u in others):
            return False
        if not all(self._is_sure(u, wait) for u in others):
            return False
        by: dict[str, list[Use]] = {"arrive": [], "expect": [], "complete": []}
        for u in others:
            by["arrive" if u.access.signal == "commit" else u.access.signal].append(u)
        arrivals, expected, moved = (self._signals.coming(by[x]) for x in by)
        counts = {sum(times for times, _ in who) for who in arrivals}
        bytes = [{sum(n for _, n in who) for who in each} for each in (expected, moved)]
        return counts == {self._counts[wait.ring]} and bytes[0] == bytes[1] and len(bytes[0]) == 1

    def _is_sure(self, use: Use, wait: Use) -> bool:
        """Return whether just those threads whose coordinates allow it come by a use.

        It is asked where another thread comes to a wait, of the round that this one waits for.
        """
        own = {*THREADS, *self._signals.elected}
        rest = [g for g in use.access.guard if not names(g) <= own]
        given, before = wait.access.guard, mul(wait.behind, wait.ring.stages)
        shared = self._context.dims | {"bx", "by", "bz"}
        if wait.access.around:
            given = (*given, at_most(before, wait.round))
            rest = [substitute(g, {str(use.round): sub(wait.round, before)}) for g in rest]
            shared |= {str(wait.round)}
        elif wait.behind:
            return True  # it is for a phase before the first
        return all(names(g) <= shared for g in rest) and self._context.implies(given, tuple(rest))

    # --- not overtaken ----------------------------------------------------------------------------

    def _is_not_overtaken(self, wait: Use) -> bool:
        """Return whether no phase more is over than who waits may take for the one before."""
        if not wait.access.around and not wait.behind:
            return True
        later = 1 - wait.behind
        return self._owes(wait, wait.ring, later) or any(
            w.ring.stages == wait.ring.stages and self._owes(wait, w.ring, later - w.behind)
            for u in self._others(wait)
            if u.access.signal in ("arrive", "commit") and self._is_made(u)
            for w in self._signals.in_step(u)
            if w.ring in self._counts
        )

    def _is_made(self, use: Use) -> bool:
        """Return whether somebody may come by a use, whoever is elected."""
        found = [who[use.number] for who in self._signals.comers([use])]
        return bool(found) and all(found)

    def _owes(self, wait: Use, ring: Ring, later: int) -> bool:
        """Return whether each who waits, or one of its warp, arrives so many turns later, behind.

        One of its warp does not arrive before who waits has gone on.
        """
        if later < 0 or (later and not wait.access.around):
            return False
        owed = [
            u
            for u in self._uses
            if u.ring == ring and u.access.signal in ("arrive", "commit")
            if u.access.around == wait.access.around and (later or u.number > wait.number)
        ]
        warp = self._context.map.target.warp
        events = self._context.map.events
        tied = [u for u in owed if any(self._ties(e, wait, u, bool(later)) for e in events)]
        for who in self._signals.comers([wait, *owed]):
            owing = {t for u in owed for t in who[u.number]}
            warps = {t // warp for u in tied for t in who[u.number]}
            if not all(t in owing or t // warp in warps for t in who[wait.number]):
                return False
        return True

    def _ties(self, event: BarrierEvent, wait: Use, use: Use, later: bool) -> bool:
        """Return whether who comes by a use passes before a barrier of its warp behind a wait.

        In a later round that may be the barrier in the round of the wait, or in that of the use.
        """
        rounds = {v.name for v in event.variables if v.kind == "round"}
        if event.scope != "warp" or not event.exact or rounds != {wait.round} - {0}:
            return False
        where = wait.number < event.accesses, event.accesses <= use.number
        between = any(where) if later else all(where)
        return between and self._context.implies(use.access.guard, event.guard)

    # --- held up ----------------------------------------------------------------------------------

    def _held_up(self, wait: Use) -> Iterator[tuple[int, int]]:
        """Yield the waits at which those may stand for whom one waits, and how rounds compare."""
        if wait.behind and not wait.access.around:
            return
        found: dict[int, int] = {}
        for u in self._others(wait):
            behind = max((e.accesses for e in self._barriers if e.accesses <= u.number), default=0)
            for number, other in self._waits.items():
                if number < behind:
                    how = UNKNOWN
                elif not self._units[number] & self._units[u.number]:
                    continue
                elif u.access.around and other.around == u.access.around:
                    how = NO_MORE if number < u.number and not wait.behind else LESS
                elif number < u.number:
                    how = UNKNOWN
                else:
                    continue
                found[number] = max(how, found.get(number, LESS))
        yield from found.items()

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


def _is_in_a_circle(start: int, held: Mapping[int, Mapping[int, int]]) -> bool:
    """Return whether a wait is in a circle in which it is not known that a round is less."""
    for least in (UNKNOWN, NO_MORE):
        # A circle through an edge of which nothing is known, or of edges that are all no more.
        todo = [n for n, how in held[start].items() if how >= least]
        seen = set(todo)
        while todo:
            for n, how in held.get(todo.pop(), {}).items():
                if n not in seen and (how >= least or least == UNKNOWN):
                    seen.add(n)
                    todo.append(n)
        if start in seen:
            return True
    return False
