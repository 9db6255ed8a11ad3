"""What TMA and tcgen05 are said to ask, against NVIDIA's headers."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from symcute.errors import InputError
from symcute.frontends.cutedsl import tma
from symcute.frontends.cutedsl.atoms import tiled_mma
from symcute.frontends.cutedsl.checking import check_module
from symcute.frontends.cutedsl.types import read_type
from symcute.layout.atoms import mma_atoms

from .test_cutedsl_pieces import modules


def header(package: str, path: str) -> str:
    """The text of a header in a wheel; fails where that is not installed."""
    spec = find_spec(package)
    assert spec is not None and spec.submodule_search_locations, f"{package} is not installed"
    folder = Path(next(iter(spec.submodule_search_locations)))
    return (folder / path).read_text(encoding="utf-8")


@pytest.mark.full
def test_descriptors_are_asked_for_what_cutlass_asserts() -> None:
    text = header("cutlass_library", "source/include/cute/atom/copy_traits_sm90_tma.hpp")
    (address,) = re.findall(r"assert\(\(reinterpret_cast<uint64_t>\(gmem_address\) & (\w+)", text)
    strides = re.findall(r"assert\(\(gmem_prob_stride\[(\d)\] & (\w+)\) == 0\)", text)
    boxes = re.findall(r"assert\(smem_box_shape\[(\d)\] <= \(uint32_t\(1\) << (\d+)\)\)", text)
    assert int(address, 2) + 1 == tma.GLOBAL
    assert {k: int(mask, 2) + 1 for k, mask in strides} == dict.fromkeys("1234", tma.GLOBAL)
    assert {k: 1 << int(n) for k, n in boxes} == dict.fromkeys("01234", tma.MOST)
    assert "assert(gmem_prob_stride[0] == 1" in text


@pytest.mark.full
def test_swizzles_are_those_of_cutlass_and_reach_as_far_as_the_driver_says() -> None:
    path = "source/include/cute/atom/copy_traits_sm90_tma_swizzle.hpp"
    text = header("cutlass_library", path)
    sixteen = text[text.index("M == 4") : text.index("M == 5")]
    named = re.findall(r"\(B == (\d)\) \{ return TMA::SmemSwizzleBits::B?(\w+); \}", sixteen)
    found = {(int(b), 4, 3): None if n == "DISABLE" else int(n) for b, n in named}
    assert "Expected S = 3 when M == 4" in text and "Expected S = 2 when M == 5" in text
    rest = text[text.index("M == 5 || M == 6") :]
    assert "B == 2" in rest.splitlines()[1] and "SmemSwizzleBits::B128" in rest.splitlines()[3]
    assert found | {(2, 5, 2): 128} == tma.SPANS
    driver = header("nvidia.cuda_runtime", "include/cuda.h")
    said = re.findall(
        r"SWIZZLE_(\d+)B\*? requires? the bounding box inner dimension to be <= (\d+)", driver
    )
    assert {int(a) for a, _ in said} == {32, 64, 128} and all(a == b for a, b in said)


ATOMS = [
    x
    for x in mma_atoms("sm100")
    if re.fullmatch(r"SM100_MMA_(F16BF16|TF32|S8)_SS<\d+,\d+>", x.name)
]
NAMES = {"F16BF16": "f16, f16, f32", "TF32": "tf32, tf32, f32", "S8": "i8, i8, i32"}


def mma(shape: str, types: str, ctas: int = 1) -> str:
    return (
        f"!cute.tiled_mma<!cute_nvgpu.sm100.mma<{shape}, num_cta = {ctas}, ab_major = (k, k), "
        f"elem_type = ({types}), frag_kind = ss, c_scale_exp = 0>, "
        'atom_layout_MNK = <"(1,1,1):(0,0,0)">, permutation_MNK = <"[_;_;_]">>'
    )


def test_operands_of_tcgen05_are_those_of_the_catalogue() -> None:
    """Other tests hold the catalogue to CUTLASS' headers."""
    assert len(ATOMS) >= 50
    for x in ATOMS:
        shape = "x".join(map(str, x.shape_mnk))
        kind = next(t for n, t in NAMES.items() if n in x.name)
        found = tiled_mma(read_type(mma(shape, kind))).atom
        ours = (found.thr_id, found.layoutA_TV, found.layoutB_TV, found.layoutC_TV)
        assert ours == (x.thr_id, x.layoutA_TV, x.layoutB_TV, x.layoutC_TV), x.name


def test_two_ctas_are_not_taken_for_one() -> None:
    with pytest.raises(InputError, match="none that is known here"):
        tiled_mma(read_type(mma("256x128x16", NAMES["F16BF16"], ctas=2)))


BOX = '!cute.layout<"(64,64):(64,1)">'


@pytest.mark.parametrize(
    ("swizzle", "status"),
    [
        ("S<3,4,3>", "proved"), ("S<2,5,2>", "proved"), ("S<0,4,3>", "proved"),
        ("S<2,4,3>", "refuted"), ("S<1,4,3>", "refuted"),
        ("S<3,3,3>", "unknown"), ("S<2,4,2>", "unknown"), ("S<1,5,2>", "unknown"),
    ],
)  # fmt: skip
def test_rows_are_no_longer_than_the_swizzle_reaches(swizzle: str, status: str) -> None:
    """A box of 64 halves a row, in layouts that say another swizzle."""
    text = re.sub(
        r'(!cute\.layout<"\(64,64\):\(64,1\)">)',
        lambda found: found[1].replace('layout<"', f'composed_layout<"{swizzle} o 0 o '),
        modules()["a box"],
    )
    assert text != modules()["a box"]
    boxes = [f for f in check_module(text, properties=()) if "each mode of the box" in f.text]
    assert [f.status for f in boxes] == [status], boxes


def test_elements_of_less_than_a_byte_are_not_decided() -> None:
    text = modules()["a box"].replace("f16", "f4E2M1FN")
    found = [
        f
        for f in check_module(text, properties=())
        if f.property == "tma" and "strides in" in f.text
    ]
    assert found and {f.status for f in found} == {"unknown"}
