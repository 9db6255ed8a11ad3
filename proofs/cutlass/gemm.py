"""Tilings of a GEMM: C (M x N) += A (M x K) * B (N x K)^T, as CUTLASS and CuTe cut it.

A, B and C have leading dimensions of their own; a tile of a CTA (thread block) is bM x bN x bK.
"""

from __future__ import annotations

from symcute import theorem

TUTORIAL = "CuTe documentation, 0x_gemm_tutorial"
SGEMM_1 = "CUTLASS examples/cute/tutorial/sgemm_1.cu"
SGEMM_2 = "CUTLASS examples/cute/tutorial/sgemm_2.cu"
EFFICIENT = "CUTLASS documentation, efficient_gemm"

#: A of an NT product (M-major) in tiles, and the sizes under which tiles fit.
NT = ["M % bM == 0", "K % bK == 0", "LDA >= M"]
A_TILES = "zipped_divide((M,K):(1,LDA), (bM,bK))"
C_TILES = "zipped_divide((M,N):(1,LDC), (bM,bN))"
#: The values of C by CTA, in tiles of bM x bN, P x Q of them.
C_BY_CTA = "((bM,bN),(P,Q)):((1,LDC),(bM,bN*LDC))"
#: Three levels: an instruction's mM x mN, WM x WN of them a warp, PM x PN warps a CTA.
LEVELS = "((mM,WM,PM),(mN,WN,PN)):((1,mM,mM*WM),(LDC,mN*LDC,mN*WN*LDC))"


@theorem(given=["LDA >= M", "LDB >= N"], source=TUTORIAL)
def gemm_nt_operands() -> tuple[str, ...]:
    """The operands of an NT product, `(M,K):(1,LDA)` and `(N,K):(1,LDB)`, fit in LD*K elements."""
    return (
        "injective((M,K):(1,LDA))",
        "in_bounds((M,K):(1,LDA), LDA*K)",
        "injective((N,K):(1,LDB))",
        "in_bounds((N,K):(1,LDB), LDB*K)",
    )


@theorem(given=["LDA >= K", "LDB >= K"], source=TUTORIAL)
def gemm_tn_operands() -> tuple[str, ...]:
    """The operands of a TN product, `(M,K):(LDA,1)` and `(N,K):(LDB,1)`, fit in LDA*M and LDB*N."""
    return (
        "injective((M,K):(LDA,1))",
        "in_bounds((M,K):(LDA,1), LDA*M)",
        "injective((N,K):(LDB,1))",
        "in_bounds((N,K):(LDB,1), LDB*N)",
    )


@theorem(given=["LDA >= M"], expect="refuted", source=TUTORIAL)
def gemm_tn_operand_with_the_leading_dimension_of_nt() -> str:
    """The A of a TN product is injective under the condition LDA >= M of the NT one."""
    return "injective((M,K):(LDA,1))"


@theorem(given=["M % 128 == 0", "K % 8 == 0"], source=TUTORIAL)
def gemm_cta_tiles_of_A() -> tuple[str, ...]:
    """Divided by (128,8), A is an M/128 x K/8 grid of tiles, 128 and 8*LDA apart."""
    tiles = "zipped_divide((M,K):(1,LDA), (128,8))"
    return (
        f'prints_as({tiles}, "((128,8),(M/128,K/8)):((1,LDA),(128,8*LDA))")',
        f"equal(get({tiles}, 0), (128,8):(1,LDA))",
    )


@theorem(given=["M % 128 == 0", "K % 8 == 0"], expect="refuted", source=TUTORIAL)
def gemm_cta_tiles_of_A_are_dense() -> str:
    """A tile of 128 x 8 of A has its columns 128 apart."""
    return "equal(get(zipped_divide((M,K):(1,LDA), (128,8)), 0), (128,8):(1,128))"


@theorem(
    given=[
        *NT,
        *("0 <= x", "x < bM", "0 <= y", "y < bK", "0 <= m", "m < M/bM", "0 <= k", "k < K/bK"),
    ],
    source=TUTORIAL,
)
def gemm_local_tile_of_A() -> str:
    """The element (x,y) of the k-th tile of CTA row m is the element (bM*m+x, bK*k+y) of A."""
    return f"({A_TILES})((x,y),(m,k)) == ((M,K):(1,LDA))(bM*m + x, bK*k + y)"


@theorem(
    given=[*NT, "0 <= x", "x < bM", "0 <= y", "y < bK", "0 <= k", "k < K/bK"],
    expect="refuted",
    source=TUTORIAL,
)
def gemm_local_tile_walks_k_one_by_one() -> str:
    """From one k-tile to the next, k grows by 1."""
    return f"({A_TILES})((x,y),(0,k)) == ((M,K):(1,LDA))(x, k + y)"


@theorem(given=["K % bK == 0"], source=TUTORIAL)
def gemm_main_loop_visits_every_k_once() -> str:
    """The main loop over K/bK tiles of bK sums every k exactly once."""
    return "bijective((bK,K/bK):(1,bK))"


@theorem(given=["K % bK == 0", "K >= 2*bK"], expect="refuted", source=TUTORIAL)
def gemm_main_loop_without_the_step() -> str:
    """The main loop sums every k exactly once when it advances by one column a tile."""
    return "bijective((bK,K/bK):(1,1))"


@theorem(given=["LDC >= bM*P"], source=TUTORIAL)
def gemm_every_element_of_C_has_one_cta() -> tuple[str, ...]:
    """No two CTAs of a P x Q grid write the same element of C, and none writes outside."""
    return f"injective({C_BY_CTA})", f"in_bounds({C_BY_CTA}, LDC*bN*Q)"


@theorem(given=["LDC >= bM*P - 1"], expect="refuted", source=TUTORIAL)
def gemm_leading_dimension_one_too_small() -> str:
    """No two CTAs write the same element when C has a row less than the tiles cover."""
    return f"injective({C_BY_CTA})"


@theorem(given=["M % bM == 0", "N % bN == 0"], source=TUTORIAL)
def gemm_cta_tiles_partition_C() -> str:
    """The tiles of all CTAs visit every element of a dense C exactly once."""
    return "partition(zipped_divide((M,N):(1,M), (bM,bN)), M*N)"


@theorem(source=TUTORIAL)
def gemm_operand_is_shared_along_the_grid() -> tuple[str, ...]:
    """The Q CTAs of a row of the grid read the same tiles of A: a mode of stride 0.

    What they read together takes no more room than A.
    """
    shared = "((bM,bK),(P,Q),T):((1,bM*P),(bM,0),bM*P*bK)"
    return f"compact({shared})", f"in_bounds({shared}, bM*P*bK*T)"


@theorem(expect="refuted", source=TUTORIAL)
def gemm_operand_is_private() -> str:
    """Every CTA of the grid reads elements of A that no other one reads."""
    return "injective(((bM,bK),(P,Q),T):((1,bM*P),(bM,0),bM*P*bK))"


@theorem(given=["LDC >= bM*P", "1 <= d", "d < P"], source=TUTORIAL)
def gemm_ctas_of_a_column_are_apart() -> str:
    """The tiles of C of two CTAs in one column of the grid have nothing in common."""
    return "apart((bM,bN):(1,LDC), (bM,bN):(1,LDC), bM*d)"


@theorem(given=["LDC >= bM*P", "1 <= d"], expect="refuted", source=TUTORIAL)
def gemm_ctas_a_column_height_apart() -> str:
    """Tiles of C that lie any multiple of bM elements apart have nothing in common."""
    return "apart((bM,bN):(1,LDC), (bM,bN):(1,LDC), bM*d)"


@theorem(given=["bM % tM == 0", "bK % tK == 0"], source=SGEMM_1)
def gemm_threads_copy_every_element_once() -> tuple[str, ...]:
    """tM x tK threads that each take one element of every tM x tK part copy a whole tile.

    Thread first, then values, as local_partition cuts it; threads numbered along m or along k.
    """
    return (
        "bijective(zipped_divide((bM,bK):(1,bM), (tM,tK)))",
        "bijective(((tM,tK),(bM/tM,bK/tK)):((1,bM),(tM,bM*tK)))",
        "bijective(((tK,tM),(bM/tM,bK/tK)):((bM,1),(tM,bM*tK)))",
    )


@theorem(given=["bM % tM == 0", "bK % tK == 0", "bM >= 2*tM"], expect="refuted", source=SGEMM_1)
def gemm_threads_with_neighbouring_values() -> str:
    """Neighbouring threads lie one element apart, and so do the values of a thread."""
    return "bijective(((tM,tK),(bM/tM,bK/tK)):((1,bM),(1,bM*tK)))"


@theorem(
    given=[
        *("bM % tM == 0", "bK % tK == 0", "0 <= m", "m < tM", "0 <= k", "k < tK"),
        *("0 <= v", "v < bM/tM", "0 <= w", "w < bK/tK"),
    ],
    source=SGEMM_1,
)
def gemm_local_partition() -> str:
    """The value (v,w) of thread (m,k) is the element (m + v*tM, k + w*tK) of the tile."""
    return (
        "(zipped_divide((bM,bK):(1,LDA), (tM,tK)))((m,k),(v,w)) "
        "== ((bM,bK):(1,LDA))(m + v*tM, k + w*tK)"
    )


@theorem(
    given=[
        *("bM % tM == 0", "bK % tK == 0", "0 <= m", "m < tM", "0 <= k", "k < tK"),
        *("0 <= v", "v < bM/tM", "0 <= w", "w < bK/tK"),
    ],
    expect="refuted",
    source=SGEMM_1,
)
def gemm_local_partition_in_blocks() -> str:
    """The value (v,w) of thread (m,k) is the element (m*bM/tM + v, k*bK/tK + w) of the tile."""
    return (
        "(zipped_divide((bM,bK):(1,LDA), (tM,tK)))((m,k),(v,w)) "
        "== ((bM,bK):(1,LDA))(m*(bM/tM) + v, k*(bK/tK) + w)"
    )


@theorem(source=SGEMM_2)
def gemm_tiled_copy_covers_its_tile() -> tuple[str, ...]:
    """T x U threads with V neighbouring values each cover a (T*V) x U tile, each element once.

    The raked product of the layout of threads and that of values numbers the tile by thread and
    value; its inverse is where each of them is.
    """
    by_element = "raked_product((T,U):(1,T), (V,1))"
    return (
        f"bijective({by_element})",
        f"is_right_inverse(right_inverse({by_element}), {by_element})",
        f"is_left_inverse(right_inverse({by_element}), {by_element})",
    )


@theorem(
    given=["0 <= v", "v < V", "0 <= t", "t < T", "0 <= u", "u < U"],
    source=SGEMM_2,
)
def gemm_tiled_copy_values_are_neighbours() -> str:
    """In that tile the element (v + V*t, u) is the value v of thread t + T*u."""
    return "(raked_product((T,U):(1,T), (V,1)))((v,t),(0,u)) == t + T*u + T*U*v"


@theorem(
    given=["0 <= v", "v < V", "0 <= t", "t < T", "0 <= u", "u < U"],
    expect="refuted",
    source=SGEMM_2,
)
def gemm_tiled_copy_by_blocked_product() -> str:
    """The blocked product of threads and values puts the values of a thread side by side too."""
    return "(blocked_product((T,U):(1,T), (V,1)))(v + V*t, u) == t + T*u + T*U*v"


@theorem(source=EFFICIENT)
def gemm_levels_are_the_tile() -> tuple[str, ...]:
    """Instructions in warps in a CTA are, index by index, one tile of C."""
    return (
        f"equal({LEVELS}, (mM*WM*PM,mN*WN*PN):(1,LDC))",
        f"compatible((mM*WM*PM,mN*WN*PN), {LEVELS})",
    )


@theorem(given=["LDC >= mM*WM*PM"], source=EFFICIENT)
def gemm_levels_do_not_meet() -> tuple[str, ...]:
    """No two warps or instructions of a CTA write the same element of C."""
    return f"injective({LEVELS})", f"in_bounds({LEVELS}, LDC*mN*WN*PN)"


@theorem(given=["LDC >= mM*WM*PM"], expect="refuted", source=EFFICIENT)
def gemm_warps_an_instruction_apart() -> str:
    """Warps that lie one instruction's tile apart do not meet."""
    return "injective(((mM,WM,PM),(mN,WN,PN)):((1,mM,mM),(LDC,mN*LDC,mN*WN*LDC)))"


@theorem(given=["bM % eM == 0", "bN % eN == 0"], source="CUTLASS 3.x epilogue: EpilogueTile")
def gemm_epilogue_tiles_of_a_cta_tile() -> tuple[str, ...]:
    """A CTA's tile of C divides into epilogue tiles, and these visit it exactly once."""
    return (
        "equal(zipped_divide((bM,bN):(1,LDC), (eM,eN)), "
        "((eM,eN),(bM/eM,bN/eN)):((1,LDC),(eM,eN*LDC)))",
        "bijective(zipped_divide((bM,bN):(1,bM), (eM,eN)))",
    )


@theorem(
    given=["M % bM == 0", "N % bN == 0", "bM % eM == 0", "bN % eN == 0"],
    source="CUTLASS 3.x epilogue: EpilogueTile",
)
def gemm_epilogue_tile_of_a_local_tile() -> str:
    """Dividing C by the CTA's tile and that by the epilogue's gives the epilogue's tile of C."""
    return (
        f"equal(get(zipped_divide(get({C_TILES}, 0), (eM,eN)), 0), "
        "get(zipped_divide((M,N):(1,LDC), (bM,bN)), 0) o <eM:1,eN:1>)"
    )


@theorem(given=["bM % eM == 0", "bN % eN == 0"], expect="refuted", source="CUTLASS 3.x epilogue")
def gemm_epilogue_tiles_are_dense() -> str:
    """The epilogue tiles of a CTA's tile of C lie one after the other."""
    return (
        "equal(zipped_divide((bM,bN):(1,LDC), (eM,eN)), "
        "((eM,eN),(bM/eM,bN/eN)):((1,eM),(eM*eN,eN*bM)))"
    )


@theorem(given=["M % bM == 0", "K % bK == 0"], source=TUTORIAL)
def gemm_tiles_compatible_with_shared_memory() -> tuple[str, ...]:
    """The shape of a shared memory tile (bM,bK) is the tile mode of the divided operand."""
    return (
        f"compatible((bM,bK), get({A_TILES}, 0))",
        f"size({A_TILES}, 1) == (M/bM)*(K/bK)",
        f"compatible(bM*bK, get({A_TILES}, 0))",
    )


@theorem(given=["M % bM == 0", "K % bK == 0"], expect="refuted", source=TUTORIAL)
def gemm_tiles_compatible_with_a_transposed_tile() -> str:
    """The shape of a shared memory tile (bK,bM) is the tile mode of the divided operand."""
    return f"compatible((bK,bM), get({A_TILES}, 0))"
