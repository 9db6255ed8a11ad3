"""Assertions for test suites: a claim is proved, a claim is refuted, a kernel is right.

Plain functions, for any test runner. An assertion that fails raises an AssertionError that says the
claim, what goes wrong, the assumption that is missing, and lines of Python to paste that show it.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from symcute.claims import Claim, Counterexample
from symcute.errors import AssertionFailed, SymcuteError, Undecided
from symcute.expr.assumptions import Given
from symcute.expr.formula import Formula
from symcute.kernel.findings import GOOD, Findings
from symcute.kernel.launch.sources import check_kernel
from symcute.prover import Verdict, prove
from symcute.prover.suggestion import suggest
from symcute.report.pasting import call_lines
from symcute.report.terminal import verdict_text

__all__ = ["assert_kernel", "assert_proved", "assert_refuted", "explained"]

#: Seconds for the proof of a claim, and for the search of what would mend it.
TIMEOUT, MENDING = 60.0, 10.0


def assert_proved(
    claim: Claim | Formula | str, given: Given = (), *, timeout: float | None = None
) -> Verdict:
    """Fail unless a claim is proved for all values of the dims that meet the assumptions.

    `claim` is a claim, a formula, or text in our grammar; `timeout` bounds the seconds of its proof
    (under pytest `--symcute-timeout`, else 60). What is unknown fails, with the reason.
    Post-conditions: result.status == "proved"
    Errors: AssertionFailed, an AssertionError; its `found` is the verdict. InputError for text or
    values that make no sense.

    >>> assert_proved("injective((M,N):(LD,1))", given=["LD >= N"]).how
    'structural: chain'
    >>> assert_proved("injective((M,N):(LD,1))")  # doctest: +ELLIPSIS +NORMALIZE_WHITESPACE
    Traceback (most recent call last):
    symcute.errors.AssertionFailed: REFUTED  injective((M,N):(LD,1)) ...
      counterexample LD=1, M=2, N=2: L(1,0) = L(0,1) = 1 in L = (2,2):(1,1)
      holds if       LD >= N ...
    """
    __tracebackhide__ = True
    return _asserted("proved", claim, given, timeout)


def assert_refuted(
    claim: Claim | Formula | str, given: Given = (), *, timeout: float | None = None
) -> Verdict:
    """Fail unless a claim is refuted by a counterexample.

    Parameters and errors are those of `assert_proved`.
    Post-conditions: result.status == "refuted"

    >>> print(assert_refuted("injective((M,N):(LD,1))").counterexample)
    LD=1, M=2, N=2: L(1,0) = L(0,1) = 1 in L = (2,2):(1,1)
    """
    __tracebackhide__ = True
    return _asserted("refuted", claim, given, timeout)


def _asserted(
    expected: str, claim: Claim | Formula | str, given: Given, timeout: float | None
) -> Verdict:
    __tracebackhide__ = True
    try:
        verdict = prove(claim, given, timeout=_seconds(timeout))
    except Undecided as error:
        raise AssertionFailed(f"UNKNOWN  {claim}: {error.what}", error.fix) from None
    except SymcuteError as error:
        raise error.with_traceback(None) from None
    if verdict.status != expected:
        text, lines = explained(verdict.to_json(), verdict.claim, expected)
        raise AssertionFailed(text, found=verdict, lines=lines)
    return verdict


def _seconds(timeout: float | None) -> float:
    """Return the time limit: as it is given, as pytest was told, or the usual one."""
    if timeout is not None:
        return timeout
    plugin = sys.modules.get("symcute_pytest")
    return getattr(plugin, "timeout", None) or TIMEOUT


def explained(
    verdict: Mapping[str, Any], claim: Claim, expected: str = "proved"
) -> tuple[str, tuple[str, ...]]:
    """Return what is wrong with a verdict in lines, and lines of Python that show it.

    `verdict` is the verdict on the claim as plain data. What would mend a claim is looked for where
    a proof was expected.
    """
    fields = dict(verdict)
    if expected == "proved" and fields["status"] != "proved" and not fields["vacuous"]:
        found = suggest(claim, list(fields["given"]), timeout=MENDING)
        fields["suggestion"] = None if found is None else found.to_json()
    text = verdict_text(fields, fields["given"]).plain
    if expected != "proved":
        text = text.replace("\n", f"\n  {'expected':<15}{expected}\n", 1)
    example = fields["counterexample"]
    return text, call_lines(claim, Counterexample(**example)) if example else ()


def assert_kernel(source: str | Path, **options: Any) -> Findings:
    """Fail unless every property of the kernels of a source is proved, for all sizes of a launch.

    A property is passed over where the kernel has nothing that it speaks of: it is not applicable.

    `source` and `options` are those of `symcute.check_kernel`.
    Post-conditions: result.status in ("proved", "not applicable")
    Errors: AssertionFailed, whose `found` are the findings; InputError as `check_kernel`.

    >>> kernel = "__global__ void k(float *x, int n) { x[blockIdx.x * 64 + threadIdx.x] = 0; }"
    >>> launch = {"launch": "grid=(n/64) block=64", "given": ["n % 64 == 0"]}
    >>> assert_kernel(kernel, extents={"x": "n"}, **launch).status
    'proved'
    """
    __tracebackhide__ = True
    try:
        findings = check_kernel(source, **options)
    except SymcuteError as error:
        raise error.with_traceback(None) from None
    if findings.status not in GOOD:
        raise AssertionFailed(_told(findings), found=findings)
    return findings


def _told(findings: Findings) -> str:
    """Return what is not proved, in lines."""
    text = []
    for f in findings:
        if f.status in GOOD:
            continue
        text.append(f"{f.status.upper()}  {f.property} of {f.kernel}: {f.text}")
        rows = [
            ("where", f.place),
            ("counterexample", f.counterexample),
            ("because", f.reason if f.reason != f.text else ""),
            ("holds if", f.holds_if),
        ]
        text += [f"  {name:<15}{value}" for name, value in rows if value]
    return "\n".join(text)
