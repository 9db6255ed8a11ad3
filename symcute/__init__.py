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
        "Guard",
        "GuardedLayout",
        "append",
        "blocked_product",
        "ceil_div",
        "coalesce",
        "compact_major",
        "compact_order",
        "compatible",
        "complement",
        "composition",
        "congruent",
        "crd2crd",
        "dice",
        "domain_distribute",
        "domain_offset",
        "downcast",
        "evenly_divides",
        "filter_",
        "filter_zeros",
        "flat_divide",
        "flat_product",
        "flatten",
        "get",
        "greatest_common_domain",
        "group",
        "guarded_divide",
        "layout_add",
        "left_inverse",
        "logical_divide",
        "logical_product",
        "make_fragment_like",
        "make_identity_layout",
        "make_layout_like",
        "make_ordered_layout",
        "max_common_layout",
        "max_common_vector",
        "nullspace",
        "prepend",
        "raked_product",
        "recast",
        "replace",
        "right_inverse",
        "select",
        "shape_div",
        "take",
        "tile_to_shape",
        "tile_unzip",
        "tiled_divide",
        "tiled_product",
        "transform_leaf",
        "unflatten",
        "upcast",
        "weakly_compatible",
        "weakly_congruent",
        "zip_",
        "zipped_divide",
        "zipped_product",
    ),
    "symcute.basis": ("ArithmeticTuple", "E", "ScaledBasis", "make_basis_like"),
    "symcute.claims": (
        "Aligned",
        "Apart",
        "Bijective",
        "Claim",
        "Compact",
        "Compatible",
        "Complement",
        "Composition",
        "Counterexample",
        "Covers",
        "Disjoint",
        "Equal",
        "Holds",
        "InBounds",
        "Increasing",
        "Injective",
        "LeftInverse",
        "Monotone",
        "NoOverflow",
        "Partition",
        "PrintsAs",
        "Refines",
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
    "symcute.codegen.index": ("c_expression", "python_expression"),
    "symcute.exchange": (
        "dsl_facts",
        "from_cpp",
        "from_dsl",
        "layout_of",
        "offsets",
        "strided_view",
        "to_cpp",
        "to_dsl",
    ),
    "symcute.exprs": ("floor_div", "mod"),
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
    "symcute.language": ("evaluate", "read_claim"),
    "symcute.evaluation": ("crd2idx", "idx2crd"),
    "symcute.f2": ("BitMatrix", "from_f2", "to_f2"),
    "symcute.layout": ("Layout", "make_layout", "slice_", "slice_and_offset"),
    "symcute.measures": ("coshape", "cosize", "depth", "rank", "shape", "size", "stride"),
    "symcute.prover": ("Verdict", "check", "prove"),
    "symcute.prover.suggestion": ("Suggestion", "suggest"),
    "symcute.swizzle": ("ComposedLayout", "Swizzle", "make_swizzle"),
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
