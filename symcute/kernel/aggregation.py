"""What the work on a kernel comes to: its findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from symcute.expr.node import Term
from symcute.expr.terms import evaluate, names
from symcute.kernel.findings import RACES, Example, Finding, Status
from symcute.kernel.ir.place import Place
from symcute.kernel.item import Item
from symcute.kernel.properties.certifying import certified, has_bits
from symcute.kernel.properties.mbarriers import Mbarriers
from symcute.kernel.properties.question import Question
from symcute.kernel.properties.remedy import bound_for
from symcute.kernel.properties.transactions import COUNTED
from symcute.kernel.scheduler import Work
from symcute.solve.obligation import ARITHMETIC

__all__ = ["findings", "is_idle"]

#: What every proof about a kernel rests on.
READ = ("the front end", "symbolic execution")


def findings(work: Work, name: str, wanted: Iterable[str]) -> list[Finding]:
    """Return what is found of one property; the first call does the work for all."""
    if name in ("covers", "implements") and not getattr(work.context.setting, name):
        return []
    if not work.vacuous:
        work.decide(wanted)
    elif name == "launch_valid" and not work.impossible:
        # A launch that no device accepts touches nothing; that it is none is still to be said.
        work.decide_launch()
    else:
        return [_finding(work, name, "unknown", _place(work), "", reason=work.vacuous)]
    return _told(work, name)


def is_idle(work: Work, name: str) -> bool:
    """Return whether a kernel has nothing that a property is about; nothing is asked for that."""
    if work.vacuous or any(not work.beside(i.question) for i in work.asked_of(name)):
        return False
    return not any(True for _ in _doubted(work, name))


def _told(work: Work, name: str) -> list[Finding]:
    found: list[Finding] = []
    proved: list[Item] = []
    for item in work.items[name]:
        q, answer = item.question, item.answer
        if work.beside(q):
            continue
        if work.disagree(item):
            reason = f"a proof and an execution disagree ({item.contradicted}); report it"
            found.append(_of(work, item, "unknown", reason=reason))
        elif item.example is not None:
            found.append(_of(work, item, "refuted"))
        elif answer.status == "proved" and not (shaky := work.shaky(item)):
            proved.append(item)
        else:
            reason = shaky if answer.status == "proved" else _why(work, item)
            found.append(_of(work, item, "unknown", reason=reason))
    for event in work.strays.get(name, ()):
        place = min(event.places, key=str)
        text = event.example.text
        found.append(_finding(work, name, "refuted", place, text, counterexample=event.example))
    found += _doubted(work, name)
    if name in COUNTED:
        found += [_counted_proof(work, i) for i in proved]
    if found:
        return _once(found)
    if not proved:
        none = _finding(work, name, "not applicable", _place(work), _amount(name, 0))
        return [replace(none, count=0)]
    return [_proof(work, name, proved)]


def _why(work: Work, item: Item) -> str:
    """Return why nothing is known."""
    reason = item.answer.reason or "not decided"
    if item.answer.model:
        values = ", ".join(f"{k}={v}" for k, v in sorted(item.answer.model.items()))
        reason = f"it may fail ({values}), which no execution confirms"
        if item.question.property in RACES and (order := _order(work)):
            reason = f"it may fail ({values}); {order}"
    return f"{reason}; {item.suspect}" if item.suspect else reason


def _order(work: Work) -> str:
    """Return what may order more than is known, so that no race is certain, or nothing."""
    for d in work.context.map.unsupported:
        if d.effect == "order" and d.arrays == ():
            return f"{d.reason} at {d.place}"
    unknown = Mbarriers(work.context).open
    if unknown is not None:
        return f"what the mbarrier {unknown.signal} at {unknown.place} orders is not followed"
    return ""


def _doubted(work: Work, name: str) -> Iterator[Finding]:
    """Yield what was not understood, where that leaves a property open."""
    if name in ("launch_valid", "promises_kept"):
        return
    for d in work.context.map.unsupported:
        waits = d.barrier and name == "barrier_uniform"
        if d.effect == "order" and (name not in RACES or d.arrays == ()) and not waits:
            continue
        if name == "barrier_uniform" and not d.barrier:
            continue
        if d.effect == "aligned" and name not in ("aligned", *COUNTED):
            continue
        where = ("in_bounds", "aligned", "no_overflow", *COUNTED)
        if name in where and (d.arrays == () or d.effect == "inside"):
            continue
        yield _finding(work, name, "unknown", d.place, d.reason, reason=d.reason)


def _of(work: Work, item: Item, status: Status, reason: str = "") -> Finding:
    q = item.question
    text = f"{q.subject} {q.claim}"
    if status == "refuted" and item.example is not None:
        text = f"{q.subject}: {item.example.text}"
    found = _finding(
        work, q.property, status, q.place, text, about=q, reason=reason,
        counterexample=item.example if status == "refuted" else None,
    )  # fmt: skip
    return replace(found, holds_if=_remedy(work, item))


def _remedy(work: Work, item: Item) -> str:
    """Return a bound under which the question would be answered by a proof."""
    q = item.question
    if q.under is None or item.answer.status == "proved" or work.wrapping(q.needs) is not None:
        return ""
    if work.executor is None or not work.context.dims or work.late or not work.purse.hints:
        return ""
    if work.purse.sparing and _is_open(work):
        return ""
    smallest = work.executor.sizes.smallest
    if smallest is None:
        return ""
    # A model at which the goal fails is one whatever more is assumed, as long as it meets that.
    model = item.answer.model if item.answer.status == "refuted" else {}
    fails = [*([] if item.example is None else [item.example.dims]), *([model] if model else [])]
    proves = q.under
    with work.purse.hint():
        return bound_for(
            # What leaves the counterexample in cannot help.
            lambda more: not any(_met(more, at) for at in fails) and proves(more),
            work.context.dims,
            lambda t: int(evaluate(t, smallest)),
        )


def _is_open(work: Work) -> bool:
    """Return whether a question about what is wanted has neither a proof nor a counterexample."""
    return any(
        i.example is None and (i.answer.status != "proved" or work.shaky(i))
        for name in work.wanted
        for i in work.items[name]
        if not work.beside(i.question)
    )


def _met(truth: Term, at: Mapping[str, int]) -> bool:
    """Return whether a truth holds at a point, which has a value for all that it speaks of."""
    return names(truth) <= at.keys() and bool(evaluate(truth, dict(at)))


def _counted_proof(work: Work, item: Item) -> Finding:
    """Return the finding of a number, which each access has of its own."""
    q, answer = item.question, item.answer
    text = f"{q.subject}: {answer.said}"
    found = _finding(work, q.property, "proved", q.place, text, about=q)
    lines, rests = _certificates(work, [item])
    return replace(found, how=answer.how, rests_on=rests, certificates=lines)


def _proof(work: Work, name: str, proved: list[Item]) -> Finding:
    hows = dict.fromkeys(i.answer.how for i in proved)
    text = _amount(name, len(proved))
    lines, rests = _certificates(work, proved)
    found = _finding(work, name, "proved", _place(work), text)
    return replace(
        found,
        how=", ".join(hows),
        rests_on=rests,
        count=len(proved),
        certificates=lines,
    )


def _certificates(
    work: Work, proved: list[Item]
) -> tuple[tuple[dict[str, Any], ...], tuple[str, ...]]:
    """Return lines with certificates, where they are asked for, and what the proofs rest on.

    What has certificates rests on arithmetic alone, whatever road found it.
    """
    rests: dict[str, None] = {}
    lines: list[dict[str, Any]] = []
    for item in proved:
        q, answer = item.question, item.answer
        name = f"{work.context.map.kernel} {q.property} {q.place} {q.subject}"
        found: list[dict[str, Any] | None] = []
        if work.certifies:
            found = [answer.document] if answer.document else []
            found += map(certified, answer.obligations)
        every = [d for d in found if d is not None]
        lines += [{"name": name, "part": k, "certificate": d} for k, d in enumerate(every)]
        done = bool(found) and len(every) == len(found)
        said = [*((ARITHMETIC,) if done else answer.rests_on), *q.rests_on]
        if done and any(has_bits(o) for o in answer.obligations):
            said.append("ranges of operations on bits")
        if found and not done:
            said.append(f"{answer.how} at {q.place}, without a certificate")
        rests.update(dict.fromkeys(said))
    granted = work.kernel.granted if work.kernel is not None else ()
    return tuple(lines), (*rests, *READ, *granted)


def _finding(
    work: Work,
    name: str,
    status: Status,
    place: Place,
    text: str,
    about: Question | None = None,
    reason: str = "",
    counterexample: Example | None = None,
) -> Finding:
    known = work.kernel.layouts if work.kernel is not None and about is not None else ()
    subject, seen = ("", ()) if about is None else (about.subject, about.accesses)
    layouts = tuple(
        f"{array}: {layout}"
        for at, array, layout in sorted(known, key=lambda each: each[0] != place)
        if any((a.place, a.array) == (at, array) for a in seen)
    )
    return Finding(
        name, status, place, text, work.context.map.kernel, subject, counterexample, reason,
        layouts=layouts,
    )  # fmt: skip


def _place(work: Work) -> Place:
    if work.kernel is not None:
        return work.kernel.place
    for array in work.context.map.arrays:
        return array.place
    return Place(work.context.map.kernel, 1, 1)


def _amount(name: str, count: int) -> str:
    """Return what a proof is about."""
    words = {
        "launch_valid": ("limit of the launch", "limits of the launch"),
        "in_bounds": ("access", "accesses"),
        "aligned": ("access", "accesses"),
        "no_overflow": ("computation", "computations"),
        "write_race_free": ("pair of accesses", "pairs of accesses"),
        "read_write_race_free": ("pair of accesses", "pairs of accesses"),
        "barrier_uniform": ("barrier", "barriers"),
        "covers": ("condition", "conditions"),
        "implements": ("condition", "conditions"),
        "promises_kept": ("promise", "promises"),
        "bank_conflicts": ("access of shared memory", "accesses of shared memory"),
        "sectors": ("access of global memory", "accesses of global memory"),
    }[name]
    if count == 0:
        return f"no {words[1]}"
    return f"{count} {words[0] if count == 1 else words[1]}"


def _once(found: list[Finding]) -> list[Finding]:
    """Return findings without those that say the same of the same place, refuted ones first."""
    kept: dict[object, Finding] = {}
    for f in sorted(found, key=lambda f: f.status != "refuted"):
        same = {"refuted": "", "unknown": f.subject}.get(f.status, f.text)
        kept.setdefault((f.place, same), f)
    return list(kept.values())
