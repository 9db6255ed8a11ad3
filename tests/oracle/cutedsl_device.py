"""Kernels of `cutedsl/kernels.py` on a device: compiled where the DSL is, launched where CuPy is.

    python -m tests.oracle.cutedsl_device build FOLDER     # with CuTe DSL, no GPU: cubins, verdicts
    python3 tests/oracle/cutedsl_device.py run FOLDER OUT  # with CuPy alone: what they did

A copy of a matrix through shared memory is right where the other matrix is the same afterwards, and
nothing around it has changed; a faulty one has to be seen to be wrong, or to fail. Each is launched
in a process of its own, since a fault ends all that the process has on the device.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

#: Rows and columns of tiles, elements beside each row, and before and behind each matrix.
TILES, BESIDE, AROUND = (2, 2), 8, 1 << 14
RIGHT = (
    "right", "padded", "swizzled", "columns", "narrow", "threads down columns",
    "threads down columns, swizzled",
)  # fmt: skip
FAULTY = (
    "a row is left out", "a column is held twice", "rows overlap", "tile does not divide",
    "leading dimension is odd", "column-major in shared memory", "vectors across the tile",
)  # fmt: skip
ARCH, PATTERN, OTHER, SECONDS = "sm_90a", 0x5A5A, 0x3333, 120


def build(folder: Path) -> None:
    """Compile each case for matrices of numbers, and write what is said of it for all sizes."""
    import importlib.util
    import os

    folder.mkdir(parents=True, exist_ok=True)
    # What the DSL keeps of its own accord lies in the folder too, not where one happens to stand.
    os.environ |= {"CUTE_DSL_ARCH": ARCH, "CUTE_DSL_DUMP_DIR": str(folder.resolve())}
    import cutlass
    from cutlass import cute
    from cutlass.cute.runtime import make_fake_tensor

    from symcute.frontends.cutedsl.checking import check_module
    from tests.oracle.test_cutedsl import CASES, modules

    path = Path(__file__).with_name("cutedsl") / "kernels.py"
    spec = importlib.util.spec_from_file_location("kernels", path)
    assert spec is not None and spec.loader is not None
    kernels = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(kernels)
    told = []
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
        found = check_module(modules()[name], bank_conflicts=1, properties=())
        refuted = sorted({f.property for f in found if f.status == "refuted"})
        told.append({
            "case": name, "rows": rows, "columns": columns, "ld": columns + beside,
            "grid": [*TILES, 1], "block": [case.threads, 1, 1],
            "right": name in RIGHT, "refuted": refuted,
        })  # fmt: skip
        try:
            options = "--keep-cubin --keep-ptx"
            made = cute.compile(kernels.copy_through, *tensors, case, options=options)
        except Exception:
            told[-1]["seen"] = {"failed": "the DSL does not compile it"}
            continue
        (folder / f"{len(told)}.cubin").write_bytes(made.__cubin__)
        ptx = made.__ptx__
        told[-1] |= {
            "file": f"{len(told)}.cubin",
            "entry": ptx.split(".entry", 1)[1].split("(", 1)[0].strip(),
            "shared": 2 * case.allocated + case.smem_align if ".extern .shared" in ptx else 0,
        }
    (folder / "cases.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def launch(folder: Path, case: dict[str, Any]) -> dict[str, Any]:
    """Launch a case between guard zones; return how many elements differ, inside and around."""
    import cupy as cp
    import numpy as np

    count = case["rows"] * case["ld"]
    rng = np.random.default_rng(1)
    # Any bits but the pattern: a copy moves them as they are.
    host = rng.integers(1, 1 << 14, (case["rows"], case["ld"])).astype(np.uint16)
    a = cp.full(count + 2 * AROUND, OTHER, cp.uint16)
    b = cp.full_like(a, PATTERN)
    a[AROUND : AROUND + count] = cp.asarray(host).ravel()
    module = cp.RawModule(path=str(folder / case["file"]))
    kernel = module.get_function(case["entry"])
    kernel.max_dynamic_shared_size_bytes = max(case["shared"], 1)
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


def run(folder: Path, out: Path) -> bool:
    """Launch all cases, and write what was seen as JSON and as a table; is all as it should be?"""
    cases = json.loads((folder / "cases.json").read_text(encoding="utf-8"))
    for number, case in enumerate(cases):
        seen = case.setdefault("seen", {})
        done, faults = None, []
        if not seen:
            command = [sys.executable, __file__, "one", str(folder), str(number)]
            done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
            lines = done.stdout.splitlines()
            if done.returncode or not lines:
                faults = re.findall(r"(?:CUDA_ERROR|cudaError)\w+", done.stderr)
                seen["failed"] = faults[0] if faults else done.stderr[-500:]
            else:
                seen |= json.loads(lines[-1])
        clean = "failed" not in seen and seen["wrong"] == seen["around"] == 0
        # What fails for another reason than what it accesses shows nothing.
        shown = not done or not done.returncode or bool(faults)
        case["ok"] = shown and clean == case["right"]
        print("ok" if case["ok"] else "NOT OK", case["case"], seen)
    out.mkdir(parents=True, exist_ok=True)
    document = {"device": device(), "cases": cases}
    (out / "cutedsl_gpu.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    (out / "cutedsl_gpu.md").write_text(table(document), encoding="utf-8")
    return all(case["ok"] for case in cases)


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
        "launched: a copy through shared memory, compiled for matrices of numbers. What symcute "
        "refutes is said of all sizes. Around are elements outside the matrix that were written.",
        "", "| kernel | refuted | seen | as it should be |", "|---|---|---|---|",
    ]  # fmt: skip
    for case in document["cases"]:
        seen = case["seen"]
        did = seen.get("failed") or (
            f"{seen['wrong']} of {seen['compared']} wrong, {seen['around']} around"
        )
        refuted = ", ".join(case["refuted"]) or "nothing"
        lines.append(f"| {case['case']} | {refuted} | {did} | {'yes' if case['ok'] else 'NO'} |")
    return "\n".join(lines) + "\n"


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
