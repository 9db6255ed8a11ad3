"""The post-conditions of divides and products as claims about symbolic layouts, with neighbours.

As in `contracts.py`: the docstring of an operation holds the condition.
"""

from __future__ import annotations

from symcute import (
    Bijective,
    Claim,
    Composition,
    Equal,
    Formula,
    InBounds,
    Injective,
    Layout,
    blocked_product,
    complement,
    composition,
    divides,
    domain_distribute,
    eq,
    flat_divide,
    flat_product,
    logical_divide,
    logical_product,
    make_layout,
    raked_product,
    size,
    theorem,
    tile_to_shape,
    tiled_divide,
    tiled_product,
    zipped_divide,
    zipped_product,
)

ROWS = Layout.parse("(M,N):(N,1)")
PADDED = Layout.parse("(M,N):(LD,1)")
VECTOR = Layout.parse("M*N:1")
GRID = Layout.parse("(K,L):(L,1)")
COLUMN_GRID = Layout.parse("(K,L):(1,K)")

HALVES = ["M % 4 == 0", "N % 8 == 0"]
REAL = ["M >= 2", "N >= 2"]


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


@theorem(given=["M % 64 == 0"])
def contract_domain_distribute_divides() -> tuple[Claim | Formula, ...]:
    """64 coordinates taken from (M,N) divide 64 and lie in the shape."""
    return (
        divides(size(domain_distribute(Layout.parse("(M,N)"), 64, given="M % 64 == 0")), 64),
        InBounds(domain_distribute(Layout.parse("(M,N)"), 64, given="M % 64 == 0"), size(ROWS)),
    )


@theorem(given=HALVES)
def contract_tile_to_shape_is_onto() -> Claim:
    """A row-major block repeated up to a shape takes every offset once."""
    return Bijective(tile_to_shape(Layout.parse("(4,8):(8,1)"), ROWS.shape, given=HALVES))


@theorem(given=HALVES, expect="refuted")
def contract_tile_to_shape_neighbour() -> Claim:
    """A row-major block repeated up to a shape is the row-major layout of the shape."""
    return Equal(tile_to_shape(Layout.parse("(4,8):(8,1)"), ROWS.shape, given=HALVES), ROWS)
