"""Random kernels: the verdicts beside what happens when g++ has compiled them.

One batch again: `python -m tests.soak.kernels SEED/NUMBER`.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from symcute.errors import InternalError, SymcuteError
from symcute.kernel.checking import check
from symcute.kernel.findings import Finding, verdict_of
from tests.access import host, replay
from tests.access.cases import PROPERTIES, Case, Run, value
from tests.access.confirm import confirmed
from tests.access.ground_truth import launch_fault, violations
from tests.access.mutants import mutated

from .box import box
from .cooperating import TOGETHER
from .evaluate import Senseless, Unclear, number
from .expressions import anything
from .idioms import ALONE, written
from .reading import read
from .tally import Tally, draw_again

#: Kernels of a file, executions at small sizes and at the ends of the ranges, seconds of a check.
BATCH, SMALL, ENDS, SECONDS = 8, 3, 2, 4.0
THREADS, RECORDS = 400, 8000
#: Elements for which the CPU has room behind the start of an array.
REACH = 1 << 31


#: What a parameter n or m may be called, and how its number in a note may be written.
NAMES = (
    "n", "row", "size", "rank", "cols", "E", "I", "S", "len_", "pi", "shape", "max_n", "N", "gamma",
)  # fmt: skip
NOTES = (
    "2*({x}/2)", "({x}//2)*2", "ceil_div({x},2)*2", "min({x},{x})", "max({x},4)", "{x} - {x} % 2",
    "({x}*3)/3", "({x} + 1)/2*2", "{x} - 1", "{x} + 1", "4*({x}/4) + 4", "{x}*{x}/{x}",
)  # fmt: skip


def renamed(text: str, rng: Random) -> str:
    """Return a kernel whose sizes are called otherwise."""
    for old, new in zip("nm", rng.sample(sorted(set(NAMES)), 2), strict=True):
        if not re.search(rf"\b{new}\b", text):
            text = re.sub(rf"\b{old}\b", new, text)
    return text


def renoted(text: str, rng: Random) -> str:
    """Return a kernel with an extent that is written in another way."""
    found = list(re.finditer(r"^// symcute: extent \w+ = (.*)$", text, re.MULTILINE))
    if not found:
        return text
    m = rng.choice(found)
    return text[: m.start(1)] + rng.choice(NOTES).format(x=f"({m[1]})") + text[m.end(1) :]


def draw(seed: str) -> list[tuple[str, bool]]:
    """Return kernels as text, and of each whether it is right as it was written."""
    rng = Random(f"kernels of {seed}")
    found = []
    for k in range(BATCH):
        if rng.random() < 0.3:
            found.append((written(anything(rng), f"k{k}"), False))
            continue
        text, right = written(rng.choice((*ALONE, *TOGETHER))(rng), f"k{k}"), True
        while rng.random() < 0.45:
            start = text.index("__global__")
            head, body = text[:start], text[start:]
            name, body = body[: body.index("{")], body[body.index("{") :]
            text, right = f"{head}{name}{mutated(body, rng)}", False
        if rng.random() < 0.3:
            text = renamed(text, rng)
        if rng.random() < 0.1:
            text, right = renoted(text, rng), False
        if rng.random() < 0.1 and "// symcute: assume" in text:
            lines = text.splitlines(keepends=True)
            lines.remove(rng.choice([x for x in lines if "symcute: assume" in x]))
            text, right = "".join(lines), False
        found.append((text, right))
    return found


def one(seed: str, tally: Tally) -> None:
    """Draw a file of kernels, have each decided, and execute it."""
    with TemporaryDirectory() as folder:
        look(draw(seed), Path(folder), seed, tally)


def look(kernels: list[tuple[str, bool]], folder: Path, seed: str, tally: Tally) -> None:
    """Compile and compare; what g++ does not take is left out."""
    file = folder / f"soak_{len(list(folder.iterdir()))}.cu"
    text = "\n".join(t for t, _ in kernels)
    file.write_text(f"// Random kernels.\n\n{text}", encoding="utf-8")
    try:
        program = host.Program(file)
    except AssertionError as error:
        if len(kernels) == 1:
            tally.counts["kernels not compiled"] += 1
            if kernels[0][1]:
                tally.fault(f"NOT COMPILED {error}"[-400:], _again(seed, kernels[0][0]))
            return
        half = len(kernels) // 2
        look(kernels[:half], folder, seed, tally)
        look(kernels[half:], folder, seed, tally)
        return
    try:
        for case, (source, right) in zip(program.cases, kernels, strict=True):
            tally.counts["kernels"] += 1
            judge(case, program, right, tally, Random(f"{seed} {case.name}"), _again(seed, source))
    finally:
        program.path.unlink()
        for cached in (replay.source, replay.kernel_of, replay.setting_of, host.program):
            cached.cache_clear()


def _again(seed: str, source: str) -> str:
    return f"{seed}: {source!r}"


def judge(
    case: Case, program: host.Program, right: bool, tally: Tally, rng: Random, again: str
) -> None:
    """Compare the verdicts on a kernel with executions of it."""
    began = time.monotonic()
    try:
        kernel, setting = replay.kernel_of(case), replay.setting_of(case)
        findings = check(kernel, setting, PROPERTIES, timeout=SECONDS)
    except SymcuteError as error:
        tally.counts[f"kernels refused: {type(error).__name__}"] += 1
        if right or isinstance(error, InternalError):
            tally.fault(f"REFUSED {error}", again)
        return
    except Exception as error:
        tally.fault(f"CRASH {type(error).__name__}: {error}", again)
        return
    tally.counts["kernels: milliseconds"] += int(1000 * (time.monotonic() - began))
    verdicts = dict(verdict_of(findings))
    for name, verdict in verdicts.items():
        tally.counts[f"{name}: {verdict}"] += 1
        if right:
            tally.counts[f"right kernels, {verdict}"] += 1
    for f in findings:
        if "disagree" in f"{f.text} {f.reason}":
            tally.fault(f"DISAGREE {f}", again)
        if f.status == "refuted":
            _refuted(case, f, program, right, tally, again)
    _proved(case, program, verdicts, tally, rng, again)


def _refuted(
    case: Case, f: Finding, program: host.Program, right: bool, tally: Tally, again: str
) -> None:
    if right:
        tally.fault(f"RIGHT, refuted: {f}: {f.counterexample}", again)
        return
    try:
        shown = confirmed(case, f, program)
    except AssertionError as error:
        tally.fault(f"REFUTED, not assumed: {error}", again)
        return
    tally.counts[f"counterexamples: {'not for the CPU' if shown is None else shown}"] += 1
    if shown is False:
        tally.fault(f"REFUTED, does not happen: {f}: {f.counterexample}", again)


def _proved(
    case: Case,
    program: host.Program,
    verdicts: dict[str, str],
    tally: Tally,
    rng: Random,
    again: str,
) -> None:
    runs = [r for r in runs_of(case, rng) if not launch_fault(case, r.dims)]
    told: set[str] = set()
    try:
        executions = program.run(case, runs, RECORDS)
    except AssertionError as error:  # what is written outside of arrays may break the machine
        tally.counts["executions that broke the machine"] += 1
        if verdicts.get("in_bounds") == "proved":
            tally.fault(f"WRONG proved in_bounds: {error}", again)
        return
    for run, execution in zip(runs, executions, strict=True):
        tally.counts["executions"] += 1
        if why := senseless(case, run.dims):
            tally.fault(f"ACCEPTED, makes no sense at {dict(run.dims)}: {why}", again)
            return
        for name, why in violations(case, run, execution).items():
            # The CPU's compiler complains of shifts of numbers below 0, which are defined here.
            if name == "no_overflow" and "shift" in why:
                continue
            at = re.search(r"line=(\d+)", why) if name == "no_overflow" else None
            if at and unused(case.file.read_text(encoding="utf-8"), int(at[1])):
                tally.counts["overflows of what nothing uses"] += 1
                continue
            tally.counts[f"violated {name}: {verdicts.get(name)}"] += 1
            if verdicts.get(name) in ("proved", "not applicable") and name not in told:
                told.add(name)
                tally.fault(f"WRONG proved {name} at {dict(run.dims)}: {why}", again)


def unused(text: str, line: int) -> bool:
    """Return whether what a line assigns ends neither in an address nor in a condition.

    That is seen only where no loop leads back and no line behind it names the variable.
    """
    lines = text.splitlines()
    first = max(k for k in range(line) if "__global__" in lines[k])
    last = next(k for k in range(line, len(lines)) if lines[k].startswith("}"))
    m = re.match(r"\s*(\w+) = [^;]*;\s*$", lines[line - 1])
    loops = any(re.search(r"\b(for|while|do|goto)\b", x) for x in lines[first:last])
    behind = " ".join(lines[line:last])
    return m is not None and not loops and re.search(rf"\b{m[1]}\b", behind) is None


def senseless(case: Case, dims: Mapping[str, int]) -> str:
    """Return why a note has no value at these sizes, or nothing."""
    for text in (*case.grid, *case.block, case.shared, *case.extents.values()):
        try:
            number(read(text), dims)
        except Senseless as error:
            return f"{text}: {error}"
    return ""


def runs_of(case: Case, rng: Random) -> Iterator[Run]:
    """Yield executions at small sizes, and of some blocks at the ends of what is assumed."""
    yield from case.small_runs(SMALL, rng.randrange(1 << 30))
    given = [read(t) for t in case.assumed]
    dims = case.dims()
    spoken = [read(n) for n in dims]
    ends = [_greatest(case, dims, rng) for _ in range(ENDS)]
    try:
        near = list(box(given, spoken, rng, SMALL))
    except Unclear:
        near = []
    for at in (*near, *ends):
        if at is not None and case.admits(at):
            yield from _some(case, at)


def _greatest(case: Case, dims: list[str], rng: Random) -> dict[str, int] | None:
    """Return dims as large as assumptions let them be, each in turn."""
    for _ in range(20):
        found = {n: rng.choice((1, 1, 2, 3, 7)) for n in dims}
        if case.admits(found):
            break
    else:
        return None
    for name in rng.sample(dims, len(dims)):
        low, high = found[name], 1 << 31
        while high - low > 1:
            middle = (low + high) // 2
            fits = case.admits(found | {name: middle}) and not launch_fault(
                case, found | {name: middle}
            )
            low, high = (middle, high) if fits else (low, middle)
        found[name] = max(low - rng.choice((0, 0, 0, 1, 2)), 1)
    return found if case.admits(found) else None


def _some(case: Case, dims: dict[str, int]) -> Iterator[Run]:
    """Yield the execution of the first and the last blocks."""
    if launch_fault(case, dims) or not all(
        0 <= value(t, dims) <= REACH for t in case.extents.values()
    ):
        return
    (x, y, z), block = case.launch(dims)
    threads = block[0] * block[1] * block[2]
    ends = [sorted({0, 1 % k, k // 2, k - 2 if k > 1 else 0, k - 1}) for k in (x, y, z)]
    some = [(i, j, k) for k, j, i in product(ends[2], ends[1], ends[0])]
    most = max(1, THREADS // threads)
    chosen = some[: most // 2] + some[-(most - most // 2) :]
    if x * y * z * threads <= THREADS:
        yield Run(dims)
    else:
        yield Run(dims, tuple(dict.fromkeys(chosen)))


def run(seed: str, numbers: range, tally: Tally) -> None:
    for n in numbers:
        one(f"{seed}/{n}", tally)


if __name__ == "__main__":
    draw_again(one, sys.argv[1:])
