"""The run in a process of its own, watched: what hangs or dies costs one claim, not the rest.

Records are appended to a partial file as they come; a run that was stopped takes up from there.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic
from typing import Any, TypeAlias

from symcute import __version__
from symcute.errors import SymcuteError
from symcute.evidence.backends import Backend, CupyBackend, HostBackend, MachineFailed
from symcute.evidence.record import Evidence, Item, Subject
from symcute.evidence.run import Options, gather
from symcute.processes.children import Child
from symcute.processes.programs import Failed

__all__ = ["collect", "make_backend"]

#: How often the process is started again after it hung or died.
RESTARTS = 8
#: The exit code of a process whose device failed.
MACHINE_FAILED = 70

Record: TypeAlias = dict[str, Any]
#: What the process runs: it sends events down the connection.
Work: TypeAlias = Callable[[Connection, list[Subject], str, Options], None]


def make_backend(kind: str) -> Backend:
    """Return the backend "cuda", "cpu", or "cpu+cute" (CuTe through the host's C++ compiler).

    Errors: InputError when it cannot be used here.
    """
    return CupyBackend() if kind == "cuda" else HostBackend(cute=kind.endswith("+cute"))


def collect(
    subjects: Sequence[Subject],
    kind: str,
    options: Options,
    *,
    partial: Path | None = None,
    commit: str = "",
    patience: float = 120.0,
    done: Callable[[str], None] = lambda _: None,
    work: Work | None = None,
) -> Evidence:
    """Run all subjects on a machine in a process of its own, and return the evidence.

    `partial` is the file that keeps records until the run is complete: where it holds records of
    the same machine and options, they are taken over. A claim that takes longer than `patience`
    seconds, or during which the process dies, is recorded as skipped with that reason.
    `done` is called with the name of each theorem whose claim is finished; `work` is what the
    process runs.
    Errors: SymcuteError when the machine cannot be used, or keeps failing.
    """
    started = monotonic()
    options_text = json.dumps([kind, __version__, asdict(options)])
    kept = _kept(partial, options_text)
    backend: dict[str, str] = kept.pop("backend", {})
    records: dict[tuple[str, str], Record] = kept
    left = [s for s in subjects if s.key not in records]
    for s in subjects:
        if s.key in records:
            done(s.theorem)
    restarts = 0
    while left:
        before = len(left)
        remaining = replace(options, seconds=options.seconds - (monotonic() - started))
        for event, value in _watched(left, kind, remaining, patience, work or _work):
            if event == "backend":
                backend = value
                _keep(partial, options_text, "backend", value)
            elif event == "failed":
                _refuse(value, len(left) == before, restarts)
                restarts += 1
            else:
                records[(value["theorem"], value["claim"])] = value
                _keep(partial, options_text, "item", value)
                done(value["theorem"])
                left = [s for s in left if s.key != (value["theorem"], value["claim"])]
    created = datetime.now(UTC).isoformat(timespec="seconds")
    items = tuple(records[s.key] for s in subjects)
    if partial is not None:
        partial.unlink(missing_ok=True)
    seconds = monotonic() - started
    known = {"instances": options.instances, "limit": options.limit, "bits": options.bits}
    return Evidence(created, __version__, commit, backend, known, seconds, items)


def _refuse(why: str, nothing_done: bool, restarts: int) -> None:
    if nothing_done or restarts >= RESTARTS:
        raise SymcuteError(f"the machine keeps failing: {why}", "see nvidia-smi, or report it")


def _watched(
    left: Sequence[Subject], kind: str, options: Options, patience: float, work: Work
) -> Iterable[tuple[str, Any]]:
    """Run in a child process; yield its backend, its records, and how it failed if it did."""
    child = Child(work, list(left), kind, options)
    current: Subject | None = None
    try:
        while True:
            # Before the first claim the modules compile; that has no limit of its own here.
            event, value = child.hear(patience if current is not None else max(patience, 600.0))
            if event == "end":
                return
            if event == "error":
                raise SymcuteError(*value)
            if event == "started":
                current = value
                continue
            if event == "item":
                current = None
            yield event, value
    except Failed as failure:
        why = failure.told("the process")
    finally:
        child.kill()
    if current is not None:
        item = Item(
            current.theorem, current.claim, tuple(current.given), current.status, "",
            skipped=f"the machine failed: {why}",
        )  # fmt: skip
        yield "item", item.to_json()
    yield "failed", why


def _work(out: Connection, subjects: list[Subject], kind: str, options: Options) -> None:
    """Run the subjects in the child, and send what is found."""
    try:
        backend = make_backend(kind)
        out.send(("backend", backend.describe()))
        gather(
            subjects,
            backend,
            options,
            started=lambda subject: out.send(("started", subject)),
            done=lambda item: out.send(("item", item.to_json())),
        )
        out.send(("end", None))
    except MachineFailed as error:
        # A device error stays with the process: the next one starts afresh.
        print(f"symcute: {error.what}", file=sys.stderr)
        os._exit(MACHINE_FAILED)
    except SymcuteError as error:
        out.send(("error", (error.what, error.fix)))


def _kept(partial: Path | None, options: str) -> dict[Any, Any]:
    """Return what an earlier run with the same options left: the backend, and records by key."""
    found: dict[Any, Any] = {}
    try:
        lines = partial.read_text(encoding="utf-8").splitlines() if partial else []
    except OSError:
        return {}
    for line in lines:
        try:
            kept_options, event, value = json.loads(line)
        except ValueError:
            continue  # the last line of a run that was killed may be half a line
        if kept_options == options:
            found[event if event == "backend" else (value["theorem"], value["claim"])] = value
    return found


def _keep(partial: Path | None, options: str, event: str, value: Any) -> None:
    if partial is None:
        return
    partial.parent.mkdir(parents=True, exist_ok=True)
    with partial.open("a", encoding="utf-8") as file:
        file.write(json.dumps([options, event, value], ensure_ascii=False) + "\n")
