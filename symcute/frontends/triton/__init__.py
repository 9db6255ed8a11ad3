"""Triton: from `@triton.jit` functions to programs, through TTIR."""

from symcute.frontends.triton.reading import has_triton, read_triton

__all__ = ["has_triton", "read_triton"]
