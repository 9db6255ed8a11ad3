"""Arguments of a launch against the parameters that the source declares.

CuPy passes what it is given: the bytes of a number at the width that its type has in Python, and
the address of an array's first element, whatever its strides are (cupy/cupy#4246, #9811). What the
kernel would read of that is worked out here, and what would be something else is refused.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from symcute.errors import InputError
from symcute.kernel.ir.program import Array, Int, Kernel, Param, Pointer

__all__ = ["Arguments", "overlapping", "read_arguments", "signature"]

#: The largest power of two that is looked for in an address: CuPy's own alignment.
MAX_ALIGNMENT = 512


@dataclass(frozen=True)
class Arguments:
    """What a launch hands over: integers, and of arrays the elements and the alignment."""

    integers: Mapping[str, int] = field(default_factory=dict)
    extents: Mapping[str, int] = field(default_factory=dict)
    alignment: Mapping[str, int] = field(default_factory=dict)


def signature(argument: Any) -> Any:
    """Return what a verdict can depend on of an argument, as something to look up."""
    data = getattr(argument, "data", None)
    pointer = getattr(data, "ptr", None)
    if pointer is not None:
        return (argument.dtype, argument.shape, argument.strides, pointer % MAX_ALIGNMENT)
    if type(argument).__hash__ is None:  # an array of NumPy: a number at most
        return (type(argument), repr(argument))
    return (type(argument), argument)


def overlapping(arguments: Sequence[Any]) -> tuple[tuple[int, int], ...]:
    """Return the pairs of arguments, by position, that are arrays with memory in common."""
    places = []
    for k, argument in enumerate(arguments):
        start = getattr(getattr(argument, "data", None), "ptr", None)
        if start is not None:
            places.append((start, start + _reach(argument), k))
    places.sort()
    found = []
    for n, (_, end, k) in enumerate(places):
        for start, _, other in places[n + 1 :]:
            if start >= end:
                break
            found.append((min(k, other), max(k, other)))
    return tuple(found)


def _reach(array: Any) -> int:
    """Return the bytes from the first element of an array to behind its last one."""
    shape = array.shape
    if 0 in shape:
        return 0
    last = sum((n - 1) * d for n, d in zip(shape, array.strides, strict=True))
    return int(last + array.dtype.itemsize)


def read_arguments(kernel: Kernel, arguments: Sequence[Any], strided: Collection[str]) -> Arguments:
    """Return the arguments by the names of the parameters.

    `strided` names arrays whose strides the kernel itself accounts for.
    Errors: InputError for a wrong number of arguments, and for one that the kernel would read as
    something else than what was passed.
    """
    if len({p.place for p in kernel.params}) < len(kernel.params):
        raise InputError(
            f"{kernel.name} takes a struct as a parameter, which is not looked into here",
            "check it with symcute check, and launch it without the guard",
        )
    if len(arguments) != len(kernel.params):
        names = ", ".join(f"{p.text} {p.name}" for p in kernel.params)
        raise InputError(
            f"{kernel.name} takes {len(kernel.params)} arguments, not {len(arguments)}",
            f"its parameters are ({names})",
        )
    unknown = sorted(set(strided) - {p.name for p in kernel.params})
    if unknown:
        raise InputError(f"{kernel.name} has no parameter {unknown[0]}", "see `strided`")
    arrays = {a.name: a for a in kernel.arrays}
    integers: dict[str, int] = {}
    extents: dict[str, int] = {}
    alignment: dict[str, int] = {}
    for param, argument in zip(kernel.params, arguments, strict=True):
        if isinstance(param.type, Pointer):
            name = param.array or param.name
            extents[name], alignment[name] = _array(
                param, arrays[name], argument, param.name in strided
            )
        elif isinstance(param.type, Int):
            integers[param.name] = _integer(param, param.type, argument)
        else:
            _other(param, argument)
    return Arguments(integers, extents, alignment)


# --- arrays -------------------------------------------------------------------------------------


def _array(param: Param, array: Array, argument: Any, strided: bool) -> tuple[int, int]:
    """Return how many elements can be reached, and the alignment of the first."""
    pointer = getattr(getattr(argument, "data", None), "ptr", None)
    if pointer is None:
        raise InputError(
            f"{_named(param)} got {_shown(argument)}, which is no array on the device",
            "pass a CuPy array",
        )
    dtype = argument.dtype
    kinds = "iub" if array.integer is not None else "fcV"
    fits = dtype.itemsize == array.element
    # A pointer to float4, or to a struct, is passed an array of the numbers in it.
    packed = array.integer is None and array.element > dtype.itemsize
    if not (fits and dtype.kind in kinds) and not (packed and array.element % dtype.itemsize == 0):
        raise InputError(
            f"{_named(param)} got an array of {dtype}, with {dtype.itemsize} bytes an element",
            f"the kernel reads elements of {array.element} bytes, {array.text}",
        )
    extents, strides = argument.shape, argument.strides
    if not strided and not _contiguous(extents, strides, dtype.itemsize):
        raise InputError(
            f"{_named(param)} got a view of shape {extents} with strides {strides} in bytes, "
            "of which the kernel sees only the address",
            f"pass cupy.ascontiguousarray({param.name}), or name it in strided=",
        )
    if any(s < 0 for s in strides):
        raise InputError(
            f"{_named(param)} got an array with a negative stride",
            f"pass cupy.ascontiguousarray({param.name})",
        )
    return _reach(argument) // array.element, min(
        MAX_ALIGNMENT, pointer & -pointer or MAX_ALIGNMENT
    )


def _contiguous(extents: Sequence[int], strides: Sequence[int], itemsize: int) -> bool:
    step = itemsize
    for extent, stride in zip(reversed(extents), reversed(strides), strict=True):
        if extent == 0:
            return True
        if extent != 1 and stride != step:
            return False
        step *= extent
    return True


# --- numbers ------------------------------------------------------------------------------------


def _integer(param: Param, kind: Int, argument: Any) -> int:
    """Return the number that the kernel reads of what is passed."""
    width = _integer_bytes(argument)
    if width is None:
        raise InputError(
            f"{_named(param)} got {_shown(argument)}", f"pass numpy.{_numpy_name(kind)}(...)"
        )
    value = int(argument)
    if 8 * width < kind.bits:
        raise InputError(
            f"{_named(param)} got {_shown(argument)}, {width} bytes where the kernel reads "
            f"{kind.bits // 8}",
            f"pass numpy.{_numpy_name(kind)}({value})",
        )
    if not kind.low <= value <= kind.high:
        raise InputError(
            f"{_named(param)} got {_shown(argument)}, of which the kernel reads {kind.wrap(value)}",
            f"{param.text} holds {kind.low} to {kind.high}",
        )
    return value


def _integer_bytes(argument: Any) -> int | None:
    """Return the bytes that CuPy passes of an integer, or None for what is none."""
    dtype = getattr(argument, "dtype", None)
    if dtype is not None:
        scalar = getattr(argument, "shape", None) == ()
        return int(dtype.itemsize) if scalar and dtype.kind in "iub" else None
    return struct.calcsize("q") if isinstance(argument, int) else None


def _other(param: Param, argument: Any) -> None:
    """Refuse a number whose bytes are not those of the floating type that is declared."""
    wanted = {"float": 4, "double": 8}.get(param.text.replace("const", "").strip())
    dtype = getattr(argument, "dtype", None)
    if wanted is None or (dtype is not None and (dtype.kind, dtype.itemsize) == ("f", wanted)):
        return
    if wanted == 8 and type(argument) is float:
        return
    raise InputError(
        f"{_named(param)} got {_shown(argument)}, which is not passed as {wanted} bytes of a float",
        f"pass numpy.float{8 * wanted}({argument})",
    )


def _numpy_name(kind: Int) -> str:
    return "bool_" if kind.bits == 1 else f"{'int' if kind.signed else 'uint'}{kind.bits}"


def _named(param: Param) -> str:
    return f"the parameter {param.text} {param.name}"


def _shown(argument: Any) -> str:
    return f"{argument!r:.60} of type {type(argument).__name__}"
