"""A layout in the form that is asked for: CuTe's print, C++, CuTe DSL, PyTorch, Triton, C, Python.

A form that cannot say a layout refuses it, with what it lacks.

Source: Triton, TritonGPUAttrDefs.td (SwizzledSharedEncodingAttr).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from symcute.codegen.index import c_expression, python_expression
from symcute.errors import InputError
from symcute.expr.assumptions import Given
from symcute.expr.htuple import Leaf, show_leaf
from symcute.interop.cpp import to_cpp
from symcute.interop.dsl import to_dsl
from symcute.interop.infix import PYTHON, C, Dialect, Writer
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout
from symcute.solve.entailment import facts

__all__ = ["FORMS", "to_text"]


def to_text(layout: Layout | ComposedLayout, form: str, *, given: Given = ()) -> str:
    """Return the layout in a form: one of `FORMS`.

    "cute" is what CuTe prints, "cpp" and "dsl" what it takes, "torch" a tensor of that size and
    stride, "triton" the attribute of a tile in shared memory, "c" and "python" the offset at the
    1-D index `i`, after the lines that it needs before it.
    Errors: InputError for another form, and where the form has no way to say the layout;
    NotAdmissible or Undecided where what is assumed does not settle a sign or a rounding.

    >>> from symcute.layout.swizzle import Swizzle
    >>> L = ComposedLayout(Swizzle(3, 3, 3), 0, Layout((8, 64), (64, 1)))
    >>> for form in ("cute", "dsl", "triton", "python"):
    ...     print(to_text(L, form))
    Sw<3,3,3> o _0 o (_8,_64):(_64,_1)
    cute.make_composed_layout(cute.make_swizzle(3, 3, 3), 0, cute.make_layout((8, 64), \
stride=(64, 1)))
    #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
    x = i % 8 * 64 + i // 8
    x ^ ((x & 448) >> 3)
    >>> to_text(L, "torch")
    Traceback (most recent call last):
    symcute.errors.InputError: PyTorch has no swizzles: Sw<3,3,3> o 0 o (8,64):(64,1); write ...
    """
    if form not in FORMS:
        raise InputError(f"there is no form {form!r}", f"choose one of {', '.join(FORMS)}")
    return FORMS[form](layout, given)


def _torch(layout: Layout | ComposedLayout, given: Given) -> str:
    if isinstance(layout, ComposedLayout):
        raise InputError(f"PyTorch has no swizzles: {layout}", "write it as cpp, dsl or python")
    items = layout.shape if isinstance(layout.shape, tuple) else (layout.shape,)
    if any(isinstance(x, tuple) for x in items) or layout.coordinate_strides:
        raise InputError(
            f"PyTorch has one extent and one stride an axis, {layout} has not",
            "flatten(L) gives each mode an axis",
        )
    writer = Writer(PYTHON, facts(given))
    for _, stride in layout.modes():
        if not writer.known.at_most(0, stride):
            raise InputError(
                f"PyTorch takes no stride below 0, which {show_leaf(stride)} may be",
                f'assume "0 <= {show_leaf(stride)}", or write it as cpp, dsl or python',
            )

    def axes(leaves: list[Leaf]) -> str:
        texts = [writer.leaf(x).text for x in leaves]
        return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"

    modes = layout.modes()
    return f"torch.empty_strided({axes([s for s, _ in modes])}, {axes([d for _, d in modes])})"


def _triton(layout: Layout | ComposedLayout, given: Given) -> str:
    """Return the attribute of a compact tile in shared memory, perhaps with a swizzle."""
    inner = layout.layout if isinstance(layout, ComposedLayout) else layout
    shape = inner.shape
    flat = isinstance(shape, tuple) and len(shape) == 2 and inner.is_static() and inner.depth() == 1
    (rows, down), (columns, along) = inner.modes() if flat else ((0, 0), (0, 0))
    if not flat or (down, along) not in ((columns, 1), (1, rows)):
        raise InputError(
            f"Triton's tiles in shared memory are (R,C):(C,1) or (R,C):(1,R), not {layout}",
            "to_triton(to_linear(L, tile)) writes a thread-value layout",
        )
    order = "[1, 0]" if along == 1 else "[0, 1]"
    width = int(columns if along == 1 else rows)
    vec = phase = most = 1
    if isinstance(layout, ComposedLayout) and layout.swizzle.bits:
        sw = layout.swizzle
        vec, most, begins = 1 << sw.base, 1 << sw.bits, 1 << sw.base + max(sw.shift, 0)
        if layout.offset != 0 or sw.shift < 0 or begins % width or vec * most > width:
            raise InputError(
                f"Triton's swizzles move pieces of a row by its number, {layout} does not",
                "write it as cpp, dsl or python",
            )
        phase = begins // width
    elif isinstance(layout, ComposedLayout) and layout.offset != 0:
        raise InputError(f"Triton's tiles begin at 0, not {layout}", "leave the offset out")
    fields = f"vec = {vec}, perPhase = {phase}, maxPhase = {most}, order = {order}"
    return f"#ttg.swizzled_shared<{{{fields}}}>"


def _index(layout: Layout | ComposedLayout, dialect: Dialect, given: Given) -> str:
    write, end = (c_expression, ";") if dialect is C else (python_expression, "")
    if not isinstance(layout, ComposedLayout):
        return write(layout, given=given)
    if "x" in layout.dims():
        raise InputError(f"{layout} has a dim x, which names its offset", "rename the dim")
    inner = write(layout.layout, given=given)
    if layout.offset != 0:
        inner += f" + ({Writer(dialect, facts(given)).leaf(layout.offset).text})"
    sw = layout.swizzle
    if not sw.bits:
        return inner
    if dialect is C and sw.source | sw.target >= 2**31:
        raise InputError(f"{sw} does not fit the int that C text has", "write it as python")
    sign = ">>" if sw.shift >= 0 else "<<"
    name = "int x" if dialect is C else "x"
    return f"{name} = {inner}{end}\nx ^ ((x & {sw.source}) {sign} {abs(sw.shift)})"


#: How each form is written.
FORMS: Mapping[str, Callable[[Layout | ComposedLayout, Given], str]] = MappingProxyType(
    {
        "cute": lambda layout, given: to_cpp(layout, form="printed", given=given),
        "cpp": lambda layout, given: to_cpp(layout, given=given),
        "dsl": lambda layout, given: to_dsl(layout, given=given),
        "torch": _torch,
        "triton": _triton,
        "c": lambda layout, given: _index(layout, C, given),
        "python": lambda layout, given: _index(layout, PYTHON, given),
    }
)
