"""What contracts are proved under does not prove kernels that are not right under it.

A kernel is changed in one place (a bound of a guard, a barrier that is left out, an index that is
one further), or its grid has two rows where its contract asks for one; under the lines of the
kernel as it was, what is proved of it then has to be so in executions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import pytest

from symcute.frontends import CUDA_CPP
from symcute.kernel.checking import check
from symcute.kernel.findings import PROPERTIES, verdict_of
from symcute.kernel.launch.notes import read_setting
from tests.access.contract_judge import faults
from tests.access.test_contracts_judged import FILES, FOLDER, contract_of, kernels_of
from tests.full import full, many, some

CHANGES = (
    (r" < ", " <= "), (r" <= ", " < "), (r"__syncthreads\(\);", ";"), (r"\[i\]", "[i + 1]"),
    (r"threadIdx\.x", "(threadIdx.x / 2)"), (r"blockIdx\.x", "(blockIdx.x / 2)"),
)  # fmt: skip
#: Of which there are mutants that are wrong.
QUICK = ("two_shared",)


def names() -> Sequence[str]:
    if not full():
        return QUICK
    return some(tuple(n for f in FILES for n in kernels_of(f) if "<" not in n)[::3], 4, 1, 4)


ONE_ROW, TWO_ROWS = "gridDim.y == 1", "gridDim.y == 2"


def mutants(name: str) -> Iterator[tuple[str, str, list[str]]]:
    """Yield what was changed, a kernel under the notes of the one it was, and their lines."""
    (file,) = (f for f in FILES if name in kernels_of(f))
    source = (FOLDER / file).read_text(encoding="utf-8")
    start = source.rindex("__global__", 0, source.index(f" {name}("))
    end = source.index("\n}", start)
    comment, lines = contract_of(name).comment(), [c.text for c in contract_of(name).conditions]
    for old, new in CHANGES:
        for m in list(re.finditer(old, source[start:end]))[:2]:
            changed = source[start : start + m.start()] + new + source[start + m.end() :]
            yield f"{old} {m.start()}", "\n".join([source[:start], *comment, changed]), lines
    if ONE_ROW in lines:
        rows = [re.sub(r"grid=\(([^,]+),1,", r"grid=(\1,2,", note) for note in comment]
        assert rows != comment
        under = [TWO_ROWS if x == ONE_ROW else x for x in lines]
        yield TWO_ROWS, "\n".join([source[:start], *rows, source[start:]]), under


@pytest.mark.parametrize("name", names())
@pytest.mark.full
def test_what_is_wrong_is_not_proved(name: str) -> None:
    verdicts = contract_of(name).verdicts()
    proved = [p for p in PROPERTIES if verdicts.get(p) == "proved" and p != "launch_valid"]
    wrong = 0
    for change, text, lines in mutants(name):
        kernel = CUDA_CPP.read(text, name=name).kernels[name]
        told = verdict_of(check(kernel, read_setting(kernel), proved, work=500, hints=0))
        for prop in proved:
            _, bad = faults(kernel, lines, prop, many(3, 6))
            assert not (bad and told[prop] == "proved"), (change, prop, lines, bad[0])
            wrong += bool(bad)
    assert wrong >= 2 or name not in QUICK
