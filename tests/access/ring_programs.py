"""Programs of two roles that hand memory to each other by rings of mbarriers, and how they differ.

Those who write and replay them say what the steps do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

__all__ = ["BYTES", "RACES", "STAGES", "Known", "Program", "Step", "changed", "most"]

RACES = ("write_race_free", "read_write_race_free")
#: The bytes that a copy by TMA moves, and the most stages of a ring.
BYTES, STAGES = 16, 3
#: What is known: of whom, by a number, how many steps.
Known = frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Step:
    """One step: `kind` with the stage of round k + ahead.

    A wait is for the parity of that round's turn, plus `flip`; `bytes` are those that are expected.
    `when`: only the first thread of its role does it, only in odd rounds, only where it is not the
    last round, or each in every round.
    """

    kind: str
    ring: str = ""  # full, empty
    ahead: int = 0
    flip: int = 0
    when: str = ""
    bytes: int = BYTES


@dataclass(frozen=True)
class Program:
    """Threads of the two roles, stages of rings and of memory, arrivals of a phase, and steps."""

    threads: tuple[int, int]
    stages: int
    rows: int
    counts: tuple[int, int]
    roles: tuple[tuple[Step, ...], tuple[Step, ...]]
    told: bool = True  # a fence tells agents of mbarriers


def changed(
    rng: Random, found: Program, drawn: Callable[[], Step], other: Callable[[Step], Step]
) -> Program:
    """Return a program that is changed in up to two things: a step is `drawn`, or made `other`."""
    for _ in range(rng.choice([0, 1, 1, 2])):
        role = 0 if not found.roles[1] else rng.randrange(2)
        steps = [*found.roles[role]]
        at = rng.randrange(len(steps))
        how = rng.choice(["out", "in", "ahead", "flip", "other", "exchanged", "count", "rows"])
        if how == "out" and len(steps) > 1:
            del steps[at]
        elif how == "in":
            steps.insert(at, drawn())
        elif how == "ahead":
            steps[at] = replace(steps[at], ahead=1)
        elif how == "flip":
            steps[at] = replace(steps[at], flip=1 - steps[at].flip)
        elif how == "other":
            steps[at] = other(steps[at])
        elif how == "exchanged":
            steps[at], steps[at - 1] = steps[at - 1], steps[at]
        elif how == "count":
            counts = [*found.counts]
            counts[role] = rng.randint(1, 3)
            found = replace(found, counts=(counts[0], counts[1]))
        elif how == "rows":
            found = replace(found, rows=rng.randint(1, STAGES))
        roles = [*found.roles]
        roles[role] = tuple(steps)
        found = replace(found, roles=(roles[0], roles[1]))
    return found


def most(known: Known) -> Known:
    """Return the most that is known of each."""
    best: dict[int, int] = {}
    for who, steps in known:
        best[who] = max(best.get(who, 0), steps)
    return frozenset(best.items())
