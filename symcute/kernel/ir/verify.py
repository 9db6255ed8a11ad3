"""Programs held to the rules of `rules.py`.

A front end hands over programs, and a verdict rests on their being what `program.py` says. So every
program is verified where it comes in: when a front end has read it, before it is executed
symbolically, before it is executed. A rule that is broken is a fault of the front end, not of the
source that it read. A class without rules is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from types import NoneType, UnionType
from typing import Any, TypeAlias, get_args, get_origin, get_type_hints
from weakref import WeakValueDictionary

from symcute.errors import InternalError
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import (
    Atomic,
    Havoc,
    If,
    Kernel,
    Leave,
    Let,
    Load,
    Loop,
    NotUnderstood,
    Scope,
    Stmt,
)
from symcute.kernel.ir.rules import RULES, Around, on_both

__all__ = ["IllFormed", "verified"]


class IllFormed(InternalError):
    """A program that is none: `rule` says what it breaks, `place` where."""

    def __init__(self, rule: str, what: str, place: Place | None) -> None:
        self.rule, self.place = rule, place
        super().__init__(f"{place}: a program that is none was read: {what}: {rule}")


# --- fields -------------------------------------------------------------------------------------

_Fits: TypeAlias = Callable[[Any], bool]


def _fields(kind: type) -> tuple[tuple[str, _Fits, bool], ...]:
    """Return the fields of a class, what fits into each, and whether these are statements."""
    return tuple(
        (name, _fits(hint), hint == tuple[Stmt, ...]) for name, hint in get_type_hints(kind).items()
    )


def _fits(hint: Any) -> _Fits:
    """Return whether a value is of a type, as `program.py` writes types."""
    parts = get_args(hint)
    if get_origin(hint) is tuple:
        inner = [_fits(p) for p in parts if p is not ...]
        if parts[-1] is ...:
            each = inner[0]
            return lambda v: type(v) is tuple and all(map(each, v))
        return lambda v: (
            type(v) is tuple
            and len(v) == len(inner)
            and all(f(x) for f, x in zip(inner, v, strict=True))
        )
    if isinstance(hint, UnionType):
        classes = frozenset(p for p in parts if isinstance(p, type))
        others = [_fits(p) for p in parts if not isinstance(p, type)]
        if not others:
            return lambda v: type(v) in classes
        return lambda v: type(v) in classes or any(f(v) for f in others)
    assert isinstance(hint, type)
    return lambda v: type(v) is hint


_FIELDS = {kind: _fields(kind) for kind in RULES}


# --- the walk -----------------------------------------------------------------------------------

_PLAIN = {int, str, bool, NoneType}
_VERIFIED: WeakValueDictionary[int, Kernel] = WeakValueDictionary()


def verified(kernel: Kernel) -> Kernel:
    """Return a program that meets all rules; one that was verified before costs nothing.

    Errors: IllFormed, with the rule that is broken and the place.

    >>> from symcute.frontends.cuda.target import CUDA
    >>> from symcute.kernel.ir.expression import Const, Var
    >>> from symcute.kernel.ir.program import Int
    >>> at, i32 = Place("k.cu", 1, 1), Int(32, True)
    >>> verified(Kernel("k", (), (), (Let("i", Const(1, i32), at),), at, CUDA)).name
    'k'
    >>> verified(Kernel("k", (), (), (Let("i", Var("j", i32), at),), at, CUDA))
    Traceback (most recent call last):
    ...
    symcute.kernel.ir.verify.IllFormed: k.cu:1:1: a program that is none was read: Var j: a \
variable is set before it is read; this is a defect of symcute: please report it
    """
    if _VERIFIED.get(id(kernel)) is not kernel:
        _Verifier(kernel)
        _VERIFIED[id(kernel)] = kernel
    return kernel


class _Verifier:
    """Goes through a program in the order in which it is executed."""

    def __init__(self, kernel: Kernel) -> None:
        self._place = Place("?", 1, 1)
        nodes = self._nodes(kernel)
        self._around = Around(kernel)
        self._ask(nodes)
        self._block(kernel.body)

    def _nodes(self, top: object) -> list[Any]:
        """Return an object and all in it but statements; the fields of each are as declared."""
        self._place = _place_of(top) or self._place
        found: list[Any] = [top]
        for x in found:
            kind = type(x)
            if kind not in RULES:
                raise self._broken("a class has its rules", x)
            for name, fits, statements in _FIELDS[kind]:
                value = getattr(x, name)
                if not fits(value):
                    raise self._broken("a field holds what its class declares", x, f".{name}")
                if not statements:
                    _flatten(value, found)
        return found

    def _ask(self, nodes: list[Any]) -> None:
        """Ask the rules of objects, of the inner ones first."""
        around = self._around
        for x in reversed(nodes):
            for rule in RULES[type(x)]:
                if not rule.holds(x, around):
                    raise self._broken(rule.says, x)

    def _broken(self, rule: str, x: object, field: str = "") -> IllFormed:
        name = getattr(x, "name", "")
        what = f"{type(x).__name__} {name}" if isinstance(name, str) and name else type(x).__name__
        return IllFormed(rule, what + field, _place_of(x) or self._place)

    def _block(self, body: tuple[Stmt, ...]) -> None:
        for s in body:
            self._statement(s)

    def _statement(self, s: Stmt) -> None:
        nodes, around = self._nodes(s), self._around
        if isinstance(s, Loop | Scope):
            around.enter(s.label)
        if isinstance(s, Loop):
            self._loop(s, nodes)
            return
        self._ask(nodes)
        match s:
            case Let(name=name, value=value):
                around.bind(name, value.type)
            case Load(parts=parts):
                for name, _, type in parts:
                    around.bind(name, type)
            case Atomic(result=(name, type)) | Havoc(name=name, type=type):
                around.bind(name, type)
            case NotUnderstood(variables=variables):
                for name in variables or ():
                    around.bind(name, around.types[name])
            case If():
                self._if(s)
            case Scope(label=label, body=body):
                self._block(body)
                around.bound = around.behind(label, around.bound)
            case Leave(label=label):
                around.exits[label] = on_both(around.exits[label], around.bound)
                around.bound = None

    def _if(self, s: If) -> None:
        around, start = self._around, self._around.bound
        ends = []
        for block in (s.then, s.other):
            around.bound = None if start is None else set(start)
            self._block(block)
            ends.append(around.bound)
        around.bound = on_both(*ends)

    def _loop(self, s: Loop, nodes: list[Any]) -> None:
        """Go through a loop; its test is asked where it is evaluated."""
        around = self._around
        first, last = (
            ((s.body, s.step, s.before), ()) if s.test_last else ((s.before,), (s.body, s.step))
        )
        for block in first:
            self._block(block)
        self._ask(nodes)
        end = None if s.test is None or around.bound is None else set(around.bound)
        for block in last:
            self._block(block)
        around.bound = around.behind(s.label, end)


def _flatten(value: object, found: list[Any]) -> None:
    """Append what has rules of its own."""
    if type(value) is tuple:
        for x in value:
            _flatten(x, found)
    elif type(value) not in _PLAIN:
        found.append(value)


def _place_of(x: object) -> Place | None:
    place = getattr(x, "place", None)
    return place if isinstance(place, Place) else None
