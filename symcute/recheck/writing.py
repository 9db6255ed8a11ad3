"""Certificates are written: what a proof says as text becomes the data that the core reads."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

from symcute.checker.document import VERSION, digest, statement
from symcute.checker.poly import budget
from symcute.checker.terms import Refused, data
from symcute.recheck import forms, text
from symcute.recheck.elaboration import elaborated
from symcute.recheck.instances import witness
from symcute.recheck.statement import read

__all__ = ["formula", "term", "written"]

#: The hints of lemmas that are terms, and those that are lists of them.
_TERMS = ("modulus", "times", "bound", "rho")
_LISTS = ("strides", "residues", "at", "other")
#: How much more work it may take to write a proof out than to check it.
WORK = 10


def written(draft: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document of a draft, with its statement as data, an instance, and its digest.

    A draft has claim, given, operations, parametrisations, proof and rests_on; terms and formulas
    in it may be texts. What cannot be read as either stays as it is, and is refused by the core.

    A claim that has no text in the grammar gets no statement: such a document is rejected.
    """
    budget.renew()
    given, operations = list(draft["given"]), [list(x) for x in draft["operations"]]
    stated, at = None, None
    with contextlib.suppress(Refused):
        stated = read(draft["claim"], given, operations)
        at = witness(stated.place) if stated.place.facts else stated.place.bounds
    definitions, proof = draft.get("definitions", []), _proof(draft["proof"])
    if "parametrisations" in draft:
        ways = [[_definition(d) for d in x] for x in draft["parametrisations"]]
        definitions = []
        budget.left *= WORK
        with contextlib.suppress(Refused):
            if stated:
                definitions, proof = elaborated(statement(stated.data()), ways, proof)
    document = {
        "version": VERSION,
        "claim": draft["claim"],
        "given": given,
        "operations": operations,
        "statement": stated and stated.data(),
        "instance": None if at is None else dict(sorted(at.items())),
        "definitions": definitions,
        "proof": proof,
        "rests_on": list(draft["rests_on"]),
    }
    return document | {"digest": digest(document)}


def term(item: Any) -> Any:
    """Return a term that may be a text as data."""
    if type(item) is not str:
        return item
    try:
        return data(text.leaf(text.parse(item)))
    except Refused:
        return item


def formula(item: Any) -> Any:
    """Return a formula that may be a text as data."""
    if type(item) is not str:
        return item
    try:
        return data(forms.formula(text.parse(item)))
    except Refused:
        return item


def _definition(item: Any) -> Any:
    if type(item) not in (list, tuple) or len(item) not in (3, 4):
        return item
    name, kind, p, *more = item
    return [name, kind, term(p), *(int(x) if str(x).isdigit() else x for x in more)]


def _proof(item: Any) -> Any:
    if type(item) is not dict:
        return item
    found = {k: _proof(v) for k, v in item.items()}
    for key, function in _KEYS.items():
        if key in item:
            found[key] = function(item[key])
    return found


def _proofs(items: Any) -> Any:
    return [_proof(x) for x in items] if type(items) is list else items


def _bys(items: Any) -> Any:
    return [_by(x) for x in items] if type(items) in (list, tuple) else items


def _terms(items: Any) -> Any:
    return [term(x) for x in items] if type(items) is list else items


def _by(item: Any) -> Any:
    """Return how an obligation is settled; texts in it as data."""
    if type(item) not in (list, tuple) or not item or type(item[0]) is not str:
        return item
    kind, *rest = item
    if kind in ("case", "cut") and rest:
        return [kind, formula(rest[0]), *map(_by, rest[1:])]
    if kind == "sum" and len(rest) >= 2 and type(rest[1]) in (list, tuple):
        return [kind, rest[0], [_product(x) for x in rest[1]], *map(term, rest[2:])]
    if kind in ("and", "either") and rest:
        return [kind, *rest[:-1], _bys(rest[-1])]
    if kind in ("or", "both", "implies", "absurd", "not", "powers"):
        return [kind, *map(_by, rest)]
    return list(item)


def _product(item: Any) -> Any:
    if type(item) not in (list, tuple) or len(item) != 2 or type(item[1]) not in (list, tuple):
        return item
    return [item[0], [_factor(x) for x in item[1]]]


def _factor(item: Any) -> Any:
    if type(item) in (list, tuple) and len(item) in (2, 3) and item[0] in ("a", "v"):
        return [item[0], term(item[1]), *item[2:]]
    return list(item) if type(item) is tuple else item


def _steps(items: Any) -> Any:
    """Return the steps of a side of `agree`, or the numbers of modes."""
    return [_step(x) for x in items] if type(items) is list else items


def _step(item: Any) -> Any:
    if type(item) is not list or len(item) < 2 or type(item[1]) is not list:
        return item
    kind, first, *rest = item
    rewrites = [[*x[:2], *map(term, x[2:])] if type(x) is list else x for x in first]
    return [kind, rewrites, *([_terms(x) for x in y] if type(y) is list else y for y in rest)]


_KEYS = {
    "case": formula, "proofs": _proofs, "parts": _proofs, "defined": _bys, "by": _bys,
    "left": _steps, "right": _steps, **dict.fromkeys(_TERMS, term), **dict.fromkeys(_LISTS, _terms),
}  # fmt: skip
