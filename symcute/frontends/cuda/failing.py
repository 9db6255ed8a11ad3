"""Which of clang's errors concern a kernel: those in what it names, directly or not.

Clang goes on behind an error, and what it shows then is not what is written: a statement may be
gone, and a name may stand for something else. So one error in the body of a function that a kernel
reaches, or in a declaration that it names, and nothing of the kernel is known. Where clang has lost
a declaration, its name is looked for in the text of all that the kernel names.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from clang.cindex import Cursor, Diagnostic, SourceLocation, TranslationUnit

from symcute.frontends.cuda.conditionals import Unsettled, unsettled
from symcute.frontends.cuda.extents import (
    CLASSES,
    METHODS,
    SPACES,
    Extent,
    Where,
    declarations,
    in_body,
    names,
    outermost,
)
from symcute.frontends.cuda.headers import headers, is_ours
from symcute.frontends.cuda.library import (
    children,
    file_text,
    key,
    kind_of,
    own_files,
    parse,
    place_of,
    template_of,
)
from symcute.frontends.cuda.naming import instance_name, unlike
from symcute.frontends.cuda.nested import is_kept
from symcute.frontends.cuda.outermost import lacks_ours, top_level
from symcute.frontends.cuda.words import DIRECTIVE, closure, declared, macro_bodies, plain, words
from symcute.kernel.ir.place import Place

__all__ = ["Errors", "Failure"]

_TYPES = (
    *CLASSES, "TYPEDEF_DECL", "TYPE_ALIAS_DECL", "TYPE_ALIAS_TEMPLATE_DECL", "ENUM_DECL",
    "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION",
)  # fmt: skip
_LONGEST = 200
#: Messages of which a header that was not found may be the cause.
_LACKS = re.compile(r"undeclared|unknown type|no (member|template|type) named|expected")
#: What clang made of a template where an error is.
_MADE = re.compile(r"in instantiation of function template specialization '(.*)' requested here")
#: An operator has no name by which it is called: where one was lost, any may be.
_OPERATOR = "operator"


@dataclass
class Failure(Exception):
    """The source, or a kernel, cannot be read: what and where, and what to do."""

    what: str
    fix: str = ""
    place: Place | None = None


class Errors:
    """Clang's errors in a source, and the declarations at namespace scope that they lie in.

    `missing` are the headers that were not found, `known` macros that are given.
    """

    def __init__(self, unit: TranslationUnit, missing: Sequence[str], known: Iterable[str]) -> None:
        self._unit = unit
        self._missing = tuple(missing)
        self._errors = [
            d for d in unit.diagnostics
            if d.severity >= Diagnostic.Error and not is_kept(unit, d)
        ]  # fmt: skip
        self._named: dict[Where, list[Cursor]] = {}
        self._tops: dict[int, tuple[Where, Cursor | None]] = {}
        self._texts = _texts(unit) if self._errors or missing else {}
        where = [Where.of(_location(d)) for d in self._errors]
        self._holders: list[set[Where]] = [set() for _ in where]
        self._methods: list[set[Where]] = [set() for _ in where]
        #: Names of declarations that are lost, or not what is written, with what clang says of it.
        self._lost: dict[str, Diagnostic] = {}
        tops = declarations(unit) if where or missing else []
        self._common = _common(unit) if tops else frozenset()
        extents = [(Extent.of(c), c) for c in tops]
        for spot, error, holders, methods in zip(
            where, self._errors, self._holders, self._methods, strict=True
        ):
            within = [(e, c) for e, c in extents if e.holds(spot)]
            for extent, cursor in within:
                method = kind_of(cursor) in METHODS and in_body(cursor, _location(error))
                (methods if method else holders).add(Where(extent.file, extent.start))
            if not any(in_body(c, _location(error)) for _, c in within):
                lost = self._lost_at(spot, [e for e, _ in extents])
                lost |= {c.spelling for e, c in within if not self._is_macro(e, c, tops)}
                self._lost |= dict.fromkeys(lost, error)
        self._regions = self._hanging(known, [e for e, _ in extents])

    def _hanging(self, known: Iterable[str], extents: Sequence[Extent]) -> list[Unsettled]:
        if not self._missing:
            return []
        found = unsettled(self._texts, self._missing, _our_macros() | set(known))
        # What a part of a declaration names is that declaration's own.
        return [
            replace(r, names=r.macros)
            if any(e.holds(Where(r.file, r.start)) for e in extents)
            else r
            for r in found
        ]

    def _is_macro(self, extent: Extent, cursor: Cursor, tops: Sequence[Cursor]) -> bool:
        """Is it `MACRO(k);`, which speaks of a kernel and which clang takes for a variable?"""
        text = self._texts.get(extent.file or "", "")[extent.start : extent.end]
        if kind_of(cursor) != "VAR_DECL" or not re.match(r"\w+\s*\(", text):
            return False
        functions = ("FUNCTION_DECL", "FUNCTION_TEMPLATE")
        return any(c.spelling == cursor.spelling and kind_of(c) in functions for c in tops)

    def _lost_at(self, spot: Where, extents: Sequence[Extent]) -> set[str]:
        """Return what may be declared between the declarations before and behind an error."""
        text = self._texts.get(spot.file or "")
        if text is None:
            return {_OPERATOR}
        here = [e for e in extents if e.file == spot.file]
        start = max((e.end for e in here if e.end <= spot.offset), default=0)
        end = min((e.start for e in here if e.start > spot.offset), default=len(text))
        return declared(text[start:end]) - self._common

    def concerning(self, reached: Sequence[Cursor]) -> Failure | None:
        """Return why nothing is known of a kernel that reaches functions, or None."""
        # Behind what is fatal clang makes nothing of templates any more, and does not say so; what
        # has an `#error` in it is not meant to be compiled like this.
        every = (d for d in self._errors if d.severity > Diagnostic.Error or self._is_written(d))
        fatal = next(every, None)
        if fatal is not None:
            return self._failure(fatal)
        if not self._errors and not self._missing:
            return None
        tops = self._used(reached)
        used = {Where.of(c.extent.start) for c in tops}
        concerned = []
        for error, holders, methods in zip(self._errors, self._holders, self._methods, strict=True):
            # What a method does matters where it is called.
            held = methods or holders
            told = _told(error, reached)
            if told or (told is None and held & used):
                concerned.append(error)
        # What follows such an error may follow from it.
        first = next((e for e in concerned if _not_known(e)), concerned[0] if concerned else None)
        if first is not None:
            return self._failure(first)
        return self._by_name([e for e in map(Extent.of, tops) if e.file in self._texts])

    def hanging(self, function: Cursor) -> str:
        """Return a macro that a missing header may define and a function hangs on, or nothing."""
        extent = Extent.of(function)
        if extent.file is None or extent.file not in self._texts:
            return ""
        if not self._regions:
            return ""
        extents, spoken = self.said(function)
        for region in self._regions:
            inside = any(e.holds(Where(region.file, region.start)) for e in extents)
            if inside or spoken & (region.names - self._common):
                return region.name
        return ""

    def said(self, function: Cursor) -> tuple[list[Extent], set[str]]:
        """Return where a function and what it names stand, and all words there and in macros."""
        self._texts = self._texts or _texts(self._unit)
        extents = [e for e in map(Extent.of, self._beside(function)) if e.file in self._texts]
        return extents, self._spoken(extents)

    def _beside(self, function: Cursor) -> list[Cursor]:
        """Return a function, and what it names directly or not, other functions apart."""
        found = {Where.of(function.extent.start): function}
        waiting = [function]
        while waiting:
            for named in names(waiting.pop()):
                where, top = self._top_of(named)
                if top is not None and where not in found:
                    found[where] = top
                    waiting.append(top)
        return list(found.values())

    def _top_of(self, named: Cursor) -> tuple[Where, Cursor | None]:
        """Return where the outermost declaration of a name begins, and it if it is no function."""
        if key(named) not in self._tops:
            top = outermost(named)
            other = "FUNCTION" in kind_of(top) or is_ours(place_of(top).file)
            self._tops[key(named)] = Where.of(top.extent.start), None if other else top
        return self._tops[key(named)]

    def _is_written(self, error: Diagnostic) -> bool:
        """Is it one that the source asks for?"""
        spot = Where.of(error.location)
        text = self._texts.get(spot.file or "", "")
        return bool(re.search(r"(?:#|%:)[ \t]*$", text[: spot.offset])) and text.startswith(
            "error", spot.offset
        )

    def _by_name(self, extents: Sequence[Extent]) -> Failure | None:
        """Return why the text of a kernel, and of what it names, may not be what clang shows."""
        for extent in extents:
            name = self._included(extent)
            if name:
                return Failure(f"{name} not found", _advice("file not found"))
        tainted = {n: r.name for r in self._regions for n in r.names - self._common}
        spoken = self._spoken(extents)
        for name in sorted(spoken & self._lost.keys()):
            return self._failure(self._lost[name], f"{name} is not read: ")
        if _OPERATOR in self._lost:
            return self._failure(self._lost[_OPERATOR], "an operator is not read: ")
        for region in self._regions:
            inside = (e for e in extents if e.file == region.file)
            if any(e.start <= region.start <= e.end for e in inside):
                return self._hangs(region.name, self._place(region))
        for name in sorted(spoken & tainted.keys()):
            return self._hangs(tainted[name], None, name)
        return None

    def _included(self, extent: Extent) -> str | None:
        """Return a header that is not there, of which a declaration is made."""
        if not self._missing:
            return None
        raw = file_text(self._unit.cursor, extent.file or "")[extent.start : extent.end]
        for found in DIRECTIVE.finditer(raw):
            name = re.match(r'\s*[<"]([^<>"]+)[>"]', found.group(2))
            if found.group(1) == "include" and (not name or name.group(1) in self._missing):
                return name.group(1) if name else found.group(2).strip()
        return None

    def _spoken(self, extents: Iterable[Extent]) -> set[str]:
        """Return all names in the text of declarations, and in that of the macros they use."""
        spoken: set[str] = set()
        for extent in set(extents):
            spoken |= words(self._texts[extent.file or ""][extent.start : extent.end])
        return closure(spoken, self._macros)

    @cached_property
    def _macros(self) -> Mapping[str, set[str]]:
        """What the macros of the user's files speak of, by their names."""
        found: dict[str, set[str]] = {}
        for text in self._texts.values():
            for name, inner in macro_bodies(text):
                found.setdefault(name, set()).update(inner)
        return found

    def _place(self, region: Unsettled) -> Place:
        before = self._texts[region.file][: region.start]
        return Place(region.file, before.count("\n") + 1, 1)

    def _hangs(self, on: str, place: Place | None, name: str = "") -> Failure:
        what = f"{name} hangs on {on}" if name and name != on else f"it hangs on {on}"
        return Failure(
            f"{what}, which {self._suspect()} may define", "give its folder by -I", place
        )

    def _suspect(self) -> str:
        first = self._missing[0]
        return (
            f"{first} (not found)" if len(self._missing) == 1 else f"{first} (not found, as others)"
        )

    def _failure(self, error: Diagnostic, before: str = "") -> Failure:
        what = _not_known(error) or _shortened(error.spelling)
        if self._missing and _LACKS.search(what):
            what += f"; {', '.join(self._missing[:3])} not found"
        return Failure(before + what, _advice(error.spelling), _place(_location(error)))

    def first_near(self, file: str, offset: int) -> Failure:
        """Return what clang says last before a place, or first behind it."""
        here = sorted(
            (d.location.offset, n) for n, d in enumerate(self._errors)
            if d.location.file is not None and d.location.file.name == file
        )  # fmt: skip
        if not here:
            return Failure("clang has not read it", place=None)
        at = bisect_right(here, (offset, len(self._errors)))
        # What is wrong inside it tells more than what was wrong before.
        return self._failure(self._errors[here[at if at < len(here) else at - 1][1]])

    @property
    def any(self) -> bool:
        """Are there errors?"""
        return bool(self._errors)

    def _used(self, reached: Sequence[Cursor]) -> list[Cursor]:
        """Return the declarations, and the outermost ones, of all that is named, directly or not.

        What is made of a template begins where the template does.
        """
        used: list[Cursor] = []
        seen: set[Where] = set()
        known: set[int] = set()
        waiting = list(reached)
        while waiting:
            here = waiting.pop()
            used.append(here)
            if key(here) not in known:
                known.add(key(here))
                # What is named may be defined elsewhere, or made of a template.
                others = (here.get_definition(), template_of(here))
                waiting += [c for c in others if c is not None]
            top = outermost(here)
            name = Where.of(top.extent.start)
            if name in seen:
                continue
            seen.add(name)
            used.append(top)
            if name not in self._named:
                self._named[name] = [] if is_ours(place_of(top).file) else names(top)
            waiting += self._named[name]
        return used


def _texts(unit: TranslationUnit) -> Mapping[str, str]:
    """Return the files of the user's that were read, as plain text."""
    return {name: plain(text) for name, text in own_files(unit).items()}


def _location(error: Diagnostic) -> SourceLocation:
    """Return where an error is; one in our headers is where the source is that leads there.

    The line that includes the header is not what leads there.
    """
    notes = (n for n in error.children if not n.spelling.startswith("in file included from"))
    for here in (error.location, *(n.location for n in notes)):
        if here.file is not None and not is_ours(here.file.name):
            return here
    return error.location


def _told(error: Diagnostic, reached: Sequence[Cursor]) -> bool | None:
    """Return whether an error comes from the body of one that is reached; None where from no body.

    It may come from what a body asks for, where clang says it once. What is wrong in the body that
    was made of a template for other numbers or types, clang says of each that it makes.
    """
    stack = [n for n in error.children if re.match("in instantiation of|while ", n.spelling)]
    names = [_MADE.match(n.spelling) for n in stack]
    told: bool | None = None
    where = [_location(error), *(n.location for n in stack)]
    for spot, made in zip(where, [*names, None], strict=True):
        for f in reached:
            if in_body(f, spot):
                if made is None or not _is_other(made[1], f):
                    return True
                told = False
    return told


def _is_other(name: str, function: Cursor) -> bool:
    """Is a name that of another instance of the template of a function?"""
    called = name.partition("<")[0].split("::")[-1]
    return called == function.spelling and unlike(name, instance_name(function, ()))


@cache
def _our_macros() -> frozenset[str]:
    return frozenset(name for name, _ in macro_bodies(plain("\n".join(headers().values()))))


def _common(unit: TranslationUnit) -> frozenset[str]:
    """Return words that say nothing of what text declares: C++'s own, and types of our headers."""
    types = _our_types(unit) | (_usual_types() if lacks_ours(unit) else set())
    return types | _our_macros() | _KEYWORDS


def _our_types(unit: TranslationUnit) -> frozenset[str]:
    types: set[str] = set()
    stack = top_level(unit)
    while stack:
        cursor = stack.pop()
        if is_ours(place_of(cursor).file):
            if kind_of(cursor) in SPACES:
                stack += children(cursor)
                types.add(cursor.spelling)
            elif kind_of(cursor) in _TYPES:
                types.add(cursor.spelling)
    return frozenset(types)


@cache
def _usual_types() -> frozenset[str]:
    unit, _ = parse("nothing.cu", "", defines={}, whole=True)
    return _our_types(unit)


_CPP = """
alignas alignof asm auto bool break case catch char class const consteval constexpr constinit
const_cast continue decltype default delete do double dynamic_cast else enum explicit export extern
false final float for friend goto if inline int long mutable namespace new noexcept nullptr override
private protected public register reinterpret_cast requires return short signed sizeof static
static_assert static_cast struct switch template this thread_local throw true try typedef typeid
typename union unsigned using virtual void volatile wchar_t while __attribute__ __declspec
__restrict __inline__
"""
_KEYWORDS = frozenset(_CPP.split())


def _not_known(error: Diagnostic) -> str:
    """Return which type our headers only declare, or nothing."""
    notes = [n.location.file for n in error.children]
    ours = any(file is not None and is_ours(file.name) for file in notes)
    text = error.spelling
    if ours and ("incomplete" in text or "undefined template" in text):
        name = re.search(r"(?:type|template) '(.*?)'", text)
        return f"the layout of {name.group(1) if name else 'a type'} is not known"
    return ""


def _place(where: SourceLocation) -> Place | None:
    return Place(where.file.name, where.line, where.column) if where.file else None


def _shortened(message: str) -> str:
    line = message.split("\n")[0]
    return line if len(line) <= _LONGEST else line[: _LONGEST - 3] + "..."


def _advice(message: str) -> str:
    if "file not found" in message:
        return "give its folder by -I"
    if "undeclared identifier" in message or "unknown type name" in message:
        return "give what it stands for by -D, or its header's folder by -I"
    return "fix the source"
