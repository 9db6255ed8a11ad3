"""The symbolic comparison as a table.

    python -m tests.oracle.symbolic_table --cases 200 --out reports/oracle/symbolic.md

Every case is instantiated at 20 points; `--cpp-cases` of an operation are compiled as C++ too,
for integers that are known at run time only.  When operations are named, the other rows of the
JSON are kept.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

from symcute.errors import Undecided

from . import runtime
from .symbolic import POINTS, SYMBOLIC, SymbolicCase, symbolic_cases

COLUMNS = ("cases", "undecided", "differences", "in C++", "C++ refuses", "C++ differences")


def row(name: str, count: int, in_cpp: int) -> dict[str, Any]:
    """One line of the table."""
    counts = dict.fromkeys(COLUMNS, 0)
    examples: list[str] = []
    results: list[tuple[SymbolicCase, Any]] = []
    for case in symbolic_cases(name, count):
        counts["cases"] += 1
        try:
            result = case.result()
        except Undecided:
            counts["undecided"] += 1
            continue
        results.append((case, result))
        why = next((w for point in case.points if (w := case.difference(result, point))), "")
        if why:
            counts["differences"] += 1
            examples.append(f"{case} = {result}: {why}")
    usable = [(case, result) for case, result in results if runtime.usable(case)][:in_cpp]
    answers = runtime.ask([case for case, _ in usable])
    refusals = Counter[str]()
    for (case, result), answer in zip(usable, answers, strict=True):
        if isinstance(answer, str):
            counts["C++ refuses"] += 1
            refusals[answer] += 1
            continue
        counts["in C++"] += 1
        pairs = zip(case.points, answer, strict=True)
        found = [w for p, text in pairs if (w := runtime.difference(case, result, p, text))]
        if found:
            counts["C++ differences"] += 1
            examples.append(found[0])
    return {
        "operation": name,
        "points": POINTS,
        "counts": counts,
        "refusals": dict(refusals.most_common()),
        "examples": examples[:5],
    }


def markdown(rows: list[dict[str, Any]]) -> str:
    """The rows as a Markdown table."""
    lines = [
        "# Symbolic results, point by point",
        "",
        f"Every case has one to three dims and is instantiated at {POINTS} points that meet its",
        "assumptions; there the symbolic result must be the map of the static one. *In C++*: the",
        "same cases computed by CuTe's C++ headers on integers known at run time only, compared as",
        "maps; *C++ refuses*: CuTe does not compile, most often because it wants a leaf at compile",
        "time (the reasons are below). Written by `python -m tests.oracle.symbolic_table`.",
        "",
        "| operation | " + " | ".join(COLUMNS) + " |",
        "| --- |" + " ---: |" * len(COLUMNS),
    ]
    for entry in rows:
        cells = " | ".join(str(entry["counts"][column]) for column in COLUMNS)
        lines.append(f"| {entry['operation']} | {cells} |")
    totals = [str(sum(entry["counts"][column] for entry in rows)) for column in COLUMNS]
    lines += [f"| **all** | {' | '.join(totals)} |", ""]
    reasons: dict[str, list[str]] = {}
    for entry in rows:
        for why, times in entry["refusals"].items():
            reasons.setdefault(why, []).append(f"{entry['operation']} ({times})")
    if reasons:
        lines += ["## What CuTe says where it refuses", ""]
        lines += [f"- `{why}`: {', '.join(names)}." for why, names in sorted(reasons.items())]
        lines.append("")
    examples = [example for entry in rows for example in entry["examples"]]
    if examples:
        lines += ["## Differences", "", *(f"- `{example}`" for example in examples)]
    return "\n".join(lines).rstrip() + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle.symbolic_table")
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--cpp-cases", type=int, default=200)
    parser.add_argument("--out", type=Path, default=Path("reports/oracle/symbolic.md"))
    parser.add_argument("operations", nargs="*", help="all when none is named")
    given = parser.parse_args()
    given.out.parent.mkdir(parents=True, exist_ok=True)
    data = given.out.with_suffix(".json")
    known = json.loads(data.read_text()) if given.operations and data.exists() else []
    rows = {entry["operation"]: entry for entry in known}
    for name in given.operations or SYMBOLIC:
        rows[name] = row(name, given.cases, given.cpp_cases)
        print(name, rows[name]["counts"], flush=True)
        found = [rows[op] for op in SYMBOLIC if op in rows]
        data.write_text(json.dumps(found, indent=1) + "\n")
        given.out.with_suffix(".md").write_text(markdown(found))


if __name__ == "__main__":
    main()
