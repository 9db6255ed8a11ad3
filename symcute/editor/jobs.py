"""The work on one file: a process decides it unit by unit, within a deadline, until cancelled."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from symcute.editor.remarks import INFORMATION, WARNING, Remark, Unit
from symcute.processes.programs import START_LIMIT_S, Failed, Late, Program

__all__ = ["Job", "Limits"]


@dataclass(frozen=True)
class Limits:
    """What the work on a file may take: seconds of a unit and of the file, megabytes."""

    unit: float = 10.0
    file: float = 60.0
    memory_mb: int = 2048


@dataclass
class Job:
    """The work on one version of a file; `text` is what the editor has of a theorem file."""

    path: Path
    root: Path
    text: str
    version: int | None
    limits: Limits
    remarks: list[Remark] = field(default_factory=list)
    done: bool = False

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._program: Program | None = None
        self._cancelled = False

    def cancel(self) -> None:
        """End the work at once; what was found stays."""
        with self._lock:
            self._cancelled = True
            if self._program is not None:
                self._program.stop()

    def run(self, tell: Callable[[list[Remark], bool], object]) -> None:
        """Decide the file, and tell what is to be said of each unit, and whether that is all."""
        deadline = time.monotonic() + self.limits.file
        units: list[Unit] = []
        number = 0
        while not self._cancelled:
            try:
                units = self._decide(units, number, deadline, tell)
                number = len(units)
            except _AtUnit as stopped:
                units, number = stopped.units, stopped.number + 1
                tell(_lost(units[stopped.number], stopped.why, self.limits), False)
                if isinstance(stopped.why, Late):
                    break
            except Failed as error:
                if not self._cancelled:
                    tell(_lost(Unit("", "", 0), error, self.limits), True)
                return
            if number >= len(units):
                break
        if not self._cancelled:
            late = [r for unit in units[number:] for r in _lost(unit, Late(), self.limits)]
            tell(late, True)

    def _decide(
        self, known: list[Unit], first: int, deadline: float, tell: Callable[..., object]
    ) -> list[Unit]:
        """Decide the units from a number on, in a process of its own; return all units."""
        program = self._started()
        try:
            opened = program.ask(self._request(), deadline)
            units = [Unit(**u) for u in opened["units"]]
            if not known:
                tell(_read(opened), False)
            for number in range(first, len(units)):
                try:
                    tell(_read(program.ask({"unit": number}, deadline)), False)
                except Failed as error:
                    if self._cancelled:
                        return units
                    raise _AtUnit(units, number, error) from error
            return units
        finally:
            with self._lock:
                self._program = None
            program.kill()

    def _request(self) -> dict[str, Any]:
        path, root = str(self.path), str(self.root)
        return {"path": path, "root": root, "text": self.text, "seconds": self.limits.unit}

    def _started(self) -> Program:
        command = [sys.executable, "-m", "symcute.editor.worker", str(self.limits.memory_mb)]
        program = Program(command)
        with self._lock:
            self._program = program
            if self._cancelled:
                program.stop()
        return program.greeted(START_LIMIT_S)


class _AtUnit(Exception):
    """The process did not decide a unit."""

    def __init__(self, units: list[Unit], number: int, why: Failed) -> None:
        self.units, self.number, self.why = units, number, why
        super().__init__(str(why))


def _read(answer: Mapping[str, Any]) -> list[Remark]:
    return [Remark.from_json(r) for r in answer["remarks"]]


def _lost(unit: Unit, why: Failed, limits: Limits) -> list[Remark]:
    """Return what is said of a unit that was not decided."""
    if isinstance(why, Late):
        severity, text = INFORMATION, f"not decided: {limits.file:g} s for the file are over"
    else:
        severity, text = WARNING, f"not decided: the process {why}"
    text = f"{unit.name}: {text}" if unit.name else text
    return [Remark(unit.line, 0, 1, severity, text, file=unit.file)]
