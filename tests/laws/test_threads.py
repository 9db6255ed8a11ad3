"""Claims about who holds what of a tile, against plain loops over instances.

As a program it goes on as long as one likes: `python -m tests.laws.test_threads SECONDS SEED`.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter

import pytest

from .test_requests import compare

EXTENTS = ("2", "2", "3", "4", "1", "M", "N", "M", "2*M", "M/2", "N/4", "M+1")
STATIC = ("2", "2", "3", "4", "1", "5")
GIVEN = ("M % 2 == 0", "N % 4 == 0", "M >= 2", "N == 2*M", "M <= N", "M == 4")
STRIDES = ("0", "1", "2", "3", "M", "N", "M*N", "-1", "M+1", "2*N")

Pairs = list[tuple[str, str]]


def product_of(factors: list[str]) -> str:
    # Parentheses around a leaf alone would make a tuple of it.
    return "*".join(["1", *(f"({x})" for x in factors)])


class Cases:
    """Random claims about thread-value layouts; about half of them are true."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def modes(self, symbolic: bool) -> Pairs:
        """Return the modes of a compact layout in any order, now and then with a fault in it."""
        rng = self.rng
        extents = rng.choices(EXTENTS if symbolic else STATIC, k=rng.choice((2, 3, 3, 4)))
        pairs = [(s, product_of(extents[:k])) for k, s in enumerate(extents)]
        if rng.random() < 0.3:
            k = rng.randrange(len(pairs))
            pairs[k] = (pairs[k][0], rng.choice(STRIDES[: None if symbolic else 4]))
        rng.shuffle(pairs)
        return pairs

    def layout(self, threads: Pairs, values: Pairs) -> str:
        parts = [self.nested([p[k] for p in side]) for k in (0, 1) for side in (threads, values)]
        return f"({parts[0]},{parts[1]}):({parts[2]},{parts[3]})"

    def nested(self, leaves: list[str]) -> str:
        return leaves[0] if len(leaves) == 1 else f"({','.join(leaves)})"

    def claim(self) -> tuple[str, list[str]]:
        rng = self.rng
        symbolic = rng.random() < 0.6
        given = ["M % 2 == 0", "N % 4 == 0"] if symbolic else []
        given += rng.sample(GIVEN, rng.choice((0, 0, 1))) if symbolic else []
        pairs = self.modes(symbolic)
        kind = rng.choice(("partition_exact", "partition_exact", "same_elements", "same_image"))
        if kind == "partition_exact":
            return self.exact(pairs), given
        if kind == "same_image":
            other = self.respelt(pairs)
            return f"same_image({self.flat(pairs)}, {self.flat(other)})", given
        cut = rng.randint(1, len(pairs) - 1)
        threads, values = pairs[:cut], pairs[cut:]
        others = threads if rng.random() < 0.7 else self.respelt(threads)
        left, right = self.layout(threads, values), self.layout(others, self.respelt(values))
        return f"same_elements({left}, {right})", given

    def exact(self, pairs: Pairs) -> str:
        rng = self.rng
        extents = [s for s, _ in pairs]
        copies = ""
        if rng.random() < 0.25:
            often = rng.choice(("2", "3", "1", "M"))
            pairs = [*pairs, (often if "M" in str(extents) or often != "M" else "2", "0")]
            rng.shuffle(pairs)
            copies = f", {rng.choice((pairs[-1][0], '2', '2', 'M'))}"
        cut = rng.randint(1, len(pairs) - 1)
        tile = rng.choice(
            (product_of(extents), f"({','.join(extents)})", f"(2,{product_of(extents)})")
        )
        return f"partition_exact({self.layout(pairs[:cut], pairs[cut:])}, {tile}{copies})"

    def respelt(self, pairs: Pairs) -> Pairs:
        """Return the modes in another order, one of them split or beside a mode that adds 0."""
        rng, found = self.rng, list(pairs)
        if rng.random() < 0.4:
            k = rng.randrange(len(found))
            s, d = found[k]
            if s in ("4", "2*M"):
                found[k : k + 1] = [("2", d), (f"({s})/2", f"2*({d})")]
        if rng.random() < 0.3:
            found.append(rng.choice((("3", "0"), ("1", "7"))))
        if rng.random() < 0.2:
            k = rng.randrange(len(found))
            found[k] = (found[k][0], rng.choice(STRIDES[:4]))
        rng.shuffle(found)
        return found

    def flat(self, pairs: Pairs) -> str:
        return f"({','.join(s for s, _ in pairs)}):({','.join(d for _, d in pairs)})"


@pytest.mark.parametrize("seed", range(3))
def test_verdicts_agree_with_loops(seed: int) -> None:
    rng, counts = random.Random(seed), Counter[str]()
    cases = Cases(rng)
    for _ in range(60):
        compare(*cases.claim(), rng, counts)
    assert counts["proved"] >= 12 and counts["refuted"] >= 15 and counts["compared"] >= 60, counts


if __name__ == "__main__":
    seconds, seed = float(sys.argv[1]), int(sys.argv[2])
    rng, counts = random.Random(seed), Counter[str]()
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        compare(*Cases(rng).claim(), rng, counts)
    print(dict(counts))
