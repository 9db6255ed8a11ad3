"""The programs that launches of a kernel run, each with the condition under which it does.

Triton compiles a kernel for what it is given: for the values of constexprs, for integers of 32 bits
and from 2**31 on of 64, for what is 1 or None, for every configuration of `autotune`. That a number
is divisible by 16 changes no index that a program computes; that it is 1 where it may be another
does only where Python computes otherwise with constants (`folded` of `uses.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from symcute.expr.expression import read_leaf
from symcute.expr.parser import parse
from symcute.frontends.triton.conditions import NAME, values_of, with_values
from symcute.frontends.triton.launched import Given, Launched
from symcute.frontends.triton.source import Constant, Jitted, shown, with_numbers
from symcute.frontends.triton.widths import (
    EDGE,
    may_be_less,
    may_be_wide,
    ones_of,
    term_of,
    widths,
)
from symcute.kernel.ir.families import Family, Inferred

__all__ = ["Member", "Tuning", "members"]

#: Programs of one launch; where there are more, that is said.
MOST = 96
#: Elements that a tensor of Triton's may have (`TRITON_MAX_TENSOR_NUMEL`).
_MOST_ELEMENTS = 1 << 20


@dataclass(frozen=True)
class Tuning:
    """What a kernel and its decorators say: what each configuration chooses, and defaults.

    `types` are those that its parameters are said to have, whatever they are given; numbers that
    are `general` are no constants where they are 1. Where decorators did not run, `trouble` says
    why.
    """

    configs: tuple[Mapping[str, Constant], ...] = ()
    pruned: bool = False
    defaults: Mapping[str, Constant] = field(default_factory=dict)
    constexprs: frozenset[str] = frozenset()
    types: Mapping[str, str] = field(default_factory=dict)
    general: frozenset[str] = frozenset()
    trouble: str = ""


@dataclass(frozen=True)
class Member:
    """One program of a launch: what it is compiled for, and the launches that run it.

    The types of `open` parameters are not known, and taken for what they are here; those that have
    the same there have one type. `unclear` ones are numbers that may have to be integers.
    """

    types: Mapping[str, str]
    constants: Mapping[str, Constant]
    family: Family
    open: Mapping[str, str] = field(default_factory=dict)
    unclear: tuple[str, ...] = ()


class _Lost(Exception):
    """A launch whose programs are not known, and why."""


def members(kernel: Jitted, launched: Launched, tuning: Tuning) -> Iterator[Member]:
    """Yield the programs of a launch; one with a `trouble` where that is not known.

    Where there are too many, those for integers of 64 bits are left out, which notes say.
    """
    try:
        found = list(_members(kernel, launched, tuning))
        if (
            len(found) > MOST
            and len(found := list(_members(kernel, launched, tuning, True))) > MOST
        ):
            raise _Lost(f"it has {len(found)} programs, more than {MOST}: say the constexprs")
    except _Lost as lost:
        trouble = replace(launched.family, notes=(), unknown=(), inner=(), trouble=str(lost))
        found = [Member({}, {}, trouble)]
    yield from found


def _members(
    kernel: Jitted, launched: Launched, tuning: Tuning, is_narrow: bool = False
) -> Iterator[Member]:
    if launched.family.trouble or tuning.trouble:
        raise _Lost(launched.family.trouble or tuning.trouble)
    launched = _with_extents(kernel, launched, tuning)
    ways = list(_ways(kernel, launched, tuning))
    for config, (given, unknown) in product(tuning.configs or ({},), ways):
        notes = list(launched.family.notes)
        numbers: dict[str, int] = {}
        own: dict[str, Constant] = {}
        for p, g in given.items():
            was = launched.given[p]
            if was is not g and was.kind == "" and _is_symbol(was):
                numbers[str(was.value)] = 0  # nobody computes with what is no number
            if p in kernel.constants and not _is_known(g):
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
        here = with_values(launched.family, notes, numbers)
        if here is None:
            continue
        here = replace(here, unknown=(*here.unknown, *unknown))
        if tuning.pruned:
            here = replace(here, unknown=(*here.unknown, "a configuration that may be pruned"))
        for family, values in _enumerated(here, kernel, given, tuning, {**numbers}):
            yield from _typed(kernel, family, given, tuning, own, values, is_narrow)


def _with_extents(kernel: Jitted, launched: Launched, tuning: Tuning) -> Launched:
    """Return a launch in which constexprs that are not known are what Triton lets them be.

    `tl.arange(0, P)` has to have a power of two of elements, and not too many.
    """
    family, given = launched.family, dict(launched.given)
    names = {n for note in family.notes for n in NAME.findall(note.text)}
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


def _ways(
    kernel: Jitted, launched: Launched, tuning: Tuning
) -> Iterator[tuple[Mapping[str, Given], tuple[str, ...]]]:
    """Yield what is given in each way that may matter of what is not known, and what that is.

    Pointers are None where the kernel asks, or not; of what is asked only for its truth, both are.
    """
    ways: dict[str, list[Given]] = {}
    unknown: list[str] = []
    notes = launched.family.notes
    for p, g in launched.given.items():
        if p in kernel.constants:
            continue
        if g.kind == "" and p in kernel.pointers & kernel.tested:
            ways[p] = [g, Given("none")]
        if p not in tuning.constexprs:
            continue
        if p in kernel.uses.idle:
            if g.kind == "chosen" and any(p in config for config in tuning.configs):
                continue  # a grid may hang on which one
            ways[p] = [Given("number", "1")]
            if g.kind == "chosen" and any(g.value in NAME.findall(n.text) for n in notes):
                unknown.append(f"what {p} is given")
            continue
        if not _is_open(g, launched.family):
            continue
        if p in kernel.uses.words:
            texts = kernel.uses.words[p]
            other = next(t for t in ("", *(f"_{t}" for t in texts)) if t not in texts)
            ways[p] = [Given("word", word=t) for t in (*texts, other)]
        elif p in kernel.uses.truths:
            ways[p] = [Given("truth", "0"), Given("truth", "1")]
        elif p in kernel.uses.types and g.kind != "word":
            ways[p] = [Given("word", word=["type", "float32"])]
        else:
            continue
        if not _is_free(g, launched.family):
            unknown.append(f"what {p} is given")
    for way in product(*ways.values()):
        yield {**launched.given, **dict(zip(ways, way, strict=True))}, tuple(unknown)


def _is_open(g: Given, family: Family) -> bool:
    """Is this a number, or what is not understood, of which not all values are known?"""
    if g.kind not in ("", "number", "truth", "float"):
        return False
    names = [n for n in NAME.findall(g.value or "") if n not in _WORDS]
    return not (g.value and g.kind) or any(not values_of(n, family) for n in names)


def _is_free(g: Given, family: Family) -> bool:
    """Is this what the host is given itself, of which it asks nothing?"""
    return g.kind == "" and _is_symbol(g) and g.value not in family.unknown


def _is_known(g: Given) -> bool:
    """Does the launch itself say which constant this is?"""
    return g.kind in ("none", "word") or (bool(g.kind) and _number(g.value) is not None)


def _is_symbol(g: Given) -> bool:
    return g.value is not None and NAME.fullmatch(g.value) is not None


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
        if _at_run_time(kernel, p, g, with_numbers(numbers, g.value)):
            continue
        for name in NAME.findall(g.value):
            if name in numbers or name in wanted or name in _WORDS:
                continue
            values = values_of(name, family)
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
        here = with_values(family, family.notes, more)
        if here is not None:
            yield here, {**numbers, **more}


_PRUNED = "what is pruned is of the configurations that are written down: not checked"
_WORDS = {"min", "max", "and", "or", "not", "if", "ceil_div"}


def _typed(
    kernel: Jitted,
    family: Family,
    given: Mapping[str, Given],
    tuning: Tuning,
    own: Mapping[str, Constant],
    numbers: Mapping[str, int],
    is_narrow: bool,
) -> Iterator[Member]:
    """Yield the programs for the types that arguments may have."""
    types = {p: t for p, t in {**_said(tuning, given), **kernel.types}.items() if p not in own}
    constants: dict[str, Constant] = dict(own)
    arguments: list[Inferred] = []
    open: dict[str, str] = {}
    unclear: list[str] = []
    unknown = list(family.unknown)
    wide: dict[str, str] = {}
    ones: dict[str, list[str]] = {}
    at = family.place

    def note(text: str, why: str) -> None:
        arguments.append(Inferred(text, at, why))

    for p in kernel.parameters:
        if p in constants or p not in given:
            continue
        g = given[p]
        value = None if g.value is None else with_numbers(numbers, g.value)
        plain = _number(value)
        if not g.kind and p not in (*kernel.types, *tuning.constexprs):
            if p in kernel.described and p not in kernel.pointers:
                raise _Lost(f"{p} is a tensor descriptor, and what it is made of is not followed")
            if p in kernel.asked:
                raise _Lost(f"what {p} is given is not understood, and the kernel asks what it is")
        late = p in tuning.constexprs and _at_run_time(kernel, p, g, value)
        if late:
            unknown.append(f"{p}, which is compiled as an argument")
            types.setdefault(p, late)
            low, term = 0 if p in kernel.uses.counted else -EDGE, term_of(value or p)
            apart = f"{p} is a constexpr: other values are not told apart"
            if g.kind == "number" and value is not None:
                note(f"assume {term} < {EDGE}", apart)
                if term != value or may_be_less(value, low, family):
                    note(f"assume {term} >= {low}", apart)
                if value != p:
                    note(f"arg {p} = {value}", "the argument of the launch")
            elif p in kernel.uses.sizes:
                unclear.append(p)
                note(f"assume {p} >= {low}", apart)
        elif p in tuning.constexprs:
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
        elif value is not None and (g.kind == "number" or (not g.kind and p in kernel.numbers)):
            if not g.kind:
                unknown.append(p)
            if plain == 1 and p not in types and p not in tuning.general:
                constants[p] = 1
                continue
            if value != p:
                note(f"arg {p} = {value}", "the argument of the launch")
            if p not in types:
                types[p] = "i32" if plain is None or -EDGE <= plain < EDGE else "i64"
                if plain is None and may_be_wide(value, family):
                    wide[p] = value
                if plain is None and p in kernel.folded - tuning.general:
                    ones.setdefault(value, []).append(p)
            elif p not in kernel.types and types[p] == "i32" and may_be_wide(value, family):
                term = term_of(value)
                note(f"assume {term} < {EDGE} and {term} >= {-EDGE}", "others are not launched")
        elif g.kind == "word":
            constants[p] = g.word
        else:
            types.setdefault(p, "fp32")
    _refuse_others(kernel, types, constants)
    family = replace(family, unknown=tuple(dict.fromkeys(unknown)))
    for fixed, cases in ones_of(ones, at):
        here = constants | dict.fromkeys(fixed, 1)
        rest = {p: v for p, v in wide.items() if p not in fixed}
        for chosen, limits in widths(rest, family, is_narrow):
            held = {p: t for p, t in (types | chosen).items() if p not in fixed}
            said = [
                Inferred(f"type {p} = {t}", at, _TAKEN if p in open else _PROGRAM)
                for p, t in held.items()
            ]
            why = _PRUNED if tuning.pruned else "the program for this"
            said += [Inferred(f"constexpr {p} = {shown(c)}", at, why) for p, c in here.items()]
            notes = (*said, *family.notes, *arguments, *cases, *limits)
            whole = replace(family, notes=notes)
            yield Member(held, here, whole, open, tuple(unclear))


_PROGRAM = "the program for arguments of this type"
_TAKEN = "the type of its elements is not known: taken for this"


def _at_run_time(kernel: Jitted, p: str, g: Given, value: str | None) -> str:
    """Return the type of the argument that is taken for a constexpr of no known value, or "".

    Of what has no integer type nothing is known, so that it may be a number of any type: those
    that Triton takes then only as integers are integers.
    """
    if _number(value) is not None or p in kernel.extents:
        return ""
    if g.kind == "number" and p in kernel.uses.sizes:
        return "i32"
    if g.kind == "float" or (g.kind == "" and p in kernel.uses.sizes):
        return "fp32"
    return ""


def _refuse_others(
    kernel: Jitted, types: Mapping[str, str], constants: Mapping[str, Constant]
) -> None:
    """Refuse numbers of which a constexpr and an argument may come to something else."""
    late = [p for p in kernel.uses.sizes if p in types]
    if late and any(t.lstrip("*") in ("i8", "u8", "i16", "u16") for t in types.values()):
        raise _Lost(f"{late[0]} is a constexpr beside elements of less than 32 bits")
    for p in kernel.uses.counted:
        if late and isinstance(constants.get(p), int) and int(str(constants[p])) < 0:
            raise _Lost(f"{p} is less than 0, and divided beside {late[0]}")


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
