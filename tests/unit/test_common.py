"""What layouts have in common, their sums and nullspaces, against definitions by brute force."""

from __future__ import annotations

from itertools import product as cartesian
from math import gcd, prod
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symcute.errors import InputError, NotAdmissible, Undecided
from symcute.expr.basis import canonical
from symcute.expr.htuple import flatten, leaves
from symcute.layout.algebra import composition, logical_divide
from symcute.layout.algebra.common import (
    domain_distribute,
    greatest_common_domain,
    layout_add,
    max_common_layout,
    max_common_vector,
    nullspace,
)
from symcute.layout.layout import Layout

P = Layout.parse
EXTENTS = st.lists(st.sampled_from([1, 2, 3, 4, 5, 6, 8, 10]), min_size=1, max_size=3)


@st.composite
def compact(draw: st.DrawFn) -> Layout:
    """Return a layout whose modes are stored in some order, now and then with gaps or stride 0."""
    shape = draw(EXTENTS)
    strides = [0] * len(shape)
    current = draw(st.sampled_from([1, 1, 1, 2]))
    for k in draw(st.permutations(range(len(shape)))):
        strides[k] = current * draw(st.sampled_from([1, 1, 1, 0]))
        current *= shape[k] * draw(st.sampled_from([1, 1, 2]))
    return Layout(tuple(shape), tuple(strides))


def values(layout: Layout) -> list[Any]:
    return [layout(i) for i in range(int(layout.size()))]


@given(compact(), compact())
def test_max_common_layout_meets_its_contract(a: Layout, b: Layout) -> None:
    try:
        run = max_common_layout(a, b)
    except NotAdmissible:
        return
    for i in range(int(run.size())):
        crd = run(i)
        assert a(crd) == i == b(crd) and crd < int(a.size()) and crd < int(b.size())
    assert max_common_vector(a, b) == run.size()


@given(compact())
def test_a_layout_has_everything_in_common_with_itself(a: Layout) -> None:
    if 0 in leaves(a.stride):
        return
    offsets = sorted(values(a))
    contiguous = offsets == list(range(len(offsets)))
    if contiguous:
        assert max_common_vector(a, a) == a.size()


@pytest.mark.parametrize(
    ("a", "b", "text"),
    [
        ("(4,8):(1,4)", "(4,8):(1,4)", "32:1"),
        ("(4,8):(1,4)", "(4,8):(1,64)", "4:1"),
        ("(4,8):(8,1)", "(4,8):(8,1)", "(8,4):(4,1)"),
        ("(4,8):(8,1)", "(4,8):(1,4)", "1:0"),
        ("(4,(2,4)):(8,(1,2))", "(4,8):(16,1)", "8:4"),
        ("(8,M):(1,8)", "(8,M):(1,LD)", "8:1"),
        ("(M,N):(N,1)", "(M,N):(N,1)", "(N,M):(M,1)"),
        ("(M,N):(N,1)", "(M,N):(1,M)", "1:0"),
    ],
)
def test_max_common_layout_text(a: str, b: str, text: str) -> None:
    assert str(max_common_layout(P(a), P(b))) == text


def test_a_run_beyond_the_first_layout_is_refused() -> None:
    with pytest.raises(NotAdmissible, match="index 7"):
        max_common_vector(P("4:1"), P("8:1"))
    assert max_common_vector(P("8:1"), P("4:1")) == 4
    with pytest.raises(InputError, match="1@0"):
        max_common_layout(P("4:1@0"), P("4:1"))


@given(compact())
def test_nullspace_meets_its_contract(layout: Layout) -> None:
    result = nullspace(layout)
    found = values(result)
    assert len(set(found)) == len(found)
    assert all(layout(i) == 0 for i in found)
    assert len(found) == prod(s for s, d in layout.modes() if d == 0)
    # Every index whose coordinates differ from 0 only where the stride is 0.
    spans = [range(int(s)) if d == 0 else range(1) for s, d in layout.modes()]
    shape = flatten(layout.shape)
    wanted = {sum(x * prod(shape[:k]) for k, x in enumerate(crd)) for crd in cartesian(*spans)}
    assert set(found) == wanted


@pytest.mark.parametrize(
    ("layout", "text"),
    [
        ("(4,2):(0,0)", "(4,2):(1,4)"),
        ("((4,3),2):((1,0),0)", "(3,2):(4,12)"),
        ("8:1", "1:0"),
        ("(1,4):(0,1)", "1:0"),
        ("(M,(N,2)):(1,(0,0))", "(N,2):(M,M*N)"),
        ("(4,3):(1@0,0)", "3:4"),
    ],
)
def test_nullspace_text(layout: str, text: str) -> None:
    assert str(nullspace(P(layout))) == text


def test_a_stride_that_may_be_zero_is_undecided() -> None:
    with pytest.raises(Undecided):
        nullspace(P("(4,M):(1,M-1)"))
    assert str(nullspace(P("(4,M):(1,M-1)"), given=["M >= 2"])) == "1:0"


@given(EXTENTS, st.integers(1, 48))
def test_domain_distribute_meets_its_contract(shape: list[int], b: int) -> None:
    a = Layout(tuple(shape))
    result = domain_distribute(tuple(shape), b)
    found = values(result)
    assert b % len(found) == 0 and found == sorted(set(found)) and found[-1] < int(a.size())
    assert values(composition(a, result)) == found
    rest = logical_divide(a, result)
    assert sorted(values(rest)) == sorted(values(a))


def test_domain_distribute_of_symbolic_shapes() -> None:
    assert str(domain_distribute(P("(M,N)"), 64, given=["M % 64 == 0"])) == "64:1"
    with pytest.raises(Undecided, match="M % 64 == 0"):
        domain_distribute(P("(M,N)"), 64)
    with pytest.raises(InputError):
        domain_distribute((4, 4), 0)


def spans(shape: list[int]) -> list[tuple[int, int]]:
    return [(prod(shape[:k]), prod(shape[: k + 1])) for k in range(len(shape))]


@given(EXTENTS, EXTENTS)
def test_greatest_common_domain_meets_its_contract(a: list[int], b: list[int]) -> None:
    result = greatest_common_domain(tuple(a), tuple(b))
    assert result == greatest_common_domain(tuple(b), tuple(a))
    assert gcd(prod(a), prod(b)) % int(result.size()) == 0
    for s, d in result.modes():
        if s == 1:
            continue
        for shape in (a, b):
            assert any(d % p == 0 and q % (d * s) == 0 for p, q in spans(shape))
    for shape in (a, b):
        whole = Layout(tuple(shape))
        assert values(composition(whole, result)) == values(result)


@given(EXTENTS, EXTENTS)
def test_nothing_common_is_left_out(a: list[int], b: list[int]) -> None:
    """Every step d, d*p (p prime) that stays in one mode of both shapes is in the result."""
    modes = [(int(s), int(d)) for s, d in greatest_common_domain(tuple(a), tuple(b)).modes()]
    limit = gcd(prod(a), prod(b))
    for d in range(1, limit + 1):
        for p in (2, 3, 5):
            inside = all(
                any(d % x == 0 and y % (d * p) == 0 for x, y in spans(shape)) for shape in (a, b)
            )
            covered = any(x > 0 and d % x == 0 and (x * s) % (d * p) == 0 for s, x in modes)
            assert inside == covered


@pytest.mark.parametrize(
    ("a", "b", "text"),
    [
        ((10,), 10, "(10):(1)"),
        ((5, 2), 10, "(5,2):(1,5)"),
        ((5, 3, 4), (10, 6), "(5,2):(1,30)"),
        ((2, 21), (3, 14), "(7):(6)"),
        ((6, 35), (15, 14), "(3,7):(1,30)"),
        ((16, 64), (4, 16, 16), "(4,4,4,16):(1,4,16,64)"),
        ((5, 3), (3, 5), "(1):(0)"),
        ((5, 1, 3, 3, 4), (10, 6, 3), "(5):(1)"),
        ((7, 2, 2, 2, 2, 3, 5), (7, 3, 2, 2, 2, 2, 5), "(7,5):(1,336)"),
    ],
)
def test_greatest_common_domain_text(a: Any, b: Any, text: str) -> None:
    assert str(greatest_common_domain(a, b)) == text


def test_greatest_common_domain_of_symbolic_shapes() -> None:
    assert str(greatest_common_domain(P("(M,N)"), P("(M,(N,2))"))) == "(M,N):(1,M)"
    finer = greatest_common_domain(P("(M,N,K)"), P("(M*N,K)"))
    assert str(finer) == "(M,N,K):(1,M,M*N)"
    for m, n, k in cartesian((1, 2, 6), repeat=3):
        got = finer.at({"M": m, "N": n, "K": k})
        assert values(got) == values(greatest_common_domain((m, n, k), (m * n, k)))
    with pytest.raises(Undecided):
        greatest_common_domain(P("(6,M)"), P("(M,6)"))
    shared = greatest_common_domain(P("(128,M)"), P("(64,N)"), given=["M == 4*K", "N == 2*M"])
    for k in (1, 2, 5):
        got = shared.at({"M": 4 * k, "N": 8 * k, "K": k})
        assert values(got) == values(greatest_common_domain((128, 4 * k), (64, 8 * k)))


@given(compact(), compact())
def test_layout_add_meets_its_contract(a: Layout, b: Layout) -> None:
    try:
        result = layout_add(a, b)
    except NotAdmissible:
        with pytest.raises(NotAdmissible):
            layout_add(b, a)
        return
    assert values(result) == [x + y for x, y in zip(values(a), values(b), strict=True)]
    assert result == layout_add(b, a)


@given(compact())
def test_adding_zero_and_itself(a: Layout) -> None:
    zero = Layout(a.size(), 0)
    assert values(layout_add(a, zero)) == values(a)
    assert values(layout_add(a, a)) == [2 * x for x in values(a)]


@pytest.mark.parametrize(
    ("a", "b", "text"),
    [
        ("12:1", "12:1", "12:2"),
        ("(4,3):(1,4)", "(4,3):(3,1)", "(4,3):(4,5)"),
        ("(5,3,4):(1,5,15)", "(10,6):(1,10)", "60:2"),
        ("6:1", "(3,2):(2,1)", "(3,2):(3,4)"),
        ("(2,(3,4)):(12,(4,1))", "(6,4):(4,1)", "(2,3,4):(16,12,2)"),
        ("8:2@0", "8:3@0", "8:5@0"),
        ("(4,3):(1@0,1@1)", "12:0", "(4,3):(1@0,1@1)"),
        ("(4,3):(1@0,0)", "(4,3):(0,1@1)", "(4,3):(1@0,1@1)"),
        ("(M,N):(N,1)", "(M,N):(1,M)", "(M,N):(N+1,M+1)"),
        ("(M,N):(LD,1)", "(M,N):(0,2)", "(M,N):(LD,3)"),
    ],
)
def test_layout_add_text(a: str, b: str, text: str) -> None:
    assert str(layout_add(P(a), P(b))) == text


def test_what_has_no_sum_is_refused() -> None:
    for a, b in (("6:1", "8:1"), ("(5,3):(1,100)", "(3,5):(1,100)")):
        with pytest.raises(NotAdmissible):
            layout_add(P(a), P(b))
    with pytest.raises(InputError, match="1@0"):
        layout_add(P("8:1@0"), P("8:1@1"))
    with pytest.raises(Undecided):
        layout_add(P("(M,4):(1,100)"), P("(4,M):(1,100)"))


def test_sums_of_coordinates_agree_at_every_index() -> None:
    a, b = P("(4,6):(1@0,2@1)"), P("(2,(2,6)):(1@0,(5@0,1@1))")
    result = layout_add(a, b)
    assert all(canonical(result(i)) == canonical(a(i) + b(i)) for i in range(24))
