"""Triton kernels of a Python file to programs, through TTIR that Triton itself makes."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from typing import Any

from symcute.frontends.front_end import SourceError
from symcute.frontends.triton.lowering import lowered
from symcute.frontends.triton.operations import Function, TtirError
from symcute.frontends.triton.source import Jitted, constant, jitted, with_numbers
from symcute.frontends.triton.target import TRITON
from symcute.frontends.triton.ttir import read_ttir
from symcute.frontends.triton.types import I64, Unread, element_bytes
from symcute.kernel.ir.program import (
    Array,
    Base,
    Cast,
    Const,
    Expr,
    Int,
    Kernel,
    NotUnderstood,
    Param,
    Place,
    Pointer,
    PtrAdd,
    Type,
    Var,
)
from symcute.processes.programs import START_LIMIT_S, Failed, Program

__all__ = [
    "LIMIT_S", "Compiler", "has_triton", "program", "read_triton", "refuse_other", "version",
]  # fmt: skip

#: Seconds that importing a file, or compiling a kernel, may take.
LIMIT_S = 120.0
#: What the text of TTIR means hangs on the version.
_VERSIONS = ("3.6.", "3.9.")
_INSTALL = "install it: pip install 'symcute[triton]'"


def has_triton(text: str) -> bool:
    """Return whether a Python file may have Triton kernels."""
    return "triton" in text and "jit" in text


def read_triton(
    path: str,
    text: str,
    *,
    name: str | None = None,
    template_args: Mapping[str, object] | None = None,
    timeout: float = LIMIT_S,
) -> dict[str, Kernel]:
    """Return the Triton kernels of a Python file as programs, by name.

    The file is imported, which runs it, in a process of its own. `template_args` give constexprs
    by name, for all kernels that have them.
    Post-conditions: what is not understood is `NotUnderstood` in the program, at its place; a
    kernel that TTIR or this reader has no way for is one `NotUnderstood`.
    Errors: SourceError where a type or a constexpr is missing, the file does not import, Triton
    does not take a kernel, or is not there.
    """
    found = [k for k in jitted(path, text) if name in (None, k.name)]
    given = {}
    for key, value in (template_args or {}).items():
        try:
            given[key] = constant(str(value))
        except ValueError as error:
            raise SourceError(str(error), "give a number, as BLOCK=1024") from None
    kernels: dict[str, Kernel] = {}
    compiler = Compiler(timeout)
    try:
        for kernel in found:
            kernel.constants |= {n: v for n, v in given.items() if n in kernel.parameters}
            kernels[kernel.name] = program(kernel, compiler.ttir(kernel))
    finally:
        compiler.close()
    return kernels


def version() -> str:
    """Return the version of Triton. Errors: SourceError where it is not there."""
    compiler = Compiler(START_LIMIT_S)
    try:
        return compiler.started()
    finally:
        compiler.close()


def refuse_other(found: str) -> None:
    """Refuse versions of Triton whose TTIR is not read. Errors: SourceError."""
    if not found.startswith(_VERSIONS):
        raise SourceError(f"TTIR of Triton {found} is not read, but that of 3.9 and 3.6", _INSTALL)


class Compiler:
    """The process that runs Triton: it is started when it is needed, and ends with the file."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        self._program: Program | None = None

    def close(self) -> None:
        """End the process; the next kernel starts another."""
        if self._program is not None:
            self._program.kill()
            self._program = None

    def started(self) -> str:
        """Start the process, and return the version of Triton. Errors: SourceError, Failed."""
        if self._program is None:
            command = [sys.executable, "-m", "symcute.frontends.triton.worker"]
            self._program = Program(command).greeted(max(self._timeout, START_LIMIT_S))
        if "missing" in self._program.greeting:
            raise SourceError("Triton is not installed", _INSTALL)
        found = str(self._program.greeting.get("triton"))
        refuse_other(found)
        return found

    def ttir(self, kernel: Jitted) -> dict[str, Any]:
        """Return what the process answers. Errors: SourceError."""
        try:
            self.started()
            assert self._program is not None
            answer = self._program.ask(
                {
                    "file": kernel.place.file,
                    "name": kernel.name,
                    "types": kernel.types,
                    "constants": kernel.constants,
                },
                time.monotonic() + self._timeout,
            )
        except Failed as failure:
            self.close()
            what = f"{kernel.name} is not compiled: {failure.told('the process that runs Triton')}"
            raise SourceError(what, "does the file import by itself?", kernel.place) from None
        if "missing" in answer:
            first = str(answer["missing"][0])
            what, wanted = first.partition(" ")[::2]
            raise SourceError(
                f"{kernel.name}: what is the {what} of {wanted.partition(' ')[0]}?",
                f"write above it: {TRITON.note} {first}",
                kernel.place,
            )
        return answer


# --- programs -----------------------------------------------------------------------------------

_POINTEES = {"fp16": "f16", "bf16": "bf16", "fp32": "f32", "fp64": "f64"}


def program(
    kernel: Jitted, answer: Mapping[str, Any], places: Mapping[str, tuple[str, int]] | None = None
) -> Kernel:
    """Return the program of a kernel, of the TTIR that the process made of it.

    `places` say to which array, and which element of it, pointers are: two may be to one. A pointer
    of which nothing is said is to the first element of an array of its own.
    """
    place = kernel.place
    if "error" in answer:
        line = answer.get("line")
        at = Place(place.file, line, 1) if isinstance(line, int) else place
        return _lost(kernel, str(answer["error"]), at)
    params: list[Param] = []
    arrays: list[Array] = []
    arguments: list[Expr | None] = []
    for name, text in answer["parameters"]:
        type = _type(text)
        if isinstance(type, Pointer):
            pointee = text[1:]
            held = _type(pointee)
            size = 1 if pointee.startswith("fp8") else _size(pointee)
            integer = Int(8, True) if pointee == "i1" else held
            array, start = (places or {}).get(name, (name, 0))
            base: Expr = Base(array)
            arguments.append(PtrAdd(base, Const(start, I64), size, place) if start else base)
            params.append(Param(name, type, place, text, array))
            if array not in (a.name for a in arrays):
                arrays.append(
                    Array(array, "global", size, None, size, place, text,
                          integer if isinstance(integer, Int) else None)
                )  # fmt: skip
        else:
            params.append(Param(name, type, place, text))
            arguments.append(None if type is None else _argument(name, type, kernel))
    numbers = answer.get("numbers", {})
    notes = tuple((with_numbers(numbers, text), at) for text, at in kernel.notes)
    try:
        function = _function(read_ttir(answer["text"], place), answer["name"])
        if len(function.blocks[0].arguments) != len(arguments):
            raise Unread("a function with other parameters")
        made = lowered(function, arguments)
    except TtirError as error:
        return _lost(kernel, error.why, error.place or place)
    except Unread as unread:
        return _lost(kernel, str(unread), place)
    except (IndexError, ValueError) as error:  # an operation with fewer words than it has
        return _lost(kernel, f"TTIR of a form that is not known ({error})", place)
    return Kernel(
        kernel.name, tuple(params), tuple(arrays), made.body, place, TRITON, notes,
        block=made.block,
    )  # fmt: skip


def _lost(kernel: Jitted, why: str, place: Place) -> Kernel:
    """Return the program of a kernel of which nothing is understood."""
    params = tuple(Param(n, None, kernel.place, kernel.types.get(n, "")) for n in kernel.parameters)
    nothing = (NotUnderstood(why, place, (), None, True),)
    notes = tuple((text, at) for text, at in kernel.notes if text.startswith("launch "))
    return Kernel(kernel.name, params, (), nothing, kernel.place, TRITON, notes, block=(1, 1, 1))


def _function(functions: list[Function], name: str) -> Function:
    """Return the kernel among the functions of a module; others are those it calls."""
    found = next((f for f in functions if f.name == name), None)
    if found is None:
        raise Unread(f"a module without {name}")
    return found


def _type(text: str) -> Type | None:
    """Return the type of a parameter, None for a number that is no integer."""
    if text.startswith("*"):
        return Pointer()
    if text[0] not in "iu":
        return None
    bits = int(text[1:])
    return Int(bits, text[0] == "i" and bits > 1)


def _size(pointee: str) -> int:
    return element_bytes(_POINTEES.get(pointee, f"i{pointee[1:]}"))


def _argument(name: str, type: Type, kernel: Jitted) -> Expr:
    variable = Var(name, type)
    if isinstance(type, Int) and not type.signed and type.bits > 1:
        return Cast(variable, Int(type.bits, True), kernel.place, True)
    return variable
