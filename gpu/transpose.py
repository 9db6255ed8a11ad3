"""A matrix transposed through a tile in shared memory: plain, padded, swizzled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from symcute import Bijective, Equal, InBounds, Injective, Layout, RightInverse, dims
from symcute.layout.swizzle import ComposedLayout, Swizzle
from symcute.prover.theorems import theorem

PLAIN = Layout((32, 32), (32, 1))
PADDED = Layout((32, 32), (33, 1))
SWIZZLED = ComposedLayout(Swizzle(5, 0, 5), 0, PLAIN)

FILE = "transpose.cu"
FUNCTIONS: dict[str, Any] = {
    "tile_plain": (PLAIN, ("r", "c")),
    "tile_padded": (PADDED, ("r", "c")),
    "tile_swizzled": (SWIZZLED, ("r", "c")),
}


@theorem()
def transpose_tile_plain_fits() -> Any:
    """The plain tile uses each of its 32 * 32 floats exactly once."""
    return Bijective(PLAIN)


@theorem()
def transpose_tile_padded_fits() -> Any:
    """The padded tile keeps every element apart, inside its 32 * 33 floats."""
    return Injective(PADDED), InBounds(PADDED, 32 * 33)


@theorem(expect="refuted")
def transpose_tile_padded_in_plain_room() -> Any:
    """The padded tile fits the room of the plain one."""
    return InBounds(PADDED, 32 * 32)


@theorem()
def transpose_output_is_the_transpose() -> Any:
    """The output's layout undoes the input's: read by columns, the output is the input by rows."""
    M, N = dims("M N")
    return RightInverse(Layout((N, M), (M, 1)), Layout((M, N), (N, 1)))


@theorem(expect="refuted")
def transpose_output_is_the_input() -> Any:
    """Without the transpose the two layouts are the same map."""
    M, N = dims("M N")
    return Equal(Layout((N, M), (M, 1)), Layout((M, N), (N, 1)))


SIZES = [(1, 1), (32, 32), (64, 96), (33, 31), (1000, 777), (2048, 4096), (1, 5000), (4099, 3)]


def run(rng: Any, lab: Any) -> Iterator[Any]:
    """Transpose matrices of sizes that the tile divides and does not."""
    import cupy

    module = lab.compiled(FILE, FUNCTIONS)
    for m, n in SIZES:
        matrix = rng.standard_normal((m, n), dtype="float32")
        given = cupy.asarray(matrix)
        for name in ("transpose_plain", "transpose_padded", "transpose_swizzled"):
            out = cupy.full((n, m), cupy.nan, dtype=cupy.float32)
            grid = (-(-n // 32), -(-m // 32))
            module.get_function(name)(grid, (32, 8), (given, out, m, n))
            yield lab.compare(name, f"{m}x{n}", cupy.asnumpy(out), matrix.T)
