"""A module, evaluated: what our algebra computes beside what the types say.

The host function comes first; a kernel's arguments are what its launch gives it. A body of a loop
is gone through once, for any iteration: its counter is any integer, and what it carries is known by
its type alone, but for what it hands on unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from symcute.errors import InputError, NotAdmissible, SymcuteError
from symcute.expr.assumptions import dims
from symcute.expr.expression import is_symbolic, maximum, minimum
from symcute.expr.formula import divides, lt
from symcute.expr.limits import collecting_rarely
from symcute.frontends.cutedsl import types
from symcute.frontends.cutedsl.carried import handed_on, passes_on, unchanged
from symcute.frontends.cutedsl.derived import derived
from symcute.frontends.cutedsl.folding import folded
from symcute.frontends.cutedsl.rings import rings
from symcute.frontends.cutedsl.roles import parted
from symcute.frontends.cutedsl.rules import RULES, Call, threads
from symcute.frontends.cutedsl.special import SHARED_ALIGNMENT, Special, only_room, threads_of
from symcute.frontends.cutedsl.text import Block, Operation, Value
from symcute.frontends.cutedsl.uniformity import varying
from symcute.frontends.cutedsl.values import UNKNOWN, Scope, Tensor, differs, dims_of
from symcute.frontends.cutedsl.widths import settled
from symcute.layout.layout import Layout
from symcute.solve.entailment import facts

__all__ = ["Evaluation", "Function", "Step", "evaluate"]

#: A result agrees with its type, or is the same map in another hierarchy; it differs from it, or
#: that is open; or it is known by its type alone.
Status = Literal["agrees", "form", "differs", "open", "typed"]
#: The largest layout of numbers that is compared index by index.
MAX_COMPARED = 1 << 14

#: Operations whose rules give a result for each of theirs.
SEVERAL = (
    "cute.get_leaves", "cute.get_scalars", "cute_nvgpu.atom.tma_partition", *threads.TMA_TENSORS
)  # fmt: skip

#: A type of layouts that is not of a form that is known.
UNREAD = object()


@dataclass(frozen=True)
class Step:
    """An operation, what it takes and what became of its results."""

    operation: Operation
    operands: tuple[Any, ...]
    results: tuple[Any, ...]
    status: Status
    reason: str = ""
    #: What our algebra computed, where that is not what the type says.
    computed: tuple[Any, ...] = ()
    #: Whether it stands in a body that may not be gone through.
    conditional: bool = False


@dataclass
class Function:
    """The host function or a kernel, with its steps in order."""

    operation: Operation
    steps: list[Step] = field(default_factory=list)
    #: The launch that gives a kernel its arguments, where one is found.
    launch: Step | None = None
    #: What the arguments of each block are, by the block's identity.
    arguments: dict[int, tuple[Any, ...]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Its name in the module."""
        return self.operation.properties.get("sym_name", "").strip('"')

    @property
    def threads(self) -> tuple[int, ...]:
        """How many threads a block has in x, y and z; () where that is not said."""
        return threads_of(self.operation)

    @property
    def is_kernel(self) -> bool:
        """Whether it runs on the device."""
        return self.operation.name == "cuda.kernel"


@dataclass
class Evaluation:
    """All functions of a module, and the dims that stand for what is not static."""

    functions: list[Function]
    scope: Scope
    #: What tensors among the host function's arguments are called, by the arguments' names.
    names: Mapping[str, str] = field(default_factory=dict)
    #: Whether the caller said which sizes of several tensors are one.
    tied: bool = False

    def steps(self) -> Iterator[Step]:
        """Yield every step."""
        for function in self.functions:
            yield from function.steps


@collecting_rarely()
def evaluate(
    module: Operation,
    names: tuple[str, ...] = (),
    tensors: tuple[tuple[str, tuple[str, ...]], ...] = (),
) -> Evaluation:
    """Return what a module's operations compute.

    `names` are those of the host function's arguments, for their dims; `tensors` are the name of
    each tensor among them, and for each of its `?` a symbol, which is the same for one integer.
    """
    scope = Scope()
    found_names: dict[str, str] = {}
    kernels = {
        x.properties["sym_name"].strip('"'): derived(parted(folded(x)))
        for x in module.walk()
        if x.name == "cuda.kernel"
    }
    found: list[Function] = []
    launched: set[str] = set()
    for host in (x for x in module.walk() if x.name == "func.func"):
        block = host.regions[0][0]
        named = names if len(names) == len(block.arguments) else ()
        given: list[Any] = []
        others = set(scope.least)
        counted = [a for a in block.arguments if isinstance(read(a.type), types.TensorType)]
        said = iter(tensors if len(tensors) == len(counted) else ())
        run = _Run(scope, host)
        for k, argument in enumerate(block.arguments):
            name = named[k] if named and is_dim(named[k]) else f"arg{k}"
            before = set(scope.least)
            roots = scope.roots
            kind = read(argument.type)
            made = UNKNOWN
            if kind is not UNREAD:
                if isinstance(kind, types.TensorType):
                    own, symbols = next(said, ("", ()))
                    found_names[argument.name] = own if is_dim(own) else name
                    called = f"{found_names[argument.name]}_"
                    count = len(types.holes(kind.layout))
                    each = iter(x if is_dim(x) else "" for x in symbols if len(symbols) == count)
                    made = scope.make(kind, argument.name, called, 1, each)
                    scope.sizes |= scope.least.keys() - before
                else:
                    made = scope.make(kind, argument.name, name, least=1)
            run.take(argument, made)
            given.append(made)
            scope.arguments |= scope.least.keys() - before
            scope.given_roots |= {f"{argument.name}.{n + 1}" for n in range(roots, scope.roots)}
        run.function.arguments[id(block)] = tuple(given)
        run.block(block)
        scope.host |= scope.least.keys() - others
        scope.uniform |= scope.least.keys()  # what the host computes is the same for all
        found.append(run.function)
        for step in run.function.steps:
            if step.operation.name != "cuda.launch_ex":
                continue
            callee = step.operation.properties.get("callee", "").rpartition("@")[2].strip('"')
            if callee in kernels:
                launched.add(callee)
                found.append(_kernel(kernels[callee], scope, step))
    found += [_kernel(k, scope, None) for name, k in kernels.items() if name not in launched]
    given_symbols = sum(len(symbols) for _, symbols in tensors)
    return Evaluation(found, scope, found_names, 0 < len(scope.symbols) < given_symbols)


def is_dim(name: str) -> bool:
    """Return whether a name may be that of a dim."""
    try:
        return dims(name) is not None
    except InputError:
        return False


def read(text: str) -> Any:
    """Return a type, or that it is none that is read: its values are unknown."""
    try:
        return types.read_type(text)
    except InputError:
        return UNREAD


def _kernel(kernel: Operation, scope: Scope, launch: Step | None) -> Function:
    run = _Run(scope, kernel)
    run.conditions = int(launch is not None and launch.conditional)
    block = kernel.regions[0][0]
    values = launch.operands[-len(block.arguments) :] if launch and block.arguments else ()
    if len(values) != len(block.arguments):
        values = (UNKNOWN,) * len(block.arguments)
    for argument, value in zip(block.arguments, values, strict=True):
        kind = read(argument.type)
        known = value is not UNKNOWN and kind is not UNREAD
        fits = known and differs(kind, value, scope) is False
        run.take(argument, value if fits else run.typed(argument))
    run.function.launch = launch
    run.entered(block)
    run.block(block)
    return run.function


class _Run:
    def __init__(self, scope: Scope, function: Operation) -> None:
        self.scope = scope
        self.special = Special(scope, function)
        self.varying = varying(function) if function.name == "cuda.kernel" else set[str]()
        self.rings = rings(function)
        self.room = only_room(function)
        self.function = Function(function)
        self.values: dict[str, Any] = {}
        self.conditions = 0

    def take(self, target: Value, value: Any) -> None:
        self.values[target.name] = value

    def typed(self, target: Value, least: int | None = None) -> Any:
        kind = read(target.type)
        if kind is UNREAD:
            return UNKNOWN
        if isinstance(kind, types.IntegerType) and target.name in self.rings:
            made = self.scope.integer(least=0)
            self.scope.below[str(made)] = self.rings[target.name]
        else:
            made = self.scope.make(kind, target.name, least=least)
        if target.name not in self.varying:
            self.scope.uniform |= dims_of(made)
        self.scope.typed |= dims_of(made)
        return made

    def entered(self, block: Block) -> None:
        """Keep what the arguments of a block are."""
        self.function.arguments[id(block)] = tuple(self.values[x.name] for x in block.arguments)

    def block(self, block: Block) -> None:
        for operation in block.operations:
            step = self.step(operation)
            if self.conditions:
                step = replace(step, conditional=True)
            self.function.steps.append(step)
            # Behind an assertion only those go on for whom it holds.
            self.conditions += operation.name == "cf.assert"
            for target, value in zip(operation.results, step.results, strict=True):
                self.take(target, value)

    def step(self, operation: Operation) -> Step:
        operands = tuple([self.values[x.name] for x in operation.operands])
        if self.function.is_kernel:
            operands = settled(operation, operands, self.scope)
        if operation.regions:
            return self.controlled(operation, operands)
        if operation.name == "cute.assume":
            return self.promised(operation, operands)
        if known := self.known(operation, operands):
            return known
        if any(read(x.type) is UNREAD for x in (*operation.operands, *operation.results)):
            return self.by_type(operation, operands, "a type that is not read")
        rule = RULES.get(operation.name)
        if rule is None:
            step = self.by_type(operation, operands, "no rule")
            self.bounded(step)
            return step
        try:
            made = rule(Call(operation, operands, self.scope))
        except NotAdmissible as error:
            # What has no right result in our algebra has one in the DSL, which does not look.
            step = self.by_type(operation, operands, str(error).splitlines()[0])
            return replace(step, status="differs")
        except SymcuteError as error:
            return self.by_type(operation, operands, str(error).splitlines()[0])
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            # Operands of a form that the rule does not foresee: they are not understood.
            return self.by_type(operation, operands, f"{type(error).__name__}: {error}")
        if operation is self.room and made.start.space == "smem":
            more = max(made.start.alignment, SHARED_ALIGNMENT)
            made = replace(made, start=replace(made.start, alignment=more))
        several = operation.name in SEVERAL
        results = made if several else (made,)
        if len(results) != len(operation.results):
            return self.by_type(operation, operands, "another number of results")
        return self.compared(operation, operands, results)

    def compared(
        self, operation: Operation, operands: tuple[Any, ...], results: tuple[Any, ...]
    ) -> Step:
        """Hold results against their types; where they are not seen to agree, types count."""
        pairs = list(zip(operation.results, results, strict=True))
        told = [differs(types.read_type(t.type), value, self.scope) for t, value in pairs]
        if not any(x is not False for x in told):
            return Step(operation, operands, results, "agrees")
        typed = tuple([self.typed(x) for x in operation.results])
        status: Status = "differs" if True in told else "open"
        if all(map(_same_map, typed, results)):
            status = "form"
        return Step(operation, operands, typed, status, "", results)

    def by_type(self, operation: Operation, operands: tuple[Any, ...], reason: str) -> Step:
        typed = tuple([self.typed(x) for x in operation.results])
        return Step(operation, operands, typed, "typed", reason)

    def promised(self, operation: Operation, operands: tuple[Any, ...]) -> Step:
        """Return an integer that the source says is a multiple of a number, where it is seen to be.

        Else it is known by its type alone, which believes what the source says.
        """
        (value, *_), kind = operands, read(operation.results[0].type)
        known = value is not UNKNOWN and isinstance(kind, types.IntegerType)
        if known and divides_all(kind.divisor, value, self.scope):
            return Step(operation, operands, (value,), "agrees")
        return self.by_type(operation, operands, "a promise")

    def known(self, operation: Operation, operands: tuple[Any, ...]) -> Step | None:
        """Return the step of arithmetic, and of a register."""
        if operation.name == "arith.constant":
            found = re.fullmatch(r"(-?[0-9]+) : (?:i[0-9]+|index)", operation.properties["value"])
            if found and types.read_type(operation.results[0].type) is not None:
                return Step(operation, operands, (int(found.group(1)),), "agrees")
        value = self.special.value(operation.name)
        return None if value is None else Step(operation, operands, (value,), "agrees")

    def counted(self, counter: Value, start: Any, end: Any, step: Any) -> Any:
        """Return any value of a loop's counter: whole steps from its start, below its end."""
        if not isinstance(start, int) or not isinstance(step, int) or step < 1:
            return self.typed(counter)
        found = self.scope.integer("i", least=0)
        if end is not UNKNOWN and self.runs(start, end):
            self.scope.below[str(found)] = (end - start + step - 1) // step
            if isinstance(end, int):
                self.scope.reached.add(str(found))
            if self.scope.is_uniform(end):
                self.scope.uniform.add(str(found))
        return start + step * found

    def runs(self, start: Any, end: Any) -> bool:
        """Return whether a loop is known to be gone through at least once."""
        if UNKNOWN in (start, end):
            return False
        try:
            return facts(self.scope.given(start, end)).proves(lt(start, end))
        except SymcuteError:
            return False

    def controlled(self, operation: Operation, operands: tuple[Any, ...]) -> Step:
        """Go through the regions once, for any iteration."""
        loop = operation.name == "scf.for"
        outside = dict(self.values)
        carried = operands[3:] if loop else operands
        kept, again = unchanged(operation), passes_on(operation)
        ends: list[list[Any]] = []
        sure = loop and self.runs(*operands[:2])
        self.conditions += not sure
        for region in operation.regions:
            for block in region:
                if loop:
                    counter, *others = block.arguments
                    self.take(counter, self.counted(counter, *operands[:3]))
                    for k, argument in enumerate(others):
                        same = handed_on(block, argument, 1 + k)
                        self.take(argument, carried[k] if same else self.typed(argument))
                elif again and ends:  # a round begins with what its condition was asked of
                    for argument, value in zip(block.arguments, ends[0][1:], strict=True):
                        self.take(argument, value)
                else:
                    for k, argument in enumerate(block.arguments):
                        self.take(argument, carried[k] if k in kept else self.typed(argument))
                self.entered(block)
                self.block(block)
                last = block.operations[-1:]
                ends += [[self.values[x.name] for x in y.operands] for y in last]
        self.values = outside
        self.conditions -= not sure
        results = []
        for k, target in enumerate(operation.results):
            block = operation.regions[0][0]
            if k in kept or (loop and handed_on(block, block.arguments[1 + k], 1 + k)):
                results.append(carried[k])
            elif operation.name == "scf.if" and len(ends) == 2 and _same(ends[0][k], ends[1][k]):
                results.append(ends[0][k])
            else:
                results.append(self.typed(target))
                if operation.name == "scf.if":
                    self.scope.one_of(results[-1], [end[k] for end in ends])
                    self.defined(operation, results[-1], [end[k] for end in ends])
        return Step(operation, operands, tuple(results), "typed", "control flow")

    def bounded(self, step: Step) -> None:
        """Keep what the host computes as the lesser or the greater one of two integers."""
        make = {"arith.minsi": minimum, "arith.maxsi": maximum}.get(step.operation.name)
        known = all(type(x) is int or is_symbolic(x) for x in step.operands)
        known = known and all(x.type == "i32" for x in step.operation.operands)
        if make is not None and known and not self.function.is_kernel:
            (made,) = step.results
            if str(made) in self.scope.least:
                self.scope.defined[str(made)] = make(*step.operands)
                self.scope.compared[str(made)] = step.operands

    def defined(self, operation: Operation, made: Any, ends: Sequence[Any]) -> None:
        """Keep what the host chooses between two integers by comparing others."""
        asked = operation.operands[0].name
        steps = (s for s in reversed(self.function.steps) if s.operation.results)
        test = next((s for s in steps if s.operation.results[0].name == asked), None)
        if self.function.is_kernel or test is None or test.operation.name != "arith.cmpi":
            return
        values = (made, *ends, *test.operands)
        if len(ends) != 2 or not all(type(x) is int or is_symbolic(x) for x in values):
            return
        number = test.operation.properties["predicate"].partition(" ")[0]
        a, b = test.operands
        ahead = {"2": b - a, "3": b - a + 1, "4": a - b, "5": a - b + 1}.get(number)
        if ahead is not None and str(made) in self.scope.least:
            holds = minimum(1, maximum(0, ahead))
            self.scope.defined[str(made)] = ends[1] + (ends[0] - ends[1]) * holds


def divides_all(divisor: int, value: Any, scope: Scope) -> bool:
    """Return whether an integer is seen to be a multiple of a number, for all that it may be."""
    if isinstance(value, int):
        return value % divisor == 0
    try:
        return bool(facts(scope.given(value)).proves(divides(divisor, value)))
    except SymcuteError:
        return False


def _same(left: Any, right: Any) -> bool:
    """Return whether both branches hand on one value, which is known."""
    return left is not UNKNOWN and type(left) is type(right) and bool(left == right)


def _same_map(left: Any, right: Any) -> bool:
    """Return whether two layouts of numbers take the same value at each index."""
    if isinstance(left, Tensor) and isinstance(right, Tensor):
        return left.start == right.start and _same_map(left.layout, right.layout)
    if not isinstance(left, Layout) or not isinstance(right, Layout):
        return False
    if not left.is_static() or not right.is_static() or left.size() != right.size():
        return False
    size = int(left.size())
    return size <= MAX_COMPARED and all(left(i) == right(i) for i in range(size))
