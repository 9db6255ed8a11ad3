"""Filters of convolutions: as matrices, flipped, for gradients, causal, in groups.

Filters are K x R x S x C with C fastest; `u` is the stride along H, `dh` the dilation, `pad` the
padding.
"""

from __future__ import annotations

from symcute import theorem

GEMM = "CUTLASS documentation, implicit_gemm_convolution"
FLIPPED = "CUTLASS: conv::Mode::kConvolution"
CAUSAL = "causal convolutions: WaveNet, Mamba"

#: An element of a filter.
ELEMENT = ["0 <= c", "c < C", "0 <= s", "s < S", "0 <= r", "r < R"]


@theorem(source=GEMM)
def conv_filters_are_a_matrix() -> tuple[str, ...]:
    """Filters K x R x S x C are a K x (R*S*C) matrix, with columns (c,s,r) or in any order."""
    return (
        "equal((K,(C,S,R)):(R*S*C,(1,C,S*C)), (K,R*S*C):(R*S*C,1))",
        "bijective((K,(S,R,C)):(R*S*C,(C,S*C,1)))",
    )


@theorem(expect="refuted", source=GEMM)
def conv_filters_by_s_r_c_are_a_matrix() -> str:
    """With columns in the order (s,r,c), s fastest, the filters are a row-major matrix too."""
    return "equal((K,(S,R,C)):(R*S*C,(C,S*C,1)), (K,R*S*C):(R*S*C,1))"


@theorem(given=ELEMENT, source=FLIPPED)
def conv_flipped_filter_has_negative_strides() -> tuple[str, ...]:
    """From its last row and column on, a flipped filter is read with negative strides."""
    return (
        "(R*S-1)*C + ((C,S,R):(1,-C,-S*C))(c,s,r) == ((C,S,R):(1,C,S*C))(c, S-1-s, R-1-r)",
        "injective((C,S,R):(1,-C,-S*C))",
    )


@theorem(expect="refuted", source=FLIPPED)
def conv_flipped_filter_keeps_its_base() -> str:
    """A flipped filter is read from the base of the filter on."""
    return "in_bounds((C,S,R):(1,-C,-S*C), R*S*C)"


@theorem(
    given=["0 <= p", "0 <= q", "0 <= h", "0 <= r", "0 <= k", "p*u + r == h", "q*u + k == h"],
    source=GEMM + ", data gradient",
)
def conv_data_gradient_taps_are_a_stride_apart() -> str:
    """The taps r and k through which outputs read row h differ by a multiple of the stride."""
    return "mod(r, u) == mod(k, u)"


@theorem(
    given=["pad >= 0", "0 <= r", "r < R", "0 <= h", "h < H"],
    expect="refuted",
    source=GEMM + ", data gradient",
)
def conv_data_gradient_has_an_output_for_every_tap() -> str:
    """With a stride u every row h of the data gradient has an output for every tap r."""
    return "mod(h + pad - r, u) == 0"


@theorem(given=["0 <= t", "t < L", "0 <= k", "k < J"], source=CAUSAL)
def conv_causal_reads_the_past() -> tuple[str, ...]:
    """Step t of a causal convolution of J taps reads the steps t - k*d, none of them later.

    With (J-1)*d zeros before the sequence every step that is read exists.
    """
    read = "(J-1)*d + ((L,J):(1,-d))(t,k)"
    return f"{read} >= 0", f"{read} <= (J-1)*d + t", f"{read} < (J-1)*d + L"


@theorem(
    given=["0 <= t", "t < L", "0 <= k", "k < J", "J >= 2"],
    expect="refuted",
    source=CAUSAL,
)
def conv_causal_with_one_zero_too_few() -> str:
    """(J-1)*d - 1 zeros before the sequence are enough."""
    return "(J-1)*d - 1 + ((L,J):(1,-d))(t,k) >= 0"


@theorem(
    given=["C == G*D", "K == G*J", "0 <= g", "g < G", "0 <= j", "j < J"],
    source="grouped convolutions",
)
def conv_groups_read_their_own_channels() -> tuple[str, ...]:
    """In a convolution of G groups, output channel g*J + j reads the channels from g*D on.

    They are D channels of the same group; the groups share none.
    """
    return (
        "floor_div(g*J + j, J)*D == g*D",
        "bijective((D,G):(1,D))",
        "g*D + D <= C",
    )


@theorem(
    given=["C == G*D", "K == G*J", "0 <= k", "k < K"],
    expect="refuted",
    source="grouped convolutions",
)
def conv_groups_by_the_rest() -> str:
    """In a convolution of G groups, output channel k reads the channels of group k % G."""
    return "mod(k, G) == floor_div(k, J)"
