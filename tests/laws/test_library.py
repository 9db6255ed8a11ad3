"""The library of theorems against brute force: what is called true is true at small instances."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from symcute.claims import Claim
from symcute.errors import InputError
from symcute.prover.theorems import Theorem, find
from symcute.solve.entailment import facts
from tests.full import many, some

FILES = sorted((Path(__file__).parents[2] / "proofs").rglob("*.py"))
#: Instances looked for and taken for each claim, and the largest domain that is enumerated.
LOOKED, TAKEN, LARGEST = many(20, 60), many(2, 10), 4096
#: A file of whose claims fewer instances are evaluated has lost something.
FEWEST = many(4, 20)


def instances(theorem: Theorem, claim: Claim) -> Iterator[tuple[dict[str, int], Claim]]:
    """Yield small instances of a claim that meet the assumptions."""
    taken = 0
    for values in facts(list(theorem.given)).instances(claim.dims(), LOOKED):
        try:
            instance = claim.at(values)
        except InputError:
            continue
        layouts = instance.layouts()
        if any(x.dims() for x in layouts) or all(int(x.size()) <= LARGEST for x in layouts):
            yield values, instance
            taken += 1
            if taken == TAKEN:
                return


@pytest.mark.parametrize("file", some(FILES, 3), ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_no_instance_contradicts_a_theorem(file: Path) -> None:
    ran = 0
    for theorem in (t for t in find([file]) if t.expected == "proved"):
        for claim in theorem.build():
            for values, instance in instances(theorem, claim):
                for part in instance.parts():
                    failure = part.brute()
                    assert failure is None, f"{theorem.name} at {values}: {failure}"
                ran += 1
    assert ran >= FEWEST
