"""The kernels under gpu/: their theorems hold, their index functions are their layouts."""

from __future__ import annotations

import ctypes
import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from symcute.evidence.backends.host import find_compiler
from symcute.layout.swizzle import ComposedLayout

ROOT = Path(__file__).resolve().parents[2]
NAMES = ["transpose", "copy", "sgemm", "im2col", "nhwc"]


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT))
    return importlib.import_module("gpu._run")


def test_their_theorems_are_as_expected(symcute: Any, tmp_path: Path) -> None:
    outcome = symcute("verify", str(ROOT / "gpu"), "--json", "found.json", "--no-cache", "--quiet")
    assert outcome.code == 0, outcome.out
    totals = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))["totals"]
    assert totals["theorems"] >= 36
    assert totals["refuted"] >= 14
    assert totals["unknown"] == 0


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_their_functions_are_their_layouts(lab: Any, name: str, tmp_path: Path) -> None:
    """The generated functions, compiled for the host, at every coordinate of a small instance."""
    file = importlib.import_module(f"gpu.{name}")
    text = lab.header(file.FUNCTIONS).replace("__device__ __forceinline__ ", "")
    code, library = tmp_path / "f.c", tmp_path / "f.so"
    code.write_text(text)
    subprocess.run([find_compiler(), "-shared", "-fPIC", "-o", library, code], check=True)
    loaded = ctypes.CDLL(str(library))
    compared = 0
    for function, (layout, names) in file.FUNCTIONS.items():
        dims = {n: 3 + k for k, n in enumerate(sorted(layout.dims()))}
        static = layout.at(dims)
        call = getattr(loaded, function)
        call.restype = ctypes.c_longlong
        modes = static.layout if isinstance(static, ComposedLayout) else static
        flat = list(lab._flat(names))
        extents = [int(m.size()) for m in modes] if isinstance(names, tuple) else [modes.size()]
        if len(flat) != len(extents):
            extents = [int(m.size()) for pair in modes for m in pair]
        for i in range(min(int(static.size()), 3000)):
            split, rest = [], i
            for extent in extents:
                split.append(rest % extent)
                rest //= extent
            arguments = [*split, *(dims[n] for n in sorted(dims))]
            assert call(*map(ctypes.c_longlong, arguments)) == static(i), (function, split)
            compared += 1
    assert compared >= 100


def test_no_device_is_said_in_a_line() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gpu"], capture_output=True, text=True, cwd=ROOT,
        env={"CUDA_VISIBLE_DEVICES": "", "PATH": ""}, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith("no GPU: ")
