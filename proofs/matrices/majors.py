"""Matrices and tensors in row-major and column-major order, dense and with padded rows.

A claim is written in the grammar of the command line: `(M,N):(LD,1)` is the layout of an M x N
matrix whose rows lie LD apart.
"""

from __future__ import annotations

from symcute import theorem

BLAS = "BLAS: general matrix storage with a leading dimension"
CUTE = "CuTe documentation, 01_layout"


@theorem(source=CUTE)
def matrix_column_major_is_onto() -> str:
    """A column-major matrix takes every offset below M*N exactly once."""
    return "bijective((M,N):(1,M))"


@theorem(expect="refuted", source=CUTE)
def matrix_row_major_with_the_stride_of_columns() -> str:
    """A matrix whose rows lie M apart (instead of N) takes every offset once."""
    return "bijective((M,N):(M,1))"


@theorem(source=BLAS)
def matrix_tensor_of_rank_4_is_onto() -> tuple[str, ...]:
    """A dense tensor of rank 4 takes every offset once, whatever the order of its modes.

    Shown for the orders in which the last mode, the first, the second and the third vary fastest.
    """
    return (
        "bijective((A,B,C,D):(B*C*D,C*D,D,1))",
        "bijective((A,B,C,D):(1,A,A*B,A*B*C))",
        "bijective((A,B,C,D):(B,1,A*B*D,A*B))",
        "bijective(make_ordered_layout((A,B,C,D), (2,3,0,1)))",
    )


@theorem(given=["C >= 2"], expect="refuted", source=BLAS)
def matrix_tensor_with_two_modes_confused() -> str:
    """A tensor of rank 4 is dense when the strides of two modes come from the wrong extents."""
    return "bijective((A,B,C,D):(B*C*D,B*D,D,1))"


@theorem(given=["LD >= N"], source=BLAS)
def matrix_padded_rows_do_not_meet() -> tuple[str, ...]:
    """Rows that lie LD >= N apart have no element in common and end before (M-1)*LD + N."""
    return "injective((M,N):(LD,1))", "in_bounds((M,N):(LD,1), (M-1)*LD + N)"


@theorem(given=["LD >= N - 1"], expect="refuted", source=BLAS)
def matrix_rows_padded_one_too_little() -> str:
    """Rows that lie N-1 apart have no element in common."""
    return "injective((M,N):(LD,1))"


@theorem(given=["LD >= N"], expect="refuted", source=BLAS)
def matrix_padded_rows_in_a_dense_buffer() -> str:
    """A padded matrix fits in M*N elements."""
    return "in_bounds((M,N):(LD,1), M*N)"


@theorem(given=["LD >= M"], source=BLAS)
def matrix_leading_dimension_times_columns_is_enough() -> str:
    """A column-major matrix with leading dimension LD >= M fits in LD*N elements."""
    return "in_bounds((M,N):(1,LD), LD*N)"


@theorem(given=["LD >= 1"], expect="refuted", source=BLAS)
def matrix_leading_dimension_below_the_rows() -> str:
    """LD*N elements are enough for every leading dimension."""
    return "in_bounds((M,N):(1,LD), LD*N)"


@theorem(source="CuTe: cosize in cute/layout.hpp")
def matrix_cosize_of_padded_rows() -> str:
    """The cosize of a padded matrix leaves out the padding of its last row."""
    return "cosize((M,N):(LD,1)) == (M-1)*LD + N"


@theorem(given=["LD >= N"], expect="refuted", source="CuTe: cosize in cute/layout.hpp")
def matrix_cosize_counts_whole_rows() -> str:
    """The cosize of a padded matrix is its number of rows times their distance."""
    return "cosize((M,N):(LD,1)) == M*LD"


@theorem(source=BLAS)
def matrix_transpose_of_rows_is_columns() -> tuple[str, ...]:
    """Swapping the modes of a row-major matrix gives the column-major one, padded or not."""
    return (
        "equal(select((M,N):(N,1), 1, 0), make_layout((N,M)))",
        "equal(select((M,N):(LD,1), 1, 0), (N,M):(1,LD))",
    )


@theorem(expect="refuted", source=BLAS)
def matrix_rows_are_columns() -> str:
    """Row-major and column-major are the same map."""
    return "equal((M,N):(N,1), (M,N):(1,M))"


@theorem(source=BLAS)
def matrix_transposing_twice_is_nothing() -> tuple[str, ...]:
    """Transposing M x N and then N x M leaves every element where it was."""
    return (
        "equal(composition((M,N):(N,1), (N,M):(M,1)), M*N:1)",
        "is_composition(M*N:1, (M,N):(N,1), (N,M):(M,1))",
    )


@theorem(expect="refuted", source=BLAS)
def matrix_transposing_the_same_shape_twice() -> str:
    """Transposing M x N twice as M x N leaves every element where it was."""
    return "is_composition(M*N:1, (M,N):(N,1), (M,N):(N,1))"


@theorem(source=BLAS)
def matrix_square_transpose_is_an_involution() -> str:
    """The transposition of a square matrix undoes itself."""
    return "is_composition(N*N:1, (N,N):(N,1), (N,N):(N,1))"


@theorem(given=["0 <= k", "k < M*N"], source="index arithmetic of kernels: k / N and k % N")
def matrix_row_and_column_of_an_index() -> tuple[str, ...]:
    """The element k of a row-major matrix is in row k / N and column k % N."""
    return (
        "((M,N):(N,1))(floor_div(k,N), mod(k,N)) == k",
        "floor_div(k,N) < M",
        "mod(k,N) < N",
    )


@theorem(
    given=["0 <= k", "k < M*N"],
    expect="refuted",
    source="index arithmetic of kernels: k / N and k % N",
)
def matrix_row_by_the_number_of_rows() -> str:
    """The element k of a row-major matrix is in row k / M and column k % M."""
    return "((M,N):(N,1))(floor_div(k,M), mod(k,M)) == k"


@theorem(given=["0 <= i", "i < M", "0 <= j", "j < N"], source=CUTE)
def matrix_colexicographic_index() -> str:
    """The index i + j*M of a padded row-major matrix is its element in row i and column j."""
    return "((M,N):(LD,1))(i + j*M) == i*LD + j"


@theorem(given=["0 <= i", "i < M", "0 <= j", "j < N"], expect="refuted", source=CUTE)
def matrix_lexicographic_index() -> str:
    """The index i*N + j of a padded row-major matrix is its element in row i and column j."""
    return "((M,N):(LD,1))(i*N + j) == i*LD + j"


@theorem(given=["LD >= M"], source=BLAS)
def matrix_columns_are_walked_upwards() -> str:
    """Walking a column-major matrix index by index, the offset grows at every step."""
    return "increasing((M,N):(1,LD))"


@theorem(given=["LD >= M - 1"], source=BLAS)
def matrix_columns_that_touch_are_walked_upwards() -> str:
    """When each column begins where the one before ends, the offset never falls."""
    return "monotone((M,N):(1,LD))"


@theorem(given=["LD >= M - 1"], expect="refuted", source=BLAS)
def matrix_columns_that_touch_grow() -> str:
    """When each column begins where the one before ends, the offset grows at every step."""
    return "increasing((M,N):(1,LD))"


@theorem(given=["LD >= N"], expect="refuted", source=BLAS)
def matrix_rows_are_walked_upwards() -> str:
    """Walking a row-major matrix in CuTe's order of indices, the offset never falls."""
    return "monotone((M,N):(LD,1))"


@theorem(given=["LD >= N"], source="NumPy: views with negative strides")
def matrix_mirrored_is_injective() -> tuple[str, ...]:
    """A matrix read from its last row, from its last column, or both, has no offset twice."""
    return (
        "injective((M,N):(-LD,1))",
        "injective((M,N):(LD,-1))",
        "injective((M,N):(-LD,-1))",
    )


@theorem(given=["LD >= N"], expect="refuted", source="NumPy: views with negative strides")
def matrix_mirrored_keeps_its_base() -> str:
    """A matrix read from its last column needs no other base: its offsets are not negative."""
    return "in_bounds((M,N):(LD,-1), M*LD)"


@theorem(
    given=["LD >= N", "0 <= i", "i < M", "0 <= j", "j < N"],
    source="NumPy: views with negative strides",
)
def matrix_mirrored_from_its_last_element() -> tuple[str, ...]:
    """From the last element on, the mirrored matrix holds the element (M-1-i,N-1-j) at (i,j).

    With the base at offset (M-1)*LD + N-1 it stays in the buffer of the matrix.
    """
    last = "(M-1)*LD + N - 1"
    return (
        f"{last} + ((M,N):(-LD,-1))(i,j) == ((M,N):(LD,1))(M-1-i, N-1-j)",
        f"{last} + ((M,N):(-LD,-1))(i,j) >= 0",
        f"{last} + ((M,N):(-LD,-1))(i,j) <= {last}",
    )


@theorem(given=["LD == N"], source=BLAS)
def matrix_rows_without_padding_are_a_vector() -> str:
    """A matrix whose leading dimension is its row length is a vector of M*N elements."""
    return "equal((N,M):(1,LD), M*N:1)"


@theorem(given=["LD >= N"], expect="refuted", source=BLAS)
def matrix_padded_rows_are_a_vector() -> str:
    """A matrix with padded rows is a vector of M*N elements."""
    return "equal((N,M):(1,LD), M*N:1)"


@theorem(source="PLASMA and SLATE: tile layout")
def matrix_stored_by_tiles_is_onto() -> tuple[str, ...]:
    """A matrix stored tile after tile takes every offset once.

    The tiles are t x u, column-major inside; the P x Q tiles lie in column-major or row-major
    order.
    """
    return (
        "bijective(((t,P),(u,Q)):((1,t*u),(t,t*u*P)))",
        "bijective(((t,P),(u,Q)):((1,t*u*Q),(t,t*u)))",
    )


@theorem(expect="refuted", source="PLASMA and SLATE: tile layout")
def matrix_stored_by_tiles_with_the_distance_of_columns() -> str:
    """Tiles stored one after the other lie a tile's column apart, not a whole tile."""
    return "bijective(((t,P),(u,Q)):((1,t),(t,t*u*P)))"


@theorem(source="PLASMA and SLATE: conversion between tile and LAPACK layout")
def matrix_from_columns_to_tiles_and_back() -> tuple[str, ...]:
    """The copy from tile layout to column-major is a permutation, and its inverse the copy back."""
    tiles = "((t,P),(u,Q)):((1,t*u),(t,t*u*P))"
    back = "((t,u),(P,Q)):((1,t*P),(t,t*P*u))"
    return (
        f"equal(right_inverse({tiles}), {back})",
        f"is_right_inverse({back}, {tiles})",
        f"is_left_inverse({back}, {tiles})",
    )


@theorem(expect="refuted", source="PLASMA and SLATE: conversion between tile and LAPACK layout")
def matrix_to_tiles_is_its_own_inverse() -> str:
    """Bringing a matrix to tiles twice brings it back."""
    tiles = "((t,P),(u,Q)):((1,t*u),(t,t*u*P))"
    return f"is_right_inverse({tiles}, {tiles})"


@theorem(source="two-level tile layouts of packed GEMM kernels (BLIS)")
def matrix_packed_panels_are_onto() -> tuple[str, ...]:
    """The panels that GEMM packs its operands in take every offset once.

    A is packed in micro-panels of r rows, each column-major over its k columns; B in micro-panels
    of c columns, each row-major over its k rows.
    """
    return "bijective(((r,P),k):((1,r*k),r))", "bijective((k,(c,Q)):(c,(1,c*k)))"


@theorem(expect="refuted", source="two-level tile layouts of packed GEMM kernels (BLIS)")
def matrix_packed_panels_are_column_major() -> str:
    """Packing in micro-panels leaves a column-major matrix as it is."""
    return "equal(((r,P),k):((1,r*k),r), (r*P,k):(1,r*P))"
