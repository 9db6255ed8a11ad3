"""The launches of a source: which functions come to them, each followed, a family for each path."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from clang.cindex import Cursor, LinkageKind, TranslationUnit

from symcute.frontends.cuda.builder import Builder
from symcute.frontends.cuda.ctype import Types
from symcute.frontends.cuda.failing import Errors as Failing
from symcute.frontends.cuda.host.by_name import handed, is_configured, launched, named_kernels
from symcute.frontends.cuda.host.calls import called
from symcute.frontends.cuda.host.errors import Errors
from symcute.frontends.cuda.host.execution import Execution
from symcute.frontends.cuda.host.families import families_of
from symcute.frontends.cuda.host.lowering import HostCode, Opaque, Refused, launches
from symcute.frontends.cuda.host.reaching import (
    Reaching,
    by_name,
    elsewhere,
    instantiated,
    methods_of,
    unresolved,
)
from symcute.frontends.cuda.host.references import writes_elsewhere
from symcute.frontends.cuda.host.state import Found
from symcute.frontends.cuda.inlining import body, parameters
from symcute.frontends.cuda.kernel import lower
from symcute.frontends.cuda.library import key, kind_of, place_of, walk
from symcute.frontends.cuda.values import Spot, Value
from symcute.kernel.ir.families import Family
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Kernel

__all__ = ["Sites"]

#: Families of one kernel; where there are more, that is said in place of the last.
MOST = 100
#: Statements that are followed in one function, and in all of a source.
MOST_STATEMENTS, MOST_WORK = 40_000, 120_000
_CALLED = "it is called in {} where that is not followed"
_HANDED_ON = "the kernel is handed on here, which is not followed"


@dataclass
class _Code(HostCode):
    def called(
        self, b: Builder, cursor: Cursor, function: Cursor | None = None
    ) -> Value | Spot | None:
        return called(b, self, cursor, function)


@dataclass
class Sites:
    """The launches that the host functions of a source come to."""

    unit: TranslationUnit
    types: Types
    hosts: Sequence[Cursor]
    errors: Failing
    _found: dict[str, list[tuple[Found, Execution, str]]] = field(default_factory=dict)
    _lost: dict[str, list[Family]] = field(default_factory=dict)
    #: Launches that nothing which is found elsewhere makes up for.
    _missed: dict[str, list[Family]] = field(default_factory=dict)
    #: Functions by the words in them that clang does not understand.
    _named: dict[str, list[Cursor]] = field(default_factory=dict)
    #: Functions whose text was followed where they are called.
    _inlined: set[int] = field(default_factory=set)
    _left: int = MOST_WORK
    _followed: bool = False

    def __post_init__(self) -> None:
        self._reaching = Reaching(frozenset(key(h.canonical) for h in self.hosts))

    def _follow_all(self) -> None:
        self._followed = True
        errors = Errors(self.unit, self.errors)
        for host in self.hosts:
            if self._reaching.reaches(host):
                self._follow(host, errors)
            else:
                self._name(host, errors.said_in(host))
        for top in elsewhere(self.unit, self.hosts):
            why = f"it is in {top.spelling}, which is not followed"
            for launch in launches(top):
                self._lose(launch, top, why)
            for kernel, _ in named_kernels(top) if kind_of(top) == "VAR_DECL" else ():
                self._lose(kernel, top, _HANDED_ON)
            if kind_of(top) == "VAR_DECL":
                self._miss(top, top, why)
                self._name(top, unresolved(top))
            for method, away in methods_of(top):
                if away or key(method.canonical) not in self._inlined:
                    self._miss(method, top, why)
        for function in instantiated(self.unit, self.hosts):
            why = f"{function.spelling} is instantiated for others to call"
            self._miss(function, function, why)
        for host in self.hosts if errors.speaks_of("cudaLaunch") else ():
            for call in _by_name(host):
                for kernel in walk(call):
                    self._lose(kernel, host, f"{call.spelling} is not understood")
        known = {f.launch.place for all in self._found.values() for f, *_ in all}
        for function in self._reaching.all_from(self.hosts):
            self._hand_on(function, known)

    def _hand_on(self, host: Cursor, known: Collection[Place]) -> None:
        """Lose the kernels that a function hands to what is not followed, or keeps by a name.

        One that has a name is followed where it is launched by that name, at a `known` place.
        """
        named = [c for c in _below(host) if _is_variable(c)]
        followed = all(place_of(c) in known for c in named)
        for kernel, away in named_kernels(host):
            if away or (named and not followed):
                self._lose(kernel, host, _HANDED_ON)

    def _lose(
        self,
        launch: Cursor,
        host: Cursor,
        why: str,
        among: dict[str, list[Family]] | None = None,
    ) -> None:
        named = launched(launch)
        if named is not None:
            lost = Family(place_of(launch), host.spelling, (), trouble=why)
            among = self._lost if among is None else among
            among.setdefault(named.get_usr(), []).append(lost)

    def _miss(self, text: Cursor, host: Cursor, why: str) -> None:
        """Lose all launches that a text comes to, but in functions that are followed by themselves.

        They may be found on other ways, which are not this one.
        """
        for launch in self._reaching.launches(text):
            self._lose(launch, host, why, self._missed)

    def of(self, function: Cursor, kernel: Kernel) -> tuple[Family, ...]:
        """Return the families of a kernel, each once."""
        if not self._followed:
            self._follow_all()
        families: dict[object, Family] = {}
        for found, execution, host in self._found.get(function.get_usr(), ()):
            if "" in families:
                break
            for made in families_of(found, kernel, execution, host):
                # What holds of all rounds of a loop was found of the first one as well.
                said = repr((made.place, made.trouble, [n.text for n in made.notes]))
                if said not in families and len(families) == MOST - 1:
                    why = "the kernel is launched in more ways than are told apart"
                    families[""] = Family(found.launch.place, host, (), trouble=why)
                    break
                before = families.setdefault(said, made)
                if len(made.unknown) < len(before.unknown):
                    families[said] = made
        told = {f.place for f in families.values()}
        known = [f for f in families.values() if f.notes and not f.unknown]
        exact = {f.place for f in known if not self._is_covered(f)}
        for name, f in list(families.items()):
            # From farther away no more is known: what the function itself says holds there too.
            sized = any(n.text.startswith("extent ") for n in f.notes)
            if f.unknown and not sized and f.place in exact and self._is_covered(f):
                del families[name]
        for f in self._lost.get(function.get_usr(), ()):
            if f.place not in told:
                families.setdefault(repr(f), f)
        # Of one launch one reason is told, and of a function none where its launches have one.
        lost = {(f.place, f.host) for f in families.values() if f.trouble}
        for f in self._missed.get(function.get_usr(), ()):
            if (f.place, f.host) not in lost:
                families[repr(f)] = f
                lost.add((f.place, f.host))
        for h in self._named.get(function.spelling, ()):
            if h.spelling not in {host for _, host in lost}:
                why = _CALLED.format(h.spelling)
                f = Family(place_of(h), h.spelling, (), trouble=why)
                families[repr(f)] = f
        return tuple(families.values())

    def _is_covered(self, f: Family) -> bool:
        """Was the function that a launch stands in followed by itself, and this is another?"""
        owners = {h.spelling for h in self.hosts if any(place_of(c) == f.place for c in _below(h))}
        return bool(owners) and f.host not in owners

    def _follow(self, host: Cursor, errors: Errors) -> None:
        title = host.spelling
        opaque: frozenset[int] = frozenset()
        refers = True
        codes: list[_Code] = []

        def code() -> _Code:
            codes.append(_Code(errors, host, opaque=opaque, refers=refers))
            return codes[-1]

        hangs = errors.hanging(host)
        trouble = f"{title} hangs on {hangs}, which a missing header may define" if hangs else ""
        while not trouble:
            try:
                program, reached = lower(self.types, host, title, {}, code)
                made = codes[-1]
                if not made.took or (made.referred and not writes_elsewhere(program)):
                    break
                refers = False
            except Opaque as need:
                opaque |= {need.function}
            except Refused as refusal:
                trouble = f"{title} is not followed: {refusal}"
                break
            except RecursionError:
                trouble = f"{title} is nested too deeply"
                break
        if not trouble:
            tainted = codes[-1].tainted | {
                p.spelling for p in parameters(host) if codes[-1].is_odd(p)
            }
            execution = Execution(
                tainted=frozenset(tainted), referred=frozenset(codes[-1].referred),
                most=min(MOST_STATEMENTS, self._left),
            )  # fmt: skip
            # Of what only this source can call, the arguments are not anything.
            execution.run(program, host.linkage != LinkageKind.INTERNAL)
            self._left = max(0, self._left - execution.count)
            if not execution.complete:
                trouble = f"{title} has too many paths"
            for found in execution.found if not trouble else ():
                self._found.setdefault(found.launch.kernel, []).append((found, execution, title))
        if trouble:
            self._miss(host, host, trouble)
            return
        self._inlined |= {key(f.canonical) for f in reached}
        seen = {found.launch.place for found in execution.found}
        for launch in _below(host):
            lost = None if place_of(launch) in seen else self._missed
            self._lose(launch, host, f"the way to it in {title} is not understood", lost)
        for text in (*codes[-1].lost, *self._reaching.handed_on(reached)):
            self._miss(text, host, _CALLED.format(title))
        self._name(host, codes[-1].words.union(*map(unresolved, reached)))

    def _name(self, host: Cursor, words: Collection[str]) -> None:
        """Lose what words of a function name that clang does not understand."""
        for word in words:
            self._named.setdefault(word, []).append(host)
        for text in by_name(self.unit, self.hosts, words):
            self._miss(text, host, _CALLED.format(host.spelling))


def _is_variable(launch: Cursor) -> bool:
    """Does a launch name its kernel by a variable?"""
    named = launched(launch)
    return handed(launch) is None and (named is None or kind_of(named) not in _FUNCTIONS)


def _below(host: Cursor) -> Iterable[Cursor]:
    text = body(host)
    return launches(text) if text is not None else ()


def _by_name(host: Cursor) -> Iterable[Cursor]:
    """Yield the calls of functions that launch what they are handed, and are not understood."""
    text = body(host)
    for c in walk(text) if text is not None else ():
        by_name = kind_of(c) == "CALL_EXPR" and c.spelling.startswith("cudaLaunch")
        if by_name and handed(c) is None and not is_configured(c):
            yield c


_FUNCTIONS = ("FUNCTION_DECL", "CXX_METHOD", "CONSTRUCTOR")
