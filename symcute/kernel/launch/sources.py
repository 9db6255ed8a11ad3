"""check_kernel(source): the kernels of a source, checked from Python."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from symcute.errors import InputError
from symcute.frontends import for_text
from symcute.kernel.findings import KNOWN, LIMIT, PROPERTIES, Findings
from symcute.kernel.launch.project import Request, Task, Trouble, each, run_task, tasks
from symcute.kernel.launch.reading import read_source

__all__ = ["check_kernel"]


def check_kernel(
    source: str | Path,
    *,
    launch: str | None = None,
    given: Sequence[str] = (),
    extents: Mapping[str, Any] | None = None,
    arguments: Mapping[str, Any] | None = None,
    contents: Mapping[str, str] | None = None,
    alignment: Mapping[str, Any] | None = None,
    template: Mapping[str, Any] | None = None,
    defines: Mapping[str, Any] | None = None,
    include: Sequence[str | Path] = (),
    properties: Collection[str] = PROPERTIES,
    limits: Sequence[str] = (),
    architecture: str | None = None,
    same_value: bool = False,
    timeout: float = LIMIT,
    certificates: bool = False,
) -> Findings:
    """Decide the properties of the kernels of a source, for all sizes of their launches.

    `source` is `FILE.cu`, `FILE.cu::kernel`, a folder, or CUDA C++ text (what has a line break or a
    semicolon). The launch and the rest are what the options of `symcute check` say, and stand
    beside the `// symcute:` notes of the source; `timeout` bounds the seconds of one kernel. With
    `certificates`, proofs come with what `symcute recheck` checks again of them.
    Post-conditions: each property of each kernel has one finding that is proved or not applicable,
    or one or more that are refuted or unknown. A refutation was executed with the arithmetic of the
    machine.
    Errors: InputError for a source that cannot be read, a property that there is not, and a launch
    that is missing or does not fit.

    >>> kernel = "__global__ void k(float *x, int n) { x[blockIdx.x * 64 + threadIdx.x] = 0; }"
    >>> found = check_kernel(kernel, launch="grid=(ceil_div(n,64)) block=64", extents={"x": "n"})
    >>> found.status, [f.property for f in found if f.status == "refuted"]
    ('refuted', ['in_bounds'])
    >>> print(next(f for f in found if f.status == "refuted"))
    kernel.cu:1:38: in_bounds refuted: write to x: write of 4 bytes at byte 4 of x, which has 4
    """
    if not properties:
        raise InputError("no property is asked for", f"name some of {', '.join(KNOWN)}")
    request = Request(
        launch=launch,
        given=tuple(given),
        arguments=_texts(arguments),
        extents=_texts(extents),
        contents=_texts(contents),
        alignment=_texts(alignment),
        template=_texts(template),
        defines=_texts(defines),
        include=tuple(map(str, include)),
        properties=tuple(properties),
        architecture=architecture,
        timeout=timeout,
        same_value=same_value,
        limits=tuple(limits),
        certificates=certificates,
    )
    return Findings(f for task in _tasks(source, request) for f in run_task(task))


def _texts(values: Mapping[str, Any] | None) -> dict[str, str]:
    return {name: str(value) for name, value in (values or {}).items()}


def _tasks(source: str | Path, request: Request) -> list[Task]:
    """Return the kernels of a source. Errors: InputError for one that cannot be read."""
    if isinstance(source, str) and ("\n" in source or ";" in source):
        front_end = for_text()
        read = read_source(front_end, source, request)
        if not read.kernels:
            raise InputError("the text has no kernel", front_end.kernels)
        return [task for kernel in read.kernels.values() for task in each(kernel, request)]
    found = []
    for task in tasks(str(source), request):
        if isinstance(task, Trouble):
            raise task.error
        found.append(task)
    return found
