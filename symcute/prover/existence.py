"""`exists i < N: ...`: a witness in the dims is guessed from small instances, then proved.

What is proved is the claim of the witness, which has a certificate like any other. A claim for
which an instance has no witness at all, all of them tried, is refuted there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice, permutations, product
from typing import NamedTuple

from symcute.claims import Counterexample
from symcute.errors import InputError
from symcute.expr import limits
from symcute.expr.assumptions import Assumptions
from symcute.expr.definedness import of_operators
from symcute.expr.expression import read_leaf, value_at
from symcute.expr.formula import Formula, read_formula
from symcute.expr.parser import parse
from symcute.expr.syntax import Node, bitwise, ungrouped
from symcute.expr.unparse import unparse
from symcute.solve.entailment import Entailment

__all__ = ["Existence", "read_existence"]

#: How many instances a witness is guessed by, how many are tried to refute, how many witnesses are
#: looked at, and how many values are tried at an instance.
GUESSED, TRIED, LOOKED, VALUES = 40, 300, 60_000, 20_000


class Existence(NamedTuple):
    """A claim of existence: variables with their bounds, the body, what stands before it."""

    variables: tuple[tuple[str, Node], ...]
    body: Node
    premises: tuple[str, ...]
    text: str

    def witnesses(self, given: Assumptions) -> Iterator[str]:
        """Yield claims that say of terms in the dims that they are witnesses, likely ones only."""
        names = sorted((self._names() | given.dims()) - {n for n, _ in self.variables})
        known = Entailment(given, frozenset(names))
        samples = [{**at} for at in known.instances(names, GUESSED)]
        if not samples:
            return
        choices = [list(self._likely(bound, names, samples)) for _, bound in self.variables]
        for chosen in islice(product(*choices), LOOKED):
            claim = self._with(chosen)
            if all(_holds(claim, at) for at in samples):
                yield unparse(claim)

    def sense(self) -> list[str]:
        """Return what has to hold of all values of the variables, for the text to have a value."""
        found: dict[str, None] = {}
        inside: list[str] = []
        for name, bound in (*self.variables, ("", self.body)):
            for condition in of_operators(bound, self.text):
                if condition.formula.dims() & {n for n, _ in self.variables}:
                    premise = f"{' and '.join(inside)} implies " if inside else ""
                    found[f"({premise}{condition.formula})"] = None
            inside.append(f"{name} < {unparse(bound)}")
        return list(found)

    def counterexample(self, given: Assumptions) -> Counterexample | None:
        """Return an instance at which every value of the variables fails."""
        names = sorted((self._names() | given.dims()) - {n for n, _ in self.variables})
        known = Entailment(given, frozenset(names))
        for at in known.instances(names, TRIED):
            try:
                fails = not self._holds(at)
            except (InputError, ZeroDivisionError):
                continue  # no value here
            if fails:
                shown = ", ".join(n for n, _ in self.variables)
                return Counterexample(at, f"no {shown} is there: all values were tried")
        return None

    def _holds(self, at: Mapping[str, int]) -> bool:
        formula = _formula(self.body)
        texts = (*(bound for _, bound in self.variables), self.body)
        asked = [[c.formula for c in of_operators(x, self.text)] for x in texts]

        def some(k: int, values: dict[str, int]) -> bool:
            if not all(f.holds(values) for f in asked[k]):
                raise InputError("the text has no value", "assume that divisors are not 0")
            if k == len(self.variables):
                limits.spend(10)
                return formula.holds(values)
            name, bound = self.variables[k]
            end = _value(bound, values)
            if end > VALUES:
                raise InputError("too many values", "use smaller bounds")
            every = [some(k + 1, {**values, name: x}) for x in range(end)]  # all have a value
            return any(every)

        return some(0, dict(at))

    def _likely(
        self, bound: Node, names: list[str], samples: list[dict[str, int]]
    ) -> Iterator[Node]:
        """Yield terms that lie below a bound at all samples."""
        others = {n for n, _ in self.variables}
        ends = [unparse(b) for _, b in self.variables if not others & _names(b)]
        for text in _terms(names, unparse(bound), ends):
            term = parse(text)
            try:
                if others & _names(bound) or all(
                    0 <= _value(term, at) < _value(bound, at) for at in samples
                ):
                    yield term
            except (InputError, ZeroDivisionError):
                continue

    def _with(self, chosen: Iterable[Node]) -> Node:
        """Return the claim that terms, which may name variables before, are witnesses."""
        links: list[Node] = []
        terms: dict[str, Node] = {}
        for (name, bound), term in zip(self.variables, chosen, strict=True):
            this, end = _put(term, terms), _put(bound, terms)
            links += [_node("le", _node("int", 0), this), _node("lt", this, end)]
            terms[name] = this
        return _node("and", *links, _node("paren", _put(self.body, terms)))

    def _names(self) -> set[str]:
        return _names(self.body).union(*(_names(b) for _, b in self.variables))


def read_existence(text: str) -> Existence | None:
    """Return the claim of existence that a text is, if it is one.

    >>> [n for n, _ in read_existence("exists i < M: exists j < N: i*N + j == x").variables]
    ['i', 'j']
    """
    if "exists" not in text:
        return None
    node, premises = ungrouped(bitwise(parse(text, what="claim"))), []
    while node.op == "implies":
        premise, conclusion = (x for x in node.args if isinstance(x, Node))
        premises.append(unparse(premise))
        node = ungrouped(conclusion)
    variables: list[tuple[str, Node]] = []
    while node.op == "exists":
        name, bound, body = node.args
        if isinstance(bound, Node) and isinstance(body, Node):
            variables.append((str(name), bound))
            node = ungrouped(body)
    return Existence(tuple(variables), node, tuple(premises), text) if variables else None


def _terms(names: list[str], bound: str, ends: list[str]) -> Iterator[str]:
    """Yield terms in dims, small ones first; `ends` are the bounds of all variables."""
    yield from ("0", "1", *names, f"({bound}) - 1", f"({bound}) // 2")
    for a in names:
        yield from (f"({bound}) - 1 - {a}", f"(0 - {a}) % ({bound})")
        for end in dict.fromkeys(ends):
            yield from (f"{a} // ({end})", f"{a} % ({end})")
    for a, b in permutations(names, 2):
        yield from (f"{a} // {b}", f"{a} % {b}", f"{a} - {b}", f"{a} + {b}")
    for a, b, c in permutations(names, 3):
        yield from (f"{a} // ({b}*{c})", f"{a} // {b} % {c}", f"{a} % {b}*{c} + {a} // {b}")


def _put(node: Node, terms: dict[str, Node]) -> Node:
    """Return a tree with terms for names."""
    if node.op == "name" and node.args[0] in terms:
        return _node("paren", terms[str(node.args[0])])
    parts = (_put(x, terms) if isinstance(x, Node) else x for x in node.args)
    return Node(node.op, tuple(parts), node.pos, node.end)


def _node(op: str, *args: Node | int) -> Node:
    return Node(op, args, 0, 0)


def _names(node: Node) -> set[str]:
    found = {str(node.args[0])} if node.op == "name" else set()
    return found.union(*(_names(x) for x in node.args if isinstance(x, Node)))


def _refuse(text: str) -> Callable[[Node], object]:
    def hook(node: Node) -> object:
        raise InputError(f"{unparse(node)} in {text}", "what exists is said by relations of dims")

    return hook


def _formula(node: Node) -> Formula:
    return read_formula(node, unparse(node), _refuse(unparse(node)))


def _holds(node: Node, at: Mapping[str, int]) -> bool:
    try:
        return _formula(node).holds(at)
    except (InputError, ZeroDivisionError):
        return False


def _value(node: Node, at: Mapping[str, int]) -> int:
    return value_at(read_leaf(node, unparse(node), _refuse(unparse(node))), at)
