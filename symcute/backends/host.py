"""The host's C compiler as a backend: a module becomes a shared library, called through ctypes."""

from __future__ import annotations

import ctypes
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from symcute.backends.base import START, Offsets, dims_array, expected_array, read_result
from symcute.errors import InputError, SymcuteError

__all__ = ["HostBackend", "find_compiler"]

COMPILERS = ("cc", "gcc", "clang")
FLAGS = ("-std=c99", "-O2", "-fPIC", "-shared")
#: Seconds a compiler gets; a module takes about one.
COMPILE_SECONDS = 120


def find_compiler() -> str:
    """Return the path of a C compiler. Errors: InputError when there is none."""
    for name in COMPILERS:
        path = shutil.which(name)
        if path:
            return path
    raise InputError(
        f"no C compiler on the PATH (looked for {', '.join(COMPILERS)})",
        "install gcc or clang, or run on a machine with a GPU and CuPy",
    )


class HostModule:
    """A loaded shared library of index functions."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library

    def compare(
        self, number: int, dims: Mapping[str, int], expected: Offsets
    ) -> tuple[int, int | None]:
        """Return how many i in [0, len(expected)) have another offset, and the first of them."""
        expected, values = expected_array(expected), dims_array(dims)
        result = np.array(START, dtype=np.uint64)
        count = ctypes.c_longlong(len(expected))
        self._entry(f"compare_{number}")(_at(expected), count, _at(values), _at(result))
        return read_result(result, len(expected))

    def table(self, number: int, dims: Mapping[str, int], start: int, count: int) -> Offsets:
        """Return the offsets of the coordinates [start, start + count)."""
        out, values = np.zeros(count, dtype=np.int64), dims_array(dims)
        sizes = ctypes.c_longlong(start), ctypes.c_longlong(count)
        self._entry(f"table_{number}")(_at(out), *sizes, _at(values))
        return out

    def _entry(self, name: str) -> Any:
        function = getattr(self._library, name)
        function.restype = None
        return function


class HostBackend:
    """Compiles modules with the system's C compiler and runs them on one core.

    Errors: InputError when the system has no C compiler.
    """

    name = "host"

    def __init__(self) -> None:
        self.compiler = find_compiler()

    def describe(self) -> dict[str, str]:
        """Return the processor and the compiler."""
        version = subprocess.run(
            [self.compiler, "--version"], capture_output=True, text=True, timeout=30, check=False
        ).stdout.splitlines()
        return {
            "name": self.name,
            "device": platform.processor() or platform.machine(),
            "system": f"{platform.system()} {platform.machine()}",
            "compiler": version[0].strip() if version else self.compiler,
            "flags": " ".join(FLAGS),
        }

    def load(self, source: str) -> HostModule:
        """Compile a module. Errors: SymcuteError when the compiler refuses it."""
        with tempfile.TemporaryDirectory(prefix="symcute-") as folder:
            code, library = Path(folder, "module.c"), Path(folder, "module.so")
            code.write_text(source, encoding="utf-8")
            run = subprocess.run(
                [self.compiler, *FLAGS, "-o", str(library), str(code)],
                capture_output=True,
                text=True,
                timeout=COMPILE_SECONDS,
                check=False,
            )
            if run.returncode:
                lines = run.stderr.strip().splitlines()
                error = next(
                    (x for x in lines if "error" in x), lines[0] if lines else "no message"
                )
                raise SymcuteError(
                    f"{self.compiler} refused the generated code: {error}", "report this as a fault"
                )
            # Once loaded, the library stays mapped; its file may go.
            return HostModule(ctypes.CDLL(str(library)))


def _at(array: Offsets) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)
