"""No verdict hangs on what the parameters of a kernel are called."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from symcute.errors import InputError
from symcute.frontends.cuda import read_kernels
from symcute.kernel.checking import check
from symcute.kernel.contracts.contract import contract
from symcute.kernel.findings import verdict_of
from symcute.kernel.ir.program import Kernel
from symcute.kernel.launch.notes import read_setting
from tests.access.cases import Case, cases
from tests.access.measure import outcome
from tests.access.replay import kernel_of, setting_of
from tests.full import many

#: Letters that come before and after those that dims, threads and rounds begin with.
LETTERS = "ABKZakqyz"


#: What the questions of a hard kernel that are not decided at once may take together.
WORK = 400
#: Why something is open whose work came to its end, which names may bring nearer.
REACHED = "the work limit of"


def _plain(hard: bool) -> list[Case]:
    return [c for c in cases() if c.hard == hard and not any(p.struct for p in c.parameters)]


def _renamed(case: Case, random: Random) -> str:
    """Return the source of a case with other names of its parameters, whose order differs too."""
    text = case.file.read_text(encoding="utf-8")
    for k, p in enumerate(case.parameters):
        new = f"{random.choice(LETTERS)}{random.choice(LETTERS)}_{k}"
        text = re.sub(rf"(?<![\w.])(?<!->){re.escape(p.name)}\b", new, text)
    return text


def _read(case: Case, folder: Path) -> Kernel:
    """Return the kernel of a case with other names of its parameters."""
    file = folder / case.file.name
    file.write_text(_renamed(case, Random(case.label)), encoding="utf-8")
    (kernel,) = (k for n, k in read_kernels(file).kernels.items() if n.split("<")[0] == case.name)
    assert {p.name for p in kernel.params}.isdisjoint(p.name for p in case.parameters)
    return kernel


EASY = Random(7).sample(_plain(False), 120)[: many(3, 60)]


@pytest.mark.parametrize("case", EASY, ids=lambda c: c.label)
def test_verdicts_are_the_same_whatever_parameters_are_called(case: Case, tmp_path: Path) -> None:
    kernel, properties = _read(case, tmp_path), tuple(case.truth)
    found = check(kernel, read_setting(kernel), properties, hints=0)
    assert dict(verdict_of(f for f in found if f.property in properties)) == outcome(case).verdicts


@pytest.mark.full
def test_hard_kernels_have_the_same_verdicts_but_where_the_work_ends(tmp_path: Path) -> None:
    asked = unknown = ended = 0
    for case in _plain(True)[:: many(70, 6, 35)]:
        properties, said = tuple(case.truth), []
        for kernel in (kernel_of(case), _read(case, tmp_path)):
            setting = setting_of(case) if not said else read_setting(kernel)
            found = check(kernel, setting, properties, work=WORK, hints=0)
            every = [f for f in found if f.property in properties]
            reached = {f.property for f in every if REACHED in f.reason}
            if "no_overflow" in reached:  # then also of what rests on that
                reached |= {f.property for f in every if f.reason.startswith("it rests on")}
            said.append((dict(verdict_of(every)), reached))
        (first, before), (second, after) = said
        for name, verdict in first.items():
            asked, unknown = asked + 1, unknown + (verdict == "unknown")
            if verdict != second[name]:
                one_ended = (verdict == "unknown" and name in before) or (
                    second[name] == "unknown" and name in after
                )
                assert one_ended, (case.label, name, verdict, second[name])
                ended += 1
    assert 50 * ended <= asked and 10 * unknown <= asked


TWO = """// symcute: launch grid=(1) block=(64)
// symcute: arg n = {}
// symcute: arg m = {}
// symcute: extent p = 64
__global__ void halves(float *p, int n, int m) {{
  if (n == 1 && m == 2) p[threadIdx.x / 2] = threadIdx.x;
}}
"""


@pytest.mark.parametrize("names", [("tx__1", "tx__2"), ("n__1", "m__2"), ("tx", "m")])
def test_dims_that_are_called_as_threads_are_in_formulas_are_refused(
    names: tuple[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "two.cu"
    for written in (names, ("tx_1", "tx__3")):
        file.write_text(TWO.format(*written), encoding="utf-8")
        kernel = read_kernels(file).kernels["halves"]
        if written is names:
            with pytest.raises(InputError, match="has the name of an index of blocks or threads"):
                check(kernel, read_setting(kernel), ("write_race_free",), hints=0)
        else:
            (found,) = check(kernel, read_setting(kernel), ("write_race_free",), hints=0)
            assert found.status == "refuted"


@pytest.mark.full
def test_a_contract_is_the_same_whatever_parameters_are_called(tmp_path: Path) -> None:
    file, said = tmp_path / "two.cu", []
    for names in (("a", "b"), ("tx__1", "tx__2")):
        text = TWO.format("", "").split("\n", 4)[4]
        text = re.sub(r"\bn\b", names[0], re.sub(r"\bm\b", names[1], text))
        file.write_text(text, encoding="utf-8")
        found = contract(read_kernels(file).kernels["halves"])
        said.append(found.verdicts())
    assert said[0] == said[1] and said[0]["write_race_free"] == "unknown"
