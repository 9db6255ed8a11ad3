"""Tiles staged in shared memory: stages, padding, atoms, banks."""

from __future__ import annotations

from symcute import theorem

PADDED = "CUTLASS examples/cute/tutorial/sgemm_2.cu: padded m-major tiles"
STAGES = "CUTLASS documentation, pipeline; sgemm_sm80.cu"
ATOMS = "CuTe: tile_to_shape in cute/layout.hpp; FlashAttention kernel_traits.h"
TRANSPOSE = "transposing through a padded tile in shared memory"

ATOM = "(8,64):(64,1)"


@theorem(source=PADDED)
def shared_padded_tile_fits_its_cosize() -> tuple[str, ...]:
    """A tile with columns bM+1 apart needs exactly (bM+1)*bK - 1 elements."""
    return (
        "injective((bM,bK):(1,bM+1))",
        "cosize((bM,bK):(1,bM+1)) == (bM+1)*bK - 1",
        "in_bounds((bM,bK):(1,bM+1), (bM+1)*bK - 1)",
    )


@theorem(given=["bK >= 2"], expect="refuted", source=PADDED)
def shared_padded_tile_fits_its_size() -> str:
    """A padded tile fits in an array as long as the tile has elements."""
    return "in_bounds((bM,bK):(1,bM+1), size((bM,bK)))"


@theorem(given=["pad >= 0"], source=STAGES)
def shared_stages_are_apart() -> tuple[str, ...]:
    """S stages of a padded tile, a padded tile apart, do not meet and fit in S padded tiles."""
    stages = "(bM,bK,S):(1,bM+pad,(bM+pad)*bK)"
    return f"injective({stages})", f"in_bounds({stages}, (bM+pad)*bK*S)"


@theorem(given=["pad >= 0"], expect="refuted", source=STAGES)
def shared_stages_without_the_padding() -> str:
    """S stages of a padded tile do not meet when they lie the tile's size apart."""
    return "injective((bM,bK,S):(1,bM+pad,bM*bK))"


@theorem(source=STAGES)
def shared_stages_fill_the_buffer() -> str:
    """S stages of a dense tile use every element of the buffer exactly once."""
    return "partition((bM,bK,S):(1,bM,bM*bK), bM*bK*S)"


@theorem(given=["0 <= s", "1 <= d", "s + d < S"], source=STAGES)
def shared_stage_being_filled_is_not_being_read() -> str:
    """The stage a copy fills and the stage the math reads are apart, d stages on."""
    return "apart((bM,bK):(1,bM), (bM,bK):(1,bM), d*bM*bK)"


@theorem(given=["1 <= d"], expect="refuted", source=STAGES)
def shared_stage_a_column_further_on() -> str:
    """A stage and what begins d columns further on have nothing in common."""
    return "apart((bM,bK):(1,bM), (bM,bK):(1,bM), d*bM)"


@theorem(given=["0 <= k", "1 <= d", "d < S"], source=STAGES)
def shared_pipeline_does_not_lap_itself() -> str:
    """With S stages, tiles k and k+d are in different stages as long as d < S."""
    return "mod(k, S) != mod(k + d, S)"


@theorem(given=["0 <= k", "1 <= d", "d <= S"], expect="refuted", source=STAGES)
def shared_pipeline_of_s_tiles_in_flight_plus_one() -> str:
    """With S stages, tiles k and k+S are in different stages."""
    return "mod(k, S) != mod(k + d, S)"


@theorem(given=["0 <= k"], source=STAGES)
def shared_pipeline_phase_flips_when_the_stage_wraps() -> tuple[str, ...]:
    """The phase k / S of a barrier grows by 1 where stage k % S starts again at 0, only there."""
    return (
        "mod(k + 1, S) == 0 => floor_div(k + 1, S) == floor_div(k, S) + 1",
        "mod(k + 1, S) != 0 => floor_div(k + 1, S) == floor_div(k, S)",
    )


@theorem(given=["0 <= k"], expect="refuted", source=STAGES)
def shared_pipeline_phase_flips_at_every_tile() -> str:
    """The phase of a barrier grows by 1 from every tile to the next."""
    return "floor_div(k + 1, S) == floor_div(k, S) + 1"


@theorem(source=STAGES)
def shared_operands_share_one_buffer() -> str:
    """The stages of A and, from their end on, the stages of B have nothing in common."""
    return "apart((bM,bK,S):(1,bM,bM*bK), (bN,bK,S):(1,bN,bN*bK), bM*bK*S)"


@theorem(expect="refuted", source=STAGES)
def shared_operands_an_A_tile_apart() -> str:
    """The stages of A and, from the end of the first stage on, those of B are apart."""
    return "apart((bM,bK,S):(1,bM,bM*bK), (bN,bK,S):(1,bN,bN*bK), bM*bK)"


@theorem(given=["R % 8 == 0", "C % 64 == 0"], source=ATOMS)
def shared_atoms_tile_a_block() -> tuple[str, ...]:
    """Atoms of 8 x 64, row-major, tile an R x C block and use every element of it once."""
    return (
        f"bijective(tile_to_shape({ATOM}, (R,C)))",
        f"equal(tile_to_shape({ATOM}, (R,C)), ((8,R/8),(64,C/64)):((64,512),(1,64*R)))",
        f"compatible((R,C), tile_to_shape({ATOM}, (R,C)))",
    )


@theorem(given=["R % 8 == 0", "C % 64 == 0"], expect="refuted", source=ATOMS)
def shared_atoms_make_a_row_major_block() -> str:
    """A block tiled by row-major atoms of 8 x 64 is row-major."""
    return f"equal(tile_to_shape({ATOM}, (R,C)), (R,C):(C,1))"


@theorem(given=["R % 8 == 0"], source=ATOMS)
def shared_atoms_as_wide_as_the_block() -> str:
    """A block of 64 columns tiled by atoms of 8 x 64 is row-major."""
    return f"equal(tile_to_shape({ATOM}, (R,64)), (R,64):(64,1))"


@theorem(given=["R % 8 == 0", "C % 64 == 0"], source=ATOMS)
def shared_atoms_with_stages() -> tuple[str, ...]:
    """Tiled to (R,C,S), the atoms make S stages, R*C apart."""
    staged = f"tile_to_shape({ATOM}, (R,C,S))"
    return f"bijective({staged})", f"({staged})(0,0,1) == R*C", f"size({staged}) == R*C*S"


@theorem(given=["R % 8 == 0", "C % 64 == 0"], source=ATOMS)
def shared_block_read_transposed() -> tuple[str, ...]:
    """The block of V read as its transpose: the same elements, row and column exchanged."""
    block = f"tile_to_shape({ATOM}, (R,C))"
    transposed = f"composition({block}, (C,R):(R,1))"
    return f"bijective({transposed})", f"equal({transposed}, select({block}, 1, 0))"


@theorem(given=["R % 8 == 0", "C % 64 == 0", "C >= 128"], expect="refuted", source=ATOMS)
def shared_block_read_as_its_columns() -> str:
    """The block composed with the index layout of its own shape is its transpose."""
    block = f"tile_to_shape({ATOM}, (R,C))"
    return f"is_composition(select({block}, 1, 0), {block}, (C,R):(C,1))"


@theorem(source=TRANSPOSE)
def shared_transpose_tile_is_injective() -> tuple[str, ...]:
    """A T x T tile with rows T+1 apart holds every element, read by rows or by columns."""
    return (
        "injective((T,T):(T+1,1))",
        "in_bounds((T,T):(T+1,1), T*(T+1))",
        "equal(select((T,T):(T+1,1), 1, 0), (T,T):(1,T+1))",
    )


@theorem(expect="refuted", source=TRANSPOSE)
def shared_transpose_tile_without_the_room() -> str:
    """A T x T tile with rows T+1 apart fits in T*T elements."""
    return "in_bounds((T,T):(T+1,1), T*T)"


@theorem(given=["0 <= x", "x < T"], source=TRANSPOSE)
def shared_padded_column_hits_every_bank() -> str:
    """With T banks, the x-th element of a column of rows T+1 apart is in bank x."""
    return "mod(((T,T):(T+1,1))(x,0), T) == x"


@theorem(given=["0 <= x", "x < T"], expect="refuted", source=TRANSPOSE)
def shared_dense_column_hits_every_bank() -> str:
    """With T banks, the x-th element of a column of rows T apart is in bank x."""
    return "mod(((T,T):(T,1))(x,0), T) == x"


@theorem(given=["bK % 8 == 0", "pad % 8 == 0", "pad >= 0"], source=PADDED)
def shared_rows_padded_by_vectors_stay_aligned() -> str:
    """Rows of bK elements padded by whole vectors of 8 begin at multiples of 8."""
    return "aligned((bM,bK/8,S):(bK+pad,8,bM*(bK+pad)), 8)"


@theorem(given=["bK % 8 == 0"], expect="refuted", source=PADDED)
def shared_rows_padded_by_one_stay_aligned() -> str:
    """Rows padded by one element still begin at multiples of 8."""
    return "aligned((bM,bK/8):(bK+1,8), 8)"
