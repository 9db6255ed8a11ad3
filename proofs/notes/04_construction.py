"""Claims in circulation, 20 to 24: construction."""

from __future__ import annotations

from symcute import (
    Claim,
    Formula,
    Layout,
    PrintsAs,
    dims,
    eq,
    make_ordered_layout,
    select,
    slice_and_offset,
    theorem,
)


@theorem(source="claims in circulation, 20")
def note_20_ordered_layout() -> Claim:
    """`make_ordered_layout((2,2,2,2), (0,2,3,1))` prints as `(2,2,2,2):(1,4,8,2)`."""
    return PrintsAs(make_ordered_layout((2, 2, 2, 2), (0, 2, 3, 1)), "(2,2,2,2):(1,4,8,2)")


def final_order(entries: tuple[tuple[str, int], ...]) -> tuple[int, ...]:
    """Return the place of each mode: static entries by value, then dynamic ones by position."""

    def key(mode: int) -> tuple[int, int]:
        kind, entry = entries[mode]
        return (0, entry) if kind == "static" else (1, mode)

    places = sorted(range(len(entries)), key=key)
    return tuple(places.index(mode) for mode in range(len(entries)))


@theorem(source="claims in circulation, 21")
def note_21_dynamic_order() -> tuple[Claim, Claim]:
    """`make_ordered_layout((2,3,4,5), (2, dynamic 67, dynamic 42, 50))` is `(2,3,4,5):(1,10,30,2)`.

    Dynamic order entries rank after all static ones, in position order: their values do not count.
    Orders are plain numbers here, so the claim is made of the places that this rule gives the four
    modes, 0, 2, 3 and 1.
    """
    order = final_order((("static", 2), ("dynamic", 67), ("dynamic", 42), ("static", 50)))
    layout = make_ordered_layout((2, 3, 4, 5), order)
    return PrintsAs(order, "(0,2,3,1)"), PrintsAs(layout, "(2,3,4,5):(1,10,30,2)")


@theorem(expect="refuted", source="claims in circulation, 21")
def note_21_order_by_value_neighbour() -> Claim:
    """The same when all four entries are static: `(2,3,4,5):(1,10,30,2)`."""
    layout = make_ordered_layout((2, 3, 4, 5), (2, 67, 42, 50))
    return PrintsAs(layout, "(2,3,4,5):(1,10,30,2)")


@theorem(source="claims in circulation, 22")
def note_22_slice() -> tuple[Claim | Formula, ...]:
    """Slicing `(5,2,3):(1,4,3)` with `(_,1,_)` gives `(5,3):(1,3)` at offset 4."""
    kept, offset = slice_and_offset((None, 1, None), Layout.parse("(5,2,3):(1,4,3)"))
    return PrintsAs(kept, "(5,3):(1,3)"), eq(offset, 4)


@theorem(source="claims in circulation, 23")
def note_23_row_major_strides() -> Claim:
    """The row-major layout of `(4,3,32,32)` has strides `(3072,1024,32,1)`.

    Row-major: the compact layout whose strides grow from the last mode to the first.
    """
    layout = make_ordered_layout((4, 3, 32, 32), (3, 2, 1, 0))
    return PrintsAs(layout.stride, "(3072,1024,32,1)")


@theorem(given=["0 <= r", "r < 4", "0 <= c", "c < 8"], source="claims in circulation, 24")
def note_24a_transpose() -> tuple[Claim | Formula, ...]:
    """Transposing `(4,8):(8,1)` gives `(8,4):(1,8)`, and `original(r,c) == transposed(c,r)`."""
    r, c = dims("r c")
    original = Layout.parse("(4,8):(8,1)")
    transposed = select(original, 1, 0)
    return PrintsAs(transposed, "(8,4):(1,8)"), eq(original(r, c), transposed(c, r))


@theorem(given=["0 <= r", "r < R", "0 <= c", "c < C"], source="claims in circulation, 24")
def note_24b_transpose() -> tuple[Claim | Formula, ...]:
    """Likewise for every `(R,C):(C,1)`: the transpose is `(C,R):(1,C)`, with the same elements."""
    R, C, r, c = dims("R C r c")
    original = Layout((R, C), (C, 1))
    transposed = select(original, 1, 0)
    return PrintsAs(transposed, "(C,R):(1,C)"), eq(original(r, c), transposed(c, r))


@theorem(
    given=["0 <= r", "r < R", "0 <= c", "c < C"],
    expect="refuted",
    source="claims in circulation, 24",
)
def note_24_strides_kept_neighbour() -> Formula:
    """The transpose of `(R,C):(C,1)` is `(C,R):(C,1)`."""
    R, C, r, c = dims("R C r c")
    return eq(Layout((R, C), (C, 1))(r, c), Layout((C, R), (C, 1))(c, r))
