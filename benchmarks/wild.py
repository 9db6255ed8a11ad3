"""What `symcute check` says of the CUDA files of repositories that have never heard of symcute.

    python benchmarks/wild.py FOLDER... --out reports/bench/wild

Every file with `__global__` is read and checked by a process of its own, which may take so much CPU
time; what is said of it is kept in `OUT.json` at once, so that a run that was stopped goes on where
it was. `OUT.md` has the counts. A folder is a work tree: its commit is asked of git, or stands in a
file `.commit` in it.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from symcute.errors import SymcuteError
from symcute.frontends import for_file
from symcute.kernel.ir.inside import every
from symcute.kernel.ir.program import NotUnderstood

SUFFIXES = (".cu", ".cuh", ".h", ".hpp")
#: What names in a reason are replaced by, so that causes can be counted.
NAME = re.compile(r"'[^']*'|\b(?:line )?\d+\b")
DECIDED = ("proved", "refuted")


def sources(folder: Path) -> list[Path]:
    """Return the files of a folder that speak of kernels."""
    files = (p for p in sorted(folder.rglob("*")) if p.suffix in SUFFIXES and p.is_file())
    return [p for p in files if "__global__" in p.read_text(encoding="utf-8", errors="replace")]


def commit(folder: Path) -> str:
    """Return which repository a folder is, and at which commit."""
    held = folder / ".commit"
    if held.exists():
        return held.read_text(encoding="utf-8").strip()
    asked = ["git", "-C", str(folder), "rev-parse", "HEAD"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    return f"{folder.name} {done.stdout.strip() or 'unknown'}"


def read(file: Path, include: Sequence[str]) -> dict[str, Any]:
    """Return which kernels a file has and what in each is not understood, or why it is not read."""
    try:
        source = for_file(file).read(file, include_dirs=include)
    except SymcuteError as error:
        return {"read": False, "reason": error.what}
    kernels = {
        name: sorted({s.reason for s in every(k.body) if isinstance(s, NotUnderstood)})
        for name, k in source.kernels.items()
    }
    return {"read": True, "missing": list(source.missing), "kernels": kernels}


def alone(command: Sequence[str], seconds: int) -> tuple[str, float, str]:
    """Run a command with a limit of CPU time; return what it wrote, its CPU time, and its end."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, preexec_fn=limit,
            timeout=20 * seconds,
        )  # fmt: skip
        end = "" if done.returncode >= 0 else f"signal {-done.returncode}"
        written = done.stdout
    except subprocess.TimeoutExpired:
        written, end = "", "no answer"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return written, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, end


def measured(file: Path, args: argparse.Namespace) -> dict[str, Any]:
    """Return what is said of a file."""
    include = [a for folder in args.include for a in ("-I", folder)]
    own = [sys.executable, __file__, "--one", str(file), *include]
    written, cpu, end = alone(own, args.limit)
    said = json.loads(written) if written else {"read": False, "reason": end or "no answer"}
    said["cpu_read"] = round(cpu, 3)
    if said["read"] and not args.read:
        program = "from symcute.cli import main; main()"
        call = [sys.executable, "-c", program, "check", str(file), "--json", "--no-cache"]
        call += ["--jobs", "1", "--work", str(args.work), *include]
        written, cpu, end = alone(call, args.limit)
        told = json.loads(written) if written.startswith("{") else {}
        said["cpu"] = round(cpu, 3)
        said["end"] = end
        said["verdicts"] = {k["kernel"]: verdicts(k) for k in told.get("kernels", ())}
        said["errors"] = {e["where"]: e["what"] for e in told.get("errors", ())}
    return said


def verdicts(kernel: dict[str, Any]) -> dict[str, list[str]]:
    """Return the verdict on each property of a kernel, with the reason where it is unknown."""
    found: dict[str, list[str]] = {}
    for finding in kernel["findings"]:
        place = found.setdefault(finding["property"], [])
        unknown = finding["status"] == "unknown"
        place.append(f"unknown: {finding['message']}" if unknown else finding["status"])
    return found


def summary(outcomes: dict[str, dict[str, Any]], commits: dict[str, str]) -> str:
    """Return the counts as Markdown."""
    lines = ["# CUDA as it lies in repositories", "", "| repository | commit | files | read | "
             "kernels | read whole |", "|---|---|---:|---:|---:|---:|"]  # fmt: skip
    for folder, named in sorted(commits.items()):
        repository, _, at = named.partition(" ")
        here = [o for f, o in outcomes.items() if f.startswith(f"{folder}/")]
        lines.append(f"| {repository} | {at[:12]} | {row(here)} |")
    everything = list(outcomes.values())
    lines += [f"| all | | {row(everything)} |", ""]
    lines += table("Files that are not read", (o["reason"] for o in everything if not o["read"]))
    whys = (why for o in everything for k in o.get("kernels", {}).values() for why in k)
    lines += table("What is not understood, by kernels", whys)
    checked = [o for o in everything if "cpu" in o]
    if checked:
        lines += findings(checked)
    return "\n".join(lines) + "\n"


def row(outcomes: Sequence[dict[str, Any]]) -> str:
    """Return files, those read, kernels, and those in which all is understood."""
    read = sum(o["read"] for o in outcomes)
    kernels = [k for o in outcomes for k in o.get("kernels", {}).values()]
    return f"{len(outcomes)} | {read} | {len(kernels)} | {sum(not k for k in kernels)}"


def findings(checked: Sequence[dict[str, Any]]) -> list[str]:
    """Return what was decided, at which cost, and why not."""
    said = [v for o in checked for k in o["verdicts"].values() for p in k.values() for v in p]
    decided = sum(v in DECIDED for v in said)
    asked = decided + sum(v.startswith("unknown") for v in said)
    cost = sorted(o["cpu"] / max(1, len(o["kernels"])) for o in checked)
    lines = [
        f"Properties decided: {decided} of {asked}. CPU seconds a kernel: median "
        f"{cost[len(cost) // 2]:.2f}, longest {cost[-1]:.1f}.",
        "",
    ]
    lines += table("Why it is unknown", (v for v in said if v.startswith("unknown")))
    lines += table("Not checked", (e for o in checked for e in o["errors"].values()))
    return lines


def table(title: str, reasons: Iterable[str]) -> list[str]:
    """Return reasons with their counts, the most frequent first."""
    counts = Counter(NAME.sub("_", r.split(";")[0]) for r in reasons)
    if not counts:
        return []
    head = [f"## {title}", "", "| n | why |", "|---:|---|"]
    return [*head, *(f"| {n} | {why} |" for why, n in counts.most_common(60)), ""]


def main() -> None:
    """Run the benchmark, or read one file for it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("-I", "--include", action="append", default=[], help="a folder of headers")
    parser.add_argument("--out", type=Path, default=Path("reports/bench/wild"))
    parser.add_argument("--limit", type=int, default=120, help="CPU seconds of a file")
    parser.add_argument("--work", type=int, default=25_000, help="work limit of a kernel")
    parser.add_argument("--read", action="store_true", help="read the files, and check nothing")
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        print(json.dumps(read(args.one, args.include)))
        return
    kept = args.out.with_suffix(".json")
    outcomes = json.loads(kept.read_text())["files"] if kept.exists() else {}
    commits: dict[str, str] = {f.name: commit(f) for f in args.folders}
    for folder in args.folders:
        for file in sources(folder):
            name = f"{folder.name}/{file.relative_to(folder).as_posix()}"
            if name in outcomes and ("cpu" in outcomes[name] or args.read):
                continue
            outcomes[name] = measured(file, args)
            kept.write_text(json.dumps({"commits": commits, "files": outcomes}, indent=1) + "\n")
    args.out.with_suffix(".md").write_text(summary(outcomes, commits), encoding="utf-8")


if __name__ == "__main__":
    main()
