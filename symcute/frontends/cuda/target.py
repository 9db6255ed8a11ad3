"""What CUDA fixes of every launch.

Source: the CUDA C++ Programming Guide: Technical Specifications per Compute Capability (maximum
sizes of a grid and of a block), SIMT Architecture (warps), Device Memory Accesses (what memory from
the driver or the runtime is aligned to).
"""

from __future__ import annotations

from symcute.kernel.ir.target import Target

__all__ = ["CUDA"]

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
