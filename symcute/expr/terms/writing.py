"""Terms as text."""

from __future__ import annotations

from symcute.expr.node import Node, Term
from symcute.expr.terms.operators import OPERATORS

__all__ = ["show"]


def show(term: Term) -> str:
    """Return a term as text.

    >>> show(Node("<", Node("+", Node("*", "bx", 256), Node("*", "i", -1)), "N"))
    'bx*256 - i < N'
    """
    return _show(term, 0)


def _show(term: Term, tight: int) -> str:
    if not isinstance(term, Node):
        text = str(term)
        return f"({text})" if tight > 5 and text.startswith("-") else text
    op, args = term.op, term.args
    level = OPERATORS[op].level
    if level is None:
        return f"{op}({', '.join(_show(x, 0) for x in args)})"
    if op == "+":
        text = _show_sum(args)
    elif op in ("*", "//", "%"):
        text = f"{_show(args[0], 6)}{'*' if op == '*' else f' {op} '}{_show(args[1], 7)}"
    else:
        text = f" {op} ".join(_show(x, level + 1) for x in args)
    return f"({text})" if tight > level else text


def _show_sum(args: tuple[Term, ...]) -> str:
    left, right = args
    if type(right) is int and right < 0:
        return f"{_show(left, 5)} - {-right}"
    if isinstance(right, Node) and right.op == "*" and right.args[1] == -1:
        return f"{_show(left, 5)} - {_show(right.args[0], 6)}"
    return f"{_show(left, 5)} + {_show(right, 6)}"
