"""Statements, one after the other, for one generic thread of one generic block."""

from __future__ import annotations

from dataclasses import replace

from symcute.expr import terms
from symcute.kernel.access_map import AccessMap, Promised, Unsupported
from symcute.kernel.ir.expression import Expr
from symcute.kernel.ir.inside import every
from symcute.kernel.ir.program import (
    Atomic,
    Barrier,
    Commit,
    Fence,
    Havoc,
    If,
    Kernel,
    Leave,
    Let,
    Load,
    Loop,
    NotUnderstood,
    Pointer,
    Promise,
    Scope,
    Signal,
    Stmt,
    Store,
    Wait,
)
from symcute.kernel.ir.semantics import GATHERS
from symcute.kernel.ir.setting import Setting
from symcute.kernel.ir.verify import verified
from symcute.kernel.symexec.arithmetic import Arithmetic
from symcute.kernel.symexec.entry import Launch, term_of
from symcute.kernel.symexec.expressions import Expressions
from symcute.kernel.symexec.flights import awaited, committed, recorded
from symcute.kernel.symexec.gathering import gathered, held_at
from symcute.kernel.symexec.loops import Loops
from symcute.kernel.symexec.memory import Memory
from symcute.kernel.symexec.path_join import Merger
from symcute.kernel.symexec.recorder import Recorder
from symcute.kernel.symexec.relations import Relations
from symcute.kernel.symexec.scan import Scan, unwritten
from symcute.kernel.symexec.state import Address, Arrived, Option, Path, Start, State, Value
from symcute.kernel.symexec.tables import Tables
from symcute.solve.bits import powers_in

__all__ = ["symexecute", "under"]


def symexecute(
    kernel: Kernel, setting: Setting, kept: dict[object, AccessMap] | None = None
) -> AccessMap:
    """Return what a kernel touches under a setting: the program executed for a generic thread.

    Executions of one kernel that are `kept` are not done again under a setting of which they would
    see the same: maps then differ in their facts alone.

    Post-conditions: whatever a thread does in an execution that meets the facts is in the map, up
    to the first computation of that thread that leaves its type and is used: each access is one of
    an `Access` of that place whose guard holds there and whose offset is where it goes, for the
    numbers of its block, thread and rounds and some numbers of its other variables; and that first
    computation is a `Computation` whose value is outside of the type. What it comes by that is
    promised is a `Promised`. What was not understood is a `Unsupported`.
    Errors: InputError for a dim with the name of an index of blocks or threads; IllFormed for a
    program that breaks a rule of `kernel/ir/verify.py`.

    >>> from symcute.frontends.cuda.target import CUDA
    >>> from symcute.kernel.ir.place import Place
    >>> from symcute.kernel.ir.expression import Base, Builtin
    >>> from symcute.kernel.ir.program import Array, Int, Param, Pointer
    >>> from symcute.kernel.ir.expression import PtrAdd
    >>> from symcute.kernel.ir.program import Store
    >>> from symcute.expr.terms import show
    >>> at, u32 = Place("k.cu", 1, 1), Int(32, False)
    >>> x = Array("x", "global", 4, None, 4, at, "float *x")
    >>> store = Store(PtrAdd(Base("x"), Builtin("threadIdx.x", u32), 4, at), 4, at)
    >>> kernel = Kernel("k", (Param("x", Pointer(), at, "float *", "x"),), (x,), (store,), at, CUDA)
    >>> access, = symexecute(kernel, Setting((1, 1, 1), (32, 1, 1))).accesses
    >>> show(access.offset), [show(g) for g in access.guard], access.exact
    ('tx*4', ['0 <= tx', 'tx < 32'], True)
    """
    verified(kernel)
    recorder = Recorder()
    launch = Launch(kernel, setting, recorder)
    seen = None if kept is None or _says(kernel, setting) else launch.seen()
    if kept is not None and seen in kept:
        return replace(kept[seen], facts=tuple(launch.facts), steps=0)
    map, walker = _executed(kernel, setting, recorder, launch, gathers=True)
    if walker.scan.gathers:
        # Whether barriers that count order anything rests on facts.
        if (told := gathered(map, setting)) is not None:
            return told
        recorder = Recorder()
        again = Launch(kernel, setting, recorder)
        return _executed(kernel, setting, recorder, again, gathers=False)[0]
    if kept is not None and seen is not None and not walker.relations.asked:
        kept[seen] = map
    return map


def _executed(
    kernel: Kernel, setting: Setting, recorder: Recorder, launch: Launch, gathers: bool
) -> tuple[AccessMap, _Executor]:
    """Return what a kernel touches, as if all barriers that count did order accesses, or none."""
    walker = _Executor(kernel, setting, recorder, launch)
    walker.gathers = gathers
    starts = (Start(-1), Start(-1, warp=True))[: 1 + walker.scan.warps]
    walker.block(kernel.body, State(Path((), launch.known), dict(launch.env), starts))
    found = recorder.finish()
    map = AccessMap(
        kernel.name, kernel.target, kernel.arrays, found.accesses, found.computations,
        found.events, found.unsupported, tuple(launch.facts), frozenset(launch.dims),
        found.promises, found.landings, found.overtaken, found.fences, walker.steps,
    )  # fmt: skip
    return map, walker


def under(map: AccessMap, kernel: Kernel, setting: Setting) -> AccessMap:
    """Return a map of a kernel under a setting that says more, without an execution: more facts.

    Pre-conditions: where `setting` holds, that of the map does. Values of parameters, extents and
    contents are the same in both.
    """
    launch = Launch(kernel, setting, Recorder())
    return replace(map, facts=tuple(launch.facts), dims=frozenset(launch.dims))


def _says(kernel: Kernel, setting: Setting) -> bool:
    """Return whether comments say what a loop keeps, or what an array holds."""
    loops = (s for s in every(kernel.body) if isinstance(s, Loop))
    return bool(setting.tables) or any(s.invariants for s in loops)


class _Executor:
    """Executes statements on states."""

    def __init__(
        self, kernel: Kernel, setting: Setting, recorder: Recorder, launch: Launch
    ) -> None:
        self.recorder = recorder
        self.arithmetic = Arithmetic(recorder)
        self.arithmetic.powers = frozenset(powers_in(launch.facts))
        self.scan = Scan(kernel)
        self.merger = Merger(self.recorder, self.arithmetic, self.scan.types)
        #: States that are on their way behind a scope or a loop, by its label.
        self.exits: dict[str, list[State]] = {}
        self._expressions = Expressions(recorder, self.arithmetic, launch.builtins, kernel.arrays)
        contents = {
            name: (term_of(low), term_of(high)) for name, (low, high) in setting.contents.items()
        }
        tables = Tables(recorder, setting)
        self._memory = Memory(
            recorder, self.arithmetic, self._expressions, kernel.arrays, unwritten(kernel),
            self.scan.hidden, contents, tables,
        )  # fmt: skip
        self.relations = Relations(recorder, launch.facts, frozenset(launch.dims))
        self.arithmetic.follows = self.relations.always
        self.unordered = self.steps = 0
        #: Whether barriers that count are taken to order accesses.
        self.gathers = False
        self._loops = Loops(self)

    def block(self, body: tuple[Stmt, ...], state: State) -> State | None:
        """Return the state behind statements, None where they are never left."""
        st: State | None = state
        for s in body:
            if st is None:
                return None
            st = self._statement(s, st)
        return st

    def test(self, expr: Expr, state: State) -> Value:
        """Return a condition as a truth."""
        found = self.arithmetic.used(self._expressions.value(expr, state), state.path)
        self.recorder.test(found.seen | found.needs)
        if terms.is_truth(found.term):
            return found
        return Value(terms.unequal(found.term, 0), found.needs, found.needs, found.seen)

    def _statement(self, s: Stmt, state: State) -> State | None:
        self.steps += 1
        match s:
            case Let(name=name, value=value):
                state.env[name] = self._expressions.world(value, state, state.path)
            case Load():
                self._memory.load(s, state)
            case Store():
                self._memory.store(s, state)
            case Atomic():
                self._memory.atomic(s, state)
            case Havoc():
                self._havoc(s, state)
            case If():
                return self._if(s, state)
            case Loop():
                return self._loops.symexecute(s, state)
            case Scope(label=label, body=body):
                end = self.block(body, state)
                ways = self.exits.pop(label, [])
                return self.merger.merged(([] if end is None else [end]) + ways)
            case Leave(label=label):
                if label == "kernel" and state.flights:
                    touched = tuple(dict.fromkeys(f.access.array for f in state.flights))
                    reason = "a thread ends while asynchronous copies of its are on their way"
                    self.recorder.unsupported(Unsupported(reason, s.place, touched, effect="order"))
                self.exits.setdefault(label, []).append(state)
                return None
            case Barrier():
                self._barrier(s, state)
            case Commit():
                state.flights = committed(state.flights)
            case Wait(groups=groups):
                state.flights = awaited(state.flights, groups)
            case Signal():
                self._memory.signal(s, state)
                if s.op in GATHERS:
                    self._gather(s, state)
            case Fence(of=of):
                self.recorder.fence(of, state.path, tuple(self.arithmetic.around))
            case Promise():
                self._promise(s, state)
            case NotUnderstood():
                self._not_understood(s, state)
        return state

    def _if(self, s: If, state: State) -> State | None:
        test = self.test(s.test, state)
        ways = []
        for truth, body in ((test.term, s.then), (terms.negate(test.term), s.other)):
            path = state.path.under(truth, test.needs)
            if path is not None:
                end = self.block(body, state.at(path))
                ways += [] if end is None else [end]
        return self.merger.merged(ways)

    def _havoc(self, s: Havoc, state: State) -> None:
        if isinstance(s.type, Pointer):
            state.env[s.name] = Address((Option(None),))
        else:
            state.env[s.name] = self.arithmetic.unknown(
                s.type, s.reason, s.place, low=s.low, high=s.high, uniform=s.uniform
            )

    def _barrier(self, s: Barrier, state: State) -> None:
        number = self.recorder.event(s.scope, s.place, state.path, state.starts)
        if s.scope not in ("block", "grid", "warp") or self.unordered:
            return
        own = self._begun(number)
        if s.scope == "warp":
            state.starts = (*(x for x in state.starts if not x.warp), own[1])
        else:
            state.starts = own
            recorded(self.recorder, state.flights, state.path, own[0])

    def _gather(self, s: Signal, state: State) -> None:
        """Let a thread arrive at a barrier that counts, or wait for the phase that it arrived in.

        From the arrival on it may be before that barrier or behind it; behind the wait it is not
        before it. What begins with another barrier since stays.
        """
        if not self.gathers:
            if s.op == "gathered":
                reason = "what a barrier that counts orders is not followed"
                self.recorder.unsupported(Unsupported(reason, s.place, (), True, "order"))
            return
        held = held_at(self._expressions.address(s.pointer, state))
        token = None if s.value is None else self._expressions.value(s.value, state).term
        around, guards = tuple(self.arithmetic.around), state.path.guards
        if s.op == "gather":
            number = self.recorder.event(s.op, s.place, state.path, state.starts, held)
            state.arrived = (
                Arrived(number, held, token, guards, around, state.starts)
                if held is not None and isinstance(token, str)
                else None
            )
            if not self.unordered:
                own = self._begun(number)
                state.starts = (*state.starts, *own)
                recorded(self.recorder, state.flights, state.path, own[0])
            return
        a, state.arrived = state.arrived, None
        met = a is not None and (a.held, a.token, a.guards, a.around) == (
            held, token, guards, around
        )  # fmt: skip
        arrival = a.event if a is not None and met else None
        self.recorder.event(s.op, s.place, state.path, state.starts, held, arrival)
        if a is not None and met and not self.unordered:
            state.starts = tuple(x for x in state.starts if x not in a.starts) or state.starts

    def _begun(self, number: int) -> tuple[Start, ...]:
        """Return the intervals, of a block and of a warp, that a barrier begins."""
        rounds = tuple((x, self._loops.name_of(x)) for x in self.arithmetic.around)
        return (Start(number, rounds), Start(number, rounds, warp=True))[: 1 + self.scan.warps]

    def _promise(self, s: Promise, state: State) -> None:
        """Ask what is promised; what follows does not rest on it here, nor is it a condition."""
        said = Promised(s.name, None, (), (), s.place, s.believed)
        if s.test is not None:
            found = self.arithmetic.used(self._expressions.value(s.test, state), state.path)
            truth = found.term
            if not terms.is_truth(truth):
                truth = terms.unequal(truth, 0)
            said = replace(said, truth=truth, needs=found.needs)
        self.recorder.promise(said, state.path)

    def _not_understood(self, s: NotUnderstood, state: State) -> None:
        self.recorder.unsupported(Unsupported(s.reason, s.place, s.arrays, s.barrier, s.effect))
        if s.effect == "aligned":
            return
        names = list(self.scan.types) if s.variables is None else s.variables
        for name in names:
            state.env.pop(name, None)
        self._memory.forget(s.arrays, state)
        if s.effect == "any":
            state.path = replace(state.path, exact=False)
