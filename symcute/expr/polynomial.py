"""Integer polynomials as plain dicts, and ratios of them.

A monomial is a sorted tuple of (variable, exponent), a `Poly` maps monomials to non-zero ints, a
`Ratio` is numerator over denominator. A variable is the name of a dim, or the text of an `Atom`
(`floor_div(M,128)`, a minimum ...), which is opaque to the arithmetic and looked up in `ATOMS`.

Everything after `lowering.py` is integer arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import gcd
from typing import NamedTuple, TypeAlias

from symcute.errors import InputError
from symcute.expr import limits

Monomial: TypeAlias = tuple[tuple[str, int], ...]
Poly: TypeAlias = dict[Monomial, int]

__all__ = [
    "ATOMS",
    "ONE",
    "UNIT",
    "ZERO",
    "Atom",
    "Monomial",
    "Poly",
    "Ratio",
    "add",
    "constant",
    "divide",
    "evaluate",
    "evaluate_ratio",
    "is_constant",
    "make_ratio",
    "mul",
    "names_in",
    "neg",
    "quotient",
    "show",
    "show_ratio",
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


class Ratio:
    """`num / den` with common integer and monomial factors removed; a leaf of formulas.

    >>> r = Ratio(variable("M"), ONE)
    >>> str((r + 1) * 2 - r), (2 * r) / r == Ratio(constant(2), ONE)
    ('M+2', True)
    """

    __slots__ = ("_hash", "den", "num")

    def __init__(self, num: Poly, den: Poly) -> None:
        self.num, self.den = num, den
        self._hash: int | None = None

    def __eq__(self, other: object) -> bool:
        """Return whether numerator and denominator are the same polynomials."""
        if not isinstance(other, Ratio):
            return NotImplemented
        return self.num == other.num and self.den == other.den

    def __hash__(self) -> int:
        """Return the hash of numerator and denominator."""
        if self._hash is None:
            self._hash = hash((frozenset(self.num.items()), frozenset(self.den.items())))
        return self._hash

    def __add__(self, other: Ratio | int) -> Ratio:
        """Return the sum."""
        r = _ratio(other)
        if self.den == r.den:
            return make_ratio(add(self.num, r.num), r.den)
        num = add(mul(self.num, r.den), mul(r.num, self.den))
        return make_ratio(num, mul(self.den, r.den))

    def __neg__(self) -> Ratio:
        """Return the negative."""
        return Ratio(neg(self.num), self.den)

    def __sub__(self, other: Ratio | int) -> Ratio:
        """Return the difference."""
        return self + -_ratio(other)

    def __rsub__(self, other: int) -> Ratio:
        """Return the difference."""
        return _ratio(other) + -self

    def __mul__(self, other: Ratio | int) -> Ratio:
        """Return the product."""
        r = _ratio(other)
        return make_ratio(mul(self.num, r.num), mul(self.den, r.den))

    def __truediv__(self, other: Ratio | int) -> Ratio:
        """Return the quotient; InputError for a divisor that is 0."""
        r = _ratio(other)
        return make_ratio(mul(self.num, r.den), mul(self.den, r.num))

    __radd__ = __add__
    __rmul__ = __mul__

    def __str__(self) -> str:
        """Return the ratio as our grammar writes it."""
        return show_ratio(self)

    def __repr__(self) -> str:
        """Return the ratio as our grammar writes it."""
        return f"Ratio({self})"


def _ratio(x: Ratio | int) -> Ratio:
    return x if isinstance(x, Ratio) else Ratio(constant(x), ONE)


class Atom(NamedTuple):
    """An inert integer function of two ratios; kind is its name in `leaf.INERT`."""

    kind: str
    a: Ratio
    b: Ratio


#: Every atom met so far, by the name under which it occurs in polynomials.
ATOMS: dict[str, Atom] = {}


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


def less(p: Poly, factor: int, m: Monomial, q: Poly) -> Poly:
    """Return p without a factor times a monomial times q.

    >>> show(less(variable("M"), 2, (("N", 1),), add(variable("M"), ONE)))
    '-2*M*N+M-2*N'
    """
    limits.multiply(len(q))
    result = dict(p)
    for n, c in q.items():
        key = _times(m, n)
        total = result.get(key, 0) - factor * c
        if total:
            result[key] = total
        else:
            result.pop(key, None)
    return result


def _times(a: Monomial, b: Monomial) -> Monomial:
    if not a:
        return b
    if not b:
        return a
    powers = dict(a)
    for v, e in b:
        powers[v] = powers.get(v, 0) + e
    return tuple(sorted(powers.items()))


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


def names_in(r: Ratio) -> set[str]:
    """Return the dims of a ratio, those inside atoms included."""
    found: set[str] = set()
    for name in variables(r.num) | variables(r.den):
        if name in ATOMS:
            found |= names_in(ATOMS[name].a) | names_in(ATOMS[name].b)
        else:
            found.add(name)
    return found


def evaluate(p: Poly, values: Mapping[str, int]) -> int:
    """Return the value at integer dims; atoms are evaluated as the functions they are."""
    limits.spend(len(p) + 1)
    total = 0
    for m, c in p.items():
        for v, e in m:
            if v in values:
                c *= values[v] if e == 1 else values[v] ** e
            elif v in ATOMS:
                c *= _evaluate_atom(ATOMS[v], values) ** e
            else:
                raise InputError(f"the dim {v} has no value", f"give {v}=...")
        total += c
    return total


def evaluate_ratio(r: Ratio, values: Mapping[str, int]) -> int:
    """Return the value of a ratio; InputError where it is not an integer."""
    num = evaluate(r.num, values)
    if r.den == ONE:
        return num
    den = evaluate(r.den, values)
    if den == 0 or num % den:
        at = ", ".join(f"{k}={v}" for k, v in sorted(values.items()))
        raise InputError(
            f"({show(r.num)})/({show(r.den)}) is {num}/{den} at {at}, not an integer",
            "assume that the divisor divides",
        )
    return num // den


def _evaluate_atom(atom: Atom, values: Mapping[str, int]) -> int:
    a, b = evaluate_ratio(atom.a, values), evaluate_ratio(atom.b, values)
    if atom.kind in ("FloorDiv", "CeilDiv", "Modulo") and b == 0:
        raise InputError(f"{show(atom.b.num)} is 0 in a divisor", "divisors are at least 1")
    if atom.kind == "FloorDiv":
        return a // b
    if atom.kind == "CeilDiv":
        return -(-a // b)
    if atom.kind == "Modulo":
        return a % b
    return min(a, b) if atom.kind == "Minimum" else max(a, b)


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


def _common_monomial(polys: Iterable[Poly]) -> Monomial:
    common: dict[str, int] | None = None
    for p in polys:
        for m in p:
            powers = dict(m)
            if common is None:
                common = powers
            else:
                common = {v: min(e, powers[v]) for v, e in common.items() if v in powers}
            if not common:
                return ()
    return tuple(sorted((common or {}).items()))


def _over(p: Poly, factor: Monomial, content: int) -> Poly:
    cut = dict(factor)
    result = {}
    for m, c in p.items():
        key = tuple((v, e - cut.get(v, 0)) for v, e in m if e != cut.get(v, 0))
        result[key] = c // content
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
        powers = dict(top)
        for v, e in lead:
            powers[v] = powers.get(v, 0) - e
        if min(powers.values(), default=0) < 0 or rest[top] % q[lead]:
            return None
        term: Poly = {tuple(sorted((v, e) for v, e in powers.items() if e)): rest[top] // q[lead]}
        quotient = add(quotient, term)
        rest = sub(rest, mul(term, q))
        if len(quotient) > MAX_TERMS:
            return None
    return quotient


def _over_term(p: Poly, n: Monomial, content: int) -> Poly | None:
    """Return a polynomial over one term."""
    found: Poly = {}
    for m, c in p.items():
        powers = dict(m)
        for v, e in n:
            powers[v] = powers.get(v, 0) - e
        if c % content or (n and min(powers.values()) < 0):
            return None
        found[tuple([(v, e) for v, e in powers.items() if e]) if n else m] = c // content
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
        powers = dict(top)
        for v, e in lead:
            powers[v] = powers.get(v, 0) - e
        k = c // q[lead] if top == UNIT or c > 0 else -(-c // q[lead])
        if min(powers.values(), default=0) >= 0 and k:
            term: Poly = {tuple(sorted((v, e) for v, e in powers.items() if e)): k}
            whole = add(whole, term)
            todo = sub(todo, mul(term, q))
            c -= k * q[lead]
        if c:
            rest[top] = c
            todo = {m: d for m, d in todo.items() if m != top}
        if len(whole) > MAX_TERMS:
            return {}, p
    return whole, rest


def make_ratio(num: Poly, den: Poly) -> Ratio:
    """Return num/den with the common integer content and monomial removed, den leading positive."""
    if not den:
        raise InputError(f"{show(num)} is divided by 0", "divisors are at least 1")
    if not num:
        return Ratio(ZERO, ONE)
    if den == ONE:
        return Ratio(num, ONE)
    content = gcd(*num.values(), *den.values())
    common = _common_monomial((num, den))
    if den[max(den)] < 0:
        content = -content
    num, den = _over(num, common, content), _over(den, common, content)
    if den != ONE and is_constant(den) is None:
        whole = divide(num, den)
        if whole is not None:
            return Ratio(whole, ONE)
    return Ratio(num, den)


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


def show_ratio(r: Ratio) -> str:
    """Return a ratio as our grammar writes it."""
    if r.den == ONE:
        return show(r.num)
    num = show(r.num) if len(r.num) == 1 else f"({show(r.num)})"
    den = show(r.den)
    return f"{num}/{den}" if den.isalnum() else f"{num}/({den})"
