"""Bits below a symbolic power of two, and what exclusive or says of its sides, against plain
integers: goals of the tiers, and kernels whose blocks are powers of two."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from symcute.expr.formula import POWERS
from symcute.expr.node import Node, Term
from symcute.expr.terms import add, at_most, divide, equal, evaluate, less, mul, remainder, sub
from symcute.kernel.launch.sources import check_kernel
from symcute.solve.bits import with_bits
from symcute.solve.inverse import Equation, Inverse
from symcute.solve.sequent import Sequent
from symcute.solve.tiers import by_bits, quickly, shows
from tests.full import many

POWER = equal(remainder(POWERS, "B"), 0)
INSIDE = [at_most(0, "x"), less("x", "B"), at_most(0, "y"), less("y", "B")]
XOR, OR = Node("^", "x", "y"), Node("|", "x", "y")
BYTES = at_most(add(mul(XOR, 4), 4), mul("B", 4))


@pytest.mark.parametrize(
    ("given", "goal", "true"),
    [
        ([POWER, *INSIDE], less(XOR, "B"), True),
        ([POWER, *INSIDE], less(OR, "B"), True),
        ([POWER, *INSIDE], BYTES, True),
        ([POWER, *INSIDE], less(Node("^", XOR, OR), "B"), True),
        ([POWER, *INSIDE], at_most(add(mul(XOR, 4), 8), mul("B", 4)), False),
        (INSIDE, less(XOR, "B"), False),
        ([POWER, *INSIDE[:3], at_most("y", "B")], less(XOR, "B"), False),
        ([POWER, *INSIDE[1:]], at_most(0, XOR), False),
        ([equal(remainder(96, "B"), 0), *INSIDE], less(XOR, "B"), False),
        ([POWER, *INSIDE[:3], at_most("y", divide("B", 2)), at_most(1, "y"), less(1, "B")],
         BYTES, True),
    ],
)  # fmt: skip
def test_bits_below_a_power_of_two(given: list[Term], goal: Term, true: bool) -> None:
    holds = all(
        evaluate(goal, at)
        for b, x, y in product(range(1, 10), range(-2, 10), range(-2, 10))
        for at in [{"B": b, "x": x, "y": y}]
        if all(evaluate(h, at) for h in given)
    )
    assert holds is true
    here = Sequent([at_most(1, "B"), *given], {"B"})
    assert (by_bits(here, goal) is not None) is true
    assert (quickly(here, goal).status == "proved") is true


#: A step s, as pow2 loops have it, and an index below B that is a multiple of twice that.
STEPS = [at_most(1, "s"), less("s", "B"), at_most("B", 1024), equal(remainder(POWERS, "s"), 0)]
TREE = [at_most(0, "x"), less(mul(mul("s", "x"), 2), "B")]
REACHED = less(add(mul(mul("s", "x"), 2), "s"), "B")


@pytest.mark.parametrize(
    ("given", "goal", "true"),
    [
        ([POWER, *STEPS, *TREE], REACHED, True),
        ([POWER, *STEPS, *TREE], at_most(add(mul(mul("s", "x"), 2), mul("s", 2)), "B"), True),
        ([*STEPS, *TREE], REACHED, False),
        ([POWER, *STEPS[:3], *TREE], REACHED, False),
        ([POWER, *STEPS, TREE[0], less(mul(mul("s", "x"), 2), add("B", 1))], REACHED, False),
        ([POWER, STEPS[0], at_most("s", "B"), *STEPS[2:], *TREE], REACHED, False),
        ([*STEPS], equal(remainder(POWERS, mul("s", 2)), 0), True),
        ([*STEPS], equal(remainder(POWERS, mul("s", 6)), 0), False),
        ([*STEPS[:1], STEPS[3]], equal(remainder(POWERS, mul("s", 2)), 0), False),
    ],
)
def test_steps_below_a_power_of_two(given: list[Term], goal: Term, true: bool) -> None:
    top = 1 << 64
    holds = all(
        evaluate(goal, at)
        for b, s, x in product((*range(1, 17), top), (*range(1, 17), top), range(9))
        for at in [{"B": b, "s": s, "x": x}]
        if all(evaluate(h, at) for h in given)
    )
    assert holds is true
    here = Sequent([at_most(1, "B"), *given], {"B"})
    assert (quickly(here, goal).status == "proved") is true


def _drawn(random: Random, depth: int) -> Term:
    if depth == 0 or random.random() < 0.2:
        return random.choice(["x", "y", "z", 0, 1, 3, sub("B", 1), divide("B", 2), sub("x", 1)])
    op = random.choice(["^", "^", "|", "&", "+"])
    return Node(op, _drawn(random, depth - 1), _drawn(random, depth - 1))


def test_what_is_said_of_drawn_bits_is_so() -> None:
    random, said = Random(7), 0
    for _ in range(many(50, 750)):
        given: list[Term] = [at_most(1, "B"), POWER]
        for n in "xyz":
            given += [at_most(random.choice([0, 0, 0, -1]), n)]
            given += [random.choice([less(n, "B")] * 4 + [at_most(n, "B"), less(n, 4)])]
        bits = _drawn(random, 2)
        here = Sequent(given, {"B"})
        more = with_bits(here, [bits], shows).hypotheses[len(here.hypotheses) :]
        said += bool(more)
        for b in (1, 2, 4, 8):
            for x, y, z in product(range(-1, b + 1), repeat=3):
                at = {"B": b, "x": x, "y": y, "z": z}
                if all(evaluate(h, at) for h in given):
                    assert all(evaluate(h, at) for h in more), (given, bits, at)
    assert said >= many(8, 20, 20)


def test_what_is_said_once_is_not_said_again() -> None:
    powers = [x for n in "AB" for x in (Node("==", Node("%", POWERS, n), 0), less(0, n))]
    here = Sequent([*powers, less("A", "B")], {"A", "B"})
    assert with_bits(here, [Node("^", "x", "y")], shows) is here
    stepped = here.extended([less(mul("A", "k"), "B")])
    more = with_bits(stepped, [], shows)
    assert more is not stepped and with_bits(more, [], shows) is more


def test_exclusive_or_with_what_is_known_is_turned_back() -> None:
    box = [at_most(1, "B"), POWER, *INSIDE]
    for index, found in ((add(mul("y", "B"), XOR), True), (add(mul("y", "B"), OR), False)):
        here = with_bits(Sequent(box, {"B"}), [index], shows)
        points = Inverse({"x", "y"}, {"B", "c"}, shows).points(here, [Equation(index, "c")])
        assert (points is not None) is found


HEAD = """// symcute: launch grid=1 block=(w,8) shared=32*w
// symcute: assume w <= 128
// symcute: assume w >= 8
{power}// symcute: extent v = 8*w
__global__ void k(int *v, int w) {{
  extern __shared__ int s[];
  int x = threadIdx.x, y = threadIdx.y;
  s[{store}] = v[y * w + x];
  __syncthreads();
  v[y * w + x] = s[{load}];
}}
"""
POW2 = "// symcute: assume pow2(w)\n"


@pytest.mark.parametrize(
    ("power", "store", "load", "wrong"),
    [
        (POW2, "y * w + (x ^ y)", "y * w + (x ^ y)", set[str]()),
        (POW2, "y * w + (x & (w - 1))", "y * w + (x ^ (w - 1))", set()),
        ("", "y * w + (x ^ y)", "y * w + (x ^ y)", {"in_bounds", "write_race_free"}),
        (POW2, "y * w + (x | y)", "y * w + (x ^ y)", {"write_race_free"}),
        (POW2, "y * w + (x ^ y)", "y * w + (x ^ w)", {"in_bounds"}),
    ],
)
def test_swizzles_of_a_symbolic_width(power: str, store: str, load: str, wrong: set[str]) -> None:
    text = HEAD.format(power=power, store=store, load=load)
    found = {f.property: f.status for f in check_kernel(text)}
    assert {p for p, s in found.items() if s == "refuted"} == wrong
    assert {"unknown"}.isdisjoint(found.values())


TREE_TEXT = """// symcute: launch grid=1 block=(p) shared=4*p
// symcute: assume p <= 1024
{power}// symcute: extent v = 1
__global__ void k(float *v) {{
  extern __shared__ float a[];
  unsigned t = threadIdx.x;
  a[t] = t;
  __syncthreads();
  for (unsigned s = {start}; s < blockDim.x; s *= {factor}) {{
    unsigned at = {factor} * s * t;
    if (at < blockDim.x) a[at] += a[at + s];
    __syncthreads();
  }}
  if (t == 0) v[0] = a[0];
}}
"""


@pytest.mark.parametrize(
    ("power", "start", "factor", "status"),
    [
        ("// symcute: assume pow2(p)\n", 1, 2, "proved"),
        ("// symcute: assume pow2(p)\n", 2, 2, "proved"),
        ("// symcute: assume pow2(p)\n", 3, 2, "refuted"),
        ("// symcute: assume pow2(p)\n", 1, 3, "refuted"),
        ("", 1, 2, "refuted"),
    ],
)
def test_trees_that_double_their_steps(power: str, start: int, factor: int, status: str) -> None:
    text = TREE_TEXT.format(power=power, start=start, factor=factor)
    found = {f.property: f.status for f in check_kernel(text, properties=("in_bounds",))}
    assert found == {"in_bounds": status}
