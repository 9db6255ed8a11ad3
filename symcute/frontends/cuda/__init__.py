"""CUDA C++ to programs, by libclang."""

from symcute.frontends.cuda.source import Source, SourceError, read_kernels

__all__ = ["Source", "SourceError", "read_kernels"]
