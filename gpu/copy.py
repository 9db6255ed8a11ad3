"""A tiled copy: a thread-value layout says which thread moves which elements, four at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from symcute import Aligned, Bijective, Composition, Injective, Layout, Partition, dims
from symcute.prover.theorems import theorem

#: (thread, value) to the element of an 8 x 128 tile, counted along its rows.
THREAD_VALUE = Layout(((32, 8), 4), ((4, 128), 1))


def in_matrix(ld: Any) -> Layout:
    """Return (thread, value) to the offset in a matrix whose rows are `ld` apart."""
    return Layout(((32, 8), 4), ((4, ld), 1))


def tile_in_matrix(ld: Any) -> Layout:
    """Return the element of the tile, counted along its rows, to its offset in the matrix."""
    return Layout((128, 8), (1, ld))


FILE = "copy.cu"
FUNCTIONS: dict[str, Any] = {
    "row_of": (Layout(((32, 8), 4), ((0, 1), 0)), ("t", "v")),
    "column_of": (Layout(((32, 8), 4), ((4, 0), 1)), ("t", "v")),
    "from_of": (in_matrix(dims("LD")), ("t", "v")),
    "to_of": (in_matrix(dims("LDO")), ("t", "v")),
}


@theorem()
def copy_threads_share_the_tile() -> Any:
    """Each of the 1024 elements of the tile belongs to exactly one thread and value."""
    return Bijective(THREAD_VALUE), Partition(THREAD_VALUE, 1024)


@theorem(expect="refuted")
def copy_threads_three_values() -> Any:
    """Three values a thread cover the tile as well."""
    return Partition(Layout(((32, 8), 3), ((4, 128), 1)), 1024)


@theorem(given=["LD >= 1"])
def copy_threads_walk_the_matrix() -> Any:
    """In the matrix a thread's elements are those that the tile says."""
    LD = dims("LD")
    return Composition(in_matrix(LD), tile_in_matrix(LD), THREAD_VALUE)


@theorem(given=["LD >= 128"])
def copy_threads_write_apart() -> Any:
    """No two threads write the same element, when a row holds at least 128 floats."""
    return Injective(in_matrix(dims("LD")))


@theorem(expect="refuted", given=["LD >= 127"])
def copy_threads_write_apart_in_short_rows() -> Any:
    """No two threads write the same element, when a row holds at least 127 floats."""
    return Injective(in_matrix(dims("LD")))


@theorem(given=["LD % 4 == 0"])
def copy_vectors_are_aligned() -> Any:
    """A thread's first element lies at a multiple of four floats, when LD is one."""
    return Aligned(Layout((32, 8), (4, dims("LD"))), 4)


@theorem(expect="refuted", given=["LD % 2 == 0"])
def copy_vectors_are_aligned_for_even_rows() -> Any:
    """A thread's first element lies at a multiple of four floats, when LD is even."""
    return Aligned(Layout((32, 8), (4, dims("LD"))), 4)


SIZES = [
    (8, 128, 128, 128), (64, 512, 512, 512), (1, 1, 1, 1), (7, 127, 127, 127), (9, 129, 132, 140),
    (1000, 777, 777, 780), (513, 1022, 1024, 1024), (4096, 4096, 4096, 4100),
]  # fmt: skip


def run(rng: Any, lab: Any) -> Iterator[Any]:
    """Copy matrices with and without padding, and look that the padding stays as it was."""
    import cupy

    kernel = lab.compiled(FILE, FUNCTIONS).get_function("copy_tiles")
    for m, n, ld, ldo in SIZES:
        given = rng.standard_normal((m, ld), dtype="float32")
        wanted = rng.standard_normal((m, ldo), dtype="float32")
        out = cupy.asarray(wanted)
        wanted[:, :n] = given[:, :n]
        grid = (-(-n // 128), -(-m // 8))
        kernel(grid, (256,), (cupy.asarray(given), out, m, n, ld, ldo))
        yield lab.compare("copy_tiles", f"{m}x{n}, LD {ld} to {ldo}", cupy.asnumpy(out), wanted)
