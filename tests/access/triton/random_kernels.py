"""Random Triton kernels: integer expressions of coordinates, over shapes, loops and branches.

Loads are of `x` and writes to `y`, so that what is loaded is what is there at the start.
"""

from __future__ import annotations

from random import Random

__all__ = ["kernels"]

_SHAPES = (
    "tl.arange(0, 16)",
    "tl.arange(0, 4)[:, None] * 8 + tl.arange(0, 8)[None, :]",
    "tl.trans(tl.arange(0, 8)[:, None] * 3 + tl.arange(0, 4)[None, :])",
    "tl.reshape(tl.arange(0, 32), (2, 4, 4))",
    "tl.reshape(tl.trans(tl.reshape(tl.arange(0, 32), (4, 2, 4)), (2, 0, 1)), (8, 4))",
    "tl.reshape(tl.join(tl.arange(0, 8), tl.arange(0, 8) * 2 + 1), (2, 2, 2, 2))",
    "tl.reshape(tl.trans(tl.reshape(tl.arange(0, 64), (4, 16))), (8, 8))",
    "n",
)
_HEAD = """# symcute: type x, y = *i32
# symcute: type n, m = i32
# symcute: launch grid=(2,2)
# symcute: extent x = 64
# symcute: extent y = 64
@triton.jit
def {name}(x, y, n, m):
    p = tl.program_id(0)
    q = tl.program_id(1)
"""


def kernels(seed: int, count: int) -> str:
    """Return a file with so many kernels, k0, k1..."""
    draw = Random(seed)
    made = (_HEAD.format(name=f"k{k}") + _indented(_body(draw)) for k in range(count))
    return "import triton\nimport triton.language as tl\n\n\n" + "\n\n".join(made)


def _indented(lines: list[str]) -> str:
    return "".join(f"    {line}\n" for line in lines)


def _whole(text: str) -> str:
    """Return an expression as one of the shape of i."""
    return f"({text} + 0 * i)"


def _number(draw: Random, depth: int, names: list[str]) -> str:
    if depth == 0 or draw.random() < 0.25:
        return draw.choice([*names, str(draw.randint(-9, 9))])
    a, b = _number(draw, depth - 1, names), _number(draw, depth - 1, names)
    types = ("int8", "int16", "int64", "uint8", "uint32")
    return draw.choice([
        *[f"({a} + {b})"] * 4,
        *[f"({a} - {b})"] * 2,
        *[f"({a} * {draw.randint(-5, 7)})"] * 2,
        f"({a} // {draw.choice([2, 3, 4, 7, -3])})",
        f"({a} % {draw.choice([2, 3, 5, 8])})",
        f"tl.where({a} < {b}, {_whole(a)}, {_whole(b)})",
        f"tl.minimum({_whole(a)}, {_whole(b)})",
        f"tl.maximum({_whole(a)}, {_whole(b)})",
        f"({_whole(a)} ^ {draw.randint(0, 15)})",
        f"({_whole(a)} & {draw.randint(0, 31)})",
        f"({_whole(a)} >> {draw.randint(0, 3)})",
        f"{_whole(a)}.to(tl.{draw.choice(types)}).to(tl.int32)",
        f"tl.abs({_whole(a)})",
    ])  # fmt: skip


def _truth(draw: Random, names: list[str]) -> str:
    a, b = _whole(_number(draw, 2, names)), _whole(_number(draw, 1, names))
    found = f"({a} {draw.choice(['<', '<=', '>', '>=', '==', '!='])} {b})"
    if draw.random() < 0.4:
        other = f"({_whole(_number(draw, 1, names))} < {draw.randint(-3, 9)})"
        found = f"({found} {draw.choice('&|^')} {other})"
    return f"~{found}" if draw.random() < 0.2 else found


def _body(draw: Random) -> list[str]:
    names = ["n", "m", "p", "q", "i", "i", "i"]
    every = [*names, "a", "b"]

    def number(depth: int, names: list[str] = every) -> str:
        return _whole(_number(draw, depth, names))

    at = f"(tl.abs({number(2, [*names, 'a'])}) % 64)"
    store = f"tl.store(y + {number(3)}, b, mask={_truth(draw, every)})"
    given = f"mask={_truth(draw, names)}, other={draw.randint(-4, 4)}"
    lines = [
        f"i = {draw.choice(_SHAPES)}",
        f"a = {number(3, names)}",
        f"b = a + tl.load(x + {at}, {given})",
    ]
    low, high = draw.randint(-2, 2), draw.choice(["n", "m", "q + 3", "5"])
    step = draw.choice(["1", "2", "3", "p + 1"])
    lines += draw.choice([
        [],
        [f"for t in range({low}, {high}, {step}):", f"    b = {number(2, [*every, 't'])}",
         f"    {store}", "    a += t"],
        [f"if {draw.choice(['n', 'p', 'q', 'm - n'])} > {low}:", f"    b = {number(2)}",
         f"    {store}", "else:", f"    a = {number(2)}"],
        ["t = n", f"while t > {low}:", f"    {store}", "    a = a + t", "    t -= 3"],
        [f"if p + q > {draw.randint(0, 2)}:", "    return"],
        ["z = y + a % 7", "for t in range(0, 3):", "    tl.store(z, b)",
         f"    z += {draw.choice(['1', 'm', 'q + 2', 'b % 3'])}", "    b = b + t"],
    ])  # fmt: skip
    added = f"tl.atomic_add(y + {number(2)}, 1, mask={_truth(draw, every)})"
    return [*lines, added, store]
