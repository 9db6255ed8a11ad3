"""CUDA C++ to programs, by libclang."""

from symcute.frontends.cuda.source import read_kernels

__all__ = ["read_kernels"]
