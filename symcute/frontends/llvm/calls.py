"""Calls: intrinsics of LLVM and functions of CUDA's library; of others nothing is known."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from symcute.frontends.cuda.instructions import Context, Operands, lowered
from symcute.frontends.cuda.values import OPAQUE
from symcute.frontends.llvm.accesses import apart, atomic, copied, filled, read
from symcute.frontends.llvm.arithmetic import Rule
from symcute.frontends.llvm.descriptors import described
from symcute.frontends.llvm.preparing import ANY, DOUBT, MOVABLE
from symcute.frontends.llvm.text import Instruction, Tokens
from symcute.frontends.llvm.types import LType, Number, Other, Ptr, integer
from symcute.frontends.llvm.values import BOOL, LONG, Lowering, NoRule, Value
from symcute.kernel.ir.expression import Base, Binary, Builtin, Const, Select, Unary
from symcute.kernel.ir.program import Array, Atomic, Barrier, Int, Leave, NotUnderstood, Promise
from symcute.kernel.ir.semantics import BARRIERS

__all__ = ["CALLS", "ends"]

_UNSIGNED, _INT = Int(32, False), Int(32, True)
_REGISTERS = {"tid": "threadIdx", "ctaid": "blockIdx", "ntid": "blockDim", "nctaid": "gridDim"}
_ALL_LANES = -1
#: An operand of assembly: a number, which may stand in braces of its own.
_OPERAND = re.compile(r"\$(?:(\d+)|\{(\d+)\})")
#: What ends a thread, and what never comes back to it.
_ENDS = ("llvm.trap", "llvm.ubsantrap", "__trap", "exit", "abort", "__assertfail", "__assert_fail")
#: Calls of these names, or of names that begin so and end in a dot or a star, do nothing here.
_SILENT = re.compile(
    r"llvm\.(?:lifetime\.|dbg\.|experimental\.noalias|prefetch|nvvm\.(?:membar|fence)"
    r"|donothing|invariant\.|var\.annotation)|symcute\.hold"
)
_FLOATS = re.compile(
    r"llvm\.(?:fabs|sqrt|fma|fmuladd|exp2?|log(?:2|10)?|pow|sin|cos|floor|ceil|trunc|rint|nearbyint"
    r"|round|copysign|minnum|maxnum|minimum|maximum|ldexp|canonicalize"
    r"|nvvm\.(?:f|add|mul|div|sqrt|rsqrt|rcp|ex2|lg2|sin|cos|saturate|ceil|floor|round|trunc|neg"
    r"|abs|ff|d2|lohi|fma|f2|i2|ui2|ll2|ull2|h2|bitcast)[\w.]*)\b"
)
_NV_BITS = {"popc": "popc", "clz": "clz", "ffs": "ffs", "brev": "brev"}
_ORDERED = {"min": ("min", True), "umin": ("min", False), "llmin": ("min", True),
            "ullmin": ("min", False), "max": ("max", True), "umax": ("max", False),
            "llmax": ("max", True), "ullmax": ("max", False)}  # fmt: skip


Arguments = list[tuple[LType, Value, dict[str, str]]]
Called = Callable[[Lowering, str, LType, Arguments], "Value | None"]


def _call(k: Lowering, each: Instruction, tokens: Tokens) -> Value | None:
    while tokens.take("fast", "contract", "nnan", "ninf", "nsz", "arcp", "afn", "reassoc"):
        pass
    tokens.attributes()
    type = tokens.type()
    if tokens.peek == "(":  # the types of a function of which these are not all
        depth = 0
        while True:
            depth += {"(": 1, ")": -1}.get(tokens.next(), 0)
            if not depth:
                break
    if tokens.take("asm"):
        return _assembly(k, tokens, type)
    name = tokens.next()
    if not name.startswith("@"):
        raise NoRule("a call through a pointer")
    name = name[1:].strip('"')
    if _SILENT.match(name):
        return None
    if name in _ENDS:
        k.b.emit(Leave("kernel", k.here, stops=True))
        return None
    if name.startswith(ANY):
        return OPAQUE
    arguments = _arguments(k, tokens)
    for pattern, called in CALLED:
        if re.fullmatch(pattern, name):
            return called(k, name, type, arguments)
    raise NoRule(f"a call of {name}")


def _arguments(k: Lowering, tokens: Tokens, describing: bool = False) -> Arguments:
    """Take arguments, some of which may be descriptors."""
    found: Arguments = []
    tokens.need("(")
    while not tokens.take(")"):
        if tokens.peek == "metadata":
            raise NoRule("an argument that is metadata")
        kind, operand, said = tokens.argument()
        descriptor = described(k, kind, operand) if describing else None
        found.append((kind, descriptor or k.value(kind, operand), said))
        tokens.take(",")
    tokens.end()
    return found


def ends(each: Instruction) -> bool:
    """Does a call end the thread?"""
    found = re.search(r"@([-\w$.]+)\(", each.rest)
    trap = re.search(r'asm [a-z ]*"(?:trap|exit);?"', each.rest)
    return each.op == "call" and bool(trap or (found and found[1] in _ENDS))


# --- assembly -------------------------------------------------------------------------------------


def _assembly(k: Lowering, tokens: Tokens, type: LType) -> Value | None:
    stays = True
    while word := tokens.take("sideeffect", MOVABLE, "inteldialect", "unwind"):
        stays = stays and word != MOVABLE
    text, constraints = tokens.next()[1:-1], ""
    tokens.need(",")
    constraints = tokens.next()[1:-1]
    given = _arguments(k, tokens, "wgmma" in text)
    arguments = [OPAQUE if isinstance(v, tuple) else v for _, v, _ in given]
    outputs = 0
    for each in constraints.split(",") if constraints else ():
        if each.startswith("=") and "*" not in each:
            outputs += 1
        elif not re.fullmatch(r"[a-z]|\d+|~\{memory\}", each):
            raise NoRule("inline assembly with operands in memory")
    text = re.sub(r"\\([0-9A-F]{2})", lambda m: chr(int(m[1], 16)), text)
    if re.search(r"\$(?![\d{$])|\$\{\d+:", text):
        raise NoRule("inline assembly with alternatives")
    plain = text.replace("%", "%%").replace("$$", "\0")
    plain = _OPERAND.sub(r"%\1\2", plain).replace("\0", "$").replace("%%", "%")
    if re.search(r"(?<!\$)%\d", text):
        raise NoRule("inline assembly with registers of numbers")
    if re.fullmatch(r"\s*(?:trap|exit)\s*;?\s*", plain):
        k.b.emit(Leave("kernel", k.here, stops="trap" in plain))
        return None
    held = Operands([], outputs, list(arguments))
    reason = lowered(Context(k.b, k.here, held), plain, stays)
    if reason:
        raise NoRule(reason)
    return OPAQUE


# --- rules ----------------------------------------------------------------------------------------


def _register(k: Lowering, name: str, type: LType, given: Arguments) -> Value:
    found = re.fullmatch(r"llvm\.nvvm\.read\.ptx\.sreg\.(\w+)\.([xyz])", name)
    if found and found[1] in _REGISTERS:
        return Builtin(f"{_REGISTERS[found[1]]}.{found[2]}", _UNSIGNED)
    if name.endswith("sreg.warpsize"):
        return Builtin("warpSize", _INT)
    if name.endswith("sreg.laneid"):
        return Builtin("laneId", _UNSIGNED)
    return k.any(type, "a special register")


def _number(value: Value) -> int | None:
    return value.value if isinstance(value, Const) else None


def _barrier(k: Lowering, name: str, type: LType, given: Arguments) -> Value | None:
    if name.startswith("llvm.nvvm.barrier.sync") and (
        len(given) != 1 or _number(given[0][1]) not in BARRIERS
    ):
        k.b.emit(NotUnderstood("a barrier of a number that is not known", k.here, (), (), True))
        return None
    number = _number(given[0][1]) if name.startswith("llvm.nvvm.barrier.sync") else None
    k.b.emit(Barrier("block", k.here, number))
    if type == Other("void"):
        return None
    return k.any(type, "what a block votes", uniform=True)


def _warp_barrier(k: Lowering, name: str, type: LType, given: Arguments) -> None:
    mask = _number(given[0][1])
    if mask is None or Int(32, True).wrap(mask) != _ALL_LANES:
        k.b.emit(NotUnderstood("a barrier for some lanes of a warp", k.here, (), (), True))
        return
    k.b.emit(Barrier("warp", k.here))


def _unknown(k: Lowering, name: str, type: LType, given: Arguments) -> Value:
    """Return any number: what other lanes have, or what a function of numbers comes to."""
    if isinstance(type, Ptr) or any(isinstance(kind, Ptr) for kind, _, _ in given):
        raise NoRule(f"a call of {name}")
    return k.any(type, f"the result of {name}") if isinstance(type, Number) else OPAQUE


def _ordered(k: Lowering, name: str, type: LType, given: Arguments) -> Value:
    found = re.fullmatch(r"llvm\.([su])(min|max)\.i\d+", name)
    op, signed = (found[2], found[1] == "s") if found else _ORDERED[name.removeprefix("__nv_")]
    if not isinstance(type, Number):
        return OPAQUE
    one, other = (k.number(v, type, signed) for _, v, _ in given)
    return Binary(op, one, other, integer(type, signed), k.here)


def _absolute(k: Lowering, name: str, type: LType, given: Arguments) -> Value:
    if not isinstance(type, Number):
        return OPAQUE
    value = k.b.let("t", k.number(given[0][1], type, True), k.here)
    kind = integer(type, True)
    below = Binary("<", value, Const(0, kind), BOOL, k.here)
    return Select(below, Unary("-", value, kind, k.here), value, kind)


def _bits(k: Lowering, name: str, type: LType, given: Arguments) -> Value:
    found = re.fullmatch(r"__nv_(popc|clz|ffs|brev)(?:ll)?|llvm\.(ctpop|bitreverse)\.i\d+", name)
    if found is None or not isinstance(given[0][0], Number) or not isinstance(type, Number):
        raise NoRule(f"a call of {name}")
    op = _NV_BITS.get(found[1] or "", {"ctpop": "popc", "bitreverse": "brev"}.get(found[2] or ""))
    value = k.cast(k.number(given[0][1], given[0][0], None), integer(given[0][0]), True)
    result = integer(type, op != "brev")
    return Unary(op or "popc", value, result, k.here)


def _product(k: Lowering, name: str, type: LType, given: Arguments) -> Value:
    """Multiply the lowest 24 bits of two numbers, in which nothing overflows."""
    signed, values = "umul" not in name, []
    for kind, value, _ in given:
        number = k.number(value, kind, None)
        values.append(k.cast(k.cast(number, Int(24, signed), True), LONG, True))
    return k.cast(Binary("*", values[0], values[1], LONG, k.here), Int(32, signed), True)


def _counted(k: Lowering, name: str, type: LType, given: Arguments) -> Value:
    """Count up or down at once, around at the number that is given."""
    (kind, where, _), (number, limit, _) = given
    op = "atomicInc" if ".inc." in name else "atomicDec"
    return atomic(k, op, kind, k.pointer(where), number, limit, "device")


def _global_load(k: Lowering, name: str, type: LType, given: Arguments) -> Value:
    align = _number(given[1][1]) if len(given) > 1 else None
    return read(k, type, given[0][0], k.pointer(given[0][1]), align or 0)


def _memory(k: Lowering, name: str, type: LType, given: Arguments) -> None:
    size = _number(given[2][1])
    if size is None:
        raise NoRule("a copy of as many bytes as is computed")
    if size == 0:
        return
    aligned = [int(said.get("align") or 1) for _, _, said in given]
    kinds = [kind for kind, _, _ in given]
    to = k.pointer(given[0][1])
    if name.startswith("llvm.memset"):
        filled(k, kinds[0], to, aligned[0], size, _number(given[1][1]))
        return
    ends = (to, k.pointer(given[1][1]))
    asks = _number(given[3][1]) == 0
    copied(k, (kinds[0], kinds[1]), ends, (aligned[0], aligned[1]), size, asks)


def _doubted(k: Lowering, name: str, type: LType, given: Arguments) -> None:
    apart(k, k.pointer(given[0][1]))


def _promised(k: Lowering, name: str, type: LType, given: Arguments) -> None:
    k.b.emit(Promise("__builtin_assume", k.truth(given[0][1]), k.here))


def _printed(k: Lowering, name: str, type: LType, given: Arguments) -> Value:
    """Print: what is printed goes to a buffer in which calls take turns."""
    buffer = "printf buffer"
    if buffer not in k.b.arrays:
        k.b.taken.add(buffer)
        k.b.arrays[buffer] = Array(buffer, "global", 1, 1, 1, k.here, "the buffer of printf")
    k.b.emit(Atomic("printf", Base(buffer), 1, k.here, scope="system"))
    return k.any(type, "the result of printf")


_PURE = r"__nv_\w+"
CALLED: tuple[tuple[str, Called], ...] = (
    (r"llvm\.nvvm\.read\.ptx\.sreg\.[\w.]+", _register),
    (r"llvm\.nvvm\.barrier0(?:\.\w+)?|llvm\.nvvm\.barrier\.sync",
     _barrier),
    (r"llvm\.nvvm\.bar\.warp\.sync", _warp_barrier),
    (r"llvm\.nvvm\.(?:shfl|vote|match|redux|activemask)\S*", _unknown),
    (r"llvm\.[su](?:min|max)\.i\d+", _ordered),
    (r"__nv_(?:u|ll|ull)?(?:min|max)", _ordered),
    (r"llvm\.abs\.i\d+|__nv_(?:ll)?abs", _absolute),
    (r"__nv_(?:popc|clz|ffs|brev)(?:ll)?|llvm\.(?:ctpop|bitreverse)\.i\d+", _bits),
    (r"__nv_u?mul24", _product),
    (r"llvm\.nvvm\.atomic\.load\.(?:inc|dec)\.32\.p\w+", _counted),
    (r"(?:llvm\.nvvm|symcute)\.ldg\.\S+", _global_load),
    (r"llvm\.(?:memcpy|memmove|memset)\.\S+", _memory),
    (_FLOATS.pattern + r"\S*", _unknown),
    (_PURE, _unknown),
    (re.escape(DOUBT), _doubted),
    (r"llvm\.assume", _promised),
    (r"vprintf", _printed),
)  # fmt: skip
CALLS: Mapping[str, Rule] = {"call": _call}
