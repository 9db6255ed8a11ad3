"""Launches by kernels, of which clang 18 makes nothing: in lambdas it keeps them.

A lambda may be meant for the host as well, which launches kernels, so that what is wrong with it on
the device is an error that is told later, of a tree that is whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from clang.cindex import Cursor, Diagnostic, TranslationUnit

__all__ = ["is_kept", "kept", "lost"]

_LOST = re.compile(
    r"reference to __global__ function '.*' in __(?:global|device)__ function|"
    r".*: call to __global__ function from __(?:global|device)__ function"
)
_KEPT = re.compile(r"reference to __global__ function '.*' in __host__ __device__ function")
_CONFIGURED = re.compile(
    r"reference to __host__ function 'cudaConfigureCall' in "
    r"(?:__host__ __device__|__device__|__global__) function"
)
#: A whole statement, but its semicolon. There are no literals in it, and no blocks.
_LAUNCH = re.compile(r"""\w+\s*(?:<[^<>;{}"']*>)?\s*<<<[^;{}"']*>>>\s*\([^;{}"']*\)(?=\s*;)""")
#: What a statement follows.
_STARTS = re.compile(r"([;{})]|\belse)\s*$")
_BEFORE, _BEHIND = "[&]{", ";}()"


def lost(unit: TranslationUnit, path: str) -> set[int]:
    """Return where in a file clang made nothing of launches by kernels."""
    return {
        d.location.offset
        for d in unit.diagnostics
        if d.location.file is not None
        and d.location.file.name == path
        and any(_LOST.match(x.spelling) for x in (d, *d.children))
    }


def kept(text: str, offsets: Iterable[int]) -> str:
    """Return a text in which the launches at some places stand in lambdas.

    The lambda takes the place of spaces before it, where these are, so that columns stay.

    >>> kept("{    k<<<n, 32>>>(x, n - 1); }", [5])
    '{[&]{k<<<n, 32>>>(x, n - 1);}(); }'
    >>> kept("{    CHECK(k<<<n, 32>>>(x)); }", [11])
    '{    CHECK(k<<<n, 32>>>(x)); }'
    """
    raw = text.encode()  # clang counts bytes
    for offset in sorted(offsets, reverse=True):
        before, behind = raw[:offset].decode(), raw[offset:].decode()
        found = _LAUNCH.match(behind)
        if found is not None and _STARTS.search(before):
            before = before.removesuffix(" " * len(_BEFORE))
            text = before + _BEFORE + found[0] + _BEHIND + behind[found.end() :]
            raw = text.encode()
    return text


def is_kept(unit: TranslationUnit, error: Diagnostic) -> bool:
    """Is an error one of a launch by a kernel that is there in the tree?"""
    configured = _CONFIGURED.fullmatch(error.spelling)
    if not configured and not _KEPT.fullmatch(error.spelling):
        return False
    named = Cursor.from_location(unit, error.location).referenced
    if named is None or configured:
        return named is not None
    return any(c.kind.name == "CUDAGLOBAL_ATTR" for c in named.get_children())
