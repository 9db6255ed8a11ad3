"""Code from layouts: index functions in C that also compiles as CUDA C.

`c` writes the source, `instances` chooses the dims to run it at.
"""

from symcute.codegen.c import ENTRY_LIMIT, fits_int64, index_function, module
from symcute.codegen.instances import instances, why_none

__all__ = ["ENTRY_LIMIT", "fits_int64", "index_function", "instances", "module", "why_none"]
