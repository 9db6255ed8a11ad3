"""Attention as FlashAttention cuts it: heads, packed QKV, grouped queries, masks.

Sequences of S tokens, H heads of D elements, batches of B; queries in blocks of bM rows, keys and
values in blocks of bN.
"""

from __future__ import annotations

from symcute import theorem

FLASH = "FlashAttention: csrc/flash_attn/src/flash_fwd_kernel.h"
QKVPACKED = "FlashAttention: flash_attn_qkvpacked_func, (batch, seqlen, 3, nheads, headdim)"
GQA = "FlashAttention: grouped queries, h_h_k_ratio; hopper/pack_gqa.h"
ROPE = "rotary embeddings: interleaved (GPT-J) and in halves (GPT-NeoX)"

#: Row, column, block of rows, head, batch, in tensors of (batch, token, head, element).
BLOCKS = "(bM,D,S/bM,H,B):(H*D,1,bM*H*D,D,S*H*D)"
#: Head h of the queries, as member g of group k, and where its keys are.
KV_HEADS = "(G,HK):(0,D)"


@theorem(source=FLASH)
def attention_heads_do_not_meet() -> tuple[str, ...]:
    """In a tensor (B,S,H,D) the rows of a head lie H*D apart, and the heads fill it."""
    return (
        "bijective((S,H,D,B):(H*D,D,1,S*H*D))",
        "in_bounds((S,D):(H*D,1), (S-1)*H*D + D)",
    )


@theorem(expect="refuted", source=FLASH)
def attention_head_stride_of_the_other_order() -> str:
    """The strides of (B,H,S,D), S*D a head, fit a tensor (B,S,H,D)."""
    return "bijective((S,H,D,B):(H*D,S*D,1,S*H*D))"


@theorem(given=["S % bM == 0"], source=FLASH)
def attention_blocks_write_every_element_once() -> str:
    """One block of bM rows a CTA, for every head and batch, is the whole output, each once."""
    return f"bijective({BLOCKS})"


@theorem(given=["S % bM == 0", "H >= 2"], expect="refuted", source=FLASH)
def attention_blocks_a_head_size_apart() -> str:
    """The blocks of a head lie bM*D apart."""
    return "injective((bM,D,S/bM,H,B):(H*D,1,bM*D,D,S*H*D))"


@theorem(
    given=["S % bM == 0", "0 <= x", "x < bM", "0 <= m", "m < S/bM", "0 <= d", "d < D"], source=FLASH
)
def attention_block_of_queries() -> str:
    """Row x of query block m of a head is row bM*m + x of that head."""
    return "(zipped_divide((S,D):(H*D,1), (bM,D)))((x,d),(m,0)) == ((S,D):(H*D,1))(bM*m + x, d)"


@theorem(
    given=["S % bM == 0", "0 <= x", "x < bM", "0 <= m", "m < S/bM"], expect="refuted", source=FLASH
)
def attention_block_of_queries_in_turns() -> str:
    """Row x of query block m of a head is row m + x*S/bM of that head."""
    return "(zipped_divide((S,D):(H*D,1), (bM,D)))((x,0),(m,0)) == ((S,D):(H*D,1))(m + x*(S/bM), 0)"


@theorem(source=QKVPACKED)
def attention_packed_q_k_v_are_apart() -> tuple[str, ...]:
    """In packed tensors q, k and v are views with rows 3*H*D apart that share no element."""
    part = "(H,D,S):(D,1,3*H*D)"
    return (
        f"injective({part})",
        f"apart({part}, {part}, H*D)",
        f"apart({part}, {part}, 2*H*D)",
        f"in_bounds({part}, 3*H*D*S - 2*H*D)",
    )


@theorem(expect="refuted", source=QKVPACKED)
def attention_packed_q_k_a_head_apart() -> str:
    """The keys of a packed tensor begin D elements after the queries."""
    return "apart((H,D,S):(D,1,3*H*D), (H,D,S):(D,1,3*H*D), D)"


@theorem(source="Megatron-LM: query, key and value of a head side by side")
def attention_packed_by_head_is_apart() -> tuple[str, ...]:
    """Packed head by head, (S,H,3,D), the keys do begin D elements after the queries."""
    part = "(D,H,S):(1,3*D,3*H*D)"
    return (
        f"apart({part}, {part}, D)",
        f"apart({part}, {part}, 2*D)",
        "bijective((D,3,H,S):(1,D,3*D,3*H*D))",
    )


@theorem(expect="refuted", source="Megatron-LM: query, key and value of a head side by side")
def attention_packings_are_the_same() -> str:
    """Packed head by head and packed as three tensors are the same map of q."""
    return "equal((D,H,S):(1,3*D,3*H*D), (D,H,S):(1,D,3*H*D))"


@theorem(given=["0 <= h", "h < G*HK"], source=GQA)
def attention_group_of_a_head() -> str:
    """With G query heads a key head, query head h reads the key head h / G: G has stride 0."""
    return f"({KV_HEADS})(h) == floor_div(h, G)*D"


@theorem(given=["0 <= h", "h < G*HK"], expect="refuted", source=GQA)
def attention_group_of_a_head_by_the_rest() -> str:
    """Query head h reads the key head h % HK."""
    return f"({KV_HEADS})(h) == mod(h, HK)*D"


@theorem(given=["H == G*HK"], source=GQA)
def attention_grouped_keys_take_the_room_of_few_heads() -> tuple[str, ...]:
    """Keys for H query heads that share HK key heads take the room of HK heads, without a gap."""
    keys = "(S,(G,HK),D):(HK*D,(0,D),1)"
    return (
        f"compact({keys})",
        f"in_bounds({keys}, S*HK*D)",
        f"size({keys}, 1) == H",
    )


@theorem(given=["H == G*HK"], expect="refuted", source=GQA)
def attention_grouped_keys_are_private() -> str:
    """Every query head reads keys that no other one reads."""
    return "injective((S,(G,HK),D):(HK*D,(0,D),1))"


@theorem(given=["H == G*HK"], source=GQA)
def attention_packed_groups_are_rows() -> tuple[str, ...]:
    """The G heads of a group and the S tokens together are G*S rows: all queries, each once.

    Rows with the head fastest, as pack_gqa takes them: ((G,S),D) for each of HK key heads.
    """
    return (
        "bijective(((G,S),D,HK):((D,H*D),1,G*D))",
        "equal(((G,S),D,1):((D,G*D),1,G*D), (G*S,D):(D,1))",
    )


@theorem(given=["H == G*HK"], expect="refuted", source=GQA)
def attention_packed_groups_with_heads_HK_apart() -> str:
    """The heads of a group lie HK heads apart and the groups G heads."""
    return "bijective(((G,S),D,HK):((HK*D,H*D),1,G*D))"


@theorem(given=["0 <= i", "i < G*S"], source=GQA)
def attention_packed_row_to_head_and_token() -> tuple[str, ...]:
    """Row i of the packed queries is the token i / G of the head i % G of the group."""
    return (
        "((G,S):(D,H*D))(i) == mod(i, G)*D + floor_div(i, G)*H*D",
        "floor_div(i, G) < S",
    )


@theorem(given=["0 <= i", "i < G*S"], expect="refuted", source=GQA)
def attention_packed_row_by_the_tokens() -> str:
    """Row i of the packed queries is the token i % S of the head i / S."""
    return "((G,S):(D,H*D))(i) == floor_div(i, S)*D + mod(i, S)*H*D"


@theorem(source=GQA)
def attention_packed_rows_in_blocks_rounded_up() -> str:
    """ceil(G*S/bM) blocks of bM packed rows, cut off at G*S, hold every row exactly once."""
    return "partition((bM,ceil_div(G*S,bM)):(1,bM), G*S)"


@theorem(expect="refuted", source=GQA)
def attention_packed_rows_in_blocks_of_tokens() -> str:
    """ceil(S/bM) blocks of bM packed rows are enough."""
    return "covers((bM,ceil_div(S,bM)):(1,bM), G*S)"


@theorem(
    given=["0 <= m", "0 <= i", "i < bM", "0 <= j", "j <= m*bM + i", "n == ceil_div((m+1)*bM, bN)"],
    source=FLASH,
)
def attention_causal_blocks_reach_the_diagonal() -> str:
    """The first ceil((m+1)*bM/bN) blocks hold every key j that a row of query block m may see."""
    return "j < n*bN"


@theorem(
    given=["0 <= m", "0 <= i", "i < bM", "0 <= j", "j <= m*bM + i", "n == ceil_div(m*bM, bN)"],
    expect="refuted",
    source=FLASH,
)
def attention_causal_blocks_of_the_first_row() -> str:
    """The blocks that the first row of query block m begins after hold every key it may see."""
    return "j < n*bN"


@theorem(
    given=["0 <= m", "0 <= i", "i < bM", "w >= 0", "m*bM + i - w <= j", "m*bM >= w"],
    source=FLASH + ", local attention",
)
def attention_window_begins_in_its_first_block() -> str:
    """With a window of w keys to the left, no row of block m sees keys before (m*bM - w)/bN."""
    return "j >= floor_div(m*bM - w, bN)*bN"


@theorem(
    given=["0 <= m", "0 <= i", "i < bM", "w >= 0", "m*bM + i - w <= j", "m*bM >= w"],
    expect="refuted",
    source=FLASH + ", local attention",
)
def attention_window_begins_a_block_later() -> str:
    """With a window of w keys no row of block m sees keys before ceil((m*bM - w)/bN)."""
    return "j >= ceil_div(m*bM - w, bN)*bN"


@theorem(given=["D % 2 == 0"], source=ROPE)
def attention_rotary_pairs_fill_a_head() -> tuple[str, ...]:
    """Pairs of neighbours and pairs half a head apart each use every element of a head once."""
    return (
        "bijective((D/2,2):(2,1))",
        "bijective((D/2,2):(1,D/2))",
        "is_right_inverse((D/2,2):(2,1), (2,D/2):(D/2,1))",
        "is_left_inverse((D/2,2):(2,1), (2,D/2):(D/2,1))",
    )


@theorem(given=["D % 2 == 0"], expect="refuted", source=ROPE)
def attention_rotary_pairings_agree() -> str:
    """Pairs of neighbours and pairs half a head apart are the same."""
    return "equal((D/2,2):(2,1), (D/2,2):(1,D/2))"


@theorem(source="attention on (B,H,S,D): scaled_dot_product_attention")
def attention_tensors_of_the_two_orders() -> tuple[str, ...]:
    """Tensors (B,S,H,D) and (B,H,S,D) are copies of each other by permutations that invert."""
    return (
        "equal(composition((D,S,H,B):(1,H*D,D,S*H*D), (D,H,S,B):(1,S*D,D,S*H*D)), D*H*S*B:1)",
        "equal((D,S,1,B):(1,D,D,S*D), (D,1,S,B):(1,D,D,S*D))",
    )


@theorem(expect="refuted", source="attention on (B,H,S,D): scaled_dot_product_attention")
def attention_tensors_of_the_two_orders_are_the_same() -> str:
    """Tensors (B,S,H,D) and (B,H,S,D) are the same map from (d,s,h,b)."""
    return "equal((D,S,H,B):(1,H*D,D,S*H*D), (D,S,H,B):(1,D,S*D,S*H*D))"
