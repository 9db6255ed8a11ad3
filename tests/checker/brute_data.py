"""Whether what a certificate states as data is true, by loops over small instances.

It reads the data by itself, with plain integers, and imports nothing of the package.
"""

from __future__ import annotations

import json
import random
from functools import cache
from itertools import islice, product
from math import prod
from typing import Any

#: Instances looked at near the lower bounds and anywhere, those that are met, coordinates of one.
NEAR, FAR, MOST, LARGE = 120, 60, 40, 4000


class Senseless(Exception):
    """What is stated has no value at an instance."""


def number(x: Any, at: dict[str, int]) -> int:
    if isinstance(x, int):
        return x
    if isinstance(x, str):
        return at[x]
    op, *args = x
    a, *rest = (number(y, at) for y in args)
    if op == "neg":
        return -a
    [b] = rest
    if op in ("/", "//", "%", "ceil_div") and (b == 0 or (op == "/" and a % b)):
        raise Senseless(x)
    if op == "**" and (abs(a) > 1 << 64 or b > 64):
        raise OverflowError
    return int({"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "**": lambda: a**b,
            "/": lambda: a // b, "//": lambda: a // b, "%": lambda: a % b, "min": lambda: min(a, b),
            "max": lambda: max(a, b), "ceil_div": lambda: -(-a // b)}[op]())  # fmt: skip


def truth(f: Any, at: dict[str, int]) -> bool:
    op, *args = f
    if op == "implies":
        return not truth(args[0], at) or truth(args[1], at)
    if op in ("and", "or", "not"):
        found = [truth(x, at) for x in args]
        return all(found) if op == "and" else any(found) if op == "or" else not found[0]
    a, b = (number(x, at) for x in args)
    if op == "|":
        return a != 0 and b % a == 0
    return {"==": a == b, "!=": a != b, "<=": a <= b, "<": a < b}[op]


def met(fact: Any, at: dict[str, int]) -> bool:
    try:
        return truth(fact, at)
    except Senseless:
        return False


Modes = list[tuple[int, int]]


def offsets(m: Modes) -> list[int]:
    found = [0]
    for s, d in reversed(m):  # the first mode is the fastest
        found = [x * d + y for y in found for x in range(s)]
    if len(found) > LARGE:
        raise OverflowError
    return found


def at_index(m: Modes, i: int) -> int:
    found = 0
    for k, (s, d) in enumerate(m):
        last = k + 1 == len(m)
        found += (i if last else i % s) * d
        i //= s
    return found


def swizzle(fields: list[int], x: int) -> int:
    bits, base, shift = fields
    upper = (x >> base + abs(shift)) & ((1 << bits) - 1)
    lower = (x >> base) & ((1 << bits) - 1)
    return x ^ (upper << base) if shift >= 0 else x ^ (lower << base + abs(shift))


def holds(p: dict[str, Any], at: dict[str, int]) -> bool:
    """Return whether a primitive claim is true at an instance."""
    kind, n = p["kind"], number(p.get("leaf", 0), at)
    if kind in ("either", "denied"):
        said = [holds(x, at) for x in p["body"]]
        return any(said) if kind == "either" else not any(said)
    layouts = [[(number(s, at), number(d, at)) for s, d in m] for m in p.get("layouts", [])]
    if any(s < 1 for m in layouts for s, _ in m):
        raise Senseless(p)
    if max([prod(s for s, _ in m) for m in layouts], default=1) > LARGE:
        raise OverflowError
    if kind == "holds":
        return truth(p["body"], at)
    if kind in ("agree", "vectors", "requests"):
        return by_index(p, layouts, n, at)
    images = [offsets(m) for m in layouts]
    if p.get("guards"):
        guards = [([number(d, at) for _, d in g], number(b, at)) for g, b in p["guards"]]
        own = offsets_of_guards([s for s, _ in layouts[0]], guards)
        images[0] = [x for x, inside in zip(images[0], own, strict=True) if inside]
    a, b = images[0], images[-1]
    if kind == "injective":
        return len(set(a)) == len(a)
    if kind == "in_bounds":
        x = number(p.get("offset", 0), at)
        return all(0 <= swizzle(p.get("swizzle", [0, 0, 0]), x + y) < n for y in a)
    if kind == "covers":
        return n <= LARGE and set(range(n)) <= set(a)
    if kind == "disjoint":
        return set(a) & set(b) <= {0}
    if kind == "apart":
        return not set(a) & {n + x for x in b}
    assert kind == "same_image", kind
    return set(a) == set(b)


def offsets_of_guards(shape: list[int], guards: list[tuple[list[int], int]]) -> list[bool]:
    inside = [True] * prod(shape)
    for strides, bound in guards:
        found = offsets(list(zip(shape, strides, strict=True)))
        inside = [x and y < bound for x, y in zip(inside, found, strict=True)]
    return inside


def by_index(p: dict[str, Any], layouts: list[Modes], n: int, at: dict[str, int]) -> bool:
    kind, x = p["kind"], number(p.get("offset", 0), at)
    fields, size = p.get("swizzle", [0, 0, 0]), prod(s for s, _ in layouts[0])
    if kind == "agree":
        *chains, domain = layouts
        split = p.get("split", 0)

        def through(chain: list[Modes], i: int) -> int:
            for m in reversed(chain):
                i = at_index(m, i)
            return i

        return all(swizzle(fields, x + through(chains[:split], i))
                   == swizzle(p.get("body", [0, 0, 0]), n + through(chains[split:], i))
                   for i in range(prod(s for s, _ in domain)))  # fmt: skip
    found = [swizzle(fields, x + at_index(layouts[0], i)) for i in range(size)]
    if kind == "vectors":
        v = p["split"]
        return size % v == 0 and all((n + found[i - i % v]) % v == 0 and
                                     found[i] == found[i - i % v] + i % v
                                     for i in range(size))  # fmt: skip
    return requests(p["body"], layouts[0], [n + y for y in found])


def requests(service: list[Any], m: Modes, found: list[int]) -> bool:
    element, width, lanes, unit, places, together, most, least, pairs = service
    count = prod(s for s, _ in m[:lanes])
    for first in range(0, len(found), count):
        bits = [element * x for x in found[first : first + count]]
        if any(x % width for x in bits):
            return False

        def cost(group: list[int]) -> int:
            units = {x // unit for x in group}
            return max(sum(u % places == k for u in units) for k in {u % places for u in units})

        phases = [bits[k : k + together] for k in range(0, count, together)]
        if any(not least <= cost(phase) <= most for phase in phases):
            return False
        same = [s for s in (1, 2) if pairs and all(
            bits[k] == bits[k ^ s] for k in range(count) if k ^ s < count)]  # fmt: skip
        both = [bits[k : k + 2 * together] for k in range(0, count, 2 * together)]
        if same and any(cost(phase) > most for phase in both):
            return False
    return True


def instances(statement: dict[str, Any]) -> Any:
    """Yield small instances that meet what is given."""
    names = sorted(statement["dims"])
    low = [statement["dims"][n] for n in names]
    rng = random.Random(0)
    near = (x for total in range(9) for x in product(range(total + 1), repeat=len(names))
            if sum(x) == total)  # fmt: skip
    far = (tuple(rng.choice((0, 1, 2, 3, 5, 7, 11, 31)) for _ in names) for _ in range(FAR))
    found = 0
    for x in [*islice(near, NEAR), *far]:
        at = {n: b + v for n, b, v in zip(names, low, x, strict=True)}
        if all(met(fact, at) for fact in statement["given"]):
            found += 1
            yield at
        if found > MOST:
            return


def broken(statement: dict[str, Any]) -> str | None:
    """Return an instance at which what is stated is false or has no value, if one was found."""
    return _broken(json.dumps(statement))


@cache
def _broken(text: str) -> str | None:
    statement = json.loads(text)
    for at in instances(statement):
        try:
            for f in statement["defined"]:
                if not truth(f, at):
                    return f"{at}: {f}"
            for p in statement["parts"]:
                if p["kind"] != "printed" and not holds(p, at):
                    return f"{at}: {p}"
        except Senseless as error:
            return f"{at}: {error}"
        except OverflowError:
            continue
    return None
