"""What a claim needs to make sense: extents of at least 1, quotients that are integers.

The conditions are read off the leaves as they are written, because a certificate holds the text of
the claim and of the assumptions; the order is the one that `docs/reference/certificates.md` fixes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from symcute.assumptions import Assumptions
from symcute.claims import Claim, Holds, NoOverflow, PrintsAs, Table
from symcute.errors import TextError
from symcute.exprs import read_leaf
from symcute.formula import Formula, divides, implies, le
from symcute.htuple import Leaf, leaves, show_leaf
from symcute.poly import ATOMS, ONE, Ratio, variables
from symcute.text import Node, parse

__all__ = ["Condition", "conditions", "of_leaf"]

_CONNECTIVES = ("and", "or", "not", "implies", "true", "false")
_ROUNDED = ("ceil_div", "floor_div", "mod")


class Condition(NamedTuple):
    """A condition, and the leaf that needs it; `extent` says that the leaf is an extent."""

    formula: Formula
    leaf: Leaf | str
    extent: bool = False


def conditions(claim: Claim, assumptions: Assumptions) -> list[Condition]:
    """Return the conditions under which the claim and the assumptions make sense, in order.

    >>> from symcute.language import read_claim
    >>> [str(c.formula) for c in conditions(read_claim("bijective(M/4:1)"), Assumptions())]
    ['1 <= M/4', 'M % 4 == 0']
    """
    if isinstance(claim, (PrintsAs, Table)):
        return []
    extents = [s for layout in claim.layouts() for s in leaves(layout.shape)]
    found = [Condition(le(1, s), s, True) for s in extents if not isinstance(s, int)]
    if isinstance(claim, Holds):
        found += _of_formula(claim.formula, ())
    elif isinstance(claim, NoOverflow) and isinstance(claim.expression, str):
        found += _of_text(claim.expression)
    else:
        for leaf in claim.leaves():
            found += of_leaf(leaf)
    for fact in assumptions.formulas:
        alone = fact.op not in _CONNECTIVES
        found += [c for c in _of_formula(fact, ()) if not (alone and c.formula.op == "divides")]
    return found


def _of_formula(f: Formula, premises: tuple[Formula, ...]) -> Iterator[Condition]:
    """Yield the conditions of a formula; those of a conclusion hold under its premise."""
    if f.op == "implies":
        yield from _of_formula(f.args[0], premises)
        yield from _of_formula(f.args[1], (*premises, f.args[0]))
    elif f.op in _CONNECTIVES:
        for x in f.args:
            yield from _of_formula(x, premises)
    else:
        # a divides b is written b % a == 0
        for leaf in reversed(f.args) if f.op == "divides" else f.args:
            for condition in of_leaf(leaf):
                formula = condition.formula
                for premise in reversed(premises):
                    formula = implies(premise, formula)
                yield condition._replace(formula=formula)


def of_leaf(leaf: Leaf) -> tuple[Condition, ...]:
    """Return the conditions of a leaf of the claim, or of one that a hint names."""
    return _of_text(show_leaf(leaf)) if _divides(leaf) else ()


def _divides(leaf: Any) -> bool:
    """Return whether a leaf is more than a polynomial in the dims."""
    if isinstance(leaf, Ratio):
        return leaf.den != ONE or not ATOMS.keys().isdisjoint(variables(leaf.num))
    if isinstance(leaf, int) or leaf.is_Symbol or leaf.is_Integer:
        return False
    if leaf.is_Add or leaf.is_Mul:
        return any(map(_divides, leaf.args))
    return not (leaf.is_Pow and leaf.exp.is_Integer and leaf.exp > 0) or _divides(leaf.base)


@lru_cache(maxsize=4096)
def _of_text(text: str) -> tuple[Condition, ...]:
    """Return the conditions of an expression, operands before what is made of them."""
    if not any(sign in text for sign in ("/", "%", *_ROUNDED)):
        return ()
    return tuple(_walk(parse(text), text))


def _walk(node: Node, text: str) -> Iterator[Condition]:
    args = [x for x in node.args if isinstance(x, Node)]
    for x in args:
        yield from _walk(x, text)
    rounded = node.op in ("floordiv", "mod") or (node.op == "call" and node.args[0] in _ROUNDED)
    if node.op == "div" or rounded:
        a, b = (read_leaf(x, text, _no_hook) for x in args)
        if not rounded:
            yield Condition(divides(b, a), text[node.pos : node.end])
        elif not isinstance(b, int) or b < 1:
            yield Condition(le(1, b), text[node.pos : node.end])


def _no_hook(node: Node) -> Any:
    raise TextError("expected a number or an expression in dims", "", node.pos)
