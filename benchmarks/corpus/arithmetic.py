"""Build the corpus of index arithmetic: what each claim says of itself must be so, by loops.

    python -m benchmarks.corpus.arithmetic       # writes benchmarks/corpus/arithmetic.jsonl, 30 s

The claims (`arithmetic.txt`) are read as trees and evaluated in plain integers, by
`tests/laws/texts.py`, at all small sizes and at drawn ones, the indices at both ends of their
ranges. A claim that is not what it says of itself ends the run with status 1; a false one keeps the
instance at which it fails.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

from tests.laws.oracle import NoSuchLayout, TooLarge
from tests.laws.texts import Env, Text

from . import ARITHMETIC
from .templates import HERE, Candidate, read

#: How many instances of small sizes, and of large ones, and the fewest that will do.
SMALL, LARGE, FEWEST = 400, 100, 12


class Wrong(Exception):
    """The candidate is not what it says of itself; the message says why."""


def truth(candidate: Candidate) -> dict[str, Any]:
    """Return the record of a candidate. Errors: Wrong."""
    text = Text(candidate.claim, candidate.given)
    record = {"family": candidate.family, "claim": candidate.claim,
              "given": list(candidate.given), "holds": candidate.holds}  # fmt: skip
    compared = 0
    for env in _instances(candidate, text):
        try:
            true = text.true(env)
        except TooLarge:
            continue
        except NoSuchLayout as error:
            if candidate.holds:
                raise Wrong(f"no value at {env}: {error}") from None
            continue
        compared += 1
        if not true and candidate.holds:
            raise Wrong(f"false at {env}")
        if not true:
            return record | {"witness": env}
    if not candidate.holds:
        raise Wrong(f"true at {compared} instances")
    if compared < FEWEST:
        raise Wrong(f"only {compared} instances")
    return record | {"compared": compared}


def _instances(candidate: Candidate, text: Text) -> list[Env]:
    if not candidate.witness:
        rng = random.Random(candidate.claim)  # noqa: S311
        return list(text.instances(rng, SMALL, LARGE))
    env = dict.fromkeys(text.names, 1) | candidate.witness
    if not text.meets(env):
        raise Wrong(f"{env} does not meet the assumptions")
    return [env]


def main() -> None:
    """Build the corpus and write it."""
    records, faults = [], 0
    for candidate in read(HERE / "arithmetic.txt"):
        try:
            records.append(truth(candidate))
        except Wrong as error:
            faults += 1
            print(f"{'+' if candidate.holds else '-'} {candidate.claim}: {error}")
    if faults:
        sys.exit(1)
    ARITHMETIC.write_text("".join(json.dumps(r) + "\n" for r in records))
    true = sum(r["holds"] for r in records)
    families = len({r["family"] for r in records})
    print(f"{len(records)} claims in {families} families: {true} true, {len(records) - true} false")


if __name__ == "__main__":
    main()
