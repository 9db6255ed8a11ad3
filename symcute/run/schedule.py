"""Tasks given out and outcomes taken in; a worker that dies loses nothing.

A task that was under way when a worker died is run once more, alone, after all others: a theorem
that kills its worker is told apart from its neighbours, which were merely at the wrong place.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import TypeAlias

from symcute.run.task import Outcome, Task, failed, perform
from symcute.run.workers import WorkerPool

__all__ = ["outcomes"]

#: Seconds between two looks at whether the workers can still be hoped for.
_LOOK_EVERY_S = 0.5

_NO_MORE = "the executor takes no more work"
_DIED_TWICE = "the process that ran it died, and once more when it ran alone"

_Futures: TypeAlias = "dict[Future[Outcome], Task]"


def outcomes(tasks: Iterable[Task], crew: WorkerPool) -> Generator[tuple[Task, Outcome]]:
    """Run tasks with a crew; yield each with its outcome, in the order of finishing.

    Post-conditions: each task has exactly one outcome, whatever happens to the workers; when the
    caller stops early, what is under way is ended.
    """
    waiting, doubtful = deque(tasks), deque[Task]()
    under_way: _Futures = {}
    try:
        while waiting or under_way:
            trouble = _give_out(waiting, under_way, crew, crew.window)
            trouble = trouble or crew.trouble()
            if trouble:
                for future, task in under_way.items():
                    outcome = _outcome(future) if future.done() else ""
                    yield task, outcome if isinstance(outcome, Outcome) else failed(trouble)
                yield from ((task, failed(trouble)) for task in (*waiting, *doubtful))
                return
            done, _ = wait(under_way, _LOOK_EVERY_S, FIRST_COMPLETED)
            lost: list[Task] = []
            spoiled = False
            for future in done:
                task = under_way.pop(future)
                outcome = _outcome(future)
                if isinstance(outcome, Outcome):
                    spoiled = spoiled or outcome.spoiled
                    yield task, outcome
                else:
                    lost.append(task)
            if (lost or spoiled) and crew.window is not None:
                # The pool is gone, or goes, and with it whatever it was given.
                (lost if lost else waiting).extend(under_way.values())
                under_way.clear()
                crew.broken()
            doubtful += lost
        for task in doubtful:
            yield task, _alone(task, crew)
    finally:
        for future in under_way:
            future.cancel()
        crew.dismiss()


def _give_out(
    waiting: deque[Task], under_way: _Futures, crew: WorkerPool, window: int | None
) -> str:
    """Submit tasks as far as the window allows; return why none can be, or an empty text."""
    fresh = window is None
    while waiting and (window is None or len(under_way) < window):
        try:
            future = crew.executor().submit(perform, waiting[0])
        except Exception as error:
            if under_way:
                return ""  # those under way will tell
            if fresh:
                return crew.trouble() or f"{_NO_MORE}: {_told(error)}"
            crew.broken()
            fresh = True
        else:
            under_way[future] = waiting.popleft()
    return ""


def _outcome(future: Future[Outcome]) -> Outcome | str:
    """Return the outcome, or why there is none: whatever a theorem does is its outcome."""
    try:
        return future.result()
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return _told(error)


def _alone(task: Task, crew: WorkerPool) -> Outcome:
    try:
        future = crew.executor(1).submit(perform, task)
    except Exception as error:
        return failed(crew.trouble() or f"{_NO_MORE}: {_told(error)}")
    while not wait([future], _LOOK_EVERY_S).done:
        if trouble := crew.trouble():
            return failed(trouble)
    outcome = _outcome(future)
    if isinstance(outcome, Outcome):
        if outcome.spoiled:
            crew.broken()
        return outcome
    crew.broken()
    return failed(crew.trouble() or f"{_DIED_TWICE} ({outcome})")


def _told(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
