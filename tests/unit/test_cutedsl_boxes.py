"""Boxes of TMA count elements of the descriptor's own type, which may not be the tensor's.

The DSL makes such modules for `make_tiled_tma_atom(..., internal_type=Int32)`: a row of 8 halves is
a box of 4 elements of 32 bits.
"""

from __future__ import annotations

import pytest

from symcute.frontends.cutedsl.checking import check_module

BITS = {"U8": 8, "U16": 16, "F16_RN": 16, "BF16_RN": 16, "U32": 32, "TF32_RN": 32, "F64_RN": 64}


def told(element: str, row: int, format: str) -> str:
    """What is told of a box with so many elements in a row."""
    tensor = f'!cute.memref<{element}, gmem, align<16>, "(16,64):(64,1)">'
    atom = (
        f"!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, {element}, copy_bits = 2048, "
        f'tma_gbasis = <"({row},16):(1@1,1@0)">, tma_format = {format}>'
    )
    layout = '!cute.layout<"(16,8):(8,1)">'
    coordinates = '!cute.coord_tensor<"(0,0)", "(16,64):(1@1,1@0)">'
    takes, gives = f"{tensor}, {layout}", f"{atom}, {coordinates}"
    made = '"cute_nvgpu.atom.make_non_exec_tiled_tma_load"'
    text = f"""#loc1 = loc("k.py":7:4)
"builtin.module"() ({{
  "func.func"() <{{sym_name = "host"}}> ({{
  ^bb0(%arg0: {tensor}):
    %0 = "cute.static"() : () -> {layout} loc(#loc1)
    %1:2 = {made}(%arg0, %0) : ({takes}) -> ({gives}) loc(#loc1)
  }}) : () -> ()
}}) : () -> ()"""
    (found,) = [f for f in check_module(text, properties=()) if "the box has" in f.text]
    return found.status


@pytest.mark.parametrize("element", ["f32", "f16", "i8"])
@pytest.mark.parametrize("format", BITS)
def test_rows_are_of_the_bytes_that_tma_copies(element: str, format: str) -> None:
    for row in (1, 2, 4, 8, 16):
        whole = row * BITS[format] % 128 == 0
        assert told(element, row, format) == ("proved" if whole else "refuted")


@pytest.mark.parametrize("format", ["U4_UNPACK_U8", "U4", "U6_UNPACK_U8", "E4M3", "U16_OTHER"])
def test_of_other_formats_nothing_is_told(format: str) -> None:
    assert told("f16", 8, format) == "unknown"
