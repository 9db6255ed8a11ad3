"""Hosts of Triton's kernels that are drawn at random, against what they launch when they run."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random

from tests.access.drawn_hosts import drawn_hosts
from tests.access.test_triton_launches import NUMBERS, judged
from tests.full import many


def test_drawn_hosts(tmp_path: Path) -> None:
    rng, seen = Random(7), 0
    for number in range(many(3, 15)):
        (tmp_path / f"{number}").mkdir()
        file = tmp_path / f"{number}" / "hosts.py"
        text, beside = drawn_hosts(rng, 3)
        file.write_text(text)
        file.with_name("settings.py").write_text(beside)
        for host, n in product(range(3), NUMBERS):
            seen += judged(file, f"host_{host}", rng.randrange(13), rng.randrange(13), n)
    assert seen >= many(10, 120)
