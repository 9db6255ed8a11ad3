"""Random kernels over both roads: the same accesses, and verdicts that do not contradict.

One file again: `python -m tests.soak.roads SEED/NUMBER`.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from itertools import accumulate
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from symcute.cli.roads import contradictions
from symcute.errors import InternalError, SymcuteError
from symcute.frontends.cuda import read_kernels
from symcute.frontends.front_end import SourceError
from symcute.frontends.llvm.source import read_through_llvm
from symcute.kernel.checking import check
from symcute.kernel.findings import verdict_of
from symcute.kernel.ir.program import Kernel
from symcute.kernel.ir.verify import verified
from symcute.kernel.launch.notes import read_setting
from tests.access import replay
from tests.access.cases import PROPERTIES, Case
from tests.access.cases import read as cases_of

from . import kernels
from .spellings import HEAD, spelled
from .tally import Tally, draw_again

#: Draws of everyday kernels and the others of one run of clang, executions of each kernel, the work
#: of a check, of one kernel in how many verdicts are compared too.
BATCHES, SPELLED, SMALL, WORK, ASKED = 8, 32, 2, 1000, 8
BATCH = BATCHES * kernels.BATCH + SPELLED


def drawn(seed: str) -> list[str]:
    """Return the kernels of a file, each with a name of its own."""
    found = []
    for batch in range(BATCHES):
        for text, _ in kernels.draw(f"roads {seed}/{batch}"):
            found.append(re.sub(r"(__global__ void k)(?=\d)", rf"\g<1>{batch}_", text, count=1))
    rng = Random(f"roads {seed}")
    return [*found, *(spelled(rng, f"s{n}") for n in range(SPELLED))]


def one(seed: str, tally: Tally) -> None:
    """Draw a file of kernels, and compare what the roads make of it."""
    with TemporaryDirectory() as folder:
        look(drawn(seed), Path(folder), seed, tally)


def look(texts: list[str], folder: Path, seed: str, tally: Tally) -> None:
    """Read a file on both roads; what clang does not take is left out."""
    left, tried = list(texts), 0
    while True:
        tried += 1
        file = folder / f"roads_{tried}.cu"
        starts = list(accumulate((x.count("\n") + 1 for x in left), initial=HEAD.count("\n") + 2))
        file.write_text(f"{HEAD}\n" + "\n".join(left), encoding="utf-8")
        try:
            llvm, ast = read_through_llvm(file, timeout=600).kernels, read_kernels(file).kernels
            break
        except SourceError as error:
            number = 0 if error.place is None else bisect_right(starts, error.place.line)
            if not 0 < number <= len(left):
                tally.fault(f"NOT READ {error}", seed)
                return
            del left[number - 1]
            tally.counts["kernels that do not compile"] += 1
    for case, text in zip(cases_of(file), left, strict=True):
        again = f"{seed}: {text!r}"
        tally.counts["roads"] += 1
        if case.name not in ast or case.name not in llvm:
            tally.fault("MISSING on one road", again)
            continue
        try:
            judge(case, ast[case.name], llvm[case.name], tally, Random(again), again)
        except Exception as error:
            if not isinstance(error, SymcuteError) or isinstance(error, InternalError):
                tally.fault(f"CRASH {type(error).__name__}: {error}", again)
            tally.counts[f"kernels refused: {type(error).__name__}"] += 1


def judge(case: Case, ast: Kernel, llvm: Kernel, tally: Tally, rng: Random, again: str) -> None:
    """Compare two programs of one kernel: what they access, and what is said of them."""
    roads = [(verified(kernel), read_setting(kernel)) for kernel in (ast, llvm)]
    if not rng.randrange(ASKED):
        said = []
        for kernel, setting in roads:
            found = check(kernel, setting, PROPERTIES, work=WORK, hints=0)
            verdicts = dict(verdict_of(found))
            what = {"verdicts": verdicts, "findings": [f.to_json() for f in found]}
            said.append([{"file": "", "kernel": case.name, "launch": None, **what}])
            tally.counts.update(f"on roads, {v}" for v in verdicts.values())
        for _, error in contradictions(*said):
            tally.fault(f"CONTRADICTION {error}", again)
    # Constants are registers for one road, or an array of a function or of the module.
    tables = {a.name for kernel, _ in roads for a in kernel.arrays if a.space == "constant"}
    for run in case.small_runs(SMALL, rng.randrange(1 << 30)):
        seen, open = [], False
        for kernel, setting in roads:
            trace, asked = replay.simulate(case, run, kernel, setting)
            if not trace.complete or trace.unsupported:
                break
            open |= bool(asked)
            ours = replay.records(case, run, trace, kernel)
            seen.append(replay.alike([r._replace(line=0) for r in ours if r.array not in tables]))
        # What is not known may be anything on either road, and is nothing where they agree.
        known = len(seen) == len(roads) and not (open and seen[0] != seen[1])
        tally.counts[f"executions on roads {'compared' if known else 'not known'}"] += 1
        if known and seen[0] != seen[1]:
            tally.fault(f"OTHER ACCESSES at {dict(run.dims)}", again)


def run(seed: str, numbers: range, tally: Tally) -> None:
    for n in numbers:
        one(f"{seed}/{n}", tally)


if __name__ == "__main__":
    draw_again(one, sys.argv[1:])
