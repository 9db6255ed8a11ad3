"""Certificates of obligations: what they state covers the obligation, and false ones have none."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import product
from random import Random

import pytest

from symcute import recheck
from symcute.expr.assumptions import Assumptions
from symcute.expr.expression import value_at
from symcute.expr.node import Node, Term
from symcute.expr.terms import (
    add,
    all_of,
    any_of,
    at_most,
    bit_and,
    bit_xor,
    divide,
    equal,
    evaluate,
    less,
    minimum,
    mul,
    names,
    remainder,
    sub,
    unequal,
)
from symcute.kernel.properties.certifying import certified
from symcute.solve.obligation import Obligation
from tests.checker.certificates import anew
from tests.checker.test_mutations import all_mutations, assert_true
from tests.full import many, some

SPAN = range(-5, 7)


def bounded(name: str, low: int, high: int) -> tuple[Term, Term]:
    return at_most(low, name), less(name, high)


def overlap(x: Term, y: Term) -> tuple[Term, Term]:
    return at_most(x, y), at_most(y, x)


OF_I, OF_J = bounded("i", 0, 4), bounded("j", -3, 3)
X, Y = add(mul("i__1", 4), "t__1"), add(mul("i__2", 4), "t__2")
TWO = (
    *bounded("i__1", 0, 3),
    *bounded("i__2", 0, 3),
    *bounded("t__1", 0, 4),
    *bounded("t__2", 0, 4),
)
DIGITS = (("i__1", "i__2"), ("t__1", "t__2"))
SAME: Term = all_of(equal("i__1", "i__2"), equal("t__1", "t__2"))
BELOW = (*overlap(0, "j"), *OF_J)

#: Two threads that exchange the halves of a square: one is above the diagonal, and so is the other.
SQUARE = (at_most(1, "N"), *(
    h for n in ("x__1", "y__1", "x__2", "y__2") for h in (at_most(0, n), less(n, "N"))
), less("y__1", "x__1"))  # fmt: skip
MIRRORED = overlap(add(mul("y__1", "N"), "x__1"), add(mul("x__2", "N"), "y__2"))
ONE_PAIR: Term = all_of(equal("x__1", "x__2"), equal("y__1", "y__2"))
PAIRS = (("y__1", "y__2"), ("x__1", "x__2"))

#: An index of rows, columns and planes, its digits in other strides, and two threads of one place.
INDEX = at_most(0, "i"), less("i", mul(mul("L", "M"), "N"))
TURNED = add(mul(remainder(divide("i", "N"), "M"), mul("L", "N")),
             add(mul(divide(divide("i", "N"), "M"), "N"), remainder("i", "N")))  # fmt: skip
PLACES = [add(mul(remainder(x, "N"), "M"), divide(x, "N")) for x in ("i__1", "i__2")]
THREADS = tuple(h for x in ("i__1", "i__2") for h in (at_most(0, x), less(x, mul("M", "N"))))
ONE_PLACE = overlap(*PLACES)

#: A sum of digits below a product of sizes, tiles of which the last is smaller, rounded windows.
PLACED = tuple(h for x, n in zip("xyz", "abc", strict=True) for h in (at_most(0, x), less(x, n)))
PLACE = add(mul(add(mul("x", "b"), "y"), "c"), "z")
SIZE = mul("a", mul("b", "c"))
TILED = (*(at_most(0, x) for x in "fp"), less("f", "n"), at_most(1, "g"))
TILE = remainder("p", minimum(sub("n", "f"), "g"))
WINDOW = at_most(0, "i"), less("i", divide(add("n", sub("c", 1)), "c"))
QUADS = at_most(0, "i"), less("i", mul("n", 4))

#: Obligations that hold, and of each a false neighbour.
OBLIGATIONS: dict[str, tuple[Obligation, Obligation]] = {
    "ranges": (
        Obligation((*OF_I, *OF_J), at_most(add(mul("i", 2), "j"), 8), frozenset()),
        Obligation((*OF_I, *OF_J), at_most(add(mul("i", 2), "j"), 7), frozenset()),
    ),
    "polynomials": (
        Obligation((OF_I[0], less("i", "N")), at_most(add(mul("i", 4), 4), mul("N", 4)),
                   frozenset({"N"})),
        Obligation((OF_I[0], at_most("i", "N")), at_most(add(mul("i", 4), 4), mul("N", 4)),
                   frozenset({"N"})),
    ),
    "a dim that may be 0": (
        Obligation((at_most(0, "N"),), at_most(0, mul("N", "N")), frozenset({"N"})),
        Obligation((at_most(0, "N"),), at_most(1, mul("N", "N")), frozenset({"N"})),
    ),
    "a quotient": (
        Obligation((OF_I[0], less("i", divide(add("N", 3), 4))), less(mul("i", 4), "N"),
                   frozenset({"N"})),
        Obligation((OF_I[0], less("i", divide(add("N", 4), 4))), less(mul("i", 4), "N"),
                   frozenset({"N"})),
    ),
    "a square mirrored": (
        Obligation((*SQUARE, less("y__2", "x__2"), *MIRRORED), ONE_PAIR, frozenset({"N"}),
                   PAIRS, MIRRORED),
        Obligation((*SQUARE, less("x__2", "y__2"), *MIRRORED), ONE_PAIR, frozenset({"N"}),
                   PAIRS, MIRRORED),
    ),
    "points": (
        Obligation((*OF_I, *OF_J), unequal(add(mul("i", "i"), mul("j", 4)), 2), frozenset()),
        Obligation((*OF_I, *OF_J), unequal(add(mul("i", "i"), mul("j", 4)), 5), frozenset()),
    ),
    "alternatives": (
        Obligation((*OF_J, any_of(less("j", -1), less(1, "j"))), at_most(4, mul("j", "j")),
                   frozenset()),
        Obligation((*OF_J, any_of(less("j", 0), less(1, "j"))), at_most(4, mul("j", "j")),
                   frozenset()),
    ),
    "digits": (
        Obligation((*TWO, *overlap(X, Y)), SAME, frozenset(), DIGITS, overlap(X, Y)),
        Obligation((*TWO[:-1], at_most("t__2", 4), *overlap(X, Y)), SAME, frozenset(), DIGITS,
                   overlap(X, Y)),
    ),
    "an overlap that bounds a name": (
        Obligation(BELOW, equal("j", 0), frozenset(), (), overlap(0, "j")),
        Obligation((*OF_J, at_most(0, "j")), equal("j", 0), frozenset(), (), (at_most(0, "j"),)),
    ),
    "digits of one index": (
        Obligation(INDEX, less(TURNED, mul(mul("L", "M"), "N")), frozenset("LMN")),
        Obligation(INDEX, less(add(TURNED, 1), mul(mul("L", "M"), "N")), frozenset("LMN")),
    ),
    "digits of two threads": (
        Obligation((*THREADS, *ONE_PLACE), equal("i__1", "i__2"), frozenset("MN"),
                   (("i__1", "i__2"),), ONE_PLACE),
        Obligation((*THREADS[:3], at_most("i__2", mul("M", "N")), *ONE_PLACE),
                   equal("i__1", "i__2"), frozenset("MN"), (("i__1", "i__2"),), ONE_PLACE),
    ),
    "places below a size": (
        Obligation((*PLACED, at_most(SIZE, 20)), less(PLACE, 20), frozenset("abc")),
        Obligation((*PLACED, at_most(SIZE, 21)), less(PLACE, 20), frozenset("abc")),
    ),
    "the last tile": (
        Obligation(TILED, less(add("f", TILE), "n"), frozenset("ng")),
        Obligation(TILED, less(add("f", remainder("p", "g")), "n"), frozenset("ng")),
    ),
    "windows rounded up": (
        Obligation(WINDOW, less(mul("i", "c"), "n"), frozenset("nc")),
        Obligation(WINDOW, at_most(mul(add("i", 1), "c"), "n"), frozenset("nc")),
    ),
    "a quotient folded": (
        Obligation((at_most(0, "i"), less("i", "n"), at_most(0, "j")),
                   equal(divide(add(mul("j", "n"), "i"), "n"), "j"), frozenset("n")),
        Obligation((at_most(0, "i"), at_most("i", "n"), at_most(0, "j")),
                   equal(divide(add(mul("j", "n"), "i"), "n"), "j"), frozenset("n")),
    ),
    "bits taken out": (
        Obligation(QUADS, at_most(add(bit_and("i", -3), 3), mul("n", 4)), frozenset("n")),
        Obligation(QUADS, at_most(add(bit_and("i", -3), 4), mul("n", 4)), frozenset("n")),
    ),
    "bits turned over": (
        Obligation(QUADS, less(bit_xor("i", 3), mul("n", 4)), frozenset("n")),
        Obligation(QUADS, less(bit_xor("i", 4), mul("n", 4)), frozenset("n")),
    ),
    "stages of a ring": (
        Obligation((at_most(0, "k"),), unequal(remainder(add("k", 1), 3), remainder("k", 3)),
                   frozenset()),
        Obligation((at_most(0, "k"),), unequal(remainder(add("k", 3), 3), remainder("k", 3)),
                   frozenset()),
    ),
    "what never happens": (
        Obligation((*OF_I, less(4, "i")), less("i", 2), frozenset()),
        Obligation((*OF_I, less(2, "i")), less("i", 2), frozenset()),
    ),
}  # fmt: skip
HOLD = {name: pair[0] for name, pair in OBLIGATIONS.items()}


def digits_in(given: Sequence[str], at: Mapping[str, int]) -> dict[str, int]:
    """Return the values of names that stand for quotients and remainders where they are defined."""
    found: dict[str, int] = {}
    for text in given:
        said = re.fullmatch(r".+ == .+\*(s_\d+_\d+) \+ (s_\d+_\d+)", text)
        if said is not None:
            quotient, rest = said.groups()
            (f,) = Assumptions.of(text).formulas
            values = {**at, **found, quotient: 1, rest: 0}
            found[quotient], found[rest] = divmod(*(value_at(x, values) for x in f.args))
    return found


@pytest.mark.parametrize("name", HOLD)
def test_what_holds_has_a_certificate_that_covers_it(name: str) -> None:
    asked = HOLD[name]
    document = certified(asked)
    assert document is not None
    assert recheck.check(document).status == "checked"
    given, claim = (Assumptions.of(document[key]) for key in ("given", "claim"))
    used = sorted(names(asked.goal).union(*map(names, asked.hypotheses)))
    tops = {h.args[1] for h in asked.hypotheses if isinstance(h, Node) and h.op == "<="}
    free = {n for n in asked.dims if n not in tops}
    met = 0
    for values in product(SPAN if len(used) < 4 else range(4), repeat=len(used)):
        at = dict(zip(used, values, strict=True))
        if all(at[n] >= 1 for n in free) and all(evaluate(h, at) for h in asked.hypotheses):
            met += 1
            at |= digits_in(document["given"], at)
            assert given.hold({n: at[n] for n in given.dims() | claim.dims()})
            assert all(f.holds(at) for f in claim.formulas) and evaluate(asked.goal, at)
    assert bool(met) is (name not in ("what never happens", "a square mirrored"))


@pytest.mark.parametrize("name", some([*HOLD], 3))
def test_a_certificate_with_one_token_changed_is_rejected_or_true(name: str) -> None:
    document = certified(HOLD[name])
    assert document is not None
    mutants = all_mutations(document)
    rejected = 0
    for mutant in map(anew, Random(17).sample(mutants, min(len(mutants), many(24, 1500)))):
        result = recheck.check(mutant)
        assert "cannot be checked" not in result.reason, (mutant, result)
        if result.status == "checked":
            assert_true(mutant)
        rejected += result.status == "rejected"
    assert rejected >= many(12, 30, 30)


@pytest.mark.parametrize("name", OBLIGATIONS)
def test_a_false_neighbour_has_none(name: str) -> None:
    assert certified(OBLIGATIONS[name][1]) is None


def test_choices_bits_and_names_of_either_sign() -> None:
    chosen: Term = Node("if", less("i", 2), mul("i", 3), "i")
    smaller: Term = Node("min", "k", mul("k", 3))
    held = [
        Obligation(OF_I, less(chosen, 4), frozenset()),
        Obligation(
            (*OF_I, at_most("i", "k")),
            at_most(mul("i", 2), mul("k", 2)),
            frozenset(),
        ),
        Obligation((*OF_I, *bounded("j", 0, 8)), less(bit_xor("i", "j"), 8), frozenset()),
        Obligation((at_most(0, "k"),), at_most(smaller, "k"), frozenset()),
    ]
    for asked in held:
        assert certified(asked) is not None, asked.goal
    assert certified(Obligation(OF_I, less(chosen, 3), frozenset())) is None
    assert certified(Obligation((), at_most(0, mul("k", 2)), frozenset())) is None
    xor: Term = bit_xor("i", "j")
    assert certified(Obligation((*OF_I, *bounded("j", 0, 8)), less(xor, 7), frozenset())) is None
