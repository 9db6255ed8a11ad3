"""Runs theorems, several at a time in processes of their own, and hands over each as it is done."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import cache

from symcute.errors import SymcuteError
from symcute.report.json import Record, failed_record, record
from symcute.theorems import Theorem, find, run

__all__ = ["cpus", "results"]


def cpus() -> int:
    """Return how many CPUs this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def results(
    paths: tuple[str, ...], theorems: Sequence[Theorem], timeout: float, jobs: int
) -> Iterator[Record]:
    """Run theorems that `find` found under the paths; yield each record as it is done.

    The order is that of finishing. A theorem whose code or worker fails is unknown, never lost.
    When the caller stops early, or is interrupted, the workers are ended.
    """
    jobs = min(jobs, len(theorems))
    if jobs <= 1:
        for theorem in theorems:
            yield _run(theorem, timeout)
        return
    # A forked worker has the theorems loaded already; elsewhere a fresh process is the safe way.
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    _loaded(paths)
    pool = ProcessPoolExecutor(jobs, context, _ignore_interrupt)
    try:
        futures = {pool.submit(_run_named, paths, t.name, timeout): t for t in theorems}
        for future in as_completed(futures):
            yield _outcome(future, futures[future])
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.terminate()
        raise
    pool.shutdown()


def _ignore_interrupt() -> None:
    """Leave Ctrl-C to the parent, which ends the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _outcome(future: Future[Record], theorem: Theorem) -> Record:
    try:
        return future.result()
    except BrokenProcessPool:
        return failed_record(theorem, "the process that ran it was killed (out of memory?)")


def _run_named(paths: tuple[str, ...], name: str, timeout: float) -> Record:
    return _run(_loaded(paths)[name], timeout)


@cache
def _loaded(paths: tuple[str, ...]) -> dict[str, Theorem]:
    return {theorem.name: theorem for theorem in find(paths)}


def _run(theorem: Theorem, timeout: float) -> Record:
    started = time.perf_counter()
    try:
        return record(run(theorem, timeout))
    except SymcuteError as error:
        reason = str(error)
    except Exception as error:
        # The body of a theorem is its author's Python, which may fail in any way.
        reason = f"{theorem.file}:{theorem.line} raised {type(error).__name__}: {error}"
    return failed_record(theorem, reason, time.perf_counter() - started)
