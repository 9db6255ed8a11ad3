"""What is said of the Triton kernels of repositories that have never heard of symcute.

    python -m benchmarks.triton FOLDER... --out reports/bench/triton

Nothing but kernels is run: of each file a copy is made that keeps its functions under `triton.jit`,
at their lines, constants, and functions that say blocks of descriptors, which nobody calls. What
types arguments have, and which constants a launch gives, is guessed as `symcute check` guesses it
where no launch is known: each property is decided under the conditions of a contract. `OUT.json`
keeps what was said of each kernel, so that a run that was stopped goes on where it was; kernels are
taken in random order, and what was decided then is a sample. `OUT.md` has the counts. A folder
holds its commit in `.commit`.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import resource
import time
from collections import Counter
from collections.abc import Iterable
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Any

from symcute.frontends.front_end import SourceError
from symcute.frontends.triton.blocks import blocks_of
from symcute.frontends.triton.compiler import Compiler
from symcute.frontends.triton.guessing import guesses
from symcute.frontends.triton.reading import program
from symcute.frontends.triton.source import Jitted, jitted
from symcute.kernel.contracts.contract import contract
from symcute.kernel.findings import PROPERTIES
from symcute.kernel.ir.inside import every
from symcute.kernel.ir.program import Havoc, Kernel, NotUnderstood, Pointer
from symcute.kernel.ir.verify import verified

_HEAD = "import math, triton; import triton.language as tl; from triton import jit; "
_LIBRARY = (
    "tanh", "erf", "exp", "pow", "log1p", "sqrt", "rsqrt", "isinf", "isnan", "atan2", "fmod",
)  # fmt: skip


# --- a copy with kernels alone --------------------------------------------------------------------


def copied(file: Path, folder: Path) -> Path:
    """Write the kernels of a file, each line where it was."""
    text = file.read_text(encoding="utf-8")
    lines, kept = text.splitlines(), set[int]()
    jits = set[int]()
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and any(map(_is_jit, node.decorator_list)):
            jits |= {d.lineno for d in node.decorator_list if _is_jit(d)}
            kept |= set(range(node.lineno, (node.end_lineno or 0) + 1))
        elif (isinstance(node, ast.FunctionDef) and _only_says_blocks(node)) or (
            isinstance(node, ast.Assign | ast.AnnAssign) and _is_constant(node.value)
        ):
            kept |= set(range(node.lineno, (node.end_lineno or 0) + 1))
    body = ["@triton.jit" if k in jits else s if k in kept else "" for k, s in enumerate(lines, 1)]
    held = "\n".join(body)
    called = [n for n in _LIBRARY if re.search(rf"(?<![\w.]){n}\(", held)]
    head = _HEAD + (f"from triton.language.extra.libdevice import {', '.join(called)}; "
                    if called else "") + "from triton.language.extra import libdevice"  # fmt: skip
    if body and body[0]:
        body.insert(0, "")
    made = folder / f"{file.parent.name}_{file.stem}.py".replace("-", "_")
    made.write_text("\n".join([head, *body[1:]]) + "\n", encoding="utf-8")
    return made


def _is_jit(decorator: ast.expr) -> bool:
    inner = decorator.func if isinstance(decorator, ast.Call) else decorator
    return ast.unparse(inner) in ("triton.jit", "jit")


def _only_says_blocks(function: ast.FunctionDef) -> bool:
    """Is it a hook before launches? Nobody calls it here, and its text says blocks."""
    plain = not (function.decorator_list or function.args.defaults or function.returns)
    annotated = any(a.annotation for a in function.args.args)
    return plain and not annotated and bool(blocks_of(ast.Module([function], [])))


def _is_constant(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Constant) or (
        isinstance(value, ast.Call) and ast.unparse(value.func) in ("tl.constexpr", "constexpr")
    )


# --- verdicts -------------------------------------------------------------------------------------


def read(kernel: Jitted, compiler: Compiler) -> dict[str, Any]:
    """Return what Triton takes of a kernel, and what of it is not understood."""
    answer: dict[str, Any] = {}
    for types, constants in guesses(kernel, compiler.tuning(kernel), {}):
        kernel.types, kernel.constants = types, constants
        try:
            answer = compiler.ttir(kernel)
        except SourceError as error:
            answer = {"error": error.what}
        if "error" not in answer:
            break
    else:
        return {"refused": str(answer["error"])}
    begin = time.process_time()
    made = verified(program(kernel, answer))
    reasons = [
        s for s in every(made.body)
        if isinstance(s, NotUnderstood) or (isinstance(s, Havoc) and s.type == Pointer())
    ]  # fmt: skip
    return {
        "line": kernel.place.line,
        "types": types, "constants": constants,
        "unknown": [f"{s.place.line}: {s.reason}" for s in reasons],
        "cpu_lowering": round(time.process_time() - begin, 3),
    }  # fmt: skip


def told(kernel: Kernel, limit: int) -> dict[str, Any]:
    """Return the verdicts on a kernel, found in a process that may take so many seconds of CPU."""
    context = get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_told, args=(kernel, limit, there))
    process.start()
    there.close()
    try:
        found: dict[str, Any] = here.recv()
    except EOFError:
        verdicts = {p: "unknown" for p in PROPERTIES if p not in ("covers", "implements")}
        why = dict.fromkeys(verdicts, "the limit of CPU time")
        found = {"verdicts": verdicts, "why": why, "conditions": [], "cpu": float(limit)}
    process.join()
    return found


def _told(kernel: Kernel, limit: int, answer: Any) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    begin = time.process_time()
    found = contract(kernel, quick=True)
    verdicts = found.verdicts()
    why = {f.property: str(f.counterexample or f.reason or f.text)
           for f in found.findings if verdicts[f.property] == "unknown"}  # fmt: skip
    conditions = [c.text for c in found.conditions]
    cpu = round(time.process_time() - begin, 3)
    answer.send({"verdicts": verdicts, "why": why, "conditions": conditions, "cpu": cpu})


def measured(folder: Path, kept: Path, outcomes: dict[str, Any], limit: int) -> None:
    """Read and decide what was not yet; `limit` is 0 where it is only to be read."""
    copies, compiler = Path(mkdtemp()), Compiler(120)
    found: list[tuple[str, Jitted]] = []
    for file in sorted(folder.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if "triton.jit" in text or "import jit" in text:
            copy = copied(file, copies)
            for kernel in jitted(str(copy), copy.read_text(encoding="utf-8")):
                name = f"{folder.name}/{file.relative_to(folder).as_posix()}:{kernel.name}"
                found.append((name, kernel))
    # What was decided when a run is stopped is then a sample.
    Random(1).shuffle(found)  # noqa: S311
    for name, kernel in found:
        known = outcomes.setdefault(name, {})
        if not known:
            known |= read(kernel, compiler)
        if limit and "unknown" in known and "verdicts" not in known:
            kernel.types, kernel.constants = known["types"], known["constants"]
            known |= told(verified(program(kernel, compiler.ttir(kernel))), limit)
        kept.write_text(json.dumps(outcomes, indent=1) + "\n", encoding="utf-8")
        print(name, known.get("refused") or known.get("verdicts") or known["unknown"], flush=True)
    compiler.close()


# --- the table ------------------------------------------------------------------------------------


def summary(outcomes: dict[str, Any], commits: Iterable[str], limit: int) -> str:
    """Return the counts as Markdown."""
    lines = [
        "# Triton as it lies in repositories", "", *(f"- {c}" for c in commits), "",
        "Types of arguments and constants are guessed, and no launch is known: `decided` is proved "
        "under the conditions of a contract that symcute found itself, or nothing to prove. "
        f"A kernel that took more than {limit} s of CPU is open in all properties. `asked` are "
        "those of the kernels, drawn at random, that were decided.", "",
        "| files | kernels | compiled | nothing unknown | asked | properties | decided "
        "| CPU s: median | longest |", "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]  # fmt: skip
    folders = sorted({n.partition("/")[0] for n in outcomes})
    for name in [*folders, ""]:
        lines.append(_row(name or "all", [o for n, o in outcomes.items() if n.startswith(name)]))
    found = [o.get("verdicts", {}) for o in outcomes.values()]
    open_ = Counter(p for v in found for p in v if v[p] == "unknown")
    lines += ["", "Open properties: " + ", ".join(f"{p} {n}" for p, n in open_.most_common()), ""]
    told = [[w.partition(": ")[2] for w in o.get("unknown", ())] for o in outcomes.values()]
    lines += _causes("What is not understood", (w for ws in told for w in ws))
    whys = [list(o.get("why", {}).values()) for o in outcomes.values()]
    lines += _causes("Why a property is open", (w for ws in whys for w in ws))
    refused = (o["refused"] for o in outcomes.values() if "refused" in o)
    lines += _causes("What Triton does not take, as it is guessed", refused)
    return "\n".join(lines).rstrip() + "\n"


def _row(name: str, here: list[dict[str, Any]]) -> str:
    compiled = [o for o in here if "unknown" in o]
    asked = [o for o in compiled if "verdicts" in o]
    verdicts = [v for o in asked for v in o["verdicts"].values()]
    decided = sum(v != "unknown" for v in verdicts)
    cpu = sorted(o["cpu"] + o["cpu_lowering"] for o in asked) or [0.0]
    whole = sum(not o["unknown"] for o in compiled)
    share = f"{decided} ({100 * decided / max(1, len(verdicts)):.1f} %)"
    understood = f"{whole} ({100 * whole / max(1, len(compiled)):.1f} %)"
    cells = (
        name, len(here), len(compiled), understood, len(asked), len(verdicts), share,
        f"{cpu[len(cpu) // 2]:.2f}", f"{cpu[-1]:.1f}",
    )  # fmt: skip
    return f"| {' | '.join(map(str, cells))} |"


def _causes(title: str, reasons: Iterable[str]) -> list[str]:
    names = re.compile(r"'[^']*'|\b\w*\d+\b|[^ ]+\.py[:\d]*|\([^()]*\)")
    counts = Counter(
        re.sub(r"\u2026(?:[ ,+*]*\u2026)+", "\u2026", names.sub("\u2026", r.split(";")[0]))[:110]
        for r in reasons
    )
    if not counts:
        return []
    rows = (f"| {n} | {why.replace('|', chr(92) + '|')} |" for why, n in counts.most_common(25))
    return [f"## {title}", "", "| n | why |", "|---:|---|", *rows, ""]


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--out", type=Path, default=Path("reports/bench/triton"))
    parser.add_argument("--limit", type=int, default=60, help="CPU seconds of a kernel")
    parser.add_argument("--read", action="store_true", help="read the kernels, and decide nothing")
    args = parser.parse_args()
    kept = args.out.with_suffix(".json")
    outcomes = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    for folder in args.folders:
        measured(folder, kept, outcomes, 0 if args.read else args.limit)
    commits = [(f / ".commit").read_text(encoding="utf-8").strip() for f in args.folders]
    args.out.with_suffix(".md").write_text(summary(outcomes, commits, args.limit), encoding="utf-8")


if __name__ == "__main__":
    main()
