"""The library of theorems, through `symcute verify`: every verdict is the one expected."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

from symcute.prover.theorems import Theorem, find
from symcute.solve import solvers
from tests.full import some

ROOT = Path(__file__).parents[2]
#: The folders that must not go missing.
FOLDERS = ("cutlass", "laws", "lemmas", "matrices", "notes", "tilings", "views")


@cache
def theorems() -> list[Theorem]:
    return find([ROOT / "proofs"])


def test_the_library_is_there() -> None:
    assert len(theorems()) >= 400
    folders = Counter(Path(t.file).parent.name for t in theorems())
    assert set(folders) >= set(FOLDERS)
    assert min(folders.values()) >= 20


def test_every_file_has_false_neighbours() -> None:
    for file in {t.file for t in theorems()}:
        expected = Counter(t.expected for t in theorems() if t.file == file)
        assert set(expected) == {"proved", "refuted"}, file
        assert 5 * expected["refuted"] >= expected["proved"], file


def test_every_theorem_says_what_it_states_and_where_it_comes_from() -> None:
    folders = {t.name: Path(t.file).parent.name for t in theorems()}
    assert [t.name for t in theorems() if not t.statement.endswith((".", "?"))] == []
    silent = [t.name for t in theorems() if not t.source]
    assert [name for name in silent if folders[name] not in ("laws", "lemmas")] == []


def test_every_solver_that_theorems_name_can_be_installed_with_symcute() -> None:
    packages = {"z3": "z3-solver", "cvc5": "cvc5"}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [entry for group in project["optional-dependencies"].values() for entry in group]
    installed = {entry.split(">")[0] for entry in [*project["dependencies"], *extras]}
    named = {solver for theorem in theorems() for solver in theorem.solvers}
    assert named >= {"z3", "cvc5"}
    assert {packages[solver] for solver in named} <= installed


def test_every_verdict_is_the_expected_one(tmp_path: Path) -> None:
    """Of few files without `--full`: `tests/checker` holds the certificates of all."""
    chosen = some(sorted({t.file for t in theorems()}), 18)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "symcute", "verify", *chosen),
            *("--no-cache", "--quiet", "--jobs", "2", "--out", str(tmp_path)),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    wrong = [f"{t['name']}: {t['status']}" for t in report["theorems"] if not t["ok"]]
    assert wrong == []
    assert done.returncode == 0
    asked_for = [t.name for t in theorems() if t.file in chosen]
    assert [t["name"] for t in report["theorems"]] == asked_for
    for record in report["theorems"]:
        asked = record["solvers"] if record["expected"] == "proved" else []
        named = {f"{solver} {solvers.version(solver)}" for solver in asked}
        assert named <= set(record["rests_on"]), record["name"]
        # What the post-conditions of the algebra say takes no search.
        assert record["seconds"] < 5 or not record["name"].startswith("contract_"), record["name"]
