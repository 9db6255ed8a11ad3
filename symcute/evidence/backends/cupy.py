"""CuPy as a backend: NVRTC (for CuTe: nvcc) compiles, kernels run on the current CUDA device.

The only file that imports CuPy, and only when it is used.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from typing import Any

import numpy as np

from symcute.errors import InputError, SymcuteError
from symcute.evidence.backends.base import (
    PRELUDE,
    START,
    Array,
    MachineFailed,
    Outcome,
    OutOfMemory,
    cutlass_headers,
    parameters_array,
    read_result,
)

__all__ = ["CupyBackend", "cupy_available"]

OPTIONS = ("--std=c++17",)
#: What nvcc gets for CuTe; CuPy adds the architecture.
CUTE_OPTIONS = ("-std=c++17", "-w", "--expt-relaxed-constexpr")
THREADS, BLOCKS_A_PROCESSOR = 256, 8
#: How many results wait on the device before they are read together.
ROWS = 4096


def cupy_available() -> str:
    """Return why CuPy cannot be used here in one line, or "" when it can."""
    try:
        import cupy
    except ImportError as error:
        return f"CuPy is not installed ({error})"
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        return f"no CUDA device is visible ({error})"
    return "" if count else "no CUDA device is visible"


class CupyResult:
    """A row of the results on the device."""

    def __init__(self, rows: Rows, count: int) -> None:
        self._rows, self._count = rows, count
        self.value: Array | None = None

    def read(self) -> Outcome:
        """Wait for all kernels, and return what this one found."""
        if self.value is None:
            self._rows.fetch()
        assert self.value is not None
        return read_result(self.value, self._count)


class Rows:
    """Results of kernels that are under way, read together."""

    def __init__(self) -> None:
        import cupy

        self._start = np.tile(np.array(START, dtype=np.uint64), (ROWS, 1))
        self._rows = cupy.asarray(self._start)
        self._waiting: list[CupyResult] = []

    def take(self, count: int) -> tuple[CupyResult, Any]:
        """Return a result and the row on the device that its kernel writes."""
        if len(self._waiting) == ROWS:
            self.fetch()
        result = CupyResult(self, count)
        self._waiting.append(result)
        return result, self._rows[len(self._waiting) - 1]

    def fetch(self) -> None:
        """Wait for all kernels and hand every result its row.

        Errors: MachineFailed when a kernel failed on the device.
        """
        import cupy

        waiting, self._waiting = self._waiting, []
        try:
            found = cupy.asnumpy(self._rows[: len(waiting)])
            self._rows.set(self._start)
        except cupy.cuda.runtime.CUDARuntimeError as error:
            raise MachineFailed(
                f"the device failed: {error}", "the results since the last read are lost"
            ) from None
        for result, row in zip(waiting, found, strict=True):
            result.value = row


class CupyModule:
    """A loaded CUDA module of entries."""

    def __init__(self, module: Any, rows: Rows, blocks: int) -> None:
        self._module, self._rows, self._blocks = module, rows, blocks
        self._functions: dict[str, Any] = {}

    def start(
        self, entry: str, parameters: Sequence[int], count: int, aux: Any = None
    ) -> CupyResult:
        """Launch an entry over [0, count); the result is read later."""
        import cupy

        function = self._functions.get(entry)
        if function is None:
            function = self._functions[entry] = self._module.get_function(entry)
        values = cupy.asarray(parameters_array(parameters))
        result, row = self._rows.take(count)
        blocks = max(1, min(self._blocks, -(-count // THREADS)))
        aux = values if aux is None else aux
        try:
            function((blocks,), (THREADS,), (values, np.int64(0), np.int64(count), aux, row))
        except (cupy.cuda.driver.CUDADriverError, cupy.cuda.runtime.CUDARuntimeError) as error:
            raise MachineFailed(f"the device failed: {error}", "see nvidia-smi") from None
        return result


class CupyBackend:
    """Compiles modules with NVRTC and runs them on the current CUDA device.

    The road through CuTe is there when nvcc and CUTLASS's headers are.
    Errors: InputError when CuPy or a device is missing.
    """

    name = "cupy"

    def __init__(self) -> None:
        reason = cupy_available()
        if reason:
            raise InputError(reason, "run on the CPU, or install cupy-cuda13x beside an NVIDIA GPU")
        import cupy

        headers = cutlass_headers()
        self._cute = (*CUTE_OPTIONS, f"-I{headers}") if headers and shutil.which("nvcc") else None
        self.roads: tuple[str, ...] = ("wide", "narrow", *(["cute"] if self._cute else []))
        self._device = cupy.cuda.runtime.getDevice()
        self._properties = cupy.cuda.runtime.getDeviceProperties(self._device)
        self._blocks = self._properties["multiProcessorCount"] * BLOCKS_A_PROCESSOR
        self._rows = Rows()

    def describe(self) -> dict[str, str]:
        """Return the device, and the versions of driver, CUDA, NVRTC and CuPy."""
        import cupy

        runtime, properties = cupy.cuda.runtime, self._properties
        return {
            "name": self.name,
            "device": properties["name"].decode(),
            "compute_capability": f"{properties['major']}.{properties['minor']}",
            "memory_bytes": str(properties["totalGlobalMem"]),
            "driver": _line("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"),
            "cuda_driver": _version(runtime.driverGetVersion()),
            "cuda_runtime": _version(runtime.runtimeGetVersion()),
            "compiler": "NVRTC " + ".".join(str(x) for x in cupy.cuda.nvrtc.getVersion()),
            "flags": " ".join(OPTIONS),
            "cute_compiler": _line("nvcc", "--version", last=True) if self._cute else "",
            "cupy": str(cupy.__version__),
        }

    def load(self, source: str, road: str) -> CupyModule:
        """Compile a module. Errors: SymcuteError when the compiler refuses it."""
        import cupy

        with cupy.cuda.Device(self._device):
            if road == "cute":
                assert self._cute is not None
                module = cupy.RawModule(code=PRELUDE + source, options=self._cute, backend="nvcc")
            else:
                module = cupy.RawModule(code=PRELUDE + source, options=OPTIONS, backend="nvrtc")
            try:
                module.compile()
            except cupy.cuda.compiler.CompileException as error:
                lines = str(error).strip().splitlines()
                first = next((x for x in lines if "error" in x), lines[0] if lines else "")
                raise SymcuteError(
                    f"the compiler refused the generated code: {first}", "report this as a fault"
                ) from None
        return CupyModule(module, self._rows, self._blocks)

    def upload(self, values: Array) -> Any:
        """Return a copy on the device. Errors: OutOfMemory."""
        import cupy

        try:
            return cupy.asarray(np.ascontiguousarray(values, dtype=np.int64))
        except cupy.cuda.memory.OutOfMemoryError:
            raise OutOfMemory(
                f"no device memory for {values.size} offsets", "use smaller instances"
            ) from None

    def bitmap(self, bits: int) -> Any:
        """Return words of zeros on the device. Errors: OutOfMemory."""
        import cupy

        try:
            return cupy.zeros(-(-bits // 32), dtype=cupy.uint32)
        except cupy.cuda.memory.OutOfMemoryError:
            raise OutOfMemory(
                f"no device memory for a bitmap of {bits} bits", "use smaller instances"
            ) from None

    def count_bits(self, bitmap: Any) -> int:
        """Return how many bits are set."""
        import cupy

        kernel = cupy.ReductionKernel(
            "uint32 x", "uint64 y", "__popc(x)", "a + b", "y = a", "0", "symcute_count_bits"
        )
        return int(kernel(bitmap))


def _version(number: int) -> str:
    """Return CUDA's packed version as text: 13020 is 13.2."""
    return f"{number // 1000}.{number % 1000 // 10}"


def _line(program: str, *arguments: str, last: bool = False) -> str:
    """Return the first (or last) line that a program prints, "" when it is not there."""
    tool = shutil.which(program)
    if tool is None:
        return ""
    try:
        run = subprocess.run(
            [tool, *arguments], capture_output=True, text=True, timeout=30, check=False
        )
    except subprocess.TimeoutExpired:
        return ""
    lines = run.stdout.strip().splitlines()
    return lines[-1 if last else 0].strip() if lines and run.returncode == 0 else ""
