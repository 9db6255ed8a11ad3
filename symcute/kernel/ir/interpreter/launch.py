"""A launch executed: blocks one after the other, the threads of a block from barrier to barrier."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product

from symcute.errors import InputError
from symcute.expr.expression import value_at
from symcute.expr.htuple import Leaf
from symcute.kernel.ir.inside import every
from symcute.kernel.ir.interpreter.choices import Chooser, plain
from symcute.kernel.ir.interpreter.flows import roles
from symcute.kernel.ir.interpreter.mbarriers import Stamp
from symcute.kernel.ir.interpreter.memory import Content, Room, initial
from symcute.kernel.ir.interpreter.races import find_races
from symcute.kernel.ir.interpreter.state import Machine, Stop, Thread
from symcute.kernel.ir.interpreter.statements import program
from symcute.kernel.ir.interpreter.trace import Coordinate, Divergence, Trace
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Array, Barrier, Kernel, Signal
from symcute.kernel.ir.semantics import GATHERS
from symcute.kernel.ir.setting import Setting
from symcute.kernel.ir.verify import verified

__all__ = ["run"]


def run(
    kernel: Kernel,
    setting: Setting,
    dims: Mapping[str, int],
    *,
    blocks: Iterable[Coordinate] | None = None,
    threads: Iterable[Coordinate] | None = None,
    memory: Mapping[str, Content] | None = None,
    choices: Chooser | None = None,
    limit: int = 1_000_000,
    backwards: bool = False,
    ordered: bool = False,
) -> Trace:
    """Execute a kernel at given dims, as a machine does, and return what happened.

    Pre-conditions: the dims meet what the setting assumes. With `blocks` and `threads` only those
    run, which must be in the grid and the block: races and barriers are then those among them. Of
    a kernel with mbarriers, which wait for threads whoever they are, whole blocks run. `memory`
    gives what arrays of integers hold at the start; what is not given there is a choice, once for
    each element. `limit` is the number of statements, over all threads, after which the execution
    stops and says so; so it does, if it is to be `ordered`, where the order of accesses is not
    followed.
    Post-conditions: the result depends on nothing but the arguments. Threads of a block run in the
    order of their index (`backwards`: from the last to the first) up to the next barrier, arrival
    or wait for an mbarrier, blocks one after the other: where a race decides what is computed, this
    is one of the orders that a machine may take.
    Errors: InputError where a dim or an argument has no value, or one that its type does not hold;
    IllFormed for a program that breaks a rule of `kernel/ir/verify.py`.

    >>> from symcute.frontends.cuda.target import CUDA
    >>> from symcute.kernel.ir.place import Place
    >>> from symcute.kernel.ir.expression import Base, Builtin
    >>> from symcute.kernel.ir.program import Array, Int, Param, Pointer
    >>> from symcute.kernel.ir.expression import PtrAdd
    >>> from symcute.kernel.ir.program import Store
    >>> at, u32 = Place("k.cu", 1, 1), Int(32, False)
    >>> x = Array("x", "global", 4, None, 4, at, "float *x")
    >>> store = Store(PtrAdd(Base("x"), Builtin("threadIdx.x", u32), 4, at), 4, at)
    >>> kernel = Kernel("k", (Param("x", Pointer(), at, "float *", "x"),), (x,), (store,), at, CUDA)
    >>> trace = run(kernel, Setting((2, 1, 1), (32, 1, 1), extents={"x": 31}), {})
    >>> [f.text for f in trace.out_of_bounds], trace.races[0].both_write
    (['write of 4 bytes at byte 124 of x, which has 124'], True)
    """
    verified(kernel)
    trace = Trace()
    contents = {
        name: (value_at(low, dims), value_at(high, dims))
        for name, (low, high) in setting.contents.items()
    }
    machine = Machine(trace, choices or plain, limit, contents, ordered=ordered)
    grid, block = _extents(setting.grid, dims), _extents(setting.block, dims)
    rooms = _Rooms(kernel, setting, dims, memory or {})
    env: dict[str, object] = {
        "@warpSize": kernel.target.warp,
        **_axes("gridDim", grid),
        **_axes("blockDim", block),
    }
    env.update(_arguments(kernel, setting, dims))
    code = program(kernel.body, roles(kernel))
    signals = any(isinstance(s, Signal) and s.op not in GATHERS for s in every(kernel.body))
    if signals:
        threads = None  # an mbarrier waits for threads whoever they are
    chosen = None if threads is None else [_inside(t, block, "thread") for t in threads]
    crews = (
        _threads(machine, code, env, b, block, chosen, rooms, kernel.target.warp, signals)
        for b in (_all(grid) if blocks is None else (_inside(x, grid, "block") for x in blocks))
    )
    try:
        _run_grid(crews, trace, backwards)
    except Stop as stop:
        trace.stopped = str(stop)
    machine.settle()
    if not trace.unordered:
        trace.races += find_races([*trace.accesses, *trace.landings], rooms.arrays)
    return trace


def _threads(
    machine: Machine, code: Callable[[Thread], Iterator[Barrier | Signal]],
    env: Mapping[str, object], at: Coordinate, extents: Coordinate,
    chosen: list[Coordinate] | None, rooms: _Rooms, warp: int, signals: bool,
) -> Iterator[Thread]:  # fmt: skip
    """Yield the threads of a block, none of which has begun.

    Each is made when it is its turn: an execution may be over before most of them.
    """
    rooms.enter_block()
    common = {**env, **_axes("blockIdx", at), **rooms.addresses()}
    x, y, z = _axes("threadIdx", at)
    for t in _all(extents) if chosen is None else chosen:
        linear = t[0] + extents[0] * (t[1] + extents[1] * t[2])
        own = {**common, x: t[0], y: t[1], z: t[2], "@laneId": linear % warp}
        thread = Thread(machine, at, t, own, rooms.of_thread(), (linear // warp, 0))
        if signals:
            count = extents[0] * extents[1] * extents[2]
            thread.stamp = Stamp(linear, 0, (0,) * count)
        thread.body = code(thread)
        yield thread


def _extents(leaves: tuple[Leaf, Leaf, Leaf], dims: Mapping[str, int]) -> Coordinate:
    x, y, z = (value_at(leaf, dims) for leaf in leaves)
    return x, y, z


def _axes(name: str, values: Coordinate) -> dict[str, int]:
    return {f"@{name}.{axis}": value for axis, value in zip("xyz", values, strict=True)}


def _all(extents: Coordinate) -> Iterator[Coordinate]:
    x, y, z = extents
    return ((i, j, k) for k, j, i in product(range(z), range(y), range(x)))


def _inside(at: Coordinate, extents: Coordinate, what: str) -> Coordinate:
    if not all(0 <= i < n for i, n in zip(at, extents, strict=True)):
        raise InputError(f"the {what} {at} is not in {extents}", "choose one inside")
    return at


def _arguments(kernel: Kernel, setting: Setting, dims: Mapping[str, int]) -> dict[str, int]:
    found = {}
    for p in kernel.params:
        if p.numbers is not None:
            if p.name not in setting.arguments and p.name not in dims:
                raise InputError(f"the parameter {p.name} has no value", f"give the dim {p.name}")
            value = (
                value_at(setting.arguments[p.name], dims) if p.name in setting.arguments
                else dims[p.name]
            )  # fmt: skip
            if not p.numbers.low <= value <= p.numbers.high:
                raise InputError(
                    f"{p.name} = {value} does not fit {p.text}", "give a smaller value"
                )
            found[p.name] = value
    return found


class _Rooms:
    """The memory of a launch: global once, shared for each block, private for each thread."""

    def __init__(
        self, kernel: Kernel, setting: Setting, dims: Mapping[str, int],
        memory: Mapping[str, Content],
    ) -> None:  # fmt: skip
        self.arrays: dict[str, Array] = {}
        self.pointers = {p.name: p.array for p in kernel.params if p.array is not None}
        self._new: dict[str, Callable[[], Room]] = {}
        for array in kernel.arrays:
            name, size, alignment = array.name, array.bytes, array.alignment
            if name in setting.extents:
                size = value_at(setting.extents[name], dims) * array.element
            elif size is None and array.space == "shared":
                size = value_at(setting.shared, dims)
                alignment = max(alignment, kernel.target.dynamic)
            content = memory.get(name, array.values)
            start = None if content is None else initial(array, content)
            alignment = setting.alignment.get(name, alignment)
            self.arrays[name] = array
            self._new[name] = _maker(array, size, alignment, start)
        self._live: dict[str, Room] = {}
        for name, array in self.arrays.items():
            if array.space not in ("shared", "private"):
                self._live[name] = self._new[name]()

    def enter_block(self) -> None:
        """Make the shared memory of the next block."""
        for name, array in self.arrays.items():
            if array.space == "shared":
                self._live[name] = self._new[name]()

    def addresses(self) -> dict[str, object]:
        """Return what the parameters hold that are pointers."""
        return {name: (self._live[array], 0) for name, array in self.pointers.items()}

    def of_thread(self) -> dict[str, Room]:
        """Return the arrays that a new thread of the block sees."""
        own = {n: self._new[n]() for n, a in self.arrays.items() if a.space == "private"}
        return {**self._live, **own}


def _maker(
    array: Array, size: int | None, alignment: int, start: Callable[[int], int | None] | None,
) -> Callable[[], Room]:  # fmt: skip
    return lambda: Room(array, array.name, size, alignment, {}, start)


# --- barriers -----------------------------------------------------------------------------------


def _run_grid(crews: Iterable[Iterator[Thread]], trace: Trace, backwards: bool) -> None:
    """Run the blocks one after the other, and all of them up to each barrier of the grid."""
    paused, ended = [], []
    for threads in crews:
        crew: list[Thread] = []
        going = _run_block(threads, crew, trace, backwards)
        if next(going, None) is None:
            ended += crew[:1]
        else:
            paused.append((crew, going))
    while paused:
        _meet([t for crew, _ in paused for t in crew if t.waiting], ended, "grid", trace)
        for crew, _ in paused:
            for t in crew:
                t.grid += 1
        ended += [crew[0] for crew, going in paused if not _goes_on(going)]
        paused = [(crew, going) for crew, going in paused if any(t.waiting for t in crew)]


def _goes_on(going: Iterator[bool]) -> bool:
    return next(going, False)


def _run_block(
    threads: Iterator[Thread], crew: list[Thread], trace: Trace, backwards: bool
) -> Iterator[bool]:
    """Run the threads of a block from barrier to barrier; yield where it waits for the grid.

    Those that have begun are in the crew.
    """
    if backwards:
        crew += threads
    ready: list[Thread] = crew[:]
    exited: list[Thread] = []
    fresh = next(threads, None)
    while ready or fresh is not None:
        todo = ready[:] if backwards else ready[::-1]
        while todo or fresh is not None:
            if todo:
                t = todo.pop()
            elif fresh is not None:
                t, fresh = fresh, next(threads, None)
                crew.append(t)
            assert t.body is not None
            barrier = next(t.body, None)
            t.waiting = None if barrier is None else (barrier, t.rounds)
            if barrier is None:
                exited.append(t)
            elif isinstance(barrier, Signal) and barrier.op != "wait":
                # Whom it has freed goes on at once: another phase may be over before the others do.
                freed = [x for x in crew if x.waiting and x.awaits and x.is_free()]
                _go_on(freed)
                todo += freed
        waiting = [t for t in crew if t.waiting is not None]
        signalling = [t for t in waiting if t.waiting and isinstance(t.waiting[0], Signal)]
        ready = [t for t in signalling if t.is_free()]
        if not ready:
            # A warp that waits for an mbarrier has not met.
            warps = {t.warp[0] for t in signalling}
            ready = _release_warps([t for t in waiting if t.warp[0] not in warps], trace)
        if not ready and signalling:
            raise Stop(f"threads wait for ever for the mbarrier at {_place(signalling[0])}")
        if not ready and waiting:
            ready = [t for t in waiting if _scope(t) == "block"]
            if ready:
                _meet(ready, [*exited, *(t for t in waiting if t not in ready)], "block", trace)
            else:
                _meet(waiting, exited, "block", trace)
                yield True
                ready = waiting
            for t in ready:
                t.epoch += 1
        _go_on(ready)


def _go_on(those: list[Thread]) -> None:
    for t in those:
        t.waiting = None
        t.land()


def _scope(t: Thread) -> str:
    return t.waiting[0].scope if t.waiting and isinstance(t.waiting[0], Barrier) else ""


def _place(t: Thread) -> Place:
    assert t.waiting is not None
    return t.waiting[0].place


def _release_warps(waiting: list[Thread], trace: Trace) -> list[Thread]:
    """Return the threads whose warps have met, or can never meet."""
    free: list[Thread] = []
    by_warp: dict[int, list[Thread]] = {}
    for t in waiting:
        by_warp.setdefault(t.warp[0], []).append(t)
    for warp, threads in by_warp.items():
        # Which lanes a group has is not known, so none of them misses another; nor is it said
        # which thread of a warpgroup does.
        lanes = [t for t in threads if _scope(t) in ("lanes", "warpgroup")]
        those = lanes or [t for t in threads if _scope(t) in ("warp", "elected")]
        if those:
            if not lanes:
                _meet(those, [t for t in threads if t not in those], "warp", trace)
            count = 1 + max(t.warp[1] for t in threads)
            told = [t.stamp.released().seen for t in those if t.stamp is not None]
            seen = tuple(map(max, zip(*told, strict=True)))  # their own among it
            for t in those:
                if t.stamp is not None:
                    t.stamp = t.stamp.released()._replace(seen=seen)
                t.warp = (warp, count)
            free += those
    return free


def _number(statement: Barrier | Signal) -> int | None:
    """Return the number of a barrier that has one."""
    return statement.number if isinstance(statement, Barrier) else None


def _meet(those: list[Thread], others: list[Thread], scope: str, trace: Trace) -> None:
    """Record it where the threads that wait are not all at one barrier in one round."""
    first = those[0]
    assert first.waiting is not None
    barrier, rounds = first.waiting
    for t in (*those[1:], *others):
        there = t.waiting
        if there is not None and there[0] is barrier and there[1] == rounds:
            continue
        if there is not None and _number(there[0]) == _number(barrier) is not None:
            continue
        kind = "exited" if there is None else "elsewhere" if there[0] is not barrier else "round"
        trace.divergence.append(
            Divergence(
                scope,
                kind,
                first.block,
                first.index,
                t.index,
                barrier.place,
                there[0].place if there else None,
                rounds,
            )
        )
        return
