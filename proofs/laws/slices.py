"""Laws of slices: layouts where some coordinates are fixed, or where the origin has moved."""

from __future__ import annotations

from symcute import (
    Claim,
    Equal,
    Formula,
    Layout,
    dice,
    dims,
    domain_offset,
    eq,
    rank,
    select,
    size,
    slice_,
    slice_and_offset,
    theorem,
)

SLICE = "cute/layout.hpp, slice, dice, domain_offset"

REAL = ["S >= 2", "T >= 2", "U >= 2", "V >= 2"]
INSIDE = [
    *("0 <= i", "i < S", "0 <= j", "j < T", "0 <= k", "k < U"),
]

MATRIX = Layout.parse("(S,T):(D,E)")
CUBE = Layout.parse("(S,T,U):(D,E,F)")


@theorem(given=INSIDE, source=SLICE)
def contract_slice_is_the_layout_where_a_coordinate_is_fixed() -> tuple[Formula, Formula]:
    """The slice (_,j,_) at (i,k), moved by its offset, is the layout at (i,j,k)."""
    i, j, k = dims("i j k")
    kept = slice_((None, j, None), CUBE)
    return eq(kept(i, k) + CUBE(0, j, 0), CUBE(i, j, k)), eq(rank(kept), 2)


@theorem(given=[*INSIDE, "j >= 1"], expect="refuted")
def contract_slice_neighbour() -> Formula:
    """The slice (_,j,_) at (i,k) is the layout at (i,j,k), without an offset."""
    i, j, k = dims("i j k")
    return eq(slice_((None, j, None), CUBE)(i, k), CUBE(i, j, k))


@theorem(given=INSIDE, source=SLICE)
def contract_slice_and_offset_add_up() -> Formula:
    """Slice and offset of (i,_,k) add up to the layout at (i,j,k)."""
    i, j, k = dims("i j k")
    kept, offset = slice_and_offset((i, None, k), CUBE)
    return eq(offset + kept(j), CUBE(i, j, k))


@theorem(given=INSIDE, source=SLICE)
def slicing_twice_is_slicing_once() -> tuple[Claim, Formula]:
    """Fixing j and then k is fixing both: one layout, and the offsets add up."""
    j, k = dims("j k")
    first, at_j = slice_and_offset((None, j, None), CUBE)
    second, at_k = slice_and_offset((None, k), first)
    both, offset = slice_and_offset((None, j, k), CUBE)
    return Equal(second, both), eq(at_j + at_k, offset)


@theorem(given=[*INSIDE, "i >= 1"], expect="refuted")
def contract_slice_and_offset_neighbour() -> Formula:
    """The offset of (i,_,k) does not depend on i."""
    i, k = dims("i k")
    offset = slice_and_offset((i, None, k), CUBE)[1]
    return eq(offset, slice_and_offset((0, None, k), CUBE)[1])


@theorem(source=SLICE)
def contract_dice_has_what_slice_drops() -> tuple[Claim | Formula, ...]:
    """dice and slice share out the modes: their sizes multiply to the size of the layout."""
    fixed, kept = dice((None, 0, None), CUBE), slice_((None, 0, None), CUBE)
    return (
        eq(size(fixed) * size(kept), size(CUBE)),
        Equal(fixed, CUBE[1]),
        Equal(kept, select(CUBE, 0, 2)),
    )


@theorem(given=REAL, expect="refuted")
def contract_dice_neighbour() -> Formula:
    """dice keeps what `_` stands for."""
    return eq(size(dice((None, 0, None), CUBE)), size(CUBE[0]) * size(CUBE[2]))


@theorem(given=[*INSIDE, "0 <= a", "0 <= b"], source=SLICE)
def contract_domain_offset_moves_the_origin() -> Formula:
    """Offset and layout from (a,b) on: at (i,j) what the matrix is at (a+i, b+j)."""
    a, b, i, j = dims("a b i j")
    layout, offset = domain_offset((a, b), MATRIX)
    return eq(offset + layout(i, j), MATRIX(a + i, b + j))


@theorem(given=["0 <= a", "0 <= b", "0 <= c", "0 <= d"], source=SLICE)
def domain_offsets_add_up() -> Formula:
    """Moving the origin twice is moving it by the sum of the coordinates."""
    a, b, c, d = dims("a b c d")
    once, twice = domain_offset((a + c, b + d), MATRIX), domain_offset((c, d), MATRIX)
    return eq(domain_offset((a, b), MATRIX)[1] + twice[1], once[1])


@theorem(given=["a >= 1", "b >= 1", "D > E"], expect="refuted")
def contract_domain_offset_neighbour() -> Formula:
    """Moving the origin by (a,b) or by (b,a) gives the same offset."""
    a, b = dims("a b")
    return eq(domain_offset((a, b), MATRIX)[1], domain_offset((b, a), MATRIX)[1])
