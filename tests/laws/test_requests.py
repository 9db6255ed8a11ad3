"""Claims about bank conflicts, sectors and vectors against plain loops over instances.

As a program it goes on as long as one likes: `python -m tests.laws.test_requests SECONDS SEED`.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter

import pytest

from symcute import recheck
from symcute.claims.language import read_claim
from symcute.errors import InputError
from symcute.expr.assumptions import Assumptions
from symcute.prover import prove

from . import oracle
from .instances import instances, meets

#: Dims at which an oracle's loops stay short.
MOST = 12
LANES = ("32", "32", "(2,16)", "(8,4)", "(4,8)", "(2,16)", "8", "16", "(4,2,4)", "(8,2)")
STEPS = ("0", "1", "1", "2", "3", "4", "8", "16", "31", "32", "33", "64", "72", "-1")
LEADING = ("LD", "LD", "LD", "2*LD", "LD+1", "4*LD", "LD*N", "LD-N", "LD/2", "8*LD+8")
GIVEN = (
    "LD % 32 == 1", "LD % 2 == 1", "LD % 32 == 0", "LD % 8 == 0", "LD % 64 == 8", "LD >= 8",
    "LD >= 32", "LD <= 3", "LD % 16 == 4", "LD == 2*N + 1", "N % 8 == 0", "N == 4", "LD == 8*N",
    "LD % 32 == 1 or LD % 32 == 31", "N % 2 == 0", "LD % 2 == 0", "LD >= 40", "LD >= 32*N",
)  # fmt: skip
BASES = ("0", "0", "0", "B", "2*B", "8*B", "LD", "B - 1", "3")


class Cases:
    """Random claims about accesses, with assumptions."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def mode(self, shape: str, symbolic: float) -> str:
        if not shape.startswith("("):
            leading = self.rng.random() < symbolic
            return self.rng.choice(LEADING if leading else STEPS)
        parts = shape[1:-1].split(",")
        return f"({','.join(self.mode(x, symbolic) for x in parts)})"

    def layout(self, first: str, symbolic: float) -> str:
        rng = self.rng
        if first == "(2,16)" and rng.random() < 0.7:  # lanes that go in pairs
            step = self.rng.choice(("0,{}", "{},0"))
            first, stride = rng.choice((("(2,16)", step), ("(2,2,8)", f"{step},{{}}")))
            strides = [self.mode("", symbolic) for _ in range(first.count(","))]
            return f"({first},R):(({stride.format(*strides)}),{self.mode('', symbolic)})"
        shapes = [first, *(rng.choice(("1", "2", "3", "5", "R")) for _ in range(rng.randrange(3)))]
        strides = [self.mode(s, symbolic) for s in shapes]
        if len(shapes) == 1:
            return f"{first}:{strides[0]}" if rng.random() < 0.5 else f"({first},):({strides[0]},)"
        return f"({','.join(shapes)}):({','.join(strides)})"

    def swizzled(self, layout: str) -> str:
        rng = self.rng
        if rng.random() < 0.65:
            return layout
        bits = rng.randrange(4)
        base, shift = rng.randrange(5), rng.choice((1, 1, -1)) * rng.randint(bits, 4)
        offset = rng.choice(("0", "0", "0", "8", "B", "64*B", "512*B"))
        return f"Sw<{bits},{base},{shift}> o {offset} o {layout}"

    def claim(self) -> tuple[str, list[str]]:
        rng = self.rng
        symbolic = rng.choice((0.0, 0.4, 0.6))
        element = rng.choice((32, 32, 16, 8, 64, 4))
        wide = rng.choice((element, element, max(8, element), 64, 128))
        width = wide if wide >= max(8, element) else max(8, element)
        base = rng.choice(BASES)
        given = rng.sample(GIVEN, rng.choice((0, 1, 1, 1, 2)))
        if rng.random() < 0.15:
            text = self.swizzled(self.layout(rng.choice(("8", "(2,4)", "R", "(4,R)")), symbolic))
            return f"vectorizable({text}, {element}, {width}, {base})", given
        text = self.swizzled(self.layout(rng.choice(LANES), symbolic))
        access = f"access({text}, {element}, {width}, {base})"
        if rng.random() < 0.6:
            most = rng.choice((1, 1, 1, 2, 2, 4, 8, 16))
            least = rng.choice((0, 0, 0, 1, 2, most))
            return f"bank_conflict({access}, {most}, {least})", given
        if rng.random() < 0.15:
            return f"coalesced({access})", given
        most = rng.choice((1, 4, 4, 5, 8, 9, 16, 32))
        return f"sectors({access}, {most}, {rng.choice((0, 0, 1, most))})", given


def compare(text: str, given: list[str], rng: random.Random, counts: Counter[str]) -> None:
    """Prove a claim; compare the verdict with loops, and its certificate with the checker."""
    try:
        claim = read_claim(text, given=given)
    except InputError:
        counts["no claim"] += 1
        return
    assert read_claim(claim.text()).text() == claim.text()
    verdict = prove(claim, given=given)
    status = "vacuous" if verdict.vacuous else verdict.status
    counts[status] += 1
    facts = list(Assumptions.of(given).formulas)
    case = f"{claim} given {given}: {status} {verdict.reason} {verdict.counterexample}"
    if status == "proved":
        result = recheck.check(json.dumps(verdict.certificate))
        assert result.accepted, f"{case}: {result.reason}"
        assert verdict.rests_on == ("arithmetic",), case
    if status == "refuted":
        env = dict(verdict.counterexample.dims)
        assert not env or meets(facts, env), case
        try:
            assert not oracle.holds(claim, env), case
        except oracle.TooLarge:
            counts["counterexamples too large"] += 1
        return
    names = sorted(claim.dims() | set().union(*(f.dims() for f in facts)))
    failing = compared = 0
    for env in instances(facts, names, rng, MOST):
        assert status != "vacuous", f"{case} at {env}"
        try:
            true = oracle.holds(claim, env)
        except oracle.TooLarge:
            continue
        except oracle.NoSuchLayout:
            assert status != "proved", f"{case} at {env}"
            continue
        compared += 1
        failing += not true
        assert true or status != "proved", f"{case} at {env}"
    counts["compared"] += compared
    if status == "unknown":
        assert names, case
        counts["unknown, false" if failing else "unknown, seems true"] += 1
        if "-v" in sys.argv:
            print(failing, case)


@pytest.mark.parametrize("seed", range(3))
def test_verdicts_agree_with_loops(seed: int) -> None:
    rng, counts = random.Random(seed), Counter[str]()
    cases = Cases(rng)
    for _ in range(50):
        compare(*cases.claim(), rng, counts)
    assert counts["proved"] >= 7 and counts["refuted"] >= 20 and counts["compared"] >= 70


if __name__ == "__main__":
    seconds, seed = float(sys.argv[1]), int(sys.argv[2])
    rng, counts = random.Random(seed), Counter[str]()
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        compare(*Cases(rng).claim(), rng, counts)
    print(dict(counts))
