"""Contracts of everyday kernels, and of those that are meant to deceive, judged by their text.

What is read of a contract are its printed lines; launches that meet them, with no element more than
they ask for, are executed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from symcute.frontends import CUDA_CPP
from symcute.kernel.checking import check
from symcute.kernel.contracts.contract import Contract, contract
from symcute.kernel.contracts.lines import Unlaunched
from symcute.kernel.findings import PROPERTIES, verdict_of
from symcute.kernel.ir.program import Kernel
from symcute.kernel.launch.notes import read_setting
from tests.access.contract_judge import AXES, Told, faults, meets
from tests.full import full, many, some

FOLDER = Path(__file__).parent / "contracts"
FILES = ("everyday.cu", "hostile.cu")
#: Kernels whose contracts are found in little time, of each kind one.
QUICK = (
    "add_one", "warp_sum_per_block", "signed_char_size", "only_negative", "two_shared",
    "leave_before", "always_wrong",
)  # fmt: skip


@cache
def kernels_of(file: str) -> Mapping[str, Kernel]:
    return CUDA_CPP.read(FOLDER / file).kernels


@cache
def kernels() -> dict[str, Kernel]:
    """Return the kernels of the files, but not what only says that there are instances of one."""
    found = {k: v for file in FILES for k, v in kernels_of(file).items()}
    return {k: v for k, v in found.items() if not k.endswith("<instantiated>")}


NAMES = some(tuple(kernels()), 4, 0, 4) if full() else QUICK


@cache
def contract_of(name: str) -> Contract:
    return contract(kernels()[name], quick=True)


def test_there_are_enough_of_them() -> None:
    assert len(kernels()) >= 120 and {*QUICK} <= kernels().keys()


@pytest.mark.parametrize("name", NAMES)
def test_no_launch_inside_of_a_contract_goes_wrong(name: str) -> None:
    found, kernel = contract_of(name), kernels()[name]
    for prop, verdict in found.verdicts().items():
        lines = [c.text for c in found.conditions if prop in c.properties]
        if verdict == "unknown":
            assert not lines, prop
        if verdict == "unknown" or prop == "launch_valid":
            continue
        executed, bad = faults(kernel, lines, prop, many(2, 8))
        assert not bad, (prop, lines, bad[0])
        # Lines that leave no launch prove anything. What an array holds that is read outside of
        # itself is not judged.
        assert executed >= 2 or any("for all" in x for x in lines), (prop, lines)


@pytest.mark.parametrize(
    ("name", "lines"),
    some(
        [
            # One line an array, in lowest terms.
            ("gelu_pair", {"numel(x) >= n", "numel(y) >= n"}),
            ("two_sizes", {"numel(x) >= m", "numel(y) >= max(n, m)"}),
            ("walk_pointer", {"numel(x) >= n", "numel(y) >= n"}),
            ("ballot", {"numel(x) >= n", "numel(y) >= ceil_div(blockDim.x*gridDim.x, 32)"}),
            # That `which` is not 0 would leave y out.
            ("select", {"numel(x) >= n", "numel(y) >= n"}),
            ("only_negative", {"-2147483647 <= n", "numel(y) >= n*(-1)"}),
        ],
        3,
        2,
    ),
)
def test_lines_are_in_few_words(name: str, lines: set[str]) -> None:
    found = {c.text for c in contract_of(name).conditions if "in_bounds" in c.properties}
    assert {x for x in found if not x.startswith("blockDim")} == lines


@pytest.mark.full
def test_a_block_may_have_to_be_whole_warps() -> None:
    found = contract_of("per_warp")
    lines = {c.text for c in found.conditions if "write_race_free" in c.properties}
    assert "blockDim.x % 32 == 0" in lines and found.verdicts()["write_race_free"] == "proved"


@pytest.mark.parametrize("name", NAMES)
def test_a_counterexample_is_outside_of_its_line_alone(name: str) -> None:
    found, kernel = contract_of(name), kernels()[name]
    blank = Unlaunched(kernel)
    dims = {n: p for p, n in blank.params.items()}
    dims |= dict(zip((*blank.grid, *blank.block), AXES, strict=True))
    for condition in found.conditions:
        for prop, example in condition.counterexamples.items():
            others = [c.text for c in found.conditions if prop in c.properties and c != condition]
            assert meets(kernel, example, dims, others), (prop, condition.text)
            if Told(kernel, [condition.text]).relations:
                assert not meets(kernel, example, dims, [condition.text]), (prop, condition.text)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_pasted_is_proved_again(name: str) -> None:
    found = contract_of(name)
    comment = "\n".join(found.comment())
    (file,) = (f for f in FILES if name in kernels_of(f))
    source = (FOLDER / file).read_text(encoding="utf-8")
    start = source.index(f" {name.split('<')[0]}(")
    start = (
        source.rindex("template", 0, start)
        if "<" in name
        else source.rindex("__global__", 0, start)
    )
    text = f"{source[:start]}\n{comment}\n{source[start:]}"
    kernel = CUDA_CPP.read(text, name=name).kernels[name]
    proved = [p for p, v in found.verdicts().items() if v == "proved"]
    assert {*proved} <= {*PROPERTIES}
    told = verdict_of(check(kernel, read_setting(kernel), proved, hints=0))
    assert {p: v for p, v in told.items() if v not in ("proved", "not applicable")} == {}
