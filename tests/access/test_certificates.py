"""Certificates of obligations: what they state covers the obligation, and false ones have none."""

from __future__ import annotations

from itertools import product

import pytest

from symcute import checker
from symcute.expr.assumptions import Assumptions
from symcute.kernel.access_map import Term
from symcute.kernel.properties.certifying import Obligation, certified
from symcute.kernel.terms import evaluate, names

SPAN = range(-5, 7)


def bounded(name: str, low: int, high: int) -> tuple[Term, Term]:
    return ("<=", low, name), ("<", name, high)


def overlap(x: Term, y: Term) -> tuple[Term, Term]:
    return ("<=", x, y), ("<=", y, x)


OF_I, OF_J = bounded("i", 0, 4), bounded("j", -3, 3)
X, Y = ("+", ("*", "i__1", 4), "t__1"), ("+", ("*", "i__2", 4), "t__2")
TWO = (
    *bounded("i__1", 0, 3),
    *bounded("i__2", 0, 3),
    *bounded("t__1", 0, 4),
    *bounded("t__2", 0, 4),
)
DIGITS = (("i__1", "i__2"), ("t__1", "t__2"))
SAME: Term = ("and", ("==", "i__1", "i__2"), ("==", "t__1", "t__2"))
BELOW = (*overlap(0, "j"), *OF_J)

#: Obligations that hold, and of each a false neighbour.
OBLIGATIONS: dict[str, tuple[Obligation, Obligation]] = {
    "ranges": (
        Obligation((*OF_I, *OF_J), ("<=", ("+", ("*", "i", 2), "j"), 8), frozenset()),
        Obligation((*OF_I, *OF_J), ("<=", ("+", ("*", "i", 2), "j"), 7), frozenset()),
    ),
    "polynomials": (
        Obligation((OF_I[0], ("<", "i", "N")), ("<=", ("+", ("*", "i", 4), 4), ("*", "N", 4)),
                   frozenset({"N"})),
        Obligation((OF_I[0], ("<=", "i", "N")), ("<=", ("+", ("*", "i", 4), 4), ("*", "N", 4)),
                   frozenset({"N"})),
    ),
    "a dim that may be 0": (
        Obligation((("<=", 0, "N"),), ("<=", 0, ("*", "N", "N")), frozenset({"N"})),
        Obligation((("<=", 0, "N"),), ("<=", 1, ("*", "N", "N")), frozenset({"N"})),
    ),
    "a quotient": (
        Obligation((OF_I[0], ("<", "i", ("//", ("+", "N", 3), 4))), ("<", ("*", "i", 4), "N"),
                   frozenset({"N"})),
        Obligation((OF_I[0], ("<", "i", ("//", ("+", "N", 4), 4))), ("<", ("*", "i", 4), "N"),
                   frozenset({"N"})),
    ),
    "points": (
        Obligation((*OF_I, *OF_J), ("!=", ("+", ("*", "i", "i"), ("*", "j", 4)), 2), frozenset()),
        Obligation((*OF_I, *OF_J), ("!=", ("+", ("*", "i", "i"), ("*", "j", 4)), 5), frozenset()),
    ),
    "alternatives": (
        Obligation((*OF_J, ("or", ("<", "j", -1), ("<", 1, "j"))), ("<=", 4, ("*", "j", "j")),
                   frozenset()),
        Obligation((*OF_J, ("or", ("<", "j", 0), ("<", 1, "j"))), ("<=", 4, ("*", "j", "j")),
                   frozenset()),
    ),
    "digits": (
        Obligation((*TWO, *overlap(X, Y)), SAME, frozenset(), DIGITS, overlap(X, Y)),
        Obligation((*TWO[:-1], ("<=", "t__2", 4), *overlap(X, Y)), SAME, frozenset(), DIGITS,
                   overlap(X, Y)),
    ),
    "an overlap that bounds a name": (
        Obligation(BELOW, ("==", "j", 0), frozenset(), (), overlap(0, "j")),
        Obligation((*OF_J, ("<=", 0, "j")), ("==", "j", 0), frozenset(), (), (("<=", 0, "j"),)),
    ),
    "what never happens": (
        Obligation((*OF_I, ("<", 4, "i")), ("<", "i", 2), frozenset()),
        Obligation((*OF_I, ("<", 2, "i")), ("<", "i", 2), frozenset()),
    ),
}  # fmt: skip
HOLD = {name: pair[0] for name, pair in OBLIGATIONS.items()}


@pytest.mark.parametrize("name", HOLD)
def test_what_holds_has_a_certificate_that_covers_it(name: str) -> None:
    asked = HOLD[name]
    document = certified(asked)
    assert document is not None
    assert checker.check(document).status == "checked"
    given, claim = (Assumptions.of(document[key]) for key in ("given", "claim"))
    used = sorted(names(asked.goal).union(*map(names, asked.hypotheses)))
    free = {n for n in asked.dims if not any(h[:1] == ("<=",) and h[2] == n
                                             for h in map(tuple, asked.hypotheses))}  # fmt: skip
    met = 0
    for values in product(SPAN if len(used) < 4 else range(4), repeat=len(used)):
        at = dict(zip(used, values, strict=True))
        if all(at[n] >= 1 for n in free) and all(evaluate(h, at) for h in asked.hypotheses):
            met += 1
            assert given.hold({n: at[n] for n in given.dims() | claim.dims()})
            assert all(f.holds(at) for f in claim.formulas) and evaluate(asked.goal, at)
    assert bool(met) is (name != "what never happens")


@pytest.mark.parametrize("name", OBLIGATIONS)
def test_a_false_neighbour_has_none(name: str) -> None:
    assert certified(OBLIGATIONS[name][1]) is None


def test_choices_bits_and_names_of_either_sign() -> None:
    chosen: Term = ("if", ("<", "i", 2), ("*", "i", 3), "i")
    smaller: Term = ("min", "k", ("*", "k", 3))
    held = [
        Obligation(OF_I, ("<", chosen, 4), frozenset()),
        Obligation((*OF_I, ("<=", "i", "k")), ("<=", ("*", "i", 2), ("*", "k", 2)), frozenset()),
        Obligation((*OF_I, *bounded("j", 0, 8)), ("<", ("^", "i", "j"), 8), frozenset()),
        Obligation((("<=", 0, "k"),), ("<=", smaller, "k"), frozenset()),
    ]
    for asked in held:
        assert certified(asked) is not None, asked.goal
    assert certified(Obligation(OF_I, ("<", chosen, 3), frozenset())) is None
    assert certified(Obligation((), ("<=", 0, ("*", "k", 2)), frozenset())) is None
    xor: Term = ("^", "i", "j")
    assert certified(Obligation((*OF_I, *bounded("j", 0, 8)), ("<", xor, 7), frozenset())) is None
