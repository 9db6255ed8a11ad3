"""What ranges show is true: formulas and assumptions drawn at random, and loops over the box."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from typing import Any

import pytest

from symcute.checker.poly import budget
from symcute.checker.settle import Place
from symcute.checker.terms import Node, Refused, conjunction
from symcute.recheck.forms import formula
from symcute.recheck.parametrisation import constant_bounds
from symcute.recheck.ranges import in_ranges
from symcute.recheck.text import parse

NAMES = ("a", "b", "p")
TALLY: Counter[str] = Counter()


def leaf(rng: random.Random, depth: int) -> tuple[str, Any]:
    """Return an expression as text, and as a function of the dims."""
    if depth == 0 or rng.random() < 0.2:
        if rng.random() < 0.4:
            c = rng.randint(-9, 9)
            return f"({c})", lambda at: c
        name = rng.choice(NAMES)
        return name, lambda at: at[name]
    op = rng.choice(["+", "-", "*", "//", "%", "min", "max", "ceil_div", "neg", "**", "by p"])
    one, f = leaf(rng, depth - 1)
    two, g = leaf(rng, depth - 1)
    c = rng.randint(1, 5)
    return {
        "+": (f"({one} + {two})", lambda at: f(at) + g(at)),
        "-": (f"({one} - {two})", lambda at: f(at) - g(at)),
        "*": (f"({one} * {two})", lambda at: f(at) * g(at)),
        "//": (f"({one} // {c})", lambda at: f(at) // c),
        "%": (f"({one} % {c})", lambda at: f(at) % c),
        "min": (f"min({one}, {two})", lambda at: min(f(at), g(at))),
        "max": (f"max({one}, {two})", lambda at: max(f(at), g(at))),
        "ceil_div": (f"ceil_div({one}, {c})", lambda at: -(-f(at) // c)),
        "neg": (f"(-{one})", lambda at: -f(at)),
        "**": (f"({one}**{c % 3})", lambda at: f(at) ** (c % 3)),
        "by p": (f"({one} // p + {two} % p)", lambda at: f(at) // at["p"] + g(at) % at["p"]),
    }[op]


def truth(rng: random.Random, depth: int) -> tuple[str, Any]:
    """Return a formula as text, and as a function of the dims."""
    kind = rng.choice(["<", "<=", "==", "!=", "divides", "or", "and", "not"] if depth else ["<="])
    if kind in ("or", "and", "not"):
        one, f = truth(rng, depth - 1)
        two, g = truth(rng, depth - 1)
        if kind == "not":
            return f"not ({one})", lambda at: not f(at)
        both = any if kind == "or" else all
        return f"({one}) {kind} ({two})", lambda at: both((f(at), g(at)))
    one, f = leaf(rng, 2)
    two, g = leaf(rng, 1)
    c = rng.randint(2, 4)
    return {
        "<": (f"{one} < {two}", lambda at: f(at) < g(at)),
        "<=": (f"{one} <= {two}", lambda at: f(at) <= g(at)),
        "==": (f"{one} == {two}", lambda at: f(at) == g(at)),
        "!=": (f"{one} != {two}", lambda at: f(at) != g(at)),
        "divides": (f"{one} % {c} == 0", lambda at: f(at) % c == 0),
    }[kind]


def place(given: list[str]) -> Place:
    facts = conjunction([formula(parse(text)) for text in given])
    found = Place({}, facts.args if facts.op == "and" else (facts,))
    for fact in found.facts:
        for name, bound in constant_bounds(fact):
            found.bounds[name] = max(bound, found.bounds.get(name, bound))
    return found


@pytest.mark.parametrize("seed", range(40))
def test_what_ranges_show_is_true(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(60):
        low, high = rng.randint(-4, 1), rng.randint(1, 5)
        given = [f"{low} <= a", f"a <= {high}", f"{low - 1} <= b", f"b < {high}", "1 <= p", "p < 4"]
        box = {"a": range(low, high + 1), "b": range(low - 1, high), "p": range(1, 4)}
        more = [truth(rng, rng.randint(0, 2)) for _ in range(rng.randint(0, 3))]
        goal, holds = truth(rng, 2)
        budget.renew()
        shown = in_ranges(
            formula(parse(goal)),
            place([*given, *(text for text, _ in more)]),
            rng.sample(NAMES, rng.randint(0, 3)),
        )
        points = [dict(zip(box, at, strict=True)) for at in product(*box.values())]
        met = [at for at in points if all(f(at) for _, f in more)]
        true = all(holds(at) for at in met)
        assert true or not shown, (goal, given, more)
        TALLY["shown" if shown else "true" if true else "false"] += bool(met)


def test_cut_to_the_end_it_is_enumeration() -> None:
    given = place(["0 <= a", "a < 6", "0 <= b", "b < 6", "0 <= p", "p < 1"])
    for text, holds in {"a*b % 7 != 3 or a + b > 3": True, "a*b % 7 != 6": False}.items():
        goal = formula(parse(text))
        budget.renew()
        assert not in_ranges(goal, given, [])
        assert in_ranges(goal, given, ["a", "b"]) is holds


def test_much_is_shown_and_much_is_false() -> None:
    assert TALLY["shown"] > 300 and TALLY["false"] > 300


def test_a_dim_without_an_end_is_not_cut() -> None:
    budget.renew()
    assert not in_ranges(formula(parse("a*a != 5")), place(["0 <= a"]), ["a"])


def test_numbers_and_work_have_limits() -> None:
    budget.renew()
    big = "(" * 40 + "a" + "**64)" * 40
    assert not in_ranges(formula(parse(f"{big} < 1")), place(["2 <= a", "a < 9"]), [])
    wide = place([f"0 <= {n}" for n in "abcd"] + [f"{n} < 4096" for n in "abcd"])
    with pytest.raises(Refused, match="too much work"):
        in_ranges(formula(parse("a*b + c*d != 8191")), wide, ["a", "b", "c", "d"])


def test_a_name_that_is_no_dim_is_not_cut() -> None:
    with pytest.raises(Refused, match="none of the statement"):
        in_ranges(Node("le", (Node("int", (1,)), Node("int", (0,)))), place(["0 <= a"]), ["z"])
