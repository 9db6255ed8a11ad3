"""Both roads over all our kernels: `python -m tests.access.roads [FILE...]` says where they differ.

Notes are the same, and so must verdicts be, but for those that `expected/roads.txt` explains: there
one of both roads leaves open what the other decides. What else differs makes the exit status 1.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from symcute.frontends.llvm.source import read_through_llvm
from symcute.kernel.checking import check
from symcute.kernel.findings import GOOD, verdict_of
from symcute.kernel.ir.program import Kernel
from symcute.kernel.ir.verify import verified
from symcute.kernel.launch.notes import read_setting
from tests.access.cases import KERNELS, Case
from tests.access.cases import read as cases_of
from tests.access.replay import kernel_of

ADVERSARY = Path(__file__).parent / "adversary"
#: Kernels with known truths, and those written to mislead.
FILES = sorted(f for folder in (KERNELS, ADVERSARY) for f in folder.glob("*.cu"))
#: What a file has to include for clang, which the other road knows by itself.
INCLUDED = {"narrow": "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n#include <cuda_fp8.h>\n"}
EXPECTED = Path(__file__).parent / "expected" / "roads.txt"
_LINE = re.compile(r"(\w+/\S+) (\w+): (.+) > (.+)")
Verdicts = Mapping[str, str]


@cache
def read(file: Path) -> dict[str, Kernel]:
    """The kernels of a file through LLVM."""
    included = INCLUDED.get(file.stem)
    source = included + file.read_text() if included else file
    return read_through_llvm(source, timeout=600).kernels


def through_llvm(case: Case) -> Kernel | None:
    found = [k for n, k in read(case.file).items() if n.split("<")[0] == case.name]
    return found[0] if found else None


def decided(kernel: Kernel, truth: Mapping[str, bool]) -> dict[str, str]:
    """What is said of a kernel."""
    findings = check(verified(kernel), read_setting(kernel), tuple(truth))
    return dict(verdict_of(findings))


def wrong(truth: Mapping[str, bool], verdicts: Verdicts) -> list[str]:
    """The verdicts that are not so."""
    found = {True: ("refuted",), False: GOOD}
    return [f"{p}: {v}" for p, v in verdicts.items() if p in truth and v in found[truth[p]]]


def differences(case: Case, llvm: Verdicts) -> Iterator[str]:
    """Yield what the road through the syntax tree says otherwise of a kernel."""
    ast = decided(kernel_of(case), case.truth)
    for name in sorted(case.truth):
        if ast[name] != llvm[name]:
            yield f"{case.file.parent.name}/{case.label} {name}: {ast[name]} > {llvm[name]}"


@cache
def explained() -> frozenset[str]:
    """The differences that are known, each between a verdict and what is left open."""
    text = EXPECTED.read_text(encoding="utf-8")
    found = [x for x in text.splitlines() if x and not x.startswith("#")]
    for line in found:
        m = _LINE.fullmatch(line)
        assert m and (m[3] == "unknown") != (m[4] == "unknown"), line
    return frozenset(found)


def main(names: list[str]) -> int:
    """Ask both roads of all kernels, or of the files named; print what differs, and what is new."""
    files = [f for f in FILES if not names or f.stem in names]
    found, asked = set[str](), 0
    for case in (c for f in files for c in cases_of(f)):
        kernel = through_llvm(case)
        llvm = decided(kernel, case.truth) if kernel else dict.fromkeys(case.truth, "missing")
        lines = [*differences(case, llvm), *(f"{case.label} {w} is wrong" for w in
                 wrong(case.truth, llvm))]  # fmt: skip
        asked += len(llvm)
        for line in lines:
            print(line if line in explained() else f"!!! {line}", flush=True)
        found.update(lines)
    of = {f"{f.parent.name}/{f.stem}" for f in files}
    gone = [x for x in explained() if x.partition(".")[0] in of and x not in found]
    print(*(f"no longer so: {x}" for x in gone), sep="\n")
    print(f"{asked} verdicts on each road, {len(found)} differ, {len(found - explained())} new")
    return 1 if found - explained() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
