"""What a machine that runs generated code offers; see `symcute.codegen.c.module` for the code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from symcute.errors import InputError, SymcuteError

__all__ = ["START", "Backend", "Module", "Offsets", "dims_array", "expected_array", "read_result"]

#: Offsets of a layout in the order of its 1-D coordinates.
Offsets: TypeAlias = "npt.NDArray[Any]"

#: What an entry finds in `result`: no mismatch, no first one, nothing compared.
START = (0, 2**64 - 1, 0)


class Module(Protocol):
    """Compiled index functions, known by their number."""

    def compare(
        self, number: int, dims: Mapping[str, int], expected: Offsets
    ) -> tuple[int, int | None]:
        """Return how many i in [0, len(expected)) have another offset, and the first of them."""
        ...

    def table(self, number: int, dims: Mapping[str, int], start: int, count: int) -> Offsets:
        """Return the offsets of the coordinates [start, start + count)."""
        ...


class Backend(Protocol):
    """A machine that compiles and runs modules."""

    name: str

    def describe(self) -> dict[str, str]:
        """Return what ran: device, driver, compiler and their versions."""
        ...

    def load(self, source: str) -> Module:
        """Compile a module. Errors: SymcuteError when the compiler refuses it."""
        ...


def dims_array(dims: Mapping[str, int]) -> Offsets:
    """Return the dims' values, sorted by name, as the entry points take them (never empty).

    Errors: InputError for a value beyond 64 bits.

    >>> dims_array({"N": 3, "M": 2}).tolist()
    [2, 3]
    """
    for name, value in dims.items():
        if not -(2**63) < value < 2**63:
            raise InputError(f"{name}={value} does not fit 64 bits", "use a smaller instance")
    return np.array([dims[n] for n in sorted(dims)] or [0], dtype=np.int64)


def expected_array(expected: Offsets) -> Offsets:
    """Return the offsets as a contiguous 64-bit array.

    Errors: InputError for an array that is not 1-D, or whose type is not int64 (object arrays hold
    offsets that do not fit).
    """
    if expected.ndim != 1 or expected.dtype != np.int64:
        raise InputError(
            f"expected offsets are a {expected.ndim}-D array of {expected.dtype}",
            "give a 1-D int64 array, as `offsets` returns where all fit 64 bits",
        )
    return np.ascontiguousarray(expected)


def read_result(result: Offsets, count: int) -> tuple[int, int | None]:
    """Return (mismatches, first mismatch or None) from what a compare entry left.

    Errors: SymcuteError when the machine did not look at every coordinate: a kernel that never ran
    must not count as agreement.

    >>> read_result(np.array([2, 5, 8], dtype=np.uint64), 8)
    (2, 5)
    """
    mismatches, first, compared = (int(x) for x in result)
    if compared != count:
        raise SymcuteError(
            f"the machine compared {compared} of {count} coordinates", "run it again, or report it"
        )
    return mismatches, first if mismatches else None
