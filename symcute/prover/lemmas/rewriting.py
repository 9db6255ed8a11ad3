"""Rewrites of flat modes that keep the map, and what each asks to be proved."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symcute.expr.formula import Formula, divides, eq, le
from symcute.expr.ratio import Ratio
from symcute.prover.lemmas.modes import ZERO_LEAF, Mode, meaning, text
from symcute.prover.lemmas.samples import Samples

__all__ = ["Rewriting"]


class Rewriting:
    """Modes being rewritten: the rewrites so far, what their leaves ask, their obligations."""

    def __init__(self, modes: Iterable[Mode], samples: Samples) -> None:
        self.modes = list(modes)
        self.samples = samples
        self.rewrites: list[list[Any]] = []
        self.asked: list[Formula] = []
        self.obligations: list[Formula] = []

    def drop(self, k: int) -> None:
        """Take out a mode of extent 1."""
        self._note(["drop", k], eq(self.modes[k].s, 1))
        del self.modes[k]

    def merge(self, k: int, exact: bool = False) -> None:
        """Make mode k and the next, which continues it, one.

        With `exact` also where the layout goes on beyond its size.
        """
        (s, d), (t, e) = self.modes[k], self.modes[k + 1]
        self._note(["merge", k], eq(e, s * d) if exact else eq(ZERO_LEAF, (t - 1) * (e - s * d)))
        self.modes[k : k + 2] = [Mode(s * t, d)]

    def split(self, k: int, t: Ratio) -> None:
        """Make mode k two, the first of extent t."""
        s, d = self.modes[k]
        self.asked += meaning(t)
        self._note(["split", k, text(t)], le(1, t), divides(t, s))
        self.modes[k : k + 1] = [Mode(t, d), Mode(s / t, t * d)]

    def coalesce(self, keep_last: bool = False) -> None:
        """Drop and merge what can be; with `keep_last` the layout goes on in its last mode."""
        k = 0
        while k < len(self.modes) - keep_last:
            if self.samples.surely(self.modes[k].s - 1):
                self.drop(k)
            else:
                k += 1
        k = 0
        while k < len(self.modes) - 1:
            (s, d), (t, e) = self.modes[k], self.modes[k + 1]
            if keep_last and k + 2 == len(self.modes):
                if self.samples.surely(e - s * d):
                    self.merge(k, exact=True)
                    continue
            elif self.samples.surely((t - 1) * (e - s * d)):
                self.merge(k)
                continue
            k += 1

    def _note(self, rewrite: list[Any], *obligations: Formula) -> None:
        self.rewrites.append(rewrite)
        self.obligations += obligations
