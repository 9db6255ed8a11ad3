"""What the notes of a launch say of numbers: which there may be, and that no launch is so."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from symcute.frontends.triton.source import with_numbers
from symcute.kernel.ir.families import Family, Inferred

__all__ = ["NAME", "values_of", "with_values"]

NAME = re.compile(r"[A-Za-z_]\w*")
_BOUND = re.compile(r"assume (\w+) (<=|>=|==) (-?\d+)")
_ONE_OF = re.compile(r"assume (\w+) == -?\d+(?: or \1 == -?\d+)+")
_CONSTANT = re.compile(r"assume \(?(-?\d+)\)? (<=|>=|==|<|>) \(?(-?\d+)\)?")
_BELOW = re.compile(r"([A-Za-z_]\w*) (<=|<) (-?\d+)")


def values_of(name: str, family: Family) -> list[int]:
    """Return all values that a dim may have, where the notes name them."""
    low, high = None, None
    for n in family.notes:
        one_of = _ONE_OF.fullmatch(n.text)
        if one_of is not None and one_of[1] == name:
            return [int(x) for x in re.findall(r"== (-?\d+)", n.text)]
        bound = _BOUND.fullmatch(n.text)
        if bound is not None and bound[1] == name:
            low = int(bound[3]) if bound[2] in (">=", "==") else low
            high = int(bound[3]) if bound[2] in ("<=", "==") else high
    if high is not None:
        low = 1 if low is None else low  # what is 1 at least has no note
        return list(range(low, high + 1)) if high - low < 4 else []
    return []


def with_values(
    family: Family, notes: Sequence[Inferred], numbers: Mapping[str, int]
) -> Family | None:
    """Return a family in which names are numbers; None where a note does not hold of these."""
    kept = []
    for n in notes:
        text = with_numbers(numbers, n.text) if numbers else n.text
        if text != n.text and not NAME.search(re.sub(r"^assume|\b(?:and|or|not)\b", "", text)):
            if _is_never(text, {}):
                return None
            continue
        kept.append(replace(n, text=text))
    least = {m[1]: int(m[3]) for n in kept if (m := _BOUND.fullmatch(n.text)) and m[2] != "<="}
    if any(_is_never(n.text, least) for n in kept):
        return None
    unknown = tuple(u for u in family.unknown if u not in numbers)
    return replace(family, notes=tuple(kept), unknown=unknown)


def _is_never(text: str, least: Mapping[str, int]) -> bool:
    """Return whether no part of a condition can hold: numbers, and names below what they are.

    What has no least value in a note is 1 at least.
    """
    for part in text.removeprefix("assume ").split(" or "):
        numbers, below = _CONSTANT.fullmatch(f"assume {part}"), _BELOW.fullmatch(part)
        if numbers is not None and not _compared(int(numbers[1]), numbers[2], int(numbers[3])):
            continue
        if below is not None and not _compared(least.get(below[1], 1), below[2], int(below[3])):
            continue
        return False
    return text.startswith("assume ")


def _compared(a: int, sign: str, b: int) -> bool:
    return {"<=": a <= b, ">=": a >= b, "==": a == b, "<": a < b, ">": a > b}[sign]
