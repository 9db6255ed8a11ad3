"""Runs commands as a user would: in a process that has loaded symcute, or in a fresh one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

import pytest

from tests.e2e.forks import Forks, surroundings


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


class Symcute(Protocol):
    def __call__(self, *args: str, text: str = "", **environment: str) -> Outcome: ...


@pytest.fixture(scope="session")
def forks() -> Iterator[Forks]:
    server = Forks()
    yield server
    server.close()


@pytest.fixture
def symcute(tmp_path: Path, forks: Forks) -> Symcute:
    """The command, a child of a process that has its libraries loaded."""

    def run(*args: str, text: str = "", **environment: str) -> Outcome:
        outcome = Outcome(*forks.run(args, tmp_path, text, **environment))
        assert "Traceback" not in outcome.err or "SYMCUTE_DEBUG" in environment
        return outcome

    return run


@pytest.fixture
def process(tmp_path: Path) -> Symcute:
    """The command in a process of its own, which loads what it needs."""

    def run(*args: str, text: str = "", **environment: str) -> Outcome:
        done = subprocess.run(
            [sys.executable, "-m", "symcute", *args],
            input=text,
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=tmp_path,
            env=surroundings() | environment,
            timeout=120,
            check=False,
        )
        assert "Traceback" not in done.stderr
        return Outcome(done.returncode, done.stdout, done.stderr)

    return run


#: A theorem file: one proved, one wrong with its correction.
ROWS = '''"""Rows of a matrix."""

from symcute import Injective, Layout, dims
from symcute.prover.theorems import theorem


@theorem(given=["LD >= N"], corrects="any_rows")
def padded_rows():
    """A matrix `(M,N):(LD,1)` with `LD >= N` is <b>injective</b>.

    The rest of each row is padding.
    """
    M, N, LD = dims("M N LD")
    return Injective(Layout((M, N), (LD, 1)))


@theorem(expect="refuted")
def any_rows():
    """A matrix `(M,N):(LD,1)` is injective."""
    M, N, LD = dims("M N LD")
    return Injective(Layout((M, N), (LD, 1)))


@theorem(source="a tutorial")
def small_tiles():
    """Tiles of a small matrix hit every offset once."""
    return Injective(Layout(((2, 2), (2, 4)), ((1, 4), (2, 8))))
'''


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """A folder with one theorem file, `proofs/rows.py`."""
    file = tmp_path / "proofs" / "rows.py"
    file.parent.mkdir()
    file.write_text(ROWS, encoding="utf-8")
    return file
