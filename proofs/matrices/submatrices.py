"""Parts of matrices: blocks, panels, every other row, diagonals, bands."""

from __future__ import annotations

from symcute import theorem

BLAS = "BLAS and LAPACK: a submatrix is a pointer and the leading dimension of the whole"
BAND = "LAPACK Users' Guide, band storage"

INSIDE = ["LD >= M", "0 <= i", "0 <= j", "i + m <= M", "j + n <= N"]


@theorem(given=INSIDE, source=BLAS)
def submatrix_stays_inside() -> str:
    """An m x n block at (i,j) of a column-major matrix stays in the LD*N elements of the matrix."""
    return "in_bounds((m,n):(1,LD), LD*N - (i + j*LD))"


@theorem(
    given=["LD >= M", "0 <= i", "0 <= j", "i + m <= M + 1", "j + n <= N"],
    expect="refuted",
    source=BLAS,
)
def submatrix_one_row_too_low() -> str:
    """A block that ends one row below the matrix still stays in LD*N elements."""
    return "in_bounds((m,n):(1,LD), LD*N - (i + j*LD))"


@theorem(
    given=[*INSIDE, "0 <= x", "x < m", "0 <= y", "y < n"],
    source=BLAS,
)
def submatrix_element() -> str:
    """The element (x,y) of the block at (i,j) is the element (i+x,j+y) of the matrix."""
    return "i + j*LD + ((m,n):(1,LD))(x,y) == ((M,N):(1,LD))(i + x, j + y)"


@theorem(
    given=[*INSIDE, "0 <= x", "x < m", "0 <= y", "y < n"],
    expect="refuted",
    source=BLAS,
)
def submatrix_with_its_own_leading_dimension() -> str:
    """The block may be addressed with its own number of rows as leading dimension."""
    return "i + j*LD + ((m,n):(1,m))(x,y) == ((M,N):(1,LD))(i + x, j + y)"


@theorem(given=["LD >= N"], source=BLAS)
def panel_of_rows_below_another() -> str:
    """The first m rows of a row-major matrix and the p rows below have nothing in common."""
    return "apart((m,N):(LD,1), (p,N):(LD,1), m*LD)"


@theorem(given=["LD >= N"], expect="refuted", source=BLAS)
def panel_of_rows_that_shares_a_row() -> str:
    """The first m rows and the p rows from row m-1 on have nothing in common."""
    return "apart((m,N):(LD,1), (p,N):(LD,1), (m-1)*LD)"


@theorem(given=["LD >= n + p"], source=BLAS)
def panel_of_columns_beside_another() -> str:
    """The first n columns and the p columns beside have nothing in common when LD >= n + p."""
    return "apart((M,n):(LD,1), (M,p):(LD,1), n)"


@theorem(given=["LD >= n", "LD >= p"], expect="refuted", source=BLAS)
def panel_of_columns_that_runs_into_the_next_row() -> str:
    """Panels of n and p columns side by side are apart when each alone fits in a row."""
    return "apart((M,n):(LD,1), (M,p):(LD,1), n)"


@theorem(given=["LD >= m + p"], source="recursive Cholesky and LU: 2 x 2 blocks")
def quadrants_are_apart() -> tuple[str, ...]:
    """The four blocks of a 2 x 2 split of a column-major matrix have nothing in common."""
    A11, A21, A12, A22 = "(m,n):(1,LD)", "(p,n):(1,LD)", "(m,q):(1,LD)", "(p,q):(1,LD)"
    return (
        f"apart({A11}, {A21}, m)",
        f"apart({A11}, {A12}, n*LD)",
        f"apart({A11}, {A22}, m + n*LD)",
        f"apart({A21}, {A12}, n*LD - m)",
        f"apart({A21}, {A22}, n*LD)",
        f"apart({A12}, {A22}, m)",
    )


@theorem(
    given=["LD >= m", "LD >= p"],
    expect="refuted",
    source="recursive Cholesky and LU: 2 x 2 blocks",
)
def quadrants_taller_than_the_matrix_are_apart() -> str:
    """The upper and the lower left block are apart when each alone fits in a column."""
    return "apart((m,n):(1,LD), (p,n):(1,LD), m)"


@theorem(given=["LD >= N"], source="multigrid and red-black orderings")
def even_and_odd_rows_are_apart() -> tuple[str, ...]:
    """The even and the odd rows of a row-major matrix are matrices with nothing in common."""
    return (
        "apart((M,N):(2*LD,1), (M,N):(2*LD,1), LD)",
        "injective(((2,M),N):((LD,2*LD),1))",
        "equal(((2,M),N):((LD,2*LD),1), (2*M,N):(LD,1))",
    )


@theorem(given=["LD >= N"], expect="refuted", source="multigrid and red-black orderings")
def even_rows_and_rows_from_the_third_are_apart() -> str:
    """Every second row from row 0 and every second row from row 2 have nothing in common."""
    return "apart((M,N):(2*LD,1), (M,N):(2*LD,1), 2*LD)"


@theorem(given=["LD >= N"], source="torch.diagonal; NumPy: numpy.diagonal")
def diagonal_is_a_vector_of_stride_LD_plus_1() -> tuple[str, ...]:
    """The diagonal of an N x N matrix is a vector with stride LD + 1 inside LD*N elements."""
    return "injective(N:LD+1)", "in_bounds(N:LD+1, LD*N)"


@theorem(given=["LD >= N"], expect="refuted", source="torch.diagonal; NumPy: numpy.diagonal")
def diagonal_ends_before_the_last_row() -> str:
    """The diagonal of an N x N matrix ends before its last row."""
    return "in_bounds(N:LD+1, LD*(N-1))"


@theorem(given=["LD >= N", "0 <= i", "i < N"], source="torch.diagonal; NumPy: numpy.diagonal")
def diagonal_elements() -> tuple[str, ...]:
    """Strides LD+1 and LD-1 walk the diagonal and, from the last column on, the other one."""
    return (
        "(N:LD+1)(i) == ((N,N):(LD,1))(i,i)",
        "N - 1 + (N:LD-1)(i) == ((N,N):(LD,1))(i, N-1-i)",
    )


@theorem(
    given=["LD >= N", "0 <= i", "i < N"],
    expect="refuted",
    source="torch.diagonal; NumPy: numpy.diagonal",
)
def diagonal_with_the_stride_of_rows() -> str:
    """Stride LD walks the diagonal."""
    return "(N:LD)(i) == ((N,N):(LD,1))(i,i)"


@theorem(given=["LD >= 2"], source="torch.diagonal; NumPy: numpy.diagonal")
def antidiagonal_is_injective() -> str:
    """The other diagonal of a matrix with at least two columns visits no element twice."""
    return "injective(N:LD-1)"


@theorem(given=["LD >= 1"], expect="refuted", source="torch.diagonal; NumPy: numpy.diagonal")
def antidiagonal_of_one_column_is_injective() -> str:
    """The other diagonal visits no element twice, also with a leading dimension of 1."""
    return "injective(N:LD-1)"


@theorem(given=["LDAB >= KL + KU + 1", "KL >= 0", "KU >= 0"], source=BAND)
def band_storage_fits() -> tuple[str, ...]:
    """A band of KL + KU + 1 diagonals is stored in LDAB*N elements, each once."""
    return (
        "injective((KL+KU+1,N):(1,LDAB))",
        "in_bounds((KL+KU+1,N):(1,LDAB), LDAB*N)",
    )


@theorem(given=["LDAB >= KL + KU", "KL >= 0", "KU >= 0"], expect="refuted", source=BAND)
def band_storage_without_the_diagonal() -> str:
    """KL + KU rows are enough for KL sub- and KU superdiagonals (the main one forgotten)."""
    return "injective((KL+KU+1,N):(1,LDAB))"


@theorem(
    given=["KL >= 0", "KU >= 0", "0 <= i", "0 <= j", "j <= i + KU", "i <= j + KL"], source=BAND
)
def band_storage_is_a_matrix_of_stride_LDAB_minus_1() -> str:
    """The element (i,j) of a band matrix is stored where a matrix of strides (1,LDAB-1) has it.

    That is at KU + i + j*(LDAB-1): row KU + i - j, column j of the band's array.
    """
    return "((KL+KU+1,N):(1,LDAB))(KU + i - j, j) == KU + ((M,N):(1,LDAB-1))(i,j)"


@theorem(
    given=[
        *("KL >= 0", "KU >= 0", "LDAB >= KL + KU + 1"),
        *("0 <= i", "0 <= j", "j <= i + KU", "i <= j + KL"),
        *("0 <= k", "0 <= l", "l <= k + KU", "k <= l + KL", "j < l"),
    ],
    source=BAND,
)
def band_elements_do_not_meet() -> str:
    """Inside the band, elements of different columns lie at different places."""
    return "i + j*(LDAB-1) != k + l*(LDAB-1)"


@theorem(given=["LDAB >= KL + KU + 1", "KL >= 0", "KU >= 0"], expect="refuted", source=BAND)
def band_matrix_is_injective_outside_its_band() -> str:
    """The matrix of strides (1,LDAB-1) has no offset twice, outside the band too."""
    return "injective((M,N):(1,LDAB-1))"
