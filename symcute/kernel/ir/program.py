"""Kernels as small typed programs: what a front end hands over, whatever language it read.

A program has scalars, pointers and statements, and nothing else. A front end has already inlined
functions, instantiated templates, taken structs apart into scalars and given every variable a name
of its own; expressions are pure, since loads, calls and `++` have become statements in the order of
evaluation. Floating point is gone but for the memory it touches: a value that is no integer is not
written down, and what an integer gets from one is `Havoc`. What a front end does not understand is
a `NotUnderstood` at its place, never left out.

Integers are those of C: every expression has the type at which it is computed, and conversions are
written (`Cast`), so that wrapping at that width is what a machine does.

A variable has one type, and is set on every way to where it is read: what a source leaves open is
`Havoc`. `rules.py` says what else is so of each class, and `verify.py` refuses any other program.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from symcute.kernel.ir.expression import Expr
from symcute.kernel.ir.families import Family
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.target import Target
from symcute.kernel.ir.types import Int, Pointer, Type

__all__ = [
    "ALONE",
    "Array",
    "Atomic",
    "Barrier",
    "Commit",
    "Fence",
    "Havoc",
    "If",
    "Int",
    "Kernel",
    "Leave",
    "Let",
    "Load",
    "Loop",
    "NotUnderstood",
    "Param",
    "Pointer",
    "Promise",
    "Scope",
    "Signal",
    "Stmt",
    "Store",
    "Type",
    "Wait",
]


# --- statements ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Let:
    """Set a variable, whose type is that of the value."""

    name: str
    value: Expr
    place: Place


@dataclass(frozen=True, slots=True)
class Load:
    """Read `width` bytes at a pointer.

    `parts` are the integers and pointers among what was read: (variable, offset in bytes, type).
    An atomic one has a `scope`, as `Atomic` does; a `late` one is of a copy that `Wait` speaks of,
    one of an `agent` is not done by the thread: see `AGENTS` of `semantics.py`.
    """

    pointer: Expr
    width: int
    place: Place
    parts: tuple[tuple[str, int, Type], ...] = ()
    scope: str = ""
    late: bool = False
    agent: str = ""


@dataclass(frozen=True, slots=True)
class Store:
    """Write `width` bytes at a pointer; `value` where it is one integer, None otherwise.

    An atomic one has a `scope`, as `Atomic` does; `late` and `agent` are those of `Load`.
    """

    pointer: Expr
    width: int
    place: Place
    value: Expr | None = None
    scope: str = ""
    late: bool = False
    agent: str = ""


@dataclass(frozen=True, slots=True)
class Atomic:
    """Read and write at once; `result` is the variable that takes what was there, if an integer.

    `op` is the name in the source: atomicAdd, atomicCAS... `scope` says to whose accesses it is
    atomic, if theirs has it too: "thread", "block", "device", "system". It is atomic `unit` bytes
    at a time, each on its own (0: all at once).
    """

    op: str
    pointer: Expr
    width: int
    place: Place
    result: tuple[str, Int] | None = None
    value: Expr | None = None
    scope: str = "device"
    unit: int = 0


@dataclass(frozen=True, slots=True)
class Havoc:
    """Set a variable to any value of its type in [low, high]: a shuffle, a cast of a float.

    `uniform`: all threads of a block that come here together get the same.
    """

    name: str
    type: Type
    reason: str
    place: Place
    low: int | None = None
    high: int | None = None
    uniform: bool = False


@dataclass(frozen=True, slots=True)
class If:
    """One of two branches."""

    test: Expr
    then: tuple[Stmt, ...]
    other: tuple[Stmt, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Loop:
    """`before; test; body; step` again and again, until the test fails or something leaves.

    `before` are the statements that the test needs (loads). With `test_last` (`do ... while`) one
    round is `body; step; before; test`. A test of None never fails.
    """

    label: str
    before: tuple[Stmt, ...]
    test: Expr | None
    body: tuple[Stmt, ...]
    step: tuple[Stmt, ...]
    place: Place
    test_last: bool = False
    invariants: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scope:
    """Statements that `Leave(label)` ends early: of a function or, for `continue`, of a loop."""

    label: str
    body: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Leave:
    """Go behind the enclosing scope or loop of that label; the kernel itself is "kernel".

    `stops`: of a trap, at which a machine stops all threads, sooner or later.
    """

    label: str
    place: Place
    stops: bool = False


@dataclass(frozen=True, slots=True)
class Barrier:
    """`__syncthreads()` ("block"), `__syncwarp()` ("warp"), that of a cooperative grid ("grid").

    Where a lane is "elected", the warp waits as at a barrier, and nothing is ordered. One of a
    group of "lanes" of a warp, whichever these are, orders nothing that is proved; nor does one
    that all four warps of a "warpgroup" have to come to.
    Barriers that count or vote are a barrier and a `Havoc`. One of PTX has a `number`: who comes to
    one statement of it meets who comes to another.
    """

    scope: str
    place: Place
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Commit:
    """Make a group of those late accesses of the thread that are in none yet."""

    place: Place


@dataclass(frozen=True, slots=True)
class Wait:
    """Wait until all late accesses of the thread have happened, but those of its last `groups`.

    A late access begins where it stands in the program, and happens at any time from there to the
    wait for it. None: all have, those of no group among them. Others know of it by a barrier.
    """

    groups: int | None
    place: Place


@dataclass(frozen=True, slots=True)
class Signal:
    """What a thread does to an mbarrier, 8 bytes of shared memory that count arrivals in phases.

    A phase is over when `value` arrivals have come, as "init" said, and all bytes that it waits for
    besides, and the next begins. "arrive" is one of them (no value), and so is "commit", some time
    after all that MMAs of the thread have yet to read. "expect" is of `value` bytes more;
    "complete", some time after the copy by TMA of the statement before, of as many less. "wait"
    returns when the number of phases that are over differs from `value`, 0 or 1, modulo 2: what its
    thread does then comes after what was before their arrivals.

    Of a barrier that counts (`cuda::barrier`) "gather" is an arrival, of which `value` is the
    token, a number that no other has, and "gathered" the wait with one. A `Store` made it.
    """

    op: str
    pointer: Expr
    value: Expr | None
    place: Place


@dataclass(frozen=True, slots=True)
class Fence:
    """Let agents see what the thread wrote, in what is ordered besides: `proxy` in all memory.

    With "init" it is about mbarriers that were made. One of "elements" is no fence that anything
    rests on: there, what moves numbers among threads perhaps waits for them, as the compiler has
    it, so that no race of a block across it is certain.
    """

    of: str
    place: Place


@dataclass(frozen=True, slots=True)
class Promise:
    """What the programmer says of values where a thread comes by: it is asked, and not taken.

    `name` is how it is said: `tl.assume`... A `test` of None is one that is not understood.
    `believed`: a compiler may take it as given, so that nothing is certain of what a machine does
    where it is not so; of others a machine checks it, if anything.
    """

    name: str
    test: Expr | None
    place: Place
    believed: bool = True


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """Something that was not understood: it may set `variables`, and touch `arrays`.

    None stands for every variable, and for every array. `barrier`: it may also be a barrier, or in
    host code not come to an end.
    `effect` is all that it may do besides:

    - "any": anything, so that nothing is certain of what a thread does behind it;
    - "access": it accesses the arrays, nobody knows where, when, and how often;
    - "inside": as "access", but inside of the arrays and aligned;
    - "order": it touches nothing, and in which order accesses to the arrays happen is not known. Of
      no arrays at all: it may order more than is known, so that no race is certain;
    - "aligned": it touches nothing, and accesses to the arrays may be fewer and wider than they are
      here, of the same bytes.
    """

    reason: str
    place: Place
    variables: tuple[str, ...] | None = None
    arrays: tuple[str, ...] | None = None
    barrier: bool = False
    effect: str = "any"


Stmt: TypeAlias = (
    Let | Load | Store | Atomic | Havoc | If | Loop | Scope | Leave
    | Barrier | Commit | Wait | Signal | Fence | Promise | NotUnderstood
)  # fmt: skip


# --- kernels ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter: an integer, or a pointer (`array` names what it points to), or neither.

    An integer that counts nothing, as that of an enum, is one of type `within`.
    """

    name: str
    type: Type | None
    place: Place
    text: str  # the type as it is written, for messages
    array: str | None = None
    within: Int | None = None

    @property
    def numbers(self) -> Int | None:
        """The type of the integers that it may be; None where it is no integer."""
        return (self.within or self.type) if isinstance(self.type, Int) else None


@dataclass(frozen=True, slots=True)
class Array:
    """Memory: of the grid ("global", "constant"), a block ("shared") or a thread ("private").

    What is handed over by value ("argument") is of a thread, and the same in all; none writes it.

    `bytes` is None where the source does not say: for pointers, and `extern __shared__`; the null
    pointer is the start of an array of 0 bytes.
    `alignment` is that of the first byte as the source declares it; `element` the bytes of one
    element, `integer` the type of the elements where they are integers. `values` are what these
    are for good, of an array that nothing writes; none where the source fixes them, and they
    are not known. One that is a view of another (`view_of`) has its bytes, in another order inside
    each `line` of so many bytes; what is written to one is not known in the other. A `numbered` one
    is no memory of the program's: its mbarrier is a barrier of the hardware with a number, to which
    as many threads come as it is made for, in whole warps.
    """

    name: str
    space: str
    element: int
    bytes: int | None
    alignment: int
    place: Place
    text: str
    integer: Int | None = None
    values: tuple[int, ...] | None = None
    view_of: str = ""
    line: int = 0
    numbered: bool = False

    @property
    def declared(self) -> int:
        """The bytes of shared memory that it takes of a block's."""
        apart = self.space != "shared" or self.view_of or self.numbered
        return 0 if apart else self.bytes or 0


#: The end of what is granted of a kernel that is a guess, one of many.
ALONE = "of these alone it is said"


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Kernel:
    """A kernel as a program.

    `target` is that of its front end; `notes` are comments on its launch, with their places;
    `launch_bounds` is the most threads of a block that the source allows; `families` are how host
    code launches it; `cluster` are the blocks of a cluster, of which a grid is a multiple (none: of
    clusters of which nothing more is known). `granted` is what its reader took for granted. `block`
    are the extents of a block where the source fixes them, so that a launch is a grid. With
    `unsaid`, its reader does not see where the source converts integers: what a conversion or
    unsigned arithmetic loses may be meant, and refutes nothing. `layouts` are those of tensors
    through which an array is accessed at a place, where the source names them, for who reads what
    is found.
    """

    name: str
    params: tuple[Param, ...]
    arrays: tuple[Array, ...]
    body: tuple[Stmt, ...]
    place: Place
    target: Target
    notes: tuple[tuple[str, Place], ...] = ()
    launch_bounds: int | None = None
    families: tuple[Family, ...] = ()
    granted: tuple[str, ...] = ()
    block: tuple[int, int, int] | None = None
    unsaid: bool = False
    layouts: tuple[tuple[Place, str, str], ...] = ()
    cluster: tuple[int, ...] | None = None

    @property
    def launch_noted(self) -> bool:
        """Do comments say how it is launched?"""
        return any(text.startswith("launch ") for text, _ in self.notes)
