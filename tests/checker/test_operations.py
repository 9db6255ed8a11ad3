"""Operations in a claim: worked out again, or named as what the certificate rests on."""

from __future__ import annotations

import pytest

from symcute.claims.language import evaluate
from symcute.errors import InputError
from symcute.prover import prove
from symcute.recheck import check

from .certificates import EVALUATE, anew, make, part, sign


@pytest.mark.parametrize(
    "claim",
    [
        "size((M,N):(N,1)) == M*N",
        "size(Sw<1,2,3> o (8,8)) == 64",
        "cosize((M,4):(4,-1)) == 4*M",
        "((4,(2,M)):(M,(1,2)))(1,(1,i)) == M + 1 + 2*i",
        "((4,(2,2)):(4,(1,2)))(2,3) == 11",
        "((4,8):(8,1))(99) == 48",
        "crd2idx((1,2), (4,M), (M,1)) == M + 2",
        "idx2crd(16, (3,(2,3))) == (1,(1,2))",
    ],
)
def test_plain_sums_are_worked_out_again(claim: str) -> None:
    certificate = prove(claim).certificate
    assert check(certificate).status == "checked"
    [[call, result]] = certificate["operations"]
    for other in (f"{result} + 1", f"({result},{result})", "M*N*M"):
        forged = certificate | {"operations": [[call, other]]}
        assert not check(anew(forged)).accepted
    for listed in ([], [[call, result]] * 2, [[call, result], ["size(M)", "M"]], [["M", "M"]]):
        assert not check(anew(certificate | {"operations": listed})).accepted


@pytest.mark.parametrize(
    ("claim", "names"),
    [
        ("injective(coalesce((4,8):(8,1)))", "coalesce"),
        ("size(coalesce((M,N):(1,M))) == M*N", "coalesce, size"),
        ("((4,M):(M,1))(5) == M + 1", "evaluation"),
        ("((2*2,8):(8,1))(9) == 10", "evaluation"),
        ("equal(composition(Sw<1,2,3>, coalesce((8,8):(1,8))), Sw<1,2,3> o 0 o 64:1)", "coalesce"),
        ('prints_as(size((4,8)), "32")', "size"),
    ],
)
def test_other_operations_are_trusted_by_name(claim: str, names: str) -> None:
    verdict = prove(claim)
    assert f"the layout algebra ({names})" in verdict.rests_on
    result = check(verdict.certificate)
    assert (result.status, result.reason) == ("trusted", "")
    assert set(verdict.rests_on) <= set(result.rests_on)
    assert not check(sign(verdict.certificate | {"rests_on": ["arithmetic"]})).accepted


@pytest.mark.parametrize(
    ("call", "result", "says"),
    [
        ("size((-4,8))", "-32", "the extent -4 is below 1"),
        ("size((M-4,8))", "8*M - 32", "1 obligations"),
        ("idx2crd(5, (-4,8))", "(-3,-2)", "the extent -4 is below 1"),
        ("crd2idx(5, (-4,8), (1,4))", "-11", "the extent -4 is below 1"),
        ("crd2idx((1,1), (M-4,8), (1,4))", "5", "1 obligations"),
    ],
)
def test_operations_on_shapes_with_an_extent_below_1_make_no_sense(
    call: str, result: str, says: str
) -> None:
    found = check(make(f"{call} == {result}", part("formula", ["-"]), operations=[[call, result]]))
    assert found.status == "rejected" and says in found.reason
    text = f"{call} == {result}"
    if "M" in call:
        assert prove(text).status == "unknown"
        assert check(prove(text, given=["M >= 5"]).certificate).status == "checked"
    else:
        with pytest.raises(InputError, match="extents are at least 1"):
            prove(text)


@pytest.mark.parametrize("layout", ["(4,8):7", "(4,8):(1,2,3)", "Sw<3,0,1> o 0 o 8:1",
                                    "(4,8):(1@*,1@M)", "Sw<3,0,3> o (M == N) o 8:1"])  # fmt: skip
def test_the_size_of_what_is_no_layout_is_not_worked_out(layout: str) -> None:
    call, n = f"size({layout})", "8" if "Sw" in layout else "32"
    assert check(make(f"{call} == {n}", EVALUATE, operations=[[call, n]])).status != "checked"
    for strides in ("(1@0,-1@1)", "(M@1@0,2@1)"):
        assert prove(f"size((4,8):{strides}) == 32").status == "proved"
        assert check(prove(f"size((4,8):{strides}) == 32").certificate).status == "checked"


@pytest.mark.parametrize("call", ["idx2crd(100, (0,4))", "crd2idx(-1, (0,3))", "size((0,3))"])
def test_an_extent_of_0_is_refused(call: str) -> None:
    with pytest.raises(InputError, match="extents are at least 1"):
        evaluate(call)


@pytest.mark.parametrize(
    ("claim", "given"),
    [
        ("(x >> 5) ^ (x & 31) < 32", "0 <= x < 1024"),
        ("(x & 3) ^ (x & 6) <= 7", "x >= 0"),
        ("(((x & 3) ^ (y & 3)) | (x & 3)) <= 7", "x >= 0"),
        ("((x & 6) ^ (y & 1)) & 7 >= 0", "x >= 0"),
        ("(x & (B - 1)) ^ (y & 1) >= 0", "pow2(B)"),
        ("(i & (s - 1)) == 0 and i < s implies i == 0", "pow2(s)"),
    ],
)
def test_bits_in_bits_are_worked_out_again(claim: str, given: str) -> None:
    verdict = prove(claim, given)
    assert verdict.status in ("proved", "refuted"), verdict.reason
    if verdict.certificate is not None:
        assert check(verdict.certificate).accepted
        assert not any("algebra" in name for name in verdict.rests_on)
