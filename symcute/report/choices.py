"""What theorems can be chosen by, beside words: choices, and the keys that say what fits them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

__all__ = ["choices", "keyed", "options"]

_LABELS = {
    "status": "Verdict",
    "expected": "Expected",
    "rests": "Rests on",
    "how": "How",
    "file": "File or folder",
}


def _values(theorem: Mapping[str, Any]) -> dict[str, Iterable[str]]:
    """Return what a theorem has of each choice."""
    how = theorem["how"].removesuffix(", by cases").split(" + ")
    return {
        "status": [theorem["status"]],
        "expected": ["as expected" if theorem["ok"] else "not as expected"],
        "rests": theorem["rests_on"],
        "how": [x.removesuffix(", by cases") for x in how if x],
        "file": list(_places(theorem["file"])),
    }


def _places(file: str) -> Iterator[str]:
    """Yield a file and the folders it is in.

    >>> list(_places("proofs/notes/x.py"))
    ['proofs/', 'proofs/notes/', 'proofs/notes/x.py']
    """
    for folder in reversed(PurePosixPath(file).parents):
        if folder.name:
            yield f"{folder}/"
    yield file


def options(found: Iterable[Iterable[str]]) -> list[tuple[str, int]]:
    """Return the values that occur with how often they do, in order."""
    return sorted(Counter(x for values in found for x in values).items())


def choices(theorems: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the choices that the theorems leave: a name, a label, the values with their counts."""
    found = [_values(t) for t in theorems]
    return [
        {"name": name, "label": label, "options": options(values[name] for values in found)}
        for name, label in _LABELS.items()
    ]


def keyed(theorems: Sequence[dict[str, Any]]) -> None:
    """Give each theorem its `fits`: the numbers of the options of each choice that it fits."""
    number = {
        c["name"]: {value: k for k, (value, _) in enumerate(c["options"])}
        for c in choices(theorems)
    }
    for t in theorems:
        t["fits"] = {
            name: " ".join(str(number[name][x]) for x in dict.fromkeys(values))
            for name, values in _values(t).items()
        }
