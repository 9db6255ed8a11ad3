"""Special registers: the numbers of threads, blocks and clusters, and how many there are.

And where shared memory begins.
"""

from __future__ import annotations

import re
from typing import Any

from symcute.frontends.cutedsl.text import Operation
from symcute.frontends.cutedsl.values import Scope

__all__ = ["SHARED_ALIGNMENT", "Special", "only_room", "threads_of"]

#: What shared memory is aligned to in the PTX that the DSL makes of a module: `.align 1024`.
SHARED_ALIGNMENT = 1024

#: Registers of threads and blocks: they count from 0, and how many there are.
_REGISTERS = re.compile(
    r"nvvm\.read\.ptx\.sreg\.(tid|ctaid|laneid|warpid|ntid|nctaid)(?:\.([xyz]))?\Z"
)
#: Registers of clusters.
_CLUSTERS = re.compile(
    r"nvvm\.read\.ptx\.sreg\.(n?clusterid|cluster\.n?cta(?:id|rank))(?:\.([xyz]))?\Z"
)
#: What those are where each block is a cluster: registers of blocks, or numbers.
_OF_BLOCKS = {
    "clusterid": "ctaid", "nclusterid": "nctaid", "cluster.ctaid": 0, "cluster.ctarank": 0,
    "cluster.nctaid": 1, "cluster.nctarank": 1,
}  # fmt: skip


def threads_of(kernel: Operation) -> tuple[int, ...]:
    """Return how many threads a block has in x, y and z; () where that is not said."""
    text = kernel.properties.get("nvvm.reqntid", "")
    found = re.fullmatch(r"array<i32: ([0-9]+), ([0-9]+), ([0-9]+)>", text)
    facts_of = kernel.properties.get("cutlass_launch_facts", "")
    exact = r"exact_block_dim = array<i64: ([0-9]+), ([0-9]+), ([0-9]+)>"
    found = found or re.search(exact, facts_of)
    return tuple(map(int, found.groups())) if found else ()


def only_room(kernel: Operation) -> Operation | None:
    """Return the allocation in shared memory of a kernel that has one: memory begins with it."""
    every = list(kernel.walk())
    if any("dyn_smem" in x.name or x.name == "llvm.mlir.addressof" for x in every):
        return None
    rooms = [x for x in every if x.name == "cute.memref.alloca" and ", smem," in x.results[0].type]
    return rooms[0] if len(rooms) == 1 else None


def _is_alone(kernel: Operation) -> bool:
    """Return whether each block is a cluster."""
    facts_of = kernel.properties.get("cutlass_launch_facts", "")
    return "exact_cluster_dim = array<i64: 1, 1, 1>" in facts_of


class Special:
    """The special registers of a kernel: each has one number, however often it is read."""

    def __init__(self, scope: Scope, kernel: Operation) -> None:
        self._scope = scope
        self._threads, self._alone = threads_of(kernel), _is_alone(kernel)
        self._values: dict[tuple[str, str | None], Any] = {}

    def value(self, operation: str) -> Any:
        """Return what an operation reads, or None where it reads no such register."""
        if found := _REGISTERS.match(operation):
            return self._of(*found.groups())
        if not (found := _CLUSTERS.match(operation)):
            return None
        kind, axis = found.groups()
        if self._alone:
            same = _OF_BLOCKS[kind]
            return self._of(same, axis) if isinstance(same, str) else same
        return self._of(kind, axis)

    def _of(self, kind: str, axis: str | None) -> Any:
        if (kind, axis) not in self._values:
            self._values[kind, axis] = self._made(kind, axis)
        return self._values[kind, axis]

    def _made(self, kind: str, axis: str | None) -> Any:
        """Return a number that counts from 0, or how many there are."""
        scope, count, many = self._scope, 0, kind in ("ntid", "nctaid")
        if kind in ("tid", "ntid") and axis and self._threads:
            count = self._threads["xyz".index(axis)]
        if kind == "ntid" and count:
            return count
        if count == 1:
            return 0
        name = "_".join(x for x in (kind.replace(".", "_"), axis) if x)
        found = scope.integer(name, least=int(many))
        if not kind.startswith(("cluster", "nclusterid")):
            scope.registers[str(found)] = kind, axis
        if kind not in ("tid", "laneid", "warpid"):
            scope.uniform.add(str(found))
        if count:
            scope.threads[str(found)] = count
            if axis == "x" and self._threads[1:] == (1, 1):
                scope.whole[str(found)] = count
        elif kind == "ctaid":
            scope.blocks.add(str(found))
        return found
