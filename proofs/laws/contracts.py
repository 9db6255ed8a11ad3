"""The post-conditions of the algebra as claims about symbolic layouts, with false neighbours.

The docstring of an operation holds the condition; here it is stated for row-major, padded, batched
and tiled layouts, for all dims that are as assumed.
"""

from __future__ import annotations

from symcute import (
    Bijective,
    Claim,
    Compatible,
    Complement,
    Composition,
    Equal,
    Formula,
    InBounds,
    Injective,
    Layout,
    LeftInverse,
    RightInverse,
    blocked_product,
    coalesce,
    compact_major,
    complement,
    composition,
    divides,
    domain_distribute,
    eq,
    filter_,
    flat_divide,
    flat_product,
    flatten,
    group,
    layout_add,
    left_inverse,
    logical_divide,
    logical_product,
    make_layout,
    make_layout_like,
    make_ordered_layout,
    max_common_layout,
    nullspace,
    raked_product,
    right_inverse,
    size,
    theorem,
    tile_to_shape,
    tiled_divide,
    tiled_product,
    unflatten,
    zipped_divide,
    zipped_product,
)

ROWS = Layout.parse("(M,N):(N,1)")
PADDED = Layout.parse("(M,N):(LD,1)")
BATCHED = Layout.parse("(M,N,B):(N,1,M*N)")
TILED = Layout.parse("((4,M),(8,N)):((8,32*N),(1,32))")
VECTOR = Layout.parse("M*N:1")
BROADCAST = Layout.parse("(M,B,N):(N,0,1)")
GRID = Layout.parse("(K,L):(L,1)")
COLUMN_GRID = Layout.parse("(K,L):(1,K)")
MATRICES = Layout.parse("(M*N,B):(1,M*N)")
FOURTH_ROWS = Layout.parse("M/4:4")
COLUMNS = Layout.parse("(M,N):(1,M)")
PITCHED = Layout.parse("(M,N):(1,LD)")

HALVES = ["M % 4 == 0", "N % 8 == 0"]
REAL = ["M >= 2", "N >= 2"]


@theorem()
def contract_flatten_keeps_the_map() -> Claim:
    """Flattening a tiled layout keeps the offset at every index."""
    return Equal(flatten(TILED), TILED)


@theorem(given=REAL, expect="refuted")
def contract_flatten_neighbour() -> Claim:
    """Flattening a tiled layout gives the row-major layout of the same size."""
    return Equal(flatten(TILED), Layout.parse("(4*M,8*N):(8*N,1)"))


@theorem()
def contract_coalesce_tiled() -> Claim:
    """Coalescing a tiled layout keeps the offset at every index."""
    return Equal(coalesce(TILED), TILED)


@theorem()
def contract_coalesce_batched() -> Claim:
    """Coalescing a stack of column-major matrices keeps the offset at every index."""
    return Equal(coalesce(Layout.parse("(M,N,B):(1,M,M*N)")), Layout.parse("(M,N,B):(1,M,M*N)"))


@theorem()
def contract_coalesce_by_profile() -> Claim:
    """Coalescing the two modes of a tiled layout apart keeps the offset at every index."""
    return Equal(coalesce(TILED, (1, 1)), TILED)


@theorem(given=["LD >= M"], expect="refuted")
def contract_coalesce_neighbour() -> Claim:
    """A matrix whose columns lie LD apart coalesces to a vector."""
    return Equal(coalesce(PITCHED), VECTOR)


@theorem()
def contract_filter_size() -> Formula:
    """Filtering leaves out the broadcast mode and the unit mode: the size is M*N."""
    return eq(size(filter_(Layout.parse("(M,8,N,1):(N,0,1,7)"))), size(ROWS))


@theorem(expect="refuted")
def contract_filter_neighbour() -> Formula:
    """Filtering keeps the size of a layout with a broadcast mode."""
    return eq(size(filter_(Layout.parse("(M,8,N):(N,0,1)"))), size(Layout.parse("(M,8,N)")))


@theorem()
def contract_group_keeps_the_map() -> Claim:
    """Grouping the last two modes of a batch keeps the offset at every index."""
    return Equal(group(BATCHED, 1, 3), BATCHED)


@theorem(given=REAL, expect="refuted")
def contract_group_neighbour() -> Claim:
    """Grouping the last two modes of a batch gives the batch of transposed matrices."""
    return Equal(group(BATCHED, 1, 3), Layout.parse("(N,M,B):(1,N,M*N)"))


@theorem()
def contract_unflatten_keeps_the_map() -> Claim:
    """Giving a batch a hierarchy keeps the offset at every index."""
    return Equal(unflatten(BATCHED, ((0, 0), 0)), BATCHED)


@theorem(given=["N >= 2", "B >= 2"], expect="refuted")
def contract_unflatten_neighbour() -> Claim:
    """A hierarchy swaps the order in which a batch is walked."""
    return Equal(unflatten(BATCHED, (0, (0, 0))), Layout.parse("(M,(B,N)):(N,(M*N,1))"))


@theorem()
def contract_composition_transposes() -> Claim:
    """Composing row-major with the transposed index layout is one map after the other."""
    return Composition(
        composition(ROWS, Layout.parse("(N,M):(M,1)")), ROWS, Layout.parse("(N,M):(M,1)")
    )


@theorem(given=["M % 4 == 0"])
def contract_composition_takes_rows() -> Claim:
    """Every fourth row of a padded matrix is the padded matrix after that choice of rows."""
    return Composition(
        composition(PADDED, FOURTH_ROWS, given="M % 4 == 0"),
        PADDED,
        FOURTH_ROWS,
    )


@theorem()
def contract_composition_reshapes_a_vector() -> Claim:
    """A vector read as row-major matrix is the vector after the row-major layout."""
    return Composition(composition(VECTOR, ROWS), VECTOR, ROWS)


@theorem()
def contract_composition_of_a_batch() -> Claim:
    """The matrices of a batch, flattened, are the batch after the index layout."""
    return Composition(
        composition(BATCHED, MATRICES),
        BATCHED,
        MATRICES,
    )


@theorem()
def contract_composition_is_compatible() -> Claim:
    """The shape of the right operand is compatible with the composition."""
    return Compatible(Layout.parse("(M*N,B)"), composition(BATCHED, MATRICES))


@theorem(given=["LD > N", "M >= 2"], expect="refuted")
def contract_composition_neighbour() -> Claim:
    """Composition forgets the padding of its right operand."""
    return Composition(composition(VECTOR, ROWS), VECTOR, PADDED)


@theorem()
def contract_complement_of_a_column() -> Claim:
    """The complement of a column up to the matrix fills the matrix."""
    return Complement(complement(Layout.parse("M:N"), size(ROWS)), Layout.parse("M:N"), size(ROWS))


@theorem(given=["LD % N == 0"])
def contract_complement_of_a_padded_matrix() -> Claim:
    """The complement of a padded matrix fills the padding."""
    return Complement(
        complement(PADDED, size(Layout.parse("M*LD")), given="LD % N == 0"),
        PADDED,
        size(Layout.parse("M*LD")),
    )


@theorem()
def contract_complement_of_a_tile() -> Claim:
    """The complement of a vector of 8 with stride M is disjoint, ordered and covers."""
    return Complement(
        complement(Layout.parse("8:M"), size(Layout.parse("8*M*N"))),
        Layout.parse("8:M"),
        size(Layout.parse("8*M*N")),
    )


@theorem(given=REAL, expect="refuted")
def contract_complement_neighbour() -> Claim:
    """The complement of a column is as many columns, side by side from 0 on."""
    return Complement(Layout.parse("M:1"), Layout.parse("M:N"), size(ROWS))


@theorem()
def contract_right_inverse_of_rows() -> Claim:
    """The right inverse of row-major gives the index at every offset."""
    return RightInverse(right_inverse(ROWS), ROWS)


@theorem()
def contract_right_inverse_of_padded_rows() -> Claim:
    """The right inverse of padded rows finds the elements of the first row."""
    return RightInverse(right_inverse(PADDED), PADDED)


@theorem()
def contract_right_inverse_of_a_batch() -> Claim:
    """The right inverse of a batch gives the index at every offset."""
    return RightInverse(right_inverse(BATCHED), BATCHED)


@theorem()
def contract_right_inverse_of_tiles() -> Claim:
    """The right inverse of a tiled layout gives the index at every offset."""
    return RightInverse(right_inverse(TILED), TILED)


@theorem(given=REAL, expect="refuted")
def contract_right_inverse_neighbour() -> Claim:
    """Row-major is its own right inverse."""
    return RightInverse(ROWS, ROWS)


@theorem()
def contract_left_inverse_of_rows() -> Claim:
    """The left inverse of row-major takes every offset back to its index."""
    return LeftInverse(left_inverse(ROWS), ROWS)


@theorem(given=["LD >= N"])
def contract_left_inverse_of_padded_rows() -> Claim:
    """The left inverse of a padded matrix takes every offset back to its index."""
    return LeftInverse(left_inverse(PADDED, given="LD >= N"), PADDED)


@theorem()
def contract_left_inverse_of_tiles() -> Claim:
    """The left inverse of a tiled layout takes every offset back to its index."""
    return LeftInverse(left_inverse(TILED), TILED)


@theorem(given=["LD >= N", *REAL], expect="refuted")
def contract_left_inverse_neighbour() -> Claim:
    """Padding leaves the left inverse of row-major a left inverse."""
    return LeftInverse(left_inverse(ROWS), PADDED)


@theorem(given=HALVES)
def contract_logical_divide_is_its_definition() -> Claim:
    """Dividing M rows by 4 is the padded matrix after the tile and what it leaves out."""
    return Equal(
        logical_divide(VECTOR, 4, given="M % 4 == 0"),
        composition(
            VECTOR, make_layout(Layout(4), complement(Layout(4), size(VECTOR), given=HALVES))
        ),
    )


@theorem(given=HALVES)
def contract_logical_divide_by_mode() -> Claim:
    """Dividing a padded matrix by (4,8) keeps the offset at every index, mode by mode."""
    return Equal(logical_divide(PADDED, (4, 8), given=HALVES), PADDED)


@theorem(given=HALVES)
def contract_logical_divide_of_rows_is_onto() -> Claim:
    """A row-major matrix divided by (4,8) still takes every offset of it once."""
    return Bijective(logical_divide(ROWS, (4, 8), given=HALVES))


@theorem(given=HALVES, expect="refuted")
def contract_logical_divide_neighbour() -> Claim:
    """Tiles of 4 x 8 of a row-major matrix lie one behind the other."""
    return Equal(
        logical_divide(ROWS, (4, 8), given=HALVES),
        Layout.parse("((4,M/4),(8,N/8)):((8,8*N),(1,32))"),
    )


@theorem(given=HALVES)
def contract_zipped_divide_is_onto() -> Claim:
    """Gathering the tiles of a row-major matrix takes every offset of it once."""
    return Bijective(zipped_divide(ROWS, (4, 8), given=HALVES))


@theorem(given=HALVES)
def contract_zipped_divide_tile() -> Claim:
    """Mode 0 of the zipped divide of a padded matrix is its first tile."""
    return Equal(zipped_divide(PADDED, (4, 8), given=HALVES)[0], Layout.parse("(4,8):(LD,1)"))


@theorem(given=[*HALVES, "LD >= N"], expect="refuted")
def contract_zipped_divide_neighbour() -> Claim:
    """Gathering the tiles of a padded matrix keeps the offset at every index."""
    return Equal(zipped_divide(PADDED, (4, 8), given=HALVES), PADDED)


@theorem(given=HALVES)
def contract_tiled_divide_is_zipped_divide() -> Claim:
    """Opening the rests of a divide keeps the offset at every index."""
    return Equal(
        tiled_divide(PADDED, (4, 8), given=HALVES), zipped_divide(PADDED, (4, 8), given=HALVES)
    )


@theorem(given=HALVES, expect="refuted")
def contract_tiled_divide_neighbour() -> Claim:
    """Opening the rests of a divide gives back the logical divide."""
    return Equal(
        tiled_divide(ROWS, (4, 8), given=HALVES), logical_divide(ROWS, (4, 8), given=HALVES)
    )


@theorem(given=HALVES)
def contract_flat_divide_is_zipped_divide() -> Claim:
    """Opening tiles and rests of a divide keeps the offset at every index."""
    return Equal(
        flat_divide(PADDED, (4, 8), given=HALVES), zipped_divide(PADDED, (4, 8), given=HALVES)
    )


@theorem(given=HALVES, expect="refuted")
def contract_flat_divide_neighbour() -> Claim:
    """Opening tiles and rests of a divide gives back the matrix."""
    return Equal(flat_divide(ROWS, (4, 8), given=HALVES), ROWS)


@theorem()
def contract_logical_product_block() -> Claim:
    """Mode 0 of a product is the block."""
    return Equal(logical_product(ROWS, Layout.parse("K:1"))[0], ROWS)


@theorem()
def contract_logical_product_is_injective() -> Claim:
    """The copies of a row-major block in a product do not overlap."""
    return Injective(logical_product(ROWS, GRID))


@theorem()
def contract_logical_product_repetitions() -> Claim:
    """The repetitions are the complement of the block after the tiler."""
    return Composition(
        logical_product(ROWS, Layout.parse("K:1"))[1],
        complement(ROWS, size(Layout.parse("(M,N,K)"))),
        Layout.parse("K:1"),
    )


@theorem(given=[*REAL, "K >= 2"], expect="refuted")
def contract_logical_product_neighbour() -> Claim:
    """The copies of a block lie one element apart."""
    return Equal(logical_product(ROWS, Layout.parse("K:1")), Layout.parse("((M,N),K):((N,1),1)"))


@theorem()
def contract_zipped_product_is_logical_product() -> Claim:
    """Without a tuple tiler the zipped product is the logical product."""
    return Equal(
        zipped_product(VECTOR, GRID),
        logical_product(VECTOR, GRID),
    )


@theorem(given=["M >= 2", "N >= 2", "K >= 2", "L >= 2"], expect="refuted")
def contract_zipped_product_neighbour() -> Claim:
    """The zipped product repeats in column order, too."""
    return Equal(
        zipped_product(VECTOR, GRID),
        logical_product(ROWS, COLUMN_GRID),
    )


@theorem()
def contract_tiled_product_is_zipped_product() -> Claim:
    """Opening the repetitions of a product keeps the offset at every index."""
    return Equal(
        tiled_product(VECTOR, GRID),
        zipped_product(VECTOR, GRID),
    )


@theorem(given=["K >= 2", "L >= 2"], expect="refuted")
def contract_tiled_product_neighbour() -> Claim:
    """Opening the repetitions of a product makes it a vector."""
    return Equal(tiled_product(VECTOR, GRID), Layout.parse("M*N*K*L:1"))


@theorem()
def contract_flat_product_is_zipped_product() -> Claim:
    """Opening blocks and repetitions keeps the offset at every index."""
    return Equal(
        flat_product(ROWS, COLUMN_GRID),
        zipped_product(ROWS, COLUMN_GRID),
    )


@theorem(given=REAL, expect="refuted")
def contract_flat_product_neighbour() -> Claim:
    """Opening blocks and repetitions makes the product a vector."""
    return Equal(flat_product(ROWS, COLUMN_GRID), Layout.parse("M*N*K*L:1"))


@theorem()
def contract_blocked_product_is_onto() -> Claim:
    """Blocks side by side take every offset once."""
    return Bijective(blocked_product(ROWS, COLUMN_GRID))


@theorem()
def contract_blocked_product_size() -> Formula:
    """The size of a blocked product is the product of the sizes."""
    return eq(size(blocked_product(ROWS, COLUMN_GRID)), size(Layout.parse("(M,N,K,L)")))


@theorem(given=[*REAL, "K >= 2"], expect="refuted")
def contract_blocked_product_neighbour() -> Claim:
    """Blocks side by side are blocks interleaved."""
    return Equal(
        blocked_product(ROWS, COLUMN_GRID),
        raked_product(ROWS, COLUMN_GRID),
    )


@theorem()
def contract_raked_product_is_onto() -> Claim:
    """Blocks interleaved take every offset once."""
    return Bijective(raked_product(ROWS, COLUMN_GRID))


@theorem(given=[*REAL, "K >= 2"], expect="refuted")
def contract_raked_product_neighbour() -> Claim:
    """Blocks interleaved are a row-major matrix."""
    return Equal(raked_product(ROWS, COLUMN_GRID), Layout.parse("(K*M,L*N):(L*N,1)"))


@theorem()
def contract_layout_add_is_the_sum() -> Claim:
    """Row-major plus a column of stride K is the matrix with rows N+K apart."""
    return Equal(layout_add(ROWS, Layout.parse("(M,N):(K,0)")), Layout.parse("(M,N):(N+K,1)"))


@theorem(given=REAL, expect="refuted")
def contract_layout_add_neighbour() -> Claim:
    """Adding a vector to row-major changes nothing."""
    return Equal(layout_add(ROWS, VECTOR), ROWS)


@theorem()
def contract_nullspace_is_sent_to_0() -> Claim:
    """A layout with broadcast modes is 0 on its nullspace."""
    return Composition(Layout((size(nullspace(BROADCAST)),), (0,)), BROADCAST, nullspace(BROADCAST))


@theorem(given=["M >= 2", "B >= 2"], expect="refuted")
def contract_nullspace_neighbour() -> Claim:
    """A layout with broadcast modes is 0 on its first B indices."""
    return Composition(Layout.parse("B:0"), BROADCAST, Layout.parse("B:1"))


@theorem()
def contract_max_common_layout_is_common() -> tuple[Claim, ...]:
    """The run common to a matrix and its padded copy has the same offsets in both."""
    return (
        RightInverse(max_common_layout(COLUMNS, PITCHED), COLUMNS),
        RightInverse(max_common_layout(COLUMNS, PITCHED), PITCHED),
    )


@theorem(given=["LD > M", "N >= 2"], expect="refuted")
def contract_max_common_layout_neighbour() -> Claim:
    """The run that a matrix and its padded copy have in common is all of the matrix."""
    return RightInverse(right_inverse(COLUMNS), PITCHED)


@theorem(given=["M % 64 == 0"])
def contract_domain_distribute_divides() -> tuple[Claim | Formula, ...]:
    """64 coordinates taken from (M,N) divide 64 and lie in the shape."""
    return (
        divides(size(domain_distribute(Layout.parse("(M,N)"), 64, given="M % 64 == 0")), 64),
        InBounds(domain_distribute(Layout.parse("(M,N)"), 64, given="M % 64 == 0"), size(ROWS)),
    )


@theorem(given=["M % 64 == 0"], expect="refuted")
def contract_domain_distribute_neighbour() -> Claim:
    """64 coordinates taken from (M,N) lie in the first 32."""
    return InBounds(domain_distribute(Layout.parse("(M,N)"), 64, given="M % 64 == 0"), 32)


@theorem()
def contract_compact_major_is_onto() -> Claim:
    """Compact row-major strides take every offset once."""
    return Bijective(Layout(BATCHED.shape, compact_major(BATCHED.shape, "right")))


@theorem(given=REAL, expect="refuted")
def contract_compact_major_neighbour() -> Claim:
    """Compact row-major strides are compact column-major ones."""
    return Equal(
        Layout(BATCHED.shape, compact_major(BATCHED.shape, "right")), Layout(BATCHED.shape)
    )


@theorem()
def contract_make_ordered_layout_is_onto() -> Claim:
    """A compact layout in a given order takes every offset once."""
    return Bijective(make_ordered_layout(BATCHED.shape, (1, 2, 0)))


@theorem(given=[*REAL, "B >= 2"], expect="refuted")
def contract_make_ordered_layout_neighbour() -> Claim:
    """The order of the modes does not matter."""
    return Equal(make_ordered_layout(BATCHED.shape, (1, 2, 0)), Layout(BATCHED.shape))


@theorem()
def contract_make_layout_like_is_onto() -> Claim:
    """The compact layout like a padded batch takes every offset once."""
    return Bijective(make_layout_like(Layout.parse("(M,N,B):(N+8,1,M*N+64)")))


@theorem(given=["LD > N", "M >= 2"], expect="refuted")
def contract_make_layout_like_neighbour() -> Claim:
    """The layout like a padded matrix keeps the padding."""
    return Equal(make_layout_like(PADDED), PADDED)


@theorem(given=HALVES)
def contract_tile_to_shape_is_onto() -> Claim:
    """A row-major block repeated up to a shape takes every offset once."""
    return Bijective(tile_to_shape(Layout.parse("(4,8):(8,1)"), ROWS.shape, given=HALVES))


@theorem(given=HALVES, expect="refuted")
def contract_tile_to_shape_neighbour() -> Claim:
    """A row-major block repeated up to a shape is the row-major layout of the shape."""
    return Equal(tile_to_shape(Layout.parse("(4,8):(8,1)"), ROWS.shape, given=HALVES), ROWS)
