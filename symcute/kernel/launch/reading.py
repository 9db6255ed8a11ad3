"""A source as it is asked for: with its macros, folders, and the architecture of each kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from symcute.frontends.front_end import FrontEnd, Source
from symcute.kernel.ir.program import Kernel

__all__ = ["Asked", "read_source"]


class Asked(Protocol):
    """What is asked of a source that is read."""

    @property
    def defines(self) -> Mapping[str, str]:
        """Macros."""

    @property
    def template(self) -> Mapping[str, str]:
        """Arguments of templates."""

    @property
    def include(self) -> Sequence[str]:
        """Folders of headers."""

    @property
    def architecture(self) -> str | None:
        """The architecture, if one is asked for."""


def read_source(
    front_end: FrontEnd, source: str | Path, asked: Asked, name: str | None = None
) -> Source:
    """Return what a front end makes of a source.

    Where no architecture is asked for, a kernel is read for that which comments above it name.
    Errors: SourceError.
    """

    def read(architecture: str | None) -> Source:
        return front_end.read(
            source,
            name=name,
            defines=front_end.defines(architecture, asked.defines),
            template_args=dict(asked.template),
            include_dirs=asked.include,
        )

    found = read(asked.architecture)
    noted = {} if asked.architecture else {t: _noted(k) for t, k in found.kernels.items()}
    others = {a: read(a).kernels for a in {*noted.values()} if front_end.defines(a, {})}
    if not others:
        return found
    kernels: dict[str, Kernel] = {}
    for title, a in noted.items():
        here = others.get(a, found.kernels)
        if title in here:
            kernels[title] = here[title]
    # A template may have other instances there.
    for a in sorted(others):
        more = {t: k for t, k in others[a].items() if t not in noted and _noted(k) == a}
        kernels.update(more)
    return replace(found, kernels=kernels)


def _noted(kernel: Kernel) -> str:
    """Return the architecture that comments above a kernel name, or nothing."""
    return next((text[5:].strip() for text, _ in kernel.notes if text.startswith("arch ")), "")
