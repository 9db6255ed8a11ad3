"""Integer polynomials: exact arithmetic, division, and the road from SymPy."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symcute.errors import InputError
from symcute.expr.assumptions import dims
from symcute.expr.expression import ceil_div, floor_div, maximum, minimum, mod
from symcute.expr.lowering import lower
from symcute.expr.polynomial import (
    Poly,
    add,
    constant,
    divide,
    mul,
    show,
    sub,
    substitute,
    variable,
)
from symcute.expr.ratio import evaluate, evaluate_ratio, make_ratio

M, N = variable("M"), variable("N")
monomials = st.dictionaries(st.sampled_from(["M", "N", "K"]), st.integers(1, 3)).map(
    lambda d: tuple(sorted(d.items()))
)
polys = st.dictionaries(monomials, st.integers(-5, 5).filter(bool), max_size=4)
values = st.fixed_dictionaries({n: st.integers(-4, 9) for n in "MNK"})


@settings(max_examples=60, deadline=None)
@given(polys, polys, values)
def test_arithmetic_agrees_with_integers(p: Poly, q: Poly, at: dict[str, int]) -> None:
    a, b = evaluate(p, at), evaluate(q, at)
    assert evaluate(add(p, q), at) == a + b
    assert evaluate(sub(p, q), at) == a - b
    assert evaluate(mul(p, q), at) == a * b


@settings(max_examples=60, deadline=None)
@given(polys, polys)
def test_a_product_divides_exactly(p: Poly, q: Poly) -> None:
    if q:
        assert divide(mul(p, q), q) == p


@settings(max_examples=60, deadline=None)
@given(polys, polys, polys, values)
def test_substitution_is_composition(p: Poly, q: Poly, r: Poly, at: dict[str, int]) -> None:
    inner = {**at, "M": evaluate(q, at), "N": evaluate(r, at)}
    assert evaluate(substitute(p, {"M": q, "N": r}), at) == evaluate(p, inner)


@settings(max_examples=60, deadline=None)
@given(polys, polys, values)
def test_a_ratio_keeps_its_value(p: Poly, q: Poly, at: dict[str, int]) -> None:
    if q:
        a, b = evaluate(p, at), evaluate(q, at)
        r = make_ratio(p, q)
        num, den = evaluate(r.num, at), evaluate(r.den, at)
        assert num * b == a * den


def test_division_that_is_not_exact_is_none() -> None:
    assert divide(add(M, constant(1)), constant(2)) is None
    assert divide(M, N) is None
    assert divide(M, {}) is None


def test_a_ratio_over_0_is_refused() -> None:
    with pytest.raises(InputError, match="divided by 0"):
        make_ratio(M, {})


def test_atoms_evaluate_as_the_functions_they_are() -> None:
    m, n = dims("M N")
    leaf = floor_div(m, 4) + 10 * ceil_div(m, n) + 100 * mod(m, 4) + minimum(m, n) * maximum(m, n)
    for a in range(1, 12):
        for b in range(1, 7):
            expected = a // 4 + 10 * -(-a // b) + 100 * (a % 4) + a * b
            assert evaluate_ratio(lower(leaf), {"M": a, "N": b}) == expected


def test_a_quotient_that_is_no_integer_is_refused_where_it_is_none() -> None:
    (m,) = (dims("M"),)
    assert evaluate_ratio(lower(m / 4), {"M": 8}) == 2
    with pytest.raises(InputError, match="not an integer"):
        evaluate_ratio(lower(m / 4), {"M": 6})


def test_a_missing_dim_is_named() -> None:
    with pytest.raises(InputError, match="the dim M has no value"):
        evaluate(M, {})


def test_text_is_highest_terms_first() -> None:
    assert show(sub(mul(M, M), add(mul(constant(2), N), constant(3)))) == "M**2-2*N-3"
    assert show({}) == "0"
