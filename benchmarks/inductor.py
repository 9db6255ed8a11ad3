"""What is said of the files that torch.compile's Inductor left: `symcute check` on each wrapper.

    python3 -m benchmarks.inductor_functions FOLDER                  # with torch and a GPU
    PYTHONPATH=FOLDER_OF_TORCH python -m benchmarks.inductor FOLDER --out reports/bench/inductor

Where there is a GPU, both run there: PyTorch has all that symcute needs but `z3-solver`, whose
wheel can be carried along. A wrapper launches the kernels that it holds; each is decided for every
block size that Inductor may choose. `OUT.json` keeps what was said, so that a run that was stopped
goes on where it was; files are taken in random order, and what was decided then is a sample.
`OUT.md` has the counts.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from random import Random
from tempfile import TemporaryFile
from typing import Any

from benchmarks.triton import _causes

#: Verdicts from the worst on: a kernel has the worst of its programs.
_RANKS = ("refuted", "unknown", "proved", "not applicable")


def told(file: Path, limit: int) -> dict[str, Any]:
    """Return what `symcute check` says of a file; no process of it has more seconds of CPU."""
    command = [sys.executable, "-m", "symcute", "check", "--json", "--no-cache", "--jobs=1"]
    with TemporaryFile() as out, TemporaryFile() as err:
        made = subprocess.Popen(
            ["bash", "-c", f'ulimit -t {limit}; exec "$@"', "-", *command, str(file)],
            stdout=out, stderr=err,
        )  # fmt: skip
        _, status, used = os.wait4(made.pid, 0)
        made.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        said, trouble = out.read().decode(), err.read().decode()
    cpu = round(used.ru_utime + used.ru_stime, 2)
    if made.returncode not in (0, 1) or not said:
        return {"error": trouble.strip().splitlines()[-1:] or ["the limit of CPU"], "cpu": cpu}
    found = json.loads(said)
    kernels: dict[str, dict[str, Any]] = {}
    for k in found["kernels"]:
        launch = k.get("launch") or {}
        at = f"{k['kernel']} {launch.get('place', '').rpartition('/')[2]}"
        here = kernels.setdefault(at, {"programs": 0, "verdicts": {}, "why": {}, "lost": ""})
        here["programs"] += 1
        for p, v in k["verdicts"].items():
            here["verdicts"][p] = min(v, here["verdicts"].get(p, v), key=_RANKS.index)
        for f in k["findings"]:
            if f["status"] in ("unknown", "refuted"):
                said = f.get("reason") or f.get("text") or ""
                here["why"].setdefault(f"{f['property']}: {f['status']}", str(said))
    return {
        "kernels": kernels,
        "error": [e.get("error", str(e)) for e in found["errors"]],
        "cpu": cpu,
    }


def summary(
    outcomes: Mapping[str, dict[str, Any]], whole: Mapping[str, int], about: Iterable[str] = ()
) -> str:
    """Return the counts as Markdown, with what is said about the run."""
    lines = [
        "# What torch.compile's Inductor wrote", "", *(f"- {line}" for line in about), "",
        "Functions compiled by PyTorch for a GPU, with sizes that are numbers and with sizes "
        "that are symbols; each wrapper is checked as it is. A launch is of all programs that "
        "Inductor may choose, one for each of its block sizes; it has the worst verdict of these.",
        "",
        "| files | wrappers | checked | launches | programs | properties | proved "
        "| nothing to prove | refuted | decided | CPU s: median | longest |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]  # fmt: skip
    for name in [*sorted(whole), ""]:
        of = [o for n, o in outcomes.items() if n.startswith(name)]
        asked = whole[name] if name else sum(whole.values())
        lines.append(_row(name or "all", asked, of))
    launches = [k for o in outcomes.values() for k in o.get("kernels", {}).values()]
    open_ = Counter(p for k in launches for p, v in k["verdicts"].items() if v == "unknown")
    lines += ["", "Open properties: " + ", ".join(f"{p} {n}" for p, n in open_.most_common()), ""]
    lines += _causes("Why a property is open", _whys(launches))
    lines += _causes(
        "Files of which nothing is said", (e for o in outcomes.values() for e in o["error"])
    )
    return "\n".join(lines).rstrip() + "\n"


def _whys(launches: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    return (w for k in launches for w in k["why"].values())


def _row(name: str, asked: int, of: list[dict[str, Any]]) -> str:
    launches = [k for o in of for k in o.get("kernels", {}).values()]
    count = Counter(v for k in launches for v in k["verdicts"].values())
    programs, every = sum(k["programs"] for k in launches), sum(count.values())
    share = f"{100 * (every - count['unknown']) / max(1, every):.1f} %"
    cpu = sorted(o["cpu"] for o in of) or [0.0]
    verdicts = (count["proved"], count["not applicable"], count["refuted"], share)
    cells = (name, asked, len(of), len(launches), programs, every, *verdicts,
             cpu[len(cpu) // 2], cpu[-1])  # fmt: skip
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, default=Path("reports/bench/inductor"))
    parser.add_argument("--limit", type=int, default=120, help="CPU seconds of a process")
    parser.add_argument("--jobs", type=int, default=1, help="files at a time")
    parser.add_argument("--about", action="append", default=[], help="a line on top of the table")
    args = parser.parse_args()
    kept = args.out.with_suffix(".json")
    outcomes = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    files = sorted(f for f in args.folder.rglob("*.py") if "async_compile.triton(" in f.read_text())
    names = {"/".join(f.relative_to(args.folder).parts[:2]) + f" {f.stem[:8]}": f for f in files}
    whole = Counter(n.partition("/")[0] for n in names)
    order = [n for n in names if n not in outcomes]
    Random(1).shuffle(order)  # noqa: S311
    with ThreadPoolExecutor(args.jobs) as pool:
        asked = {pool.submit(told, names[n], args.limit): n for n in order}
        for done in as_completed(asked):
            name = asked[done]
            outcomes[name] = done.result()
            kept.write_text(json.dumps(outcomes, indent=1) + "\n", encoding="utf-8")
            print(name, outcomes[name]["cpu"], outcomes[name]["error"], flush=True)
    args.out.with_suffix(".md").write_text(summary(outcomes, whole, args.about), encoding="utf-8")


if __name__ == "__main__":
    main()
