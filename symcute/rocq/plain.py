"""A certificate as a theorem in plain mathematics over Z, with its proof, for Rocq.

The statement is written here as `plain_statement` of `proofs/rocq/Plain.v` has it; that both are
the same is for Rocq to find when it reads the file, so that nothing rests on this text.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symcute.checker.document import Statement, statement
from symcute.checker.primitive import Primitive
from symcute.checker.swizzle import PLAIN, Fields
from symcute.checker.terms import Modes, Node, asked
from symcute.rocq.gallina import DEPTH, HEAD, KEYS, data_terms, word

__all__ = ["theorem"]

#: What may not be the name of a dim: Gallina's words, and what the statement says itself.
_WORDS = frozenset([
    "Axiom", "CoFixpoint", "Definition", "Fixpoint", "Hypothesis", "IF", "Parameter", "Prop",
    "SProp", "Set", "Theorem", "Type", "Z", "as", "at", "by", "cofix", "else", "end", "exists",
    "exists2", "fix", "for", "forall", "fun", "if", "in", "let", "match", "mod", "return",
    "struct", "then", "using", "where", "with", "at_dims", "certificate", "checked", "element",
    "exported", "false", "least", "most", "pairs", "places", "served", "stated", "together", "true",
    "unit_bits", "width",
])  # fmt: skip
_SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "floor_div": "/", "mod": "mod",
          "pow": "^", "eq": "=", "ne": "<>", "le": "<=", "lt": "<"}  # fmt: skip


def theorem(document: dict[str, Any]) -> str:
    """Return a file that states what a certificate proves, and proves it through the library.

    Pre-conditions: the checker accepts the document. Where Rocq does not, it refuses the file.
    """
    writer = _Writer(statement(document["statement"]))
    said = writer.said()
    lines, [certificate] = data_terms([{k: document[k] for k in KEYS}])
    pairs = "; ".join(f"({word(n)}, {v})" for n, v in writer.dims.items())
    dims = " ".join(writer.dims.values())
    about = [f"{document['claim']}", *(f"where {g}" for g in document["given"])]
    return "\n".join([
        f"(* {_remark('; '.join(about))}",
        f"   rests on {_remark(', '.join(document['rests_on']))}",
        "   Compile with: coqc -R proofs/rocq Symcute FILE, after make rocq. *)",
        HEAD.replace("Data Certificates", "Data Service Certificates Plain"),
        *writer.definitions,
        f"Definition claimed : Prop := {f'forall {dims} : Z,' if dims else ''}\n  {said}.",
        "",
        *lines,
        f"Definition certificate := {certificate}.",
        f"Definition stated := Eval vm_compute in proved {DEPTH} certificate.",
        f"Lemma checked : option_map fst (accepted {DEPTH} certificate) = Some stated.",
        "Proof. vm_compute. reflexivity. Qed.",
        "Theorem holds : claimed.",
        f"Proof. {f'intros {dims}. ' if dims else ''}"
        f"exact (exported {DEPTH} certificate stated (at_dims [{pairs}]) checked). Qed.",
        "Print Assumptions holds.",
        "",
    ])  # fmt: skip


def _remark(text: str) -> str:
    """Return a text that ends no comment."""
    return text.replace("*)", "* )").replace("(*", "( *").replace('"', "'")


class _Writer:
    """Writes a statement; `definitions` are the layouts at 1-D indices that it speaks of."""

    def __init__(self, stated: Statement) -> None:
        self.stated, self.definitions = stated, list[str]()
        self.taken, self.dims = {*_WORDS}, dict[str, str]()
        self.dims = {n: self.fresh(n) for n in stated.place.bounds}

    def fresh(self, name: str) -> str:
        """Return a name that nothing has."""
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        return name

    def said(self) -> str:
        """Return the statement, for given dims."""
        bounds = self.stated.place.bounds
        premises = [f"{c} <= {self.dims[n]}" for n, c in bounds.items()]
        for f in self.stated.place.facts:
            premises += [self.formula(g, 1) for g in self._shown(asked(f))]
            premises.append(self.formula(f, 1))
        found = [self.formula(f, 1) for f in self._shown(self.stated.defined)]
        found += [_atom(self.claim(c)) for c in self.stated.parts]
        return " ->\n  ".join([*premises, " /\\\n  ".join(found) or "True"])

    def _shown(self, formulas: Iterable[Node]) -> list[Node]:
        """Leave out what the bounds of dims say, and all but the last of what stands twice."""
        bounds, found = self.stated.place.bounds, list[Node]()
        for f in reversed(list(formulas)):
            least = (
                bounds.get(f.args[1].args[0]) if f.op == "le" and f.args[1].op == "dim" else None
            )
            known = least is not None and f.args[0].op == "int" and f.args[0].args[0] <= least
            if not known and f not in found:
                found.insert(0, f)
        return found

    # --- terms and formulas

    def term(self, x: Node, place: int = 0) -> str:
        """Return a term; what binds less than `place` stands in parentheses."""
        if x.op == "int":
            return str(x.args[0]) if x.args[0] >= 0 else f"({x.args[0]})"
        if x.op == "dim":
            return self.dims[x.args[0]]
        if x.op in ("min", "max"):
            text, level = f"Z.{x.op} {self.term(x.args[0], 9)} {self.term(x.args[1], 9)}", 8
        elif x.op == "neg":
            text, level = f"- {self.term(x.args[0], 9)}", 5
        elif x.op == "ceil_div":
            text, level = f"- (- {self.term(x.args[0], 9)} / {self.term(x.args[1], 9)})", 5
        else:
            level = {"add": 1, "sub": 1, "mul": 3}.get(x.op, 2)
            first, then = {1: (1, 3), 3: (3, 9)}.get(level, (9, 9))
            a, b = self.term(x.args[0], first), self.term(x.args[1], then)
            text = f"{a} {_SIGNS[x.op]} {b}"
        return f"({text})" if level < place else text

    def formula(self, f: Node, place: int = 0) -> str:
        """Return a formula; all but relations stand in parentheses where `place` is not 0."""
        if f.op == "divides":
            a, b = (self.term(x, 9) for x in f.args)
            text = f"{a} <> 0 /\\ {b} mod {a} = 0"
        elif f.op in _SIGNS:
            return f"{self.term(f.args[0])} {_SIGNS[f.op]} {self.term(f.args[1])}"
        elif f.op == "not":
            text = f"~ ({self.formula(f.args[0])})"
        elif f.op == "implies":
            text = f"{self.formula(f.args[0], 1)} -> {self.formula(f.args[1], 1)}"
        else:
            text = _joined(f.op == "and", [self.formula(x, 1) for x in f.args])
        return f"({text})" if place else text

    # --- layouts

    def at(self, m: Modes, at: list[str]) -> str:
        """Return the offset at a coordinate."""
        found = [f"{c} * {self.term(d, 9)}" for c, (_, d) in zip(at, m, strict=True)]
        return _nested("+", found, "0")

    def over(self, how: str, m: Modes, at: list[str], body: str) -> str:
        """Return what is so for all, or for some, coordinates."""
        for x, (s, _) in reversed(list(zip(at, m, strict=True))):
            joint = "->" if how == "forall" else "/\\"
            body = f"{how} {x}, 0 <= {x} < {self.term(s)} {joint} {body}"
        return body

    def size(self, m: Modes) -> str:
        """Return the product of the extents."""
        return _nested("*", [self.term(s, 9) for s, _ in m], "1")

    def bound(self, letter: str, count: int) -> list[str]:
        """Return names for what is bound in a claim; they are free again behind it."""
        found, known = list[str](), {*self.taken}
        for k in range(count):
            name = f"{letter}{k}"
            while name in known:
                name += "_"
            known.add(name)
            found.append(name)
        return found

    def function(self, m: Modes) -> str:
        """Return a layout at 1-D indices as a function of the dims and the index, applied to dims.

        The last mode takes what is left of the index.
        """
        [index], name = self.bound("i", 1), self.fresh("f")
        found, left = list[str](), index
        for k, (s, d) in enumerate(m):
            digit = left if k + 1 == len(m) else f"({left} mod {self.term(s, 9)})"
            found.append(f"{digit} * {self.term(d, 9)}")
            left = f"({left} / {self.term(s, 9)})"
        arguments = " ".join([*self.dims.values(), index])
        self.definitions.append(
            f"Definition {name} ({arguments} : Z) : Z := {_nested('+', found, '0')}."
        )
        return " ".join([name, *self.dims.values()])

    def behind(self, x: Node, y: str) -> str:
        """Return x + y."""
        return y if x.op == "int" and x.args[0] == 0 else f"{self.term(x, 3)} + {_atom(y)}"

    # --- claims

    def claim(self, c: Primitive) -> str:
        """Return a primitive claim."""
        x = self.bound("x", len(c.layouts[0])) if c.layouts else []
        other = self.bound("y", len(c.layouts[1])) if len(c.layouts) > 1 else []
        if c.kind == "holds":
            return self.formula(c.body)
        if c.kind == "either":
            return _joined(False, [_atom(self.claim(y)) for y in c.body])
        if c.kind == "denied":
            return f"~ ({self.claim(c.body[0])})"
        if c.kind in ("agree", "vectors"):
            return self.at_indices(c)
        if c.kind == "requests":
            return self.requests(c)
        m = c.layouts[0]
        if c.kind == "injective":
            y = self.bound("y", len(m))
            same = " /\\ ".join(f"{a} = {b}" for a, b in zip(x, y, strict=True)) or "True"
            body = f"{self.at(m, x)} = {self.at(m, y)} -> {same}"
            body = self.admitting(c, x) + self.admitting(c, y) + body
            return self.over("forall", m, x, self.over("forall", m, y, body))
        if c.kind == "in_bounds":
            value = _swizzled(c.swizzle, self.behind(c.offset, self.at(m, x)))
            body = f"{self.admitting(c, x)}0 <= {value} < {self.term(c.leaf)}"
            return self.over("forall", m, x, body)
        if c.kind == "covers":
            y = self.bound("y", 1)
            reached = self.over("exists", m, x, f"{self.at(m, x)} = {y[0]}")
            return f"forall {y[0]}, 0 <= {y[0]} < {self.term(c.leaf)} -> {reached}"
        n = c.layouts[1]
        if c.kind == "same_image":
            z = self.bound("z", 1)[0]
            sides = (self.over("exists", m, x, f"{self.at(m, x)} = {z}"),
                     self.over("exists", n, other, f"{self.at(n, other)} = {z}"))  # fmt: skip
            return f"forall {z}, {' <-> '.join(map(_atom, sides))}"
        a, b = self.at(m, x), self.at(n, other)
        body = f"{a} <> {self.behind(c.leaf, b)}" if c.kind == "apart" else f"{a} = {b} -> {a} = 0"
        return self.over("forall", m, x, self.over("forall", n, other, body))

    def admitting(self, c: Primitive, at: list[str]) -> str:
        """Return the premises that a coordinate is admitted by the guards."""
        return "".join(f"{self.at(g, at)} < {self.term(m)} -> " for g, m in c.guards)

    def requests(self, c: Primitive) -> str:
        """Return a claim about requests, each of which is `served`."""
        r = c.body
        lanes, others = c.layouts[0][: r.lanes], c.layouts[0][r.lanes :]
        x, [n] = self.bound("x", len(others)), self.bound("n", 1)
        inside = f"{self.function(lanes)} {n} + {_atom(self.at(others, x))}"
        value = self.behind(c.leaf, _swizzled(c.swizzle, self.behind(c.offset, inside)))
        names = ("element", "width", "unit", "places", "together", "most", "least")
        fields = [f"{'unit_bits' if k == 'unit' else k} := {getattr(r, k)}" for k in names]
        service = "; ".join([*fields, f"pairs := {str(r.pairs).lower()}"])
        served = f"served {{| {service} |}} (fun {n} => {value}) {_atom(self.size(lanes))}"
        return self.over("forall", others, x, served)

    def at_indices(self, c: Primitive) -> str:
        """Return a claim about 1-D indices."""
        bound = self.bound("k", 2)
        i, domain = bound[0], c.layouts[-1]
        inside = f"forall {i}, 0 <= {i} < {self.size(domain)} -> "
        if c.kind == "agree":
            sides = []
            for chain, x, fields in (
                (c.layouts[: c.split], c.offset, c.swizzle),
                (c.layouts[c.split : -1], c.leaf, c.body),
            ):
                value = i
                for m in reversed(chain):
                    value = f"{self.function(m)} {_atom(value)}"
                sides.append(_swizzled(fields, self.behind(x, value)))
            return inside + " = ".join(sides)
        f, v, k = self.function(domain), c.split, bound[1]
        first, then = (_swizzled(c.swizzle, self.behind(c.offset, f"{f} {at}"))
                       for at in (i, f"({i} + {k})"))  # fmt: skip
        return (f"({self.size(domain)}) mod {v} = 0 /\\ ({inside}{i} mod {v} = 0 ->"
                f" {_atom(self.behind(c.leaf, first))} mod {v} = 0 /\\"
                f" (forall {k}, 0 <= {k} < {v} -> {then} = {_atom(first)} + {k}))")  # fmt: skip


def _swizzled(fields: Fields, x: str) -> str:
    if fields == PLAIN:
        return x
    bits, base, shift = fields
    moved = f"Z.land {_atom(x)} {((1 << bits) - 1) << (base + max(shift, 0))}"
    return f"Z.lxor {_atom(x)} (Z.shift{'r' if shift >= 0 else 'l'} ({moved}) {abs(shift)})"


def _atom(text: str) -> str:
    return text if text.replace("_", "").isalnum() else f"({text})"


def _nested(sign: str, parts: list[str], none: str) -> str:
    """Return what is joined from the right."""
    found = parts[-1] if parts else none
    for k, x in enumerate(reversed(parts[:-1])):
        found = f"{x} {sign} {_atom(found) if k else found}"
    return found


def _joined(every: bool, parts: list[str]) -> str:
    return (" /\\ " if every else " \\/ ").join(parts) or ("True" if every else "False")
