"""Is the static layout algebra the same as that of CuTe's C++ headers, letter by letter?

As `test_dsl.py`, for the operations that the DSL lacks as well, with fewer cases: a case costs the
compiler some 20 ms.  Without `--full` the answers are those of `answers/headers.jsonl`.
`python -m tests.oracle.table` asks thousands.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.full import some

from . import cpp
from .compare import STYLES, differences
from .dsl import Answer, OracleMissing
from .operations import CPP_ONLY, OPERATIONS, Args
from .recorded import HEADERS, Json, packed, recorded, unpacked
from .table import BY_CPP, BY_DSL

CASES = 24
#: `test_dsl.py` asks hundreds of these, but not of their style where that differs.
CASES_OF_THE_DSL = 5
CASES_OF_STYLE = 12
#: Errors of the compiler that are ours: anything else is CuTe's refusal.
OURS = re.compile(r"not declared|expected|not a member of ‘cute")
Answers = dict[str, list[tuple[Args, Answer]]]


def number(name: str) -> int:
    if name in STYLES:
        return CASES_OF_STYLE
    return CASES if name in BY_CPP else CASES_OF_THE_DSL


@pytest.fixture(scope="session")
def answers() -> Answers:
    """CuTe's answer to the cases of every operation, compiled together."""
    cases = {name: operation.cases(number(name)) for name, operation in OPERATIONS.items()}
    calls = {(name, args): OPERATIONS[name].cpp(*args) for name in cases for args in cases[name]}

    def ask() -> list[Json]:
        doubtful = [call for (name, args), call in calls.items() if OPERATIONS[name].refuses(args)]
        return list(map(packed, cpp.ask([*calls.values()], doubtful=doubtful)))

    said = map(unpacked, recorded("headers", HEADERS, [*calls.values()], ask))
    replies = dict(zip(calls, said, strict=True))
    return {name: [(args, replies[name, args]) for args in cases[name]] for name in cases}


@pytest.mark.parametrize("name", some([*OPERATIONS], 2))
def test_same_as_the_headers(name: str, answers: Answers) -> None:
    outcomes = [OPERATIONS[name].judged(args, answer) for args, answer in answers[name]]
    found = differences(outcomes)
    if found:
        shown = "\n".join(found[:10])
        pytest.fail(f"{len(found)} differences, the shortest:\n{shown}", pytrace=False)
    assert not [a.error for _, a in answers[name] if a.text is None and OURS.search(a.error)]
    kinds = Counter(kind for kind, _ in outcomes)
    assert len(outcomes) >= number(name)
    assert kinds["same text"] >= len(outcomes) / 4


@pytest.mark.full
def test_a_refusal_is_one_answer_and_leaves_the_others() -> None:
    left = "Layout<tuple<C<4>,C<8>>,tuple<C<8>,C<1>>>{}"
    calls = [f"composition({left}, Layout<C<{n}>,C<{d}>>{{}})" for n, d in ((2, 4), (2, 6), (4, 1))]
    answers = cpp.ask(calls)
    assert [answer.text for answer in answers] == ["2:1", None, "4:8"]
    assert "Divisibility" in answers[1].error


@pytest.mark.full
def test_answers_are_kept(tmp_path: Path) -> None:
    kept = tmp_path / "answers.jsonl"
    first = cpp.ask(["size(Layout<C<4>,C<8>>{})"], kept)
    other = tmp_path / "other.jsonl"
    other.write_text(kept.read_text().replace('"4"', '"kept"'))
    assert (first[0].text, cpp.ask(["size(Layout<C<4>,C<8>>{})"], other)[0].text) == ("4", "kept")


@pytest.mark.full
def test_a_missing_compiler_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    cpp.compiler.cache_clear()
    monkeypatch.setenv("PATH", "")
    with pytest.raises(OracleMissing, match="g\\+\\+"):
        cpp.ask(["1"])
    cpp.compiler.cache_clear()


def test_a_type_is_read_as_its_value() -> None:
    stride = "cute::tuple<cute::C<2>, cute::ScaledBasis<cute::C<3>, 1, 0> >"
    assert cpp.value_of(f"cute::Layout<cute::tuple<cute::C<4>, cute::C<2> >, {stride} >") == (
        "(4,2):(2,3@0@1)"
    )
    assert cpp.value_of("cute::tuple<cute::C<4>, int>") is None


def test_no_operation_is_left_out_of_the_table() -> None:
    assert {*BY_DSL, *BY_CPP} == set(OPERATIONS) >= set(CPP_ONLY)
