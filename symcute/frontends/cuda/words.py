"""The names in C++ text of which clang gives no tree: what it speaks of, and what it declares."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

__all__ = ["DIRECTIVE", "closure", "declared", "kernels_in", "macro_bodies", "plain", "words"]

_SILENT = re.compile(
    r'//(?:\\\n|[^\n])*|/\*.*?\*/|R"([^()\s\\]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'',
    re.DOTALL,
)
_DIGITS = re.compile(r"\b\d[\w.']*")
_WORD = re.compile(r"[A-Za-z_]\w*")
#: A directive with the lines that it goes on in: its name, and the rest.
DIRECTIVE = re.compile(r"^[ \t]*(?:#|%:)[ \t]*(\w+)((?:\\\n|[^\n])*)", re.MULTILINE)
_DEFINED = re.compile(r"\s*([A-Za-z_]\w*)(.*)", re.DOTALL)
_TOKEN = re.compile(r"[A-Za-z_]\w*|[(){}\[\];]")
#: What braces may follow that hold declarations of the same level.
_TRANSPARENT = re.compile(r"(?:\bnamespace\b[\w\s:]*|\bextern\s*)$")


def plain(text: str) -> str:
    """Return text of the same length with blanks for comments and for what is quoted.

    >>> plain("a /* b */ 'c'")
    'a            '
    """
    blank = _SILENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
    # A digit separator is no quote, and numbers have no names in them.
    return _DIGITS.sub(lambda m: " " * len(m.group()), blank)


def words(text: str) -> set[str]:
    """Return the identifiers in plain text.

    >>> sorted(words("a[i] + b2"))
    ['a', 'b2', 'i']
    """
    return set(_WORD.findall(text))


def macro_bodies(text: str) -> Iterator[tuple[str, set[str]]]:
    """Yield the macros that plain text defines, or takes back, and what each speaks of."""
    for found in DIRECTIVE.finditer(text):
        named = _DEFINED.match(found.group(2)) if found.group(1) in ("define", "undef") else None
        if named:
            yield named.group(1), words(named.group(2))


def closure(first: Iterable[str], bodies: Mapping[str, Collection[str]]) -> set[str]:
    """Return words, those that what they name speaks of, and so on.

    >>> sorted(closure({"f"}, {"f": {"g", "x"}, "g": {"f"}, "h": {"y"}}))
    ['f', 'g', 'x']
    """
    found = set(first)
    waiting = list(found)
    while waiting:
        more = {*bodies.get(waiting.pop(), ())} - found
        found |= more
        waiting += more
    return found


def declared(text: str) -> set[str]:
    """Return all names that plain text may declare: those outside of parentheses and bodies.

    >>> sorted(declared("static T f(U u) { return g(u); } namespace n { V w; }"))
    ['T', 'V', 'f', 'n', 'namespace', 'static', 'w']
    """
    text = _without_parameters(DIRECTIVE.sub(lambda m: " " * len(m.group()), text))
    found: set[str] = set()
    depth = start = 0
    open_braces: list[bool] = []
    for token in _TOKEN.finditer(text):
        here = token.group()
        if here == "{":
            seen = bool(_TRANSPARENT.search(text[start : token.start()])) and depth == 0
            open_braces.append(seen)
            depth += not seen
        elif here in "([":
            depth += 1
        elif here == "}":
            depth = max(0, depth - (not open_braces.pop() if open_braces else False))
        elif here in ")]":
            depth = max(0, depth - 1)
        elif here != ";" and depth == 0:
            found.add(here)
        if here in "{};":
            start = token.end()
    return found


def _without_parameters(text: str) -> str:
    """Return text with blanks for the parameters of templates, which nothing else names."""
    pieces, at = [], 0
    for found in re.finditer(r"\btemplate\s*<", text):
        if found.start() < at:
            continue
        depth, end = 1, found.end()
        for here in re.compile(r"[<>(){};]").finditer(text, end):
            sign = here.group()
            depth += (sign in "<(") - (sign in ">)")
            end = here.end()
            if depth == 0 or sign in "{};":
                break
        pieces += [text[at : found.end()], " " * (end - found.end())]
        at = end
    return "".join(pieces) + text[at:]


def kernels_in(text: str) -> Iterator[tuple[str, int]]:
    """Yield the names of the functions with bodies that plain text calls `__global__`, and where.

    >>> list(kernels_in("__global__ void __launch_bounds__(32) k(int *x) {}"))
    [('k', 0)]
    """
    text = DIRECTIVE.sub(lambda m: " " * len(m.group()), text)
    for found in re.finditer(r"\b__global__\b", text):
        at = found.end()
        while True:
            opening = re.compile(r"[(;{}]").search(text, at)
            if opening is None or opening.group() != "(":
                break
            name = re.search(r"([A-Za-z_]\w*)\s*$", text[at : opening.start()])
            at = _closed(text, opening.start())
            after = re.compile(r"\s*(.?)").match(text, at)
            behind = after.group(1) if after else ""
            # Where parentheses do not end, clang has lost it too.
            if name and (behind == "{" or at == len(text)):
                yield name.group(1), found.start()
                break
            if behind in ("", ";", "}"):
                break


def _closed(text: str, at: int) -> int:
    """Return where what a parenthesis at a place opens has ended."""
    depth = 0
    for here in re.compile(r"[()]").finditer(text, at):
        depth += 1 if here.group() == "(" else -1
        if depth == 0:
            return here.end()
    return len(text)
