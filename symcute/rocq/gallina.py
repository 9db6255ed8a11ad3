"""Certificates as terms of the checker in `proofs/rocq`, and what that checker does not know.

Nothing of a certificate is read here: its JSON is written as data, and Gallina reads those.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from symcute.checker.evaluate import MAX_COORDINATES, coordinates, without_dims
from symcute.checker.primitive import primitive

__all__ = ["CODES", "DEPTH", "HEAD", "KEYS", "batch", "data_terms", "missing", "part", "word"]

#: What is read of a document: its data, and its texts.
KEYS = ("definitions", "instance", "proof", "statement")
TEXTS = ("claim", "given", "operations")
#: How many characters they may have.
MAX_TEXTS = 4000
#: What is said of one: 0 rejected; 1 its data are accepted, 2 and met by its instance; 3 and 4 the
#: same, and it proves what its texts say.
CODES = ("0", "1", "2", "3", "4")
#: How deep proofs may be nested.
DEPTH = 200
#: Kinds of primitive claims, lemmas and ways of settling that the checker in Gallina has not.
CLAIMS = {"printed": "prints_as"}
LEMMAS = ("solver",)
SETTLED = ("solver",)

#: What each file of terms begins with.
HEAD = """From Coq Require Import ZArith List.
From Symcute Require Import Data Certificates Stated.
Import ListNotations.
Open Scope Z_scope.
Notation nil_ := (@nil data).
Notation cons_ := (@cons data).
Notation end_ := (@nil (positive * data)).
Definition entry (k : positive) (d : data) (l : list (positive * data)) := cons (k, d) l.
"""


def batch(documents: list[dict[str, Any]]) -> str:
    """Return a file that computes for each document what `verdict` of `Stated.v` says of it.

    What stands in several places is written once.

    >>> "Eval vm_compute" in batch([])
    True
    """
    lines, terms = data_terms([part(d) for d in documents])
    asked = f"Eval vm_compute in map (verdict {DEPTH}) [{'; '.join(terms)}]."
    return "\n".join([HEAD, *lines, asked, ""])


def part(document: dict[str, Any]) -> dict[str, Any]:
    """Return what is read of a document; texts of which coqc could not read the term are not."""
    short = len(str([document.get(k) for k in TEXTS])) <= MAX_TEXTS
    return {k: document[k] for k in (*KEYS, *(TEXTS if short else ())) if k in document}


def word(text: str) -> str:
    """Return a string as a term: the number whose bytes, behind a 1, are its own."""
    return (
        f"{int.from_bytes(bytes([1]) + text.encode('utf-8', 'surrogatepass'), 'big'):#x}%positive"
    )


def data_terms(items: list[Any]) -> tuple[list[str], list[str]]:
    """Return definitions, and the names of what items are; what recurs is written once."""
    writer = _Writer()
    for item in items:
        writer.count(item)
    names = [writer.defined(writer.term(item)) for item in items]
    return writer.lines, names


class _Writer:
    """Writes data as terms; `lines` are definitions."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._names: dict[str, str] = {}
        self._words: dict[str, str] = {}
        self._seen: Counter[str] = Counter()

    def count(self, item: Any) -> None:
        """Count how often an item stands somewhere, and what is in it."""
        key = _key(item)
        self._seen[key] += 1
        if self._seen[key] == 1:
            for x in _inside(item):
                self.count(x)

    def defined(self, term: str) -> str:
        """Return the name of a new definition."""
        self.lines.append(f"Definition x{len(self.lines)} := {term}.")
        return f"x{len(self.lines) - 1}"

    def word(self, text: str) -> str:
        """Return the name of a string."""
        if text not in self._words:
            self._words[text] = self.defined(word(text))
        return self._words[text]

    def term(self, item: Any) -> str:
        """Return the term of an item."""
        key = _key(item)
        if key not in self._names:
            found = self._term(item)
            if self._seen[key] < 2:
                return f"({found})"
            self._names[key] = self.defined(found)
        return self._names[key]

    def _term(self, item: Any) -> str:
        if item is None:
            return "DNull"
        if isinstance(item, bool):
            return f"DBool {str(item).lower()}"
        if isinstance(item, int):
            return f"DInt ({item:#x})"
        if isinstance(item, str):
            return f"DStr {self.word(item)}"
        found = "nil_" if isinstance(item, list) else "end_"
        if isinstance(item, list):
            for x in reversed(item):
                found = f"(cons_ {self.term(x)} {found})"
            return f"DList {found}"
        for key, x in reversed(item.items()):
            found = f"(entry {self.word(key)} {self.term(x)} {found})"
        return f"DObj {found}"


def _key(item: Any) -> str:
    return json.dumps(item)


def _inside(item: Any) -> Iterator[Any]:
    yield from item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()


def missing(document: dict[str, Any]) -> str:
    """Return what a document needs that the checker in Gallina has not; nothing where it has all.

    >>> missing({"statement": {"parts": [{"kind": "printed", "body": "1"}]}, "proof": {}})
    'prints_as'
    """
    found = dict.fromkeys(_claims(document.get("statement")))
    found |= dict.fromkeys(_needed([document.get("proof"), document.get("definitions")]))
    parts = document["statement"].get("parts") if isinstance(document.get("statement"), dict) else 0
    for item in parts if isinstance(parts, list) else ():
        if not found and _many(item):
            found["an exact search"] = None
    return ", ".join(found)


def _claims(item: Any) -> Iterator[str]:
    if isinstance(item, dict) and isinstance(item.get("kind"), str) and item["kind"] in CLAIMS:
        yield CLAIMS[item["kind"]]
    for x in _inside(item):
        yield from _claims(x)


def _needed(item: Any) -> Iterator[str]:
    if isinstance(item, dict) and isinstance(item.get("lemma"), str) and item["lemma"] in LEMMAS:
        yield f"the lemma {item['lemma']}"
    if isinstance(item, list) and len(item) > 1 and isinstance(item[0], str) and item[0] in SETTLED:
        yield f"settling by {item[0]}"
    for x in _inside(item):
        yield from _needed(x)


def _many(item: Any) -> bool:
    """Return whether a claim without dims has more coordinates than are evaluated."""
    try:
        claim = primitive(item)
        searched = claim.kind not in ("holds", "requests") and not claim.joined()
        return searched and without_dims(claim) and coordinates(claim) > MAX_COORDINATES
    except Exception:  # it is no claim
        return False
