"""Claims that no two places have one index, with symbolic sizes, against loops."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from symcute.prover import prove
from symcute.recheck import check
from tests.full import many, some

from .texts import Text

INSIDE = ["0 <= t < U*V*W", "0 <= u < U*V*W"]
#: The order in groups of rows, the last group being smaller; its row and its column.
GROUP = "min(M - {0} // (G*N)*G, G)"
ROW = "{0} // (G*N)*G + {0} % (G*N) % " + GROUP
COLUMN = "{0} % (G*N) // " + GROUP
TILES = ["0 <= t < M*N", "0 <= u < M*N"]


def twice(*indices: str) -> str:
    """Return the claim that two places with equal indices are one place."""
    equal = (f"{x.replace('{0}', 't')} == {x.replace('{0}', 'u')}" for x in indices)
    return f"{' and '.join(equal)} implies t == u"


def fails(claim: str, given: list[str], sizes: range, places: int) -> bool:
    """Return whether a claim fails where sizes and places are small."""
    text = Text(claim, given)
    names = sorted(text.names)
    every = (range(places) if n in "tu" else sizes for n in names)
    at = (dict(zip(names, values, strict=True)) for values in product(*every))
    return any(text.meets(env) and not text.true(env) for env in at)


CLAIMS = [
    (["{0} % U*(V*W) + {0} // (U*V)*V + {0} // U % V"], INSIDE, True),
    (["{0} % U*V + {0} // U"], ["0 <= t < U*V", "0 <= u < U*V"], True),
    (["{0} // (U*V)*(U*V) + {0} % U*V + {0} // U % V"], ["t >= 0", "u >= 0"], True),
    ([ROW, COLUMN], TILES, True),
    ([f"({ROW})*N + {COLUMN}"], TILES, True),
    (["{0} % U*(V*W) + {0} // (U*V)*W + {0} // U % V"], INSIDE, False),
    (["{0} % U*(V*W) + {0} // (U*V)*V + {0} // U % W"], INSIDE, False),
    (["{0} % U*(V*W) + {0} // (U*V)*V + {0} // U % V"],
     ["0 <= t <= U*V*W", "0 <= u <= U*V*W"], False),
    ([COLUMN], TILES, False),
    ([ROW], TILES, False),
]  # fmt: skip


@pytest.mark.parametrize(("indices", "given", "true"), some(CLAIMS, 4, 1))
def test_no_two_places_have_one_index(indices: list[str], given: list[str], true: bool) -> None:
    claim = twice(*indices)
    assert fails(claim, given, range(1, 4), 10) is not true
    verdict = prove(claim, given)
    assert verdict.status == ("proved" if true else "refuted"), verdict.reason
    if true:
        assert check(verdict.certificate).status in ("checked", "trusted")
        assert not any("algebra" in name for name in verdict.rests_on)


def test_two_indices_that_differ_say_nothing() -> None:
    claim = "t % U*V + t // U == u // U*V + u % U implies t == u"
    given = ["0 <= t < U*V", "0 <= u < U*V"]
    assert fails(claim, given, range(1, 4), 9)
    assert prove(claim, given).status == "refuted"


@pytest.mark.full
def test_drawn_orders_of_digits() -> None:
    random, proved, refuted = Random(5), 0, 0
    digits = {"{0} % U": "U", "{0} // U % V": "V", "{0} // (U*V)": "W"}
    for _ in range(many(4, 15)):
        order, above, terms = random.sample(list(digits), 3), "1", []
        for x in order:
            terms.append(f"{x}*({above})")
            above += f"*{digits[x] if random.random() < 0.85 else random.choice('UVW')}"
        claim = twice(" + ".join(terms))
        verdict = prove(claim, INSIDE, work=500)
        fell = fails(claim, INSIDE, range(1, 3), 8)
        proved += verdict.status == "proved"
        refuted += verdict.status == "refuted"
        assert not (fell and verdict.status == "proved"), claim
        if verdict.status == "refuted":
            text = Text(claim, INSIDE)
            assert text.meets(at := dict(verdict.counterexample.dims)) and not text.true(at)
    assert proved >= 2
    assert refuted >= 1
