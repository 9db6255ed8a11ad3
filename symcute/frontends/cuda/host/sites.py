"""The launches of a source: which functions come to them, each followed, a family for each path."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from clang.cindex import Cursor, LinkageKind, TranslationUnit

from symcute.frontends.cuda.builder import Builder
from symcute.frontends.cuda.ctype import Types
from symcute.frontends.cuda.extents import SPACES
from symcute.frontends.cuda.failing import Errors as Failing
from symcute.frontends.cuda.headers import is_ours
from symcute.frontends.cuda.host.by_name import handed, named_kernels
from symcute.frontends.cuda.host.calls import called
from symcute.frontends.cuda.host.execution import Execution
from symcute.frontends.cuda.host.families import families_of
from symcute.frontends.cuda.host.lowering import Errors, HostCode, Opaque, Refused, launches
from symcute.frontends.cuda.host.state import Found
from symcute.frontends.cuda.inlining import body, parameters
from symcute.frontends.cuda.kernel import lower
from symcute.frontends.cuda.library import children, key, kind_of, place_of, top_level, walk
from symcute.frontends.cuda.values import Spot, Value
from symcute.kernel.ir.families import Family
from symcute.kernel.ir.program import Kernel

__all__ = ["ASKED", "Sites"]

#: Families of one kernel; where there are more, that is said in place of the last.
MOST = 100
#: Statements that are followed in one function, and in all of a source.
MOST_STATEMENTS, MOST_WORK = 10_000, 40_000

#: The namespace in which instances of templates are asked for, which launches nothing.
ASKED = "symcute_asked"
_HANDED_ON = "the kernel is handed on here, which is not followed"


@dataclass
class _Code(HostCode):
    def called(self, b: Builder, cursor: Cursor) -> Value | Spot | None:
        return called(b, self, cursor)


@dataclass
class Sites:
    """The launches that the host functions of a source come to."""

    unit: TranslationUnit
    types: Types
    hosts: Sequence[Cursor]
    errors: Failing
    _found: dict[str, list[tuple[Found, Execution, str]]] = field(default_factory=dict)
    _lost: dict[str, list[Family]] = field(default_factory=dict)
    _reaching: dict[int, bool] = field(default_factory=dict)

    _left: int = MOST_WORK
    _followed: bool = False

    def _follow_all(self) -> None:
        self._followed = True
        errors = Errors(self.unit, self.errors)
        for host in self.hosts:
            if self._reaches(host):
                self._follow(host, errors)
        for top in _elsewhere(self.unit, self.hosts):
            for launch in launches(top):
                self._lose(launch, top, f"it is in {top.spelling}, which is not followed")
            for kernel, _ in named_kernels(top) if kind_of(top) == "VAR_DECL" else ():
                self._lose(kernel, top, _HANDED_ON)
        for host in self.hosts if errors.speaks_of("cudaLaunch") else ():
            for call in _by_name(host):
                for kernel in walk(call):
                    self._lose(kernel, host, f"{call.spelling} is not understood")
        for host in self.hosts:
            self._hand_on(host)

    def _hand_on(self, host: Cursor) -> None:
        """Lose the kernels that a function hands to what is not followed, or keeps by a name.

        One that has a name is followed where it is launched by that name.
        """
        known = {f.launch.place for all in self._found.values() for f, *_ in all}
        named = [c for c in _below(host) if _is_variable(c)]
        followed = all(place_of(c) in known for c in named)
        for kernel, away in named_kernels(host):
            if away or (named and not followed):
                self._lose(kernel, host, _HANDED_ON)

    def _lose(self, launch: Cursor, host: Cursor, why: str) -> None:
        by_name = handed(launch)
        callee = launch.referenced if by_name is None else by_name.kernel.referenced
        if callee is not None:
            lost = Family(place_of(launch), host.spelling, (), trouble=why)
            self._lost.setdefault(callee.get_usr(), []).append(lost)

    def of(self, function: Cursor, kernel: Kernel) -> tuple[Family, ...]:
        """Return the families of a kernel, each once."""
        if not self._followed:
            self._follow_all()
        families: dict[object, Family] = {}
        for found, execution, host in self._found.get(function.get_usr(), ()):
            if len(families) == MOST - 1:
                why = "the kernel is launched in more ways than are told apart"
                families[""] = Family(found.launch.place, host, (), trouble=why)
            elif len(families) < MOST:
                for made in families_of(found, kernel, execution, host):
                    # What holds of all rounds of a loop was found of the first one as well.
                    said = (made.place, made.trouble, [n.text for n in made.notes])
                    known = families.setdefault(repr(said), made)
                    if len(made.unknown) < len(known.unknown):
                        families[repr(said)] = made
        told = {f.place for f in families.values()}
        exact = {f.place for f in families.values() if f.notes and not f.unknown}
        for name, f in list(families.items()):
            # From farther away no more is known: what the function itself says holds there too.
            sized = any(n.text.startswith("extent ") for n in f.notes)
            if f.unknown and not sized and f.place in exact and self._is_covered(f):
                del families[name]
        for f in self._lost.get(function.get_usr(), ()):
            if f.place not in told:
                families.setdefault(repr(f), f)
        return tuple(families.values())

    def _is_covered(self, f: Family) -> bool:
        """Was the function that a launch stands in followed by itself, and this is another?"""
        return any(
            f.host != h.spelling
            and f.place.file == place_of(h).file
            and h.extent.start.line <= f.place.line <= h.extent.end.line
            for h in self.hosts
        )

    def _reaches(self, function: Cursor) -> bool:
        """Does a function launch something, itself or by what it calls?"""
        name = key(function.canonical)
        if name not in self._reaching:
            self._reaching[name] = False
            text = body(function)
            self._reaching[name] = text is not None and (
                bool(launches(text)) or any(map(self._reaches, _named(function)))
            )
        return self._reaching[name]

    def _follow(self, host: Cursor, errors: Errors) -> None:
        title = host.spelling
        opaque: frozenset[int] = frozenset()
        codes: list[_Code] = []

        def code() -> _Code:
            codes.append(_Code(errors, host, opaque=opaque))
            return codes[-1]

        hangs = errors.hanging(host)
        trouble = f"{title} hangs on {hangs}, which a missing header may define" if hangs else ""
        while not trouble:
            try:
                program, _ = lower(self.types, host, title, {}, code)
                break
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
            execution = Execution(tainted=frozenset(tainted), most=min(MOST_STATEMENTS, self._left))
            # Of what only this source can call, the arguments are not anything.
            execution.run(program, host.linkage != LinkageKind.INTERNAL)
            self._left = max(0, self._left - execution.count)
            if not execution.complete:
                trouble = f"{title} has too many paths"
            for found in execution.found if not trouble else ():
                self._found.setdefault(found.launch.kernel, []).append((found, execution, title))
        for launch in _below(host):
            self._lose(launch, host, trouble or f"the way to it in {title} is not understood")


def _is_variable(launch: Cursor) -> bool:
    """Does a launch name its kernel by a variable?"""
    return handed(launch) is None and (
        launch.referenced is None or kind_of(launch.referenced) not in _FUNCTIONS
    )


def _elsewhere(unit: TranslationUnit, hosts: Sequence[Cursor]) -> Iterable[Cursor]:
    """Yield the declarations of the user that are no host functions."""
    known = {key(h) for h in hosts}
    waiting = top_level(unit)
    while waiting:
        cursor = waiting.pop()
        if kind_of(cursor) in SPACES:
            waiting += children(cursor) if cursor.spelling != ASKED else ()
        elif not is_ours(place_of(cursor).file) and key(cursor) not in known:
            yield cursor


def _below(host: Cursor) -> Iterable[Cursor]:
    text = body(host)
    return launches(text) if text is not None else ()


def _by_name(host: Cursor) -> Iterable[Cursor]:
    """Yield the calls of functions that launch what they are handed, and are not understood."""
    text = body(host)
    for c in walk(text) if text is not None else ():
        by_name = kind_of(c) == "CALL_EXPR" and c.spelling.startswith("cudaLaunch")
        if by_name and handed(c) is None:
            yield c


def _named(function: Cursor) -> list[Cursor]:
    """Return the functions with a body that a function names."""
    text = body(function)
    found: dict[int, Cursor] = {}
    for c in walk(text) if text is not None else ():
        if kind_of(c) not in ("DECL_REF_EXPR", "MEMBER_REF_EXPR", "CALL_EXPR"):
            continue
        named = c.referenced
        if named is None or kind_of(named) not in _FUNCTIONS or is_ours(place_of(named).file):
            continue
        if not any(kind_of(x) == "CUDAGLOBAL_ATTR" for x in children(named)):
            found.setdefault(key(named.canonical), named)
    return list(found.values())


_FUNCTIONS = ("FUNCTION_DECL", "CXX_METHOD", "CONSTRUCTOR")
