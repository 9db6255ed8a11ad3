"""Images from NCHW to NHWC and back: each order's layout undoes the other's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from symcute import Bijective, Equal, Injective, Layout, LeftInverse, RightInverse, dims
from symcute.prover.theorems import theorem

B, C, H, W = dims("B C H W")
#: An element counted as NCHW lies (w fastest) to its place in NHWC.
TO_NHWC = Layout((W, H, C, B), (C, C * W, 1, C * H * W))
#: An element counted as NHWC lies (c fastest) to its place in NCHW.
TO_NCHW = Layout((C, W, H, B), (H * W, 1, W, C * H * W))
TILE = Layout((32, 32), (33, 1))

FILE = "nhwc.cu"
FUNCTIONS: dict[str, Any] = {
    "to_nhwc": (TO_NHWC, "i"),
    "to_nchw": (TO_NCHW, "i"),
    "tile_at": (TILE, ("channel", "pixel")),
}
DEFINES = f"#define TILE_FLOATS {TILE.cosize()}\n"


@theorem()
def nhwc_visits_every_element_once() -> Any:
    """Each place of the NHWC images is the place of exactly one element."""
    return Bijective(TO_NHWC)


@theorem(expect="refuted")
def nhwc_with_the_strides_of_nchw() -> Any:
    """The strides of height and width may be exchanged."""
    return Bijective(Layout((W, H, C, B), (C * W, C, 1, C * H * W)))


@theorem()
def nhwc_and_back() -> Any:
    """Going to NHWC and back returns every element to its place, from both sides."""
    return RightInverse(TO_NCHW, TO_NHWC), LeftInverse(TO_NCHW, TO_NHWC)


@theorem(expect="refuted")
def nhwc_is_nchw() -> Any:
    """The two orders are the same."""
    return Equal(TO_NHWC, Layout((W, H, C, B)))


@theorem()
def nhwc_tile_keeps_elements_apart() -> Any:
    """The padded tile in shared memory keeps its 32 x 32 elements apart."""
    return Injective(TILE)


#: N, C, H, W
SIZES = [(1, 1, 1, 1), (2, 3, 5, 7), (1, 64, 32, 32), (3, 33, 31, 65), (8, 128, 56, 56)]


def run(rng: Any, lab: Any) -> Iterator[Any]:
    """Move images to NHWC, by element and by tiles, and back."""
    import cupy

    code = DEFINES + lab.source(FILE, FUNCTIONS)
    module = cupy.RawModule(code=code, options=("--std=c++17",))
    for b, c, h, w in SIZES:
        nchw = rng.standard_normal((b, c, h, w), dtype="float32")
        nhwc = nchw.transpose(0, 2, 3, 1).copy()
        size, given = f"{b}x{c}x{h}x{w}", cupy.asarray(nchw)
        out = cupy.full(nhwc.shape, cupy.nan, dtype=cupy.float32)
        module.get_function("nchw_to_nhwc")((512,), (256,), (given, out, b, c, h, w))
        yield lab.compare("nchw_to_nhwc", size, cupy.asnumpy(out), nhwc)
        out = cupy.full(nhwc.shape, cupy.nan, dtype=cupy.float32)
        grid = (-(-h * w // 32), -(-c // 32), b)
        module.get_function("nchw_to_nhwc_tiled")(grid, (32, 8), (given, out, c, h * w))
        yield lab.compare("nchw_to_nhwc_tiled", size, cupy.asnumpy(out), nhwc)
        out = cupy.full(nchw.shape, cupy.nan, dtype=cupy.float32)
        back = cupy.asarray(nhwc)
        module.get_function("nhwc_to_nchw")((512,), (256,), (back, out, b, c, h, w))
        yield lab.compare("nhwc_to_nchw", size, cupy.asnumpy(out), nchw)
