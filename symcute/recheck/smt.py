"""Obligations as SMT-LIB text, for a second opinion: unsat says that the obligation holds."""

from __future__ import annotations

from collections.abc import Iterable

from symcute.checker.lemmas import breaking, broken_by, offset, radices
from symcute.checker.primitive import Primitive
from symcute.checker.settle import Place
from symcute.checker.swizzle import PLAIN
from symcute.checker.terms import Modes, Node, lit, names

#: Operators that SMT-LIB has, by its names.
_WORDS = {"add": "+", "sub": "-", "mul": "*", "neg": "-", "le": "<=", "lt": "<", "eq": "=",
          "and": "and", "or": "or", "not": "not", "implies": "=>"}  # fmt: skip


def script(place: Place, broken: Iterable[Node]) -> str:
    """Return the query for an instance that meets what is assumed, and formulas beside.

    Quotients and remainders are constants of their own. They exist for all values of what is
    divided, but for an exact quotient, which is shown to exist.
    """
    lines: list[str] = []
    lines += [f"(declare-const {n} Int)\n(assert (<= {_number(c)} {n}))"
              for n, c in sorted(place.bounds.items())]  # fmt: skip
    for fact in (*place.facts, *broken):
        found = {n for n in names(fact) if "!" in n} - set(lines)
        lines += [x for n in sorted(found) for x in (n, f"(declare-const {n} Int)")]
        term = _term(fact, lines)
        lines.append(f"(assert {term})")
    return "\n".join(["(set-logic ALL)", *(x for x in lines if x[0] == "(")])


def counterexample(claim: Primitive) -> list[Node] | None:
    """Return formulas that say that coordinates break a claim; None where it takes a quantifier.

    Constants that are no dims have a `!` in their names.
    """
    if claim.kind == "holds":
        return [Node("not", (claim.body,))]
    if claim.swizzle != PLAIN or claim.body not in (None, PLAIN):
        return None
    if claim.kind != "agree":
        layouts = broken_by(claim)
        points = [_coordinate(*x) for x in zip("xy", layouts or (), strict=False)]
        return None if layouts is None else breaking(claim, points)
    # The index is that of a coordinate of the domain; each layout of a chain gets the coordinate
    # of its argument, whose last mode is not bounded.
    b, values = claim.layouts[-1], []
    y = _coordinate("y", b)
    found = _inside(y, b)
    chains = claim.layouts[: claim.split], claim.layouts[claim.split : -1]
    for side, chain, start in zip("lr", chains, (claim.offset, claim.leaf), strict=True):
        value = offset(y, radices(b))
        for k, layout in enumerate(reversed(chain)):
            z = _coordinate(f"{side}{k}", layout)
            found += [Node("eq", (value, offset(z, radices(layout)))), *_inside(z, layout[:-1])]
            value = offset(z, layout)
        values.append(start + value)
    return [*found, Node("ne", tuple(values))]


def _coordinate(name: str, layout: Modes) -> list[Node]:
    return [Node("dim", (f"{name}!{k}",)) for k in range(len(layout))]


def _inside(x: list[Node], layout: Modes) -> list[Node]:
    return [f for c, (s, _) in zip(x, layout, strict=False)
            for f in (Node("le", (lit(0), c)), Node("lt", (c, s)))]  # fmt: skip


def _number(c: int) -> str:
    return str(c) if c >= 0 else f"(- {-c})"


def _term(x: Node, lines: list[str]) -> str:
    op = x.op
    if op in ("int", "dim"):
        return _number(x.args[0]) if op == "int" else str(x.args[0])
    if op == "pow":
        a = _term(x.args[0], lines)
        return f"(* 1 {' '.join([a] * x.args[1].args[0])})" if x.args[1].args[0] else "1"
    terms = [_term(y, lines) for y in x.args]
    if op in ("and", "or") and not terms:
        return "true" if op == "and" else "false"
    if op in _WORDS:
        return f"({_WORDS[op]} {' '.join(terms)})"
    a, b = terms
    if op == "ne":
        return f"(not (= {a} {b}))"
    if op in ("min", "max"):
        return f"(ite (<= {a} {b}) {a if op == 'min' else b} {b if op == 'min' else a})"
    q, r = f"q!{len(lines)}", f"r!{len(lines)}"
    lines.append(f"(declare-const {q} Int)\n(declare-const {r} Int)")
    if op == "div":
        lines.append(f"(assert (= {a} (* {b} {q})))")
        return q
    if op == "divides":
        a, b = b, a
    elif op == "ceil_div":  # what is rounded down is -a
        a = f"(- {a})"
    # Rounded down, the rest has the sign of the divisor.
    lines.append(f"(assert (= {a} (+ (* {b} {q}) {r})))")
    lines.append(f"(assert (=> (< 0 {b}) (and (<= 0 {r}) (< {r} {b}))))")
    lines.append(f"(assert (=> (< {b} 0) (and (< {b} {r}) (<= {r} 0))))")
    if op == "divides":
        return f"(and (not (= {b} 0)) (= {r} 0))"
    return {"mod": r, "ceil_div": f"(- {q})"}.get(op, q)
