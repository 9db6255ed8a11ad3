"""Instances of templates of kernels that a source makes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clang.cindex import Cursor, TranslationUnit

from symcute.frontends.cuda.host.reaching import elsewhere, named_functions
from symcute.frontends.cuda.inlining import body
from symcute.frontends.cuda.library import children, key, kind_of, template_of
from symcute.frontends.cuda.target import CUDA
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Kernel, NotUnderstood

__all__ = ["instances", "is_kernel", "left_out", "unread"]


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


def left_out(title: str, more: int, place: Place) -> Kernel:
    """Return the kernel that stands for instances beyond the most of a template."""
    why = f"{more} more instances, which are read when they are asked for by name"
    return unread(f"{title}<...>", place, NotUnderstood(why, place, barrier=True))


def unread(
    name: str, place: Place, why: NotUnderstood, notes: tuple[tuple[str, Place], ...] = ()
) -> Kernel:
    """Return a kernel of which nothing is known."""
    return Kernel(name, (), (), (why,), place, CUDA, notes=notes)
