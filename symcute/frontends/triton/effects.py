"""What operations, and the statements that they become, do besides computing values."""

from __future__ import annotations

from symcute.frontends.triton.descriptors import MAKES_A_DESCRIPTOR
from symcute.frontends.triton.operations import Op
from symcute.frontends.triton.values import RULES
from symcute.kernel.ir.program import Havoc, If, Let, Stmt

__all__ = ["acts", "computes"]

#: What computes, and does nothing else: what it gives is not known where `values.py` has no rule.
_PURE = frozenset(
    f"tt.{name}"
    for name in (
        "bitcast", "cat", "clampf", "dot", "dot_scaled", "fp_to_fp", "gather", "histogram",
        "int_to_ptr", "map_elementwise", "mulhiui", "precise_divf", "precise_sqrt", "ptr_to_int",
        "reduce", "scan",
    )
) | RULES.keys() | MAKES_A_DESCRIPTOR.keys()  # fmt: skip


def computes(op: Op) -> bool:
    """Return whether an operation does nothing but compute: code in it says so itself."""
    if op.name in ("tt.elementwise_inline_asm", "tt.extern_elementwise"):
        return op.attributes.get("pure", "").startswith("true")
    known = op.name in _PURE or op.name.startswith(("arith.", "math."))
    inner = (x for region in op.regions for block in region for x in block.ops)
    return known and all(computes(x) or x.name.endswith(".return") for x in inner)


def acts(s: Stmt) -> bool:
    """Return whether a statement does more than set variables."""
    if isinstance(s, If):
        return any(map(acts, (*s.then, *s.other)))
    return not isinstance(s, Let | Havoc)
