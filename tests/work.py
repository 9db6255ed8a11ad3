"""How much work a call does, counted: the same on every machine, busy or not."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


class TooMuch(BaseException):
    """More calls than were allowed; nothing on the way may take it for an error of its own."""


def calls(work: Callable[[], Any], most: int) -> int:
    """Return how many calls of functions the work makes; raise `TooMuch` beyond `most`.

    Functions written in C count too, however long they take.
    """
    made = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal made
        if event in ("call", "c_call"):
            made += 1
            if made > most:
                sys.setprofile(None)
                raise TooMuch(f"more than {most} calls")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return made
