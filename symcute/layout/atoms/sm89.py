"""Ada: mma of a warp with 8-bit floating point."""

from __future__ import annotations

from symcute.layout.atoms.entry import mmas
from symcute.layout.atoms.sm80 import WARP, ROW_16x8, S8_8x32, S8_16x32

__all__ = ["MMA_ATOMS"]

SOURCE = "cute/atom/mma_traits_sm89.hpp"

MMA_ATOMS = tuple(
    mmas(
        SOURCE,
        [
            f"SM89_16x8x32_{acc}{a}{b}{acc}_TN"
            for acc in ("F32", "F16")
            for a in ("E4M3", "E5M2")
            for b in ("E4M3", "E5M2")
        ],
        WARP,
        S8_16x32,
        S8_8x32,
        ROW_16x8,
    )
)
