"""Values of dims that meet assumptions: small ones, and those that the texts speak of."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import product

from .assumed import lower_bounds, met
from .evaluate import Senseless, Unclear, number
from .reading import Tree, names

#: How many draws in a row may fail, and how often a draw is moved to where a fact holds.
PATIENCE, MOVES = 40, 3


def constants(tree: Tree) -> set[int]:
    """Return the numbers of a tree."""
    if tree[0] == "int":
        return {tree[1]}
    return set().union(*(constants(x) for x in tree[1:] if isinstance(x, tuple)))


def box(
    given: list[Tree],
    spoken: list[Tree],
    rng: random.Random,
    most: int,
    fixed: Mapping[str, int] | None = None,
) -> Iterator[dict[str, int]]:
    """Yield different values of all dims of the texts that meet the assumptions, `most` at most.

    Those in `fixed` keep their values.
    """
    fixed = fixed or {}
    dims = sorted(set().union(*(names(t) for t in (*given, *spoken))))
    if not dims:
        if meets(given, {}, {}):
            yield {}
        return
    low = lower_bounds(given, set(dims))
    some = sorted({x for t in (*given, *spoken) for x in constants(t) if x < 1 << 14})[:12]
    seen: set[tuple[int, ...]] = set()
    failed = 0
    near = product(range(5 if len(dims) < 3 else 2), repeat=len(dims))
    small = ({n: low[n] + v for n, v in zip(dims, at, strict=True)} for at in near)
    while len(seen) < most and failed < PATIENCE:
        env = next(small, None) if rng.random() < 0.5 else None
        if env is None:
            env = {n: _drawn(low[n], some, rng) for n in dims}
        env.update(fixed)
        if not meets(given, env, low):
            for _ in range(MOVES):
                for t in given:
                    _move(t, env, rng)
                    env.update(fixed)
                if meets(given, env, low):
                    break
        key = tuple(env[n] for n in dims)
        if key in seen or not meets(given, env, low):
            failed += 1
            continue
        failed = 0
        seen.add(key)
        yield dict(env)


def meets(given: list[Tree], env: dict[str, int], low: dict[str, int]) -> bool:
    try:
        return all(v >= low[n] for n, v in env.items()) and all(met(t, env) for t in given)
    except Unclear:
        return False


def _drawn(low: int, some: list[int], rng: random.Random) -> int:
    kind = rng.random()
    if kind < 0.6 or not some:
        return low + rng.choice((0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 11))
    if kind < 0.85:
        return max(low, rng.choice(some) * rng.choice((1, 1, 1, 2, 3)) + rng.choice((0, 0, 1, -1)))
    return low + rng.randrange(70)


def _move(tree: Tree, env: dict[str, int], rng: random.Random) -> None:
    """Give a dim that a false fact names alone on a side a value with which the fact holds."""
    op, *parts = tree
    if op == "paren" or op == "and":
        for x in parts:
            _move(x, env, rng)
        return
    if op == "or":
        _move(rng.choice(parts), env, rng)
        return
    if op in ("not", "implies"):
        return
    a, b = parts
    try:
        if met(tree, env):
            return
        if op == "==" and a[0] == "%" and a[1][0] == "name":
            step, rest = abs(number(a[2], env)) or 1, number(b, env)
            env[a[1][1]] = -(-env[a[1][1]] // step) * step + rest
        elif op == "|" and b[0] == "name":
            step = abs(number(a, env)) or 1
            env[b[1]] = -(-env[b[1]] // step) * step
        elif b[0] == "name":
            env[b[1]] = number(a, env) + _gap(op, rng)
        elif a[0] == "name":
            env[a[1]] = number(b, env) - _gap(op, rng)
    except (Senseless, Unclear):
        pass


def _gap(op: str, rng: random.Random) -> int:
    """Return by how much the right side of a relation may exceed the left one."""
    more = rng.choice((0, 0, 1, 2, 5))
    return {"<=": more, "<": 1 + more, ">=": -more, ">": -1 - more}.get(op, 0)
