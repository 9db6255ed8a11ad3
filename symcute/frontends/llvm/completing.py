"""What clang's syntax tree left open of templates, as clang's LLVM IR has it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from symcute.errors import InputError
from symcute.frontends.cuda.instances import left_out
from symcute.frontends.cuda.unit import MOST_MADE
from symcute.frontends.front_end import Source
from symcute.frontends.llvm.source import read_through_llvm
from symcute.kernel.ir.inside import every
from symcute.kernel.ir.program import Kernel, NotUnderstood

__all__ = ["completed"]

#: Seconds of the processor that this may take.
TIMEOUT_S = 20.0
_TEMPLATE = re.compile(r"\btemplate\s*<")


def completed(source: Source, **said: Any) -> Source:
    """Return a source whose kernels that were not understood are read through LLVM, if that does.

    It is asked of sources with templates, where there is a compiler. A kernel is taken only where
    nothing of it is left open; instances that were left out for their number stay so. What is
    `said` of the source is what `read_through_llvm` takes.
    """
    open_ = [t for t, k in source.kernels.items() if _is_open(k) and not _is_rest(t)]
    if not open_ or not _TEMPLATE.search(source.text):
        return source
    try:
        other = read_through_llvm(
            Path(source.path), timeout=TIMEOUT_S, launched=source.kernels, **said
        )
    except InputError:
        return source
    kernels = _merged(source.kernels, open_, other.kernels)
    if kernels.keys() == source.kernels.keys() and all(
        kernels[t] is source.kernels[t] for t in kernels
    ):
        return source
    return replace(source, kernels=kernels, compiled=other.compiled)


def _merged(
    ours: Mapping[str, Kernel], open_: Iterable[str], theirs: Mapping[str, Kernel]
) -> dict[str, Kernel]:
    good = {t: k for t, k in theirs.items() if not _is_open(k)}
    closed = {_plain(t) for t, k in ours.items() if not _is_open(k)}
    found: dict[str, Kernel] = dict(ours)
    for title in open_:
        if title in good:
            found[title] = good[title]
            continue
        base = _plain(title)
        made = [t for t in theirs if _plain(t) == base]
        if title in theirs or not made or base in closed or not all(t in good for t in made):
            continue
        # Of the template nothing was understood: these are its instances.
        del found[title]
        found |= {t: good[t] for t in made[:MOST_MADE]}
        if (more := len(made) - MOST_MADE) > 0:
            rest = left_out(base, more, good[made[0]].place)
            found[rest.name] = rest
    return found


def _is_open(kernel: Kernel) -> bool:
    return any(isinstance(s, NotUnderstood) for s in every(kernel.body))


def _is_rest(title: str) -> bool:
    """Does a title stand for the instances that were left out for their number?"""
    return title.endswith("<...>")


def _plain(title: str) -> str:
    return title.split("<")[0]
