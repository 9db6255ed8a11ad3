"""Views by strides: `as_strided`, `unfold`, sliding windows, Hankel and Toeplitz matrices."""

from __future__ import annotations

from symcute import theorem

AS_STRIDED = "PyTorch documentation, torch.as_strided"
UNFOLD = "PyTorch documentation, torch.Tensor.unfold"
SLIDING = "NumPy: numpy.lib.stride_tricks.sliding_window_view"
FRAMES = "short-time Fourier transform: torch.stft, frames of a signal"


@theorem(given=["a >= 0", "b >= 0", "0 <= o", "o + (M-1)*a + (N-1)*b < L"], source=AS_STRIDED)
def strided_view_inside_its_storage() -> str:
    """A view with strides a and b from o on is inside when its last element is."""
    return "in_bounds((M,N):(a,b), L - o)"


@theorem(given=["0 <= o", "o + M*N <= L"], expect="refuted", source=AS_STRIDED)
def strided_view_with_enough_elements() -> str:
    """A view is inside when the storage has as many elements from o on."""
    return "in_bounds((M,N):(a,b), L - o)"


@theorem(given=["a >= N*b"], source=AS_STRIDED)
def strided_view_without_overlap() -> str:
    """A view has no element twice when one stride clears what the other spans."""
    return "injective((M,N):(a,b))"


@theorem(given=["a >= (N-1)*b"], expect="refuted", source=AS_STRIDED)
def strided_view_that_touches() -> str:
    """A view has no element twice when one stride reaches the last element of the other."""
    return "injective((M,N):(a,b))"


@theorem(source=AS_STRIDED)
def strided_view_overlaps_nowhere_though_no_stride_clears() -> tuple[str, ...]:
    """Strides 2 and 2*N + 1 over 2 columns: no stride is a multiple, and nothing overlaps.

    An odd stride beside an even one keeps the two columns apart whatever they span.
    """
    return "injective((2,N):(2*N+1,2))", "injective((N,2):(2,2*k+1))"


@theorem(expect="refuted", source=AS_STRIDED)
def strided_view_of_even_strides() -> str:
    """A view of 2 columns with strides 2 and 2*k has no element twice."""
    return "injective((N,2):(2,2*k))"


@theorem(given=["L >= w", "n == floor_div(L - w, k) + 1"], source=UNFOLD)
def unfold_reads_inside() -> tuple[str, ...]:
    """Windows of w elements, k apart: (L - w)/k + 1 of them are inside, one more is not."""
    return "in_bounds((n,w):(k,1), L)", "n*k + w > L"


@theorem(given=["L >= w", "n == ceil_div(L, k)"], expect="refuted", source=UNFOLD)
def unfold_with_a_window_everywhere() -> str:
    """A window may begin at every k-th element."""
    return "in_bounds((n,w):(k,1), L)"


@theorem(given=["k >= w"], source=UNFOLD)
def unfold_windows_that_do_not_overlap() -> str:
    """Windows that are at least as far apart as they are wide share no element."""
    return "injective((n,w):(k,1))"


@theorem(given=["k < w", "n >= 2"], expect="refuted", source=UNFOLD)
def unfold_windows_that_overlap() -> str:
    """Windows that are nearer than they are wide share no element."""
    return "injective((n,w):(k,1))"


@theorem(given=["k <= w"], source=UNFOLD)
def unfold_windows_cover_the_signal() -> str:
    """Windows at most as far apart as they are wide leave out nothing up to the last one."""
    return "covers((w,n):(1,k), (n-1)*k + w)"


@theorem(given=["k <= w + 1"], expect="refuted", source=UNFOLD)
def unfold_windows_with_a_gap_cover_the_signal() -> str:
    """Windows one element further apart than they are wide leave out nothing."""
    return "covers((w,n):(1,k), (n-1)*k + w)"


@theorem(source=UNFOLD)
def unfold_windows_side_by_side_are_the_signal() -> tuple[str, ...]:
    """Windows as far apart as they are wide, one after the other, are the signal."""
    return "equal((w,n):(1,w), w*n:1)", "bijective((n,w):(w,1))"


@theorem(given=["0 <= i", "i + 1 < n", "0 <= j", "j + k < w"], source=UNFOLD)
def unfold_where_windows_share() -> str:
    """Element j + k of a window is element j of the next one."""
    return "((n,w):(k,1))(i, j + k) == ((n,w):(k,1))(i + 1, j)"


@theorem(given=["0 <= i", "i + 1 < n", "0 <= j", "j + 1 < w"], expect="refuted", source=UNFOLD)
def unfold_where_windows_share_by_one() -> str:
    """Element j + 1 of a window is element j of the next one."""
    return "((n,w):(k,1))(i, j + 1) == ((n,w):(k,1))(i + 1, j)"


@theorem(given=["W >= y + w - 1"], source=SLIDING)
def sliding_windows_of_an_image() -> tuple[str, ...]:
    """Windows of h x w at x * y places of an image with rows W long stay in (x+h-1)*W."""
    return (
        "in_bounds((x,y,h,w):(W,1,W,1), (x + h - 1)*W)",
        "equal((x,1,h,1):(W,1,W,1), (x,h):(W,W))",
    )


@theorem(given=["W >= y", "W >= w"], expect="refuted", source=SLIDING)
def sliding_windows_that_run_over_the_rim() -> str:
    """Sliding windows stay in their rows when places and windows each fit in a row."""
    return "in_bounds((x,y,h,w):(W,1,W,1), (x + h - 1)*W)"


@theorem(expect="refuted", source=SLIDING)
def sliding_windows_can_be_written() -> str:
    """No two elements of sliding windows share a place."""
    return "injective((x,y,h,w):(W,1,W,1))"


@theorem(
    given=["0 <= i", "i < M", "0 <= j", "j < N"], source="Hankel and Toeplitz matrices as views"
)
def hankel_and_toeplitz_as_views() -> tuple[str, ...]:
    """A Hankel matrix is a view with strides 1, 1; a Toeplitz one with 1, -1 from N-1 on.

    Both take M + N - 1 elements, and are constant along (anti)diagonals.
    """
    return (
        "in_bounds((M,N):(1,1), M + N - 1)",
        "N - 1 + ((M,N):(1,-1))(i,j) >= 0",
        "N - 1 + ((M,N):(1,-1))(i,j) < M + N - 1",
        "((M,N):(1,-1))(i,j) == i - j",
    )


@theorem(expect="refuted", source="Hankel and Toeplitz matrices as views")
def hankel_matrix_in_fewer_elements() -> str:
    """A Hankel matrix takes M + N - 2 elements."""
    return "in_bounds((M,N):(1,1), M + N - 2)"


@theorem(source="Hankel and Toeplitz matrices as views")
def hankel_matrix_uses_all_its_elements() -> str:
    """Every one of the M + N - 1 elements of a Hankel matrix is somewhere in it."""
    return "covers((M,N):(1,1), M + N - 1)"


@theorem(expect="refuted", source="Hankel and Toeplitz matrices as views")
def hankel_matrix_uses_them_once() -> str:
    """Every one of the M + N - 1 elements of a Hankel matrix is in it once."""
    return "partition((M,N):(1,1), M + N - 1)"


@theorem(given=["p >= 0", "L + 2*p >= w", "n == floor_div(L + 2*p - w, k) + 1"], source=FRAMES)
def frames_of_a_padded_signal() -> tuple[str, ...]:
    """Frames of w samples, k apart, of a signal padded by p on both sides stay in L + 2*p."""
    return "in_bounds((w,n):(1,k), L + 2*p)", "n >= 1"


@theorem(
    given=["p >= 0", "L + 2*p >= w", "n == floor_div(L + 2*p - w, k) + 1"],
    expect="refuted",
    source=FRAMES,
)
def frames_of_a_signal_without_its_padding() -> str:
    """Frames of a signal padded by p on both sides stay in the L samples of the signal."""
    return "in_bounds((w,n):(1,k), L)"


@theorem(source=FRAMES)
def frames_apart_again_after_the_overlap() -> str:
    """Frames of w = m*k samples, k apart: frame i and frame i + m share nothing."""
    return "apart(m*k:1, m*k:1, m*k)"


@theorem(given=["m >= 2"], expect="refuted", source=FRAMES)
def frames_apart_a_frame_earlier() -> str:
    """Frame i and frame i + m - 1 share nothing."""
    return "apart(m*k:1, m*k:1, (m-1)*k)"
