"""Is the static layout algebra the same as that of NVIDIA's CuTe DSL, letter by letter?

Where the DSL's result keeps its promises (`postconditions.py`), ours must print the same text.
Where the DSL's result breaks them, or the DSL refuses or crashes, ours must refuse as well, or
give a result that keeps them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import symcute
from symcute.errors import InputError, NotAdmissible, Undecided

from .cases import FLOOR, GENERATORS, Case, cases
from .dsl import Answer, ask
from .postconditions import BEYOND, Arg, Lay, broken, render

#: With `pytest -n 2 --dist loadgroup` one process runs this file, so that NVIDIA is asked once.
pytestmark = pytest.mark.xdist_group("dsl")

LEAST_COMPARED_AS_TEXT = 200
REFUSALS = (InputError, NotAdmissible, Undecided)
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

#: The kinds of outcome that are differences, and those that are not.
WRONG = ("other text", "refused, NVIDIA right", "wrong result", "another exception")
FINE = ("same text", "both refuse", "refused, NVIDIA wrong", "right, NVIDIA not", "beyond the end")


def ours(case: Case) -> str:
    """What symcute prints for the case."""
    call = OURS.get(case.op) or getattr(symcute, SAME_NAME[case.op])
    return render(call(*map(_to_symcute, case.args)))


def _to_symcute(arg: Arg) -> Any:
    if isinstance(arg, Lay):
        return symcute.Layout(arg.shape, arg.stride)
    return tuple(map(_to_symcute, arg)) if isinstance(arg, tuple) else arg


def judge(case: Case, theirs: Answer) -> tuple[str, str]:
    """The kind of outcome, and the two sides in words."""
    flaw = broken(case.op, case.args, theirs.text) if theirs.text is not None else "no result"
    said = theirs.text or " ".join(theirs.error.split())[:160]
    nvidia = f"NVIDIA {said}" + (f" ({flaw})" if flaw else "")
    try:
        text = ours(case)
    except REFUSALS as refusal:
        sides = f"{case}: {nvidia}; refused: {refusal}"
        if not flaw:
            return "refused, NVIDIA right", sides
        return ("both refuse" if theirs.text is None else "refused, NVIDIA wrong"), sides
    except Exception as error:  # every other exception is a finding of its own
        return "another exception", f"{case}: {nvidia}; {type(error).__name__}: {error}"
    sides = f"{case}: {nvidia}; ours {text}"
    if text == theirs.text and not flaw:
        return "same text", sides
    our_flaw = broken(case.op, case.args, text)
    if our_flaw and not (flaw.startswith(BEYOND) and text == theirs.text):
        return "wrong result", f"{sides} ({our_flaw})"
    if not flaw:
        return "other text", sides
    return ("beyond the end" if our_flaw else "right, NVIDIA not"), sides


@pytest.fixture(scope="session")
def answers() -> dict[Case, Answer]:
    """NVIDIA's answer to every case of every operation, asked once."""
    every = [case for op in GENERATORS for case in cases(op)]
    replies = ask([case.request for case in every])
    return dict(zip(every, replies, strict=True))


@pytest.fixture(scope="session")
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
    outcomes = [judge(case, answers[case]) for case in cases(op)]
    counts = table[op] = Counter(kind for kind, _ in outcomes)
    differences = [f"{kind}: {sides}" for kind, sides in outcomes if kind in WRONG]
    if differences:
        shown = "\n".join(sorted(differences, key=len)[:20])
        pytest.fail(f"{len(differences)} differences, the shortest:\n{shown}", pytrace=False)
    assert counts.total() >= FLOOR
    assert counts["same text"] >= LEAST_COMPARED_AS_TEXT
