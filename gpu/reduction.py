"""A reduction by any layout: the kernel asks a function where element i of sum j lies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from symcute import Bijective, InBounds, Injective, Layout, dims
from symcute.prover.theorems import theorem

M, N, LD, P, Q = dims("M N LD P Q")
#: (element, sum) to the offset.
ROWS = Layout((N, M), (1, LD))
COLUMNS = Layout((M, N), (LD, 1))
#: The sums of tiles of 4 x 8, in a matrix of P x Q of them.
TILES = Layout(((8, 4), (Q, P)), ((1, 8 * Q), (8, 32 * Q)))

FILE = "reduction.cu"


def functions(layout: Layout) -> dict[str, Any]:
    """Return what the kernel needs to reduce by a layout."""
    return {"element": (layout, ("i", "j"))}


@theorem(given=["LD >= N"])
def reduction_of_rows_reads_each_element_once() -> Any:
    """The sums of padded rows read no element twice, and none beyond the matrix."""
    return Injective(ROWS), InBounds(ROWS, M * LD)


@theorem(given=["LD >= N"])
def reduction_of_columns_reads_each_element_once() -> Any:
    """The sums of columns read no element twice, and none beyond the matrix."""
    return Injective(COLUMNS), InBounds(COLUMNS, M * LD)


@theorem(expect="refuted")
def reduction_of_short_rows() -> Any:
    """Rows that overlap are read once as well."""
    return Injective(ROWS)


@theorem()
def reduction_of_tiles_reads_all() -> Any:
    """The sums of the tiles read each element of the matrix exactly once."""
    return Bijective(TILES)


@theorem(expect="refuted")
def reduction_of_tiles_with_the_wrong_rows() -> Any:
    """The tiles may be four columns apart."""
    return Bijective(Layout(((8, 4), (Q, P)), ((1, 8 * Q), (4, 32 * Q))))


def run(rng: Any, lab: Any) -> Iterator[Any]:
    """Reduce one matrix by rows, by columns and by tiles."""
    import cupy
    import numpy as np

    for rows, columns, ld in [
        (1, 1, 1),
        (7, 5, 5),
        (100, 1000, 1000),
        (64, 96, 100),
        (512, 768, 768),
    ]:
        matrix = rng.standard_normal((rows, ld), dtype="float32")
        inside = matrix[:, :columns].astype("float64")
        cases = [
            ("rows", ROWS, {"M": rows, "N": columns, "LD": ld}, inside.sum(1)),
            ("columns", COLUMNS, {"M": rows, "N": columns, "LD": ld}, inside.sum(0)),
        ]
        if rows % 4 == 0 and columns % 8 == 0 and ld == columns:
            tiles = inside.reshape(rows // 4, 4, columns // 8, 8).sum((1, 3)).ravel()
            cases.append(("tiles", TILES, {"P": rows // 4, "Q": columns // 8}, tiles))
        for name, layout, at, wanted in cases:
            names = sorted(layout.dims())
            typed = "".join(f", long long {n}" for n in names)
            passed = "".join(f", {n}" for n in names)
            defines = f"#define DIMS {typed}\n#define ARGUMENTS {passed}\n"
            code = defines + lab.source(FILE, functions(layout))
            kernel = cupy.RawModule(code=code, options=("--std=c++17",)).get_function("sums")
            count = layout.at(at)[0].size()
            out = cupy.full(len(wanted), cupy.nan, dtype=cupy.float32)
            values = [np.int64(at[n]) for n in names]
            kernel((len(wanted),), (256,), (cupy.asarray(matrix), out, np.int64(count), *values))
            size = f"{rows}x{columns}, LD {ld}"
            yield lab.compare(f"sums of {name}", size, cupy.asnumpy(out), wanted, 1e-5)
