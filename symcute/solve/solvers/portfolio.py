"""Several solvers on one script, in turn: the same answer however fast each of them is.

In every round each solver gets so much work, in a fixed order; rounds get longer. So a script that
one solver decides at once and another never costs little, and which of them decides it is a matter
of what they count, not of time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from symcute.errors import InputError
from symcute.solve.solvers.answer import Answer, nobody, work_reason
from symcute.solve.solvers.pool import (
    DEFAULT_MEMORY_MB,
    DEFAULT_TIMEOUT_S,
    DEFAULT_WORK,
    SolverPool,
    default_pool,
)

__all__ = ["SECOND_LOOK", "portfolio"]

#: The work of the first round, and how many times as much each next one has.
FIRST_ROUND, LONGER = 100, 6
#: The work that the other solvers get for a script that one says nothing meets, to contradict it.
SECOND_LOOK = 50


def portfolio(
    smt2: str,
    *,
    work: int = DEFAULT_WORK,
    first: int = FIRST_ROUND,
    timeout: float = DEFAULT_TIMEOUT_S,
    solvers: Sequence[str] = ("z3", "cvc5"),
    memory_mb: int = DEFAULT_MEMORY_MB,
    pool: SolverPool | None = None,
) -> Answer:
    """Decide an SMT-LIB script by several solvers in turn, each in a process of its own.

    Pre-conditions: as for `solve`. A solver of `solvers` that is not installed does not take part.

    Post-conditions: the answer is definite ("sat" or "unsat") when a solver's is, within `work` of
    its own, and names that solver: the first, in the order of `solvers`, in the first round in
    which any decides. A model is for who asks to evaluate. At what is "unsat" the others have a
    second look; when one contradicts, neither is believed and the status is "unknown". It is
    "unknown" too when no solver gave a definite answer; the reason then tells of each, and of those
    that are not installed, or that no solver can be asked here, as in a browser. `first` is the
    work of the first round, `timeout` bounds each round of each solver.

    Raises `InputError` as `solve` does, and when no solver of `solvers` is installed.

    >>> portfolio("(declare-const x Int) (assert (and (< x 1) (> x 0)))").status
    'unsat'
    """
    if nowhere := nobody():
        return nowhere
    opened = pool if pool is not None else default_pool()
    names = [s for s in dict.fromkeys(solvers) if opened.installed(s)]
    if not names:
        raise InputError(
            f"none of these solvers is installed: {', '.join(solvers) or 'none was named'}",
            "install one with: pip install z3-solver",
        )

    def ask(solver: str, limit: int) -> Answer:
        answer = opened.solve(smt2, work=limit, timeout=timeout, solver=solver, memory_mb=memory_mb)
        every.append(answer)
        return answer

    every: list[Answer] = []
    last: dict[str, Answer] = {}
    for limit in _rounds(first, work):
        # Where it is not the work that ended a search, more of it makes no difference.
        for solver in [s for s in names if s not in last or last[s].limit == "work"]:
            answer = last[solver] = ask(solver, limit)
            if answer.status == "sat":
                return _summed(answer, every)
            if answer.status == "unsat":
                others = [ask(s, min(limit, SECOND_LOOK)) for s in names if s != solver]
                return _summed(_believed([answer, *others]), every)
    answer = _summed(_open([last[s] for s in names], work), every)
    if absent := [s for s in dict.fromkeys(solvers) if s not in names]:
        alone = f"{' and '.join(names)} alone, without {' and '.join(absent)}"
        answer = replace(answer, reason=f"{alone}, which is not installed: {answer.reason}")
    return answer


def _rounds(limit: int, work: int) -> Iterator[int]:
    """Yield the limits of the rounds, the last of which is `work`."""
    while 2 * limit <= work:
        yield limit
        limit *= LONGER
    yield work


def _believed(answers: Sequence[Answer]) -> Answer:
    """Return the first answer, which is definite, unless another contradicts it."""
    definite = [a for a in answers if a.status != "unknown"]
    if len({a.status for a in definite}) == 1:
        return answers[0]
    reason = "contradictory answers: " + ", ".join(
        f"{a.solver} {a.version} says {a.status}" for a in definite
    )
    return Answer("unknown", {}, reason, ", ".join(a.solver for a in answers))


def _open(answers: Sequence[Answer], work: int) -> Answer:
    """Return what is known when no solver has decided."""
    if len(answers) == 1:
        return answers[0]
    limits = {a.limit for a in answers}
    limit: Literal["", "work", "time"] = (
        "time" if "time" in limits else "work" if "work" in limits else ""
    )
    why = work_reason(work)
    if limits == {"work"}:
        reason = f"{' and '.join(a.solver for a in answers)}: {why}"
    else:
        reason = ", ".join(f"{a.solver}: {a.reason}" for a in answers)
    return Answer("unknown", {}, reason, ", ".join(a.solver for a in answers), limit=limit)


def _summed(answer: Answer, every: Sequence[Answer]) -> Answer:
    """Return an answer with the work and the time of all."""
    return replace(answer, work=sum(a.work for a in every), seconds=sum(a.seconds for a in every))
