"""Claims of every kind, as texts: what is proved of them has a certificate that is accepted.

The claims are drawn from the table of claims in `language.py`; their leaves have quotients, `//`,
`%`, `min`, `max` and `ceil_div` in them, nested and of any sign.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import pytest

from symcute.claims.vocabulary import CLAIMS
from symcute.errors import InputError, NotAdmissible, Undecided
from symcute.expr.parser import parse
from symcute.expr.unparse import unparse
from symcute.prover import check as brute
from symcute.prover import prove
from symcute.recheck import check
from tests.full import many

from .certificates import EVALUATE, make, part

DIMS = ("M", "N")
GIVEN = (
    (), (), ("M % 4 == 0",), ("N >= M",), ("M == 4*N",), ("N > -3",), ("M % 2 != 0",),
    ("M/2*2 == M",), ("not (M < N)",), ("0 <= N < 8",), ("M/4 >= N",), ("8 | min(M, M)",),
    ("N != 0 or M > 2", "N >= 0"), ("M % 3 == 1 and N // 2 >= 1",), ("N == 2 implies M/2 >= 1",),
)  # fmt: skip
OPERATORS = ("{} + {}", "{} - {}", "({})*({})", "({})/({})", "({}) // ({})", "({}) % ({})",
             "min({}, {})", "max({}, {})", "ceil_div({}, {})", "mod({}, {})")  # fmt: skip


class Draw:
    """Texts drawn at random: mostly plain ones, so that some claims are true."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def leaf(self, depth: int = 2) -> str:
        kind = self.random.random()
        if depth == 0 or kind < 0.35:
            return self.random.choice(DIMS)
        if kind < 0.6:
            return str(self.random.choice((1, 2, 3, 4, 8, 0, -1, -3)))
        return self.random.choice(OPERATORS).format(self.leaf(depth - 1), self.leaf(depth - 1))

    def same(self, x: str) -> str:
        """Return another text for a value."""
        forms = ("{}", "{}", "({})*1", "2*(({})/2)", "({0})/{1}*{1}", "({}) + 0*(M // N)",
                 "({}) // 1", "max({0}, {0})", "({}) + M - M", "-(-({}))", "({}) + M % 1",
                 "(({}) << 1) >> 1", "(({0})*{1}) // {1}")  # fmt: skip
        return self.random.choice(forms).format(x, self.random.choice(("M", "4", "-2", "(N+1)")))

    def extent(self) -> str:
        return self.same(self.random.choice(("M", "N", "4", "2", "8", "M+1")))

    def layout(self) -> str:
        shape = [self.extent() for _ in range(self.random.choice((1, 2, 2, 3)))]
        stride = ["*".join(f"({s})" for s in ["1", *shape[:k]]) for k in range(len(shape))]
        if self.random.random() < 0.3:
            stride[self.random.randrange(len(shape))] = self.leaf(1)
        if self.random.random() < 0.2:
            return f"({','.join(shape)},)"
        return f"({','.join(shape)},):({','.join(self.same(d) for d in stride)},)"

    def size(self, layout: str) -> str:
        found = f"size({layout})"
        return self.same(found) if self.random.random() < 0.8 else self.leaf(1)

    def lanes(self) -> str:
        return f"access((32,{self.extent()}):({self.random.choice('12')},{self.leaf(1)}*32), 32)"

    def argument(self, kind: str, layouts: list[str]) -> str:
        """Return an argument of a kind that the table has; layouts are repeated now and then."""
        if kind in "LOS":
            again = bool(layouts) and self.random.random() < 0.6
            layouts.append(self.random.choice(layouts) if again else self.layout())
            return layouts[-1]
        if kind == "W":
            shape = layouts[0].partition(":")[0]
            return f"where({layouts[0] if ':' in layouts[0] else shape}, {self.leaf(1)})"
        assert kind == "X", f"no arguments of the kind {kind} are drawn"
        return self.size(layouts[0])

    def relation(self) -> str:
        x = self.leaf()
        forms = ("{0} == {1}", "{0} <= {1}", "{1} % 4 == 0", "4 | {1}", "{0} < {1} + 1 <= {0} + 2",
                 "M >= 2 implies {0} == {1}", "not ({0} != {1})", "{0} >= {1} or M < N",
                 "(M, {0}) == (M, {1})")  # fmt: skip
        return self.random.choice(forms).format(x, self.same(x))

    def text(self, name: str) -> str:
        """Return a claim of that name."""
        layout, x = self.layout(), self.random.choice(("M", "8", "N/4", "M+1", "2*M", "M*N"))
        service = f"{name}({self.lanes()}, {self.random.choice((1, 4, 8, 32))})"
        own = {
            "holds": self.relation(),
            "no_overflow": f'no_overflow("{self.leaf()}", {self.random.choice((8, 16, 32))})',
            "partition": f"partition({layout if ':' in layout else 'M:1'}, {self.size(layout)})",
            "prints_as": f'prints_as(({x},4):(4,{x}), "({x},4):(4,{x})")',
            "table": "table((2,2):(1,2*1), ((0,2), (1,3)))",
            "bank_conflict": service,
            "sectors": service,
            "coalesced": f"coalesced({self.lanes()})",
            "disjoint": f"disjoint({self.same('4')}:{self.same('1')}, {self.extent()}:({x})*4)",
            "is_complement": f"is_complement({self.same('N')}:4, 4:1, {self.same('4*N')})",
            "aligned": f"aligned(({self.extent()},4):(4,{self.same('8')}), {self.same('4')})",
            "vectorizable": f"vectorizable((4,{self.extent()}):(1,{self.same('8')}), 32, 64)",
            "partition_exact": f"partition_exact(({self.extent()},4):(4,1), (4,M))",
        }
        if name in own:
            return own[name]
        if name == "apart" and self.random.random() < 0.5:  # any two layouts rarely are
            return f"apart(4:{self.same('1')}, {self.extent()}:({x})*4, {self.same('4')})"
        needed, _, optional = CLAIMS[name].takes.partition("?")
        more = optional[: self.random.choice((0, 0, 1))]
        layouts: list[str] = []
        return f"{name}({', '.join(self.argument(kind, layouts) for kind in needed + more)})"


#: A claim without a way to draw it, or of which none is proved, fails here.
NAMES = ("holds", *CLAIMS)
COUNT = many(12, 40)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_proved_is_accepted(name: str) -> None:
    draw, found = Draw(sum(map(ord, name))), Counter[str]()
    for _ in range(COUNT):
        text, given = draw.text(name), draw.random.choice(GIVEN)
        try:
            verdict = prove(text, list(given), work=200)
        except (InputError, Undecided, NotAdmissible):
            found["refused"] += 1
            continue
        found[verdict.status] += 1
        if verdict.status == "proved":
            assert verdict.certificate is not None
            assert verdict.certificate["claim"] == unparse(parse(text))
            assert verdict.certificate["given"] == [unparse(parse(x)) for x in given]
            result = check(verdict.certificate)
            assert result.accepted, (text, given, result.reason)
            assert_true(text, given)
        if verdict.counterexample is not None and verdict.counterexample.dims:
            dims = {"M": 1, "N": 1} | dict(verdict.counterexample.dims)
            assert not any(failing(x, dims) for x in given), (text, given, dims)
            assert brute(text, **dims) is not None, (text, given, dims)
    assert found["proved"] >= many(1, 3), found


def assert_true(text: str, given: tuple[str, ...]) -> None:
    """Check a claim where the assumptions are met: there it has a value, and is true."""
    for values in product(range(-2, 6), repeat=len(DIMS)):
        dims = dict(zip(DIMS, values, strict=True))
        lowest = -2 if any("N > -3" in x for x in given) else 0
        least = lowest if any("N >" in x or "<= N" in x for x in given) else 1
        if dims["M"] < 1 or dims["N"] < least or any(failing(x, dims) for x in given):
            continue
        assert not failing(text, dims), (text, given, dims)


def failing(text: str, dims: dict[str, int]) -> str:
    """Return what is wrong with a claim at an instance; that it has no value is wrong too."""
    try:
        return str(brute(text, **dims) or "")
    except InputError as error:
        return str(error)


@pytest.mark.parametrize(
    "text",
    [
        "injective((M))", "bijective(((M)))", "in_bounds((M), M, where((M), M))", "covers((M), M)",
        "equal((M), (M):(1))", "same_image((1,M), M)", "table((4), ((0,1,2,3),))",
        "sectors(access((32), 32), 4)", "is_composition(4:0, 1, 4:1)", "increasing((1,M))",
        "is_complement(1, 4:1, 4)", "crd2idx((i,j), (1,N)) == j", "crd2idx(2, (1,1)) == 0",
        "crd2idx((1), (M)) == 1", "crd2idx((i,j), (M/M,N)) == j", "equal((4,1,2), (4,1,2):(1,0,4))",
    ],
)  # fmt: skip
def test_a_shape_stands_for_its_layout(text: str) -> None:
    verdict = prove(text)
    assert verdict.status == "proved"
    assert check(verdict.certificate).status == "checked"


@pytest.mark.parametrize("text", ["is_composition(4:1, 1, 4:1)", "crd2idx((i,j), (1,N)) == i + j"])
def test_an_extent_of_1_in_a_shape_has_the_stride_0(text: str) -> None:
    assert prove(text).status == "refuted"
    operations = [["crd2idx((i,j), (1,N))", "i + j"]] if "crd2idx" in text else []
    parts = [part("formula", ["-"]), EVALUATE] if not operations else [part("formula", ["-"])]
    assert not check(make(text, *parts, operations=operations)).accepted


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("not (M != N) implies M <= N", ()),
        ("not (M > N) implies M <= N", ()),
        ("not (M < N or N < 5) implies N <= M", ()),
        ("not not (M % 2 == 0) implies 2*(M // 2) == M", ()),
        ("not (M % 2 != 0) implies 2*(M/2) == M", ()),
        ("M < N/2 or 2*M >= N", ("N % 2 == 0",)),
        ("N/2 <= M or not (N/2 <= M)", ("N % 2 == 0",)),
        ("M/2 == N or M/2 < N or M/2 > N", ("M % 2 == 0",)),
        ("M // (N-1) >= 1 or M // (N-1) <= 0", ("N >= 2",)),
        ("N*M <= M % N implies min(M, N/2) == 3", ()),
        ("M >= 1", ("M % 1 <= M",)),
        ("M >= 1", ("2*N % 2 <= M",)),
        ("M >= 1", ("0 <= M // 1",)),
        ("M >= 1", ("0 <= min(M,M)",)),
        ("M >= 0", ("0 <= M + 0*(N % 2)",)),
        ("coalesced(access(16:4, 32, floor_div(1024 + 0*(N/N), 8)))", ()),
        ("bank_conflict(access(16:8, 32, 128, 8*N), max(8, 8//M + 8 - 8//M))", ()),
        ('no_overflow("(2*2)//-3", 4*M**0)', ()),
        ('no_overflow("(1-N) >> 1", 64 + (M - 0*(N/M)) - M)', ("N == 0",)),
        ("vectorizable((2,M):(min(1, 1 + 0*(M//(N-1))),2), 16, 32)", ("N >= 2",)),
        ("2*N <= 3 implies (N % 5 % 2 + 1)*N != 0", ()),
        ("(N % 5 % 2 + 1)*N != 0", ("M <= N", "M + N == 4")),
        ("injective((8,M/8):(1,8))", ("M % 8 == 0", "M % 12 == 0")),
        ("bijective((4,M/4,6,N/6):(1,4,M,6*M))", ("M % 4 == 0", "M % 6 == 0", "N % 6 == 0")),
    ],
)
def test_premises_and_cases_are_those_of_the_checker(text: str, given: tuple[str, ...]) -> None:
    verdict = prove(text, list(given))
    assert verdict.status == "proved"
    assert check(verdict.certificate).accepted
