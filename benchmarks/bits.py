"""Time maps over F2: rank, inverse, composition, and conversion between linear layouts.

Each is asked of blocked layouts of tiles of 2**10 to 2**40 elements; nothing is enumerated, so time
grows with the bits.
"""

from __future__ import annotations

from collections.abc import Callable

from common import interleaved, options, report, show_seconds

import symcute as s

BITS = (10, 14, 20, 30, 40)
COLUMNS = [f"2**{bits}" for bits in BITS]


def layouts(bits: int) -> tuple[s.LinearLayout, s.LinearLayout]:
    """Return two blocked layouts of one tile; one needs shared memory to become the other."""
    shape = (1 << bits // 2, 1 << bits - bits // 2)
    rows = s.blocked_layout(shape, (1, 4), (8, 4), (2, 2), (1, 0))
    return rows, s.blocked_layout(shape, (4, 1), (4, 8), (2, 2), (0, 1))


def calls(bits: int) -> dict[str, Callable[[], object]]:
    """Return what is timed, by name."""
    a, b = layouts(bits)
    one, other = a.matrix(), b.matrix()
    found = s.conversion(a, b)
    return {
        "is_bijective": one.is_bijective,
        "rank": one.rank,
        "inverse": one.inverse,
        "composition": lambda: one @ other,
        "conversion": lambda: s.conversion(a, b),
        "one place of a conversion": lambda: found(register=1, lane=5, warp=2),
    }


def main() -> None:
    """Print the table."""
    chosen = options()
    every = [calls(bits) for bits in BITS]
    names = [name for name in every[0] if chosen.only in name]
    found = [interleaved([row[name] for row in every], chosen.repeats) for name in names]
    rows = [[name, *map(show_seconds, seconds)] for name, seconds in zip(names, found, strict=True)]
    data = [
        {"operation": name, **dict(zip(COLUMNS, seconds, strict=True))}
        for name, seconds in zip(names, found, strict=True)
    ]
    report("Maps over F2: median time of a call", ["operation", *COLUMNS], rows, data)


if __name__ == "__main__":
    main()
