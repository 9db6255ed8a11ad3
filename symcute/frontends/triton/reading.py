"""Triton kernels of a Python file to programs, through TTIR that Triton itself makes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from typing import Any

from symcute.frontends.front_end import SourceError
from symcute.frontends.triton.compiler import LIMIT_S, Compiler
from symcute.frontends.triton.descriptors import descriptor, numbers_of, with_descriptors
from symcute.frontends.triton.guessing import guesses, taken
from symcute.frontends.triton.inductor import generated
from symcute.frontends.triton.inductor_host import launches_in
from symcute.frontends.triton.launched import Given, Launched
from symcute.frontends.triton.lowering import lowered
from symcute.frontends.triton.members import Member, Tuning, members
from symcute.frontends.triton.operations import Function, TtirError
from symcute.frontends.triton.source import Jitted, constant, jitted, with_numbers
from symcute.frontends.triton.target import TRITON
from symcute.frontends.triton.ttir import read_ttir
from symcute.frontends.triton.types import I64, Unread, element_bytes
from symcute.kernel.ir.document import to_json
from symcute.kernel.ir.expression import Base, Cast, Const, Expr, PtrAdd, Var
from symcute.kernel.ir.families import Family, Inferred
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Array, Int, Kernel, NotUnderstood, Param, Pointer, Type

__all__ = ["has_triton", "program", "read_triton"]

#: Pointers to what is not known, up to which types are tried for two of them at once.
_MOST_OPEN = 8


def has_triton(text: str) -> bool:
    """Return whether a Python file may have Triton kernels."""
    return "triton" in text and "jit" in text


def read_triton(
    path: str,
    text: str,
    *,
    name: str | None = None,
    template_args: Mapping[str, object] | None = None,
    launches: Mapping[str, Sequence[Launched]] | None = None,
    timeout: float = LIMIT_S,
) -> dict[str, Kernel]:
    """Return the Triton kernels of a Python file as programs, by name.

    The file is imported, which runs it, in a process of its own; where this machine lacks something
    that it imports, it runs as far as it goes. `template_args` give constexprs
    by name, for all kernels that have them. A kernel above which no launch is noted has a program
    for each member of its `launches`. Where there are none, or some are not known, it has one for
    types and constants that are guessed, unless notes above it say some of them.
    Post-conditions: what is not understood is `NotUnderstood` in the program, at its place; a
    kernel that TTIR or this reader has no way for is one `NotUnderstood`.
    Errors: SourceError where a type or a constexpr is missing, the file does not import, Triton
    does not take a kernel, or is not there.
    """
    found = [k for k in jitted(path, text, launches or {}) if name in (None, k.name)]
    given = {}
    for key, value in (template_args or {}).items():
        try:
            given[key] = constant(str(value))
        except ValueError as error:
            raise SourceError(str(error), "give a number, as BLOCK=1024") from None
    kernels: dict[str, Kernel] = {}
    compiler = Compiler(timeout)
    try:
        for kernel in found:
            kernel.constants |= {n: v for n, v in given.items() if n in kernel.parameters}
            sites = (launches or {}).get(kernel.name, ())
            by_hand = any(text.startswith("launch ") for text, _ in kernel.notes)
            if by_hand or (kernel.noted and not sites):
                kernels[kernel.name] = program(kernel, compiler.ttir(kernel))
                continue
            for n, made in enumerate(_programs(kernel, sites, compiler, compiler.tuning(kernel))):
                kernels[f"{kernel.name}#{n}" if n else kernel.name] = made
        kernels |= _generated(path, text, name, compiler)
    finally:
        compiler.close()
    return kernels


# --- programs -----------------------------------------------------------------------------------


def _generated(path: str, text: str, name: str | None, compiler: Compiler) -> dict[str, Kernel]:
    """Return the kernels that Inductor wrote; one that is not launched there has its contract."""
    found = generated(path, text)
    launches = launches_in(path, text, found) if found else {}
    kernels: dict[str, Kernel] = {}
    for title, each in found.items():
        if name not in (None, title):
            continue
        if title in launches:
            # A signature says them, no note: numbers that they do not hold are assumed away.
            said = replace(each.kernel, types={})
            types = each.kernel.types
            made = list(_programs(said, launches[title], compiler, each.tuning, types))
        else:
            made = [
                program(own, compiler.ttir(own)) for c in each.tuning.configs
                for own in [replace(each.kernel, constants={**each.kernel.constants, **c})]
            ]  # fmt: skip
        for n, kernel in enumerate(made):
            kernels[f"{title}#{n}" if n else title] = kernel
    return kernels


def _programs(
    kernel: Jitted,
    sites: Sequence[Launched],
    compiler: Compiler,
    tuning: Tuning,
    types: Mapping[str, str] | None = None,
) -> Iterator[Kernel]:
    """Yield a program for each member of each launch, and one for all launches that are not known.

    One that Triton does not compile is no launch, where it compiles others of the same launch.
    Members of which constexprs differ, and nothing that a program computes with, are one program.
    `types` are what parameters are where no launch is known.
    """
    made: set[Place] = set()
    lost: dict[tuple[Place, str], Family] = {}
    refused: dict[Place, tuple[Family, str]] = {}

    def lose(family: Family, trouble: str) -> None:
        place = family.place
        lost.setdefault((place, trouble), Family(place, family.host, (), trouble=trouble))

    every: list[Member] = []
    programs: dict[str, Kernel] = {}
    for site in sites:
        for member in members(kernel, site, tuning):
            place = member.family.place
            if member in every:
                continue  # two ways of the host that differ in nothing that counts
            every.append(member)
            if member.family.trouble:
                made.add(place)
                lose(member.family, member.family.trouble)
                continue
            member, answer = compiled(kernel, member, compiler)
            if "error" in answer:
                refused.setdefault(place, (member.family, str(answer["error"])))
                continue
            made.add(place)
            against = _contradictory(member.family)
            if against and not any(n.why.endswith("not checked") for n in against):
                continue
            if against:
                lose(member.family, "what its tensors are there is not understood")
                continue
            _add(programs, _of_member(kernel, member, answer, site.places))
    yield from programs.values()
    for place, (family, error) in refused.items():
        if place not in made:
            lose(family, error)
    if lost or not sites:
        places = {place for place, _ in lost}
        given = next((s.given for s in sites if s.given and s.family.place in places), {})
        own = replace(kernel, types=dict(types or kernel.types))
        yield replace(_supposed(own, given, compiler, tuning), families=tuple(lost.values()))


def _supposed(
    kernel: Jitted, given: Mapping[str, Given], compiler: Compiler, tuning: Tuning
) -> Kernel:
    """Return the program for the first types and constants that Triton takes, of those guessed."""
    first: Kernel | None = None
    for types, constants in guesses(kernel, tuning, given):
        own = replace(kernel, types=types, constants=constants)
        answer = compiler.ttir(own)
        made = program(own, answer)
        if "error" not in answer:
            return replace(made, granted=(*made.granted, taken((types, constants))))
        first = first or made
    assert first is not None
    return first


def _contradictory(family: Family) -> list[Inferred]:
    """Return the notes by which a dim is between nothing: no execution comes to such a launch."""
    ends: dict[str, dict[str, list[tuple[int, Inferred | None]]]] = {}
    for n in family.notes:
        said = re.fullmatch(r"assume (\w+) (<=|>=|<) (-?\d+)", n.text)
        if said is not None:
            low = said[2] == ">="
            end = int(said[3]) - (said[2] == "<")
            ends.setdefault(said[1], {"low": [], "high": []})["low" if low else "high"].append(
                (end, n)
            )
    for each in ends.values():
        lows, highs = each["low"] or [(1, None)], each["high"]
        if highs and max(x for x, _ in lows) > min(x for x, _ in highs):
            return [n for _, n in (*lows, *highs) if n is not None]
    return []


def _of_member(
    kernel: Jitted,
    member: Member,
    answer: Mapping[str, Any],
    places: Mapping[str, tuple[str, int]],
) -> Kernel:
    own = replace(kernel, types=dict(member.types), constants=dict(member.constants))
    found = program(own, answer, places)
    known = {p.name for p in found.params}
    # What is said of a pointer that is None is said of nothing.
    notes = tuple(
        n for n in member.family.notes
        if not (m := re.match(r"(?:extent|arg) (\w+) =", n.text)) or m[1] in known
    )  # fmt: skip
    return replace(found, families=(replace(member.family, notes=notes),))


def _add(programs: dict[str, Kernel], made: Kernel) -> None:
    """Add a program, unless one is there that differs in nothing but the values of constexprs."""
    (own,) = made.families
    notes = [n.text for n in own.notes]
    heads = [n.split(" = ")[0] if n.startswith("constexpr ") else n for n in notes]
    numbers: dict[str, str] = {}  # what is numbered in the order of TTIR has no other number here
    try:
        text = json.dumps(to_json(replace(made, families=(replace(own, notes=()),))))
    except RecursionError:
        text = made.name * len(programs)  # one by itself
    same = json.dumps(heads) + _NUMBERED.sub(
        lambda m: numbers.setdefault(m[0], f".{len(numbers)}"), text
    )
    if same not in programs:
        programs[same] = made
        return
    (known,) = programs[same].families
    kept = tuple(
        n if n.text == text else replace(n, why=f"{n.why}, and the same for {text.split(' = ')[1]}")
        for n, text in zip(known.notes, notes, strict=True)
    )
    programs[same] = replace(programs[same], families=(replace(known, notes=kept),))


_NUMBERED = re.compile(r"\.\d+(?=[.\"])")


def compiled(
    kernel: Jitted, member: Member, compiler: Compiler
) -> tuple[Member, Mapping[str, Any]]:
    """Return a member with what Triton makes of it.

    Where it does not take a type that is not known, the first other one is that it takes.
    """

    def asked(types: Mapping[str, str]) -> Mapping[str, Any]:
        own = replace(kernel, types=dict(types), constants=dict(member.constants))
        return compiler.ttir(own)

    def retyped(changed: Mapping[str, str]) -> Member:
        old = {f"type {p} = {member.types[p]}": f"type {p} = {t}" for p, t in changed.items()}
        notes = (replace(n, text=old.get(n.text, n.text)) for n in member.family.notes)
        family = replace(member.family, notes=tuple(notes))
        return replace(member, types={**member.types, **changed}, family=family)

    first = asked(member.types)
    if "error" not in first:
        return member, first
    whole = dict.fromkeys(member.unclear, "i32")
    ways = [whole]
    if whole and "error" not in asked({**member.types, **whole}):
        for p in member.unclear:  # what may have a fraction is no integer
            fewer = {q: t for q, t in ways[0].items() if q != p}
            ways = ways if "error" in asked({**member.types, **fewer}) else [fewer]
    groups = sorted({*member.open.values()})
    for count in (1, 2) if len(groups) <= _MOST_OPEN else (1,):
        for some, other in product(combinations(groups, count), ("*i64", "*i1")):
            ways.append({p: other for p, same in member.open.items() if same in some})
    for changed in filter(None, ways):
        answer = asked({**member.types, **changed})
        if "error" not in answer:
            return retyped(changed), answer
    return member, first


_POINTEES = {"fp16": "f16", "bf16": "bf16", "fp32": "f32", "fp64": "f64"}


def program(
    kernel: Jitted, answer: Mapping[str, Any], places: Mapping[str, tuple[str, int]] | None = None
) -> Kernel:
    """Return the program of a kernel, of the TTIR that the process made of it.

    `places` say to which array, and which element of it, pointers are: two may be to one. A pointer
    of which nothing is said is to the first element of an array of its own.
    """
    place = kernel.place
    if "error" in answer:
        line = answer.get("line")
        at = Place(place.file, line, 1) if isinstance(line, int) else place
        return _lost(kernel, str(answer["error"]), at)
    params: list[Param] = []
    arrays: list[Array] = []
    arguments: list[Expr | None] = []
    for name, text in answer["parameters"]:
        described = descriptor(text)
        type = Pointer() if described else _type(text)
        if isinstance(type, Pointer):
            pointee, rank = described or (text[1:], 0)
            held = _type(pointee)
            size = 1 if pointee.startswith("fp8") else _size(pointee)
            integer = Int(8, True) if pointee == "i1" else held
            array, start = (places or {}).get(name, (name, 0))
            base: Expr = Base(array)
            arguments.append(PtrAdd(base, Const(start, I64), size, place) if start else base)
            params.append(Param(name, type, place, text, array))
            if array not in (a.name for a in arrays):
                arrays.append(
                    Array(array, "global", size, None, size, place, text,
                          integer if isinstance(integer, Int) else None)
                )  # fmt: skip
            if rank:
                numbers_here = numbers_of(name, rank)
                if not {*kernel.parameters}.isdisjoint(numbers_here):
                    why = f"a number of the descriptor {name} has the name of a parameter"
                    return _lost(kernel, why, place)
                params += [Param(n, I64, place, "i64") for n in numbers_here]
                arguments += [*(Var(n, I64) for n in numbers_here), Const(1, I64)]
        else:
            params.append(Param(name, type, place, text))
            arguments.append(None if type is None else _argument(name, type, kernel))
    numbers = answer.get("numbers", {})
    notes = tuple((with_numbers(numbers, text), at) for text, at in kernel.notes)
    try:
        function = with_descriptors(_function(read_ttir(answer["text"], place), answer["name"]))
        if len(function.blocks[0].arguments) != len(arguments):
            raise Unread("a function with other parameters")
        made = lowered(function, arguments)
    except TtirError as error:
        return _lost(kernel, error.why, error.place or place)
    except Unread as unread:
        return _lost(kernel, str(unread), place)
    except (IndexError, ValueError) as error:  # an operation with fewer words than it has
        return _lost(kernel, f"TTIR of a form that is not known ({error})", place)
    return Kernel(
        kernel.name, tuple(params), tuple(arrays), made.body, place, TRITON, notes,
        block=made.block, granted=_not_run(answer.get("lost", ())),
    )  # fmt: skip


def _not_run(lost: Sequence[str]) -> tuple[str, ...]:
    """Return what is taken for granted of a file that did not run as a whole."""
    return (f"what did not run of the file changes no kernel ({'; '.join(lost)})",) if lost else ()


def _lost(kernel: Jitted, why: str, place: Place) -> Kernel:
    """Return the program of a kernel of which nothing is understood."""
    params = tuple(Param(n, None, kernel.place, kernel.types.get(n, "")) for n in kernel.parameters)
    nothing = (NotUnderstood(why, place, (), None, True),)
    notes = tuple((text, at) for text, at in kernel.notes if text.startswith("launch "))
    return Kernel(kernel.name, params, (), nothing, kernel.place, TRITON, notes, block=(1, 1, 1))


def _function(functions: list[Function], name: str) -> Function:
    """Return the kernel among the functions of a module; others are those it calls."""
    found = next((f for f in functions if f.name == name), None)
    if found is None:
        raise Unread(f"a module without {name}")
    return found


def _type(text: str) -> Type | None:
    """Return the type of a parameter, None for a number that is no integer."""
    if text.startswith("*"):
        return Pointer()
    if text[0] not in "iu":
        return None
    bits = int(text[1:])
    return Int(bits, text[0] == "i" and bits > 1)


def _size(pointee: str) -> int:
    return element_bytes(_POINTEES.get(pointee, f"i{pointee[1:]}"))


def _argument(name: str, type: Type, kernel: Jitted) -> Expr:
    variable = Var(name, type)
    if isinstance(type, Int) and not type.signed and type.bits > 1:
        return Cast(variable, Int(type.bits, True), kernel.place, True)
    return variable
