"""Shapes and strides by themselves: checked, recognised as plain, made compact.

"Plain" is a congruent pair of tuples of ints: what nearly every static layout is, and what takes
the short road through the algebra.
"""

from __future__ import annotations

from symcute.errors import InputError
from symcute.expr.basis import ScaledBasis
from symcute.expr.expression import as_leaf
from symcute.expr.htuple import HTuple, Leaf, leaves, show, times

__all__ = [
    "checked",
    "checked_shape",
    "checked_stride",
    "compact_col_major",
    "compact_ints",
    "is_plain",
]


def compact_ints(shape: HTuple, start: int) -> tuple[HTuple, int] | None:
    """Return the compact column-major stride of a plain shape, and where it ends; else None."""
    if type(shape) is int:
        return (start if shape > 1 else 0, start * shape) if shape >= 1 else None
    if type(shape) is not tuple or not shape:
        return None
    stride: list[HTuple] = []
    for s in shape:
        if type(s) is int:
            if s < 1:
                return None
            stride.append(start if s > 1 else 0)
            start *= s
        else:
            part = compact_ints(s, start)
            if part is None:
                return None
            stride.append(part[0])
            start = part[1]
    return tuple(stride), start


def is_plain(shape: HTuple, stride: HTuple) -> bool:
    """Return whether these are congruent tuples of ints, extents >= 1, and no tuple is empty."""
    if type(shape) is int:
        return shape >= 1 and type(stride) is int
    if type(shape) is not tuple or type(stride) is not tuple or len(shape) != len(stride):
        return False
    for s, d in zip(shape, stride):  # noqa: B905 - of one length, and `strict` takes time
        if type(s) is int is type(d):
            if s < 1:
                return False
        elif type(s) is not tuple or not is_plain(s, d):
            return False
    return bool(shape)


def checked(t: HTuple, where: str) -> HTuple:
    """Return the htuple with lists made tuples and every leaf an int or an expression in dims."""
    if type(t) is int:
        return t
    if isinstance(t, (tuple, list)):
        if any(isinstance(x, (tuple, list)) and not x for x in t):
            raise InputError(f"an empty tuple inside {where}", "give every mode an extent")
        return tuple([checked(x, where) for x in t])
    return as_leaf(t, where)


def checked_shape(t: HTuple, where: str = "the shape") -> HTuple:
    """Return a shape checked as `checked` does, no extent of which is a number below 1."""
    shape = checked(t, where)
    for s in leaves(shape):
        if isinstance(s, int) and s < 1:
            raise InputError(f"extent {s} in the shape {show(shape)}", "extents are at least 1")
    return shape


def checked_stride(t: HTuple, bases: list[ScaledBasis]) -> HTuple:
    """Return a stride checked as `checked` does; its basis elements are appended to `bases`."""
    if type(t) is int:
        return t
    if isinstance(t, (tuple, list)):
        return tuple([checked_stride(x, bases) for x in t])
    if isinstance(t, ScaledBasis):
        t = ScaledBasis(as_leaf(t.value, "the stride"), t.modes)
        bases.append(t)
        return t
    return as_leaf(t, "the stride")


def compact_col_major(shape: HTuple, start: Leaf = 1) -> HTuple:
    """Return the compact column-major stride; an extent that is the int 1 gets stride 0.

    >>> compact_col_major((4, 1, 3))
    (1, 0, 4)
    """
    current = start

    def build(s: HTuple) -> HTuple:
        nonlocal current
        if isinstance(s, tuple):
            return tuple([build(x) for x in s])
        if isinstance(s, int) and s == 1:
            return 0
        here, current = current, times(current, s)
        return here

    return build(shape)
