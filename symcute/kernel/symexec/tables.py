"""What loads from one table say of each other: facts of arrays as functions of the index."""

from __future__ import annotations

from collections.abc import Iterator

from symcute.expr import terms
from symcute.expr.node import Term
from symcute.kernel.ir.program import Array, Int
from symcute.kernel.ir.setting import Setting, Table
from symcute.kernel.symexec.entry import term_of
from symcute.kernel.symexec.recorder import Recorder

__all__ = ["Element", "Tables", "alike"]

#: An array and the index of one of its elements.
Element = tuple[str, Term]


def alike(table: Table, one: tuple[Term, Term], other: tuple[Term, Term]) -> Iterator[Term]:
    """Yield what two elements of a table say of each other, each a number with its index."""
    (x, i), (y, j) = one, other
    p = terms.polynomial(terms.sub(j, i))
    ahead = None if p is None or p.keys() - {()} else p.get((), 0)  # where the distance is known
    if ahead == 0:
        yield terms.equal(x, y)
        return
    if ahead is None:
        yield terms.any_of(terms.unequal(i, j), terms.equal(x, y))
    if table.distinct:
        apart = terms.unequal(x, y)
        yield apart if ahead is not None else terms.any_of(apart, terms.equal(i, j))
    if table.increasing:
        if ahead is not None:
            yield terms.at_most(x, y) if ahead > 0 else terms.at_most(y, x)
        else:
            yield terms.any_of(terms.less(j, i), terms.at_most(x, y))
            yield terms.any_of(terms.less(i, j), terms.at_most(y, x))


class Tables:
    """The tables of a setting, and what was read of them."""

    def __init__(self, recorder: Recorder, setting: Setting) -> None:
        self._recorder, self._setting = recorder, setting

    def element(self, array: Array, at: Term, type: Int) -> Element | None:
        """Return the element at a byte of a table that is read as what it is."""
        p = terms.polynomial(at)
        if array.name not in self._setting.tables or array.integer != type or p is None:
            return None
        if any(c % array.element for c in p.values()):
            return None
        index = terms.from_polynomial({m: c // array.element for m, c in p.items()})
        return array.name, index

    def undone(self, element: Element) -> Term | None:
        """Return j for perm[back[j]], where one of the two tables is the inverse of the other."""
        array, index = element
        q = self._recorder.quantities.get(index) if isinstance(index, str) else None
        inverse = self._setting.tables[array].inverse
        if q is None or q.variable.element is None or q.variable.element[0] != inverse:
            return None
        return q.variable.element[1] if inverse else None

    def beside(self, name: str, element: Element | None) -> Iterator[Term]:
        """Yield what holds of an element, which is a number, and those that were read before."""
        if element is None:
            return
        array, index = element
        table, setting = self._setting.tables[array], self._setting
        for other in self._recorder.loads.values():
            before = self._recorder.quantities[other].variable.element
            if before is None or before[0] != array:
                continue
            p = terms.polynomial(terms.sub(index, before[1]))
            if p is not None and p.keys() <= {()}:  # else it would bring in what bounds the other
                yield from alike(table, (other, before[1]), (name, index))
        if table.increasing:
            low, high = map(term_of, setting.contents[array])
            last = terms.sub(term_of(setting.extents[array]), 1)
            for end, number in ((0, low), (last, high)):
                if terms.polynomial(terms.sub(index, end)) == {}:
                    yield terms.equal(name, number)
