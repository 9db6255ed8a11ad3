"""Host functions in a file that gives tensors other shapes."""

import torch
import triton
import triton.language as tl


@triton.jit
def one(x, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, 0.0, mask=at < n)


def by_a_tuple_beside(x, y, n):
    one[(triton.cdiv(x.numel(), 64),)](x, x.numel(), BLOCK=64)


def resized(x, y, n):
    z = torch.empty(40)
    w = z
    w.resize_(8)
    one[(1,)](z, z.numel(), BLOCK=32)


def reshaped_elsewhere(x, y, n):
    z = torch.empty(40)
    shrink(z)
    one[(1,)](z, z.numel(), BLOCK=32)


def shrink(z):
    z.resize_(8)
