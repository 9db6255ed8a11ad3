"""An index taken to digits and put together with other strides, against every instance of a box."""

from __future__ import annotations

import json
from itertools import product
from random import Random

import pytest

from symcute import recheck
from symcute.expr.assumptions import Assumptions
from symcute.prover import prove
from tests.full import many

SIZES, INDICES = (1, 2, 3), range(55)


def _claim(random: Random) -> tuple[str, list[str]]:
    """Return a bound of digits put together, and of the index; now and then one of them is off."""
    sizes = random.sample(["A", "B", "C", "2", "3"], random.randint(2, 3))
    whole, digits = "*".join(sizes), []
    for k, size in enumerate(sizes):
        inner = "*".join(sizes[k + 1 :])
        quotient = f"(i // ({inner}))" if inner else "i"
        first = k == 0 and random.random() < 0.8  # nothing is above it
        digits.append((quotient if first else f"({quotient} % {size})", size))
    if random.random() < 0.15:
        digits.pop()
    random.shuffle(digits)
    terms, stride = [], "1"
    for digit, size in digits:
        terms.append(f"{digit}*({stride})")
        stride = stride if random.random() < 0.1 else f"{stride}*{size}"
    end = random.choice(["", "", "", " - 1", " + 1"])
    given = [f"0 <= i {random.choice(['<', '<', '<', '<='])} {whole}"]
    given += ["A % 2 == 0"] * (random.random() < 0.2)
    return f"{' + '.join(terms)} < {whole}{end}", given


def _broken(claim: str, given: list[str]) -> bool:
    assumed, (f,) = Assumptions.of(given), Assumptions.of(claim).formulas
    names = sorted((f.dims() | assumed.dims()) - {"i"})
    for values in product(SIZES, repeat=len(names)):
        at = dict(zip(names, values, strict=True))
        for i in INDICES:
            here = {**at, "i": i}
            if assumed.hold(here) and not f.holds(here):
                return True
    return False


def test_digits_with_other_strides_are_decided_by_their_bounds() -> None:
    random, told = Random(9), {"proved": 0, "refuted": 0, "unknown": 0}
    count = many(40, 400)
    for _ in range(count):
        claim, given = _claim(random)
        verdict = prove(claim, given=given, work=60)
        told[verdict.status] += 1
        if verdict.status == "proved":
            assert not _broken(claim, given), (claim, given)
            assert recheck.check(json.dumps(verdict.certificate)).accepted, (claim, given)
        if verdict.counterexample is not None:
            at = dict(verdict.counterexample.dims)
            (f,) = Assumptions.of(claim).formulas
            assert Assumptions.of(given).hold(at) and not f.holds(at), (claim, given, at)
    assert told["unknown"] <= 0.05 * count, told
    assert min(told["proved"], told["refuted"]) >= 0.15 * count, told


@pytest.mark.parametrize(
    ("claim", "given", "true"),
    [
        # the bits of digits: of a phase, and of one half of a power of two
        ("(k + S) // S % 2 == 1 - k // S % 2", ["k >= 0"], True),
        ("(k + S) // S % 3 == 1 - k // S % 3", ["k >= 0"], False),
        ("(k + 2*S) // S % 2 == k // S % 2", ["k >= 0"], True),
        ("(k + 2*S) // S % 4 == k // S % 4", ["k >= 0"], False),
        ("(x ^ (B // 2)) < B", ["pow2(B)", "B >= 2", "0 <= x < B"], True),
        ("(x ^ (B // 2)) < B", ["pow2(B)", "B >= 2", "0 <= x <= B"], False),
        ("(x ^ (B // 2)) < B - 1", ["pow2(B)", "B >= 2", "0 <= x < B"], False),
        ("x // (B // 2) % 2 == x // (B // 2)", ["pow2(B)", "B >= 2", "0 <= x < B"], True),
        ("x // (B // 2) % 2 == x // (B // 2)", ["pow2(B)", "B >= 2", "0 <= x < 2*B"], False),
        # the first bits of an index that ends with all of them: partners of a butterfly
        ("(x ^ 3) < 4*n", ["0 <= x < 4*n"], True),
        ("(x ^ 3) < 4*n - 1", ["0 <= x < 4*n"], False),
        ("(x ^ 4) < 4*n", ["0 <= x < 4*n"], False),
        ("(x ^ 3) < n", ["0 <= x < n", "n % 4 == 0"], True),
        ("(x ^ 3) < n", ["0 <= x < n", "n % 2 == 0"], False),
        ("(x ^ 1) < n", ["0 <= x < n", "n % 2 == 0"], True),
        ("(x ^ 1) < n", ["0 <= x < n"], False),
    ],
)
def test_bits_of_digits_and_false_neighbours(claim: str, given: list[str], true: bool) -> None:
    verdict = prove(claim, given)
    assert verdict.status == ("proved" if true else "refuted"), verdict.reason
    if true:
        assert recheck.check(json.dumps(verdict.certificate)).accepted
        assert verdict.rests_on == ("arithmetic",)
