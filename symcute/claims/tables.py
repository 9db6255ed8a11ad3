"""Tables of indices in claims: `page[i]` is a number of which a few things are known.

`table(page, N, P)` says that page has the entries page[0] to page[N-1], each at least 0 and less
than P, which is at least 1; `distinct`, `monotone` (never falling), `increasing` and
`inverse(inv, perm)` say more. A claim under such assumptions comes down to one without tables: each
entry that is read is a dim, and what is assumed is said of these entries, one by one and two by
two. That every index is one of the table is part of the claim.

Why that is enough. Let such a claim be proved. Take tables, and values of the dims, for which the
assumptions hold, and let the dim of an entry be that entry, or where the index is beyond the table,
the nearest one (0 of a table without entries). Then all that is said of entries holds: of two of
them it is said where both are in the table, and for a monotone table everywhere. So the claim
holds, and each index is one of its table: each dim is the entry it stands for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations, pairwise

from symcute.claims.language import evaluate
from symcute.errors import TextError
from symcute.expr.assumptions import ambient
from symcute.expr.parser import parse
from symcute.expr.syntax import Node, bitwise, conjuncts, ungrouped
from symcute.expr.unparse import unparse

__all__ = ["Tables", "names_in", "read_tables"]

#: What is said of tables, with how many arguments.
FACTS = {"table": 3, "distinct": 1, "monotone": 1, "increasing": 1, "inverse": 2}
#: How many entries a claim may read, those that an inverse adds among them, and the longest table
#: of a counterexample.
MAX_ENTRIES, MAX_LENGTH = 12, 10_000


@dataclass
class Tables:
    """The tables of a claim: what is said of them, and which entries are read.

    `sizes` are the number of entries and what they stay below, as texts; `entries` are dims, each
    with its table and its index.
    """

    sizes: dict[str, tuple[str, str]] = field(default_factory=dict)
    facts: dict[str, set[str]] = field(default_factory=dict)
    inverses: list[tuple[str, str]] = field(default_factory=list)
    entries: dict[str, tuple[str, str]] = field(default_factory=dict)
    #: Where each index is one of its table, under the premises that it stands behind.
    inside: list[str] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)

    def said(self, text: str) -> Iterator[str]:
        """Take what an assumption says of tables, and yield the rest."""
        for part in conjuncts(bitwise(parse(text, what="assumption"))):
            name = str(part.args[0]) if part.op == "call" else ""
            if name not in FACTS:
                yield unparse(part)
                continue
            nodes = [ungrouped(x) for x in part.args if isinstance(x, Node)]
            tables = nodes[:1] if name == "table" else nodes
            if len(nodes) != FACTS[name] or any(x.op != "name" for x in tables):
                fix = "write table(page, N, P), distinct(page) or inverse(inv, perm)"
                raise TextError(f"{name} speaks of tables by their names", text, part.pos, fix)
            first = str(nodes[0].args[0])
            if name == "table":
                sizes = unparse(nodes[1]), unparse(nodes[2])
                if self.sizes.setdefault(first, sizes) != sizes:
                    fix = f"say it once, and how the sizes are related: {sizes[0]} == ..."
                    raise TextError(f"a second size of {first}", text, part.pos, fix)
            elif name == "inverse":
                self.inverses.append((first, str(nodes[1].args[0])))
            else:
                self.facts.setdefault(first, set()).add(name)

    def without(self, text: str) -> str:
        """Return a text in which entries are dims."""
        return unparse(self._without(bitwise(parse(text, what="claim")), text, ()))

    def _without(self, node: Node, text: str, behind: tuple[str, ...]) -> Node:
        if node.op == "implies":
            parts = [x for x in node.args if isinstance(x, Node)]
            premise = self._without(parts[0], text, behind)
            conclusion = self._without(parts[1], text, (*behind, unparse(premise)))
            return Node(node.op, (premise, conclusion), node.pos, node.end)
        args = [self._without(x, text, behind) if isinstance(x, Node) else x for x in node.args]
        if node.op != "entry":
            return Node(node.op, tuple(args), node.pos, node.end)
        name, index = str(args[0]), unparse(ungrouped(args[1])) if isinstance(args[1], Node) else ""
        if name not in self.sizes:
            fix = f'assume "table({name}, N, P)": its length, and what its entries stay below'
            raise TextError(f"nothing is said of the table {name}", text, node.pos, fix)
        if len(self.entries) >= MAX_ENTRIES:
            raise TextError(f"more than {MAX_ENTRIES} entries", text, node.pos, "split the claim")
        within = f"0 <= {index} and {index} < {_grouped(self.sizes[name][0])}"
        for x in reversed(behind):
            within = f"({x}) implies ({within})"
        if within not in self.inside:
            self.inside.append(within)
        return Node("name", (self._entry(name, index),), node.pos, node.end)

    def _entry(self, table: str, index: str) -> str:
        """Return the dim of an entry."""
        found = next((v for v, e in self.entries.items() if e == (table, index)), None)
        if found is None:
            found = f"{table}_{len(self.entries)}"
            while found in self.taken:
                found += "_"
            self.entries[found] = table, index
        return found

    def known(self) -> Iterator[str]:
        """Yield what is assumed of the entries, as relations between dims."""
        for one, other in self.inverses:
            for v, (table, _) in list(self.entries.items()):
                if table in (one, other):
                    self._entry(other if table == one else one, v)
        yield from dict.fromkeys(f"1 <= {end}" for _, end in self.sizes.values())
        for v, (table, _) in self.entries.items():
            yield f"0 <= {v} and {v} < {_grouped(self.sizes[table][1])}"
        for v, (table, e) in self.entries.items():
            if "increasing" in self.facts.get(table, ()):  # each is larger than the one before
                count, end = map(_grouped, self.sizes[table])
                outside = self._outside(table, _grouped(e))
                yield f"{outside} or {_grouped(e)} <= {v}"
                yield f"{outside} or {v} + {count} <= {end} + {_grouped(e)}"
        for (v, (table, e)), (w, (other, f)) in combinations(self.entries.items(), 2):
            if table == other:
                yield from self._of_two(table, v, _grouped(e), w, _grouped(f))
        for v, (table, e) in self.entries.items():
            inner = self.entries.get(e, ("", ""))
            if (table, inner[0]) in self.inverses or (inner[0], table) in self.inverses:
                outside = self._outside(inner[0], _grouped(inner[1]))
                yield f"{outside} or {v} == {_grouped(inner[1])}"

    def _of_two(self, table: str, v: str, e: str, w: str, f: str) -> Iterator[str]:
        facts = self.facts.get(table, set())
        if "monotone" in facts:
            yield f"{f} < {e} or {v} <= {w}"
            yield f"{e} < {f} or {w} <= {v}"
        else:
            yield f"{e} < {f} or {f} < {e} or {v} == {w}"
        both = f"{self._outside(table, e)} or {self._outside(table, f)}"
        if "increasing" in facts:
            yield f"{both} or {f} <= {e} or {v} + {f} <= {w} + {e}"
            yield f"{both} or {e} <= {f} or {w} + {e} <= {v} + {f}"
        if {"distinct", "increasing"} & facts or any(table in x for x in self.inverses):
            yield f"{both} or {v} < {w} or {w} < {v} or {e} == {f}"

    def _outside(self, table: str, e: str) -> str:
        return f"{e} < 0 or {_grouped(self.sizes[table][0])} <= {e}"

    def filled(self, dims: Mapping[str, int]) -> dict[str, list[int]] | None:
        """Return tables with the entries that dims have, of which all holds that is said of them.

        None where none were found: there may be none with these entries.
        """
        found: dict[str, list[int]] = {}
        for name, (length, end) in self.sizes.items():
            count, stop = _value(length, dims), _value(end, dims)
            known: dict[int, int] = {}
            for v, (table, index) in self.entries.items():
                k = _value(index, dims)
                if table == name and known.setdefault(k, dims[v]) != dims[v]:
                    return None
            for one, other in self.inverses:
                if name == other and one in found:
                    known |= {x: k for k, x in enumerate(found[one])}
                if name == one and other in found:
                    known |= {x: k for k, x in enumerate(found[other])}
            facts = self.facts.get(name, set())
            if any(name in pair for pair in self.inverses):
                facts = facts | {"distinct"}
            entries = _completed(known, count, stop, facts)
            if entries is None:
                return None
            found[name] = entries
        for one, other in self.inverses:
            if any(x >= len(found[one]) or found[one][x] != k for k, x in enumerate(found[other])):
                return None
        return found


def _completed(
    known: Mapping[int, int], count: int, stop: int, facts: set[str]
) -> list[int] | None:
    """Return a table of so many entries below `stop`, the known ones and what is said kept."""
    if not 0 <= count <= MAX_LENGTH or not known.keys() <= set(range(count)):
        return None
    free = (x for x in range(stop) if x not in known.values())
    found: list[int] = []
    for k in range(count):
        if k in known:
            found.append(known[k])
        elif facts & {"monotone", "increasing"}:
            found.append(found[-1] + ("increasing" in facts) if found else 0)
        else:
            found.append(next(free, -1) if "distinct" in facts else 0)
    holds = all(0 <= x < stop for x in found)
    holds = holds and ("distinct" not in facts or len(set(found)) == count)
    holds = holds and ("monotone" not in facts or all(x <= y for x, y in pairwise(found)))
    holds = holds and ("increasing" not in facts or all(x < y for x, y in pairwise(found)))
    return found if holds else None


def read_tables(claim: str, given: Iterable[str]) -> tuple[Tables, str, list[str]] | None:
    """Return the tables of a claim, and the claim and its assumptions without them; None for none.

    >>> tables, claim, given = read_tables("page[i] < P", ["table(page, N, P)", "0 <= i < N"])
    >>> claim, given, tables.inside
    ('page_0 < P', ['0 <= i', 'i < N', '1 <= P', '0 <= page_0 and page_0 < P'], \
['0 <= i and i < N'])
    """
    given = list(given)
    if not any(sign in text for text in (claim, *given) for sign in ("[", "table(")):
        return None
    tables = Tables()
    rest = [x for text in given for x in tables.said(text)]
    for name in [*tables.facts, *(x for pair in tables.inverses for x in pair)]:
        if name not in tables.sizes:
            fix = f'assume "table({name}, N, P)": its length, and what its entries stay below'
            raise TextError(f"nothing is said of the size of {name}", claim, 0, fix)
    if not tables.sizes and not any(_reads(parse(text, what="claim")) for text in (claim, *rest)):
        return None
    tables.taken = ambient().dims().union(*(names_in(parse(text)) for text in (claim, *given)))
    said = tables.without(claim)
    rest = [tables.without(x) for x in rest]
    return tables, said, [*rest, *tables.known()]


def _reads(node: Node) -> bool:
    """Return whether an entry of a table stands in a tree."""
    return node.op == "entry" or any(_reads(x) for x in node.args if isinstance(x, Node))


def names_in(node: Node) -> Iterator[str]:
    """Yield the names in a tree."""
    if node.op == "name":
        yield str(node.args[0])
    for x in node.args:
        if isinstance(x, Node):
            yield from names_in(x)


def _grouped(text: str) -> str:
    return text if text.isidentifier() or text.isdigit() else f"({text})"


def _value(text: str, dims: Mapping[str, int]) -> int:
    def put(node: Node) -> Node:
        if node.op == "name":
            value = Node("int", (dims[str(node.args[0])],), node.pos, node.end)
            return Node("paren", (value,), node.pos, node.end)
        parts = (put(x) if isinstance(x, Node) else x for x in node.args)
        return Node(node.op, tuple(parts), node.pos, node.end)

    found = evaluate(unparse(put(bitwise(parse(f"0 + ({text})")))))
    if not isinstance(found, int):
        raise TextError("expected an expression in dims", text, 0, "write such as N + 1")
    return found
