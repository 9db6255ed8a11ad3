"""What Triton takes integers of a launch for: for 64 bits from 2**31 on, and 1 for a constant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product

from symcute.kernel.ir.families import Family, Inferred
from symcute.kernel.ir.place import Place

__all__ = ["EDGE", "may_be_less", "may_be_wide", "ones_of", "term_of", "widths"]

EDGE = 1 << 31
#: Integers that may be of 64 bits of which all combinations are told apart.
_MOST_WIDE = 3
#: The same of integers that may be 1.
_MOST_ONES = 2
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


def _is_wide(name: str, family: Family) -> bool:
    """Is a dim 2**31 or more, as notes say?"""
    return any(sign != "<=" and n >= EDGE for sign, n in _bounds(name, family))


def _bounds(name: str, family: Family) -> list[tuple[str, int]]:
    found = (_BOUND.fullmatch(n.text) for n in family.notes)
    return [(b[2], int(b[3])) for b in found if b and b[1] == name]


def widths(
    wide: Mapping[str, str], family: Family, is_narrow: bool = False
) -> Iterator[tuple[dict[str, str], list[Inferred]]]:
    """Yield the types of integers that may have 64 bits, each with its condition.

    Of many, one at a time has 64 bits, or all: that no others do is said as an assumption. Where
    that is asked for, none has that may have less.
    """
    names = list(wide)
    if is_narrow:
        ways = [tuple(_is_wide(value, family) for value in wide.values())]
    elif len(names) <= _MOST_WIDE:
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
            term = term_of(value)
            below = _NAME.fullmatch(value) is None or may_be_less(value, -EDGE, family)
            if is_wide:
                text, why = f"assume {term} >= {EDGE}", f"{p} has 64 bits from there on"
                text += f" or {term} < {-EDGE}" if below else ""
            else:
                text, why = f"assume {term} < {EDGE}", f"{p} has 32 bits up to there"
                text += f" and {term} >= {-EDGE}" if below else ""
                if is_narrow:
                    why += "; others are not checked"
                elif len(names) > _MOST_WIDE:
                    why += "; more than one of 64 bits are not told apart"
            notes.append(Inferred(text, family.place, why))
        yield types, notes


def term_of(text: str) -> str:
    """Return an expression as it stands in a comparison."""
    return text if _NAME.fullmatch(text) else f"({text})"


def ones_of(
    ones: Mapping[str, Sequence[str]], place: Place
) -> Iterator[tuple[frozenset[str], list[Inferred]]]:
    """Yield which parameters are constants because the number that they are given is 1.

    Each has its condition. Of many, one number at a time is 1, or none: that no others are is said
    as an assumption.
    """
    for count in range(len(ones) + 1) if len(ones) <= _MOST_ONES else (0, 1):
        for chosen in combinations(ones, count):
            notes = []
            for value in ones:
                term, why = term_of(value), "Triton takes 1 for a constant"
                texts = [f"{term} >= 2 or {term} <= 0"]
                if value in chosen:
                    texts = [f"{term} >= 1", f"{term} <= 1"]
                if count and len(ones) > _MOST_ONES:
                    why += "; more than one of them are not told apart"
                notes += [Inferred(f"assume {t}", place, why) for t in texts]
            yield frozenset(p for value in chosen for p in ones[value]), notes
