"""A certificate as a document: read, walked through, and checked, trusted or rejected."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from symcute.checker.claims import Primitive
from symcute.checker.evaluate import MAX_COORDINATES, coordinates, falsifying, is_true
from symcute.checker.instances import met, nothing_meets, shown
from symcute.checker.lemmas import LEMMAS, Hints
from symcute.checker.poly import budget
from symcute.checker.printing import Unknown, printed, said
from symcute.checker.residues import costs_so
from symcute.checker.search import decided
from symcute.checker.settle import Settler, cases, either, listed
from symcute.checker.smt import counterexample, script
from symcute.checker.statement import read
from symcute.checker.text import Node, Refused, show
from symcute.checker.ways import Place

__all__ = ["Result", "check", "digest", "load"]

VERSION, MAX_TEXT = 3, 4_000_000
KEYS = ("claim", "digest", "given", "operations", "proof", "rests_on", "version", "ways")
#: What has to be believed where it was not done again.
SEARCH, PRINTING = "exact search", "the layout algebra (printing)"
ASSUMPTIONS = "assumptions that can be met"


@dataclass(frozen=True)
class Result:
    """What became of a certificate.

    `status` is `checked` (all of it was done again, by arithmetic alone, and some instance meets
    the assumptions), `trusted` (it holds if what `rests_on` names beside `arithmetic` can be relied
    on), `vacuous` (no instance meets the assumptions, so that it says nothing) or `rejected`;
    `reason` says why for the last two.
    `statement` is what the certificate says, as it was read. `queries` are the obligations as
    SMT-LIB text, and the texts that stand for the parts that rest on a solver.
    """

    status: str
    statement: str = ""
    reason: str = ""
    rests_on: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()

    @property
    def accepted(self) -> bool:
        """Return whether it holds, if what it rests on can be relied on."""
        return self.status in ("checked", "trusted")


def check(document: Any, queries: bool = False) -> Result:
    """Check a certificate, JSON text or what `load` made of it; `queries` asks for those.

    Post-conditions: when the result is checked its statement is true of all integers; when it is
    trusted, provided that what `rests_on` names can be relied on. Never raises, and always ends.

    >>> check("{}")
    Result(status='rejected', statement='', reason='the keys are not ...', ...)
    """
    budget.renew()
    checker = _Checker(queries)
    try:
        document = load(document) if isinstance(document, str) else document
        _keys(document, *KEYS)
        checker.document(document)
    except Refused as refusal:
        where = ": ".join([*checker.where, str(refusal)])
        return Result("rejected", checker.statement, " ".join(where.split())[:400])
    except Exception as error:  # too deep, too large, or a defect: never accepted
        reason = f"cannot be checked: {type(error).__name__}"
        return Result("rejected", checker.statement, reason)
    rests_on = tuple(sorted(checker.settler.rests_on))
    if checker.vacuous:
        reason = "no instance meets the assumptions: they contradict each other"
        return Result("vacuous", checker.statement, reason, rests_on, tuple(checker.queries))
    status = "checked" if rests_on == ("arithmetic",) else "trusted"
    return Result(status, checker.statement, "", rests_on, tuple(checker.queries))


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
    except (RecursionError, ValueError) as error:  # too deep, a number too long
        raise Refused(f"cannot be read: {str(error)[:100]}") from None


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
        self.vacuous = False
        #: Whether what is assumed is contradictory, for each of the cases that make up the proof.
        self.empty: list[bool] = []

    def document(self, document: dict[str, Any]) -> None:
        if document["version"] != VERSION or type(document["version"]) is not int:
            raise Refused(f"the version is not {VERSION}")
        if document["digest"] != digest(document):
            raise Refused("the digest is not that of the document")
        for key in ("given", "ways", "rests_on", "operations"):
            kind = list if key in ("ways", "operations") else str
            listed(document[key], *[kind] * len(document[key]))
        stated = read(document["claim"], document["given"], document["operations"])
        self.statement = str(stated)
        self.settler = Settler(document["ways"])
        self.settler.named |= stated.trusted
        self.settler.rests_on |= stated.trusted
        self.stated = stated
        self.met = met(stated.place)  # before other searches take their share
        self.proof(document["proof"], stated.asked, stated.parts, stated.place)
        if self.settler.used != set(range(len(document["ways"]))):
            raise Refused("a way is not used")
        named = sorted(self.settler.named)
        if document["rests_on"] != named:
            raise Refused(f"it rests on {', '.join(named)}, not on what it says")
        self.vacuous = all(self.empty)
        if not self.met:
            self.settler.rests_on.add(ASSUMPTIONS)

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
        self.empty.append(self.nothing(place))

    def nothing(self, place: Place) -> bool:
        """Return whether it is seen that no instance meets what is assumed at a place."""
        if self.met or met(place):
            return False
        return nothing_meets(place) or self.settler.contradictory(place)

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
            if not claim.without_dims():
                raise Refused("the claim has dims")
            if lemma == "exact":
                listed([part["method"]], str)
                self.search(claim)
            elif claim.kind == "printed":
                self.printed(claim)
            elif not is_true(claim):
                raise Refused("the claim is false")
        elif lemma == "residues" and claim.kind == "requests":
            _keys(part, "lemma", "way")
            way = self.settler.way(part["way"], place)
            if not costs_so(claim, way):
                raise Refused("residues do not show it")
        elif lemma == "solver":
            _keys(part, "lemma", "solver", "version")
            listed([part[k] for k in ("solver", "version")], str, str)
            self.settler.trust(part["solver"], part["version"])
            at = falsifying(claim, place)
            if at is not None:
                raise Refused(f"the claim is false{shown(at)}")
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

    def search(self, claim: Primitive) -> None:
        """Do an exact search again; what is too much for that is trusted."""
        self.settler.named.add(SEARCH)
        evaluated = ("holds", "requests", "table", "printed")
        if claim.kind in evaluated or coordinates(claim) <= MAX_COORDINATES:
            raise Refused("an exact search where evaluation decides")
        found = decided(claim)
        if found is False:
            raise Refused("the claim is false")
        if found is None:
            self.settler.rests_on.add(SEARCH)

    def printed(self, claim: Primitive) -> None:
        """Print the value that a claim is about; what is not known to print is trusted."""
        value, text = said(claim.body)
        value = self.stated.printed or value  # what its operations came to
        try:
            found = printed(value)
        except Unknown:
            found = value
            self.settler.rests_on.add(PRINTING)
        if found != text:
            raise Refused(f"it prints as {found[:100]}")
