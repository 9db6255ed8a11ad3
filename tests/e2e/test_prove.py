"""`symcute prove`."""

from __future__ import annotations

import json
from pathlib import Path

CLAIM = "injective((M,N):(LD,1))"


def test_proved(symcute) -> None:
    outcome = symcute("prove", CLAIM, "--given", "LD >= N")
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert lines[0] == f"PROVED  {CLAIM}"
    assert "  given          LD >= N" in lines
    assert any(line.startswith("  how            structural") for line in lines)
    assert any(line.startswith("  rests on       ") for line in lines)


def test_refuted_with_a_counterexample(symcute) -> None:
    outcome = symcute("prove", CLAIM)
    assert outcome.code == 1
    assert outcome.out.startswith(f"REFUTED  {CLAIM}\n")
    assert "  counterexample LD=1, M=2, N=2: " in outcome.out


def test_what_would_have_to_be_assumed_is_named(symcute) -> None:
    assert "\n  holds if       LD >= N\n" in symcute("prove", CLAIM).out
    told = json.loads(symcute("prove", CLAIM, "--json").out)["suggestion"]
    assert told["assumption"] == "LD >= N"
    assert told["weaker"][0]["counterexample"]["dims"] == {"LD": 1, "M": 2, "N": 2}


def test_no_suggestion_where_none_is_wanted_or_needed(symcute) -> None:
    assert "holds if" not in symcute("prove", CLAIM, "--no-suggest").out
    assert "suggestion" not in json.loads(symcute("prove", CLAIM, "--json", "--no-suggest").out)
    proved = json.loads(symcute("prove", CLAIM, "-g", "LD >= N", "--json").out)
    assert proved["suggestion"] is None
    vacuous = symcute("prove", CLAIM, "-g", "LD >= N", "-g", "LD < N")
    assert "holds if" not in vacuous.out


def test_contradictory_assumptions_are_vacuous_and_never_proved(symcute) -> None:
    outcome = symcute("prove", CLAIM, "-g", "LD >= N", "-g", "LD < N")
    assert outcome.code == 1
    assert outcome.out.startswith(f"VACUOUS  {CLAIM}\n")


def test_an_enormous_static_layout_is_instant(symcute) -> None:
    outcome = symcute("prove", "bijective((1073741824,1073741824):(1073741824,1))", "--json")
    told = json.loads(outcome.out)
    assert told["status"] == "proved"
    assert told["seconds"] < 2


def test_as_json(symcute) -> None:
    told = json.loads(symcute("prove", CLAIM, "--json").out)
    assert told["status"] == "refuted"
    dims = told["counterexample"]["dims"]
    assert dims["LD"] < dims["N"]
    assert dims["M"] > 1


def test_dims_of_the_assumptions_alone_are_noted(symcute) -> None:
    note = "  note           LDA: in the assumptions, not in the claim\n"
    assert note in symcute("prove", CLAIM, "-g", "LDA >= N").out
    assert "note" not in symcute("prove", CLAIM, "-g", "LD >= N", "-g", "LDA >= N").out
    assert "note" not in symcute("prove", CLAIM, "-g", "LD < N").out


def test_the_verdict_is_about_the_text_that_was_asked(symcute) -> None:
    outcome = symcute("prove", "size( (M,N):(LD,1) )\n == M*N")
    assert outcome.out.startswith("PROVED  size((M,N):(LD,1)) == M*N\n")
    assert "  rests on       arithmetic\n" in outcome.out
    told = symcute("prove", "size(coalesce((M,N):(LD,1))) == M*N").out
    assert "  rests on       arithmetic, the layout algebra (coalesce, size)\n" in told


def test_what_states_nothing_is_refused(symcute) -> None:
    outcome = symcute("prove", "(4,8)")
    assert outcome.code == 2
    assert outcome.err.startswith("symcute: this is (4,8), not a claim at column 1\n(4,8)\n^\n")


def test_a_bad_assumption_is_shown_with_a_caret(symcute) -> None:
    outcome = symcute("prove", CLAIM, "-g", "LD >=")
    assert (outcome.code, outcome.out) == (2, "")
    assert "\nLD >=\n     ^\n" in outcome.err


def test_certificate(symcute, tmp_path: Path) -> None:
    proved = symcute("prove", CLAIM, "-g", "LD >= N", "--certificate", "deep/proof.json")
    assert proved.code == 0
    assert json.loads((tmp_path / "deep/proof.json").read_text())["claim"] == CLAIM
    refuted = symcute("prove", CLAIM, "--certificate", "none.json")
    assert refuted.err == "symcute: no certificate written: the claim is refuted\n"
    assert not (tmp_path / "none.json").exists()


def test_the_smt2_script_is_answered_as_the_claim_is(symcute, tmp_path: Path) -> None:
    import z3

    for claim, given, answers in (
        ("bijective((M,N):(1,M))", "M <= 9", ["unsat", "unsat"]),
        ("injective((M,N):(LD,1))", "LD >= N", ["unsat"]),
        ("injective((M,N):(LD,1))", "LD >= N - 1", ["sat"]),
        ("P-1 <= M-1", "P <= M", ["unsat"]),
        ("P-1 <= M-1", "P <= M+1", ["sat"]),
    ):
        outcome = symcute("prove", claim, "--given", given, "--smt2", "-")
        assert (outcome.code, outcome.err) == (0, "")
        found = []
        for script in outcome.out.split("(reset)"):
            solver = z3.Solver()
            solver.from_string(script)
            found.append(str(solver.check()))
        assert found == answers, claim
    file = tmp_path / "claim.smt2"
    outcome = symcute("prove", "injective((M,N):(1,M))", "--smt2", str(file))
    assert outcome.out.startswith("PROVED") and "(check-sat)" in file.read_text()


def test_a_fact_is_said_with_its_numbers_on_one_side(symcute) -> None:
    outcome = symcute("prove", "P-1 <= M-1", "--no-suggest")
    assert "says           P <= M, for all dims" in outcome.out
    outcome = symcute("eval", "composition((M,N):(N,1),(P):1)")
    assert (outcome.code, outcome.err.splitlines()[-1]) == (1, 'assume "P <= M"')
