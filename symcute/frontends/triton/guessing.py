"""What a kernel may be given of whose launches nothing is known: types and constants.

They are what its launch, its decorators and its defaults say; of the rest they are guessed by names
and uses. A guess is an instance like any other: what is said of it is said of it alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import NamedTuple

from symcute.frontends.triton.launched import Given
from symcute.frontends.triton.members import Tuning
from symcute.frontends.triton.source import Constant, Jitted, shown
from symcute.kernel.ir.program import ALONE

__all__ = ["guesses", "taken"]

_POINTER = re.compile(r"ptrs?$|pointer|_p$|^desc_", re.IGNORECASE)
#: Arrays of integers, by their names without what says that they are pointers.
_WHOLE = re.compile(
    r"id(s|x)?$|ind(ex|ices)?$|label|target|token|offset|len|mask|map|start|pos|table"
)
_REAL = re.compile(
    r"^(?!.*stride).*(?:eps|scale|alpha|beta|lr|^p$|softcap|prob|smoothing|gamma|temperature|limit)"
)
_TRUTH = re.compile(r"^(HAS|IS|USE|ENABLE|RETURN|WITH|CAUSAL|COMPUTE)|FLAG|CAUSAL$")
_TYPE = re.compile(r"DTYPE|_TYPE$")
_STRIDE = re.compile(r"stride", re.IGNORECASE)
_SIZE = re.compile(r"BLOCK|TILE|SIZE|^B[MNKDT]$|DIM|CHUNK|HEAD_D|^D$|POW2|PAD", re.IGNORECASE)
#: Extents of blocks, and what other numbers are: counts of what is unrolled, and of few things.
_BLOCKS, _OTHER = (64, 16), 4
_LARGE_BLOCK, _LARGE = 256, 1024
#: Strides that are constants: so many bits more for each axis further out, and at most in all, so
#: that they stay numbers of 32 bits, as Triton takes them for.
_APART, _APART_IN_ALL = 12, 24
#: Which arrays are of integers: those whose names say so, or all; all others may be of halves.
_NAMED, _ALL, _HALF, _BYTE, _BITS = "named", "all", "half", "byte", "bits"
_SAME = {_ALL: "i32", _BYTE: "i8", _BITS: "u8"}

Guess = tuple[dict[str, str], dict[str, Constant]]


def guesses(kernel: Jitted, tuning: Tuning, given: Mapping[str, Given]) -> Iterator[Guess]:
    """Yield types and constants of all parameters, the likeliest first.

    `given` is what the parameters are given as far as that is known.
    """
    config = tuning.configs[0] if tuning.configs else {}
    constants = {**tuning.defaults, **config, **_constants(given, tuning), **kernel.constants}
    known = {p: c for p, c in constants.items() if c != ["?"] and p in kernel.parameters}
    types = {**_types(given), **tuning.types, **kernel.types}
    for way in _ways():
        fixed: dict[str, Constant] = {}
        for p in kernel.parameters:
            if p in tuning.constexprs or p in kernel.constants or known.get(p, p) is None:
                fixed[p] = known[p] if p in known else _constant(kernel, p, way)
        arguments = [p for p in kernel.parameters if p not in fixed]
        yield {p: types.get(p) or _type(kernel, p, way, fixed) for p in arguments}, fixed


class _Way(NamedTuple):
    """What is guessed alike: whether few things are so many, blocks and other numbers, whether
    flags are set, and which arrays are of integers or halves.
    """

    few: bool
    block: int
    truth: bool
    elements: str
    other: int = _OTHER


def _ways() -> Iterator[_Way]:
    small = [*product((True, False), _BLOCKS, (True, False))]
    yield from (_Way(*way, elements) for way in small for elements in ("", _NAMED))
    # All arrays are of integers, or of halves, where nothing else is taken.
    yield from (_Way(*way, elements) for elements in (_ALL, _HALF) for way in small)
    # All numbers are large, each of which may be a multiple of another, but for what has kinds.
    for way in product((False,), (_BLOCKS[0], _LARGE_BLOCK), (True, False)):
        yield from (_Way(*way, elements, _LARGE) for elements in ("", _NAMED, _HALF, *_SAME))


def _constants(given: Mapping[str, Given], tuning: Tuning) -> dict[str, Constant]:
    """Return the constants that a launch gives."""
    found: dict[str, Constant] = {}
    for p, g in given.items():
        if g.kind == "none":
            found[p] = None
        elif g.kind == "word":
            found[p] = g.word
        elif p in tuning.constexprs and re.fullmatch(r"-?\d+", g.value or ""):
            found[p] = bool(int(g.value or "")) if g.kind == "truth" else int(g.value or "")
    return found


def _types(given: Mapping[str, Given]) -> dict[str, str]:
    """Return the types that arguments of a launch have."""
    kinds = {"number": "i32", "truth": "i1", "float": "fp32"}
    plain = {p: kinds[g.kind] for p, g in given.items() if g.kind in kinds}
    return plain | {p: g.value for p, g in given.items() if g.kind == "tensor" and g.value}


def _constant(kernel: Jitted, p: str, way: _Way) -> Constant:
    upper = p.upper()
    if p in kernel.uses.truths or _TRUTH.search(upper):
        return way.truth
    if p in kernel.uses.types or (_TYPE.search(upper) and (way.truth or "DTYPE" in upper)):
        return ["type", "float32"]
    if p in kernel.uses.kinds and way.other == _LARGE:
        return kernel.uses.kinds[p]
    if _TYPE.search(upper):
        return 0  # one of some kinds that are numbered
    if way.few and p in kernel.unrolled:
        return _OTHER
    if _STRIDE.search(p):
        return _stride(kernel.parameters, p)
    return way.block if _SIZE.search(p) or (p in kernel.extents and not way.few) else way.other


def _stride(parameters: list[str], p: str) -> int:
    """Return a stride as that of rows: the last of those of an array is that of its elements.

    >>> of_two = ["stride_xn", "stride_xd", "stride_g_n", "stride_g_i", "stride_g_j", "y_stride"]
    >>> [_stride(of_two, p) for p in of_two]
    [4096, 1, 16777216, 4096, 1, 1]
    >>> [_stride(["sa", "sb", "sc", "sd"], p) for p in ("sa", "sb", "sc", "sd")]
    [16777216, 65536, 256, 1]
    """
    alike = [q for q in parameters if len(q) == len(p) and q[:-1] == p[:-1]]
    apart = min(_APART, _APART_IN_ALL // max(len(alike) - 1, 1))
    return 1 << apart * (len(alike) - 1 - alike.index(p))


def _type(kernel: Jitted, p: str, way: _Way, constants: Mapping[str, Constant]) -> str:
    if p in kernel.described:
        extents = ",".join(map(str, _block(kernel, p, way, constants)))
        return f"tensordesc<{_element(kernel, p, way.elements)}[{extents}]>"
    if p in kernel.pointers or _POINTER.search(p):
        return f"*{_element(kernel, p, way.elements)}"
    return "fp32" if _REAL.search(p.lower()) else "i32"


def _element(kernel: Jitted, p: str, elements: str) -> str:
    if p in kernel.addresses:
        return "i64"
    if elements in _SAME:
        return _SAME[elements]
    is_index = _WHOLE.search(re.sub(r"_?(ptr|p)s?$", "", p.lower()))
    return "i64" if elements and is_index else "fp16" if elements == _HALF else "fp32"


def _block(kernel: Jitted, p: str, way: _Way, constants: Mapping[str, Constant]) -> tuple[int, ...]:
    """Return what the host says for these constants, or a block along the last two axes.

    Of several blocks the first is taken where flags are set, and else the last one.
    """
    rank = kernel.described[p]
    said = [at for b in kernel.blocks.get(p, ()) if (at := b.at(constants)) and len(at) == rank]
    said = [at for at in said if {*at} != {1}]  # such a one waits for another
    return said[0 if way.truth else -1] if said else (1,) * (rank - 2) + (way.block,) * min(rank, 2)


def taken(guess: Guess) -> str:
    """Return what a guess takes for granted.

    >>> taken(({"x": "*fp32"}, {"B": 64, "C": ["type", "float32"]}))
    'type x = *fp32, constexpr B = 64, constexpr C = tl.float32: of these alone it is said'
    """
    types, constants = guess
    said = [f"type {p} = {t}" for p, t in types.items()]
    said += [f"constexpr {p} = {shown(c)}" for p, c in constants.items()]
    return f"{', '.join(said)}: {ALONE}"
