"""CuPy as a backend: NVRTC compiles the module, and kernels run on the current CUDA device.

The only file that imports CuPy, and only when it is used.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from typing import Any

import numpy as np

from symcute.backends.base import START, Offsets, dims_array, expected_array, read_result
from symcute.errors import InputError, SymcuteError

__all__ = ["CupyBackend", "cupy_available"]

OPTIONS = ("--std=c++17",)
THREADS, MAX_BLOCKS = 256, 16384


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


class CupyModule:
    """A loaded CUDA module of index functions."""

    def __init__(self, module: Any) -> None:
        self._module = module

    def compare(
        self, number: int, dims: Mapping[str, int], expected: Offsets
    ) -> tuple[int, int | None]:
        """Return how many i in [0, len(expected)) have another offset, and the first of them."""
        import cupy

        expected = expected_array(expected)
        result = cupy.asarray(np.array(START, dtype=np.uint64))
        arguments = (cupy.asarray(expected), np.int64(len(expected)), _values(dims), result)
        self._launch(f"compare_{number}", len(expected), arguments)
        return read_result(cupy.asnumpy(result), len(expected))

    def table(self, number: int, dims: Mapping[str, int], start: int, count: int) -> Offsets:
        """Return the offsets of the coordinates [start, start + count)."""
        import cupy

        out = cupy.zeros(count, dtype=cupy.int64)
        arguments = (out, np.int64(start), np.int64(count), _values(dims))
        self._launch(f"table_{number}", count, arguments)
        host: Offsets = cupy.asnumpy(out)
        return host

    def _launch(self, name: str, count: int, arguments: tuple[Any, ...]) -> None:
        blocks = max(1, min(MAX_BLOCKS, -(-count // THREADS)))
        self._module.get_function(name)((blocks,), (THREADS,), arguments)


class CupyBackend:
    """Compiles modules with NVRTC and runs them on the current CUDA device.

    Errors: InputError when CuPy or a device is missing.
    """

    name = "cupy"

    def __init__(self) -> None:
        reason = cupy_available()
        if reason:
            raise InputError(reason, "run on the CPU, or install cupy-cuda13x beside an NVIDIA GPU")

    def describe(self) -> dict[str, str]:
        """Return the device, and the versions of driver, CUDA, NVRTC and CuPy."""
        import cupy

        runtime = cupy.cuda.runtime
        device = runtime.getDevice()
        properties = runtime.getDeviceProperties(device)
        return {
            "name": self.name,
            "device": properties["name"].decode(),
            "compute_capability": f"{properties['major']}.{properties['minor']}",
            "memory_bytes": str(properties["totalGlobalMem"]),
            "driver": _driver_release(),
            "cuda_driver": _version(runtime.driverGetVersion()),
            "cuda_runtime": _version(runtime.runtimeGetVersion()),
            "compiler": "NVRTC " + ".".join(str(x) for x in cupy.cuda.nvrtc.getVersion()),
            "flags": " ".join(OPTIONS),
            "cupy": str(cupy.__version__),
        }

    def load(self, source: str) -> CupyModule:
        """Compile a module. Errors: SymcuteError when NVRTC refuses it."""
        import cupy

        module = cupy.RawModule(code=source, options=OPTIONS, backend="nvrtc")
        try:
            module.compile()
        except cupy.cuda.compiler.CompileException as error:
            first = str(error).strip().splitlines()[0]
            raise SymcuteError(
                f"NVRTC refused the generated code: {first}", "report this as a fault"
            ) from None
        return CupyModule(module)


def _values(dims: Mapping[str, int]) -> Any:
    import cupy

    return cupy.asarray(dims_array(dims))


def _version(number: int) -> str:
    """Return CUDA's packed version as text: 13020 is 13.2."""
    return f"{number // 1000}.{number % 1000 // 10}"


def _driver_release() -> str:
    """Return the release of the kernel driver (`580.159.04`), "" when nvidia-smi is not there."""
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return ""
    command = [tool, "--query-gpu=driver_version", "--format=csv,noheader"]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    except subprocess.TimeoutExpired:
        return ""
    lines = run.stdout.split()
    return lines[0] if lines and run.returncode == 0 else ""
