"""Laws of the modes: layouts taken apart and put together, sliced and moved.

Every extent and stride is arbitrary. `CUBE` has three modes, `NESTED` two modes of two.
"""

from __future__ import annotations

from symcute import (
    Claim,
    Compatible,
    Equal,
    Formula,
    Layout,
    PrintsAs,
    append,
    coalesce,
    composition,
    cosize,
    dims,
    eq,
    flatten,
    get,
    group,
    logical_divide,
    make_layout,
    prepend,
    replace,
    select,
    size,
    take,
    theorem,
    tile_unzip,
    transform_leaf,
    unflatten,
    zip_,
    zipped_divide,
)

SURGERY = "cute/layout.hpp, operations that treat a layout as a tuple of modes"

REAL = ["S >= 2", "T >= 2", "U >= 2", "V >= 2"]
INSIDE = [
    *("0 <= i", "i < S", "0 <= j", "j < T", "0 <= k", "k < U"),
]

MATRIX = Layout.parse("(S,T):(D,E)")
CUBE = Layout.parse("(S,T,U):(D,E,F)")
NESTED = Layout.parse("((S,T),(U,V)):((D,E),(F,G))")


@theorem(source=SURGERY)
def contract_append_keeps_the_map() -> tuple[Claim, ...]:
    """Appending unit modes keeps the map; appending a mode is concatenation."""
    mode = Layout.parse("U:F")
    return (
        Equal(append(MATRIX), MATRIX),
        Equal(append(MATRIX, 5), MATRIX),
        PrintsAs(append(MATRIX, mode), str(make_layout(*MATRIX, mode))),
    )


@theorem(given=REAL, expect="refuted")
def contract_append_neighbour() -> Claim:
    """Appending a mode keeps the map: the new mode comes last."""
    return Equal(append(MATRIX, Layout.parse("U:F")), MATRIX)


@theorem(source=SURGERY)
def contract_prepend_keeps_the_map() -> tuple[Claim, ...]:
    """Prepending unit modes keeps the map; prepending a mode puts it first."""
    mode = Layout.parse("U:F")
    return (
        Equal(prepend(MATRIX), MATRIX),
        Equal(prepend(MATRIX, 4), MATRIX),
        PrintsAs(prepend(MATRIX, mode), str(make_layout(mode, *MATRIX))),
    )


@theorem(given=[*REAL, "D > F"], expect="refuted")
def contract_prepend_neighbour() -> Claim:
    """Prepending a mode gives the map that appending it gives."""
    mode = Layout.parse("U:F")
    return Equal(prepend(MATRIX, mode), append(MATRIX, mode))


@theorem(source=SURGERY)
def contract_replace_touches_one_mode() -> tuple[Claim | Formula, ...]:
    """Replacing mode 1 leaves the others; replacing it by itself leaves the layout."""
    x = Layout.parse("(U,V):(F,G)")
    changed = replace(CUBE, 1, x)
    return (
        Equal(changed[0], CUBE[0]),
        Equal(changed[1], x),
        Equal(changed[2], CUBE[2]),
        eq(size(changed) * size(CUBE[1]), size(CUBE) * size(x)),
        Equal(replace(CUBE, 1, CUBE[1]), CUBE),
    )


@theorem(given=REAL, expect="refuted")
def contract_replace_neighbour() -> Formula:
    """Replacing a mode keeps the size."""
    return eq(size(replace(CUBE, 1, Layout.parse("V:G"))), size(CUBE))


@theorem(source=SURGERY)
def contract_take_and_the_rest_is_the_layout() -> tuple[Claim, ...]:
    """The first modes and the others, put together, are the layout."""
    return tuple(
        Equal(make_layout(*take(CUBE, 0, k), *take(CUBE, k, 3)), CUBE) for k in range(1, 3)
    )


@theorem(given=REAL, expect="refuted")
def contract_take_neighbour() -> Claim:
    """Mode 0, and then the modes before mode 2, are the layout."""
    return Equal(make_layout(CUBE[0], take(CUBE, 0, 2)), CUBE)


@theorem(given=INSIDE, source=SURGERY)
def contract_get_is_the_layout_along_a_mode() -> tuple[Formula, ...]:
    """A mode is what the layout is where all other coordinates are 0; the modes add up to it."""
    i, j, k = dims("i j k")
    first, second, third = (get(CUBE, m) for m in range(3))
    return (
        eq(second(j), CUBE(0, j, 0)),
        eq(CUBE(i, j, k), first(i) + second(j) + third(k)),
    )


@theorem(given=[*INSIDE, "S >= 2"], expect="refuted")
def contract_get_neighbour() -> Formula:
    """A mode is the layout at the same index."""
    return eq(get(CUBE, 1)(dims("j")), CUBE(dims("j")))


@theorem(given=INSIDE, source=SURGERY)
def contract_select_permutes_coordinates() -> Formula:
    """With modes 2, 0, 1 selected, the element (k,i,j) is the element (i,j,k)."""
    i, j, k = dims("i j k")
    return eq(select(CUBE, 2, 0, 1)(k, i, j), CUBE(i, j, k))


@theorem(source=SURGERY)
def select_of_a_select_is_a_select() -> tuple[Claim, Claim]:
    """Two permutations of the modes are one; a permutation and its inverse are none."""
    return (
        PrintsAs(select(select(CUBE, 2, 0, 1), 1, 0, 2), str(select(CUBE, 0, 2, 1))),
        PrintsAs(select(select(CUBE, 2, 0, 1), 1, 2, 0), str(CUBE)),
    )


@theorem(source=SURGERY)
def select_is_a_composition() -> Claim:
    """Selecting modes is composition with the index map that exchanges them."""
    return Equal(select(CUBE, 2, 0, 1), composition(CUBE, Layout.parse("(U,S,T):(S*T,1,S)")))


@theorem(given=REAL, expect="refuted")
def contract_select_neighbour() -> Claim:
    """Selecting all modes in another order keeps the offset at every index."""
    return Equal(select(CUBE, 2, 0, 1), CUBE)


@theorem(source=SURGERY)
def contract_zip_pairs_the_modes() -> tuple[Claim, ...]:
    """Mode k of zip(A, B) is (mode k of A, mode k of B); zipping again restores (A, B)."""
    other = Layout.parse("(U,V):(F,G)")
    zipped = zip_(MATRIX, other)
    return (
        *(Equal(zipped[k], make_layout(MATRIX[k], other[k])) for k in range(2)),
        PrintsAs(zip_(zipped), str(make_layout(MATRIX, other))),
    )


@theorem(given=[*REAL, "F > E"], expect="refuted")
def contract_zip_neighbour() -> Claim:
    """zip(A, B) is the map of (A, B)."""
    other = Layout.parse("(U,V):(F,G)")
    return Equal(zip_(MATRIX, other), make_layout(MATRIX, other))


@theorem(given=["S % s == 0", "T % t == 0"], source=SURGERY)
def contract_tile_unzip_gathers_tiles_and_rests() -> tuple[Claim, ...]:
    """Of a matrix divided by <s,t>, mode 0 has both tiles and mode 1 both rests."""
    tiler = dims("s t")
    divided = logical_divide(MATRIX, tiler)
    gathered = tile_unzip(divided, tiler)
    return (
        Equal(gathered[0], make_layout(divided[0][0], divided[1][0])),
        Equal(gathered[1], make_layout(divided[0][1], divided[1][1])),
        PrintsAs(gathered, str(zipped_divide(MATRIX, tiler))),
    )


@theorem(given=["S % s == 0", "T % t == 0", "S > s", "t >= 2", "s >= 2"], expect="refuted")
def contract_tile_unzip_neighbour() -> Claim:
    """Gathering tiles and rests keeps the offset at every index, of a row-major matrix."""
    tiler = dims("s t")
    divided = logical_divide(Layout.parse("(S,T):(T,1)"), tiler)
    return Equal(tile_unzip(divided, tiler), divided)


@theorem(source=SURGERY)
def contract_transform_leaf_scales() -> tuple[Claim, Claim]:
    """Multiplying every stride by K is composition with the scale n:K; splitting none is none."""
    K = dims("K")
    scaled = transform_leaf(NESTED, lambda s, d: (s, K * d))
    return (
        Equal(scaled, composition(Layout.parse("N:K"), NESTED)),
        PrintsAs(transform_leaf(NESTED, lambda s, d: (s, d)), str(NESTED)),
    )


@theorem(given=[*REAL, "K >= 2"], expect="refuted")
def contract_transform_leaf_neighbour() -> Claim:
    """Multiplying every extent by K is composition with the scale n:K."""
    K = dims("K")
    longer = transform_leaf(MATRIX, lambda s, d: (K * s, d))
    return Equal(longer, composition(Layout.parse("N:K"), MATRIX))


@theorem(source=SURGERY)
def group_and_flatten_undo_each_other() -> tuple[Claim, ...]:
    """Grouping modes of a flat layout and flattening again changes nothing."""
    layout = Layout.parse("(S,T,U,V):(D,E,F,G)")
    ranges = (0, 2), (1, 3), (1, 4), (0, 4)
    return tuple(PrintsAs(flatten(group(layout, a, b)), str(layout)) for a, b in ranges)


@theorem(source=SURGERY)
def unflatten_restores_what_flatten_forgets() -> Claim:
    """Flattening, and arranging by the profile of the layout again, changes nothing."""
    return PrintsAs(unflatten(flatten(NESTED), NESTED), str(NESTED))


@theorem(source=SURGERY)
def group_makes_a_coarser_shape() -> tuple[Claim, Claim]:
    """Coordinates of the size of a group are coordinates of the grouped layout."""
    S, T, U = dims("S T U")
    grouped = group(CUBE, 0, 2)
    return Compatible((S * T, U), grouped), Compatible((S, T * U), group(CUBE, 1, 3))


@theorem(given=REAL, expect="refuted")
def group_makes_a_coarser_shape_neighbour() -> Claim:
    """Coordinates of the ungrouped layout are coordinates of the grouped one."""
    return Compatible(CUBE, group(CUBE, 0, 2))


@theorem(source=SURGERY)
def concatenation_has_the_sum_of_the_reaches() -> tuple[Formula, Formula]:
    """Sizes of concatenated layouts multiply; their largest offsets add up."""
    other = Layout.parse("(U,V):(F,G)")
    both = make_layout(MATRIX, other)
    return (
        eq(size(both), size(MATRIX) * size(other)),
        eq(cosize(both) - 1, (cosize(MATRIX) - 1) + (cosize(other) - 1)),
    )


@theorem(given=REAL, expect="refuted")
def concatenation_has_the_sum_of_the_reaches_neighbour() -> Formula:
    """Cosizes of concatenated layouts add up."""
    other = Layout.parse("(U,V):(F,G)")
    return eq(cosize(make_layout(MATRIX, other)), cosize(MATRIX) + cosize(other))


@theorem(source=SURGERY)
def concatenation_is_associative() -> Claim:
    """((A, B), C) and (A, (B, C)) are one map."""
    a, b, c = CUBE
    one, other = make_layout(make_layout(a, b), c), make_layout(a, make_layout(b, c))
    return Equal(one, other)


@theorem(given=[*REAL, "E > D"], expect="refuted")
def concatenation_is_commutative_neighbour() -> Claim:
    """(A, B) and (B, A) are one map."""
    return Equal(coalesce(make_layout(MATRIX[0], MATRIX[1])), make_layout(MATRIX[1], MATRIX[0]))
