"""Each tier of the entailment against every instance of a box: what is proved holds at all of them,
what is refuted fails at the model."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from itertools import product
from math import inf
from random import Random

import pytest

from symcute.errors import InputError
from symcute.expr import limits
from symcute.expr.assumptions import Assumptions
from symcute.expr.node import Node, Term
from symcute.expr.polynomial import Monomial, Poly, add, mul, variables
from symcute.expr.ratio import evaluate
from symcute.expr.terms import evaluate as value
from symcute.expr.terms import names, substitute
from symcute.kernel.properties.certifying import certified
from symcute.solve import solvers
from symcute.solve.elimination import shared, slackened, weights
from symcute.solve.entailment import facts
from symcute.solve.obligation import Obligation
from symcute.solve.places import by_places
from symcute.solve.polynomials import by_elimination, by_named, by_products
from symcute.solve.sampling import draw
from symcute.solve.sequent import Sequent
from symcute.solve.smt import BOTH, GLANCE, SOLVER_WORK, at_a_glance, by_solver
from symcute.solve.solvers.answer import work_reason
from symcute.solve.tiers import by_digits, decide, quickly
from tests.full import many

NAMES = ("i", "j", "M", "N")
BOX = [
    dict(zip(NAMES, at, strict=True))
    for at in product(range(6), range(6), range(1, 6), range(1, 6))
]


def _sum(random: Random, quotients: bool) -> Term:
    """Return a small sum of products, with a quotient or a minimum now and then."""
    parts: list[Term] = []
    for _ in range(random.randint(1, 3)):
        x: Term = random.choice([*NAMES, *NAMES, 1, 2, 3, 5])
        for _ in range(random.choice([0, 0, 1])):
            x = Node("*", x, random.choice([*NAMES, 2, 3, -1]))
        if quotients and random.random() < 0.3:
            divisor = random.choice([2, 3, "N"])
            x = Node(random.choice(["//", "%"]), x, divisor)
        if quotients and random.random() < 0.1:
            x = Node(random.choice(["min", "max"]), x, random.choice(NAMES))
        parts.append(x)
    total = parts[0]
    for x in parts[1:]:
        total = Node("+", total, x)
    return total


def _question(random: Random, quotients: bool = True) -> tuple[list[Term], Term]:
    """Return hypotheses, the lower bounds of the names among them, and a goal near to one."""
    given: list[Term] = [
        Node("<=", 0, "i"),
        Node("<=", 0, "j"),
        Node("<=", 1, "M"),
        Node("<=", 1, "N"),
    ]
    if random.random() < 0.7:
        given.append(Node("<", random.choice("ij"), random.choice("MN")))
    for _ in range(random.randint(0, 2)):
        sign = random.choice(["<", "<=", "<=", "=="])
        given.append(Node(sign, _sum(random, quotients), _sum(random, quotients)))
    if random.random() < 0.3:
        given.append(Node("or", Node("<", "i", "M"), Node("<", "j", _sum(random, False))))
    goal = Node(
        random.choice(["<", "<=", "<=", "=="]), _sum(random, quotients), _sum(random, quotients)
    )
    if random.random() < 0.6:  # a consequence of a hypothesis, or nearly
        a, b = random.choice(given[4:] or given).args[:2]
        if not isinstance(a, Node) or a.op not in ("<", "<=", "or"):
            slack = random.choice([-1, 0, 0, 1])
            a, b = Node("*", a, random.choice([1, 2, "M"])), Node("+", Node("*", b, 2), slack)
            goal = Node("<=", a, b)
    return given, goal


def _met(given: list[Term]) -> list[dict[str, int]]:
    return [at for at in BOX if all(value(h, at) for h in given)]


@pytest.mark.parametrize("seed", range(many(1, 4, 4)))
def test_no_tier_of_a_sequent_lies(seed: int) -> None:
    random, told, proved = Random(seed), Counter[str](), 0
    for _ in range(many(25, 200)):
        given, goal = _question(random)
        here = Sequent(given, {"M", "N"})
        try:
            found = quickly(here, goal)
        except InputError:
            continue
        told[f"{found.status} {found.how}"] += 1
        if found.status == "proved":
            met = _met(given)
            assert all(value(goal, at) for at in met), (given, goal)
            if met and proved % 3 == 0:  # the checker takes what was shown
                assert certified(found.obligations[0]) is not None, (given, goal)
            proved += 1
        if found.status == "refuted":
            assert all(value(h, found.model) for h in given), (given, goal)
            assert not value(goal, found.model)
        if by_elimination(here, goal) or by_places(here, goal):
            assert all(value(goal, at) for at in _met(given)), (given, goal)
    assert {"proved ranges", "proved polynomials", "refuted points drawn"} <= told.keys()


def test_points_that_are_drawn_meet_the_hypotheses_whatever_names_are_called() -> None:
    random = Random(5)
    drawn = 0
    other: dict[str, Term] = {"i": "z", "j": "a", "M": "b", "N": "y"}
    back: dict[str, Term] = {str(new): old for old, new in other.items()}
    for _ in range(many(60, 600)):
        given, goal = _question(random)
        # Written as renaming writes it (`j < j` is folded), so that names are all that differs.
        given = [substitute(substitute(h, other), back) for h in given]
        points = draw(given, Sequent(given, {"M", "N"}).ranges)
        drawn += points.size > 0
        for wanted in (goal, *given):
            model = points.breaks(wanted)
            if model is not None:
                assert wanted not in given
                assert all(value(h, model) for h in given) and not value(wanted, model)
        renamed = [substitute(h, other) for h in given]
        again = draw(renamed, Sequent(renamed, {"b", "y"}).ranges)
        same, there = points.breaks(goal), again.breaks(substitute(goal, other))
        assert (same is None) == (there is None)
        if same is not None and there is not None:
            assert same == {n: there[str(other[n])] for n in same}
    assert drawn >= 30


def test_a_number_that_nothing_multiplies_is_drawn_large_beside_products_that_are() -> None:
    """Strides and extents whose product has 40 bits must not keep other numbers small."""
    given: list[Term] = [Node("<=", 0, "m"), Node("<=", 0, "d"), Node("<=", "m", 1 << 31)]
    given += [Node("<=", "d", 1 << 37), Node("<=", Node("*", Node("*", "m", "d"), 16), 1 << 40)]
    given += [Node("<=", -(1 << 31), "h"), Node("<=", "h", (1 << 31) - 1)]
    goal = Node("<=", Node("*", "h", 128), (1 << 31) - 1)
    here = Sequent(given, {"m", "d"})
    found = quickly(here, goal)
    assert (found.status, found.how) == ("refuted", "points drawn")
    assert here.met(found.model) and not value(goal, found.model)
    assert quickly(here, Node("<=", "h", (1 << 31) - 1)).status == "proved"


def _of_type(bits: int, *names: str) -> list[Term]:
    high = 1 << (bits - 1)
    return [h for n in names for h in (Node("<=", -high, n), Node("<=", n, high - 1))]


def _loop(bound: Term) -> tuple[list[Term], Term]:
    """Return what is so in a loop over a grid, but for its first round, and its index."""
    index = Node("+", Node("+", Node("*", "bx", 256), "tx"), Node("*", Node("*", 256, "g"), "k"))
    before = Node("<", Node("+", index, Node("*", -256, "g")), bound)
    given: list[Term] = [*_of_type(32, "n"), Node("<=", 1, "g"), Node("<=", "g", 65535)]
    given += [Node("<=", 0, "bx"), Node("<", "bx", "g"), Node("<=", 0, "tx"), Node("<", "tx", 256)]
    return [*given, Node("<=", 0, "k"), Node("or", Node("==", "k", 0), before)], index


def test_points_are_drawn_of_numbers_of_which_hypotheses_leave_little() -> None:
    """Numbers of either sign, products of them, what a loop comes to, what has 64 bits."""
    high = (1 << 31) - 1
    loop, index = _loop("n")
    short, alike = _loop(1 << 20)
    product: Term = Node("*", Node("*", "a", "b"), "c")
    parts: list[Term] = [*_of_type(32, "a", "b", "c"), Node("<=", 1, product)]
    parts += [Node("<=", product, high), Node("<=", Node("*", "d", "d"), 1024)]
    parts += [Node("!=", "d", 0), *_of_type(32, "d")]
    parts += [Node("<=", Node("//", product, Node("*", "d", "d")), high)]
    wide = _of_type(64, "u", "v")
    cases: list[tuple[list[Term], Term, bool]] = [
        (loop, Node("<=", index, high), False),
        (short, Node("<=", alike, high), True),
        (parts, Node("<", 0, "a"), False),
        (parts, Node("!=", "a", 0), True),
        (wide, Node("<=", Node("*", "u", "v"), (1 << 63) - 1), False),
        (wide, Node("<=", "u", (1 << 63) - 1), True),
    ]
    for given, goal, holds in cases:
        here = Sequent(given, {"n", "g", "a", "b", "c", "d", "u", "v"})
        assert here.drawn.size
        model = here.drawn.breaks(goal)
        assert (model is None) == holds, goal
        if model is not None:
            assert here.met(model) and not value(goal, model)


def test_weights_leave_nothing_negative() -> None:
    random, found = Random(6), 0
    for _ in range(many(300, 3000)):
        given = [_poly(random) for _ in range(3)]
        p = _poly(random)
        if random.random() < 0.7:  # something that follows
            p = add(mul(given[0], {random.choice(MONOMIALS): 1}), given[1])
        taken = weights(p, given)
        if taken is None:
            continue
        found += 1
        scale = 1
        for w, _, _ in taken:
            scale *= w.denominator
        rest = {m: c * scale for m, c in p.items()}
        for w, m, k in taken:
            assert w > 0
            for n, c in mul(given[k], {m: 1}).items():
                rest[n] = rest.get(n, 0) - int(c * w * scale)
        assert rest.pop((), 0) > -scale  # p is an integer, so that it is at least 0
        assert all(c >= 0 for c in rest.values())
        every = sorted(variables(p).union(*map(variables, given)))
        for values in product(range(4), repeat=len(every)):
            at = dict(zip(every, values, strict=True))
            if all(evaluate(h, at) >= 0 for h in given):
                assert evaluate(p, at) >= 0
    assert found >= 100


def test_where_a_polynomial_ends_between_its_values_makes_no_difference() -> None:
    random, moved = Random(7), 0
    for _ in range(200):
        p = mul(_poly(random), {(): random.choice([1, 2, 4, 6])})
        p = add(p, {(): random.randint(-9, 9)})
        most = slackened(p)
        moved += most != p
        for x, y in product(range(-3, 4), repeat=2):
            at = {"x": x, "y": y}
            assert (evaluate(p, at) >= 0) == (evaluate(most, at) >= 0), (p, at)
        higher = add(most, {(): 1})  # and it is the most, where the values are met
        assert shared(p) == 1 or slackened(higher) == add(most, {(): shared(p)})
    assert moved > 60


def test_bounds_in_bytes_and_by_products_of_dims_are_seen_at_once() -> None:
    def le(a: Term, b: Term) -> Node:
        return Node("<=", a, b)

    index = Node("+", Node("*", "b", "stride"), "i")
    last = Node("+", Node("*", Node("+", "B", -1), "stride"), "n")
    given = [le(0, "b"), le(0, "i"), Node("<", "b", "B"), Node("<", "i", "n")]
    given += [le(1, n) for n in ("B", "n", "stride")] + [le(0, n) for n in ("m", "size")]
    bytes_given = [*given, Node("<", Node("*", index, 4), Node("*", 4, "m")), le("m", "size")]
    given.append(le(last, "size"))
    for known in (given, bytes_given):
        here = Sequent(known, {"B", "m", "n", "size", "stride"})
        for width, proved in ((3, True), (4, True), (5, False)):
            goal = le(Node("+", Node("*", index, 4), width), Node("*", "size", 4))
            with limits.budget(inf) as work:
                found = by_elimination(here, goal)
            assert (found is not None) == proved and work.done <= 3
            if found is not None:
                assert certified(
                    found.about(Obligation(tuple(known), goal, here.dims)).obligations[0]
                )


MONOMIALS: tuple[Monomial, ...] = ((), (("x", 1),), (("y", 1),), (("x", 1), ("y", 1)), (("x", 2),))


def _poly(random: Random) -> Poly:
    found = {m: random.randint(-3, 3) for m in random.sample(MONOMIALS, random.randint(1, 3))}
    return {m: c for m, c in found.items() if c}


CLAIMS = [
    "i + N*j < M*N", "i < M*N", "i*j <= M*N", "2*i + 1 < 2*N", "i // 2 < N", "i % N < N",
    "i <= N", "i < N - 1", "M*i + j < M*N", "min(i, j) < N", "i + j < M + N", "i*i < N*N",
    "N - i >= 1", "(i + j) // 2 <= N", "M*N >= M + N - 1", "max(i, M) <= M + i", "3*i < 2*N + j",
]  # fmt: skip
GIVEN = [
    ["i < N", "j < M"], ["i < N"], ["i + N*j < M*N"], ["i <= j", "j < N"], ["M == N", "i < M"],
    ["i < N", "j < N", "N <= M"], ["i % 2 == 0", "i < N"],
]  # fmt: skip


@pytest.mark.parametrize("given", GIVEN)
def test_what_polynomials_prove_of_claims_holds(given: list[str]) -> None:
    assumptions = Assumptions.of(["i >= 0", "j >= 0", *given])
    known = facts(assumptions)
    met = [at for at in BOX if all(f.holds(at) for f in assumptions.formulas)]
    proved = 0
    for text in CLAIMS:
        (f,) = Assumptions.of(text).formulas
        holds = all(f.holds(at) for at in met)
        if known.proof(f, solver=False) is not None:
            assert holds, (given, text)
            proved += 1
    assert proved >= 4 and names(Node("+", "i", "j")) == {"i", "j"}


@pytest.mark.parametrize("below", ["<", "<="])
@pytest.mark.parametrize("divisors", ["W", "WH", "HW"])
def test_a_quotient_of_a_quotient_is_below_what_is_left_of_the_size(
    below: str, divisors: str
) -> None:
    size = Node("*", Node("*", "C", "H"), "W")
    found: Term = "x"
    for divisor in divisors:
        found = Node("//", found, divisor)
    left: Term = "C" if len(divisors) == 2 else Node("*", "C", "H")
    sizes = {"C", "H", "W"}
    here = Sequent([Node("<=", 0, "x"), Node(below, "x", size)], sizes)
    # Where x may be the size itself, the quotient may be all that is left.
    told = below == "<"
    assert (by_elimination(here, Node("<", found, left)) is not None) is told
    assert quickly(here, Node("<", found, left)).status == ("proved" if told else "refuted")
    assert by_elimination(here, Node("<", Node("+", found, 1), left)) is None


@pytest.mark.parametrize("seed", range(2))
def test_digits_of_quotients_are_one_only_where_they_are(seed: int) -> None:
    """x and y with the same digits in two bases, of which one may be too small or be missing."""
    random, shown = Random(seed), 0
    for _ in range(many(40, 300)):
        base, stride, other = (random.choice([2, 3, "N"]) for _ in range(3))
        if random.random() < 0.5:
            stride, other = base, base
        offsets = [
            Node("+", Node("*", Node("//", n, base), stride),
                 Node("%", n, random.choice([base, base, other])))
            for n in "xy"
        ]  # fmt: skip
        overlap = Node("<=", *offsets), Node("<=", *offsets[::-1])
        given = [Node("<=", 0, "x"), Node("<=", 0, "y"), *overlap]
        asked = Obligation(
            tuple(given), Node("==", "x", "y"), frozenset({"N"}), (("x", "y"),), overlap
        )
        if by_digits(Sequent(given, {"N"}), asked, 0) is None:
            continue
        shown += 1
        for at in ({"x": x, "y": y, "N": n} for x in range(9) for y in range(9) for n in (1, 2, 4)):
            assert at["x"] == at["y"] or not all(value(h, at) for h in overlap), (overlap, at)
    assert shown >= 2


def test_an_overlap_that_is_so_by_itself_says_nothing() -> None:
    """Where both threads are at one place whatever they are, nothing is taken apart."""
    overlap = Node("<=", 2, 2), Node("<=", Node("//", "x", "N"), Node("//", "y", "N"))
    given = [Node("<=", 0, "x"), Node("<=", 0, "y"), overlap[1]]
    asked = Obligation(tuple(given), Node("==", "x", "y"), frozenset({"N"}), (("x", "y"),), overlap)
    assert by_digits(Sequent(given, {"N"}), asked, 8) is None


def test_digits_that_were_looked_at_are_not_looked_at_again() -> None:
    """N*y + x with x up to N: the digits do not tell threads apart, and that is not forgotten."""
    offsets = [Node("+", Node("*", "N", y), x) for y, x in (("y1", "x1"), ("y2", "x2"))]
    overlap = Node("<=", *offsets), Node("<=", *offsets[::-1])
    low = [Node("<=", 0, n) for n in ("x1", "x2", "y1", "y2")]
    given = [*low, Node("<=", "x1", "N"), Node("<=", "x2", "N"), *overlap]
    pairs = ("y1", "y2"), ("x1", "x2")
    asked = Obligation(tuple(given), Node("==", "x1", "x2"), frozenset({"N"}), pairs, overlap)
    here = Sequent(given, {"N"})
    for tries in (0, 8):
        with limits.budget(9000) as first:
            assert by_digits(here, asked, tries) is None
        with limits.budget(9000) as again:
            assert by_digits(here, asked, tries) is None
        assert first.done > 0 == again.done


@pytest.mark.parametrize("seed", range(2))
def test_no_tier_lies_whatever_names_are_called(seed: int) -> None:
    """Names that are made for signs, choices and digits may be those of variables already."""
    random, told = Random(seed), Counter[str]()
    made = ["k_up", "k_down", "digit_0", "digit_1", "s_0_0", "s_0_1", "s_1_0", "s_1_1", "s_2_2"]
    for _ in range(many(20, 250)):
        given, goal = _question(random)
        instead: dict[str, Term] = dict(zip(NAMES, random.sample(made, 4), strict=True))
        goal = random.choice([goal, Node("<=", Node("%", goal.args[0], 3), 1)])
        asked = [substitute(h, instead) for h in given]
        # k is of either sign, and says nothing of the others.
        asked += [Node("<", "k", Node("if", Node("<", "k", 3), Node("+", "k", 1), 9))]
        asked += random.choice([[], [Node("<", Node("&", "k", 5), 6)]])
        dims = {str(instead[n]) for n in "MN"}
        here = Sequent([*asked[len(given) :], *asked[: len(given)]], dims)
        with suppress(InputError, limits.WorkLimit):
            found = quickly(here, substitute(goal, instead))
            told[found.status] += 1
            if found.status == "proved":
                assert all(value(goal, at) for at in _met(given)), (asked, goal, instead)
    assert min(told["proved"], told["refuted"]) >= 3, told


@pytest.mark.parametrize("name", ["x_up", "x_down", "s_0_0", "s_1_0", "z"])
def test_a_name_that_is_made_is_none_that_there_is(name: str) -> None:
    low = [Node("<=", -5, name), Node("<=", name, -1), Node("<", "x", "y")]
    some = [Node("==", Node("if", Node("<", "x", 3), 5, 6), "y")]
    for given in (low, [*some, *low], [*some, Node("<", "x", "y")]):
        for goal in (Node("<", "y", Node("+", "x", name)), Node("<=", 0, name)):
            here = Sequent(given, set())
            for tier in (by_elimination, by_named, by_places, by_products, by_solver, decide):
                found = tier(here, goal)
                assert found is None or found.status != "proved", tier


def test_what_is_asked_again_counts_as_much_and_ends_alike() -> None:
    box = [Node("<=", 0, x) for x in "ijM"] + [Node("<", "i", "M"), Node("<=", "j", "i")]
    row = Node("+", Node("*", "i", "M"), "j")
    ends = Counter[str]()
    for goal in (Node("<", row, Node("*", "M", "M")), Node("<", Node("//", row, 3), "M")):
        for most in (0.01, 0.05, 0.2, 1, 4, 2000):
            outcomes = []
            for _ in range(2):  # of sequents that say the same
                with limits.budget(most) as work:
                    try:
                        told = quickly(Sequent(box, {"M"}), goal).status
                    except limits.WorkLimit:
                        told = "limit"
                outcomes.append((told, work.done))
            assert outcomes[0] == outcomes[1], (goal, most)
            ends[told] += 1
    assert ends["proved"] and ends["limit"], ends
    # What was cut off goes on with more.
    assert quickly(Sequent(box, {"M"}), Node("<", row, Node("*", "M", "M"))).status == "proved"


def test_a_glance_is_taken_once_and_solvers_go_on_from_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []

    def portfolio(_script: str, *, work: int, first: int) -> solvers.Answer:
        asked.append(work)
        return solvers.Answer("unknown", reason=work_reason(first), limit="work", solver="z3")

    monkeypatch.setattr(solvers, "portfolio", portfolio)
    here = Sequent([Node("<=", 0, "i")], set())
    found = at_a_glance(here, Node("<", "i", 3))
    assert found is not None and found.status == "open" and asked == [GLANCE]
    assert list(here.tried.values()) == [GLANCE]
    with limits.budget(BOTH * GLANCE - 1):
        assert at_a_glance(here, Node("<", "i", 3)) is None
    assert by_solver(here, Node("<", "i", 3)).status == "open"
    assert asked == [GLANCE, *SOLVER_WORK]
