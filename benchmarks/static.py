"""Time the operations on static layouts beside pycute and tensor-layouts, on the same inputs."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import islice
from statistics import median
from typing import Any, NamedTuple

import pycute as p
import tensor_layouts as t
from common import interleaved, options, random_layout, report, show_seconds

import symcute as s

#: How many inputs an operation is timed on.
INPUTS = 40
LIBRARIES = ("symcute", "pycute", "tensor-layouts")
MAKERS: tuple[Any, ...] = (s.Layout, p.Layout, t.Layout)


class Operation(NamedTuple):
    """One operation in up to three libraries; `inputs` names the tuples of arguments it takes."""

    name: str
    inputs: str
    functions: tuple[Callable[..., Any] | None, ...]


OPERATIONS = [
    Operation("Layout(shape)", "shape", MAKERS),
    Operation("Layout(shape, stride)", "shape stride", MAKERS),
    Operation("make_layout(A, B)", "pair", (s.make_layout, p.make_layout, t.Layout)),
    Operation("rank", "layout", (len, len, t.rank)),
    Operation("depth", "layout", (s.depth, None, t.depth)),
    Operation("size", "layout", (s.size, p.size, t.size)),
    Operation("cosize", "layout", (s.cosize, p.cosize, t.cosize)),
    Operation("mode of a layout", "layout 0", (lambda x, k: x[k], lambda x, k: x[k], t.mode)),
    Operation("L(index)", "layout index", (lambda x, i: x(i),) * 3),
    Operation("L(coordinate)", "layout coordinate", (lambda x, c: x(c),) * 3),
    Operation("crd2idx", "coordinate shape stride", (s.crd2idx, p.crd2idx, t.crd2idx)),
    Operation("idx2crd", "index shape", (s.idx2crd, p.idx2crd, t.idx2crd)),
    Operation("slice", "layout slice", (lambda x, c: x(c),) * 3),
    Operation(
        "slice_and_offset",
        "slice layout",
        (s.slice_and_offset, p.slice_and_offset, t.slice_and_offset),
    ),
    Operation("dice", "slice layout", (s.dice, None, t.dice_modes)),
    Operation("shape_div", "shape 2", (s.shape_div, p.shape_div, t.shape_div)),
    Operation("congruent", "two shapes", (s.congruent, None, t.congruent)),
    Operation("weakly_congruent", "two shapes", (s.weakly_congruent, None, t.weakly_congruent)),
    Operation("compatible", "two shapes", (s.compatible, None, t.compatible)),
    Operation(
        "flatten",
        "layout",
        (s.flatten, lambda x: p.Layout(p.flatten(x.shape), p.flatten(x.stride)), t.flatten),
    ),
    Operation("append", "pair", (s.append, None, t.append)),
    Operation("prepend", "pair", (s.prepend, None, t.prepend)),
    Operation(
        "replace", "pair", (lambda a, b: s.replace(a, 0, b), None, lambda a, b: t.replace(a, 0, b))
    ),
    Operation("group", "layout 0 2", (s.group, None, t.group)),
    Operation("coalesce", "layout", (s.coalesce, p.coalesce, t.coalesce)),
    Operation("coalesce by mode", "layout profile", (s.coalesce, p.coalesce, t.coalesce)),
    Operation("filter", "layout", (s.filter_, p.filter, lambda x: x.filter())),
    Operation("nullspace", "layout", (s.nullspace, None, t.nullspace)),
    Operation("composition", "composable", (s.composition, p.composition, t.compose)),
    Operation("composition by mode", "tiled", (s.composition, None, t.compose)),
    Operation("complement", "layout cotarget", (s.complement, p.complement, t.complement)),
    Operation("right_inverse", "layout", (s.right_inverse, p.right_inverse, t.right_inverse)),
    Operation("left_inverse", "layout", (s.left_inverse, p.left_inverse, t.left_inverse)),
    Operation("max_common_layout", "pair", (s.max_common_layout, None, t.max_common_layout)),
    Operation("max_common_vector", "pair", (s.max_common_vector, None, t.max_common_vector)),
    Operation(
        "logical_divide", "composable", (s.logical_divide, p.logical_divide, t.logical_divide)
    ),
    Operation(
        "logical_divide by mode", "tiled", (s.logical_divide, p.logical_divide, t.logical_divide)
    ),
    Operation("zipped_divide", "tiled", (s.zipped_divide, p.zipped_divide, t.zipped_divide)),
    Operation("tiled_divide", "tiled", (s.tiled_divide, p.tiled_divide, t.tiled_divide)),
    Operation("flat_divide", "tiled", (s.flat_divide, None, t.flat_divide)),
    Operation("logical_product", "pair", (s.logical_product, p.logical_product, t.logical_product)),
    Operation("zipped_product", "pair", (s.zipped_product, p.zipped_product, t.zipped_product)),
    Operation("tiled_product", "pair", (s.tiled_product, p.tiled_product, t.tiled_product)),
    Operation("flat_product", "pair", (s.flat_product, None, t.flat_product)),
    Operation("blocked_product", "pair", (s.blocked_product, None, t.blocked_product)),
    Operation("raked_product", "pair", (s.raked_product, None, t.raked_product)),
    Operation("upcast", "layout 2", (s.upcast, None, t.upcast)),
    Operation("downcast", "layout 2", (s.downcast, None, t.downcast)),
]


def inputs(kind: str) -> Iterator[tuple[Any, ...]]:
    """Yield tuples of arguments of a kind, without end."""
    rng = random.Random(kind)  # noqa: S311
    while True:
        a, b = random_layout(rng), random_layout(rng)
        size = a.size()
        coordinate = tuple(rng.randrange(n) for n in (s.size(a, k) for k in range(a.rank())))
        parts = {
            "layout": a,
            "shape": a.shape,
            "stride": a.stride,
            "index": rng.randrange(size),
            "coordinate": coordinate,
            "slice": tuple(None if k == a.rank() - 1 else c for k, c in enumerate(coordinate)),
            "profile": (1,) * a.rank(),
            "cotarget": a.cosize() * rng.choice((1, 2, 4)),
        }
        if kind == "pair":
            yield a, b
        elif kind == "two shapes":
            coalesced = s.coalesce(a, (1,) * a.rank()).shape
            yield a.shape, rng.choice((a.shape, b.shape, size, coalesced))
        elif kind == "composable":
            yield a, rng.choice((b, s.Layout(rng.choice((2, 4, 8)), rng.choice((1, 2, 4)))))
        elif kind == "tiled":
            tiles = [s.Layout(rng.choice((2, 4)), rng.choice((1, 2))) for _ in range(a.rank())]
            yield a, tuple(tiles)
        else:
            yield tuple(parts[word] if word in parts else int(word) for word in kind.split())


def converted(x: Any, make: Callable[..., Any]) -> Any:
    """Return an argument with its layouts made those of another library."""
    if isinstance(x, s.Layout):
        return make(x.shape, x.stride)
    return tuple(converted(y, make) for y in x) if isinstance(x, tuple) else x


def accepted(operation: Operation) -> list[list[Callable[[], Any]]]:
    """Return, for the first inputs that all libraries accept, the call of each of them."""
    chosen: list[list[Callable[[], Any]]] = []
    seen: set[tuple[Any, ...]] = set()
    for arguments in islice(inputs(operation.inputs), 4000):
        if arguments in seen:
            continue
        seen.add(arguments)
        calls = [
            bound(f, converted(arguments, make))
            for f, make in zip(operation.functions, MAKERS, strict=True)
            if f is not None
        ]
        try:
            for call in calls:
                call()
        except Exception:  # noqa: S112 - each library has its own way to refuse
            continue
        chosen.append(calls)
        if len(chosen) == INPUTS:
            break
    return chosen


def bound(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Callable[[], Any]:
    """Return the call of a function at arguments."""
    return lambda: function(*arguments)


def measure(operation: Operation, repeats: int) -> dict[str, Any]:
    """Return the median seconds of each library over the inputs of an operation."""
    chosen = accepted(operation)
    names = [n for n, f in zip(LIBRARIES, operation.functions, strict=True) if f is not None]
    times = interleaved([call for calls in chosen for call in calls], repeats)
    columns = [times[k :: len(names)] for k in range(len(names))]
    return {
        "operation": operation.name,
        "inputs": len(chosen),
        **{name: median(column) for name, column in zip(names, columns, strict=True)},
    }


def main() -> None:
    """Run the benchmark."""
    chosen = options()
    found = [measure(o, chosen.repeats) for o in OPERATIONS if chosen.only in o.name]
    rows = []
    for row in found:
        others = [row.get(name) for name in LIBRARIES[1:]]
        rows.append(
            [
                row["operation"],
                str(row["inputs"]),
                show_seconds(row["symcute"]),
                *("-" if x is None else show_seconds(x) for x in others),
                *("-" if x is None else f"{x / row['symcute']:.2f}" for x in others),
            ]
        )
    head = ["operation", "inputs", *LIBRARIES, "pycute/symcute", "tensor-layouts/symcute"]
    report("Static layouts: median time of a call", head, rows, found)


if __name__ == "__main__":
    main()
