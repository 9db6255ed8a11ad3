"""The kernel of each pattern, generated from its layout; what it should read and write; running."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gpu import _run
from gpu.memory.patterns import WARP, Pattern

HERE = Path(__file__).parent

#: The PTX type of an access by its bytes.
_TYPES = {1: "u8", 2: "u16", 4: "u32", 8: "v2.u32", 16: "v4.u32"}
_MULTIPLIER = 2654435761

_KERNEL = """\
struct {name}_pattern {{
    static constexpr int lanes = {lanes}, requests = {requests}, room = {room};
    static constexpr unsigned active = {active:#x};
    static __device__ __forceinline__ long long at(long long thread, long long request)
    {{
        return ({base} + {name}_at(thread, request)) * {bytes};
    }}
    static __device__ __forceinline__ void request({address} at, Value& v)
    {{
        {request}
    }}
}};
extern "C" __global__ void {name}(unsigned* memory, unsigned* out, int check)
{{
    {call};
}}
"""


def request(pattern: Pattern) -> str:
    """Return the instruction of a pattern as inline assembly.

    >>> from gpu.memory.patterns import by_name
    >>> request(by_name("lds.32 stride 1"))
    'asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v.word[0]) : "r"(at) : "memory");'
    """
    count = pattern.matrices or max(1, pattern.width // 4)
    load, shared = "load" in pattern.kind, "global" not in pattern.kind
    place = f"[%{count if load else 0}]"
    registers = ", ".join(f"%{k + (not load)}" for k in range(count))
    if count > 1 or pattern.matrices:
        registers = "{" + registers + "}"
    values = ", ".join(f'"{"=r" if load else "r"}"(v.word[{k}])' for k in range(count))
    address = f'"{"r" if shared else "l"}"(at)'
    if pattern.matrices:
        verb = "ldmatrix" if load else "stmatrix"
        trans = ".trans" if pattern.kind.endswith("trans") else ""
        name = f"{verb}.sync.aligned.m8n8.x{count}{trans}.shared.b16"
    else:
        space = "shared" if shared else "global"
        name = f"{'ld' if load else 'st'}.{space}.{_TYPES[pattern.width]}"
    if load:
        return f'asm volatile("{name} {registers}, {place};" : {values} : {address} : "memory");'
    return f'asm volatile("{name} {place}, {registers};" : : {address}, {values} : "memory");'


def room(pattern: Pattern) -> int:
    """Return the bytes of memory that a pattern gets: a multiple of 1024 with nothing beyond."""
    return -(-pattern.extent() // 1024) * 1024


def source(patterns: Iterable[Pattern]) -> str:
    """Return the CUDA C of the patterns' kernels."""
    parts = [(HERE / "access.cu").read_text(encoding="utf-8")]
    for p in patterns:
        shared = "global" not in p.kind
        verb = "load_from" if "load" in p.kind else "store_to"
        arguments = "out, check" if shared else "memory, out" if "load" in p.kind else "memory"
        kernel = _KERNEL.format(
            name=p.kernel, lanes=p.lanes, requests=p.requests, room=room(p), active=p.active,
            base=p.base, bytes=p.bytes, address="unsigned" if shared else "unsigned long long",
            request=request(p),
            call=f"{verb}_{'shared' if shared else 'global'}<{p.kernel}_pattern>({arguments})",
        )  # fmt: skip
        parts += [_run.header({f"{p.kernel}_at": (p.layout, ("t", "r"))}), kernel]
    return "\n".join(parts)


def words(count: int) -> Any:
    """Return what the kernels' `word_of` gives for 0, 1, ...: the values that are moved."""
    return ((np.arange(count, dtype=np.uint64) + 1) * _MULTIPLIER).astype(np.uint32)


def loaded(pattern: Pattern) -> Any:
    """Return the four words that every thread gets in every request, of memory full of `words`."""
    memory = words(room(pattern) // 4).view(np.uint8)
    result = np.zeros((pattern.requests, pattern.warps, WARP, 16), dtype=np.uint8)
    for w in range(pattern.warps):
        for r in range(pattern.requests):
            addresses = pattern.addresses(w, r)
            if pattern.matrices:
                result[r, w] = _matrix_loaded(pattern, memory, addresses)
                continue
            for lane, a in enumerate(addresses):
                if a is not None:
                    result[r, w, lane, : pattern.width] = memory[a : a + pattern.width]
    return result.reshape(-1).view(np.uint32)


def _matrix_loaded(pattern: Pattern, memory: Any, addresses: Sequence[int | None]) -> Any:
    """Return what ldmatrix gives to the lanes: two elements of each matrix (PTX ISA, ldmatrix)."""
    result = np.zeros((WARP, 8), dtype=np.uint16)
    for k in range(pattern.matrices):
        rows = [memory[a : a + 16].view(np.uint16) for a in addresses[8 * k : 8 * k + 8]]
        matrix = np.array(rows)
        if pattern.kind.endswith("trans"):
            matrix = matrix.T
        result[:, 2 * k : 2 * k + 2] = matrix.reshape(WARP, 2)
    return result.view(np.uint8)


def writes(pattern: Pattern) -> Iterator[tuple[int, bytes]]:
    """Yield every address that a pattern of stores writes, and the bytes it writes there."""
    threads = pattern.warps * WARP
    values = words(4 * threads * pattern.requests).reshape(pattern.requests, pattern.warps, WARP, 4)
    for w in range(pattern.warps):
        for r in range(pattern.requests):
            for lane, a in enumerate(pattern.addresses(w, r)):
                if a is None:
                    continue
                if pattern.matrices:
                    k, q = divmod(lane, 8)
                    yield a, values[r, w, 4 * q : 4 * q + 4, k].tobytes()
                else:
                    yield a, values[r, w, lane].tobytes()[: pattern.width]


def wrong_bytes(pattern: Pattern, memory: Any) -> int:
    """Return how many bytes of memory, zero before, are none that the pattern's stores wrote.

    Of several stores to one byte any may have been the last.
    """
    possible: dict[int, set[int]] = {}
    for address, data in writes(pattern):
        for k, value in enumerate(data):
            possible.setdefault(address + k, set()).add(value)
    found = np.asarray(memory).view(np.uint8)
    return sum(int(b) not in possible.get(k, {0}) for k, b in enumerate(found.tolist()))


def compiled(patterns: Sequence[Pattern]) -> Any:
    """Return the kernels as a CuPy module."""
    import cupy

    return cupy.RawModule(code=source(patterns), options=("--std=c++17",))


def launch(module: Any, pattern: Pattern, check: bool) -> tuple[Any, Any]:
    """Run a kernel, one block of it; return memory and output as they are afterwards."""
    import cupy

    size = room(pattern) // 4
    threads = pattern.warps * WARP
    full = pattern.kind == "global load"
    memory = cupy.asarray(words(size) if full else np.zeros(size, dtype=np.uint32))
    out = cupy.asarray(np.zeros(max(size, 4 * threads * pattern.requests), dtype=np.uint32))
    module.get_function(pattern.kernel)((1,), (threads,), (memory, out, np.int32(check)))
    return memory, out


def wrong_values(module: Any, pattern: Pattern) -> int:
    """Run a kernel and return how many of the values it moved are not those its layout says."""
    memory, out = (x.get() for x in launch(module, pattern, check=True))
    if "load" in pattern.kind:
        wanted = loaded(pattern)
        return int((out[: wanted.size] != wanted).sum())
    return wrong_bytes(pattern, memory if "global" in pattern.kind else out[: memory.size])
