"""What pointers into one array are moved by says how its accesses are aligned, whatever wraps."""

from __future__ import annotations

import pytest

from symcute import check_kernel

#: The index of `x` wraps; bytes are moved by one in another array.
KERNEL = """__global__ void k(long long *x, char *c, long long *y, int n) {
    __shared__ long long s[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i * n] = 1;
    s[i & 63] = 2;
    x[i * n * n] = 0;
}
"""


def statuses(text: str) -> set[str]:
    found = check_kernel(text, launch="grid=n block=256", given=["n <= 2**31 - 1"],
                         properties=["aligned"])  # fmt: skip
    return {f.status for f in found}


def test_other_arrays_are_moved_through_by_less() -> None:
    assert statuses(KERNEL) == {"proved"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x[i * n * n] = 0;", "*(long long *)((char *)x + i * n * n) = 0;"),
        ("x[i * n * n] = 0;", "*(long long *)((int *)x + i * n * n) = 0;"),
        # It is moved by bytes before, through a variable, or in one of two ways.
        ("x[i * n * n] = 0;", "char *p = (char *)x; p += i; ((long long *)p)[i * n] = 0;"),
        ("x[i * n * n] = 0;", "char *p = (char *)x; for (int j = 0; j < n; j++) p += i;"
         " ((long long *)p)[i * n] = 0;"),
        ("x[i * n * n] = 0;", "long long *p = n > 5 ? x : (long long *)((char *)y + i);"
         " p[i * n] = 0;"),
        ("x[i * n * n] = 0;", "*(long long *)((n > 5 ? (char *)x : c) + i * n) = 0;"),
        # It is no array of what is wide.
        ("x[i * n * n] = 0;", "((long long *)c)[i] = *(long long *)(c + i);"),
        ("s[i & 63] = 2;", "*(long long *)((char *)s + (i * n & 63)) = 2;"),
    ],
)  # fmt: skip
def test_neighbours(old: str, new: str) -> None:
    assert KERNEL.count(old) == 1
    assert statuses(KERNEL.replace(old, new)) & {"refuted", "unknown"}
