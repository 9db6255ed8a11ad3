"""What devices have besides arrays and barriers, as kernels with their verdicts.

    // verdict: write_race_free=refuted

above a kernel says what is not proved (or has nothing to be proved of); all else is.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from symcute.kernel.findings import GOOD
from symcute.kernel.launch.sources import check_kernel
from tests.full import some

FILES = sorted((Path(__file__).parent / "device").glob("*.cu"))
ASKED = some(FILES, 3)
_KERNEL = re.compile(r"((?:^//.*\n)*)(?:^template.*\n)?^__global__ void (\w+)", re.MULTILINE)


def kernels() -> dict[tuple[str, str], dict[str, str]]:
    """Return what is not proved of each kernel, by file and name."""
    found = {}
    for file in FILES:
        for above, name in _KERNEL.findall(file.read_text(encoding="utf-8")):
            said = " ".join(re.findall(r"^// verdict: (.*)$", above, re.MULTILINE))
            found[file.stem, name] = dict(part.split("=") for part in said.split())
    return found


EXPECTED = kernels()


@cache
def verdicts(file: Path) -> dict[str, dict[str, str]]:
    """Return the verdicts on the kernels of a file that are not proofs, by kernel and property."""
    said: dict[str, dict[str, str]] = {}
    for f in check_kernel(file):
        mine = said.setdefault(f.kernel, {})
        if f.status not in GOOD and mine.get(f.property) != "refuted":
            mine[f.property] = f.status
    return said


def test_there_are_kernels_of_both_kinds() -> None:
    said = [v for mine in EXPECTED.values() for v in mine.values()]
    assert len(EXPECTED) >= 40
    assert sum(not mine for mine in EXPECTED.values()) >= 15
    assert said.count("refuted") >= 15
    for file in ASKED:
        assert {name for stem, name in EXPECTED if stem == file.stem} == {*verdicts(file)}


@pytest.mark.parametrize(
    "kernel", [k for k in EXPECTED if k[0] in {f.stem for f in ASKED}], ids="::".join
)
def test_the_verdict_is_the_one_that_is_true(kernel: tuple[str, str]) -> None:
    file = next(f for f in FILES if f.stem == kernel[0])
    assert verdicts(file)[kernel[1]] == EXPECTED[kernel]
