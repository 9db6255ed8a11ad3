"""Our Triton kernels on a GPU: right ones element by element, wrong ones until something shows.

    python -m tests.triton.device plan FOLDER           # launches, and what is left by them
    python -m tests.triton.device run FOLDER OUT.json   # on a machine with a GPU, torch, Triton
    python -m tests.triton.device table OUT.json        # writes reports/bench/triton_gpu.md

A launch gets arrays between guard zones, whose bytes are looked at afterwards. A right kernel is
launched at several sizes, and what it leaves is compared with what Triton's interpreter leaves. A
wrong kernel is launched where an execution showed its fault: between guard zones, and under
compute-sanitizer with arrays of just their size. To run them, nothing of symcute is needed.
"""

from __future__ import annotations

import argparse
import base64
import importlib.util
import json
import os
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
REPORT = ROOT / "reports" / "bench" / "triton_gpu.md"
#: Faults that a launch on a GPU may show.
FAULTS = ("in_bounds", "aligned", "write_race_free", "read_write_race_free")
#: What arrays a launch may have, and how many launches of a kernel there are.
BYTES, LAUNCHES = 1 << 22, 3
GUARD, POISON = 1 << 14, 0xA5
#: Where a GPU may leave something else than the interpreter, and why.
FREE = {
    "elementwise.side_by_side": "`tl.cat` may order the elements as it likes",
    "programs.histogram_of_each_program": "`tl.histogram` says nothing of values beyond the bins",
}
#: How near the interpreter's floating point has to come, as sums are made in another order.
NEAR = {"fp64": 1e-9, "fp32": 2e-3, "fp16": 1e-2, "bf16": 4e-2}


def main() -> None:
    """Plan, run, or write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("plan").add_argument("folder", type=Path)
    running = commands.add_parser("run")
    running.add_argument("folder", type=Path)
    running.add_argument("out", type=Path)
    running.add_argument("--jobs", type=int, default=10)
    one = commands.add_parser("launch")
    one.add_argument("questions", type=Path)
    one.add_argument("--exact", action="store_true")
    commands.add_parser("table").add_argument("results", type=Path)
    args = parser.parse_args()
    if args.command == "plan":
        plan(args.folder)
    elif args.command == "run":
        run(args.folder, args.out, args.jobs)
    elif args.command == "launch":
        for line in args.questions.read_text().splitlines():
            print(json.dumps(launch(json.loads(line), args.exact)), flush=True)
    else:
        table(args.results)


# --- what is to be run ----------------------------------------------------------------------------


def plan(folder: Path) -> None:
    """Write the launches of each kernel, with what right ones leave."""
    from .cases import cases
    from .executions import answers, ask, named, runs

    folder.mkdir(parents=True, exist_ok=True)
    said, lines = answers(), []
    for case in cases():
        wrong = [p for p in FAULTS if not case.truth.get(p, True)]
        found = []
        for k in runs(case):
            faults = said[named(case, k)]["faults"]
            question = json.loads(case.question(k))
            if question["programs"] is not None or not small(question):
                continue
            if not wrong or faults.keys() & set(wrong):
                found.append(question | {"label": case.label, "wrong": wrong, "dims": dict(k.dims)})
        lines += found[:LAUNCHES]
    left = ask([json.dumps(x | {"leaves": True}) for x in lines])
    for x, answer in zip(lines, left, strict=True):
        x["leaves"] = answer["leaves"]
    (folder / "plan.jsonl").write_text("".join(json.dumps(x) + "\n" for x in lines))
    names = {x["label"] for x in lines}
    right = sum(not x["wrong"] for x in lines)
    print(f"{len(names)} kernels, {len(lines)} launches, of right ones {right}")


def small(question: dict[str, Any]) -> bool:
    """Whether a GPU has room for the arrays."""
    return all(8 * a["size"] <= BYTES and not a["offset"] < 0 for a in question["arrays"].values())


# --- on a machine with a GPU ----------------------------------------------------------------------


def run(folder: Path, out: Path, jobs: int) -> None:
    """Launch what is planned; each kernel has processes of its own, as a fault ends one."""
    import torch
    import triton

    lines = [json.loads(x) for x in (folder / "plan.jsonl").read_text().splitlines()]
    groups: dict[str, list[dict[str, Any]]] = {}
    for x in lines:
        groups.setdefault(x["label"], []).append(x)
    files = {}
    for label, group in groups.items():
        files[label] = folder / f"{label}.jsonl"
        files[label].write_text("".join(json.dumps(x) + "\n" for x in group))
    right = [g[0]["file"] for g in groups.values() if not g[0]["wrong"]]
    print(f"{len(groups)} kernels, of which {len(right)} are right", flush=True)
    began = time.time()

    def both(label: str) -> tuple[str, dict[str, Any]]:
        return label, {
            "wrong": groups[label][0]["wrong"],
            "dims": [x["dims"] for x in groups[label]],
            "guarded": started([sys.executable], files[label]),
            "sanitized": started(["compute-sanitizer", "--tool", "memcheck", "--print-limit", "1",
                                  sys.executable], files[label], "--exact"),
        }  # fmt: skip

    with ThreadPoolExecutor(jobs) as pool:
        found = dict(pool.map(both, groups))
    out.write_text(json.dumps({
        "device": torch.cuda.get_device_name(), "torch": torch.__version__,
        "triton": triton.__version__, "kernels": found,
    }))  # fmt: skip
    print(f"{time.time() - began:.0f} s")


def started(command: list[str], questions: Path, *options: str) -> dict[str, Any]:
    """Run the launches of a kernel in a process, and return what it said."""
    done = subprocess.run(
        [*command, "-m", "tests.triton.device", "launch", str(questions), *options],
        capture_output=True, text=True, cwd=ROOT, timeout=500,
        env=os.environ | ({"PYTORCH_NO_CUDA_MEMORY_CACHING": "1"} if options else {}),
    )  # fmt: skip
    said = [json.loads(x) for x in done.stdout.splitlines() if x.startswith("{")]
    told = [x for x in done.stdout.splitlines() if x.startswith("=========")]
    first = next((x[9:].strip() for x in told if "Invalid" in x or "Misaligned" in x), "")
    ended = "" if done.returncode == 0 else (done.stderr.strip().splitlines() or ["?"])[-1][-200:]
    return {"launches": said, "sanitizer": first, "ended": ended}


def launch(question: dict[str, Any], exact: bool) -> dict[str, Any]:
    """Launch a kernel, and return which bytes are not what they should be.

    With `exact` every array is an allocation of just its size.
    """
    import numpy as np
    import torch
    import triton

    from .judge.__main__ import KERNELS, _array

    spec = importlib.util.spec_from_file_location("kernels", KERNELS / question["file"])
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["kernels"] = module
    spec.loader.exec_module(module)
    kernel = getattr(module, question["kernel"])
    arguments = dict(question["constexprs"])
    arguments |= {name: held for name, (_, held) in question["numbers"].items()}
    buffers, spans = {}, {}
    for k, (name, said) in enumerate(question["arrays"].items()):
        array = _array(k, name, said, question["how"])
        item = array.dtype.itemsize
        held = np.ascontiguousarray(array.initial(np.arange(array.size // item))).view(np.uint8)
        # As aligned as is said, and no more.
        guard, after = said["align"] % 256 + (not exact) * GUARD, (not exact) * GUARD
        whole = np.full(guard + array.size + after, POISON, np.uint8)
        whole[guard : guard + array.size] = held
        buffers[name] = (
            torch.from_numpy(whole).cuda() if whole.size else torch.empty(0, device="cuda")
        )
        spans[name] = (guard, array)
        first = guard + array.offset
        kind = _TORCH[said["type"]]
        arguments[name] = (
            buffers[name][first:].view(getattr(torch, kind)) if whole.size else buffers[name]
        )
    triton.set_allocator(lambda size, *_: torch.empty(size, dtype=torch.int8, device="cuda"))
    torch.cuda.synchronize()
    kernel[tuple(question["grid"])](**arguments)
    torch.cuda.synchronize()
    found: dict[str, Any] = {"outside": [], "differs": [], "compared": 0}
    for name, (guard, array) in spans.items():
        left = buffers[name].cpu().numpy().view(np.uint8)
        rim = np.concatenate([left[:guard], left[guard + array.size :]])
        if (rim != POISON).any():
            found["outside"].append(name)
        if "leaves" in question:
            wanted = np.frombuffer(base64.b64decode(question["leaves"][name]), np.uint8)
            kind = question["arrays"][name]["type"]
            got = left[guard : guard + array.size]
            found["compared"] += array.size // array.dtype.itemsize
            if not _alike(kind, got.copy(), wanted.copy()):
                found["differs"].append(name)
    return found


_TORCH = {
    "fp64": "float64", "fp32": "float32", "fp16": "float16", "bf16": "bfloat16",
    "fp8e5": "float8_e5m2", "fp8e4nv": "float8_e4m3fn", "i64": "int64", "i32": "int32",
    "i16": "int16", "i8": "int8", "u64": "uint64", "u32": "uint32", "u16": "uint16", "u8": "uint8",
    "i1": "bool",
}  # fmt: skip


def _alike(kind: str, got: Any, wanted: Any) -> bool:
    import torch

    if kind not in NEAR or not got.size:
        return bool((got == wanted).all())
    one, other = (
        torch.from_numpy(x).view(getattr(torch, _TORCH[kind])).double() for x in (got, wanted)
    )
    return bool(torch.allclose(one, other, rtol=NEAR[kind], atol=NEAR[kind], equal_nan=True))


# --- the table ------------------------------------------------------------------------------------


def table(results: Path) -> None:
    """Decide the kernels, and write what the GPU showed beside it."""
    from .cases import cases
    from .verdicts import outcome, ttir

    said = json.loads(results.read_text())
    kernels = said["kernels"]
    wrong = [c for c in cases() if kernels.get(c.label, {}).get("wrong")]
    decided = {c.label: outcome(c, a) for c, a in zip(wrong, ttir(wrong), strict=True)}
    right = [k for k in kernels.values() if not k["wrong"]]
    launches = [x for k in right for x in k["guarded"]["launches"]]
    lines = [
        "# Triton kernels on a GPU, and their verdicts",
        "",
        f"{said['device']}, torch {said['torch']}, Triton {said['triton']}. "
        "Written by `python -m tests.triton.device`, whose first lines say how.",
        "",
        f"Kernels that access what they may: {len(right)}, in {len(launches)} launches between "
        f"guard zones; {sum(x['compared'] for x in launches):,} elements compared with those "
        "of Triton's interpreter.",
        "",
    ]
    strange = [
        f"- {label}: {why} ({FREE.get(label, 'why is not known')})"
        for label, k in kernels.items()
        if not k["wrong"] and (why := shown(k))
    ]
    lines += ["What differs, or is touched outside:", "", *strange] if strange else [
        "None differs, none touches a guard zone, and memcheck is silent on all."]  # fmt: skip
    lines += ["", "Kernels with a fault, launched where an execution showed it:", "",
              "| fault | kernels | guard zones, error | memcheck | values | any | refuted |",
              "|---|---:|---:|---:|---:|---:|---:|"]  # fmt: skip
    for fault in FAULTS:
        some = {n: k for n, k in kernels.items() if fault in k["wrong"]}
        ways = {n: ways_of(k) for n, k in some.items()}
        seen = Counter(w for x in ways.values() for w in x)
        refuted = sum(decided[n].verdicts[fault] == "refuted" for n in some)
        lines.append(
            f"| {fault} | {len(some)} | {seen['guard zones']} | {seen['memcheck']} "
            f"| {seen['values']} | {sum(map(bool, ways.values()))} | {refuted} |"
        )
    lines += [
        "",
        "A kernel with two faults stands in two rows; which of them was seen, is not told.",
    ]
    lines += ["", "| kernel | fault | seen by |", "|---|---|---|"]
    for label, k in sorted(kernels.items()):
        if k["wrong"]:
            lines.append(
                f"| {label} | {', '.join(k['wrong'])} | {', '.join(ways_of(k)) or 'nothing'} |"
            )
    REPORT.write_text("\n".join(lines) + "\n")
    print(f"wrote {REPORT}")


def ways_of(kernel: dict[str, Any]) -> list[str]:
    """By what a fault was seen."""
    guarded, checked = kernel["guarded"], kernel["sanitized"]
    found = {
        "guard zones": any(x["outside"] for x in guarded["launches"]) or bool(guarded["ended"]),
        "memcheck": bool(checked["sanitizer"]),
        "values": any(x["differs"] for x in guarded["launches"]),
    }
    return [name for name, yes in found.items() if yes]


def shown(kernel: dict[str, Any]) -> str:
    """What a launch showed that should show nothing."""
    guarded, checked = kernel["guarded"], kernel["sanitized"]
    found = [
        ", ".join(f"{n}={v}" for n, v in dims.items())
        + f": {', '.join(x['outside'] + x['differs'])}"
        for dims, x in zip(kernel["dims"], guarded["launches"], strict=False)
        if x["outside"] or x["differs"]
    ]
    return "; ".join(
        [*found, *filter(None, (guarded["ended"], checked["sanitizer"], checked["ended"]))]
    )


if __name__ == "__main__":
    main()
