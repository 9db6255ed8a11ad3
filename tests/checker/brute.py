"""Whether a statement is true, by loops over small instances, without checker and prover."""

from __future__ import annotations

import random
from functools import cache
from itertools import islice, product
from typing import Any

from symcute.claims.language import read_claim
from symcute.expr.assumptions import Assumptions

from ..laws import oracle
from ..laws.instances import lower_bound, meets

#: Instances looked at: all near the lower bounds, then some drawn at random.
NEAR, FAR, MOST = 400, 150, 40


@cache
def counterexample(claim: str, given: tuple[str, ...]) -> str | None:
    """Return an instance where the statement is false or makes no sense, if one was found.

    The claim is read and built as `symcute` does, its meaning is that of the oracle.
    """
    facts = list(Assumptions.of(list(given)).formulas)
    value = read_claim(claim, given=list(given))
    if value.name in ("table", "prints_as"):  # what they say is how they are evaluated
        return value.brute()
    names = sorted(value.dims() | set().union(*(f.dims() for f in facts)))
    for env in _instances(facts, names):
        try:
            if not oracle.holds(value, env):
                return f"{env}: false"
        except oracle.NoSuchLayout as error:
            return f"{env}: {error}"
        except oracle.TooLarge:
            continue
    return None


def _instances(facts: list[Any], names: list[str]) -> Any:
    low = [lower_bound(facts, n) for n in names]
    rng = random.Random(0)
    near = (x for total in range(9) for x in product(range(total + 1), repeat=len(names))
            if sum(x) == total)  # fmt: skip
    far = (tuple(rng.choice((0, 1, 2, 3, 5, 7, 11, 31)) for _ in names) for _ in range(FAR))
    found = 0
    for x in [*islice(near, NEAR), *far]:
        env = {n: b + v for n, b, v in zip(names, low, x, strict=True)}
        if meets(facts, env):
            found += 1
            yield env
        if found > MOST * 4:
            return
