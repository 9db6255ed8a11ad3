"""Predicates of partial tiles: by coordinate, by residue, and the partial tile taken first."""

from __future__ import annotations

from symcute import theorem

PREDICATION = "CuTe documentation, 0y_predication"
RESIDUE = "CUTLASS 3.x: sm80_mma_multistage.hpp, the k-tile of the residue comes first"
EVEN = "FlashAttention: Is_even_MN and Is_even_K in flash_fwd_launch_template.h"
FLASH_COPY = "FlashAttention: copy with predicates in utils.h"

#: The elements g that the last k-tile lacks: the base moves back by them when the partial k-tile
#: comes first.
MOVED = ["g >= 0", "g == bK*ceil_div(K, bK) - K"]


@theorem(given=["0 <= m", "0 <= x", "x < bM"], source=PREDICATION)
def predicate_by_coordinate_is_predicate_by_residue() -> tuple[str, ...]:
    """Row m*bM + x is below M exactly when x is below the residue M - m*bM."""
    return (
        "m*bM + x < M => x < M - m*bM",
        "x < M - m*bM => m*bM + x < M",
    )


@theorem(given=["0 <= m", "0 <= x", "x < bM"], expect="refuted", source=PREDICATION)
def predicate_by_rest() -> str:
    """Row m*bM + x is below M exactly when x is below M % bM."""
    return "m*bM + x < M => x < mod(M, bM)"


@theorem(given=["0 <= m", "m < floor_div(M, bM)", "0 <= x", "x < bM"], source=PREDICATION)
def predicate_is_true_in_whole_tiles() -> str:
    """In the first M/bM tiles the predicate of every row is true."""
    return "m*bM + x < M"


@theorem(
    given=["0 <= m", "m < ceil_div(M, bM)", "0 <= x", "x < bM"],
    expect="refuted",
    source=PREDICATION,
)
def predicate_is_true_in_all_tiles() -> str:
    """In all ceil(M/bM) tiles the predicate of every row is true."""
    return "m*bM + x < M"


@theorem(given=["M % bM == 0", "0 <= m", "m < ceil_div(M, bM)", "0 <= x", "x < bM"], source=EVEN)
def predicate_is_not_needed_for_even_sizes() -> str:
    """When the tile divides M no tile needs a predicate."""
    return "m*bM + x < M"


@theorem(given=["D <= bD", "D % 32 == 0", "D > bD - 32", "bD % 32 == 0"], source=EVEN)
def predicate_of_the_head_dimension() -> str:
    """A head dimension that is a multiple of 32, rounded up to one, needs no predicate."""
    return "D == bD"


@theorem(
    given=["D <= bD", "D % 8 == 0", "D > bD - 32", "bD % 32 == 0"],
    expect="refuted",
    source=EVEN,
)
def predicate_of_the_head_dimension_in_vectors() -> str:
    """A head dimension that is a multiple of 8, rounded up to 32, needs no predicate."""
    return "D == bD"


@theorem(source=PREDICATION)
def predicate_of_a_row_serves_all_its_columns() -> tuple[str, ...]:
    """A predicate for each row, with stride 0 along k, is one bit a row for the whole tile."""
    return (
        "in_bounds((bM,bK):(1,0), bM)",
        "compact((bM,bK):(1,0))",
    )


@theorem(expect="refuted", source=PREDICATION)
def predicate_of_a_row_differs_in_its_columns() -> str:
    """With stride 0 along k, every element of the tile has a predicate of its own."""
    return "injective((bM,bK):(1,0))"


@theorem(given=MOVED, source=RESIDUE)
def residue_moves_the_base_by_less_than_a_tile() -> tuple[str, ...]:
    """The gap g = bK*ceil(K/bK) - K is less than bK, and 0 when bK divides K."""
    return "g < bK", "mod(K, bK) == 0 => g == 0", "mod(K, bK) != 0 => g == bK - mod(K, bK)"


@theorem(given=MOVED, expect="refuted", source=RESIDUE)
def residue_is_what_the_rest_lacks() -> str:
    """The gap is bK - K % bK, also when bK divides K."""
    return "g == bK - mod(K, bK)"


@theorem(
    given=[*MOVED, "1 <= t", "t < ceil_div(K, bK)", "0 <= y", "y < bK"],
    source=RESIDUE,
)
def residue_first_leaves_whole_tiles() -> tuple[str, ...]:
    """From the base moved back, all k-tiles but the first are whole: no k below 0, none beyond."""
    return "t*bK + y - g >= 0", "t*bK + y - g < K"


@theorem(
    given=[*MOVED, "0 <= t", "t < ceil_div(K, bK)", "0 <= y", "y < bK"],
    expect="refuted",
    source=RESIDUE,
)
def residue_first_leaves_the_first_tile_whole() -> str:
    """From the base moved back by the gap, the first k-tile is whole."""
    return "t*bK + y - g >= 0"


@theorem(given=[*MOVED, "0 <= y", "y < bK"], source=RESIDUE)
def residue_first_guards_the_first_tile() -> tuple[str, ...]:
    """In the first k-tile the guard y >= g keeps exactly the k inside, at least one."""
    return "y >= g => y - g < K", "y < g => y - g < 0", "g <= bK - 1"


@theorem(given=[*MOVED, "0 <= k", "k < K"], source=RESIDUE)
def residue_first_sums_every_k() -> tuple[str, ...]:
    """Every k is element (k + g) % bK of k-tile (k + g) / bK, one of ceil(K/bK)."""
    return (
        "floor_div(k + g, bK)*bK + mod(k + g, bK) - g == k",
        "floor_div(k + g, bK) < ceil_div(K, bK)",
    )


@theorem(given=["0 <= k", "k < K"], expect="refuted", source=RESIDUE)
def residue_first_without_moving_the_base() -> str:
    """Without moving the base every k is in one of floor(K/bK) k-tiles."""
    return "floor_div(k, bK) < floor_div(K, bK)"


@theorem(given=["0 <= b", "b < ceil_div(S, bN)", "0 <= x", "x < bN"], source=FLASH_COPY)
def predicate_only_in_the_last_block_of_keys() -> str:
    """Going through the blocks of keys from the last to the first, only the first one needs it."""
    return "b < ceil_div(S, bN) - 1 => b*bN + x < S"


@theorem(
    given=["0 <= b", "b < ceil_div(S, bN)", "0 <= x", "x < bN"],
    expect="refuted",
    source=FLASH_COPY,
)
def predicate_only_in_the_block_of_keys_0() -> str:
    """Going through the blocks of keys from the first to the last, only block 0 needs it."""
    return "b > 0 => b*bN + x < S"
