"""What is decided hangs on what is counted: not on how strings are hashed, nor where nodes lie."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: One of so many of all kernels, contracts and claims is decided.
PART = ("51", "100")


def counted(seed: str) -> list[str]:
    """Return what is decided where strings are hashed so, with the work of each, counted."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.access.counted", *PART], cwd=ROOT, check=True, text=True,
        capture_output=True, env={**os.environ, "PYTHONHASHSEED": seed},
    )  # fmt: skip
    return done.stdout.splitlines()


@pytest.mark.full
def test_the_same_is_decided_with_the_same_work_however_strings_are_hashed() -> None:
    one, other = counted("1"), counted("2")
    assert len(one) >= 8
    assert one == other
