"""`python -m gpu.memory`: what the memory system does with each access pattern, beside the model.

Every pattern of `patterns.py` runs once under Nsight Compute, as a kernel of its own that makes
just the requests of the pattern; its counters must be those that `symcute.hardware` predicts.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gpu.memory import _counters, _evidence, _kernels
from gpu.memory._model import ARCHITECTURE, METRICS, predicted
from gpu.memory._table import table
from gpu.memory.patterns import PATTERNS, Pattern
from symcute.errors import InputError, SymcuteError
from symcute.evidence.backends import CupyBackend, cupy_available

OUT = Path("reports/gpu/memory/memory.json")


def main() -> int:
    """Do what the arguments say; 1 when a counter is not as predicted, 2 when it cannot run."""
    arguments = _arguments()
    try:
        chosen = [p for p in PATTERNS if arguments.only in p.name]
        if not chosen:
            raise InputError(f"no pattern has {arguments.only!r} in its name", "see --predict")
        if arguments.launch:
            return _launch(chosen)
        if arguments.predict:
            return _print_predictions(chosen)
        if arguments.table:
            print(table(_evidence.read(arguments.table), chosen), end="")
            return 0
        if arguments.check:
            return _print_comparison(_evidence.read(arguments.check), chosen)
        data = _measured(chosen, arguments.only)
        _evidence.write(data, arguments.out)
        _evidence.save(arguments.out.with_suffix(".md"), table(data, chosen))
        print(f"evidence: {arguments.out}")
        return _print_comparison(data, chosen)
    except SymcuteError as error:
        print(f"gpu.memory: {error}", file=sys.stderr)
        return 2


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m gpu.memory", description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT, help=f"the evidence (default: {OUT})")
    parser.add_argument("--only", default="", metavar="TEXT", help="patterns with this in the name")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--predict", action="store_true", help="print the predictions only")
    what.add_argument("--check", type=Path, metavar="FILE", help="compare with recorded evidence")
    what.add_argument("--table", type=Path, metavar="FILE", help="print evidence as Markdown")
    what.add_argument("--launch", action="store_true", help="launch each kernel once (for ncu)")
    return parser.parse_args()


def _need_device() -> None:
    if reason := cupy_available():
        raise SymcuteError(f"no GPU: {reason}", "without one there are --predict and --check FILE")


def _launch(patterns: Sequence[Pattern]) -> int:
    """Launch each kernel once, so that what is counted is the pattern alone."""
    _need_device()
    module = _kernels.compiled(patterns)
    for pattern in patterns:
        _kernels.launch(module, pattern, check=False)[1].get()
    return 0


def _measured(patterns: Sequence[Pattern], only: str) -> dict[str, Any]:
    """Compare the values that the kernels move, read the counters, and return both."""
    _need_device()
    if reason := _counters.missing_profiler():
        raise SymcuteError(reason, "it comes with the CUDA toolkit")
    backend = CupyBackend().describe()
    module = _kernels.compiled(patterns)
    wrong = {p.name: _kernels.wrong_values(module, p) for p in patterns}
    wanted = [m for metrics in METRICS.values() for m in metrics.values()]
    metrics = _counters.available([*wanted, *_counters.OTHERS])
    counters = _counters.collect(["--launch", "--only", only], metrics)
    machine = {
        "backend": backend,
        "profiler": _counters.version(),
        "architecture": "sm" + backend["compute_capability"].replace(".", ""),
    }
    return _evidence.document(patterns, counters, wrong, metrics, machine)


def _print_predictions(patterns: Sequence[Pattern]) -> int:
    for pattern in patterns:
        print(f"{pattern.name:64} {_shown(predicted(pattern, ARCHITECTURE))}")
    return 0


def _print_comparison(data: dict[str, Any], patterns: Sequence[Pattern]) -> int:
    """Print a line a pattern and the sum; return 1 when something is not as predicted."""
    rows = _evidence.rows(data, patterns)
    for row in rows:
        verdict = "; ".join(row["problems"]) or "as predicted"
        print(f"{row['name']:64} {_shown(row['measured']):50} {verdict}")
    wrong = sum(bool(row["problems"]) for row in rows)
    print(f"{len(rows)} patterns on {data['backend']['device']}: {len(rows) - wrong} as predicted, "
          f"{wrong} not")  # fmt: skip
    return 1 if wrong else 0


def _shown(numbers: dict[str, Any]) -> str:
    return ", ".join(f"{name} {'-' if n is None else n}" for name, n in numbers.items())


if __name__ == "__main__":
    sys.exit(main())
