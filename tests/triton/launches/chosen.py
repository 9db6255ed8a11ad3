"""Host functions of kernels of which defaults, configurations and heuristics choose constants."""

import torch
import triton
import triton.language as tl

WIDTH = 64


def handed(kernel):
    def found(function):
        def first(x, y, n):
            kernel[(1,)](x, 99, BLOCK=32)
            function(x, y, n)

        return first

    return found


@triton.jit
def moved(x, n, OFF: tl.constexpr = -WIDTH, BLOCK: tl.constexpr = WIDTH):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK) + OFF
    tl.store(x + at, 0.0, mask=(at < n) & (at >= 0))


@triton.heuristics({"A": lambda args: args["B"] * 2, "B": lambda args: 64})
@triton.jit
def decided(x, n, B: tl.constexpr, A: tl.constexpr):
    at = tl.program_id(0) * A + tl.arange(0, A)
    tl.store(x + at, 0.0, mask=at < n - B)


@triton.heuristics({"B": lambda args: 16})
@triton.heuristics({"A": lambda args: args["B"], "B": lambda args: args["A"] * 4})
@triton.jit
def decided_again(x, n, A: tl.constexpr, B: tl.constexpr):
    at = tl.program_id(0) * A + tl.arange(0, A)
    tl.store(x + at, 0.0, mask=at < n - B)


@triton.autotune(
    configs=[triton.Config({"BLOCK": 32}), triton.Config({"BLOCK": 64}, num_warps=8)], key=["n"]
)
@triton.jit
def tuned(x, n, BLOCK: tl.constexpr, PLUS: tl.constexpr = 0):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK) + PLUS
    tl.store(x + at, 0.0, mask=at < n)


@triton.autotune(
    configs=[triton.Config({"BLOCK": 32}), triton.Config({"BLOCK": 64}, num_warps=8)], key=["n"]
)
@triton.jit
def of_warps(x, n, BLOCK: tl.constexpr, num_warps: tl.constexpr = 1):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK) + num_warps
    tl.store(x + at, 0.0, mask=at < n)


@triton.autotune(configs=[triton.Config({"WORD": "a"}), triton.Config({"WORD": None})], key=["n"])
@triton.heuristics({"TWICE": lambda args: args["n"] * 2 > 30})
@triton.jit
def of_words(x, n, WORD: tl.constexpr, TWICE: tl.constexpr):
    at = tl.program_id(0) * 32 + tl.arange(0, 32)
    if WORD == "a" and TWICE:
        tl.store(x + at, 0.0, mask=at < n)


@triton.jit
def as_default(x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, 0.0, mask=at < n)


@triton.jit
def in_decorator(x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, 0.0, mask=at < n)


@triton.jit
def plain(x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, 0.0, mask=at < n)


def a_default_of_the_file(x, y, n):
    WIDTH = 5
    moved[(1,)](x, n + WIDTH)


def a_heuristic_of_what_is_decided_later(x, y, n):
    decided[(1,)](x, n, B=32)


def decided_twice(x, y, n):
    decided_again[(1,)](x, n)


def more_than_is_tuned(x, y, n):
    more = {"PLUS": 4}
    tuned[(1,)](x, n, **more)


def below_the_tuning(x, y, n):
    tuned.fn[(1,)](x, n, BLOCK=8)


def warps_as_a_constant(x, y, n):
    of_warps[(1,)](x, n)


def words_by_tuning(x, y, n):
    of_words[(1,)](x, n)


def by_a_default(x, y, n):
    launched_by_default(x)
    as_default[(1,)](x, n, BLOCK=32)


def launched_by_default(x, kernel=as_default):
    kernel[(1,)](x, 77, BLOCK=32)


@handed(in_decorator)
def by_a_decorator(x, y, n):
    in_decorator[(1,)](x, n, BLOCK=32)


def written_to(x, y, n):
    z = torch.empty(1)
    torch.add(x, 1, out=z)
    plain[(1,)](y, z.numel(), BLOCK=32)


def bytes_of_another(x, y, n):
    z = torch.empty(16 * x.numel(), dtype=torch.int8)
    plain[(1,)](z, x.numel() * x.element_size(), BLOCK=32)


def another_ceiling(x, y, n):
    held, triton.cdiv = triton.cdiv, lambda a, b: 3
    m = triton.cdiv(n, 32)
    triton.cdiv = held
    plain[(m,)](x, n, BLOCK=32)


def one_or_the_other(x, y, n):
    plain[(1,)](x, n or 5, BLOCK=32)


def both(x, y, n):
    plain[(1,)](x, n and 7, BLOCK=32)


def truths(x, y, n):
    plain[(1,)](x, n > 3 or x.numel() > 4, BLOCK=32)


def a_truth_as_a_constant(x, y, n):
    moved[(1,)](x, n, n == 3 and 5)
