"""Ampere: mma of a warp, cp.async."""

from __future__ import annotations

from symcute.layout.atoms.entry import copies, mmas
from symcute.layout.layout import Layout

__all__ = ["COPY_OPS", "MMA_ATOMS", "WARP", "ROW_16x8", "S8_8x32", "S8_16x32"]

SOURCE = "cute/atom/mma_traits_sm80.hpp"
COPIES = "cute/atom/copy_traits_sm80.hpp"
WARP = Layout(32, 1)

#: Rows of 4 threads: (T32,V) -> (M,K), named by the tile.
COL_8x4 = Layout(((4, 8), 1), ((8, 1), 0))
ROW_8x8 = Layout(((4, 8), 2), ((16, 1), 8))
ROW_8x16 = Layout(((4, 8), 4), ((32, 1), 8))
ROW_8x128 = Layout(((4, 8), 32), ((256, 1), 8))
ROW_16x8 = Layout(((4, 8), (2, 2)), ((32, 1), (16, 8)))
ROW_16x16 = Layout(((4, 8), (4, 2)), ((64, 1), (16, 8)))
ROW_16x128 = Layout(((4, 8), (32, 2)), ((512, 1), (16, 8)))

F16_16x16 = Layout(((4, 8), (2, 2, 2)), ((32, 1), (16, 8, 128)))
F16_8x16 = Layout(((4, 8), (2, 2)), ((16, 1), (8, 64)))
TF32_16x4 = Layout(((4, 8), 2), ((16, 1), 8))
TF32_16x8 = Layout(((4, 8), (2, 2)), ((16, 1), (8, 64)))
TF32_8x8 = Layout(((4, 8), 2), ((8, 1), 32))
S8_16x32 = Layout(((4, 8), (4, 2, 2)), ((64, 1), (16, 8, 256)))
S8_8x32 = Layout(((4, 8), (4, 2)), ((32, 1), (8, 128)))
S4_8x32 = Layout(((4, 8), (8,)), ((64, 1), (8,)))
S4_8x32_OF_16 = Layout(((4, 8), (8,)), ((32, 1), (8,)))
S4_16x32 = Layout(((4, 8), (8, 2)), ((128, 1), (16, 8)))
S4_16x64 = Layout(((4, 8), (8, 2, 2)), ((128, 1), (16, 8, 512)))
S4_8x64 = Layout(((4, 8), (8, 2)), ((64, 1), (8, 256)))
U1_16x256 = Layout(((4, 8), (32, 2, 2)), ((512, 1), (16, 8, 2048)))
U1_8x256 = Layout(((4, 8), (32, 2)), ((256, 1), (8, 1024)))

OVERLAP = (
    "the header gives the 4 threads along K of B the stride 32, 4 values apart, though each holds "
    "8: elements are held twice or not at all (later corrected to 64, NVIDIA/cutlass#3140)"
)
INCONGRUENT = (
    "the header writes the strides of A's values as ((_16,_8)), one level deeper than their "
    "shape (_32,_2); here they are (16,8)"
)


def _integers(shape: str, signed: str, unsigned: str) -> list[str]:
    """Return the integer atoms of a shape: both signs of A and B, saturating or not."""
    return [
        f"SM80_{shape}_S32{a}{b}S32_TN{end}"
        for a in (signed, unsigned)
        for b in (signed, unsigned)
        for end in ("", "_SATURATE")
    ]


def _bits(shape: str) -> list[str]:
    return [f"SM80_{shape}_S32U1U1S32_TN_{op}" for op in ("XORPOPC", "ANDPOPC")]


MMA_ATOMS = (
    *mmas(
        SOURCE,
        "SM80_16x8x8_F16F16F16F16_TN SM80_16x8x8_F32F16F16F32_TN SM80_16x8x8_F32BF16BF16F32_TN",
        WARP, ROW_16x8, ROW_8x8, ROW_16x8,
    ),
    *mmas(
        SOURCE,
        "SM80_16x8x16_F16F16F16F16_TN SM80_16x8x16_F32F16F16F32_TN "
        "SM80_16x8x16_F32BF16BF16F32_TN",
        WARP, F16_16x16, F16_8x16, ROW_16x8,
    ),
    *mmas(SOURCE, "SM80_16x8x4_F32TF32TF32F32_TN", WARP, TF32_16x4, COL_8x4, ROW_16x8),
    *mmas(SOURCE, "SM80_16x8x8_F32TF32TF32F32_TN", WARP, TF32_16x8, TF32_8x8, ROW_16x8),
    *mmas(
        SOURCE,
        "SM80_8x8x4_F64F64F64F64_TN SM80_8x8x4_C64C64C64C64_TN SM80_8x8x4_GC64C64C64GC64_TN",
        WARP, COL_8x4, COL_8x4, ROW_8x8,
    ),
    *mmas(SOURCE, _integers("8x8x16", "S8", "U8"), WARP, ROW_8x16, ROW_8x16, ROW_8x8),
    *mmas(SOURCE, _integers("16x8x16", "S8", "U8"), WARP, ROW_16x16, ROW_8x16, ROW_16x8),
    *mmas(SOURCE, _integers("16x8x32", "S8", "U8"), WARP, S8_16x32, S8_8x32, ROW_16x8),
    *mmas(SOURCE, _integers("8x8x32", "S4", "U4"), WARP, S4_8x32, S4_8x32, ROW_8x8),
    *mmas(
        SOURCE, _integers("16x8x32", "S4", "U4"), WARP, S4_16x32, S4_8x32_OF_16, ROW_16x8, OVERLAP
    ),
    *mmas(SOURCE, _integers("16x8x64", "S4", "U4"), WARP, S4_16x64, S4_8x64, ROW_16x8),
    *mmas(SOURCE, _bits("16x8x256"), WARP, U1_16x256, U1_8x256, ROW_16x8),
    *mmas(SOURCE, _bits("8x8x128"), WARP, ROW_8x128, ROW_8x128, ROW_8x8),
    *mmas(SOURCE, _bits("16x8x128"), WARP, ROW_16x128, ROW_8x128, ROW_16x8, INCONGRUENT),
)  # fmt: skip

#: cp.async of one thread: 4, 8 or 16 bytes through L1, 16 past it.
COPY_OPS = tuple(
    op
    for names, widths in (
        ("SM80_CP_ASYNC_CACHEALWAYS SM80_CP_ASYNC_CACHEALWAYS_ZFILL", (32, 64, 128)),
        ("SM80_CP_ASYNC_CACHEGLOBAL SM80_CP_ASYNC_CACHEGLOBAL_ZFILL", (128,)),
    )
    for name in names.split()
    for bits in widths
    for op in copies(
        COPIES, "sm80", f"{name}<uint{bits}_t>", Layout(1, 0), *[Layout((1, bits), (0, 1))] * 3
    )
)
