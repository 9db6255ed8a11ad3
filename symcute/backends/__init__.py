"""Machines that run generated index functions: the host's C compiler, or a GPU through CuPy.

`Backend` and `Module` are the whole interface.
"""

from symcute.backends.base import Backend, Module, Offsets
from symcute.backends.cupy import CupyBackend, cupy_available
from symcute.backends.host import HostBackend

__all__ = [
    "Backend",
    "CupyBackend",
    "HostBackend",
    "Module",
    "Offsets",
    "cupy_available",
]
