"""How a file of Inductor's launches its kernels: `name.run(arg0_1, buf0, s27*s77, stream=stream0)`.

Its functions are followed as syntax, statement by statement: sizes are symbols, and of a tensor it
is known where its memory begins and how much there is. A statement that is not understood takes
from all that it mentions what was known of it. That two arguments of a function are not the same
memory is taken for granted, as of all host code.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from symcute.frontends.triton.inductor import Generated
from symcute.frontends.triton.inductor_changes import bound_otherwise, is_harmless, may_change
from symcute.frontends.triton.inductor_sizes import divides, plain
from symcute.frontends.triton.launched import Given, Launched
from symcute.kernel.ir.families import Family, Inferred
from symcute.kernel.ir.place import Place

__all__ = ["launches_in"]

_GUARDS = "torch._C._dynamo.guards."
#: What the names have to be bound to, for these words to mean what they mean.
_WORDS = {
    "assert_size_stride": f"{_GUARDS}assert_size_stride",
    "empty_strided_cuda": f"{_GUARDS}_empty_strided_cuda",
    "reinterpret_tensor": f"{_GUARDS}_reinterpret_tensor",
}
_TYPES = {
    "float32": ("*fp32", 4), "float16": ("*fp16", 2), "bfloat16": ("*bf16", 2),
    "float64": ("*fp64", 8), "int64": ("*i64", 8), "int32": ("*i32", 4), "int16": ("*i16", 2),
    "int8": ("*i8", 1), "uint8": ("*u8", 1), "bool": ("*i1", 1),
}  # fmt: skip
_WIDTHS = dict(_TYPES.values())
_WIDE = 1 << 31


@dataclass(frozen=True)
class _Tensor:
    """A tensor: whose memory it is, from which element on, and how many there are of them."""

    memory: str
    start: str
    extent: str
    type: str  # "" for that of an argument, which is not said


@dataclass(frozen=True)
class _Number:
    text: str


class _Argument:
    """An argument of a function, of which nothing is known yet."""


_Value = _Tensor | _Number | _Argument


def launches_in(
    path: str, text: str, kernels: Mapping[str, Generated]
) -> dict[str, list[Launched]]:
    """Return the launches in a file of Inductor's, by the names that it has for the kernels.

    Post-conditions: each mention of a kernel in a function is a launch, or one with a `trouble`.
    """
    tree = ast.parse(text)
    bound: dict[str, list[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound.setdefault(node.id, []).append("")
        for name in bound_otherwise(node):
            bound.setdefault(name, []).append("")
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            bound[node.targets[0].id][0] = ast.unparse(node.value)
    words = {w for w, meaning in _WORDS.items() if bound.get(w) == [meaning]}
    words |= {"max", "min"} - {*bound}
    found: dict[str, list[Launched]] = {}
    followed: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            host = _Host(path, node.name, kernels, frozenset(words))
            host.run(node.body)
            for name, at, launched in host.launches:
                if at not in followed:
                    found.setdefault(name, []).append(launched)
                    followed.add(at)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Name) or node.id not in kernels or node in followed:
            continue
        if isinstance(node.ctx, ast.Load) or len(bound[node.id]) > 1:
            why = "what is done with the kernel here is not followed"
            family = Family(_place(path, node), "call", (), trouble=why)
            found.setdefault(node.id, []).append(Launched(family, {}))
    return found


def _place(path: str, node: ast.expr) -> Place:
    return Place(path, node.lineno, node.col_offset + 1)


@dataclass
class _Host:
    """A function on its way: what its names are, and the launches that it has come to."""

    path: str
    name: str
    kernels: Mapping[str, Generated]
    words: frozenset[str]
    values: dict[str, _Value] = field(default_factory=dict)
    sizes: set[str] = field(default_factory=set)
    symbols: dict[str, Place] = field(default_factory=dict)
    launches: list[tuple[str, ast.AST, Launched]] = field(default_factory=list)

    def run(self, body: Sequence[ast.stmt]) -> None:
        """Follow statements one after another."""
        for node in body:
            self._statement(node)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.With(items=items, body=body) if all(
                ast.unparse(i.context_expr).startswith("torch.cuda._DeviceGuard(")
                and i.optional_vars is None for i in items
            ):  # fmt: skip
                self.run(body)
            case ast.Assign(targets=[ast.Tuple(names)], value=ast.Name("args")) if all(
                isinstance(n, ast.Name) for n in names
            ):
                self.values |= {n.id: _Argument() for n in names if isinstance(n, ast.Name)}
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                made = self._value(value, name)
                self.values.pop(name, None)
                if made is not None:
                    self.values[name] = made
                elif not is_harmless(value):
                    self._forget(value)
            case ast.Delete(targets=names):
                for n in names:
                    if isinstance(n, ast.Name):
                        self.values.pop(n.id, None)
            case ast.Expr(ast.Call(func=ast.Attribute(ast.Name(id=kernel), "run")) as call) if (
                kernel in self.kernels
            ):
                self._launch(kernel, call)
            case ast.Expr(ast.Call(func=ast.Name("assert_size_stride"), args=[of, size, step, *_])):
                self._asserted(of, size, step)
            case ast.Expr(ast.Call() as call) if is_harmless(call):
                pass
            case ast.Return() | ast.Expr(ast.Constant()) | ast.Pass():
                pass
            case _:
                self._forget(node)

    def _forget(self, node: ast.AST) -> None:
        """Know nothing more of what is mentioned, and of what has the same memory."""
        names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        lost = {v.memory for n in names if isinstance(v := self.values.get(n), _Tensor)}
        self.values = {
            n: v for n, v in self.values.items()
            if n not in names and not (isinstance(v, _Tensor) and v.memory in lost)
        }  # fmt: skip

    def _value(self, node: ast.expr, name: str) -> _Value | None:
        """Return what a name is bound to, None for what is not understood."""
        match node:
            case ast.Name(id=other):
                found = self.values.get(other)
                if isinstance(found, _Argument):  # s27 = arg0_1: a number
                    if name in self.symbols:
                        return None
                    self.values[other] = found = _Number(name)
                    self.symbols[name] = _place(self.path, node)
                return found
            case ast.Call(func=ast.Name("empty_strided_cuda"), args=[size, step, of]):
                extent = self._extent(size, step)
                type = ast.unparse(of).removeprefix("torch.")
                if extent is None or type not in _TYPES or "empty_strided_cuda" not in self.words:
                    return None
                return _Tensor(f"{name} {node.lineno}", "0", extent, _TYPES[type][0])
            case ast.Call(func=ast.Name("reinterpret_tensor"), args=[held, _, _, at]):
                whole, start = self._tensor(held), self._number(at)
                if whole is None or start is None or "reinterpret_tensor" not in self.words:
                    return None
                if start == "0":
                    return whole
                if not self._is_natural(at):
                    return None
                begin = start if whole.start == "0" else f"({whole.start} + {start})"
                return _Tensor(whole.memory, begin, f"({whole.extent} - {start})", whole.type)
        text = self._number(node)
        return None if text is None else _Number(text)

    def _tensor(self, node: ast.expr) -> _Tensor | None:
        found = self._value(node, "") if not isinstance(node, ast.Name) else (
            self.values.get(node.id)
        )  # fmt: skip
        return found if isinstance(found, _Tensor) else None

    def _number(self, node: ast.expr) -> str | None:
        """Return an integer in symbols, or None."""
        match node:
            case ast.Constant(int(n)) if type(n) is int:
                return str(n)
            case ast.Name(id=name):
                found = self.values.get(name)
                return found.text if isinstance(found, _Number) else None
            case ast.UnaryOp(ast.USub(), operand):
                inner = self._number(operand)
                return None if inner is None else f"(-{inner})"
            case ast.BinOp(left, op, right) if type(op) in _SIGNS:
                a, b = self._number(left), self._number(right)
                if a is None or b is None or (
                    isinstance(op, (ast.FloorDiv, ast.Mod)) and not b.isdigit()
                    and b not in self.sizes
                ) or b == "0":  # fmt: skip
                    return None
                return f"({a} {_SIGNS[type(op)]} {b})"
            case ast.Call(
                func=ast.Name("max" | "min" as word), args=[left, right], keywords=[]
            ) if word in self.words:
                a, b = self._number(left), self._number(right)
                return None if a is None or b is None else f"{word}({a}, {b})"
        return None

    def _is_natural(self, node: ast.expr) -> bool:
        """Is it plain to see that a number is not negative?"""
        text = self._number(node)
        return text is not None and all(
            isinstance(n, (ast.Expression, ast.BinOp, ast.Add, ast.Mult, ast.Load, ast.Constant))
            or (isinstance(n, ast.Name) and n.id in self.sizes)
            for n in ast.walk(ast.parse(text, mode="eval"))
        )

    def _extent(self, size: ast.expr, step: ast.expr) -> str | None:
        """Return how many elements are from the first of a tensor to its last."""
        if not isinstance(size, ast.Tuple) or not isinstance(step, ast.Tuple):
            return None
        sizes, steps = ([self._number(n) for n in each.elts] for each in (size, step))
        if len(sizes) != len(steps) or "0" in sizes:
            return None
        terms = ["1"]
        for n, s in zip(sizes, steps, strict=True):
            if n is None or s is None:
                return None
            if s == "0" and not n.isdigit() and (n not in self.sizes or n.startswith("u")):
                return None  # where the size is 0 there are no elements at all
            if n != "1" and s != "0":
                terms.append(f"({n} - 1)" if s == "1" else f"({n} - 1)*{s}")
        numbers = [plain(t) for t in terms]
        if all(x is not None for x in numbers):
            return str(sum(x for x in numbers if x is not None))
        return " + ".join(terms)

    def _asserted(self, of: ast.expr, size: ast.expr, step: ast.expr) -> None:
        """Take what an argument is asserted to be: a tensor of these sizes."""
        if not isinstance(of, ast.Name) or "assert_size_stride" not in self.words:
            return
        if isinstance(size, ast.Tuple):
            texts = [self._number(n) for n in size.elts]
            self.sizes |= {t for t in texts if t is not None and t in self.symbols}
        extent = self._extent(size, step)
        if isinstance(self.values.get(of.id), _Argument):
            self.values.pop(of.id)
            if extent is not None:
                self.values[of.id] = _Tensor(f"{of.id} {of.lineno}", "0", extent, "")

    def _typed(self, memory: str, type: str) -> None:
        """Take that memory holds elements of a type, as the first kernel that is given it says."""
        self.values = {
            n: replace(v, type=v.type or type)
            if isinstance(v, _Tensor) and v.memory == memory else v
            for n, v in self.values.items()
        }  # fmt: skip

    # --- launches ---------------------------------------------------------------------------------

    def _launch(self, name: str, call: ast.Call) -> None:
        made = self.kernels[name]
        place, at = _place(self.path, call), call.func
        assert isinstance(at, ast.Attribute)
        why, inner = made.trouble, list[str]()
        given: dict[str, Given] = {}
        notes: list[Inferred] = []
        places: dict[str, tuple[str, int]] = {}
        if not why and (
            len(call.args) != len(made.arguments)
            or any(isinstance(a, ast.Starred) for a in call.args)
            or any(k.arg != "stream" for k in call.keywords)
        ):
            why = f"{len(call.args)} arguments are given, and {name} has {len(made.arguments)}"
        for a in (*call.args, *(k.value for k in call.keywords)):
            if any(map(may_change, ast.walk(a))):
                why = why or f"what {ast.unparse(a)} does is not understood"
                self._forget(a)
        texts: dict[str, str] = {}
        tensors: dict[str, _Tensor] = {}
        for p, a in zip(made.arguments, call.args, strict=False):
            type = made.tuning.types.get(p, "")
            if p in made.kernel.constants:
                text = self._number(a)
                held = made.kernel.constants[p]
                if text is not None:
                    texts[p] = text
                given[p] = Given("none") if held is None else Given("number", text)
                if text != str(held) and not (held is None and ast.unparse(a) == "None"):
                    why = why or f"{p} is the constant {held}, and given {ast.unparse(a)}"
            elif type.startswith("*"):
                tensor = self._tensor(a)
                if tensor is None:
                    why = why or f"what {p} is given is not understood: {ast.unparse(a)}"
                elif tensor.type and tensor.type.replace("u8", "i1") != type.replace("u8", "i1"):
                    why = why or f"{p} is {type}, and given a tensor of {tensor.type}"
                else:
                    tensors[p] = tensor
                    self._typed(tensor.memory, type)
                    given[p] = Given("tensor", type)
            elif type in ("i32", "i64"):
                text = self._number(a)
                if text is None and isinstance(a, ast.Name) and (
                    isinstance(self.values.get(a.id), _Argument) and a.id not in self.symbols
                ):  # fmt: skip
                    self.values[a.id] = _Number(a.id)
                    self.symbols[a.id] = place
                    text = a.id
                if text is None:
                    why = why or f"what {p} is given is not understood: {ast.unparse(a)}"
                else:
                    texts[p] = text
                    given[p] = Given("number", text)
                    if p in made.divisible and not divides(text):
                        why = why or f"{p} is promised to be divisible by 16, and given {text}"
            elif type.startswith(("fp", "bf")):
                given[p] = Given("float")
            else:
                why = why or f"{p} is {type or 'of no type'}, which is not understood"
        for p in made.tuning.constexprs:
            given[p] = Given("chosen", p)
        if not why:
            why = self._memory(made, tensors, places, inner)
        grid = _grid(made, texts)
        if not why and grid is None:
            why = f"the grid {made.grid} is not understood"
        seen = {n.id for t in (*texts.values(), *(t.extent for t in tensors.values()))
                for n in ast.walk(ast.parse(t, mode="eval"))
                if isinstance(n, ast.Name) and n.id not in ("max", "min")}  # fmt: skip
        if not why and seen & {*made.kernel.parameters} - {p for p, t in texts.items() if t == p}:
            why = "names of the host's code and of the kernel are mixed up"
        if why:
            self.launches.append(
                (name, at.value, Launched(Family(place, self.name, (), trouble=why), {}))
            )
            return
        notes.append(Inferred(f"launch grid={grid}", place, f"the launch in {self.name}"))
        for p, tensor in tensors.items():
            whole = places.get(p, (p, 0))[0]
            if whole == p:
                why = f"the tensor {tensor.memory.split()[0]}"
                notes.append(Inferred(f"extent {p} = {tensor.extent}", place, why))
                if made.tuning.types.get("xnumel") == "i32" and plain(tensor.extent) is None:
                    notes.append(Inferred(
                        f"assume {tensor.extent} < {_WIDE}", place,
                        "Inductor has indices of 32 bits only where it guards that",
                    ))  # fmt: skip
        for symbol in sorted(seen):
            where = self.symbols[symbol]
            if symbol not in self.sizes:
                said = Inferred(f"assume {symbol} >= {-(1 << 63)}", where, "a number of 64 bits")
            elif symbol.startswith("u"):
                said = Inferred(f"assume {symbol} >= 0", where, "the size of a tensor")
            else:
                said = Inferred(f"assume {symbol} >= 1", where, "of size 0 nothing is launched")
            notes.append(said)
        # Which sizes a file is compiled for stands in guards, which are not in it.
        unknown = (*sorted(seen), *(["what the kernel asserts as it runs"] if made.asserts else []))
        family = Family(place, self.name, tuple(notes), unknown, tuple(inner))
        self.launches.append((name, at.value, Launched(family, given, places)))

    def _memory(
        self, made: Generated, tensors: Mapping[str, _Tensor],
        places: dict[str, tuple[str, int]], inner: list[str],
    ) -> str:  # fmt: skip
        """Take where pointers are to; return what is not understood of it."""
        of: dict[str, list[str]] = {}
        for p, t in tensors.items():
            of.setdefault(t.memory, []).append(p)
            if t.start != "0":
                width = _WIDTHS.get(made.tuning.types[p], 1)
                inner.append(p)
                if p in made.divisible and not divides(f"{t.start}*{width}"):
                    return f"{p} is promised to be aligned to 16 bytes, and begins at {t.start}"
        for same in of.values():
            if len(same) == 1:
                continue
            if len({made.tuning.types[p] for p in same}) > 1 or any(
                tensors[p].start != "0" for p in same
            ):
                return f"{' and '.join(same)} are the same memory"
            places |= dict.fromkeys(same, (same[0], 0))
        return ""


_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%",
}  # fmt: skip


def _grid(made: Generated, texts: Mapping[str, str]) -> str | None:
    """Return the grid as Inductor's classes of its name have it, or None."""

    def blocks(axis: str) -> str | None:
        numel, block = texts.get(f"{axis}numel"), f"{axis.upper()}BLOCK"
        if numel is None or block not in made.tuning.constexprs:
            return numel
        return f"ceil_div({numel},{block})"

    x, y, z = map(blocks, "xyz")
    if x is None:
        return None
    if made.grid == "Grid1D":
        return f"({x})"
    if made.grid == "Grid2D" and y is not None:
        return f"({x},{y})"
    if made.grid == "Grid3D" and y is not None and z is not None:
        return f"({x},{y},{z})"
    if made.grid == "Grid2DWithYZOverflow" and y is not None:
        deep = f"ceil_div({y},65535)"
        return f"({x},ceil_div({y},{deep}),{deep})"
    return None
