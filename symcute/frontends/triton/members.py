"""The programs that launches of a kernel run, each with the condition under which it does.

Triton compiles a kernel for what it is given: for the values of constexprs, for integers of 32 bits
and from 2**31 on of 64, for what is 1 or None, for every configuration of `autotune`. That a number
is divisible by 16, or 1 where it may be another, changes no index that a program computes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from symcute.expr.expression import read_leaf
from symcute.expr.parser import parse
from symcute.frontends.triton.launched import Given, Launched
from symcute.frontends.triton.source import Constant, Jitted, with_numbers
from symcute.kernel.ir.families import Family, Inferred

__all__ = ["Member", "Tuning", "members"]

#: Programs of one launch; where there are more, that is said.
MOST = 96
#: Elements that a tensor of Triton's may have (`TRITON_MAX_TENSOR_NUMEL`).
_MOST_ELEMENTS = 1 << 20
#: Integers that may be of 64 bits of which all combinations are told apart.
_MOST_WIDE = 3
_EDGE = 1 << 31
_BOUND = re.compile(r"assume (\w+) (<=|>=|==) (-?\d+)")
_ONE_OF = re.compile(r"assume (\w+) == -?\d+(?: or \1 == -?\d+)+")
_CONSTANT = re.compile(r"assume \(?(-?\d+)\)? (<=|>=|==|<|>) \(?(-?\d+)\)?")
_NAME = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Tuning:
    """What a kernel and its decorators say: what each configuration chooses, and defaults.

    `types` are those that its parameters are said to have, whatever they are given; numbers that
    are `general` are no constants where they are 1.
    """

    configs: tuple[Mapping[str, Constant], ...] = ()
    pruned: bool = False
    defaults: Mapping[str, Constant] = field(default_factory=dict)
    constexprs: frozenset[str] = frozenset()
    types: Mapping[str, str] = field(default_factory=dict)
    general: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Member:
    """One program of a launch: what it is compiled for, and the launches that run it.

    The types of `open` parameters are not known, and taken for what they are here; those that have
    the same there have one type.
    """

    types: Mapping[str, str]
    constants: Mapping[str, Constant]
    family: Family
    open: Mapping[str, str] = field(default_factory=dict)


class _Lost(Exception):
    """A launch whose programs are not known, and why."""


def members(kernel: Jitted, launched: Launched, tuning: Tuning) -> Iterator[Member]:
    """Yield the programs of a launch; one with a `trouble` where that is not known."""
    try:
        found = list(_members(kernel, launched, tuning))
        if len(found) > MOST:
            raise _Lost(f"it has {len(found)} programs, more than {MOST}: say the constexprs")
    except _Lost as lost:
        trouble = replace(launched.family, notes=(), unknown=(), inner=(), trouble=str(lost))
        found = [Member({}, {}, trouble)]
    yield from found


def _members(kernel: Jitted, launched: Launched, tuning: Tuning) -> Iterator[Member]:
    if launched.family.trouble:
        raise _Lost(launched.family.trouble)
    launched = _with_extents(kernel, launched, tuning)
    for config in tuning.configs or ({},):
        notes = list(launched.family.notes)
        numbers: dict[str, int] = {}
        given = dict(launched.given)
        own: dict[str, Constant] = {}
        for p, g in given.items():
            if p in kernel.constants:
                own[p] = kernel.constants[p]
            elif g.kind == "chosen" and p in config:
                own[p] = config[p]
            elif g.kind == "chosen" and g.same:
                raise _Lost(f"what {p} is given is put together while the program runs")
            elif g.kind == "chosen":
                if p not in tuning.defaults:
                    raise _Lost(f"{p} is not given, and chosen by no configuration")
                own[p] = tuning.defaults[p]
            chosen = own.get(p)
            if chosen == ["?"]:
                raise _Lost(f"the constexpr {p} is no constant that can be written down")
            if _is_symbol(g) and isinstance(chosen, int):
                numbers[str(g.value)] = int(chosen)
            elif g.kind == "chosen":
                numbers[str(g.value)] = 0  # no number, and nobody computes with it
        here = _with(launched.family, notes, numbers)
        if here is None:
            continue
        if tuning.pruned:
            here = replace(here, unknown=(*here.unknown, "a configuration that may be pruned"))
        for family, values in _enumerated(here, kernel, given, tuning, {**numbers}):
            for each in _with_nothing(kernel, given):
                yield from _typed(kernel, family, each, tuning, own, values)


def _with_extents(kernel: Jitted, launched: Launched, tuning: Tuning) -> Launched:
    """Return a launch in which constexprs that are not known are what Triton lets them be.

    `tl.arange(0, P)` has to have a power of two of elements, and not too many.
    """
    family, given = launched.family, dict(launched.given)
    names = {n for note in family.notes for n in _NAME.findall(note.text)}
    for p in kernel.extents & tuning.constexprs:
        if p not in given or given[p].kind or p in kernel.constants:
            continue
        if p in names and given[p].value != p:
            continue  # another number is called that
        powers = [1 << k for k in range(_MOST_ELEMENTS.bit_length())]
        text = "assume " + " or ".join(f"{p} == {n}" for n in powers)
        note = Inferred(text, family.place, f"{p} is not understood, and an extent of a tensor")
        given[p] = Given("number", p)
        unknown = (*family.unknown, f"what {p} is given")
        family = replace(family, notes=(*family.notes, note), unknown=unknown)
    return Launched(family, given)


def _with_nothing(kernel: Jitted, given: Mapping[str, Given]) -> Iterator[Mapping[str, Given]]:
    """Yield what is given, with and without None where the kernel asks, and that is not known."""
    unclear = [
        p for p, g in given.items()
        if g.kind == "" and p in kernel.pointers & kernel.tested and p not in kernel.constants
    ]  # fmt: skip
    for way in product((False, True), repeat=len(unclear)):
        nothing = {p: Given("none") for p, is_none in zip(unclear, way, strict=True) if is_none}
        yield {**given, **nothing}


def _is_symbol(g: Given) -> bool:
    return g.value is not None and _NAME.fullmatch(g.value) is not None


def _with(family: Family, notes: Sequence[Inferred], numbers: Mapping[str, int]) -> Family | None:
    """Return a family in which names are numbers; None where a note does not hold of these."""
    kept = []
    for n in notes:
        text = with_numbers(numbers, n.text) if numbers else n.text
        if text != n.text and not _NAME.search(re.sub(r"^assume|\b(?:and|or|not)\b", "", text)):
            holds = _CONSTANT.fullmatch(text)
            if holds is not None and not _compared(int(holds[1]), holds[2], int(holds[3])):
                return None
            continue
        kept.append(replace(n, text=text))
    unknown = tuple(u for u in family.unknown if u not in numbers)
    return replace(family, notes=tuple(kept), unknown=unknown)


def _compared(a: int, sign: str, b: int) -> bool:
    return {"<=": a <= b, ">=": a >= b, "==": a == b, "<": a < b, ">": a > b}[sign]


def _enumerated(
    family: Family,
    kernel: Jitted,
    given: Mapping[str, Given],
    tuning: Tuning,
    numbers: Mapping[str, int],
) -> Iterator[tuple[Family, Mapping[str, int]]]:
    """Yield a family for each value of the dims that constexprs hang on."""
    wanted: dict[str, list[int]] = {}
    for p, g in given.items():
        if p not in tuning.constexprs or p in kernel.constants or g.value is None:
            continue
        if g.kind == "chosen":
            continue
        for name in _NAME.findall(g.value):
            if name in numbers or name in wanted or name in _WORDS:
                continue
            values = _values_of(name, family)
            if g.value == name and p in kernel.extents:
                # A tensor of more, or of none, Triton does not compile.
                values = [v for v in values if 1 <= v <= _MOST_ELEMENTS]
            wanted[name] = values
            if not wanted[name]:
                raise _Lost(
                    f"the constexpr {p} is {g.value}, which is not known: "
                    f'say it above the kernel as "# symcute: constexpr {p} = ..."'
                )
    for chosen in product(*wanted.values()):
        more = dict(zip(wanted, chosen, strict=True))
        here = _with(family, family.notes, more)
        if here is not None:
            yield here, {**numbers, **more}


_PRUNED = "what is pruned is of the configurations that are written down: not checked"
_WORDS = {"min", "max", "and", "or", "not", "if", "ceil_div"}


def _values_of(name: str, family: Family) -> list[int]:
    """Return all values that a dim may have, where the notes name them."""
    low, high = None, None
    for n in family.notes:
        one_of = _ONE_OF.fullmatch(n.text)
        if one_of is not None and one_of[1] == name:
            return [int(x) for x in re.findall(r"== (-?\d+)", n.text)]
        bound = _BOUND.fullmatch(n.text)
        if bound is not None and bound[1] == name:
            low = int(bound[3]) if bound[2] in (">=", "==") else low
            high = int(bound[3]) if bound[2] in ("<=", "==") else high
    if high is not None:
        low = 1 if low is None else low  # what is 1 at least has no note
        return list(range(low, high + 1)) if high - low < 4 else []
    return []


def _typed(
    kernel: Jitted,
    family: Family,
    given: Mapping[str, Given],
    tuning: Tuning,
    own: Mapping[str, Constant],
    numbers: Mapping[str, int],
) -> Iterator[Member]:
    """Yield the programs for the types that arguments may have."""
    types = {p: t for p, t in {**_said(tuning, given), **kernel.types}.items() if p not in own}
    constants: dict[str, Constant] = dict(own)
    arguments: list[Inferred] = []
    open: dict[str, str] = {}
    unknown = list(family.unknown)
    wide: dict[str, str] = {}
    at = family.place

    def note(text: str, why: str) -> None:
        arguments.append(Inferred(text, at, why))

    for p in kernel.parameters:
        if p in constants or p not in given:
            continue
        g = given[p]
        value = None if g.value is None else with_numbers(numbers, g.value)
        plain = _number(value)
        if p in tuning.constexprs:
            constants[p] = _constexpr(p, g, plain)
        elif g.kind == "none":
            constants[p] = None
        elif g.kind in ("tensor", "some tensor") or (g.kind == "" and p in kernel.pointers):
            if p not in types:
                types[p] = g.value if g.kind == "tensor" and g.value else "*fp32"
                if g.kind != "tensor" or not g.value:
                    open[p] = g.same or p
            if g.kind == "":
                unknown.append(f"what {p} is given")
        elif g.kind == "truth":
            types.setdefault(p, "i1")
            note(f"arg {p} = {value}", "the argument of the launch")
        elif g.kind == "number" and value is not None:
            if plain == 1 and p not in types and p not in tuning.general:
                constants[p] = 1
                continue
            if value != p:
                note(f"arg {p} = {value}", "the argument of the launch")
            if p not in types:
                types[p] = "i32" if plain is None or -_EDGE <= plain < _EDGE else "i64"
                if plain is None and _may_be_wide(value, family):
                    wide[p] = value
            elif p not in kernel.types and types[p] == "i32" and _may_be_wide(value, family):
                term = _term(value)
                note(f"assume {term} < {_EDGE} and {term} >= {-_EDGE}", "others are not launched")
        elif g.kind == "word":
            constants[p] = g.word
        elif g.kind == "" and p in kernel.numbers:
            types.setdefault(p, "i32")
            note(f"assume {p} >= {-_EDGE}", "its argument is not understood")
            unknown.append(p)
        else:
            types.setdefault(p, "fp32")
    family = replace(family, unknown=tuple(dict.fromkeys(unknown)))
    for chosen, widths in _widths(wide, at):
        said = [
            Inferred(f"type {p} = {t}", at, "the type of its elements is not known: taken for this"
                     if p in open else "the program for arguments of this type")
            for p, t in (types | chosen).items()
        ]  # fmt: skip
        why = _PRUNED if tuning.pruned else "the program for this"
        said += [Inferred(f"constexpr {p} = {_shown(c)}", at, why) for p, c in constants.items()]
        notes = (*said, *family.notes, *arguments, *widths)
        yield Member(types | chosen, constants, replace(family, notes=notes), open)


def _said(tuning: Tuning, given: Mapping[str, Given]) -> dict[str, str]:
    """Return the types that parameters are said to have. Errors: _Lost where numbers wrap."""
    for p, type in tuning.types.items():
        if type[0] in "iu" and type not in ("i32", "i64") and given[p].kind not in ("word", "none"):
            raise _Lost(f"{p} is said to be {type}, and a number that it does not hold wraps")
    return dict(tuning.types)


def _constexpr(p: str, g: Given, plain: int | None) -> Constant:
    if g.kind == "none":
        return None
    if g.kind == "word":
        return g.word
    if plain is not None and g.kind == "truth":
        return bool(plain)
    if plain is not None and g.kind == "number":
        return plain
    raise _Lost(
        f"what the constexpr {p} is given is not understood: "
        f'say it above the kernel as "# symcute: constexpr {p} = ..."'
    )


def _number(text: str | None) -> int | None:
    """Return the integer that a text is, with sums and products of integers worked out."""
    if text is None or not re.fullmatch(r"[-+*/%() 0-9]+", text):
        return None

    def refuse(node: Any) -> Any:
        raise ValueError(text)

    try:
        found = read_leaf(parse(text, what="expression"), text, refuse)
    except ValueError:
        return None
    return found if isinstance(found, int) else None


def _shown(c: Constant) -> str:
    return f"tl.{c[1]}" if isinstance(c, list) else repr(c) if isinstance(c, str) else str(c)


def _may_be_wide(value: str, family: Family) -> bool:
    """May an argument be 2**31 or more, or less than -2**31?"""
    if not _NAME.fullmatch(value):
        return True
    highs = [
        int(b[3])
        for n in family.notes
        if (b := _BOUND.fullmatch(n.text)) and b[1] == value and b[2] in ("<=", "==")
    ]
    lows = [
        int(b[3])
        for n in family.notes
        if (b := _BOUND.fullmatch(n.text)) and b[1] == value and b[2] == ">="
    ]
    return not highs or min(highs) >= _EDGE or (bool(lows) and max(lows) < -_EDGE)


def _widths(wide: Mapping[str, str], place: Any) -> Iterator[tuple[dict[str, str], list[Inferred]]]:
    """Yield the types of integers that may have 64 bits, each with its condition.

    Of many, one at a time has 64 bits, or all: that no others do is said as an assumption.
    """
    names = list(wide)
    if len(names) <= _MOST_WIDE:
        ways = list(product((False, True), repeat=len(names)))
    else:
        ways = [tuple(k == n for k in range(len(names))) for n in range(-1, len(names))]
        ways.append((True,) * len(names))
    same: dict[str, str] = {}
    for p, value in wide.items():
        same.setdefault(value, p)
    for way in ways:
        if any(way[names.index(p)] != way[names.index(same[v])] for p, v in wide.items()):
            continue  # one number is of one width
        types, notes = {}, []
        for p, is_wide in zip(names, way, strict=True):
            value = wide[p]
            types[p] = "i64" if is_wide else "i32"
            if same[value] != p:
                continue
            term, below = _term(value), _NAME.fullmatch(value) is None
            if is_wide:
                text, why = f"assume {term} >= {_EDGE}", f"{p} has 64 bits from there on"
                text += f" or {term} < {-_EDGE}" if below else ""
            else:
                text, why = f"assume {term} < {_EDGE}", f"{p} has 32 bits up to there"
                text += f" and {term} >= {-_EDGE}" if below else ""
                if len(names) > _MOST_WIDE:
                    why += "; more than one of 64 bits are not told apart"
            notes.append(Inferred(text, place, why))
        yield types, notes


def _term(text: str) -> str:
    return text if _NAME.fullmatch(text) else f"({text})"
