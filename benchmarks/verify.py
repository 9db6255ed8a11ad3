"""How long `symcute verify` takes: cold, and from the cache.

    python benchmarks/verify.py                # proofs/, three times each, two jobs
    python benchmarks/verify.py proofs/notes --repeats 5 --jobs 4

Each cold run has an empty cache; each of the others has the one that the cold run before it left.
The time is that of the whole command, from its start to its end, the reports included.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any


def timed(paths: list[str], jobs: int, folder: Path) -> tuple[float, dict[str, Any]]:
    """Run the command and return its seconds and the totals of its report."""
    command = [sys.executable, "-m", "symcute", "verify", *paths, "--quiet", "--jobs", str(jobs)]
    command += ["--cache", str(folder / "cache.sqlite"), "--out", str(folder)]
    begin = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    seconds = time.perf_counter() - begin
    if done.returncode not in (0, 1):
        sys.exit(f"symcute verify ended with exit code {done.returncode}")
    return seconds, json.loads((folder / "report.json").read_text(encoding="utf-8"))["totals"]


def main() -> None:
    """Measure, and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("paths", nargs="*", default=["proofs"])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    found: dict[str, list[float]] = {"cold": [], "cached": []}
    totals: dict[str, Any] = {}
    load = os.getloadavg()[0]
    for _ in range(options.repeats):
        with tempfile.TemporaryDirectory() as folder:
            for seconds in found.values():
                took, totals = timed(options.paths, options.jobs, Path(folder))
                seconds.append(took)
    for kind, seconds in found.items():
        runs = ", ".join(f"{s:.1f}" for s in seconds)
        print(f"{kind:<7} median {median(seconds):6.1f} s  of {runs}")
    print(
        f"{totals['theorems']} theorems, {totals['as_expected']} as expected, "
        f"{totals['cached']} from the cache; {options.jobs} jobs on {os.cpu_count()} CPUs, "
        f"load {load:.1f} at the start"
    )
    if options.json:
        told = {"seconds": found, "totals": totals, "jobs": options.jobs, "load": load}
        options.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
