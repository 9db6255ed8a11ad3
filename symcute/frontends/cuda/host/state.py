"""What variables of host code are on a path, and what a launch is given there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from symcute.expr import terms
from symcute.expr.node import Node, Term
from symcute.frontends.cuda.host.numbers import Fact, Numbers, choice_in, chosen
from symcute.frontends.cuda.host.program import Launch
from symcute.kernel.ir.place import Place

__all__ = [
    "PATHS",
    "Found",
    "Memory",
    "Pending",
    "Spot",
    "State",
    "Tensor",
    "Value",
    "better",
    "choice_of",
    "decided",
    "gathered",
    "narrowed",
    "with_numbers",
    "with_value",
    "without",
]

#: Paths that are told apart; where there are more, they are joined.
PATHS = 8
#: How many conditions say in which of two ways a path went, and how large each is at most.
CLAUSES, MAX_CLAUSE = 16, 40


@dataclass(frozen=True)
class Memory:
    """An array that pointers lead to: its bytes where they are known, and where it comes from.

    What is `local` to a function no kernel writes.
    """

    number: int
    bytes: Term | None
    place: Place
    text: str
    local: bool = False


@dataclass(frozen=True)
class Tensor:
    """A tensor that a function is given: its symbols, and the number of its memory.

    The `last` ones are those of dims -1, -2 and so on.
    """

    title: str
    rank: Term
    numel: Term
    sizes: tuple[Term, ...]
    strides: tuple[Term, ...]
    last_sizes: tuple[Term, ...]
    last_strides: tuple[Term, ...]
    type: Term
    contiguous: Term
    memory: int
    place: Place


@dataclass(frozen=True)
class Spot:
    """A pointer: so many bytes behind the start of an array."""

    memory: Memory
    offset: Term


@dataclass(frozen=True)
class Pending:
    """Any value, of which nobody has asked yet: why it is not known, and since where."""

    number: int
    reason: str
    place: Place


Value: TypeAlias = Term | Spot | None


@dataclass(frozen=True)
class Found:
    """A launch on one path: what it says, and what is known there."""

    launch: Launch
    grid: tuple[Term | None, ...]
    block: tuple[Term | None, ...]
    shared: Term | None
    arguments: tuple[Value, ...] | None
    facts: tuple[Fact, ...]
    freed: frozenset[int]
    #: What is so where the function is called as it is meant to be, and nothing checks.
    taken: tuple[Fact, ...] = ()
    #: Why no more is said of it, if that is so.
    trouble: str = ""
    #: May there be no execution that comes here; see `State`?
    hazy: bool = False
    same: tuple[tuple[str, Term], ...] = ()


@dataclass(frozen=True)
class State:
    """What variables are on a path. `changed` may be changed by any code that is not followed."""

    env: dict[str, Value | Pending]
    facts: tuple[Fact, ...] = ()
    changed: frozenset[str] = frozenset()
    freed: frozenset[int] = frozenset()
    loaded: tuple[tuple[object, Value], ...] = ()
    running: bool = False  # a kernel may be, and write to memory
    #: No execution may come here: what is known no longer hangs on a number that may never occur,
    #: an assertion does not hold, or what is not followed may throw, or end the program.
    hazy: bool = False
    #: What stands for a symbol of a tensor, one after the other: where two shapes are one.
    same: tuple[tuple[str, Term], ...] = ()


def choice_of(found: Found, numbers: Numbers) -> tuple[Found, Node | None]:
    """Return a launch and a choice between two integers that it hangs on; none rounds up alone."""
    found = with_numbers(found, numbers.rounded_up)
    values = [*found.grid, *found.block, found.shared, *(found.arguments or ())]
    choices = (choice_in(v.offset if isinstance(v, Spot) else v) for v in values)
    return found, next((c for c in choices if c is not None), None)


def decided(found: Found, choice: Node, way: int) -> Found:
    """Return a launch in which one side of a choice stands for it: the first, or the second."""
    return with_numbers(found, lambda x: chosen(x, choice, way))


def with_numbers(found: Found, change: Callable[[Term], Term]) -> Found:
    """Return a launch whose numbers are changed: its extents, arguments and offsets."""

    def number(v: Term | None) -> Term | None:
        return None if v is None else change(v)

    def value(v: Value) -> Value:
        return replace(v, offset=change(v.offset)) if isinstance(v, Spot) else number(v)

    return replace(
        found,
        grid=tuple(map(number, found.grid)),
        block=tuple(map(number, found.block)),
        shared=number(found.shared),
        arguments=found.arguments and tuple(map(value, found.arguments)),
    )


def narrowed(state: State, holds: Term, numbers: Numbers, place: Place, why: str) -> list[State]:
    """Return a state in which a condition holds, each part of it a fact; none where it cannot."""
    if holds is True:
        return [state]
    known = numbers.known(state.facts)
    if known.decides(holds) is False or known.excludes(holds):
        return []
    if any(f.holds in _ways(terms.negate(holds)) for f in state.facts):
        return []
    if any(f.holds in _ways(holds) for f in state.facts):
        return [state]
    if isinstance(holds, Node) and holds.op == "and":
        states = [state]
        for part in holds.args:
            states = [x for s in states for x in narrowed(s, part, numbers, place, why)]
        return states
    return [replace(state, facts=(*state.facts, Fact(holds, place, why)))]


def _ways(holds: Term) -> list[Term]:
    """Return a condition, and as it is with its sides exchanged where they may be."""
    if isinstance(holds, Node) and holds.op in ("==", "!="):
        return [holds, Node(holds.op, *reversed(holds.args))]
    return [holds]


def with_value(state: State, name: str, value: Value | Pending) -> State:
    """Return a state in which a variable has another value."""
    return replace(state, env={**state.env, name: value})


def without(state: State, names: Collection[str]) -> State:
    """Return a state in which nothing is said of some variables."""
    return replace(state, env={n: value for n, value in state.env.items() if n not in names})


def gathered(
    states: Iterable[State], later: Callable[[str], Pending], is_hazy: Callable[[str], bool]
) -> list[State]:
    """Return states of which no two say the same of variables, and not too many."""
    kept: list[State] = []
    for s in states:
        for n, t in enumerate(kept):
            if s.env == t.env and s.hazy == t.hazy:
                kept[n] = _common(s, t, s.env, is_hazy)
                break
        else:
            kept.append(s)
    while len(kept) > PATHS:
        a, b = kept.pop(), kept.pop()
        env: dict[str, Value | Pending] = {}
        for name in a.env.keys() & b.env.keys():
            one, other = a.env[name], b.env[name]
            env[name] = one if one == other else later("it depends on the way")
        kept.append(_common(a, b, env, is_hazy))
    return kept


def _common(
    a: State, b: State, env: dict[str, Value | Pending], is_hazy: Callable[[str], bool]
) -> State:
    """Return what two states share, with variables, and that what is known in one holds.

    Of a condition that no execution may meet, it is kept that it was there; but where the states
    differ in one condition alone, one of them was met.
    """
    kept = {f.holds for f in a.facts} & {f.holds for f in b.facts}
    facts = tuple(f for f in a.facts if f.holds in kept)
    lost = [[f for f in s.facts if f.holds not in kept] for s in (a, b)]
    exact = all(len(some) == 1 for some in lost)
    forgotten = not exact and any(
        is_hazy(n) for fs in lost for f in fs for n in terms.names(f.holds)
    )
    same = tuple(pair for pair in a.same if pair in b.same)
    met = [(*fs, *_alike(s, same, a.facts + b.facts)) for s, fs in zip((a, b), lost, strict=True)]
    either = None if forgotten else _either(*met)
    hazy = a.hazy or b.hazy or either is None
    running = a.running or b.running
    return State(
        env, (*facts, *(either or ())), a.changed | b.changed, a.freed | b.freed, (), running, hazy,
        same,
    )  # fmt: skip


def _alike(
    state: State, known: Collection[tuple[str, Term]], facts: tuple[Fact, ...]
) -> list[Fact]:
    """Return that what stands for symbols in a state is one with them, but for what is known."""
    at = facts[0] if facts else Fact(True, Place("?", 0, 0), "")
    pairs = (pair for pair in state.same if pair not in known)
    return [replace(at, holds=terms.equal(*pair), chosen=False) for pair in pairs]


def _either(one: Sequence[Fact], other: Sequence[Fact]) -> tuple[Fact, ...] | None:
    """Return that all of some facts hold or all of others, so that a launch that hangs on what they
    differ in has what goes with that; None where it is too much to say.
    """
    one, other = ([f for f in fs if not f.chosen] for fs in (one, other))
    if len(one) * len(other) > CLAUSES:
        return None
    pairs = [(f, g) for f in one for g in other if f.holds not in _ways(terms.negate(g.holds))]
    found = [replace(f, holds=terms.any_of(f.holds, g.holds)) for f, g in pairs]
    small = all(terms.size(f.holds, MAX_CLAUSE) <= MAX_CLAUSE for f in found)
    return tuple({f.holds: f for f in found}.values()) if small else None


def better(title: str, name: str) -> str:
    """Return the name of the two that a reader of the source knows."""
    plain = title.split(".")[0].rstrip("0123456789").rstrip("_")
    return name if plain in ("any", "v", "t", "launch", "bytes", "bits") else title
