"""A source as clang reads it: its kernels, the templates of kernels, and what is made of them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from clang.cindex import Cursor, Diagnostic, TranslationUnit

from symcute.frontends.cuda.headers import is_ours
from symcute.frontends.cuda.inlining import body
from symcute.frontends.cuda.instances import instances, is_kernel
from symcute.frontends.cuda.library import (
    children,
    key,
    kind_of,
    parse,
    place_of,
    template_of,
)
from symcute.frontends.cuda.naming import full_name, instance_name
from symcute.frontends.cuda.outermost import top_level
from symcute.frontends.cuda.requests import ASKED, MADE, Asked, asked_again, made_for, requests

__all__ = ["MOST_MADE", "Found", "Request", "Unit", "blamed", "parsed", "with_requests"]

_INSIDE = ("NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL")
#: Instances of one template that are read unless they are asked for.
MOST_MADE = 12
#: Requests for instances that are followed, of one template and of a source.
MOST_OF_ONE, MOST_REQUESTS = 4, 40


@dataclass(frozen=True)
class Request:
    """What is read: text, and what a compiler is told besides."""

    path: str
    text: str
    name: str | None = None
    defines: Mapping[str, str] = field(default_factory=dict)
    template_args: Mapping[str, str] = field(default_factory=dict)
    include_dirs: Sequence[str] = ()
    #: The one file whose kernels are wanted, of those that the text includes.
    only: str = ""


@dataclass
class Found:
    """The kernels of a file, the templates of kernels, and what is made of these in the file."""

    kernels: dict[str, Cursor] = field(default_factory=dict)
    templates: dict[str, Cursor] = field(default_factory=dict)
    made: dict[str, Cursor] = field(default_factory=dict)
    hosts: list[Cursor] = field(default_factory=list)
    requested: dict[Asked, Cursor] = field(default_factory=dict)


@dataclass
class Unit:
    """A source as clang reads it, what it makes for whom asks, and which headers it lacks."""

    tree: TranslationUnit
    missing: list[str]
    found: Found
    #: Requests for instances that clang makes here, and those of which nothing is known.
    requested: Sequence[Asked] = ()
    unmade: Sequence[Asked] = ()


def parsed(
    request: Request, asked: Iterable[str], requested: Sequence[Asked], missing: Sequence[str]
) -> Unit:
    """Return a source with instances that are `asked` for by name, and those `requested` in it."""
    text = request.text
    if asked or requested:
        lines = "".join(
            f"__attribute__((device)) auto kernel{n} = &{name};\n" for n, name in enumerate(asked)
        )
        text += f"\n{asked_again(requested)}namespace {ASKED} {{\n{lines}}}\n"
    tree, absent = parse(
        request.path, text, defines=request.defines, include_dirs=request.include_dirs,
        missing=missing,
    )  # fmt: skip
    return Unit(tree, absent, _find(tree, request.only, requested), requested)


def with_requests(request: Request, unit: Unit) -> Unit:
    """Return a source with what it makes of templates for other files.

    What clang cannot make with what is known of headers would say something wrong of the others.
    """
    if not (unit.found.kernels or unit.found.templates):
        return unit
    asked = requests(unit.tree)
    of: Counter[str] = Counter()
    known: list[Asked] = []
    for one in asked:
        title = one.function.split("<")[0]
        of[title] += 1
        if one.function and of[title] <= MOST_OF_ONE and len(known) < MOST_REQUESTS:
            known.append(one)
    if not known:
        return replace(unit, unmade=asked)
    missing = unit.missing
    unit = parsed(request, (), known, missing)
    bad = blamed(request, unit)
    if bad:
        known = [one for n, one in enumerate(known) if n not in bad] or known[:1]
        unit = parsed(request, (), known, missing)
    unmade = [one for one in asked if one not in unit.found.requested]
    return replace(unit, unmade=unmade)


def blamed(request: Request, unit: Unit) -> dict[int, str]:
    """Return which lines that were added behind the text errors come from, and what these say."""
    first = request.text.count("\n") + 2
    found: dict[int, str] = {}
    for problem in unit.tree.diagnostics:
        if problem.severity < Diagnostic.Error:
            continue
        for here in (problem.location, *(n.location for n in problem.children)):
            if here.file is not None and here.file.name == request.path and here.line >= first:
                found.setdefault(here.line - first, problem.spelling)
    return found


def _find(unit: TranslationUnit, only: str, requested: Sequence[Asked]) -> Found:
    found = Found()
    wanted = _files(only)
    stack = list(reversed(top_level(unit)))
    while stack:
        cursor = stack.pop()
        kind = kind_of(cursor)
        if kind == "VAR_DECL" and cursor.semantic_parent.spelling == ASKED:
            _take_made(cursor, requested, found)
        elif kind in _INSIDE:
            stack += reversed(children(cursor))
        elif kind == "FUNCTION_TEMPLATE" and cursor.is_definition() and is_kernel(cursor):
            if wanted(cursor):
                found.templates[_own_name(cursor, found.templates)] = cursor
        elif kind == "FUNCTION_DECL" and not is_ours(place_of(cursor).file):
            if template_of(cursor) is not None:
                continue
            if is_kernel(cursor):
                if cursor.is_definition() and body(cursor) is not None and wanted(cursor):
                    found.kernels[_own_name(cursor, found.kernels)] = cursor
            else:
                found.hosts.append(cursor)
    if found.templates:
        own = [f for f in found.requested.values() if is_kernel(f)]
        known = set(map(key, own))
        others = (f for f in instances(unit, found.hosts) if key(f) not in known)
        for instance in (*own, *others):
            if wanted(instance):
                found.made[instance_name(instance, found.made)] = instance
    return found


def _take_made(variable: Cursor, requested: Sequence[Asked], found: Found) -> None:
    """Take what is made for a request: a kernel, or a function that may launch some."""
    number = variable.spelling.removeprefix(MADE)
    function = made_for(variable) if number.isdecimal() else None
    if function is not None and body(function) is not None:
        found.requested[requested[int(number)]] = function
        if not is_kernel(function) and key(function) not in map(key, found.hosts):
            found.hosts.append(function)


def _files(only: str) -> Callable[[Cursor], bool]:
    """Return whether a declaration stands in a file, or in any where none is named."""
    return lambda cursor: not only or os.path.realpath(place_of(cursor).file) == only


def _own_name(cursor: Cursor, others: Collection[str]) -> str:
    """Return a kernel's name, with its types where another has it already: an overload."""
    name = full_name(cursor)
    if name in others:
        name = name.removesuffix(cursor.spelling) + cursor.displayname
    return name
