"""A certificate as a document: read, walked through, and checked, trusted or rejected."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from symcute.checker.evaluate import MAX_COORDINATES, coordinates, is_true, without_dims
from symcute.checker.lemmas import LEMMAS, Hints
from symcute.checker.poly import budget
from symcute.checker.primitive import JOINED, Primitive, primitive
from symcute.checker.residues import costs_so
from symcute.checker.settle import LEFT, Place, Settler, Trail, branches
from symcute.checker.terms import (
    RELATIONS,
    Node,
    Refused,
    asked,
    every,
    formula,
    listed,
    name,
    names,
    show,
)  # fmt: skip
from symcute.checker.values import meets

__all__ = ["Result", "check", "digest", "load"]

VERSION, MAX_TEXT = 6, 4_000_000
#: The claim, what is given and its operations as texts are for those who read texts.
KEYS = ("claim", "definitions", "digest", "given", "instance", "operations", "proof", "rests_on",
        "statement", "version")  # fmt: skip
#: What has to be believed where no instance is known to meet what is given.
ASSUMPTIONS = "assumptions that can be met"


@dataclass(frozen=True)
class Result:
    """What became of a certificate.

    `status` is `checked` (all of it was done again, by arithmetic alone, and some instance meets
    the assumptions), `trusted` (it holds if what `rests_on` names beside `arithmetic` can be relied
    on), `vacuous` (no instance meets the assumptions, so that it says nothing) or `rejected`;
    `reason` says why for the last two. `statement` is what was proved, by the core as data.
    `queries` are the obligations as SMT-LIB text, and the texts that stand for the parts that rest
    on a solver, where these were asked for.
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


@dataclass(frozen=True)
class Statement:
    """What a certificate proves, as data: for all integers that are the dims, from their lower
    bounds on, and meet what is given, the conditions of `defined` and the primitive claims hold.

    The former are what has to hold for the latter, and for what is given, to have values.
    """

    place: Place
    defined: list[Node]
    parts: list[Primitive]


def check(document: Any, trail: Trail | None = None) -> Result:
    """Check what a certificate proves as data; its texts are not read.

    Post-conditions: when the result is checked its statement is true of all integers, and some meet
    what is given; when it is trusted, provided that what `rests_on` names can be relied on. Never
    raises, and always ends.

    >>> check("{}")
    Result(status='rejected', statement='', reason='the keys are not ...', ...)
    """
    budget.renew()
    checker = _Checker(trail or Trail())
    try:
        checker.document(opened(document))
    except Refused as refusal:
        where = ": ".join([*checker.trail.where, str(refusal)])
        return Result("rejected", checker.statement, " ".join(where.split())[:400])
    except Exception as error:  # too deep, too large, or a defect: never accepted
        reason = f"cannot be checked: {type(error).__name__}"
        return Result("rejected", checker.statement, reason)
    rests_on = tuple(sorted(checker.settler.rests_on))
    status = "checked" if rests_on == ("arithmetic",) else "trusted"
    return Result(status, checker.statement, "", rests_on)


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


def opened(document: Any) -> dict[str, Any]:
    """Return the document that JSON text, or what `load` made of it, is. Errors: Refused."""
    document = load(document) if isinstance(document, str) else document
    version = document.get("version") if type(document) is dict else None
    if type(version) is int and version != VERSION:
        raise Refused(f"the version is not {VERSION} but {version}: it has to be written anew")
    keyed(document, *KEYS)
    if type(version) is not int:
        raise Refused(f"the version is not {VERSION}")
    if document["digest"] != digest(document):
        raise Refused("the digest is not that of the document")
    return dict(document)


def keyed(item: Any, *keys: str) -> dict[str, Any]:
    """Return a JSON object that has these keys and no other."""
    if type(item) is not dict or sorted(item) != sorted(set(keys)):
        raise Refused(f"the keys are not {', '.join(sorted(set(keys)))}")
    return item


def digest(document: dict[str, Any]) -> str:
    """Return the digest of a document: sha256 without that key, keys sorted, no spaces."""
    rest = {k: v for k, v in document.items() if k != "digest"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def statement(item: Any) -> Statement:
    """Return the statement that data is. Errors: Refused where something in it may have no value.

    An exact quotient of a relation that is given has a value where that is met.
    """
    keyed(item, "dims", "given", "defined", "parts")
    bounds, (given, defined, parts) = item["dims"], (item[k] for k in ("given", "defined", "parts"))
    if type(bounds) is not dict or any(type(c) is not int for c in bounds.values()):
        raise Refused("the dims are no object of lower bounds")
    place = Place({name(n): c for n, c in bounds.items()}, list(map(formula, every(given))))
    found = Statement(place, list(map(formula, every(defined))), list(map(primitive, every(parts))))
    known = {*found.defined, *place.facts}
    needed = [f for x in found.defined for f in asked(x)]
    needed += [f for x in place.facts for f in asked(x)
               if x.op not in RELATIONS or f.op != "divides"]  # fmt: skip
    needed += [f for claim in found.parts for f in claim.conditions()]
    spoken = [x for p in found.parts for x in p.leaves()] + [*found.defined, *place.facts]
    for f in needed:
        if f not in known:
            raise Refused(f"nothing says that {show(f)}")
    if not {n for x in spoken for n in names(x)} <= bounds.keys():
        raise Refused("it speaks of a dim that has no lower bound")
    return found


class _Checker:
    """Walks through a document."""

    def __init__(self, trail: Trail) -> None:
        self.statement, self.trail = "", trail

    def document(self, document: dict[str, Any]) -> None:
        for key, kind in ("given", str), ("rests_on", str), ("operations", list):
            every(document[key], kind)
        definitions = every(document["definitions"], list)
        stated = statement(document["statement"])
        self.statement = json.dumps(document["statement"])
        self.settler = Settler(definitions, self.trail)
        met = self.met(document["instance"], stated.place)
        self.proof(document["proof"], stated, stated.place)
        if self.settler.used != {*range(len(definitions))}:
            raise Refused("a definition is not used")
        named = self.trail.named
        if not named <= {*document["rests_on"]}:
            raise Refused(f"it rests on {', '.join(sorted(named))}, not on what it says")
        self.settler.rests_on |= {*document["rests_on"]} - named
        if not met:
            self.settler.rests_on.add(ASSUMPTIONS)

    def met(self, instance: Any, place: Place) -> bool:
        """Return whether an instance shows that what is given can be met; null claims nothing."""
        if instance is None:
            return not place.facts
        if type(instance) is not dict or instance.keys() != place.bounds.keys():
            raise Refused("the instance is none of the dims")
        if any(type(x) is not int or x < place.bounds[n] for n, x in instance.items()) or \
                not meets(place.facts, instance):  # fmt: skip
            raise Refused("the instance does not meet what is given")
        return True

    def proof(self, proof: Any, stated: Statement, place: Place) -> None:
        if type(proof) is dict and "cases" in proof:
            keyed(proof, "cases")
            for k, (inner, branch) in enumerate(branches(every(proof["cases"]), place)):
                self.trail.where.append(f"case {k} of {str(proof['cases'][1])[:60]}")
                self.proof(inner, stated, branch)
                self.trail.where.pop()
            return
        keyed(proof, "defined", "parts")
        self.trail.where.append("defined")
        self.obligations(stated.defined, proof["defined"], place)
        self.trail.where.pop()
        # What was shown first may be used in what follows.
        place = Place(place.bounds, [*place.facts, *stated.defined], place.ways)
        parts = listed(proof["parts"], *[dict] * len(stated.parts))
        for k, (part, claim) in enumerate(zip(parts, stated.parts, strict=True)):
            self.trail.where.append(f"part {k} ({claim.kind})")
            self.part(part, claim, place)
            self.trail.where.pop()
        self.trail.note("end", place, None)

    def obligations(self, asked: list[Node], by: Any, place: Place) -> None:
        if type(by) is not list or len(by) != len(asked):
            count = len(by) if type(by) is list else "no list of"
            raise Refused(f"{len(asked)} obligations, {count} proofs")
        for k, (f, proof) in enumerate(zip(asked, by, strict=True)):
            self.trail.where.append(f"obligation {k}, {show(f)[:160]}")
            self.settler.settle(f, proof, place)
            self.trail.note("obligation", place, f)
            self.trail.where.pop()

    def part(self, part: Any, claim: Primitive, place: Place) -> None:
        lemma = part.get("lemma") if type(part) is dict else None
        if lemma == "evaluate":
            keyed(part, "lemma")
            if not without_dims(claim):
                raise Refused("the claim has dims")
            if claim.kind == "printed":
                self.settler.leave("printing", place, claim)
            elif claim.kind != "requests" and coordinates(claim) > MAX_COORDINATES:
                self.trail.named.add(LEFT["search"])
                self.settler.leave("search", place, claim)
            elif not is_true(claim):
                raise Refused("the claim is false")
        elif lemma == "residues" and claim.kind == "requests":
            keyed(part, "lemma", "definition", "ends")
            way = self.settler.way(part["definition"], place)
            if not costs_so(claim, way, way.ends(part["ends"])):
                raise Refused("residues do not show it")
        elif lemma == "solver" and claim.kind not in ("printed", *JOINED):
            keyed(part, "lemma", "solver", "version")
            listed([part[k] for k in ("solver", "version")], str, str)
            self.settler.trust(part["solver"], part["version"])
            self.trail.note("claim", place, claim)
        elif type(lemma) is str and (lemma, claim.kind) in LEMMAS:
            hint = Hints(part)
            asked, inner = LEMMAS[lemma, claim.kind](hint, claim)
            keyed(part, "lemma", "by", *hint.used, *inner)
            self.obligations(hint.asked + asked, part["by"], place)
            for key, rest in inner.items():
                self.trail.where.append(key)
                self.part(part[key], rest, place)
                self.trail.where.pop()
        else:
            raise Refused(f"{str(lemma)[:40]!r} is no lemma for it")
