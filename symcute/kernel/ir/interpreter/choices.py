"""What an execution cannot know: values of floats, shuffles, contents of memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from symcute.kernel.ir.interpreter.trace import Coordinate, Rounds
from symcute.kernel.ir.place import Place

__all__ = ["Choice", "Chooser", "Explorer", "Fixed", "plain"]


class Choice(NamedTuple):
    """A value in [low, high] that an execution asks for.

    `kind`: "havoc" (a variable of the program, `name`, at `place`), "content" (integers in the
    array `name` at byte `offset` at the start, asked once), "lost" (what was written there and is
    not known), "unset" (a variable that is read before it is set),
    "fault" (what comes of a division by zero or an access outside of an array).
    """

    kind: str
    name: str
    low: int
    high: int
    block: Coordinate
    thread: Coordinate
    rounds: Rounds
    place: Place
    offset: int = 0


#: Gives a value in [low, high] for each choice.
Chooser: TypeAlias = Callable[[Choice], int]


def plain(choice: Choice) -> int:
    """Return what is nearest to 0 for a variable; for contents, what varies with the offset.

    >>> from symcute.kernel.ir.place import Place
    >>> at = ((0, 0, 0), (0, 0, 0), (), Place("k.cu", 1, 1))
    >>> plain(Choice("havoc", "h_0", 1, 7, *at))
    1
    """
    if choice.kind != "content":
        return min(max(0, choice.low), choice.high)
    return choice.low + choice.offset * 40503 // 8 % (choice.high - choice.low + 1)


@dataclass(slots=True)
class Fixed:
    """A chooser that has given values for havoc variables and for contents, and `plain` elsewhere.

    `contents` are by array and offset in bytes.
    """

    variables: Mapping[str, int] = field(default_factory=dict)
    contents: Mapping[tuple[str, int], int] = field(default_factory=dict)

    def __call__(self, choice: Choice) -> int:
        """Return the value given, moved into the range of the choice."""
        if choice.kind == "content":
            value = self.contents.get((choice.name, choice.offset))
        else:
            value = self.variables.get(choice.name)
        return plain(choice) if value is None else min(max(value, choice.low), choice.high)


class Explorer:
    """Choosers for one execution after the other, which together take every way at every choice.

    Of a range of more than four values only the ends, 0 and 1 are taken.

    >>> seen = []
    >>> explorer = Explorer(limit=10)
    >>> from symcute.kernel.ir.place import Place
    >>> at = ((0, 0, 0), (0, 0, 0), (), Place("k.cu", 1, 1))
    >>> for choose in explorer:
    ...     first = choose(Choice("havoc", "h_0", 0, 1, *at))
    ...     seen.append((first, choose(Choice("havoc", "h_1", 0, 1, *at)) if first else None))
    >>> seen, explorer.complete
    ([(0, None), (1, 0), (1, 1)], True)
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        #: Whether every way was taken when the iteration ended.
        self.complete = False
        self._path: list[tuple[int, list[int]]] = []
        self._depth = 0

    def __iter__(self) -> Explorer:
        self._path, self.complete = [], False
        self._runs = 0
        return self

    def __next__(self) -> Chooser:
        if self._runs:
            while self._path and self._path[-1][0] + 1 == len(self._path[-1][1]):
                self._path.pop()
            if not self._path:
                self.complete = True
                raise StopIteration
            at, values = self._path[-1]
            self._path[-1] = (at + 1, values)
        if self._runs == self.limit:
            raise StopIteration
        self._runs += 1
        self._depth = 0
        return self._choose

    def _choose(self, choice: Choice) -> int:
        if self._depth == len(self._path):
            self._path.append((0, _candidates(choice.low, choice.high)))
        at, values = self._path[self._depth]
        self._depth += 1
        return values[at]


def _candidates(low: int, high: int) -> list[int]:
    if high - low < 4:
        return list(range(low, high + 1))
    return sorted({low, high} | {v for v in (0, 1) if low <= v <= high})
