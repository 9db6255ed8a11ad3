"""Build the corpus: every candidate meets brute force, and what it says of itself must be so.

    python -m benchmarks.corpus.build            # writes benchmarks/corpus/claims.jsonl

A true claim is compared with loops at many instances that meet its assumptions; a false one needs
an instance at which the loops find it false, and that instance is kept. Nothing here asks the
prover. A false claim for which no such instance is found is left out (and listed with --verbose),
a true one that fails ends the run with status 1.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from typing import Any

from symcute.claims.language import read_claim
from symcute.errors import SymcuteError
from symcute.expr.assumptions import Assumptions
from tests.laws import oracle
from tests.laws.instances import instances, meets
from tests.laws.oracle import NoSuchLayout, TooLarge

from . import CORPUS
from .templates import HERE, Candidate, candidates

SEED = 20
#: Instances at which a true claim is compared, the fewest that will do, and draws for a witness.
COMPARED, FEWEST, DRAWN = 40, 3, 400
#: How many draws in a row may miss the assumptions.
PATIENCE = 1200
#: Families of which nothing is left out to reach two true claims for each false one.
HARD = "hard.txt"


class Wrong(Exception):
    """The candidate is not what it says of itself; the message says why."""


def truth(candidate: Candidate) -> dict[str, Any] | None:
    """Return the record of a candidate, or None when its falsity was not seen.

    Errors: Wrong.
    """
    try:
        given = list(Assumptions.of(candidate.given).formulas)
        claim = read_claim(candidate.claim, given=candidate.given)
    except SymcuteError as error:
        raise Wrong(f"cannot be read: {error}") from None
    names = sorted(claim.dims() | set().union(*(f.dims() for f in given)))
    rng = random.Random(f"{SEED}/{candidate.claim}")  # noqa: S311
    record = {
        "family": candidate.family,
        "claim": candidate.claim,
        "given": list(candidate.given),
        "holds": candidate.holds,
    }
    if candidate.holds:
        return record | {"compared": confirmed(claim, given, names, rng)}
    for env in witnesses(candidate, claim, given, names, rng):
        if fails(claim, env):
            return record | {"witness": {n: env[n] for n in sorted(env)}}
    if candidate.witness:
        raise Wrong(f"true at {env}")
    return None


def confirmed(claim: Any, given: list[Any], names: list[str], rng: random.Random) -> int:
    """Return at how many instances loops found the claim true. Errors: Wrong."""
    compared = 0
    for env in instances(given, names, rng, COMPARED, PATIENCE):
        try:
            if not oracle.holds(claim, env):
                raise Wrong(f"false at {env}")
            compared += 1
        except TooLarge:
            continue
        except NoSuchLayout as error:
            raise Wrong(f"no layout at {env}: {error}") from None
    if compared < FEWEST:
        raise Wrong(f"only {compared} instances")
    return compared


def witnesses(
    candidate: Candidate, claim: Any, given: list[Any], names: list[str], rng: random.Random
) -> Iterator[dict[str, int]]:
    """Yield the instance that the author names, or else what is drawn. Errors: Wrong."""
    if not candidate.witness:
        yield from instances(given, names, rng, DRAWN, PATIENCE)
        return
    env = dict.fromkeys(names, 1) | candidate.witness
    if not meets(given, env):
        raise Wrong(f"{env} does not meet the assumptions")
    yield env


def fails(claim: Any, env: dict[str, int]) -> bool:
    """Return whether loops find the claim false; large domains of bounds by their corners."""
    try:
        return not oracle.holds(claim, env)
    except (NoSuchLayout, TooLarge):
        return False


def balanced(records: list[dict[str, Any]], kept: set[str]) -> list[dict[str, Any]]:
    """Return two true claims for each false one; what is too much is drawn from unkept families."""
    rng = random.Random(SEED)  # noqa: S311
    true, false = ([r for r in records if r["holds"] == x] for x in (True, False))
    surplus, many = len(true) - 2 * len(false), True
    if surplus < 0:
        surplus, many = len(false) - len(true) // 2, False
    spare = [r for r in (true if many else false) if r["family"] not in kept]
    dropped = {id(r) for r in rng.sample(spare, surplus)}
    return [r for r in records if id(r) not in dropped]


def main() -> None:
    """Build the corpus and write it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--verbose", action="store_true", help="list what is left out")
    options = parser.parse_args()
    records, faults = [], 0
    for candidate in candidates(SEED):
        shown = f"{candidate.claim} ; {' ; '.join(candidate.given)}"
        try:
            record = truth(candidate)
        except Wrong as error:
            faults += 1
            print(f"{'+' if candidate.holds else '-'} {shown}: {error}")
            continue
        if record is not None:
            records.append(record)
        elif options.verbose:
            print(f"left out, no instance fails: {shown}")
    if faults:
        print(f"{faults} candidates are not what they say")
        sys.exit(1)
    hard = {c.family for c in candidates(SEED) if c.family in sections(HARD)}
    chosen = balanced(records, hard)
    CORPUS.write_text("".join(json.dumps(r) + "\n" for r in chosen))
    true = sum(r["holds"] for r in chosen)
    families = len({r["family"] for r in chosen})
    print(f"{len(chosen)} claims in {families} families: {true} true, {len(chosen) - true} false")


def sections(name: str) -> set[str]:
    """Return the families of a file of templates."""
    return {x.strip("[]") for x in (HERE / name).read_text().splitlines() if x.startswith("[")}


if __name__ == "__main__":
    main()
