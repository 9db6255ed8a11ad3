"""The expression: an operator and what it is applied to, interned, so that equal is identical.

A term is an integer or a truth: a Python number, the name of a variable or dim, or a `Node`. There
is one node of an operator and arguments at a time: nodes are compared and hashed by identity, which
costs nothing however deep they are, and what is found out about one is found out once.
"""

from __future__ import annotations

from typing import Any, TypeAlias, Union
from weakref import WeakValueDictionary

__all__ = ["RELATIONS", "TRUTHS", "Node", "Term", "names"]

#: A number, a name or an operation.
Term: TypeAlias = Union[int, str, "Node"]

RELATIONS = frozenset({"<", "<=", "==", "!="})
#: The operators whose value is a truth.
TRUTHS = RELATIONS | {"and", "or", "not"}

_NODES: WeakValueDictionary[tuple[object, ...], Node] = WeakValueDictionary()
_NONE: frozenset[str] = frozenset()


class Node:
    """An operation, never changed; `operators` has a row for every `op`.

    >>> Node("+", "i", 1) is Node("+", "i", 1), Node("<", "i", 4).sort
    (True, 'truth')
    """

    __slots__ = ("__weakref__", "_text", "args", "names", "op", "sort")

    op: str
    args: tuple[Term, ...]
    sort: str  # "integer" or "truth"
    names: frozenset[str]
    _text: str | None

    def __new__(cls, op: str, *args: Term) -> Node:
        """Return the one node of an operator and arguments, as they are: nothing is folded."""
        # True equals 1, and is another term.
        key = (cls, op, *args, *[type(x) for x in args])
        found = _NODES.get(key)
        if found is None:
            if not all(isinstance(x, (int, str, Node)) for x in args):
                raise TypeError(f"no terms: {args}")
            found = super().__new__(cls)
            found.op, found.args = op, args
            found.sort = "truth" if op in TRUTHS else "integer"
            found.names = _NONE.union(*map(names, args))
            found._text = None
            _NODES[key] = found
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and what comes from other processes are the one node again."""
        return type(self), (self.op, *self.args)

    def __repr__(self) -> str:
        """Return operator and arguments; what depends on an order of terms orders by this."""
        if self._text is None:
            self._text = repr((self.op, *self.args))
        return self._text


def names(term: Term) -> frozenset[str]:
    """Return the names in a term.

    >>> sorted(names(Node("+", "bx", Node("*", "tx", 4))))
    ['bx', 'tx']
    """
    if isinstance(term, Node):
        return term.names
    return frozenset((term,)) if isinstance(term, str) else _NONE
