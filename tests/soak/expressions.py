"""Kernels that access memory at any expression at all: many are wrong."""

from __future__ import annotations

import re
from random import Random

from .idioms import WIDE, Text

_LEAVES = ("i", "i", "n", "k", "threadIdx.x", "blockIdx.x", "t", "1", "2", "3", "8", "-1", "31u")
_FORMS = (
    "({a} + {c})", "({a} - {c})", "({a} * {c})", "({a} + {c})", "({a} / {d})", "({a} % {d})",
    "({a} & 7)", "({a} & 31)", "({a} & 255)", "({a} >> {s})", "({a} << {s})", "(int){a}",
    "(unsigned){a}", "(unsigned char){a}", "(short){a}", "({a} < {c} ? {a} : {c})",
    "min((int){a}, (int){c})", "max((int){a}, (int){c})", "-{a}", "~{a}", "({a} ^ {d})",
    "(size_t){a}", "(long long){a}", "({a} | 1)", "__popc({a})", "__clz({a})",
)  # fmt: skip
_GUARDS = (
    "i < n", "i < n && k < i", "i >= 0 && i < n", "i <= n", "{t}", "i < n && {t}", "i < n || {t}",
    "!({t}) && i < n",
)  # fmt: skip


def number(rng: Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.25:
        return rng.choice(_LEAVES)
    a, c = number(rng, depth - 1), number(rng, depth - 1)
    return rng.choice(_FORMS).format(a=a, c=c, d=rng.choice("23457"), s=rng.choice("123"))


def test(rng: Random) -> str:
    return f"{number(rng, 1)} {rng.choice(('<', '<=', '>', '>=', '==', '!='))} {number(rng, 1)}"


def anything(rng: Random) -> Text:
    """An access at a random expression."""
    b, kind = rng.choice((32, 64, 128, 96)), rng.choice((*WIDE, "short", "unsigned char"))
    lines = [f"  {kind} i = blockIdx.x * {b} + threadIdx.x;", "  int t = threadIdx.x & 7;"]
    if rng.random() < 0.3:
        lines.append(f"  t = {number(rng, 2)};")
    at = number(rng, 2)
    access = rng.choice((f"y[{at}] = 1;", f"y[i] = x[{at}];", f"atomicAdd(&y[{at}], 1);"))
    if rng.random() < 0.4:
        start, end = rng.choice((("-1", "1"), ("0", "3"), ("i", "n"), ("0", "i"), ("k", "n")))
        step = rng.choice(("++", " += 2"))
        loop = f"for ({rng.choice(WIDE)} j = {start}; j < {end}; j{step})"
        access = f"{loop} " + re.sub(r"\bi\b", "j", access)
    lines.append(f"  if ({rng.choice(_GUARDS).format(t=test(rng))}) {{ {access} }}")
    x, y = (rng.choice(("n", "n + 1", "2*n", "256", f"{b}*n", "n + k + 1")) for _ in "xy")
    limit = rng.choice(("100", "2**20", "2**30"))
    near = rng.choice(("assume 0 <= k < n", "assume -4 <= k <= 4", "assume k <= 8"))
    return Text(
        f"grid=(ceil_div(n,{b})) block=({b})",
        (f"assume n <= {limit}", near, f"extent x = {x}", f"extent y = {y}"),
        f"{rng.choice(('int', 'int', 'unsigned', 'long long'))} n, int k, const int *x, int *y",
        "\n".join(lines),
    )
