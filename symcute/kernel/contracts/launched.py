"""What must be so besides, of a kernel whose launch was found in host code: lines about its dims.

The dims are those of the host's notes. What they say stays as it is: nothing about the launch is
left out again, and extents that they give are no question any more.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import inf

from symcute.expr.htuple import Leaf
from symcute.expr.node import Node, Term, names
from symcute.expr.ranges import Ranges
from symcute.expr.terms import at_most, show
from symcute.kernel.contracts.lines import Line, Unlaunched
from symcute.kernel.contracts.unwrapping import unwrapped
from symcute.kernel.ir.families import Family
from symcute.kernel.ir.program import Array, Kernel
from symcute.kernel.ir.setting import Setting
from symcute.kernel.launch.notes import read_setting
from symcute.kernel.symexec.entry import term_of, truth_of

__all__ = ["Launched"]


class Launched(Unlaunched):
    """A kernel of which one family of launches is known, and what is assumed of its dims."""

    def __init__(
        self, kernel: Kernel, family: Family, given: Iterable[str] = (), arch: str | None = None
    ) -> None:
        """Read the notes of the family. Errors: InputError, where the family is not understood."""
        self.family = family
        base = self._base = read_setting(
            kernel, given=tuple(given), architecture=arch, family=family
        )
        super().__init__(kernel, given, arch)
        self.unwrapped = self._whole()
        dims = sorted(map(str, base.given.dims()))
        self._names |= set(dims)
        self.params = {n: n for n in dims}
        plain = self._plain(self.unwrapped)
        self.grid, self.block = (tuple(map(plain, e)) for e in (base.grid, base.block))
        self._fixed = {}
        self.shared = plain(base.shared)
        named = {*dims}
        self.extents = {a.name: self._free(f"numel_{a.name}", named) for a in self._sized()}
        self.ends = {
            a: self._free(n, named) for a, n in self.ends.items() if a not in base.contents
        }

    def _whole(self) -> tuple[Line, ...]:
        """Return that nothing wraps which the host computes for the launch."""
        met: dict[Term, None] = {}

        def is_met(relation: Term) -> bool:
            if isinstance(relation, Node):
                met[relation] = None
            return isinstance(relation, Node)

        b = self._base
        for leaf in (*b.grid, *b.block, b.shared, *b.arguments.values(), *b.extents.values()):
            unwrapped(term_of(leaf), is_met)
        return tuple(Line("assume", t) for t in met)

    def _plain(self, lines: Iterable[Line]) -> Callable[[Leaf], Term]:
        """Return what makes terms of leaves, plain ones where lines say that nothing wraps."""
        said = {x.term for x in lines if x in self.unwrapped}
        return lambda leaf: unwrapped(term_of(leaf), said.__contains__)

    def _free(self, name: str, taken: Collection[str]) -> str:
        return name if name not in taken else self._fresh(name)

    def _sized(self) -> Iterable[Array]:
        return (a for a in self.pointed() if a.name not in self._base.extents)

    @cached_property
    def _called(self) -> dict[str, str]:
        return {}

    @cached_property
    def limits(self) -> tuple[Term, ...]:
        """What holds of the dims that are none of the host's."""
        return (
            *(at_most(0, n) for n in self.extents.values()),
            *(at_most(1, n) for n in self.ends.values()),
        )

    def holds(self, lines: Iterable[Line], setting: Setting, alignment: Mapping[str, int]) -> bool:
        """Return False: the host's dims are not known of a launch of numbers."""
        return False

    def signs(self) -> tuple[Line, ...]:
        """Return that dims are at least 1, but for those of which the host says otherwise."""
        known = Ranges(dict.fromkeys(self.params.values(), (1, inf)))
        given = map(truth_of, self._base.given.formulas)
        denied = [names(t) for t in given if isinstance(t, Node) and known.decides(t) is False]
        return tuple(x for x in super().signs() if not names(x.term) & frozenset().union(*denied))

    def of_launch(self) -> list[Line]:
        """Return nothing: what a device asks is asked of the launch that was found."""
        return []

    def setting(self, lines: Collection[Line], searching: bool = False) -> Setting:
        """Return the setting under lines; while `searching`, extents are dims.

        Errors: InputError where a line has no value for all dims, such as by a quotient by 0.
        """
        extents = dict(self.extents) if searching else self._largest(lines)
        plain = self._launch(lines)
        return read_setting(
            self.kernel,
            launch=plain.launch,
            arguments=plain.arguments,
            given=[*self.given, *self._relations(lines, searching), *plain.given],
            extents={**plain.extents, **{a: show(n) for a, n in extents.items()}},
            contents=self._contents_of(lines),
            alignment=self._alignment(lines),
            architecture=self.arch,
            family=self.family,
        )

    def _launch(self, lines: Collection[Line]) -> _Plain:
        """Return what is otherwise in the launch where lines say that something does not wrap."""
        if not any(x in self.unwrapped for x in lines):
            return _Plain()
        b, plain = self._base, self._plain(lines)
        grid, block = (", ".join(show(plain(x)) for x in e) for e in (b.grid, b.block))
        said = "" if self.kernel.block else f" block=({block})"
        said_of = {x.term for x in lines if x in self.unwrapped}
        given = (unwrapped(truth_of(f), said_of.__contains__) for f in b.given.formulas)
        return _Plain(
            f"grid=({grid}){said} shared={show(plain(b.shared))}",
            {p: show(plain(x)) for p, x in b.arguments.items()},
            {a: show(plain(x)) for a, x in b.extents.items()},
            [show(t) for t in given if isinstance(t, Node)],
        )

    def notes(self, lines: Collection[Line]) -> list[str]:
        """Return the host's notes, and lines as notes behind them."""
        extents = self._largest(lines)
        found = [n.text for n in self.family.notes]
        found += [f"extent {a} = {show(n)}" for a, n in extents.items()]
        found += [f"contents {a} in {r}" for a, r in self._contents_of(lines).items()]
        found += [f"align {a} = {n}" for a, n in self._alignment(lines).items()]
        return [*found, *(f"assume {x}" for x in (*self.given, *self._relations(lines, False)))]

    def _relations(self, lines: Collection[Line], searching: bool) -> list[str]:
        idle = set() if searching else {a for a in self.extents if self._is_given(a, lines)}
        unsaid = {n for a, n in self.ends.items() if not any(
            x.kind == "contents" and x.name == a for x in lines)}  # fmt: skip
        own = [*(at_most(0, n) for a, n in self.extents.items() if a not in idle)]
        own += [at_most(1, n) for n in self.ends.values() if n not in unsaid]
        own += [self.truths(x) for x in lines if searching or x.kind != "extent"]
        return [show(t) for t in dict.fromkeys(own) if t is not True]

    @staticmethod
    def _is_given(array: str, lines: Collection[Line]) -> bool:
        return any(x.kind == "extent" and x.name == array for x in lines)

    @staticmethod
    def _contents_of(lines: Collection[Line]) -> dict[str, str]:
        return {x.name: f"[0, {show(x.term)})" for x in lines if x.kind == "contents"}

    @staticmethod
    def _alignment(lines: Collection[Line]) -> dict[str, int]:
        return {x.name: int(str(x.term)) for x in lines if x.kind == "align"}


@dataclass(frozen=True)
class _Plain:
    """What is given besides the notes of a family, in their words."""

    launch: str | None = None
    arguments: dict[str, str] = field(default_factory=dict)
    extents: dict[str, str] = field(default_factory=dict)
    given: list[str] = field(default_factory=list)
