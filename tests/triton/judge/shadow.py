"""Beside each integer of the interpreter: does it have the value that is written?

Sums, differences, products and shifts of signed integers are computed anew in integers without
bounds, element by element. A tensor whose values differ carries the `exact` ones: what leaves its
type and comes back is right. Whatever else is done with a value that differs uses it, and what
comes of that is `wrapped`. A division by zero has no value. Unsigned arithmetic wraps by right.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import triton.language as tl

#: What is exact in Python's integers, by the builder's names.
EXACT = {
    "create_add": lambda a, b: a + b,
    "create_sub": lambda a, b: a - b,
    "create_mul": lambda a, b: a * b,
    "create_shl": lambda a, b: a * (1 << b) if 0 <= b < 64 else 1 << 200,
}
QUOTIENTS = ("create_sdiv", "create_udiv", "create_srem", "create_urem", "create_idiv")
#: Those that move elements, and are done to the shadow as to the tensor.
MOVES = ("create_reshape", "create_trans", "create_expand_dims", "create_broadcast")
Array = np.ndarray[Any, Any]


def wrapped(handle: Any) -> Array:
    """Where an element's value is not what is written."""
    found: Array = np.zeros(handle.data.shape, bool)
    if getattr(handle, "wrapped", None) is not None:
        found = found | handle.wrapped
    if getattr(handle, "exact", None) is not None:
        found = found | (handle.exact != handle.data.astype(object)).astype(bool)
    return found


def carry(
    name: str, plain: Any, builder: Any, args: Sequence[Any], handles: Sequence[Any], result: Any
) -> bool:
    """Put beside a result what comes of its operands; return whether it leaves its type itself."""
    dtype = handles[0].dtype.scalar
    shape = result.data.shape
    if name in EXACT and dtype.is_int_signed() and dtype != tl.int1 and len(handles) == 2:
        _note(result, _marks(handles, shape))
        return _sum(name, *handles, result)
    if name in MOVES or name in ("create_splat", "create_select", "create_join", "create_cat"):
        for kind in ("wrapped", "exact"):
            if any(getattr(h, kind, None) is not None for h in handles):
                setattr(result, kind, _moved(kind, name, plain, builder, args, handles, shape))
        return False
    marks = [wrapped(h) for h in handles]
    if name in QUOTIENTS and dtype.is_int():
        marks.append(handles[1].data == 0)
    _note(result, _either(marks, shape))
    return False


def _sum(name: str, a: Any, b: Any, result: Any) -> bool:
    """Compute anew where it may matter: where an operand differs, or the result may."""
    carried = [getattr(h, "exact", None) for h in (a, b)]
    if all(e is None for e in carried) and not _left(name, a.dtype.scalar, a.data, b.data):
        return False
    x, y = (h.data.astype(object) if e is None else e for h, e in zip((a, b), carried, strict=True))
    exact = np.asarray(np.frompyfunc(EXACT[name], 2, 1)(x, y), dtype=object)
    if np.any(exact != result.data.astype(object)):
        result.exact = exact
        return True
    return False


def _left(name: str, dtype: Any, a: Array, b: Array) -> bool:
    """Whether some result may leave the (signed) type."""
    if a.size == 0 or b.size == 0:
        return False
    bits, ends = dtype.primitive_bitwidth, [int(f(x)) for x in (a, b) for f in (np.min, np.max)]
    if name == "create_shl" and not 0 <= ends[2] <= ends[3] < bits:
        return True
    corners = [EXACT[name](p, q) for p in ends[:2] for q in ends[2:]]
    return not all(-(1 << bits - 1) <= c < 1 << bits - 1 for c in corners)


def _moved(
    kind: str, name: str, plain: Any, builder: Any, args: Sequence[Any], handles: Sequence[Any],
    shape: Any,
) -> Any:  # fmt: skip
    parts = [_beside(kind, h) for h in handles]
    if name in MOVES:
        moved = type(handles[0])(parts[0], tl.int64)
        return plain(builder, moved, *args[1:]).data
    if name == "create_splat":
        return np.full(shape, parts[0].ravel()[0], dtype=parts[0].dtype)
    if name == "create_join":
        return np.stack(parts, axis=-1)
    if name == "create_cat":
        return np.concatenate(parts)
    chosen = np.where(handles[0].data.astype(bool), parts[1], parts[2])
    return chosen | wrapped(handles[0]) if kind == "wrapped" else chosen


def _beside(kind: str, handle: Any) -> Array:
    found = getattr(handle, kind, None)
    if found is not None:
        return np.asarray(found)
    return np.zeros(handle.data.shape, bool) if kind == "wrapped" else handle.data.astype(object)


def _marks(handles: Sequence[Any], shape: Any) -> Array:
    return _either([_beside("wrapped", h) for h in handles], shape)


def _either(marks: Sequence[Array], shape: Any) -> Array:
    found = np.zeros(shape, bool)
    for mark in marks:
        if mark.any():
            try:
                found = found | np.broadcast_to(mark, shape)
            except ValueError:  # a reduction, a product of matrices: of some element
                found = found | True
    return found


def _note(result: Any, mark: Array) -> None:
    if mark.any():
        result.wrapped = mark
