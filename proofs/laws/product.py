"""Laws of products: (A, complement(A, size(A)*cosize(B)) o B), A repeated in the arrangement of B.

Blocks are m x n, arrangements P x Q; `PADDED` is a block with a gap, `EVEN` one whose gap can be
filled.
"""

from __future__ import annotations

from symcute import (
    Bijective,
    Claim,
    Complement,
    Composition,
    Disjoint,
    Equal,
    Formula,
    InBounds,
    Injective,
    Layout,
    PrintsAs,
    blocked_product,
    complement,
    composition,
    cosize,
    dims,
    eq,
    flat_product,
    flatten,
    get,
    logical_product,
    make_layout,
    raked_product,
    rank,
    select,
    size,
    theorem,
    tile_to_shape,
    tile_unzip,
    tiled_product,
    zipped_divide,
    zipped_product,
)

DOC = "CuTe documentation, 02_layout_algebra, Product (Tiling)"
BLOCKED = "CuTe documentation, 02_layout_algebra, Blocked and Raked Products"
PAPER = "C. Cecka, CuTe Layout Representation and Algebra, arXiv:2603.02298: product"
TRACT = "Categorical Foundations for CuTe Layouts, arXiv:2601.05972: logical product"
HEADER = "cute/layout.hpp, tile_to_shape"

REAL = ["m >= 2", "n >= 2", "P >= 2", "Q >= 2"]
INSIDE = [
    *("0 <= i", "i < m", "0 <= j", "j < n"),
    *("0 <= p", "p < P", "0 <= q", "q < Q"),
]

VECTOR = Layout.parse("m:1")
COLUMNS = Layout.parse("(m,n):(1,m)")
ROWS = Layout.parse("(m,n):(n,1)")
EVEN = Layout.parse("(m,n):(n*K,1)")
GRID = Layout.parse("(P,Q):(Q,1)")


@theorem(source=DOC)
def product_of_vectors() -> tuple[Claim, Claim]:
    """m:1 times P:1 is (m,P):(1,m); m:d times P:1 fills the gaps between the elements first."""
    one, strided = Layout.parse("P:1"), Layout.parse("m:d")
    return (
        PrintsAs(logical_product(VECTOR, one), "(m,P):(1,m)"),
        Equal(
            logical_product(strided, Layout.parse("d*P:1")), Layout.parse("(m,(d,P)):(d,(1,m*d))")
        ),
    )


@theorem(given=[*REAL, "d >= 2"], expect="refuted")
def product_of_vectors_neighbour() -> Claim:
    """The copies of m:d begin where the one before ends, m*d apart."""
    return Equal(
        logical_product(Layout.parse("m:d"), Layout.parse("d*P:1")),
        Layout.parse("(m,d*P):(d,m*d)"),
    )


@theorem(source=DOC)
def product_of_a_compact_block_repeats_it() -> tuple[Claim, ...]:
    """P copies of a compact block of size s lie s apart, whatever the order of its modes."""
    P = dims("P")
    blocks = COLUMNS, ROWS, Layout.parse("(m,n,k):(n,1,m*n)"), Layout.parse("((m,n),k):((k,m*k),1)")
    return tuple(
        Equal(logical_product(a, Layout(P, 1)), make_layout(a, Layout(P, size(a)))) for a in blocks
    )


@theorem(source=TRACT)
def product_has_the_product_of_the_sizes() -> tuple[Formula, ...]:
    """size(A x B) is size(A) * size(B), for compact and for padded blocks."""
    return tuple(eq(size(logical_product(a, GRID)), size(a) * size(GRID)) for a in (ROWS, COLUMNS))


@theorem(source=DOC)
def product_has_rank_2() -> tuple[Formula, ...]:
    """A product is (block, repetitions), whatever the ranks of its factors."""
    blocks = VECTOR, ROWS, EVEN
    return tuple(eq(rank(logical_product(a, Layout.parse("P:1"))), 2) for a in blocks[:2])


@theorem(source=PAPER)
def product_of_compact_layouts_is_compact() -> tuple[Claim, ...]:
    """A compact block in a compact arrangement takes every offset once."""
    orders = Layout.parse("(P,Q):(1,P)"), GRID
    return tuple(Bijective(logical_product(a, b)) for a in (COLUMNS, ROWS) for b in orders)


@theorem(given="d >= 2", source=PAPER)
def product_in_a_padded_arrangement_is_injective() -> tuple[Claim, Formula]:
    """A compact block in an injective arrangement: no copy meets another, and cosizes multiply."""
    padded = Layout.parse("(P,Q):(Q+d,1)")
    product = logical_product(ROWS, padded)
    return Injective(product), eq(cosize(product), size(ROWS) * cosize(padded))


@theorem(given=[*REAL, "d >= 1"], expect="refuted")
def product_in_a_padded_arrangement_is_compact_neighbour() -> Claim:
    """A compact block in a padded arrangement takes every offset once."""
    return Bijective(logical_product(ROWS, Layout.parse("(P,Q):(Q+d,1)")))


@theorem(given=["P >= 2"], expect="refuted")
def product_in_a_broadcast_is_injective_neighbour() -> Claim:
    """A product is injective whatever its arrangement: here P copies in the same place."""
    return Injective(logical_product(ROWS, Layout.parse("P:0")))


@theorem(source=PAPER)
def product_of_a_block_with_gaps_is_injective() -> Claim:
    """An m x n block with a pitch of n*K, repeated in its own gaps and beyond, is injective."""
    return Injective(make_layout(EVEN, complement(EVEN, size(Layout.parse("m*n*K*P")))))


@theorem(source=DOC)
def product_copies_meet_the_block_only_in_0() -> Claim:
    """The repetitions of a row-major block are disjoint from the block, but for 0."""
    return Disjoint(ROWS, logical_product(ROWS, GRID)[1])


@theorem(given=REAL, expect="refuted")
def product_copies_meet_the_block_neighbour() -> Claim:
    """Repetitions as far apart as the block has rows are disjoint from it."""
    return Disjoint(ROWS, Layout.parse("P:m"))


@theorem(source=PAPER)
def product_by_a_vector_is_the_complement() -> tuple[Claim, Claim]:
    """The repetitions by P:1 of a compact block are a complement of it, up to P blocks."""
    P = dims("P")
    repetitions = logical_product(ROWS, Layout(P, 1))[1]
    whole = P * size(ROWS)
    return Complement(repetitions, ROWS, whole), Equal(repetitions, complement(ROWS, whole))


@theorem(source=TRACT)
def product_is_associative_up_to_grouping() -> Claim:
    """(A x B) x C is A x (B x C), regrouped: compact A, B, C."""
    a, b, c = COLUMNS, GRID, Layout.parse("k:1")
    one = logical_product(logical_product(a, b), c)
    other = logical_product(a, logical_product(b, c))
    return Equal(flatten(one), flatten(other))


@theorem(source=TRACT)
def product_of_vectors_is_commutative() -> Claim:
    """m:1 times P:1 and P:1 times m:1 are both the vector m*P:1."""
    a, b = Layout.parse("m:1"), Layout.parse("P:1")
    return Equal(logical_product(a, b), logical_product(b, a))


@theorem(given=REAL, expect="refuted")
def product_is_commutative_neighbour() -> Claim:
    """A x B is B x A: a row-major block repeated P times, and a vector of P in m rows of n."""
    a, b = ROWS, Layout.parse("P:1")
    return Equal(logical_product(a, b), logical_product(b, a))


@theorem(source=TRACT)
def product_with_its_parts_exchanged_is_still_compact() -> Claim:
    """(repetitions, block) takes every offset once, as (block, repetitions) does."""
    return Bijective(make_layout(*reversed(list(logical_product(ROWS, GRID)))))


@theorem(source=DOC)
def product_with_one_copy_is_the_block() -> tuple[Claim, Claim]:
    """One copy of a block is the block; a block of one element gives the arrangement."""
    return (
        Equal(logical_product(ROWS, Layout(1)), ROWS),
        Equal(logical_product(Layout(1), GRID), GRID),
    )


@theorem(source=DOC)
def product_by_mode_is_the_modes_multiplied() -> Claim:
    """A x <P,K> multiplies mode 0 by P and mode 1 by K."""
    m, P, Q = dims("m P Q")
    apart = make_layout(logical_product(COLUMNS[0], P), logical_product(COLUMNS[1], m * Q))
    return PrintsAs(logical_product(COLUMNS, (P, m * Q)), str(apart))


@theorem(source=DOC)
def products_are_one_map_in_three_groupings() -> tuple[Claim, ...]:
    """Zipped, tiled and flat product are one map, the zipped one the logical one unzipped."""
    tiler = Layout.parse("P:1"), Layout.parse("m*Q:1")
    zipped = zipped_product(COLUMNS, tiler)
    return (
        PrintsAs(zipped, str(tile_unzip(logical_product(COLUMNS, tiler), tiler))),
        Equal(tiled_product(COLUMNS, tiler), zipped),
        Equal(flat_product(COLUMNS, tiler), zipped),
    )


@theorem(given=REAL, expect="refuted")
def products_are_one_map_neighbour() -> Claim:
    """Logical and zipped product by a tuple are one map."""
    tiler = Layout.parse("P:1"), Layout.parse("m*Q:1")
    return Equal(logical_product(COLUMNS, tiler), zipped_product(COLUMNS, tiler))


@theorem(given=INSIDE, source=BLOCKED)
def blocked_product_at_a_coordinate() -> Formula:
    """Element (i,j) of block (p,q) has the offset of (i,j) in the block plus size(A) * B(p,q)."""
    i, j, p, q = dims("i j p q")
    blocked = blocked_product(ROWS, GRID)
    return eq(blocked((i, p), (j, q)), ROWS(i, j) + size(ROWS) * GRID(p, q))


@theorem(given=INSIDE, source=BLOCKED)
def raked_product_at_a_coordinate() -> Formula:
    """Element (i,j) of the copy (p,q), interleaved, has the same offset as in the blocked one."""
    i, j, p, q = dims("i j p q")
    raked, blocked = raked_product(ROWS, GRID), blocked_product(ROWS, GRID)
    return eq(raked((p, i), (q, j)), blocked((i, p), (j, q)))


@theorem(given=[*INSIDE, "P >= 2"], expect="refuted")
def raked_product_at_a_coordinate_neighbour() -> Formula:
    """Row i of the copy p is row i + m*p of the interleaved product."""
    i, p, m = dims("i p m")
    return eq(raked_product(ROWS, GRID)(i + m * p, 0), ROWS(i, 0) + size(ROWS) * GRID(p, 0))


@theorem(source=BLOCKED)
def raked_product_exchanges_the_parts_of_each_mode() -> tuple[Claim, ...]:
    """Mode k of the raked product is mode k of the blocked one, block and copy exchanged."""
    raked, blocked = raked_product(ROWS, GRID), blocked_product(ROWS, GRID)
    return tuple(PrintsAs(raked[k], str(select(blocked[k], 1, 0))) for k in range(2))


@theorem(source=BLOCKED)
def blocked_product_is_the_zip_of_the_product() -> tuple[Claim, ...]:
    """Mode k of the blocked product is (mode k of the block, mode k of the repetitions)."""
    product, blocked = logical_product(ROWS, GRID), blocked_product(ROWS, GRID)
    return tuple(
        Equal(blocked[k], make_layout(get(product, 0, k), get(product, 1, k))) for k in range(2)
    )


@theorem(source=BLOCKED)
def blocked_product_is_divided_into_its_blocks() -> tuple[Claim, Claim]:
    """The tiles of a blocked product, divided by the shape of the block, are the block."""
    m, n = dims("m n")
    tiles = zipped_divide(blocked_product(ROWS, GRID), (m, n))
    return Equal(tiles[0], ROWS), Equal(tiles[1], composition(Layout.parse("P*Q:m*n"), GRID))


@theorem(given=[*INSIDE, "P >= 2", "m >= 2"], expect="refuted")
def raked_product_begins_with_its_block_neighbour() -> Formula:
    """The first m x n elements of an interleaved product are the block."""
    i, j = dims("i j")
    return eq(raked_product(ROWS, GRID)(i, j), ROWS(i, j))


@theorem(source=BLOCKED)
def blocked_and_raked_products_are_compact() -> tuple[Claim, ...]:
    """Compact blocks side by side or interleaved, in either order, take every offset once."""
    orders = Layout.parse("(P,Q):(1,P)"), GRID
    products = blocked_product, raked_product
    return tuple(Bijective(f(a, b)) for f in products for a in (COLUMNS, ROWS) for b in orders)


@theorem(given=["M % m == 0", "N % n == 0"], source=HEADER)
def tile_to_shape_takes_every_offset_once() -> tuple[Claim, ...]:
    """A compact m x n block tiled up to M x N is compact, whatever the order of the repetitions."""
    M, N = dims("M N")
    blocks = (ROWS, COLUMNS)
    orders = (None, (0, 1), (1, 0))
    return tuple(Bijective(tile_to_shape(a, (M, N), order)) for a in blocks for order in orders)


@theorem(given=["M % m == 0", "N % n == 0"], source=HEADER)
def tile_to_shape_has_the_shape() -> tuple[Formula, ...]:
    """Mode k of a block tiled up to M x N has M and N elements."""
    M, N = dims("M N")
    tiled = tile_to_shape(ROWS, (M, N))
    return eq(size(tiled[0]), M), eq(size(tiled[1]), N)


@theorem(given=["M % m == 0", "N % n == 0"], source=HEADER)
def tile_to_shape_is_a_blocked_product() -> Claim:
    """Tiled up to M x N is the blocked product with the (M/m) x (N/n) arrangement."""
    M, N, m, n = dims("M N m n")
    return Equal(tile_to_shape(ROWS, (M, N)), blocked_product(ROWS, Layout((M / m, N / n))))


@theorem(given=["M % m == 0", "N % n == 0", "M > m", "N > n"], expect="refuted")
def tile_to_shape_order_neighbour() -> Claim:
    """The order in which a block is repeated does not matter."""
    M, N = dims("M N")
    return Equal(tile_to_shape(ROWS, (M, N), (1, 0)), tile_to_shape(ROWS, (M, N)))


@theorem(given=["M % m == 0", "N % n == 0"], source=HEADER)
def tile_to_shape_first_tile_is_the_block() -> tuple[Claim, Claim]:
    """Divided by the shape of the block, the first tile is the block, in the first m*n offsets."""
    M, N, m, n = dims("M N m n")
    first = zipped_divide(tile_to_shape(ROWS, (M, N)), (m, n))[0]
    return Equal(first, ROWS), InBounds(first, m * n)


@theorem(source=PAPER)
def product_repetitions_are_a_composition() -> Claim:
    """Where the block is compact, its repetitions are n:size(A) after the arrangement."""
    scale = Layout.parse("P*Q:m*n")
    return Composition(logical_product(ROWS, GRID)[1], scale, GRID)
