"""A certificate as a document: read, walked through, and accepted or rejected."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from symcute.checker.claims import Primitive, primitives, sense
from symcute.checker.evaluate import is_true
from symcute.checker.lemmas import LEMMAS, Hints
from symcute.checker.poly import MAX_WORK, budget
from symcute.checker.residues import costs_so
from symcute.checker.settle import Settler, cases, either, listed
from symcute.checker.smt import counterexample, script
from symcute.checker.text import Node, Refused, conjunction, formula, lit, names, parse, show
from symcute.checker.ways import Place, constant_bounds

__all__ = ["Result", "check", "digest", "load"]

VERSION, MAX_TEXT, MAX_PARTS = 2, 4_000_000, 64


@dataclass(frozen=True)
class Result:
    """What became of a certificate: the statement checked, or the reason why it is rejected.

    `rests_on` has `arithmetic`, and what else is to be believed. `queries` are the obligations as
    SMT-LIB text, and the texts that stand for the parts that rest on a solver.
    """

    accepted: bool
    statement: str = ""
    reason: str = ""
    rests_on: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()


def check(document: Any, queries: bool = False) -> Result:
    """Check a certificate, JSON text or what `load` made of it; `queries` asks for those.

    Post-conditions: when the result is accepted its statement is true of all integers, provided
    that what `rests_on` names can be relied on. Never raises, and always ends.

    >>> check("{}").reason
    'the keys are not claim, digest, given, proof, rests_on, version, ways'
    """
    budget.left = MAX_WORK
    checker = _Checker(queries)
    try:
        document = load(document) if isinstance(document, str) else document
        _keys(document, "claim", "digest", "given", "proof", "rests_on", "version", "ways")
        rests_on = checker.document(document)
    except Refused as refusal:
        where = ": ".join([*checker.where, str(refusal)])
        return Result(False, checker.statement, " ".join(where.split())[:400])
    except Exception as error:  # too deep, too large, or a defect: never accepted
        return Result(False, checker.statement, f"cannot be checked: {type(error).__name__}")
    return Result(True, checker.statement, "", rests_on, tuple(checker.queries))


def load(text: str) -> Any:
    """Return what JSON text says; Refused where a key stands twice, and for fractions."""
    if len(text) > MAX_TEXT:
        raise Refused(f"longer than {MAX_TEXT} characters")

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise Refused("a key stands twice")
        return dict(pairs)

    def no(number: str) -> Any:
        raise Refused(f"{number[:20]} is no integer")

    try:
        return json.loads(text, object_pairs_hook=once, parse_float=no, parse_constant=no)
    except json.JSONDecodeError as error:
        raise Refused(f"no JSON: {error}") from None


def _keys(item: Any, *keys: str) -> dict[str, Any]:
    """Return a JSON object that has these keys and no other."""
    if type(item) is not dict or sorted(item) != sorted(set(keys)):
        raise Refused(f"the keys are not {', '.join(sorted(set(keys)))}")
    return item


def digest(document: dict[str, Any]) -> str:
    """Return the digest of a document: sha256 without that key, keys sorted, no spaces."""
    rest = {k: v for k, v in document.items() if k != "digest"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


class _Checker:
    """Walks through a document; `where` says how far it came."""

    def __init__(self, queries: bool) -> None:
        self.asks = queries
        self.where: list[str] = []
        self.statement = ""
        self.queries: list[str] = []

    def document(self, document: dict[str, Any]) -> tuple[str, ...]:
        if document["version"] != VERSION or type(document["version"]) is not int:
            raise Refused(f"the version is not {VERSION}")
        if document["digest"] != digest(document):
            raise Refused("the digest is not that of the document")
        for key in ("given", "ways", "rests_on"):
            listed(document[key], *[list if key == "ways" else str] * len(document[key]))
        given = [parse(text) for text in document["given"]]
        claim = document["claim"]
        if type(claim) is str and claim.startswith("prints_as("):
            tree, parts = lit(0), [Primitive("printed", body=claim)]
        else:
            tree = parse(claim)
            parts = primitives(tree)
        facts = [formula(x) for x in given]
        flat = conjunction(facts)
        place = Place({}, flat.args if flat.op == "and" else (flat,))
        for fact in place.facts:
            for name, bound in constant_bounds(fact):
                place.bounds[name] = max(bound, place.bounds.get(name, bound))
        for x in (tree, *given):
            place.bounds.update({n: 1 for n in names(x) if n not in place.bounds})
        bounds = [f"{n} >= {c}" for n, c in sorted(place.bounds.items())]
        said = show(tree) if parts[0].kind != "printed" else claim
        self.statement = said + (f" for all integers {', '.join(bounds)}" if bounds else "")
        self.statement += f" with {'; '.join(map(show, given))}" if given else ""
        self.settler = Settler(document["ways"])
        asked = sense(tree, given) if parts[0].kind != "printed" else []
        self.proof(document["proof"], asked, parts, place)
        if self.settler.used != set(range(len(document["ways"]))):
            raise Refused("a way is not used")
        rests_on = sorted(self.settler.rests_on)
        if document["rests_on"] != rests_on:
            raise Refused(f"it rests on {', '.join(rests_on)}, not on what it says")
        return tuple(rests_on)

    def proof(self, proof: Any, asked: list[Node], parts: list[Primitive], place: Place) -> None:
        if type(proof) is dict and "case" in proof:
            _keys(proof, "case", "then", "else")
            for key, branch in zip(("then", "else"), cases(proof["case"], place), strict=True):
                self.where.append(f"{key} of the case {str(proof['case'])[:60]}")
                self.proof(proof[key], asked, parts, branch)
                self.where.pop()
            return
        if type(proof) is dict and "either" in proof:
            _keys(proof, "either", "proofs")
            branches = either(place, proof["either"])
            for k, (inner, branch) in enumerate(
                zip(listed(proof["proofs"], *[dict] * len(branches)), branches, strict=True)
            ):
                self.where.append(f"either {proof['either']}, {k}")
                self.proof(inner, asked, parts, branch)
                self.where.pop()
            return
        _keys(proof, "sense", "parts")
        self.where.append("sense")
        self.obligations(asked, proof["sense"], place)
        self.where.pop()
        for k, (part, claim) in enumerate(
            zip(listed(proof["parts"], *[dict] * len(parts)), parts, strict=True)
        ):
            self.where.append(f"part {k} ({claim.kind})")
            self.part(part, claim, place)
            self.where.pop()

    def obligations(self, asked: list[Node], by: Any, place: Place) -> None:
        if type(by) is not list or len(by) != len(asked):
            count = len(by) if type(by) is list else "no list of"
            raise Refused(f"{len(asked)} obligations, {count} proofs")
        for k, (f, proof) in enumerate(zip(asked, by, strict=True)):
            self.where.append(f"obligation {k}, {show(f)[:160]}")
            self.settler.settle(f, proof, place)
            if self.asks:
                budget.spend(len(place.facts))
                self.queries.append(script(place, [Node("not", (f,))]))
            self.where.pop()

    def part(self, part: Any, claim: Primitive, place: Place) -> None:
        lemma = part.get("lemma") if type(part) is dict else None
        if lemma in ("evaluate", "exact"):
            _keys(part, "lemma", *(["method"] if lemma == "exact" else []))
            if lemma == "exact":
                listed([part["method"]], str)
                self.settler.rests_on.add("exact search")
            if not claim.without_dims():
                raise Refused("the claim has dims")
            if lemma == "evaluate" and not is_true(claim):
                raise Refused("the claim is false")
        elif lemma == "residues" and claim.kind == "requests":
            _keys(part, "lemma", "way")
            way = self.settler.way(part["way"], place)
            if not costs_so(claim, way):
                raise Refused("residues do not show it")
        elif lemma == "solver":
            _keys(part, "lemma", "solver", "version", "smt2")
            listed([part[k] for k in ("solver", "version", "smt2")], str, str, str)
            self.settler.trust(part["solver"], part["version"])
            broken = counterexample(claim)
            if self.asks:
                self.queries.append(script(place, broken) if broken is not None else "")
        elif type(lemma) is str and (lemma, claim.kind) in LEMMAS:
            hint = Hints(part)
            asked, inner = LEMMAS[lemma, claim.kind](hint, claim)
            _keys(part, "lemma", "by", *hint.used, *inner)
            self.obligations(hint.asked + asked, part["by"], place)
            for key, rest in inner.items():
                self.where.append(key)
                self.part(part[key], rest, place)
                self.where.pop()
        else:
            raise Refused(f"{str(lemma)[:40]!r} is no lemma for it")
