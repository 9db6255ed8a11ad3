"""What claims of index arithmetic mean, read off the tree of their text, and instances of them.

Nothing here simplifies, and nothing of the package is used but the syntax tree, and for a claim
about layouts the loops of `oracle.py`. A text that has no value at an instance raises NoSuchLayout.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from symcute.claims.language import read_claim
from symcute.claims.tables import read_tables
from symcute.expr.parser import parse
from symcute.expr.unparse import unparse

from . import oracle
from .oracle import NoSuchLayout, TooLarge, computed

#: Values of dims, and the entries of tables.
Env = dict[str, Any]
#: How many values a dim takes that nothing bounds from above, and how many a bounded one at most.
WIDTH, MOST = 4, 24
#: The sizes that instances at the far end have.
FAR = (5, 7, 8, 16, 33, 64, 100, 257)
_COMPARED: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "le": lambda a, b: a <= b,
    "lt": lambda a, b: a < b, "ge": lambda a, b: a >= b, "gt": lambda a, b: a > b,
}  # fmt: skip
_BITWISE: dict[str, Callable[..., int]] = {
    "bit_and": lambda a, b: a & b, "bit_or": lambda a, b: a | b, "bit_xor": lambda a, b: a ^ b,
    "bit_not": lambda a: ~a,
}  # fmt: skip
TABLES = ("table", "distinct", "monotone", "increasing", "inverse")


def number(node: Any, env: Env) -> int:
    """Return the value of an expression."""
    while node.op == "paren":
        node = node.args[0]
    if node.op == "entry":
        entries, k = env[node.args[0]], number(node.args[1], env)
        if not 0 <= k < len(entries):
            raise NoSuchLayout("an index beyond the table")
        return int(entries[k])
    if node.op == "divides":  # in the place of a number it is the operator of bits
        return number(node.args[0], env) | number(node.args[1], env)
    if node.op == "call" and node.args[0] in _BITWISE:
        return _BITWISE[node.args[0]](*(number(x, env) for x in node.args[1:]))
    if node.op == "int":
        return int(node.args[0])
    if node.op == "name":
        return int(env[node.args[0]])
    if node.op == "call" and node.args[0] == "size":
        return oracle.size([(number(x, env), 0) for x in _items(node.args[1])])
    args = [x for x in node.args if not isinstance(x, str)]
    values = tuple(number(x, env) for x in args)
    name = node.args[0] if node.op == "call" else node.op
    if name in ("floordiv", "floor_div", "mod", "ceil_div") and values[1] == 0:
        raise NoSuchLayout("division by 0")
    return int(oracle._OPERATIONS[name](*values))


def _items(node: Any) -> Iterator[Any]:
    for x in node.args if node.op in ("tuple", "paren") else ():
        yield from _items(x)
    if node.op not in ("tuple", "paren"):
        yield node


def holds(node: Any, env: Env) -> bool:
    """Return whether what a text says is true at an instance."""
    if node.op == "paren":
        return holds(node.args[0], env)
    if node.op in ("and", "or"):
        values = [holds(x, env) for x in node.args]
        return all(values) if node.op == "and" else any(values)
    if node.op == "not":
        return not holds(node.args[0], env)
    if node.op == "implies":
        return not holds(node.args[0], env) or holds(node.args[1], env)
    if node.op == "exists":
        name, bound, body = node.args
        oracle.small(number(bound, env) ** 2)
        said = [holds(body, {**env, name: k}) for k in range(number(bound, env))]
        return any(said)  # each has a value
    if node.op == "divides":
        a, b = (number(x, env) for x in node.args)
        return a != 0 and b % a == 0
    if node.op in _COMPARED:
        return _COMPARED[node.op](*(number(x, env) for x in node.args))
    if node.op == "call" and node.args[0] == "pow2":
        x = number(node.args[1], env)
        return x > 0 and x & (x - 1) == 0
    if node.op == "call" and node.args[0] == "no_overflow":
        seen: list[int] = []
        computed(parse(str(node.args[1].args[0])), env, seen)
        limit = 1 << (number(node.args[2], env) - 1)
        return all(-limit <= x < limit for x in seen)
    if node.op == "call" and node.args[0] in TABLES:
        return _is_table(node, env)
    return oracle.holds(read_claim(unparse(node)), env)


def _is_table(node: Any, env: Env) -> bool:
    """Return whether a table is what an assumption says of it."""
    kind, first, *rest = node.args
    entries = env[first.args[0]]
    if kind == "table":
        length, end = (number(x, env) for x in rest)
        return len(entries) == length and all(0 <= x < end for x in entries)
    if kind == "distinct":
        return len(set(entries)) == len(entries)
    if kind in ("monotone", "increasing"):
        return all(x <= y if kind == "monotone" else x < y for x, y in pairwise(entries))
    other = env[rest[0].args[0]]
    return len(entries) == len(other) and all(
        0 <= x < len(entries) and entries[x] == k for k, x in enumerate(other)
    )


class Text:
    """A claim with its assumptions, as trees, and the instances that meet them."""

    def __init__(self, claim: str, given: Sequence[str]) -> None:
        self.claim = parse(claim)
        self.given = [part for text in given for part in _parts(parse(text))]
        self.premises, behind = list[Any](), self.claim
        while behind.op in ("implies", "paren"):
            if behind.op == "implies":
                self.premises += _parts(behind.args[0])
            behind = behind.args[-1]
        spoken = [self.claim, *self.given]
        self.tables = sorted({x for tree in spoken for x in _tables(tree)})
        quoted = [x for tree in spoken for x in _quoted(tree)]
        names = {x for tree in [*spoken, *quoted] for x in _names(tree, frozenset())}
        self.names = self._in_order(names - set(self.tables))

    def true(self, env: Env) -> bool:
        """Return whether the claim is true at an instance; no value is not true."""
        return holds(self.claim, env)

    def meets(self, env: Env) -> bool:
        """Return whether an instance meets what is assumed."""
        try:
            return all(env[n] >= self._low(n, env) for n in self.names) and all(
                holds(x, env) for x in self.given
            )
        except (NoSuchLayout, KeyError):
            return False

    def _low(self, name: str, env: Env) -> int:
        """Return the constant below which a dim cannot lie: 1, unless an assumption names one, or
        what stands before `implies`."""
        found = []
        for f in (*self.given, *self.premises):
            for a, b, strict in _at_most(f):
                if b.op == "name" and b.args[0] == name and not any(_names(a, frozenset())):
                    found.append(number(a, {}) + strict)
        return max(found, default=1)

    def _in_order(self, names: set[str]) -> list[str]:
        """Return the names so that a bound of one speaks of those before it, where that can be."""
        before: dict[str, set[str]] = {n: set() for n in names}
        for f in self.given:
            for a, b, _ in _at_most(f):
                if a.op == "name" and a.args[0] in before:
                    before[a.args[0]] |= set(_names(b, frozenset())) & names - {a.args[0]}
        done: list[str] = []
        while len(done) < len(names):
            left = sorted(names - set(done))
            done.append(next((n for n in left if before[n] <= set(done)), left[0]))
        return done

    def _values(self, name: str, env: Env, rng: random.Random | None) -> Iterator[int]:
        """Yield values of a dim where those before it have theirs: all of a few, or some far."""
        low, tops, fixed = self._low(name, env), [], []
        for f in self.given:
            for a, b, strict in _at_most(f):
                try:
                    if a.op == "name" and a.args[0] == name:
                        tops.append(number(b, env) - strict)
                    elif b.op == "name" and b.args[0] == name:
                        low = max(low, number(a, env) + strict)
                    fixed += [number(b, env)] if f.op == "eq" and a.op == "name" and \
                        a.args[0] == name else []  # fmt: skip
                except (KeyError, NoSuchLayout):
                    continue
        top = min(tops, default=None)
        if any(f.op == "call" and f.args[0] == "pow2" and name in _names(f, frozenset())
               for f in self.given):  # fmt: skip
            powers = [1 << k for k in range(11) if low <= 1 << k <= (top or 1 << 10)]
            yield from powers if rng is None else [rng.choice(powers)] if powers else []
        elif fixed:
            yield from (x for x in fixed if x >= low)
        elif rng is None:
            end = low + WIDTH - 1 if top is None else min(top, low + MOST)
            yield from range(low, end + 1)
            if top is not None and top > end:
                yield top
        elif top is None:
            yield rng.choice((low, rng.choice(FAR), rng.choice(FAR), 1 << rng.randrange(12)))
        elif top >= low:
            yield rng.choice((low, top, top, max(low, top - 1), rng.randint(low, top)))

    def instances(self, rng: random.Random, few: int, far: int) -> Iterator[Env]:
        """Yield instances that meet what is assumed: about `few` of all small ones, some far."""
        small = self._all({}, self.names, None)
        kept = []
        for k, env in enumerate(small):
            if k >= 40 * few:
                break
            kept.append(env)
        step = max(1, len(kept) // few)
        for env in kept[::step]:
            yield from self._filled(env, rng)
        for _ in range(far):
            yield from (e for env in self._all({}, self.names, rng) for e in self._filled(env, rng))

    def _all(self, env: Env, left: list[str], rng: random.Random | None) -> Iterator[Env]:
        if not left:
            yield env
            return
        for x in self._values(left[0], env, rng):
            found = {**env, left[0]: x}
            if self._broken(found, set(left[1:]) | set(self.tables)):
                continue
            yield from self._all(found, left[1:], rng)

    def _broken(self, env: Env, left: set[str]) -> bool:
        for f in self.given:
            if not left & set(_names(f, frozenset())) and not _tables(f):
                try:
                    if not holds(f, env):
                        return True
                except NoSuchLayout:
                    return True
        return False

    def _filled(self, env: Env, rng: random.Random) -> Iterator[Env]:
        """Yield an instance with entries for its tables, if what is drawn meets what is assumed."""
        if not self.tables:
            if self.meets(env):
                yield env
            return
        for _ in range(6):
            found = dict(env)
            for name in self.tables:
                entries = self._drawn(name, found, rng)
                if entries is None:
                    break
                found[name] = entries
            if set(self.tables) <= found.keys() and self.meets(found):
                yield found

    def _drawn(self, name: str, env: Env, rng: random.Random) -> list[int] | None:
        facts = {f.args[0]: f for f in self.given
                 if f.op == "call" and f.args[1].args[0] == name}  # fmt: skip
        length, end = (number(x, env) for x in facts["table"].args[2:])
        if length < 1 or end < 1 or length > 1000:
            return None
        if "inverse" in facts and facts["inverse"].args[2].args[0] in env:
            other = env[facts["inverse"].args[2].args[0]]
            return [other.index(k) if k in other else 0 for k in range(length)]
        needed = {"distinct", "increasing"} & facts.keys() or self._inverted(name)
        if needed and end < length:
            return None
        entries = rng.sample(range(end), length) if needed else rng.choices(range(end), k=length)
        if {"monotone", "increasing"} & facts.keys():
            entries.sort()
        for f in self.given:  # an entry that is said, such as the last one
            if f.op == "eq" and f.args[0].op == "entry" and f.args[0].args[0] == name:
                entries[number(f.args[0].args[1], env)] = number(f.args[1], env)
        return entries

    def _inverted(self, name: str) -> bool:
        return any(f.op == "call" and f.args[0] == "inverse" and
                   name in (f.args[1].args[0], f.args[2].args[0]) for f in self.given)  # fmt: skip


def false_at(record: dict[str, Any], env: Env) -> bool:
    """Return whether a claim of the corpus is false at an instance of what is assumed.

    Of tables an instance may name the entries that are read alone; the others are filled in.
    """
    text = Text(record["claim"], record["given"])
    read = read_tables(record["claim"], record["given"])
    try:
        if read is not None and not set(text.tables) <= env.keys():
            env = {**env, **(read[0].filled(env) or {})}
        env = {n: env[n] for n in (*text.names, *text.tables)}
        return text.meets(env) and not text.true(env)
    except TooLarge:
        return True  # the loops cannot tell
    except (KeyError, NoSuchLayout):
        return False


def _parts(node: Any) -> Iterator[Any]:
    if node.op == "paren":
        yield from _parts(node.args[0])
    elif node.op == "and":
        for x in node.args:
            yield from _parts(x)
    else:
        yield node


def _quoted(node: Any) -> Iterator[Any]:
    if node.op == "call" and node.args[0] == "no_overflow" and node.args[1].op == "text":
        yield parse(str(node.args[1].args[0]))
    for x in node.args:
        if hasattr(x, "op"):
            yield from _quoted(x)


def _at_most(f: Any) -> Iterator[tuple[Any, Any, int]]:
    """Yield a, b and 1 for a < b or 0 for a <= b, of what a relation says."""
    if f.op in ("le", "lt", "eq"):
        yield f.args[0], f.args[1], int(f.op == "lt")
    if f.op in ("ge", "gt", "eq"):
        yield f.args[1], f.args[0], int(f.op == "gt")


def _names(node: Any, bound: frozenset[str]) -> Iterator[str]:
    if node.op == "name" and node.args[0] not in bound:
        yield node.args[0]
    if node.op == "exists":
        yield from _names(node.args[1], bound)
        yield from _names(node.args[2], bound | {node.args[0]})
        return
    for x in node.args:
        if hasattr(x, "op"):
            yield from _names(x, bound)


def _tables(node: Any) -> set[str]:
    found = {node.args[0]} if node.op == "entry" else set()
    if node.op == "call" and node.args[0] in TABLES and node.args[1].op == "name":
        found |= {x.args[0] for x in node.args[1:] if x.op == "name" and
                  (x is node.args[1] or node.args[0] == "inverse")}  # fmt: skip
    for x in node.args:
        if hasattr(x, "op"):
            found |= _tables(x)
    return found


__all__ = ["Env", "Text", "TooLarge", "false_at", "holds", "number"]
