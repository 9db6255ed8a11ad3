"""What the kernels of this folder share: functions from layouts, compiling, comparing.

`python -m gpu` runs them all; a file's `run(rng, lab)` gets this module as `lab`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from symcute import Layout, c_expression
from symcute.layout.swizzle import ComposedLayout

HERE = Path(__file__).parent

#: A layout, and the name of its 1-D coordinate or names nested as far as they are wanted.
Function: TypeAlias = tuple[Layout | ComposedLayout, Any]


@dataclass(frozen=True)
class Seen:
    """One kernel at one size: how many elements of its output were compared, how many differ."""

    kernel: str
    size: str
    compared: int
    wrong: int
    worst: float = 0.0


def header(functions: Mapping[str, Function]) -> str:
    """Return a device function for each layout: `long long name(long long i, ..., dims)`.

    >>> print(header({"tile": (Layout((32, 32), (33, 1)), ("r", "c"))}))
    __device__ __forceinline__ long long tile(long long r, long long c)
    {
        return r * 33 + c;
    }
    <BLANKLINE>
    """
    parts = []
    for name, (layout, names) in functions.items():
        parameters = [*_flat(names), *sorted(layout.dims())]
        inner = layout.layout if isinstance(layout, ComposedLayout) else layout
        value = c_expression(inner, names)
        if isinstance(layout, ComposedLayout):
            sw, shift = layout.swizzle, abs(layout.swizzle.shift)
            move = ">>" if layout.swizzle.shift >= 0 else "<<"
            body = (
                f"    const long long x = {value} + {layout.offset};\n"
                f"    return x ^ (x & {sw.source}) {move} {shift};"
            )
        else:
            body = f"    return {value};"
        typed = ", ".join(f"long long {p}" for p in parameters)
        parts.append(f"__device__ __forceinline__ long long {name}({typed})\n{{\n{body}\n}}\n")
    return "\n".join(parts)


def _flat(names: Any) -> Iterator[str]:
    if isinstance(names, str):
        yield names
    else:
        for n in names:
            yield from _flat(n)


def source(file: str, functions: Mapping[str, Function]) -> str:
    """Return the CUDA C of a kernel file with the functions of its layouts before it."""
    return header(functions) + "\n" + (HERE / file).read_text(encoding="utf-8")


def compiled(file: str, functions: Mapping[str, Function]) -> Any:
    """Return the kernels of a file as a CuPy module."""
    import cupy

    return cupy.RawModule(code=source(file, functions), options=("--std=c++17",))


def source_hash(file: str, functions: Mapping[str, Function]) -> str:
    """Return the SHA-256 of what is compiled."""
    return hashlib.sha256(source(file, functions).encode()).hexdigest()


def compare(kernel: str, size: str, got: Any, wanted: Any, tolerance: float = 0.0) -> Seen:
    """Compare an output with what it should be; `tolerance` is relative to the largest value."""
    import numpy as np

    got, wanted = np.asarray(got), np.asarray(wanted)
    assert got.shape == wanted.shape, (kernel, size, got.shape, wanted.shape)
    if tolerance == 0.0:
        return Seen(kernel, size, got.size, int((got != wanted).sum()))
    scale = float(np.abs(wanted).max()) or 1.0
    error = np.abs(got.astype(np.float64) - wanted) / scale
    return Seen(kernel, size, got.size, int((~(error <= tolerance)).sum()), float(error.max()))
