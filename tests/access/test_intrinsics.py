"""Functions of integers that devices have: they compute what g++ computes of their definitions.

Nothing in them overflows, and what the walk knows of their values is so: a kernel whose access is
in bounds by the largest of them is never proved for one element less.
"""

from __future__ import annotations

import subprocess
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from symcute.frontends.cuda import read_kernels
from symcute.kernel.ir.interpreter import run
from symcute.kernel.ir.setting import Setting
from symcute.kernel.launch.sources import check_kernel
from tests.oracle.recorded import COMPILER, recorded

#: Each function with its parameters, and what the CUDA Math API says of it, in C++.
FUNCTIONS = {
    "__popc": ("u", "__builtin_popcount(a)"),
    "__popcll": ("U", "__builtin_popcountll(a)"),
    "__clz": ("i", "a ? __builtin_clz(a) : 32"),
    "__clzll": ("I", "a ? __builtin_clzll(a) : 64"),
    "__ffs": ("i", "__builtin_ffs(a)"),
    "__ffsll": ("I", "__builtin_ffsll(a)"),
    "__brev": ("u", "reversed(a, 32)"),
    "__brevll": ("U", "reversed(a, 64)"),
    "__mul24": ("ii", "(int)(low24(a) * low24(b))"),
    "__umul24": ("uu", "(unsigned)((a & 0xffffffull) * (b & 0xffffffull))"),
    "__mulhi": ("ii", "(int)((__int128)a * b >> 32)"),
    "__umulhi": ("uu", "(unsigned)((unsigned __int128)a * b >> 32)"),
    "__mul64hi": ("II", "(long long)((__int128)a * b >> 64)"),
    "__umul64hi": ("UU", "(unsigned long long)((unsigned __int128)a * b >> 64)"),
    "__hadd": ("ii", "(int)(((__int128)a + b) >> 1)"),
    "__rhadd": ("ii", "(int)(((__int128)a + b + 1) >> 1)"),
    "__uhadd": ("uu", "(unsigned)(((__int128)a + b) >> 1)"),
    "__urhadd": ("uu", "(unsigned)(((__int128)a + b + 1) >> 1)"),
    "__sad": ("iiu", "(unsigned)(apart(a, b) + c)"),
    "__usad": ("uuu", "(unsigned)(apart(a, b) + c)"),
    "__byte_perm": ("uus", "permuted(a, b, c)"),
    "__funnelshift_l": ("uus", "(unsigned)((joined(a, b) << (c % 32)) >> 32)"),
    "__funnelshift_lc": ("uus", "(unsigned)((joined(a, b) << (c < 32 ? c : 32)) >> 32)"),
    "__funnelshift_r": ("uus", "(unsigned)(joined(a, b) >> (c % 32))"),
    "__funnelshift_rc": ("uus", "(unsigned)(joined(a, b) >> (c < 32 ? c : 32))"),
    "abs": ("i", "a < 0 ? -a : a"),
    "llabs": ("I", "a < 0 ? -a : a"),
    "min": ("ii", "a < b ? a : b"),
    "umax": ("uu", "a < b ? b : a"),
    "llmin": ("II", "a < b ? a : b"),
    "ullmax": ("UU", "a < b ? b : a"),
}
_HELP = """
#include <cstdio>
typedef unsigned __int128 wide;
static wide joined(unsigned low, unsigned high) {
  return (wide)((unsigned long long)high << 32 | low);
}
static unsigned long long reversed(unsigned long long x, int bits) {
  unsigned long long found = 0;
  for (int k = 0; k < bits; k++) found |= (x >> k & 1) << (bits - 1 - k);
  return found;
}
static long long low24(int a) { return (a & 0xffffff) - ((a >> 23 & 1) << 24); }
static long long apart(long long a, long long b) { return a < b ? b - a : a - b; }
static unsigned permuted(unsigned a, unsigned b, unsigned s) {
  unsigned char bytes[8], found[4];
  for (int k = 0; k < 4; k++) { bytes[k] = a >> 8 * k; bytes[k + 4] = b >> 8 * k; }
  for (int k = 0; k < 4; k++) found[k] = bytes[s >> 4 * k & 7];
  return found[0] | found[1] << 8 | found[2] << 16 | (unsigned)found[3] << 24;
}
"""
_TYPES = {"i": "int", "u": "unsigned", "s": "unsigned", "I": "long long", "U": "unsigned long long"}
_WORDS = (0, 1, 2, 5, 77, 255, 256, 0x7FFFFF, 0x800000, 0xFFFFFF, 0x1234567)
_VALUES = {
    "i": (*_WORDS, 2**31 - 1, -1, -2, -300, -(2**23), -(2**31) + 1),
    "u": (*_WORDS, 2**31 - 1, 2**31, 2**32 - 1),
    "s": (0, 1, 4, 31, 32, 33, 0x3210, 0x7654, 0x9ABC, 0x1234, 2**32 - 1),
    "I": (*_WORDS, 2**31, 2**40 + 3, 2**63 - 1, -1, -(2**40), -(2**63) + 1),
    "U": (*_WORDS, 2**31, 2**40 + 3, 2**63, 2**64 - 1),
}
LETTERS = "abc"


def _literal(value: int, type: str) -> str:
    return f"({_TYPES[type]})({value + 1}ll - 1)" if value < 0 else f"({_TYPES[type]}){value}ull"


def _inputs(types: str) -> list[tuple[int, ...]]:
    every = list(product(*(_VALUES[t] for t in types)))
    return every[:: max(1, len(every) // 60)]


def native(folder: Path) -> list[list[int]]:
    """Return what g++ makes of the definitions, for all inputs."""
    parts, calls = [_HELP], []
    for name, (types, text) in FUNCTIONS.items():
        parameters = ", ".join(f"{_TYPES[t]} {x}" for t, x in zip(types, LETTERS, strict=False))
        parts.append(f"static long long right_{name}({parameters}) {{ return {text}; }}\n")
        for given in _inputs(types):
            shown = ", ".join(_literal(v, t) for v, t in zip(given, types, strict=True))
            calls.append(f'printf("%lld\\n", right_{name}({shown}));')
    source, program = folder / "right.cpp", folder / "right"
    source.write_text("".join(parts) + "int main() {\n" + "\n".join(calls) + "\n}\n")
    subprocess.run(["g++", "-std=c++17", "-O0", "-w", "-o", program, source], check=True)
    done = subprocess.run([program], check=True, capture_output=True, text=True, timeout=20)
    said = iter(map(int, done.stdout.split()))
    return [[next(said) for _ in _inputs(types)] for types, _ in FUNCTIONS.values()]


def test_they_compute_what_they_are_said_to(tmp_path: Path) -> None:
    questions = [f"{types} {text}" for types, text in FUNCTIONS.values()]
    answers = recorded("intrinsics", COMPILER, questions, lambda: native(tmp_path))
    right = dict(zip(FUNCTIONS, answers, strict=True))
    text = ""
    for name, (types, _) in FUNCTIONS.items():
        parameters = ", ".join(f"{_TYPES[t]} {x}" for t, x in zip(types, LETTERS, strict=False))
        call = f"{name}({', '.join(LETTERS[: len(types)])})"
        body = f"*out = (long long){call};"
        text += f"__global__ void k{name}(long long *out, {parameters}) {{ {body} }}\n"
    kernels = read_kernels(text).kernels
    setting = Setting((1, 1, 1), (1, 1, 1), extents={"out": 1})
    checked = 0
    for name, (types, _) in FUNCTIONS.items():
        for given, wanted in zip(_inputs(types), right[name], strict=True):
            dims = dict(zip(LETTERS, given, strict=False))
            trace = run(kernels[f"k{name}"], setting, dims)
            assert trace.complete and not trace.unsupported
            (found,) = [t.value for t in trace.accesses if t.array == "out"]
            # A long long that is written is one that is read as such.
            assert found == wanted, (name, given)
            assert all(w.explicit for w in trace.wraps), (name, given, trace.wraps)
            checked += 1
    assert checked >= 900


#: An index with the most that it may be, under what is said of v.
RANGES = {
    "__popc(v & 255)": 8,
    "__popcll((unsigned long long)v & 1023)": 10,
    "__ffs(v & 0xf0)": 8,
    "32 - __clz(v & 4095)": 12,
    "31 - __clz(v | 1)": 31,
    "__brev(v & 3) >> 30": 3,
    "__mul24(v & 15, 17)": 255,
    "__umul24(v & 15, v & 15)": 225,
    "__hadd(v & 15, 16)": 15,
    "__rhadd(v & 15, 16)": 16,
    "__umulhi(v, 16)": 15,
    "__mulhi(v & 0x7fffffff, 16)": 7,
    "(__funnelshift_r(v, 0, 24))": 255,
    "(__byte_perm(v, 0, 0x4440))": 255,
    "umin(v, 40u)": 40,
    "(int)__usad(v & 7, 9, 2)": 11,
}


@cache
def verdicts() -> dict[str, dict[str, str]]:
    """Return the verdicts on kernels that write at each index, with just enough room or less."""
    text = "".join(
        f"// symcute: launch grid=(1) block=(1)\n// symcute: extent x = {most + room}\n"
        f"__global__ void k{n}_{room}(int *x, unsigned v) {{ x[{index}] = 1; }}\n"
        for n, (index, most) in enumerate(RANGES.items())
        for room in (0, 1)
    )
    said: dict[str, dict[str, str]] = {}
    for f in check_kernel(text, properties=("in_bounds", "no_overflow")):
        said.setdefault(f.kernel, {})[f.property] = f.status
    return said


@pytest.mark.parametrize("number", range(len(RANGES)), ids=[*RANGES])
def test_their_ranges_are_those_of_their_values(number: int) -> None:
    less, enough = verdicts()[f"k{number}_0"], verdicts()[f"k{number}_1"]
    assert less["in_bounds"] in ("refuted", "unknown")
    assert enough["in_bounds"] == "proved"
    assert all(v["no_overflow"] in ("proved", "not applicable") for v in (less, enough))
