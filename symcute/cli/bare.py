"""`symcute WHAT` without a command: which one is meant by a text, a file or a folder."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from symcute.cli import options
from symcute.errors import InputError

if TYPE_CHECKING:
    from symcute.expr.syntax import Node

__all__ = ["meant"]

_RELATIONS = frozenset(
    {"eq", "ne", "le", "lt", "ge", "gt", "divides", "and", "or", "not", "implies"}
)
#: The calls by which a pasted layout is read; what other functions come to is evaluated.
_LAYOUTS = frozenset({"make_layout", "smem_layout_atom", "triton_layout", "tile_to_shape"})
#: What no command and no plain name has in it.
_TEXT = re.compile(r"[()<>:#={\[]|\A-?[0-9]+\Z")
_FILE = re.compile(r"\.[A-Za-z]{1,5}\Z")


def meant(words: str) -> str | None:
    """Return the command for a text, a file or a folder, and say which; None for other words.

    Errors: InputError for a folder of both kernels and theorems, and a file that is not there;
    TextError for text that cannot be read.
    """
    path = Path(words)
    if words.strip() and path.exists():
        name = _for_folder(path) if path.is_dir() else _for_file(path)
    elif _TEXT.search(words):
        name = _for_text(words)
    elif _FILE.search(words):
        raise InputError(f"there is no file {words}", "see: symcute --help")
    else:
        return None
    options.notice(f"this is: symcute {name} {shlex.quote(words)}")
    return name


def _for_text(text: str) -> str:
    from symcute.claims.vocabulary import CLAIMS
    from symcute.expr.parser import parse
    from symcute.expr.syntax import swizzled, ungrouped

    node = ungrouped(parse(text))
    if node.op in _RELATIONS or (node.op == "call" and node.args[0] in CLAIMS):
        return "prove"
    drawn = node.op != "call" or node.args[0] in _LAYOUTS or swizzled(node) or _swizzles(node)
    return "show" if drawn else "eval"


def _swizzles(node: Node) -> bool:
    """Return whether this is a composition that begins with a swizzle."""
    first = node.args[1] if node.op == "call" and len(node.args) > 1 else None
    return node.args[0] == "composition" and getattr(first, "op", "") == "swizzle"


def _for_file(path: Path) -> str:
    from symcute.frontends import for_file

    if path.suffix in (".json", ".jsonl"):
        return "recheck"
    if path.suffix == ".py" and (_is_theorems(path) or not for_file(path).is_marked(path)):
        return "verify"
    for_file(path)
    return "check"


def _for_folder(path: Path) -> str:
    from symcute.frontends import for_file, searched

    files = (f for suffix in searched() for f in path.rglob(f"*{suffix}"))
    kernels = any(for_file(f).is_marked(f) for f in files if not _is_theorems(f))
    theorems = any(map(_is_theorems, sorted(path.rglob("*.py"))))
    if kernels and theorems:
        raise InputError(
            f"{path} holds kernels and theorems",
            f"symcute check {path} is for the ones, symcute verify {path} for the others",
        )
    return "check" if kernels else "verify"


def _is_theorems(file: Path) -> bool:
    return file.suffix == ".py" and "@theorem" in _text(file)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
