"""A Python file as a tree with its comments, which notes are among; it is not run."""

from __future__ import annotations

import ast
import io
import tokenize

from symcute.frontends.front_end import SourceError
from symcute.kernel.ir.place import Place

__all__ = ["commented"]


def commented(path: str, text: str) -> tuple[ast.Module, dict[int, tuple[str, int]]]:
    """Return the tree of a file, and the comment of each line that has one, with its column.

    Errors: SourceError for what is no Python.

    >>> commented("k.py", "x = 1  # one\\n")[1]
    {1: ('# one', 8)}
    """
    try:
        tree = ast.parse(text)
        return tree, {
            t.start[0]: (t.string, t.start[1] + 1)
            for t in tokenize.generate_tokens(io.StringIO(text).readline)
            if t.type == tokenize.COMMENT
        }
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError) as error:
        line = getattr(error, "lineno", None)
        place = Place(path, line, 1) if line else None
        raise SourceError(f"this is not Python: {error}", "mend the file", place) from None
