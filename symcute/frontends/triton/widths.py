"""The widths that integers of a launch may have: Triton takes one for 64 bits from 2**31 on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from symcute.kernel.ir.families import Family, Inferred

__all__ = ["EDGE", "may_be_less", "may_be_wide", "term_of", "widths"]

EDGE = 1 << 31
#: Integers that may be of 64 bits of which all combinations are told apart.
_MOST_WIDE = 3
_BOUND = re.compile(r"assume (\w+) (<=|>=|==) (-?\d+)")
_NAME = re.compile(r"[A-Za-z_]\w*")


def may_be_wide(value: str, family: Family) -> bool:
    """May an argument be 2**31 or more, or less than -2**31?"""
    if not _NAME.fullmatch(value):
        return True
    bounds = _bounds(value, family)
    highs = [n for sign, n in bounds if sign != ">="]
    lows = [n for sign, n in bounds if sign == ">="]
    return not highs or min(highs) >= EDGE or (bool(lows) and max(lows) < -EDGE)


def may_be_less(name: str, low: int, family: Family) -> bool:
    """May a dim be less than that? One of which nothing is said is 1 at least."""
    return any(sign != "<=" and n < low for sign, n in _bounds(name, family))


def _bounds(name: str, family: Family) -> list[tuple[str, int]]:
    found = (_BOUND.fullmatch(n.text) for n in family.notes)
    return [(b[2], int(b[3])) for b in found if b and b[1] == name]


def widths(wide: Mapping[str, str], place: Any) -> Iterator[tuple[dict[str, str], list[Inferred]]]:
    """Yield the types of integers that may have 64 bits, each with its condition.

    Of many, one at a time has 64 bits, or all: that no others do is said as an assumption.
    """
    names = list(wide)
    if len(names) <= _MOST_WIDE:
        ways = list(product((False, True), repeat=len(names)))
    else:
        ways = [tuple(k == n for k in range(len(names))) for n in range(-1, len(names))]
        ways.append((True,) * len(names))
    same: dict[str, str] = {}
    for p, value in wide.items():
        same.setdefault(value, p)
    for way in ways:
        if any(way[names.index(p)] != way[names.index(same[v])] for p, v in wide.items()):
            continue  # one number is of one width
        types, notes = {}, []
        for p, is_wide in zip(names, way, strict=True):
            value = wide[p]
            types[p] = "i64" if is_wide else "i32"
            if same[value] != p:
                continue
            term, below = term_of(value), _NAME.fullmatch(value) is None
            if is_wide:
                text, why = f"assume {term} >= {EDGE}", f"{p} has 64 bits from there on"
                text += f" or {term} < {-EDGE}" if below else ""
            else:
                text, why = f"assume {term} < {EDGE}", f"{p} has 32 bits up to there"
                text += f" and {term} >= {-EDGE}" if below else ""
                if len(names) > _MOST_WIDE:
                    why += "; more than one of 64 bits are not told apart"
            notes.append(Inferred(text, place, why))
        yield types, notes


def term_of(text: str) -> str:
    """Return an expression as it stands in a comparison."""
    return text if _NAME.fullmatch(text) else f"({text})"
