"""Is the static layout algebra the same as that of NVIDIA's CuTe DSL, letter by letter?

Where the DSL's result keeps its promises (`postconditions.py`), ours must print the same text; the
same map is enough for the few operations that CuTe's C++ headers print otherwise, see `STYLES`.
Where the DSL's result breaks them, or the DSL refuses or crashes, ours must refuse as well, or
give a result that keeps them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

import symcute
from tests.full import many

from .cases import FLOOR, GENERATORS, Case, cases
from .compare import FINE, WRONG, differences, judge, styled, to_symcute
from .dsl import Answer, Request, ask
from .operations import DSL_TOO, OPERATIONS, Args
from .postconditions import broken, render
from .recorded import DSL, packed, recorded, unpacked

CASES = many(40, FLOOR)
LEAST_COMPARED_AS_TEXT = CASES // 2
SAME_NAME = {
    name: name.removesuffix("_by_mode")
    for name in GENERATORS
    if name not in ("make_layout", "evaluate", "crd2idx")
}


def _raked_coalesced(block: Any, tiler: Any) -> Any:
    """Our raked_product as the DSL prints it: CuTe C++, whose text is ours, does not coalesce."""
    result = symcute.raked_product(block, tiler)
    return symcute.coalesce(result, (1,) * result.rank())


OURS: dict[str, Callable[..., Any]] = {
    "make_layout": lambda shape: symcute.Layout(shape),
    "evaluate": lambda layout, coordinate: layout(coordinate),
    "crd2idx": lambda coordinate, layout: symcute.crd2idx(coordinate, layout.shape, layout.stride),
    "raked_product": _raked_coalesced,
}


def ours(case: Case) -> str:
    """What symcute prints for the case."""
    call = OURS.get(case.op) or getattr(symcute, SAME_NAME[case.op])
    return render(call(*map(to_symcute, case.args)))


def judged(case: Case, theirs: Answer) -> tuple[str, str]:
    """The kind of outcome, and the two sides in words."""
    outcome = judge(case, theirs, lambda: ours(case), lambda text: broken(case.op, case.args, text))
    return styled(case.op, outcome)


def answered(name: str, requests: Sequence[Request]) -> list[Answer]:
    """The DSL's answers to the requests, see `recorded.py`."""
    questions = [json.dumps([r.op, r.args], separators=(",", ":")) for r in requests]
    replies = recorded(name, DSL, questions, lambda: list(map(packed, ask(requests))))
    return list(map(unpacked, replies))


@pytest.fixture(scope="module")
def answers() -> dict[Case, Answer]:
    """NVIDIA's answer to every case of every operation, asked once."""
    every = [case for op in GENERATORS for case in cases(op)[:CASES]]
    replies = answered("dsl", [case.request for case in every])
    return dict(zip(every, replies, strict=True))


@pytest.fixture(scope="module")
def table(request: pytest.FixtureRequest) -> Iterator[dict[str, Counter[str]]]:
    """Collects the outcomes by operation and prints them at the end."""
    rows: dict[str, Counter[str]] = {}
    yield rows
    lines = ["", f"{'operation':<24}" + "".join(f"{kind:>23}" for kind in (*FINE, *WRONG))]
    for op, counts in rows.items():
        lines.append(f"{op:<24}" + "".join(f"{counts[kind]:>23}" for kind in (*FINE, *WRONG)))
    capture = request.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        print("\n".join(lines))


@pytest.mark.parametrize("op", GENERATORS)
def test_same_as_nvidia(
    op: str, answers: dict[Case, Answer], table: dict[str, Counter[str]]
) -> None:
    outcomes = [judged(case, answers[case]) for case in cases(op)[:CASES]]
    counts = table[op] = Counter(kind for kind, _ in outcomes)
    found = differences(outcomes)
    if found:
        shown = "\n".join(found[:20])
        pytest.fail(f"{len(found)} differences, the shortest:\n{shown}", pytrace=False)
    assert counts.total() == CASES
    assert counts["same text"] + counts["same map"] >= LEAST_COMPARED_AS_TEXT


CASES_OF_MORE = many(50, 150)


@pytest.fixture(scope="module")
def more_answers() -> dict[str, list[tuple[Args, Answer]]]:
    """NVIDIA's answers for the operations that the C++ oracle describes, asked once."""
    every = [(OPERATIONS[n], args) for n in DSL_TOO for args in OPERATIONS[n].cases(CASES_OF_MORE)]
    found: dict[str, list[tuple[Args, Answer]]] = {name: [] for name in DSL_TOO}
    replies = answered("dsl_more", [operation.request(args) for operation, args in every])
    for (operation, args), reply in zip(every, replies, strict=True):
        found[operation.name].append((args, reply))
    return found


@pytest.mark.parametrize("name", DSL_TOO)
def test_more_operations_same_as_nvidia(
    name: str, more_answers: dict[str, list[tuple[Args, Answer]]]
) -> None:
    answered = more_answers[name]
    assert len(answered) == CASES_OF_MORE
    outcomes = [OPERATIONS[name].judged_by_dsl(args, reply) for args, reply in answered]
    found = differences(outcomes)
    if found:
        shown = "\n".join(found[:10])
        pytest.fail(f"{len(found)} differences, the shortest:\n{shown}", pytrace=False)
    assert Counter(kind for kind, _ in outcomes)["same text"] >= CASES_OF_MORE / 2
