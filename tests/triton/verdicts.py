"""`python -m tests.triton.verdicts [name...]`: verdicts on our Triton kernels, held to executions.

A verdict is wrong where it contradicts what executions show, or where the judge, at the sizes of
its counterexample, shows nothing of the kind.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import prod
from pathlib import Path
from typing import Any

from symcute.frontends.triton.compiler import LIMIT_S, Compiler
from symcute.frontends.triton.reading import program
from symcute.frontends.triton.source import Jitted, jitted
from symcute.kernel.checking import check
from symcute.kernel.findings import Example, Finding, verdict_of
from symcute.kernel.ir.verify import verified
from symcute.kernel.launch.notes import read_setting

from .cases import HOW, Case, Run, cases
from .executions import ask

#: A number in an array, as counterexamples name it.
_CELL = re.compile(r"(\w+)\[(\d+)\]$")
#: So many programs are run for a counterexample about all of them together.
MOST_PROGRAMS = 400


@dataclass(frozen=True)
class Outcome:
    """What was said of a kernel, in how many seconds of CPU."""

    case: Case
    findings: tuple[Finding, ...]
    seconds: float

    @property
    def verdicts(self) -> dict[str, str]:
        return dict(verdict_of(f for f in self.findings if f.property in self.case.truth))

    def contradictions(self) -> list[str]:
        """Verdicts that are not so."""
        wrong = {True: "refuted", False: "proved"}
        return [
            f"{self.case.label} {name} is {self.case.truth[name]} and {verdict}"
            for name, verdict in self.verdicts.items()
            if verdict == wrong[self.case.truth[name]]
            or (verdict == "not applicable" and not self.case.truth[name])
        ]

    def refuted(self) -> list[Finding]:
        return [f for f in self.findings if f.status == "refuted"
                and f.property in self.case.truth]  # fmt: skip

    def open(self) -> dict[str, str]:
        """Why something was left open, by property."""
        return {
            f.property: f"{f.place.line}: {f.reason or f.text}"
            for f in self.findings
            if self.verdicts.get(f.property) == "unknown" and f.status == "unknown"
        }


def ttir(chosen: Sequence[Case]) -> list[Any]:
    """What Triton makes of kernels, in their order; paths are left out."""
    compiler, found = Compiler(LIMIT_S), []
    try:
        for case in chosen:
            answer = compiler.ttir(_jitted(case.file)[case.name])
            text = re.sub(r'"/[^"]*/([^"/]+\.py)"', r'"\1"', answer.get("text", ""))
            found.append(answer | {"text": text})
    finally:
        compiler.close()
    return found


@cache
def _jitted(path: Path) -> dict[str, Jitted]:
    return {k.name: k for k in jitted(str(path), path.read_text(encoding="utf-8"))}


def outcome(case: Case, answer: Any) -> Outcome:
    """Decide the properties of a kernel, of which Triton makes this."""
    kernel = verified(program(_jitted(case.file)[case.name], answer))
    begin = time.process_time()
    findings = check(kernel, read_setting(kernel), tuple(case.truth))
    return Outcome(case, tuple(findings), time.process_time() - begin)


def question(case: Case, finding: Finding, how: str) -> str | None:
    """What the judge is asked about a counterexample; None where it would take too long.

    What the counterexample leaves open, arrays hold as `how` says.
    """
    example = finding.counterexample
    assert example is not None, finding
    assert case.admits(example.dims), f"{case.label} {finding} does not meet what is assumed"
    dims = {name: example.dims[name] for name in case.dims()}
    grid = case.launch(dims)
    programs: Any = None
    if finding.property not in ("covers", "implements"):
        programs = tuple(sorted(_who(example)))
    elif prod(grid) > MOST_PROGRAMS:
        return None
    cells: dict[str, dict[int, int]] = {}
    for name, value in example.values.items():
        if m := _CELL.match(name):
            cells.setdefault(m[1], {})[int(m[2])] = value
    return case.question(Run(dims, programs, cells, how))


def _who(example: Example) -> set[tuple[int, int, int]]:
    assert example.block is not None, example
    found = {example.block}
    if example.other is not None:
        found.add(example.other[0])
    return found


#: Triton's interpreter asks this of descriptors; what it does not execute shows nothing.
NOT_TAKEN = "block offset start must be 16-byte aligned"


def unconfirmed(outcomes: Sequence[Outcome]) -> list[str]:
    """Counterexamples that an execution does not show."""
    found = [(o, f, how) for o in outcomes for f in o.refuted() for how in HOW]
    asked = [(o, f, q) for o, f, how in found if (q := question(o.case, f, how)) is not None]
    shown = {f"{o.case.label} {f}": set[str]() for o, f, _ in asked}
    for (o, f, _), a in zip(asked, ask([q for _, _, q in asked]), strict=True):
        if NOT_TAKEN in a.get("failed", ""):
            shown.pop(f"{o.case.label} {f}", None)
        elif (faults := shown.get(f"{o.case.label} {f}")) is not None:
            faults |= {f.property} & set(a.get("faults", ()))
    return [what for what, faults in shown.items() if not faults]


def main(names: Sequence[str]) -> int:
    chosen = [c for c in cases() if not names or any(n in c.label for n in names)]
    marks = {"proved": "+", "refuted": "-", "unknown": "?", "not applicable": "="}
    outcomes: list[Outcome] = []
    for case, answer in zip(chosen, ttir(chosen), strict=True):
        outcomes.append(outcome(case, answer))
        said = " ".join(marks[v] + n for n, v in outcomes[-1].verdicts.items())
        print(f"{case.label} {outcomes[-1].seconds:.2f} s {said}", flush=True)
        for name, why in outcomes[-1].open().items():
            print(f"    {name}: {why}"[:240])
    verdicts = [v for o in outcomes for v in o.verdicts.values()]
    decided = len(verdicts) - verdicts.count("unknown")
    seconds = sorted(o.seconds for o in outcomes)
    print(f"{decided} of {len(verdicts)} decided; CPU: {sum(seconds):.1f} s in all, "
          f"median {seconds[len(seconds) // 2]:.2f} s, longest {seconds[-1]:.2f} s")  # fmt: skip
    wrong = [w for o in outcomes for w in o.contradictions()] + unconfirmed(outcomes)
    print("\n".join(wrong) or "none is wrong")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
