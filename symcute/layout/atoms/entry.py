"""What the catalogue says of an instruction: shapes, element types, thread-value layouts.

The catalogue is data, one file an architecture, read from the headers of CUTLASS 4.2 that each
entry names. A thread-value layout maps (thread, value) to an element of the operand's tile, counted
column-major; the layouts of a copy map (thread, value) to a bit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from symcute.errors import InputError
from symcute.expr.notebook import Shown
from symcute.layout.layout import Layout

__all__ = ["CopyOp", "MmaAtom", "bits_of", "copies", "mmas", "notebook_picture"]

#: Bits of an element. `gc64` is CUTLASS' Gaussian complex number of three doubles.
BITS = {
    "f64": 64, "f32": 32, "tf32": 32, "f16": 16, "bf16": 16, "e4m3": 8, "e5m2": 8, "e3m2": 6,
    "e2m3": 6, "e2m1": 4, "s32": 32, "s16": 16, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "u1": 1,
    "c64": 128, "gc64": 192,
}  # fmt: skip

_TYPES = re.compile(r"_((?:BF16|TF32|GC64|[CFSU]\d+|E\dM\d){3,4})(?:_|$)")
_TYPE = re.compile(r"BF16|TF32|GC64|C64|F16|F32|F64|S32|S8|U8|S4|U4|U1|E4M3|E5M2")
_SHAPE = re.compile(r"_(\d+)x(\d+)x(\d+)_")


def bits_of(element: str) -> int:
    """Return the width of an element type; of `f16|bf16`, which share it.

    Errors: InputError for a type that the catalogue does not know.

    >>> bits_of("bf16"), bits_of("f16|bf16"), bits_of("u1")
    (16, 16, 1)
    """
    first = element.split("|")[0]
    if first not in BITS:
        raise InputError(f"there is no element type {element!r}", f"one of {', '.join(BITS)}")
    return BITS[first]


def notebook_picture(tilings: Mapping[str, tuple[Layout, Any]], title: str) -> str | None:
    """Return a picture of thread-value layouts into their tiles, None where it cannot be drawn."""
    import symcute  # pictures stand above: they are reached through the front door

    try:
        return str(symcute.tilings_to_svg(tilings, title))
    except InputError:
        return None


@dataclass(frozen=True)
class MmaAtom(Shown):
    """A matrix multiply-accumulate instruction, D = A*B + C, as CuTe's MMA_Traits describe it.

    `thr_id` maps the instruction's threads to those of the block; the layouts map (thread, value)
    to elements of the (M,K), (N,K) and (M,N) tile. `types` are those of D, A, B, C; `|` separates
    types that the instruction takes alike. `scale_factors` are the layouts of a block-scaled
    instruction's factors, over the tiles of A and B. `note` says where the header is not followed.
    """

    name: str
    arch: str
    shape_mnk: tuple[int, int, int]
    types: tuple[str, str, str, str]
    thr_id: Layout
    layoutA_TV: Layout
    layoutB_TV: Layout
    layoutC_TV: Layout
    source: str
    scale_factors: tuple[Layout, Layout] | None = None
    note: str = ""

    def layouts(self) -> dict[str, tuple[Layout, tuple[int, int]]]:
        """Return, for A, B, C and the scale factors, the layout and the tile it maps into.

        >>> from symcute.layout.atoms import atom
        >>> for name, (layout, tile) in atom("SM80_16x8x8_F32TF32TF32F32_TN").layouts().items():
        ...     print(name, layout, tile)
        A ((4,8),(2,2)):((16,1),(8,64)) (16, 8)
        B ((4,8),2):((8,1),32) (8, 8)
        C ((4,8),(2,2)):((32,1),(16,8)) (16, 8)
        """
        m, n, k = self.shape_mnk
        found = {
            "A": (self.layoutA_TV, (m, k)),
            "B": (self.layoutB_TV, (n, k)),
            "C": (self.layoutC_TV, (m, n)),
        }
        if self.scale_factors:
            found |= {"SFA": (self.scale_factors[0], (m, k))}
            found |= {"SFB": (self.scale_factors[1], (n, k))}
        return found

    def in_registers(self) -> str:
        """Return the operands that lie in registers: those of wgmma may lie in shared memory, and
        those of tcgen05.mma never do.

        >>> from symcute.layout.atoms import atom
        >>> atom("SM90_64x8x16_F32F16F16_RS").in_registers()
        'AC'
        """
        if self.name.startswith("SM100_MMA"):
            return ""
        if self.name.startswith("SM90_64x"):
            return "AC" if "_RS" in self.name else "C"
        return "ABC"

    def bits(self) -> tuple[int, int, int, int]:
        """Return the widths of the elements of D, A, B and C."""
        d, a, b, c = map(bits_of, self.types)
        return d, a, b, c

    def __str__(self) -> str:
        """Return the name."""
        return self.name

    def _repr_svg_(self) -> str | None:
        """Return the picture that a notebook shows: who holds each element of the operands."""
        return notebook_picture(self.layouts(), self.name)


@dataclass(frozen=True)
class CopyOp(Shown):
    """A copy instruction, as CuTe's Copy_Traits describe it: (thread, value) to bit.

    The order of the bits is CuTe's own; `layout_ref` is the side that a tiled copy is written for.
    """

    name: str
    arch: str
    thr_id: Layout
    layout_src: Layout
    layout_dst: Layout
    layout_ref: Layout
    source: str

    def __str__(self) -> str:
        """Return the name."""
        return self.name

    def layouts(self) -> dict[str, tuple[Layout, tuple[int]]]:
        """Return, for both sides, the layout and how many bits it maps into.

        >>> from symcute.layout.atoms import atom
        >>> for name, (layout, tile) in atom("SM75_U32x1_LDSM_N").layouts().items():
        ...     print(name, layout, tile)
        Src ((8,4),128):((128,0),1) (1024,)
        Dst (32,32):(32,1) (1024,)
        """
        bits = max(int(x.cosize()) for x in (self.layout_src, self.layout_dst))
        return {"Src": (self.layout_src, (bits,)), "Dst": (self.layout_dst, (bits,))}


def mmas(
    source: str,
    names: str | Iterable[str],
    thr_id: Layout,
    a: Layout,
    b: Layout,
    c: Layout,
    note: str = "",
) -> Iterator[MmaAtom]:
    """Yield the atoms of these names, which share their layouts.

    Shape and types are what the names say: `_MxNxK_`, and the types of D, A, B and C in this order,
    where those of C are those of D if there are three.
    """
    for name in names.split() if isinstance(names, str) else names:
        shape, types = _SHAPE.search(name), _TYPES.search(name)
        if shape is None or types is None:
            raise ValueError(f"{name} does not say its shape and types")
        m, n, k = map(int, shape.groups())
        d, first, second, *rest = (x.lower() for x in _TYPE.findall(types[1]))
        yield MmaAtom(
            name,
            name.split("_")[0].lower(),
            (m, n, k),
            (d, first, second, rest[0] if rest else d),
            thr_id,
            a,
            b,
            c,
            source,
            note=note,
        )


def copies(
    source: str, arch: str, names: str, thr_id: Layout, src: Layout, dst: Layout, ref: Layout
) -> Iterator[CopyOp]:
    """Yield the copy instructions of these names, which share their layouts."""
    for name in names.split():
        yield CopyOp(name, arch, thr_id, src, dst, ref, source)
