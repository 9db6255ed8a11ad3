"""Expressions of Python code as C++: integers, shapes, arrays, and the parts of a launch."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from symcute.frontends.python.flags import Flags
from symcute.frontends.python.helpers import helper
from symcute.frontends.python.scopes import Scope, inside
from symcute.frontends.python.sources import Handle
from symcute.frontends.python.tensors import (
    ANY,
    DTYPES,
    ONE_DEVICE,
    SCALARS,
    THE_DEVICE,
    TUPLES,
    Value,
    attribute,
    made,
    method,
    number,
    plain,
    viewed,
)

__all__ = ["Expressions", "directly", "evaluated", "reshapes", "shapes"]


_PLAIN = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
_BITS = {ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^"}
_CALLED = {ast.FloorDiv: "symcute_floor", ast.Mod: "symcute_modulo"}
_COMPARED = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_SCALARS = {n: n for n in SCALARS} | {
    "intc": "int32", "uintc": "uint32", "longlong": "int64", "intp": "int64", "int_": "int64",
}  # fmt: skip
_FLOATS = ("float32", "float64", "float16", "single", "double", "half")
#: What a function of its own may do without giving an array another shape.
_HARMLESS = (
    "triton.cdiv", "triton.next_power_of_2",
    "print", "len", "max", "min", "abs", "range", "isinstance", "type", "repr", "str",
)  # fmt: skip
_LIBRARIES = ("numpy", "cupy", "torch", "time", "math", "pycuda", "warnings", "sys")
_RESHAPING = frozenset({
    "resize", "resize_", "resize_as_", "set_", "setattr", "t_", "transpose_", "swapaxes_",
    "swapdims_", "swap_tensors", "unsqueeze_", "squeeze_", "as_strided_", "setfield", "setflags",
})  # fmt: skip
#: Functions of the file that call one another, looked into.
_DEEPEST = 4
_WRAPPERS = ("In", "Out", "InOut")
_NO_GPU = ("cpu", "meta")


@dataclass
class Expressions:
    """What expressions mean where the variables have the kinds `kinds`."""

    scope: Scope
    default: str
    calls: dict[ast.Call, Handle]
    kinds: dict[str, Value | None] = field(default_factory=dict)
    flags: Flags = field(default_factory=Flags)
    temporaries: int = 0
    #: Functions of the file around what is looked at.
    depth: int = 0
    #: Does the file give an array another shape?
    reshapes: bool = False
    #: May an array be one of PyTorch's?
    torch: bool = True
    #: Are launches of Triton's kernels followed?
    triton: bool = False

    def value(self, node: ast.expr) -> Value:
        """Return what an expression gives; ANY where it is not understood."""
        match node:
            case ast.Constant(value=bool() as b):
                return number(str(int(b)))
            case ast.Constant(value=int() as n):
                return number(f"{n}" if 0 <= n < 1 << 31 else f"{n}ll") if 0 <= n < 1 << 62 else ANY
            case ast.Constant(value=float()):
                return Value("float", "symcute_float()")
            case ast.Constant(value=None):
                return Value("none")
            case ast.Name(id=name):
                return self._name(name)
            case ast.Constant(value=str() as word):
                return Value("word", f"torch::{DTYPES[word]}") if word in DTYPES else ANY
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                if any(isinstance(p, ast.Starred) for p in parts):
                    return ANY
                # A list that has a name may be changed through another.
                kind = "tuple" if isinstance(node, ast.Tuple) else "list"
                return Value(kind, "", tuple(map(self.value, parts)))
            case ast.UnaryOp(
                op=ast.USub(),
                operand=ast.BinOp(ast.UnaryOp(ast.USub(), a), ast.FloorDiv(), b),
            ):  # -(-a // b)
                one, two = self.value(a), self.value(b)
                if one.kind == two.kind == "int":
                    return number(f"symcute_ceil({one.text}, {two.text})")
                return Value("unbound") if "unbound" in (one.kind, two.kind) else ANY
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return self._one(inner, "-({})")
            case ast.UnaryOp(op=ast.UAdd(), operand=inner):
                return self._one(inner, "{}")
            case ast.UnaryOp(op=ast.Invert(), operand=inner):
                return self._one(inner, "~({})")
            case ast.BoolOp(values=parts) if any(self.value(p).kind != "condition" for p in parts):
                return ANY  # one of them, which need not be a truth
            case ast.Compare(left=x, comparators=others) if any(
                self.value(p).kind == "tensor" for p in (x, *others)
            ) and not all(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops):
                return ANY  # a tensor
            case ast.UnaryOp(op=ast.Not()) | ast.Compare() | ast.BoolOp():
                return Value("condition", self.condition(node))
            case ast.BinOp():
                return self._binary(node)
            case ast.IfExp(test=test, body=a, orelse=b):
                one, two = self.value(a), self.value(b)
                if one.kind == two.kind == "int":
                    return number(f"(({self.condition(test)}) ? {one.text} : {two.text})")
                return ANY
            case ast.Subscript(value=of, slice=at):
                return self._item(self.value(of), at)
            case ast.Attribute():
                return self._attribute(node)
            case ast.Call():
                return self._call(node)
        return ANY

    def _one(self, node: ast.expr, text: str) -> Value:
        inner = self.value(node)
        if inner.kind in ("float", "unbound"):
            return inner
        return number(f"({text.format(inner.text)})") if inner.kind == "int" else ANY

    def _name(self, name: str) -> Value:
        if name in self.kinds:
            return self.kinds[name] or Value("unbound")
        known = self.scope.constant(ast.Name(name, ast.Load()))
        if isinstance(known, int) and known >= 0:
            return number(f"{known}ll")
        bound = self.scope.value(name)
        if bound is not None and isinstance(bound[0], ast.Call):
            return Value("device") if bound[1].title(bound[0].func) == THE_DEVICE else ANY
        return ANY

    def _binary(self, node: ast.BinOp) -> Value:
        a, b = self.value(node.left), self.value(node.right)
        if "unbound" in (a.kind, b.kind):
            return Value("unbound")
        if "float" in (a.kind, b.kind) and {a.kind, b.kind} <= {"float", "int"}:
            return Value("float", "symcute_float()")
        if a.kind == b.kind == "tuple" and isinstance(node.op, ast.Add):
            return Value("tuple", "", (*a.parts, *b.parts))
        op = type(node.op)
        if "int64" in (a.kind, b.kind) and {a.kind, b.kind} <= {"int64", "int"} and op in _PLAIN:
            return Value("int64", f"({a.text} {_PLAIN[op]} {b.text})")
        if a.kind != "int" or b.kind != "int":
            return ANY
        if op in _PLAIN:
            return number(f"({a.text} {_PLAIN[op]} {b.text})")
        if op in _BITS:
            return number(f"({a.text} {_BITS[op]} {b.text})")
        if op in _CALLED:
            return number(f"{_CALLED[op]}({a.text}, {b.text})")
        if op is ast.Div:
            return Value("quotient", "", (a, b))
        exponent = self.scope.constant(node.right)
        base = self.scope.constant(node.left)
        if isinstance(base, int) and isinstance(exponent, int) and 0 <= exponent < 62:
            known = {ast.Pow: base**exponent if abs(base) < 64 else 0, ast.LShift: base << exponent,
                     ast.RShift: base >> exponent}.get(op)  # fmt: skip
            if known is not None and 0 < known < 1 << 62:
                return number(f"{known}ll")
        return ANY

    def condition(self, node: ast.expr) -> str:
        """Return a condition; one that is not understood may hold or not."""
        either = "a_condition_of_Python()"
        if node in self.flags.tests:
            is_not = isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.IsNot)
            return f"{'!' if is_not else ''}{self.flags.tests[node]}"
        match node:
            case ast.BoolOp(op=op, values=parts):
                return f" {'&&' if isinstance(op, ast.And) else '||'} ".join(
                    f"({self.condition(p)})" for p in parts
                )
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return f"!({self.condition(inner)})"
            case ast.Compare(left=left, ops=ops, comparators=others):
                values = [self.value(x) for x in (left, *others)]
                pieces = []
                for a, sign, b in zip(values, ops, values[1:], strict=False):
                    pieces.append(self.compared(a, sign, b) or either)
                return " && ".join(f"({p})" for p in pieces)
            case ast.Constant(value=bool() as b):
                return str(b).lower()
        value = self.value(node)
        if value.kind == "int":
            return f"{value.text} != 0"
        return value.text if value.kind == "condition" else either

    def compared(self, a: Value, op: ast.cmpop, b: Value) -> str | None:
        """Return a comparison of two values; None is one that is not understood."""
        sign = _COMPARED.get(type(op))
        a, b = plain(a), plain(b)
        if a.kind == b.kind == "int" and sign is not None:
            return f"{a.text} {sign} {b.text}"
        if sign not in ("==", "!="):
            return None
        if a.kind == b.kind == "dtype":
            return f"{a.text} {sign} {b.text}"
        if a.kind == b.kind == "device":
            return f"{'!' if sign == '!=' else ''}{self._one_device}"
        if {a.kind, b.kind} == {"dtype", "word"}:
            return f"{'!' if sign == '!=' else ''}({self._named(a.text, b.text)})"
        if a.kind == b.kind == "shape":
            return f"{a.text}.sizes() {sign} {b.text}.sizes()"
        pairs: list[str] = []
        for one, two in ((a, b), (b, a)):
            if one.kind == "shape" and two.kind == "tuple":  # none is a list
                x = one.text
                if any(p.kind != "int" for p in two.parts):
                    return None
                pairs = [f"{x}.dim() == {len(two.parts)}"]
                pairs += [f"{x}.size({n}) == {p.text}" for n, p in enumerate(two.parts)]
        if not pairs:
            return None
        return f"{'!' if sign == '!=' else ''}({' && '.join(pairs)})"

    @property
    def _one_device(self) -> str:
        """Return that devices are one, which nobody knows where a function speaks of the CPU."""
        scope: Scope | None = self.scope
        while scope is not None:
            for n in inside(scope.body):
                if isinstance(n, ast.Constant) and str(n.value).split(":")[0] in _NO_GPU:
                    return "a_condition_of_Python()"
            scope = scope.around
        return ONE_DEVICE

    def _named(self, a: str, b: str) -> str:
        """Return the comparison of a type with a name of NumPy's, which is none of PyTorch's."""
        same = f"{a} == {b}"
        return same if not self.torch else f"{same} && a_condition_of_Python()"

    def _item(self, of: Value, at: ast.expr) -> Value:
        axis = self.scope.constant(at)
        if isinstance(at, ast.UnaryOp) and isinstance(at.op, ast.USub):
            inner = self.scope.constant(at.operand)
            axis = -inner if isinstance(inner, int) else None
        if not isinstance(axis, int) or abs(axis) > 8:
            return ANY
        if of.kind == "shape":
            return number(f"{of.text}.size({axis})")
        if of.kind == "steps":
            return number(f"{of.text}.stride({axis})")
        if of.kind == "strides":
            return number(f"symcute_step({of.text}, {axis})")
        if of.kind in TUPLES and -len(of.parts) <= axis < len(of.parts):
            return of.parts[axis]
        return ANY

    def _attribute(self, node: ast.Attribute) -> Value:
        title = self.scope.title(node)
        name = title.rpartition(".")[2]
        if title == "torch.float":
            return Value("dtype", "torch::kFloat")
        if title.split(".")[0] in ("numpy", "cupy", "torch") and name in DTYPES:
            kind = "dtype" if title.startswith("torch.") else "word"
            return Value(kind, f"torch::{DTYPES[name]}")
        match node:
            case ast.Attribute(value=ast.Attribute(value=x, attr="flags"), attr=attr):
                of = self.value(x)
                if attr in ("c_contiguous", "C_CONTIGUOUS") and of.kind == "tensor":
                    return Value("condition", f"{of.text}.is_contiguous()")
        of = self.value(node.value)
        if of.kind == "tensor" and node.attr == "is_cuda":
            return Value("condition", self._one_device)
        return attribute(of.text, node.attr) if of.kind == "tensor" else ANY

    def _helped(self, node: ast.Call) -> Value | None:
        """Return what a function of the file gives that is one expression; None for another."""
        known = helper(node.func, self.scope)
        given = known.given(node) if known is not None else None
        if known is None or given is None or self.depth >= _DEEPEST:
            return None
        kinds: dict[str, Value | None] = {n: self.value(x) for n, x in given.items()}
        if any(v is not None and v.kind == "unbound" for v in kinds.values()):
            return Value("unbound")
        inner = Expressions(known.scope, self.default, {}, kinds, depth=self.depth + 1)
        return inner.value(known.result)

    def _call(self, node: ast.Call) -> Value:
        held = self._helped(node)
        if held is not None:
            return held
        title = self.scope.title(node.func)
        name = title.rpartition(".")[2]
        given = [self.value(a) for a in node.args]
        words = {str(k.arg): self.value(k.value) for k in node.keywords}
        ints = all(v.kind == "int" for v in given) and not words
        given = [_type_named(v) for v in given]
        words = {n: _type_named(v) for n, v in words.items()}
        if any(v.kind == "unbound" for v in (*given, *words.values())):
            return Value("unbound")
        if any(isinstance(a, ast.Starred) for a in node.args):
            return ANY
        match title, given:
            case "len", [Value(kind="tuple" | "list", parts=parts)]:
                return number(str(len(parts)))
            case "len", [Value(kind="shape", text=x)]:
                return number(f"{x}.dim()")
            case "len", [Value(kind="tensor", text=x)]:
                return number(f"{x}.size(0)")
            case "math.ceil", [Value(kind="quotient", parts=(a, b))]:
                return number(f"symcute_rounded({a.text}, {b.text})")
            case (("numpy.ceil" | "cupy.ceil"), [Value(kind="quotient", parts=(a, b))]):  # a float
                return Value("rounded", f"symcute_rounded({a.text}, {b.text})")
            case "int", [Value(kind="int" | "rounded", text=text)]:
                return number(text)
            case "int", [Value(kind=kind)] if kind in SCALARS:
                return plain(given[0])
            case (("min" | "max"), [_, _]) if ints:
                return number(f"symcute_{name}({given[0].text}, {given[1].text})")
            case _, [Value(kind="int", text=text)] if title == f"numpy.{name}" and name in _SCALARS:
                kind = _SCALARS[name]
                return Value(kind, f"symcute_narrow<{SCALARS[kind][0]}>({text})")
            case _, [_] if name in _FLOATS and title.split(".")[0] in ("numpy", "cupy"):
                return Value("float", "symcute_float()")
            case _, [a, b] if title == "triton.cdiv" and ints:
                return number(f"symcute_ceil({a.text}, {b.text})")
            case "triton.next_power_of_2", [Value(kind="int", text=text)] if self.triton and ints:
                return number(f"symcute_power_of_2({text})")
            case _, [Value(kind="tensor")] if name in _WRAPPERS and title.startswith("pycuda."):
                return given[0]
            case "math.prod", [Value(kind="shape", text=x)]:
                return number(f"{x}.numel()")
            case _, [] if title == THE_DEVICE:
                return Value("device")
        if title.split(".")[0] in ("numpy", "cupy", "torch", "pycuda"):
            if name in DTYPES and len(given) == 1:
                return ANY
            words = {n: plain(v) for n, v in words.items()}
            return made(title, [plain(v) for v in given], words, self._default_type)
        if isinstance(node.func, ast.Attribute) and not title:
            of = self.value(node.func.value)
            if of.kind == "unbound":
                return of
            if of.kind == "tensor" and self.triton and node.func.attr == "data_ptr":
                return ANY  # a number, and no pointer to Triton
            if of.kind == "tensor" and self.triton and not words:
                found = viewed(of.text, node.func.attr, given)
                if found.kind == "tensor":
                    return found
            if of.kind == "tensor":
                if words and node.func.attr not in ("cuda", "to", "clone"):
                    return ANY
                return method(of.text, node.func.attr, given) if not words else ANY
        return ANY

    def _default_type(self, library: str) -> str | None:
        return {"numpy": "torch::kDouble", "cupy": "torch::kDouble"}.get(
            library, self.default if library == "torch" else None
        )

    def takes_arrays(self, node: ast.Call) -> bool:
        """Is this a function that takes an array and gives one?"""
        library, _, name = self.scope.title(node.func).partition(".")
        name = name.rpartition(".")[2]
        return library in ("numpy", "cupy", "torch", "pycuda") and (
            name in ("ascontiguousarray", "asarray", "array", "to_gpu", *_WRAPPERS)
            or name.endswith("_like")
        )

    def leaves_shapes(self, node: ast.Call) -> bool:
        """Is this a call that gives no array another shape?"""
        given = [*node.args, *(k.value for k in node.keywords)]
        if node in self.calls or any(node is h.warmup for h in self.calls.values()):
            return True
        title = self.scope.title(node.func)
        attr = node.func.attr if isinstance(node.func, ast.Attribute) else title.split(".")[-1]
        # PyTorch makes what it writes to as large as what is written, and others do not.
        written = not title.startswith(("numpy.", "cupy.")) and any(
            k.arg in ("out", None) for k in node.keywords
        )
        if attr in _RESHAPING or written:
            return False
        if title in _HARMLESS or title.split(".")[0] in _LIBRARIES:
            return True
        # What the file itself reshapes may be reached by another name.
        if self.reshapes:
            return False
        if not any(self._is_tensor(x) for x in given):
            return True
        return (
            not title and isinstance(node.func, ast.Attribute) and self._is_tensor(node.func.value)
        )

    def _is_tensor(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Name):
            kind = self.kinds.get(node.id)
            return kind is not None and kind.kind == "tensor"
        held = isinstance(node, (ast.Tuple, ast.List, ast.Dict, ast.Starred))
        inner = (n for n in ast.iter_child_nodes(node) if isinstance(n, ast.expr))
        return held and any(map(self._is_tensor, inner))


def _type_named(value: Value) -> Value:
    """Return a type for its name, where it is an argument."""
    return Value("dtype", value.text) if value.kind == "word" else value


def shapes(target: ast.Attribute) -> bool:
    """Does an array get another shape where this is assigned to?"""
    own = isinstance(target.value, ast.Name) and target.value.id == "self"
    return target.attr in ("shape", "strides", "data", "dtype") and not own


def reshapes(tree: ast.AST) -> bool:
    """May code give an array another shape?"""
    return any(
        (isinstance(n, ast.Attribute) and not isinstance(n.ctx, ast.Load) and shapes(n))
        or (isinstance(n, ast.Attribute) and n.attr in _RESHAPING)
        or (isinstance(n, ast.Name) and n.id == "setattr")
        for n in ast.walk(tree)
    )  # fmt: skip


def directly(statement: ast.stmt) -> Sequence[ast.expr]:
    """Return the expressions that a statement evaluates by itself."""
    match statement:
        case ast.If(test=test) | ast.While(test=test) | ast.For(iter=test):
            return (test,)
        case ast.With(items=items):
            return [i.context_expr for i in items]
        case ast.Try() | ast.FunctionDef() | ast.ClassDef():
            return ()
    return [x for x in ast.iter_child_nodes(statement) if isinstance(x, ast.expr)]


def evaluated(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield what is evaluated of a statement by itself, without the statements in it."""
    for part in directly(statement):
        yield from ast.walk(part)
