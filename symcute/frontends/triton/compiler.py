"""The process that runs Triton, as it is asked: it imports users' files, and makes TTIR."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from typing import Any

from symcute.frontends.front_end import SourceError
from symcute.frontends.triton.compiling import UNIMPORTED
from symcute.frontends.triton.members import Tuning
from symcute.frontends.triton.source import Jitted
from symcute.frontends.triton.target import TRITON
from symcute.kernel.ir.place import Place
from symcute.processes.programs import START_LIMIT_S, Failed, Program

__all__ = ["LIMIT_S", "Compiler", "refuse_other", "version"]

#: Seconds that importing a file, or compiling a kernel, may take.
LIMIT_S = 120.0
#: What the text of TTIR means hangs on the version.
_VERSIONS = ("3.6.", "3.9.")
_IMPORT = "does the file import by itself?"
_TORCH = "install it, its build for CPUs is enough: pip install torch"
_INSTALL = "install it: pip install 'symcute[triton]'"


def version() -> str:
    """Return the version of Triton. Errors: SourceError where it is not there."""
    compiler = Compiler(START_LIMIT_S)
    try:
        return compiler.started()
    finally:
        compiler.close()


def refuse_other(found: str) -> None:
    """Refuse versions of Triton whose TTIR is not read. Errors: SourceError."""
    if not found.startswith(_VERSIONS):
        raise SourceError(f"TTIR of Triton {found} is not read, but that of 3.9 and 3.6", _INSTALL)


class Compiler:
    """The process that runs Triton: it is started when it is needed, and ends with the file."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        self._program: Program | None = None
        self._made: dict[str, dict[str, Any]] = {}

    def close(self) -> None:
        """End the process; the next kernel starts another."""
        if self._program is not None:
            self._program.kill()
            self._program = None

    def started(self) -> str:
        """Start the process, and return the version of Triton. Errors: SourceError, Failed."""
        if self._program is None:
            command = [sys.executable, "-m", "symcute.frontends.triton.worker"]
            self._program = Program(command).greeted(max(self._timeout, START_LIMIT_S))
        if "missing" in self._program.greeting:
            raise SourceError("Triton is not installed", _INSTALL)
        found = str(self._program.greeting.get("triton"))
        refuse_other(found)
        return found

    def ttir(self, kernel: Jitted) -> dict[str, Any]:
        """Return what the process makes of a kernel. Errors: SourceError."""
        key = json.dumps(
            [kernel.place.file, kernel.name, kernel.lines, kernel.types, kernel.constants]
        )
        if key not in self._made:
            asked = {"types": kernel.types, "constants": kernel.constants}
            self._made[key] = self._answer(kernel, asked)
        return self._made[key]

    def _answer(self, kernel: Jitted, request: Mapping[str, Any]) -> dict[str, Any]:
        try:
            self.started()
            assert self._program is not None
            answer = self._program.ask(
                {"file": kernel.place.file, "name": kernel.name, "lines": kernel.lines, **request},
                time.monotonic() + self._timeout,
            )
        except Failed as failure:
            self.close()
            what = f"{kernel.name} is not compiled: {failure.told('the process that runs Triton')}"
            raise SourceError(what, _IMPORT, kernel.place) from None
        if "torch" in answer:
            raise SourceError(str(answer["error"]), _TORCH, kernel.place)
        if "missing" in answer:
            first = str(answer["missing"][0])
            what, wanted = first.partition(" ")[::2]
            raise SourceError(
                f"{kernel.name}: what is the {what} of {wanted.partition(' ')[0]}?",
                f"write above it: {TRITON.note} {first}",
                kernel.place,
            )
        return answer

    def tuning(self, kernel: Jitted) -> Tuning:
        """Return what decorators say of a kernel.

        Errors: SourceError where the file does not import.
        """
        answer = self._answer(kernel, {"asked": "tuning"})
        if "error" in answer and not answer["error"].startswith(UNIMPORTED):
            return Tuning(trouble=answer["error"])
        if "error" in answer:
            line = answer.get("line")
            place = Place(kernel.place.file, line, 1) if isinstance(line, int) else kernel.place
            raise SourceError(f"{kernel.name}: {answer['error']}", _IMPORT, place)
        configs = answer["configs"] or ()
        return Tuning(
            tuple(configs), answer["pruned"], answer["defaults"], frozenset(answer["constexprs"]),
            answer["types"], frozenset(answer["general"]), answer["trouble"],
        )  # fmt: skip
