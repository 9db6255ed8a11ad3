"""Bernstein form over a box: no negative coefficient there means no negative value.

A polynomial of degree d in x over [0, U] is a combination of x^i (U-x)^(d-i), with the coefficients
`sum_j<=i C(i,j)/C(d,j) * U^j * a_j` up to positive factors; those are its values' bounds.
Source: G. T. Cargo and O. Shisha, "The Bernstein form of a polynomial", 1966.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import comb
from typing import Any, TypeAlias

from symcute.expr.polynomial import Monomial, Poly
from symcute.solve.elimination import shared
from symcute.solve.obligations.handelman import factor_name
from symcute.solve.obligations.parametrisation import Parametrisation

__all__ = ["bernstein", "holds_on_box", "products"]

#: A polynomial whose coefficients are rational.
Rational: TypeAlias = Mapping[Monomial, Fraction | int]
#: More coefficients than this are not worked out.
MAX_FORMS = 2048


def holds_on_box(p: Poly, way: Parametrisation) -> bool:
    """Return whether p >= 0 because its Bernstein form has no negative coefficient.

    >>> from symcute.solve.obligations.parametrisation import Definition
    >>> from symcute.expr.lowering import lower
    >>> from symcute.expr.polynomial import constant, mul, sub, variable
    >>> way = Parametrisation([Definition("M", "from", lower(0))], {"M": 0}, {"M": 8})
    >>> m = variable("M'")
    >>> holds_on_box(mul(m, sub(constant(8), m)), way)
    True
    """
    names = {v for m in p for v, _ in m}
    if not all(map(way.known, names)):
        return False
    boxed = [v for v in sorted(names) if v in way.boxes]
    if any(c < 0 and not any(v in way.boxes for v, _ in m) for m, c in p.items()):
        return False  # where all that is bounded is 0
    forms: list[Rational] = [p]
    for name in boxed:
        forms = [f for form in forms for f in bernstein(form, name, way.boxes[name])]
        if len(forms) > MAX_FORMS:
            return False
    return bool(boxed) and all(c >= 0 for form in forms for c in form.values())


def products(p: Poly, way: Parametrisation) -> list[tuple[str, list[Any]]] | None:
    """Return p as the sum of products that its Bernstein form is, divided by its content.

    A product is a weight and factors, as certificates have them: parameters x, and U - x. None for
    a box that has one point in some direction.

    >>> from symcute.solve.obligations.parametrisation import Definition
    >>> from symcute.expr.lowering import lower
    >>> from symcute.expr.polynomial import constant, mul, sub, variable
    >>> way = Parametrisation([Definition("M", "from", lower(0))], {"M": 0}, {"M": 8})
    >>> m = variable("M'")
    >>> products(mul(m, sub(constant(8), m)), way)
    [('1', ["M'", ('u', "M'")])]
    """
    content = shared(p)
    forms: list[tuple[Fraction, list[Any], Rational]] = [(Fraction(1, content), [], p)]
    for name in sorted(v for v in {v for m in p for v, _ in m} if v in way.boxes):
        end, found = way.boxes[name], []
        if end < 1:
            return None
        for weight, factors, form in forms:
            d = max((dict(m).get(name, 0) for m in form), default=0)
            for i, part in enumerate(bernstein(form, name, end)):
                scale = weight * Fraction(comb(d, i), end**d)
                found.append((scale, [*factors, *[name] * i, *[("u", name)] * (d - i)], part))
        forms = found
    return [
        (str(weight * c), [*factors, *(factor_name(v, way) for v, e in m for _ in range(e))])
        for weight, factors, form in forms
        for m, c in form.items()
        if c
    ]


def bernstein(p: Rational, name: str, end: int) -> Iterable[Rational]:
    """Yield the Bernstein coefficients of p in one variable over [0, end]."""
    powers: dict[int, dict[Monomial, Fraction | int]] = {}
    for m, c in p.items():
        degree, rest = 0, m
        for v, e in m:
            if v == name:
                degree, rest = e, tuple((w, f) for w, f in m if w != name)
        powers.setdefault(degree, {})[rest] = c
    d = max(powers, default=0)
    for i in range(d + 1):
        total: dict[Monomial, Fraction | int] = {}
        for j, form in powers.items():
            if j <= i:
                weight: Fraction | int = comb(i, j) * end**j
                if comb(d, j) > 1:
                    weight = Fraction(weight, comb(d, j))
                for m, c in form.items():
                    total[m] = total.get(m, 0) + weight * c
        yield total
