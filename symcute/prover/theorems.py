"""Theorems: named claims in files under `proofs/`, with the verdict expected of the engine.

A theorem file is a Python module that uses the public API. Each theorem is a function: its
docstring is the statement (first line: the statement itself), its return value the claim, or a
tuple of claims that must all hold.

    @theorem(given=["LD >= N"])
    def padded_rows():
        \"\"\"A row-major matrix whose rows are padded is injective.\"\"\"
        M, N, LD = dims("M N LD")
        return Injective(Layout((M, N), (LD, 1)))
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
import os
import re
import sys
import textwrap
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import lru_cache
from hashlib import sha256
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, TypeVar

from symcute.claims import Claim, Holds
from symcute.claims.language import read_claim
from symcute.errors import InputError, NotAdmissible, SymcuteError, Undecided
from symcute.expr.assumptions import Assumptions, Given, assuming
from symcute.expr.formula import Formula
from symcute.prover import Verdict, prove
from symcute.prover.each import by_each

__all__ = [
    "Theorem",
    "TheoremResult",
    "add_up",
    "decide",
    "find",
    "load",
    "run",
    "shown_path",
    "theorem",
]

STATUSES = ("proved", "refuted", "unknown")

_One = Claim | Formula | str
#: What the function of a theorem returns.
Stated = TypeVar("Stated", bound=_One | tuple[_One, ...])


@dataclass(frozen=True)
class Theorem(Generic[Stated]):
    """A claim with a name, a statement in words, assumptions, and the verdict expected.

    `solvers` must each prove it too; `text` is the file it stands in, whole and as it was run;
    empty when it came from no file. `lines` are its own in there, where they are known.
    """

    name: str
    file: str
    line: int
    statement: str
    details: str
    given: tuple[str, ...]
    expected: str
    source: str
    corrects: str
    function: Callable[[], Stated]
    solvers: tuple[str, ...] = ()
    text: bytes = field(default=b"", repr=False, compare=False)
    lines: str | None = field(default=None, repr=False, compare=False)

    def __call__(self) -> Stated:
        """Return what the function returns: nothing is proved."""
        return self.function()

    def to_json(self) -> dict[str, Any]:
        """Return plain data: what the theorem says of itself."""
        return {
            "name": self.name,
            "file": self.file,
            "line": self.line,
            "statement": self.statement,
            "details": self.details,
            "given": list(self.given),
            "expected": self.expected,
            "source": self.source,
            "corrects": self.corrects,
            "solvers": list(self.solvers),
        }

    @property
    def code(self) -> str:
        """Return the lines of the theorem in its file; empty when it came from no file."""
        return _functions(self.text).get(self.line, "") if self.lines is None else self.lines

    def build(self) -> tuple[Claim, ...]:
        """Return the claims, built under the assumptions.

        Errors: InputError when the function returns no claim; NotAdmissible or Undecided when an
        operation in it is refused.
        """
        with assuming(list(self.given)):
            value = self.function()
            values = value if isinstance(value, tuple) else (value,)
            claims = tuple(_claim(v, self) for v in values)
        if not claims:
            raise InputError(f"the theorem {self.name} states nothing", "return a claim")
        return claims


@lru_cache(maxsize=16)
def _functions(text: bytes) -> dict[int, str]:
    """Return the lines of each function of a text, by its first line, counted from 1."""
    found = {}
    lines = re.split("\r\n?|\n", text.decode(errors="replace"))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            found[first] = textwrap.dedent("\n".join(lines[first - 1 : node.end_lineno]))
    return found


def _claim(value: Any, owner: Theorem[Any]) -> Claim:
    if isinstance(value, str):
        return read_claim(value)
    if isinstance(value, Formula):
        return Holds(value)
    if isinstance(value, Claim):
        return value
    raise InputError(
        f"the theorem {owner.name} returned {value!r}", "return a claim, or a tuple of claims"
    )


@dataclass(frozen=True)
class TheoremResult:
    """What running a theorem gave: a verdict for every claim, and how they add up."""

    theorem: Theorem[Any]
    parts: tuple[Verdict, ...]
    status: str
    how: str
    reason: str
    seconds: float

    @property
    def ok(self) -> bool:
        """Return whether the verdict is the one expected."""
        return self.status == self.theorem.expected

    @property
    def name(self) -> str:
        """Return the theorem's name."""
        return self.theorem.name

    @property
    def rests_on(self) -> tuple[str, ...]:
        """Return what one has to trust, each once."""
        return tuple(dict.fromkeys(x for v in self.parts for x in v.rests_on))

    @property
    def counterexample(self) -> str:
        """Return the first counterexample in words, or an empty text."""
        return next((str(v.counterexample) for v in self.parts if v.counterexample), "")

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            **self.theorem.to_json(),
            "status": self.status,
            "ok": self.ok,
            "how": self.how,
            "reason": self.reason,
            "rests_on": list(self.rests_on),
            "parts": [v.to_json() for v in self.parts],
            "seconds": round(self.seconds, 6),
        }


def theorem(
    function: None = None,
    /,
    *,
    given: Iterable[str] | str = (),
    expect: str = "proved",
    source: str = "",
    corrects: str = "",
    solvers: Iterable[str] = (),
) -> Callable[[Callable[[], Stated]], Theorem[Stated]]:
    """Make a function that returns a claim a theorem.

    `given` are assumptions in our grammar, `expect` the verdict the engine is expected to reach,
    `source` where the statement comes from, `corrects` the name of the wrong theorem whose true
    form this is. `solvers` names solvers each of which must prove the whole claim too, on its own
    (`symcute.prover.each`); where one does not, or is not installed, the verdict is unknown.
    Errors: InputError for an unknown verdict, a missing docstring, a bad assumption, or a decorator
    without its parentheses.
    """
    if function is not None:
        raise InputError("@theorem without parentheses", "write @theorem()")
    if expect not in STATUSES:
        raise InputError(f"expect={expect!r} is no verdict", f"expect one of {', '.join(STATUSES)}")
    texts = (given,) if isinstance(given, str) else tuple(given)
    Assumptions.of(list(texts))

    def decorate(function: Callable[[], Stated]) -> Theorem[Stated]:
        doc = inspect.cleandoc(function.__doc__ or "")
        if not doc:
            raise InputError(
                f"the theorem {function.__name__} has no docstring",
                "state it in words on the first line",
            )
        statement, _, details = doc.partition("\n\n")
        code = function.__code__
        return Theorem(
            name=function.__name__,
            file=shown_path(code.co_filename),
            line=code.co_firstlineno,
            statement=" ".join(statement.split()),
            details=details.strip(),
            given=texts,
            expected=expect,
            source=source,
            corrects=corrects,
            function=function,
            solvers=tuple(solvers),
        )

    return decorate


def shown_path(file: str | Path) -> str:
    """Return a path as reports show it: from the working directory on, where it lies below that."""
    path = Path(file).resolve()
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def load(file: Path, text: bytes) -> tuple[Theorem[Any], ...]:
    """Run the text of a theorem file, and return its theorems in the order in which they stand.

    `file` is where the text was read. The same text of the same file is run once.
    Errors: InputError when the text does not run.
    """
    return _loaded(file, text, Path.cwd())


@lru_cache(maxsize=1024)
def _loaded(file: Path, text: bytes, _: Path) -> tuple[Theorem[Any], ...]:
    module = _module(file, text)
    own = (v for v in vars(module).values() if isinstance(v, Theorem))
    found = [replace(t, text=text) for t in own if Path(t.file).name == file.name]
    return tuple(sorted(found, key=lambda t: t.line))


def find(
    paths: Iterable[str | Path],
    only: str = "",
    load: Callable[[Path, bytes], Iterable[Theorem[Any]]] = load,
) -> list[Theorem[Any]]:
    """Return the theorems of files and folders, in the order in which they stand.

    `only` is a pattern (`*` and `?`) or a part of the name; `load` gives the theorems of a file. A
    file that is named twice counts once.
    Errors: InputError for a path that is not there or holds no theorem, a file that does not run,
    and a name used twice.
    """
    found: dict[Path, tuple[Theorem[Any], ...]] = {}
    for path in paths:
        if not str(path).strip():
            raise InputError("the name of a theorem file is empty", "name a file, or a folder")
        files = _files(Path(path))
        for file in files:
            if file.resolve() not in found:
                found[file.resolve()] = tuple(load(file, _read(file)))
        if not any(found[file.resolve()] for file in files):
            raise InputError(f"{path} holds no theorem", "decorate a function with @theorem()")
    return _selected([t for theorems in found.values() for t in theorems], only)


def _selected(found: list[Theorem[Any]], only: str) -> list[Theorem[Any]]:
    names: dict[str, Theorem[Any]] = {}
    for t in found:
        other = names.setdefault(t.name, t)
        if other is not t:
            raise InputError(
                f"two theorems are called {t.name}: {other.file}:{other.line}, {t.file}:{t.line}",
                "give each its own name",
            )
    for t in found:
        if t.corrects and t.corrects not in names:
            raise InputError(
                f"{t.name} corrects {t.corrects}, which is not there", "correct the name"
            )
    if only:
        found = [t for t in found if only in t.name or fnmatchcase(t.name, only)]
        if not found:
            raise InputError(f"no theorem matches {only!r}", "give a part of a name")
    return found


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(p for p in path.rglob("*.py") if not p.name.startswith("_"))
    if not path.is_file():
        raise InputError(f"cannot read {path}: no such file", "name a theorem file, or a folder")
    return [path]


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise InputError(
            f"cannot read {file}: {error.strerror}", "name a file that can be read"
        ) from None


class _Text(SourceFileLoader):
    """Runs the text that was read, never compiled code of another moment that lies beside it."""

    def __init__(self, name: str, file: Path, text: bytes) -> None:
        super().__init__(name, str(file))
        self._text = text

    def get_data(self, path: str) -> bytes:
        """Return the text."""
        return self._text

    def path_stats(self, path: str) -> dict[str, Any]:
        """Refuse: what has no time has no compiled code."""
        raise OSError


def _module(file: Path, text: bytes) -> ModuleType:
    """Run a theorem file as a module of its own name."""
    if file.suffix != ".py":
        raise InputError(f"{file} is not a Python file", "theorem files end in .py")
    name = f"symcute_theorems_{sha256(os.fsencode(file.resolve())).hexdigest()[:16]}"
    spec = importlib.util.spec_from_file_location(name, file, loader=_Text(name, file, text))
    if spec is None or spec.loader is None:
        raise InputError(f"{file} is not a Python file", "theorem files end in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except SymcuteError as error:
        raise InputError(f"{file}: {error.what}", error.fix) from error
    except (Exception, SystemExit) as error:  # a script that ends with sys.exit()
        line = _line_in(error, file)
        raise InputError(
            f"{file}{line} does not run: {type(error).__name__}: {error}", "fix the file"
        ) from error
    return module


def _line_in(error: BaseException, file: Path) -> str:
    if isinstance(error, SyntaxError) and error.lineno:
        return f":{error.lineno}"
    trace, line = error.__traceback__, ""
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename).resolve() == file.resolve():
            line = f":{trace.tb_lineno}"
        trace = trace.tb_next
    return line


def run(theorem: Theorem[Any], timeout: float = 60.0) -> TheoremResult:
    """Decide every claim of a theorem; it is proved when all are, refuted when one is.

    A theorem whose operations are refused is unknown, with the refusal as its reason.
    Errors: InputError when its function makes no claim.
    """
    started = time.perf_counter()
    try:
        claims = theorem.build()
    except (NotAdmissible, Undecided) as error:
        seconds = time.perf_counter() - started
        return TheoremResult(theorem, (), "unknown", "", f"{error}", seconds)
    parts = []
    for claim in claims:
        parts.append(decide(theorem, claim, timeout))
        if parts[-1].status == "refuted":
            break
    seconds = time.perf_counter() - started
    status, how, reason = add_up([(v.status, v.how, v.reason) for v in parts])
    return TheoremResult(theorem, tuple(parts), status, how, reason, seconds)


def decide(theorem: Theorem[Any], claim: Claim, timeout: float = 60.0) -> Verdict:
    """Decide one claim of a theorem, under its assumptions."""
    given: Given = list(theorem.given)
    verdict = prove(claim, given, timeout=timeout, confirm=True)
    return by_each(verdict, given, theorem.solvers, timeout)


def add_up(parts: Sequence[tuple[str, str, str]]) -> tuple[str, str, str]:
    """Return status, strategies and reason of a theorem, from those of its claims.

    >>> add_up([("proved", "a + b", ""), ("proved", "b", "")])
    ('proved', 'a + b', '')
    >>> add_up([("proved", "a", ""), ("refuted", "c", "")])
    ('refuted', 'c', '')
    """
    statuses = {status for status, _, _ in parts}
    status = next(s for s in ("refuted", "unknown", "proved") if s in statuses)
    reason = next((reason for _, _, reason in parts if reason), "")
    shown = [how for s, how, _ in parts if how and (status != "refuted" or s == "refuted")]
    return status, " + ".join(dict.fromkeys(x for h in shown for x in h.split(" + "))), reason
