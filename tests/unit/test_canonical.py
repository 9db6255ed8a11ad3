"""Scripts that say the same with other names, and in another order, come to one script."""

from __future__ import annotations

import re
from random import Random

import pytest

from symcute.solve.solvers import solve
from symcute.solve.solvers.canonical import canonical
from tests.full import many

Term = str | tuple["Term", ...]
OPERATORS = ["+", "*", "and", "or", "=", "-", "<", "<=", "=>", "not", "ite"]


def _number(random: Random, names: list[str], depth: int) -> Term:
    if depth == 0 or random.random() < 0.3:
        return random.choice([*names, *names, "2", "7", ("-", "3")])
    if random.random() < 0.1:
        return ("ite", _truth(random, names, 0), *(_number(random, names, 0) for _ in "ab"))
    count = random.randint(2, 3)
    operator = random.choice(["+", "*", "-"])
    return (operator, *(_number(random, names, depth - 1) for _ in range(count)))


def _truth(random: Random, names: list[str], depth: int) -> Term:
    if depth and random.random() < 0.4:
        operator, count = random.choice([("and", 2), ("or", 3), ("not", 1), ("=>", 2)])
        return (operator, *(_truth(random, names, depth - 1) for _ in range(count)))
    sign = random.choice(["=", "<", "<="])
    return (sign, _number(random, names, 2), _number(random, names, 1))


def _shuffled(random: Random, term: Term, names: dict[str, str]) -> Term:
    if isinstance(term, str):
        return names.get(term, term)
    parts = [_shuffled(random, x, names) for x in term[1:]]
    if term[0] in ("+", "*", "and", "or", "="):
        random.shuffle(parts)
    return (term[0], *parts)


def _text(term: Term) -> str:
    return term if isinstance(term, str) else f"({' '.join(map(_text, term))})"


def _script(terms: list[Term], names: list[str]) -> str:
    declared = [f"(declare-const {n} Int)" for n in names]
    return "\n".join([*declared, *(f"(assert {_text(t)})" for t in terms)])


def _drawn(random: Random) -> tuple[list[str], list[Term]]:
    names = random.sample([f"|{x}|" for x in "MNKabc"], random.randint(2, 5))
    terms = [_truth(random, names, 2) for _ in range(random.randint(1, 4))]
    if random.random() < 0.5:  # the same of others: parts that look alike
        other = dict(zip(names, random.sample(names, len(names)), strict=True))
        terms += [_shuffled(random, t, other) for t in terms]
    return names, terms


def test_neither_names_nor_order_make_a_difference() -> None:
    random, changed = Random(3), 0
    for _ in range(many(200, 4000)):
        names, terms = _drawn(random)
        called = dict(zip(names, random.sample([f"|{x}|" for x in "zyxwvMN"], len(names))))  # noqa: B905
        others = [_shuffled(random, t, called) for t in terms]
        random.shuffle(others)
        one, two = (
            _script(terms, names),
            _script(others, random.sample([*called.values()], len(names))),
        )
        changed += one != two
        (left, back), (right, forth) = canonical(one), canonical(two)
        assert left == right, (one, two)
        assert {*back.values()} == {n.strip("|") for n in names}
        assert {*forth.values()} == {n.strip("|") for n in called.values()}
    assert changed >= many(100, 2000)


def _value(term: Term, at: dict[str, int]) -> int:
    if isinstance(term, str):
        return at[term.strip("|")] if term.strip("|") in at else int(term)
    a, *rest = (_value(x, at) for x in term[1:])
    match term[0]:
        case "+":
            return a + sum(rest)
        case "-":
            return a - sum(rest) if rest else -a
        case "*":
            for x in rest:
                a *= x
            return a
        case "and":
            return int(a and all(rest))
        case "or":
            return int(a or any(rest))
        case "not":
            return int(not a)
        case "=>":
            return int(not a or rest[0])
        case "ite":
            return rest[0] if a else rest[1]
        case "=":
            return int(a == rest[0])
        case _:
            return int(a < rest[0] if term[0] == "<" else a <= rest[0])


def _read(text: str) -> Term:
    stack: list[list[Term]] = [[]]
    for token in re.findall(r"[()]|[^\s()]+", text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = tuple(stack.pop())
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    return tuple(stack[0])


def test_what_comes_of_a_script_says_the_same() -> None:
    random = Random(4)
    for _ in range(many(200, 4000)):
        names, terms = _drawn(random)
        text, called = canonical(_script(terms, names))
        again = [c[1] for c in _read(text) if c[0] == "assert"]
        assert len(again) == len(terms)
        for _ in range(10):
            at = {n.strip("|"): random.randint(-4, 6) for n in names}
            there = {new: at[old] for new, old in called.items()}
            held = [bool(_value(t, at)) for t in terms]
            assert sorted(held) == sorted(bool(_value(t, there)) for t in again)


def test_a_model_speaks_of_what_was_asked() -> None:
    script = (
        "(declare-const |b c| Int)(declare-const a Int)(assert (= (+ a 1) |b c|))(assert (= a 6))"
    )
    assert solve(script).model == {"a": 6, "b c": 7}


@pytest.mark.parametrize(
    "script",
    [
        "",
        "(declare-const M Int)(assert (< M |M|))",  # two ways to write one name
        "(declare-const M Int)(declare-const |M| Int)(assert (< M 1))",
        "(declare-const M Int)(assert (< M N))",
        "(declare-const M Real)(assert (< M 1))",
        "(declare-const M Int)(assert (let ((N M)) (< N 1)))",
        "(declare-const M Int)(assert (exists ((N Int)) (< N M)))",
        "(declare-const M Int)(assert (< M 1)))",
        "(declare-const M Int)(assert (< M 1)",
        "(declare-const M Int)(assert (< M 1)) ; (assert (< 1 M))",
        '(declare-const M Int)(assert (< M "1"))',
        "(declare-const true Int)(assert true)",
        "(define-fun M () Int 1)(assert (< M 1))",
        "(declare-const M Int)(assert (< M 1.5))",
        f"(declare-const M Int)(assert (< {'(- ' * 200}M{')' * 200} 1))",
    ],
)
def test_what_is_not_understood_stays_as_it_is(script: str) -> None:
    assert canonical(script) == (script, {})
