"""`symcute gpu`: the generated code runs, here on the CPU, and the page shows the evidence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


@pytest.mark.full
def test_the_cpu_stands_in(symcute, rows: Path, tmp_path: Path) -> None:
    outcome = symcute("gpu", "proofs", "--backend", "cpu", "--instances", "3", "--quiet")
    assert outcome.code == 0, outcome.err
    assert "0 mismatches, 1 refutation reproduced" in outcome.out
    assert outcome.out.endswith("evidence: reports/latest/cpu.json\n")
    evidence = json.loads((tmp_path / "reports/latest/cpu.json").read_text(encoding="utf-8"))
    assert [item["theorem"] for item in evidence["items"]] == [
        "padded_rows", "any_rows", "small_tiles",
    ]  # fmt: skip
    assert evidence["totals"]["coordinates"] > 32
    assert max(len(item["runs"]) for item in evidence["items"]) == 3
    assert "counterexample reproduced" in (tmp_path / "reports/latest/cpu.html").read_text()
    assert not (tmp_path / "reports/latest/cpu.partial.jsonl").exists()


@pytest.mark.full
def test_auto_without_a_gpu_says_so_in_a_line(symcute, rows: Path) -> None:
    outcome = symcute("gpu", "proofs", "--only", "small*", CUDA_VISIBLE_DEVICES="")
    assert outcome.code == 0
    assert outcome.err.startswith("symcute: no GPU: ")
    assert "the same C runs on the CPU\n" in outcome.err


def test_cuda_without_a_gpu_is_bad_input(symcute, rows: Path) -> None:
    outcome = symcute("gpu", "proofs", "--backend", "cuda", CUDA_VISIBLE_DEVICES="")
    assert outcome.code == 2
    assert outcome.err.startswith("symcute: ")


@pytest.mark.full
def test_the_page_shows_evidence_that_is_consistent_and_no_other(
    symcute, rows: Path, tmp_path: Path
) -> None:
    symcute("gpu", "proofs", "--backend", "cpu", "--out", "reports/gpu")
    symcute("verify", "proofs")
    page = tmp_path / "reports/latest/report.html"
    assert page.read_text(encoding="utf-8").count("<dt>Ran on<dd>") == 3
    file = tmp_path / "reports/gpu/cpu.json"
    data = json.loads(file.read_text(encoding="utf-8"))
    data["items"][0]["runs"][0]["outcomes"][0][1] = 5
    file.write_text(json.dumps(data), encoding="utf-8")
    symcute("verify", "proofs")
    text = page.read_text(encoding="utf-8")
    assert "<dt>Ran on<dd>" not in text
    assert "Evidence left out, cpu.json: the totals are" in text


@pytest.mark.full
def test_evidence_is_checked(symcute, rows: Path, tmp_path: Path) -> None:
    symcute("gpu", "proofs", "--backend", "cpu", "--out", "seen", "--quiet")
    outcome = symcute("gpu", "--verify-evidence", "seen/cpu.json")
    assert (outcome.code, outcome.out) == (0, "seen/cpu.json: consistent\n")
    file = tmp_path / "seen/cpu.json"
    data = json.loads(file.read_text(encoding="utf-8"))
    data["items"][2]["runs"][0]["outcomes"][0][0] = 31
    file.write_text(json.dumps(data), encoding="utf-8")
    outcome = symcute("gpu", "--verify-evidence", "seen/cpu.json")
    assert outcome.code == 1
    assert "looked at 31 of 32 coordinates" in outcome.err
    file.write_text("{", encoding="utf-8")
    assert symcute("gpu", "--verify-evidence", "seen/cpu.json").code == 2
    outcome = symcute("gpu", "--verify-evidence", "nowhere.json")
    assert outcome.code == 2
    assert "cannot read nowhere.json" in outcome.err


@pytest.mark.full
def test_status_lists_what_is_missing_or_stale(symcute, rows: Path, tmp_path: Path) -> None:
    assert symcute("gpu", "proofs", "--status").code == 2
    symcute("gpu", "proofs", "--backend", "cpu", "--out", "reports/gpu", "--only", "*rows")
    outcome = symcute("gpu", "proofs", "--status", "--quiet")
    assert outcome.code == 1
    assert outcome.out == (
        "small_tiles: injective(((2,2),(2,4)):((1,4),(2,8))): missing\n"
        "reports/gpu/cpu.json: 2 fresh, 1 missing\n"
    )
    outcome = symcute("gpu", "proofs", "--status", "--quiet", "--only", "*rows")
    assert (outcome.code, outcome.out) == (0, "reports/gpu/cpu.json: 2 fresh\n")
    rows.write_text(rows.read_text().replace('given=["LD >= N"]', 'given=["LD >= N", "M >= 2"]'))
    outcome = symcute("gpu", "proofs", "--status", "--quiet", "--only", "*rows")
    assert outcome.code == 1
    assert "padded_rows: injective((M,N):(LD,1)): stale: the assumptions changed" in outcome.out


@pytest.mark.full
def test_time_that_is_used_up(symcute, rows: Path) -> None:
    outcome = symcute("gpu", "proofs", "--backend", "cpu", "--quiet", "--time", "0.0001")
    assert outcome.code == 1
    assert "skipped 3: the time was used up before" in outcome.out


@pytest.mark.full
def test_nothing_decided_is_nothing_to_run(symcute, rows: Path) -> None:
    assert symcute("gpu").code == 2
    rows.write_text(
        'from symcute.prover.theorems import theorem\n\n@theorem()\ndef numbers():\n    "1 < 2."\n'
        '    return "1 < 2"\n'
    )
    outcome = symcute("gpu", "proofs", "--backend", "cpu")
    assert outcome.code == 1
    assert "skipped 1: it speaks of no layout" in outcome.out


@pytest.mark.full
def test_the_notes_on_the_cpu(symcute, tmp_path: Path) -> None:
    """The same suite as on a GPU, over real theorem files, with smaller instances."""
    proofs = Path(__file__).resolve().parents[2] / "proofs" / "notes"
    outcome = symcute(
        "gpu",
        str(proofs),
        "--backend",
        "cpu",
        "--instances",
        "4",
        "--coordinates",
        "4096",
        "--quiet",
    )
    assert outcome.code == 0, outcome.out + outcome.err
    file = tmp_path / "reports/latest/cpu.json"
    totals = json.loads(file.read_text(encoding="utf-8"))["totals"]
    assert totals["mismatches"] == totals["not_reproduced"] == 0
    assert totals["items"] - totals["skipped"] >= 70
    assert totals["instances"] >= 120
    assert totals["reproduced"] >= 6
    assert symcute("gpu", "--verify-evidence", str(file)).code == 0
