"""What Triton fixes of every launch.

Source: the grid is CUDA's. `TRITON_MAX_TENSOR_NUMEL` of `triton/language/core.py` bounds tensors,
which Triton itself checks; a block has a thread for each element of one or more tensors.
"""

from __future__ import annotations

from symcute.kernel.ir.target import Target

__all__ = ["TRITON"]

TRITON = Target(
    name="Triton",
    grid=((1 << 31) - 1, 65535, 65535),
    block=(1 << 30, 1 << 30, 1 << 30),
    threads=1 << 40,
    # Which elements a warp has is the compiler's affair.
    warp=1,
    # A view of a tensor may begin at any element.
    allocated=1,
    allocated_by="a pointer to whole elements",
    dynamic=16,
    grid_name="programs",
    block_name="elements",
    note="# symcute:",
)
