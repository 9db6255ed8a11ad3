"""The checker in Python and the one in Gallina on the same certificates, true and mutated.

`python -m tests.checker.differential 50000 FILE...` takes the certificates that are kept, those by
hand, and those in the files (`symcute check --certificates` writes a kernel's), and changes the
data or the proof of each in one place, until there are so many. Where the two are not of one mind
it prints the certificate, and ends with 1.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from symcute import checker as core
from symcute.checker.settle import LEFT, Place, Trail
from symcute.checker.terms import Refused
from symcute.recheck.ranges import in_ranges
from symcute.rocq import ask, documents, missing

from .certificates import ACCEPTED, Document, sign
from .test_mutations import DATA, kept, mutations

#: Of a longer certificate nothing is changed: it would be copied some thousand times.
MAX_CHARACTERS = 6000
#: How many certificates are asked about at once, and how many are made of one.
BATCH, EACH = 1000, 10
#: What a certificate may rest on that the checker in Gallina has not.
OTHERS = (LEFT["search"], LEFT["printing"], "solver ")


class _Ranges(Trail):
    """Does what the core leaves to constant ranges, as `recheck` does."""

    def note(self, kind: str, place: Place, about: object) -> bool:
        super().note(kind, place, about)
        if kind == "ranges" and isinstance(about, tuple):
            if not in_ranges(about[0], place, about[1]):
                raise Refused("ranges do not show it")
            return True
        return False


def by_core(document: Document) -> bool:
    """Return whether the checker in Python accepts a document, by arithmetic and ranges alone."""
    result = core.check(sign(document), _Ranges())
    return result.accepted and not any(x.startswith(OTHERS) for x in result.rests_on)


def bases(files: Iterable[str] = ()) -> list[Document]:
    """Return the certificates that both know."""
    read = [d for file in files for d in documents(file) if isinstance(d, dict)]
    return [d for d in [*kept(), *ACCEPTED.values(), *read] if not missing(d)]


def mutants(rng: random.Random, documents: list[Document], each: int) -> Iterator[Document]:
    """Yield documents with one thing changed, some of each that is not long."""
    for document in documents:
        body = {k: document[k] for k in (*DATA, "definitions", "proof") if k in document}
        if len(json.dumps(body)) <= MAX_CHARACTERS:
            found = list(mutations(body, sorted(document["statement"]["dims"])[:3]))
            found = [m for m in found if m.keys() <= body.keys()]
            yield from (document | m for m in rng.sample(found, min(each, len(found))))


def compared(
    drawn: list[Document], kernel: bool = False
) -> tuple[Counter[tuple[str, str]], list[Document]]:
    """Return how often each says what, and the certificates of which they do not say the same."""
    counted, differ = Counter[tuple[str, str]](), list[Document]()
    for document, said in zip(drawn, ask(drawn, kernel=kernel), strict=True):
        if said.verdict == "not covered":
            counted[said.verdict, ""] += 1
            continue
        mine = "accepted" if by_core(document) else "rejected"
        counted[said.verdict, mine] += 1
        if said.verdict != mine:
            differ.append(document)
    return counted, differ


def run(count: int, seed: int, files: list[str], say: Callable[[str], None] = print) -> bool:
    """Compare so many certificates, and say what was found; return whether all agree."""
    rng, known = random.Random(seed), bases(files)
    own = {d["digest"] for d in bases()}
    total, differ = compared(known)
    say(f"{len(known)} certificates as they are, {_read(known, own)} read: {_said(total)}")
    read = 0
    while total.total() < count and known:
        chosen = rng.sample(known, min(len(known), BATCH // EACH))
        drawn = list(mutants(rng, chosen, EACH))[: count - total.total()]
        found, others = compared(drawn)
        total, differ, read = total + found, differ + others, read + _read(drawn, own)
        say(f"{total.total()}, {read} of them mutants of what was read: {_said(total)}")
    for document in differ:
        say(json.dumps(document))
    say(f"{total.total()} certificates, and of {len(differ)} they are not of one mind")
    return not differ


def _read(drawn: list[Document], own: set[str]) -> int:
    return sum(d["digest"] not in own for d in drawn)


def _said(counted: Counter[tuple[str, str]]) -> str:
    names = {
        ("accepted", "accepted"): "accepted by both",
        ("rejected", "rejected"): "rejected by both",
        ("not covered", ""): "not covered",
        ("accepted", "rejected"): "accepted by Rocq alone",
        ("rejected", "accepted"): "accepted by Python alone",
    }
    return ", ".join(f"{counted[key]} {name}" for key, name in names.items())


def _say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    raise SystemExit(0 if run(asked.count, asked.seed, asked.files, _say) else 1)
