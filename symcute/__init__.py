"""symcute proves what the index maps of GPU kernels do, for all sizes at once.

Public names are loaded on first use, so that importing the package, and working with static
layouts, loads neither SymPy nor a solver.
"""

from __future__ import annotations

import importlib
from types import FunctionType
from typing import Any

__version__ = "0.1.0"

#: `_` in a coordinate or tiler: keep this mode.
_ = None

_HOMES = {
    "symcute.kernel.launch.guard": ("Guarded", "guard"),
    "symcute.kernel.findings": ("Finding", "Findings"),
    "symcute.kernel.launch.sources": ("check_kernel",),
    "symcute.layout.algebra": (
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
    "symcute.layout.algebra.alignment": ("max_alignment",),
    "symcute.expr.basis": ("ArithmeticTuple", "E", "ScaledBasis", "make_basis_like"),
    "symcute.claims": (
        "Aligned",
        "Apart",
        "BankConflict",
        "Bijective",
        "Claim",
        "Coalesced",
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
        "PartitionExact",
        "PrintsAs",
        "Refines",
        "RightInverse",
        "SameElements",
        "SameImage",
        "Sectors",
        "Table",
        "Vectorizable",
    ),
    "symcute.expr.assumptions": ("Assumptions", "assuming", "dims"),
    "symcute.errors": (
        "InputError",
        "LaunchRefused",
        "NotAdmissible",
        "SymcuteError",
        "TextError",
        "Undecided",
        "UndecidedLaunch",
    ),
    "symcute.layout.atoms": (
        "CopyOp",
        "MmaAtom",
        "atom",
        "atom_layout",
        "copy_ops",
        "mma_atoms",
        "smem_layout_atom",
    ),
    "symcute.codegen.index": ("c_expression", "python_expression"),
    "symcute.interop": (
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
    ),
    "symcute.expr.expression": ("floor_div", "mod"),
    "symcute.expr.formula": (
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
    "symcute.hardware.access": ("Access",),
    "symcute.hardware.architecture": ("Architecture", "architecture"),
    "symcute.claims.language": ("evaluate", "read_claim"),
    "symcute.layout.coordinates": ("crd2idx", "idx2crd"),
    "symcute.layout.f2": ("BitMatrix", "from_f2", "to_f2"),
    "symcute.layout.layout": ("Layout", "make_layout"),
    "symcute.layout.linear": (
        "Conversion",
        "LinearLayout",
        "conversion",
        "from_linear",
        "to_linear",
    ),
    "symcute.layout.measures": ("coshape", "cosize", "depth", "rank", "shape", "size", "stride"),
    "symcute.prover": ("Verdict", "check", "prove"),
    "symcute.prover.suggestion": ("Suggestion", "suggest"),
    "symcute.layout.slices": ("slice_", "slice_and_offset"),
    "symcute.report.notebooks": ("to_html", "to_latex"),
    "symcute.report.pictures": ("tilings_to_svg", "to_svg"),
    "symcute.report.requests": ("request_to_svg",),
    "symcute.layout.swizzle": (
        "ComposedLayout",
        "Swizzle",
        "UnswizzledLayout",
        "get_nonswizzle_portion",
        "get_swizzle_portion",
        "make_swizzle",
    ),
    "symcute.layout.tv": (
        "CopyAtom",
        "ThrCopy",
        "ThrMMA",
        "TiledCopy",
        "TiledMMA",
        "local_partition",
        "local_tile",
        "make_copy_atom",
        "make_cotiled_copy",
        "make_layout_tv",
        "make_tiled_copy",
        "make_tiled_copy_A",
        "make_tiled_copy_B",
        "make_tiled_copy_C",
        "make_tiled_copy_D",
        "make_tiled_copy_S",
        "make_tiled_mma",
        "tiled_mma_layout",
    ),
    "symcute.synthesis": ("Padding", "Swizzling", "find_padding", "find_swizzle"),
    "symcute.prover.theorems": ("Theorem", "TheoremResult", "theorem"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = ["__version__", *_HOME_OF]


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'symcute' has no attribute {name!r}")
    value = getattr(importlib.import_module(home), name)
    if isinstance(value, FunctionType):
        value = importlib.import_module("symcute.expr.arguments").with_door(value)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
