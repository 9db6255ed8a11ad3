"""Several solvers on one script at the same time: the first that decides it wins."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Sequence
from typing import TypeAlias

from symcute.errors import InputError
from symcute.solvers.answer import Answer
from symcute.solvers.pool import (
    DEFAULT_MEMORY_MB,
    DEFAULT_TIMEOUT_S,
    SolverPool,
    Stop,
    default_pool,
)

__all__ = ["PHOTO_FINISH_S", "race"]

#: Seconds the other solvers have after the first definite answer, to agree or to contradict it.
#: Long enough that easy scripts are answered by all, short against the start of a process.
PHOTO_FINISH_S = 0.02

_Said: TypeAlias = "queue.SimpleQueue[Answer | Exception]"


def race(
    smt2: str,
    *,
    timeout: float = DEFAULT_TIMEOUT_S,
    solvers: Sequence[str] = ("z3", "cvc5"),
    memory_mb: int = DEFAULT_MEMORY_MB,
    pool: SolverPool | None = None,
) -> Answer:
    """Decide an SMT-LIB script by several solvers at once, each in a process of its own.

    Pre-conditions: as for `solve`. A solver of `solvers` that is not installed does not take part.

    Post-conditions: the answer is the first definite one ("sat" or "unsat") and names its solver;
    the processes of the others are killed, unless they finish right after. When two solvers finish
    with contradictory answers, neither is believed: the status is "unknown". It is "unknown" too
    when no solver gave a definite answer; the reason then tells of each.

    Raises `InputError` as `solve` does, and when no solver of `solvers` is installed.

    >>> race("(declare-const x Int) (assert (and (< x 1) (> x 0)))").status
    'unsat'
    """
    opened = pool if pool is not None else default_pool()
    runners = [s for s in dict.fromkeys(solvers) if opened.installed(s)]
    if not runners:
        raise InputError(
            f"none of these solvers is installed: {', '.join(solvers) or 'none was named'}",
            "install one with: pip install z3-solver",
        )
    started = time.monotonic()
    stops = [Stop() for _ in runners]
    said: _Said = queue.SimpleQueue()

    def run(solver: str, stop: Stop) -> None:
        try:
            said.put(
                opened.solve(smt2, timeout=timeout, solver=solver, memory_mb=memory_mb, stop=stop)
            )
        except Exception as error:
            said.put(error)

    try:
        for solver, stop in zip(runners, stops, strict=True):
            threading.Thread(target=run, args=(solver, stop), daemon=True).start()
        answers = _finishers(said, len(runners))
    finally:
        for stop in stops:
            stop.ask()
    return _judged(answers, time.monotonic() - started)


def _finishers(said: _Said, runners: int) -> list[Answer]:
    """Return the answers up to the first definite one, and those that come right after it."""
    answers: list[Answer] = []
    error: Exception | None = None
    wait: float | None = None
    for _ in range(runners):
        try:
            answer = said.get(timeout=wait)
        except queue.Empty:
            break
        if isinstance(answer, Exception):
            error = answer
            continue
        answers.append(answer)
        if answer.status != "unknown":
            wait = PHOTO_FINISH_S
    if error is not None and wait is None:
        raise error
    return answers


def _judged(answers: Sequence[Answer], seconds: float) -> Answer:
    definite = [a for a in answers if a.status != "unknown"]
    names = ", ".join(a.solver for a in answers)
    if len({a.status for a in definite}) > 1:
        reason = "contradictory answers: " + ", ".join(
            f"{a.solver} {a.version} says {a.status}" for a in definite
        )
        return Answer("unknown", {}, reason, names, "", seconds)
    if definite:
        return definite[0]
    if len(answers) == 1:
        return answers[0]
    reason = ", ".join(f"{a.solver}: {a.reason}" for a in answers)
    return Answer("unknown", {}, reason, names, "", seconds)
