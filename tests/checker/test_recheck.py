"""`symcute recheck` as a user runs it, and the certificates that are kept beside the theorems."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from symcute.checker.settle import Place
from symcute.expr.assumptions import Assumptions
from symcute.prover.theorems import find
from symcute.recheck.claims import primitives
from symcute.recheck.smt import counterexample, script
from symcute.recheck.text import names, parse
from symcute.solve import solvers
from tests.full import some

from .certificates import ACCEPTED, changed, formula

ROOT = Path(__file__).parents[2]
PROOFS = ROOT / "proofs"


def recheck(*args: str | Path, cwd: Path = ROOT) -> tuple[int, str, str]:
    run = subprocess.run(
        [sys.executable, "-m", "symcute", "recheck", *map(str, args)],
        capture_output=True, text=True, cwd=cwd, check=False, timeout=300,
    )  # fmt: skip
    assert "Traceback" not in run.stderr
    return run.returncode, run.stdout, run.stderr


def write(path: Path, *documents: Any) -> Path:
    path.write_text("".join(json.dumps(d) + "\n" for d in documents), encoding="utf-8")
    return path


def test_accepted(tmp_path: Path) -> None:
    code, out, err = recheck(write(tmp_path / "one.json", ACCEPTED["chain"]))
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "checked injective((M,N):(LD,1)) for all integers LD >= 1, M >= 1, N >= 1 with N <= LD",
        "1 certificate: 1 checked, 0 trusted, 0 rejected",
    ]


def test_order_and_totals(tmp_path: Path) -> None:
    broken = changed("bounds", claim="in_bounds((M,N):(LD,1), M*LD - 1)")
    names = ["solver", "proof by cases", "chain", "evaluate"]
    documents = [broken, *(ACCEPTED[n] for n in names)]
    entries = [{"name": f"t{k}", "part": 0, "certificate": d} for k, d in enumerate(documents)]
    file = write(tmp_path / "all.json", *entries)
    code, out, _ = recheck(file)
    heads = [line.split()[:2] for line in out.splitlines() if line[0] in "ctR"]
    assert code == 1
    assert heads == [["checked", "t3"], ["checked", "t4"], ["trusted", "t1"],
                     ["trusted", "t2"], ["REJECTED", "t0"]]  # fmt: skip
    assert out.splitlines()[-1] == (
        "5 certificates: 2 checked, 2 trusted (1 on solver cvc5 1.2.0, 1 on solver z3 4.13.0), "
        "1 rejected"
    )
    code, out, _ = recheck(file, "--quiet", "--trust", "solver")
    assert code == 1
    assert len(out.splitlines()) == 3
    code, out, _ = recheck(file, "--json")
    told = json.loads(out)
    assert told["totals"]["rejected"] == 1
    assert [c["name"] for c in told["certificates"]] == ["t3", "t4", "t1", "t2", "t0"]


def test_forms_of_files_and_folders(tmp_path: Path) -> None:
    text = json.dumps([ACCEPTED["chain"], ACCEPTED["upper ends"]], indent=1)
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "list.certificates.json").write_text(text, encoding="utf-8")
    (tmp_path / "a" / "notes.json").write_text("no certificate", encoding="utf-8")
    write(tmp_path / "lines.certificates.jsonl", ACCEPTED["mod"], ACCEPTED["cover"])
    code, out, _ = recheck(tmp_path, "--quiet")
    assert code == 0
    assert out.startswith("4 certificates: 4 checked")


def test_damaged_lines_are_rejected_and_the_others_checked(tmp_path: Path) -> None:
    file = write(tmp_path / "x.jsonl", ACCEPTED["mod"])
    file.write_text(file.read_text()[:-40] + "\n" + json.dumps(ACCEPTED["chain"]) + "\n")
    code, out, _ = recheck(file)
    assert code == 1
    assert "2 certificates: 1 checked" in out
    assert "REJECTED" in out


def test_a_file_that_is_no_json_is_rejected_once(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text(json.dumps(ACCEPTED["chain"], indent=1)[:200])
    code, out, _ = recheck(file)
    assert code == 1
    first, reason, last = out.splitlines()
    assert first == f"REJECTED a certificate in {file}"
    assert reason.startswith("  no JSON: ")
    assert last == "1 certificate: 0 checked, 0 trusted, 1 rejected"


def test_what_is_trusted_passes_only_where_that_is_said(tmp_path: Path) -> None:
    file = write(tmp_path / "x.json", ACCEPTED["chain"], ACCEPTED["solver"])
    for more, expected in ((), 1), (("--trust", "search"), 1), (("--trust", "solver"), 0):
        code, out, _ = recheck(file, *more)
        assert code == expected
        assert "trusted injective((M,N):(N,1)) for all integers M >= 1, N >= 1" in out
        assert "  rests on solver z3 4.13.0" in out


def test_bad_input(tmp_path: Path) -> None:
    code, out, err = recheck(tmp_path / "x.json")
    assert (code, out) == (2, "")
    assert "no such file" in err
    code, _, err = recheck(tmp_path)
    assert code == 2
    assert "no *.certificates.json* below" in err


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_a_solver_proves_the_obligations_again(tmp_path: Path, solver: str) -> None:
    names = ["chain", "mod", "agree, quotients", "atoms, mod", "is_complement", "times, from 0"]
    file = write(tmp_path / "x.json", *(ACCEPTED[n] for n in names))
    code, out, _ = recheck(file, "--solver", solver, "--json")
    told = json.loads(out)["totals"]["solver"]
    assert code == 0, out
    assert told["obligations"] == told["confirmed"] >= 25
    assert told["contradicted"] == 0


def test_a_solver_contradicts_what_is_false(tmp_path: Path) -> None:
    by: Any = ["solver", "z3", "4.13.0"]  # no small instance shows it
    document = formula("3*M + 5*N != 10007", by, rests_on=("arithmetic", "solver z3 4.13.0"))
    file = write(tmp_path / "x.json", document)
    code, out, _ = recheck(file, "--solver", "z3", "--trust", "solver")
    assert code == 1
    assert "CONTRADICTS 1" in out


#: True and false statements, one of each kind of primitive claim.
BY_SOLVER = {
    "injective((M,3):(3,1))": "injective((M,3):(2,1))",
    "injective((4,P):(1,4), where((4,P):(1,4), M))":
        "injective((4,P):(1,2), where((4,P):(1,9), M))",
    "in_bounds((M,3):(3,1), 3*M)": "in_bounds((M,3):(3,1), 3*M - 1)",
    "in_bounds((4,P):(1,4), M, where((4,P):(1,4), M))": "in_bounds((4,P):(1,4), M)",
    "disjoint(2:1, N:2)": "disjoint(3:1, N:2)",
    "apart(2:1, N:2, -2*N)": "apart(2:1, N:2, 1)",
    "apart(M:2, N:2, 1)": "apart(M:2, N:3, 1)",
    "M // 4 <= M": "M // 4 < M - 1",
    "M % 4 == 0 or M % 4 > 0": "M % 4 == 0 or M % 4 > 1",
    "ceil_div(M,4)*4 - M <= 3 and min(M,N) <= max(M,N)": "min(M,N) < max(M,N)",
}  # fmt: skip


def query(claim: str) -> str:
    """Return the checker's query for an instance that breaks the last part of a claim."""
    tree = parse(claim)
    broken = counterexample(primitives(tree)[-1])
    assert broken is not None
    return script(Place(dict.fromkeys(names(tree), 1), ()), broken)


@pytest.mark.parametrize("claim", BY_SOLVER)
def test_the_checkers_own_queries_say_the_claims(claim: str) -> None:
    for text, status in ((claim, "unsat"), (BY_SOLVER[claim], "sat")):
        assert solvers.solve(query(text), timeout=20).status == status, query(text)


def test_agreement_as_a_query() -> None:
    for claim, status in [
        ("is_composition(4:2, (4,2):(2,9), 4:1)", "unsat"), ("equal((2,4):(1,2), 8:1)", "unsat"),
        ("is_composition(8:2, (4,2):(2,9), 8:1)", "sat"), ("equal((2,4):(1,3), 8:1)", "sat"),
        ("is_composition(8:1, (4,1):(1,4), 8:1)", "unsat"),
    ]:  # fmt: skip
        assert solvers.solve(query(claim), timeout=20).status == status, query(claim)


def test_it_needs_nothing_but_python(tmp_path: Path) -> None:
    file = write(tmp_path / "x.json", ACCEPTED["agree, the identity"])
    run = subprocess.run(
        [sys.executable, "-S", "-m", "symcute.recheck", str(file)],
        capture_output=True, text=True, check=False, cwd=ROOT, env={"PATH": os.environ["PATH"]},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["status"] == "checked"


def kept() -> dict[tuple[str, int], tuple[str, list[str]]]:
    found = {}
    for file in sorted(PROOFS.rglob("*.certificates.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            certificate = entry["certificate"]
            found[entry["name"], entry["part"]] = (certificate["claim"], certificate["given"])
    return found


def test_the_kept_certificates_are_those_of_the_theorems() -> None:
    """Each claim that a theorem says is proved has its certificate, and there are no others."""
    stated = {}
    for theorem in find([PROOFS]):
        if theorem.expected == "proved":
            given = list(Assumptions.of(list(theorem.given)).texts())
            for number, claim in enumerate(theorem.build()):
                stated[theorem.name, number] = (claim.text(), given)
    found = kept()
    advice = "run: symcute verify proofs --certificates"
    assert sorted(stated) == sorted(found), advice
    assert [k for k in stated if stated[k] != found[k]] == [], advice


def test_the_kept_certificates_hold() -> None:
    files = some(sorted(PROOFS.rglob("*.certificates.jsonl")), 6)
    code, out, _ = recheck(*files, "--quiet", "--trust", "solver", "--trust", "algebra")
    assert code == 0, out
    assert " 0 rejected" in out


THEOREMS = '''
"""Two theorems."""

from symcute import theorem


@theorem(given=["N <= LD"])
def rows() -> tuple[str, str]:
    """Padded rows do not meet."""
    return "injective((M,N):(LD,1))", "in_bounds((M,N):(LD,1), M*LD)"


@theorem(expect="refuted")
def rows_that_meet() -> str:
    """Without the assumption they may."""
    return "injective((M,N):(LD,1))"
'''


def test_verify_writes_certificates_that_recheck_accepts(tmp_path: Path) -> None:
    file = tmp_path / "rows.py"
    file.write_text(THEOREMS, encoding="utf-8")
    command = [sys.executable, "-m", "symcute", "verify", "rows.py", "--no-cache", "--certificates"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "wrote the certificates of 1 file, to check" in run.stderr
    lines = (tmp_path / "rows.certificates.jsonl").read_text(encoding="utf-8").splitlines()
    entries = [json.loads(line) for line in lines]
    assert [(e["name"], e["part"]) for e in entries] == [("rows", 0), ("rows", 1)]
    code, out, _ = recheck(tmp_path, "--quiet")
    assert (code, out) == (
        0,
        "2 certificates: 2 checked, 0 trusted, 0 rejected\n",
    )
    run = subprocess.run(
        [*command, "--only", "rows"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.returncode == 2
    assert "--certificates with --only" in run.stderr
