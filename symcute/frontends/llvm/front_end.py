"""CUDA C++ through LLVM among the front ends: another road over the same files."""

from __future__ import annotations

from symcute.frontends.cuda.target import CUDA
from symcute.frontends.front_end import FrontEnd, register
from symcute.frontends.llvm.source import read_through_llvm

__all__ = ["CUDA_THROUGH_LLVM"]

CUDA_THROUGH_LLVM = register(
    FrontEnd(
        name="CUDA C++ through LLVM",
        suffixes=(".cu",),
        reader=read_through_llvm,
        target=CUDA,
        kernels="a kernel is a __global__ function of which clang makes code",
    ),
    road="llvm",
)
