"""What clang's tree leaves out, or puts where one does not look for it: statements before the
subject of a switch or before a range, and what types compute.

libclang shows neither `n = 2` of `switch (n = 2; m)` nor that of `for (n = 2; int e : a)`. Whether
any stand in a source, also in parts that macros put together, its text tells.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from clang.cindex import Cursor, TranslationUnit, Type, TypeKind

from symcute.frontends.cuda.library import children, once, own_files
from symcute.frontends.cuda.words import DIRECTIVE, macro_bodies, plain

__all__ = ["begins_plainly", "computed_extents", "has_hidden_starts"]

_TOKEN = re.compile(r"[A-Za-z_]\w*|[(){}\[\];]")
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_ARRAYS = (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY)
#: Of these heads clang shows all parts.
_SHOWN = ("if", "constexpr")


def begins_plainly(cursor: Cursor) -> bool:
    """Return whether nothing that clang does not show begins a switch, or a loop over a range."""
    unit = cursor._tu
    if not once(unit, "hidden starts", lambda: has_hidden_starts(own_files(unit).values())):
        return True
    return _is_plain(cursor, once(unit, "macros", lambda: _macros(unit)))


def _macros(unit: TranslationUnit) -> set[str]:
    return {name for text in own_files(unit).values() for name, _ in macro_bodies(plain(text))}


def _is_plain(cursor: Cursor, macros: Collection[str]) -> bool:
    """Is a head written where it stands, without macros, and without a statement in it?"""
    tokens = cursor.get_tokens()
    first = next(tokens, None)
    if first is None or first.location.offset != cursor.extent.start.offset:
        return False
    depth = 0
    for token in tokens:
        word = token.spelling
        depth += (word in _PAIRS) - (word in _PAIRS.values())
        if word == ";" or word in macros:
            return False
        if depth == 0:
            return True
    return False


def computed_extents(cursor: Cursor, type: Type, value: Cursor | None) -> list[Cursor]:
    """Return what the type of a declaration or cast computes, which its `value` is not part of.

    Those are extents of arrays, where a compiler lets them be computed. What `decltype` names is
    not computed.
    """
    while type.kind != TypeKind.VARIABLEARRAY:
        canonical = type.get_canonical()
        inner = (
            canonical.get_array_element_type()
            if canonical.kind in _ARRAYS
            else canonical.get_pointee()
        )
        if inner.kind == TypeKind.INVALID:
            return []
        type = inner
    return [c for c in children(cursor) if c.kind.is_expression() and (value is None or c != value)]


def has_hidden_starts(texts: Iterable[str]) -> bool:
    """Return whether a head of a switch, or of a loop over a range, may have a statement in it.

    That takes a semicolon between parentheses which is not one of the two of a plain `for`, or a
    macro between parentheses that brings one.

    >>> has_hidden_starts(["switch (n) { case 0: f(n); } for (i = 0; i < n; i++) ;"])
    False
    >>> has_hidden_starts(["switch (n = 2; m) {}"]), has_hidden_starts(["for (n = 2; int e : a) ;"])
    (True, True)
    >>> has_hidden_starts(["#define SET n = 2;\\nvoid f() { switch (SET m) {} }"])
    True
    """
    code, bodies = [], []
    for text in map(plain, texts):
        for found in DIRECTIVE.finditer(text):
            if found.group(1) == "define":
                bodies.append(found.group(2).replace("\\\n", " "))
        code.append(DIRECTIVE.sub(lambda m: " " * len(m.group()), text))
    bring = _with_semicolons(bodies)
    return any(_within_parentheses(text, bring) for text in (*code, *bodies))


def _with_semicolons(bodies: Iterable[str]) -> set[str]:
    """Return the macros that may bring a semicolon that stands in no brackets of theirs."""
    outside: dict[str, set[str]] = {}
    for body in bodies:
        named = re.match(r"\s*([A-Za-z_]\w*)(\([^()]*\))?", body)
        if named is None:
            continue
        here = outside.setdefault(named.group(1), set())
        depth = 0
        for token in _TOKEN.finditer(body, named.end()):
            word = token.group()
            depth += (word in _PAIRS) - (word in _PAIRS.values())
            if depth <= 0:
                here.add(word)
    bring: set[str] = {";"}
    while more := {name for name, said in outside.items() if said & bring} - bring:
        bring |= more
    return bring - {";"}


def _within_parentheses(text: str, bring: Collection[str]) -> bool:
    """Does a text have a semicolon between parentheses, or what brings one, as no `for` has it?"""
    heads: list[tuple[str, str]] = []
    semicolons, last = [0], ""
    for token in _TOKEN.finditer(text):
        word = token.group()
        bracket, head = heads[-1] if heads else ("", "")
        if word in _PAIRS:
            heads.append((word, last))
            semicolons.append(0)
        elif word in _PAIRS.values():
            if not heads:
                continue  # of one that stands elsewhere, or in another branch of an #if
            if word != _PAIRS[bracket] or (
                bracket == "(" and head == "for" and semicolons[-1] == 1
            ):
                return True
            heads.pop()
            semicolons.pop()
        elif bracket == "(" and (word == ";" or word in bring) and head not in _SHOWN:
            if word != ";" or head != "for":
                return True
            semicolons[-1] += 1
        last = word
    return False
