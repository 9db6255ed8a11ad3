"""Certificates with one token changed: rejected, or what they state is true all the same."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from symcute import checker as core
from symcute.errors import SymcuteError
from symcute.recheck import check
from tests.full import many, some

from .brute import counterexample
from .brute_data import broken
from .certificates import ACCEPTED, Document, anew, sign

_TOKEN = re.compile(r"\d+|[A-Za-z_]\w*'*|<=|>=|==|!=|\*\*|//|[-+*/%<>:,|()]")
_OTHERS = {
    "<=": ("<", "==", ">="), "<": ("<=", ">"), "==": ("<=", "!="), "!=": ("==",), ">=": (">",),
    ">": ("<",), "+": ("-", "*"), "-": ("+",), "*": ("+", "//"), "//": ("*", "%"), "%": ("//",),
    "/": ("*", "//"), "and": ("or", "implies"), "or": ("and",), "implies": ("and",), "**": ("*",),
    "from": ("upto", "is", "times", "rest"), "upto": ("from", "is"), "is": ("from", "upto"),
    "times": ("from", "rest"), "rest": ("times", "from"), "min": ("max",), "max": ("min",),
    "ceil_div": ("floor_div",), "mod": ("floor_div",), "sum": ("given", "-"),
    "g": ("e", "u", "a"), "e": ("g",), "u": ("l",), "l": ("u",), "a": ("v", "g"), "v": ("a",),
    "powers": ("cut",), "bit_and": ("bit_or",), "classes": ("given",),
    "and_": ("or",), "absurd": ("implies",), "given": ("sum",),
    "injective": ("bijective", "increasing"), "bijective": ("compact",), "covers": ("in_bounds",),
    "increasing": ("injective",), "monotone": ("increasing",), "disjoint": ("apart",),
    "drop": ("merge",), "merge": ("drop", "split"), "split": ("merge",), "first": ("rewrite",),
    "is_right_inverse": ("is_left_inverse",), "is_left_inverse": ("is_right_inverse",),
    "compatible": ("refines",), "refines": ("compatible",), "is_complement": ("is_composition",),
    "bank_conflict": ("sectors",), "sectors": ("bank_conflict",), "coalesced": ("sectors",),
    "residues": ("evaluate",), "residue": ("times", "from"),
}  # fmt: skip


def texts(text: str, names: list[str]) -> Iterator[str]:
    """Yield a text with one token changed, dropped, or exchanged with the next."""
    if re.fullmatch(r"-?\d+(/\d+)?", text):
        yield f"-{text}" if text[0] != "-" else text[1:]
    found = list(_TOKEN.finditer(text))
    for k, token in enumerate(found):
        word = token[0]
        if word.isdigit():
            others = [str(int(word) + 1), str(max(int(word) - 1, 0)), "0", str(2 * int(word))]
        elif word in _OTHERS:
            others = list(_OTHERS[word])
        else:
            others = [n for n in names if n != word] if word[0].isalpha() else []
        for other in [*others, ""]:
            yield text[: token.start()] + other + text[token.end() :]
        if k + 1 < len(found):
            other = found[k + 1]
            middle = text[token.end() : other.start()]
            yield text[: token.start()] + other[0] + middle + word + text[other.end() :]


def mutations(item: Any, names: list[str]) -> Iterator[Any]:
    """Yield an item with one thing in it changed."""
    if isinstance(item, bool):
        yield not item
    elif isinstance(item, int):
        yield from (item + 1, item - 1, -item)
    elif isinstance(item, str):
        yield from texts(item, names)
    elif isinstance(item, dict):
        for key, value in item.items():
            yield {k: v for k, v in item.items() if k != key}
            for other in mutations(value, names):
                yield item | {key: other}
        yield item | {"more": 1}
    elif isinstance(item, list):
        for k, value in enumerate(item):
            yield item[:k] + item[k + 1 :]
            yield item[: k + 1] + item[k:]
            for other in mutations(value, names):
                yield [*item[:k], other, *item[k + 1 :]]
            if k + 1 < len(item):
                yield [*item[:k], item[k + 1], value, *item[k + 2 :]]
        yield item[::-1]
        yield [*item, "-"]


def names_of(document: Document) -> list[str]:
    text = " ".join([document["claim"], *document["given"]])
    return sorted(set(re.findall(r"\b[A-Za-z]\w?\b", text)))[:3]


#: What states what is proved: as text, and as data.
TEXTS, DATA = ("claim", "given", "operations"), ("statement", "instance")


def all_mutations(document: Document) -> list[Document]:
    """Return documents with one thing changed, to be written `anew`."""
    body = {k: v for k, v in document.items() if k not in ("digest", *DATA)}
    changed = {json.dumps(m, sort_keys=True): m for m in mutations(body, names_of(document))}
    changed.pop(json.dumps(body, sort_keys=True), None)
    return [{k: document[k] for k in DATA} | m for m in changed.values()]


def mutations_apart(document: Document, *apart: tuple[str, ...]) -> list[Document]:
    """Return documents to be signed, one thing changed in the text alone, or in the data alone."""
    found: list[Document] = []
    for keys in apart or (TEXTS, DATA):
        body = {k: document[k] for k in keys}
        changed = {json.dumps(m, sort_keys=True): m for m in mutations(body, names_of(document))}
        changed.pop(json.dumps(body, sort_keys=True), None)
        rest = {k: v for k, v in document.items() if k not in keys}
        found += [rest | m for m in changed.values()]
    return found


def same_as_text(document: Document) -> bool:
    """Return whether what is proved is what the texts say: as they would be written anew."""
    written = anew({k: v for k, v in document.items() if k not in DATA})
    return bool(written["statement"]) and written["statement"] == document["statement"]


@pytest.mark.parametrize("name", ACCEPTED)
def test_text_and_data_that_differ_are_never_accepted(name: str) -> None:
    for mutant in map(sign, some(mutations_apart(ACCEPTED[name]), 12)):
        result = check(json.dumps(mutant))
        assert "cannot be checked" not in result.reason, (mutant, result)
        if result.accepted:
            assert same_as_text(mutant), mutant
            if result.status == "checked":
                assert_true(mutant)


@pytest.mark.parametrize("name", ACCEPTED)
def test_what_the_core_checks_is_true_whatever_the_text(name: str) -> None:
    """Changed data alone: the core, which reads no text, accepts what is true of the data."""
    accepted = 0
    for mutant in map(sign, some(mutations_apart(ACCEPTED[name]), 12)):
        result = core.check(mutant)
        assert "cannot be checked" not in result.reason, (mutant, result)
        if result.status == "checked":
            accepted += 1
            found = broken(mutant["statement"])
            assert found is None, (mutant, found)
    if ACCEPTED[name]["rests_on"] == ["arithmetic"]:
        assert core.check(ACCEPTED[name]).status in ("checked", "trusted")
        assert broken(ACCEPTED[name]["statement"]) is None


def assert_true(document: Document) -> None:
    """Fail when the statement of a document is false at some instance."""
    try:
        found = counterexample(document["claim"], tuple(document["given"]))
    except SymcuteError as error:
        found = f"symcute cannot read it: {error}"
    assert found is None, (document, found)


@pytest.mark.parametrize("name", ACCEPTED)
def test_the_statements_are_true(name: str) -> None:
    if ACCEPTED[name]["rests_on"] == ["arithmetic"]:
        assert_true(ACCEPTED[name])


def test_the_brute_force_finds_what_is_false() -> None:
    assert counterexample("injective((M,N):(LD,1))", ()) is not None
    assert counterexample("1 <= M/2", ("M % 2 == 0",)) is None
    assert counterexample("1 <= M/2", ()) is not None
    assert counterexample("is_complement(2:1, M:K, 2*M)", ("0 <= K",)) is not None


def kept() -> list[Document]:
    files = sorted((Path(__file__).parents[2] / "proofs").rglob("*.certificates.jsonl"))
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return [json.loads(line)["certificate"] for line in lines]


def test_kept_certificates_changed_without_their_digest() -> None:
    """One token of each kept certificate is changed: which one, the digest itself says."""
    documents = kept()
    assert len(documents) >= 400
    for document in some(documents, 3):
        body = {k: v for k, v in document.items() if k != "digest"}
        mutants = list(islice(mutations(body, ["M", "N"]), 40))
        mutant = mutants[int(document["digest"][:8], 16) % len(mutants)]
        if mutant != body:
            assert not check(mutant | {"digest": document["digest"]}).accepted


def test_kept_certificates_changed_and_signed_again() -> None:
    rng = random.Random(4)
    documents = [d for d in kept() if d["rests_on"] == ["arithmetic"] and len(str(d)) < 1500]
    changed = 0
    for document in rng.sample(documents, many(15, 120)):
        mutants = all_mutations(document)
        for mutant in map(anew, rng.sample(mutants, min(12, len(mutants)))):
            result = check(mutant)
            assert "cannot be checked" not in result.reason, (mutant, result)
            if result.status == "checked":
                changed += 1
                assert_true(mutant)
    assert changed >= many(2, 10)
