"""What pieces of CUDA C++ become, against the texts of `expected/`."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from symcute.frontends import Source
from symcute.frontends.cuda import read_kernels
from symcute.kernel.ir.text import listing
from tests.access.lowered import HEAD

EXPECTED = Path(__file__).parent / "expected"


def blocks() -> list[tuple[str, str, str, list[str]]]:
    """Return (file, outside, inside, lines) for each block of the expected texts."""
    found = []
    for file in sorted(EXPECTED.glob("*.txt")):
        for block in file.read_text(encoding="utf-8").split("\n\n"):
            rows = [r for r in block.splitlines() if r and not r.startswith("# ")]
            outside = "\n".join(r[3:] for r in rows if r.startswith(">> "))
            inside = "\n".join(r[2:] for r in rows if r.startswith("> "))
            if inside:
                wanted = [r for r in rows if not r.startswith((">> ", "> "))]
                found.append((file.stem, outside, inside, wanted))
    return found


BLOCKS = blocks()


@cache
def source() -> Source:
    """Return all blocks read at once, each in a namespace of its own."""
    parts = [
        f"namespace b{n} {{\n{outside}\n__global__ void k({HEAD}) {{ {inside} }}\n}}\n"
        for n, (_, outside, inside, _) in enumerate(BLOCKS)
    ]
    return read_kernels("".join(parts))


def test_all_blocks_are_found() -> None:
    assert len(BLOCKS) >= 60
    assert all(wanted for *_, wanted in BLOCKS)


@pytest.mark.parametrize("number", range(len(BLOCKS)), ids=lambda n: f"{BLOCKS[n][0]}{n}")
def test_statements_become_these(number: int) -> None:
    text = listing(source().kernels[f"b{number}::k"])
    found = [re.sub(r" at kernel\.cu:\d+:\d+$", "", line[2:]) for line in text.splitlines()[1:]]
    assert found == BLOCKS[number][3]
