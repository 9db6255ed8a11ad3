"""A function under `triton.jit` in this process to a program, for the arguments of a launch.

The function is taken as it is, so that no file is imported anew.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from symcute.errors import InputError
from symcute.frontends.triton.compiler import refuse_other
from symcute.frontends.triton.compiling import compiled, specialised, version
from symcute.frontends.triton.reading import program
from symcute.frontends.triton.source import Jitted, jitted, with_numbers
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Kernel
from symcute.kernel.ir.verify import verified

__all__ = ["Family", "family_of"]


@dataclass(frozen=True)
class Family:
    """Launches of one function that Triton compiles alike: the types, and what is constant."""

    function: Any
    types: Mapping[str, str]
    constants: Mapping[str, Any]

    @cached_property
    def _answer(self) -> dict[str, Any]:
        with warnings.catch_warnings():  # they are those of the launch, which says them itself
            warnings.simplefilter("ignore")
            return compiled(self.function, self.types, self.constants)

    @property
    def name(self) -> str:
        """The function with what tells its families apart."""
        words = [f"{n}={v}" for n, v in self.constants.items() if isinstance(v, int | str)]
        words += [f"{n}: {t}" for n, t in self.types.items() if t in ("i64", "u64")]
        return f"{self.function.__name__}[{', '.join(words)}]" if words else self.function.__name__

    def program(self, places: Mapping[str, tuple[str, int]]) -> Kernel:
        """Return the program, in which pointers are to (array, element) where `places` has them.

        Post-conditions: as of `read_triton`.
        """
        found = replace(_source(self.function), types=dict(self.types))
        return verified(program(found, self._answer, places))

    def with_numbers(self, text: str) -> str:
        """Return what is said of launches, with constants for their names."""
        return with_numbers(self._answer.get("numbers", {}), text)


def family_of(function: Any, values: Sequence[Any]) -> Family:
    """Return the family of a launch, of the values of all parameters.

    Errors: InputError for what Triton does not take, and for tuples.
    """
    refuse_other(version())
    try:
        types, constants = specialised(function, values)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"{function.__name__}: {error}", "launch it without the guard, if Triton takes it"
        ) from None
    return Family(function, types, constants)


def _source(function: Any) -> Jitted:
    """Return what stands above a function: the file is read, and not run."""
    code = function.fn.__code__
    names = [p.name for p in function.params]
    line = function.starting_line_number
    try:
        text = Path(code.co_filename).read_text(encoding="utf-8")
        found = [k for k in jitted(code.co_filename, text) if k.name == function.__name__]
    except (OSError, UnicodeDecodeError, InputError):
        found = []
    near = [k for k in found if k.parameters == names and k.place.line >= line]
    blank = Jitted(function.__name__, Place(code.co_filename, line, 1), names)
    return min(near, key=lambda k: k.place.line, default=blank)
