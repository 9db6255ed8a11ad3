"""A user's file run as far as it goes on a machine without all that it imports: PyTorch, a GPU.

Each statement of a module is run by itself. One that fails binds no name, also where it was half
done, and what it may have changed loses its name: a kernel that hangs on it is not compiled. A
module that is not installed is no `ImportError` for the file's own code, which would go another way
here than where it is launched.
"""

from __future__ import annotations

import ast
import dis
import sys
from collections.abc import Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from triton.runtime.autotuner import Autotuner, Heuristics

from symcute.frontends.importing import imported, name_of
from symcute.frontends.triton.compiling import LOST

__all__ = ["imported_partly", "lacks_something"]

#: What stands in modules behind each statement.
_HANDLER, _ERROR = "__symcute_tell__", "__symcute_error__"
#: What a statement that mentions it cannot have changed.
_PLAIN = (int, float, complex, str, bytes, tuple, type(None), type, FunctionType)
_OURS = Path(__file__).parents[2]
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class _Missing(BaseException):
    """A module that a file's own code imports is not installed."""


def lacks_something(error: BaseException) -> bool:
    """Return whether a file does not import because of what this machine lacks."""
    if isinstance(error, ModuleNotFoundError):
        return error.name is not None
    return isinstance(error, RuntimeError) and "active drivers" in str(error)


def imported_partly(path: Path) -> Any:
    """Import a file, and what it imports of its folder, as far as they go."""
    finder = _Finder(name_of(path)[0])
    for key, module in [*sys.modules.items()]:
        if finder.owns(getattr(module, "__file__", None) or ""):
            del sys.modules[key]
    sys.meta_path.insert(0, finder)
    try:
        return imported(path, lambda name, file: _Loader(name, file, finder))
    finally:
        sys.meta_path.remove(finder)


class _Finder(MetaPathFinder):
    """Finds the modules below a folder, and runs them as far as they go."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        #: A module that was asked for and is missing, until a statement is told to have failed.
        self.missing: _Missing | None = None

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module. Errors: _Missing for what is nowhere, and the file's own code asks for."""
        if fullname in sys.builtin_module_names:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None:
            if self.owns(_asking()):
                self.missing = _Missing(f"{fullname.partition('.')[0]} is not installed")
                raise self.missing
        elif spec.origin and isinstance(spec.loader, SourceFileLoader) and self.owns(spec.origin):
            spec.loader = _Loader(fullname, spec.origin, self)
        return spec

    def owns(self, file: str) -> bool:
        """Return whether a file is the user's own."""
        folders = Path(file).parents
        return (
            self._folder in folders
            and _OURS not in folders
            and "site-packages" not in Path(file).parts
        )


def _asking() -> str:
    """Return the file that an import stands in."""
    frame = sys._getframe(2)
    while frame.f_back is not None and "importlib" in frame.f_code.co_filename:
        frame = frame.f_back
    return frame.f_code.co_filename


class _Loader(SourceFileLoader):
    """Runs a module statement by statement, each of which may fail."""

    def __init__(self, name: str, path: str, finder: _Finder) -> None:
        super().__init__(name, path)
        self._finder = finder

    def get_code(self, fullname: str) -> CodeType:
        """Compile a module as it is in the file, with what is told of each statement."""
        tree = ast.parse(self.get_data(self.path), self.path)
        tree.body = [_told(node, k) for k, node in enumerate(tree.body)]
        whole: Any = ast.fix_missing_locations(tree)
        found: CodeType = self.source_to_code(whole, self.path)
        return found

    def exec_module(self, module: ModuleType) -> None:
        """Run a module, with what takes names away."""
        body = ast.parse(self.get_data(self.path), self.path).body
        names = vars(module)

        def tell(k: int, error: BaseException | None) -> None:
            if not isinstance(error, (Exception, _Missing, type(None))):
                raise error
            error, self._finder.missing = self._finder.missing or error, None
            if error is None:
                return
            names[LOST].setdefault("", (body[k].lineno, _why(error)))
            bound = ((names, name) for name in _bound(body[k]))
            for of, name in [*bound, *_changed(body[k], names)]:
                of.pop(name, None)
                of[LOST][name] = body[k].lineno, _why(error)

        names.update({_HANDLER: tell, LOST: {}})
        super().exec_module(module)


def _told(node: ast.stmt, k: int) -> ast.stmt:
    """Return a statement behind which it is told how it ended."""
    if isinstance(node, ast.ImportFrom) and node.module == "__future__":
        return node
    ended, failed = (ast.parse(f"{_HANDLER}({k}, {e})").body for e in ("None", _ERROR))
    caught = ast.ExceptHandler(ast.Name("BaseException", ast.Load()), _ERROR, failed)
    return ast.copy_location(ast.Try([node], [caught], ended, []), node)


def _why(error: BaseException) -> str:
    said = (str(error).splitlines() or [""])[-1]
    return said if isinstance(error, _Missing) else f"{type(error).__name__}: {said}".rstrip(": ")


# --- what a statement that failed may have done -------------------------------------------------


def _here(node: ast.AST, scopes: tuple[type[ast.AST], ...]) -> Iterator[ast.AST]:
    """Yield what is run with a statement, but for the bodies of scopes."""
    yield node
    for name, value in ast.iter_fields(node):
        if name == "body" and isinstance(node, scopes):
            continue
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, ast.AST):
                yield from _here(each, scopes)


def _bound(node: ast.stmt) -> set[str]:
    """Return the names that a statement may bind."""
    found: set[str] = set()
    for n in _here(node, (*_FUNCTIONS, ast.ClassDef)):
        if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load):
            found.add(n.id)
        elif isinstance(
            n, (*_FUNCTIONS, ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)
        ):
            found |= {n.name} if n.name else set()
        elif isinstance(n, ast.alias):
            found.add(n.asname or n.name.partition(".")[0])
    return found


def _changed(node: ast.stmt, module: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield what a statement may have changed, by itself or by what it calls: modules and names."""
    todo = [(module, n.id) for n in _here(node, _FUNCTIONS) if isinstance(n, ast.Name)]
    seen: set[tuple[int, str]] = set()
    while todo:
        names, name = todo.pop()
        if (id(names), name) in seen:
            continue
        seen.add((id(names), name))
        value = names.get(name)
        if isinstance(value, FunctionType) and LOST in value.__globals__:
            stored, used = _of_code(value.__code__)
            yield from ((value.__globals__, n) for n in stored)
            todo += [(value.__globals__, n) for n in used]
        elif not (isinstance(value, _PLAIN) or _is_of_a_library(value)):
            yield names, name
            if isinstance(value, (list, dict, set)):  # they may be the configurations of a kernel
                tuned = (n for n, v in names.items() if isinstance(v, (Autotuner, Heuristics)))
                yield from [(names, n) for n in tuned]


def _is_of_a_library(value: object) -> bool:
    """Return whether a value is a library's: a module, a type's alias, what Triton makes."""
    if isinstance(value, ModuleType):
        return LOST not in vars(value)
    library = type(value).__module__.partition(".")[0]
    return library == "triton" or library in sys.stdlib_module_names - {"builtins", "collections"}


def _of_code(code: CodeType) -> tuple[set[str], set[str]]:
    """Return the globals that a function binds, and all names that it mentions."""
    stored = {str(i.argval) for i in dis.get_instructions(code) if i.opname == "STORE_GLOBAL"}
    used = set(code.co_names)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            more, names = _of_code(inner)
            stored, used = stored | more, used | names
    return stored, used
