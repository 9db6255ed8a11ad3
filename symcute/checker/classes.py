"""Formulas that know dims by their remainders alone: decided in each class of residues."""

from __future__ import annotations

from itertools import product
from math import lcm, prod

from symcute.checker.poly import budget
from symcute.checker.terms import Node, Refused, names
from symcute.checker.values import truth

#: How many classes are gone through.
MAX_CLASSES = 1 << 12


def holds_in_classes(f: Node, facts: list[Node]) -> bool:
    """Return whether a formula holds in each class of residues in which the facts do.

    Sums and products of numbers that are congruent modulo L are, and so leave the same when divided
    by a number that divides L. So formula and facts are true at an instance where they are at the
    one that has for each dim its residue modulo L. Errors: Refused where dims occur otherwise.
    """
    modulus = lcm(*map(_period, [f, *facts]))
    dims = sorted({n for x in (f, *facts) for n in names(x)})
    if prod(modulus for _ in dims) > MAX_CLASSES:
        raise Refused(f"there are more than {MAX_CLASSES} classes of residues")
    for values in product(range(modulus), repeat=len(dims)):
        budget.spend(1)
        at = dict(zip(dims, values, strict=True))
        if all(truth(x, at) for x in facts) and not truth(f, at):
            return False
    return True


def _period(x: Node, congruent: bool = False) -> int:
    """Return a modulus on whose residues alone a formula depends, or a term.

    `congruent` terms may differ by multiples of it, and of what is a multiple of it.
    """
    if x.op == "int" or (x.op == "dim" and congruent):
        return 1
    if x.op in ("mod", "divides", "floor_div", "ceil_div"):
        a, b = x.args if x.op != "divides" else x.args[::-1]
        if b.op != "int" or b.args[0] < 1:
            raise Refused("a divisor is no number of at least 1")
        rounded = x.op in ("floor_div", "ceil_div")
        return _period(a) if rounded else lcm(b.args[0], _period(a, True))
    if x.op in ("dim", "div"):
        raise Refused("a dim stands outside of remainders by numbers")
    sums = x.op in ("add", "sub", "mul", "neg", "pow")
    parts = x.args[:1] if x.op == "pow" else x.args
    return lcm(*(_period(y, congruent and sums) for y in parts))
