"""What is found of a kernel hangs on work that is counted, and nobody waits for the hard ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from symcute.expr import limits
from symcute.frontends.cuda import read_kernels
from symcute.kernel import scheduler
from symcute.kernel.access_map import AccessMap
from symcute.kernel.budget import HINTS, LEAST, LONGER, WORK, Purse
from symcute.kernel.checking import check
from symcute.kernel.events import Execution
from symcute.kernel.execution import Executor
from symcute.kernel.findings import Finding, verdict_of
from symcute.kernel.ir.place import Place
from symcute.kernel.launch.notes import read_setting
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.question import Question
from symcute.kernel.scheduler import FIRST, Work
from symcute.kernel.symexec import symexecute
from symcute.solve.obligation import Answer
from tests.access.cases import cases
from tests.access.replay import kernel_of, setting_of
from tests.full import some

CASES = {c.label: c for c in cases()}
AT = Place("mine.cu", 1, 1)
ORDINARY = [
    "elementwise.saxpy", "elementwise.saxpy_off_by_one", "stencil.halo_no_barrier",
    "transpose.transpose_padded", "language.short_counter", "language.binary_search",
]  # fmt: skip


def found(label: str, **more: Any) -> list[Finding]:
    case = CASES[label]
    return check(kernel_of(case), setting_of(case), **more)


class Hasty:
    """A clock that leaps ahead whenever anybody looks at it."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        self.now += 60.0
        return self.now


@pytest.mark.parametrize("label", some(ORDINARY, 2))
def test_findings_are_the_same_however_time_flies(
    label: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    calm = found(label)
    monkeypatch.setattr(limits, "time", Hasty())
    assert found(label, timeout=1e9) == calm


@pytest.mark.full
@pytest.mark.parametrize("work", [10, 2000])
def test_with_less_work_less_is_decided_and_nothing_else(work: int) -> None:
    label = "language.binary_search"
    less, usual = verdict_of(found(label, work=work)), verdict_of(found(label))
    assert {n for n in usual if less[n] != usual[n]} <= {n for n in less if less[n] == "unknown"}
    assert found(label, work=work) == found(label, work=work)


def test_the_time_limit_says_so() -> None:
    reasons = {
        f.reason for f in found("language.binary_search", timeout=1e-6) if f.status == "unknown"
    }
    assert (
        "the time limit of 1e-06 s was reached (--timeout); more may be decided with more time"
        in (reasons)
    )


# --- the purse -----------------------------------------------------------------------------------


def takes(units: int, answer: Answer) -> Callable[[], Answer]:
    def road() -> Answer:
        for _ in range(units):
            limits.spend(limits.STEPS)
        return answer

    return road


PROVED, OPEN = Answer("proved", "counted"), Answer("open", reason="gave up")


def test_every_question_has_its_own_and_the_pool_is_drawn_upon_in_order() -> None:
    purse = Purse(4000)
    rounds = purse.rounds()
    assert next(rounds) == LEAST
    for _ in range(50):
        answer, ended = purse.ask(takes(LEAST + 1, PROVED), LEAST)
        assert (answer.status, ended) == ("open", False)
        assert answer.reason == f"the work limit of {LEAST} was reached"
    assert purse.ask(takes(LEAST - 1, PROVED), LEAST) == (PROVED, True)
    limit = next(rounds)
    assert limit == LONGER * LEAST
    assert purse.ask(takes(1000, PROVED), limit) == (PROVED, True)
    assert purse.ask(takes(1000, OPEN), limit) == (OPEN, True)
    assert purse.ask(takes(5000, PROVED), limit)[1] is False
    assert purse.ask(takes(1000, PROVED), limit)[1] is False  # 500 are left of 4000
    assert list(rounds) == []
    assert purse.ask(takes(1, PROVED), LEAST) == (PROVED, True)


def test_hints_have_work_of_their_own() -> None:
    purse = Purse(10)
    with purse.hint():
        takes(HINTS - 1, OPEN)()
    with pytest.raises(limits.WorkLimit), purse.hint():
        takes(5, OPEN)()
    assert purse.ask(takes(1, PROVED), LONGER * LEAST) == (PROVED, True)
    with pytest.raises(limits.WorkLimit), purse.hint():
        takes(1, OPEN)()
    assert purse.ask(takes(1, PROVED), LEAST) == (PROVED, True)


# --- nobody waits --------------------------------------------------------------------------------


def forever() -> Answer:
    while True:
        limits.spend(100)


def question(number: int, road: Callable[[], Answer]) -> Question:
    return Question("in_bounds", replace(AT, line=number), "access", "inside", road, road)


def asks(
    monkeypatch: pytest.MonkeyPatch, questions: Callable[[str], Iterable[Question] | None]
) -> None:
    """Let these be the questions of a property."""
    monkeypatch.setattr(
        scheduler, "questions", lambda _map, _kernel, name, *_: questions(name) or ()
    )


def asked(monkeypatch: pytest.MonkeyPatch, questions: list[Question]) -> tuple[Work, int]:
    case = CASES["elementwise.saxpy"]
    kernel, setting = kernel_of(case), setting_of(case)
    map: AccessMap = symexecute(kernel, setting)
    asks(monkeypatch, {"in_bounds": questions}.get)
    work = Work(Context(map, setting, kernel), None, Purse(), False)
    with limits.budget(float("inf")) as done:
        work.decide({"in_bounds"})
    return work, done.done


@pytest.mark.parametrize("place", [0, 25, 50])
def test_a_trivial_question_among_hard_ones_is_decided(
    place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = [question(k, forever) for k in range(50)]
    questions.insert(place, question(100, takes(LEAST - 1, PROVED)))
    work, done = asked(monkeypatch, questions)
    answers = {i.question.place.line: i.answer for i in work.items["in_bounds"]}
    assert answers.pop(100) == PROVED
    assert {a.reason for a in answers.values()} == {
        f"the work limit of {n:,} was reached" for n in (LEAST, LONGER * LEAST)
    } & {a.reason for a in answers.values()}
    # Each has its own for either road, and all share one purse.
    assert done <= 50 * (FIRST + 1) + 2 * 50 * (LEAST + 1) + LEAST + WORK + 2


def test_one_that_is_hard_but_not_too_hard_is_decided_among_hopeless_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    questions = [question(k, forever) for k in range(5)]
    questions.append(question(100, takes(4 * LEAST, PROVED)))
    work, _ = asked(monkeypatch, questions)
    assert work.items["in_bounds"][-1].answer == PROVED


@pytest.mark.parametrize("refuted", [(), ("no_overflow",), ("no_overflow", "in_bounds")])
def test_what_is_refuted_is_not_asked_at_length_unless_others_rest_on_it(
    refuted: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    hard = takes(4 * LEAST, PROVED)
    every = {
        "no_overflow": replace(question(1, hard), property="no_overflow", computation=0),
        "in_bounds": replace(question(2, hard), needs=frozenset({0})),
        "aligned": replace(question(3, hard), property="aligned"),
    }
    asks(monkeypatch, {name: [q] for name, q in every.items()}.get)
    case = CASES["elementwise.saxpy"]
    kernel, setting = kernel_of(case), setting_of(case)
    context = Context(symexecute(kernel, setting), setting, kernel)
    work = Work(context, None, Purse(), False)
    work.strays |= {name: [] for name in refuted}
    work.decide({"in_bounds", "aligned", "no_overflow"})
    left = {n for n, (i,) in work.items.items() if i.answer.status != "proved"}
    assert left == ({*refuted} if "in_bounds" in refuted else set())


def test_what_was_proved_where_less_is_known_is_not_asked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    case = CASES["elementwise.saxpy"]
    kernel, setting = kernel_of(case), setting_of(case)
    context = Context(symexecute(kernel, setting), setting, kernel)
    told: list[int] = []

    def road(line: int, answers: list[Answer]) -> Callable[[], Answer]:
        def answer() -> Answer:
            told.append(line)
            return answers.pop(0)

        return answer

    none = Answer("open", reason="not now")
    # Two questions that read alike are taken to be proved only if both are.
    first = [PROVED], [none, none], [PROVED], [none, none]
    then = [], [PROVED], [PROVED], [PROVED]
    works: list[Work] = []
    for answers in (first, then):
        lines = zip((1, 2, 3, 3), answers, strict=True)
        questions = [question(line, road(line, [*each])) for line, each in lines]
        asks(monkeypatch, {"in_bounds": questions}.get)
        before = works[-1] if works else None
        works.append(Work(context, None, Purse(work=0), False, before=before))
        told.clear()
        works[-1].decide({"in_bounds"})
    assert told == [2, 3, 3]
    assert all(i.answer == PROVED for i in works[-1].items["in_bounds"])


def test_what_others_rest_on_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES["stencil.halo"]
    kernel, setting = kernel_of(case), setting_of(case)
    order: list[str] = []

    def questions(name: str) -> Iterator[Question]:
        def road() -> Answer:
            order.append(name)
            return PROVED

        yield replace(question(1, road), property=name)

    asks(monkeypatch, questions)
    work = Work(Context(symexecute(kernel, setting), setting, kernel), None, Purse(), False)
    work.decide({"read_write_race_free", "in_bounds", "aligned", "launch_valid"})
    assert order == [
        "launch_valid", "barrier_uniform", "aligned", "no_overflow", "in_bounds",
        "read_write_race_free",
    ]  # fmt: skip


@pytest.mark.parametrize("told", [False, True])
def test_of_values_on_which_nothing_rests_nothing_is_asked(told: bool) -> None:
    """A product that is only stored may wrap as another that is an index; who asks?"""
    (kernel,) = read_kernels(
        "// symcute: launch grid=(1) block=(64)\n// symcute: extent x = 64*n\n"
        "__global__ void k(int *x, int a, int n) { int i = threadIdx.x; x[n * i] = (i + a) * a; }"
    ).kernels.values()
    setting = read_setting(kernel)
    work = Work(Context(symexecute(kernel, setting), setting, kernel), None, Purse(), False)
    work.decide({"in_bounds", *(["no_overflow"] if told else [])})
    roles = [c.role for c in work.context.map.computations]
    assert {*roles} == {"index", "other"}
    assert [bool(i.ends) for i in work.items["no_overflow"]] == [r == "index" for r in roles]


@pytest.mark.parametrize(
    ("far", "expected"), [(5, [8000]), (20_000, [8000, 150_000]), (1 << 29, [8000])]
)
def test_a_model_is_executed_for_long_where_its_round_is_in_reach(
    far: int, expected: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"""__global__ void k(float *x, int n, int m) {{
    for (int i = 0; i < n; i++) if (i * 4 == {4 * far}) x[m * i] = 0;
}}
"""
    (kernel,) = read_kernels(text).kernels.values()
    setting = read_setting(kernel, launch="grid=1 block=1", extents={"x": "1"})
    work = Work(Context(symexecute(kernel, setting), setting, kernel), kernel, Purse(), False)
    work.items["no_overflow"] = items = work.asked_of("no_overflow")
    (item,) = (i for i in items if i.question.subject.startswith("m*"))
    assert item.question.computation is not None
    variables = work.context.map.computations[item.question.computation].variables
    (count,) = (v.name for v in variables if v.kind == "round")
    steps: list[int] = []
    real = Executor.follow

    def follow(self: Executor, *given: Any) -> Execution:
        steps.append(given[4])
        return real(self, *given)

    monkeypatch.setattr(Executor, "follow", follow)
    item.answer = Answer("refuted", model={"n": far + 1, "m": (1 << 31) - 1, count: far})
    work._replay(item)
    assert steps == expected
    assert (item.example is not None) == (far < 1 << 20)


def test_that_nothing_meets_the_assumptions_is_sought_in_little_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calm, asked = found("elementwise.saxpy"), []

    def endless(here: object, goal: object) -> Answer:
        asked.append(goal)
        while True:
            limits.spend(1000)

    monkeypatch.setattr(scheduler, "quickly", endless)
    with limits.budget(float("inf")) as work:
        assert verdict_of(found("elementwise.saxpy")) == verdict_of(calm)
    assert asked == [False]
    assert LEAST <= work.done < WORK
