"""Where tasks run, and what comes of them: processes of this machine, or a given executor."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from typing import Protocol

from symcute.processes.children import Pool
from symcute.processes.programs import Failed, Late
from symcute.processes.serving import MEMORY_REASON
from symcute.run.task import Outcome, Task, failed, perform

__all__ = ["GivenCrew", "LocalCrew", "WorkerPool"]

#: Seconds between two looks at whether the workers can still be hoped for.
_LOOK_EVERY_S = 0.5

_NO_MORE = "the executor takes no more work"
_DIED_TWICE = "the process that ran it died, and once more when it ran alone"


class WorkerPool(Protocol):
    """Workers; a task that is lost is run once more, alone, after all others."""

    #: Whether workers may have another engine than ours.
    checked: bool

    def outcomes(self, tasks: Sequence[Task]) -> Generator[tuple[Task, Outcome]]:
        """Run tasks; yield each with its outcome, in the order of finishing.

        Post-conditions: each task has exactly one outcome, whatever happens to the workers; when
        the caller stops early, what is under way is ended.
        """


class LocalCrew:
    """Processes of this machine, each limited to `memory_mb` beyond what it starts with.

    A theorem is stopped after `limit` seconds.
    """

    checked = False

    def __init__(self, jobs: int, memory_mb: int, limit: float) -> None:
        self._limit = limit
        self._pool = Pool[Task, Outcome](perform, jobs, memory_mb=memory_mb, seconds=limit)

    def outcomes(self, tasks: Sequence[Task]) -> Generator[tuple[Task, Outcome]]:
        """Run tasks; see `WorkerPool`."""
        results = self._pool.results(tasks)
        try:
            for task, result in results:
                yield task, self._failed(result) if isinstance(result, Failed) else result
        finally:
            results.close()

    def _failed(self, failure: Failed) -> Outcome:
        if isinstance(failure, Late):
            reason = f"time limit of {self._limit:g} s for the whole theorem"
            return failed(reason, self._limit)
        if str(failure) == MEMORY_REASON:
            return failed(MEMORY_REASON)
        return failed(f"{_DIED_TWICE} ({failure})")


class GivenCrew:
    """An executor that belongs to somebody else: used, never shut down, never replaced."""

    checked = True

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    def trouble(self) -> str:
        """Return why nothing more can be expected of the workers, or an empty text."""
        return ""

    def outcomes(self, tasks: Sequence[Task]) -> Generator[tuple[Task, Outcome]]:
        """Run tasks; see `WorkerPool`."""
        lost: list[Task] = []
        for task, result in self._results(tasks):
            if isinstance(result, Outcome):
                yield task, result
            else:
                lost.append(task)
        for task in lost:
            for _, result in self._results([task]):
                died = f"{_DIED_TWICE} ({result})"
                yield task, result if isinstance(result, Outcome) else failed(died)

    def _results(self, tasks: Sequence[Task]) -> Generator[tuple[Task, Outcome | str]]:
        """Yield each task with its outcome, or with why it was lost."""
        futures: dict[Future[Outcome], Task] = {}
        trouble, given = "", 0
        try:
            for task in tasks:
                futures[self._executor.submit(perform, task)] = task
                given += 1
        except Exception as error:
            trouble = f"{_NO_MORE}: {_told(error)}"
        try:
            while futures:
                done, _ = wait(futures, _LOOK_EVERY_S, FIRST_COMPLETED)
                for future in done:
                    yield futures.pop(future), _outcome(future)
                if lost := self.trouble():
                    trouble = lost
                    break
            for task in (*futures.values(), *tasks[given:]):
                yield task, failed(self.trouble() or trouble)
        finally:
            for future in futures:
                future.cancel()


def _outcome(future: Future[Outcome]) -> Outcome | str:
    """Return the outcome, or why there is none: whatever a theorem does is its outcome."""
    try:
        return future.result()
    except MemoryError:
        return failed(MEMORY_REASON)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return _told(error)


def _told(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
