"""What an execution is told where a program does not say: contents, values, who goes first."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from symcute.kernel.access_map import Variable
from symcute.kernel.filling import Filling
from symcute.kernel.ir.interpreter import Choice
from symcute.kernel.ir.interpreter.choices import plain

__all__ = ["CONTENTS", "Chooser"]

#: What all arrays are full of in one execution after the other: the ends of their ranges, and 1.
CONTENTS = ("low", "high", "one")


class Chooser:
    """Gives values for what is not known, and remembers what it was asked."""

    def __init__(
        self,
        model: Mapping[str, int],
        variables: Iterable[Variable],
        second: Any = None,
        contents: str = "",
        fillings: Mapping[str, Filling] | None = None,
        backwards: bool = False,
        ordered: bool = False,
    ) -> None:
        self.backwards = backwards  # the last thread goes first
        self.ordered = ordered  # only as far as the order of accesses is followed
        self.contents = contents
        self.fillings = fillings or {}
        self.inputs: Collection[str] = ()
        self.invent = ""  # "low" or "high": what is taken for all that is no input
        self.asked: list[tuple[Choice, int]] = []
        self._model = model
        self._second = second
        self._by_place = {v.place: v.name for v in variables if v.kind == "havoc" and v.place}

    def again(self, invent: str, inputs: Collection[str]) -> Chooser:
        """Return a chooser that takes the same inputs, and an end of the range for all else."""
        found = Chooser(self._model, (), self._second, self.contents, self.fillings, self.backwards)
        found._by_place = self._by_place
        found.invent, found.inputs = invent, inputs
        return found

    def __call__(self, choice: Choice) -> int:
        """Return what is chosen, and keep that it was asked."""
        value = self.answer(choice)
        self.asked.append((choice, value))
        return value

    def answer(self, choice: Choice) -> int:
        """Return what is chosen."""
        value = plain(choice)
        filling = self.fillings.get(choice.name) if choice.kind == "content" else None
        if filling is not None:
            value = min(max(filling.at(choice.offset, self.contents), choice.low), choice.high)
        elif choice.kind == "content" and self.contents:
            ends = {"low": choice.low, "high": choice.high}
            value = ends.get(self.contents, min(max(1, choice.low), choice.high))
        if self.invent and (choice.kind != "content" or choice.name not in self.inputs):
            return choice.low if self.invent == "low" else choice.high
        name = self._by_place.get(choice.place)
        if name is not None:
            who = 2 if (choice.block, choice.thread) == self._second else 1
            for key in (name, f"{name}__{who}"):
                if key in self._model:
                    value = min(max(self._model[key], choice.low), choice.high)
        return value
