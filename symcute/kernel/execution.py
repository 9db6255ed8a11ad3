"""Counterexamples by execution: what goes wrong when a kernel runs as a machine runs it.

An execution counts where it is one that may happen: it takes values for integers that arrays of the
grid hold at the start, and nothing else that is not known; or what goes wrong hangs on none of
that, by what the access map says and by executions that take other values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import islice, product
from math import prod
from typing import Any, TypeAlias

from symcute.errors import InputError
from symcute.expr.expression import value_at
from symcute.expr.htuple import Leaf
from symcute.expr.terms import names
from symcute.hardware.access import WARP
from symcute.kernel.access_map import Access, BarrierEvent, Computation, Promised, Variable
from symcute.kernel.choosing import CONTENTS, Chooser
from symcute.kernel.events import CONVERTED, Event, Execution
from symcute.kernel.filling import Filling, fillings, mixed, possible
from symcute.kernel.findings import RACES, Coordinate, Example
from symcute.kernel.independence import Independence
from symcute.kernel.ir.inside import every, may_wait
from symcute.kernel.ir.interpreter import Choice, Race, Trace, run
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Barrier, Kernel, Leave, Promise
from symcute.kernel.measuring import requests_of
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.sides import BLOCKS, THREADS
from symcute.kernel.properties.transactions import COUNTED
from symcute.kernel.sizes import Sizes
from symcute.layout.layout import Layout

__all__ = ["STEPS", "Executor"]

#: Statements that one execution may take, and threads and blocks that it may have.
STEPS, MAX_THREADS, MAX_BLOCKS = 150_000, 2048, 4
#: The largest layout that is compared with what was written.
MAX_ELEMENTS = 1 << 14

#: Which property goes wrong where an execution does what is undefined.
_FAULTS = {
    "bounds": "in_bounds", "misaligned": "aligned", "division": "no_overflow",
    "shift": "no_overflow", "promise": "promises_kept",
}  # fmt: skip

_Asked: TypeAlias = Access | BarrierEvent | Computation | Promised


class Executor:
    """Runs a kernel at small dims (`sizes` has some), and where a model says."""

    def __init__(self, kernel: Kernel, context: Context, same_value: bool = False) -> None:
        self.kernel, self.context, self._same_value = kernel, context, same_value
        aligned = {a.name: context.alignment_of(a)[0] for a in context.map.arrays}
        self._setting = replace(context.setting, alignment=aligned)
        written = {a.array for a in context.map.accesses if a.kind != "read"}
        for d in (d for d in context.map.unsupported if d.effect in ("access", "inside")):
            written |= {a.name for a in context.map.arrays} if d.arrays is None else {*d.arrays}
        # What arrays of the grid hold at the start is input; the kernel may write some of them.
        atomic = {a.array for a in context.map.accesses if a.kind == "atomic"}
        inputs = (a for a in context.map.arrays if a.space not in ("shared", "private"))
        self._inputs = {a.name for a in inputs if a.values is None}
        self._unwritten = self._inputs - written
        self._inputs -= atomic  # counters, which somebody set
        # Where mbarriers order threads, it matters who goes first.
        self._signals = any(a.signal for a in context.map.accesses)
        self.sizes = Sizes(kernel, context)
        reads = [(a.array, a.place) for a in context.map.accesses]
        self._shared = {
            a.name
            for a in context.map.arrays
            if a.name in written and a.space not in ("private", "argument")
        }
        self._mixed = mixed(kernel, context.setting, reads)
        #: What executions of a model's threads that showed nothing asked, by sizes and threads.
        self._idle: dict[Any, list[tuple[list[tuple[Choice, int]], Execution]]] = {}

    def at(self, dims: Mapping[str, int], steps: int | None = None) -> Iterator[Execution]:
        """Run at dims, with contents of arrays that differ, and then that are all the same.

        Of a grid that is too large to run, blocks at the corners run. A run is cut off after so
        many steps, as many as one may take if it is not said.
        """
        tables, most = self._tables(dims), min(STEPS, steps or STEPS)
        for backwards in (False, True)[: 1 + self._signals]:
            chooser = Chooser({}, (), fillings=tables, backwards=backwards)
            yield self._at(dims, chooser, most)
        if any(choice.kind == "content" for choice, _ in chooser.asked):
            for contents in CONTENTS:
                yield self._at(dims, Chooser({}, (), None, contents, tables), most)

    def _at(self, dims: Mapping[str, int], chooser: Chooser, steps: int) -> Execution:
        grid, block = self._extents(dims)
        threads = prod(block)
        if prod(grid) * threads <= MAX_THREADS:
            return self._run(dims, None, None, chooser, steps)
        corners = [_ends(n) for n in grid]
        blocks = [(x, y, z) for z, y, x in product(*corners[::-1])]
        most = max(1, min(MAX_BLOCKS, MAX_THREADS // threads))
        return self._run(dims, [*blocks[: most - 1], blocks[-1]], None, chooser, steps)

    def follow(
        self, model: Mapping[str, int], variables: Iterable[Variable], dims: Mapping[str, int],
        ordered: bool = False, steps: int = STEPS,
    ) -> Execution:  # fmt: skip
        """Run the one or two threads that a model speaks of, perhaps while they are `ordered`."""
        grid, block = self._extents(dims)
        who = []
        for k in (1, 2):
            at = [model.get(n, model.get(f"{n}__{k}", 0)) for n in (*BLOCKS, *THREADS)]
            who.append((tuple(at[:3]), tuple(at[3:])))
        for b, t in who:
            if any(i >= n for i, n in zip((*b, *t), (*grid, *block), strict=True)):
                return Execution()
        blocks = list(dict.fromkeys(b for b, _ in who))
        threads = list(dict.fromkeys(t for _, t in who))
        fillings, few = self._tables(dims), len(blocks) * prod(block) <= MAX_THREADS
        chooser = Chooser(model, variables, who[1], fillings=fillings, ordered=ordered)
        # What showed nothing shows nothing again, where all that it asks is answered as before.
        idle = self._idle.setdefault((tuple(dims.items()), *who, ordered), [])
        for asked, found in idle:
            if all(chooser.answer(c) == x for c, x in asked):
                return found
        found = self._run(dims, blocks, threads, chooser, steps)
        if not found.events and (not found.cut or steps == STEPS):
            idle.append((chooser.asked, found))
        if few and (self._shared or self._stopped) and any(not e.certain for e in found.events):
            # What the others write before a barrier may be what the two read behind it.
            chooser = Chooser(model, variables, who[1], fillings=fillings)
            every = self._run(dims, blocks, None, chooser, steps)
            found.events += every.events
            found.cut = found.cut or every.cut
        return found

    def _tables(self, dims: Mapping[str, int]) -> dict[str, Filling]:
        return fillings(self.context.setting, self.context.arrays, dims)

    def _extents(self, dims: Mapping[str, int]) -> tuple[Coordinate, Coordinate]:
        setting = self.context.setting
        return _point(setting.grid, dims), _point(setting.block, dims)

    def _run(
        self, dims: Mapping[str, int], blocks: Any, threads: Any, chooser: Chooser, steps: int
    ) -> Execution:
        try:
            trace = run(
                self.kernel, self._setting, dims, blocks=blocks, threads=threads,
                choices=chooser, limit=steps, backwards=chooser.backwards, ordered=chooser.ordered,
            )  # fmt: skip
        except InputError:
            return Execution()
        if chooser.fillings and self._mixed:
            return Execution()  # nobody knows what is in them
        if not possible(chooser.fillings, chooser.asked):
            return Execution()
        if trace.unsupported:  # nothing that comes after it counts
            trace = replace(trace, wraps=trace.wraps[: trace.sure])
        if trace.held:
            trace = trace.until_held()
        part = "threads" if threads is not None else "blocks" if blocks is not None else ""
        events = list(self._events(trace, dims, chooser, part))
        if trace.unsupported:
            events = [e for e in events if e.property == "no_overflow"]
        if trace.unordered:
            events = [e for e in events if e.property not in RACES]
        if trace.checked:
            events = [e for e in events if e.property == "promises_kept"]
        elif blocks is None and threads is None and trace.complete and not trace.unsupported:
            events += self._uncovered(trace, dims, chooser)
        if any(not e.certain for e in events) and not chooser.invent:
            events = self._confirmed(events, dims, blocks, threads, chooser, steps)
        if part in self._stopped:
            why = "threads that were not executed may stop the launch before"
            events = [replace(e, certain=False, why_not=e.why_not or why) for e in events]
        return Execution(events, trace.steps > steps, trace.unordered)

    def _uncovered(
        self, trace: Trace, dims: Mapping[str, int], chooser: Chooser
    ) -> Iterator[Event]:
        """Yield elements that a whole execution did not write exactly once, or should not have."""
        setting = self.context.setting
        asked = [("covers", a, Layout(setting.extents[a], 1)) for a in setting.covers
                 if a in setting.extents]  # fmt: skip
        asked += [("implements", a, layout) for a, layout in setting.implements.items()]
        why = self._invented(chooser, self._unwritten)
        make = self._maker(dims, chooser, trace)
        for name, array, layout in asked:
            at = layout.at(dict(dims)) if layout.dims() else layout
            if value_at(at.size(), {}) > MAX_ELEMENTS:
                continue
            width = self.context.arrays[array].element
            wanted = Counter(int(at(k)) for k in range(value_at(at.size(), {})))
            written = Counter({k // width: n for k, n in trace.written(array).items()})
            for k in sorted({*wanted, *written}):
                if wanted[k] != written[k]:
                    times = {0: "not written", 1: "written once"}.get(
                        written[k], f"written {written[k]} times"
                    )
                    text = f"element {k} of {array} is {times}"
                    text += "" if wanted[k] else ", and is none of the layout"
                    example = make(text, None, None, (), None)
                    writes = frozenset(
                        a.place
                        for a in self.context.map.accesses
                        if a.array == array and a.kind != "read"
                    )
                    yield Event(name, writes, example, not why, why, array=array)
                    break

    def _confirmed(
        self, events: list[Event], dims: Mapping[str, int], blocks: Any, threads: Any,
        chooser: Chooser, steps: int,
    ) -> list[Event]:  # fmt: skip
        """Make those events certain that happen whatever is taken for what is not known."""
        every = [e.key() for e in events]
        for invent in ("low", "high"):
            other = chooser.again(invent, self._unwritten)
            found = {e.key() for e in self._run(dims, blocks, threads, other, steps).events}
            every = [key for key in every if key in found]
        return [
            replace(e, certain=True, why_not="")
            if e.key() in every and all(self._known_inputs(e.property, p) for p in e.places)
            else e
            for e in events
        ]

    def _known_inputs(self, name: str, place: Place) -> bool:
        """Return whether what happens at a place hangs on inputs only, of all that is not known."""
        found = self._asked(name, place)
        return bool(found) and all(
            v.kind != "havoc" or v.exact or v.name in _only_stored(x) or self._is_input(v)
            for x in found
            for v in x.variables
        )

    def _asked(self, name: str, place: Place) -> list[_Asked]:
        """Return what a property is asked of at a place."""
        map = self.context.map
        every: Mapping[str, Iterable[_Asked]] = {
            "barrier_uniform": map.events, "no_overflow": map.computations,
            "promises_kept": map.promises,
        }  # fmt: skip
        return [x for x in every.get(name, map.accesses) if x.place == place]

    def _is_input(self, v: Variable) -> bool:
        """Return whether a value was loaded from an array that the kernel only reads."""
        loads = [a for a in self.context.map.accesses if a.place == v.place]
        return bool(loads) and all(a.kind == "read" and a.array in self._unwritten for a in loads)

    # --- what went wrong ------------------------------------------------------------------------

    def _events(
        self, trace: Trace, dims: Mapping[str, int], chooser: Chooser, part: str
    ) -> Iterator[Event]:
        # What one thread does alone may come of anything that arrays hold at the start, and of
        # nothing chosen later. By what the kernel writes, threads may wait for each other.
        stale = self._stale(trace, part)
        alone = stale or self._invented(chooser, self._inputs)
        why = stale or self._invented(chooser, self._unwritten)
        make = self._maker(dims, chooser, trace)
        for f in trace.faults:
            name = _FAULTS.get(f.kind)
            if name is not None:
                example = make(f.text, f.block, f.thread, f.rounds, None)
                kinds = {f.touch.kind} if f.touch is not None else set()
                before = stale or (alone and self._invented(chooser, self._inputs, f.asked))
                if f.touch is not None and before and self._independence.free({f.place}, chooser):
                    before = ""
                yield self._event(name, {f.place}, example, before, kinds)
        for w in trace.wraps:
            if w.explicit or (self.kernel.unsaid and (w.conversion or not w.type.signed)):
                continue
            kind = "signed" if w.type.signed else "unsigned"
            verb = CONVERTED if w.conversion else "wraps to"
            text = f"{w.exact} {verb} {w.got} in {w.type.bits}-bit {kind} integers"
            example = make(text, w.block, w.thread, w.rounds, None)
            event = self._event("no_overflow", {w.place}, example, alone)
            yield replace(event, wrap=(w.type, w.conversion))
        for d in trace.divergence:
            how = {
                "exited": "has left the kernel",
                "elsewhere": f"waits at {d.elsewhere}",
                "round": "waits in another round",
            }[d.kind]
            text = f"the first thread waits at the barrier, the other {how}"
            other = (d.block, d.other, (), d.elsewhere)
            example = make(text, d.block, d.thread, d.rounds, other)
            yield self._event("barrier_uniform", {d.place}, example, why)
        races = [r for r in trace.races if not (r.same_value and self._same_value)]
        made_up = alone if races and self._independence.waitless else why
        for r in races:
            yield self._race(r, make, self._doubt(r, made_up, chooser))
        if self.context.setting.limits and not trace.held:
            yield from self._costly(trace, dims, make, why)

    def _costly(
        self, trace: Trace, dims: Mapping[str, int], make: Callable[..., Example], why: str
    ) -> Iterator[Event]:
        """Yield the requests that cost more than is said of their arrays."""
        if self.context.map.target.warp != WARP:
            return  # what such warps cost is not modelled
        limits, block = self.context.setting.limits, self._extents(dims)[1]
        spaces = {s: name for name, s in COUNTED.items()}
        for request in requests_of(trace.accesses, block):
            name = spaces.get(self.context.arrays[request.array].space)
            cost = None
            if name is not None and request.array in limits and request.kind != "atomic":
                cost = request.cost(name, self.context.setting)
            if name is None or cost is None or cost <= limits[request.array]:
                continue
            access = request.access_of(self.context.map, dims)
            if access is not None:
                example = request.example(make, name, cost)
                event = self._event(name, {request.place}, example, why)
                yield replace(event, access=access)

    @cached_property
    def _stopped(self) -> set[str]:
        """Of which parts of a launch the others may stop it before.

        Threads wait for others of their block at more than barriers: in a shuffle, a vote. Where
        none waits, each may come first to what it does.
        """
        inside = list(every(self.kernel.body))
        stops = any(isinstance(s, Promise) or (isinstance(s, Leave) and s.stops) for s in inside)
        if not stops or not any(map(may_wait, inside)):
            return set()
        grid = any(isinstance(s, Barrier) and s.scope == "grid" for s in inside)
        return {"threads", "blocks"} if grid else {"threads"}

    @cached_property
    def _independence(self) -> Independence:
        return Independence(self.kernel, self.context.map.accesses, self._unwritten)

    def _doubt(self, r: Race, made_up: str, chooser: Chooser) -> str:
        """Return why a machine may never have a race, or nothing."""
        if self._independence.told(r):
            return made_up or "what atomic accesses give may keep the two apart"
        stores_same = r.same_value or (r.both_write and self._same_value)
        free = not stores_same and self._independence.free({r.first.place, r.second.place}, chooser)
        return "" if free else made_up

    def _race(self, r: Race, make: Callable[..., Example], why: str) -> Event:
        a, b = r.first, r.second
        low, high = max(a.offset, b.offset), min(a.offset + a.width, b.offset + b.width)
        text = (
            f"{a.kind} at line {a.place.line} and {b.kind} at line {b.place.line} both touch "
            f"bytes {low} to {high - 1} of {a.array}"
        )
        name = "write_race_free" if r.both_write else "read_write_race_free"
        if r.same_value:
            text += f", and write the same ({a.value})"
        elif a.scope and b.scope:
            text += f", and {r.apart}"
        if a.late or b.late:
            text += "; a copy happens at any time until its thread has waited for it"
        example = make(text, a.block, a.thread, a.rounds, (b.block, b.thread, b.rounds, b.place))
        return self._event(name, {a.place, b.place}, example, why, {a.kind, b.kind})

    def _event(
        self,
        name: str,
        places: Collection[Place],
        example: Example,
        why: str,
        kinds: Collection[str] = (),
    ) -> Event:
        certain = not why or all(self._exact(name, p) for p in places)
        reason = "" if certain else why
        return Event(name, frozenset(places), example, certain, reason, kinds=frozenset(kinds))

    def _exact(self, name: str, place: Place) -> bool:
        """Return whether what happens at a place hangs on nothing that is not known."""
        found = self._asked(name, place)
        return bool(found) and all(
            x.exact if not isinstance(x, Computation)
            else all(v.kind != "havoc" or v.exact for v in x.variables)
            for x in found
        )  # fmt: skip

    def _invented(self, chooser: Chooser, inputs: Collection[str], until: int | None = None) -> str:
        """Return what an execution made up that a machine may never have, up to some choice."""
        for choice, value in chooser.asked[:until]:
            if choice.kind != "content" or choice.name not in inputs:
                what = "a value" if choice.kind == "havoc" else f"a value ({choice.kind})"
                at = f"{choice.name} at {choice.place}"
                return f"it takes {what} that is not known, {at}, to be {value}"
        return ""

    def _stale(self, trace: Trace, part: str) -> str:
        """Return what was read that others may have written before, if only a part of them ran.

        Of "threads", what is read behind any barrier; of "blocks", what is behind one of the grid.
        """
        for t in trace.accesses if part else ():
            behind = t.grid or (part == "threads" and (t.epoch or t.warp[1]))
            if behind and t.kind != "write" and t.array in self._shared:
                return f"other threads may have written what is read of {t.array} at {t.place}"
        return ""

    def _contents(self, chooser: Chooser, trace: Trace, who: Collection[object]) -> dict[str, int]:
        """Return what the threads of an example read of the arrays' contents."""
        asked = [(c, value) for c, value in chooser.asked if c.kind == "content"]
        arrays = self._inputs & {c.name for c, _ in asked}
        read = {
            (t.array, byte) for t in (trace.accesses if arrays else ())
            if t.array in arrays and t.kind != "write" and (t.block, t.thread) in who
            for byte in range(t.offset, t.offset + t.width)
        }  # fmt: skip
        found = {}
        for c, value in asked:
            if (c.name, c.offset) in read:
                found[f"{c.name}[{c.offset // self.context.arrays[c.name].element}]"] = value
        return found if len(found) <= 8 else dict(islice(found.items(), 8))

    def _maker(
        self, dims: Mapping[str, int], chooser: Chooser, trace: Trace
    ) -> Callable[..., Example]:
        grid, block = self._extents(dims)

        def make(text: str, at: Any, thread: Any, rounds: Any, other: Any) -> Example:
            who = {(at, thread)} | ({other[:2]} if other else set())
            values = self._contents(chooser, trace, who)
            return Example(dims, grid, block, text, at, thread, tuple(rounds), other, values)

        return make


def _only_stored(a: object) -> frozenset[str]:
    """Return names that only what an access stores hangs on, as far as terms show."""
    if not isinstance(a, Access) or a.value is None:
        return frozenset()
    joined = {n for g in a.guard if len(names(g)) > 1 for n in names(g)}
    return names(a.value) - names(a.offset) - joined


def _ends(n: int) -> list[int]:
    return [0] if n == 1 else [0, n - 1]


def _point(leaves: tuple[Leaf, Leaf, Leaf], dims: Mapping[str, int]) -> Coordinate:
    x, y, z = (value_at(leaf, dims) for leaf in leaves)
    return x, y, z
