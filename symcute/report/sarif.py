"""What is wrong or not decided as SARIF 2.1.0, which code hosts and editors show beside the source.

Only that: code hosts take every result for a fault, a passing one too. What is not decided breaks
a rule of its own, `undecided`, as a warning; it is no fault that was found.

Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0; GitHub's account of
the part that code scanning reads.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

from symcute import __version__
from symcute.report.cases import Run, Trouble

__all__ = ["PROPERTY_RULES", "THEOREM_RULES", "sarif_log"]

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_ROOT = "%SRCROOT%"
_UNDECIDED, _CONTRACT = "undecided", "contract"
#: How loud what is no fault is: a warning where it may be one, a note where conditions are known.
_LEVELS = {_UNDECIDED: "warning", _CONTRACT: "note"}

#: What to do about a theorem whose verdict is not the expected one.
THEOREM_RULES = {
    "refuted": (
        "A theorem that should hold has a counterexample.",
        "The message has the values of the dims. Add the missing assumption with given=[...], fix "
        "the layout, or, when the statement is meant to be false, write expect='refuted'.",
    ),
    "proved": (
        "A theorem that should not hold is proved.",
        "Write expect='proved', or correct the statement that was meant to be false.",
    ),
}
#: What to do about a property of a kernel that an execution goes against.
PROPERTY_RULES = {
    "launch_valid": "Change the grid, the block or the shared memory; or assume less.",
    "in_bounds": "Guard the access, as in `if (i < n)`, or give the array the extent it has.",
    "no_overflow": "Compute in 64 bits, or assume a bound, in a note `given N <= 2**30`.",
    "aligned": "Access less at a time, or say how it is aligned, in a note `align x = 16`.",
    "write_race_free": "Give each thread its own element, an atomic, or a barrier between.",
    "read_write_race_free": "Put a barrier of the block between the write and the read.",
    "barrier_uniform": "Take the barrier out of what only some threads of a block reach.",
    "covers": "Make the grid large enough, and let each element belong to one thread.",
    "implements": "Compare the index of the write with the layout that the comment names.",
    "promises_kept": "Promise less, or assume in a note what the caller keeps.",
    "bank_conflicts": "Pad or swizzle the tile: `symcute find-padding`, `symcute find-swizzle`.",
    "sectors": "Let neighbouring threads access neighbouring elements.",
    "types_agree": "Report it: either NVIDIA's algebra or ours is wrong there.",
    "partition_exact": "Choose layouts of threads and values that fill the tile once.",
    "divides": "Choose a tile that divides the tensor, or a predicate for what lies beyond.",
    "vectorizable": "Copy less at a time, or give strides and addresses the alignment they have.",
    "shares": "Launch as many threads as the tiled copy has.",
    "injective": "Give the rows of the layout a stride that reaches over their elements.",
    "disjoint": "Let each tensor begin behind the one before.",
    "fits": "Take smaller tiles, or fewer stages.",
    "tma": "Give strides, boxes and addresses the multiples that TMA asks for.",
}


def sarif_log(run: Run, root: Path | None = None) -> dict[str, Any]:
    """Return a log of one run: a result for each trouble.

    Paths below `root` (the working directory, when left out) are written relative to it. A result
    has a fingerprint that does not change when lines move.

    >>> from symcute.report.cases import failure
    >>> log = sarif_log(Run("check", "property", "", (), (failure("no launch"),), {}))
    >>> log["runs"][0]["invocations"][0]["executionSuccessful"]
    False
    """
    root = (Path.cwd() if root is None else root).resolve()
    invocation: dict[str, Any] = {"executionSuccessful": not run.errors}
    if run.errors:
        invocation["toolExecutionNotifications"] = [
            {"level": "error", "message": {"text": _what(t.subject, t)}} for t in run.errors
        ]
    rules = _rules(run)
    names = [rule["id"] for rule in rules]
    seen: Counter[str] = Counter()
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "symcute",
                        "version": __version__,
                        "semanticVersion": __version__,
                        "rules": rules,
                    }
                },
                # Theorems and kernels of one commit are uploaded side by side.
                "automationDetails": {"id": f"symcute-{run.command}/"},
                "originalUriBaseIds": {_ROOT: {"uri": f"{root.as_uri().rstrip('/')}/"}},
                "invocations": [invocation],
                "columnKind": "utf16CodeUnits",
                "results": [
                    _result(rule, subject, t, names, root, seen)
                    for rule, subject, t in _troubles(run)
                ],
            }
        ],
    }


def _rules(run: Run) -> list[dict[str, Any]]:
    if run.command != "check":
        found = [_described(name, *texts) for name, texts in THEOREM_RULES.items()]
    else:
        says = {case.name: case.says for case in run.cases}
        found = [_described(name, words, PROPERTY_RULES[name]) for name, words in says.items()]
    undecided = _described(
        _UNDECIDED,
        f"Every {run.unit} is decided.",
        "The message has the reason. Add an assumption, write the index more simply, or give it "
        "more time with --timeout.",
    )
    found.append(undecided | {"defaultConfiguration": {"level": _LEVELS[_UNDECIDED]}})
    if run.contracts:
        contract = _described(
            _CONTRACT,
            "Of a kernel whose launch is not known, under which conditions it is right.",
            "Write the launch above the kernel, or what symcute check --contract --init prints.",
        )
        found.append(contract | {"defaultConfiguration": {"level": _LEVELS[_CONTRACT]}})
    return found


def _described(name: str, says: str, fix: str) -> dict[str, Any]:
    return {
        "id": name,
        "name": "".join(word.capitalize() for word in name.split("_")),
        "shortDescription": {"text": says},
        "fullDescription": {"text": f"{says} {fix}"},
        "help": {"text": fix, "markdown": fix},
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": ["correctness"], "precision": "very-high"},
    }


def _troubles(run: Run) -> Iterator[tuple[str, str, Trouble]]:
    """Yield what is to be shown, with the rule that it breaks and the case or kernel it is of."""
    for t in run.contracts:
        lines = tuple((f"if {line}", properties) for properties, line in t.remarks)
        yield _CONTRACT, t.subject, replace(t, remarks=lines)
    for case in run.bad:
        kernel = case.group.partition("::")[2]
        rule = case.name if kernel else case.status
        if rule == "error":
            yield from ((_UNDECIDED, "", t) for t in case.troubles)
            continue
        for t in case.troubles:
            if t.conditional:
                continue  # said once for the kernel
            if t.status == "unknown":
                # The rule does not say which property it is.
                yield _UNDECIDED, f"{kernel} {case.name}" if kernel else "", t
            else:
                yield rule, kernel, t
    yield from ((_UNDECIDED, t.subject, t) for t in run.errors if t.file)


def _result(
    rule: str, kernel: str, t: Trouble, rules: list[str], root: Path, seen: Counter[str]
) -> dict[str, Any]:
    where = [_location(t.file, t.line, t.column, root)] if t.file else []
    uri = where[0]["physicalLocation"]["artifactLocation"]["uri"] if where else ""
    same = "\0".join((rule, uri, kernel, t.subject))
    seen[same] += 1
    result: dict[str, Any] = {
        "ruleId": rule,
        "ruleIndex": rules.index(rule),
        "kind": "fail",
        "level": _LEVELS.get(rule, "error"),
        "message": {"text": _what(kernel, t)},
        "locations": where,
        # Not `primaryLocationLineHash`: GitHub's action makes that from the source, its own way.
        "partialFingerprints": {
            "symcute/v1": sha256(f"{same}\0{seen[same]}".encode()).hexdigest()[:32]
        },
    }
    if t.other:
        file, line, column = t.other.rsplit(":", 2)
        there = _location(file, int(line), int(column), root)
        result["relatedLocations"] = [there | {"message": {"text": "the other thread"}}]
    return result


def _what(kernel: str, t: Trouble) -> str:
    remarks = [f"{name}: {text}" for name, text in t.remarks if text != t.text]
    return "; ".join([f"{kernel}: {t.text}" if kernel else t.text, *remarks])


def _location(file: str, line: int, column: int, root: Path) -> dict[str, Any]:
    path = (root / file).resolve()
    if path.is_relative_to(root):
        artifact = {
            "uri": quote(os.fsencode(path.relative_to(root).as_posix())),
            "uriBaseId": _ROOT,
        }
    else:
        artifact = {"uri": path.as_uri()}
    region = {"startLine": max(line, 1), "startColumn": _utf16(path, line, column)}
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}}


def _utf16(path: Path, line: int, column: int) -> int:
    """Return a column of bytes, as compilers count, in the units of SARIF."""
    try:
        before = path.read_bytes().splitlines()[line - 1][: column - 1]
    except (OSError, IndexError):
        return max(column, 1)
    return len(before.decode("utf-8", "replace").encode("utf-16-le")) // 2 + 1
