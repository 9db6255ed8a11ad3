"""The types of C++, as far as memory and integers are concerned."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice, takewhile
from typing import TypeAlias

from clang.cindex import Cursor, CursorKind, Type, TypeKind

from symcute.frontends.cuda.headers import is_ours
from symcute.frontends.cuda.library import children, key, kind_of, place_of, template_of
from symcute.kernel.ir.program import Int

__all__ = [
    "BOOL",
    "FIRST_BASE",
    "INT",
    "CArray",
    "CPointer",
    "CType",
    "Callable",
    "Field",
    "Other",
    "Record",
    "Reference",
    "Types",
    "Void",
    "align_of",
    "bits_of",
    "element",
    "same_record",
    "similar",
    "size_of",
    "values_of",
]

#: The trouble of a struct whose one base class lies at its start, and is not shown.
FIRST_BASE = "a base class that depends on a template"

BOOL = Int(1, False)
INT = Int(32, True)

#: Structs of our headers that stand for a number, or for something that no integer comes from.
_NUMBERS = {"__half", "__nv_bfloat16", "texture", "surface"}

_SIGNED = {
    TypeKind.CHAR_S, TypeKind.SCHAR, TypeKind.SHORT, TypeKind.INT, TypeKind.LONG,
    TypeKind.LONGLONG, TypeKind.INT128, TypeKind.WCHAR,
}  # fmt: skip
_UNSIGNED = {
    TypeKind.CHAR_U, TypeKind.UCHAR, TypeKind.USHORT, TypeKind.UINT, TypeKind.ULONG,
    TypeKind.ULONGLONG, TypeKind.UINT128, TypeKind.CHAR16, TypeKind.CHAR32,
}  # fmt: skip
_FLOATS = {
    TypeKind.FLOAT, TypeKind.DOUBLE, TypeKind.LONGDOUBLE, TypeKind.HALF, TypeKind.FLOAT128,
}  # fmt: skip
_SIZED = {TypeKind.VECTOR, TypeKind.EXTVECTOR, TypeKind.COMPLEX, TypeKind.MEMBERPOINTER}


@dataclass(frozen=True)
class Void:
    """No value."""


@dataclass(frozen=True)
class Other:
    """A type with nothing in it that matters here: floating point, handles."""

    size: int
    align: int
    number: bool = True
    text: str = ""


@dataclass(frozen=True)
class CPointer:
    """A pointer; what it points to is read when it is needed."""

    target: Type


@dataclass(frozen=True)
class Reference:
    """A reference."""

    target: Type


@dataclass(frozen=True)
class CArray:
    """An array; `count` is None where the source does not say."""

    element: CType
    count: int | None


@dataclass(frozen=True)
class Callable:
    """A function, or a member function that is about to be called."""


@dataclass(frozen=True)
class Field:
    """A field of a struct: bytes from its start, and the integer that a bit-field is.

    Names are unique; a bit-field's offset is that of the integer it lies in.
    """

    name: str
    type: CType
    offset: int
    cursor: Cursor
    bits: Int | None = None


@dataclass(frozen=True)
class Record:
    """A struct, class or union; fields of base classes come first.

    `trouble` says why it cannot be taken apart.
    """

    name: str
    fields: tuple[Field, ...]
    size: int
    align: int
    cursor: Cursor
    union: bool = False
    bases: tuple[CType, ...] = ()
    closure: bool = False
    trouble: str = ""

    def named(self, declaration: Cursor) -> Field | None:
        """Return the field that a declaration is."""
        name = key(declaration)
        return next((f for f in self.fields if key(f.cursor) == name), None)

    def path(self, declaration: Cursor) -> tuple[Field, ...] | None:
        """Return the fields that lead to a field, which may lie in structs without a name."""
        here = self.named(declaration)
        if here is not None:
            return (here,)
        for f in self.fields:
            if isinstance(f.type, Record) and _is_unnamed(f.cursor):
                inner = f.type.path(declaration)
                if inner is not None:
                    return (f, *inner)
        return None


CType: TypeAlias = Int | Void | Other | CPointer | Reference | CArray | Callable | Record


def size_of(type: CType) -> int:
    """Return the bytes that a value takes in memory."""
    match type:
        case Int(bits=bits):
            return max(1, bits // 8)
        case CPointer() | Reference():
            return 8
        case CArray(element, count):
            return size_of(element) * (count or 0)
        case Other(size=size) | Record(size=size):
            return size
        case _:
            return 1


def element(type: CType) -> CType:
    """Return the innermost element of an array type, or the type itself."""
    while isinstance(type, CArray):
        type = type.element
    return type


def align_of(type: CType) -> int:
    """Return the bytes to which a value is aligned in memory."""
    match type:
        case CArray(element):
            return align_of(element)
        case Other(align=align) | Record(align=align):
            return align
        case _:
            return size_of(type)


def _is_unnamed(member: Cursor) -> bool:
    return not member.spelling or "(" in member.spelling


def enumerators(cursor: Cursor) -> list[int] | None:
    """Return the values of an enum of which the source does not fix the type, or None.

    Such an enum has the values of the smallest bit-field that holds all of these. A macro, or
    attributes, may fix it: nothing but its name may stand before what it lists.
    """
    values = [int(c.enum_value) for c in children(cursor) if kind_of(c) == "ENUM_CONSTANT_DECL"]
    before = takewhile(lambda t: t != "{", (t.spelling for t in cursor.get_tokens()))
    plain = list(islice(before, 3)) in (["enum"], ["enum", cursor.spelling])
    return values or [0] if plain and not cursor.is_scoped_enum() else None


def bits_of(type: Type) -> Int | None:
    """Return the integer that a value of an enum is, where that is not any of its type."""
    cursor = type.get_canonical().get_declaration()
    values = enumerators(cursor) if kind_of(cursor) == "ENUM_DECL" else None
    if values is None:
        return None
    # A number below 0 has as many bits as its complement, and a sign.
    sign = min(values) < 0
    return Int(max(1, *((v if v >= 0 else ~v).bit_length() for v in values)) + sign, sign)


def values_of(type: Type, read: CType) -> Int | None:
    """Return the integer that a value of an enum is, as it is read."""
    enum = kind_of(type.get_canonical().get_declaration()) == "ENUM_DECL"
    return bits_of(type) or (read if enum and isinstance(read, Int) else None)


def _bit_field(member: Cursor, type: CType) -> Int:
    enum = bits_of(member.type)
    signed = enum.signed if enum is not None else isinstance(type, Int) and type.signed
    return Int(member.get_bitfield_width(), signed)


@dataclass
class Types:
    """Types of one syntax tree, each read once."""

    known: dict[int, CType] = field(default_factory=dict)

    def __call__(self, type: Type) -> CType:
        """Return a type of clang's as one of ours."""
        name = int(type.data[0] or 0)
        if name not in self.known:
            self.known[name] = self._read(type.get_canonical())
        return self.known[name]

    def of_parameter(self, parameter: Cursor) -> CType:
        """Return the type of a parameter, or of what it is handed.

        That of one written as an array is a pointer, which libclang hides.
        """
        type = parameter.type
        if isinstance(self(type), CArray):
            return CPointer(type.get_canonical().element_type)
        return self(type)

    def _read(self, type: Type) -> CType:
        try:
            kind = type.kind
        except ValueError:  # newer than the binding: bfloat16 and kin
            return Other(max(type.get_size(), 1), max(type.get_align(), 1))
        if kind == TypeKind.BOOL:
            return BOOL
        if kind in _SIGNED or kind in _UNSIGNED:
            return Int(8 * type.get_size(), kind in _SIGNED)
        if kind == TypeKind.ENUM:
            return self._enum(type.get_declaration())
        if kind in _FLOATS:
            return Other(type.get_size(), type.get_align())
        if kind == TypeKind.POINTER:
            return CPointer(type.get_pointee())
        if kind in (TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE):
            return Reference(type.get_pointee())
        if kind == TypeKind.CONSTANTARRAY:
            return CArray(self(type.element_type), type.element_count)
        if kind == TypeKind.INCOMPLETEARRAY:
            return CArray(self(type.element_type), None)
        if kind == TypeKind.VOID:
            return Void()
        if kind == TypeKind.NULLPTR:
            return CPointer(type)
        if kind in (TypeKind.FUNCTIONPROTO, TypeKind.FUNCTIONNOPROTO):
            return Callable()
        if kind == TypeKind.RECORD:
            return self._record(type)
        # libclang dies when asked for the size of a type that has none.
        known = kind in _SIZED
        size, align = (type.get_size(), type.get_align()) if known else (1, 1)
        return Other(max(size, 1), max(align, 1), False, type.spelling)

    def _enum(self, cursor: Cursor) -> CType:
        under, values = self(cursor.enum_type), enumerators(cursor)
        if values is not None and under == Int(32, False) and max(values) <= INT.high:
            # Wherever it is computed with, it is an int.
            return INT
        return under

    def _record(self, type: Type) -> CType:
        cursor = type.get_declaration()
        if cursor.spelling in _NUMBERS and is_ours(place_of(cursor).file):
            return Other(type.get_size(), type.get_align())
        fields: list[Field] = []
        bases, trouble = self._bases(cursor, fields)
        for member in type.get_fields():
            if member.is_bitfield() and not member.spelling:
                continue  # room, and nothing in it
            inner = self(member.type)
            bit = member.get_field_offsetof()
            if bit < 0:
                trouble = "a field without a place"
            bits = _bit_field(member, inner) if member.is_bitfield() else None
            unit = 8 * size_of(inner)
            start = bit // unit * size_of(inner) if bits is not None else bit // 8
            name = "unnamed" if _is_unnamed(member) else member.spelling
            if any(f.name == name for f in fields):
                name = f"{name}#{len(fields)}"
            fields.append(Field(name, inner, start, member, bits))
        return Record(
            cursor.spelling or "struct",
            tuple(fields),
            max(type.get_size(), 1),
            max(type.get_align(), 1),
            cursor,
            cursor.kind == CursorKind.UNION_DECL,
            bases,
            cursor.spelling.startswith("(lambda at"),
            trouble,
        )

    def _bases(self, cursor: Cursor, fields: list[Field]) -> tuple[tuple[CType, ...], str]:
        """Return base classes, whose fields are appended, and why they are not understood."""
        # What is instantiated does not show its base classes; its template does.
        members = list((template_of(cursor) or cursor).get_children())
        found = [c for c in members if c.kind == CursorKind.CXX_BASE_SPECIFIER]
        virtual = any(c.kind == CursorKind.CXX_METHOD and c.is_virtual_method() for c in members)
        bases = tuple(self(c.type) for c in found)
        trouble = ""
        for base in bases:
            if not isinstance(base, Record):
                trouble = FIRST_BASE if len(bases) == 1 and not virtual else "its base classes"
            elif base.fields and (fields or base.trouble or virtual):
                trouble = base.trouble or "its base classes"
            else:
                fields += base.fields
        return bases, trouble


def same_record(one: CType, other: CType) -> bool:
    """Are both the same struct?"""
    return (
        isinstance(one, Record)
        and isinstance(other, Record)
        and key(one.cursor) == key(other.cursor)
    )


def similar(types: Types, one: CType, other: CType) -> bool:
    """Are both the same, but for what is `const` behind pointers? Source: C++20, [conv.qual]."""
    while isinstance(one, CPointer) and isinstance(other, CPointer):
        one, other = types(one.target), types(other.target)
    return one == other and not isinstance(one, Callable)
