"""Uses of rings of mbarriers: who does what to which cell, in which round.

A use is an arrival, a wait, or of bytes. Rounds are counted through loops that stand one behind the
other: one may begin where another ended, at a number that all threads agree on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from symcute.expr.node import Term
from symcute.expr.terms import (
    add,
    at_most,
    divide,
    equal,
    from_polynomial,
    mul,
    polynomial,
    remainder,
    sub,
    substitute,
)
from symcute.kernel.access_map import Access
from symcute.kernel.ir.semantics import MBARRIER

__all__ = ["Ring", "Use", "by_site", "plain"]


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

    That is `first`, which all threads agree on, or so many rounds more as `counter` has counted of
    the loop around it. `behind`: how many phases less than its turn and one are over behind a wait.
    """

    number: int
    access: Access
    ring: Ring
    counter: str = ""
    first: Term = 0
    behind: int = 0

    @property
    def round(self) -> Term:
        """The number of the cell and of the turn, counted through all loops."""
        return add(self.counter, self.first) if self.counter else self.first

    @property
    def site(self) -> tuple[tuple[str, ...], Term]:
        """What it shares with the uses that are made in the same rounds with it."""
        return self.access.around, self.first

    def within(self, round: Term) -> tuple[Term, ...]:
        """Return when it is made in a round: what it asks of the round, and its guard there."""
        if not self.counter:
            return equal(round, self.first), *self.access.guard
        there = {self.counter: sub(round, self.first)}
        guard = (substitute(g, there) for g in self.access.guard)
        return at_most(self.first, round), *guard

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
        """How often the rounds have gone round the ring."""
        return divide(self.round, self.ring.stages)


def plain(term: Term) -> Term:
    """Return a term as a sum of products, if it is one."""
    sum = polynomial(term)
    return term if sum is None else from_polynomial(sum)


def by_site(uses: Iterable[Use]) -> list[list[Use]]:
    """Return uses apart by the rounds that they are made in."""
    found: dict[object, list[Use]] = {}
    for u in uses:
        found.setdefault(u.site, []).append(u)
    return [*found.values()]
