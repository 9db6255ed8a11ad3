"""Runs the checks of claims on a machine, many claims in a module."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from math import prod
from os import cpu_count
from pathlib import Path
from time import monotonic
from typing import TypeAlias

from symcute.claims import Claim
from symcute.claims.language import read_claim
from symcute.codegen import Check, checks_of, instances, names_of, source
from symcute.codegen.instances import Measure
from symcute.errors import InputError, SymcuteError
from symcute.evidence.backends import Backend, MachineFailed, Module, OutOfMemory, Result
from symcute.evidence.record import Item, Outcome, Run, Subject, is_about_claim, source_hash
from symcute.expr.assumptions import Assumptions
from symcute.expr.htuple import leaves
from symcute.expr.lowering import lower
from symcute.expr.ratio import evaluate_ratio
from symcute.interop.arrays import offsets

__all__ = ["Options", "gather"]

#: How many claims share a module: fewer compile more in parallel, more compile fewer headers.
BATCH = 16
#: Where the source of a module that a compiler refuses is left.
FAILED = Path(".symcute/failed")


@dataclass(frozen=True)
class Options:
    """How much is run: instances a claim, coordinates an instance, bits of a bitmap, seconds."""

    instances: int = 20
    limit: int = 1 << 20
    bits: int = 1 << 31
    seconds: float = float("inf")


@dataclass
class _Plan:
    """A subject with its checks, and the instances to run them at."""

    subject: Subject
    claim: Claim | None = None
    checks: list[Check] = field(default_factory=list)
    names: tuple[str, ...] = ()
    chosen: list[dict[str, int]] = field(default_factory=list)
    digest: str = ""
    skipped: str = ""
    notes: list[str] = field(default_factory=list)

    def item(self, runs: Sequence[Run] = ()) -> Item:
        """Return the record of what was seen."""
        s = self.subject
        given = Assumptions.of(list(s.given)).texts()
        skipped = self.skipped or ("" if runs else "no check could run: " + "; ".join(self.notes))
        labels = tuple(c.label for c in self.checks) if runs else ()
        names = self.names if runs else ()
        return Item(
            s.theorem, s.claim, given, s.status, self.digest, names, labels, tuple(runs),
            skipped, tuple(dict.fromkeys(self.notes)),
        )  # fmt: skip


#: For each road the compiled modules; the number of a check says where its entries are.
Modules: TypeAlias = dict[int, tuple[Module, int]]


def gather(
    subjects: Iterable[Subject],
    backend: Backend,
    options: Options | None = None,
    *,
    started: Callable[[Subject], None] = lambda _: None,
    done: Callable[[Item], None] = lambda _: None,
) -> list[Item]:
    """Run every subject's checks, and return a record of each.

    `started` is called before a subject runs, `done` with each record as soon as it is there.
    Post-conditions: every subject has a record: runs over whole domains, or the reason why it was
    skipped. What fails is recorded, not raised.
    Errors: MachineFailed when nothing more can be run in this process.

    >>> from symcute.evidence.backends import HostBackend
    >>> [item] = gather([Subject("demo", "injective((4,8):(8,1))")], HostBackend())
    >>> for label, outcome in zip(item.checks, item.runs[0].outcomes):
    ...     print(label, outcome)
    offsets of (4,8):(8,1) (wide) (32, 0, None)
    offsets of (4,8):(8,1) (narrow) (32, 0, None)
    no offset twice, (4,8):(8,1) (wide) (32, 0, None)
    no offset twice, (4,8):(8,1) (narrow) (32, 0, None)
    """
    options = options or Options()
    end = monotonic() + options.seconds
    todo = list(subjects)
    batches = [todo[k : k + BATCH] for k in range(0, len(todo), BATCH)]
    records: list[Item] = []
    with ThreadPoolExecutor(cpu_count() or 1) as pool:
        ahead: dict[int, tuple[list[_Plan], dict[str, Future[Module]]]] = {}
        for k, batch in enumerate(batches):
            for n in range(k, min(k + 1 + (cpu_count() or 1), len(batches))):
                if n not in ahead and monotonic() < end:
                    plans = [_plan(s, backend, options) for s in batches[n]]
                    ahead[n] = plans, _compile(plans, backend, pool)
            plans, futures = ahead.pop(k, ([_Plan(s) for s in batch], {}))
            modules = _loaded(plans, futures, backend)
            for plan in plans:
                started(plan.subject)
                if monotonic() > end:
                    plan.skipped = plan.skipped or "the time was used up before"
                runs = [] if plan.skipped else _runs(plan, plans, modules, backend, options)
                records.append(plan.item(runs))
                done(records[-1])
    return records


def _plan(subject: Subject, backend: Backend, options: Options) -> _Plan:
    plan = _Plan(subject)
    try:
        claim = plan.claim = read_claim(subject.claim, given=list(subject.given))
        plan.checks = checks_of(claim, backend.roads)
        plan.names = names_of(claim, plan.checks)
        plan.digest = source_hash(claim)
        if not plan.checks:
            plan.skipped = "it speaks of no layout"
        elif subject.status == "refuted":
            _counterexample(plan, claim, options)
        else:
            plan.chosen, plan.skipped = instances(
                plan.names,
                _measure(plan.checks),
                list(subject.given),
                options.instances,
                options.limit,
            )
            plan.chosen = [dims for dims in plan.chosen if _exists(claim, dims)]
            if not plan.chosen and not plan.skipped:
                plan.skipped = "no instance was found at which all leaves are integers"
    except InputError as error:
        plan.skipped = error.what
    return plan


def _measure(checks: Iterable[Check]) -> Measure:
    """Return the function that gives the largest domain of the checks at dims."""
    domains = dict.fromkeys(step.domain.shape for c in checks for step in c.steps)
    extents = [[lower(x) for x in leaves(shape)] for shape in domains]

    def measure(dims: dict[str, int]) -> int:
        largest = 0
        for factors in extents:
            values = [evaluate_ratio(r, dims) for r in factors]
            if min(values) < 1:
                raise InputError("an extent is below 1 at every instance that was tried", "")
            largest = max(largest, prod(values))
        return largest

    return measure


def _exists(claim: Claim, dims: dict[str, int]) -> bool:
    try:
        claim.at(dims)
    except InputError:
        return False
    return True


def _counterexample(plan: _Plan, claim: Claim, options: Options) -> None:
    """Choose the counterexample's dims, when what fails there is something a machine can check."""
    dims = {n: (plan.subject.dims or {}).get(n, 1) for n in plan.names}
    size = _measure(plan.checks)(dims)
    if size > options.limit:
        plan.skipped = f"the counterexample has {size} coordinates, more than {options.limit}"
        return
    failing = [p for p in claim.at(dims).parts() if p.brute() is not None]
    if any(is_about_claim(c.label) for p in failing for c in checks_of(p, ["wide"])):
        plan.chosen = [dims]
    else:
        plan.skipped = "what fails is a statement about numbers"


def _compile(
    plans: list[_Plan], backend: Backend, pool: ThreadPoolExecutor
) -> dict[str, Future[Module]]:
    """Start compiling one module a road for the checks of all plans."""
    checks = _all(plans)
    roads = [r for r in backend.roads if any(c.road == r for c in checks)]
    return {road: pool.submit(_build, checks, road, backend) for road in roads}


def _build(checks: list[Check], road: str, backend: Backend) -> Module:
    return backend.load(source(checks, road), road)


def _all(plans: Iterable[_Plan]) -> list[Check]:
    return [c for plan in plans if not plan.skipped for c in plan.checks]


def _loaded(plans: list[_Plan], futures: dict[str, Future[Module]], backend: Backend) -> Modules:
    """Return for each check its module and its number there.

    Where a compiler refuses a batch, each claim is compiled alone, so that only those at fault go
    without.
    """
    modules: Modules = {}
    checks = _all(plans)
    for road, future in futures.items():
        try:
            module = future.result()
        except SymcuteError:
            _one_by_one(plans, road, backend, modules)
            continue
        modules |= {id(c): (module, k) for k, c in enumerate(checks) if c.road == road}
    return modules


def _one_by_one(plans: list[_Plan], road: str, backend: Backend, modules: Modules) -> None:
    for plan in plans:
        if plan.skipped or not any(c.road == road for c in plan.checks):
            continue
        try:
            module = _build(plan.checks, road, backend)
        except SymcuteError as error:
            path = FAILED / f"{plan.digest[:16]}-{road}.cu"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(source(plan.checks, road), encoding="utf-8")
            plan.notes.append(f"{road}: {error.what} (source: {path})")
            continue
        modules |= {id(c): (module, k) for k, c in enumerate(plan.checks) if c.road == road}


def _runs(
    plan: _Plan, plans: list[_Plan], modules: Modules, backend: Backend, options: Options
) -> list[Run]:
    """Run a plan's checks at its instances; one without memory is left out, with a note."""
    found = []
    for dims in plan.chosen:
        try:
            pending = [
                _start(plan, check, dims, modules, backend, options) for check in plan.checks
            ]
            outcomes = tuple(_outcome(p) for p in pending)
        except OutOfMemory as error:
            plan.notes.append(f"{_at(dims)}: {error.what}")
            continue
        except MachineFailed:
            raise
        except SymcuteError as error:
            plan.notes.append(f"{_at(dims)}: {error}")
            break
        if any(o is not None for o in outcomes):
            found.append(Run(tuple(dims[n] for n in plan.names), outcomes))
    return found


@dataclass
class _Pending:
    """Entries under way: how many indices they look at, how many bits lack at the end."""

    count: int
    results: list[Result]
    missing: int = 0


def _start(
    plan: _Plan,
    check: Check,
    dims: dict[str, int],
    modules: Modules,
    backend: Backend,
    options: Options,
) -> _Pending | None:
    place = modules.get(id(check))
    if place is None or not check.runs_at(dims):
        return None
    module, number = place
    low = bits = 0
    aux = None
    if check.expects is not None:
        aux = backend.upload(offsets(check.expects.at(dims)))
    elif check.marks:
        low, bits = check.window(dims)
        if bits > options.bits:
            plan.notes.append(f"{check.label} at {_at(dims)}: a bitmap of {bits} bits is too large")
            return None
        aux = backend.bitmap(bits)
    pending = _Pending(0, [])
    for k, step in enumerate(check.steps):
        count = step.count(dims)
        parameters = [*step.parameters(dims), low, bits]
        pending.results.append(module.start(f"check_{number}_{k}", parameters, count, aux))
        pending.count += count
    if check.full is not None:
        pending.missing = bits - backend.count_bits(aux)
    return pending


def _outcome(pending: _Pending | None) -> Outcome:
    """Return coordinates, failures and the first failing index of the last entry that had one."""
    if pending is None:
        return None
    read = [r.read() for r in pending.results]
    first = next((r.first for r in reversed(read) if r.first is not None), None)
    return pending.count, sum(r.failures for r in read) + pending.missing, first


def _at(dims: dict[str, int]) -> str:
    return ", ".join(f"{k}={v}" for k, v in sorted(dims.items())) or "its only instance"
