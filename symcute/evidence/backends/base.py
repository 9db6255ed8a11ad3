"""What a machine that runs generated checks offers; see `symcute.codegen.checks` for the code."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from os import environ
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from symcute.errors import InputError, SymcuteError

__all__ = [
    "PRELUDE",
    "START",
    "Array",
    "Backend",
    "MachineFailed",
    "Module",
    "OutOfMemory",
    "Outcome",
    "Result",
    "cutlass_headers",
    "parameters_array",
    "read_result",
]

#: An array on the host, or what stands for one on the machine.
Array: TypeAlias = "npt.NDArray[Any]"

#: What an entry finds in `result`: no failure, no first one, nothing looked at.
START = (0, 2**64 - 1, 0)

#: The C that generated functions and entries stand on.
PRELUDE = (Path(__file__).parents[2] / "codegen" / "prelude.h").read_text(encoding="utf-8")


class MachineFailed(SymcuteError):
    """The machine failed, and nothing more can be run in this process."""


class OutOfMemory(SymcuteError):
    """The machine has no memory for an array of this size."""


class Outcome(NamedTuple):
    """How many indices failed, and the first of them."""

    failures: int
    first: int | None


class Result(Protocol):
    """What an entry will have left when it is done."""

    def read(self) -> Outcome:
        """Wait for the entry, and return what it found.

        Errors: SymcuteError when the machine did not look at every index.
        """
        ...


class Module(Protocol):
    """Compiled entries."""

    def start(self, entry: str, parameters: Sequence[int], count: int, aux: Any = None) -> Result:
        """Start an entry over the indices [0, count)."""
        ...


class Backend(Protocol):
    """A machine that compiles and runs modules."""

    name: str
    #: The roads it can take, in the order in which they are tried.
    roads: tuple[str, ...]

    def describe(self) -> dict[str, str]:
        """Return what ran: device, driver, compiler and their versions."""
        ...

    def load(self, source: str, road: str) -> Module:
        """Compile a module, the prelude before it. May be called from several threads.

        Errors: SymcuteError when the compiler refuses it.
        """
        ...

    def upload(self, values: Array) -> Any:
        """Return a 64-bit array on the machine. Errors: OutOfMemory."""
        ...

    def bitmap(self, bits: int) -> Any:
        """Return a bitmap of zeros on the machine. Errors: OutOfMemory."""
        ...

    def count_bits(self, bitmap: Any) -> int:
        """Wait for what was started, and return how many bits are set."""
        ...


def parameters_array(values: Sequence[int]) -> Array:
    """Return the parameters of an entry as 64-bit integers (never empty).

    Errors: InputError for a value beyond 64 bits.

    >>> parameters_array([3, 2]).tolist()
    [3, 2]
    """
    for value in values:
        if not -(2**63) <= value < 2**63:
            raise InputError(f"{value} does not fit 64 bits", "use a smaller instance")
    return np.array(list(values) or [0], dtype=np.int64)


def read_result(result: Array, count: int) -> Outcome:
    """Return what an entry left in its result.

    Errors: SymcuteError when the machine did not look at every index: a kernel that never ran must
    not count as agreement.

    >>> read_result(np.array([2, 5, 8], dtype=np.uint64), 8)
    Outcome(failures=2, first=5)
    """
    failures, first, looked = (int(x) for x in result)
    if looked != count:
        raise SymcuteError(
            f"the machine looked at {looked} of {count} coordinates", "run it again, or report it"
        )
    return Outcome(failures, first if failures else None)


def cutlass_headers() -> Path | None:
    """Return the folder of NVIDIA's CUTLASS headers, or None where there are none.

    The variable CUTLASS_PATH names a checkout or a folder of headers; else those that the package
    nvidia-cutlass ships are taken.
    """
    places = []
    if environ.get("CUTLASS_PATH"):
        root = Path(environ["CUTLASS_PATH"])
        places += [root, root / "include"]
    spec = find_spec("cutlass_library")
    if spec is not None and spec.origin is not None:
        places.append(Path(spec.origin).parent / "source" / "include")
    return next((p for p in places if (p / "cute" / "layout.hpp").is_file()), None)
