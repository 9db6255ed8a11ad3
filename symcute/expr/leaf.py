"""The expressions in dims that leaves are: nodes whose operators compute.

An expression is kept as SymPy keeps it: sums collect like terms, products collect powers, a number
times a sum is multiplied out, and nothing else is. `M/4` is a product with a rational coefficient;
roundings, minima, maxima and exact quotients (`INERT`) stay as they are written.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache, reduce
from math import gcd, lcm
from typing import Any

from symcute.errors import InputError
from symcute.expr.node import Node
from symcute.expr.order import (
    Number,
    coefficient,
    in_order,
    ordered_terms,
    powers,
    sort_key,
)

__all__ = ["INERT", "NAME", "Expression", "dim", "fraction", "inert", "rebuilt"]

#: A name that text reads back as that name: `_` and the static integers of CuTe, `_4` and `_m1`,
#: are something else there, and so are the operators that are words.
NAME = re.compile(r"(?!(?:_(?:m?[0-9]+)?|and|or|not|implies)\Z)[A-Za-z_][A-Za-z0-9_]*\Z")

#: The functions that stay as they are written, and how our grammar writes them.
INERT = {
    "FloorDiv": "floor_div",
    "CeilDiv": "ceil_div",
    "Modulo": "mod",
    "Minimum": "min",
    "Maximum": "max",
    "Quotient": "/",
}
_ON_INTS: dict[str, Callable[[int, int], int]] = {
    "FloorDiv": operator.floordiv,
    "CeilDiv": lambda a, b: -(-a // b),
    "Modulo": operator.mod,
    "Minimum": min,
    "Maximum": max,
}


def _operator(function: Callable[[Any, Any], Any]) -> Any:
    """Return the methods of an operator, for what stands on the left and on the right."""

    def forward(self: Expression, other: Any) -> Any:
        x = _operand(other)
        return NotImplemented if x is None else function(self, x)

    def backward(self: Expression, other: Any) -> Any:
        x = _operand(other)
        return NotImplemented if x is None else function(x, self)

    return forward, backward


def _operand(x: Any) -> Any:
    """Return an operand as an int or an expression, None for any other; SymPy takes its own."""
    if type(x) is int or isinstance(x, Expression):
        return x
    try:
        return None if isinstance(x, bool) else operator.index(x)
    except TypeError:
        return None


def _relation(compare: Callable[[Any, Any], Any]) -> Any:
    return lambda self, other: compare(self._sympy_(), other)


def _number(x: Number) -> Any:
    """Return a number as a leaf, or as the node of a rational."""
    if isinstance(x, int) or x.denominator == 1:
        return int(x)
    return Expression("/", x.numerator, x.denominator)


def _scaled(front: Number, rest: Any) -> Any:
    """Return a number times what has none in front, nothing multiplied out."""
    if isinstance(rest, int):
        return _number(front)
    if front == 1:
        return rest
    return Expression("*", _number(front), *(rest.args if rest.op == "*" else (rest,)))


def _terms(x: Any) -> list[tuple[Number, Any]]:
    """Return the terms of an expression, each with its coefficient apart."""
    return list(map(coefficient, x.args if isinstance(x, Node) and x.op == "+" else (x,)))


def _total(terms: Iterable[tuple[Number, Any]]) -> Any:
    found: dict[Any, Number] = {}
    for front, rest in terms:
        found[rest] = found.get(rest, 0) + front
    parts = [_scaled(front, rest) for rest, front in found.items() if front]
    if len(parts) < 2:
        return parts[0] if parts else 0
    return Expression("+", *in_order(parts))


def _collected(front: Number, found: dict[Any, int]) -> Any:
    """Return a number times powers; times one sum it is multiplied out."""
    factors = [b if e == 1 else Expression("**", b, e) for b, e in found.items() if e]
    if not front or not factors:
        return _number(front)
    if len(factors) == 1 and factors[0].op == "+" and front != 1:
        return _total((front * c, rest) for c, rest in _terms(factors[0]))
    factors.sort(key=sort_key)
    return _scaled(front, factors[0] if len(factors) == 1 else Expression("*", *factors))


@lru_cache(maxsize=65536)
def _sum(a: Any, b: Any) -> Any:
    return _total([*_terms(a), *_terms(b)])


@lru_cache(maxsize=65536)
def _product(*factors: Any) -> Any:
    whole: Number = 1
    found: dict[Any, int] = {}
    for front, rest in map(coefficient, factors):
        whole *= front
        for base, exponent in powers(rest).items():
            found[base] = found.get(base, 0) + exponent
    return _collected(whole, found)


@lru_cache(maxsize=65536)
def _power(a: Any, exponent: int) -> Any:
    front, rest = coefficient(a)
    if not front and exponent < 0:
        raise InputError("1 is divided by 0", "give a divisor of at least 1")
    whole = Fraction(front) ** exponent if exponent < 0 else front**exponent
    return _collected(whole, {base: e * exponent for base, e in powers(rest).items()})


def _difference(a: Any, b: Any) -> Any:
    return _sum(a, _product(-1, b))


def _quotient(a: Any, b: Any) -> Any:
    if isinstance(b, int) and b == 0:
        raise InputError(f"{a} is divided by 0", "give a divisor of at least 1")
    return _product(a, _power(b, -1))


def inert(kind: str, a: Any, b: Any) -> Any:
    """Return a function of `INERT`: computed of numbers, else as it is written.

    Errors: InputError for a divisor 0.

    >>> inert("CeilDiv", 7, 2), inert("Modulo", dim("M") + 4, 4)
    (4, mod(M+4,4))
    """
    if kind not in ("Minimum", "Maximum") and isinstance(b, int) and b == 0:
        raise InputError(f"{a} is divided by 0", "give a divisor of at least 1")
    if isinstance(a, int) and isinstance(b, int):
        if kind != "Quotient":
            return _ON_INTS[kind](a, b)
        if a % b == 0:
            return a // b
    if kind == "Quotient" and isinstance(b, int) and b == 1:
        return a
    return Expression(kind, a, b)


class Expression(Node):
    """An integer expression in dims, or one on the way to it: interned, with arithmetic.

    | op | args |
    |---|---|
    | dim | the name |
    | + | the terms, in order; a number is the last |
    | * | a number that is not 1, if there is one; the factors, in order |
    | ** | an expression; a number other than 0 and 1 |
    | / | numerator and denominator of a rational number: no leaf, a coefficient |
    | one of INERT | the two operands |

    SymPy reads it (`sympy.sympify`), computes with it, and answers what else is asked of it;
    comparisons are SymPy's relations.

    >>> M, N = dim("M"), dim("N")
    >>> (M + N) * 2 - N, (M * N) / M, 2 * N == N + N
    (2*M+N, N, True)
    """

    __slots__ = ()
    args: tuple[Any, ...]

    __add__, __radd__ = _operator(_sum)
    __sub__, __rsub__ = _operator(_difference)
    __mul__, __rmul__ = _operator(_product)
    __truediv__, __rtruediv__ = _operator(_quotient)
    __floordiv__, __rfloordiv__ = _operator(lambda a, b: inert("FloorDiv", a, b))
    __mod__, __rmod__ = _operator(lambda a, b: inert("Modulo", a, b))
    __lt__, __le__ = _relation(operator.lt), _relation(operator.le)
    __gt__, __ge__ = _relation(operator.gt), _relation(operator.ge)

    def __neg__(self) -> Any:
        """Return the negative."""
        return _product(-1, self)

    def __pow__(self, exponent: Any) -> Any:
        """Return the power to a number."""
        found = _operand(exponent)
        return _power(self, found) if isinstance(found, int) else NotImplemented

    def __getattr__(self, name: str) -> Any:
        """Return what SymPy's expression has under that name."""
        if name.startswith("_") or name in ("dtype", "shape"):  # which arrays are known by
            raise AttributeError(name)
        return getattr(self._sympy_(), name)

    def _sympy_(self) -> Any:
        return _to_sympy(self)

    def _printed(self, printer: Any) -> Any:
        """Return what a printer of SymPy's makes of it."""
        return printer._print(self._sympy_())

    _latex = _pretty = _sympyrepr = _mathml_content = _mathml_presentation = _printed

    def __str__(self) -> str:
        """Return the expression as our grammar writes it: no spaces, one division at most."""
        return _text(self)

    __repr__ = __str__


def dim(name: str) -> Expression:
    """Return the expression that is one dim.

    >>> dim("M") is dim("M")
    True
    """
    return Expression("dim", name)


def rebuilt(x: Expression, arguments: Iterable[Any]) -> Any:
    """Return the operation of an expression, applied to other arguments.

    >>> rebuilt(dim("M") + 1, [3, 4])
    7
    """
    if x.op == "+":
        return reduce(_sum, arguments)
    if x.op == "*":
        return _product(*arguments)
    if x.op == "**":
        base, exponent = arguments
        return _power(base, exponent)
    return inert(x.op, *arguments) if x.op in INERT else x


@lru_cache(maxsize=65536)
def fraction(x: Any) -> tuple[Any, Any]:
    """Return an expression as numerator and denominator; what is inert is not looked into.

    >>> M = dim("M")
    >>> fraction((M + 1) / 4), fraction(M / dim("N") + M)
    ((M+1, 4), (M*N+M, N))
    """
    op = x.op if isinstance(x, Expression) else ""
    if op == "/":
        return x.args[0], x.args[1]
    if op == "**":
        base, exponent = x.args
        pair = fraction(base) if exponent > 0 else fraction(base)[::-1]
        return pair if exponent == -1 else tuple(_power(y, abs(exponent)) for y in pair)
    if op == "*":
        tops, bottoms = zip(*map(fraction, x.args), strict=True)
        return _joined(tops), _joined(bottoms)
    return _over_one(_terms(x)) if op == "+" else (x, 1)


def _over_one(terms: list[tuple[Number, Any]]) -> tuple[Any, Any]:
    """Return a sum as numerator and denominator, the product of all different ones of its terms."""
    above = gcd(*(front.numerator for front, _ in terms))
    below = lcm(*(front.denominator for front, _ in terms))
    over: dict[Any, Any] = {}
    for front, rest in terms:
        top, bottom = fraction(_scaled(front * below // above, rest))
        over[bottom] = _sum(over.get(bottom, 0), top)
    whole = _product(*over)
    if len(over) == 1:
        # The number before all of it is multiplied in.
        return _product(above, over[whole]), _apart(below, whole)
    tops = [_product(*(d for d in over if d is not bottom), top) for bottom, top in over.items()]
    return _apart(above, reduce(_sum, tops)), _apart(below, whole)


def _apart(front: int, x: Any) -> Any:
    """Return a number times an expression, a sum as a factor."""
    if isinstance(x, Expression) and x.op == "+" and front != 1:
        return Expression("*", front, x)
    return _product(front, x)


def _joined(factors: Iterable[Any]) -> Any:
    """Return the product of numerators or denominators; a sum that is a factor stays one."""
    some = [x for x in factors if x != 1]
    if len(some) == 1:
        return some[0]
    if len(some) == 2 and isinstance(some[0], int):
        front, rest = coefficient(some[1])
        if front != 1:
            return _apart(int(some[0] * front), rest)
    return _product(*some)


@lru_cache(maxsize=65536)
def _text(x: Expression) -> str:
    # A quotient spreads over a sum, M/2 + 1/2; our grammar knows no fractions.
    top, bottom = x.args if x.op == "Quotient" else fraction(x)
    if isinstance(bottom, int) and bottom == 1:
        return _plain(top)
    below = _plain(bottom)
    sum_above = isinstance(top, Expression) and top.op == "+"
    above = f"({_plain(top)})" if sum_above else _plain(top)
    return f"{above}/{below}" if below.isalnum() else f"{above}/({below})"


def _plain(x: Any) -> str:
    """Return an expression with a division in each of its terms."""
    if isinstance(x, int):
        return str(x)
    if x.op == "dim":
        return str(x.args[0])
    if x.op == "+":
        terms = map(_plain, ordered_terms(x))
        return "".join(t if t[0] == "-" else f"+{t}" for t in terms).removeprefix("+")
    if x.op in INERT:
        a, b = map(str, x.args)
        return f"({_text(x)})" if x.op == "Quotient" else f"{INERT[x.op]}({a},{b})"
    front, rest = coefficient(x)
    above, below = [abs(front.numerator)], [front.denominator]
    for base, exponent in powers(rest).items():
        (above if exponent > 0 else below).append(_power(base, abs(exponent)))
    tops, bottoms = ([_factor(f) for f in fs if f != 1] for fs in (above, below))
    over = "*".join(bottoms)
    over = f"/({over})" if len(bottoms) > 1 else f"/{over}" if bottoms else ""
    return ("-" if front < 0 else "") + ("*".join(tops) or "1") + over


def _factor(x: Any) -> str:
    if isinstance(x, int) or x.op == "dim" or x.op in INERT:
        return _plain(x)
    return f"{_factor(x.args[0])}**{x.args[1]}" if x.op == "**" else f"({_plain(x)})"


@lru_cache(maxsize=65536)
def _to_sympy(x: Any) -> Any:
    """Return SymPy's expression, with its own functions, some of which it simplifies."""
    import sympy

    if isinstance(x, int):
        return sympy.Integer(x)
    if x.op == "dim":
        return sympy.Symbol(x.args[0], integer=True)
    a, b, *more = map(_to_sympy, x.args)
    return {
        "+": lambda: sympy.Add(a, b, *more),
        "*": lambda: sympy.Mul(a, b, *more),
        "**": lambda: a**b,
        "/": lambda: a / b,
        "Quotient": lambda: a / b,
        "FloorDiv": lambda: sympy.floor(a / b),
        "CeilDiv": lambda: sympy.ceiling(a / b),
        "Modulo": lambda: sympy.Mod(a, b, evaluate=a.is_number and b.is_number),
        "Minimum": lambda: sympy.Min(a, b),
        "Maximum": lambda: sympy.Max(a, b),
    }[x.op]()
