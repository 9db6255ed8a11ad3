"""Functions of ours in processes of their own, and a pool of them that tasks are given to."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Generic, TypeVar

from symcute.processes import serving
from symcute.processes.programs import Failed, Late, OutOfMemory, ended
from symcute.processes.serving import MEMORY_EXIT, end_with, limit_memory

__all__ = ["Child", "Pool", "cpus"]

Task = TypeVar("Task")
Result = TypeVar("Result")

_STATM = Path("/proc/self/statm")
_MB = 2**20


def cpus() -> int:
    """Return how many CPUs this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Child:
    """A process that runs `work(pipe, *args)`, where objects go both ways over the pipe.

    Ctrl-C is left to whoever holds it, who kills it. With `memory_mb` it takes at most so much
    beyond what it starts with, and ends where that is not enough. Where we are killed it ends too,
    in the midst of its work. With `copy` it has loaded what we have, where a fork is safe; else,
    and elsewhere, it starts afresh. Raises `Failed` where no process can be started.
    """

    def __init__(
        self,
        work: Callable[..., object],
        *args: object,
        memory_mb: int | None = None,
        copy: bool = False,
    ) -> None:
        if not serving.PROCESSES:
            raise Failed(f"did not start ({serving.NO_PROCESSES})")
        context: Any = multiprocessing.get_context(
            "fork" if copy and sys.platform == "linux" else "spawn"
        )
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=_begin, args=(os.getpid(), memory_mb, work, theirs, *args), daemon=True
        )
        self._process.start()
        theirs.close()

    def say(self, message: object) -> None:
        """Send an object; one that the process does not live to read is lost."""
        with suppress(BrokenPipeError, ConnectionResetError):
            self._pipe.send(message)

    def hear(self, seconds: float) -> Any:
        """Return the next object it says. Raises `Late`, or `Failed` when the process has ended."""
        if not wait(self.signs(), seconds):
            raise Late(f"gave no answer within {seconds:g} s")
        try:
            return self._pipe.recv() if self._pipe.poll() else self._died()
        except (EOFError, ConnectionResetError):
            return self._died()

    def signs(self) -> list[Any]:
        """Return what `multiprocessing.connection.wait` waits for: it says something, or ends."""
        return [self._pipe, self._process.sentinel]

    def kill(self) -> None:
        """End the process at once and let go of it."""
        self._process.kill()
        self._process.join()
        self._pipe.close()

    def _died(self) -> Any:
        self._process.join()
        raise ended(self._process.exitcode)


class Pool(Generic[Task, Result]):
    """Processes that each do `work` for one task after another.

    One that dies, is late by `seconds` or reaches its memory limit costs that task alone, and is
    replaced. Tasks and results are plain data.
    """

    def __init__(
        self,
        work: Callable[[Task], Result],
        jobs: int,
        *,
        memory_mb: int | None = None,
        seconds: float = float("inf"),
    ) -> None:
        self._work, self._jobs, self._memory_mb, self._seconds = work, jobs, memory_mb, seconds

    def results(self, tasks: Iterable[Task]) -> Generator[tuple[Task, Result | Failed]]:
        """Yield each task with its result, or with why there is none, in the order of finishing.

        A task whose process died is done once more, alone, after all others: what kills it is told
        apart from a mishap. When the caller stops early, is interrupted too, all processes end.
        """
        waiting, again = deque(tasks), deque[Task]()
        idle: list[Child] = []
        busy: dict[Child, tuple[Task, float]] = {}
        jobs, alone = self._jobs, False
        try:
            while waiting or again or busy:
                if not waiting and not busy:
                    waiting, again, jobs, alone = again, deque(), 1, True
                while waiting and len(busy) < jobs:
                    child = idle.pop() if idle else self._child()
                    child.say(waiting[0])
                    busy[child] = waiting.popleft(), time.monotonic() + self._seconds
                for child in self._heard(busy):
                    task, _ = busy.pop(child)
                    try:
                        result = child.hear(0)
                    except Failed as failure:
                        child.kill()
                        late = isinstance(failure, Late)
                        if late or alone or isinstance(failure, OutOfMemory):
                            yield task, failure
                        else:
                            again.append(task)
                    else:
                        idle.append(child)
                        yield task, result
        finally:
            for child in (*idle, *busy):
                child.kill()

    def _heard(self, busy: dict[Child, tuple[Task, float]]) -> list[Child]:
        """Wait; return those that said something, ended, or are late."""
        left = min(deadline for _, deadline in busy.values()) - time.monotonic()
        signs = {sign: child for child in busy for sign in child.signs()}
        found = wait(list(signs), max(left, 0.0) if left < float("inf") else None)
        now = time.monotonic()
        late = [child for child, (_, deadline) in busy.items() if deadline <= now]
        return list(dict.fromkeys([*(signs[sign] for sign in found), *late]))

    def _child(self) -> Child:
        return Child(_serve, self._work, memory_mb=self._memory_mb, copy=True)


def _begin(
    parent: int,
    memory_mb: int | None,
    work: Callable[..., object],
    pipe: Connection,
    *args: object,
) -> None:
    end_with(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if memory_mb is not None:
        limit_memory(_address_space() + memory_mb * _MB)
    try:
        work(pipe, *args)
    except MemoryError:
        os._exit(MEMORY_EXIT)


def _serve(pipe: Connection, work: Callable[[Any], object]) -> None:
    """Do tasks until nobody is left to give one."""
    while True:
        try:
            task = pipe.recv()
        except (EOFError, OSError):
            return
        pipe.send(work(task))


def _address_space() -> int:
    """Return the bytes of address space in use; most of it libraries, none of it the task's."""
    try:
        return int(_STATM.read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 1024 * _MB
