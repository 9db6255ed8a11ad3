"""Rearrangements: pixel and channel shuffles, space to depth, window partitions, interleaving."""

from __future__ import annotations

from symcute import theorem

PIXELS = "PyTorch documentation, torch.nn.PixelShuffle"
DEPTH = "ONNX operators: DepthToSpace, modes CRD and DCR; SpaceToDepth"
CHANNELS = "PyTorch documentation, torch.nn.ChannelShuffle"
SWIN = "Swin transformer: window_partition and window_reverse"
SHUFFLE = "perfect shuffles: interleaving and de-interleaving"
FFT = "FFT by steps: transposes between the factors"

#: Output element (c, h*r + i, w*r + j) is input element (c*r*r + i*r + j, h, w).
SHUFFLED = "((r,W),(r,H),C,N):((H*W,1),(r*H*W,W),r*r*H*W,C*r*r*H*W)"
#: Input element (c*r*r + i*r + j, h, w) is output element (c, h*r + i, w*r + j).
UNSHUFFLED = "(W,H,(r,r,C),N):(r,r*r*W,(1,r*W,r*r*H*W),C*r*r*H*W)"


@theorem(source=PIXELS)
def shuffle_of_pixels_moves_every_element_once() -> tuple[str, ...]:
    """Pixel shuffle by r and its opposite are permutations of the storage."""
    return f"bijective({SHUFFLED})", f"bijective({UNSHUFFLED})"


@theorem(source=PIXELS)
def shuffle_of_pixels_is_undone() -> tuple[str, ...]:
    """Pixel unshuffle undoes pixel shuffle, and the other way round."""
    return (
        f"is_left_inverse({UNSHUFFLED}, {SHUFFLED})",
        f"is_right_inverse({UNSHUFFLED}, {SHUFFLED})",
    )


@theorem(expect="refuted", source=PIXELS)
def shuffle_of_pixels_twice_is_nothing() -> str:
    """Pixel shuffle undoes itself."""
    return f"is_left_inverse({SHUFFLED}, {SHUFFLED})"


@theorem(expect="refuted", source=PIXELS)
def shuffle_of_pixels_with_rows_and_columns_confused() -> str:
    """Taking the r*r channels by columns instead of rows undoes pixel shuffle as well."""
    return f"is_left_inverse((W,H,(r,r,C),N):(r,r*r*W,(r*W,1,r*r*H*W),C*r*r*H*W), {SHUFFLED})"


@theorem(
    given=[
        *("0 <= i", "i < r", "0 <= j", "j < r", "0 <= h", "h < H", "0 <= w", "w < W"),
        *("0 <= c", "c < C", "0 <= n", "n < N"),
    ],
    source=PIXELS,
)
def shuffle_of_pixels_element() -> str:
    """The output (n, c, h*r + i, w*r + j) is the input (n, c*r*r + i*r + j, h, w)."""
    return (
        f"({SHUFFLED})((j,w),(i,h),c,n) "
        "== ((W,H,C*r*r,N):(1,W,H*W,C*r*r*H*W))(w, h, c*r*r + i*r + j, n)"
    )


@theorem(
    given=[
        *("0 <= i", "i < r", "0 <= j", "j < r", "0 <= h", "h < H", "0 <= w", "w < W"),
        *("0 <= c", "c < C", "0 <= n", "n < N"),
    ],
    expect="refuted",
    source=PIXELS,
)
def shuffle_of_pixels_element_depth_first() -> str:
    """The output (n, c, h*r + i, w*r + j) is the input (n, (i*r + j)*C + c, h, w)."""
    return (
        f"({SHUFFLED})((j,w),(i,h),c,n) "
        "== ((W,H,C*r*r,N):(1,W,H*W,C*r*r*H*W))(w, h, (i*r + j)*C + c, n)"
    )


@theorem(source=DEPTH)
def shuffle_depth_to_space_of_both_modes() -> tuple[str, ...]:
    """DepthToSpace is a permutation in both modes, and for one channel they are the same."""
    crd = "((r,W),(r,H),C):((H*W,1),(r*H*W,W),r*r*H*W)"
    dcr = "((r,W),(r,H),C):((C*H*W,1),(r*C*H*W,W),H*W)"
    return (
        f"bijective({crd})",
        f"bijective({dcr})",
        "equal(((r,W),(r,H)):((H*W,1),(r*H*W,W)), ((r,W),(r,H),1):((1*H*W,1),(r*1*H*W,W),H*W))",
    )


@theorem(expect="refuted", source=DEPTH)
def shuffle_depth_to_space_modes_agree() -> str:
    """The modes CRD and DCR of DepthToSpace are the same for every number of channels."""
    return (
        "equal(((r,W),(r,H),C):((H*W,1),(r*H*W,W),r*r*H*W), "
        "((r,W),(r,H),C):((C*H*W,1),(r*C*H*W,W),H*W))"
    )


@theorem(source=DEPTH)
def shuffle_space_to_depth_in_nhwc() -> tuple[str, ...]:
    """In NHWC, space to depth by r copies runs of r*C elements: r pixels of a row at a time.

    The output (h, w, (i, j, c)) with c fastest is read in order within these runs.
    """
    depth = "((C,r,r),W,H):((1,C,r*W*C),r*C,r*r*W*C)"
    return (
        f"bijective({depth})",
        f"equal({depth}, ((r*C,r),W,H):((1,r*W*C),r*C,r*r*W*C))",
    )


@theorem(expect="refuted", source=DEPTH)
def shuffle_space_to_depth_copies_whole_blocks() -> str:
    """In NHWC, space to depth by r copies runs of r*r*C elements."""
    return "equal(((C,r,r),W,H):((1,C,r*W*C),r*C,r*r*W*C), (r*r*C,W,H):(1,r*C,r*r*W*C))"


@theorem(source=CHANNELS)
def shuffle_of_channels_is_a_transpose() -> tuple[str, ...]:
    """Shuffling g groups of m channels is transposing a g x m matrix; m groups of g undo it."""
    return (
        "bijective((HW,g,m):(1,HW*m,HW))",
        "is_left_inverse((HW,m,g):(1,HW*g,HW), (HW,g,m):(1,HW*m,HW))",
        "is_right_inverse((HW,m,g):(1,HW*g,HW), (HW,g,m):(1,HW*m,HW))",
    )


@theorem(expect="refuted", source=CHANNELS)
def shuffle_of_channels_twice_is_nothing() -> str:
    """Shuffling g groups of m channels twice brings them back."""
    return "is_left_inverse((HW,g,m):(1,HW*m,HW), (HW,g,m):(1,HW*m,HW))"


@theorem(source=SWIN)
def shuffle_windows_partition_an_image() -> tuple[str, ...]:
    """Windows of w x w tile an image of (p*w) x (q*w) pixels, and window_reverse undoes it."""
    windows = "(C,w,w,q,p):(1,C,q*w*C,w*C,w*q*w*C)"
    reverse = "(C,w,q,w,p):(1,C,w*w*C,w*C,w*w*q*C)"
    return (
        f"bijective({windows})",
        f"is_left_inverse({reverse}, {windows})",
        f"is_right_inverse({reverse}, {windows})",
    )


@theorem(expect="refuted", source=SWIN)
def shuffle_windows_by_the_wrong_row_length() -> str:
    """Rows of a window lie q*C apart (windows a row, instead of pixels a row)."""
    return "bijective((C,w,w,q,p):(1,C,q*C,w*C,w*q*w*C))"


@theorem(given=["0 <= i", "i < n"], source=SHUFFLE)
def shuffle_interleaves_two_halves() -> tuple[str, ...]:
    """The perfect shuffle puts element i of the first half at 2*i, of the second at 2*i + 1."""
    return (
        "((n,2):(2,1))(i) == 2*i",
        "((n,2):(2,1))(i + n) == 2*i + 1",
        "is_left_inverse((2,n):(n,1), (n,2):(2,1))",
    )


@theorem(given=["0 <= i", "i < n"], expect="refuted", source=SHUFFLE)
def shuffle_interleaves_the_other_way() -> str:
    """The perfect shuffle undoes itself: element 2*i goes to i."""
    return "((n,2):(2,1))(2*i) == i"


@theorem(source=SHUFFLE)
def shuffle_three_times_of_eight() -> tuple[str, ...]:
    """Three perfect shuffles of 8*m elements in halves are one by eighths.

    (4*m,2):(2,1) three times is (m,8):(8,1).
    """
    once = "(4*m,2):(2,1)"
    return (
        f"is_composition(((2*m,2),2):((4,1),2), {once}, {once})",
        f"is_composition((m,8):(8,1), {once}, ((2*m,2),2):((4,1),2))",
        "bijective((m,8):(8,1))",
    )


@theorem(expect="refuted", source=SHUFFLE)
def shuffle_twice_of_eight() -> str:
    """Two perfect shuffles of 8*m elements in halves are one by eighths."""
    return "is_composition((m,8):(8,1), (4*m,2):(2,1), (4*m,2):(2,1))"


@theorem(source=FFT)
def shuffle_of_three_factors_reverses_digits() -> tuple[str, ...]:
    """Reversing the digits of factors a, b, c is a permutation; reversing back undoes it."""
    return (
        "bijective((a,b,c):(b*c,c,1))",
        "is_left_inverse((c,b,a):(a*b,a,1), (a,b,c):(b*c,c,1))",
        "is_right_inverse((c,b,a):(a*b,a,1), (a,b,c):(b*c,c,1))",
    )


@theorem(source=FFT)
def shuffle_that_reverses_equal_digits_is_an_involution() -> tuple[str, ...]:
    """With equal factors, as in bit reversal, reversing the digits undoes itself."""
    return (
        "is_left_inverse((a,a,a):(a*a,a,1), (a,a,a):(a*a,a,1))",
        "is_left_inverse((2,2,2,2):(8,4,2,1), (2,2,2,2):(8,4,2,1))",
    )


@theorem(expect="refuted", source=FFT)
def shuffle_that_reverses_other_digits_is_an_involution() -> str:
    """With different factors, reversing the digits undoes itself."""
    return "is_left_inverse((a,b,c):(b*c,c,1), (a,b,c):(b*c,c,1))"
