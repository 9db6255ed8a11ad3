"""Are atoms, tiled copies, tiled MMAs and partitions those of CUTLASS' headers, letter by letter?

g++ compiles the traits of each atom, and random tilings, and prints their layouts: some atoms of
each family and few tilings, in one program, whose answers are recorded; with `--full` all atoms and
many tilings.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from symcute.errors import SymcuteError
from symcute.layout.atoms import SMEM_ATOMS, MmaAtom, copy_ops, mma_atoms, smem_layout_atom
from symcute.layout.atoms.sm90 import WGMMA_EXT

from . import cpp
from .recorded import HEADERS, Json, recorded, refused
from .tiled import HELPERS, INCLUDES, Case, cases

EXTENDED = """\
#define CUTE_SM90_EXTENDED_MMA_SHAPES_ENABLED
#include <cute/atom/mma_atom.hpp>
#include <cute/atom/mma_traits_sm90_gmma_ext.hpp>
"""
PROLOGUE = (
    INCLUDES
    + HELPERS
    + """\
template <class T> int bits = int(sizeof_bits<T>::value);
template <class T> void mma(int n) {
  printf("%d ", n); print(typename T::Shape_MNK{}); printf("|"); print(typename T::ThrID{});
  printf("|"); print(typename T::ALayout{}); printf("|"); print(typename T::BLayout{});
  printf("|"); print(typename T::CLayout{});
  printf("|(%d,%d,%d,%d)\\n", bits<typename T::ValTypeD>, bits<typename T::ValTypeA>,
         bits<typename T::ValTypeB>, bits<typename T::ValTypeC>);
}
template <class T> void factors(int n) {
  printf("%d ", n); print(typename T::SFALayout{}); printf("|"); print(typename T::SFBLayout{});
  printf("\\n");
}
template <class T> void copy_op(int n) {
  printf("%d ", n); print(typename T::ThrID{}); printf("|"); print(typename T::SrcLayout{});
  printf("|"); print(typename T::DstLayout{}); printf("|"); print(typename T::RefLayout{});
  printf("\\n");
}
template <class T> void smem(int n) {
  printf("%d ", n); print(as_position_independent_swizzle_layout(T{})); printf("\\n");
}
int main() {
"""
)

#: The types that stand for those a struct of the newest architectures takes, by its name.
_TYPES = (
    ("TF32", "tfloat32_t, tfloat32_t, float"),
    ("F16BF16", "half_t, half_t, float"),
    ("_S8", "int8_t, int8_t, int32_t"),
    ("MXF8F6F4", "float_e4m3_t, float_e4m3_t, float, float_ue8m0_t"),
    ("MXF4", "float_e2m1_t, float_e2m1_t, float, float_ue8m0_t"),
    ("F8F6F4", "float_e4m3_t, float_e4m3_t, float"),
)
SM120 = {
    "SM120_16x8x32_TN": "SM120_16x8x32_TN<float_e4m3_t, float_e4m3_t, float>",
    "SM120_16x8x32_TN_VS": "SM120::BLOCKSCALED::SM120_16x8x32_TN_VS<float_e4m3_t, float_e4m3_t, "
    "float, float_ue8m0_t, 32>",
    "SM120_16x8x64_TN_VS": "SM120::BLOCKSCALED::SM120_16x8x64_TN_VS<float_e2m1_t, float_e2m1_t, "
    "float, float_ue8m0_t, 32>",
}
#: Instructions of the headers that are not in the catalogue, by a part of their names.
LEFT_OUT = ("SPARSE", "SM103")


def traits(x: MmaAtom) -> str:
    """Return the C++ text of an atom's traits."""
    name = x.name
    if x.arch == "sm90" and name.startswith("SM90_64x"):
        majors = "GMMA::Major::K, GMMA::Major::K" if "16_F" in name.split("x")[2] else ""
        return f"MMA_Traits<{name}{'' if '_S32' in name else f'<{majors}>'}>"
    if x.arch == "sm120":
        return f"MMA_Traits<{SM120[name]}>"
    found = re.fullmatch(r"(SM100_MMA_\w+)<(\d+),(\d+)>", name)
    if found is None:
        return f"MMA_Traits<{name}>"
    struct, m, n = found.groups()
    types = next(text for part, text in _TYPES if part in struct)
    major = "UMMA::Major::K"
    if struct in ("SM100_MMA_F8F6F4_SS", "SM100_MMA_F8F6F4_2x1SM_SS"):
        one = "integral_constant<UMMA::ScaleIn, UMMA::ScaleIn::One>"
        k = f"integral_constant<UMMA::Major, {major}>"
        return f"MMA_Traits<{struct}, {types}, C<{m}>, C<{n}>, {k}, {k}, {one}, {one}>"
    vector = ", 32" if "MXF4" in struct else ""
    scale = ", 0" if "SCALED" in struct else ""
    return f"MMA_Traits<{struct}<{types}, {m}, {n}{vector}, {major}, {major}{scale}>>"


def said(x: MmaAtom) -> str:
    """Return what the catalogue says of an atom, as the program prints it."""
    layouts = (x.thr_id, x.layoutA_TV, x.layoutB_TV, x.layoutC_TV)
    shape, widths = (str(t).replace(" ", "") for t in (x.shape_mnk, x.bits()))
    return "|".join((shape, *map(str, layouts), widths))


def copies() -> tuple[list[str], list[str]]:
    """Return the lines that print the copies, scale factors and shared-memory atoms; our texts."""
    lines = [f"copy_op<Copy_Traits<{x.name}>>" for x in copy_ops()]
    ours = [
        "|".join(map(str, (x.thr_id, x.layout_src, x.layout_dst, x.layout_ref))) for x in copy_ops()
    ]
    for x in mma_atoms("sm120"):
        if x.scale_factors:
            lines.append(f"factors<{traits(x)}>")
            ours.append("|".join(map(str, x.scale_factors)))
    for name in SMEM_ATOMS:
        for bits, element in ((8, "uint8_t"), (16, "half_t"), (32, "float")):
            space = "UMMA" if "32B" in name else "GMMA"
            lines.append(f"smem<{space}::{name}<{element}>>")
            layout = smem_layout_atom(name, bits)
            # CuTe leaves out a swizzle of no bits.
            ours.append(str(layout if layout.swizzle.bits else layout.layout))
    return lines, ours


def print_all(extended: str, printers: Sequence[str], calls: Sequence[str]) -> list[Json]:
    """Return what the headers print, compiled in one program."""
    lines = [f"{printer}({n});" for n, printer in enumerate(printers)]
    lines += [f"P({n}, {call});" for n, call in enumerate(calls, len(lines))]
    printed, why = cpp.run_lines(extended + PROLOGUE, lines, lambda number: "")
    return [refused(why[n]) if n in why else cpp.plain(printed[n][0]) for n in range(len(lines))]


def differences(
    atoms: Sequence[MmaAtom], tilings: Sequence[Case] = (), name: str = ""
) -> list[str]:
    """Return where the headers print something else for the atoms, all copies, and the tilings.

    With a name their answers are those that are recorded under it.
    """
    printers, ours = copies()
    assert len(printers) >= 60
    printers = [*(f"mma<{traits(x)}>" for x in atoms), *printers]
    ours = [*map(said, atoms), *ours]
    # The header's ((_16,_8)) for the strides of the values (_32,_2), as the note says.
    mended = {n for n, x in enumerate(atoms) if "one level deeper" in x.note}
    lines = [*printers, *(case.cpp for case in tilings)]
    extended = EXTENDED if any(x.source == WGMMA_EXT for x in atoms) else ""

    def ask() -> list[Json]:
        return print_all(extended, printers, lines[len(printers) :])

    found = []
    answers = recorded(name, HEADERS, lines, ask) if name else ask()
    for n, (line, answer) in enumerate(zip(lines, answers, strict=True)):
        no = isinstance(answer, dict)
        theirs = f"refused: {answer['refused']}" if no else answer
        if n in mended:
            assert theirs != ours[n]
            theirs = theirs.replace(",((16,8)))", ",(16,8))")
        text = ours[n] if n < len(ours) else computed(tilings[n - len(ours)])
        if theirs != text and not (no and text.startswith("refused: ")):
            found.append(f"{line} {theirs}, ours {text}")
    return found


def computed(case: Case) -> str:
    """Return what symcute says of a tiling, or that it refuses."""
    try:
        return case.ours()
    except SymcuteError as refusal:
        return f"refused: {refusal}"


def some() -> list[MmaAtom]:
    """Return atoms of each family: of tcgen05.mma the least and the largest N, of wgmma 96 too."""
    found: dict[object, MmaAtom] = {}
    for x in mma_atoms():
        m, n, k = x.shape_mnk
        if x.source == WGMMA_EXT:
            continue
        if x.arch == "sm100":
            family: object = (x.name.split("<")[0], m)
        elif x.name.startswith("SM90_64x"):
            family = (k, x.in_registers(), n == 96)
        else:
            family = x.name
        found.setdefault(family, x)
        found[family, "last"] = x
    return list(dict.fromkeys(found.values()))


def test_atoms_and_tilings_are_those_of_the_headers() -> None:
    atoms, tilings = some(), list(cases(random.Random(3), 1))[::3]
    assert len(atoms) >= 180 and len(tilings) >= 9
    assert differences(atoms, tilings, "atoms") == []


@pytest.mark.full
def test_all_atoms_are_those_of_the_headers() -> None:
    assert len(mma_atoms()) >= 2000
    assert differences(mma_atoms()) == []


@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 102))
def test_many_tilings_are_those_of_the_headers(seed: int) -> None:
    tilings = list(cases(random.Random(seed), 4))
    assert len(tilings) >= 100
    assert differences((), tilings) == []


def headers(pattern: str) -> str:
    """Return the text of the headers of that name."""
    folders = [Path(x.removeprefix("-I")) / "cute" / "atom" for x in cpp.compiler()]
    files = [path for folder in folders for path in sorted(folder.glob(pattern))]
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


@pytest.mark.full
def test_no_dense_atom_of_the_headers_is_missing() -> None:
    ours = {x.name.split("<")[0] for x in mma_atoms()}
    named = re.findall(r"struct MMA_Traits<\s*((?:\w+::)*\w*\d\w*)", headers("mma_traits_sm*.hpp"))
    theirs = {x.split("::")[-1] for x in named if not any(part in x for part in LEFT_OUT)}
    assert len(theirs) >= 1150
    assert theirs == ours


@pytest.mark.full
def test_no_matrix_copy_of_the_headers_is_missing() -> None:
    ours = {x.name.split("<")[0] for x in copy_ops()}
    theirs = set(
        re.findall(
            r"struct Copy_Traits<(SM\d+_\w*(?:LDSM|STSM|MOVM)\w*)>", headers("copy_traits_sm*.hpp")
        )
    )
    assert len(theirs) >= 20
    assert theirs <= ours
