"""Layouts to and from the world outside: C++ and Python text, arrays, and vectorised evaluation.

`cpp` reads and writes CuTe C++, `dsl` CuTe DSL, `triton` Triton's linear and blocked layouts,
`arrays` the strides of NumPy, CuPy and PyTorch; `infix` writes leaves as C and Python expressions.
No library is loaded before it is needed.
"""

from symcute.interop.arrays import layout_of, offsets, strided_view
from symcute.interop.cpp import from_cpp, to_cpp
from symcute.interop.dsl import dsl_facts, from_dsl, to_dsl
from symcute.interop.triton import blocked_layout, from_triton, to_triton

__all__ = [
    "blocked_layout",
    "dsl_facts",
    "from_cpp",
    "from_dsl",
    "from_triton",
    "layout_of",
    "offsets",
    "strided_view",
    "to_cpp",
    "to_dsl",
    "to_triton",
]
