"""What a text of host code comes to by what it calls: launches, and functions that launch."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from clang.cindex import Cursor, TranslationUnit

from symcute.frontends.cuda.extents import SPACES
from symcute.frontends.cuda.headers import is_ours
from symcute.frontends.cuda.host.lowering import launches
from symcute.frontends.cuda.inlining import body
from symcute.frontends.cuda.library import (
    children,
    gathered,
    key,
    kind_of,
    place_of,
    template_of,
    walk,
)
from symcute.frontends.cuda.outermost import top_level
from symcute.frontends.cuda.requests import ASKED, requests

__all__ = [
    "Reaching",
    "by_name",
    "elsewhere",
    "instantiated",
    "methods_of",
    "named_functions",
    "unresolved",
]

_METHODS = ("CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION")
_FUNCTIONS = ("FUNCTION_DECL", *_METHODS)
_CLASSES = ("STRUCT_DECL", "CLASS_DECL", "UNION_DECL")


@dataclass
class Reaching:
    """What is reached from where; `hosts` are the functions that are followed by themselves."""

    hosts: frozenset[int]
    _known: dict[int, bool] = field(default_factory=dict)

    def reaches(self, function: Cursor) -> bool:
        """Does a function launch something, itself or by what it calls?"""
        name = key(function.canonical)
        if name not in self._known:
            self._known[name] = False
            text = body(function)
            self._known[name] = text is not None and (
                bool(launches(text)) or any(map(self.reaches, _named(text)))
            )
        return self._known[name]

    def launches(self, text: Cursor) -> Iterator[Cursor]:
        """Yield the launches that a text comes to, but in functions that are followed anyway."""
        waiting, seen = [text], set[int]()
        while waiting:
            here = waiting.pop()
            yield from launches(here)
            for function in _named(here):
                name = key(function.canonical)
                if name not in seen and name not in self.hosts:
                    seen.add(name)
                    waiting.append(function)

    def all_from(self, functions: Sequence[Cursor]) -> list[Cursor]:
        """Return functions and those of the host that they name, directly or not."""
        found = {key(f.canonical): f for f in functions}
        waiting = list(functions)
        while waiting:
            text = body(waiting.pop())
            for function in _named(text) if text is not None else ():
                name = key(function.canonical)
                if name not in found:
                    found[name] = function
                    waiting.append(function)
        return list(found.values())

    def handed_on(self, functions: Iterable[Cursor]) -> Iterator[Cursor]:
        """Yield what launches and is named in functions, but not called where it is named."""
        for function in functions:
            text = body(function)
            if text is None:
                continue
            called = gathered(text, "called", _called_at)
            for number, named in gathered(text, "named", _function_at).items():
                if number in called:
                    continue
                own = key(named.canonical) not in self.hosts and not _is_kernel(named)
                if own and not is_ours(place_of(named).file) and self.reaches(named):
                    yield named


def unresolved(text: Cursor) -> set[str]:
    """Return the names in a text of which clang does not show what they stand for.

    What a generic lambda names is shown where one is made of it.
    """
    inside = walk(text, but=("LAMBDA_EXPR",))
    return {c.spelling for c in inside if kind_of(c) == "OVERLOADED_DECL_REF"}


def _called_at(c: Cursor) -> Iterator[tuple[int, Cursor]]:
    """Yield the expressions that name what a call calls."""
    if kind_of(c) == "CALL_EXPR":
        yield from ((key(named), named) for named in _callee(c))


def _function_at(c: Cursor) -> Iterator[tuple[int, Cursor]]:
    """Yield the function that an expression names, under the expression."""
    named = c.referenced if kind_of(c) == "DECL_REF_EXPR" else None
    if named is not None and kind_of(named) in _FUNCTIONS:
        yield key(c), named


def _callee(call: Cursor) -> Iterator[Cursor]:
    """Yield the expression that names what is called, and those around it."""
    first, *others = children(call) or [None]
    yield from _around(first)
    operator = call.referenced
    if operator is not None and operator.spelling == "operator()":
        # Of `[&] { ... }()` the operator stands behind the object.
        for other in map(list, map(_around, others)):
            named = other[-1].referenced if kind_of(other[-1]) == "DECL_REF_EXPR" else None
            if named is not None and key(named) == key(operator):
                yield from other


def _around(expression: Cursor | None) -> Iterator[Cursor]:
    """Yield an expression, and what stands within what clang adds to it."""
    while expression is not None:
        yield expression
        goes_on = kind_of(expression) in ("UNEXPOSED_EXPR", "PAREN_EXPR")
        expression = next(iter(children(expression)), None) if goes_on else None


def _named(top: Cursor) -> list[Cursor]:
    """Return the functions of the host with a body that a text names."""
    return [f for f in named_functions(top) if not _is_kernel(f)]


def named_functions(top: Cursor) -> list[Cursor]:
    """Return the functions with a body that a text names."""
    return [*gathered(top, "functions", _named_at).values()]


def _named_at(c: Cursor) -> Iterator[tuple[int, Cursor]]:
    """Yield the function with a body that an expression names, if it names one."""
    if kind_of(c) not in ("DECL_REF_EXPR", "MEMBER_REF_EXPR", "CALL_EXPR"):
        return
    named = c.referenced
    if named is None or kind_of(named) not in _FUNCTIONS or is_ours(place_of(named).file):
        return
    if body(named) is not None:
        yield key(named.canonical), named.get_definition() or named


def _is_kernel(function: Cursor) -> bool:
    return any(kind_of(x) == "CUDAGLOBAL_ATTR" for x in children(function))


def elsewhere(unit: TranslationUnit, hosts: Sequence[Cursor]) -> Iterable[Cursor]:
    """Yield the declarations of the user that are no host functions."""
    known = {key(h) for h in hosts}
    waiting = top_level(unit)
    while waiting:
        cursor = waiting.pop()
        if kind_of(cursor) in SPACES:
            waiting += children(cursor) if cursor.spelling != ASKED else ()
        elif not is_ours(place_of(cursor).file) and key(cursor) not in known:
            yield cursor


def methods_of(top: Cursor) -> Iterator[tuple[Cursor, bool]]:
    """Yield the methods and first values of a declaration: is each run where no call of it is seen?

    So is what C++ calls unasked (constructors, conversions, operators, the ends of a range), a
    virtual method, the first value of a member, and a method that other files may call, since it is
    defined outside of its class.
    """
    if kind_of(top) in _METHODS:
        yield top, True
    waiting = [top] if kind_of(top) in _CLASSES else []
    while waiting:
        for c in children(waiting.pop()):
            if kind_of(c) in _CLASSES:
                waiting.append(c)
            elif kind_of(c) in _METHODS:
                yield c, _is_called_unasked(c) or c.is_virtual_method()
            elif kind_of(c) in ("FIELD_DECL", "VAR_DECL"):
                yield c, True


def _is_called_unasked(method: Cursor) -> bool:
    name = method.spelling
    return kind_of(method) in _UNASKED or name.startswith("operator") or name in ("begin", "end")


_UNASKED = ("CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION")


def by_name(
    unit: TranslationUnit, hosts: Sequence[Cursor], words: Collection[str]
) -> Iterator[Cursor]:
    """Yield methods, and instances that functions make of templates, that words name."""
    seen = set[int]()
    waiting = [m for top in elsewhere(unit, hosts) for m, _ in methods_of(top)] if words else []
    waiting += [f for h in hosts for f in _named(h)] if words else []
    known = {key(h.canonical) for h in hosts}
    while waiting:
        function = waiting.pop()
        if key(function.canonical) in seen:
            continue
        seen.add(key(function.canonical))
        waiting += _named(function)
        if function.spelling in words and key(function.canonical) not in known:
            yield function


def instantiated(unit: TranslationUnit, hosts: Sequence[Cursor]) -> Iterator[Cursor]:
    """Yield the templates and instances that a text instantiates for other files to call.

    Clang shows the instances and not the request, of which the words are read.
    """
    words = {w for one in requests(unit) for w in one.words}
    made = (f for f in by_name(unit, hosts, words) if template_of(f) is not None)
    yield from made
    tops = elsewhere(unit, ()) if words else ()
    yield from (c for c in tops if kind_of(c) == "CLASS_TEMPLATE" and c.spelling in words)
