"""Which accesses of a program hang on what some statements give, by its variables alone.

An access hangs on them where its address does, or whether, when or how often a thread comes to it.
What is loaded hangs on them only where the load is such a statement: no memory is followed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from symcute.kernel.ir.expression import Expr
from symcute.kernel.ir.inside import assigned, every, reads
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import (
    Atomic,
    Barrier,
    Commit,
    Havoc,
    If,
    Kernel,
    Leave,
    Let,
    Load,
    Loop,
    NotUnderstood,
    Promise,
    Scope,
    Signal,
    Stmt,
    Store,
    Wait,
)
from symcute.kernel.ir.semantics import GATHERS

__all__ = ["Hanging", "hanging"]


@dataclass
class Hanging:
    """What hangs on the statements that were asked about.

    `places` are the accesses that do. `waits`: so does how often a loop goes round, which may be a
    wait for other threads, or what a barrier or a check does; then all accesses may. `stored`: so
    does what is stored somewhere, where, or whether.
    """

    names: set[str] = field(default_factory=set)
    left: set[str] = field(default_factory=set)
    places: set[Place] = field(default_factory=set)
    waits: bool = False
    stored: bool = False

    def of(self, place: Place) -> bool:
        """Return whether an access at a place may hang on them."""
        return self.waits or place in self.places


def hanging(kernel: Kernel, gives: Callable[[Stmt], bool]) -> Hanging:
    """Return what hangs on the results of those statements for which `gives` says so.

    Whatever is not followed counts as hanging on them: all of a scope that is left where that
    hangs on them, and all that a thread does in a program with mbarriers.

    >>> from symcute.frontends.cuda.target import CUDA
    >>> from symcute.kernel.ir.expression import Base, PtrAdd, Var
    >>> from symcute.kernel.ir.program import Array, Int, Param, Pointer
    >>> at, later, i32 = Place("k.cu", 1, 1), Place("k.cu", 2, 1), Int(32, True)
    >>> x = Array("x", "global", 4, None, 4, at, "int *x")
    >>> load = Load(Base("x"), 4, at, (("i", 0, i32),))
    >>> store = Store(PtrAdd(Base("x"), Var("i", i32), 4, later), 4, later)
    >>> kernel = Kernel("k", (Param("x", Pointer(), at, "int *", "x"),), (x,), (load, store), at,
    ...     CUDA)
    >>> found = hanging(kernel, lambda s: isinstance(s, Load))
    >>> found.of(at), found.of(later)
    (False, True)
    """
    found = Hanging()
    found.waits = any(isinstance(s, Signal) and s.op not in GATHERS for s in every(kernel.body))
    size = -1
    while size != (size := len(found.names) + len(found.left)):
        _follow(kernel.body, False, (("kernel", False),), found, gives)
    return found


def _follow(
    body: Iterable[Stmt], here: bool, around: tuple[tuple[str, bool], ...], found: Hanging,
    gives: Callable[[Stmt], bool],
) -> None:  # fmt: skip
    """Go through statements once; `here` says that coming to them hangs on what is asked about.

    `around` are the labels that may be left, from outside in, and whether these are of loops.
    """
    here = here or "kernel" in found.left

    def hangs(e: Expr | None) -> bool:
        return here or told(e)

    def told(e: Expr | None) -> bool:
        return e is not None and not found.names.isdisjoint(reads(e))

    for s in body:
        match s:
            case If(test=test):
                _follow((*s.then, *s.other), hangs(test), around, found, gives)
            case Loop(test=test):
                inside = (*around, (s.label, True))
                _follow((*s.before, *s.body, *s.step), here, inside, found, gives)
                found.waits |= told(test)
            case Scope(label=label):
                left = here or label in found.left
                _follow(s.body, left, (*around, (label, False)), found, gives)
            case Leave(label=label):
                if here:
                    found.left.add(label)
                    crossed = [*around]
                    while crossed and crossed[-1][0] != label:
                        found.waits |= crossed.pop()[1]
                    found.waits |= not crossed or crossed[-1][1]
            case Barrier() | Commit() | Wait():
                found.waits |= here
            case Signal(pointer=pointer):
                found.waits |= here
                if hangs(pointer):
                    found.places.add(s.place)
            case Promise(test=test):
                found.waits |= hangs(test)
            case NotUnderstood(variables=variables):
                found.waits |= here or variables is None
                found.names |= assigned((s,)) or set()
            case Let(name=name, value=value):
                if hangs(value):
                    found.names.add(name)
            case Havoc(name=name):
                if here or gives(s):
                    found.names.add(name)
            case Load() | Store() | Atomic():
                if hangs(s.pointer):
                    found.places.add(s.place)
                if isinstance(s, Store | Atomic):
                    found.stored |= hangs(s.pointer) or told(s.value)
                if gives(s) or hangs(s.pointer):
                    found.names |= assigned((s,)) or set()
