"""Certificates that say more than was done: what is false is rejected, what was not is named."""

from __future__ import annotations

from typing import Any

import pytest

from symcute.checker.evaluate import is_true
from symcute.checker.poly import budget
from symcute.recheck import check
from symcute.recheck.search import decided

from .certificates import MN, W, anew, chain, formula, make, part

EXACT = {"lemma": "evaluate"}
SEARCHED = ("arithmetic", "exact search")
SEARCHED_AGAIN = ("arithmetic", "arithmetic (search)")
SOLVER = {"lemma": "solver", "solver": "z3", "version": "4.13.0"}
SAID = ("arithmetic", "solver z3 4.13.0")
TRUST = ["solver", "z3", "4.13.0"]
BIG = 1 << 20


# --- exact search --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "claim",
    ["1 == 2", "1 == 1", "injective((2,2):(1,1))", "injective((4,8):(8,1))", "covers(4:1, 5)",
     "table((2,2):(1,2), ((0,2),(1,3)))", 'prints_as(2:1, "2:1")',
     "bank_conflict(access(32:1, 32), 1)"],
)  # fmt: skip
def test_no_search_is_named_where_evaluation_decides(claim: str) -> None:
    result = check(make(claim, EXACT, rests_on=SEARCHED))
    assert result.status == "rejected"
    assert "it rests on arithmetic, not on" in result.reason or "is false" in result.reason


#: False claims without dims, too large to be evaluated, with their true neighbours.
LARGE = {
    f"injective(({BIG},3):(3,1))": f"injective(({BIG},3):(2,1))",
    f"injective(({BIG},{BIG},{BIG}):({2**41},{2**20 + 3},{3 * 2**20}))":
        f"injective(({BIG},{BIG},{BIG}):({2**40},{2**20 + 4},{2**20}))",
    f"injective(({BIG},2):(-2,-1))": f"injective(({BIG},2):(-1,{BIG - 1}))",
    f"injective(({BIG},2):(1,0), where(({BIG},2):(0,1), 1))":
        f"injective(({BIG},2):(1,0), where(({BIG},2):(0,1), 2))",
    f"injective(({BIG},4):(1,{BIG - 2}), where(({BIG},4):(1,{BIG}), {BIG - 2}))":
        f"injective(({BIG},4):(1,{BIG - 2}), where(({BIG},4):(1,{BIG - 2}), {BIG - 1}))",
    f"in_bounds(({BIG},3):(3,1), {3 * BIG})": f"in_bounds(({BIG},3):(3,1), {3 * BIG - 1})",
    f"in_bounds({BIG}:0, 1)": f"in_bounds({BIG}:-1, {BIG})",
    f"disjoint({BIG}:2, ({BIG},1):({2 * BIG},1))": f"disjoint({BIG}:2, {BIG}:{2 * BIG - 2})",
    f"disjoint(({BIG},2):(6,9), 3:1)": f"disjoint(({BIG},2):(6,9), 7:1)",
    f"apart({BIG}:2, {BIG}:4, 1)": f"apart({BIG}:2, {BIG}:3, 1)",
    f"apart({BIG}:6, {BIG}:10, {BIG}*15 + 1)": f"apart({BIG}:6, {BIG}:10, 4)",
    f"covers(({BIG},2):(1,{BIG}), {2 * BIG})": f"covers(({BIG},2):(1,{BIG + 1}), {2 * BIG})",
    f"covers(({BIG},4):(1,-1), {BIG})": f"covers(({BIG},4):(1,-1), {BIG + 1})",
    f"same_image(({BIG},2):(1,{BIG}), {2 * BIG}:1)":
        f"same_image(({BIG},2):(1,{BIG}), {2 * BIG}:2)",
    f"same_image(({BIG},3):(2,1), {2 * BIG + 1}:1)":
        f"same_image(({BIG},2):(2,3), {2 * BIG + 2}:1)",
}  # fmt: skip


@pytest.mark.parametrize("claim", LARGE)
def test_an_exact_search_is_done_again(claim: str) -> None:
    result = check(make(claim, EXACT, rests_on=SEARCHED))
    assert (result.status, result.reason, result.rests_on) == ("checked", "", SEARCHED_AGAIN)
    false = check(make(LARGE[claim], EXACT, rests_on=SEARCHED))
    assert false.status == "rejected"
    assert "the claim is false" in false.reason


def test_an_equality_is_searched() -> None:
    for stride, status in (BIG, "checked"), (BIG - 1, "rejected"):
        claim = f"equal(({BIG},2):(1,{stride}), {2 * BIG}:1)"
        result = check(make(claim, {"lemma": "evaluate"}, EXACT, rests_on=SEARCHED))
        assert result.status == status, result


#: 24 strides without a relation between their differences that is easily found.
HARD = [3**k % 16777213 + 2**23 for k in range(7, 31)]


def test_a_search_beyond_the_limit_is_trusted_and_named() -> None:
    extents = ",".join(["2"] * len(HARD))
    claim = f"injective(({extents}):({','.join(str(x**4) for x in HARD)}))"
    result = check(make(claim, EXACT, rests_on=SEARCHED))
    assert (result.status, result.rests_on) == ("trusted", SEARCHED)


FALSE_SWIZZLED = [
    (f"in_bounds(Sw<3,3,3> o 0 o {BIG}:1, {BIG - 1})", [EXACT]),
    (f"vectorizable(Sw<3,1,3> o 0 o ({BIG},2):(1,{BIG}), 16, 128)", [EXACT]),
    (f"equal(Sw<3,3,3> o 0 o {BIG}:1, Sw<2,3,3> o 0 o {BIG}:1)", [{"lemma": "evaluate"}, EXACT]),
]


@pytest.mark.parametrize(("claim", "parts"), FALSE_SWIZZLED)
def test_false_claims_about_swizzles_are_rejected(claim: str, parts: list[Any]) -> None:
    result = check(make(claim, *parts, rests_on=SEARCHED))
    assert result.status == "rejected"
    assert "the claim is false" in result.reason


def test_searches_agree_with_evaluation() -> None:
    """What the search decides of small claims is what all coordinates say."""
    import random

    from symcute.recheck.claims import primitives
    from symcute.recheck.text import parse

    rng = random.Random(2)
    kinds = {
        "injective": 0,
        "in_bounds": 1,
        "disjoint": 0,
        "apart": 2,
        "covers": 1,
        "same_image": 0,
    }
    told: dict[tuple[str, bool], int] = {}
    for _ in range(4000):
        kind = rng.choice(sorted(kinds))

        def layout(rank: int) -> tuple[str, str]:
            shape = ",".join(str(rng.randint(1, 4)) for _ in range(rank))
            return f"({shape},)", ",".join(str(rng.randint(-9, 9)) for _ in range(rank))

        shape, strides = layout(rng.randint(1, 3))
        text = f"{shape}:({strides},)"
        if kind in ("disjoint", "apart", "same_image"):
            text += ", {}:({},)".format(*layout(rng.randint(1, 2)))
        if kinds[kind]:
            text += f", {rng.randint(-3, 25)}"
        elif kind == "injective" and rng.random() < 0.5:
            guard = ",".join(str(rng.randint(-1, 3)) for _ in strides.split(","))
            text += f", where({shape}:({guard},), {rng.randint(0, 6)})"
        (claim,) = primitives(parse(f"{kind}({text})"))
        budget.renew()
        found = decided(claim)
        if found is not None:
            told[kind, found] = told.get((kind, found), 0) + 1
            assert found is is_true(claim), text
    assert len(told) == 12 and min(told.values()) >= 10, told


# --- solvers -------------------------------------------------------------------------------------


FALSE = [
    ("injective((M,N):(1,1))", 2, ()), ("injective((M,N):(LD,1))", 2, ("LD >= 4",)),
    ("in_bounds((M,N):(LD,1), M*LD)", 2, ()), ("covers((M,4):(4,1), 4*M + 1)", 1, ()),
    ("disjoint(M:1, N:1)", 2, ()), ("apart(M:2, N:2, 2)", 2, ()), ("M*N >= M + 1", 0, ()),
    ("injective((M,P):(1,2), where((M,P):(1,2), K))", 4, ()), ("same_image(M:1, N:1)", 2, ()),
    ("vectorizable(Sw<3,2,3> o 0 o (8,M):(1,8), 16, 128)", 1, ()),
    ("in_bounds(Sw<3,3,3> o 0 o M:64, 64*M - 63)", 1, ()),
    ("M % 8 == 0", 0, ("M >= 1000", "M % 4 == 0")),
    ("table(2:M, ((0,2),))", 0, ()), ("x != y", 0, ("x == 2*y - 7*z", "7*z == y")),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "count", "given"), FALSE)
def test_what_a_solver_is_said_to_have_proved_is_tried_first(
    claim: str, count: int, given: tuple[str, ...]
) -> None:
    result = check(make(claim, SOLVER, sense=[TRUST] * count, given=given, rests_on=SAID))
    assert result.status == "rejected"
    assert "is false at " in result.reason, result.reason


def test_an_obligation_that_a_solver_is_said_to_have_proved_is_tried_first() -> None:
    result = check(formula("M <= N", TRUST, given=("M <= N + 1",), rests_on=SAID))
    assert result.reason == "part 0 (holds): obligation 0, M <= N: it is false at M=2, N=1"
    result = check(make("M/2 <= M", part("formula", [TRUST]), sense=[TRUST], rests_on=SAID))
    assert result.reason.startswith("defined: obligation 0, 2 | M: it is false at M=1")


def test_what_a_solver_said_is_trusted_and_named() -> None:
    result = check(formula("M*M + N*N != 3", TRUST, rests_on=SAID))
    assert (result.status, result.rests_on) == ("trusted", SAID)
    assert check(make("M <= M", SOLVER | {"smt2": "x"}, rests_on=SAID)).status == "rejected"


# --- printing ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [("1+1", "2"), ("(M+N,2*3):(N,1)", "(M+N,6):(N,1)"), ("N*M*2", "2*M*N"), ("e - s*d", "-d*s+e"),
     ("(2*M,(1+3,8)):(1,(4,2*8))", "(2*M,(4,8)):(1,(4,16))"),
     ("M/4", "M/4"), ("(3, _)", "(3,_)"), ("(_,(_,M))", "(_,(_,M))"),
     ("1-N", "1-N"), ("3-2*N**2", "3-2*N**2"), ("1-M*N", "-M*N+1"),
     ("M/(2*N)", "M/(2*N)"), ("(M+1)/2", "(M+1)/2"), ("b*n+i", "b*n+i"), ("M*M*M", "M**3"),
     ("ceil_div(M, 2*4)*D", "D*ceil_div(M,8)"), ("(8)", "(8)"), ("(8,)", "(8)"),
     ("2*(M+1)", "2*M+2"), ("(4,M):(1@0,-2@1)", "(4,M):(1@0,-2@1)"),
     ("(4,M):(N@0,1@1)", "(4,M):(N@0,1@1)"), ("min(2,3) - 8//3", "0"),
     ("Sw<1,0,1> o 4", "Sw<1,0,1> o 0 o 4:1"), ("8 o 2+2 o Sw<1,0,1>", "8:1 o 4 o Sw<1,0,1>"),
     ("Sw<3,3,3> o 0 o (8,32*2):(64,1)", "Sw<3,3,3> o 0 o (8,64):(64,1)"),
     ("Sw<3,4,3>", "Sw<3,4,3>"),
     ("512*M:1 o -512*s o Sw<3,3,3>", "512*M:1 o -512*s o Sw<3,3,3>"), ("M - M", "0")],
)  # fmt: skip
def test_what_a_value_prints_as_is_printed_again(value: str, text: str) -> None:
    right = check(make(f'prints_as({value}, "{text}")', {"lemma": "evaluate"}))
    assert (right.status, right.reason) == ("checked", "")
    wrong = check(make(f'prints_as({value}, "{text}+1")', {"lemma": "evaluate"}))
    assert wrong.reason == f"part 0 (printed): it prints as {text}"


def test_printing_that_is_not_known_is_trusted_as_written() -> None:
    result = check(make('prints_as(N*(M+1), "N*(M+1)")', {"lemma": "evaluate"}))
    assert result.rests_on == ("arithmetic", "the layout algebra (printing)")
    assert result.status == "trusted"
    assert check(make('prints_as(N*(M+1), "(M+1)*N")', {"lemma": "evaluate"})).status == "rejected"


@pytest.mark.parametrize(
    "claim",
    ['prints_as(1+1, "1+1")', 'prints_as(1, "1", "1")', "prints_as(1)", 'prints_as(1, "2")',
     'prints_as(f(M), "M")', 'prints_as(f(M), "f(M)")', 'prints_as(min(M,_), "min(M,_)")',
     'prints_as(_+1, "_+1")', 'prints_as("1", "1")', 'prints_as(N*M, "N*M")', 'prints_as(M, "M',
     'prints_as(, "")', 'prints_as(8 o 4, "8 o 4")', 'prints_as(Sw<1,0,1> o Sw<1,0,1>, '
     '"Sw<1,0,1> o Sw<1,0,1>")', 'prints_as(8/3, "8/3")', 'prints_as(M//0, "floor_div(M,0)")',
     'prints_as(M//(N - N), "floor_div(M,0)")', 'prints_as(Sw<9,3,1>, "Sw<9,3,1>")',
     'prints_as(0*M:1, "0:1")', 'prints_as((4,8):1, "(4,8):1")', 'prints_as(1@0:1, "1@0:1")',
     'prints_as((4,_):(1,_), "(4,_):(1,_)")', 'prints_as(5*(128/5), "128")',
     'prints_as(0*(7/5), "0")',
     'prints_as(Sw<1,0,1> o 8:1 o 4:1, "Sw<1,0,1> o 8:1 o 4:1")'],
)  # fmt: skip
def test_false_words_are_rejected(claim: str) -> None:
    assert check(make(claim, {"lemma": "evaluate"})).status == "rejected"
    said = check(make(claim, {"lemma": "solver", "solver": "z3", "version": "4.13.0"}))
    assert said.status == "rejected" and "cannot be checked" not in said.reason


@pytest.mark.parametrize(
    ("value", "text"),
    [("5", "6"), ("M+1", "6"), ("(4,2):(1,4)", "8:1"), ("Sw<1,0,2> o 8:1", "8:1"),
     ("min(2,3)", "3"), ("5, 7", "7"), ("size(8:1), 7", "7")],
)  # fmt: skip
def test_what_a_value_without_operations_came_to_is_not_taken_from_the_certificate(
    value: str, text: str
) -> None:
    claim = f'prints_as({value}, "{text}")'
    forged = make(claim, {"lemma": "evaluate"}, operations=[[value.split(",")[0], text]])
    assert check(forged).status == "rejected"
    forged = make(claim, {"lemma": "evaluate"}, operations=[[value, text]])
    assert check(forged).status == "rejected"


@pytest.mark.parametrize(
    ("value", "text"),
    [("1@0 + 1@0", "1@0+1@0"), ("2*1@0", "2*1@0"), ("-N@1", "-N@1"), ("M@0 + N@0", "M@0+N@0"),
     ("M/5*(5/M)", "1")],
)  # fmt: skip
def test_sums_of_coordinates_and_quotients_that_cancel_print_in_a_way_that_is_not_known(
    value: str, text: str
) -> None:
    claim = f'prints_as({value}, "{text}")'
    result = check(make(claim, {"lemma": "evaluate"}, operations=[[value, text]]))
    assert result.status != "checked"


@pytest.mark.parametrize("name", ["_8", "_m1"])
def test_a_number_as_cute_writes_it_is_no_dim(name: str) -> None:
    claim = f"{name} == 3"
    document = make(claim, part("formula", [["given", 0]]), given=(claim,))
    assert check(document).status == "rejected"


# --- assumptions that contradict each other ------------------------------------------------------

NO = part("formula", [["absurd", ["sum", 0, [["1", [["g", 0]]], ["1", [["g", 1]]]]]]])
VACUOUS = {
    "an interval without a number": make("2 <= M", part("formula", [W]), ways=("M from 5",),
                                         given=("5 <= M", "M <= 4")),
    "numbers": make("M <= M", part("formula", ["-"]), given=("1 == 2",)),
    "residues in an interval": make("1 <= M", part("formula", [W]), ways=("M from 1",),
                                    given=("M <= 40", "M % 6 == 1", "M % 4 == 0")),
    "shown by the proof": make("1 == 2", NO, ways=(MN,), given=("M < N", "N < M")),
    "in both cases": make(
        "1 == 2", given=("M < N", "N < M"), ways=(MN,),
        proof={"case": "M <= 7", "then": {"defined": [], "parts": [NO]},
               "else": {"defined": [], "parts": [NO]}}),
}  # fmt: skip


@pytest.mark.parametrize("name", VACUOUS)
def test_what_says_nothing_is_called_vacuous(name: str) -> None:
    result = check(VACUOUS[name])
    assert (result.status, result.accepted) == ("vacuous", False)
    assert result.reason == "no instance meets the assumptions: they contradict each other"


def test_one_case_that_is_absurd_is_not_vacuous() -> None:
    document = make(
        "M <= 8", given=("M <= 7",), ways=("M upto 7", "M from 8"),
        proof={"case": "M <= 7", "then": {"defined": [], "parts": [part("formula", [W])]},
               "else": {"defined": [], "parts": [part("formula", [
                   ["absurd", ["sum", 1, [["1", [["g", 0]]]]]]])]}})  # fmt: skip
    assert check(document).status == "checked", check(document)


def test_assumptions_of_which_nothing_is_known_are_named() -> None:
    document = formula("1 <= M", W, "M from 1", given=("M*M*M + N*N*N == K*K*K",))
    result = check(document)
    assert (result.status, result.rests_on[1:]) == ("trusted", ("assumptions that can be met",))
    fine = formula("1 <= M", W, "M from 1", given=("M*M + N*N == K*K",))
    assert check(fine).status == "checked"


def test_searches_take_nothing_from_what_checks() -> None:
    """Many obligations by solver: each is tried, within one allowance, and none makes it reject."""
    claim = " and ".join(["M*N*K*L >= 1"] * 200)
    document = formula(claim, ["and", [TRUST] * 200], rests_on=SAID)
    assert check(document).status == "trusted"
    many = make("injective((M,N):(N,1))", chain([TRUST, TRUST], [1, 0]), sense=[TRUST] * 2,
                rests_on=SAID)  # fmt: skip
    assert check(many).status == "trusted"


#: Claims that are false, and what a forged certificate of them says.
_ONES = [["M", "from", "1"], ["N", "from", "1"]]


@pytest.mark.parametrize(
    ("claim", "given", "defined", "by", "ways"),
    [
        ("min(M+N,3) - min(M,N+3) == 0", [], [], "-", []),
        ("floor_div(M+N,3) - floor_div(M,N+3) == 0", [], [["sum", 0]], "-", [_ONES]),
        ("floor_div(M+N,3) - M//(N+3) <= 0", [], [["sum", 0]], "-", [_ONES]),
        ("(N % (-3)) // 5 >= 0", ["N >= 0"], [], ["sum", 0], [[["N", "from", "0"]]]),
        ("(N % (-M)) // 5 >= 0", [], [["sum", 0]], ["sum", 0], [_ONES]),
        (
            "((N*u) % (M*u)) // 5 >= 0", ["u >= -5", "M*u != 0"], [["given", 1]], ["sum", 0],
            [_ONES],
        ),
    ],
)  # fmt: skip
def test_roundings_are_told_apart_and_have_the_sign_of_their_divisor(
    claim: str, given: list[str], defined: list[Any], by: Any, ways: list[Any]
) -> None:
    document = anew({
        "claim": claim, "given": given, "operations": [],
        "proof": {"defined": defined, "parts": [{"lemma": "formula", "by": [by]}]},
        "parametrisations": ways, "rests_on": ["arithmetic"],
    })  # fmt: skip
    assert document["statement"]["parts"], "it could be read"
    result = check(document)
    assert result.status == "rejected"
    assert "obligation" in result.reason
