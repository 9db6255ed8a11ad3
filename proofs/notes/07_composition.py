"""Claims in circulation, 33 to 45: composition, division, product, inverse."""

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
    LeftInverse,
    PrintsAs,
    RightInverse,
    all_of,
    ceil_div,
    complement,
    composition,
    dims,
    eq,
    logical_divide,
    logical_product,
    lt,
    make_layout,
    ne,
    not_,
    raked_product,
    right_inverse,
    theorem,
    tiled_divide,
    zipped_divide,
)


@theorem(source="claims in circulation, 33")
def note_33_same_maps() -> tuple[Claim, ...]:
    """`4:2 o 2:2` is the same map as `(2,1):(4,0)`, `(4,3):(1,4) o 12:1` the same as
    `(12,1):(1,0)`.
    """
    first, second = Layout.parse("(2,1):(4,0)"), Layout.parse("(12,1):(1,0)")
    a, b, identity = Layout.parse("4:2"), Layout.parse("2:2"), Layout.parse("12:1")
    matrix = Layout.parse("(4,3):(1,4)")
    return (
        Equal(composition(a, b), first),
        Composition(first, a, b),
        Equal(composition(matrix, identity), second),
        Composition(second, matrix, identity),
    )


@theorem(source="claims in circulation, 34")
def note_34_composition() -> tuple[Claim, Claim]:
    """`(6,2):(8,2) o (4,3):(3,1)` prints as `((2,2),3):((24,2),8)`."""
    a, b = Layout.parse("(6,2):(8,2)"), Layout.parse("(4,3):(3,1)")
    result = composition(a, b)
    return PrintsAs(result, "((2,2),3):((24,2),8)"), Composition(result, a, b)


@theorem(expect="refuted", source="claims in circulation, 35")
def note_35_composition() -> Claim:
    """`(4,6,8):(2,3,5) o 6:3` is `(2,3):(6,3)`.

    CuTe returns this when all numbers are known at compile time (NVIDIA/cutlass#3177); symcute
    refuses the composition.
    """
    a, b = Layout.parse("(4,6,8):(2,3,5)"), Layout.parse("6:3")
    return Composition(Layout.parse("(2,3):(6,3)"), a, b)


@theorem(source="claims in circulation, 35", corrects="note_35_composition")
def note_35_corrected() -> tuple[Formula, ...]:
    """`(4,6,8):(2,3,5) o 6:3` takes the values 0 6 7 8 9 15, and no layout does.

    Up to modes of extent 1, a layout of six elements has the shape 6, `(2,3)` or `(3,2)`. None of
    them takes 6, 7, 8 at the indices 1, 2, 3, whatever its strides (stride 0 and negative ones fail
    at once, since the offset at index 1 is a stride).
    """
    a, b = Layout.parse("(4,6,8):(2,3,5)"), Layout.parse("6:3")
    x, y = dims("x y")
    values = [eq(a(b(i)), v) for i, v in enumerate((0, 6, 7, 8, 9, 15))]
    candidates = Layout(6, x), Layout((2, 3), (x, y)), Layout((3, 2), (x, y))
    none = [not_(all_of(eq(c(1), 6), eq(c(2), 7), eq(c(3), 8))) for c in candidates]
    return (*values, *none)


@theorem(source="claims in circulation, 36")
def note_36_divides() -> tuple[Claim, Claim]:
    """`logical_divide((256,512), (128,64))` prints as `((128,2),(64,8)):((1,128),(256,16384))`.

    `tiled_divide` of the same prints as `((128,64),2,8):((1,256),128,16384)`.
    """
    layout = Layout((256, 512))
    return (
        PrintsAs(logical_divide(layout, (128, 64)), "((128,2),(64,8)):((1,128),(256,16384))"),
        PrintsAs(tiled_divide(layout, (128, 64)), "((128,64),2,8):((1,256),128,16384)"),
    )


@theorem(source="claims in circulation, 37")
def note_37_divide_by_layouts() -> Claim:
    """`logical_divide((6,(4,6)):(2,(16,70)), <2:3,(2,3):(1,8)>)` prints with three nested modes.

    As `((2,3),((2,3),(2,2))):((6,2),((16,140),(32,70)))`.
    """
    layout = Layout.parse("(6,(4,6)):(2,(16,70))")
    tiler = (Layout.parse("2:3"), Layout.parse("(2,3):(1,8)"))
    printed = "((2,3),((2,3),(2,2))):((6,2),((16,140),(32,70)))"
    return PrintsAs(logical_divide(layout, tiler), printed)


def divided(layout: Layout, tiler: Layout) -> tuple[Claim | Formula, ...]:
    """Return what claim 38 says of a layout and a tiler."""
    whole = make_layout(tiler, complement(tiler, layout.size()))
    return (
        Composition(logical_divide(layout, tiler), layout, whole),
        Bijective(whole),
        eq(whole.size(), layout.size()),
    )


@theorem(given="M % t == 0", source="claims in circulation, 38")
def note_38a_divide_is_a_composition() -> tuple[Claim | Formula, ...]:
    """`logical_divide(A, T)` is `A o (T, complement(T, size(A)))`.

    When T divides A it visits every element of A exactly once: `(T, complement(T, size(A)))` is a
    bijection onto the indices of A.

    Claim 38 speaks of every A and T. What is proved in 38a to 38d, for all extents, strides and
    tiles that divide, are a matrix with a tile inside a column (38a), one mode with a strided tile
    (38b), a matrix with a tile of whole columns (38c) and with a rectangular tile (38d).
    """
    M, N, a, b, t = dims("M N a b t")
    return divided(Layout((M, N), (a, b)), Layout(t, 1))


@theorem(source="claims in circulation, 38")
def note_38b_strided_tile() -> tuple[Claim | Formula, ...]:
    """The same for a layout of one mode, `(t*r*q):a`, and a strided tile, `t:r`."""
    t, r, q, a = dims("t r q a")
    return divided(Layout(t * r * q, a), Layout(t, r))


@theorem(source="claims in circulation, 38")
def note_38c_tile_of_columns() -> tuple[Claim | Formula, ...]:
    """The same for a matrix `(M,t*q):(a,b)` and a tile of t whole columns, `(M*t):1`."""
    M, t, q, a, b = dims("M t q a b")
    return divided(Layout((M, t * q), (a, b)), Layout(M * t, 1))


@theorem(source="claims in circulation, 38")
def note_38d_rectangular_tile() -> tuple[Claim | Formula, ...]:
    """The same for a matrix `(t*p,u*q):(a,b)` and a t x u tile, `(t,u):(1,t*p)`."""
    t, p, u, q, a, b = dims("t p u q a b")
    return divided(Layout((t * p, u * q), (a, b)), Layout((t, u), (1, t * p)))


@theorem(expect="refuted", source="claims in circulation, 38")
def note_38_tile_does_not_divide_neighbour() -> Formula:
    """`(T, complement(T, M))` for the tile `t:1` has size M, whether or not t divides M."""
    t, M = dims("t M")
    tile = Layout(t, 1)
    return eq(make_layout(tile, complement(tile, M)).size(), M)


@theorem(source="claims in circulation, 39")
def note_39a_grid_of_tiles() -> Claim:
    """A 16x16 row-major matrix divided by `(8,8)` is a 2x2 grid of 8x8 tiles."""
    tiles = zipped_divide(Layout.parse("(16,16):(16,1)"), (8, 8))
    return PrintsAs(tiles, "((8,8),(2,2)):((16,1),(128,8))")


@theorem(
    given=[
        *("M % bM == 0", "N % bN == 0"),
        *("0 <= x", "x < bM", "0 <= y", "y < bN", "0 <= i", "i < M/bM", "0 <= j", "j < N/bN"),
    ],
    source="claims in circulation, 39",
)
def note_39b_every_grid_of_tiles() -> tuple[Claim | Formula, ...]:
    """For every tile `(bM,bN)` that divides it, an MxN matrix divides into a grid of tiles.

    For all M and N: the grid is `(M/bM)x(N/bN)`, the element `(x,y)` of the tile `(i,j)` is the
    element `(bM*i + x, bN*j + y)` of the matrix, whatever its strides a and b, and in a row-major
    matrix every offset is visited once.
    """
    M, N, bM, bN, a, b, x, y, i, j = dims("M N bM bN a b x y i j")
    matrix = Layout((M, N), (a, b))
    tiles = zipped_divide(matrix, (bM, bN))
    return (
        PrintsAs(tiles.shape, "((bM,bN),(M/bM,N/bN))"),
        eq(tiles((x, y), (i, j)), matrix(bM * i + x, bN * j + y)),
        eq(tiles.size(), M * N),
        Bijective(zipped_divide(Layout((M, N), (N, 1)), (bM, bN))),
    )


@theorem(expect="refuted", source="claims in circulation, 39")
def note_39_tile_does_not_divide_neighbour() -> Formula:
    """A grid of `ceil(M/bM) x ceil(N/bN)` tiles has exactly M*N elements, for every tile."""
    M, N, bM, bN = dims("M N bM bN")
    return eq(bM * bN * ceil_div(M, bM) * ceil_div(N, bN), M * N)


@theorem(
    given=["M % bM == 0", "N % bN == 0", "0 <= x", "x < bM", "0 <= i", "i < M/bM"],
    expect="refuted",
    source="claims in circulation, 39",
)
def note_39_rows_interleaved_neighbour() -> Formula:
    """The row x of the i-th row of tiles is the row `i + x*M/bM` of the matrix."""
    M, N, bM, bN, x, i = dims("M N bM bN x i")
    matrix = Layout((M, N), (N, 1))
    return eq(zipped_divide(matrix, (bM, bN))((x, 0), (i, 0)), matrix(i + x * M / bM, 0))


#: A; what CuTe makes of it and 128 (its C++ headers, with 128 known at run time only); and that
#: result in terms of the indices of A.
UNDIVIDED = "(12,(4,8)):(7,(1,30))"
BY_128 = "((12,4,2),(1,1,3)):((7,1,30),(896,11,90))"
BY_INDEX = "((12,4,2),(1,1,3)):((1,12,48),(0,0,144))"


@theorem(expect="refuted", source="claims in circulation, 40; NVIDIA/cutlass#3513")
def note_40_divide_by_128() -> tuple[Claim | Formula, ...]:
    """`(12,(4,8)):(7,(1,30))` divided by a tile of 128 consecutive elements keeps its size 384.

    And it visits every element once. With the tile known at run time only, CuTe's C++ headers make
    it `((12,4,2),(1,1,3)):((7,1,30),(896,11,90))` without a word; that result is taken here. In
    terms of the indices of A it is `((12,4,2),(1,1,3)):((1,12,48),(0,0,144))`: every element once
    would mean that this has no index twice, stays below 384, and has 384 of them. The first two
    hold.

    symcute refuses the divide, as CuTe does when the tile is known at compile time: 128 is no
    multiple of the extent 12.
    """
    result, by_index = Layout.parse(BY_128), Layout.parse(BY_INDEX)
    return (
        Composition(result, Layout.parse(UNDIVIDED), by_index),
        Injective(by_index),
        InBounds(by_index, 384),
        eq(result.size(), 384),
    )


@theorem(
    given=["0 <= x", "x < 12", "0 <= y", "y < 4", "0 <= z", "z < 2", "0 <= k", "k < 3"],
    source="claims in circulation, 40; NVIDIA/cutlass#3513",
    corrects="note_40_divide_by_128",
)
def note_40_corrected() -> tuple[Claim | Formula, ...]:
    """CuTe's result has size 288 and leaves out the elements whose last coordinate is 2 or 5.

    The element `((x,y,z),(0,0,k))` of the result is the element `(x,(y,z + 3*k))` of the layout,
    and `z + 3*k` takes the values 0 1 3 4 6 7 alone. A tile that fills whole modes, such as 48,
    keeps the size 384 and visits every element once.
    """
    x, y, z, k = dims("x y z k")
    layout, result, tile = Layout.parse(UNDIVIDED), Layout.parse(BY_128), Layout(48)
    last = z + 3 * k
    whole = make_layout(tile, complement(tile, 384))
    by_48 = logical_divide(layout, tile)
    return (
        eq(result.size(), 288),
        eq(result((x, y, z), (0, 0, k)), layout(x, (y, last))),
        all_of(ne(last, 2), ne(last, 5), lt(last, 8)),
        PrintsAs(by_48, "((12,4),8):((7,1),30)"),
        eq(by_48.size(), 384),
        Composition(by_48, layout, whole),
        Bijective(whole),
    )


@theorem(
    given=["0 <= i", "i < 128", "0 <= k", "k < 3"],
    expect="refuted",
    source="claims in circulation, 40; NVIDIA/cutlass#3513",
)
def note_40_tile_by_tile_neighbour() -> Formula:
    """In CuTe's result the element i of the tile k is the element `i + 128*k` of the layout."""
    i, k = dims("i k")
    layout, result = Layout.parse(UNDIVIDED), Layout.parse(BY_128)
    return eq(result(i, (0, 0, k)), layout(i + 128 * k))


@theorem(expect="refuted", source="claims in circulation, 41")
def note_41a_product_by_a_tiler() -> Claim:
    """`logical_product((32,8),(4,1))` prints as `((32,8),(4,1)):((1,32),(256,0))`.

    Here `(4,1)` is what a bare tuple means in claims 36 and 39: a tiler that applies by mode. In
    41b it is a layout.
    """
    return PrintsAs(logical_product(Layout((32, 8)), (4, 1)), "((32,8),(4,1)):((1,32),(256,0))")


@theorem(source="claims in circulation, 41", corrects="note_41a_product_by_a_tiler")
def note_41b_product_by_a_layout() -> tuple[Claim, Claim]:
    """`logical_product((32,8),(4,1))` prints as claimed when `(4,1)` is a layout.

    The layout of the shape `(4,1)` gives `((32,8),(4,1)):((1,32),(256,0))`; the tiler `(4,1)` gives
    `((32,4),(8,1)):((1,32),(32,0))`. CuTe prints the same two.
    """
    block = Layout((32, 8))
    return (
        PrintsAs(logical_product(block, Layout((4, 1))), "((32,8),(4,1)):((1,32),(256,0))"),
        PrintsAs(logical_product(block, (4, 1)), "((32,4),(8,1)):((1,32),(32,0))"),
    )


@theorem(source="claims in circulation, 42")
def note_42_raked_product() -> Claim:
    """`raked_product((32,8),(4,1))` is the same map as `((4,32),8):((256,1),32)`."""
    product = raked_product(Layout((32, 8)), Layout((4, 1)))
    return Equal(product, Layout.parse("((4,32),8):((256,1),32)"))


@theorem(source="claims in circulation, 43")
def note_43_right_inverse() -> tuple[Claim, ...]:
    """`right_inverse(((4,32),8):((256,1),32))` is `(256,4):(4,1)`; composing the two is the
    identity.

    In both orders.
    """
    layout = Layout.parse("((4,32),8):((256,1),32)")
    inverse = right_inverse(layout)
    return (
        PrintsAs(inverse, "(256,4):(4,1)"),
        RightInverse(inverse, layout),
        LeftInverse(inverse, layout),
        Equal(composition(layout, inverse), Layout(1024, 1)),
        Equal(composition(inverse, layout), Layout(1024, 1)),
    )


@theorem(source="claims in circulation, 44")
def note_44_right_inverse_of_row_major() -> tuple[Claim, ...]:
    """For every M, N: the right inverse of `(M,N):(N,1)` is `(N,M):(M,1)`."""
    M, N = dims("M N")
    layout = Layout((M, N), (N, 1))
    inverse = right_inverse(layout)
    return PrintsAs(inverse, "(N,M):(M,1)"), RightInverse(Layout((N, M), (M, 1)), layout)


@theorem(expect="refuted", source="claims in circulation, 44")
def note_44_itself_neighbour() -> Claim:
    """For every M, N: `(M,N):(N,1)` is its own right inverse."""
    M, N = dims("M N")
    layout = Layout((M, N), (N, 1))
    return RightInverse(layout, layout)


@theorem(source="claims in circulation, 45")
def note_45_product() -> Claim:
    """`logical_product(4:1, 8:1)` is `(4,8):(1,4)`."""
    return PrintsAs(logical_product(Layout.parse("4:1"), Layout.parse("8:1")), "(4,8):(1,4)")
