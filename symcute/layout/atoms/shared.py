"""Shared-memory layout atoms: the blocks that wgmma and tcgen05.mma take, in bits.

A block of 8 rows, 16 bytes wide or as wide as the swizzle, which mixes the 16-byte pieces of a row
among the rows. CuTe writes the swizzles for addresses of bytes, Sw<3,4,3> for 128 bytes; here they
are for offsets in bits, and upcast makes them those of elements.

Source: cute/atom/mma_traits_sm90_gmma.hpp (SM90::GMMA) and mma_traits_sm100.hpp (UMMA),
Layout_*_Atom_Bits.
"""

from __future__ import annotations

from difflib import get_close_matches

from symcute.errors import InputError
from symcute.layout.algebra import upcast
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout, Swizzle

__all__ = ["SMEM_ATOMS", "smem_layout_atom"]

#: Name, swizzle, bits in a row.
_ROWS = (
    ("INTER", Swizzle(0, 7, 3), 128),
    ("SW32", Swizzle(1, 7, 3), 256),
    ("SW64", Swizzle(2, 7, 3), 512),
    ("SW128", Swizzle(3, 7, 3), 1024),
)

SMEM_ATOMS: dict[str, ComposedLayout] = {
    **{
        f"Layout_MN_{name}_Atom": ComposedLayout(swizzle, 0, Layout((bits, 8), (1, bits)))
        for name, swizzle, bits in _ROWS
    },
    "Layout_MN_SW128_32B_Atom": ComposedLayout(Swizzle(2, 8, 2), 0, Layout((1024, 4), (1, 1024))),
    **{
        f"Layout_K_{name}_Atom": ComposedLayout(swizzle, 0, Layout((8, bits), (bits, 1)))
        for name, swizzle, bits in _ROWS
    },
}


def smem_layout_atom(name: str, bits: int) -> ComposedLayout:
    """Return a shared-memory layout atom for elements of that many bits.

    The names are CuTe's: Layout_K_SW128_Atom, Layout_MN_INTER_Atom, and so on.
    Errors: InputError for another name, or elements that do not divide a 16-byte piece.

    >>> print(smem_layout_atom("Layout_K_SW128_Atom", 16))
    Sw<3,3,3> o 0 o (8,64):(64,1)
    >>> print(smem_layout_atom("Layout_MN_SW32_Atom", 8))
    Sw<1,4,3> o 0 o (32,8):(1,32)
    """
    found = SMEM_ATOMS.get(name)
    if found is None:
        close = get_close_matches(name, SMEM_ATOMS, 3)
        raise InputError(
            f"there is no shared-memory layout atom {name!r}",
            f"did you mean {', '.join(close)}?" if close else f"one of {', '.join(SMEM_ATOMS)}",
        )
    if not isinstance(bits, int) or bits < 1 or 128 % bits:
        raise InputError(
            f"{name} has no elements of {bits} bits", "give a width that divides 128 bits"
        )
    return upcast(found, bits)
