"""The catalogue of instructions: whole, consistent, and exact but for what NVIDIA's header says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from symcute import Bijective, Layout, PartitionExact, prove
from symcute.claims import repetitions
from symcute.errors import InputError
from symcute.layout.atoms import (
    ARCHITECTURES,
    SMEM_ATOMS,
    CopyOp,
    MmaAtom,
    atom,
    atom_layout,
    copy_ops,
    mma_atoms,
    smem_layout_atom,
)
from symcute.layout.atoms.entry import bits_of
from symcute.recheck import check

EVERY: tuple[MmaAtom | CopyOp, ...] = (*mma_atoms(), *copy_ops())
LAYOUTS = [(x, key, *pair) for x in EVERY for key, pair in x.layouts().items()]

#: The B of these is wrong in the header: the threads along K are 4 values apart, and hold 8.
WRONG = {
    x.name for x in mma_atoms("sm80") if "_16x8x32_S32" in x.name and x.types[1] in ("s4", "u4")
}


def test_every_architecture_has_its_atoms() -> None:
    found = Counter(x.arch for x in mma_atoms())
    assert found == {
        "sm61": 2, "sm70": 8, "sm75": 2, "sm80": 65, "sm89": 8, "sm90": 1062, "sm100": 854,
        "sm120": 3,
    }  # fmt: skip
    assert Counter(x.arch for x in copy_ops()) == {
        "universal": 5, "sm75": 7, "sm80": 8, "sm90": 6, "sm100": 13,
    }  # fmt: skip
    assert {x.arch for x in EVERY} == set(ARCHITECTURES)


def test_names_are_those_of_one_atom() -> None:
    assert len({x.name for x in EVERY}) == len(EVERY)
    assert all(atom(x.name) is x for x in EVERY)


def test_every_entry_cites_a_header() -> None:
    assert all(x.source.startswith("cute/atom/") and x.source.endswith(".hpp") for x in EVERY)


def test_layouts_have_the_threads_of_their_atom() -> None:
    for x, key, layout, _ in LAYOUTS:
        assert layout.rank() == 2
        assert layout[0].size() == x.thr_id.size(), f"{key} of {x.name}"


def test_an_mma_has_the_registers_that_its_types_need() -> None:
    for x in mma_atoms("sm80"):
        for bits, (layout, _) in zip(x.bits()[1:], x.layouts().values(), strict=True):
            assert int(layout[1].size()) * bits % 32 == 0, x.name


def test_the_whole_catalogue_is_exact_but_for_one_fault() -> None:
    verdicts = {}
    for _, _, layout, tile in LAYOUTS:
        if (layout, tile) not in verdicts:
            verdicts[layout, tile] = prove(PartitionExact(layout, tile, repetitions(layout)))
    assert len(verdicts) >= 450 and len(LAYOUTS) >= 6000
    refuted = {(x.name, key) for x, key, *of in LAYOUTS if verdicts[tuple(of)].status == "refuted"}
    assert len(WRONG) == 8 and refuted == {(name, "B") for name in WRONG}
    assert Counter(v.status for v in verdicts.values()) == {
        "proved": len(verdicts) - 1,
        "refuted": 1,
    }
    assert all(v.rests_on == ("arithmetic",) for v in verdicts.values() if v.status == "proved")


def test_brute_force_says_the_same() -> None:
    compared = 0
    for layout, tile in dict.fromkeys((layout, tile) for *_, layout, tile in LAYOUTS):
        if int(layout.size()) <= 2048:
            claim = PartitionExact(layout, tile, repetitions(layout))
            assert (claim.brute() is None) == (prove(claim).status == "proved"), str(claim)
            compared += 1
    assert compared >= 140


def test_certificates_of_atoms_are_accepted() -> None:
    for name in ("SM80_16x8x16_F32F16F16F32_TN", "SM90_64x256x32_F32E4M3E4M3_SS_TN"):
        for layout, tile in atom(name).layouts().values():
            certificate = prove(PartitionExact(layout, tile, repetitions(layout))).certificate
            assert check(certificate).accepted


def test_only_shared_operands_are_held_more_than_once() -> None:
    often = {(x.arch, key, repetitions(layout)) for x, key, layout, _ in LAYOUTS}
    assert {found for found in often if found[2] != 1} == {
        ("sm90", "A", 128), ("sm90", "B", 128),  # wgmma: in shared memory every thread sees all
        ("sm120", "SFA", 2), ("sm120", "SFB", 4),  # scale factors
        ("sm75", "Src", 4), ("sm75", "Src", 2),  # ldmatrix: addresses that do not count
        ("sm90", "Dst", 4), ("sm90", "Dst", 2), ("sm100", "Src", 4), ("sm100", "Src", 2),
        ("sm100", "Dst", 4), ("sm100", "Dst", 2),
    }  # fmt: skip


def test_operands_in_registers() -> None:
    assert atom("SM80_16x8x16_F32F16F16F32_TN").in_registers() == "ABC"
    assert atom("SM90_64x8x16_F32F16F16_SS").in_registers() == "C"
    assert atom("SM90_16x8x4_F64F64F64F64_TN").in_registers() == "ABC"
    assert atom("SM100_MMA_F16BF16_SS<128,256>").in_registers() == ""


@pytest.mark.parametrize("name", SMEM_ATOMS)
@pytest.mark.parametrize("bits", [4, 8, 16, 32, 64, 128])
def test_shared_memory_atoms_are_bijections(name: str, bits: int) -> None:
    layout = smem_layout_atom(name, bits)
    assert prove(Bijective(layout)).status == "proved"
    row = 128 if "INTER" in name else int(name.split("SW")[1].split("_")[0]) * 8
    assert int(layout.size()) * bits == row * (4 if "32B" in name else 8)
    assert sorted(layout(i) for i in range(int(layout.size()))) == list(range(int(layout.size())))


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: atom("SM80_16x8x16_F32F16F16F32_NT"), "did you mean SM80_16x8x16_F32F16F16F32_TN"),
        (lambda: atom("nonsense"), "symcute atoms lists them"),
        (lambda: mma_atoms("sm85"), "there is no architecture 'sm85' in the catalogue"),
        (lambda: atom_layout("SM70_8x8x4_F16F16F16F16_TN", "D"), "has no operand 'D'; give A or B"),
        (lambda: atom_layout("SM75_U32x1_LDSM_N", "A"), "give Src or Dst"),
        (lambda: smem_layout_atom("Layout_K_SW127_Atom", 16), "did you mean Layout_K_SW128_Atom"),
        (lambda: smem_layout_atom("Layout_K_SW128_Atom", 24), "a width that divides 128 bits"),
        (lambda: bits_of("f8"), "there is no element type 'f8'"),
    ],
)
def test_errors_name_the_object_and_what_there_is(call: Callable[[], object], says: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert says in str(error.value)


def test_the_layout_that_the_header_should_have() -> None:
    assert all(str(atom_layout(name, "B")) == "((4,8),(8)):((32,1),(8))" for name in WRONG)
    assert all(atom(name).note for name in WRONG)
    mended = Layout(((4, 8), (8,)), ((64, 1), (8,)))
    assert prove(PartitionExact(mended, (8, 32))).status == "proved"
