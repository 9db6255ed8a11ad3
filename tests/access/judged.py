"""Verdicts on a program that was drawn, against what is untrue of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Set

__all__ = ["judged"]


def judged(
    wrong: Collection[str], found: Mapping[str, Set[str]], said: object
) -> tuple[int, int, int]:
    """Return how many are true, decided of these, and refuted; none is decided wrongly."""
    for name, statuses in found.items():
        assert ("proved" if name in wrong else "refuted") not in statuses, (name, said)
    right = [name for name in found if name not in wrong]
    decided = sum("unknown" not in found[name] for name in right)
    return len(right), decided, sum("refuted" in found[name] for name in wrong)
