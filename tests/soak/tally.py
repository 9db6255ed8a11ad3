"""What a run counted, and the faults it found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field


@dataclass
class Tally:
    """Counts by name; a fault is one line that says how to see it again."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.counts.update(other.counts)
        self.faults += other.faults

    def fault(self, what: str, again: str) -> None:
        self.faults.append(f"{what} | {again}")


def draw_again(one: Callable[[str, Tally], None], names: Iterable[str]) -> None:
    """Draw what is called so once more, and print what came of it."""
    found = Tally()
    for name in names:
        one(name, found)
    print(*(x.replace("\\n", "\n") for x in found.faults), sep="\n")
    print(*(f"{k:50} {v}" for k, v in sorted(found.counts.items())), sep="\n")
