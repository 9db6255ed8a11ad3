"""Solvers as processes that are kept warm, killed when late, and replaced when they die."""

from __future__ import annotations

import atexit
import itertools
import math
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Literal, NamedTuple

from symcute.errors import InputError, SymcuteError, installed
from symcute.expr import limits
from symcute.processes.programs import Failed, Late, OutOfMemory, Program, Stock
from symcute.processes.serving import MEMORY_REASON
from symcute.solve.solvers.answer import Answer, Status, nobody, timeout_reason, work_reason
from symcute.solve.solvers.canonical import canonical
from symcute.solve.workers.serve import TIMEOUT_REASON, WORK_REASON

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
#: How many answers are kept, of a thousand characters or so each.
MOST_ANSWERS = 4096
_NO_ANSWER = "printed junk: not of the form of an answer"


class _Solver(NamedTuple):
    module: str  # what the worker imports
    worker: str
    install: str


_SOLVERS = {
    "z3": _Solver("z3", "symcute.solve.workers.z3_worker", "pip install z3-solver"),
    "cvc5": _Solver("cvc5", "symcute.solve.workers.cvc5_worker", 'pip install "symcute[cvc5]"'),
}


class SolverPool:
    """Workers for any number of threads: a query takes an idle worker, or starts one.

    A worker that is late, dies, prints junk or reaches its memory limit costs that query its
    answer ("unknown", with the reason) and is replaced when the next query needs it. `commands`
    replaces the command that starts a solver's worker. With `keep`, what is decided is kept: the
    same script, whatever its constants are called, with the same limits is not asked again.

    >>> with SolverPool() as pool:
    ...     pool.solve("(declare-const x Int) (assert (and (< x 1) (> x 0)))").status
    'unsat'
    """

    def __init__(
        self, commands: Mapping[str, Sequence[str]] | None = None, *, keep: bool = False
    ) -> None:
        self._commands, self._keep = dict(commands or {}), keep
        self._stocks: dict[str, Stock] = {}
        self._numbers = itertools.count(1)
        self._answers: dict[tuple[str, str, int, int], Answer] = {}
        self._closed = False

    def __enter__(self) -> SolverPool:
        return self

    def __exit__(self, *_: object) -> None:
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
        if nowhere := nobody():
            return nowhere
        self._require(smt2, work, timeout, solver, memory_mb)
        limits.check()
        work, timeout = int(min(work, limits.allowance())), min(timeout, limits.left())
        if work < 1:
            raise limits.WorkLimit
        script, called = canonical(smt2)
        question = solver, script, work, memory_mb
        answer = self._answers.get(question)
        if answer is None or self._closed:
            answer = self._answered(script, work, timeout, solver, memory_mb)
            if answer.status != "unknown" and self._keep:
                # The same script and work have the same answer; obligations often are the same.
                if len(self._answers) >= MOST_ANSWERS:
                    self._answers.clear()
                self._answers[question] = answer
        answer = replace(answer, model={called.get(n, n): x for n, x in answer.model.items()})
        if answer.limit == "time":
            limits.check()
        limits.spend(answer.work * limits.STEPS)
        return answer

    def _answered(
        self, script: str, work: int, timeout: float, solver: str, memory_mb: int
    ) -> Answer:
        started, version = time.monotonic(), ""
        try:
            with self._stock(solver).taken() as worker:
                version = _version(worker)
                started = time.monotonic()
                return self._ask(worker, script, work, timeout, solver, memory_mb)
        except Failed as failure:
            late = isinstance(failure, Late)
            reason = timeout_reason(timeout) if late else failure.told("solver")
            return Answer(
                "unknown", {}, reason, solver, version, "time" if late else "",
                seconds=time.monotonic() - started,
            )  # fmt: skip

    def version(self, solver: str) -> str:
        """Return the version that the solver's worker reports; see the function `version`."""
        self._require_solver(solver)
        try:
            with self._stock(solver).taken() as worker:
                return _version(worker)
        except Failed as failure:
            told = f"{solver}: {failure.told('solver')}"
            raise SymcuteError(told, self._advice(solver)) from failure

    def installed(self, solver: str) -> bool:
        """Say whether the solver can be asked. Raises `InputError` when nobody knows it."""
        if solver in self._commands:
            return True
        if solver not in _SOLVERS:
            raise InputError(f"unknown solver {solver!r}", f"use one of {', '.join(_SOLVERS)}")
        return available(solver)

    def close(self) -> None:
        """Kill all workers; a query in another thread ends as unknown. Calling again is fine."""
        self._closed = True
        for stock in self._stocks.values():
            stock.close()

    def workers(self) -> tuple[int, ...]:
        """Return the process ids of the workers, idle and busy."""
        return tuple(sorted(pid for stock in self._stocks.values() for pid in stock.pids()))

    def _ask(
        self, worker: Program, smt2: str, work: int, timeout: float, solver: str, memory_mb: int
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
            raise Failed("printed junk: not an answer to this query")
        status, model, reason, done = _checked(said)
        if reason == MEMORY_REASON:
            raise OutOfMemory  # the worker is not trusted with a second query
        limits: dict[str, tuple[str, Literal["", "work", "time"]]] = {
            WORK_REASON: (work_reason(work), "work"),
            TIMEOUT_REASON: (timeout_reason(timeout), "time"),
        }
        told, limit = limits.get(reason, (reason, ""))
        return Answer(status, model, told, solver, _version(worker), limit, done, seconds)

    def _stock(self, solver: str) -> Stock:
        if self._closed:
            raise SymcuteError("the solver pool is closed", "open a new SolverPool")
        if solver not in self._stocks:
            self._stocks.setdefault(solver, Stock(self._command(solver)))
        return self._stocks[solver]

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


def _version(worker: Program) -> str:
    version = worker.greeting.get("version")
    if not isinstance(version, str):
        raise Failed("printed junk instead of its greeting")
    return version


def _checked(said: Mapping[str, object]) -> tuple[Status, dict[str, int | Fraction], str, int]:
    status, model, reason = said.get("status"), said.get("model"), said.get("reason")
    done = said.get("work")
    if (
        status not in ("sat", "unsat", "unknown")
        or not isinstance(reason, str)
        or not isinstance(model, dict)
        or type(done) is not int
    ):
        raise Failed(_NO_ANSWER)
    return status, {k: _number(v) for k, v in model.items()}, reason, done


def _number(value: object) -> int | Fraction:
    match value:
        case [int(numerator), int(denominator)] if denominator > 0:
            return Fraction(numerator, denominator)
        case int() if type(value) is int:
            return value
    raise Failed(_NO_ANSWER)


_default_lock = threading.Lock()
_default_pool: SolverPool | None = None


def default_pool() -> SolverPool:
    """Return the pool that this process's queries share; it is closed at exit."""
    global _default_pool
    with _default_lock:
        if _default_pool is None:
            _default_pool = SolverPool(keep=True)
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
    return known is not None and installed(known.module)


def version(solver: str) -> str:
    """Return the solver's version, as the solver itself says it.

    Raises `InputError` when the solver is unknown or not installed, `SymcuteError` when its
    worker does not start.

    >>> version("z3").count(".") >= 1
    True
    """
    return default_pool().version(solver)
