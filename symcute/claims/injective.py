"""Injective and bijective layouts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from symcute.claims.base import Claim, call, domain, flat_offset, natural, static
from symcute.claims.bounds import InBounds
from symcute.htuple import leaves
from symcute.layout import Layout
from symcute.smtlib import Query, apply

__all__ = ["Bijective", "Injective"]


@dataclass(frozen=True)
class Injective(Claim):
    """Different coordinates have different offsets.

    >>> Injective(Layout(4, 2)).words()
    'no two coordinates of 4:2 share an offset'
    """

    layout: Layout
    name: ClassVar[str] = "injective"

    def words(self) -> str:
        """Return the claim as a sentence."""
        return f"no two coordinates of {self.layout} share an offset"

    def encode(self, query: Query) -> None:
        """Assert that a non-zero difference of two coordinates has offset 0.

        For every vector of differences with |delta_j| <= s_j - 1 there are two coordinates that
        far apart, so nothing is lost by asking for differences.
        """
        terms, moved = [], []
        for k, (s, d) in enumerate(self.layout.modes()):
            delta, extent = query.name(f"delta!{k}"), query.leaf(s)
            query.require(f"(and (< (- {extent}) {delta}) (< {delta} {extent}))")
            terms.append(f"(* {delta} {query.leaf(d)})")
            moved.append(f"(not (= {delta} 0))")
        query.require(f"(= 0 {apply('+', terms, '0')})")
        query.require(apply("or", moved, "false"))

    def fails_at(self, model: Mapping[str, int]) -> str | None:
        """Return the two coordinates that a vector of differences stands for."""
        n = len(list(leaves(self.layout.shape)))
        deltas = [model[f"delta!{k}"] for k in range(n)]
        extents = [static(s) for s in leaves(self.layout.shape)]
        if not any(deltas) or any(abs(x) >= s for x, s in zip(deltas, extents, strict=True)):
            return None
        pair = [tuple(max(sign * x, 0) for x in deltas) for sign in (1, -1)]
        one, other = sorted(pair, key=lambda x: x[::-1])
        return self._clash(one, other)

    def _clash(self, one: tuple[int, ...], other: tuple[int, ...]) -> str | None:
        offset = flat_offset(self.layout, one)
        if one == other or offset != flat_offset(self.layout, other):
            return None
        a, b = (call(self.layout, natural(self.layout, x)) for x in (one, other))
        return f"{a} = {b} = {offset} in L = {self.layout}"

    def brute(self) -> str | None:
        """Return two coordinates with the same offset, if there are any."""
        seen: dict[int, tuple[int, ...]] = {}
        for x in domain(self.layout):
            first = seen.setdefault(flat_offset(self.layout, x), x)
            if first != x:
                return self._clash(first, x)
        return None


@dataclass(frozen=True)
class Bijective(Claim):
    """The offsets are exactly 0, 1, ..., size - 1, each once.

    By counting it is enough that the layout is injective and stays inside [0, size).
    """

    layout: Layout
    name: ClassVar[str] = "bijective"

    def words(self) -> str:
        """Return the claim as a sentence."""
        return f"{self.layout} visits every offset from 0 to its size - 1 exactly once"

    def parts(self) -> tuple[Claim, ...]:
        """Return injectivity and the bound."""
        return Injective(self.layout), InBounds(self.layout, self.layout.size())
