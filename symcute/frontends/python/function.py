"""A function of Python as one of C++: its statements."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from symcute.frontends.python.decorators import hands_on
from symcute.frontends.python.expressions import directly, evaluated
from symcute.frontends.python.flags import Flags
from symcute.frontends.python.helpers import helper
from symcute.frontends.python.jit_launches import Line
from symcute.frontends.python.scopes import Function, bound, inside
from symcute.frontends.python.tensors import ATTRIBUTES, JIT_ATTRIBUTES, Value
from symcute.frontends.python.variables import TYPES, Variables

__all__ = ["HostFunction"]

_ROUNDS = 8


@dataclass
class HostFunction(Variables):
    """A function on its way to C++. Its variables have the kinds that all assignments agree on."""

    function: Function | None = None
    name: str = ""
    #: Where a return goes, of each statement that has something to do before.
    _leaving: list[str] = field(default_factory=list)

    def lines(self) -> list[Line]:
        """Return the function."""
        given = self._given()
        self.flags = Flags.of(self.function, self.scope, self.spelled)
        for name in {n.id for n in inside(self.scope.body)
                     if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}:  # fmt: skip
            self.kinds.setdefault(name, None)
        for _ in range(_ROUNDS):
            before = dict(self.kinds)
            self._body(self.scope.body)
            if self.kinds == before:
                break
        else:
            self.kinds = {n: Value("any") for n in self.kinds}
        self.out, self.refused = [], {}
        self.line = self.function.lineno if self.function is not None else 1
        self.column = self.function.col_offset + 1 if self.function is not None else 1
        typed = [f"{TYPES[k]} {self.spelled(n)}" for n, k in given.items() if k in TYPES]
        typed += [f"bool {n}" for n in self.flags.names]
        # What only the function around it can call is not given anything.
        around = self.scope.around
        inner = "static " if around is not None and around.around is not None else ""
        self.emit(f"{inner}void {self.name}({', '.join(typed)}) {{")
        for name, kind in self.kinds.items():
            if kind is not None and name not in given:
                self._declare(self.spelled(name), kind)
        if self.function is not None and not hands_on(self.function, around or self.scope):
            self.emit("if (!a_condition_of_Python()) return;")
        self._body(self.scope.body)
        self.emit("}")
        return self.out

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
        stars = {x.arg for x in (a.vararg, a.kwarg) if x is not None}
        handed = [n for c in self.calls for n in (*c.args, *(k.value for k in c.keywords))]
        # What is handed on twice is one value, and may not compile with what stands before.
        names = Counter(n.id for n in handed if isinstance(n, ast.Name))
        used = {
            n.id for s in self.scope.body for n in ast.walk(s)
            if isinstance(n, ast.Name) and n not in handed
        }  # fmt: skip
        around = self.scope.around
        is_inner = around is not None and around.around is not None
        free = () if is_inner or not hands_on(self.function, around or self.scope) else given
        self.free = frozenset(
            n for n in free if n not in stars | used and names[n] == 1 and self.scope.is_fixed(n)
        )
        self.kinds = {n: Value(k, self.spelled(n)) for n, k in given.items()}
        self.kinds |= {n: Value("any") for n in self.scope.elsewhere}
        return given

    def _kind_of(self, parameter: ast.arg) -> str:
        name = parameter.arg
        if parameter.annotation is not None:
            said = ast.unparse(parameter.annotation).split(".")[-1]
            if said in ("int", "Tensor", "ndarray", "GPUArray"):
                return "int" if said == "int" else "tensor"
        body = list(inside(self.scope.body))
        if any(self._takes(n, name) for n in body):
            return "tensor"
        for call in self.calls:
            of_triton = self.jit_of(call) is not None
            for p, arg in zip(self.parameters(call), self.given(call), strict=False):
                if isinstance(arg, ast.Name) and arg.id == name:
                    if p.element is not None:
                        return "tensor"
                    if not (of_triton and p.fraction):
                        return "int"
        for n in body:
            match n:
                case ast.Call():
                    known = helper(n.func, self.scope)
                    parts = known.numbers(n) if known is not None else []
                case ast.BinOp(left=a, right=b):
                    parts = [a, b]
                case ast.Compare(left=a, comparators=others):
                    parts = [a, *others]
                case _:
                    continue
            if any(isinstance(x, ast.Name) and x.id == name for x in parts):
                return "int"
        return "any"

    def _takes(self, node: ast.AST, name: str) -> bool:
        """Is a parameter taken for an array here?"""
        match node:
            case ast.Call(args=[ast.Name(id=given), *_]):
                return given == name and self.takes_arrays(node)
            case ast.Attribute(value=ast.Name(id=given), attr=attr):
                return given == name and attr in (JIT_ATTRIBUTES if self.triton else ATTRIBUTES)
        return False

    # --- statements -------------------------------------------------------------------------------

    def _body(self, body: Sequence[ast.stmt]) -> None:
        for s in body:
            self.line, self.column = s.lineno, s.col_offset + 1
            if self._catching:
                self.emit(f"if (at::symcute_either()) goto {self._catching[-1]};")
            self.emit("{")
            self._statement(s)
            self.emit("}")

    def _statement(self, s: ast.stmt) -> None:
        if self._raises_unseen(s):
            self._may_raise()
        self._forget_what_is_called(evaluated(s))
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
            case ast.AugAssign(target=ast.Name() as target, value=value) if self.value(
                ast.Name(target.id, ast.Load())
            ).kind == "tensor" and self.value(value).kind in ("int", "float"):
                pass  # its elements are others, in place
            case ast.AugAssign(target=ast.Name() as target, op=op, value=value):
                held = ast.Name(target.id, ast.Load())
                self._assign(target, self.value(ast.BinOp(held, op, value)))
            case ast.AugAssign(target=target):
                self._assign(target, Value("any"))
            case ast.Expr(value=value):
                self._held(self.value(value))
            case ast.Assert(test=ast.BoolOp(op=ast.And(), values=parts)):
                for part in parts:
                    self._demand(part)
            case ast.Assert(test=test):
                self._demand(test)
            case ast.Raise():
                self.emit(self.raised)
            case ast.Return():
                self.emit(f"goto {self._leaving[-1]};" if self._leaving else "return;")
            case ast.If(
                test=ast.Compare(left, [ast.NotEq()], [right]), body=[ast.Raise()], orelse=[]
            ):
                self._demand(ast.Compare(left, [ast.Eq()], [right]))
            case ast.If(test=test, body=body, orelse=other):
                nothing = self.flags.nothing.get(s, "")
                is_not = bool(nothing) and isinstance(getattr(test, "ops", [0])[0], ast.IsNot)
                self.emit(f"if ({self.condition(test)}) {{")
                self._forget("" if is_not else nothing)
                self._body(body)
                self.emit("} else {")
                self._forget(nothing if is_not else "")
                self._body(other)
                self.emit("}")
            case ast.For():
                self._for(s)
            case ast.While(test=test, body=body, orelse=other):
                self.emit(f"while ({self.condition(test)}) {{")
                if self.raises_unseen(test):
                    self._may_raise()
                self._forget_what_is_called(evaluated(s))
                self._body(body)
                self.emit("}")
                self._maybe(other)
            case ast.Break():
                self.emit("break;")
            case ast.Continue():
                self.emit("continue;")
            case ast.With(items=items, body=body):
                for item in items:
                    if item.optional_vars is not None:
                        self._assign(item.optional_vars, Value("any"))
                if all(self._lets_through(i.context_expr) for i in items):
                    self._body(body)
                else:  # what raises inside may be caught where it ends, and more raised
                    self._try(body, [[]], [], [])
                    self._may_raise()
            case ast.Try(body=body, handlers=handlers, orelse=other, finalbody=last):
                for h in handlers:
                    self._forget(h.name or "")
                self._try(body, [h.body for h in handlers], other, last)
            case ast.FunctionDef() | ast.ClassDef() | ast.Import() | ast.ImportFrom() | ast.Pass():
                for name in bound([s]):
                    if name in self.kinds:
                        self._assign(ast.Name(name, ast.Store()), Value("any"))
            case _:
                for name in {n.id for n in ast.walk(s) if isinstance(n, ast.Name)}:
                    self._assign(ast.Name(name, ast.Store()), Value("any"))

    def _raises_unseen(self, s: ast.stmt) -> bool:
        """May a statement by itself raise what is not written in C++?"""
        match s:
            case ast.Assign(targets=targets, value=value):
                known = self.value(value)
                return self.raises_unseen(value) or any(
                    self.assigning_raises(t, known) for t in targets
                )
            case ast.AnnAssign(target=target, value=value):
                held = self.value(value) if value is not None else Value("any")
                return (value is not None and self.raises_unseen(value)) or (
                    self.assigning_raises(target, held)
                )
            case ast.AugAssign(target=target, op=op, value=value):
                read = ast.Name(target.id, ast.Load()) if isinstance(target, ast.Name) else target
                return self.raises_unseen(ast.BinOp(read, op, value)) or (
                    self.assigning_raises(target, self.value(value))
                )
            case ast.FunctionDef(args=a, decorator_list=before):
                return any(
                    map(self.raises_unseen, (*before, *a.defaults, *filter(None, a.kw_defaults)))
                )
            case ast.ClassDef():
                return True
        return any(self.raises_unseen(x) for x in directly(s))

    def _may_raise(self) -> None:
        self.emit(f"if (a_condition_of_Python()) {self.raised}")

    def _try(
        self,
        body: Sequence[ast.stmt],
        handlers: Sequence[Sequence[ast.stmt]],
        other: Sequence[ast.stmt],
        last: Sequence[ast.stmt],
    ) -> None:
        """Emit what may be left before each of its statements, and where it goes on then.

        What is done after an exception hangs on one that may never be raised.
        """
        self.temporaries += 1
        caught, leave, after = (f"symcute_{x}_{self.temporaries}" for x in ("at", "end", "on"))
        if last:
            self._leaving.append(leave)
        self._catching.append(caught)
        self._body(body)
        self._catching[-1] = leave
        self._body(other)
        self.emit(f"goto {after};")
        self.emit(f"{caught}:;")
        self.emit("if (!a_condition_of_Python()) throw c10::Error();")
        for handler in handlers:
            self.emit("if (a_condition_of_Python()) {")
            self._body(handler)
            self.emit(f"goto {after};")
            self.emit("}")
        self._catching.pop()
        if last:
            self._leaving.pop()
        self.emit(f"{leave}:;")
        self._body(last)
        self.emit(self.raised)
        self.emit(f"{after}:;")
        self._body(last)

    def _lets_through(self, manager: ast.expr) -> bool:
        """Is this a context manager that lets exceptions through?"""
        named = manager.func if isinstance(manager, ast.Call) else manager
        parts = self.scope.title(named).split(".")
        return parts[0] in ("cupy", "torch", "numpy", "open") and "testing" not in parts

    def _maybe(self, body: Sequence[ast.stmt]) -> None:
        if body:
            self.emit("if (a_condition_of_Python()) {")
            self._body(body)
            self.emit("}")

    def _demand(self, test: ast.expr) -> None:
        """Emit that something is raised where a condition does not hold."""
        self.emit(f"if (!({self.condition(test)})) {self.raised}")

    def _for(self, s: ast.For) -> None:
        match s.iter:
            case ast.Call(func=called, args=args, keywords=[]) if (
                self.scope.title(called) == "range"
                and 1 <= len(args) <= 2
                and isinstance(s.target, ast.Name)
                and all(self.value(a).kind == "int" for a in args)
            ):
                low, high = (("0", self.value(args[0]).text) if len(args) == 1
                             else [self.value(a).text for a in args])  # fmt: skip
                # A name for the round: the loop's variable may be assigned to inside.
                n = f"symcute_round_{s.lineno}_{s.col_offset}"
                end = f"symcute_end_{s.lineno}_{s.col_offset}"
                self.emit(f"int64_t {end} = {high};")
                self.emit(f"for (int64_t {n} = {low}; {n} < {end}; {n}++) {{")
                self._assign(s.target, Value("int", n))
            case _:
                self.emit("while (a_condition_of_Python()) {")
                if self.reshapes:  # between two rounds
                    self._forget_tensors()
                self._assign(s.target, Value("any"))
        self._body(s.body)
        self.emit("}")
        self._maybe(s.orelse)
