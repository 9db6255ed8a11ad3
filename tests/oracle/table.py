"""The long comparison: thousands of generated cases for every operation, as a table.

    python -m tests.oracle.table --cases 2000 --out reports/oracle/table.json

writes the JSON and a Markdown table of the same name.  Answers of the C++ oracle are kept in
`--kept`, so that a run that was stopped goes on where it was; `--seconds` stops one, and rows of
operations not reached yet are left out.  When operations are named, their rows take the place of
those that the JSON has, whose others are kept.  Swizzled layouts have a table of their own:

    python -m tests.oracle.table --cases 70 --out reports/oracle/swizzled.json swizzled
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

from . import cpp, dsl
from .cases import GENERATORS
from .compare import FINE, STYLES, WRONG, differences
from .operations import CPP_ONLY, DSL_TOO, OPERATIONS, Operation
from .swizzled import SWIZZLED

CHUNK = 300
EXAMPLES = 5
BY_DSL = (*GENERATORS, *DSL_TOO)
EVERY: dict[str, Operation] = {**OPERATIONS, **SWIZZLED}
#: What only C++ offers, and what the DSL prints in a style of its own.
BY_CPP = (*(op for op in CPP_ONLY if op not in DSL_TOO), *STYLES)


def row(operation: Operation, oracle: str, outcomes: list[tuple[str, str]]) -> dict[str, Any]:
    """One line of the table."""
    counts = Counter(kind for kind, _ in outcomes)
    return {
        "operation": operation.name,
        "oracle": oracle,
        "cases": len(outcomes),
        "counts": {kind: counts[kind] for kind in (*FINE, *WRONG)},
        "examples": differences(outcomes)[:EXAMPLES],
    }


def by_dsl(operation: Operation, count: int) -> dict[str, Any]:
    """The operation's row from the CuTe DSL."""
    arguments = operation.cases(count)
    answers = dsl.ask([operation.request(args) for args in arguments])
    return row(operation, "DSL", list(map(operation.judged_by_dsl, arguments, answers)))


def by_cpp(operation: Operation, count: int, kept: Path, until: float) -> dict[str, Any]:
    """The operation's row from the C++ headers, cut short when the time is up."""
    outcomes: list[tuple[str, str]] = []
    arguments = operation.cases(count)
    for start in range(0, len(arguments), CHUNK):
        chunk = arguments[start : start + CHUNK]
        calls = [operation.cpp(*args) for args in chunk]
        if time.monotonic() > until and not cpp.all_kept(calls, kept):
            break
        doubtful = [c for args, c in zip(chunk, calls, strict=True) if operation.refuses(args)]
        answers = cpp.ask(calls, kept, doubtful)
        outcomes += map(operation.judged, chunk, answers)
    return row(operation, "C++", outcomes)


def markdown(rows: list[dict[str, Any]]) -> str:
    """The rows as a Markdown table, and the examples of differences."""
    kinds = (*FINE, *WRONG)
    lines = [
        "# symcute and NVIDIA's CuTe, case by case",
        "",
        "Every operation on generated static arguments: the text that symcute prints against that",
        "of CuTe DSL 4.8.1 or of the C++ headers of CUTLASS 4.2 compiled by g++, both judged by",
        "the operation's own promise, checked coordinate by coordinate. Written by",
        "`python -m tests.oracle.table`.",
        "",
        "- *same text*: letter by letter.",
        "- *same map*: right on both sides, in the DSL's style of printing; symcute prints as C++.",
        "- *both refuse*: an error on both sides.",
        "- *refused, NVIDIA wrong*: NVIDIA's result breaks the promise, symcute raises.",
        "- *right, NVIDIA not*: NVIDIA refuses, crashes or breaks the promise, symcute keeps it.",
        "- *beyond the end*: the same text, wrong only beyond the layout's domain.",
        "- Rows with a bracket are of swizzles and swizzled layouts (`tests/oracle/swizzled.py`).",
        "- The last four columns are differences.",
        "",
        "| operation | oracle | cases | " + " | ".join(kinds) + " |",
        "| --- | --- | ---: |" + " ---: |" * len(kinds),
    ]
    for entry in rows:
        cells = " | ".join(str(entry["counts"][kind]) for kind in kinds)
        lines.append(f"| {entry['operation']} | {entry['oracle']} | {entry['cases']} | {cells} |")
    totals = Counter[str]()
    for entry in rows:
        totals.update(entry["counts"])
    cells = " | ".join(str(totals[kind]) for kind in kinds)
    lines += [f"| **all** | | {sum(e['cases'] for e in rows)} | {cells} |", ""]
    examples = [example for entry in rows for example in entry["examples"]]
    if examples:
        lines += ["## Differences, the shortest of each operation", ""]
        lines += [f"- `{example}`" for example in examples]
        lines.append("")
    return "\n".join(lines)


def write(rows: list[dict[str, Any]], out: Path) -> None:
    """Write the JSON and the Markdown table."""
    out.parent.mkdir(parents=True, exist_ok=True)
    out.with_suffix(".json").write_text(json.dumps(rows, indent=1) + "\n")
    out.with_suffix(".md").write_text(markdown(rows))


def merged(before: list[dict[str, Any]], rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of both, the later ones in the place of the same of the earlier ones."""
    found = {(entry["operation"], entry["oracle"]): entry for entry in (*before, *rows)}
    return list(found.values())


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle.table", description=__doc__)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--out", type=Path, default=Path("reports/oracle/table.json"))
    parser.add_argument("--kept", type=Path, default=Path("/tmp/symcute-oracle-answers.jsonl"))
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("operations", nargs="*", help="all when none is named")
    given = parser.parse_args()
    until = time.monotonic() + given.seconds
    before = json.loads(given.out.read_text()) if given.operations and given.out.exists() else []
    rows: list[dict[str, Any]] = []
    offers = [*((op, "DSL") for op in BY_DSL), *((op, "C++") for op in (*BY_CPP, *SWIZZLED))]
    groups = {"swizzled": SWIZZLED}
    wanted = {op for name in given.operations for op in groups.get(name, (name,))}
    for name, offered in offers:
        if name not in (wanted or OPERATIONS):
            continue
        operation = EVERY[name]
        if offered == "DSL":
            rows.append(by_dsl(operation, given.cases))
        else:
            rows.append(by_cpp(operation, given.cases, given.kept, until))
        print(name, rows[-1]["oracle"], rows[-1]["cases"], rows[-1]["counts"], flush=True)
        write(merged(before, [entry for entry in rows if entry["cases"]]), given.out)


if __name__ == "__main__":
    main()
