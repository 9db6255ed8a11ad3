"""Hard index arithmetic in kernels: what is decided, what of it is wrong, in how much CPU time.

    python -m benchmarks.hard                                  # all families, some minutes
    python -m benchmarks.hard tables --json reports/bench/hard.json
    python -m benchmarks.hard --json NOW.json --before THEN.json   # both in one table

The kernels are those of `tests/access/kernels/` in the files `radix_*`, `loops_*` and `tables`,
right ones and false neighbours; their truth is what executions show. Each is decided in a process
of its own, forked when its source has been read, so that its CPU time is that of the solvers too.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from tests.access.cases import cases
from tests.access.measure import MARKS, decided


def totals(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return how much is decided, and of what is false how much is refuted."""
    asked = sum(len(r["truth"]) for r in rows)
    known = sum(v != "unknown" for r in rows for v in r["verdicts"].values())
    false = [r["verdicts"].get(n) for r in rows for n, true in r["truth"].items() if not true]
    times = [r["cpu_s"] for r in rows]
    return {
        "kernels": len(rows),
        "verdicts": asked,
        "decided": known,
        "share": round(100 * known / asked, 1),
        "false": len(false),
        "refuted": round(100 * false.count("refuted") / max(len(false), 1), 1),
        "wrong": sum(len(r["wrong"]) for r in rows),
        "median_cpu_s": round(median(times), 2),
        "p95_cpu_s": round(quantiles([*times, *times], n=20)[-1], 2),
        "longest_cpu_s": round(max(times), 2),
    }


COLUMNS = ("kernels", "verdicts", "share", "false", "refuted", "wrong", "median_cpu_s",
           "p95_cpu_s", "longest_cpu_s")  # fmt: skip


def cause(reason: str) -> str:
    """Return why something is open, without what is of one kernel alone.

    >>> cause("12: z3 and cvc5: the work limit of 1,500 was reached")
    'the work limit was reached, of z3 and cvc5'
    """
    text = reason.partition(": ")[2]
    if text.endswith("was reached"):
        return "the work limit was reached" + ", of z3 and cvc5" * text.startswith("z3")
    text = re.sub(r"it rests on .* which may wrap", "it rests on arithmetic that may wrap", text)
    return re.sub(r" \([^()]*=[^()]*\)", "", text)


def causes(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the table of what is open, by cause, the most frequent first."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for r in rows:
        for name, reason in r["open"].items():
            found[name, cause(reason)].append(r["kernel"].partition(".")[2])
    yield from ("| open | why | verdicts | kernels |", "|---|---|---:|---|")
    for (name, why), kernels in sorted(found.items(), key=lambda x: (-len(x[1]), x[0])):
        yield f"| {name} | {why} | {len(kernels)} | {', '.join(kernels)} |"


def report(rows: Sequence[dict[str, Any]], before: Sequence[dict[str, Any]]) -> str:
    """Return the tables as Markdown: by families, and kernel by kernel."""
    runs = [(when, found) for when, found in (("before", before), ("now", rows)) if found]
    lines = [
        "# Hard index arithmetic in kernels", "",
        "`python -m benchmarks.hard --json FILE.json`: chains of quotients and remainders, strides",
        "that halve, pipelines, tile loops and given tables, right ones and false neighbours. The",
        "truth is what executions of the same source, compiled by g++, show. `share` is the",
        "percentage of the verdicts that are decided, `refuted` that of the false ones; seconds of",
        "the CPU are those of the whole process, solvers included.", "",
        f"Run were {len(rows)} of the {sum(c.hard for c in cases())} kernels.", "",
        "| family | run | " + " | ".join(COLUMNS) + " |",
        "|---|---|" + "---:|" * len(COLUMNS),
    ]  # fmt: skip
    families = sorted({r["kernel"].split(".")[0] for r in rows})
    for family in ["", *families]:
        for when, found in runs:
            some = [r for r in found if r["kernel"].startswith(f"{family}." if family else "")]
            if some:
                total = totals(some)
                cells = " | ".join(str(total[c]) for c in COLUMNS)
                lines.append(f"| {family or '**all**'} | {when} | {cells} |")
    earlier = {r["kernel"]: r for r in before}
    lines += ["", "## What is open", "", *causes(rows), "", "## Kernel by kernel"]
    lines += ["", "+ proved, - refuted by an execution, ? unknown, = nothing to prove.", ""]
    lines += ["| kernel | CPU s | verdicts | before |", "|---|---:|---|---|"]
    for r in rows:
        then = earlier.get(r["kernel"])
        marks = [" ".join(f"{n}{MARKS[v]}" for n, v in r["verdicts"].items())]
        changed = (
            [f"{n}{MARKS[v]}" for n, v in then["verdicts"].items() if r["verdicts"].get(n) != v]
            if then
            else []
        )
        lines.append(f"| {r['kernel']} | {r['cpu_s']:.2f} | {marks[0]} | {' '.join(changed)} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Decide the kernels that are named, or all, and write what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="kernels or files (default: all)")
    parser.add_argument("--json", type=Path, help="write it, and the table beside")
    parser.add_argument("--before", type=Path, help="an earlier run to compare with")
    options = parser.parse_args()
    hard = [c for c in cases() if c.hard]
    wanted = {*options.names}
    rows: list[dict[str, Any]] = []
    why: dict[str, int] = defaultdict(int)
    for case in hard:
        if wanted and not {case.name, case.label, case.file.stem} & wanted:
            continue
        row = decided(case)
        rows.append(row)
        line = " ".join(f"{n}{MARKS[v]}" for n, v in row["verdicts"].items())
        print(f"{case.label:46} {row['cpu_s']:6.2f} s  {line}", flush=True)
        for name, reason in row["open"].items():
            why[name] += 1
            print(f"{'':46} ? {name}{'' if case.truth[name] else ' (false)'}: {reason[:170]}")
        for what in row["wrong"]:
            print(f"!!! {what}", flush=True)
        if options.json:
            about = {"cores": os.cpu_count(), "total": totals(rows), "rows": rows}
            options.json.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    before = json.loads(options.before.read_text())["rows"] if options.before else []
    if options.json:
        options.json.with_suffix(".md").write_text(report(rows, before), encoding="utf-8")
    print(totals(rows), dict(why))
    return 1 if any(r["wrong"] for r in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
