"""How a proof goes, step by step: its certificate, told.

The obligations are those that the checker's own lemmas ask for; nothing is told that the
certificate does not hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from symcute.checker.document import statement
from symcute.checker.lemmas import LEMMAS, Hints
from symcute.checker.poly import budget
from symcute.checker.primitive import Primitive
from symcute.checker.settle import Place, Settler, Trail, branches
from symcute.checker.terms import Node, Refused, formula, show, term
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
        self.settler = Settler(certificate["definitions"], Trail())
        stated = statement(certificate["statement"])
        self.parts, self.asked, self.place = stated.parts, stated.defined, stated.place
        self.operations = certificate["operations"]
        self.told: set[int] = set()

    def steps(self) -> Iterator[Step]:
        if self.operations:
            shown = [{"shows": f"{call} = {result}", "because": "the layout algebra"}
                     for call, result in self.operations]  # fmt: skip
            yield step("operations", "The operations in the claim come to layouts.", shown)
        yield from self._proof(self.proof, self.asked, self.place, 0)

    def _proof(self, proof: Any, asked: list[Node], place: Place, level: int) -> Iterator[Step]:
        if "cases" in proof:
            for inner, branch in branches(proof["cases"], place):
                added = " and ".join(show(tidy(f)) for f in branch.facts[len(place.facts) :])
                yield step("case", f"Where {added}:", (), level)
                yield from self._proof(inner, asked, branch, level + 1)
            return
        used = sorted(_numbers(proof) - self.told)
        self.told.update(used)
        for k in used:
            yield from self._names(k, place, level)
        if asked:
            shown = self._items(asked, proof["defined"], place)
            yield step("defined", "Every extent is at least 1, every quotient exact.", shown, level)
        place = Place(place.bounds, [*place.facts, *asked], place.ways)
        if all(part["lemma"] == "evaluate" for part in proof["parts"]):
            text = "The claim has no dims and is small: evaluated at every coordinate."
            yield step("evaluation", text, (), level)
            return
        for part, claim in zip(proof["parts"], self.parts, strict=True):
            yield from self._part(part, claim, place, level)

    def _names(self, k: int, place: Place, level: int) -> Iterator[Step]:
        """Tell how the dims are written in variables."""
        steps = self.settler.definitions[k]
        if not steps:
            return
        which = f" (way {k + 1})" if sum(map(bool, self.settler.definitions)) > 1 else ""
        text = f"The dims are written in variables that are at least 0{which}."
        yield step("dims", text, [_definition(d, place, self.settler) for d in steps], level)

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


_KINDS = {"evaluate": "evaluation", "solver": "solver"}


def _numbers(x: Any) -> set[int]:
    """Return the numbers of the definitions that a proof without cases names."""
    if isinstance(x, dict):
        own = {x["definition"]} if "definition" in x else set()
        return own.union(*(_numbers(y) for y in x.values()))
    if isinstance(x, list):
        named = len(x) > 1 and x[0] == "sum"
        return ({x[1]} if named else set()).union(*map(_numbers, x[1:] if named else x))
    return set()


def _definition(item: list[Any], place: Place, settler: Settler) -> dict[str, str]:
    """Return what a step of a definition says, and what allows it."""
    kind, name, what, by = item
    if kind == "fact":
        return {"shows": show(tidy(formula(what))), "because": "shown from what is known"}
    p, number = show(tidy(term(what))), type(what) is int
    if kind == "let":
        says = {"/": "the quotient is exact", "//": "rounded down"}.get(what[0], "a name for it")
        return {"shows": f"{name} = {p}", "because": says}
    facts = [x for _, factors in (by[2] if by[0] == "sum" and len(by) > 2 else []) for x in factors]
    shown = "; ".join(
        show(tidy(place.facts[k])) for k in facts if type(k) is int and k < len(place.facts)
    )
    because = f"assumed: {shown}" if shown else f"{name} is at least {p}"
    if kind == "is":
        return {"shows": f"{name} = {p}", "because": because if shown else "both are the same"}
    if kind == "upto":
        return {"shows": f"{name} = {p} - {name}'", "because": because}
    plus = f"{name}'" if number and what == 0 else f"{p} + {name}'"
    return {"shows": f"{name} = {plus}", "because": because}
