"""Proofs of claims about threads, put beside claims that are false: each is rejected."""

from __future__ import annotations

import json
from typing import Any

import pytest

from symcute import prove
from symcute.recheck import check

from .brute import counterexample
from .certificates import anew

COPY = "partition_exact((32,(4,M/32,N/4)):(1,(M,32,4*M)), (M,N))"
DIVIDED = ("M % 32 == 0", "N % 4 == 0")
SAME = "same_elements((32,(4,N)):(1,(32,128)), (32,(N,4)):(1,(128,32)))"
IMAGE = "same_image((M,N):(1,M), (N,M):(M,1))"


def proof_of(claim: str, given: tuple[str, ...]) -> dict[str, Any]:
    verdict = prove(claim, given=given)
    assert verdict.certificate is not None
    document: dict[str, Any] = json.loads(json.dumps(verdict.certificate))
    return document


@pytest.mark.parametrize(
    ("claim", "given"),
    [
        (COPY, DIVIDED),
        ("partition_exact(((4,2),(2,M)):((2,0),(1,8)), 8*M, 2)", ()),
        ("partition_exact((2,4):(4,1), (2,4))", ()),
        ("partition_exact((1,1):(0,0), 1)", ()),
        (SAME, ()),
        (IMAGE, ()),
        ("same_image((M,N):(0,0), K:0)", ()),
        ("same_image((3,4):(2,3), (6,2):(2,3))", ()),
    ],
)
def test_true_claims_are_accepted(claim: str, given: tuple[str, ...]) -> None:
    result = check(proof_of(claim, given))
    assert result.accepted, result.reason
    assert result.rests_on == ("arithmetic",)


@pytest.mark.parametrize(
    ("claim", "given", "false"),
    [
        (COPY, DIVIDED, COPY.replace("(4,M/32", "(5,M/32")),
        (COPY, DIVIDED, COPY.replace("(M,N))", "(M+1,N))")),
        (COPY, DIVIDED, COPY.replace("(M,N))", "(M,N), 2)")),
        (COPY, DIVIDED, COPY.replace("4*M)", "3*M)")),
        (COPY, DIVIDED, COPY.replace("(32,(4,", "(32,(4,").replace("(1,(M,", "(0,(M,")),
        ("partition_exact((2,4):(4,1), (2,4))", (), "partition_exact((2,4):(3,1), (2,4))"),
        ("partition_exact((2,4):(4,1), (2,4))", (), "partition_exact((2,4):(4,1), (2,5))"),
        ("partition_exact((2,4):(4,1), (2,4))", (), "partition_exact((2,4):(4,0), 2)"),
        ("partition_exact((2,4):(4,1), (2,4))", (), "partition_exact((2,4):(4,2), 11)"),
        (SAME, (), SAME.replace("(128,32)", "(128,64)")),
        (SAME, (), SAME.replace("(32,(N,4)):(1,", "(32,(N,4)):(2,")),
        (SAME, (), SAME.replace("(32,(N,4))", "(16,(N,4))")),
        (SAME, (), SAME.replace("(N,4)", "(N+1,4)")),
        (IMAGE, (), IMAGE.replace("(N,M):(M,1)", "(N,M):(M,2)")),
        (IMAGE, (), IMAGE.replace("(N,M):(M,1)", "(N,M+1):(M,1)")),
        (IMAGE, (), IMAGE.replace("(N,M):(M,1)", "(N,M):(M,0)")),
        ("same_image((3,4):(2,3), (6,2):(2,3))", (), "same_image((3,4):(2,3), (6,2):(2,2))"),
    ],
)
def test_a_proof_of_something_else_is_rejected(
    claim: str, given: tuple[str, ...], false: str
) -> None:
    assert counterexample(false, given) is not None
    assert not check(anew(proof_of(claim, given) | {"claim": false})).accepted


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"left": [0], "right": [0]}, "3 obligations, 1 proofs"),
        ({"left": [0, 0]}, "twice"),
        ({"left": [1, 0]}, "rest"),
        ({"left": [0, 2]}, "part 0"),
    ],
)
def test_an_order_that_is_none_is_rejected(change: dict[str, Any], says: str) -> None:
    document = proof_of(IMAGE, ())
    document["proof"]["parts"][0].update(change)
    result = check(anew(document))
    assert not result.accepted and says in result.reason


@pytest.mark.parametrize(
    ("claim", "says"),
    [
        ("partition_exact(8:1, 8)", "has threads and values"),
        ("partition_exact((2,4):(4,1), (8,0))", "an extent of the tile is below 1"),
        ("same_elements(8:1, 8:1)", "has threads and values"),
        ("same_elements((4,2):(2,1), 8:1)", "has threads and values"),
        ("same_image(4:1)", "no claim same_image of 1 arguments"),
        ("compatible((0,4), (0,4))", "the extent 0 is below 1"),
        ("compatible(M-5, M-5)", "2 obligations"),
        ("compatible((4,8):(1,2,3), (4,8))", "differ in their hierarchy"),
        ("refines((4,8):(1,(2,3)), (4,8))", "differ in their hierarchy"),
        ("compatible(Sw<3,0,1> o 0 o 8:1, 8)", "is no swizzle"),
        ("compatible(Sw<3,0,3> o (1,2) o 8:1, 8)", "is no expression"),
        ("no_overflow((-3,2), 8)", "has no order of evaluation"),
        ("table((8/3*3):1, ((0,1,2,3,4,5,6,7),))", "2 obligations"),
        ("table(2:(0*(N//(M-2))+1), ((0,1),))", "1 obligations"),
    ],
)
def test_claims_that_make_no_sense_are_rejected(claim: str, says: str) -> None:
    document = proof_of("partition_exact((2,4):(4,1), (2,4))", ()) | {"claim": claim}
    result = check(anew(document))
    assert not result.accepted and says in result.reason
