"""A user's file run as far as it goes on a machine without all that it imports: PyTorch, a GPU.

Each statement of a module is run by itself. One that fails binds no name, also where it was half
done, and what it may have changed loses its name: a kernel that hangs on it is not compiled. A
module that is not installed is no `ImportError` for the file's own code, which would go another way
here than where it is launched.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import resolve_name
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

from symcute.frontends.importing import imported, name_of
from symcute.frontends.triton.changes import BODY, bound_by, changed_by
from symcute.frontends.triton.compiling import LOST, WRITTEN, NoGPU

__all__ = ["imported_partly", "imported_whole", "lacks_something"]

#: What stands in modules behind each statement.
_HANDLER, _ERROR, _KEEPER = "__symcute_tell__", "__symcute_error__", "__symcute_keep__"
_LIBRARIES = frozenset({"site-packages", "dist-packages"})
_STANDARD = Path(ast.__file__).parent
_IMPORTING = re.compile("importlib|pkgutil")
_OURS = Path(__file__).parents[2]


class _Missing(BaseException):
    """A module that a file's own code imports is not installed."""


def lacks_something(error: BaseException) -> bool:
    """Return whether a file does not import because of what this machine lacks."""
    if isinstance(error, ModuleNotFoundError):
        return error.name is not None
    return isinstance(error, NoGPU) or "active drivers" in str(error)


def imported_partly(path: Path) -> Any:
    """Import a file, and what it imports of its folder, as far as they go."""
    finder = _Finder(name_of(path)[0])
    with _alone(finder, first=True):
        return imported(path, lambda name, file: _Loader(name, file, finder))


def imported_whole(path: Path) -> Any:
    """Import a file. Errors: its own, and that of a lack which it caught and went another way."""
    finder = _Finder(name_of(path)[0], is_partly=False)
    with _alone(finder, first=False):
        module = imported(path)
    if finder.missing is not None:
        raise finder.missing
    return module


@contextmanager
def _alone(finder: _Finder, first: bool) -> Iterator[None]:
    """Import for one file: no module is that of another file's folder, and each lack is kept.

    A user's own code may catch what it meets of that.
    """

    def inside(frame: FrameType, event: str, given: Any) -> Any:
        is_lack = event == "exception" and _is_lack(given[1], frame, finder)
        if is_lack and finder.missing is None:
            finder.missing = given[1]
        return inside

    def called(frame: FrameType, event: str, given: Any) -> Any:
        if not finder.owns(frame.f_code.co_filename):
            return None
        frame.f_trace_lines = False
        return inside

    for key, module in [*sys.modules.items()]:
        file = Path(getattr(module, "__file__", None) or _OURS / key)
        if not (_LIBRARIES & {*file.parts} or {_OURS, _STANDARD} & {*file.parents}):
            del sys.modules[key]
    sys.path[:] = [str(finder.folder), *(p for p in sys.path if p != str(finder.folder))]
    sys.meta_path.insert(0 if first else len(sys.meta_path), finder)
    before = sys.gettrace()
    sys.settrace(called)
    try:
        yield
    finally:
        sys.settrace(before)
        sys.meta_path.remove(finder)


def _is_lack(error: object, frame: FrameType, finder: _Finder) -> bool:
    """Is an error that user's code meets one of this machine alone?"""
    if isinstance(error, NameError):
        return error.name in _lost_of(frame.f_globals)
    if isinstance(error, AttributeError) and isinstance(error.obj, ModuleType):
        return error.name in _lost_of(vars(error.obj))
    if isinstance(error, ModuleNotFoundError) and finder.is_of_a_library(error.name or ""):
        return False
    if isinstance(error, ImportError) and _lost_of(vars(sys.modules.get(error.name or "", ast))):
        return True
    return isinstance(error, BaseException) and lacks_something(error)


def _lost_of(names: dict[str, Any]) -> dict[str, tuple[int, str]]:
    found: dict[str, tuple[int, str]] = names.get(LOST, {})
    return found


class _Finder(MetaPathFinder):
    """Finds the modules below a folder, and runs them as far as they go."""

    def __init__(self, folder: Path, is_partly: bool = True) -> None:
        self.folder = folder
        self._is_partly = is_partly
        #: What was asked for and is missing, until a statement is told to have failed.
        self.missing: BaseException | None = None

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module. Errors: _Missing for what is nowhere, and the file's own code asks for."""
        if fullname in sys.builtin_module_names:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None:
            if self.owns(_asking()) and not self.is_of_a_library(fullname):
                said = f"{fullname.partition('.')[0]} is not installed"
                if self._is_partly:
                    self.missing = _Missing(said)
                    raise self.missing
                self.missing = ModuleNotFoundError(said, name=fullname)
        elif not self._is_partly:
            return None
        elif spec.origin and isinstance(spec.loader, SourceFileLoader) and self.owns(spec.origin):
            spec.loader = _Loader(fullname, spec.origin, self)
        return spec

    def is_of_a_library(self, fullname: str) -> bool:
        """Is a module, which is not there, part of a library that is? Nor is it elsewhere then."""
        package = sys.modules.get(fullname.partition(".")[0])
        file = getattr(package, "__file__", None)
        return file is not None and not self.owns(file)

    def owns(self, file: str) -> bool:
        """Return whether a file is the user's own."""
        return _is_below(self.folder, file)


@cache
def _is_below(folder: Path, file: str) -> bool:
    folders = Path(file).parents
    return folder in folders and _OURS not in folders and not _LIBRARIES & {*Path(file).parts}


def _asking() -> str:
    """Return the file that an import stands in."""
    frame = sys._getframe(2)
    while frame.f_back is not None and _IMPORTING.search(frame.f_code.co_filename):
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

        def without(name: str) -> Any:
            """Answer for a name that a module does not have: that it lacks one is seen."""
            if name in names[LOST] and self._finder.missing is None:
                self._finder.missing = _Missing(names[LOST][name][1])
            raise AttributeError(f"module has no {name}", name=name, obj=module)

        def tell(k: int, error: BaseException | None) -> None:
            if not isinstance(error, (Exception, _Missing, type(None))):
                raise error
            error, self._finder.missing = self._finder.missing or error, None
            if error is None:
                lost = [(names, n, said) for n, said in _of_star(body[k], names)]
            else:
                said = body[k].lineno, _why(error)
                names[LOST].setdefault("", said)
                bound = ((names, name) for name in bound_by(body[k], names))
                lost = [(of, n, said) for of, n in [*bound, *changed_by(body[k], names)]]
            for of, name, said in lost:
                if name in of or name not in of[LOST]:  # the first reason stays
                    of.pop(name, None)
                    of[LOST][name] = said

        def keep(name: str) -> None:
            """Keep a function whose decorators failed: its name is that of what they make."""
            names[WRITTEN][name] = names.pop(name)

        names.update({_HANDLER: tell, _KEEPER: keep, LOST: {}, WRITTEN: {}, BODY: body})
        names["__getattr__"] = without
        super().exec_module(module)


def _of_star(node: ast.stmt, names: dict[str, Any]) -> list[tuple[str, tuple[int, str]]]:
    """Return the names that a statement does not bind because a module of the user lost them."""
    found = []
    for n in ast.walk(node):
        if isinstance(n, ast.ImportFrom) and n.names[0].name == "*":
            package = names.get("__package__") or ""
            asked = resolve_name("." * n.level + (n.module or ""), package)
            of = vars(sys.modules.get(asked, ast))
            found += [(k, said) for k, said in _lost_of(of).items() if k not in of and k[:1] != "_"]
    return found


def _told(node: ast.stmt, k: int) -> ast.stmt:
    """Return a statement behind which it is told how it ended."""
    if isinstance(node, ast.ImportFrom) and node.module == "__future__":
        return node
    ended, failed = (ast.parse(f"{_HANDLER}({k}, {e})").body for e in ("None", _ERROR))
    every = ast.Name("BaseException", ast.Load())
    if isinstance(node, ast.FunctionDef) and node.decorator_list:
        bare = ast.copy_location(ast.FunctionDef(**{**vars(node), "decorator_list": []}), node)
        kept = [bare, *ast.parse(f"{_KEEPER}({node.name!r})").body]
        passed = ast.ExceptHandler(every, None, [ast.Pass()])
        failed.append(ast.Try(kept, [passed], [], []))
    caught = ast.ExceptHandler(every, _ERROR, failed)
    return ast.copy_location(ast.Try([node], [caught], ended, []), node)


def _why(error: BaseException) -> str:
    said = (str(error).splitlines() or [""])[-1]
    return said if isinstance(error, _Missing) else f"{type(error).__name__}: {said}".rstrip(": ")
