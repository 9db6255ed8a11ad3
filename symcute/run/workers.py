"""Where tasks run: processes of this machine, or an executor that somebody hands us."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import sys
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Protocol

__all__ = ["GivenCrew", "LocalCrew", "WorkerPool", "cpus"]

_STATM = Path("/proc/self/statm")
_MB = 2**20


def cpus() -> int:
    """Return how many CPUs this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class WorkerPool(Protocol):
    """Workers that come as executors; one that broke is replaced, where that is possible."""

    #: The engine that workers must have, empty when they are copies of this process.
    checked: bool
    #: How many tasks may be under way at once, so that a death casts doubt on few.
    window: int | None

    def executor(self, jobs: int | None = None) -> Executor:
        """Return an executor that works as far as is known, of that many workers."""

    def broken(self) -> None:
        """Take note that the executor lost a worker and does nothing any more."""

    def trouble(self) -> str:
        """Return why nothing more can be expected of the workers, or an empty text."""

    def dismiss(self) -> None:
        """End the work that is under way."""


class LocalCrew:
    """Processes of this machine, each limited to `memory_mb` beyond what it starts with."""

    checked = False

    def __init__(self, jobs: int, memory_mb: int) -> None:
        self._jobs = jobs
        self._memory_mb = memory_mb
        self._pool: ProcessPoolExecutor | None = None
        self.window: int | None = 2 * jobs

    def executor(self, jobs: int | None = None) -> Executor:
        """Return the pool, or a fresh one after a death."""
        if self._pool is None:
            # A forked worker has loaded what we have; elsewhere a fresh process is the safe way.
            way = "fork" if sys.platform == "linux" else "spawn"
            context = multiprocessing.get_context(way)
            self._pool = ProcessPoolExecutor(
                jobs or self._jobs, context, _begin, (self._memory_mb,)
            )
        return self._pool

    def broken(self) -> None:
        """Let go of a pool; the next one is fresh."""
        pool, self._pool = self._pool, None
        if pool is not None:
            # Python's pool ends its other workers when one dies; here all have to end at once.
            processes = list((pool._processes or {}).values())
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                with suppress(OSError, ValueError):
                    process.kill()

    def trouble(self) -> str:
        """Return an empty text: what dies here is replaced."""
        return ""

    def dismiss(self) -> None:
        """End all workers."""
        self.broken()


class GivenCrew:
    """An executor that belongs to somebody else: used, never shut down, never replaced."""

    checked = True
    window: int | None = None

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    def executor(self, jobs: int | None = None) -> Executor:
        """Return the executor."""
        return self._executor

    def broken(self) -> None:
        """Do nothing: an executor that is broken says so itself when it is asked again."""

    def trouble(self) -> str:
        """Return an empty text: futures tell of any trouble."""
        return ""

    def dismiss(self) -> None:
        """Do nothing: the futures are cancelled by whoever waits for them."""


def _begin(memory_mb: int) -> None:
    """Start a worker: Ctrl-C is left to the parent, which ends the workers; memory is limited."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = _address_space() + memory_mb * _MB
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    # The hard limit stays: a solver that the worker starts has a limit of its own.
    resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))


def _address_space() -> int:
    """Return the bytes of address space in use; most of it libraries, none of it the theorem's."""
    try:
        return int(_STATM.read_text().split()[0]) * resource.getpagesize()
    except OSError:
        return 1024 * _MB
