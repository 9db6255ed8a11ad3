"""Requests to instantiate templates, `template void f<float>(float *);`, as text has them.

Clang shows what is made for them, and not that it is asked for: each is asked for again, by taking
the address of the function in the namespaces that the request stands in. Macros that expand to
requests are expanded here as text. What comes of a mistake in that is another instance, with its
own name, or none, and then it is told that there are more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from clang.cindex import Cursor, TranslationUnit

from symcute.frontends.cuda.extents import SPACES, Extent, Where
from symcute.frontends.cuda.headers import is_ours
from symcute.frontends.cuda.library import (
    children,
    file_text,
    initializer,
    kind_of,
    place_of,
    walk,
)
from symcute.frontends.cuda.outermost import top_level
from symcute.frontends.cuda.words import DIRECTIVE, closure, macro_bodies, words

__all__ = ["ASKED", "MADE", "Asked", "asked_again", "made_for", "reached_words", "requests"]

#: The namespace in which instances of templates are asked for, which launches nothing.
ASKED = "symcute_asked"
#: How the variables are called that hold what is made for a request.
MADE = "made"
#: How often the expansion of macros is expanded again.
_NESTED = 3

#: A template that is instantiated for all files, and what it is said of.
_REQUEST = re.compile(r"(?<![.>:])\btemplate\b(?!\s*<)([^;{]*)")
_REMARK = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_MACRO = re.compile(r"\s*([A-Za-z_]\w*)\(([^()]*)\)(.*)", re.DOTALL)
_NAMED = re.compile(r"([A-Za-z_][\w:]*)\s*<")


@dataclass(frozen=True)
class Asked:
    """A request: all that it speaks of, the function with its arguments if it is one, and where."""

    words: frozenset[str]
    function: str
    #: The namespaces that it stands in, from the outermost; one without a name is empty.
    spaces: tuple[str, ...] = ()


def requests(unit: TranslationUnit) -> list[Asked]:
    """Return the requests in the user's files, each once, in their order."""
    spaces: list[tuple[Extent, str]] = []
    # A file may have requests alone, of what it includes.
    files: dict[str, None] = {unit.spelling: None}
    waiting = [(c, 0) for c in reversed(top_level(unit))]
    while waiting:
        cursor, depth = waiting.pop()
        file = place_of(cursor).file
        if is_ours(file):
            continue
        files[file] = None
        if kind_of(cursor) == "NAMESPACE":
            spaces.append((Extent.of(cursor), cursor.spelling))
        if kind_of(cursor) in SPACES:
            waiting += [(c, depth + 1) for c in reversed(children(cursor))]
    texts = {f: _REMARK.sub(_blank, file_text(unit.cursor, f)) for f in files}
    macros = {n: m for text in texts.values() for n, m in _macros(text).items()}
    found: dict[Asked, None] = {}
    for file, text in texts.items():
        code = DIRECTIVE.sub(_blank, text)
        for offset, said in (*_said(code), *_expanded(code, macros)):
            within = [n for e, n in spaces if e.holds(Where(file, offset))]
            named = tuple("" if n.startswith("(") else n for n in within)
            found[Asked(frozenset(words(said)), _function(said), named)] = None
    used = {n for text in texts.values() for n in words(DIRECTIVE.sub(_blank, text))}
    left = list(used & macros.keys())
    while left:
        more = (words(macros[left.pop()][1]) & macros.keys()) - used
        used |= more
        left += more
    for name, (_, body) in macros.items():
        if name not in used:
            found |= {Asked(frozenset(words(s)), ""): None for _, s in _said(body)}
    return list(found)


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found.group())


def _said(text: str) -> list[tuple[int, str]]:
    return [(m.start(), m.group(1)) for m in _REQUEST.finditer(text)]


def _macros(text: str) -> dict[str, tuple[list[str], str]]:
    """Return the macros with parameters, by their names: the parameters, and the body."""
    macros = {}
    for found in DIRECTIVE.finditer(text):
        named = _MACRO.match(found.group(2)) if found.group(1) == "define" else None
        if named:
            over = [p.strip() for p in named.group(2).split(",")]
            macros[named.group(1)] = over, named.group(3).replace("\\\n", " ")
    return macros


def _expanded(code: str, macros: Mapping[str, tuple[list[str], str]]) -> Iterator[tuple[int, str]]:
    """Yield the requests that uses of macros expand to, and where the uses are."""
    asking = {n for n, (_, body) in macros.items() if _REQUEST.search(body)}
    for _ in range(_NESTED):
        asking |= {n for n, (_, body) in macros.items() if words(body) & asking}
    waiting = [(0, code, 0)] if asking else []
    while waiting:
        base, text, depth = waiting.pop(0)
        for name in re.finditer(r"\b([A-Za-z_]\w*)\s*\(", text):
            if name.group(1) not in asking:
                continue
            given = _arguments(text, name.end())
            over, body = macros[name.group(1)]
            if len(given) != len(over):
                continue
            by_name = dict(zip(over, given, strict=True))
            offset = base if depth else name.start()
            made = re.sub(r"[A-Za-z_]\w*", partial(_replaced, by_name), body)
            yield from ((offset, s) for _, s in _said(made))
            if depth < _NESTED:
                waiting.append((offset, made, depth + 1))


def _replaced(by_name: Mapping[str, str], found: re.Match[str]) -> str:
    return by_name.get(found.group(), found.group())


def _arguments(text: str, at: int) -> list[str]:
    """Return the arguments of a macro behind its opening parenthesis."""
    given, depth, start = [], 0, at
    for here in re.compile(r"[(),]").finditer(text, at):
        sign = here.group()
        if depth == 0 and sign in ",)":
            given.append(text[start : here.start()].strip())
            start = here.end()
            if sign == ")":
                break
        depth += (sign == "(") - (sign == ")")
    return given


def _function(said: str) -> str:
    """Return the function with its arguments of which a request speaks, or nothing.

    >>> _function(" std::vector<int> n::f<A<2>, (3 > 2)>(int *x)")
    'n::f<A<2>, (3 > 2)>'
    """
    for name in _NAMED.finditer(said):
        angles, round_ = 1, 0
        for here in re.compile(r"[<>()]").finditer(said, name.end()):
            sign = here.group()
            round_ += (sign == "(") - (sign == ")")
            angles += ((sign == "<") - (sign == ">")) * (round_ == 0)
            if angles == 0:
                if said[here.end() :].lstrip().startswith("("):
                    return " ".join(said[name.start() : here.end()].split())
                break
    return ""


def asked_again(asked: Sequence[Asked]) -> str:
    """Return C++ that makes what requests ask for, a line for each."""
    lines = []
    for number, one in enumerate(asked):
        opened = "".join(f"namespace {n} {{ " for n in (*one.spaces, ASKED))
        variable = f"auto {MADE}{number} = &{one.function};" if one.function else ""
        lines.append(opened + variable + " }" * (len(one.spaces) + 1) + "\n")
    return "".join(lines)


def made_for(variable: Cursor) -> Cursor | None:
    """Return the function that is made for a request, by the variable that holds it."""
    value = initializer(variable)
    for c in walk(value) if value is not None else ():
        if kind_of(c) == "DECL_REF_EXPR" and c.referenced is not None:
            named = c.referenced
            return named if kind_of(named) == "FUNCTION_DECL" else None
    return None


def reached_words(unit: TranslationUnit, asked: Sequence[Asked]) -> set[str]:
    """Return the words of requests, and of the templates and macros that they name, and so on."""
    bodies: dict[str, set[str]] = {}
    files = set[str]()
    waiting = list(top_level(unit))
    while waiting:
        cursor = waiting.pop()
        if is_ours(place_of(cursor).file):
            continue
        files.add(place_of(cursor).file)
        if kind_of(cursor) in SPACES:
            waiting += children(cursor)
        elif "TEMPLATE" in kind_of(cursor):
            extent = Extent.of(cursor)
            text = file_text(unit.cursor, extent.file or "")[extent.start : extent.end]
            bodies.setdefault(cursor.spelling, set()).update(words(text))
    for file in files:
        for name, said in macro_bodies(file_text(unit.cursor, file)):
            bodies.setdefault(name, set()).update(said)
    return closure((w for one in asked for w in one.words), bodies)
