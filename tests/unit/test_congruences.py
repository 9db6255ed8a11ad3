"""What terms are known to leave when divided by numbers, against their values."""

from __future__ import annotations

import random

from symcute.expr.node import Node, Term
from symcute.expr.terms import add, any_of, at_most, evaluate, less, mul
from symcute.solve.congruences import Congruence, Congruences, by_congruences
from symcute.solve.sequent import Sequent
from tests.full import many

NAMES = {"a": (1, 0), "b": (8, 0), "c": (12, 5), "d": (16, 8)}
ARITHMETIC = ("+", "+", "*", "*", "%", "//", "min", "max", "&", "|", "^", "if", "<<", ">>")


def drawn(rng: random.Random, depth: int) -> Term:
    """Return a term in the names, its divisors and shifts being numbers mostly."""
    if depth == 0 or rng.random() < 0.15:
        return rng.choice([*NAMES, *NAMES, rng.randint(-40, 40), rng.choice((2, 4, 8, 16, 64))])
    op = rng.choice(ARITHMETIC)
    a = drawn(rng, depth - 1)
    if op in ("%", "//"):
        return Node(op, a, rng.choice((1, 2, 3, 4, 6, 8, 16, 32)))
    if op in ("<<", ">>"):
        return Node(op, a, rng.randint(0, 4))
    b = drawn(rng, depth - 1)
    if op == "if":
        return Node("if", Node("<", drawn(rng, depth - 1), rng.randint(-9, 9)), a, b)
    return Node(op, a, b)


def values(rng: random.Random) -> dict[str, int]:
    """Return numbers that leave what they are said to leave."""
    return {n: m * rng.randint(-9, 30) + r for n, (m, r) in NAMES.items()}


def test_every_value_leaves_what_is_known() -> None:
    rng = random.Random(28)
    known = Congruences(dict[Term, Congruence](NAMES))
    told = 0
    for _ in range(many(1500, 20_000)):
        term = drawn(rng, 4)
        m, r = known.of(term)
        told += m != 1
        for _ in range(8):
            value = evaluate(term, values(rng))
            assert value == r if m == 0 else value % m == r, (term, m, r, value)
    assert told > many(500, 7000)


def test_what_is_decided_is_so_and_its_neighbours_are_not_proved() -> None:
    rng = random.Random(29)
    here = Sequent([Node("==", Node("%", n, m), r) for n, (m, r) in NAMES.items()], {*NAMES})
    proved = 0
    for _ in range(many(1500, 20_000)):
        term, c = drawn(rng, 3), rng.choice((2, 3, 4, 8, 16))
        at = values(rng)
        left = int(evaluate(Node("%", term, c), at))
        relations = [Node("==", Node("%", term, c), k) for k in (left, (left + 1) % c)]
        relations += [Node("!=", Node("%", term, c), (left + 1) % c)]
        goal = rng.choice([*relations, Node("or", *relations), Node("and", *relations[::2])])
        if by_congruences(here, goal) is not None:
            proved += 1
            for _ in range(20):
                assert evaluate(goal, values(rng)), goal
    assert proved > many(100, 1500)


def test_one_of_two_relations_holds_where_no_number_is_between() -> None:
    rng = random.Random(30)
    here = Sequent([Node("==", Node("%", n, m), r) for n, (m, r) in NAMES.items()], {*NAMES})
    proved = refuted = 0
    for _ in range(many(1500, 20_000)):
        a, b, both = (drawn(rng, depth) for depth in (1, 1, 2))
        x, y = (add(mul(t, rng.choice((1, 4, 8))), both) for t in (a, b))
        w, h = rng.randint(-2, 9), rng.randint(-2, 9)
        order, other = rng.choice((at_most, less)), rng.choice((at_most, less))
        goal = any_of(order(add(x, w), y), other(add(y, h), x))
        found = isinstance(goal, Node) and by_congruences(here, goal) is not None
        for _ in range(30):
            holds = evaluate(goal, values(rng))
            assert holds or not found, goal
            refuted += not holds
        proved += found
    assert proved > many(200, 3000) and refuted


def test_nothing_is_known_of_a_division_by_a_name() -> None:
    known = Congruences({"b": (8, 0)})
    assert known.of(Node("%", "b", "a"))[0] == known.of(Node("//", "b", "a"))[0] == 1
    assert known.decides(Node("==", Node("%", 8, 0), 0)) is None
