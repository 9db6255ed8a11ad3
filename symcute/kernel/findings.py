"""What was found of a kernel: a property, where, and proved, refuted, unknown or not applicable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from symcute.expr.notebook import Shown
from symcute.kernel.ir.place import Place

__all__ = [
    "BEFORE_PROMISES",
    "CONTRADICTORY",
    "GOOD",
    "KNOWN",
    "LAYOUT_WORDS",
    "LIMIT",
    "NOT_LAUNCHED",
    "NO_LAUNCH",
    "PROPERTIES",
    "RACES",
    "WORDS",
    "Example",
    "Finding",
    "Findings",
    "Status",
    "verdict_of",
]

#: The properties in words, in the order in which they are told.
WORDS = {
    "launch_valid": "The device accepts the launch.",
    "in_bounds": "Every access lies inside its array.",
    "no_overflow": "Arithmetic of indices and conditions does not wrap.",
    "aligned": "Every access is at a multiple of its alignment.",
    "write_race_free": "No two threads write to one place without an order.",
    "read_write_race_free": "No thread reads what another writes without an order.",
    "barrier_uniform": "No thread misses a barrier that others reach.",
    "covers": "Every element of the array is written exactly once.",
    "implements": "The elements of the layout are written, each exactly once.",
    "promises_kept": "What the kernel promises a compiler, or asserts, is so.",
    "bank_conflicts": "A request to shared memory has no more bank conflicts than said.",
    "sectors": "A request to global memory touches no more sectors than said.",
}
#: Claims of the layouts in a module, in words, in the order in which they are told.
LAYOUT_WORDS = {
    "types_agree": "Our algebra computes what the types of the module say.",
    "partition_exact": "Every element of the tile belongs to as many threads as it should.",
    "divides": "The tile divides what is partitioned.",
    "vectorizable": "Every vector that is copied is contiguous and aligned.",
    "shares": "The block has as many threads as there are shares of the copy.",
    "injective": "No two elements of a layout in shared memory share a place.",
    "disjoint": "Tensors in one allocation share no byte.",
    "fits": "Shared memory is no more than a block may have.",
    "tma": "What the hardware asks of TMA holds.",
}
#: All properties, and those that are asked for unless others are: what costs time is no fault, and
#: few kernels promise anything.
KNOWN = tuple(WORDS)
PROPERTIES = KNOWN[:-3]
RACES = ("write_race_free", "read_write_race_free")
#: What is so of a launch, or of numbers as they are written, whatever a compiler is promised.
BEFORE_PROMISES = ("launch_valid", "no_overflow", "promises_kept")

#: Why all of a program is unknown that no launch runs, and what is said of it beside others.
CONTRADICTORY = "vacuous: the assumptions contradict each other"
NOT_LAUNCHED = "cannot be launched so"
#: Why a property is unknown that holds under the lines of a contract.
NO_LAUNCH = "no launch is known"

#: Seconds for a kernel, a backstop: on an idle machine its work takes a fraction of them.
LIMIT = 120.0

Status = Literal["proved", "refuted", "unknown", "not applicable"]
#: What leaves nothing to be done: it is proved, or the kernel has nothing that it speaks of.
GOOD: tuple[Status, ...] = ("proved", "not applicable")
Coordinate = tuple[int, int, int]
_WORST_FIRST: tuple[Status, ...] = ("refuted", "unknown", "proved", "not applicable")


@dataclass(frozen=True)
class Example:
    """An execution in which something goes wrong: the sizes, the thread, and what it did.

    `other` is the second thread of a race or at a barrier, as (block, thread, rounds, place).
    `values` are contents of arrays that the execution read, by element.
    """

    dims: Mapping[str, int]
    grid: Coordinate
    block_size: Coordinate
    text: str
    block: Coordinate | None = None
    thread: Coordinate | None = None
    rounds: tuple[tuple[str, int], ...] = ()
    other: tuple[Coordinate, Coordinate, tuple[tuple[str, int], ...], Place | None] | None = None
    values: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return the example in one line."""
        parts = [f"{k}={v}" for k, v in sorted(self.dims.items())]
        if self.block is not None and self.thread is not None:
            parts.append(_who(self.block, self.thread, self.rounds))
        if self.other is not None:
            parts.append(f"and {_who(*self.other[:3])}")
        parts += [f"{k}={v}" for k, v in self.values.items()]
        return f"{', '.join(parts)}: {self.text}" if parts else self.text

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        other = None
        if self.other is not None:
            block, thread, rounds, place = self.other
            other = {
                "block": list(block),
                "thread": list(thread),
                "rounds": dict(rounds),
                "place": None if place is None else str(place),
            }
        return {
            "dims": dict(self.dims),
            "grid": list(self.grid),
            "block_size": list(self.block_size),
            "block": None if self.block is None else list(self.block),
            "thread": None if self.thread is None else list(self.thread),
            "rounds": dict(self.rounds),
            "other": other,
            "values": dict(self.values),
            "text": self.text,
            "words": str(self),
        }


def _who(block: Coordinate, thread: Coordinate, rounds: Iterable[tuple[str, int]]) -> str:
    shown = f"block {_point(block)} thread {_point(thread)}"
    turns = ", ".join(f"{label} {n}" for label, n in rounds)
    return f"{shown} in round {turns}" if turns else shown


def _point(at: Coordinate) -> str:
    """Return a coordinate without the axes at its end that are 0."""
    kept = list(at)
    while len(kept) > 1 and kept[-1] == 0:
        kept.pop()
    return str(kept[0]) if len(kept) == 1 else f"({','.join(map(str, kept))})"


@dataclass(frozen=True)
class Finding:
    """What is known of a property at one place, or of all of a kernel where it is proved.

    `subject` is the access or the expression that it is about, `text` says it in a line, `how` and
    `rests_on` why a proof is one, `reason` why nothing is known; `holds_if` is an assumption under
    which it would be proved. `layouts` are those through which it accesses, where types of the
    source name them. `count` is how many places a proof is about, `certificates` what can
    be checked again of it, where that was asked for: lines as `symcute recheck` reads them.
    """

    property: str
    status: Status
    place: Place
    text: str
    kernel: str = ""
    subject: str = ""
    counterexample: Example | None = None
    reason: str = ""
    how: str = ""
    rests_on: tuple[str, ...] = ()
    holds_if: str = ""
    count: int = 1
    certificates: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)
    layouts: tuple[str, ...] = ()

    def is_doubt(self) -> bool:
        """Return whether it is of a statement that is not understood."""
        return self.status == "unknown" and self.reason == self.text

    def __str__(self) -> str:
        """Return the finding in one line."""
        more = f"; holds if {self.holds_if}" if self.holds_if else ""
        return f"{self.place}: {self.property} {self.status}: {self.text}{more}"

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "kernel": self.kernel,
            "property": self.property,
            "status": self.status,
            "file": self.place.file,
            "line": self.place.line,
            "column": self.place.column,
            "subject": self.subject,
            "text": self.text,
            "counterexample": self.counterexample.to_json() if self.counterexample else None,
            "reason": self.reason,
            "how": self.how,
            "rests_on": list(self.rests_on),
            "holds_if": self.holds_if,
            "count": self.count,
            "certificates": [dict(c) for c in self.certificates],
            "layouts": list(self.layouts),
        }


class Findings(Shown, tuple[Finding, ...]):
    """What was found of kernels, as a notebook and a terminal show it."""

    __slots__ = ()

    @property
    def status(self) -> Status:
        """Refuted where one finding is, else unknown where one is or there is none, else proved.

        Not applicable where all are.

        >>> Findings([Finding("aligned", "proved", Place("k.cu", 1, 1), "")]).status
        'proved'
        """
        every = {f.status for f in self}
        return next((s for s in _WORST_FIRST if s in every), "unknown")

    def __repr__(self) -> str:
        """Return the findings, one a line."""
        return "\n".join(map(str, self))


def verdict_of(findings: Iterable[Finding]) -> dict[str, Status]:
    """Return the verdict on each property: refuted or unknown where one finding is.

    Not applicable where the kernel has nothing that the property speaks of.

    >>> at = Place("k.cu", 1, 1)
    >>> verdict_of([Finding("aligned", "proved", at, ""), Finding("aligned", "unknown", at, "")])
    {'aligned': 'unknown'}
    """
    every: dict[str, set[Status]] = {}
    for f in findings:
        every.setdefault(f.property, set()).add(f.status)
    return {name: min(found, key=_WORST_FIRST.index) for name, found in every.items()}
