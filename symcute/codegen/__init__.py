"""Code from layouts and claims: C that also compiles as CUDA C.

`functions` writes index functions, `cute` the same with NVIDIA's headers, `checks` what a machine
can check of a claim, `instances` chooses the dims to run it at, `index` writes index expressions
for kernels, `forms` a layout in the form that is asked for.
"""

from symcute.codegen.checks import ROADS, Check, Step, checks_of, names_of, source
from symcute.codegen.functions import fits, index_function, narrow_function
from symcute.codegen.instances import instances

__all__ = [
    "ROADS",
    "Check",
    "Step",
    "checks_of",
    "fits",
    "index_function",
    "instances",
    "names_of",
    "narrow_function",
    "source",
]
