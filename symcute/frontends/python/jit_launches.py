"""Launches of Triton's kernels: their grids, and what each parameter is given, said in C++."""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping
from dataclasses import dataclass, field

from symcute.frontends.python.jit import (
    CHOSEN,
    CHOSEN_OR_GIVEN,
    FLOAT,
    NONE,
    NUMBER,
    OPTIONS,
    TRUTH,
    UNKNOWN,
    WORDS,
    Jit,
    function_of,
)
from symcute.frontends.python.raising import Exceptions
from symcute.frontends.python.scopes import Scope
from symcute.frontends.python.sources import Handle
from symcute.frontends.python.tensors import ANY, SCALARS, TUPLES, Value, number, plain
from symcute.frontends.python.warmups import differs

__all__ = ["JitLaunches", "Line"]

#: Views of views that are looked through.
_MOST_VIEWS = 20
_MOST_GRID = (2147483647, 65535, 65535)
_ANY_NUMBER = "at::symcute_any()"
#: A constant that is no number, as `frontends/triton` has it.
Word = str | float | list[str]


@dataclass(frozen=True)
class Line:
    """A line of C++, and the place in Python that it is for; without a column it is as written."""

    text: str
    line: int
    column: int | None = None


@dataclass
class JitLaunches(Exceptions):
    """Expressions with the lines that are written, and the launches that are not followed."""

    refused: dict[ast.Call, str] = field(default_factory=dict)
    out: list[Line] = field(default_factory=list)
    line: int = 1
    column: int = 1
    jits: Mapping[str, Jit] = field(default_factory=dict)
    #: Constants that are no numbers, which launches name by their places here.
    words: list[Word] = field(default_factory=list)
    #: Parameters of the host that it hands on as a caller gives them, and asks nothing of.
    free: frozenset[str] = frozenset()

    def emit(self, text: str) -> None:
        """Write a line of C++."""
        self.out.append(Line(text, self.line, self.column))

    def jit_of(self, call: ast.Call) -> Jit | None:
        """Return the Triton kernel that a call launches, if it does."""
        handle: Handle | None = self.calls.get(call)
        of_triton = handle is not None and handle.code.library == "triton"
        return self.jits[handle.kernel] if handle is not None and of_triton else None

    def launch_jit(self, call: ast.Call, jit: Jit) -> None:
        """Emit a launch, or say why it is not understood."""
        self.line, self.column = call.lineno, call.col_offset + 1
        given = self.given_to(call, jit)
        if isinstance(given, str):
            self.refused[call] = given
            return
        self._refuse_views(call, jit, given)
        loose = any(k.arg is None for k in (self.calls[call].warmup or call).keywords)
        self.temporaries += 1
        mark = f"symcute_{self.temporaries}_given"
        texts: dict[str, str] = {}
        self.emit("{")
        decided = {p for p, _ in jit.heuristics}
        # Heuristics are asked last, in their order, of all that is given and decided by then.
        ways = [(p, None) for p in jit.parameters]
        for n, (p, heuristic) in enumerate([*ways, *jit.heuristics]):
            if p not in jit.parameters:
                continue  # an option
            node = given.get(p)
            if heuristic is not None:
                value = self._decided(heuristic, mark)
            elif node is not None:
                value = self._constant(node) or self.value(node)
                if value.kind == "any" and isinstance(node, ast.Name) and node.id in self.free:
                    value = Value("free")
            elif jit.tuned:
                value = Value("chosen or given" if loose else "chosen")
            elif loose:
                value = ANY
            elif p in jit.defaults:
                value = self._default(jit.defaults[p])
            else:
                if p not in decided:
                    self.refused[call] = f"{p} of {jit.name} is not given"
                value = ANY
            texts[p] = self._said(value, p, jit, f"{mark}_{n}")
            seen = value.kind in ("int", "condition") or value.kind.startswith("chosen")
            self.kinds[f"{mark} {p}"] = number(f"{mark}_{n}") if seen else ANY
        grid = self._grid(call, mark)
        if isinstance(grid, str):
            self.refused[call] = grid
        if call not in self.refused and not isinstance(grid, str):
            names = [f"{mark}_grid_{n}" for n in range(3)]
            for name, value in zip(names, (*grid, number("1"), number("1")), strict=False):
                self.emit(f"int64_t {name} = {value.text};")
            runs = " && ".join(
                f"{name} >= 1 && {name} <= {most}"
                for name, most in zip(names, _MOST_GRID, strict=True)
            )
            self.emit(
                f"if ({runs}) {jit.name}<<<dim3({', '.join(names)}), dim3(1, 1, 1)>>>"
                f"({', '.join(texts[p] for p in jit.parameters)});"
            )
        for p in jit.parameters:
            self.kinds.pop(f"{mark} {p}", None)
        self.emit("}")

    def given_to(self, call: ast.Call, jit: Jit) -> dict[str, ast.expr] | str:
        """Return what a launch gives to each parameter, or why that is not plain to see."""
        warmup = self.calls[call].warmup
        given = arguments(warmup or call, jit)
        if warmup is None or isinstance(given, str):
            return given
        if self.reshapes:
            return "tensors may have changed since it was compiled"
        parameters = {p: p in jit.constants for p in jit.parameters}
        return differs(call, given, parameters, self.scope) or given

    def _refuse_views(self, call: ast.Call, jit: Jit, given: Mapping[str, ast.expr]) -> None:
        """Say which two arguments are one memory, where one is a view that is not followed."""
        seen: dict[str, tuple[str, bool]] = {}
        for p in filter(given.__contains__, jit.parameters):
            node = given[p]
            root, is_open = _root(node, self.scope), self.value(node).kind == "any"
            if p not in jit.pointers or not root:
                continue
            other, was_open = seen.setdefault(root, (p, is_open))
            if other != p and (is_open or was_open):
                self.refused[call] = f"{other} and {p} are the same memory"

    def _constant(self, node: ast.expr) -> Value | None:
        """Return a constant that Triton is given and that is no number."""
        title = self.scope.title(node)
        text = self.scope.constant(node)
        word: Word | None = None
        if title.startswith("triton.language."):
            word = ["type", title.rpartition(".")[2]]
        elif isinstance(text, str):
            word = text
        elif isinstance(node, ast.Constant) and isinstance(node.value, float):
            word = node.value
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
            return Value("condition", str(node.value).lower())
        if word is None:
            return None
        if word not in self.words:
            self.words.append(word)
        return Value("jit word", str(WORDS + self.words.index(word)))

    def _default(self, node: ast.expr) -> Value:
        """Return a default of the kernel, whose names are those of the file."""
        scope, kinds = self.scope, self.kinds
        while self.scope.around is not None:
            self.scope = self.scope.around
        self.kinds = {}
        value = self._constant(node) or self.value(node)
        self.scope, self.kinds = scope, kinds
        return value if value.kind in ("int", "none", "float", "condition", "jit word") else ANY

    def _said(self, value: Value, p: str, jit: Jit, name: str) -> str:
        """Write down what a parameter is given, and return the three that it is in C++."""
        null = "(symcute_element *)0"
        value = plain(value) if value.kind in SCALARS else value
        match value.kind:
            case "tensor":
                where = f"(symcute_element *)({value.text}).data_ptr()"
                kind = f"at::symcute_kind(({value.text}).scalar_type())"
                if p in jit.tested and not self._is_made(value):
                    kind = _ANY_NUMBER
                return f"{where}, 0, {kind}"
            case "int":
                text = value.text  # Triton compiles no tensor without elements
                text = f"symcute_extent({text})" if p in jit.extents & jit.constants else text
                self.emit(f"int64_t {name} = {text};")
                return f"{null}, {name}, {NUMBER}"
            case "condition" if p not in jit.pointers:
                self.emit(f"int64_t {name} = ({value.text}) ? 1 : 0;")
                return f"{null}, {name}, {TRUTH}"
            case "none":
                return f"{null}, 0, {NONE}"
            case "float" | "quotient" | "rounded":
                return f"{null}, 0, {FLOAT}"
            case "jit word":
                return f"{null}, 0, {value.text}"
            case "chosen" | "chosen or given":
                chosen = "at::symcute_chosen()"
                if p in jit.extents:
                    chosen = f"symcute_extent({chosen})"
                self.emit(f"int64_t {name} = {chosen};")
                return f"{null}, {name}, {CHOSEN if value.kind == 'chosen' else CHOSEN_OR_GIVEN}"
            case "free" if p in jit.constants:
                self.emit(f"int64_t {name} = at::symcute_chosen();")
                return f"{null}, {name}, {UNKNOWN}"
        if p in jit.pointers:
            return f"(symcute_element *)symcute_tensor().data_ptr(), 0, {_ANY_NUMBER}"
        self.emit(f"int64_t {name} = {_ANY_NUMBER};")
        return f"{null}, {name}, {UNKNOWN}"

    def _is_made(self, value: Value) -> bool:
        """Is this a tensor for certain, and no parameter that may be None?"""
        return "symcute_made" in value.text

    def _grid(self, call: ast.Call, mark: str) -> list[Value] | str:
        """Return the extents of a grid, or why they are not understood."""
        assert isinstance(call.func, ast.Subscript)
        node = call.func.slice
        wrong = "its grid is not understood"
        found = function_of(node.id, self.scope) if isinstance(node, ast.Name) else None
        if isinstance(node, ast.Lambda) or found is not None:
            body = self._body_of(node if isinstance(node, ast.Lambda) else found, mark)
            if body is None:
                return wrong
            node = body
        value = plain(self.value(node))
        parts = list(value.parts) if value.kind in TUPLES else [value]
        if value.kind not in ("int", "tuple", "list") or not 1 <= len(parts) <= 3:
            return wrong
        return [p if p.kind == "int" else number(_ANY_NUMBER) for p in parts]

    def _decided(self, node: ast.expr, mark: str) -> Value:
        """Return what a heuristic gives, of what stands before it among the parameters."""
        body = self._body_of(node, mark) if isinstance(node, ast.Lambda) else None
        value = self.value(body) if body is not None else ANY
        return value if value.kind in ("int", "condition", "float") else ANY

    def _body_of(self, function: ast.AST | None, mark: str) -> ast.expr | None:
        """Return what a function of the arguments of a launch gives, said of those of this one."""
        body: ast.expr | None = None
        match function:
            case ast.Lambda(args=args, body=body):
                pass
            case ast.FunctionDef(args=args, body=[ast.Return(value=body)], decorator_list=[]):
                pass
            case _:
                return None
        plain_args = not (
            args.vararg or args.kwarg or args.kwonlyargs or args.posonlyargs or args.defaults
        )
        if body is None or not plain_args or len(args.args) != 1:
            return None
        meta = args.args[0].arg

        class Said(ast.NodeTransformer):
            def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
                match node:
                    case ast.Subscript(
                        value=ast.Name(id=name), slice=ast.Constant(value=str() as key)
                    ) if name == meta:
                        return ast.copy_location(ast.Name(f"{mark} {key}", ast.Load()), node)
                return self.generic_visit(node)

        said: ast.expr = Said().visit(copy.deepcopy(body))
        if any(isinstance(n, ast.Name) and n.id == meta for n in ast.walk(said)):
            return None
        return said


#: Attributes and methods of a tensor that give its memory, or may.
_VIEWS = frozenset({
    "t", "T", "H", "mT", "mH", "transpose", "permute", "expand", "expand_as", "view", "view_as",
    "reshape", "flatten", "ravel", "unflatten", "squeeze", "unsqueeze", "narrow", "select",
    "detach", "data", "swapaxes", "swapdims", "movedim", "moveaxis", "as_strided", "diagonal",
    "unfold", "broadcast_to", "contiguous", "requires_grad_",
})  # fmt: skip


def _root(node: ast.expr, scope: Scope) -> str:
    """Return the name of which an expression is the memory, by way of views; or nothing."""
    root = ""
    for _ in range(_MOST_VIEWS):
        match node:
            case ast.Name(id=root):
                held = scope.value(root)
                if held is None:
                    break
                node, scope = held
            case ast.Subscript(value=node):
                pass
            case ast.Attribute(value=of, attr=attr) if attr in _VIEWS:
                node = of
            case ast.Call(func=ast.Attribute(value=of, attr=attr)) if attr in _VIEWS:
                node = of
            case _:
                break
    return root


def arguments(call: ast.Call, jit: Jit) -> dict[str, ast.expr] | str:
    """Return what a call gives to each parameter, or why that is not plain to see."""
    if any(isinstance(a, ast.Starred) for a in call.args):
        return "its arguments are put together while the program runs"
    if len(call.args) > len(jit.parameters):
        return f"{len(call.args)} arguments are given, and {jit.name} has {len(jit.parameters)}"
    given = dict(zip(jit.parameters, call.args, strict=False))
    for k in call.keywords:
        if k.arg is None:
            continue
        if k.arg in given or (k.arg not in jit.parameters and k.arg not in OPTIONS):
            return f"{jit.name} takes no {k.arg} here"
        if k.arg in jit.parameters:
            given[k.arg] = k.value
    return given
