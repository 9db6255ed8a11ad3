"""Thread-value layouts: tiled copies, tiled MMAs, and what a thread gets of a tensor."""

from symcute.layout.tv.copy import CopyAtom, ThrCopy, TiledCopy, make_copy_atom
from symcute.layout.tv.mma import ThrMMA, TiledMMA, make_tiled_mma, tiled_mma_layout
from symcute.layout.tv.slicing import local_partition, local_tile
from symcute.layout.tv.tiling import (
    make_cotiled_copy,
    make_layout_tv,
    make_tiled_copy,
    make_tiled_copy_A,
    make_tiled_copy_B,
    make_tiled_copy_C,
    make_tiled_copy_D,
    make_tiled_copy_S,
)

__all__ = [
    "CopyAtom",
    "ThrCopy",
    "ThrMMA",
    "TiledCopy",
    "TiledMMA",
    "local_partition",
    "local_tile",
    "make_copy_atom",
    "make_cotiled_copy",
    "make_layout_tv",
    "make_tiled_copy",
    "make_tiled_copy_A",
    "make_tiled_copy_B",
    "make_tiled_copy_C",
    "make_tiled_copy_D",
    "make_tiled_copy_S",
    "make_tiled_mma",
    "tiled_mma_layout",
]
