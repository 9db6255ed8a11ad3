"""What hands numbers from one element of a program to another may order its accesses.

What is stored of a sum waits for all that is in it, and the barriers of a reduction are the
compiler's: no race of one program across one is refuted, and none is proved not to be.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from symcute.frontends.python.front_end import PYTHON
from symcute.kernel.checking import check
from symcute.kernel.findings import verdict_of
from symcute.kernel.launch.notes import read_setting

KERNEL = """
import triton
import triton.language as tl


# symcute: type p = *fp32
# symcute: constexpr N = 64
# symcute: launch grid=({grid})
# symcute: assume n <= 1000
# symcute: extent p = 4096
@triton.jit
def mine(p, N: tl.constexpr):
    at = tl.arange(0, N)
{body}
"""
#: The sum waits for all that is read; what is stored behind it may, as the compiler has it.
ACROSS = {
    "of the sum": "tl.store(p, tl.sum(tl.load(p + at), axis=0))",
    "where the sum says": (
        "i = tl.sum(tl.load(p + at), axis=0) > 0; tl.store(p + at + 1, 1.0, mask=i)"
    ),
    "behind a sum": "x = tl.load(p + at); s = tl.sum(x, axis=0); tl.store(p + 63 - at, x + s)",
    "behind a scan": "x = tl.load(p + at); tl.store(p + 63 - at, tl.cumsum(x, axis=0))",
    "turned over": (
        "t = tl.load(p + at[:, None] * N + at[None, :]); "
        "tl.store(p + at[None, :] * N + at[:, None], tl.trans(t) + 1)"
    ),
}
#: Nothing is between these, or they are of two programs.
RACES = {
    "in front of the sum": (
        "x = tl.load(p + at); tl.store(p + 63 - at, x); tl.store(p + 64, tl.sum(x, axis=0))"
    ),
    "behind the sum": (
        "s = tl.sum(tl.load(p + at), axis=0); "
        "x = tl.load(p + 64 + at); tl.store(p + 65 + at, x + s)"
    ),
    "from round to round": (
        "s = 0.0\n    for i in range(4):\n"
        "        s = tl.sum(tl.load(p + at) + s, axis=0); tl.store(p + at + 1, s)"
    ),
    "in one round": (
        "s = 0.0\n    for i in range(4):\n"
        "        x = tl.load(p + at); tl.store(p + at + 1, x + s); s = tl.sum(x, axis=0)"
    ),
}


def verdict(folder: Path, body: str, grid: str = "1") -> str:
    """Return the verdict on reads and writes of a kernel with a body."""
    file = folder / "mine.py"
    text = KERNEL.format(body=f"    {body}", grid=grid)
    if grid == "1":
        text = text.replace("# symcute: assume n <= 1000\n", "")
    file.write_text(text, encoding="utf-8")
    (kernel,) = PYTHON.read(file).kernels.values()
    return dict(verdict_of(check(kernel, read_setting(kernel))))["read_write_race_free"]


@pytest.mark.parametrize("name", ACROSS)
def test_no_race_of_a_program_is_certain_across_what_moves_elements(
    tmp_path: Path, name: str
) -> None:
    assert verdict(tmp_path, ACROSS[name]) == "unknown"
    of_two = verdict(tmp_path, ACROSS[name], "n")  # what a sum of floats is, no execution says
    assert of_two == ("unknown" if "says" in name else "refuted")


@pytest.mark.parametrize("name", RACES)
def test_races_of_a_program_with_nothing_between_are_refuted(tmp_path: Path, name: str) -> None:
    assert verdict(tmp_path, RACES[name]) == "refuted"
