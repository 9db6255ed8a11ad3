"""Layouts to and from CuTe C++: `make_layout(...)`, `Layout<Shape<...>>`, and what CuTe prints.

An integer is static in C++ text (`Int<4>{}`), a dim is a variable, an expression in dims is a C++
expression. The reader is the module `cpp_reader`.

Source: cute/layout.hpp, cute/numeric/integral_constant.hpp (CUTLASS 4.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from symcute.errors import InputError
from symcute.expr.assumptions import Given
from symcute.expr.basis import require_integers
from symcute.expr.htuple import HTuple, Leaf, show, transform
from symcute.interop.cpp_reader import Reader
from symcute.interop.infix import CUTE, Writer
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout
from symcute.solve.entailment import facts

__all__ = ["from_cpp", "to_cpp"]

Form = Literal["value", "type", "printed"]

#: The integers for which CuTe has a name, `_4` or `_m1`.
_ALIASES = frozenset(range(-10, 11)) | {-32, -24, -16, -12, 12, 16, 24, 384, 768}
_ALIASES |= {*range(32, 257, 8), *(2**k for k in range(9, 20))}


def to_cpp(layout: Layout | ComposedLayout, *, form: Form = "value", given: Given = ()) -> str:
    """Return C++ text that makes the layout in CuTe; a swizzle counts elements, as ours does.

    `form` is "value" for an expression, "type" for the type of a static layout, "printed" for what
    CuTe prints (with its names for dims, and `_` before the static integers).
    Post-conditions: `from_cpp` reads the text as this layout, where `given` makes its quotients
    integers.
    Post-conditions for a swizzled layout: CuTe makes the same swizzle, offset and layout of it.
    Errors: InputError for an integer beyond 64 bits, a dim that is a word of C++ or CuTe, a
    symbolic layout as a type, a coordinate stride, an unknown form; NotAdmissible or Undecided for
    a rounded quotient whose operands may be negative, which C++ rounds differently.

    >>> L = Layout.parse("(4,M):(N,1)")
    >>> to_cpp(L)
    'make_layout(make_shape(Int<4>{}, M), make_stride(N, Int<1>{}))'
    >>> to_cpp(L, form="printed")
    '(_4,M):(N,_1)'
    >>> to_cpp(Layout(((2, 2), 11)), form="type")
    'Layout<Shape<Shape<_2,_2>,Int<11>>,Stride<Stride<_1,_2>,_4>>'
    """
    if isinstance(layout, ComposedLayout):
        return _composed(layout, form, given)
    if layout.coordinate_strides:
        require_integers(layout.stride, "to_cpp")
    if form == "value":
        return _value(layout, Writer(CUTE, facts(given)))
    if form == "printed":
        shape, stride = (transform(_printed, t) for t in (layout.shape, layout.stride))
        return f"{_joined(shape)}:{_joined(stride)}"
    if form == "type":
        if not layout.is_static():
            raise InputError(
                f"{layout} has dims, and a C++ type has no names for them",
                'write it as form="value"',
            )
        return f"Layout<{_nested(layout.shape, 'Shape')},{_nested(layout.stride, 'Stride')}>"
    raise InputError(f"no form {form!r} of C++ text", "the forms are value, type and printed")


def from_cpp(text: str, *, names: Sequence[str] = (), given: Given = ()) -> Layout:
    """Return the layout that CuTe C++ text makes.

    Read are `make_layout` of shapes, strides and layouts, types such as
    `Layout<Shape<_4,int>,Stride<_1,_4>>`, and printed layouts; with or without `cute::`, comments,
    and `auto name =` before it. A variable becomes a dim; `names` names the integers that a type
    leaves unnamed (`int`), from left to right. Whether an integer is static is not kept.
    `a / b` is the exact quotient where the assumptions prove that b divides a, else the rounded
    one: it must be known that neither operand is negative, because C++ truncates.
    Errors: TextError with the place for any other text.

    >>> print(from_cpp("make_layout(make_shape(_4{}, M / 2), make_stride(Int<1>{}, 4 * N))"))
    (4,floor_div(M,2)):(1,4*N)
    >>> print(from_cpp("Layout<Shape<_4,Shape<_2,int>>>", names=["M"]))
    (4,(2,M)):(1,(4,8))
    >>> from_cpp("make_layout(4, x.y)")
    Traceback (most recent call last):
    symcute.errors.TextError: the character '.' is not understood at column 17; ...
    """
    return Reader(text, facts(given), tuple(names)).layout()


def _composed(layout: ComposedLayout, form: Form, given: Given) -> str:
    inner, sw = to_cpp(layout.layout, form=form, given=given), layout.swizzle
    if form == "printed":
        return f"{sw} o {_printed(layout.offset)} o {inner}"
    fields = f"Swizzle<{sw.bits},{sw.base},{sw.shift}>"
    if form == "value":
        offset = Writer(CUTE, facts(given)).leaf(layout.offset).text
        offset = _static(layout.offset) if isinstance(layout.offset, int) else offset
        return f"composition({fields}{{}}, {offset}, {inner})"
    if not isinstance(layout.offset, int):
        raise InputError(f"the offset {layout.offset} has dims", 'write it as form="value"')
    return f"ComposedLayout<{fields},{_nested(layout.offset, '')},{inner}>"


def _value(layout: Layout, writer: Writer) -> str:
    def leaf(x: Leaf) -> str:
        text = writer.leaf(x).text
        return _static(x) if isinstance(x, int) else text

    def tuples(t: HTuple, make: str) -> str:
        if not isinstance(t, tuple):
            return leaf(t)
        return f"{make}({', '.join(tuples(x, make) for x in t)})"

    shape, stride = tuples(layout.shape, "make_shape"), tuples(layout.stride, "make_stride")
    return f"make_layout({shape}, {stride})"


def _static(value: int) -> str:
    # `Int` takes a C++ int, `C` any integer.
    return f"Int<{value}>{{}}" if -(2**31) <= value < 2**31 else f"C<{value}>{{}}"


def _nested(t: HTuple, name: str) -> str:
    if isinstance(t, tuple):
        return f"{name}<{','.join(_nested(x, name) for x in t)}>"
    if t in _ALIASES:
        return f"_{t}" if t >= 0 else f"_m{-t}"
    Writer(CUTE, facts()).integer(t)
    return _static(t).removesuffix("{}")


def _printed(leaf: Leaf) -> str:
    return f"_{leaf}" if isinstance(leaf, int) else show(leaf)


def _joined(t: HTuple) -> str:
    return f"({','.join(map(_joined, t))})" if isinstance(t, tuple) else str(t)
