"""Declarations by where they stand: which there are, what lies in them, what they name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from clang.cindex import Cursor, SourceLocation, TranslationUnit

from symcute.frontends.cuda.headers import is_ours
from symcute.frontends.cuda.inlining import body
from symcute.frontends.cuda.library import (
    children,
    gathered,
    key,
    kind_of,
    place_of,
    template_of,
)
from symcute.frontends.cuda.outermost import top_level

__all__ = [
    "CLASSES",
    "METHODS",
    "SPACES",
    "Extent",
    "Where",
    "declarations",
    "in_body",
    "names",
    "outermost",
]

#: Whose declarations are at namespace scope.
SPACES = ("NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL")
CLASSES = ("STRUCT_DECL", "CLASS_DECL", "CLASS_TEMPLATE")
METHODS = ("CXX_METHOD", "CONSTRUCTOR", "CONVERSION_FUNCTION")


class Where(NamedTuple):
    """A place by its file and offset."""

    file: str | None
    offset: int

    @classmethod
    def of(cls, location: SourceLocation) -> Where:
        """Return a place of clang's."""
        return cls(location.file.name if location.file else None, location.offset)


@dataclass(frozen=True)
class Extent:
    """Where a declaration stands in a file."""

    file: str | None
    start: int
    end: int

    @classmethod
    def of(cls, cursor: Cursor) -> Extent:
        """Return where a cursor stands."""
        start = Where.of(cursor.extent.start)
        return cls(start.file, start.offset, cursor.extent.end.offset)

    def holds(self, spot: Where) -> bool:
        """Does a place lie in it?"""
        return self.file == spot.file and self.start <= spot.offset <= self.end


def in_body(function: Cursor, location: SourceLocation) -> bool:
    """Does a place lie in the body of a function?"""
    text = body(function)
    return text is not None and Extent.of(text).holds(Where.of(location))


def names(top: Cursor) -> list[Cursor]:
    """Return what is named in a declaration, each once."""
    # An instance does not show everything; its template does.
    template = template_of(top)
    beside = {} if template is None else gathered(template, "names", _named_at)
    return [*{**beside, **gathered(top, "names", _named_at)}.values()]


def _named_at(cursor: Cursor) -> Iterator[tuple[int, Cursor]]:
    """Yield what an expression or a type names; a declaration names itself, which is nothing.

    Of a namespace (`n::f`) only that counts which is named in it.
    """
    if kind_of(cursor) not in ("?", "NAMESPACE_REF") and not cursor.kind.is_declaration():
        named = cursor.referenced
        if named is not None:
            yield key(named), named


def outermost(cursor: Cursor) -> Cursor:
    """Return the declaration at namespace scope in which a cursor lies."""
    here = cursor
    while True:
        parent = here.lexical_parent or here.semantic_parent
        if parent is None or kind_of(parent) in ("TRANSLATION_UNIT", *SPACES):
            return here
        if kind_of(parent).startswith("INVALID"):
            return here
        here = parent


def declarations(unit: TranslationUnit) -> list[Cursor]:
    """Return the user's declarations at namespace scope, and the methods of its classes."""
    found: list[Cursor] = []
    stack = top_level(unit)
    while stack:
        cursor = stack.pop()
        if kind_of(cursor) in SPACES:
            stack += children(cursor)
        elif not is_ours(place_of(cursor).file):
            found.append(cursor)
            if kind_of(cursor) in CLASSES:
                # What a method lacks does not matter where it is not called.
                found += [c for c in children(cursor) if kind_of(c) in METHODS]
    return found
