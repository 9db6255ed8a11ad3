"""Host code followed along its paths: what every launch is given, in terms of what comes in.

Both ways of a branch are followed, a loop once from any state that it can reach. What is not
understood leaves what it may change as a new integer, so that what is found is so of every
execution that comes to the launch; paths that no execution takes may be followed too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from symcute.expr import terms
from symcute.expr.node import Term
from symcute.frontends.cuda.host.numbers import Numbers, Symbol
from symcute.frontends.cuda.host.program import (
    INPUT,
    OF_HOST,
    Alike,
    Allocate,
    Free,
    HostStmt,
    Launch,
    Received,
)
from symcute.frontends.cuda.host.rounds import bound
from symcute.frontends.cuda.host.sameness import united
from symcute.frontends.cuda.host.state import (
    PATHS,
    Found,
    Memory,
    Pending,
    Spot,
    State,
    Tensor,
    Value,
    better,
    choice_of,
    decided,
    gathered,
    narrowed,
    with_value,
    without,
)
from symcute.frontends.cuda.host.tensors import tensor_of, tensor_text
from symcute.kernel.ir.expression import Base, Binary, Cast, Const, Expr, PtrAdd, Select, Unary, Var
from symcute.kernel.ir.inside import assigned, every
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import (
    Array,
    Atomic,
    Barrier,
    Havoc,
    If,
    Int,
    Kernel,
    Leave,
    Let,
    Load,
    Loop,
    NotUnderstood,
    Pointer,
    Promise,
    Scope,
    Store,
    Type,
)

__all__ = ["Execution"]


@dataclass
class Execution:
    """One function, followed from its start: `found` are the launches.

    What is `referred` to lies in memory that others may read, and kernels write.
    """

    numbers: Numbers = field(default_factory=Numbers)
    found: list[Found] = field(default_factory=list)
    tensors: list[Tensor] = field(default_factory=list)
    tainted: frozenset[str] = frozenset()
    referred: frozenset[str] = frozenset()
    _arrays: dict[str, Array] = field(default_factory=dict)
    _memory: dict[str, Memory] = field(default_factory=dict)
    _types: dict[str, Type] = field(default_factory=dict)
    _exits: dict[str, list[State]] = field(default_factory=dict)
    _pending: int = 0
    count: int = 0
    complete: bool = True
    most: int = 10_000

    def run(self, function: Kernel, free: bool = True) -> None:
        """Follow a function; that its parameters may be anything of their types is `free`."""
        self._arrays = {a.name: a for a in function.arrays}
        env: dict[str, Value | Pending] = {}
        for p in function.params:
            if p.type is not None:
                self._types[p.name] = p.type
            if isinstance(p.type, Int):
                what = Symbol(p.name, p.type, f"the parameter {p.name}", p.place, free)
                env[p.name] = self.numbers.fresh(what)
        self._exits = {"kernel": []}
        self._block(function.body, [State(env)])

    # --- statements

    def _block(self, body: Iterable[HostStmt], states: list[State]) -> list[State]:
        for statement in body:
            after = [s for state in states for s in self._statement(statement, state)]
            states = self._gathered(after)
            if not states:
                break
        return states

    def _gathered(self, states: list[State]) -> list[State]:
        return gathered(states, self._later, self.numbers.is_hazy)

    def _later(self, reason: str, place: Place | None = None) -> Pending:
        self._pending += 1
        return Pending(self._pending, reason, place or Place("?", 1, 1))

    def _any(self, name: str, reason: str, place: Place | None = None) -> Value:
        type = self._types.get(name)
        at = place or Place("?", 1, 1)
        if isinstance(type, Pointer):
            # Some array, of which it matters that it is one wherever the pointer is used.
            return Spot(self._new(None, at, reason), 0)
        if not isinstance(type, Int):
            return None
        return self.numbers.fresh(Symbol(name, type, reason, at))

    def _statement(self, s: HostStmt, state: State) -> list[State]:
        self.count += 1
        if self.count > self.most:
            self.complete = False
            return []
        match s:
            case Let(name, value):
                self._types[name] = value.type
                found, state = self._value(value, state)
                if isinstance(found, str) and found in self.numbers.symbols:
                    self.numbers.symbols[found].title = better(
                        self.numbers.symbols[found].title, name
                    )
                return [self._set(state, name, found)]
            case Havoc(name, type, reason, place, low, high):
                self._types[name] = type
                if not isinstance(type, Int):
                    return [self._set(state, name, self._any(name, reason, place))]
                free = reason in {f"the result of {f}" for f in INPUT}
                some = self.numbers.fresh(Symbol(name, type, reason, place, free), low, high)
                return [self._set(state, name, some)]
            case Allocate(name, bytes, place, text, same):
                self._types[name] = Pointer()
                size, state = self._value(bytes, state)
                known = None if isinstance(size, Spot) else size
                memory = self._new(known, place, text)
                other, state = self._value(same, state) if same is not None else (None, state)
                if isinstance(other, Spot):
                    packed = f"{other.memory.text}, made contiguous"
                    memory = replace(memory, number=other.memory.number, text=packed)
                return [self._set(state, name, Spot(memory, 0))]
            case Received():
                return [self._receive(s, state)]
            case Alike(left, right, place):
                a, state = self._value(left, state)
                b, state = self._value(right, state)
                if a is None or b is None or isinstance(a, Spot) or isinstance(b, Spot):
                    return [state]
                return [united(state, a, b, self.numbers, place)]
            case Free():
                return [replace(state, freed=state.freed | self._given_back(s, state))]
            case Launch():
                return [self._launch(s, state)]
            case Load(pointer, _, place, parts):
                return [self._load(pointer, parts, place, state)]
            case Store() | Atomic():
                return [replace(state, loaded=())]
            case If():
                return self._if(s, state)
            case Loop():
                return self._loop(s, state)
            case Scope(label, body):
                self._exits[label] = []
                ends = self._block(body, [state])
                return self._gathered([*ends, *self._exits.pop(label)])
            case Leave(label):
                self._exits[label].append(state)
                return []
            case NotUnderstood():
                return [self._not_understood(s, state)]
            case Barrier():
                return [state]
            case Promise(believed=believed):
                # What is not believed is where an assertion fails, at which a machine may stop.
                return [state if believed else replace(state, hazy=True)]
        raise TypeError(s)

    def _set(self, state: State, name: str, value: Value) -> State:
        """Return a state in which a variable has another value."""
        loaded = () if name in self.referred else state.loaded
        return replace(with_value(state, name, value), loaded=loaded)

    def _receive(self, s: Received, state: State) -> State:
        """Take a parameter for a tensor: its parts are no numbers by themselves."""
        tensor, bytes = tensor_of(s, state.env, self.numbers)
        memory = self._new(bytes, s.place, tensor_text(s.title))
        self.tensors.append(replace(tensor, memory=memory.number))
        return with_value(state, s.held, Spot(memory, 0))

    def _narrowed(self, state: State, holds: Term, place: Place, why: str) -> list[State]:
        return narrowed(state, holds, self.numbers, place, why)

    def _if(self, s: If, state: State) -> list[State]:
        test, state = self._value(s.test, state)
        test = self._truth(test, s.place)
        then = self._narrowed(state, test, s.place, "the way to the launch")
        other = self._narrowed(state, terms.negate(test), s.place, "the way to the launch")
        return self._gathered([*self._block(s.then, then), *self._block(s.other, other)])

    def _truth(self, test: Value, place: Place) -> Term:
        """Return a truth: what is not known may be either."""
        if test is None or isinstance(test, Spot):
            symbol = Symbol("test", Int(1, False), "a test that is not known", place)
            return self.numbers.fresh(symbol)
        return test

    def _loop(self, s: Loop, state: State) -> list[State]:
        inside: list[HostStmt] = list(every((*s.before, *s.body, *s.step)))
        changed = assigned((*s.before, *s.body, *s.step))
        if changed is None:
            changed = set(state.env)
        else:
            changed |= {x.name for x in inside if isinstance(x, Allocate)}
        self._exits[s.label] = []
        if launched := any(isinstance(x, Launch) for x in inside):
            self._first_round(s, state)
        unseen = [x for x in inside if isinstance(x, NotUnderstood)]
        loose = state.changed.union(*(x.variables or () for x in unseen))
        env = dict(state.env)
        heads: dict[str, str] = {}
        for name in sorted((changed | loose if unseen else changed) & env.keys()):
            env[name] = self._later("a loop changes it", s.place)
            type = self._types.get(name)
            if isinstance(type, Int) and type.bits > 1 and name not in self.tainted | self.referred:
                some = self._any(name, "a loop changes it", s.place)
                assert isinstance(some, str)
                env[name] = heads[name] = some
        launched |= state.running
        head = replace(state, env=env, loaded=(), changed=loose, running=launched)
        for x in inside:
            if isinstance(x, Free):
                head = replace(head, freed=head.freed | self._given_back(x, head))
        ends: list[State] = []
        rounds: list[State] = []
        states = [head]
        if s.test_last:
            states = self._block((*s.body, *s.step), states)
        for here in self._block(s.before, states):
            if s.test is None:
                again = [here]
            else:
                test, here = self._value(s.test, here)
                if test is None or isinstance(test, Spot):
                    again, done = [here], [here]
                else:
                    again = self._narrowed(here, test, s.place, "the loop goes on")
                    done = self._narrowed(here, terms.negate(test), s.place, "the loop has ended")
                ends += done
            rounds += again if s.test_last else self._block((*s.body, *s.step), again)
        if self.complete:
            bound(heads, state, rounds, self.numbers)
        # What only the test has needed keeps no two ways out apart.
        own = (assigned(s.before) or set()) - state.env.keys()
        ends = [without(x, own) for x in ends]
        return self._gathered([*ends, *self._exits.pop(s.label)])

    def _first_round(self, s: Loop, state: State) -> None:
        """Follow the first round by itself: what it launches is known better than of others."""
        for here in self._block(() if s.test_last else s.before, [state]):
            again = [here]
            if s.test is not None and not s.test_last:
                test, here = self._value(s.test, here)
                if test is None or isinstance(test, Spot):
                    continue
                again = self._narrowed(here, test, s.place, "the loop is entered")
            self._block((*s.body, *s.step), again)

    def _not_understood(self, s: NotUnderstood, state: State) -> State:
        names = set(state.env) if s.variables is None else {*s.variables} | state.changed
        env = state.env | {name: self._later(s.reason, s.place) for name in names}
        changed, hazy = state.changed | names, state.hazy or s.barrier
        return replace(state, env=env, changed=changed, loaded=(), hazy=hazy)

    def _load(
        self, pointer: Expr, parts: tuple[tuple[str, int, Type], ...], place: Place, state: State
    ) -> State:
        where, state = self._value(pointer, state)
        loaded = dict(state.loaded)
        for name, at, type in parts:
            self._types[name] = type
            steady = isinstance(where, Spot) and (where.memory.local or not state.running)
            steady = steady or (isinstance(where, Spot) and isinstance(type, Pointer))
            key = (where, at, type) if steady else None
            if key is None or key not in loaded:
                found = self._any(name, "it is read from memory", place)
                if key is not None and isinstance(type, Int | Pointer):
                    loaded[key] = found
            else:
                found = loaded[key]
            state = with_value(state, name, found)
        return replace(state, loaded=tuple(loaded.items()))

    def _given_back(self, s: Free, state: State) -> set[int]:
        """Return the memory that may be given back: any, where the pointer may be to any."""
        where = None if s.pointer is None else self._value(s.pointer, state)[0]
        m = where.memory if isinstance(where, Spot) else None
        known = m is not None and (m.bytes is not None or m.text in OF_HOST)
        return {m.number} if m and known else set(range(1, getattr(self, "_numbered", 0) + 1))

    def _launch(self, s: Launch, state: State) -> State:
        def number(e: Expr | None) -> Term | None:
            nonlocal state
            if e is None:
                return None
            value, state = self._value(e, state)
            return None if isinstance(value, Spot) else value

        grid, block = tuple(map(number, s.grid)), tuple(map(number, s.block))
        shared = number(s.shared)
        arguments: list[Value] | None = None
        if s.arguments is not None:
            arguments = []
            for e in s.arguments:
                value, state = self._value(e, state) if e is not None else (None, state)
                arguments.append(value)
        given = None if arguments is None else tuple(arguments)
        found = Found(s, grid, block, shared, given, state.facts, state.freed)
        self._tell(replace(found, hazy=state.hazy, same=state.same), PATHS)
        kept = tuple(
            (k, v)
            for k, v in state.loaded
            if isinstance(v, Spot) or (isinstance(k, tuple) and k[0].memory.local)
        )
        return replace(state, loaded=kept, running=True)

    def _tell(self, found: Found, most: int) -> None:
        """Keep a launch; one that hangs on a choice is two."""
        found, choice = choice_of(found, self.numbers)
        if choice is None or most < 2:
            self.found.append(found)
            return
        for test, way in ((choice.args[0], 1), (terms.negate(choice.args[0]), 2)):
            for s in self._narrowed(State({}, found.facts), test, found.launch.place, "a choice"):
                self._tell(replace(decided(found, choice, way), facts=s.facts), most // 2)

    # --- expressions

    def _value(self, e: Expr, state: State) -> tuple[Value, State]:
        match e:
            case Const(value, type):
                return (bool(value) if type.bits == 1 else value), state
            case Var(name):
                found = None if name in self.tainted else state.env.get(name)
                if state.running and name in self.referred:
                    return self._any(name, "a kernel that runs may write it"), state
                if isinstance(found, Pending):
                    found = self._any(name, found.reason, found.place)
                    state = with_value(state, name, found)
                return found, state
            case Base(array):
                return Spot(self._named(array), 0), state
            case PtrAdd(pointer, index, scale):
                where, state = self._value(pointer, state)
                by, state = self._value(index, state)
                if not isinstance(where, Spot):
                    return None, state
                if by is None or isinstance(by, Spot):
                    some = Symbol("offset", Int(64, True), "an offset that is not known", e.place)
                    by = self.numbers.fresh(some)
                return Spot(where.memory, terms.add(where.offset, terms.mul(by, scale))), state
            case Cast(arg, type):
                a, state = self._value(arg, state)
                if a is None or isinstance(a, Spot) or not isinstance(arg.type, Int):
                    return None, state
                return self.numbers.converted(a, arg.type, type, state.facts), state
            case Select(test, then, other):
                return self._select(test, then, other, state)
            case Unary(op, arg, type, place):
                a, state = self._value(arg, state)
                if a is None or isinstance(a, Spot):
                    return None, state
                if op == "!":
                    return terms.negate(a), state
                if op == "~":
                    return terms.sub(-1 if type.signed else type.high, a), state
                if op == "-":
                    zero = Binary("-", Const(0, type), Const(0, type), type, place)
                    found, facts = self.numbers.combined(zero, 0, a, state.facts)
                    return found, replace(state, facts=facts)
                return None, state
            case Binary(left=left, right=right):
                a, state = self._value(left, state)
                b, after = self._value(right, state)
                # What the right side supposes holds only where it is evaluated.
                state = state if e.op in ("&&", "||") else after
                if e.op in ("&&", "||") and (a is None) != (b is None):
                    a, b = self._truth(a, e.place), self._truth(b, e.place)
                if a is None or b is None or isinstance(a, Spot) or isinstance(b, Spot):
                    return None, state
                found, facts = self.numbers.combined(e, a, b, state.facts)
                return found, replace(state, facts=facts)
        return None, state

    def _select(self, test: Expr, then: Expr, other: Expr, state: State) -> tuple[Value, State]:
        c, state = self._value(test, state)
        # What either side supposes holds only where it is the one.
        a, one = self._value(then, state)
        b, two = self._value(other, state)
        if a == b and a is not None:
            return a, state
        if c is None or isinstance(c, Spot):
            return None, state
        told = c if isinstance(c, bool) else self.numbers.known(state.facts).decides(c)
        if told is not None:
            return (a, one) if told else (b, two)
        if a is None or b is None or isinstance(a, Spot) or isinstance(b, Spot):
            return None, state
        facts = state.facts
        for unless, side in ((terms.negate(c), one), (c, two)):
            supposed = [f for f in side.facts if f not in state.facts]
            facts += tuple(
                replace(f, holds=terms.any_of(unless, f.holds), chosen=True) for f in supposed
            )
        build = terms.if_truth if then.type == Int(1, False) else terms.if_
        return build(c, a, b), replace(state, facts=facts)

    def _named(self, array: str) -> Memory:
        if array not in self._memory:
            found = self._arrays[array]
            made = self._new(None, found.place, found.text, array)
            self._memory[array] = replace(made, local=found.space == "private")
        return self._memory[array]

    def _new(self, bytes: Term | None, place: Place, text: str, name: str = "") -> Memory:
        self._numbered = getattr(self, "_numbered", 0) + 1
        return Memory(self._numbered, bytes, place, f"{name}: {text}" if name else text)
