"""What a claim needs to make sense: extents of at least 1, quotients that are integers.

The conditions are read off the texts of the claim and of the assumptions, as a certificate states
them; the order is the one that `docs/reference/certificates.md` fixes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import lru_cache

from symcute.claims import Claim, PrintsAs, Table
from symcute.errors import InputError
from symcute.expr.assumptions import Assumptions
from symcute.expr.definedness import Condition, of_extents, of_operators
from symcute.expr.formula import Formula
from symcute.expr.htuple import Leaf
from symcute.expr.lowering import lower
from symcute.expr.parser import parse
from symcute.expr.polynomial import ONE, is_constant, variables
from symcute.expr.ratio import ATOMS, Ratio
from symcute.solve.obligations import NoValue, Parametrisation

__all__ = ["Condition", "conditions", "of_hint", "sensible", "with_numbers"]


def conditions(claim: Claim, assumptions: Assumptions) -> list[Condition]:
    """Return the conditions under which the claim and the assumptions make sense, in order.

    >>> from symcute.claims.language import read_claim
    >>> [str(c.formula) for c in conditions(read_claim("bijective(M/4:1)"), Assumptions())]
    ['1 <= M/4', 'M % 4 == 0']
    """
    if isinstance(claim, PrintsAs):
        return []
    stated = claim.statement()
    found = [*of_extents(stated.tree, stated.source), *of_operators(stated.tree, stated.source)]
    return [*found, *assumptions.conditions]


def with_numbers(claim: Claim) -> Claim:
    """Return a claim with the number for each leaf that is one whatever the dims are.

    What a lemma makes of a leaf that is a number, the checker makes of it too.
    """
    leaves = [] if isinstance(claim, (PrintsAs, Table)) else claim.leaves()
    if all(_number(x) is x for x in leaves):
        return claim
    return claim.with_leaves(_number)


def _number(leaf: Leaf) -> Leaf:
    if isinstance(leaf, int):
        return leaf
    found = lower(leaf)
    if not ATOMS.keys().isdisjoint(variables(found.num)):
        with suppress(NoValue):
            found = Parametrisation([], {}, {}).value(found)
    c = is_constant(found.num) if found.den == ONE else None
    return leaf if c is None else c


def sensible(found: Iterable[Condition], values: Mapping[str, int]) -> bool:
    """Return whether conditions hold at integer values of the dims."""
    try:
        return all(c.formula.holds(values) for c in found)
    except InputError:
        return False


def of_hint(leaf: Ratio) -> tuple[Formula, ...]:
    """Return the conditions of a leaf that a hint names."""
    if leaf.den == ONE and ATOMS.keys().isdisjoint(variables(leaf.num)):
        return ()
    return _of_text(str(leaf))


@lru_cache(maxsize=4096)
def _of_text(text: str) -> tuple[Formula, ...]:
    return tuple(c.formula for c in of_operators(parse(text), text))
