"""The text of a module as operations: MLIR's generic form, with locations.

In the generic form every operation is written alike, so that one grammar reads all of them:

    %r:2 = "dialect.name"(%a, %b) <{properties}> ({regions}) {attributes} : (types) -> type loc(_)

Types and attributes stay text, cut out by their brackets and quotes; what names stand for is put in
their place. What is not of this form is an error at its line: nothing is skipped.

Source: MLIR Language Reference, "Operations" and "Generic form".
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from symcute.expr.limits import collecting_rarely
from symcute.frontends.front_end import SourceError
from symcute.kernel.ir.place import Place

__all__ = ["Block", "Operation", "Value", "read_module"]

_VALUE = re.compile(r"%[A-Za-z0-9_$.-]+(?:#[0-9]+)?")
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_SPACE = re.compile(r"\s*")
_INTEGER = re.compile(r"[0-9]+")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.$]*")
_ALIAS = re.compile(r"([!#])([A-Za-z_][A-Za-z0-9_]*)(?![A-Za-z0-9_.<$])")
#: A type, and a location, of the forms that are the most, with nothing to be cut out.
_TYPE = re.compile(r'!?[A-Za-z_][A-Za-z0-9_.$]*(?:<"[^"\\\n]*">)?(?![A-Za-z0-9_.$<])')
_LOCATION = re.compile(r"loc\((#[A-Za-z0-9_]+)\)")
_LABEL = re.compile(r"\^[A-Za-z0-9_]+")
#: A string, an arrow (which closes nothing), a bracket, or what is none of these.
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|->|[^"<>()\[\]{}\-,\n]+|.|\n')
_QUOTED = re.compile(r'("(?:[^"\\\n]|\\.)*")')
_CLOSES = {"<": ">", "(": ")", "[": "]", "{": "}"}
_FILE = re.compile(r'"((?:[^"\\\n]|\\.)*)":([0-9]+):([0-9]+)\Z')
_NAMED = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\((.*)\))?\Z', re.DOTALL)
_CALL = re.compile(r"callsite\((.*) at (.*)\)\Z", re.DOTALL)

T = TypeVar("T")


@dataclass(frozen=True)
class Value:
    """A result or a block's argument: its name, such as `%3#1`, and its type."""

    name: str
    type: str


@dataclass
class Operation:
    """An operation: what it takes, makes and says, and where in the Python source it comes from."""

    name: str
    operands: tuple[Value, ...]
    results: tuple[Value, ...]
    properties: dict[str, str]
    regions: tuple[tuple[Block, ...], ...]
    #: The line of the text, and its location's place in the source where it has one.
    line: int
    place: Place | None

    def walk(self) -> Iterator[Operation]:
        """Yield the operation and all inside it, in their order."""
        yield self
        for region in self.regions:
            for block in region:
                for operation in block.operations:
                    yield from operation.walk()


@dataclass
class Block:
    """A block: its arguments and its operations."""

    arguments: tuple[Value, ...]
    operations: list[Operation] = field(default_factory=list)


@collecting_rarely()
def read_module(text: str, name: str = "module") -> Operation:
    """Return the module of a text.

    Errors: SourceError, at a line of the text, for what is not of the generic form, for a value
    that is used before it is there, and for a location or type that is not defined.

    >>> module = read_module('''
    ... #loc1 = loc("k.py":7:4)
    ... "builtin.module"() ({
    ...   %0 = "arith.constant"() <{value = 3 : i32}> : () -> i32 loc(#loc1)
    ... }) : () -> () loc(#loc1)''')
    >>> [(x.name, x.properties, str(x.place)) for x in module.regions[0][0].operations]
    [('arith.constant', {'value': '3 : i32'}, 'k.py:7:5')]
    """
    return _Reader(text, name).module()


class _Reader:
    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self.at = 0
        self.lines = [found.start() for found in re.finditer("\n", text)]
        self.aliases: dict[str, str] = {}
        self.known: dict[str, str] = {}
        #: The values that are there, in the order in which they were made.
        self.values: dict[str, Value] = {}
        self.places: dict[str, Place | None] = {}
        self.pending: list[tuple[Operation, str]] = []

    # --- what stands at the place ------------------------------------------------------------

    def fail(self, message: str, at: int | None = None) -> SourceError:
        """Return an error at a place of the text: here, unless another is said."""
        at = self.at if at is None else at
        line = bisect_right(self.lines, at - 1)
        start = self.lines[line - 1] + 1 if line else 0
        place = Place(self.name, line + 1, at - start + 1)
        return SourceError(message, "this form of MLIR is not read: please report it", place)

    def sees(self, sign: str) -> bool:
        if self.text[self.at : self.at + 1].isspace():
            self.at = _end(_SPACE.match(self.text, self.at))
        return self.text.startswith(sign, self.at)

    def takes(self, sign: str) -> bool:
        if not self.sees(sign):
            return False
        self.at += len(sign)
        return True

    def expect(self, sign: str) -> None:
        if not self.takes(sign):
            raise self.fail(f"expected {sign!r}, found {self.text[self.at : self.at + 24]!r}")

    def match(self, pattern: re.Pattern[str], what: str) -> str:
        self.sees("")
        found = pattern.match(self.text, self.at)
        if found is None:
            raise self.fail(f"expected {what}, found {self.text[self.at : self.at + 24]!r}")
        self.at = found.end()
        return found.group()

    def cut(self, stops: str) -> str:
        """Return the text up to one of `stops`, or a bracket that closes, outside all brackets."""
        self.sees("")
        start, open_ = self.at, list[str]()
        while self.at < len(self.text):
            found = _TOKEN.match(self.text, self.at)
            sign = found.group() if found else ""
            if sign == '"' or not found:
                raise self.fail("a string does not end")
            if not open_ and (sign in stops or sign in ">)]}"):
                break
            if sign in _CLOSES:
                open_.append(_CLOSES[sign])
            elif sign in ">)]}" and (not open_ or open_.pop() != sign):
                raise self.fail(f"{sign!r} closes nothing")
            elif sign == "\n":
                raise self.fail("a line ends in the midst")
            self.at = found.end()
        if open_:
            raise self.fail(f"{open_[-1]!r} is missing")
        return self.text[start : self.at].strip()

    def listed(self, end: str, item: Callable[[], T]) -> list[T]:
        """Return what stands up to a sign, between commas."""
        found: list[T] = []
        if self.takes(end):
            return found
        while True:
            found.append(item())
            if self.takes(end):
                return found
            self.expect(",")

    # --- the module --------------------------------------------------------------------------

    def module(self) -> Operation:
        found = None
        while not (self.sees("") and self.at >= len(self.text)):
            sign = self.text[self.at]
            if sign in "!#":
                start = self.at
                self.at += 1
                name = sign + self.match(_NAME, "a name")
                self.expect("=")
                if name in self.aliases:
                    raise self.fail(f"{name} is defined twice", start)
                self.aliases[name] = self.cut("\n")
            elif found is None:
                found = self.operation()
            else:
                raise self.fail("something stands beside the module")
        if found is None:
            raise self.fail("there is no module")
        for operation, location in self.pending:
            if location not in self.places:
                self.places[location] = self.place(location, operation)
            operation.place = self.places[location]
        return found

    def operation(self) -> Operation:
        self.sees("")
        start = self.at
        results = self.results()
        name = self.match(_STRING, "an operation")[1:-1]
        self.expect("(")
        operands = self.listed(")", lambda: self.match(_VALUE, "a value"))
        if self.sees("["):
            raise self.fail(f"{name} goes on at other blocks")
        properties: dict[str, str] = {}
        if self.takes("<{"):
            properties = self.dictionary()
            self.expect(">")
        regions = self.listed(")", self.region) if self.takes("(") else []
        if self.takes("{"):
            more = self.dictionary()
            if more.keys() & properties.keys():
                raise self.fail(f"{name} says something twice", start)
            properties |= more
        self.expect(":")
        self.expect("(")
        taken = self.listed(")", self.type)
        self.expect("->")
        made = self.listed(")", self.type) if self.takes("(") else [self.type()]
        if len(taken) != len(operands) or len(made) != len(results):
            raise self.fail(f"{name} has other numbers of values and of types", start)
        known = []
        for operand, type_ in zip(operands, taken, strict=True):
            value = self.values.get(operand)
            if value is None or value.type != type_:
                raise self.fail(f"{operand} is no value of type {type_} here", start)
            known.append(value)
        values = tuple(Value(n, t) for n, t in zip(results, made, strict=True))
        for value in values:
            self.define(value, start)
        line = bisect_right(self.lines, start) + 1
        operation = Operation(name, tuple(known), values, properties, tuple(regions), line, None)
        if self.sees("loc("):
            self.pending.append((operation, self.location()))
        return operation

    def define(self, value: Value, at: int) -> None:
        if value.name in self.values:
            raise self.fail(f"{value.name} is defined twice", at)
        self.values[value.name] = value

    def results(self) -> list[str]:
        found: list[str] = []
        while self.sees("%"):
            name = self.match(_VALUE, "a result")
            if self.takes(":"):
                count = int(self.match(_INTEGER, "a number of results"))
                found += [f"{name}#{k}" for k in range(count)]
            else:
                found.append(name)
            if not self.takes(","):
                self.expect("=")
                break
        return found

    def dictionary(self) -> dict[str, str]:
        """Return what stands up to the closing brace; a name alone is a unit attribute."""
        start = self.at

        def entry() -> tuple[str, str]:
            quoted = self.sees('"')
            name = self.match(_STRING if quoted else _NAME, "a name").strip('"')
            return name, self.alias(self.cut(",")) if self.takes("=") else "unit"

        entries = self.listed("}", entry)
        if len(dict(entries)) < len(entries):
            raise self.fail("a name stands twice", start)
        return dict(entries)

    def region(self) -> tuple[Block, ...]:
        self.expect("{")
        outside = len(self.values)
        blocks: list[Block] = []
        while not self.takes("}"):
            block = Block(())
            if self.sees("^"):
                self.match(_LABEL, "a block")
                if self.takes("("):
                    block = Block(tuple(self.listed(")", self.argument)))
                self.expect(":")
            while not self.sees("}") and not self.sees("^"):
                block.operations.append(self.operation())
            blocks.append(block)
        # What a region defines is not there behind it.
        while len(self.values) > outside:
            self.values.popitem()
        return tuple(blocks)

    def argument(self) -> Value:
        start = self.at
        name = self.match(_VALUE, "an argument")
        self.expect(":")
        value = Value(name, self.type())
        if self.sees("loc("):
            self.location()
        self.define(value, start)
        return value

    # --- types and locations -----------------------------------------------------------------

    def type(self) -> str:
        """Return one type, with what its names stand for."""
        self.sees("")
        start = self.at
        if found := _TYPE.match(self.text, start):
            self.at = found.end()
            return self.alias(found.group())
        self.takes("!")
        self.match(_NAME, "a type")
        if self.text.startswith("<", self.at):
            self.at += 1
            self.cut("")
            self.expect(">")
        return self.alias(self.text[start : self.at])

    def alias(self, text: str) -> str:
        """Return a text with what its names stand for; what stands in quotes has none."""
        if text not in self.known:
            parts = _QUOTED.split(text)
            resolved = (x if k % 2 else _ALIAS.sub(self.named, x) for k, x in enumerate(parts))
            self.known[text] = "".join(resolved)
        return self.known[text]

    def named(self, found: re.Match[str]) -> str:
        if found.group() not in self.aliases:
            raise self.fail(f"{found.group()} is not defined")
        return self.alias(self.aliases[found.group()])

    def location(self) -> str:
        self.sees("")
        if plain := _LOCATION.match(self.text, self.at):
            self.at = plain.end()
            return plain.group(1)
        self.expect("loc(")
        found = self.cut("")
        self.expect(")")
        return found

    def place(self, text: str, operation: Operation) -> Place | None:
        """Return the place in a source: of a call, that of what was called, where it has one."""
        if text == "unknown":
            return None
        if text.startswith("#"):
            whole = self.aliases.get(text, "")
            if not whole.startswith("loc("):
                raise SourceError(
                    f"{text} is no location", place=Place(self.name, operation.line, 1)
                )
            return self.place(whole[4:-1], operation)
        if found := _FILE.match(text):
            return Place(found.group(1), int(found.group(2)), int(found.group(3)) + 1)
        if found := _CALL.match(text):
            return self.place(found.group(1), operation) or self.place(found.group(2), operation)
        if found := _NAMED.match(text):
            return self.place(found.group(1), operation) if found.group(1) else None
        raise SourceError(
            f"{text} is no location that is read", place=Place(self.name, operation.line, 1)
        )


def _end(found: re.Match[str] | None) -> int:
    return found.end() if found else 0
