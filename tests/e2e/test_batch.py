"""`--batch`: one JSON object a line in, one a line out, in order, as they come."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest


def lines(*objects: object) -> str:
    return "".join((o if isinstance(o, str) else json.dumps(o)) + "\n" for o in objects)


def answers(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


def test_eval_in_order_with_bad_lines_between(symcute, tmp_path: Path) -> None:
    batch = lines(
        {"expr": "size((4,8))", "id": 7},
        "",
        {"expr": "4 +* 2", "id": {"any": "thing"}},
        "not json",
        {"expr": "logical_divide(M:1, 4)", "given": ["M % 4 == 0"]},
        {"expr": "rank((M,N,K))", "given": "M >= 2"},
    )
    (tmp_path / "batch.jsonl").write_text(batch, encoding="utf-8")
    outcome = symcute("eval", "--batch", "batch.jsonl")
    told = answers(outcome.out)
    assert [t.get("result") for t in told] == ["32", None, None, "(4,M/4):(1,4)", "3"]
    assert [t.get("id") for t in told] == [7, {"any": "thing"}, None, None, None]
    assert told[1]["error"]["position"] == 3
    assert told[1]["error"]["fix"] == "remove it, or write what is missing before it"
    assert "not JSON" in told[2]["error"]["what"]
    assert all(t["seconds"] >= 0 for t in told)
    assert (outcome.code, outcome.err) == (2, "")


def test_prove(symcute) -> None:
    claim = "injective((M,N):(LD,1))"
    batch = lines(
        {"claim": claim, "given": ["LD >= N"]},
        {"claim": claim},
        {"claim": "injective(logical_divide(M:1, 128))"},
        {"claim": claim, "given": ["LD >= N", "LD < N"]},
    )
    outcome = symcute("prove", "--batch", "-", text=batch)
    told = answers(outcome.out)
    assert [t["status"] for t in told] == ["proved", "refuted", "unknown", "unknown"]
    assert [t["vacuous"] for t in told] == [False, False, False, True]
    assert told[0]["counterexample"] is None
    dims = told[1]["counterexample"]["dims"]
    assert dims["LD"] < dims["N"]
    assert "M % 128 == 0" in told[2]["reason"]
    assert set(told[0]) == {"status", "vacuous", "how", "counterexample", "reason", "seconds"}
    # Every verdict is an answer.
    assert outcome.code == 0


def test_assumptions_of_the_command_hold_for_every_line(symcute) -> None:
    batch = lines({"expr": "logical_divide(M:1, 4)"}, {"expr": "logical_divide(M:2, 8)"})
    outcome = symcute("eval", "--batch", "-", "-g", "M % 8 == 0", text=batch)
    assert outcome.code == 0
    assert len(answers(outcome.out)) == 2


@pytest.mark.parametrize(
    "line",
    [
        "[1, 2]",
        '"text"',
        '{"expr": 5}',
        "{}",
        '{"expr": "4", "givn": []}',
        '{"expr": "4", "given": [5]}',
        '{"expr": "4", "given": {"a": 1}}',
        "[" * 100_000,
        '{"expr": "4", "id": ' + "9" * 5000 + "}",
        json.dumps({"expr": "1" + "+1" * 500_000}),
        json.dumps({"expr": "(" * 10_000 + "1" + ")" * 10_000}),
        '{"expr": "\\ud800"}',
        '{"expr": "4", "expr": "5"}',
        '{"expr": "4", "id": {"a": 1, "a": 1}}',
        '{"expr": "4", "id": NaN}',
        '{"expr": "4", "id": [-Infinity]}',
        '{"expr": "4", "id": 1e999}',
        '{"expr": "size(4)", "given": ["\\u0000"]}',
    ],
    ids=lambda line: line[:24],
)
def test_a_bad_line_is_an_error_and_the_run_goes_on(symcute, line) -> None:
    outcome = symcute("eval", "--batch", "-", text=line + '\n{"expr": "size(4)"}\n')
    bad, good = answers(outcome.out)
    assert set(bad["error"]) >= {"what", "fix"}
    assert "internal" not in bad["error"]["what"]
    assert len(bad["error"]["what"]) < 1000
    assert good["result"] == "4"
    assert outcome.code == 2


@pytest.mark.full
def test_a_claim_that_is_too_large_is_unknown_and_the_run_goes_on(symcute) -> None:
    batch = lines({"claim": "((M+N+K+P+Q+1)**20) >= M"}, {"claim": "injective((M,N):(N,1))"})
    large, small = answers(symcute("prove", "--batch", "-", text=batch).out)
    assert (large["status"], small["status"]) == ("unknown", "proved")
    assert "products of terms, the limit for one claim" in large["reason"]


def test_bytes_that_are_no_text_are_a_bad_line(tmp_path: Path, symcute) -> None:
    (tmp_path / "b").write_bytes(b'\xff\xfe\n{"expr": "size(4)"}')
    bad, good = answers(symcute("eval", "--batch", "b").out)
    assert "not JSON" in bad["error"]["what"]
    assert good["result"] == "4"


def test_each_answer_comes_before_the_next_line_is_written() -> None:
    command = [sys.executable, "-m", "symcute", "eval", "--batch", "-"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in range(1, 4):
            process.stdin.write(lines({"expr": f"size(({number},8))"}))
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["result"] == str(8 * number)
        process.stdin.close()
        assert process.wait(30) == 0
