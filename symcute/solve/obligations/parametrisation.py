"""One way of writing dims as polynomials in parameters, and what expressions are worth in it.

A parameter is at least 0; a *boxed* one also has an upper end. What `//`, `%`, `min` and their kin
are worth follows from the polynomials inside them, else they become variables with constraints:
`floor_div(r, b)` is a q with `0 <= r - b*q <= b - 1` (and floor_div(-r, -b) too).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from symcute.errors import InputError
from symcute.expr.lowering import lower
from symcute.expr.polynomial import (
    ONE,
    UNIT,
    Poly,
    add,
    constant,
    is_constant,
    mul,
    neg,
    quotient,
    show,
    sub,
    substitute,
    variable,
    variables,
)
from symcute.expr.ratio import ATOMS, Atom, Ratio, make_ratio, show_ratio

__all__ = ["Definition", "NoValue", "Parametrisation", "Variable"]


class NoValue(Exception):
    """An expression has no value in a way: the sign of a divisor is not known."""


class Definition(NamedTuple):
    """How a dim is written: `kind` is from, upto, times, is, rest or residue, over `p`.

    `residue` is for a dim that leaves `r` when divided by the number p.
    """

    name: str
    kind: str
    p: Ratio
    r: int = 0

    def text(self) -> tuple[str, ...]:
        """Return the definition as certificates hold it."""
        more = (str(self.r),) if self.kind == "residue" else ()
        return (self.name, self.kind, show_ratio(self.p), *more)

    def start(self, least: int) -> int:
        """Return the first multiple of the number p that counts, above the lower bound."""
        c = is_constant(self.p.num)
        return min(least, 1) if c is None else -((self.r - least) // c)


@dataclass(frozen=True)
class Variable:
    """What an atom became: where it stands in the text, its constraints, whether it is >= 0.

    Where an assumption says that it is at least 1, that of the number `assumed`, the variable is
    what is left of it.
    """

    source: str
    constraints: tuple[Poly, Poly]
    least: bool
    assumed: int | None = None


class Parametrisation:
    """Dims as polynomials in parameters; every instance of the assumptions has its parameters.

    `floors` are the lower bounds of the dims, `ceilings` their literal upper bounds, `positive` the
    minima and maxima that an assumption, that of this number, says are at least 1.

    >>> way = Parametrisation([Definition("M", "times", lower(128))], {"M": 1}, {"M": 4096})
    >>> show(way.values["M"]), way.boxes
    ("128*M'+128", {"M'": 31})
    """

    def __init__(
        self,
        definitions: Iterable[Definition],
        floors: Mapping[str, int],
        ceilings: Mapping[str, int],
        positive: Mapping[str, int] | None = None,
    ) -> None:
        self.definitions: list[Definition] = []
        self.values: dict[str, Poly] = {}
        self.boxes: dict[str, int] = {}
        self.atoms: dict[str, Variable] = {}
        self._floors, self._ceilings = floors, ceilings
        self._known: dict[Ratio, Ratio] = {}
        self._floors_of: dict[str, tuple[Poly, Poly]] = {}
        self._divisors: dict[str, tuple[Poly, str]] = {}
        self._positive = positive or {}
        for definition in definitions:
            self._define(definition)

    @cached_property
    def text(self) -> tuple[tuple[str, ...], ...]:
        """The definitions as certificates hold them."""
        return tuple(d.text() for d in self.definitions)

    def floor(self, name: str) -> int:
        """Return the lower bound of a dim."""
        return self._floors.get(name, 1)

    def _define(self, definition: Definition) -> None:
        """Add a definition; a divisor that is not known to be positive leaves the lower bound."""
        name, kind, p = definition.name, definition.kind, definition.p
        least = self.floor(name)
        try:
            value = self.value(p)
        except NoValue:
            value = Ratio({}, {})
        known = value.den == ONE
        if kind == "times" and not (known and least >= 0 and self.at_least(value.num, 1)):
            known = False
        if not known:
            definition = Definition(name, "from", lower(least))
            value = definition.p
        self.definitions.append(definition)
        self.values[name] = self._written(definition, value.num, least)

    def _written(self, definition: Definition, p: Poly, least: int) -> Poly:
        name, kind = definition.name, definition.kind
        parameter = variable(name + "'")
        c = is_constant(p)
        end = self._ceilings.get(name)
        if kind == "is":
            return p
        if kind == "rest":
            assert c is not None
            self.boxes[name + "''"] = c - 1
            return add(mul(p, parameter), variable(name + "''"))
        if kind in ("times", "residue"):
            start, r = definition.start(least), definition.r
            if c is not None and end is not None:
                self._box(name, (end - r) // c - start)
            return add(mul(p, add(parameter, constant(start))), constant(r))
        if kind == "from":
            if c is not None and end is not None:
                self._box(name, end - c)
            return add(p, parameter)
        if c is not None:
            self._box(name, c - least)
        return sub(p, parameter)

    def _box(self, name: str, end: int) -> None:
        if end >= 0:  # otherwise the assumptions contradict each other
            self.boxes[name + "'"] = end

    # --- values ---------------------------------------------------------------------------------

    def value(self, r: Ratio) -> Ratio:
        """Return what a ratio over dims is over the parameters.

        Errors: NoValue when the sign of a divisor inside `//`, `%` and their kin is not known.
        """
        found = self._known.get(r)
        if found is None:
            num = self._polynomial(r.num)
            found = num if r.den == ONE else _divided(num, self._polynomial(r.den))
            self._known[r] = found
        return found

    def _polynomial(self, p: Poly) -> Ratio:
        names = variables(p)
        atoms = sorted(names & ATOMS.keys())
        if not atoms:
            return Ratio(substitute(p, self.values) if names else p, ONE)
        worth = {name: self._atom(name, ATOMS[name]) for name in atoms}
        if all(w.den == ONE for w in worth.values()):
            inner = {name: w.num for name, w in worth.items()}
            return Ratio(substitute(p, {**self.values, **inner}), ONE)
        total = lower(0)
        for m, c in p.items():
            term = lower(c)
            for v, e in m:
                x = worth.get(v) or Ratio(self.values.get(v, variable(v)), ONE)
                for _ in range(e):
                    term = term * x
            total = total + term
        return total

    def _atom(self, name: str, atom: Atom) -> Ratio:
        a, b = self.value(atom.a), self.value(atom.b)
        if atom.kind in ("Minimum", "Maximum"):
            return self._extreme(name, atom.kind, a, b)
        source = name
        if atom.kind == "Modulo":
            source = f"floor_div({show_ratio(atom.a)},{show_ratio(atom.b)})"
        found = _divided(a, b)
        if atom.kind == "CeilDiv":
            found = make_ratio(sub(add(found.num, found.den), ONE), found.den)
        num, den = found.num, found.den
        # a over b is -a over -b, so that den is at least 1 where b has a sign.
        known = self.at_least(b.den, 1) and self.at_least(den, 1)
        if not known or not (self.at_least(b.num, 1) or self.at_least(neg(b.num), 1)):
            raise NoValue
        whole = self._floor(source, num, den, show_ratio(atom.b) if b.num == den else None)
        if atom.kind != "Modulo":
            return Ratio(whole, ONE)
        return a - b * Ratio(whole, ONE)

    def _floor(self, source: str, num: Poly, den: Poly, divisor: str | None) -> Poly:
        """Return num // den, for den >= 1; `divisor` is how den is written over the dims."""
        if den == ONE:
            return num
        nested = next((q for q in sorted(variables(num)) if self._is_floor(q, num)), None)
        if nested is not None:
            r, b = self._floors_of[nested]
            rest = sub(num, variable(nested))
            known = self._divisors.get(nested)
            both = f"({known[1]})*({divisor})" if known and divisor else None
            return self._floor(source, add(mul(b, rest), r), mul(b, den), both)
        y, r = quotient(num, den)
        if self._inside(r, den):
            return y
        if self._inside(add(r, den), den):
            return sub(y, ONE)
        name = f"floor_div({show(r)},{show(den)})"
        if name not in self.atoms:
            low = sub(r, mul(den, variable(name)))
            high = sub(sub(den, ONE), low)
            self.atoms[name] = Variable(source, (low, high), self.nonnegative(r))
            self._floors_of[name] = (r, den)
            if is_constant(den) is None and divisor is not None:
                self._divisors[name] = (den, divisor)
        return add(y, variable(name))

    def _is_floor(self, name: str, num: Poly) -> bool:
        """Return whether `name` is a quotient that stands alone in `num`, once."""
        if name not in self._floors_of or num.get(((name, 1),)) != 1:
            return False
        return sum(any(v == name for v, _ in m) for m in num) == 1

    def _inside(self, r: Poly, den: Poly) -> bool:
        """Return whether 0 <= r <= den - 1 by coefficients, boxed parameters at their ends."""
        if not r:
            return True
        if not self.nonnegative(r):
            return False
        room = sub(den, ONE)
        if self.nonnegative(sub(room, r)):
            return True
        ends = {v: constant(self.boxes[v]) for v in variables(r) if v in self.boxes}
        return bool(ends) and self.nonnegative(sub(room, substitute(r, ends)))

    def _extreme(self, source: str, kind: str, a: Ratio, b: Ratio) -> Ratio:
        if not (self.at_least(a.den, 1) and self.at_least(b.den, 1)):
            raise NoValue
        gap = sub(mul(b.num, a.den), mul(a.num, b.den))
        least = kind == "Minimum"
        if self.nonnegative(gap):
            return a if least else b
        if self.nonnegative(neg(gap)):
            return b if least else a
        sign = "min" if least else "max"
        one, other = sorted((show_ratio(a), show_ratio(b)))
        name = f"{sign}({one},{other})"
        seen = self.atoms.get(name)
        assumed = self._positive.get(source) if seen is None else seen.assumed
        m = add(variable(name), constant(int(assumed is not None)))
        if seen is None:
            both = (self.nonnegative(a.num), self.nonnegative(b.num))
            rooms = [sub(x.num, mul(m, x.den)) for x in (a, b)]
            low, high = rooms if least else [neg(x) for x in rooms]
            known = assumed is not None or (all(both) if least else any(both))
            self.atoms[name] = Variable(source, (low, high), known, assumed)
        return Ratio(m, ONE)

    @property
    def positive(self) -> list[tuple[Poly, str]]:
        """The dims that are at least 1 by their coefficients, with their names."""
        return [(p, name) for name, p in self.values.items() if self.at_least(p, 1)]

    def divisors(self, p: Poly) -> list[tuple[Poly, str]]:
        """Return the divisors, which are no numbers, of the quotients in p, with their texts."""
        found = {text: d for v in sorted(variables(p)) for d, text in self._divisors_of(v)}
        return [(d, text) for text, d in found.items()]

    def _divisors_of(self, name: str) -> list[tuple[Poly, str]]:
        return [self._divisors[name]] if name in self._divisors else []

    # --- signs ----------------------------------------------------------------------------------

    def known(self, name: str) -> bool:
        """Return whether a variable is known to be at least 0."""
        return name.endswith("'") or (name in self.atoms and self.atoms[name].least)

    def nonnegative(self, p: Poly) -> bool:
        """Return whether no coefficient is negative, over variables that are at least 0."""
        return all(c > 0 for c in p.values()) and all(map(self.known, variables(p)))

    def at_least(self, p: Poly, bound: int) -> bool:
        """Return whether p >= bound by coefficients."""
        return p.get(UNIT, 0) >= bound and self.nonnegative(sub(p, constant(bound)) if bound else p)


def _divided(a: Ratio, b: Ratio) -> Ratio:
    try:
        return a / b
    except InputError:
        raise NoValue from None
