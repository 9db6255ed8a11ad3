"""Implicit GEMM: convolutions as products of matrices that are read through overlapping strides.

Activations are N x H x W x C with C fastest, filters K x R x S x C, outputs N x P x Q x K. `u`
and `v` are the strides, `dh` and `dw` the dilations along H and W, `pad` the padding. The matrix
of activations has rows (q,p,n) and columns (c,s,r), which name the element
(n, p*u + r*dh, q*v + s*dw, c).
"""

from __future__ import annotations

from symcute import theorem

GEMM = "CUTLASS documentation, implicit_gemm_convolution"
CONV3D = "CUTLASS examples/59_ampere_gather_scatter_conv"
SIZES = "PyTorch: torch.nn.Conv2d, output size"
PATCHES = "vision transformers: patch embedding as a convolution with stride = kernel size"

ACTIVATIONS = "((Q,P,N),(C,S,R)):((v*C,u*W*C,H*W*C),(1,dw*C,dh*W*C))"
#: The last window of an image ends inside it.
INSIDE = ["(P-1)*u + (R-1)*dh <= H - 1", "(Q-1)*v + (S-1)*dw <= W - 1"]
#: A window of one image, and an element of it.
WINDOW = ["0 <= p", "p < P", "0 <= q", "q < Q", "0 <= n", "n < N"]
ELEMENT = ["0 <= c", "c < C", "0 <= s", "s < S", "0 <= r", "r < R"]


@theorem(given=INSIDE, source=GEMM)
def conv_windows_stay_inside() -> str:
    """When the last window ends inside the image, every window reads inside the tensor."""
    return f"in_bounds({ACTIVATIONS}, N*H*W*C)"


@theorem(
    given=["(P-1)*u + (R-1)*dh <= H", "(Q-1)*v + (S-1)*dw <= W - 1"],
    expect="refuted",
    source=GEMM,
)
def conv_windows_one_row_too_low() -> str:
    """Every window reads inside the tensor when the last one ends one row below the image."""
    return f"in_bounds({ACTIVATIONS}, N*H*W*C)"


@theorem(
    given=["(P-1)*u + (R-1)*dh <= N*H - 1", "(Q-1)*v + (S-1)*dw <= W - 1"],
    source=GEMM,
)
def conv_buffer_bounds_do_not_see_the_image() -> str:
    """Windows that leave the first of N images downwards still read inside the tensor.

    A check of addresses alone cannot see that they read the next image.
    """
    return "in_bounds(((Q,P),(C,S,R)):((v*C,u*W*C),(1,dw*C,dh*W*C)), N*H*W*C)"


@theorem(given=[*INSIDE, "u < R", "dh == 1"], expect="refuted", source=GEMM)
def conv_windows_that_overlap_are_injective() -> str:
    """Windows with a stride below the height of the filter read every element once."""
    return f"injective({ACTIVATIONS})"


@theorem(
    given=[*WINDOW, *ELEMENT, "p + dh < P", "r + u < R"],
    source=GEMM,
)
def conv_where_windows_overlap() -> str:
    """Windows dh rows of outputs further down read, u rows of the filter earlier, the same.

    So the matrix of activations is not injective: (p + dh, r) and (p, r + u) name one element.
    """
    A = f"({ACTIVATIONS})"
    return f"{A}((q,p+dh,n),(c,s,r)) == {A}((q,p,n),(c,s,r+u))"


@theorem(
    given=[*WINDOW, *ELEMENT, "p + u < P", "r + dh < R"],
    expect="refuted",
    source=GEMM,
)
def conv_where_windows_do_not_overlap() -> str:
    """Windows u rows of outputs further down read, dh rows of the filter earlier, the same."""
    A = f"({ACTIVATIONS})"
    return f"{A}((q,p+u,n),(c,s,r)) == {A}((q,p,n),(c,s,r+dh))"


@theorem(given=[*INSIDE, "u >= (R-1)*dh + 1", "v >= (S-1)*dw + 1"], source=PATCHES)
def conv_windows_apart_are_injective() -> str:
    """Windows that are apart, in strides above the reach of the filter, read nothing twice."""
    return f"injective({ACTIVATIONS})"


@theorem(
    given=[*INSIDE, "u >= (R-1)*dh", "v >= (S-1)*dw + 1"],
    expect="refuted",
    source=PATCHES,
)
def conv_windows_that_share_a_row_are_injective() -> str:
    """Windows that share their last and first row read nothing twice."""
    return f"injective({ACTIVATIONS})"


@theorem(source=PATCHES)
def conv_patches_are_a_reordering() -> tuple[str, ...]:
    """Patches of R x S that fill an image of P*R x Q*S read each of its elements exactly once."""
    patches = "((Q,P,N),(C,S,R)):((S*C,R*Q*S*C,P*R*Q*S*C),(1,C,Q*S*C))"
    image = "((C,(S,Q)),((R,P),N)):((1,(C,S*C)),((Q*S*C,R*Q*S*C),P*R*Q*S*C))"
    return f"bijective({patches})", f"equal({image}, C*S*Q*R*P*N:1)"


@theorem(expect="refuted", source=PATCHES)
def conv_patches_are_the_image() -> str:
    """Reading an image patch by patch is reading it in order."""
    return "equal((C,S,R,Q,P,N):(1,C,Q*S*C,S*C,R*Q*S*C,P*R*Q*S*C), C*S*R*Q*P*N:1)"


@theorem(source=GEMM)
def conv_1x1_is_a_gemm() -> str:
    """A convolution of 1 x 1 with stride 1 is a product with the (N*H*W) x C matrix itself."""
    return "equal(((W,H,N),(C,1,1)):((C,W*C,H*W*C),(1,C,W*C)), (W*H*N,C):(C,1))"


@theorem(given=["H == 2*P", "W == 2*Q"], expect="refuted", source=GEMM)
def conv_1x1_with_stride_2_is_a_gemm() -> str:
    """A convolution of 1 x 1 with stride 2 is a product with a matrix of rows 2*C apart."""
    return "equal(((Q,P,N),C):((2*C,2*W*C,H*W*C),1), (Q*P*N,C):(2*C,1))"


@theorem(
    given=[
        "H + 2*pad >= dh*(R-1) + 1",
        "pad >= 0",
        "P == floor_div(H + 2*pad - dh*(R-1) - 1, u) + 1",
    ],
    source=SIZES,
)
def conv_output_size_is_the_largest() -> tuple[str, ...]:
    """With P = (H + 2*pad - dh*(R-1) - 1)/u + 1 the last window ends inside, the next does not."""
    return (
        "(P-1)*u + dh*(R-1) <= H + 2*pad - 1",
        "P*u + dh*(R-1) > H + 2*pad - 1",
        "P >= 1",
    )


@theorem(
    given=[
        "H + 2*pad >= dh*(R-1) + 1",
        "pad >= 0",
        "P == ceil_div(H + 2*pad - dh*(R-1) - 1, u) + 1",
    ],
    expect="refuted",
    source=SIZES,
)
def conv_output_size_rounded_up() -> str:
    """With the output size rounded up, the last window still ends inside the padded image."""
    return "(P-1)*u + dh*(R-1) <= H + 2*pad - 1"


@theorem(
    given=["pad >= 0", "(P-1)*u + R - 1 <= H + 2*pad - 1", "0 <= p", "p < P", "0 <= r", "r < R"],
    expect="refuted",
    source=GEMM,
)
def conv_documented_row() -> str:
    """The row `p*u + R - r - 1 + pad` lies in the image or in the `pad` rows around it.

    The documentation gives this function f(p,r) for the row that the flipped filter reads.
    """
    return "p*u + R - r - 1 + pad <= H - 1 + pad"


@theorem(
    given=["pad >= 0", "(P-1)*u + R - 1 <= H + 2*pad - 1", "0 <= p", "p < P", "0 <= r", "r < R"],
    source=GEMM,
    corrects="conv_documented_row",
)
def conv_row_of_the_flipped_filter() -> tuple[str, ...]:
    """The row `p*u + R - r - 1 - pad` lies in the image or in the `pad` rows around it."""
    row = "p*u + R - r - 1 - pad"
    return f"{row} >= -pad", f"{row} <= H - 1 + pad"


@theorem(
    given=["pad >= 1", "(P-1)*u + R - 1 <= H + 2*pad - 1", "0 <= p", "p < P", "0 <= r", "r < R"],
    expect="refuted",
    source=GEMM,
)
def conv_padded_rows_need_no_predicate() -> str:
    """With padding every row that is read lies in the image."""
    return "p*u + r - pad >= 0 and p*u + r - pad <= H - 1"


@theorem(given=["0 <= q", "q < Q", "0 <= p", "p < P", "0 <= n", "n < N"], source=GEMM)
def conv_row_of_the_product_to_output() -> tuple[str, ...]:
    """The row i = q + Q*(p + P*n) of the product finds n, p and q by divisions by P*Q and Q."""
    i = "(q + Q*(p + P*n))"
    return (
        f"floor_div({i}, P*Q) == n",
        f"floor_div(mod({i}, P*Q), Q) == p",
        f"mod(mod({i}, P*Q), Q) == q",
        f"((Q,P,N):(1,Q,P*Q))(q,p,n) == {i}",
    )


@theorem(
    given=["0 <= q", "q < Q", "0 <= p", "p < P", "0 <= n", "n < N"],
    expect="refuted",
    source=GEMM,
)
def conv_row_of_the_product_by_P() -> str:
    """The row i = q + Q*(p + P*n) of the product finds q as its rest by P."""
    return "mod(q + Q*(p + P*n), P) == q"


@theorem(
    given=[
        "(Z-1)*t + (T-1)*dd <= D - 1",
        *INSIDE,
    ],
    source=CONV3D,
)
def conv3d_windows_stay_inside() -> str:
    """In three dimensions: when the last window ends inside, every window reads inside."""
    return (
        "in_bounds(((Q,P,Z,N),(C,S,R,T)):"
        "((v*C,u*W*C,t*H*W*C,D*H*W*C),(1,dw*C,dh*W*C,dd*H*W*C)), N*D*H*W*C)"
    )


@theorem(
    given=["(Z-1)*t + (T-1)*dd <= D", *INSIDE],
    expect="refuted",
    source=CONV3D,
)
def conv3d_windows_one_slice_too_deep() -> str:
    """In three dimensions windows read inside when the last ends one slice behind the volume."""
    return (
        "in_bounds(((Q,P,Z,N),(C,S,R,T)):"
        "((v*C,u*W*C,t*H*W*C,D*H*W*C),(1,dw*C,dh*W*C,dd*H*W*C)), N*D*H*W*C)"
    )


@theorem(given=[*WINDOW, "r + 1 < R", "0 <= r", "s + 1 < S", "0 <= s"], source=GEMM)
def conv_pointer_steps() -> tuple[str, ...]:
    """A pointer that walks (s,r) steps by dw*C along a row, by dh*W*C - (S-1)*dw*C to the next.

    Neither step depends on the window.
    """
    A = f"({ACTIVATIONS})"
    return (
        f"{A}((q,p,n),(0,s+1,r)) - {A}((q,p,n),(0,s,r)) == dw*C",
        f"{A}((q,p,n),(0,0,r+1)) - {A}((q,p,n),(0,S-1,r)) == dh*W*C - (S-1)*dw*C",
    )


@theorem(given=[*WINDOW, "r + 1 < R", "0 <= r"], expect="refuted", source=GEMM)
def conv_pointer_steps_to_the_next_row_by_a_row() -> str:
    """From the end of a row of the filter the pointer steps by dh*W*C to the next."""
    A = f"({ACTIVATIONS})"
    return f"{A}((q,p,n),(0,0,r+1)) - {A}((q,p,n),(0,S-1,r)) == dh*W*C"


@theorem(given=["C % 8 == 0"], source=GEMM)
def conv_channels_in_vectors_are_aligned() -> str:
    """With C a multiple of 8, vectors of 8 channels begin at multiples of 8 in every window."""
    return "aligned(((Q,P,N),(C/8,S,R)):((v*C,u*W*C,H*W*C),(8,dw*C,dh*W*C)), 8)"


@theorem(given=["C % 4 == 0"], expect="refuted", source=GEMM)
def conv_channels_in_half_vectors_are_aligned() -> str:
    """With C a multiple of 4, pixels begin at multiples of 8 in every window."""
    return "aligned((Q,P,N):(v*C,u*W*C,H*W*C), 8)"
