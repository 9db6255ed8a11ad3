"""What the contract of all launches says of one that was found, besides that one's own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from symcute.errors import InputError
from symcute.expr.assumptions import Assumptions
from symcute.expr.node import Term, names
from symcute.expr.terms import show, substitute
from symcute.kernel.contracts.contract import Condition, Contract
from symcute.kernel.contracts.lines import Line, Unlaunched
from symcute.kernel.findings import GOOD, KNOWN
from symcute.kernel.ir.setting import Setting
from symcute.solve.entailment import facts

__all__ = ["beside", "may_meet"]


def beside(own: Contract, wide: Contract, setting: Setting) -> Contract:
    """Return the contract of a launch, with what one of all launches proves besides under lines.

    Pre-conditions: the `setting` is that of the launch which the `own` contract is of.
    Post-conditions: lines that no such launch meets are left out, with what they would prove; the
    notes are those of the `own` contract.
    """
    mine, theirs = own.verdicts(), wide.verdicts()
    more = []
    for name in (p for p, v in theirs.items() if v in GOOD and mine.get(p) not in GOOD):
        lines = [c.line for c in wide.conditions if name in c.properties]
        if lines and may_meet(wide.blank, lines, setting):
            more.append(name)
    findings = [f for f in own.findings if f.property not in more]
    findings += [f for f in wide.findings if f.property in more]
    some = (_about(c, more) for c in wide.conditions)
    return replace(
        own,
        conditions=(*own.conditions, *(c for c in some if c.properties)),
        findings=tuple(sorted(findings, key=lambda f: KNOWN.index(f.property))),
    )


def _about(c: Condition, properties: Iterable[str]) -> Condition:
    """Return what a condition says of some properties."""
    kept = tuple(p for p in c.properties if p in properties)
    shown = {p: e for p, e in c.counterexamples.items() if p in kept}
    return replace(c, properties=kept, counterexamples=shown)


def may_meet(blank: Unlaunched, lines: Iterable[Line], setting: Setting) -> bool:
    """Return whether nothing was found that keeps the launches of a setting from meeting lines.

    >>> from symcute.frontends.cuda import read_kernels
    >>> from symcute.kernel.launch.notes import read_setting
    >>> kernel = read_kernels("__global__ void k(int *x) { x[threadIdx.x] = 0; }").kernels["k"]
    >>> setting = read_setting(kernel, launch="grid=1 block=t", given=["1500 <= t"])
    >>> lines = [[Line("pin", n, "blockDim_x")] for n in (32, 1536)]
    >>> [may_meet(Unlaunched(kernel), x, setting) for x in lines]
    [False, True]
    """
    said = [show(t) for t in _relations(blank, lines, setting) if t is not True]
    if "False" in said:
        return False
    try:
        return facts(Assumptions.of((*setting.given.formulas, *said))).contradicted() is None
    except InputError:
        return True  # what has no value at all sizes


def _relations(blank: Unlaunched, lines: Iterable[Line], setting: Setting) -> list[Term]:
    """Return lines as relations of the dims of a setting, those of which all is said there."""
    called = blank.dims(setting)
    truths = (blank.truths(x) for x in lines)
    return [substitute(t, called) for t in truths if names(t) <= called.keys()]
