"""Loops and branches of CuTe DSL that are written anew show what they showed before.

An interpreter of the few operations that stand here executes both; what `see` takes is what a
module shows.
"""

from __future__ import annotations

import operator
import random
import re
from itertools import product
from typing import Any

import pytest

from symcute.frontends.cutedsl.derived import derived
from symcute.frontends.cutedsl.folding import folded
from symcute.frontends.cutedsl.roles import parted
from symcute.frontends.cutedsl.text import Block, Operation, read_module

from ..full import many

ARITHMETIC = {
    "arith.addi": lambda a, b: a + b,
    "arith.muli": lambda a, b: a * b,
    "arith.subi": lambda a, b: a - b,
    "arith.maxsi": max,
}

COMPARES = {
    f"{k} : i64": compare
    for k, compare in enumerate(
        (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)
    )
}


def shown(module: Operation) -> list[int]:
    """Execute a module, and return all that it shows."""
    found: list[int] = []
    inside(module.regions[0][0], {}, found)
    return found


def inside(block: Block, values: dict[str, Any], found: list[int]) -> list[Any]:
    """Execute a block, and return what its last operation takes."""
    given: list[Any] = []
    for o in block.operations:
        given = [values[x.name] for x in o.operands]
        made: list[Any] = []
        if o.name == "test.see":
            found += given
        elif o.name == "arith.constant":
            text = o.properties["value"]
            made = [text == "true" if text in ("true", "false") else int(text.split(" ")[0])]
        elif o.name in ARITHMETIC:
            made = [ARITHMETIC[o.name](*given)]
        elif o.name == "arith.cmpi":
            made = [COMPARES[o.properties.get("predicate", "2 : i64")](*given)]
        elif o.name == "scf.if":
            made = inside(o.regions[not given[0]][0], dict(values), found)
        elif o.name == "scf.for":
            made = given[3:]
            (body,) = o.regions[0]
            for k in range(*given[:3]):
                made = inside(body, values | named(body, [k, *made]), found)
        elif o.name == "scf.while":
            (ask,), (body,) = o.regions
            made = given
            while True:
                test, *made = inside(ask, values | named(ask, made), found)
                if not test:
                    break
                made = inside(body, values | named(body, made), found)
        values |= {r.name: x for r, x in zip(o.results, made, strict=True)}
    return given


def named(block: Block, values: list[Any]) -> dict[str, Any]:
    return {a.name: x for a, x in zip(block.arguments, values, strict=True)}


def module_of(lines: list[str]) -> Operation:
    """Return a module of lines such as `%2 = arith.addi %0 %1`, in the generic form."""
    found = []
    for line in lines:
        m = re.match(r"(?:(%\w+(?::\d+)?) = )?([\w.]+)((?: %[\w#]+)*)(?: (-?\w+))?\Z", line)
        if m is None:
            found.append(line)
            continue
        result, name, operands, value = m.groups()
        names = operands.split()
        kind = "i1" if name == "arith.cmpi" or value in ("true", "false") else "i32"
        said = value if kind == "i1" else f"{value} : i32"
        said = f"predicate = {value} : i64" if name == "arith.cmpi" else f"value = {said}"
        properties = f" <{{{said}}}>" if value else ""
        takes = ", ".join("i1" if x.startswith("%p") else "i32" for x in names)
        gives = kind if result else "()"
        start = f"{result} = " if result else ""
        found.append(f'{start}"{name}"({", ".join(names)}){properties} : ({takes}) -> {gives}')
    return read_module('"builtin.module"() ({\n' + "\n".join(found) + "\n}) : () -> ()")


def tiles(
    flag: str = "arith.cmpi %t2 %n", twice: str = "arith.muli %t2 %two", first: str = "%start"
) -> Operation:
    """Return a scheduler's loop: a tile's number, twice it, and whether it is one, are carried."""
    return module_of([
        "%n = arith.constant 9", "%two = arith.constant 2", "%three = arith.constant 3",
        "%start = arith.constant 1",
        "%p0 = arith.cmpi %start %n",
        f"%w0 = arith.muli {first} %two",
        '%l:3 = "scf.while"(%start, %p0, %w0) ({',
        "^bb0(%a: i32, %pa: i1, %b: i32):",
        '"scf.condition"(%pa, %a, %pa, %b) : (i1, i32, i1, i32) -> ()',
        "}, {",
        "^bb0(%t: i32, %pt: i1, %w: i32):",
        "test.see %t", "test.see %w",
        "%t2 = arith.addi %t %three",
        f"%p2 = {flag}", f"%w2 = {twice}",
        '"scf.yield"(%t2, %p2, %w2) : (i32, i1, i32) -> ()',
        "}) : (i32, i1, i32) -> (i32, i1, i32)",
        "test.see %l#0", "test.see %l#2",
    ])  # fmt: skip


def reads_carried(module: Operation, name: str) -> bool:
    """Return whether anything but control flow reads a name."""
    return any(
        x.name == name
        for o in module.walk()
        for x in o.operands
        if o.name not in ("scf.yield", "scf.condition")
    )


def test_what_is_made_in_the_same_way_is_computed_again() -> None:
    old = tiles()
    new = derived(old)
    assert shown(new) == shown(old) == [1, 2, 4, 8, 7, 14, 10, 20]
    assert reads_carried(old, "%w") and not reads_carried(new, "%w")
    asked = [o for o in new.walk() if o.name == "scf.condition"]
    assert asked[0].operands[0].name != "%pa" and asked[0].operands[2].name == "%pa"


@pytest.mark.parametrize(
    "other",
    [
        {"twice": "arith.muli %t %two"},  # of the tile before
        {"twice": "arith.muli %t2 %three"},
        {"twice": "arith.addi %t2 %two"},
        {"first": "%two"},
    ],
)
def test_what_is_made_in_another_way_is_carried(other: dict[str, str]) -> None:
    old = tiles(**other)
    new = derived(old)
    assert shown(new) == shown(old) != shown(tiles())
    assert reads_carried(new, "%w")


@pytest.mark.parametrize("flag", ["arith.cmpi %t %n", "arith.cmpi %t2 %three"])
def test_another_flag_is_carried(flag: str) -> None:
    old = tiles(flag=flag)
    new = derived(old)
    assert shown(new) == shown(old)
    (asked,) = [o for o in new.walk() if o.name == "scf.condition"]
    assert asked.operands[0].name == "%pa"


def test_branches_that_constants_choose_are_no_more() -> None:
    def branch(result: str, p: str, yes: int, no: int) -> list[str]:
        end = '"scf.yield"(%x) : (i32) -> ()'
        return [
            f'{result} = "scf.if"({p}) ({{', f"%x = arith.constant {yes}", end,
            "}, {", f"%x = arith.constant {no}", end, "}) : (i1) -> i32",
        ]  # fmt: skip

    old = module_of([
        "%p1 = arith.constant true", "%p2 = arith.constant false",
        *branch("%a", "%p1", 5, 6), *branch("%b", "%p2", 7, 8),
        "test.see %a", "test.see %b",
    ])  # fmt: skip
    new = folded(old)
    assert shown(new) == shown(old) == [5, 8]
    assert not any(o.name == "scf.if" for o in new.walk())


def drawn(rng: random.Random) -> Operation:
    """Return loops in loops that carry what is computed of each other, and constant branches."""
    count = iter(range(10**6))
    lines: list[str] = []

    def computed(known: list[str], like: str = "") -> str:
        name = f"%v{next(count)}"
        op = rng.choice(list(ARITHMETIC))
        lines.append(f"{name} = {like or op} {rng.choice(known)} {rng.choice(known)}")
        return name

    def branch(known: list[str]) -> str:
        p, name = f"%p{next(count)}", f"%v{next(count)}"
        lines.append(f"{p} = arith.constant {rng.choice(['true', 'false'])}")
        lines.append(f'{name} = "scf.if"({p}) ({{')
        for end in ("}, {", "}) : (i1) -> i32"):
            # Branches beside each other may have the same names.
            lines.append(f"%x = arith.addi {rng.choice(known)} {rng.choice(known)}")
            lines.append("test.see %x")
            lines.append(f'"scf.yield"(%x) : (i32) -> ()\n{end}')
        return name

    def loop(known: list[str], depth: int) -> str:
        size = rng.randint(2, 4)
        starts, forms = [rng.choice(known) for _ in range(size)], []
        for k in range(1, size):
            if rng.random() < 0.7:  # it is made of one before, by an operation and an outer number
                op, of, outer = rng.choice(list(ARITHMETIC)), rng.randrange(k), rng.choice(known)
                forms.append((k, op, of, outer))
                starts[k] = f"%v{next(count)}"
                lines.append(f"{starts[k]} = {op} {starts[of]} {outer}")
        name, own = f"%v{next(count)}", [f"%v{next(count)}" for _ in range(size)]
        bounds = [f"%v{next(count)}" for _ in range(3)]
        for b, n in zip(bounds, (0, rng.randint(0, 3), 1), strict=True):
            lines.append(f"{b} = arith.constant {n}")
        lines.append(f'{name}:{size} = "scf.for"({", ".join([*bounds, *starts])}) ({{')
        lines.append(f"^bb0({', '.join(f'{x}: i32' for x in [f'{name}c', *own])}):")
        inner = [*known, f"{name}c", *own]
        lines.extend(f"test.see {x}" for x in own)
        ends = [computed(inner) for _ in range(size)]
        for k, op, of, outer in forms:
            if rng.random() < 0.8:
                ends[k] = f"%v{next(count)}"
                lines.append(f"{ends[k]} = {op} {ends[of]} {outer}")
        for _ in range(2):
            inner.append(branch(inner))
        if depth:
            inner.append(loop(inner, depth - 1))
            lines.append(f"test.see {inner[-1]}")
        if rng.random() < 0.3:
            ends[0] = own[0]
        lines.append(f'"scf.yield"({", ".join(ends)}) : ({", ".join(["i32"] * size)}) -> ()')
        types = ", ".join(["i32"] * size)
        lines.append(f"}}) : (i32, i32, i32, {types}) -> ({types})")
        lines.extend(f"test.see {name}#{k}" for k in range(size))
        return f"{name}#{rng.randrange(size)}"

    known = [f"%v{next(count)}" for _ in range(3)]
    lines.extend(f"{x} = arith.constant {rng.randint(-2, 3)}" for x in known)
    for _ in range(2):
        known.append(loop(known, 1))
        known.append(branch(known))
    return module_of(lines)


def test_drawn_loops_show_the_same() -> None:
    rng = random.Random(19)
    changed = 0
    for _ in range(many(60, 3000)):
        old = drawn(rng)
        new = derived(folded(old))
        assert shown(new) == shown(old)
        changed += sum(1 for o in new.walk() for r in o.results if "_again" in r.name)
    assert changed > 60


def roles(tests: tuple[tuple[int, int], tuple[int, int]], warp: int) -> Operation:
    """Return two branches of a warp: the second reads what the first gave, and what was before."""
    (first, a), (second, b) = tests
    return module_of([
        f"%w = arith.constant {warp}", f"%a = arith.constant {a}", f"%b = arith.constant {b}",
        "%before = arith.constant 7",
        f"%p1 = arith.cmpi %w %a {first}",
        '%r = "scf.if"(%p1) ({', "%x = arith.constant 8", '"scf.yield"(%x) : (i32) -> ()',
        "}, {", '"scf.yield"(%before) : (i32) -> ()', "}) : (i1) -> i32",
        f"%p2 = arith.cmpi %w %b {second}",
        '"scf.if"(%p2) ({', "test.see %r", '"scf.yield"() : () -> ()',
        "}, {", "%y = arith.addi %r %r", "test.see %y", '"scf.yield"() : () -> ()',
        "}) : (i1) -> ()",
    ])  # fmt: skip


def test_a_role_reads_what_was_before_another_one() -> None:
    """Just where no warp has both roles, or none has neither, the first branch is not asked."""
    for tests in product(product(range(6), (4,)), product(range(6), (3, 4, 5))):
        (first, a), (second, b) = tests
        for holds, sees in ((True, "test.see"), (False, "arith.addi")):
            seen = set[str]()
            for warp in range(2, 7):
                old = roles(tests, warp)
                new = parted(old)
                assert shown(new) == shown(old)
                seen |= {o.operands[0].name for o in new.walk() if o.name == sees}
            both = any(
                COMPARES[f"{first} : i64"](w, a) and COMPARES[f"{second} : i64"](w, b) is holds
                for w in range(-1, 9)
            )
            assert ("%r" in seen) is both, (tests, holds)


def drawn_roles(rng: random.Random) -> list[str]:
    """Return lines of branches in branches and loops, each of a role, that read of each other."""
    count = iter(range(10**6))
    lines = [f"%c{k} = arith.constant {k}" for k in range(4)]

    def some(known: list[str], depth: int) -> list[str]:
        for _ in range(rng.randint(2, 4)):
            kind = rng.random()
            if kind < 0.2:
                known = [*known, f"%v{next(count)}"]
                lines.append(f"{known[-1]} = arith.addi {rng.choice(known[:-1])} {known[0]}")
            elif kind < 0.35 and depth:
                bounds, name = [f"%c{rng.randrange(3)}" for _ in range(2)], f"%v{next(count)}"
                lines.append(
                    f'{name} = "scf.for"({bounds[0]}, {bounds[1]}, %c1, {rng.choice(known)}) ({{'
                )
                lines.append(f"^bb0({name}c: i32, {name}o: i32):")
                inner = some([*known, f"{name}c", f"{name}o"], depth - 1)
                lines.append(f'"scf.yield"({rng.choice(inner)}) : (i32) -> ()')
                lines.append("}) : (i32, i32, i32, i32) -> i32")
                known = [*known, name]
            elif depth:
                n = next(count)
                asked = rng.choice(["%w", "%w", "%w", rng.choice(known)])
                lines.append(f"%p{n} = arith.cmpi {asked} %c{rng.randrange(4)} {rng.randrange(6)}")
                lines.append(f'%v{n}:2 = "scf.if"(%p{n}) ({{')
                for end in ("}, {", "}) : (i1) -> (i32, i32)"):
                    inner = some(known, depth - 1)
                    ends = f"{rng.choice(inner)}, {rng.choice(known)}"
                    lines.append(f'"scf.yield"({ends}) : (i32, i32) -> ()\n{end}')
                known = [*known, f"%v{n}#0", f"%v{n}#1"]
            lines.append(f"test.see {rng.choice(known)}")
        return known

    some(["%c1", "%c2"], 3)
    return lines


def test_drawn_roles_show_the_same() -> None:
    rng = random.Random(20)
    changed = 0
    for _ in range(many(8, 1000)):
        lines = drawn_roles(rng)
        for warp in range(4):
            old = module_of([f"%w = arith.constant {warp}", *lines])
            new = parted(old)
            assert shown(new) == shown(old)
            changed += new is not old and warp == 0
    assert changed > many(4, 10, 10)
