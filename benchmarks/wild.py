"""What `symcute check` says of the CUDA files of repositories that have never heard of symcute.

    python benchmarks/wild.py FOLDER... --files 6 --kernels 4 --seed 1 --out reports/bench/wild

Of each repository so many files with `__global__` are drawn, the same for the same seed; each is
read by a process of its own, every kernel in it is named, and so many of them, drawn as well, are
checked. What is said is kept in `OUT.json` as soon as a file is done; a run that was stopped goes
on where it was. `OUT.md` has the counts. A folder is a work tree: its commit is asked of git, or
stands in a file `.commit` in it, as does the release where it is a source distribution
(`vllm-project/vllm sdist 0.33.0`).
"""

from __future__ import annotations

import argparse
import atexit
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from symcute.errors import InternalError, SymcuteError
from symcute.frontends import for_file
from symcute.kernel.findings import GOOD, PROPERTIES, Finding, verdict_of
from symcute.kernel.ir.inside import every
from symcute.kernel.ir.program import NotUnderstood
from symcute.kernel.launch import project
from symcute.kernel.launch.project import Request, Task, each

SUFFIXES = (".cu", ".cuh", ".h", ".hpp")
#: What names in a reason are replaced by, so that causes can be counted.
NAME = re.compile(r"'[^']*'|\b(?:line )?\d+\b")
DECIDED = ("proved", "refuted", "proved under lines")
#: Ways to launch one kernel that are checked.
WAYS = 2
TICKS = os.sysconf("SC_CLK_TCK")


def sources(folder: Path) -> list[Path]:
    """Return the files of a folder that speak of kernels."""
    files = (p for p in sorted(folder.rglob("*")) if p.suffix in SUFFIXES and p.is_file())
    return [p for p in files if "__global__" in p.read_text(encoding="utf-8", errors="replace")]


def drawn(items: Sequence[Any], most: int, seed: str) -> list[Any]:
    """Return at most so many of the items, in their order, the same ones for the same seed."""
    if most <= 0 or len(items) <= most:
        return list(items)
    rng = random.Random(seed)  # noqa: S311
    return [items[i] for i in sorted(rng.sample(range(len(items)), most))]


def commit(folder: Path) -> str:
    """Return which repository a folder is, and at which commit."""
    held = folder / ".commit"
    if held.exists():
        return held.read_text(encoding="utf-8").strip()
    asked = ["git", "-C", str(folder), "rev-parse", "HEAD"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    return f"{folder.name} {done.stdout.strip() or 'unknown'}"


# --- one file, in a process of its own --------------------------------------------------------


def one(file: Path, args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Yield which kernels a file has, or why it is not read; then what is said of each."""
    begin = cpu()
    try:
        source = for_file(file).read(file, include_dirs=args.include, defines=macros(args.define))
    except SymcuteError as error:
        inside = "internal: " if isinstance(error, InternalError) else ""
        yield {"read": False, "reason": inside + error.what, "cpu_read": round(cpu() - begin, 3)}
        return
    kernels = {
        name: sorted({s.reason for s in every(k.body) if isinstance(s, NotUnderstood)})
        for name, k in source.kernels.items()
    }
    spent = round(cpu() - begin, 3)
    yield {"read": True, "missing": [*source.missing], "kernels": kernels, "cpu_read": spent}
    names = [] if args.read else drawn([*source.kernels], args.kernels, args.seed + file.name)
    names = [first(n, kernels) for n in names]
    request = Request(contract="quick", work=args.work)
    for name in names:
        for task in list(each(source.kernels[name], request))[:WAYS]:
            yield checked(task)


def macros(words: Iterable[str]) -> dict[str, str]:
    """Return macros by their names, as compilers take them: `NAME`, which is 1, or `NAME=VALUE`."""
    pairs = (word.partition("=") for word in words)
    return {name: value if sign else "1" for name, sign, value in pairs}


def first(name: str, kernels: Iterable[str]) -> str:
    """Return a kernel; of what stands for more instances of a template the first that is read."""
    before = name.removesuffix("...>")
    return next((k for k in kernels if k.startswith(before)), name) if before != name else name


def checked(task: Task) -> dict[str, Any]:
    """Return what is said of a kernel in one of the ways it is launched."""
    family, begin = task.family, cpu()
    said: dict[str, Any] = {"kernel": task.kernel.name, "line": task.kernel.place.line}
    said["launch"] = str(family.place) if family is not None and not family.trouble else ""
    said["trouble"] = family.trouble if family is not None else ""
    findings: Sequence[Finding] = ()
    contract = None
    try:
        findings, contract = project.checked(task)
    except SymcuteError as error:
        said["error"] = error.what
    except Exception as error:
        said["error"] = f"internal: {error!r}"
    said["cpu"] = round(cpu() - begin, 3)
    verdicts: dict[str, str] = dict(verdict_of(findings))
    if contract is not None:
        said["lines"] = [c.text for c in contract.conditions]
        for name, verdict in contract.verdicts().items():
            if verdict in GOOD and verdicts[name] == "unknown":
                # What there is nothing of under lines, as of one block, is well under these alone.
                lines = any(name in c.properties for c in contract.conditions)
                idle = verdict == "not applicable" and not lines
                verdicts[name] = verdict if idle else "proved under lines"
    if family is not None and family.avoided:
        # What is not known of launches of which a size is below 0 holds where it is not.
        said["lines"] = [family.avoided]
        held = {f.property for f in findings if f.holds_if == family.avoided}
        verdicts |= {p: "proved under lines" for p in held if verdicts[p] == "unknown"}
    if not findings:
        verdicts = dict.fromkeys((p for p in PROPERTIES if p not in SAID), "unknown")
    said["verdicts"] = verdicts
    said["unknown"] = {
        p: next((f.reason or f.text for f in findings if (f.property, f.status) == (p, "unknown")),
                said.get("error", "no condition was found"))
        for p, v in verdicts.items() if v == "unknown"
    }  # fmt: skip
    said["refuted"] = [
        f"{f} [{f.counterexample}]"
        for f in findings
        if verdicts[f.property] == f.status == "refuted"
    ]
    return said


#: Properties of what notes say of an array: without notes there is nothing to ask.
SAID = {"covers", "implements"}


def cpu() -> float:
    """Return the CPU seconds of this process and of all below it, those that run as well."""
    own, ended = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(RUSAGE_ENDED)
    total = own.ru_utime + own.ru_stime + ended.ru_utime + ended.ru_stime
    parents: dict[int, list[int]] = {}
    spent: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        number = int(stat.parent.name)
        parents.setdefault(int(fields[1]), []).append(number)
        spent[number] = sum(map(int, fields[11:15]))
    waiting = list(parents.get(os.getpid(), ()))
    while waiting:
        number = waiting.pop()
        total += spent[number] / TICKS
        waiting += parents.get(number, ())
    return total


RUSAGE_ENDED = resource.RUSAGE_CHILDREN


# --- all files --------------------------------------------------------------------------------


@cache
def compiled() -> dict[str, str]:
    """Return an environment in which symcute is loaded as where it is installed: compiled once."""
    kept = tempfile.mkdtemp(prefix="symcute-wild-")
    atexit.register(shutil.rmtree, kept, ignore_errors=True)
    env = {n: v for n, v in os.environ.items() if n != "PYTHONDONTWRITEBYTECODE"}
    env["PYTHONPYCACHEPREFIX"] = kept
    package = str(Path(__file__).parent.parent / "symcute")
    subprocess.run([sys.executable, "-m", "compileall", "-q", package], env=env, check=True)
    return env


def measured(file: Path, args: argparse.Namespace) -> dict[str, Any]:
    """Return what is said of a file, as far as the process came."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (args.limit, args.limit + 1))

    own = [sys.executable, __file__, "--one", str(file), "--kernels", str(args.kernels)]
    own += [
        "--seed",
        args.seed,
        "--work",
        str(args.work),
        *(a for folder in args.include for a in ("-I", folder)),
        *(a for word in args.define for a in ("-D", word)),
    ]
    own += ["--read"] if args.read else []
    end = ""
    try:
        done = subprocess.run(
            own, capture_output=True, text=True, check=False, preexec_fn=limit,
            timeout=20 * args.limit, env=compiled(),
        )  # fmt: skip
        written = done.stdout
        if done.returncode:
            end = f"ended with {done.returncode}: {done.stderr.strip()[-200:]}"
    except subprocess.TimeoutExpired as late:
        written, end = (late.stdout or b"").decode(), "no answer"
    lines = [json.loads(x) for x in written.splitlines() if x.endswith("}")]
    said = lines[0] if lines else {"read": False, "reason": end, "cpu_read": args.limit}
    return {**said, "checked": lines[1:], "end": end}


def summary(outcomes: dict[str, dict[str, Any]], commits: dict[str, str]) -> str:
    """Return the counts as Markdown."""
    head = "| repository | commit | files | read | kernels | read whole | checked | "
    head += "with a launch or contract | asked | decided |"
    lines = [head, "|---|---|" + "---:|" * 8]
    for folder, named in sorted(commits.items()):
        repository, _, at = named.partition(" ")
        here = [o for f, o in outcomes.items() if f.startswith(f"{folder}/")]
        if here:
            lines.append(f"| {repository} | {at[:12]} | {row(here)} |")
    everything = list(outcomes.values())
    lines += [f"| all | | {row(everything)} |", ""]
    said = [c for o in everything for c in o["checked"]]
    if said:
        lines += [*cost(said), *by_property(said)]
    lines += table("Files that are not read", (o["reason"] for o in everything if not o["read"]))
    lines += table("Not finished", (o["end"] for o in everything if o["read"] and o["end"]))
    whys = (why for o in everything for k in o.get("kernels", {}).values() for why in k)
    lines += table("What is not understood, by kernels", whys)
    lines += table("Launches that are not understood", (c["trouble"] for c in said if c["trouble"]))
    unknown = [why for c in said for why in c["unknown"].values()]
    lines += table("Why properties are unknown", map(cause, unknown))
    lines += ["## Refuted", ""]
    lines += [
        f"- {f} `{c['kernel']}`: {r}" for f, o in outcomes.items() for c in o["checked"]
        for r in c["refuted"]
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


#: What a reason begins with, or has in it, and what it is counted as.
CAUSES = {
    "if the launch can be so": "too little is known of the launch, and no lines were found",
    "it may fail": "a condition that solvers do not decide",
    "work limit": "a condition that solvers do not decide",
    "which may wrap": "it rests on arithmetic that may wrap",
    "is not known: ": "the launch is not understood",
    "could not be made": "an instance of a template could not be made",
    "of which the file makes nothing": "a template of which the file makes no instance",
    "undeclared identifier": "it names what a missing header declares",
    "no condition was found": "no lines were found",
    "a pointer that is not followed": "a pointer that is not followed",
}


def cause(reason: str) -> str:
    """Return what a reason is counted as."""
    return next((c for part, c in CAUSES.items() if part in reason), reason)


def row(outcomes: Sequence[dict[str, Any]]) -> str:
    """Return files, those read, kernels, those understood, and what was said of those checked."""
    read = sum(o["read"] for o in outcomes)
    kernels = [k for o in outcomes for k in o.get("kernels", {}).values()]
    said = [c for o in outcomes for c in o["checked"]]
    led = sum(bool(c["launch"] or decided(c, DECIDED[2:]) or proved(c)) for c in said)
    whole = sum(not k for k in kernels)
    asked, known = (sum(decided(c, vs) for c in said) for vs in ((*DECIDED, "unknown"), DECIDED))
    share = f" ({100 * known / asked:.1f} %)" if asked else ""
    return (
        f"{len(outcomes)} | {read} | {len(kernels)} | {whole} | {len(said)} | {led} | "
        f"{asked} | {known}{share}"
    )


def proved(said: dict[str, Any]) -> bool:
    """Return whether more than the validity of a launch is proved of a kernel without one."""
    return any(v == "proved" for p, v in said["verdicts"].items() if p != "launch_valid")


def decided(said: dict[str, Any], verdicts: Iterable[str]) -> int:
    """Return of how many properties the verdict is one of these."""
    return sum(v in verdicts for v in said["verdicts"].values())


def cost(said: Sequence[dict[str, Any]]) -> list[str]:
    """Return the CPU seconds of kernels in a line."""
    spent = sorted(c["cpu"] for c in said)
    last = spent[min(len(spent) - 1, int(0.95 * len(spent)))]
    return [
        f"CPU seconds of a kernel: median {spent[len(spent) // 2]:.2f}, 95 % within {last:.1f}, "
        f"longest {spent[-1]:.1f}, all {sum(spent):.0f}.",
        "",
    ]


def by_property(said: Sequence[dict[str, Any]]) -> list[str]:
    """Return the verdicts on each property."""
    told = (*DECIDED, "unknown", "not applicable")
    lines = [f"| property | {' | '.join(told)} |", "|---|" + "---:|" * len(told)]
    for name in (p for p in PROPERTIES if p not in SAID):
        counts = Counter(c["verdicts"].get(name) for c in said)
        lines.append(f"| {name} | {' | '.join(str(counts[v]) for v in told)} |")
    return [*lines, ""]


def table(title: str, reasons: Iterable[str]) -> list[str]:
    """Return reasons with their counts, the most frequent first."""
    counts = Counter(NAME.sub("_", r.split(";")[0]).replace("|", "\\|") for r in reasons)
    if not counts:
        return []
    head = [f"## {title}", "", "| n | why |", "|---:|---|"]
    return [*head, *(f"| {n} | {why} |" for why, n in counts.most_common(60)), ""]


def main() -> None:
    """Run the benchmark, or read and check one file for it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("-I", "--include", action="append", default=[], help="a folder of headers")
    parser.add_argument("-D", "--define", action="append", default=[], help="a macro")
    parser.add_argument("--out", type=Path, default=Path("reports/bench/wild"))
    parser.add_argument(
        "--only", action="append", default=[], help="the end of a path that is read, and no other"
    )
    parser.add_argument("--files", type=int, default=0, help="of a repository (default: all)")
    parser.add_argument("--kernels", type=int, default=0, help="checked of a file (default: all)")
    parser.add_argument("--seed", default="", help="of what is drawn")
    parser.add_argument("--limit", type=int, default=120, help="CPU seconds of a file")
    parser.add_argument("--work", type=int, default=25_000, help="work limit of a kernel")
    parser.add_argument("--read", action="store_true", help="read the files, and check nothing")
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        for said in one(args.one, args):
            print(json.dumps(said), flush=True)
        return
    kept = args.out.with_suffix(".json")
    outcomes = json.loads(kept.read_text())["files"] if kept.exists() else {}
    commits: dict[str, str] = {f.name: commit(f) for f in args.folders}
    for folder in args.folders:
        found = [p for p in sources(folder) if not args.only or str(p).endswith((*args.only,))]
        for file in drawn(found, args.files, args.seed + folder.name):
            name = f"{folder.name}/{file.relative_to(folder).as_posix()}"
            if name in outcomes and (outcomes[name]["checked"] or args.read):
                continue
            outcomes[name] = measured(file, args)
            kept.write_text(json.dumps({"commits": commits, "files": outcomes}, indent=1) + "\n")
    args.out.with_suffix(".md").write_text(summary(outcomes, commits), encoding="utf-8")


if __name__ == "__main__":
    main()
