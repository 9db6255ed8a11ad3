"""What a term is at integers, what is in it, and what it is when names are replaced."""

from __future__ import annotations

from collections.abc import Mapping

from symcute.errors import InputError
from symcute.expr.node import Node, Term
from symcute.expr.terms.operators import OPERATORS

__all__ = ["build", "evaluate", "size", "substitute"]


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
    return OPERATORS[op].value(*(evaluate(x, values) for x in args))


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
    return OPERATORS[op].build(*args)


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
