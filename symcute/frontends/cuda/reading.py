"""From text to the kernels that are asked for, within one process."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path

from clang.cindex import Cursor, TranslationUnit

from symcute.frontends.cuda.comments import invariants, notes_of
from symcute.frontends.cuda.ctype import Types
from symcute.frontends.cuda.failing import Errors, Failure
from symcute.frontends.cuda.headers import is_ours
from symcute.frontends.cuda.inlining import body
from symcute.frontends.cuda.kernel import lower
from symcute.frontends.cuda.library import (
    children,
    initializer,
    kind_of,
    parse,
    place_of,
    template_of,
    walk,
)
from symcute.kernel.ir.program import Kernel, NotUnderstood, Place

__all__ = ["Request", "read"]

_INSIDE = ("NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL")
_ASKED = "<the kernel asked for>"


@dataclass(frozen=True)
class Request:
    """What is read: text, and what a compiler is told besides."""

    path: str
    text: str
    name: str | None = None
    defines: Mapping[str, str] = field(default_factory=dict)
    template_args: Mapping[str, str] = field(default_factory=dict)
    include_dirs: Sequence[str] = ()


@dataclass
class _Found:
    """The kernels of a file, the templates of kernels, and what is made of these in the file."""

    kernels: dict[str, Cursor] = field(default_factory=dict)
    templates: dict[str, Cursor] = field(default_factory=dict)
    made: dict[str, Cursor] = field(default_factory=dict)


def read(request: Request) -> dict[str, Kernel]:
    """Return the kernels that are asked for.

    Errors: `Failure`, with a message of clang's and its place, or the names that there are.
    """
    unit = _parse(request, ())
    found = _find(unit)
    asked = _asked(request, found)
    if asked:
        unit = _parse(request, asked)
        found = _find(unit)
    wanted = _wanted(request, unit, found, asked)
    types, errors = Types(), Errors(unit)
    if not wanted and "__global__" in request.text:
        errors.refuse_lost()  # a kernel may be what was lost
    kept = invariants(request.path, request.text)
    kernels: dict[str, Kernel] = {}
    for name, function in wanted.items():
        kernel, reached = lower(types, function, name, kept)
        unknown = errors.refuse(reached)
        if unknown is not None:
            nothing = NotUnderstood(unknown.what, unknown.place or kernel.place, barrier=True)
            kernel = replace(kernel, body=(nothing,))
        kernels[name] = replace(
            kernel,
            notes=_notes(request, place_of(function)),
            launch_bounds=_launch_bounds(function),
        )
    return kernels


def _parse(request: Request, asked: Sequence[str]) -> TranslationUnit:
    text = request.text
    if asked:
        lines = "".join(
            f"__attribute__((device)) auto kernel{n} = &{name};\n" for n, name in enumerate(asked)
        )
        text += f'\n#line 1 "{_ASKED}"\nnamespace symcute_asked {{\n{lines}}}\n'
    return parse(request.path, text, defines=request.defines, include_dirs=request.include_dirs)


# --- which kernels --------------------------------------------------------------------------------


def _find(unit: TranslationUnit) -> _Found:
    found = _Found()
    hosts: list[Cursor] = []
    stack = list(reversed(children(unit.cursor)))
    while stack:
        cursor = stack.pop()
        kind = kind_of(cursor)
        if kind in _INSIDE:
            stack += reversed(children(cursor))
        elif kind == "FUNCTION_TEMPLATE" and cursor.is_definition() and _is_kernel(cursor):
            found.templates.setdefault(_full_name(cursor), cursor)
        elif kind == "FUNCTION_DECL" and not is_ours(place_of(cursor).file):
            if template_of(cursor) is not None:
                continue
            if _is_kernel(cursor):
                if cursor.is_definition() and body(cursor) is not None:
                    found.kernels.setdefault(_full_name(cursor), cursor)
            else:
                hosts.append(cursor)
    if found.templates:
        for host in hosts:
            _instances(host, found)
    return found


def _instances(host: Cursor, found: _Found) -> None:
    """Find what host code makes of templates of kernels."""
    for cursor in walk(host):
        if kind_of(cursor) != "DECL_REF_EXPR" or cursor.referenced is None:
            continue
        function = cursor.referenced
        made = kind_of(function) == "FUNCTION_DECL" and template_of(function) is not None
        if made and _is_kernel(function) and body(function) is not None:
            found.made.setdefault(_instance_name(function), function)


def _is_kernel(cursor: Cursor) -> bool:
    return any(kind_of(c) == "CUDAGLOBAL_ATTR" for c in children(cursor))


def _full_name(cursor: Cursor) -> str:
    names = [cursor.spelling]
    parent = cursor.semantic_parent
    while parent is not None and kind_of(parent) == "NAMESPACE":
        if parent.spelling and not parent.spelling.startswith("("):
            names.append(parent.spelling)
        parent = parent.semantic_parent
    return "::".join(reversed(names))


def _instance_name(function: Cursor) -> str:
    arguments = []
    for number in range(max(function.get_num_template_arguments(), 0)):
        kind = function.get_template_argument_kind(number).name
        if kind == "TYPE":
            arguments.append(function.get_template_argument_type(number).spelling)
        elif kind == "INTEGRAL":
            arguments.append(str(function.get_template_argument_value(number)))
        else:
            arguments.append("?")
    return f"{_full_name(function)}<{', '.join(arguments)}>"


def _asked(request: Request, found: _Found) -> list[str]:
    """Return the instances of templates that must be made."""
    name = request.name
    if name is not None and "<" in name:
        return [name]
    asked = []
    for title, template in found.templates.items():
        if name not in (None, title, title.split("::")[-1]):
            continue
        given = {**_noted(request, template), **request.template_args}
        full = _filled(template, given)
        if full is not None:
            asked.append(f"{title}<{full}>")
    return asked


def _noted(request: Request, template: Cursor) -> dict[str, str]:
    """Return the arguments that a note `template T=float N=32` gives to a template."""
    given: dict[str, str] = {}
    for text, _ in _notes(request, place_of(template)):
        if text.startswith("template "):
            given |= dict(re.findall(r"(\w+)\s*=\s*(\S+)", text))
    return given


def _filled(template: Cursor, given: Mapping[str, str]) -> str | None:
    """Return template arguments as text, or None where one that is needed is not given."""
    names = _template_parameters(template)
    values: list[str] = []
    for name in names:
        if name not in given:
            break
        values.append(str(given[name]))
    # Those that are not given must have defaults; clang says so when they have not.
    return ", ".join(values) if values else None


def _template_parameters(template: Cursor) -> list[str]:
    return [c.spelling for c in children(template) if kind_of(c).startswith("TEMPLATE_")
            and kind_of(c).endswith("PARAMETER")]  # fmt: skip


def _wanted(
    request: Request, unit: TranslationUnit, found: _Found, asked: Sequence[str]
) -> dict[str, Cursor]:
    instances = _asked_for(unit, asked)
    if request.name is None:
        return {**found.kernels, **found.made, **instances}
    if instances:
        return instances
    name = request.name
    for table in (found.kernels, found.made):
        exact = {t: c for t, c in table.items() if name in (t, t.split("::")[-1])}
        exact = exact or {t: c for t, c in table.items() if t.split("<")[0] == name}
        if exact:
            return exact
    for title, template in found.templates.items():
        if name in (title, title.split("::")[-1]):
            over = ", ".join(_template_parameters(template))
            raise Failure(
                f"{title} is a template over {over}",
                f"give its arguments: name='{title}<...>', or template_args",
            )
    known = [*found.kernels, *found.made, *(f"{t}<...>" for t in found.templates)]
    near = get_close_matches(name, known, n=3, cutoff=0.5) or known[:20]
    fix = f"kernels here: {', '.join(near)}" if near else "a kernel is a function with __global__"
    raise Failure(f"there is no kernel {name} in {request.path}", fix)


def _asked_for(unit: TranslationUnit, asked: Sequence[str]) -> dict[str, Cursor]:
    instances: dict[str, Cursor] = {}
    if not asked:
        return instances
    for space in children(unit.cursor):
        if kind_of(space) != "NAMESPACE" or space.spelling != "symcute_asked":
            continue
        for variable in children(space):
            value = initializer(variable)
            functions = [] if value is None else [
                c.referenced for c in walk(value)
                if kind_of(c) == "DECL_REF_EXPR" and c.referenced is not None
            ]  # fmt: skip
            number = int(variable.spelling.removeprefix("kernel"))
            if functions and body(functions[0]) is not None:
                instances[asked[number]] = functions[0]
    for name in asked:
        if name not in instances:
            _refuse(unit, name)
    return instances


def _refuse(unit: TranslationUnit, name: str) -> None:
    """Say why an instance of a template could not be made."""
    for problem in unit.diagnostics:
        file = problem.location.file
        if problem.severity >= 3 and file is not None and file.name == _ASKED:
            raise Failure(f"{name}: {problem.spelling}", "see the template's parameters")
    raise Failure(f"{name} could not be made", "see the template's parameters")


# --- what is said of a kernel ---------------------------------------------------------------------


def _notes(request: Request, place: Place) -> tuple[tuple[str, Place], ...]:
    text = request.text
    if place.file != request.path:
        try:
            text = Path(place.file).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ()
    return notes_of(place.file, text, place.line)


def _launch_bounds(function: Cursor) -> int | None:
    """Return the most threads that `__launch_bounds__` allows, where it is written as a number."""
    for attribute in children(function):
        found = re.match(r"symcute\.launch_bounds\s+([\d\s*()]+)(,|$)", attribute.spelling or "")
        if kind_of(attribute) == "ANNOTATE_ATTR" and found:
            product = 1
            for factor in re.findall(r"\d+", found.group(1)):
                product *= int(factor)
            return product
    return None
