"""`python -m tests.access.counted [part] [of]`: verdicts, and the work that was counted for each.

A line of JSON for each kernel with a launch, each contract, each claim of the corpus; of all that
there is one part of so many.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from symcute.expr import limits
from symcute.kernel.checking import check
from symcute.kernel.contracts.contract import contract
from symcute.kernel.findings import verdict_of
from symcute.prover import prove
from tests.access.cases import Case, cases
from tests.access.replay import kernel_of, setting_of
from tests.access.test_contracts_judged import kernels
from tests.laws.test_corpus import RECORDS

#: Of the corpus of claims so many are taken as of kernels.
CLAIMS = 6


def jobs() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield names, and what decides each."""

    def launched(case: Case) -> Any:
        return verdict_of(check(kernel_of(case), setting_of(case)))

    def unlaunched(name: str) -> Any:
        found = contract(kernels()[name], quick=True)
        return [found.verdicts(), [c.text for c in found.conditions]]

    def claimed(record: dict[str, Any]) -> Any:
        found = prove(record["claim"], record["given"])
        return [found.status, found.how, found.counterexample]

    for case in cases():
        yield case.label, partial(launched, case)
    for name in kernels():
        yield name, partial(unlaunched, name)
    for k, record in enumerate(RECORDS[::CLAIMS]):
        yield f"claim {k * CLAIMS}", partial(claimed, record)


def main(part: int, of: int) -> None:
    """Print a line for each job of a part."""
    for name, job in list(jobs())[part::of]:
        with limits.budget(1e9) as work:
            found = job()
        print(json.dumps([name, found, work._done], default=str), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3] or (0, 1)))
