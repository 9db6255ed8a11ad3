"""Coordinates to offsets and back, under a shape and a stride.

A coordinate is 1-D (an index in colexicographic order), rank-R, natural (congruent to the shape),
or anything between. It may hold ints, expressions in dims or NumPy arrays. As in CuTe the last mode
is not reduced modulo its extent, so a layout extends beyond its size.

Source: cute/stride.hpp (crd2idx, idx2crd); CuTe white paper, sections on layouts and coordinates.
"""

from __future__ import annotations

from typing import Any

from symcute.errors import InputError
from symcute.expr.basis import ArithmeticTuple, ScaledBasis, fit, number
from symcute.expr.expression import as_leaf, floor_div, is_symbolic, mod
from symcute.expr.htuple import HTuple, leaves, product, same_profile, show
from symcute.layout.shape_stride import checked_shape, checked_stride, compact_col_major, is_plain

__all__ = ["crd2idx", "evaluated", "has_any", "idx2crd", "int_offset", "sliced"]


def crd2idx(crd: Any, shape: HTuple, stride: HTuple = None) -> Any:
    """Return the offset of a coordinate under `shape:stride` (column-major without a stride).

    Where the coordinate has a number and the shape a tuple, the number is split in
    colexicographic order; the last mode takes what is left.
    Pre-conditions:
        # Each coordinate lies within its extent; beyond it an extent of 1 may have any stride.
        0 <= c < s for s, c in Layout(shape, idx2crd(crd, shape)).modes()
    Post-conditions:
        result == crd2idx(idx2crd(crd, shape), shape, stride)
        idx2crd(result, shape) == idx2crd(crd, shape) if stride is None
    Errors: InputError when the coordinate's hierarchy does not fit.

    >>> crd2idx((1, 5), (3, (2, 3)), (3, (12, 1))), crd2idx(5, (2, 3), (3, 1))
    (17, 5)
    """
    offset = int_offset(crd, shape, stride)
    if offset is not None:
        return offset
    shape = checked_shape(shape)
    stride = compact_col_major(shape) if stride is None else checked_stride(stride, [])
    if not same_profile(shape, stride):
        raise InputError(f"{show(shape)} and {show(stride)} differ in hierarchy", "")
    return evaluated(crd, shape, stride)


def int_offset(crd: Any, shape: HTuple, stride: HTuple) -> int | None:
    """Return the offset when all are ints, extents at least 1, and fit together; else None."""
    if type(crd) is int:
        if type(shape) is int:
            return int(crd * stride) if shape >= 1 and type(stride) is int else None
        found = _walk(crd, shape, stride)
        if found is None:
            return None
        while type(shape) is tuple:
            shape, stride = shape[-1], stride[-1]
        return int(found[0] + found[1] * shape * stride)  # the last mode is not reduced
    total = 0
    if type(crd) is not tuple or type(shape) is not tuple or type(stride) is not tuple:
        return None
    if not crd or not len(crd) == len(shape) == len(stride):
        return None
    for c, s, d in zip(crd, shape, stride):  # noqa: B905 - of one length, and `strict` takes time
        if type(c) is int and type(s) is int and type(d) is int and s >= 1:
            total += c * d
        else:
            part = int_offset(c, s, d)
            if part is None:
                return None
            total += part
    return total


def _walk(idx: int, shape: HTuple, stride: HTuple) -> tuple[int, int] | None:
    """Return the offset of an index modulo the size, and the index divided by the size.

    None where not all are ints, extents at least 1, or shape and stride are not congruent tuples.
    """
    if type(shape) is not tuple or type(stride) is not tuple or len(shape) != len(stride):
        return None
    total = 0
    for s, d in zip(shape, stride):  # noqa: B905 - of one length, and `strict` takes time
        if type(s) is int and type(d) is int and s >= 1:
            # The extents inside a mode multiply to its size: the leaves split the index in turn.
            idx, digit = divmod(idx, s)
            total += digit * d
        else:
            part = _walk(idx, s, d)
            if part is None:
                return None
            total += part[0]
            idx = part[1]
    return (total, idx) if shape else None


def evaluated(crd: Any, shape: HTuple, stride: HTuple) -> Any:
    """Return the offset of a coordinate yet to be checked under a checked layout."""
    crd = _coordinate(crd, shape)
    if _has_array(crd) and _reach(shape, stride) >= 1 << 62:
        crd = _exact(crd)
    return _offset(crd, shape, stride)


def _has_array(crd: Any) -> bool:
    return any(_has_array(x) for x in crd) if isinstance(crd, tuple) else hasattr(crd, "dtype")


def _reach(shape: HTuple, stride: HTuple) -> int:
    """Return the largest number met on the way to an offset, 0 where a leaf is symbolic."""
    pairs = [(s, number(d)) for s, d in zip(leaves(shape), leaves(stride), strict=True)]
    if any(is_symbolic(x) for pair in pairs for x in pair):
        return 0
    return max(int(product(shape)), sum(int(s) * abs(int(d)) for s, d in pairs))


def _exact(crd: Any) -> Any:
    """Return a coordinate whose arrays hold Python ints, which do not wrap."""
    if isinstance(crd, tuple):
        return tuple(_exact(x) for x in crd)
    return crd.astype(object) if hasattr(crd, "dtype") else crd


def _offset(crd: Any, shape: HTuple, stride: HTuple) -> Any:
    if isinstance(crd, tuple):
        if not isinstance(shape, tuple) or len(crd) != len(shape):
            raise InputError(
                f"the coordinate {show(crd)} does not fit the shape {show(shape)}",
                "give an index, or one coordinate for each mode",
            )
        parts = [_offset(*x) for x in zip(crd, shape, stride, strict=True)]
        return sum(parts[1:], parts[0]) if parts else 0
    if not isinstance(shape, tuple):
        return crd * stride
    if not shape:
        return 0
    total: Any = 0
    for s, d in zip(shape[:-1], stride[:-1], strict=True):
        extent = product(s)
        total = total + _offset(mod(crd, extent), s, d)
        crd = floor_div(crd, extent)
    return total + _offset(crd, shape[-1], stride[-1])


def idx2crd(idx: Any, shape: HTuple) -> Any:
    """Return the natural coordinate of an index (or coordinate) in a shape.

    The last mode is not reduced modulo its extent.
    Post-conditions:
        congruent(result, shape)
        crd2idx(result, shape) == crd2idx(idx, shape)

    >>> idx2crd(16, (3, (2, 3)))
    (1, (1, 2))
    """
    if type(idx) is int and is_plain(shape, shape):
        return _split_int(idx, shape)
    shape = checked_shape(shape)
    return _split(_coordinate(idx, shape), shape)


def _split_int(idx: int, shape: HTuple) -> Any:
    """Return the natural coordinate of an int in a shape of ints."""
    if type(shape) is int:
        return idx
    result = []
    for s in shape[:-1]:
        idx, digit = divmod(idx, s if type(s) is int else int(product(s)))
        result.append(digit if type(s) is int else _split_int(digit, s))
    result.append(_split_int(idx, shape[-1]))
    return tuple(result)


def _split(crd: Any, shape: HTuple) -> Any:
    if isinstance(crd, tuple):
        if not isinstance(shape, tuple) or len(crd) != len(shape):
            raise InputError(
                f"the coordinate {show(crd)} does not fit the shape {show(shape)}",
                "give an index, or one coordinate for each mode",
            )
        return tuple(_split(c, s) for c, s in zip(crd, shape, strict=True))
    if not isinstance(shape, tuple):
        return crd
    if not shape:
        return ()
    result = []
    for s in shape[:-1]:
        extent = product(s)
        result.append(_split(mod(crd, extent), s))
        crd = floor_div(crd, extent)
    return (*result, _split(crd, shape[-1]))


def _coordinate(crd: Any, shape: HTuple = 1) -> Any:
    """Return a coordinate with lists made tuples; NumPy arrays pass through.

    A coordinate that another layout gave may be shorter than the shape: zeros follow.
    """
    if type(crd) is int:
        return crd
    if isinstance(crd, (ArithmeticTuple, ScaledBasis)):
        crd = fit(crd, shape)
    if isinstance(crd, (tuple, list)):
        return tuple([_coordinate(x) for x in crd])
    if hasattr(crd, "dtype") and crd.ndim > 0:
        if crd.dtype.kind not in "iuO":
            raise InputError(f"a coordinate array of {crd.dtype}", "use an integer array")
        return crd if crd.dtype.kind == "O" else crd.astype("int64")
    if crd is None or isinstance(crd, str):
        raise InputError(f"{crd!r} is not a coordinate", "use integers and tuples of them")
    return as_leaf(crd, "a coordinate")


def has_any(crd: Any) -> bool:
    """Return whether a coordinate holds `_` (None)."""
    if isinstance(crd, (tuple, list)):
        for x in crd:  # noqa: SIM110 - `any` takes twice the time
            if x is None or (type(x) is not int and has_any(x)):
                return True
        return False
    return crd is None


def sliced(crd: Any, shape: HTuple, stride: HTuple, kept: list[tuple[HTuple, HTuple]]) -> Any:
    """Return the offset of the fixed coordinates; the modes under `_` are appended to `kept`."""
    if crd is None:
        kept.append((shape, stride))
        return 0
    if type(crd) is int and type(shape) is int and type(stride) is int:
        return crd * stride
    if not has_any(crd):
        return crd2idx(crd, shape, stride)
    if not isinstance(shape, tuple) or len(crd) != len(shape):
        raise InputError(
            f"the coordinate {show(tuple(crd))} does not fit {show(shape)}:{show(stride)}",
            "give one coordinate for each mode",
        )
    offset: Any = None
    for c, s, d in zip(crd, shape, stride):  # noqa: B905 - of one length, and `strict` takes time
        if c is None:
            kept.append((s, d))
            continue
        part = c * d if type(c) is int and type(s) is int else sliced(c, s, d, kept)
        offset = part if offset is None else offset + part
    return 0 if offset is None else offset
