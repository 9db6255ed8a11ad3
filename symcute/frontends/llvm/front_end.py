"""CUDA C++ through LLVM among the front ends: another road over the same files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from symcute.errors import InputError, needs
from symcute.frontends.cuda.target import CUDA, macros_of
from symcute.frontends.front_end import FrontEnd, Source, register

__all__ = ["CUDA_THROUGH_LLVM"]

_CUTE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]cute/", re.MULTILINE)


def _read(
    path_or_text: str | Path,
    *,
    name: str | None = None,
    defines: Mapping[str, object] | None = None,
    template_args: Mapping[str, object] | None = None,
    include_dirs: Sequence[str | Path] = (),
) -> Source:
    """Read a source; what that needs is loaded for who takes this road."""
    needs("reading CUDA C++", "clang")
    from symcute.frontends.llvm.source import read_through_llvm

    return read_through_llvm(
        path_or_text,
        name=name,
        defines=defines,
        template_args=template_args,
        include_dirs=include_dirs,
    )


def _takes(path: Path) -> bool:
    """Does a file include CuTe, which is templates, and is there a compiler for it?"""
    try:
        if not _CUTE.search(path.read_text(encoding="utf-8", errors="replace")):
            return False
        from symcute.frontends.llvm.compiling import compiler

        compiler()
    except (OSError, InputError):
        return False
    return True


def _completes(source: Source, **said: Any) -> Source:
    """Read what the other road left open of templates; what that needs is loaded where it is."""
    from symcute.frontends.llvm.completing import completed

    return completed(source, **said)


def _machine() -> str:
    """Return what tells the compilers of machines apart."""
    from symcute.frontends.llvm.compiling import compiler_digest

    return compiler_digest()


CUDA_THROUGH_LLVM = register(
    FrontEnd(
        name="CUDA C++ through LLVM",
        suffixes=(".cu",),
        reader=_read,
        target=CUDA,
        kernels="a kernel is a __global__ function of which clang makes code",
        takes=_takes,
        completes=_completes,
        machine=_machine,
        macros=macros_of,
    ),
    road="llvm",
)
