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
from symcute.expr.formula import Formula, eq, le, lt
from symcute.expr.lowering import lower
from symcute.expr.polynomial import (
    ATOMS,
    ONE,
    Atom,
    Poly,
    Ratio,
    add,
    is_constant,
    names_in,
    variable,
    variables,
)
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
    bounds = chain(_of_tiles(f), _bounds(known.assumptions, f))
    for bound in list(dict.fromkeys(bounds))[:MAX_BOUNDS]:
        said = case(known.assumptions, bound)
        by = None if said is None else known.proof(said, solver=False)
        if said is not None and by is not None:
            found.append((said, by))
    return found


def _bounds(assumptions: Assumptions, f: Formula) -> Iterator[Formula]:
    for name in dict.fromkeys(_quotients(f)):
        kind, a, b = ATOMS[name]
        quotient = Ratio(variable(name), ONE)
        if kind == "Modulo":
            inner = _has_digits(a)
            if inner:
                yield le(quotient + 1, b)
            if not _by_number(a, b):
                continue
            if inner:
                yield le(0, quotient)
            quotient = _whole(a, b)
            if inner:
                yield eq(quotient, 0)
        for fact in assumptions.formulas:
            room = gap(fact) if fact.op in ("le", "lt") and a.den == ONE else None
            end = {} if room is None else add(add(room, a.num), ONE)
            if end and variables(end).isdisjoint(variables(a.num)):
                left = Ratio(end, ONE) / b
                yield le((quotient + 1) * Ratio(left.den, ONE), Ratio(left.num, ONE))
                if left.den != ONE:
                    yield lt(quotient * Ratio(left.den, ONE), Ratio(left.num, ONE))


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
