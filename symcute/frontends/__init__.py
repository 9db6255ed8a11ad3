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

__all__ = [
    "CUDA_CPP",
    "FrontEnd",
    "Source",
    "SourceError",
    "for_file",
    "for_text",
    "register",
    "searched",
]
