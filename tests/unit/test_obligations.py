"""Obligations: every value, sign and weight against plain integers."""

from __future__ import annotations

import operator
from fractions import Fraction
from itertools import product
from math import gcd
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symcute.errors import InputError
from symcute.expr.assumptions import Assumptions
from symcute.expr.formula import Formula
from symcute.expr.lowering import lower
from symcute.expr.polynomial import ONE, UNIT, Poly, add, constant, mul, sub, variable
from symcute.expr.ratio import Ratio, evaluate
from symcute.solve.entailment import Entailment
from symcute.solve.obligations import Parametrisation, ways
from symcute.solve.obligations.bernstein import holds_on_box
from symcute.solve.obligations.handelman import constraints, handelman
from symcute.solve.obligations.parametrisation import Definition, NoValue
from symcute.solve.obligations.simplex import feasible


def formula(text: str) -> Formula:
    (f,) = Assumptions.of(text).formulas
    return f


def leaf(text: str) -> Ratio:
    return lower(formula(f"{text} >= 0").args[1])


def region(assumptions: Assumptions, names: set[str], most: int) -> list[dict[str, int]]:
    """Every instance with dims up to `most`, by enumeration."""
    order = sorted(names)
    every = [
        dict(zip(order, at, strict=True)) for at in product(range(-2, most), repeat=len(order))
    ]
    return [at for at in every if _holds(assumptions, at)]


def _holds(assumptions: Assumptions, at: dict[str, int]) -> bool:
    try:
        return assumptions.hold(at)
    except InputError:
        return False  # a quotient of an assumption is no integer there


def preimages(way: Parametrisation, at: dict[str, int]) -> dict[str, int]:
    """The parameters that give an instance; fails when there are none that are in range."""
    found: dict[str, int] = {}
    for d in way.definitions:
        here = {n: at[n] for n in at}
        base = evaluate(d.p.num, here)
        value = at[d.name]
        if d.kind == "is":
            assert value == base
            continue
        if d.kind == "rest":
            found[d.name + "'"], found[d.name + "''"] = divmod(value, base)
        elif d.kind in ("times", "residue"):
            k, rest = divmod(value - d.r, base)
            assert rest == 0
            found[d.name + "'"] = k - d.start(way.floor(d.name))
        else:
            found[d.name + "'"] = value - base if d.kind == "from" else base - value
    assert all(x >= 0 for x in found.values()), (way.text, at)
    assert all(found[name] <= end for name, end in way.boxes.items()), (way.text, at)
    return found


REGIONS: list[list[str]] = [
    ["N <= L"],
    ["N < L", "L <= 9", "K >= 0"],
    ["M % 3 == 0", "M <= 8"],
    ["M % 4 == 0", "M % 6 == 0", "M >= 0"],
    ["M % N == 0"],
    ["M % 3 == 2", "M >= -1"],
    ["(M + 1) % 3 == 0", "M <= 7"],
    ["M == 2*N", "N >= 2"],
    ["N <= M", "M <= N"],
    ["L >= N", "L >= K", "L % 2 == 0"],
    ["2*N <= L", "N >= 0"],
    ["N <= L/2", "L % 2 == 0"],
    ["M + N <= 6"],
    ["M + N == 6"],
    ["L == N + K", "K % 2 == 0"],
    ["L == 4*ceil_div(N,4)"],
    ["r >= 0", "r < M"],
]


@pytest.mark.parametrize("given", REGIONS)
def test_every_way_covers_the_whole_region(given: list[str]) -> None:
    assumptions = Assumptions.of(given)
    names = assumptions.dims()
    found = list(ways(assumptions, names, [(n, 4) for n in names]))
    assert found
    instances = region(assumptions, names, 10)
    assert instances
    for way in found:
        for at in instances:
            parameters = preimages(way, at)
            if not any(d.p.num and "(" in str(d.p) for d in way.definitions):
                assert {n: evaluate(way.values[n], parameters) for n in names} == at


LEAVES = [
    "M // 4", "ceil_div(M,4)", "M % 4", "(M + 3) // 4", "(-M) // 4", "ceil_div(-M,3)", "(M//2)//3",
    "(M*N + N - 1) // N", "(M*N) % N", "M // N", "M % N", "(M + 5*N) // N", "ceil_div(M*N,2*N)",
    "M % (2*N) // 2", "(M // 2) % N", "min(M,N)", "max(M,N+1)", "min(M+N,M)", "(6*M + 7) // 4",
    "(M - N) // 3", "((M + 7)//8 + N) // 2", "max(M,min(N,3)) % 5",
]  # fmt: skip
GIVEN: list[list[str]] = [
    [], ["M % 4 == 0"], ["N <= M"], ["M < N"], ["M % 8 == 3"], ["M % N == 0"], ["M <= 7", "N >= 3"]
]  # fmt: skip


@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize("text", LEAVES)
def test_values_of_quotients_are_those_of_integers(text: str, given: list[str]) -> None:
    assumptions, written = Assumptions.of(given), leaf(text)
    valued = 0
    for way in list(ways(assumptions, {"M", "N"}, [("M", 4), ("M", 2)]))[:6]:
        try:
            value = way.value(written)
        except NoValue:
            continue  # `N upto M` forgets that N is at least 1
        valued += 1
        assert value.den == ONE
        for at in region(assumptions, {"M", "N"}, 13):
            inner = preimages(way, at)
            _name(way, inner)
            assert evaluate(value.num, inner) == evaluate(written.num, at), (way.text, at)
            for atom in way.atoms:
                assert inner[atom] >= 0 or not way.known(atom)
            for a in way.atoms.values():
                assert all(evaluate(p, inner) >= 0 for p in a.constraints)
    assert valued


def _name(way: Parametrisation, values: dict[str, int]) -> None:
    """Give the atoms of a way their values at parameters, by what their names say."""
    for name in way.atoms:
        kind, inside = name[: name.index("(")], name[name.index("(") + 1 : -1]
        depth = [inside[:k].count("(") - inside[:k].count(")") for k in range(len(inside))]
        (comma,) = [k for k, c in enumerate(inside) if c == "," and depth[k] == 0]
        a, b = (_number(x, values) for x in (inside[:comma], inside[comma + 1 :]))
        values[name] = {"floor_div": operator.floordiv, "min": min, "max": max}[kind](a, b)


def _number(text: str, values: dict[str, int]) -> int:
    """Evaluate a polynomial whose variables are parameters or atoms, as `show` writes it."""
    total = 0
    for term in _split(text.replace("**", "^"), "+-"):
        value = -1 if term.startswith("-") else 1
        for factor in _split(term.lstrip("+-"), "*"):
            name, _, power = factor.lstrip("*").partition("^")
            value *= (int(name) if name.isdigit() else values[name]) ** int(power or 1)
        total += value
    return total


def _split(text: str, signs: str) -> list[str]:
    """Split a text before each sign that stands outside brackets."""
    parts, depth = [""], 0
    for c in text:
        depth += (c == "(") - (c == ")")
        if depth == 0 and c in signs and parts[-1]:
            parts.append("")
        parts[-1] += c
    return parts


def test_a_divisor_that_may_be_0_has_no_value() -> None:
    way = next(ways(Assumptions.of("N >= 0"), {"M", "N"}))
    with pytest.raises(NoValue):
        way.value(leaf("M // N"))


boxes = st.integers(0, 6)
small = st.dictionaries(
    st.tuples(st.integers(0, 2), st.integers(0, 2)), st.integers(-6, 6).filter(bool), max_size=5
)


@settings(max_examples=150, deadline=None)
@given(small, boxes, boxes)
def test_bernstein_never_lies(terms: dict[tuple[int, int], int], a: int, b: int) -> None:
    p: Poly = {}
    for (i, j), c in terms.items():
        p = add(p, {tuple((v, e) for v, e in (("M'", i), ("N'", j)) if e): c})
    way = Parametrisation(
        [Definition("M", "from", lower(0)), Definition("N", "from", lower(0))],
        {"M": 0, "N": 0},
        {"M": a, "N": b},
    )
    if holds_on_box(p, way):
        for x, y in product(range(a + 1), range(b + 1)):
            assert evaluate(p, {"M'": x, "N'": y}) >= 0


TRUE_BY_PRODUCTS = [
    ("M*LD + N <= 2**31 + 7", ["M*LD <= 2**31 - 1", "N <= 8"]),
    ("M*N*K <= 2**30", ["M <= 1024", "N <= 1024", "K <= 1024"]),
    ("8*ceil_div(N,8) <= LD", ["LD >= N", "LD % 8 == 0"]),
    ("M*N <= 25", ["M + N <= 10", "M <= 5", "N <= 5"]),
    ("k // N < M", ["k >= 0", "k < M*N"]),
    ("ceil_div(n,d) <= k", ["k*d >= n"]),
    ("(a + b) % N == a + b - N", ["N <= a + b", "a + b < 2*N"]),
    ("M - 128*(M//128) <= 127", []),
    ("(M + N)//2 <= max(M,N)", []),
    ("N <= L", ["L == N + K"]),
    ("M <= 5", ["M + N == 6"]),
    ("a <= b or b < a", []),
]


@pytest.mark.parametrize(("text", "given"), TRUE_BY_PRODUCTS)
def test_products_prove_without_a_solver(text: str, given: list[str]) -> None:
    known = Entailment(Assumptions.of(given))
    assert known.proves(formula(text), solver=False)


FALSE_BY_ONE = [
    ("M*LD + N <= 2**31 + 6", ["M*LD <= 2**31 - 1", "N <= 8"]),
    ("M*N*K <= 2**30", ["M <= 1024", "N <= 1024", "K <= 1025"]),
    ("8*ceil_div(N,8) <= LD", ["LD >= N", "LD % 4 == 0"]),
    ("M*N <= 24", ["M + N <= 10", "M <= 5", "N <= 5"]),
    ("k // N < M", ["k >= 0", "k <= M*N"]),
    ("ceil_div(n,d) < k", ["k*d >= n"]),
    ("(a + b) % N == a + b - N", ["N <= a + b", "a + b <= 2*N"]),
    ("M - 128*(M//128) <= 126", []),
    ("(M + N)//2 < max(M,N)", []),
]


@pytest.mark.parametrize(("text", "given"), FALSE_BY_ONE)
def test_what_is_false_by_one_is_not_proved(text: str, given: list[str]) -> None:
    known = Entailment(Assumptions.of(given))
    assert not known.proves(formula(text))


@pytest.mark.parametrize(("text", "given"), [x for x in TRUE_BY_PRODUCTS if x[0].find("==") < 0])
def test_the_weights_are_what_they_say(text: str, given: list[str]) -> None:
    """The difference to the sum of products, worked out here, has no negative coefficient."""
    assumptions = Assumptions.of(given)
    by = Entailment(assumptions).proof(formula(text), solver=False)
    assert by is not None
    if by[0] != "sum" or len(by) < 3:
        return
    way, terms, f, g = by[1], by[2], *(*by[3:], "1", "1")[:2]
    a, b = (way.value(lower(x)).num for x in formula(text).args)
    p = sub(sub(b, a), constant(int(formula(text).op == "lt")))
    assert g == "1"
    content = 0
    for m, c in p.items():
        content = content if m == UNIT else gcd(content, c)
    if content > 1:
        p = {m: c // content for m, c in p.items() if c // content}
    factor = way.value(leaf(f)).num
    left: dict[Any, Fraction] = {m: Fraction(c) for m, c in mul(factor, add(p, ONE)).items()}
    known = {c.factors: c.p for c in constraints(assumptions, way)}
    for weight, factors in terms:
        term = ONE
        names = [x for x in factors if isinstance(x, str)]
        for x in factors:
            if isinstance(x, tuple) and x[0] != "v":
                term = mul(term, known[x,])
        for x in names:
            term = mul(term, variable(x))
        if any(isinstance(x, tuple) and x[0] == "v" for x in factors):
            return
        for m, c in term.items():
            left[m] = left.get(m, Fraction(0)) - Fraction(weight) * c
        assert Fraction(weight) > 0 or any(x[0] == "e" for x in factors)
    assert left.pop(UNIT) > 0
    assert all(c >= 0 for c in left.values())
    assert all(way.known(v) for m, c in left.items() if c for v, _ in m)


rows = st.lists(
    st.tuples(st.dictionaries(st.integers(0, 3), st.integers(-4, 4)), st.integers(-6, 6)),
    max_size=6,
)


@settings(max_examples=200, deadline=None)
@given(rows)
def test_a_feasible_point_is_feasible_and_none_says_there_is_no_small_one(
    found: list[tuple[dict[int, int], int]],
) -> None:
    table, bounds = [r for r, _ in found], [Fraction(b) for _, b in found]
    x = feasible(table, bounds, 4)
    points = [x] if x is not None else product(range(4), repeat=4)
    for point in points:
        meets = all(
            sum(a * point[j] for j, a in row.items()) <= bound
            for row, bound in zip(table, bounds, strict=True)
        )
        assert meets is (x is not None)
    assert x is None or all(value >= 0 for value in x)


def test_a_large_polynomial_is_left_alone() -> None:
    way = next(ways(Assumptions(), {f"x{k}" for k in range(12)}))
    p = sub({UNIT: 0}, ONE)
    for k in range(12):
        for j in range(k):
            p = add(p, mul(variable(f"x{k}'"), variable(f"x{j}'")))
    assert handelman(p, [], way) is None
