"""What became of one case: our text and NVIDIA's, judged by the operation's own promise."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import symcute
from symcute.errors import InputError, NotAdmissible, Undecided

from .dsl import Answer
from .postconditions import BEYOND, Arg, Lay

REFUSALS = (InputError, NotAdmissible, Undecided)

#: The kinds of outcome that are differences, and those that are not.
WRONG = ("other text", "refused, NVIDIA right", "wrong result", "another exception")
FINE = (
    "same text",
    "same map",
    "both refuse",
    "refused, NVIDIA wrong",
    "right, NVIDIA not",
    "beyond the end",
)

#: Operations whose results the DSL prints otherwise than the C++ headers, whose text is ours: the
#: strides of unit tiles, tuples of one mode, inverses of stride 0, coalesced modes.
STYLES = (
    "composition_by_mode",
    "composition_by_mode_of_identity",
    "left_inverse",
    "tiled_divide",
    "flat_divide",
    "tiled_product",
    "flat_product",
    "raked_product",
)


def to_symcute(arg: Arg) -> Any:
    """The argument as symcute takes it."""
    if isinstance(arg, Lay):
        return symcute.Layout(arg.shape, arg.stride)
    return tuple(map(to_symcute, arg)) if isinstance(arg, tuple) else arg


def judge(
    what: object, theirs: Answer, ours: Callable[[], str], broken: Callable[[str], str]
) -> tuple[str, str]:
    """The kind of outcome, and the two sides in words.

    `ours` computes our text; `broken` says which promise a text breaks, "" when none.
    """
    flaw = broken(theirs.text) if theirs.text is not None else "no result"
    said = theirs.text or " ".join(theirs.error.split())[:160]
    nvidia = f"NVIDIA {said}" + (f" ({flaw})" if flaw else "")
    try:
        text = ours()
    except REFUSALS as refusal:
        sides = f"{what}: {nvidia}; refused: {refusal}"
        if not flaw:
            return "refused, NVIDIA right", sides
        return ("both refuse" if theirs.text is None else "refused, NVIDIA wrong"), sides
    except Exception as error:  # every other exception is a finding of its own
        return "another exception", f"{what}: {nvidia}; {type(error).__name__}: {error}"
    sides = f"{what}: {nvidia}; ours {text}"
    if text == theirs.text and not flaw:
        return "same text", sides
    our_flaw = broken(text)
    if our_flaw and not (flaw.startswith(BEYOND) and text == theirs.text):
        return "wrong result", f"{sides} ({our_flaw})"
    if not flaw:
        return "other text", sides
    return ("beyond the end" if our_flaw else "right, NVIDIA not"), sides


def styled(name: str, outcome: tuple[str, str]) -> tuple[str, str]:
    """The outcome against the DSL: another text of the same map is none of ours in its styles."""
    kind, sides = outcome
    return ("same map" if kind == "other text" and name in STYLES else kind), sides


def differences(outcomes: Iterable[tuple[str, str]]) -> list[str]:
    """The outcomes that are differences, in words, the shortest first."""
    return sorted((f"{kind}: {sides}" for kind, sides in outcomes if kind in WRONG), key=len)
