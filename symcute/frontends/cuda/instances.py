"""Instances of templates of kernels that a source makes, and what they are called."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from clang.cindex import Cursor, TranslationUnit, TypeKind

from symcute.frontends.cuda.host.reaching import elsewhere, named_functions
from symcute.frontends.cuda.inlining import body, parameters
from symcute.frontends.cuda.library import argument_kind, children, key, kind_of, template_of
from symcute.frontends.cuda.target import CUDA
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Kernel, NotUnderstood

__all__ = ["full_name", "instance_name", "instances", "is_kernel", "left_out", "unread"]

_PARAMETERS = (
    "TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER", "TEMPLATE_TEMPLATE_PARAMETER",
)  # fmt: skip


def instances(unit: TranslationUnit, hosts: Sequence[Cursor]) -> Iterator[Cursor]:
    """Yield what declarations, and what they call, make of templates of kernels, each once."""
    others = list(elsewhere(unit, hosts))
    yield from filter(_is_made, others)
    waiting, seen = [*others, *reversed(hosts)], {key(c) for c in others if _is_made(c)}
    while waiting:
        for function in named_functions(waiting.pop()):
            if key(function) in seen:
                continue
            seen.add(key(function))
            if not is_kernel(function):
                waiting.append(function)
            elif template_of(function) is not None:
                yield function


def _is_made(cursor: Cursor) -> bool:
    """Is a declaration an instance of a template of a kernel that is written out?"""
    kernel = kind_of(cursor) == "FUNCTION_DECL" and is_kernel(cursor)
    return kernel and template_of(cursor) is not None and body(cursor) is not None


def is_kernel(cursor: Cursor) -> bool:
    """Is a function a kernel?"""
    return any(kind_of(c) == "CUDAGLOBAL_ATTR" for c in children(cursor))


def full_name(cursor: Cursor) -> str:
    """Return a name with the namespaces it stands in."""
    names = [cursor.spelling]
    parent = cursor.semantic_parent
    while parent is not None and kind_of(parent) == "NAMESPACE":
        if parent.spelling and not parent.spelling.startswith("("):
            names.append(parent.spelling)
        parent = parent.semantic_parent
    return "::".join(reversed(names))


def instance_name(function: Cursor, others: Collection[str]) -> str:
    """Return the name of an instance; with its types where another has it, whose pack differs."""
    arguments = []
    given = max(function.get_num_template_arguments(), 0)
    tests = _tests(function) if given else set()
    for number in range(given):
        kind = argument_kind(function, number)
        if kind == "TYPE":
            arguments.append(function.get_template_argument_type(number).spelling)
        elif kind == "INTEGRAL":
            value = function.get_template_argument_value(number)
            arguments.append(str(bool(value)).lower() if number in tests else str(value))
        else:
            arguments.append("?")
    name = f"{full_name(function)}<{', '.join(arguments)}>"
    if name in others:
        name += f"({', '.join(p.type.spelling for p in parameters(function))})"
    number, first = 1, name
    while name in others:
        number += 1
        name = f"{first} ({number})"
    return name


def left_out(title: str, more: int, place: Place) -> Kernel:
    """Return the kernel that stands for instances beyond the most of a template."""
    why = f"{more} more instances, which are read when they are asked for by name"
    return unread(f"{title}<...>", place, NotUnderstood(why, place, barrier=True))


def unread(
    name: str, place: Place, why: NotUnderstood, notes: tuple[tuple[str, Place], ...] = ()
) -> Kernel:
    """Return a kernel of which nothing is known."""
    return Kernel(name, (), (), (why,), place, CUDA, notes=notes)


def _tests(function: Cursor) -> set[int]:
    """Return which template arguments are of the type bool, of which libclang gives one bit."""
    template = template_of(function)
    of = [c for c in children(template) if kind_of(c) in _PARAMETERS] if template else []
    return {n for n, c in enumerate(of) if c.type.get_canonical().kind == TypeKind.BOOL}
