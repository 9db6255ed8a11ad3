"""Flat modes in polynomial form, and what hints and obligations share."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from symcute.claims.base import Where
from symcute.expr.formula import Formula
from symcute.expr.lowering import lower
from symcute.expr.polynomial import ONE, variable
from symcute.expr.ratio import ATOMS, Atom, Ratio
from symcute.layout.layout import Layout
from symcute.prover.definedness import of_hint

__all__ = [
    "ONE_LEAF",
    "ZERO_LEAF",
    "Guarded",
    "Mode",
    "Modes",
    "guards_of",
    "meaning",
    "modes_of",
    "text",
    "whole",
]


class Mode(NamedTuple):
    """An extent and its stride."""

    s: Ratio
    d: Ratio

    @property
    def reach(self) -> Ratio:
        """The offset of the last coordinate."""
        return (self.s - 1) * self.d


Modes: TypeAlias = tuple[Mode, ...]
ZERO_LEAF, ONE_LEAF = lower(0), lower(1)


class Guarded(NamedTuple):
    """A guard: its stride in each mode of the layout, and the bound."""

    strides: tuple[Ratio, ...]
    bound: Ratio


def modes_of(layout: Layout) -> Modes:
    """Return the flat modes of a layout."""
    return tuple(Mode(lower(s), lower(d)) for s, d in layout.modes())


def guards_of(where: Where) -> tuple[Guarded, ...]:
    """Return the guards of a claim."""
    return tuple(
        Guarded(tuple(lower(d) for _, d in guard.modes()), lower(bound)) for guard, bound in where
    )


def text(leaf: Ratio) -> str:
    """Return a leaf as a hint writes it."""
    return str(leaf)


def meaning(*leaves: Ratio) -> tuple[Formula, ...]:
    """Return what has to hold for leaves that hints name to make sense."""
    return tuple(formula for leaf in leaves for formula in of_hint(leaf))


def whole(leaf: Ratio) -> Ratio:
    """Return a leaf without an exact quotient: `a/b` as floor_div(a, b), an integer in any case.

    Hints may not state a quotient, whose being an integer would have to be proved first; where b
    divides a both are the same.
    """
    if leaf.den == ONE:
        return leaf
    atom = Atom("FloorDiv", Ratio(leaf.num, ONE), Ratio(leaf.den, ONE))
    name = f"floor_div({atom.a},{atom.b})"
    ATOMS[name] = atom
    return Ratio(variable(name), ONE)
