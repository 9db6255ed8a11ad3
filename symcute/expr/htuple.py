"""Hierarchical tuples: an htuple is a leaf or a tuple of htuples (CuTe's IntTuple).

A leaf is a Python `int` or an integer expression in dims. The functions here look only at the
hierarchy, multiply and add leaves, and never ask what a leaf is beyond that.

Source: cute/int_tuple.hpp; CuTe white paper, section on HTuples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from symcute.errors import InputError

#: A Python int or an `expr.leaf.Expression`; in formulas also a `Ratio`. (Any: what is known of one
#: is asked when it runs.)
Leaf: TypeAlias = int | Any
#: A leaf or a tuple of htuples. (Any: a recursive alias costs every caller a cast.)
HTuple: TypeAlias = Any

__all__ = [
    "HTuple",
    "Leaf",
    "depth",
    "flatten",
    "fold",
    "leaves",
    "product",
    "rank",
    "same_profile",
    "show",
    "show_leaf",
    "times",
    "transform",
    "unflatten",
    "unwrap",
    "wrap",
]


def rank(t: HTuple) -> int:
    """Return the number of top-level modes; a leaf has rank 1.

    >>> rank((4, (2, 2))), rank(8)
    (2, 1)
    """
    return len(t) if isinstance(t, tuple) else 1


def depth(t: HTuple) -> int:
    """Return how deeply tuples nest; a leaf has depth 0.

    >>> depth(6), depth((4, 3)), depth((3, (6, 2), 8))
    (0, 1, 2)
    """
    if not isinstance(t, tuple):
        return 0
    deepest = 0
    for x in t:
        if isinstance(x, tuple):
            deepest = max(deepest, depth(x))
    return 1 + deepest


def leaves(t: HTuple) -> Iterator[Leaf]:
    """Yield the leaves from left to right."""
    if isinstance(t, tuple):
        for x in t:
            yield from leaves(x)
    else:
        yield t


def flatten(t: HTuple) -> tuple[Leaf, ...]:
    """Return the leaves as a flat tuple (a leaf becomes a 1-tuple).

    >>> flatten((2, (3, (4, 5))))
    (2, 3, 4, 5)
    """
    if not isinstance(t, tuple):
        return (t,)
    found: list[Leaf] = []
    for x in t:
        if isinstance(x, tuple):
            found += flatten(x)
        else:
            found.append(x)
    return tuple(found)


def unflatten(flat: tuple[Any, ...], profile: HTuple) -> HTuple:
    """Return the items of `flat` arranged in the hierarchy of `profile`.

    >>> unflatten((2, 3, 4), (0, (0, 0)))
    (2, (3, 4))
    """
    items = iter(flat)

    def build(p: HTuple) -> HTuple:
        return tuple([build(x) for x in p]) if isinstance(p, tuple) else next(items)

    return build(profile)


def same_profile(a: HTuple, b: HTuple) -> bool:
    """Return whether two htuples have the same hierarchy."""
    if not isinstance(a, tuple) or not isinstance(b, tuple):
        return not isinstance(a, tuple) and not isinstance(b, tuple)
    if len(a) != len(b):
        return False
    for x, y in zip(a, b, strict=True):  # noqa: SIM110 - `all` takes twice the time
        if not same_profile(x, y):
            return False
    return True


def fold(function: Callable[[Leaf, Leaf], Leaf], t: HTuple, start: Leaf) -> Leaf:
    """Return the leaves folded from the left, beginning with `start`."""
    for leaf in leaves(t):
        start = function(start, leaf)
    return start


def product(t: HTuple) -> Leaf:
    """Return the product of all leaves.

    >>> product((2, (3, 4)))
    24
    """
    if not isinstance(t, tuple):
        return t
    total: Leaf = 1
    for x in t:
        if type(x) is int and type(total) is int:
            total *= x
        else:
            total = times(total, product(x) if isinstance(x, tuple) else x)
    return total


def times(a: Any, b: Any) -> Any:
    """Return a * b, at once where one of them is 1."""
    if type(a) is int:
        if a == 1:
            return b
    elif type(b) is int and b == 1:
        return a
    return a * b


def transform(function: Callable[..., Any], *ts: HTuple) -> HTuple:
    """Return the htuple of `function` applied leaf by leaf to congruent htuples.

    >>> transform(lambda a, b: a * b, (2, (3, 4)), (1, (2, 6)))
    (2, (6, 24))
    """
    first = ts[0]
    if isinstance(first, tuple):
        if not all(isinstance(t, tuple) and len(t) == len(first) for t in ts):
            raise InputError(
                f"{' and '.join(show(t) for t in ts)} differ in hierarchy",
                "give congruent tuples",
            )
        return tuple(transform(function, *column) for column in zip(*ts, strict=True))
    return function(*ts)


def wrap(t: HTuple) -> tuple[HTuple, ...]:
    """Return `t` if it is a tuple, else `(t,)`."""
    return t if isinstance(t, tuple) else (t,)


def unwrap(t: HTuple) -> HTuple:
    """Return the only item of a 1-tuple, as often as possible; else `t`.

    >>> unwrap(((8,),)), unwrap((4, 2))
    (8, (4, 2))
    """
    while isinstance(t, tuple) and len(t) == 1:
        t = t[0]
    return t


def show_leaf(leaf: Any) -> str:
    """Return a leaf as our grammar writes it: no spaces, one division at most, `_` for None."""
    return "_" if leaf is None else str(leaf)


def show(t: HTuple) -> str:
    """Return an htuple as CuTe prints it.

    >>> show((2, (3, 4))), show((8,)), show(8)
    ('(2,(3,4))', '(8)', '8')
    """
    if isinstance(t, tuple):
        return f"({','.join(show(x) for x in t)})"
    return show_leaf(t)
