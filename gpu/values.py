"""`python -m gpu.values`: what integer expressions and device functions come to on a CUDA device.

The interpreter of kernels computes what the hardware computes: conversions, shifts, bit-fields,
intrinsics. This asks the hardware, at numbers at the ends of ranges and between them, and keeps
every answer; `tests/e2e/test_values.py` holds the interpreter to them where there is no device.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from random import Random

OUT = Path("reports/gpu/values/values.json")

#: Expressions in `int a, b`, `unsigned c, d`, `long long e` and `unsigned long long f`; none of
#: them has behaviour that C++ leaves undefined.
EXPRESSIONS = (
    # bits
    "__clz(a)", "__clzll(e)", "__ffs(a)", "__ffsll(e)", "__popc(c)", "__popcll(f)",
    "__brev(c)", "__brevll(f)", "__byte_perm(c, d, a)", "__funnelshift_l(c, d, a)",
    "__funnelshift_lc(c, d, a)", "__funnelshift_r(c, d, a)", "__funnelshift_rc(c, d, a)",
    # products, means and differences
    "__mul24(a, b)", "__umul24(c, d)", "__mulhi(a, b)", "__umulhi(c, d)", "__mul64hi(e, a)",
    "__umul64hi(f, c)", "__hadd(a, b)", "__rhadd(a, b)", "__uhadd(c, d)", "__urhadd(c, d)",
    "__sad(a, b, c)", "__usad(c, d, a)",
    # the smaller, the larger
    "min(a, b)", "max(a, b)", "min(c, d)", "max(c, d)", "min(e, (long long)a)", "max(e, ~e)",
    "min(a, c)", "max(d, b)", "umin(c, d)", "umax(c, d)", "llmin(e, a)", "llmax(e, a)",
    "ullmin(f, c)", "ullmax(f, c)", "abs(a | 1)", "llabs(e | 1)",
    # C++'s own arithmetic
    "a / (b == 0 || b == -1 ? 3 : b)", "a % (b == 0 || b == -1 ? 3 : b)", "c / (d | 1)",
    "c % (d | 1)", "e / ((a | 3) == -1 ? 7 : a | 3)", "e % ((a | 3) == -1 ? 7 : a | 3)",
    "f / (c | 1)", "f % (c | 1)", "a / (d | 1)",
    "c << (b & 31)", "c >> (b & 31)", "a >> (b & 31)", "e >> (b & 63)", "f << (a & 63)",
    "c + d", "c - d", "c * d", "-c", "~a", "a ^ b", "a & c", "e | f", "c + a", "f - e",
    "(short)a", "(unsigned short)a", "(signed char)e", "(unsigned char)a", "(unsigned)e", "(int)f",
    "(long long)c", "(unsigned long long)a", "(bool)b", "(char)c", "a < c", "a < b", "e < f",
    "(unsigned)a < (unsigned)b", "c > a ? c : d", "!a + !!b", "a && c || !b",
    # bit-fields, sizes
    "(s.low = c, s.low)", "(s.sign = a, s.sign)", "(s.wide = f, s.wide)",
    "(s.flag = b & 1, s.flag)", "sizeof(long)", "sizeof(float4)", "alignof(double2)",
    "sizeof(s)", "sizeof(dim3)",
)  # fmt: skip
NAMES = ("a", "b", "c", "d", "e", "f")
#: Inputs: rows of numbers at the ends of ranges, and rows drawn between them.
ROWS = 160


def source() -> str:
    """Return the kernel that puts out every expression, CUDA C++."""
    fields = "unsigned low : 3; int sign : 5; unsigned long long wide : 40; unsigned flag : 1;"
    lines = [f"  out[{k}] = (long long)({text});" for k, text in enumerate(EXPRESSIONS)]
    types = ("int", "int", "unsigned", "unsigned", "long long", "unsigned long long")
    given = ", ".join(f"{t} {n}" for t, n in zip(types, NAMES, strict=True))
    head = f'extern "C" __global__ void values(long long *out, {given}) {{'
    return "\n".join([f"struct Fields {{ {fields} }};", head, "  Fields s;", *lines, "}\n"])


def inputs() -> list[tuple[int, ...]]:
    """Return the rows of inputs, the same in every run."""
    rng = Random(20)  # noqa: S311 (the same rows in every run)

    def number(bits: int, signed: bool) -> int:
        low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
        near = rng.choice((0, low, high, 1 << rng.randrange(bits - 1), 3, 255, 65535))
        value = near + rng.randint(-2, 2) if rng.random() < 0.6 else rng.randint(low, high)
        return min(max(value, low), high)

    kinds = ((32, True), (32, True), (32, False), (32, False), (64, True), (64, False))
    return [tuple(number(*kind) for kind in kinds) for _ in range(ROWS)]


def digest() -> str:
    """Return what tells whether evidence is about these expressions at these inputs."""
    return hashlib.sha256(f"{source()}{inputs()}".encode()).hexdigest()


def answers() -> list[list[int]]:
    """Return what the CUDA device here says: a row for each row of inputs."""
    import cupy as cp
    import numpy as np

    kernel = cp.RawKernel(source(), "values", options=("--std=c++17",))
    types = (np.int32, np.int32, np.uint32, np.uint32, np.int64, np.uint64)
    found = []
    for row in inputs():
        out = cp.full(len(EXPRESSIONS), -77, cp.int64)
        kernel((1,), (1,), (out, *(t(x) for t, x in zip(types, row, strict=True))))
        found.append([int(x) for x in out.get()])
    return found


def main() -> int:
    """Ask the device, and write the evidence."""
    parser = argparse.ArgumentParser(prog="python -m gpu.values", description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT, help=f"the evidence (default: {OUT})")
    arguments = parser.parse_args()
    from symcute import __version__
    from symcute.evidence.backends import CupyBackend, cupy_available

    reason = cupy_available()
    if reason:
        print(f"no GPU: {reason}; the values are those of a CUDA device", file=sys.stderr)
        return 2
    found = answers()
    document = {
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "symcute": __version__,
        "code": digest(),
        "backend": CupyBackend().describe(),
        "expressions": EXPRESSIONS,
        "answers": found,
    }
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(json.dumps(document, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"{len(found)} rows of {len(EXPRESSIONS)} values, evidence: {arguments.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
