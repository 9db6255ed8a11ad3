"""What is long is short in `make test`, and whole in `make test-full`, which is `pytest --full`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

#: What the command line asks for; set by `conftest.py` before a test file is read.
_asked = {"full": False, "record": False}


def ask(**options: bool) -> None:
    """Keep what the command line asks for."""
    _asked.update(options)


def full() -> bool:
    """Whether everything is asked for."""
    return _asked["full"]


def recording() -> bool:
    """Whether the oracles' answers are to be written down, see `oracle/recorded.py`."""
    return _asked["record"]


def many(default: int, everything: int) -> int:
    """How many of what is drawn at random."""
    return everything if full() else default


def some(items: Sequence[T], step: int, first: int = 0) -> Sequence[T]:
    """Every `step`-th of what is there, or all of it."""
    return items if full() else items[first::step]
