"""What host code does beside what kernels do: launches, and memory of the device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from symcute.kernel.ir.expression import Expr
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Stmt

__all__ = ["INPUT", "OF_HOST", "Alike", "Allocate", "Free", "HostStmt", "Launch", "Received"]

#: Functions that give any number of their type, for some input of the program; the last gives
#: what a program of a family has been compiled for.
INPUT = ("atoi", "atol", "atoll", "strtol", "strtoul", "symcute_chosen")
#: What memory of the host comes from, which is no other.
OF_HOST = {"the result of malloc", "the result of calloc"}


@dataclass(frozen=True, slots=True)
class Launch:
    """`kernel<<<grid, block, shared>>>(arguments)`; an argument that is no integer is None.

    What is not understood is None, and `lost` says what that is.
    """

    kernel: str
    grid: tuple[Expr | None, Expr | None, Expr | None]
    block: tuple[Expr | None, Expr | None, Expr | None]
    shared: Expr | None
    arguments: tuple[Expr | None, ...] | None
    place: Place
    lost: str = ""


@dataclass(frozen=True, slots=True)
class Allocate:
    """Let a pointer variable point to new memory of so many bytes, as `text` says.

    That of an array `same` may be that memory.
    """

    name: str
    bytes: Expr
    place: Place
    text: str
    same: Expr | None = None


@dataclass(frozen=True, slots=True)
class Free:
    """Give memory back; without a pointer, any that there is by then may be."""

    pointer: Expr | None
    place: Place


@dataclass(frozen=True, slots=True)
class Received:
    """A tensor that the function is given: the variables that its parts are.

    The `last` ones are those of dims -1, -2 and so on.
    """

    title: str
    rank: str
    numel: str
    sizes: tuple[str, ...]
    strides: tuple[str, ...]
    last_sizes: tuple[str, ...]
    last_strides: tuple[str, ...]
    type: str
    contiguous: str
    held: str
    place: Place


@dataclass(frozen=True, slots=True)
class Alike:
    """Two integers are one wherever this is passed."""

    left: Expr
    right: Expr
    place: Place


HostStmt: TypeAlias = Stmt | Launch | Allocate | Free | Received | Alike
