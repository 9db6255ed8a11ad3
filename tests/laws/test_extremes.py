"""Minima and maxima, as bounds of tiles and as divisors: by arithmetic alone, and never wrongly."""

from __future__ import annotations

import json
from random import Random

import pytest

from symcute import recheck
from symcute.prover import prove
from tests.full import many, some

from .texts import Text

PID = ["0 <= pid < M*N"]
GROUP = "pid // (G*N)"
TILE = f"min(M - {GROUP}*G, G)"
INSIDE = "pid % (G*N)"

CLAIMS = [
    # grouped program order: full groups, and a last one that is smaller
    (f"{TILE} >= 1", PID, True),
    (f"{TILE} >= 2", PID, False),
    (f"{INSIDE} < {TILE}*N", PID, True),
    (f"{INSIDE} < {TILE}*N - 1", PID, False),
    (f"{INSIDE} // {TILE} < N", PID, True),
    (f"{INSIDE} // {TILE} < N", ["0 <= pid <= M*N"], False),
    (f"{INSIDE} // {TILE} < N - 1", PID, False),
    (f"{GROUP}*G + {INSIDE} % {TILE} < M", PID, True),
    (f"{GROUP}*G + {INSIDE} % G < M", PID, False),
    (f"{GROUP}*G + {INSIDE} % {TILE} < M - 1", PID, False),
    (f"{INSIDE} // (M - {GROUP}*G) < N", PID, True),
    (f"({GROUP}*G + {INSIDE} % {TILE})*N + {INSIDE} // {TILE} < M*N", PID, True),
    (f"({GROUP}*G + {INSIDE} % {TILE})*N + {INSIDE} // {TILE} < M*N - 1", PID, False),
    (f"{INSIDE} // max(M - {GROUP}*G, G) < N", PID, True),
    # tiles of which some are one larger, clamps, and orders of them
    ("T // S*s + min(s, T % S) <= T", ["0 <= s <= S"], True),
    ("T // S*s + min(s, T % S) < T", ["0 <= s <= S"], False),
    ("T // S*S + min(S, T % S) == T", [], True),
    ("T // S*S + min(S - 1, T % S) == T", [], True),
    ("T // S*S + min(S - 2, T % S) == T", [], False),
    ("max(0, min(i, N - 1)) < N", ["i >= -9"], True),
    ("max(1, min(i, N - 1)) < N", ["i >= -9"], False),
    ("max(a, min(b, c)) == min(max(a, b), max(a, c))", [], True),
    ("max(a, min(b, c)) == min(max(a, b), c)", [], False),
    ("min(a, b) + max(a, b) == a + b", [], True),
    ("min(a, b)*max(a, b) == a*b", [], True),
    ("min(a, b)*c <= a*c", [], True),
    # written otherwise
    ("min(1 - a, 2 + a) <= 1*(min(a + b, 2))", ["a == 3"], True),
    ("max(b - 1, a + b) - ((b - 1) - (b - 1)) <= min(c, c) + a", ["c >= a + b"], True),
    ("min(a*c, b*c) == min(a, b)*c", [], True),
    ("min(a*c, b*c) == min(a, b)*c", ["c >= -2"], False),
    ("i % min(a, b) < a", ["i >= 0"], True),
    ("i % max(a, b) < a", ["i >= 0"], False),
    ("i // max(a, b) <= i // a", ["i >= 0"], True),
    ("s*ceil_div(T,S) + min(ceil_div(T,S), max(T - s*ceil_div(T,S), 0)) <= max(T, s*ceil_div(T,S))",
     ["0 <= s < S"], True),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "given", "true"), some(CLAIMS, 2))
def test_extremes_and_false_neighbours(claim: str, given: list[str], true: bool) -> None:
    verdict = prove(claim, given)
    assert verdict.status == ("proved" if true else "refuted"), verdict.reason
    if true:
        assert recheck.check(json.dumps(verdict.certificate)).accepted
        assert verdict.rests_on == ("arithmetic",)


def drawn(rng: Random, depth: int) -> str:
    """Return a term with minima and maxima, and roundings by them."""
    if depth == 0:
        return rng.choice(("a", "b", "c", "1", "2", "a + b", "b - 1"))
    left, right = drawn(rng, rng.randrange(depth)), drawn(rng, rng.randrange(depth))
    kind = rng.choice(("min", "min", "max", "+", "-", "*", "//", "%"))
    if kind in ("min", "max"):
        return f"{kind}({left}, {right})"
    if kind in ("//", "%"):
        return f"({left}) {kind} {rng.choice(('min', 'max'))}({rng.choice('abc')}, {right})"
    return f"({left}) {kind} ({right})"


def test_no_verdict_on_drawn_extremes_is_wrong() -> None:
    decided, asked = 0, many(60, 2000)
    for k in range(asked):
        rng = Random(f"extremes {k}")
        claim = f"{drawn(rng, 2)} {rng.choice(('<=', '<=', '<', '=='))} {drawn(rng, 2)}"
        given = rng.sample(("a <= b", "c >= a + b", "b % 2 == 0", "c >= 0", "a == 3"), 1)
        verdict = prove(claim, given, work=50)
        decided += verdict.status != "unknown"
        text = Text(claim, given)
        if verdict.status == "refuted":
            # One without dims is false wherever the assumptions hold.
            found = dict(verdict.counterexample.dims) or next(text.instances(rng, 100, 1))
            env = dict.fromkeys(text.names, 1) | found
            assert text.meets(env), (claim, given, env)
            assert not text.true(env), (claim, given, env)
        elif verdict.status == "proved":
            assert recheck.check(json.dumps(verdict.certificate)).accepted
            for env in text.instances(rng, 100, 30):
                assert text.true(env), (claim, given, env)
    assert decided >= 0.6 * asked
