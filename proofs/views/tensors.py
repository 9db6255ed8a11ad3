"""PyTorch's views of one storage: transpose, permute, expand, view, narrow, select, chunk, repeat.

A tensor's last mode varies fastest in PyTorch; CuTe's first mode does. Where the order of indices
matters the modes stand in CuTe's order, and the docstring says which is which.
"""

from __future__ import annotations

from symcute import theorem

VIEWS = "PyTorch documentation, Tensor Views"
VIEW = "PyTorch documentation, torch.Tensor.view: when a view is possible"
EXPAND = "PyTorch documentation, torch.Tensor.expand"
SLICES = "PyTorch documentation, torch.narrow and basic indexing"
REPEAT = "PyTorch documentation, torch.Tensor.repeat and torch.repeat_interleave"

CONTIGUOUS = "(A,B,C,D):(B*C*D,C*D,D,1)"


@theorem(source=VIEWS)
def view_permuted_tensor_is_onto() -> tuple[str, ...]:
    """Permuting the modes of a contiguous tensor loses no element and names none twice."""
    return (
        f"bijective(select({CONTIGUOUS}, 0, 2, 1, 3))",
        f"bijective(select({CONTIGUOUS}, 3, 1, 2, 0))",
        f"bijective(select({CONTIGUOUS}, 1, 2, 3, 0))",
    )


@theorem(expect="refuted", source=VIEWS)
def view_permuted_tensor_is_contiguous() -> str:
    """Transposing the two middle modes of a contiguous tensor gives a contiguous tensor."""
    return f"equal(select({CONTIGUOUS}, 0, 2, 1, 3), (A,C,B,D):(C*B*D,B*D,D,1))"


@theorem(source=VIEWS)
def view_permuting_back() -> tuple[str, ...]:
    """A permutation of modes and its inverse give the tensor back."""
    return (
        f"equal(select(select({CONTIGUOUS}, 2, 0, 3, 1), 1, 3, 0, 2), {CONTIGUOUS})",
        f"equal(select(select({CONTIGUOUS}, 0, 2, 1, 3), 0, 2, 1, 3), {CONTIGUOUS})",
    )


@theorem(expect="refuted", source=VIEWS)
def view_permuting_twice() -> str:
    """A cyclic permutation of modes, applied twice, gives the tensor back."""
    return f"equal(select(select({CONTIGUOUS}, 1, 2, 3, 0), 1, 2, 3, 0), {CONTIGUOUS})"


@theorem(source=VIEWS)
def view_contiguous_copy_of_a_transpose() -> tuple[str, ...]:
    """`t().contiguous()` writes element i of the N x M copy from where the M x N tensor has it.

    The copy from storage to storage is the index layout of the transposition, and reading the copy
    as N x M is reading the tensor transposed.
    """
    return (
        "equal(composition((M,N):(1,M), (N,M):(M,1)), (N,M):(M,1))",
        "bijective((N,M):(M,1))",
        "is_left_inverse((M,N):(N,1), (N,M):(M,1))",
    )


@theorem(expect="refuted", source=VIEWS)
def view_contiguous_copy_in_place() -> str:
    """Copying a transposed tensor to contiguous storage leaves every element in its place."""
    return "equal((N,M):(M,1), N*M:1)"


@theorem(source=EXPAND)
def view_expanded_tensor_takes_no_room() -> tuple[str, ...]:
    """An N-vector expanded to M x N, or each element to M, stays in N elements."""
    return "in_bounds((M,N):(0,1), N)", "in_bounds((N,M):(1,0), N)", "compact((M,N):(0,1))"


@theorem(expect="refuted", source=EXPAND)
def view_expanded_tensor_can_be_written() -> str:
    """No two elements of an expanded tensor share a place."""
    return "injective((M,N):(0,1))"


@theorem(source=EXPAND)
def view_expanding_to_one_is_unsqueezing() -> tuple[str, ...]:
    """A mode of extent 1 may have any stride: it changes no offset and no property."""
    return (
        "equal((M,1,N):(N,x,1), (M,N):(N,1))",
        "bijective((M,1,N):(N,x,1))",
    )


@theorem(given=["x != 1"], expect="refuted", source=EXPAND)
def view_mode_of_extent_2_has_any_stride() -> str:
    """A mode of extent 2 may have any stride."""
    return "equal((2,M):(x,2), 2*M:1)"


@theorem(source=EXPAND)
def view_broadcast_operands_share_no_mode() -> tuple[str, ...]:
    """The operands of an outer product, expanded to M x N, name each pair exactly once.

    The first with strides (1,0), the second with (0,1): offsets i and j, together i + M*j.
    """
    return (
        "equal(layout_add((M,N):(1,0), (M,N):(0,M)), (M,N):(1,M))",
        "bijective(layout_add((M,N):(1,0), (M,N):(0,M)))",
    )


@theorem(expect="refuted", source=EXPAND)
def view_broadcast_operands_of_one_mode() -> str:
    """Operands expanded along the same mode name each pair exactly once together."""
    return "bijective(layout_add((M,N):(1,0), (M,N):(M,0)))"


@theorem(source=VIEW)
def view_merges_modes_that_follow_one_another() -> tuple[str, ...]:
    """Modes with stride[i] = stride[i+1]*size[i+1] are one mode: (N,M), N inner, stride s."""
    return (
        "equal((N,M):(s,s*N), N*M:s)",
        "equal((K,N,M):(s,s*K,s*K*N), K*N*M:s)",
        "equal((K,(N,M)):(x,(s,s*N)), (K,N*M):(x,s))",
    )


@theorem(given=["t >= s*N"], expect="refuted", source=VIEW)
def view_merges_modes_with_a_gap() -> str:
    """Modes with stride[i] >= stride[i+1]*size[i+1] are one mode."""
    return "equal((N,M):(s,t), N*M:s)"


@theorem(given=["N % k == 0"], source=VIEW)
def view_splits_a_mode() -> tuple[str, ...]:
    """A mode of any stride splits in parts of k; the view names the same elements in order."""
    return (
        "equal(((k,N/k),M):((s,k*s),t), (N,M):(s,t))",
        "compatible((N,M), ((k,N/k),M))",
    )


@theorem(given=["N % k == 0"], expect="refuted", source=VIEW)
def view_splits_a_mode_with_its_own_stride() -> str:
    """Both parts of a split mode keep its stride."""
    return "equal(((k,N/k),M):((s,s),t), (N,M):(s,t))"


@theorem(expect="refuted", source=VIEW)
def view_flattens_a_transposed_tensor() -> str:
    """A transposed matrix can be viewed as a vector, its elements in order of the transpose."""
    return "equal(select((N,M):(1,N), 1, 0), M*N:1)"


@theorem(source=VIEW)
def view_flattens_after_a_copy() -> str:
    """What a copy makes of a transposed matrix can be viewed as a vector."""
    return "equal(make_layout_like(select((N,M):(1,N), 1, 0)) o (N,M):(M,1), N*M:1)"


@theorem(given=["0 <= a", "a + n <= N", "LD >= N"], source=SLICES)
def view_narrow_stays_inside() -> tuple[str, ...]:
    """Columns a to a+n of a matrix with rows LD apart: an M x n view, a elements on, inside."""
    return (
        "injective((M,n):(LD,1))",
        "in_bounds((M,n):(LD,1), (M-1)*LD + N - a)",
    )


@theorem(given=["0 <= a", "a + n <= N + 1", "LD >= N"], expect="refuted", source=SLICES)
def view_narrow_one_column_too_far() -> str:
    """Columns a to a+n of a matrix are inside when they end one column beyond it."""
    return "in_bounds((M,n):(LD,1), (M-1)*LD + N - a)"


@theorem(
    given=["0 <= a", "a < N", "0 <= b", "b <= N", "a < b", "n == ceil_div(b - a, k)"], source=SLICES
)
def view_slice_with_a_step() -> tuple[str, ...]:
    """`x[a:b:k]` has ceil((b-a)/k) elements, the last of them below b and none more would be."""
    return "a + (n-1)*k < b", "a + n*k >= b", "in_bounds(n:k, N - a)"


@theorem(
    given=["0 <= a", "a < N", "0 <= b", "b <= N", "a < b", "n == floor_div(b - a, k) + 1"],
    expect="refuted",
    source=SLICES,
)
def view_slice_with_a_step_and_one_more() -> str:
    """`x[a:b:k]` has (b-a)/k + 1 elements."""
    return "a + (n-1)*k < b"


@theorem(source=SLICES)
def view_even_and_odd_elements() -> tuple[str, ...]:
    """`x[0::2]` and `x[1::2]` are apart, and stacked as the inner mode they are x."""
    return "apart(n:2, n:2, 1)", "equal((2,n):(1,2), 2*n:1)", "bijective((n,2):(2,1))"


@theorem(expect="refuted", source=SLICES)
def view_even_and_odd_elements_concatenated() -> str:
    """`x[0::2]` followed by `x[1::2]` is x."""
    return "equal((n,2):(2,1), 2*n:1)"


@theorem(given=["LD >= n*k"], source="PyTorch documentation, torch.chunk and torch.split")
def view_chunks_of_columns() -> tuple[str, ...]:
    """k chunks of n columns are n apart, share nothing, and side by side they are the matrix."""
    return (
        "injective((M,n,k):(LD,1,n))",
        "equal((n,k,M):(1,n,LD), (n*k,M):(1,LD))",
        "in_bounds((M,n,k):(LD,1,n), M*LD)",
    )


@theorem(given=["LD >= n*k - 1"], expect="refuted", source="PyTorch documentation, torch.chunk")
def view_chunks_of_columns_in_narrow_rows() -> str:
    """Chunks of columns share nothing when a row is one element shorter than all of them."""
    return "injective((M,n,k):(LD,1,n))"


@theorem(given=["0 <= i", "i < N*R"], source=REPEAT)
def view_repeat_and_repeat_interleave() -> tuple[str, ...]:
    """Element i of a repeated N-vector is element i % N, of an interleaved one i / R."""
    return "((N,R):(1,0))(i) == mod(i, N)", "((R,N):(0,1))(i) == floor_div(i, R)"


@theorem(expect="refuted", source=REPEAT)
def view_repeat_is_repeat_interleave() -> str:
    """Repeating a vector and repeating its elements are the same."""
    return "equal((N,R):(1,0), (N,R):(0,1))"


@theorem(source="NumPy and PyTorch: stack, unbind")
def view_stacked_tensors() -> tuple[str, ...]:
    """k tensors of M x N stacked in a leading or a trailing mode fill k*M*N elements."""
    return "bijective((k,M,N):(M*N,N,1))", "bijective((M,N,k):(N*k,k,1))"


@theorem(expect="refuted", source="NumPy and PyTorch: stack, unbind")
def view_stacked_in_front_or_behind() -> str:
    """Stacked in a leading or a trailing mode, a tensor lies in the same places."""
    return "equal((M,N):(N,1), (M,N):(N*k,k))"
