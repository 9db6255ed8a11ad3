"""Entailment: a == b, a <= b, a | b under assumptions; True only when it holds everywhere."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from symcute.errors import InputError, NotAdmissible, TextError, Undecided
from symcute.expr.assumptions import Assumptions
from symcute.expr.formula import Formula
from symcute.prover import prove
from symcute.recheck import check
from symcute.solve.entailment import Entailment, facts


def formula(text: str) -> Formula:
    (f,) = Assumptions.of(text).formulas
    return f


def proves(text: str, *given: str) -> bool:
    return Entailment(Assumptions.of(list(given))).proves(formula(text))


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("M*N >= M", []),
        ("LD >= N", ["LD > N"]),
        ("LD*M >= N*M", ["LD >= N"]),
        ("M % 64 == 0", ["M % 128 == 0"]),
        ("M % 12 == 0", ["M % 4 == 0", "M % 6 == 0"]),
        ("M >= 128", ["M % 128 == 0"]),
        ("M % N == 0", ["M == K*N"]),
        ("M >= N", ["M % N == 0"]),
        ("M == N", ["N == M"]),
        ("A >= C", ["A >= B", "B >= C"]),
        ("A == 4*C", ["A == 2*B", "B == 2*C"]),
        ("r >= 0", ["r >= 0"]),
        ("M % 4 >= 0", []),
        ("ceil_div(M,4) >= 1", []),
        ("min(M,N) >= 1", []),
        ("not (M == M + 1)", []),
        ("M == 3 or M != 3", []),
        ("M <= 7", ["M <= 8", "M % 7 == 0"]),
    ],
)
def test_true_facts_are_proved(text: str, given: list[str]) -> None:
    assert proves(text, *given)


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("M*N >= M", ["N >= 0"]),
        ("LD > N", ["LD >= N"]),
        ("LD*M >= N*M", ["LD >= N", "M >= -1"]),
        ("M % 128 == 0", ["M % 64 == 0"]),
        ("M % 24 == 0", ["M % 4 == 0", "M % 6 == 0"]),
        ("M >= 128", ["M % 128 == 0", "M >= 0"]),
        ("M >= N", ["M % N == 0", "M >= 0"]),
        ("M % N == 0", ["M == K*N", "N >= 0", "M >= 0"]),
        ("A > C", ["A >= B", "B >= C"]),
        ("M == N", ["M >= N", "N >= K"]),
        ("M // 2 >= 1", []),
        ("M % 4 >= 1", []),
        ("M != 3", ["M == 3 or M/4 >= 1"]),
        ("M % 2 == 0", ["M == N", "N == M"]),
        ("r >= 1", ["r >= 0"]),
        ("N >= 2", ["M == N - 1", "M >= 0"]),
    ],
)
def test_false_facts_are_not_proved_and_have_a_witness(text: str, given: list[str]) -> None:
    known = Entailment(Assumptions.of(given))
    assert not known.proves(formula(text))
    witness = known.counterexample(formula(text))
    assert witness is not None
    assert known.assumptions.hold(witness)
    assert not formula(text).holds(witness)


def test_cyclic_lower_bounds_do_not_shrink_the_region() -> None:
    known = facts(["M >= N", "N >= M"])
    assert known.proves(formula("M == N"))
    assert not known.proves(formula("M >= 2"))


def test_contradictory_has_three_answers() -> None:
    assert facts(["M >= 5", "M <= 4"]).contradictory() is True
    assert facts(["M >= 5"]).contradictory() is False
    assert facts(["M*M == 2*N*N"]).contradictory() is None
    assert facts(["M*M == 1000000"]).contradictory() is False


def test_a_contradiction_is_named_without_what_is_not_needed() -> None:
    given = ["N >= 2", "M >= 5", "K == N", "M <= L", "L <= 4"]
    assert [str(f) for f in facts(given).contradiction()] == ["5 <= M", "M <= L", "L <= 4"]


def test_threads_share_the_facts_that_are_remembered() -> None:
    known = Entailment(Assumptions.of("LD >= N"))
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: list(known.instances({"LD", "N"}, 100)), range(8)))
    assert len(found[0]) == 100
    assert all(x == found[0] for x in found)


def test_require_names_what_would_decide_it() -> None:
    with pytest.raises(Undecided) as caught:
        facts().require(formula("M % 4 == 0"), "an operation")
    assert caught.value.assumption == "M % 4 == 0"


def test_require_says_false_with_a_witness() -> None:
    with pytest.raises(NotAdmissible) as caught:
        facts("M == 3").require(formula("M % 4 == 0"), "an operation")
    assert "M=3" in caught.value.witness


def test_no_solver_is_asked_when_told_so() -> None:
    known = Entailment(Assumptions())
    assert not known.proves(formula("M*M + N*N != 3"), solver=False)
    assert known.proves(formula("M*M + N*N != 3"))
    assert known.proof(formula("M*M + N*N != 3"))[0] == "solver"


@pytest.mark.parametrize("text", ["M", "M +", "injective(M:1)", "M = 3", "", "3 4"])
def test_text_that_states_nothing_is_refused(text: str) -> None:
    with pytest.raises(TextError):
        Assumptions.of(text)


def test_a_bare_bool_is_refused() -> None:
    with pytest.raises(InputError, match="bare bool True"):
        Assumptions.of([True])
    with pytest.raises(InputError, match="bare bool False"):
        Assumptions.of(False)


@pytest.mark.parametrize(
    "text",
    [
        "(M+N) % 4 == 0",
        "(M*N) % (K+1) == 0",
        "(-M) % 4 == 0",
        "not (M % 4 == 0)",
        "(M == 1 or N == 1) and K == 2",
        "M <= N implies K % 2 == 0",
        "M/4 <= N",
        "min(M,N) % 2 == 0",
    ],
)
def test_assumptions_are_printed_as_they_are_read(text: str) -> None:
    given = Assumptions.of(text)
    assert Assumptions.of(list(given.texts())) == given


def test_a_modulus_that_an_equation_makes_0_is_no_crash() -> None:
    verdict = prove(
        "equal((8,ceil_div(M,M)):(-M,3), (M,N):(N,1))", given=["M % N == 0", "N == 2*N"]
    )
    assert (verdict.status, verdict.vacuous) == ("unknown", True)


BITS = [
    # what `^` makes of a number is another one, unless nothing is changed
    ("(x ^ (B//2)) != x", ["pow2(B)", "B >= 2"], "proved"),
    ("(x ^ (B//2)) != x + B//2", ["pow2(B)", "B >= 2"], "refuted"),
    ("(x ^ (B//2)) != x - B//2", ["pow2(B)", "B >= 2"], "refuted"),
    ("(x ^ B) != x", ["pow2(B)"], "proved"),
    ("(x ^ 5) != x", [], "proved"),
    ("(x ^ 5) != x - 3", [], "refuted"),
    ("(x ^ c) != x", ["0 <= c < 4"], "refuted"),
]


@pytest.mark.parametrize(("text", "given", "said"), BITS)
def test_bits_that_are_changed(text: str, given: list[str], said: str) -> None:
    verdict = prove(text, given=given)
    assert verdict.status == said
    if said == "proved":
        assert (
            verdict.rests_on == ("arithmetic",) and check(json.dumps(verdict.certificate)).accepted
        )


SIGNED = ("-2147483648 <= x", "x <= 2147483647", "-2147483648 <= y", "y <= 2147483647")


@pytest.mark.parametrize(
    "more",
    [
        ("1 <= x*y", "x*y <= 2147483647"),
        ("x*y <= -1", "-2147483648 <= x*y"),
        ("x % 8 == 0", "y % 12 == 5", "1 <= x*y", "x*y <= 10**5"),
        ("-3 <= x*y", "x*y <= 3", "x + y <= -1"),
    ],
)
def test_instances_of_signed_numbers_are_near_0(more: tuple[str, ...]) -> None:
    known = Assumptions.of([*SIGNED, *more])
    found = list(Entailment(known).instances({"x", "y"}, 5))
    assert found
    assert all(known.hold(at) for at in found)
    assert Entailment(known).contradictory() is False
