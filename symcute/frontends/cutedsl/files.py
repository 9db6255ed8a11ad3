"""`symcute check FILE.py`: the host functions of CuTe DSL in it, each traced in its own process."""

from __future__ import annotations

import os
import re
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from symcute.frontends.cutedsl.source import Host, bind, hosts
from symcute.frontends.front_end import SourceError
from symcute.kernel.findings import PROPERTIES, Finding
from symcute.kernel.ir.families import Family
from symcute.kernel.ir.place import Place
from symcute.processes.programs import START_LIMIT_S, Failed, Program

if TYPE_CHECKING:
    from symcute.kernel.launch.project import Request

__all__ = ["HostFunction", "host_functions"]

_ARCH = "sm_90a"
_FIX = "does the file import by itself?"


@dataclass(frozen=True)
class HostFunction:
    """A host function of a file, to be checked: what a kernel is for other front ends."""

    file: str
    host: Host
    families: tuple[Family, ...] = ()
    notes: tuple[tuple[str, Place], ...] = ()

    @property
    def name(self) -> str:
        """The function, or CLASS.METHOD."""
        return self.host.name

    @property
    def place(self) -> Place:
        """Its line."""
        return self.host.place

    def findings(self, request: Request) -> list[Finding]:
        """Trace the function within the time limit, and decide what is claimed of its kernels.

        Where properties are asked for, others are not told, but for `types_agree`; conflicts in
        banks are looked at where they are asked for, or noted.
        Errors: SourceError where an argument is missing, the file does not import, or the DSL does
        not trace it; at the line of the file, where that is known.
        """
        # A run that has no host function does without these.
        from symcute.frontends.cutedsl.checking import check_module

        host = replace(self.host, types={**self.host.types}, constants={**self.host.constants})
        for word, table in (("type", request.types), ("constexpr", request.template)):
            for name, value in table.items():
                bind(host, word, name, str(value), host.place)
        arch = _architecture(request.architecture or host.arch, host.place)
        answer = self._traced(host, arch, request.timeout)
        ways = host.ways
        chosen = request.properties != PROPERTIES
        if ways is None and chosen and "bank_conflicts" in request.properties:
            ways = 1
        found = check_module(
            answer["text"], file=self.file, kernel=host.name, names=tuple(answer["names"]),
            tensors=tuple((name, tuple(symbols)) for name, symbols in answer["tensors"]),
            bank_conflicts=ways, arch=arch,
            properties=tuple(p for p in request.properties if p in PROPERTIES),
            given=(*host.given, *request.given),
        )  # fmt: skip
        wanted = {*request.properties, "types_agree"}
        absolute = str(Path(self.file).resolve())
        told = []
        for f in found:
            if not chosen or f.property in wanted:
                file = self.file if f.place.file == absolute else f.place.file
                lines = f.certificates if request.certificates else ()
                told.append(
                    replace(
                        f,
                        place=replace(f.place, file=file),
                        text=f.text.replace(absolute, self.file),
                        reason=f.reason.replace(absolute, self.file),
                        certificates=lines,
                    )
                )
        return told

    def _traced(self, host: Host, arch: str, timeout: float) -> dict[str, Any]:
        missing = [
            p
            for p in host.parameters
            if p not in host.types and p not in host.constants and p not in host.optional
        ]
        if missing:
            p = missing[0]
            raise SourceError(
                f"{host.name}: what is {p}?",
                f"write above it: # symcute: type {p} = Float16 (M,N):(8*ld,1) align 16, or "
                f"# symcute: constexpr {p} = 64",
                host.place,
            )
        asked = {
            "file": self.file, "name": host.name, "parameters": host.parameters,
            "keywords": sorted(host.keywords), "types": host.types, "constants": host.constants,
        }  # fmt: skip
        program = None
        try:
            program = Program([sys.executable, "-m", "symcute.frontends.cutedsl.worker", arch])
            program.greeted(max(timeout, START_LIMIT_S))
            answer = program.ask(asked, time.monotonic() + timeout)
        except Failed as failure:
            told = failure.told("the process that runs CuTe DSL")
            raise SourceError(f"{host.name} is not traced: {told}", _FIX, host.place) from None
        finally:
            if program is not None:
                program.kill()
        if "error" in answer:
            place = Place(self.file, answer["line"], 1) if "line" in answer else host.place
            raise SourceError(f"{host.name}: {answer['error']}", answer["fix"] or _FIX, place)
        return answer


def host_functions(path: Path, name: str | None) -> list[HostFunction]:
    """Return the host functions of a Python file, or those of that name; the file is not run.

    Errors: SourceError for a note that does not make sense.
    """
    if path.suffix != ".py":
        return []
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return []  # who reads it for its kernels says so
    found = [HostFunction(str(path), x) for x in hosts(str(path), text)]
    return [x for x in found if name in (None, x.name, x.host.owner or None)]


def _architecture(text: str | None, place: Place) -> str:
    """Return an architecture in the DSL's words: sm90 is sm_90a."""
    text = text or os.environ.get("CUTE_DSL_ARCH") or _ARCH
    found = re.fullmatch(r"sm_?(\d{2,3})([af]?)", text)
    if found is None:
        raise SourceError(f"{text!r} is no architecture", "write sm_90a", place)
    return f"sm_{found[1]}{found[2] or ('a' if int(found[1]) >= 90 else '')}"
