"""Whether an instance meets a formula is asked of a function, which says what the formula says."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from symcute.errors import InputError
from symcute.expr.assumptions import Assumptions, dims
from symcute.expr.formula import Formula
from symcute.solve.obligations.pool import Pool
from tests.full import many

NAMES = ("i", "M", "N")


def _leaf(random: Random) -> Any:
    """Return a sum of products, with a quotient or a remainder now and then."""
    total: Any = random.randint(-4, 4)
    for _ in range(random.randint(1, 3)):
        x = random.choice([1, 2, -3, 5])
        for name in random.choices(NAMES, k=random.randint(1, 3)):
            x = x * dims(name)
        total = total + random.choice([x, x, x, x // 3, x % 4, x / 2])
    return total


def _formula(random: Random, depth: int) -> Formula:
    if depth and random.random() < 0.6:
        op = random.choice(["and", "or", "not"])
        parts = [_formula(random, depth - 1) for _ in range(1 if op == "not" else 2)]
        return Formula(op, tuple(parts))
    return Formula(random.choice(["eq", "ne", "le", "lt"]), (_leaf(random), _leaf(random)))


def test_an_instance_breaks_a_formula_where_it_does_not_hold_or_is_not_defined() -> None:
    random, told = Random(11), Counter[str]()
    pool = Pool(Assumptions(), lambda _: [])
    for _ in range(many(400, 20_000)):
        f = _formula(random, 2)
        at = {n: random.randint(-3, 4) for n in NAMES if random.random() < 0.95}
        try:
            holds = f.holds(at)
            told[str(holds)] += 1
        except InputError:
            holds = False
            told["undefined"] += 1
        assert (pool.breaks(f, [at]) is None) is holds, (str(f), at)
    assert min(told["True"], told["False"], told["undefined"]) >= 20, told
