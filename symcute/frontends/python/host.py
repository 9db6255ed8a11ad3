"""Python code that comes to launches, as C++ that comes to the same launches.

Each function that launches a kernel becomes a function of C++: integers are 64 bits wide there,
arrays are PyTorch's tensors, and what is not understood is a value of which nothing is known. So
every execution of the Python code is one of the C++ code, up to where a number has more than 63
bits. The C++ is followed as host code of CUDA is (`frontends/cuda/host`).
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from symcute.frontends.python.expressions import Expressions, evaluated
from symcute.frontends.python.scopes import Function, Scope, inside
from symcute.frontends.python.sources import Code, Handle, Sources
from symcute.frontends.python.tensors import ATTRIBUTES, Value

__all__ = ["PRELUDE", "Line", "Lost", "translated"]

#: What the C++ code needs besides PyTorch's header.
PRELUDE = """\
#include "/symcute-cuda/symcute_torch.h"
SYMCUTE_H at::Tensor symcute_tensor(); SYMCUTE_H double symcute_float();
SYMCUTE_H inline int64_t symcute_floor(int64_t a, int64_t b) {
  if (b == 0) throw c10::Error();
  if (a >= 0 && b > 0) return a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? a / b - 1 : a / b;
}
SYMCUTE_H inline int64_t symcute_modulo(int64_t a, int64_t b) {
  if (b == 0) throw c10::Error();
  if (a >= 0 && b > 0) return a % b;
  return a % b != 0 && (a < 0) != (b < 0) ? a % b + b : a % b;
}
SYMCUTE_H inline int64_t symcute_ceil(int64_t a, int64_t b) {
  if (b == 0) throw c10::Error();
  if (a >= 0 && b > 0) return (a + b - 1) / b;
  return -symcute_floor(-a, b);
}
// Through a quotient that is rounded to 53 bits.
SYMCUTE_H inline int64_t symcute_rounded(int64_t a, int64_t b) {
  if (a > (1ll << 52) || a < -(1ll << 52)) return at::symcute_any();
  return symcute_ceil(a, b);
}
SYMCUTE_H inline int64_t symcute_min(int64_t a, int64_t b) { return b < a ? b : a; }
SYMCUTE_H inline int64_t symcute_max(int64_t a, int64_t b) { return b > a ? b : a; }
SYMCUTE_H inline int64_t symcute_extent(int64_t n) {
  if (n < 1 || n > 2147483647) throw c10::Error();
  return n;
}
template <class T> SYMCUTE_H inline T symcute_narrow(int64_t n) {
  if ((int64_t)(T)n != n && at::symcute_either()) throw c10::Error();
  return (T)n;
}
SYMCUTE_H inline bool symcute_same(const at::Tensor &x, const at::Tensor &y) {
  if (x.symcute_rank != y.symcute_rank || x.symcute_numel != y.symcute_numel) return false;
  if (x.symcute_rank > 0 && x.size_0 != y.size_0) return false;
  if (x.symcute_rank > 1 && x.size_1 != y.size_1) return false;
  if (x.symcute_rank > 2 && x.size_2 != y.size_2) return false;
  if (x.symcute_rank > 3 && x.size_3 != y.size_3) return false;
  return x.symcute_rank < 5 || at::symcute_either();
}
SYMCUTE_H inline at::Tensor symcute_moved(const at::Tensor &x) {
  at::Tensor t = x.contiguous();
  t.symcute_contiguous = x.symcute_contiguous ? true : at::symcute_either();
  return t;
}
SYMCUTE_H inline at::Tensor symcute_cast(const at::Tensor &x, at::ScalarType type) {
  if (x.symcute_type == type) return symcute_moved(x);
  return at::symcute_like(x, type);
}
"""
_ROUNDS = 8
_NOT_FOLLOWED = (
    ast.NamedExpr, ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor,
    ast.AsyncWith, ast.Match,
)  # fmt: skip
_WORDS = frozenset({
    "alignas", "asm", "auto", "bool", "break", "case", "catch", "char", "class", "const",
    "continue", "default", "delete", "do", "double", "else", "enum", "explicit", "export",
    "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable",
    "namespace", "new", "operator", "private", "protected", "public", "register", "return",
    "short", "signed", "sizeof", "static", "struct", "switch", "template", "this", "throw",
    "true", "try", "typedef", "union", "unsigned", "using", "virtual", "void", "volatile",
    "while", "dim3", "at", "torch", "c10", "std", "min", "max", "main",
})  # fmt: skip


@dataclass(frozen=True)
class Line:
    """A line of C++, and the place in Python that it is for; without a column it is as written."""

    text: str
    line: int
    column: int | None = None


@dataclass(frozen=True)
class Lost:
    """A launch that is not followed, and why."""

    node: ast.Call
    kernel: str
    host: str
    why: str


def translated(code: Code, sources: Sources, default: str) -> tuple[list[Line], list[Lost]]:
    """Return the functions of a file that launch kernels of a text, as C++, and what is lost.

    `default` is the type of elements that PyTorch takes where none is said.
    """
    lines: list[Line] = []
    lost: list[Lost] = []
    names: set[str] = set()
    for function, scope in sources.scopes:
        calls = _launches(scope.body, scope, sources, code)
        if not calls:
            continue
        title = function.name if function is not None else "__main__"
        odd = next((n for n in inside(scope.body) if isinstance(n, _NOT_FOLLOWED)), None)
        if odd is not None or isinstance(function, ast.AsyncFunctionDef):
            why = f"{title} is not followed: {type(odd or function).__name__} is not understood"
            lost += [Lost(c, h.kernel, title, why) for c, h in calls]
            continue
        known = [(c, h) for c, h in calls if code.parameters(h.kernel) is not None]
        for c, h in calls:
            if (c, h) not in known:
                lost.append(Lost(c, h.kernel, title, f"the parameters of {h.kernel} are not plain"))
        name = _fresh(title, names)
        followed = _Function(scope, default, dict(known), function=function, name=name)
        lines += followed.lines()
        lost += [Lost(c, h.kernel, title, followed.refused[c]) for c, h in known
                 if c in followed.refused]  # fmt: skip
    return lines, lost


def _launches(
    body: Sequence[ast.stmt], scope: Scope, sources: Sources, code: Code
) -> list[tuple[ast.Call, Handle]]:
    found = []
    for node in inside(body):
        if isinstance(node, ast.Call):
            handle = sources.handle(node.func, scope)
            if handle is not None and handle.code is code:
                found.append((node, handle))
    return found


def _fresh(title: str, names: set[str]) -> str:
    name, n = title if title not in _WORDS else f"{title}_", 1
    while name in names:
        n += 1
        name = f"{title}_{n}"
    names.add(name)
    return name


@dataclass
class _Function(Expressions):
    """A function on its way to C++. Its variables have the kinds that all assignments agree on."""

    function: Function | None = None
    name: str = ""
    refused: dict[ast.Call, str] = field(default_factory=dict)
    _out: list[Line] = field(default_factory=list)
    _line: int = 1
    _column: int = 1
    _tries: int = 0

    def lines(self) -> list[Line]:
        """Return the function."""
        given = self._given()
        for name in {n.id for n in inside(self.scope.body)
                     if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}:  # fmt: skip
            self.kinds.setdefault(name, None)
        for _ in range(_ROUNDS):
            before = dict(self.kinds)
            self._body(self.scope.body)
            if self.kinds == before:
                break
        else:
            self.kinds = {n: Value("any") if n not in given else k for n, k in self.kinds.items()}
        self._out, self.refused = [], {}
        self._line = self.function.lineno if self.function is not None else 1
        self._column = self.function.col_offset + 1 if self.function is not None else 1
        typed = ", ".join(f"{_TYPES[k]} {self.spelled(n)}" for n, k in given.items() if k in _TYPES)
        self._emit(f"void {self.name}({typed}) {{")
        for name, kind in self.kinds.items():
            if kind is not None and name not in given:
                self._declare(self.spelled(name), kind)
        self._body(self.scope.body)
        self._emit("}")
        return self._out

    def _given(self) -> dict[str, str]:
        """Return the parameters with their kinds, as far as their uses say these."""
        if self.function is None:
            return {}
        a = self.function.args
        given: dict[str, str] = {}
        for x in (*a.posonlyargs, *a.args, *a.kwonlyargs):
            given[x.arg] = self._kind_of(x)
        for star in (a.vararg, a.kwarg):
            if star is not None:
                given[star.arg] = "any"
        self.kinds = {n: Value(k, self.spelled(n)) for n, k in given.items()}
        return given

    def _kind_of(self, parameter: ast.arg) -> str:
        name = parameter.arg
        if parameter.annotation is not None:
            said = ast.unparse(parameter.annotation).split(".")[-1]
            if said in ("int", "Tensor", "ndarray", "GPUArray"):
                return "int" if said == "int" else "tensor"
        body = list(inside(self.scope.body))
        if any(
            isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id == name
            and n.attr in ATTRIBUTES
            for n in body
        ):  # fmt: skip
            return "tensor"
        for call, handle in self.calls.items():
            parameters = handle.code.parameters(handle.kernel) or ()
            for p, arg in zip(parameters, self.given(call), strict=False):
                if isinstance(arg, ast.Name) and arg.id == name:
                    return "tensor" if p.element is not None else "int"
        for n in body:
            match n:
                case ast.BinOp(left=a, right=b) | ast.Compare(left=a, comparators=[b]):
                    if any(isinstance(x, ast.Name) and x.id == name for x in (a, b)):
                        return "int"
        return "any"

    def _emit(self, text: str) -> None:
        self._out.append(Line(text, self._line, self._column))

    def _declare(self, name: str, kind: Value) -> None:
        if kind.kind == "tuple":
            for n, part in enumerate(kind.parts):
                self._declare(f"{name}_{n}", part)
        elif kind.kind in _TYPES:
            self._emit(f"{_TYPES[kind.kind]} {name} = {_UNKNOWN[kind.kind]};")

    # --- statements -------------------------------------------------------------------------------

    def _body(self, body: Sequence[ast.stmt]) -> None:
        for s in body:
            self._statement(s)

    def _statement(self, s: ast.stmt) -> None:
        self._line, self._column = s.lineno, s.col_offset + 1
        for node in evaluated(s):
            if isinstance(node, ast.Call) and not self.leaves_shapes(node):
                self._forget_tensors()
        self.launch_inside(s)
        match s:
            case ast.Assign(targets=[target], value=value):
                self._assign(target, self.value(value))
            case ast.Assign(targets=targets):
                for t in targets:
                    self._assign(t, Value("any"))
            case ast.AnnAssign(target=target, value=value):
                if value is not None:
                    self._assign(target, self.value(value))
            case ast.AugAssign(target=ast.Name() as target, op=op, value=value):
                held = ast.Name(target.id, ast.Load())
                self._assign(target, self.value(ast.BinOp(held, op, value)))
            case ast.AugAssign(target=target):
                self._assign(target, Value("any"))
            case ast.Expr():
                pass
            case ast.Assert(test=test):
                if not self._tries:
                    self._emit(f"if (!({self.condition(test)})) throw c10::Error();")
            case ast.Raise():
                if not self._tries:
                    self._emit("throw c10::Error();")
            case ast.Return():
                self._emit("return;" if not self._tries else "if (at::symcute_either()) return;")
            case ast.If(test=test, body=body, orelse=other):
                self._emit(f"if ({self.condition(test)}) {{")
                self._body(body)
                self._emit("} else {")
                self._body(other)
                self._emit("}")
            case ast.For():
                self._for(s)
            case ast.While(test=test, body=body, orelse=other):
                self._emit(f"while ({self.condition(test)}) {{")
                self._body(body)
                self._emit("}")
                self._maybe(other)
            case ast.Break():
                self._emit("break;")
            case ast.Continue():
                self._emit("continue;")
            case ast.With(items=items, body=body):
                for item in items:
                    if item.optional_vars is not None:
                        self._assign(item.optional_vars, Value("any"))
                if all(self._lets_through(i.context_expr) for i in items):
                    self._body(body)
                else:  # what raises inside may be caught where it ends
                    self._tried(body)
            case ast.Try(body=body, handlers=handlers, orelse=other, finalbody=last):
                self._tried(body)
                for handler in handlers:
                    self._maybe(handler.body)
                self._maybe(other)
                self._body(last)
            case ast.FunctionDef() | ast.ClassDef() | ast.Import() | ast.ImportFrom() | ast.Pass():
                pass
            case _:
                for name in {n.id for n in ast.walk(s) if isinstance(n, ast.Name)}:
                    self._assign(ast.Name(name, ast.Store()), Value("any"))

    def _tried(self, body: Sequence[ast.stmt]) -> None:
        self._tries += 1
        self._body(body)
        self._tries -= 1
        for node in inside(body):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self._forget(node.id)

    def _lets_through(self, manager: ast.expr) -> bool:
        """Is this a context manager that lets exceptions through?"""
        named = manager.func if isinstance(manager, ast.Call) else manager
        return self.scope.title(named).split(".")[0] in ("cupy", "torch", "numpy", "open")

    def _maybe(self, body: Sequence[ast.stmt]) -> None:
        if body:
            self._emit("if (at::symcute_either()) {")
            self._body(body)
            self._emit("}")

    def _for(self, s: ast.For) -> None:
        match s.iter:
            case ast.Call(func=ast.Name(id="range"), args=args, keywords=[]) if (
                len(args) <= 2
                and isinstance(s.target, ast.Name)
                and all(self.value(a).kind == "int" for a in args)
            ):
                low, high = (("0", self.value(args[0]).text) if len(args) == 1
                             else [self.value(a).text for a in args])  # fmt: skip
                # A name for the round: the loop's variable may be assigned to inside.
                n = f"symcute_round_{s.lineno}_{s.col_offset}"
                end = f"symcute_end_{s.lineno}_{s.col_offset}"
                self._emit(f"int64_t {end} = {high};")
                self._emit(f"for (int64_t {n} = {low}; {n} < {end}; {n}++) {{")
                self._assign(s.target, Value("int", n))
            case _:
                self._emit("while (at::symcute_either()) {")
                self._assign(s.target, Value("any"))
        self._body(s.body)
        self._emit("}")
        self._maybe(s.orelse)

    def _assign(self, target: ast.expr, value: Value) -> None:
        match target:
            case ast.Name(id=name):
                self._join(name, value)
                self._store(self.spelled(name), self.kinds[name], value)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                if value.kind == "shape":
                    x = value.text
                    if not self._tries:
                        self._emit(f"if ({x}.dim() != {len(parts)}) throw c10::Error();")
                    value = Value("tuple", "", tuple(
                        Value("int", f"{x}.size({n})") for n in range(len(parts))))  # fmt: skip
                whole = value.kind == "tuple" and len(value.parts) == len(parts)
                values = value.parts if whole else [Value("any")] * len(parts)
                held = [self._held(v) for v in values]
                for t, v in zip(parts, held, strict=True):
                    self._assign(t, v)
            case ast.Starred(value=inner):
                self._assign(inner, Value("any"))
            case ast.Attribute(attr="shape" | "strides"):
                self._forget_tensors()

    def _held(self, value: Value) -> Value:
        """Return a value that later assignments do not change."""
        if value.kind not in _TYPES or value.text.isdigit():
            return value
        self.temporaries += 1
        name = f"symcute_held_{self.temporaries}"
        self._emit(f"{_TYPES[value.kind]} {name} = {value.text};")
        return Value(value.kind, name)

    def _join(self, name: str, value: Value) -> None:
        old = self.kinds.get(name)
        new = _kind(value, self.spelled(name))
        if value.kind == "unbound":
            return
        if old is None:
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
                self._store(f"{name}_{n}", k, p)
        elif kind.kind in _TYPES:
            text = value.text if value.kind == kind.kind else _UNKNOWN[kind.kind]
            self._emit(f"{name} = {text};")

    def _forget(self, name: str) -> None:
        if name in self.kinds:
            self._store(self.spelled(name), self.kinds[name], Value("any"))

    def _forget_tensors(self) -> None:
        """Forget all tensors: one of them, which may have several names, may have another shape."""
        for name, kind in list(self.kinds.items()):
            if kind is not None and "tensor" in (kind.kind, *(p.kind for p in kind.parts)):
                self._forget(name)

    def spelled(self, name: str) -> str:
        """Return what a variable is called in C++."""
        return f"{name}_" if name in _WORDS or name.startswith("symcute_") else name

    def launch(self, call: ast.Call) -> None:
        """Emit a launch, or say why it is not understood."""
        handle = self.calls[call]
        parameters = handle.code.parameters(handle.kernel) or []
        configured = self.configuration(call)
        given = self.arguments(call)
        if configured is None or given is None:
            self.refused[call] = "its grid, its block or its arguments are not understood"
            return
        if len(given) != len(parameters):
            wrong = f"{len(given)} arguments are given, and {handle.kernel} has {len(parameters)}"
            self.refused[call] = wrong
            return
        texts = []
        for p, value in zip(parameters, given, strict=True):
            if p.element is not None:
                x = value.text if value.kind == "tensor" else "symcute_tensor()"
                null = value.kind == "none"
                texts.append(f"({p.element} *)" + ("0" if null else f"({x}).data_ptr()"))
            elif value.kind == "tensor":
                self.refused[call] = f"an array is given where {handle.kernel} has a number"
                return
            else:
                texts.append({"int": value.text, "float": "symcute_float()"}.get(
                    value.kind, "at::symcute_any()"))  # fmt: skip
        self._line, self._column = call.lineno, call.col_offset + 1
        self._emit(f"{handle.kernel}<<<{configured}>>>({', '.join(texts)});")

    def refuse(self, call: ast.Call) -> None:
        """Say that a launch stands where it is not followed."""
        self.refused[call] = "it stands inside another expression"


def _kind(value: Value, name: str) -> Value:
    """Return what is remembered of a variable that has a value: its kind, and its name for text."""
    if value.kind == "tuple":
        parts = tuple(_kind(p, f"{name}_{n}") for n, p in enumerate(value.parts))
        return Value("tuple", name, parts)
    return Value(value.kind, name) if value.kind in _TYPES else Value("any")


_TYPES = {"int": "int64_t", "tensor": "torch::Tensor", "float": "double", "dtype": "at::ScalarType"}
_UNKNOWN = {
    "int": "at::symcute_any()",
    "tensor": "symcute_tensor()",
    "float": "symcute_float()",
    "dtype": "(at::ScalarType)at::symcute_any()",
}
