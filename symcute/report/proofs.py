"""How a proof goes, step by step: its certificate, told.

The obligations are those that the checker's own lemmas ask for; nothing is told that the
certificate does not hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from symcute.checker.claims import Primitive
from symcute.checker.lemmas import LEMMAS, Hints
from symcute.checker.poly import budget
from symcute.checker.settle import Settler, cases, either
from symcute.checker.statement import read
from symcute.checker.text import Node, Refused, show
from symcute.checker.ways import Place
from symcute.report.lemmas import role, said
from symcute.report.reasons import items, tidy

__all__ = ["Step", "step", "told"]

#: A step as plain data; see `step`.
Step = dict[str, Any]
_LETTER = re.compile("[A-Za-z]")


def step(kind: str, text: str, shows: Any = (), level: int = 0) -> Step:
    """Return a step: its kind, a sentence, what it shows and why, how deep it stands in cases.

    >>> step("case", "M <= N")
    {'kind': 'case', 'text': 'M <= N', 'level': 0, 'items': []}
    """
    # Each once: a condition of sense may be that of two extents.
    found = {item["shows"]: item for item in shows}
    return {"kind": kind, "text": text, "level": level, "items": list(found.values())}


def told(certificate: Mapping[str, Any]) -> list[Step]:
    """Return the steps of a proof.

    A certificate that cannot be told is told so, with the reason: it is one that the checker
    refuses.
    """
    budget.renew()  # the checker's arithmetic counts its work
    try:
        return list(_Teller(certificate).steps())
    except Refused as refusal:
        return [step("lemma", f"The certificate cannot be told: {refusal}.")]


class _Teller:
    """Walks through a certificate as the checker does, and says what it comes by."""

    def __init__(self, certificate: Mapping[str, Any]) -> None:
        self.proof = certificate["proof"]
        self.settler = Settler(certificate["ways"])
        stated = read(certificate["claim"], certificate["given"], certificate["operations"])
        self.parts, self.asked, self.place = stated.parts, stated.asked, stated.place
        self.operations = certificate["operations"]
        self.told: set[int] = set()

    def steps(self) -> Iterator[Step]:
        if self.operations:
            shown = [{"shows": f"{call} = {result}", "because": "the layout algebra"}
                     for call, result in self.operations]  # fmt: skip
            yield step("operations", "The operations in the claim come to layouts.", shown)
        yield from self._proof(self.proof, self.asked, self.place, 0)

    def _proof(self, proof: Any, asked: list[Node], place: Place, level: int) -> Iterator[Step]:
        if "case" in proof:
            yes, no = cases(proof["case"], place)
            yield step("case", f"Where {proof['case']}:", (), level)
            yield from self._proof(proof["then"], asked, yes, level + 1)
            yield step("case", f"Where {show(tidy(no.facts[-1]))}:", (), level)
            yield from self._proof(proof["else"], asked, no, level + 1)
            return
        if "either" in proof:
            branches = either(place, proof["either"])
            for inner, branch in zip(proof["proofs"], branches, strict=True):
                added = " and ".join(show(tidy(f)) for f in branch.facts[len(place.facts) :])
                yield step("case", f"Where {added}:", (), level)
                yield from self._proof(inner, asked, branch, level + 1)
            return
        used = sorted(_ways(proof) - self.told)
        self.told.update(used)
        for k in used:
            yield from self._way(k, place, level)
        if asked:
            shown = self._items(asked, proof["sense"], place)
            yield step("sense", "Every extent is at least 1, every quotient exact.", shown, level)
        if all(part["lemma"] == "evaluate" for part in proof["parts"]):
            text = "The claim has no dims and is small: evaluated at every coordinate."
            yield step("evaluation", text, (), level)
            return
        for part, claim in zip(proof["parts"], self.parts, strict=True):
            yield from self._part(part, claim, place, level)

    def _way(self, k: int, place: Place, level: int) -> Iterator[Step]:
        """Tell how the dims are written in parameters."""
        definitions = self.settler.ways[k]
        if not definitions:
            return
        which = f" (way {k + 1})" if sum(map(bool, self.settler.ways)) > 1 else ""
        text = f"The dims are written in parameters that are at least 0{which}."
        yield step("dims", text, [_definition(d, place) for d in definitions], level)

    def _part(self, part: Any, claim: Primitive, place: Place, level: int) -> Iterator[Step]:
        lemma = part["lemma"]
        # A formula is its own obligation, and is shown as that.
        text = role(part, claim) if lemma == "formula" else f"{said(claim)}. {role(part, claim)}"
        text = text[0].upper() + text[1:] if lemma != "agree" and claim.kind != "holds" else text
        if "by" not in part:
            yield step(_KINDS.get(lemma, "lemma"), text, (), level)
            return
        hint = Hints(part)
        asked, inner = LEMMAS[lemma, claim.kind](hint, claim)
        yield step("lemma", text, self._items(hint.asked + asked, part["by"], place), level)
        for key, rest in inner.items():
            yield from self._part(part[key], rest, place, level + 1)

    def _items(self, asked: list[Node], by: Any, place: Place) -> Iterator[dict[str, str]]:
        """Yield obligations with why they hold; those between numbers together, at the end."""
        plain = {}
        for f, proof in zip(asked, by, strict=True):
            for item in items(f, proof, place, self.settler):
                if _LETTER.search(item["shows"]):
                    yield item
                else:
                    plain[item["shows"]] = item
        if plain:
            yield {"shows": ", ".join(plain), "because": "numbers"}


_KINDS = {"evaluate": "evaluation", "exact": "search", "solver": "solver"}


def _ways(x: Any) -> set[int]:
    """Return the numbers of the ways that a proof without cases names."""
    if isinstance(x, dict):
        own = {x["way"]} if "way" in x else set()
        return own.union(*(_ways(y) for y in x.values()))
    if isinstance(x, list):
        named = len(x) > 1 and x[0] in ("way", "bern", "handelman")
        return ({x[1]} if named else set()).union(*map(_ways, x[1:] if named else x))
    return set()


def _definition(definition: list[str], place: Place) -> dict[str, str]:
    """Return how a dim is written, and what allows it."""
    name, kind, p, *more = definition
    least = place.bounds[name]
    if kind == "from":
        p_is_number = p.lstrip("-").isdigit()
        why = f"{name} is at least {p}" if p_is_number else f"assumed: {p} <= {name}"
        return {"shows": f"{name} = {_plus(p, name)}", "because": why}
    if kind == "upto":
        return {"shows": f"{name} = {p} - {name}'", "because": f"assumed: {name} <= {p}"}
    if kind == "is":
        return {"shows": f"{name} = {p}", "because": f"assumed: {name} == {p}"}
    if kind == "rest":
        return {
            "shows": f"{name} = {p}*{name}' + {name}''",
            "because": f"division with a rest {name}'' < {p}",
        }
    r = int(more[0]) if more else 0
    whole = p.lstrip("-").isdigit()
    start = -((r - least) // int(p)) if whole else min(least, 1)
    inner = _plus(str(start), name) if start else f"{name}'"
    factor = p if whole or p.isidentifier() else f"({p})"
    shows = f"{name} = {factor}*({inner})" if start else f"{name} = {factor}*{inner}"
    if kind == "times":
        return {"shows": shows, "because": f"assumed: {p} divides {name}"}
    return {"shows": f"{shows} + {r}", "because": f"assumed: {name} leaves {r} modulo {p}"}


def _plus(p: str, name: str) -> str:
    return f"{name}'" if p == "0" else f"{p} + {name}'"
