"""Turing: mma of a warp, ldmatrix and movmatrix."""

from __future__ import annotations

from symcute.layout.atoms.entry import copies, mmas
from symcute.layout.layout import Layout

__all__ = ["COPY_OPS", "LDSM_ADDRESSES", "LDSM_N", "LDSM_T", "MMA_ATOMS", "WARP"]

SOURCE = "cute/atom/mma_traits_sm75.hpp"
COPIES = "cute/atom/copy_traits_sm75.hpp"
WARP = Layout(32, 1)
ROW_16x8 = Layout(((4, 8), (2, 2)), ((32, 1), (16, 8)))
ROW_8x8 = Layout(((4, 8), 2), ((16, 1), 8))
ROW_8x16 = Layout(((4, 8), 4), ((32, 1), 8))

MMA_ATOMS = (
    *mmas(SOURCE, "SM75_16x8x8_F32F16F16F32_TN", WARP, ROW_16x8, ROW_8x8, ROW_16x8),
    *mmas(SOURCE, "SM75_8x8x16_S32S8S8S32_TN", WARP, ROW_8x16, ROW_8x16, ROW_8x8),
)

#: By the number of 8x8 matrices: the rows that the threads point at (the addresses of the other
#: threads do not count), and the fragments, row by row or transposed.
LDSM_ADDRESSES = {
    1: Layout(((8, 4), 128), ((128, 0), 1)),
    2: Layout(((16, 2), 128), ((128, 0), 1)),
    4: Layout((32, 128), (128, 1)),
}
LDSM_N = {
    1: Layout((32, 32), (32, 1)),
    2: Layout((32, (32, 2)), (32, (1, 1024))),
    4: Layout((32, (32, 4)), (32, (1, 1024))),
}
LDSM_T = {
    1: Layout(((4, 8), (16, 2)), ((256, 16), (1, 128))),
    2: Layout(((4, 8), (16, 2, 2)), ((256, 16), (1, 128, 1024))),
    4: Layout(((4, 8), (16, 2, 4)), ((256, 16), (1, 128, 1024))),
}

COPY_OPS = (
    *(
        op
        for names, fragments in (
            ({1: "SM75_U32x1_LDSM_N", 2: "SM75_U32x2_LDSM_N", 4: "SM75_U32x4_LDSM_N"}, LDSM_N),
            ({1: "SM75_U16x2_LDSM_T", 2: "SM75_U16x4_LDSM_T", 4: "SM75_U16x8_LDSM_T"}, LDSM_T),
        )
        for n, name in names.items()
        for op in copies(COPIES, "sm75", name, WARP, LDSM_ADDRESSES[n], fragments[n], fragments[n])
    ),
    *copies(COPIES, "sm75", "SM75_U32x1_MOVM_T", WARP, LDSM_N[1], LDSM_N[1], LDSM_N[1]),
)
