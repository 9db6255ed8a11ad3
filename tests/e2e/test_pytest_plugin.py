"""Do the assertions and the plugin serve a test suite that is not ours?"""

from __future__ import annotations

import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any

import pytest

# Loaded here, so that they outlive the runs inside the tests, which begin and end with our modules.
import symcute.run.runner
from symcute import Injective, Layout, dims, testing
from symcute.errors import AssertionFailed, InputError
from symcute.testing import assert_kernel, assert_proved, assert_refuted

pytest_plugins = ["pytester"]

THEOREMS = '''
from symcute import theorem


@theorem(given=["LD >= N"])
def rows_do_not_meet():
    """The rows of a padded matrix do not meet."""
    return "injective((M,N):(LD,1))"


@theorem()
def rows_meet():
    """Rows do not meet, whatever LD is."""
    return "bijective((M,N):(N,1))", "injective((M,N):(LD,1))"


@theorem(expect="refuted")
def rows_are_not_too_far_apart():
    """Rows of another distance meet."""
    return "injective((M,N):(N,1))"


@theorem(expect="unknown")
def a_refused_division():
    """What divides by too much is not decided."""
    return "size(logical_divide(M:1, 128)) == M"


@theorem(expect="unknown")
def a_mistake():
    """A theorem that does not run is no theorem, whatever it expects."""
    return 1 / 0
'''
SAXPY = """
__global__ void saxpy(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 1;
}
"""
LAUNCH: dict[str, Any] = {"launch": "grid=(ceil_div(n,64)) block=64", "extents": {"x": "n"}}


# --- the assertions -----------------------------------------------------------------------------


def test_what_is_proved_or_refuted_is_returned() -> None:
    M, N, LD = dims("M N LD")
    A = Layout((M, N), (LD, 1))
    assert assert_proved(Injective(A), given=["LD >= N"]).status == "proved"
    assert assert_refuted(Injective(A)).counterexample is not None
    assert assert_proved("size((M,N)) == M*N", timeout=5).status == "proved"


def test_a_refuted_claim_fails_with_what_would_mend_it_and_a_call() -> None:
    with pytest.raises(AssertionError) as caught:
        assert_proved("injective((M,N):(LD,1))", given=["M >= 2"])
    error = caught.value
    assert isinstance(error, AssertionFailed)
    assert error.found.status == "refuted"
    said = [line for line in str(error).splitlines() if not line.startswith("  time")]
    assert said == [
        "REFUTED  injective((M,N):(LD,1))",
        "  says           no two coordinates of (M,N):(LD,1) share an offset",
        "  given          M >= 2",
        "  counterexample LD=1, M=2, N=2: L(1,0) = L(0,1) = 1 in L = (2,2):(1,1)",
        "  holds if       LD >= N",
        "  how            refuted by a small instance",
        "  rests on       evaluation in plain integers",
        "",
        "to see it, paste:",
        "",
        "# injective((M,N):(LD,1)) at LD=1, M=2, N=2",
        "from symcute import Layout",
        "L = Layout((2, 2), (1, 1))",
        "assert L(1, 0) != L(0, 1)  # 1 == 1",
    ]
    assert error.lines == tuple(said[-4:])


def test_a_proved_claim_is_no_refuted_one() -> None:
    with pytest.raises(AssertionFailed, match=r"(?s)^PROVED.*expected       refuted"):
        assert_refuted("injective(4:1)")


@pytest.mark.parametrize(
    ("claim", "given", "told"),
    [
        ("injective(logical_divide(M:1, 128))", (), 'assume "M % 128 == 0"'),
        ("injective(M:1)", ["M <= 1", "M >= 2"], "VACUOUS  injective(M:1)"),
    ],
)
def test_what_is_unknown_fails_with_the_reason(claim: str, given: Any, told: str) -> None:
    for check in (assert_proved, assert_refuted):
        with pytest.raises(AssertionFailed) as caught:
            check(claim, given)
        assert told in str(caught.value)


def test_a_claim_that_makes_no_sense_is_an_input_error() -> None:
    with pytest.raises(InputError, match="expected an operator"):
        assert_proved("injective((M,N:(N,1)")
    for timeout in (0, -1.0, float("nan"), "10"):
        with pytest.raises(InputError, match="is no time limit; give seconds, as timeout=30"):
            assert_proved("injective(4:1)", timeout=timeout)


def test_it_is_a_failure_for_unittest_too() -> None:
    class Suite(unittest.TestCase):
        def test_rows(self) -> None:
            assert_proved("injective((M,N):(LD,1))")

    result = unittest.TestResult()
    Suite("test_rows").run(result)
    ((_, trace),) = result.failures
    assert "assert L(1, 0) != L(0, 1)" in trace


def test_a_kernel_is_right_or_fails_with_its_findings(tmp_path: Path) -> None:
    findings = assert_kernel(SAXPY, **LAUNCH)
    assert {f.status for f in findings} == {"proved", "not applicable"}
    file = tmp_path / "saxpy.cu"
    file.write_text(SAXPY.replace("if (i < n) ", ""), encoding="utf-8")
    with pytest.raises(AssertionFailed) as caught:
        assert_kernel(f"{file}::saxpy", properties=["in_bounds", "launch_valid"], **LAUNCH)
    text = str(caught.value)
    said = text.splitlines()
    assert said[0].startswith("REFUTED  in_bounds of saxpy: write to x: write of 4 bytes at byte")
    assert said[1:] == [
        f"  where          {file}:4:5",
        f"  counterexample {caught.value.found[-1].counterexample}",
    ]
    assert [f.status for f in caught.value.found] == ["proved", "refuted"]


@pytest.mark.parametrize(
    ("source", "options", "told"),
    [
        ("int f(int n) { return n; }", {}, "kernel"),
        (SAXPY, {"properties": []}, "no property is asked for"),
        (SAXPY, {"properties": ["fast"]}, "there is no property 'fast'"),
        ("gone.cu", {}, "gone.cu"),
    ],
)
def test_what_checks_nothing_is_no_proof(source: str, options: Any, told: str) -> None:
    with pytest.raises(InputError, match=told):
        assert_kernel(source, **LAUNCH, **options)


# --- the plugin ---------------------------------------------------------------------------------


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """An empty project, in which pytest leaves out what takes time there."""
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:cacheprovider -p no:hypothesispytest")
    return pytester


@pytest.fixture
def suite(project: pytest.Pytester) -> pytest.Pytester:
    """A project with a folder of theorems, and a module beside it that holds none."""
    project.mkdir("proofs").joinpath("mine.py").write_text(THEOREMS, encoding="utf-8")
    project.path.joinpath("proofs/_shared.py").write_text("1 / 0", encoding="utf-8")
    project.makeini("[pytest]\nsymcute_theorems = proofs\n")
    return project


def test_theorems_are_items_and_failures_show_a_call(suite: pytest.Pytester) -> None:
    result = suite.runpytest_inprocess("-v", "--symcute-no-cache")
    result.assert_outcomes(passed=2, failed=3)
    result.stdout.fnmatch_lines(
        [
            "symcute: 1 theorem file, 60 s a claim, no cache",
            "proofs/mine.py::rows_do_not_meet PASSED*",
            "proofs/mine.py::rows_meet FAILED*",
            "proofs/mine.py::rows_are_not_too_far_apart FAILED*",
            "proofs/mine.py::a_refused_division PASSED*",
            "proofs/mine.py::a_mistake FAILED*",
        ]
    )
    text = result.stdout.str()
    assert (
        "refuted, expected proved: Rows do not meet, whatever LD is.\n"
        "proofs/mine.py:11\n\n"
        "REFUTED  injective((M,N):(LD,1))\n"
    ) in text
    assert (
        "to see it, paste:\n\n"
        "# injective((M,N):(LD,1)) at LD=1, M=2, N=2\n"
        "from symcute import Layout\n"
        "L = Layout((2, 2), (1, 1))\n"
        "assert L(1, 0) != L(0, 1)  # 1 == 1\n"
    ) in text
    assert "proved, expected refuted: Rows of another distance meet." in text
    assert "because proofs/mine.py:29 raised ZeroDivisionError: division by zero" in text
    assert "could not be run, expected unknown: A theorem that does not run" in text
    assert "Traceback" not in text
    assert not suite.path.joinpath(".symcute").exists()


def test_theorems_are_chosen_by_name_and_mark(suite: pytest.Pytester) -> None:
    suite.makepyfile(test_other="def test_other(): pass")
    chosen = suite.runpytest_inprocess("-q", "-k", "rows_do", "--strict-markers")
    chosen.assert_outcomes(passed=1, deselected=5)
    marked = suite.runpytest_inprocess("-q", "-m", "not symcute", "--strict-markers")
    marked.assert_outcomes(passed=1, deselected=5)
    listed = suite.runpytest_inprocess("-q", "--collect-only", "proofs/mine.py")
    assert listed.outlines[0] == "proofs/mine.py::rows_do_not_meet"


def test_verdicts_are_kept_from_run_to_run(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = ("-q", "-k", "rows_do")
    suite.runpytest_inprocess(*chosen).assert_outcomes(passed=1, deselected=4)
    assert suite.path.joinpath(".symcute/cache.sqlite").exists()
    monkeypatch.setattr("symcute.run.task.perform", None)
    suite.runpytest_inprocess(*chosen).assert_outcomes(passed=1, deselected=4)
    anew = suite.runpytest_inprocess(*chosen, "--symcute-no-cache")
    anew.assert_outcomes(failed=1, deselected=4)


def test_a_file_may_hold_tests_and_theorems(project: pytest.Pytester) -> None:
    both = THEOREMS.split("@theorem()")[0] + "def test_one(): assert rows_do_not_meet.line > 1\n"
    project.makepyfile(test_both=both, plain="def test_two(): assert False", conftest="1 / 1")
    result = project.runpytest_inprocess("-q", "--symcute-theorems=.", "--co")
    assert sorted(result.outlines[:2]) == [
        "test_both.py::rows_do_not_meet",
        "test_both.py::test_one",
    ]


def test_a_file_that_does_not_run_is_an_error_of_collection(project: pytest.Pytester) -> None:
    project.makepyfile(mine="from symcute import theorem\nnames_nothing()")
    result = project.runpytest_inprocess("--symcute-theorems", "mine.py")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*mine.py:2 does not run: NameError: *; fix the file"])
    project.makepyfile(mine="import sys\nsys.exit(0)")
    result = project.runpytest_inprocess("--symcute-theorems", "mine.py")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*mine.py:2 does not run: SystemExit: 0; fix the file"])
    assert "Traceback" not in result.stdout.str()


def test_files_without_a_theorem_are_refused(project: pytest.Pytester) -> None:
    project.makepyfile(mine="def rows(): return 'injective(4:1)'")
    result = project.runpytest_inprocess("--symcute-theorems=mine.py")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*no file holds a theorem; decorate a function with @theorem()"])


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--symcute-theorems", "prove/*.py"], "--symcute-theorems: prove/?.py matches no Python"),
        (["--symcute-timeout", "soon"], "'soon' is no time limit; give seconds, as 30"),
        (["-o", "symcute_timeout=-1"], "symcute_timeout: '-1' is no time limit; give seconds, as"),
        (["-o", "symcute_theorems=gone"], "symcute_theorems: gone matches no Python file in"),
    ],
)
def test_settings_that_make_no_sense_are_refused(
    project: pytest.Pytester, options: list[str], told: str
) -> None:
    result = project.runpytest_inprocess(*options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*{told}*"])


def test_the_time_limit_reaches_theorems_and_assertions(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float] = []

    def prove(*args: Any, timeout: float, **more: Any) -> Any:
        asked.append(timeout)
        return symcute.prove(*args, **more)

    monkeypatch.setattr("symcute.testing.prove", prove)
    monkeypatch.setattr("symcute.prover.theorems.prove", prove)
    project.makepyfile(
        test_mine=THEOREMS.split("@theorem()")[0]
        + "from symcute.testing import assert_proved\n"
        + "def test_it(): assert_proved('injective(4:1)')\n"
        + "def test_own(): assert_proved('injective(4:1)', timeout=2)\n"
    )
    options = ("--symcute-theorems=test_mine.py", "--symcute-no-cache")
    project.runpytest_inprocess(*options, "--symcute-timeout=7").assert_outcomes(passed=3)
    project.runpytest_inprocess(*options, "-o", "symcute_timeout=3").assert_outcomes(passed=3)
    assert_proved("injective(4:1)")
    assert sorted(asked) == [2, 2, 3, 3, 7, 7, testing.TIMEOUT]


@pytest.mark.parametrize(
    "test",
    [
        "def test_rows(): assert_proved('injective((M,N):(LD,1))')\n",
        "import unittest\n"
        "class T(unittest.TestCase):\n"
        "    def test_rows(self): assert_proved('injective((M,N):(LD,1))')\n",
    ],
)
def test_the_lines_stand_in_a_section_of_the_report(project: pytest.Pytester, test: str) -> None:
    project.makepyfile("from symcute.testing import assert_proved\n" + test)
    result = project.runpytest_inprocess()
    result.stdout.fnmatch_lines(
        [
            "E * symcute.errors.AssertionFailed: REFUTED  injective((M,N):(LD,1))",
            "*- to see it, paste -*",
            "L = Layout((2, 2), (1, 1))",
            "assert L(1, 0) != L(0, 1)  # 1 == 1",
        ],
    )
    assert "def assert_proved" not in result.stdout.str()
    hidden = project.runpytest_inprocess("--show-capture=no")
    hidden.stdout.fnmatch_lines(["E *assert L(1, 0) != L(0, 1)  # 1 == 1"])


def test_a_project_without_theorems_loads_nothing_of_ours(tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text("def test_it(): pass", encoding="utf-8")
    (tmp_path / "conftest.py").write_text(
        "import sys\ndef pytest_unconfigure(): print('loaded', *sorted(sys.modules))",
        encoding="utf-8",
    )
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "--co", "-q", "-p", "no:cacheprovider"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    (line,) = (x for x in run.stdout.splitlines() if x.startswith("loaded"))
    loaded = set(line.split())
    assert "symcute_pytest" in loaded
    assert loaded & {"symcute", "sympy", "z3", "cvc5", "numpy", "rich"} == set()


@pytest.mark.full
def test_theorems_run_on_several_workers(suite: pytest.Pytester) -> None:
    result = suite.runpytest_subprocess("-n", "2", "-q")
    result.assert_outcomes(passed=2, failed=3)
    result.stdout.fnmatch_lines(["assert L(1, 0) != L(0, 1)  # 1 == 1"])
