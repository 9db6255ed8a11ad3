"""Launches found in host code, against what the same code launches when g++ has compiled it.

A launch that is executed must be one of a family at its line: some values of the dims, with the
arguments of the function as they were, meet every note. What is not understood must say so.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import z3

from symcute import check_kernel
from symcute.errors import InputError
from symcute.expr.expression import free_dims
from symcute.expr.node import Node, Term
from symcute.expr.terms import substitute
from symcute.frontends.cuda.source import read_kernels
from symcute.kernel.ir.families import Family
from symcute.kernel.ir.program import Int, Kernel
from symcute.kernel.ir.setting import Setting
from symcute.kernel.launch.notes import read_setting
from symcute.kernel.symexec.entry import term_of, truth_of
from tests.access.host import compiler

FOLDER = Path(__file__).parent / "launches"
FILE = FOLDER / "host.cu"
_LAUNCH = re.compile(r"[\w:]+(?:<[\w, ]+>)?<<<(.*?)>>>\(")
_FUNCTION = re.compile(r"^void (\w+)\(int a, int b\) \{", re.MULTILINE)
VALUES = (-7, -1, 0, 1, 2, 3, 5, 8, 31, 33, 100, 257, 1001, 70000)
OTHERS = (-3, 0, 1, 2, 3, 40, 1001)
#: Z3's work on a question, counted: a busy machine takes longer for the same.
RLIMIT = 100_000_000
PAIRS = [(a, OTHERS[(n + 3 * k) % len(OTHERS)]) for n, a in enumerate(VALUES) for k in range(3)]


class Launched(NamedTuple):
    """What one launch was given; a pointer is its array, its offset and the bytes of the array."""

    line: int
    grid: tuple[int, ...]
    block: tuple[int, ...]
    shared: int
    arguments: tuple[Any, ...]


def functions(text: str | None = None) -> list[str]:
    return _FUNCTION.findall(FILE.read_text(encoding="utf-8") if text is None else text)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(FILE.read_text(encoding="utf-8"), tmp_path_factory.mktemp("launches"))


def compiled(text: str, folder: Path, options: tuple[str, ...] = ()) -> Path:
    """Return host code for the CPU: its name is followed by a function and two arguments."""
    gxx = compiler()
    assert gxx is not None, "g++ is not there"
    calls = "".join(
        f'  if (!strcmp(argv[1], "{name}")) {name}(atoi(argv[2]), atoi(argv[3]));\n'
        for name in functions(text)
    )
    text = _LAUNCH.sub(r"launched(__LINE__, \1)(", text)
    text = text.replace('"unseen.h"', f'"{FOLDER}/mock.h"')
    text += "inline void say(Sizes s) { say(s.n); say(s.m); say(s.data); }\n" * ("Sizes" in text)
    text += f"int main(int argc, char **argv) {{\n  try {{\n{calls}  }} catch (int) {{}}\n}}\n"
    (folder / "host.cpp").write_text(text, encoding="utf-8")
    out = folder / "host"
    words = [gxx, "-std=c++17", "-O0", "-w", *options, "-o", out, folder / "host.cpp"]
    subprocess.run(words, check=True)
    return out


def executed(program: Path, function: str, a: int, b: int) -> Iterator[Launched]:
    done = subprocess.run(
        [program, function, str(a), str(b)], capture_output=True, text=True, timeout=20, check=False
    )
    for line in done.stdout.splitlines():
        words = line.split()
        numbers = [int(w) for w in words[:8]]
        rest, given = words[8:], []
        while rest:
            kind, rest = rest[0], rest[1:]
            if kind == "p":
                given.append(tuple(int(w) for w in rest[:3]))
                rest = rest[3:]
            elif kind == "i":
                given.append(int(rest[0]))
                rest = rest[1:]
            else:
                given.append(None)
        yield Launched(
            numbers[0], tuple(numbers[1:4]), tuple(numbers[4:7]), numbers[7], tuple(given)
        )


@cache
def families() -> list[tuple[Kernel, Family]]:
    # The header that g++ is given is not there.
    text = FILE.read_text(encoding="utf-8").replace('#include "unseen.h"', "")
    return [(k, f) for k in read_kernels(text).kernels.values() for f in k.families]


@cache
def setting(kernel: Kernel, family: Family) -> Setting:
    return read_setting(kernel, family=family)


def number(term: Term) -> Any:
    """Return a term as one of Z3's."""
    if isinstance(term, bool):
        return z3.BoolVal(term)
    if isinstance(term, int):
        return z3.IntVal(term)
    if isinstance(term, str):
        return z3.Int(term)
    assert isinstance(term, Node)
    args = [number(x) for x in term.args]
    return {
        "+": lambda a, b: a + b,
        "*": lambda a, b: a * b,
        "//": lambda a, b: a / b,
        "%": lambda a, b: a % b,
        "min": lambda a, b: z3.If(a < b, a, b),
        "max": lambda a, b: z3.If(a < b, b, a),
        "<": lambda a, b: a < b,
        "<=": lambda a, b: a <= b,
        "==": lambda a, b: a == b,
        "!=": lambda a, b: a != b,
        "and": lambda *xs: z3.And(*xs),
        "or": lambda *xs: z3.Or(*xs),
    }[term.op](*args)


def covers(
    kernel: Kernel, family: Family, launched: Launched, given: dict[str, int], exactly: bool = False
) -> bool:
    """Is a launch one of a family, with the arguments of its function as they were?

    What is `given` are arguments by their names, or dims of the family where it is `exactly` so.
    """
    if len(launched.arguments) != len(kernel.params):
        return False
    s = setting(kernel, family)
    shape = zip(
        (*s.grid, *s.block, s.shared),
        (*launched.grid, *launched.block, launched.shared),
        strict=True,
    )
    equal: list[tuple[Term, int]] = [(term_of(x), y) for x, y in shape]
    for p, value in zip(kernel.params, launched.arguments, strict=True):
        if isinstance(p.type, Int):
            equal.append((term_of(s.arguments[p.name]) if p.name in s.arguments else p.name, value))
        elif p.array in s.extents:
            _, offset, bytes = value
            if bytes < 0:
                return False
            element = next(x.element for x in kernel.arrays if x.name == p.array)
            equal.append((term_of(s.extents[p.array]), (bytes - offset) // element))
    for note in family.notes:
        whose = re.match(r"the parameter (\w+),", note.why)
        named = re.match(r"assume (\w+) <= ", note.text)
        if whose and named and whose[1] in given:
            equal.append((named[1], given[whose[1]]))
    if exactly:
        equal += given.items()
    if any(isinstance(x, int) and x != y for x, y in equal):
        return False
    return possible(kernel, family, frozenset((x, y) for x, y in equal if not isinstance(x, int)))


@cache
def possible(kernel: Kernel, family: Family, equal: frozenset[tuple[Term, int]]) -> bool:
    """Has a family a launch whose sizes and arguments are so? Many executions ask the same."""
    s = setting(kernel, family)
    known: dict[str, Term] = {}
    for x, y in equal:
        if isinstance(x, str) and known.setdefault(x, y) != y:
            return False
    dims = set(s.given.dims())
    for leaf in (*s.grid, *s.block, s.shared, *s.arguments.values(), *s.extents.values()):
        dims |= free_dims(leaf)
    dims |= {p.name for p in kernel.params if isinstance(p.type, Int)} - set(s.arguments)
    asked = [truth_of(f) for f in s.given.formulas]
    asked += [Node("==", x, y) for x, y in sorted(equal, key=str)]
    asked += [Node("<=", s.given.lower_bound(name), name) for name in sorted(dims)]
    asked = [substitute(x, known) for x in asked]  # what is known makes most of it plain
    if False in asked:
        return False
    solver = z3.Solver()
    solver.set("rlimit", RLIMIT)
    solver.add(*(number(x) for x in asked if x is not True))
    answer = solver.check()
    assert answer != z3.unknown, (family, equal)
    return bool(answer == z3.sat)


def runs(launched: Launched) -> bool:
    """Does a device accept a launch, as far as the front end has to know?"""
    return all(1 <= x < 1 << 31 for x in (*launched.grid, *launched.block))


@pytest.mark.full
@pytest.mark.parametrize("function", functions())
def test_what_is_launched_is_of_a_family(program: Path, function: str) -> None:
    here = [(k, f) for k, f in families() if f.host == function]
    seen = 0
    for a, b in PAIRS:
        launches = list(executed(program, function, a, b))
        for launched in [*launches[:20], *launches[20:][-20:]]:  # some loop for long
            if not runs(launched):
                continue
            seen += 1
            at = [(k, f) for k, f in families() if f.place.line == launched.line]
            given = {"a": a, "b": b}
            assert any(
                f.trouble or covers(k, f, launched, given if f.host == function else {})
                for k, f in at
            ), (a, b, launched, here)
    assert seen >= 3


@pytest.mark.full
def test_two_pointers_to_one_array_are_not_taken_for_two(program: Path) -> None:
    for function in functions():
        for launched in executed(program, function, 33, 40):
            rooms = [x[0] for x in launched.arguments if isinstance(x, tuple) and x[0] >= 0]
            if len(rooms) != len(set(rooms)):
                assert all(f.trouble for _, f in families() if f.place.line == launched.line)


def test_most_launches_are_understood() -> None:
    good = [f for _, f in families() if not f.trouble]
    exact = [f for f in good if not f.unknown]
    assert len(good) >= 60 and len(exact) >= 45, (len(good), len(exact), len(families()))


CHECKED = """
__global__ void fill(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 0;
}
__global__ void over(float *x, int n) { x[blockIdx.x * blockDim.x + threadIdx.x] = n; }
int unseen(int);
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  float *x;
  cudaMalloc(&x, n * sizeof(float));
  fill<<<(n + 255) / 256, 256>>>(x, n);
  over<<<(n + 255) / 256, 256>>>(x, n);
  n = unseen(n);
  fill<<<(n + 127) / 128, 128>>>(x, n);
}
"""


def test_a_verdict_rests_on_what_was_inferred() -> None:
    found = check_kernel(CHECKED, properties=("in_bounds",))
    assert [(f.kernel, f.status) for f in found] == [
        ("fill", "proved"), ("fill", "unknown"), ("over", "refuted"),
    ]  # fmt: skip
    first, second, third = found
    assert any("extent x = n (cudaMalloc in main, kernel.cu:11:3)" in r for r in first.rests_on)
    assert any("free and resize nothing" in r for r in first.rests_on)
    # It may be that no argument of the program makes n what the execution needs.
    assert "if the launch can be so: n" in second.reason
    assert third.counterexample is not None and third.counterexample.dims["n"] % 256 != 0


def test_what_is_written_by_hand_wins() -> None:
    text = CHECKED.replace("__global__ void over", "// symcute: launch grid=1 block=1\n"
                           "// symcute: extent x = 1\n__global__ void over")  # fmt: skip
    found = check_kernel(text, properties=("in_bounds",))
    assert [(f.kernel, f.status) for f in found][-1] == ("over", "proved")
    given = check_kernel(text, launch="grid=2 block=1", extents={"x": 1}, properties=("in_bounds",))
    assert [f.status for f in given] == ["refuted", "refuted"]


def test_an_access_before_a_pointer_is_no_fault_where_memory_may_begin_before_it() -> None:
    text = """
    __global__ void back(float *x, int n) { x[(int)threadIdx.x - 1] = n; }
    void inner(int n) { float *x; cudaMalloc(&x, 400); back<<<1, 32>>>(x + 1, n); }
    void first(int n) { float *y; cudaMalloc(&y, 400); back<<<1, 31>>>(y, n); }
    void given(float *z, int n) { back<<<1, 30>>>(z, n); }
    """
    found = check_kernel(text, properties=("in_bounds",))
    assert [f.status for f in found] == ["unknown", "refuted", "unknown"]
    assert "memory begins where x points to" in found[0].reason
    (apart,) = check_kernel(text.replace(" - 1", ""), properties=("in_bounds",))[1:2]
    assert apart.status == "proved" and not any("overlap" in r for r in apart.rests_on)
    last = check_kernel(text, properties=("write_race_free",))[2]
    assert last.status == "proved" and any("x point to do not overlap" in r for r in last.rests_on)


def test_a_launch_that_is_not_understood_is_said() -> None:
    text = """
    __global__ void two(float *x, float *y) { x[threadIdx.x] = y[threadIdx.x + 1]; }
    void f() { float *x; cudaMalloc(&x, 400); two<<<1, 32>>>(x, x); }
    """
    with pytest.raises(InputError, match="x and y are the same memory"):
        check_kernel(text)


@pytest.mark.parametrize(
    ("given", "status"),
    [("x", "proved"), ("x + 1", "unknown"), ("x - 1", "unknown"), ("x + n - 3", "unknown")],
)
def test_what_stands_before_memory_is_no_part_of_it(given: str, status: str) -> None:
    text = """
    __global__ void k(float *x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 0; }
    void f(int n) { float *x; cudaMalloc(&x, n * sizeof(float)); k<<<1, 32>>>(GIVEN, n); }
    """
    (found,) = check_kernel(text.replace("GIVEN", given), properties=("in_bounds",))
    assert found.status == status


HIDDEN = """
#include "unseen.h"
#ifdef PADDED
#define PAD 1
#else
#define PAD 0
#endif
#ifdef __CUDA_ARCH__
#define WIDTH 1
#else
#define WIDTH 2
#endif
#define WITH(n) ((n) + PAD)
const int LENGTH = 32 + PAD, WIDE = 31 + WIDTH;
enum { COUNT = 32 + PAD };
struct Held { int n = 32 + PAD; };
template <int N> struct More { static constexpr int value = N + PAD; };
__global__ void k(float *x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 0; }
void f() { float *x; Held held; cudaMalloc(&x, 32 * sizeof(float)); k<<<1, 64>>>(x, GIVEN); }
"""


@pytest.mark.parametrize(
    ("given", "macro"),
    [("WITH(32)", "PADDED"), ("LENGTH", "PADDED"), ("COUNT", "PADDED"), ("held.n", "PADDED"),
     ("More<32>::value", "PADDED"), ("WIDE", "__CUDA_ARCH__")],
)  # fmt: skip
def test_what_host_code_names_may_hang_on_a_macro(given: str, macro: str) -> None:
    text = HIDDEN if given == "held.n" else HIDDEN.replace("Held held;", "")
    with pytest.raises(InputError, match=f"f hangs on {macro}"):
        check_kernel(text.replace("GIVEN", given))
    (plain,) = check_kernel(
        HIDDEN.replace("Held held;", "").replace("GIVEN", "32"), properties=("in_bounds",)
    )
    assert plain.status == "proved"


@pytest.mark.parametrize(
    ("host", "status"),
    [
        # A destructor runs where nothing calls it.
        ("{ End e{n}; ALLOCATE(n); } LAUNCH(n);", "unknown"),
        ("ALLOCATE(n); End{n}; LAUNCH(n);", "unknown"),
        ("x = made(n); LAUNCH(n);", "unknown"),
        ("Told t; ALLOCATE(n); LAUNCH(n);", "proved"),
        # Braces are no number of elements.
        ("std::vector<int> v{5}; ALLOCATE(v.size()); LAUNCH(2);", "unknown"),
        ("std::vector<int> v(5); ALLOCATE(v.size()); LAUNCH(5);", "proved"),
        # Of one text there is one number.
        ("n = atoi(text[1]); ALLOCATE(n); LAUNCH(atoi(text[1]));", "unknown"),
        ("n = atoi(*text); ALLOCATE(n); LAUNCH(atoi(text[0]));", "unknown"),
        ("n = atoi(text[1]); ALLOCATE(n); LAUNCH(atoi(text[2]));", "refuted"),
    ],
)
def test_what_host_code_does_unseen(host: str, status: str) -> None:
    text = """
    #define ALLOCATE(n) cudaMalloc(&x, (n) * sizeof(float))
    #define LAUNCH(n) k<<<1, 32>>>(x, n)
    struct End { int &n; ~End() { n = n + 1; } };
    struct Told { int n = 0; ~Told() { printf("%d", n); } };
    static float *made(int &n) { End e{n}; float *x; ALLOCATE(n); return x; }
    __global__ void k(float *x, int n) { int i = threadIdx.x; if (i < n) x[i] = 0; }
    void f(int n, char **text) { float *x; HOST }
    """
    (found,) = check_kernel(text.replace("HOST", host), properties=("in_bounds",))
    assert found.status == status, found


def test_a_destructor_in_a_loop_is_said() -> None:
    text = """
    struct End { int &n; ~End() { n = n + 1; } };
    __global__ void k(float *x, int n) { int i = threadIdx.x; if (i < n) x[i] = 0; }
    void f(int n) {
      float *x;
      for (;;) { End e{n}; cudaMalloc(&x, n * sizeof(float)); break; }
      k<<<1, 32>>>(x, n);
    }
    """
    with pytest.raises(InputError, match="e has a destructor"):
        check_kernel(text)


@pytest.mark.parametrize(
    ("before", "x", "y"),
    [
        ("", "p", "p"),
        ("", "s->p", "s->p"),
        ("float *q[2]; q[0] = p; q[1] = s->p;", "q[1]", "q[1]"),
        ("two<<<1, 32>>>(p, s->p); ", "s->p", "s->p + 1"),
        ("unseen(p); ", "p", "p + 1"),
    ],
)
def test_pointers_that_are_not_known_and_lead_to_one_array(before: str, x: str, y: str) -> None:
    text = """
    struct Held { float *p; };
    __global__ void two(float *x, float *y) { x[threadIdx.x] = y[threadIdx.x + 1]; }
    void unseen(float *&p);
    void f(float *p, Held *s) { BEFORE two<<<1, 32>>>(GIVEN); }
    """.replace("BEFORE", before)
    with pytest.raises(InputError, match="x and y are the same memory"):
        check_kernel(text.replace("GIVEN", f"{x}, {y}"), properties=("write_race_free",))


@pytest.mark.parametrize(
    ("given", "status"),
    [("x + 4", "proved"), ("x + 1", "refuted"), ("y + 1", "unknown"), ("x + unseen()", "unknown"),
     ("global + 1", "unknown"), ("held[0] + n", "unknown")],
)  # fmt: skip
def test_alignment_behind_the_start(given: str, status: str) -> None:
    text = """
    __global__ void k(float4 *x) { x[threadIdx.x] = make_float4(0, 0, 0, 0); }
    int unseen();
    float *global;
    void f(float *y, int n) {
      float *x, *held[2];
      cudaMalloc(&x, 1024); cudaMalloc(&held[0], 1024);
      k<<<1, 32>>>((float4 *)(GIVEN));
    }
    """
    (found,) = check_kernel(text.replace("GIVEN", given), properties=("aligned",))
    assert found.status == status, found
