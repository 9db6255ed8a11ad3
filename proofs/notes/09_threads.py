"""Claims in circulation, 47 and 49: threads."""

from __future__ import annotations

from symcute import Claim, Formula, Layout, PartitionExact, dims, eq, theorem, zipped_divide

W, w, lane, m, n = dims("W w lane m n")


@theorem(
    given=["0 <= w", "w < 4", "0 <= lane", "lane + 1 < 32"], source="claims in circulation, 47"
)
def note_47_warps_and_lanes() -> Formula:
    """In `(4,32):(32,1)` (warp, lane), lane and lane + 1 of a warp touch consecutive addresses."""
    layout = Layout((4, 32), (32, 1))
    return eq(layout(w, lane + 1), layout(w, lane) + 1)


@theorem(
    given=["0 <= w", "w < W", "0 <= lane", "lane + 1 < 32"], source="claims in circulation, 47"
)
def note_47a_any_number_of_warps() -> Formula:
    """The same for any number of warps."""
    layout = Layout((W, 32), (32, 1))
    return eq(layout(w, lane + 1), layout(w, lane) + 1)


@theorem(
    given=["0 <= w", "w < W", "0 <= lane", "lane + 1 < 32"],
    expect="refuted",
    source="claims in circulation, 47",
)
def note_47_lanes_apart_neighbour() -> Formula:
    """The same when the lanes are the slow mode, `(W,32):(1,W)`."""
    layout = Layout((W, 32), (1, W))
    return eq(layout(w, lane + 1), layout(w, lane) + 1)


@theorem(source="claims in circulation, 49")
def note_49_tile_over_threads() -> tuple[Claim | Formula, ...]:
    """A 16x16 tile over 4x8 threads gives each thread 8 elements, each element to one thread."""
    threads_values = zipped_divide(Layout((16, 16)), (4, 8))
    return (
        eq(threads_values[0].size(), 32),
        eq(threads_values[1].size(), 8),
        PartitionExact(threads_values, (16, 16)),
    )


@theorem(source="claims in circulation, 49")
def note_49a_every_tile_over_4x8_threads() -> tuple[Claim | Formula, ...]:
    """A (4m)x(8n) tile over 4x8 threads gives each m*n elements, each element to one thread."""
    threads_values = zipped_divide(Layout((4 * m, 8 * n)), (4, 8))
    return (
        eq(threads_values[1].size(), m * n),
        PartitionExact(threads_values, (4 * m, 8 * n)),
    )


@theorem(expect="refuted", source="claims in circulation, 49")
def note_49_threads_that_do_not_divide_neighbour() -> Claim:
    """A 16x16 tile over 5x8 threads, rounded up, gives each element to one thread."""
    return PartitionExact(zipped_divide(Layout((16, 16)), (5, 8)), (16, 16))


@theorem(expect="refuted", source="claims in circulation, 49")
def note_49_overlapping_threads_neighbour() -> Claim:
    """4x8 threads with columns 3 rows apart give each element of a 16x16 tile to one thread."""
    return PartitionExact(Layout(((4, 8), (4, 2)), ((1, 12), (4, 128))), (16, 16))
