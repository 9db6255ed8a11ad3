"""The source of one kernel in a file of Inductor's, as a module: without what needs a GPU.

What chooses blocks and launches is left out: the decorator, and what is imported for it alone.
"""

from __future__ import annotations

import ast
import linecache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

from symcute.frontends.importing import imported

__all__ = ["generated_source"]

_DRIVER, _CHOOSING = "triton_helpers.set_driver_to_gpu()", "triton_heuristics."


def generated_source(path: Path, first: int, last: int) -> Any:
    """Run the lines of a file that are the source of a kernel, at their place.

    Errors: whatever importing what it needs raises.
    """
    return imported(path, lambda name, file: _Loader(name, file, first, last))


class _Loader(SourceFileLoader):
    def __init__(self, name: str, path: str, first: int, last: int) -> None:
        super().__init__(name, path)
        self._lines = (first, last)

    def get_code(self, fullname: str) -> CodeType:
        """Compile the source of the kernel alone."""
        first, last = self._lines
        lines = Path(self.path).read_text(encoding="utf-8").splitlines()
        text = "".join(f"{s if first <= k <= last else ''}\n" for k, s in enumerate(lines, 1))
        tree = ast.parse(text, self.path)
        tree.body = [n for n in tree.body if ast.unparse(n) != _DRIVER]
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                node.decorator_list = [
                    d for d in node.decorator_list if not ast.unparse(d).startswith(_CHOOSING)
                ]
        used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
        for node in [*tree.body]:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("torch."):
                node.names = [a for a in node.names if (a.asname or a.name) in used]
                if not node.names:
                    tree.body.remove(node)
        # Triton reads a function in its file, where the rest is no Python of this module.
        linecache.cache[self.path] = (len(text), None, text.splitlines(True), self.path)
        whole: Any = tree
        found: CodeType = self.source_to_code(whole, self.path)
        return found
