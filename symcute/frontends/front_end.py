"""Front ends: who reads which files, and what a reader hands over."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from symcute.errors import InputError
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Kernel
from symcute.kernel.ir.target import Target
from symcute.kernel.ir.verify import verified

__all__ = ["FrontEnd", "Source", "SourceError", "for_file", "for_text", "register", "searched"]


class SourceError(InputError):
    """A source that cannot be read; `place` says where, if it is known."""

    def __init__(self, message: str, fix: str = "", place: Place | None = None) -> None:
        self.place = place
        super().__init__(f"{place}: {message}" if place else message, fix)


@dataclass(frozen=True)
class Source:
    """What was read: the path, the text, the kernels by their names, headers not found.

    `compiled` says what compiled it and how long that took, where a compiler did.
    """

    path: str
    text: str
    kernels: dict[str, Kernel] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    compiled: str = ""


class Reader(Protocol):
    """What turns a file (a `Path`), or text, into programs."""

    def __call__(
        self,
        path_or_text: str | Path,
        *,
        name: str | None = None,
        defines: Mapping[str, object] | None = None,
        template_args: Mapping[str, object] | None = None,
        include_dirs: Sequence[str | Path] = (),
    ) -> Source:
        """Return the kernels, or those of a name."""


def _on_request(path: Path) -> bool:
    """Say that a file is read on another road only where that is asked for."""
    return False


def _unknown(path: Path, include_dirs: Sequence[str], defines: Mapping[str, str]) -> None:
    """Return no fingerprint: the file is read each time."""


def _alike(architecture: str) -> Mapping[str, str]:
    """Say that a source means the same on all architectures."""
    return {}


@dataclass(frozen=True)
class FrontEnd:
    """A language: files whose names end in `suffixes` are of it.

    Folders are searched for the first of these; the others are read where they are named. A file
    of a folder has one of the `marks` in its text, where there are any.
    `kernels` says what a kernel looks like, for who has none. `fingerprint` returns a digest of all
    that reading a file may take from the machine, or None where that is not known: while it is the
    same, what was read is. A front end on a road of its own `takes` files that are read on it
    though nobody asks for a road, and `completes` what another one read of a file of its suffixes;
    what it takes from the `machine` for that is told by a digest. `macros` are what a compiler
    defines for an architecture, where that is not what is read anyway.
    """

    name: str
    suffixes: tuple[str, ...]
    reader: Reader
    target: Target
    kernels: str
    fingerprint: Callable[[Path, Sequence[str], Mapping[str, str]], str | None] = _unknown
    marks: tuple[str, ...] = ()
    takes: Callable[[Path], bool] = _on_request
    completes: Callable[..., Source] | None = None
    machine: Callable[[], str] | None = None
    macros: Callable[[str], Mapping[str, str]] = _alike

    def defines(self, architecture: str | None, given: Mapping[str, str]) -> dict[str, str]:
        """Return the macros of a source that is read for an architecture; what is given counts."""
        return {**(self.macros(architecture) if architecture else {}), **given}

    def is_marked(self, path: Path) -> bool:
        """May a file of a folder have kernels?"""
        if not self.marks:
            return True
        try:
            text = path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return False
        return any(mark in text for mark in self.marks)

    def read(
        self,
        path_or_text: str | Path,
        *,
        name: str | None = None,
        defines: Mapping[str, object] | None = None,
        template_args: Mapping[str, object] | None = None,
        include_dirs: Sequence[str | Path] = (),
    ) -> Source:
        """Return what the reader makes of a source, verified.

        Errors: SourceError for what cannot be read; IllFormed where the reader is wrong.
        """
        source = self.reader(
            path_or_text,
            name=name,
            defines=defines,
            template_args=template_args,
            include_dirs=include_dirs,
        )
        for kernel in source.kernels.values():
            verified(kernel)
        return source


_KNOWN: dict[str, FrontEnd] = {}
#: Front ends that read what others read too, by the names of their roads.
_ROADS: dict[str, dict[str, FrontEnd]] = {}


def register(front_end: FrontEnd, road: str = "") -> FrontEnd:
    """Let files of the suffixes of a front end be read by it, or only on a road."""
    known = _ROADS.setdefault(road, {}) if road else _KNOWN
    known.update(dict.fromkeys(front_end.suffixes, front_end))
    return front_end


def for_file(path: str | Path, road: str = "") -> FrontEnd:
    """Return the front end that reads a file, by its suffix; on a road, if it has one there.

    Where no road is named, it is the one that takes the file.
    Errors: InputError, with the suffixes that are read.

    >>> for_file("saxpy.cu").name
    'CUDA C++'
    >>> for_file("saxpy.py").name
    'Python'
    """
    suffix = Path(path).suffix
    found = _ROADS.get(road, {}).get(suffix) or _KNOWN.get(suffix)
    if not road:
        others = [known[suffix] for known in _ROADS.values() if suffix in known]
        taking = next((other for other in others if other.takes(Path(path))), None)
        for other in others:
            found = None if found is None else _completed(found, other)
        found = taking or found
    if found is None:
        raise InputError(f"{path} is no source that is read", f"those end in {', '.join(_KNOWN)}")
    return found


def _completed(one: FrontEnd, other: FrontEnd) -> FrontEnd:
    """Return a front end that has another one look at what it leaves open of a file."""
    completes, machine = other.completes, other.machine
    if completes is None or machine is None:
        return one

    def reader(path_or_text: str | Path, **said: Any) -> Source:
        source = one.reader(path_or_text, **said)
        return completes(source, **said) if isinstance(path_or_text, Path) else source

    def fingerprint(
        path: Path, include_dirs: Sequence[str], defines: Mapping[str, str]
    ) -> str | None:
        known = one.fingerprint(path, include_dirs, defines)
        return None if known is None else f"{known} {machine()}"

    return replace(one, reader=reader, fingerprint=fingerprint)


def for_text() -> FrontEnd:
    """Return the front end of texts that are in no file: the first."""
    return next(iter(_KNOWN.values()))


def searched() -> list[str]:
    """Return the suffixes for which folders are searched, one of each front end."""
    return list(dict.fromkeys(f.suffixes[0] for f in _KNOWN.values()))
