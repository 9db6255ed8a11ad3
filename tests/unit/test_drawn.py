"""What is drawn of a claim: which layouts, and which of their cells go against it."""

from __future__ import annotations

import pytest

from symcute import check, prove
from symcute.report.drawn import pictures_of


def drawn(claim: str, given: tuple[str, ...] = ()) -> list[dict]:
    verdict = prove(claim, list(given))
    against = verdict.counterexample
    return pictures_of(verdict.claim, dict(against.dims) if against else None)


def places(claim: str) -> list[list[tuple[int, int]]]:
    return [[(i, j) for i, j in p["marked"]] for p in drawn(claim)]


@pytest.mark.parametrize(
    ("claim", "marked"),
    [
        ("injective((2,3):(1,1))", [[(0, 1), (0, 2), (1, 0), (1, 1)]]),
        ("injective(Sw<1,0,1> o 0 o (2,2):(1,0))", [[(0, 0), (0, 1), (1, 0), (1, 1)]]),
        # Behind the guard c0 + 2*c1 < 3 the last column has one row left.
        ("injective((2,2):(1,0), where((2,2):(1,2), 3))", [[(0, 0), (0, 1)]]),
        ("bijective((2,2):(1,2))", [[]]),
        ("bijective((2,2):(3,1))", [[(1, 1)]]),
        ("bijective((2,2):(1,1))", [[(0, 1), (1, 0)]]),
        ("compact((2,2,2):(1,0,3))", [[(1, 2)]]),
        ("in_bounds((2,2):(5,1), 6)", [[(1, 1)]]),
        ("in_bounds((2,2):(-1,1), 2)", [[(1, 0)]]),
        ("in_bounds((2,2):(5,1), 2, where((2,2):(1,0), 2))", [[(1, 0), (1, 1)]]),
        ("in_bounds((2,2):(5,1), 1, where((2,2):(1,0), 1))", [[(0, 1)]]),
        ("covers((2,2):(2,4), 4)", [[]]),
        ("partition((2,2):(1,1), 4)", [[(0, 1), (1, 0)]]),
        ("equal((2,2):(1,2), (2,2):(2,1))", [[(0, 1), (1, 0)], [(0, 1), (1, 0)]]),
        ("disjoint((2,2):(1,4), (2,2):(2,3))", [[(1, 1)], [(1, 1)]]),
        ("apart((2,2):(1,2), (2,2):(1,2), 3)", [[(0, 0), (1, 1)]]),
        ("monotone((2,2):(1,-1))", [[(0, 1)]]),
        ("increasing((2,2):(1,1))", [[(0, 1)]]),
        ("aligned((2,2):(1,2), 2)", [[(1, 0), (1, 1)]]),
        # The path of the first index that goes wrong: 1, through B to offset 2, through A.
        ("is_composition((2,2):(1,2), 8:1, (2,2):(2,4))", [[(1, 0)], [(0, 2)], [(1, 0)]]),
        ("is_right_inverse((2,2):(2,1), (2,2):(1,2))", [[(1, 0)], [(0, 1)]]),
        ("is_complement((2,2):(1,2), (2,2):(1,2), 16)", [[(0, 1), (1, 0), (1, 1)]]),
        # The first mode is the rows, the others together the columns.
        ("injective((2,2,2):(1,2,2))", [[(0, 1), (0, 2), (1, 1), (1, 2)]]),
        # Element 4 is outside the tile: of the layout itself that can be seen.
        ("partition_exact((2,2):(1,3), (2,2))", [[(1, 1)]]),
        ("injective(4:0)", [[(0, 0), (0, 1), (0, 2), (0, 3)]]),
    ],
)
def test_what_goes_against_the_claim(claim: str, marked: list) -> None:
    assert places(claim) == marked
    assert (check(claim) is None) == (not any(marked) and not claim.startswith("covers"))


def test_a_symbolic_claim_is_drawn_at_its_counterexample() -> None:
    (picture,) = drawn("injective((M,N):(LD,1))")
    assert picture == {"layout": "(2,2):(1,1)", "marked": [[0, 1], [1, 0]]}
    assert drawn("injective((M,N):(LD,1))", ("LD >= N",)) == []


def test_a_tile_shows_who_holds_what() -> None:
    (fine,) = drawn("partition_exact(((2,2),2):((1,4),2), (2,4))")
    assert fine == {"layout": "((2,2),2):((1,4),2)", "tile": [2, 4], "marked": []}
    (twice,) = drawn("partition_exact((2,2):(1,1), (2,2))")
    assert twice["marked"] == [[1, 0], [1, 1]]  # 1 is held twice, 3 by nobody
    (values,) = drawn("partition_exact((2,2,2):(1,2,4), 8)")
    assert values == {"layout": "(2,(2,2)):(1,(2,4))", "tile": [1, 8], "marked": []}


def test_requests_show_the_one_that_goes_wrong() -> None:
    (fine,) = drawn("bank_conflict(access((32,8):(1,32), 32), 1)")
    assert fine == {
        "access": "access((32,8):(1,32), 32)", "request": [0], "sectors": False, "marked": False,
    }  # fmt: skip
    (wrong,) = drawn("coalesced(access((32,2):(1,4), 32))")
    assert (wrong["request"], wrong["sectors"], wrong["marked"]) == ([1], True, True)


@pytest.mark.parametrize("layout", ["(32,9):(9,1)", "(1,256)", "(2,3,4)", "8:1"])
def test_what_is_large_or_tells_little_is_not_drawn(layout: str) -> None:
    assert drawn(f"injective({layout})") == []
