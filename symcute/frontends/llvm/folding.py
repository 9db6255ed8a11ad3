"""Structs that are put together to be taken apart again, and what nobody uses.

Templates hand structs of structs from function to function. Where a part is taken out that was put
in before, it is that part; a struct of which no part is used is gone then, and pointers that were
in it are seen to go nowhere else. Nothing else is computed: arithmetic and accesses stay.
"""

from __future__ import annotations

import re

from symcute.frontends.llvm.preparing import ANY, NAME

__all__ = ["folded"]

_PATH = r"((?:, \d+)+)(?=, !|$)"
_PUT = re.compile(rf"^  ({NAME.pattern}) = insertvalue (.*?){_PATH}")
_TAKEN = re.compile(rf"^  ({NAME.pattern}) = extractvalue (.*?){_PATH}")
#: What does nothing but give a value; what is read of memory that is asked about is volatile.
_IDLE = re.compile(
    rf"^  ({NAME.pattern}) = (?:insertvalue |extractvalue |bitcast "
    rf"|load (?!volatile|atomic)|call [^@(]*@{re.escape(ANY)}\.)"
)
#: An operand of one word, or a variable of the module in another address space.
_PLAIN = re.compile(rf'{NAME.pattern}|@(?:[-\w$.]+|"[^"]+")|[-+\w.]+|addrspacecast \(.*\)')
#: How often a part of a part is looked for.
_DEPTH = 10_000

#: A struct that something was put into: the struct before, what was put in, and where.
_Put = tuple[str, str, tuple[int, ...]]


def folded(lines: list[str]) -> list[str]:
    """Return the lines of a function in which no part is taken of what was put together there."""
    put: dict[str, _Put] = {}
    taken: dict[str, tuple[str, tuple[int, ...]]] = {}
    for line in lines:
        if found := _PUT.match(line):
            whole, part = _two(found[2])
            put[found[1]] = whole, part, _numbers(found[3])
        elif found := _TAKEN.match(line):
            taken[found[1]] = _last(found[2]), _numbers(found[3])
    same: dict[str, str] = {}
    for name, (outer, path) in taken.items():
        found_part = _part(outer, path, put, taken)
        if found_part is not None:
            same[name] = found_part
    out = []
    for line in lines:
        made = _TAKEN.match(line)
        if made and made[1] in same:
            continue
        out.append(NAME.sub(lambda m: _end(m[0], same), line) if same else line)
    return _used(out)


def _part(
    whole: str, path: tuple[int, ...], put: dict[str, _Put],
    taken: dict[str, tuple[str, tuple[int, ...]]],
) -> str | None:  # fmt: skip
    """Return the value that was put where a part is, if that is seen."""
    for _ in range(_DEPTH):
        if not path:
            return whole if _PLAIN.fullmatch(whole) else None
        if whole in taken:
            outer, first = taken[whole]
            whole, path = outer, (*first, *path)
        elif whole in put:
            before, part, there = put[whole]
            if path[: len(there)] == there:
                whole, path = part, path[len(there) :]
            elif there[: len(path)] == path:
                return None  # only some of the part was put in
            else:
                whole = before
        else:
            return None
    return None


def _end(name: str, same: dict[str, str]) -> str:
    while name in same:
        name = same[name]
    return name


def _used(lines: list[str]) -> list[str]:
    """Return the lines without values that nobody uses."""
    made = {found[1]: k for k, line in enumerate(lines) if (found := _IDLE.match(line))}
    uses: dict[str, int] = dict.fromkeys(made, 0)
    for line in lines:
        for name in NAME.findall(line):
            if name in uses:
                uses[name] += 1
    waiting = [name for name, count in uses.items() if count == 1]  # where it is made
    gone: set[int] = set()
    while waiting:
        k = made[waiting.pop()]
        gone.add(k)
        for name in NAME.findall(lines[k]):
            if name in uses:
                uses[name] -= 1
                if uses[name] == 1:
                    waiting.append(name)
    return [line for k, line in enumerate(lines) if k not in gone]


def _two(text: str) -> tuple[str, str]:
    """Return the names of the two operands in `T %a, U %b`; what has none is its last word."""
    depth, named, cut = 0, False, len(text)
    for k, sign in enumerate(text):
        named ^= sign == '"'
        if not named:
            depth += {"(": 1, "{": 1, "[": 1, "<": 1, ")": -1, "}": -1, "]": -1, ">": -1}.get(
                sign, 0
            )
            if sign == "," and depth == 0:
                cut = k
                break
    return _last(text[:cut]), _last(text[cut + 1 :])


def _last(operand: str) -> str:
    found = re.search(rf"({NAME.pattern}|addrspacecast \([^()]*\([^()]*\)[^()]*\))$", operand)
    return found[1] if found else operand.rpartition(" ")[2]


def _numbers(path: str) -> tuple[int, ...]:
    return tuple(int(n) for n in path.split(", ")[1:])
