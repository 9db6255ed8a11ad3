"""What is said of each launch of a kernel that a text has."""

from __future__ import annotations

from symcute.errors import InputError
from symcute.frontends.cuda.source import read_kernels
from symcute.kernel.findings import verdict_of
from symcute.kernel.launch.project import Request, each, run_task

__all__ = ["told"]


def told(text: str, property: str = "in_bounds", kernel: str = "k") -> set[str]:
    """Return the verdicts on a property of a kernel, over the launches that are known."""
    found: set[str] = set()
    for task in each(read_kernels(text).kernels[kernel], Request(properties=(property,))):
        try:
            found.add(verdict_of(run_task(task))[property])
        except InputError:
            found.add("not followed")
    return found
