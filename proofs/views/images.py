"""Memory formats of images: NCHW, NHWC, blocks of channels, and the copies between them.

Activations have the coordinates (n,c,h,w), weights (o,i,h,w). The offset of a format is a layout
in those coordinates; a copy between two formats is one layout after the inverse of the other.
"""

from __future__ import annotations

from symcute import theorem

FORMATS = "oneDNN documentation, Understanding Memory Formats"
CHANNELS_LAST = "PyTorch documentation, channels last memory format"
WEIGHTS = "oneDNN documentation, dnnl_format_tag_t: blocked weights"
VECT_C = "cuDNN documentation, tensor layouts: NC/4HW4 and NC/32HW32"
FRACTAL = "Huawei CANN documentation, data layout formats: FRACTAL_NZ"
INTERLEAVED = "CUTLASS documentation, layout: interleaved layouts"

NCHW = "(N,C,H,W):(C*H*W,H*W,W,1)"
NHWC = "(N,C,H,W):(H*W*C,1,W*C,C)"
#: c as c % b and c / b.
BLOCKED = "(N,(b,C/b),H,W):(C*H*W,(1,H*W*b),W*b,b)"
PADDED = "(N,(8,ceil_div(C,8)),H,W):(8*ceil_div(C,8)*H*W,(1,H*W*8),W*8,8)"


@theorem(source=FORMATS)
def format_plain_ones_are_onto() -> tuple[str, ...]:
    """NCHW, NHWC and CHWN are dense: every place holds exactly one element."""
    return (
        f"bijective({NCHW})",
        f"bijective({NHWC})",
        "bijective((N,C,H,W):(1,H*W*N,W*N,N))",
    )


@theorem(expect="refuted", source=FORMATS)
def format_nhwc_with_the_strides_of_nhcw() -> str:
    """NHWC may have W pixels C apart and rows W apart."""
    return "bijective((N,C,H,W):(H*W*C,1,W,C))"


@theorem(expect="refuted", source=CHANNELS_LAST)
def format_nchw_is_nhwc() -> str:
    """NCHW and NHWC are the same map."""
    return f"equal({NCHW}, {NHWC})"


@theorem(source=CHANNELS_LAST)
def format_nchw_is_nhwc_where_it_does_not_show() -> tuple[str, ...]:
    """For one channel, and for images of one pixel, NCHW and NHWC are the same map."""
    return (
        "equal((N,1,H,W):(H*W,H*W,W,1), (N,1,H,W):(H*W,1,W,1))",
        "equal((N,C,1,1):(C,1,1,1), (N,C,1,1):(C,1,C,C))",
    )


@theorem(
    given=["0 <= w", "w < W", "0 <= h", "h < H", "0 <= c", "c < C", "0 <= n", "n < N"],
    source=FORMATS,
)
def format_offsets_as_documented() -> tuple[str, ...]:
    """The offsets of NCHW and NHWC by their nested formulas."""
    return (
        f"({NCHW})(n,c,h,w) == ((n*C + c)*H + h)*W + w",
        f"({NHWC})(n,c,h,w) == ((n*H + h)*W + w)*C + c",
    )


@theorem(
    given=["0 <= w", "w < W", "0 <= h", "h < H", "0 <= c", "c < C", "0 <= n", "n < N"],
    expect="refuted",
    source=FORMATS,
)
def format_offset_with_height_for_width() -> str:
    """The offset of NHWC is ((n*H + h)*H + w)*C + c."""
    return f"({NHWC})(n,c,h,w) == ((n*H + h)*H + w)*C + c"


@theorem(source=CHANNELS_LAST)
def format_copy_from_nchw_to_nhwc() -> tuple[str, ...]:
    """The copy takes offset i of NHWC from offset ((W*H,C),N) of NCHW; the copy back undoes it.

    As maps of storage: `(C,(W*H),N):(H*W,1,C*H*W)` and `(W*H,C,N):(C,1,C*H*W)`.
    """
    there, back = "(C,W*H,N):(H*W,1,C*H*W)", "(W*H,C,N):(C,1,C*H*W)"
    return (
        f"bijective({there})",
        f"is_left_inverse({back}, {there})",
        f"is_right_inverse({back}, {there})",
        f"is_composition((W,H,C,N):(1,W,H*W,C*H*W), {there}, (W,H,C,N):(C,C*W,1,C*W*H))",
    )


@theorem(expect="refuted", source=CHANNELS_LAST)
def format_copy_twice_is_nothing() -> str:
    """Copying from NCHW to NHWC twice brings every element back."""
    return "is_left_inverse((C,W*H,N):(H*W,1,C*H*W), (C,W*H,N):(H*W,1,C*H*W))"


@theorem(given=["pitch >= W*C"], source="CUDA runtime: cudaMallocPitch")
def format_nhwc_with_pitch() -> tuple[str, ...]:
    """Rows of an NHWC image may lie `pitch` >= W*C apart, in N*H*pitch elements."""
    pitched = "(N,C,H,W):(H*pitch,1,pitch,C)"
    return f"injective({pitched})", f"in_bounds({pitched}, N*H*pitch)"


@theorem(given=["pitch >= W"], expect="refuted", source="CUDA runtime: cudaMallocPitch")
def format_nhwc_with_pitch_in_pixels() -> str:
    """A pitch of W pixels is enough, counted in elements."""
    return "injective((N,C,H,W):(H*pitch,1,pitch,C))"


@theorem(given=["C % 8 == 0"], source=FORMATS)
def format_nChw8c_is_onto() -> tuple[str, ...]:
    """Blocks of 8 channels, nChw8c, are dense when 8 divides the channels; so is nChw16c by 16."""
    return (
        "bijective((N,(8,C/8),H,W):(C*H*W,(1,H*W*8),W*8,8))",
        "size((N,(8,C/8),H,W)) == N*C*H*W",
    )


@theorem(given=["C % b == 0"], source=FORMATS)
def format_blocks_of_any_size_are_onto() -> str:
    """Blocks of b channels are dense when b divides the channels."""
    return f"bijective({BLOCKED})"


@theorem(given=["C % b == 0"], expect="refuted", source=FORMATS)
def format_blocks_an_image_plane_apart() -> str:
    """Blocks of b channels lie H*W apart."""
    return "injective((N,(b,C/b),H,W):(C*H*W,(1,H*W),W*b,b))"


@theorem(source=FORMATS)
def format_blocks_of_one_or_of_all_channels() -> tuple[str, ...]:
    """Blocks of one channel are NCHW; a block of all channels is NHWC."""
    return (
        f"equal((N,(1,C),H,W):(C*H*W,(1,H*W),W,1), {NCHW})",
        f"equal((N,(C,1),H,W):(C*H*W,(1,H*W*C),W*C,C), {NHWC})",
    )


@theorem(
    given=[
        *("C % 8 == 0", "0 <= w", "w < W", "0 <= h", "h < H"),
        *("0 <= c", "c < C", "0 <= n", "n < N"),
    ],
    source=FORMATS,
)
def format_nChw8c_offset_as_documented() -> str:
    """The offset of nChw8c: n*C*H*W + (c/8)*H*W*8 + h*W*8 + w*8 + c%8."""
    return (
        "((N,(8,C/8),H,W):(C*H*W,(1,H*W*8),W*8,8))(n,c,h,w) "
        "== n*C*H*W + floor_div(c,8)*H*W*8 + h*W*8 + w*8 + mod(c,8)"
    )


@theorem(
    given=[
        *("C % 8 == 0", "0 <= w", "w < W", "0 <= h", "h < H"),
        *("0 <= c", "c < C", "0 <= n", "n < N"),
    ],
    expect="refuted",
    source=FORMATS,
)
def format_nChw8c_offset_with_dense_blocks() -> str:
    """The offset of nChw8c: n*C*H*W + c*H*W + h*W + w."""
    return "((N,(8,C/8),H,W):(C*H*W,(1,H*W*8),W*8,8))(n,c,h,w) == n*C*H*W + c*H*W + h*W + w"


@theorem(source=FORMATS)
def format_nChw8c_with_padded_channels() -> tuple[str, ...]:
    """For any C, blocks of 8 channels rounded up are dense in N*ceil(C/8)*8*H*W elements."""
    return f"bijective({PADDED})", "ceil_div(C,8)*8 >= C", "ceil_div(C,8)*8 < C + 8"


@theorem(expect="refuted", source=FORMATS)
def format_nChw8c_with_padded_channels_in_the_plain_size() -> str:
    """For any C, blocks of 8 channels rounded up fit in N*C*H*W elements."""
    return f"in_bounds({PADDED}, N*C*H*W)"


@theorem(given=["C % 16 == 0"], source=FORMATS)
def format_from_blocks_of_8_to_blocks_of_16() -> tuple[str, ...]:
    """From nChw8c to nChw16c: pairs of blocks change places with pixels; the copy back undoes it.

    Offsets of nChw16c by (c%8, (c/8)%2, w+W*h, c/16, n) are at `(1,8*H*W,8,16*H*W,C*H*W)` of
    nChw8c.
    """
    there = "(8,2,W*H,C/16,N):(1,8*H*W,8,16*H*W,C*H*W)"
    back = "(8,W*H,2,C/16,N):(1,16,8,16*H*W,C*H*W)"
    return (
        f"bijective({there})",
        f"is_left_inverse({back}, {there})",
        f"is_right_inverse({back}, {there})",
    )


@theorem(given=["C % 16 == 0"], expect="refuted", source=FORMATS)
def format_blocks_of_8_are_blocks_of_16() -> str:
    """Blocks of 8 and blocks of 16 channels are the same map."""
    return (
        "equal((N,(8,C/8),H,W):(C*H*W,(1,H*W*8),W*8,8), "
        "(N,(16,C/16),H,W):(C*H*W,(1,H*W*16),W*16,16))"
    )


@theorem(given=["O % 16 == 0", "I % 16 == 0"], source=WEIGHTS)
def format_weights_in_blocks_of_16_by_16() -> tuple[str, ...]:
    """Weights in blocks, OIhw16i16o and OIhw4i16o4i, are dense.

    In the second, i is split in three: i % 4, (i % 16) / 4 and i / 16.
    """
    return (
        "bijective(((16,O/16),(16,I/16),H,W):((1,I*H*W*16),(16,H*W*256),W*256,256))",
        "bijective(((16,O/16),(4,4,I/16),H,W):((4,I*H*W*16),(1,64,H*W*256),W*256,256))",
    )


@theorem(given=["O % 16 == 0", "I % 16 == 0"], expect="refuted", source=WEIGHTS)
def format_weights_in_blocks_with_overlapping_rows() -> str:
    """In OIhw4i16o4i the second part of i may lie 16 apart, as rows of 16 do."""
    return "injective(((16,O/16),(4,4,I/16),H,W):((4,I*H*W*16),(1,16,H*W*256),W*256,256))"


@theorem(given=["K % 4 == 0"], source="oneDNN documentation: VNNI formats such as BA16a4b")
def format_vnni_packs_four_k() -> tuple[str, ...]:
    """K x N packed so that four k stand side by side: dense, four of one column in 4 elements."""
    packed = "((4,K/4),N):((1,4*N),4)"
    return f"bijective({packed})", f"({packed})((3,0),0) == 3", f"({packed})((0,0),1) == 4"


@theorem(given=["K % 4 == 0"], expect="refuted", source="oneDNN documentation: VNNI formats")
def format_vnni_packs_four_columns() -> str:
    """K x N with four k side by side is the row-major matrix."""
    return "equal(((4,K/4),N):((1,4*N),4), (K,N):(N,1))"


@theorem(given=["C % 32 == 0"], source=VECT_C)
def format_vect_c_is_aligned() -> tuple[str, ...]:
    """In NC/32HW32 every pixel of a block begins at a multiple of 32 elements."""
    return (
        "bijective((N,(32,C/32),H,W):(C*H*W,(1,H*W*32),W*32,32))",
        "aligned((N,C/32,H,W):(C*H*W,H*W*32,W*32,32), 32)",
    )


@theorem(given=["C % 16 == 0"], expect="refuted", source=VECT_C)
def format_nhwc_is_aligned_by_32() -> str:
    """In NHWC with a multiple of 16 channels every pixel begins at a multiple of 32 elements."""
    return "aligned((N,H,W):(H*W*C,W*C,C), 32)"


@theorem(given=["M % 16 == 0", "N % 16 == 0"], source=FRACTAL)
def format_fractal_is_onto() -> tuple[str, ...]:
    """An M x N matrix in FRACTAL_NZ is dense: Z-shaped inside blocks of 16, N-shaped outside.

    Rows 16 apart inside a block, blocks below one another 256 apart, columns of blocks 16*M apart.
    """
    fractal = "((16,M/16),(16,N/16)):((16,256),(1,16*M))"
    back = "(16,M,N/16):(M,1,16*M)"
    return (
        f"bijective({fractal})",
        f"equal({fractal}, (M,(16,N/16)):(16,(1,16*M)))",
        f"is_right_inverse({back}, {fractal})",
    )


@theorem(given=["M % 16 == 0", "N % 16 == 0"], expect="refuted", source=FRACTAL)
def format_fractal_z_outside() -> str:
    """Blocks in rows (ZZ) or in columns (NZ) are the same map."""
    return (
        "equal(((16,M/16),(16,N/16)):((16,256),(1,16*M)), "
        "((16,M/16),(16,N/16)):((16,16*N),(1,256)))"
    )


@theorem(given=["M % 32 == 0", "LD >= N"], source=INTERLEAVED)
def format_interleaved_columns() -> tuple[str, ...]:
    """Rows interleaved by 32: each 32 rows are a column-major matrix of their own."""
    interleaved = "((32,M/32),N):((1,32*LD),32)"
    return f"injective({interleaved})", f"in_bounds({interleaved}, M*LD)"


@theorem(given=["M % 32 == 0", "LD >= N"], expect="refuted", source=INTERLEAVED)
def format_interleaved_columns_by_the_leading_dimension() -> str:
    """Groups of 32 interleaved rows lie LD apart."""
    return "injective(((32,M/32),N):((1,LD),32))"
