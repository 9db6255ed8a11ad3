"""The same index functions written with NVIDIA's CuTe: a road that shares no code with ours.

The function makes CuTe's layout from integers known at run time (static ones stay static) and
applies it to the 1-D index; how the index is split and the offset summed is NVIDIA's.

Source: cute/layout.hpp (CUTLASS 4.2).
"""

from __future__ import annotations

from symcute.codegen.functions import dim_names, leaf_text
from symcute.expr.basis import require_integers
from symcute.expr.htuple import HTuple, Leaf
from symcute.layout.layout import Layout

__all__ = ["CUTE_PRELUDE", "cute_function"]

#: What comes before the prelude of the checks.
CUTE_PRELUDE = "#include <cute/layout.hpp>\n"


def cute_function(layout: Layout, name: str) -> str:
    """Return a C++ function `long long name(long long i, long long dim_A, ...)` that asks CuTe.

    Post-conditions: as `index_function`, at dims where `fits(layout, dims)` holds.
    Errors: as `index_function`.

    >>> print(cute_function(Layout.parse("(M,4):(4,1)"), "offset"))
    SC_INLINE long long offset(long long i, long long dim_M)
    {
        using namespace cute;
        (void)dim_M;
        return make_layout(make_shape(dim_M, Int<4>{}), make_stride(Int<4>{}, Int<1>{}))(i);
    }
    <BLANKLINE>
    """
    if layout.coordinate_strides:
        require_integers(layout.stride, "cute_function")
    names = dim_names(layout)
    parameters = "".join(f", long long dim_{n}" for n in names)
    unused = "".join(f"    (void)dim_{n};\n" for n in names)
    made = f"make_layout({_tuple(layout.shape, 'shape')}, {_tuple(layout.stride, 'stride')})"
    return (
        f"SC_INLINE long long {name}(long long i{parameters})\n{{\n    using namespace cute;\n"
        f"{unused}    return {made}(i);\n}}\n"
    )


def _tuple(t: HTuple, kind: str) -> str:
    if isinstance(t, tuple):
        return f"make_{kind}({', '.join(_tuple(x, kind) for x in t)})"
    return _leaf(t)


def _leaf(leaf: Leaf) -> str:
    if isinstance(leaf, int):
        return f"Int<{leaf}>{{}}" if abs(leaf) < 1 << 31 else f"C<{leaf}LL>{{}}"
    return leaf_text(leaf)
