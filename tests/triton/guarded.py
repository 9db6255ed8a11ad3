"""Tensors that are shape, stride, type and address, to launch guarded kernels with no device."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from .cases import Case, Run, element_bytes, is_int

#: PyTorch's names of the types of elements, which Triton asks for.
NAMES = {
    "fp64": "float64", "fp32": "float32", "fp16": "float16", "bf16": "bfloat16",
    "fp8e5": "float8_e5m2", "fp8e4nv": "float8_e4m3fn", "i64": "int64", "i32": "int32",
    "i16": "int16", "i8": "int8", "u64": "uint64", "u32": "uint32", "u16": "uint16", "u8": "uint8",
    "i1": "bool",
}  # fmt: skip
#: Each storage lies far from all others.
_starts = count(1 << 40, 1 << 40)


@dataclass(frozen=True)
class DType:
    """A type of elements, written as PyTorch writes it."""

    name: str
    itemsize: int

    def __str__(self) -> str:
        return f"torch.{self.name}"


@dataclass(frozen=True)
class Storage:
    """Memory of some bytes."""

    start: int
    size: int

    def data_ptr(self) -> int:
        return self.start

    def nbytes(self) -> int:
        return self.size


class Meta:
    """A tensor of which nothing is there: `start` is its first element in its storage."""

    def __init__(
        self, shape: Sequence[int], kind: str = "fp32", *, strides: Sequence[int] | None = None,
        storage: Storage | None = None, start: int = 0, align: int = 512,
    ) -> None:  # fmt: skip
        self.shape = tuple(shape)
        self.dtype = DType(NAMES[kind], element_bytes(kind))
        dense, step = [], 1
        for n in reversed(self.shape):
            dense.insert(0, step)
            step *= n
        self.strides = tuple(dense if strides is None else strides)
        size = step * self.dtype.itemsize
        self.storage = storage or Storage(next(_starts) + align % 512, size)
        self._start = self.storage.start + start * self.dtype.itemsize

    def data_ptr(self) -> int:
        return self._start

    def stride(self) -> tuple[int, ...]:
        return self.strides

    def untyped_storage(self) -> Storage:
        return self.storage

    def view(self, shape: Sequence[int], strides: Sequence[int], start: int = 0) -> Meta:
        """A view that begins at an element of the storage."""
        kind = next(k for k, n in NAMES.items() if n == self.dtype.name)
        return Meta(shape, kind, strides=strides, storage=self.storage, start=start)


@cache
def module(file: Path) -> Any:
    """The module of a file of kernels, imported here."""
    spec = importlib.util.spec_from_file_location(f"guarded_{file.stem}", file)
    assert spec and spec.loader
    found = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = found
    spec.loader.exec_module(found)
    return found


def arguments(case: Case, run: Run) -> dict[str, Any] | None:
    """What a run launches a kernel with; None where Triton would take a number for another type."""
    found: dict[str, Any] = {n: v for n, v in case.constants.items() if not isinstance(v, list)}
    for name, kind in case.types.items():
        if is_int(kind):
            value = case.value(case.arguments.get(name, name), run.dims)
            if kind != ("i32" if -(1 << 31) <= value < 1 << 31 else "i64"):
                return None
            found[name] = value
        elif kind.startswith("*"):
            size = case.value(case.extents[name], run.dims)
            align = case.alignment.get(name, element_bytes(kind))
            start = case.value(case.offsets.get(name, "0"), run.dims)
            whole = Meta((size,), kind[1:], align=align)
            found[name] = whole.view((size - start,), (1,), start) if start else whole
        else:
            found[name] = 0.5
    return found
