"""Which engine reached a verdict: the sources of the package and the libraries it leans on."""

from __future__ import annotations

import importlib.metadata
import platform
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

import symcute
from symcute.errors import SymcuteError, installed

__all__ = ["Engine", "this_engine"]

_PACKAGE = Path(symcute.__file__).parent

#: What verdicts depend on beside our own text, by the name of the module and of the distribution.
#: mpmath, NumPy, cvc5 and libclang take part only where they are installed.
_LIBRARIES = {
    "sympy": "sympy",
    "mpmath": "mpmath",
    "numpy": "numpy",
    "z3": "z3-solver",
    "cvc5": "cvc5",
    "clang": "libclang",
}


@dataclass(frozen=True)
class Engine:
    """An engine's version, and what its files looked like when the version was taken.

    The version names the package's version, Python's and those of the libraries, and a digest of
    every source file of the package: any change of the engine is another version.
    """

    version: str
    stamps: tuple[tuple[str, int, int], ...]

    def unchanged(self) -> bool:
        """Return whether the files are still those of the version."""
        return self.stamps == _stamps()


@cache
def this_engine() -> Engine:
    """Return the engine of this process.

    Errors: SymcuteError when the version of an installed library cannot be told.
    """
    stamps = _stamps()
    digest = sha256()
    for file in _files():
        text = file.read_bytes()
        digest.update(f"{file.relative_to(_PACKAGE)} {len(text)}\n".encode())
        digest.update(text)
    libraries = " ".join(f"{name}={_version(name)}" for name in _LIBRARIES)
    version = (
        f"symcute={symcute.__version__} sources={digest.hexdigest()} "
        f"python={platform.python_implementation()}-{platform.python_version()} {libraries}"
    )
    return Engine(version, stamps)


def _files() -> list[Path]:
    """Return the files that make up the engine; the pages of the report are none of them."""
    suffixes = {".py", ".pyi", ".json", ".h"}
    return sorted(p for p in _PACKAGE.rglob("*") if p.suffix in suffixes)


def _stamps() -> tuple[tuple[str, int, int], ...]:
    stats = [(file, file.stat()) for file in _files()]
    return tuple((str(file), s.st_mtime_ns, s.st_size) for file, s in stats)


def _version(module: str) -> str:
    if not installed(module):
        return "absent"
    try:
        return importlib.metadata.version(_LIBRARIES[module])
    except importlib.metadata.PackageNotFoundError:
        raise SymcuteError(
            f"the version of {module} cannot be told", f"install it as {_LIBRARIES[module]}"
        ) from None
