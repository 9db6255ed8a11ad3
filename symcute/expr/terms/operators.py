"""The operators: one row each says what an operation is on ints, on arrays, and between bounds."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

from symcute.errors import InputError
from symcute.expr import intervals
from symcute.expr.intervals import Transfer
from symcute.expr.node import Term
from symcute.expr.terms import integers, truths

__all__ = ["OPERATORS", "Operator"]


@dataclass(frozen=True, slots=True)
class Operator:
    """What is known of an operator.

    `build` makes a term, with what is certain folded; `value` takes ints (of `and`, `or` and `if`
    `evaluate` asks only for what decides); `array` takes the module NumPy and arrays of ints, for
    which it has a value; `bound` takes ranges. `level` is how tightly it binds as text; calls have
    none.
    """

    build: Callable[..., Term]
    value: Callable[..., int | bool]
    array: Callable[..., Any]
    bound: Transfer
    level: int | None = None


def _divisible(a: int, b: int) -> None:
    if b <= 0:
        raise InputError(f"a term divides {a} by {b}", "evaluate it where its guard holds")


def _quotient(a: int, b: int) -> int:
    _divisible(a, b)
    return a // b


def _remainder(a: int, b: int) -> int:
    _divisible(a, b)
    return a % b


def _shifted(shift: Callable[[int, int], int]) -> Callable[[int, int], int]:
    def value(a: int, b: int) -> int:
        if not 0 <= b <= integers.MAX_SHIFT:
            raise InputError(f"a term shifts by {b}", "evaluate it where its guard holds")
        return shift(a, b)

    return value


def _plain(on_both: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """Return for arrays what Python writes as for ints."""
    return lambda np, a, b: on_both(a, b)


def _same(on_both: Callable[[Any, Any], Any]) -> tuple[Callable[..., Any], Callable[..., Any]]:
    return on_both, _plain(on_both)


OPERATORS: Mapping[str, Operator] = {
    "+": Operator(integers.add, *_same(operator.add), intervals.total, 5),
    "*": Operator(integers.mul, *_same(operator.mul), intervals.product, 6),
    "//": Operator(integers.divide, _quotient, _plain(operator.floordiv), intervals.quotient, 6),
    "%": Operator(integers.remainder, _remainder, _plain(operator.mod), intervals.remainder, 6),
    "min": Operator(integers.minimum, min, lambda np, a, b: np.minimum(a, b), intervals.minimum),
    "max": Operator(integers.maximum, max, lambda np, a, b: np.maximum(a, b), intervals.maximum),
    "&": Operator(integers.bit_and, *_same(operator.and_), intervals.bit_and, 3),
    "|": Operator(integers.bit_or, *_same(operator.or_), intervals.bit_or, 3),
    "^": Operator(integers.bit_xor, *_same(operator.xor), intervals.bit_xor, 3),
    "<<": Operator(integers.shift_left, _shifted(operator.lshift), _plain(operator.lshift),
                   intervals.shift_left, 3),
    ">>": Operator(integers.shift_right, _shifted(operator.rshift), _plain(operator.rshift),
                   intervals.shift_right, 3),
    "<": Operator(truths.less, *_same(operator.lt), intervals.less, 3),
    "<=": Operator(truths.at_most, *_same(operator.le), intervals.at_most, 3),
    "==": Operator(truths.equal, *_same(operator.eq), intervals.equal, 3),
    "!=": Operator(truths.unequal, *_same(operator.ne), intervals.unequal, 3),
    "and": Operator(truths.all_of, lambda *xs: all(xs),
                    lambda np, *xs: reduce(np.logical_and, [x != 0 for x in xs]),
                    intervals.all_hold, 1),
    "or": Operator(truths.any_of, lambda *xs: any(xs),
                   lambda np, *xs: reduce(np.logical_or, [x != 0 for x in xs]),
                   intervals.one_holds, 0),
    "not": Operator(truths.negate, operator.not_, lambda np, a: a == 0, intervals.fails),
    "if": Operator(truths.if_, lambda c, a, b: a if c else b,
                   lambda np, c, a, b: np.where(c != 0, a, b), intervals.chosen),
}  # fmt: skip
