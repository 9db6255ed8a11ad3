"""Evidence: what a machine said when it ran the generated index functions of proved layouts.

For each layout the C source is generated, compiled and run over the whole domain at several
instances of the dims. Each offset is compared with the one that `offsets` computes from natural
coordinates, without division: the two roads share nothing but the layout.

Evidence backs a proof, it is none: it speaks of the instances that ran.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from symcute import __version__
from symcute.assumptions import Assumptions, Given
from symcute.backends import Backend, Module
from symcute.codegen import ENTRY_LIMIT, fits_int64, index_function, instances, module, why_none
from symcute.errors import InputError, SymcuteError
from symcute.exchange.arrays import offsets
from symcute.layout import Layout

__all__ = [
    "SCHEMA",
    "Evidence",
    "Item",
    "ItemEvidence",
    "Run",
    "check",
    "source_hash",
    "verify",
    "write",
]

#: The version of the JSON that `Evidence.to_json` returns.
SCHEMA = 1

#: Called after each item with how many are done, how many there are, and the theorem's name.
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Item:
    """One layout to run: the theorem and claim it stands in, and the assumptions there."""

    theorem: str
    claim: str
    layout: Layout
    given: Given = ()


@dataclass(frozen=True)
class Run:
    """One instance: the dims, how many coordinates were compared, how many offsets differed."""

    dims: dict[str, int]
    coordinates: int
    mismatches: int
    #: The first coordinate that differs: {"coordinate", "expected", "got"}; None without mismatch.
    first_mismatch: dict[str, int] | None

    def to_json(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        return {
            "dims": dict(sorted(self.dims.items())),
            "coordinates": self.coordinates,
            "mismatches": self.mismatches,
            "first_mismatch": self.first_mismatch,
        }


@dataclass(frozen=True)
class ItemEvidence:
    """What was seen of one item: its runs, or why it was skipped."""

    theorem: str
    claim: str
    layout: str
    given: tuple[str, ...]
    source_hash: str
    runs: tuple[Run, ...] = ()
    skipped: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        return {
            "theorem": self.theorem,
            "claim": self.claim,
            "layout": self.layout,
            "given": list(self.given),
            "source_hash": self.source_hash,
            "instances": [run.to_json() for run in self.runs],
            "skipped": self.skipped,
        }


@dataclass(frozen=True)
class Evidence:
    """What a machine said about a list of items."""

    created: str
    symcute: str
    backend: dict[str, str]
    items: tuple[ItemEvidence, ...]

    def totals(self) -> dict[str, int]:
        """Return the sums over all items."""
        return _totals([item.to_json() for item in self.items])

    @property
    def ok(self) -> bool:
        """Return whether something was compared and nothing differed."""
        totals = self.totals()
        return totals["coordinates"] > 0 and totals["mismatches"] == 0

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON values; `verify` checks such a value."""
        return {
            "schema": SCHEMA,
            "created": self.created,
            "symcute": self.symcute,
            "backend": dict(self.backend),
            "totals": self.totals(),
            "items": [item.to_json() for item in self.items],
        }


def source_hash(layout: Layout) -> str:
    """Return the SHA-256 of the layout's index function under the name `offset`."""
    return hashlib.sha256(index_function(layout, "offset").encode()).hexdigest()


def check(
    items: Iterable[Item],
    backend: Backend,
    *,
    count: int = 5,
    limit: int = 2**20,
    progress: Progress | None = None,
) -> Evidence:
    """Run each item's layout at up to `count` instances of at most `limit` coordinates each.

    Post-conditions: every item has a record: runs over the whole domain, or the reason why it was
    skipped (too large, no instance, beyond 64 bits). A mismatch is recorded, not raised.
    Errors: SymcuteError when the generated code does not compile or run.

    >>> from symcute.backends import HostBackend
    >>> result = check([Item("demo", "injective", Layout((4, 8)))], HostBackend())
    >>> result.ok, result.totals()["coordinates"]
    (True, 32)
    """
    todo = [_plan(item, count, limit) for item in items]
    records: list[ItemEvidence] = []
    for start in range(0, len(todo), ENTRY_LIMIT):
        batch = todo[start : start + ENTRY_LIMIT]
        # The same layout stands in many claims: one function is enough.
        layouts = list(dict.fromkeys(plan.generated for plan in batch if plan.chosen))
        loaded = backend.load(module(layouts)) if layouts else None
        for plan in batch:
            record = plan.record
            if loaded is not None and plan.chosen:
                number = layouts.index(plan.generated)
                runs = tuple(_run(loaded, number, plan, dims) for dims in plan.chosen)
                record = ItemEvidence(**{**record.__dict__, "runs": runs})
            records.append(record)
            if progress is not None:
                progress(len(records), len(todo), record.theorem)
    created = datetime.now(UTC).isoformat(timespec="seconds")
    return Evidence(created, __version__, backend.describe(), tuple(records))


@dataclass(frozen=True)
class _Plan:
    """An item with the layout its code is generated from and the instances to run."""

    item: Item
    generated: Layout
    chosen: list[dict[str, int]]
    record: ItemEvidence


def _plan(item: Item, count: int, limit: int) -> _Plan:
    text, digest = str(item.layout), ""
    generated = item.layout
    chosen: list[dict[str, int]] = []
    try:
        text = str(item.layout)
        # From the text, so that whoever holds the JSON can generate the same source.
        generated = Layout.parse(text)
        digest = source_hash(generated)
        found = instances(item.layout, item.given, count, limit)
        chosen = [dims for dims in found if fits_int64(generated, dims)]
        skipped = "" if chosen else why_none(item.layout, item.given, limit)
    except InputError as error:
        skipped = error.what
    given = Assumptions.of(item.given).texts()
    record = ItemEvidence(item.theorem, item.claim, text, given, digest, (), skipped)
    return _Plan(item, generated, chosen, record)


def _run(loaded: Module, number: int, plan: _Plan, dims: dict[str, int]) -> Run:
    expected = offsets(plan.item.layout.at(dims))
    own = {name: dims[name] for name in plan.generated.dims()}
    mismatches, at = loaded.compare(number, own, expected)
    first = None
    if at is not None:
        got = int(loaded.table(number, own, at, 1)[0])
        first = {"coordinate": at, "expected": int(expected[at]), "got": got}
    return Run(dims, len(expected), mismatches, first)


def write(evidence: Evidence, path: Path) -> None:
    """Write the evidence as JSON; folders on the way are made.

    Errors: SymcuteError when the file cannot be written.
    """
    text = json.dumps(evidence.to_json(), indent=1, ensure_ascii=False) + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise SymcuteError(
            f"cannot write {path}: {error.strerror}", "give a path that can be written"
        ) from None


def verify(data: Any) -> list[str]:
    """Return what is wrong with evidence read from JSON; an empty list when it is consistent.

    Checked: the fields and their types, the totals, that each source hash is that of the function
    generated from the layout's text, that each instance meets the assumptions and compared the
    whole domain, that an item has runs or a reason for having none.

    >>> verify({"schema": 1, "items": []})[0]
    'the evidence has no created'
    """
    if not isinstance(data, dict):
        return ["the evidence is no JSON object"]
    problems = _fields(data, _TOP, "the evidence")
    if problems:
        return problems
    if data["schema"] != SCHEMA:
        return [f"the schema is {data['schema']}, not {SCHEMA}"]
    for k, item in enumerate(data["items"]):
        problems += _item_problems(item, f"item {k}")
    if not problems and data["totals"] != _totals(data["items"]):
        problems.append(f"the totals are {data['totals']}, not {_totals(data['items'])}")
    return problems


_TOP = {
    "schema": int,
    "created": str,
    "symcute": str,
    "backend": dict,
    "totals": dict,
    "items": list,
}
_ITEM = {
    "theorem": str,
    "claim": str,
    "layout": str,
    "given": list,
    "source_hash": str,
    "instances": list,
    "skipped": str,
}
_RUN = {"dims": dict, "coordinates": int, "mismatches": int}
_FIRST = {"coordinate": int, "expected": int, "got": int}


def _fields(value: Any, wanted: Mapping[str, type], where: str) -> list[str]:
    """Return what is wrong with the fields of a JSON object."""
    if not isinstance(value, dict):
        return [f"{where} is no JSON object"]
    problems = []
    for name, kind in wanted.items():
        if name not in value:
            problems.append(f"{where} has no {name}")
        elif not isinstance(value[name], kind) or isinstance(value[name], bool):
            problems.append(f"{name} of {where} is no {kind.__name__}")
    return problems


def _item_problems(item: Any, where: str) -> list[str]:
    problems = _fields(item, _ITEM, where)
    if problems:
        return problems
    where = f"{where} ({item['theorem']}, {item['layout']})"
    if bool(item["instances"]) == bool(item["skipped"]):
        problems.append(f"{where} needs instances, or a reason for having none, not both")
    try:
        layout, given = Layout.parse(item["layout"]), Assumptions.of(item["given"])
        if item["source_hash"] != source_hash(layout) and not item["skipped"]:
            problems.append(f"the source hash of {where} is not that of its layout's function")
    except InputError as error:
        # A skipped item may be one that no code can be generated for.
        return problems if item["skipped"] else [*problems, f"{where}: {error.what}"]
    for run in item["instances"]:
        problems += _run_problems(run, layout, given, where)
    return problems


def _run_problems(run: Any, layout: Layout, given: Assumptions, where: str) -> list[str]:
    problems = _fields(run, _RUN, f"an instance of {where}")
    if problems:
        return problems
    where = f"the instance {run['dims']} of {where}"
    if not all(type(v) is int for v in run["dims"].values()):
        return [f"{where} has a dim that is no integer"]
    try:
        size = layout.at(run["dims"]).size()
        # A layout may have fewer dims than the assumptions: those about other dims are not asked.
        known = tuple(f for f in given.formulas if f.dims() <= run["dims"].keys())
        if not Assumptions(known).hold(run["dims"]):
            problems.append(f"{where} does not meet the assumptions")
    except InputError as error:
        return [f"{where}: {error.what}"]
    if run["coordinates"] != size:
        problems.append(f"{where} has {size} coordinates, not {run['coordinates']}")
    if not 0 <= run["mismatches"] <= run["coordinates"]:
        problems.append(f"{where} cannot have {run['mismatches']} mismatches")
    first = run.get("first_mismatch")
    if (first is not None) != (run["mismatches"] > 0):
        problems.append(f"{where} needs a first mismatch exactly when there are mismatches")
    elif first is not None:
        problems += _fields(first, _FIRST, f"the first mismatch of {where}")
    return problems


def _totals(items: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    runs = [run for item in items for run in item["instances"]]
    return {
        "items": len(items),
        "skipped": sum(1 for item in items if item["skipped"]),
        "instances": len(runs),
        "coordinates": sum(run["coordinates"] for run in runs),
        "mismatches": sum(run["mismatches"] for run in runs),
    }
