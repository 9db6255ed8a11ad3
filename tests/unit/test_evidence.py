"""Does evidence record what was seen, can the check fail, and is a changed record noticed?"""

from __future__ import annotations

import copy
import json
import sys
import types
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symcute import evidence as module_under_test
from symcute.backends import CupyBackend, HostBackend, cupy_available
from symcute.codegen import module as generate
from symcute.errors import InputError, SymcuteError
from symcute.evidence import Evidence, Item, check, source_hash, verify, write
from symcute.exchange import offsets
from symcute.layout import Layout

ITEMS = [
    Item("row_major", "injective((M,N):(LD,1))", Layout.parse("(M,N):(LD,1)"), ["LD >= N"]),
    Item("odd", "injective(((M+1)/2):(3))", Layout.parse("((M+1)/2):(3)"), ["M % 2 == 1"]),
    Item("static", "injective((4,8):(8,1))", Layout((4, 8), (8, 1))),
    Item("huge", "injective(1099511627776:1)", Layout(2**40)),
]


@pytest.fixture(scope="session")
def seen() -> Evidence:
    return check(ITEMS, HostBackend(), count=4, limit=5000)


@pytest.fixture
def data(seen: Evidence) -> dict:
    return json.loads(json.dumps(seen.to_json()))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 5), st.integers(-9, 9)), min_size=1, max_size=4))
def test_offsets_equal_the_definition(modes: list[tuple[int, int]]):
    layout = Layout(tuple(s for s, _ in modes), tuple(d for _, d in modes))
    assert offsets(layout).tolist() == [layout(i) for i in range(layout.size())]


def test_offsets_of_nested_layouts_and_leaves():
    for text in ("7:2", "((2,3),(2,(1,2))):((1,-4),(0,(9,5)))", "1:0"):
        layout = Layout.parse(text)
        assert offsets(layout).dtype == np.int64
        assert offsets(layout).tolist() == [layout(i) for i in range(layout.size())]


def test_offsets_beyond_64_bits_are_exact():
    layout = Layout((3, 2), (2**62, 1))
    assert offsets(layout).dtype == object
    assert offsets(layout).tolist() == [layout(i) for i in range(6)]


def test_offsets_refuse_what_they_cannot_do():
    with pytest.raises(InputError, match="symbolic"):
        offsets(Layout.parse("M:1"))
    with pytest.raises(InputError, match="coordinates"):
        offsets(Layout(2**40))


def test_a_printed_layout_reads_back():
    for text in (
        "((M+1)/2,N):(1,M)",
        "(M*N/K,8):(ceil_div(M,3),-1)",
        "((8),2):((1),M**2-N)",
        "M:1",
    ):
        layout = Layout.parse(text)
        again = Layout.parse(str(layout))
        assert again == layout
        assert source_hash(again) == source_hash(layout)


def test_every_item_has_runs_or_a_reason(seen: Evidence):
    assert [item.theorem for item in seen.items] == [item.theorem for item in ITEMS]
    assert [len(item.runs) for item in seen.items] == [4, 4, 1, 0]
    assert "more than the limit of 5000" in seen.items[3].skipped
    assert seen.items[2].runs[0].coordinates == 32
    assert seen.ok
    totals = seen.totals()
    assert (totals["items"], totals["skipped"]) == (4, 1)
    assert totals["coordinates"] == sum(r.coordinates for i in seen.items for r in i.runs)
    assert seen.backend["name"] == "host"
    assert seen.backend["compiler"]


def test_the_check_can_fail(monkeypatch: pytest.MonkeyPatch):
    def broken(layouts):
        source = generate(layouts)
        assert "i % s * " in source
        return source.replace("i % s * ", "i % s * 2 * ")

    monkeypatch.setattr(module_under_test, "module", broken)
    result = check([Item("static", "c", Layout((4, 8), (8, 1)))], HostBackend())
    assert not result.ok
    (run,) = result.items[0].runs
    assert run.mismatches == 24
    assert run.first_mismatch == {"coordinate": 1, "expected": 8, "got": 16}
    assert verify(result.to_json()) == []


def test_nothing_compared_is_not_ok():
    result = check([ITEMS[3]], HostBackend())
    assert not result.ok
    assert not check([], HostBackend()).ok
    assert verify(result.to_json()) == []


def test_progress_is_told_after_each_item():
    told: list[tuple[int, int, str]] = []
    check(ITEMS[2:], HostBackend(), progress=lambda *x: told.append(x))
    assert told == [(1, 2, "static"), (2, 2, "huge")]


def test_more_items_than_one_module_holds(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module_under_test, "ENTRY_LIMIT", 3)
    items = [Item(f"t{k}", "c", Layout((k + 1, 3), (1, k + 2))) for k in range(7)]
    result = check(items, HostBackend())
    assert [item.runs[0].coordinates for item in result.items] == [3 * (k + 1) for k in range(7)]
    assert result.ok


def test_verify_accepts_what_was_written(seen: Evidence, tmp_path: Path):
    path = tmp_path / "gpu" / "host.json"
    write(seen, path)
    assert verify(json.loads(path.read_text(encoding="utf-8"))) == []


def test_write_says_why_it_cannot(seen: Evidence, tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(SymcuteError, match="cannot write"):
        write(seen, tmp_path / "file" / "x.json")


def changed(data: dict, *path, to) -> dict:
    data = copy.deepcopy(data)
    *inner, last = path
    place = data
    for key in inner:
        place = place[key]
    place[last] = to
    return data


@pytest.mark.parametrize(
    ("path", "to", "problem"),
    [
        (("totals", "coordinates"), 7, "the totals are"),
        (("totals", "mismatches"), 1, "the totals are"),
        (("items", 2, "instances", 0, "coordinates"), 31, "has 32 coordinates, not 31"),
        (("items", 2, "instances", 0, "mismatches"), 1, "needs a first mismatch"),
        (("items", 2, "instances", 0, "mismatches"), 33, "cannot have 33 mismatches"),
        (("items", 2, "instances", 0, "first_mismatch"), {}, "needs a first mismatch"),
        (("items", 2, "layout"), "(4,8):(1,4)", "source hash"),
        (("items", 0, "layout"), "(M,N):(N,1)", "source hash"),
        (("items", 0, "layout"), "(M,N:", "expected"),
        (("items", 2, "source_hash"), "0" * 64, "source hash"),
        (("items", 0, "instances", 1, "dims", "LD"), 0, "does not meet the assumptions"),
        (("items", 0, "given"), ["LD >= N", "M >= 1000000"], "does not meet the assumptions"),
        (("items", 0, "instances", 0, "dims"), {"M": 1.5}, "no integer"),
        (("items", 0, "instances", 0, "dims"), {}, "has no value"),
        (("items", 2, "instances"), [], "needs instances, or a reason"),
        (("items", 3, "skipped"), "", "needs instances, or a reason"),
        (("items", 2, "instances", 0), 5, "no JSON object"),
        (("items", 1), None, "no JSON object"),
        (("schema",), 2, "the schema is 2"),
        (("created",), 5, "created of the evidence is no str"),
    ],
)
def test_verify_notices_a_change(data: dict, path, to, problem: str):
    assert verify(data) == []
    problems = verify(changed(data, *path, to=to))
    assert any(problem in p for p in problems), problems


def test_verify_of_something_else():
    assert verify([]) == ["the evidence is no JSON object"]


def test_cupy_that_is_not_installed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    assert "CuPy is not installed" in cupy_available()
    with pytest.raises(InputError, match="CuPy is not installed"):
        CupyBackend()


def test_a_machine_without_a_device(monkeypatch: pytest.MonkeyPatch):
    class CUDARuntimeError(RuntimeError):
        pass

    def fail() -> int:
        raise CUDARuntimeError("cudaErrorNoDevice")

    runtime = types.SimpleNamespace(CUDARuntimeError=CUDARuntimeError, getDeviceCount=fail)
    fake = types.SimpleNamespace(cuda=types.SimpleNamespace(runtime=runtime))
    monkeypatch.setitem(sys.modules, "cupy", fake)
    assert cupy_available() == "no CUDA device is visible (cudaErrorNoDevice)"
    runtime.getDeviceCount = lambda: 0
    assert cupy_available() == "no CUDA device is visible"
    runtime.getDeviceCount = lambda: 1
    assert cupy_available() == ""


@pytest.mark.gpu
@pytest.mark.skipif(bool(cupy_available()), reason=cupy_available())
def test_the_same_items_on_the_gpu():
    result = check(ITEMS, CupyBackend(), count=4, limit=2**20)
    assert result.ok
    assert verify(result.to_json()) == []


def test_a_static_layout_may_stand_under_assumptions():
    item = Item("tile", "equal(64:1, 64:1)", Layout(64), ("M % 64 == 0",))
    data = check([item], HostBackend(), count=1, limit=1000).to_json()
    assert data["items"][0]["instances"][0]["dims"] == {}
    assert verify(data) == []
    wrong = Item("rows", "injective(N:1)", Layout.parse("N:1"), ("N >= 4", "M == 2*N"))
    data = check([wrong], HostBackend(), count=1, limit=1000).to_json()
    assert verify(data) == []
    data["items"][0]["instances"][0]["dims"]["N"] = 3
    assert any("does not meet the assumptions" in problem for problem in verify(data))


def test_the_evidence_that_is_kept_holds_together():
    kept = sorted((Path(__file__).resolve().parents[2] / "reports" / "gpu").glob("*.json"))
    assert kept
    for path in kept:
        data = json.loads(path.read_text(encoding="utf-8"))
        assert data["totals"]["mismatches"] == 0 < data["totals"]["coordinates"]
        # Evidence of an older generator is old, not wrong.
        assert [p for p in verify(data) if "source hash" not in p] == []
