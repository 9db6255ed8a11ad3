"""im2col as a layout: windows overlap, so it is no injection, but it stays inside the images."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from symcute import InBounds, Injective, Layout, dims
from symcute.prover.theorems import theorem


def patches() -> Layout:
    """Return ((q, p, n), (s, r, c)) to the offset in NCHW images."""
    B, C, H, P, Q, R, S, W = dims("B C H P Q R S W")
    return Layout(((Q, P, B), (S, R, C)), ((1, W, C * H * W), (1, W, H * W)))


FILE = "im2col.cu"
FUNCTIONS: dict[str, Any] = {"patch_of": (patches(), ("i", "j"))}
WINDOWS = ["P == H - R + 1", "Q == W - S + 1", "H >= R", "W >= S"]


@theorem(given=WINDOWS)
def im2col_stays_in_the_images() -> Any:
    """Every element of every patch lies inside the images."""
    B, C, H, W = dims("B C H W")
    return InBounds(patches(), B * C * H * W)


@theorem(given=["P == H - R + 2", "Q == W - S + 1", "H >= R", "W >= S"], expect="refuted")
def im2col_one_row_more_stays_inside() -> Any:
    """With one more row of patches it still does."""
    B, C, H, W = dims("B C H W")
    return InBounds(patches(), B * C * H * W)


@theorem(given=WINDOWS, expect="refuted")
def im2col_copies_each_element_once() -> Any:
    """No element is copied twice."""
    return Injective(patches())


@theorem(given=WINDOWS)
def im2col_of_one_window_copies_each_element_once() -> Any:
    """Where the window is the image, no element is copied twice."""
    B, C, H, W = dims("B C H W")
    return Injective(Layout((B, (W, H, C)), (C * H * W, (1, W, H * W))))


#: N, C, H, W, R, S
SIZES = [(1, 1, 3, 3, 3, 3), (2, 3, 8, 10, 3, 3), (4, 5, 17, 13, 5, 2), (8, 16, 32, 32, 3, 3)]


def run(rng: Any, lab: Any) -> Iterator[Any]:
    """Take the patches of images, and compare with NumPy's sliding windows."""
    import cupy
    import numpy as np

    kernel = lab.compiled(FILE, FUNCTIONS).get_function("im2col")
    for b, c, h, w, r, s in SIZES:
        p, q = h - r + 1, w - s + 1
        images = rng.standard_normal((b, c, h, w), dtype="float32")
        rows, columns = b * p * q, c * r * s
        out = cupy.full((rows, columns), cupy.nan, dtype=cupy.float32)
        sizes = (np.int64(rows), np.int64(columns), b, c, h, p, q, r, s, w)
        kernel((256,), (256,), (cupy.asarray(images), out, *sizes))
        windows = np.lib.stride_tricks.sliding_window_view(images, (r, s), axis=(2, 3))
        wanted = windows.transpose(0, 2, 3, 1, 4, 5).reshape(rows, columns)
        yield lab.compare("im2col", f"{b}x{c}x{h}x{w}, {r}x{s}", cupy.asnumpy(out), wanted)
