"""Value categories: which expressions are places, told by clang's tree and not by what is written.

The type of an expression does not say whether it is a reference, and macros, names of types and
template parameters may hide that a cast is to one. But where a cast makes a value of a place, clang
writes the conversion down, so that a cast whose operand is a place is to a reference.
Source: C++17, [basic.lval], [expr.static.cast]; clang's `CastExpr`.
"""

from __future__ import annotations

from clang.cindex import Cursor, Type, TypeKind

from symcute.frontends.cuda.library import binary_operator, children, kind_of, unary_operator

__all__ = ["CASTS", "REFERENCES", "gives_reference", "is_place", "makes_temporary", "operand"]

#: Casts that are written, whatever they are to.
CASTS = (
    "CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR", "CXX_FUNCTIONAL_CAST_EXPR",
    "CXX_REINTERPRET_CAST_EXPR", "CXX_CONST_CAST_EXPR", "CXX_DYNAMIC_CAST_EXPR",
)  # fmt: skip
_NAMES = {"TYPE_REF", "TEMPLATE_REF", "NAMESPACE_REF"}
REFERENCES = (TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE)
_ALWAYS = {
    "ARRAY_SUBSCRIPT_EXPR", "COMPOUND_ASSIGNMENT_OPERATOR", "STRING_LITERAL", "CXX_TYPEID_EXPR",
}  # fmt: skip
_NEVER = {
    "INTEGER_LITERAL", "FLOATING_LITERAL", "CHARACTER_LITERAL", "CXX_BOOL_LITERAL_EXPR",
    "CXX_NULL_PTR_LITERAL_EXPR", "CXX_THIS_EXPR", "INIT_LIST_EXPR", "LAMBDA_EXPR", "CXX_NEW_EXPR",
    "CXX_UNARY_EXPR", "SIZE_OF_PACK_EXPR", "StmtExpr", "COMPOUND_LITERAL_EXPR", "GNU_NULL_EXPR",
    "CXX_THROW_EXPR",
}  # fmt: skip
_OBJECTS = {"VAR_DECL", "PARM_DECL", "FIELD_DECL", "FUNCTION_DECL", "CXX_METHOD"}
_CONSTANTS = {"ENUM_CONSTANT_DECL"}


def operand(cursor: Cursor) -> Cursor | None:
    """Return what a conversion converts, or None where clang does not show it."""
    inner = [c for c in children(cursor) if kind_of(c) not in _NAMES]
    # Of what clang has no name for only a conversion has one operand: not `a ?: b`, or atomics.
    several = kind_of(cursor) == "UNEXPOSED_EXPR" and len(inner) > 1
    return inner[-1] if inner and not several else None


def gives_reference(cast: Cursor) -> bool | None:
    """Return whether a cast that is written is to a reference; None where that cannot be told.

    A reference to what the cast itself makes is as good as its value, and is none here.
    """
    inner = operand(cast)
    if inner is None or cast.type.get_canonical().kind == TypeKind.VOID:
        return False
    return is_place(inner)


def is_place(cursor: Cursor) -> bool | None:
    """Return whether an expression is a place that was there before; None if that is not told."""
    kind = kind_of(cursor)
    if kind in _ALWAYS or kind in _NEVER:
        return kind in _ALWAYS
    match kind:
        case "PAREN_EXPR":
            return is_place(children(cursor)[-1])
        case "DECL_REF_EXPR" | "MEMBER_REF_EXPR":
            return _names_object(cursor)
        case "UNARY_OPERATOR":
            return unary_operator(cursor) in ("*", "++", "--", "real", "imag")
        case "BINARY_OPERATOR":
            written = binary_operator(cursor)
            return is_place(children(cursor)[-1]) if written == "," else written in _PLACES
        case "CONDITIONAL_OPERATOR":
            return _all(*map(is_place, children(cursor)[1:]))
        case "CALL_EXPR":
            return _returns_reference(cursor)
        case "UNEXPOSED_EXPR":
            return _is_place_unwritten(cursor)
        case _:
            return gives_reference(cursor) if kind in CASTS else None


_PLACES = ("=", ".*", "->*")


def _all(*answers: bool | None) -> bool | None:
    """Return what all answers are; places of one kind alone are a place."""
    return answers[0] if len(set(answers)) == 1 else None


def _names_object(cursor: Cursor) -> bool | None:
    named = cursor.referenced
    if named is None:
        return None
    kind = kind_of(named)
    if kind == "TEMPLATE_NON_TYPE_PARAMETER":
        return None if named.type.get_canonical().kind in REFERENCES else False
    return False if kind in _CONSTANTS else True if kind in _OBJECTS else None


def _is_place_unwritten(cursor: Cursor) -> bool | None:
    """Is what a conversion that is not written gives a place?

    Of a class it makes none a value: it is of the class's base, of another constness, or a name for
    what was made. Of other types it makes a value of all but what a class is converted to.
    """
    inner = operand(cursor)
    if inner is None:
        return None
    if kind_of(inner) == "CALL_EXPR" and inner.referenced is not None:
        converts = kind_of(inner.referenced) == "CONVERSION_FUNCTION"
        if converts and _returns_reference(inner) is not False:
            # It may be what makes a value of that, or what says that there is a conversion.
            return None
    if cursor.type.get_canonical().kind == TypeKind.RECORD:
        return is_place(inner)
    # Values of other types are not `const`: it is a place, or a name for what was made.
    named = cursor.type.is_const_qualified() or cursor.type.is_volatile_qualified()
    return is_place(inner) if named else False


def makes_temporary(cursor: Cursor) -> bool:
    """Return whether a conversion that is not written makes a number anew, if it gives a place.

    That is so of a number of another type, also one of as many bits, and of bit-fields, to which
    there are no references.
    """
    inner = operand(cursor)
    if inner is None:
        return False
    own, other = cursor.type.get_canonical(), inner.type.get_canonical()
    if own.kind == TypeKind.RECORD:
        return False
    return own.kind != other.kind or _is_bit_field(inner)


def _is_bit_field(cursor: Cursor) -> bool:
    while True:
        match kind_of(cursor):
            case "MEMBER_REF_EXPR":
                return cursor.referenced is not None and bool(cursor.referenced.is_bitfield())
            case "PAREN_EXPR" | "UNEXPOSED_EXPR" if children(cursor):
                cursor = children(cursor)[-1]
            case "BINARY_OPERATOR" if binary_operator(cursor) in (",", "="):
                cursor = children(cursor)[-1 if binary_operator(cursor) == "," else 0]
            case "COMPOUND_ASSIGNMENT_OPERATOR":
                cursor = children(cursor)[0]
            case "CONDITIONAL_OPERATOR":
                return any(map(_is_bit_field, children(cursor)[1:]))
            case _:
                return False


def _returns_reference(call: Cursor) -> bool | None:
    named = call.referenced
    if named is not None and kind_of(named) in ("CONSTRUCTOR", "DESTRUCTOR"):
        return False
    # What is called stands among its operands, under a name or as a value.
    asked = [call.referenced, *children(call)]
    called = next((f for c in asked if c is not None and (f := _function(c.type))), None)
    return None if called is None else called.get_result().kind in REFERENCES


def _function(type: Type) -> Type | None:
    canonical = type.get_canonical()
    if canonical.kind in (TypeKind.POINTER, *REFERENCES):
        canonical = canonical.get_pointee().get_canonical()
    known = canonical.kind in (TypeKind.FUNCTIONPROTO, TypeKind.FUNCTIONNOPROTO)
    return canonical if known else None
