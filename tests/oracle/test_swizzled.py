"""Are the operations on swizzles and swizzled layouts those of CuTe's C++ headers?

As `test_cpp.py`, with fewer cases; `python -m tests.oracle.table swizzled` asks thousands.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

import symcute
from symcute import ComposedLayout, Layout, Swizzle, UnswizzledLayout
from symcute.claims.language import show_value
from symcute.errors import SymcuteError
from symcute.expr.assumptions import assuming
from symcute.layout.algebra import domain_offset, max_common_vector, right_inverse, upcast

from . import cpp
from .compare import differences
from .recorded import HEADERS, packed, recorded, unpacked
from .swizzled import INDICES, SWIZZLED, Sw, Turned, read
from .symbolic import as_lay, symbolic_cases
from .symbolic import at as plain_at

CASES, MORE_CASES = 1, 4


def test_same_as_the_headers() -> None:
    # What is refused costs the compiler a start of its own: those cases are for the long run.
    asked = []
    for operation in SWIZZLED.values():
        fine = [args for args in operation.cases(5 * CASES) if not operation.refuses(args)]
        asked += [(operation, args) for args in fine[:CASES]]
    calls = [operation.cpp(*args) for operation, args in asked]
    said = recorded("swizzled", HEADERS, calls, lambda: list(map(packed, cpp.ask(calls))))
    outcomes = [op.judged(args, unpacked(x)) for (op, args), x in zip(asked, said, strict=True)]
    found = differences(outcomes)
    assert not found, "\n".join(found)
    same = [kind for kind, _ in outcomes].count("same text")
    assert len(asked) >= CASES * len(SWIZZLED) - 2 >= 50
    assert same >= 0.85 * len(asked)


@pytest.mark.full
def test_more_of_the_same_as_the_headers() -> None:
    """What is refused too, whose programs are apart."""
    asked = [(op, args) for op in SWIZZLED.values() for args in op.cases(MORE_CASES)]
    calls = [op.cpp(*args) for op, args in asked]
    doubtful = [c for (op, args), c in zip(asked, calls, strict=True) if op.refuses(args)]
    answers = cpp.ask(calls, doubtful=doubtful)
    outcomes = [op.judged(args, x) for (op, args), x in zip(asked, answers, strict=True)]
    found = differences(outcomes)
    assert not found, "\n".join(found)
    same = [kind for kind, _ in outcomes].count("same text")
    assert same >= 0.5 * len(asked) >= 0.25 * MORE_CASES * len(SWIZZLED)


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("slice_and_offset (swizzled)", "(((4,2)):((-1,4)),27)", "((8):(1),27)"),
        ("slice_ (swizzled)", "((4,2)):((-1,4))", "(8):(1)"),
        ("coalesce (swizzled)", "Sw<3,0,3> o 0 o (8,8):(8,1)", "Sw<3,0,3> o 8 o (8,8):(8,1)"),
        ("coalesce (swizzled)", "Sw<3,0,3> o 0 o (8,8):(8,1)", "(8,8):(8,1)"),
        ("upcast (swizzled)", "Sw<1,0,3> o 0 o (8,2):(2,1)", "(8,2):(2,1)"),
        ("right_inverse (swizzled)", "Sw<3,0,-3> o 0 o (8,8):(8,1)", "(8,8):(8,1)"),
    ],
)
def test_the_promises_tell_wrong_results(name: str, right: str, wrong: str) -> None:
    tile = read("Sw<3,0,3> o 0 o (8,8):(8,1)")
    args = {"slice": ((3, None), tile), "upcas": (tile, 4)}.get(name[:5], (tile,))
    assert SWIZZLED[name].broken(args, right) == ""
    assert SWIZZLED[name].broken(args, wrong)


def test_the_oracle_swizzles_as_symcute_does() -> None:
    rng = random.Random(3)
    for _ in range(200):
        bits, base = rng.randint(0, 4), rng.randint(0, 5)
        shift = rng.choice((1, -1)) * rng.randint(bits, bits + 3)
        ours, theirs = Swizzle(bits, base, shift), Sw(bits, base, shift)
        assert all(ours(x) == theirs(x) for x in (*INDICES[:64], *rng.sample(INDICES, 64)))
    assert isinstance(read("Sw<1,0,1> o 3 o 8:1"), Turned)


def as_turned(value: Any) -> Any:
    """A static value of symcute's as the promises take it."""
    if isinstance(value, ComposedLayout):
        fields = Sw(value.swizzle.bits, value.swizzle.base, value.swizzle.shift)
        return Turned(fields, int(value.offset), as_lay(value.layout))
    return tuple(map(as_turned, value)) if isinstance(value, tuple) else as_lay(value)


def at(value: Any, point: dict[str, int]) -> Any:
    """A value with its dims replaced."""
    if isinstance(value, (ComposedLayout, UnswizzledLayout)):
        return value.at({name: point[name] for name in value.dims()})
    return (
        tuple(at(x, point) for x in value) if isinstance(value, tuple) else plain_at(value, point)
    )


SYMBOLIC_CASES, POINTS = 12, 4
#: A swizzle turns numbers around; zip and right_inverse have cases of their own in the unit tests;
#: of coalesce the promise says that no extent of 1 is left, which dims do not tell.
NOT_HERE = ("evaluate", "zip", "right_inverse", "coalesce")
#: Operations that mostly refuse a swizzle with dims.
OFTEN_OPEN = ("upcast", "recast_layout")
SYMBOLIC = [
    name
    for name in (n.removesuffix(" (swizzled)") for n in SWIZZLED if n.endswith(" (swizzled)"))
    if name not in NOT_HERE
]


@pytest.mark.parametrize("plain", SYMBOLIC)
def test_symbolic_results_keep_the_promise_at_every_point(plain: str) -> None:
    operation, name = SWIZZLED[f"{plain} (swizzled)"], plain
    rng = random.Random(f"symbolic {name}")
    decided = 0
    for case in symbolic_cases(plain, SYMBOLIC_CASES):
        bits = rng.randint(1, 2)
        swizzle = Swizzle(bits, rng.randint(0, 2), rng.choice((bits, bits + 1, -bits)))
        dim = symcute.dims(next(iter(case.points[0]), "M"))
        offset = rng.choice((0, 0, 64, 64 * dim, dim))
        k = next(i for i, x in enumerate(case.args) if isinstance(x, Layout))
        args = (*case.args[:k], ComposedLayout(swizzle, offset, case.args[k]), *case.args[k + 1 :])
        try:
            with assuming(list(case.given)):
                result = operation.ours(*args)
        except SymcuteError:
            continue
        decided += 1
        for point in case.points[:POINTS]:
            there = {"M": 1, **point}
            text = show_value(at(result, there)).replace(", ", ",")
            why = operation.broken(tuple(as_turned(at(x, there)) for x in args), text)
            assert not why, f"{name}{args} = {result} at {point} is {text}: {why}"
    assert decided >= (1 if plain in OFTEN_OPEN else SYMBOLIC_CASES / 2), decided


ATOM = Layout((8, 64), (64, 1))
TILED = Layout(((8, 2), (64, 2)), ((64, 512), (1, 1024)))


def test_offsets_that_break_a_vector_are_refused() -> None:
    # CuTe takes any offset to lie in the bits of the swizzle.
    with pytest.raises(SymcuteError, match="5 % 8 == 0"):
        max_common_vector(ComposedLayout(Swizzle(3, 3, 3), 5, ATOM), ATOM)


def test_results_are_the_maps_they_stand_for() -> None:
    rng = random.Random(7)
    for _ in range(60):
        bits = rng.randint(1, 3)
        swizzle = Swizzle(bits, rng.randint(0, 4), rng.choice((bits, bits + 1, -bits)))
        offset = rng.choice((0, 0, 64, 1024, 5))
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
