"""Where clang fails in host code, and which words stand there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from clang.cindex import Cursor, Diagnostic, TranslationUnit

from symcute.frontends.cuda.failing import Errors as Failing
from symcute.frontends.cuda.headers import TORCH, is_ours
from symcute.frontends.cuda.inlining import body
from symcute.frontends.cuda.library import (
    callee,
    children,
    file_text,
    initializer,
    key,
    kind_of,
    own_files,
    place_of,
    walk,
)
from symcute.frontends.cuda.outermost import top_level
from symcute.frontends.cuda.words import closure

__all__ = ["FREE", "Errors", "by_python", "by_value", "words_of"]

_WORD = re.compile(r"[A-Za-z_]\w*")
_REMARK = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"", re.DOTALL)
_ARCH = "__CUDA_ARCH__"
_TYPE = "c10::ScalarType"
#: A macro of a name, and what it stands for on one line or on several.
_DEFINED = r"#[^\S\n]*define[^\S\n]+{}\b((?:\\\n|[^\n])*)"
#: What gives memory of a device back: some of it, or all.
FREE = frozenset({
    "cudaFree", "cudaFreeHost", "cudaFreeAsync", "cudaDeviceReset", "cudaIpcCloseMemHandle",
    "cudaMemPoolDestroy", "cuMemFree", "cuMemFree_v2", "cuMemFreeAsync", "cuMemFreeHost",
    "cuMemUnmap", "cuMemPoolDestroy", "cuIpcCloseMemHandle", "cuCtxDestroy", "cuCtxDestroy_v2",
    "cuDevicePrimaryCtxReset", "cuDevicePrimaryCtxReset_v2", "cuDevicePrimaryCtxRelease",
    "cuDevicePrimaryCtxRelease_v2",
})  # fmt: skip
#: Declarations that may lead from their names to what they speak of.
_LEADING = frozenset({
    "FUNCTION_DECL", "FUNCTION_TEMPLATE", "CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR",
    "CONVERSION_FUNCTION", "STRUCT_DECL", "CLASS_DECL", "CLASS_TEMPLATE", "VAR_DECL", "FIELD_DECL",
    "TYPEDEF_DECL", "TYPE_ALIAS_DECL",
})  # fmt: skip
#: Those of them that are called.
_CALLED = frozenset({
    "FUNCTION_DECL", "FUNCTION_TEMPLATE", "CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR",
    "CONVERSION_FUNCTION",
})  # fmt: skip
_OF_DEVICE = ("CUDAGLOBAL_ATTR", "CUDADEVICE_ATTR")
_VALUES = ("VAR_DECL", "PARM_DECL", "FIELD_DECL")
_DIRECTIVE = re.compile(r"\s*#\s*(\w+)")


def words_of(text: str) -> set[str]:
    """Return the words of a text that are no remarks."""
    return set(_WORD.findall(_REMARK.sub(" ", text)))


class Errors:
    """Where clang's errors stand, and which declarations have one."""

    def __init__(self, unit: TranslationUnit, failing: Failing) -> None:
        self._failing = failing
        self._unit = unit
        self._spoken: dict[str, set[str]] | None = None
        self._away = set[str]()
        #: The user's files by their names.
        self._texts = own_files(unit)
        self._of_device = set[str]().union(*map(_of_device, self._texts.values()))
        self._at: dict[str, list[int]] = {}
        self._known: dict[int, bool] = {}
        self._macros: dict[str, bool] = {}
        #: What was found for words, all there are where they are not known: many functions ask.
        self._behind: dict[frozenset[str] | None, frozenset[str]] = {}
        self._leading: dict[frozenset[str] | None, set[str]] = {}
        for d in unit.diagnostics:
            if d.severity >= Diagnostic.Error and d.location.file is not None:
                self._at.setdefault(d.location.file.name, []).append(d.location.offset)
        # Types of PyTorch's have numbers of ours, which nobody may see.
        is_torch = any(str(i.include.name) == TORCH for i in unit.get_includes())
        for c in _numbered(unit) if is_torch else ():
            self._at.setdefault(c.location.file.name, []).append(c.location.offset)

    def speaks_of(self, name: str) -> bool:
        """Is a name in the user's text?"""
        return any(name in text for text in self._texts.values())

    def behind(self, words: set[str] | None) -> frozenset[str]:
        """Return words and those of macros among them; all there are where that is not known."""
        asked = None if words is None else frozenset(words)
        if asked not in self._behind:
            self._behind[asked] = frozenset(self._written(words))
        return self._behind[asked]

    def _written(self, words: set[str] | None) -> set[str]:
        found = set[str]()
        waiting = set(words or ())
        while waiting and words is not None:
            found |= waiting
            said = [t for w in waiting if self.is_macro(w) for t in self._defined(w)]
            words = None if any("##" in text for text in said) else words
            waiting = {w for text in said for w in _WORD.findall(text)} - found
        if words is None:
            found = {w for text in self._texts.values() for w in _WORD.findall(text)}
        return found

    def gives_back(self, words: set[str] | None) -> bool:
        """May what words lead to, or anything if they are not known, give memory back?"""
        return bool(self._led(words) & FREE)

    def leads_away(self, words: set[str] | None) -> bool:
        """May what words lead to call what is not here: another file's, or what a value says?"""
        return bool(self._led(words) & self._away)

    def _led(self, words: set[str] | None) -> set[str]:
        """Return the words that words lead to."""
        asked = None if words is None else frozenset(words)
        if asked not in self._leading:
            self._leading[asked] = closure(self.behind(words), self._heard())
        return self._leading[asked]

    def _heard(self) -> dict[str, set[str]]:
        """Return the words that each declaration leads to, by its name."""
        if self._spoken is None:
            self._spoken = {}
            for top in top_level(self._unit):
                function: Cursor | None = None
                for c in () if is_ours(place_of(top).file) else walk(top):
                    function = c if kind_of(c) in _CALLED else function
                    self._hear(c, self._spoken)
                    if function is not None and ((c is function and _is_away(c)) or by_value(c)):
                        self._away.update(_WORD.findall(function.spelling))
        return self._spoken

    def _hear(self, cursor: Cursor, into: dict[str, set[str]]) -> None:
        """Take down the words of a declaration, under its name; what ends an object, under both."""
        start, end = cursor.extent.start, cursor.extent.end
        if kind_of(cursor) in _LEADING and start.file is not None:
            said = words_of(file_text(cursor, start.file.name)[start.offset : end.offset])
            for name in _WORD.findall(cursor.spelling):
                into.setdefault(name, set()).update(said)

    def _defined(self, macro: str) -> list[str]:
        rule = re.compile(_DEFINED.format(macro))
        return [said for text in self._texts.values() for said in rule.findall(text)]

    def said_in(self, host: Cursor) -> frozenset[str]:
        """Return the words of a function, and of what it hangs on, if clang fails in its text."""
        text = body(host)
        if text is None or not self.within(text):
            return frozenset()
        start, end = text.extent.start, text.extent.end
        said = file_text(host, start.file.name)[start.offset : end.offset]
        return self.behind(words_of(said))

    def within(self, cursor: Cursor) -> list[int]:
        """Return the places of errors in what a cursor covers."""
        start, end = cursor.extent.start, cursor.extent.end
        if start.file is None or not self._at:
            return []
        return self.between(start.file.name, start.offset, end.offset)

    def between(self, file: str, start: int, end: int) -> list[int]:
        """Return the places of errors between two offsets, both included."""
        return [o for o in self._at.get(file, ()) if start <= o <= end]

    def declared(self, declaration: Cursor) -> bool:
        """Is there an error in a declaration, its body and first value apart?"""
        name = key(declaration)
        if name not in self._known:
            inner = body(declaration) if "FUNCTION" in kind_of(declaration) else None
            if kind_of(declaration) == "VAR_DECL":
                inner = initializer(declaration)
            found = self.within(declaration)
            start = inner.extent.start.offset if inner is not None else None
            self._known[name] = any(start is None or o < start for o in found)
        return self._known[name]

    def is_macro(self, word: str) -> bool:
        """May a word be the name of a macro of the user's?"""
        if word not in self._macros:
            rule = re.compile(rf"#[^\S\n]*define[^\S\n]+{word}\b")
            self._macros[word] = any(map(rule.search, self._texts.values()))
        return self._macros[word]

    def hanging(self, function: Cursor) -> str:
        """Return a macro that is not known to be for the host as it is here, or nothing.

        Clang reads the source as for the device, where `__CUDA_ARCH__` is defined.
        """
        if self._of_device and self._failing.said(function)[1] & self._of_device:
            return _ARCH
        return self._failing.hanging(function)


def _is_away(function: Cursor) -> bool:
    """Is a function of the host declared, of which the body is in another file?"""
    made = function.is_default_method() or function.is_deleted_method()
    device = any(kind_of(x) in _OF_DEVICE for x in children(function))
    return not (made or device or body(function) is not None or by_python(function.spelling))


def by_python(name: str) -> bool:
    """Is this what the prelude of Python's hosts says in words?"""
    return name.endswith("_of_Python")


def by_value(cursor: Cursor) -> bool:
    """Is this a call of what a variable holds, or an expression gives?"""
    if kind_of(cursor) != "CALL_EXPR":
        return False
    function = callee(cursor)
    return function is None or kind_of(function) in _VALUES


def _numbered(unit: TranslationUnit) -> Iterator[Cursor]:
    """Yield the casts between types of PyTorch's and numbers."""
    for top in top_level(unit):
        for c in () if is_ours(place_of(top).file) else walk(top):
            if kind_of(c).endswith("_CAST_EXPR"):
                both = (c.type, *(x.type for x in children(c) if x.kind.is_expression()))
                if sum(_TYPE in t.get_canonical().spelling for t in both) == 1:
                    yield c


def _of_device(text: str) -> set[str]:
    """Return the names that hang on `__CUDA_ARCH__`: all that stand where it decides."""
    names = {_ARCH} if _ARCH in text else set[str]()
    depth = 0
    for line in text.replace("\\\n", " ").split("\n") if names else ():
        word = _DIRECTIVE.match(line)
        if word and word[1].startswith("if"):
            depth += bool(depth) or _ARCH in line
        elif word and word[1] == "endif":
            depth -= bool(depth)
        elif depth and word and word[1] == "define":
            names |= set(_WORD.findall(line[word.end() :])[:1])
    return names
