"""At which sizes a kernel is executed: small ones, some that differ, some at the edges of tiles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from math import inf

from symcute.errors import InputError
from symcute.expr.terms import evaluate, names
from symcute.kernel.ir.expression import Binary, Const
from symcute.kernel.ir.inside import every, expressions, inside, reads
from symcute.kernel.ir.program import Kernel
from symcute.kernel.properties.context import Context
from symcute.kernel.symexec.entry import term_of
from symcute.solve.entailment import facts

__all__ = ["Sizes"]

#: How many small instances are looked through for those that differ.
MANY = 300
#: The largest tile of which there are several.
TILE = 64


class Sizes:
    """Dims of a kernel that meet what is known of its launch."""

    def __init__(self, kernel: Kernel, context: Context) -> None:
        self.kernel, self.context = kernel, context
        self._known = facts(context.setting.given)

    def instances(self) -> Iterator[dict[str, int]]:
        """Yield dims that meet all facts: small ones, some that differ, some at the tile's edge."""
        dims = self.context.dims
        if not dims:
            yield {}
            return
        seen: set[tuple[tuple[str, int], ...]] = set()
        for at in self._candidates(dims):
            key = tuple(sorted(at.items()))
            if key not in seen and self.admits(at):
                seen.add(key)
                yield at

    @cached_property
    def smallest(self) -> dict[str, int] | None:
        """The first of the instances, if there is any."""
        return next(self.instances(), None)

    def _candidates(self, dims: frozenset[str]) -> Iterator[dict[str, int]]:
        small = islice(self._known.instances(dims, MANY), MANY)
        first = list(islice(small, 4))
        yield from first
        yield from self._tiled(dims)
        yield from (at for some in first[:1] for at in self._largest(some))
        yield from self._known.samples(dims)
        for edge in self._edges():
            for d in (0, 1, -1):
                yield dict.fromkeys(dims, edge + d)
        yield from (at for k, at in enumerate(small) if k % 7 == 0)

    def _tiled(self, dims: frozenset[str]) -> Iterator[dict[str, int]]:
        """Yield sizes of a few tiles each, of which the numbers differ, and the last is not full.

        Where a tile may not be less than full, all are. What is cut into no tiles is 2.
        """
        tiles: dict[str, int] = {}
        for e in (e for s in every(self.kernel.body) for x in expressions(s) for e in inside(x)):
            if isinstance(e, Binary) and e.op in ("/", ">>") and isinstance(e.right, Const):
                by = e.right.value if e.op == "/" else 1 << min(max(e.right.value, 0), TILE)
                for name in reads(e.left) & dims if 1 < by <= TILE else ():
                    tiles[name] = max(by, tiles.get(name, 0))
        order = sorted(tiles)
        for more in (1, 0) if tiles else ():
            for parity in (0, 1):
                counts = {n: 1 + (k + parity) % 2 for k, n in enumerate(order)}
                some = {n: tiles[n] * (counts[n] + 1 - more) + more for n in order}
                yield {**dict.fromkeys(dims, 2), **some}

    def _largest(self, at: dict[str, int]) -> Iterator[dict[str, int]]:
        """Yield the largest values of parameters that say nothing of the launch or of arrays."""
        known = self.context.at(()).ranges
        sizes = [
            *self.context.setting.grid,
            *self.context.setting.block,
            self.context.setting.shared,
        ]
        sized = {
            n for x in (*sizes, *self.context.setting.extents.values()) for n in names(term_of(x))
        }
        free = [p.name for p in self.kernel.params if p.name in at and p.name not in sized]
        highest = {n: known.ranges.of(n)[1] for n in free}
        whole = {n: int(high) for n, high in highest.items() if high < inf}
        if whole:
            yield {**at, **whole}
            # The largest power of two: one bit is set, the highest.
            yield {**at, **{n: 1 << high.bit_length() - 1 for n, high in whole.items() if high}}

    def _edges(self) -> Iterator[int]:
        """Yield sizes at which tiles of a block are full."""
        setting = self.context.setting
        extents = [x for x in setting.block if isinstance(x, int) and x > 1]
        yield from dict.fromkeys((*extents, 32, 2 * (extents[0] if extents else 16)))

    def admits(self, dims: Mapping[str, int]) -> bool:
        """Return whether all facts hold at dims, the launch's own included."""
        try:
            return all(evaluate(f, dims) for f in self.context.map.facts)
        except InputError:
            return False

    def of_model(self, model: Mapping[str, int]) -> dict[str, int] | None:
        """Return dims as a model gives them, the others small; None if the facts do not hold."""
        given = {n: model[n] for n in self.context.dims if n in model}
        if len(given) == len(self.context.dims):
            return given if self.admits(given) else None
        for at in islice(self._known.instances(self.context.dims, MANY), MANY):
            dims = {**at, **given}
            if self.admits(dims):
                return dims
        return None
