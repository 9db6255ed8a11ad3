"""`symcute check`: kernels from the command line."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from symcute.cli import main
from symcute.kernel.findings import Finding
from symcute.kernel.launch import project
from symcute.schemas import schema
from tests.e2e.conftest import Outcome, Symcute

SAXPY = """// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
"""
TOO_FAR = SAXPY.replace("saxpy", "too_far").replace("i < n", "i <= n")
BARE = SAXPY[SAXPY.index("__global__") :]
OPTIONS = (
    "--launch", "grid=(ceil_div(n,256)) block=256", "--extent", "x=n", "--extent", "y=n",
)  # fmt: skip


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Symcute:
    """The command in this process, whose libraries are loaded already."""
    monkeypatch.chdir(tmp_path)

    def command(*args: str, text: str = "", **environment: str) -> Outcome:
        with pytest.raises(SystemExit) as stop:
            main(args)
        said = capsys.readouterr()
        return Outcome(int(stop.value.code or 0), said.out, said.err)

    return command


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "kernels.cu"
    path.write_text(f"{SAXPY}\n{TOO_FAR}")
    return path


def test_a_right_kernel_is_proved(symcute: Symcute, source: Path) -> None:
    outcome = symcute("check", "kernels.cu::saxpy")
    assert outcome.code == 0, outcome.err
    lines = outcome.out.splitlines()
    assert lines[0].startswith("saxpy  kernels.cu:5")
    for name in ("launch_valid", "in_bounds", "no_overflow", "write_race_free", "aligned"):
        assert any(line.startswith(f"  PROVED   {name} ") for line in lines), name
    assert lines[-1] == "1 kernel, 7 properties: 6 proved, 0 refuted, 0 unknown, 1 not applicable"


def test_a_wrong_kernel_is_refuted_by_an_execution(symcute: Symcute, source: Path) -> None:
    outcome = symcute("check", "kernels.cu::too_far", "--property", "in_bounds")
    assert outcome.code == 1
    assert "  REFUTED  in_bounds " in outcome.out and "PROVED" not in outcome.out
    assert "    where          kernels.cu:16:" in outcome.out
    shown = "N=1, block 0 thread 1: write of 4 bytes at byte 4 of y, which has 4"
    assert f"    counterexample {shown}\n" in outcome.out


def test_what_would_have_to_be_assumed_is_named(run: Symcute, tmp_path: Path) -> None:
    text = SAXPY.replace(
        "blockIdx.x * blockDim.x + threadIdx.x", "4 * (blockIdx.x * 256 + threadIdx.x)"
    )
    (tmp_path / "k.cu").write_text(text)
    outcome = run("check", "k.cu", "--property", "no_overflow")
    assert outcome.code == 1 and "REFUTED  no_overflow" in outcome.out
    assert "wraps to" in outcome.out or "is converted to" in outcome.out
    assert "    holds if       N <= " in outcome.out


def test_json_of_a_file_in_parallel(symcute: Symcute, source: Path) -> None:
    outcome = symcute("check", "kernels.cu", "--json", "--jobs", "2")
    told = json.loads(outcome.out)
    assert outcome.code == 1 and told["errors"] == []
    right, wrong = told["kernels"]
    assert (
        set(right["verdicts"].values()) == {"proved", "not applicable"}
        and wrong["verdicts"]["in_bounds"] == "refuted"
    )
    finding = next(f for f in wrong["findings"] if f["status"] == "refuted")
    example = finding["counterexample"]
    assert (finding["line"], example["dims"], example["thread"]) == (16, {"N": 1}, [1, 0, 0])
    proof = next(f for f in right["findings"] if f["property"] == "in_bounds")
    assert proof["count"] == 3 and "arithmetic" in proof["rests_on"]


def test_options_say_what_the_source_does_not(run: Symcute, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(BARE)
    assert run("check", "k.cu", *OPTIONS).code == 0
    outcome = run("check", "k.cu", *OPTIONS[:4], "--property", "in_bounds")
    assert outcome.code == 1
    assert "the extent of y is not given; write --extent y=..." in outcome.out
    outcome = run("check", "k.cu", *OPTIONS, "--given", "n <= 100", "--extent", "y=99")
    assert outcome.code == 1 and "n=100" in outcome.out


def test_without_a_launch_there_is_a_contract(run: Symcute, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(BARE)
    assert run("check", "k.cu", "--no-contract").code == 2
    short = run("check", "k.cu", "--no-cache")
    assert short.code == 1 and "if numel(x) >= n  in_bounds; necessary" in short.out
    # What no contract is about has no verdict without a launch.
    for options in ((), ("--contract",)):
        assert run("check", "k.cu", "--property", "sectors", *options).code == 2
        assert run("check", "k.cu", "--property", "covers", *options).code == 2
    outcome = run("check", "k.cu", "--contract", "--json", "--no-cache")
    document = json.loads(outcome.out)
    Draft202012Validator(schema("check")).validate(document)
    (result,) = document["kernels"]
    lines = {line["text"]: line for line in result["contract"]["lines"]}
    assert lines["numel(x) >= n"]["properties"] == ["in_bounds"]
    assert lines["numel(x) >= n"]["counterexamples"]["in_bounds"]["dims"]["n"] >= 1
    assert set(result["contract"]["verdicts"].values()) <= {"proved", "not applicable"}
    # No launch is known, so nothing is proved of one.
    assert outcome.code == 1 and result["verdicts"]["in_bounds"] == "unknown"
    (found,) = [f for f in result["findings"] if f["property"] == "in_bounds"]
    assert "numel(y) >= n" in found["holds_if"] and found["reason"] == "no launch is known"


def test_a_contract_can_be_pasted(run: Symcute, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(BARE)
    comment = run("check", "k.cu", "--contract", "--init", "--no-cache").out
    assert "//   numel(x) >= n  (in_bounds; necessary)" in comment
    (tmp_path / "pasted.cu").write_text(comment + BARE)
    outcome = run("check", "pasted.cu", "--no-cache")
    assert outcome.code == 0 and "6 proved, 0 refuted, 0 unknown" in outcome.out


def test_reports_show_a_contract_once_and_first(run: Symcute, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(BARE)
    files = ("--markdown", "k.md", "--sarif", "k.sarif", "--junit", "k.xml")
    outcome = run("check", "k.cu", "--contract", *files, "--output-format", "concise")
    first, *rest = outcome.out.splitlines()
    assert (
        first.startswith("k.cu:") and "note: " in first and "if numel(x) >= n: in_bounds" in first
    )
    assert len(rest) == 1
    markdown = (tmp_path / "k.md").read_text()
    assert (
        "`numel(x) >= n` (in\\_bounds; necessary)" in markdown
        and "no launch is known;" not in markdown
    )
    assert markdown.index("numel(x)") < markdown.index("<details>")
    (sarif,) = json.loads((tmp_path / "k.sarif").read_text())["runs"]
    (note,) = sarif["results"]
    assert (note["ruleId"], note["level"]) == ("contract", "note")
    assert "if numel(x) >= n: in_bounds; necessary" in note["message"]["text"]
    assert sarif["tool"]["driver"]["rules"][note["ruleIndex"]]["id"] == "contract"
    assert "no launch is known" in (tmp_path / "k.xml").read_text()


def test_what_is_given_is_said_with_a_contract(run: Symcute, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(BARE)
    options = ("--given", "n <= 100", "--no-cache", "--property", "in_bounds")
    (result,) = json.loads(run("check", "k.cu", *options, "--json").out)["kernels"]
    assert result["contract"]["given"] == ["n <= 100"]
    outcome = run("check", "k.cu", *options, "--markdown", "k.md")
    assert "given n <= 100" in outcome.out
    assert "`n <= 100` (given)" in (tmp_path / "k.md").read_text()
    assert "//   given n <= 100" in run("check", "k.cu", "--contract", "--init", *options).out


def test_where_a_launch_is_known_there_is_no_contract(run: Symcute, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(BARE)
    for options in (OPTIONS, (*OPTIONS, "--contract")):
        (result,) = json.loads(run("check", "k.cu", *options, "--json", "--no-cache").out)[
            "kernels"
        ]
        assert result["contract"] is None and result["verdicts"]["in_bounds"] == "proved"


LAUNCHED = """
void launch(float *a, int m) {
  float *b;
  cudaMalloc(&b, m * sizeof(float));
  saxpy<<<(m + 255) / 256, 256>>>(m, 2.0f, a, b);
}
"""


def test_a_launch_is_found_in_host_code(run: Symcute, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(BARE + LAUNCHED)
    outcome = run("check", "k.cu", "--json")
    (result,) = json.loads(outcome.out)["kernels"]
    assert result["launch"]["host"] == "launch" and result["launch"]["unknown"] == []
    notes = [n["text"] for n in result["launch"]["notes"]]
    assert notes[:2] == ["launch grid=((n + 255) // 256) block=(256)", "extent y = n"]
    assert result["verdicts"]["launch_valid"] == "proved"
    again = run("check", "k.cu", "--json")
    assert json.loads(again.out)["kernels"][0]["launch"] == result["launch"]
    shown = run("check", "k.cu", "--init")
    assert shown.code == 0 and all(f"// symcute: {n}\n" in shown.out for n in notes)
    assert run("check", "k.cu", "--quiet").out.count("launched by launch at k.cu:") == 1


NOT_UNDERSTOOD = """
void one(float *a, int m) { saxpy<<<gone(m), 256>>>(m, 2.0f, a, a); }
void two(float *a, int m) { saxpy<<<1 + gone(m), 256>>>(m, 2.0f, a, a); }
"""


@pytest.mark.full
def test_launches_that_are_not_understood_have_one_contract(run: Symcute, tmp_path: Path) -> None:
    text = '#include "gone.h"\n' + BARE + LAUNCHED + NOT_UNDERSTOOD
    (tmp_path / "k.cu").write_text(text)
    assert run("check", "k.cu", "--no-contract", "--no-cache").code == 2
    outcome = run("check", "k.cu", "--json", "--no-cache")
    document = json.loads(outcome.out)
    Draft202012Validator(schema("check")).validate(document)
    understood, lost = document["kernels"]
    assert not document["errors"]
    # What is open where the launch is known is a matter of its arguments alone.
    assert [line["text"] for line in understood["contract"]["lines"]] == ["numel(x) >= n"]
    assert {f["holds_if"] for f in understood["findings"]} == {"", "numel(x) >= n"}
    assert understood["launch"]["troubles"] == [] and understood["launch"]["host"] == "launch"
    where = [text.splitlines().index(x) + 1 for x in NOT_UNDERSTOOD.strip().splitlines()]
    troubles = lost["launch"]["troubles"]
    assert [f"k.cu:{n}" for n in where] == [t.rsplit(":", 2)[0] for t in troubles]
    assert lost["verdicts"]["in_bounds"] == "unknown"
    assert "numel(x) >= n" in [line["text"] for line in lost["contract"]["lines"]]
    shown = run("check", "k.cu").out
    assert all(f"a launch is not understood: {t}" in shown for t in troubles)
    # Notes say how it is launched: there is nothing to look for.
    (tmp_path / "noted.cu").write_text(
        text.replace("__global__", "// symcute: extent x = n\n__global__")
    )
    assert "the launch of saxpy at" in run("check", "noted.cu").err


def test_of_a_launch_known_too_little_conditions_are_said(run: Symcute, tmp_path: Path) -> None:
    host = "int gone(int);\nvoid f(float *a, float *b, int m) {"
    host += " saxpy<<<gone(m), 256>>>(m, 2.0f, a, b); }\n"
    (tmp_path / "k.cu").write_text(BARE + host)
    (result,) = json.loads(run("check", "k.cu", "--json", "--no-cache").out)["kernels"]
    open_ = [f for f in result["findings"] if f["property"] == "in_bounds"]
    assert open_ and all(f["status"] == "unknown" for f in open_)
    assert all("numel(x) >= n" in f["holds_if"] for f in open_)
    assert any("if the launch can be so" in f["reason"] for f in open_)
    # What is proved of the launch needs no more, and what is refuted stays so.
    assert result["verdicts"]["launch_valid"] == "proved"
    assert result["contract"]["verdicts"]["in_bounds"] == "proved"
    shown = run("check", "k.cu").out
    assert "if the launch can be so" in shown and "holds if" in shown


def test_limits_of_what_a_request_costs(run: Symcute, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(BARE)
    outcome = run("check", "k.cu", *OPTIONS, "--cost", "x <= 4", "--property", "sectors")
    assert outcome.code == 0 and "read of x: at most 4 sectors a request" in outcome.out
    outcome = run("check", "k.cu", *OPTIONS, "--cost", "x <= 3")
    assert outcome.code == 1 and "the warp's request costs 4 sectors" in outcome.out


@pytest.mark.parametrize(
    ("target", "more", "what", "fix"),
    [
        (
            "k.cu",
            ("--no-contract",),
            "the launch of saxpy is not given",
            "// symcute: launch grid=",
        ),
        ("k.cu::saxpi", OPTIONS, "no kernel saxpi", "saxpy"),
        (
            "none.cu",
            OPTIONS,
            "cannot read none.cu: No such file or directory",
            "name a file of CUDA C++",
        ),
        ("k.cu", (*OPTIONS, "--extent", "z=1"), "saxpy has no array 'z'", "there are: x, y"),
        ("k.cu", (*OPTIONS, "--cost", "x < 4"), "'x < 4' is no limit", "tile <= 1"),
        ("k.cu", (*OPTIONS, "--arg", "m=1"), "saxpy has no integer parameter 'm'", "there are: n"),
        ("k.cu", ("--launch", "block=256"), "in this launch: grid missing", "grid="),
        ("k.cu", (*OPTIONS, "--given", "n <"), "in this assumption: expected", "what follows"),
        ("k.cu", (*OPTIONS, "--property", "fast"), "there is no property 'fast'", "in_bounds"),
        ("k.cu", (*OPTIONS, "--extent", "x"), "--extent 'x' binds nothing", "NAME=VALUE"),
        (
            "k.cu",
            (*OPTIONS, "--arg", "n=N"),
            "the dim n has the name of an argument that is N",
            "write N in place of n, or leave out arg n = N",
        ),
        ("k.cu", (*OPTIONS, "--arch", "sm81"), "there is no architecture 'sm81'", "known are"),
    ],
)
def test_bad_input(
    run: Symcute, tmp_path: Path, target: str, more: tuple[str, ...], what: str, fix: str
) -> None:
    (tmp_path / "k.cu").write_text(BARE)
    outcome = run("check", target, *more)
    assert outcome.code == 2 and what in outcome.err and fix in outcome.err


def test_a_source_that_does_not_compile(run: Symcute, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(SAXPY.replace("x[i]", "z[i]"))
    outcome = run("check", "k.cu")
    assert outcome.code == 1 and "PROVED" not in outcome.out
    assert "k.cu:7:" in outcome.out and "undeclared identifier 'z'" in outcome.out


def test_a_header_that_is_not_there_is_noted_once(run: Symcute, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text('#include "gone.h"\n' + SAXPY)
    outcome = run("check", "k.cu")
    assert outcome.code == 0 and outcome.err.count("gone.h") == 1 and "-I" in outcome.err


def test_contradictory_assumptions_prove_nothing(run: Symcute, source: Path) -> None:
    outcome = run("check", "kernels.cu::saxpy", "-g", "N > 4", "-g", "N < 3")
    assert outcome.code == 1 and "PROVED" not in outcome.out
    assert "vacuous: the assumptions contradict each other" in outcome.out


@pytest.mark.full
def test_a_folder_with_its_toml(run: Symcute, tmp_path: Path) -> None:
    folder = tmp_path / "kernels"
    folder.mkdir()
    (folder / "bare.cu").write_text(BARE)
    (folder / "noted.cu").write_text(TOO_FAR)
    (folder / "symcute.toml").write_text(
        'given = ["n <= 2**20"]\n[kernel.saxpy]\nlaunch = "grid=(ceil_div(n,128)) block=(128)"\n'
        'extent = { x = "n", y = "n" }\n'
    )
    outcome = run("check", "kernels", "--jobs", "1", "--quiet")
    assert outcome.code == 1
    assert outcome.out.splitlines()[0].startswith("too_far")
    assert outcome.out.endswith(
        "2 kernels, 14 properties: 11 proved, 1 refuted, 0 unknown, 2 not applicable\n"
    )
    (folder / "symcute.toml").write_text("[kernel.saxpy]\nlaunsh = 1\n")
    outcome = run("check", "kernels")
    assert outcome.code == 2 and "unknown key kernel.saxpy.launsh" in outcome.err
    (folder / "symcute.toml").write_text("[kernel.gone]\n")
    outcome = run("check", "kernels")
    assert outcome.code == 2 and "there is no kernel gone" in outcome.err


#: What a process may do when it comes to the kernel `too_far`, and what is said of that.
DEEDS: dict[str, tuple[Callable[[], object], str]] = {
    "dies": (
        lambda: os.kill(os.getpid(), signal.SIGKILL),
        "the process that checked it died (signal 9), and once more when it ran alone",
    ),
    "eats": (lambda: bytearray(3 * 2**30), "memory limit"),
    "hangs": (lambda: time.sleep(600), "time limit of 5 s for the whole kernel"),
}


@pytest.mark.parametrize("name", DEEDS)
def test_a_process_that_fails_costs_one_kernel(
    name: str, run: Symcute, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deed, reason = DEEDS[name]
    real = project.run_task

    def run_task(task: project.Task) -> list[Finding]:
        if task.kernel.name == "too_far":
            deed()
        return real(task)

    monkeypatch.setattr(project, "run_task", run_task)
    limits = ("--memory", "600", "--timeout", "0.5" if name == "hangs" else "60")
    outcome = run("check", "kernels.cu", "--json", "--jobs", "2", *limits)
    right, wrong = json.loads(outcome.out)["kernels"]
    assert (outcome.code, right["kernel"], wrong["kernel"]) == (1, "saxpy", "too_far")
    assert set(wrong["verdicts"].values()) == {"unknown"}
    assert {f["reason"] for f in wrong["findings"]} == {reason}
    if name != "hangs":  # in half a second not all of it may be decided
        assert set(right["verdicts"].values()) == {"proved", "not applicable"}
    assert multiprocessing.active_children() == []


def test_verdicts_are_kept_from_run_to_run(run: Symcute, source: Path) -> None:
    def told(*options: str) -> list[dict[str, object]]:
        outcome = run("check", "kernels.cu", "--json", *options)
        assert outcome.code == 1
        found: list[dict[str, object]] = json.loads(outcome.out)["kernels"]
        return found

    first, second = told(), told()
    assert [k["cached"] for k in first + second] == [False] * 2 + [True] * 2
    assert [{**k, "cached": False} for k in second] == first
    assert [k["cached"] for k in told("--no-cache")] == [False] * 2
    assert [k["cached"] for k in told("--given", "N >= 2")] == [False] * 2
    source.write_text(source.read_text().replace("i <= n", "i < n"))
    outcome = run("check", "kernels.cu", "--quiet")
    assert (outcome.code, "REFUTED" in outcome.out) == (0, False)
    Path(".symcute/cache.sqlite").write_bytes(b"no database" * 500)
    outcome = run("check", "kernels.cu")
    assert outcome.code == 0
    assert outcome.err.endswith("it is now cache.sqlite.damaged, and a fresh one is begun\n")


def test_the_work_of_a_kernel_is_the_users_to_say(
    run: Symcute, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = project.run_task

    def run_task(task: project.Task) -> list[Finding]:
        with Path("asked").open("a") as file:  # from whatever process it is in
            print(task.request.work, file=file)
        return real(task)

    monkeypatch.setattr(project, "run_task", run_task)
    run("check", "kernels.cu", "--jobs", "1", "--work", "7")
    run("check", "kernels.cu", "--jobs", "1")  # of another limit nothing was kept
    assert Path("asked").read_text().split() == ["7", "7", "25000", "25000"]
    assert run("check", "kernels.cu", "--work", "0").code == 2


def test_a_counterexample_says_no_size_where_none_is_given(symcute, tmp_path: Path) -> None:
    file = tmp_path / "below.cu"
    file.write_text(
        "// symcute: launch grid=1 block=32\n"
        "__global__ void below(float *x) { x[-(int)threadIdx.x] = 1; }\n"
    )
    outcome = symcute("check", str(file), "--property", "in_bounds", "--no-cache")
    assert "write of 4 bytes at byte -4 of x\n" in outcome.out
    assert "None" not in outcome.out
