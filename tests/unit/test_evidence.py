"""Does evidence record what was seen, can the check fail, and is a changed record noticed?"""

from __future__ import annotations

import copy
import importlib
import json
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symcute.claims.language import read_claim
from symcute.errors import InputError, SymcuteError
from symcute.evidence import (
    Evidence,
    Options,
    Subject,
    gather,
    source_hash,
    staleness,
    verify,
    write,
)
from symcute.evidence import run as run_module
from symcute.evidence.backends import CupyBackend, HostBackend, OutOfMemory, cupy_available
from symcute.evidence.isolated import collect
from symcute.evidence.record import totals
from symcute.interop import offsets
from symcute.layout.layout import Layout
from symcute.report.evidence import found_evidence, write_evidence_page

#: The generated code is compiled and runs on the CPU.
pytestmark = pytest.mark.full

ROOT = Path(__file__).resolve().parents[2]
ROWS = "injective((M,N):(LD,1))"
SUBJECTS = [
    Subject("rows", ROWS, ("LD >= N",)),
    Subject("odd", "injective(((M+1)/2):(3))", ("M % 2 == 1",)),
    Subject("static", "injective((4,8):(8,1))"),
    Subject("huge", "injective(1099511627776:1)"),
    Subject("numbers", "M <= M*N"),
    Subject("any_rows", ROWS, (), "refuted", {"LD": 1, "M": 2, "N": 2}),
    Subject("inverse", "is_right_inverse((N,M):(M,1), (M,N):(N,1))"),
    Subject("wrong_inverse", "is_right_inverse((M,N):(M,1), (M,N):(N,1))", (), "refuted",
            {"M": 2, "N": 3}),
    Subject("wrong_size", "equal((M,N):(1,M), M:1)", (), "refuted", {"M": 2, "N": 2}),
]  # fmt: skip
SMALL = Options(instances=4, limit=5000)


def evidence_of(items: list[Any]) -> Evidence:
    records = tuple(item.to_json() for item in items)
    return Evidence("2026-01-01", "0", "", HostBackend().describe(), {}, 1.0, records)


@pytest.fixture(scope="session")
def seen() -> Evidence:
    return evidence_of(gather(SUBJECTS, HostBackend(), SMALL))


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


def test_a_printed_claim_reads_back():
    for s in SUBJECTS:
        claim = read_claim(s.claim, given=list(s.given))
        assert claim.spelled() == s.claim
        assert source_hash(claim) == source_hash(read_claim(claim.text(), given=list(s.given)))


def test_every_subject_has_runs_or_a_reason(seen: Evidence):
    items = {item["theorem"]: item for item in seen.items}
    assert list(items) == [s.theorem for s in SUBJECTS]
    assert [len(item["runs"]) for item in seen.items] == [4, 4, 1, 0, 0, 1, 4, 1, 0]
    assert "more than the limit of 5000" in items["huge"]["skipped"]
    assert items["numbers"]["skipped"] == "it speaks of no layout"
    assert items["wrong_size"]["skipped"] == "what fails is a statement about numbers"
    assert items["static"]["runs"][0]["outcomes"] == [[32, 0, None]] * 4
    assert seen.ok
    found = seen.totals()
    assert (found["items"], found["skipped"], found["reproduced"]) == (9, 3, 2)
    assert found["coordinates"] == sum(
        o[0] for i in seen.items for r in i["runs"] for o in r["outcomes"] if o
    )
    assert seen.backend["name"] == "host"
    assert seen.backend["compiler"]


def test_a_counterexample_fails_on_the_machine(seen: Evidence):
    item = next(i for i in seen.items if i["theorem"] == "any_rows")
    (run,) = item["runs"]
    assert item["names"] == ["LD", "M", "N"]
    assert run["dims"] == [1, 2, 2]
    outcomes = dict(zip(item["checks"], run["outcomes"], strict=True))
    # Offsets 0, 1, 1, 2: one is there twice.
    assert outcomes["no offset twice, (M,N):(LD,1) (wide)"][:2] == [4, 1]
    assert outcomes["offsets of (M,N):(LD,1) (wide)"] == [4, 0, None]


def test_a_refutation_that_does_not_fail_is_noticed(seen: Evidence):
    wrong = [Subject("fine", ROWS, (), "refuted", {"LD": 2, "M": 2, "N": 2})]
    items = gather(wrong, HostBackend(), SMALL)
    # At these dims the claim is true, so nothing fails, and nothing is run.
    assert items[0].skipped == "what fails is a statement about numbers"
    data = json.loads(json.dumps(seen.to_json()))
    item = next(i for i in data["items"] if i["theorem"] == "any_rows")
    item["runs"][0]["outcomes"] = [o and [o[0], 0, None] for o in item["runs"][0]["outcomes"]]
    data["totals"] = totals(data["items"])
    assert data["totals"]["not_reproduced"] == 1
    assert "1 refuted claims did not fail" in verify(data)


def test_the_check_can_fail(monkeypatch: pytest.MonkeyPatch):
    right = run_module.source

    def broken(checks: Any, road: str) -> str:
        text = right(checks, road)
        assert "* 8" in text
        return text.replace("* 8", "* 16")

    monkeypatch.setattr(run_module, "source", broken)
    result = evidence_of(gather([Subject("static", "injective((4,8):(8,1))")], HostBackend()))
    assert not result.ok
    (item,) = result.items
    assert item["checks"][0] == "offsets of (4,8):(8,1) (wide)"
    assert item["runs"][0]["outcomes"][0] == [32, 24, 1]
    assert verify(result.to_json()) == ["48 coordinates failed a check that should hold"]


def test_nothing_compared_is_not_ok():
    assert not evidence_of(gather([SUBJECTS[3]], HostBackend(), SMALL)).ok
    assert not evidence_of([]).ok


def test_more_claims_than_one_module_holds(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(run_module, "BATCH", 3)
    subjects = [Subject(f"t{k}", f"injective(({k + 1},3):(1,{k + 2}))") for k in range(7)]
    told: list[str] = []
    items = gather(subjects, HostBackend(), SMALL, done=lambda item: told.append(item.theorem))
    assert [item.runs[0].outcomes[0][0] for item in items] == [3 * (k + 1) for k in range(7)]
    assert told == [s.theorem for s in subjects]


class Refuses(HostBackend):
    """A compiler that refuses what has a 77 in it."""

    def load(self, source: str, road: str) -> Any:
        if "77" in source and road == "narrow":
            raise SymcuteError("77 is an unlucky number", "")
        return super().load(source, road)


def test_a_compiler_that_refuses_costs_one_claim(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.chdir(tmp_path)
    subjects = [Subject("a", "injective(5:1)"), Subject("b", "injective(5:77)")]
    one, other = gather(subjects, Refuses(), SMALL)
    assert one.runs[0].outcomes == ((5, 0, None),) * 4
    assert other.runs[0].outcomes == ((5, 0, None), None, (5, 0, None), None)
    (note,) = other.notes
    assert note.startswith("narrow: 77 is an unlucky number (source: .symcute/failed/")
    assert "77" in Path(note.partition("source: ")[2].rstrip(")")).read_text()


class Small(HostBackend):
    """A machine with room for a hundred offsets."""

    def upload(self, values: Any) -> Any:
        if values.size > 100:
            raise OutOfMemory(f"no room for {values.size} offsets", "")
        return super().upload(values)


def test_a_machine_that_is_too_small_says_so():
    (item,) = gather([SUBJECTS[0]], Small(), SMALL)
    assert 1 <= len(item.runs) < 4
    assert any("no room for" in note for note in item.notes)


def test_a_bitmap_that_is_too_large_is_left_out():
    subject = Subject("far", "injective((2,M):(1000000,1))", ("M <= 1000",))
    (item,) = gather([subject], HostBackend(), Options(2, 5000, bits=1000))
    assert [o and o[1] for o in item.runs[0].outcomes] == [0, 0, None, None]
    assert "a bitmap of 1000001 bits is too large" in item.notes[0]


def test_time_that_is_used_up_is_said():
    items = gather(SUBJECTS[:2], HostBackend(), Options(2, 500, seconds=-1))
    assert [item.skipped for item in items] == ["the time was used up before"] * 2


# --- the run in a process of its own ----------------------------------------------------------


@pytest.fixture
def machines(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT))
    return importlib.import_module("tests.unit.machines")


TROUBLE = [SUBJECTS[2], Subject("trouble", "injective(5:1)"), SUBJECTS[6]]


def test_a_process_of_its_own_sees_the_same(seen: Evidence, tmp_path: Path):
    partial = tmp_path / "cpu.partial.jsonl"
    told: list[str] = []
    found = collect(SUBJECTS, "cpu", SMALL, partial=partial, commit="abc", done=told.append)
    assert [dict(i) for i in found.items] == json.loads(json.dumps(list(seen.items)))
    assert found.commit == "abc"
    assert told == [s.theorem for s in SUBJECTS]
    assert not partial.exists()
    assert verify(found.to_json()) == []


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("hangs", "the machine failed: the process gave no answer within 5 s"),
        ("dies", "the machine failed: the process died (exit code 137)"),
        ("device_fails", "the machine failed: the process died (exit code 70)"),
    ],
)
def test_a_machine_that_fails_costs_one_claim(machines: Any, how: str, why: str):
    found = collect(TROUBLE, "cpu", SMALL, patience=5, work=getattr(machines, how))
    assert [item["skipped"] for item in found.items] == ["", why, ""]
    assert found.ok


def test_a_machine_that_never_starts(machines: Any):
    with pytest.raises(SymcuteError, match="keeps failing: the process died \\(exit code 3\\)"):
        collect(TROUBLE, "cpu", SMALL, work=machines.never_starts)


def test_a_machine_that_refuses(machines: Any):
    with pytest.raises(SymcuteError, match="the driver is too old; install a newer one"):
        collect(TROUBLE, "cpu", SMALL, work=machines.has_no_device)


def test_a_stopped_run_is_taken_up_again(tmp_path: Path, machines: Any):
    partial = tmp_path / "cpu.partial.jsonl"
    stop = RuntimeError("stopped by the user")

    def stopping(name: str) -> None:
        if name == "static":
            raise stop

    with pytest.raises(RuntimeError):
        collect(SUBJECTS, "cpu", SMALL, partial=partial, done=stopping)
    lines = partial.read_text().splitlines()
    assert len(lines) == 1 + 3  # the machine, and a claim a line
    partial.write_text("\n".join(lines) + '\n["half a li')
    left = {s.theorem for s in SUBJECTS[3:]}
    found = collect(SUBJECTS, "cpu", SMALL, partial=partial, done=lambda n: left.discard(n))
    assert found.ok
    assert len(found.items) == len(SUBJECTS)
    # Other options are another run.
    partial.write_text("\n".join(lines) + "\n")
    other = collect(SUBJECTS[:1], "cpu", Options(2, 500), partial=partial)
    assert len(other.items[0]["runs"]) == 2


# --- records ----------------------------------------------------------------------------------


def test_verify_accepts_what_was_written(seen: Evidence, tmp_path: Path):
    path = tmp_path / "gpu" / "host.json"
    write(seen, path)
    assert json.loads(path.read_text(encoding="utf-8")) == json.loads(json.dumps(seen.to_json()))
    assert verify(json.loads(path.read_text(encoding="utf-8"))) == []


def test_write_says_why_it_cannot(seen: Evidence, tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(SymcuteError, match="cannot write"):
        write(seen, tmp_path / "file" / "x.json")


def changed(data: dict, *path: Any, to: Any) -> dict:
    data = copy.deepcopy(data)
    *inner, last = path
    place: Any = data
    for key in inner:
        place = place[key]
    place[last] = to
    return data


@pytest.mark.parametrize(
    ("path", "to", "problem"),
    [
        (("totals", "coordinates"), 7, "the totals are"),
        (("totals", "mismatches"), 1, "the totals are"),
        (("items", 2, "runs", 0, "outcomes", 0, 0), 31, "looked at 31 of 32 coordinates"),
        (("items", 2, "runs", 0, "outcomes", 0, 1), 1, "the totals are"),
        (("items", 2, "runs", 0, "outcomes", 0, 1), -1, "cannot have -1 failures"),
        (("items", 2, "runs", 0, "outcomes", 0, 2), 3, "cannot fail first at 3"),
        (("items", 2, "runs", 0, "outcomes", 0), [32], "is no outcome"),
        (("items", 2, "runs", 0, "outcomes"), [], "has 0 outcomes for 4 checks"),
        (("items", 2, "claim"), "injective((4,9):(9,1))", "the checks of item 2"),
        (("items", 0, "claim"), "injective((M,N:", "expected"),
        (("items", 0, "claim"), "injective((M,K):(LD,1))", "the checks of item 0"),
        (("items", 0, "checks"), [], "the checks of item 0"),
        (("items", 0, "names"), ["M"], "the checks of item 0"),
        (("items", 0, "runs", 1, "dims", 0), 0, "does not meet the assumptions"),
        (("items", 0, "given"), ["LD >= N", "M >= 1000000"], "does not meet the assumptions"),
        (("items", 0, "runs", 0, "dims"), [1.5, 1, 1], "does not give every dim an integer"),
        (("items", 0, "runs", 0, "dims"), [], "does not give every dim an integer"),
        (("items", 2, "runs"), [], "needs runs, or a reason"),
        (("items", 3, "skipped"), "", "needs runs, or a reason"),
        (("items", 2, "runs", 0), 5, "no JSON object"),
        (("items", 1), None, "no JSON object"),
        (("items", 1, "status"), "true", "has the status true"),
        (("items", 5, "status"), "proved", "the totals are"),
        (("schema",), 1, "the schema is 1"),
        (("created",), 5, "created of the evidence is no str"),
    ],
)
def test_verify_notices_a_change(data: dict, path: Any, to: Any, problem: str):
    assert verify(data) == []
    problems = verify(changed(data, *path, to=to))
    assert any(problem in p for p in problems), problems


def test_verify_of_something_else():
    assert verify([]) == ["the evidence is no JSON object"]


def test_staleness(data: dict):
    states = staleness(data, SUBJECTS)
    assert [states[s.key].partition(":")[0] for s in SUBJECTS] == [
        "fresh", "fresh", "fresh", "not run", "not run", "fresh", "fresh", "fresh", "not run",
    ]  # fmt: skip
    other = [
        Subject("rows", ROWS, ("LD >= N + 1",)),
        Subject("rows", ROWS, ("LD >= N",), "refuted", {}),
        Subject("columns", ROWS, ("LD >= N",)),
        Subject("sizes", "M <= M*K"),
    ]
    assert [staleness(data, [s])[s.key] for s in other] == [
        "stale: the assumptions changed", "stale: it was proved", "missing",
        "not run: it speaks of no layout",
    ]  # fmt: skip
    old = changed(data, "items", 0, "source_hash", to="0" * 64)
    assert staleness(old, SUBJECTS)[SUBJECTS[0].key] == "stale: the generated code changed"
    # Old is not wrong.
    assert verify(old) == []


def test_the_page_and_the_sentences(seen: Evidence, tmp_path: Path):
    write(seen, tmp_path / "host.json")
    write_evidence_page(tmp_path / "host.html", seen.to_json())
    page = (tmp_path / "host.html").read_text(encoding="utf-8")
    assert "nothing went against a verdict" in page
    assert "counterexample reproduced" in page
    assert "no offset twice, (M,N):(LD,1) (narrow)" in page
    (tmp_path / "broken.json").write_text('{"schema": 2}')
    found, problems = found_evidence(tmp_path)
    assert problems == ["broken.json: the evidence has no created"]
    assert [
        "4 instances" in s and "all agree" in s
        for s in found[("rows", ROWS, "proved", ("LD >= N",))]
    ] == [True]
    assert "the counterexample fails there too" in found[("any_rows", ROWS, "refuted", ())][0]
    assert not any("huge" in key for key in found)


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
def test_the_same_subjects_on_the_gpu():
    found = collect(SUBJECTS, "cuda", Options(6, 2**20))
    assert found.ok
    assert verify(found.to_json()) == []


def test_a_static_layout_may_stand_under_assumptions():
    subject = Subject("tile", "equal(64:1, 64:1)", ("M % 64 == 0",))
    data = evidence_of(gather([subject], HostBackend(), SMALL)).to_json()
    assert data["items"][0]["runs"][0]["dims"] == []
    assert verify(json.loads(json.dumps(data))) == []
    subject = Subject("rows", "injective(N:1)", ("N >= 4", "M == 2*N"))
    data = json.loads(json.dumps(evidence_of(gather([subject], HostBackend(), SMALL)).to_json()))
    assert verify(data) == []
    data["items"][0]["runs"][0]["dims"][0] = 3
    assert any("does not meet the assumptions" in problem for problem in verify(data))


def test_the_evidence_that_is_kept_holds_together():
    kept = sorted((ROOT / "reports" / "gpu").glob("*.json"))
    assert kept
    for path in kept:
        data = json.loads(path.read_text(encoding="utf-8"))
        assert data["totals"]["mismatches"] == 0 < data["totals"]["coordinates"]
        assert verify(data) == []
