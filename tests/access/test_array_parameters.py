"""Parameters that are written as arrays: they are pointers, no copies, and have no size."""

from __future__ import annotations

import pytest

from tests.access.launched import told

#: What is handed to a function: of an array of 64 numbers, from the one that is named.
DEVICE = """
__device__ void put(int x[4], int i) { x[i] = 1; }
__device__ void rows(int x[][8], int i) { x[i][7] = 1; }
__device__ int get(const int x[4], int i) { return x[i]; }
__device__ int size(int x[100]) { return sizeof(x); }
__device__ int far(int x[4], int y[4]) { return x - y; }
__device__ int set(int x[4], int *y) { x = y; x[0] = 100; return y[0]; }
__device__ int named(int x[4], int *y) { int *&r = x; r = y; x[0] = 100; return y[0]; }
__device__ int next(int x[4]) { return *(x + 1); }
__device__ int kept(int x[4]) { auto f = [x] { return x[0]; }; x[0] = 100; return f(); }
// symcute: launch grid=1 block=8
__global__ void k(int n) {
    __shared__ int s[64]; int i = threadIdx.x, a[4] = {3, 3, 3, 3}, b[4] = {0, 100, 0, 3}; BODY
}
"""


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("put(s + 56, i);", "proved"),
        ("put(s + 57, i);", "refuted"),
        ("int *p = s; put(p + 57, i);", "refuted"),
        ("put(&s[57], i);", "refuted"),
        ("put(s + 64, i & 3);", "refuted"),
        ("rows((int (*)[8])s, i);", "proved"),
        ("rows((int (*)[8])s, i + 1);", "refuted"),
        ("put(a + 1, 1); s[a[2]] = 1;", "proved"),
        ("put(a + 1, 4); s[a[2]] = 1;", "refuted"),
        ("s[get(b + 3, 0)] = 1;", "proved"),
        ("s[get(b + 1, 0)] = 1;", "refuted"),
        ("s[size(a)] = 1;", "proved"),
        ("s[63 * far(a + 1, a)] = 1;", "proved"),
        ("s[16 * far(a + 3, a) + 16] = 1;", "refuted"),
        ("s[set(a, b)] = 1;", "refuted"),
        ("set(a, b); s[a[0]] = 1;", "proved"),
        ("s[named(a, b)] = 1;", "refuted"),
        ("named(a, b); s[a[0]] = 1;", "proved"),
        ("s[next(a)] = 1;", "proved"),
        ("s[next(b)] = 1;", "refuted"),
        ("s[kept(a)] = 1;", "refuted"),
    ],
)
def test_what_a_function_is_handed_as_an_array(body: str, status: str) -> None:
    assert told(DEVICE.replace("BODY", body)) == {status}


def test_writes_through_an_array_that_is_handed_over_race() -> None:
    for at, status in (("0", "refuted"), ("i * 2", "proved")):
        text = DEVICE.replace("BODY", f"int *p = s; x(p + {at}, i);")
        text = text.replace(
            "// symcute", "__device__ void x(int v[2], int i) { v[0] = i; }\n// symcute"
        )
        assert told(text, "write_race_free") == {status}


@pytest.mark.parametrize("parameter", ["float x[8]", "const float x[8]", "float x[]", "float *x"])
def test_a_kernel_has_no_more_of_an_array_than_its_launch_gives(parameter: str) -> None:
    write = "o[threadIdx.x] = x[threadIdx.x];" if "const" in parameter else "x[threadIdx.x] = o[0];"
    text = f"__global__ void k({parameter}, float *o) {{ {write} }}\n"
    for n, wanted in ((8, {"proved"}), (4, {"refuted"}), (16, {"proved"})):
        note = (
            f"// symcute: launch grid=1 block=8\n// symcute: extent x={n}\n// symcute: extent o=8\n"
        )
        assert told(note + text) == wanted
        host = (
            "void f() { float *x, *o; cudaMalloc(&x, N); cudaMalloc(&o, 32); k<<<1, 8>>>(x, o); }"
        )
        assert told(text + host.replace("N", str(4 * n))) == wanted
