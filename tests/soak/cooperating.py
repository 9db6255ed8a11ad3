"""Everyday kernels whose threads work together: shared memory, barriers, shuffles, atomics."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from .idioms import Text, block_of


def halo(rng: Random) -> Text:
    b = block_of(rng)
    test = rng.choice(("i >= 0 ? x[i] : 0.f", "i < 0 ? 0.f : x[i]"))
    return Text(
        f"grid=(G) block=({b})",
        ("assume G <= 2**16", f"extent x = {b}*G", f"extent y = {b}*G"),
        "const float *x, float *y",
        f"  __shared__ float s[{b}];\n"
        f"  int i = blockIdx.x * blockDim.x - {rng.choice('12')} + threadIdx.x;\n"
        f"  s[threadIdx.x] = {test};\n  __syncthreads();\n"
        f"  y[blockIdx.x * blockDim.x + threadIdx.x] = s[{b - 1} - threadIdx.x];",
    )


def halving(rng: Random) -> Text:
    b = rng.choice((32, 64, 128, 256))
    kind = rng.choice(("int", "unsigned"))
    start = rng.choice((str(b // 2), "blockDim.x / 2", "blockDim.x >> 1"))
    loop = rng.choice(("h >>= 1", "h /= 2"))
    dynamic = rng.random() < 0.4
    memory = "extern __shared__ float s[];" if dynamic else f"__shared__ float s[{b}];"
    return Text(
        f"grid=(G) block=({b})" + (f" shared={4 * b}" if dynamic else ""),
        ("assume G <= 2**16", f"extent x = {b}*G", "extent out = G"),
        "const float *x, float *out",
        f"  {memory}\n  s[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];\n"
        f"  __syncthreads();\n  for ({kind} h = {start}; h > 0; {loop}) {{\n"
        "    if (threadIdx.x < h) s[threadIdx.x] += s[threadIdx.x + h];\n"
        "    __syncthreads();\n  }\n"
        "  if (threadIdx.x == 0) out[blockIdx.x] = s[0];",
    )


def transpose(rng: Random) -> Text:
    t = rng.choice((8, 16))
    pad = rng.choice((0, 1))
    return Text(
        f"grid=(ceil_div(m,{t}),ceil_div(n,{t})) block=({t},{t})",
        ("assume n <= 2**18", "assume n*m <= 2**20", "extent x = n*m", "extent y = n*m"),
        "int n, int m, const float *x, float *y",
        f"  __shared__ float s[{t}][{t + pad}];\n"
        f"  int c = blockIdx.x * {t} + threadIdx.x, r = blockIdx.y * {t} + threadIdx.y;\n"
        "  if (r < n && c < m) s[threadIdx.y][threadIdx.x] = x[r * m + c];\n  __syncthreads();\n"
        f"  r = blockIdx.y * {t} + threadIdx.x;\n  c = blockIdx.x * {t} + threadIdx.y;\n"
        "  if (r < n && c < m) y[c * n + r] = s[threadIdx.x][threadIdx.y];",
    )


def histogram(rng: Random) -> Text:
    b, bins = block_of(rng), rng.choice((16, 64, 256))
    at = rng.choice(
        (f"x[i] & {bins - 1}", f"(unsigned)x[i] % {bins}", f"(x[i] & 0x7fffffff) % {bins}")
    )
    count = rng.choice(
        ("atomicAdd(&h[{a}], 1)", "atomicAdd(h + ({a}), 1)", "atomicMax(&h[{a}], i)")
    )
    return Text(
        f"grid=(ceil_div(n,{b})) block=({b})",
        ("assume n <= 2**30", "extent x = n", f"extent h = {bins}"),
        "int n, const int *x, int *h",
        f"  int i = blockIdx.x * {b} + threadIdx.x;\n  if (i < n) {count.format(a=at)};",
    )


def warp_sum(rng: Random) -> Text:
    b = rng.choice((32, 64, 256))
    end = rng.choice(("if ((threadIdx.x & 31) == 0) atomicAdd(out, v);",
                      "if (threadIdx.x % 32 == 0) atomicAdd(&out[0], v);"))  # fmt: skip
    return Text(
        f"grid=(ceil_div(n,{b})) block=({b})",
        ("assume n <= 2**30", "extent x = n", "extent out = 1"),
        "int n, const float *x, float *out",
        f"  int i = blockIdx.x * {b} + threadIdx.x;\n  float v = i < n ? x[i] : 0.f;\n"
        "  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);\n"
        f"  {end}",
    )


def scan(rng: Random) -> Text:
    b = rng.choice((32, 64, 128))
    return Text(
        f"grid=(G) block=({b})",
        ("assume G <= 2**16", f"extent x = {b}*G", f"extent y = {b}*G"),
        "const float *x, float *y",
        f"  __shared__ float s[2][{b}];\n  int t = threadIdx.x, from = 0;\n"
        f"  s[0][t] = x[blockIdx.x * {b} + t];\n  __syncthreads();\n"
        f"  for (int d = 1; d < {b}; d *= 2) {{\n"
        "    s[1 - from][t] = t >= d ? s[from][t] + s[from][t - d] : s[from][t];\n"
        "    from = 1 - from;\n    __syncthreads();\n  }\n"
        f"  y[blockIdx.x * {b} + t] = s[from][t];",
    )


def neighbours(rng: Random) -> Text:
    """Sum of both sides in shared memory, with a barrier; ends wrap around or stop."""
    b = block_of(rng)
    left, right = rng.choice((
        (f"(t + {b - 1}) % {b}", f"(t + 1) % {b}"),
        ("(t > 0 ? t - 1 : 0)", f"(t < {b - 1} ? t + 1 : t)"),
        ("t ^ 1", "t ^ 1"), (f"{b - 1} - t", "t"),
    ))  # fmt: skip
    kind = rng.choice(("int", "unsigned"))
    return Text(
        f"grid=(G) block=({b})",
        ("assume G <= 2**16", f"extent x = {b}*G", f"extent y = {b}*G"),
        "const float *x, float *y",
        f"  __shared__ float s[{b}];\n  {kind} t = threadIdx.x;\n"
        f"  s[t] = x[blockIdx.x * {b} + t];\n"
        f"  __syncthreads();\n  y[blockIdx.x * {b} + t] = s[{left}] + s[{right}];",
    )


def strided_rounds(rng: Random) -> Text:
    """A block goes over what it owns in rounds, with barriers between them."""
    b, tile = block_of(rng), rng.choice((2, 3, 4))
    return Text(
        f"grid=(G) block=({b})",
        ("assume G <= 2**12", f"extent x = {b * tile}*G", f"extent y = {b * tile}*G"),
        "const float *x, float *y",
        f"  __shared__ float s[{b}];\n  for (int k = 0; k < {tile}; k++) {{\n"
        f"    unsigned i = (blockIdx.x * {tile} + k) * {b} + threadIdx.x;\n"
        f"    s[threadIdx.x] = x[i];\n    __syncthreads();\n    y[i] = s[{b - 1} - threadIdx.x];\n"
        "    __syncthreads();\n  }",
    )


TOGETHER: tuple[Callable[[Random], Text], ...] = (
    halo, halving, transpose, histogram, warp_sum, scan,
    neighbours, strided_rounds,
)  # fmt: skip
