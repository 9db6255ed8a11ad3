"""Terms: what is built, replaced, negated and bounded keeps its value."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symcute.errors import InputError
from symcute.expr import terms
from symcute.expr.node import Node, Term
from symcute.expr.ranges import Ranges
from symcute.expr.terms import evaluate
from symcute.kernel.symexec.trip_count import course, first_failure, settled

RANGES = {"a": (0, 7), "b": (-5, 5), "c": (1, 40)}
NUMBERS = st.integers(-9, 40) | st.sampled_from([1, 2, 4, 31, -8, 24])
VALUES = st.fixed_dictionaries({n: st.integers(low, high) for n, (low, high) in RANGES.items()})
SIGNS = ("+", "*", "min", "max", "&", "|", "^")
RELATIONS = ("<", "<=", "==", "!=")


def integers(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    divisor = st.sampled_from([1, 2, 3, 4, 8]) | inner.map(lambda t: Node("max", t, 1))
    count = st.integers(0, 5) | inner.map(lambda t: Node("%", t, 5))
    return st.one_of(
        st.builds(Node, st.sampled_from(SIGNS), inner, inner),
        st.builds(Node, st.sampled_from(("//", "%")), inner, divisor),
        st.builds(Node, st.sampled_from(("<<", ">>")), inner, count),
        st.builds(Node, st.just("if"), relations(inner), inner, inner),
        inner.map(lambda t: Node("*", t, -1)),
    )


def relations(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    return st.builds(Node, st.sampled_from(RELATIONS), inner, inner)


INTEGERS = st.recursive(st.sampled_from(["a", "b", "c"]) | NUMBERS, integers, max_leaves=8)
TRUTHS = st.recursive(
    relations(INTEGERS),
    lambda inner: st.one_of(
        st.builds(Node, st.sampled_from(("and", "or")), inner, inner),
        inner.map(lambda t: Node("not", t)),
    ),
    max_leaves=3,
)


def built(term: Term) -> Term:
    """The same term by the functions that fold."""
    return terms.substitute(_renamed(term), {n + "'": n for n in RANGES})


def _renamed(term: Term) -> Term:
    """Every name is replaced, so that each operation is built again."""
    if isinstance(term, str):
        return term + "'"
    return Node(term.op, *map(_renamed, term.args)) if isinstance(term, Node) else term


@given(INTEGERS, VALUES)
def test_what_is_built_has_the_value_of_what_was_written(term: Term, at: dict[str, int]) -> None:
    small = built(term)
    value = evaluate(term, at)
    assert evaluate(small, at) == value
    assert evaluate(terms.substitute(small, {"a": at["a"]}), at) == value
    found = terms.polynomial(small)
    if found is not None:
        assert evaluate(terms.from_polynomial(found), at) == value


@given(TRUTHS, VALUES)
def test_truths_and_their_negations(truth: Term, at: dict[str, int]) -> None:
    small = built(truth)
    assert evaluate(small, at) is evaluate(truth, at)
    assert evaluate(terms.negate(small), at) is not evaluate(truth, at)
    assert evaluate(terms.number_of(small), at) == int(evaluate(truth, at))


@given(INTEGERS, TRUTHS, VALUES)
def test_ranges_hold_what_they_say(term: Term, truth: Term, at: dict[str, int]) -> None:
    known = Ranges(RANGES)
    small, said = built(term), built(truth)
    value, holds = evaluate(small, at), evaluate(said, at)
    low, high = known.of(small)
    assert low <= value <= high
    assert known.decides(said) in (None, holds)
    if holds:
        assert not known.excludes(said)
        low, high = known.narrowed(said).of(small)
        assert low <= value <= high


@pytest.mark.parametrize(
    ("term", "message"),
    [(Node("//", 1, "n"), "divides 1 by 0"), (Node("<<", 1, Node("+", "n", -1)), "shifts by -1"),
     ("m", "m has no value")],
)  # fmt: skip
def test_what_has_no_value_is_refused(term: Term, message: str) -> None:
    with pytest.raises(InputError, match=message):
        evaluate(term, {"n": 0})


def test_text() -> None:
    sum = Node("+", "a", Node("*", "b", -1))
    term = Node("<", Node("*", sum, Node("//", "c", 4)), Node("min", "a", -3))
    assert terms.show(term) == "(a - b)*(c // 4) < min(a, -3)"
    truth = Node("or", Node("and", Node("<", "a", 1), Node("==", "b", 2)), Node("not", "c"))
    assert terms.show(truth) == ("a < 1 and b == 2 or not(c)")


@given(
    st.sampled_from(RELATIONS),
    st.integers(-3, 3),
    st.integers(-20, 20),
    st.booleans(),
    st.booleans(),
)
def test_the_first_round_in_which_a_test_fails(
    op: str, slope: int, base: int, swap: bool, named: bool
) -> None:
    """`slope*k + base op 0`, also with the base as a name and with its sides exchanged."""
    left = terms.add(terms.mul("k", slope), "x" if named else base)
    test = Node(op, terms.mul(left, -1) if swap else 0, 0 if swap else left)
    test = Node(op, left, 0) if op in ("==", "!=") else test
    known = Ranges({"x": (base, base)})
    whole = settled(test, "k", known)
    values = [bool(evaluate(whole, {"k": k, "x": base})) for k in range(64)]
    plain = [bool(evaluate(test, {"k": k, "x": base})) for k in range(64)]
    first = values.index(False) if False in values else None
    assert (plain.index(False) if False in plain else None) == first
    going = course(whole, "k", set(), known)
    if going.once and first is not None:
        assert not any(values[first:])
    if going.once and going.ends:
        assert first is not None
        found = first_failure(whole, "k", known)
        if found is not None:
            assert evaluate(found, {"x": base}) == first
