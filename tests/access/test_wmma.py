"""Tiles of a warp: what `nvcuda::wmma` reads and writes through a pointer and a stride."""

from __future__ import annotations

import pytest

from symcute.kernel.launch.sources import check_kernel

TEXT = """
#include <mma.h>
using namespace nvcuda;
__global__ void k(const half *a, float *o, const unsigned *w) {
  __shared__ __align__(16) half s[512];
  int i = threadIdx.x, warp = i / 32;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> A;
  wmma::fragment<wmma::matrix_b, 32, 8, 16, half, wmma::col_major> B;
  wmma::fragment<wmma::matrix_a, 8, 8, 32, wmma::experimental::precision::u4, wmma::row_major> U;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> C;
  BODY
}
"""
SHARED = (
    "for (int j = 0; j < 8; j++) s[warp * 256 + i % 32 + 32 * j] = 0; __syncthreads();"
    "wmma::load_matrix_sync(A, s + (1 - warp) * 256, 16);"
)
STORE = "wmma::store_matrix_sync(o + warp * 256, C, 16, wmma::mem_row_major);"


def verdict(body: str, name: str) -> str:
    """Return the verdict on two warps, with a[512] and o[512]."""
    found = check_kernel(
        TEXT.replace("BODY", body), launch="grid=1 block=64", properties=[name],
        extents={"a": "512", "o": "512", "w": "512"},
    )  # fmt: skip
    return found.status


@pytest.mark.parametrize(
    ("body", "name", "expected"),
    [
        # 16 lines of 16 at a stride of 32 end at 496.
        ("wmma::load_matrix_sync(A, a, 32);", "in_bounds", "proved"),
        ("wmma::load_matrix_sync(A, a + 16, 32);", "in_bounds", "proved"),
        ("wmma::load_matrix_sync(A, a + 24, 32);", "in_bounds", "refuted"),
        ("wmma::load_matrix_sync(A, a, 40);", "in_bounds", "refuted"),
        # By columns: 8 lines of 16.
        ("wmma::load_matrix_sync(B, a, 64);", "in_bounds", "proved"),
        ("wmma::load_matrix_sync(B, a, 72);", "in_bounds", "refuted"),
        ("wmma::load_matrix_sync(A, a + 4, 16);", "aligned", "refuted"),
        ("wmma::load_matrix_sync(A, a, 20);", "aligned", "refuted"),
        (STORE, "in_bounds", "proved"),
        (STORE.replace("256", "264"), "in_bounds", "not proved"),
        (STORE, "write_race_free", "proved"),
        (STORE.replace("256", "128"), "write_race_free", "not proved"),
        (STORE + "o[i] = 1;", "write_race_free", "not proved"),
        (STORE + "__syncthreads(); o[i] = 1;", "write_race_free", "proved"),
        (SHARED, "read_write_race_free", "proved"),
        (SHARED.replace("__syncthreads()", "__syncwarp()"), "read_write_race_free", "refuted"),
        # Within the warp too: which lane reads what is not said.
        (SHARED.replace("__syncthreads();", "").replace("1 - warp", "warp"),
         "read_write_race_free", "refuted"),
        (SHARED.replace("__syncthreads()", "__syncwarp()").replace("1 - warp", "warp"),
         "read_write_race_free", "not refuted"),
        # Four bits each, of which the pointer does not speak.
        ("wmma::load_matrix_sync(U, w, 32);", "in_bounds", "not proved"),
    ],
)  # fmt: skip
def test_tiles(body: str, name: str, expected: str) -> None:
    found = verdict(body, name)
    assert found != expected[4:] if expected.startswith("not ") else found == expected
