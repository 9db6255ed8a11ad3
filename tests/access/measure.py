"""`python -m tests.access.measure [name...]`: the verdicts on our kernels, and their cost.

The truth is that of the kernels' comments, which executions on the CPU bear out. A verdict that
contradicts it, or a counterexample that does not happen there, makes the exit status 1. Each kernel
is decided in a process of its own, forked when its source has been read, so that its CPU time is
that of the solvers too.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from symcute.kernel.checking import check
from symcute.kernel.findings import Finding, verdict_of
from symcute.solve.solvers.pool import default_pool
from tests.access.cases import Case, cases
from tests.access.confirm import confirmed
from tests.access.replay import kernel_of, setting_of

ROOT = Path(__file__).resolve().parents[2]
#: The work is counted; the clock says nothing on a machine that is busy.
SECONDS = 3600


@dataclass(frozen=True)
class Outcome:
    """What was said of a kernel."""

    case: Case
    findings: tuple[Finding, ...]

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
            f.property: f"{f.place.line}: {f.reason or f.text}".replace(f"{ROOT}/", "")
            for f in self.findings
            if self.verdicts.get(f.property) == "unknown" and f.status == "unknown"
        }


@cache
def outcome(case: Case) -> Outcome:
    """Decide the properties of a kernel."""
    return Outcome(case, tuple(check(kernel_of(case), setting_of(case), tuple(case.truth))))


def decided(case: Case) -> dict[str, Any]:
    """Return what is said of a kernel, by a process of its own."""
    kernel_of(case), setting_of(case)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        with os.fdopen(write, "w") as pipe:
            json.dump(_said(case), pipe)
        default_pool().close()
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    _, _, used = os.wait4(child, 0)
    return {
        "kernel": case.label, "cpu_s": round(used.ru_utime + used.ru_stime, 3),
        "truth": dict(case.truth), **json.loads(text),
    }  # fmt: skip


def _said(case: Case) -> dict[str, Any]:
    try:
        said = check(kernel_of(case), setting_of(case), tuple(case.truth), timeout=SECONDS)
        found = Outcome(case, tuple(said))
        wrong = found.contradictions() + found.unconfirmed()
        return {"verdicts": found.verdicts, "open": found.open(), "wrong": wrong}
    except Exception:  # a kernel that stops us is a wrong one, and the others are decided
        return {"verdicts": {}, "open": {}, "wrong": [traceback.format_exc()]}


MARKS = {"proved": "+", "refuted": "-", "unknown": "?", "not applicable": "="}


def summary(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return how much was decided, how much of it is wrong, and in what time."""
    verdicts = [v for r in rows for v in r["verdicts"].values()]
    times = sorted(r["cpu_s"] for r in rows)
    decided = len(verdicts) - verdicts.count("unknown")
    return {
        "kernels": len(rows),
        "pairs": len(verdicts),
        "decided": decided,
        "share": round(decided / max(len(verdicts), 1), 4),
        "wrong": [what for r in rows for what in r["wrong"]],
        "median_cpu_s": round(times[len(times) // 2], 3),
        "p95_cpu_s": round(times[min(len(times) - 1, len(times) * 95 // 100)], 3),
        "longest_cpu_s": round(times[-1], 3),
    }


def record(
    rows: Sequence[Mapping[str, Any]], path: Path, before: Mapping[str, Any] | None = None
) -> None:
    """Write all as JSON, and beside it the table, compared with an earlier run."""
    about = {
        "cores": os.cpu_count(),
        "load": " ".join(f"{x:.1f}" for x in os.getloadavg()),
        **{name: version(name) for name in ("z3-solver", "cvc5", "libclang")},
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    found = {**about, **summary(rows), "rows": rows}
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    path.with_suffix(".md").write_text(report(found, before), encoding="utf-8")


def report(found: Mapping[str, Any], before: Mapping[str, Any] | None = None) -> str:
    """Return the table of a run that was written down, compared with an earlier one."""
    names = ("cores", "load", "z3-solver", "cvc5", "libclang")
    lines = [
        "# The properties of our kernels",
        "",
        "`python -m tests.access.measure --out FILE.json --before THEN.json`: every kernel of",
        "`tests/access/kernels/`, right ones and their false neighbours, with symbolic sizes. The",
        "truth is what executions of the same source, compiled by g++, show.",
        "",
        *(f"- {k}: {found[k]}" for k in names),
        f"- decided: {found['decided']} of {found['pairs']} (kernel, property) pairs of "
        f"{found['kernels']} kernels, {100 * found['share']:.1f} %; wrong: {len(found['wrong'])}",
        f"- seconds of the CPU a kernel, solvers included: median {found['median_cpu_s']}, 95 % "
        f"{found['p95_cpu_s']}, longest {found['longest_cpu_s']}",
        "",
    ]
    then = {r["kernel"]: r for r in before["rows"]} if before else {}
    if then:
        both = [r for r in found["rows"] if r["kernel"] in then]
        lines += [f"The {len(both)} kernels that an earlier run had:", ""]
        lines += [
            "| run | verdicts | decided | share | median CPU s |",
            "|---|---:|---:|---:|---:|",
        ]
        for when, some in (("before", [then[r["kernel"]] for r in both]), ("now", both)):
            every = [v for r in some for v in r["verdicts"].values()]
            known = len(every) - every.count("unknown")
            middle = sorted(r["cpu_s"] for r in some)[len(some) // 2]
            share = f"{100 * known / max(len(every), 1):.1f}"
            lines.append(f"| {when} | {len(every)} | {known} | {share} % | {middle:.3f} |")
        lines.append("")
    lines += [
        "+ proved, - refuted by an execution, ? unknown, = nothing to prove.",
        "",
        "| kernel | CPU s | verdicts | before |",
        "|---|---:|---|---|",
    ]
    for r in found["rows"]:
        earlier = then.get(r["kernel"], {}).get("verdicts", r["verdicts"])
        said = " ".join(f"{name}{MARKS[v]}" for name, v in r["verdicts"].items())
        changed = (f"{n}{MARKS[v]}" for n, v in earlier.items() if r["verdicts"].get(n) != v)
        lines.append(f"| {r['kernel']} | {r['cpu_s']:.2f} | {said} | {' '.join(changed)} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Decide all kernels, or those named, and print what came of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.access.measure", description=__doc__)
    parser.add_argument("names", nargs="*", help="kernels, or files without .cu (default: all)")
    parser.add_argument(
        "--out", type=Path, metavar="FILE.json", help="write it, and a table beside"
    )
    parser.add_argument("--before", type=Path, help="an earlier run to compare with")
    arguments = parser.parse_args()
    names = {*arguments.names}
    chosen = [c for c in cases() if not names or {c.name, c.label, c.file.stem} & names]
    if not chosen:
        print(f"no kernel is called {', '.join(names)}", file=sys.stderr)
        return 2
    rows = []
    for case in chosen:
        row = decided(case)
        rows.append(row)
        line = " ".join(f"{name}{MARKS[v]}" for name, v in row["verdicts"].items())
        print(f"{case.label:42} {row['cpu_s']:6.2f} s  {line}", flush=True)
        for name, why in row["open"].items():
            print(f"{'':42} ? {name}: {why[:150]}")
        for what in row["wrong"]:
            print(f"!!! {what}", flush=True)
    if arguments.out:
        before = json.loads(arguments.before.read_text()) if arguments.before else None
        record(rows, arguments.out, before)
    total = summary(rows)
    print(total)
    return 1 if total["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
