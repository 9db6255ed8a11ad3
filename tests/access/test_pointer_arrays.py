"""Arrays of a thread that hold pointers, or numbers: what is read from them is what was stored."""

from __future__ import annotations

import pytest

from tests.access.launched import told

#: Blocks of 64 threads; `FAR` is beyond `s0` and `s1`, and `a` and `c` have 64 numbers.
KERNEL = """
// symcute: launch grid=(2) block=(64)
// symcute: extent a = 128
// symcute: extent c = 128
// symcute: extent o = 128
__global__ void k(const float *a, const float *c, float *o, int n) {
  __shared__ float s0[64], s1[64];
  __shared__ float wide[128];
  int t = threadIdx.x, at = blockIdx.x * 64 + t;
  STATEMENTS
}
"""
#: Statements that stay inside of all arrays.
INSIDE = """
float *b[2] = {s0, s1}; for (int i = 0; i < 8; ++i) b[i & 1][t] = i;
float *b[2] = {s0, s1}; b[t & 1][t] = 1;
float *b[2]; b[0] = s0; b[1] = s1; for (int i = 0; i < n; ++i) b[i % 2][t] = i;
float *b[2] = {wide, s0}; b[0][t + 64] = 1;
float *b[2] = {wide, s0}; b[0] += 64; b[0][t] = 1;
float *b[2] = {s0, s1}; if (n) b[1] = wide; b[0][t] = 1; b[1][t] = 2;
float *b[3] = {s0, s1, wide}; for (int i = 0; i < 3; ++i) b[i][t] = 1;
float *b[2][2] = {{s0, s1}, {s1, s0}}; b[t & 1][n & 1][t] = 1;
const float *p[2] = {a, c}; float v = 0; for (int i = 0; i < 2; ++i) v += p[i][at]; o[at] = v;
struct S { float *p[2]; int n; }; S s = {{s0, s1}, 3}; s.p[t & 1][t] = s.n;
float *b[2] = {s0, s1}; float **q = b; q[1][t] = 1;
int e[4] = {0, 1, 2, 3}; s0[e[t & 3] * 16 + t / 4] = 1;
signed char e[4] = {-1, -1, -1, -1}; s0[((unsigned char *)e)[t & 3] & 63] = 1;
int e[2] = {63, 0}; for (int i = 0; i < n; ++i) s0[e[i & 1]] = 1;
float *b[2] = {s0, s1}; float *x = b[0]; b[0] = b[1]; b[1] = x; b[0][t] = 1;
"""
#: Statements by which some thread leaves an array.
OUTSIDE = """
float *b[2] = {s0, s1}; for (int i = 0; i < 8; ++i) b[i & 1][t + 1] = i;
float *b[2] = {wide, s0}; b[t & 1][t + 64] = 1;
float *b[2] = {s0, s1}; b[(t & 1) + 1][t] = 1;
float *b[2] = {wide, wide}; if (t == 3) b[1] = s0; b[1][t + 64] = 1;
float *b[2] = {wide, wide}; for (int i = 0; i < 2; ++i) { b[i][t + 64] = 1; b[1] = s0; }
float *b[2] = {wide, wide}; for (int i = 0; i < 2; ++i) { b[1][t + 64] = 1; b[i] = s0; b[1] = s0; }
float *b[2] = {wide, wide}, **q = b; for (int i = 0; i < 2; ++i) { b[1][t + 64] = 1; q[1] = s0; }
float *b[2] = {wide, wide}; auto f = [&](int i) { b[i] = s0; }; f(1); b[1][t + 64] = 1;
float *b[2] = {wide, wide}, *d[2] = {s0, s0}; memcpy(b, d, 16); b[1][t + 64] = 1;
float *b[2] = {wide, wide}; float **q = &b[t & 1]; *q = s0; b[1][t + 64] = 1;
float *b[2] = {wide, wide}; b[1] += 64; b[1][t + 1] = 1;
float *b[2] = {s0, wide}; float *x = b[0]; b[0] = b[1]; b[1] = x; b[1][t + 64] = 1;
float *b[2][2] = {{wide, wide}, {wide, s1}}; b[t & 1][n & 1][t + 64] = 1;
struct S { float *p[2]; int n; }; S s = {{wide, s1}, 64}; s.p[t & 1][t + s.n] = 1;
int e[4] = {0, 1, 2, 4}; s0[e[t & 3] * 16 + t / 4] = 1;
signed char e[4] = {-1, -1, -1, -1}; s0[((unsigned char *)e)[t & 3]] = 1;
unsigned char e[4] = {255, 255, 255, 255}; s0[((signed char *)e)[t & 3] & 255] = 1;
int e[2] = {63, 0}; for (int i = 0; i < 3; ++i) { s0[e[i & 1]] = 1; e[1] += 32; }
const float *p[2] = {a, c}; float v = 0; for (int i = 0; i < 2; ++i) v += p[i][at + 1]; o[at] = v;
"""
#: The same two arrays, one after the other; what is in the first is read by other threads.
ORDERED = """
float *b[2] = {s0, s1};
for (int i = 0; i < 4; ++i) { b[i & 1][t] = a[at]; __syncthreads(); o[at] = b[i & 1][63 - t]; }
"""
RACY = [
    ORDERED.replace("__syncthreads();", ""),
    ORDERED.replace("{s0, s1}", "{s0, s0}"),
    ORDERED.replace("b[i & 1][t] =", "b[i >> 1][t] ="),
    ORDERED.replace("b[i & 1][63 - t]", "b[(i + 1) & 1][63 - t]"),
]


def cases(text: str) -> list[str]:
    return text.strip().split("\n")


def said(statements: str, property: str = "in_bounds") -> set[str]:
    return told(KERNEL.replace("STATEMENTS", statements), property)


@pytest.mark.parametrize("statements", cases(INSIDE))
def test_what_stays_inside_is_proved(statements: str) -> None:
    assert said(statements) == {"proved"}


@pytest.mark.parametrize("statements", cases(OUTSIDE))
def test_what_leaves_an_array_is_not_proved(statements: str) -> None:
    assert said(statements) <= {"refuted", "unknown"}


def test_arrays_that_take_turns_are_told_apart() -> None:
    assert said(ORDERED, "read_write_race_free") == {"proved"}


@pytest.mark.parametrize("statements", RACY)
def test_what_meets_in_one_array_is_refuted(statements: str) -> None:
    assert said(statements, "read_write_race_free") == {"refuted"}
