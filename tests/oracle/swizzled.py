"""Swizzles and swizzled layouts as the C++ oracle asks them, and what their operations promise.

Most operations of a swizzled layout are those of its layout, with swizzle and offset before the
result: their cases are those of the layout operations, their promise is that of the layouts inside.
The others promise something of the maps, compared index by index in plain integers.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product as cartesian
from typing import Any

import symcute
from symcute.claims.language import show_value

from . import promises
from .cases import fill, random_coordinate, random_order
from .dsl import Answer
from .operations import OPERATIONS, Args, Operation
from .operations import cpp as plain_cpp
from .postconditions import Lay, leaves, render_profile, sliced
from .postconditions import read as read_plain

Random = random.Random


@dataclass(frozen=True)
class Sw:
    """A swizzle: its three numbers, and what they do to an integer."""

    bits: int
    base: int
    shift: int

    def __str__(self) -> str:
        return f"Sw<{self.bits},{self.base},{self.shift}>"

    def __call__(self, x: int) -> int:
        """For each bit of the field: the other one is exclusive-ored into it."""
        for k in range(self.base, self.base + self.bits):
            source, target = k + max(self.shift, 0), k - min(self.shift, 0)
            # The two fields do not overlap, so the order does not matter.
            x ^= (x >> source & 1) << target
        return x


@dataclass(frozen=True)
class Turned:
    """A swizzle after an offset after a layout."""

    swizzle: Sw
    offset: int
    layout: Lay

    def __str__(self) -> str:
        return f"{self.swizzle} o {self.offset} o {self.layout}"

    @property
    def size(self) -> int:
        return self.layout.size

    @property
    def flat(self) -> list[tuple[int, int]]:
        return self.layout.flat

    def at(self, index: int) -> int:
        return self.swizzle(self.offset + self.layout.at(index))

    def offsets(self) -> list[int]:
        return [self.swizzle(self.offset + x) for x in self.layout.offsets()]


@dataclass(frozen=True)
class Undone:
    """A layout after an offset after a swizzle, as CuTe writes inverses at an offset."""

    layout: Lay
    offset: int
    swizzle: Sw

    @property
    def size(self) -> int:
        return self.layout.size

    def at(self, index: int) -> int:
        return self.layout.at(self.offset + self.swizzle(index))


Map = Lay | Turned | Undone

_SWIZZLE = re.compile(r"Sw<(-?\d+),(-?\d+),(-?\d+)>")
_PAIR = re.compile(r"\((Sw<.*>.* o .*),(-?\d+)\)")
#: What CuTe drops.
_IDENTITY = re.compile(r"Sw<0,\d+,-?\d+> o 0 o ")


def read(text: str) -> Any:
    """The value of a printed result, in the classes of this file where it has a swizzle."""
    if "Sw<" not in text:
        return read_plain(text)
    pair = _PAIR.fullmatch(text)
    if pair:
        return read(pair[1]), int(pair[2])
    parts = text.split(" o ")
    swizzles = {k: m for k, part in enumerate(parts) if (m := _SWIZZLE.fullmatch(part))}
    (place, match), *more = swizzles.items()
    swizzle = Sw(*map(int, match.groups()))
    if more or len(parts) not in (1, 3):
        raise ValueError(f"{text} has another form")
    if len(parts) == 1:
        return swizzle
    layout = read_plain(parts[2 - place])
    if not isinstance(layout, Lay):
        raise ValueError(f"{text} has another form")
    if place == 0:
        return Turned(swizzle, int(parts[1]), layout)
    return Undone(layout, int(parts[1]), swizzle)


def to_symcute(arg: Any) -> Any:
    if isinstance(arg, Sw):
        return symcute.Swizzle(arg.bits, arg.base, arg.shift)
    if isinstance(arg, Turned):
        return symcute.ComposedLayout(to_symcute(arg.swizzle), arg.offset, to_symcute(arg.layout))
    if isinstance(arg, Lay):
        return symcute.Layout(arg.shape, arg.stride)
    return tuple(map(to_symcute, arg)) if isinstance(arg, tuple) else arg


def cpp(arg: Any) -> str:
    """The argument as a C++ value."""
    if isinstance(arg, Sw):
        return f"Swizzle<{arg.bits},{arg.base},{arg.shift}>{{}}"
    if isinstance(arg, Turned):
        return f"composition({cpp(arg.swizzle)}, C<{arg.offset}>{{}}, {plain_cpp(arg.layout)})"
    return plain_cpp(arg)


def call(name: str, *args: Any, template: tuple[Any, ...] = ()) -> str:
    angle = f"<{','.join(map(str, template))}>" if template else ""
    return f"{name}{angle}({', '.join(map(cpp, args))})"


class SwizzledOperation(Operation):
    """An operation whose arguments or result may be swizzled."""

    def text(self, args: Args) -> str:
        value = self.ours(*map(to_symcute, args))
        text = str(int(value)) if isinstance(value, (bool, int)) else show_value(value)
        return _IDENTITY.sub("", text.replace(", ", ","))

    def judged(self, args: Args, theirs: Answer) -> tuple[str, str]:
        """As of layouts; CuTe drops swizzles of no bits now and then."""
        if theirs.text is not None:
            theirs = Answer(_IDENTITY.sub("", theirs.text))
        return super().judged(args, theirs)

    def broken(self, args: Args, text: str) -> str:
        value = read(text)
        found = value[0] if isinstance(value, tuple) and value else value
        inside = getattr(found, "layout", found)
        if isinstance(inside, Lay) and any(extent < 1 for extent in leaves(inside.shape)):
            return "an extent below 1"
        return self.promise(*args, value)


# --- random arguments ----------------------------------------------------------------------------


def random_swizzle(rng: Random) -> Sw:
    bits = rng.randint(1, 3)
    return Sw(bits, rng.randint(0, 4), rng.choice((bits, bits, bits + 1, -bits, -bits - 1)))


def random_offset(rng: Random) -> int:
    return rng.choice((0, 0, 0, 64, 1024, 5, 256, 24))


def powers(rng: Random, most: int = 9, gaps: bool = True) -> Lay:
    """A layout of powers of two: each bit of the index goes to a bit of its own."""
    left = rng.randint(2, most)
    extents = []
    while left:
        taken = rng.randint(1, min(left, 4))
        extents.append(taken)
        left -= taken
    order = rng.sample(range(len(extents)), len(extents))
    strides, current = [0] * len(extents), 1
    for k in order if rng.random() < 0.7 else range(len(extents)):
        if gaps and rng.random() < 0.15:
            current *= rng.choice((2, 4))
        strides[k] = current
        current <<= extents[k]
    shape: Any = tuple(1 << e for e in extents)
    stride: Any = tuple(strides)
    if len(shape) > 2 and rng.random() < 0.4:
        shape, stride = (shape[:2], *shape[2:]), (stride[:2], *stride[2:])
    if len(shape) == 1 and rng.random() < 0.6:
        shape, stride = shape[0], stride[0]
    return Lay(shape, stride)


def turned(rng: Random, layout: Lay, offset: int | None = None) -> Turned:
    return Turned(random_swizzle(rng), random_offset(rng) if offset is None else offset, layout)


def _maybe_turned(rng: Random) -> Any:
    layout = rng.choice((powers(rng), OPERATIONS["size"].generate(rng)[0]))
    return turned(rng, layout) if rng.random() < 0.7 else layout


def _sliced(rng: Random) -> Args:
    layout = powers(rng)
    if rng.random() < 0.15:
        layout = OPERATIONS["size"].generate(rng)[0]
    crd = random_coordinate(rng, layout.shape, 0.45)
    while rng.random() < 0.95 and not sliced(crd, layout.shape):
        crd = random_coordinate(rng, layout.shape, 0.45)
    return crd, turned(rng, layout)


def _common(rng: Random) -> Args:
    a, b = OPERATIONS["max_common_layout"].generate(rng)
    if rng.random() < 0.5:
        a = powers(rng)
        b = rng.choice((a, Lay(a.shape, fill(a.shape, iter(reversed(leaves(a.stride)))))))
    return (turned(rng, a), b) if rng.random() < 0.6 else (a, turned(rng, b))


def _common_vectors(rng: Random) -> Args:
    a, b = _common(rng)
    if rng.random() < 0.4:
        a, b = (x if isinstance(x, Turned) else turned(rng, x) for x in (a, b))
        if rng.random() < 0.5:
            b = replace(b, swizzle=a.swizzle, offset=rng.choice((a.offset, b.offset)))
    return a, b


def _blocks_and_turned(rng: Random) -> Args:
    return powers(rng, 5), turned(rng, powers(rng, 6), 0)


def _zipped(rng: Random) -> Args:
    modes = [powers(rng, 4) for _ in range(rng.randint(1, 3))]
    pairs = [promises.joined([x, y]) for x, y in zip(modes, modes[::-1], strict=True)]
    shape = tuple(p.shape for p in pairs)
    order = random_order(rng, shape)
    return (turned(rng, Lay(shape, fill(shape, iter(1 << k for k in leaves(order))))),)


def _two_swizzles(rng: Random) -> Args:
    """Mostly two of one shift whose fields, side by side or one inside of the other, make a run."""
    first = random_swizzle(rng)
    bits = rng.randint(1, 3)
    base = rng.choice((first.base + first.bits, first.base, abs(first.base - bits)))
    shift = first.shift + rng.choice((0, 0, 0, 2, 3)) * (1 if first.shift > 0 else -1)
    first = replace(first, shift=shift)
    return first, Sw(bits, base, shift if abs(shift) >= bits and rng.random() < 0.9 else bits)


# --- promises ------------------------------------------------------------------------------------


def same(expected: Callable[[int], int], size: int, result: Map, more: int = 0) -> str:
    """Whether the result plus a number is the expected map."""
    if result.size != size:
        return f"of size {result.size}, not {size}"
    bad = next((i for i in range(size) if result.at(i) + more != expected(i)), None)
    return "" if bad is None else f"at {bad} it is {result.at(bad) + more}, not {expected(bad)}"


def _slice_and_offset(crd: Any, c: Turned, result: Any) -> str:
    found, offset = result if isinstance(result, tuple) else (result, None)
    inside = Lay(sliced(crd, c.layout.shape), sliced(crd, c.layout.stride))
    if crd is None:
        inside = c.layout
    start = c.offset + c.layout.at_coordinate(crd)
    layout = found.layout if isinstance(found, Turned) else found
    if len(layout.modes) != len(inside.modes):
        return "another rank"
    if offset is None:  # `slice` drops the offset: any will do
        offset = c.swizzle(start) - found.at(0)
    return same(lambda i: c.swizzle(start + inside.at(i)), inside.size, found, offset)


def _domain_offset(crd: Any, c: Turned, result: Any) -> str:
    found, offset = result
    moved = replace(c, offset=c.offset + c.layout.at_coordinate(crd))
    return same(moved.at, c.size, found, offset) or promises.expect(c.layout, found.layout)


def _right_inverse(c: Map, result: Map) -> str:
    for i in range(result.size):
        if not 0 <= result.at(i) < c.size or c.at(result.at(i)) != i:
            return f"C(R({i})) is not {i}"
    return ""


def _left_inverse(c: Turned, result: Map) -> str:
    injective = len(set(c.offsets())) == c.size
    for i, x in enumerate(c.offsets()):
        back = result.at(x)
        if back != i if injective else c.at(back) != x:
            return f"I(C({i})) is {back}"
    return ""


def _words(c: Turned, n: int, result: Map) -> str:
    """Element x of C lies in word x // n, at the coordinate that counts words."""
    inside = result.layout if isinstance(result, Turned) else result
    if not isinstance(inside, Lay) or render_profile(inside.shape) != render_profile(
        c.layout.shape
    ):
        return "another hierarchy"
    for digits in cartesian(*(range(s) for s, _ in c.flat)):
        x = c.swizzle(c.offset + sum(i * d for i, (_, d) in zip(digits, c.flat, strict=True)))
        groups = (n // d if 0 < d < n and n % d == 0 else 1 for _, d in c.flat)
        coarse = [i // g for i, g in zip(digits, groups, strict=True)]
        place = sum(i * d for i, (_, d) in zip(coarse, inside.flat, strict=True))
        if isinstance(result, Turned):
            place = result.swizzle(result.offset + place)
        if x // n != place:
            return f"the element at {digits} is not in its word"
    return ""


def _elements(c: Turned, n: int, result: Any) -> str:
    expected = sorted(n * x + r for x in c.offsets() for r in range(n))
    return "" if sorted(result.offsets()) == expected else "other elements"


def _recast(c: Turned, old: int, new: int, result: Any) -> str:
    return _words(c, new // old, result) if new > old else _elements(c, old // new, result)


def _products(block: Lay, tiler: Turned, result: Turned) -> str:
    gaps = read_plain(str(symcute.complement(to_symcute(block), block.size * tiler.layout.cosize)))
    assert isinstance(gaps, Lay)
    return same(
        lambda i: block.at(i % block.size) + gaps.at(tiler.at(i // block.size)),
        block.size * tiler.size,
        result,
    )


def _common_run(a: Map, b: Map, result: Lay) -> str:
    """The layouts inside have the run in common, and no swizzle breaks one of that length."""
    return promises.max_common_layout(*_inside((a, b)), result) or _broken_run(a, b, result.size)


def _common_vector(a: Map, b: Map, result: int) -> str:
    found = promises.max_common_vector(*_inside((a, b)), result)
    return found or ("" if result > 0 else "below 1") or _broken_run(a, b, result)


def _broken_run(a: Map, b: Map, length: int) -> str:
    """Whether both swizzles keep all runs of a length that begin at a multiple of it in one piece.

    Of a length that is no power of two, only the first. Two equal swizzles at one offset turn the
    runs around alike.
    """
    swizzled = [x for x in (a, b) if isinstance(x, Turned)]
    if len({(x.swizzle, x.offset) for x in swizzled}) < len(swizzled):
        return ""
    for x in swizzled:
        vectors = {offset - offset % length for offset in x.layout.offsets()}
        for start in (0,) if length & (length - 1) else vectors:
            first = x.swizzle(x.offset + start)
            if any(x.swizzle(x.offset + start + i) != first + i for i in range(length)):
                return f"the swizzle breaks the run at {x.offset + start}"
    return ""


def _aligned_runs(c: Any, result: int) -> str:
    """The offsets are runs of that many neighbours, each at a multiple of their number."""
    reached = set(c.offsets())
    if result < 1:
        return "below 1"
    found = (x - x % result + k for x in reached for k in range(result))
    return "" if reached.issuperset(found) else "runs with gaps"


def _nullspace(c: Turned, result: Lay) -> str:
    if any(c.at(i) != c.at(0) for i in result.offsets()):
        return "C(R(i)) is not C(0)"
    return promises.nullspace(c.layout, result)


# --- operations ----------------------------------------------------------------------------------


def place(args: Args) -> int:
    """The place of the layout that gets the swizzle: domain_offset has it second."""
    return next(k for k, x in enumerate(args) if isinstance(x, (Lay, Turned)))


def _inside(args: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(x.layout if isinstance(x, Turned) else x for x in args)


def _named(name: str) -> str:
    return f"{name} (swizzled)"


def _turned_arguments(plain: Operation, offsets: bool) -> Callable[[Random], Args]:
    def generate(rng: Random) -> Args:
        args = plain.generate(rng)
        while plain.name == "append" and None in args:  # CuTe appends X up to a rank
            args = plain.generate(rng)
        k = place(args)
        layout = args[k]
        assert isinstance(layout, Lay)
        return (*args[:k], turned(rng, layout, None if offsets else 0), *args[k + 1 :])

    return generate


def keeping(name: str) -> SwizzledOperation:
    """A layout operation that keeps swizzle and offset."""
    plain = OPERATIONS[name]

    def text(*args: Any) -> str:
        k, inside = place(args), _inside(args)
        return plain.cpp(*inside).replace(plain_cpp(inside[k]), cpp(args[k]), 1)

    def promise(*given: Any) -> str:
        *args, result = given
        before = args[place(tuple(args))]
        if not isinstance(result, Turned):
            return "swizzle and offset are lost"
        if (result.swizzle, result.offset) != (before.swizzle, before.offset):
            return "another swizzle or offset"
        return plain.promise(*_inside(tuple(args)), result.layout)

    return SwizzledOperation(
        _named(name), _turned_arguments(plain, True), text, plain.ours, promise
    )


def changing(
    name: str, promise: Callable[..., str], generate: Callable[[Random], Args] | None = None
) -> SwizzledOperation:
    """A layout operation that does something to swizzle or offset, or forgets them."""
    plain = OPERATIONS[name]

    def text(*args: Any) -> str:
        k, inside = place(args), _inside(args)
        return plain.cpp(*inside).replace(plain_cpp(inside[k]), cpp(args[k]), 1)

    return SwizzledOperation(
        _named(name), generate or _turned_arguments(plain, True), text, plain.ours, promise
    )


def forgetting(name: str) -> SwizzledOperation:
    """A layout operation that is that of the layout inside."""
    plain = OPERATIONS[name]
    return changing(name, lambda *given: plain.promise(*_inside(given[:-1]), given[-1]))


def of_maps(
    name: str,
    generate: Callable[[Random], Args],
    ours: Callable[..., Any],
    promise: Callable[..., str],
    op: str = "",
) -> SwizzledOperation:
    """An operation of swizzles, or with a swizzled second operand."""
    return SwizzledOperation(
        name, generate, lambda *args: call(op or name.split()[0], *args), ours, promise
    )


def _scaled_swizzle(name: str, ours: Callable[..., Any], promise: Any) -> SwizzledOperation:
    return SwizzledOperation(
        f"{name} (of a swizzle)",
        lambda rng: (random_swizzle(rng), rng.choice((1, 2, 4, 8, 16))),
        lambda sw, n: call(name, sw, template=(n,)),
        ours,
        promise,
    )


INDICES = range(1 << 12)


def _same_swizzle(expected: Callable[[int], int], result: Sw) -> str:
    return "" if all(result(x) == expected(x) for x in INDICES) else "another map"


def _cast_swizzle(sw: Sw, n: int, result: Sw) -> str:
    return "" if all(result(x // n) == sw(x) // n for x in INDICES) else "other words"


KEEPING = (
    "composition", "composition_by_mode", "logical_divide", "logical_divide_by_mode",
    "zipped_divide", "tiled_divide", "flat_divide", "logical_product", "zipped_product",
    "tiled_product", "flat_product", "blocked_product", "raked_product", "tile_to_shape",
    "tile_unzip", "coalesce", "coalesce_by_mode", "filter_by_mode", "flatten", "get", "take",
    "group", "append",
)  # fmt: skip
FORGETTING = ("complement", "size", "cosize", "rank", "depth", "make_fragment_like")


def _operations() -> Iterator[SwizzledOperation]:
    yield from map(keeping, KEEPING)
    yield from map(forgetting, FORGETTING)
    yield changing("evaluate", lambda c, x, r: promises.expect(c.swizzle(
        c.offset + c.layout.at_coordinate(x)), r))  # fmt: skip
    for name in ("slice_", "slice_and_offset"):
        yield changing(name, _slice_and_offset, _sliced)
    yield changing("domain_offset", _domain_offset)
    yield changing("right_inverse", _right_inverse, lambda rng: (turned(rng, powers(rng), 0),))
    yield changing("left_inverse", _left_inverse, lambda rng: (turned(rng, powers(rng), 0),))
    yield of_maps(
        "left_inverse (swizzled, at an offset)",
        lambda rng: (turned(rng, powers(rng, 6), rng.choice((64, 128, 256, 1024))),),
        symcute.left_inverse,
        _left_inverse,
    )
    yield changing("upcast", _words)
    yield changing("downcast", _elements)
    yield changing("recast_layout", _recast)
    yield changing("nullspace", _nullspace)
    yield SwizzledOperation(
        "zip (swizzled)", _zipped, lambda c: call("zip", c), symcute.zip_,
        lambda c, r: promises.zipped(c.layout.modes, r.layout) if len(c.layout.modes) > 1 else "",
    )  # fmt: skip
    yield SwizzledOperation(
        "max_common_layout (swizzled)",
        _common,
        lambda a, b: call("max_common_layout", a, b),
        symcute.max_common_layout,
        _common_run,
    )
    yield SwizzledOperation(
        "max_common_vector (swizzled)",
        _common_vectors,
        lambda a, b: call("max_common_vector", a, b),
        symcute.max_common_vector,
        _common_vector,
    )
    yield of_maps(
        "composition (of swizzles)",
        _two_swizzles,
        symcute.composition,
        lambda a, b, r: _same_swizzle(lambda x: a(b(x)), r),
    )
    yield of_maps(
        "composition (with a swizzle)",
        lambda rng: (powers(rng), random_swizzle(rng)),
        symcute.composition,
        lambda a, b, r: same(lambda i: a.at(b(i)), a.size, r),
    )
    yield of_maps(
        "composition (with a swizzled layout)",
        lambda rng: ((a := powers(rng)), turned(rng, powers(rng, a.size.bit_length() - 1), 0)),
        symcute.composition,
        lambda a, b, r: same(lambda i: a.at(b.at(i)), b.size, r),
    )
    for name in ("logical_product", "zipped_product"):
        yield of_maps(
            f"{name} (by a swizzled layout)", _blocks_and_turned, getattr(symcute, name), _products
        )
    for portion in (symcute.get_swizzle_portion, symcute.get_nonswizzle_portion):
        part = "swizzle" if portion is symcute.get_swizzle_portion else "layout"
        yield of_maps(
            portion.__name__,
            lambda rng: (_maybe_turned(rng),),
            portion,
            lambda c, r, part=part: promises.expect(
                getattr(c, part, c if part == "layout" else Sw(0, 4, 3)), r
            ),
        )
    yield of_maps(
        "max_alignment", lambda rng: (_maybe_turned(rng),), symcute.max_alignment, _aligned_runs
    )
    yield of_maps(
        "max_alignment (of a swizzle)",
        lambda rng: (random_swizzle(rng),),
        symcute.max_alignment,
        lambda sw, r: "" if all(sw(x) == sw(x - x % r) + x % r for x in INDICES) else "moved",
    )
    yield _scaled_swizzle("upcast", symcute.upcast, _cast_swizzle)
    yield _scaled_swizzle("downcast", symcute.downcast, lambda sw, n, r: _cast_swizzle(r, n, sw))
    for name in ("right_inverse", "left_inverse"):
        yield of_maps(
            f"{name} (of a swizzle)",
            lambda rng: (random_swizzle(rng),),
            getattr(symcute, name),
            lambda sw, r: _same_swizzle(sw, r),
        )


SWIZZLED = {operation.name: operation for operation in _operations()}
