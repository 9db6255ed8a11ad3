"""check_cute(host_function, *args): the layouts of a CuTe DSL kernel, for all sizes."""

from __future__ import annotations

import inspect
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from symcute.errors import SymcuteError
from symcute.expr.limits import collecting_rarely
from symcute.frontends.cutedsl.claims import PROMISE, Claimed, claims
from symcute.frontends.cutedsl.evaluation import Evaluation, evaluate
from symcute.frontends.cutedsl.programs import decided
from symcute.frontends.cutedsl.requests import requests
from symcute.frontends.cutedsl.shared import shared
from symcute.frontends.cutedsl.text import read_module
from symcute.frontends.cutedsl.tma import tma
from symcute.frontends.cutedsl.tracing import traced
from symcute.frontends.cutedsl.values import Scope
from symcute.kernel.findings import PROPERTIES, Example, Finding, Findings
from symcute.kernel.ir.place import Place
from symcute.prover import Verdict, prove

__all__ = ["check_cute", "check_module"]

#: Where a call of the DSL is made that is none of the user's.
HERE = inspect.getfile(traced)
#: Steps for a claim: nearly all are of numbers.
WORK = 200_000
_NO_BLOCK = (1, 1, 1)


def check_cute(
    host: Any,
    *args: Any,
    bank_conflicts: int | None = None,
    given: Sequence[str] = (),
    **keywords: Any,
) -> Findings:
    """Decide what is claimed of CuTe DSL kernels, and what they access, for all sizes of tensors.

    `host` is a function under `@cute.jit`, or an object that is called like one, and the arguments
    are those of `cute.compile`: tensors with dynamic or symbolic shapes stand for all that they may
    be. It is traced by the DSL in this process, not compiled and not run; no GPU is needed where
    `CUTE_DSL_ARCH` names one. What is claimed of each tiled copy, tiled MMA, partition, copy and
    shared-memory layout stands at its line of the Python source. Of what the threads of each kernel
    access, the properties of `check_kernel` are decided; `given` are conditions on sizes that hold,
    and sizes that are one integer are given as one symbol (`cute.sym_int32`). `bank_conflicts` is
    how many ways of a bank a request of a copy to or from shared memory may need; 1 is no conflict,
    and without it nothing is asked of what costs time.
    Sizes are taken to be at least 1 and strides at least 0, alignments and divisors that the
    arguments state to hold, and integers of layouts not to wrap. How much shared memory there is
    says the architecture that `CUTE_DSL_ARCH` names; else it is the most that any device has.
    Post-conditions: `types_agree` is proved where all that our algebra computes of the module is
    what the DSL computed; the property of each layout is proved, refuted or unknown, with reason.
    Errors: InputError where the DSL is not installed, is of another version than those that are
    read, or does not trace the function; SourceError for a module that is not read.
    """
    text, names, tensors = traced(host, args, keywords)
    name = getattr(host, "__name__", type(host).__name__)
    arch = os.environ.get("CUTE_DSL_ARCH")
    return check_module(
        text, kernel=name, names=names, tensors=tensors, bank_conflicts=bank_conflicts, arch=arch,
        given=given,
    )  # fmt: skip


@collecting_rarely()
def check_module(
    text: str,
    *,
    file: str = "module.mlir",
    kernel: str = "",
    names: tuple[str, ...] = (),
    tensors: tuple[tuple[str, tuple[str, ...]], ...] = (),
    bank_conflicts: int | None = None,
    arch: str | None = None,
    properties: tuple[str, ...] = PROPERTIES,
    given: Sequence[str] = (),
) -> Findings:
    """Decide what is claimed of the layouts of a module, given in MLIR's generic form.

    `names` are those of the host function's parameters, for the names of dims; `tensors` are those
    of its tensors, with a symbol for each size that is not static, the same for one integer; `arch`
    is the device's, as `sm_90a`, for its shared memory. `properties` are asked of what each kernel
    accesses, where `given` holds.
    Errors: SourceError for text that is not read.

    >>> print(check_module('''"builtin.module"() ({
    ...   "func.func"() <{sym_name = "host"}> ({
    ...     %0 = "cute.static"() : () -> !cute.layout<"(4,8):(8,1)">
    ...     %1 = "cute.size"(%0) <{mode = array<i32>}>
    ...       : (!cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"32">
    ...   }) : () -> ()
    ... }) : () -> ()'''))
    module.mlir:1:1: types_agree proved: our algebra computes what the DSL does in 2 operations
    """
    found = evaluate(read_module(text, file), names, tensors)
    every = [*claims(found), *shared(found, arch), *tma(found)]
    if bank_conflicts is not None:
        every += requests(found, bank_conflicts)
    told = [*_agreement(found, kernel, file), *_decided(found, kernel, every)]
    return Findings([*told, *(decided(found, properties, given) if properties else ())])


def _agreement(found: Evaluation, kernel: str, file: str) -> Iterator[Finding]:
    """Yield where the DSL and our algebra differ, or that they agree on all they both computed."""
    counts: dict[str, int] = {}
    told: set[tuple[Place | None, str]] = set()
    for step in found.steps():
        counts[step.status] = counts.get(step.status, 0) + 1
        if step.status not in ("differs", "open"):
            continue
        place = step.operation.place or Place(file, step.operation.line, 1)
        shown = ", ".join(map(str, step.computed)) or f"result: {step.reason}"
        typed = ", ".join(x.type for x in step.operation.results)
        if (place, typed) in told:
            continue
        told.add((place, typed))
        how = "is not seen to be" if step.status == "open" else "is not"
        reason = f"the DSL computes {typed}, which {how} our {shown}; the DSL's is taken"
        name = step.operation.name
        yield Finding("types_agree", "unknown", place, name, kernel, name, reason=reason)
    if not told:
        kernels = [f for f in found.functions if f.is_kernel] or found.functions
        steps = [s.operation.place for f in kernels for s in f.steps if s.conditional is False]
        first = next((x for x in steps if x and x.file != HERE), Place(file, 1, 1))
        n = counts.get("agrees", 0) + counts.get("form", 0)
        text = f"our algebra computes what the DSL does in {n} operations"
        yield Finding(
            "types_agree", "proved", first, text, kernel, how="computed twice",
            rests_on=("arithmetic",), count=n,
        )  # fmt: skip


def _decided(found: Evaluation, kernel: str, asked_for: list[Claimed]) -> Iterator[Finding]:
    """Yield a finding for each claim; what stands at one place and says the same is told once."""
    # Promises come first: what rests on one that is not kept is not known.
    every = dict(sorted(Counter(asked_for).items(), key=lambda x: x[0].property != PROMISE))
    verdicts: dict[tuple[str, tuple[str, ...]], Verdict] = {}
    open_at: Place | None = None
    for claimed, count in every.items():
        told = _one(claimed, count, found.scope, kernel, verdicts)
        if told.property == PROMISE and told.status != "proved":
            open_at = open_at or told.place
        elif told.status == "proved" and open_at and _rests_on_types(claimed, found.scope):
            why = f"it rests on the promise at line {open_at.line}, which is not proved"
            told = _finding(claimed, "unknown", kernel, count, reason=why)
        yield told


def _rests_on_types(claimed: Claimed, scope: Scope) -> bool:
    """Return whether a claim speaks of what is known by its type alone: it believes promises."""
    words = set(re.findall(r"[A-Za-z_]\w*", " ".join((claimed.claim, *claimed.given))))
    return claimed.by_type or not words.isdisjoint(scope.typed)


def _one(
    claimed: Claimed,
    count: int,
    scope: Scope,
    kernel: str,
    verdicts: dict[tuple[str, tuple[str, ...]], Verdict],
) -> Finding:
    """Return the finding for a claim; `verdicts` are those of claims that were asked before."""
    if not claimed.claim:
        return _finding(claimed, "unknown", kernel, count, reason=claimed.reason)

    def asked(claim: str) -> Verdict:
        question = claim, claimed.given
        if question not in verdicts:
            verdicts[question] = prove(*question, work=WORK)
        return verdicts[question]

    try:
        verdict = asked(claimed.claim)
        if verdict.counterexample is not None:
            made = next((x for x in claimed.unless if asked(x).counterexample is None), None)
            if made is not None:
                doubt = f"not so where a compiler joins neighbours: {made} is {asked(made).status}"
                claimed = replace(claimed, doubt=doubt)
    except SymcuteError as error:
        reason = str(error).splitlines()[0]
        return _finding(claimed, "unknown", kernel, count, reason=reason)
    return _told(claimed, verdict, kernel, count, scope)


def _told(claimed: Claimed, verdict: Verdict, kernel: str, count: int, scope: Scope) -> Finding:
    if verdict.status == "proved":
        line = {"name": kernel, "part": 0, "certificate": verdict.certificate}
        lines = (line,) if verdict.certificate else ()
        rests = (*verdict.rests_on, *claimed.rests_on)
        return _finding(
            claimed, "proved", kernel, count, how=verdict.how, rests_on=rests, certificates=lines
        )
    if verdict.counterexample is None:
        return _finding(claimed, "unknown", kernel, count, reason=verdict.reason)
    example = verdict.counterexample
    if claimed.doubt:
        reason = f"{example}; {claimed.doubt}"
        return _finding(claimed, "unknown", kernel, count, reason=reason)
    if not scope.may_be(example.dims):
        # The dims stand for integers of which more may be known than their bounds.
        reason = f"{example}; whether that can be is not known"
        return _finding(claimed, "unknown", kernel, count, reason=reason)
    shown = Example(example.dims, _NO_BLOCK, _NO_BLOCK, example.text)
    return _finding(claimed, "refuted", kernel, count, counterexample=shown)


def _finding(claimed: Claimed, status: Any, kernel: str, count: int, **more: Any) -> Finding:
    return Finding(
        claimed.property,
        status,
        claimed.place,
        claimed.words,
        kernel,
        claimed.subject,
        count=count,
        **more,
    )
