"""Front ends: sources to programs, a folder a language."""

from symcute.frontends.cuda.front_end import CUDA_CPP
from symcute.frontends.front_end import (
    FrontEnd,
    Source,
    SourceError,
    for_file,
    for_text,
    register,
    searched,
)
from symcute.frontends.llvm.front_end import CUDA_THROUGH_LLVM
from symcute.frontends.python.front_end import PYTHON

__all__ = [
    "CUDA_CPP",
    "CUDA_THROUGH_LLVM",
    "PYTHON",
    "FrontEnd",
    "Source",
    "SourceError",
    "for_file",
    "for_text",
    "register",
    "searched",
]
