"""Laws of division: A o (T, complement(T, size(A))), its regroupings, and what undoes it.

Tiles m, n and k divide the extents they tile; strides are arbitrary. `proofs/notes` show that a
divide is its definition and a rearrangement; here is how divides relate to one another, to
composition and to the coordinates of a kernel.
"""

from __future__ import annotations

from symcute import (
    Bijective,
    Claim,
    Complement,
    Composition,
    Equal,
    Formula,
    InBounds,
    Injective,
    Layout,
    PrintsAs,
    all_of,
    complement,
    composition,
    dims,
    eq,
    flat_divide,
    get,
    guarded_divide,
    implies,
    le,
    logical_divide,
    logical_product,
    lt,
    make_layout,
    rank,
    size,
    theorem,
    tile_unzip,
    tiled_divide,
    zipped_divide,
)

DOC = "CuTe documentation, 02_layout_algebra, Division (Tiling)"
ZIPPED = "CuTe documentation, 02_layout_algebra, Zipped, Tiled, Flat Divides"
SHAH = "J. Shah, A note on the algebra of CuTe layouts: logical division"
PAPER = "C. Cecka, CuTe Layout Representation and Algebra, arXiv:2603.02298: division"
GUARD = "CUTLASS, CuTe kernels: predication of the residue tile"

TILED = ["M % m == 0", "N % n == 0"]
SMALL = ["m >= 2", "n >= 2", "M > m", "N > n"]
INSIDE = [
    *("0 <= i", "i < m", "0 <= j", "j < n"),
    *("0 <= p", "p < M/m", "0 <= q", "q < N/n"),
]

VECTOR = Layout.parse("M:D")
MATRIX = Layout.parse("(M,N):(D,E)")
BATCH = Layout.parse("(M,N,B):(D,E,F)")


def tile() -> tuple[object, object]:
    """Return the tiler <m,n>."""
    m, n = dims("m n")
    return m, n


@theorem(given="M % m == 0", source=DOC)
def divide_of_a_vector() -> Claim:
    """A vector divided by m is (m, M/m):(D, m*D)."""
    return PrintsAs(logical_divide(VECTOR, dims("m")), "(m,M/m):(D,D*m)")


@theorem(source=DOC)
def divide_of_a_vector_by_a_strided_tile() -> Claim:
    """A vector divided by a strided tile s:t is the tile, what lies between, and what follows."""
    return Equal(
        logical_divide(Layout.parse("s*t*K:D"), Layout.parse("s:t")),
        Layout.parse("(s,(t,K)):(t*D,(D,s*t*D))"),
    )


@theorem(given="K >= 2", expect="refuted")
def divide_of_a_vector_by_a_strided_tile_neighbour() -> Claim:
    """What a strided tile s:t leaves of a vector begins with what follows the tile."""
    return Equal(
        logical_divide(Layout.parse("s*t*K:D"), Layout.parse("s:t")),
        Layout.parse("(s,(K,t)):(t*D,(s*t*D,D))"),
    )


@theorem(given="M % m == 0", source=DOC)
def divide_by_every_mth_is_a_transposition() -> Claim:
    """Dividing by M/m elements m apart gives the matrix of the plain divide, transposed."""
    M, m = dims("M m")
    plain = logical_divide(VECTOR, m)
    strided = logical_divide(VECTOR, Layout(M / m, m))
    return Equal(strided, make_layout(plain[1], plain[0]))


@theorem(given=TILED, source=DOC)
def divide_has_the_tile_first() -> tuple[Claim, ...]:
    """Mode 0 of a divide is A after the tile."""
    tiler = Layout.parse("(m,n):(1,M)")
    divided = logical_divide(MATRIX, tiler)
    return Equal(divided[0], composition(MATRIX, tiler)), Composition(divided[0], MATRIX, tiler)


@theorem(given=TILED, source=DOC)
def divide_has_the_rest_second() -> Claim:
    """Mode 1 of a divide is A after the complement of the tile."""
    tiler = Layout.parse("(m,n):(1,M)")
    rest = complement(tiler, size(MATRIX))
    return Composition(logical_divide(MATRIX, tiler)[1], MATRIX, rest)


@theorem(given=TILED, source=DOC)
def divide_by_mode_is_the_modes_divided() -> Claim:
    """Dividing by <m,n> divides mode 0 by m and mode 1 by n."""
    m, n = tile()
    apart = make_layout(logical_divide(MATRIX[0], m), logical_divide(MATRIX[1], n))
    return PrintsAs(logical_divide(MATRIX, (m, n)), str(apart))


@theorem(given=TILED, source=DOC)
def divide_by_mode_is_one_divide() -> Claim:
    """The zipped divide by <m,n> is the divide by the layout (m,n):(1,M)."""
    return Equal(zipped_divide(MATRIX, tile()), logical_divide(MATRIX, Layout.parse("(m,n):(1,M)")))


@theorem(given=[*TILED, *SMALL], expect="refuted")
def divide_by_mode_is_one_divide_neighbour() -> Claim:
    """The zipped divide by <m,n> is the divide by m*n consecutive elements, of a compact matrix."""
    m, n = dims("m n")
    compact = Layout.parse("(M,N):(1,M)")
    return Equal(zipped_divide(compact, (m, n)), logical_divide(compact, m * n))


@theorem(given=TILED, source=ZIPPED)
def zipped_divide_is_logical_divide_unzipped() -> Claim:
    """A zipped divide prints as the logical divide with tiles and rests gathered."""
    tiler = tile()
    gathered = tile_unzip(logical_divide(BATCH, tiler), tiler)
    return PrintsAs(zipped_divide(BATCH, tiler), str(gathered))


@theorem(given=TILED, source=ZIPPED)
def divides_are_one_map_in_four_groupings() -> tuple[Claim, ...]:
    """Zipped, tiled and flat divide are one map; the modes beyond the tiler go last."""
    tiler = tile()
    zipped = zipped_divide(BATCH, tiler)
    return (
        Equal(tiled_divide(BATCH, tiler), zipped),
        Equal(flat_divide(BATCH, tiler), zipped),
        Equal(zipped[1], Layout.parse("(M/m,N/n,B):(D*m,E*n,F)")),
    )


@theorem(given=TILED, source=ZIPPED)
def divides_have_their_ranks() -> tuple[Formula, ...]:
    """Of a batch by <m,n>: logical 3, zipped 2, tiled 1+3, flat 2+3 modes."""
    tiler = tile()
    return (
        eq(rank(logical_divide(BATCH, tiler)), 3),
        eq(rank(zipped_divide(BATCH, tiler)), 2),
        eq(rank(tiled_divide(BATCH, tiler)), 4),
        eq(rank(flat_divide(BATCH, tiler)), 5),
    )


@theorem(given=[*TILED, *SMALL, "E > M*D"], expect="refuted")
def divides_are_one_map_neighbour() -> Claim:
    """Logical and zipped divide are one map."""
    return Equal(logical_divide(MATRIX, tile()), zipped_divide(MATRIX, tile()))


@theorem(given=TILED, source=DOC)
def divide_by_mode_keeps_the_map() -> tuple[Claim, Claim]:
    """A logical divide by mode keeps the offset at every index; so does dividing one mode only."""
    m, n = tile()
    return (
        Equal(logical_divide(BATCH, (m, n)), BATCH),
        Equal(logical_divide(BATCH, (None, n)), BATCH),
    )


@theorem(given="M % m == 0", source=DOC)
def divide_by_consecutive_elements_keeps_the_map() -> Claim:
    """A divide by m consecutive elements keeps the offset at every index."""
    return Equal(logical_divide(MATRIX, dims("m")), MATRIX)


@theorem(given=[*TILED, *INSIDE], source=ZIPPED)
def zipped_divide_at_a_coordinate() -> Formula:
    """Element (i,j) of tile (p,q) is element (i + m*p, j + n*q) of the matrix."""
    i, j, p, q, m, n = dims("i j p q m n")
    return eq(zipped_divide(MATRIX, (m, n))((i, j), (p, q)), MATRIX(i + m * p, j + n * q))


@theorem(given=[*TILED, *INSIDE, "M > m"], expect="refuted")
def zipped_divide_at_a_coordinate_neighbour() -> Formula:
    """Element (i,j) of tile (p,q) is element (i*(M/m) + p, j + n*q) of the matrix."""
    i, j, p, q, M, m, n = dims("i j p q M m n")
    return eq(zipped_divide(MATRIX, (m, n))((i, j), (p, q)), MATRIX(i * (M / m) + p, j + n * q))


@theorem(given=TILED, source=ZIPPED)
def zipped_divide_tiles_are_all_alike() -> Formula:
    """Each tile is the first one, moved by the offset of the tile."""
    i, j, p, q = dims("i j p q")
    tiles = zipped_divide(MATRIX, tile())
    return eq(tiles((i, j), (p, q)), tiles((i, j), (0, 0)) + tiles((0, 0), (p, q)))


@theorem(given=TILED, source=PAPER)
def zipped_divide_tiles_do_not_meet() -> tuple[Claim, ...]:
    """The tiles of a row-major matrix take its offsets once; the rest is the tile's complement."""
    rows = Layout.parse("(M,N):(N,1)")
    tiles = zipped_divide(rows, tile())
    return (
        Bijective(tiles),
        Injective(tiles[0]),
        Injective(tiles[1]),
        Complement(complement(tiles[0], size(rows)), tiles[0], size(rows)),
    )


@theorem(given=[*TILED, *SMALL], expect="refuted")
def zipped_divide_tiles_are_contiguous_neighbour() -> Claim:
    """A tile of a row-major matrix lies in the first m*n offsets."""
    m, n = dims("m n")
    return InBounds(zipped_divide(Layout.parse("(M,N):(N,1)"), (m, n))[0], m * n)


@theorem(given="M % (m*K) == 0", source=PAPER)
def divide_twice_is_two_levels_of_tiles() -> Claim:
    """Tiles of m*K, each divided by m, are tiles of m, gathered K at a time."""
    m, K = dims("m K")
    blocks = logical_divide(VECTOR, m * K)
    return Equal(
        make_layout(logical_divide(blocks[0], m), blocks[1]),
        Layout.parse("((m,K),M/(m*K)):((D,m*D),m*K*D)"),
    )


@theorem(source=PAPER)
def divide_on_two_levels_is_a_finer_divide() -> Claim:
    """Dividing by m*K and then by m is dividing by m and then the tiles by K."""
    m, K = dims("m K")
    vector = Layout.parse("m*K*L:D")
    coarse = logical_divide(vector, m * K)
    fine = logical_divide(vector, m)
    return Equal(
        make_layout(logical_divide(coarse[0], m), coarse[1]),
        make_layout(fine[0], logical_divide(fine[1], K)),
    )


@theorem(given=["K >= 2", "m >= 2", "L >= 2"], expect="refuted")
def divide_on_two_levels_neighbour() -> Claim:
    """Dividing by m*K and then by m has the same tiles of tiles as dividing by K, then by m."""
    m, K = dims("m K")
    vector = Layout.parse("m*K*L:D")
    one = logical_divide(logical_divide(vector, m * K)[0], m)
    other = logical_divide(logical_divide(vector, m)[1], K)
    return Equal(one, other)


@theorem(source=DOC)
def divide_by_everything_is_one_tile() -> tuple[Claim, Claim]:
    """Dividing by all indices gives one tile, the layout; dividing by 1 gives tiles of one."""
    M = dims("M")
    return (
        Equal(logical_divide(VECTOR, M), Layout.parse("(M,1):(D,0)")),
        Equal(logical_divide(VECTOR, 1), Layout.parse("(1,M):(0,D)")),
    )


@theorem(source=PAPER)
def divide_undoes_a_product() -> Claim:
    """A product divided by the indices of its block is the product: block and repetitions."""
    block = Layout.parse("(M,N):(N,1)")
    repeated = logical_product(block, Layout.parse("K:1"))
    return Equal(logical_divide(repeated, size(block)), repeated)


@theorem(source=PAPER)
def divide_undoes_a_product_in_mode_0() -> Claim:
    """The tile of a product divided by the size of its block is the block."""
    block = Layout.parse("(M,N):(N,1)")
    repeated = logical_product(block, Layout.parse("(K,L):(L,1)"))
    return Equal(logical_divide(repeated, size(block))[0], block)


@theorem(given="M % m == 0", source=SHAH)
def divide_has_the_size_of_the_layout() -> tuple[Formula, Formula]:
    """size(A / T) is size(A), and the number of tiles is size(A) / size(T)."""
    M, N, m = dims("M N m")
    divided = logical_divide(MATRIX, m)
    return eq(size(divided), M * N), eq(size(divided[1]) * m, M * N)


@theorem(given="m >= 2", expect="refuted")
def divide_has_the_size_neighbour() -> Formula:
    """size(T) * (number of tiles) is the size of A where tiles are rounded up, for every m."""
    return eq(size(guarded_divide(VECTOR, dims("m")).layout), dims("M"))


@theorem(source=GUARD)
def guarded_divide_covers_the_layout() -> tuple[Formula, Formula]:
    """Rounded up, tiles of m cover a vector of any size M, the last one by at least an element."""
    M, m = dims("M m")
    covered = size(guarded_divide(VECTOR, m).layout)
    return le(M, covered), lt(covered, M + m)


@theorem(expect="refuted")
def guarded_divide_covers_the_layout_neighbour() -> Formula:
    """Rounded up, tiles of m exceed a vector by less than m - 1 elements."""
    M, m = dims("M m")
    return lt(size(guarded_divide(VECTOR, m).layout), M + m - 1)


@theorem(given=["0 <= i", "i < m", "0 <= p"], source=GUARD)
def guarded_divide_is_the_layout_where_the_guard_holds() -> Formula:
    """Where the guard holds, element i of tile p is element i + m*p, and lies inside."""
    i, p, M, m = dims("i p M m")
    guarded = guarded_divide(VECTOR, m)
    same = eq(guarded.layout(i, p), VECTOR(i + m * p))
    return implies(guarded.guard.formula((i, p)), all_of(same, lt(i + m * p, M)))


@theorem(given=["0 <= i", "i < m", "0 <= p"], expect="refuted")
def guarded_divide_is_inside_without_its_guard_neighbour() -> Formula:
    """Element i of tile p lies inside for every tile that a rounded-up divide counts."""
    i, p, M, m = dims("i p M m")
    tiles = guarded_divide(VECTOR, m).layout
    return implies(lt(p, size(get(tiles, 1))), lt(i + m * p, M))


@theorem(given="M % m == 0", source=GUARD)
def guarded_divide_needs_no_guard_where_tiles_fit() -> tuple[Claim, Formula]:
    """Where m divides M the guarded divide is the divide, and its guard is always true."""
    i, p, m = dims("i p m")
    guarded = guarded_divide(VECTOR, m)
    return Equal(guarded.layout, logical_divide(VECTOR, m)), guarded.guard.formula((i, p))
