"""NVIDIA's examples of CuTe DSL: what is read, agreed on and decided of layouts, in how much time.

    python -m benchmarks.cutedsl CUTLASS/examples/python/CuTeDSL --json reports/bench/cutedsl.json

The examples are traced with tensors of symbolic sizes, each in a process of its own; a mock stands
in for PyTorch, and no GPU is needed. `FILE.md` beside the JSON has the tables.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from math import prod
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

#: Operations that only name, take apart and put together what others made.
BOOKKEEPING = (
    "cute.get_iter", "cute.get_layout", "cute.get_leaves", "cute.get_scalars", "cute.get_shape",
    "cute.get_stride", "cute.make_coord", "cute.make_int_tuple", "cute.make_shape",
    "cute.make_stride", "cute.make_tile", "cute.make_view", "cute.static", "cute.to_int_tuple",
    "cute.make_atom", "cute.make_tiled_copy", "cute.make_tiled_mma", "cute.memref.alloca",
    "cute.deref_arith_tuple_iter", "cute.make_arith_tuple_iter", "cute.make_swizzle",
)  # fmt: skip
SECONDS = 300
#: Where schedulers of tiles are asked about: elsewhere the number of a tile may wrap.
SIZES = ("m <= 2**20", "N <= 2**17", "l <= 16")
SCHEDULED = (
    "hopper/kernel/dense_gemm/dense_gemm_persistent.py",
    "blackwell/kernel/dense_gemm/dense_gemm_persistent.py",
    "blackwell_geforce/kernel/dense_gemm/dense_gemm.py",
)
#: What is asked of the accesses of kernels.
KERNELS = (
    "launch_valid", "in_bounds", "no_overflow", "aligned", "write_race_free",
    "read_write_race_free", "barrier_uniform",
)  # fmt: skip


def _examples() -> dict[str, tuple[str, Callable[[Any, Any], tuple[Any, tuple[Any, ...]]]]]:
    """Return, for each example, an architecture and what makes host function and arguments."""
    import cutlass
    from cutlass import cute
    from cutlass.cute.runtime import make_fake_stream, make_fake_tensor

    half, single = cutlass.Float16, cutlass.Float32

    sizes: dict[tuple[str, int], Any] = {}

    def tensor(kind: Any, modes: str, major: int, divisor: int = 8) -> Any:
        """A tensor of modes by their names, each of one size; large letters are multiples."""
        rank = len(modes)
        for name in modes:
            by = divisor if name.isupper() else 1
            sizes.setdefault((name, by), cute.sym_int32(divisibility=by, symbol=name))
        shape = tuple(sizes[name, divisor if name.isupper() else 1] for name in modes)
        stride = tuple(
            1 if k == major else cute.sym_int64(divisibility=divisor) for k in range(rank)
        )
        return make_fake_tensor(kind, shape, stride=stride, assumed_align=16)

    def gemm(kind: Any = half) -> tuple[Any, ...]:
        return tuple(tensor(kind, modes, 1) for modes in ("mKl", "NKl", "mNl"))

    def compact(kind: Any, *shape: int) -> Any:
        """A tensor of numbers of elements, the last mode inside."""
        stride = tuple(prod(shape[k + 1 :]) for k in range(len(shape)))
        return make_fake_tensor(kind, shape, stride=stride, assumed_align=16)

    def named(module: Any, end: str) -> Any:
        found = [x for n, x in vars(module).items() if n.endswith(end) and isinstance(x, type)]
        return found[0]

    stream = make_fake_stream
    return {
        "ampere/kernel/elementwise/elementwise_add.py": (
            "sm_80", lambda m, _: (
                m.elementwise_add, tuple(tensor(single, "mN", 1, 4) for _ in range(3))),
        ),
        "ampere/kernel/elementwise/elementwise_apply.py": (
            "sm_80", lambda m, _: (m.elementwise_apply, (
                __import__("operator").add, [tensor(single, "mN", 1, 4) for _ in range(2)],
                tensor(single, "mN", 1, 4), stream())),
        ),
        "ampere/kernel/dense_gemm/sgemm.py": (
            "sm_80", lambda m, _: (
                m.SGemm(), tuple(tensor(single, x, 0, 4) for x in ("Mk", "Nk", "MN"))),
        ),
        "ampere/kernel/dense_gemm/tensorop_gemm.py": (
            "sm_80",
            lambda m, _: (m.TensorOpGemm(half, half, single, (2, 2, 1)), (*gemm(), stream())),
        ),
        "ampere/kernel/attention/flash_attention_v2.py": (
            "sm_80", lambda m, _: (m.FlashAttentionForwardAmpere(128), (
                *(tensor(half, "bshD", 3) for _ in range(4)), single(1.0), stream())),
        ),
        "ampere/kernel/attention/hstu_attention.py": (
            "sm_80", lambda m, _: (
                m.HSTUAttentionForwardAmpere(half, 4, 512, 512, 8, 128), (
                *(compact(half, 4, 512, 8, 128) for _ in range(4)), compact(half, 4, 8, 512, 512),
                stream())),
        ),
        "ampere/tutorial/elementwise_add_autotune.py": (
            "sm_80", lambda m, _: (m.ElementwiseAddWrapper(), (
                *(tensor(single, "mN", 1, 4) for _ in range(3)), 4, 4)),
        ),
        "hopper/kernel/dense_gemm/dense_gemm.py": (
            "sm_90a", lambda m, _: (
                m.HopperWgmmaGemmKernel(single, (128, 128), (1, 1)), (*gemm(), stream())),
        ),
        "hopper/kernel/dense_gemm/dense_gemm_persistent.py": (
            "sm_90a", lambda m, _: (
                m.HopperWgmmaGemmPersistentKernel(single, (128, 128), (1, 1), 1, True),
                (*gemm(), 132, stream())),
        ),
        "blackwell/kernel/dense_gemm/dense_gemm.py": (
            "sm_100a", lambda m, _: (
                named(m, "GemmKernel")(single, False, (128, 128), (1, 1), True),
                (*gemm(), stream())),
        ),
        "blackwell/kernel/dense_gemm/dense_gemm_persistent.py": (
            "sm_100a", lambda m, _: (
                m.PersistentDenseGemmKernel(single, False, (128, 128), (1, 1), True),
                (*gemm(), 148, stream())),
        ),
        "blackwell/tutorial/tutorial_gemm/fp16_gemm_0.py": (
            "sm_100a",
            lambda m, _: (m.host_function, tuple(tensor(half, m, 1) for m in ("mK", "NK", "mN"))),
        ),
        "blackwell/tutorial/tutorial_tma/tma_v0.py": (
            "sm_100a", lambda m, _: (
                m.Sm100SimpleCopyKernel(), (tensor(half, "mN", 1), tensor(half, "mN", 1))),
        ),
        "blackwell/tutorial/tutorial_tma/tma_v1.py": (
            "sm_100a", lambda m, _: (
                m.Sm100MatrixTransposeKernelV1(), (tensor(half, "MN", 1), tensor(half, "NM", 1))),
        ),
        "blackwell_geforce/kernel/dense_gemm/dense_gemm.py": (
            "sm_120a", lambda m, _: (
                m.Sm120GemmKernel(single, (128, 128, 64)), (*gemm(), 132, stream())),
        ),
    }  # fmt: skip


def one(folder: Path, name: str) -> dict[str, Any]:
    """Return what is found of an example, in this process."""
    from symcute.frontends.cutedsl.checking import check_module
    from symcute.frontends.cutedsl.evaluation import evaluate
    from symcute.frontends.cutedsl.text import read_module
    from symcute.frontends.cutedsl.tracing import traced

    sys.modules["torch"] = MagicMock()
    path = folder / "cute" / name
    sys.path.insert(0, str(path.parent))
    started = time.process_time()
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            spec = importlib.util.spec_from_file_location(path.stem, path)
            assert spec is not None and spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            sys.modules[path.stem] = module
            spec.loader.exec_module(module)
            host, arguments = _examples()[name][1](module, None)
            text, names, tensors = traced(host, arguments, {})
    except Exception as error:
        told = [line for line in str(error).splitlines() if line.strip()]
        return {"example": name, "not traced": f"{type(error).__name__}: {' '.join(told[:1])}"}
    tracing = time.process_time() - started
    started = _cpu_seconds()
    given = SIZES if name in SCHEDULED else ()
    asked: dict[str, Any] = {"names": names, "tensors": tensors, "bank_conflicts": 1}
    every = check_module(text, given=given, **asked)
    checking = _cpu_seconds() - started
    # Nothing below is timed. What is claimed of layouts comes before what kernels access.
    findings = check_module(text, properties=(), **asked)
    accessed = every[len(findings) :]
    evaluated = evaluate(read_module(text), names, tensors)
    steps = [s for s in evaluated.steps() if s.operation.results]
    cute = [s for s in steps if s.operation.name.startswith("cute")]
    algebra = [s for s in cute if s.operation.name not in BOOKKEEPING]
    return {
        "example": name,
        "lines": text.count("\n"),
        "operations": len(cute),
        "computed": dict(Counter(s.status for s in cute)),
        "algebra": dict(Counter(s.status for s in algebra)),
        "claims": _counted(findings),
        "properties": _properties(accessed),
        "refuted": [str(f) for f in [*findings, *accessed] if f.status == "refuted"],
        "open": dict(Counter(_short(f.reason) for f in accessed if f.status == "unknown")),
        "unknown": dict(Counter(_short(f.reason) for f in findings if f.status == "unknown")),
        "tracing_cpu_s": round(tracing, 2),
        "checking_cpu_s": round(checking, 2),
    }


def _cpu_seconds() -> float:
    """Return the seconds of the CPU of this process and of its solvers (on Linux)."""
    from symcute.solve.solvers.pool import default_pool

    ticks = 0
    for process in default_pool().workers():
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
        ticks += sum(map(int, stat.rpartition(")")[2].split()[11:13]))
    return sum(os.times()[:4]) + ticks / os.sysconf("SC_CLK_TCK")


def _counted(findings: Any) -> dict[str, dict[str, int]]:
    found: dict[str, Counter[str]] = {}
    for f in findings:
        found.setdefault(f.property, Counter())[f.status] += 1
    return {k: dict(v) for k, v in sorted(found.items())}


def _properties(findings: Any) -> dict[str, str]:
    """Return the worst that was found of each property."""
    order = ("refuted", "unknown", "proved", "not applicable")
    found: dict[str, str] = {}
    for f in findings:
        found[f.property] = min(found.get(f.property, f.status), f.status, key=order.index)
    return found


def _short(reason: str) -> str:
    """Return a reason without the place, which is one of this machine."""
    reason = re.sub(r" at /\S+", "", reason)
    return reason if len(reason) < 90 else reason[:87] + "..."


def run(folder: Path) -> list[dict[str, Any]]:
    """Return what is found of each example, each by a process of its own."""
    os.environ["CUTE_DSL_ARCH"] = "sm_80"
    rows = []
    for name, (arch, _) in _examples().items():
        command = [sys.executable, "-m", "benchmarks.cutedsl", str(folder), "--one", name]
        env = {**os.environ, "CUTE_DSL_ARCH": arch}
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, env=env)
        lines = done.stdout.splitlines()
        if done.returncode or not lines:
            why = f"exit code {done.returncode}: {done.stderr.strip()[-200:]}"
            rows.append({"example": name, "not traced": why})
        else:
            rows.append(json.loads(lines[-1]))
        print(json.dumps(rows[-1])[:400], file=sys.stderr)
    return rows


def _cells(counts: dict[str, int], *names: str) -> list[str]:
    return [str(sum(counts.get(n, 0) for n in name.split())) for name in names]


def markdown(rows: list[dict[str, Any]], version: str) -> str:
    """Return the tables."""
    read = [r for r in rows if "not traced" not in r]
    head = ["example", "agree", "differ or open", "by type", "proved", "refuted", "unknown",
            "tracing s", "checking s"]  # fmt: skip
    lines = [
        "# Layouts in NVIDIA's examples of CuTe DSL", "",
        "`python -m benchmarks.cutedsl FOLDER --json FILE.json`: the examples, traced with tensors",
        f"of symbolic sizes by nvidia-cutlass-dsl {version}. Of the operations of the algebra",
        "(divisions, compositions, slices, partitions, coordinates, sizes; not of those that only",
        "take apart and put together) it is told how many results agree with what our algebra",
        "computes, differ from it or are open, and are known by their types alone. Claims are",
        "those of `check_cute`, conflicts in shared memory included; seconds are of the CPU, that",
        "of solvers included: to trace an example, and to check all of it, claims and accesses.",
        "Kernels with a scheduler of tiles (both `dense_gemm_persistent.py`, and that of GeForce)",
        f"are asked about where {', '.join(SIZES)}, N being an eighth of the extent: tiles are",
        "counted with 32 bits, and their number may wrap in larger ones.", "",
        f"| {' | '.join(head)} |", f"|---|{'---:|' * (len(head) - 1)}",
    ]  # fmt: skip
    for r in read:
        claims: Counter[str] = Counter()
        for counts in r["claims"].values():
            claims.update(counts)
        cells = [
            r["example"], *_cells(r["algebra"], "agrees form", "differs open", "typed"),
            *_cells(claims, "proved", "refuted", "unknown"),
            str(r["tracing_cpu_s"]), str(r["checking_cpu_s"]),
        ]  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", "## What threads access", "",
              "The worst that was found of each property of a kernel.", "",
              f"| example | {' | '.join(KERNELS)} |",
              f"|---|{'---|' * len(KERNELS)}"]  # fmt: skip
    for r in read:
        cells = [r["properties"].get(k, "-") for k in KERNELS]
        lines.append(f"| {r['example']} | {' | '.join(cells)} |")
    lines += ["", "By group: claims that are decided, and the properties above.", "",
              "| group | claims decided | of | properties decided | of |",
              "|---|---:|---:|---:|---:|"]  # fmt: skip
    for group in dict.fromkeys(r["example"].partition("/")[0] for r in read):
        mine = [r for r in read if r["example"].startswith(f"{group}/")]
        claims = Counter()
        for r in mine:
            for counts in r["claims"].values():
                claims.update(counts)
        told = [r["properties"].get(k, "unknown") for r in mine for k in KERNELS]
        done = [claims.total() - claims["unknown"], claims.total(),
                sum(x != "unknown" for x in told), len(told)]  # fmt: skip
        lines.append(f"| {group} | {' | '.join(map(str, done))} |")
    lines += ["", "## By property", "", "| property | proved | refuted | unknown |",
              "|---|---:|---:|---:|"]  # fmt: skip
    properties: dict[str, Counter[str]] = {}
    for r in read:
        for name, counts in r["claims"].items():
            properties.setdefault(name, Counter()).update(counts)
    for name, counts in sorted(properties.items()):
        lines.append(f"| {name} | {' | '.join(_cells(counts, 'proved', 'refuted', 'unknown'))} |")
    lines += ["", "## Refuted", ""]
    lines += [f"- {r['example']}: {x}" for r in read for x in r["refuted"]] or ["Nothing."]
    lines += ["", "## Not understood", "", "| reason | claims |", "|---|---:|"]
    reasons: Counter[str] = Counter()
    for r in read:
        reasons.update(r["unknown"])
    lines += [f"| {k.replace('|', '/')} | {n} |" for k, n in reasons.most_common(20)]
    lines += ["", "## Not decided of accesses", "", "| reason | findings |", "|---|---:|"]
    reasons = Counter()
    for r in read:
        reasons.update(r["open"])
    lines += [f"| {k.replace('|', '/')} | {n} |" for k, n in reasons.most_common(20)]
    gone = [r for r in rows if "not traced" in r]
    if gone:
        lines += ["", "## Not traced", ""]
        lines += [f"- {r['example']}: {r['not traced'][:300]}" for r in gone]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run all examples, or one."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--one")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(one(options.folder, options.one)))
        return
    from importlib.metadata import version

    rows = run(options.folder)
    text = markdown(rows, version("nvidia-cutlass-dsl"))
    if options.json:
        shown = json.dumps(rows, indent=1).replace(str(options.folder), "")
        options.json.write_text(shown + "\n", encoding="utf-8")
        table = text.replace(str(options.folder), "")
        options.json.with_suffix(".md").write_text(table, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
