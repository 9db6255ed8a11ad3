"""Packed storage: triangles, symmetric matrices, complex numbers, structures of arrays."""

from __future__ import annotations

from symcute import theorem

TRIANGLE = "LAPACK Users' Guide, packed storage"
RFP = "LAPACK Working Note 199, rectangular full packed format"
COMPLEX = "C and Fortran: a complex number is two reals, one after the other"
PLANAR = "CUTLASS: planar complex GEMM"
RECORDS = "arrays of structures of arrays, as SIMD and GPU codes use them"

#: An element (i,j), j < k, of a lower triangle of order 2*k; one, (k+r,k+c), of its last k columns.
FULL = ["0 <= j", "j < k", "j <= i", "i < 2*k", "0 <= c", "c <= r", "r < k"]
#: Two elements of an upper triangle, (i,j) in a column before that of (k,l).
TWO = ["0 <= i", "i <= j", "j < l", "0 <= k", "k <= l"]


@theorem(given=["0 <= i", "i <= j", "j < N"], source=TRIANGLE)
def packed_triangle_fits() -> tuple[str, ...]:
    """The element (i,j), i <= j, of a packed upper triangle lies below N*(N+1)/2."""
    return "2*i + j*(j+1) <= N*(N+1) - 2", "2*i + j*(j+1) >= 0"


@theorem(given=["0 <= i", "i <= j", "j < N"], expect="refuted", source=TRIANGLE)
def packed_triangle_without_the_diagonal_fits() -> str:
    """The element (i,j), i <= j, of a packed upper triangle lies below N*(N-1)/2."""
    return "2*i + j*(j+1) <= N*(N-1) - 2"


@theorem(given=TWO, source=TRIANGLE)
def packed_columns_follow_one_another() -> str:
    """In a packed upper triangle every element lies before all elements of later columns."""
    return "i + floor_div(j*(j+1), 2) < k + floor_div(l*(l+1), 2)"


@theorem(given=TWO, expect="refuted", source=TRIANGLE)
def packed_columns_by_the_formula_that_counts_from_1() -> str:
    """The formula i + j*(j-1)/2, meant for indices from 1, is right for indices from 0."""
    return "2*i + j*(j-1) < 2*k + l*(l-1)"


@theorem(given=["0 <= j"], source=TRIANGLE)
def packed_column_begins_where_the_last_one_ends() -> tuple[str, ...]:
    """Column j of a packed upper triangle begins with element j*(j+1)/2; it has j+1 elements."""
    return (
        "floor_div((j+1)*(j+2), 2) == floor_div(j*(j+1), 2) + j + 1",
        "2*floor_div(j*(j+1), 2) == j*(j+1)",
    )


@theorem(given=["0 <= j"], expect="refuted", source=TRIANGLE)
def packed_column_has_j_elements() -> str:
    """Column j of a packed upper triangle has j elements."""
    return "floor_div((j+1)*(j+2), 2) == floor_div(j*(j+1), 2) + j"


@theorem(given=["0 <= j", "j <= i", "i < N"], source=TRIANGLE)
def packed_lower_triangle_fits() -> tuple[str, ...]:
    """The element (i,j), i >= j, of a packed lower triangle is i + j*(2*N-j-1)/2, inside it."""
    return "2*i + j*(2*N-j-1) <= N*(N+1) - 2", "2*i + j*(2*N-j-1) >= 0"


@theorem(given=["0 <= j", "j <= i", "i < N"], expect="refuted", source=TRIANGLE)
def packed_lower_triangle_by_the_upper_formula() -> str:
    """The element (i,j), i >= j, of a packed lower triangle is where the upper one has it."""
    return "2*i + j*(2*N-j-1) == 2*i + j*(j+1)"


@theorem(
    given=["0 <= j", "j < l", "j <= i", "i < N", "l <= k", "k < N"],
    source=TRIANGLE,
)
def packed_lower_columns_follow_one_another() -> str:
    """In a packed lower triangle every element lies before all elements of later columns."""
    return "2*i + j*(2*N-j-1) < 2*k + l*(2*N-l-1)"


@theorem(
    given=["0 <= j", "j < l", "j <= i", "i < N", "0 <= k", "k < N"],
    expect="refuted",
    source=TRIANGLE,
)
def packed_lower_triangle_has_room_above_the_diagonal() -> str:
    """In a packed lower triangle elements above the diagonal have places of their own, in order."""
    return "2*i + j*(2*N-j-1) < 2*k + l*(2*N-l-1)"


@theorem(
    given=["0 <= I", "I <= J", "J < T", "0 <= x", "x < nb", "0 <= y", "y < nb"],
    source="triangles stored by square tiles: PLASMA, DPLASMA",
)
def packed_triangle_of_tiles_fits() -> tuple[str, ...]:
    """A triangle of T*(T+1)/2 square tiles of nb*nb elements holds each element in its room."""
    return (
        "nb*nb*(2*I + J*(J+1)) + 2*((nb,nb):(1,nb))(x,y) <= nb*nb*T*(T+1) - 2",
        "bijective((nb,nb):(1,nb))",
    )


@theorem(
    given=["0 <= I", "I <= J", "J < T", "0 <= x", "x < nb", "0 <= y", "y < nb"],
    expect="refuted",
    source="triangles stored by square tiles: PLASMA, DPLASMA",
)
def packed_triangle_of_tiles_in_half_a_matrix() -> str:
    """A triangle of square tiles fits in half the elements of the square matrix."""
    return "nb*nb*(2*I + J*(J+1)) + 2*((nb,nb):(1,nb))(x,y) <= nb*nb*T*T - 2"


@theorem(given=FULL, source=RFP)
def packed_triangle_in_a_rectangle() -> tuple[str, ...]:
    """A triangle of order 2*k fills a rectangle of 2*k+1 rows and k columns, without a clash.

    Columns j < k stand one row lower than in the matrix, and above them, transposed, the triangle
    of the last k rows and columns: its element (r,c), c <= r, in row c of column r.
    """
    return (
        "(i + 1) + j*(2*k+1) != c + r*(2*k+1)",
        "(i + 1) + j*(2*k+1) < (2*k+1)*k",
        "c + r*(2*k+1) < (2*k+1)*k",
        "2*((2*k+1)*k) == (2*k)*(2*k+1)",
    )


@theorem(given=FULL, expect="refuted", source=RFP)
def packed_triangle_in_a_rectangle_without_the_row() -> str:
    """Both parts fit in 2*k rows, without the columns standing one row lower."""
    return "i + j*(2*k) != c + r*(2*k)"


@theorem(source=COMPLEX)
def complex_parts_are_apart() -> str:
    """Real and imaginary parts of an interleaved complex matrix have nothing in common."""
    return "apart((M,N):(2,2*LD), (M,N):(2,2*LD), 1)"


@theorem(expect="refuted", source=COMPLEX)
def complex_elements_are_apart() -> str:
    """The matrix of real parts and itself from the next element on have nothing in common."""
    return "apart((M,N):(2,2*LD), (M,N):(2,2*LD), 2)"


@theorem(given=["LD >= M"], source=COMPLEX)
def complex_interleaved_is_injective() -> tuple[str, ...]:
    """An interleaved complex matrix takes no offset twice and, without padding, every one."""
    return "injective((2,M,N):(1,2,2*LD))", "bijective((2,M,N):(1,2,2*M))"


@theorem(given=["LD >= M"], expect="refuted", source=COMPLEX)
def complex_with_the_leading_dimension_in_reals() -> str:
    """The leading dimension of a complex matrix may be taken in reals without doubling it."""
    return "injective((2,M,N):(1,2,LD))"


@theorem(given=["LD >= M", "P >= LD*N"], source=PLANAR)
def complex_planar_is_injective() -> tuple[str, ...]:
    """Two planes, P >= LD*N apart, hold a complex matrix in 2*P elements."""
    return "injective((M,N,2):(1,LD,P))", "in_bounds((M,N,2):(1,LD,P), 2*P)"


@theorem(given=["LD >= M", "P >= M*N"], expect="refuted", source=PLANAR)
def complex_planes_that_forget_the_padding() -> str:
    """Planes M*N apart are enough when the columns are padded."""
    return "injective((M,N,2):(1,LD,P))"


@theorem(source=PLANAR)
def complex_planar_and_interleaved_are_each_other_inverse() -> tuple[str, ...]:
    """Splitting n complex numbers in planes and joining the planes undo each other."""
    return (
        "is_left_inverse((n,2):(2,1), (2,n):(n,1))",
        "is_right_inverse((n,2):(2,1), (2,n):(n,1))",
        "equal(right_inverse((2,n):(n,1)), (n,2):(2,1))",
    )


@theorem(expect="refuted", source=PLANAR)
def complex_splitting_twice_is_nothing() -> str:
    """Splitting n complex numbers in planes twice brings them back (true for n = 2)."""
    return "is_left_inverse((2,n):(n,1), (2,n):(n,1))"


@theorem(given=["M % 2 == 0", "LD % 2 == 0"], source=COMPLEX)
def complex_view_of_a_real_matrix() -> str:
    """A real matrix with even column length and leading dimension is complex, halved."""
    return "equal(upcast((M,N):(1,LD), 2), (M/2,N):(1,LD/2))"


@theorem(given=["M % 2 == 0", "LD % 2 == 0"], expect="refuted", source=COMPLEX)
def complex_view_keeps_the_leading_dimension() -> str:
    """A real matrix is complex with the leading dimension as it was."""
    return "equal(upcast((M,N):(1,LD), 2), (M/2,N):(1,LD))"


@theorem(source=COMPLEX)
def complex_reals_of_a_complex_matrix() -> str:
    """Complex elements as reals: twice as many rows, the leading dimension doubled."""
    return "equal(downcast((M,N):(1,LD), 2), (2*M,N):(1,2*LD))"


@theorem(expect="refuted", source=COMPLEX)
def complex_reals_in_twice_the_columns() -> str:
    """Complex elements as reals: the columns are twice as many."""
    return "equal(downcast((M,N):(1,LD), 2), (M,2*N):(1,LD))"


@theorem(given=["N % W == 0"], source=RECORDS)
def records_in_groups_of_W_are_onto() -> tuple[str, ...]:
    """F fields of N records, as records, as arrays and as arrays of W records, are all dense."""
    return (
        "bijective((F,N):(1,F))",
        "bijective((F,N):(N,1))",
        "bijective((F,(W,N/W)):(W,(1,F*W)))",
    )


@theorem(given=["N % W == 0"], expect="refuted", source=RECORDS)
def records_in_groups_a_field_apart() -> str:
    """Groups of W records lie W elements apart."""
    return "bijective((F,(W,N/W)):(W,(1,W)))"


@theorem(source=RECORDS)
def records_in_groups_of_1_or_all() -> tuple[str, ...]:
    """Groups of one record are records; one group of all is one array a field."""
    return (
        "equal((F,(1,N)):(1,(1,F)), (F,N):(1,F))",
        "equal((F,(N,1)):(N,(1,F*N)), (F,N):(N,1))",
    )


@theorem(expect="refuted", source=RECORDS)
def records_are_arrays() -> str:
    """Records and one array a field are the same map."""
    return "equal((F,N):(1,F), (F,N):(N,1))"


@theorem(given=["W % 32 == 0"], source=RECORDS)
def records_field_of_a_group_is_aligned() -> str:
    """In groups of a multiple of 32 records every field begins at a multiple of 32 elements."""
    return "aligned((F,P):(W,F*W), 32)"


@theorem(given=["F % 32 == 0"], expect="refuted", source=RECORDS)
def records_field_of_a_record_is_aligned() -> str:
    """Records of a multiple of 32 elements have every field at a multiple of 32."""
    return "aligned((F,N):(1,F), 32)"
