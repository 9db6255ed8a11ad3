"""Kernels of `cutedsl/kernels.py` on a device: compiled where the DSL is, launched where CuPy is.

    python -m tests.oracle.cutedsl_device build FOLDER     # with CuTe DSL, no GPU: cubins, verdicts
    python3 tests/oracle/cutedsl_device.py run FOLDER OUT  # with CuPy alone: what they did

A copy of a matrix through shared memory is right where the other matrix is the same afterwards,
nothing around it has changed, and the wavefronts in shared memory are those that are computed of
its requests; a faulty one has to be seen to be wrong, or to fail. A kernel whose threads pass
something on through shared memory is right where its vector is what NumPy makes of it, and
compute-sanitizer finds nothing (racecheck, and memcheck of arrays that end where their memory
ends); of a faulty one it has to find something. Each is launched in a process of its own, since a
fault ends all that the process has on the device.
"""

from __future__ import annotations

import csv
import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

#: Rows and columns of tiles, elements beside each row, and before and behind each matrix.
TILES, BESIDE, AROUND = (2, 2), 8, 1 << 14
RIGHT = (
    "right", "padded", "swizzled", "columns", "narrow", "threads down columns",
    "threads down columns, padded", "threads down columns, swizzled",
)  # fmt: skip
FAULTY = (
    "a row is left out", "a column is held twice", "rows overlap", "tile does not divide",
    "leading dimension is odd", "column-major in shared memory", "vectors across the tile",
)  # fmt: skip
#: What threads pass on in shared memory, by family and way; and of how many elements.
PASSED = {
    "again": ("right", "no barrier before", "no barrier between", "no barrier behind",
              "one too far"),
    "staged": ("right", "no wait", "no barrier", "one group too many", "a tile too many",
               "the first tile whole"),
}  # fmt: skip
LENGTH, THREADS, TILE, STAGES = 2000, 128, 512, 3
ARCH, PATTERN, OTHER, SECONDS = "sm_90a", 0x5A5A, 0x3333, 120
#: Wavefronts of stores to shared memory, and of loads from it.
COUNTERS = [f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{x}.sum" for x in ("st", "ld")]
TOOLS = ("racecheck", "memcheck")


def build(folder: Path) -> None:
    """Compile each case for tensors of numbers, and write what is said of it for all sizes."""
    import os

    folder.mkdir(parents=True, exist_ok=True)
    # What the DSL keeps of its own accord lies in the folder too, not where one happens to stand.
    os.environ |= {"CUTE_DSL_ARCH": ARCH, "CUTE_DSL_DUMP_DIR": str(folder.resolve())}
    cases = [*_copies(folder), *_passed(folder)]

    (folder / "cases.json").write_text(json.dumps(cases, indent=1) + "\n", encoding="utf-8")


def _copies(folder: Path) -> Iterator[dict[str, Any]]:
    import cutlass
    from cutlass.cute.runtime import make_fake_tensor

    from symcute.frontends.cutedsl.checking import check_module
    from tests.oracle.test_cutedsl import CASES, modules

    for name in (*RIGHT, *FAULTY):
        case = CASES[name]
        rows, columns = (t * n for t, n in zip(case.tile, TILES, strict=True))
        beside = BESIDE if case.divisor > 1 else 1
        tensors = [
            make_fake_tensor(
                cutlass.Float16, (rows, columns), stride=(columns + beside, 1),
                assumed_align=case.alignment,
            )
            for _ in range(2)
        ]  # fmt: skip
        text = modules()[name]
        told = {
            "case": name, "rows": rows, "columns": columns, "ld": columns + beside,
            "grid": [*TILES, 1], "block": [case.threads, 1, 1], "right": name in RIGHT,
            **_said(check_module(text, bank_conflicts=1, properties=())),
        }  # fmt: skip
        if name in RIGHT:
            told["wavefronts"] = [TILES[0] * TILES[1] * n for n in _wavefronts(text)]
        shared = 2 * case.allocated + case.smem_align
        host = _kernels("kernels").copy_through
        yield told | _compiled(folder, name, host, (*tensors, case), shared)


def _passed(folder: Path) -> Iterator[dict[str, Any]]:
    import cutlass
    from cutlass.cute.runtime import make_fake_tensor

    from tests.oracle.test_cutedsl_accesses import Case
    from tests.oracle.test_cutedsl_stages import ROOMS, told

    for family, ways in PASSED.items():
        for way in ways:
            vectors = [
                make_fake_tensor(cutlass.Float32, (LENGTH,), stride=(1,), assumed_align=16)
                for _ in range(2)
            ]
            case = {
                "case": f"{family}: {way}", "family": family, "right": way == "right",
                "grid": [1, 1, 1], "block": [THREADS, 1, 1],
                **_said(told(Case(family, "fours", way))),
            }  # fmt: skip
            host = _kernels("stages").HOSTS[family]
            room = 4 * ROOMS[family]
            yield case | _compiled(folder, f"{family} {way}", host, (*vectors, way), room)


def _said(found: Iterable[Any]) -> dict[str, list[str]]:
    """Return the properties that are refuted, and those that are not decided else."""
    by = {x: {f.property for f in found if f.status == x} for x in ("refuted", "unknown")}
    return {"refuted": sorted(by["refuted"]), "unknown": sorted(by["unknown"] - by["refuted"])}


def _kernels(name: str) -> Any:
    path = Path(__file__).with_name("cutedsl") / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _wavefronts(text: str) -> tuple[int, int]:
    """Return those of a block's stores to shared memory, and of its loads, as they are computed.

    Neighbouring vectors of a thread are one access, as the DSL's compiler makes them.
    """
    from symcute.claims.language import read_claim
    from symcute.frontends.cutedsl.evaluation import evaluate
    from symcute.frontends.cutedsl.requests import requests, twice
    from symcute.frontends.cutedsl.text import read_module
    from symcute.hardware.memory import shared_wavefronts

    counts = {"destination": 0, "source": 0}
    for claimed in requests(evaluate(read_module(text, "module.mlir")), 1):
        access = read_claim(claimed.claim).access
        while wider := twice(access):
            access = wider
        side = claimed.words.split()[0]
        for request in product(*(range(n) for n, _ in access.requests)):
            counts[side] += shared_wavefronts(
                access.addresses(request), access.width // 8, store=side == "destination"
            )
    return counts["destination"], counts["source"]


def _compiled(folder: Path, name: str, host: Any, args: Any, shared: int) -> dict[str, Any]:
    from cutlass import cute

    try:
        made = cute.compile(host, *args, options="--keep-cubin --keep-ptx")
    except Exception:
        return {"seen": {"failed": "the DSL does not compile it"}}
    file = re.sub(r"\W+", "_", name) + ".cubin"
    (folder / file).write_bytes(made.__cubin__)
    ptx = made.__ptx__
    return {
        "file": file,
        "entry": ptx.split(".entry", 1)[1].split("(", 1)[0].strip(),
        "shared": shared if ".extern .shared" in ptx else 0,
    }


def launch(folder: Path, case: dict[str, Any]) -> dict[str, Any]:
    """Launch a case; return how many elements differ, and how many around were written."""
    import cupy as cp

    module = cp.RawModule(path=str(folder / case["file"]))
    kernel = module.get_function(case["entry"])
    kernel.max_dynamic_shared_size_bytes = max(case["shared"], 1)
    if "family" in case:
        return _launch_passed(cp, kernel, case)
    return _launch_copy(cp, kernel, case)


def _launch_copy(cp: Any, kernel: Any, case: dict[str, Any]) -> dict[str, Any]:
    import numpy as np

    count = case["rows"] * case["ld"]
    rng = np.random.default_rng(1)
    # Any bits but the pattern: a copy moves them as they are.
    host = rng.integers(1, 1 << 14, (case["rows"], case["ld"])).astype(np.uint16)
    a = cp.full(count + 2 * AROUND, OTHER, cp.uint16)
    b = cp.full_like(a, PATTERN)
    a[AROUND : AROUND + count] = cp.asarray(host).ravel()
    pointers = tuple(np.uintp(x[AROUND:].data.ptr) for x in (a, b))
    kernel(tuple(case["grid"]), tuple(case["block"]), pointers, shared_mem=case["shared"])
    cp.cuda.Device().synchronize()
    got = cp.asnumpy(b)
    inside = got[AROUND : AROUND + count].reshape(host.shape)
    beyond = got.copy()
    matrix = beyond[AROUND : AROUND + count].reshape(host.shape)
    matrix[:, : case["columns"]] = PATTERN
    wrong = inside[:, : case["columns"]] != host[:, : case["columns"]]
    return {
        "compared": int(wrong.size),
        "wrong": int(wrong.sum()),
        "around": int((beyond != PATTERN).sum()),
    }


def _launch_passed(cp: Any, kernel: Any, case: dict[str, Any]) -> dict[str, Any]:
    import numpy as np

    cp.cuda.set_allocator(None)  # memory ends where an array does
    host = np.arange(1, LENGTH + 1, dtype=np.float32)
    a, b = cp.asarray(host), cp.zeros(LENGTH, cp.float32)
    pointers = tuple(np.uintp(x.data.ptr) for x in (a, b))
    kernel(tuple(case["grid"]), tuple(case["block"]), pointers, shared_mem=case["shared"])
    cp.cuda.Device().synchronize()
    wanted = np.zeros_like(host)
    wanted[:THREADS] = 2.0 if case["family"] == "again" else _last_of_tiles(host)
    wrong = cp.asnumpy(b) != wanted
    return {"compared": LENGTH, "wrong": int(wrong.sum()), "around": 0}


def _last_of_tiles(host: Any) -> Any:
    """Return what each thread reads last of stages of tiles, of which the first is short."""
    tiles = -(-LENGTH // TILE)
    first = LENGTH - tiles * TILE
    holds, index, read, write = {0: 0, 1: 1}, 2, 0, STAGES - 1
    for _ in range(tiles):
        holds[write] = index
        write, read = read, (read + 1) % STAGES
        index = index + 1 if index + 1 < tiles else 1
    start = first + TILE * holds[read]
    return host[start : start + 4 * THREADS : 4][::-1]


def run(folder: Path, out: Path) -> bool:
    """Launch all cases, and write what was seen as JSON and as a table; is all as it should be?"""
    cases = json.loads((folder / "cases.json").read_text(encoding="utf-8"))
    for number, case in enumerate(cases):
        seen = case.setdefault("seen", {})
        shown = True
        if not seen:
            command = [sys.executable, __file__, "one", str(folder), str(number)]
            shown = _seen(seen, command)
            if "family" in case:
                seen |= {tool: _sanitized(tool, command) for tool in TOOLS}
            elif case["right"]:
                seen["wavefronts"] = _counted(command, case["entry"])
        clean = "failed" not in seen and seen["wrong"] == seen["around"] == 0
        clean &= not any(seen.get(tool) for tool in TOOLS)
        same = seen.get("wavefronts") == case.get("wavefronts")
        # What fails for another reason than what it accesses shows nothing.
        case["ok"] = shown and clean == case["right"] and same
        print("ok" if case["ok"] else "NOT OK", case["case"], seen)
    out.mkdir(parents=True, exist_ok=True)
    document = {"device": device(), "cases": cases}
    (out / "cutedsl_gpu.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    (out / "cutedsl_gpu.md").write_text(table(document), encoding="utf-8")
    return all(case["ok"] for case in cases)


def _seen(seen: dict[str, Any], command: list[str]) -> bool:
    """Launch a case in a process of its own; does what is seen come of what it accesses?"""
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    lines = done.stdout.splitlines()
    if done.returncode == 0 and lines:
        seen |= json.loads(lines[-1])
        return True
    faults = re.findall(r"(?:CUDA_ERROR|cudaError)\w+", done.stderr)
    seen["failed"] = faults[0] if faults else done.stderr[-500:]
    return bool(faults)


def _sanitized(tool: str, command: list[str]) -> int | str:
    """Return how many faults compute-sanitizer tells, or what it says where it tells none."""
    done = subprocess.run(["compute-sanitizer", "--tool", tool, *command], capture_output=True,
                          text=True, timeout=SECONDS)  # fmt: skip
    counted = re.findall(r"SUMMARY: (\d+) (?:hazards?|errors?)", done.stdout)
    return int(counted[-1]) if counted else (done.stdout + done.stderr)[-500:]


def _counted(command: list[str], entry: str) -> list[int] | str:
    """Return the counters of a kernel under Nsight Compute, or what it says instead."""
    options = ["--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none"]
    chosen = ["--kernel-name-base", "mangled", "--kernel-name", entry]
    done = subprocess.run(["ncu", *options, *chosen, "--metrics", ",".join(COUNTERS), *command],
                          capture_output=True, text=True, timeout=SECONDS)  # fmt: skip
    rows = list(csv.DictReader(x for x in done.stdout.splitlines() if x.startswith('"')))
    if done.returncode or len(rows) != 2:  # the units, and one launch
        return (done.stdout + done.stderr)[-500:]
    return [int(rows[1][x].replace(",", "")) for x in COUNTERS]


def device() -> str:
    """Return the name of the device, and the version of CuPy."""
    code = (
        "import cupy; print(cupy.cuda.runtime.getDeviceProperties(0)['name'].decode() "
        "+ ', CuPy ' + cupy.__version__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    return done.stdout.strip() or "no device"


def table(document: dict[str, Any]) -> str:
    """Return the report."""
    lines = [
        "# CuTe DSL kernels on a device", "",
        f"{document['device']}. Written by `tests/oracle/cutedsl_device.py`, which says what is "
        "launched: copies through shared memory, and kernels whose threads pass something on in "
        "it, compiled for tensors of numbers. What symcute refutes is said of all sizes. Around "
        "are elements outside the matrix that were written. Wavefronts are those of stores to "
        "shared memory and of loads from it, counted by Nsight Compute; where they are not those "
        "that symcute computes (of neighbouring vectors of a thread as one), both are given.",
        "", "| kernel | refuted | seen | as it should be |", "|---|---|---|---|",
    ]  # fmt: skip
    for case in document["cases"]:
        refuted = ", ".join([*case["refuted"], *(f"{x} unknown" for x in case["unknown"])])
        ok = "yes" if case["ok"] else "NO"
        lines.append(f"| {case['case']} | {refuted or 'nothing'} | {_told(case)} | {ok} |")
    return "\n".join(lines) + "\n"


def _told(case: dict[str, Any]) -> str:
    seen = case["seen"]
    if "failed" in seen:
        said = [seen["failed"]]
    elif "family" in case:
        said = [f"{seen['wrong']} of {seen['compared']} wrong"]
    else:
        said = [f"{seen['wrong']} of {seen['compared']} wrong, {seen['around']} around"]
    if "wavefronts" in seen:
        said.append(f"wavefronts {seen['wavefronts']}")
        if seen["wavefronts"] != case["wavefronts"]:
            said[-1] += f", computed {case['wavefronts']}"
    said += [f"{tool}: {seen[tool]}" for tool in TOOLS if tool in seen]
    return "; ".join(said)


def main() -> int:
    """Build, run, or launch one case."""
    action, folder, *more = sys.argv[1:]
    if action == "build":
        build(Path(folder))
        return 0
    if action == "one":
        cases = json.loads((Path(folder) / "cases.json").read_text(encoding="utf-8"))
        print(json.dumps(launch(Path(folder), cases[int(more[0])])))
        return 0
    return 0 if run(Path(folder), Path(more[0])) else 1


if __name__ == "__main__":
    sys.exit(main())
