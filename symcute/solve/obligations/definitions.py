"""How dims can be written in parameters, from what the assumptions say.

`LD >= N` lets LD be N + t, `M % 128 == 0` lets M be 128*(1 + m). A dim with several useful
assumptions has several definitions; a way takes one for each dim. Assumptions it does not use are
dropped, which is sound for proving.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice, product
from math import lcm

from symcute.expr.assumptions import Assumptions
from symcute.expr.formula import Formula
from symcute.expr.lowering import lower
from symcute.expr.polynomial import (
    ONE,
    UNIT,
    Poly,
    constant,
    is_constant,
    mul,
    neg,
    sub,
    variable,
    variables,
)
from symcute.expr.ratio import ATOMS, Ratio, evaluate, names_in
from symcute.solve.obligations.parametrisation import Definition, Parametrisation

__all__ = ["ceilings", "gap", "ways"]

#: How many relations are known as what they say of their names.
KEPT = 1 << 14
#: How many choices of definitions are looked at for those with the best definitions.
MAX_CHOICES = 512


def ways(
    assumptions: Assumptions, names: Iterable[str], divisors: Iterable[tuple[str, int]] = ()
) -> Iterator[Parametrisation]:
    """Yield ways of writing the dims `names`, those with the best definitions first.

    Each way covers the whole region: for every instance that meets the assumptions there are
    parameters that give it. `divisors` are pairs (dim, c) for which `dim // c` is of interest.
    """
    options: dict[str, list[Definition]] = {}
    wanted: dict[str, list[int]] = {}
    for name, c in divisors:
        wanted.setdefault(name, []).append(c)
    todo = sorted(names)
    while todo:
        name = todo.pop()
        if name not in options:
            options[name] = _options(assumptions, name, wanted.get(name, []))
            for d in options[name]:
                todo.extend(names_in(d.p))
    order = sorted(options)
    choices = islice(product(*(range(len(options[n])) for n in order)), MAX_CHOICES)
    floors = {n: assumptions.lower_bound(n) for n in order}
    positive = _positive(assumptions)
    ends = ceilings(assumptions)
    seen: set[tuple[Definition, ...]] = set()
    for choice in sorted(choices, key=sum):
        picked = {n: options[n][k] for n, k in zip(order, choice, strict=True)}
        found = tuple(_sorted(picked, floors))
        if found not in seen:  # where cycles are cut, choices become the same
            seen.add(found)
            yield Parametrisation(found, floors, ends, positive)


def _sorted(picked: dict[str, Definition], floors: dict[str, int]) -> list[Definition]:
    """Return the definitions, each after those it speaks of; a cycle is cut by a lower bound."""
    done: dict[str, Definition] = {}

    def define(name: str, open_: tuple[str, ...]) -> None:
        inner = (*open_, name)
        definition = picked[name]
        needed = names_in(definition.p)
        if not needed.isdisjoint(inner):
            definition, needed = Definition(name, "from", lower(floors[name])), set()
        for v in sorted(needed):
            if v not in done:
                define(v, inner)
        done.setdefault(name, definition)

    for name in picked:
        if name not in done:
            define(name, ())
    return list(done.values())


def _options(assumptions: Assumptions, name: str, divisors: list[int]) -> list[Definition]:
    """Return how a dim can be defined, best first."""
    equal: list[Definition] = []
    multiple: list[Definition] = []
    above: list[Definition] = []
    below: list[Definition] = []
    least = assumptions.lower_bound(name)
    modulus = 1
    for f in assumptions.formulas:
        residue = _residue(f, name)
        if residue is not None:
            multiple.append(residue)
        elif f.op == "divides":
            p = _factor_of(f, name)
            c = None if p is None else is_constant(p)
            if c:
                modulus = lcm(modulus, abs(c))
            elif p:
                multiple.append(Definition(name, "times", Ratio(p, ONE)))
        elif f.op in ("eq", "le", "lt"):
            found = _solved(f).get(name)
            if found is not None:
                {"is": equal, "from": above, "upto": below}[found.kind].append(found)
    # N + K says that LD is at least both; LD - N as K would forget that K is at least 1.
    plain = [d for d in equal if all(c > 0 for c in d.p.num.values())]
    if plain:
        return plain[:1]
    if modulus > 1:
        multiple.append(Definition(name, "times", lower(modulus)))
    multiple = multiple if least >= 0 else []
    literal = Definition(name, "from", lower(least))
    bounds = [d for d in above if is_constant(d.p.num) is None]
    rests = [
        Definition(name, "rest", lower(c))
        for c in dict.fromkeys(divisors)
        if c >= 2 and modulus % c and least >= 0
    ]
    others = [*multiple, *bounds]
    # N from i says that N is at least 0 where i may be 0.
    weak = any(_least(assumptions, d.p.num) < least for d in bounds)
    first = [literal] if not others or least > 1 or weak else []
    return [*others, *first, *equal[:1], *below, *rests]


def _least(assumptions: Assumptions, p: Poly) -> int:
    """Return what a polynomial without negative coefficients is at the lower bounds of dims.

    For any other, and where one of these is negative, that is no bound; then 1 is returned.
    """
    lows = {v: assumptions.lower_bound(v) for v in variables(p) if v not in ATOMS}
    plain = lows.keys() == variables(p) and min([*p.values(), *lows.values()], default=0) >= 0
    return evaluate(p, lows) if plain else 1


def _residue(f: Formula, name: str) -> Definition | None:
    """Return name = c*k + r when the formula says `name % c == r`, or c | name + a number."""
    if f.op not in ("divides", "eq"):
        return None
    a, b = (lower(x) for x in f.args)
    if f.op == "divides":
        c, k = is_constant(a.num), b.num.get(UNIT, 0)
        if a.den != ONE or b.den != ONE or not c or not k or abs(c) < 2:
            return None
        if sub(b.num, constant(k)) != variable(name):
            return None
        return Definition(name, "residue", lower(abs(c)), -k % abs(c))
    r, found = is_constant(b.num), list(a.num)
    if r is None or b.den != ONE or a.den != ONE or len(found) != 1 or len(found[0]) != 1:
        return None
    atom = ATOMS.get(found[0][0][0])
    if atom is None or atom.kind != "Modulo" or a.num != variable(found[0][0][0]):
        return None
    c = is_constant(atom.b.num) if atom.b.den == ONE else None
    if atom.a != Ratio(variable(name), ONE) or c is None or not 0 <= r < c or c < 2:
        return None
    return Definition(name, "residue", lower(c), r)


def _factor_of(f: Formula, name: str) -> Poly | None:
    """Return d when the formula says d | name."""
    d, x = (lower(a) for a in f.args)
    if x.den == ONE and x.num == variable(name) and d.den == ONE and name not in names_in(d):
        return d.num
    return None


@lru_cache(maxsize=KEPT)
def gap(f: Formula) -> Poly | None:
    """Return what a relation says is 0 (eq) or at least 0 (le, lt), over dims; None with quotients.

    Denominators that are numbers are cleared. Any other would have to be known to be positive.
    """
    a, b = (lower(x) for x in f.args)
    over, under = is_constant(a.den), is_constant(b.den)
    if not over or not under:
        return None
    found = sub(mul(b.num, a.den), mul(a.num, b.den))
    return sub(found, constant(over * under)) if f.op == "lt" else found


@lru_cache(maxsize=KEPT)
def _solved(f: Formula) -> dict[str, Definition]:
    """Return name == p, name >= p or name <= p for names of which a formula says so."""
    relation = gap(f)
    found: dict[str, Definition] = {}
    if relation is None:
        return found
    for key, k in relation.items():
        if len(key) != 1 or key[0][1] != 1:
            continue
        name = key[0][0]
        rest = {m: c for m, c in relation.items() if m != key}
        if any(c % k for c in rest.values()) or name in names_in(Ratio(rest, ONE)):
            continue
        kind = "is" if f.op == "eq" else "from" if k > 0 else "upto"
        # k*name + rest is 0, or at least 0: name against -rest/k.
        found[name] = Definition(name, kind, Ratio({m: -(c // k) for m, c in rest.items()}, ONE))
    return found


def _positive(assumptions: Assumptions) -> dict[str, int]:
    """Return the minima and maxima that are assumed to be at least 1, with where they are."""
    found = dict[str, int]()
    for k, f in enumerate(assumptions.formulas):
        if f.op == "le" and lower(f.args[0]) == Ratio(ONE, ONE):
            x = lower(f.args[1])
            name = next(iter(variables(x.num)), "")
            extreme = name in ATOMS and ATOMS[name].kind in ("Minimum", "Maximum")
            if extreme and x == Ratio(variable(name), ONE):
                found.setdefault(name, k)
    return found


def ceilings(assumptions: Assumptions) -> dict[str, int]:
    """Return the least literal upper bound of every dim that has one."""
    found: dict[str, int] = {}
    for f in assumptions.formulas:
        if f.op not in ("le", "lt", "eq"):
            continue
        p = gap(f)
        if p is None:
            continue
        for side in (p, neg(p)) if f.op == "eq" else (p,):
            names = variables(side)
            if len(names) != 1 or len(side) > 2:
                continue
            (name,) = names
            k = side.get(((name, 1),), 0)
            if k < 0 and name not in ATOMS and len(side) == 1 + (UNIT in side):
                end = side.get(UNIT, 0) // -k
                found[name] = min(end, found.get(name, end))
    return found
