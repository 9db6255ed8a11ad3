"""The work on the questions about one kernel: enough for each, and more for those that need it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import inf
from typing import Literal, TypeAlias

from symcute.expr import limits
from symcute.kernel.properties.question import Question
from symcute.solve.obligation import Answer
from symcute.solve.solvers.answer import work_reason

__all__ = ["HINTS", "LEAST", "ROADS", "WORK", "Purse", "Road"]

#: The work of a question that is its own, whatever others need; how many times as much each later
#: round allows; the work that all later rounds have together. A unit is about a millisecond.
LEAST, LONGER, WORK = 250, 6, 25_000
#: The work of what questions have in common, as often as it is begun.
COMMON = 3000
#: The work for all that is said of what would have to be assumed.
HINTS = 6000
Road: TypeAlias = Literal["quick", "patient"]
ROADS: tuple[Road, ...] = ("quick", "patient")


class Purse:
    """The work for a kernel, in rounds: the first is every question's own, later ones draw on it.

    In each round questions come in the same order, so that what is decided hangs on what is
    counted, never on time. `timeout` bounds the seconds all the same, as a backstop; `most` is the
    work for all of it, that of executions and of each question's own too. Of what is asked `at a
    glance` there are no rounds. What would have to be assumed is said by `sparing` ones only of
    kernels of which nothing is open.
    """

    def __init__(
        self, work: int = WORK, timeout: float = inf, hints: int = HINTS, most: float = inf,
        glance: bool = False, sparing: bool = False,
    ) -> None:  # fmt: skip
        self._work, self._left, self._hints = work, float(work), float(hints)
        self.timeout, self.most, self.glance, self.sparing = timeout, most, glance, sparing

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Limit all work of a block, which is over where that is done.

        >>> with Purse(most=1).whole():
        ...     for n in range(3):
        ...         limits.spend(1000)
        >>> n
        1
        """
        if self.most == inf:
            yield  # who set another limit around catches that
            return
        with suppress(limits.WorkLimit), limits.budget(self.most):
            yield

    def rounds(self, begun: bool = False) -> Iterator[int]:
        """Yield the limits of the rounds, but for the first of what was `begun` before.

        None is begun when nothing is left.
        """
        limit = LEAST * LONGER if begun else LEAST
        while limit == LEAST or (limit <= self._work and self._left > 0):
            yield limit
            limit *= LONGER

    @property
    def hints(self) -> bool:
        """Whether there is work left to look for what would have to be assumed."""
        return self._hints > 0

    @contextmanager
    def hint(self) -> Iterator[None]:
        """Limit the work of a block that looks for what would have to be assumed."""
        with limits.budget(self._hints) as work, limits.within(self.timeout):
            try:
                yield
            finally:
                self._hints -= work.done

    def answer(self, q: Question, road: Road, limit: int) -> tuple[Answer, bool]:
        """Take a road of a question to an answer, as `ask` does.

        What it has in common with others is asked once, with what all of them may take.
        """
        common = q.common
        if common is not None:
            most = min(limit * common.count, COMMON)
            # Where each waits for all, no work is left for a road to all of them later.
            for way in ROADS if common.waits and limit >= LEAST else (road,):
                if way not in common.found and common.tried.get(way, 0) < most:
                    common.tried[way] = most
                    answer, ended = self.ask(getattr(common, way), limit, most)
                    if ended:
                        common.found[way] = answer
                if (told := common.told(way, q.accesses, limit > LEAST)) is not None:
                    return told, True
            if common.waits and road == "quick" and limit <= LEAST and road not in common.found:
                return Answer("open", reason=work_reason(limit)), False
        return self.ask(getattr(q, road), limit)

    def ask(
        self, road: Callable[[], Answer], limit: int, most: int | None = None
    ) -> tuple[Answer, bool]:
        """Take a road to an answer, with the limit of a round; return whether it came to its end.

        With `most`, that is what it may take in the round.
        Errors: TimeLimit when the time of the block around is over.
        """
        own, most = limit <= LEAST, limit if most is None else most
        allowed = most if own else min(most, self._left)
        done = True
        with limits.budget(allowed) as work:
            try:
                answer = road() if allowed > 0 else None
            except limits.WorkLimit:
                answer = None
        if answer is None or (answer.status == "open" and work.left <= 0):
            done = False
            answer = Answer("open", reason=work_reason(limit))
        if not own:
            self._left -= work.done
        return answer, done
