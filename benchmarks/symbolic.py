"""Time the operations on layouts of three dims, at inputs never met before and again at the same.

Every input has dims of its own, so that nothing about it has been remembered at the first call.
Building the inputs, from text, is not timed.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from itertools import permutations
from statistics import median
from typing import Any, NamedTuple

from common import interleaved, options, report, show_seconds

import symcute as s

#: The goal for the median of every operation, in seconds.
GOAL = 1e-3
#: `{M}` and so on stand for the dims of an input; `{strides}` for strides in some order.
COMPACT = "({M},{N},{K}):{strides}"
NESTED = "(({M},{N}),{K}):(({d0},{d1}),{d2})"
PADDED = "({M},{N},{K}):({LD}*{N},{LD},1)"


class Operation(NamedTuple):
    """An operation; `function` takes a layout of each of `layouts`, dims and assumptions."""

    name: str
    function: Callable[..., Any]
    layouts: tuple[str, ...] = ("",)
    given: tuple[str, ...] = ()


DIVISIBLE = ("{M} % 128 == 0", "{N} % 64 == 0", "{K} % 32 == 0")
TILES = (128, 64, 32)
OPERATIONS = [
    Operation("size", lambda x, given: s.size(x)),
    Operation("cosize", lambda x, given: s.cosize(x)),
    Operation("L(coordinate)", lambda x, given: x(1, 2, 3) if x.rank() == 3 else x((1, 2), 3)),
    Operation("L(index)", lambda x, given: x(5)),
    Operation("slice", lambda x, given: x(*(None,) * (x.rank() - 1), 1)),
    Operation("coalesce", lambda x, given: s.coalesce(x, given=given)),
    Operation("coalesce by mode", lambda x, given: s.coalesce(x, (1,) * x.rank(), given=given)),
    Operation("filter", lambda x, given: s.filter_(x, given=given)),
    Operation("nullspace", lambda x, given: s.nullspace(x, given=given)),
    Operation(
        "composition", lambda x, y, given: s.composition(x, y, given=given), ("", "{M}*{N}:1")
    ),
    Operation(
        "composition, permuted",
        lambda x, y, given: s.composition(x, y, given=given),
        ("({M},{N},{K}):{strides}", "({K},{M}):({M}*{N},1)"),
    ),
    Operation("complement", lambda x, given: s.complement(x, x.size(), given=given)),
    Operation("right_inverse", lambda x, given: s.right_inverse(x, given=given)),
    Operation("left_inverse", lambda x, given: s.left_inverse(x, given=given)),
    Operation(
        "left_inverse, padded",
        lambda x, given: s.left_inverse(x, given=given),
        (PADDED,),
        ("{LD} >= {K}",),
    ),
    Operation(
        "max_common_layout", lambda x, y, given: s.max_common_layout(x, y, given=given), ("", "")
    ),
    Operation(
        "logical_divide",
        lambda x, given: s.logical_divide(x, TILES, given=given),
        (COMPACT,),
        DIVISIBLE,
    ),
    Operation(
        "zipped_divide",
        lambda x, given: s.zipped_divide(x, TILES, given=given),
        (COMPACT,),
        DIVISIBLE,
    ),
    Operation(
        "tiled_divide",
        lambda x, given: s.tiled_divide(x, TILES, given=given),
        (COMPACT,),
        DIVISIBLE,
    ),
    Operation(
        "flat_divide", lambda x, given: s.flat_divide(x, TILES, given=given), (COMPACT,), DIVISIBLE
    ),
    Operation(
        "logical_product", lambda x, y, given: s.logical_product(x, y, given=given), ("", "({P},4)")
    ),
    Operation(
        "zipped_product", lambda x, y, given: s.zipped_product(x, y, given=given), ("", "({P},4)")
    ),
    Operation(
        "tiled_product", lambda x, y, given: s.tiled_product(x, y, given=given), ("", "({P},4)")
    ),
    Operation(
        "flat_product", lambda x, y, given: s.flat_product(x, y, given=given), ("", "({P},4)")
    ),
    Operation(
        "blocked_product", lambda x, y, given: s.blocked_product(x, y, given=given), ("", "({P},4)")
    ),
    Operation(
        "raked_product", lambda x, y, given: s.raked_product(x, y, given=given), ("", "({P},4)")
    ),
    Operation(
        "upcast",
        lambda x, given: s.upcast(x, 4, given=given),
        (COMPACT,),
        ("{M} % 4 == 0", "{N} % 4 == 0", "{K} % 4 == 0"),
    ),
    Operation("downcast", lambda x, given: s.downcast(x, 4, given=given)),
]


def inputs(operation: Operation, serial: int) -> list[dict[str, Any]]:
    """Return the arguments for the calls of an operation: 36 of them, each with its own dims."""
    found = []
    for _ in range(3):
        for nested in (False, True):
            for order in permutations(range(3)):
                dims = {n: f"{n}{serial}_{len(found)}" for n in ("M", "N", "K", "P", "LD")}
                names = [dims["M"], dims["N"], dims["K"]]
                stride, below = ["", "", ""], "1"
                for k in order:
                    stride[k] = below
                    below = names[k] if below == "1" else f"{below}*{names[k]}"
                words = {
                    **dims,
                    "strides": f"({','.join(stride)})",
                    **{f"d{k}": d for k, d in enumerate(stride)},
                }
                shown = [(x or (NESTED if nested else COMPACT)) for x in operation.layouts]
                found.append(
                    {
                        "layouts": [s.Layout.parse(x.format(**words)) for x in shown],
                        "given": s.Assumptions.of([x.format(**words) for x in operation.given]),
                    }
                )
    return found


def measure(operation: Operation, serial: int, repeats: int) -> dict[str, Any]:
    """Return the median seconds of first calls and of later calls."""
    calls = []
    first = []
    refused = ""
    for x in inputs(operation, serial):
        call = _bound(operation.function, x["layouts"], x["given"])
        begin = time.perf_counter()
        try:
            call()
        except s.SymcuteError as error:
            refused = str(error)
            continue
        first.append(time.perf_counter() - begin)
        calls.append(call)
    if len(first) < 30:
        raise SystemExit(f"{operation.name}: only {len(first)} inputs are accepted: {refused}")
    again = interleaved(calls, repeats)
    return {
        "operation": operation.name,
        "inputs": len(calls),
        "first": median(first),
        "slowest first": max(first),
        "again": median(again),
    }


def _bound(
    function: Callable[..., Any], layouts: list[s.Layout], given: s.Assumptions
) -> Callable[[], Any]:
    return lambda: function(*layouts, given=given)


def main() -> None:
    """Run the benchmark."""
    chosen = options()
    warm = Operation("warm-up", lambda x, given: s.coalesce(x, given=given))
    measure(warm, 0, 1)  # imports SymPy
    gc.disable()
    found = [
        measure(o, k, chosen.repeats) for k, o in enumerate(OPERATIONS, 1) if chosen.only in o.name
    ]
    columns = ("first", "slowest first", "again")
    rows = [
        [
            row["operation"],
            str(row["inputs"]),
            *(show_seconds(row[c]) for c in columns),
            "yes" if row["first"] < GOAL else "no",
        ]
        for row in found
    ]
    head = ["operation", "inputs", *columns, f"first under {show_seconds(GOAL)}"]
    overall = median(row["first"] for row in found)
    rows.append(["all", str(len(found)), show_seconds(overall), "", "", ""])
    report("Layouts of three dims: median time of a call", head, rows, found)


if __name__ == "__main__":
    main()
