"""Digits with names: each has one name however it is written, and is what it stands for."""

from __future__ import annotations

from itertools import permutations, product
from math import inf
from random import Random

from symcute.expr.node import Node, Term
from symcute.expr.ranges import Names
from symcute.expr.terms import add, at_most, evaluate, less, mul, names, substitute
from symcute.solve.obligation import Obligation
from symcute.solve.sequent import Sequent
from symcute.solve.tiers import by_digits
from symcute.solve.wording import Wording
from tests.full import many, some

DIMS = ("a", "b", "c")
DIVISORS: list[Term] = [
    "a", "b", "c", mul("a", "b"), mul("b", "c"), mul("c", "b"), mul(mul("a", "b"), "c"), 2, 6,
    mul("a", 2), mul("a", "a"),
]  # fmt: skip
KNOWN = Names({**dict.fromkeys(DIMS, (1, inf)), "x": (-inf, inf)})


def _drawn(random: Random, depth: int) -> Term:
    inner = _drawn(random, depth - 1) if depth and random.random() < 0.7 else "x"
    return Node(random.choice(("//", "%")), inner, random.choice(DIVISORS))


def test_names_are_what_they_stand_for() -> None:
    random, fewer = Random(3), 0
    for _ in range(many(150, 1500)):
        drawn = [_drawn(random, 2) for _ in range(4)]
        wording = Wording(KNOWN, DIMS, named=True)
        told = [wording.leaf(t) for t in drawn]
        fewer += sum(t not in wording.made for t in told)
        for *sizes, x in product((1, 2, 3), (1, 2), (1, 3), (-7, -1, 0, 5, 13, 31)):
            at = {**dict(zip(DIMS, sizes, strict=True)), "x": x}
            every = dict(at)
            for (t, d), (q, r) in wording._parts.items():
                of = evaluate(t, every), evaluate(d, every)
                for name, value in ((q, of[0] // of[1]), (r, of[0] % of[1])):
                    if isinstance(name, str):
                        every.setdefault(name, value)
                    assert evaluate(name, every) == value, drawn
            assert wording.made <= every.keys()
            assert all(evaluate(h, every) for h in wording.defined), drawn
            for t, said in zip(drawn, told, strict=True):
                assert evaluate(said, every) == evaluate(t, at), drawn
    assert fewer >= 10


#: The digits of x < a*b*c, the last one first, each in ways to write it.
WAYS: tuple[tuple[Term, ...], ...] = (
    (Node("%", "x", "c"), Node("%", Node("%", "x", mul("b", "c")), "c")),
    (Node("%", Node("//", "x", "c"), "b"), Node("//", Node("%", "x", mul("b", "c")), "c")),
    (Node("//", "x", mul("b", "c")), Node("//", Node("//", "x", "c"), "b")),
)
EXTENTS = ("c", "b", "a")


def _meet(to: Term) -> list[int] | None:
    """Return sizes and two numbers that a map takes to the same, if there are any."""
    for sizes in product((1, 2, 3), repeat=3):
        at, seen = dict(zip(DIMS, sizes, strict=True)), dict[int | bool, int]()
        for x in range(sizes[0] * sizes[1] * sizes[2]):
            y = seen.setdefault(evaluate(to, {**at, "x": x}), x)
            if y != x:
                return [*sizes, x, y]
    return None


def test_permuted_digits_are_apart_and_false_neighbours_are_not() -> None:
    told = false = 0
    inside = [at_most(0, "x"), less("x", mul(mul("a", "b"), "c"))]
    for way in some([*product((0, 1), repeat=3)], 3):
        for order in permutations(range(3)):
            digits = [WAYS[k][way[k]] for k in order]
            for wrong in (None, *DIMS):
                sizes: list[Term] = [EXTENTS[k] for k in order]
                if wrong is not None:
                    sizes = [wrong if k == 0 else n for k, n in enumerate(sizes)]
                to = add(digits[0], mul(sizes[0], add(digits[1], mul(sizes[1], digits[2]))))
                sides = [substitute(t, {"x": f"x__{k}"}) for t in (to, *inside) for k in (1, 2)]
                overlap = (at_most(sides[0], sides[1]), at_most(sides[1], sides[0]))
                given = [*(at_most(1, d) for d in DIMS), *sides[2:], *overlap]
                asked = Obligation(
                    tuple(given), Node("==", "x__1", "x__2"), frozenset(DIMS),
                    (("x__1", "x__2"),), overlap,
                )  # fmt: skip
                found = by_digits(Sequent(given, DIMS), asked, 0)
                if found is not None:
                    assert _meet(to) is None, (names(to), order, way, wrong)
                told += found is not None
                false += found is None and _meet(to) is not None
    assert told >= many(16, 24) and false >= many(16, 24), (told, false)
