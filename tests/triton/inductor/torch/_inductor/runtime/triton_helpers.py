"""A helper that kernels call."""

import triton
import triton.language as tl


@triton.jit
def minimum(a, b):
    return tl.where(a < b, a, b)
