"""What text can name: the functions and the claims, and what each takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from symcute import claims
from symcute.expr import bits
from symcute.expr.basis import make_basis_like
from symcute.hardware.access import Access
from symcute.interop.triton import layout_of_triton
from symcute.layout import algebra, atoms, measures, slices, tv
from symcute.layout import coordinates as evaluation
from symcute.layout import layout as layouts
from symcute.layout.algebra.alignment import max_alignment
from symcute.layout.swizzle import (
    get_nonswizzle_portion,
    get_swizzle_portion,
)

__all__ = ["CLAIMS", "FUNCTIONS", "Entry"]


@dataclass(frozen=True)
class Entry:
    """A function that text can call; `takes` has a letter a parameter, `*` repeats, `?` is
    optional.

    L layout (a bare shape stands for its column-major layout), O the same or a swizzled layout,
    M the same or a swizzle, S shape or layout, T tiler, P the same, a swizzled layout or a swizzle,
    X leaf, C coordinate, V any value, Q quoted text, R rows, W guard `where(layout, bound)`.
    """

    function: Callable[..., Any]
    takes: str
    help: str


_MODES = "(layout) or (layout, 1, 0) for a mode"

FUNCTIONS: dict[str, Entry] = {
    "bit_and": Entry(bits.bit_and, "XX", "(x, 31): x & 31"),
    "bit_or": Entry(bits.bit_or, "XX", "(x, 3): (x | 3), in parentheses"),
    "bit_xor": Entry(bits.bit_xor, "XX", "(x, 1): x ^ 1"),
    "bit_not": Entry(bits.bit_not, "X", "(x): ~x"),
    "make_layout": Entry(layouts.make_layout, "V*", "make_layout((4,8), (8,1))"),
    "make_ordered_layout": Entry(algebra.make_ordered_layout, "VV", "(shape, order)"),
    "make_identity_layout": Entry(algebra.make_identity_layout, "S", "(shape)"),
    "make_layout_like": Entry(algebra.make_layout_like, "L", "(layout)"),
    "make_fragment_like": Entry(algebra.make_fragment_like, "S", "(layout or shape)"),
    "make_basis_like": Entry(make_basis_like, "V", "(shape)"),
    "compact_major": Entry(algebra.compact_major, "VQ?V", '(shape, "right")'),
    "compact_order": Entry(algebra.compact_order, "VV", '(shape, order) or (shape, "right")'),
    "shape": Entry(measures.shape, "O?XXXX", _MODES),
    "stride": Entry(measures.stride, "L?XXXX", _MODES),
    "size": Entry(measures.size, "S?XXXX", _MODES),
    "rank": Entry(measures.rank, "S?XXXX", _MODES),
    "depth": Entry(measures.depth, "S?XXXX", _MODES),
    "cosize": Entry(measures.cosize, "O?XXXX", _MODES),
    "coshape": Entry(measures.coshape, "L?XXXX", _MODES),
    "get": Entry(algebra.get, "O?XXXX", "(layout, 1, 0): CuTe's layout<1,0>"),
    "take": Entry(algebra.take, "OXX", "(layout, 0, 2)"),
    "select": Entry(algebra.select, "OX*", "(layout, 1, 0)"),
    "group": Entry(algebra.group, "OX?X", "(layout, 0, 2)"),
    "append": Entry(algebra.append, "O?VV", "(layout), (layout, 4) or (layout, 4, x)"),
    "prepend": Entry(algebra.prepend, "O?VV", "(layout), (layout, 4) or (layout, 4, x)"),
    "replace": Entry(algebra.replace, "OXL", "(layout, 1, x)"),
    "zip": Entry(algebra.zip_, "O*", "(A, B)"),
    "tile_unzip": Entry(algebra.tile_unzip, "OT", "(layout, tiler)"),
    "flatten": Entry(algebra.flatten, "O", "(layout)"),
    "unflatten": Entry(algebra.unflatten, "LV", "(layout, profile)"),
    "filter": Entry(algebra.filter_, "O?V", "(layout) or (layout, profile)"),
    "filter_zeros": Entry(algebra.filter_zeros, "L?V", "(layout) or (layout, profile)"),
    "coalesce": Entry(algebra.coalesce, "O?V", "(layout) or (layout, profile)"),
    "crd2idx": Entry(evaluation.crd2idx, "CV?V", "(coordinate, shape, stride)"),
    "idx2crd": Entry(evaluation.idx2crd, "CV", "(index, shape)"),
    "crd2crd": Entry(algebra.crd2crd, "CVV", "(coordinate, shape, shape)"),
    "slice": Entry(slices.slice_, "CO", "((_,1,_), layout)"),
    "slice_and_offset": Entry(slices.slice_and_offset, "CO", "((_,1,_), layout)"),
    "dice": Entry(algebra.dice, "CL", "((_,1,_), layout)"),
    "domain_offset": Entry(algebra.domain_offset, "CO", "((1,2), layout)"),
    "composition": Entry(algebra.composition, "MP", "(A, B)"),
    "complement": Entry(algebra.complement, "OS", "(A, M)"),
    "right_inverse": Entry(algebra.right_inverse, "M", "(layout)"),
    "left_inverse": Entry(algebra.left_inverse, "M", "(layout)"),
    "nullspace": Entry(algebra.nullspace, "O", "(layout)"),
    "max_common_layout": Entry(algebra.max_common_layout, "OO", "(A, B)"),
    "max_common_vector": Entry(algebra.max_common_vector, "OO", "(A, B)"),
    "max_alignment": Entry(max_alignment, "M", "(layout)"),
    "get_swizzle_portion": Entry(get_swizzle_portion, "O", "(layout)"),
    "get_nonswizzle_portion": Entry(get_nonswizzle_portion, "O", "(layout)"),
    "domain_distribute": Entry(algebra.domain_distribute, "SX", "(shape, size)"),
    "greatest_common_domain": Entry(algebra.greatest_common_domain, "SS", "(A, B)"),
    "layout_add": Entry(algebra.layout_add, "LL", "(A, B)"),
    "logical_divide": Entry(algebra.logical_divide, "OT", "(A, tiler)"),
    "guarded_divide": Entry(algebra.guarded_divide, "LT", "(A, tiler): rounded up, with a guard"),
    "zipped_divide": Entry(algebra.zipped_divide, "OT", "(A, tiler)"),
    "tiled_divide": Entry(algebra.tiled_divide, "OT", "(A, tiler)"),
    "flat_divide": Entry(algebra.flat_divide, "OT", "(A, tiler)"),
    "logical_product": Entry(algebra.logical_product, "OP", "(A, tiler)"),
    "zipped_product": Entry(algebra.zipped_product, "OP", "(A, tiler)"),
    "tiled_product": Entry(algebra.tiled_product, "OP", "(A, tiler)"),
    "flat_product": Entry(algebra.flat_product, "OP", "(A, tiler)"),
    "blocked_product": Entry(algebra.blocked_product, "OL", "(A, B)"),
    "raked_product": Entry(algebra.raked_product, "OL", "(A, B)"),
    "tile_to_shape": Entry(algebra.tile_to_shape, "OV?V", "(block, shape, order)"),
    "upcast": Entry(algebra.upcast, "MX", "(layout, n)"),
    "downcast": Entry(algebra.downcast, "MX", "(layout, n)"),
    "recast": Entry(algebra.recast, "MXX", "(layout, old bits, new bits)"),
    "shape_div": Entry(algebra.shape_div, "VV", "(shape, divisor)"),
    "atom_layout": Entry(atoms.atom_layout, "QQ", '("SM80_16x8x16_F32F16F16F32_TN", "A")'),
    "smem_layout_atom": Entry(atoms.smem_layout_atom, "QX", '("Layout_K_SW128_Atom", 16)'),
    "triton_layout": Entry(
        layout_of_triton, "Q?V", '("#ttg.blocked<{...}>", (32,16)): its layout on a tile'
    ),
    "make_layout_tv": Entry(tv.make_layout_tv, "LL", "(threads, values): tile and TV layout"),
    "tiled_mma_layout": Entry(
        tv.tiled_mma_layout, "QQ?LV", '("SM80_16x8x16_F32F16F16F32_TN", "A", (2,2,1), (_,32,16))'
    ),
    "local_tile": Entry(tv.local_tile, "OTC?V", "(A, (128,64), (1,_)): the tile, its offset"),
    "local_partition": Entry(tv.local_partition, "OLX?V", "(A, threads, thread)"),
    "access": Entry(
        Access,
        "OX?XX",
        "((32,4):(64,1), 16, 32, B): lanes and requests, bits (of an access), base",
    ),
}

_GUARDS = "W" * 8

CLAIMS: dict[str, Entry] = {
    "injective": Entry(
        lambda layout, *where: claims.Injective(layout, where),
        f"O?{_GUARDS}",
        "(layout) or (layout, where(G, M)): where G(c) < M",
    ),
    "bijective": Entry(claims.Bijective, "O", "(layout): onto [0, size)"),
    "compact": Entry(claims.Compact, "O", "(layout): strides 0 apart, onto [0, size)"),
    "in_bounds": Entry(
        lambda layout, bound, *where: claims.InBounds(layout, bound, where),
        f"OX?{_GUARDS}",
        "(layout, bound) or (layout, bound, where(G, M))",
    ),
    "equal": Entry(claims.Equal, "OO", "(A, B): the same map"),
    "compatible": Entry(claims.Compatible, "SS", "(shape A, shape B)"),
    "refines": Entry(claims.Refines, "SS", "(shape A, shape B): B is compatible with A"),
    "disjoint": Entry(claims.Disjoint, "LL", "(A, B): but for offset 0"),
    "apart": Entry(claims.Apart, "LL?X", "(A, B) or (A, B, shift): A and shift + B"),
    "covers": Entry(claims.Covers, "LX", "(layout, M): all of [0, M)"),
    "partition": Entry(claims.Partition, "VV", "(layout, M) or ((L0,L1), (M0,M1))"),
    "partition_exact": Entry(
        claims.PartitionExact,
        "LS?X",
        "(TV, tile) or (TV, tile, copies): each element in one (thread, value)",
    ),
    "same_elements": Entry(claims.SameElements, "LL", "(A, B): each thread holds the same"),
    "same_image": Entry(claims.SameImage, "LL", "(A, B): the same offsets"),
    "monotone": Entry(claims.Monotone, "L", "(layout): L(i) <= L(i+1)"),
    "increasing": Entry(claims.Increasing, "L", "(layout): L(i) < L(i+1)"),
    "aligned": Entry(claims.Aligned, "LX", "(layout, n): offsets are multiples of n"),
    "bank_conflict": Entry(
        claims.BankConflict, "VX?X", "(access(L, 32), k): at most k ways; (A, k, n): at least n"
    ),
    "sectors": Entry(
        claims.Sectors, "VX?X", "(access(L, 32), k): at most k a request; (A, k, n): at least n"
    ),
    "coalesced": Entry(claims.Coalesced, "V", "(access(L, 32)): no more sectors than it fills"),
    "vectorizable": Entry(
        claims.Vectorizable, "OXX?X", "(layout, 16, 128): bits of an element and of a vector"
    ),
    "no_overflow": Entry(claims.NoOverflow, "V?X", '("i*LD + j", 32) or (layout, 32)'),
    "is_complement": Entry(claims.Complement, "LLX", "(B, A, M)"),
    "is_composition": Entry(claims.Composition, "LLL", "(C, A, B): C is A after B"),
    "is_right_inverse": Entry(claims.RightInverse, "LL", "(R, L): L(R(i)) == i"),
    "is_left_inverse": Entry(claims.LeftInverse, "LL", "(I, L): I(L(i)) == i"),
    "prints_as": Entry(claims.PrintsAs, "VQ", '(value, "text")'),
    "table": Entry(claims.Table, "LR", "(layout, ((row), (row)))"),
}

#: Functions whose first argument may itself depend on assumptions take them from `assuming`.
