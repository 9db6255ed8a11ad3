"""What a strategy returns: it settles a primitive claim, or hands it on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from symcute.formula import Formula

__all__ = ["Disproved", "Open", "Settled"]


@dataclass(frozen=True)
class Settled:
    """Proved: by which strategy and lemma, with the obligations it came down to."""

    how: str
    lemma: str
    obligations: tuple[Formula, ...] = ()
    rests_on: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Disproved:
    """Refuted at these dims; `text` says what goes wrong, evaluated in plain integers."""

    how: str
    dims: Mapping[str, int]
    text: str


@dataclass(frozen=True)
class Open:
    """Not settled here, and why."""

    reason: str
