"""Random claims and operations against plain loops.

From the command line: `python -m tests.laws.fuzz --help`.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from symcute import recheck
from symcute.claims.language import evaluate, read_claim
from symcute.errors import InputError, NotAdmissible, SymcuteError, Undecided
from symcute.expr.assumptions import Assumptions
from symcute.prover import prove
from symcute.solve import entailment as facts_module

from . import oracle
from .generate import NAMES, Generator
from .instances import instances, meets
from .oracle import NoSuchLayout, TooLarge


@dataclass
class Tally:
    """What a run counted, and the faults it found."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def fault(self, text: str) -> None:
        self.faults.append(text)

    def __str__(self) -> str:
        lines = [f"{k:44} {v}" for k, v in sorted(self.counts.items())]
        return "\n".join([*lines, f"FAULTS: {len(self.faults)}", *self.faults])


def one_claim(gen: Generator, tally: Tally, work: int, most: int = 120) -> None:
    """Draw a claim and compare its verdict with loops over many instances."""
    texts = gen.assumptions() if gen.names else []
    text = gen.claim()
    gen.quotients.clear()
    case = f"{text}  given {texts}"
    try:
        given = list(Assumptions.of(texts).formulas)
        claim = read_claim(text, given=texts)
    except (InputError, Undecided):
        tally.counts["claims that could not be built"] += 1
        return
    except Exception as error:
        tally.fault(f"CRASH building {case}: {error!r}")
        return
    try:
        again = read_claim(claim.text(), given=texts)
        if type(again) is not type(claim) or not _alike(again.leaves(), claim.leaves(), gen.rng):
            tally.fault(f"ROUND TRIP {case}: {claim.text()}")
        for f in given:
            (other,) = Assumptions.of(str(f)).formulas
            if not _alike((f,), (other,), gen.rng):
                tally.fault(f"ROUND TRIP of assumption {f}: {other}")
    except SymcuteError as error:
        tally.fault(f"ROUND TRIP {case}: {claim.text()}: {error}")
    try:
        verdict = prove(claim.text() if gen.chance(0.3) else claim, given=texts, work=work)
    except InputError as error:
        tally.counts["prove raised InputError"] += 1
        tally.counts[f"prove raised InputError: {str(error)[:60]}"] += 1
        return
    except Exception as error:
        tally.fault(f"CRASH proving {case}: {error!r}")
        return
    if "time limit" in verdict.reason:
        tally.fault(f"SLOW: {case}: {verdict.reason}")
    status = "vacuous" if verdict.vacuous else verdict.status
    tally.counts[f"verdict {status}"] += 1
    tally.counts[f"verdict {claim.name}: {status}"] += 1
    names = sorted(claim.dims() | set().union(*(f.dims() for f in given)))
    if status == "refuted":
        _check_refuted(case, verdict, claim, given, names, tally)
        return
    if status == "proved":
        _check_certificate(case, verdict, gen.rng, tally)
    compared = failing = 0
    for env in instances(given, names, gen.rng, most):
        if status == "vacuous":
            tally.fault(f"WRONG vacuous {case} at {env}")
            return
        try:
            true = oracle.holds(claim, env)
        except TooLarge:
            continue
        except NoSuchLayout as error:
            if status == "proved":
                tally.fault(f"PROVED, yet no layout at {env} ({error}): {case} [{verdict.how}]")
                return
            continue
        compared += 1
        if not true:
            failing += 1
            if status == "proved":
                tally.fault(f"WRONG proved {case} at {env} [{verdict.how}]")
                return
    tally.counts["instances compared"] += compared
    if status == "unknown":
        tally.counts[f"unknown, {'false' if failing else 'no instance fails'}"] += 1
        if failing and not claim.dims():
            tally.fault(f"UNKNOWN static claim that is false: {case}")
        reason = verdict.reason.split("(")[0][:40]
        tally.counts[f"unknown because: {reason}"] += 1
    elif status == "proved" and not compared:
        tally.counts["proved, no instance compared"] += 1


def _check_refuted(
    case: str, verdict: Any, claim: Any, given: list[Any], names: list[str], tally: Tally
) -> None:
    env = dict(verdict.counterexample.dims)
    if claim.dims() - set(env):
        tally.fault(f"REFUTED without values for {claim.dims() - set(env)}: {case}: {env}")
    elif env and not meets(given, env):
        tally.fault(f"REFUTED at {env}, which does not meet the assumptions: {case}")
    else:
        try:
            if oracle.holds(claim, env):
                tally.fault(f"WRONG refuted {case} at {env}: {verdict.counterexample}")
            tally.counts["counterexamples compared"] += 1
        except TooLarge:
            tally.counts["counterexamples too large"] += 1
        except NoSuchLayout as error:
            tally.fault(f"REFUTED at {env}, where a layout is none ({error}): {case}")


def _check_certificate(case: str, verdict: Any, rng: random.Random, tally: Tally) -> None:
    """The checker accepts the certificate, and does not accept it for what it does not prove."""
    result = recheck.check(json.dumps(verdict.certificate))
    if not result.accepted:
        tally.fault(f"CERTIFICATE rejected ({result.reason}): {case} [{verdict.how}]")
        return
    tally.counts["certificates accepted"] += 1
    bare = [x for x in result.rests_on if {"z3", "cvc5"} & set(x.split())]
    tally.counts["certificates that rest on a solver"] += bool(bare)
    if not verdict.certificate["given"] or bare:
        return
    forged = json.loads(json.dumps(verdict.certificate))
    forged["given"].pop(rng.randrange(len(forged["given"])))
    forged = recheck.written(forged)
    if not recheck.check(json.dumps(forged)).accepted:
        tally.counts["certificates with an assumption less: rejected"] += 1
        return
    tally.counts["certificates with an assumption less: accepted"] += 1
    given = list(Assumptions.of(forged["given"]).formulas)
    claim = read_claim(forged["claim"], given=forged["given"])
    spoken = [*given, *claim.layouts()]
    names = sorted(claim.dims() | set().union(*(x.dims() for x in spoken)))
    for env in instances(given, names, rng, 60):
        try:
            true = oracle.holds(claim, env)
        except TooLarge:
            continue
        except NoSuchLayout:
            true = False
        if not true:
            tally.fault(f"FORGED certificate accepted for {forged['claim']} at {env}: {case}")
            return


def _alike(one: tuple[Any, ...], other: tuple[Any, ...], rng: random.Random) -> bool:
    """Return whether two tuples of leaves or formulas have the same values at random dims."""
    if len(one) != len(other):
        return False
    for _ in range(12):
        env = {n: rng.choice((1, 2, 3, 4, 6, 12, 24, 35)) for n in NAMES}
        for x, y in zip(one, other, strict=True):
            if hasattr(x, "holds"):
                if x.op != y.op or not _alike(x.args, y.args, rng):
                    return False
            elif _value(x, env) != _value(y, env):
                return False
    return True


def _value(leaf: Any, env: dict[str, int]) -> Any:
    try:
        return oracle.fraction(leaf, env)
    except NoSuchLayout:
        return None


def one_operation(gen: Generator, tally: Tally, most: int = 60) -> None:
    """Draw an operation and compare its result with the definition at many instances."""
    texts = gen.assumptions() if gen.names else []
    text = gen.operation()
    gen.quotients.clear()
    name = text.split("(")[0]
    case = f"{text}  given {texts}"
    tally.counts[f"operation {name}"] += 1
    try:
        given = list(Assumptions.of(texts).formulas)
        args = _arguments(text, texts)
    except (InputError, Undecided):
        tally.counts["operations that could not be built"] += 1
        return
    names = sorted(set().union(*(f.dims() for f in given), *(x.dims() for x in args)))
    try:
        result = evaluate(text, given=texts)
    except Undecided:
        tally.counts[f"operation {name}: undecided"] += 1
        return
    except NotAdmissible as error:
        tally.counts[f"operation {name}: not admissible"] += 1
        _check_refusal(case, name, args, given, names, gen.rng, tally, error)
        return
    except InputError:
        tally.counts[f"operation {name}: input error"] += 1
        return
    except Exception as error:
        tally.fault(f"CRASH {case}: {error!r}")
        return
    tally.counts[f"operation {name}: result"] += 1
    for env in instances(given, names, gen.rng, most):
        try:
            flats = [oracle.modes(x, env) for x in args]
        except NoSuchLayout:
            continue
        try:
            got = oracle.modes(result, env)
            wrong = post_condition(name, got, flats)
        except NoSuchLayout as error:
            tally.fault(f"RESULT {result} is no layout at {env} ({error}): {case}")
            return
        except TooLarge:
            continue
        tally.counts["operation results compared"] += 1
        if wrong:
            tally.fault(f"WRONG RESULT {result} at {env} ({wrong}): {case}")
            return


def _arguments(text: str, texts: list[str]) -> list[Any]:
    """Return the arguments of a call as layouts (an extent n as n:1)."""
    rest = text.split("(", 1)[1]
    parts, depth, current = [], 0, ""
    for c in rest[:-1]:
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += c
    parts.append(current)
    values = [evaluate(p, given=texts) for p in parts]
    return [
        v if hasattr(v, "modes") else evaluate(f"({p}):1", given=texts)
        for v, p in zip(values, parts, strict=True)
    ]


def post_condition(name: str, got: oracle.Modes, args: list[oracle.Modes]) -> str | None:
    """Return what is wrong with the result of an operation at an instance, or None."""
    a, *others = args
    size = oracle.size(got)
    if name == "coalesce":
        return None if oracle.equal(got, a) else "another map"
    if name == "composition":
        return None if oracle.is_composition(got, a, others[0]) else "not A(B(i))"
    if name == "complement":
        fine = oracle.is_complement(got, a, oracle.size(others[0]))
        return None if fine else "no complement"
    if name == "right_inverse":
        return None if oracle.is_right_inverse(got, a) else "no right inverse"
    if name == "left_inverse":
        fine = all(
            oracle.at(a, oracle.at(got, oracle.at(a, i))) == oracle.at(a, i)
            for i in oracle.small(oracle.size(a))
        )
        if not any(d == 0 and s > 1 for s, d in a):
            fine = fine and oracle.is_left_inverse(got, a)
        return None if fine else "no left inverse"
    if name == "logical_divide":
        tile = others[0]
        if oracle.size(a) % oracle.size(tile):
            return None
        first = [oracle.at(a, x) for x in oracle.image(tile)]
        n = oracle.size(tile)
        values = [oracle.at(got, i) for i in oracle.small(size)]
        if values[:n] != first:
            return "mode 0 is not A o T"
        fits = oracle.injective(tile) and max(oracle.image(tile)) < oracle.size(a)
        if size == oracle.size(a) and fits and sorted(values) != sorted(oracle.image(a)):
            return "other offsets than A"
        return None
    n = oracle.size(a)
    values = [oracle.at(got, i) for i in oracle.small(size)]
    if size != n * oracle.size(others[0]):
        return "size"
    if values[:n] != oracle.image(a):
        return "mode 0 is not A"
    if oracle.injective(a) and oracle.injective(others[0]) and len(set(values)) != size:
        return "copies overlap"
    return None


def _check_refusal(
    case: str,
    name: str,
    args: list[Any],
    given: list[Any],
    names: list[str],
    rng: random.Random,
    tally: Tally,
    error: NotAdmissible,
) -> None:
    """A refused operation has no right result at any instance; needless refusals are counted."""
    for env in instances(given, names, rng, 10):
        try:
            flats = [oracle.modes(x, env) for x in args]
            if name == "composition":
                needless = oracle.composition_exists(*flats)
            elif name == "left_inverse":
                needless = False
            else:
                continue
        except (NoSuchLayout, TooLarge):
            continue
        tally.counts[f"refusals of {name} compared"] += 1
        if needless:
            tally.counts[f"refusals of {name} that were needless"] += 1
            if not names and tally.counts["needless shown"] < 12:
                tally.counts["needless shown"] += 1
                print("needless:", case, "|", error)
            return


def run(
    kind: str,
    seconds: float,
    seed: int,
    work: int = 1000,
    most: int = 10**9,
    solver_work: int = 2000,
    compared: int = 120,
) -> Tally:
    """Draw cases of one kind until the seconds, or `most` cases, are over."""
    tally = Tally()
    until = time.perf_counter() + seconds
    with quick_solver(solver_work):
        for n in range(most):
            if time.perf_counter() >= until:
                break
            rng = random.Random(f"{seed}/{n}")
            static = kind == "static" or (kind == "algebra" and n % 2 == 0)
            gen = Generator(rng, () if static else NAMES[: rng.choice((1, 2, 2, 3))])
            tally.counts["cases"] += 1
            if kind == "algebra":
                one_operation(gen, tally)
            else:
                one_claim(gen, tally, work, compared)
    return tally


@contextmanager
def quick_solver(work: int) -> Iterator[None]:
    """Give the small questions of the algebra less work; only whether an answer comes changes."""
    before = facts_module.SOLVER_WORK
    facts_module.SOLVER_WORK = work
    try:
        yield
    finally:
        facts_module.SOLVER_WORK = before


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Random claims and operations against plain loops.",
        epilog="Run longer with --seconds or --cases; another --seed draws other cases. Runs with "
        "different seeds may go side by side. The status is 1 when a fault was found.",
    )
    parser.add_argument(
        "--kind",
        default="claims",
        choices=("claims", "static", "algebra"),
        help="symbolic claims, claims about numbers alone, or operations (default: claims)",
    )
    parser.add_argument("--seconds", type=float, default=60, help="stop after so long (60)")
    parser.add_argument("--cases", type=int, default=10**9, help="stop after so many cases")
    parser.add_argument("--seed", type=int, default=1, help="which cases are drawn (1)")
    parser.add_argument("--work", type=int, default=1000, help="of a solver in a proof (1000)")
    parser.add_argument("--instances", type=int, default=120, help="compared for each claim (120)")
    options = parser.parse_args()
    tally = run(
        options.kind,
        options.seconds,
        options.seed,
        options.work,
        most=options.cases,
        solver_work=300,
        compared=options.instances,
    )
    print(tally)
    sys.exit(1 if tally.faults else 0)


if __name__ == "__main__":
    main()
