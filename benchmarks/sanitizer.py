"""Faulty kernels under NVIDIA's compute-sanitizer at three ordinary sizes, and under symcute.

    python -m benchmarks.sanitizer plan FOLDER           # programs, and what is to be run
    python FOLDER/sanitizer.py run FOLDER OUT.json       # on a machine with a GPU and nvcc
    python -m benchmarks.sanitizer table OUT.json        # decides them, writes reports/bench/

The kernels are those of `tests/access/kernels/` whose accesses are wrong: out of bounds,
misaligned, racing, or past a barrier that others wait at. Each is run under memcheck, racecheck and
synccheck (the latter two where it has shared memory or synchronises), with arrays as large as its
notes say, at a size of powers of two, one of round numbers, and one of odd numbers, as far as its
assumptions admit them. To run them, nothing of symcute is needed. What OUT.json has of an earlier
run is not run again.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.access.cases import Case, Parameter

TOOLS = ("memcheck", "racecheck", "synccheck")
#: What these tools look for.
FAULTS = ("in_bounds", "write_race_free", "read_write_race_free", "barrier_uniform", "aligned")
SIZES = {
    "powers of two": (256, 128, 64, 512, 32, 16, 8, 4, 2, 1),
    "round numbers": (1000, 100, 60, 200, 48, 24, 10, 12, 6, 3),
    "odd numbers": (257, 129, 65, 33, 37, 19, 9, 7, 5, 3),
}
_BYTES = 1 << 28
_THREADS = 1 << 22
HOST = r"""
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
int main(int argc, char **argv) {
  const void *kernels[] = {KERNELS};
  auto number = [&](int i) { return strtoll(argv[i], nullptr, 10); };
  dim3 grid(number(2), number(3), number(4)), block(number(5), number(6), number(7));
  std::vector<long long> values(argc);
  std::vector<double> reals(argc, 1.0);
  std::vector<float> floats(argc, 1.0f);
  std::vector<void *> args;
  for (int i = 9; i < argc; i++) {
    long long a = 0, low = 0, high = 0, width = 0;
    if (sscanf(argv[i], "p:%lld:%lld:%lld:%lld", &a, &low, &high, &width) == 4) {
      std::vector<unsigned char> bytes(a + 8);
      unsigned seed = 12345 + i;
      for (long long k = 0; width && k + width <= a; k += width) {
        seed = seed * 1664525u + 1013904223u;
        long long x = low + (long long)(seed >> 8) % (high - low + 1);
        memcpy(bytes.data() + k, &x, width);
      }
      void *p = nullptr;
      if (cudaMalloc(&p, a ? a : 1) != cudaSuccess) return 3;
      cudaMemcpy(p, bytes.data(), a, cudaMemcpyHostToDevice);
      memcpy(&values[i], &p, 8);
      args.push_back(&values[i]);
    } else if (argv[i][0] == 'i') {
      values[i] = strtoll(argv[i] + 2, nullptr, 10);
      args.push_back(&values[i]);
    } else if (argv[i][0] == 'd') {
      args.push_back(&reals[i]);
    } else {
      args.push_back(&floats[i]);
    }
  }
  const void *kernel = kernels[number(1)];
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, number(8));
  auto launched = cudaLaunchKernel(kernel, grid, block, args.data(), number(8), 0);
  auto done = cudaDeviceSynchronize();
  printf("launched %s, done %s\n", cudaGetErrorName(launched), cudaGetErrorName(done));
  return launched == cudaSuccess ? 0 : 4;
}
"""


def main() -> None:
    """Plan, run, or write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("plan").add_argument("folder", type=Path)
    running = commands.add_parser("run")
    running.add_argument("folder", type=Path)
    running.add_argument("out", type=Path)
    running.add_argument("--seconds", type=float, default=540)
    running.add_argument("--jobs", type=int, default=14)
    commands.add_parser("table").add_argument("results", type=Path)
    args = parser.parse_args()
    if args.command == "plan":
        plan(args.folder)
    elif args.command == "run":
        run(args.folder, args.out, args.seconds, args.jobs)
    else:
        table(args.results)


# --- what is to be run ----------------------------------------------------------------------------


def plan(folder: Path) -> None:
    """Write a program for each file of kernels, and `plan.json` with their calls."""
    from tests.access.cases import cases

    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(__file__, folder / "sanitizer.py")
    faulty = [c for c in cases() if not all(c.truth.get(p, True) for p in FAULTS)]
    runs: list[dict[str, Any]] = []
    left_out: dict[str, str] = {}
    for file in sorted({c.file for c in faulty}):
        here = [c for c in faulty if c.file == file]
        for number, case in enumerate(here):
            for size in SIZES:
                call = _call(case, size)
                if isinstance(call, str):
                    left_out[case.label] = call
                    break
                if call is not None:
                    alone = re.search(r"__shared__|sync|barrier|shfl", case.body) is None
                    runs.append({
                        "kernel": case.label, "tools": TOOLS[:1] if alone else TOOLS,
                        "program": file.stem, "size": size, "dims": call[0],
                        "argv": [str(number), *call[1]],
                    })  # fmt: skip
        pointers = ", ".join(f"(const void *)&{_instance(c)}" for c in here)
        text = file.read_text(encoding="utf-8") + HOST.replace("KERNELS", pointers)
        (folder / f"{file.stem}.cu").write_text(text, encoding="utf-8")
    document = {"runs": runs, "left_out": left_out, "kernels": [c.label for c in faulty]}
    (folder / "plan.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    print(f"{len(faulty)} kernels, {len(runs)} runs, {len(left_out)} left out")


def _instance(case: Case) -> str:
    return f"{case.name}<{case.template}>" if case.template else case.name


def _call(case: Case, size: str) -> tuple[dict[str, int], list[str]] | str | None:
    """Return dims and arguments of a program, None where no such size is admitted, or why not."""
    from tests.access.cases import value

    dims = _dims(case, size)
    if dims is None:
        return None
    grid, block = case.launch(dims)
    words = [str(x) for x in (*grid, *block, value(case.shared, dims))]
    for p in case.parameters:
        word = _argument(case, p, dims)
        if word is None:
            return f"the parameter {p.name}"
        words.append(word)
    return dims, words


def _argument(case: Case, p: Parameter, dims: dict[str, int]) -> str | None:
    from tests.access.cases import value

    if p.struct or p.fields:
        return None
    if p.pointer:
        if p.name not in case.extents:
            return None
        bytes = value(case.extents[p.name], dims) * p.element
        low = high = width = 0
        if p.integer is not None:
            width = p.integer[0] // 8
            if p.name in case.contents:
                low, high = (value(x, dims) for x in case.contents[p.name])
        return f"p:{bytes}:{low}:{max(low, high)}:{width}"
    if p.integer is not None:
        return f"i:{case.argument(p, dims)}"
    return {"double": "d", "float": "f"}.get(p.type)


def _dims(case: Case, size: str) -> dict[str, int] | None:
    """Return dims of a size at which a kernel may be launched, all as large as they may be."""
    from tests.access.cases import value

    names, sizes = case.dims(), SIZES[size]
    turns = [tuple(sizes[(n + turn) % len(sizes)] for n in range(len(names))) for turn in range(10)]
    others = product(sizes, repeat=len(names)) if len(names) <= 4 else ()
    for chosen in (*turns, *others):
        dims = dict(zip(names, chosen, strict=True))
        if not case.admits(dims):
            continue
        grid, block = case.launch(dims)
        extents = [value(case.extents[p.name], dims) * p.element
                   for p in case.parameters if p.name in case.extents]  # fmt: skip
        fits = prod(block) <= 1024 and all(0 < x < 1 << 16 for x in (*grid, *block))
        small = prod(grid) * prod(block) <= _THREADS and sum(extents) <= _BYTES
        if fits and small and min(extents, default=0) >= 0:
            return dims
    return None


# --- on the machine with the GPU ------------------------------------------------------------------


def run(folder: Path, out: Path, seconds: float, jobs: int) -> None:
    """Compile the programs, run them under the tools, and write what they said."""
    end = time.monotonic() + seconds
    planned = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
    with ThreadPoolExecutor(jobs) as pool:
        files = sorted(folder.glob("*.cu"))
        built = dict(zip((f.stem for f in files), pool.map(_built, files), strict=True))
        work = [(r, tool) for size in SIZES for r in planned["runs"] if r["size"] == size
                for tool in r["tools"]]  # fmt: skip
        known = _known(out)

        def told_of(r: dict[str, Any], tool: str) -> str:
            key = (r["kernel"], r["size"], tool)
            return known[key] if key in known else _told(folder, r, tool, built, end)

        told = pool.map(told_of, *zip(*work, strict=True))
        found = [
            {**r, "tool": tool, "said": said} for (r, tool), said in zip(work, told, strict=True)
        ]
    version = subprocess.run(["compute-sanitizer", "--version"], capture_output=True, text=True,
                             check=False).stdout.strip().splitlines()  # fmt: skip
    broken = {name: text for name, text in built.items() if text}
    document = {**planned, "runs": found, "not_compiled": broken, "tool": version[-1:]}
    out.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    counts: dict[str, int] = {}
    for r in found:
        counts[r["said"][:20]] = counts.get(r["said"][:20], 0) + 1
    print(counts, {k: v[-300:] for k, v in broken.items()})


def _known(out: Path) -> dict[tuple[str, str, str], str]:
    """Return what an earlier run was told."""
    if not out.exists():
        return {}
    runs = json.loads(out.read_text(encoding="utf-8"))["runs"]
    return {(r["kernel"], r["size"], r["tool"]): r["said"] for r in runs if r["said"] != "no time"}


def _built(file: Path) -> str:
    """Compile a program; return what was wrong."""
    command = ["nvcc", "-arch=sm_90a", "-std=c++17", "-w", "-lineinfo", str(file), "-o"]
    command.append(str(file.with_suffix("")))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else (done.stderr or done.stdout or "nvcc failed")


def _told(folder: Path, r: dict[str, Any], tool: str, built: dict[str, str], end: float) -> str:
    """Return `nothing`, `error: ...`, or why a run says neither."""
    if built[r["program"]]:
        return "not compiled"
    if time.monotonic() > end:
        return "no time"
    command = ["compute-sanitizer", "--tool", tool, "--error-exitcode", "77", "--print-limit", "1",
               str(folder / r["program"]), *r["argv"]]  # fmt: skip
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    except subprocess.TimeoutExpired:
        return "hangs"
    lines = [x.removeprefix("=========").strip() for x in done.stdout.splitlines()]
    wrong = [x for x in lines if "ERROR SUMMARY" in x or "RACECHECK SUMMARY" in x]
    launched = [x for x in lines if x.startswith("launched")]
    if done.returncode == 77 or any(not _is_clean(x) for x in wrong):
        first = next((x for x in lines if x and "COMPUTE-SANITIZER" not in x), "")
        return f"error: {first[:120]}"
    if done.returncode == 4:
        return "not launched"
    clean = done.returncode == 0 and bool(wrong) and bool(launched)
    return "nothing" if clean else f"failed: {(done.stderr or done.stdout)[-200:]}"


def _is_clean(summary: str) -> bool:
    return "0 errors" in summary or "0 hazards" in summary


# --- the table ------------------------------------------------------------------------------------


def table(results: Path) -> None:
    """Decide the kernels with symcute, and write both beside each other."""
    from benchmarks.hard import decided
    from tests.access.cases import cases

    held = json.loads(results.read_text(encoding="utf-8"))
    known = {c.label: c for c in cases()}
    ran: dict[str, dict[str, list[str]]] = {}
    for r in held["runs"]:
        if r["said"] == "nothing" or r["said"].startswith(("error", "hangs")):
            ran.setdefault(r["kernel"], {}).setdefault(r["size"], []).append(r["said"])
    rows = []
    for label, sizes in ran.items():
        wrong = [p for p in FAULTS if label in known and not known[label].truth.get(p, True)]
        if not wrong:
            continue
        said = decided(known[label])["verdicts"]
        # What does not end is taken for found.
        found = {size: any(x != "nothing" for x in told) for size, told in sizes.items()}
        refuted = [p for p in wrong if said.get(p) == "refuted"]
        rows.append({"kernel": label, "wrong": wrong, "refuted": refuted, "found": found})
        print(label, found, refuted, flush=True)
    out = Path("reports/bench/sanitizer.json")
    out.write_text(json.dumps({"tool": held["tool"], "kernels": rows}, indent=1) + "\n")
    out.with_suffix(".md").write_text(_markdown(rows, held), encoding="utf-8")


def _markdown(rows: list[dict[str, Any]], held: dict[str, Any]) -> str:
    lines = []
    for size in SIZES:
        here = [r["found"][size] for r in rows if size in r["found"]]
        lines.append(f"| compute-sanitizer, {size} | {sum(here)} | {len(here)} |")
    seen = [any(r["found"].values()) for r in rows]
    lines.append(f"| compute-sanitizer, any of these sizes | {sum(seen)} | {len(rows)} |")
    lines.append(f"| symcute, all sizes | {sum(bool(r['refuted']) for r in rows)} | {len(rows)} |")
    missed = [f"`{r['kernel']}` ({', '.join(r['wrong'])})" for r in rows if not r["refuted"]]
    only = [f"`{r['kernel']}`" for r in rows if any(r["found"].values()) and not r["refuted"]]
    tool = " ".join(held["tool"])
    return f"""# Faulty kernels under compute-sanitizer and under symcute

{len(rows)} kernels of `tests/access/kernels/` whose accesses are wrong at some size, on an H200
({tool}).
They ran under memcheck, and under racecheck and synccheck where they have shared memory or
synchronise. Launch, extents and contents are those of their notes. A run that does not end within
30 to 60 seconds is counted as found. Not every kernel has run at every size: the last column counts
those that have. `python -m benchmarks.sanitizer` says how to repeat it.

| | found faulty | kernels run |
|---|---:|---:|
{chr(10).join(lines)}

Not refuted by symcute: {", ".join(missed) or "none"}.
Of these, found by compute-sanitizer: {", ".join(only) or "none"}.
{len(held["left_out"])} kernels were left out, since the programs hand over no structs.
"""


if __name__ == "__main__":
    sys.exit(main())
