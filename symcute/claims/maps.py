"""Claims that two maps agree: equality, composition, inverses.

All of them say that two chains of layouts, applied to the same index, give the same value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from symcute.claims.base import (
    MAX_ENUMERATED,
    UNNAMED,
    AnyLayout,
    Claim,
    coordinates,
    same_leaves,
    static,
)
from symcute.claims.formulas import Holds
from symcute.claims.swizzled import SwizzledAgree
from symcute.errors import InputError
from symcute.expr.formula import eq
from symcute.expr.htuple import Leaf, leaves, show_leaf
from symcute.layout.layout import Layout
from symcute.layout.swizzle import Swizzle
from symcute.solve.smtlib import Query, apply

__all__ = ["Agree", "Composition", "Equal", "LeftInverse", "RightInverse"]


@dataclass(frozen=True)
class Agree(Claim):
    """For all i < size(domain): left(i) == right(i), where a chain (A, B) means A(B(i)).

    An empty chain is the identity. `domain` is the layout whose size counts.
    """

    left: tuple[Layout, ...]
    right: tuple[Layout, ...]
    domain: Layout
    name: ClassVar[str] = UNNAMED

    def spelled(self) -> str:
        """Return the claim as an equation (it has no name of its own in our grammar)."""
        size = show_leaf(self.domain.size())
        return f"{_chain(self.left)} == {_chain(self.right)} for 0 <= i < {size}"

    def words(self) -> str:
        """Return the claim as a sentence."""
        return self.spelled()

    def encode(self, query: Query) -> None:
        """Assert that some index of the domain has two values.

        The index is the colexicographic rank of a natural coordinate of the domain; every layout
        of a chain gets the natural coordinate of its argument, so no division is needed.
        """
        x = coordinates(query, self.domain, "x")
        index = query.name("i!")
        query.require(f"(= {index} {_rank(query, self.domain, x)})")
        values = [self._value(query, chain, x, index) for chain in (self.left, self.right)]
        query.require(f"(not (= {values[0]} {values[1]}))")

    def _value(self, query: Query, chain: tuple[Layout, ...], x: list[str], index: str) -> str:
        value = index
        for n, layout in enumerate(reversed(chain)):
            if n == 0 and same_leaves(layout.shape, self.domain.shape):
                crd = x
            else:
                crd = []
                extents = list(leaves(layout.shape))
                for k, s in enumerate(extents):
                    c = query.fresh("c")
                    if k < len(extents) - 1:  # the last mode is not bounded
                        query.require(f"(and (<= 0 {c}) (< {c} {query.leaf(s)}))")
                    crd.append(c)
                query.require(f"(= {value} {_rank(query, layout, crd)})")
            strides = zip(crd, leaves(layout.stride), strict=True)
            value = apply("+", [f"(* {c} {query.leaf(d)})" for c, d in strides], "0")
        return value

    def fails_at(self, model: Mapping[str, int]) -> str | None:
        """Return the index of the model if the values there differ."""
        return self.differs(model["i!"])

    def differs(self, index: int) -> str | None:
        """Return both values at an index if they differ."""
        if not 0 <= index < static(self.domain.size()):
            return None
        values = []
        for chain in (self.left, self.right):
            value = index
            for layout in reversed(chain):
                value = layout(value)
            values.append(value)
        if values[0] == values[1]:
            return None
        return (
            f"at i = {index}, {_chain(self.left)} = {values[0]} "
            f"but {_chain(self.right)} = {values[1]}"
        )

    def brute(self) -> str | None:
        """Return the first index where the values differ."""
        size = static(self.domain.size())
        if size > MAX_ENUMERATED:
            raise InputError(f"{self.domain} has {size} coordinates", "too many to enumerate")
        return next((f for i in range(size) if (f := self.differs(i))), None)


def _chain(chain: tuple[Layout, ...]) -> str:
    text = "i"
    for layout in reversed(chain):
        text = f"({layout})({text})"
    return text


def _rank(query: Query, layout: Layout, crd: list[str]) -> str:
    """Return the 1-D index of a natural coordinate: c0 + s0*(c1 + s1*(...))."""
    extents = list(leaves(layout.shape))
    if not extents:
        return "0"
    text = crd[-1]
    for c, s in zip(reversed(crd[:-1]), reversed(extents[:-1]), strict=True):
        text = f"(+ {c} (* {query.leaf(s)} {text}))"
    return text


@dataclass(frozen=True)
class Equal(Claim):
    """Two layouts are the same map: equal size, equal value at every 1-D index.

    Where both are swizzled alike, the swizzle undoes itself: offset plus layout have to agree, that
    is the offsets (at index 0) and the layouts.

    >>> from symcute.layout.swizzle import ComposedLayout
    >>> A = ComposedLayout(Swizzle(1, 0, 1), 0, Layout(8))
    >>> [part.text() for part in Equal(A, A).parts()]
    ['8 == 8', '0 == 0', '(8:1)(i) == (8:1)(i) for 0 <= i < 8']
    """

    left: AnyLayout
    right: AnyLayout
    name: ClassVar[str] = "equal"
    takes_swizzles: ClassVar[bool] = True

    def words(self) -> str:
        """Return the claim as a sentence."""
        return f"{self.left} and {self.right} are the same map"

    def parts(self) -> tuple[Claim, ...]:
        """Return equal sizes and equal values."""
        sizes = Holds(eq(self.left.size(), self.right.size()))
        if isinstance(self.left, Layout) and isinstance(self.right, Layout):
            return sizes, Agree((self.left,), (self.right,), self.left)
        (one, x, a), (other, y, b) = (_taken_apart(side) for side in (self.left, self.right))
        if one != other:
            return sizes, SwizzledAgree(self.left, self.right)
        return sizes, Holds(eq(x, y)), Agree((a,), (b,), a)

    def worded(self, number: int, dims: Mapping[str, int]) -> str | None:
        """Return what the layouts give at index 0, where their offsets differ."""
        if number == 1 and isinstance(self.parts()[1], Holds):
            return SwizzledAgree(self.left, self.right).at(dims).differs(0)
        return super().worded(number, dims)


def _taken_apart(layout: AnyLayout) -> tuple[Swizzle | None, Leaf, Layout]:
    """Return the swizzle, None where it does nothing, the offset, and the layout."""
    if isinstance(layout, Layout):
        return None, 0, layout
    return layout.swizzle if layout.swizzle.bits else None, layout.offset, layout.layout


@dataclass(frozen=True)
class Composition(Claim):
    """C is A after B: size(C) == size(B), and C(i) == A(B(i)) for all i."""

    result: Layout
    left: Layout
    right: Layout
    name: ClassVar[str] = "is_composition"

    def words(self) -> str:
        """Return the claim as a sentence."""
        return f"{self.result} is {self.left} after {self.right}"

    def parts(self) -> tuple[Claim, ...]:
        """Return equal sizes and equal values."""
        sizes = Holds(eq(self.result.size(), self.right.size()))
        return sizes, Agree((self.result,), (self.left, self.right), self.right)


@dataclass(frozen=True)
class RightInverse(Claim):
    """L(R(i)) == i for all i < size(R)."""

    inverse: Layout
    layout: Layout
    name: ClassVar[str] = "is_right_inverse"

    def words(self) -> str:
        """Return the claim as a sentence."""
        return f"{self.layout} undoes {self.inverse}: L(R(i)) = i for every index i of R"

    def parts(self) -> tuple[Claim, ...]:
        """Return the one equation."""
        return (Agree((self.layout, self.inverse), (), self.inverse),)


@dataclass(frozen=True)
class LeftInverse(Claim):
    """I(L(i)) == i for all i < size(L)."""

    inverse: Layout
    layout: Layout
    name: ClassVar[str] = "is_left_inverse"

    def words(self) -> str:
        """Return the claim as a sentence."""
        return f"{self.inverse} undoes {self.layout}: I(L(i)) = i for every index i of L"

    def parts(self) -> tuple[Claim, ...]:
        """Return the one equation."""
        return (Agree((self.inverse, self.layout), (), self.layout),)
