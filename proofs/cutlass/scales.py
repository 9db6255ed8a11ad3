"""Scale factors of narrow data types: one for several elements, which is a mode of stride 0.

A matrix M x K has one scale factor for every V elements of a row (block-scaled formats), or for
every block of G x G elements, or for every group of G rows (quantised weights).
"""

from __future__ import annotations

from symcute import theorem

BLOCK_SCALED = "CUTLASS: SfAtom in cutlass/detail/sm100_blockscaled_layout.hpp"
CUDNN = "cuDNN frontend documentation, block-scaled GEMM: the shape of scale factors"
BLOCKWISE = "CUTLASS: cutlass/detail/blockwise_scale_layout.hpp; DeepSeek-V3, 128 x 128 blocks"
GROUPS = "GPTQ and AWQ: weights in groups of G rows with one scale a column"
NIBBLES = "AWQ: eight 4-bit weights a word, in the order 0 2 4 6 1 3 5 7"

#: The scale factors of 128 rows and 4*V columns.
ATOM = "((32,4),(V,4)):((16,4),(0,1))"
#: Those of an M x K matrix: atoms along K first.
TILED = f"tile_to_shape({ATOM}, (M,K), (2,1))"
WHOLE = ["M % 128 == 0", "K % (4*V) == 0"]


@theorem(source=BLOCK_SCALED)
def scale_atom_uses_all_its_512_places() -> tuple[str, ...]:
    """An atom holds 512 scale factors, one for every row of 128 and every V of 4*V columns."""
    return f"compact({ATOM})", f"in_bounds({ATOM}, 512)", "bijective(((32,4),4):((16,4),1))"


@theorem(given=["V >= 2"], expect="refuted", source=BLOCK_SCALED)
def scale_atom_has_a_factor_for_every_element() -> str:
    """Every element of 128 rows and 4*V columns has a scale factor of its own."""
    return f"injective({ATOM})"


@theorem(expect="refuted", source=BLOCK_SCALED)
def scale_atom_in_256_places() -> str:
    """An atom holds its scale factors in 256 places."""
    return f"in_bounds({ATOM}, 256)"


@theorem(given=["0 <= m", "m < 128", "0 <= k", "k < 4*V"], source=BLOCK_SCALED)
def scale_of_an_element_of_the_atom() -> str:
    """The scale factor of element (m,k) is 16*(m % 32) + 4*(m / 32) + k/V: 32 rows interleave."""
    return f"({ATOM})(m, k) == 16*mod(m, 32) + 4*floor_div(m, 32) + floor_div(k, V)"


@theorem(given=["0 <= m", "m < 128", "0 <= k", "k < 4*V"], expect="refuted", source=BLOCK_SCALED)
def scale_of_an_element_row_by_row() -> str:
    """The scale factor of element (m,k) is 4*m + k/V: row by row."""
    return f"({ATOM})(m, k) == 4*m + floor_div(k, V)"


@theorem(given=WHOLE, source=BLOCK_SCALED)
def scale_factors_of_a_matrix() -> tuple[str, ...]:
    """Tiled over M x K, the atoms hold M*(K/V) scale factors without a gap."""
    return (
        f"compact({TILED})",
        f"in_bounds({TILED}, M*(K/V))",
        f"compatible((M,K), {TILED})",
    )


@theorem(given=WHOLE, source=BLOCK_SCALED)
def scale_atoms_lie_along_k() -> tuple[str, ...]:
    """Atoms follow one another along K: 512 apart along K, 512 times K/(4*V) along M."""
    return (
        f"equal({TILED}, ((32,4,M/128),(V,4,K/(4*V))):((16,4,128*(K/V)),(0,1,512)))",
        f"({TILED})(0, K - 1) == 512*(K/(4*V) - 1) + 3",
    )


@theorem(given=WHOLE, expect="refuted", source=BLOCK_SCALED)
def scale_atoms_lie_along_m() -> str:
    """Tiled along M first, the atoms lie in the same places."""
    return f"equal({TILED}, tile_to_shape({ATOM}, (M,K), (1,2)))"


@theorem(source=CUDNN)
def scale_factors_of_any_matrix() -> tuple[str, ...]:
    """For any M and K the atoms, rounded up in both, are dense: 32, 4, ceil(M/128), 4, ceil(K/4V).

    They have room for all rows and columns, and less than an atom is wasted in each.
    """
    rm, rk = "ceil_div(M,128)", "ceil_div(K,4*V)"
    return (
        f"bijective((32,4,{rm},4,{rk}):(16,4,512*{rk},1,512))",
        f"128*{rm} >= M",
        f"128*{rm} <= M + 127",
        f"4*V*{rk} >= K",
    )


@theorem(expect="refuted", source=CUDNN)
def scale_factors_of_any_matrix_without_rounding() -> str:
    """For any M and K the atoms take no more than M*ceil(K/V) places."""
    return (
        "in_bounds((32,4,ceil_div(M,128),4,ceil_div(K,4*V)):"
        "(16,4,512*ceil_div(K,4*V),1,512), M*ceil_div(K,V))"
    )


@theorem(source=BLOCK_SCALED)
def scale_factors_are_read_in_vectors() -> tuple[str, ...]:
    """The four factors of a row are one aligned vector of 4; four rows 32 apart, one of 16."""
    return (
        "aligned((32,4,P):(16,4,512), 4)",
        "aligned((32,P):(16,512), 16)",
        "equal((4,4):(1,4), 16:1)",
    )


@theorem(expect="refuted", source=BLOCK_SCALED)
def scale_factors_of_neighbouring_rows_are_one_vector() -> str:
    """The factors of four neighbouring rows are one vector of 16."""
    return "equal((4,4):(1,16), 16:1)"


@theorem(given=["0 <= m", "m < G*P", "0 <= k", "k < G*Q"], source=BLOCKWISE)
def scale_of_a_block() -> str:
    """With a factor for every G x G block, the element (m,k) has that of (m/G, k/G)."""
    return "(((G,P),(G,Q)):((0,1),(0,P)))(m, k) == floor_div(m, G) + P*floor_div(k, G)"


@theorem(given=["0 <= m", "m < G*P", "0 <= k", "k < G*Q"], expect="refuted", source=BLOCKWISE)
def scale_of_a_block_by_the_rest() -> str:
    """With a factor for every G x G block, the element (m,k) has that of (m % P, k % Q)."""
    return "(((G,P),(G,Q)):((0,1),(0,P)))(m, k) == mod(m, P) + P*mod(k, Q)"


@theorem(source=BLOCKWISE)
def scale_of_blocks_and_of_rows_are_compact() -> tuple[str, ...]:
    """Factors for G x G blocks take P*Q places, for 1 x G blocks of G*P rows G*P*Q."""
    return (
        "compact(((G,P),(G,Q)):((0,1),(0,P)))",
        "in_bounds(((G,P),(G,Q)):((0,1),(0,P)), P*Q)",
        "compact((G*P,(G,Q)):(1,(0,G*P)))",
        "in_bounds((G*P,(G,Q)):(1,(0,G*P)), G*P*Q)",
    )


@theorem(
    given=["bK % G == 0", "K % bK == 0", "0 <= t", "t < K/bK", "0 <= y", "y < bK"], source=BLOCKWISE
)
def scale_of_a_k_tile() -> str:
    """When G divides the k-tile, tile t uses the factors from t*(bK/G) on, bK/G of them."""
    return "floor_div(t*bK + y, G) == t*(bK/G) + floor_div(y, G)"


@theorem(given=["bK >= G", "0 <= t", "0 <= y", "y < bK"], expect="refuted", source=BLOCKWISE)
def scale_of_a_k_tile_of_any_length() -> str:
    """Tile t uses the factors from t*(bK/G) on for every k-tile of at least G."""
    return "floor_div(t*bK + y, G) == t*floor_div(bK, G) + floor_div(y, G)"


@theorem(given=["0 <= k", "k < G*R", "0 <= n", "n < N"], source=GROUPS)
def scale_of_a_group_of_rows() -> tuple[str, ...]:
    """Row k of quantised weights has the scales of row k/G, one a column; the scales are dense."""
    return (
        "(((G,R),N):((0,N),1))(k, n) == floor_div(k, G)*N + n",
        "compact(((G,R),N):((0,N),1))",
    )


@theorem(given=["0 <= k", "k < G*R", "0 <= n", "n < N"], expect="refuted", source=GROUPS)
def scale_of_a_group_by_the_number_of_groups() -> str:
    """Row k of quantised weights has the scales of row k % R."""
    return "(((G,R),N):((0,N),1))(k, n) == mod(k, R)*N + n"


@theorem(given=["K % 8 == 0"], source=NIBBLES)
def nibbles_in_words() -> tuple[str, ...]:
    """Eight weights a word: as elements of a word the K rows are K/8; the order is a permutation.

    Places 0 to 3 of a word hold its even weights, places 4 to 7 the odd ones.
    """
    return (
        "equal(upcast((K,N):(1,K), 8), (K/8,N):(1,K/8))",
        "bijective(((4,2),K/8,N):((2,1),8,K))",
        "is_left_inverse(((2,4),K/8):((4,1),8), ((4,2),K/8):((2,1),8))",
    )


@theorem(given=["K % 8 == 0"], expect="refuted", source=NIBBLES)
def nibbles_in_words_in_order() -> str:
    """The weights of a word stand in their order."""
    return "equal(((4,2),K/8):((2,1),8), K:1)"
