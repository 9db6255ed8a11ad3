"""Verdicts on a program that was drawn, against what is untrue of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Set

__all__ = ["judged", "summed"]


def judged(
    wrong: Collection[str], found: Mapping[str, Set[str]], said: object
) -> tuple[int, int, int]:
    """Return how many are true, decided of these, and refuted; none is decided wrongly."""
    for name, statuses in found.items():
        assert ("proved" if name in wrong else "refuted") not in statuses, (name, said)
    right = [name for name in found if name not in wrong]
    decided = sum("unknown" not in found[name] for name in right)
    return len(right), decided, sum("refuted" in found[name] for name in wrong)


def summed(each: Iterable[tuple[int, int, int]], asked: int = 2) -> tuple[int, int, int, int]:
    """Return how many were true of so many properties of each, proved, false, and refuted."""
    found = list(each)
    true, proved, refuted = (sum(x[k] for x in found) for k in range(3))
    return true, proved, asked * len(found) - true, refuted
