"""The one road from SymPy into our own arithmetic: a leaf as a ratio of integer polynomials."""

from __future__ import annotations

from functools import lru_cache, reduce
from typing import Any

from symcute.errors import InputError
from symcute.expr.polynomial import (
    ATOMS,
    MAX_EXPONENT,
    ONE,
    Atom,
    Ratio,
    constant,
    make_ratio,
    power,
    show_ratio,
    variable,
)

__all__ = ["lower"]


def lower(leaf: Any) -> Ratio:
    """Return the ratio of integer polynomials that a leaf is.

    Errors: InputError for an expression outside + - * / // % min max and integer powers.

    >>> from symcute.expr.assumptions import dims
    >>> M, N = dims("M N")
    >>> show_ratio(lower((M * N + N) / 4))
    '(M*N+N)/4'
    """
    if isinstance(leaf, int):
        return Ratio(constant(leaf), ONE)
    return leaf if isinstance(leaf, Ratio) else _lower(leaf)


@lru_cache(maxsize=65536)
def _lower(leaf: Any) -> Ratio:
    if leaf.is_Rational:
        return make_ratio(constant(int(leaf.p)), constant(int(leaf.q)))
    if leaf.is_Symbol:
        return Ratio(variable(leaf.name), ONE)
    if leaf.is_Add:
        return reduce(Ratio.__add__, map(_lower, leaf.args))
    if leaf.is_Mul:
        return reduce(Ratio.__mul__, map(_lower, leaf.args))
    if leaf.is_Pow and leaf.exp.is_Integer:
        exponent = int(leaf.exp)
        if abs(exponent) > MAX_EXPONENT:
            raise InputError(
                f"the exponent {exponent} is beyond {MAX_EXPONENT}", "use a smaller power"
            )
        base = _lower(leaf.base)
        if exponent >= 0:
            return make_ratio(power(base.num, exponent), power(base.den, exponent))
        return make_ratio(power(base.den, -exponent), power(base.num, -exponent))
    kind = type(leaf).__name__
    if kind == "Quotient":
        return _lower(leaf.args[0]) / _lower(leaf.args[1])
    if kind in ("FloorDiv", "CeilDiv", "Modulo", "Minimum", "Maximum"):
        atom = Atom(kind, _lower(leaf.args[0]), _lower(leaf.args[1]))
        if atom.a == atom.b and kind in ("Minimum", "Maximum"):
            return atom.a
        name = f"{leaf.sign}({show_ratio(atom.a)},{show_ratio(atom.b)})"
        ATOMS[name] = atom
        return Ratio(variable(name), ONE)
    raise InputError(f"{leaf} is not an integer expression we know", "use + - * / // % min max")
