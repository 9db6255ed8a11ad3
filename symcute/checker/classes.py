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


def _period(f: Node) -> int:
    """Return a modulus on whose residues alone a formula depends."""
    if f.op in ("and", "or", "not", "implies"):
        return lcm(*map(_period, f.args))
    if f.op == "divides":
        return lcm(_number(f.args[0]), _congruent(f.args[1]))
    return lcm(*map(_same, f.args))


def _same(x: Node) -> int:
    """Return a modulus such that a term is the same for dims that are congruent."""
    if x.op == "int":
        return 1
    if x.op == "mod":
        return lcm(_number(x.args[1]), _congruent(x.args[0]))
    if x.op in ("add", "sub", "mul", "neg", "min", "max"):
        return lcm(*map(_same, x.args))
    if x.op in ("floor_div", "ceil_div"):
        _number(x.args[1])
        return _same(x.args[0])
    if x.op == "pow":
        return _same(x.args[0])
    raise Refused("a dim stands outside of remainders by numbers")


def _congruent(x: Node) -> int:
    """Return a modulus such that, for dims congruent modulo a multiple of it, a term is so too."""
    if x.op in ("int", "dim"):
        return 1
    if x.op in ("add", "sub", "mul", "neg"):
        return lcm(*map(_congruent, x.args))
    return _congruent(x.args[0]) if x.op == "pow" else _same(x)


def _number(x: Node) -> int:
    if x.op != "int" or x.args[0] < 1:
        raise Refused("a divisor is no number of at least 1")
    return int(x.args[0])
