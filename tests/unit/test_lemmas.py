"""Lemmas: what they suggest, that polynomials alone prove it, and that it means what it says.

Every suggestion is tested against brute force: wherever its obligations hold, the claim does.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from symcute.claims import Agree, Apart, Claim, Covers, Disjoint, Holds, InBounds, Injective
from symcute.claims.language import read_claim
from symcute.errors import InputError
from symcute.expr.formula import Formula
from symcute.layout.layout import Layout
from symcute.prover import static, structural
from symcute.prover.decision import Step
from symcute.solve.entailment import Entailment, facts

Given = list[str]


def every_obligation(step: Step) -> Iterator[Formula]:
    yield from step.obligations
    for inner in step.inner.values():
        yield from every_obligation(inner)


def lemmas(step: Step) -> str:
    """`mod(chain, chain)`: the lemma, and those inside it."""
    inner = ", ".join(lemmas(x) for x in step.inner.values())
    return f"{step.lemma}({inner})" if inner else step.lemma


def proved_by(claim: Claim, known: Entailment, solver: bool = False) -> str | None:
    """Return the lemmas of the first suggestion whose obligations are all proved."""
    if isinstance(claim, Holds):
        return "formula" if known.proof(claim.formula, solver=solver) else None
    for step in structural.steps(claim, known):
        if all(known.proof(f, solver=solver) for f in every_obligation(step)):
            return lemmas(step)
    return None


TRUE: list[tuple[str, Given, str]] = [
    ("injective((M,N):(LD,1))", ["LD >= N"], "chain"),
    ("injective((M,N):(-LD,1))", ["LD >= N"], "chain"),
    ("injective((M,N,K):(N,1,M*N))", [], "chain"),
    ("injective((128,M/128):(M/128,1))", ["M % 128 == 0"], "chain"),
    ("injective((M,N):(0,1))", ["M == 1"], "chain"),
    ("injective((M,N,P):(K,K+1,0))", ["M <= K+1", "P == 1"], "mod(chain, mod(chain, chain))"),
    ("injective((M,N):(K,K+1))", ["M <= K+1"], "mod(chain, chain)"),
    ("injective((M,N):(K,K+1))", ["N <= K"], "mod(chain, chain)"),
    ("injective((M,N):(2,3))", ["N <= 2"], "mod(chain, chain)"),
    ("injective((M,N):(-2,3))", ["N <= 2", "M >= 5"], "mod(chain, chain)"),
    ("injective((M,N):(5,7))", ["M <= 7"], "mod(chain, chain)"),
    ("injective((M,N):(4*K,6*K))", ["M <= 3"], "mod(chain, mod(chain, chain))"),
    ("injective((M,N):(2*K*(P+1),3*P*K+3*K))", ["M <= 3"], "mod(chain, mod(chain, chain))"),
    ("injective((2,M):(2*N+1,2))", [], "mod(chain, chain)"),
    ("injective((K,M):(3*K*N+1,K))", [], "mod(chain, chain)"),
    ("injective((2,M,P):(2*N+1,2,2*M))", [], "mod(chain, chain)"),
    ("injective((G,N):(G*K+1,G*S))", [], "mod(chain, chain)"),
    ("injective((4,N):(2*K+1,4))", [], "mod(chain, chain)"),
    ("injective((K,P,M):(3*K*N+1,K,2*P*K))", [], "mod(chain, chain)"),
    ("injective((2,M,N):(3,4,6))", ["M <= 3"], "mod(chain, chain)"),
    (
        "injective((128,P):(LD,128*LD), where((128,P):(1,128), M))",
        [],
        "chain",
    ),
    (
        "injective((8,P,4,Q):(LD,8*LD,1,4), where((8,P,4,Q):(0,0,1,4), N))",
        ["LD >= N"],
        "merge(chain)",
    ),
    (
        "in_bounds((32,4,P):(1,32,128), M+1, where((32,4,P):(1,32,128), M))",
        [],
        "given bound",
    ),
    (
        "in_bounds((32,4,P,N):(1,32,128,M), M*N, where((32,4,P,N):(1,32,128,0), M))",
        [],
        "merge(bounds)",
    ),
    (
        "in_bounds((8,P,4,Q):(N,8*N,1,4), M*N, "
        "where((8,P,4,Q):(1,8,0,0), M), where((8,P,4,Q):(0,0,1,4), N))",
        [],
        "merge(merge(bounds))",
    ),
    ("in_bounds((M,N):(LD,1), (M-1)*LD+N)", ["LD >= 0"], "bounds"),
    ("in_bounds((M,N):(1,M), M*N)", [], "bounds"),
    ("in_bounds((M,N):(-1,0), 5)", ["M == 1"], "bounds"),
    ("covers((M,N):(1,M), M*N)", [], "cover"),
    ("covers((M,N):(N,1), M*N-K)", ["K >= 0"], "cover"),
    ("covers((M,N,K):(1,M,-LD), M*N)", ["LD >= 0"], "cover"),
    ("covers((128,ceil_div(M,128)):(1,128), M)", [], "cover"),
    ("covers((M,N):(1,P), M+P)", ["P <= M", "N >= 2"], "cover"),
    ("disjoint(M:1, N:M)", [], "together(chain)"),
    ("disjoint((M,K):(1,0), N:M)", [], "together(chain)"),
    ("disjoint((M,K):(1,LD), N:M)", ["M*N <= LD"], "together(chain)"),
    ("disjoint(M:35, N:24)", ["M <= 24"], "together(mod(chain, chain))"),
    ("disjoint((M,7):(35,0), N:24)", ["M <= 24"], "together(mod(chain, chain))"),
    ("disjoint(2:2*K+1, N:2)", [], "together(mod(chain, chain))"),
    ("apart(M:1, N:1, M)", [], "beyond"),
    ("apart(M:1, N:1, -N)", [], "beyond"),
    ("apart(M:-1, N:1, 1)", [], "beyond"),
    ("apart(M:2, N:2, 1)", [], "offset mod"),
    ("apart(M:4, (2,N):(1,4), 2)", [], "offset mod"),
    ("apart((M,K):(1,LD), (N,K):(1,LD), M)", ["LD >= M+N"], "offset mod"),
    ("apart((M,K):(1,LD), (N,K):(1,LD), M+LD*P)", ["LD >= M+N", "P >= 0"], "offset mod"),
    ("equal((M,N):(1,M), M*N:1)", [], "agree"),
    ("equal((4,M/4):(1,4), M:1)", ["M % 4 == 0"], "agree"),
    ("equal((M/4,4):(1,M/4), M:1)", ["M % 4 == 0"], "agree"),
    ("equal(((M,2),N):((1,M),2*M), (2*M,N):(1,2*M))", [], "agree"),
    ("equal((M,2,N):(LD,M*LD,1), (M,(2,N)):(LD,(M*LD,1)))", [], "agree"),
    ("equal((M,1,N):(1,7,LD), (M,N):(1,LD))", [], "agree"),
    ("equal((M,K,N):(1,7,LD), (M,N):(1,LD))", ["K == 1"], "agree"),
    ("equal((M*N,K):(1,LD), (M,N,K):(1,M,LD))", [], "agree"),
    ("equal((6,M):(1,LD), (2,3,M):(1,2,LD))", [], "agree"),
    ("is_composition((N,M):(M,1), (M,N):(1,M), (N,M):(M,1))", [], "agree"),
    ("is_composition((N,M):(1,LD), (M,N):(LD,1), (N,M):(M,1))", [], "agree"),
    ("is_composition((4,N/4):(D,4*D), N:D, (4,N/4):(1,4))", ["N % 4 == 0"], "agree"),
    ("is_composition((M,K):(LD,LD*P), (P*Q,N):(LD,1), (M,K):(1,P))", ["M <= P", "K <= Q"], "agree"),
    ("is_composition((2,N):(LD,1), (4,N):(LD,1), (2,N):(1,4))", [], "agree"),
    ("is_composition((M/2,2,N):(2*LD,1,N+7), (M,2,N):(LD,1,N+7), (M/2,2,N):(2,M,2*M))",
     ["M % 2 == 0"], "agree"),
    ("is_composition(M:3*LD, (P,Q):(LD,1), M:3)", ["3*M <= P"], "agree"),
    ("is_composition(M:0, (P,Q):(LD,1), M:0)", [], "agree"),
    ("is_composition((N,2):(S,2*P*S), (2*P,M):(S,2*P*S), (N,2):(1,2*P))", [], "agree"),
    ("is_right_inverse((N,M):(M,1), (M,N):(N,1))", [], "agree"),
    ("is_right_inverse((M,N):(1,M), (M,N):(1,M))", [], "agree"),
    ("is_left_inverse((LD,M):(M,1), (M,N):(LD,1))", ["LD >= N"], "agree"),
    ("is_left_inverse((4,M):(M,1), (M,4):(4,1))", [], "agree"),
    ("is_left_inverse((P,Q):(1,M), (M,N):(1,P))", ["P >= M", "Q >= N"], "agree"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "given", "expected"), TRUE)
def test_polynomials_alone_prove_what_a_lemma_suggests(
    text: str, given: Given, expected: str
) -> None:
    claim, known = read_claim(text, given=given), facts(given)
    found = [proved_by(part, known) for part in claim.parts()]
    assert found[-1] == expected
    assert None not in found
    assert brute_failures(claim, known, 40) == []


def brute_failures(claim: Claim, known: Entailment, limit: int) -> list[str]:
    """Return what goes wrong at small instances; some are looked at."""
    instances = list(known.instances(claim.dims(), limit))
    assert instances
    parts = [part for values in instances for part in claim.at(values).parts()]
    return [failure for part in parts if (failure := part.brute()) is not None]


FALSE: list[tuple[str, Given]] = [
    # A chain with a padding one too small, without its assumption, of a stride that may be 0.
    ("injective((M,N):(LD,1))", ["LD >= N-1"]),
    ("injective((M,N):(LD,1))", []),
    ("injective((M,N):(LD,1))", ["LD >= 0"]),
    ("injective((M,N,K):(N,1,M*N-1))", []),
    # Cofactors without the bound of an extent; a common factor that leaves a clash, or may be 0.
    ("injective((M,N):(K,K+1))", ["M <= K+2"]),
    ("injective((M,N):(K,K+1))", ["N <= K+1"]),
    ("injective((M,N):(4*K,6*K))", ["M <= 4"]),
    ("injective((M,N):(4*K,6*K))", ["M <= 3", "K >= 0"]),
    # A modulus that the reach attains; a residue that is not there.
    ("injective((3,M):(2*N+1,2))", []),
    ("injective((K+1,M):(3*K*N+1,K))", []),
    ("injective((2,M):(2*N,2))", []),
    ("injective((G+1,N):(G*K+1,G*S))", []),
    ("injective((5,N):(2*K+1,4))", []),
    ("injective((4,N):(2*K,4))", []),
    ("injective((2,M):(N,2))", []),
    # Guards: one more row, another stride, a guard of something else.
    ("in_bounds((4,P):(1,4), M-1, where((4,P):(1,4), M))", []),
    ("in_bounds((4,P):(1,4), M, where((4,P):(1,3), M))", []),
    ("in_bounds((4,P):(1,5), M, where((4,P):(1,4), M))", []),
    ("in_bounds((4,P,N):(1,4,M), M*N, where((4,P,N):(1,4,-1), M))", ["N >= 2"]),
    ("in_bounds((2,P,2,Q):(N,2*N,1,2), M*N, where((2,P,2,Q):(1,2,0,0), M))", []),
    ("injective((2,P,2,Q):(LD,2*LD,1,2), where((2,P,2,Q):(0,0,1,2), N))", ["LD >= N-1"]),
    ("in_bounds((M,N):(LD,1), (M-1)*LD+N-1)", ["LD >= 0"]),
    ("in_bounds((M,N):(LD,1), (M-1)*LD+N)", ["LD >= -1"]),
    ("covers((M,N):(1,M), M*N+1)", []),
    ("covers((M,N):(1,M+1), M*N)", []),
    ("covers((4,M//4):(1,4), M)", ["M >= 4"]),
    ("disjoint(M:1, N:M-1)", []),
    ("disjoint((M,K):(1,LD), N:M)", ["LD >= 0"]),
    ("disjoint(M:35, N:24)", ["M <= 25"]),
    ("disjoint(3:2*K+1, N:2)", []),
    ("apart(M:1, N:1, M-1)", []),
    ("apart(M:1, N:1, 1-N)", []),
    ("apart(M:2, N:2, 2)", []),
    ("apart(M:2, N:K, 1)", []),
    ("apart(M:4, (3,N):(1,4), 2)", []),
    ("apart((M,K):(1,LD), (N,K):(1,LD), M)", ["LD >= M+N-1"]),
    ("equal((M,N):(1,M), (N,M):(1,M))", []),
    ("equal((4,M/4):(1,5), M:1)", ["M % 4 == 0"]),
    ("equal((M,K,N):(1,7,LD), (M,N):(1,LD))", ["K <= 2"]),
    ("equal((M,N):(1,LD), M*N:1)", ["LD >= M"]),
    ("is_composition((N,2):(S,2*P*S), (2*P,M):(S,2*P*S+1), (N,2):(1,2*P))", []),
    ("is_composition((N,2):(S,0), (2*P,M):(S,0), (N,2):(1,2*P))", []),
    # Digits that carry, or run over the last mode of the outer layout.
    ("is_composition((M,K):(LD,LD*P), (P*Q,N):(LD,1), (M,K):(1,P))", ["M <= P", "K <= Q+1"]),
    ("is_composition((M,K):(LD,LD*P), (P*Q,N):(LD,1), (M,K):(1,P))", ["M <= P+1", "K <= Q"]),
    ("is_composition((2,N):(LD,2), (4,N):(LD,1), (2,N):(1,4))", []),
    ("is_composition(M:3*LD, (P,Q):(LD,1), M:3)", ["3*M <= P+3"]),
    ("is_composition(M:0, (1,1):(LD,5), M:1)", []),
    ("is_composition((M,N):(D,0), (M,1):(D,1), (M,N):(1,M))", []),
    ("is_right_inverse((M,N):(1,M), (M,N):(N,1))", []),
    ("is_left_inverse((LD,M):(N,1), (M,N):(LD,1))", ["LD >= N"]),
    ("is_left_inverse((LD,M):(M,1), (M,N):(LD,1))", ["LD >= N-1", "LD >= 1"]),
    # A complement whose strides fall: flips and another order would tell it apart.
    ("is_complement((N,2):(2*M,M), M:1, 2*M*N)", ["N >= 2"]),
    ("is_complement(N:-M, M:1, M*N)", []),
    ("is_complement(N:M, M:D, M*N)", ["D >= 0", "D <= 1"]),
    ("monotone((M,N):(1,M-2))", []),
    ("increasing((M,N):(1,M-1))", []),
    ("aligned((M,N):(8,4*LD), 8)", []),
    ('no_overflow("i*LD + j", 4)', ["0 <= i", "i < M", "0 <= j", "j < LD", "M*LD <= 9"]),
    ("partition((4,P):(1,4), M)", []),
    ("compact((M,8,N):(N,0,2))", []),
    ("refines((M,N), M*N+1)", []),
]


@pytest.mark.parametrize(("text", "given"), FALSE)
def test_false_neighbours_have_no_proof(text: str, given: Given) -> None:
    claim, known = read_claim(text, given=given), facts(given)
    found = [proved_by(part, known) for part in claim.parts()]
    assert None in found


@pytest.mark.parametrize(("text", "given"), FALSE)
def test_false_neighbours_are_false(text: str, given: Given) -> None:
    claim, known = read_claim(text, given=given), facts(given)
    parts = (part for at in known.instances(claim.dims(), 600) for part in at_dims(claim, at))
    assert any(static.decide(part) is not None for part in parts)


def at_dims(claim: Claim, values: dict[str, int]) -> tuple[Claim, ...]:
    try:
        return claim.at(values).parts()
    except InputError:  # an extent below 1, a quotient that is no integer
        return ()


LEAVES = ("1", "2", "3", "4", "M", "N", "2*M", "M*N", "N+1", "3*N", "K", "K*M", "2*N+1")
STRIDES = (*LEAVES, "0", "-1", "-M", "M-1", "-N*M", "4*K", "6")
GIVEN = ("M <= N", "N <= M", "K >= M*N", "K == M", "M % 2 == 0", "N % 2 == 1", "K >= 0", "M <= 3")


def random_layout(rng: random.Random, rank: int) -> Layout:
    shape = ",".join(rng.choice(LEAVES) for _ in range(rank))
    stride = ",".join(rng.choice(STRIDES) for _ in range(rank))
    return Layout.parse(f"({shape}):({stride})")


def random_claims(rng: random.Random) -> Iterator[Claim]:
    layout = random_layout(rng, rng.randint(1, 3))
    guard = Layout(layout.shape, random_layout(rng, layout.rank()).stride)
    one, other = random_layout(rng, rng.randint(1, 2)), random_layout(rng, rng.randint(1, 2))
    bound = random_layout(rng, 1).size()
    yield Injective(layout)
    yield Injective(layout, ((guard, bound),))
    yield InBounds(layout, bound * layout.size())
    yield InBounds(layout, bound, ((guard, bound),))
    yield Covers(layout, bound)
    yield Disjoint(one, other)
    yield Apart(one, other, bound)
    yield Agree((one,), (other,), one)
    yield Agree((one, other), (random_layout(rng, 2),), other)
    yield Agree((layout, one), (), one)


@pytest.mark.parametrize("seed", range(3))
def test_where_the_obligations_hold_the_claim_does(seed: int) -> None:
    """The lemmas themselves, instance by instance, whatever proves their obligations."""
    rng, seen = random.Random(seed), Counter[str]()
    for _ in range(25):
        known = facts(rng.sample(GIVEN, rng.randint(0, 2)))
        for claim in random_claims(rng):
            for step in structural.steps(claim, known):
                obligations = list(every_obligation(step))
                for values in known.instances(claim.dims(), 25):
                    if all(holds(f, values) for f in obligations):
                        seen[step.lemma] += 1
                        assert truth(claim, values), (claim, values, step)
    assert seen["chain"] > 10
    assert len(seen) >= 5


def holds(formula: Formula, values: dict[str, int]) -> bool:
    try:
        return formula.holds(values)
    except InputError:
        return False


def truth(claim: Claim, values: dict[str, int]) -> bool:
    try:
        return claim.at(values).brute() is None
    except InputError:  # an extent below 1, or too many coordinates: nothing is claimed there
        return True
