"""On a machine with a GPU: do CuPy arrays and kernels agree with the library? Skipped elsewhere."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from symcute import Layout, c_expression, guarded_divide, layout_of, logical_divide, offsets
from symcute.evidence.backends.cupy import cupy_available

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(bool(cupy_available()), reason=f"no GPU: {cupy_available()}"),
]

ROOT = Path(__file__).resolve().parents[2]
KERNELS = ["transpose", "copy", "sgemm", "im2col", "nhwc", "reduction"]
LAYOUTS = [
    Layout.parse(text)
    for text in (
        "(1024,1024):(1024,1)",
        "((32,33),(8,7)):((7,-224),(1,56000))",
        "(64,(4,(3,5))):(0,(1,(4,12)))",
        "131071:3",
    )
]


@pytest.fixture(scope="module")
def cupy() -> Any:
    return pytest.importorskip("cupy")


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_offsets_are_those_of_numpy(cupy: Any, layout: Layout) -> None:
    on_device = offsets(layout, xp=cupy)
    assert isinstance(on_device, cupy.ndarray)
    assert (cupy.asnumpy(on_device) == offsets(layout)).all()
    index = cupy.arange(layout.size(), dtype=cupy.int64)
    assert (cupy.asnumpy(offsets(layout, index, cupy)) == offsets(layout)).all()


def test_the_layout_of_an_array_on_the_device(cupy: Any) -> None:
    array = cupy.arange(6 * 8 * 10, dtype=cupy.float32).reshape(6, 8, 10)
    assert layout_of(array) == Layout((6, 8, 10), (80, 10, 1))
    view = array.transpose(2, 0, 1)[::-1, 1:4]
    layout = layout_of(view)
    assert layout == Layout((10, 3, 8), (-1, 80, 10))
    flat = cupy.asnumpy(array).ravel()
    start = 1 * 80 + 9
    at = np.indices(view.shape)
    assert (flat[start + layout(tuple(at))] == cupy.asnumpy(view)).all()


@pytest.mark.parametrize("shifts", [False, True])
@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_a_kernel_with_our_index_expression(cupy: Any, layout: Layout, shifts: bool) -> None:
    code = c_expression(layout, "index", shifts=shifts)
    kernel = cupy.ElementwiseKernel("int64 index", "int64 out", f"out = {code};", "symcute_index")
    found = kernel(cupy.arange(layout.size(), dtype=cupy.int64))
    assert (cupy.asnumpy(found) == offsets(layout)).all()


def test_a_guarded_kernel_touches_each_element_once(cupy: Any) -> None:
    """A copy over ceil-div tiles of a matrix that they do not divide, guarded as symcute says."""
    m, n, tile = 1000, 777, (128, 64)
    rows = Layout((m, n), (n, 1))
    divided = guarded_divide(rows, tile)
    names = (("t0", "b0"), ("t1", "b1"))
    index, guard = c_expression(divided.layout, names), str(divided.guard)
    code = f"""
    extern "C" __global__ void touch(int* seen) {{
        const long long t0 = threadIdx.x, b0 = blockIdx.x, b1 = blockIdx.y;
        for (long long t1 = 0; t1 < {tile[1]}; ++t1)
            if ({guard.replace(" and ", " && ")}) atomicAdd(&seen[{index}], 1);
    }}"""
    seen = cupy.zeros(m * n, dtype=cupy.int32)
    grid = tuple(int(divided.layout[k][1].size()) for k in (0, 1))
    cupy.RawKernel(code, "touch")(grid, (tile[0],), (seen,))
    assert (seen == 1).all()
    assert logical_divide(rows, (125, 111)).size() == m * n  # a tile that divides needs no guard


@pytest.mark.parametrize("name", KERNELS)
def test_the_kernels_of_the_folder_agree_with_numpy(cupy: Any, name: str) -> None:
    sys.path.insert(0, str(ROOT))
    file, lab = importlib.import_module(f"gpu.{name}"), importlib.import_module("gpu._run")
    seen = list(file.run(np.random.default_rng(2), lab))
    assert len(seen) >= 4
    assert [x for x in seen if x.wrong or not x.compared] == []
