"""Theorems run by several workers, with what earlier runs left."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from symcute.processes.children import cpus
from symcute.prover.theorems import Theorem
from symcute.report.json import Record
from symcute.run.engine import this_engine
from symcute.run.results import ResultCache
from symcute.run.task import task_of
from symcute.run.workers import GivenCrew, LocalCrew, WorkerPool

__all__ = ["DEFAULT_MEMORY_MB", "QUERIES_IN_TIME", "results", "run_all"]

#: Memory that a theorem may take, beside that of the solvers it asks.
DEFAULT_MEMORY_MB = 2048

#: The time of a theorem, in units of the time of one solver query.
QUERIES_IN_TIME = 10


def run_all(
    theorems: Sequence[Theorem[Any]],
    *,
    executor: Executor | None = None,
    timeout: float = 60.0,
    limit: float | None = None,
    jobs: int | None = None,
    memory_mb: int = DEFAULT_MEMORY_MB,
    cache: str | Path | None = None,
    progress: Callable[[Record], None] | None = None,
) -> list[Record]:
    """Run theorems that `find` found; return their records, in the same order.

    `executor` is any executor of `concurrent.futures`, one of dask.distributed among them
    (`client.get_executor()`); its workers need the same symcute and libraries as this process, and
    get the text of each theorem's file. It is not shut down. Without one, `jobs` processes of this
    machine (as many as there are CPUs) run the theorems, each limited to `memory_mb` and to `limit`
    seconds a theorem (ten times `timeout` when it is not named).

    `timeout` bounds the seconds of one solver query. `cache` is a file
    that keeps verdicts from run to run. `progress` is called with each record as it is done.

    Post-conditions: each theorem has its record; one whose worker dies is run once more, alone,
    and is unknown, with that reason, when its worker dies again.
    Errors: InputError for a theorem that was not read from a file.

    >>> from symcute.prover.theorems import find
    >>> found = find(["proofs/notes/01_tables.py"])
    >>> [r["status"] for r in run_all(found, jobs=1)] == [t.expected for t in found]
    True
    """
    crew = GivenCrew(executor) if executor is not None else None
    records: dict[str, Record] = {}
    with ResultCache(Path(cache) if cache is not None else None) as shelf:
        for record in results(
            theorems,
            crew=crew,
            timeout=timeout,
            limit=limit,
            jobs=jobs,
            memory_mb=memory_mb,
            shelf=shelf,
        ):
            records[record["name"]] = record
            if progress is not None:
                progress(record)
    return [records[t.name] for t in theorems]


def results(
    theorems: Sequence[Theorem[Any]],
    *,
    crew: WorkerPool | None = None,
    timeout: float = 60.0,
    limit: float | None = None,
    jobs: int | None = None,
    memory_mb: int = DEFAULT_MEMORY_MB,
    shelf: ResultCache | None = None,
) -> Generator[Record]:
    """Run theorems and yield each record as it is done; see `run_all`.

    When the caller stops early, or is interrupted, the workers are ended; what is done is kept.
    """
    shelf = shelf or ResultCache(None)
    todo = {}
    for theorem in theorems:
        known = shelf.outcome(theorem, timeout)
        if known is not None:
            yield known.record(theorem)
        else:
            todo[theorem.name] = theorem
    if not todo:
        return
    jobs = min(jobs or cpus(), len(todo))
    whole = QUERIES_IN_TIME * timeout if limit is None else limit
    crew = crew or LocalCrew(jobs, memory_mb, whole)
    engine = this_engine().version if crew.checked else shelf.engine
    work = crew.outcomes([task_of(t, timeout, engine, shelf.path) for t in todo.values()])
    try:
        for task, outcome in work:
            shelf.keep(todo[task.name], outcome, timeout)
            yield outcome.record(todo[task.name])
    finally:
        work.close()
        shelf.write()
