"""Digits as numbers of their own: what is proved of them holds at every small size."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from symcute.expr import limits
from symcute.expr.node import Node, Term
from symcute.expr.terms import (
    add,
    at_most,
    difference,
    divide,
    evaluate,
    less,
    mul,
    names,
    remainder,
    show,
    sub,
)  # fmt: skip
from symcute.solve.parts import by_parts
from symcute.solve.sequent import Sequent
from symcute.solve.tiers import quickly
from tests.full import many

DIMS = ("a", "b", "c")


def times(*factors: Term) -> Term:
    found: Term = 1
    for x in factors:
        found = mul(found, x)
    return found


def holds(given: list[Term], goal: Term, most: int = 4) -> bool:
    """Whether a goal holds at all small sizes, and at numbers of either sign."""
    free = sorted(set().union(*map(names, (*given, goal))) - {*DIMS})
    for sizes in product(range(1, most), repeat=len(DIMS)):
        for rest in product(range(-9, most**3 + 2), repeat=len(free)):
            at = dict(zip((*DIMS, *free), (*sizes, *rest), strict=True))
            if all(evaluate(h, at) for h in given) and not evaluate(goal, at):
                return False
    return True


def proved(given: list[Term], goal: Term) -> bool:
    here = Sequent([*given, *(at_most(1, d) for d in DIMS)], {*DIMS})
    try:
        with limits.budget(150):
            found = by_parts(here, goal)
    except limits.WorkLimit:
        return False
    return found is not None and found.status == "proved"


ALL = times("a", "b", "c")
INDEX = [at_most(0, "i"), less("i", ALL)]
HIGH, MIDDLE, LOW = (
    divide(divide("i", "c"), "b"), remainder(divide("i", "c"), "b"), remainder("i", "c"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("goal", "true"),
    [
        (less(HIGH, "a"), True),
        (less(HIGH, sub("a", 1)), False),
        (less(divide("i", "c"), times("a", "b")), True),
        (less(divide("i", "c"), times("a", "c")), False),
        (less(add(mul(HIGH, "b"), MIDDLE), times("a", "b")), True),
        (less(add(mul(HIGH, "c"), MIDDLE), times("a", "c")), False),
        (less(add(mul(LOW, times("a", "b")), add(mul(MIDDLE, "a"), HIGH)), ALL), True),
        (less(add(mul(LOW, times("a", "b")), add(mul(MIDDLE, "b"), HIGH)), ALL), False),
        (at_most(add(mul(HIGH, add("b", 1)), MIDDLE), times("a", add("b", 1))), True),
        (at_most(add(mul(HIGH, add("b", 1)), add(MIDDLE, 2)), times("a", "b")), False),
    ],
    ids=lambda x: show(x) if isinstance(x, Node) else str(x),
)  # fmt: skip
def test_what_is_made_of_digits_is_bounded(goal: Term, true: bool) -> None:
    assert holds(INDEX, goal) is true
    assert proved(INDEX, goal) is true


@pytest.mark.parametrize(
    "given",
    [
        [less("i", times("a", "b", "c"))],  # which may be negative
        [at_most(0, "i"), at_most("i", times("a", "b", "c"))],
        [at_most(0, "i"), less("i", add(times("a", "b", "c"), 1))],
    ],
    ids=["signed", "one more", "one more, less"],
)
def test_an_index_that_is_not_one_has_no_such_digits(given: list[Term]) -> None:
    goal = Node("and", at_most(0, HIGH), less(HIGH, "a"))
    assert not holds(given, goal)
    assert not proved(given, goal)


def test_a_divisor_that_may_be_negative_is_none() -> None:
    given = [at_most(0, "i"), less("i", times("a", "k")), at_most(-3, "k"), less("k", 0)]
    goal = less(divide("i", "k"), "a")
    assert not proved(given, goal) or holds(given, goal)
    assert not proved([at_most(0, "i"), less("i", "a")], less(remainder("i", "k"), "k"))


@pytest.mark.parametrize(
    "bounds",
    [
        [at_most(-(1 << 31), "c")],  # which is the range of a type
        [less(sub("i", 20), "c")],  # which says something of the index as well
        [less(sub(divide("i", "b"), 9), "c")],  # which is about a quotient
    ],
    ids=["type", "index", "quotient"],
)
def test_a_dim_that_may_be_negative_stays_one(bounds: list[Term]) -> None:
    index = [at_most(0, "i"), less("i", times("a", "b")), at_most(1, "a"), at_most(1, "b")]
    goal = less(sub(divide("i", "b"), "c"), "a")
    at = {"i": 0, "a": 1, "b": 1, "c": -1}
    assert all(evaluate(h, at) for h in (*index, *bounds)) and not evaluate(goal, at)
    assert by_parts(Sequent([*index, *bounds], {*DIMS}), goal) is None


def test_a_variable_may_be_called_as_digits_are() -> None:
    index = [at_most(0, "i"), less("i", times("a", "b"))]
    goal = less(add("digit_0", remainder("i", "b")), "b")
    assert by_parts(Sequent(index, {"a", "b"}), goal) is None


def test_dims_that_nothing_meets_are_no_error() -> None:
    given = [at_most(0, "i"), less("b", 1), less(sub("i", "b"), "c")]  # and b counts from 1
    here = Sequent(given, {"b", "c"})
    assert "c" not in here.ranges and here.stated(less("i", "c")).words.dims == {"b"}
    assert quickly(here, less(remainder("i", 3), "c")).status == "proved"


@pytest.mark.parametrize("seed", range(many(4, 40)))
def test_what_is_proved_of_random_digits_holds(seed: int) -> None:
    random, shown, open_ends = Random(seed), 0, 0
    while min(shown, open_ends) == 0 or shown + open_ends < 40:
        digits = [HIGH, MIDDLE, LOW, divide("i", times("b", "c")), remainder("i", times("b", "c"))]
        strides = [1, "a", "b", "c", times("a", "b"), times("b", "c"), 2]
        total: Term = 0
        for digit in random.sample(digits, random.randint(1, 3)):
            total = add(total, mul(digit, random.choice(strides)))
        ends = [times("a", "b", "c"), times("a", "b"), times("b", "c"), "a", "b", "c"]
        goal = less(total, random.choice(ends))
        if proved(INDEX, goal):
            shown += 1
            assert holds(INDEX, goal), show(goal)
        else:
            open_ends += 1
        assert shown + open_ends < 400


def test_a_number_less_its_quotient_times_the_divisor_is_the_remainder() -> None:
    seen = 0
    for divisor, factor, extra in product(("a", times("a", "b"), 3), ("a", "b", 3), (0, 1)):
        x, d = add("i", extra), divisor
        term = difference(x, mul(divide(x, d), factor))
        seen += term == remainder(x, d)
        for i, a, b in product(range(-7, 20), (1, 2, 5), (1, 3)):
            at = {"i": i, "a": a, "b": b}
            assert evaluate(term, at) == evaluate(sub(x, mul(divide(x, d), factor)), at)
    assert seen == 4
