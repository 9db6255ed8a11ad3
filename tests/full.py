"""What is long is short in `make test`, longer in `test-full`, and whole in `test-long`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

#: What the command line asks for; set by `conftest.py` before a test file is read.
_asked = {"full": False, "long": False, "record": False}


def ask(**options: bool) -> None:
    """Keep what the command line asks for."""
    _asked.update(options)


def full() -> bool:
    """Whether every test is asked for."""
    return _asked["full"] or _asked["long"]


def at_length() -> bool:
    """Whether all that is drawn from is asked for."""
    return _asked["long"]


def recording() -> bool:
    """Whether the oracles' answers are to be written down, see `oracle/recorded.py`."""
    return _asked["record"]


def many(default: int, everything: int, every_test: int | None = None) -> int:
    """How many of what is drawn at random: in `make test`, in `test-long`, and in `test-full`.

    Where `every_test` is not said, `test-full` draws a third of everything; of a step, where less
    is more, it is to be said.
    """
    if not full() or _asked["long"]:
        return everything if full() else default
    return max(default, everything // 3) if every_test is None else every_test


def some(items: Sequence[T], step: int, first: int = 0, every_test: int = 1) -> Sequence[T]:
    """Every `step`-th of what is there, every `every_test`-th with `--full`, all with `--long`."""
    if _asked["long"]:
        return items
    return items[first % every_test :: every_test] if full() else items[first::step]
