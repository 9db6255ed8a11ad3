"""`python -m tests.triton.mutants [number]`: right kernels with one thing changed, and verdicts.

A mutant is a kernel with one place of its body, or of its launch, changed as by mistake. What
executions in Triton's interpreter show to be untrue of it must not be proved.
"""

from __future__ import annotations

import ast
import copy
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Any

from .cases import Case, cases, read
from .executions import ask
from .verdicts import Outcome, outcome, ttir, unconfirmed

_HEAD = "import triton\nimport triton.language as tl\n"
_ORDERS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
#: So many executions must show nothing before a mutant counts as right.
RUNS = 6


@dataclass(frozen=True)
class Mutant:
    """A changed kernel: what was changed, and the text of its notes and of its function."""

    case: Case
    change: str
    text: str

    @property
    def label(self) -> str:
        return f"{self.case.label}: {self.change}"


def mutants(case: Case) -> list[Mutant]:
    """All mutants of a kernel, each once."""
    text = case.file.read_text(encoding="utf-8")
    node = next(n for n in ast.parse(text).body if getattr(n, "name", "") == case.name)
    assert isinstance(node, ast.FunctionDef)
    notes = _notes(text.splitlines(), node.decorator_list[0].lineno - 1)
    found = [(what, notes, ast.unparse(made)) for what, made in _bodies(node)]
    found += [(what, changed, ast.unparse(node)) for what, changed in _launches(case, notes)]
    unique = {body + "\n".join(above): (what, above, body) for what, above, body in found}
    return [
        Mutant(case, what, "\n".join((*above, body)) + "\n")
        for what, above, body in unique.values()
    ]


def _notes(lines: Sequence[str], first: int) -> list[str]:
    start = first
    while start and lines[start - 1].startswith("#"):
        start -= 1
    return [s for s in lines[start:first] if s.startswith("# symcute:")]


# --- what is changed ----------------------------------------------------------------------------


def _bodies(function: ast.FunctionDef) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield functions with one place changed."""
    places = [n for s in function.body for n in ast.walk(s)]
    for k, place in enumerate(places):
        for what, change in _changes(place):
            made = copy.deepcopy(function)
            target = [n for s in made.body for n in ast.walk(s)][k]
            made = _Put(target, change).visit(made)
            yield f"line {getattr(place, 'lineno', 0) - function.lineno}: {what}", made


class _Put(ast.NodeTransformer):
    """Puts something in the place of a node."""

    def __init__(self, target: ast.AST, change: Callable[[Any], ast.AST]) -> None:
        self._target, self._change = target, change

    def visit(self, node: ast.AST) -> Any:
        return self._change(node) if node is self._target else self.generic_visit(node)


Change = tuple[str, Callable[[Any], ast.AST]]


def _plus(e: ast.expr, by: int) -> ast.BinOp:
    return ast.BinOp(e, ast.Add() if by > 0 else ast.Sub(), ast.Constant(abs(by)))


def _changes(place: ast.AST) -> Iterator[Change]:
    match place:
        case ast.Compare(ops=[op]) if type(op) in _ORDERS:
            yield (
                "the other side of equality",
                lambda n: ast.Compare(n.left, [_ORDERS[type(n.ops[0])]()], n.comparators),
            )
        case ast.BinOp(op=ast.Mult()):
            yield "a factor more", lambda n: ast.BinOp(n.left, n.op, _plus(n.right, 1))
        case ast.BinOp(op=ast.Add()):
            yield "less", lambda n: ast.BinOp(n.left, ast.Sub(), n.right)
            yield "one more", lambda n: _plus(n, 1)
        case ast.BinOp(op=ast.Sub()):
            yield "one less", lambda n: _plus(n, -1)
        case ast.BinOp(op=ast.BitAnd()):
            yield "the first condition alone", lambda n: n.left
            yield "the second condition alone", lambda n: n.right
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="debug_barrier"))):
            yield "no barrier", lambda n: ast.Pass()
        case ast.Call(func=ast.Attribute(value=ast.Name(id="tl"), attr=name)):
            yield from _calls(name, place)


def _calls(name: str, call: ast.Call) -> Iterator[Change]:
    if name in ("load", "store") or name.startswith("atomic_"):
        yield (
            f"a {name} of the next element",
            lambda n: ast.Call(n.func, [_plus(n.args[0], 1), *n.args[1:]], n.keywords),
        )
        if any(k.arg == "mask" for k in call.keywords):
            yield (
                f"a {name} without its mask",
                lambda n: ast.Call(
                    n.func, n.args, [k for k in n.keywords if k.arg not in ("mask", "other")]
                ),
            )
    if name == "atomic_add":
        store = ast.Attribute(ast.Name("tl"), "store")
        yield (
            "no atomic",
            lambda n: ast.Call(store, n.args, [k for k in n.keywords if k.arg == "mask"]),
        )
    if name == "program_id":
        yield "the next program", lambda n: _plus(n, 1)
    if name == "cdiv":
        yield "rounded down", lambda n: ast.BinOp(n.args[0], ast.FloorDiv(), n.args[1])


def _launches(case: Case, notes: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield notes with other grids, or a constant of which the grid does not know."""
    at = next(k for k, s in enumerate(notes) if "launch grid=" in s)
    for by in ("+ 1", "- 1"):
        grid = ",".join((f"{case.grid[0]} {by}", *case.grid[1:]))
        yield f"programs {by}", [*notes[:at], f"# symcute: launch grid=({grid})", *notes[at + 1 :]]
    for name, held in case.constants.items():
        line = f"# symcute: constexpr {name} = {held}"
        if type(held) is int and held > 1 and line in notes:
            others = [re.sub(rf"\b{name}\b", str(held), s) for s in notes if s != line]
            for other in (held * 2, held // 2):
                new = f"# symcute: constexpr {name} = {other}"
                yield f"{name} = {other}", [new, *others]


# --- what becomes of them -----------------------------------------------------------------------


@cache
def drawn(number: int, seed: int = 1) -> tuple[Mutant, ...]:
    """So many mutants of right kernels, from all of them."""
    right = [c for c in cases() if all(c.truth.values())]
    found = [m for c in right for m in mutants(c)]
    return tuple(Random(seed).sample(found, min(number, len(found))))


def written(chosen: Sequence[Mutant], folder: Path) -> list[Case]:
    """Write mutants to a file each, and return these as kernels."""
    found = []
    for k, mutant in enumerate(chosen):
        file = folder / f"mutant_{k}.py"
        text = mutant.case.file.read_text(encoding="utf-8").splitlines()
        helpers = [
            "\n".join(text[n.decorator_list[0].lineno - 1 : n.end_lineno])
            for n in ast.parse("\n".join(text)).body
            if isinstance(n, ast.FunctionDef) and n.decorator_list
            and not _notes(text, n.decorator_list[0].lineno - 1)
        ]  # fmt: skip
        file.write_text("\n\n\n".join((_HEAD, *helpers, mutant.text)), encoding="utf-8")
        (case,) = read(file)
        found.append(case)
    return found


def faults(chosen: Sequence[Case]) -> list[dict[str, str]]:
    """What executions show to be untrue of each kernel."""
    asked = [(k, c.question(r)) for k, c in enumerate(chosen) for r in c.usual_runs(RUNS)]
    found: list[dict[str, str]] = [{} for _ in chosen]
    for (k, _), answer in zip(asked, ask([q for _, q in asked]), strict=True):
        for name, why in answer.get("faults", {}).items():
            found[k].setdefault(name, why)
    return found


def executed(chosen: Sequence[Mutant]) -> list[dict[str, Any]]:
    """What Triton makes of mutants, and what is untrue of those that it takes."""
    made = written(chosen, Path(mkdtemp()))
    found: list[dict[str, Any]] = [{"ttir": t} for t in ttir(made)]
    taken = [k for k, f in enumerate(found) if "parameters" in f["ttir"]]
    for k, untrue in zip(taken, faults([made[k] for k in taken]), strict=True):
        found[k]["untrue"] = untrue
    return found


def verdicts(mutant: Mutant, said: dict[str, Any]) -> Outcome:
    """What is said of a mutant, of which so much is untrue."""
    (case,) = written([mutant], Path(mkdtemp()))
    truth = {name: name not in said["untrue"] for name in mutant.case.truth}
    return outcome(replace(case, truth=truth), said["ttir"])


def counted(
    chosen: Sequence[Mutant], said: Sequence[dict[str, Any]]
) -> tuple[Counter[str], list[Outcome], list[str]]:
    """Count mutants and verdicts; what is untrue of one and not denied is wrong."""
    count: Counter[str] = Counter()
    outcomes, wrong = [], []
    for mutant, answer in zip(chosen, said, strict=True):
        if "untrue" not in answer:
            count["not taken by Triton"] += 1
            continue
        outcomes.append(found := verdicts(mutant, answer))
        count["mutants"] += 1
        count["wrong ones"] += not all(found.case.truth.values())
        for name, verdict in found.verdicts.items():
            count[f"{'not shown untrue' if found.case.truth[name] else 'untrue'}, {verdict}"] += 1
            if not found.case.truth[name] and verdict not in ("refuted", "unknown"):
                wrong.append(f"{mutant.label}: {name} is {verdict}\n{mutant.text}")
    return count, outcomes, wrong


def main(number: int, seed: int) -> int:
    chosen = drawn(number, seed)
    count, outcomes, wrong = counted(chosen, executed(chosen))
    wrong += unconfirmed(outcomes)
    print("\n".join([*(f"{n} {what}" for what, n in count.most_common()), *wrong]))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(int((sys.argv[1:] or ["200"])[0]), int((sys.argv[2:] or ["1"])[0])))
