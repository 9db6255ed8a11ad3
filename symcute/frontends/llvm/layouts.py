"""Layouts by the names of CuTe's types: `Layout<tuple<C<8>, int>, ...>` is `(_8,?):...`.

The names are what clang writes of a source's types: text, which is read and never computed with.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["layout_of_tensor"]

_TOKEN = re.compile(r"\s*(?:((?:[A-Za-z_]\w*::)*[A-Za-z_]\w*)|(-?\d+)[UuLl]*|([<>,])|(\S))")
#: Angles open at one place, and characters of a name, that are read.
_DEEPEST, _LONGEST = 40, 20_000
_INTEGERS = {"int", "unsigned", "long", "short", "char", "bool", "signed"}
_STATIC = {"C", "Int", "constant", "integral_constant"}


@dataclass(frozen=True)
class _Type:
    """A type or a number by its name, with what stands in its angles; `rest` is not understood."""

    name: str
    given: tuple[_Type, ...] = ()
    rest: bool = False


class _Unknown(Exception):
    """A text that has no layout, or none that is shown."""


def layout_of_tensor(name: str) -> str | None:
    """Return the layout of a type `Tensor<Engine, Layout>` as CuTe prints it, or None.

    A number that is known at run time alone is `?`.

    >>> layout_of_tensor("Tensor<E, cute::Layout<cute::tuple<cute::C<8>, int>, "
    ...                  "cute::tuple<int, cute::C<1> > > >")
    '(_8,?):(?,_1)'
    >>> layout_of_tensor("Tensor<E, ComposedLayout<Swizzle<3, 3, 3>, C<0>, "
    ...                  "Layout<tuple<C<8>, C<64>>, tuple<C<64>, C<1>>>>>")
    'Sw<3,3,3> o _0 o (_8,_64):(_64,_1)'
    >>> layout_of_tensor("Tensor<E, Layout<tuple<C<8>>, tuple<ScaledBasis<C<1>, 0>>>>") is None
    True
    """
    try:
        tensor = _read(name)
        if tensor.name != "Tensor" or len(tensor.given) != 2:
            return None
        shown = _layout(tensor.given[1])
        swizzle = _swizzle_of(tensor.given[0])
    except _Unknown:
        return None
    return f"{shown}, addresses by {swizzle}" if swizzle else shown


def _read(text: str) -> _Type:
    """Return a type by its name."""
    if len(text) > _LONGEST:
        raise _Unknown
    root: list[_Type] = []
    levels: list[tuple[str, list[_Type]]] = [("", root)]
    last, odd, empty = "", False, True

    def end() -> None:
        nonlocal last, odd, empty
        if last or odd:
            levels[-1][1].append(_Type(last, (), odd))
        last, odd, empty = "", False, True

    for name, number, sign, other in _TOKEN.findall(text):
        if sign == "<":
            if not last or odd or len(levels) > _DEEPEST:
                raise _Unknown
            levels.append((last, []))
            last, empty = "", True
        elif sign:
            end()
            if sign == ">":
                if len(levels) == 1:
                    raise _Unknown
                title, given = levels.pop()
                levels[-1][1].append(_Type(title, tuple(given)))
        elif other or (last and (name not in _INTEGERS or last not in _INTEGERS)):
            # Pointers, references, qualifiers: a type, and none of a layout.
            odd = True
        else:
            last = (name or number).rsplit("::", 1)[-1]
    if len(levels) != 1 or len(root) != 1:
        raise _Unknown
    return root[0]


def _layout(type: _Type) -> str:
    match type.name, type.given:
        case "Layout", (shape, stride):
            return f"{_tuple(shape)}:{_tuple(stride)}"
        case "ComposedLayout", (_Type("Swizzle") as swizzle, offset, inner):
            between = f"smem_ptr[{_tuple(offset.given[0])}b]" if offset.name.startswith(
                "smem_ptr_flag_bits"
            ) and offset.given else _tuple(offset)  # fmt: skip
            return f"{_swizzle(swizzle)} o {between} o {_layout(inner)}"
    raise _Unknown


def _tuple(type: _Type) -> str:
    if type.rest:
        raise _Unknown
    if type.name == "tuple":
        return f"({','.join(map(_tuple, type.given))})"
    if type.name in _STATIC and type.given:
        return f"_{_number(type.given[-1])}"
    if type.name in _INTEGERS and not type.given:
        return "?"
    return _number(type)


def _number(type: _Type) -> str:
    if type.given or type.rest or not re.fullmatch(r"-?\d+", type.name):
        raise _Unknown
    return type.name


def _swizzle(type: _Type) -> str:
    return f"Sw<{','.join(map(_number, type.given))}>"


def _swizzle_of(type: _Type) -> str:
    """Return the swizzle of the addresses that a type of pointers stands for, or nothing."""
    if type.name == "swizzle_ptr" and type.given and type.given[0].name == "Swizzle":
        return _swizzle(type.given[0])
    return next((found for inner in type.given if (found := _swizzle_of(inner))), "")
