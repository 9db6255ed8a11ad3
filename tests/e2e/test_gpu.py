"""`symcute gpu`: the generated code runs, here on the CPU, and the page shows the evidence."""

from __future__ import annotations

import json
from pathlib import Path


def test_the_cpu_stands_in(symcute, rows: Path, tmp_path: Path) -> None:
    outcome = symcute("gpu", "proofs", "--backend", "cpu", "--instances", "3", "--quiet")
    assert outcome.code == 0
    assert "0 mismatches" in outcome.out
    assert outcome.out.endswith("evidence: reports/latest/cpu.json\n")
    evidence = json.loads((tmp_path / "reports/latest/cpu.json").read_text(encoding="utf-8"))
    # The refuted theorem gives nothing to run.
    assert {item["theorem"] for item in evidence["items"]} == {"padded_rows", "small_tiles"}
    assert evidence["totals"]["coordinates"] > 32
    assert evidence["totals"]["mismatches"] == 0
    assert max(len(item["instances"]) for item in evidence["items"]) == 3


def test_auto_without_a_gpu_says_so_in_a_line(symcute, rows: Path) -> None:
    outcome = symcute("gpu", "proofs", "--only", "small*", CUDA_VISIBLE_DEVICES="")
    assert outcome.code == 0
    assert outcome.out.startswith("no GPU: ")
    assert "the same C runs on the CPU\n" in outcome.out


def test_cuda_without_a_gpu_is_bad_input(symcute, rows: Path) -> None:
    outcome = symcute("gpu", "proofs", "--backend", "cuda", CUDA_VISIBLE_DEVICES="")
    assert outcome.code == 2
    assert outcome.err.startswith("symcute: ")


def test_the_page_shows_evidence_that_fits_and_no_other(
    symcute, rows: Path, tmp_path: Path
) -> None:
    symcute("gpu", "proofs", "--backend", "cpu", "--out", "reports/gpu")
    symcute("verify", "proofs")
    page = tmp_path / "reports/latest/report.html"
    assert page.read_text(encoding="utf-8").count("<dt>Ran on</dt>") == 2
    file = tmp_path / "reports/gpu/cpu.json"
    data = json.loads(file.read_text(encoding="utf-8"))
    data["items"][0]["source_hash"] = "0" * 64
    file.write_text(json.dumps(data), encoding="utf-8")
    symcute("verify", "proofs")
    text = page.read_text(encoding="utf-8")
    assert "<dt>Ran on</dt>" not in text
    assert "Evidence left out, cpu.json: the source hash" in text


def test_nothing_proved_is_nothing_to_run(symcute, rows: Path) -> None:
    outcome = symcute("gpu", "proofs", "--only", "any_rows", "--backend", "cpu")
    assert outcome.code == 1
    assert "symcute: no claim about a layout is proved\n" in outcome.err
