"""Indices that are taken apart: what is said of threads and elements holds at every small size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import product
from random import Random
from typing import TypeVar

import pytest

from symcute.expr import limits
from symcute.expr.assumptions import Assumptions
from symcute.expr.leaf import dim
from symcute.expr.node import Node, Term
from symcute.expr.terms import (
    add,
    at_most,
    divide,
    equal,
    evaluate,
    if_,
    less,
    maximum,
    minimum,
    mul,
    remainder,
    show,
    sub,
    substitute,
)
from symcute.frontends.cuda.target import CUDA
from symcute.kernel.access_map import Access, AccessMap, Variable
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Array
from symcute.kernel.ir.setting import Setting
from symcute.kernel.properties.apart import Pair
from symcute.kernel.properties.certifying import certified
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.covering import covers
from symcute.kernel.properties.sides import Side
from symcute.solve.folding import Folding
from symcute.solve.inverse import Equation, Inverse, end_of_counts
from symcute.solve.sequent import Sequent
from symcute.solve.tiers import by_folding, shows
from tests.full import many, some

DIMS = ("a", "b", "c")
HERE = Place("drawn", 1, 1)
STARTS = [at_most(1, d) for d in DIMS]
T = TypeVar("T")


def within(road: Callable[..., T | None], *args: object, work: float = 3000) -> T | None:
    """Return what a road leads to with so much work, or None."""
    try:
        with limits.budget(work):
            return road(*args)
    except limits.WorkLimit:
        return None


def times(*factors: Term) -> Term:
    found: Term = 1
    for x in factors:
        found = mul(found, x)
    return found


def total(*parts: Term) -> Term:
    found: Term = 0
    for x in parts:
        found = add(found, x)
    return found


class Drawn:
    """A store that is drawn: blocks of `threads` threads, its guard and its index."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.threads = random.choice([1, 2, 3])
        self.count: Term = times(*DIMS)
        x: Term = add(mul("bx", self.threads), "tx") if self.threads > 1 else "bx"
        self.blocks = divide(add(self.count, self.threads - 1), self.threads)
        self.guard: list[Term] = [at_most(0, "bx"), less("bx", self.blocks), less(x, self.count)]
        if self.threads > 1:
            self.guard += [at_most(0, "tx"), less("tx", self.threads)]
        self.index = self._grouped(x) if random.random() < 0.25 else self._permuted(x)

    def _permuted(self, x: Term) -> Term:
        """Digits of a number in other strides, some of them turned or rolled, perhaps wrongly."""
        random = self.random
        order = random.sample(DIMS, 3)
        digits: list[tuple[Term, Term]] = []
        below: list[Term] = []
        for k, radix in enumerate(order):
            size = times(*below)
            digit = divide(x, size) if random.random() < 0.7 else x
            for part in below if digit == x else ():
                digit = divide(digit, part)
            if k < 2 or random.random() < 0.3:
                digit = remainder(digit, radix)
            digits.append((self._changed(digit, radix, digits), radix))
            below.append(radix)
        random.shuffle(digits)
        index: Term = 0
        stride: Term = 1
        for digit, radix in digits:
            index = add(index, mul(digit, stride))
            wrong = random.random() < 0.1
            stride = times(stride, random.choice(DIMS) if wrong else radix)
        return index

    def _changed(self, digit: Term, radix: Term, others: list[tuple[Term, Term]]) -> Term:
        how = self.random.random()
        last: Term = sub(radix, 1) if self.random.random() < 0.9 else radix
        if how < 0.15:
            return sub(last, digit)
        if how < 0.3:
            shift: Term = self.random.choice([1, "a", add("b", 1), *(d for d, _ in others)])
            return remainder(add(digit, shift), radix)
        if how < 0.4 and others:
            test = equal(remainder(others[0][0], 2), self.random.choice([0, 1]))
            return if_(test, digit, sub(last, digit))
        return digit

    def _grouped(self, x: Term) -> Term:
        """Tiles in groups of rows, the last of which may be smaller."""
        rows, columns, group = mul("a", "b"), "c", self.random.choice(["b", 2, "a"])
        if self.random.random() < 0.1:
            columns = "b"
        many_ = mul(group, "c")
        first = mul(divide(x, many_), group)
        size = minimum(sub(rows, first), group)
        if self.random.random() < 0.3:
            size = maximum(size, 1)
        rest = remainder(x, many_)
        row, column = add(first, remainder(rest, size)), divide(rest, size)
        return add(mul(row, columns), column)

    def access(self) -> Access:
        variables = (Variable("bx", "block"), Variable("tx", "thread"))[: 1 + (self.threads > 1)]
        return Access("y", "write", mul(self.index, 4), 4, tuple(self.guard), variables, (), HERE)

    def context(self) -> Context:
        array = Array("y", "global", 4, None, 4, HERE, "y")
        facts = (*STARTS,)
        map_ = AccessMap("drawn", CUDA, (array,), (self.access(),), (), (), (), facts, {*DIMS})
        a, b, c = map(dim, DIMS)
        blocks = (a * b * c + self.threads - 1) // self.threads
        return Context(map_, Setting(
            (blocks, 1, 1), (self.threads, 1, 1), extents={"y": a * b * c}, covers=("y",),
            given=Assumptions.of(()),
        ))  # fmt: skip

    def points(self) -> Iterator[tuple[int, list[int]]]:
        """Yield, for small sizes, how many elements there are, and which are written."""
        for sizes in product(range(1, 4), repeat=3):
            at = dict(zip(DIMS, sizes, strict=True))
            written = []
            for bx in range(int(evaluate(self.blocks, at))):
                for tx in range(self.threads):
                    here = {**at, "bx": bx, "tx": tx}
                    if all(evaluate(g, here) for g in self.guard):
                        written.append(int(evaluate(self.index, here)))
            yield int(evaluate(self.count, at)), written


@pytest.mark.full
def test_indices_that_are_drawn() -> None:
    """Threads that are told apart never meet; elements that are all written are, once each.

    Of threads that meet there is no certificate that they do not.
    """
    random = Random(7)
    apart = covered = meeting = certificates = 0
    for _ in range(many(24, 150, 24)):
        drawn = Drawn(random)
        pair = Pair(
            Side(drawn.access()), Side(drawn.access()), (*STARTS,), frozenset(DIMS),
            ("bx", "tx")[: 1 + (drawn.threads > 1)], frozenset(), alike=True,
        )  # fmt: skip
        every = list(drawn.points())
        once = all(max(Counter(w).values(), default=0) < 2 for _, w in every)
        told = within(getattr, pair, "_by_inverse")
        assert told is None or once, show(drawn.index)
        bounded = within(getattr, pair, "_by_bounds", work=500)
        assert bounded is None or once, show(drawn.index)
        if certificates < many(3, 20, 3) or not once:
            certificate = within(certified, pair.asked, work=1500 if once else 300)
            assert certificate is None or once, show(drawn.index)
            certificates += certificate is not None
        apart, meeting = apart + (told is not None), meeting + (not once)
        exact = all(sorted(w) == list(range(n)) for n, w in every)
        if told is not None:
            answers = []
            for question in covers(drawn.context()):
                if question.claim == "every element written":
                    answers.append(within(question.quick))
            written = answers[0] is not None and answers[0].status == "proved"
            assert not written or all({*range(n)} <= {*w} for n, w in every), show(drawn.index)
            covered += written and exact
    assert apart > many(12, 75, 12) and covered > many(6, 37, 6) and meeting >= many(0, 5, 0)
    assert certificates == many(3, 20, 3)


def test_folding_goes_on_where_a_limit_of_work_ended_it() -> None:
    given = [
        x for i, n in (("i", "a"), ("k", "b")) for x in (at_most(1, n), at_most(0, i), less(i, n))
    ]
    said = [less(divide(add(mul("j", n), i), n), "c") for i, n in (("i", "a"), ("k", "b"))]
    asked: list[Term] = []

    def dear(here: Sequent, truth: Term) -> bool:
        limits.spend(900)
        asked.append(truth)
        return truth in given

    folding = Folding(Sequent([*given, *said], {*DIMS}), dear)
    with pytest.raises(limits.WorkLimit), limits.budget(1):
        folding.folded()
    found = []
    while not found and len(asked) < 20:
        with suppress(limits.WorkLimit), limits.budget(1):
            found.append(folding.folded())
    assert less("j", "c") in found[0].here.hypotheses
    assert folding.folded() is found[0]
    # What was shown before the limit is not asked again.
    assert len(asked) == len({*asked}) > 4


def test_a_folded_term_has_its_value() -> None:
    """Folding changes no value where the hypotheses hold."""
    random = Random(11)
    names_ = ("i", "j", *DIMS)
    given = [*STARTS, at_most(0, "i"), less("i", "a"), at_most(0, "j"), less("j", mul("a", "b"))]
    folding = Folding(Sequent(given, {*DIMS}), shows)

    def draw(depth: int) -> Term:
        if depth == 0 or random.random() < 0.2:
            return random.choice([*names_, 1, 2, 3])
        op = random.choice(["+", "+", "*", "//", "//", "%", "%", "min", "max", "if", "-", "|"])
        x, y = draw(depth - 1), draw(depth - 1)
        if op in ("//", "%"):
            y = random.choice([*DIMS, 2, 4, mul("a", "b"), maximum(y, 1), minimum("a", "b")])
            return (divide if op == "//" else remainder)(x, y)
        if op == "|":
            return Node("|", mul(x, 4), random.choice([remainder(y, 4), y]))
        if op == "if":
            return if_(less(x, y), draw(depth - 1), x)
        return sub(x, y) if op == "-" else Node(op, x, y)

    changed = 0
    for _ in range(many(60, 900)):
        x = draw(4)
        if isinstance(x, int):
            continue
        y = within(folding.fold, x, work=500)
        if y is None:
            continue
        changed += x != y
        for a, b, c in product(range(1, 4), repeat=3):
            for i, j in product(range(a), range(a * b)):
                at = {"a": a, "b": b, "c": c, "i": i, "j": j}
                assert evaluate(x, at) == evaluate(y, at), (show(x), show(y), at)
    assert changed > many(8, 120)


def test_goals_that_are_folded_hold() -> None:
    """What is proved by folding and by cases holds at every small size."""
    random = Random(13)
    given = [*STARTS, at_most(0, "i"), less("i", times("a", "b", "c"))]
    proved = false = 0
    for _ in range(many(16, 400)):
        group = random.choice(["a", "b", 2])
        size = minimum(sub(mul("a", "b"), mul(divide("i", mul(group, "c")), group)), group)
        high = remainder(divide("i", "c"), maximum(size, 1))
        up = divide(add("a", sub("b", 1)), "b")
        x = random.choice([high, divide("i", maximum(up, 1)), minimum(high, "b"), mul(up, "b"),
                           if_(less(high, "a"), high, sub(high, "a"))])  # fmt: skip
        y = random.choice([group, "a", mul("a", "b"), sub(group, 1), add("a", "b"), times(*DIMS),
                           maximum("a", "b")])  # fmt: skip
        goal = random.choice([less, at_most])(x, y)
        if not isinstance(goal, Node):
            continue
        told = within(by_folding, Sequent(given, {*DIMS}), goal, work=1500)
        holds = all(
            evaluate(goal, {"a": a, "b": b, "c": c, "i": i})
            for a, b, c in product(range(1, 5), repeat=3) for i in range(a * b * c)
        )  # fmt: skip
        assert told is None or holds, show(goal)
        proved, false = proved + (told is not None), false + (not holds)
    assert proved > many(4, 50) and false > many(4, 50)


@pytest.mark.parametrize("end", ["n", add("n", 1), add("n", -1)])
def test_the_radix_has_to_be_the_end_of_the_digit(end: Term) -> None:
    """`j*n + i` tells i and j only where i is below n."""
    box = [at_most(0, "i"), less("i", end), at_most(0, "j"), at_most(1, "n")]
    index = add(mul("j", "n"), "i")
    found = Inverse({"i", "j"}, {"n", "x"}, shows).points(
        Sequent(box, {"n"}), [Equation(index, "x", None, True)]
    )
    assert (found is None) == (end == add("n", 1))


ROWS = add(mul("bx", 4), "tx")


@pytest.mark.parametrize(
    "index, end, short",
    [
        (sub(sub("n", 1), ROWS), 4, 5),
        (sub(mul("bx", 4), "tx"), 4, 5),
        (sub("m", sub(mul("bx", 4), "tx")), 4, 5),
        (add(mul("bx", add("n", "m")), "tx"), add("n", "m"), add("n", add("m", 1))),
        (sub("tx", mul("bx", add("n", "m"))), add("n", "m"), add("n", add("m", 1))),
    ],
    ids=["reversed", "rows reversed", "all from an end", "joined rows", "joined rows reversed"],
)
def test_rests_below_0_and_strides_that_are_sums(index: Term, end: Term, short: Term) -> None:
    """Both are told apart where the digit ends at the stride, and one later they are not."""
    for last in (end, short):
        box = [at_most(0, "bx"), at_most(0, "tx"), less("tx", last), at_most(1, "n"),
               at_most(1, "m")]  # fmt: skip
        found = Inverse({"bx", "tx"}, {"n", "m", "x"}, shows).points(
            Sequent(box, {"n", "m"}), [Equation(index, "x")]
        )
        assert (found is not None) == (last is end)


def test_a_stride_counts_less_than_its_end() -> None:
    """Below an end no stride is counted as often as is said, and mostly one less is."""
    random = Random(17)
    exact = seen = 0
    for _ in range(many(60, 600)):
        factors = [random.choice([1, 2, 3, *DIMS]) for _ in range(3)]
        s = times(*factors[: random.choice([1, 2, 3])])
        more = times(*random.choices([1, 2, *DIMS], k=2), *random.choice([(), factors[:1]]))
        end = sub(times(*random.choices([*factors, *DIMS], k=2)), mul(random.choice([0, 1]), more))
        most, shared = end_of_counts(end, s)
        for sizes in product(range(-1, 4), repeat=3):
            at = dict(zip(DIMS, sizes, strict=True))
            if evaluate(s, at) < 1 or evaluate(shared, at) < 1 or evaluate(end, at) < 1:
                continue
            last = (evaluate(end, at) - 1) // evaluate(s, at)
            assert last < evaluate(most, at), (show(end), show(s), at)
            seen, exact = seen + 1, exact + (last + 1 == evaluate(most, at))
    assert seen >= 10 * many(60, 600) and exact == seen


TILES: list[tuple[Term, Term, bool]] = [
    (minimum(sub("rows", mul("first", 2)), 2), "columns", True),
    (minimum(sub("rows", "first"), 2), "columns", False),
    (minimum(sub("rows", mul("first", 2)), 2), add("columns", 1), False),
    (minimum(sub("rows", mul("first", 2)), 3), "columns", False),
    (2, "columns", False),  # of the last group too
]


@pytest.mark.parametrize(("size", "count", "written"), some(TILES, 4))
def test_tiles_in_groups_up_to_their_borders(size: Term, count: Term, written: bool) -> None:
    """Blocks of tiles of 4 rows and 3 columns, in groups of 2, write all of a times b elements."""
    rows, columns = divide(add("a", 3), 4), divide(add("b", 2), 3)
    said: dict[str, Term] = {"rows": rows, "columns": columns}

    def told(x: Term) -> Term:
        return substitute(x, said)

    many_ = mul(2, told(count))
    said["first"] = divide("bx", many_)
    height, inner = maximum(told(size), 1), remainder("bx", many_)
    row = add(mul(add(mul(said["first"], 2), remainder(inner, height)), 4), "ty")
    column = add(mul(divide(inner, height), 3), "tx")
    guard = [at_most(0, "bx"), less("bx", mul(rows, columns)), at_most(0, "tx"), less("tx", 3),
             at_most(0, "ty"), less("ty", 4), less(row, "a"), less(column, "b")]  # fmt: skip
    offset = mul(add(mul(row, "b"), column), 4)
    array = Array("y", "global", 4, None, 4, HERE, "y")
    variables = Variable("bx", "block"), Variable("tx", "thread"), Variable("ty", "thread")
    access = Access("y", "write", offset, 4, tuple(guard), variables, (), HERE)
    facts = at_most(1, "a"), at_most(1, "b")
    map_ = AccessMap("tiles", CUDA, (array,), (access,), (), (), (), facts, frozenset({"a", "b"}))
    a, b = dim("a"), dim("b")
    setting = Setting(((a + 3) // 4 * ((b + 2) // 3), 1, 1), (3, 4, 1), extents={"y": a * b},
                      covers=("y",), given=Assumptions.of(()))  # fmt: skip
    (every,) = (q for q in covers(Context(map_, setting)) if "every" in q.claim)
    assert (every.quick().status == "proved") is written
    whole = True
    for sizes in product(range(1, 14), range(1, 9)):
        at = dict(zip("ab", sizes, strict=True))
        found = set[int]()
        for bx in range(evaluate(mul(rows, columns), at)):
            for tx, ty in product(range(3), range(4)):
                here = {**at, "bx": bx, "tx": tx, "ty": ty}
                if all(evaluate(g, here) for g in guard):
                    found.add(evaluate(offset, here) // 4)
        whole = whole and found == {*range(sizes[0] * sizes[1])}
    assert whole is written


@pytest.mark.parametrize("name", ["part", "c", "q", "r", "k", "A"])
def test_a_dim_may_have_the_name_that_a_coordinate_would_have(name: str) -> None:
    """Vectors that begin four elements late or later do not stay within the array."""
    tx = [at_most(0, "tx"), less("tx", 4)]
    offset = add(mul("tx", 16), mul(name, 4))
    facts = at_most(4, name), equal(remainder(name, 4), 0)
    array = Array("y", "global", 4, None, 4, HERE, "y")
    access = Access("y", "write", offset, 16, tuple(tx), (Variable("tx", "thread"),), (), HERE)
    map_ = AccessMap("late", CUDA, (array,), (access,), (), (), (), facts, frozenset({name}))
    setting = Setting((1, 1, 1), (4, 1, 1), extents={"y": 16}, covers=("y",),
                      given=Assumptions.of(()))  # fmt: skip
    status = {q.claim: q.quick().status for q in covers(Context(map_, setting))}
    assert status["no element written twice"] == "proved"
    assert status["every element written"] == status["nothing else written"] == "open"


def test_what_a_stride_has_to_be_is_shown_too() -> None:
    """That elements have digits in a stride takes a stride of at least 1: an obligation as well."""
    guard = at_most(0, "bx"), less("bx", "m"), at_most(0, "tx"), less("tx", "n")
    array = Array("y", "global", 4, None, 4, HERE, "y")
    variables = Variable("bx", "block"), Variable("tx", "thread")
    offset = mul(add(mul("bx", "n"), "tx"), 4)
    access = Access("y", "write", offset, 4, guard, variables, (), HERE)
    facts = at_most(1, "m"), at_most(1, "n")
    map_ = AccessMap("rows", CUDA, (array,), (access,), (), (), (), facts, frozenset({"m", "n"}))
    m, n = dim("m"), dim("n")
    setting = Setting((m, 1, 1), (n, 1, 1), extents={"y": m * n}, covers=("y",),
                      given=Assumptions.of(()))  # fmt: skip
    (every,) = (q.quick() for q in covers(Context(map_, setting)) if "every" in q.claim)
    assert every.status == "proved"
    of_digits = at_most(0, "q"), less("q", "m"), at_most(0, "r"), less("r", "n")
    assert [o.goal for o in every.obligations] == [at_most(1, "n"), *of_digits]
