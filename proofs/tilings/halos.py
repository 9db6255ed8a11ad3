"""Tiles with a halo: what stencils read, where tiles overlap, and what they write."""

from __future__ import annotations

from symcute import theorem

STENCIL = "tiled stencils with a halo of R in shared memory"
OVERLAPPED = "overlapped and wavefront tilings of iterated stencils"


@theorem(source=STENCIL)
def halo_of_tiles_stays_in_the_padded_array() -> tuple[str, ...]:
    """P tiles of T with R more on each side read all of an array padded by R, nothing more."""
    return "in_bounds((T+2*R,P):(1,T), T*P + 2*R)", "covers((T+2*R,P):(1,T), T*P + 2*R)"


@theorem(expect="refuted", source=STENCIL)
def halo_of_tiles_in_an_array_padded_on_one_side() -> str:
    """Tiles with a halo of R on both sides stay in an array padded by R in all."""
    return "in_bounds((T+2*R,P):(1,T), T*P + R)"


@theorem(source=STENCIL)
def halo_tiles_write_their_interiors_once() -> str:
    """What the tiles write, T elements each, is every element exactly once."""
    return "partition((T,P):(1,T), T*P)"


@theorem(given=["P >= 2"], expect="refuted", source=STENCIL)
def halo_tiles_read_everything_once() -> str:
    """What the tiles read, T + 2*R elements each, is nothing twice."""
    return "injective((T+2*R,P):(1,T))"


@theorem(
    given=["0 <= b", "b + 1 < P", "0 <= x", "x < 2*R"],
    source=STENCIL,
)
def halo_where_tiles_overlap() -> str:
    """The last 2*R elements that a tile reads are the first ones that the next tile reads."""
    return "((T+2*R,P):(1,T))(T + x, b) == ((T+2*R,P):(1,T))(x, b + 1)"


@theorem(
    given=["0 <= b", "b + 1 < P", "0 <= x", "x < 2*R"],
    expect="refuted",
    source=STENCIL,
)
def halo_where_tiles_overlap_by_R() -> str:
    """The element R + x of a tile is the element x of the next tile."""
    return "((T+2*R,P):(1,T))(R + x, b) == ((T+2*R,P):(1,T))(x, b + 1)"


@theorem(given=["T >= 2*R"], source=STENCIL)
def halo_of_every_other_tile_is_apart() -> str:
    """With T >= 2*R, a tile shares nothing with the tile after the next."""
    return "apart(T+2*R:1, T+2*R:1, 2*T)"


@theorem(given=["T >= R"], expect="refuted", source=STENCIL)
def halo_of_every_other_small_tile_is_apart() -> str:
    """With T >= R, a tile shares nothing with the tile after the next."""
    return "apart(T+2*R:1, T+2*R:1, 2*T)"


@theorem(given=["0 <= x", "x < T", "0 <= k", "k <= 2*R"], source=STENCIL)
def halo_stencil_reads_inside_its_tile() -> tuple[str, ...]:
    """The 2*R + 1 points around element x of a tile are in the tile with its halo."""
    return "in_bounds((T,2*R+1):(1,1), T + 2*R)", "((T,2*R+1):(1,1))(x, k) == x + k"


@theorem(expect="refuted", source=STENCIL)
def halo_stencil_one_point_wider() -> str:
    """A stencil of 2*R + 2 points reads inside a tile with a halo of R."""
    return "in_bounds((T,2*R+2):(1,1), T + 2*R)"


@theorem(given=["LD >= T*P + 2*R"], source=STENCIL)
def halo_of_tiles_in_two_dimensions() -> str:
    """Tiles of U x T with a halo of R all around stay in the (U*Q + 2*R) x LD padded array."""
    return "in_bounds(((U+2*R,Q),(T+2*R,P)):((LD,U*LD),(1,T)), (U*Q + 2*R)*LD)"


@theorem(given=["LD >= T*P"], expect="refuted", source=STENCIL)
def halo_of_tiles_in_rows_without_padding() -> str:
    """Tiles with a halo stay in the array when a row holds their interiors."""
    return "in_bounds(((U+2*R,Q),(T+2*R,P)):((LD,U*LD),(1,T)), (U*Q + 2*R)*LD)"


@theorem(source=STENCIL)
def halo_tiles_rounded_up_stay_in_a_rounded_array() -> tuple[str, ...]:
    """For any N, tiles rounded up read an array of ceil(N/T)*T + 2*R, at most T - 1 more."""
    tiles = "(T+2*R,ceil_div(N,T)):(1,T)"
    return (
        f"in_bounds({tiles}, ceil_div(N,T)*T + 2*R)",
        f"in_bounds({tiles}, N + T - 1 + 2*R)",
    )


@theorem(expect="refuted", source=STENCIL)
def halo_tiles_rounded_up_stay_in_a_padded_array() -> str:
    """For any N, tiles rounded up read an array of N + 2*R without a guard."""
    return "in_bounds((T+2*R,ceil_div(N,T)):(1,T), N + 2*R)"


@theorem(given=["0 <= s", "s < S"], source=OVERLAPPED)
def halo_of_several_steps_shrinks() -> tuple[str, ...]:
    """For S steps of radius R a tile reads T + 2*R*S; after s of them T + 2*R*(S-s) are right.

    The next step, over 2*R less, reads inside these; after the last one the tile is left.
    """
    return (
        "in_bounds((T+2*R*(S-s-1),2*R+1):(1,1), T + 2*R*(S-s))",
        "s == S - 1 => T + 2*R*(S-s-1) == T",
    )


@theorem(given=["0 <= s", "s < S"], expect="refuted", source=OVERLAPPED)
def halo_of_several_steps_does_not_shrink() -> str:
    """Each step of a stencil may be over as many elements as the step before left right."""
    return "in_bounds((T+2*R*(S-s),2*R+1):(1,1), T + 2*R*(S-s))"


@theorem(source="circular buffers of planes in 2.5-D stencils")
def halo_planes_in_a_circular_buffer() -> str:
    """2*R + 1 planes in a circular buffer: planes k and k + d, 1 <= d <= 2*R, are different."""
    return "1 <= d and d <= 2*R => mod(k, 2*R + 1) != mod(k + d, 2*R + 1)"


@theorem(expect="refuted", source="circular buffers of planes in 2.5-D stencils")
def halo_planes_in_a_smaller_circular_buffer() -> str:
    """2*R planes in a circular buffer are enough."""
    return "1 <= d and d <= 2*R => mod(k, 2*R) != mod(k + d, 2*R)"
