"""One function of LLVM, which calls nothing of its own any more, to a program."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from symcute.frontends.cuda.builder import Builder
from symcute.frontends.cuda.ctype import Types
from symcute.frontends.cuda.settling import settled
from symcute.frontends.cuda.target import CUDA
from symcute.frontends.cuda.values import OPAQUE
from symcute.frontends.llvm.accesses import ACCESSES
from symcute.frontends.llvm.arithmetic import ARITHMETIC, Rule
from symcute.frontends.llvm.blocks import Graph, Ways, structured
from symcute.frontends.llvm.calls import CALLS, ends
from symcute.frontends.llvm.constants import Known, flags, incoming, targets
from symcute.frontends.llvm.debug import Debug, Described
from symcute.frontends.llvm.parts import PARTS
from symcute.frontends.llvm.text import (
    Function,
    Instruction,
    Local,
    Module,
    Operand,
    Tokens,
    Unread,
)
from symcute.frontends.llvm.types import Listed, LType, Number, Ptr, Record, integer, within
from symcute.frontends.llvm.values import UNDEFINED, Lowering, NoRule, Value
from symcute.kernel.ir.expression import Base, Const, Expr, Var
from symcute.kernel.ir.inside import every, expressions, reads, with_blocks
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import (
    Array,
    Havoc,
    Int,
    Kernel,
    Let,
    NotUnderstood,
    Param,
    Pointer,
    Stmt,
)

__all__ = ["lowered"]

#: One row for each instruction that is understood.
_RULES: Mapping[str, Rule] = {**ARITHMETIC, **PARTS, **ACCESSES, **CALLS}
_TOUCHING = ("load", "store", "atomicrmw", "cmpxchg", "call")
_WITHOUT_SIGN = ("add", "sub", "mul", "udiv", "urem", "lshr", "and", "call")
#: What has a sign if what it is made of has one; how many of these are followed.
_HANDED_ON, _FOLLOWED = ("phi", "or", "xor"), 200


def lowered(
    module: Module,
    function: Function,
    described: Debug,
    node: str,
    name: str,
    place: Place,
    shown: Callable[[str], str],
) -> Kernel:
    """Return a function as a program.

    `described` is the debug information of the source, in which `node` is the function; `shown`
    what a file is called whose places are shown, or nothing.
    """
    b = Builder(Types())
    b.taken.add("kernel")
    known = Known(module, function)
    k = Lowering(module, Debug(module), known, b, described, shown, place)
    params = _parameters(k, function, described, described.arguments(node))
    body = _Body(k, function).statements()
    body = settled(b, _used(body))
    return Kernel(
        name, tuple(params), tuple(b.arrays.values()), tuple(body), place, CUDA, unsaid=True,
        layouts=tuple(k.layouts), granted=tuple(k.granted),
    )  # fmt: skip


# --- parameters -----------------------------------------------------------------------------------


def _parameters(
    k: Lowering, function: Function, described: Debug, known: dict[str, Described]
) -> list[Param]:
    tokens = Tokens(function.header[function.header.index("(") :], k.module)
    tokens.need("(")
    params: list[Param] = []
    while not tokens.take(")"):
        type = tokens.type()
        tokens.attributes()
        name = tokens.local()
        tokens.take(",")
        params.append(_parameter(k, name, type, described, known))
    return params


def _parameter(
    k: Lowering, name: str, type: LType, described: Debug, known: dict[str, Described]
) -> Param:
    title, kind = name, known.get(name)
    field = re.fullmatch(r"(.*)\.field\.(\d+)", name)
    if field is not None:
        title, kind = f"{field[1]}_{field[2]}", None
        whole = known.get(field[1])
        if whole is not None:
            for at, inner, found in described.members(whole):
                if at == int(field[2]):
                    title, kind = f"{field[1]}_{_plainly(whole.text, inner)}", found
                    break
    title = _hint(title)
    text = kind.text if kind is not None else ""
    if isinstance(type, Number):
        own = kind.integer if kind is not None else None
        plain = own if own is not None and max(own.bits, 8) == max(type.bits, 8) else None
        given = plain or integer(type, signed=True)
        title = k.b.fresh(title)
        value: Value = Var(title, given)
        if given.bits != type.bits:  # a bool that is handed over as a byte
            value = k.cast(Var(title, given), integer(type), True)
        k.names[name] = value
        within = given if kind is not None and kind.enum else None
        return Param(title, given, k.here, text or f"i{type.bits}", within=within)
    if isinstance(type, Ptr):
        target = kind.target if kind is not None else None
        title = k.b.fresh(title)
        size = target.size if target is not None else 1
        k.b.arrays[title] = Array(
            title, "global", size, None, size & -size if size <= 16 else 1, k.here, text or "ptr",
            target.integer if target is not None else None,
        )  # fmt: skip
        k.names[name] = Base(title)
        return Param(title, Pointer(), k.here, text or "ptr", title)
    k.names[name] = OPAQUE
    return Param(k.b.fresh(title), None, k.here, text or "float")


def _plainly(type: str, fields: str) -> str:
    """Return the fields of a struct as CuTe calls them: the modes of tuples, layouts' shapes."""
    modes = re.compile(r"(?:rest__)*first_(?=_|$)")
    plain = modes.sub(lambda m: str(m[0].count("rest_")), fields)
    if type.startswith("Tensor<"):
        plain = re.sub(r"^rep__0_", "", plain.replace("rep__1_storage__ptr_", "ptr"))
    if type.startswith(("Tensor<", "Layout<")):
        plain = re.sub(r"^0(?=_|$)", "shape", re.sub(r"^1(?=_|$)", "stride", plain))
    return plain


# --- blocks ---------------------------------------------------------------------------------------


class _Body:
    """The blocks of a function that can be reached."""

    def __init__(self, k: Lowering, function: Function) -> None:
        self._k, self._function = k, function
        k.made = {i.result: i for block in function.blocks.values() for i in block}
        #: Of the values that are chosen in a block: the types, and what comes from where.
        self._chosen: dict[str, dict[str, tuple[LType, dict[str, Operand]]]] = {}

    def statements(self) -> list[Stmt]:
        """Return the statements of the function."""
        k = self._k
        edges = k.known.edges
        graph = Graph(next(iter(self._function.blocks)), edges)
        if not graph.reducible:
            return [NotUnderstood("a loop that is entered in several ways", k.here, barrier=True)]
        for label in graph.number:
            self._choices(label)

        def block(label: str) -> tuple[list[Stmt], Ways]:
            with k.b.block() as out:
                ways = self._block(label)
            return out, ways

        found = structured(graph, block, self._edge)
        return [*k.b.prologue, *found]

    def _choices(self, label: str) -> None:
        """Let names stand for variables that are set on the ways to a block."""
        k, here = self._k, self._chosen.setdefault(label, {})
        for each in self._function.blocks[label]:
            if each.op != "phi":
                break
            if each.result in k.known.numbers:
                continue
            k.at(each)
            type, pairs = incoming(Tokens(each.rest, k.module))
            here[each.result] = type, {where: value for value, where in pairs}
            seen = {each.result: False}
            signed = any(self._has_sign(value, seen) for value, _ in pairs)
            k.names[each.result] = self._variables(each.result, type, signed)

    def _has_sign(self, operand: Operand, seen: dict[str, bool]) -> bool:
        """May an integer have a sign? What is computed without one has none, nor have its bits.

        `seen`: what is said of choices and bits that were asked before, or are being asked.
        """
        if not isinstance(operand, Local):
            return False
        name = operand.name
        value, made = self._k.names.get(name), self._k.made.get(name)
        if isinstance(value, Var):
            return isinstance(value.type, Int) and value.type.signed
        if made is None or (made.op in _HANDED_ON and len(seen) > _FOLLOWED):
            return True
        if made.op in _HANDED_ON:
            if name not in seen:
                seen[name] = False
                tokens = Tokens(made.rest, self._k.module)
                if made.op == "phi":
                    seen[name] = any(self._has_sign(v, seen) for v, _ in incoming(tokens)[1])
                else:
                    # As C has it, one operand without a sign is enough; a constant is of any type.
                    flags(tokens)
                    type, left = tokens.typed()
                    tokens.need(",")
                    both = (left, tokens.operand(type))
                    given = [v for v in both if isinstance(v, Local)]
                    seen[name] = all(self._has_sign(v, seen) for v in given)
            return seen[name]
        if made.op not in _WITHOUT_SIGN:
            return True
        return " nsw " in f" {made.rest} " or (made.op == "call" and "sreg" not in made.rest)

    def _variables(self, name: str, type: LType, signed: bool) -> Value:
        match type:
            case Number():
                return Var(self._k.b.fresh(_hint(name)), integer(type, signed))
            case Ptr():
                return Var(self._k.b.fresh(_hint(name)), Pointer())
            case Record() | Listed():
                count = type.count if isinstance(type, Listed) else len(type.fields)
                if count > 64:
                    return OPAQUE
                return tuple(
                    self._variables(f"{name}.{n}", within(type, n)[0], True) for n in range(count)
                )
        return OPAQUE

    def _edge(self, one: str, other: str) -> list[Stmt]:
        """Return what is set on the way from one block to another: all at once."""
        k = self._k
        with k.b.block() as out:
            pairs: list[tuple[Var, Expr]] = []
            for name, (type, values) in self._chosen[other].items():
                if one not in values:
                    raise Unread(f"%{name} is not given on a way")
                found = k.value(type, values[one])
                self._paired(k.names[name], type, found, pairs)
            for n, (_, value) in enumerate(pairs):
                if reads(value) & {v.name for v, _ in pairs[:n]}:
                    # What is set before it is read must be read first.
                    pairs = [(v, k.b.let(f"{v.name}.next", e, k.here)) for v, e in pairs]
                    break
            for var, value in pairs:
                if value != var:
                    k.b.emit(Let(var.name, value, k.here))
        return out

    def _paired(self, var: Value, type: LType, value: Value, pairs: list[tuple[Var, Expr]]) -> None:
        k = self._k
        if isinstance(var, tuple):
            for n, part in enumerate(var):
                inner = value[n] if isinstance(value, tuple) else OPAQUE
                self._paired(part, within(type, n)[0], inner, pairs)
        elif isinstance(var, Var) and isinstance(var.type, Int):
            if isinstance(type, Number) and type.bits == 1:
                pairs.append((var, k.truth(value)))
            else:
                # The bits are what matters: a sign is asked for where one is needed.
                pairs.append((var, k.cast(k.number(value, type, None), var.type, True)))
        elif isinstance(var, Var):
            pairs.append((var, k.pointer(value)))

    def _block(self, label: str) -> Ways:
        k = self._k
        *body, end = self._function.blocks[label]
        for each in body:
            if each.op != "phi":
                self._instruction(each)
        place = k.at(end)
        if end.op == "unreachable" and not any(map(ends, body)):
            k.b.emit(
                NotUnderstood(f"{UNDEFINED} is taken never to be reached", place, barrier=True)
            )
        ways: list[tuple[Expr | None, str]] = []
        alive = k.known.edges[label]
        for test, target in targets(k.module, end):
            if target not in alive:
                continue
            if test is None or len(set(alive)) == 1:
                ways.append((None, target))
                break
            type, operand, wanted = test
            if isinstance(type, Number) and type.bits == 1:
                ways.append((k.truth(k.value(type, operand)), target))
                continue
            value = k.number(k.value(type, operand), type, None)
            one = k.cast(_constant(wanted, type), _int(value), True)
            ways.append((k.compared("==", value, one), target))
        return Ways(ways, place)

    def _instruction(self, each: Instruction) -> None:
        k = self._k
        place = k.at(each)
        if each.result in k.known.numbers:
            return
        rule = _RULES.get(each.op)
        with k.b.block() as out:
            try:
                if rule is None:
                    raise NoRule(f"the instruction {each.op}")
                value = rule(k, each, Tokens(each.rest, k.module))
                if each.op in _TOUCHING:
                    k.touched(each)
                if each.result:
                    k.keep(each.result, OPAQUE if value is None else value)
            except (NoRule, Unread, IndexError) as error:
                out.clear()
                why = str(error) or f"the instruction {each.op}"
                k.b.emit(NotUnderstood(why, place, barrier=True))
                k.names[each.result] = OPAQUE
        k.b.out += out


def _hint(name: str) -> str:
    return f"t{name}" if name[:1].isdigit() else name


def _int(value: Expr) -> Int:
    assert isinstance(value.type, Int)
    return value.type


def _constant(number: int, type: LType) -> Expr:
    assert isinstance(type, Number)
    signed = integer(type, signed=True)
    return Const(signed.wrap(number), signed)


# --- what nobody reads ----------------------------------------------------------------------------


def _used(statements: list[Stmt]) -> list[Stmt]:
    """Return statements without values of which nothing is known that nobody reads."""
    read: set[str] = set()
    for s in every(statements):
        for e in expressions(s):
            read |= reads(e)

    def kept(block: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        out: list[Stmt] = []
        for s in block:
            if not isinstance(s, Havoc) or s.name in read:
                out.append(with_blocks(s, kept))
        return tuple(out)

    return list(kept(tuple(statements)))
