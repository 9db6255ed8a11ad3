"""What follows from names that are powers of two: what bits are below, and who divides whom.

Of two numbers from 0 on that are below a power of two, `x | y` and `x ^ y` are so as well: neither
number has a bit from that of the power on. Of two powers of two the smaller divides the larger, and
twice the smaller too: so a multiple of it that is below the larger is so by a whole step. Twice a
power of two is one as long as it is at most 2**64 (`proofs/lemmas/bits.py`, `powers.py`).

Powers of two are names of which a hypothesis says that they divide 2**64; what has to be known of
sizes is shown first. Numbers for powers need none of this: ranges know them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import permutations
from math import inf

from symcute.expr.formula import POWERS
from symcute.expr.node import Node, Term
from symcute.expr.terms import add, at_most, from_polynomial, less, mul, polynomial
from symcute.solve.sequent import Sequent

__all__ = ["doubled", "powers_in", "with_bits"]

#: How many pairs of bits and a power are looked at, and how many powers with each other.
MOST, MOST_POWERS = 16, 4


def powers_in(hypotheses: Iterable[Term]) -> list[str]:
    """Return the names that hypotheses say to be powers of two, where they are at least 1.

    >>> powers_in([Node("==", Node("%", POWERS, "B"), 0), Node("<", "i", "B")])
    ['B']
    """
    return [n for n in dict.fromkeys(map(_power, hypotheses)) if n]


def with_bits(
    here: Sequent, terms: Iterable[Term], shows: Callable[[Sequent, Term], bool]
) -> Sequent:
    """Return the sequent with what is shown by powers of two, of bits in terms among it.

    Where nothing new is, it is the same one, with all that is known of it.

    >>> given = [Node("==", Node("%", POWERS, "B"), 0), Node("<=", 0, "i"), Node("<", "i", "B")]
    >>> xor, told = Node("^", "i", "j"), lambda here, x: x in here.hypotheses
    >>> with_bits(Sequent(given, {"B"}), [xor], told).hypotheses == tuple(given)
    True
    >>> given += [Node("<=", 0, "j"), Node("<", "j", "B")]
    >>> with_bits(Sequent(given, {"B"}), [xor], told).hypotheses[5:]
    (('<=', 0, ('^', 'i', 'j')), ('<', ('^', 'i', 'j'), 'B'))
    """
    powers = powers_in(here.hypotheses)
    bits = dict.fromkeys(x for t in terms for x in _bits(t)) if powers else {}
    for x, power in [(x, p) for x in bits for p in powers][:MOST]:
        wanted = [t for y in x.args for t in (at_most(0, y), less(y, power))]
        told = [t for t in (at_most(0, x), less(x, power)) if t not in here.hypotheses]
        if told and all(t is True or (t is not False and shows(here, t)) for t in wanted):
            here = here.extended(told)  # bits may be of bits
    for a, b in permutations(powers[:MOST_POWERS], 2):
        steps = [t for t in _stepped(here, a, b, shows) if t not in here.hypotheses]
        here = here.extended(steps) if steps else here
    return here


def doubled(here: Sequent, goal: Term) -> bool:
    """Return whether a goal says that a power of two, times a number that is one, is one again.

    >>> given = [Node("==", Node("%", POWERS, "s"), 0), Node("<=", 1, "s"), Node("<", "s", 1024)]
    >>> twice, thrice = (
    ...     Node("==", Node("%", POWERS, Node("*", "s", k)), 0) for k in (2, 3))
    >>> doubled(Sequent(given, ()), twice), doubled(Sequent(given, ()), thrice)
    (True, False)
    """
    size = _divisor(goal)
    p = polynomial(size) if size is not None else None
    if not p or len(p) > 1:
        return False
    ((names, factor),) = p.items()
    if len(names) != 1 or names[0] not in powers_in(here.hypotheses) or factor < 1:
        return False
    low, high = here.ranges.get(str(names[0]), (0, inf))
    return factor & (factor - 1) == 0 and low >= 1 and factor * high <= POWERS


def _stepped(
    here: Sequent, a: str, b: str, shows: Callable[[Sequent, Term], bool]
) -> Iterator[Term]:
    """Yield that multiples of a power of two which are below another are so by a step."""
    for h in here.hypotheses:
        x = h.args[0] if isinstance(h, Node) and h.op == "<" and h.args[1] == b else None
        p = polynomial(x) if isinstance(x, Node) else None
        if not p or any(a not in m for m in p) or not shows(here, less(a, b)):
            continue
        step = 2 if all(c % 2 == 0 for c in p.values()) else 1
        yield at_most(add(from_polynomial(p), mul(a, step)), b)


def _power(h: Term) -> str:
    """Return the name that a hypothesis says to divide 2**64, or nothing."""
    found = _divisor(h)
    return found if isinstance(found, str) else ""


def _divisor(h: Term) -> Term | None:
    """Return what a truth says to divide 2**64, or None."""
    rest = h.args[0] if isinstance(h, Node) and h.op == "==" and h.args[1] == 0 else None
    divides = isinstance(rest, Node) and rest.op == "%" and rest.args[0] == POWERS
    return rest.args[1] if isinstance(rest, Node) and divides else None


def _bits(x: Term) -> Iterator[Node]:
    """Yield what is made of bits that may be in only one of two numbers, the inner ones first."""
    if isinstance(x, Node):
        for y in x.args:
            yield from _bits(y)
        if x.op in ("|", "^") and len(x.args) == 2:
            yield x
