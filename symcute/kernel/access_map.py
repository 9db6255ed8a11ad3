"""Access maps: what a kernel touches, as formulas over blocks, threads, loops and dims.

An access map knows no language. Front ends produce programs, `symexecute` turns a program into an
access map under a setting, and the properties of `properties/` are decided on it.

Terms are mathematical integers. That they are also what the machine computes is not taken for
granted: wherever the machine uses what it computed at a width, there is a `Computation`, unless no
value could leave the type, and each access names those on which its offset and its guard rest
(`needs`). A claim about an access holds on the machine when it holds in integers and none of what
it needs wraps: by induction over the order of execution, since a computation is only reached
through guards that come before it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from symcute.expr.node import Term
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Array, Int
from symcute.kernel.ir.target import Target

__all__ = [
    "Access",
    "AccessMap",
    "BarrierEvent",
    "Computation",
    "Fenced",
    "Phase",
    "Promised",
    "Unsupported",
    "Variable",
]


@dataclass(frozen=True, slots=True)
class Variable:
    """A number that differs between threads, rounds of a loop, or runs.

    `kind`: "block" (blockIdx), "thread" (threadIdx), "round" (how often a loop has gone round, from
    0), "havoc" (what is not known, or how often a loop has gone round in all). Whatever bounds it
    is a guard of what uses it. `uniform`: the same for all threads of a block that are in the same
    rounds of the loops `around` (from outside in) it. `exact`: the guards leave it one value.
    `element`: the array, never written, and the index of the element that it is, where the contents
    of the array hang together.
    """

    name: str
    kind: str
    uniform: bool = False
    loop: str = ""  # of a round: the loop's label
    reason: str = ""  # of a havoc: what it stands for
    place: Place | None = None
    exact: bool = False
    around: tuple[str, ...] = ()
    element: tuple[str, Term] | None = None


@dataclass(frozen=True, slots=True)
class Phase:
    """A stretch between barriers in which an access may happen, by the barrier it begins with.

    `start` is the number of that `BarrierEvent`, or -1 for the start of the kernel.
    `rounds` says in which round of the loops around it that barrier was met, by the loop's label,
    as terms in variables of the access; of a loop that is not named the round is not known. The
    access lies in this interval only where all of `when` hold. Two threads of a block can be at two
    accesses at the same time only if these have a start in common, the two `when` hold, and the
    rounds of each loop that both name are equal.
    """

    start: int
    rounds: tuple[tuple[str, Term], ...] = ()
    when: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Access:
    """One load, store or atomic in the source (once for every way in which it is inlined).

    `offset` is in bytes from the start of the array, `guard` everything that is known where it
    happens: branches taken, loops entered, ranges of variables. `value` is what is stored, where
    it is a term, which rests on `value_needs`. `exact`: guard and offset are exactly when and where
    it happens; otherwise (a havoc in them, a loop that may be left early) they may allow more.
    `needs` are all computations on which guard and offset rest, those behind others included, and
    `ends` those on which rests besides that loops before it end.
    An atomic access, which may be of any kind, has a `scope` and is atomic `unit` bytes at a time,
    as in programs. A `late` one happens at any time from there to the wait for it. A `signal` is
    what is done to an mbarrier, and `value` what it is given; an `agent` is one of programs.
    `around` are the labels of the loops around it, from outside in. `phases` lie between barriers
    of a block, and `warps`, for threads of one warp, between those of the warp as well; none where
    it is not known.
    """

    array: str
    kind: str  # "read", "write", "atomic"
    offset: Term
    width: int
    guard: tuple[Term, ...]
    variables: tuple[Variable, ...]
    phases: tuple[Phase, ...]
    place: Place
    needs: frozenset[int] = frozenset()
    value: Term | None = None
    exact: bool = True
    text: str = ""
    value_needs: frozenset[int] = frozenset()
    ends: frozenset[int] = frozenset()
    scope: str = ""
    unit: int = 0
    late: bool = False
    signal: str = ""
    around: tuple[str, ...] = ()
    agent: str = ""
    warps: tuple[Phase, ...] = ()

    @property
    def rounds(self) -> dict[str, str]:
        """The variables that count the rounds of loops around it, by the loops' labels."""
        return {v.loop: v.name for v in self.variables if v.kind == "round"}


@dataclass(frozen=True, slots=True)
class Computation:
    """Arithmetic at a width: `value` is the result in integers, which wraps outside the type.

    That of signed numbers counts where it is done, that of unsigned ones, and of conversions, where
    something uses the result; `place` is where it is computed.

    `role`: "index" (it reaches an address), "test" (a condition), "other". `needs` are all other
    computations on which value and guard rest; one in a loop also rests on itself in earlier
    rounds. A conversion is one too. `divisor`: the term that must not be 0; `shift`: the term that
    must be at least 0 and below the width. `followed`: the map has what the machine continues with
    even where it wraps, since it is a number, and nothing rests on it. A conversion that the
    programmer wrote to cut off bits is no computation: the map has what it leaves.
    """

    value: Term
    type: Int
    guard: tuple[Term, ...]
    variables: tuple[Variable, ...]
    place: Place
    role: str
    text: str = ""
    needs: frozenset[int] = frozenset()
    divisor: Term | None = None
    shift: Term | None = None
    conversion: bool = False
    followed: bool = False


@dataclass(frozen=True, slots=True)
class BarrierEvent:
    """A barrier: where all threads of a block (or warp) must come, and when this one comes.

    It comes behind so many accesses in their order. One that counts is `held` at bytes of an array:
    its scope is "gather" where threads arrive, and from there on the interval that begins with it
    may have begun; "gathered" where they have waited, each for the `arrival` of that number.
    """

    scope: str
    guard: tuple[Term, ...]
    variables: tuple[Variable, ...]
    place: Place
    needs: frozenset[int] = frozenset()
    exact: bool = True
    phases: tuple[Phase, ...] = ()
    accesses: int = 0
    held: tuple[str, Term] | None = None
    arrival: int | None = None


@dataclass(frozen=True, slots=True)
class Fenced:
    """A fence of programs, which comes behind so many accesses and barriers in their order."""

    of: str
    accesses: int
    barriers: int
    guard: tuple[Term, ...]
    around: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Promised:
    """What a program promises of values, and where; see `Promise` of programs.

    `truth` is None where what is said is not understood. `needs` are all computations on which
    truth and guard rest; `exact` is as for accesses.
    """

    name: str
    truth: Term | None
    guard: tuple[Term, ...]
    variables: tuple[Variable, ...]
    place: Place
    believed: bool
    needs: frozenset[int] = frozenset()
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Unsupported:
    """Something that was not understood, and what it leaves open.

    `arrays` are those it may touch (None: all), `barrier` whether it may be or skip a barrier, and
    `effect` what it may do to them, as of `NotUnderstood`.
    """

    reason: str
    place: Place
    arrays: tuple[str, ...] | None = None
    barrier: bool = False
    effect: str = "any"


@dataclass(frozen=True, slots=True)
class AccessMap:
    """What a kernel touches under a setting: `accesses` in the order of the program.

    `facts` hold everywhere: what is assumed, the ranges of parameters, and that the launch is one
    that a device accepts (one that it refuses touches nothing).
    """

    kernel: str
    target: Target
    arrays: tuple[Array, ...]
    accesses: tuple[Access, ...]
    computations: tuple[Computation, ...]
    events: tuple[BarrierEvent, ...]
    unsupported: tuple[Unsupported, ...]
    facts: tuple[Term, ...] = ()
    dims: frozenset[str] = frozenset()
    promises: tuple[Promised, ...] = ()
    #: Late accesses again, behind each barrier between where they begin and the wait for them.
    landings: tuple[Access, ...] = ()
    #: A late access, and one of the same thread before it has waited for that: under one guard.
    overtaken: tuple[tuple[Access, Access], ...] = ()
    fences: tuple[Fenced, ...] = ()
    #: So many statements the execution went through, those that it took back as well.
    steps: int = field(default=0, compare=False, repr=False)
