"""Texts in Gallina: read as the reader in Python reads them, or not at all."""

from __future__ import annotations

import random
import subprocess
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from symcute import checker as core
from symcute.checker.poly import budget
from symcute.checker.settle import Place
from symcute.checker.terms import Node, Refused
from symcute.recheck.operations import again_of
from symcute.recheck.statement import read
from symcute.recheck.text import parse, show
from symcute.rocq import ask, missing
from symcute.rocq.extracted import line, program
from symcute.rocq.machine import _coqc, compiled
from tests.full import many

from .certificates import sign
from .test_mutations import kept

FULL = pytest.mark.full
WORDS = ["implies", "or", "and", "not", "==", "!=", "<=", "<", ">=", ">", "|", ":", "<<", ">>", "+",
         "-", "*", "/", "//", "%", "**", "(", ")", ",", "M", "N", "0", "1", "12", "_", "_8", "_m3",
         "_m", "Sw<3,2,3>", "Sw<1,0,-1>", "Sw<1234,0,1>", "Sw", "o", '"M+1"', '"', "@", "where",
         "min", "f(", " ", "\n", "\t", "\x0b", "é", "=", "!", "  "]  # fmt: skip
EDGES = ["", "M" * 20000, "M" * 20001, " " * 19999 + "M", "M\n", "M\n\n", "\nM", "M@0",
         "a<b<c==d", "a and b<c<d and e", "(a<b)<c", "not a<b<c", "a<b and c<d<e or f", "-2**2",
         "2**-3", "- - 5", "a implies b implies c", "a-b-c", "a/b*c", "(8,)", "()",
         "f(a,)"]  # fmt: skip
EDGES += ["(" * k + "M" + ")" * k for k in (149, 150, 151, 199, 200, 400)]
EDGES += ["+".join("M" * k) for k in (150, 151, 152)] + ["9" * k for k in (4300, 4301)]


def mutated(text: str, rng: random.Random) -> str:
    """Return a text with one to three things put in, taken out or repeated."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        k, length = rng.randrange(len(text) + 1), rng.choice((0, 0, 1, 1, 2, 5))
        there = text[rng.randrange(len(text) + 1) :][: rng.choice((1, 3, 8))]
        word = rng.choice(WORDS)
        text = text[:k] + rng.choice((word, f" {word} ", "", there)) + text[k + length :] or "M"
    return text


def drawn(rng: random.Random, depth: int = 0) -> str:
    """Return a text that is often an expression."""
    k, space = rng.random(), rng.choice(("", " "))
    if depth > 5 or k < 0.25:
        return rng.choice(("M", "N", "3", "_", "12", "x_1", "-3", "_8", '"M"', "Sw<1,1,1>", "()"))
    parts = [drawn(rng, depth + 1) for _ in range(3)]
    if k < 0.5:
        return f"{parts[0]}{space}{rng.choice(WORDS[:21])}{space}{parts[1]}"
    if k < 0.7:
        return f"({','.join(parts[: rng.choice((0, 1, 1, 2, 3))])}{rng.choice(('', '', ','))})"
    if k < 0.8:
        return rng.choice(("-", "not ", "- ")) + parts[0]
    if k < 0.9:
        return f"{rng.choice(('f', 'min', 'where'))}({parts[0]}, {parts[1]})"
    if k < 0.95:
        return f"Sw<2,1,-2> o {parts[0]}{rng.choice((f' o {parts[1]}', ''))}"
    return f"({parts[0]})({parts[1]})"


def tree(node: Node) -> list[Any]:
    if node.op == "basis":
        raise Refused("a stride of coordinates")
    return [node.op, *(tree(x) if isinstance(x, Node) else x for x in node.args)]


def read_here(text: str) -> list[Any] | None:
    try:
        return tree(parse(text))
    except (Refused, RecursionError, ValueError):
        return None


def checker() -> Path:
    made = program(compiled(), _coqc)
    assert made, "OCaml is not here: apt install ocaml-findlib"
    return made


@FULL
def test_trees_are_the_same_or_none_is_read() -> None:
    rng = random.Random(5)
    texts = {
        t
        for d in kept()
        for t in (d["claim"], *d["given"], *(x for p in d["operations"] for x in p))
    }
    short = sorted(t for t in texts if len(t) < 400)
    texts |= {mutated(rng.choice(short), rng) for _ in range(many(2000, 20000))}
    texts |= {drawn(rng) for _ in range(many(2000, 20000))} | {*EDGES}
    ordered = sorted(texts)
    told = "".join(line([t, read_here(t)]) + "\n" for t in ordered)
    run = subprocess.run([checker(), "texts"], input=told, capture_output=True, text=True)
    codes = run.stdout.split()
    assert run.returncode == 0 and len(codes) == len(ordered), run.stderr
    for code, text in zip(codes, ordered, strict=True):
        assert code in "12", (code, text[:200])
    counted = Counter(codes)
    assert counted["1"] >= 3000 and counted["2"] >= 1500, counted


def stated_here(document: dict[str, Any]) -> Any:
    """What the texts state, with the operations of the document or those worked out here."""
    for operations in (document["operations"], worked_out(document["claim"])):
        budget.renew()
        with suppress(Refused, RecursionError, ValueError, KeyError, IndexError, TypeError):
            return read(document["claim"], document["given"], operations).data()
    return None


def worked_out(text: str) -> list[list[str]]:
    """What operations in a text come to, which in Gallina are worked out without being named."""
    found, place = dict[str, str](), Place({}, [])
    with suppress(Refused, RecursionError, ValueError):
        waiting = [parse(text)]
        while waiting:
            node = waiting.pop()
            result = again_of(node, place) if node.op in ("call", "apply") else None
            if result is None:
                waiting += [x for x in node.args if isinstance(x, Node)]
            else:
                found[show(node)] = written(result)
    return [[call, result] for call, result in found.items()]


def written(result: Any) -> str:
    """Return a leaf or a tuple as text."""
    if isinstance(result, Node):
        return show(result)
    return f"({''.join(f'{written(x)},' for x in result)})"


def written_again(document: dict[str, Any], stated: Any) -> dict[str, Any]:
    """Return a document that states what its texts say, with the same proof."""
    return sign(document | {"statement": stated})


@FULL
def test_what_texts_say_is_proved_where_python_reads_the_same() -> None:
    """Certificates, and the same with another text: it is proved only of a text that says it."""
    rng = random.Random(9)
    bases = [
        d
        for d in kept()
        if not missing(d) and d["rests_on"] == ["arithmetic"] and len(d["claim"]) < 400
    ]
    found = ask(bases)
    assert sum(x.text for x in found) >= 2150 and all(x.verdict == "accepted" for x in found)
    others, whose = [], list[bool]()
    for k in rng.choices(range(len(bases)), k=many(300, 1500, 1500)):
        document, given = bases[k], list(bases[k]["given"])
        whose.append(found[k].text)
        if given and rng.random() < 0.4:
            place = rng.randrange(len(given))
            given[place] = mutated(given[place], rng)
            others.append(document | {"given": given})
        else:
            others.append(document | {"claim": mutated(document["claim"], rng)})
    counted: Counter[bool] = Counter()
    for document, said, before in zip(others, ask(others), whose, strict=True):
        stated = stated_here(document)
        counted[said.text] += 1
        # A proof may be one of another text, too, which says less, or the same.
        assert stated is not None or not said.text, document["claim"]
        if said.text and stated != document["statement"]:
            other = written_again(document, stated)
            assert core.check(other).accepted, document["claim"]
        if stated == document["statement"]:
            assert said.text == before, document["claim"]
    assert counted[True] >= 50 and counted[False] >= 300, counted
