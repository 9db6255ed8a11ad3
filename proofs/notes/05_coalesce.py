"""Claims in circulation, 25 to 28: coalesce."""

from __future__ import annotations

from symcute import (
    Claim,
    Equal,
    Formula,
    Layout,
    PrintsAs,
    coalesce,
    dims,
    eq,
    make_layout,
    theorem,
)


@theorem(expect="refuted", source="claims in circulation, 25")
def note_25_row_major() -> Claim:
    """Coalescing `(4,8):(8,1)` gives `32:1`."""
    return PrintsAs(coalesce(Layout.parse("(4,8):(8,1)")), "32:1")


@theorem(source="claims in circulation, 25", corrects="note_25_row_major")
def note_25_corrected() -> tuple[Claim | Formula, ...]:
    """Coalescing `(4,8):(8,1)` changes nothing; its mirror image `(4,8):(1,4)` coalesces to `32:1`.

    `(4,8):(8,1)` at index 1 is 8: it is not the map `32:1`, whatever coalescing does.
    """
    row_major, column_major = Layout.parse("(4,8):(8,1)"), Layout.parse("(4,8):(1,4)")
    return (
        PrintsAs(coalesce(row_major), "(4,8):(8,1)"),
        eq(row_major(1), 8),
        PrintsAs(coalesce(column_major), "32:1"),
        Equal(column_major, Layout(32, 1)),
    )


@theorem(source="claims in circulation, 26")
def note_26_nested() -> tuple[Claim, Claim]:
    """Coalescing `(2,(1,6)):(1,(6,2))` gives `12:1`."""
    layout = Layout.parse("(2,(1,6)):(1,(6,2))")
    return PrintsAs(coalesce(layout), "12:1"), Equal(layout, Layout(12, 1))


@theorem(expect="refuted", source="claims in circulation, 27")
def note_27_concatenation() -> Claim:
    """Concatenating `16:1` and `16:1` and coalescing gives a layout of shape 32."""
    return PrintsAs(coalesce(make_layout(Layout(16), Layout(16))).shape, "32")


@theorem(source="claims in circulation, 27", corrects="note_27_concatenation")
def note_27_corrected() -> tuple[Claim | Formula, ...]:
    """Concatenating `16:1` and `16:1` gives `(16,16):(1,1)`, of size 256, which does not coalesce.

    Concatenation multiplies sizes. With `16:16` for the second it coalesces, to `256:1`.
    """
    both = make_layout(Layout(16), Layout(16))
    return (
        PrintsAs(coalesce(both), "(16,16):(1,1)"),
        eq(both.size(), 256),
        PrintsAs(coalesce(make_layout(Layout(16), Layout(16, 16))), "256:1"),
    )


@theorem(source="claims in circulation, 28")
def note_28_symbolic_extent() -> tuple[Claim, Claim]:
    """For every N, coalescing `(192,N):(1,192)` gives `192*N:1`."""
    N = dims("N")
    layout = Layout((192, N), (1, 192))
    return PrintsAs(coalesce(layout), "192*N:1"), Equal(layout, Layout(192 * N, 1))


@theorem(expect="refuted", source="claims in circulation, 28")
def note_28_off_by_one_neighbour() -> Claim:
    """For every N, `(192,N):(1,193)` is the same map as `192*N:1`."""
    N = dims("N")
    return Equal(Layout((192, N), (1, 193)), Layout(192 * N, 1))
