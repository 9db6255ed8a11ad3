"""Index arithmetic in 32 bits: what fits, and what a padded size or a stride lets overflow.

Every intermediate of the expression, in the order written, is meant.
"""

from __future__ import annotations

from symcute import theorem

INT32 = "C and CUDA C++: signed overflow of int is undefined"
INT_MAX = "2147483647"
GRID_STRIDE = "NVIDIA developer blog: grid-stride loops"
BLOCH = "J. Bloch, Nearly all binary searches and mergesorts are broken"
FLASH = "FlashAttention: index_t is int64_t in kernel_traits.h"

MATRIX = ["0 <= i", "i < M", "0 <= j", "j < N"]


@theorem(given=[*MATRIX, f"M*N <= {INT_MAX}"], source=INT32)
def overflow_of_a_dense_matrix() -> str:
    """The index i*N + j of a matrix of at most 2^31 - 1 elements fits 32 bits."""
    return 'no_overflow("i*N + j", 32)'


@theorem(given=[*MATRIX, "LD >= N", f"M*N <= {INT_MAX}"], expect="refuted", source=INT32)
def overflow_of_a_padded_matrix() -> str:
    """The index i*LD + j of a padded matrix fits 32 bits when M*N is below 2^31."""
    return 'no_overflow("i*LD + j", 32)'


@theorem(given=[*MATRIX, "LD >= N", f"M*LD <= {INT_MAX}"], source=INT32)
def overflow_of_a_padded_matrix_by_its_room() -> str:
    """The index of a padded matrix fits when its room of M*LD elements does."""
    return 'no_overflow("i*LD + j", 32)'


@theorem(given=[*MATRIX, "M >= 2", "M*N <= 2147483648"], source=INT32)
def overflow_of_a_matrix_of_two_to_the_31() -> str:
    """The index of 2^31 elements in two rows or more fits: the last one is 2^31 - 1."""
    return 'no_overflow("i*N + j", 32)'


@theorem(given=[*MATRIX, "M*N <= 2147483648"], expect="refuted", source=INT32)
def overflow_of_a_row_of_two_to_the_31() -> str:
    """The index of 2^31 elements in one row fits (their number N, which is read, does not)."""
    return 'no_overflow("i*N + j", 32)'


@theorem(given=[*MATRIX, "M >= 2", "M*N <= 2147483650"], expect="refuted", source=INT32)
def overflow_of_a_matrix_of_two_more() -> str:
    """The index of 2^31 + 2 elements fits 32 bits."""
    return 'no_overflow("i*N + j", 32)'


@theorem(given=[*MATRIX, f"M*N <= {INT_MAX}"], expect="refuted", source=INT32)
def overflow_of_bytes() -> str:
    """The byte 4*(i*N + j) of a matrix of at most 2^31 - 1 floats fits 32 bits."""
    return 'no_overflow("4*(i*N + j)", 32)'


@theorem(given=[*MATRIX, f"M*N <= {INT_MAX}"], source=INT32)
def overflow_of_bytes_in_64_bits() -> str:
    """The byte 4*(i*N + j) of a matrix of at most 2^31 - 1 floats fits 64 bits."""
    return 'no_overflow("4*(i*N + j)", 64)'


@theorem(given=[*MATRIX, "0 <= b", "b < B", f"B*M*N <= {INT_MAX}"], source=INT32)
def overflow_of_a_batch() -> tuple[str, ...]:
    """The index of a batch fits when all its elements do, nested or written out."""
    return 'no_overflow("(b*M + i)*N + j", 32)', 'no_overflow("b*M*N + i*N + j", 32)'


@theorem(
    given=[*MATRIX, "0 <= b", "b < B", f"M*N <= {INT_MAX}", "B <= 65535"],
    expect="refuted",
    source=INT32,
)
def overflow_of_a_batch_by_its_matrices() -> str:
    """The index of a batch fits when each of its matrices does."""
    return 'no_overflow("(b*M + i)*N + j", 32)'


@theorem(
    given=["0 <= b", "b < ceil_div(M,128)", "0 <= t", "t < 128", f"M <= {INT_MAX}"], source=INT32
)
def overflow_of_blocks_of_128() -> str:
    """`128*b + t` over ceil(M/128) blocks fits for every M below 2^31: 128 divides 2^31."""
    return 'no_overflow("128*b + t", 32)'


@theorem(
    given=["0 <= b", "b < ceil_div(M,96)", "0 <= t", "t < 96", f"M <= {INT_MAX}"],
    expect="refuted",
    source=INT32,
)
def overflow_of_blocks_of_96() -> str:
    """`96*b + t` over ceil(M/96) blocks fits for every M below 2^31."""
    return 'no_overflow("96*b + t", 32)'


@theorem(given=[f"M <= {INT_MAX}", "T <= 1024"], expect="refuted", source="the idiom (n + t - 1)/t")
def overflow_of_rounding_up() -> str:
    """`M + T - 1`, to be divided by T, fits for every M below 2^31."""
    return 'no_overflow("M + T - 1", 32)'


@theorem(
    given=["M <= 2147482624", "T <= 1024"],
    expect="refuted",
    source="the idiom (n + t - 1)/t",
)
def overflow_of_rounding_up_from_left_to_right() -> str:
    """`M + T - 1`, which is (M + T) - 1, fits for M <= 2^31 - 1024 and T <= 1024."""
    return 'no_overflow("M + T - 1", 32)'


@theorem(given=["M <= 2147482624", "T <= 1024"], source="the idiom (n + t - 1)/t")
def overflow_of_rounding_up_with_parentheses() -> str:
    """`M + (T - 1)` fits for M <= 2^31 - 1024 and T <= 1024."""
    return 'no_overflow("M + (T - 1)", 32)'


@theorem(
    given=["0 <= i", "i < N", f"N <= {INT_MAX}", "S >= 1"], expect="refuted", source=GRID_STRIDE
)
def overflow_of_a_grid_stride_loop() -> str:
    """A loop over N elements may step `i + S` before it compares with N."""
    return 'no_overflow("i + S", 32)'


@theorem(given=["0 <= i", "i < N", f"N + S <= {INT_MAX} + 1"], source=GRID_STRIDE)
def overflow_of_a_grid_stride_loop_with_room() -> str:
    """A loop over N elements may step `i + S` before it compares when N + S <= 2^31."""
    return 'no_overflow("i + S", 32)'


@theorem(given=["0 <= lo", "lo <= hi", f"hi <= {INT_MAX}"], expect="refuted", source=BLOCH)
def overflow_of_the_middle() -> str:
    """The middle of lo and hi is `(lo + hi)/2`."""
    return 'no_overflow("lo + hi", 32)'


@theorem(given=["0 <= lo", "lo <= hi", f"hi <= {INT_MAX}"], source=BLOCH)
def overflow_of_the_middle_by_the_difference() -> str:
    """The middle of lo and hi is `lo + (hi - lo)/2`."""
    return 'no_overflow("lo + floor_div(hi - lo, 2)", 32)'


@theorem(
    given=[
        "M <= 65536",
        "N <= 65536",
        "K <= 65536",
        "0 <= i",
        "i < M",
        "0 <= k",
        "k < K",
        "LDA == K + 8",
    ],
    expect="refuted",
    source=INT32,
)
def overflow_of_a_matrix_of_65536() -> str:
    """A 65536 x 65536 matrix with rows padded by 8 is indexed in 32 bits."""
    return 'no_overflow("i*LDA + k", 32)'


@theorem(
    given=["M <= 46340", "K <= 46332", "0 <= i", "i < M", "0 <= k", "k < K", "LDA == K + 8"],
    source=INT32,
)
def overflow_of_a_matrix_of_46340() -> str:
    """A 46340 x 46332 matrix with rows padded by 8 is indexed in 32 bits: 46340^2 < 2^31."""
    return 'no_overflow("i*LDA + k", 32)'


@theorem(
    given=["S <= 131072", "H <= 64", "D <= 256", "B <= 64"],
    expect="refuted",
    source=FLASH,
)
def overflow_of_a_tensor_of_long_sequences() -> str:
    """Tensors of 64 sequences of 128 Ki tokens with 64 heads of 256 are indexed in 32 bits."""
    return "no_overflow((D,H,S,B):(1,D,H*D,S*H*D), 32)"


@theorem(given=["S <= 131072", "H <= 64", "D <= 256", "B <= 64"], source=FLASH)
def overflow_of_a_tensor_of_long_sequences_in_64_bits() -> str:
    """Tensors of 64 sequences of 128 Ki tokens with 64 heads of 256 are indexed in 64 bits."""
    return "no_overflow((D,H,S,B):(1,D,H*D,S*H*D), 64)"


@theorem(given=["S <= 131072", "H <= 64", "D <= 256"], source=FLASH)
def overflow_of_one_long_sequence() -> str:
    """One sequence of 128 Ki tokens with 64 heads of 256, 2^31 elements, fits 32 bits."""
    return "no_overflow((D,H,S):(1,D,H*D), 32)"


@theorem(given=[f"N*H*W*C <= {INT_MAX}"], source="NHWC tensors of less than 2^31 elements")
def overflow_of_nhwc() -> str:
    """The offset of an NHWC tensor of at most 2^31 - 1 elements fits, term by term."""
    return "no_overflow((C,W,H,N):(1,C,W*C,H*W*C), 32)"


@theorem(
    given=[f"N*H*W*C <= {INT_MAX}"], expect="refuted", source="NHWC with channels rounded up to 8"
)
def overflow_of_nhwc_with_padded_channels() -> str:
    """Offsets of an NHWC tensor below 2^31 elements fit with channels rounded up to 8."""
    return "no_overflow((C,W,H,N):(1,8*ceil_div(C,8),W*8*ceil_div(C,8),H*W*8*ceil_div(C,8)), 32)"


@theorem(given=["LD >= N", f"M*LD <= {INT_MAX}"], source=INT32)
def overflow_of_a_mirrored_matrix() -> str:
    """The negative offsets of a matrix read from its last row up fit when its room does."""
    return "no_overflow((M,N):(-LD,1), 32)"


@theorem(given=["LD >= N", f"M*N <= {INT_MAX}"], expect="refuted", source=INT32)
def overflow_of_a_mirrored_padded_matrix() -> str:
    """The negative offsets of a mirrored matrix fit when M*N is below 2^31, despite padding."""
    return "no_overflow((M,N):(-LD,1), 32)"
