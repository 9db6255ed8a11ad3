"""Claims about requests against what the counters of a GPU said of the same accesses."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from symcute import Access, BankConflict, Sectors, prove
from symcute.claims.language import evaluate
from symcute.layout.layout import Layout

KEPT = Path(__file__).parents[2] / "reports/gpu/memory/memory.json"
CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{}.sum"
SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op_{}.sum"


@pytest.fixture(scope="module")
def measured() -> dict[str, list[tuple[Access, dict[str, int]]]]:
    """Return the accesses of each kind that one warp made with all or its first lanes."""
    document = json.loads(KEPT.read_text(encoding="utf-8"))
    found: dict[str, list[tuple[Access, dict[str, int]]]] = defaultdict(list)
    for pattern in document["patterns"]:
        active = int(pattern["active"], 16)
        if pattern["warps"] > 1 or active & (active + 1) or "matrix" in pattern["kind"]:
            continue
        layout: Any = evaluate(pattern["layout"])
        if active.bit_length() < 32:  # as many lanes as take part
            inner = layout if isinstance(layout, Layout) else layout.layout
            if not isinstance(inner.shape, tuple) or inner.shape[0] != 32:
                continue
            fewer = Layout((active.bit_length(), *inner.shape[1:]), inner.stride)
            layout = (
                fewer if inner is layout else type(layout)(layout.swizzle, layout.offset, fewer)
            )
        bits = 8 * pattern["bytes"]
        access = Access(layout, bits, bits * pattern["vector"], pattern["base"])
        counters = dict(zip(document["metrics"], pattern["measured"], strict=True))
        found[pattern["kind"]].append((access, counters))
    return found


def test_accesses_are_free_where_neither_load_nor_store_was_counted_to_conflict(
    measured: dict[str, list[tuple[Access, dict[str, int]]]],
) -> None:
    counted: dict[Access, dict[str, int]] = defaultdict(dict)
    for kind in ("load", "store"):
        for access, counters in measured[f"shared {kind}"]:
            counted[access][kind] = counters[CONFLICTS.format("ld" if kind == "load" else "st")]
    both = {access: x for access, x in counted.items() if len(x) == 2}
    free = {access for access, x in both.items() if not any(x.values())}
    assert len(both) >= 100 and len(free) >= 40 and len(both) - len(free) >= 40
    for access in both:
        verdict = prove(BankConflict(access, 1))
        assert (verdict.status == "proved") == (access in free), f"{access}: {both[access]}"


def test_no_access_that_is_proved_free_was_counted_to_conflict(
    measured: dict[str, list[tuple[Access, dict[str, int]]]],
) -> None:
    for kind, name in (("load", "ld"), ("store", "st")):
        found = measured[f"shared {kind}"]
        assert len(found) >= 150
        for access, counters in found:
            if counters[CONFLICTS.format(name)]:
                assert prove(BankConflict(access, 1)).status == "refuted", access


@pytest.mark.parametrize(("kind", "name"), [("load", "ld"), ("store", "st")])
def test_as_many_sectors_were_counted_as_are_proved(
    kind: str, name: str, measured: dict[str, list[tuple[Access, dict[str, int]]]]
) -> None:
    found = [x for x in measured[f"global {kind}"] if len(list(x[0].coordinates())) == 1]
    assert len(found) >= 80
    for access, counters in found:
        count = counters[SECTORS.format(name)]
        assert prove(Sectors(access, count, count)).status == "proved", f"{access}: {count}"
