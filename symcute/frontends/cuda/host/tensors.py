"""Tensors that host code is given: what their sizes, strides and bytes have to do with each other.

PyTorch's functions check some of what they are given: how many dims, which type, whether it is
contiguous. What they check is a fact on the way to the launch; what they do not check, and a launch
is meant for, is taken for so, and said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from symcute.expr import terms
from symcute.expr.node import Node, Term
from symcute.frontends.cuda.ctype import CType, Record
from symcute.frontends.cuda.headers import TORCH, headers, is_ours
from symcute.frontends.cuda.host.numbers import Fact, Numbers, Symbol
from symcute.frontends.cuda.host.program import Received
from symcute.frontends.cuda.host.state import (
    Found,
    Memory,
    Pending,
    Spot,
    Tensor,
    Value,
    with_numbers,
)
from symcute.frontends.cuda.library import place_of
from symcute.frontends.cuda.values import Parts, Slot
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Int, Kernel

__all__ = [
    "is_tensor",
    "may_hold_tensor",
    "received",
    "settled",
    "tensor_in",
    "tensor_of",
    "tensor_text",
]

#: Dims of a tensor, how many of them are asked for from the end, how large one is taken to be, and
#: how many elements lie in memory.
MOST_DIMS, MOST_LAST, MOST_SIZE, MOST_ELEMENTS = 8, 4, (1 << 31) - 1, 1 << 40
#: That a tensor has more dims is known, and no more of it.
MOST_RANK = 1 << 16
#: A type is a number of its own times this, and the bytes of an element.
BYTES_OF_TYPE, MOST_TYPE = 32, 32 * 64 - 1
_LONG = Int(64, True)


def tensor_text(title: str) -> str:
    """Return what the memory of a tensor that is given is called."""
    return f"the tensor {title}"


def is_tensor(type: CType) -> bool:
    """Is this a tensor, as our header declares it?"""
    return (
        isinstance(type, Record) and type.name == "Tensor" and is_ours(place_of(type.cursor).file)
    )


def may_hold_tensor(type: CType) -> bool:
    """Is this a tensor, or one that may be left out (`std::optional`)?"""
    if not isinstance(type, Record) or type.name != "optional":
        return is_tensor(type)
    return is_ours(place_of(type.cursor).file) and any(is_tensor(f.type) for f in type.fields)


def tensor_in(spot: object) -> Parts | None:
    """Return the tensor that a parameter is, or has in it where it is there."""
    if not isinstance(spot, Parts) or not may_hold_tensor(spot.record):
        return None
    return spot if is_tensor(spot.record) else tensor_in(spot.spots["symcute_value"])


def received(title: str, spot: Parts, place: Place) -> Received:
    """Return the statement that a parameter is a tensor."""

    def slot(name: str) -> str:
        found = spot.spots[name]
        assert isinstance(found, Slot)
        return found.name

    return Received(
        title,
        slot("symcute_rank"),
        slot("symcute_numel"),
        tuple(slot(f"size_{i}") for i in range(MOST_DIMS)),
        tuple(slot(f"stride_{i}") for i in range(MOST_DIMS)),
        tuple(slot(f"last_{i}") for i in range(1, MOST_LAST + 1)),
        tuple(slot(f"last_stride_{i}") for i in range(1, MOST_LAST + 1)),
        slot("symcute_type"),
        slot("symcute_contiguous"),
        slot("symcute_held"),
        place,
    )


def tensor_of(
    s: Received, env: Mapping[str, Value | Pending], numbers: Numbers
) -> tuple[Tensor, Term]:
    """Return a tensor that is given, its memory not yet numbered, and the bytes of this.

    Its parts get the ranges that they have in a tensor, and the names that its reader knows.
    """
    named = {s.rank: "dim()", s.numel: "numel()", s.type: "type", s.contiguous: "contiguous"}
    for axis, (size, stride) in enumerate(zip(s.sizes, s.strides, strict=True)):
        named |= {size: f"size({axis})", stride: f"stride({axis})"}
    for axis, (size, stride) in enumerate(zip(s.last_sizes, s.last_strides, strict=True), 1):
        named |= {size: f"size(-{axis})", stride: f"stride(-{axis})"}
    found: dict[str, Term] = {}
    for variable, what in named.items():
        value = env[variable]
        assert isinstance(value, (str, Node))
        found[variable] = value
        (name,) = terms.names(value)
        symbol = numbers.symbols[name]
        symbol.title, symbol.reason = f"{s.title}.{what}", f"{what} of the tensor {s.title}"
        most = MOST_SIZE if what.startswith("size(") else MOST_ELEMENTS
        most = {s.rank: MOST_RANK, s.type: MOST_TYPE, s.contiguous: 1}.get(variable, most)
        numbers.ranges[name] = (0, most)

    def each(variables: tuple[str, ...]) -> tuple[Term, ...]:
        return tuple(found[x] for x in variables)

    tensor = Tensor(
        s.title, found[s.rank], found[s.numel], each(s.sizes), each(s.strides),
        each(s.last_sizes), each(s.last_strides), found[s.type], found[s.contiguous], 0, s.place,
    )  # fmt: skip
    return tensor, terms.mul(tensor.numel, terms.remainder(tensor.type, BYTES_OF_TYPE))


def settled(
    found: Found, kernel: Kernel, tensors: Sequence[Tensor], numbers: Numbers
) -> Iterator[Found]:
    """Yield a launch with what its tensors are, for each number of dims that they may have.

    Post-conditions: a launch that is executed is one of them, or one of `taken` does not hold.
    """
    if not tensors:
        yield found
        return
    first, rest = _meant(tensors[0], found.same), tensors[1:]
    for here in _ranked(found, kernel, first, numbers):
        yield from settled(here, kernel, rest, numbers)


def _meant(t: Tensor, same: tuple[tuple[str, Term], ...]) -> Tensor:
    """Return a tensor with what stands for its symbols, where its shape is that of another."""

    def one(part: Term) -> Term:
        for old, new in same:
            part = terms.substitute(part, {old: new}) if old in terms.names(part) else part
        return part

    def each(parts: tuple[Term, ...]) -> tuple[Term, ...]:
        return tuple(map(one, parts))

    return replace(
        t, rank=one(t.rank), numel=one(t.numel), sizes=each(t.sizes),
        last_sizes=each(t.last_sizes),
    )  # fmt: skip


def _ranked(found: Found, kernel: Kernel, t: Tensor, numbers: Numbers) -> Iterator[Found]:
    used = _used(found, numbers)
    shape = (t.sizes, t.last_sizes, t.strides, t.last_strides)
    own = {*(x for part in shape for x in part), t.numel, t.rank, t.type, t.contiguous}
    mine = [v for v in found.arguments or () if isinstance(v, Spot) and v.memory.number == t.memory]
    if not mine and not used & {n for x in own for n in terms.names(x)}:
        yield found
        return
    asked = [
        max(_asked(part, used), _asked(steps, used)) for part, steps in (shape[::2], shape[1::2])
    ]
    low, high = map(int, numbers.known(found.facts).of(t.rank))
    ranks = [r for r in range(low, min(high, MOST_DIMS) + 1) if _may_be(found, t.rank, r)]
    if not any(asked) and low < high:
        if low < 1 and used & terms.names(t.rank):
            one = terms.any_of(terms.at_most(1, t.rank), terms.equal(t.numel, 1))
            fact = Fact(one, t.place, f"the shape of the tensor {t.title}")
            found = replace(found, facts=(*found.facts, fact))
        yield _shaped(found, kernel, t, None, numbers)
        return
    last = _asked(t.last_sizes, used)
    if high > MOST_DIMS and last and not asked[0] and not _asked(t.last_strides, used):
        # Of whatever dims are before them, its elements are a multiple of those of the last.
        whole = _product(t.last_sizes[:last])
        even = terms.equal(terms.remainder(t.numel, whole), 0)
        none = terms.all_of(terms.equal(whole, 0), terms.equal(t.numel, 0))
        why = f"the shape of the tensor {t.title}"
        more = [terms.any_of(none, terms.all_of(terms.at_most(1, whole), even))]
        if used & terms.names(t.rank):
            more.append(terms.at_most(last, t.rank))
        found = replace(found, facts=(*found.facts, *(Fact(x, t.place, why) for x in more)))
        yield _shaped(found, kernel, t, None, numbers)
        return
    if high > MOST_DIMS:
        # Where dims are asked for from both ends, others are meant.
        ranks = [r for r in ranks if r >= sum(asked)][:1]
        if not ranks:
            yield replace(found, trouble=f"how many dims {t.title} has is not understood")
            return
        why = f"how many dims {t.title} has is not checked"
        found = _taken(found, Fact(terms.equal(t.rank, ranks[0]), t.place, why))
    for rank in ranks:
        here = found
        if len(ranks) > 1:
            fact = Fact(terms.equal(t.rank, rank), t.place, f"{t.title} may have {rank} dims")
            here = replace(found, facts=(*found.facts, fact))
        yield _shaped(here, kernel, t, rank, numbers)


def _shaped(found: Found, kernel: Kernel, t: Tensor, rank: int | None, numbers: Numbers) -> Found:
    """Return a launch with what one tensor is, of so many dims; None is any number of them."""
    asked = _used(found, numbers)
    why = f"the shape of the tensor {t.title}"
    if rank is not None:
        said = [terms.equal(t.numel, _product(t.sizes[:rank]))]
        for ends, part in ((t.last_sizes, t.sizes), (t.last_strides, t.strides)):
            said += [
                terms.equal(e, part[rank - n])
                for n, e in enumerate(ends[:rank], 1)
                if asked & terms.names(e)
            ]
        found = replace(found, facts=(*found.facts, *(Fact(x, t.place, why) for x in said)))
    found, item = _typed(found, kernel, t, numbers)
    width = terms.remainder(t.type, BYTES_OF_TYPE)
    if item is not None and not _counts_elements(kernel):
        facts = tuple(replace(f, holds=_replaced(f.holds, width, item)) for f in found.facts)
        found = replace(found, facts=tuple(f for f in facts if f.holds is not True))
        found = with_numbers(found, lambda x: _replaced(x, width, item))
        defined = filter(numbers.is_defined, _used(found, numbers))
        if item != width and any(terms.names(t.type) & numbers.spoken([n]) for n in defined):
            # What wraps or is cut still speaks of it.
            fact = Fact(terms.equal(width, item), t.place, f"the type of the tensor {t.title}")
            found = replace(found, facts=(*found.facts, fact))
    known = numbers.known(found.facts)
    given = found.arguments or ()
    steps = set[str]().union(*map(terms.names, (*t.strides, *t.last_strides)))
    strided = bool(steps & asked) and rank is not None
    packed = known.decides(t.contiguous)
    bytes: Term | None = None if item is None else terms.mul(t.numel, item)
    if strided and packed is True:
        assert rank is not None
        for axis in range(rank):
            step = _product(t.sizes[axis + 1 : rank])
            # Of a dim of one element, and of a tensor of none, any stride will do.
            empty = (terms.at_most(n, 0) for n in t.sizes[:rank] if n != t.sizes[axis])
            one = terms.at_most(t.sizes[axis], 1)
            holds = terms.any_of(*empty, one, terms.equal(t.strides[axis], step))
            found = replace(found, facts=(*found.facts, Fact(holds, t.place, why)))
    if not any(isinstance(v, Spot) and _is_own(v.memory, t) for v in given):
        pass  # only what is made of it is used
    elif strided and packed is not True:
        assert rank is not None
        bytes = item
        for size, stride in zip(t.sizes[:rank], t.strides[:rank], strict=True):
            if known.of(size)[0] < 1:
                fact = Fact(terms.at_most(1, size), t.place, f"{t.title} has elements: not checked")
                found = _taken(found, fact)
            if bytes is not None:
                step = terms.mul(terms.mul(terms.sub(size, 1), stride), item or 1)
                bytes = terms.add(bytes, step)
    elif packed is None:
        found = _taken(found, Fact(t.contiguous, t.place, f"{t.title} is contiguous: not checked"))
    elif packed is False:
        bytes = None

    def exact(m: Memory) -> Memory:
        if _is_own(m, t):
            return replace(m, bytes=bytes)
        if item is None or m.bytes is None:
            return m
        return replace(m, bytes=_replaced(m.bytes, width, item))

    if found.arguments is None:
        return found
    exactly = (replace(v, memory=exact(v.memory)) if isinstance(v, Spot) else v for v in given)
    return replace(found, arguments=tuple(exactly))


def _counts_elements(kernel: Kernel) -> bool:
    """Has an element one byte, whatever its type: are these the parameters of a Triton kernel?"""
    return any(p.text.startswith("symcute_element") for p in kernel.params)


def _is_own(memory: Memory, t: Tensor) -> bool:
    """Is memory that of a tensor, and not what was made of it?"""
    return memory.number == t.memory and memory.text == tensor_text(t.title)


def _asked(part: Sequence[Term], used: set[str]) -> int:
    """Return how many of the parts of a shape a launch speaks of, from the first on."""
    return max((n for n, x in enumerate(part, 1) if used & terms.names(x)), default=0)


def _may_be(found: Found, part: Term, value: int) -> bool:
    """Does nothing that is checked say that a part of a tensor is no such number?"""
    if isinstance(part, int):
        return part == value
    return not isinstance(part, str) or all(
        terms.substitute(f.holds, {part: value}) is not False for f in found.facts
    )


@cache
def _types() -> tuple[int, ...]:
    """Return the types that our header has."""
    said = re.findall(r"SYMCUTE_TYPE\(\w+, (\d+), (\d+)\)", headers()[TORCH])
    return tuple(int(number) * BYTES_OF_TYPE + int(bytes) for number, bytes in said)


def _typed(found: Found, kernel: Kernel, t: Tensor, numbers: Numbers) -> tuple[Found, Term | None]:
    """Return the bytes of an element: as it is checked, or as the kernel takes it for."""
    if _counts_elements(kernel):
        return found, 1
    low, high = numbers.known(found.facts).of(t.type)
    types = [x for x in _types() if low <= x <= high and _may_be(found, t.type, x)]
    widths = {x % BYTES_OF_TYPE for x in types}
    if len(widths) == 1:
        return found, widths.pop()
    elements = {a.name: a.element for a in kernel.arrays}
    given = found.arguments or ()
    sizes = {
        elements[p.array]
        for p, v in zip(kernel.params, given, strict=False)
        if p.array is not None and isinstance(v, Spot) and v.memory.number == t.memory
    }
    width = terms.remainder(t.type, BYTES_OF_TYPE)
    said: list[Term] = [v for v in (*found.grid, *found.block, found.shared) if v is not None]
    said += [v.offset if isinstance(v, Spot) else v for v in given if v is not None]
    if terms.names(t.type) & numbers.spoken(said):
        holds = terms.any_of(*(terms.equal(width, w) for w in sorted(widths)))
        fact = Fact(holds, t.place, f"the type of the tensor {t.title}")
        return replace(found, facts=(*found.facts, fact)), width
    if len(sizes) != 1 or not sizes <= widths:
        return found, None
    (item,) = sizes
    symbol = numbers.fresh(
        Symbol(f"{t.title}.itemsize", _LONG, f"the type of {t.title}", t.place, True)
    )
    fact = Fact(terms.equal(symbol, item), t.place, f"the type of {t.title} is not checked")
    return _taken(found, fact), item


def _taken(found: Found, fact: Fact) -> Found:
    return replace(found, facts=(*found.facts, fact), taken=(*found.taken, fact))


def _used(found: Found, numbers: Numbers) -> set[str]:
    """Return the symbols that a launch speaks of, or the conditions on the way to it."""
    given = [v for v in found.arguments or () if v is not None]
    said: list[Term] = [v for v in (*found.grid, *found.block, found.shared) if v is not None]
    said += [v.offset if isinstance(v, Spot) else v for v in given]
    said += [v.memory.bytes for v in given if isinstance(v, Spot) and v.memory.bytes is not None]
    return numbers.spoken([*said, *(f.holds for f in found.facts)])


def _product(factors: Sequence[Term]) -> Term:
    result: Term = 1
    for x in factors:
        result = terms.mul(result, x)
    return result


def _replaced(term: Term, old: Term, new: Term) -> Term:
    if term == old:
        return new
    if isinstance(term, Node):
        return terms.build(term.op, *(_replaced(x, old, new) for x in term.args))
    return term
