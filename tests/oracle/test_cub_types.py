"""The storage of what is modelled of CUB has the size and the alignment of CUB's own."""

from __future__ import annotations

from itertools import product

from symcute.frontends.cuda.library import parse

from .recorded import TYPES, recorded
from .test_cuda_types import ask

HEADERS = (
    "cuda_runtime.h", "cub/warp/warp_reduce.cuh", "cub/warp/warp_scan.cuh",
    "cub/block/block_reduce.cuh", "cub/block/block_scan.cuh", "cub/block/block_load.cuh",
    "cub/block/block_store.cuh", "cub/block/block_raking_layout.cuh",
)  # fmt: skip
TYPE = ("char", "short", "int", "float4", "double")
THREADS = (32, 64, 96, 256, 1024)
LOADS = ("DIRECT", "STRIPED", "VECTORIZE", "TRANSPOSE", "WARP_TRANSPOSE")
STORES = ("DIRECT", "STRIPED", "TRANSPOSE", "WARP_TRANSPOSE")
NAMES = (
    *(f"cub::WarpReduce<{t}, {n}>" for t, n in product(TYPE, (8, 32))),
    *(f"cub::WarpScan<{t}, {n}>" for t, n in product(TYPE, (8, 32))),
    *(f"cub::BlockReduce<{t}, {n}>" for t, n in product(TYPE, (16, 100, *THREADS))),
    "cub::BlockReduce<float, 16, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 8, 2>",
    *(
        f"cub::BlockScan<{t}, {n}, cub::BLOCK_SCAN_{how}>"
        for t, n, how in product(TYPE, THREADS, ("WARP_SCANS", "RAKING"))
    ),
    *(
        f"cub::BlockLoad<{t}, {n}, {items}, cub::BLOCK_LOAD_{how}>"
        for t, n, items, how in product(TYPE, (64, 96), (1, 4, 6, 8, 16), LOADS)
    ),
    *(
        f"cub::BlockStore<{t}, {n}, {items}, cub::BLOCK_STORE_{how}>"
        for t, n, items, how in product(TYPE, (64, 96), (1, 4, 6, 8, 16), STORES)
    ),
    *(f"cub::BlockRakingLayout<{t}, {n}>" for t, n in product(TYPE, (16, 62, 100, *THREADS))),
)  # fmt: skip
#: Numbers that others build on.
RAKED = ("RAKING_THREADS", "SEGMENT_LENGTH", "USE_SEGMENT_PADDING", "UNGUARDED")
NUMBERS = (
    "CUB_WARP_THREADS(0)", "CUB_LOG_WARP_THREADS(0)", "CUB_PTX_WARP_THREADS",
    *(f"int(cub::Log2<{n}>::VALUE)" for n in (1, 2, 3, 16, 17, 32)),
    *(f"int(cub::PowerOfTwo<{n}>::VALUE)" for n in (1, 2, 3, 16, 17, 32)),
    *(f"int(cub::BlockRakingLayout<int, {n}>::{x})"
      for n, x in product((16, 31, 62, 100, *THREADS), RAKED)),
)  # fmt: skip
WRONG = (
    "sizeof(cub::BlockReduce<float, 256>::TempStorage) == 48",
    "int(cub::BlockRakingLayout<int, 62>::RAKING_THREADS) == 32",
)


def facts() -> list[str]:
    """Return what is so in our header, in C++."""
    lines = "".join(f"enum {{ number{n} = {x} }};\n" for n, x in enumerate(NUMBERS))
    lines += "".join(f"struct ask{n} {{ {x}::TempStorage held; }};\n" for n, x in enumerate(NAMES))
    unit, _ = parse("ask.cu", f"#include <cub/cub.cuh>\n{lines}", defines={})
    assert not [d.spelling for d in unit.diagnostics if d.severity >= 3]
    found = []
    for c in unit.cursor.get_children():
        for value in (x for x in c.get_children() if x.spelling.startswith("number")):
            found.append(f"{NUMBERS[int(value.spelling[6:])]} == {value.enum_value}")
        if c.spelling.startswith("ask"):
            name = f"{NAMES[int(c.spelling[3:])]}::TempStorage"
            found.append(f"sizeof({name}) == {c.type.get_size()}")
            found.append(f"alignof({name}) == {c.type.get_align()}")
    return found


def test_storage_is_laid_out_as_cubs_is() -> None:
    asked = [*facts(), *WRONG]
    assert len(asked) == 2 * len(NAMES) + len(NUMBERS) + len(WRONG) > 500
    said = recorded("cub_types", TYPES, asked, lambda: ask(asked, HEADERS))
    wrong = {f: x["refused"] for f, x in zip(asked, said, strict=True) if x is not True}
    assert wrong.keys() == {*WRONG}
