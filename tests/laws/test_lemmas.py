"""The lemmas as theorems: asked of two solvers, cited by their induction, not vacuous.

That each is proved, and by both, is seen where the whole library is proved: `e2e/test_proofs.py`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from symcute import prove
from symcute.claims import Holds, PrintsAs
from symcute.expr.formula import Formula, not_
from symcute.layout.layout import Layout
from symcute.prover import each
from symcute.prover.each import by_each
from symcute.prover.theorems import Theorem, find, run, theorem
from symcute.solve import solvers
from symcute.solve.solvers import Answer

LEMMAS = Path(__file__).parents[2] / "proofs" / "lemmas"
FILES = sorted(LEMMAS.glob("*.py"))
FOUND = find([LEMMAS])
PROVED = [t for t in FOUND if t.expected == "proved"]
BOTH = ("z3", "cvc5")
GIVEN = ["u >= 0", "u <= R", "d > R"]

#: A floor for each file: proved, and neighbours.
FLOORS = {
    "arithmetic": (8, 4),
    "bits": (12, 13),
    "bounds": (10, 7),
    "chain": (9, 6),
    "classes": (6, 5),
    "complement": (7, 6),
    "cover": (8, 5),
    "digits": (7, 6),
    "guard": (6, 4),
    "image": (8, 5),
    "inverse": (12, 9),
    "joined": (9, 7),
    "machine": (8, 6),
    "modulus": (9, 7),
    "places": (8, 9),
    "powers": (10, 7),
    "ranks": (8, 5),
    "residues": (13, 9),
    "rewriting": (8, 6),
    "rings": (8, 7),
    "rounding": (18, 11),
    "rounds": (13, 11),
    "swizzle": (7, 4),
}


def here(file: Path) -> list[Theorem]:
    return [t for t in FOUND if Path(t.file).name == file.name]


def docstring(file: Path) -> str:
    return ast.get_docstring(ast.parse(file.read_text())) or ""


def test_every_lemma_file_is_known() -> None:
    assert [f.stem for f in FILES] == sorted(FLOORS)


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_a_lemma_has_its_steps_and_its_neighbours(file: Path) -> None:
    proved, neighbours = FLOORS[file.stem]
    found = here(file)
    assert sum(t.expected == "proved" for t in found) >= proved
    assert sum(t.name.endswith("_neighbour") for t in found) >= neighbours
    assert all(t.name.endswith("_neighbour") == (t.expected == "refuted") for t in found)


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_the_induction_cites_every_step(file: Path) -> None:
    text = docstring(file)
    steps = {t.name for t in here(file) if t.expected == "proved"}
    assert not {name for name in steps if f"`{name}`" not in text}


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_the_induction_cites_theorems_that_exist(file: Path) -> None:
    cited = set(re.findall(r"`([a-z]{3,}(?:_[a-z0-9]+)+)`", docstring(file)))
    functions = {"ceil_div", "guarded_divide"}
    assert cited - functions <= {t.name for t in FOUND}


def test_every_step_asks_both_solvers() -> None:
    assert [t.name for t in PROVED if t.solvers != BOTH] == []


def premises(formula: Formula) -> Iterator[Formula]:
    if formula.op == "implies":
        yield formula.args[0]
    for x in formula.args:
        if isinstance(x, Formula):
            yield from premises(x)


@pytest.mark.parametrize("lemma", PROVED, ids=lambda t: t.name)
def test_no_premise_of_a_lemma_is_vacuous(lemma: Theorem) -> None:
    for claim in lemma.build():
        if isinstance(claim, Holds):
            for premise in premises(claim.formula):
                assert prove(not_(premise), list(lemma.given)).status == "refuted", str(premise)


def test_a_proof_rests_on_each_solver() -> None:
    verdict = by_each(prove("u < d", GIVEN), GIVEN, BOTH)
    assert verdict.status == "proved"
    assert verdict.how.endswith(" + smt: z3 + smt: cvc5")
    assert {f"{name} {solvers.version(name)}" for name in BOTH} <= set(verdict.rests_on)


def test_without_solvers_a_verdict_stays() -> None:
    verdict = prove("u < d", GIVEN)
    assert by_each(verdict, GIVEN, ()) == verdict


def test_what_is_refuted_stays_so() -> None:
    verdict = prove("d < u", GIVEN)
    assert by_each(verdict, GIVEN, BOTH) is verdict


def test_a_solver_that_is_not_installed_makes_it_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    real = solvers.pool.available
    monkeypatch.setattr(solvers.pool, "available", lambda s: s != "cvc5" and real(s))
    verdict = by_each(prove("u < d", GIVEN), GIVEN, BOTH)
    assert verdict.status == "unknown"
    assert verdict.reason == (
        "cvc5 was to prove it too: solver cvc5 is not installed; "
        'install it with: pip install "symcute[cvc5]"'
    )
    assert verdict.rests_on == () and verdict.certificate is None


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (
            Answer("unknown", reason="the work limit of 10,000 was reached", solver="cvc5"),
            "cvc5 was to prove it too: the work limit of 10,000 was reached",
        ),
        (Answer("sat", {"u": 0}, solver="cvc5"), "cvc5 contradicts the proof; please report it"),
    ],
    ids=["unknown", "sat"],
)
def test_a_solver_that_does_not_prove_it_makes_it_unknown(
    answer: Answer, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    verdict = prove("u < d", GIVEN)
    monkeypatch.setattr(each.solvers, "solve", lambda *_, **__: answer)
    assert by_each(verdict, GIVEN, ["cvc5"]).status == "unknown"
    assert by_each(verdict, GIVEN, ["cvc5"]).reason == reason


def test_a_claim_without_a_query_is_unknown() -> None:
    verdict = by_each(prove(PrintsAs(Layout(4), "4:1")), (), ["z3"])
    assert verdict.reason == 'z3 cannot be asked: prints_as(4:1,"4:1") has no query'.replace(
        ",", ", "
    )


def test_a_theorem_names_its_solvers() -> None:
    @theorem(given=GIVEN, solvers=["cvc5"])
    def bounded() -> str:
        """What is at most R is below d."""
        return "u < d"

    assert bounded.solvers == ("cvc5",)
    assert bounded.to_json()["solvers"] == ["cvc5"]
    result = run(bounded)
    assert result.status == "proved" and "smt: cvc5" in result.how
    assert f"cvc5 {solvers.version('cvc5')}" in result.rests_on
