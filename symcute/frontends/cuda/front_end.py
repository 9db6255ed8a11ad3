"""CUDA C++ among the front ends."""

from __future__ import annotations

from symcute.frontends.cuda.inclusion import fingerprint
from symcute.frontends.cuda.source import read_kernels
from symcute.frontends.cuda.target import CUDA, macros_of
from symcute.frontends.front_end import FrontEnd, register

__all__ = ["CUDA_CPP"]

CUDA_CPP = register(
    FrontEnd(
        name="CUDA C++",
        suffixes=(".cu", ".cuh", ".h", ".hpp"),
        reader=read_kernels,
        target=CUDA,
        kernels="a kernel is a __global__ function with a body",
        fingerprint=fingerprint,
        macros=macros_of,
    )
)
