"""Steps below a multiple of them, and bits below a symbolic power of two: claims against loops."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from symcute.errors import TextError
from symcute.prover import prove
from symcute.recheck import check
from tests.full import many, some

from .texts import Text

BELOW = ["0 <= x < A"]
TREE = ["pow2(B)", "pow2(s)", "s < B", "i >= 0"]

CLAIMS = [
    ("(x ^ (B - 1)) < A", ["pow2(B)", "pow2(A)", "B <= A", *BELOW], True),
    ("(x ^ B) < A", ["pow2(B)", "pow2(A)", "B < A", *BELOW], True),
    ("(x | B) < A", ["pow2(B)", "pow2(A)", "B < A", *BELOW], True),
    ("2*s*i + s < B implies 2*s*i + 2*s <= B", TREE, True),
    ("(i & (2*s - 1)) == 0 and i + s < B implies i + 2*s <= B", TREE, True),
    ("(i & (s - 1)) == 0 and i < B implies i + s <= B", TREE, True),
    ("x < N implies x + d <= N", ["N % d == 0", "x % d == 0", "x >= 0"], True),
    ("(x ^ (B - 1)) < A", ["pow2(B)", "pow2(A)", *BELOW], False),
    ("(x ^ (B - 1)) < A", ["pow2(B)", "B <= A", *BELOW], False),
    ("(x ^ B) < A", ["pow2(B)", "pow2(A)", "B <= A", *BELOW], False),
    ("(x ^ B) < A", ["pow2(B)", "B < A", *BELOW], False),
    ("(x ^ B) < A - 1", ["pow2(B)", "pow2(A)", "B < A", *BELOW], False),
    ("2*s*i + s < B implies 2*s*i + 2*s < B", TREE, False),
    ("2*s*i + s < B implies 2*s*i + 3*s <= B", TREE, False),
    ("2*s*i + s < B implies 2*s*i + 2*s <= B", TREE[1:], False),
    ("2*s*i < B implies 2*s*i + 2*s <= B", [*TREE[:2], "s <= B", "i >= 0"], False),
    ("(i & (s - 1)) == 0 and i + s < B implies i + 3*s <= B", TREE, False),
    ("x < N implies x + d <= N", ["N % d == 0", "x % (d + 1) == 0", "x >= 0"], False),
    ("x < N implies x + d <= N", ["N % d == 0", "x >= 0"], False),
]


def fails(claim: str, given: list[str], top: int) -> bool:
    """Return whether a claim fails at small sizes that meet what is given."""
    text = Text(claim, given)
    every = product(range(top), repeat=len(text.names))
    at = (dict(zip(sorted(text.names), values, strict=True)) for values in every)
    return any(text.meets(env) and not text.true(env) for env in at)


@pytest.mark.parametrize(("claim", "given", "true"), some(CLAIMS, 2))
def test_steps_and_bits_below_a_multiple(claim: str, given: list[str], true: bool) -> None:
    assert fails(claim, given, 10) is not true
    verdict = prove(claim, given)
    assert verdict.status == ("proved" if true else "refuted"), verdict.reason
    assert not true or check(verdict.certificate).status == "checked"


def test_drawn_steps() -> None:
    random, proved = Random(3), 0
    for _ in range(many(25, 600)):
        d = random.choice(["d", "2*d", "d + 1", "d*e"])
        given = ["x >= 0", random.choice([f"N % ({d}) == 0"] * 3 + ["N % d == 0"])]
        given += [random.choice([f"x % ({d}) == 0", "x % d == 0", "x < N", "x + d <= N"])]
        low = random.choice(["x", "x + d", "x + 1", f"x // ({d}) * ({d})", f"x - x % ({d})"])
        step = random.choice([d, "d", "1", f"2*({d})"])
        claim = f"{low} < N implies {random.choice(['x', low])} + {step} <= N"
        verdict = prove(claim, given, work=50)
        proved += verdict.status == "proved"
        if verdict.status == "proved":
            assert not fails(claim, given, 7), (claim, given)
        if verdict.status == "refuted":
            text = Text(claim, given)
            assert text.meets(at := dict(verdict.counterexample.dims)) and not text.true(at)
    assert proved >= 6


MASKED = [
    ("i + j == (i ^ j)", ["pow2(j)", "i & j == 0", "i >= 0"], "proved"),
    ("i + j == (i | j)", ["pow2(j)", "i & j == 0 and i >= 0"], "proved"),
    ("x % 8 == 0", ["x & 7 == 0", "x >= 0"], "proved"),
    ("injective((M,N):(LD,1))", ["LD & 7 == 0", "LD >= N"], "proved"),
    ("exists i < N: i == x", ["0 <= x < N", "x & 1 == 0"], "proved"),
    ("i + j == (i ^ j)", ["pow2(j)", "i & j == j", "i >= 0"], "refuted"),
    ("x % 16 == 0", ["x & 7 == 0", "x >= 0"], "refuted"),
    ("x % 8 == 0", ["x & 6 == 0", "x >= 0"], "refuted"),
    ("x == 1", ["x & 1 == 2"], "unknown"),  # nothing meets it
]


@pytest.mark.parametrize(("claim", "given", "said"), MASKED)
def test_bits_in_assumptions(claim: str, given: list[str], said: str) -> None:
    verdict = prove(claim, given)
    assert verdict.status == said
    assert (said == "unknown") is verdict.vacuous
    if said == "proved":
        assert any("bits of assumptions" in name for name in verdict.rests_on)
        assert check(verdict.certificate).accepted
    if said == "refuted":
        text = Text(claim, given)
        assert text.meets(at := dict(verdict.counterexample.dims)) and not text.true(at)


def test_bits_in_assumptions_that_may_be_any_are_an_error() -> None:
    with pytest.raises(TextError, match="may be any"):
        prove("i + j == (i ^ j)", ["i & j == 0", "i >= 0"])
