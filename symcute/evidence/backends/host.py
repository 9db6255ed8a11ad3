"""The host's compilers as a backend: a module becomes a shared library, called through ctypes.

The domain is split over threads; the entries count with atomics.
"""

from __future__ import annotations

import ctypes
import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from symcute.errors import InputError, SymcuteError
from symcute.evidence.backends.base import (
    PRELUDE,
    START,
    Array,
    Outcome,
    OutOfMemory,
    cutlass_headers,
    parameters_array,
    read_result,
)

__all__ = ["HostBackend", "find_compiler"]

COMPILERS, CPP_COMPILERS = ("cc", "gcc", "clang"), ("c++", "g++", "clang++")
FLAGS = ("-std=c99", "-O2", "-fPIC", "-shared")
CPP_FLAGS = ("-std=c++17", "-O1", "-fPIC", "-shared", "-w")
#: Seconds a compiler gets; a module takes a few.
COMPILE_SECONDS = 300
#: A thread gets at least this many indices.
SHARE = 1 << 16


def find_compiler(names: Sequence[str] = COMPILERS) -> str:
    """Return the path of a compiler. Errors: InputError when there is none."""
    for name in names:
        path = shutil.which(name)
        if path:
            return path
    raise InputError(
        f"no C compiler on the PATH (looked for {', '.join(names)})",
        "install gcc or clang, or run on a machine with a GPU and CuPy",
    )


class HostResult:
    """Entries that run in threads."""

    def __init__(self, shares: list[Future[None]], result: Array, count: int) -> None:
        self._shares, self._result, self._count = shares, result, count

    def read(self) -> Outcome:
        """Wait for all threads, and return what they found."""
        for share in self._shares:
            share.result()
        return read_result(self._result, self._count)


class HostModule:
    """A loaded shared library of entries."""

    def __init__(self, library: ctypes.CDLL, threads: ThreadPoolExecutor) -> None:
        self._library, self._threads = library, threads

    def start(
        self, entry: str, parameters: Sequence[int], count: int, aux: Any = None
    ) -> HostResult:
        """Run an entry over [0, count), a share of it in each thread.

        Entries of one check follow each other over a bitmap, so a share is waited for here.
        """
        function = getattr(self._library, entry)
        function.restype = None
        values, result = parameters_array(parameters), np.array(START, dtype=np.uint64)
        aux = np.zeros(1, dtype=np.int64) if aux is None else aux
        share = max(SHARE, -(-count // (os.cpu_count() or 1)))

        def work(start: int) -> None:
            stop = ctypes.c_longlong(min(start + share, count))
            function(_at(values), ctypes.c_longlong(start), stop, _at(aux), _at(result))

        shares = [self._threads.submit(work, start) for start in range(0, count, share)]
        for x in shares:
            x.result()
        return HostResult(shares, result, count)


class HostBackend:
    """Compiles modules with the system's compilers and runs them on its cores.

    The road through CuTe is taken when CUTLASS's and CUDA's headers and a C++ compiler are there
    and `cute` asks for it (it takes seconds a module).
    Errors: InputError when the system has no C compiler.
    """

    name = "host"

    def __init__(self, *, cute: bool = False) -> None:
        self.compiler = find_compiler()
        self.roads: tuple[str, ...] = ("wide", "narrow", *(["cute"] if cute else []))
        self._threads = ThreadPoolExecutor(os.cpu_count() or 1)

    def describe(self) -> dict[str, str]:
        """Return the processor and the compiler."""
        version = subprocess.run(
            [self.compiler, "--version"], capture_output=True, text=True, timeout=30, check=False
        ).stdout.splitlines()
        return {
            "name": self.name,
            "device": platform.processor() or platform.machine(),
            "system": f"{platform.system()} {platform.machine()}",
            "threads": str(os.cpu_count()),
            "compiler": version[0].strip() if version else self.compiler,
            "flags": " ".join(FLAGS),
        }

    def load(self, source: str, road: str) -> HostModule:
        """Compile a module. Errors: SymcuteError when the compiler refuses it."""
        if road == "cute":
            suffix, command = ".cpp", [find_compiler(CPP_COMPILERS), *CPP_FLAGS, *_includes()]
        else:
            suffix, command = ".c", [self.compiler, *FLAGS]
        with tempfile.TemporaryDirectory(prefix="symcute-") as folder:
            code, library = Path(folder, "module" + suffix), Path(folder, "module.so")
            code.write_text(PRELUDE + source, encoding="utf-8")
            run = subprocess.run(
                [*command, "-o", str(library), str(code)],
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
                    f"{command[0]} refused the generated code: {error}", "report this as a fault"
                )
            # Once loaded, the library stays mapped; its file may go.
            return HostModule(ctypes.CDLL(str(library)), self._threads)

    def upload(self, values: Array) -> Any:
        """Return the array itself, contiguous."""
        return np.ascontiguousarray(values, dtype=np.int64)

    def bitmap(self, bits: int) -> Any:
        """Return words of zeros. Errors: OutOfMemory."""
        try:
            return np.zeros(-(-bits // 32), dtype=np.uint32)
        except MemoryError:
            raise OutOfMemory(
                f"no memory for a bitmap of {bits} bits", "use smaller instances"
            ) from None

    def count_bits(self, bitmap: Any) -> int:
        """Return how many bits are set."""
        return int(np.bitwise_count(bitmap).sum(dtype=np.int64))


def _includes() -> list[str]:
    """Return the flags that find CuTe's headers and the CUDA headers they include.

    Errors: InputError when they are not there.
    """
    headers = cutlass_headers()
    if headers is None:
        raise InputError(
            "NVIDIA's CUTLASS headers are not there",
            "install nvidia-cutlass, or name them with CUTLASS_PATH",
        )
    spec = find_spec("nvidia")
    roots = [Path(p) for p in (spec.submodule_search_locations or ())] if spec else []
    folders = [headers, *(f for r in roots for f in sorted(r.glob("*/include")) if f.is_dir())]
    return [f"-I{f}" for f in folders]


def _at(array: Array) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)
