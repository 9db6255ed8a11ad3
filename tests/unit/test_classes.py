"""What is decided in classes of residues against every instance of a box."""

from __future__ import annotations

import json
from itertools import product
from random import Random

from symcute import recheck
from symcute.expr.assumptions import Assumptions
from symcute.prover import prove
from symcute.solve.classes import by_classes
from tests.full import many

BOX = [{"M": m, "N": n} for m, n in product(range(-7, 14), range(-7, 14))]


def _polynomial(random: Random) -> str:
    factors = ["M", "N", "(M + 1)", "(M - N)", "M**2", "(N + 2)", "2", "3", "M % 2", "(N**3 % 3)"]
    terms = ["*".join(random.sample(factors, random.randint(1, 3))) for _ in range(2)]
    return f"{terms[0]} {random.choice('+-')} {terms[1]}"


def _relation(random: Random, wild: bool) -> str:
    c = random.choice([2, 2, 3, 4, 6, 8])
    p = f"({_polynomial(random)}) % {c}"
    if wild and random.random() < 0.2:
        p = random.choice([f"{p} + M", f"({_polynomial(random)}) // {c}", f"min({p}, N)"])
    if random.random() < 0.2:
        p = random.choice([f"max({p}, 1)", f"({p})*({p})", f"({p} + 1) // 2"])
    return f"{p} {random.choice(['==', '==', '<=', '<', '!='])} {random.randint(0, c - 1)}"


def _claim(random: Random, wild: bool) -> str:
    one, other = _relation(random, wild), _relation(random, wild)
    return random.choice([one, f"({one}) or ({other})", f"({one}) implies ({other})"])


def test_what_holds_in_each_class_holds_everywhere() -> None:
    random, told = Random(17), {True: 0, False: 0}
    for _ in range(many(150, 6000)):
        claim, given = _claim(random, True), [_relation(random, True)] * (random.random() < 0.5)
        (f,) = Assumptions.of(claim).formulas
        facts = Assumptions.of(given).formulas
        at = [x for x in BOX if all(g.holds(x) for g in facts)]
        holds = all(f.holds(x) for x in at)
        found = by_classes(f, facts)
        assert found is None or holds, (claim, given)
        told[found is not None] += 1
    assert min(told.values()) >= many(15, 600), told


def test_where_nothing_but_remainders_matters_all_is_decided() -> None:
    random, told = Random(18), {"proved": 0, "refuted": 0}
    for _ in range(many(36, 1000)):
        claim = _claim(random, False)
        verdict = prove(claim, work=100)
        (f,) = Assumptions.of(claim).formulas
        natural = [x for x in BOX if min(x.values()) >= 1]
        assert verdict.status == ("proved" if all(map(f.holds, natural)) else "refuted"), claim
        told[verdict.status] += 1
        if verdict.status == "proved":
            assert recheck.check(json.dumps(verdict.certificate)).status == "checked", claim
    assert min(told.values()) >= many(5, 150), told


def test_a_quotient_is_whole_in_all_classes_or_refuted() -> None:
    random, told = Random(19), {"proved": 0, "refuted": 0}
    while min(told.values()) < many(6, 200):
        factors = ["M", "N", "(M + 1)", "(M + 2)", "(N + 1)", "(2*M + 1)", "(M + N)", "(M*M + 5)"]
        x = "*".join(random.sample(factors, random.randint(1, 3)))
        x, c = f"({x}{random.choice(['', ' + 2*N', ' + M'])})", random.choice([2, 2, 3, 4, 6, 6, 8])
        given = random.choice([[], ["M % 2 == 0"], ["N % 3 == 0"], ["M % 4 == 2"]])
        facts, (f,) = Assumptions.of(given), Assumptions.of(f"{x} // {c}*{c} == {x}").formulas
        box = [{"M": m, "N": n} for m, n in product(range(1, 25), range(1, 25))]
        true = all(f.holds(at) for at in box if facts.hold(at))
        verdict = prove(f"{x} // {c}*{c} == {x}", given=given)
        assert verdict.status == ("proved" if true else "refuted"), (x, c, given)
        if true:
            assert recheck.check(json.dumps(verdict.certificate)).status == "checked"
        told[verdict.status] += 1
