"""What is known before the first statement: the launch, the parameters, the assumptions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from symcute.errors import InputError
from symcute.expr import terms
from symcute.expr.expression import free_dims
from symcute.expr.formula import Formula
from symcute.expr.htuple import Leaf
from symcute.expr.intervals import ANY
from symcute.expr.lowering import lower
from symcute.expr.node import Node, Term
from symcute.expr.polynomial import ONE, Poly
from symcute.expr.ranges import Names, Ranges
from symcute.expr.ratio import ATOMS, Ratio
from symcute.kernel.access_map import Variable
from symcute.kernel.ir.program import Int, Kernel
from symcute.kernel.ir.setting import OWN, Setting
from symcute.kernel.ir.target import Target
from symcute.kernel.symexec.record import Quantity
from symcute.kernel.symexec.recorder import Recorder
from symcute.kernel.symexec.state import Address, Option, SymbolicValue, Value
from symcute.solve.bits import powers_in

__all__ = ["Launch", "term_of", "truth_of"]

_ATOMS = {"FloorDiv": "//", "Modulo": "%", "Minimum": "min", "Maximum": "max"}
_RELATIONS = {"eq": terms.equal, "ne": terms.unequal, "le": terms.at_most, "lt": terms.less}


def term_of(leaf: Leaf) -> Term:
    """Return a leaf as a term.

    >>> from symcute.expr.expression import ceil_div
    >>> from symcute.expr.assumptions import dims
    >>> terms.show(term_of(ceil_div(dims("N"), 256)))
    '(N + 255) // 256'
    """
    return _of_ratio(lower(leaf))


def _of_ratio(r: Ratio) -> Term:
    num = _of_poly(r.num)
    return num if r.den == ONE else terms.divide(num, _of_poly(r.den))


def _of_poly(p: Poly) -> Term:
    total: Term = 0
    for m in sorted(p, key=lambda m: (-len(m), m)):
        product: Term = 1
        for name, power in m:
            for _ in range(power):
                product = terms.mul(product, _of_name(name))
        total = terms.add(total, terms.mul(product, p[m]))
    return total


def _of_name(name: str) -> Term:
    if name not in ATOMS:
        return name
    atom = ATOMS[name]
    a, b = _of_ratio(atom.a), _of_ratio(atom.b)
    if type(b) is int and b < 0 and atom.kind in ("CeilDiv", "FloorDiv", "Modulo"):
        # Both with the other sign: the quotient is the same, the remainder has the other sign.
        return _rounded(atom.kind, terms.mul(a, -1), -b, -1 if atom.kind == "Modulo" else 1)
    return _rounded(atom.kind, a, b, 1)


def _rounded(kind: str, a: Term, b: Term, sign: int) -> Term:
    """Return an atom of two terms, for a divisor of at least 1."""
    if kind == "CeilDiv":
        return terms.divide(terms.add(terms.add(a, b), -1), b)
    return terms.mul(terms.build(_ATOMS[kind], a, b), sign)


def truth_of(f: Formula) -> Term:
    """Return a formula as a term.

    >>> from symcute.expr.assumptions import Assumptions
    >>> truth_of(Assumptions.of("M % 4 == 0").formulas[0])
    ('==', ('%', 'M', 4), 0)
    """
    op, args = f.op, f.args
    if op in _RELATIONS:
        return _RELATIONS[op](*(term_of(x) for x in args))
    if op == "divides":
        divisor = term_of(args[0])
        if isinstance(divisor, int):
            return (
                terms.equal(terms.remainder(term_of(args[1]), abs(divisor)), 0)
                if divisor
                else False
            )
        size = terms.maximum(divisor, terms.mul(divisor, -1))
        multiple = terms.remainder(term_of(args[1]), terms.maximum(size, 1))
        return terms.all_of(terms.unequal(divisor, 0), terms.equal(multiple, 0))
    parts = [truth_of(x) for x in args]
    if op in ("and", "or"):
        return terms.all_of(*parts) if op == "and" else terms.any_of(*parts)
    if op == "implies":
        return terms.any_of(terms.negate(parts[0]), parts[1])
    return terms.negate(parts[0]) if op == "not" else op == "true"


class Launch:
    """A setting as facts, variables and values of parameters and builtins.

    Errors: InputError for a dim that has the name of a variable.
    """

    def __init__(self, kernel: Kernel, setting: Setting, recorder: Recorder) -> None:
        self._setting = setting
        self._recorder = recorder
        self.facts: dict[Term, None] = {}
        self.dims: set[str] = set(setting.given.dims())
        self.builtins: dict[str, Value] = {}
        self.env: dict[str | tuple[str, int, int], SymbolicValue] = {}
        self._take_names(kernel)
        self._take_assumptions()
        for p in kernel.params:
            if isinstance(p.type, Int) and p.numbers is not None:
                argument = setting.arguments.get(p.name)
                term: Term = p.name if argument is None else term_of(argument)
                self._say(terms.at_most(p.numbers.low, term), terms.at_most(term, p.numbers.high))
                self.env[p.name] = Value(terms.unequal(term, 0) if p.type.bits == 1 else term)
            elif p.array is not None:
                self.env[p.name] = Address((Option(p.array),))
        self._take_tables()
        self._take_threads(kernel.target)
        self.facts = dict.fromkeys(_telling(_tightest(self.facts)))
        self.known = Ranges(recorder.known)
        for fact in self.facts:
            self.known = self.known.narrowed(fact)

    def seen(self) -> object:
        """Return all that an execution sees of the launch, but for the facts.

        What is known of a term over dims that no value has is never looked up.
        """
        s, known = self._setting, self._recorder.known
        values = (*self.builtins.values(), *self.env.values())
        parts = [x.term for x in values if isinstance(x, Value)]
        parts += [term_of(x) for pair in s.contents.values() for x in pair]
        named = frozenset().union(known.keys() - self.dims, *map(terms.names, parts))
        return (
            (*self.builtins.items(),), (*self.env.items(),), (*s.contents.items(),),
            frozenset(self.dims), frozenset(powers_in(self.facts)),
            frozenset((n, x) for n, x in known.items() if n in named),
            frozenset((t, x) for t, x in self.known.terms.items() if terms.names(t) <= named),
        )  # fmt: skip

    def _take_names(self, kernel: Kernel) -> None:
        setting = self._setting
        leaves: list[Any] = [*setting.grid, *setting.block, setting.shared]
        leaves += [*setting.arguments.values(), *setting.extents.values()]
        leaves += [x for pair in setting.contents.values() for x in pair]
        for leaf in leaves:
            self.dims |= free_dims(leaf)
        integers = [p for p in kernel.params if isinstance(p.type, Int)]
        self.dims |= {p.name for p in integers if p.name not in setting.arguments}
        for name in sorted(self.dims):
            if OWN.fullmatch(name):
                other = name.upper().replace("__", "_")
                raise InputError(
                    f"the dim {name} has the name of an index of blocks or threads in formulas",
                    f'bind the parameter to another: "arg {name} = {other}"',
                )
        self._recorder.reserved = frozenset(self.dims)

    def _take_assumptions(self) -> None:
        given = self._setting.given
        for name in sorted(self.dims):
            self._recorder.known[name] = (given.lower_bound(name), ANY[1])
            self._say(terms.at_most(given.lower_bound(name), name))
        for f in given.formulas:
            divisor = term_of(f.args[0]) if f.op == "divides" else 0
            if isinstance(divisor, str) and given.lower_bound(divisor) >= 1:
                self._say(terms.equal(terms.remainder(term_of(f.args[1]), divisor), 0))
            else:
                self._say(truth_of(f))

    def _say(self, *facts: Term) -> None:
        self.facts.update((f, None) for f in facts if f is not True)

    def _take_tables(self) -> None:
        """Say what there has to be for tables to hold what they are said to."""
        for name, table in self._setting.tables.items():
            extent = term_of(self._setting.extents[name])
            low, high = map(term_of, self._setting.contents[name])
            if table.distinct:
                self._say(terms.at_most(extent, terms.add(terms.sub(high, low), 1)))
            if table.increasing:
                self._say(terms.at_most(1, extent), terms.at_most(low, high))
                self._say(terms.any_of(terms.less(1, extent), terms.equal(low, high)))

    def _take_threads(self, target: Target) -> None:
        s = self._setting
        indices: list[Term] = []
        extents: list[Term] = []
        for letter, extent, most, builtin, kind in (
            ("b", s.grid, target.grid, "blockIdx", "block"),
            ("t", s.block, target.block, "threadIdx", "thread"),
        ):
            size = "gridDim" if letter == "b" else "blockDim"
            for axis, leaf, limit in zip("xyz", extent, most, strict=True):
                term = term_of(leaf)
                self._say(terms.at_most(1, term), terms.at_most(term, limit))
                self.builtins[f"{size}.{axis}"] = Value(term)
                index: Term = f"{letter}{axis}"
                if term == 1:
                    index = 0
                else:
                    self._add_index(f"{letter}{axis}", kind, term, limit)
                self.builtins[f"{builtin}.{axis}"] = Value(index)
                if letter == "t":
                    indices.append(index)
                    extents.append(term)
        x, y, z = extents
        total = terms.mul(terms.mul(x, y), z)
        self._say(terms.at_most(total, target.threads))
        self.builtins["warpSize"] = Value(target.warp)
        rest = terms.mul(x, terms.add(indices[1], terms.mul(y, indices[2])))
        linear = terms.add(indices[0], rest)
        self.builtins["laneId"] = Value(terms.remainder(linear, target.warp))

    def _add_index(self, name: str, kind: str, extent: Term, limit: int) -> None:
        always = (terms.at_most(0, name), terms.less(name, extent))
        high = extent if isinstance(extent, int) else limit
        variable = Variable(name, kind, kind == "block")
        self._recorder.add(Quantity(variable, always), (0, min(high, limit) - 1))


def _telling(facts: Iterable[Term]) -> Iterator[Term]:
    """Yield facts, but for those that follow from the ranges of the names in them."""
    every = [(f, len(terms.names(f))) for f in facts]
    known = Ranges(Names())
    for f, names in every:
        known = known.narrowed(f) if names == 1 else known
    yield from (f for f, names in every if names < 2 or known.decides(f) is not True)


def _tightest(facts: Iterable[Term]) -> list[Term]:
    """Return facts without the bounds of names by numbers that others imply.

    What is asked under them has less to look through.
    """
    lows: dict[str, int] = {}
    highs: dict[str, int] = {}
    for f in facts:
        if (bound := _bound(f)) is not None:
            name, low, high = bound
            if low is not None:
                lows[name] = max(low, lows.get(name, low))
            if high is not None:
                highs[name] = min(high, highs.get(name, high))

    def tells(f: Term) -> bool:
        bound = _bound(f)
        return bound is None or bound[1:] in (
            (lows.get(bound[0]), None), (None, highs.get(bound[0])),
        )  # fmt: skip

    return [f for f in facts if tells(f)]


def _bound(f: Term) -> tuple[str, int | None, int | None] | None:
    """Return a name with the number that a fact says it is at least, or at most."""
    if not isinstance(f, Node) or f.op not in ("<", "<="):
        return None
    (a, b), strict = f.args, f.op == "<"
    if isinstance(b, str) and type(a) is int:
        return b, a + strict, None
    return (a, None, b - strict) if isinstance(a, str) and type(b) is int else None
