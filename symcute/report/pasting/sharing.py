"""Refutations of claims about threads, requests of warps, and what is printed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from symcute import claims as c
from symcute.claims.language import evaluate
from symcute.claims.requests import Requests
from symcute.expr.htuple import leaves, product
from symcute.hardware import memory
from symcute.report.pasting.call import Call, ints

__all__ = ["partition_exact", "prints", "request", "same_elements", "table"]


def partition_exact(claim: c.PartitionExact, text: str) -> Call | None:
    """Return an element that is held too often, or not often enough."""
    if claim.brute() is None:
        return None
    values, size, threads = {"TV": claim.tv}, product(claim.tile), claim.tv[0].size()
    if outside := re.match(r"thread (\d+), value (\d+) is element", text):
        i = int(outside[1]) + int(threads) * int(outside[2])
        x = claim.tv(i)
        outcome = f"{x} >= {size}" if x >= 0 else f"{x} < 0"
        return Call(values, f"0 <= TV({i}) < {size}", outcome)
    if not text.startswith("element "):
        return None
    place, element, step = ints(text.split(" of the tile ")[0]), 0, 1
    for x, s in zip(place, leaves(claim.tile), strict=True):
        element, step = element + x * step, step * int(s)
    held = [claim.tv(i) for i in range(int(claim.tv.size()))].count(element)
    counted = f"[TV(i) for i in range(TV.size())].count({element})"
    return Call(values, f"{counted} == {claim.copies}", f"{held} != {claim.copies}")


def same_elements(claim: c.SameElements, text: str) -> Call | None:
    """Return a thread that holds something in one partition only."""
    if claim.brute() is None:
        return None
    values = {"A": claim.left, "B": claim.right}
    if not (found := re.match(r"thread (\d+) holds element (\d+) in", text)):
        x, y = (v[0].size() for v in values.values())
        return None if x == y else Call(values, "A[0].size() == B[0].size()", f"{x} != {y}")
    held = [f"{{{n}(i) for i in range({found[1]}, {n}.size(), {n}[0].size())}}" for n in values]
    return Call(values, f"{held[0]} == {held[1]}", f"{found[2]} is in one of them only")


def request(claim: Requests, text: str) -> Call | None:
    """Return a request that costs too much, or is not aligned."""
    access, values = claim.access, {"A": claim.access}
    asked = re.match(r"in request (\S+) of", text)
    crd = ints(asked[1]) if asked else ()
    for lane, bits in enumerate(access.bit_addresses(crd)):
        if bits % access.width:
            condition = f"A.bit_addresses({crd!r})[{lane}] % {access.width} == 0"
            return Call(values, condition, f"{bits} % {access.width} == {bits % access.width}")
    if isinstance(claim, c.Sectors):
        count = len({x // 32 for x in access.addresses(crd)})
        counted = f"len({{x // 32 for x in A.addresses({crd!r})}})"
        return _cost(claim, values, counted, count)
    for store in (False, True):
        served = memory.groups(access.addresses(crd), access.width // 8, store=store)
        ways = [memory.ways([x for _, x in g], access.width // 8)[0] for g in served]
        which = "max" if max(ways) > claim.most else "min"
        served_ = f"served = groups(A.addresses({crd!r}), {access.width // 8}, store={store})"
        counted = f"{which}(ways([x for _, x in g], {access.width // 8})[0] for g in served)"
        cost = max(ways) if which == "max" else min(ways)
        if call := _cost(claim, values, counted, cost):
            imports = ("from symcute.hardware.memory import groups, ways",)
            return replace(call, before=(served_,), imports=imports)
    return None


def _cost(claim: Requests, values: Mapping[str, Any], counted: str, cost: int) -> Call | None:
    if cost > claim.most:
        return Call(values, f"{counted} <= {claim.most}", f"{cost} > {claim.most}")
    if cost < claim.least:
        return Call(values, f"{counted} >= {claim.least}", f"{cost} < {claim.least}")
    return None


def prints(claim: c.PrintsAs, text: str) -> Call | None:
    """Return what a layout prints as."""
    if str(evaluate(str(claim.value))) != str(claim.value):
        return None
    condition = f"str(evaluate({str(claim.value)!r})) == {claim.expected!r}"
    return Call({}, condition, f"{str(claim.value)!r} != {claim.expected!r}")


def table(claim: c.Table, text: str) -> Call | None:
    """Return a cell that differs."""
    found = re.match(r"L\((\d+),(\d+)\) = (\S+), not (.+), in L = ", text)
    if not found:
        return None
    crd = f"{found[1]}, {found[2]}" if claim.layout.rank() == 2 else found[2]
    return Call({"L": claim.layout}, f"L({crd}) == {found[4]}", f"{found[3]} != {found[4]}")
