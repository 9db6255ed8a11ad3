"""What claims say, as formulas in signs: letters for layouts, a value in place of its name in «».

∀ c: 0 ≤ L(c) < «bound»   where L is the layout, bound the bound
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from symcute import claims as c
from symcute.claims import Claim

__all__ = ["Statement", "statement"]


@dataclass(frozen=True)
class Statement:
    """A formula, what its letters stand for, and the values that stand in it."""

    formula: str
    letters: Mapping[str, Any] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)


def statement(claim: Claim) -> Statement | None:
    """Return the statement of a claim; None where words say it better than a formula.

    >>> from symcute import InBounds, Layout
    >>> statement(InBounds(Layout(8), 9)).formula
    '∀ c: 0 ≤ L(c) < «bound»'
    """
    found = _STATEMENTS.get(type(claim))
    return None if found is None else found(claim)


def _of(formula: str, values: str = "", **letters: str) -> Callable[[Any], Statement]:
    """Return a writer of one formula: letters and values are fields of the claim."""

    def write(claim: Any) -> Statement:
        return Statement(
            formula,
            {letter: getattr(claim, name) for letter, name in letters.items()},
            {name: getattr(claim, name) for name in values.split()},
        )

    return write


def _guarded(claim: Any, coordinates: str) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Return the conditions of the guards on coordinates, their letters and their bounds."""
    text, letters, values = "", {}, {}
    for k, (guard, bound) in enumerate(claim.where):
        name = "G" + "′" * k
        letters[name], values[f"guard{k}"] = guard, bound
        text += "".join(f", {name}({x}) < «guard{k}»" for x in coordinates.split())
    return text, letters, values


def _injective(claim: c.Injective) -> Statement:
    guards, letters, values = _guarded(claim, "c c′")
    formula = f"∀ c ≠ c′{guards}: L(c) ≠ L(c′)"
    return Statement(formula, {"L": claim.layout, **letters}, values)


def _in_bounds(claim: c.InBounds) -> Statement:
    guards, letters, values = _guarded(claim, "c")
    formula = f"∀ c{guards}: 0 ≤ L(c) < «bound»"
    return Statement(formula, {"L": claim.layout, **letters}, {"bound": claim.bound, **values})


def _partition(claim: c.Partition) -> Statement | None:
    if isinstance(claim.layout, tuple):
        return None
    return _of("∀ m, 0 ≤ m < «bound»: ∃! c: L(c) = m", "bound", L="layout")(claim)


def _exact(claim: c.PartitionExact) -> Statement:
    number = "∃! (t, v)" if claim.copies == 1 else "∃ «copies» (t, v)"
    return _of(f"∀ e ∈ «tile»: {number}: L(t, v) = e", "tile copies", L="tv")(claim)


def _overflow(claim: c.NoOverflow) -> Statement | None:
    if isinstance(claim.expression, str):
        return None
    limit = 1 << (claim.bits - 1)
    letters = {"L": claim.expression}
    return Statement("∀ c: -«limit» ≤ L(c) < «limit»", letters, {"limit": limit})


_STATEMENTS: dict[type[Claim], Callable[[Any], Statement | None]] = {
    c.Holds: _of("«formula»", "formula"),
    c.Injective: _injective,
    c.InBounds: _in_bounds,
    c.Bijective: _of("∀ m, 0 ≤ m < |L|: ∃! c: L(c) = m", L="layout"),
    c.Aligned: _of("∀ c: «n» ∣ L(c)", "n", L="layout"),
    c.Covers: _of("∀ m, 0 ≤ m < «bound»: ∃ c: L(c) = m", "bound", L="layout"),
    c.Partition: _partition,
    c.Monotone: _of("∀ i, 0 ≤ i < |L| - 1: L(i) ≤ L(i + 1)", L="layout"),
    c.Increasing: _of("∀ i, 0 ≤ i < |L| - 1: L(i) < L(i + 1)", L="layout"),
    c.Equal: _of("|A| = |B|, ∀ i, 0 ≤ i < |A|: A(i) = B(i)", A="left", B="right"),
    c.Composition: _of(
        "|C| = |B|, ∀ i, 0 ≤ i < |B|: C(i) = A(B(i))", A="left", B="right", C="result"
    ),
    c.RightInverse: _of("∀ i, 0 ≤ i < |R|: L(R(i)) = i", L="layout", R="inverse"),
    c.LeftInverse: _of("∀ i, 0 ≤ i < |L|: I(L(i)) = i", I="inverse", L="layout"),
    c.Disjoint: _of("∀ a, b: A(a) = B(b) ⟹ A(a) = 0", A="left", B="right"),
    c.Apart: _of("∀ a, b: A(a) ≠ «shift» + B(b)", "shift", A="left", B="right"),
    c.SameImage: _of("∀ m: (∃ a: A(a) = m) ⟺ (∃ b: B(b) = m)", A="left", B="right"),
    c.PartitionExact: _exact,
    c.SameElements: _of("∀ t, e: (∃ v: A(t, v) = e) ⟺ (∃ v: B(t, v) = e)", A="left", B="right"),
    c.NoOverflow: _overflow,
}
