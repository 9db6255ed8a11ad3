"""Importing a user's file as it is, in a process that may die of it: importing a file runs it."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

__all__ = ["imported", "name_of", "place_in", "said_by"]


class _AsItIs(SourceFileLoader):
    """Compiles a file as it is: by its second and its size alone, kept bytecode may be older."""

    def get_code(self, fullname: str) -> CodeType:
        found: CodeType = self.source_to_code(self.get_data(self.path), self.path)
        return found


def name_of(path: Path) -> tuple[Path, str]:
    """Return the folder that a file's package is in, and its name in that package."""
    parts, folder = [path.stem], path.parent
    while (folder / "__init__.py").exists():
        parts.insert(0, folder.name)
        folder = folder.parent
    return folder, ".".join(parts) if len(parts) > 1 else f"symcute_read_{path.stem}"


def imported(path: Path, loader: Callable[[str, str], SourceFileLoader] = _AsItIs) -> Any:
    """Import a file by its name in its package, where it is in one."""
    folder, name = name_of(path)
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    if "." in name:
        importlib.import_module(name.rpartition(".")[0])
    spec = importlib.util.spec_from_file_location(name, path, loader=loader(name, str(path)))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def place_in(path: str, error: BaseException) -> dict[str, Any]:
    """Return the last line of a file that an error went through."""
    trace, line = error.__traceback__, getattr(error, "lineno", None)
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(Path(path).resolve()):
            line = trace.tb_lineno
        trace = trace.tb_next
    return {"line": line} if isinstance(line, int) else {}


def said_by(error: BaseException) -> str:
    """Return the last line of what an error says, with its class where that says more.

    Of errors of Triton it is the innermost: those around it say where it was called.
    """
    named = type(error).__name__ != "CompilationError"
    while type(error).__name__ == "CompilationError" and error.__cause__ is not None:
        error = error.__cause__
    lines = [s.strip() for s in str(error).splitlines() if s.strip(" ^")]
    said = lines[-1] if lines else ""
    return said if said and not named else f"{type(error).__name__}: {said}".rstrip(": ")
