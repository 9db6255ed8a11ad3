"""Programs of a launch that no launch runs: what they need contradicts what is said of it."""

from __future__ import annotations

from typing import Any

__all__ = ["is_empty", "left_out"]

Result = dict[str, Any]


def is_empty(result: Result) -> bool:
    """Is it proved of a program that no launch meets all that is assumed of it?"""
    from symcute.kernel.findings import CONTRADICTORY

    findings = result.get("findings", ())
    return bool(findings) and all(
        f["status"] == "unknown" and str(f["reason"]).startswith(CONTRADICTORY) for f in findings
    )


def left_out(result: Result) -> Result:
    """Return the result of an empty program beside others that are not: nothing is to prove.

    >>> why = "vacuous: the assumptions contradict each other: n <= 1; 2 <= n"
    >>> finding = {"property": "in_bounds", "status": "unknown", "text": "", "reason": why}
    >>> empty = {"findings": [finding], "verdicts": {"in_bounds": "unknown"}}
    >>> is_empty(empty), left_out(empty)["verdicts"], is_empty(left_out(empty))
    (True, {'in_bounds': 'not applicable'}, False)
    >>> left_out(empty)["findings"][0]["text"]
    'cannot be launched so: the assumptions contradict each other: n <= 1; 2 <= n'
    """
    from symcute.kernel.findings import NOT_LAUNCHED

    findings = [
        {**f, "status": "not applicable", "reason": "",
         "text": f"{NOT_LAUNCHED}: {str(f['reason']).removeprefix('vacuous: ')}"}
        for f in result["findings"]
    ]  # fmt: skip
    return {
        **result,
        "findings": findings,
        "verdicts": dict.fromkeys(result["verdicts"], "not applicable"),
    }
