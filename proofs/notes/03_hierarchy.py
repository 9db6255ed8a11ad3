"""Claims in circulation, 14 to 19: hierarchy against flat strides."""

from __future__ import annotations

from symcute import (
    Bijective,
    Claim,
    Formula,
    Injective,
    Layout,
    PrintsAs,
    dims,
    eq,
    make_layout,
    theorem,
)

INSIDE = ["0 <= a", "a < 2", "0 <= b", "b < 4", "0 <= c", "c < 3", "0 <= d", "d < 5"]
IN_TENSOR = ["0 <= b", "b < B", "0 <= m", "m < M", "0 <= k", "k < K"]
IN_TILES = [
    *("0 <= x", "x < 4", "0 <= y", "y < 4"),
    *("0 <= p", "p < 2", "0 <= q", "q < 2"),
]


def read_as_flat(hierarchical: Layout, flat: Layout) -> tuple[Formula, Formula]:
    """Return what claims 14 and 15 say: `((a,b),(c,d))` is read as `(b,d,a,c)`."""
    a, b, c, d = dims("a b c d")
    same = eq(hierarchical((a, b), (c, d)), flat(b, d, a, c))
    return eq(hierarchical.size(), flat.size()), same


@theorem(given=INSIDE, expect="refuted", source="claims in circulation, 14")
def note_14a_hierarchical_is_flat() -> tuple[Formula, Formula]:
    """`((2,4),(3,5)):((1,6),(2,24))` is `(4,5,2,3):(6,24,3,1)`, `((a,b),(c,d))` read as
    `(b,d,a,c)`.
    """
    hierarchical = Layout.parse("((2,4),(3,5)):((1,6),(2,24))")
    return read_as_flat(hierarchical, Layout.parse("(4,5,2,3):(6,24,3,1)"))


@theorem(source="claims in circulation, 14")
def note_14b_both_give_41() -> tuple[Formula, Formula]:
    """At the coordinate `((1,2),(2,1))` both layouts of claim 14 give 41.

    They do; one coordinate is no proof, and this one hides the mistake: 1*1 + 2*2 is 3*1 + 1*2.
    """
    hierarchical = Layout.parse("((2,4),(3,5)):((1,6),(2,24))")
    flat = Layout.parse("(4,5,2,3):(6,24,3,1)")
    return eq(hierarchical((1, 2), (2, 1)), 41), eq(flat(2, 1, 1, 2), 41)


@theorem(given=INSIDE, source="claims in circulation, 15", corrects="note_14a_hierarchical_is_flat")
def note_15_hierarchical_is_flat() -> tuple[Formula, Formula]:
    """`((2,4),(3,5)):((3,6),(1,24))` is `(4,5,2,3):(6,24,3,1)`, `((a,b),(c,d))` read as
    `(b,d,a,c)`.

    The claim of 14 with the strides `((3,6),(1,24))`.
    """
    hierarchical = Layout.parse("((2,4),(3,5)):((3,6),(1,24))")
    return read_as_flat(hierarchical, Layout.parse("(4,5,2,3):(6,24,3,1)"))


@theorem(given=INSIDE, expect="refuted", source="claims in circulation, 15")
def note_15_order_swapped_neighbour() -> tuple[Formula, Formula]:
    """The same of the flat `(4,5,2,3):(24,6,3,1)`, the strides of its first two modes swapped."""
    hierarchical = Layout.parse("((2,4),(3,5)):((3,6),(1,24))")
    return read_as_flat(hierarchical, Layout.parse("(4,5,2,3):(24,6,3,1)"))


@theorem(given=IN_TENSOR, source="claims in circulation, 16")
def note_16_batch_folded_into_k() -> Formula:
    """A row-major `(B,M,K):(M*K,K,1)` is the matrix `(M,(K,B)):(K,(1,M*K))`, for all B, M, K >= 1.

    The coordinate `(b,m,k)` is read as `(m,(k,b))`.
    """
    B, M, K, b, m, k = dims("B M K b m k")
    tensor = Layout((B, M, K), (M * K, K, 1))
    matrix = Layout((M, (K, B)), (K, (1, M * K)))
    return eq(tensor(b, m, k), matrix(m, (k, b)))


@theorem(given=IN_TENSOR, expect="refuted", source="claims in circulation, 16")
def note_16_order_swapped_neighbour() -> Formula:
    """The same with the matrix `(M,(B,K)):(K,(1,M*K))` and `(b,m,k)` read as `(m,(b,k))`."""
    B, M, K, b, m, k = dims("B M K b m k")
    tensor = Layout((B, M, K), (M * K, K, 1))
    matrix = Layout((M, (B, K)), (K, (1, M * K)))
    return eq(tensor(b, m, k), matrix(m, (b, k)))


@theorem(given=IN_TILES, source="claims in circulation, 17")
def note_17_contiguous_tiles() -> tuple[Claim | Formula, ...]:
    """`((4,2),(4,2)):((1,16),(4,32))` is an 8x8 matrix of 2x2 tiles of 4x4, each tile contiguous.

    It is a bijection onto `[0,64)`. Contiguous: the element `(x,y)` of the tile `(p,q)`, which is
    the element `(x + 4*p, y + 4*q)` of the matrix, lies at `16*p + 32*q` plus a bijection of
    `(x,y)` onto `[0,16)`.
    """
    x, y, p, q = dims("x y p q")
    matrix, tile = Layout.parse("((4,2),(4,2)):((1,16),(4,32))"), Layout.parse("(4,4):(1,4)")
    return (
        Bijective(matrix),
        eq(matrix[0].size(), 8),
        eq(matrix[1].size(), 8),
        eq(matrix((x, p), (y, q)), matrix(x + 4 * p, y + 4 * q)),
        eq(matrix((x, p), (y, q)), 16 * p + 32 * q + tile(x, y)),
        eq(tile.size(), 16),
        Bijective(tile),
    )


@theorem(given=IN_TILES, expect="refuted", source="claims in circulation, 17")
def note_17_tiles_swapped_neighbour() -> Formula:
    """The tile `(p,q)` of `((4,2),(4,2)):((1,16),(4,32))` begins at `32*p + 16*q`."""
    x, y, p, q = dims("x y p q")
    matrix, tile = Layout.parse("((4,2),(4,2)):((1,16),(4,32))"), Layout.parse("(4,4):(1,4)")
    return eq(matrix((x, p), (y, q)), 32 * p + 16 * q + tile(x, y))


def first_modes(layout: Layout) -> Layout:
    """Return the first mode of each mode."""
    return make_layout(*(mode[0] for mode in layout))


@theorem(source="claims in circulation, 18")
def note_18a_bijective() -> tuple[Claim | Formula, ...]:
    """`((2,2),(2,4)):((1,4),(2,8))` is a bijection onto `[0,32)`."""
    layout = Layout.parse("((2,2),(2,4)):((1,4),(2,8))")
    return eq(layout.size(), 32), Bijective(layout)


@theorem(expect="refuted", source="claims in circulation, 18")
def note_18b_the_tile() -> Claim:
    """The tile of `((2,2),(2,4)):((1,4),(2,8))`, the first mode of each, is `(2,2):(2,2)`."""
    return PrintsAs(first_modes(Layout.parse("((2,2),(2,4)):((1,4),(2,8))")), "(2,2):(2,2)")


@theorem(expect="refuted", source="claims in circulation, 18")
def note_18c_the_tile_is_injective() -> Claim:
    """The tile `(2,2):(2,2)` is injective."""
    return Injective(Layout.parse("(2,2):(2,2)"))


@theorem(source="claims in circulation, 18", corrects="note_18b_the_tile")
def note_18b_corrected() -> tuple[Claim, Claim]:
    """The tile of `((2,2),(2,4)):((1,4),(2,8))` is `(2,2):(1,2)`, and injective."""
    tile = first_modes(Layout.parse("((2,2),(2,4)):((1,4),(2,8))"))
    return PrintsAs(tile, "(2,2):(1,2)"), Injective(tile)


@theorem(source="claims in circulation, 18", corrects="note_18c_the_tile_is_injective")
def note_18c_corrected() -> tuple[Claim | Formula, ...]:
    """`(2,2):(2,2)` has the offset 2 twice; a 2x2 tile whose rows are 2 apart is `(2,2):(2,1)`."""
    tile = Layout.parse("(2,2):(2,2)")
    return eq(tile(1, 0), 2), eq(tile(0, 1), 2), Injective(Layout.parse("(2,2):(2,1)"))


@theorem(source="claims in circulation, 19")
def note_19_bijective() -> tuple[Claim | Formula, ...]:
    """`(4,(2,4)):(2,(1,8))` is a bijection onto `[0,32)`."""
    layout = Layout.parse("(4,(2,4)):(2,(1,8))")
    return eq(layout.size(), 32), Bijective(layout)
