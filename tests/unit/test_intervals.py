"""Intervals: for every operator and all small ranges of its sides, no value lies outside."""

from __future__ import annotations

from itertools import product
from math import inf
from random import Random

import numpy as np
import pytest

from symcute.errors import InputError
from symcute.expr.intervals import FAR, MOST_SHIFT, Range
from symcute.expr.node import Node, Term
from symcute.expr.ranges import Names, Ranges, ranges_under
from symcute.expr.terms import evaluate
from symcute.expr.terms.operators import OPERATORS

LOW, HIGH = -4, 5
POINTS = range(LOW, HIGH + 1)
RANGES = [(a, b) for a in POINTS for b in POINTS if a <= b]
BINARY = [op for op in OPERATORS if op not in ("not", "if")]
#: Ends that are not known: what lies in such a range lies in the small ones within it.
OPEN = [(-inf, inf), (-inf, 3), (-inf, -2), (0, inf), (2, inf), (-3, inf)]


def value(op: str, *args: int) -> int | None:
    try:
        return int(OPERATORS[op].value(*args))
    except InputError:
        return None


def ends(a: Range) -> range:
    return range(int(max(a[0], LOW)), int(min(a[1], HIGH)) + 1)


@pytest.mark.parametrize("op", BINARY)
def test_no_value_lies_outside(op: str) -> None:
    table = {(x, y): value(op, x, y) for x in POINTS for y in POINTS}
    for a, b in product(RANGES + OPEN, repeat=2):
        low, high = OPERATORS[op].bound(a, b)
        found = [v for x in ends(a) for y in ends(b) if (v := table[x, y]) is not None]
        assert all(low <= v <= high for v in found), (a, b)


#: Where the range of all small sides is that of the values, and no more.
@pytest.mark.parametrize("op", ["+", "*", "//", "min", "max", "<<", ">>", "<", "<=", "and", "or"])
def test_the_ends_are_reached(op: str) -> None:
    sides = [r for r in RANGES if r[0] >= (1 if op == "//" else 0)]
    for a, b in product(RANGES, sides):
        found = [v for x in ends(a) for y in ends(b) if (v := value(op, x, y)) is not None]
        assert OPERATORS[op].bound(a, b) == (min(found), max(found)), (a, b)


def test_what_has_one_side_or_three() -> None:
    for a in RANGES + OPEN:
        low, high = OPERATORS["not"].bound(a)
        assert all(low <= (not x) <= high for x in ends(a))
    some = [(-4, -1), (-2, 3), (0, 0), (1, 1), (2, 5), *OPEN]
    for sides in product(some, repeat=3):
        low, high = OPERATORS["if"].bound(*sides)
        every = product(*map(ends, sides))
        assert all(low <= int(a if c else b) <= high for c, a, b in every)


@pytest.mark.parametrize("op", OPERATORS)
def test_what_is_far_is_counted_with(op: str) -> None:
    far = [FAR - 1, FAR, FAR + 1, 1 << 600, 1 << 1100, MOST_SHIFT, MOST_SHIFT + 1, 3, 0]
    count = {"not": 1, "if": 3}.get(op, 2)
    for at in product([*far, *(-x for x in far)], repeat=count):
        names = dict(zip("abc", at, strict=False))
        known = Ranges({n: Ranges({}).of(x) for n, x in names.items()})
        low, high = known.of(Node(op, *names))
        if (v := value(op, *at)) is not None:
            assert low <= v <= high, at


@pytest.mark.parametrize("op", OPERATORS)
def test_ints_and_arrays_agree(op: str) -> None:
    count = {"not": 1, "if": 3}.get(op, 2)
    for at in product(POINTS, repeat=count):
        found = value(op, *at)
        if found is not None:
            arrays = [np.asarray([x, x], dtype=np.int64) for x in at]
            assert OPERATORS[op].array(np, *arrays).astype(np.int64).tolist() == [found, found]
            sides = map(bool, at) if op in ("and", "or", "not") else at
            assert evaluate(OPERATORS[op].build(*sides), {}) == found


TERMS: list[Term] = [
    "x", Node("+", "x", "y"), Node("+", "x", 3), Node("*", "x", 3), Node("*", -2, "x"),
    Node("//", "x", 2), Node("min", "x", "y"), Node("max", "x", Node("*", "y", 2)),
    Node("+", Node("//", Node("+", "x", 1), 3), Node("*", "y", -1)),
]  # fmt: skip


@pytest.mark.parametrize("op", ["<", "<=", "==", "!="])
@pytest.mark.parametrize("term", TERMS, ids=str)
def test_what_a_relation_says_loses_no_point(op: str, term: Term) -> None:
    box = Names({"x": (LOW, HIGH), "y": (-2, 2)})
    for bound in range(-9, 10):
        for holds in (Node(op, term, bound), Node(op, bound, term)):
            inner, names = box.ranges.narrowed(holds), ranges_under([holds], box)
            for x, y in product(POINTS, range(-2, 3)):
                at = {"x": x, "y": y}
                if not evaluate(holds, at):
                    assert box.ranges.decides(holds) is not True
                    continue
                assert box.ranges.decides(holds) is not False
                assert all(names[n][0] <= v <= names[n][1] for n, v in at.items())
                for t in (*inner.terms, *TERMS):
                    low, high = inner.of(t)
                    assert low <= evaluate(t, at) <= high


#: What is divided, by what, and from where the two count.
DIVIDED: list[tuple[Term, Term]] = [
    ("x", "y"), (Node("+", "x", "y"), "y"), (Node("+", Node("+", "x", "y"), -1), "y"),
    (Node("+", Node("+", "x", "y"), -2), "y"), (Node("+", "x", Node("*", "y", 2)), "y"),
    (Node("+", "x", Node("+", "y", 3)), Node("+", "y", 3)), (Node("*", "x", "y"), "y"),
]  # fmt: skip


@pytest.mark.parametrize("said", [None, *(Node(op, *x) for op in ("<", "<=", "==")
                                          for x in ("xy", "yx", ("y", DIVIDED[2][0])))],
                         ids=str)  # fmt: skip
def test_quotients_of_what_is_no_smaller(said: Term | None) -> None:
    for low_x, low_y in product(range(-3, 4), repeat=2):
        box = Names({"x": (low_x, inf), "y": (low_y, inf)})
        names = ranges_under([] if said is None else [said], box)
        known = [names.ranges, Names(names).ranges]
        known += [] if said is None else [box.ranges.narrowed(said)]
        for x, y in product(range(low_x, 8), range(low_y, 8)):
            at = {"x": x, "y": y}
            if said is not None and not evaluate(said, at):
                continue
            for a, b in DIVIDED:
                if evaluate(b, at) >= 1:
                    q = Node("//", a, b)
                    ends = [k.of(q) for k in known]
                    assert all(low <= evaluate(q, at) <= high for low, high in ends), (q, at)


def test_a_quotient_is_at_least_one_where_the_divisor_goes_in() -> None:
    starts = [Node("<=", 1, "x"), Node("<=", 1, "y")]
    known = ranges_under([*starts, Node("<=", "y", "x")]).ranges
    rounded, one_less = (Node("//", a, "y") for a, _ in DIVIDED[2:4])
    assert known.of(Node("//", "x", "y"))[0] == known.of(rounded)[0] == 1
    known = ranges_under(starts).ranges
    assert (known.of(Node("//", "x", "y"))[0], known.of(one_less)[0]) == (0, 0)
    known = ranges_under([Node("<=", 0, "x"), Node("<=", 1, "y")]).ranges
    assert known.of(rounded)[0] == 0


def test_what_was_found_is_forgotten_when_a_name_changes() -> None:
    names = Names({"x": (0, 9)})
    twice = Node("*", "x", 2)
    assert names.ranges.of(twice) == (0, 18)
    names["x"] = (0, 20)
    assert names.ranges.of(twice) == (0, 40)
    names.narrow("x", (5, 30))
    assert names.ranges.of(twice) == (10, 40)
    inner = names.ranges.narrowed(Node("<", "x", 10))
    assert (inner.of(twice), inner.sure.of(twice)) == ((10, 18), (10, 40))


def drawn(rng: Random, depth: int) -> Term:
    if not depth or rng.random() < 0.2:
        return rng.choice(["x", "y", "z", rng.randint(-3, 4)])
    sides = drawn(rng, depth - 1), drawn(rng, depth - 1)
    return Node(rng.choice(["+", "*", "min", "max", "//", "%", "<", "=="]), *sides)


def test_what_is_kept_is_what_would_be_found_again() -> None:
    rng, kept = Random(19), 0
    for _ in range(60):
        names = Names({n: (rng.randint(-9, 0), rng.randint(1, 9)) for n in "xyz"})
        terms = [t for _ in range(8) if isinstance(t := drawn(rng, 3), Node)]
        for _ in range(6):
            name, known = rng.choice("xyz"), (rng.randint(-9, 2), rng.randint(2, 9))
            if rng.random() < 0.5:
                names.narrow(name, known)
            else:
                names[name] = known
            assert [names.ranges.of(t) for t in terms] == [Ranges({**names}).of(t) for t in terms]
        # What goes on from ranges says as much as what begins with them.
        more = [Node("<", rng.choice("xyz"), t) for t in terms[:3]]
        after = ranges_under(more, names)
        alone = ranges_under(more, {**names})
        assert {**after} == {**alone}
        again = [Ranges({**after}).of(t) for t in terms]
        assert [after.plain.of(t) for t in terms] == again
        kept += again != [names.plain.of(t) for t in terms]
    assert kept > 10
