"""Tier: two threads whose accesses overlap are one, digit by digit, from the largest stride down.

Were one digit larger, the smaller ones could not make up for it. Where that does not do, what a
stride counts is told apart from the rest before (`proofs/lemmas/places.py`, `inverse.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias

from symcute.expr.node import Node, Term
from symcute.expr.polynomial import ONE, Poly, mul, neg, sub, variable, variables
from symcute.expr.polynomial import substitute as substituted
from symcute.expr.ratio import Ratio
from symcute.solve.elimination import shared
from symcute.solve.obligations import By
from symcute.solve.search import RANGE, Search, gap_of
from symcute.solve.wording import conjuncts, formula, term, text

__all__ = ["Digits", "division", "ended", "merged", "splits"]

#: How many equations are looked at where names become one.
MAX_MERGED = 64

#: Facts, each with a proof under those before it.
Steps: TypeAlias = list[tuple[Term, By]]


@dataclass(frozen=True)
class Digits:
    """Shows a goal where `overlap`, which is among the hypotheses, makes pairs of names equal.

    More than bounds is tried as often as `tries` says.
    """

    goal: Term
    pairs: Sequence[tuple[str, str]]
    overlap: Collection[Term]
    tries: Iterator[int]

    def proof(self, here: Search) -> By | None:
        """Return a proof: each pair of digits equal, one after another, and then the goal."""
        return self._equal(here, []) or self._by_places(here)

    def _equal(self, here: Search, steps: Steps) -> By | None:
        """Return a proof after some steps, which are hypotheses."""
        left = [p for p in self.pairs if Node("==", *p) not in here.given]
        found: Node | None = Node("==", 0, 0)
        while found is not None:
            found = None
            for x, y in left:
                low = self._at_most(here, Node("<=", x, y))
                high = low and self._at_most(here, Node("<=", y, x))
                if high is not None:
                    found = Node("==", x, y)
                    steps = [*steps, (found, ("both", low, high))]
                    here, left = here.plus(found), [p for p in left if p != (x, y)]
                    break
        last = self._last(here)
        for fact, by in reversed(steps):
            last = last and ("cut", text(fact), by, last)
        return last

    def _last(self, here: Search) -> By | None:
        """Return a proof of the goal from what was shown, or that nothing is left to be met."""
        parts = [
            ("given", here.given.index(x)) if x in here.given
            else RANGE if here.in_ranges(x) else None
            for x in conjuncts(self.goal)
        ]  # fmt: skip
        if None not in parts:
            return ("and", parts) if len(parts) > 1 else parts[0]
        against = here.absurd(self.overlap, self.tries)
        return against and ("absurd", against)

    def _at_most(self, here: Search, goal: Node) -> By | None:
        """Return a proof of a <= b: if b were less, nothing would overlap."""
        if here.ranges.ranges.decides(goal):
            return RANGE
        by = here.plus(Node("<", *goal.args[::-1])).absurd(self.overlap, self.tries)
        return by and ("absurd", by)

    # --- what a stride counts, and the rest ------------------------------------------------------

    def _by_places(self, here: Search) -> By | None:
        """Return a proof that first shows A == 0 and B == 0 where s*A + B == 0 and -s < B < s."""
        taking = _Taking(here, self.overlap)
        last = len(taking.equations) - 1
        for s, above, below in taking.splits(last) if taking.steps else ():
            taking.take(last, s, above, below)
        told = taking.steps[1:]
        if not told:
            return None
        parts = {fact for fact, _ in told if isinstance(fact, Node) and fact.op == "=="}
        return replace(self, overlap=parts)._equal(taking.here, taking.steps)


def merged(here: Search, goal: Term, overlap: Collection[Term]) -> By | None:
    """Return a proof of a goal by equations taken apart, names that they make equal being one.

    Of s*A + B == 0 with -s < B < s both A and B are 0. Of two numbers with one remainder by s the
    difference is that of the quotients, times s: `here` says what these are by equations.

    >>> box = [Node("<=", 0, x) for x in ("i", "j", "k", "l")]
    >>> ends = [Node("<", x, "n") for x in ("i", "k")]
    >>> sums = [Node("+", Node("*", y, "n"), x) for x, y in (("i", "j"), ("k", "l"))]
    >>> same = [Node("<=", *sums), Node("<=", *sums[::-1])]
    >>> goal = Node("and", Node("==", "i", "k"), Node("==", "j", "l"))
    >>> merged(Search([*box, *ends, *same], {"n"}), goal, same)[0]
    'cut'
    >>> merged(Search([*box, *ends[:1], *same], {"n"}), goal, same) is None
    True
    """
    taking = _Taking(here, overlap)
    if not taking.equations:
        return None
    while taking.further():
        pass
    last = taking.here.leaf(goal)
    for fact, by in reversed(taking.steps):
        last = last and ("cut", text(fact), by, last)
    return last


class _Taking:
    """Takes equations apart, from those given on; `steps` are facts, each with its proof.

    In an overlap an equation is written as x <= y and y <= x.
    """

    def __init__(self, here: Search, overlap: Collection[Term]) -> None:
        self.here, self.steps = here, Steps()
        #: The equations by their numbers as hypotheses, and what was asked of them.
        self.equations: list[int] = []
        self._done = set[tuple[tuple[Any, ...], ...]]()
        for n, h in enumerate(here.given):
            said = division(h)
            defines = said is not None and Node("<", said[2], said[0]) in here.given
            if isinstance(h, Node) and h.op == "==" and not defines:
                self.equations.append(n)
        known = [h for h in here.given if h in overlap]  # what is so by itself is not given
        for h in known:
            if isinstance(h, Node) and h.op == "<=" and (turned := _turned(h)) in known:
                both = ("given", here.given.index(h)), ("given", here.given.index(turned))
                self._know(Node("==", *h.args), ("both", *both))
                break

    def _know(self, fact: Node, by: By) -> None:
        if fact.op == "==":
            self.equations.append(len(self.here.given))
        self.steps.append((fact, by))
        self.here = self.here.plus(fact)

    def further(self) -> bool:
        """Make one more thing known; return whether there was something."""
        return len(self.equations) < MAX_MERGED and (
            any(map(self._apart, range(len(self.equations)))) or self._alike()
        )

    def _poly(self, number: int) -> Poly:
        """Return what an equation says is 0, names that are equal being one."""
        return substituted(gap_of(self.here.lines[number].formula) or {}, self._same)

    @property
    def _same(self) -> dict[str, Poly]:
        """What stands for names that are equal to another."""
        found: dict[str, str] = {}
        for n in self.equations:
            h = self.here.given[n]
            if isinstance(h, Node) and all(isinstance(x, str) for x in h.args):
                x, y = (found.get(str(z), str(z)) for z in h.args)
                found = {k: x if v == y else v for k, v in found.items()} | {y: x}
        return {k: variable(v) for k, v in found.items()}

    def _apart(self, k: int) -> bool:
        """Take an equation apart; return whether that said something."""
        p = self._poly(self.equations[k])
        key = tuple(sorted(p.items()))
        if not p or key in self._done:
            return False
        self._done.add(key)  # where names become one it is another
        pair = _pair(p)
        if pair is not None:
            fact = Node("==", *pair)
            by = self._sum(fact, [(1, self.equations[k])])
            if by is not None and fact not in self.here.given:
                self._know(fact, by)
                return True
        return pair is None and any(self.take(k, *split) for split in self.splits(k))

    def splits(self, k: int) -> Iterator[tuple[Poly, Poly, Poly]]:
        """Yield s, a and b where an equation says that s*a + b is 0, large strides first."""
        return splits(self._poly(self.equations[k]), self.here.dims)

    def _alike(self) -> bool:
        """Subtract equations of numbers with one remainder; return whether that was new."""
        given = self.here.given
        divided: dict[tuple[Any, ...], int] = {}
        for n, h in enumerate(given):
            said = division(h)
            if said is None:
                continue
            divisor, _, rest = said
            r = tuple(substituted(variable(rest), self._same))
            other = divided.setdefault((divisor, r), n)
            fact = Node("==", term(sub(self._poly(n), self._poly(other))), 0)
            if other == n or fact in given or fact == Node("==", 0, 0):
                continue
            by = self._sum(fact, [(1, n), (-1, other)])
            if by is not None:
                self._know(fact, by)
                return True
        return False

    def _sum(self, fact: Node, weights: Iterable[tuple[int, int]]) -> By | None:
        """Return a proof of an equation by others, or by these the other way around."""
        p = gap_of(formula(fact)) or {}
        way = self.here.way(variables(p).union(*(variables(self.here.lines[n].gap or {})
                                                 for _, n in weights)))  # fmt: skip
        if way is None:
            return None
        total: Poly = {}
        for c, n in weights:
            value = way.value(Ratio(self.here.lines[n].gap or {}, ONE)).num
            total = sub(total, {m: -c * x for m, x in value.items()})
        wanted = way.value(Ratio(p, ONE)).num
        sign = 1 if total == wanted else -1 if neg(total) == wanted else 0
        return ("sum", way, [(str(sign * c), [("e", n)]) for c, n in weights]) if sign else None

    def take(self, k: int, s: Poly, a: Poly, b: Poly) -> bool:
        """Make known that a and b are 0, where an equation says that s*a + b is, if that is seen.

        Were a at least 1, s*(a-1) + (s-1+b) - (s*a+b) would be -1, and all of it is at least 0.
        """
        here, number = self.here, self.equations[k]
        p = gap_of(here.lines[number].formula) or {}
        way = here.way(variables(s) | variables(a) | variables(b) | variables(p))
        if way is None or way.value(Ratio(p, ONE)) != way.value(Ratio(_sum_of(s, a, b), ONE)):
            return False
        stride = way.value(Ratio(s, ONE)).num
        if not way.nonnegative(stride):
            return False
        bounds = [Node("<", term(x), term(s)) for x in (b, neg(b))]
        proofs: list[By] = []
        for bound in bounds:
            by = here.nearby(bound)
            if by is None:
                return False
            proofs.append(by)
        count = len(here.given)

        def times(key: tuple[str, int], sign: int, content: int = 1) -> list[Any]:
            return [(str(Fraction(sign * c, content)), [key, *(v for v, e in m for _ in range(e))])
                    for m, c in stride.items()]  # fmt: skip

        # Of the bounds, number `count` says b < s and the next -b < s; what is supposed comes last.
        sides = [("absurd", ("sum", way, [*times(("g", count + 2), 1), ("1", [("g", side)]),
                                          (str(sign), [("e", number)])]))
                 for side, sign in ((count + 1, -1), (count, 1))]  # fmt: skip
        content = shared(way.value(Ratio(b, ONE)).num)
        rest = [("sum", way, [(str(Fraction(sign, content)), [("e", number)]),
                              *times(("e", count + 2), sign, content)])
                for sign in (-1, 1)]  # fmt: skip
        for bound, by in zip(bounds, proofs, strict=True):
            self._know(bound, by)
        self._know(Node("==", term(a), 0), ("both", *sides))
        self._know(Node("==", term(b), 0), ("both", *rest))
        return True


def ended(here: Search, fact: Term) -> By | None:
    """Return a proof that a quotient with a name is below an end, or None.

    Where a == b*q + r and a < b*e: were q at least e, b*(q-e) + r + (b*e-1-a) - (b*q+r-a) would be
    -1, and all of it is at least 0.
    """
    if not isinstance(fact, Node) or fact.op != "<":
        return None
    q, end = fact.args
    for k, h in enumerate(here.given):
        if (said := division(h)) is None or said[1] != q:
            continue
        stride = gap_of(formula(Node("<=", 0, said[0]))) or {}
        less = gap_of(formula(Node("<=", end, q))) or {}
        equation = here.lines[k].gap or {}
        for j, (f, room, _) in enumerate(here.lines):
            if f.op not in ("le", "lt") or not room:
                continue
            total = sub(_sum_of(stride, less, room), equation)
            way = here.way(variables(total) | variables(room) | variables(equation))
            if way is None or not way.nonnegative(way.value(Ratio(sub(neg(ONE), total), ONE)).num):
                continue
            value = way.value(Ratio(stride, ONE)).num
            if way.nonnegative(value):
                return (
                    "absurd",
                    (
                        "sum",
                        way,
                        [
                            *(
                                (
                                    str(c),
                                    [("g", len(here.given)), *(v for v, e in m for _ in range(e))],
                                )
                                for m, c in value.items()
                            ),
                            ("1", [("g", j)]),
                            ("-1", [("e", k)]),
                        ],
                    ),
                )
    return None


def _sum_of(s: Poly, a: Poly, b: Poly) -> Poly:
    """Return s*a + b."""
    return sub(mul(s, a), neg(b))


def division(h: Term) -> tuple[Term, Term, str] | None:
    """Return divisor, quotient and remainder where a hypothesis says that a number has these."""
    if not isinstance(h, Node) or h.op != "==" or not isinstance(h.args[1], Node):
        return None
    whole = h.args[1]
    if whole.op != "+" or not isinstance(whole.args[0], Node) or whole.args[0].op != "*":
        return None
    (divisor, quotient), rest = whole.args[0].args, whole.args[1]
    return (divisor, quotient, rest) if isinstance(rest, str) else None


def splits(p: Poly, dims: Collection[str]) -> Iterator[tuple[Poly, Poly, Poly]]:
    """Yield s, a and b with p == s*a + b, large strides first."""
    # In the order of the sum, not of a set: what is found must not hang on how strings are hashed.
    told = ((abs(c), tuple((v, e) for v, e in m if v in dims)) for m, c in p.items() if m)
    strides = dict.fromkeys(told)
    for c, s in sorted(strides, key=lambda x: (-sum(e for _, e in x[1]), -x[0])):
        above: Poly = {}
        for m, d in p.items():
            rest = dict(m)
            for v, e in s:
                rest[v] = rest.get(v, 0) - e
            if d % c == 0 and min(rest.values(), default=0) >= 0:
                above[tuple((v, e) for v, e in sorted(rest.items()) if e)] = d // c
        below = sub(p, mul({s: c}, above))
        if above and (s or c > 1) and variables(above) - {*dims}:
            yield {s: c}, above, below


def _pair(p: Poly) -> tuple[str, str] | None:
    """Return the names in x - y."""
    if sorted(p.values()) != [-1, 1] or not all(len(m) == 1 and m[0][1] == 1 for m in p):
        return None
    (x, _), (y, _) = sorted(m[0] for m in p)
    return x, y


def _turned(h: Node) -> Node:
    return Node(h.op, *h.args[::-1])
