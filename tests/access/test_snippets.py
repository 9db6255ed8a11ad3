"""A line each of what C++ can say: an access out of bounds, or a race. None of them is proved.

The kernels are made of the lines behind `///` in `snippets/`, each with the declarations above
them. Both roads read them: the syntax tree, and what clang compiles.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ..full import many, some

SNIPPETS = Path(__file__).with_name("snippets")
RACES = ("write_race_free", "read_write_race_free", "barrier_uniform")
#: Lines that leave another array than x, whose size is in the line, or go far beyond x.
ELSEWHERE = (
    "(unsigned char)(i + 252)",
    "int s[",
    "sh[]",
    "int l[",
    "int t[",
    "&g_v",
    "int (&m)[5]",
    "int (*[",
    "s.a",
)
#: Roads, and how many of the lines out of bounds and of the races each refutes at least.
ROADS = [
    pytest.param("ast", many(24, 155), many(11, 75), id="ast"),
    pytest.param("llvm", 160, 75, id="llvm", marks=pytest.mark.full),
]


def said(
    folder: Path, file: str, size: int, block: int, road: str, *properties: str
) -> dict[str, set[str]]:
    """Return the verdicts on each line of a file, where x has so many elements."""
    before, *every = (SNIPPETS / file).read_text(encoding="utf-8").split("/// ")
    lines = some(every, 6)
    notes = f"// symcute: launch grid=1 block={block}\n// symcute: extent x = {size}\n"
    begin = "int i = threadIdx.x; " + ("__shared__ int s[64]; " if file == "racing.cu" else "")
    text = before + "".join(
        f"{notes}__global__ void k{n}(int *x) {{ {begin}{line.strip()}\n}}\n"
        for n, line in enumerate(lines)
    )
    (folder / file).write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "symcute", "check", file, "--json", "--road", road]
    command += [a for p in properties for a in ("--property", p)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    found = json.loads(done.stdout)
    assert "kernels" in found, found
    verdicts = {
        lines[int(k["kernel"][1:])].strip(): set(k["verdicts"].values()) for k in found["kernels"]
    }
    assert len(verdicts) == len({line.strip() for line in lines})
    return verdicts


@pytest.mark.parametrize(("road", "outside", "_racing"), ROADS)
def test_no_line_that_leaves_its_array_is_proved(
    tmp_path: Path, road: str, outside: int, _racing: int
) -> None:
    found = said(tmp_path, "outside.cu", 5, 5, road, "in_bounds")
    assert [line for line, v in found.items() if not v & {"refuted", "unknown"}] == []
    assert sum("refuted" in v for v in found.values()) >= outside


@pytest.mark.parametrize(("road", "_outside", "racing"), ROADS)
def test_no_line_that_races_is_proved(
    tmp_path: Path, road: str, _outside: int, racing: int
) -> None:
    found = said(tmp_path, "racing.cu", 66, 64, road, *RACES)
    assert [line for line, v in found.items() if not v & {"refuted", "unknown"}] == []
    assert sum("refuted" in v for v in found.values()) >= racing


@pytest.mark.parametrize(("road", "outside", "_racing"), ROADS)
def test_where_there_is_room_no_line_is_refuted(
    tmp_path: Path, road: str, outside: int, _racing: int
) -> None:
    found = said(tmp_path, "outside.cu", 16, 5, road, "in_bounds")
    refuted = [line for line, v in found.items() if "refuted" in v]
    assert [line for line in refuted if not any(word in line for word in ELSEWHERE)] == []
    assert sum(v == {"proved"} for v in found.values()) >= outside - many(5, 20, 10)
