"""One index at two places: what is equal there is shown one digit after the other.

Where `f(t) == f(u)` is assumed, f being written the same way on both sides, `t == u` follows from
equal digits: each `d(t) == d(u)` of a quotient or remainder d in f is asked for, and is a fact for
the next ones. The bounds of the quotients come before all. Each of these has a proof of its own,
most of them by a solver: all at once is too much for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from symcute.expr.expression import free_dims, with_values
from symcute.expr.formula import Formula, all_of, eq
from symcute.expr.htuple import Leaf
from symcute.expr.leaf import INERT, Expression, dim
from symcute.solve.cases import case
from symcute.solve.obligations import By
from symcute.solve.powers import Cut, Known
from symcute.solve.quotients import bounds_of_quotients

__all__ = ["by_pairs"]

#: How many digits are asked for, and how often.
MAX_PAIRS, ROUNDS = 6, 3


def by_pairs(known: Known, f: Formula) -> By | None:
    """Settle an implication that two places with one index are one place; or None.

    >>> from symcute.expr.assumptions import Assumptions
    >>> from symcute.solve.entailment import facts
    >>> known = facts(["0 <= t < U*V", "0 <= u < U*V"])
    >>> one, other = (Assumptions.of(x).formulas[0] for x in (
    ...     "t % U*V + t // U == u % U*V + u // U implies t == u",
    ...     "t % U*V + u // U == u % U*V + t // U implies t == u"))
    >>> by_pairs(known, one)[0], by_pairs(known, other)
    ('implies', None)
    """
    premise, goal = f.args
    renamed = _renamed(goal)
    at = known.under(premise)
    equations = premise.args if premise.op == "and" else (premise,)
    found = dict.fromkeys(x for e in equations for x in _digits(e, renamed))
    pairs = [x for x in found if case(at.assumptions, x) == x][:MAX_PAIRS]
    if not pairs:
        return None
    cuts: list[Cut] = []
    bounds = bounds_of_quotients(at, premise)
    if bounds:
        formulas, proofs = zip(*bounds, strict=True)
        cuts.append((all_of(*formulas), ("and", list(proofs)) if len(proofs) > 1 else proofs[0]))
        at = at.under(cuts[0][0])
    for _ in range(ROUNDS):
        for x in tuple(pairs):
            by = at.proof(x)
            if by is not None:
                cuts.append((x, by))
                at = at.under(x)
                pairs.remove(x)
    by = at.proof(goal)
    for x, first in reversed(cuts):
        by = by and ("cut", x, first, by)
    return by and ("implies", by)


def _renamed(goal: Formula) -> dict[str, Leaf]:
    """Return which dim stands for which where a goal says that two dims are one."""
    names = [x.args[0] if isinstance(x, Expression) and x.op == "dim" else "" for x in goal.args]
    return {str(names[0]): dim(str(names[1]))} if goal.op == "eq" and all(names) else {}


def _digits(e: Formula, renamed: Mapping[str, Leaf]) -> Iterator[Formula]:
    """Yield that what rounds in an equation is equal where both sides are, but for names, one."""
    for one, other in (e.args, e.args[::-1]) if e.op == "eq" and renamed else ():
        if with_values(one, renamed) == other:
            yield from (eq(x, with_values(x, renamed)) for x in _rounding(one)
                        if free_dims(x) & renamed.keys())  # fmt: skip


def _rounding(x: Leaf) -> Iterator[Expression]:
    if isinstance(x, Expression) and x.op != "dim":
        if x.op in INERT:
            yield x
        for y in x.args:
            yield from _rounding(y)
