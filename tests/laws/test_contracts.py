"""Every post-condition of every operation, on generated static and symbolic inputs."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, wraps
from pathlib import Path
from typing import Any

import pytest

from symcute.errors import InputError, SymcuteError
from symcute.expr.assumptions import assuming
from symcute.expr.htuple import HTuple, transform, wrap
from symcute.layout import algebra
from symcute.layout.algebra.guarded import Guard, GuardedLayout
from symcute.layout.layout import Layout, make_layout
from symcute.prover.theorems import find
from tests.full import many

from .arguments import RECIPES
from .contracts import CONTRACTS, POST, PRE, Contract, Refused, at, read_line, sizes
from .draw import Draw, points

NAMES = sorted(RECIPES)
#: Floors: a harness that finds less has lost something.
OPERATIONS = 62
LINES, PRE_LINES = 160, 9
THEOREMS = 140
STATIC, MOST_TRIES = 120, 4000
SYMBOLIC, INSTANCES = many(5, 20), 5
LARGEST = 512
PROOFS = Path(__file__).parents[2] / "proofs" / "laws"


@dataclass
class Report:
    """What came of running a contract: how often each line ran, and where one was false."""

    inputs: int = 0
    ran: Counter[str] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)

    def run(self, contract: Contract, args: tuple[Any, ...], result: Any, where: str = "") -> None:
        applied, broken = contract.broken(args, result)
        self.inputs += 1
        self.ran.update(x.text for x in applied)
        shown = ", ".join(map(str, args))
        for x in broken:
            self.broken.append(f"{contract.name}({shown}) = {result}{where} breaks {x.text}")


def accepted(contract: Contract) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield generated static arguments that the operation accepts, with its result."""
    rng = random.Random(contract.name)
    for _ in range(MOST_TRIES):
        args = RECIPES[contract.name](Draw(rng))
        if contract.accepts(args):
            try:
                yield args, contract.result(args)
            except Refused:
                continue


def exercise(contract: Contract) -> Report:
    report = Report()
    for args, result in accepted(contract):
        report.run(contract, args, result)
        if all(report.ran[x.text] >= STATIC for x in contract.post):
            break
    return report


@cache
def static_report(name: str) -> Report:
    return exercise(CONTRACTS[name])


def instances(
    contract: Contract, args: tuple[Any, ...], given: list[str], rng: random.Random
) -> list[tuple[dict[str, int], tuple[Any, ...]]]:
    """Return instances of symbolic arguments that count, up to INSTANCES; none if static."""
    found = []
    for point in points(args, given, rng, 8 * INSTANCES):
        static = at(args, point)
        small = all(n <= LARGEST for n in sizes(static))
        if point and small and contract.accepts(static):
            found.append((point, static))
        if len(found) == INSTANCES:
            return found
    return []


@cache
def symbolic_report(name: str) -> tuple[int, Report]:
    """Return how many symbolic inputs were accepted, and what came of their instances."""
    contract, rng, report, count = CONTRACTS[name], random.Random(name), Report(), 0
    for _ in range(MOST_TRIES):
        draw = Draw(rng, symbolic=True)
        args = RECIPES[name](draw)
        found = instances(contract, args, draw.given, rng)
        if not found:
            continue
        try:
            with assuming(draw.given):
                result = contract.result(args)
        except Refused:
            continue
        count += 1
        for point, static in found:
            report.run(contract, static, at(result, point), f" = {result} at {point}")
        if count == SYMBOLIC:
            break
    return count, report


def test_every_operation_has_a_contract_and_a_recipe() -> None:
    assert sorted(CONTRACTS) == NAMES
    assert len(NAMES) >= OPERATIONS
    assert all(len(c.post) >= 2 for c in CONTRACTS.values())
    assert sum(len(c.post) for c in CONTRACTS.values()) >= LINES
    assert sum(len(c.pre) for c in CONTRACTS.values()) >= PRE_LINES


def test_no_condition_stands_outside_the_sections() -> None:
    for name, contract in CONTRACTS.items():
        for text in (contract.operation.__doc__ or "").splitlines():
            if text.strip().lower().startswith(("post-cond", "pre-cond")):
                assert text.strip() in (PRE, POST), f"{name}: {text}"


@pytest.mark.parametrize("name", NAMES)
def test_static_results_keep_the_contract(name: str) -> None:
    report = static_report(name)
    assert not report.broken, report.broken[0]
    for line in CONTRACTS[name].post:
        assert report.ran[line.text] >= STATIC, f"ran {report.ran[line.text]} times: {line.text}"


@pytest.mark.parametrize("name", NAMES)
def test_symbolic_results_keep_the_contract_at_instances(name: str) -> None:
    count, report = symbolic_report(name)
    assert not report.broken, report.broken[0]
    assert count == SYMBOLIC
    assert report.inputs == SYMBOLIC * INSTANCES


def test_enough_was_exercised() -> None:
    static = [static_report(name) for name in NAMES]
    assert sum(r.inputs for r in static) >= STATIC * len(NAMES)
    assert sum(sum(r.ran.values()) for r in static) >= STATIC * LINES


def bent(value: Any) -> Iterator[Any]:
    """Yield values of the same kind as a result, most of them wrong."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1, 0, 1, 2 * value)
    elif isinstance(value, GuardedLayout):
        yield GuardedLayout(value.layout, Guard(()))
        yield from (GuardedLayout(x, value.guard) for x in bent(value.layout))
    elif isinstance(value, Layout):
        yield from _bent_layouts(value.shape, value.stride)
    elif isinstance(value, tuple):
        for k, x in enumerate(value):
            yield from (type(value)((*value[:k], y, *value[k + 1 :])) for y in bent(x))
        yield from (value[::-1], value[:-1], (*value, 1), 1)


def _bent_layouts(shape: HTuple, stride: HTuple) -> Iterator[Layout]:
    candidates = (
        (1, 0),
        (7, 3),
        ((2, 5), (0, 3)),
        ((1,), (0,)),
        (shape, transform(lambda d: 2 * d, stride)),
        (shape, transform(lambda _: 0, stride)),
        (transform(lambda s: 2 * s, shape), stride),
        ((shape,), (stride,)),
        (((shape,), 2), ((stride,), 1)),
        ((shape, 2), (stride, 1)),
        ((2, shape), (1, stride)),
        ((shape, shape, shape), (stride, stride, stride)),
        ((shape, (3, 2)), (stride, (0, 0))),
        (wrap(shape)[::-1], wrap(stride)[::-1]),
    )
    for candidate in candidates:
        with suppress(InputError):
            yield Layout(*candidate)


@pytest.mark.parametrize("name", NAMES)
def test_every_line_can_fail(name: str) -> None:
    contract = CONTRACTS[name]
    alive = {x.text for x in contract.post}
    for args, result in accepted(contract):
        for wrong in bent(result):
            alive -= set(_false_lines(contract, args, wrong, alive))
        if not alive:
            return
    assert not alive


def _false_lines(
    contract: Contract, args: tuple[Any, ...], wrong: Any, among: set[str]
) -> Iterator[str]:
    """Yield the lines that are false of a wrong result; one that cannot be asked is not."""
    names = contract.names(args) | {"result": wrong}
    for line in contract.post:
        if line.text in among:
            try:
                if line.applies(names) and not line.holds(names):
                    yield line.text
            except (SymcuteError, TypeError, AttributeError, IndexError, ValueError):
                continue


#: Operations as they might be got wrong.
WRONG: dict[str, Callable[..., Any]] = {
    "coalesce": lambda a, profile=None: Layout(a.size()),
    "composition": lambda a, b: b if isinstance(b, Layout) else algebra.composition(a, b),
    "complement": lambda a, cotarget: Layout(a.size(), a.cosize()),
    "right_inverse": lambda a: Layout(a.size()),
    "left_inverse": lambda a: algebra.right_inverse(a),
    "logical_divide": lambda a, t: make_layout(*reversed(list(algebra.logical_divide(a, t)))),
    "logical_product": lambda a, t: make_layout(a, t if isinstance(t, Layout) else Layout(1, 0)),
    "raked_product": lambda a, t: algebra.blocked_product(a, t),
    "blocked_product": lambda a, t: algebra.raked_product(a, t),
    "group": lambda a, begin, end=-1: a,
    "layout_add": lambda a, b: a,
    "max_common_layout": lambda a, b: algebra.right_inverse(a),
    "nullspace": lambda a: Layout(1, 0),
    "upcast": lambda a, n: a,
    "downcast": lambda a, n: a,
    "tile_to_shape": lambda block, trg_shape, ord_shape=None: Layout(trg_shape),
    "ceil_div": lambda a, b: algebra.ceil_div(a, 1),
    "idx2crd": lambda idx, shape: transform(lambda _: 0, shape),
    "slice_and_offset": lambda crd, layout: (algebra.dice(crd, layout), 0),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_operation_is_caught(name: str) -> None:
    contract, wrong = CONTRACTS[name], WRONG[name]

    @wraps(contract.operation)
    def operation(*args: Any) -> Any:
        return wrong(*args)

    assert exercise(replace(contract, operation=operation)).broken


@pytest.mark.parametrize(
    ("text", "names", "applies", "holds"),
    [
        ("x == 1", {"x": 2}, True, False),
        ("x == i for i in range(2)", {"x": 0}, True, False),
        ("x > i for i in range(2) if x > 0", {"x": 0}, False, None),
        ("x == i for i in range(3) if i == 1", {"x": 1}, True, True),
        ("x == 1 if y", {"x": 2, "y": False}, False, None),
        ("x == 1 if y else x == 2", {"x": 2, "y": False}, True, True),
    ],
)
def test_a_line_is_read(text: str, names: dict[str, Any], applies: bool, holds: Any) -> None:
    line = read_line(text)
    assert line.applies(dict(names)) is applies
    assert holds is None or line.holds(dict(names)) is holds


def test_a_line_that_is_no_python_is_an_error() -> None:
    with pytest.raises(SyntaxError, match="no condition"):
        read_line("the same map on indices")


def test_the_conditions_are_theorems() -> None:
    """They are proved, or refuted, with the whole library: `e2e/test_proofs.py`."""
    found = find([PROOFS], "contract_*")
    proved = [t for t in found if t.expected == "proved"]
    neighbours = {t.name for t in found if t.expected == "refuted"}
    stems = {name: f"contract_{name.rstrip('_')}" for name in NAMES}
    claimed = {name for name in NAMES for t in proved if t.name.startswith(f"{stems[name]}_")}
    assert len(found) >= THEOREMS
    assert sorted(claimed) == NAMES
    assert {f"{stems[name]}_neighbour" for name in NAMES} <= neighbours
