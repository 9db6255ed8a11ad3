"""Batches of matrices: one stride more, and what it must be."""

from __future__ import annotations

from symcute import theorem

STRIDED = "cuBLAS: gemmStridedBatched"
LINEAR = "PyTorch: torch.nn.functional.linear on inputs of rank 3"


@theorem(given=["LD >= M", "SB >= LD*N"], source=STRIDED)
def batch_of_padded_matrices() -> tuple[str, ...]:
    """Column-major matrices that lie SB >= LD*N apart do not meet and end before B*SB."""
    return "injective((M,N,B):(1,LD,SB))", "in_bounds((M,N,B):(1,LD,SB), B*SB)"


@theorem(given=["LD >= M", "SB >= LD*(N-1) + M"], source=STRIDED)
def batch_without_the_last_padding() -> tuple[str, ...]:
    """Matrices of a batch do not meet when each begins after the last element of the one before."""
    return (
        "injective((M,N,B):(1,LD,SB))",
        "in_bounds((M,N,B):(1,LD,SB), (B-1)*SB + LD*(N-1) + M)",
    )


@theorem(given=["LD >= M", "SB >= LD*(N-1) + M - 1"], expect="refuted", source=STRIDED)
def batch_one_element_too_close() -> str:
    """The next matrix may begin on the last element of the one before."""
    return "injective((M,N,B):(1,LD,SB))"


@theorem(given=["LD >= M", "SB >= M*N"], expect="refuted", source=STRIDED)
def batch_stride_without_padding() -> str:
    """A batch stride of M*N is enough when the columns are padded."""
    return "injective((M,N,B):(1,LD,SB))"


@theorem(given=["LD >= M", "SB >= LD*(N-1) + M", "1 <= b"], source=STRIDED)
def batch_members_are_apart() -> str:
    """Any two matrices of a strided batch have no element in common."""
    return "apart((M,N):(1,LD), (M,N):(1,LD), b*SB)"


@theorem(given=["LD >= M", "SB >= LD*(N-1)", "1 <= b"], expect="refuted", source=STRIDED)
def batch_members_meet_in_the_last_column() -> str:
    """Two matrices are apart when one begins with the last column of the other."""
    return "apart((M,N):(1,LD), (M,N):(1,LD), b*SB)"


@theorem(given=["LD >= M"], source=STRIDED)
def batch_with_interleaved_columns() -> tuple[str, ...]:
    """The columns of B matrices may take turns: matrix b has every B-th column of the buffer."""
    return "injective((M,N,B):(1,B*LD,LD))", "in_bounds((M,N,B):(1,B*LD,LD), B*LD*N)"


@theorem(given=["LD >= M"], expect="refuted", source=STRIDED)
def batch_with_columns_on_top_of_each_other() -> str:
    """The columns of B matrices may take turns without lying further apart."""
    return "injective((M,N,B):(1,LD,LD))"


@theorem(source="batched small matrices, one a thread: interleaved batches of LAPACK and Kokkos")
def batch_index_fastest() -> str:
    """With the batch as the fastest mode a batch is dense too, and lane b reads element b."""
    return "bijective((M,N,B):(B,B*M,1))"


@theorem(
    expect="refuted",
    source="batched small matrices, one a thread: interleaved batches of LAPACK and Kokkos",
)
def batch_index_fastest_with_dense_columns() -> str:
    """With the batch as the fastest mode the columns still lie M apart."""
    return "bijective((M,N,B):(B,M,1))"


@theorem(source=STRIDED)
def batch_with_one_operand_for_all() -> tuple[str, ...]:
    """Batch stride 0 gives every product the same matrix, in the room of one matrix."""
    return "in_bounds((M,K,B):(1,M,0), M*K)", "equal((M,K,1):(1,M,0), (M,K):(1,M))"


@theorem(source=STRIDED)
def batch_with_one_operand_for_all_is_compact() -> str:
    """A matrix repeated with batch stride 0 leaves no gap and takes no offset twice otherwise."""
    return "compact((M,K,B):(1,M,0))"


@theorem(expect="refuted", source=STRIDED)
def batch_with_one_result_for_all() -> str:
    """Batch stride 0 is fine for the result: no two products write to one place."""
    return "injective((M,N,B):(1,M,0))"


@theorem(source=LINEAR)
def batch_folds_into_the_rows() -> str:
    """B row-major matrices one after the other are one matrix with B*M rows."""
    return "equal(((M,B),K):((K,M*K),1), (M*B,K):(K,1))"


@theorem(given=["SB >= M*K"], expect="refuted", source=LINEAR)
def batch_with_gaps_folds_into_the_rows() -> str:
    """B row-major matrices with a gap after each are one matrix with B*M rows."""
    return "equal(((M,B),K):((K,SB),1), (M*B,K):(K,1))"


@theorem(expect="refuted", source=LINEAR)
def batch_folds_into_the_columns() -> str:
    """B row-major matrices one after the other are one row-major matrix with B*N columns."""
    return "equal((K,(N,B)):(N,(1,K*N)), (K,N*B):(N*B,1))"


@theorem(given=["LD >= M", "SB >= LD*N", "SG >= SB*B"], source="cuBLAS, grouped and batched GEMM")
def batch_of_batches() -> tuple[str, ...]:
    """Batches of batches nest: each stride has to clear all that is inside."""
    return (
        "injective((M,N,B,G):(1,LD,SB,SG))",
        "in_bounds((M,N,B,G):(1,LD,SB,SG), G*SG)",
    )


@theorem(
    given=["LD >= M", "SB >= LD*N", "SG >= SB"],
    expect="refuted",
    source="cuBLAS, grouped and batched GEMM",
)
def batch_of_batches_with_the_stride_of_one() -> str:
    """The stride of a group has to clear one matrix only."""
    return "injective((M,N,B,G):(1,LD,SB,SG))"


@theorem(source=STRIDED)
def batch_partitions_its_buffer() -> str:
    """A dense batch touches every element of its buffer exactly once."""
    return "partition((M,N,B):(1,M,M*N), M*N*B)"


@theorem(given=["SB >= M*N"], expect="refuted", source=STRIDED)
def batch_with_gaps_covers_its_buffer() -> str:
    """A batch with gaps between its matrices touches every element of its buffer."""
    return "covers((M,N,B):(1,M,SB), B*SB)"
