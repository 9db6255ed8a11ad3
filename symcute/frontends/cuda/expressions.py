"""Literals, names and members."""

from __future__ import annotations

from clang.cindex import Cursor

from symcute.frontends.cuda.builder import Builder
from symcute.frontends.cuda.ctype import (
    INT,
    CArray,
    CPointer,
    CType,
    Other,
    Record,
    Reference,
    size_of,
)
from symcute.frontends.cuda.library import children, constant, key, kind_of
from symcute.frontends.cuda.memory import (
    address,
    field_of,
    null,
    read,
)
from symcute.frontends.cuda.rules import (
    made,
    not_understood,
    spot_of,
    spot_rule,
    target,
    value_of,
    value_rule,
)
from symcute.frontends.cuda.storage import global_spot
from symcute.frontends.cuda.tables import characters
from symcute.frontends.cuda.values import (
    OPAQUE,
    Bound,
    Fields,
    Function,
    Hole,
    Lost,
    Spot,
    Value,
)
from symcute.kernel.ir.expression import Base, Builtin, Const
from symcute.kernel.ir.program import Array, Int

__all__: list[str] = []

_LAUNCH = ("threadIdx", "blockIdx", "blockDim", "gridDim")
#: What has a value: a name for a part of a struct is not shown as more than a declaration.
_VARIABLES = ("VAR_DECL", "PARM_DECL", "UNEXPOSED_DECL")
_REFERENCES = {"TYPE_REF", "TEMPLATE_REF", "NAMESPACE_REF"}


# --- literals and names ---------------------------------------------------------------------------


@value_rule("INTEGER_LITERAL", "CHARACTER_LITERAL", "CXX_BOOL_LITERAL_EXPR")
def _integer(b: Builder, cursor: Cursor) -> Value:
    type, value = b.types(cursor.type), constant(cursor)
    if not isinstance(type, Int) or value is None:
        return not_understood(b, cursor, "a number that cannot be read")
    return Const(type.wrap(value), type)


@value_rule("FLOATING_LITERAL", "IMAGINARY_LITERAL")
def _opaque(b: Builder, cursor: Cursor) -> Value:
    return OPAQUE


@value_rule("STRING_LITERAL")
def _literal(b: Builder, cursor: Cursor) -> Value:
    """Return the start of the text, which is memory that nothing writes; a host's is opaque."""
    type, text = b.types(cursor.type), cursor.spelling
    if b.host is not None or not isinstance(type, CArray) or type.count is None:
        return OPAQUE
    held = next((a for a in b.arrays.values() if (a.space, a.text) == ("constant", text)), None)
    if held is None:
        unit, name, place = size_of(type.element), b.fresh("text"), b.place(cursor)
        integer = type.element if isinstance(type.element, Int) else None
        values = characters(text, type)
        size = unit * type.count
        held = Array(name, "constant", unit, size, unit, place, text, integer, values or ())
        b.arrays[name] = held
    return Base(held.name)


@value_rule("CXX_NULL_PTR_LITERAL_EXPR", "GNU_NULL_EXPR")
def _null(b: Builder, cursor: Cursor) -> Value:
    type = b.types(cursor.type)
    return Const(0, type) if isinstance(type, Int) else null(b, b.place(cursor))


@value_rule("CXX_UNARY_EXPR", "SIZE_OF_PACK_EXPR", "PACK_EXPANSION_EXPR", "CXX_NOEXCEPT_EXPR")
def _evaluated(b: Builder, cursor: Cursor) -> Value:
    type, value = b.types(cursor.type), constant(cursor)
    if isinstance(type, Int) and value is not None:
        return Const(type.wrap(value), type)
    return not_understood(b, cursor, "a constant that is not known")


@value_rule("DECL_REF_EXPR")
def _name(b: Builder, cursor: Cursor) -> Value:
    declaration = cursor.referenced
    if declaration is None:
        # A template parameter: its value is below it.
        inner = children(cursor)
        return value_of(b, inner[-1]) if inner else not_understood(b, cursor, "a name")
    kind = kind_of(declaration)
    if kind == "ENUM_CONSTANT_DECL":
        type = b.types(cursor.type)
        assert isinstance(type, Int)
        return Const(type.wrap(declaration.enum_value), type)
    if kind in ("FUNCTION_DECL", "CXX_METHOD", "CONVERSION_FUNCTION"):
        return Function(declaration)
    if kind in _VARIABLES:
        if declaration.spelling == "warpSize" and key(declaration) not in b.bound:
            return Builtin("warpSize", INT)
        if key(declaration) not in b.bound:
            type, value = b.types(cursor.type), constant(cursor)
            if isinstance(type, Int) and value is not None and cursor.type.is_const_qualified():
                return Const(type.wrap(value), type)
        return read(b, _name_spot(b, cursor), b.types(cursor.type), b.place(cursor))
    inner = children(cursor)
    if kind.startswith("TEMPLATE") and inner:
        return value_of(b, inner[-1])
    return not_understood(b, cursor, f"the name {cursor.spelling}")


@spot_rule("DECL_REF_EXPR")
def _name_spot(b: Builder, cursor: Cursor) -> Spot:
    declaration = cursor.referenced
    if declaration is not None and kind_of(declaration) in _VARIABLES:
        spot = b.bound.get(key(declaration))
        if spot is not None:
            return spot
        if declaration.spelling in _LAUNCH:
            return Bound(_launch(b, cursor, declaration.spelling))
        spot = global_spot(b, declaration)
        if spot is not None:
            return spot
        if isinstance(b.types(cursor.type), Other):
            return Hole(0)  # a texture reference, which is the host's
        not_understood(b, cursor, f"the variable {cursor.spelling}")
        return Lost()
    return made(b, _name(b, cursor), cursor)


def _launch(b: Builder, cursor: Cursor, name: str) -> Value:
    type = b.types(cursor.type)
    assert isinstance(type, Record)
    return Fields(type, {a: Builtin(f"{name}.{a}", Int(32, False)) for a in "xyz"})


# --- members --------------------------------------------------------------------------------------


@value_rule("MEMBER_REF_EXPR")
def _member(b: Builder, cursor: Cursor) -> Value:
    declaration = cursor.referenced
    if declaration is not None and kind_of(declaration) == "VAR_DECL":
        return _name(b, cursor)
    if declaration is not None and kind_of(declaration) != "FIELD_DECL":
        value = constant(cursor)
        type = b.types(cursor.type)
        if isinstance(type, Int) and value is not None:
            return Const(type.wrap(value), type)
    return read(b, _member_spot(b, cursor), b.types(cursor.type), b.place(cursor))


@spot_rule("MEMBER_REF_EXPR")
def _member_spot(b: Builder, cursor: Cursor) -> Spot:
    declaration = cursor.referenced
    if declaration is not None and kind_of(declaration) == "VAR_DECL":
        return _name_spot(b, cursor)
    objects = [c for c in children(cursor) if kind_of(c) not in _REFERENCES]
    if declaration is None or kind_of(declaration) != "FIELD_DECL":
        not_understood(b, cursor, f"the member {cursor.spelling}")
        return Lost()
    place = b.place(cursor)
    if not objects:
        # A member of the object whose method this is.
        held = b.frame.this
        if held is None:
            not_understood(b, cursor, f"the member {cursor.spelling} of an unknown object")
            return Lost()
        record = b.types(declaration.semantic_parent.type)
        return _select(b, cursor, held, record)
    of = objects[0]
    type = b.types(of.type)
    if isinstance(type, CPointer):
        record = b.types(type.target)
        return _select(b, cursor, target(b, value_of(b, of), record, place), record)
    return _select(b, cursor, spot_of(b, of), type)


def _select(b: Builder, cursor: Cursor, spot: Spot, type: CType) -> Spot:
    path = type.path(cursor.referenced) if isinstance(type, Record) else None
    if path is None:
        not_understood(b, cursor, f"the member {cursor.spelling}")
        return Lost()
    place = b.place(cursor)
    for field in path:
        spot = field_of(b, spot, field, place)
        if isinstance(field.type, Reference):
            # Its place holds a pointer to what it stands for.
            inner = b.types(field.type.target)
            spot = target(b, read(b, spot, field.type, place), inner, place)
    return spot


@value_rule("CXX_THIS_EXPR")
def _this(b: Builder, cursor: Cursor) -> Value:
    held = b.frame.this
    if held is None:
        return not_understood(b, cursor, "this, of an unknown object")
    return address(b, held, b.place(cursor))
