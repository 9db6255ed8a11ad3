"""What executions on the CPU show of a kernel: which properties a run violates, and where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from math import gcd, prod

from tests.access.cases import Case, Run, value
from tests.access.host import Execution, Record, program

#: What a block and a grid may have at most, and bytes of shared memory of a block on sm_90.
MOST_THREADS, MOST_BLOCKS, MOST_SHARED = 1024, (2**31 - 1, 65535, 65535), 232_448

_SHOWN_BY = {
    "index": "in_bounds", "overflow": "no_overflow", "shift": "no_overflow",
    "exited": "barrier_uniform", "elsewhere": "barrier_uniform",
}  # fmt: skip


def violations(case: Case, run: Run, execution: Execution) -> dict[str, str]:
    """Return the properties that a run violates, each with what shows it."""
    found = {}
    if why := launch_fault(case, run.dims):
        return {"launch_valid": why}
    sizes = extents(case, run.dims)
    for r in execution.records:
        if not 0 <= r.offset <= sizes[r.array] - r.width:
            found.setdefault("in_bounds", f"{r} of {sizes[r.array]} bytes")
        unit = min(16, r.width & -r.width)
        start = case.alignment.get(r.array, 16)
        if r.array in {p.name for p in case.parameters} and r.array not in case.alignment:
            start = next(p.element & -p.element for p in case.parameters if p.name == r.array)
        if r.offset % unit or start % unit:
            found.setdefault("aligned", str(r))
    for e in execution.events:
        name = _SHOWN_BY.get(e.kind)
        if name == "in_bounds" and not _is_private(case, e.line):
            continue
        if name:
            found.setdefault(name, str(e))
    if execution.status == "crashed":
        found.setdefault("in_bounds", "the processor stopped it")
    found.update(_uncovered(case, run, execution))
    for name, pair in races(execution.records, {p.name for p in case.parameters}).items():
        found[name] = str(pair)
    return found


def _uncovered(case: Case, run: Run, execution: Execution) -> Iterator[tuple[str, str]]:
    """Yield what is not written exactly once, where all threads ran."""
    if run.blocks is not None or run.threads is not None or execution.status != "done":
        return
    for name, array, layout in case.written:
        counts: Counter[int] = Counter()
        element = next(p.element for p in case.parameters if p.name == array)
        for r in execution.records:
            if r.array == array and r.kind != "read":
                counts.update(range(r.offset, r.offset + r.width))
        wanted = {
            k * element + byte
            for k in _elements(layout, case.extents[array], run.dims)
            for byte in range(element)
        }
        if counts != dict.fromkeys(wanted, 1):
            wrong = min(wanted ^ counts.keys() or {k for k, n in counts.items() if n > 1})
            yield name, f"byte {wrong} of {array} is written {counts[wrong]} times"


def _elements(layout: str, extent: str, dims: Mapping[str, int]) -> Iterator[int]:
    """Yield the offsets of a layout without hierarchy, `(M,N):(N,1)`, or all below the extent."""
    if not layout:
        yield from range(value(extent, dims))
        return
    shape, stride = (
        [value(t, dims) for t in part.strip().removeprefix("(").removesuffix(")").split(",")]
        for part in layout.split(":")
    )
    for at in product(*map(range, shape)):
        yield sum(i * d for i, d in zip(at, stride, strict=True))


def _is_private(case: Case, line: int) -> bool:
    """Whether an index that the compiler complains of is into an array of a thread.

    In shared memory a row may be left for the next one, which is inside all the same.
    """
    text = case.file.read_text(encoding="utf-8").splitlines()[line - 1]
    return not any(f"{s.name}[" in text for s in program(case.file).statics)


def extents(case: Case, dims: Mapping[str, int]) -> dict[str, int]:
    """Return the bytes of each array."""
    found = {s.name: s.size for s in program(case.file).statics}
    found["dynamic"] = value(case.shared, dims)
    # Of static variables, a name stands for that of this kernel.
    for s in program(case.file).statics:
        if s.function.split("(")[0].split("<")[0].split()[-1:] == [case.name]:
            found[s.name] = s.size
    for p in case.parameters:
        if p.pointer:
            found[p.name] = value(case.extents[p.name], dims) * p.element
    return found


def launch_fault(case: Case, dims: Mapping[str, int]) -> str:
    """Return why the machine refuses a launch, or nothing."""
    grid, block = case.launch(dims)
    shared = value(case.shared, dims)
    if min(*grid, *block) < 1:
        return f"nothing to run in {grid} x {block}"
    if prod(block) > MOST_THREADS or block[2] > 64:
        return f"{block} threads in a block"
    if any(n > most for n, most in zip(grid, MOST_BLOCKS, strict=True)):
        return f"{grid} blocks"
    return f"{shared} bytes of shared memory" if shared > MOST_SHARED else ""


def races(records: Iterable[Record], shared_by_all: set[str]) -> dict[str, tuple[Record, Record]]:
    """Return for each kind of race a pair of accesses that are in one."""
    units: dict[str, int] = {}
    records = list(records)
    for r in records:
        units[r.array] = gcd(units.get(r.array, 0), r.offset, r.width)
    cells: dict[object, dict[object, Record]] = {}
    for r in records:
        everywhere, unit = r.array in shared_by_all, units[r.array]
        when = (r.block, r.thread, r.epoch, r.warp, r.grid, r.kind)
        for cell in range(r.offset // unit, (r.offset + r.width) // unit):
            place = (r.array, cell) if everywhere else (r.array, cell, r.block)
            cells.setdefault(place, {}).setdefault(when, r)
    found: dict[str, tuple[Record, Record]] = {}
    for touched in cells.values():
        writers = [r for r in touched.values() if r.kind != "read"]
        if len(touched) == 1:
            continue
        for a in writers[:200]:
            for b in touched.values():
                if unordered(a, b) and not (a.kind == b.kind == "atomic"):
                    name = "read_write_race_free" if b.kind == "read" else "write_race_free"
                    found.setdefault(name, (a, b))
            if len(found) == 2:
                return found
    return found


def unordered(a: Record, b: Record) -> bool:
    """Whether two accesses are by different threads and no barrier is between them."""
    if (a.block, a.thread) == (b.block, b.thread) or a.grid != b.grid:
        return False
    if a.block != b.block:
        return True
    same_warp = a.thread // 32 == b.thread // 32
    return a.epoch == b.epoch and not (same_warp and a.warp != b.warp)
