"""Operations of TTIR, as they are read, and their values."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from symcute.errors import InputError
from symcute.frontends.triton.types import Shaped, Unread
from symcute.kernel.ir.place import Place

__all__ = ["Block", "Function", "Op", "TtirError", "Value"]


class TtirError(InputError):
    """Text that is not read; `place` says where in the Python source it comes from."""

    def __init__(self, message: str, place: Place | None) -> None:
        self.why, self.place = message, place
        super().__init__(
            f"{place}: {message}" if place else message,
            "this is TTIR that symcute does not read: please report it",
        )


@dataclass(eq=False, slots=True)
class Value:
    """What an operation gives, or a block takes: `number` tells values apart.

    `op` is the operation that gives it as its result `index`, None for the argument of a block.
    """

    number: int
    type: Shaped
    name: str = ""
    op: Op | None = None
    index: int = 0


@dataclass(eq=False, slots=True)
class Block:
    """Operations one after the other; the last one says where it goes on."""

    arguments: list[Value]
    ops: list[Op] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Op:
    """An operation.

    `head` is what stands between its name and its types, attributes and regions, word by word;
    `operands` are the values in it in their order, those of successors excepted.
    """

    name: str
    head: list[str]
    operands: list[Value]
    results: list[Value]
    attributes: dict[str, str]
    types: list[str]
    regions: list[list[Block]]
    successors: list[tuple[Block, list[Value]]]
    place: Place
    entry: list[Value] = field(default_factory=list)

    def number(self, name: str) -> int:
        """Return an attribute that is a number. Errors: Unread."""
        found = re.fullmatch(r"(-?\d+)(?: : i\d+)?", self.attributes.get(name, ""))
        if found is None:
            raise Unread(f"{self.name} without {name}")
        return int(found[1])


@dataclass(eq=False, slots=True)
class Function:
    """A function: its name, its blocks, the first of which takes the arguments."""

    name: str
    blocks: list[Block]
    place: Place
