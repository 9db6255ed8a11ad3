"""What a kernel does with its constexprs: which of them a number given at run time says as well.

A constexpr that is a size has no end of values, and each of them is another program. Where it is
compared, added and multiplied like any other integer, the program of an argument of 32 bits says
the same of all values that have 32 bits: tensors meet both with the same types. Python computes
with constexprs alone without end, an argument wraps, but no proof rests on arithmetic that may
wrap. It rounds down where an argument rounds to 0: what is divided must not be negative then.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

__all__ = ["Constants", "constants"]

_ORDERS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_RANGES = frozenset({"range", "tl.range"})
#: Functions of Triton that take numbers of both kinds alike, one of them a tensor.
_ALIKE = frozenset({"tl.minimum", "tl.maximum"})
_DIVIDING = frozenset({"tl.cdiv", "triton.cdiv"})
#: Functions of `tl` that give tensors, whatever they are given.
_TENSORS = frozenset({
    "program_id", "num_programs", "load", "arange", "zeros", "full", "where", "minimum", "maximum",
    "sum", "max", "min", "cumsum", "dot", "exp", "log", "sqrt", "rsqrt", "abs", "sigmoid", "cast",
})  # fmt: skip
#: Functions of Python that give a constant of constants alone; others may give one of anything.
_OF_ALL = frozenset({"min", "max"})
#: Elements that are narrower than 32 bits stay so beside a constexpr, and not beside an argument.
_NARROW = ("int8", "int16")
T = TypeVar("T", str, int)
#: A value of which nothing is known: it may be a constant.
_ODD = ast.Constant(None)


@dataclass(frozen=True)
class Constants:
    """Parameters by what is done with them, whether they are constexprs or not.

    Those of `sizes` are integers like any other; of them and of other constants `counted` must not
    be negative. Of `truths` only the truth is asked; those of `types` are types that values are
    cast to; `words` are only compared with these texts, and `kinds` with numbers, one of which each
    has; and `idle` ones are in none of its lines,
    or say how many rounds of a loop are under way at once.
    """

    sizes: frozenset[str] = frozenset()
    counted: frozenset[str] = frozenset()
    truths: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    kinds: Mapping[str, int] = field(default_factory=dict)
    idle: frozenset[str] = frozenset()


def constants(node: ast.FunctionDef, text: str) -> Constants:
    """Return what a kernel does with its parameters; `text` is that of its file."""
    return _Reader(node, text).found()


class _Reader:
    """Reads the uses of names in a kernel."""

    def __init__(self, node: ast.FunctionDef, text: str) -> None:
        a = node.args
        self.parameters = frozenset(x.arg for x in (*a.posonlyargs, *a.args, *a.kwonlyargs))
        self.is_narrow = any(word in text for word in _NARROW)
        #: Functions of the file: they may give a constant, whatever they are given.
        self.own = frozenset(re.findall(r"\bdef (\w+)", text))
        inner = [n for s in node.body for n in ast.walk(s)]
        self.parents = {c: n for n in inner for c in ast.iter_child_nodes(n)}
        self.loads: dict[str, list[ast.Name]] = {}
        self.values: dict[str, list[ast.expr]] = {}
        for n in inner:
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load):
                self.loads.setdefault(n.id, []).append(n)
            elif isinstance(n, ast.Name):
                self.values.setdefault(n.id, []).append(self._value(n))
        #: Locals of which a value may be made of constants alone.
        self.constant = set[str]()
        grown = True
        while grown:
            more = {n for n, values in self.values.items() if any(map(self._is_constant, values))}
            grown = not more <= self.constant
            self.constant |= more

    def _value(self, target: ast.Name) -> ast.expr:
        """Return what a name is bound to; of what is not plain to see nothing is known."""
        match self.parents.get(target):
            case ast.Assign(targets=[one], value=value) if one is target:
                return value
            case ast.AugAssign(op=op, value=value):
                return ast.BinOp(ast.Name(target.id, ast.Load()), op, value)
            case ast.For(iter=ast.Call(func=f)) if ast.unparse(f) in _RANGES:
                return ast.Call(ast.Attribute(ast.Name("tl"), "program_id"), [], [])
        return _ODD

    def _is_constant(self, e: ast.expr) -> bool:
        """May an expression be known when it is compiled? Any parameter may be."""
        match e:
            case ast.Name(id=name):
                is_local = name in self.values and name not in self.parameters
                return not is_local or name in self.constant
            case ast.Call(func=ast.Attribute(value=ast.Name(id="tl"), attr=attr)):
                return attr not in _TENSORS
            case ast.Call(func=ast.Attribute(value=of)):
                return self._is_constant(of)
            case ast.Call(func=ast.Name(id=name), args=args) if name in _OF_ALL - self.own:
                return all(map(self._is_constant, args))
            case ast.Attribute(value=of):
                return self._is_constant(of)
            case ast.BinOp(left=a, right=b):
                return self._is_constant(a) and self._is_constant(b)
            case ast.UnaryOp(operand=inner) | ast.Subscript(value=inner):
                return self._is_constant(inner)
            case ast.Compare(left=a, comparators=others):
                return all(map(self._is_constant, (a, *others)))
        return True

    def found(self) -> Constants:
        """Return what is done with the parameters."""
        known = [p for p in sorted(self.parameters) if p not in self.values]
        sizes = {} if self.is_narrow else {p: self._size(p) for p in known if p in self.loads}
        counted = [x for x in sizes.values() if x is not None]
        loaded = {p: self.loads[p] for p in known if p in self.loads}
        return Constants(
            frozenset(p for p, x in sizes.items() if x is not None),
            frozenset().union(*counted),
            frozenset(p for p, uses in loaded.items() if all(map(self._is_test, uses))),
            frozenset(p for p, uses in loaded.items() if all(map(self._is_type, uses))),
            {p: tuple(sorted(texts)) for p, uses in loaded.items()
             if (texts := self._compared(uses, str))},
            {p: min(numbers) for p, uses in loaded.items()
             if (numbers := self._compared(uses, int))},
            frozenset(p for p in known if all(map(self._is_staging, loaded.get(p, ())))),
        )  # fmt: skip

    def _size(self, p: str) -> frozenset[str] | None:
        """Return what must not be negative where a parameter is an integer like any other."""
        made, waiting, counted = {p}, [p], set[str]()
        while waiting:
            for use in self.loads.get(waiting.pop(), ()):
                targets = self._becomes(use, counted)
                if targets is None:
                    return None
                waiting += targets - made
                made |= targets
        while True:  # what is not negative hangs on what it is made of
            before = len(counted)
            values = [v for n in counted - self.parameters for v in self.values[n]]
            if not all(self._counts(v, counted) for v in values):
                return None
            if len(counted) == before:
                return frozenset(counted & self.parameters)

    def _becomes(self, e: ast.expr, counted: set[str]) -> set[str] | None:
        """Return the locals of constants that a constant is made part of, or chooses.

        None is a use that may tell it from an argument.
        """
        above = self.parents.get(e)
        match above:
            case ast.BinOp() | ast.UnaryOp() if not self._is_constant(above):
                return set()
            case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div()):
                return self._becomes(above, counted)
            case ast.BinOp(left=a, op=ast.FloorDiv() | ast.Mod(), right=b):
                counts = self._counts(a, counted) and self._counts(b, counted)
                return self._becomes(above, counted) if counts else None
            case ast.UnaryOp(op=ast.USub() | ast.UAdd()):
                return self._becomes(above, counted)
            case ast.Compare(ops=ops) if all(isinstance(op, _ORDERS) for op in ops):
                return self._chooses(above, counted) if self._is_constant(above) else set()
            case ast.AugAssign(target=ast.Name(id=name)) if name not in self.constant:
                return set()
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AugAssign(target=ast.Name(id=name)):
                odd = name in self.parameters or _ODD in self.values[name]
                return None if odd or not self._is_summed(name) else {name}
            case ast.Call(func=f, args=args, keywords=[]) if e in args:
                named = ast.unparse(f)
                if named in _RANGES:
                    steps = len(args) > 2 and e is args[2]
                    return set() if not steps or self._counts(e, counted) else None
                if named in _DIVIDING:
                    counts = all(self._counts(a, counted) for a in args)
                    return self._becomes(above, counted) if counts else None
                return set() if named in _ALIKE and not all(map(self._is_constant, args)) else None
        return None

    def _chooses(self, test: ast.AST, counted: set[str]) -> set[str] | None:
        """Return the locals that are other constants by a test: an argument makes tensors of them.

        None is another use than as a test.
        """
        match above := self.parents.get(test):
            case ast.If() | ast.While() if test is above.test:
                named = (n for n in ast.walk(above) if isinstance(n, ast.Name))
                stored = {n.id for n in named if not isinstance(n.ctx, ast.Load)}
                bound = stored & self.constant
                odd = any(_ODD in self.values[name] or not self._is_summed(name) for name in bound)
                return None if odd or stored & self.parameters else bound
            case ast.IfExp() if test is above.test:
                return self._becomes(above, counted)
            case ast.UnaryOp(op=ast.Not()) | ast.BoolOp():
                return self._chooses(above, counted)
        return None

    def _is_summed(self, name: str) -> bool:
        """Is a local changed in no other way than by sums and products?"""
        changes = [n for n in self.parents.values() if isinstance(n, ast.AugAssign)]
        own = [n for n in changes if isinstance(n.target, ast.Name) and n.target.id == name]
        return all(isinstance(n.op, (ast.Add, ast.Sub, ast.Mult, ast.Div)) for n in own)

    def _counts(self, e: ast.expr, counted: set[str]) -> bool:
        """Is a constant not negative, if those names are not that it adds to `counted`?"""
        match e:
            case ast.Constant(value=int() as n):
                return n >= 0
            case ast.IfExp(body=a, orelse=b):
                return self._counts(a, counted) and self._counts(b, counted)
            case ast.Name(id=name):
                counted.add(name)
                return name in self.parameters or (name in self.values and name in self.constant)
            case ast.BinOp(left=a, op=ast.Add() | ast.Mult() | ast.FloorDiv() | ast.Mod(), right=b):
                return self._counts(a, counted) and self._counts(b, counted)
            case ast.Call(func=f, args=args):
                return ast.unparse(f) in _DIVIDING and all(self._counts(a, counted) for a in args)
        return False

    def _is_test(self, use: ast.expr) -> bool:
        """Is only the truth of this asked?"""
        match self.parents.get(use):
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
                return test is use
            case ast.UnaryOp(op=ast.Not()) | ast.BoolOp() as above:
                return self._is_test(above)
        return False

    def _compared(self, uses: Sequence[ast.expr], of: type[T]) -> set[T]:
        """Return what something is compared with of a type; none where there is another use."""
        found = set[T]()
        for use in uses:
            match self.parents.get(use):
                case ast.Compare(
                    left=left,
                    ops=[ast.Eq() | ast.NotEq()],
                    comparators=[ast.Constant(value=value)],
                ) if left is use and type(value) is of:
                    found.add(value)
                case _:
                    return set()
        return found

    def _is_staging(self, use: ast.expr) -> bool:
        """Does this only say how many rounds of a loop of Triton's are under way at once?"""
        word = self.parents.get(use)
        loop = self.parents.get(word) if word is not None else None
        match word, loop:
            case ast.keyword(arg="num_stages"), ast.Call(func=f):
                return ast.unparse(f) == "tl.range"
        return False

    def _is_type(self, use: ast.expr) -> bool:
        match self.parents.get(use):
            case ast.Call(func=ast.Attribute(attr="to"), args=[one], keywords=[]):
                return one is use
            case ast.keyword(arg="dtype"):
                return True
        return False
