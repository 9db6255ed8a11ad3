"""CUTLASS' tutorials of CuTe in a table: what is decided of each kernel, and what it takes.

`python -m tests.access.cute_table` prints it, as `reports/bench/cute_cpp.md` holds it.
"""

from __future__ import annotations

from collections import Counter
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

from symcute.kernel.findings import GOOD

from .test_cute_tutorials import HOPPER, TUTORIALS, kernels, verdicts


def spent() -> float:
    """Seconds of the processor, those of other programs that were waited for among them."""
    each = (getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN))
    return sum(r.ru_utime + r.ru_stime for r in each)


def main() -> None:
    """Print a row for each kernel as soon as it is there, and what they come to."""
    total: Counter[str] = Counter()
    files: dict[str, float] = {}
    print("| kernel | proved or not applicable | refuted | unknown | seconds |")
    print("|---|---:|---:|---|---:|")
    for t in (*TUTORIALS, *HOPPER):
        if t.file not in files:
            start = spent()
            kernels(t.file)
            files[t.file] = spent() - start
        start = spent()
        found = verdicts(t)
        took, counts = spent() - start, Counter(found.values())
        good = sum(counts[s] for s in GOOD)
        total += Counter(good=good, all=len(found))
        unknown = ", ".join(f"`{p}`" for p, v in found.items() if v == "unknown")
        name = f"{t.file} `{t.name[:-1]}`{f' {t.number + 1}' if t.number else ''}"
        print(f"| {name} | {good} of {len(found)} | {counts['refuted']} | {unknown} | {took:.0f} |",
              flush=True)  # fmt: skip
    print(f"\n{total['good']} of {total['all']} properties are decided.\n")
    print("To read a file, clang's part in it, takes: "
          + ", ".join(f"{name} {took:.0f} s" for name, took in files.items()) + ".")  # fmt: skip


if __name__ == "__main__":
    main()
