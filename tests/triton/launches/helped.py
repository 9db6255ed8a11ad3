"""Hosts that call functions of theirs, and of a module beside them, for numbers."""

import torch
import triton
import triton.language as tl
from settings import changed, demanded, least, nested, settings
from settings import settings as other

LIMIT = 64


@triton.jit
def row(x, n, stride, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(x + tl.program_id(0) * stride + at, 0.0, mask=at < n)


def wide(n):
    if n > LIMIT:
        return LIMIT
    block = 8
    if n > 8:
        block = triton.next_power_of_2(n)
    return block


def pair(n, block):
    block = block * 2
    n = n + 1
    return n, block


def without_end(n):
    if n > 5:
        return 8, n
    return None


def twice(n):
    return 8


def twice(n):  # noqa: F811
    return 16


def rebound(n):
    return 4


def of_module(n):
    return 8


def of_a_tensor(x):
    if x.dim() != 2:
        raise ValueError
    return x.shape[1], x.stride(0)


def from_a_module(x, y, n):
    x = x.view(-1, x.shape[-1])
    BLOCK, warps = settings(x.shape[1])
    row[(x.shape[0],)](x, x.shape[1], x.stride(0), BLOCK=BLOCK, num_warps=warps)


def by_another_name(x, y, n):
    block, num_warps = other(n)
    row[(num_warps,)](torch.empty(num_warps, block), n, block, block)


def with_defaults(x, y, n):
    block = least(n)
    row[(1,)](torch.empty(block), n, 1, block)


def with_more(x, y, n):
    block = least(low=4, n=n, factor=2)
    row[(1,)](torch.empty(n), n, 1, block)


def only_demanded(x, y, n):
    demanded(n)
    row[(n,)](torch.empty(n, 64), n, 64, 64)


def in_two_steps(x, y, n):
    block = nested(n)
    row[(1,)](torch.empty(block), n, 1, block)


def of_this_file(x, y, n):
    block = wide(n)
    row[(1,)](torch.empty(64), n, 1, block)


def names_that_are_the_same(x, y, n):
    block = 4
    n, other_block = pair(block, n)
    row[(1,)](torch.empty(block + n), n, 1, block)
    row[(1,)](torch.empty(64), other_block, 1, 16)


def swapped(x, y, n):
    block = 8
    block, n = pair(n, block)
    row[(1,)](torch.empty(64), block, 1, n)


def nothing_at_the_end(x, y, n):
    block, m = without_end(n)
    row[(1,)](torch.empty(m), m, 1, block)


def one_of_two(x, y, n):
    block = twice(n)
    row[(1,)](torch.empty(n), n, 1, block)


def shadowed(x, y, n):
    LIMIT = 2
    block = wide(n)
    row[(LIMIT,)](torch.empty(64), n, 1, block)


def of_its_own(x, y, n):
    def wide(n):
        return 2

    block = wide(n)
    row[(1,)](torch.empty(64), n, 1, block)


def given(x, y, n, wide=lambda n: 4):
    block = wide(n)
    row[(1,)](torch.empty(64), n, 1, block)


def of_shapes(x, y, n):
    width, step = of_a_tensor(x)
    row[(x.shape[0],)](x, width, step, 8)


def starred(x, y, n):
    *_, cols = x.shape
    x = x.contiguous().view(-1, cols)
    row[(x.shape[0],)](x, cols, x.stride(0), 16)


def starred_between(x, y, n):
    rows, *_, cols = x.shape
    row[(rows,)](x, cols, x.stride(0), 16)


def starred_behind(x, y, n):
    rows, cols, *more = x.shape
    row[(rows,)](x, cols, len(more), 16)


def that_changes_more(x, y, n):
    block = changed(n)
    row[(1,)](torch.empty(64), n, 1, block)


def caught(x, y, n):
    block = 32
    try:
        block, _warps = settings(n)
    except RuntimeError:
        n = 32
    row[(1,)](torch.empty(32), n, 1, block)


def in_a_loop(x, y, n):
    block = 1
    for k in range(2):
        block, warps = settings(n + k)
    row[(1,)](torch.empty(64), n, 1, block, num_warps=warps)


def rebound_at_last(x, y, n):
    block = rebound(n)
    row[(1,)](torch.empty(64), n, 1, block)


rebound = lambda n: 16  # noqa: E731, F811


def behind(x, y, n):
    block = defined_later(n)
    row[(1,)](torch.empty(64), n, 1, block)


def defined_later(n):
    return 8
