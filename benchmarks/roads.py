"""How many more kernels are read where clang's LLVM IR has what its syntax tree leaves open.

    python -m benchmarks.roads FOLDER... --files 12 --kernels 3 --seed 20

Of each repository so many files with `__global__` are drawn, as `benchmarks/wild.py` draws them,
and read by processes of their own: by the syntax tree alone, and as `symcute check` reads them
where no road is named. Kernels that are the same program on both are not asked about. Of the others
so many of a file, drawn as well, are checked on both. The table goes to `reports/bench/roads.md`.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.wild import DECIDED, checked, commit, cpu, decided, drawn, proved, sources, table
from symcute.errors import SymcuteError
from symcute.frontends import for_file
from symcute.kernel.ir.inside import every
from symcute.kernel.ir.program import Kernel, NotUnderstood
from symcute.kernel.launch.project import Request, each

ROOT = Path(__file__).parent.parent
ROADS = ("ast", "")
HEAD = (
    "repository", "commit", "files", "kernels, by the tree", "read whole", "kernels, by both",
    "read whole", "checked of those that differ", "with a launch or contract", "asked",
    "decided by the tree", "decided by both",
)  # fmt: skip


def one(file: Path, args: argparse.Namespace) -> dict[str, Any]:
    """Return what each road makes of a file, and what is said of kernels in which they differ."""
    said: dict[str, Any] = {"kernels": {}, "seconds": {}, "unread": {}, "checked": []}
    found: dict[str, dict[str, Kernel]] = {}
    for road in ROADS:
        begin = cpu()
        try:
            found[road] = for_file(file, road).read(file).kernels
        except SymcuteError as error:
            said["unread"][road], found[road] = error.what.replace(str(file), file.name), {}
        said["kernels"][road] = {t: reasons(k) for t, k in found[road].items()}
        said["seconds"][road] = round(cpu() - begin, 1)
    ast, both = (found[road] for road in ROADS)
    others = [t for t, k in both.items() if t not in ast or bare(ast[t]) != bare(k)]
    said["differ"] = len(others)
    request = Request(contract="quick", work=args.work, timeout=args.limit)
    for title in drawn(others, args.kernels, f"{args.seed}{file.name}"):
        pair: dict[str, Any] = {"kernel": title}
        for road in ROADS:
            tasks = list(each(found[road][title], request))[:1] if title in found[road] else []
            pair[road or "both"] = checked(tasks[0]) if tasks else None
        said["checked"].append(pair)
    return said


def bare(kernel: Kernel) -> Kernel:
    """Return a kernel without how it is launched."""
    return replace(kernel, families=(), granted=())


def reasons(kernel: Kernel) -> list[str]:
    """Return why a kernel is not read whole."""
    return sorted({s.reason for s in every(kernel.body) if isinstance(s, NotUnderstood)})


def measured(file: Path, args: argparse.Namespace) -> dict[str, Any]:
    """Return what is said of a file by a process of its own."""
    most = args.limit * (2 * args.kernels + 5)

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))

    own = [sys.executable, "-m", "benchmarks.roads", "--one", str(file), "--seed", args.seed]
    own += ["--kernels", str(args.kernels), "--work", str(args.work), "--limit", str(args.limit)]
    done = subprocess.run(
        own, capture_output=True, text=True, check=False, cwd=ROOT, preexec_fn=limit
    )
    if done.returncode:
        return {"end": f"ended with {done.returncode}: {done.stderr.strip()[-200:]}"}
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def summary(outcomes: dict[str, dict[str, Any]], commits: dict[str, str], args: Any) -> str:
    """Return the counts as Markdown."""
    lines = [
        "# Kernels that clang's LLVM IR adds to what its syntax tree has",
        "",
        f"`python -m benchmarks.roads FOLDER... --files {args.files} --kernels {args.kernels} "
        f"--seed {args.seed} --limit {args.limit}`, at commit {commit(ROOT).split()[-1][:7]}. "
        "Files are drawn; kernels of a",
        "file that are the same program on both roads are not checked, since the same is said of "
        "them. No notes were written. Not counted is a line that stands for the instances of a",
        "template beyond the first twelve.",
        "",
        f"| {' | '.join(HEAD)} |",
        "|---|---|" + "---:|" * (len(HEAD) - 2),
    ]
    for folder, named in sorted(commits.items()):
        name, _, at = named.partition(" ")
        here = [o for f, o in outcomes.items() if f.startswith(f"{folder}/")]
        lines.append(f"| {name} | {at[:12]} | {row(here)} |")
    lines += [f"| all | | {row(list(outcomes.values()))} |", ""]
    ends = [o["end"] for o in outcomes.values() if "end" in o]
    lines += table("Files that were not finished", ends)
    for road, title in zip(ROADS, ("by the syntax tree", "by both"), strict=True):
        good = list(read(outcomes.values()))
        whys = [why for o in good for k in o["kernels"][road].values() for why in k]
        lines += table(f"What is not understood {title}, by kernels", whys)
        unread = [o["unread"][road] for o in good if road in o["unread"]]
        lines += table(f"Files not read {title}", unread)
    lines += ["## Files", "", "| file | by the tree | by both | seconds |", "|---|---:|---:|---:|"]
    for file, o in outcomes.items():
        if "end" not in o:
            a, b = (f"{whole(o, road)} of {len(kernels(o, road))}" for road in ROADS)
            lines.append(f"| {file} | {a} | {b} | {o['seconds']['']} |")
    return "\n".join(lines) + "\n"


def read(outcomes: Any) -> Iterator[dict[str, Any]]:
    """Return the files that were finished."""
    return (o for o in outcomes if "end" not in o)


def kernels(outcome: dict[str, Any], road: str) -> list[list[str]]:
    """Return why each kernel of a file is not understood."""
    return [why for t, why in outcome["kernels"][road].items() if not t.endswith("<...>")]


def whole(outcome: dict[str, Any], road: str) -> int:
    """Return how many kernels of a file are understood."""
    return sum(not why for why in kernels(outcome, road))


def row(outcomes: Sequence[dict[str, Any]]) -> str:
    """Return the counts of files, as the head of the table has them."""
    good = list(read(outcomes))
    counts = [len(outcomes)]
    for road in ROADS:
        counts += [sum(len(kernels(o, road)) for o in good), sum(whole(o, road) for o in good)]
    pairs = [p for o in good for p in o["checked"] if p["both"]]
    both = [p["both"] for p in pairs]
    led = sum(bool(c["launch"] or decided(c, DECIDED[2:]) or proved(c)) for c in both)
    asked = sum(decided(c, (*DECIDED, "unknown")) for c in both)
    ast = sum(decided(p["ast"], DECIDED) for p in pairs if p["ast"])
    counts += [len(pairs), led, asked, ast, sum(decided(c, DECIDED) for c in both)]
    return " | ".join(map(str, counts))


def main() -> None:
    """Run the benchmark, or read and check one file for it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--out", type=Path, default=ROOT / "reports/bench/roads.md")
    parser.add_argument("--files", type=int, default=12, help="of a repository")
    parser.add_argument("--kernels", type=int, default=3, help="checked of a file")
    parser.add_argument("--seed", default="20", help="of what is drawn")
    parser.add_argument("--limit", type=int, default=20, help="seconds of a kernel")
    parser.add_argument("--work", type=int, default=10_000, help="work limit of a kernel")
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        print(json.dumps(one(args.one, args)))
        return
    outcomes: dict[str, dict[str, Any]] = {}
    for folder in args.folders:
        for file in drawn(sources(folder), args.files, args.seed + folder.name):
            name = f"{folder.name}/{file.relative_to(folder).as_posix()}"
            outcomes[name] = measured(file, args)
            print(name, outcomes[name].get("seconds", outcomes[name]), flush=True)
    commits = {f.name: commit(f) for f in args.folders}
    args.out.write_text(summary(outcomes, commits, args), encoding="utf-8")


if __name__ == "__main__":
    main()
