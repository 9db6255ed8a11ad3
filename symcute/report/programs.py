"""One verdict on a kernel of which launches run several programs: which of them fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symcute.kernel.findings import GOOD, NOT_LAUNCHED
from symcute.report.terminal import kernel_text, write

__all__ = ["joined", "printer", "titles"]

_WORST = ("refuted", "unknown", "proved", "not applicable")
_MOST = 3
#: Names with more letters are told without what their templates are given.
_LONGEST = 80


def titles() -> Callable[[str], str]:
    """Return what gives kernels short names, each of its own: what is left out may tell them apart.

    >>> title = titles()
    >>> layouts = [f"Layout<tuple<C<{n}>, C<8>>, tuple<C<1>, C<{n}>>>" for n in (16, 32)]
    >>> [title(f"gemm<{x}, {x}>::run") for x in (*layouts, layouts[0])]
    ['gemm<...>::run', 'gemm<...>::run #2', 'gemm<...>::run']
    >>> title("copy<float, 4>")
    'copy<float, 4>'
    """
    known: dict[str, list[str]] = {}

    def title(name: str) -> str:
        if len(name) <= _LONGEST:
            return name
        short = _without_arguments(name)
        every = known.setdefault(short, [])
        if name not in every:
            every.append(name)
        number = every.index(name) + 1
        return short if number == 1 else f"{short} #{number}"

    return title


def _without_arguments(name: str) -> str:
    depth, out = 0, ""
    for sign in name:
        depth -= sign == ">"
        if depth < 0:
            return f"{name[:_LONGEST]}..."  # no brackets of templates
        if not depth:
            out += "..." * (sign == ">") + sign
        depth += sign == "<"
    return out if not depth else f"{name[:_LONGEST]}..."


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
    lines, title = [], titles()
    for r in results:
        title(r["kernel"])  # each is numbered as it was when it was shown
    for (kernel, file, line), group in groups.items():
        if len(group) < 2:
            continue
        lines.append(f"{title(kernel)}  {file}:{line}  {len(group)} programs")
        common = set.intersection(*({n for n in _notes(r) if _is_program(n)} for r in group))
        for name in dict.fromkeys(name for r in group for name in r["verdicts"]):
            found = [(r["verdicts"][name], r) for r in group if name in r["verdicts"]]
            worst = min((s for s, _ in found), key=_WORST.index)
            some = [r for s, r in found if s == worst]
            shown = "N/A" if worst == "not applicable" else worst.upper()
            none = sum(_is_left_out(r, name) for r in group)
            whole = f"all {len(group)}" + f", of which {none} cannot be launched" * bool(none)
            tail = whole
            if len(some) < len(group) or worst not in ("proved", "not applicable"):
                those = [_own(r, common) for r in some[:_MOST]]
                more = f"; and {len(some) - _MOST} more" if len(some) > _MOST else ""
                asked = f", of which {len(found)} are asked" if len(found) < len(group) else ""
                tail = f"{len(some)} of {len(group)}{asked}: {'; '.join(those)}{more}"
            if worst in ("proved", "not applicable"):
                tail = whole
            lines.append(f"  {shown:<8} {name:<21} {tail}")
    return lines


def _is_left_out(result: dict[str, Any], name: str) -> bool:
    """Is nothing asked of a program, since no launch runs it?"""
    found = [f for f in result.get("findings", ()) if f["property"] == name]
    return any(str(f["text"]).startswith(NOT_LAUNCHED) for f in found)


def printer(quiet: bool) -> Callable[[dict[str, Any]], None]:
    """Return what writes results to the terminal; of one launch, notes are told once.

    `quiet` leaves out kernels of which nothing is open.
    """
    shown: list[dict[str, Any]] = []
    title = titles()

    def show(result: dict[str, Any]) -> None:
        name = title(result["kernel"])
        if not quiet or not set(result["verdicts"].values()) <= {*GOOD}:
            write(kernel_text(result, quiet, _said_before(shown, result), name))
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
