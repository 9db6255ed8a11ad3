"""Points enumerated where hypotheses hold, against loops: no false neighbour is proved."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import pytest

from symcute.errors import InputError
from symcute.expr.node import Node, Term
from symcute.expr.ranges import Names
from symcute.expr.terms import add, at_most, evaluate, mul, names
from symcute.kernel.access_map import Access, Variable
from symcute.kernel.ir.place import Place
from symcute.kernel.properties.apart import Pair
from symcute.kernel.properties.sides import Side
from symcute.solve.enumeration import TooLarge, points_where
from symcute.solve.points import by_all_points, by_few_points
from symcute.solve.sequent import Sequent
from tests.full import many

NAMES = ("i", "j", "k", "n")
#: What operators are applied to on the right, beside other terms.
RIGHT = {"//": [2, 3, "n"], "%": [2, 3, "n"], "<<": [0, 1, 2, "k"], ">>": [0, 1, 2, "k"]}


def number(random: Random, depth: int) -> Term:
    if depth == 0 or random.random() < 0.2:
        return random.choice([*NAMES, *NAMES, random.randint(-4, 9)])
    op = random.choice(["+", "*", "min", "max", "&", "|", "^", "if", *RIGHT, *RIGHT])
    left = number(random, depth - 1)
    if op == "if":
        return Node(op, relation(random, 0), left, number(random, depth - 1))
    return Node(op, left, random.choice([*RIGHT.get(op, []), number(random, depth - 1)]))


def relation(random: Random, depth: int) -> Term:
    if depth and random.random() < 0.3:
        op = random.choice(["and", "or", "not"])
        return Node(op, *(relation(random, depth - 1) for _ in range(1 + (op != "not"))))
    op = random.choice(["<", "<=", "==", "!="])
    return Node(op, number(random, depth), number(random, depth))


def sequent(random: Random) -> tuple[list[Term], Term, dict[str, range]]:
    """Return hypotheses, a goal near to one of them, and the box of all names."""
    sides: dict[str, range] = {}
    given: list[Term] = [
        relation(random, random.randint(0, 2)) for _ in range(random.randint(1, 3))
    ]
    goal = relation(random, random.randint(1, 2))
    first = random.choice(given)
    if isinstance(first, Node) and len(first.args) == 2 and random.random() < 0.6:
        a, b = first.args
        near = Node("<=", a, Node("+", b, random.choice([-1, 0, 1])))
        goal = near if first.op in ("<", "<=", "==") else goal
    for name in NAMES:
        low = random.choice([0, 0, 1, 1, -3])
        high = low + random.choice([-1, 0, 1, 3, 6]) if random.random() < 0.1 else low + 4
        sides[name] = range(low, high + 1)
        given += [at_most(low, name), at_most(name, high)]
    random.shuffle(given)
    return given, goal, sides


def met(given: list[Term], sides: dict[str, range]) -> list[dict[str, int]]:
    """Return the points of a box where hypotheses have a value and hold."""
    found = []
    for values in product(*sides.values()):
        at = dict(zip(sides, values, strict=True))
        try:
            if all(evaluate(h, at) for h in given):
                found.append(at)
        except InputError:
            continue  # what is divided by 0 says nothing
    return found


def fails(goal: Term, at: dict[str, int]) -> bool:
    try:
        return not evaluate(goal, at)
    except InputError:
        return False


@pytest.mark.parametrize("seed", range(2))
def test_what_points_say_holds_and_false_neighbours_are_never_proved(seed: int) -> None:
    random, told = Random(seed), Counter[str]()
    for _ in range(many(60, 3000)):
        given, goal, sides = sequent(random)
        here = Sequent(given, random.choice([{"n"}, set()]))
        points = met(given, sides)
        for tier in (by_few_points, by_all_points):
            found = tier(here, goal)
            if found is None:
                told["open"] += 1
                continue
            broken = [at for at in points if fails(goal, at)]
            told[f"{found.status} of {'some' if points else 'none'}"] += 1
            assert (found.status == "refuted") is bool(broken), (given, goal)
            if broken:
                assert all(evaluate(h, found.model) for h in given), (given, goal)
                assert fails(goal, found.model), (given, goal)
    assert min(told["proved of some"], told["proved of none"], told["refuted of some"]) >= many(
        6, 15
    ), told


@pytest.mark.parametrize("seed", range(2))
def test_points_are_those_where_hypotheses_hold(seed: int) -> None:
    """In whatever order names come, and hypotheses of no name, of one and of all."""
    random, seen = Random(f"order {seed}"), 0
    for _ in range(many(40, 1500)):
        given, _, sides = sequent(random)
        given += random.choice([[], [Node("<", 1, 2)], [Node("<", 2, 1)]])
        box = Names({n: (side[0], side[-1]) if side else (1, 0) for n, side in sides.items()})
        order = random.sample(NAMES, len(NAMES))
        try:
            columns, count = points_where(given, order, box)
        except TooLarge:
            continue
        rows = [
            dict(zip(order, map(int, at), strict=True))
            for at in zip(*columns.values(), strict=True)
        ]
        assert count == len(rows) and [*columns] == order
        wanted = sorted(met(given, sides), key=lambda at: [at[n] for n in order])
        assert rows == [{n: at[n] for n in order} for at in wanted], given
        seen += count > 0
    assert seen >= many(10, 15, 15) and names(given[0]) <= {*NAMES}


@pytest.mark.parametrize(
    ("shared", "more"),
    [
        # of one goal: what holds besides in the one, and not in the other
        ([], [at_most("i", 3)]),
        (
            [at_most(1, "n"), at_most("n", 4), Node("<=", "i", Node("+", "n", 5))],
            [Node("<", "i", "n")],
        ),
        ([Node("!=", Node("&", "i", 4), 4)], [Node("==", Node("%", "i", 8), "i")]),
    ],
)
def test_what_was_said_of_one_sequent_is_not_said_of_another(
    shared: list[Term], more: list[Term]
) -> None:
    given = [at_most(0, "i"), at_most("i", 9), *shared]
    for status, hypotheses in 2 * [("proved", [*given, *more]), ("refuted", given)]:
        for tier in (by_few_points, by_all_points):
            found = tier(Sequent(hypotheses, {"n"}), Node("<", "i", 4))
            assert found is not None and found.status == status


#: Two threads of a block: what each has of its own, and what they share.
OWN, SHARED = {"tx": range(4), "ty": range(3), "h": range(2)}, {"bx": range(2), "N": range(1, 4)}


def access(random: Random) -> Access:
    """Return an access of a thread, whose guard and offset speak of what is its own and shared."""
    strides: list[Term] = [1, 1, 2, 3, 4, "N", "bx", mul("N", 2)]
    offset: Term = random.choice([0, 4, "bx"])
    for name in random.sample(["tx", "ty", "h", "tx"], random.randint(1, 3)):
        part: Term = random.choice([name, name, Node("%", name, 2), Node("^", name, "ty")])
        offset = add(offset, mul(part, random.choice(strides)))
    guards: list[Term] = [
        Node("<", "tx", "N"), Node("==", "ty", 0), Node("<", add("tx", "ty"), "N"),
        Node("==", "h", Node("%", "tx", 2)), Node("!=", "tx", "bx"), Node("<", "h", "bx"),
    ]  # fmt: skip
    variables = tuple(Variable(n, "havoc" if n == "h" else "thread") for n in OWN)
    guard = tuple(random.sample(guards, random.randint(0, 2)))
    unit = random.choice([1, 4])
    width = random.choice([unit, unit, 2 * unit])
    return Access("x", "write", mul(offset, unit), width, guard, variables, (), Place("k", 1, 1))


def meeting(a: Access, b: Access, facts: tuple[Term, ...]) -> bool:
    """Return whether different threads touch the same byte."""
    for values in product(*SHARED.values()):
        both = dict(zip(SHARED, values, strict=True))
        bytes_of: list[dict[int, set[tuple[int, ...]]]] = []
        for side in (a, b):
            touched: dict[int, set[tuple[int, ...]]] = {}
            for own in product(*OWN.values()):
                at = both | dict(zip(OWN, own, strict=True))
                if all(evaluate(h, at) for h in (*facts, *side.guard)):
                    first = int(evaluate(side.offset, at))
                    for byte in range(first, first + side.width):
                        touched.setdefault(byte, set()).add(own[:2])
            bytes_of.append(touched)
        one, two = bytes_of
        if any(x != y for byte in one.keys() & two for x in one[byte] for y in two[byte]):
            return True
    return False


def test_threads_that_meet_are_never_proved_to_be_apart() -> None:
    random, told = Random("threads"), Counter[str]()
    ends = ({**OWN, **SHARED}).items()
    facts = tuple(h for n, side in ends for h in (at_most(side[0], n), at_most(n, side[-1])))
    for _ in range(many(20, 750)):
        a = access(random)
        b = random.choice([a, access(random)])
        pair = Pair(
            Side(a), Side(b), facts, frozenset({"N"}), ("tx", "ty"), frozenset({"bx"}), a is b
        )
        met = meeting(a, b, facts)
        asked = (lambda p=pair: p._by_points(1 << 14), pair.quickly, pair.patiently)
        for found in (ask() for ask in asked):
            assert found is not None
            assert found.status != ("proved" if met else "refuted"), (a, b)
            told[f"{found.status} {met}"] += 1
    assert min(told["proved False"], told["refuted True"]) >= many(3, 12, 12), told
