"""What instructions give of numbers, which blocks that leaves, and what each name is then."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping

from symcute.frontends.llvm.text import (
    Function,
    Instruction,
    Literal,
    Local,
    Module,
    Operand,
    Tokens,
    Unread,
)
from symcute.frontends.llvm.types import LType, Number
from symcute.kernel.ir.program import Int

__all__ = ["COMPARISONS", "Known", "flags", "incoming", "targets"]

#: The comparisons, as operators of programs, and whether they are of signed numbers (None: either).
COMPARISONS: Mapping[str, tuple[str, bool | None]] = {
    "eq": ("==", None), "ne": ("!=", None), "slt": ("<", True), "sle": ("<=", True),
    "sgt": (">", True), "sge": (">=", True), "ult": ("<", False), "ule": ("<=", False),
    "ugt": (">", False), "uge": (">=", False),
}  # fmt: skip
_COMPARED: Mapping[str, Callable[[int, int], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_PLAIN: Mapping[str, Callable[[int, int], int]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "and": operator.and_,
    "or": operator.or_, "xor": operator.xor,
}  # fmt: skip
_WORDS = ("nsw", "nuw", "exact", "disjoint", "nneg", "samesign")


def flags(tokens: Tokens) -> set[str]:
    """Take what is promised of an instruction."""
    found = set()
    while word := tokens.take(*_WORDS):
        found.add(word)
    return found


def _binary(op: str, said: set[str], type: Int, a: int, b: int) -> int | None:
    """Return the result of two unsigned numbers, or None where it is none, or wraps."""
    signed = Int(type.bits, type.bits > 1)
    one, other = signed.wrap(a), signed.wrap(b)
    if op in _PLAIN:
        exact = _PLAIN[op](one, other) if "nsw" in said else _PLAIN[op](a, b)
        if op == "add" and "nsw" not in said and other < 0:
            exact = a + other  # `i - 1` of an unsigned number is written so
        kind = signed if "nsw" in said else type
        return type.wrap(exact) if kind.low <= exact <= kind.high else None
    if op in ("shl", "lshr", "ashr"):
        if b >= type.bits or (op == "shl" and not signed.low <= one << b <= signed.high):
            return None
        return type.wrap(one << b if op == "shl" else a >> b if op == "lshr" else one >> b)
    if op in ("udiv", "urem") and b:
        return a // b if op == "udiv" else a % b
    if op in ("sdiv", "srem") and other:
        quotient = abs(one) // abs(other) * (1 if (one < 0) == (other < 0) else -1)
        if not signed.low <= quotient <= signed.high:
            return None
        return type.wrap(quotient if op == "sdiv" else one - quotient * other)
    return None


class Known:
    """The integers of a function that are numbers, and the blocks that can be reached.

    Numbers are without sign. What is computed wraps nowhere where it must not.
    """

    def __init__(self, module: Module, function: Function) -> None:
        self._module, self._function = module, function
        self.numbers: dict[str, int] = {}
        self.edges: dict[str, list[str]] = {}
        while True:
            before = len(self.numbers), sum(map(len, self.edges.values()))
            self._round()
            if before == (len(self.numbers), sum(map(len, self.edges.values()))):
                break

    def number(self, type: LType, operand: Operand) -> int | None:
        """Return the number that an operand is, or None."""
        if not isinstance(type, Number):
            return None
        if isinstance(operand, Literal):
            return Int(type.bits, False).wrap(operand.value)
        return self.numbers.get(operand.name) if isinstance(operand, Local) else None

    def _round(self) -> None:
        """Go through the blocks once more, with what is known by now."""
        start = next(iter(self._function.blocks))
        edges: dict[str, list[str]] = {}
        waiting = [start]
        while waiting:
            label = waiting.pop()
            if label in edges:
                continue
            for each in self._function.blocks[label]:
                if each.result and each.result not in self.numbers:
                    value = self._value(each)
                    if value is not None:
                        self.numbers[each.result] = value
            edges[label] = list(self._next(label))
            waiting += edges[label]
        self.edges = edges

    def _next(self, label: str) -> Iterator[str]:
        """Yield the blocks that may come behind one."""
        end = self._function.blocks[label][-1]
        for test, target in targets(self._module, end):
            if test is None:
                yield target
                return
            type, operand, wanted = test
            found = self.number(type, operand)
            if found is None:
                yield target
            elif found == wanted:
                yield target
                return

    def _value(self, each: Instruction) -> int | None:
        try:
            return self._computed(each, Tokens(each.rest, self._module))
        except Unread:
            return None

    def _computed(self, each: Instruction, tokens: Tokens) -> int | None:
        if each.op == "phi":
            type, pairs = incoming(tokens)
            found = {
                self.number(type, value)
                for value, label in pairs
                if not self.edges or each.result in self._of(label)
            }
            return found.pop() if len(found) == 1 else None
        if each.op == "icmp":
            flags(tokens)
            name, signed = COMPARISONS[tokens.next()]
            type, left = tokens.typed()
            tokens.need(",")
            a, b = self.number(type, left), self.number(type, tokens.operand(type))
            if a is None or b is None or not isinstance(type, Number):
                return None
            as_compared = Int(type.bits, bool(signed) and type.bits > 1)
            return int(_COMPARED[name](as_compared.wrap(a), as_compared.wrap(b)))
        if each.op in ("sext", "zext", "trunc"):
            flags(tokens)
            source, operand = tokens.typed()
            tokens.need("to")
            target, value = tokens.type(), self.number(source, operand)
            if value is None or not isinstance(source, Number) or not isinstance(target, Number):
                return None
            exact: int = Int(source.bits, True).wrap(value)
            if each.op == "trunc" and Int(target.bits, True).wrap(exact) != exact:
                return None  # something is lost
            return Int(target.bits, False).wrap(exact if each.op == "sext" else value)
        if each.op == "select":
            test, chosen = tokens.typed()
            tokens.need(",")
            one = tokens.typed()
            tokens.need(",")
            other, found_test = tokens.typed(), self.number(test, chosen)
            return None if found_test is None else self.number(*(one if found_test else other))
        said = flags(tokens)
        if each.op not in (*_PLAIN, "shl", "lshr", "ashr", "udiv", "urem", "sdiv", "srem"):
            return None
        type, left = tokens.typed()
        tokens.need(",")
        a, b = self.number(type, left), self.number(type, tokens.operand(type))
        if a is None or b is None or not isinstance(type, Number):
            return None
        return _binary(each.op, said, Int(type.bits, False), a, b)

    def _of(self, label: str) -> set[str]:
        """Return the names of the values that are chosen behind a block that can be reached."""
        found: set[str] = set()
        for target in self.edges.get(label, ()):
            found |= {p.result for p in self._function.blocks[target] if p.op == "phi"}
        return found


def incoming(tokens: Tokens) -> tuple[LType, list[tuple[Operand, str]]]:
    """Take the rest of a `phi`: its type, and the value that comes from each block."""
    while tokens.peek in _FAST:
        tokens.next()
    type = tokens.type()
    pairs = []
    while True:
        tokens.need("[")
        value = tokens.operand(type)
        tokens.need(",")
        pairs.append((value, tokens.local()))
        tokens.need("]")
        if not tokens.take(","):
            tokens.end()
            return type, pairs


_FAST = ("fast", "contract", "nnan", "ninf", "nsz", "arcp", "afn", "reassoc")

#: A test that an operand is a number.
Test = tuple[LType, Operand, int]


def targets(module: Module, end: Instruction) -> list[tuple[Test | None, str]]:
    """Return where the last instruction of a block leads to: the first whose test holds.

    A test of None holds always. Errors: Unread for what may lead anywhere.
    """
    tokens = Tokens(end.rest, module)
    if end.op in ("ret", "unreachable"):
        return []
    if end.op == "br" and tokens.take("label"):
        return [(None, tokens.local())]
    if end.op not in ("br", "switch"):
        raise Unread(f"{end.op} ends a block")
    type, operand = tokens.typed()
    tokens.need(",")
    tokens.need("label")
    first = tokens.local()
    if end.op == "br":
        tokens.need(",")
        tokens.need("label")
        return [((type, operand, 1), first), (None, tokens.local())]
    found: list[tuple[Test | None, str]] = []
    tokens.need("[")
    while not tokens.take("]"):
        kind, value = tokens.typed()
        tokens.need(",")
        tokens.need("label")
        if not isinstance(kind, Number) or not isinstance(value, Literal):
            raise Unread("the case of a switch")
        number = Int(kind.bits, False).wrap(value.value)
        found.append(((type, operand, number), tokens.local()))
    return [*found, (None, first)]
