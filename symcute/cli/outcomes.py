"""The kernels of a run of `symcute check`: each in a process, results in the order of sources."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any

from symcute.cli.failures import error_fields, internal_error, say_fields
from symcute.cli.members import is_empty, left_out
from symcute.errors import InternalError, SymcuteError

if TYPE_CHECKING:
    from symcute.kernel.findings import Finding
    from symcute.kernel.launch.project import Request, Task
    from symcute.processes.programs import Failed
    from symcute.run.kernels import KernelCache

__all__ = ["TIMES", "Result", "check_all"]

Result = dict[str, Any]

#: Others of one launch; where there are more, what the first is not right in is asked at a glance.
MANY = 4
#: How many of them are asked before it is looked at what that took.
TOGETHER = 8
#: Why nothing is known of a program of a launch of which too many were asked.
UNASKED = "not asked: other programs of this launch took the work of a kernel (more with --work)"

#: The time of a kernel, all told, in units of its time limit: what hangs is stopped.
TIMES = 10


def check_all(
    targets: Sequence[str],
    request: Request,
    shelf: KernelCache,
    jobs: int | None,
    memory_mb: int,
    show: Callable[[Result], None] | None,
) -> tuple[list[Result], list[Result]]:
    """Return results and errors, in the order of the sources, each told as soon as it may be."""
    from symcute.kernel.launch.project import Trouble

    errors: list[Result] = []
    todo: list[Task] = []
    for target in targets:
        for found in shelf.tasks(target, request):
            if isinstance(found, Trouble):
                errors.append(fault(found.error, found.where))
            else:
                todo.append(found)
    results: list[Result] = []
    for outcome in _in_order(_numbered(todo, shelf, jobs, memory_mb)):
        outcome.pop("work", None)
        if "error" in outcome:
            errors.append(outcome["error"])
        else:
            results.append(outcome)
            if show is not None:
                show(outcome)
    for error in errors:
        if show is not None:
            say_fields(error)
    return results, errors


def _in_order(numbered: Iterable[tuple[int, Result]]) -> Iterator[Result]:
    """Yield what is numbered, each as soon as all before it are there."""
    waiting: dict[int, Result] = {}
    following = 0
    for number, result in numbered:
        waiting[number] = result
        while following in waiting:
            yield waiting.pop(following)
            following += 1


def _numbered(
    todo: Sequence[Task], shelf: KernelCache, jobs: int | None, memory_mb: int
) -> Iterator[tuple[int, Result]]:
    """Yield the outcome of every task with its number.

    Of a launch of several programs the first that can be launched tells what the others are asked:
    what it does not prove is not proved of the kernel, whatever holds of others. Those that cannot
    are left out, if one can.
    """
    programs: dict[object, list[int]] = {}
    for number, task in enumerate(todo):
        if task.family is not None and not task.family.trouble:
            key = (task.kernel.name, task.kernel.place, task.family.place, task.request)
            programs.setdefault(repr(key), []).append(number)
    launches = [group for group in programs.values() if len(group) > 1]
    others = {n for group in launches for n in group[1:]}
    first = [n for n in range(len(todo)) if n not in others]
    leads = {group[0] for group in launches}
    told: dict[int, Result] = {}
    for k, result in _outcomes([todo[n] for n in first], shelf, jobs, memory_mb):
        told[first[k]] = result
        if first[k] not in leads or not is_empty(result):
            yield first[k], result
    # The other programs of a file share the work of a kernel: each launch has its part of it, and
    # what those before it left of theirs. So it hangs on nothing but counts which are asked.
    left: dict[str, int] = {}
    files = Counter(todo[group[0]].kernel.place.file for group in launches)
    for group in launches:
        file = todo[group[0]].kernel.place.file
        left[file] = left.get(file, 0) + todo[group[0]].request.work // files[file]
        empty: list[tuple[int, Result]] = []
        lead = told[group[0]]
        for n in group:
            if n not in told and left[file] <= 0:
                lead = _nothing(todo[n], lead["verdicts"], UNASKED)
            elif n not in told:
                task = replace(todo[n], request=replace(todo[n].request, most=left[file]))
                lead = next(r for _, r in _outcomes([task], shelf, jobs, memory_mb))
                left[file] -= lead.get("work", 0)
            if not is_empty(lead):
                if n not in told:
                    yield n, lead
                break
            empty.append((n, lead))
        can_be = len(empty) < len(group)
        yield from ((n, left_out(r) if can_be else r) for n, r in empty)
        rest = group[len(empty) + 1 :]
        for some in (rest[k : k + TOGETHER] for k in range(0, len(rest), TOGETHER)):
            if left[file] <= 0:
                names = lead.get("verdicts", todo[group[0]].request.properties)
                yield from ((n, _nothing(todo[n], names, UNASKED)) for n in some)
                continue
            tasks = [_narrowed(todo[n], lead, len(rest)) for n in some]
            for k, result in _outcomes(tasks, shelf, jobs, memory_mb):
                left[file] -= result.get("work", 0)
                yield some[k], left_out(result) if is_empty(result) else result


def _narrowed(task: Task, first: Result, others: int) -> Task:
    """Return the task of one of the other programs of a launch, with its part of the work.

    Where they are many, what the first is not right in is asked of them at a glance, and only
    where what fails is refuted.
    """
    from symcute.kernel.findings import GOOD

    verdicts = first.get("verdicts", {})
    good = tuple(p for p, v in verdicts.items() if v in GOOD)
    request = replace(task.request, most=task.request.work // others)
    if len(good) < len(verdicts):
        request = replace(request, contract="no")
        if others > MANY:
            is_known = task.family is not None and not task.family.unknown
            glance = tuple(p for p in verdicts if p not in good and is_known)
            request = replace(request, properties=good, glance=glance)
    return replace(task, request=request)


def _outcomes(
    todo: Sequence[Task], shelf: KernelCache, jobs: int | None, memory_mb: int
) -> Iterator[tuple[int, Result]]:
    """Yield the outcome of every task with its number: what is known, then as they finish."""
    from symcute.processes.children import Pool, cpus
    from symcute.processes.programs import Failed

    left = []
    for number, task in enumerate(todo):
        known = shelf.result(task)
        if known is None:
            left.append(number)
        else:
            yield number, known
    if not left:
        return
    import symcute.kernel.checking  # noqa: F401  (once, and not by every process)

    seconds = TIMES * max(todo[number].request.timeout for number in left)
    # By their numbers: a process that is a copy of this one has the kernels already.
    pool = Pool[int, Result](
        partial(_outcome, todo), jobs or cpus(), memory_mb=memory_mb, seconds=seconds
    )
    with closing(pool.results(left)) as results:
        for number, result in results:
            if isinstance(result, Failed):
                result = _lost(todo[number], result, seconds)
            elif "error" not in result:
                shelf.keep(todo[number], result)
            yield number, result


def _outcome(todo: Sequence[Task], number: int) -> Result:
    """Check one kernel, with the work that it took; errors come back as data."""
    from symcute.expr import limits
    from symcute.kernel.launch.project import checked

    started = time.perf_counter()
    kernel = todo[number].kernel
    try:
        with limits.budget(inf) as work:
            findings, found = checked(todo[number])
    except SymcuteError as error:
        place = getattr(error, "place", None) or kernel.place
        return {"error": fault(error, kernel.name, str(place))}
    except MemoryError:
        raise
    except Exception as error:
        return {"error": fault(internal_error(error), kernel.name, str(kernel.place))}
    seconds = time.perf_counter() - started
    contract = None if found is None else found.to_json()
    return _result(todo[number], findings, seconds, contract) | {"work": work.done}


def _lost(task: Task, failure: Failed, seconds: float) -> Result:
    """Return what is known of a kernel whose process did not live to tell: nothing, and why."""
    from symcute.processes.programs import Late, OutOfMemory

    reason = f"the process that checked it {failure}, and once more when it ran alone"
    if isinstance(failure, Late):
        reason = f"time limit of {seconds:g} s for the whole kernel"
    elif isinstance(failure, OutOfMemory):
        reason = str(failure)
    names = task.request.properties if task.has_program else ("types_agree",)
    return _nothing(task, names, reason) | {"work": task.request.work}


def _nothing(task: Task, names: Iterable[str], why: str) -> Result:
    """Return that nothing is known of properties of a kernel, and why."""
    from symcute.kernel.findings import Finding

    place, name = task.kernel.place, task.kernel.name
    return _result(task, [Finding(n, "unknown", place, why, name, reason=why) for n in names], 0.0)


def _result(
    task: Task, findings: Sequence[Finding], seconds: float, contract: Result | None = None
) -> Result:
    from symcute.kernel.findings import verdict_of

    kernel, family = task.kernel, task.family
    launch = None
    if family is not None:
        notes = [{"text": n.text, "place": str(n.place), "why": n.why} for n in family.notes]
        launch = {
            "place": str(family.place),
            "host": family.host,
            "notes": notes,
            "unknown": list(family.unknown),
            "troubles": list(task.troubles),
        }
    return {
        "kernel": kernel.name,
        "launch": launch,
        "contract": contract,
        "file": kernel.place.file,
        "line": kernel.place.line,
        "verdicts": verdict_of(findings),
        "findings": [f.to_json() for f in findings],
        "seconds": round(seconds, 4),
        "cached": False,
    }


def fault(error: SymcuteError, where: str, place: str | None = None) -> Result:
    """Return an error as part of what a run comes to."""
    internal = isinstance(error, InternalError)
    return {**error_fields(error), "where": where, "place": place, "internal": internal}
