"""Symbolic cases in CuTe C++ on integers that are known at run time only.

Each case becomes a loop over its points: the dims are read from the standard input, every leaf
that is an integer stays known to the compiler.  There CuTe skips its checks of divisibility and
merges fewer modes, so results are compared as maps, and a wrong one of NVIDIA's is told apart by
the operation's promise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symcute.layout import Layout

from .cpp import plain, run_lines
from .operations import OPERATIONS
from .postconditions import Lay, read
from .symbolic import POINTS, SymbolicCase, as_lay, at

CASES_PER_PROGRAM = 100
PROLOGUE = """\
#include <cstdio>
#include <cute/layout.hpp>
using namespace cute;
static int next() { int value = 0; if (scanf("%d", &value) != 1) { exit(3); } return value; }
int main() {
"""
#: What has a run-time form; the others' arguments must be known to the compiler.
OFFERED = (
    "coalesce",
    "composition",
    "composition_by_mode",
    "complement",
    "right_inverse",
    "logical_divide",
    "logical_divide_by_mode",
    "zipped_divide",
    "tiled_divide",
    "flat_divide",
    "logical_product",
    "zipped_product",
    "tiled_product",
    "flat_product",
    "blocked_product",
    "raked_product",
)


def cpp(value: Any) -> str:
    """The argument as C++: integers known to the compiler, expressions in dims as they stand."""
    if isinstance(value, Layout):
        return f"make_layout({cpp(value.shape)}, {cpp(value.stride)})"
    if isinstance(value, tuple):
        return f"cute::make_tuple({', '.join(map(cpp, value))})"
    if value is None:
        return "Underscore{}"
    text = str(value)
    if "**" in text:  # the only operator of these expressions that C++ lacks
        raise ValueError(f"{text} is no C++")
    return f"C<{value}>{{}}" if isinstance(value, int) else f"int({text})"


def usable(case: SymbolicCase) -> bool:
    """Whether the arguments can be written in C++."""
    return "**" not in " ".join(map(str, case.args))


def ask(cases: Sequence[SymbolicCase]) -> list[list[str] | str]:
    """For each case what CuTe prints at its points, or why it does not compile."""
    answers: list[list[str] | str] = []
    for start in range(0, len(cases), CASES_PER_PROGRAM):
        batch = cases[start : start + CASES_PER_PROGRAM]
        printed, refused = run_lines(
            PROLOGUE,
            [_line(n, case) for n, case in enumerate(batch)],
            lambda n, b=batch: _values(b[n]),
        )
        for number in range(len(batch)):
            lines = printed.get(number)
            answers.append(refused[number] if lines is None else list(map(plain, lines)))
    return answers


def _line(number: int, case: SymbolicCase) -> str:
    names = list(case.points[0])
    reads = "".join(f"int {name} = next(); (void){name}; " for name in names)
    call = f"{case.name.removesuffix('_by_mode')}({', '.join(map(cpp, case.args))})"
    return (
        f"for (int p = 0; p < {POINTS}; ++p) {{ {reads}"
        f'printf("{number} "); print({call}); printf("\\n"); }}'
    )


def _values(case: SymbolicCase) -> str:
    return " ".join(str(value) for point in case.points for value in point.values())


def difference(case: SymbolicCase, result: Any, point: dict[str, int], text: str) -> str:
    """How our result at the point differs from CuTe's; "" when it does not, or CuTe's is wrong.

    A right inverse is compared as far as CuTe's goes, which knows fewer strides.
    """
    ours, theirs = as_lay(at(result, point)), read(text)
    if not isinstance(theirs, Lay):
        return f"CuTe printed {text}"
    prefix = case.name == "right_inverse"
    expected = ours.offsets()[: theirs.size] if prefix else ours.offsets()
    if expected == theirs.offsets():
        return ""
    args = tuple(as_lay(at(arg, point)) for arg in case.args)
    if OPERATIONS[case.name].broken(args, text) and not OPERATIONS[case.name].promise(*args, ours):
        return ""
    return f"{case} at {point}: ours {ours}, CuTe {text}"
