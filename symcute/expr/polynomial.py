"""Integer polynomials as plain dicts.

A monomial is a sorted tuple of (variable, exponent), a `Poly` maps monomials to non-zero ints. A
variable is the name of a dim, or the text of what is opaque to the arithmetic: see `ratio.py`.

Everything after `lowering.py` is integer arithmetic.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from symcute.errors import InputError
from symcute.expr import limits

Monomial: TypeAlias = tuple[tuple[str, int], ...]
Poly: TypeAlias = dict[Monomial, int]

__all__ = [
    "ONE",
    "UNIT",
    "ZERO",
    "Monomial",
    "Poly",
    "add",
    "constant",
    "divide",
    "is_constant",
    "mul",
    "neg",
    "over",
    "quotient",
    "show",
    "sub",
    "substitute",
    "variable",
    "variables",
]

UNIT: Monomial = ()
#: A division that needs more terms than this is given up.
MAX_TERMS = 256
#: The largest exponent, and the largest number of terms multiplied out.
MAX_EXPONENT, MAX_PRODUCTS = 64, 1 << 20
ZERO: Poly = {}
ONE: Poly = {UNIT: 1}


def constant(c: int) -> Poly:
    """Return the constant polynomial."""
    return {UNIT: c} if c else {}


def variable(name: str) -> Poly:
    """Return the polynomial that is one variable."""
    return {((name, 1),): 1}


def add(p: Poly, q: Poly) -> Poly:
    """Return p + q.

    >>> show(add(variable("M"), constant(2)))
    'M+2'
    """
    result = dict(p)
    _add_to(result, q)
    return result


def _add_to(result: Poly, q: Poly) -> None:
    for m, c in q.items():
        total = result.get(m, 0) + c
        if total:
            result[m] = total
        else:
            result.pop(m, None)


def neg(p: Poly) -> Poly:
    """Return -p."""
    return {m: -c for m, c in p.items()}


def sub(p: Poly, q: Poly) -> Poly:
    """Return p - q."""
    return add(p, neg(q))


def _times(a: Monomial, b: Monomial) -> Monomial:
    if not a:
        return b
    if not b:
        return a
    powers = dict(a)
    for v, e in b:
        powers[v] = powers.get(v, 0) + e
    return tuple(sorted(powers.items()))


def over(a: Monomial, b: Monomial) -> Monomial | None:
    """Return a monomial over another, or None where that does not divide it.

    >>> over((("M", 2), ("N", 1)), (("M", 1),)), over((("M", 1),), (("N", 1),))
    ((('M', 1), ('N', 1)), None)
    """
    if not b:
        return a
    powers = dict(a)
    for v, e in b:
        powers[v] = powers.get(v, 0) - e
    if min(powers.values()) < 0:
        return None
    return tuple([(v, e) for v, e in powers.items() if e])


def mul(p: Poly, q: Poly) -> Poly:
    """Return p * q.

    >>> show(mul(variable("M"), sub(variable("M"), ONE)))
    'M**2-M'
    """
    if p is ONE or q is ONE:
        return q if p is ONE else p
    if len(p) * len(q) > MAX_PRODUCTS:
        raise InputError(
            f"a product of {len(p)} and {len(q)} terms is too large to expand",
            "use smaller powers",
        )
    limits.multiply(len(p) * len(q))
    result: Poly = {}
    for m, c in p.items():
        for n, d in q.items():
            key = _times(m, n)
            total = result.get(key, 0) + c * d
            if total:
                result[key] = total
            else:
                result.pop(key, None)
    return result


def power(p: Poly, exponent: int) -> Poly:
    """Return p to a non-negative power."""
    result = ONE
    for _ in range(exponent):
        result = mul(result, p)
    return result


def is_constant(p: Poly) -> int | None:
    """Return the value of a constant polynomial, else None."""
    if not p:
        return 0
    return p[UNIT] if len(p) == 1 and UNIT in p else None


def variables(p: Poly) -> set[str]:
    """Return the variables (dims and atoms) that occur."""
    return {v for m in p for v, _ in m}


def substitute(p: Poly, values: Mapping[str, Poly]) -> Poly:
    """Return p with variables replaced by polynomials; variables not named stay."""
    result: Poly = {}
    for m, c in p.items():
        term = constant(c)
        for v, e in m:
            term = mul(term, power(values[v], e) if v in values else {((v, e),): 1})
        limits.multiply(len(term))
        _add_to(result, term)
    return result


def divide(p: Poly, q: Poly) -> Poly | None:
    """Return the polynomial p / q when the division is exact over the integers, else None.

    >>> M, N = variable("M"), variable("N")
    >>> show(divide(mul(M, add(N, ONE)), add(N, ONE)))
    'M'
    >>> divide(M, N) is None
    True
    """
    if not q:
        return None
    if len(q) == 1:
        return _over_term(p, *next(iter(q.items())))
    names = variables(p)
    if not p or not variables(q) <= names:
        return None if p else {}
    last = {v: -k for k, v in enumerate(sorted(names))}

    def order(m: Monomial) -> list[tuple[int, int]]:
        return [(last[v], e) for v, e in m]  # lexicographic: a monomial order

    lead = max(q, key=order)
    quotient: Poly = {}
    rest = p
    while rest:
        top = max(rest, key=order)
        part = over(top, lead)
        if part is None or rest[top] % q[lead]:
            return None
        term: Poly = {part: rest[top] // q[lead]}
        quotient = add(quotient, term)
        rest = sub(rest, mul(term, q))
        if len(quotient) > MAX_TERMS:
            return None
    return quotient


def _over_term(p: Poly, n: Monomial, content: int) -> Poly | None:
    """Return a polynomial over one term."""
    found: Poly = {}
    for m, c in p.items():
        part = over(m, n)
        if part is None or c % content:
            return None
        found[part] = c // content
    return found


def quotient(p: Poly, q: Poly) -> tuple[Poly, Poly]:
    """Return y and r with p == y*q + r, where r keeps what the leading term of q does not divide.

    Terms are taken from the top in lexicographic order; a coefficient is divided towards 0, the
    constant downwards. The leading coefficient of q must be positive.

    >>> M = variable("M")
    >>> [show(x) for x in quotient(add(mul(constant(130), M), constant(-1)), constant(128))]
    ['M-1', '2*M+127']
    """
    names = sorted(variables(p) | variables(q))

    def order(m: Monomial) -> tuple[int, ...]:
        powers = dict(m)
        return tuple([powers.get(v, 0) for v in names])

    lead = max(q, key=order)
    whole: Poly = {}
    rest: Poly = {}
    todo = p
    while todo:
        top = max(todo, key=order)
        c = todo[top]
        part = over(top, lead)
        k = c // q[lead] if top == UNIT or c > 0 else -(-c // q[lead])
        if part is not None and k:
            term: Poly = {part: k}
            whole = add(whole, term)
            todo = sub(todo, mul(term, q))
            c -= k * q[lead]
        if c:
            rest[top] = c
            todo = {m: d for m, d in todo.items() if m != top}
        if len(whole) > MAX_TERMS:
            return {}, p
    return whole, rest


def show(p: Poly) -> str:
    """Return a polynomial as our grammar writes it, highest terms first."""
    if not p:
        return "0"
    parts = []
    for m in sorted(p, key=lambda m: (-sum(e for _, e in m), m)):
        factors = [v if e == 1 else f"{v}**{e}" for v, e in m]
        c = p[m]
        if abs(c) != 1 or not factors:
            factors.insert(0, str(abs(c)))
        parts.append(("-" if c < 0 else "+") + "*".join(factors))
    return "".join(parts).removeprefix("+")
