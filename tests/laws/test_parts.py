"""Digits as numbers of their own: what is proved of them holds at every small size."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import product
from random import Random

import pytest

from symcute.errors import InputError
from symcute.expr import limits
from symcute.expr.node import Node, Term
from symcute.expr.terms import (
    add,
    at_most,
    difference,
    divide,
    equal,
    evaluate,
    less,
    maximum,
    mul,
    names,
    remainder,
    show,
    sub,
)  # fmt: skip
from symcute.kernel.properties.certifying import certified
from symcute.recheck import check
from symcute.solve.obligation import Obligation
from symcute.solve.parts import by_parts
from symcute.solve.sequent import Sequent
from symcute.solve.tiers import quickly
from tests.checker.certificates import sign
from tests.full import many

DIMS = ("a", "b", "c")
STARTS = [at_most(1, d) for d in DIMS]


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
    here = Sequent([*given, *STARTS], {*DIMS})
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


@pytest.mark.parametrize("seed", range(many(2, 20)))
def test_what_is_proved_of_random_digits_holds_and_is_certified(seed: int) -> None:
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
            if shown < 4:
                certificate = certified(Obligation((*INDEX, *STARTS), goal, frozenset(DIMS)))
                assert certificate is not None and certificate["rests_on"] == ["arithmetic"]
        else:
            open_ends += 1
        assert shown + open_ends < 400


def drawn(random: Random, depth: int, known: Sequence[str]) -> Term:
    """A number of few operations, quotients by what is at least 1, or may not be, among them."""
    if depth == 0 or random.random() < 0.3:
        return random.choice([*known, *known, random.randint(-3, 4)])
    x, y = (drawn(random, depth - 1, known) for _ in range(2))
    whole = random.choice(["i", "j", x])
    divisor = random.choice(["a", "b", times("a", "b"), 2, 3, "c", add("c", 1), maximum(1, y)])
    return random.choice(
        [add(x, y), sub(x, y), mul(x, y), maximum(x, y), divide(whole, divisor),
         remainder(whole, divisor), divide(x, divisor)]
    )  # fmt: skip


def bounds(random: Random, dim: str) -> list[Term]:
    """What is said of a dim from below; where it is nothing, the dim is at least 1."""
    other = random.choice([*DIMS, "i", "j"])
    return random.choice(
        [[at_most(1, dim)], [at_most(1, dim)], [], [], [at_most(random.randint(-2, 2), dim)],
         [at_most(-(1 << 31), dim)], [less(sub(other, random.randint(0, 3)), dim)]]
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(many(1, 150)))
def test_what_is_proved_under_random_hypotheses_holds(seed: int) -> None:
    random, shown, asked = Random(f"hypotheses {seed}"), 0, 0
    while shown < 2 or asked < 60:
        given = [h for dim in DIMS for h in bounds(random, dim)]
        for index in ("i", "j"):
            ends = [times("a", "b"), times("a", "b", "c"), "a", "b", times("c", "b"), 3,
                    add(times("a", "b"), 1), drawn(random, 2, DIMS)]  # fmt: skip
            given += [at_most(random.choice([0, 0, 0, 0, -2]), index)]
            given += [random.choice([less, less, at_most])(index, random.choice(ends))]
        given = [h for h in given if isinstance(h, Node)]
        x, y = divide("i", random.choice(DIMS)), remainder("i", random.choice(DIMS))
        left = random.choice(
            [x, y, add(mul(x, random.choice(DIMS)), y), drawn(random, 3, (*DIMS, "i", "j"))]
        )
        right = random.choice([times("a", "b"), *DIMS, drawn(random, 2, (*DIMS, "i", "j"))])
        goal = random.choice([less, less, at_most, equal])(left, right)
        here, asked = Sequent(given, {*DIMS}), asked + 1
        with suppress(limits.WorkLimit), limits.budget(150):
            found = by_parts(here, goal) if isinstance(goal, Node) else None
            if found is not None:
                shown += 1
                assert never_broken(here, goal, random), (list(map(show, given)), show(goal))


def never_broken(here: Sequent, goal: Term, random: Random) -> bool:
    """Whether no point at which all hypotheses hold is one at which the goal does not."""
    starts = dict.fromkeys((*DIMS, "i", "j"), -3)
    starts |= {n: 1 for n in DIMS if here.ranges.ranges.of(n)[0] >= 1}
    for _ in range(1500):
        at = {n: low + random.randrange(16 if n in "ij" else 6) for n, low in starts.items()}
        try:
            if all(evaluate(h, at) for h in here.hypotheses) and not evaluate(goal, at):
                return False
        except (ZeroDivisionError, InputError):
            continue  # what is divided by nothing says nothing
    return True


def test_a_certificate_with_another_bound_is_rejected() -> None:
    """Ends of digits are shown from what digits are, and these hypotheses are no others."""
    goal = less(add(mul(LOW, times("a", "b")), add(mul(MIDDLE, "a"), HIGH)), ALL)
    whole = certified(Obligation((*INDEX, *STARTS), goal, frozenset(DIMS)))
    assert whole is not None and check(whole).status == "checked"
    text = json.dumps(whole)
    (low,) = (h.split()[0] for h in whole["given"] if h.endswith(" < c*1"))
    (middle,) = (h.split()[0] for h in whole["given"] if h.endswith(" < b*1"))
    (high,) = set(re.findall(r"s_\d+_\d+", whole["claim"])) - {low, middle}
    above = re.search(r"i == c\*1\*(s_\d+_\d+) \+ " + low, text)
    assert above is not None
    seen = 0
    for old, new in (
        (f'["<", "{high}", ["*", "a", 1]]', f'["<", "{high}", ["-", "a", 1]]'),
        (f'["<", "{above[1]}", ["*", ["*", "a", "b"], 1]]', f'["<", "{above[1]}", "a"]'),
        (f"{low} < c*1", f"{low} < c + 1"),
        (f"i == c*1*{above[1]} + {low}", f"i == b*{above[1]} + {low}"),
        ("i < a*b*c", "i < a*b*c + 1"),
    ):
        assert text.count(old) == 1, (old, text)
        result = check(sign(json.loads(text.replace(old, new))))
        seen += result.status == "rejected" and "digest" not in result.reason
    assert seen == 5


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
