"""Certificates that hold are accepted, and the statement told is the one they prove."""

from __future__ import annotations

import json

import pytest

from symcute.recheck import check
from symcute.recheck.text import Node, parse, show

from .certificates import ACCEPTED

TEXTS = [
    "a - (b - c) - -3", "-a**2*b - (-a)**2", "2**(3) + a**b**2", "a//b % c/d", "a + b*(c - d)",
    "not a == b and (c < d or e | f) implies a != b", "(a implies b == c) implies c == d",
    "0 <= i < M*N", "((2,M),(8)):((1,2),(2*M))", "f((1,), (x), ())", "not (a < b and b < c)",
    "ceil_div(a + 1, min(b, c))*max(a, -1)", "a < b or (c < d or e < f)", "M*N:1",
    "f(Sw<3,4,-3> o M + 1 o (8,(2,N)):(N,(1,2)), M)",
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_shown_says_the_same(text: str) -> None:
    tree = parse(text)
    assert parse(show(tree)) == tree
    bare = without_parentheses(tree)
    assert without_parentheses(parse(show(bare))) == bare


def without_parentheses(node: Node) -> Node:
    args = [without_parentheses(x) if isinstance(x, Node) else x for x in node.args]
    single = node.op == "paren" and isinstance(args[0], Node) and args[0].op not in ("tuple", "int")
    return args[0] if single else Node(node.op, tuple(args))


@pytest.mark.parametrize("name", ACCEPTED)
def test_accepted(name: str) -> None:
    result = check(json.dumps(ACCEPTED[name]))
    assert result.reason == ""
    named = [x for x in ACCEPTED[name]["rests_on"] if x != "exact search"]
    again = {"evaluate, searched": "arithmetic (search)", "prints_as": "arithmetic (printing)"}.get(
        name
    )
    again = "arithmetic (ranges)" if name.startswith("range") else again
    assert list(result.rests_on) == named + [again] * (again is not None)
    assert result.status == ("checked" if named == ["arithmetic"] else "trusted")
