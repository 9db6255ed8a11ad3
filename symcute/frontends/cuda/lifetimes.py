"""What the life of an object does, though nothing in the source calls it: to begin, copy, end."""

from __future__ import annotations

from collections.abc import Callable

from clang.cindex import Cursor

from symcute.frontends.cuda.ctype import CArray, CType, Field, Record, element
from symcute.frontends.cuda.headers import is_ours
from symcute.frontends.cuda.library import children, has_effects, kind_of, place_of, template_of

__all__ = [
    "assigned", "begins", "copied", "ends", "is_aggregate", "is_constructed",
    "is_of_source", "is_zeroed",
]  # fmt: skip


def begins(type: CType) -> bool:
    """May the default constructor of a type do more than give values?"""
    return _any_part(type, _begins)


def _begins(record: Record) -> bool:
    members = _members(record)
    return any(_is_default(c, record.cursor.spelling) and _runs(c) for c in members) or any(
        _begins_with(f) and (is_constructed(f.type) or _acts(f)) for f in record.fields
    )


def _acts(field: Field) -> bool:
    return any(has_effects(c) for c in children(field.cursor) if c.kind.is_expression())


def ends(type: CType) -> bool:
    """Does the end of the life of an object, or of a part of it, run code?"""
    return _any_part(type, _ends)


def _ends(record: Record) -> bool:
    return any(kind_of(c) == "DESTRUCTOR" and _runs(c) for c in _members(record))


def copied(type: CType) -> bool:
    """Does a copy of an object, or of a part of it, run code of the source's?"""
    return _any_part(type, _copied)


def _copied(record: Record) -> bool:
    own = (c for c in _members(record) if kind_of(c) == "CONSTRUCTOR" and _is_own(c))
    return any(_copies(c, record.cursor.spelling) for c in own)


def assigned(type: CType) -> bool:
    """Does an assignment of an object, or of a part of it, run code of the source's?"""
    return _any_part(type, _assigned)


def _assigned(record: Record) -> bool:
    return any(c.spelling == "operator=" and _is_own(c) for c in _members(record))


def is_aggregate(type: CType) -> bool:
    """Is a struct of the source's filled by braces field by field, and by no constructor?"""
    record = _of_source(type)
    return record is None or not any(
        kind_of(c) in ("CONSTRUCTOR", "USING_DECLARATION")
        or (kind_of(c) == "FUNCTION_TEMPLATE" and _is_named(c, record.cursor.spelling))
        for c in _members(record)
    )


def is_constructed(type: CType) -> bool:
    """May what an object begins with run a constructor of the source's, for it or for a part?"""
    return _any_part(type, lambda record: not is_aggregate(record))


def is_zeroed(type: CType) -> bool:
    """Are all parts of an object zero where nothing is said of it?"""
    record = _of_source(type)
    if record is None:
        return True
    name, members = record.cursor.spelling, _members(record)
    made = all(c.is_default_method() for c in members if _is_default(c, name))
    return (
        made and not any(map(_begins_with, record.fields)) and all(map(is_zeroed, _parts(record)))
    )


def _begins_with(field: Field) -> bool:
    """Does the declaration of a field say what it begins with?"""
    found = [kind_of(c) for c in children(field.cursor) if c.kind.is_expression()]
    array = isinstance(field.type, CArray)  # of which the size may be an expression
    return field.bits is None and bool({*found} & {"INIT_LIST_EXPR"} if array else found)


def _is_own(member: Cursor) -> bool:
    """Does a special member have a meaning of its own?"""
    return not (member.is_default_method() or member.is_deleted_method())


def _copies(constructor: Cursor, name: str) -> bool:
    """May a constructor copy or move? In a template clang does not say so."""
    taken = [c.type.spelling for c in children(constructor) if kind_of(c) == "PARM_DECL"]
    return bool(taken) and name in taken[0] and "&" in taken[0]


def _any_part(type: CType, asked: Callable[[Record], bool]) -> bool:
    """Return whether something is so of a struct of the source's, which may be a part of ours."""
    record = element(type)
    if not isinstance(record, Record):
        return False
    own = _of_source(record)
    return (own is not None and asked(own)) or any(_any_part(t, asked) for t in _parts(record))


def is_of_source(type: CType) -> bool:
    """Is a type, or that of an array's elements, a struct that no header of ours declares?"""
    return _of_source(type) is not None


def _of_source(type: CType) -> Record | None:
    type = element(type)
    if not isinstance(type, Record) or is_ours(place_of(type.cursor).file):
        return None
    return type


def _members(record: Record) -> list[Cursor]:
    return children(template_of(record.cursor) or record.cursor)


def _parts(record: Record) -> list[CType]:
    return [*record.bases, *(f.type for f in record.fields)]


def _is_default(member: Cursor, name: str) -> bool:
    """May a member be the constructor that needs no argument?"""
    if kind_of(member) == "FUNCTION_TEMPLATE":
        return _is_named(member, name)
    given = [c for c in children(member) if kind_of(c) == "PARM_DECL"]
    values = [any(c.kind.is_expression() for c in children(p)) for p in given]
    return kind_of(member) == "CONSTRUCTOR" and all(values)


def _is_named(template: Cursor, name: str) -> bool:
    return bool(template.spelling.split("<")[0] == name)


def _runs(function: Cursor) -> bool:
    """May a constructor or a destructor do more than give values to what it constructs?"""
    if function.is_default_method() or function.is_deleted_method():
        return False
    inner = children(function.get_definition() or function)
    if not inner or kind_of(inner[-1]) != "COMPOUND_STMT":
        return True
    return bool(children(inner[-1])) or any(
        has_effects(c) for c in inner[:-1] if c.kind.is_expression()
    )
