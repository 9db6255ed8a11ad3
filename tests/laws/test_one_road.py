"""What is proved of a claim is proved of a kernel that asks the same, but for what is listed.

Each claim of the corpus of index arithmetic that is made of relations is put to the tiers of
kernels as a sequent: its assumptions are hypotheses, and it is the goal. No solver is asked.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from symcute.claims import Holds
from symcute.claims.language import premises, read_claim
from symcute.errors import SymcuteError
from symcute.expr import limits
from symcute.expr.assumptions import Assumptions
from symcute.expr.node import Term
from symcute.expr.terms import at_most
from symcute.kernel.symexec.entry import truth_of
from symcute.solve.sequent import Sequent
from symcute.solve.tiers import quickly
from tests.full import many, some

FILE = Path(__file__).parents[2] / "benchmarks" / "corpus" / "arithmetic.jsonl"
#: What is asked for each: less than a question of a kernel may take in its second round.
WORK = 600


def sequent(record: dict[str, Any]) -> tuple[Sequent, Term] | None:
    """Return a claim as a sequent and its goal; None for one that is no relation of dims."""
    try:
        known = Assumptions.of(record["given"])
        stated, more = premises(record["claim"])
        known = Assumptions.of((known, *more))
        claim = read_claim(stated, given=known, whole=record["claim"])
    except SymcuteError:
        return None
    if not isinstance(claim, Holds):
        return None
    dims = claim.formula.dims() | known.dims()
    lowest = [at_most(known.lower_bound(d), d) for d in sorted(dims)]
    return Sequent([*map(truth_of, known.formulas), *lowest], dims), truth_of(claim.formula)


def test_what_claims_say_of_indices_the_tiers_of_kernels_prove() -> None:
    records = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    proved = open_ = 0
    for record in some(records, 12):
        asked = sequent(record)
        if asked is None:
            continue
        try:
            with limits.budget(WORK):
                status = quickly(*asked).status
        except limits.WorkLimit:
            status = "open"
        assert status != "proved" or record["holds"], record["claim"]
        assert status != "refuted" or not record["holds"], record["claim"]
        if record["holds"]:
            proved, open_ = proved + (status == "proved"), open_ + (status != "proved")
    assert proved >= max(many(10, 20) * open_, 5)  # of few claims the share says less
