"""CUDA C++ text to kernels, read by a process of its own."""

from __future__ import annotations

import atexit
import gc
import os
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from symcute.errors import needs
from symcute.frontends.cuda.project import HEADERS, MOST_INCLUDERS, Built, built, includers, located
from symcute.frontends.front_end import Source, SourceError
from symcute.kernel.ir.document import from_json
from symcute.kernel.ir.families import Family
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Kernel, NotUnderstood
from symcute.processes.programs import Failed, Late, Stock

__all__ = ["TIMEOUT_S", "read_kernels", "read_text"]

#: Seconds that a source may take.
TIMEOUT_S = 60.0
_LINES = 200_000
_RECURSION = 10_000

_READERS = Stock([sys.executable, "-m", "symcute.frontends.cuda.reader"])
atexit.register(_READERS.close)


def read_kernels(
    path_or_text: str | Path,
    *,
    name: str | None = None,
    defines: Mapping[str, object] | None = None,
    template_args: Mapping[str, object] | None = None,
    include_dirs: Sequence[str | Path] = (),
    timeout: float = TIMEOUT_S,
) -> Source:
    """Return the kernels of a CUDA C++ file, or of text, as programs.

    Text is what has a line break or a semicolon in it. Without a `name` these are all kernels,
    with the templates of kernels as host code in the file uses them, or as `template_args` or a
    comment `// symcute: template T=float N=32` above them says. A `name` may be that of a
    template with its arguments, `k<float, 32>`. Neither CUDA's headers nor a compiler are needed.
    Of a file, the project's build files say where its headers lie; those that are not found are
    `missing`, and a kernel that needs something of them is not understood.

    Pre-conditions: none; what is not understood is `NotUnderstood` in the program.
    Post-conditions: a kernel that was asked for is in `kernels`.
    Errors: SourceError for what does not compile, names no kernel, or takes too long; InputError
    when libclang is not installed.
    Source: the CUDA C++ Programming Guide, C++ language extensions.

    >>> source = read_kernels("__global__ void k(int *x, int n) { if (n) x[n] = 0; }")
    >>> [p.name for p in source.kernels["k"].params]
    ['x', 'n']
    """
    needs("reading CUDA C++", "clang")
    path, text = _text(path_or_text)
    if text.count("\n") > _LINES:
        raise SourceError(f"{path} has more than {_LINES} lines", "give the kernels alone")
    project = Built()
    if isinstance(path_or_text, Path):
        project = built(path_or_text)
        project.folders = {str(path_or_text.parent): None} | project.folders
    said: Any = {
        "name": name,
        "defines": project.defines | {k: str(v) for k, v in (defines or {}).items()},
        "template_args": template_args or {},
        "include_dirs": [*include_dirs, *project.folders],
        "timeout": timeout,
    }
    source = read_text(path, text, **said)
    if isinstance(path_or_text, Path):
        source = _with_located(path_or_text, source, said)
    alone = isinstance(path_or_text, Path) and name is None and not template_args
    if (
        alone
        and Path(path).suffix in HEADERS
        and not all(map(_is_launched, source.kernels.values()))
    ):
        return _with_includers(Path(path), source, said)
    return source


def _with_located(path: Path, source: Source, said: dict[str, Any]) -> Source:
    """Return a source as it is read with the headers that lie elsewhere in its project."""
    known: set[str] = set()
    while more := [f for f in located(path, source.missing) if f not in known]:
        known.update(more)
        said["include_dirs"] = [*said["include_dirs"], *more]
        source = read_text(source.path, source.text, **said)
    return source


def _is_launched(kernel: Kernel) -> bool:
    return bool(kernel.families or kernel.notes)


def _with_includers(header: Path, source: Source, said: Mapping[str, Any]) -> Source:
    """Return the kernels of a header as sources that include it make and launch them.

    Each launch in one of them is a family, and those that are not read are said.
    """
    wanting = {_plain(n) for n, k in source.kernels.items() if not _is_launched(k)}
    taken: dict[str, Kernel] = {}
    sources = includers(header)[0]
    unread = [f"{p.name} includes it and is not read" for p in sources[MOST_INCLUDERS:]]
    for other in sources[:MOST_INCLUDERS]:
        try:
            text = other.read_text(encoding="utf-8", errors="replace")
            folders = [str(other.parent), *said["include_dirs"], *built(other).folders]
            own = {**said, "include_dirs": folders, "only": os.path.realpath(header)}
            found = read_text(str(other), text, **own).kernels
        except (OSError, SourceError) as error:
            unread.append(f"{other.name} includes it and is not read: {error}")
            continue
        known = {_plain(n) for n, k in found.items() if _is_launched(k)}
        known |= {_plain(n) for n, k in found.items() if "<" in n and _is_made(k)}
        for name, kernel in found.items():
            if _plain(name) in known & wanting:
                _take(taken, name, kernel, other.name)
    if unread:
        taken = {n: _with_trouble(k, unread) if k.families else k for n, k in taken.items()}
    names = set(map(_plain, taken))
    left = {n: k for n, k in source.kernels.items() if _plain(n) not in names}
    return replace(source, kernels=left | taken)


def _take(taken: dict[str, Kernel], name: str, kernel: Kernel, file: str) -> None:
    """Add a kernel as one source reads it: the same program is launched as others launch it too."""
    known = taken.get(name)
    if known is None:
        taken[name] = kernel
    elif replace(known, families=()) == replace(kernel, families=()):
        families = tuple(dict.fromkeys((*known.families, *kernel.families)))
        taken[name] = replace(known, families=families)
    else:
        taken[f"{name} in {file}"] = kernel


def _with_trouble(kernel: Kernel, unread: Iterable[str]) -> Kernel:
    more = tuple(Family(kernel.place, "", (), trouble=why) for why in unread)
    return replace(kernel, families=(*kernel.families, *more))


def _plain(name: str) -> str:
    return name.split("<")[0]


def _is_made(kernel: Kernel) -> bool:
    return bool(kernel.params or not isinstance(next(iter(kernel.body), None), NotUnderstood))


def read_text(
    path: str,
    text: str,
    *,
    name: str | None = None,
    defines: Mapping[str, object],
    template_args: Mapping[str, object],
    include_dirs: Sequence[str | Path],
    timeout: float = TIMEOUT_S,
    only: str = "",
) -> Source:
    """Return the kernels of a text that stands at a path, as `read_kernels` does.

    With `only`, those of one file that it includes.
    """
    request: dict[str, object] = {
        "path": path,
        "text": text,
        "name": name,
        "defines": {k: str(v) for k, v in defines.items()},
        "template_args": {k: str(v) for k, v in template_args.items()},
        "include_dirs": [str(folder) for folder in include_dirs],
        "only": only,
    }
    reply = _asked(request, path, timeout)
    if "kernels" not in reply:
        place = Place(**reply["place"]) if reply["place"] else None
        raise SourceError(reply["what"], reply["fix"], place)
    return Source(path, text, _programs(reply["kernels"]), tuple(reply["missing"]))


def _asked(request: dict[str, object], path: str, timeout: float) -> dict[str, Any]:
    try:
        with _READERS.taken() as reader:
            # The reader may have been started elsewhere; paths are meant from here.
            here = {"folder": str(Path.cwd()), "request": request}
            return reader.ask(here, time.monotonic() + timeout)
    except Late:
        late = f"{path} was not read within {timeout:g} s"
        raise SourceError(late, "look for macros or calls that multiply") from None
    except Failed as failure:
        why = f"{failure.told('clang')} while it read {path}"
        raise SourceError(why, "give the kernel alone") from None


def _programs(kernels: list[Any]) -> dict[str, Kernel]:
    # Looking for garbage among so many new objects takes longer than making them.
    enabled, depth = gc.isenabled(), sys.getrecursionlimit()
    gc.disable()
    sys.setrecursionlimit(max(depth, _RECURSION))
    try:
        return {title: from_json(kernel) for title, kernel in kernels}
    finally:
        sys.setrecursionlimit(depth)
        if enabled:
            gc.enable()


def _text(path_or_text: str | Path) -> tuple[str, str]:
    if isinstance(path_or_text, str) and ("\n" in path_or_text or ";" in path_or_text):
        return "kernel.cu", path_or_text
    path = Path(path_or_text)
    try:
        return str(path), path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        reason = error.strerror or "no file"
        raise SourceError(f"cannot read {path}: {reason}", "name a file of CUDA C++") from None
