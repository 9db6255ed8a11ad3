"""Symbolic cases in CuTe C++ on integers that are known at run time only.

Each case becomes a loop over its points: the dims are read from the standard input, every leaf
that is an integer stays known to the compiler.  There CuTe skips its checks of divisibility and
merges fewer modes, so results are compared as maps, and a wrong one of NVIDIA's is told apart by
the operation's promise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .cpp import PROLOGUE as KNOWN_PROLOGUE
from .cpp import plain, run_lines
from .operations import OPERATIONS
from .postconditions import Lay, read, render
from .symbolic import BY_PROMISE, POINTS, SymbolicCase, as_lay, at, numbers

CASES_PER_PROGRAM = 50
READ = """\
static int next() {
  int value = 0;
  if (scanf("%d", &value) != 1) { exit(3); }
  return value;
}
int main"""
PROLOGUE = KNOWN_PROLOGUE.replace("int main", READ)


def usable(case: SymbolicCase) -> bool:
    """Whether the arguments can be written in C++, which has no power but of a dim."""
    return "**" not in OPERATIONS[case.name].cpp(*case.args)


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
    call = OPERATIONS[case.name].cpp(*case.args)
    return (
        f"for (int p = 0; p < {POINTS}; ++p) {{ {reads}"
        f'printf("{number} "); print({call}); printf("\\n"); }}'
    )


def question(case: SymbolicCase) -> str:
    """What is asked, in words: the call, and its points."""
    return f"{OPERATIONS[case.name].cpp(*case.args)} at {' '.join(case.points[0])} {_values(case)}"


def _values(case: SymbolicCase) -> str:
    return " ".join(str(value) for point in case.points for value in point.values())


def difference(case: SymbolicCase, result: Any, point: dict[str, int], text: str) -> str:
    """How our result at the point differs from CuTe's; "" when it does not, or CuTe's is wrong.

    Where more than one result is right, as for inverses, ours must keep the promise.
    """
    value = at(result, point)
    ours, theirs = as_lay(value), _numbered(read(text))
    args = tuple(as_lay(at(arg, point)) for arg in case.args)
    if case.name.startswith("compact"):  # an extent of 1 may have any stride
        ours, theirs = Lay(args[0], ours), Lay(args[0], theirs)
    if _same(ours, theirs):
        return ""
    operation = OPERATIONS[case.name]
    decided = case.name in BY_PROMISE or operation.broken(args, text)
    printed = render(int(value) if isinstance(value, bool) else value)
    if decided and not operation.broken(args, printed):
        return ""
    return f"{case} at {point}: ours {printed}, CuTe {text}"


def _numbered(value: Any) -> Any:
    """What CuTe printed, its coordinates made numbers as `as_lay` makes ours."""
    if isinstance(value, Lay):
        return Lay(value.shape, numbers(value.stride))
    return tuple(map(_numbered, value)) if isinstance(value, tuple) else value


def _same(ours: Any, theirs: Any) -> bool:
    if isinstance(ours, Lay) and isinstance(theirs, Lay):
        return ours.size == theirs.size and ours.offsets() == theirs.offsets()
    if isinstance(ours, tuple) and isinstance(theirs, tuple):
        return len(ours) == len(theirs) and all(map(_same, ours, theirs))
    return bool(ours == theirs)
