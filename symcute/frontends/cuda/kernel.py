"""One kernel, from clang's syntax tree to a program."""

from __future__ import annotations

from collections.abc import Callable

from clang.cindex import Cursor

from symcute.frontends.cuda import (
    assembly,
    calls,
    casts,
    constructing,
    expressions,
    initial,
    loops,
    operators,
    ranges,
    statements,
    switch,
)
from symcute.frontends.cuda.builder import (
    Builder,
    Frame,
    HostRules,
    NeedsMemory,
    NeedsNumber,
    NeedsStores,
    NeedsVariable,
)
from symcute.frontends.cuda.conversions import only_values
from symcute.frontends.cuda.ctype import (
    CArray,
    CPointer,
    CType,
    Other,
    Record,
    Reference,
    Types,
    Void,
    align_of,
    element,
    size_of,
    values_of,
)
from symcute.frontends.cuda.inlining import body, computed, parameters
from symcute.frontends.cuda.library import argument_kind, children, key, kind_of, template_of
from symcute.frontends.cuda.memory import declare, read, write
from symcute.frontends.cuda.rules import run
from symcute.frontends.cuda.settling import settled
from symcute.frontends.cuda.target import CUDA
from symcute.frontends.cuda.values import Bound, Memory, Parts, Slot, Spot
from symcute.kernel.ir.expression import Base, Var
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Array, Int, Kernel, Let, Param, Pointer

__all__ = ["lower"]

#: The rules of these modules are registered when they are imported.
_RULES = (
    assembly, calls, casts, constructing, expressions, initial, loops, operators, ranges,
    statements, switch,
)  # fmt: skip


def lower(
    types: Types,
    function: Cursor,
    name: str,
    kept: dict[tuple[str, int], tuple[str, ...]],
    host: Callable[[], HostRules] | None = None,
) -> tuple[Kernel, list[Cursor]]:
    """Return a function as a program, and the functions that were inlined.

    Host code is lowered by the rules that `host` makes.

    A variable whose address is needed is found on the way; then all begins again with that
    variable in memory.
    """
    memory: frozenset[int] = frozenset()
    changed: frozenset[int] = frozenset()
    counted: frozenset[int] = frozenset()
    stored: frozenset[int] = frozenset()
    while True:
        b = Builder(
            types, memory, changed, counted, stored, constants=_constants(function), kept=kept
        )
        b.host = None if host is None else host()
        try:
            return _lower(b, function, name), [function, *b.reached]
        except NeedsMemory as need:
            memory |= {need.owner}
        except NeedsVariable as need:
            changed |= {need.owner}
        except NeedsNumber as need:
            counted |= {need.owner}
        except NeedsStores as need:
            stored |= {need.owner}


def _constants(function: Cursor) -> dict[str, int]:
    """Return the integers among the template arguments of an instance."""
    template = template_of(function)
    if template is None:
        return {}
    names = [c.spelling for c in children(template) if kind_of(c) in _PARAMETERS]
    return {
        name: function.get_template_argument_value(number)
        for number, name in enumerate(names[: max(0, function.get_num_template_arguments())])
        if argument_kind(function, number) == "INTEGRAL"
    }


_PARAMETERS = ("TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER")


def _lower(b: Builder, function: Cursor, name: str) -> Kernel:
    b.taken.add("kernel")
    frame = Frame("kernel", Void())
    b.frames.append(frame)
    b.active.append(key(function))
    params: list[Param] = []
    for number, cursor in enumerate(parameters(function)):
        _parameter(b, cursor, number, params)
    text = body(function)
    assert text is not None
    computed(b, function)
    run(b, text)
    out = settled(b, [*b.prologue, *b.out])
    arrays, place = tuple(b.arrays.values()), b.place(function)
    granted = (LAUNCHED,) if b.launched else ()
    return Kernel(name, tuple(params), arrays, tuple(out), place, CUDA, granted=granted)


#: What a verdict on a kernel that launches others does not say.
LAUNCHED = "what the kernel launches are launches of their own: of these nothing is said here"


# --- parameters -----------------------------------------------------------------------------------


def _parameter(b: Builder, cursor: Cursor, number: int, params: list[Param]) -> None:
    type, place = b.types.of_parameter(cursor), b.place(cursor)
    type = b.host.taken_as(b, type) if b.host is not None else type
    name = cursor.spelling or f"arg{number}"
    text = cursor.type.spelling
    spot = _argument(b, key(cursor), type, name, text, place, params, values_of(cursor.type, type))
    if key(cursor) in b.in_memory:
        held = declare(b, key(cursor), type, name, place, text)
        write(b, held, read(b, spot, type, place), type, place)
        spot = held
    b.bound[key(cursor)] = spot
    if b.host is not None:
        b.host.received(b, name, spot, place)


def _argument(
    b: Builder, owner: int, type: CType, name: str, text: str, place: Place, params: list[Param],
    within: Int | None = None,
) -> Spot:  # fmt: skip
    while any(p.name == name for p in params):  # those of a pack all have the name of the pack
        name = f"{name}_{len(params)}"
    match type:
        case Int():
            b.taken.add(name)
            params.append(Param(name, type, place, text, within=within))
            if within not in (None, type) and b.host is not None:
                only_values(b, Var(name, type), within, place)
            return Slot(name, type, owner)
        case CPointer() | Reference():
            target = b.types(type.target)
            array = _array(b, name, target, place, text)
            params.append(Param(array, Pointer(), place, text, array))
            if isinstance(type, Reference):
                return Memory(Base(array), target)
            if owner not in b.changed and b.host is None:
                return Bound(Base(array), owner)
            # What of host code is not understood may change any variable that it names.
            slot = Slot(b.fresh(f"{name}.at"), Pointer(), owner)
            b.emit(Let(slot.name, Base(array), place))
            return slot
        case Record(fields=fields, union=False, trouble="") if fields:
            spots = {
                f.name: _argument(
                    b, owner, f.type, f"{name}_{f.name}", f"{f.cursor.type.spelling}, in {text}",
                    place, params, f.bits or values_of(f.cursor.type, f.type),
                )
                for f in fields
            }  # fmt: skip
            return Parts(type, spots, owner)
        case CArray():
            # An array in a struct that is handed over lies where arguments do.
            params.append(Param(name, None, place, text))
            return Memory(Base(b.array(name, "argument", type, place, text)), type)
        case _:
            b.taken.add(name)
            params.append(Param(name, None, place, text))
            return declare(b, owner, type, name, place, text)


def _array(b: Builder, name: str, target: CType, place: Place, text: str) -> str:
    name = b.fresh(name)
    inner = element(target)
    integer = inner if isinstance(inner, Int) else None
    size, align = size_of(inner), align_of(inner)
    if isinstance(inner, Void | Other) and not isinstance(inner, Other):
        size = align = 1
    b.arrays[name] = Array(name, "global", size, None, align, place, text, integer)
    return name
