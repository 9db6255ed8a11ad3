"""How host code launches a kernel, as a front end finds it."""

from __future__ import annotations

from dataclasses import dataclass

from symcute.kernel.ir.place import Place

__all__ = ["Family", "Inferred"]


@dataclass(frozen=True, slots=True)
class Inferred:
    """A note that nobody wrote: what it says, where that is seen, and why it is so."""

    text: str
    place: Place
    why: str


@dataclass(frozen=True, slots=True)
class Family:
    """The launches of a kernel at one place, as host code in the function `host` comes to them.

    `notes` hold of each that runs, for some values of their dims. Not every value of the dims and
    conditions `unknown` may be met: what is refuted may not happen. Pointers to the arrays `inner`
    may not be to their first byte. Where what is `avoided` holds, host code comes to none of them:
    they are those of which a size is below 0. Without notes, `trouble` says why it is not
    understood.
    """

    place: Place
    host: str
    notes: tuple[Inferred, ...]
    unknown: tuple[str, ...] = ()
    inner: tuple[str, ...] = ()
    trouble: str = ""
    avoided: str = ""
