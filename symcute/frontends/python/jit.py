"""Kernels under `triton.jit` in a Python file, and where they are launched: `kernel[grid](...)`.

To follow its launches, a kernel is said in C++ by its parameters alone, each as three: the tensor
that it may be given, the number, and which of the two it is (`kind`). In this C++ an element of any
type has one byte, since Triton's pointers are to elements of the type that the tensor has.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from symcute.frontends.python.names import ours
from symcute.frontends.python.scopes import Owner, Scope, inside, scopes
from symcute.frontends.python.sources import Code, Handle, Parameter
from symcute.frontends.python.warmups import Warmup, warmups
from symcute.frontends.triton.uses import extents, tested, uses

__all__ = [
    "AT",
    "CHOSEN",
    "CHOSEN_OR_GIVEN",
    "FLOAT",
    "KIND",
    "NONE",
    "NUMBER",
    "OPTIONS",
    "OWN",
    "TRUTH",
    "UNKNOWN",
    "WORDS",
    "Jit",
    "JitSources",
    "function_of",
]  # fmt: skip

#: What stands behind the name of a parameter: the tensor, and which of the kinds below it is.
AT, KIND = "_symcute_at", "_symcute_kind"
#: Kinds of what is given; others are the types of elements of a tensor, and from WORDS on
#: constants that are no numbers.
NONE, NUMBER, FLOAT, TRUTH, UNKNOWN, WORDS = -1, -2, -3, -4, -5, 1 << 20
#: What configurations choose, where the launch gives nothing, and where it may give it unseen.
CHOSEN, CHOSEN_OR_GIVEN = -6, -7
#: What stands behind a name that our own C++ has.
OWN = "_symcute_own"
#: What a launch says to Triton and not to the kernel.
OPTIONS = frozenset({
    "num_warps", "num_stages", "num_ctas", "maxnreg", "enable_fp_fusion", "launch_cooperative_grid",
    "launch_pdl", "warmup", "grid", "debug", "grf_mode", "ir_override", "instrumentation_mode",
})  # fmt: skip


@dataclass(frozen=True)
class Jit:
    """A kernel: its function, its parameters, and those of them that are constexprs."""

    node: ast.FunctionDef
    parameters: tuple[str, ...]
    constants: frozenset[str]
    pointers: frozenset[str]
    numbers: frozenset[str]
    defaults: Mapping[str, ast.expr]
    #: What is decided after the launch, in this order: a parameter may be decided again.
    heuristics: Sequence[tuple[str, ast.expr]] = ()
    tuned: bool = False
    #: Parameters of which the kernel asks whether they are None, or hands them on.
    tested: frozenset[str] = frozenset()
    #: Those that are extents of tensors.
    extents: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.node.name

    def plain(self) -> bool:
        """Are all its names such as C++ may have?"""
        names = (self.name, *self.parameters)
        return all(n.isascii() and "symcute" not in n for n in names) and self.name not in ours()

    def said(self) -> str:
        """Return the kernel in C++, without what it does."""
        each = [
            f"symcute_element *{p}{AT}, long long {p}, long long {p}{KIND}"
            for p in map(_own, self.parameters)
        ]
        return f"__global__ void {self.name}({', '.join(each)}) {{}}"


def _jit(node: ast.FunctionDef, scope: Scope) -> Jit | None:
    """Return the kernel that a function is, if it is one, seen from the scope that it is in."""
    decorators = [
        (scope.title(d.func if isinstance(d, ast.Call) else d), d) for d in node.decorator_list
    ]
    titles = {title for title, _ in decorators}
    if "triton.jit" not in titles or titles - _DECORATORS:
        return None  # what another decorator makes of a launch is not known
    a = node.args
    every = [*a.posonlyargs, *a.args, *a.kwonlyargs]
    names = tuple(x.arg for x in every)
    constants = frozenset(
        x.arg for x in every
        if x.annotation is not None and ast.unparse(x.annotation).endswith("constexpr")
    )  # fmt: skip
    given = [*a.posonlyargs, *a.args]
    defaults = dict(zip((x.arg for x in given[::-1]), a.defaults[::-1], strict=False))
    defaults |= {x.arg: d for x, d in zip(a.kwonlyargs, a.kw_defaults, strict=True) if d}
    heuristics: list[tuple[str, ast.expr]] = []
    for called in (d for title, d in decorators if title == "triton.heuristics"):
        found = _heuristics(called)
        if found is None:
            return None
        heuristics += found
    pointers, numbers = uses(node, frozenset(names) - constants, {})
    return Jit(
        node, names, constants, pointers, numbers, defaults, tuple(heuristics),
        "triton.autotune" in titles, tested(node, frozenset(names)),
        extents(node, frozenset(names)),
    )  # fmt: skip


_DECORATORS = {"triton.jit", "triton.autotune", "triton.heuristics"}


def _heuristics(decorator: ast.expr) -> list[tuple[str, ast.expr]] | None:
    """Return what decides each parameter, or None where that is not written down there."""
    if not isinstance(decorator, ast.Call):
        return None
    values = [*decorator.args, *(k.value for k in decorator.keywords)]
    if len(values) != 1 or not isinstance(values[0], ast.Dict):
        return None
    found: list[tuple[str, ast.expr]] = []
    for key, value in zip(values[0].keys, values[0].values, strict=True):
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
            return None
        found.append((key.value, value))
    return found


def _own(name: str) -> str:
    return f"{name}{OWN}" if name in ours() else name


@dataclass
class JitSources:
    """What a file says of its Triton kernels, as `Sources` says it of texts."""

    tree: ast.Module
    scopes: list[tuple[Owner | None, Scope]] = field(default_factory=list)
    kernels: dict[str, Jit] = field(default_factory=dict)
    codes: list[Code] = field(default_factory=list)
    #: What is compiled before it is launched, by what launches it.
    _warmups: dict[ast.expr, Warmup] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.scopes = list(scopes(self.tree))
        module = self.scopes[0][1]
        bindings = Counter(
            n.name for n in inside(self.tree.body) if isinstance(n, (ast.FunctionDef, ast.ClassDef))
        )
        for node in inside(self.tree.body):
            found = _jit(node, module) if isinstance(node, ast.FunctionDef) else None
            if found is None or not found.plain() or bindings[found.name] != 1:
                continue
            if module.is_bound_once(found.name):
                self.kernels[found.name] = found
        self.scopes = [(o, s) for o, s in self.scopes if not self._is_device(o, s)]
        text = "\n".join(k.said() for k in self.kernels.values())
        where = ast.copy_location(ast.Constant(text), self.tree.body[0]) if self.kernels else None
        if where is not None:
            self.codes.append(Code(where, text, library="triton"))
        for _, scope in self.scopes:
            for warmup in warmups(scope, partial(self._compiled, scope)):
                self._warmups[warmup.call.func] = warmup
                self._warmups |= {call.func: warmup for call in warmup.launches}

    def _is_device(self, owner: Owner | None, scope: Scope) -> bool:
        """Is this a function that runs on the device?"""
        return (
            isinstance(owner, ast.FunctionDef)
            and scope.around is not None
            and (_jit(owner, scope.around) is not None)
        )

    def handle(self, node: ast.expr, scope: Scope) -> Handle | None:
        """Return which kernel an expression launches when it is called, if that is plain to see."""
        if not isinstance(node, ast.Subscript):
            return None
        found = self.kernel(node.value, scope)
        if found is not None:
            return Handle(self.codes[0], found.name)
        warmup = self._warmups.get(node)
        return Handle(self.codes[0], warmup.kernel, warmup.call) if warmup is not None else None

    def kernel(self, node: ast.expr, scope: Scope | None) -> Jit | None:
        """Return which kernel a name is."""
        if not isinstance(node, ast.Name) or node.id not in self.kernels:
            return None
        while scope is not None and scope.around is not None:
            if scope.binds(node.id):
                return None
            scope = scope.around
        return self.kernels[node.id]

    def _compiled(self, scope: Scope, node: ast.expr) -> str | None:
        """Return the name of the kernel of which `warmup` of an expression compiles one program."""
        found = self.kernel(node, scope)
        return found.name if found is not None and not found.tuned else None

    def parameters(self, kernel: str) -> list[Parameter]:
        """Return the parameters of a kernel, as their uses say what they are."""
        jit = self.kernels[kernel]
        return [Parameter("symcute_element" if p in jit.pointers else None) for p in jit.parameters]

    def elsewhere(
        self, code: Code, followed: Container[ast.expr]
    ) -> Iterator[tuple[ast.expr, str, str]]:
        """Yield where kernels may be launched out of sight: the place, the kernel, and why."""
        for _, scope in self.scopes:
            for parent in inside(scope.body):
                parts: Sequence[ast.AST]
                if isinstance(parent, Owner):  # its decorators, defaults and bases
                    own = (n for n in ast.iter_child_nodes(parent) if not isinstance(n, ast.stmt))
                    parts = [n for part in own for n in ast.walk(part)]
                elif isinstance(parent, ast.Lambda):
                    parts = list(ast.walk(parent))
                else:
                    parts = list(ast.iter_child_nodes(parent))
                for node in parts:
                    found = self.kernel(node, scope) if isinstance(node, ast.Name) else None
                    if found is None or not isinstance(node, ast.Name):
                        continue
                    if isinstance(parent, ast.Subscript) and parent in followed:
                        continue
                    if isinstance(parent, (ast.Expr, ast.Compare)):
                        continue
                    if isinstance(parent, ast.Attribute) and (
                        _is_asked(parent) or parent in self._warmups
                    ):
                        continue
                    yield node, found.name, (
                        "the kernel is handed on here, and what is done with it is not followed"
                    )  # fmt: skip


def _is_asked(node: ast.Attribute) -> bool:
    """Is this asked of a kernel without a launch, and without changing what is launched?"""
    return isinstance(node.ctx, ast.Load) and node.attr in ("__name__", "__doc__", "src")


def function_of(name: str, scope: Scope) -> ast.FunctionDef | ast.Lambda | None:
    """Return the function or the lambda that a name is bound to, once and for all.

    Its names mean in the scope what they mean where it stands.
    """
    here: Scope | None = scope
    while here is not None and not here.binds(name):
        here = here.around
    if here is None or not here.is_bound_once(name):
        return None
    held = here.value(name)
    found: ast.AST | None = held[0] if held is not None else None
    if found is None:
        defined = [n for n in inside(here.body) if isinstance(n, ast.FunctionDef)]
        found = next((n for n in defined if n.name == name), None)
    if not isinstance(found, (ast.FunctionDef, ast.Lambda)):
        return None
    between: Scope | None = scope
    while between is not None and between is not here:
        if any(isinstance(n, ast.Name) and between.binds(n.id) for n in ast.walk(found)):
            return None
        between = between.around
    return found
