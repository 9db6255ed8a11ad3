"""Two roads over the same sources: what they say of a kernel must not contradict."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from symcute.errors import InternalError

__all__ = ["ROADS", "contradictions"]

#: The roads over CUDA C++: clang's syntax tree, its LLVM IR, and each beside the other.
ROADS = ("ast", "llvm", "both")
Result = dict[str, Any]
#: What is said of an access beyond an array that is a member of a variable.
_OF_A_MEMBER = r" of \w+\.[\w.]+, which has "


def contradictions(
    one: Iterable[Result], other: Iterable[Result]
) -> Iterator[tuple[str, InternalError]]:
    """Yield where one road refutes what holds on the other, with what is to be said of it.

    Kernels are the same by file, name and launch. What is not applicable holds; but a choice
    between data is a branch for clang (the other road), whose condition is arithmetic to be asked.
    What the source converts leaves no trace there where no bits change, where bits of low ends are
    all that is used, or where clang computes with numbers itself. And a variable that is a struct
    is one piece of memory there, whose arrays are arrays of their own for the tree.
    """
    from symcute.kernel.findings import GOOD

    known = {_which(r): r for r in other}
    for result in one:
        beside = known.get(_which(result))
        for name, verdict in result["verdicts"].items() if beside else ():
            found = beside["verdicts"].get(name) if beside else None
            if (name, verdict, found) == ("no_overflow", "not applicable", "refuted"):
                continue
            if verdict == "refuted" and _leaves_no_trace(name, result):
                continue
            if (verdict in GOOD and found == "refuted") or (verdict == "refuted" and found in GOOD):
                where = f"{result['file']}::{result['kernel']}"
                said = f"{name} of {where} is {verdict} on one road and {found} on the other"
                yield where, InternalError(said)


def _leaves_no_trace(name: str, result: Result) -> bool:
    """Is all that is refuted of a property what the other road does not see?"""
    from symcute.kernel.events import CONVERTED

    unseen = {"no_overflow": re.escape(CONVERTED), "in_bounds": _OF_A_MEMBER}.get(name)
    found = [
        f["counterexample"]["text"]
        for f in result["findings"]
        if (f["property"], f["status"]) == (name, "refuted")
    ]
    return bool(unseen and found) and all(re.search(str(unseen), text) for text in found)


def _which(result: Result) -> tuple[str, str, str]:
    launch = result["launch"]
    return result["file"], result["kernel"], launch["place"] if launch else ""
