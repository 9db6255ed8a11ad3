"""Requests of copies to shared memory as a compiler may join them: neighbouring vectors as one."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

from symcute.claims.requests import BankConflict
from symcute.frontends.cutedsl.requests import joined, twice
from symcute.hardware.access import Access
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout, Swizzle
from tests.full import many


def drawn(rng: random.Random) -> Access:
    """The access of some warps to vectors, each aligned to itself."""
    bits = rng.choice((16, 32, 64))
    length = bits // 16

    def modes(extents: tuple[int, ...], near: bool = False) -> tuple[Any, Any]:
        strides = [length * rng.choice((1, 2, 4, 8, 16, 32, 64, 128, 9, 18, 36)) for _ in extents]
        if near:
            strides[rng.randrange(len(strides))] = length
        return extents, tuple(strides)

    lanes = modes(rng.choice(((32,), (8, 4), (4, 8), (16, 2), (2, 4, 4))))
    warps, vectors = modes((rng.choice((1, 2)),)), modes(rng.choice(((2,), (4, 2), (2, 4))), True)
    layout: Any = Layout(*((a, (b, c)) for a, b, c in zip(lanes, warps, vectors, strict=True)))
    if rng.random() < 0.4:
        layout = ComposedLayout(Swizzle(rng.choice((1, 2, 3)), rng.choice((1, 2, 3)), 3), 0, layout)
    return Access(layout, 16, bits)


def touched(access: Access) -> list[set[int]]:
    """The bytes of each lane, of all requests."""
    found: list[set[int]] = [set() for _ in range(32)]
    for request in product(*(range(int(s)) for s, _ in access.requests)):
        for lane, x in enumerate(access.addresses(request)):
            found[lane] |= set(range(x, x + access.width // 8))
    return found


def testjoined_vectors_are_the_same_bytes_and_make_no_conflict() -> None:
    rng = random.Random(7)
    pairs = kept = undone = 0
    for _ in range(many(150, 3000)):
        access = drawn(rng)
        wider = twice(access)
        if wider is None:
            continue
        pairs += 1
        assert wider.width == 2 * access.width and touched(wider) == touched(access), access
        assert next(joined(access)) == wider
        for ways in (1, 2, 4):
            if BankConflict(access, ways).brute() is None:
                assert BankConflict(wider, ways).brute() is None, (access, wider)
                kept += 1
            else:
                undone += BankConflict(wider, ways).brute() is None
    assert min(pairs, kept, undone) > 5


def test_vectors_that_are_no_neighbours_stay_what_they_are() -> None:
    apart = Access(Layout((32, (1, 2)), (8, (0, 512))), 16, 64)
    odd = Access(Layout((32, (1, 2)), (4, (0, 4))), 16, 64)  # at odd multiples of their width
    assert twice(apart) is twice(odd) is None
