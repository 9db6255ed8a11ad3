"""Vectorised accesses: what is aligned, and what a guard of whole vectors lets through."""

from __future__ import annotations

from symcute import theorem

ALIGNED = "CUDA C++ Programming Guide: vector types are aligned to their size"
TAIL = "vectorised kernels: a guard for every vector instead of every element"
CUTLASS = "CUTLASS: alignment of operands in elements (AlignmentA, AlignmentB)"

VECTORS = "(V,ceil_div(N,V)):(1,V)"
#: The first element of the vector a coordinate belongs to.
FIRST = "(V,ceil_div(N,V)):(0,V)"


@theorem(given=["LD % 4 == 0", "N % 4 == 0"], source=ALIGNED)
def vectors_of_rows_are_aligned() -> str:
    """Vectors of 4 begin at multiples of 4 in every row when 4 divides the leading dimension."""
    return "aligned((M,N/4):(LD,4), 4)"


@theorem(given=["LD % 2 == 0", "N % 4 == 0"], expect="refuted", source=ALIGNED)
def vectors_of_rows_of_even_distance_are_aligned() -> str:
    """Vectors of 4 begin at multiples of 4 in every row when the leading dimension is even."""
    return "aligned((M,N/4):(LD,4), 4)"


@theorem(given=["LD % V == 0", "SB % V == 0", "N % V == 0"], source=CUTLASS)
def vectors_of_a_batch_are_aligned() -> tuple[str, ...]:
    """Vectors of V are aligned in a batch when V divides leading dimension and batch stride."""
    return "aligned((M,N/V,B):(LD,V,SB), V)", "injective((V,N/V):(1,V))"


@theorem(given=["LD % V == 0", "N % V == 0"], expect="refuted", source=CUTLASS)
def vectors_of_a_batch_of_any_stride_are_aligned() -> str:
    """Vectors of V are aligned in a batch when V divides the leading dimension only."""
    return "aligned((M,N/V,B):(LD,V,SB), V)"


@theorem(given=["V % W == 0", "LD % V == 0", "N % V == 0"], source=ALIGNED)
def vectors_aligned_to_more_are_aligned_to_less() -> str:
    """What is aligned to V is aligned to every divisor of V."""
    return "aligned((M,N/V):(LD,V), W)"


@theorem(given=["W % V == 0", "LD % V == 0", "N % V == 0"], expect="refuted", source=ALIGNED)
def vectors_aligned_to_less_are_aligned_to_more() -> str:
    """What is aligned to V is aligned to every multiple of V."""
    return "aligned((M,N/V):(LD,V), W)"


@theorem(given=["K % 64 == 0", "LD >= K", "LD % 8 == 0"], source=CUTLASS)
def vectors_of_k_tiles_are_aligned() -> tuple[str, ...]:
    """Tiles of 64 in K, in vectors of 8, are aligned, and the vectors fill the tile."""
    return (
        "aligned((M,(8,K/64)):(LD,(8,64)), 8)",
        "bijective((8,8,K/64):(1,8,64))",
    )


@theorem(given=["K % 64 == 0", "LD >= K"], expect="refuted", source=CUTLASS)
def vectors_of_k_tiles_with_any_leading_dimension_are_aligned() -> str:
    """Tiles of 64 in K, in vectors of 8, are aligned for every leading dimension LD >= K."""
    return "aligned((M,(8,K/64)):(LD,(8,64)), 8)"


@theorem(given=["N % V == 0"], source=TAIL)
def vectors_behind_a_guard_of_vectors() -> str:
    """When V divides N, a guard for the first element of each vector keeps all of it inside."""
    return f"in_bounds({VECTORS}, N, where({FIRST}, N))"


@theorem(expect="refuted", source=TAIL)
def vectors_behind_a_guard_of_vectors_for_any_length() -> str:
    """A guard for the first element of each vector keeps all of it inside, for every N."""
    return f"in_bounds({VECTORS}, N, where({FIRST}, N))"


@theorem(source=TAIL)
def vectors_reach_less_than_a_vector_too_far() -> str:
    """Behind a guard for each vector no access is V or more elements beyond the end."""
    return f"in_bounds({VECTORS}, N + V - 1, where({FIRST}, N))"


@theorem(source=TAIL)
def vectors_and_a_scalar_tail_visit_everything_once() -> tuple[str, ...]:
    """N/V whole vectors, and N % V elements behind them, are all of N, each once."""
    return (
        "N >= V => floor_div(N,V)*V + mod(N,V) == N",
        "mod(N,V) < V",
        "apart(floor_div(N,V)*V + 1:1, mod(N,V) + 1:1, floor_div(N,V)*V + 1)",
    )


@theorem(expect="refuted", source=TAIL)
def vectors_and_a_scalar_tail_of_a_whole_vector() -> str:
    """The scalar tail behind N/V whole vectors has at least one element."""
    return "mod(N,V) >= 1"


@theorem(given=["LD % 8 == 0", "LD >= N"], source=ALIGNED)
def vectors_recast_rows() -> tuple[str, ...]:
    """Rows of bytes as rows of 64-bit words: an eighth of the columns and of the distance."""
    return (
        "equal(upcast((8*N,M):(1,LD), 8), (N,M):(1,LD/8))",
        "equal(downcast((N,M):(1,LD/8), 8), (8*N,M):(1,LD))",
    )


@theorem(given=["LD % 8 == 0", "LD >= N"], expect="refuted", source=ALIGNED)
def vectors_recast_rows_the_wrong_way() -> str:
    """Rows of bytes as rows of 64-bit words keep the number that is their distance."""
    return "equal(upcast((8*N,M):(1,LD), 8), (N,M):(1,LD))"
