"""How threads share elements: grid-stride loops, blocked and striped ranges, warps and lanes."""

from __future__ import annotations

from symcute import theorem

GRID_STRIDE = "NVIDIA developer blog: grid-stride loops"
CUB = "CUB documentation: blocked and striped arrangements"
WARP = "CUDA C++ Programming Guide: warps of 32 lanes"
TRANSPOSE = "NVIDIA developer blog: matrix transpose in 32 x 32 tiles by 32 x 8 threads"

#: Thread, block, iteration of a loop that steps by the whole grid.
GRID_LOOP = "(T,B,ceil_div(N,T*B)):(1,T,T*B)"


@theorem(source=GRID_STRIDE)
def grid_stride_loop_visits_everything_once() -> str:
    """B blocks of T threads that step by T*B visit every element of N exactly once."""
    return f"partition({GRID_LOOP}, N)"


@theorem(given=["B >= 2", "N >= 2*T*B"], expect="refuted", source=GRID_STRIDE)
def grid_stride_loop_that_steps_by_a_block() -> str:
    """A grid-stride loop visits everything once when every thread steps by T, its block's size."""
    return "partition((T,B,ceil_div(N,T*B)):(1,T,T), N)"


@theorem(expect="refuted", source=GRID_STRIDE)
def grid_without_a_loop_covers_everything() -> str:
    """B blocks of T threads, with an element each, visit every element of N."""
    return "covers((T,B):(1,T), N)"


@theorem(given=["0 <= i", "i < N"], source=GRID_STRIDE)
def grid_stride_loop_finds_its_thread() -> tuple[str, ...]:
    """Element i belongs to thread i % T of block (i/T) % B, in iteration i / (T*B)."""
    return (
        "floor_div(i, T*B)*(T*B) + mod(floor_div(i, T), B)*T + mod(i, T) == i",
        "floor_div(i, T*B) < ceil_div(N, T*B)",
    )


@theorem(given=["0 <= g", "g < T*B"], source=GRID_STRIDE)
def grid_stride_loop_is_balanced() -> tuple[str, ...]:
    """Thread g of the grid has ceil((N-g)/(T*B)) elements; two threads differ by at most one."""
    return (
        "ceil_div(N - g, T*B) <= ceil_div(N, T*B)",
        "ceil_div(N - g, T*B) >= ceil_div(N, T*B) - 1",
    )


@theorem(given=["0 <= g", "g < T*B"], expect="refuted", source=GRID_STRIDE)
def grid_stride_loop_gives_all_the_same() -> str:
    """All threads of a grid-stride loop have the same number of elements."""
    return "ceil_div(N - g, T*B) == ceil_div(N, T*B)"


@theorem(source=CUB)
def grid_blocked_and_striped_have_every_item_once() -> tuple[str, ...]:
    """V items a thread, in a run of V or in strides of T: all T*V items, each once."""
    return "bijective((T,V):(V,1))", "bijective((T,V):(1,T))"


@theorem(expect="refuted", source=CUB)
def grid_blocked_is_striped() -> str:
    """Blocked and striped arrangements give a thread the same items."""
    return "equal((T,V):(V,1), (T,V):(1,T))"


@theorem(source=CUB)
def grid_from_blocked_to_striped_and_back() -> tuple[str, ...]:
    """The exchange from blocked to striped is a transposition; exchanging back undoes it."""
    return (
        "is_left_inverse((V,T):(T,1), (T,V):(V,1))",
        "is_right_inverse((V,T):(T,1), (T,V):(V,1))",
    )


@theorem(expect="refuted", source=CUB)
def grid_from_blocked_to_striped_twice() -> str:
    """The exchange from blocked to striped undoes itself."""
    return "is_left_inverse((T,V):(V,1), (T,V):(V,1))"


@theorem(source=CUB)
def grid_blocked_ranges_rounded_up() -> str:
    """ceil(N/T) items a thread in a run, cut off at N, are all items, each once."""
    return "partition((ceil_div(N,T),T):(1,ceil_div(N,T)), N)"


@theorem(source=WARP)
def warp_of_vectors_visits_everything_once() -> str:
    """V values a lane, 32 lanes a warp, W warps, rounded up: every element exactly once."""
    return "partition((V,32,W,ceil_div(N,32*V*W)):(1,V,32*V,32*V*W), N)"


@theorem(given=["V >= 2"], expect="refuted", source=WARP)
def warp_of_vectors_with_lanes_one_apart() -> str:
    """Lanes that each take V neighbouring values begin one element apart."""
    return "injective((V,32,W):(1,1,32*V))"


@theorem(given=["0 <= t", "t < 32*W"], source=WARP)
def warp_and_lane_of_a_thread() -> tuple[str, ...]:
    """Thread t is lane t % 32 of warp t / 32, and the warps fill the block."""
    return (
        "floor_div(t, 32) < W",
        "((32,W):(1,32))(t) == t",
        "mod(t, 32) + 32*floor_div(t, 32) == t",
    )


@theorem(given=["0 <= t", "t < 32*W"], expect="refuted", source=WARP)
def warp_of_a_thread_by_the_rest() -> str:
    """Thread t is in warp t % W."""
    return "mod(t, W) == floor_div(t, 32)"


@theorem(given=["0 <= l", "l < 31"], source=WARP)
def warp_reads_neighbours_striped_but_not_blocked() -> tuple[str, ...]:
    """Striped, neighbouring lanes read neighbouring elements; blocked, they are V apart."""
    return (
        "((32,V):(1,32))(l + 1, 0) - ((32,V):(1,32))(l, 0) == 1",
        "((32,V):(V,1))(l + 1, 0) - ((32,V):(V,1))(l, 0) == V",
    )


@theorem(given=["0 <= l", "l < 31"], expect="refuted", source=WARP)
def warp_reads_neighbours_blocked() -> str:
    """Blocked, neighbouring lanes read neighbouring elements."""
    return "((32,V):(V,1))(l + 1, 0) - ((32,V):(V,1))(l, 0) == 1"


@theorem(source="tree reductions in shared memory")
def grid_reduction_halves_are_apart() -> tuple[str, ...]:
    """A step that adds element i + s to element i, i < s, reads and writes different elements."""
    return "apart(s:1, s:1, s)", "equal((s,2):(1,s), 2*s:1)"


@theorem(expect="refuted", source="tree reductions in shared memory")
def grid_reduction_by_neighbours_in_place() -> str:
    """A step that adds element i + 1 to element i, i < s, reads and writes different ones."""
    return "apart(s:1, s:1, 1)"


@theorem(given=["T % 8 == 0", "N % T == 0", "M % T == 0"], source=TRANSPOSE)
def grid_transpose_reads_and_writes_everything_once() -> tuple[str, ...]:
    """T x T/8 threads that each move 8 elements of a T x T tile read and write each one once.

    Read by rows of the M x N matrix, written by rows of the N x M one.
    """
    return (
        "bijective((T,(T/8,8),N/T,M/T):(1,(N,(T/8)*N),T,T*N))",
        "bijective((T,(T/8,8),N/T,M/T):(1,(M,(T/8)*M),T*M,T))",
    )


@theorem(
    given=["T % 8 == 0", "N % T == 0", "M % T == 0", "M >= 2*T"], expect="refuted", source=TRANSPOSE
)
def grid_transpose_that_forgets_to_swap_the_blocks() -> str:
    """A transpose that writes to the tile of the same row and column writes everything once."""
    return "bijective((T,(T/8,8),N/T,M/T):(1,(M,(T/8)*M),T,T*M))"


@theorem(source="CUDA C++ Programming Guide: grids and blocks of two dimensions")
def grid_of_two_dimensions_covers_a_matrix() -> str:
    """A grid of ceil(N/X) x ceil(M/Y) blocks of X x Y threads has one thread for each element."""
    return "partition(((X,ceil_div(N,X)):(1,X), (Y,ceil_div(M,Y)):(1,Y)), (N,M))"


@theorem(
    given=["N >= M"],
    expect="refuted",
    source="CUDA C++ Programming Guide: grids and blocks of two dimensions",
)
def grid_of_two_dimensions_swapped() -> str:
    """ceil(M/Y) blocks of X threads cover the N columns."""
    return "covers((X,ceil_div(M,Y)):(1,X), N)"
