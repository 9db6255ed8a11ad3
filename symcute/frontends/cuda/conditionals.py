"""Directives that hang on macros which a header that was not found may define."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from symcute.frontends.cuda.words import DIRECTIVE, declared, macro_bodies, words

__all__ = ["Unsettled", "unsettled"]

#: Libraries whose macros have names of their own, by the folders of their headers.
_LIBRARIES = {
    "torch/": ("TORCH_", "AT_", "C10_", "CAFFE2_"),
    "ATen/": ("TORCH_", "AT_", "C10_", "CAFFE2_"),
    "c10/": ("TORCH_", "AT_", "C10_", "CAFFE2_"),
    "THC/": ("TH",),
    "pybind11/": ("PYBIND11_", "PY_", "Py"),
    "cub/": ("CUB_", "THRUST_", "CCCL_", "LIBCUDACXX_"),
    "thrust/": ("CUB_", "THRUST_", "CCCL_", "LIBCUDACXX_"),
    "cuda/": ("CCCL_", "LIBCUDACXX_", "CUB_"),
    "cutlass/": ("CUTLASS_", "CUTE_"),
    "cute/": ("CUTLASS_", "CUTE_"),
    "nvtx3/": ("NVTX", "nvtx"),
    "boost/": ("BOOST_",),
    "opencv2/": ("CV_",),
    "GL/": ("GL_", "GLEW_", "GLUT_"),
}
_OPEN = ("if", "ifdef", "ifndef")
_NO_NAMES = {"defined", "__has_include", "__has_include_next", "true", "false", "and", "or", "not"}
_HEADER = re.compile(r"__has_include(?:_next)?\s*\([^)]*\)")
#: Names that no header of a project may define.
_RESERVED = re.compile(r"_[A-Z_]|NDEBUG$")


@dataclass(frozen=True)
class Unsettled:
    """Text between an `#if` and its `#endif`, and the name it hangs on.

    `names` are those that it may declare, or define as `macros`, in any of its branches.
    """

    file: str
    start: int
    end: int
    name: str
    names: frozenset[str]
    macros: frozenset[str]


@dataclass
class _Group:
    start: int
    names: set[str] = field(default_factory=set)


def unsettled(
    texts: Mapping[str, str], missing: Sequence[str], known: Collection[str]
) -> list[Unsettled]:
    """Return what hangs on macros that are not `known` and that a missing header may define.

    `texts` are the files that were read, as plain text. A macro that they define anywhere, but not
    only where it is not defined yet, is known.
    """
    if not missing:
        return []
    settled = set(known)
    groups: list[tuple[str, _Group, int]] = []
    for file, text in texts.items():
        _read(file, text, settled, groups)
    found = []
    for file, group, end in groups:
        open_names = (n for n in sorted(group.names) if _is_open(n, missing, settled))
        name = next(open_names, None)
        if name is not None:
            text = texts[file][group.start : end]
            macros = frozenset(n for n, _ in macro_bodies(text))
            names = macros | declared(text)
            found.append(Unsettled(file, group.start, end, name, names, macros))
    return found


def _is_open(name: str, missing: Sequence[str], settled: Collection[str]) -> bool:
    if name in settled or _RESERVED.match(name):
        return False
    return any(_may_define(header, name) for header in missing)


def _may_define(header: str, name: str) -> bool:
    for folder, prefixes in _LIBRARIES.items():
        if header.startswith(folder):
            return name.startswith(prefixes)
    return True


def _read(file: str, text: str, settled: set[str], groups: list[tuple[str, _Group, int]]) -> None:
    """Append the conditional groups of a file, and the macros that it defines for certain."""
    stack: list[_Group] = []
    lacking: list[str] = []  # the names of `#ifndef NAME` around
    directives = list(DIRECTIVE.finditer(text))
    for number, found in enumerate(directives):
        word, rest = found.group(1), found.group(2)
        if word in _OPEN:
            stack.append(_Group(found.start()))
            lacking.append(rest.strip() if word == "ifndef" else "")
        if word in (*_OPEN, "elif", "elifdef", "elifndef") and stack:
            if not (number == 0 and word == "ifndef" and _is_guard(directives, rest)):
                stack[-1].names |= words(_HEADER.sub(" ", rest)) - _NO_NAMES
        elif word == "endif" and stack:
            groups.append((file, stack.pop(), found.end()))
            lacking.pop()
        elif word == "define":
            name = re.match(r"\s*([A-Za-z_]\w*)", rest)
            if name and name.group(1) not in lacking:
                settled.add(name.group(1))


def _is_guard(directives: Sequence[re.Match[str]], name: str) -> bool:
    """Is the second directive the empty definition of the name that the first one asks for?"""
    after = directives[1] if len(directives) > 1 else None
    return (
        after is not None and after.group(1) == "define" and after.group(2).strip() == name.strip()
    )
