"""Tiles whose number is rounded up, and the guards that cut off the tail."""

from __future__ import annotations

from symcute import theorem

GUARD = "CUDA C++ Programming Guide: `if (i < n)` at the head of a kernel"
PREDICATES = "CuTe documentation, 0y_predication"
CYCLIC = "ScaLAPACK Users' Guide, two-dimensional block-cyclic distribution"

#: T x U tiles of an M x N matrix with rows LD apart; the row and the column of each coordinate.
TILES = "((T,ceil_div(M,T)),(U,ceil_div(N,U))):((LD,T*LD),(1,U))"
ROW = "((T,ceil_div(M,T)),(U,ceil_div(N,U))):((1,T),(0,0))"
COLUMN = "((T,ceil_div(M,T)),(U,ceil_div(N,U))):((0,0),(1,U))"


@theorem(source=GUARD)
def tiles_rounded_up_visit_everything_once() -> str:
    """ceil(M/T) tiles of T, cut off at M, visit every element of M exactly once."""
    return "partition((T,ceil_div(M,T)):(1,T), M)"


@theorem(given=["T*P >= M"], source=GUARD)
def tiles_more_than_needed_visit_everything_once() -> str:
    """Any number of tiles that reaches M visits every element once: idle tiles do no harm."""
    return "partition((T,P):(1,T), M)"


@theorem(given=["T*P >= M - 1"], expect="refuted", source=GUARD)
def tiles_one_element_short() -> str:
    """Tiles that reach M - 1 visit every element of M."""
    return "covers((T,P):(1,T), M)"


@theorem(given=["M >= T"], expect="refuted", source=GUARD)
def tiles_rounded_down_visit_everything() -> str:
    """floor(M/T) tiles of T visit every element of M."""
    return "covers((T,floor_div(M,T)):(1,T), M)"


@theorem(expect="refuted", source=GUARD)
def tiles_rounded_up_need_no_guard() -> str:
    """ceil(M/T) tiles of T stay below M without a guard."""
    return "in_bounds((T,ceil_div(M,T)):(1,T), M)"


@theorem(source=GUARD)
def tiles_rounded_up_with_their_guard() -> str:
    """Behind the guard c < M all tiles stay below M."""
    return "in_bounds((T,ceil_div(M,T)):(1,T), M, where((T,ceil_div(M,T)):(1,T), M))"


@theorem(source=GUARD)
def tiles_overhang_less_than_a_tile() -> tuple[str, ...]:
    """Tiles rounded up reach M but less than T beyond it, and the last one has work to do."""
    return (
        "T*ceil_div(M,T) >= M",
        "T*ceil_div(M,T) <= M + T - 1",
        "T*(ceil_div(M,T) - 1) < M",
        "in_bounds((T,ceil_div(M,T)):(1,T), M + T - 1)",
    )


@theorem(expect="refuted", source=GUARD)
def tiles_overhang_less_than_a_tile_by_one_more() -> str:
    """Tiles rounded up reach less than T - 1 beyond M."""
    return "T*ceil_div(M,T) <= M + T - 2"


@theorem(given=["0 <= b", "b < ceil_div(M,T)"], source=PREDICATES)
def tiles_have_a_residue_of_at_least_one() -> tuple[str, ...]:
    """Tile b has min(T, M - T*b) elements: at least 1, T for all tiles but the last."""
    return (
        "min(T, M - T*b) >= 1",
        "b < ceil_div(M,T) - 1 => min(T, M - T*b) == T",
    )


@theorem(given=["0 <= b", "b < ceil_div(M,T)"], expect="refuted", source=PREDICATES)
def tiles_have_a_residue_by_the_rest() -> str:
    """The last tile has M % T elements (0 when T divides M)."""
    return "b == ceil_div(M,T) - 1 => min(T, M - T*b) == mod(M,T)"


@theorem(given=["M % T == 0"], source=PREDICATES)
def tiles_that_divide_need_no_guard() -> tuple[str, ...]:
    """When T divides M there are M/T tiles, and no coordinate is cut off."""
    return "bijective((T,M/T):(1,T))", "ceil_div(M,T)*T == M"


@theorem(source=GUARD)
def tiles_of_a_matrix_visit_everything_once() -> str:
    """T x U tiles rounded up in both modes, cut off at M and N, visit every element once."""
    return "partition(((T,ceil_div(M,T)):(1,T), (U,ceil_div(N,U)):(1,U)), (M,N))"


@theorem(given=["N >= U"], expect="refuted", source=GUARD)
def tiles_of_a_matrix_rounded_down_in_one_mode() -> str:
    """T x U tiles visit every element once when only their rows are rounded up."""
    return "partition(((T,ceil_div(M,T)):(1,T), (U,floor_div(N,U)):(1,U)), (M,N))"


@theorem(given=["LD >= N"], source=PREDICATES)
def tiles_of_a_padded_matrix_behind_two_guards() -> tuple[str, ...]:
    """Behind row < M and column < N the tiles of a padded matrix stay in it and do not meet."""
    return (
        f"in_bounds({TILES}, (M-1)*LD + N, where({ROW}, M), where({COLUMN}, N))",
        f"injective({TILES}, where({ROW}, M), where({COLUMN}, N))",
    )


@theorem(given=["LD >= N"], expect="refuted", source=PREDICATES)
def tiles_of_a_padded_matrix_behind_a_guard_of_rows() -> str:
    """The guard row < M alone keeps the tiles of a padded matrix inside."""
    return f"in_bounds({TILES}, (M-1)*LD + N, where({ROW}, M))"


@theorem(expect="refuted", source=PREDICATES)
def tiles_of_a_matrix_behind_a_guard_of_offsets() -> str:
    """The one guard offset < M*N keeps the tiles of a dense matrix from meeting.

    A tile that hangs over to the right has offsets of the next row, which are below M*N.
    """
    tiles = "((T,ceil_div(M,T)),(U,ceil_div(N,U))):((N,T*N),(1,U))"
    return f"injective({tiles}, where({tiles}, M*N))"


@theorem(source=PREDICATES)
def tiles_of_whole_rows_behind_a_guard_of_offsets() -> str:
    """For tiles of whole rows the one guard offset < M*N is enough."""
    return "partition((N,T,ceil_div(M,T)):(1,N,N*T), M*N)"


@theorem(source="loops over tiles of tiles, each level rounded up")
def tiles_of_tiles_rounded_up() -> tuple[str, ...]:
    """Rounding up twice is rounding up once: ceil(ceil(M/T)/U) is ceil(M/(T*U))."""
    return (
        "ceil_div(ceil_div(M,T),U) == ceil_div(M,T*U)",
        "partition((T,U,ceil_div(M,T*U)):(1,T,T*U), M)",
    )


@theorem(expect="refuted", source="loops over tiles of tiles, each level rounded up")
def tiles_of_tiles_in_the_other_order() -> str:
    """U tiles that lie T apart, of ceil(M/(T*U)) parts T apart, visit every element once."""
    return "partition((T,ceil_div(M,T*U),U):(1,T,T), M)"


@theorem(source=CYCLIC)
def tiles_dealt_to_processes_in_turns() -> str:
    """Blocks of nb dealt to P processes in turns have every element of M exactly once."""
    return "partition((nb,ceil_div(M,nb*P),P):(1,nb*P,nb), M)"


@theorem(given=["P >= 2", "M >= nb*P"], expect="refuted", source=CYCLIC)
def tiles_dealt_to_processes_without_the_others() -> str:
    """A process has its next block nb elements on."""
    return "partition((nb,ceil_div(M,nb*P),P):(1,nb,nb), M)"


@theorem(given=["0 <= i"], source=CYCLIC)
def tiles_dealt_global_and_local_index() -> tuple[str, ...]:
    """Element i is on process (i/nb) % P, there the element (i/(nb*P))*nb + i % nb."""
    return ("floor_div(i, nb*P)*(nb*P) + mod(floor_div(i, nb), P)*nb + mod(i, nb) == i",)


@theorem(given=["0 <= i", "P >= 2"], expect="refuted", source=CYCLIC)
def tiles_dealt_by_elements() -> str:
    """Element i is on process i % P."""
    return "mod(floor_div(i, nb), P) == mod(i, P)"


@theorem(source="array_split of NumPy: parts that differ by at most one")
def tiles_of_nearly_the_same_size() -> tuple[str, ...]:
    """Cut at (k*M)/P, part k has M/P elements or one more, and the parts end at M."""
    size = "(floor_div((k+1)*M, P) - floor_div(k*M, P))"
    return (
        f"{size} >= floor_div(M, P)",
        f"{size} <= floor_div(M, P) + 1",
        "floor_div(P*M, P) == M",
    )


@theorem(expect="refuted", source="array_split of NumPy: parts that differ by at most one")
def tiles_of_the_same_size() -> str:
    """Cut at (k*M)/P, every part has M/P elements."""
    return "floor_div((k+1)*M, P) - floor_div(k*M, P) == floor_div(M, P)"
