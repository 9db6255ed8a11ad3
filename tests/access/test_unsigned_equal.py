"""Whether unsigned sums and products are equal: as the machine has it, and as integers have it.

Where both say the same, no wrap is used: numbers that are less than 2 to the bits apart are
congruent only if they are equal. Tests are drawn, and asked of all values that their dims may have.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from symcute.cli.roads import contradictions
from symcute.frontends.cuda import read_kernels
from symcute.frontends.llvm.source import read_through_llvm
from symcute.kernel.checking import check
from symcute.kernel.findings import GOOD, verdict_of
from symcute.kernel.ir.program import Kernel
from symcute.kernel.launch.notes import read_setting
from tests.full import many

MOST = 9
NOTES = "// symcute: launch grid=(1) block=(1)\n// symcute: extent y = 1\n" + "".join(
    f"// symcute: assume {d} <= {MOST}\n" for d in "hfa"
)
PROPERTIES = ("in_bounds", "no_overflow")


def kernel(name: str, type: str, body: str) -> str:
    return f"{NOTES}__global__ void {name}(int *y, {type} h, {type} f, int a) {{ {body} }}\n"


def verdicts(kernel: Kernel) -> Mapping[str, str]:
    return verdict_of(check(kernel, read_setting(kernel), PROPERTIES, hints=0))


def read(text: str, folder: Path, road: str) -> dict[str, Kernel]:
    file = folder / "k.cu"
    file.write_text(text, encoding="utf-8")
    kernels = read_kernels(file) if road == "ast" else read_through_llvm(file, timeout=600)
    return dict(kernels.kernels)


#: What is tested, for `y[... ? 0 : 1]`, whether it may be out of bounds, and whether a wrap shows.
WRITTEN = [
    ("-h", False, False),  # never 0
    ("-1 * h", False, False),
    ("!(h - h - 7)", True, False),  # never so
    ("h - 7 == 0", True, False),
    ("h - 7 != f - 8 - h", True, False),  # 2*h == f - 1
    ("h - 7 == f + 4294967289u", True, False),  # where h == f
    ("h - 7 == f + 2147483648u", True, False),  # never so
    ("h * 1000000000u != 0", False, None),  # products of two turns, none of which is 0
    ("h * 2147483647u * 2u", False, None),
    ("(a > 3 ? -h : h) != 0", False, False),
    ("h - 7 < 3", True, True),
    ("(h - 7) / 3 == 0", True, True),
    ("(unsigned long long)(h - 7) == 3", True, True),
]  # fmt: skip


def test_a_wrap_that_tells_nothing_apart_is_none(tmp_path: Path) -> None:
    bodies = [f"y[({test}) ? 0 : 1] = 1;" for test, *_ in WRITTEN]
    text = "".join(kernel(f"k{n}", "unsigned", body) for n, body in enumerate(bodies))
    found = read(text, tmp_path, "ast")
    for n, (test, outside, wraps) in enumerate(WRITTEN):
        said = verdicts(found[f"k{n}"])
        wrong = GOOD if outside else ("refuted",)
        assert said["in_bounds"] not in wrong, test
        if wraps is not None:
            assert said["no_overflow"] in (("refuted",) if wraps else GOOD), test
        if wraps is False:
            assert said["in_bounds"] == ("refuted" if outside else "proved"), test


@pytest.mark.full
@pytest.mark.parametrize(
    ("type", "product"),
    [
        ("unsigned", "-1 * h"),
        ("unsigned", "-h"),
        ("unsigned", "4294967295u * h"),
        ("unsigned", "h * 4294967293u"),
        ("unsigned", "-3 * (h * f)"),
        ("unsigned long long", "(-1 * h) / 3"),
        ("unsigned long long", "18446744073709551615ull * (h * f) % 5"),
    ],
)
def test_a_number_near_the_end_is_a_factor_below_0(tmp_path: Path, type: str, product: str) -> None:
    """The compiler has one number for -1 and for what it is as an unsigned one."""
    text = kernel("k", type, f"y[{product}] = 1;")
    said = {road: verdicts(read(text, tmp_path, road)["k"]) for road in ("ast", "llvm")}
    for each in said.values():
        assert each["no_overflow"] not in GOOD and each["in_bounds"] == "refuted", said
    assert said["ast"]["no_overflow"] == "refuted"
    none = f"// symcute: assume h == 0\n{kernel('k', type, f'y[{product}] = 1;')}"
    for road in ("ast", "llvm"):
        assert {*verdicts(read(none, tmp_path, road)["k"]).values()} <= {*GOOD}


# --- drawn ----------------------------------------------------------------------------------------

#: An operation and what it is of, or a name or number.
Tree = tuple[Any, ...]


def number(rng: Random, depth: int) -> Tree:
    if not depth or rng.random() < 0.2:
        return (rng.choice(("h", "f", "h", "f", rng.randrange(12), rng.randrange(70000))),)
    one, other = number(rng, depth - 1), number(rng, depth - 1)
    kind = rng.randrange(8)
    if kind == 0:
        return "-", one
    if kind == 1:
        return "?", truth(rng, depth - 1), one, other
    if kind == 2:  # a sum with 4294967295u is one that takes 1 away, for clang
        return "*", one, (rng.choice((2147483647, 4294967295, 65536, 1 << 31)),)
    if kind == 3:
        return rng.choice("+-"), one, (rng.choice((4294967295, 4294967289, 1 << 31)),)
    return rng.choice("+--**"), one, other


def truth(rng: Random, depth: int) -> Tree:
    one, other = number(rng, depth), number(rng, depth)
    kind = rng.randrange(6)
    if kind == 0:
        return "!", one
    if kind == 1:
        return "?", one, ("a > 4",), ("!=", other, (0,))
    return rng.choice(("==", "!=")), one, other


def written(tree: Tree, suffix: str) -> str:
    op, *of = tree
    if not of:
        return f"{op}{suffix}" if isinstance(op, int) else op
    parts = [written(x, suffix) for x in of]
    if len(parts) == 1:
        return f"({op}{parts[0]})"
    one, *rest = parts
    return f"({one} ? {' : '.join(rest)})" if op == "?" else f"({one} {op} {rest[0]})"


def meaning(tree: Tree, bits: int, dims: Mapping[str, int]) -> int:
    """Return what a tree is on the machine."""
    op, *of = tree
    if not of:
        return op if isinstance(op, int) else int(dims["a"] > 4) if op == "a > 4" else dims[op]
    one, *rest = (meaning(x, bits, dims) for x in of)
    if op == "?":
        return rest[0] if one else rest[1]
    if op == "!":
        return int(not one)
    if op in ("==", "!="):
        return int((one == rest[0]) is (op == "=="))
    exact = -one if not rest else {"+": one + rest[0], "-": one - rest[0], "*": one * rest[0]}[op]
    return exact % (1 << bits)


def drawn(seed: int, count: int) -> list[tuple[str, str, bool]]:
    """Return kernels with their names, and whether they leave y."""
    rng, found = Random(seed), []
    for n in range(count):
        bits, tree = rng.choice((32, 64)), truth(rng, 2)
        every = [
            meaning(tree, bits, {"h": h, "f": f, "a": a})
            for h in range(1, MOST + 1) for f in range(1, MOST + 1) for a in (1, 9)
        ]  # fmt: skip
        type, suffix = ("unsigned", "u") if bits == 32 else ("unsigned long long", "ull")
        text, chosen = written(tree, suffix), rng.random() < 0.5
        body = f"y[{text} ? 0 : 1] = 1;" if chosen else f"if ({text}) y[1] = 1;"
        outside = not all(every) if chosen else any(every)
        found.append((f"k{n}", kernel(f"k{n}", type, body), outside))
    return found


def test_drawn_tests_are_what_they_come_to(tmp_path: Path) -> None:
    drawn_here = drawn(1, many(60, 600))
    found = read("".join(text for _, text, *_ in drawn_here), tmp_path, "ast")
    decided = 0
    for name, text, outside in drawn_here:
        said = verdicts(found[name])["in_bounds"]
        assert said not in (GOOD if outside else ("refuted",)), text
        decided += said != "unknown"
    assert decided >= 0.7 * len(drawn_here), decided


@pytest.mark.full
def test_both_roads_say_the_same_of_them(tmp_path: Path) -> None:
    drawn_here = drawn(2, 300)
    text = "".join(text for _, text, *_ in drawn_here)
    roads = [read(text, tmp_path, road) for road in ("ast", "llvm")]
    for name, source, outside in drawn_here:
        both = []
        for kernels in roads:
            said = check(kernels[name], read_setting(kernels[name]), PROPERTIES, hints=0)
            assert verdict_of(said)["in_bounds"] not in (GOOD if outside else ("refuted",)), source
            what = {"verdicts": dict(verdict_of(said)), "findings": [f.to_json() for f in said]}
            both.append([{"file": "", "kernel": name, "launch": None, **what}])
        assert not list(contradictions(*both)), source
