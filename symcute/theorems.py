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

import importlib.util
import inspect
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

from symcute.assumptions import Assumptions, Given, assuming
from symcute.claims import Claim, Holds
from symcute.errors import InputError, NotAdmissible, SymcuteError, Undecided
from symcute.formula import Formula
from symcute.language import read_claim
from symcute.prover import Verdict, prove

__all__ = ["Theorem", "TheoremResult", "find", "run", "theorem"]

STATUSES = ("proved", "refuted", "unknown")


@dataclass(frozen=True)
class Theorem:
    """A claim with a name, a statement in words, assumptions, and the verdict expected."""

    name: str
    file: str
    line: int
    statement: str
    details: str
    given: tuple[str, ...]
    expected: str
    source: str
    corrects: str
    function: Callable[[], Any]

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


def _claim(value: Any, owner: Theorem) -> Claim:
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

    theorem: Theorem
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
        t = self.theorem
        return {
            "name": t.name,
            "file": t.file,
            "line": t.line,
            "statement": t.statement,
            "details": t.details,
            "given": list(t.given),
            "expected": t.expected,
            "source": t.source,
            "corrects": t.corrects,
            "status": self.status,
            "ok": self.ok,
            "how": self.how,
            "reason": self.reason,
            "rests_on": list(self.rests_on),
            "parts": [v.to_json() for v in self.parts],
            "seconds": round(self.seconds, 6),
        }


def theorem(
    *,
    given: Iterable[str] | str = (),
    expect: str = "proved",
    source: str = "",
    corrects: str = "",
) -> Callable[[Callable[[], Any]], Theorem]:
    """Make a function that returns a claim a theorem.

    `given` are assumptions in our grammar, `expect` the verdict the engine is expected to reach,
    `source` where the statement comes from, `corrects` the name of the wrong theorem whose true
    form this is.
    Errors: InputError for an unknown verdict, a missing docstring, or a bad assumption.
    """
    if expect not in STATUSES:
        raise InputError(f"expect={expect!r}", f"expect one of {', '.join(STATUSES)}")
    texts = (given,) if isinstance(given, str) else tuple(given)
    Assumptions.of(list(texts))

    def decorate(function: Callable[[], Any]) -> Theorem:
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
            file=_relative(code.co_filename),
            line=code.co_firstlineno,
            statement=" ".join(statement.split()),
            details=details.strip(),
            given=texts,
            expected=expect,
            source=source,
            corrects=corrects,
            function=function,
        )

    return decorate


def _relative(file: str) -> str:
    path = Path(file).resolve()
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def find(paths: Iterable[str | Path], only: str = "") -> list[Theorem]:
    """Return the theorems of files and folders, in the order in which they stand.

    `only` is a pattern (`*` and `?`) or a part of the name.
    Errors: InputError for a path that is not there or holds no theorem, a file that does not run,
    and a name used twice.
    """
    found: list[Theorem] = []
    for path in paths:
        here = [t for file in _files(Path(path)) for t in _theorems(file)]
        if not here:
            raise InputError(f"{path} holds no theorem", "decorate a function with @theorem()")
        found += here
    names: dict[str, Theorem] = {}
    for t in found:
        other = names.setdefault(t.name, t)
        if other is not t:
            raise InputError(
                f"two theorems are called {t.name}: {other.file}:{other.line}, {t.file}:{t.line}",
                "give each its own name",
            )
    for t in found:
        if t.corrects and t.corrects not in names:
            raise InputError(f"{t.name} corrects {t.corrects}, which is not there", "mend the name")
    if only:
        found = [t for t in found if only in t.name or fnmatchcase(t.name, only)]
        if not found:
            raise InputError(f"no theorem matches {only!r}", "give a part of a name")
    return found


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(p for p in path.rglob("*.py") if not p.name.startswith("_"))
    if not path.is_file():
        raise InputError(f"{path} is not there", "give a theorem file, or a folder of them")
    return [path]


def _theorems(file: Path) -> list[Theorem]:
    module = _load(file)
    found = [v for v in vars(module).values() if isinstance(v, Theorem)]
    return sorted((t for t in found if Path(t.file).name == file.name), key=lambda t: t.line)


def _load(file: Path) -> ModuleType:
    """Run a theorem file as a module of its own name."""
    name = f"symcute_theorems_{sha256(str(file.resolve()).encode()).hexdigest()[:16]}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise InputError(f"{file} is not a Python file", "theorem files end in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except SymcuteError as error:
        raise InputError(f"{file}: {error.what}", error.fix) from error
    except Exception as error:
        line = _line_in(error, file)
        raise InputError(
            f"{file}{line} does not run: {type(error).__name__}: {error}", "mend the file"
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


def run(theorem: Theorem, timeout: float = 10.0) -> TheoremResult:
    """Decide every claim of a theorem; it is proved when all are, refuted when one is.

    A theorem whose operations are refused is unknown, with the refusal as its reason.
    """
    started = time.perf_counter()
    given: Given = list(theorem.given)
    try:
        claims = theorem.build()
    except (NotAdmissible, Undecided, InputError) as error:
        seconds = time.perf_counter() - started
        return TheoremResult(theorem, (), "unknown", "", f"{error}", seconds)
    parts = []
    for claim in claims:
        verdict = prove(claim, given, timeout=timeout)
        parts.append(verdict)
        if verdict.status == "refuted":
            break
    seconds = time.perf_counter() - started
    statuses = {v.status for v in parts}
    status = next(s for s in ("refuted", "unknown", "proved") if s in statuses)
    reason = next((v.reason for v in parts if v.reason), "")
    shown = [v.how for v in parts if v.how and (status != "refuted" or v.status == "refuted")]
    how = " + ".join(dict.fromkeys(x for h in shown for x in h.split(" + ")))
    return TheoremResult(theorem, tuple(parts), status, how, reason, seconds)
