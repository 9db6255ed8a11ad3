"""Every exception a user of symcute can meet, and the one place where a message gets its shape.

A message has two halves: `what` says in one line what went wrong and where, `fix` says in one
line what to do. `str(error)` joins them, so a program that only prints the exception prints both.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Sequence
from typing import Any

__all__ = [
    "AssertionFailed",
    "InputError",
    "InternalError",
    "LaunchRefused",
    "NotAdmissible",
    "SymcuteError",
    "TextError",
    "Undecided",
    "UndecidedLaunch",
    "caret",
    "installed",
    "missing",
    "needs",
    "visible",
]


def visible(text: str) -> str:
    """Return text in which what steers a terminal is written as its escape; lines stay lines.

    >>> visible("red" + chr(27) + "[31m")
    'red\\\\x1b[31m'
    """
    return re.sub(r"[^\n\t\x20-\x7e\xa0-\U0010ffff]", lambda m: repr(m[0])[1:-1], text)


class SymcuteError(Exception):
    """The base of all errors raised on purpose.

    >>> str(SymcuteError("extent 0 in (4,0)", "extents are at least 1"))
    'extent 0 in (4,0); extents are at least 1'
    """

    def __init__(self, what: str, fix: str = "") -> None:
        self.what = what
        self.fix = fix
        super().__init__(f"{what}; {fix}" if fix else what)


class InputError(SymcuteError, ValueError):
    """The caller's input does not make sense (exit code 2)."""


class TextError(InputError):
    """Text that our grammar does not accept; carries the place, and draws a caret under it.

    >>> error = TextError("expected a number", "(4,", 3)
    >>> print(error.picture())
    (4,
       ^
    """

    def __init__(self, what: str, text: str, position: int, fix: str = "") -> None:
        self.wrong = what
        self.text = text
        self.position = max(0, min(position, len(text)))
        super().__init__(f"{what} at column {self.position + 1}", fix)

    def within(self, text: str) -> TextError:
        """Return the error as that of the whole text, of which a part was read where it stands."""
        return TextError(self.wrong, text, self.position, self.fix)

    def picture(self) -> str:
        """Return the line of text around the place and a caret under it."""
        return caret(self.text, self.position)


#: Characters of a text shown on either side of a caret.
_WINDOW = 60


def caret(text: str, position: int) -> str:
    """Return the line of a text around a place and a caret under it."""
    start = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    line = text[start : end if end >= 0 else len(text)]
    column = position - start
    left = max(0, column - _WINDOW)
    right = min(len(line), column + _WINDOW)
    head = "..." if left else ""
    tail = "..." if right < len(line) else ""
    return f"{head}{line[left:right]}{tail}\n{' ' * (len(head) + column - left)}^"


class NotAdmissible(InputError):
    """An operation's side condition is false, so no right result exists.

    `condition` is the violated condition in words, `witness` what makes it false (a coordinate,
    or values of the dims).
    """

    def __init__(self, what: str, *, condition: str, witness: str = "", fix: str = "") -> None:
        self.condition = condition
        self.witness = witness
        where = f"; it fails at {witness}" if witness else ""
        super().__init__(f"{what} needs that {condition}{where}", fix)


class Undecided(SymcuteError):
    """A side condition holds for some values of the dims and not for others, or was not decided.

    `assumption` is text in our grammar that would decide it.
    """

    def __init__(self, condition: str, where: str, assumption: str, detail: str = "") -> None:
        self.condition = condition
        self.where = where
        self.assumption = assumption
        what = f"cannot decide {condition} in {where}"
        if detail:
            what += f" ({detail})"
        super().__init__(what, f'assume "{assumption}"')


class InternalError(SymcuteError):
    """A fault of symcute itself (exit code 3): nothing that the caller did."""

    def __init__(self, what: str, fix: str = "") -> None:
        super().__init__(what, fix or "this is a defect of symcute: please report it")


class LaunchRefused(SymcuteError):
    """A launch of a kernel that would go wrong; nothing was launched.

    `findings` are the findings of the kernel's check that say what and where.
    """

    def __init__(self, what: str, fix: str, findings: Sequence[Any] = ()) -> None:
        self.findings = tuple(findings)
        super().__init__(what, fix)


class UndecidedLaunch(UserWarning):
    """A launch of which not everything could be decided; it goes ahead."""


class AssertionFailed(SymcuteError, AssertionError):
    """A test asserts what is not so.

    `found` is the verdict, or the findings of a kernel; `lines` are Python that shows it.
    """

    def __init__(
        self, what: str, fix: str = "", *, found: Any = None, lines: Sequence[str] = ()
    ) -> None:
        self.found = found
        self.lines = tuple(lines)
        super().__init__(what, fix)
        if lines:
            self.args = ("\n".join([*self.args, "", "to see it, paste:", "", *lines]),)


#: Libraries that only some uses need: how each is called, and our extra that brings it.
_EXTRAS = {
    "clang": ("libclang", "cuda"),
    "cutlass": ("CuTe DSL", "cutedsl"),
    "cvc5": ("cvc5", "cvc5"),
    "distributed": ("dask.distributed", "dask"),
    "numpy": ("NumPy", "cuda"),
    "pygls": ("pygls", "lsp"),
}


def installed(module: str) -> bool:
    """Say whether a library can be imported, without importing it.

    >>> installed("sympy"), installed("no_such_library")
    (True, False)
    """
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):  # its import is blocked
        return False


def missing(module: str | None, use: str) -> InputError | None:
    """Return the message for a library that a use needs, with the command that brings it.

    None for one that symcute does not offer as an extra.

    >>> print(missing("clang", "reading CUDA C++"))
    reading CUDA C++ needs libclang, which is not installed; bring it with: ...
    """
    name, extra = _EXTRAS.get((module or "").partition(".")[0], ("", ""))
    if not extra:
        return None
    return InputError(
        f"{use} needs {name}, which is not installed",
        f'bring it with: pip install "symcute[{extra}]"',
    )


def needs(use: str, module: str) -> None:
    """Refuse a use whose library is not installed.

    Errors: InputError names our extra that brings it.
    """
    if not installed(module) and (told := missing(module, use)):
        raise told
