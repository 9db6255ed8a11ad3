"""Laws of the casts between element widths: upcast, downcast, recast.

An upcast by n reads n elements as one word, a downcast by n a word as n elements. The extent that
is cast has stride 1, and the others are multiples of n, as alignment asks for.
"""

from __future__ import annotations

from symcute import (
    Bijective,
    Claim,
    Equal,
    Formula,
    InBounds,
    Injective,
    Layout,
    PrintsAs,
    cosize,
    dims,
    downcast,
    eq,
    recast,
    size,
    theorem,
    upcast,
)

SOURCE = "cute/layout.hpp, upcast, downcast, recast_layout"

ROWS = Layout.parse("(M,8*N):(8*N,1)")
PITCHED = Layout.parse("(M,8*N):(8*LD,1)")
COLUMNS = Layout.parse("(8*M,N):(1,8*M)")
INSIDE = ["0 <= i", "i < M", "0 <= j", "j < N"]


@theorem(source=SOURCE)
def contract_upcast_of_rows() -> tuple[Claim, ...]:
    """Rows of 8*N elements are rows of N words of 8; the pitch, too, is divided by 8."""
    return (
        Equal(upcast(ROWS, 8), Layout.parse("(M,N):(N,1)")),
        Equal(upcast(PITCHED, 8), Layout.parse("(M,N):(LD,1)")),
    )


@theorem(given=[*INSIDE, "0 <= r", "r < 8"], source=SOURCE)
def upcast_at_a_coordinate() -> Formula:
    """The element (i, 8*j + r) lies in the word (i,j), for r below 8."""
    i, j, r = dims("i j r")
    return eq(PITCHED(i, 8 * j + r) // 8, upcast(PITCHED, 8)(i, j))


@theorem(given=[*INSIDE, "N >= 2"], expect="refuted")
def upcast_at_a_coordinate_neighbour() -> Formula:
    """The element (i,j) lies in the word (i,j)."""
    i, j = dims("i j")
    return eq(PITCHED(i, j) // 8, upcast(PITCHED, 8)(i, j))


@theorem(given=["M >= 2"], expect="refuted")
def contract_upcast_neighbour() -> Claim:
    """An upcast divides extents and leaves strides."""
    return Equal(upcast(PITCHED, 8), Layout.parse("(M,N):(8*LD,1)"))


@theorem(source=SOURCE)
def contract_downcast_of_rows() -> tuple[Claim, ...]:
    """Rows of N words of 4 elements are rows of 4*N elements."""
    return (
        Equal(downcast(Layout.parse("(M,N):(N,1)"), 4), Layout.parse("(M,4*N):(4*N,1)")),
        Equal(downcast(Layout.parse("(M,N):(LD,1)"), 4), Layout.parse("(M,4*N):(4*LD,1)")),
    )


@theorem(given=[*INSIDE, "0 <= r", "r < 4"], source=SOURCE)
def downcast_at_a_coordinate() -> Formula:
    """Element r of the word (i,j) has the offset 4 * (offset of the word) + r."""
    i, j, r = dims("i j r")
    words = Layout.parse("(M,N):(LD,1)")
    return eq(downcast(words, 4)(i, 4 * j + r), 4 * words(i, j) + r)


@theorem(given=["M >= 2"], expect="refuted")
def contract_downcast_neighbour() -> Claim:
    """A downcast multiplies the extent of stride 1 and leaves the other strides."""
    return Equal(downcast(Layout.parse("(M,N):(LD,1)"), 4), Layout.parse("(M,4*N):(LD,1)"))


@theorem(source=SOURCE)
def upcast_undoes_downcast() -> tuple[Claim, ...]:
    """Words taken apart and put together again are the words: rows, padded rows, a batch."""
    layouts = (
        Layout.parse("(M,N):(N,1)"),
        Layout.parse("(M,N):(LD,1)"),
        Layout.parse("(M,N,B):(N,1,M*N)"),
    )
    return tuple(PrintsAs(upcast(downcast(x, 4), 4), str(x)) for x in layouts)


@theorem(source=SOURCE)
def downcast_undoes_upcast() -> tuple[Claim, ...]:
    """Elements put into words and taken out again are the elements, where words fill the rows."""
    return tuple(PrintsAs(downcast(upcast(x, 8), 8), str(x)) for x in (ROWS, PITCHED, COLUMNS))


@theorem(expect="refuted")
def downcast_undoes_upcast_neighbour() -> Claim:
    """The same for rows that words do not fill: the 3 elements of a tail grow to a word of 8."""
    rows = Layout.parse("(M,11):(16,1)")
    return PrintsAs(downcast(upcast(rows, 8), 8), str(rows))


@theorem(source=SOURCE)
def upcast_twice_is_upcast_once() -> tuple[Claim, ...]:
    """An upcast by 2 and then by 4 is an upcast by 8."""
    return tuple(PrintsAs(upcast(upcast(x, 2), 4), str(upcast(x, 8))) for x in (ROWS, COLUMNS))


@theorem(source=SOURCE)
def downcast_twice_is_downcast_once() -> Claim:
    """A downcast by 2 and then by 4 is a downcast by 8."""
    words = Layout.parse("(M,N):(LD,1)")
    return PrintsAs(downcast(downcast(words, 2), 4), str(downcast(words, 8)))


@theorem(source=SOURCE)
def casts_keep_compactness() -> tuple[Claim, ...]:
    """Compact rows are compact as words and as smaller elements."""
    return Bijective(upcast(ROWS, 8)), Bijective(downcast(ROWS, 4)), Bijective(upcast(COLUMNS, 8))


@theorem(given="LD >= N", source=SOURCE)
def casts_keep_injectivity() -> tuple[Claim, ...]:
    """Padded rows are injective as words and as smaller elements."""
    return Injective(PITCHED), Injective(upcast(PITCHED, 8)), Injective(downcast(PITCHED, 4))


@theorem(expect="refuted")
def casts_make_injective_neighbour() -> Claim:
    """Padded rows are injective as words whatever their pitch."""
    return Injective(upcast(PITCHED, 8))


@theorem(source=SOURCE)
def casts_scale_the_size() -> tuple[Formula, Formula]:
    """An upcast by 8 divides the size by 8, a downcast by 4 multiplies it by 4."""
    return (
        eq(8 * size(upcast(PITCHED, 8)), size(PITCHED)),
        eq(size(downcast(PITCHED, 4)), 4 * size(PITCHED)),
    )


@theorem(source=SOURCE)
def casts_scale_the_cosize() -> tuple[Formula, Claim]:
    """A downcast by 4 multiplies the cosize by 4; the words of an upcast need an eighth of it."""
    return (
        eq(cosize(downcast(PITCHED, 4)), 4 * cosize(PITCHED)),
        InBounds(upcast(ROWS, 8), size(Layout.parse("M*N"))),
    )


@theorem(source=SOURCE)
def contract_recast_between_widths() -> tuple[Claim, ...]:
    """8-bit elements as 64-bit words and back; 32-bit as 8-bit is a downcast by 4."""
    return (
        PrintsAs(recast(PITCHED, 8, 64), str(upcast(PITCHED, 8))),
        PrintsAs(recast(recast(PITCHED, 8, 64), 64, 8), str(PITCHED)),
        PrintsAs(recast(PITCHED, 32, 8), str(downcast(PITCHED, 4))),
        PrintsAs(recast(PITCHED, 16, 16), str(PITCHED)),
    )


@theorem(given="M >= 2", expect="refuted")
def contract_recast_neighbour() -> Claim:
    """8-bit elements as 64-bit words are a downcast by 8."""
    return Equal(recast(PITCHED, 8, 64), downcast(PITCHED, 8))


@theorem(given=["0 <= i", "i < M", "0 <= j", "j < N"], source="CUTLASS, vectorised copies")
def vector_loads_are_aligned() -> Formula:
    """In rows with a pitch that is a multiple of 8, every eighth element begins a word."""
    i, j = dims("i j")
    return eq(PITCHED(i, 8 * j) % 8, 0)


@theorem(given=["0 <= i", "i < M", "0 <= j", "j < N"], expect="refuted")
def vector_loads_are_aligned_neighbour() -> Formula:
    """The same for every pitch."""
    i, j = dims("i j")
    return eq(Layout.parse("(M,8*N):(LD,1)")(i, 8 * j) % 8, 0)
