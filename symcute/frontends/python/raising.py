"""Which expressions of Python may raise an exception that is not written in C++.

What is written raises where its arithmetic and its tensors do. Of what is not understood, as a
function of the file's or a broadcast, nobody knows whether it raises: where it does, the launches
behind it are none, and a counterexample that needs one of them may be none either.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from symcute.frontends.python.expressions import Expressions
from symcute.frontends.python.tensors import SCALARS, Value

__all__ = ["Exceptions"]

#: Kinds of values whose text is written where they are, with all that is inside.
_WRITTEN = frozenset({"int", "tensor", "dtype", "word", "shape", *SCALARS})
#: What no size makes raise: functions of Python's own, of libraries, and methods.
_CALM = frozenset({
    "print", "isinstance", "type", "repr", "str", "id", "hasattr", "callable", "bool", "list",
    "tuple", "dict", "set", "len", "abs", "round", "float", "int", "range", "enumerate", "zip",
    "min", "max", "sorted", "math.ceil", "math.floor", "math.prod", "map", "super", "iter",
})  # fmt: skip
_CALM_MODULES = ("time", "warnings", "logging", "os", "sys", "functools", "itertools")
_CALM_FUNCTIONS = frozenset({
    "array", "asarray", "asnumpy", "ascontiguousarray", "sum", "mean", "abs", "exp", "sqrt", "log",
    "empty_like", "zeros_like", "ones_like", "full_like", "synchronize", "Stream", "Event",
    "Device", "default_rng", "seed", "manual_seed", "current_stream", "get_current_stream",
    "current_device", "device", "dtype", "is_available", "RawKernel", "RawModule", "SourceModule",
    "load_inline", "no_grad", "get_elapsed_time", "Context",
})  # fmt: skip
_CALM_METHODS = frozenset({
    "get", "cpu", "numpy", "astype", "copy", "clone", "fill", "zero_", "fill_", "sum", "mean",
    "record", "synchronize", "append", "info", "debug", "warning", "format", "join", "lower",
    "upper", "strip", "keys", "items", "values", "to", "cuda", "contiguous", "float", "half",
    "double", "ravel", "flatten", "detach", "is_contiguous", "numel", "dim", "data_ptr",
    "element_size", "get_function", "nelement", "stride", "size", "is_floating_point",
})  # fmt: skip


@dataclass
class Exceptions(Expressions):
    """Expressions with what they raise unseen."""

    def raises_unseen(self, node: ast.expr) -> bool:
        """May evaluating an expression raise what its text in C++ does not?"""
        match node:
            case ast.BoolOp(values=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
                return any(map(self.raises_unseen, parts))
            case ast.UnaryOp(op=ast.Not(), operand=inner) | ast.Starred(value=inner):
                return self.raises_unseen(inner)
            case ast.Compare(left=left, ops=ops, comparators=others):
                values = [self.value(x) for x in (left, *others)]
                pairs = zip(values, ops, values[1:], strict=False)
                whole = all(self.compared(a, op, b) is not None for a, op, b in pairs)
                asked = self.raises_unseen if whole else self._loses
                return any(map(asked, (left, *others)))
            case ast.IfExp(test=test, body=a, orelse=b) if self._is_written(node):
                return any(map(self.raises_unseen, (test, a, b)))
            case ast.Subscript(value=ast.Tuple(elts=parts) | ast.List(elts=parts)):
                return any(map(self._loses, parts))  # one of them is written
            case ast.Call() if node in self.calls or self._is_written(node):
                return any(map(self._argument_raises, enumerate(_given(node))))
        return not self._is_written(node) and self._loses(node)

    def _argument_raises(self, numbered: tuple[int, ast.expr]) -> bool:
        number, node = numbered
        # The value that fills an array is not written.
        filling = number == 1 and not isinstance(node, (ast.Name, ast.Constant))
        return self.raises_unseen(node) or (filling and self._loses(node))

    def _is_written(self, node: ast.expr) -> bool:
        return self.value(node).kind in _WRITTEN

    def _loses(self, node: ast.AST) -> bool:
        """May evaluating an expression raise anything, where nothing of it is written?"""
        match node:
            case ast.Constant() | ast.Name() | ast.Lambda():
                return False
            case ast.Call():
                inner = any(map(self._loses, _given(node)))
                return inner or not (node in self.calls or self._is_calm(node))
            case ast.BinOp(left=a, op=op, right=b):
                if isinstance(op, (ast.Div, ast.FloorDiv, ast.Mod)):
                    known = self.scope.constant(b)
                    safe = isinstance(known, int) and known != 0
                    safe = safe or (isinstance(b, ast.Constant) and bool(b.value))
                    if not safe and not isinstance(self.scope.constant(a), str):
                        return True
                kinds = [self.value(x).kind for x in (a, b)]
                arrays = all(k in ("tensor", "any") for k in kinds)
                return arrays or isinstance(op, ast.MatMult) or self._loses(a) or self._loses(b)
            case ast.Subscript(value=of, slice=at):
                return self._loses(of) or not _is_calm_slice(at)
            case ast.Yield() | ast.YieldFrom() | ast.Await():
                return True
        return any(map(self._loses, ast.iter_child_nodes(node)))

    def _is_calm(self, node: ast.Call) -> bool:
        """Is this a call that raises nothing, whatever the sizes?"""
        title = self.scope.title(node.func)
        library, name = title.split(".")[0], title.rpartition(".")[2]
        if title in _CALM or library in _CALM_MODULES:
            return True
        if library in ("numpy", "cupy", "torch", "pycuda"):
            return name in _CALM_FUNCTIONS or name in SCALARS or name.startswith("float")
        match node.func:
            case ast.Attribute(value=of, attr=attr) if not title:
                return attr in _CALM_METHODS and not self._loses(of)
        return False

    def assigning_raises(self, target: ast.expr, value: Value) -> bool:
        """May an assignment raise what is not written, once its value is there?"""
        match target:
            case ast.Name() | ast.Starred(value=ast.Name()):
                return False
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                known = value.parts if value.kind == "tuple" else ()
                whole = value.kind == "shape" or len(known) == len(parts)
                inner = known if len(known) == len(parts) else [Value("any")] * len(parts)
                pairs = zip(parts, inner, strict=True)
                return not whole or any(self.assigning_raises(t, v) for t, v in pairs)
            case ast.Attribute(value=of, attr=attr):
                return self._loses(of) or attr in ("shape", "strides", "dtype")
            case ast.Subscript(value=of, slice=at):
                number = value.kind in ("int", "float", *SCALARS)
                return self._loses(of) or not (_is_calm_slice(at) and number)
        return True


def _given(node: ast.Call) -> Iterable[ast.expr]:
    return (*node.args, *(k.value for k in node.keywords))


def _is_calm_slice(at: ast.expr) -> bool:
    """Is this a slice that any array with a dim has, as `1:` and `:n`?"""
    if isinstance(at, ast.Constant):
        return at.value is Ellipsis or at.value is None
    ends = (at.lower, at.upper, at.step) if isinstance(at, ast.Slice) else ()
    return isinstance(at, ast.Slice) and all(
        isinstance(x, (ast.Constant, ast.Name, ast.UnaryOp, type(None))) for x in ends
    )
