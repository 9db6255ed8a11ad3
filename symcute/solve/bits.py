"""What bits are below: of two numbers below a power of two, `x | y` and `x ^ y` are so as well.

Both numbers are at least 0 and have no bit from that of the power on, so neither has what is made
of them. Powers of two are names of which a hypothesis says that they divide 2**64; that numbers are
below them is shown first. Numbers for powers need none of this: ranges know them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from symcute.expr.formula import POWERS
from symcute.expr.node import Node, Term
from symcute.expr.terms import at_most, less
from symcute.solve.sequent import Sequent

__all__ = ["powers_in", "with_bits"]

#: How many pairs of bits and a power are looked at.
MOST = 16


def powers_in(hypotheses: Iterable[Term]) -> list[str]:
    """Return the names that hypotheses say to be powers of two, where they are at least 1.

    >>> powers_in([Node("==", Node("%", POWERS, "B"), 0), Node("<", "i", "B")])
    ['B']
    """
    return [n for n in dict.fromkeys(map(_power, hypotheses)) if n]


def with_bits(
    here: Sequent, terms: Iterable[Term], shows: Callable[[Sequent, Term], bool]
) -> Sequent:
    """Return the sequent with what is shown of bits in terms: that they are below powers of two.

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
    return here


def _power(h: Term) -> str:
    """Return the name that a hypothesis says to divide 2**64, or nothing."""
    rest = h.args[0] if isinstance(h, Node) and h.op == "==" and h.args[1] == 0 else None
    if isinstance(rest, Node) and rest.op == "%" and rest.args[0] == POWERS:
        return rest.args[1] if isinstance(rest.args[1], str) else ""
    return ""


def _bits(x: Term) -> Iterator[Node]:
    """Yield what is made of bits that may be in only one of two numbers, the inner ones first."""
    if isinstance(x, Node):
        for y in x.args:
            yield from _bits(y)
        if x.op in ("|", "^") and len(x.args) == 2:
            yield x
