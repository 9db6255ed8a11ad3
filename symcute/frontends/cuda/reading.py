"""From text to the kernels that are asked for, within one process."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path

from clang.cindex import Cursor, TranslationUnit

from symcute.frontends.cuda.comments import invariants, notes_of
from symcute.frontends.cuda.ctype import Types
from symcute.frontends.cuda.failing import Errors, Failure
from symcute.frontends.cuda.headers import is_ours
from symcute.frontends.cuda.host.reaching import (
    ASKED,
    instantiations,
)
from symcute.frontends.cuda.host.sites import Sites
from symcute.frontends.cuda.inlining import body
from symcute.frontends.cuda.instances import full_name, instance_name, instances, is_kernel
from symcute.frontends.cuda.kernel import lower
from symcute.frontends.cuda.library import (
    children,
    file_text,
    initializer,
    kind_of,
    parse,
    place_of,
    template_of,
    top_level,
    walk,
)
from symcute.frontends.cuda.target import CUDA
from symcute.frontends.cuda.words import kernels_in, plain
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Kernel, NotUnderstood

__all__ = ["Request", "read"]

_INSIDE = ("NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL")
_ASKED = "<the kernel asked for>"
#: Instances of one template that are read unless they are asked for.
MOST_MADE = 12
#: What stands for a number of a template that nobody says: a warp's lanes.
_NUMBERS = {"BOOL": "false"} | dict.fromkeys(
    ("INT", "UINT", "LONG", "ULONG", "LONGLONG", "ULONGLONG", "SHORT", "USHORT"), "32"
)


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
class _Found:
    """The kernels of a file, the templates of kernels, and what is made of these in the file."""

    kernels: dict[str, Cursor] = field(default_factory=dict)
    templates: dict[str, Cursor] = field(default_factory=dict)
    made: dict[str, Cursor] = field(default_factory=dict)
    hosts: list[Cursor] = field(default_factory=list)


@dataclass
class _Unit:
    """A source as clang reads it, what it makes for whom asks, and which headers it lacks."""

    tree: TranslationUnit
    missing: list[str]
    found: _Found


def read(request: Request) -> tuple[dict[str, Kernel], list[str]]:
    """Return the kernels that are asked for, and the headers that were not found.

    A kernel of which clang gives no tree that can be trusted is all `NotUnderstood`.
    Errors: `Failure`, with the names that there are, where there is no such kernel.
    """
    unit = _parse(request, (), ())
    asked = _asked(request, unit.found)
    if asked:
        unit = _parse(request, asked, unit.missing)
    errors = Errors(unit.tree, unit.missing, request.defines)
    lost = {} if request.only else _lost(request, unit, errors)
    wanted = _wanted(request, unit, asked, lost)
    lost |= _unmade(request, unit, asked, wanted) | _left_out(request, unit)
    lost |= _instantiated(request, unit)
    types = Types()
    kept = invariants(request.path, request.text)
    kernels: dict[str, Kernel] = {}
    sites = Sites(unit.tree, types, unit.found.hosts, errors)
    for name, function in wanted.items():
        kernel, reached = lower(types, function, name, kept)
        unknown = errors.concerning(reached)
        if unknown is not None:
            kernel = replace(kernel, body=_nothing(unknown, kernel.place))
        kernels[name] = replace(
            kernel,
            notes=_notes(request, place_of(function)),
            launch_bounds=_launch_bounds(function),
            granted=_granted(unit.missing),
        )
        if not any(note.startswith("launch ") for note, _ in kernels[name].notes):
            kernels[name] = replace(kernels[name], families=sites.of(function, kernels[name]))
    shown = {n: k for n, k in lost.items() if request.name in (None, n) and n not in kernels}
    return kernels | shown, unit.missing


def _granted(missing: Sequence[str]) -> tuple[str, ...]:
    if not missing:
        return ()
    return (f"what is read means the same with {', '.join(missing)}, which was not found",)


def _nothing(why: Failure, place: Place) -> tuple[NotUnderstood]:
    return (NotUnderstood(why.what, why.place or place, barrier=True),)


def _lost(request: Request, unit: _Unit, errors: Errors) -> dict[str, Kernel]:
    """Return the kernels that the text has and that clang's tree does not, by their names."""
    if not errors.any:
        return {}
    seen = {n.split("::")[-1].split("<")[0] for n in (*unit.found.kernels, *unit.found.templates)}
    text = plain(file_text(unit.tree.cursor, request.path))
    lost: dict[str, Kernel] = {}
    for name, offset in kernels_in(text):
        if name not in seen:
            line = text.count("\n", 0, offset) + 1
            place = Place(request.path, line, offset - text.rfind("\n", 0, offset))
            body = _nothing(errors.first_near(request.path, offset), place)
            notes = _notes(request, place)
            lost[name] = Kernel(name, (), (), body, place, CUDA, notes=notes)
    return lost


def _unmade(
    request: Request, unit: _Unit, asked: Mapping[str, str], wanted: Collection[str]
) -> dict[str, Kernel]:
    """Return the templates of which nothing is made, by their names with their parameters."""
    made = {asked.get(n) or n.split("<")[0] for n in wanted}
    out: dict[str, Kernel] = {}
    for title, template in unit.found.templates.items():
        if title in made or request.name is not None:
            continue
        over = ", ".join(_template_parameters(template))
        place = place_of(template)
        why = Failure(f"a template over {over}, of which the file makes nothing", place=place)
        tried = [n for n, t in asked.items() if t == title]
        if tried:
            why = replace(_refusal(unit.tree, tried[0]), place=place)
        notes = _notes(request, place)
        name = f"{title}<{over}>"
        out[name] = Kernel(name, (), (), _nothing(why, place), place, CUDA, notes=notes)
    return out


def _by_template(found: _Found) -> dict[str, list[tuple[str, Cursor]]]:
    """Return the instances that host code makes, by the names of their templates."""
    made: dict[str, list[tuple[str, Cursor]]] = {}
    for name, cursor in found.made.items():
        made.setdefault(name.split("<")[0], []).append((name, cursor))
    return made


def _left_out(request: Request, unit: _Unit) -> dict[str, Kernel]:
    """Return one kernel, of which nothing is known, for instances beyond the most of a template."""
    out: dict[str, Kernel] = {}
    for title, made in _by_template(unit.found).items():
        more = len(made) - MOST_MADE
        if more > 0 and request.name is None:
            place, name = place_of(made[0][1]), f"{title}<...>"
            why = f"{more} more instances, which are read when they are asked for by name"
            body = (NotUnderstood(why, place, barrier=True),)
            out[name] = Kernel(name, (), (), body, place, CUDA)
    return out


def _instantiated(request: Request, unit: _Unit) -> dict[str, Kernel]:
    """Return one kernel, of which nothing is known, for each template that the text instantiates.

    Clang does not show for which arguments.
    """
    templates = unit.found.templates if request.name is None and not request.template_args else {}
    words = instantiations(unit.tree) if templates else set[str]()
    out: dict[str, Kernel] = {}
    for title, template in templates.items():
        if template.spelling in words and not _noted(request, template):
            place, name = place_of(template), f"{title}<instantiated>"
            why = "instances that the file makes for others, which are read when asked for by name"
            out[name] = Kernel(
                name, (), (), (NotUnderstood(why, place, barrier=True),), place, CUDA
            )
    return out


def _parse(request: Request, asked: Iterable[str], missing: Sequence[str]) -> _Unit:
    text = request.text
    if asked:
        lines = "".join(
            f"__attribute__((device)) auto kernel{n} = &{name};\n" for n, name in enumerate(asked)
        )
        text += f'\n#line 1 "{_ASKED}"\nnamespace {ASKED} {{\n{lines}}}\n'
    tree, absent = parse(
        request.path, text, defines=request.defines, include_dirs=request.include_dirs,
        missing=missing,
    )  # fmt: skip
    return _Unit(tree, absent, _find(tree, request.only))


# --- which kernels --------------------------------------------------------------------------------


def _find(unit: TranslationUnit, only: str) -> _Found:
    found = _Found()
    wanted = _files(only)
    stack = list(reversed(top_level(unit)))
    while stack:
        cursor = stack.pop()
        kind = kind_of(cursor)
        if kind in _INSIDE:
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
        for instance in instances(unit, found.hosts):
            if wanted(instance):
                found.made[instance_name(instance, found.made)] = instance
    return found


def _files(only: str) -> Callable[[Cursor], bool]:
    """Return whether a declaration stands in a file, or in any where none is named."""
    return lambda cursor: not only or os.path.realpath(place_of(cursor).file) == only


def _own_name(cursor: Cursor, others: Collection[str]) -> str:
    """Return a kernel's name, with its types where another has it already: an overload."""
    name = full_name(cursor)
    if name in others:
        name = name.removesuffix(cursor.spelling) + cursor.displayname
    return name


def _asked(request: Request, found: _Found) -> dict[str, str]:
    """Return the instances of templates that must be made, with the names of the templates."""
    name = request.name
    if name is not None and "<" in name:
        return {name: ""}
    made = {n.split("<")[0] for n in found.made}
    asked = {}
    for title, template in found.templates.items():
        if name not in (None, title, title.split("::")[-1]):
            continue
        given = {**_noted(request, template), **request.template_args}
        full = _filled(template, given)
        if full is None and name is None and title not in made:
            full = _chosen(template)
        if full is not None:
            asked[f"{title}<{full}>"] = title
    return asked


def _chosen(template: Cursor) -> str | None:
    """Return arguments for a template of which nothing is made: defaults, `float`, 32 and `false`.

    None where that is none of a parameter. What is said then is said of this instance.
    """
    values = []
    for parameter in children(template):
        kind = kind_of(parameter)
        if not (kind.startswith("TEMPLATE_") and kind.endswith("PARAMETER")):
            continue
        tokens = [t.spelling for t in parameter.get_tokens()]
        if "=" in tokens or "..." in tokens:
            break
        value = "float"
        if kind != "TEMPLATE_TYPE_PARAMETER":
            value = _NUMBERS.get(parameter.type.get_canonical().kind.name, "")
        if not value:
            return None
        values.append(value)
    return ", ".join(values)


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
    request: Request, unit: _Unit, asked: Mapping[str, str], lost: Collection[str]
) -> dict[str, Cursor]:
    found = unit.found
    instances = _asked_for(unit.tree, asked)
    for title in asked:
        if title not in instances and request.name is not None:
            raise _refusal(unit.tree, title)
    if request.name is None:
        made = {n: c for some in _by_template(found).values() for n, c in some[:MOST_MADE]}
        return {**found.kernels, **made, **instances}
    if instances:
        return instances
    name = request.name
    for table in (found.kernels, found.made):
        exact = {t: c for t, c in table.items() if name in (t, t.split("::")[-1])}
        exact = exact or {t: c for t, c in table.items() if t.split("<")[0] == name}
        if exact:
            return exact
    if name in lost:
        return {}
    for title, template in found.templates.items():
        if name in (title, title.split("::")[-1]):
            over = ", ".join(_template_parameters(template))
            raise Failure(
                f"{title} is a template over {over}",
                f"give its arguments: name='{title}<...>', or template_args",
            )
    known = [*found.kernels, *found.made, *lost, *(f"{t}<...>" for t in found.templates)]
    near = get_close_matches(name, known, n=3, cutoff=0.5) or known[:20]
    fix = f"kernels here: {', '.join(near)}" if near else "a kernel is a function with __global__"
    raise Failure(f"there is no kernel {name} in {request.path}", fix)


def _asked_for(unit: TranslationUnit, asked: Mapping[str, str]) -> dict[str, Cursor]:
    instances: dict[str, Cursor] = {}
    if not asked:
        return instances
    names = list(asked)
    for space in top_level(unit):
        if kind_of(space) != "NAMESPACE" or space.spelling != ASKED:
            continue
        for variable in children(space):
            value = initializer(variable)
            functions = [] if value is None else [
                c.referenced for c in walk(value)
                if kind_of(c) == "DECL_REF_EXPR" and c.referenced is not None
            ]  # fmt: skip
            number = int(variable.spelling.removeprefix("kernel"))
            if functions and body(functions[0]) is not None:
                instances[names[number]] = functions[0]
    return instances


def _refusal(unit: TranslationUnit, name: str) -> Failure:
    """Return why an instance of a template could not be made."""
    for problem in unit.diagnostics:
        file = problem.location.file
        if problem.severity >= 3 and file is not None and file.name == _ASKED:
            return Failure(f"{name}: {problem.spelling}", "see the template's parameters")
    return Failure(f"{name} could not be made", "see the template's parameters")


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
