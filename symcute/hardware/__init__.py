"""What the memory system of a GPU does with the accesses of a warp."""

from symcute.hardware.architecture import ARCHITECTURES, Architecture, architecture
from symcute.hardware.memory import (
    bank_conflicts,
    ldmatrix_wavefronts,
    sectors,
    shared_wavefronts,
)

__all__ = [
    "ARCHITECTURES",
    "Architecture",
    "architecture",
    "bank_conflicts",
    "ldmatrix_wavefronts",
    "sectors",
    "shared_wavefronts",
]
