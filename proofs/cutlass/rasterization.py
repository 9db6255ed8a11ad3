"""Which CTA computes which tile: rasterization of P x Q tiles, clusters, split-K, persistent grids.

The tile (m,n) of a grid of P x Q tiles has the number m + P*n.
"""

from __future__ import annotations

from symcute import theorem

SWIZZLE = "CUTLASS: GemmIdentityThreadblockSwizzle in gemm/threadblock/threadblock_swizzle.h"
GROUPED = "Triton tutorial 03, matrix multiplication: program ids in groups of rows"
CLUSTER = "CUTLASS 3.x: thread block clusters and TMA multicast"
SPLIT_K = "CUTLASS documentation, efficient_gemm: parallelized reductions"
PERSISTENT = "CUTLASS 3.x: persistent tile schedulers"
STREAM_K = "Osama et al., Stream-K, arXiv:2301.03598"

#: Block x = s + S*m of row y computes the tile (m, S*y + s): blocks to numbers of tiles.
BY_COLUMNS = "((S,P),R):((P,1),S*P)"


@theorem(source=SWIZZLE)
def raster_swizzle_computes_every_tile_once() -> str:
    """With S*P blocks in a row and R rows, S columns of tiles a row, each tile has one block."""
    return f"bijective({BY_COLUMNS})"


@theorem(expect="refuted", source=SWIZZLE)
def raster_swizzle_with_columns_one_apart() -> str:
    """The blocks of one group compute neighbouring rows: s and m both step by one."""
    return "bijective(((S,P),R):((1,1),S*P))"


@theorem(given=["0 <= x", "x < S*P", "0 <= y", "y < R"], source=SWIZZLE)
def raster_swizzle_decodes_its_block() -> tuple[str, ...]:
    """Block (x,y) computes the tile of row x / S and column y*S + x % S, inside the grid."""
    return (
        f"({BY_COLUMNS})(x,y) == floor_div(x,S) + P*(y*S + mod(x,S))",
        "floor_div(x,S) < P",
        "y*S + mod(x,S) < S*R",
    )


@theorem(given=["0 <= x", "x < S*P", "0 <= y", "y < R"], expect="refuted", source=SWIZZLE)
def raster_swizzle_decodes_by_the_rows() -> str:
    """Block (x,y) computes the tile of row x % P and column y*S + x / P."""
    return f"({BY_COLUMNS})(x,y) == mod(x,P) + P*(y*S + floor_div(x,P))"


@theorem(given=["0 <= y", "y < ceil_div(Q,S)", "0 <= s", "s < S"], source=SWIZZLE)
def raster_swizzle_of_any_number_of_columns() -> tuple[str, ...]:
    """For Q columns ceil(Q/S) rows of blocks are enough; the last row has idle blocks.

    Less than S columns are too many.
    """
    return "ceil_div(Q,S)*S >= Q", "y*S + s < Q + S - 1"


@theorem(given=["0 <= y", "y < ceil_div(Q,S)", "0 <= s", "s < S"], expect="refuted", source=SWIZZLE)
def raster_swizzle_has_no_idle_blocks() -> str:
    """With ceil(Q/S) rows of blocks no block has a column beyond Q."""
    return "y*S + s < Q"


@theorem(given=["P % G == 0"], source=GROUPED)
def raster_groups_of_rows_compute_every_tile_once() -> tuple[str, ...]:
    """Programs that run down G rows of tiles before they step right compute each tile once."""
    return (
        "bijective((G,Q,P/G):(1,P,G))",
        "equal((G,1,P/G):(1,P,G), P:1)",
    )


@theorem(given=["P % G == 0", "0 <= p", "p < P*Q"], source=GROUPED)
def raster_groups_of_rows_decode_their_program() -> str:
    """Program p is in group p / (G*Q), row p % G of it, column (p % (G*Q)) / G."""
    return "((G,Q,P/G):(1,P,G))(p) == G*floor_div(p, G*Q) + mod(p, G) + P*floor_div(mod(p, G*Q), G)"


@theorem(given=["0 <= g", "g < G", "0 <= q", "q < Q", "0 <= r"], source=GROUPED)
def raster_groups_of_rows_digits() -> tuple[str, ...]:
    """Program g + G*(q + Q*r) finds r, g and q by divisions by G*Q and G alone."""
    p = "(g + G*(q + Q*r))"
    return (
        f"floor_div({p}, G*Q) == r",
        f"mod({p}, G) == g",
        f"floor_div(mod({p}, G*Q), G) == q",
    )


@theorem(given=["0 <= g", "g < G", "0 <= q", "q < Q", "0 <= r"], expect="refuted", source=GROUPED)
def raster_groups_of_rows_digits_by_the_columns() -> str:
    """Program g + G*(q + Q*r) finds q as the rest by Q."""
    return "mod(g + G*(q + Q*r), Q) == q"


@theorem(expect="refuted", source=GROUPED)
def raster_groups_of_rows_need_no_divisor() -> str:
    """ceil(P/G) groups of G rows stay inside P x Q tiles, whatever G."""
    return "in_bounds((G,Q,ceil_div(P,G)):(1,P,G), P*Q)"


@theorem(given=["P % G == 0"], expect="refuted", source=GROUPED)
def raster_groups_of_rows_are_column_major() -> str:
    """Grouping rows changes nothing: the programs compute the tiles in column-major order."""
    return "equal((G,Q,P/G):(1,P,G), P*Q:1)"


@theorem(given=["P % cM == 0", "Q % cN == 0"], source=CLUSTER)
def raster_clusters_compute_every_tile_once() -> tuple[str, ...]:
    """Clusters of cM x cN CTAs cover the grid of tiles, each tile once."""
    return (
        "bijective(zipped_divide((P,Q):(1,P), (cM,cN)))",
        "equal(get(zipped_divide((P,Q):(1,P), (cM,cN)), 0), (cM,cN):(1,P))",
    )


@theorem(given=["P % cM == 0", "Q % cN == 0"], expect="refuted", source=CLUSTER)
def raster_cluster_is_a_run_of_tiles() -> str:
    """The CTAs of a cluster compute tiles whose numbers follow one another."""
    return "equal(get(zipped_divide((P,Q):(1,P), (cM,cN)), 0), cM*cN:1)"


@theorem(source=CLUSTER)
def raster_multicast_slices_fill_the_tile() -> tuple[str, ...]:
    """The cN CTAs that share a tile of A each load a slice of it and send it to all of them.

    The slices, bM x bK/cN here with bK = cN*w, fill the tile of every receiver exactly once.
    """
    return (
        "bijective((bM,w,cN):(1,bM,bM*w))",
        "compact((bM,w,cN,cN):(1,bM,bM*w,0))",
    )


@theorem(expect="refuted", source=CLUSTER)
def raster_multicast_senders_write_one_place() -> str:
    """Seen by sender and receiver, no element of the shared tile is named twice."""
    return "injective((bM,w,cN,cN):(1,bM,bM*w,0))"


@theorem(given=["K % (bK*S) == 0"], source=SPLIT_K)
def split_k_sums_every_k_once() -> tuple[str, ...]:
    """S slices of K/S, each in steps of bK, sum every k exactly once."""
    return (
        "bijective((bK,K/(bK*S),S):(1,bK,K/S))",
        "equal((bK,K/(bK*S),S):(1,bK,K/S), K:1)",
    )


@theorem(given=["K % bK == 0"], expect="refuted", source=SPLIT_K)
def split_k_of_slices_that_do_not_divide() -> str:
    """S slices of floor(K/(bK*S)) steps sum every k when only the step divides K."""
    return "bK*floor_div(K, bK*S)*S == K"


@theorem(source=SPLIT_K)
def split_k_into_slices_rounded_up() -> str:
    """S slices of ceil(K/S), cut off at K, sum every k exactly once."""
    return "partition((ceil_div(K,S),S):(1,ceil_div(K,S)), K)"


@theorem(given=["K >= S"], expect="refuted", source=SPLIT_K)
def split_k_into_slices_rounded_down() -> str:
    """S slices of floor(K/S) sum every k."""
    return "covers((floor_div(K,S),S):(1,floor_div(K,S)), K)"


@theorem(given=["LDC >= M", "1 <= d", "d < S"], source=SPLIT_K)
def split_k_partial_sums_are_apart() -> tuple[str, ...]:
    """The partial results of two slices have nothing in common in a workspace of S*LDC*N."""
    return (
        "apart((M,N):(1,LDC), (M,N):(1,LDC), d*LDC*N)",
        "in_bounds((M,N,S):(1,LDC,LDC*N), LDC*N*S)",
    )


@theorem(given=["LDC >= M", "1 <= d", "d < S"], expect="refuted", source=SPLIT_K)
def split_k_partial_sums_a_dense_matrix_apart() -> str:
    """The partial results may lie M*N apart when their columns lie LDC apart."""
    return "apart((M,N):(1,LDC), (M,N):(1,LDC), d*M*N)"


@theorem(given=["bK % (w*mK) == 0"], source="CUTLASS documentation, efficient_gemm: sliced-K")
def sliced_k_sums_every_k_once() -> tuple[str, ...]:
    """w warps that share a k-tile, in turns of mK or in parts of bK/w, sum every k once."""
    return (
        "bijective((mK,w,bK/(w*mK)):(1,mK,w*mK))",
        "bijective((mK,bK/(w*mK),w):(1,mK,bK/w))",
    )


@theorem(
    given=["bK % (w*mK) == 0"],
    expect="refuted",
    source="CUTLASS documentation, efficient_gemm: sliced-K",
)
def sliced_k_in_turns_is_sliced_k_in_parts() -> str:
    """Taking turns and taking parts give the same warp the same k."""
    return "equal((mK,w,bK/(w*mK)):(1,mK,w*mK), (mK,w,bK/(w*mK)):(1,bK/w,mK))"


@theorem(source=PERSISTENT)
def persistent_grid_computes_every_tile_once() -> str:
    """W workers that go through T tiles in steps of W compute every tile exactly once."""
    return "partition((W,ceil_div(T,W)):(1,W), T)"


@theorem(expect="refuted", source=PERSISTENT)
def persistent_grid_that_stops_a_round_early() -> str:
    """W workers are done with T tiles after ceil(T/W) - 1 rounds."""
    return "W*(ceil_div(T,W) - 1) >= T"


@theorem(given=["0 <= w", "w < W"], source=PERSISTENT)
def persistent_grid_is_balanced() -> tuple[str, ...]:
    """Worker w of W computes ceil((T-w)/W) of T tiles; no worker computes 2 more than another."""
    return (
        "ceil_div(T - w, W) <= ceil_div(T, W)",
        "ceil_div(T - w, W) >= ceil_div(T, W) - 1",
    )


@theorem(given=["0 <= w", "w < W"], expect="refuted", source=PERSISTENT)
def persistent_grid_gives_all_the_same() -> str:
    """All workers compute ceil(T/W) tiles."""
    return "ceil_div(T - w, W) == ceil_div(T, W)"


@theorem(source=STREAM_K)
def stream_k_shares_iterations_evenly() -> tuple[str, ...]:
    """W workers with ceil(T*I/W) iterations each do the I iterations of T tiles exactly once."""
    each = "ceil_div(T*I,W)"
    return (f"partition(({each},W):(1,{each}), T*I)",)


@theorem(given=["0 <= k", "k < T*I"], source=STREAM_K)
def stream_k_iteration_belongs_to_one_tile() -> tuple[str, ...]:
    """Iteration k belongs to tile k / I and is its iteration k % I."""
    return "floor_div(k,I) < T", "floor_div(k,I)*I + mod(k,I) == k"


@theorem(given=["0 <= k", "k < T*I"], expect="refuted", source=STREAM_K)
def stream_k_iteration_by_the_number_of_tiles() -> str:
    """Iteration k belongs to tile k / T."""
    return "floor_div(k,T) < T"
