"""What CUDA fixes of every launch.

Source: the CUDA C++ Programming Guide: Technical Specifications per Compute Capability (maximum
sizes of a grid and of a block), SIMT Architecture (warps), Device Memory Accesses (what memory from
the driver or the runtime is aligned to).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from symcute.kernel.ir.target import Target

__all__ = ["CUDA", "macros_of"]

#: The architecture that sources are read for where nobody names one.
_READ = "90"

CUDA = Target(
    name="CUDA",
    grid=((1 << 31) - 1, 65535, 65535),
    block=(1024, 1024, 64),
    threads=1024,
    warp=32,
    allocated=256,
    allocated_by="memory from cudaMalloc",
    # As compilers lay it out, whatever its elements are.
    dynamic=16,
    grid_name="gridDim",
    block_name="blockDim",
    note="// symcute:",
)


def macros_of(architecture: str) -> Mapping[str, str]:
    """Return what nvcc defines for an architecture, where that is not the one of all sources.

    >>> macros_of("sm80"), macros_of("sm_90a")
    ({'__CUDA_ARCH__': '800'}, {})
    """
    found = re.fullmatch(r"sm_?(\d{2,3})[af]?", architecture)
    return {"__CUDA_ARCH__": f"{found[1]}0"} if found and found[1] != _READ else {}
