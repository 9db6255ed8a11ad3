"""Layouts of arrays, arrays of offsets, and views of a buffer through a layout.

NumPy is imported when a function first needs it; CuPy and PyTorch never: what they hand over is
read by its attributes.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from operator import index
from typing import Any, TypeAlias

from symcute.errors import InputError, needs
from symcute.expr.basis import require_integers
from symcute.expr.htuple import HTuple, leaves, show
from symcute.layout.coordinates import crd2idx
from symcute.layout.layout import Layout

__all__ = ["MAX_SIZE", "layout_of", "offsets", "strided_view"]

#: An array of NumPy, CuPy, or another library with their functions.
Array: TypeAlias = Any
#: Offsets of more coordinates than this are not computed as one array.
MAX_SIZE = 2**30
#: Axes of a NumPy array.
MAX_AXES = 32
#: One more than the largest 64-bit signed integer.
_LIMIT = 2**63


# --- arrays to layouts -----------------------------------------------------------------------


def layout_of(array: Array) -> Layout:
    """Return the layout that maps an array's indices to offsets, counted in elements.

    Pre-conditions: the array is one of NumPy, CuPy or PyTorch, or offers `__array_interface__`,
    `__cuda_array_interface__`, or `__dlpack__` in host memory; none of its extents is 0.
    Post-conditions: array[i, j, ...] lies layout(i, j, ...) elements after array[0, 0, ...]. An
    array of one axis gives a rank-1 tuple, one without axes `1:0`.
    Errors: InputError when there are no strides to read, an extent is 0, or a stride is no
    multiple of the element's size.

    >>> import numpy as np
    >>> print(layout_of(np.zeros((4, 6), dtype=np.float32)[::-1, ::2]))
    (4,3):(-6,2)
    """
    shape, strides = _strides_of(array)
    if len(shape) != len(strides):
        raise InputError(f"an array of shape {show(shape)} with strides {show(strides)}", "")
    if not shape:
        return Layout(1, 0)
    if 0 in shape:
        raise InputError(f"an array of shape {show(shape)} has no elements", "extents are >= 1")
    return Layout(shape, strides)


def _strides_of(array: Array) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the shape and the strides, in elements."""
    kind = type(array).__name__
    try:
        stride = getattr(array, "stride", None)
        if callable(stride) and hasattr(array, "shape"):  # PyTorch, on any device
            return _ints(array.shape), _ints(stride())
        for name in ("__array_interface__", "__cuda_array_interface__"):
            interface = getattr(array, name, None)
            if isinstance(interface, dict):
                return _of_interface(interface)
        if hasattr(array, "__dlpack__"):
            needs("reading this array", "numpy")
            import numpy as np

            return _of_interface(np.from_dlpack(array).__array_interface__)
    except (BufferError, KeyError, RuntimeError, TypeError) as error:
        raise InputError(
            f"the strides of a {kind} cannot be read ({error})",
            "give a dense array in host memory, or one with __cuda_array_interface__",
        ) from None
    raise InputError(
        f"a {kind} has no strides",
        "give an array of NumPy, CuPy or PyTorch, or one with __array_interface__",
    )


def _of_interface(interface: dict[str, Any]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    shape, strides = _ints(interface["shape"]), interface.get("strides")
    if strides is None:  # C-contiguous
        return shape, tuple(prod(shape[k + 1 :]) for k in range(len(shape)))
    needs("reading strides in bytes", "numpy")
    import numpy as np

    item = np.dtype(interface["typestr"]).itemsize
    for axis, stride in enumerate(strides):
        if item == 0 or stride % item:
            raise InputError(
                f"the stride of axis {axis} is {stride} bytes, no multiple of the {item} bytes of"
                " an element",
                "copy the array, or view it as bytes",
            )
    return shape, tuple(int(stride) // item for stride in strides)


def _ints(items: Sequence[Any]) -> tuple[int, ...]:
    return tuple(int(x) for x in items)


# --- layouts to arrays of offsets ------------------------------------------------------------


def offsets(layout: Layout, coordinates: Any = None, xp: Any = None) -> Array:
    """Return the offsets of a static layout as an array: of its whole domain, or at coordinates.

    Pre-conditions: `xp` is NumPy (the default), CuPy, or a module with the same functions.
    `coordinates` is None for the 1-D coordinates 0, 1, ..., size - 1; a list or an integer array
    of 1-D coordinates; or a tuple that fits the shape, whose leaves are lists, arrays (which
    broadcast) or ints.
    Post-conditions: the items are layout(c), in int64 when all of them fit, else as Python ints.
    The whole domain is summed from natural coordinates, without a division.
    Errors: InputError for a symbolic layout or a coordinate stride, more than 2**30 coordinates,
    coordinates that are no integers or do not fit the shape, offsets beyond 64 bits where `xp` is
    not NumPy.

    >>> offsets(Layout((2, 3), (3, -1)))
    array([ 0,  3, -1,  2, -2,  1])
    >>> offsets(Layout((2, 3), (3, -1)), ([0, 1], 2))
    array([-2,  1])
    """
    if xp is None:
        needs("offsets", "numpy")
        import numpy as xp
    modes = _static_modes(layout, "offsets")
    if coordinates is None:
        return _whole_domain(layout, modes, xp)
    crd = _as_arrays(coordinates, xp)
    kind: Any = xp.int64
    if max(int(layout.size()), _bound(crd, layout.shape, layout.stride)) >= _LIMIT // 2:
        _needs_numpy(layout, xp)
        kind = object
    result = crd2idx(_typed(crd, kind), layout.shape, layout.stride)
    result = xp.asarray(result)
    if kind is object and all(-_LIMIT <= x < _LIMIT for x in result.flat):
        return result.astype(xp.int64)
    return result


def _static_modes(layout: Layout, where: str) -> list[tuple[int, int]]:
    if layout.coordinate_strides:
        require_integers(layout.stride, where)
    modes = []
    for extent, stride in layout.modes():
        if not isinstance(extent, int) or not isinstance(stride, int):
            raise InputError(
                f"{layout} has symbolic leaves", "give the dims values with .at({...})"
            )
        modes.append((extent, stride))
    return modes


def _whole_domain(layout: Layout, modes: list[tuple[int, int]], xp: Any) -> Array:
    size, reach = 1, 0
    for extent, stride in modes:
        size *= extent
        reach += (extent - 1) * abs(stride)
    if size > MAX_SIZE:
        raise InputError(f"{layout} has {size} coordinates", f"at most {MAX_SIZE} fit one array")
    kind: Any = xp.int64
    if reach >= _LIMIT:
        _needs_numpy(layout, xp)
        kind = object
    result = xp.zeros(1, dtype=kind)
    for extent, stride in modes:
        if extent > 1:  # a stride that is never added may be beyond 64 bits
            mode = xp.arange(extent).astype(kind) * stride
            result = (mode[:, None] + result[None, :]).ravel()
    return result


def _needs_numpy(layout: Layout, xp: Any) -> None:
    if xp.__name__ != "numpy":
        raise InputError(
            f"offsets of {layout} do not fit the 64 bits of {xp.__name__}", "use NumPy"
        )


def _as_arrays(crd: Any, xp: Any) -> Any:
    """Return a coordinate whose lists are arrays; InputError for items that are no integers."""
    if isinstance(crd, tuple):
        return tuple(_as_arrays(c, xp) for c in crd)
    if isinstance(crd, (list, range)):
        crd = xp.asarray(crd) if len(crd) else xp.zeros(0, dtype=xp.int64)
    if hasattr(crd, "dtype"):
        exact = crd.dtype.kind == "O" and all(type(x) is int for x in crd.flat)
        if not exact and crd.dtype.kind not in "iu":
            raise InputError(f"a coordinate array of {crd.dtype}", "use an integer array")
    return crd


def _typed(crd: Any, kind: Any) -> Any:
    if isinstance(crd, tuple):
        return tuple(_typed(c, kind) for c in crd)
    return crd.astype(kind) if hasattr(crd, "dtype") and crd.ndim > 0 else crd


def _bound(crd: Any, shape: HTuple, stride: HTuple) -> int:
    """Return a bound on every number met on the way to the offsets; a last mode has no end."""
    if isinstance(crd, tuple) and isinstance(shape, tuple) and len(crd) == len(shape):
        return sum(_bound(*x) for x in zip(crd, shape, stride, strict=True))
    pairs = list(zip(leaves(shape), leaves(stride), strict=True))
    size, reach = 1, 0
    for extent, step in pairs:
        size *= int(extent)
        reach += int(extent) * abs(int(step))
    if isinstance(crd, tuple) or not (hasattr(crd, "dtype") and crd.size):
        largest = abs(crd) if isinstance(crd, int) else 0
    else:
        largest = max(abs(int(crd.max())), abs(int(crd.min())))
    return max(size, reach + largest * max(1, *(abs(int(step)) for _, step in pairs)))


# --- views -----------------------------------------------------------------------------------


def strided_view(buffer: Array, layout: Layout, start: int = 0) -> Array:
    """Return the NumPy view of a 1-D buffer through a static layout; nothing is copied.

    The view has one axis for each flat mode. `start` is the element at coordinate 0, so that a
    layout with negative strides has a place to begin.
    Pre-conditions: every offset plus `start` lies in the buffer.
    Post-conditions: view[natural coordinate, flattened] is buffer[start + layout(coordinate)]. The
    view is writable only when the buffer is, and the strides show that no two coordinates share
    an element.
    Errors: InputError for a buffer that is no 1-D NumPy array, a symbolic layout, a layout that
    leaves the buffer (it names the offset), or more axes than NumPy has.

    >>> import numpy as np
    >>> strided_view(np.arange(12), Layout((3, 2), (1, 6))).tolist()
    [[0, 6], [1, 7], [2, 8]]
    >>> strided_view(np.arange(5), Layout((3, 2), (1, 3)))
    Traceback (most recent call last):
    symcute.errors.InputError: (3,2):(1,3) from element 0 reaches element 5 of a buffer of 5; ...
    """
    needs("strided_view", "numpy")
    import numpy as np
    from numpy.lib.stride_tricks import as_strided

    masked = isinstance(buffer, np.ma.MaskedArray)  # the view would lose its mask
    if not isinstance(buffer, np.ndarray) or buffer.ndim != 1 or masked:
        raise InputError(
            f"the buffer is {_kind_of(buffer)}, no 1-D NumPy array",
            "give array.reshape(-1) or np.frombuffer(...)",
        )
    modes, start = _static_modes(layout, "strided_view"), index(start)
    low = start + sum((s - 1) * min(d, 0) for s, d in modes)
    high = start + sum((s - 1) * max(d, 0) for s, d in modes)
    if low < 0 or high >= len(buffer):
        raise InputError(
            f"{layout} from element {start} reaches element {low if low < 0 else high}"
            f" of a buffer of {len(buffer)}",
            "give a larger buffer, another start, or a smaller layout",
        )
    if len(modes) > MAX_AXES:
        raise InputError(f"{layout} has {len(modes)} modes", f"a view has at most {MAX_AXES} axes")
    if layout.size() * max(1, buffer.itemsize) >= _LIMIT:  # only strides of 0 get this far
        raise InputError(f"{layout} has {layout.size()} coordinates", "use a smaller layout")
    step = buffer.strides[0]
    return as_strided(
        buffer[start:],
        [s for s, _ in modes],
        [d * step if s > 1 else 0 for s, d in modes],
        writeable=bool(buffer.flags.writeable) and abs(step) >= buffer.itemsize and _apart(modes),
    )


def _kind_of(buffer: Any) -> str:
    axes = getattr(buffer, "ndim", None)
    name = type(buffer).__name__
    return f"a {name}" if axes is None else f"a {name} of {axes} axes"


def _apart(modes: list[tuple[int, int]]) -> bool:
    """Return whether each stride exceeds all that the smaller ones reach: offsets differ."""
    reach = 0
    for distance, extent in sorted((abs(d), s) for s, d in modes if s > 1):
        if distance <= reach:
            return False
        reach += (extent - 1) * distance
    return True
