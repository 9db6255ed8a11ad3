"""Leaves as ratios of integer polynomials."""

from __future__ import annotations

from functools import lru_cache, reduce
from typing import Any

from symcute.errors import InputError
from symcute.expr.leaf import INERT, Expression
from symcute.expr.polynomial import MAX_EXPONENT, ONE, constant, power, variable
from symcute.expr.ratio import ATOMS, Atom, Ratio, make_ratio, show_ratio

__all__ = ["lower"]


def lower(leaf: Any) -> Ratio:
    """Return the ratio of integer polynomials that a leaf is.

    Errors: InputError for a power beyond what is multiplied out, and a divisor that is 0.

    >>> from symcute.expr.assumptions import dims
    >>> M, N = dims("M N")
    >>> show_ratio(lower((M * N + N) / 4))
    '(M*N+N)/4'
    """
    return leaf if isinstance(leaf, Ratio) else _lower(leaf)


@lru_cache(maxsize=65536)
def _lower(leaf: int | Expression) -> Ratio:
    if isinstance(leaf, int):
        return Ratio(constant(leaf), ONE)
    op = leaf.op
    if op == "dim":
        return Ratio(variable(str(leaf.args[0])), ONE)
    if op == "**":
        base, exponent = _lower(leaf.args[0]), leaf.args[1]
        if abs(exponent) > MAX_EXPONENT:
            raise InputError(
                f"the exponent {exponent} is beyond {MAX_EXPONENT}", "use a smaller power"
            )
        num, den = power(base.num, abs(exponent)), power(base.den, abs(exponent))
        return make_ratio(num, den) if exponent >= 0 else make_ratio(den, num)
    parts = map(_lower, leaf.args)
    if op in ("+", "*"):
        return reduce(Ratio.__add__ if op == "+" else Ratio.__mul__, parts)
    a, b = parts
    if op in ("/", "Quotient"):
        return a / b
    if a == b and op in ("Minimum", "Maximum"):
        return a
    name = f"{INERT[op]}({show_ratio(a)},{show_ratio(b)})"
    ATOMS[name] = Atom(op, a, b)
    return Ratio(variable(name), ONE)
