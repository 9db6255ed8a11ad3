"""Answers what an execution in Triton's interpreter violates: questions and answers are lines.

A question is a JSON object that says the file, the kernel, its arguments as numbers, its arrays,
the grid, and which programs run. Nothing here imports symcute, or torch.
"""

from __future__ import annotations

import base64
import importlib.util
import json
import os
import sys
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

KERNELS = Path(__file__).parents[1] / "kernels"
#: So many operations may a program take.
WORK = 20_000
#: numpy's names of Triton's; those that numpy lacks by their bits.
TYPES = {
    "fp64": "f8", "fp32": "f4", "fp16": "f2", "bf16": "u2", "fp8e5": "u1", "fp8e4nv": "u1",
    "i64": "i8", "i32": "i4", "i16": "i2", "i8": "i1", "u64": "u8", "u32": "u4", "u16": "u2",
    "u8": "u1", "i1": "?",
}  # fmt: skip


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """Execute a launch, and return what it violates."""
    import triton.language as tl
    from triton.runtime import interpreter

    from .builder import Handle, OutOfWork, prepared
    from .faults import faults, uncovered
    from .memory import Memory

    file = str(KERNELS / question["file"])
    kernel = _module(file)[question["kernel"]]
    arrays = {name: _array(k, name, a, question["how"])
              for k, (name, a) in enumerate(question["arrays"].items())}  # fmt: skip
    memory = Memory(list(arrays.values()))
    builder = _observed()
    builder.begin(memory, file)
    builder.any = {"low": 0, "high": 99}.get(question["how"], 1)
    builder.set_grid_dim(*question["grid"])
    arguments: dict[str, Any] = dict(question["constexprs"])
    for name, (kind, held) in question["numbers"].items():
        dtype = tl.str_to_ty(kind, None)
        if held is None:
            arguments[name] = None
            continue
        data = np.array([held]).astype(interpreter._get_np_dtype(dtype))
        arguments[name] = tl.tensor(Handle(data, dtype), dtype)
    for name, array in arrays.items():
        dtype = tl.str_to_ty("*" + question["arrays"][name]["type"], None)
        arguments[name] = tl.tensor(Handle(np.array([array.pointer], np.uint64), dtype), dtype)
    function = prepared(kernel)
    scope = interpreter._patch_lang(kernel.fn)
    whole = question["programs"] is None
    try:
        for at in _programs(question):
            builder.set_grid_idx(*at)
            x, y, _ = question["grid"]
            memory.program = at[0] + x * (at[1] + y * at[2])
            builder.left = WORK
            try:
                function(**arguments)
            except Exception as error:
                if isinstance(error.__cause__, AssertionError):  # Python's own `assert`
                    builder.event("promise", "assert")
                elif builder.left >= 0 and not isinstance(error, OutOfWork):
                    return {"failed": f"{type(error).__name__}: {error}"[:160]}
                whole = False
    finally:
        scope.restore()
    found = faults(memory) | {_NAMES.get(k, k): v for k, v in builder.events.items()}
    if whole:
        for name, array, layout in question["covers"]:
            elements = None if layout is None else _elements(*layout)
            if why := uncovered(memory, arrays[array], elements):
                found[name] = why
    said = {"faults": dict(sorted(found.items())), "whole": whole, "accesses": len(memory.accesses)}
    if question.get("leaves"):
        said["leaves"] = {name: base64.b64encode(a.held()).decode() for name, a in arrays.items()}
    return said


_NAMES = {"overflow": "no_overflow", "promise": "promises_kept"}


def _elements(shape: list[int], stride: list[int]) -> Iterator[int]:
    for at in product(*map(range, shape)):
        yield sum(i * d for i, d in zip(at, stride, strict=True))


def _programs(question: dict[str, Any]) -> Any:
    if question["programs"] is not None:
        return question["programs"]
    x, y, z = question["grid"]
    return [(i, j, k) for k, j, i in product(range(z), range(y), range(x))]


def _array(number: int, name: str, said: dict[str, Any], how: str) -> Any:
    from .memory import Array

    dtype = np.dtype(TYPES[said["type"]])
    item = dtype.itemsize
    low, high = said.get("contents") or _range(dtype, how)
    cells = {int(k): v for k, v in said.get("cells", {}).items()}
    return Array(name, number, dtype, said["size"] * item, said["align"],
                 said["offset"] * item, low, high, how, cells)  # fmt: skip


def _range(dtype: np.dtype[Any], how: str) -> tuple[int, int]:
    """What integers lie between of which nothing is said."""
    if dtype.kind not in "iu" or how == "random":
        return 0, 17
    if how == "rising":
        return 0, 1 << (8 * dtype.itemsize - 1)
    return int(np.iinfo(dtype).min), int(np.iinfo(dtype).max) + 1


@cache
def _observed() -> Any:
    from .builder import Observed, install

    builder = Observed(WORK)
    install(builder)
    return builder


@cache
def _module(file: str) -> dict[str, Any]:
    _observed()
    spec = importlib.util.spec_from_file_location(Path(file).stem, file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return vars(module)


def main() -> None:
    os.environ["TRITON_INTERPRET"] = "1"
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
