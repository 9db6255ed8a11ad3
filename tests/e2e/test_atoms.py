"""`symcute atoms`."""

from __future__ import annotations

import json


def test_an_atom_with_what_is_proved_of_it(symcute) -> None:
    outcome = symcute("atoms", "SM80_16x8x16_F32F16F16F32_TN")
    assert outcome == (
        0,
        "SM80_16x8x16_F32F16F16F32_TN  16x8x16  f32 f16 f16 f32\n"
        "sm80, cute/atom/mma_traits_sm80.hpp\n"
        "threads  32:1\n"
        "A        ((4,8),(2,2,2)):((32,1),(16,8,128))\n"
        "         PROVED  partition_exact(((4,8),(2,2,2)):((32,1),(16,8,128)), (16,16))\n"
        "B        ((4,8),(2,2)):((16,1),(8,64))\n"
        "         PROVED  partition_exact(((4,8),(2,2)):((16,1),(8,64)), (8,16))\n"
        "C        ((4,8),(2,2)):((32,1),(16,8))\n"
        "         PROVED  partition_exact(((4,8),(2,2)):((32,1),(16,8)), (16,8))\n",
        "",
    )


def test_an_atom_whose_header_is_wrong(symcute) -> None:
    outcome = symcute("atoms", "SM80_16x8x32_S32U4U4S32_TN")
    assert outcome.code == 1
    assert "REFUTED  partition_exact(((4,8),(8)):((32,1),(8)), (8,32))" in outcome.out
    assert "element (0,4) of the tile (8,32) belongs to 2 (thread, value), not 1" in outcome.out
    assert "\nnote     the header gives the 4 threads along K of B the stride 32" in outcome.out
    assert outcome.out.endswith("NVIDIA/cutlass#3140)\n")


def test_copies_repeat_addresses(symcute) -> None:
    outcome = symcute("atoms", "SM75_U32x1_LDSM_N")
    assert outcome.code == 0
    assert "PROVED  partition_exact(((8,4),128):((128,0),1), (1024), 4)" in outcome.out


def test_lists(symcute) -> None:
    counts = symcute("atoms").out.splitlines()
    assert counts[0].split() == ["MMA", "copy"] and "sm80          65     8" in counts
    turing = symcute("atoms", "--arch", "sm75", "--kind", "mma").out.splitlines()
    assert turing == [
        "SM75_16x8x8_F32F16F16F32_TN  16x8x8  f32 f16 f16 f32",
        "SM75_8x8x16_S32S8S8S32_TN  8x8x16  s32 s8 s8 s32",
    ]
    matched = symcute("atoms", "SM90_64x*x16_F32F16F16_SS").out.splitlines()
    assert len(matched) == 32 and matched[0].startswith("SM90_64x8x16_F32F16F16_SS  64x8x16")
    assert symcute("atoms", "*LDSM_T", "--kind", "copy").out.count("\n") == 5


def test_json(symcute) -> None:
    told = json.loads(symcute("atoms", "SM80_8x8x4_F64F64F64F64_TN", "--json").out)
    assert told["shape_mnk"] == [8, 8, 4] and told["types"]["A"] == "f64"
    assert told["layouts"]["C"] == "((4,8),2):((16,1),8)"
    assert {k: v["status"] for k, v in told["claims"].items()} == dict.fromkeys("ABC", "proved")
    every = json.loads(symcute("atoms", "--arch", "sm89", "--json").out)["atoms"]
    assert len(every) == 8 and all(x["arch"] == "sm89" for x in every)


def test_bad_input(symcute) -> None:
    unknown = symcute("atoms", "SM80_16x8x16_F32F16F16F32_NT")
    assert unknown.code == 2
    assert unknown.err == (
        "symcute: there is no atom 'SM80_16x8x16_F32F16F16F32_NT'\n"
        "did you mean SM80_16x8x16_F32F16F16F32_TN, SM80_16x8x16_F32BF16BF16F32_TN, "
        "SM80_16x8x8_F32F16F16F32_TN?\n"
    )
    arch = symcute("atoms", "--arch", "sm81")
    assert arch.code == 2 and "there is no architecture 'sm81' in the catalogue" in arch.err
    both = symcute("atoms", "SM80_16x8x16_F32F16F16F32_TN", "--arch", "sm90")
    assert both.code == 2 and "--arch with the name of one atom" in both.err
    none = symcute("atoms", "SM81*")
    assert none.code == 2 and "no atom is selected by SM81*" in none.err
    told = json.loads(symcute("atoms", "nonsense", "--json").out)
    assert told["error"]["what"] == "there is no atom 'nonsense'"


def test_show_points_to_it(symcute) -> None:
    outcome = symcute("show", "SM80_8x8x4_F64F64F64F64_TN")
    assert outcome.code == 2
    assert outcome.err.endswith("\nsymcute atoms SM80_8x8x4_F64F64F64F64_TN shows an atom\n")
