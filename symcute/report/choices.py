"""What entries of a page can be chosen by, beside words: choices, and what says which fit them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

__all__ = ["choices", "fits", "options", "places"]

#: What an entry has of each choice, by the choice's name.
_Values = Mapping[str, Iterable[str]]


def places(file: str) -> Iterator[str]:
    """Yield a file and the folders it is in.

    >>> list(places("proofs/notes/x.py"))
    ['proofs/', 'proofs/notes/', 'proofs/notes/x.py']
    """
    for folder in reversed(PurePosixPath(file).parents):
        if folder.name:
            yield f"{folder}/"
    yield file


def options(found: Iterable[Iterable[str]]) -> list[tuple[str, int]]:
    """Return the values that occur with how often they do, in order."""
    return sorted(Counter(x for values in found for x in values).items())


def choices(labels: Mapping[str, str], entries: Sequence[_Values]) -> list[dict[str, Any]]:
    """Return the choices that entries leave: a name, a label, the values with their counts."""
    return [
        {"name": name, "label": label, "options": options(values[name] for values in entries)}
        for name, label in labels.items()
    ]


def fits(chosen: Sequence[Mapping[str, Any]], values: _Values) -> dict[str, str]:
    """Return the numbers of the options of each choice that an entry fits.

    >>> entry = {"file": ["a/", "a/k.cu"]}
    >>> fits(choices({"file": "File"}, [entry]), entry)
    {'file': '0 1'}
    """
    return {
        c["name"]: " ".join(
            str(k) for k, (value, _) in enumerate(c["options"]) if value in {*values[c["name"]]}
        )
        for c in chosen
    }
