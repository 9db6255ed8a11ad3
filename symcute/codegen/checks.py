"""Checks a machine can make of a claim at an instance, as C entries over the whole domain.

A claim's primitive parts become checks: maps that agree are compared, injectivity and coverage are
seen on a bitmap with a bit for each offset, bounds are compared. Every layout of the claim is
checked on its own too: its index function against expected offsets.

One check is one or more entries that run after each other over the same bitmap.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from symcute.claims import Agree, Apart, Claim, Covers, Disjoint, InBounds, Injective, SameImage
from symcute.claims.base import plain
from symcute.codegen.cute import CUTE_PRELUDE, cute_function
from symcute.codegen.functions import dim_names, fits, index_function, narrow_function
from symcute.expr.expression import free_dims, value_at
from symcute.expr.htuple import Leaf
from symcute.layout.layout import Layout

__all__ = ["ROADS", "Check", "Step", "checks_of", "names_of", "source"]

#: How offsets are computed: 64 bits, 32 bits, NVIDIA's CuTe.
ROADS = ("wide", "narrow", "cute")
Chain = tuple[Layout, ...]
#: A layout of the same extents, and what its value stays below.
Guards = tuple[tuple[Layout, Leaf], ...]


@dataclass(frozen=True)
class Step:
    """One entry: `body` is a C expression in `x0`, `x1`, ... that says whether index i fails.

    `chains` are the maps whose values those are, `guards` the coordinates looked at, `numbers` the
    leaves that the body names p0, p1, ...
    """

    body: str
    chains: tuple[Chain, ...]
    domain: Layout
    guards: Guards = ()
    numbers: tuple[Leaf, ...] = ()

    def layouts(self) -> list[Layout]:
        """Return every layout that is evaluated, each once."""
        chained = [layout for chain in self.chains for layout in chain]
        return list(dict.fromkeys([*chained, *(g for g, _ in self.guards)]))

    def leaves(self) -> list[Leaf]:
        """Return the numbers, those of the guards after the others."""
        return [*self.numbers, *(bound for _, bound in self.guards)]

    @cached_property
    def names(self) -> list[str]:
        """The dims that the entry takes, in order."""
        found = set().union(*(layout.dims() for layout in self.layouts()), self.domain.dims())
        return sorted(found.union(*(free_dims(x) for x in self.leaves())))

    def parameters(self, dims: Mapping[str, int]) -> list[int]:
        """Return what the entry finds in `p`: the dims, then the numbers."""
        return [dims[n] for n in self.names] + [value_at(x, dims) for x in self.leaves()]

    def count(self, dims: Mapping[str, int]) -> int:
        """Return how many indices the entry looks at."""
        return int(self.domain.at(dict(dims)).size())

    def fits(self, dims: Mapping[str, int], bits: int) -> bool:
        """Return whether nothing the entry computes overflows."""
        size = self.count(dims)
        return size < 1 << bits - 1 and all(
            _chain_fits(chain, size, dims, bits)
            for chain in (*self.chains, *((g,) for g, _ in self.guards))
        )


@dataclass(frozen=True)
class Check:
    """Steps that share a bitmap, and what is expected of it at the end.

    `what` says in a few words what is looked at; `road` which arithmetic. `reach` is the layout
    whose offsets the bitmap covers ((low, bits) when None: [0, full)); `full` a leaf when every bit
    below it must be set at the end. `expects` marks the check that needs the layout's offsets.
    """

    what: str
    road: str
    steps: tuple[Step, ...]
    reach: tuple[Layout, ...] = ()
    full: Leaf | None = None
    expects: Layout | None = None

    @property
    def marks(self) -> bool:
        """Whether the check needs a bitmap."""
        return bool(self.reach) or self.full is not None

    @property
    def label(self) -> str:
        """The check in words, with the road taken."""
        return f"{self.what} ({self.road})"

    def runs_at(self, dims: Mapping[str, int]) -> bool:
        """Return whether every value fits the integers of the road."""
        bits = 32 if self.road == "narrow" else 64
        return all(step.fits(dims, bits) for step in self.steps)

    def window(self, dims: Mapping[str, int]) -> tuple[int, int]:
        """Return the smallest offset that the bitmap has a bit for, and how many bits it has."""
        if self.full is not None:
            return 0, value_at(self.full, dims)
        ends = [_ends(layout.at(dict(dims))) for layout in self.reach]
        low = min(least for least, _ in ends)
        return low, max(most for _, most in ends) - low + 1


def _ends(layout: Layout) -> tuple[int, int]:
    """Return the smallest and the largest offset of a static layout."""
    moves = [(int(s) - 1) * int(d) for s, d in layout.modes()]
    return sum(m for m in moves if m < 0), sum(m for m in moves if m > 0)


def _chain_fits(chain: Chain, size: int, dims: Mapping[str, int], bits: int) -> bool:
    """Return whether a chain of layouts stays within so many bits on [0, size)."""
    last = size - 1
    for layout in reversed(chain):
        if not fits(layout, dims, bits):
            return False
        modes = [(int(s), int(d)) for s, d in layout.at(dict(dims)).modes()]
        inner, reach = 1, 0
        for s, d in modes[:-1]:
            inner *= s
            reach += (s - 1) * abs(d)
        # The last mode takes what is left of the index, however much.
        reach += (last // inner + 1) * abs(modes[-1][1])
        if reach >= 1 << bits - 1:
            return False
        if layout is not chain[0] and any(d < 0 for _, d in modes):
            return False  # a negative index is split otherwise in C
        last = reach
    return True


def checks_of(claim: Claim, roads: Iterable[str] = ROADS) -> list[Check]:
    """Return the checks that a machine can make of a claim; none for a claim about numbers alone.

    >>> for check in checks_of(Injective(Layout.parse("(M,N):(N,1)")), ["wide"]):
    ...     print(check.label)
    offsets of (M,N):(N,1) (wide)
    no offset twice, (M,N):(N,1) (wide)
    """
    found: list[Check] = []
    roads = list(roads)
    for layout in dict.fromkeys(claim.layouts()):
        if layout.coordinate_strides:
            continue
        step = Step("x0 != SC_EXPECTED(i)", ((layout,),), layout)
        found += [Check(f"offsets of {layout}", road, (step,), expects=layout) for road in roads]
    for part in claim.parts():
        make, along = _MAKERS.get(type(part), (None, ()))
        for road in roads:
            found += [replace(c, road=road) for c in (make(part) if road in along else ())]
    return list(dict.fromkeys(c for c in found if c.road != "narrow" or _has_narrow_code(c)))


def _has_narrow_code(check: Check) -> bool:
    """Return whether every number that the code names fits 32 bits."""
    layouts = [layout for step in check.steps for layout in step.layouts()]
    numbers = [x for layout in layouts for pair in layout.modes() for x in pair]
    return all(abs(x) < 1 << 31 for x in numbers if isinstance(x, int))


def names_of(claim: Claim, checks: Iterable[Check]) -> tuple[str, ...]:
    """Return the dims that a claim and its checks need, sorted."""
    found = set(claim.dims())
    return tuple(sorted(found.union(*(step.names for c in checks for step in c.steps))))


_MARK = "sc_mark(aux, x0, low, bits)"


def _injective(claim: Injective) -> list[Check]:
    layout = plain(claim.layout)
    step = Step(_MARK, ((layout,),), layout, tuple(claim.where))
    return [Check(f"no offset twice, {layout}", "wide", (step,), reach=(layout,))]


def _in_bounds(claim: InBounds) -> list[Check]:
    layout = plain(claim.layout)
    step = Step("x0 < 0 || x0 >= p0", ((layout,),), layout, tuple(claim.where), (claim.bound,))
    return [Check(f"offsets inside, {layout}", "wide", (step,))]


def _agree(claim: Agree) -> list[Check]:
    step = Step("x0 != x1", (claim.left, claim.right), claim.domain)
    sides = (" o ".join(map(str, chain)) or "the identity" for chain in (claim.left, claim.right))
    return [Check(f"{' equals '.join(sides)}", "wide", (step,))]


def _covers(claim: Covers) -> list[Check]:
    step = _marked(claim.layout)
    return [Check(f"every offset reached, {claim.layout}", "wide", (step,), full=claim.bound)]


def _disjoint(claim: Disjoint) -> list[Check]:
    fails = "x0 != 0 && sc_marked(aux, x0, low, bits)"
    return [_compared("only 0 in common, {} and {}", claim.left, claim.right, fails)]


def _apart(claim: Apart) -> list[Check]:
    fails = "sc_marked(aux, x0 + p0, low, bits)"
    return [_compared("nothing in common, {} and {}", claim.left, claim.right, fails, claim.shift)]


def _same_image(claim: SameImage) -> list[Check]:
    return [
        _compared("no other offset, {1} in {0}", *sides, "!sc_marked(aux, x0, low, bits)")
        for sides in ((claim.left, claim.right), (claim.right, claim.left))
    ]


def _marked(layout: Layout) -> Step:
    """Return the step that marks every offset of a layout, and never fails."""
    return Step(f"({_MARK}, 0)", ((layout,),), layout)


def _compared(what: str, one: Layout, other: Layout, fails: str, *numbers: Leaf) -> Check:
    """Return the check that marks the offsets of one layout, and looks for those of another."""
    look = Step(fails, ((other,),), other, numbers=numbers)
    return Check(what.format(one, other), "wide", (_marked(one), look), reach=(one,))


#: What is checked of a claim, as for 64 bits, and the roads that it takes.
_MAKERS: dict[type, tuple[Any, tuple[str, ...]]] = {
    Injective: (_injective, ("wide", "narrow")),
    InBounds: (_in_bounds, ("wide", "narrow")),
    Agree: (_agree, ROADS),
    Covers: (_covers, ("wide",)),
    Disjoint: (_disjoint, ("wide",)),
    Apart: (_apart, ("wide",)),
    SameImage: (_same_image, ("wide",)),
}


def source(checks: Iterable[Check], road: str) -> str:
    """Return the functions and entries of the checks that take a road; prelude not included.

    Step j of check k has the entry `check_k_j`. Its parameter array `p` holds the step's dims and
    numbers, then `low` and `bits` of the bitmap.
    Errors: InputError for a constant beyond the integers of the road.
    """
    wanted = [(k, c) for k, c in enumerate(checks) if c.road == road]
    write = {"wide": index_function, "narrow": narrow_function, "cute": cute_function}[road]
    layouts = dict.fromkeys(x for _, c in wanted for step in c.steps for x in step.layouts())
    names = {layout: f"{road}_{n}" for n, layout in enumerate(layouts)}
    parts = [CUTE_PRELUDE] if road == "cute" else []
    parts += [write(layout, name) for layout, name in names.items()]
    for k, check in wanted:
        parts += [_entry(step, f"check_{k}_{j}", names, road) for j, step in enumerate(check.steps)]
    return "\n".join(parts)


def _entry(step: Step, name: str, names: Mapping[Layout, str], road: str) -> str:
    at = {n: f"p[{k}]" for k, n in enumerate(step.names)}
    first = len(step.names)
    total = first + len(step.leaves())
    prepare = [f"const long long p{k} = p[{first + k}]" for k in range(len(step.leaves()))]
    if "bits" in step.body:
        prepare += [f"const long long low = p[{total}]", f"const long long bits = p[{total + 1}]"]
    if road == "narrow":
        for layout in step.layouts():
            given = ", ".join(at[n] for n in dim_names(layout))
            prepare.append(
                f"const {names[layout]}_at m_{names[layout]} = {names[layout]}_for({given})"
            )

    def value(chain: Chain) -> str:
        text = "i"
        for layout in reversed(chain):
            f = names[layout]
            if road == "narrow":
                text = f"{f}(m_{f}, (unsigned){text})"
            else:
                text = f"{f}({', '.join([text, *(at[n] for n in dim_names(layout))])})"
        return f"(long long){text}"

    body = step.body
    for k, chain in enumerate(step.chains):
        body = body.replace(f"x{k}", value(chain))
    for k, (layout, _) in enumerate(step.guards):
        body = f"({value((layout,))} < p{len(step.numbers) + k}) && ({body})"
    index = "unsigned" if road == "narrow" else "long long"
    return f"SC_CHECK({name}, {index}, {'; '.join(prepare) or '(void)0'}, {body})\n"
