"""Every operation as the C++ oracle asks it: its arguments, its C++ text, our call, its promise.

The operations of `cases.py` come first, with their cases; those follow that only C++ offers.
"""

from __future__ import annotations

import importlib
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from symcute.layout.layout import Layout

from . import cases, promises
from .cases import (
    KINDS,
    divisors,
    fill,
    nest,
    radices,
    random_coordinate,
    random_layout,
    random_order,
    random_profile,
    random_shape,
)
from .compare import judge, styled, to_symcute
from .dsl import Answer, Request
from .postconditions import PROMISES, Arg, Lay, Tree, leaves, read, refines, render, render_profile

Random = random.Random
Args = tuple[Arg, ...]

#: Where the operations live.
MODULES = (
    "symcute.layout.slices",
    "symcute.layout.layout",
    "symcute.layout.measures",
    "symcute.layout.coordinates",
    "symcute.layout.algebra.modes",
    "symcute.layout.algebra.build",
    "symcute.layout.algebra.coalesce",
    "symcute.layout.algebra.coordinates",
    "symcute.layout.algebra.shapes",
    "symcute.layout.algebra.shape_division",
    "symcute.layout.algebra.identity",
    "symcute.layout.algebra.common",
    "symcute.layout.algebra.tile",
    "symcute.layout.algebra.divide",
    "symcute.layout.algebra",
)


@cache
def function(name: str) -> Callable[..., Any]:
    """Our function of that name, from the module that offers it."""
    for module in map(importlib.import_module, MODULES):
        if name in module.__all__:
            return getattr(module, name)
    raise LookupError(f"symcute has no {name}")


@dataclass(frozen=True)
class Operation:
    """One operation; `cpp` writes the C++ expression, `ours` calls symcute, `promise` judges."""

    name: str
    generate: Callable[[Random], Args]
    cpp: Callable[..., str]
    ours: Callable[..., Any]
    promise: Callable[..., str]
    fixed: tuple[Args, ...] = ()

    def request(self, args: Args) -> Request:
        """The call for the DSL's worker."""
        return cases.Case(self.name, args).request

    def cases(self, count: int) -> list[Args]:
        """The first `count` different argument lists, the same at every call."""
        rng = Random(f"symcute {self.name}")
        found = dict.fromkeys(self.fixed[:count])
        for _ in range(40 * count):
            if len(found) >= count:
                break
            found[self.generate(rng)] = None
        return list(found)

    def judged(self, args: Args, theirs: Answer) -> tuple[str, str]:
        """The kind of outcome and the two sides, see `compare.judge`."""
        what = f"{self.name}({', '.join(map(render, args))})"
        return judge(what, theirs, lambda: self.text(args), lambda text: self.broken(args, text))

    def judged_by_dsl(self, args: Args, theirs: Answer) -> tuple[str, str]:
        """The same where the DSL has another style than C++."""
        return styled(self.name, self.judged(args, theirs))

    def refuses(self, args: Args) -> bool:
        """Whether symcute raises for these arguments, in whatever way."""
        try:
            self.text(args)
        except Exception:  # a mere forecast of what NVIDIA does; `judged` looks at the kind
            return True
        return False

    def text(self, args: Args) -> str:
        """What symcute prints."""
        value = self.ours(*map(to_symcute, args))
        return render(int(value) if isinstance(value, bool) else value)

    def broken(self, args: Args, text: str) -> str:
        """Which promise the printed result breaks, or ""."""
        value = read(text)
        layout = value[0] if isinstance(value, tuple) and value else value
        if isinstance(layout, Lay) and any(extent < 1 for extent in leaves(layout.shape)):
            return "an extent below 1"
        return self.promise(*args, value)


#: The power of a dim, which C++ lacks.
_POWER = re.compile(r"(\w+)\*\*(\d+)")


def cpp(arg: Any) -> str:
    """The argument as a C++ value that the compiler knows, but for expressions in dims.

    Those stand as they are, for a program whose variables are the dims.
    """
    if isinstance(arg, Lay):
        return f"Layout<{_type(arg.shape)},{_type(arg.stride)}>{{}}"
    if isinstance(arg, Layout):
        return f"make_layout({cpp(arg.shape)}, {cpp(arg.stride)})"
    if _is_known(arg):
        return _type(arg) + "{}"
    if isinstance(arg, tuple):
        return f"cute::make_tuple({', '.join(map(cpp, arg))})"
    return f"int({_POWER.sub(_product, str(arg))})"


def _product(power: re.Match[str]) -> str:
    return f"({'*'.join([power[1]] * int(power[2]))})"


def _is_known(arg: Any) -> bool:
    """Whether the argument is an integer or `_`, or a tuple of such: written as its type."""
    if isinstance(arg, tuple):
        return all(map(_is_known, arg))
    return arg is None or isinstance(arg, int)


def _type(tree: Tree) -> str:
    if isinstance(tree, tuple):
        return f"tuple<{','.join(map(_type, tree))}>"
    return "Underscore" if tree is None else f"C<{tree}>"


def _call(name: str, *arguments: Arg, template: tuple[Any, ...] = ()) -> str:
    angle = f"<{','.join(map(str, template))}>" if template else ""
    return f"{name}{angle}({', '.join(map(cpp, arguments))})"


# --- the operations of cases.py ------------------------------------------------------------------

_CPP: dict[str, Callable[..., str]] = {
    "coalesce_by_mode": lambda layout, profile: _call("coalesce", layout, profile),
    "evaluate": lambda layout, coordinate: f"{cpp(layout)}({cpp(coordinate)})",
    "slice_": lambda coordinate, layout: _call("slice", coordinate, layout),
    "crd2idx": lambda c, layout: _call("crd2idx", c, layout.shape, layout.stride),
}
_OURS: dict[str, Callable[..., Any]] = {
    "make_layout": lambda shape: function("Layout")(shape),
    "evaluate": lambda layout, coordinate: layout(coordinate),
    "crd2idx": lambda c, layout: function("crd2idx")(c, layout.shape, layout.stride),
    "coalesce_by_mode": lambda layout, profile: function("coalesce")(layout, profile),
}


def _basic(op: str) -> Operation:
    name = op.removesuffix("_by_mode")
    return Operation(
        op,
        cases.GENERATORS[op],
        _CPP.get(op, lambda *args: _call(name, *args)),
        _OURS.get(op, lambda *args: function(name)(*args)),
        PROMISES[op],
        tuple(case.args for case in cases.fixed(op)),
    )


# --- random arguments of the others --------------------------------------------------------------


def _layout(rng: Random, most: int = 512) -> Lay:
    return random_layout(rng, most, (*KINDS, "overlapping"))


def _path(rng: Random, layout: Lay) -> tuple[int, ...]:
    path: list[int] = []
    while not path or rng.random() < 0.4:
        if path and not isinstance(promises.mode_at(layout, path).shape, tuple):
            break
        path.append(rng.randrange(len(promises.mode_at(layout, path).modes)))
    return tuple(path)


def _with_path(rng: Random) -> Args:
    layout = _layout(rng)
    return layout, _path(rng, layout)


def _range(rng: Random, layout: Lay, empty: bool) -> tuple[int, int]:
    begin = rng.randrange(len(layout.modes))
    return begin, rng.randint(begin if empty else begin + 1, len(layout.modes))


def _take(rng: Random) -> Args:
    layout = _layout(rng)
    return layout, *_range(rng, layout, empty=False)


def _group(rng: Random) -> Args:
    # CuTe groups tuples only.
    layout = random_layout(rng, rank=rng.choice((1, 2, 3, 3, 4)))
    return layout, *_range(rng, layout, empty=True)


def _select(rng: Random) -> Args:
    layout = random_layout(rng, rank=rng.choice((1, 2, 3, 3)))
    count = len(layout.modes)
    return layout, tuple(rng.randrange(count) for _ in range(rng.randint(1, count)))


def _unflatten(rng: Random) -> Args:
    nested = _layout(rng)
    if not isinstance(nested.shape, tuple):
        return nested, rng.choice((1, nested.shape))
    flat = Lay(tuple(leaves(nested.shape)), tuple(leaves(nested.stride)))
    return flat, fill(nested.shape, iter([0] * len(nested.flat)))


def _extension(rng: Random) -> Args:
    layout = _layout(rng)
    rank = None if rng.random() < 0.4 else len(layout.modes) + rng.choice((0, 1, 1, 2))
    return layout, rank, rng.choice((None, random_layout(rng, 32), random_layout(rng, 32)))


def _extended(name: str) -> Operation:
    front = name == "prepend"

    def text(layout: Lay, rank: int | None, mode: Lay | None) -> str:
        rest = () if mode is None else (mode,)
        return _call(name, layout, *rest, template=() if rank is None else (rank,))

    def ours(layout: Any, rank: int | None, mode: Any) -> Any:
        return function(name)(layout, *(x for x in (rank, mode) if x is not None))

    return Operation(
        name,
        _extension,
        text,
        ours,
        lambda layout, rank, mode, r: promises.extended(layout, rank, mode, front, r),
    )


def _replace(rng: Random) -> Args:
    layout = random_layout(rng, rank=rng.choice((None, 2, 3)))
    return layout, rng.randrange(len(layout.modes)), random_layout(rng, 32)


def _zip(rng: Random) -> Args:
    if rng.random() < 0.2:
        return random_layout(rng, 64, rank=None), random_layout(rng, 64, rank=None)
    rank = rng.choice((1, 2, 2, 3))
    return tuple(random_layout(rng, 128, rank=rank) for _ in range(rng.choice((2, 2, 3))))


def _repeating(rng: Random) -> Args:
    return (random_layout(rng, 1024, (*KINDS, "repeating", "repeating", "overlapping")),)


def _filter_by_mode(rng: Random) -> Args:
    layout = _repeating(rng)[0]
    return layout, random_profile(rng, layout.shape)


def _compact_major(rng: Random) -> Args:
    return random_shape(rng, 512), rng.choice((0, 1)), rng.choice((1, 1, 2, 3, 8))


def _dice(rng: Random) -> Args:
    layout = random_layout(rng)
    return random_coordinate(rng, layout.shape, 0.4), layout


def _offset(rng: Random) -> Args:
    layout = _layout(rng)
    return random_coordinate(rng, layout.shape), layout


def _same_size(rng: Random, shape: Tree) -> Tree:
    """Another shape of the same size."""
    digits = [extent for extent, _ in radices(rng, Lay(shape, shape))]
    rng.shuffle(digits)
    return nest(rng, [(extent, 0) for extent in digits]).shape


def _crd2crd(rng: Random) -> Args:
    source = random_shape(rng, 512)
    if isinstance(source, tuple) and rng.random() < 0.4:
        target: Tree = tuple(_same_size(rng, part) for part in source)
    else:
        target = _same_size(rng, source) if rng.random() < 0.9 else random_shape(rng, 64)
    coordinate = random_coordinate(rng, source)
    if isinstance(coordinate, tuple) and isinstance(target, tuple) and len(target) != len(source):
        coordinate = rng.randrange(8)
    if isinstance(coordinate, int):
        coordinate %= Lay(source, source).size
    return coordinate, source, target


def _refined(rng: Random, shape: Tree) -> Tree:
    if isinstance(shape, tuple):
        return tuple(_refined(rng, part) for part in shape)
    if rng.random() < 0.5:
        return shape
    part = rng.choice(divisors(shape))
    return (part, shape // part)


def _two_shapes(rng: Random) -> Args:
    shape = random_shape(rng, 512)
    if rng.random() < 0.3:
        return shape, random_shape(rng, 512)
    other = _refined(rng, shape)
    return (shape, other) if rng.random() < 0.8 else (other, shape)


def _tiler_shape(rng: Random, shape: Tree) -> Tree:
    if isinstance(shape, tuple) and rng.random() < 0.7:
        return tuple(_tiler_shape(rng, part) for part in shape[: rng.randint(1, len(shape))])
    size = Lay(shape, shape).size
    return rng.choice((*divisors(size), rng.choice(cases.EXTENTS)))


def _shape_and_tiler(rng: Random) -> Args:
    shape = random_shape(rng, 512)
    return shape, _tiler_shape(rng, shape)


def _shape_div(rng: Random) -> Args:
    shape = random_shape(rng, 512)
    if rng.random() < 0.5:
        return shape, rng.choice(divisors(Lay(shape, shape).size))
    return shape, fill(shape, iter([rng.choice(divisors(leaf)) for leaf in leaves(shape)]))


def _two_layouts(rng: Random) -> Args:
    a = random_layout(rng, 256)
    choice = rng.random()
    if choice < 0.3:
        return a, random_layout(rng, 256)
    other = Lay(a.shape, fill(a.shape, iter(cases.random_strides(rng, leaves(a.shape), "padded"))))
    return (a, other) if choice < 0.8 else (a, a)


def _distribute(rng: Random) -> Args:
    shape = random_shape(rng, 512)
    return shape, rng.choice((1, 2, 4, 6, 8, 12, 16, 24, 32, 60))


def _tile_to_shape(rng: Random) -> Args:
    block = random_layout(rng, 32, ("column", "row", "permuted", "padded"))
    sizes = [mode.size for mode in block.modes]
    sizes += [1] * rng.choice((0, 0, 1))
    target: Tree = tuple(size * rng.choice((1, 2, 3, 4)) for size in sizes)
    if rng.random() < 0.1:
        target = (*target[1:], rng.choice(cases.EXTENTS))
    if len(target) == 1 and rng.random() < 0.5:
        target = target[0]
    order = rng.choice((None, random_order(rng, target))) if isinstance(target, tuple) else None
    return block, target, order


def _tile_unzip(rng: Random) -> Args:
    count = rng.randint(1, 3)
    pairs = [random_layout(rng, 64, rank=2) for _ in range(count)]
    beyond = [random_layout(rng, 16) for _ in range(rng.choice((0, 0, 1)))]
    return promises.joined([*pairs, *beyond]), (1,) * count


def _scaled(rng: Random) -> Args:
    number = rng.choice((1, 2, 2, 4, 4, 8, 3))
    layout = random_layout(rng, 256, ("column", "row", "permuted", "padded", "repeating"))
    if rng.random() < 0.8:
        layout = Lay(
            layout.shape,
            fill(
                layout.shape,
                iter([d if d < 2 else number * d for d in leaves(layout.stride)]),
            ),
        )
    return layout, number


def _recast(rng: Random) -> Args:
    layout, number = _scaled(rng)
    small = rng.choice((8, 16))
    if number not in (1, 2, 4, 8) or small * number > 64:
        number = 2
    bits = (small, small * number)
    return layout, *rng.sample(bits, 2)


def _shape(rng: Random) -> Args:
    return (random_shape(rng, 512),)


def _same(name: str, generate: Callable[[Random], Args], promise: Callable[..., str]) -> Operation:
    """An operation that C++ and symcute call alike."""
    return Operation(
        name,
        generate,
        lambda *args: _call(name, *args),
        lambda *args: function(name)(*args),
        promise,
    )


def _measured(name: str, promise: Callable[[Lay, Any], str]) -> Operation:
    """size, shape, ... of the mode of a mode."""
    return Operation(
        f"{name}_of_mode",
        _with_path,
        lambda layout, path: _call(name, layout, template=path),
        lambda layout, path: function(name)(layout, *path),
        lambda layout, path, r: promise(promises.mode_at(layout, path), r),
    )


def _yes(condition: Callable[..., bool]) -> Callable[..., str]:
    return lambda *args: promises.expect(int(condition(*args[:-1])), args[-1])


def _of_identity(op: str) -> Operation:
    """An operation whose layout is the identity of a shape; its strides are coordinates."""
    name = op.removesuffix("_by_mode")

    def generate(rng: Random) -> Args:
        shape = random_shape(rng, 512, rank=rng.choice((1, 2, 2, 3)))
        layout = Lay(shape, fill(shape, iter(cases.random_strides(rng, leaves(shape), "column"))))
        if op == "composition":
            return shape, cases.random_right(rng, layout)
        return shape, cases.tiler_by_mode(rng, layout)

    return Operation(
        f"{op}_of_identity",
        generate,
        lambda shape, other: f"{name}(make_identity_layout({cpp(shape)}), {cpp(other)})",
        lambda shape, other: function(name)(function("make_identity_layout")(shape), other),
        lambda shape, other, r: promises.of_identity(PROMISES[op], shape, other, r),
    )


MAJORS = ("left", "right")

_OTHERS = [
    Operation(
        "get",
        _with_path,
        lambda layout, path: _call("layout", layout, template=path),
        lambda layout, path: function("get")(layout, *path),
        lambda layout, path, r: promises.expect(promises.mode_at(layout, path), r),
    ),
    _measured("shape", lambda mode, r: promises.expect(mode.shape, r)),
    _measured("stride", lambda mode, r: promises.expect(mode.stride, r)),
    _measured("size", lambda mode, r: promises.expect(mode.size, r)),
    _measured("rank", lambda mode, r: promises.expect(len(mode.modes), r)),
    _measured("depth", lambda mode, r: PROMISES["depth"](mode, r)),
    _measured("cosize", lambda mode, r: promises.expect(mode.cosize, r)),
    _measured("coshape", lambda mode, r: promises.expect(mode.cosize, r)),
    Operation(
        "take",
        _take,
        lambda layout, begin, end: _call("take", layout, template=(begin, end)),
        lambda layout, begin, end: function("take")(layout, begin, end),
        lambda layout, begin, end, r: promises.expect(promises.joined(layout.modes[begin:end]), r),
    ),
    Operation(
        "select",
        _select,
        lambda layout, modes: _call("select", layout, template=modes),
        lambda layout, modes: function("select")(layout, *modes),
        lambda layout, modes, r: promises.expect(
            promises.joined([layout.modes[k] for k in modes]), r
        ),
    ),
    Operation(
        "group",
        _group,
        lambda layout, begin, end: _call("group", layout, template=(begin, end)),
        lambda layout, begin, end: function("group")(layout, begin, end),
        promises.group,
    ),
    _same("unflatten", _unflatten, promises.unflatten),
    _extended("append"),
    _extended("prepend"),
    Operation(
        "replace",
        _replace,
        lambda layout, number, mode: _call("replace", layout, mode, template=(number,)),
        lambda layout, number, mode: function("replace")(layout, number, mode),
        promises.replace,
    ),
    Operation(
        "zip",
        _zip,
        # Layouts are zipped in twos; for more, CuTe's zip of their shapes and of their strides.
        lambda *args: (
            _call("zip", *args)
            if len(args) == 2
            else f"make_layout({_call('zip', *(a.shape for a in args))}, "
            f"{_call('zip', *(a.stride for a in args))})"
        ),
        lambda *args: function("zip_")(*args),
        lambda *args: promises.zipped(args[:-1], args[-1]),
    ),
    Operation(
        "transform_leaf",
        lambda rng: (_layout(rng),),
        lambda layout: (
            f"make_layout({cpp(layout.shape)}, transform_leaf({cpp(layout.stride)}, Twice{{}}))"
        ),
        lambda layout: function("transform_leaf")(layout, lambda s, d: (s, 2 * d)),
        promises.doubled,
    ),
    Operation(
        "filter",
        _repeating,
        lambda layout: _call("filter", layout),
        lambda layout: function("filter_")(layout),
        lambda layout, r: promises.filtered(layout, None, r),
    ),
    Operation(
        "filter_by_mode",
        _filter_by_mode,
        lambda layout, profile: _call("filter", layout, profile),
        lambda layout, profile: function("filter_")(layout, profile),
        promises.filtered,
    ),
    _same("filter_zeros", _repeating, promises.filter_zeros),
    Operation(
        "compact_major",
        _compact_major,
        lambda shape, row, start: _call(
            "compact_major", shape, start, template=(("LayoutLeft", "LayoutRight")[row],)
        ),
        lambda shape, row, start: function("compact_major")(shape, MAJORS[row], start),
        lambda shape, row, start, r: promises.compact_major(shape, start, r, bool(row)),
    ),
    _same(
        "compact_order",
        lambda rng: cases.GENERATORS["make_ordered_layout"](rng),
        lambda shape, order, r: promises.compact(shape, r),
    ),
    _same("make_layout_like", lambda rng: (_layout(rng),), promises.make_layout_like),
    _same("make_fragment_like", lambda rng: (_layout(rng),), promises.make_fragment_like),
    _same("dice", _dice, promises.dice),
    _same(
        "domain_offset",
        _offset,
        lambda c, layout, r: promises.expect((layout, layout.at_coordinate(c)), r),
    ),
    _same("crd2crd", _crd2crd, promises.crd2crd),
    _same(
        "congruent",
        _two_shapes,
        _yes(lambda a, b: render_profile(a) == render_profile(b)),
    ),
    _same("weakly_congruent", _two_shapes, _yes(promises.weakly_congruent)),
    _same("compatible", _two_shapes, _yes(lambda a, b: refines(b, a))),
    _same("evenly_divides", _shape_and_tiler, _yes(promises.tiles)),
    _same(
        "ceil_div",
        _shape_and_tiler,
        promises.ceil_div,
    ),
    _same("shape_div", _shape_div, lambda a, b, r: promises.divided(a, b, r, exact=True)),
    _same("make_identity_layout", _shape, promises.identity),
    _of_identity("composition"),
    _of_identity("composition_by_mode"),
    _of_identity("logical_divide_by_mode"),
    _of_identity("zipped_divide"),
    _same("max_common_layout", _two_layouts, promises.max_common_layout),
    _same("max_common_vector", _two_layouts, promises.max_common_vector),
    _same("domain_distribute", _distribute, promises.domain_distribute),
    _same("nullspace", _repeating, promises.nullspace),
    Operation(
        "tile_to_shape",
        _tile_to_shape,
        lambda block, target, order: _call(
            "tile_to_shape", block, target, *(() if order is None else (order,))
        ),
        lambda block, target, order: function("tile_to_shape")(
            block, target, *(() if order is None else (order,))
        ),
        lambda block, target, order, r: promises.tile_to_shape(block, target, r),
    ),
    _same("tile_unzip", _tile_unzip, promises.tile_unzip),
    Operation(
        "upcast",
        _scaled,
        lambda layout, number: _call("upcast", layout, template=(number,)),
        lambda layout, number: function("upcast")(layout, number),
        promises.upcast,
    ),
    Operation(
        "downcast",
        _scaled,
        lambda layout, number: _call("downcast", layout, template=(number,)),
        lambda layout, number: function("downcast")(layout, number),
        promises.downcast,
    ),
    Operation(
        "recast_layout",
        _recast,
        lambda layout, old, new: _call(
            "recast_layout", layout, template=(f"uint{old}_t", f"uint{new}_t")
        ),
        lambda layout, old, new: function("recast")(layout, old, new),
        promises.recast,
    ),
]

#: The operations after those of `cases.py` that the DSL's worker knows as well.
DSL_TOO = (
    "get",
    "select",
    "group",
    "append",
    "prepend",
    "filter",
    "filter_zeros",
    "dice",
    "make_layout_like",
    "make_identity_layout",
    "composition_of_identity",
    "composition_by_mode_of_identity",
    "logical_divide_by_mode_of_identity",
    "zipped_divide_of_identity",
    "congruent",
    "weakly_congruent",
    "shape_div",
    "max_common_layout",
    "max_common_vector",
    "tile_to_shape",
    "recast_layout",
)

#: Every operation by name; those only C++ offers, and those the DSL offers as well.
CPP_ONLY = {operation.name: operation for operation in _OTHERS}
OPERATIONS = {op: _basic(op) for op in cases.GENERATORS} | CPP_ONLY
