"""What variables of Python are called in C++: by their own names, where C++ knows no such name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from symcute.frontends.cuda.words import declared, macro_bodies, plain
from symcute.frontends.python.prelude import PRELUDE

__all__ = ["Names", "ours"]

_WORDS = frozenset({
    "alignas", "asm", "auto", "bool", "break", "case", "catch", "char", "class", "const",
    "continue", "default", "delete", "do", "double", "else", "enum", "explicit", "export",
    "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable",
    "namespace", "new", "operator", "private", "protected", "public", "register", "return",
    "short", "signed", "sizeof", "static", "struct", "switch", "template", "this", "throw",
    "true", "try", "typedef", "union", "unsigned", "using", "virtual", "void", "volatile",
    "while", "dim3", "at", "torch", "c10", "std", "min", "max", "main",
})  # fmt: skip
#: The types that our C++ code names.
_SAID = frozenset({"int64_t", "size_t", "symcute_in_python"})
_PLAIN = re.compile(r"_*([A-Za-z][A-Za-z0-9_]*)")


@dataclass
class Names:
    """Names beside a text of CUDA C++; no two names of Python are one in C++."""

    taken: frozenset[str]
    _spelled: dict[str, str] = field(default_factory=dict)

    @classmethod
    def beside(cls, text: str, macros: Iterable[str]) -> Names:
        """Return the names for code beside a text, with the macros that hold there."""
        return cls(ours() | _known(text) | frozenset(macros))

    @classmethod
    def inside(cls, text: str, macros: Iterable[str]) -> Names:
        """Return the names for functions in a namespace of their own behind a text."""
        return cls(_WORDS | _SAID | _known(text) | frozenset(macros))

    def spelled(self, name: str) -> str:
        """Return what a name is in C++."""
        if name not in self._spelled:
            found = _PLAIN.fullmatch(name)
            ascii = found[1] if found else f"name_{len(self._spelled)}"
            while self._is_taken(ascii):
                ascii += "_"
            self._spelled[name] = ascii
        return self._spelled[name]

    def _is_taken(self, name: str) -> bool:
        known = name in self.taken or name in self._spelled.values()
        return known or name.startswith(("symcute_", "SYMCUTE_", "cuda"))


def _known(text: str) -> frozenset[str]:
    """Return what a text declares outside of functions, and its macros."""
    text = plain(text)
    macros = frozenset(name for name, _ in macro_bodies(text))
    return macros | frozenset(declared(text))


@cache
def ours() -> frozenset[str]:
    """Return the words of C++ and what our own headers declare."""
    folder = files("symcute.frontends.cuda")
    headers = [folder.joinpath(f"{n}.h") for n in ("shim", "narrow", "host", "torch")]
    texts = [PRELUDE, *(h.read_text(encoding="utf-8") for h in headers)]
    return _WORDS.union(*map(_known, texts))
