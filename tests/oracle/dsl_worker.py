"""Evaluates CuTe DSL layout algebra, one JSON request a line in, one JSON answer a line out.

Runs as a process of its own, because the DSL can take the interpreter down.  All requests of one
process are evaluated inside a single trace of one jitted function; an exception of one request
leaves the trace usable for the next.  The trace is abandoned before anything would be compiled.

Request: {"id": 7, "op": "composition", "args": [...]}; an argument is an int, null (underscore), a
list (a tuple) or {"layout": [shape, stride]}.
Answer: {"id": 7, "text": "..."} or {"id": 7, "error": "..."}.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any

Operations = dict[str, Callable[..., Any]]


SAME_ARGUMENTS = (
    "make_layout",
    "make_ordered_layout",
    "size",
    "cosize",
    "rank",
    "depth",
    "crd2idx",
    "idx2crd",
    "slice_and_offset",
    "flatten",
    "coalesce",
    "composition",
    "complement",
    "right_inverse",
    "left_inverse",
    "logical_divide",
    "zipped_divide",
    "tiled_divide",
    "flat_divide",
    "logical_product",
    "zipped_product",
    "tiled_product",
    "flat_product",
    "blocked_product",
    "raked_product",
    "filter",
    "filter_zeros",
    "make_layout_like",
    "make_identity_layout",
    "max_common_layout",
    "max_common_vector",
    "shape_div",
)


def operations(cute: Any) -> Operations:
    """The DSL's operations by name; slicing takes the coordinate first, as in C++."""
    table: Operations = {name: getattr(cute, name) for name in SAME_ARGUMENTS}
    table["evaluate"] = lambda layout, coord: layout(coord)
    table["slice_"] = lambda coord, layout: cute.slice_(layout, coord)
    table["coalesce_by_mode"] = lambda layout, profile: cute.coalesce(
        layout, target_profile=profile
    )
    table["get"] = lambda layout, path: cute.get(layout, mode=list(path))
    table["select"] = lambda layout, modes: cute.select(layout, mode=list(modes))
    table["group"] = cute.group_modes
    table["dice"] = lambda coord, layout: cute.dice(layout, coord)
    for name in ("append", "prepend"):
        table[name] = extended(cute, getattr(cute, name))
    for name in ("composition", "composition_by_mode", "logical_divide_by_mode", "zipped_divide"):
        operation = table[name.removesuffix("_by_mode")]
        table[f"{name}_of_identity"] = of_identity(cute, operation)
    table["congruent"] = lambda a, b: int(cute.is_congruent(a, b))
    table["weakly_congruent"] = lambda a, b: int(cute.is_weakly_congruent(a, b))
    table["recast_layout"] = lambda layout, old, new: cute.recast_layout(new, old, layout)
    table["tile_to_shape"] = lambda block, target, order: cute.tile_to_shape(
        block, target, order or (tuple(range(len(target))) if isinstance(target, tuple) else 0)
    )
    return table


def of_identity(cute: Any, operation: Callable[..., Any]) -> Callable[..., Any]:
    """The operation on the identity layout of a shape."""
    return lambda shape, other: operation(cute.make_identity_layout(shape), other)


def extended(cute: Any, operation: Callable[..., Any]) -> Callable[..., Any]:
    """append or prepend, with 1:0 as the mode where none is given."""

    def call(layout: Any, rank: int | None, mode: Any) -> Any:
        return operation(layout, mode or cute.make_layout(1, stride=0), up_to_rank=rank)

    return call


def decode(cute: Any, value: Any) -> Any:
    """The CuTe value that a JSON value stands for."""
    if isinstance(value, list):
        return tuple(decode(cute, item) for item in value)
    if isinstance(value, dict):
        shape, stride = value["layout"]
        return cute.make_layout(decode(cute, shape), stride=decode(cute, stride))
    return value


def render(value: Any) -> str:
    """CuTe's own text for layouts and numbers; tuples without blanks."""
    if isinstance(value, tuple):
        return "(" + ",".join(render(item) for item in value) + ")"
    return str(value)


def answer(cute: Any, table: Operations, request: dict[str, Any]) -> dict[str, Any]:
    """The answer to one request; whatever the DSL raises becomes the answer's error."""
    try:
        value = table[request["op"]](*[decode(cute, item) for item in request["args"]])
        return {"id": request["id"], "text": render(value)}
    except Exception as error:  # the DSL's exceptions share no base class
        return {"id": request["id"], "error": f"{type(error).__name__}: {error}"}


def main() -> None:
    """Answer every line of standard input inside one trace, then end the process."""
    import cutlass.cute as cute  # here, so that a test collector may import this file

    # The DSL may print; its output must not mix with the answers.
    answers = os.dup(1)
    os.dup2(2, 1)
    table = operations(cute)

    def trace() -> None:
        for line in sys.stdin:
            record = answer(cute, table, json.loads(line))
            os.write(answers, json.dumps(record).encode() + b"\n")
        os._exit(0)

    cute.jit(preprocess=False)(trace)()


if __name__ == "__main__":
    main()
