"""PartitionExact, SameElements and SameImage: what they say, refute, and refuse."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from symcute import Layout, PartitionExact, SameElements, check, prove
from symcute.claims import repetitions
from symcute.claims.language import read_claim
from symcute.errors import InputError
from symcute.recheck import check as recheck

EXACT = "partition_exact((32,(4,M/32,N/4)):(1,(M,32,4*M)), (M,N))"
DIVIDED = ["M % 32 == 0", "N % 4 == 0"]


def test_a_tiled_copy_over_a_symbolic_tile() -> None:
    verdict = prove(EXACT, given=DIVIDED)
    assert verdict.status == "proved" and verdict.rests_on == ("arithmetic",)
    assert recheck(verdict.certificate).statement.startswith("partition_exact(")


@pytest.mark.parametrize(
    ("claim", "given", "says"),
    [
        # One value too many for each thread.
        (EXACT.replace("(4,M/32", "(5,M/32"), DIVIDED, "outside the 128 of"),
        # Threads whose strides overlap.
        (
            EXACT.replace("(32,(4,", "((8,4),(4,").replace("(1,(M,", "((1,4),(M,"),
            DIVIDED,
            "belongs",
        ),
        # A tile with a row or a column more.
        (EXACT.replace("(M,N))", "(M+1,N))"), DIVIDED, "belongs to 0"),
        (EXACT.replace("(M,N))", "(M,N+1))"), DIVIDED, "belongs to 0"),
        # The stride of the second row of tiles one too small.
        (EXACT.replace("(M,32,", "(M,31,"), ["M % 64 == 0", "N % 4 == 0"], "belongs to 2"),
    ],
)
def test_false_neighbours_are_refuted(claim: str, given: list[str], says: str) -> None:
    verdict = prove(claim, given=given)
    assert verdict.status == "refuted" and says in str(verdict.counterexample)
    dims = dict(verdict.counterexample.dims)
    assert check(claim, **dims) is not None


def test_a_tile_that_the_threads_do_not_divide_is_not_proved() -> None:
    verdict = prove(EXACT, given=["M % 16 == 0", "N % 4 == 0"])
    assert verdict.status == "unknown" and "M/32" in verdict.reason


def test_copies_are_counted() -> None:
    shared = "partition_exact(((4,2),(2,M)):((2,0),(1,8)), 8*M{})"
    assert prove(shared.format(", 2")).status == "proved"
    assert prove(shared.format("")).status == "refuted"
    assert prove(shared.format(", 3")).status == "refuted"
    assert prove("partition_exact((W,(2,M)):(0,(1,2)), 2*M, W)").status == "proved"
    assert repetitions(Layout(((4, 2), (2, 3)), ((2, 0), (1, 0)))) == 6


def test_a_stride_that_may_be_zero() -> None:
    assert prove("partition_exact((2,2):(D,1), 2, 2)").status == "refuted"
    # At D = 0 it is true, and nowhere else; the lemmas do not see that.
    assert check("partition_exact((2,2):(D,1), 2, 2)", D=0) is None
    assert prove("partition_exact((2,2):(D,1), 2, 2)", given=["D == 0"]).status == "unknown"


def test_words_and_text() -> None:
    claim = read_claim("partition_exact((4,2):(1,4), (2,4))")
    assert claim.text() == "partition_exact((4,2):(1,4), (2,4))"
    assert claim.words() == (
        "every element of the tile (2,4) belongs to exactly one (thread, value) of (4,2):(1,4)"
    )
    assert (
        read_claim("partition_exact((4,2):(1,0), 4, 2)")
        .words()
        .endswith("2 (thread, value) of (4,2):(1,0)")
    )
    assert PartitionExact(Layout((4, 2)), Layout((2, 4), (4, 1))).tile == (2, 4)


def test_counterexamples_name_threads_and_elements() -> None:
    verdict = prove("partition_exact((4,2):(1,3), 8)")
    assert str(verdict.counterexample) == (
        "element 3 of the tile 8 belongs to 2 (thread, value), not 1: "
        "thread 3, value 0; thread 0, value 1"
    )
    verdict = prove("partition_exact((4,2):(2,7), (4,2))")
    assert "thread 1, value 1 is element 9, outside the 8 of the tile (4,2)" in str(
        verdict.counterexample
    )
    verdict = prove("same_elements((4,2):(2,1), (4,2):(2,3))")
    assert (
        str(verdict.counterexample) == "thread 0 holds element 1 in (4,2):(2,1), not in (4,2):(2,3)"
    )
    verdict = prove("same_elements((4,2):(2,1), (2,4):(4,1))")
    assert str(verdict.counterexample) == "(4,2):(2,1) has 4 threads, (2,4):(4,1) has 2"


@pytest.mark.parametrize(
    ("claim", "given", "status"),
    [
        ("same_elements((32,(4,N)):(1,(32,128)), (32,(N,4)):(1,(128,32)))", [], "proved"),
        ("same_elements((32,(4,N)):(1,(32,128)), (32,(N,2,2)):(1,(128,64,32)))", [], "proved"),
        ("same_elements((32,(4,N)):(1,(32,128)), (32,(N,4)):(1,(128,64)))", [], "refuted"),
        ("same_elements((32,(4,N)):(1,(32,128)), (32,(4,N)):(2,(32,128)))", [], "refuted"),
        ("same_elements((32,(4,N)):(1,(32,128)), (64,(2,N)):(1,(64,128)))", [], "refuted"),
        ("same_elements((M,2,N):(1,M,2*M), (M,N,2):(1,2*M,M))", [], "proved"),
        ("same_image((M,N):(N,1), M*N:1)", [], "proved"),
        ("same_image((M,N):(N,1), (M,N+1):(N,1))", [], "refuted"),
        ("same_image((M,K):(1,0), M)", [], "proved"),
        # The same numbers, though no order makes the layouts the same map.
        ("same_image((3,4):(2,3), (6,2):(2,3))", [], "proved"),
    ],
)
def test_who_holds_the_same(claim: str, given: list[str], status: str) -> None:
    verdict = prove(claim, given=given)
    assert verdict.status == status, verdict.reason
    if status == "proved":
        assert recheck(verdict.certificate).accepted


def test_equal_is_the_same_with_the_order_of_the_values() -> None:
    one, other = "(4,(2,2)):(4,(1,2))", "(4,(2,2)):(4,(2,1))"
    assert prove(f"same_elements({one}, {other})").status == "proved"
    assert prove(f"equal({one}, {other})").status == "refuted"


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: PartitionExact(Layout(8), 8), "8:1 in partition_exact is no thread-value layout"),
        (lambda: PartitionExact(Layout((4, 2)), (4, 0)), "(4,0) is no tile"),
        (lambda: SameElements(Layout((4, 2)), Layout(8)), "8:1 in same_elements is no"),
        (lambda: read_claim("partition_exact((4,2))"), "partition_exact got 1 argument"),
    ],
)
def test_errors_name_the_layout(call: Callable[[], object], says: str) -> None:
    with pytest.raises(InputError) as error:
        call()
    assert says in str(error.value)
