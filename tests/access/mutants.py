"""`python -m tests.access.mutants [seconds] [seed]`: our kernels with small mistakes put in.

A mutant differs from a kernel in one or two tokens, or lacks a barrier or an assumption. What is
true of it nobody says: executions on the CPU show what is violated, and neither may a verdict say
that this is proved, nor may a counterexample fail to happen there.
"""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from symcute.errors import SymcuteError
from symcute.kernel.checking import check
from symcute.kernel.findings import verdict_of
from tests.access.cases import KERNEL, PROPERTIES, Case, cases
from tests.access.confirm import confirmed
from tests.access.ground_truth import launch_fault, violations
from tests.access.host import Program
from tests.access.replay import kernel_of, setting_of

PER_FILE, RUNS, TIMEOUT = 3, 6, 8.0
#: A pattern, and what may stand in its place.
CHANGES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r" < ", (" <= ", " > ")), (r" <= ", (" < ",)), (r" > ", (" >= ", " < ")), (r" >= ", (" > ",)),
    (r" \+ ", (" - ", " * ")), (r" - ", (" + ",)), (r" \* ", (" + ", " / ")), (r" / ", (" % ",)),
    (r" && ", (" || ",)), (r" \|\| ", (" && ",)), (r" == ", (" != ", " <= ")),
    (r"__syncthreads\(\);", (";", "__syncwarp();")), (r"__syncwarp\(\);", (";",)),
    (r"\bthreadIdx\.x\b", ("threadIdx.y", "0")), (r"\bthreadIdx\.y\b", ("threadIdx.x",)),
    (r"\bblockIdx\.x\b", ("blockIdx.y", "0")), (r"\bblockIdx\.y\b", ("blockIdx.x",)),
    (r"\(size_t\)", ("",)), (r"\(long long\)", ("",)), (r"\bint ", ("unsigned ", "short ")),
    (r"\bm\b", ("n",)), (r"\bn\b", ("m",)), (r"\breturn;", (";",)),
    (r"atomicAdd\(([^,;]*), ", (r"__ldg(\1); (void)(",)),
    (r"(?<![\w.])\d+(?![\w.])", ("+1", "-1", "*2")),
)  # fmt: skip


def mutated(text: str, random: Random) -> str:
    """A kernel with one change."""
    apply = [(p, instead) for p, instead in CHANGES if re.search(p, text)]
    pattern, instead = random.choice(apply)
    m, new = random.choice(list(re.finditer(pattern, text))), random.choice(instead)
    if len(new) == 2 and new[0] in "+-*":
        number = int(m[0])
        new = str({"+": number + 1, "-": max(number - 1, 0), "*": number * 2}[new[0]])
    return text[: m.start()] + m.expand(new) + text[m.end() :]


def mutants(case: Case, random: Random, count: int) -> str:
    """The file of a kernel, with mutants of it in the place of the kernels."""
    text = case.file.read_text(encoding="utf-8")
    spans = [(m, text.index("\n}\n", m.end()) + 3) for m in KERNEL.finditer(text)]
    mine = next((m, end) for m, end in spans if m[3] == case.name)
    for m, end in reversed(spans):
        text = text[: m.start()] + text[end:]
    notes = [n for n in mine[0][1].splitlines() if "truth:" not in n and "run:" not in n]
    whole = case.file.read_text(encoding="utf-8")[mine[0].end(1) : mine[1]]
    for k in range(count):
        body, left = whole, list(notes)
        for _ in range(random.choice((1, 1, 2))):
            body = mutated(body, random)
        assumed = [n for n in left if "assume" in n]
        if assumed and random.random() < 0.15:
            left.remove(random.choice(assumed))
        body = re.sub(rf"\b{case.name}\b", f"{case.name}_{k}", body, count=1)
        text += "\n" + "\n".join(left) + "\n" + body
    return text


def contradictions(case: Case, program: Program, said: Counter[str]) -> Iterator[str]:
    """Yield the verdicts on a mutant that executions contradict."""
    findings = check(kernel_of(case), setting_of(case), PROPERTIES, timeout=TIMEOUT)
    verdicts = verdict_of(findings)
    said.update(verdicts.values())
    runs = [r for r in case.small_runs(RUNS) if not launch_fault(case, r.dims)]
    for run, execution in zip(runs, program.run(case, runs), strict=True):
        for name, why in violations(case, run, execution).items():
            if verdicts.get(name) == "proved" and not (name == "no_overflow" and "shift" in why):
                yield f"{name} is proved, but {dict(run.dims)}: {why}"
    for f in findings:
        if f.status == "refuted" and confirmed(case, f, program) is False:
            yield f"{f}: {f.counterexample}"


def look(case: Case, random: Random, folder: Path, said: Counter[str]) -> Iterator[str]:
    """Make mutants of a kernel, and yield what is wrongly said of them, with their source."""
    file = folder / f"{case.name}_{random.randrange(10**9)}.cu"
    file.write_text(mutants(case, random, PER_FILE), encoding="utf-8")
    try:
        program = Program(file)
    except AssertionError:  # g++ does not take one of them
        said["not compiled"] += 1
        return
    for mutant in program.cases:
        try:
            for what in contradictions(mutant, program, said):
                yield f"{mutant.label}: {what}\n{mutant.body}"
        except SymcuteError as error:
            said[f"refused: {type(error).__name__}"] += 1
    program.path.unlink()


def main(words: list[str]) -> int:
    """Look at mutants for some seconds."""
    seconds, seed = float(words[0]) if words else 60.0, int(words[1]) if len(words) > 1 else 0
    random, said, wrong = Random(seed), Counter[str](), 0
    begin = time.monotonic()
    with TemporaryDirectory() as folder:
        while time.monotonic() - begin < seconds:
            case = random.choice(cases())
            for what in look(case, random, Path(folder), said):
                print(f"!!! {what}\n", flush=True)
                wrong += 1
    print(dict(said), f"{wrong} contradicted")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
