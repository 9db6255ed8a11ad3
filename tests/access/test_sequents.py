"""Obligations and what they are made of: ranges, polynomials, points, two threads."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symcute.errors import InputError
from symcute.expr.node import Node, Term
from symcute.expr.ranges import Names, ranges_under
from symcute.expr.terms import add, at_most, evaluate, less, mul, names
from symcute.kernel.access_map import Access, Variable
from symcute.kernel.ir.place import Place
from symcute.kernel.properties.apart import Pair
from symcute.kernel.properties.sides import Side
from symcute.solve.enumeration import TooLarge, grid, vector
from symcute.solve.sequent import Sequent
from symcute.solve.tiers import decide, patiently, quickly
from symcute.solve.wording import Wording

NAMES = ("a", "b", "N")
BOX = Names({"a": (-3, 4), "b": (0, 5), "N": (1, 4)})
POINTS = [
    dict(zip(NAMES, at, strict=True))
    for at in product(*(range(low, high + 1) for low, high in BOX.values()))
]


def _terms() -> st.SearchStrategy[Term]:
    leaf: st.SearchStrategy[Term] = st.sampled_from([*NAMES, -6, -2, 0, 1, 3, 4, 5, 7])

    def grow(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
        plain = st.builds(Node, st.sampled_from(["+", "*", "min", "max"]), inner, inner)
        divided = st.builds(
            Node, st.sampled_from(["//", "%"]), inner, st.sampled_from([1, 2, 3, 4, "N"])
        )
        bits = st.builds(Node, st.sampled_from(["&", "|", "^"]), inner, inner)
        shifts = st.builds(
            Node, st.sampled_from(["<<", ">>"]), inner, st.sampled_from([0, 1, 2, "b"])
        )
        test = st.builds(Node, st.sampled_from(["<", "<=", "==", "!="]), inner, inner)
        chosen = st.builds(Node, st.just("if"), test, inner, inner)
        return st.one_of(plain, plain, divided, bits, shifts, chosen)

    return st.recursive(leaf, grow, max_leaves=6)


@settings(max_examples=200, deadline=None)
@given(_terms())
def test_a_range_holds_every_value(term: Term) -> None:
    low, high = Names(BOX).ranges.of(term)
    values = [int(evaluate(term, at)) for at in POINTS]
    assert low <= min(values) and max(values) <= high


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(_terms(), _terms()), min_size=2, max_size=4))
def test_ranges_go_on_from_those_of_fewer_hypotheses(pairs: list[tuple[Term, Term]]) -> None:
    bounds = [f for n, (low, high) in BOX.items() for f in (at_most(low, n), at_most(n, high))]
    more = [f for x, y in pairs if (f := less(x, y)) is not True]
    some = Sequent([*bounds, *more[:1]], {"N"})
    on = some.extended(more[1:])
    known, whole = on.ranges, Sequent(on.hypotheses, {"N"}).ranges
    for at in POINTS:
        if all(evaluate(h, at) for h in on.hypotheses):
            assert all(known[n][0] <= v <= known[n][1] for n, v in at.items())
    assert known == whole or not (known.settled and whole.settled)


@settings(max_examples=100, deadline=None)
@given(_terms())
def test_a_vector_is_the_value_at_every_point(term: Term) -> None:
    values = grid(NAMES, BOX)
    try:
        found = vector(term, values, BOX, len(POINTS))
    except TooLarge:
        return
    assert found.tolist() == [int(evaluate(term, at)) for at in POINTS]


@settings(max_examples=60, deadline=None)
@given(_terms(), _terms(), st.sampled_from(["<", "<=", "==", "!="]))
def test_what_is_proved_holds_at_every_point(x: Term, y: Term, op: str) -> None:
    hypotheses = [h for n, (low, high) in BOX.items() for h in (at_most(low, n), at_most(n, high))]
    goal = Node(op, x, y)
    here = Sequent(hypotheses, {"N"})
    try:
        found = quickly(here, goal)
    except InputError:
        return  # a product too large to expand
    holds = all(evaluate(goal, at) for at in POINTS)
    assert holds or found.status != "proved"
    slow = patiently(here, goal)
    if slow.how == "enumeration":
        assert slow.status == ("proved" if holds else "refuted")
        assert holds or not evaluate(goal, slow.model)


@settings(max_examples=100, deadline=None)
@given(_terms(), _terms())
def test_ranges_under_a_relation_lose_no_point(x: Term, y: Term) -> None:
    known = ranges_under([less(x, y)], BOX)
    for at in POINTS:
        if evaluate(less(x, y), at):
            assert all(known[n][0] <= at[n] <= known[n][1] for n in NAMES)


@settings(max_examples=100, deadline=None)
@given(_terms(), st.booleans())
def test_what_is_said_of_a_term_is_true_of_its_value(term: Term, choices: bool) -> None:
    """New names have values by which all that defines them holds, and the term is what it was."""
    wording = Wording(BOX, {"N"}, choices)
    said = wording.leaf(term)
    new = sorted(set().union(names(said), *map(names, wording.defined)) - {*NAMES})
    known = [wording.known.get(n, (0, 1)) for n in new]
    if any(high - low > 40 for low, high in known) or len(new) > 3:
        return  # too many values to try
    values = list(product(*(range(int(low), int(high) + 1) for low, high in known)))
    for at in POINTS[:: 7 if len(values) > 2 else 1]:
        found = (at | dict(zip(new, more, strict=True)) for more in values)
        met = (x for x in found if all(evaluate(h, x) for h in wording.defined))
        try:
            assert int(evaluate(term, at)) in {int(evaluate(said, x)) for x in met}
        except InputError:
            continue  # a shift by a negative number


INDEX = add(mul("bx", 256), "tx")
THREADS: list[Term] = [at_most(0, "tx"), less("tx", 256), at_most(0, "bx")]


@pytest.mark.parametrize(
    ("more", "goal", "holds"),
    [
        ([less(INDEX, "N")], at_most(add(mul(INDEX, 4), 4), mul("N", 4)), True),
        ([at_most(INDEX, "N")], at_most(add(mul(INDEX, 4), 4), mul("N", 4)), False),
        ([less("bx", Node("//", "N", 256))], less(INDEX, "N"), True),
        ([less("bx", Node("//", add("N", 255), 256))], less(INDEX, "N"), False),
        ([less(INDEX, mul("M", "N"))], less(Node("//", INDEX, "N"), "M"), True),
        ([less(INDEX, mul("M", "N"))], less(Node("%", INDEX, "N"), "M"), False),
        ([less(INDEX, Node("min", "M", "N"))], less(INDEX, "N"), True),
        ([less(INDEX, Node("max", "M", "N"))], less(INDEX, "N"), False),
        ([], less(Node("^", "tx", 255), 256), True),
        ([], less(Node("^", "tx", 255), 255), False),
        ([], Node("!=", add(mul("bx", 256), Node("^", "tx", 1)), INDEX), True),
        ([], Node("!=", add(mul("bx", 256), Node("^", "tx", 5)), add(INDEX, 4)), True),
        ([], Node("!=", add(mul("bx", 256), Node("^", "tx", 5)), add(INDEX, 3)), False),
        ([], less(INDEX, add(mul("bx", 256), Node("|", 5, "tx"))), False),
        ([], at_most(INDEX, add(mul("bx", 256), Node("|", 5, "tx"))), True),
        ([at_most(mul("M", "N"), 1 << 31), less("bx", "M")], less(mul("bx", "N"), 1 << 31), True),
    ],
)
def test_what_holds_for_all_sizes(more: list[Term], goal: Term, holds: bool) -> None:
    here = Sequent([*THREADS, *more], {"M", "N"})
    found = decide(here, goal)
    assert found.status == ("proved" if holds else "refuted")
    if not holds:
        assert all(evaluate(h, found.model) for h in here.hypotheses)
        assert not evaluate(goal, found.model)


def test_a_hypothesis_left_out_takes_no_bound_along() -> None:
    """A name without its bound would count as a dim, which is at least 1."""
    given_: list[Term] = [at_most(0, "y"), less("y", "x"), at_most(0, "x"), less("x", 2)]
    here = Sequent([*given_, Node("==", Node("min", add(mul("x", 4), "k"), 1), "N")], {"N"})
    goal = at_most(add(mul("x", 4), "k"), 1)
    found = quickly(here, goal)
    assert found.status == "refuted" and here.met(found.model) and not evaluate(goal, found.model)


AT = Place("k.cu", 1, 1)


def _pair(offset: Term, guard: list[Term], width: int = 4, across: bool = False) -> Pair:
    variables = tuple(Variable(n, "thread") for n in ("tx", "ty", "bx", "by"))
    access = Access("x", "write", offset, width, tuple(guard), variables, (), AT)
    facts: tuple[Term, ...] = (
        at_most(0, "tx"), less("tx", 32), at_most(0, "ty"), less("ty", 8),
        at_most(0, "bx"), at_most(0, "by"),
    )  # fmt: skip
    differ = ("bx", "by") if across else ("tx", "ty")
    shared = frozenset() if across else frozenset({"bx", "by"})
    return Pair(Side(access), Side(access), facts, frozenset({"N", "LD"}), differ, shared, True)


COLUMN, ROW = add(mul("bx", 32), "tx"), add(mul("by", 8), "ty")


@pytest.mark.parametrize(
    ("offset", "guard", "width", "status"),
    [
        (mul(add(mul(ROW, "LD"), COLUMN), 4), [less(COLUMN, "N"), at_most("N", "LD")], 4, "proved"),
        (mul(add(mul(ROW, "LD"), COLUMN), 4), [less(COLUMN, "N"), at_most("N", add("LD", 1))], 4,
         "refuted"),
        (mul(add(mul(ROW, "LD"), COLUMN), 4), [less(COLUMN, "N"), at_most("N", "LD")], 8,
         "refuted"),
        (mul(add(mul("ty", 33), "tx"), 4), [], 4, "proved"),
        (mul(add(mul("ty", 31), "tx"), 4), [], 4, "refuted"),
        (mul(add(mul("ty", 32), Node("^", "tx", "ty")), 4), [], 4, "proved"),
        (mul(add(mul("ty", 16), Node("^", "tx", "ty")), 4), [], 4, "refuted"),
        (0, [Node("==", "tx", 0), Node("==", "ty", 0)], 4, "proved"),
        (0, [Node("==", "tx", 0)], 4, "refuted"),
    ],
)  # fmt: skip
def test_threads_of_a_block(offset: Term, guard: list[Term], width: int, status: str) -> None:
    pair = _pair(offset, guard, width)
    found = pair.quickly()
    if found.status != "proved":
        found = pair.patiently()
    assert found.status == status
    if status == "refuted" and all(
        f"{n}__{k}" in found.model for n in ("tx", "ty") for k in (1, 2)
    ):
        one, two = (
            {**found.model, **{n: found.model[f"{n}__{k}"] for n in ("tx", "ty")}} for k in (1, 2)
        )
        one, two = ({"bx": 0, "by": 0, "LD": 1, "N": 1, **x} for x in (one, two))
        assert (one["tx"], one["ty"]) != (two["tx"], two["ty"])
        assert abs(int(evaluate(offset, one)) - int(evaluate(offset, two))) < width


@pytest.mark.parametrize(("guarded", "status"), [(True, "proved"), (False, "refuted")])
def test_blocks_of_a_grid(guarded: bool, status: str) -> None:
    guard: list[Term] = [less(COLUMN, "N")] if guarded else [less("bx", "N")]
    pair = _pair(mul(add(mul(ROW, "N"), COLUMN), 4), guard, across=True)
    found = pair.quickly()
    assert (found if found.status == "proved" else pair.patiently()).status == status


def test_the_grid_has_every_point() -> None:
    values = grid(NAMES, BOX)
    assert np.stack([values[n] for n in NAMES], axis=1).tolist() == [
        list(p.values()) for p in POINTS
    ]


def test_a_long_chain_of_sequents_says_what_all_of_it_says() -> None:
    here = Sequent([at_most(0, "x0")], {"n"})
    for k in range(1, 1500):
        here = here.extended([at_most(add(f"x{k - 1}", 1), f"x{k}")])
    assert here.ranges["x1499"][0] == 1499
    assert dict(here.extended([less("x9", 20)]).ranges)["x9"] == (9, 19)
