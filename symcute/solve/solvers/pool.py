"""Solvers as processes that are kept warm, killed when late, and replaced when they die."""

from __future__ import annotations

import atexit
import importlib.util
import itertools
import math
import os
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import TracebackType
from typing import Literal, NamedTuple

from symcute.errors import InputError, SymcuteError
from symcute.expr import limits
from symcute.solve.solvers.answer import Answer, Status, timeout_reason, work_reason
from symcute.solve.solvers.serve import MEMORY_REASON, TIMEOUT_REASON, WORK_REASON
from symcute.solve.solvers.worker import Late, Worker, WorkerFailed

__all__ = [
    "DEFAULT_MEMORY_MB",
    "DEFAULT_TIMEOUT_S",
    "DEFAULT_WORK",
    "SolverPool",
    "available",
    "default_pool",
    "solve",
    "version",
]

#: Seconds past its limit after which a query's worker is killed.
GRACE_S = 0.5
#: The longest time limit accepted, in seconds.
LONGEST_S = 1e6

#: The limits of a query for which none are named: the work, in units of about a millisecond, and
#: the seconds that it may take on a machine which is busy.
DEFAULT_WORK = 10_000
DEFAULT_TIMEOUT_S = 120.0
DEFAULT_MEMORY_MB = 2048
_NO_ANSWER = "solver printed junk: not of the form of an answer"


class _Solver(NamedTuple):
    module: str  # what the worker imports
    worker: str
    install: str


_SOLVERS = {
    "z3": _Solver("z3", "symcute.solve.solvers.z3_worker", "pip install z3-solver"),
    "cvc5": _Solver("cvc5", "symcute.solve.solvers.cvc5_worker", "pip install cvc5"),
}


class SolverPool:
    """Workers for any number of threads: a query takes an idle worker, or starts one.

    A worker that is late, dies, prints junk or reaches its memory limit costs that query its
    answer ("unknown", with the reason) and is replaced when the next query needs it. `commands`
    replaces the command that starts a solver's worker.

    >>> with SolverPool() as pool:
    ...     pool.solve("(declare-const x Int) (assert (and (< x 1) (> x 0)))").status
    'unsat'
    """

    def __init__(self, commands: Mapping[str, Sequence[str]] | None = None) -> None:
        self._commands = dict(commands or {})
        self._lock = threading.Lock()
        self._idle: dict[str, list[Worker]] = {}
        self._busy: set[Worker] = set()
        self._numbers = itertools.count(1)
        self._owner = os.getpid()
        self._closed = False

    def __enter__(self) -> SolverPool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def solve(
        self,
        smt2: str,
        *,
        work: int = DEFAULT_WORK,
        timeout: float = DEFAULT_TIMEOUT_S,
        solver: str = "z3",
        memory_mb: int = DEFAULT_MEMORY_MB,
    ) -> Answer:
        """Decide an SMT-LIB script; see the function `solve`."""
        self._require(smt2, work, timeout, solver, memory_mb)
        limits.check()
        work, timeout = int(min(work, limits.allowance())), min(timeout, limits.left())
        if work < 1:
            raise limits.WorkLimit
        try:
            worker = self._take(solver)
        except WorkerFailed as failure:
            return Answer("unknown", reason=str(failure), solver=solver)
        started = time.monotonic()
        keep = False
        try:
            answer = self._ask(worker, smt2, work, timeout, solver, memory_mb)
            # A worker that ran out of memory is not trusted with a second query.
            keep = answer.reason != MEMORY_REASON
        except WorkerFailed as failure:
            late = isinstance(failure, Late)
            reason = timeout_reason(timeout) if late else str(failure)
            answer = Answer(
                "unknown", {}, reason, solver, worker.version, "time" if late else "",
                seconds=time.monotonic() - started,
            )  # fmt: skip
        finally:
            # Also on Ctrl-C: a worker in the middle of a query is of no use to anyone.
            self._give_back(solver, worker, keep)
        if answer.limit == "time":
            limits.check()
        limits.spend(answer.work * limits.STEPS)
        return answer

    def version(self, solver: str) -> str:
        """Return the version that the solver's worker reports; see the function `version`."""
        self._require_solver(solver)
        try:
            worker = self._take(solver)
        except WorkerFailed as failure:
            raise SymcuteError(f"{solver}: {failure}", self._advice(solver)) from failure
        self._give_back(solver, worker, keep=True)
        return worker.version

    def installed(self, solver: str) -> bool:
        """Say whether the solver can be asked. Raises `InputError` when nobody knows it."""
        if solver in self._commands:
            return True
        if solver not in _SOLVERS:
            raise InputError(f"unknown solver {solver!r}", f"use one of {', '.join(_SOLVERS)}")
        return available(solver)

    def close(self) -> None:
        """Kill all workers; a query in another thread ends as unknown. Calling again is fine."""
        with self._lock:
            self._closed = True
            idle = [worker for workers in self._idle.values() for worker in workers]
            self._idle.clear()
            if self._owner != os.getpid():
                return
            for worker in idle:
                worker.kill()
            # The pipes of these are in use; the thread that uses them lets go of them.
            for worker in self._busy:
                worker.stop()

    def workers(self) -> tuple[int, ...]:
        """Return the process ids of the workers, idle and busy."""
        with self._lock:
            every = [w for idle in self._idle.values() for w in idle] + list(self._busy)
            return tuple(sorted(worker.pid for worker in every))

    def _ask(
        self, worker: Worker, smt2: str, work: int, timeout: float, solver: str, memory_mb: int
    ) -> Answer:
        number = next(self._numbers)
        request: dict[str, object] = {
            "id": number,
            "smt2": smt2,
            "work": work,
            "timeout": timeout,
            "memory_mb": memory_mb,
        }
        started = time.monotonic()
        said = worker.ask(request, started + timeout + GRACE_S)
        seconds = time.monotonic() - started
        if said.get("id") != number:
            raise WorkerFailed("solver printed junk: not an answer to this query")
        status, model, reason, done = _checked(said)
        limits: dict[str, tuple[str, Literal["", "work", "time"]]] = {
            WORK_REASON: (work_reason(work), "work"),
            TIMEOUT_REASON: (timeout_reason(timeout), "time"),
        }
        told, limit = limits.get(reason, (reason, ""))
        return Answer(status, model, told, solver, worker.version, limit, done, seconds)

    def _take(self, solver: str) -> Worker:
        with self._lock:
            self._require_open()
            if self._owner != os.getpid():
                # After a fork the workers belong to the parent process: two must not share one.
                self._idle, self._busy, self._owner = {}, set(), os.getpid()
            idle = self._idle.get(solver, [])
            while idle:
                worker = idle.pop()
                if worker.ready():
                    self._busy.add(worker)
                    return worker
                worker.kill()
        worker = Worker(self._command(solver))
        with self._lock:
            if not self._closed:
                self._busy.add(worker)
                return worker
        worker.kill()
        return self._take(solver)

    def _require_open(self) -> None:
        if self._closed:
            raise SymcuteError("the solver pool is closed", "open a new SolverPool")

    def _give_back(self, solver: str, worker: Worker, keep: bool) -> None:
        with self._lock:
            self._busy.discard(worker)
            if keep and not self._closed:
                self._idle.setdefault(solver, []).append(worker)
                return
        worker.kill()

    def _command(self, solver: str) -> Sequence[str]:
        given = self._commands.get(solver)
        return given if given else (sys.executable, "-m", _SOLVERS[solver].worker)

    def _advice(self, solver: str) -> str:
        known = _SOLVERS.get(solver)
        return f"install it with: {known.install}" if known else "check the worker's command"

    def _require(self, smt2: str, work: int, timeout: float, solver: str, memory_mb: int) -> None:
        self._require_solver(solver)
        if work < 1:
            raise InputError(f"work limit of {work!r}", "give at least 1")
        if not (math.isfinite(timeout) and 0 < timeout <= LONGEST_S):
            raise InputError(
                f"time limit of {timeout!r} s", f"give more than 0 and at most {LONGEST_S:g}"
            )
        if memory_mb < 1:
            raise InputError(f"memory limit of {memory_mb!r} MB", "give at least 1")
        if "\0" in smt2:
            # C strings end there, so the solver would see only a part of the script.
            raise InputError("the script has a NUL character", "remove it")

    def _require_solver(self, solver: str) -> None:
        if not self.installed(solver):
            raise InputError(f"solver {solver} is not installed", self._advice(solver))


def _checked(said: Mapping[str, object]) -> tuple[Status, dict[str, int | Fraction], str, int]:
    status, model, reason = said.get("status"), said.get("model"), said.get("reason")
    done = said.get("work")
    if (
        status not in ("sat", "unsat", "unknown")
        or not isinstance(reason, str)
        or not isinstance(model, dict)
        or type(done) is not int
    ):
        raise WorkerFailed(_NO_ANSWER)
    return status, {k: _number(v) for k, v in model.items()}, reason, done


def _number(value: object) -> int | Fraction:
    match value:
        case [int(numerator), int(denominator)] if denominator > 0:
            return Fraction(numerator, denominator)
        case int() if type(value) is int:
            return value
    raise WorkerFailed(_NO_ANSWER)


_default_lock = threading.Lock()
_default_pool: SolverPool | None = None


def default_pool() -> SolverPool:
    """Return the pool that this process's queries share; it is closed at exit."""
    global _default_pool
    with _default_lock:
        if _default_pool is None:
            _default_pool = SolverPool()
            atexit.register(_default_pool.close)
        return _default_pool


def solve(
    smt2: str,
    *,
    work: int = DEFAULT_WORK,
    timeout: float = DEFAULT_TIMEOUT_S,
    solver: str = "z3",
    memory_mb: int = DEFAULT_MEMORY_MB,
) -> Answer:
    """Decide an SMT-LIB script by a solver in a process of its own.

    Pre-conditions: `smt2` is made of set-logic, set-info, declare-const, declare-fun, define-fun
    and assert; over integers, reals, Booleans and bit-vectors. `work` is what the solver may do, in
    units that it counts itself: 1,000 are about a second of an idle machine of 2026. `timeout`, in
    seconds, is a backstop.

    Post-conditions: the same script and work have the same answer on any machine, busy or not,
    unless the time limit strikes, which the answer says. The call returns within `timeout` + 1 s
    (and 20 s more when a worker has to start), whatever the solver does; the status is "unknown",
    with a reason, whenever the solver gave no proper answer. Malformed text is "unknown" with a
    reason that begins with "error".

    Raises `TimeLimit` and `WorkLimit` when the time or work of the block around is over,
    `InputError` for an unknown solver, one that is not installed, a limit that is not positive, and
    a script with a NUL character.

    >>> answer = solve("(declare-const x Int) (assert (and (> x 0) (= (* x x) 49)))")
    >>> answer.status, answer.model
    ('sat', {'x': 7})
    """
    return default_pool().solve(
        smt2, work=work, timeout=timeout, solver=solver, memory_mb=memory_mb
    )


def available(solver: str) -> bool:
    """Say whether the solver is known and installed, without importing it.

    >>> available("z3"), available("nosuch")
    (True, False)
    """
    known = _SOLVERS.get(solver)
    return known is not None and importlib.util.find_spec(known.module) is not None


def version(solver: str) -> str:
    """Return the solver's version, as the solver itself says it.

    Raises `InputError` when the solver is unknown or not installed, `SymcuteError` when its
    worker does not start.

    >>> version("z3").count(".") >= 1
    True
    """
    return default_pool().version(solver)
