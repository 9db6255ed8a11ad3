"""What a term is at integers, what is in it, and what it is when names are replaced."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from symcute.errors import InputError
from symcute.expr.node import Node, Term
from symcute.expr.terms.integers import (
    MAX_SHIFT,
    add,
    bit_and,
    bit_or,
    bit_xor,
    divide,
    maximum,
    minimum,
    mul,
    remainder,
    shift_left,
    shift_right,
)
from symcute.expr.terms.truths import (
    all_of,
    any_of,
    at_most,
    equal,
    if_,
    less,
    negate,
    unequal,
)

__all__ = ["build", "evaluate", "size", "substitute"]


def _divided(op: str, a: int, b: int) -> int:
    if b <= 0:
        raise InputError(f"a term divides {a} by {b}", "evaluate it where its guard holds")
    return a // b if op == "//" else a % b


def _shifted(op: str, a: int, b: int) -> int:
    if not 0 <= b <= MAX_SHIFT:
        raise InputError(f"a term shifts by {b}", "evaluate it where its guard holds")
    return a << b if op == "<<" else a >> b


_VALUES: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: _divided("//", a, b),
    "%": lambda a, b: _divided("%", a, b),
    "min": min,
    "max": max,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<<": lambda a, b: _shifted("<<", a, b),
    ">>": lambda a, b: _shifted(">>", a, b),
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


def evaluate(term: Term, values: Mapping[str, int]) -> int | bool:
    """Return what a term is at integers.

    `and`, `or` and `if` look only at what decides, so that a division they guard is not met.
    Errors: InputError for a name without a value, a divisor below 1, a count of a shift below 0.

    >>> evaluate(Node("if", Node("<", 0, "n"), Node("//", 7, "n"), 0), {"n": 2})
    3
    """
    if isinstance(term, (int, bool)):
        return term
    if isinstance(term, str):
        if term not in values:
            raise InputError(f"{term} has no value", f"give {term}=...")
        return values[term]
    op, args = term.op, term.args
    if op == "if":
        return evaluate(args[1] if evaluate(args[0], values) else args[2], values)
    if op == "and":
        return all(evaluate(x, values) for x in args)
    if op == "or":
        return any(evaluate(x, values) for x in args)
    if op == "not":
        return not evaluate(args[0], values)
    value: int | bool = _VALUES[op](evaluate(args[0], values), evaluate(args[1], values))
    return value


_BUILD: dict[str, Callable[..., Term]] = {
    "+": add, "*": mul, "//": divide, "%": remainder, "min": minimum, "max": maximum,
    "&": bit_and, "|": bit_or, "^": bit_xor, "<<": shift_left, ">>": shift_right,
    "if": if_, "<": less, "<=": at_most, "==": equal, "!=": unequal,
    "and": all_of, "or": any_of, "not": negate,
}  # fmt: skip


def substitute(term: Term, values: Mapping[str, Term]) -> Term:
    """Return a term with names replaced, constants folded again.

    >>> substitute(Node("<", Node("+", "i", 1), "n"), {"i": 3})
    ('<', 4, 'n')
    """
    if isinstance(term, str):
        return values.get(term, term)
    if not isinstance(term, Node):
        return term
    if term.names.isdisjoint(values):
        return term
    new = [substitute(x, values) for x in term.args]
    if all(x is y for x, y in zip(new, term.args, strict=True)):
        return term
    return build(term.op, *new)


def build(op: str, *args: Term) -> Term:
    """Return an operation, with what is certain folded.

    >>> build("+", 1, 2), build("<", "i", 4)
    (3, ('<', 'i', 4))
    """
    return _BUILD[op](*args)


def size(term: Term, most: int) -> int:
    """Return how many operations a term has, counting no further than one past `most`."""
    count = 0
    stack: list[object] = [term]
    while stack:
        t = stack.pop()
        if isinstance(t, Node):
            count += 1
            if count > most:
                break
            stack.extend(t.args)
    return count
