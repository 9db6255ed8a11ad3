"""A counterexample as lines of Python that run as they stand, and fail where the claim does.

The text of a counterexample says where a claim fails. A writer for each family of claims takes the
place from there, evaluates both sides again, and writes an assertion only where it is false.
"""

from __future__ import annotations

import re

from symcute import claims as c
from symcute.claims import Claim, Counterexample
from symcute.claims.language import read_claim
from symcute.claims.maps import Agree
from symcute.claims.requests import Requests
from symcute.claims.swizzled import SwizzledInBounds
from symcute.errors import SymcuteError
from symcute.prover import check
from symcute.report.pasting import offsets, pairs, sharing
from symcute.report.pasting.call import Call, Writer, lines
from symcute.report.pasting.conditions import false_condition

__all__ = ["call_lines"]


def call_lines(claim: Claim, counterexample: Counterexample) -> tuple[str, ...]:
    """Return a refutation as lines of Python: imports, values, an assertion that fails.

    Behind the assertion stands what it comes to. There are no lines where neither the family of the
    claim has a way to write it, nor its text can be read back.

    >>> claim = read_claim("injective((M,N):(LD,1))")
    >>> there = {"M": 2, "N": 2, "LD": 1}
    >>> for line in call_lines(claim, Counterexample(there, claim.at(there).brute())):
    ...     print(line)
    # injective((M,N):(LD,1)) at LD=1, M=2, N=2
    from symcute import Layout
    L = Layout((2, 2), (1, 1))
    assert L(1, 0) != L(0, 1)  # 1 == 1
    """
    at = ", ".join(f"{k}={v}" for k, v in sorted(counterexample.dims.items()))
    head = f"# {claim.text()} at {at}" if at else f"# {claim.text()}"
    for write in (_by_family, _by_formula, _by_text):
        try:
            call = write(claim, counterexample)
        except SymcuteError:  # too many coordinates to go through, text that cannot be read
            continue
        if call is not None:
            return head, *lines(call)
    return ()


def _by_family(claim: Claim, found: Counterexample) -> Call | None:
    """Return what is wrong with the claim, or one of its parts, in the way of its family."""
    if isinstance(claim, c.Holds):
        return None
    instance = claim.at(found.dims)
    for part in (instance, *instance.parts()):
        writer = next((w for kind, w in _WRITERS.items() if isinstance(part, kind)), None)
        call = None if writer is None else writer(part, found.text)
        if call is not None:
            return call
    return None


def _by_formula(claim: Claim, found: Counterexample) -> Call | None:
    """Return the part that is a formula over the dims, and false."""
    for part in claim.parts():
        if isinstance(part, c.Holds) and (false := false_condition(part.formula, found.dims)):
            before = tuple(f"assert {x}" for x in false.true)
            words = set(re.findall(r"\w+", " ".join([*before, false.condition])))
            values = {name: found.dims[name] for name in sorted(part.dims() & words)}
            return Call(values, false.condition, false.outcome, before)
    return None


def _by_text(claim: Claim, found: Counterexample) -> Call | None:
    """Return the claim checked by brute force, where its text says all of it."""
    dims = {name: found.dims[name] for name in sorted(claim.dims())}
    if check(read_claim(claim.text()), **dims) is None:
        return None
    at = "".join(f", {name}={value}" for name, value in dims.items())
    return Call({}, f"check({claim.text()!r}{at}) is None", found.text)


_WRITERS: dict[type, Writer] = {
    c.Injective: offsets.injective,
    c.InBounds: offsets.in_bounds,
    SwizzledInBounds: offsets.in_bounds,
    c.Aligned: offsets.aligned,
    c.Monotone: lambda claim, text: offsets.growing(claim.layout, 0),
    c.Increasing: lambda claim, text: offsets.growing(claim.layout, 1),
    c.NoOverflow: offsets.no_overflow,
    c.Vectorizable: offsets.vectorizable,
    c.Equal: pairs.same_map("A", "B", A="left", B="right"),
    c.Composition: pairs.same_map("C", "AB", A="left", B="right", C="result"),
    c.RightInverse: pairs.same_map("LR", "", L="layout", R="inverse"),
    c.LeftInverse: pairs.same_map("IL", "", I="inverse", L="layout"),
    Agree: pairs.agree,
    c.Disjoint: pairs.meeting,
    c.Apart: pairs.meeting,
    c.SameImage: pairs.same_image,
    c.Covers: pairs.covers,
    c.Complement: pairs.complement,
    c.Compatible: pairs.shapes,
    c.Refines: pairs.shapes,
    c.PartitionExact: sharing.partition_exact,
    c.SameElements: sharing.same_elements,
    Requests: sharing.request,
    c.PrintsAs: sharing.prints,
    c.Table: sharing.table,
}
