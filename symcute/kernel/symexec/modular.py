"""Numbers of a type: which are in it, which wrap, and of which arithmetic modulo it is meant."""

from __future__ import annotations

from symcute.expr import terms
from symcute.expr.intervals import ANY, Range, meet
from symcute.expr.node import Term
from symcute.kernel.ir.program import Int
from symcute.kernel.symexec.division import remainder
from symcute.kernel.symexec.state import Path, Value

__all__ = ["inside", "is_arithmetic", "is_large", "is_modular", "near_zero", "wrapped"]


def inside(type: Int, term: Term, path: Path, within: Range = ANY) -> bool:
    """Return whether a term, which lies in a range, lies in a type."""
    low, high = meet(path.known.of(term), within)
    return type.low <= low and high <= type.high


def wrapped(type: Int, term: Term, path: Path) -> Term:
    """Return the number of a type that is congruent to a term."""
    full = 1 << type.bits
    low, high = path.known.of(term)
    if type.low - full <= low and high <= type.high:
        return terms.if_(terms.less(term, type.low), terms.add(term, full), term)
    if type.low <= low and high <= type.high + full:
        return terms.if_(terms.less(type.high, term), terms.add(term, -full), term)
    return terms.add(remainder(terms.add(term, -type.low), full, path), type.low)


def is_arithmetic(value: Value) -> bool:
    """Return whether a value is unsigned arithmetic that nothing has used, without conversions."""
    return bool(value.origins) and not any(o.meant or o.conversion for o in value.origins)


def near_zero(term: Term, type: Int) -> Term:
    """Return what an unsigned number adds, or multiplies by: one that is near the end is below 0.

    So it is told in the same words whether -1 or the number that a compiler has for it is written.
    """
    near = isinstance(term, int) and 0 <= type.high - term < 1 << type.bits // 2
    return terms.add(term, -1 - type.high) if near else term


def is_large(term: Term, type: Int) -> bool:
    """Return whether twice a number leaves an unsigned type.

    Who multiplies by such a number wants the product modulo the type: hashes, random numbers.
    """
    return isinstance(term, int) and not type.signed and 2 * term > type.high


def is_modular(value: Value) -> bool:
    """Return whether a value is the result of arithmetic that is meant modulo its type."""
    meant = all(o.meant and not o.conversion for o in value.origins)
    return bool(value.origins) and meant and not isinstance(value.term, int)
