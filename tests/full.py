"""What is long is short in `make test`, and whole in `make test-full`, which is `pytest --full`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

#: Set by `conftest.py` before a test file is read.
_asked = False


def full() -> bool:
    """Whether everything is asked for."""
    return _asked


def ask(everything: bool) -> None:
    """Say whether everything is asked for."""
    global _asked
    _asked = everything


def many(default: int, everything: int) -> int:
    """How many of what is drawn at random."""
    return everything if _asked else default


def some(items: Sequence[T], step: int, first: int = 0) -> Sequence[T]:
    """Every `step`-th of what is there, or all of it."""
    return items if _asked else items[first::step]
