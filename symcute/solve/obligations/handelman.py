"""p >= 0 from products of what is known to be at least 0.

Given constraints g_i >= 0, p is at least 0 where `p + 1 - sum of l * (product of constraints and
parameters)` has no negative coefficient and a positive constant: p is an integer and above -1.
Before, p is divided by the content of its terms that are not constant, the constant rounded down.
Where quotients have symbolic divisors f, `f*(p + 1) > 0` is shown instead, which is as good.
The rational weights l >= 0 are found by linear programming; checking them takes no solver.
Source: D. Handelman, "Representing polynomials by positive linear functions on compact convex
polyhedra", 1988.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import gcd
from typing import Any, NamedTuple, TypeAlias

from symcute.errors import InputError
from symcute.expr import limits
from symcute.expr.assumptions import Assumptions
from symcute.expr.lowering import lower
from symcute.expr.polynomial import (
    ONE,
    UNIT,
    Monomial,
    Poly,
    add,
    constant,
    divide,
    is_constant,
    mul,
    sub,
    variable,
    variables,
)
from symcute.solve.elimination import cofactor
from symcute.solve.obligations.definitions import gap
from symcute.solve.obligations.parametrisation import NoValue, Parametrisation
from symcute.solve.obligations.simplex import feasible

__all__ = [
    "Constraint",
    "Terms",
    "Work",
    "constraints",
    "factor_name",
    "factors_of",
    "handelman",
    "weighted",
]

#: The weights with their factors, as certificates hold them.
Terms: TypeAlias = list[tuple[str, list[Any]]]
#: The most products and monomials that are looked at, and their degree beyond that of p.
MAX_COLUMNS, MAX_MONOMIALS, MORE_DEGREE = 90, 160, 1
#: The largest polynomial that is tried, and the most constraints that are multiplied in pairs.
MAX_TERMS, MAX_DEGREE, MAX_PAIRED, MAX_PRODUCT = 48, 6, 10, 200
#: How much is done for a question; see `Work`.
MAX_WORK = 300_000
#: By how much at most a polynomial at least 0 is shown to be above something below 0.
MARGIN = 1 - Fraction(1, 1 << 12)


class Work:
    """How much may still be done; roughly in tenths of a microsecond."""

    def __init__(self, left: int = MAX_WORK) -> None:
        self._left = left

    def renew(self, left: int) -> None:
        """Let so much be left."""
        self._left = left

    def spend(self, amount: int) -> None:
        """Take an amount of what is left."""
        limits.spend(amount)
        self._left -= amount

    @property
    def done(self) -> bool:
        """Whether nothing is left."""
        return self._left <= 0


class Constraint(NamedTuple):
    """A polynomial over the parameters that is at least 0, or 0, and what says so."""

    factors: tuple[Any, ...]
    p: Poly
    equation: bool = False


def constraints(assumptions: Assumptions, way: Parametrisation) -> list[Constraint]:
    """Return what the assumptions, the boxes and the atoms of a way say over its parameters.

    What holds by the coefficients alone is left out. Atoms are those the way has met so far.
    """
    found: list[Constraint] = []
    for k, f in enumerate(assumptions.formulas):
        if f.op not in ("eq", "le", "lt"):
            continue
        if gap(f) is None:
            continue
        try:  # over the parameters a number that divides may divide what it is below
            a, b = (way.value(lower(x)) for x in f.args)
            value = b - a - lower(int(f.op == "lt"))
        except (NoValue, InputError):
            continue
        if is_constant(value.den):
            equation = f.op == "eq"
            found.append(Constraint((("e" if equation else "g", k),), value.num, equation))
    for d in way.definitions:
        if d.kind in ("upto", "rest"):
            least = sub(way.values[d.name], constant(assumptions.lower_bound(d.name)))
            found.append(Constraint((("l", d.name),), least))
    for name, end in way.boxes.items():
        found.append(Constraint((("u", name),), sub(constant(end), variable(name))))
    for atom in list(way.atoms.values()):
        for i, p in enumerate(atom.constraints):
            found.append(Constraint((("a", atom.source, i),), p))
    return [c for c in found if c.p and (c.equation or not way.nonnegative(c.p))]


def factors_of(assumptions: Assumptions, way: Parametrisation) -> list[tuple[Poly, str]]:
    """Return the dims, at least 1, by which both sides of an assumption are multiplied."""
    found: dict[str, Poly] = {}
    for f in assumptions.formulas:
        if f.op in ("eq", "le", "lt"):
            a, b = (lower(x) for x in f.args)
            monomials = [{v for v, _ in m} for m in sub(b.num, a.num)]
            for name in sorted(set.intersection(*monomials) if monomials else ()):
                value = way.values.get(name)
                if value is not None and way.at_least(value, 1):
                    found[name] = value
    return [(value, name) for name, value in found.items()]


def handelman(
    p: Poly,
    given: Sequence[Constraint],
    way: Parametrisation,
    work: Work | None = None,
    factors: Sequence[tuple[Poly, str]] = (),
) -> tuple[Any, ...] | None:
    """Return what shows p >= 0, or None when nothing was found: weights, and factors f and g.

    With factors, both at least 1: p is g*p', and f*(p' + 1) > 0 is shown. Divisors in p are tried
    as factors, and those given. Nothing more is looked at when the `work` is used up.

    >>> from symcute.solve.obligations.parametrisation import Definition
    >>> from symcute.expr.lowering import lower
    >>> way = Parametrisation([Definition("M", "from", lower(0))], {"M": 0}, {"M": 8})
    >>> q = sub(constant(8), variable("M'"))
    >>> handelman(q, [Constraint((("u", "M'"),), q)], way)
    ([('1', [('u', "M'")])],)
    """
    work = work or Work()
    found = _shown(p, ONE, given, way, work)
    if found is not None:
        return (found,)
    factors = [*way.divisors(p), *factors]
    inner, g = _common(p, [*way.positive, *factors])
    for f, text in [(ONE, "1"), *factors] if g != "1" else factors:
        found = _shown(inner, f, given, way, work)
        if found is not None:
            return (found, text, g) if g != "1" else (found, text)
    return None


def _common(p: Poly, factors: Sequence[tuple[Poly, str]]) -> tuple[Poly, str]:
    """Return p without the factors that divide it, and their product as text."""
    taken: list[str] = []
    for factor, text in factors:
        while p and (inner := divide(p, factor)) is not None and is_constant(factor) is None:
            p = inner
            taken.append(f"({text})")
    return p, "*".join(taken) or "1"


def _shown(
    p: Poly, f: Poly, given: Sequence[Constraint], way: Parametrisation, work: Work
) -> Terms | None:
    """Return weights that show f*(p + 1) > 0, or None."""
    p = sub(mul(f, add(_rounded(p), ONE)), ONE)
    for c in given:  # one constraint alone, however large
        left = sub(add(p, ONE), c.p)
        if left.get(UNIT, 0) > 0 and way.nonnegative(left):
            return [("1", list(c.factors))]
    most = max(_degree(p), 1)
    if len(p) > MAX_TERMS or most > MAX_DEGREE:
        return None
    near = _near(p, given)
    tried: set[int] = set()
    for usable, degree in _rounds(near, most):
        if work.done:
            return None
        columns = _columns(p, usable, degree, way, work)
        if not columns or len(columns) in tried:
            continue
        tried.add(len(columns))
        found = weighted(p, columns, way)
        if found is not None:
            return found
    return None


def _rounds(near: list[Constraint], most: int) -> Iterator[tuple[list[Constraint], int]]:
    """Yield the constraints and the degree to try, those that take more work later."""
    yield near, most
    yield near, most + MORE_DEGREE
    if most >= 2 and len(near) <= MAX_PAIRED:
        pairs = [
            Constraint((*a.factors, *b.factors), mul(a.p, b.p))
            for a, b in combinations_with_replacement(near, 2)
            if not (a.equation or b.equation) and len(a.p) * len(b.p) <= MAX_PRODUCT
        ]
        yield near + pairs, most


def _rounded(p: Poly) -> Poly:
    """Return p divided by the content of what is not constant, the constant rounded down.

    At integers the one is at least 0 exactly where the other is.
    """
    content = gcd(*(c for m, c in p.items() if m != UNIT))
    if content <= 1:
        return p
    found = {m: c // content for m, c in p.items()}
    return {m: c for m, c in found.items() if c}


def _near(p: Poly, given: Iterable[Constraint]) -> list[Constraint]:
    """Return the constraints that share variables with p, directly or through others."""
    names = variables(p)
    near: list[Constraint] = []
    rest = list(given)
    while True:
        found = [c for c in rest if not names or not names.isdisjoint(variables(c.p))]
        if not found:
            return near
        near += found
        rest = [c for c in rest if c not in found]
        for c in found:
            names |= variables(c.p)


def _degree(p: Poly) -> int:
    return max((sum(e for _, e in m) for m in p), default=0)


def _columns(
    p: Poly, given: Sequence[Constraint], degree: int, way: Parametrisation, work: Work
) -> list[Constraint]:
    """Return the products that can mend a negative coefficient, of p or of another product."""
    unknown = {v for c in (p, *(c.p for c in given)) for v in variables(c) if not way.known(v)}

    def vague(m: Monomial) -> bool:
        return bool(unknown) and any(v in unknown for v, _ in m)

    degrees = [_degree(c.p) for c in given]
    terms = [[(n, a, frozenset(v for v, _ in n)) for n, a in c.p.items()] for c in given]
    todo = [m for m, c in p.items() if c < 0 or vague(m)] or [UNIT]
    seen = set(todo)
    columns: dict[tuple[int, Monomial], Constraint] = {}
    for m in todo:  # grows on the way
        signed = vague(m)
        names = frozenset(v for v, _ in m)
        for k, c in enumerate(given):
            work.spend(len(c.p))
            for n, coefficient, needed in terms[k]:
                if not needed <= names or (coefficient > 0 and not c.equation and not signed):
                    continue
                factor = cofactor(m, n)
                if factor is None or (k, factor) in columns:
                    continue
                size = sum(e for _, e in factor)
                if (size and size + degrees[k] > degree) or (vague(factor) and not c.equation):
                    continue
                named = tuple([factor_name(v, way) for v, e in factor for _ in range(e)])
                product = mul(c.p, {factor: 1})
                work.spend(4 * len(product))
                columns[k, factor] = Constraint((*c.factors, *named), product, c.equation)
                # Taking a product away leaves its positive coefficients behind, negative.
                fresh = [
                    x
                    for x, value in product.items()
                    if x not in seen and (value > 0 or c.equation or vague(x))
                ]
                seen.update(fresh)
                todo += fresh
        if len(columns) > MAX_COLUMNS or len(todo) > MAX_MONOMIALS or work.done:
            break
    return list(columns.values())


def factor_name(v: str, way: Parametrisation) -> Any:
    """Return a variable as certificates name it: an atom by where it stands in the text."""
    if v not in way.atoms:
        return v
    atom = way.atoms[v]
    return ("v", atom.source) if atom.assumed is None else ("g", atom.assumed)


def weighted(p: Poly, columns: Sequence[Constraint], way: Parametrisation) -> Terms | None:
    """Return weights of constraints that show p + 1 > 0 as they stand, or None."""
    # An equation may be taken away or added: it has a column for each sign.
    signed = [(c, 1) for c in columns] + [(c, -1) for c in columns if c.equation]
    rows: dict[Monomial, dict[int, int]] = {m: {} for m in (*p, UNIT)}
    for j, (c, sign) in enumerate(signed):
        for m, a in c.p.items():
            rows.setdefault(m, {})[j] = a * sign
    table: list[dict[int, int]] = []
    bounds: list[Fraction] = []
    for m, row in rows.items():
        bound = Fraction(p.get(m, 0)) + (MARGIN if m == UNIT else 0)
        table.append(row)
        bounds.append(bound)
        if not all(way.known(v) for v, _ in m):  # the coefficient must vanish
            table.append({j: -a for j, a in row.items()})
            bounds.append(-bound)
    if not _pruned(table, bounds):
        return None
    found = feasible(table, bounds, len(signed))
    if found is None:
        return None
    pairs = zip(found, signed, strict=True)
    return [(str(x * sign), list(c.factors)) for x, (c, sign) in pairs if x]


def _pruned(table: list[dict[int, int]], bounds: list[Fraction]) -> bool:
    """Take out the columns that must be 0; return whether every row can still be met."""
    users: dict[int, list[dict[int, int]]] = {}
    for row in table:
        for j in row:
            users.setdefault(j, []).append(row)
    changed = True
    while changed:
        changed = False
        for row, bound in zip(table, bounds, strict=True):
            if bound > 0 or any(a < 0 for a in row.values()):
                continue
            if bound < 0:
                return False
            changed = changed or bool(row)
            for j in list(row):
                for other in users.pop(j):
                    other.pop(j, None)
    return True
