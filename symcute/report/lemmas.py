"""What a lemma says of the modes at hand, in a sentence: the roles that a certificate gives them.

The sentences are those of the certificates' documentation, filled in with the hints of a part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from symcute.checker.primitive import Primitive
from symcute.checker.swizzle import PLAIN, period
from symcute.checker.terms import Modes, Node, lit, show, term
from symcute.report.reasons import tidy

__all__ = ["leaf", "role", "said"]

_Part = Mapping[str, Any]


def leaf(x: Node) -> str:
    """Return a leaf as text."""
    return show(tidy(x))


def _term(item: Any) -> str:
    """Return a term that is data as text."""
    return leaf(term(item))


def _layout(m: Modes) -> str:
    """Return a layout, flat."""
    shape, stride = (",".join(leaf(x) for x in side) for side in zip(*m, strict=True))
    return f"({shape}):({stride})" if len(m) != 1 else f"{shape}:{stride}"


def _mode(m: tuple[Node, Node]) -> str:
    return f"{leaf(m[0])}:{leaf(m[1])}"


def _modes(m: Modes, which: Any) -> str:
    return ", ".join(f"`{_mode(m[k])}`" for k in which) or "none"


def _swizzled(claim: Primitive) -> str:
    if claim.swizzle == PLAIN and claim.offset == lit(0):
        return _layout(claim.layouts[0])
    b, m, s = claim.swizzle
    return f"Sw<{b},{m},{s}> o {leaf(claim.offset)} o {_layout(claim.layouts[0])}"


def _chain_text(layouts: tuple[Modes, ...]) -> str:
    return "".join(f"({_layout(m)})(" for m in layouts) + "i" + ")" * len(layouts)


def said(claim: Primitive) -> str:
    """Return what a primitive claim says, in words."""
    where = " and ".join(f"`({_layout(g)})(c) < {leaf(m)}`" for g, m in claim.guards)
    return _SAID[claim.kind](claim) + (f", at the coordinates c where {where}" if where else "")


def _agree(claim: Primitive) -> str:
    left, right = claim.layouts[: claim.split], claim.layouts[claim.split : -1]
    if claim.swizzle != PLAIN or claim.body != PLAIN:
        return "the two swizzled layouts agree at each index"
    return (
        f"`{_chain_text(left)} == {_chain_text(right)}` for each index i "
        f"of `{_layout(claim.layouts[-1])}`"
    )


_SAID: dict[str, Callable[[Primitive], str]] = {
    "injective": lambda c: f"no two coordinates of `{_layout(c.layouts[0])}` share an offset",
    "in_bounds": lambda c: f"the offsets of `{_swizzled(c)}` are in `[0, {leaf(c.leaf)})`",
    "covers": lambda c: f"each m < {leaf(c.leaf)} is an offset of `{_layout(c.layouts[0])}`",
    "disjoint": lambda c: "`{}` and `{}` share no offset but 0".format(*map(_layout, c.layouts)),
    "apart": lambda c: (
        f"no offset of `{_layout(c.layouts[0])}` is {leaf(c.leaf)} + one of "
        f"`{_layout(c.layouts[1])}`"
    ),
    "same_image": lambda c: "`{}` and `{}` have the same offsets".format(*map(_layout, c.layouts)),
    "agree": _agree,
    "holds": lambda c: f"`{leaf(c.body)}`",
    "requests": lambda c: (
        f"each request through `{_layout(c.layouts[0])}` costs "
        f"{_between(c.body.least, c.body.most)}"
    ),
    "vectors": lambda c: f"each {c.split} elements of `{_layout(c.layouts[0])}` are contiguous",
    "printed": lambda c: "the text is what stands for the value",
    "either": lambda c: ", or ".join(map(said, c.body)),
    "denied": lambda c: f"it is not so that {said(c.body[0])}",
}


def _between(least: int, most: int) -> str:
    return f"{least} to {most}" if least else f"at most {most}"


def role(part: _Part, claim: Primitive) -> str:
    """Return what the lemma of a part makes of the claim, with the roles of the modes."""
    return _ROLES[part["lemma"]](part, claim)


def _chain(part: _Part, claim: Primitive) -> str:
    layout = claim.layouts[0]
    text = f"Chain. In the order {_modes(layout, part['order'])} each stride outweighs"
    text += " what all modes before it can add up to: the last mode in which two coordinates differ"
    return f"{text} decides{_turned(layout, part)}."


def _turned(layout: Modes, part: _Part) -> str:
    """Return which modes are walked backwards."""
    back = [k for k, sign in enumerate(part["signs"]) if sign < 0]
    return f" (walked backwards: {_modes(layout, back)})" if back else ""


def _mod(part: _Part, claim: Primitive) -> str:
    layout, inner = claim.layouts[0], part["inner"]
    outer = [k for k in range(len(layout)) if k not in inner]
    if not outer:
        return f"Every stride is a multiple of {_term(part['modulus'])}, which comes off."
    if part["modulus"] == 1:
        return f"{_modes(layout, outer)} of extent 1: left out."
    times = "" if part["times"] == 1 else f", {_term(part['times'])} times,"
    return (
        f"Modulo {_term(part['modulus'])}{times} only the modes {_modes(layout, outer)} are seen, "
        f"and they are told apart below it; the strides of {_modes(layout, inner)} are multiples "
        "of it."
    )


def _merge(part: _Part, claim: Primitive) -> str:
    guard, bound = claim.guards[part["guard"]]
    return (
        f"Merge. The modes {_modes(claim.layouts[0], part['modes'])} are the digits of the one "
        f"index that the guard `({_layout(guard)})(c) < {leaf(bound)}` compares: they become one "
        "mode."
    )


def _bounds(part: _Part, claim: Primitive) -> str:
    return f"Bounds. The extreme offsets are at the ends{_turned(claim.layouts[0], part)}."


def _beyond(part: _Part, claim: Primitive) -> str:
    first, second = ("first", "other") if part["below"] == 0 else ("other", "first")
    return f"The {first} layout ends before the {second} one begins."


def _offset_mod(part: _Part, claim: Primitive) -> str:
    return (
        f"Modulo {_term(part['modulus'])} the offsets lie in two intervals that do not meet; "
        f"the second begins at {_term(part['rho'])}."
    )


def _cover(part: _Part, claim: Primitive) -> str:
    return (
        f"Cover. In the order {_modes(claim.layouts[0], part['order'])} no step is longer than "
        "what is covered so far, and one."
    )


def _swizzle(part: _Part, claim: Primitive) -> str:
    return (
        f"The swizzle moves offsets only inside blocks of {period(claim.swizzle)}, "
        f"of which {_term(part['bound'])} is a whole number: what is below before is below after."
    )


def _witness(part: _Part, claim: Primitive) -> str:
    points = [f"`({','.join(map(_term, part[k]))})`" for k in ("at", "other") if k in part]
    return f"A witness: {' and '.join(points)}."


def _sides(part: _Part, claim: Primitive) -> str:
    left, right = (
        ", ".join(_step(s) for s in part[side]) or "the index" for side in ("left", "right")
    )
    return (
        "Agree. Both sides are written as lists of modes, which are the same mode by mode. "
        f"Left: {left}. Right: {right}."
    )


def _step(step: list[Any]) -> str:
    kind = step[0]
    if kind == "first":
        return "the layout that comes first"
    rewrites = "; ".join(_rewrite(r) for r in step[1])
    after = kind == "after"
    text = "the next layout applied digit by digit, without a carry" if after else "the list"
    return text + (f" ({rewrites})" if rewrites else "")


def _rewrite(item: list[Any]) -> str:
    kind, k, *more = item
    if kind == "merge":
        return f"modes {k} and {k + 1} made one"
    if kind == "drop":
        return f"mode {k} of extent 1 left out"
    return f"mode {k} split at {_term(more[0])}"


_ROLES: dict[str, Callable[[_Part, Primitive], str]] = {
    "chain": _chain,
    "mod": _mod,
    "merge": _merge,
    "bounds": _bounds,
    "given bound": lambda p, c: "The guard is the bound: it compares the offset itself.",
    "swizzle": _swizzle,
    "cover": _cover,
    "together": lambda p, c: "The modes of both layouts together are injective.",
    "beyond": _beyond,
    "offset mod": _offset_mod,
    "reorder": lambda p, c: "An offset is a sum over the modes, in whatever order they are taken.",
    "formula": lambda p, c: "Integer arithmetic shows it.",
    "agree": _sides,
    "one": lambda p, c: f"Number {p['which'] + 1} of these is true.",
    "denial": lambda p, c: f"Number {p['which'] + 1} of these denies another: one of both is true.",
    "missing": lambda p, c: f"No offset is {_term(p['at'][0])}.",
    "witness": _witness,
    "residues": lambda p, c: (
        "What a request costs depends only on the residues of the parameters: "
        "each class of residues was gone through."
    ),
    "evaluate": lambda p, c: "It has no dims and is small: evaluated at every coordinate.",
    "solver": lambda p, c: (
        f"{p['solver']} {p['version']} was asked for an instance that breaks it, and answered "
        "that there is none."
    ),
}
