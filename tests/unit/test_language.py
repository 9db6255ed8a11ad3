"""Text to values: names, arguments, places in messages."""

from __future__ import annotations

from itertools import product

import pytest

from symcute.claims.language import defined_at, evaluate, read_claim, show_value
from symcute.errors import InputError, TextError
from symcute.expr.parser import parse
from symcute.expr.syntax import Node
from symcute.prover import prove


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("injectiv(4:1)", "did you mean injective"),
        ("nosuch(4:1)", "no function nosuch"),
        ("injective()", "got 0 arguments"),
        ("bijective(4:1, 5:1)", "got 2 arguments"),
        ("in_bounds(4:1)", "got 1 argument at"),
        ("not 4:1", "expected a relation such as M <= N at column 5; join relations and claims"),
        ("injective(4:1) or 4:1", "expected a relation such as M <= N at column 19"),
        ("page[i] == 1", "entry cannot be computed with"),
        ("x & y == 0", "the bits of x and y may be any"),
        ("injective(4:1, 5:1)", "expected a guard"),
        ("in_bounds(4:1, (1,2))", "expected a number"),
        ("4:1 == 4:1", "compare layouts with equal"),
        ("size(4:1) <", "column"),
        ("M", "not a claim at column 1; write a relation, such as"),
        ("(4,8):(1,4)", "not a claim"),
        ("M % 0 == 0", "divided by 0"),
        ("4 // 0 == 1", "division by 0"),
        ("M**N == 1", "exponent"),
        ("2**100000 == 1", "exponent"),
    ],
)
def test_bad_claims_are_refused_with_what_to_do(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_claim(text)


@pytest.mark.parametrize(
    "text",
    ["injective(" * 10_000, "injective((4,8):(8,1)" + " " * 1_000_000, "M + " * 200_000 + "M == M"],
)
def test_huge_claims_are_an_error_not_a_crash(text: str) -> None:
    with pytest.raises(InputError):
        read_claim(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2 + 3 * 4 ** 2", 50),
        ("-7 // 2", -4),
        ("-7 % 2", 1),
        ("ceil_div(-7, 2)", -3),
        ("1 << 5", 32),
        ("33 >> 2", 8),
        ("min(3, 4) + max(3, 4)", 7),
        ("12 / 4", 3),
    ],
)
def test_arithmetic_is_exact(text: str, expected: int) -> None:
    assert evaluate(text) == expected


def test_a_quotient_that_is_none_is_refused() -> None:
    with pytest.raises(TextError, match="13/4 is not an integer"):
        evaluate("13 / 4")


@pytest.mark.parametrize(
    "text",
    ["(4,(2,M)):(1,(4*M,2))", "(8):(1)", "8:-1", "(M*N+1,4)", "min(M,N)+M//4", "M/4", "(M)"],
)
def test_a_value_is_printed_as_it_is_read(text: str) -> None:
    value = evaluate(text)
    assert evaluate(show_value(value)) == value


def test_assumptions_reach_the_operations_inside_a_claim() -> None:
    claim = "equal(logical_divide(M:1, 4), (4,M/4):(1,4))"
    assert prove(claim, given=["M % 4 == 0"]).status == "proved"


@pytest.mark.parametrize(
    "text",
    ["(M/2)*(N/2)", "M/2 + N/2", "M/2 - N/2 + 4", "(M/2)**2*4", "((M+N)/2)*2", "(M/2)/(N/2) + M",
     "M*N/4", "M // (N-1) * 0 + M", "4*(M/4) % N", "(M/3)*(3*N) + ceil_div(M, N-2)"],
)  # fmt: skip
def test_where_an_operator_has_no_value_none_is_shown(text: str) -> None:
    """What has a value is what plain integers say, operator by operator."""
    seen = set()
    for m, n in product(range(1, 9), repeat=2):
        try:
            defined_at(text, {"M": m, "N": n})
            found = True
        except InputError:
            found = False
        seen.add(found)
        assert found == (_plain(parse(text), {"M": m, "N": n}) is not None), (m, n)
    assert seen == {True, False}


def _plain(node: Node, dims: dict[str, int]) -> int | None:
    """Return the integer that a tree is, None where a division in it has none."""
    if node.op in ("int", "name"):
        return dims[str(node.args[0])] if node.op == "name" else int(str(node.args[0]))
    parts = [_plain(x, dims) for x in node.args if isinstance(x, Node)]
    if None in parts:
        return None
    a, *rest = (x for x in parts if x is not None)
    if node.op == "paren":
        return a
    (b,) = rest
    divided = node.op in ("div", "floordiv", "mod", "call")
    if divided and (b == 0 or (node.op == "div" and a % b)):
        return None
    values = {"add": a + b, "sub": a - b, "mul": a * b}
    if node.op in values:
        return values[node.op]
    if node.op == "pow":
        return int(a**b)
    return {"mod": a % b, "call": -(-a // b)}.get(node.op, a // b)
