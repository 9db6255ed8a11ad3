"""What the contract of all launches says of one that was found, and what it does not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from symcute.expr import limits
from symcute.frontends.cuda import read_kernels
from symcute.kernel.checking import Check
from symcute.kernel.contracts.contract import Contract, contract
from symcute.kernel.contracts.wider import beside
from symcute.kernel.findings import GOOD, Finding, verdict_of
from symcute.kernel.ir.families import Family
from symcute.kernel.launch import project
from symcute.kernel.launch.asking import Asking
from symcute.kernel.launch.notes import read_setting
from symcute.kernel.launch.project import Request, Task, tasks

#: A launch of which it is not known how many threads a block has: 1023 times the number is less
#: than 2**31.
OWN = """int pick(int);
__global__ void k(float *x, int n) {
    x[(int)threadIdx.x * 2000000 + 1] = 0;
}
void go(float *x, int n) { int t = pick(n); k<<<1, t>>>(x, n); }
"""
#: One of blocks that are larger than the 256 for which it is right; or of any, or exactly those.
TOO_MANY = """int pick(int);
__global__ void k(float *x, int n) {
    __shared__ float s[256];
    s[threadIdx.x] = x[threadIdx.x];
}
void go(float *x, int n) { int t = pick(n); if (HOST) k<<<1, t>>>(x, n); }
"""
Asked = Callable[..., tuple[list[Finding], Contract | None]]


def without(found: Contract | None, *properties: str) -> Contract:
    """Return a contract in which no lines were found for some properties."""
    assert found is not None
    findings = tuple(
        replace(f, status="unknown", reason="?") if f.property in properties else f
        for f in found.findings
    )
    return replace(found, findings=findings, left=6000)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Asked:
    """Check a file where a property is open at a glance, and in the contract of its launch."""

    def checked(text: str, name: str) -> tuple[list[Finding], Contract | None]:
        begin, real = Asking.begin, project._contract_of

        def open_(self: Asking) -> list[Finding]:
            return [
                replace(f, status="unknown", reason="?") if f.property == name else f
                for f in begin(self)
            ]

        def lines(task: Task, properties: Any, family: Family | None, most: Any = None) -> Any:
            found = real(task, properties, family, most)
            return found if family is None else without(found, name)

        monkeypatch.setattr(Asking, "begin", open_)
        monkeypatch.setattr(project, "_contract_of", lines)
        file = tmp_path / "k.cu"
        file.write_text(text)
        (task,) = tasks(str(file), Request(contract="quick"))
        assert isinstance(task, Task) and task.family is not None and task.family.unknown
        return project.checked(task)

    return checked


def test_what_every_launch_is_proved_of_without_lines_is_asked_of_the_one_that_was_found(
    asked: Asked,
) -> None:
    kernel = read_kernels(OWN).kernels["k"]
    name = "no_overflow"
    every = contract(kernel, [name], quick=True)
    assert every.verdicts()[name] in GOOD and not every.conditions
    found, _ = asked(OWN, name)
    assert verdict_of(found)[name] in GOOD
    found, _ = asked(OWN.replace("2000000", "3000000"), name)
    assert verdict_of(found)[name] == "unknown"


def test_lines_of_every_launch_are_kept_for_what_the_launch_has_none_for(asked: Asked) -> None:
    found, lines = asked(TOO_MANY.replace("HOST", "n > 0"), "in_bounds")
    said = [f for f in found if f.property == "in_bounds"]
    assert said and all("blockDim.x <= 256" in f.holds_if for f in said)
    assert {f.status for f in said} == {"unknown"}
    assert lines is not None and lines.verdicts()["in_bounds"] == "proved"
    assert [*lines.verdicts()] == [f.property for f in lines.findings]


@pytest.mark.parametrize(
    ("host", "helps"), [("t > 256", False), ("t >= 256", True), ("t == 1024", False)]
)
def test_lines_that_the_launch_never_meets_are_none(host: str, helps: bool) -> None:
    kernel = read_kernels(TOO_MANY.replace("HOST", host)).kernels["k"]
    (family,) = kernel.families
    own = without(contract(kernel, ["in_bounds"], family=family, quick=True), "in_bounds")
    own = replace(own, conditions=())
    wide = contract(kernel, ["in_bounds"], quick=True)
    assert "blockDim.x <= 256" in {c.text for c in wide.conditions}
    both = beside(own, wide, read_setting(kernel, family=family))
    assert (both.verdicts()["in_bounds"] in GOOD) == helps == bool(both.conditions)
    assert both.blank is own.blank and both.notes == own.notes


def test_whether_a_device_accepts_a_launch_is_not_taken_from_every_launch(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(TOO_MANY.replace("HOST", "t >= 1500 && t <= 3000"))
    (task,) = tasks(str(file), Request(contract="quick"))
    assert isinstance(task, Task)
    found, _ = project.checked(task)
    (f,) = (f for f in found if f.property == "launch_valid")
    assert f.status != "proved" and not f.holds_if


def test_a_check_of_nothing_takes_the_work_it_is_given() -> None:
    kernel = read_kernels(OWN).kernels["k"]
    setting = read_setting(kernel, launch="grid=1 block=t", given=["t >= 1500"])
    begun = Check(
        kernel, setting, ["launch_valid", "in_bounds"], work=0, timeout=600, same_value=False,
        certificates=False, sparing=True,
    )  # fmt: skip
    first = verdict_of(begun.findings())
    assert first["in_bounds"] == "unknown"
    begun.longer(["launch_valid"], 5000)
    assert begun._work.purse._work == 5000


def test_all_that_is_asked_of_a_launch_shares_its_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def late(*_: object, **__: object) -> None:
        pytest.fail("there is no time for lines")

    monkeypatch.setattr(limits, "countdown", lambda _: lambda: 0.0)
    monkeypatch.setattr("symcute.kernel.contracts.contract._decided", late)
    file = tmp_path / "k.cu"
    file.write_text(TOO_MANY.replace("HOST", "n > 0"))
    (task,) = tasks(str(file), Request(contract="quick"))
    assert isinstance(task, Task)
    found, lines = project.checked(task)
    assert lines is None and verdict_of(found)["in_bounds"] == "unknown"


@pytest.mark.parametrize(("how", "sought"), [("quick", False), ("long", True)])
def test_no_lines_are_sought_for_what_is_not_understood(
    how: Any, sought: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = OWN.replace("x[(int)", 'asm volatile("unheard.of;"); x[(int)')
    real, found = project._contract_of, []

    def lines(task: Task, properties: Any, *more: Any) -> Any:
        found.extend(properties)
        return real(task, properties, *more)

    monkeypatch.setattr(project, "_contract_of", lines)
    file = tmp_path / "k.cu"
    file.write_text(text)
    (task,) = tasks(str(file), Request(contract=how))
    assert isinstance(task, Task)
    told, _ = project.checked(task)
    assert verdict_of(told)["in_bounds"] == verdict_of(told)["write_race_free"] == "unknown"
    assert ("in_bounds" in found) == ("write_race_free" in found) == sought
    assert "launch_valid" in found
