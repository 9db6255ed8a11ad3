"""Expressions in dims: what they compute, how they print, and how SymPy meets them."""

from __future__ import annotations

import operator
import pickle
import random
from typing import Any

import pytest
import sympy

import symcute
from symcute import Layout, ceil_div, dims, floor_div, prove, size
from symcute.claims.language import evaluate
from symcute.errors import InputError
from symcute.expr.expression import FUNCTIONS, OPERATORS, as_leaf, exact_div, value_at
from symcute.expr.htuple import show_leaf
from symcute.expr.leaf import Expression, inert
from symcute.expr.node import Node
from tests.full import many

M, N, K = dims("M N K")
#: How each operator of a random text computes in plain integers; "/" only what is exact.
_SIGNS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv,
          "%": operator.mod, "/": None}  # fmt: skip
_CALLS = {"min": min, "max": max, "floor_div": operator.floordiv, "mod": operator.mod,
          "ceil_div": lambda a, b: -(-a // b)}  # fmt: skip


def _drawn(rng: random.Random, depth: int) -> tuple[str, Any]:
    """Return a random text of our grammar and how it computes at dims, None for no value."""
    kind = rng.random()
    if depth == 0 or kind < 0.15:
        if rng.random() < 0.3:
            number = rng.choice((0, 1, 2, 3, 4, 8, 128))
            return str(number), lambda at: number
        name = rng.choice("MNK")
        return name, lambda at: at[name]
    (x, f), (y, g) = _drawn(rng, depth - 1), _drawn(rng, depth - 1)
    if kind < 0.25:
        return f"-({x})", lambda at: _strict(operator.neg, f(at))
    if kind < 0.32:
        power = rng.choice((0, 1, 2, 3))
        return f"({x})**{power}", lambda at: _strict(lambda a: a**power, f(at))
    if kind < 0.5:
        name = rng.choice(list(_CALLS))
        return f"{name}({x},{y})", lambda at: _strict(_CALLS[name], f(at), g(at))
    sign = rng.choice(list(_SIGNS))
    return f"({x}){sign}({y})", lambda at: _strict(_SIGNS[sign] or _exact, f(at), g(at))


def _exact(a: int, b: int) -> int:
    whole, rest = divmod(a, b)
    if rest:
        raise ZeroDivisionError
    return whole


def _strict(function: Any, *values: Any) -> Any:
    """Return a value of values; None where one has none or there is none."""
    try:
        return None if None in values else function(*values)
    except ZeroDivisionError:
        return None


def test_random_expressions_compute_print_and_reach_sympy() -> None:
    """Where a text has a value, so has what is read from it, its text read again, and SymPy's."""
    rng = random.Random(15)
    read = alike = compared = symbolic = 0
    for _ in range(many(800, 8000)):
        text, function = _drawn(rng, rng.choice((1, 2, 3, 4)))
        try:
            leaf = evaluate(text)
        except InputError:
            continue  # divides by 0
        again = evaluate(show_leaf(leaf))
        read += 1
        alike += again == leaf
        for _ in range(4):
            at = {name: rng.randint(1, 9) for name in "MNK"}
            value = function(at)
            if value is None:
                continue
            compared += 1
            symbolic += isinstance(leaf, Expression)
            assert value_at(leaf, at) == value == value_at(again, at), (text, at)
            if isinstance(leaf, Expression):
                assert value_at(as_leaf(sympy.sympify(leaf)), at) == value, (text, at)
    assert alike > 0.95 * read
    assert symbolic > compared / 3 > many(160, 1600)


@pytest.mark.parametrize(
    ("leaf", "at_8"),
    [("4*(M/4)", 8), ("8*(M/4) + 1", 17), ("M - 4*(M/4)", 0), ("5//(4*(M/4))", 0),
     ("min(4*(M/4), 1)", 1)],
)  # fmt: skip
def test_nothing_has_a_value_where_a_quotient_in_it_has_none(leaf: str, at_8: int) -> None:
    assert value_at(evaluate(leaf), {"M": 8}) == at_8
    with pytest.raises(InputError, match="not an integer"):
        value_at(evaluate(leaf), {"M": 3})


def test_what_prints_as_sympy_does_is_kept_as_sympy_keeps_it() -> None:
    """Sums, products and powers come to what SymPy makes of the same."""
    rng = random.Random(7)
    names = sympy.symbols("M N K", integer=True)
    signs = (operator.add, operator.sub, operator.mul, operator.truediv)
    different = 0
    for _ in range(many(400, 8000)):
        ours, theirs = [M, N, K, 2, -3], [*names, 2, -3]
        for _ in range(rng.choice((2, 4, 6))):
            i, j, sign = rng.randrange(len(ours)), rng.randrange(len(ours)), rng.choice(signs)
            if sign is operator.truediv and isinstance(ours[i], int) and isinstance(ours[j], int):
                continue
            if theirs[j] == 0 and sign is operator.truediv:
                continue
            ours.append(sign(ours[i], ours[j]))
            theirs.append(sign(theirs[i], theirs[j]))
            assert sympy.sympify(ours[-1]) == theirs[-1]
            different += isinstance(ours[-1], Expression)
    assert different > many(400, 8000)


@pytest.mark.parametrize(
    ("leaf", "text"),
    [
        ((M + N) * 2, "2*M+2*N"),
        ((M + N) * K, "K*(M+N)"),
        (1 - M, "1-M"),
        (1 - M * N, "-M*N+1"),
        ((M + 1) / 4, "(M+1)/4"),
        (M / N + 1, "(M+N)/N"),
        (2 / (M * N), "2/(M*N)"),
        (M**2 / M, "M"),
        (exact_div(M, 4) * 4, "4*(M/4)"),
        (floor_div(M - 1, 4) + M % 3, "floor_div(M-1,4)+mod(M,3)"),
        (M // 4, "floor_div(M,4)"),
        (7 // M - 7 % M, "floor_div(7,M)-mod(7,M)"),
        (-((M - N) ** 2), "-(M-N)**2"),
    ],
)
def test_the_text_of_an_expression(leaf: Expression, text: str) -> None:
    assert str(leaf) == repr(leaf) == text
    assert show_leaf(evaluate(text)) == text


def test_an_expression_is_the_one_of_its_kind() -> None:
    assert M * N is N * M
    assert (M + N) - N is M
    assert M - M == 0
    assert type(M - M) is int
    assert pickle.loads(pickle.dumps(M * N + 1)) is M * N + 1
    assert Expression("+", M, 1) is not Node("+", M, 1)
    assert {M: 1}[dims("M")] == 1


@pytest.mark.parametrize("bad", [True, 2.5, "N", None])
def test_only_integers_are_added(bad: Any) -> None:
    with pytest.raises(TypeError):
        M + bad
    with pytest.raises(TypeError):
        bad * M


def test_a_divisor_is_not_0() -> None:
    for divide in (OPERATORS["div"], OPERATORS["floordiv"], OPERATORS["mod"], operator.truediv):
        with pytest.raises(InputError, match="divided by 0"):
            divide(M, 0)
    for name in ("floor_div", "ceil_div", "mod"):
        with pytest.raises(InputError, match="divided by 0"):
            FUNCTIONS[name](M, 0)
    with pytest.raises(InputError, match="divided by 0"):
        inert("Quotient", 4, 0)


def test_sympy_values_are_leaves_at_the_door() -> None:
    m, n = sympy.symbols("M N", integer=True)
    layout = Layout((m, n), (n, 1))
    assert layout == Layout.parse("(M,N):(N,1)")
    assert hash(layout) == hash(Layout.parse("(M,N):(N,1)"))
    assert size(layout) == m * n
    assert m * n == size(layout)
    assert size(Layout(sympy.ceiling(m / 4))) is ceil_div(M, 4)
    assert as_leaf(m % 4 + m // 4) is M % 4 + M // 4
    assert as_leaf(sympy.Max(m, n)) is as_leaf(sympy.Max(n, m))
    assert as_leaf(sympy.Integer(3)) == 3
    four = sympy.Eq(m, 4 * sympy.Symbol("P", integer=True))
    assert prove("size((M,N):(N,1)) == 4*P*N", [four]).status == "proved"
    assert symcute.logical_divide(layout, (m, n)) == symcute.logical_divide(layout, (M, N))
    assert layout(m - 1, 0) == (M - 1) * N
    assert (M * N * m) == M**2 * N


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (sympy.Symbol("M"), "is not a dim"),
        (sympy.Symbol("M", integer=True) / 2 + sympy.sqrt(2), "is not an integer"),
        (sympy.sin(sympy.Symbol("M", integer=True)), "is not an integer expression we know"),
        (sympy.Symbol("M", integer=True) + sympy.Rational(1, 2), "is not an integer"),
        (M / 2 + (N + 1) / 2 - (M + N) / 2, "is not an integer"),
        (M + (N + 1) / 2 - N / 2, "is not an integer"),
    ],
)
def test_what_is_no_integer_is_refused(bad: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        Layout(bad)


@pytest.mark.parametrize(
    "name", ["8", "_8", "_m1", "_", "a+1", "M*N", "a b", "not", "and", "implies"]
)
def test_a_name_that_text_reads_as_something_else_is_no_dim(name: str) -> None:
    with pytest.raises(InputError, match="has no name for a dim"):
        Layout((4, sympy.Symbol(name, integer=True)))
    if name.isidentifier():
        with pytest.raises(InputError, match="not a name for a dim"):
            symcute.dims(name)


def test_sympy_answers_what_is_asked_of_an_expression() -> None:
    m, n = sympy.symbols("M N", integer=True)
    assert (M * N).subs(M, 4) == 4 * n
    assert (M * N + 1).free_symbols == {m, n}
    assert ((M + 1) * N).expand() == m * n + n
    assert sympy.simplify((M + N) - (N + M)) == 0
    assert (M >= N) == (m >= n)
    assert (M < 4) == (m < 4)
    assert prove("N <= M", [M >= N]).status == "proved"
    assert not hasattr(M, "dtype")


def test_printers_of_sympy_print_it() -> None:
    m, n = dims("M N")
    assert sympy.latex(m * n + 1) == "M N + 1"
    assert sympy.latex([m / 4]) == r"\left[ \frac{M}{4}\right]"
    assert sympy.srepr(m) == "Symbol('M', integer=True)"
    assert sympy.pretty(m / 4) == sympy.pretty(sympy.Symbol("M", integer=True) / 4)
    assert "<ci>M</ci>" in sympy.mathml(m * n)
