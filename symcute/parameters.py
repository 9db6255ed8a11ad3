"""Dims as polynomials in parameters that are at least 0: the cheap road to proving inequalities.

`LD >= N` gives `LD = N + t`, `M % 128 == 0` gives `M = 128*(1 + m)`. Then `p >= 0` holds when the
expanded polynomial has no negative coefficient. A way of writing the dims covers the whole region:
for every instance that meets the assumptions there are parameters that give it. It may ignore
assumptions, which is sound for proving; the names of parameters end in a prime.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice, product
from math import lcm
from typing import TypeAlias

from symcute.assumptions import Assumptions
from symcute.formula import Formula
from symcute.poly import (
    ATOMS,
    ONE,
    Poly,
    Ratio,
    add,
    constant,
    is_constant,
    lower,
    make_ratio,
    mul,
    neg,
    sub,
    substitute,
    variable,
    variables,
)

__all__ = [
    "Parametrisation",
    "at_least",
    "large_parameters",
    "rewrite",
    "small_instances",
    "ways",
]

#: How a dim is written in parameters.
Parametrisation: TypeAlias = dict[str, Poly]
#: How many points of the parameters are looked at for a large one.
MAX_POINTS = 400


def rewrite(r: Ratio, way: Parametrisation) -> Ratio:
    """Return the ratio over the parameters, common factors removed again."""
    return make_ratio(substitute(r.num, way), substitute(r.den, way)) if way else r


def at_least(p: Poly, bound: int, way: Parametrisation) -> bool:
    """Return whether p >= bound because every coefficient of p - bound is non-negative.

    Sound only over variables that are at least 0: parameters, and atoms with a known lower bound.
    Any other variable makes the answer False.
    """
    p = sub(p, constant(bound))
    atoms = {}
    for name in variables(p):
        if not name.endswith("'"):
            least = _atom_bound(name, way)
            if least is None:
                return False
            atoms[name] = add(variable(name), constant(least))
    return all(c > 0 for c in (substitute(p, atoms) if atoms else p).values())


def _atom_bound(name: str, way: Parametrisation) -> int | None:
    """Return a lower bound (0 or 1) of an atom, else None."""
    if name not in ATOMS:
        return None
    kind, a, b = ATOMS[name]
    least_a, least_b = _ratio_bound(a, way), _ratio_bound(b, way)
    if kind in ("Minimum", "Maximum"):
        bounds = [x for x in (least_a, least_b) if x is not None]
        if kind == "Minimum" and len(bounds) < 2:
            return None
        return (min if kind == "Minimum" else max)(bounds, default=None)
    if least_b != 1 or (kind != "Modulo" and least_a is None):
        return None
    return least_a if kind == "CeilDiv" else 0


def _ratio_bound(r: Ratio, way: Parametrisation) -> int | None:
    num, den = rewrite(r, way)
    if not at_least(den, 1, way):
        return None
    # An integer value num/den > 0 is at least 1.
    return 1 if at_least(num, 1, way) else 0 if at_least(num, 0, way) else None


def ways(assumptions: Assumptions, names: Iterable[str]) -> Iterator[Parametrisation]:
    """Yield ways of writing the dims as polynomials in parameters that are at least 0.

    Each way covers the whole region: for every instance that meets the assumptions there are
    parameters that give it. A dim with several useful assumptions has several definitions.
    """
    options: dict[str, list[tuple[str, Poly]]] = {}
    todo = list(names)
    while todo:
        name = todo.pop()
        if name not in options:
            options[name] = _definitions(assumptions, name)
            for _, p in options[name]:
                todo.extend(variables(p))
    order = sorted(options)
    for choice in product(*(options[n] for n in order)):
        yield _resolve(dict(zip(order, choice, strict=True)), assumptions)


def _definitions(assumptions: Assumptions, name: str) -> list[tuple[str, Poly]]:
    """Return how a dim can be defined, best first: ("is", p), ("times", modulus), ("from", low)."""
    equal: list[tuple[str, Poly]] = []
    multiple: list[tuple[str, Poly]] = []
    above: list[tuple[str, Poly]] = []
    modulus = 1
    for f in assumptions.formulas:
        if f.op == "divides":
            p = _factor_of(f, name)
            c = None if p is None else is_constant(p)
            if c is not None:
                modulus = lcm(modulus, abs(c))
            elif p is not None and assumptions.lower_bound(name) >= 0 and _positive(p, assumptions):
                multiple.append(("times", p))
        elif f.op in ("eq", "le", "lt"):
            p = _solved(f, name)
            if p is not None:
                (equal if f.op == "eq" else above).append(("is" if f.op == "eq" else "from", p))
    if modulus > 1 and assumptions.lower_bound(name) >= 0:
        multiple.append(("times", constant(modulus)))
    if equal:
        return equal[:1]
    least = constant(assumptions.lower_bound(name))
    bounds = [d for d in above if is_constant(d[1]) is None]
    return [*multiple, *bounds] or [("from", least)]


def _positive(p: Poly, assumptions: Assumptions) -> bool:
    """Return whether p >= 1 because its dims are and no coefficient is negative."""
    return all(c > 0 for c in p.values()) and all(
        v not in ATOMS and assumptions.lower_bound(v) >= 1 for v in variables(p)
    )


def _factor_of(f: Formula, name: str) -> Poly | None:
    """Return d when the formula says d | name."""
    d, x = (lower(a) for a in f.args)
    if x.den == ONE and x.num == variable(name) and d.den == ONE and name not in variables(d.num):
        return None if any(v in ATOMS for v in variables(d.num)) else d.num
    return None


def _solved(f: Formula, name: str) -> Poly | None:
    """Return p when the formula says name == p or name >= p, with name not in p."""
    a, b = (lower(x) for x in f.args)
    if a.den != ONE or b.den != ONE:
        return None
    gap = sub(b.num, a.num)
    if f.op == "lt":
        gap = sub(gap, ONE)
    key = ((name, 1),)
    if f.op == "eq" and gap.get(key) == -1:
        gap = neg(gap)
    if gap.get(key) != 1:
        return None
    rest = {m: c for m, c in gap.items() if m != key}
    if any(v == name or v in ATOMS for v in variables(rest)):
        return None
    return neg(rest)


def _resolve(choice: dict[str, tuple[str, Poly]], assumptions: Assumptions) -> Parametrisation:
    """Return every dim as a polynomial in parameters; a cycle is cut by the plain lower bound."""
    done: Parametrisation = {}

    def define(name: str, open_: tuple[str, ...]) -> Poly:
        if name not in done:
            kind, p = choice[name]
            least = assumptions.lower_bound(name)
            inner = (*open_, name)
            if any(v in inner for v in variables(p)):
                kind, p = "from", constant(least)
            p = substitute(p, {v: define(v, inner) for v in variables(p)})
            parameter = variable(name + "'")
            c = is_constant(p)
            if kind == "times" and c is not None and c < 1:
                kind, p = (
                    "from",
                    constant(least),
                )  # only where the assumptions contradict each other
            if kind == "times":
                # name = p * k with k >= 1 when name >= 1, and k >= ceil(least / p) for a number p.
                start = min(least, 1) if c is None else -(-least // c)
                done[name] = mul(p, add(parameter, constant(start)))
            else:
                done[name] = p if kind == "is" else add(p, parameter)
        return done[name]

    for name in choice:
        define(name, ())
    return done


def small_instances(
    found: list[Parametrisation], names: frozenset[str]
) -> Iterator[dict[str, int]]:
    """Yield instances of the dims, smallest parameters first, then corners and larger values."""
    for way in found:
        parameters = sorted({v for p in way.values() for v in variables(p)})
        for values in _grid(len(parameters)):
            at = dict(zip(parameters, values, strict=True))
            yield {n: _value(way[n], at) for n in names}


def _value(p: Poly, at: dict[str, int]) -> int:
    total = 0
    for m, c in p.items():
        for v, e in m:
            c *= at[v] ** e
        total += c
    return total


@cache
def large_parameters(n: int) -> tuple[int, ...]:
    """Return the parameters of the instance that `sample` takes for n dims without assumptions."""
    return max(islice(_grid(n), MAX_POINTS), key=lambda at: (min(at, default=0), sum(at)))


def _grid(n: int) -> Iterator[tuple[int, ...]]:
    if n == 0:
        yield ()
        return
    for total in range(13):
        yield from islice(_compositions(total, n), 1000)
    yield from islice(product((0, 1, 6, 15, 16, 30, 31, 127), repeat=n), 4096)


def _compositions(total: int, n: int) -> Iterator[tuple[int, ...]]:
    if n == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _compositions(total - first, n - 1):
            yield (first, *rest)
