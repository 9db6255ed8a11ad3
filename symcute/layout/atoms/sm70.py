"""Volta: mma.m8n8k4 of a quad pair, threads 0-3 and 16-19 of a warp."""

from __future__ import annotations

from symcute.layout.atoms.entry import mmas
from symcute.layout.layout import Layout

__all__ = ["MMA_ATOMS"]

SOURCE = "cute/atom/mma_traits_sm70.hpp"
QUAD_PAIR = Layout((4, 2), (1, 16))
#: (T8,V4) -> (M8,K4)
ROW = Layout((8, 4), (1, 8))
COL = Layout(((4, 2), 4), ((8, 4), 1))
#: (T8,V8) -> (M8,N8)
ACC_16 = Layout((8, 8), (1, 8))
ACC_32 = Layout(((2, 2, 2), (2, 2, 2)), ((1, 16, 4), (8, 2, 32)))

MMA_ATOMS = tuple(
    atom
    for types, acc in (("F16F16F16F16", ACC_16), ("F32F16F16F32", ACC_32))
    for majors, a, b in (("TN", ROW, ROW), ("NT", COL, COL), ("NN", COL, ROW), ("TT", ROW, COL))
    for atom in mmas(SOURCE, f"SM70_8x8x4_{types}_{majors}", QUAD_PAIR, a, b, acc)
)
