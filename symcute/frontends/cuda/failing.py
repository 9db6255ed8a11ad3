"""Which of clang's errors concern a kernel: those in the code it reaches, and where nothing is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from clang.cindex import Cursor, Diagnostic, SourceLocation, TranslationUnit

from symcute.frontends.cuda.headers import is_ours
from symcute.frontends.cuda.inlining import body
from symcute.frontends.cuda.library import children, key, kind_of, place_of, template_of, walk
from symcute.kernel.ir.program import Place

__all__ = ["Errors", "Failure"]

_INSIDE = ("NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL")
_CLASSES = ("STRUCT_DECL", "CLASS_DECL", "CLASS_TEMPLATE")
_METHODS = ("CXX_METHOD", "CONSTRUCTOR", "CONVERSION_FUNCTION")
_LONGEST = 200
_LACKING = re.compile(r"^no \w+ named .* in (namespace )?'(cuda|nvcuda|cooperative_groups|std)\b")


@dataclass
class Failure(Exception):
    """The source cannot be read: what and where, and what to do."""

    what: str
    fix: str = ""
    place: Place | None = None


class Errors:
    """Clang's errors in a source, and the declarations at namespace scope that they lie in."""

    def __init__(self, unit: TranslationUnit) -> None:
        self._errors = [d for d in unit.diagnostics if d.severity >= Diagnostic.Error]
        self._named: dict[_Where, list[Cursor]] = {}
        where = [_Where.of(d.location) for d in self._errors]
        self._holders: list[set[_Where]] = [set() for _ in where]
        self._methods: list[set[_Where]] = [set() for _ in where]
        for cursor in _declarations(unit) if where else ():
            start, end = _Where.of(cursor.extent.start), cursor.extent.end.offset
            held = self._methods if kind_of(cursor) in _METHODS else self._holders
            for spot, holders in zip(where, held, strict=True):
                if spot.file == start.file and start.offset <= spot.offset <= end:
                    holders.add(start)

    def refuse(self, reached: Sequence[Cursor]) -> Failure | None:
        """Refuse a source with errors in what a kernel uses.

        Host code may use what is not known here. An error is let pass only inside a declaration
        that nothing reached by the kernel names; where clang has dropped a declaration, anything
        may follow. Where the kernel needs the layout of a type that has none here, or a name of
        NVIDIA's libraries that is not here, nothing of it is known, and why is returned.
        """
        if not self._errors:
            return None
        used = self._used(reached)
        concerned: list[Diagnostic] = []
        for error, holders, methods in zip(self._errors, self._holders, self._methods, strict=True):
            # A method matters where it is called, what lies outside any where it is named.
            held = methods or holders
            if not held or held & used or any(_in_body(f, error.location) for f in reached):
                concerned.append(error)
        # What follows such an error may follow from it.
        for error in concerned:
            what = _not_known(error)
            if what:
                return Failure(what, place=_place(error.location))
        if concerned:
            raise _failure(concerned[0])
        return None

    def refuse_lost(self) -> None:
        """Refuse a source in which clang may have dropped a declaration."""
        for error, holders, methods in zip(self._errors, self._holders, self._methods, strict=True):
            if not holders and not methods:
                raise _failure(error)

    def _used(self, reached: Sequence[Cursor]) -> set[_Where]:
        """Return where the outermost declarations begin of all that is named, directly or not.

        What is made of a template begins where the template does.
        """
        used: set[_Where] = set()
        seen: set[_Where] = set()
        known: set[int] = set()
        waiting = list(reached)
        while waiting:
            here = waiting.pop()
            used.add(_Where.of(here.extent.start))
            if key(here) not in known:
                known.add(key(here))
                # What is named may be defined elsewhere, or made of a template.
                others = (here.get_definition(), template_of(here))
                waiting += [c for c in others if c is not None]
            top = _outermost(here)
            name = _Where.of(top.extent.start)
            if name in seen:
                continue
            seen.add(name)
            used.add(name)
            if name not in self._named:
                self._named[name] = [] if is_ours(place_of(top).file) else _names(top)
            waiting += self._named[name]
        return used


def _not_known(error: Diagnostic) -> str:
    """Return which type our headers only declare, or which name they lack, or nothing."""
    notes = [n.location.file for n in error.children]
    ours = any(file is not None and is_ours(file.name) for file in notes)
    text = error.spelling
    if ours and ("incomplete" in text or "undefined template" in text):
        name = re.search(r"(?:type|template) '(.*?)'", text)
        return f"the layout of {name.group(1) if name else 'a type'} is not known"
    return _shortened(text) if _LACKING.search(text) else ""


def _failure(error: Diagnostic) -> Failure:
    return Failure(_shortened(error.spelling), _advice(error.spelling), _place(error.location))


def _in_body(function: Cursor, location: SourceLocation) -> bool:
    """Does a place lie in the body of a function?"""
    text = body(function)
    if text is None:
        return False
    where, start = _Where.of(location), _Where.of(text.extent.start)
    return where.file == start.file and start.offset <= where.offset <= text.extent.end.offset


class _Where(NamedTuple):
    """A place by its file and offset."""

    file: str | None
    offset: int

    @classmethod
    def of(cls, location: SourceLocation) -> _Where:
        """Return a place of clang's."""
        return cls(location.file.name if location.file else None, location.offset)


def _names(top: Cursor) -> list[Cursor]:
    """Return what is named in a declaration, each once."""
    found: dict[int, Cursor] = {}
    # An instance does not show everything; its template does.
    template = template_of(top)
    for cursor in (*walk(top), *(() if template is None else walk(template))):
        if kind_of(cursor) == "?" or cursor.kind.is_declaration():
            continue  # a declaration names itself
        named = cursor.referenced
        if named is not None:
            found.setdefault(key(named), named)
    return list(found.values())


def _outermost(cursor: Cursor) -> Cursor:
    """Return the declaration at namespace scope in which a cursor lies."""
    here = cursor
    while True:
        parent = here.lexical_parent or here.semantic_parent
        if parent is None or kind_of(parent) in ("TRANSLATION_UNIT", *_INSIDE):
            return here
        if kind_of(parent).startswith("INVALID"):
            return here
        here = parent


def _declarations(unit: TranslationUnit) -> list[Cursor]:
    found: list[Cursor] = []
    stack = children(unit.cursor)
    while stack:
        cursor = stack.pop()
        if kind_of(cursor) in _INSIDE:
            stack += children(cursor)
        elif not is_ours(place_of(cursor).file):
            found.append(cursor)
            if kind_of(cursor) in _CLASSES:
                # What a method lacks does not matter where it is not called.
                found += [c for c in children(cursor) if kind_of(c) in _METHODS]
    return found


def _place(where: SourceLocation) -> Place:
    return Place(where.file.name if where.file else "", where.line, where.column)


def _shortened(message: str) -> str:
    line = message.split("\n")[0]
    return line if len(line) <= _LONGEST else line[: _LONGEST - 3] + "..."


def _advice(message: str) -> str:
    if "file not found" in message:
        return "give its folder in include_dirs"
    if "undeclared identifier" in message or "unknown type name" in message:
        return "give what it stands for in defines, or its header's folder in include_dirs"
    return "mend the source"
