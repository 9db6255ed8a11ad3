"""Machines that run generated checks: the host's C compiler, or a GPU through CuPy.

`Backend`, `Module` and `Result` are the whole interface.
"""

from symcute.evidence.backends.base import (
    Backend,
    MachineFailed,
    Module,
    Outcome,
    OutOfMemory,
    Result,
    cutlass_headers,
)
from symcute.evidence.backends.cupy import CupyBackend, cupy_available
from symcute.evidence.backends.host import HostBackend

__all__ = [
    "Backend",
    "CupyBackend",
    "HostBackend",
    "MachineFailed",
    "Module",
    "OutOfMemory",
    "Outcome",
    "Result",
    "cupy_available",
    "cutlass_headers",
]
