"""What every program must be: one table, with a row of rules for each class of `program.py`.

That fields hold what their class declares is asked of every class, and not written down again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from symcute.kernel.ir.expression import (
    BUILTINS,
    Base,
    Binary,
    Builtin,
    Cast,
    Const,
    PtrAdd,
    Select,
    Unary,
    Var,
)
from symcute.kernel.ir.families import Family, Inferred
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import (
    Array,
    Atomic,
    Barrier,
    Commit,
    Fence,
    Havoc,
    If,
    Int,
    Kernel,
    Leave,
    Let,
    Load,
    Loop,
    NotUnderstood,
    Param,
    Pointer,
    Promise,
    Scope,
    Signal,
    Store,
    Type,
    Wait,
)
from symcute.kernel.ir.semantics import AGENTS, BITS, GATHERS
from symcute.kernel.ir.target import Target

__all__ = ["RULES", "Around", "Rule", "on_both"]

_BOOL, _DISTANCE = Int(1, False), Int(64, True)
_COMPARISONS = {"<", "<=", ">", ">=", "==", "!="}
_ARITHMETIC = {"+", "-", "*", "/", "%", "&", "|", "^", "min", "max"}
_SPACES = {"global", "constant", "shared", "private", "argument"}
_SCOPES = {"thread", "block", "device", "system"}
_SIGNALS = {"init", "arrive", "wait", "commit", "expect", "complete", *GATHERS}
_BARRIERS = {"block", "warp", "elected", "lanes", "warpgroup", "grid"}
_FENCES = {"proxy", "init", "elements"}
_EFFECTS = {"any", "access", "inside", "order", "aligned"}
_POINTER_BYTES = 8
#: The widest integer that a front end has.
_MOST_BITS = 128


@dataclass(frozen=True, slots=True)
class Rule:
    """What is so of every object of a class, in words, and whether it is."""

    says: str
    holds: Callable[[Any, Around], bool]


class Around:
    """What is known around a statement: names, and where a `Leave` may go.

    `bound` are the variables that are set on every way here; None where no way leads. `exits` are
    the labels around, with the variables that are set on every way behind each.
    """

    def __init__(self, kernel: Kernel) -> None:
        self.arrays = {a.name: a for a in kernel.arrays}
        self.types: dict[str, Type] = {p.name: p.type for p in kernel.params if p.type is not None}
        self.bound: set[str] | None = set(self.types)
        self.exits: dict[str, set[str] | None] = {"kernel": None}
        #: How often each label has been entered.
        self.labels = Counter(["kernel"])

    def bind(self, name: str, type: Type) -> None:
        """Let a variable be set from here on."""
        self.types[name] = type
        if self.bound is not None:
            self.bound.add(name)

    def enter(self, label: str) -> None:
        """Let a label be left from here on."""
        self.labels[label] += 1
        self.exits[label] = None

    def behind(self, label: str, end: set[str] | None) -> set[str] | None:
        """Return what is set behind a label, which cannot be left any more, and whose end sets."""
        return on_both(self.exits.pop(label), end)


def on_both(one: set[str] | None, other: set[str] | None) -> set[str] | None:
    """Return the variables that are set on either way; a way that is not taken sets all."""
    if one is None or other is None:
        return one if other is None else other
    return one & other


# --- the table ----------------------------------------------------------------------------------


def _bytes(type: Type) -> int:
    return max(type.bits // 8, 1) if isinstance(type, Int) else _POINTER_BYTES


def _is_seen(view: Array, array: Array | None) -> bool:
    """Return whether an array may be that of a view."""
    return (
        array is not None
        and not array.view_of
        and array.space == view.space == "shared"
        and array.bytes == view.bytes is not None
        and view.line >= 1
    )


def _holds(type: Type | None, within: Int) -> bool:
    return isinstance(type, Int) and type.low <= within.low and within.high <= type.high


def _power_of_two(n: int) -> bool:
    return n > 0 and n & (n - 1) == 0


def _once(names: Iterable[str]) -> bool:
    seen = list(names)
    return len(seen) == len(set(seen))


def _operands(e: Binary) -> bool:
    left, right = e.left.type, e.right.type
    if e.op in ("&&", "||"):
        return left == right == _BOOL
    if e.op in ("<<", ">>"):
        return left == e.type and isinstance(right, Int)
    return left == right and (e.op in _COMPARISONS or left in (e.type, Pointer()))


def _result(e: Binary) -> bool:
    if e.op in _COMPARISONS or e.op in ("&&", "||"):
        return e.type == _BOOL
    return e.left.type != Pointer() or (e.op == "-" and e.type == _DISTANCE)


def _unary(e: Unary) -> bool:
    arg = e.arg.type
    if e.op in BITS:
        return isinstance(arg, Int) and not arg.signed
    return arg == e.type == _BOOL if e.op == "!" else arg == e.type


def _set_as(*names: tuple[str, Type], known: Mapping[str, Type]) -> bool:
    return all(name and known.get(name, type) == type for name, type in names)


_ADDRESS = Rule("an address is a pointer", lambda s, a: s.pointer.type == Pointer())
_WIDTH = Rule("an access has at least one byte", lambda s, a: s.width >= 1)
_ATOMIC = Rule("the scope of an atomic access is known", lambda s, a: s.scope in {"", *_SCOPES})
_LATE = Rule(
    "nobody knows what is read or written late, and it is not atomic",
    lambda s, a: not (s.late and (s.scope or (s.parts if isinstance(s, Load) else s.value))),
)
_AGENT = Rule(
    "an agent is known, which accesses memory plainly, as nobody knows",
    lambda s, a: (
        s.agent in ("", *AGENTS)
        and not (s.agent and (s.late or s.scope or (s.parts if isinstance(s, Load) else s.value)))
    ),
)
_TRUTH = Rule("a condition is a truth", lambda s, a: s.test is None or s.test.type == _BOOL)
_LABEL = Rule("a label is used once", lambda s, a: s.label != "" and a.labels[s.label] == 1)
_ONE_TYPE = "a variable has one type"

RULES: Mapping[type, tuple[Rule, ...]] = {
    Place: (
        Rule("a place is known", lambda p, a: p.file != "" and p.line >= 1 and p.column >= 1),
    ),
    Int: (Rule("an integer type has bits", lambda t, a: 1 <= t.bits <= _MOST_BITS),),
    Pointer: (),
    # --- expressions
    Const: (
        Rule("a number is one of its type", lambda e, a: e.type.low <= e.value <= e.type.high),
    ),
    Var: (
        Rule(
            "a variable is set before it is read",
            lambda e, a: a.bound is None or e.name in a.bound,
        ),
        Rule(_ONE_TYPE, lambda e, a: a.types.get(e.name, e.type) == e.type),
    ),
    Builtin: (Rule("a builtin is known", lambda e, a: e.name in BUILTINS),),
    Unary: (
        Rule("an operator is known", lambda e, a: e.op in ("-", "~", "!") or e.op in BITS),
        Rule("an operand has the type of the operator", lambda e, a: _unary(e)),
    ),
    Binary: (
        Rule(
            "an operator is known",
            lambda e, a: e.op in _ARITHMETIC | _COMPARISONS | {"<<", ">>", "&&", "||"},
        ),
        Rule("an operand has the type of the operator", lambda e, a: _operands(e)),
        Rule("a result has the type of the operator", lambda e, a: _result(e)),
    ),
    Select: (
        _TRUTH,
        Rule("both choices have its type", lambda e, a: e.then.type == e.other.type == e.type),
    ),
    Cast: (Rule("integers are converted", lambda e, a: isinstance(e.arg.type, Int)),),
    Base: (Rule("an array is declared", lambda e, a: e.array in a.arrays),),
    PtrAdd: (
        _ADDRESS,
        Rule("an index is an integer", lambda e, a: isinstance(e.index.type, Int)),
    ),
    # --- statements
    Let: (Rule(_ONE_TYPE, lambda s, a: _set_as((s.name, s.value.type), known=a.types)),),
    Load: (
        _ADDRESS,
        _WIDTH,
        _ATOMIC,
        _LATE,
        _AGENT,
        Rule(
            "the parts of what is read lie in it",
            lambda s, a: all(0 <= at <= s.width - _bytes(type) for _, at, type in s.parts),
        ),
        Rule(
            _ONE_TYPE,
            lambda s, a: _set_as(*((name, type) for name, _, type in s.parts), known=a.types),
        ),
    ),
    Store: (
        _ADDRESS,
        _WIDTH,
        _ATOMIC,
        _LATE,
        _AGENT,
        Rule(
            "what is stored is as wide as the access",
            lambda s, a: s.value is None or _bytes(s.value.type) == s.width,
        ),
    ),
    Atomic: (
        _ADDRESS,
        _WIDTH,
        Rule(_ATOMIC.says, lambda s, a: s.scope in _SCOPES),
        Rule("an operator is known", lambda s, a: s.op != ""),
        Rule("an access has whole units", lambda s, a: not s.unit or s.width % s.unit == 0),
        Rule(
            "what is found is as wide as the access",
            lambda s, a: s.result is None or _bytes(s.result[1]) == s.width,
        ),
        Rule(_ONE_TYPE, lambda s, a: s.result is None or _set_as(s.result, known=a.types)),
    ),
    Havoc: (
        Rule(
            "some value is in the range",
            lambda s, a: (
                s.low is None and s.high is None
                if isinstance(s.type, Pointer)
                else max(s.type.low, s.type.low if s.low is None else s.low)
                <= min(s.type.high, s.type.high if s.high is None else s.high)
            ),
        ),
        Rule(_ONE_TYPE, lambda s, a: _set_as((s.name, s.type), known=a.types)),
    ),
    If: (_TRUTH,),
    Loop: (_TRUTH, _LABEL),
    Scope: (_LABEL,),
    Leave: (Rule("what is left is around", lambda s, a: s.label in a.exits),),
    Barrier: (Rule("the scope of a barrier is known", lambda s, a: s.scope in _BARRIERS),),
    Commit: (),
    Wait: (Rule("groups are counted from 0", lambda s, a: (s.groups or 0) >= 0),),
    Signal: (
        _ADDRESS,
        Rule("what is done to an mbarrier is known", lambda s, a: s.op in _SIGNALS),
        Rule(
            "an mbarrier is given a number, unless a thread arrives",
            lambda s, a: (
                s.value is None
                if s.op in ("arrive", "commit")
                else s.value and isinstance(s.value.type, Int)
            ),
        ),
    ),
    Fence: (Rule("what a fence is of is known", lambda s, a: s.of in _FENCES),),
    Promise: (_TRUTH, Rule("a promise has a name", lambda s, a: s.name != "")),
    NotUnderstood: (
        Rule("what is not understood has a reason", lambda s, a: s.reason != ""),
        Rule("what it may do is known", lambda s, a: s.effect in _EFFECTS),
        Rule("an array is declared", lambda s, a: a.arrays.keys() >= {*(s.arrays or ())}),
        Rule("a variable is known", lambda s, a: a.types.keys() >= set(s.variables or ())),
    ),
    # --- kernels
    Param: (
        Rule(
            "a parameter points to an array, or is no pointer",
            lambda p, a: p.array in a.arrays if p.type == Pointer() else p.array is None,
        ),
        Rule(
            "an integer, and no other parameter, is within fewer of its type",
            lambda p, a: p.within is None or _holds(p.type, p.within),
        ),
    ),
    Array: (
        Rule("the memory of an array is known", lambda x, a: x.space in _SPACES),
        Rule("an element has bytes", lambda x, a: x.element >= 1 and (x.bytes or 0) >= 0),
        Rule("an alignment is a power of two", lambda x, a: _power_of_two(x.alignment)),
        Rule(
            "the values of an array are integers of its type",
            lambda x, a: not x.values
            or (x.integer and all(x.integer.low <= v <= x.integer.high for v in x.values)),
        ),
        Rule(
            "a view is of another array in shared memory, which is none, with as many bytes",
            lambda x, a: not x.view_of or _is_seen(x, a.arrays.get(x.view_of)),
        ),
    ),
    Inferred: (Rule("a note says something", lambda n, a: n.text != ""),),
    Family: (
        Rule("a launch is understood, or not", lambda f, a: bool(f.notes) != bool(f.trouble)),
    ),
    Target: (
        Rule("limits are at least 1", lambda t, a: min(*t.grid, *t.block, t.threads, t.warp) >= 1),
        Rule(
            "an alignment is a power of two",
            lambda t, a: _power_of_two(t.allocated) and _power_of_two(t.dynamic),
        ),
    ),
    Kernel: (
        Rule("an array is declared once", lambda k, a: _once(x.name for x in k.arrays)),
        Rule("a parameter is declared once", lambda k, a: _once(p.name for p in k.params)),
        Rule(
            "a cluster has blocks",
            lambda k, a: not k.cluster or (len(k.cluster) == 3 and min(k.cluster) >= 1),
        ),
        Rule("a bound is at least 1", lambda k, a: k.launch_bounds is None or k.launch_bounds >= 1),
        Rule("a block has threads", lambda k, a: k.block is None or min(k.block) >= 1),
    ),
}  # fmt: skip
