"""Integer points of a box under linear inequalities: exact, by narrowing and halving."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["TooHard", "point_in"]

#: How many boxes are looked at before the search is given up.
MAX_BOXES = 20_000

#: sum of factor * x over the coordinates is at most the bound.
AtMost = tuple[Sequence[int], int]


class TooHard(Exception):
    """The exact search was given up; the reason is the message."""


def point_in(extents: Sequence[int], limits: Sequence[AtMost]) -> tuple[int, ...] | None:
    """Return x with 0 <= x_k < extents[k] within all limits, or None when there is none.

    Errors: TooHard.

    >>> point_in([4, 8], [((1, 4), 20), ((-1, -4), -20)])
    (0, 5)
    >>> point_in([4, 8], [((2, 4), 21), ((-2, -4), -21)]) is None
    True
    """
    todo = [([0] * len(extents), [s - 1 for s in extents])]
    looked = 0
    while todo:
        low, high = todo.pop()
        looked += 1
        if looked > MAX_BOXES:
            raise TooHard(f"the search of a box was given up after {MAX_BOXES} parts")
        if not _narrowed(low, high, limits):
            continue
        widths = [b - a for a, b in zip(low, high, strict=True)]
        if not any(widths):
            return tuple(low)
        k = widths.index(max(widths))
        middle = (low[k] + high[k]) // 2
        todo.append(([*low[:k], middle + 1, *low[k + 1 :]], list(high)))
        todo.append((low, [*high[:k], middle, *high[k + 1 :]]))
    return None


def _narrowed(low: list[int], high: list[int], limits: Sequence[AtMost]) -> bool:
    """Narrow the box in place to what each limit allows; return whether anything is left."""
    changed = True
    while changed:
        changed = False
        for factors, bound in limits:
            ends = zip(factors, low, high, strict=True)
            slack = bound - sum(a * (x if a > 0 else y) for a, x, y in ends)
            if slack < 0:
                return False
            for k, a in enumerate(factors):
                if a == 0 or high[k] - low[k] <= slack // abs(a):
                    continue
                changed = True
                if a > 0:
                    high[k] = low[k] + slack // a
                else:
                    low[k] = high[k] - slack // -a
    return all(a <= b for a, b in zip(low, high, strict=True))
