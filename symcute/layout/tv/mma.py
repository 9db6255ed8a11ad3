"""Tiled MMAs: an MMA atom repeated over threads and over permuted tiles.

Source: cute/atom/mma_atom.hpp.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from symcute.errors import InputError, NotAdmissible
from symcute.expr.assumptions import Given
from symcute.expr.htuple import HTuple, Leaf, product, show
from symcute.expr.notebook import Shown
from symcute.layout.algebra import (
    append,
    complement,
    composition,
    filter_,
    logical_divide,
    make_fragment_like,
    right_inverse,
    tiled_product,
    zipped_divide,
)
from symcute.layout.atoms import CopyOp, MmaAtom, atom
from symcute.layout.atoms.entry import notebook_picture
from symcute.layout.layout import Layout, make_layout
from symcute.layout.slices import slice_and_offset
from symcute.layout.swizzle import ComposedLayout, LayoutT
from symcute.layout.tv.slicing import flat_coordinate, require_divides

__all__ = ["ThrMMA", "TiledMMA", "make_tiled_mma", "tiled_mma_layout"]

AnyLayout = Layout | ComposedLayout

#: The modes M, N, K that the tiles of the operands have.
OPERANDS = {"A": (0, 2), "B": (1, 2), "C": (0, 1)}
#: The most threads of a block, on every architecture.
MAX_THREADS = 1024


@dataclass(frozen=True)
class TiledMMA(Shown):
    """An atom, the layout of its repetitions over M, N, K, and what permutes the tile's modes.

    A permutation is `_` for none, an extent, or a layout whose size is that of the tile's mode.
    """

    atom: MmaAtom
    atom_layout_mnk: Layout
    permutation_mnk: tuple[HTuple, HTuple, HTuple] = (None, None, None)

    @cached_property
    def thr_layout_vmnk(self) -> Layout:
        """(thread of the atom, repetition in M, N, K) -> thread of the block."""
        return tiled_product(self.atom.thr_id, self.atom_layout_mnk)

    def size(self) -> int:
        """Return the number of threads."""
        return int(self.thr_layout_vmnk.size())

    def permutation(self, mode: int) -> HTuple:
        """Return the permutation of a mode of the tile; the extent of the atoms where it is `_`."""
        found = self.permutation_mnk[mode]
        if found is None:
            return self.atom.shape_mnk[mode] * int(product(self.thr_layout_vmnk[mode + 1].shape))
        return found

    def tile_size(self, mode: int) -> int:
        """Return the extent of the tile in M, N or K."""
        found = self.permutation(mode)
        return int(found.size() if isinstance(found, Layout) else product(found))

    def tile_shape(self) -> tuple[int, int, int]:
        """Return the tile in M, N and K."""
        return self.tile_size(0), self.tile_size(1), self.tile_size(2)

    def thrfrg_A(self, layout: LayoutT, *, given: Given = ()) -> LayoutT:
        """Return a layout of (M,K,...) as ((ThrV,(ThrM,ThrK)),(FrgV,(RestM,RestK,...))).

        Errors: NotAdmissible where the tile does not divide the layout.
        """
        return self._thrfrg("A", layout, given)

    def thrfrg_B(self, layout: LayoutT, *, given: Given = ()) -> LayoutT:
        """Return a layout of (N,K,...) as ((ThrV,(ThrN,ThrK)),(FrgV,(RestN,RestK,...)))."""
        return self._thrfrg("B", layout, given)

    def thrfrg_C(self, layout: LayoutT, *, given: Given = ()) -> LayoutT:
        """Return a layout of (M,N,...) as ((ThrV,(ThrM,ThrN)),(FrgV,(RestM,RestN,...)))."""
        return self._thrfrg("C", layout, given)

    def _thrfrg(self, operand: str, layout: LayoutT, given: Given) -> LayoutT:
        modes = OPERANDS[operand]
        if layout.rank() < 2:
            raise InputError(
                f"{layout} has no two modes for operand {operand} of {self}",
                f"give a layout of ({','.join('MNK'[m] for m in modes)},...)",
            )
        for place, m in enumerate(modes):
            where = f"the {'MNK'[m]} mode of {layout} as operand {operand} of {self}"
            require_divides(self.tile_size(m), product(layout[place].shape), where, given)
        permuted = logical_divide(layout, tuple(map(self.permutation, modes)), given=given)
        atoms = tuple(Layout(self.atom.shape_mnk[m]) for m in modes)
        tiled = zipped_divide(permuted, atoms, given=given)
        layout_tv = self.atom.layouts()[operand][0]
        threads = tuple(Layout(product(self.thr_layout_vmnk[m + 1].shape)) for m in modes)
        return _mapped(tiled, lambda x: _dealt(x, layout_tv, threads, given))

    def get_layoutA_TV(self) -> Layout:
        """Return (thread, value) -> element of the (M,K) tile."""
        n = product(self.thr_layout_vmnk[2].shape)
        m = product(self.thr_layout_vmnk[1].shape)
        return self._layout_tv("A", (None, (Layout((m, n), (1, 0)), None)))

    def get_layoutB_TV(self) -> Layout:
        """Return (thread, value) -> element of the (N,K) tile."""
        n = product(self.thr_layout_vmnk[2].shape)
        m = product(self.thr_layout_vmnk[1].shape)
        return self._layout_tv("B", (None, (Layout((m, n), (0, 1)), None)))

    def get_layoutC_TV(self) -> Layout:
        """Return (thread, value) -> element of the (M,N) tile."""
        return self._layout_tv("C", None)

    def layouts(self) -> dict[str, tuple[Layout, tuple[int, int]]]:
        """Return, for A, B and C, the thread-value layout and the tile it maps into.

        >>> mma = make_tiled_mma("SM80_16x8x8_F32TF32TF32F32_TN", Layout((2, 1)))
        >>> print(*mma.layouts()["C"])
        ((4,8,2),((2,2),(1,1))):((64,1,16),((32,8),(0,0))) (32, 8)
        """
        m, n, k = self.tile_shape()
        return {
            "A": (self.get_layoutA_TV(), (m, k)),
            "B": (self.get_layoutB_TV(), (n, k)),
            "C": (self.get_layoutC_TV(), (m, n)),
        }

    def _repr_svg_(self) -> str | None:
        """Return the picture that a notebook shows: who holds each element of the tiles."""
        return notebook_picture(self.layouts(), str(self))

    def _layout_tv(self, operand: str, spread: Any) -> Layout:
        tile = Layout(tuple(self.tile_size(m) for m in OPERANDS[operand]))
        found: Any = self._thrfrg(operand, tile, ())
        if spread is not None:  # over the repetitions that share the operand
            found = composition(found, (spread, None))
        vmnk = self.thr_layout_vmnk
        rest = complement(vmnk, filter_(vmnk).cosize())
        inverse = right_inverse(make_layout(vmnk, rest))
        threads = composition(Layout((vmnk.size(), 1), (1, 0)), inverse)
        result: Layout = composition(found, (threads, None))
        return result

    def get_slice(self, thread: Leaf) -> ThrMMA:
        """Return what a thread of the block sees.

        Errors: InputError for a number that is no thread.
        """
        reach = int(self.thr_layout_vmnk.cosize())
        if isinstance(thread, int) and not 0 <= thread < reach:
            raise InputError(f"{self} has no thread {thread}", f"give one of 0 ... {reach - 1}")
        return ThrMMA(self, flat_coordinate(thread, self.thr_layout_vmnk))

    def partition_shape_A(self, shape: HTuple, *, given: Given = ()) -> HTuple:
        """Return the shape of a thread's share of an (M,K) operand."""
        return self.get_slice(0).partition_A(Layout(shape), given=given)[0].shape

    def partition_shape_B(self, shape: HTuple, *, given: Given = ()) -> HTuple:
        """Return the shape of a thread's share of an (N,K) operand."""
        return self.get_slice(0).partition_B(Layout(shape), given=given)[0].shape

    def partition_shape_C(self, shape: HTuple, *, given: Given = ()) -> HTuple:
        """Return the shape of a thread's share of an (M,N) operand."""
        return self.get_slice(0).partition_C(Layout(shape), given=given)[0].shape

    def __str__(self) -> str:
        """Return what it was made of."""
        parts = [self.atom.name, str(self.atom_layout_mnk)]
        if any(x is not None for x in self.permutation_mnk):
            parts.append(f"({','.join(_show(x) for x in self.permutation_mnk)})")
        return f"TiledMMA({', '.join(parts)})"


@dataclass(frozen=True)
class ThrMMA:
    """A tiled MMA as one thread sees it; `thr_vmnk` is the thread's coordinate."""

    tiled_mma: TiledMMA
    thr_vmnk: tuple[Leaf, ...]

    def partition_A(self, layout: LayoutT, *, given: Given = ()) -> tuple[AnyLayout, Any]:
        """Return the thread's (FrgV,RestM,RestK,...) of an (M,K,...) layout, and its offset."""
        return self._share("A", layout, given)

    def partition_B(self, layout: LayoutT, *, given: Given = ()) -> tuple[AnyLayout, Any]:
        """Return the thread's (FrgV,RestN,RestK,...) of an (N,K,...) layout, and its offset."""
        return self._share("B", layout, given)

    def partition_C(self, layout: LayoutT, *, given: Given = ()) -> tuple[AnyLayout, Any]:
        """Return the thread's (FrgV,RestM,RestN,...) of an (M,N,...) layout, and its offset.

        >>> mma = make_tiled_mma("SM80_16x8x16_F32F16F16F32_TN", Layout((2, 2)))
        >>> print(*mma.get_slice(37).partition_C(Layout((64, 64), (64, 1))))
        ((2,2),2,4):((1,512),2048,16) 1090
        """
        return self._share("C", layout, given)

    def _share(self, operand: str, layout: LayoutT, given: Given) -> tuple[AnyLayout, Any]:
        shares = self.tiled_mma._thrfrg(operand, layout, given)
        v, *rest = self.thr_vmnk
        place = (v, tuple(rest[m] for m in OPERANDS[operand]))
        return slice_and_offset((place, (None, (None,) * shares[1][1].rank())), shares)

    def partition_fragment_A(self, layout: LayoutT, *, given: Given = ()) -> Layout:
        """Return the registers for the thread's share of A, in the order of its strides.

        Errors: InputError where the instruction does not take A from registers.
        """
        return self._fragment("A", layout, given)

    def partition_fragment_B(self, layout: LayoutT, *, given: Given = ()) -> Layout:
        """Return the registers for the thread's share of B, as for A."""
        return self._fragment("B", layout, given)

    def partition_fragment_C(self, layout: LayoutT, *, given: Given = ()) -> Layout:
        """Return the registers for the thread's share of C, compact in the order of its modes."""
        return self._fragment("C", layout, given)

    def _fragment(self, operand: str, layout: LayoutT, given: Given) -> Layout:
        name = self.tiled_mma.atom.name
        if operand not in self.tiled_mma.atom.in_registers():
            raise InputError(
                f"{name} does not take {operand} from registers", "it has no fragment there"
            )
        share = self._share(operand, layout, given)[0]
        if operand == "C":
            return Layout(share.shape)
        return make_fragment_like(share.layout if isinstance(share, ComposedLayout) else share)


def tiled_mma_layout(
    mma: MmaAtom | str,
    operand: str,
    thr_layout: Layout | HTuple = None,
    permutations: tuple[HTuple, ...] = (),
) -> Layout:
    """Return the thread-value layout of operand A, B or C of a tiled MMA.

    Errors: as make_tiled_mma; InputError for another operand.

    >>> print(tiled_mma_layout("SM80_16x8x16_F32F16F16F32_TN", "B", (2, 2, 1), (None, 32, 16)))
    ((4,8,2,2),((2,2),(2,1))):((64,1,0,8),((32,256),(16,0)))
    """
    threads = (
        thr_layout if thr_layout is None or isinstance(thr_layout, Layout) else Layout(thr_layout)
    )
    tiled = make_tiled_mma(mma, threads, permutations)
    if operand not in OPERANDS:
        raise InputError(f"{tiled} has no operand {operand!r}", "give A, B or C")
    result: Layout = getattr(tiled, f"get_layout{operand}_TV")()
    return result


def make_tiled_mma(
    mma: MmaAtom | str,
    thr_layout: Layout | None = None,
    permutations: tuple[HTuple, ...] = (),
) -> TiledMMA:
    """Return an atom repeated over M, N, K: `thr_layout` says which thread group does which.

    `permutations` are extents or layouts of the tile's M, N and K modes; `_`, or none given, leaves
    a mode as the atoms make it.
    Errors: InputError for an unknown atom, layouts with dims, and more threads than a block has;
    NotAdmissible where thread groups overlap, and where the atoms do not divide what a permutation
    makes of a mode.
    Source: cute/atom/mma_atom.hpp, make_tiled_mma.

    >>> mma = make_tiled_mma("SM80_16x8x16_F32F16F16F32_TN", Layout((2, 2)), (None, 32))
    >>> mma.size(), mma.tile_shape()
    (128, (32, 32, 16))
    >>> print(mma.get_layoutA_TV())
    ((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))
    """
    found = atom(mma) if isinstance(mma, str) else mma
    if isinstance(found, CopyOp) or not isinstance(found, MmaAtom):
        raise InputError(
            f"{getattr(found, 'name', found)} is no MMA atom", "symcute atoms has them"
        )
    layout = Layout((1, 1, 1)) if thr_layout is None else thr_layout
    if layout.rank() > 3 or len(permutations) > 3:
        raise InputError(f"{layout} tiles more modes than M, N, K", "give at most three modes")
    layout = append(layout, 3) if layout.rank() < 3 else layout
    padded = (*permutations, None, None, None)[:3]
    modes = (x if isinstance(x, Layout) else Layout(x) for x in padded if x is not None)
    for x in (layout, *modes):
        if not x.is_static():
            raise InputError(f"{x} in a tiled {found.name} has dims", "give numbers")
    result = TiledMMA(found, layout, (padded[0], padded[1], padded[2]))
    try:
        _ = result.thr_layout_vmnk
    except NotAdmissible as error:
        raise NotAdmissible(
            str(result),
            condition=f"the threads {found.thr_id} of the atom repeat over {layout}",
            witness=error.witness,
        ) from None
    if result.size() > MAX_THREADS:
        raise InputError(
            f"{result} has {result.size()} threads", f"a block has at most {MAX_THREADS}"
        )
    if len({result.thr_layout_vmnk(i) for i in range(result.size())}) < result.size():
        raise NotAdmissible(
            str(result), condition=f"no two thread groups of {layout} are the same threads"
        )
    for m in range(3):
        unit = found.shape_mnk[m] * int(product(result.thr_layout_vmnk[m + 1].shape))
        require_divides(unit, result.tile_size(m), f"the {'MNK'[m]} mode of {result}")
    return result


def _mapped(layout: LayoutT, function: Callable[[Layout], Layout]) -> LayoutT:
    return layout.map(function) if isinstance(layout, ComposedLayout) else function(layout)


def _dealt(tiled: Layout, layout_tv: Layout, threads: tuple[Layout, ...], given: Given) -> Layout:
    """Deal the atoms' tiles, and those over which the threads repeat the atom, to the threads."""
    tv = composition(tiled[0], layout_tv, given=given)
    rest = zipped_divide(tiled[1], threads, given=given)
    return make_layout(make_layout(tv[0], rest[0]), make_layout(tv[1], rest[1]))


def _show(x: HTuple) -> str:
    return str(x) if isinstance(x, Layout) else show(x)
