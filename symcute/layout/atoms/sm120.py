"""Blackwell of workstations: mma of a warp with 8-, 6- and 4-bit floating point, block-scaled too.

The types are parameters of the structs; an entry stands for every type its struct takes.
"""

from __future__ import annotations

from symcute.layout.atoms.entry import MmaAtom
from symcute.layout.atoms.sm80 import WARP, ROW_16x8, S8_8x32, S8_16x32
from symcute.layout.layout import Layout

__all__ = ["MMA_ATOMS"]

SOURCE = "cute/atom/mma_traits_sm120.hpp"

F4_16x64 = Layout(((4, 8), (8, 2, 2)), ((128, 1), (16, 8, 512)))
F4_8x64 = Layout(((4, 8), (8, 2)), ((64, 1), (8, 256)))


def _factors(k: int) -> tuple[Layout, Layout]:
    """Return the layouts of the scale factors: 2 threads hold each of A's, 4 each of B's."""
    return Layout(((2, 2, 8), k), ((8, 0, 1), 16)), Layout(((4, 8), k), ((0, 1), 8))


#: The instructions take 8-bit elements whatever the types of A and B, and 4-bit ones for K = 64.
_F8, _MX = ("f32|f16", "u8", "u8", "f32|f16"), ("f32", "u8", "u8", "f32")
_F4 = ("f32", "u4", "u4", "f32")

MMA_ATOMS = tuple(
    MmaAtom(name, "sm120", (16, 8, k), types, WARP, a, b, ROW_16x8, SOURCE, factors)
    for name, k, types, a, b, factors in (
        ("SM120_16x8x32_TN", 32, _F8, S8_16x32, S8_8x32, None),
        ("SM120_16x8x32_TN_VS", 32, _MX, S8_16x32, S8_8x32, _factors(32)),
        ("SM120_16x8x64_TN_VS", 64, _F4, F4_16x64, F4_8x64, _factors(64)),
    )
)
