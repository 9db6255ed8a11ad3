"""CUDA C++ to kernels by clang's LLVM IR: the second road, which sees through templates."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from symcute.errors import InputError
from symcute.frontends.cuda.comments import notes_of
from symcute.frontends.cuda.instances import unread
from symcute.frontends.cuda.project import Built, built
from symcute.frontends.cuda.source import read_kernels
from symcute.frontends.cuda.words import kernels_in, plain
from symcute.frontends.front_end import Source, SourceError
from symcute.frontends.llvm.compiling import Compiled, compiled, compiler, kernels_of
from symcute.frontends.llvm.debug import Debug
from symcute.frontends.llvm.kernel import lowered
from symcute.frontends.llvm.text import Module, Unread
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Kernel, NotUnderstood

__all__ = ["TIMEOUT_S", "programs", "read_through_llvm"]

#: Seconds of the processor that clang and its passes may take.
TIMEOUT_S = 120.0
#: Seconds for the host code.
_HOST_S = 30.0


def read_through_llvm(
    path_or_text: str | Path,
    *,
    name: str | None = None,
    defines: Mapping[str, object] | None = None,
    template_args: Mapping[str, object] | None = None,
    include_dirs: Sequence[str | Path] = (),
    timeout: float = TIMEOUT_S,
    launched: Mapping[str, Kernel] | None = None,
) -> Source:
    """Return the kernels of a CUDA C++ file, or of text, as programs.

    These are the kernels that clang makes for a device: templates as host code in the file uses
    them. Needs clang with its passes, and the headers of CUDA. How they are `launched` is read on
    the other road where that was not done before.

    Pre-conditions: none; what is not understood is `NotUnderstood` in the program.
    Errors: SourceError for what does not compile, names no kernel, or takes too long; InputError
    where there is no compiler.
    """
    path, text = _text(path_or_text)
    project = built(path_or_text) if isinstance(path_or_text, Path) else Built()
    known = project.defines | {k: str(v) for k, v in (defines or {}).items()}
    folders = [str(f) for f in include_dirs] + list(project.folders)
    asked = _asked(text, name, {k: str(v) for k, v in (template_args or {}).items()})
    done = compiled(path, text + asked, known, folders, timeout)
    kernels = {
        t: replace(k, granted=(*k.granted, *done.granted))
        for t, k in programs(done, path, text).items()
    }
    if not all(k.launch_noted for k in kernels.values()):
        if launched is None:
            launched = _launched(path_or_text, known, include_dirs)
        kernels = _with_launches(kernels, launched)
    kernels = {**_unmade(kernels, path, text), **kernels}
    if name is not None:
        kernels = {t: k for t, k in kernels.items() if name in _names(t)}
        if not kernels:
            raise SourceError(
                f"there is no kernel {name} in {path} of which clang makes code",
                "templates need host code, or an explicit instantiation, that uses them",
            )
    took = f"took {done.seconds:.1f} s of the processor" if done.seconds else "has read it before"
    said = f"clang {compiler().version} {took}"
    return Source(path, text, kernels, done.lacking, compiled=said)


_TEMPLATE = re.compile(
    r"((?:^[ \t]*//.*\n)*)^[ \t]*template\s*<([^;{}]*?)>\s*(?:__\w+__(?:\([^)]*\))?\s+|static\s+)*?"
    r"__global__[^;{}()]*?(?:__launch_bounds__\([^)]*\)[^;{}()]*?)?(\w+)\s*\(",
    re.MULTILINE,
)


def _asked(text: str, name: str | None, given: Mapping[str, str]) -> str:
    """Return lines that make what is asked for of templates: by name, arguments or comments."""
    wanted = [name] if name is not None and "<" in name else []
    for comments, parameters, title in _TEMPLATE.findall(text) if not wanted else ():
        noted = re.findall(r"//\s*symcute:\s*template\s+(.*)", comments)
        known = dict(re.findall(r"(\w+)\s*=\s*(\S+)", " ".join(noted))) | dict(given)
        values = []
        for parameter in parameters.split(","):
            found = re.search(r"(\w+)\s*(?:=.*)?$", parameter.strip(), re.DOTALL)
            if found is None or found[1] not in known:
                break
            values.append(known[found[1]])
        if values:
            wanted.append(f"{title}<{', '.join(values)}>")
    lines = "".join(f"auto kernel{n} = &{made};\n" for n, made in enumerate(wanted))
    return f"\nnamespace symcute_asked {{\n{lines}}}\n" if wanted else ""


def _names(title: str) -> set[str]:
    plain = title.split("<")[0]
    return {title, title.split("::")[-1], plain, plain.split("::")[-1]}


def programs(done: Compiled, path: str, text: str) -> dict[str, Kernel]:
    """Return the kernels of compiled text by their names."""
    described, module = Debug(Module(done.raw)), Module(done.text)
    found: dict[str, Kernel] = {}
    for linked, bound in kernels_of(done.raw).items():
        node = described.function(linked)
        title = described.title(node) or linked
        line = described.fields(node).get("line", "1")
        file = described.file(node) or path
        place = Place(path if _same(file, path) else file, max(1, int(line)), 1)
        number = 1
        while title in found:
            number += 1
            title = f"{title} ({number})"
        try:
            function = module.functions.get(linked)
            if function is None:
                raise Unread("clang makes no code of it")
            kernel = lowered(module, function, described, node, title, place, _Shown(path))
        except (Unread, IndexError, RecursionError) as error:
            why = f"clang's output is not understood: {error}"
            kernel = unread(title, place, NotUnderstood(why, place, barrier=True))
        noted = text if place.file == path else _read(place.file)
        found[title] = replace(
            kernel, notes=notes_of(place.file, noted, place.line), launch_bounds=bound,
            cluster=() if "__cluster_dims__" in noted else None,  # which clang drops
        )  # fmt: skip
    return found


def _unmade(kernels: Mapping[str, Kernel], path: str, text: str) -> dict[str, Kernel]:
    """Return the kernels of a text of which clang makes no code: of these nothing is known."""
    made = {t.split("<")[0].split("::")[-1] for t in kernels}
    found: dict[str, Kernel] = {}
    bare = plain(text)
    for name, offset in kernels_in(bare):
        if name not in made:
            line = bare.count("\n", 0, offset) + 1
            place = Place(path, line, offset - bare.rfind("\n", 0, offset))
            why = NotUnderstood("a template of which the file makes nothing", place, barrier=True)
            found[name] = unread(name, place, why, notes_of(path, text, line))
    return found


#: What tells instances of one name apart.
_NUMBERED = re.compile(r" \(\d+\)$")


def _launched(
    path_or_text: str | Path, defines: Mapping[str, str], include_dirs: Sequence[str | Path]
) -> Mapping[str, Kernel]:
    """Return the kernels of a source as the other road reads them, with their launches."""
    try:
        return read_kernels(
            path_or_text, defines=defines, include_dirs=include_dirs, timeout=_HOST_S
        ).kernels
    except SourceError:
        return {}


def _with_launches(
    kernels: Mapping[str, Kernel], others: Mapping[str, Kernel]
) -> dict[str, Kernel]:
    """Return kernels with the launches that host code makes of them, where nothing is noted."""
    found = dict(kernels)
    for title, kernel in kernels.items():
        other = others.get(title)
        # Which of several instances of one name is launched is not known.
        first = _NUMBERED.sub("", title)
        many = f"{first} (2)" in kernels or any(t.startswith(f"{first}(") for t in others)
        if other is None or many or kernel.launch_noted:
            continue
        if _parameters(kernel) == _parameters(other):
            found[title] = replace(kernel, families=other.families)
    return found


def _parameters(kernel: Kernel) -> list[tuple[str, object]]:
    return [(p.name, p.type) for p in kernel.params]


class _Shown:
    """Which files are the user's: all but the headers of compilers and of CUDA."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._known: dict[str, str] = {}
        try:
            self._others: tuple[str, ...] = compiler().headers
        except InputError:  # text that was compiled elsewhere
            self._others = ()

    def __call__(self, file: str) -> str:
        if file not in self._known:
            here = os.path.realpath(file) == os.path.realpath(self._path)
            others = ("/usr/lib/", "/usr/include/", *self._others)
            self._known[file] = self._path if here else "" if file.startswith(others) else file
        return self._known[file]


def _same(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _read(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _text(path_or_text: str | Path) -> tuple[str, str]:
    if isinstance(path_or_text, str) and ("\n" in path_or_text or ";" in path_or_text):
        return "kernel.cu", path_or_text
    path = Path(path_or_text)
    try:
        return str(path), path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        reason = error.strerror or "no file"
        raise SourceError(f"cannot read {path}: {reason}", "name a file of CUDA C++") from None
