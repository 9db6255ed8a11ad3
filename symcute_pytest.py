"""pytest plugin: the theorems of theorem files as test items, and the time limit of assertions.

pytest loads it in every run, so it imports nothing of symcute before a theorem file is collected.
The assertions for test functions are in `symcute.testing`.
"""

from __future__ import annotations

import argparse
import glob
import math
import warnings
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from symcute.prover.theorems import Theorem
    from symcute.run.results import ResultCache
    from symcute.run.task import Outcome

#: Seconds for a claim, where a run asks for them; `symcute.testing` reads it.
timeout: float | None = None

_USUAL_TIMEOUT = 60.0
_CACHE = ".symcute/cache.sqlite"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options and the settings."""
    group = parser.getgroup("symcute", "theorems and claims about layouts")
    group.addoption(
        "--symcute-theorems",
        action="append",
        default=[],
        metavar="PATTERN",
        help="Collect the theorems of these files: a file, a folder, or a pattern such as "
        "'proofs/*.py'. May be repeated; adds to the setting symcute_theorems.",
    )
    group.addoption(
        "--symcute-timeout",
        type=_seconds,
        metavar="SECONDS",
        help="Time limit of one claim, for theorems and assertions (default: 60).",
    )
    group.addoption(
        "--symcute-no-cache",
        action="store_true",
        help="Decide every theorem anew, and keep no verdicts.",
    )
    parser.addini(
        "symcute_theorems", "theorem files: files, folders, patterns", type="args", default=[]
    )
    parser.addini("symcute_timeout", "time limit of one claim, in seconds", default="")
    parser.addini("symcute_cache", "file of kept verdicts; empty for none", default=_CACHE)


def pytest_configure(config: pytest.Config) -> None:
    """Read the settings. Errors: UsageError for a pattern without a file, and a bad time limit."""
    global timeout
    config.addinivalue_line("markers", "symcute: a theorem of a theorem file")
    timeout = config.getoption("--symcute-timeout") or _of_ini(config)
    files = _matching(config)
    if files:
        cache = config.getini("symcute_cache").strip()
        keep = cache and not config.getoption("--symcute-no-cache")
        runner = _Runner(
            frozenset(files),
            timeout or _USUAL_TIMEOUT,
            config.rootpath / cache if keep else None,
        )
        config.stash[_RUNNER] = runner
        config.add_cleanup(runner.close)


def pytest_unconfigure() -> None:
    """Forget the time limit."""
    global timeout
    timeout = None


def pytest_report_header(config: pytest.Config) -> str | None:
    """Say which theorem files there are, and with what they are run."""
    runner = config.stash.get(_RUNNER, None)
    if runner is None:
        return None
    n = len(runner.files)
    kept = "no cache" if runner.cache is None else f"cache {runner.cache}"
    return f"symcute: {n} theorem file{'s' * (n > 1)}, {runner.timeout:g} s a claim, {kept}"


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path, parent: pytest.Collector
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Collect a theorem file as one, and not as a module of tests unless it is named like one."""
    found = yield
    runner = parent.config.stash.get(_RUNNER, None)
    if runner is None or file_path.resolve() not in runner.files:
        return found
    if not any(file_path.match(p) for p in parent.config.getini("python_files")):
        found = [x for x in found if type(x) is not pytest.Module]
    return [*found, TheoremFile.from_parent(parent, path=file_path)]


def pytest_collection_finish(session: pytest.Session) -> None:
    """Refuse theorem files that hold none. Errors: UsageError."""
    runner = session.config.stash.get(_RUNNER, None)
    if runner is not None and runner.counts and not any(runner.counts):
        raise pytest.UsageError(
            "symcute_theorems: no file holds a theorem; decorate a function with @theorem()"
        )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show the lines of an `AssertionFailed` in a section, where they can be copied as they are."""
    # What a method of unittest.TestCase raised is handed over only later.
    raised = call.excinfo or next(iter(getattr(item, "_excinfo", None) or ()), None)
    error = raised.value if raised else None
    lines = getattr(error, "lines", ())
    shown = item.config.getoption("showcapture", "all") == "all"
    if not (lines and shown and isinstance(error, AssertionError)):
        return (yield)
    error.args = (getattr(error, "what", ""),)
    report = yield
    report.sections.append(("to see it, paste", "\n".join(lines)))
    return report


class TheoremFile(pytest.File):
    """A file whose functions are marked with @theorem."""

    def collect(self) -> Iterable[TheoremItem]:
        """Yield the theorems in the order in which they stand."""
        from symcute.errors import SymcuteError

        runner = self.config.stash[_RUNNER]
        try:
            theorems = runner.shelf.load(self.path, self.path.read_bytes())
        except (SymcuteError, OSError) as error:
            raise self.CollectError(str(error)) from None
        runner.counts.append(len(theorems))
        for theorem in theorems:
            yield TheoremItem.from_parent(self, name=theorem.name, theorem=theorem)


class TheoremItem(pytest.Item):
    """A theorem; it passes where its verdict is the one expected."""

    def __init__(self, *, theorem: Theorem[Any], **more: Any) -> None:
        super().__init__(**more)
        self.theorem = theorem
        self.add_marker("symcute")

    def runtest(self) -> None:
        """Decide the theorem."""
        outcome = self.config.stash[_RUNNER].outcome(self.theorem)
        self.user_properties += [
            ("symcute_status", outcome.status),
            ("symcute_how", outcome.how),
        ]
        if outcome.failed or outcome.status != self.theorem.expected:
            raise _NotAsExpected(outcome)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return what is wrong with the theorem, without a traceback."""
        if isinstance(excinfo.value, _NotAsExpected):
            return _told(self.theorem, excinfo.value.outcome)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the place and the name."""
        return self.path, self.theorem.line - 1, self.name


class _NotAsExpected(Exception):
    """A theorem has another verdict than it expects."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        super().__init__(outcome.status)


@dataclass
class _Runner:
    """How theorems are run: their files, the time limit of a claim, the file of kept verdicts.

    `counts` has the number of theorems of each file that was collected.
    """

    files: frozenset[Path]
    timeout: float
    cache: Path | None
    counts: list[int] = field(default_factory=list)

    @cached_property
    def shelf(self) -> ResultCache:
        """What earlier runs left; opened when it is first asked for."""
        from symcute.run.results import ResultCache

        return ResultCache(self.cache, lambda text: warnings.warn(text, stacklevel=2))

    def outcome(self, theorem: Theorem[Any]) -> Outcome:
        """Return what a theorem gives, from the cache or by running it here."""
        from symcute.run.task import perform, task_of

        known = self.shelf.outcome(theorem, self.timeout)
        if known is not None:
            return known
        outcome = perform(task_of(theorem, self.timeout, self.shelf.engine, self.shelf.path))
        self.shelf.keep(theorem, outcome, self.timeout)
        return outcome

    def close(self) -> None:
        """Write what is to be kept."""
        if "shelf" in vars(self):
            self.shelf.close()


_RUNNER = pytest.StashKey[_Runner]()


def _told(theorem: Theorem[Any], outcome: Outcome) -> str:
    """Return what was expected of a theorem, and what came out."""
    from symcute.testing import explained

    came_out = "could not be run" if outcome.failed else outcome.status
    asked = f"{came_out}, expected {theorem.expected}"
    head = [f"{asked}: {theorem.statement}", f"{theorem.file}:{theorem.line}", ""]
    parts = [p for p in outcome.parts if p["status"] == outcome.status]
    if not parts or outcome.failed:
        return "\n".join([*head, f"because {outcome.reason}"])
    claims = theorem.build()
    for part in parts:
        text, lines = explained(part, claims[outcome.parts.index(part)], theorem.expected)
        head += [text, "", *(["to see it, paste:", "", *lines, ""] if lines else ())]
    return "\n".join(head).rstrip()


def _matching(config: pytest.Config) -> set[Path]:
    """Return the theorem files of the settings and the options."""
    base = config.inipath.parent if config.inipath else config.rootpath
    here = config.invocation_params.dir
    asked = [("symcute_theorems", base, p) for p in config.getini("symcute_theorems")]
    asked += [("--symcute-theorems", here, p) for p in config.getoption("--symcute-theorems")]
    found: set[Path] = set()
    for name, folder, pattern in asked:
        # Not Path.glob, which takes no absolute pattern and goes into hidden folders.
        paths = [folder / p for p in glob.glob(pattern, root_dir=folder, recursive=True)]  # noqa: PTH207
        files = {f.resolve() for path in paths for f in _python_files(path)}
        if not files:
            raise pytest.UsageError(
                f"{name}: {pattern} matches no Python file in {folder}; "
                "give a theorem file, a folder of them, or a pattern such as proofs/*.py"
            )
        found |= files
    return found


def _python_files(path: Path) -> Iterable[Path]:
    """Return a file, or the files below a folder, as `symcute verify` takes them.

    A conftest.py is pytest's own, which has run it already.
    """
    if path.is_file():
        return [path] if path.suffix == ".py" else []
    return [p for p in path.rglob("*.py") if p.name[0] != "_" and p.name != "conftest.py"]


def _of_ini(config: pytest.Config) -> float | None:
    text = config.getini("symcute_timeout").strip()
    if not text:
        return None
    try:
        return _seconds(text)
    except argparse.ArgumentTypeError as error:
        raise pytest.UsageError(f"symcute_timeout: {error}") from None


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not (value > 0 and math.isfinite(value)):
        raise argparse.ArgumentTypeError(f"{text!r} is no time limit; give seconds, as 30")
    return value
