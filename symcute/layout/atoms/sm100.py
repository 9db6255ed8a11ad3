"""Blackwell: tcgen05.mma of one or two SMs, ldmatrix and stmatrix of bytes, 256-bit accesses.

The types of an instruction are parameters of its struct, as M and N are: the entry named
`SM100_MMA_F16BF16_SS<128,256>` stands for M = 128 and N = 256 and every type the struct takes.
Its threads are the SMs.
"""

from __future__ import annotations

from collections.abc import Iterator

from symcute.layout.atoms.entry import CopyOp, MmaAtom, copies
from symcute.layout.atoms.sm75 import LDSM_ADDRESSES, LDSM_N, WARP
from symcute.layout.layout import Layout

__all__ = ["COPY_OPS", "MMA_ATOMS"]

SOURCE = "cute/atom/mma_traits_sm100.hpp"
COPIES = "cute/atom/copy_traits_sm100.hpp"

#: Multiples of 8, 16 and 32 up to 256.
EIGHTS, SIXTEENS, HALVES = (tuple(range(n, 257, n)) for n in (8, 16, 32))

_F16, _TF32 = ("f32", "f16|bf16", "f16|bf16", "f32"), ("f32", "tf32", "tf32", "f32")
_S8, _F4 = ("s32", "s8|u8", "s8|u8", "s32"), ("f32", "e2m1", "e2m1", "f32")
_F8 = ("f32", "e4m3|e5m2|e3m2|e2m3|e2m1", "e4m3|e5m2|e3m2|e2m3|e2m1", "f32")

#: Struct, types, K, SMs, and the N that each M allows.
_KINDS = (
    ("SM100_MMA_TF32_SS", _TF32, 8, 1, {64: EIGHTS, 128: EIGHTS}),
    ("SM100_MMA_TF32_TS", _TF32, 8, 1, {64: EIGHTS, 128: SIXTEENS}),
    ("SM100_MMA_F16BF16_SS", _F16, 16, 1, {64: EIGHTS, 128: EIGHTS}),
    ("SM100_MMA_F16BF16_TS", _F16, 16, 1, {64: EIGHTS, 128: SIXTEENS}),
    ("SM100_MMA_F16BF16_SS_SCALED", _F16, 16, 1, {64: EIGHTS, 128: EIGHTS}),
    ("SM100_MMA_F16BF16_TS_SCALED", _F16, 16, 1, {64: EIGHTS, 128: SIXTEENS}),
    ("SM100_MMA_S8_SS", _S8, 32, 1, {64: (8, *SIXTEENS), 128: (8, *SIXTEENS)}),
    ("SM100_MMA_S8_TS", _S8, 32, 1, {64: (8, *SIXTEENS), 128: (8, *SIXTEENS)}),
    ("SM100_MMA_F8F6F4_SS", _F8, 32, 1, {64: EIGHTS, 128: EIGHTS}),
    ("SM100_MMA_F8F6F4_TS", _F8, 32, 1, {64: EIGHTS, 128: SIXTEENS}),
    ("SM100_MMA_MXF8F6F4_SS", _F8, 32, 1, {128: EIGHTS}),
    ("SM100_MMA_MXF4_SS", _F4, 64, 1, {128: EIGHTS}),
    ("SM100_MMA_TF32_2x1SM_SS", _TF32, 8, 2, {128: SIXTEENS, 256: SIXTEENS}),
    ("SM100_MMA_TF32_2x1SM_TS", _TF32, 8, 2, {128: HALVES, 256: HALVES}),
    ("SM100_MMA_F16BF16_2x1SM_SS", _F16, 16, 2, {128: SIXTEENS, 256: SIXTEENS}),
    ("SM100_MMA_F16BF16_2x1SM_TS", _F16, 16, 2, {128: HALVES, 256: HALVES}),
    ("SM100_MMA_F16BF16_2x1SM_SS_SCALED", _F16, 16, 2, {128: SIXTEENS, 256: SIXTEENS}),
    ("SM100_MMA_F16BF16_2x1SM_TS_SCALED", _F16, 16, 2, {128: HALVES, 256: HALVES}),
    ("SM100_MMA_S8_2x1SM_SS", _S8, 32, 2, {128: HALVES, 256: HALVES}),
    ("SM100_MMA_S8_2x1SM_TS", _S8, 32, 2, {128: HALVES, 256: HALVES}),
    ("SM100_MMA_F8F6F4_2x1SM_SS", _F8, 32, 2, {128: SIXTEENS, 256: SIXTEENS}),
    ("SM100_MMA_F8F6F4_2x1SM_TS", _F8, 32, 2, {128: HALVES, 256: HALVES}),
    ("SM100_MMA_MXF8F6F4_2x1SM_SS", _F8, 32, 2, {256: SIXTEENS}),
    ("SM100_MMA_MXF4_2x1SM_SS", _F4, 64, 2, {128: SIXTEENS, 256: SIXTEENS}),
)


def _operand(sms: int, rows: int, columns: int) -> Layout:
    """Return the layout of an operand: the rows of the tile are dealt to the SMs in halves."""
    part = rows // sms
    return Layout((sms, (part, columns)), (part if sms > 1 else 0, (1, rows)))


def _umma() -> Iterator[MmaAtom]:
    for struct, types, k, sms, allowed in _KINDS:
        for m, widths in allowed.items():
            for n in widths:
                yield MmaAtom(
                    f"{struct}<{m},{n}>",
                    "sm100",
                    (m, n, k),
                    types,
                    Layout(sms, 1 if sms > 1 else 0),
                    _operand(sms, m, k),
                    _operand(sms, n, k),
                    _operand(sms, m, n),
                    SOURCE,
                )


def _pairs() -> Iterator[MmaAtom]:
    """Yield the two-element FMAs of a thread."""
    for m, n in ((2, 1), (1, 2)):
        a, b, c = (Layout((1, x), (0, 1 if x > 1 else 0)) for x in (m, n, 2))
        yield MmaAtom(
            f"SM100_{m}x{n}x1_F32F32F32F32",
            "sm100",
            (m, n, 1),
            ("f32",) * 4,
            Layout(1, 0),
            a,
            b,
            c,
            SOURCE,
        )


MMA_ATOMS = (*_umma(), *_pairs())

_BYTES_ADDRESSES = {
    2: Layout(((2, 2, 4, 2), 128), ((128, 1024, 256, 0), 1)),
    4: Layout(((2, 2, 4, 2), 128), ((128, 1024, 256, 2048), 1)),
}
_BYTES = {
    1: Layout(((4, 8), (8, 2, 2)), ((256, 8), (1, 128, 64))),
    2: Layout(((4, 8), (8, 2, 2, 2)), ((256, 8), (1, 128, 64, 1024))),
    4: Layout(((4, 8), (8, 2, 2, 4)), ((256, 8), (1, 128, 64, 1024))),
}


def _matrices() -> Iterator[CopyOp]:
    for n, name in ((2, "SM100_U8x8_LDSM_T"), (4, "SM100_U8x16_LDSM_T")):
        yield from copies(COPIES, "sm100", name, WARP, _BYTES_ADDRESSES[n], _BYTES[n], _BYTES[n])
    for n in (1, 2, 4):
        names = f"SM100_SU4_DU8x16_x{n}_LDSM_N SM100_SU6_DU8x16_x{n}_LDSM_N"
        yield from copies(COPIES, "sm100", names, WARP, LDSM_ADDRESSES[n], LDSM_N[n], LDSM_N[n])
    for n, name in ((1, "SM100_U8x4_STSM_T"), (2, "SM100_U8x8_STSM_T"), (4, "SM100_U8x16_STSM_T")):
        yield from copies(COPIES, "sm100", name, WARP, _BYTES[n], LDSM_ADDRESSES[n], _BYTES[n])


COPY_OPS = (
    *copies(
        COPIES,
        "sm100",
        "SM100_LOAD_256bit_CACHE_NOALLOCATION SM100_STORE_256bit_CACHE_NOALLOCATION",
        Layout(1, 0),
        *[Layout((1, 256), (0, 1))] * 3,
    ),
    *_matrices(),
)
