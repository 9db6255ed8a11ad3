"""What earlier runs left of kernels: what a source holds, and what was found of each program.

A source is read anew when its text, anything it may include, or what the compiler is told changes;
a kernel is decided anew when its program (its notes and places are part of it), what is asked, or
the engine changes. So a change costs those kernels whose programs it changes.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, astuple
from pathlib import Path
from typing import Any

from symcute.frontends import for_file
from symcute.frontends.cutedsl.files import host_functions
from symcute.kernel.ir.document import from_json, to_json
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Kernel
from symcute.kernel.launch.project import (
    Found,
    Known,
    Request,
    Task,
    Trouble,
    read_file,
    tasks,
)  # fmt: skip
from symcute.run.cache import FOR_GOOD
from symcute.run.store import Store, digest
from symcute.solve.solvers.answer import is_mishap

__all__ = ["KernelCache"]

_RECURSION = 10_000


class KernelCache(Store):
    """Kernels of sources and their findings by key in a cache; without one it stays empty."""

    def __init__(self, path: Path | None, tell: Callable[[str], None] = lambda _: None) -> None:
        """Open the cache in the file; `tell` gets notices about it, one line each."""
        super().__init__(path, tell)
        self._afresh: frozenset[str] = frozenset()
        self._results: dict[tuple[str, float], dict[str, Any] | None] = {}

    def tasks(self, target: str, request: Request) -> list[Task | Trouble]:
        """Return the kernels of a target; a file of which all is known is not read.

        Post-conditions: a kernel that was not read has a `result`. Errors: those of `tasks`.
        """
        self._afresh = frozenset()
        found = list(tasks(target, request, self._read))
        lacking = [
            task.kernel.file
            for task in found
            if isinstance(task, Task)
            and isinstance(task.kernel, Known)
            and self.result(task) is None
        ]
        if not lacking:
            return found
        self._afresh = frozenset(lacking)
        return list(tasks(target, request, self._read))

    def result(self, task: Task) -> dict[str, Any] | None:
        """Return what was found of a kernel, if that answers for the time limit asked."""
        if not self.on or not task.has_program:
            return None
        # What was there once stays there, whatever becomes of the file.
        key = self._key(task), task.request.timeout
        if key not in self._results:
            self._results[key] = self.get(*key)
        found = self._results[key]
        return None if found is None else {**found, "cached": True}

    def keep(self, task: Task, result: dict[str, Any]) -> None:
        """Remember what was found of a kernel, as far as it would come out again."""
        if not self.on or not task.has_program:
            return
        if any(is_mishap(f["reason"]) for f in result["findings"]):
            return
        known = "unknown" not in result["verdicts"].values()
        body = {k: v for k, v in result.items() if k != "cached"}
        self.put(self._key(task), body, FOR_GOOD if known else task.request.timeout)
        self.write(at_once=False)

    def _read(self, path: Path, name: str | None, request: Request) -> Sequence[Found]:
        hosts = host_functions(path, name)
        if hosts and name is not None:
            return hosts
        return [*hosts, *self._kernels(path, name, request)]

    def _kernels(self, path: Path, name: str | None, request: Request) -> Sequence[Kernel | Known]:
        key = self._source_key(path, name, request)
        heads = self.get(key) if key and str(path) not in self._afresh else None
        if heads is not None:
            return [
                Known(name, Place(*place), str(path), code, from_json(notes), from_json(families))
                for name, place, code, notes, families in heads
            ]
        kernels = read_file(path, name, request, self._tell)
        # A file that changed while it was read is no answer for what it was before.
        if key and self._source_key(path, name, request) == key:
            self.put(key, [_head(k) for k in kernels])
        return kernels

    def _source_key(self, path: Path, name: str | None, request: Request) -> str | None:
        """Return the key of what a source holds, or None where there is none."""
        if not self.on:
            return None
        front_end = for_file(path, request.road)
        defines = front_end.defines(request.architecture, request.defines)
        text = front_end.fingerprint(path, request.include, defines)
        if text is None or "\n" in "".join((name or "", *request.template.values())):
            return None  # a name of more than a line could include something too
        told = [front_end.name, str(path), name, defines, dict(request.template)]
        return digest("source", self.engine, text, json.dumps([told, request.include]))

    def _key(self, task: Task) -> str:
        """Return the key of what is found of a kernel; the time limit is no part of it."""
        asked = asdict(task.request)
        del asked["timeout"]
        family = None if task.number is None else to_json(task.family)
        assert isinstance(task.kernel, Kernel | Known)
        return digest("kernel", self.engine, _program(task.kernel), json.dumps([asked, family]))


def _head(kernel: Kernel | Known) -> tuple[object, ...]:
    """Return what is kept of a kernel that was read."""
    said = to_json(kernel.notes), to_json(kernel.families)
    return kernel.name, astuple(kernel.place), _program(kernel), *said


def _program(kernel: Kernel | Known) -> str:
    """Return the digest of a program."""
    if isinstance(kernel, Known):
        return kernel.program
    depth = sys.getrecursionlimit()
    sys.setrecursionlimit(max(depth, _RECURSION))
    try:
        return digest("program", json.dumps(to_json(kernel)))
    finally:
        sys.setrecursionlimit(depth)
