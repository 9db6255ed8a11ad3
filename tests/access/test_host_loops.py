"""What loops of host code leave of the numbers that they change, against what g++ launches."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from random import Random

import pytest

from symcute.frontends.cuda.source import read_kernels
from tests.access.drawn_host_loops import drawn_host_loops
from tests.access.launched import told
from tests.access.test_host import compiled, covers, executed, runs
from tests.full import many

VALUES = (-3, 0, 1, 2, 9, 33, 1001)
#: What is undefined ends a program, and so do rounds without an end.
_TRAPS = (
    "-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero",
    "-fsanitize-undefined-trap-on-error",
)
_TURN = "{ static int turns = 300; if (!turns--) exit(0); }"

SHIFTED = """
__global__ void k(float *x, unsigned y) { x[y] = 0; }
void f(int n, unsigned d, const int *given) {
  float *x;
  LOOP
}
"""
LAUNCH = "cudaMalloc(&x, (HELD) * sizeof(float)); k<<<1, 1>>>(x, y);"


@pytest.mark.parametrize(
    ("loop", "fits", "short"),
    [
        # The number of bits, as divisions by multiplication count it.
        ("unsigned y = 0; while (y < 32 && (1u << y) < d) y++; LAUNCH", 33, 32),
        ("unsigned y = 0; while (y < 40 && (1u << y) < d) y++; LAUNCH", 41, 33),
        ("int y = 0; while (y < 32 && given[y] < n) ++y; LAUNCH", 33, 32),
        ("int y = 9; while (y > 0 && given[y] < n) --y; LAUNCH", 10, 9),
        ("int y = 3; do { y += 2; } while (y < 9 && given[y] < n); LAUNCH", 11, 10),
        # What a round sets, and what it leaves as it was.
        ("int y = 3; for (int i = 0; i < n; i++) if (given[i]) y = 7; LAUNCH", 8, 7),
        ("int y = 3; for (int i = 0; i < n; i++) { if (given[i]) continue; y = 7; } LAUNCH", 8, 7),
        (
            "int y = 3; for (int i = 0; i < n; i++) { if (given[i]) { y = 9; break; } } LAUNCH",
            10,
            9,
        ),
        # It is launched inside.
        ("for (int y = 0; y < 12; y += 3) { LAUNCH }", 12, 9),
        ("for (int y = 11; y >= 0; y--) { LAUNCH }", 12, 11),
    ],
)
def test_what_a_loop_counts_is_bounded(loop: str, fits: int, short: int) -> None:
    text = SHIFTED.replace("LOOP", loop).replace("LAUNCH", LAUNCH)
    assert told(text.replace("HELD", f"{fits}")) == {"proved"}
    assert told(text.replace("HELD", f"{short}")) != {"proved"}


@pytest.mark.parametrize(
    "loop",
    [
        "unsigned y = 0; while (y < 40 && (1u << y) < d) y++;",
        "unsigned y = 0; while (y != 32 && (1u << y) < d) y += 3;",  # it may pass by
        "unsigned y = 0; while (y < 32 || (1u << y) < d) y++;",
        "int y = 0; while (y < 32 && given[y] < n) { y++; if (given[y]) y = n; }",
        "int y = 0; while (y < 32 && given[y] < n) { y++; unseen(y); }",
        "int y = 0, *p = &y; while (y < 32 && given[y] < n) { y++; *p = n; }",
        "int y = 0; auto more = [&] { y = n; }; while (y < 32 && given[y] < n) { y++; more(); }",
        "int y = n; while (y < 32 && given[y] < n) y++;",
        "int y = 0; do { y = y + n; } while (y < 32 && given[0] < n);",
        "int y = 0, z = 0; while (z < 32 && given[z] < n) { y = z; z = n; }",
        "unsigned y = 5; while (y < 32 && given[y] < n) y--;",  # below 0 it wraps
    ],
)
def test_what_may_leave_the_bounds_is_not_bounded(loop: str) -> None:
    text = SHIFTED.replace("LOOP", f"{loop} {LAUNCH}").replace("HELD", "33")
    assert told(f"void unseen(int &n);\n{text}") != {"proved"}


def test_the_ways_out_of_a_loop_are_one_launch() -> None:
    """They differ in what the test has needed alone: it makes its 1 before it is asked."""
    loop = "unsigned y = 0; while (y < 32 && (unsigned{1} << y) < d) y++; LAUNCH"
    text = SHIFTED.replace("LOOP", loop).replace("LAUNCH", LAUNCH).replace("HELD", "33")
    (family,) = read_kernels(text).kernels["k"].families
    assert {"assume y >= 0", "assume y <= 32"} <= {n.text for n in family.notes}


@pytest.mark.full
def test_drawn_loops(tmp_path: Path) -> None:
    rng, seen, narrow = Random(11), 0, 0
    for number in range(many(2, 60)):
        text = drawn_host_loops(rng, 6)
        folder = tmp_path / f"{number}"
        folder.mkdir()
        program = compiled(text.replace("/*turn*/", _TURN), folder, _TRAPS)
        kernels = read_kernels(text.replace('#include "unseen.h"', "")).kernels.values()
        families = [(k, f) for k in kernels for f in k.families]
        narrow += sum(_is_narrow(n.text, n.why) for _, f in families for n in f.notes)
        for k, (a, b) in product(range(6), rng.sample([*product(VALUES, VALUES)], 6)):
            host, lines = f"host_{k}", set[int]()
            for launched in filter(runs, [*executed(program, host, a, b)][:12]):
                at = [f for f in families if f[1].place.line == launched.line]
                at += [f for f in families if f[1].host == host and f[1].trouble]
                # One family may stand for the first round, which it speaks of, and others.
                given = {} if launched.line in lines else {"a": a, "b": b}
                lines.add(launched.line)
                good = any(f.trouble or covers(kernel, f, launched, given) for kernel, f in at)
                assert good, (text, k, a, b, launched)
                seen += not any(f.trouble for _, f in at)
    assert seen >= many(60, 2100) and narrow >= many(5, 120), (seen, narrow)


def _is_narrow(note: str, why: str) -> bool:
    """Is a note a bound that no type has, of a number that a loop changes?"""
    found = re.fullmatch(r"assume \w+ [<>]?=+ (-?\d+)", note)
    ends = (-(1 << 31), (1 << 31) - 1, 0, (1 << 32) - 1)
    return why.startswith("a loop changes it") and found is not None and int(found[1]) not in ends
