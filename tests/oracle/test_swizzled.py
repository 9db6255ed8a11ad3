"""Are the operations on swizzled layouts those of CuTe's C++ headers, letter by letter?

The cases of the layout operations, with a swizzle and an offset put before their layout. Where a
text differs it must be the layout operation that differs, which `test_cpp.py` judges.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest

from symcute import ComposedLayout, Layout, Swizzle
from symcute.algebra import (
    domain_offset,
    max_common_layout,
    max_common_vector,
    right_inverse,
    upcast,
)
from symcute.errors import SymcuteError
from symcute.language import evaluate, show_value

from . import cpp
from .compare import to_symcute
from .operations import OPERATIONS, Args
from .operations import cpp as written
from .postconditions import Lay

CASES, SOAK_CASES = 3, 60
#: The operations that act on the layout and keep swizzle and offset.
KEEPING = (
    "composition", "composition_by_mode", "logical_divide", "logical_divide_by_mode",
    "zipped_divide", "tiled_divide", "flat_divide", "logical_product", "zipped_product",
    "tiled_product", "flat_product", "blocked_product", "raked_product", "tile_to_shape",
    "coalesce", "coalesce_by_mode", "filter_by_mode", "flatten", "get", "take", "group", "append",
)  # fmt: skip
#: Those that change swizzle or offset, or forget them.
CHANGING = (
    "upcast", "downcast", "recast_layout", "right_inverse", "left_inverse", "domain_offset",
    "complement", "size", "cosize", "rank", "depth",
)  # fmt: skip


def swizzles(rng: random.Random) -> tuple[Swizzle, int]:
    """Draw a swizzle of at least a bit, and an offset, mostly a large power of two."""
    bits = rng.randint(1, 3)
    shift = rng.choice((bits, bits, bits + 1, -bits))
    return Swizzle(bits, rng.randint(0, 4), shift), rng.choice((0, 0, 64, 1024, 5))


def before(swizzle: Swizzle, offset: int, text: str) -> str:
    fields = f"{swizzle.bits},{swizzle.base},{swizzle.shift}"
    return f"composition(Swizzle<{fields}>{{}}, C<{offset}>{{}}, {text})"


def arguments(name: str, count: int) -> list[Args]:
    """Return the cases of an operation; CuTe appends to a swizzled layout only X up to a rank."""
    if name != "append":
        return OPERATIONS[name].cases(count)
    found = OPERATIONS[name].cases(8 * count)
    return [args for args in found if len(args) == 3 and None not in args][:count]


def place(args: Args) -> int:
    """Return the place of the layout that gets the swizzle: domain_offset has it second."""
    return next(k for k, x in enumerate(args) if isinstance(x, Lay))


def ours(name: str, args: tuple[Any, ...]) -> str | None:
    """Return what symcute prints, None for a refusal."""
    try:
        return show_value(OPERATIONS[name].ours(*args))
    except SymcuteError:
        return None


@dataclass(frozen=True)
class Question:
    """A case of an operation with a swizzle and an offset before its layout."""

    name: str
    inside: tuple[Any, ...]
    turned: tuple[Any, ...]
    call: str
    call_inside: str


def questions(count: int) -> list[Question]:
    rng = random.Random("swizzled")
    found = []
    for name in (*KEEPING, *CHANGING):
        for args in arguments(name, count):
            swizzle, offset = swizzles(rng)
            offset *= not name.endswith("_inverse")  # CuTe's is then no swizzled layout
            k, plain = place(args), OPERATIONS[name].cpp(*args)
            layout = written(args[k])
            if layout in plain:
                inside = tuple(map(to_symcute, args))
                turned = ComposedLayout(swizzle, offset, inside[k])
                call = plain.replace(layout, before(swizzle, offset, layout), 1)
                everything = (*inside[:k], turned, *inside[k + 1 :])
                found.append(Question(name, inside, everything, call, plain))
    return found


def compared(asked: list[Question]) -> Counter[str]:
    """Compare all answers, and return how many are the same, by operation.

    The layout operation is asked only where the answers differ.
    """
    calls = [q.call for q in asked] + [call for _, call in VECTORS]
    doubtful = [q.call for q in asked if ours(q.name, q.turned) is None]
    theirs = [answer.text for answer in cpp.ask(calls, doubtful=doubtful)]
    assert theirs[len(asked) :] == [text for text, _ in VECTORS]
    same: Counter[str] = Counter()
    differ = []
    for q, text in zip(asked, theirs, strict=False):
        mine = ours(q.name, q.turned)
        if mine is not None:  # what CuTe drops
            mine = mine.removeprefix("Sw<0,0,0> o 0 o ")
        same[q.name] += mine == text is not None
        if mine != text:
            differ.append((q, mine, text))
    inside = [answer.text for answer in cpp.ask([q.call_inside for q, _, _ in differ])]
    for (q, mine, text), text_inside in zip(differ, inside, strict=True):
        if text is None:
            # What CuTe refuses with a swizzle and not without, must be refused here.
            assert text_inside is None, (q, mine)
        elif ours(q.name, q.inside) == text_inside:
            assert mine is None, (q, mine, text)
            assert wrong(q.name, q.turned, text), (q, text)
    return same


def test_same_as_the_headers() -> None:
    # One program: a refusal has the compiler start again.
    asked = [q for q in questions(2 * CASES) if ours(q.name, q.turned) is not None]
    first = [q for k, q in enumerate(asked) if sum(x.name == q.name for x in asked[:k]) < CASES]
    same = compared(first)
    assert all(same[name] for name in (*KEEPING, *CHANGING)), same
    assert sum(same.values()) >= len(first) - CASES


@pytest.mark.soak
def test_same_as_the_headers_at_length() -> None:
    asked = questions(SOAK_CASES)
    assert 2 * sum(compared(asked).values()) >= len(asked)


def wrong(name: str, args: tuple[Any, ...], text: str) -> bool:
    """Return whether what CuTe gives, and symcute refuses, is no right answer."""
    C = next(x for x in args if isinstance(x, ComposedLayout))
    if name.endswith("_inverse"):
        found = composed(text)
        size = min(int(found.size()), int(C.size()))
        if name == "right_inverse":
            return any(C(found(i)) != i for i in range(int(found.size())))
        return any(found(C(i)) != i for i in range(size))
    if name in ("upcast", "recast_layout"):
        n = args[1] if name == "upcast" else args[2] // args[1]
        words = {C(i) // n for i in range(int(C.size()))}
        found = composed(text)
        return words != {found(i) for i in range(int(found.size()))}
    return False


def composed(text: str) -> ComposedLayout | Layout:
    value = evaluate(text)
    assert isinstance(value, (ComposedLayout, Layout))
    return value


ATOM = Layout((8, 64), (64, 1))
TILED = Layout(((8, 2), (64, 2)), ((64, 512), (1, 1024)))


def vectors() -> list[tuple[str, str]]:
    """Return what is common to pairs, one or both swizzled: our text, and the C++ call."""
    found = []
    pairs = [(ATOM, ATOM), (TILED, TILED), (Layout((4, 32), (1, 4)), Layout((4, 32), (1, 8)))]
    for left, right, (a, b) in product(
        (Swizzle(3, 3, 3), Swizzle(1, 2, -3)),
        (None, Swizzle(3, 3, 3), Swizzle(2, 4, 3)),
        pairs,
    ):
        texts = [written(Lay(x.shape, x.stride)) for x in (a, b)]
        texts[0] = before(left, 64, texts[0])
        A = ComposedLayout(left, 64, a)
        B: ComposedLayout | Layout = b
        if right is not None:
            texts[1], B = before(right, 64, texts[1]), ComposedLayout(right, 64, b)
        common = f"({texts[0]}, {texts[1]})"
        found.append((show_value(max_common_vector(A, B)), f"max_common_vector{common}"))
        if right is None:
            found.append((show_value(max_common_layout(A, B)), f"max_common_layout{common}"))
    return found


VECTORS = vectors()


def test_offsets_that_break_a_vector_are_refused() -> None:
    # CuTe takes any offset to lie in the bits of the swizzle.
    with pytest.raises(SymcuteError, match="5 % 8 == 0"):
        max_common_vector(ComposedLayout(Swizzle(3, 3, 3), 5, ATOM), ATOM)


def test_results_are_the_maps_they_stand_for() -> None:
    rng = random.Random(7)
    for _ in range(60):
        swizzle, offset = swizzles(rng)
        C = ComposedLayout(swizzle, offset, rng.choice((ATOM, TILED, Layout((64, 8), (1, 64)))))
        size = int(C.size())
        i, j = rng.randrange(8), rng.randrange(64)
        moved, _ = domain_offset((i % 8, j % 8), C)
        assert moved(0) == C(i % 8, j % 8)
        assert C(i % 8, None)(j % 8) == C(i % 8, j % 8)
        try:
            inverse = right_inverse(C)
            assert all(C(inverse(x)) == x for x in range(int(inverse.size())))
        except SymcuteError:
            pass
        try:
            wide = upcast(C, 4)
            assert {wide(x) for x in range(int(wide.size()))} == {C(x) // 4 for x in range(size)}
        except SymcuteError:
            assert offset % 4 or swizzle.shift < 0
