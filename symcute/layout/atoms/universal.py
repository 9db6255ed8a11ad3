"""Copies that every architecture has: one thread, a load and a store."""

from __future__ import annotations

from symcute.layout.atoms.entry import copies
from symcute.layout.layout import Layout

__all__ = ["COPY_OPS"]

SOURCE = "cute/atom/copy_traits.hpp"

COPY_OPS = tuple(
    op
    for bits in (8, 16, 32, 64, 128)
    for op in copies(
        SOURCE,
        "universal",
        f"UniversalCopy<uint{bits}_t>",
        Layout(1, 0),
        *[Layout((1, bits), (0, 1))] * 3,
    )
)
