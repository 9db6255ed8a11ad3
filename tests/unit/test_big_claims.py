"""Claims that are too large: an honest UNKNOWN that says which limit was struck, soon."""

from __future__ import annotations

import pytest

from symcute import prove, suggest
from symcute.expr import limits
from symcute.expr.polynomial import power, show, substitute, variable
from symcute.prover.driver import MAX_MODES, PRODUCTS
from symcute.prover.lattice import relation
from symcute.prover.static import TooHard, smallest_zero

POWER = "((M+N+K+P+Q+1)**20) >= M"


def alike(count: int, extent: str, stride: str) -> str:
    return f"({','.join([extent] * count)}):({','.join([stride] * count)})"


@pytest.mark.full
def test_polynomials_that_grow_too_large_are_given_up() -> None:
    verdict = prove(POWER)
    assert verdict.status == "unknown"
    assert verdict.reason == (
        f"its polynomials are too large: more than {PRODUCTS}000 products of terms, "
        "the limit for one claim"
    )
    assert suggest(POWER) is None


def test_what_a_claim_takes_is_the_same_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The work is counted, and that of claims that are proved is far below the limit."""
    taken = []
    multiply = limits.multiply
    for _ in range(2):
        work: list[int] = []
        monkeypatch.setattr(
            limits, "multiply", lambda n, work=work: (work.append(n), multiply(n))[1]
        )
        claim = "in_bounds(((Q,P),(C,S,R)):((C*v,C*W*u),(1,C*dw,C*W*dh)), C*H*W)"
        given = ["dh*(R-1)+u*(P-1) <= H-1", "dw*(S-1)+v*(Q-1) <= W-1"]
        assert prove(claim, given).status == "proved"
        taken.append(sum(work))
    assert 0 < taken[1] <= taken[0] < PRODUCTS * 1000 / 50


@pytest.mark.parametrize("text", [
    f"injective({alike(400, '2', '1')})", f"injective({alike(400, 'M', '1')})",
    f"in_bounds({alike(400, 'M', 'N')}, 5)",
])  # fmt: skip
def test_false_claims_about_many_modes_are_refuted(text: str) -> None:
    assert prove(text).status == "refuted"


@pytest.mark.parametrize("text", [
    f"in_bounds({alike(MAX_MODES + 1, 'M', '0')}, 1)",
    f"in_bounds({alike(MAX_MODES + 1, '2', '1')}, 1000)",
])  # fmt: skip
def test_true_claims_about_many_modes_are_unknown(text: str) -> None:
    """A certificate of them would be rejected: a checker reads no more modes."""
    verdict = prove(text)
    assert verdict.status == "unknown"
    assert verdict.reason == "a layout of 65 modes: claims about up to 64 are proved"
    fewer = text.replace("(M,", "(", 1).replace("(0,", "(", 1).replace("(2,", "(", 1)
    assert prove(fewer.replace(":(1,", ":(", 1)).status == "proved"


def test_strides_that_are_alike_need_no_search() -> None:
    modes = [(2, 3**k) for k in range(300)]
    assert smallest_zero([*modes, (2, -9)]) == [0, 0, 1, *[0] * 297, 1]
    assert smallest_zero([*modes, (2, 9)]) == [0, 0, 1, *[0] * 297, -1]
    assert smallest_zero([*modes, (1, 9)]) is None
    with pytest.raises(TooHard, match="more than 64 modes"):
        relation(range(1, 66), [1] * 65)


def test_blocks_inside_blocks_count_for_both() -> None:
    with limits.expanding(100):
        with limits.expanding(50):
            limits.multiply(40_000)
        with limits.expanding(80), pytest.raises(limits.TooLarge, match="more than 80000"):
            limits.multiply(70_000)
            limits.multiply(1)
        with limits.expanding(10, anew=True):
            limits.multiply(10_000)
    limits.multiply(10**9)  # nobody counts


def test_the_clock_is_looked_at_between_products() -> None:
    p = power(variable("M"), 2)
    for v in "NKPQ":
        p |= power(variable(v), 2)
    big = power(p, 9)
    with limits.expanding(10**9), limits.within(0), pytest.raises(limits.TimeLimit):
        power(big, 2)
    assert show(substitute(variable("M"), {"M": p})) == show(p)
