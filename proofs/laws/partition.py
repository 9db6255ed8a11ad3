"""Laws of partitions: what divides and products visit, and the order in which they do.

A partition of [0,M) takes every element exactly once; offsets of M or more are those that the guard
of the tail cuts off.
"""

from __future__ import annotations

from symcute import (
    Aligned,
    Apart,
    Claim,
    Compact,
    Covers,
    InBounds,
    Increasing,
    Injective,
    Layout,
    Monotone,
    Partition,
    Refines,
    blocked_product,
    coalesce,
    complement,
    composition,
    cosize,
    dims,
    flat_divide,
    guarded_divide,
    logical_divide,
    logical_product,
    make_layout,
    raked_product,
    right_inverse,
    size,
    theorem,
    tile_to_shape,
    tiled_divide,
    zipped_divide,
)

DIVIDE = "CuTe documentation, 02_layout_algebra, Division (Tiling)"
PRODUCT = "CuTe documentation, 02_layout_algebra, Product (Tiling)"
COMPLEMENT = "CuTe documentation, 02_layout_algebra, Complement"
GUARD = "CUTLASS, CuTe kernels: predication of the residue tile"
PAPER = "C. Cecka, CuTe Layout Representation and Algebra, arXiv:2603.02298"

TILED = ["M % m == 0", "N % n == 0"]
REAL = ["S >= 2", "T >= 2", "D >= 2", "E >= 2"]

ROWS = Layout.parse("(M,N):(N,1)")
BLOCK = Layout.parse("(m,n):(n,1)")
GRID = Layout.parse("(P,Q):(Q,1)")


@theorem(given="M % m == 0", source=DIVIDE)
def divide_of_a_vector_is_a_partition() -> Claim:
    """The tiles of a vector visit every element exactly once."""
    return Partition(logical_divide(Layout.parse("M:1"), dims("m")), dims("M"))


@theorem(given=TILED, source=DIVIDE)
def divides_of_a_matrix_are_partitions() -> tuple[Claim, ...]:
    """Zipped, tiled and flat divides of a row-major matrix visit every element exactly once."""
    tiler = dims("m n")
    divides = zipped_divide, tiled_divide, flat_divide
    return tuple(Partition(f(ROWS, tiler), size(ROWS)) for f in divides)


@theorem(given=[*TILED, "M > m"], expect="refuted")
def divides_of_a_matrix_are_partitions_neighbour() -> Claim:
    """The first column of tiles of a row-major matrix visits every element."""
    m, N = dims("m N")
    return Partition(composition(ROWS, (m, N)), size(ROWS))


@theorem(source=GUARD)
def guarded_divide_is_a_partition() -> Claim:
    """Tiles of m, rounded up, visit every element of a vector of any size exactly once."""
    return Partition(guarded_divide(Layout.parse("M:1"), dims("m")).layout, dims("M"))


@theorem(expect="refuted")
def guarded_divide_is_a_partition_neighbour() -> Claim:
    """Tiles of m, rounded up, visit every element of a vector with one element more."""
    return Partition(guarded_divide(Layout.parse("M:1"), dims("m")).layout, dims("M") + 1)


@theorem(source=GUARD)
def guarded_divides_by_mode_are_a_partition() -> Claim:
    """Rows cut into tiles of m, columns into tiles of n, rounded up: each element once."""
    M, N, m, n = dims("M N m n")
    rows, columns = (guarded_divide(Layout(e, 1), t).layout for e, t in ((M, m), (N, n)))
    return Partition((rows, columns), (M, N))


@theorem(expect="refuted")
def guarded_divides_by_mode_are_a_partition_neighbour() -> Claim:
    """The same with both modes cut into tiles of m, and the columns counted in tiles of n."""
    M, N, m, n = dims("M N m n")
    rows = guarded_divide(Layout(M, 1), m).layout
    columns = Layout((n, size(guarded_divide(Layout(N, 1), n).layout[1])), (1, m))
    return Partition((rows, columns), (M, N))


@theorem(given="LD >= N", source=GUARD)
def guarded_rows_of_a_padded_matrix() -> tuple[Claim, Claim]:
    """Rows in tiles of 128, rounded up: inside the guard no element twice, and none outside.

    Of a padded M x N matrix with the pitch LD, which has (M-1)*LD + N elements.
    """
    M = dims("M")
    matrix = Layout.parse("(M,N):(LD,1)")
    tiles = guarded_divide(matrix, (128,)).layout
    rows = Layout(tiles.shape, ((1, 128), 0))
    return (
        Injective(tiles, where=((rows, M),)),
        InBounds(tiles, cosize(matrix), where=((rows, M),)),
    )


@theorem(given="LD >= N", expect="refuted")
def guarded_rows_without_their_guard_neighbour() -> Claim:
    """The same without the guard: the last tile stays inside the matrix."""
    matrix = Layout.parse("(M,N):(LD,1)")
    return InBounds(guarded_divide(matrix, (128,)).layout, cosize(matrix))


@theorem(source=PRODUCT)
def products_of_compact_layouts_are_partitions() -> tuple[Claim, ...]:
    """Blocks behind each other, side by side and interleaved visit every element exactly once."""
    products = logical_product, blocked_product, raked_product
    return tuple(Partition(f(BLOCK, GRID), size(BLOCK) * size(GRID)) for f in products)


@theorem(given=["K >= 1", "P >= 2"], expect="refuted")
def products_in_a_padded_arrangement_cover_neighbour() -> Claim:
    """A compact block in a padded arrangement covers all up to its cosize."""
    product = logical_product(BLOCK, Layout.parse("(P,Q):(Q+K,1)"))
    return Covers(product, cosize(product))


@theorem(given=TILED, source="cute/layout.hpp, tile_to_shape")
def tile_to_shape_is_a_partition() -> Claim:
    """A row-major block tiled up to M x N visits every element exactly once."""
    return Partition(tile_to_shape(BLOCK, dims("M N")), size(ROWS))


@theorem(given=REAL, source=COMPLEMENT)
def complement_is_increasing() -> tuple[Claim, ...]:
    """A complement's offsets grow from each index to the next, also beyond the cotarget."""
    M = dims("M")
    layouts = "S:D", "(S,T):(D,S*D*E)", "(T,S):(S*D*E,D)"
    return tuple(Increasing(complement(Layout.parse(x), M)) for x in layouts)


@theorem(given=REAL, expect="refuted")
def complement_is_increasing_neighbour() -> Claim:
    """A layout with a complement is increasing: here its modes are not in order."""
    return Increasing(Layout.parse("(T,S):(S*D*E,D)"))


@theorem(given=REAL, source=COMPLEMENT)
def complement_is_a_partition_with_the_layout() -> tuple[Claim, ...]:
    """A layout and its complement together visit every element below M, a multiple, once."""
    S, T, D, E, M = dims("S T D E M")
    one, two = Layout(S, D), Layout((S, T), (D, S * D * E))
    periods = S * D * M, T * S * D * E * M
    return tuple(
        Partition(make_layout(a, complement(a, p)), p)
        for a, p in zip((one, two), periods, strict=True)
    )


@theorem(given=REAL, source=COMPLEMENT)
def complement_covers_whatever_the_cotarget() -> Claim:
    """Together with its complement rounded up a layout covers every M, multiple or not."""
    M = dims("M")
    one = Layout.parse("S:D")
    return Covers(make_layout(one, complement(one, M)), M)


@theorem(given=REAL, expect="refuted")
def complement_covers_neighbour() -> Claim:
    """The complement alone covers M."""
    M = dims("M")
    return Covers(complement(Layout.parse("S:D"), M), M)


@theorem(source=PAPER)
def compact_layouts_are_compact_in_any_order() -> tuple[Claim, ...]:
    """A compact layout, its inverse, its flattened and its coalesced form are compact."""
    layout = Layout.parse("((M,N),K):((K,M*K),1)")
    return Compact(layout), Compact(right_inverse(layout)), Compact(coalesce(layout))


@theorem(source=PAPER)
def broadcasts_of_compact_layouts_are_compact() -> Claim:
    """Modes of stride 0 do not count: a broadcast row-major matrix has no gap and no double."""
    return Compact(Layout.parse("(M,K,N):(N,0,1)"))


@theorem(given=["M >= 2", "K >= 1"], expect="refuted")
def padded_layouts_are_compact_neighbour() -> Claim:
    """A padded matrix has no gap."""
    return Compact(Layout.parse("(M,N):(N+K,1)"))


@theorem(source=PAPER)
def column_major_layouts_are_increasing() -> tuple[Claim, ...]:
    """Column-major layouts grow from each index to the next, padded or not, in any rank."""
    return (
        Increasing(Layout.parse("(M,N):(1,M+K)")),
        Increasing(Layout.parse("(M,N,K):(1,M,M*N)")),
        Increasing(Layout.parse("((M,N),K):((1,M),M*N+L)")),
    )


@theorem(given=["M >= 2", "N >= 2"], expect="refuted")
def row_major_layouts_are_increasing_neighbour() -> Claim:
    """Row-major layouts grow from each index to the next."""
    return Increasing(ROWS)


@theorem(source=PAPER)
def broadcasts_are_monotone() -> tuple[Claim, Claim]:
    """A vector repeated element by element never falls, and neither does a constant."""
    return Monotone(Layout.parse("(K,M):(0,D)")), Monotone(Layout.parse("M:0"))


@theorem(given=["M >= 2", "K >= 2"], expect="refuted")
def broadcasts_are_monotone_neighbour() -> Claim:
    """A vector repeated as a whole never falls."""
    return Monotone(Layout.parse("(M,K):(D,0)"))


@theorem(given=TILED, source=DIVIDE)
def divides_refine_what_they_divide() -> Claim:
    """A matrix divided by mode refines the matrix: its coordinates are still coordinates."""
    return Refines(logical_divide(ROWS, dims("m n")), ROWS)


@theorem(given=["m >= 2", "M > m", "M % m == 0"], expect="refuted")
def divides_refine_what_they_divide_neighbour() -> Claim:
    """A zipped divide refines the matrix."""
    m = dims("m")
    return Refines(zipped_divide(Layout.parse("(M,M):(M,1)"), (m, m)), Layout.parse("(M,M):(M,1)"))


@theorem(source=PAPER)
def copies_of_a_block_do_not_touch() -> Claim:
    """A row-major block and its copy behind it have no offset in common."""
    return Apart(BLOCK, BLOCK, size(BLOCK))


@theorem(given=["m >= 2"], expect="refuted")
def copies_of_a_block_do_not_touch_neighbour() -> Claim:
    """A row-major block and its copy one row further have no offset in common."""
    return Apart(BLOCK, BLOCK, dims("n"))


@theorem(given=TILED, source=DIVIDE)
def neighbouring_tiles_do_not_touch() -> Claim:
    """A tile of a row-major matrix and the tile below it have no offset in common."""
    m, n, N = dims("m n N")
    tile = zipped_divide(ROWS, (m, n))[0]
    return Apart(tile, tile, m * N)


@theorem(given=[*TILED, "m >= 2"], expect="refuted")
def neighbouring_tiles_do_not_touch_neighbour() -> Claim:
    """A tile of a row-major matrix and itself one row further have no offset in common."""
    m, n, N = dims("m n N")
    tile = zipped_divide(ROWS, (m, n))[0]
    return Apart(tile, tile, N)


@theorem(source="CUTLASS, vectorised copies")
def rows_of_vectors_are_aligned() -> tuple[Claim, Claim]:
    """The first elements of vectors of 8 are aligned when pitch and batch are multiples of 8."""
    return (
        Aligned(Layout.parse("(M,N):(8*LD,8)"), 8),
        Aligned(composition(Layout.parse("(M,8*N):(8*LD,1)"), Layout.parse("(M,N):(1,8*M)")), 8),
    )


@theorem(expect="refuted")
def rows_of_vectors_are_aligned_neighbour() -> Claim:
    """The same for a pitch that need not be a multiple of 8."""
    return Aligned(Layout.parse("(M,N):(LD,8)"), 8)


@theorem(given="D % n == 0", source=PAPER)
def composition_keeps_alignment() -> tuple[Claim, Claim]:
    """Every read of an aligned vector is aligned: A o B has multiples of A's strides."""
    a, b = Layout.parse("M:D"), Layout.parse("(P,Q):(E,F)")
    return Aligned(a, dims("n")), Aligned(composition(a, b), dims("n"))


@theorem(given="E % n == 0", expect="refuted")
def composition_keeps_alignment_neighbour() -> Claim:
    """A read at aligned indices of any matrix is aligned."""
    return Aligned(composition(Layout.parse("M:D"), Layout.parse("(P,2):(E,1)")), dims("n"))
