"""What loops are said to keep, against loops that are executed: no state breaks what is said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from symcute.expr.assumptions import Assumptions, dims
from symcute.expr.terms import evaluate, names, show
from symcute.kernel.access_map import Access
from symcute.kernel.ir.expression import Expr, Select
from symcute.kernel.ir.program import Kernel
from symcute.kernel.ir.setting import Setting
from symcute.kernel.symexec import symexecute
from tests.access.programs import I32, kernel, launch, let, loop, n, op, store, v
from tests.full import many

State = dict[str, int]
Form = tuple[Expr, Callable[[State], int]]

K, J, N = v("k"), v("j"), v("n")


def select(test: Expr, then: Expr, other: Expr) -> Expr:
    return Select(test, then, other, I32)


def wrapped(x: str, end: str) -> Form:
    """x + 1, or 0 where that is the end."""
    following = op("+", v(x), n(1))
    return (
        select(op("==", following, v(end)), n(0), following),
        lambda s: 0 if s[x] + 1 == s[end] else s[x] + 1,
    )


STARTS: list[Form] = [
    (n(0), lambda s: 0), (n(1), lambda s: 1), (N, lambda s: s["n"]),
    (op("/", N, n(2)), lambda s: s["n"] // 2), (op("-", N, n(1)), lambda s: s["n"] - 1),
]  # fmt: skip
STEPS: list[Form] = [
    (op("*", K, n(2)), lambda s: s["k"] * 2), (op("*", J, n(2)), lambda s: s["j"] * 2),
    (op(">>", K, n(1)), lambda s: s["k"] >> 1), (op(">>", J, n(1)), lambda s: s["j"] >> 1),
    (op("/", op("+", K, n(1)), n(2)), lambda s: (s["k"] + 1) // 2),
    (op("min", op("*", J, n(2)), N), lambda s: min(2 * s["j"], s["n"])),
    (op("-", op("*", K, n(2)), n(1)), lambda s: 2 * s["k"] - 1),
    (op("max", op("-", K, n(3)), n(0)), lambda s: max(s["k"] - 3, 0)),
    (op("+", K, J), lambda s: s["k"] + s["j"]), (K, lambda s: s["k"]), (J, lambda s: s["j"]),
    wrapped("k", "n"), wrapped("j", "n"), wrapped("j", "k"),
]  # fmt: skip
TESTS: list[Form] = [
    (op("<", K, N), lambda s: s["k"] < s["n"]), (op(">", K, n(0)), lambda s: s["k"] > 0),
    (op("<", J, N), lambda s: s["j"] < s["n"]), (op(">", J, n(1)), lambda s: s["j"] > 1),
    (op("<=", K, J), lambda s: s["k"] <= s["j"]),
]  # fmt: skip
SIZE = dims("N")


def setting() -> Setting:
    return replace(launch(1, 1), arguments={"n": SIZE}, given=Assumptions.of(["N <= 40"]))


def program(starts: list[Form], test: Form, steps: list[Form]) -> Kernel:
    """k and j from their starts, stepped together; x holds k and y holds j, behind the loop too."""
    begin = (let("k", starts[0][0]), let("j", starts[1][0]))
    step = (let("old", steps[0][0]), let("j", steps[1][0]), let("k", v("old")))
    body = (store("x", K), store("y", J))
    return kernel(*begin, loop("L", test[0], *body, step=step), *body, x="global", y="global")


def states(
    starts: list[Form], test: Form, steps: list[Form], size: int
) -> tuple[list[State], bool]:
    """The states at the start of the rounds, the last the one behind the loop if it ends soon."""
    s = {"n": size, "k": starts[0][1]({"n": size}), "j": starts[1][1]({"n": size})}
    found = [s]
    for _ in range(9):
        if not test[1](s):
            return found, True
        s = {**s, "k": steps[0][1](s), "j": steps[1][1](s)}
        if max(abs(x) for x in s.values()) >= 1 << 20:
            return found, False
        found.append(s)
    return found, False


def broken(x: Access, y: Access, s: State, k: int | None) -> list[str]:
    """What is said of a state and is not so; what speaks of more than the state is left out."""
    at_: dict[str, int] = {"N": s["n"]} if k is None else {"N": s["n"], "k_L": k}
    for access, value in ((x, s["k"]), (y, s["j"])):
        (name, *more) = names(access.offset) or ("",)
        if name.startswith("h") and not more and show(access.offset) == f"{name}*4":
            at_[name] = value
        elif names(access.offset) <= at_.keys() and evaluate(access.offset, at_) != 4 * value:
            return [f"{show(access.offset)} is not 4*{value}"]
    said = {g: None for a in (x, y) for g in a.guard}
    return [show(g) for g in said if names(g) <= at_.keys() and not evaluate(g, at_)]


@pytest.mark.parametrize("seed", range(many(3, 12)))
def test_what_is_said_of_a_round_is_so(seed: int) -> None:
    random, related = Random(seed), 0
    for _ in range(12):
        starts = [random.choice(STARTS) for _ in range(2)]
        test, steps = random.choice(TESTS), [random.choice(STEPS) for _ in range(2)]
        found = symexecute(program(starts, test, steps), setting()).accesses
        inside, behind = found[:2], found[2:]
        for size in (1, 2, 3, 4, 7, 8, 40):
            rounds, ended = states(starts, test, steps, size)
            going = rounds[:-1] if ended else rounds
            for k, s in enumerate(going):
                if not test[1](s):
                    break
                wrong = broken(inside[0], inside[1], s, k)
                assert not wrong, (size, k, s, wrong)
            if ended and behind:
                assert not broken(behind[0], behind[1], rounds[-1], None), (size, rounds)
        said = {show(g) for a in inside for g in a.guard}
        related += any("h_" in g and "N" in g for g in said)
    assert related >= 2


def said_in(starts: list[Form], test: Form, steps: list[Form]) -> list[str]:
    found = symexecute(program(starts, test, steps), setting())
    return [show(g) for a in found.accesses[:2] for g in a.guard]


def test_a_stage_that_is_set_back_stays_below_its_end() -> None:
    counted = wrapped("j", "n")
    said = said_in([STARTS[1], STARTS[0]], TESTS[0], [STEPS[0], counted])
    assert any(g.endswith("<= N - 1") for g in said), said
    late = (select(op("==", J, N), n(0), op("+", J, n(1))), counted[1])
    said = said_in([STARTS[1], STARTS[0]], TESTS[0], [STEPS[0], late])
    assert not any(g.endswith("<= N - 1") for g in said)
    assert any(g.endswith("<= N") for g in said), said


def test_a_half_times_a_double_does_not_grow() -> None:
    half, double, thrice = STEPS[2], STEPS[1], (op("*", J, n(3)), lambda s: 3 * s["j"])
    begin = [STARTS[2], STARTS[1]]
    product = [g for g in said_in(begin, TESTS[1], [half, double]) if "*h_" in g and "<= N" in g]
    assert product, said_in(begin, TESTS[1], [half, double])
    assert not [g for g in said_in(begin, TESTS[1], [half, thrice]) if "*h_" in g and "<= N" in g]
