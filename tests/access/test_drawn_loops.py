"""Drawn loops against plain Python: what is proved holds in every execution at small sizes."""

from __future__ import annotations

from random import Random

from symcute.kernel.findings import verdict_of
from symcute.kernel.launch.sources import check_kernel

from ..full import many
from .drawn_loops import RACES, Endless, Program, drawn

PROPERTIES = ("in_bounds", "no_overflow", "barrier_uniform", *RACES)
BLOCKS, SIZES = (1, 2, 3, 4, 5, 8, 16), (1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33)


def untrue(program: Program) -> dict[str, tuple[int, int]]:
    """Return what is untrue of a program, with sizes at which it is."""
    found: dict[str, tuple[int, int]] = {}
    for p in BLOCKS:
        if not program.power or p & (p - 1) == 0:
            for n in SIZES:
                found |= dict.fromkeys(program.wrong(n, p), (n, p))
    return found


def test_what_is_proved_of_drawn_loops_is_so() -> None:
    random, proved, refuted, asked = Random(17), 0, 0, 0
    while asked < many(4, 150):
        program = drawn(random)
        try:
            wrong = untrue(program)
        except Endless:
            continue
        asked += 1
        verdicts = verdict_of(check_kernel(program.source(), properties=PROPERTIES))
        for name, status in verdicts.items():
            # Arithmetic on what is used in no index and no condition is not asked about.
            wide = name == "no_overflow" and status == "not applicable"
            held = status in ("proved", "not applicable") and not wide
            assert not (held and name in wrong), (name, wrong, program.source())
            proved, refuted = proved + (status == "proved"), refuted + (status == "refuted")
    assert proved >= asked and refuted >= asked // 3, (proved, refuted, asked)
