"""Hopper: double precision mma of a warp, wgmma of a warpgroup, stmatrix."""

from __future__ import annotations

from collections.abc import Iterator

from symcute.layout.atoms.entry import MmaAtom, copies, mmas
from symcute.layout.atoms.sm75 import LDSM_ADDRESSES, LDSM_N, LDSM_T, WARP
from symcute.layout.layout import Layout

__all__ = ["COPY_OPS", "MMA_ATOMS"]

SOURCE = "cute/atom/mma_traits_sm90.hpp"
WGMMA = "cute/atom/mma_traits_sm90_gmma.hpp"
WGMMA_EXT = "cute/atom/mma_traits_sm90_gmma_ext.hpp"
COPIES = "cute/atom/copy_traits_sm90.hpp"

ROW_16x8 = Layout(((4, 8), (2, 2)), ((32, 1), (16, 8)))

#: K of a double precision atom: the layouts of A and B.
F64 = {
    4: (Layout(((4, 8), 2), ((16, 1), 8)), Layout(((4, 8), 1), ((8, 1), 0))),
    8: (Layout(((4, 8), (2, 2)), ((16, 1), (8, 64))), Layout(((4, 8), 2), ((8, 1), 32))),
    16: (Layout(((4, 8), (2, 4)), ((16, 1), (8, 64))), Layout(((4, 8), 4), ((8, 1), 32))),
}

WARPGROUP = Layout(128, 1)
#: K of a wgmma whose A lies in registers: (T128,V) -> (M64,K).
A_REGISTERS = {
    8: Layout(((4, 8, 4), (2, 2)), ((64, 1, 16), (8, 256))),
    16: Layout(((4, 8, 4), (2, 2, 2)), ((128, 1, 16), (64, 8, 512))),
    32: Layout(((4, 8, 4), (4, 2, 2)), ((256, 1, 16), (64, 8, 1024))),
}


def _shared(rows: int, k: int) -> Layout:
    """Return the layout of an operand in shared memory: every thread sees the whole tile."""
    return Layout((128, (rows, k)), (0, (1, rows)))


def _accumulator(n: int) -> Layout:
    return Layout(((4, 8, 4), (2, 2, n // 8)), ((128, 1, 16), (64, 8, 512)))


#: The N of the header; the other multiples of 8 (of 16 for integers, and 24) are in the second.
WIDE = (8, 16, 32, 64, 96, 128, 192, 256)
EXTENDED = tuple(n for n in range(8, 257, 8) if n not in WIDE)
EXTENDED_S8 = tuple(n for n in EXTENDED if n % 16 == 0 or n == 24)

_FLOAT8 = [
    f"{acc}{a}{b}" for acc in ("F16", "F32") for a in ("E4M3", "E5M2") for b in ("E4M3", "E5M2")
]
_INT8 = [f"S32{a}{b}" for a in ("S8", "U8") for b in ("S8", "U8")]
#: K, what the names say of the types and at their end, and the N of the second header.
_KINDS = (
    (16, ["F16F16F16", "F32F16F16", "F32BF16BF16"], [""], EXTENDED),
    (8, ["F32TF32TF32"], ["_TN"], EXTENDED),
    (32, _FLOAT8, ["_TN"], EXTENDED),
    (32, _INT8, ["_TN", "_TN_SATURATE"], EXTENDED_S8),
)


def _wgmmas() -> Iterator[MmaAtom]:
    for k, types, ends, extended in _KINDS:
        for source, widths in ((WGMMA, WIDE), (WGMMA_EXT, extended)):
            for n in widths:
                for a, where in ((_shared(64, k), "SS"), (A_REGISTERS[k], "RS")):
                    names = [f"SM90_64x{n}x{k}_{t}_{where}{end}" for t in types for end in ends]
                    yield from mmas(source, names, WARPGROUP, a, _shared(n, k), _accumulator(n))


MMA_ATOMS = (
    *(
        atom
        for k, (a, b) in F64.items()
        for atom in mmas(
            SOURCE,
            f"SM90_16x8x{k}_F64F64F64F64_TN SM90_16x8x{k}_C64C64C64C64_TN",
            WARP,
            a,
            b,
            ROW_16x8,
        )
    ),
    *_wgmmas(),
)

#: stmatrix: ldmatrix with source and destination exchanged.
COPY_OPS = tuple(
    op
    for names, fragments in (
        ({1: "SM90_U32x1_STSM_N", 2: "SM90_U32x2_STSM_N", 4: "SM90_U32x4_STSM_N"}, LDSM_N),
        ({1: "SM90_U16x2_STSM_T", 2: "SM90_U16x4_STSM_T", 4: "SM90_U16x8_STSM_T"}, LDSM_T),
    )
    for n, name in names.items()
    for op in copies(COPIES, "sm90", name, WARP, fragments[n], LDSM_ADDRESSES[n], fragments[n])
)
