"""Pascal: dot products of one thread."""

from __future__ import annotations

from symcute.layout.atoms.entry import MmaAtom
from symcute.layout.layout import Layout

__all__ = ["MMA_ATOMS"]

SOURCE = "cute/atom/mma_traits_sm61.hpp"
ONE = Layout(1, 0)

MMA_ATOMS = tuple(
    MmaAtom(
        name,
        "sm61",
        (1, 1, k),
        ("s32", element, element, "s32"),
        ONE,
        Layout((1, k), (0, 1)),
        Layout((1, k), (0, 1)),
        Layout((1, 1), (0, 0)),
        SOURCE,
    )
    for name, k, element in (("SM61_DP4A", 4, "s8"), ("SM61_DP2A", 2, "s16"))
)
