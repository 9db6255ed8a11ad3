"""Decide injectivity and equality of static layouts of up to 2**40 elements, beside others.

    python -m benchmarks.injectivity

tensor-layouts lists the offsets; isl (through islpy) decides about the map as a set of integers.
Each of their questions runs in a process that is killed when late. Everybody gets the same
questions, in the same run; answers that differ are counted, and end the run with status 1.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import sys
import time
from collections.abc import Callable, Iterator
from math import prod
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from symcute import Layout
from symcute.claims import Equal, Injective
from symcute.prover import prove

from .prover import late, machine, milliseconds, percent

SEED = 4
RANKS = range(2, 9)
#: Bits of the sizes.
BITS = (10, 20, 30, 40)
Modes = list[tuple[int, int]]


class Question(NamedTuple):
    """Is a layout injective, or (with two) are they the same map?"""

    kind: str
    bits: int
    layouts: tuple[Modes, ...]


def questions(rng: random.Random) -> Iterator[Question]:
    """Yield each kind of layout for each rank and size."""
    for rank in RANKS:
        for bits in BITS:
            shape = extents(rng, rank, bits)
            dense = strided(rng, shape, lambda d, s: d * s)
            yield Question("dense", bits, (dense,))
            pitched = strided(rng, shape, lambda d, s: d * s + rng.choice((0, 1, 8, d)))
            yield Question("pitched", bits, (pitched,))
            yield Question("one stride too small", bits, (changed(dense, rng, -1),))
            yield Question("remainders", bits, (remainders(rng, shape),))
            yield Question("coprime", bits, (coprime(rng, rank, bits),))
            top = 1 << bits
            yield Question("random", bits, ([(s, rng.randrange(1, top)) for s in shape],))
            yield Question("the same map", bits, (dense, respelt(rng, dense)))
            yield Question("another map", bits, (dense, respelt(rng, changed(dense, rng, 1))))


def extents(rng: random.Random, rank: int, bits: int) -> list[int]:
    """Return extents whose product is about 2**bits."""
    cuts = sorted(rng.uniform(0, bits) for _ in range(rank - 1))
    sizes = [b - a for a, b in zip([0.0, *cuts], [*cuts, float(bits)], strict=True)]
    return [max(2, round(2**x)) for x in sizes]


def strided(rng: random.Random, shape: list[int], grow: Callable[[int, int], int]) -> Modes:
    """Return modes whose strides grow from 1 in a random order."""
    stride = [0] * len(shape)
    d = 1
    for k in rng.sample(range(len(shape)), len(shape)):
        stride[k] = d
        d = grow(d, shape[k])
    return list(zip(shape, stride, strict=True))


def changed(modes: Modes, rng: random.Random, by: int) -> Modes:
    """Return the modes with one of the larger strides changed."""
    k = max(range(len(modes)), key=lambda k: (modes[k][1] > 1, rng.random()))
    return [(s, d + by) if j == k else (s, d) for j, (s, d) in enumerate(modes)]


def remainders(rng: random.Random, shape: list[int]) -> Modes:
    """Return modes told apart modulo the first extent: (g, n):(g*k+1, g) and what is beyond."""
    g, *rest = shape
    inner = strided(rng, rest, lambda d, s: d * s)
    return [(g, g * rng.randrange(1, prod(rest) + 1) + 1), *((s, g * d) for s, d in inner)]


def coprime(rng: random.Random, rank: int, bits: int) -> Modes:
    """Return pairs of modes with strides p and p+1, tight, each pair beyond the one before."""
    modes: Modes = []
    unit, share = 1, max(2, bits // rank)
    while len(modes) + 1 < rank:
        p = rng.randrange(2, 1 << share) + 1
        q = rng.randrange(1, p + 1)
        modes += [(q, (p + 1) * unit), (p + 1, p * unit)]
        unit *= (q - 1) * (p + 1) + p * p + 1
    return [*modes, (3, unit)][:rank]


def respelt(rng: random.Random, modes: Modes) -> Modes:
    """Return the same map with modes split where they can be, and modes of extent 1 between."""
    found: Modes = []
    for s, d in modes:
        small = [n for n in range(2, 17) if s % n == 0 and n < s]
        if small:
            n = rng.choice(small)
            found += [(n, d), (s // n, n * d)]
        else:
            found += [(s, d), (1, 5)]
    return found


def layout(modes: Modes, make: Callable[..., Any] = Layout) -> Any:
    """Return modes as a layout of a library."""
    return make(tuple(s for s, _ in modes), tuple(d for _, d in modes))


def by_symcute(question: Question) -> bool | None:
    """Return the answer of symcute, or None."""
    layouts = [layout(m) for m in question.layouts]
    claim = Injective(layouts[0]) if len(layouts) == 1 else Equal(layouts[0], layouts[1])
    return {"proved": True, "refuted": False, "unknown": None}[prove(claim).status]


def by_tensor_layouts(question: Question) -> bool | None:
    """Return the answer of tensor-layouts."""
    from tensor_layouts import Layout as Other
    from tensor_layouts import analysis

    layouts = [layout(m, Other) for m in question.layouts]
    if len(layouts) == 1:
        return bool(analysis.is_injective(layouts[0]))
    return bool(analysis.functionally_equal(*layouts))


def by_isl(question: Question) -> bool | None:
    """Return the answer of isl."""
    import islpy

    if len(question.layouts) == 1:
        return bool(islpy.Map(natural(question.layouts[0])).is_injective())
    one, other = (islpy.Map(indexed(modes)) for modes in question.layouts)
    return bool(one.is_equal(other))


def natural(modes: Modes) -> str:
    """Return the map from natural coordinates as isl writes it."""
    names = [f"x{k}" for k in range(len(modes))]
    box = " and ".join(f"0 <= {x} < {s}" for x, (s, _) in zip(names, modes, strict=True))
    total = " + ".join(f"{d}*{x}" for x, (_, d) in zip(names, modes, strict=True))
    return f"{{ [{', '.join(names)}] -> [{total}] : {box} }}"


def indexed(modes: Modes) -> str:
    """Return the map from the 1-D index as isl writes it."""
    parts, below = [], 1
    for s, d in modes:
        parts.append(f"{d}*(floor(i/{below}) mod {s})")
        below *= s
    return f"{{ [i] -> [{' + '.join(parts)}] : 0 <= i < {below} }}"


DECIDERS: dict[str, Callable[[Question], bool | None]] = {
    "symcute": by_symcute,
    "tensor-layouts": by_tensor_layouts,
    "isl": by_isl,
}


class Worker:
    """A process that answers questions for one library, killed and started again when late."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.start()

    def start(self) -> None:
        """Start the process; it imports its library at a question that is not counted."""
        self.pipe, other = multiprocessing.Pipe()
        self.process = multiprocessing.get_context("fork").Process(
            target=_serve, args=(self.name, other), daemon=True
        )
        self.process.start()
        self.ask(Question("warm-up", 1, ([(2, 1)],)), 30)

    def ask(self, question: Question, limit: float) -> tuple[bool | None, float]:
        """Return the answer and its seconds; None when there is none in time."""
        self.pipe.send(question)
        try:
            if self.pipe.poll(limit):
                answer: tuple[bool | None, float] = self.pipe.recv()
                return answer
        except EOFError:
            pass
        self.stop()
        self.start()
        return None, limit

    def stop(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.join()


def _serve(name: str, pipe: Any) -> None:
    while True:
        question = pipe.recv()
        begin = time.perf_counter()
        answer = DECIDERS[name](question)
        pipe.send((answer, time.perf_counter() - begin))


def measure(question: Question, workers: list[Worker], limit: float) -> dict[str, Any]:
    """Return what each library answers, and its seconds."""
    row: dict[str, Any] = {**question._asdict()}
    answers = set()
    for name in DECIDERS:
        worker = next((w for w in workers if w.name == name), None)
        if worker is None:
            by_symcute(Question("warm-up", 1, ([(2, 1)],)))
            begin = time.perf_counter()
            answer: bool | None = DECIDERS[name](question)
            seconds = time.perf_counter() - begin
        else:
            answer, seconds = worker.ask(question, limit)
        row[name] = {"answer": answer, "seconds": seconds}
        answers |= {answer} - {None}
    row["agree"] = len(answers) < 2
    return row


def markdown(rows: list[dict[str, Any]], about: dict[str, str]) -> str:
    """Return the report."""
    head = ["question", "asked"]
    head += [f"{n} {x}" for n in DECIDERS for x in ("decided", "median ms", "95 % ms")]
    lines = [f"| {' | '.join(head)} |", "|---" + "|---:" * (len(head) - 1) + "|"]
    kinds = list(dict.fromkeys(r["kind"] for r in rows))
    groups = [(k, [r for r in rows if r["kind"] == k]) for k in kinds]
    groups += [(f"all of 2**{b}", [r for r in rows if r["bits"] == b]) for b in BITS]
    for name, group in [*groups, ("**all**", rows)]:
        cells = [name, str(len(group))]
        for library in DECIDERS:
            answers = [r[library] for r in group]
            seconds = [a["seconds"] for a in answers]
            decided = sum(a["answer"] is not None for a in answers)
            cells += [percent(decided, len(group)), milliseconds(median(seconds))]
            cells.append(milliseconds(late(seconds)))
        lines.append(f"| {' | '.join(cells)} |")
    told = "\n".join(f"- {key}: {value}" for key, value in about.items())
    table = "\n".join(lines)
    differing = sum(not r["agree"] for r in rows)
    return (
        f"# Injectivity and equality of static layouts\n\n{told}\n\n{table}\n\n"
        f"Questions to which the answers differ: {differing}.\n"
    )


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--limit", type=float, default=1.0, help="seconds for the other libraries")
    parser.add_argument("--alone", action="store_true", help="do not ask the other libraries")
    parser.add_argument("--out", type=Path, default=Path("reports/bench"), help="folder to write")
    options = parser.parse_args()
    if options.alone:
        for name in list(DECIDERS)[1:]:
            del DECIDERS[name]
    workers = [Worker(name) for name in DECIDERS if name != "symcute"]
    asked = questions(random.Random(SEED))  # noqa: S311
    rows = [measure(question, workers, options.limit) for question in asked]
    for worker in workers:
        worker.stop()
    about = machine() | {"time limit of the others": f"{options.limit:g} s"}
    text = markdown(rows, about)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "injectivity.md").write_text(text)
    data = json.dumps({"about": about, "questions": rows}, indent=1)
    (options.out / "injectivity.json").write_text(data + "\n")
    print(text)
    sys.exit(0 if all(r["agree"] for r in rows) else 1)


if __name__ == "__main__":
    main()
