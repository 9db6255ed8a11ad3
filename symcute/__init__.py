"""symcute proves what the index maps of GPU kernels do, for all sizes at once.

Public names are loaded on first use, so that importing the package, and working with static
layouts, loads neither SymPy nor a solver.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

#: `_` in a coordinate or tiler: keep this mode.
_ = None

_HOMES = {
    "symcute.algebra": (
        "blocked_product",
        "coalesce",
        "complement",
        "composition",
        "filter_zeros",
        "flat_divide",
        "flat_product",
        "flatten",
        "left_inverse",
        "logical_divide",
        "logical_product",
        "raked_product",
        "right_inverse",
        "select",
        "tiled_divide",
        "tiled_product",
        "zipped_divide",
        "zipped_product",
    ),
    "symcute.claims": (
        "Bijective",
        "Claim",
        "Compatible",
        "Complement",
        "Composition",
        "Counterexample",
        "Disjoint",
        "Equal",
        "Holds",
        "InBounds",
        "Injective",
        "LeftInverse",
        "PrintsAs",
        "RightInverse",
        "Table",
    ),
    "symcute.assumptions": ("Assumptions", "assuming", "dims"),
    "symcute.errors": (
        "InputError",
        "NotAdmissible",
        "SymcuteError",
        "TextError",
        "Undecided",
    ),
    "symcute.exprs": ("ceil_div", "floor_div", "mod"),
    "symcute.formula": (
        "Formula",
        "all_of",
        "any_of",
        "divides",
        "eq",
        "ge",
        "gt",
        "implies",
        "le",
        "lt",
        "ne",
        "not_",
    ),
    "symcute.htuple": ("congruent",),
    "symcute.language": ("evaluate", "read_claim"),
    "symcute.layout": (
        "Layout",
        "coshape",
        "cosize",
        "crd2idx",
        "depth",
        "idx2crd",
        "make_layout",
        "make_ordered_layout",
        "rank",
        "shape",
        "size",
        "slice_",
        "slice_and_offset",
        "stride",
    ),
    "symcute.prover": ("Verdict", "check", "prove"),
    "symcute.theorems": ("Theorem", "TheoremResult", "theorem"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = ["__version__", *_HOME_OF]


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'symcute' has no attribute {name!r}")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
