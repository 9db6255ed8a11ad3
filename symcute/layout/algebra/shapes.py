"""Relations between shapes.

The relations answer with a bool. For static shapes that is arithmetic; for symbolic ones it is
True or False for every instance of the dims that meets the assumptions, or Undecided is raised,
naming what would have to be assumed. `symcute.claims` states them as claims instead.

A layout stands for its shape. Extents are at least 1, as in a layout.

Source: cute/int_tuple.hpp (congruent, compatible, weakly_congruent); weakly_compatible is that of
CUTLASS 3.5, which later versions left out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symcute.errors import InputError, Undecided
from symcute.expr import htuple
from symcute.expr.assumptions import Given
from symcute.expr.expression import as_leaf, is_symbolic
from symcute.expr.formula import FALSE, TRUE, Formula, all_of, divides, eq, le, not_
from symcute.expr.htuple import HTuple, Leaf, leaves, product, show
from symcute.layout.layout import Layout
from symcute.layout.shape_stride import is_plain
from symcute.solve.entailment import Entailment, Where, facts

__all__ = [
    "compatible",
    "congruent",
    "decide",
    "extents",
    "settled",
    "text_of",
    "weakly_compatible",
    "weakly_congruent",
]


def _shape(x: Any) -> HTuple:
    """Return the htuple of a shape or layout, lists made tuples; leaves are not looked at."""
    if isinstance(x, Layout):
        return x.shape
    return tuple(_shape(y) for y in x) if isinstance(x, (tuple, list)) else x


def extents(x: Any, known: Entailment, where: Where) -> HTuple:
    """Return the shape of `x` with every extent an int or expression of at least 1."""
    if is_plain(x, x):
        return x
    where = where if isinstance(where, str) else where()
    shape = htuple.transform(lambda s: as_leaf(s, where), _shape(x))
    for s in leaves(shape):
        if is_symbolic(s):
            known.require(le(1, s), f"{where}, where {s} is an extent")
        elif s < 1:
            raise InputError(f"extent {s} in {where}", "extents are at least 1")
    return shape


def decide(formula: Formula, where: str, known: Entailment) -> bool:
    """Return whether a formula is true for all instances, or for none.

    Errors: Undecided otherwise, naming the formula as the assumption to make.
    """
    if not formula.dims():
        return formula.holds({})
    if known.proves(formula):
        return True
    if known.proves(not_(formula)):
        return False
    witness = known.counterexample(formula)
    shown = ", ".join(f"{k}={v}" for k, v in sorted((witness or {}).items()))
    detail = f"this condition is false at {shown}" if shown else ""
    raise Undecided(str(formula), where, str(formula.balanced()), detail)


def congruent(a: HTuple, b: HTuple) -> bool:
    """Return whether two shapes (or layouts, strides, coordinates) have the same hierarchy.

    Post-conditions:
        result == (weakly_congruent(a, b) and weakly_congruent(b, a))
        depth(a) == depth(b) and rank(a) == rank(b) or not result

    >>> congruent((4, (2, 2)), (1, (4, 8))), congruent((4, 4), (4, (2, 2)))
    (True, False)
    >>> congruent(Layout.parse("(M,(N,4))"), (1, (2, 3)))
    True
    """
    if type(a) is tuple and type(b) is tuple:
        if len(a) != len(b):
            return False
        for x, y in zip(a, b):  # noqa: B905 - of one length, and `strict` takes time
            if not (type(x) is int is type(y)) and not congruent(x, y):
                return False
        return True
    if type(a) is int and type(b) is int:
        return True
    if type(a) is tuple and type(b) is int:
        return False
    a, b = _nest(a), _nest(b)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return congruent(a, b)
    return not isinstance(a, tuple) and not isinstance(b, tuple)


def _nest(x: Any) -> Any:
    """Return the shape that a layout stands for, or a list as a tuple."""
    if isinstance(x, Layout):
        return x.shape
    return tuple(x) if isinstance(x, list) else x


def weakly_congruent(a: HTuple, b: HTuple) -> bool:
    """Return whether `b` has the hierarchy of `a`, or refines it: a leaf of `a` takes anything.

    It is a partial order on hierarchies.
    Post-conditions:
        result or not congruent(a, b)
        depth(a) <= depth(b) or not result
        result or depth(a) > 0

    >>> weakly_congruent(8, (4, 2)), weakly_congruent((8, 3), ((4, 2), 3))
    (True, True)
    >>> weakly_congruent((4, 2), 8), weakly_congruent((1, 2), Layout.parse("(M,N,K)"))
    (False, False)
    """
    if type(a) is tuple and type(b) is tuple:
        if len(a) != len(b):
            return False
        for x, y in zip(a, b):  # noqa: B905, SIM110 - as fast as it gets
            if type(x) is not int and not weakly_congruent(x, y):
                return False
        return True
    if type(a) is int:
        return True
    if type(a) is tuple and type(b) is int:
        return False
    a, b = _nest(a), _nest(b)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return weakly_congruent(a, b)
    return not isinstance(a, tuple)


def _refines(a: HTuple, b: HTuple, at_leaf: Callable[[Leaf, HTuple], Formula]) -> Formula:
    """Return what makes `b` a refinement of `a`, asked at each leaf of `a`; FALSE is absorbing."""
    if not isinstance(a, tuple):
        return at_leaf(a, b)
    if not isinstance(b, tuple) or len(a) != len(b):
        return FALSE
    parts = [_refines(x, y, at_leaf) for x, y in zip(a, b, strict=True)]
    return FALSE if FALSE in parts else all_of(*parts)


def settled(formula: Formula) -> Formula:
    """Return a relation between two leaves as TRUE or FALSE when both are ints."""
    if formula.dims():
        return formula
    return TRUE if formula.holds({}) else FALSE


def compatible(a: HTuple, b: HTuple, *, given: Given = ()) -> bool:
    """Return whether `a` is compatible with `b`: every coordinate into `a` is one into `b`.

    That is: equal sizes at each leaf of `a`. It is a partial order on shapes.
    Post-conditions:
        result == (size(a) == size(b)) if depth(a) == 0
        size(a) == size(b) and weakly_congruent(a, b) or not result
        # A coordinate into a is one into b: both have the index that it has in a.
        crd2idx(idx2crd(i, shape(a)), shape(b)) == i for i in range(size(a)) if result
    Errors: Undecided for symbolic shapes that are compatible for some instances only.

    >>> compatible(24, (4, 6)), compatible((4, 6), 24), compatible((4, 6), ((2, 2), 6))
    (True, False, True)
    >>> compatible(Layout.parse("(M,N)"), Layout.parse("((128,M/128),N)"), given="M % 128 == 0")
    True
    >>> compatible(24, Layout.parse("(M,4)"))
    Traceback (most recent call last):
    symcute.errors.Undecided: cannot decide 24 == 4*M in compatible(24,(M,4)) ...
    """
    if not given and is_plain(a, a) and is_plain(b, b):
        return _refines_ints(a, b, equal=True)
    return _relation("compatible", a, b, lambda x, y: eq(x, product(y)), given)


def weakly_compatible(a: HTuple, b: HTuple, *, given: Given = ()) -> bool:
    """Return whether `a`, its extents multiplied by some integers, is compatible with `b`.

    That is: at each leaf of `a` the size of `b` is a multiple of it. It is a partial order on
    shapes.
    Post-conditions:
        result == (size(b) % size(a) == 0) if depth(a) == 0
        size(b) % size(a) == 0 and weakly_congruent(a, b) or not result
        result or not compatible(a, b)
    Errors: Undecided for symbolic shapes for which it is true for some instances only.

    >>> weakly_compatible(4, (2, 6)), weakly_compatible((4, 3), ((2, 4), 3))
    (True, True)
    >>> weakly_compatible(Layout.parse("(M,4)"), Layout.parse("(M*N,(2,6))"))
    True
    """
    return _relation("weakly_compatible", a, b, lambda x, y: divides(x, product(y)), given)


def _relation(
    name: str, a: Any, b: Any, at_leaf: Callable[[Leaf, HTuple], Formula], given: Given
) -> bool:
    x, y = _nest(a), _nest(b)
    if not given and is_plain(x, x) and is_plain(y, y):
        return _refines_ints(x, y, name == "compatible")
    known = facts(given)
    where = f"{name}({text_of(a)},{text_of(b)})"
    left, right = extents(a, known, where), extents(b, known, where)
    formula = _refines(left, right, lambda x, y: settled(at_leaf(x, y)))
    return decide(formula, where, known)


def _refines_ints(a: HTuple, b: HTuple, equal: bool) -> bool:
    """Return whether the size of `b` is, at each leaf of `a`, that leaf (or a multiple of it)."""
    if type(a) is int:
        size = b if type(b) is int else product(b)
        return bool(size == a if equal else size % a == 0)
    if type(b) is not tuple or len(a) != len(b):
        return False
    for x, y in zip(a, b):  # noqa: B905 - of one length, and `strict` takes time
        if equal and type(x) is int is type(y):
            if x != y:
                return False
        elif not _refines_ints(x, y, equal):
            return False
    return True


def text_of(x: Any) -> str:
    """Return the shape of `x` as CuTe prints it."""
    return show(_shape(x))
