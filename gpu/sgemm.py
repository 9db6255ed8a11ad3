"""A tiled matrix product: every copy, global to shared to register and back, is a layout."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from symcute import Bijective, Composition, Injective, Layout, Partition, dims
from symcute.prover.theorems import theorem

M_TILE, N_TILE, K_TILE, THREADS = 128, 128, 8, 256
#: (thread, value) to the element of a tile of 1024, neighbouring threads at neighbouring elements.
LOAD = Layout((THREADS, 4), (1, THREADS))

#: The A tile, counted along its rows of 8, in shared memory: columns of 128 padded by 4.
A_SHARED = Layout((K_TILE, M_TILE), (M_TILE + 4, 1))
#: The B tile, counted along its rows of 128, in shared memory: as it is.
B_SHARED = Layout((N_TILE, K_TILE), (1, N_TILE))


def a_in_matrix(k: Any) -> Layout:
    """Return the A tile, counted along its rows, to its offset in a matrix of row length `k`."""
    return Layout((K_TILE, M_TILE), (1, k))


def b_in_matrix(n: Any) -> Layout:
    """Return the B tile, counted along its rows, to its offset in a matrix of row length `n`."""
    return Layout((N_TILE, K_TILE), (1, n))


def a_load(k: Any) -> Layout:
    """Return (thread, value) to the offset in A."""
    return Layout(((8, 32), 4), ((1, k), 32 * k))


def b_load(n: Any) -> Layout:
    """Return (thread, value) to the offset in B."""
    return Layout(((128, 2), 4), ((1, n), 2 * n))


#: (thread, value) to the place in shared memory.
A_STORE = Layout(((8, 32), 4), ((M_TILE + 4, 1), 32))
B_STORE = Layout(((128, 2), 4), ((1, N_TILE), 2 * N_TILE))


def c_in_matrix(n: Any) -> Layout:
    """Return ((x, y), (i, j)) of thread and register to the offset in C."""
    return Layout(((16, 16), (8, 8)), ((1, n), (16 * n, 16)))


FILE = "sgemm.cu"
FUNCTIONS: dict[str, Any] = {
    "a_global": (a_load(dims("K")), ("t", "v")),
    "a_row": (Layout(((8, 32), 4), ((0, 1), 32)), ("t", "v")),
    "a_column": (Layout(((8, 32), 4), ((1, 0), 0)), ("t", "v")),
    "a_shared": (A_STORE, ("t", "v")),
    "a_read": (Layout((16, 8, K_TILE), (1, 16, M_TILE + 4)), ("y", "i", "k")),
    "b_global": (b_load(dims("N")), ("t", "v")),
    "b_row": (Layout(((128, 2), 4), ((0, 1), 2)), ("t", "v")),
    "b_column": (Layout(((128, 2), 4), ((1, 0), 0)), ("t", "v")),
    "b_shared": (B_STORE, ("t", "v")),
    "b_read": (Layout((16, 8, K_TILE), (1, 16, N_TILE)), ("x", "j", "k")),
    "c_row": (Layout((16, 8), (1, 16)), ("y", "i")),
    "c_column": (Layout((16, 8), (1, 16)), ("x", "j")),
    "c_register": (Layout((8, 8), (8, 1)), ("i", "j")),
    "c_global": (c_in_matrix(dims("N")), (("x", "y"), ("i", "j"))),
}
DEFINES = f"#define A_TILE {A_SHARED.cosize()}\n#define B_TILE {B_SHARED.cosize()}\n"


@theorem()
def sgemm_loads_share_the_tiles() -> Any:
    """Each of the 1024 elements of a tile is loaded by exactly one thread, once."""
    return Partition(LOAD, M_TILE * K_TILE)


@theorem(expect="refuted")
def sgemm_loads_with_half_the_threads() -> Any:
    """128 threads that load four elements each do as well."""
    return Partition(Layout((128, 4), (1, 128)), M_TILE * K_TILE)


@theorem()
def sgemm_reads_a_as_the_tile_lies() -> Any:
    """What a thread loads from A is its share of the tile in the matrix."""
    K = dims("K")
    return Composition(a_load(K), a_in_matrix(K), LOAD)


@theorem()
def sgemm_reads_b_as_the_tile_lies() -> Any:
    """What a thread loads from B is its share of the tile in the matrix."""
    N = dims("N")
    return Composition(b_load(N), b_in_matrix(N), LOAD)


@theorem()
def sgemm_stores_as_the_tiles_lie() -> Any:
    """What a thread stores in shared memory is the same share of the tile there."""
    return Composition(A_STORE, A_SHARED, LOAD), Composition(B_STORE, B_SHARED, LOAD)


@theorem(expect="refuted")
def sgemm_stores_without_the_padding() -> Any:
    """The stores to the A tile would do for a tile without padding."""
    return Composition(A_STORE, Layout((K_TILE, M_TILE), (M_TILE, 1)), LOAD)


@theorem()
def sgemm_shared_tiles_keep_elements_apart() -> Any:
    """No two elements of a tile share a place in shared memory."""
    return Injective(A_SHARED), Bijective(B_SHARED)


@theorem()
def sgemm_threads_share_the_output() -> Any:
    """Each element of the 128 x 128 output tile belongs to exactly one thread and register."""
    return Partition(c_in_matrix(N_TILE), M_TILE * N_TILE)


@theorem(given=["N >= 128"])
def sgemm_threads_write_apart() -> Any:
    """No two threads write the same element of C, when a row holds at least 128."""
    return Injective(c_in_matrix(dims("N")))


@theorem(expect="refuted", given=["N >= 127"])
def sgemm_threads_write_apart_in_short_rows() -> Any:
    """No two threads write the same element of C unguarded, when a row holds at least 127."""
    return Injective(c_in_matrix(dims("N")))


SIZES = [(128, 128, 8), (256, 384, 64), (1, 1, 1), (127, 129, 9), (300, 200, 77), (1024, 768, 512)]


def run(rng: Any, lab: Any) -> Iterator[Any]:
    """Multiply matrices of sizes that the tiles divide and do not."""
    import cupy

    code = DEFINES + lab.source(FILE, FUNCTIONS)
    kernel = cupy.RawModule(code=code, options=("--std=c++17",)).get_function("sgemm")
    for m, n, k in SIZES:
        a = rng.standard_normal((m, k), dtype="float32")
        b = rng.standard_normal((k, n), dtype="float32")
        out = cupy.full((m, n), cupy.nan, dtype=cupy.float32)
        grid = (-(-n // N_TILE), -(-m // M_TILE))
        kernel(grid, (THREADS,), (cupy.asarray(a), cupy.asarray(b), out, m, n, k))
        wanted = a.astype("float64") @ b.astype("float64")
        yield lab.compare("sgemm", f"{m}x{n}x{k}", cupy.asnumpy(out), wanted, 1e-5)
