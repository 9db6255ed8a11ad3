"""What clang's tree leaves out, or puts where one does not look for it: statements before the
subject of a switch or before a range, what types compute, and what a variable's end calls.

libclang shows neither `n = 2` of `switch (n = 2; m)` nor that of `for (n = 2; int e : a)`. Whether
any stand in a source, also in parts that macros put together, its text tells.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from clang.cindex import Cursor, TranslationUnit, TypeKind

from symcute.frontends.cuda.library import (
    children,
    is_written_here,
    kind_of,
    once,
    own_files,
)
from symcute.frontends.cuda.words import DIRECTIVE, macro_bodies, plain

__all__ = ["begins_plainly", "computed_extents", "has_hidden_end", "has_hidden_starts"]

_TOKEN = re.compile(r"[A-Za-z_]\w*|[(){}\[\];,]")
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_POINTING = (TypeKind.POINTER, TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE)
_ARRAYS = (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY)
#: Attributes of variables which clang has no name for, and which nothing that runs hangs on.
_IDLE = {"deprecated", "maybe_unused", "nodebug", "unused", "used", "visibility"}
_SPACES = {"gnu", "clang", "::"}
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
    if not is_written_here(cursor):
        return False
    depth = 0
    for token in islice(cursor.get_tokens(), 1, None):
        word = token.spelling
        depth += (word in _PAIRS) - (word in _PAIRS.values())
        if ";" in word or word in macros:
            return False
        if depth == 0:
            return True
    return False


def computed_extents(cursor: Cursor, value: Cursor | None) -> list[Cursor]:
    """Return what the type of a declaration or cast computes, which its `value` is not part of.

    Those are extents of arrays, where a compiler lets them be computed. What `decltype` names is
    not computed.
    """
    here = cursor.type.get_canonical()
    while here.kind in _POINTING or here.kind in _ARRAYS:
        inner = here.get_pointee() if here.kind in _POINTING else here.get_array_element_type()
        here = inner.get_canonical()
    if here.kind != TypeKind.VARIABLEARRAY:
        return []
    return [c for c in children(cursor) if c.kind.is_expression() and (value is None or c != value)]


def has_hidden_end(variable: Cursor) -> bool:
    """Return whether an attribute may have a function called where a variable's block ends.

    So does `cleanup`, for which clang has no name; its first token stands in a macro's text where
    a macro writes it.
    """
    return any(
        kind_of(c) == "UNEXPOSED_ATTR" and _attribute(c) not in _IDLE for c in children(variable)
    )


def _attribute(cursor: Cursor) -> str:
    words = (t.spelling.strip("_") for t in cursor.get_tokens())
    return next((w for w in words if w not in _SPACES), "")


def has_hidden_starts(texts: Iterable[str]) -> bool:
    r"""Return whether a head of a switch, or of a loop over a range, may have a statement in it.

    That takes a semicolon between parentheses which is not one of the two of a plain `for`, nor one
    that a macro takes as part of an argument, and puts elsewhere. Macros that bring one parenthesis
    of two may bring any.

    >>> has_hidden_starts(["switch (n) { case 0: f(n); } for (i = 0; i < n; i++) ;"])
    False
    >>> has_hidden_starts(["switch (n = 2; m) {}"]), has_hidden_starts(["for (n = 2; int e : a) ;"])
    (True, True)
    >>> has_hidden_starts(["#define OF(x, ...) switch (x) { __VA_ARGS__ }\nOF(n, f(); g();)"])
    False
    >>> has_hidden_starts(["#define SET n = 2;\nvoid f() { switch (SET m) {} }"])
    True
    """
    code: list[str] = []
    macros: dict[str, list[_Macro]] = {}
    for text in map(plain, texts):
        for found in DIRECTIVE.finditer(text):
            named = _DEFINED.match(found.group(2).replace("\\\n", " "))
            if found.group(1) == "define" and named:
                takes = named.group(2)
                given = [] if takes is None else [p.strip() for p in takes.split(",")]
                macros.setdefault(named.group(1), []).append(_Macro(given, named.group(3)))
        code.append(DIRECTIVE.sub(lambda m: " " * len(m.group()), text))
    odd = _KEYWORDS & macros.keys() or any(
        m.body.count("(") != m.body.count(")") for each in macros.values() for m in each
    )
    return bool(odd) or _Semicolons(macros).reach_a_head(code)


#: Words that mean something else where a macro has their name.
_KEYWORDS = {"if", "constexpr", "for", "switch"}
_DEFINED = re.compile(r"\s*([A-Za-z_]\w*)(?:\(([^()]*)\))?(.*)", re.DOTALL)


class _Macro(NamedTuple):
    parameters: list[str]
    body: str

    def parameter(self, number: int) -> str:
        """Return the name in the body of an argument; of all the last ones that is one."""
        name = self.parameters[min(number, len(self.parameters) - 1)]
        return "__VA_ARGS__" if name == "..." else name.removesuffix("...").strip()


class _Semicolons:
    """Where semicolons may come to that macros bring, or are handed."""

    def __init__(self, macros: Mapping[str, list[_Macro]]) -> None:
        self.macros = macros
        #: Macros that bring one outside of brackets of theirs, and arguments that have one.
        self.bringing: set[str] = set()
        #: Macros that make names, which may be those of any that bring one.
        self.naming = {n for n, each in macros.items() if any("##" in m.body for m in each)}
        self.handed: set[tuple[str, int]] = set()

    def reach_a_head(self, code: Iterable[str]) -> bool:
        """May one stand between the parentheses of what is no macro, nor a plain `for`?"""
        code = list(code)
        before = -1
        while before < (before := len(self.bringing) + len(self.handed)):
            if any(self._comes_to(text, {";"}, "") for text in code):
                return True
            for name, definitions in self.macros.items():
                numbers = [n for m, n in self.handed if m == name]
                for one in definitions:
                    given = {one.parameter(n) for n in numbers if one.parameters}
                    if self._comes_to(one.body, {";"} | given, name):
                        return True
        return False

    def _comes_to(self, text: str, marks: Collection[str], within: str) -> bool:
        """Follow the marks, and macros that bring some, through a text, or a macro's body."""
        heads: list[_Open] = []
        last = ""
        for token in _TOKEN.finditer(text):
            word = token.group()
            inner = heads[-1] if heads else None
            if word in _PAIRS:
                heads.append(_Open(word, last))
            elif word in _PAIRS.values():
                if inner is not None:  # else of what stands elsewhere, or in another branch
                    if word != _PAIRS[inner.bracket] or (inner.head, inner.marks) == ("for", 1):
                        return True
                    heads.pop()
            elif word == ",":
                # For macros braces hold no arguments together.
                for one in reversed(heads):
                    if one.bracket == "(":
                        one.number += 1
                        break
            elif word in self.naming and inner is not None and inner.head in ("switch", "for"):
                return True
            elif word in marks or word in self.bringing:
                if inner is None:
                    self.bringing |= {within} - {""}
                elif inner.bracket == "(" and inner.head not in _SHOWN:
                    inner.marks += 1
                    if any(m.parameters for m in self.macros.get(inner.head, ())):
                        self.handed.add((inner.head, inner.number))
                    elif inner.head != "for" or word != ";":
                        return True
            last = word
        return False


@dataclass
class _Open:
    """A bracket that is open: what stands before it, and how many commas and marks behind."""

    bracket: str
    head: str
    number: int = 0
    marks: int = 0
