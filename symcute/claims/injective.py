"""Injective and bijective layouts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from symcute.claims.base import (
    AnyLayout,
    Claim,
    Where,
    call,
    coordinates,
    domain,
    dot,
    flat_offset,
    inside,
    natural,
    numbers,
    plain,
    static,
    where_words,
    within,
)
from symcute.claims.bounds import InBounds
from symcute.expr.htuple import Leaf, leaves
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout
from symcute.solve.smtlib import Query, apply

__all__ = ["Bijective", "Compact", "Injective"]


@dataclass(frozen=True)
class Injective(Claim):
    """Different coordinates have different offsets; with guards, those they let through.

    `where` holds pairs (G, M): the coordinates c with G(c) < M. The extents of G are those of the
    layout. A swizzled layout is injective exactly where it is without the swizzle.

    >>> Injective(Layout(4, 2)).words()
    'no two coordinates of 4:2 share an offset'
    """

    layout: AnyLayout
    where: Where = ()
    name: ClassVar[str] = "injective"
    takes_swizzles: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the guards."""
        super().__post_init__()
        object.__setattr__(self, "where", self._check_guards(self.layout, self.where))

    def spelled(self) -> str:
        """Return the claim in our grammar."""
        return self._guarded_text(self.layout)

    def words(self) -> str:
        """Return the claim as a sentence."""
        if self.where:
            return f"no two offsets of {self.layout}{where_words(self.where)} are equal"
        return f"no two coordinates of {self.layout} share an offset"

    def parts(self) -> tuple[Claim, ...]:
        """Return the claim itself, or the one without the swizzle and the offset."""
        if isinstance(self.layout, ComposedLayout):
            return (Injective(self.layout.layout, self.where),)
        return (self,)

    def encode(self, query: Query) -> None:
        """Assert that two coordinates have the same offset.

        Without guards it is enough to ask for their difference: for every vector of differences
        with |delta_j| <= s_j - 1 there are two coordinates that far apart.
        """
        if self.where:
            return self._encode_pair(query)
        terms, moved = [], []
        for k, (s, d) in enumerate(plain(self.layout).modes()):
            delta, extent = query.name(f"delta!{k}"), query.leaf(s)
            query.require(f"(and (< (- {extent}) {delta}) (< {delta} {extent}))")
            terms.append(f"(* {delta} {query.leaf(d)})")
            moved.append(f"(not (= {delta} 0))")
        query.require(f"(= 0 {apply('+', terms, '0')})")
        query.require(apply("or", moved, "false"))
        return None

    def _encode_pair(self, query: Query) -> None:
        layout = plain(self.layout)
        pair = [coordinates(query, layout, name) for name in ("x", "y")]
        for crd in pair:
            within(query, crd, self.where)
        one, other = (dot(query, crd, layout) for crd in pair)
        query.require(f"(= {one} {other})")
        moved = [f"(not (= {a} {b}))" for a, b in zip(*pair, strict=True)]
        query.require(apply("or", moved, "false"))

    def fails_at(self, model: Mapping[str, int]) -> str | None:
        """Return the two coordinates of the model, or those a vector of differences stands for."""
        layout = plain(self.layout)
        if self.where:
            x, y = (numbers(model, layout, name) for name in ("x", "y"))
            return self.clash(x, y)
        deltas = numbers(model, layout, "delta")
        extents = [static(s) for s in leaves(layout.shape)]
        if not any(deltas) or any(abs(x) >= s for x, s in zip(deltas, extents, strict=True)):
            return None
        pair = [tuple(max(sign * x, 0) for x in deltas) for sign in (1, -1)]
        one, other = sorted(pair, key=lambda x: x[::-1])
        return self.clash(one, other)

    def clash(self, one: tuple[int, ...], other: tuple[int, ...]) -> str | None:
        """Return what goes wrong at two flat coordinates, or None."""
        layout = plain(self.layout)
        offset = flat_offset(layout, one)
        if one == other or offset != flat_offset(layout, other):
            return None
        if not all(inside(x, layout, self.where) for x in (one, other)):
            return None
        a, b = (call(layout, natural(layout, x)) for x in (one, other))
        return f"{a} = {b} = {offset} in L = {layout}"

    def brute(self) -> str | None:
        """Return two coordinates with the same offset, if there are any."""
        seen: dict[int, tuple[int, ...]] = {}
        layout = plain(self.layout)
        for x in domain(layout):
            if self.where and not inside(x, layout, self.where):
                continue
            first = seen.setdefault(flat_offset(layout, x), x)
            if first != x:
                return self.clash(first, x)
        return None


@dataclass(frozen=True)
class Bijective(Claim):
    """The offsets are exactly 0, 1, ..., size - 1, each once.

    By counting it is enough that the layout is injective and stays inside [0, size).
    """

    layout: AnyLayout
    name: ClassVar[str] = "bijective"
    takes_swizzles: ClassVar[bool] = True

    def words(self) -> str:
        """Return the claim as a sentence."""
        return f"{self.layout} visits every offset from 0 to its size - 1 exactly once"

    def parts(self) -> tuple[Claim, ...]:
        """Return injectivity and the bound."""
        bound = InBounds(self.layout, self.layout.size())
        return *Injective(self.layout).parts(), *bound.parts()


@dataclass(frozen=True)
class Compact(Claim):
    """The modes whose stride is not 0 map bijectively onto [0, product of their extents).

    A mode whose stride is 0 for some values of the dims only counts where it is not 0.

    >>> [part.text() for part in Compact(Layout((4, 2, 8), (1, 0, 4))).parts()]
    ['injective((4,8):(1,4))', 'in_bounds((4,8):(1,4), 32)']
    """

    layout: AnyLayout
    name: ClassVar[str] = "compact"
    takes_swizzles: ClassVar[bool] = True

    def words(self) -> str:
        """Return the claim as a sentence."""
        return f"{self.layout}, but for strides 0, fills [0, number of its offsets) without a gap"

    def parts(self) -> tuple[Claim, ...]:
        """Return injectivity and the bound of the modes with a stride."""
        modes = [(s, d) for s, d in self.layout.modes() if not (isinstance(d, int) and d == 0)]
        shape: tuple[Leaf, ...] = tuple(s for s, _ in modes)
        kept = Layout(shape, tuple(d for _, d in modes)) if modes else Layout(1, 0)
        if isinstance(self.layout, ComposedLayout):
            return Bijective(replace(self.layout, layout=kept)).parts()
        return Bijective(kept).parts()
