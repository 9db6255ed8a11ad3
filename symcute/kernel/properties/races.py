"""Races: two threads at one byte at a time, one of them writing, and not atomic to each other.

Accesses are atomic to each other where the scopes of both include both threads, and what each does
at once is the same bytes or none in common.

Threads of one block are at two accesses at the same time only if both may begin their interval at
the same barrier, in the same rounds of the loops around it; for those of one warp its barriers are
some, too. Threads of different blocks are never
ordered (but for barriers of the whole grid), and meet in global memory only.

A late access may happen in each of the intervals up to the wait for it, and until then is not
ordered with what its own thread does. What agents do is asked of in `agents.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from itertools import combinations, product

from symcute.expr.node import Node, Term
from symcute.expr.terms import add, any_of, at_most, divide, mul, names, polynomial
from symcute.kernel.access_map import Access, Phase, Variable
from symcute.kernel.ir.semantics import atomic_to
from symcute.kernel.properties.agents import Agents
from symcute.kernel.properties.apart import Pair
from symcute.kernel.properties.bounds import subject
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.copies import Copies, same_for_all
from symcute.kernel.properties.mbarriers import Mbarriers
from symcute.kernel.properties.plain import with_plain
from symcute.kernel.properties.question import Question, Ways, about, all_proved, settled
from symcute.kernel.properties.sides import BLOCKS, THREADS, Order, Side
from symcute.solve.obligation import ARITHMETIC, Answer, Obligation

__all__ = ["read_write_race_free", "write_race_free"]


def write_race_free(context: Context, same_value: bool = False) -> Iterator[Question]:
    """Yield, for pairs of accesses that both write, that threads do not meet in them.

    With `same_value`, threads that write the same value may.
    """
    return _pairs(context, "write_race_free", same_value)


def read_write_race_free(context: Context) -> Iterator[Question]:
    """Yield, for pairs of a read and a write, that threads do not meet in them."""
    return _pairs(context, "read_write_race_free", False)


def _pairs(context: Context, name: str, same_value: bool) -> Iterator[Question]:
    by_array: dict[str, dict[object, Access]] = {}
    mbarriers, agents, fixed = Mbarriers(context), Agents(context), same_for_all(context)
    for a in (*context.touches, *context.map.landings):
        if context.arrays[a.array].space in ("global", "shared", "constant"):
            # What happens alike, at other places, meets alike.
            told = mbarriers.before(a, False), mbarriers.after(a), agents.place(a)
            phases = a.phases, a.warps
            alike = (a.kind, a.offset, a.width, a.guard, phases, a.value, a.scope, a.unit, told)
            by_array.setdefault(a.array, {}).setdefault(alike, a)
    for array, classes in by_array.items():
        shared = context.arrays[array].space == "shared"
        group = list(classes.values())
        spans = [_span(context, a) for a in group]
        copies = Copies(
            (a for a in group if not _hopeless(context, a, a)), fixed,
            partial(_unordered, context, shared, agents), context.disordered and not same_value,
        )  # fmt: skip
        for i, a in enumerate(group):
            for j in range(i, len(group)):
                b = group[j]
                reads = "read" in (a.kind, b.kind)
                if a.kind == b.kind == "read" or reads is (name == "write_race_free"):
                    continue
                if _atomic_to(context, a, b, shared):
                    continue
                apart = spans[i][0] >= spans[j][1] or spans[j][0] >= spans[i][1]
                orders = tuple(_orders(mbarriers, a, b))
                asked = _question(
                    context, name, a, b, shared, same_value, apart, orders,
                    mbarriers.needs if orders else frozenset(), agents,
                )  # fmt: skip
                yield asked if apart else copies.with_common(asked)
    for one, other in combinations(by_array, 2):
        if _storage(context, one) == _storage(context, other):
            yield from _of_views(context, name, mbarriers, agents, by_array[one], by_array[other])
    yield from _overtaken(context, name)


def _hopeless(context: Context, a: Access, b: Access) -> str:
    """Return why neither a proof nor an execution would say anything of two accesses."""
    return _unsupported(context, a, b) if context.disordered else ""


def _unsupported(context: Context, a: Access, b: Access) -> str:
    """Return why nothing is certain of the order of two accesses, or nothing."""
    return (
        context.unsupported(a.array, order=True)
        or context.unsupported(b.array, order=True)
        or context.doubtful_barriers()
    )


def _storage(context: Context, array: str) -> str:
    return context.arrays[array].view_of or array


def _of_views(
    context: Context, name: str, mbarriers: Mbarriers, agents: Agents,
    one: Mapping[object, Access], other: Mapping[object, Access],
) -> Iterator[Question]:  # fmt: skip
    """Yield, for accesses to one memory in two orders, that they are never made at one time.

    Where in a line a byte is differs: each access is taken to be to all of the lines it touches.
    """
    sides = []
    line = max(context.arrays[a.array].line for each in (one, other) for a in each.values())
    for each in (one, other):
        found: dict[object, Access] = {}
        for a in each.values():
            told = mbarriers.before(a, False), mbarriers.after(a), a.agent
            phases = a.phases, a.warps
            found.setdefault((a.kind, a.offset, a.width, a.guard, phases, told), a)
        sides.append(list(found.values()))
    for a, b in product(*sides):
        reads = "read" in (a.kind, b.kind)
        if a.kind == b.kind == "read" or reads is (name == "write_race_free"):
            continue
        orders = tuple(_orders(mbarriers, a, b))
        needs = mbarriers.needs if orders else frozenset[int]()
        x, y = _lines(a, line), _lines(b, line)
        (low, high), (first, last) = _span(context, x), _span(context, y)
        apart = low >= last or first >= high
        asked = _question(context, name, x, y, True, False, apart, orders, needs, agents)
        if (a.agent or b.agent) and not apart:
            what = "what agents access of memory that others have in another order"
            asked = replace(asked, unsupported=asked.unsupported or f"{what} is not followed")
        yield asked


def _lines(a: Access, line: int) -> Access:
    """Return an access to all bytes of the lines that one touches."""
    count = -(-(a.width + line - 1) // line)
    return replace(a, offset=mul(divide(a.offset, line), line), width=count * line)


def _overtaken(context: Context, name: str) -> Iterator[Question]:
    """Yield that no thread meets what an asynchronous copy of its own may not have done yet."""
    asked: dict[object, None] = {}
    for late, access in context.map.overtaken:
        reads = "read" in (late.kind, access.kind)
        key = (late.place, late.offset, late.width, access.place, access.kind, access.offset,
               access.width, access.guard)  # fmt: skip
        if reads is (name == "write_race_free") or key in asked:
            continue
        asked[key] = None
        x, y = late.offset, access.offset
        goal = any_of(at_most(add(x, late.width), y), at_most(add(y, access.width), x))
        yield Question(
            name,
            late.place,
            f"{subject(late)} and {subject(access)} at {access.place}",
            "never at one byte before the thread has waited for the copy",
            *about(context.at(access.guard), goal),
            needs=late.needs | access.needs,
            unsupported=context.unsupported(late.array, order=True),
            accesses=(late, access),
            other=access.place,
            alone=True,
        )


def _atomic_to(context: Context, a: Access, b: Access, same_block: bool) -> bool:
    """Return whether two accesses, by threads of one block or of two, are atomic to each other."""
    return (
        atomic_to(a.scope, b.scope, same_block)
        and a.unit == b.unit
        and _in_units(context, a)
        and _in_units(context, b)
    )


def _in_units(context: Context, a: Access) -> bool:
    """Return whether an access begins at a multiple of what it does at once."""
    terms = polynomial(a.offset)
    return context.step(a.array) % a.unit == 0 or (
        terms is not None and all(c % a.unit == 0 for c in terms.values())
    )


def _span(context: Context, a: Access) -> tuple[int | float, int | float]:
    """Return the constant range of the bytes that an access touches."""
    low, high = context.at(a.guard).ranges.ranges.of(a.offset)
    return low, high + a.width


def _orders(mbarriers: Mbarriers, a: Access, b: Access) -> Iterator[Order]:
    """Yield when mbarriers order two accesses: the phases that one's end are over for the other."""
    for back, first, then in ((False, a, b), (True, b, a)):
        for p, q in product(mbarriers.before(first, bool(then.agent)), mbarriers.after(then)):
            if p.ring == q.ring:
                cells, phases = (p.cell, q.cell), (p.phases, q.phases)
                yield (
                    Order((cells[::-1],), phases[::-1], True) if back else Order((cells,), phases)
                )


def _question(
    context: Context, name: str, a: Access, b: Access, shared: bool, same_value: bool, apart: bool,
    orders: tuple[Order, ...], ordering: frozenset[int], agents: Agents,
) -> Question:  # fmt: skip
    """Return the question whether threads meet in two accesses, `apart` by the ranges of bytes.

    `ordering` are the computations on which their `orders` rest.
    """

    @cache
    def pairs() -> tuple[Pair, ...]:
        return tuple(_events(context, a, b, shared, same_value, orders, agents))

    @cache
    def unordered() -> Answer:
        if apart:
            return _far(context, a, b)
        return all_proved(
            p.quickly() for p in _events(context, a, b, shared, same_value, None, agents)
        )

    values = a.value_needs | b.value_needs if same_value else frozenset()
    needs = a.needs | b.needs | values | ordering
    alone = not context.extents.keys() & {*THREADS, *(() if shared else BLOCKS)}
    if alone and not (a.agent or b.agent):
        needs = frozenset()  # there is one thread
    other = f" and {subject(b)} at {b.place}" if b is not a else ""

    def far() -> Answer:
        return _far(context, a, b)

    ways: Ways = (far, far)
    if not apart:
        ways = lambda: all_proved(p.quickly() for p in pairs()), lambda: _patiently(pairs())
    if hopeless := _hopeless(context, a, b):
        ways = settled(Answer("open", reason=hopeless))
    return Question(
        name,
        a.place,
        f"{subject(a)}{other}",
        "never at one byte at one time by two threads",
        *ways,
        needs=needs,
        unsupported=_unsupported(context, a, b),
        accesses=(a, b),
        other=b.place if b is not a else None,
        unordered=unordered,
        warps=_in_warps(context, a, b),
    )


def _far(context: Context, a: Access, b: Access) -> Answer:
    """Return the answer for two accesses that ranges keep apart."""
    (given, x), (more, y) = context.of_thread(a, 1), context.of_thread(b, 2)
    goal = any_of(at_most(add(x, a.width), y), at_most(add(y, b.width), x))
    shown = Obligation(tuple(dict.fromkeys((*given, *more))), goal, frozenset(context.dims))
    return Answer("proved", "ranges", (ARITHMETIC,), obligations=(shown,))


def _patiently(pairs: Iterable[Pair]) -> Answer:
    def decided() -> Iterator[Answer]:
        for p in pairs:
            found = p.quickly()
            yield found if found.status == "proved" else p.patiently()

    return all_proved(decided())


def _events(
    context: Context, a: Access, b: Access, shared: bool, same_value: bool,
    orders: tuple[Order, ...] | None, agents: Agents,
) -> Iterator[Pair]:  # fmt: skip
    """Yield the ways in which two threads may be at the two accesses at the same time.

    Without `orders`, no barrier orders them, and they share nothing but their block.
    """
    threads = tuple(n for n in THREADS if n in context.extents)
    blocks = tuple(n for n in BLOCKS if n in context.extents)
    facts = (*context.map.facts, *context.axis_facts((*threads, *blocks)))
    alike = a is b
    base = Pair(
        Side(a), Side(b), facts, context.dims, (), frozenset(), alike, same_value,
        tables=context.setting.tables,
    )  # fmt: skip
    # Barriers of a grid are not made use of.
    far = not shared and bool(blocks) and not _atomic_to(context, a, b, False)
    across = with_plain(replace(base, differ=blocks))
    base = replace(base, wider=across) if far and alike else base
    seen: set[object] = set()
    together = () if _atomic_to(context, a, b, True) else a.phases
    if together and (a.agent or b.agent):
        yield from agents.pairs(replace(base, shared=frozenset(blocks)), threads, orders)
        together = ()
    if together and orders is None:
        yield with_plain(replace(base, differ=threads, shared=frozenset(blocks)))
        together = ()
    unit = context.unit(context.map.target.warp) if _in_warps(context, a, b) else None
    # What barriers of a warp order is asked of threads of two warps, and then of those of one.
    apart = (Order(((unit, unit),), (0, 0)),) if unit is not None else ()
    ways = [(one, two, False) for one, two in product(together, b.phases)]
    ways += [(one, two, True) for one, two in product(a.warps, b.warps) if apart and together]
    for one, two, warp in ways:
        if one.start != two.start:
            continue
        pair = _in_block(base, one, two, threads, blocks)
        if warp and unit is not None:
            pair = replace(pair, ties=(*pair.ties, (unit, unit)))
        pair = replace(pair, orders=(*(orders or ()), *(() if warp else apart)))
        key = (pair.a, pair.b, pair.shared, pair.ties, warp)
        if key not in seen:
            seen.add(key)
            yield with_plain(pair)
    if far:
        yield across


def _in_warps(context: Context, a: Access, b: Access) -> bool:
    """Return whether barriers of warps lie before one of two accesses of which all is followed."""
    events, starts = context.map.events, [p.start for x in (a, b) for p in x.warps]
    return bool(a.warps and b.warps) and any(n >= 0 and events[n].scope == "warp" for n in starts)


def _unordered(context: Context, shared: bool, agents: Agents, a: Access) -> tuple[Pair, ...]:
    """Return the ways in which two threads meet in rounds of one access, whatever barriers order.

    Those by threads of two blocks come first.
    """
    return tuple(_events(context, a, a, shared, False, None, agents))[::-1]


def _in_block(
    base: Pair, one: Phase, two: Phase, threads: tuple[str, ...], blocks: tuple[str, ...]
) -> Pair:
    """Return two threads of a block in intervals that begin at the same barrier."""
    a, b = base.a.access, base.b.access
    rounds_a, rounds_b = a.rounds, b.rounds
    tied: set[str] = set()
    first: list[tuple[str, Term]] = []
    second: list[tuple[str, Term]] = []
    ties: list[tuple[Term, Term]] = []
    theirs = dict(two.rounds)
    for loop, x in one.rounds:
        if loop not in theirs:
            continue
        y = theirs[loop]
        name, here, there = rounds_a.get(loop), _ahead(x), _ahead(y)
        if name is not None and name == rounds_b.get(loop) == here[0] == there[0]:
            tied.add(name)
            if here[1] or there[1]:
                # The barrier was in round k + c of the access: k is that of the barrier, less c.
                first.append((name, add(name, -here[1])))
                second.append((name, add(name, -there[1])))
        elif x != y or not names(x) <= base.dims:
            ties.append((x, y))
    for name in {*rounds_a.values()} & {*rounds_b.values()}:
        if any(w in two.when for w in one.when if _names_round(w, name)):
            tied.add(name)
    same = frozenset(n for n in tied if n not in dict(first) and n not in dict(second))
    equal_rounds = same | {n for n, x in first if dict(second).get(n) == x}
    common = {v.name for v in _shared_values(a, b, equal_rounds)}
    return replace(
        base,
        a=Side(_when(a, one), tuple(first)),
        b=Side(_when(b, two), tuple(second)),
        differ=threads,
        shared=frozenset({*blocks, *tied, *common}),
        ties=tuple(ties),
        alike=base.alike and one == two and not ties,
    )


def _when(access: Access, interval: Phase) -> Access:
    return replace(access, guard=(*access.guard, *interval.when)) if interval.when else access


def _names_round(truth: Term, name: str) -> bool:
    """Return whether a truth says that a name is a number."""
    return (
        isinstance(truth, Node)
        and truth.op == "=="
        and truth.args[0] == name
        and type(truth.args[1]) is int
    )


def _ahead(term: Term) -> tuple[str, int]:
    """Return (name, c) for name + c, and no name for anything else."""
    if isinstance(term, str):
        return term, 0
    if isinstance(term, Node) and term.op == "+":
        name, more = term.args
        if isinstance(name, str) and type(more) is int:
            return name, more
    return "", 0


def _shared_values(a: Access, b: Access, rounds: Collection[str]) -> Iterator[Variable]:
    """Yield values that both threads share: uniform, and in the same rounds of all loops around."""
    theirs = set(b.variables)
    loops = a.rounds | b.rounds
    for v in a.variables:
        alike = v.uniform and v.kind == "havoc" and v in theirs
        if alike and all(loops.get(loop) in rounds for loop in v.around):
            yield v
