"""One verdict on a kernel of which launches run several programs: which of them fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symcute.kernel.findings import GOOD
from symcute.report.terminal import kernel_text, write

__all__ = ["joined", "printer"]

_WORST = ("refuted", "unknown", "proved", "not applicable")
_MOST = 3


def joined(results: Sequence[dict[str, Any]]) -> list[str]:
    """Return the lines that say what holds of all programs of a kernel; none where each has one.

    >>> notes = [[{"text": f"type n = {t}"}] for t in ("i32", "i64")]
    >>> one, two = ({"place": "k.py:9:1", "notes": n} for n in notes)
    >>> kernel = {"kernel": "k", "file": "k.py", "line": 4}
    >>> good = {**kernel, "launch": one, "verdicts": {"in_bounds": "proved"}}
    >>> bad = {**kernel, "launch": two, "verdicts": {"in_bounds": "refuted"}}
    >>> print(*joined([good, bad]), sep=chr(10))
    k  k.py:4  2 programs
      REFUTED  in_bounds             1 of 2: type n = i64
    >>> joined([good])
    []
    """
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for r in results:
        if any(map(_is_program, _notes(r))):
            groups.setdefault((r["kernel"], r["file"], r["line"]), []).append(r)
    lines = []
    for (kernel, file, line), group in groups.items():
        if len(group) < 2:
            continue
        lines.append(f"{kernel}  {file}:{line}  {len(group)} programs")
        common = set.intersection(*({n for n in _notes(r) if _is_program(n)} for r in group))
        for name in dict.fromkeys(name for r in group for name in r["verdicts"]):
            found = [(r["verdicts"][name], r) for r in group if name in r["verdicts"]]
            worst = min((s for s, _ in found), key=_WORST.index)
            some = [r for s, r in found if s == worst]
            shown = "N/A" if worst == "not applicable" else worst.upper()
            tail = f"all {len(group)}"
            if len(some) < len(group) or worst not in ("proved", "not applicable"):
                those = [_own(r, common) for r in some[:_MOST]]
                more = f"; and {len(some) - _MOST} more" if len(some) > _MOST else ""
                asked = f", of which {len(found)} are asked" if len(found) < len(group) else ""
                tail = f"{len(some)} of {len(group)}{asked}: {'; '.join(those)}{more}"
            if worst in ("proved", "not applicable"):
                tail = f"all {len(group)}"
            lines.append(f"  {shown:<8} {name:<21} {tail}")
    return lines


def printer(quiet: bool) -> Callable[[dict[str, Any]], None]:
    """Return what writes results to the terminal; of one launch, notes are told once.

    `quiet` leaves out kernels of which nothing is open.
    """
    shown: list[dict[str, Any]] = []

    def show(result: dict[str, Any]) -> None:
        if not quiet or not set(result["verdicts"].values()) <= {*GOOD}:
            write(kernel_text(result, quiet, _said_before(shown, result)))
            shown[:] = [result]

    return show


def _said_before(earlier: Sequence[dict[str, Any]], result: dict[str, Any]) -> frozenset[str]:
    """Return the notes of a launch that were shown with the program before, of the same launch."""
    if not earlier or not any(map(_is_program, _notes(result))):
        return frozenset()
    before, launch = earlier[-1], earlier[-1].get("launch")
    same = all(before[k] == result[k] for k in ("kernel", "file", "line"))
    if not same or not launch or launch["place"] != result["launch"]["place"]:
        return frozenset()
    return frozenset(_notes(before))


def _notes(result: dict[str, Any]) -> list[str]:
    launch = result.get("launch") or {}
    return [n["text"] for n in launch.get("notes", ())]


def _is_program(text: str) -> bool:
    return text.startswith(("type ", "constexpr "))


def _own(result: dict[str, Any], common: set[str]) -> str:
    """Return what sets a program apart from the others, or its launch where nothing does."""
    own = [n for n in _notes(result) if _is_program(n) and n not in common]
    return ", ".join(own) or f"launched at {result['launch']['place']}"
