"""`python -m tests.access.measure [--json] [name...]`: the verdicts on our kernels, and their cost.

The truth is that of the kernels' comments, which executions on the CPU bear out. A verdict that
contradicts it, or a counterexample that does not happen there, makes the exit status 1.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from symcute.access.checking import check
from symcute.access.finding import Finding, verdict_of
from tests.access.cases import Case, cases
from tests.access.confirm import confirmed
from tests.access.replay import kernel_of, setting_of


@dataclass(frozen=True)
class Outcome:
    """What was said of a kernel, in how many seconds."""

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
        ]

    def unconfirmed(self) -> list[str]:
        """Counterexamples that an execution on the CPU does not show."""
        return [
            f"{self.case.label} {f}"
            for f in self.findings
            if f.property in self.case.truth
            and f.status == "refuted"
            and confirmed(self.case, f) is False
        ]

    def open(self) -> dict[str, str]:
        """Why something was left open, by property."""
        return {
            f.property: f"{f.place.line}: {f.reason or f.text}"
            for f in self.findings
            if self.verdicts.get(f.property) == "unknown" and f.status == "unknown"
        }


@cache
def outcome(case: Case) -> Outcome:
    """Decide the properties of a kernel."""
    kernel, setting = kernel_of(case), setting_of(case)
    begin = time.monotonic()
    findings = check(kernel, setting, tuple(case.truth))
    return Outcome(case, tuple(findings), time.monotonic() - begin)


def main(words: Sequence[str]) -> int:
    """Decide all kernels, or those named, and print what came of it."""
    names = [w for w in words if not w.startswith("-")]
    chosen = [c for c in cases() if not names or {c.name, c.label, c.file.stem} & {*names}]
    if not chosen:
        print(f"no kernel is called {', '.join(names)}", file=sys.stderr)
        return 2
    outcomes = []
    for case in chosen:
        found = outcome(case)
        outcomes.append(found)
        if "--json" not in words:
            marks = {"proved": "+", "refuted": "-", "unknown": "?"}
            line = " ".join(f"{name}{marks[v]}" for name, v in found.verdicts.items())
            print(f"{case.label:42} {found.seconds:6.2f} s  {line}", flush=True)
            for name, why in found.open().items():
                print(f"{'':42} ? {name}: {why[:150]}")
            for what in found.contradictions() + found.unconfirmed():
                print(f"!!! {what}", flush=True)
    pairs = [(o, name, v) for o in outcomes for name, v in o.verdicts.items()]
    decided = [v for _, _, v in pairs if v != "unknown"]
    times = sorted(o.seconds for o in outcomes)
    wrong = [what for o in outcomes for what in o.contradictions() + o.unconfirmed()]
    summary = {
        "kernels": len(outcomes), "pairs": len(pairs), "decided": len(decided),
        "share": round(len(decided) / max(len(pairs), 1), 4), "wrong": wrong,
        "median_s": round(times[len(times) // 2], 3),
        "p95_s": round(times[min(len(times) - 1, len(times) * 95 // 100)], 3),
        "longest_s": round(times[-1], 3),
    }  # fmt: skip
    if "--json" in words:
        rows = [{"kernel": o.case.label, "seconds": round(o.seconds, 3), "verdicts": o.verdicts,
                 "open": o.open()} for o in outcomes]  # fmt: skip
        print(json.dumps({**summary, "rows": rows}, indent=1))
    else:
        print(summary)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
