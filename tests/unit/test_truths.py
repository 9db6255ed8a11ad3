"""Truths of terms: what is folded is so at all values."""

from __future__ import annotations

from itertools import product

from symcute.expr.node import Node, Term
from symcute.expr.terms import add, at_most, equal, evaluate, if_, less, unequal


def test_bits_on_both_sides_are_told_apart() -> None:
    atoms: list[Term] = ["i", "j", 0, 1, -2]
    sides = [*atoms, *(Node("^", a, b) for a, b in product(atoms, repeat=2))]
    sides += [Node("^", Node("^", "i", "j"), "i"), Node("^", Node("^", "i", 1), "j")]
    fewer = 0
    for a, b in product(sides, repeat=2):
        said = unequal(a, b)
        fewer += said not in (Node("!=", a, b), Node("!=", b, a))
        for i, j in product(range(-3, 4), repeat=2):
            at = {"i": i, "j": j}
            assert evaluate(said, at) == (evaluate(a, at) != evaluate(b, at)), (a, b, at)
            assert evaluate(equal(a, b), at) != evaluate(said, at)
    assert fewer > 200


def test_a_choice_that_a_least_number_makes_is_one() -> None:
    sides: list[Term] = [add(name, k) for name in "ij" for k in (-2, -1, 0, 1, 2)]
    sides += [-1, 0, 1, add("i", "j")]
    made = 0
    for build, a, b in product((less, at_most), sides, sides):
        test = build(a, b)
        if isinstance(test, bool):
            continue
        for then, other in product(sides, repeat=2):
            said = if_(test, then, other)
            if not isinstance(said, Node) or said.op not in ("min", "max"):
                continue
            made += 1
            for i, j in product(range(-4, 5), repeat=2):
                at = {"i": i, "j": j}
                chosen = then if evaluate(test, at) else other
                assert evaluate(said, at) == evaluate(chosen, at), (test, then, other, at)
    assert made > 400, made
    assert if_(at_most("n", "i"), add("n", -1), "i") == Node("min", add("n", -1), "i")
    left = if_(at_most("n", "i"), add("n", -2), "i")
    assert isinstance(left, Node) and left.op == "if"
