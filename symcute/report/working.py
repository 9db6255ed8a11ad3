"""A refutation, worked through: the values of the dims put in, each offset summed up.

Every line is evaluated here, in plain integers; one that does not come to what the counterexample
says is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from symcute.claims import Agree, Claim, Covers, PartitionExact
from symcute.claims.language import evaluate, read_claim
from symcute.errors import SymcuteError
from symcute.expr.htuple import leaves
from symcute.hardware.access import Access
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout
from symcute.report.proofs import Step, step

__all__ = ["worked"]

#: The most offsets that are listed.
_MOST = 64
_CALL = re.compile(r"L\(([-0-9,() ]*)\)")
_IN = re.compile(r"in L = (.+)$")
_AT = re.compile(r"(\S+) (?:moved by \S+ )?at (\([-0-9,() ]*\)|\d+)(?= and | are |$)")
_HOLDS = re.compile(r"(?:^|, | and )([^=<>!]*[^=<>! ]) = (-?\d+)(?= and |$)")
_LANE = re.compile(r"lane (\d+) at byte (\d+)")
_HELD = re.compile(r"thread (\d+), value (\d+)")
_NAME = re.compile(r"[A-Za-z_]\w*(?!\w*\()")


def worked(claim: Claim, part: Mapping[str, Any]) -> Iterator[Step]:
    """Yield how a refutation was found, and its counterexample in plain integers."""
    how, against = part["how"], part["counterexample"]
    dims = against["dims"]
    yield step("found", _FOUND.get(how) or f"{how.removeprefix('smt: ')} gave this instance.")
    at = ", ".join(f"{name} = {value}" for name, value in dims.items())
    if part["given"]:
        yield step("assumptions", f"At {at} every assumption holds.", _assumed(part["given"], dims))
    here = claim.at(dims)
    if dims:
        put = f"With {at} the claim is `{here.text()}`." if here.text() != claim.text() else ""
        if put:
            yield step("instance", put)
    yield step("counterexample", f"It is false: `{against['text']}`.", _lines(here, against, dims))


_FOUND = {
    "static: exact arithmetic": "The claim has no dims: exact arithmetic decides it.",
    "refuted by a small instance": (
        "Small instances were decided one after the other, in plain integers: this one fails."
    ),
}


def _assumed(given: list[str], dims: Mapping[str, int]) -> Iterator[dict[str, str]]:
    for text in given:
        yield {"shows": text, "because": _put_in(text, dims)}


def _put_in(text: str, dims: Mapping[str, int]) -> str:
    """Return text with the values of the dims for their names."""

    def value(match: re.Match[str]) -> str:
        found = dims.get(match[0])
        return match[0] if found is None else str(found) if found >= 0 else f"({found})"

    return _NAME.sub(value, text)


def _lines(
    here: Claim, against: Mapping[str, Any], dims: Mapping[str, int]
) -> list[dict[str, str]]:
    """Return what the text of a counterexample states, each number of it worked out again."""
    text, found = against["text"], []
    for read in (_calls, _chains, _places, _lanes, _held, _formulas, _missed):
        try:
            found = list(read(here, text, dims))
        except (SymcuteError, ValueError):  # another kind of text
            continue
        if found:
            return found
    return []


def _calls(here: Claim, text: str, _: Mapping[str, int]) -> Iterator[dict[str, str]]:
    """L(1,0) in `L(1,0) = L(0,1) = 1 in L = (2,2):(1,1)`."""
    named = _IN.search(text)
    layout = evaluate(named[1]) if named else getattr(here, "layout", None)
    if isinstance(layout, (Layout, ComposedLayout)):
        for call in dict.fromkeys(_CALL.findall(text)):
            yield _offset(f"L({call})", layout, _coordinate(f"({call})"))


def _chains(here: Claim, text: str, _: Mapping[str, int]) -> Iterator[dict[str, str]]:
    """The index in `at i = 1, (6:1)(i) = 1 but ...`, through each layout in turn."""
    start = re.match(r"at i = (\d+),", text)
    for part in here.parts() if start else ():
        for side in (part.left, part.right) if isinstance(part, Agree) else ():
            index = int(start[1]) if start else 0
            for layout in reversed(side):
                yield _offset(f"({layout})({index})", layout, index)
                index = int(layout(index))


def _places(here: Claim, text: str, _: Mapping[str, int]) -> Iterator[dict[str, str]]:
    """Both layouts in `2:1 at 1 and 2:1 at 1 are both 1`."""
    for name, at in _AT.findall(text):
        layout = evaluate(name)
        if isinstance(layout, Layout):
            yield _offset(f"({name})({at.strip('()')})", layout, _coordinate(at))


def _lanes(here: Claim, text: str, _: Mapping[str, int]) -> Iterator[dict[str, str]]:
    """The lanes in `in request (0) of access(...), 2 ways in bank 0 (lane 0 at byte 0, ...)`."""
    access = getattr(here, "access", None)
    request = re.match(r"in request (\([-0-9,]*\)) of ", text)
    if not isinstance(access, Access) or not request:
        return
    crd = _flat(_coordinate(request[1]))
    addresses = access.addresses(crd)
    for lane, byte in _LANE.findall(text):
        if addresses[int(lane)] == int(byte):
            bank = int(byte) // 4 % 32
            why = f"the word of 4 bytes at {int(byte) // 4 * 4}, which lies in bank {bank}"
            yield {"shows": f"lane {lane} at byte {byte}", "because": why}


def _held(here: Claim, text: str, _: Mapping[str, int]) -> Iterator[dict[str, str]]:
    """Who holds an element: `thread 1, value 0; thread 0, value 1`."""
    if isinstance(here, PartitionExact):
        for t, v in _HELD.findall(text):
            # Mode 0 is the thread, the others together are its values.
            rest = Layout(here.tv.shape[1:], here.tv.stride[1:])
            flat = (*_digits(here.tv[0], int(t)), *_digits(rest, int(v)))
            yield _offset(f"thread {t}, value {v}: element", here.tv, flat)


def _formulas(here: Claim, text: str, dims: Mapping[str, int]) -> Iterator[dict[str, str]]:
    """The sides in `a*b == c is false, a*b = 6 and c = 5`."""
    _, said, sides = text.rpartition(" is false, ")
    for expression, value in _HOLDS.findall(sides) if said else ():
        put = _put_in(expression, dims)
        if evaluate(put) == int(value):
            yield {"shows": f"{expression} = {value}", "because": put}
    whole = re.match(r"(?:.+ is true, but )?(.+) is false$", text)
    if whole:
        put = _put_in(whole[1], dims)
        if read_claim(put).brute() is not None:
            yield {"shows": f"{whole[1]} is false", "because": put}


def _missed(here: Claim, text: str, _: Mapping[str, int]) -> Iterator[dict[str, str]]:
    """All offsets, where one is said to be none: `2 is no offset of (2,1):(1,4)`."""
    missed = re.match(r"(-?\d+) is no offset of (.+)$", text)
    for part in here.parts() if missed else ():
        if isinstance(part, Covers) and missed and str(part.layout) == missed[2]:
            if int(part.layout.size()) <= _MOST:
                offsets = sorted({int(part.layout(i)) for i in range(int(part.layout.size()))})
                listed = ", ".join(map(str, offsets))
                yield {"shows": f"{missed[1]} is no offset", "because": f"all are {listed}"}
            return


def _offset(name: str, layout: Layout | ComposedLayout, at: Any) -> dict[str, str]:
    """Return an offset as the sum that it is."""
    inner = layout.layout if isinstance(layout, ComposedLayout) else layout
    flat = _digits(inner, at) if isinstance(at, int) else _flat(at)
    terms = [f"{x}*{_signed(int(d))}" for x, d in zip(flat, leaves(inner.stride), strict=True)]
    total = sum(x * int(d) for x, d in zip(flat, leaves(inner.stride), strict=True))
    text = " + ".join(terms) or "0"
    if isinstance(layout, ComposedLayout):
        total += int(layout.offset)
        text = f"{layout.swizzle} of {layout.offset} + {text} = {total}"
        total = int(layout.swizzle(total))
    return {"shows": f"{name} = {total}", "because": text}


def _signed(d: int) -> str:
    return str(d) if d >= 0 else f"({d})"


def _coordinate(text: str) -> Any:
    """Return a coordinate; a number in parentheses is an index."""
    value = evaluate(text)
    return value[0] if isinstance(value, tuple) and len(value) == 1 else value


def _flat(at: Any) -> tuple[int, ...]:
    return tuple(map(int, leaves(at)))


def _digits(layout: Layout, index: int) -> tuple[int, ...]:
    """Return an index as a flat coordinate; the last mode takes what is left."""
    *extents, _ = leaves(layout.shape)
    found = []
    for s in extents:
        found.append(index % int(s))
        index //= int(s)
    return (*found, index)
