"""Keys and values in attention: pages, splits along the keys, sequences of different lengths.

S tokens, H heads of D elements, HK heads of keys; keys in blocks of bN, queries in blocks of bM.
"""

from __future__ import annotations

from symcute import theorem

PAGED = "FlashAttention: paged KV cache, page_block_size"
SPLIT = "FlashAttention: compute_attn_1rowblock_splitkv"
VARLEN = "FlashAttention: cu_seqlens"


@theorem(source=PAGED)
def attention_pages_fill_the_cache() -> tuple[str, ...]:
    """A cache of NP pages of T tokens uses each of its elements for one token of one head."""
    return (
        "bijective((T,HK,D,NP):(HK*D,D,1,T*HK*D))",
        "equal(((T,NP),HK,D):((HK*D,T*HK*D),D,1), (T*NP,HK,D):(HK*D,D,1))",
    )


@theorem(given=["1 <= d"], source=PAGED)
def attention_pages_are_apart() -> str:
    """Two different pages have no element in common, wherever the block table puts them."""
    return "apart((T,HK,D):(HK*D,D,1), (T,HK,D):(HK*D,D,1), d*T*HK*D)"


@theorem(given=["1 <= d"], expect="refuted", source=PAGED)
def attention_pages_a_head_apart() -> str:
    """Pages are apart when they lie a multiple of T*D (one head's room) apart."""
    return "apart((T,HK,D):(HK*D,D,1), (T,HK,D):(HK*D,D,1), d*T*D)"


@theorem(given=["T % bN == 0", "0 <= n"], source=PAGED)
def attention_block_of_keys_stays_in_its_page() -> tuple[str, ...]:
    """When bN divides the page size T, block n lies in page n*bN / T, from n*bN % T on."""
    return (
        "mod(n*bN, T) + bN <= T",
        "floor_div(n*bN, T)*T + mod(n*bN, T) == n*bN",
    )


@theorem(given=["T >= bN", "0 <= n"], expect="refuted", source=PAGED)
def attention_block_of_keys_needs_no_divisor() -> str:
    """A block of bN keys stays in one page when the page is at least as large."""
    return "mod(n*bN, T) + bN <= T"


@theorem(source=SPLIT)
def attention_splits_share_the_blocks() -> str:
    """W splits of ceil(n/W) of the n blocks of keys, cut off at n, have every block once."""
    return "partition((ceil_div(n,W),W):(1,ceil_div(n,W)), n)"


@theorem(given=["n == ceil_div(S, bN)"], source=SPLIT)
def attention_splits_read_all_keys() -> tuple[str, ...]:
    """Counted in keys: W splits of ceil(ceil(S/bN)/W) blocks reach the last of S keys."""
    return "W*ceil_div(n, W)*bN >= S", "(n-1)*bN < S"


@theorem(given=["n == ceil_div(S, bN)"], expect="refuted", source=SPLIT)
def attention_splits_none_of_them_empty() -> str:
    """None of W splits of ceil(n/W) blocks of keys is empty."""
    return "(W-1)*ceil_div(n, W) < n"


@theorem(
    given=["0 <= w", "w < W", "0 <= b", "b < B", "0 <= h", "h < H", "0 <= i", "i < S"], source=SPLIT
)
def attention_partial_output_offset() -> tuple[str, ...]:
    """The partial output of split w begins at (((w*B + b)*H + h)*S + i)*D: a dense layout."""
    return (
        "(((w*B + b)*H + h)*S + i)*D == ((S,H,B,W):(D,S*D,H*S*D,B*H*S*D))(i,h,b,w)",
        "bijective((D,S,H,B,W):(1,D,S*D,H*S*D,B*H*S*D))",
    )


@theorem(
    given=["0 <= w", "w < W", "0 <= b", "b < B", "0 <= h", "h < H", "0 <= i", "i < S"],
    expect="refuted",
    source=SPLIT,
)
def attention_partial_output_offset_by_the_splits() -> str:
    """The partial output of split w begins at (((w*W + b)*H + h)*S + i)*D."""
    return "(((w*W + b)*H + h)*S + i)*D == ((S,H,B,W):(D,S*D,H*S*D,B*H*S*D))(i,h,b,w)"


@theorem(source=SPLIT)
def attention_last_block_without_a_guard() -> str:
    """Blocks of bM rows need no guard when the heads lie ceil(S/bM)*bM rows apart."""
    return "injective((bM,ceil_div(S,bM),H):(1,bM,bM*ceil_div(S,bM)))"


@theorem(expect="refuted", source=SPLIT)
def attention_last_block_runs_into_the_next_head() -> str:
    """Blocks of bM rows of heads that lie S rows apart have no row in common, without a guard."""
    return "injective((bM,ceil_div(S,bM),H):(1,bM,S))"


@theorem(source=SPLIT)
def attention_last_block_with_a_guard() -> str:
    """With the guard row < S, blocks of bM rows of heads that lie S rows apart do not meet."""
    return "injective((bM,ceil_div(S,bM),H):(1,bM,S), where((bM,ceil_div(S,bM),H):(1,bM,0), S))"


@theorem(source=VARLEN)
def attention_packed_sequences_are_apart() -> tuple[str, ...]:
    """Sequences of S1 and S2 tokens, one after the other, share nothing and fill S1 + S2."""
    return (
        "apart((S1,H,D):(H*D,D,1), (S2,H,D):(H*D,D,1), S1*H*D)",
        "in_bounds((S2,H,D):(H*D,D,1), S2*H*D)",
    )


@theorem(expect="refuted", source=VARLEN)
def attention_packed_sequences_by_tokens() -> str:
    """The second sequence begins S1 elements (not S1*H*D) after the first."""
    return "apart((S1,H,D):(H*D,D,1), (S2,H,D):(H*D,D,1), S1)"
