"""Python among the front ends: texts of CUDA C++, and Triton's kernels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from symcute.frontends.cuda.target import CUDA
from symcute.frontends.front_end import FrontEnd, Source, SourceError, register

__all__ = ["PYTHON"]


def _read(
    path_or_text: str | Path,
    *,
    name: str | None = None,
    defines: Mapping[str, object] | None = None,
    template_args: Mapping[str, object] | None = None,
    include_dirs: Sequence[str | Path] = (),
) -> Source:
    """Return the kernels of a Python file, in texts of CUDA C++ and under `triton.jit`.

    Errors: SourceError, as the reader of either says.
    """
    # Most of what is read is no Python, and the process that reads CUDA C++ starts sooner.
    from symcute.frontends.python.jit_families import launches_of
    from symcute.frontends.python.reading import read_python
    from symcute.frontends.triton import has_triton, read_triton

    found = read_python(
        path_or_text, defines=defines, template_args=template_args, include_dirs=include_dirs
    )
    kernels = dict(found.kernels)
    if Path(found.path).is_file() and has_triton(found.text):
        more = read_triton(
            found.path, found.text, name=name, template_args=template_args,
            launches=launches_of(found.path, found.text),
        )  # fmt: skip
        kernels |= {n if n not in kernels else f"{n}:{k.place.line}": k for n, k in more.items()}
    if name is not None:
        wanted = {n: k for n, k in kernels.items() if name in (n, k.name)}
        if not wanted:
            known = ", ".join(dict.fromkeys(k.name for k in kernels.values())) or "none"
            raise SourceError(f"{found.path} has no kernel {name}", f"it has: {known}")
        kernels = wanted
    return replace(found, kernels=kernels)


PYTHON = register(
    FrontEnd(
        name="Python",
        suffixes=(".py",),
        reader=_read,
        target=CUDA,
        kernels="a kernel is under triton.jit, launched by a function under cute.jit, or in a text "
        "for RawKernel, RawModule, SourceModule or load_inline",
        marks=("RawKernel", "RawModule", "SourceModule", "load_inline"),
    )
)
