"""Sums of digits place by place: what is proved holds, and its certificate is checked again."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from symcute import recheck
from symcute.expr import limits
from symcute.expr.node import Node, Term
from symcute.expr.terms import (
    add,
    all_of,
    at_most,
    divide,
    equal,
    evaluate,
    if_,
    less,
    minimum,
    mul,
    names,
    remainder,
    show,
    sub,
)
from symcute.kernel.properties.certifying import certified
from symcute.solve.obligation import Answer, Obligation
from symcute.solve.places import by_places
from symcute.solve.sequent import Sequent
from tests.full import many

SIZES = ("a", "b", "c")
STARTS = [at_most(1, n) for n in SIZES]
DIGITS = [h for x, n in zip("xyz", SIZES, strict=True) for h in (at_most(0, x), less(x, n))]
WHOLE = mul(mul("a", "b"), "c")


def placed(*digits: Term) -> Term:
    """A sum of three digits by Horner's scheme."""
    x, y, z = digits
    return add(mul(add(mul(x, "b"), y), "c"), z)


def asked(given: list[Term], goal: Term) -> Answer | None:
    with limits.budget(300):
        return by_places(Sequent([*STARTS, *given], {*SIZES}), goal)


def holds(given: list[Term], goal: Term, most: int = 4) -> bool:
    """Whether a goal holds at all small sizes."""
    free = sorted(set(names(goal)).union(*map(names, given)) - {*SIZES})
    for sizes in product(range(1, most), repeat=len(SIZES)):
        for rest in product(range(-1, 7), repeat=len(free)):
            at = dict(zip((*SIZES, *free), (*sizes, *rest), strict=True))
            if all(evaluate(h, at) for h in given) and not evaluate(goal, at):
                return False
    return True


#: A window that starts at 0 or where the pixel is no less than its width, and ends at the pixel.
FIRST = if_(less("p", "b"), 0, add(sub("p", "b"), 1))
INSIDE = [at_most(0, "p"), at_most(0, "k"), less(add(FIRST, "k"), minimum(add("p", 1), "c"))]
BEHIND = sub("p", add(FIRST, "k"))
WINDOW = [*DIGITS[:2], *INSIDE]


@pytest.mark.parametrize(
    ("given", "goal", "true"),
    [
        (DIGITS, less(placed("x", "y", "z"), WHOLE), True),
        (DIGITS, less(placed("x", "z", "y"), WHOLE), False),
        (DIGITS, less(add(placed("x", "y", "z"), 1), WHOLE), False),
        (DIGITS, at_most(add(mul(placed("x", "y", "z"), 4), 4), mul(WHOLE, 4)), True),
        (DIGITS, at_most(add(mul(placed("x", "y", "z"), 4), 5), mul(WHOLE, 4)), False),
        (DIGITS, at_most(0, placed(sub(sub("a", 1), "x"), sub(sub("b", 1), "y"), "z")), True),
        (DIGITS, at_most(0, placed(sub(sub("a", 1), "x"), sub(sub("b", 2), "y"), "z")), False),
        (WINDOW, at_most(0, placed("x", BEHIND, add(FIRST, "k"))), True),
        (WINDOW, less(placed("x", BEHIND, add(FIRST, "k")), WHOLE), True),
        (WINDOW, less(placed("x", add(BEHIND, 1), add(FIRST, "k")), WHOLE), False),
        (WINDOW[:-1], less(placed("x", BEHIND, add(FIRST, "k")), WHOLE), False),
        ([*DIGITS, at_most(WHOLE, 18)], less(placed("x", "y", "z"), 18), True),
        ([*DIGITS, at_most(WHOLE, 18)], less(placed("x", "y", "z"), 17), False),
        ([*DIGITS, at_most(WHOLE, 18)], less(mul(add(mul("x", "b"), "y"), "c"), 18), True),
        (DIGITS, all_of(at_most(0, "x"), less(placed("y", "y", "z"), WHOLE)), False),
    ],
    ids=lambda x: show(x) if isinstance(x, Node) else "" if isinstance(x, list) else str(x),
)  # fmt: skip
def test_sums_within_sizes(given: list[Term], goal: Term, true: bool) -> None:
    assert holds(given, goal) is true
    found = asked(given, goal)
    assert (found is not None) is true
    if found is not None:
        about = found.about(Obligation((*STARTS, *given), goal, frozenset(SIZES)))
        certificate = certified(about.obligations[0])
        assert certificate is not None and recheck.check(certificate).status == "checked"


@pytest.mark.parametrize("seed", range(many(4, 60)))
def test_what_is_proved_of_drawn_sums_holds(seed: int) -> None:
    random, shown, left = Random(f"places {seed}"), 0, 0
    index = [at_most(0, "i"), less("i", random.choice([WHOLE, mul("a", "c")]))]
    q, r = divide("i", "c"), remainder("i", "c")
    parts: list[Term] = ["x", "y", "z", sub("b", "y"), sub(sub("c", 1), "z"), 0, q, r,
                         remainder(q, "b"), divide(q, "b"), minimum("x", "y"),
                         if_(less("x", "y"), "x", sub("y", 1))]  # fmt: skip
    while min(shown, left) < 4 and shown + left < 150:
        sum_ = placed(*(random.choice(parts) for _ in range(3)))
        if random.random() < 0.3:
            sum_ = add(mul(sum_, 4), random.randint(0, 4))
        end = random.choice([WHOLE, WHOLE, mul("a", "b"), mul(WHOLE, 4), add(WHOLE, -1), 64])
        goal = random.choice([less(sum_, end), at_most(sum_, end), at_most(0, sum_)])
        given = [*(h for h in DIGITS if random.random() < 0.95), *index]
        given += random.choice([[], [at_most(WHOLE, 64)], [equal("a", 2)]])
        if isinstance(goal, bool):
            continue
        try:
            found = asked(given, goal)
        except limits.WorkLimit:
            found = None
        shown, left = shown + (found is not None), left + (found is None)
        if found is not None:
            assert never_broken([*STARTS, *given], goal, random), (
                list(map(show, given)),
                show(goal),
            )
    assert shown


def never_broken(given: list[Term], goal: Term, random: Random) -> bool:
    free = sorted(set(names(goal)).union(*map(names, given)))
    for _ in range(3000):
        at = {n: random.randint(1, 5) if n in SIZES else random.randint(-3, 8) for n in free}
        at |= {"i": random.randint(-2, 60)} if "i" in at else {}
        if all(evaluate(h, at) for h in given) and not evaluate(goal, at):
            return False
    return True
