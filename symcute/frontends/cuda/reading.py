"""From text to the kernels that are asked for, within one process."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from math import prod
from pathlib import Path

from clang.cindex import Cursor, Diagnostic, TranslationUnit

from symcute.frontends.cuda.choosing import choices, filled, template_parameters
from symcute.frontends.cuda.comments import invariants, notes_of
from symcute.frontends.cuda.ctype import Types
from symcute.frontends.cuda.failing import Errors, Failure
from symcute.frontends.cuda.host.sites import Sites
from symcute.frontends.cuda.inlining import body
from symcute.frontends.cuda.instances import left_out, unread
from symcute.frontends.cuda.kernel import lower
from symcute.frontends.cuda.library import (
    children,
    file_text,
    initializer,
    key,
    kind_of,
    place_of,
    template_of,
    walk,
)
from symcute.frontends.cuda.outermost import top_level
from symcute.frontends.cuda.requests import ASKED, MADE, reached_words
from symcute.frontends.cuda.unit import (
    MOST_MADE,
    Found,
    Request,
    Unit,
    blamed,
    parsed,
    with_requests,
)
from symcute.frontends.cuda.words import kernels_in, plain
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Kernel, NotUnderstood

__all__ = ["read"]


def read(request: Request) -> tuple[dict[str, Kernel], list[str]]:
    """Return the kernels that are asked for, and the headers that were not found.

    A kernel of which clang gives no tree that can be trusted is all `NotUnderstood`.
    Errors: `Failure`, with the names that there are, where there is no such kernel.
    """
    unit = with_requests(request, parsed(request, (), (), ()))
    asked = _asked(request, unit.found)
    tried = _tried(request, unit, asked)
    chosen = {f"{title}<{given[0]}>": title for title, given in tried.items()}
    if asked or chosen:
        again = parsed(request, asked | chosen, unit.requested, unit.missing)
        better = _better(request, again, asked, chosen, tried)
        if better != chosen:
            chosen = better
            again = parsed(request, asked | chosen, unit.requested, unit.missing)
        unit = replace(again, unmade=unit.unmade)
    asked |= chosen
    errors = Errors(unit.tree, unit.missing, request.defines)
    lost = {} if request.only else _lost(request, unit, errors)
    wanted = _wanted(request, unit, asked, lost)
    unmade = _unmade(request, unit, asked, wanted, errors)
    lost |= unmade | _left_out(request, unit)
    lost |= _instantiated(request, unit, {n.split("<")[0] for n in unmade})
    types = Types()
    kept = invariants(request.path, request.text)
    kernels: dict[str, Kernel] = {}
    sites = Sites(unit.tree, types, unit.found.hosts, errors)
    for name, function in wanted.items():
        kernel, reached = lower(types, function, name, kept)
        unknown = errors.concerning(reached)
        if unknown is not None:
            kernel = replace(kernel, body=(_nothing(unknown, kernel.place),))
        kernels[name] = replace(
            kernel,
            notes=_notes(request, place_of(function)),
            launch_bounds=_launch_bounds(function),
            cluster=_cluster(function),
            granted=(
                *kernel.granted,
                *_granted(unit.missing),
                *((_CHOSEN,) if name in chosen else ()),
            ),
        )
        if not kernels[name].launch_noted:
            kernels[name] = replace(kernels[name], families=sites.of(function, kernels[name]))
    shown = {n: k for n, k in lost.items() if request.name in (None, n) and n not in kernels}
    return kernels | shown, unit.missing


#: What a verdict on an instance does not say.
_CHOSEN = "nothing in the source makes an instance of the template: of this one alone it is said"


def _granted(missing: Sequence[str]) -> tuple[str, ...]:
    if not missing:
        return ()
    return (f"what is read means the same with {', '.join(missing)}, which was not found",)


def _nothing(why: Failure, place: Place) -> NotUnderstood:
    return NotUnderstood(why.what, why.place or place, barrier=True)


def _lost(request: Request, unit: Unit, errors: Errors) -> dict[str, Kernel]:
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
            lost[name] = unread(name, place, body, _notes(request, place))
    return lost


def _unmade(
    request: Request,
    unit: Unit,
    asked: Mapping[str, str],
    wanted: Mapping[str, Cursor],
    errors: Errors,
) -> dict[str, Kernel]:
    """Return the templates of which nothing is made, by their names with their parameters.

    Of one that the source instantiates for others it is told what clang says near it.
    """
    made = {asked.get(n) or n.split("<")[0] for n in wanted}
    made |= _with_instances(unit.found, wanted.values())
    named = reached_words(unit.tree, [*unit.requested, *unit.unmade])
    out: dict[str, Kernel] = {}
    for title, template in unit.found.templates.items():
        if title in made or request.name is not None:
            continue
        over = ", ".join(template_parameters(template))
        place = place_of(template)
        why = Failure(f"a template over {over}, of which the file makes nothing", place=place)
        tried = [n for n, t in asked.items() if t == title]
        if template.spelling in named and errors.any:
            near = errors.first_near(place.file, template.extent.start.offset)
            what = f"what the source makes of it is not understood: {near.what}"
            why = Failure(what, place=place)
        elif tried:
            why = replace(_refusal(request, unit, tried[0]), place=place)
        name = f"{title}<{over}>"
        out[name] = unread(name, place, _nothing(why, place), _notes(request, place))
    return out


def _with_instances(found: Found, functions: Iterable[Cursor]) -> set[str]:
    """Return the titles of templates of which functions are instances: overloads share a name."""
    templates = {key(t.canonical) for f in functions if (t := template_of(f)) is not None}
    return {title for title, c in found.templates.items() if key(c.canonical) in templates}


def _by_template(found: Found) -> dict[str, list[tuple[str, Cursor]]]:
    """Return the instances that host code makes, by the names of their templates."""
    made: dict[str, list[tuple[str, Cursor]]] = {}
    for name, cursor in found.made.items():
        made.setdefault(name.split("<")[0], []).append((name, cursor))
    return made


def _left_out(request: Request, unit: Unit) -> dict[str, Kernel]:
    """Return one kernel, of which nothing is known, for instances beyond the most of a template."""
    out: dict[str, Kernel] = {}
    for title, made in _by_template(unit.found).items():
        more = len(made) - MOST_MADE
        if more > 0 and request.name is None:
            rest = left_out(title, more, place_of(made[0][1]))
            out[rest.name] = rest
    return out


def _instantiated(request: Request, unit: Unit, told: Collection[str]) -> dict[str, Kernel]:
    """Return one kernel, of which nothing is known, for each template that requests may be for.

    Those are requests that clang cannot make, themselves or through the functions that they name;
    templates of which that was `told` are left out.
    """
    templates = unit.found.templates if request.name is None and not request.template_args else {}
    said = reached_words(unit.tree, unit.unmade) if templates and unit.unmade else set[str]()
    out: dict[str, Kernel] = {}
    for title, template in templates.items():
        if template.spelling in said and title not in told and not _noted(request, template):
            place, name = place_of(template), f"{title}<instantiated>"
            why = "instances that the file makes for others, which are read when asked for by name"
            out[name] = unread(name, place, NotUnderstood(why, place, barrier=True))
    return out


# --- which kernels --------------------------------------------------------------------------------


def _asked(request: Request, found: Found) -> dict[str, str]:
    """Return the instances of templates that must be made, with the names of the templates."""
    name = request.name
    if name is not None and "<" in name:
        return {name: ""}
    asked = {}
    for title, template in found.templates.items():
        if name not in (None, title, title.split("::")[-1]):
            continue
        given = {**_noted(request, template), **request.template_args}
        full = filled(template, given)
        if full is not None and not _is_overload(title):
            asked[f"{title}<{full}>"] = title
    return asked


def _is_overload(title: str) -> bool:
    """Has a title the types of its parameters, as where another template has its name?

    Such a one cannot be asked for by its title: it is no name.
    """
    return title.endswith(")")


def _tried(request: Request, unit: Unit, asked: Mapping[str, str]) -> dict[str, list[str]]:
    """Return arguments to try for each template of which nothing is made.

    What the source makes and clang does not understand is not to be had by another instance.
    """
    if request.name is not None:
        return {}
    failed = any(d.severity >= Diagnostic.Error for d in unit.tree.diagnostics)
    asked_of = [*unit.requested, *unit.unmade] if failed else []
    named = reached_words(unit.tree, asked_of) if asked_of else set[str]()
    made = {n.split("<")[0] for n in unit.found.made} | set(asked.values())
    made |= _with_instances(unit.found, unit.found.made.values())
    templates = {t: c for t, c in unit.found.templates.items() if not _is_overload(t)}
    titles = {t: c for t, c in templates.items() if t not in made and c.spelling not in named}
    return {t: given for t, c in titles.items() if (given := choices(c))}


def _better(
    request: Request,
    unit: Unit,
    asked: Mapping[str, str],
    chosen: Mapping[str, str],
    tried: Mapping[str, Sequence[str]],
) -> dict[str, str]:
    """Return the first instance of each template that clang makes without errors.

    Where all have some, it is the one that was `chosen` before.
    """
    good = set(_good(request, unit, [*asked, *chosen]))
    left = [title for name, title in chosen.items() if name not in good]
    names = {f"{title}<{given}>": title for title in left for given in tried[title][1:]}
    if not names:
        return dict(chosen)
    trial = parsed(request, names, unit.requested, unit.missing)
    found: dict[str, str] = {}
    for name in _good(request, trial, list(names)):
        found.setdefault(names[name], name)
    return {found.get(title, name): title for name, title in chosen.items()}


def _good(request: Request, unit: Unit, names: Sequence[str]) -> list[str]:
    """Return the instances asked for that clang makes without errors."""
    bad = blamed(request, unit)
    known = _asked_for(unit.tree, dict.fromkeys(names, ""))
    first = len(unit.requested) + 1
    return [name for n, name in enumerate(names, first) if name in known and n not in bad]


def _noted(request: Request, template: Cursor) -> dict[str, str]:
    """Return the arguments that a note `template T=float N=32` gives to a template."""
    given: dict[str, str] = {}
    for text, _ in _notes(request, place_of(template)):
        if text.startswith("template "):
            given |= dict(re.findall(r"(\w+)\s*=\s*(\S+)", text))
    return given


def _wanted(
    request: Request, unit: Unit, asked: Mapping[str, str], lost: Collection[str]
) -> dict[str, Cursor]:
    found = unit.found
    instances = _asked_for(unit.tree, asked)
    for title in asked:
        if title not in instances and request.name is not None:
            raise _refusal(request, unit, title)
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
            over = ", ".join(template_parameters(template))
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
            if variable.spelling.startswith(MADE):
                continue
            value = initializer(variable)
            functions = [] if value is None else [
                c.referenced for c in walk(value)
                if kind_of(c) == "DECL_REF_EXPR" and c.referenced is not None
            ]  # fmt: skip
            number = int(variable.spelling.removeprefix("kernel"))
            if functions and body(functions[0]) is not None:
                instances[names[number]] = functions[0]
    return instances


def _refusal(request: Request, unit: Unit, name: str) -> Failure:
    """Return why an instance of a template could not be made."""
    why = blamed(request, unit)
    said = why[min(why)] if why else ""
    what = f"{name}: {said}" if said else f"{name} could not be made"
    return Failure(what, "see the template's parameters")


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
    for text in _annotated(function, "symcute.launch_bounds "):
        if found := re.match(r"([\d\s*()]+)(,|$)", text):
            return prod(map(int, re.findall(r"\d+", found[1])))
    return None


def _cluster(function: Cursor) -> tuple[int, ...] | None:
    """Return the blocks of a cluster that `__cluster_dims__` says; none where these are unknown."""
    for text in _annotated(function, "symcute.cluster_dims "):
        if re.fullmatch(r"\s*[1-9]\d*\s*(?:,\s*[1-9]\d*\s*){0,2}", text):
            return tuple([int(n) for n in text.split(",")] + [1, 1])[:3]
        return ()
    return None


def _annotated(function: Cursor, word: str) -> list[str]:
    """Return what our header keeps of attributes that begin with a word."""
    said = [c.spelling or "" for c in children(function) if kind_of(c) == "ANNOTATE_ATTR"]
    return [x.removeprefix(word) for x in said if x.startswith(word)]
