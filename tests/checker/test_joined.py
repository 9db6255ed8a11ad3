"""Joined claims and the lemma "denial", against all truth tables of what they are made of."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import pytest

from symcute.checker.lemmas import Hints, denial
from symcute.checker.primitive import Primitive
from symcute.checker.terms import Refused
from symcute.recheck.claims import primitives
from symcute.recheck.text import parse

#: Claims that come to one primitive claim each; their truth is what a row of a table says.
ATOMS = ("injective(M:1)", "in_bounds(M:1, N)", "covers(M:1, N)")
#: What joins two, as text and as a function of truths.
JOINS = {
    "({} and {})": lambda a, b: a and b,
    "({} or {})": lambda a, b: a or b,
    "({} implies {})": lambda a, b: b or not a,
}
Table = tuple[bool, ...]
ROWS = list(product((False, True), repeat=len(ATOMS)))


def _trees(depth: int) -> dict[str, Table]:
    """Return texts of joined claims with what they are in each row of the truth table."""
    found = {atom: tuple(row[k] for row in ROWS) for k, atom in enumerate(ATOMS)}
    for _ in range(depth):
        found |= {f"(not {a})": tuple(not x for x in p) for a, p in found.items()}
        found |= {
            join.format(a, b): tuple(bool(says(x, y)) for x, y in zip(p, q, strict=True))
            for (a, p), (b, q) in product(found.items(), repeat=2)
            for join, says in JOINS.items()
        }
    return found


TREES = _trees(1)
#: One of these in front of each of the others makes three claims at least.
DEEPER = [*TREES.items()][5::17]


def _true(claim: Primitive, truths: Mapping[Primitive, bool]) -> bool:
    if claim.kind == "either":
        return any(_true(x, truths) for x in claim.body)
    if claim.kind == "denied":
        return not truths[claim.body[0]]
    return truths[claim]


def _denies(claim: Primitive) -> bool:
    """Return whether the lemma takes a clause, whichever of its claims is named."""
    for k in range(len(claim.body) if claim.kind == "either" else 0):
        try:
            assert denial(Hints({"lemma": "denial", "which": k}), claim) == ([], {})
        except Refused:
            continue
        return True
    return False


@pytest.mark.parametrize("join", JOINS)
def test_clauses_are_what_is_said_and_denial_finds_all_that_are_always_true(join: str) -> None:
    alone = [primitives(parse(atom)) for atom in ATOMS]
    assert all(len(x) == 1 for x in alone)
    taken = left = 0
    for (a, p), (b, q) in product(DEEPER, TREES.items()):
        clauses = primitives(parse(join.format(a, b)))
        tables = []
        for row in ROWS:
            truths = {atom: said for [atom], said in zip(alone, row, strict=True)}
            tables.append([_true(clause, truths) for clause in clauses])
        says = tuple(bool(JOINS[join](x, y)) for x, y in zip(p, q, strict=True))
        assert tuple(map(all, tables)) == says, (a, b)
        for clause, always in zip(clauses, map(all, zip(*tables, strict=True)), strict=True):
            assert _denies(clause) == always, (a, b)
            taken, left = taken + always, left + (not always)
    assert taken > 20 and left > 50, (taken, left)
