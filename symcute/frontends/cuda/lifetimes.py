"""What the beginning and the end of an object do, though nothing in the source calls it."""

from __future__ import annotations

from clang.cindex import Cursor

from symcute.frontends.cuda.ctype import CType, Record, element
from symcute.frontends.cuda.headers import is_ours
from symcute.frontends.cuda.library import children, has_effects, kind_of, place_of, template_of

__all__ = ["begins", "ends"]


def begins(type: CType) -> bool:
    """May the default constructor of a type do more than give values?"""
    record = _of_source(type)
    if record is None:
        return False
    if any(_is_default(c, record.cursor.spelling) and _runs(c) for c in _members(record)):
        return True
    return any(begins(t) for t in _parts(record))


def ends(type: CType) -> bool:
    """Does the end of the life of an object, or of a part of it, run code?"""
    record = _of_source(type)
    if record is None:
        return False
    if any(kind_of(c) == "DESTRUCTOR" and _runs(c) for c in _members(record)):
        return True
    return any(ends(t) for t in _parts(record))


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
        return bool(member.spelling.split("<")[0] == name)
    given = [c for c in children(member) if kind_of(c) == "PARM_DECL"]
    values = [any(c.kind.is_expression() for c in children(p)) for p in given]
    return kind_of(member) == "CONSTRUCTOR" and all(values)


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
