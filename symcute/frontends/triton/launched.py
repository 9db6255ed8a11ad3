"""A launch of a Triton kernel, as host code comes to it: what each parameter is given there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from symcute.kernel.ir.families import Family

__all__ = ["Given", "Launched"]


@dataclass(frozen=True)
class Given:
    """What a parameter is given: what it is, and the expression in dims that it is.

    Kinds are `tensor` (of the type `value`, if that is known), `some tensor`, `number`, `truth`
    (0 or 1), `float`, `none`, `word` (a constant that is no number), `chosen` (by a configuration,
    or else its default, or where `same` says so what is given unseen), and "", which is not
    understood. Tensors whose types hang on one thing have the `same` there.
    """

    kind: str
    value: str | None = None
    word: str | float | list[str] | None = None
    same: str = ""


@dataclass(frozen=True)
class Launched:
    """A launch, with notes in the words of the kernel, and what its parameters are given.

    `places` are of pointers into one array: its name, and the element of it that they are to.
    """

    family: Family
    given: Mapping[str, Given]
    places: Mapping[str, tuple[str, int]] = field(default_factory=dict)
