"""The road through LLVM beside the other: against what is true, and against what that one says.

What is true of the kernels under `kernels/` executions on the CPU bear out. Verdicts of this road
may be unknown where the other's are not: `expected/roads.txt` has those, and why. The other road is
asked where this one leaves something open; of what it decides, both have to say what is true.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import pytest

from symcute.cli.roads import contradictions
from symcute.frontends.cuda import read_kernels
from symcute.frontends.llvm.source import read_through_llvm
from symcute.kernel.checking import check
from symcute.kernel.findings import GOOD, verdict_of
from symcute.kernel.launch.notes import read_setting
from tests.access.cases import HARD, Case
from tests.access.cases import read as cases_of
from tests.access.roads import FILES, decided, differences, explained, through_llvm, wrong
from tests.full import some

#: How many verdicts on them are no "unknown", at least. Less is decided where kernels have assembly
#: and calls of which nothing is known, and where indices come from what is loaded.
DECIDED = 0.9
FLOORS = {"unusual": 0.8, "values": 0.75}
SEEN: defaultdict[str, Counter[bool]] = defaultdict(Counter)


def chosen(file: Path) -> list[Case]:
    """The kernels of a file that are decided here: of those that take long, some."""
    found = cases_of(file)
    return found[::5] if file.stem.startswith(HARD) else found


@pytest.mark.full
@pytest.mark.parametrize("file", some(FILES, 2, 1, 2), ids=lambda f: f"{f.parent.name}-{f.stem}")
def test_no_verdict_on_our_kernels_is_wrong(file: Path) -> None:
    """What the roads differ in is explained, and what is explained is so."""
    for case in chosen(file):
        kernel = through_llvm(case)
        assert kernel is not None, case.label
        verdicts = decided(kernel, case.truth)
        assert not wrong(case.truth, verdicts), case.label
        here = f"{file.parent.name}/{case.label} "
        known = {x for x in explained() if x.startswith(here)}
        left = "unknown" in verdicts.values()
        assert ({*differences(case, verdicts)} == known) if left else (
            not any(x.endswith("unknown") for x in known)), case.label  # fmt: skip
        SEEN[file.stem].update(v != "unknown" for v in verdicts.values())
    floor = FLOORS.get(file.stem, DECIDED)
    assert SEEN[file.stem][True] >= floor * SEEN[file.stem].total(), SEEN[file.stem]


@pytest.mark.full
def test_most_is_decided() -> None:
    seen = sum(SEEN.values(), Counter[bool]())
    assert seen[True] >= 0.94 * seen.total(), seen


def test_what_is_explained_is_of_our_kernels() -> None:
    """Each line is of a kernel that is there, and leaves something open on one road alone."""
    labels = {f"{c.file.parent.name}/{c.label}" for f in FILES for c in cases_of(f)}
    assert {x.partition(" ")[0] for x in explained()} <= labels
    assert 50 <= len(explained()) <= 100


@pytest.mark.full
def test_members_of_a_struct_are_one_memory_for_clang(tmp_path: Path) -> None:
    """An access beyond an array in a variable is no contradiction, and one beyond all of it is."""
    head = "struct P { int a[4]; int b[4]; };\n// symcute: launch grid=1 block=1\n"
    said = []
    for road in (read_kernels, lambda f: read_through_llvm(f, timeout=600)):
        verdicts = []
        for n, body in enumerate(("p.a[5] = 1;", "int *q = p.a; q[4] = 1;", "p.a[8] = 1;")):
            file = tmp_path / "k.cu"
            file.write_text(f"{head}__global__ void k() {{ P p; {body} }}\n", encoding="utf-8")
            kernel = road(file).kernels["k"]
            found = check(kernel, read_setting(kernel), ("in_bounds",))
            what = {"verdicts": dict(verdict_of(found)), "findings": [f.to_json() for f in found]}
            verdicts.append({"file": "", "kernel": str(n), "launch": None, **what})
        said.append(verdicts)
    assert [x["verdicts"]["in_bounds"] for x in said[0]] == ["refuted"] * 3
    *inside, beyond = (x["verdicts"]["in_bounds"] for x in said[1])
    assert set(inside) <= set(GOOD) and beyond == "refuted"
    assert not list(contradictions(*said))
    # That an array of the kernel's own is left is no matter of members.
    for x in said[0][0]["findings"]:
        x["counterexample"]["text"] = x["counterexample"]["text"].replace("p.a", "p")
    assert len(list(contradictions(*said))) == 1


@pytest.mark.full
def test_what_a_pointer_to_arrays_has_is_counted_in_their_elements(tmp_path: Path) -> None:
    """An extent says the same on both roads: how many numbers lie there, not how many rows."""
    file = tmp_path / "k.cu"
    for parameter in ("float (*x)[8]", "const Row (*x)[2][4]", "Row *x"):
        for extent, status in (("64*8", "proved"), ("64*8-1", "refuted"), ("64", "refuted")):
            file.write_text(
                f"typedef float Row[8];\n// symcute: launch grid=1 block=64\n"
                f"// symcute: extent x={extent}\n"
                f"__global__ void k({parameter}) {{ ((float *)x)[threadIdx.x * 8 + 7] = 1; }}\n",
                encoding="utf-8",
            )
            for road in (read_kernels, lambda f: read_through_llvm(f, timeout=600)):
                kernel = road(file).kernels["k"]
                found = check(kernel, read_setting(kernel), ("in_bounds",))
                assert verdict_of(found)["in_bounds"] == status, (parameter, extent)
