"""What a term is at integers, what is in it, and what it is when names are replaced."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, cast

from symcute.errors import InputError
from symcute.kernel.access_map import Term
from symcute.kernel.terms.integers import (
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
from symcute.kernel.terms.truths import (
    all_of,
    any_of,
    at_most,
    equal,
    if_,
    less,
    negate,
    unequal,
)

__all__ = ["evaluate", "names", "size", "substitute"]


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

    >>> evaluate(("if", ("<", 0, "n"), ("//", 7, "n"), 0), {"n": 2})
    3
    """
    if isinstance(term, (int, bool)):
        return term
    if isinstance(term, str):
        if term not in values:
            raise InputError(f"{term} has no value", f"give {term}=...")
        return values[term]
    op, args = term[0], cast(tuple[Term, ...], term[1:])
    if op == "if":
        return evaluate(args[1] if evaluate(args[0], values) else args[2], values)
    if op == "and":
        return all(evaluate(x, values) for x in args)
    if op == "or":
        return any(evaluate(x, values) for x in args)
    if op == "not":
        return not evaluate(args[0], values)
    value: int | bool = _VALUES[cast(str, op)](evaluate(args[0], values), evaluate(args[1], values))
    return value


_BUILD: dict[str, Callable[..., Term]] = {
    "+": add, "*": mul, "//": divide, "%": remainder, "min": minimum, "max": maximum,
    "&": bit_and, "|": bit_or, "^": bit_xor, "<<": shift_left, ">>": shift_right,
    "if": if_, "<": less, "<=": at_most, "==": equal, "!=": unequal,
    "and": all_of, "or": any_of, "not": negate,
}  # fmt: skip


def substitute(term: Term, values: Mapping[str, Term]) -> Term:
    """Return a term with names replaced, constants folded again.

    >>> substitute(("<", ("+", "i", 1), "n"), {"i": 3})
    ('<', 4, 'n')
    """
    if isinstance(term, str):
        return values.get(term, term)
    if not isinstance(term, tuple):
        return term
    args = cast(tuple[Term, ...], term[1:])
    new = [substitute(x, values) for x in args]
    if all(x is y for x, y in zip(new, args, strict=True)):
        return term
    return _BUILD[cast(str, term[0])](*new)


@lru_cache(maxsize=1 << 16)
def names(term: Term) -> frozenset[str]:
    """Return the names in a term.

    >>> sorted(names(("+", "bx", ("*", "tx", 4))))
    ['bx', 'tx']
    """
    found: set[str] = set()
    stack: list[object] = [term]
    while stack:
        t = stack.pop()
        if isinstance(t, tuple):
            stack.extend(t[1:])
        elif isinstance(t, str):
            found.add(t)
    return frozenset(found)


def size(term: Term, most: int) -> int:
    """Return how many operations a term has, counting no further than one past `most`."""
    count = 0
    stack: list[object] = [term]
    while stack:
        t = stack.pop()
        if isinstance(t, tuple):
            count += 1
            if count > most:
                break
            stack.extend(t[1:])
    return count
