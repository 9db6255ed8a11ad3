"""Bounds of quotients that follow from the bound of what is divided: digits of an index.

Where `a < D`, and D/b is D'/g in lowest terms, `g*(a // b) < D'`, and `g*(a // b + 1) <= D'` where
g divides D' (`proofs/lemmas/places.py`). A chain of quotients and remainders of one index is its
digits; with the bound of the last one each bound of what is made of them is a sum of products of
bounds of digits. Where the last tile is smaller than the others, the divisor is a minimum: it is at
least 1, and what is divided is below it times a dim. Of a digit modulo a number, as bits are, both
bounds are cut in, and that it is below that number where it is; of what is left modulo a number
the end of the quotient, too: `x - x % c` is a multiple of c.

The bounds are facts, each with its proof, under which claims and the products of kernels are asked
again. `parts.py` is cheaper and shows less: there digits are any numbers in such bounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from symcute.expr.assumptions import Assumptions
from symcute.expr.formula import Formula, eq, le, lt, negation
from symcute.expr.lowering import lower
from symcute.expr.polynomial import ONE, Poly, add, is_constant, quotient, sub, variable, variables
from symcute.expr.ratio import ATOMS, Atom, Ratio, names_in
from symcute.solve.cases import case
from symcute.solve.obligations.definitions import gap
from symcute.solve.powers import Cut, Known

__all__ = ["bounds_of_quotients"]

#: How many bounds are looked at for a formula.
MAX_BOUNDS = 8


def bounds_of_quotients(known: Known, f: Formula) -> list[Cut]:
    """Return bounds of the quotients in a formula, with their proofs.

    >>> from symcute.solve.entailment import facts
    >>> known = facts(["0 <= i < B*C*H"])
    >>> (claim,) = Assumptions.of("i // (C*H)*C + i % C < B*C").formulas
    >>> [str(bound) for bound, _ in bounds_of_quotients(known, claim)]
    ['floor_div(i,C*H)+1 <= B']
    """
    found: list[Cut] = []
    whole = dict.fromkeys(_of_multiples(known.assumptions, f))
    bounds = dict.fromkeys(chain(_of_tiles(f), whole, _bounds(known.assumptions, f)))
    for bound in list(bounds)[:MAX_BOUNDS]:
        said = case(known.assumptions, bound)
        by = None if said is None else known.proof(said, solver=False)
        if said is not None and by is None and bound in whole:
            more = known.under(negation(said)).contradicted()  # it would be a whole step too large
            by = more and ("absurd", more)
        if said is not None and by is not None:
            found.append((said, by))
    return found


def _bounds(assumptions: Assumptions, f: Formula) -> Iterator[Formula]:
    for name in dict.fromkeys(_quotients(f)):
        kind, a, b = ATOMS[name]
        whole = Ratio(variable(name), ONE)
        if kind == "Modulo":
            inner = _has_digits(a)
            if inner:
                yield le(whole + 1, b)
            if not _by_number(a, b):
                continue
            if inner:
                yield le(0, whole)
            whole = _whole(a, b)
            if inner:
                yield eq(whole, 0)
        for fact in assumptions.formulas:
            room = gap(fact) if fact.op in ("le", "lt") and a.den == ONE else None
            end = {} if room is None else add(add(room, a.num), ONE)
            if end and variables(end).isdisjoint(variables(a.num)):
                left = Ratio(end, ONE) / b
                yield le((whole + 1) * Ratio(left.den, ONE), Ratio(left.num, ONE))
                if left.den != ONE:
                    yield lt(whole * Ratio(left.den, ONE), Ratio(left.num, ONE))


def _of_multiples(assumptions: Assumptions, f: Formula) -> Iterator[Formula]:
    """Yield bounds by how often something goes into a multiple of it that is no product.

    What is below such a multiple is so by a whole step, rounded down to one.
    """
    given = assumptions.formulas
    pairs = [tuple(map(lower, x.args)) for x in given if x.op == "divides"]
    pairs = [(d, a) for d, a in pairs if d.den == a.den == ONE and not is_constant(d.num)]
    if not pairs:
        return
    rooms = [room for x in given if x.op in ("le", "lt") and (room := gap(x)) is not None]
    counted = [*chain(*map(_counted, (f, *given))), *((a, d) for d, a in pairs)]
    for d, a in pairs:
        for room in rooms:
            below = sub(sub(a.num, room), ONE)
            if not below or not variables(a.num).isdisjoint(variables(below)):
                continue
            steps, _ = quotient(below, d.num)
            whole = [Ratio(steps, ONE)] if is_constant(steps) is None else []
            whole += [_whole(x, d) for x, b in counted
                      if b == d and not variables(x.num).isdisjoint(variables(below))]  # fmt: skip
            yield from (le(q + 1, _whole(a, d)) for q in whole)


def _counted(f: Formula) -> Iterator[tuple[Ratio, Ratio]]:
    """Yield what is divided in a formula, and by what, a quotient by both divisors at once."""
    for name in dict.fromkeys(_rounded(f)):
        yield from _divided(ATOMS[name])


def _divided(atom: Atom) -> Iterator[tuple[Ratio, Ratio]]:
    kind, a, b = atom
    if kind in ("FloorDiv", "Modulo"):
        yield a, b
        inner = next(iter(variables(a.num)), "")
        if inner in ATOMS and a == Ratio(variable(inner), ONE) and ATOMS[inner].kind == "FloorDiv":
            yield ATOMS[inner].a, ATOMS[inner].b * b


def _whole(a: Ratio, b: Ratio) -> Ratio:
    """Return the quotient of two, rounded down."""
    atom = Atom("FloorDiv", a, b)
    name = f"floor_div({a},{b})"
    ATOMS[name] = atom
    return Ratio(variable(name), ONE)


def _has_digits(a: Ratio) -> bool:
    """Return whether something in what is divided rounds."""
    return not ATOMS.keys().isdisjoint(variables(a.num))


def _by_number(a: Ratio, b: Ratio) -> bool:
    """Return whether an integer is divided by a number."""
    return a.den == b.den == ONE and is_constant(b.num) is not None


def _of_tiles(f: Formula) -> Iterator[Formula]:
    """Yield that divisors that are minima or maxima are at least 1, and bounds of what they divide.

    What is divided is a digit; its bound is the divisor times a dim.
    """
    for name in dict.fromkeys(_rounded(f)):
        _, a, b = ATOMS[name]
        tile = next(iter(variables(b.num)), "")
        if b != Ratio(variable(tile), ONE) or tile not in ATOMS:
            continue
        if ATOMS[tile].kind in ("Minimum", "Maximum"):
            yield le(1, b)
            yield from (lt(a, b * Ratio(variable(n), ONE)) for n in sorted(names_in(a)))


def _quotients(f: Formula) -> Iterator[str]:
    """Yield the names of the quotients, rounded down, in a formula, and of digits below them."""
    for x in f.args:
        if isinstance(x, Formula):
            yield from _quotients(x)
        else:
            yield from _inside(lower(x).num)


def _rounded(f: Formula) -> Iterator[str]:
    """Yield the names of what rounds in a formula."""
    for x in f.args:
        if isinstance(x, Formula):
            yield from _rounded(x)
        else:
            p = lower(x).num
            yield from (v for v in sorted(variables(p)) if v in ATOMS)


def _inside(p: Poly) -> Iterator[str]:
    for m in p:
        for v, _ in m:
            if v in ATOMS:
                kind, a, b = ATOMS[v]
                if kind == "FloorDiv" or (
                    kind == "Modulo" and (_has_digits(a) or _by_number(a, b))
                ):
                    yield v
                for x in ATOMS[v].a, ATOMS[v].b:
                    yield from _inside(x.num)
