"""Functions that a Python file names: its own, and those of modules that lie in its package."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from symcute.frontends.importing import name_of
from symcute.frontends.python.scopes import Scope, inside, put_into_modules

__all__ = ["Found", "Modules"]

#: Modules that hand on a name, one after the other.
_MOST = 4


@dataclass(frozen=True)
class Found:
    """A function, and the scope of the module in which it stands, which is the file at `path`."""

    node: ast.FunctionDef
    scope: Scope
    path: Path

    def inside(self) -> Scope:
        """Return the scope of its statements."""
        a = self.node.args
        names = frozenset(x.arg for x in (*a.posonlyargs, *a.args, *a.kwonlyargs))
        return Scope(self.node.body, self.scope, names)

    def is_there(self, path: Path, call: ast.stmt | ast.expr) -> bool:
        """Does it stand before what calls it in a file, or in another one?"""
        return self.path != path or self.node.lineno < call.lineno


@dataclass
class Modules:
    """What imports of files mean, as far as their modules lie in the folder of their package.

    They are read, and not imported. What lies there is what Python imports where the file is
    imported by its name, or run as a script. `patched` is what the file puts into modules.
    """

    patched: frozenset[str] = frozenset()
    #: Files of which it is known what those that they import put into modules, and if that is all.
    _followed: dict[Path, bool] = field(default_factory=dict)
    _read: dict[Path, Scope | None] = field(default_factory=dict)

    def function(self, name: str, scope: Scope, path: Path) -> Found | None:
        """Return the function that a name means in a scope of the file at `path`."""
        here: Scope | None = scope
        while here is not None and here.around is not None:
            if here.binds(name):
                return None
            here = here.around
        found = None if here is None else self._in(name, here, path, _MOST)
        if here is None or found is None or found.path == path:
            return found
        if path not in self._followed:
            names = {*self._put_by_others(here.body, path)}
            self._followed[path] = None not in names
            self.patched |= {n for n in names if n is not None}
            self._read.clear()
            found = self._in(name, here, path, _MOST)
        return found if self._followed[path] else None

    def _put_by_others(self, body: Sequence[ast.stmt], path: Path) -> Iterator[str | None]:
        """Yield what modules that a file itself imports put into modules."""
        for file in dict.fromkeys(self._imported(body, path)):
            held = self._scope(file)
            if held is None:
                yield None
                continue
            yield from put_into_modules([n for s in held.body for n in ast.walk(s)])

    def _imported(self, body: Sequence[ast.stmt], path: Path) -> Iterator[Path]:
        """Yield the files that statements import by themselves."""
        for node in (n for s in body for n in ast.walk(s)):
            named: list[ast.ImportFrom] = []
            if isinstance(node, ast.Import):
                named = [ast.ImportFrom(a.name, [], 0) for a in node.names]
            elif isinstance(node, ast.ImportFrom):
                inner = [f"{node.module or ''}.{a.name}".strip(".") for a in node.names]
                named = [node, *(ast.ImportFrom(n, [], node.level) for n in inner if "*" not in n)]
            yield from filter(None, (self._file(n, path) for n in named))

    def _in(self, name: str, module: Scope, path: Path, depth: int) -> Found | None:
        if not module.is_bound_once(name) or module.is_patched(name) or not depth:
            return None
        match module.function(name):
            case (ast.FunctionDef() as own, _) if own in module.body:
                return Found(own, module, path)
            case (_, _):
                return None
        for node in inside(module.body):
            if not isinstance(node, ast.ImportFrom):
                continue
            for alias in node.names:
                if (alias.asname or alias.name) == name and not module.is_patched(alias.name):
                    file = self._file(node, path)
                    held = self._scope(file) if file is not None else None
                    if file is not None and held is not None:
                        return self._in(alias.name, held, file, depth - 1)
        return None

    def _file(self, node: ast.ImportFrom, path: Path) -> Path | None:
        """Return the file of the module that a statement imports from."""
        root, _ = name_of(path)
        parts = node.module.split(".") if node.module else []
        if node.level:
            folder = path.parent
            for _ in range(node.level - 1):
                folder = folder.parent
            if not folder.is_relative_to(root) or folder == root:
                return None
            at = folder.joinpath(*parts)
        else:
            at = root.joinpath(*parts)
        # A folder that is no package may lose against a package elsewhere, and a file of the name
        # of a module that is built in always does.
        if not parts or (parts[0] in sys.builtin_module_names and not node.level):
            return None
        packages = [f for f in at.parents if f.is_relative_to(root) and f != root]
        if not all((f / "__init__.py").is_file() for f in packages):
            return None
        whole, plain = at / "__init__.py", at.with_suffix(".py")
        return whole if whole.is_file() else plain if plain.is_file() else None

    def _scope(self, file: Path) -> Scope | None:
        if file not in self._read:
            try:
                body = ast.parse(file.read_text(encoding="utf-8")).body
                self._read[file] = Scope(body, patched=self.patched)
            except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
                self._read[file] = None
        return self._read[file]
