"""Host functions that launch Triton kernels, plainly and so that who reads them is deceived."""

# ruff: noqa: E731, RUF059

import torch
import triton
import triton.language as tl

WIDTH = 64


@triton.jit
def one(x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, 0.0, mask=at < n)


@triton.jit
def rows(x, out, xs, os, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * xs + at, mask=at < cols)
    tl.store(out + row * os + at, v, mask=at < cols)


@triton.jit
def flagged(x, b, n, HAS: tl.constexpr, BLOCK: tl.constexpr = 32):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n)
    if HAS:
        v += tl.load(b + at, mask=at < n)
    tl.store(x + at, v, mask=at < n)


@triton.jit
def maybe(x, b, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n)
    if b is not None:
        v += tl.load(b + at, mask=at < n)
    tl.store(x + at, v, mask=at < n)


@triton.autotune(
    configs=[triton.Config({"BLOCK": 32}), triton.Config({"BLOCK": 128}, num_warps=2)], key=["n"]
)
@triton.jit
def tuned(x, n, BLOCK: tl.constexpr, PLUS: tl.constexpr = 0):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK) + PLUS
    tl.store(x + at, 0.0, mask=at < n)


@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@triton.jit
def heuristic(x, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if EVEN:
        tl.store(x + at, 0.0)
    else:
        tl.store(x + at, 0.0, mask=at < n)


@triton.jit
def typed(x, n, KIND: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if KIND == "zero":
        tl.store(x + at, 0.0, mask=at < n)
    else:
        tl.store(x + at, 1.0, mask=at < n - 1)


@triton.jit
def sized(x, out, xs, cols: tl.constexpr, half: tl.constexpr, scale: tl.constexpr,
          FLAG: tl.constexpr, num_warps: tl.constexpr, BLOCK: tl.constexpr):  # fmt: skip
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * xs + at, mask=at < cols) * scale
    if FLAG:
        v += tl.load(x + row * xs + at % half, mask=at < cols)
    tl.store(out + row * cols + at, v, mask=at < cols)


# --- plain ------------------------------------------------------------------------------------


def by_a_tuple(x, y, n):
    one[(triton.cdiv(x.numel(), 64),)](x, x.numel(), BLOCK=64)


def by_a_lambda(x, y, n):
    m = x.numel()
    grid = lambda meta: (triton.cdiv(m, meta["BLOCK"]),)
    one[grid](x, m, BLOCK=128)


def by_a_function(x, y, n):
    m = x.numel()

    def grid(META):
        return (triton.cdiv(m, META["BLOCK"]),)

    one[grid](x, m, 32)


def of_what_is_made(x, y, n):
    z = torch.empty(n, dtype=torch.float16)
    one[(triton.cdiv(n, WIDTH),)](z, n, BLOCK=WIDTH)


def of_rows(x, y, n):
    assert x.dim() == 2
    M, N = x.shape
    out = torch.empty_like(x)
    rows[(M,)](x, out, x.stride(0), out.stride(0), N, BLOCK=triton.next_power_of_2(N))


def of_views(x, y, n):
    shape = x.shape
    z = x.view(-1, shape[-1])
    M, N = z.shape
    out = torch.empty((M, N), dtype=x.dtype)
    rows[(M,)](z, out, z.stride(0), out.stride(0), N, BLOCK=32, num_warps=4)


def made_contiguous(x, y, n):
    z = x.contiguous()
    one[(triton.cdiv(z.numel(), 32),)](z, z.numel(), BLOCK=32)


def with_a_flag(x, y, n):
    flagged[(triton.cdiv(x.numel(), 32),)](x, y, x.numel(), HAS=x.numel() == y.numel())


def of_every_configuration(x, y, n):
    tuned[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, x.numel())


def by_a_heuristic(x, y, n):
    heuristic[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, x.numel(), BLOCK=16)


def of_a_word(x, y, n):
    typed[(1,)](x, x.numel(), KIND="zero", BLOCK=32)


def of_two_words(x, y, n):
    if n > 3:
        typed[(1,)](x, x.numel(), "zero", BLOCK=32)
    else:
        typed[(1,)](x, x.numel(), "one", BLOCK=32)


def of_none(x, y, n):
    maybe[(triton.cdiv(x.numel(), 32),)](x, None, x.numel(), BLOCK=32)


def of_a_constant_size(x, y, n):
    assert x.dim() == 2
    M, N = x.shape
    out = torch.empty((M, N), dtype=x.dtype)
    sized[(M,)](x, out, x.stride(0), N, N // 2 + 1, 0.5, True, 4, BLOCK=16)


def of_a_constant_that_the_caller_gives(x, y, n):
    called(x, y, n, n > 4, n * 0.5)


def called(x, y, n, flag, scale):
    assert x.dim() == 2
    sized[(x.shape[0],)](x, y, x.stride(0), n, n, scale, flag, 8, BLOCK=16)


def of_a_constant_of_rows(x, y, n):
    rows_each = triton.cdiv(x.numel(), 5)
    sized[(3,)](x, y, rows_each, rows_each, 4, n, n > 3, 4, BLOCK=16)


# --- deceiving --------------------------------------------------------------------------------


def changed_after_the_lambda(x, y, n):
    m = n
    grid = lambda meta: (m,)
    m = 2
    one[grid](x, n, BLOCK=32)


def a_lambda_that_is_changed(x, y, n):
    grid = lambda meta: (1,)
    if n > 3:
        grid = lambda meta: (3,)
    one[grid](x, n, BLOCK=32)


def a_block_that_is_changed(x, y, n):
    B = 32
    if n > 3:
        B = 64
    one[(4,)](x, n, BLOCK=B)


def by_another_name(x, y, n):
    launched = one
    launched[(1,)](x, n, BLOCK=32)


def no_kernel(x, y, n):
    one = {(1,): lambda *a, **k: None}
    one[(1,)](x, n, BLOCK=32)
    two(x, n)


def two(x, n):
    one[(2,)](x, n, BLOCK=16)


def an_empty_grid(x, y, n):
    one[(n,)](x, 7, BLOCK=32)
    one[(2,)](x, n, BLOCK=32)


def from_a_dictionary(x, y, n):
    more = {"BLOCK": 32}
    if n > 3:
        more["BLOCK"] = 64
    one[(1,)](x, n, **more)


def from_a_list(x, y, n):
    given = [x, n]
    one[(1,)](*given, BLOCK=32)


def the_other_way_round(x, y, n):
    one[(1,)](n=n, BLOCK=32, x=y)


def one_of_two(x, y, n):
    z = x if n > 3 else y
    one[(1,)](z, z.numel(), BLOCK=32)


def a_power_of_nothing(x, y, n):
    one[(1,)](x, n, BLOCK=triton.next_power_of_2(n))


def in_a_loop(x, y, n):
    for i in range(1, 4):
        one[(i,)](x, n + i, BLOCK=16 * i * i * i if i == 2 else 16)


def transposed(x, y, n):
    z = x.t()
    if z.dim() != 2:
        return
    rows[(z.shape[0],)](z, y, z.stride(0), z.stride(1), z.shape[1], BLOCK=32)


def caught(x, y, n):
    m = 5
    try:
        z = x.view(n, -1)
        m = z.shape[1]
    except (RuntimeError, IndexError):
        pass
    one[(1,)](x, m, BLOCK=32)


def a_shape_in_parts(x, y, n):
    *batch, N = x.shape
    one[(1,)](x, N, BLOCK=32)


def one_argument_of_1(x, y, n):
    one[(1,)](x, 1, BLOCK=32)


def a_kernel_in_a_closure(x, y, n):
    m = n

    def go():
        nonlocal m
        m = 6

    go()
    one[(1,)](x, m, BLOCK=32)


def a_width_of_its_own(x, y, n):
    WIDTH = 16
    grid = lambda meta: (WIDTH,)
    one[grid](x, n, BLOCK=WIDTH)


def a_meta_with_another_name(x, y, n):
    meta = {"BLOCK": 3}
    one[lambda m: (meta["BLOCK"],)](x, n, BLOCK=32)


def what_tuning_does_not_say(x, y, n):
    tuned[(1,)](x, n, PLUS=4)


def two_as_one(x, y, n):
    maybe[(1,)](x, x, x.numel(), BLOCK=32)


def optional(x, y, n):
    y = y if n > 3 else None
    maybe[(1,)](x, y, x.numel(), BLOCK=32)


def halved(x, y, n):
    one[(1,)](x, int(n / 2), BLOCK=32)


def like_another(x, y, n):
    z = torch.empty_like(x.t() if n > 3 else x)
    rows[(1,)](x, z, n, z.stride(0), 8, BLOCK=32)


def viewed_as_it_is_not(x, y, n):
    z = x.view(n, 5)
    rows[(n,)](z, y, z.stride(0), 1, 5, BLOCK=8)


def compiled_before(x, y, n):
    size = x.numel()
    program = one.warmup(x, size, BLOCK=64, grid=(1,))
    print(program.n_regs)
    program[(triton.cdiv(size, 64), 1, 1)](x, size, 64)


def compiled_without_constants(x, y, n):
    rows_of, cols = x.shape
    program = rows.warmup(x, y, x.stride(0), y.stride(0), cols, BLOCK=64, grid=(1,))
    program[(rows_of, 1, 1)](x, y, x.stride(0), y.stride(0), cols)


def compiled_for_another_size(x, y, n):
    size = x.numel()
    program = one.warmup(x, 1, BLOCK=64, grid=(1,))
    program[(triton.cdiv(size, 64), 1, 1)](x, size, 64)


def compiled_for_another_tensor(x, y, n):
    size = x.numel()
    program = one.warmup(y, size, BLOCK=64, grid=(1,))
    program[(triton.cdiv(size, 64), 1, 1)](x, size, 64)


def compiled_once_for_all_rounds(x, y, n):
    for k in range(3):
        m = k + 1
        if k == 0:
            program = one.warmup(x, m, BLOCK=64, grid=(1,))
        program[(1, 1, 1)](x, m, 64)


def compiled_and_changed(x, y, n):
    m = x.numel()
    program = one.warmup(x, m, BLOCK=64, grid=(1,))
    m = m + 1
    program[(1, 1, 1)](x, m, 64)


def compiled_with_another_block(x, y, n):
    size = x.numel()
    program = one.warmup(x, size, BLOCK=32, grid=(1,))
    program[(triton.cdiv(size, 64), 1, 1)](x, size, 64)


def compiled_in_either_way(x, y, n):
    size = x.numel()
    if n > 3:
        program = one.warmup(x, size, BLOCK=32, grid=(1,))
    else:
        program = one.warmup(x, size, BLOCK=64, grid=(1,))
    program[(triton.cdiv(size, 32), 1, 1)](x, size, 64)


def compiled_and_handed_on(x, y, n):
    size = x.numel()
    program = one.warmup(x, size, BLOCK=64, grid=(1,))
    held = [program]
    held[0][(triton.cdiv(size, 8), 1, 1)](x, size, 64)
