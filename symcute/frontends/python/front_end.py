"""Python among the front ends."""

from __future__ import annotations

from symcute.frontends.cuda.target import CUDA
from symcute.frontends.front_end import FrontEnd, register
from symcute.frontends.python.reading import read_python

__all__ = ["PYTHON"]

PYTHON = register(
    FrontEnd(
        name="Python",
        suffixes=(".py",),
        reader=read_python,
        target=CUDA,
        kernels="a kernel is in a text for RawKernel, RawModule, SourceModule or load_inline",
        marks=("RawKernel", "RawModule", "SourceModule", "load_inline"),
    )
)
