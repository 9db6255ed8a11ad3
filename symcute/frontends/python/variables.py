"""The variables of a function of Python in C++: their types, and what is known of their values."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from symcute.frontends.python.expressions import shapes
from symcute.frontends.python.launches import Launches
from symcute.frontends.python.names import Names
from symcute.frontends.python.tensors import SCALARS, Value, number

__all__ = ["TYPES", "Variables"]

TYPES = {
    "int": "int64_t", "tensor": "torch::Tensor", "float": "double", "dtype": "at::ScalarType",
    "shape": "torch::Tensor", "word": "at::ScalarType",
} | {kind: type for kind, (type, _) in SCALARS.items()}  # fmt: skip
_UNKNOWN = {
    "int": "at::symcute_any()",
    "tensor": "symcute_tensor()",
    "shape": "symcute_tensor()",
    "float": "symcute_float()",
    "dtype": "(at::ScalarType)at::symcute_any()",
    "word": "(at::ScalarType)at::symcute_any()",
} | {kind: f"({type})at::symcute_any()" for kind, (type, _) in SCALARS.items()}


@dataclass
class Variables(Launches):
    """The variables of a function, each of the kind that all its assignments agree on."""

    names: Names = field(default_factory=lambda: Names(frozenset()))
    #: Where an exception goes, of each statement that may catch one.
    _catching: list[str] = field(default_factory=list)

    @property
    def raised(self) -> str:
        """What is done where Python raises an exception."""
        return f"goto {self._catching[-1]};" if self._catching else "throw c10::Error();"

    def _declare(self, name: str, kind: Value) -> None:
        if kind.kind == "tuple":
            for n, part in enumerate(kind.parts):
                self._declare(_part(name, n), part)
        elif kind.kind in TYPES:
            self.emit(f"{TYPES[kind.kind]} {name} = {_UNKNOWN[kind.kind]};")

    def _assign(self, target: ast.expr, value: Value) -> None:
        match target:
            case ast.Name(id=name):
                self._join(name, value)
                self._store(self.spelled(name), self.kinds[name], value)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                stars = [n for n, p in enumerate(parts) if isinstance(p, ast.Starred)]
                if value.kind == "shape" and len(stars) <= 1:
                    value = self._unpacked(value.text, len(parts), stars)
                whole = value.kind == "tuple" and len(value.parts) == len(parts)
                values = value.parts if whole else [Value("any")] * len(parts)
                held = [self._held(v) for v in values]
                for t, v in zip(parts, held, strict=True):
                    self._assign(t, v)
            case ast.Starred(value=inner):
                self._assign(inner, Value("any"))
            case ast.Attribute() if shapes(target):
                self._forget_tensors()

    def _unpacked(self, x: str, parts: int, stars: Sequence[int]) -> Value:
        """Return the parts of the shape of a tensor, one of which may be all between two others."""
        if not stars:
            self.emit(f"if ({x}.dim() != {parts}) {self.raised}")
            return Value("tuple", "", tuple(number(f"{x}.size({n})") for n in range(parts)))
        self.emit(f"if ({x}.dim() < {parts - 1}) {self.raised}")
        return Value("tuple", "", tuple(
            Value("any") if n in stars
            else number(f"{x}.size({n if n < stars[0] else n - parts})")
            for n in range(parts)))  # fmt: skip

    def _held(self, value: Value) -> Value:
        """Return a value that later assignments do not change."""
        if value.kind not in TYPES or value.text.isdigit():
            return value
        self.temporaries += 1
        name = f"symcute_held_{self.temporaries}"
        self.emit(f"{TYPES[value.kind]} {name} = {value.text};")
        return Value(value.kind, name)

    def _join(self, name: str, value: Value) -> None:
        old = self.kinds.get(name)
        new = _kind(value, self.spelled(name))
        if value.kind == "unbound":
            return
        if old is None and name not in self.scope.elsewhere:
            self.kinds[name] = new
        elif old != new:
            self.kinds[name] = Value("any")

    def _store(self, name: str, kind: Value | None, value: Value) -> None:
        if kind is None:
            return
        if kind.kind == "tuple":
            parts = value.parts or tuple(Value("any") for _ in kind.parts)
            held = [self._held(p) for p in parts]
            for n, (k, p) in enumerate(zip(kind.parts, held, strict=True)):
                self._store(_part(name, n), k, p)
        elif kind.kind in TYPES:
            if value.kind != kind.kind:
                self._held(value)  # it may raise all the same
            text = value.text if value.kind == kind.kind else _UNKNOWN[kind.kind]
            self.emit(f"{name} = {text};")
        else:
            self._held(value)

    def _forget(self, name: str) -> None:
        if name in self.kinds:
            self._store(self.spelled(name), self.kinds[name], Value("any"))

    def _forget_what_is_called(self, nodes: Iterable[ast.AST]) -> None:
        """Forget tensors where a call may change them."""
        if any(isinstance(n, ast.Call) and not self.leaves_shapes(n) for n in nodes):
            self._forget_tensors()

    def _forget_tensors(self) -> None:
        """Forget all tensors: one of them, which may have several names, may have another shape."""
        for name, kind in list(self.kinds.items()):
            if kind is not None and _has_tensors(kind):
                self._forget(name)

    def spelled(self, name: str) -> str:
        """Return what a variable is called in C++."""
        return self.names.spelled(name)


def _has_tensors(kind: Value) -> bool:
    return kind.kind == "tensor" or any(map(_has_tensors, kind.parts))


def _part(name: str, n: int) -> str:
    """Return what a part of a tuple is called, which is the name of nothing else."""
    return f"symcute_{n}_of_{name}"


def _kind(value: Value, name: str) -> Value:
    """Return what is remembered of a variable that has a value: its kind, and its name for text."""
    if value.kind == "tuple":
        parts = tuple(_kind(p, _part(name, n)) for n, p in enumerate(value.parts))
        return Value("tuple", name, parts)
    return Value(value.kind, name) if value.kind in TYPES else Value("any")
