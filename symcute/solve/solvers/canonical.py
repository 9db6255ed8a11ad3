"""One script for all that say the same with other names: no answer depends on what dims are called.

What a solver finds within its work depends on the names and the order of what it is told. Before it
is asked, assertions and the arguments of operators that commute are put in an order that rests on
their structure alone, and constants are named by where they come first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any, TypeAlias

__all__ = ["canonical"]

_Term: TypeAlias = "str | tuple[Any, ...]"
_Key: TypeAlias = tuple[int, bytes]

#: Operators whose arguments may stand in any order.
_COMMUTE = frozenset({"+", "*", "and", "or", "="})
_OPERATORS = _COMMUTE | {"-", "not", "=>", "ite", "<", "<=", ">", ">="}
_TRUTHS = frozenset({"true", "false"})
_TOKEN = re.compile(r"\s*(\(|\)|\|[^|\\]*\||[^\s()|\";]+)")
#: The longest script that is put in order, in characters, the depth of its terms, and how many
#: constants are picked out of others that are like them.
LONGEST, DEEPEST, MAX_PICKED = 40_000, 100, 16


def canonical(smt2: str) -> tuple[str, dict[str, str]]:
    """Return a script that says the same, and what its constants were called.

    Post-conditions: scripts that differ in the names of constants, and in the order of assertions
    and of arguments of operators that commute, come to the same, unless more constants than are
    told apart play parts that look alike. What is no list of integer constants and assertions over
    them stays as it is.

    >>> one, names = canonical("(declare-const M Int)(declare-const |a b| Int)(assert (< M |a b|))")
    >>> two, _ = canonical("(declare-const a Int)(declare-const b Int)(assert (< b a))")
    >>> one == two, names
    (True, {'x0': 'M', 'x1': 'a b'})
    """
    commands = _read(smt2) if len(smt2) <= LONGEST else None
    if commands is None:
        return smt2, {}
    constants = [c[1] for c in commands if c[0] == "declare-const"]
    called = {*map(_bare, constants)}
    known = {*constants, *_TRUTHS}
    terms = [c[1] for c in commands if c[0] == "assert"]
    if len(called) < len(constants) or called & _TRUTHS or not all(_plain(x, known) for x in terms):
        return smt2, {}
    order = _Order(terms, constants)
    asserted = order.sorted()
    found = dict.fromkeys(x for term in asserted for x in _leaves(term) if x in order.colours)
    found |= dict.fromkeys(sorted(constants, key=order.colours.__getitem__))
    names = {x: f"x{k}" for k, x in enumerate(found)}
    lines = [f"(declare-const {x} Int)" for x in names.values()]
    lines += [f"(assert {_written(term, names)})" for term in asserted]
    return "\n".join(lines), {new: _bare(old) for old, new in names.items()}


def _bare(symbol: str) -> str:
    return symbol.strip("|")


def _read(smt2: str) -> list[tuple[Any, ...]] | None:
    """Return the commands of a script, or None for one that has others than are known here."""
    stack: list[list[Any]] = [[]]
    at = 0
    text = smt2.rstrip()
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None or len(stack) > DEEPEST:
            return None
        at = token.end()
        if token[1] == "(":
            stack.append([])
        elif token[1] != ")":
            stack[-1].append(token[1])
        elif len(stack) == 1:
            return None
        else:
            done = tuple(stack.pop())
            stack[-1].append(done)
    whole = len(stack) == 1 and len(stack[0]) > 0 and all(map(_understood, stack[0]))
    return stack[0] if whole else None


def _understood(command: Any) -> bool:
    """Return whether a command is an assertion, or declares an integer."""
    if len(command) == 2:
        return bool(command[0] == "assert")
    return (
        len(command) == 3 and command[::2] == ("declare-const", "Int") and type(command[1]) is str
    )


def _plain(term: _Term, known: set[str]) -> bool:
    """Return whether a term is made of numbers, of what is known and of operators alone."""
    if isinstance(term, str):
        return term.isdecimal() or term in known
    return len(term) >= 2 and term[0] in _OPERATORS and all(_plain(x, known) for x in term[1:])


def _leaves(term: _Term) -> Iterator[str]:
    if isinstance(term, str):
        yield term
    else:
        for x in term[1:]:
            yield from _leaves(x)


def _written(term: _Term, names: dict[str, str]) -> str:
    if isinstance(term, str):
        return names.get(term, term)
    return f"({term[0]} {' '.join(_written(x, names) for x in term[1:])})"


def _digest(*parts: bytes) -> bytes:
    return blake2b(b"\0".join(parts), digest_size=12).digest()


class _Order:
    """The order of assertions, by colours of constants: of two colours play two parts."""

    def __init__(self, assertions: list[_Term], constants: list[str]) -> None:
        self.assertions = assertions
        self.colours = dict.fromkeys(constants, b"")
        self._keys: dict[_Term, _Key] = {}
        self._settle()

    def _settle(self) -> None:
        """Refine the colours until all differ; of those that stay alike one is picked out."""
        picked = 0
        while picked < MAX_PICKED:
            count = len({*self.colours.values()})
            self._refine()
            sizes = Counter(self.colours.values())
            if len(sizes) == len(self.colours):
                break
            if len(sizes) == count:
                alike = min(c for c, n in sizes.items() if n > 1)
                one = next(x for x, c in self.colours.items() if c == alike)
                self.colours[one] = _digest(alike, b"one")
                picked += 1
        self._keys = {}

    def _refine(self) -> None:
        """Give each constant the colour of all its places."""
        self._keys = {}
        places: dict[str, list[bytes]] = {x: [] for x in self.colours}
        for term in self.assertions:
            self._places(term, b"assert", places)
        self.colours = {x: _digest(c, *sorted(places[x])) for x, c in self.colours.items()}

    def _places(self, term: _Term, around: bytes, places: dict[str, list[bytes]]) -> None:
        if isinstance(term, str):
            if term in places:
                places[term].append(around)
            return
        here = _digest(around, self._key(term)[1])
        for k, x in enumerate(term[1:]):
            at = b"" if term[0] in _COMMUTE else str(k).encode()
            self._places(x, _digest(here, at), places)

    def _key(self, term: _Term) -> _Key:
        """Return what orders terms: their size, then what they are."""
        found = self._keys.get(term)
        if found is None:
            if isinstance(term, str):
                colour = self.colours.get(term)
                found = 1, _digest(b"is", term.encode()) if colour is None else _digest(colour)
            else:
                keys = [self._key(x) for x in term[1:]]
                keys = sorted(keys) if term[0] in _COMMUTE else keys
                size = 1 + sum(n for n, _ in keys)
                found = size, _digest(term[0].encode(), *(k for _, k in keys))
            self._keys[term] = found
        return found

    def sorted(self) -> list[_Term]:
        """Return the assertions, each in order, in order."""
        return sorted(map(self._ordered, self.assertions), key=self._key)

    def _ordered(self, term: _Term) -> _Term:
        if isinstance(term, str):
            return term
        parts = [self._ordered(x) for x in term[1:]]
        if term[0] in _COMMUTE:
            parts.sort(key=self._key)
        return (term[0], *parts)
