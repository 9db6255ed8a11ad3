"""Bits in assumptions: `i & j == 0` is assumed as what it comes to, quotients and remainders.

What an operation on bits comes to rests on the other assumptions (`expr/bits.py`): that j is a
power of two, or below a number. The checker sees the relation that it comes to; that both say the
same is not checked again.
"""

from __future__ import annotations

from symcute.claims.language import evaluate
from symcute.claims.statement import BITS
from symcute.errors import TextError
from symcute.expr.assumptions import Given
from symcute.expr.formula import Formula
from symcute.expr.parser import parse
from symcute.expr.syntax import Node, bitwise, conjuncts
from symcute.expr.unparse import unparse

__all__ = ["without_bits"]


def without_bits(given: Given) -> list[str] | None:
    """Return assumptions in which operations on bits are quotients; None where there are none.

    Errors: TextError where nothing bounds the bits, or what has them is no relation.

    >>> without_bits(["pow2(j)", "i & j == 0 and i >= 0"])
    ['pow2(j)', 'i >= 0', 'j*mod(floor_div(i,j),2) == 0']
    >>> without_bits(["i >= 0"]) is None
    True
    """
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list | tuple) or not all(isinstance(x, str) for x in texts):
        return None
    if not any(sign in text for text in texts for sign in ("&", "^", "~", "|", "bit_")):
        return None
    plain: list[str] = []
    masked: list[str] = []
    for text in texts:
        for part in conjuncts(bitwise(parse(text, what="assumption"))):
            (masked if _has_bits(part) else plain).append(unparse(part))
    return [*plain, *(_plain(text, plain) for text in masked)] if masked else None


def _plain(text: str, given: list[str]) -> str:
    found = evaluate(text, given)
    if not isinstance(found, Formula):
        raise TextError("expected a relation between expressions in dims", text, 0, "write LD >= N")
    return str(found)


def _has_bits(node: Node) -> bool:
    called = node.op == "call" and node.args[0] in BITS
    return called or any(_has_bits(x) for x in node.args if isinstance(x, Node))
