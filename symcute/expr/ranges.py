"""What terms lie between under a context of facts: ranges of names, and of terms on a path.

Bounds go up from names by the intervals of the operators, and down from what relations say. What
was found of a term is kept until a range that it may rest on has changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import inf

from symcute.expr.intervals import ANY, FALSE, TRUE, Range, clamped, meet, total, truth
from symcute.expr.node import Node, Term
from symcute.expr.terms.operators import OPERATORS

__all__ = ["Names", "Ranges", "ranges_under"]

#: How often bounds are passed through all relations.
ROUNDS = 4


class Names(dict[str, Range]):
    """Ranges of names, and of quotients; they say which have changed.

    >>> Names({"bx": (0, 9), "tx": (0, 255)}).ranges.of(Node("+", Node("*", 256, "bx"), "tx"))
    (0, 2559)
    """

    #: Whether all that relations say of them has been said.
    settled = False

    def __init__(self, known: Mapping[str, Range] | None = None) -> None:
        super().__init__(known or {})
        #: The names whose ranges have changed, one after the other.
        self.changes: list[str] = []
        self.quotients: dict[Term, Range] = {**getattr(known, "quotients", {})}

    @cached_property
    def ranges(self) -> Ranges:
        """What they say of terms."""
        return Ranges(self, self.quotients, self.plain) if self.quotients else self.plain

    @cached_property
    def plain(self) -> Ranges:
        """What they say of terms, quotients aside."""
        return Ranges(self)

    def __setitem__(self, name: str, known: Range) -> None:
        """Set the range of a name; of a new one nothing has been asked."""
        if name in self:
            self.changes.append(name)
        super().__setitem__(name, known)

    def __delitem__(self, name: str) -> None:
        """Forget a name."""
        self.changes.append(name)
        super().__delitem__(name)

    def narrow(self, name: str, known: Range) -> None:
        """Let a name lie in a range as well."""
        before = self.get(name, ANY)
        after = meet(before, known)
        if after != before:
            self.changes.append(name)
            super().__setitem__(name, after)


class Ranges:
    """What is known of terms: of names for good, and of other terms under a path of guards.

    Only `Names` may change what they say.

    >>> known = Ranges({"i": (0, 9)})
    >>> known.of(Node("+", Node("*", "i", 4), 3)), known.narrowed(Node("<", "i", 5)).of("i")
    ((3, 39), (0, 4))
    >>> Ranges({"i": (1, 9), "n": (1, inf)}).of(Node("//", Node("+", "i", "n"), "n"))
    (1, inf)
    """

    __slots__ = ("_changes", "_found", "_touched", "_version", "names", "sure", "terms")

    def __init__(
        self,
        names: Mapping[str, Range],
        terms: Mapping[Term, Range] | None = None,
        sure: Ranges | None = None,
        touched: frozenset[str] | None = None,
    ) -> None:
        self.names = names
        self.terms: Mapping[Term, Range] = {} if terms is None else terms
        #: What is known on every path.
        self.sure = self if sure is None else sure
        #: The names in what is known of terms: of what has none of them no more is known.
        if touched is None:
            touched = frozenset[str]().union(*(_names(t) for t in self.terms))
        self._touched = touched
        self._found: dict[Node, Range] = {}
        self._changes: Sequence[str] = getattr(names, "changes", ())
        self._version = len(self._changes)

    def of(self, term: Term) -> Range:
        """Return the bounds of an integer, and of a truth, which is 0 or 1."""
        if isinstance(term, Node):
            return self._of_node(term)
        if isinstance(term, int):
            return clamped(int(term), int(term))
        found = self.names.get(term, ANY)
        known = self.terms.get(term)
        return found if known is None else meet(found, known)

    def _of_node(self, term: Node) -> Range:
        if len(self._changes) != self._version:
            self._forget()
        found = self._found.get(term)
        if found is None:
            if self.terms and self._touched.isdisjoint(term.names):
                return self.sure._of_node(term)
            args = term.args
            found = OPERATORS[term.op].bound(*map(self.of, args))
            if term.op == "*" and args[0] == args[1]:
                found = max(found[0], 0), found[1]
            elif term.op == "//" and found[0] < 1 and self._goes_into(*args):
                found = 1, found[1]
            known = self.terms.get(term)
            if known is not None:
                found = meet(found, known)
            self._found[term] = found
        return found

    def _forget(self) -> None:
        """Forget what was found of terms of whose names one has changed since."""
        stale = {*self._changes[self._version :]}
        for term in [t for t in self._found if not stale.isdisjoint(t.names)]:
            del self._found[term]
        self._version = len(self._changes)

    def start_from(self, other: Ranges) -> None:
        """Take what was found of terms under names that are the same, but for what has changed."""
        other._forget()
        self._found.update(other._found)

    def _goes_into(self, a: Term, b: Term) -> bool:
        """Return whether a is b, which is at least 1, and something that is at least 0."""
        parts = [*_addends(a)]
        if isinstance(b, int) or b not in parts or self.of(b)[0] < 1:
            return False
        parts.remove(b)
        return sum(self.of(x)[0] for x in parts) >= 0

    def decides(self, term: Term) -> bool | None:
        """Return whether a truth holds, where the ranges tell.

        >>> Ranges({"i": (0, 9)}).decides(Node("<", "i", 10))
        True
        """
        told = truth(self.of(term))
        return True if told == TRUE else False if told == FALSE else None

    def narrowed(self, holds: Term) -> Ranges:
        """Return what is known where a truth holds as well."""
        more = self._more(holds)
        return self._with(more) if more else self

    def _more(self, holds: Term) -> dict[Term, Range]:
        """Return the terms of which more is known where a truth holds as well."""
        found: dict[Term, Range] = {}
        for term, known in self._facts(holds):
            before = found.get(term) or self.terms.get(term, ANY)
            after = meet(before, known)
            if after != before:
                found[term] = after
        return found

    def _with(self, more: Mapping[Term, Range]) -> Ranges:
        fresh = (_names(t) for t in more if t not in self.terms)
        touched = self._touched.union(*fresh)
        return Ranges(self.names, {**self.terms, **more}, self.sure, touched)

    def excludes(self, holds: Term) -> bool:
        """Return whether nothing is left where a truth holds as well.

        >>> Ranges({"i": (0, 9)}).excludes(Node("and", Node("<", "i", 3), Node("<", 5, "i")))
        True
        """
        more = self._more(holds)
        return bool(more) and any(low > high for low, high in map(self._with(more).of, more))

    def with_range(self, term: Term, known: Range) -> Ranges:
        """Return what is known when a term lies in a range as well."""
        if not isinstance(term, (str, Node)) or known == ANY:
            return self
        return self._with({term: meet(known, self.terms.get(term, ANY))})

    def _facts(self, holds: Term) -> Iterator[tuple[Term, Range]]:
        """Yield what terms lie between where a truth holds."""
        if not isinstance(holds, Node):
            return
        op, args = holds.op, holds.args
        if op == "and":
            for x in args:
                yield from self._facts(x)
        elif op in ("<", "<="):
            gap = 1 if op == "<" else 0
            (low, _), (_, high) = self.of(args[0]), self.of(args[1])
            yield from self._inside(args[0], (-inf, high - gap))
            yield from self._inside(args[1], (low + gap, inf))
            if low >= 1 and not any(isinstance(x, int) for x in args):
                yield Node("//", args[1], args[0]), (1, inf)  # it goes into what is no smaller
        elif op == "==":
            a, b = map(self.of, args)
            yield from self._inside(args[0], b)
            yield from self._inside(args[1], a)
        elif op == "!=":
            for x, y in (args, args[::-1]):
                low, high = self.of(x)
                if type(y) is int and y in (low, high):
                    yield from self._inside(x, (low + (y == low), high - (y == high)))

    def _inside(self, term: Term, known: Range) -> Iterator[tuple[Term, Range]]:
        """Yield a term that lies in a range, and what then lies where inside it."""
        if isinstance(term, int) or known == ANY:
            return
        yield term, known
        if isinstance(term, str):
            return
        low, high = known
        a, b = term.args[0], term.args[-1]
        if term.op == "+":
            for x, y in ((a, b), (b, a)):
                least, most = self.of(y)
                yield from self._inside(x, total(known, (-most, -least)))
        elif term.op == "*":
            for x, c in ((a, b), (b, a)):
                if type(c) is int and c:
                    ends = (low, high) if c > 0 else (-high, -low)
                    yield from self._inside(x, (-_down(-ends[0], abs(c)), _down(ends[1], abs(c))))
                elif low >= 1 and type(x) is not int and self.of(x)[0] >= 0:
                    # Of a product above 0 no factor is 0, and both have one sign.
                    yield from self._inside(a, (1, inf))
                    yield from self._inside(b, (1, inf))
                    break
        elif term.op == "//" and type(b) is int and b >= 1:
            yield from self._inside(a, clamped(low * b, high * b + b - 1))
        elif term.op in ("min", "max"):
            for x in (a, b):
                yield from self._inside(x, (low, inf) if term.op == "min" else (-inf, high))


def _addends(term: Term) -> Iterator[Term]:
    """Yield what a sum is of."""
    if isinstance(term, Node) and term.op == "+":
        for x in term.args:
            yield from _addends(x)
    else:
        yield term


def _down(value: int | float, size: int) -> int | float:
    return value if abs(value) == inf else value // size


def _names(term: Term) -> Iterable[str]:
    return term.names if isinstance(term, Node) else (str(term),)


def ranges_under(
    truths: Iterable[Term], start: Mapping[str, Range] | None = None, said: int = 0
) -> Names:
    """Return the ranges of all names under relations that hold.

    The first `said` of them are those by which `start` was found.

    >>> ranges_under([Node("<=", 0, "i"), Node("<", Node("*", 4, "i"), 30)])
    {'i': (0, 7)}
    >>> ranges_under([Node("<=", 1, "k"), Node("<=", "k", "n")]).ranges.of(Node("//", "n", "k"))
    (1, inf)
    >>> ranges_under([Node("<=", 0, "k"), Node("<", "k", Node("*", "n", "m")), Node("<=", 0, "n")])
    {'k': (0, inf), 'n': (1, inf), 'm': (1, inf)}
    """
    names = Names(start or {})
    known = names.plain
    if isinstance(start, Names):
        known.start_from(start.plain)
    # A relation says the same again until the range of a name in it has changed.
    settled = said if getattr(start, "settled", False) else 0
    asked, parts = list[int](), list[Node]()
    for k, x in enumerate(truths):
        if isinstance(x, Node):
            parts.append(x)
            asked.append(0 if k < settled else -1)
    for _ in range(ROUNDS):
        before = len(names.changes)
        for k, part in enumerate(parts):
            last, asked[k] = asked[k], len(names.changes)
            if last >= 0 and part.names.isdisjoint(names.changes[last:]):
                continue
            # All at once: what was found of terms is kept until then.
            for term, bound in [*known._facts(part)]:
                if isinstance(term, str):
                    names.narrow(term, bound)
                elif isinstance(term, Node) and term.op == "//" and known.of(term.args[1])[0] >= 1:
                    names.quotients[term] = meet(bound, names.quotients.get(term, ANY))
        if len(names.changes) == before:
            names.settled = True
            break
    return names
