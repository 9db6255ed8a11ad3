"""Batches: one JSON object a line in, one a line out, in the same order, as they come."""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

from symcute.cli.failures import (
    BAD_INPUT,
    EXPECTED,
    INTERNAL,
    error_fields,
    internal_error,
)
from symcute.errors import InputError, SymcuteError

__all__ = ["run_batch"]

#: Turns the text and the assumptions of one line into the fields of its answer.
Work = Callable[[str, tuple[str, ...]], dict[str, object]]


def run_batch(path: str, key: str, work: Work) -> int:
    """Answer every line that is not blank; return the exit code.

    A line is an object with `key` (text), and perhaps `given` (a text or a list of texts) and
    `id` (anything, handed back). A line that is bad input is answered by its error and makes the
    exit code 2; the run goes on.
    """
    code = EXPECTED
    with _opened(path) as stream:
        for line in _lines(stream):
            answer, worst = _answer(line, key, work)
            code = max(code, worst)
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()
    return code


def _opened(path: str) -> BinaryIO:
    if path == "-":
        return sys.stdin.buffer
    try:
        return open(path, "rb")  # noqa: PTH123 (the path is as the user wrote it)
    except OSError as error:
        raise InputError(
            f"cannot read {path}: {error.strerror}", "name a file of JSON lines"
        ) from None


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    return (line for line in stream if line.strip())


def _answer(line: bytes, key: str, work: Work) -> tuple[dict[str, object], int]:
    started = time.perf_counter()
    answer: dict[str, object] = {}
    code = EXPECTED
    try:
        fields = _object(line, key)
        if "id" in fields:
            answer["id"] = fields["id"]
        answer |= work(*_request(fields, key))
    except InputError as error:
        answer["error"], code = error_fields(error), BAD_INPUT
    except SymcuteError as error:
        answer["error"] = error_fields(error)
    except Exception as error:
        answer["error"], code = error_fields(internal_error(error)), INTERNAL
    answer["seconds"] = round(time.perf_counter() - started, 6)
    return answer, code


def _object(line: bytes, key: str) -> dict[str, Any]:
    """Return the object that a line holds."""
    example = "bijective((4,8))" if key == "claim" else "size((4,8))"
    fix = f'write one JSON object a line, such as {{"{key}": "{example}"}}'
    try:
        value = json.loads(
            line, object_pairs_hook=_once, parse_float=_finite, parse_constant=_finite
        )
    except RecursionError:
        raise InputError("the line nests too deeply", fix) from None
    except ValueError as error:  # not JSON, not UTF-8, or a number with too many digits
        raise InputError(f"the line is not JSON ({error})", fix) from None
    if not isinstance(value, dict):
        raise InputError("the line is JSON but no object", fix)
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice[:40]!r} stands twice")
    return found


def _finite(number: str) -> float:
    found = float(number)
    if not math.isfinite(found):
        raise ValueError(f"{number[:40]} is no number of JSON")
    return found


def _request(fields: dict[str, Any], key: str) -> tuple[str, tuple[str, ...]]:
    """Return the text and the assumptions of a line's object."""
    unknown = sorted(set(fields) - {key, "given", "id"})
    if unknown:
        raise InputError(f"unknown key {unknown[0]!r}", f"the keys are {key}, given and id")
    text = fields.get(key)
    if not isinstance(text, str):
        raise InputError(f"the line has no text under {key!r}", f'write {{"{key}": "..."}}')
    given = fields.get("given", [])
    given = [given] if isinstance(given, str) else given
    if not isinstance(given, list) or not all(isinstance(g, str) for g in given):
        raise InputError("'given' is no list of texts", 'write "given": ["LD >= N"]')
    return text, tuple(given)
