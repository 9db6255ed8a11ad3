"""Numbers of which only remainders matter, against plain integers: goals, and rings in kernels."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from symcute.expr.node import Node, Term
from symcute.expr.terms import evaluate
from symcute.kernel.launch.sources import check_kernel
from symcute.solve.remainders import by_remainders, few, periods
from symcute.solve.sequent import Sequent

from ..full import many


def _remainder(random: Random, name: str) -> Term:
    moved: Term = Node("+", name, random.randrange(-3, 4)) if random.random() < 0.5 else name
    return Node("%", moved, random.choice((2, 3, 4)))


def _term(random: Random) -> Term:
    parts: list[Term] = [_remainder(random, "k"), "i"]
    if random.random() < 0.2:
        parts.append(random.choice(("k", Node("//", "k", 2), Node("%", Node("*", "k", 2), 3))))
    if random.random() < 0.5:
        parts.append(Node("if", Node("==", _remainder(random, "k"), 1), 2, "i"))
    total: Term = random.randrange(4)
    for part in parts:
        total = Node("+", total, Node("*", part, random.randrange(-2, 4)))
    return total


def test_goals_that_are_proved_hold_everywhere() -> None:
    random, proved = Random(1), 0
    for _ in range(many(300, 3000)):
        given: list[Term] = [Node("<=", 0, "i"), Node("<", "i", 3)]
        given.append(Node("<=", random.randrange(-4, 2), "k"))
        if random.random() < 0.5:
            given.append(Node("==", _remainder(random, "k"), random.randrange(3)))
        goal = Node(random.choice(("<=", "!=")), _term(random), random.randrange(8))
        found = by_remainders(Sequent(given, ()), goal)
        if found is None:
            continue
        assert found.status == "proved"
        proved += 1
        for k, i in product(range(-10, 30), range(3)):
            at = {"k": k, "i": i}
            assert evaluate(goal, at) or not all(evaluate(h, at) for h in given), (given, goal, at)
    assert proved >= 40


@pytest.mark.parametrize(
    ("term", "found"),
    [
        (Node("%", "k", 3), {"k": 3}),
        (Node("+", Node("%", "k", 3), Node("%", Node("+", "k", 1), 4)), {"k": 12}),
        (Node("+", Node("%", "k", 3), "k"), {}),
        (Node("+", "k", Node("%", "k", 3)), {}),
        (Node("%", Node("*", "k", 2), 3), {}),
        (Node("%", "k", "m"), {}),
        (Node("%", Node("+", "k", "m"), 3), {}),
        (Node("//", "k", 3), {}),
        (Node("%", Node("%", "k", 6), 4), {"k": 6}),
        (Node("%", "k", 100), {}),
    ],
)
def test_what_only_remainders_matter_of(term: Term, found: dict[str, int]) -> None:
    assert {n: m for n, m in periods([term], ["k"]).items() if n == "k"} == found


def test_of_what_is_known_only_remainders_are_kept() -> None:
    given = [Node("==", "k", 7), Node("==", Node("%", "k", 3), 1), Node("==", Node("%", "k", 4), 3)]
    assert given[1] in (kept := few(given, {"k": 3})) and not {given[0], given[2]} & {*kept}


# --- rings ----------------------------------------------------------------------------------------

#: What a thread of eight turns its number into.
TURNS = {"i": lambda i: i, "(i ^ 5)": lambda i: i ^ 5, "(i * 3 % 8)": lambda i: i * 3 % 8,
         "(i / 2)": lambda i: i // 2}  # fmt: skip
#: In which rounds an access happens.
WHEN = {"": lambda j: True, "if (j == 0) ": lambda j: j == 0, "if (j > 1) ": lambda j: j > 1,
        "if (j % 2 == 1) ": lambda j: j % 2 == 1}  # fmt: skip
RACES = ("write_race_free", "read_write_race_free")
Steps = list[tuple[str, str, str, int, int]]


def _drawn(random: Random) -> Steps:
    """Steps of a round: a kind, which rounds, which turn, how far ahead, how many stages."""
    stages, steps = random.choice((2, 3, 4)), Steps()
    for kind in ("store", "barrier", "load", "barrier"):
        if kind == "barrier":
            if random.random() < 0.6:
                steps.append((kind, "", "", 0, 0))
            continue
        when = random.choice([""] * 4 + [*WHEN])
        turn = random.choice(["i"] * 2 + [*TURNS])
        steps.append((kind, when, turn, random.randrange(4), stages))
    return steps


def _source(steps: Steps) -> str:
    lines = []
    for kind, when, turn, ahead, stages in steps:
        where = f"s[{turn} + 8 * ((j + {ahead}) % {stages})]"
        text = {"store": f"{where} = i;", "load": f"v += {where};", "barrier": "__syncthreads();"}
        lines.append(f"    {when}{text[kind]}\n")
    return (
        "// symcute: launch grid=1 block=8\n// symcute: assume 1 <= n\n"
        "// symcute: assume n <= 2**20\n// symcute: extent o = 8\n"
        "__global__ void k(int *o, int n) {\n"
        "  __shared__ int s[32];\n  int i = threadIdx.x, v = 0;\n"
        f"  for (int j = 0; j < n; ++j) {{\n{''.join(lines)}  }}\n  o[i] = v;\n}}\n"
    )


def _wrong(steps: Steps, rounds: int) -> set[str]:
    """The races of so many rounds: what happens between two barriers happens in any order."""
    found, between = set[str](), list[tuple[str, int, int]]()
    for j in range(rounds):
        for kind, when, turn, ahead, stages in steps:
            if kind == "barrier":
                between = []
                continue
            if not WHEN[when](j):
                continue
            for i in range(8):
                cell = TURNS[turn](i) + 8 * ((j + ahead) % stages)
                for other, thread, there in between:
                    if there == cell and thread != i and "store" in (kind, other):
                        found.add(RACES[kind != other])
                between.append((kind, i, cell))
    return found


def test_rings_of_stages_that_meet_are_not_proved() -> None:
    random, decided, drawn = Random(2), 0, many(10, 300)
    for _ in range(drawn):
        steps = _drawn(random)
        wrong = _wrong(steps, 9)
        verdicts = {f.property: f.status for f in check_kernel(_source(steps), properties=RACES)}
        for name in RACES:
            fine = ("refuted",) if name in wrong else ("proved", "not applicable")
            assert verdicts[name] in (*fine, "unknown"), (name, wrong, verdicts, _source(steps))
            decided += verdicts[name] != "unknown"
    assert decided >= drawn


@pytest.mark.parametrize(
    ("index", "proved"),
    [("blockIdx.x % 4 * 8 + i", False), ("blockIdx.x * 8 + i % 8", True)],
)
def test_blocks_of_one_remainder_are_not_one_block(index: str, proved: bool) -> None:
    text = (
        "// symcute: launch grid=b block=8\n// symcute: assume 1 <= b\n"
        "// symcute: assume b <= 2**20\n// symcute: extent o = 8*b + 32\n"
        f"__global__ void k(int *o) {{ int i = threadIdx.x; o[{index}] = i; }}\n"
    )
    found = {f.property: f.status for f in check_kernel(text, properties=RACES[:1])}
    assert (found["write_race_free"] == "proved") is proved


@pytest.mark.parametrize(
    ("index", "least"),
    [("{} / 8", -3), ("({} - 4) / 8", -3), ("{} % 8", 0), ("({} - 1) % 8", -1),
     ("(4 * {} - 8) / 4", -26)],
)  # fmt: skip
def test_multiples_below_0_are_cut_as_c_cuts_them(index: str, least: int) -> None:
    """Of a number from -24 to 0 in steps of 8, and of its neighbours; `least` is the least."""
    asked = index.format("(8 * n - (8 * n + 31) / 32 * 32)")
    for start, proved in ((-least, True), (-least - 1, False)):
        text = (
            "// symcute: launch grid=1 block=1\n// symcute: assume n <= 2**20\n"
            "// symcute: extent o = 64\n"
            f"__global__ void k(int *o, int n) {{ o[{asked} + {start}] = 1; }}\n"
        )
        (found,) = check_kernel(text, properties=("in_bounds",), given=("n >= 1",))
        assert found.status == ("proved" if proved else "refuted"), (text, found)
