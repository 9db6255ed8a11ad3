"""Mutated and forged certificates: what the checker calls checked is true.

One certificate again: `python -m tests.soak.certificates SEED/NUMBER`.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from symcute import recheck
from symcute.errors import SymcuteError
from symcute.prover import prove

from .assumed import lower_bounds
from .box import box
from .claims import WORK, draw
from .drawing import Drawer
from .evaluate import Senseless, Unclear
from .meanings import truth
from .reading import Unreadable, names, read
from .tally import Tally, draw_again

Document = dict[str, Any]
#: Mutants of one certificate, and instances that what one of them states is compared at.
MUTANTS, INSTANCES = 20, 40
_TOKEN = re.compile(r"\d+|[A-Za-z_]\w*'*|<=|>=|==|!=|\*\*|//|[-+*/%<>:,|()]")
_LEMMAS = (
    "chain", "mod", "merge", "bounds", "given bound", "swizzle", "cover", "together", "beyond",
    "offset mod", "reorder", "formula", "residues", "agree", "evaluate", "solver", "one", "denial",
    "missing", "witness",
)  # fmt: skip
_GROUPS = (
    ("<=", "<", "==", "!=", ">=", ">"), ("+", "-", "*", "//", "%", "/", "**"),
    ("min", "max", "mod", "floor_div", "ceil_div"), ("and", "or", "implies"),
    ("let", "from", "upto", "is", "fact"), ("covers", "in_bounds", "partition"),
    ("injective", "bijective", "compact", "increasing", "monotone"), ("compatible", "refines"),
    ("is_right_inverse", "is_left_inverse", "equal", "same_image", "disjoint", "apart"),
    ("bank_conflict", "sectors", "coalesced"), ("is_complement", "is_composition"),
    _LEMMAS, ("after", "rewrite", "first"), ("merge", "split", "drop"),
    ("sum", "given", "follows", "and", "or", "implies", "absurd", "powers"),
)  # fmt: skip
_SOLVED = {"solver": "z3", "version": "4.13.0"}
_SIMPLE_BY: tuple[Any, ...] = (
    ["sum", 0], ["sum", 1], ["given", 0], ["given", 1], ["and", [["sum", 0]]],
    ["solver", "z3", "4.13.0"], ["absurd", ["sum", 0, [["1", [0]]]]],
    ["and", [["sum", 0], ["sum", 0]]], ["range", ["M"]],
    ["sum", 0, [["1", [0]]]], ["sum", 0, [["-1", [0]]], 2], ["implies", ["given", 0]],
    ["cut", ["<=", 0, "M"], ["sum", 0], ["sum", 0]], ["or", 0, ["sum", 0]],
)  # fmt: skip
_SIMPLE_PART: tuple[Any, ...] = (
    {"lemma": "evaluate"}, {"lemma": "residues", "definition": 0, "ends": {}},
    {"lemma": "formula", "by": [["given", 0]]}, {"lemma": "formula", "by": [["sum", 0]]},
    {"lemma": "solver", **_SOLVED},
)  # fmt: skip
#: How a proof of an obligation begins.
_BY = ("sum", "given", "follows", "and", "or", "case", "either", "cut", "implies", "absurd",
       "powers", "range")  # fmt: skip


def signed(document: Document) -> Document:
    """Return a document with the digest that the reference says."""
    rest = {k: v for k, v in document.items() if k != "digest"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return rest | {"digest": hashlib.sha256(text.encode()).hexdigest()}


def anew(document: Document) -> Document:
    """Return a document whose data are what its texts say; as it is where they say nothing."""
    try:
        found: Document = json.loads(json.dumps(recheck.written(document)))
        return found
    except Exception:
        return signed(document)


@cache
def kept() -> list[Document]:
    """Return the smaller certificates that lie beside the theorems."""
    files = sorted((Path(__file__).parents[2] / "proofs").rglob("*.certificates.jsonl"))
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    found = [json.loads(line)["certificate"] for line in lines if len(line) < 3000]
    return [d for d in found if d["rests_on"] == ["arithmetic"]]


def base(rng: random.Random) -> Document | None:
    """Return the certificate of a proof: one that is kept, or of a claim that is drawn."""
    if rng.random() < 0.25:
        return rng.choice(kept())
    for _ in range(4):
        _, text, given = draw(f"certificate/{rng.random()}")
        try:
            verdict = prove(text, given=given, work=WORK)
        except SymcuteError:
            continue
        if verdict.certificate is not None:
            document: Document = json.loads(json.dumps(verdict.certificate))
            return document
    return None


class Mutator:
    """Changes a few things of a certificate, anywhere in it."""

    def __init__(self, rng: random.Random, document: Document) -> None:
        self.rng = rng
        self.texts = [x for x in _strings(document) if len(x) < 60]
        spoken = " ".join([document["claim"], *document["given"]])
        self.dims = sorted(document["statement"]["dims"])
        self.names = sorted(set(re.findall(r"\b[A-Z]\w?\b", spoken))) or ["M"]

    def mutant(self, document: Document) -> Document:
        """Return a document with some things changed in it.

        Most changes break a proof that says each step, and a checker that accepts nothing passes;
        so a third of the documents are written another way that stays true as a rule, and of these
        some are changed otherwise, too: what is accepted then is to be true as well.
        """
        found: Document = json.loads(json.dumps(document))
        kind = self.rng.random()
        if kind < 0.35:
            for _ in range(self.rng.choice((1, 2, 3))):
                found = self.rewritten(found)
        if kind > 0.25 or found == document:
            for _ in range(self.rng.choice((1, 1, 1, 2, 3))):
                found = self.anywhere(found)
        if self.rng.random() < 0.15:
            found["rests_on"] = self.rng.choice(
                (["arithmetic"], ["arithmetic", "exact search"], ["arithmetic", "solver z3 4.13.0"])
            )
        return signed(found) if self.rng.random() < 0.3 else anew(found)

    def anywhere(self, document: Document) -> Document:
        draw = self.rng.random()
        key = self.rng.choice(sorted(document.keys() - {"digest", "version"}))
        if draw < 0.35:
            key = "claim"
        elif draw < 0.75:
            key = "proof"
        elif draw < 0.85 and document["given"]:
            kept = list(document["given"])
            kept.pop(self.rng.randrange(len(kept)))
            return document | {"given": kept}
        elif draw < 0.9:
            return document | {"given": [*document["given"], self.rng.choice(self.relations())]}
        if key not in document:
            return document
        return document | {key: self.changed(document[key])}

    def rewritten(self, document: Document) -> Document:
        """Return a document that says the same in another way, as a rule.

        It assumes more, its claim or an assumption is spelt otherwise, cases are told apart, and
        sums have their terms in another order, in halves, or are sums of a multiple.
        """
        rng, kind = self.rng, self.rng.random()
        if kind < 0.15:
            return document | {"given": [*document["given"], rng.choice(self.relations())]}
        if kind < 0.35:
            key = rng.choice(self.dims or self.names)
            new = rng.choice(("({0} + 0)", "(0 + {0})", "({0}*1)", "(2*{0} - {0})")).format(key)
            texts = [re.sub(rf"\b{key}\b", new, x, count=rng.choice((0, 1)))
                     for x in (document["claim"], *document["given"])]  # fmt: skip
            return document | {"claim": texts[0], "given": texts[1:]}
        if kind < 0.45:
            proof = document["proof"]
            return document | {"proof": {"cases": ["case", self.told(), proof, proof]}}
        found: Document = json.loads(json.dumps(document))
        proofs, steps = (list(_proofs(found[key])) for key in ("proof", "definitions"))
        if not proofs:
            return document
        by = rng.choice([*proofs, *(x for x in steps if len(x) > 2)])
        if len(by) > 2 and by[0] == "sum" and (by in steps or rng.random() < 0.8):
            k = rng.choice((2, 3))
            halved = [[f"{n}/{int(d or 1) * 2}", list(x)]
                      for (n, _, d), x in ((w.partition("/"), x) for w, x in by[2])]  # fmt: skip
            times = [[f"{int(n) * k}/{d or 1}", x]
                     for (n, _, d), x in ((w.partition("/"), x) for w, x in by[2])]  # fmt: skip
            factor = ["*", k, by[3] if len(by) > 3 else 1]
            by[2:] = rng.choice(([by[2][::-1], *by[3:]], [halved * 2, *by[3:]], [times, factor]))
        else:
            same = json.loads(json.dumps(by))
            other = ["case", self.told(), same, same], ["cut", ["<=", 0, 1], ["sum", 0], same]
            by[:] = rng.choice(other)
        return found

    def told(self) -> list[Any]:
        """Return a formula as data that tells cases apart."""
        n, c = self.rng.choice(self.dims or [2]), self.rng.choice((0, 1, 2, 3, 8))
        return self.rng.choice((["<=", n, c], ["==", n, c], ["|", 2, n], ["!=", n, c]))

    def relations(self) -> list[str]:
        n = self.rng.choice(self.names)
        c = self.rng.choice((0, 1, 2, 3, 4, -1))
        return [f"{n} <= {c}", f"{n} >= {c}", f"{n} == {c}", f"{n} % 2 == 0", f"{n}/2 >= 1",
                f"{n} < {n}", f"{n} % -2 == 0", f"{n} >= {c} or {n} <= 7"]  # fmt: skip

    def changed(self, item: Any) -> Any:
        """Return an item with one thing in it changed; how deep is drawn on the way."""
        rng = self.rng
        if isinstance(item, bool):
            return not item
        if isinstance(item, int):
            return rng.choice((item + 1, item - 1, -item, 0, 1))
        if isinstance(item, str):
            return self.text(item)
        if isinstance(item, dict):
            return self.object(item)
        if not item:
            return [rng.choice(_SIMPLE_BY)]
        k = rng.randrange(len(item))
        kind = rng.random()
        if kind < 0.6:
            return [*item[:k], self.changed(item[k]), *item[k + 1 :]]
        if kind < 0.7:
            return item[:k] + item[k + 1 :]
        if kind < 0.78:
            return item[: k + 1] + item[k:]
        if kind < 0.86 and len(item) > 1:
            j = rng.randrange(len(item))
            return [item[j] if i == k else item[k] if i == j else x for i, x in enumerate(item)]
        return [*item[:k], rng.choice(_SIMPLE_BY), *item[k + 1 :]]

    def object(self, item: Document) -> Any:
        rng = self.rng
        kind = rng.random()
        if not item:
            return rng.choice(_SIMPLE_PART)
        if kind < 0.12 and "lemma" in item:
            return rng.choice(_SIMPLE_PART)
        if kind < 0.2 and "lemma" in item:
            return item | {"lemma": rng.choice(_LEMMAS)}
        if kind < 0.24:
            return {k: v for k, v in item.items() if k != rng.choice(sorted(item))}
        if kind < 0.3 and "parts" in item:
            return {"cases": ["case", self.told(), item, item]}
        key = rng.choice(sorted(item))
        if "by" in item and isinstance(item["by"], list) and rng.random() < 0.3:
            return item | {"by": [rng.choice(_SIMPLE_BY) for _ in item["by"]]}
        return item | {key: self.changed(item[key])}

    def text(self, text: str) -> str:
        rng = self.rng
        found = list(_TOKEN.finditer(text))
        if not found or rng.random() < 0.05:
            return rng.choice(self.texts)
        if rng.random() < 0.15:
            return Drawer(rng, tuple(self.names)).respell(text, 1)
        token = rng.choice(found)
        word = token[0]
        groups = [g for g in _GROUPS if word in g]
        if rng.random() < 0.1:
            new = ""
        elif word.isdigit():
            n = int(word)
            new = str(
                rng.choice((n + 1, max(n - 1, 0), 0, 1, 2 * n, f"-{n}", rng.choice(self.names)))
            )
        elif groups:
            new = rng.choice(rng.choice(groups))
        else:
            new = rng.choice((*self.names, "1", "2"))
        return text[: token.start()] + new + text[token.end() :]


def _proofs(item: Any) -> Iterator[list[Any]]:
    """Yield the proofs of obligations in a proof or in definitions."""
    if isinstance(item, list) and item[:1] and item[0] in _BY:
        yield item
    for x in item.values() if isinstance(item, dict) else item if isinstance(item, list) else ():
        yield from _proofs(x)


def _strings(item: Any) -> Iterator[str]:
    if isinstance(item, str):
        yield item
    elif isinstance(item, list):
        for x in item:
            yield from _strings(x)
    elif isinstance(item, dict):
        for x in item.values():
            yield from _strings(x)


def one(seed: str, tally: Tally) -> None:
    """Draw a certificate, change it in many ways, and compare what is accepted."""
    rng = random.Random(f"certificates of {seed}")
    document = base(rng)
    if document is None:
        tally.counts["certificates: no proof drawn"] += 1
        return
    for k in range(MUTANTS):
        mutant = Mutator(rng, document).mutant(document)
        if mutant["digest"] != document["digest"]:
            tally.counts["certificates"] += 1
            judge(mutant, tally, rng, f"{seed} {k}: {json.dumps(mutant)}")


def judge(document: Document, tally: Tally, rng: random.Random, again: str) -> None:
    """What is called checked is true at every instance that meets what it assumes."""
    result = recheck.check(json.dumps(document))
    tally.counts[f"certificates {result.status}"] += 1
    if "cannot be checked" in result.reason:
        tally.fault(f"CHECKER {result.reason}", again)
    if result.status == "vacuous":
        given = [read(t) for t in document["given"]]
        if env := next(box(given, [], rng, 1), None):
            tally.fault(f"VACUOUS, met at {env}", again)
    if result.status != "checked":
        return
    try:
        tree, facts = read(document["claim"]), [read(t) for t in document["given"]]
    except Unreadable as error:
        tally.fault(f"CHECKED, UNREADABLE: {error}", again)
        return
    dims = set().union(*(names(t) for t in (tree, *facts)))
    for name, bound in lower_bounds(facts, dims).items():
        if f"{name} >= {bound}" not in result.statement and document["claim"][:9] != "prints_as":
            tally.fault(f"CHECKED {result.statement}, not for {name} >= {bound}", again)
    for env in box(facts, [tree], rng, INSTANCES):
        try:
            if not truth(tree, env):
                tally.fault(f"CHECKED, false at {env}", again)
                return
            tally.counts["instances of checked certificates compared"] += 1
        except Senseless as error:
            tally.fault(f"CHECKED, makes no sense at {env}: {error}", again)
            return
        except Unclear:
            continue


def run(seed: str, numbers: range, tally: Tally) -> None:
    for n in numbers:
        one(f"{seed}/{n}", tally)


if __name__ == "__main__":
    draw_again(one, sys.argv[1:])
