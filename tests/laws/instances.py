"""Instances of dims that meet assumptions: drawn at random, then moved to where each fact holds.

Nothing here uses the prover; whether an instance meets the assumptions is decided by the oracle.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from math import lcm
from typing import Any

from . import oracle
from .oracle import Env, NoSuchLayout

#: From how far above its lower bound a dim is drawn; small values matter most.
SMALL, LARGE = (0, 0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8), 60
#: How often the facts are gone through for a draw.
PASSES = 4


def lower_bound(given: list[Any], name: str) -> int:
    """Return the bound that the grammar's rule gives a dim: 1, unless a constant is named."""
    found = []
    for f in given:
        if f.op in ("le", "lt", "eq"):
            a, b = f.args
            if isinstance(a, int) and getattr(b, "name", "") == name:
                found.append(a + (f.op == "lt"))
            elif f.op == "eq" and isinstance(b, int) and getattr(a, "name", "") == name:
                found.append(b)
    return max(found, default=1)


def meets(given: list[Any], env: Env) -> bool:
    """Return whether the dims meet the assumptions; one that has no integer value is not met."""
    if any(v < lower_bound(given, n) for n, v in env.items()):
        return False
    try:
        return all(oracle.formula(f, env) for f in given)
    except NoSuchLayout:
        return False


def instances(
    given: list[Any], names: list[str], rng: random.Random, most: int, patience: int = 100
) -> Iterator[dict[str, int]]:
    """Yield different instances that meet the assumptions, `most` at most.

    `patience` is how many draws in a row may fail.
    """
    if not names:
        if meets(given, {}):
            yield {}
        return
    lows = {n: lower_bound(given, n) for n in names}
    steps = {n: _step(given, n) for n in names}
    seen: set[tuple[int, ...]] = set()
    failures = 0
    while len(seen) < most and failures < patience:
        env = {n: _drawn(lows[n], steps[n], rng) for n in names}
        for _ in range(PASSES):
            if not sum(_move(f, env, rng) for f in given):
                break
        key = tuple(env[n] for n in names)
        if key in seen or not meets(given, env):
            failures += 1
            continue
        failures = 0
        seen.add(key)
        yield dict(env)


def _step(given: list[Any], name: str) -> int:
    """Return the least common multiple of the numbers that a fact says divide the dim."""
    divisors = [f.args for f in given if f.op == "divides"]
    return lcm(*(a for a, b in divisors if isinstance(a, int) and getattr(b, "name", "") == name))


def _drawn(low: int, step: int, rng: random.Random) -> int:
    if step > 1:
        return (-(-low // step) + rng.choice((0, 0, 0, 1, 1, 2, 3))) * step
    return low + (rng.randrange(LARGE) if rng.random() < 0.08 else rng.choice(SMALL))


def _move(f: Any, env: dict[str, int], rng: random.Random) -> bool:
    """Give a dim that a false fact names alone on a side a value with which the fact holds.

    Returns whether the fact was false.
    """
    if f.op == "or":
        return _move(rng.choice(f.args), env, rng)
    if f.op == "and":
        return sum(_move(x, env, rng) for x in f.args) > 0
    if f.op not in ("eq", "le", "lt", "divides"):
        return False
    try:
        if oracle.formula(f, env):
            return False
        a, b = f.args
        if f.op == "divides":
            step = abs(oracle.number(a, env))
            if _is_dim(b) and step:
                env[b.name] = (-(-env[b.name] // step) + rng.choice((0, 0, 1, 2))) * step
            return True
        strict = f.op == "lt"
        if _is_dim(b):  # a <= b
            value = oracle.number(a, env)
            env[b.name] = value if f.op == "eq" else value + strict + rng.choice((0, 0, 1, 2, 5))
        elif _is_dim(a):  # a <= b, and b is no dim
            value = oracle.number(b, env)
            down = 0 if f.op == "eq" else strict + rng.choice((0, 0, 1, 2, 5))
            env[a.name] = max(value - down, min(value - strict, 1))
    except NoSuchLayout:
        pass
    return True


def _is_dim(leaf: Any) -> bool:
    return getattr(leaf, "op", "") == "dim"
