"""The walk over a kernel: what names are there, and the statements so far.

What the operations are in a program say the rules, which are given.
"""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias

from symcute.errors import SymcuteError
from symcute.expr.expression import is_symbolic
from symcute.frontends.cutedsl.arithmetic import BOOL, I32, I64, Unwritten, width, written
from symcute.frontends.cutedsl.carried import passes_on
from symcute.frontends.cutedsl.evaluation import Function, Step
from symcute.frontends.cutedsl.origins import origins
from symcute.frontends.cutedsl.registers import Counter, Registers
from symcute.frontends.cutedsl.rules import RULES as COMPUTED
from symcute.frontends.cutedsl.shares import Shares
from symcute.frontends.cutedsl.text import Block, Operation, Value
from symcute.frontends.cutedsl.types import AtomType
from symcute.frontends.cutedsl.uniformity import PURE, asked, varying
from symcute.frontends.cutedsl.values import Pointer, Scope, Tensor, dims_of
from symcute.kernel.ir.expression import Base, Binary, Builtin, Cast, Const, Expr, Var
from symcute.kernel.ir.inside import reads
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import (
    Array,
    Barrier,
    Havoc,
    If,
    Int,
    Let,
    NotUnderstood,
    Signal,
    Stmt,
)
from symcute.kernel.ir.program import Pointer as Address
from symcute.kernel.ir.semantics import MBARRIER
from symcute.layout.layout import Layout

__all__ = ["ELECTED", "Rule", "Walk"]

#: The parameter that says which lane of a warp is elected.
ELECTED = "elected"

#: What an operation is in a program: it adds statements, and says what conditions are.
Rule: TypeAlias = "Callable[[Walk, Step, Place], None]"
#: What does nothing that a program shows: it ends a body, makes registers, or is of descriptors.
_NOTHING = (
    "cuda.return", "scf.yield", "scf.condition", "cute.print", "cute.memref.alloca",
    "nvvm.setmaxregister", "cute_nvgpu.prefetch_tma_desc", "cute_nvgpu.arch.sm100.dealloc_tmem",
    "cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit",
)  # fmt: skip
#: What stores to no registers.
_KEEPS = (*_NOTHING, "cute.mma.make_fragment", "cute.memref.load", "cute.memref.load_vec")
#: What gives data or numbers, and touches no memory: of shuffles nothing is known.
_COMPUTES = (
    *PURE, "math.", "vector.", "nvvm.read.ptx.sreg.", "cute.elem_less", "nvvm.shfl.sync",
    "nvvm.fmax", "nvvm.fmin", "nvvm.rcp.approx.", "cute_nvgpu.arch.make_warp_uniform",
    "cute_nvgpu.atom.make_", "cute_nvgpu.atom.set_value", "cute.filter", "cute.flat_divide",
    "cute.shape_div", "cute.mma.make_fragment",
)  # fmt: skip
_ALLOCATED = "cute.memref.alloca"
_BUILTINS = {"tid": "threadIdx", "ctaid": "blockIdx", "ntid": "blockDim", "nctaid": "gridDim"}


class Walk:
    """The walk over a kernel: what names are there, and the statements so far."""

    def __init__(
        self,
        function: Function,
        scope: Scope,
        arrays: dict[str, Array],
        parameters: dict[str, Int],
        at: Place,
        rules: Mapping[str, Rule],
        accesses: Sequence[str],
    ) -> None:
        self.rules, self.accesses = rules, accesses
        self.function, self.scope, self.at = function, scope, at
        self.steps = {id(s.operation): s for s in function.steps}
        self.out: list[Stmt] = []
        self.dims: dict[str, Expr] = {n: Var(n, t) for n, t in parameters.items()}
        for name, (kind, axis) in scope.registers.items():
            if kind in _BUILTINS:
                self.dims[name] = Builtin(f"{_BUILTINS[kind]}.{axis}", I32)
            elif kind == "laneid":
                self.dims[name] = Builtin("laneId", I32)
        self.truths: dict[str, Expr] = {}
        #: Addresses in values of other types: pointers of LLVM, and atoms that know an mbarrier.
        self.carried: dict[str, Expr] = {}
        #: Where the operands of MMAs lie that are in shared memory.
        self.fragments: dict[str, tuple[Expr, Tensor]] = {}
        #: What copies by TMA are of, by the names of atoms, and where what they read is not kept.
        self.descriptors: dict[str, Any] = {}
        self.loaded: dict[str, Place] = {}
        #: The variables that may be anything, which is not understood, and what is made of them.
        self.unclear: set[str] = set()
        #: The dims that are phases of pipelines.
        self.phases: set[str] = set()
        #: What stands for barriers with numbers, and how many threads each counts.
        self.barriers: dict[Array, int] = {}
        self.around: list[Counter] = []
        levels = dict.fromkeys(parameters, 0)
        self.registers = Registers(levels, frozenset(_shared_roots(function)))
        self.shares = Shares(scope, arrays, self.dims, origins(function))
        self._made = 0

    @cached_property
    def of_lanes(self) -> set[str]:
        """The names of values that may differ between the lanes of a warp."""
        return varying(self.function.operation)

    @cached_property
    def divided(self) -> set[int]:
        """The operations that not all threads of a block need come to equally often, by `id`."""
        varies = varying(self.function.operation, True, self._given())
        found: set[int] = set()
        for step in self.function.steps:
            operation = step.operation
            if operation.regions and operation is not self.function.operation:
                known = operation.name in ("scf.for", "scf.if") or passes_on(operation)
                if not known or any(x.name in varies for x in asked(operation)):
                    found.update(id(x) for x in operation.walk())
        return found

    def _given(self) -> set[str]:
        """Return the names of integers that are known by what the host gives, in all regions."""
        found: dict[str, bool] = {}
        for step in self.function.steps:
            for target, value in zip(step.operation.results, step.results, strict=True):
                known = (is_symbolic(value) or type(value) is int) and not (
                    dims_of(value) - self.scope.host
                )
                found[target.name] = known and found.get(target.name, True)
        return {name for name, known in found.items() if known}

    # --- what rules ask for ------------------------------------------------------------------

    def name(self) -> str:
        """Return a name for a variable that no dim has."""
        self._made += 1
        while f"v{self._made}" in self.scope.least:
            self._made += 1
        return f"v{self._made}"

    def integer(self, x: Any, place: Place, type: Int | None = None) -> Expr:
        """Return an integer of the module in the program."""
        return written(x, type or width(self.scope, x), self.dims, self.scope, place)

    def truth(self, value: Value) -> Expr:
        """Return a condition. Errors: Unwritten where it is not known."""
        if value.name not in self.truths:
            raise Unwritten("a condition that is not known")
        return self.truths[value.name]

    def assign(self, name: str, value: Expr, place: Place) -> None:
        """Let a variable have a value from here on."""
        self.out.append(Let(name, value, place))
        if not self.unclear.isdisjoint(reads(value)):
            self.unclear.add(name)
        self.registers.levels[name] = len(self.around)

    def numbered(self, number: int, threads: int, place: Place) -> Expr:
        """Return where the mbarrier lies that stands for a barrier with a number.

        The first thread makes it before all else; see `Array.numbered`.
        """
        array = Array(f"barrier {number}", "shared", MBARRIER, MBARRIER, MBARRIER, self.at,
                      f"barrier {number} of {threads} threads", numbered=True)  # fmt: skip
        self.barriers[array] = threads
        return Base(array.name)

    def begun(self) -> Iterator[Stmt]:
        """Yield what makes the barriers with numbers, as all threads see it."""
        made: tuple[Stmt, ...] = tuple(
            Signal("init", Base(a.name), Const(n, I32), a.place) for a, n in self.barriers.items()
        )
        if not made:
            return
        for axis in "xyz":
            first = Binary("==", Builtin(f"threadIdx.{axis}", I32), Const(0, I32), BOOL, self.at)
            made = (If(first, made, (), self.at),)
        yield from (*made, Barrier("block", self.at))

    def unknown(self, name: str, type: Int | Address, reason: str, place: Place) -> None:
        """Let a variable be anything, which is not understood."""
        self.out += [Havoc(name, type, reason, place), NotUnderstood(reason, place, (name,), ())]
        self.unclear.add(name)
        self.registers.levels[name] = len(self.around)

    def inside(self, block: Block, counter: Counter, ended: Callable[[], None]) -> list[Stmt]:
        """Return the statements of a block in a loop or branch; `ended` adds those at its end."""
        out, self.out = self.out, []
        known = self.known()
        self.around.append(counter)
        try:
            self.block(block)
            ended()
            return self.out
        finally:
            self.around.pop()
            self.restore(known)
            self.out = out

    def known(self) -> tuple[dict[str, Any], ...]:
        """Return what names are conditions and addresses."""
        return (
            dict(self.truths), dict(self.shares.pointers), dict(self.carried),
            dict(self.fragments), dict(self.descriptors),
        )  # fmt: skip

    def restore(self, known: tuple[dict[str, Any], ...]) -> None:
        """Let names be what they were: those of a body are there no more."""
        self.truths, self.shares.pointers, self.carried, self.fragments, self.descriptors = known

    def cast(self, x: Expr, type: Int, place: Place) -> Expr:
        """Return an integer in a type."""
        return x if x.type == type else Cast(x, type, place)

    def clears(self, step: Step) -> bool:
        """Return whether an operation stores `false` to all elements of a whole fragment."""
        operation = step.operation
        if operation.name != "cute.memref.store_vec" or len(step.operands) != 2:
            return False
        tensor = step.operands[1]
        start = tensor.start if isinstance(tensor, Tensor) else None
        if not isinstance(start, Pointer) or start.offset != 0 or start.element != "i8":
            return False
        whole = self._sizes.get(start.root)
        return (
            isinstance(tensor.layout, Layout)
            and tensor.layout.is_static()
            and whole == tensor.layout
            and operation.operands[0].name in self._falses
        )

    @cached_property
    def _sizes(self) -> dict[str, Any]:
        """The layouts of fragments in registers, as they are allocated."""
        made = [s.results[0] for s in self.function.steps if s.operation.name == _ALLOCATED]
        return {
            x.start.root: x.layout
            for x in made
            if isinstance(x, Tensor) and isinstance(x.start, Pointer) and x.start.space == "rmem"
        }

    @cached_property
    def _falses(self) -> set[str]:
        """The names of vectors of which all elements are `false`."""
        made: dict[str, list[Operation]] = {}
        for step in self.function.steps:
            for result in step.operation.results:
                made.setdefault(result.name, []).append(step.operation)

        def is_false(name: str) -> bool:
            return name in made and all(map(one, made[name]))

        def one(operation: Operation) -> bool:
            if operation.name == "arith.constant":
                return operation.properties.get("value") == "false"
            passes = ("vector.broadcast", "arith.extsi", "arith.extui")
            return operation.name in passes and is_false(operation.operands[0].name)

        return {name for name in made if is_false(name)}

    def cleared(self, operation: Operation) -> set[str]:
        """Return the roots of registers that operations inside one store nothing but `false` to."""
        found: set[str] = set()
        others: set[str] = set()
        for inner in operation.walk():
            step = self.steps[id(inner)]
            (found if self.clears(step) else others).update(_stored(step))
        return found - others

    def stored(self, operation: Operation) -> Count[str]:
        """Return, by the roots of registers, how many operations inside one may store to them."""
        found: Count[str] = Count()
        for inner in operation.walk():
            found.update(_stored(self.steps[id(inner)]))
        return found

    # --- the walk ----------------------------------------------------------------------------

    def block(self, block: Block) -> None:
        """Go through the operations of a block."""
        for operation in block.operations:
            step = self.steps[id(operation)]
            place = operation.place or self.at
            self.settle(step, place)
            rule = self.rules.get(operation.name)
            try:
                if rule is not None:
                    rule(self, step, place)
                elif operation.name in _NOTHING:
                    pass
                elif operation.regions or not _computes(operation):
                    raise Unwritten(f"{operation.name} has no rule")
            except SymcuteError as error:
                self.failed(step, str(error).splitlines()[0], place)
            except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
                # Operands of a form that the rule does not foresee: they are not understood.
                self.failed(step, f"{operation.name}: {type(error).__name__}: {error}", place)
            self.results(step, place)

    def settle(self, step: Step, place: Place) -> None:
        """Compute what has to be inside its type for an operation."""
        for name in sorted(dims_of(step.operands) & self.scope.settled.keys() - self.dims.keys()):
            value, bits = self.scope.settled[name]
            type, divisor = self.type_of(name), self.scope.divisors.get(name, 1)
            try:
                made = self.cast(self.integer(value, place, Int(bits, True)), type, place)
                if divisor != 1:
                    made = Binary("/", made, Const(divisor, type), type, place)
                self.assign(name, made, place)
            except SymcuteError as error:
                self.unknown(name, type, str(error).splitlines()[0], place)
            self.dims[name] = Var(name, type)

    def failed(self, step: Step, reason: str, place: Place) -> None:
        """Take an operation that is not understood: it may access anything, and be a barrier."""
        operation = step.operation
        self.registers.forget({*_roots(step.operands), *self.stored(operation)})
        if not operation.regions and _computes(operation):
            return
        touched: tuple[str, ...] | None = None
        if operation.name in self.accesses:
            each = [None if _apart(x) else self.shares.array_of(x) for x in step.operands]
            if None not in each:
                touched = tuple(dict.fromkeys(n for x in each for n in x or ()))
        barrier = bool(operation.regions) or operation.name not in self.accesses
        if touched != ():
            self.out.append(NotUnderstood(reason, place, (), touched, barrier))

    def results(self, step: Step, place: Place) -> None:
        """Let what an operation makes be variables, where it is not known otherwise."""
        operands = zip(step.operation.operands, step.operands, strict=True)
        sources = [(o.name, v) for o, v in operands]
        for target, value in zip(step.operation.results, step.results, strict=True):
            if not step.operation.regions:
                self.shares.take(target.name, value, sources, place)
            for name in sorted(dims_of(value) - self.dims.keys() - self.scope.bent.keys()):
                reason = f"what {step.operation.name} gives is not known"
                self.unknown(name, self.type_of(name), reason, place)
                self.dims[name] = Var(name, self.type_of(name))

    def type_of(self, name: str) -> Int:
        """Return the type of the variable that a dim is."""
        return I64 if self.scope.bits.get(name, 32) > 32 else I32


def _computes(operation: Operation) -> bool:
    """Return whether an operation does nothing but compute what it gives."""
    name = operation.name
    return name in COMPUTED or name.startswith(_COMPUTES)


def _stored(step: Step) -> set[str]:
    """Return the roots of registers that an operation itself may store to."""
    operation = step.operation
    if operation.name == "cute.copy":
        return _roots(step.operands[2:3])
    if operation.regions or operation.name in _KEEPS or _computes(operation):
        return set()
    return _roots(step.operands)


def _roots(values: Sequence[Any]) -> set[str]:
    """Return the roots of what values point to in registers."""
    starts = [x.start if isinstance(x, Tensor) else x for x in values]
    return {x.root for x in starts if isinstance(x, Pointer) and x.space == "rmem"}


def _apart(x: Any) -> bool:
    """Return whether a value stands for memory without pointing there: of TMA, and of MMAs."""
    if isinstance(x, Tensor):
        return not isinstance(x.start, Pointer)
    return isinstance(x, AtomType) and "smem_desc" in x.text


def _shared_roots(function: Function) -> Iterator[str]:
    """Yield the roots of registers that may be those of another root.

    That is where the value of an operation, or an argument of a body, is in registers that are not
    known to be those of what it is made of.
    """
    blocks = {id(s.operation): s for s in function.steps}
    for step in function.steps:
        operation = step.operation
        inner = [block for region in operation.regions for block in region]
        ends = [blocks[id(b.operations[-1])].operands for b in inner if b.operations]
        begins = [function.arguments.get(id(b), ()) for b in inner]
        given = _roots([x for each in (step.operands, *ends) for x in each])
        made = _roots([x for each in (step.results, *begins) for x in each])
        if given and (made - given or operation.name == "cute.ptrtoint"):
            yield from given | made
