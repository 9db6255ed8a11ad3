"""What is plain to see of sizes, as a file of Inductor's writes them."""

from __future__ import annotations

import ast
from math import gcd

__all__ = ["divides", "plain"]

_DIVISOR = 16


def plain(text: str) -> int | None:
    """Return the number that a text is without symbols, or None."""
    return _folded(ast.parse(text, mode="eval").body)


def _folded(node: ast.expr) -> int | None:
    match node:
        case ast.Constant(int(n)):
            return n
        case ast.UnaryOp(ast.USub(), operand):
            inner = _folded(operand)
            return None if inner is None else -inner
        case ast.BinOp(left, op, right):
            a, b = _folded(left), _folded(right)
            if a is None or b is None:
                return None
            return {ast.Add: a + b, ast.Sub: a - b, ast.Mult: a * b,
                    ast.FloorDiv: a // b if b else None, ast.Mod: a % b if b else None,
                    }.get(type(op))  # fmt: skip
        case ast.Call(ast.Name(word), [left, right]):
            a, b = _folded(left), _folded(right)
            if a is not None and b is not None:
                return max(a, b) if word == "max" else min(a, b)
    return None


def divides(text: str) -> bool:
    """Is it plain to see that an integer is divisible by 16, whatever its symbols are?"""
    return _power(ast.parse(text, mode="eval").body) % _DIVISOR == 0


def _power(node: ast.expr) -> int:
    """Return a number that divides another: 1 where nothing is known, 0 for 0."""
    match node:
        case ast.Constant(int(n)):
            return abs(n)
        case ast.UnaryOp(ast.USub(), operand):
            return _power(operand)
        case ast.BinOp(left, ast.Mult(), right):
            return _power(left) * _power(right)
        case ast.BinOp(left, ast.Add() | ast.Sub(), right):
            return gcd(_power(left), _power(right))
    return 1
