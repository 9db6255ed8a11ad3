"""A run as cases: what JUnit, SARIF and Markdown say of theorems and of kernels alike.

A case is a theorem, or a property of a kernel. What keeps it from being good are its troubles, each
at a place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from symcute.report.terminal import conditional, counterexample_text, kernels_line, summary_line

__all__ = [
    "Case",
    "Run",
    "Trouble",
    "claim_run",
    "failure",
    "kernel_run",
    "remarks_text",
    "theorem_run",
]

Record = Mapping[str, Any]
#: The verdicts on a property of a kernel that leave nothing to be done.
_GOOD = ("proved", "not applicable")


@dataclass(frozen=True)
class Trouble:
    """What is wrong or not decided, at a place.

    `subject` is what it is about, the same from run to run; `remarks` are what there is to know of
    it, as (what it is, text). `call` are lines of Python that fail as the counterexample does;
    `other` is a second place, as FILE:LINE:COLUMN. `conditional` is what holds under the contract
    of a kernel whose launch is not known.
    """

    file: str
    line: int
    column: int
    status: str
    subject: str
    text: str
    remarks: tuple[tuple[str, str], ...] = ()
    call: tuple[str, ...] = ()
    other: str = ""
    conditional: bool = False


@dataclass(frozen=True)
class Case:
    """A theorem, or a property of a kernel, and its verdict.

    `group` is the kernel, or the file of the theorem; `seconds` is None where only the group has a
    time.
    """

    group: str
    name: str
    file: str
    line: int
    says: str
    status: str
    expected: str
    good: bool
    how: str
    rests_on: tuple[str, ...]
    seconds: float | None
    troubles: tuple[Trouble, ...]


@dataclass(frozen=True)
class Run:
    """All cases of a run, and what could not be looked at, with no file where no place is known.

    `command` is verify, check or prove, `unit` what a case is called, `seconds` the time of each
    group. `contracts` are kernels whose launches are not known, each with the conditions under
    which it is right as remarks: (for which properties, condition).
    """

    command: str
    unit: str
    summary: str
    cases: tuple[Case, ...]
    errors: tuple[Trouble, ...]
    seconds: Mapping[str, float]
    contracts: tuple[Trouble, ...] = ()

    @property
    def bad(self) -> list[Case]:
        """The cases that are not as they should be."""
        return [case for case in self.cases if not case.good]

    @property
    def rests_on(self) -> dict[str, int]:
        """How many cases rest on what."""
        return dict(sorted(Counter(x for case in self.cases for x in case.rests_on).items()))


def theorem_run(document: Record) -> Run:
    """Return the run that a document of `symcute verify` tells of.

    >>> from symcute.report.json import document
    >>> theorem_run(document([])).summary
    '0 theorems: 0 proved, 0 refuted, 0 unknown; all as expected'
    """
    cases = tuple(map(_theorem, document["theorems"]))
    seconds: dict[str, float] = {}
    for case in cases:
        seconds[case.group] = seconds.get(case.group, 0.0) + (case.seconds or 0.0)
    errors = () if document["finished"] else (failure("interrupted: the run was not finished"),)
    return Run("verify", "theorem", summary_line(document["totals"]), cases, errors, seconds)


def _theorem(r: Record) -> Case:
    troubles = []
    if not r["ok"]:
        found = f"{r['name']} is {r['status']}, expected {r['expected']}"
        if r["status"] in ("error", r["expected"]):
            found = f"{r['name']} could not be run"
        call = next((part["call"] for part in r["parts"] if part.get("call")), ())
        remarks = _theorem_remarks(r)
        troubles = [
            Trouble(
                r["file"], r["line"], 1, r["status"], r["name"], found, remarks, tuple(call)
            )
        ]  # fmt: skip
    return Case(
        r["file"], r["name"], r["file"], r["line"], r["statement"], r["status"], r["expected"],
        r["ok"], r["how"] or r["reason"], tuple(r["rests_on"]), r["seconds"], tuple(troubles),
    )  # fmt: skip


def _theorem_remarks(r: Record) -> tuple[tuple[str, str], ...]:
    remarks = [("says", r["statement"])]
    if r["given"]:
        remarks.append(("given", ", ".join(r["given"])))
    for part in r["parts"]:
        if part["counterexample"]:
            remarks.append(("claim", part["claim"]))
            remarks.append(("counterexample", counterexample_text(part["counterexample"])))
        elif part["status"] == "unknown":
            remarks += [("claim", part["claim"]), ("not decided", part["reason"])]
    if r["status"] == "error":
        remarks.append(("because", r["reason"]))
    if r["status"] == "unknown" and not any(name == "not decided" for name, _ in remarks):
        remarks.append(("not decided", r["reason"]))
    if r["status"] == "proved":
        remarks += [("how", r["how"]), ("rests on", ", ".join(r["rests_on"]))]
    return tuple(remarks)


def kernel_run(
    kernels: Sequence[dict[str, Any]], errors: Sequence[Record], words: Mapping[str, str]
) -> Run:
    """Return the run that the results of `symcute check` tell of; `words` say the properties.

    >>> kernel_run([], [{"what": "no launch", "fix": "", "where": "k", "place": None}], {}).summary
    '0 kernels, 0 properties: 0 proved, 0 refuted, 0 unknown; 1 could not be checked'
    """
    cases = [_property(k, name, words) for k in kernels for name in k["verdicts"]]
    seconds = {_group(k): k["seconds"] for k in kernels}
    told = tuple(failure(e["what"], e["fix"], e["where"], e["place"] or "") for e in errors)
    summary = kernels_line(kernels, len(errors))
    contracts = tuple(
        _contract(k) for k in kernels if any(conditional(k, f) for f in k["findings"])
    )
    return Run("check", "property", summary, tuple(cases), told, seconds, contracts)


def _contract(kernel: Record) -> Trouble:
    """Return the conditions under which a kernel is right of whose launch nothing is known."""
    lines = kernel["contract"]["lines"]
    remarks = tuple(("given", text) for text in kernel["contract"]["given"])
    remarks += tuple((f"{', '.join(x['properties'])}; {x['known']}", x["text"]) for x in lines)
    columns = [f["column"] for f in kernel["findings"] if f["line"] == kernel["line"]]
    verdicts = kernel["contract"]["verdicts"]
    holds = ", ".join(p for p, v in verdicts.items() if v == "proved")
    open_ = ", ".join(p for p, v in verdicts.items() if v == "unknown")
    text = f"no launch is known; proved of each that devices accept, where the lines hold: {holds}"
    return Trouble(
        kernel["file"], kernel["line"], min(columns, default=1), "unknown", kernel["kernel"],
        f"{text}; unknown: {open_}" if open_ else text, remarks,
    )  # fmt: skip


def claim_run(told: Record) -> Run:
    """Return the run that the verdict of `symcute prove` tells of, which has no place.

    >>> from symcute import prove
    >>> claim_run(prove("injective(4)").to_json()).summary
    'injective(4): proved'
    """
    claim, status = told["claim"], told["status"]
    remarks = [("given", ", ".join(told["given"]))]
    if told["counterexample"]:
        remarks.append(("counterexample", counterexample_text(told["counterexample"])))
    if status == "unknown":
        remarks.append(("not decided", told["reason"]))
    if told.get("suggestion"):
        remarks.append(("holds if", told["suggestion"]["assumption"]))
    kept = tuple((name, text) for name, text in remarks if text)
    good = status == "proved"
    trouble = Trouble("", 0, 0, status, claim, f"{claim} is {status}", kept)
    case = Case(
        "", claim, "", 0, told["words"], status, "proved", good, told["how"] or told["reason"],
        tuple(told["rests_on"]), told["seconds"], () if good else (trouble,),
    )  # fmt: skip
    return Run("prove", "claim", f"{claim}: {status}", (case,), (), {})


def failure(what: str, fix: str = "", subject: str = "", place: str = "") -> Trouble:
    """Return what could not be looked at: why, what to do, what it is, and FILE:LINE:COLUMN.

    >>> failure("no launch", "give --launch", "saxpy", "k.cu:3:17").text
    'no launch; give --launch'
    """
    file, line, column = place.rsplit(":", 2) if place else ("", "0", "0")
    text = "; ".join(filter(None, (what, fix)))
    return Trouble(file, int(line), int(column), "unknown", subject, text)


def _group(kernel: Record) -> str:
    launch = kernel.get("launch")
    where = f" launched at {launch['place']}" if launch else ""
    return f"{kernel['file']}::{kernel['kernel']}{where}"


def _property(kernel: Record, name: str, words: Mapping[str, str]) -> Case:
    findings = [f for f in kernel["findings"] if f["property"] == name]
    status = kernel["verdicts"][name]
    return Case(
        _group(kernel), name, kernel["file"], kernel["line"], words.get(name, ""), status, "proved",
        status in _GOOD,
        ", ".join(dict.fromkeys(_how(f) for f in findings if _how(f))),
        tuple(dict.fromkeys(x for f in findings for x in f["rests_on"])),
        None,
        tuple(_trouble(f, kernel) for f in findings if f["status"] not in _GOOD),
    )  # fmt: skip


def _how(f: Record) -> str:
    return str(f["text"] if f["status"] == "not applicable" else f["how"])


def _trouble(f: Record, kernel: Record) -> Trouble:
    example = f["counterexample"] or {}
    remarks = (
        ("counterexample", example.get("words", "")),
        ("through", "; ".join(f["layouts"])),
        ("not decided", f["reason"] if f["status"] == "unknown" else ""),
        ("holds if", f["holds_if"]),
    )
    return Trouble(
        f["file"], f["line"], f["column"], f["status"],
        f"{f['kernel']} {f['subject']}".strip(), f["text"],
        tuple((name, text) for name, text in remarks if text),
        other=(example.get("other") or {}).get("place") or "",
        conditional=conditional(kernel, f),
    )  # fmt: skip


def remarks_text(remarks: Iterable[tuple[str, str]]) -> str:
    """Return remarks as lines.

    >>> remarks_text([("counterexample", "M=2: L(0) = L(1) = 0")])
    'counterexample: M=2: L(0) = L(1) = 0'
    """
    return "\n".join(f"{name}: {text}" for name, text in remarks)
