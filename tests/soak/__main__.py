"""`python -m tests.soak`: the long run of claims, certificates and kernels.

Every part is cut into pieces by number; each piece is drawn from the seed and its number alone, and
counted once it is done. A run that is interrupted goes on where it was (`--resume`).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from . import certificates, claims, kernels, roads
from .drawing import KINDS
from .tally import Tally


@dataclass(frozen=True)
class Part:
    """What is drawn, how many cases one number stands for, how many numbers are a piece of work."""

    name: str
    run: Callable[[str, range, Tally], None]
    cases: int
    piece: int


PARTS = (
    Part("claims", claims.run, 1, 250),
    Part("certificates", certificates.run, certificates.MUTANTS, 10),
    Part("kernels", kernels.run, kernels.BATCH, 2),
    Part("roads", roads.run, roads.BATCH, 1),
)


def piece(name: str, seed: str, first: int) -> Tally:
    """Draw and compare the cases of a piece."""
    part = next(p for p in PARTS if p.name == name)
    tally = Tally()
    try:
        part.run(seed, range(first, first + part.piece), tally)
    except Exception as error:  # a fault of the run itself, which goes on with the next piece
        where = traceback.extract_tb(error.__traceback__)[-1]
        tally.fault(f"STOPPED {type(error).__name__}: {error} in {where.name}", f"{name} {first}")
    return tally


def pieces(part: Part, count: int) -> Iterator[int]:
    """Yield the first number of every piece, as many as that many cases are."""
    numbers = -(-count // part.cases)
    yield from range(0, numbers, part.piece)


def soak(
    wanted: dict[str, int], seed: str, seconds: float, workers: int, kept: Path | None
) -> Tally:
    """Run all pieces, or as many as there is time for; what is done is written to `kept`."""
    done: dict[str, Tally] = {}
    if kept is not None and kept.exists():
        for line in kept.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            tally = Tally()
            tally.counts.update(entry["counts"])
            tally.faults = entry["faults"]
            done[entry["piece"]] = tally
    todo = [
        (p.name, first)
        for p in PARTS
        for first in pieces(p, wanted.get(p.name, 0))
        if f"{p.name} {seed} {first}" not in done
    ]
    # Kernels first: what takes longest must not be left for the end.
    todo.sort(key=lambda x: [p.name for p in reversed(PARTS)].index(x[0]))
    until, began, total = time.monotonic() + seconds, time.monotonic(), len(todo)
    with ProcessPoolExecutor(workers) as pool:
        waiting = {}
        queue = iter(todo)

        def give() -> None:
            if time.monotonic() < until and (job := next(queue, None)) is not None:
                waiting[pool.submit(piece, job[0], seed, job[1])] = job

        for _ in range(workers * 2):
            give()
        count = 0
        while waiting:
            future = next(as_completed(waiting))
            name, first = waiting.pop(future)
            tally = future.result()
            key, count = f"{name} {seed} {first}", count + 1
            done[key] = tally
            give()
            if kept is not None:
                entry = {"piece": key, "counts": tally.counts, "faults": tally.faults}
                with kept.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(entry) + "\n")
            for fault in tally.faults:
                print(f"FAULT {key}: {fault}", flush=True)
            if count % 20 == 0:
                spent = time.monotonic() - began
                print(f"{count} of {total} pieces, {spent:.0f} s", file=sys.stderr, flush=True)
    whole = Tally()
    for tally in done.values():
        whole.add(tally)
    return whole


def report(tally: Tally, seed: str, seconds: float, to: Path) -> None:
    """Write what was counted, as JSON and as a page."""
    c = tally.counts
    about = {
        "seed": seed,
        "seconds": round(seconds),
        "cores": os.cpu_count(),
        **{n: version(n) for n in ("symcute", "z3-solver", "cvc5", "libclang")},
    }
    drawn = {p.name: c[p.name] for p in PARTS}
    body = {**about, **drawn, "faults": tally.faults, "counts": dict(sorted(c.items()))}
    to.with_suffix(".json").write_text(json.dumps(body, indent=1) + "\n", encoding="utf-8")
    status = ("proved", "refuted", "unknown", "vacuous", "refused")
    properties = [k.split(":")[0] for k in c if k.endswith(": not applicable") and "_" in k]
    answers = ("proved", "refuted", "unknown", "not applicable")
    rows = [f"| {k} | {' | '.join(str(c[f'{k}: {s}']) for s in status)} |" for k in KINDS]
    told = [
        f"| {k} | {' | '.join(str(c[f'{k}: {a}']) for a in answers)} |"
        for k in sorted(set(properties)) if " " not in k
    ]  # fmt: skip
    rest = [k for k in c if ":" not in k]
    lines = [
        "# The soak run",
        "",
        "`python -m tests.soak`: random claims, mutated certificates and random kernels. What is",
        "said of claims and certificates is compared with meanings in plain integers that share no",
        "code with the package; kernels are compiled by g++ and executed.",
        "",
        *(f"- {k}: {v}" for k, v in {**about, **drawn}.items()),
        f"- faults: {len(tally.faults)}",
        "",
        *(f"    {x}" for x in tally.faults[:50]),
        "## Claims",
        "",
        f"| kind | {' | '.join(status)} |",
        f"|{'---|' * (len(status) + 1)}",
        *rows,
        "",
        "## Properties of kernels",
        "",
        f"| property | {' | '.join(answers)} |",
        f"|{'---|' * (len(answers) + 1)}",
        *told,
        "",
        "## Counted",
        "",
        *(f"- {k}: {c[k]}" for k in sorted(rest)),
        *(f"- {k}: {c[k]}" for k in sorted(c) if k.startswith(("violated", "counterexamples:"))),
    ]
    to.with_suffix(".md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for p in PARTS:
        parser.add_argument(f"--{p.name}", type=int, default=0, metavar="N", help="how many (0)")
    parser.add_argument("--seed", default="1", help="which cases are drawn (1)")
    parser.add_argument("--seconds", type=float, default=1e9, help="begin nothing new after that")
    parser.add_argument("--workers", type=int, default=2, help="processes (2)")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="what is done, kept in a file")
    parser.add_argument("--out", type=Path, metavar="FILE", help="such as reports/soak.md")
    options = parser.parse_args()
    wanted = {p.name: getattr(options, p.name) for p in PARTS}
    began = time.monotonic()
    tally = soak(wanted, options.seed, options.seconds, options.workers, options.resume)
    spent = time.monotonic() - began
    if options.out:
        report(tally, options.seed, spent, options.out)
    drawn = ", ".join(f"{tally.counts[p.name]} {p.name}" for p in PARTS)
    print(f"{drawn} in {spent:.0f} s; faults: {len(tally.faults)}")
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
