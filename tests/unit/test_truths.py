"""Truths of terms: what is folded is so at all values."""

from __future__ import annotations

from itertools import product

from symcute.expr.node import Node, Term
from symcute.expr.terms import equal, evaluate, unequal


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
