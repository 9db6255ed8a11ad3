"""Steps of definitions and sums, written as the core reads them: unsound variants are rejected."""

from __future__ import annotations

import json
from typing import Any

import pytest

from symcute import checker as core
from symcute.recheck import check, written

from .brute import counterexample
from .brute_data import broken
from .certificates import sign
from .test_mutations import mutations_apart

Steps = list[list[Any]]


def made(
    claim: str, by: Any, *steps: Any, given: tuple[str, ...] = (), defined: Any = ()
) -> dict[str, Any]:
    """Return a certificate of a formula with one definition, or with none."""
    proof = {"defined": list(defined), "parts": [{"lemma": "formula", "by": [by]}]}
    return written({
        "claim": claim, "given": list(given), "operations": [], "rests_on": ["arithmetic"],
        "definitions": [list(steps)] if steps else [], "proof": proof,
    })  # fmt: skip


def total(terms: Any = (), factor: Any = 1) -> list[Any]:
    return ["sum", 0, [[str(w), list(keys)] for w, *keys in terms], factor]


S = total()
M1, N1 = (["from", x, 1, total([(1, x)])] for x in "MN")
EVEN = ["let", "q", ["/", "M", 2], ["given", 0]]
Q = ["let", "q", ["//", "M", "N"], S]
LEAST = ["let", "m", ["min", "M", "N"], ["and", []]]
NONZERO = [["or", 1, S]]
LOW = ["fact", "h", ["<=", 1, ["min", "M", "N"]], ["and", [total([(1, "M")]), total([(1, "N")])]]]

HOLDS: dict[str, dict[str, Any]] = {
    "from": made("1 <= M*N", S, M1, N1),
    "upto": made("0 <= 8 - M", S, ["upto", "M", 8, total([(1, 0)])], given=("M <= 8",)),
    "is": made("M == N", S, ["is", "M", "N", total([(-1, 0)])], given=("M == N",)),
    "an exact quotient": made("M == 2*(M/2)", total([(-1, "q.0")]), EVEN,
                              given=("M % 2 == 0",), defined=[["given", 0]]),
    "a quotient": made("M // N * N <= M", total([(1, "q.0")]), N1, Q, defined=NONZERO),
    "a remainder": made("M % N <= N - 1", total([(1, "q.1")]), N1, Q, defined=NONZERO),
    "a quotient that is known": made(
        "M // 2 == K", ["and", [total([(1, "q.0"), (1, 0)], 2), total([(1, "q.1"), (-1, 0)], 2)]],
        ["let", "q", ["//", "M", 2], S], given=("M == 2*K",)),
    "a minimum": made("min(M, N) <= N", total([(1, "m.1")]), LEAST),
    "a minimum from below": made("1 <= min(M, N)", total([(1, "h")]), LEAST, LOW),
    "a maximum": made("M <= max(M, N)", total([(1, "m.0")]),
                      ["let", "m", ["max", "M", "N"], ["and", []]]),
    "rounding": made("M <= 3", total([("1/2", 0)]), ["from", "N", 1, total([(1, "N")])],
                     given=("2*M + N <= 8",)),
    "a factor": made("1 <= q", total([(1, "M"), (-1, 0)], "N"), N1, given=("N*q == M", "q >= -5")),
    "a divisor": made("6*M % 2 == 0", ["sum", 0, [], ["*", 3, "M"]], M1),
}  # fmt: skip

#: What is wrong, words of the reason, whether the statement is false.
UNSOUND: dict[str, tuple[dict[str, Any], str, bool]] = {
    "from: not shown": (made("2 <= M", S, ["from", "M", 2, total([(1, "M")])]),
                        "does not show it", True),
    "from: twice": (made("2 <= M", S, M1, ["from", "M", 1, total([(1, "M")])]),
                    "defined twice", True),
    "from: a variable": (made("3 <= M", S, M1, ["from", "M'", 0, S]), "not there", True),
    "from: what is no name": (made("1 <= M", S, ["from", "Z", 0, S], M1), "not there", False),
    "upto: the other way": (made("M <= N", S, ["upto", "M", "N", total([(1, 0)])],
                                 given=("N <= M",)), "does not show it", True),
    "is: by an inequality": (made("M == N", S, ["is", "M", "N", total([(1, 0)])],
                                  given=("M <= N",)), "does not show it", True),
    "let: a divisor that may be 0": (
        made("M // N * N <= M", total([(1, "q.0")]), Q, given=("N >= -3", "N != 0"),
             defined=[["given", 1]]),
        "does not show it", False),
    "let: a quotient that may be none": (
        made("M == 2*(M/2)", total([(-1, "q.0")]), ["let", "q", ["/", "M", 2], total()],
             defined=[["given", 0]]), "no number from 0", True),
    "let: a dim": (made("2 <= M", S, ["let", "M", ["min", "N", 2], ["and", []]]),
                   "defined twice", True),
    "let: twice": (made("1 <= M*N", S, LEAST, LEAST), "defined twice", False),
    "let: of what is no quotient": (made("1 <= M", S, ["let", "q", ["+", "M", 1], ["and", []]]),
                                    "not defined so", False),
    "a remainder that is the divisor": (
        made("M % N <= N - 2", total([(1, "q.1")]), N1, Q, defined=NONZERO),
        "does not show it", True),
    "a quotient rounded up": (made("M <= M // N * N", total([(1, "q.0")]), N1, Q, defined=NONZERO),
                              "does not show it", True),
    "a quotient rounded up, by the other fact": (
        made("M <= M // N * N", total([(1, "q.1")]), N1, Q, defined=NONZERO),
        "does not show it", True),
    "a maximum for a minimum": (made("M <= min(M, N)", total([(1, "m.0")]), LEAST),
                                "does not show it", True),
    "and: of one": (
        made("N <= min(M, N)", total([(1, "h")]), LEAST,
             ["fact", "h", ["<=", "N", ["min", "M", "N"]], ["and", [S, S]]]),
        "does not show it", True),
    "and: of a maximum from below": (
        made("max(M, N) <= M", ["and", [["sum", 0], ["sum", 0]]],
             ["let", "m", ["max", "M", "N"], ["and", []]]), "does not show it", True),
    "let: by what is defined by it": (
        made("1 == 2", ["and", [S, total([(1, "q.1"), (1, "w.0")], 2)]],
             ["let", "q", ["//", "w", 2], S], ["let", "w", ["//", ["+", ["*", 2, "q"], 5], 1], S]),
        "w is not defined", True),
    "let: by itself": (made("1 == 2", S, ["let", "q", ["//", ["+", "q", 1], 1], S]),
                       "q is not defined", True),
    "let: a name for two things": (
        made("M <= N", total([(1, "q.0")]), ["let", "q", ["min", "M", "N"], ["and", []]],
             ["let", "q", ["min", "N", "M"], ["and", []]]), "defined twice", True),
    "fact: not shown": (made("2 <= M", total([(1, "h")]), ["fact", "h", ["<=", 2, "M"], S]),
                        "does not show it", True),
    "fact: by itself": (
        made("2 <= M", total([(1, "h")]), ["fact", "h", ["<=", 2, "M"], total([(1, "h")])]),
        "is no factor", True),
    "fact: by what comes after it": (
        made("2 <= M", total([(1, "h")]), ["fact", "h", ["<=", 2, "M"], total([(1, "k")])],
             ["fact", "k", ["<=", 2, "M"], total([(1, "h")])]), "is no factor", True),
    "fact: by cases": (
        made("1 <= M", S, ["fact", "h", ["<=", 1, "M"], ["case", ["<=", 1, "M"], S, S]]),
        "in a step", False),
    "fact: by a solver": (
        made("2 <= M", total([(1, "h")]),
             ["fact", "h", ["<=", 2, "M"], ["solver", "z3", "4.13.0"]]), "in a step", True),
    "a factor that may be 0": (made("1 <= M*0 + K", total([], "K"), ["from", "K", 0, total([
        (1, "K")])], given=("0 <= K",)), "does not show it", True),
    "a negative weight": (made("M <= N", total([(-1, 0)]), given=("N <= M",)),
                          "no number from 0", True),
    "a negative weight of an inequality": (made("M <= N", total([(-1, 0)]), M1, given=("N <= M",)),
                                           "is not positive", True),
    "a constant of 0": (made("M + 1 <= N", total([(1, 0)]), M1, given=("M <= N",)),
                        "does not show it", True),
    "an equation from an inequality": (made("M == N", total([(1, 0)]), M1, given=("M <= N",)),
                                       "does not show it", True),
    "a quotient that is no integer": (made("M % 2 == 0", ["sum", 0, [], ["/", "M", 2]], M1),
                                      "nothing says what", True),
    "a divisor that may be 0": (made("K*M % K == 0", ["sum", 0, [], "M"], M1, given=("0 <= K",)),
                                "does not show it", True),
    "a name of another definition": (made("q <= 1", S, ["let", "q", ["min", "M", 1], ["and", []]]),
                                     "defined twice", True),
    "a variable that is not there": (made("1 <= M", total([(1, "Z'")]), M1), "no factor", False),
    "follows: a premise that is not shown": (
        made("2 <= M", ["follows", 0, S], M1, given=("3 <= N implies 2 <= M",)),
        "does not show it", True),
    "follows: another conclusion": (
        made("2 <= M", ["follows", 0, S], M1, given=("1 <= M implies 2 <= N",)),
        "does not follow", True),
    "a definition that is not used": (made("M <= M", ["and", []], M1), "does not settle", False),
}  # fmt: skip


@pytest.mark.parametrize("name", HOLDS)
def test_what_holds_is_accepted(name: str) -> None:
    assert (check(HOLDS[name]).status, check(HOLDS[name]).reason) == ("checked", "")


@pytest.mark.parametrize("name", UNSOUND)
def test_unsound_steps_are_rejected(name: str) -> None:
    document, reason, false = UNSOUND[name]
    result = check(json.dumps(document))
    assert not result.accepted
    assert reason in result.reason, result.reason
    if false:
        assert counterexample(document["claim"], tuple(document["given"])) is not None


@pytest.mark.parametrize("name", HOLDS)
def test_changed_proofs_prove_what_is_true(name: str) -> None:
    """One thing changed in a step or a sum: the core rejects it, or what it states is true."""
    rejected = 0
    for mutant in map(sign, mutations_apart(HOLDS[name], ("definitions", "proof"))):
        result = core.check(mutant)
        assert "cannot be checked" not in result.reason, (mutant, result)
        rejected += not result.accepted
    assert rejected >= 10
    assert broken(HOLDS[name]["statement"]) is None
