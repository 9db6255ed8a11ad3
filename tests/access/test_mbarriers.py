"""Producers and consumers with mbarriers in CUDA C++, right ones and false ones, against a replay.

A program is what each thread of two roles does in round k. It is written as C++ for `check_kernel`,
and replayed here for sizes that are numbers, in every order in which its threads may go on: two
accesses race where in one of these orders no chain of arrivals and waits leads from one to the
other.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

import pytest

from symcute.kernel.launch.sources import check_kernel

from ..full import many, some
from .judged import judged, summed
from .ring_programs import RACES, STAGES, Known, Program, Step, changed, most

#: The numbers of rounds that are replayed.
SIZES = (1, 2, 3, 4, 5)

HEAD = r"""
#define AT(p) ((unsigned)__cvta_generic_to_shared(p))
#define INIT(b, n) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(AT(b)), "r"(n))
#define ARRIVE(b) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(AT(b)))
static __device__ void await(unsigned long long *b, int parity) {
  asm volatile(
      "{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
      "@p bra DONE;\nbra AGAIN;\nDONE:\n}" :: "r"(AT(b)), "r"(parity));
}
"""


# --- as C++ ---------------------------------------------------------------------------------------


def written(p: Program) -> str:
    first, second = (" ".join(_line(s, p) for s in role) for role in p.roles)
    return f"""{HEAD}__global__ void k(int *a, int *o, int n) {{
  __shared__ int s[{2 * p.rows}];
  __shared__ unsigned long long full[{p.stages}], empty[{p.stages}];
  int w = threadIdx.x >= {p.threads[0]}, i = threadIdx.x - w * {p.threads[0]};
  if (threadIdx.x == 0) for (int j = 0; j < {p.stages}; j++) {{
    INIT(&full[j], {p.counts[0]}); INIT(&empty[j], {p.counts[1]});
  }}
  __syncthreads();
  if (w == 0) for (int k = 0; k < n; k++) {{ {first} }}
  else for (int k = 0; k < n; k++) {{ {second} }}
}}"""


def _line(s: Step, p: Program) -> str:
    k = f"(k + {s.ahead})" if s.ahead else "k"
    cell, row = f"&{s.ring}[{k} % {p.stages}]", f"2 * ({k} % {p.rows})"
    text = {
        "wait": f"await({cell}, ({k} / {p.stages} + {s.flip}) & 1);",
        "arrive": f"ARRIVE({cell});",
        "write": f"s[{row} + i] = a[i];",
        "read": f"o[threadIdx.x] = s[{row} + i];",
        "other's": f"o[threadIdx.x] = s[{row} + (i ^ 1)];",
    }[s.kind]
    test = {"": "", "first": "i == 0", "odd": "k % 2 == 1", "more": "k + 1 < n"}[s.when]
    return f"if ({test}) {{ {text} }}" if test else text


# --- in plain integers ----------------------------------------------------------------------------


def steps_of(p: Program, role: int, i: int, n: int) -> Iterator[tuple[Step, int]]:
    """Yield the steps that a thread of a role takes, each with its round."""
    for k in range(n):
        for s in p.roles[role]:
            if {"": True, "first": i == 0, "odd": k % 2 == 1, "more": k + 1 < n}[s.when]:
                yield s, k


@dataclass(frozen=True)
class Cell:
    """An mbarrier: phases that are over, arrivals of this one, what these and those know."""

    over: int
    arrived: int
    handed: Known
    known: Known


def races_at(p: Program, n: int) -> set[str]:
    """Return what is untrue of a program at a size.

    What a thread knows are pairs of a thread and how many steps of it; accesses are taken together
    with the signal behind them, unless that waits, which changes no order between threads.
    """
    who = [(role, i) for role in (0, 1) for i in range(p.threads[role])]
    does = [list(steps_of(p, role, i, n)) for role, i in who]
    fresh = Cell(0, 0, frozenset(), frozenset())
    rings = tuple(fresh for _ in range(2 * p.stages))
    start = (tuple(0 for _ in who), tuple(Known() for _ in who), rings)
    seen, todo, found = {start}, [start], set[str]()

    def touched(t: int, at: int) -> tuple[int, bool] | None:
        step, k = does[t][at]
        if step.kind not in ("write", "read", "other's"):
            return None
        i = who[t][1] ^ (step.kind == "other's")
        return 2 * ((k + step.ahead) % p.rows) + i, step.kind == "write"

    @cache
    def touches(t: int) -> tuple[tuple[int, int, bool], ...]:
        each = ((at, touched(t, at)) for at in range(len(does[t])))
        return tuple((at, *x) for at, x in each if x is not None)

    def meet(t: int, at: int, places: tuple[int, ...], known: Known) -> None:
        here = touched(t, at)
        assert here is not None
        told = dict.fromkeys(range(len(who)), 0)
        for other, steps in known:
            told[other] = max(told[other], steps)
        for other in range(len(who)):
            for before, place, writes in touches(other) if other != t else ():
                alone = not told[other] <= before < places[other] or place != here[0]
                if not alone and (writes or here[1]):
                    found.add(RACES[0] if writes and here[1] else RACES[1])

    while todo and len(found) < 2:
        places, known, cells = todo.pop()
        for t in range(len(who)):
            at = places[t]
            while at < len(does[t]) and does[t][at][0].kind not in ("wait", "arrive"):
                meet(t, at, places, known[t])
                at += 1
            mine, told = known[t], cells
            if at < len(does[t]):
                step, k = does[t][at]
                number = (k + step.ahead) % p.stages + p.stages * (step.ring == "empty")
                cell, count = cells[number], p.counts[step.ring == "empty"]
                over = cell.over % 2 != ((k + step.ahead) // p.stages + step.flip) % 2
                if step.kind == "wait" and over:
                    mine |= cell.known
                    at += 1
                elif step.kind == "arrive":
                    handed = most(cell.handed | mine | {(t, at + 1)})
                    ends = cell.arrived + 1 == count
                    cell = Cell(
                        cell.over + ends, 0 if ends else cell.arrived + 1, handed,
                        handed if ends else cell.known,
                    )  # fmt: skip
                    told = (*cells[:number], cell, *cells[number + 1 :])
                    at += 1
            if at == places[t]:
                continue
            new = (
                (*places[:t], at, *places[t + 1 :]),
                (*known[:t], most(mine), *known[t + 1 :]),
                told,
            )
            if new not in seen:
                seen.add(new)
                todo.append(new)
    return found


def untrue(p: Program) -> set[str]:
    found: set[str] = set()
    for n in SIZES:
        found |= races_at(p, n)
    return found


# --- the cases ------------------------------------------------------------------------------------


def ring(threads: tuple[int, int], stages: int, read: str = "other's") -> Program:
    """The usual ring: a producer fills what is empty, a consumer reads what is full."""
    return Program(
        threads, stages, stages, threads,
        (
            (Step("wait", "empty", 0, 1), Step("write"), Step("arrive", "full")),
            (Step("wait", "full"), Step(read), Step("arrive", "empty")),
        ),
    )  # fmt: skip


def drawn(rng: random.Random) -> Program:
    """A ring that is right, or changed in up to two things."""
    right = ring(
        rng.choice([(1, 1), (1, 2), (2, 1), (2, 2)]),
        rng.randint(1, STAGES),
        rng.choice(["other's", "read"]),
    )
    return changed(
        rng, right, lambda: _any(rng),
        lambda s: replace(s, when=rng.choice(["first", "odd", "more"])),
    )  # fmt: skip


def _any(rng: random.Random) -> Step:
    kind = rng.choice(["wait", "arrive", "write", "read", "other's"])
    when = rng.choice(["", "", "first"])
    return Step(kind, rng.choice(["full", "empty"]), rng.randint(0, 1), rng.randint(0, 1), when)


def verdicts(p: Program) -> dict[str, set[str]]:
    found = check_kernel(
        written(p), launch=f"grid=1 block={sum(p.threads)}", extents={"a": "4", "o": "4"},
        given=["n <= 2**20"], properties=RACES,
    )  # fmt: skip
    assert found
    return {name: {f.status for f in found if f.property == name} for name in RACES}


def judge(p: Program) -> tuple[int, int, int]:
    """Return how many are true, decided of these, and refuted; none is decided wrongly."""
    return judged(untrue(p), verdicts(p), (p, written(p)))


RINGS = list(product([(1, 1), (1, 2), (2, 1), (2, 2)], [1, 2, 3]))


@pytest.mark.parametrize(("threads", "stages"), some(RINGS, 6, 1))
def test_the_usual_ring(threads: tuple[int, int], stages: int) -> None:
    right = ring(threads, stages)
    assert judge(right) == (2, 2, 0)


@pytest.mark.full
def test_drawn_programs() -> None:
    rng = random.Random(19)
    true, proved, false, refuted = summed(judge(drawn(rng)) for _ in range(many(15, 300, 15)))
    assert proved >= 0.8 * true and refuted >= 0.7 * false, (true, proved, false, refuted)


# --- what a program of steps cannot say -----------------------------------------------------------

TEXT = f"""{HEAD}__global__ void k(int *a, int *o, int n, int S) {{
  __shared__ int s[8];
  __shared__ unsigned long long bars[8];
  unsigned long long *full = bars, *empty = bars + 4;
  int w = threadIdx.x / 2, i = threadIdx.x % 2;
  if (threadIdx.x == 0) for (int j = 0; j < S; j++) {{ INIT(&full[j], 2); INIT(&empty[j], 2); }}
  __syncthreads();
  if (w == 0) for (int k = 0; k < n; k++) {{
    await(&empty[k % S], ((k / S) & 1) ^ 1);
    s[2 * (k % S) + i] = a[i];
    ARRIVE(&full[k % S]);
  }} else for (int k = 0; k < n; k++) {{
    await(&full[k % S], (k / S) & 1);
    o[threadIdx.x] = s[2 * (k % S) + (i ^ 1)];
    ARRIVE(&empty[k % S]);
  }}
}}"""


def statuses(*changes: tuple[str, str], launch: str = "grid=1 block=4") -> dict[str, set[str]]:
    text = TEXT
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    found = check_kernel(
        text, launch=launch, extents={"a": "n + 4", "o": "4"}, properties=RACES,
        given=["1 <= n", "n <= 2**20", "1 <= S", "S <= 4"],
    )  # fmt: skip
    assert found
    return {name: {f.status for f in found if f.property == name} for name in RACES}


def test_a_ring_of_a_number_of_stages_that_is_not_known() -> None:
    assert statuses() == {name: {"proved"} for name in RACES}


_TOLD = (
    "{ unsigned long long phase; asm volatile("
    '"mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(phase) : "r"(AT(&full[k % S]))); }'
)


def test_an_arrival_that_tells_its_phase() -> None:
    assert statuses(("ARRIVE(&full[k % S]);", _TOLD)) == {name: {"proved"} for name in RACES}


UNPROVED = [
    ("__syncthreads();", ""),
    ("bars + 4", "bars + 3"),  # one cell is of both rings
    ("INIT(&full[j], 2)", "INIT(&full[j], 1)"),
    ("INIT(&full[j], 2)", "INIT(&full[j], n)"),
    # another is made across two cells
    ("INIT(&full[j], 2);", "INIT(&full[j], 2); INIT((char *)full + 4, 2);"),
    ("j < S; j++", "j < S - 1; j++"),  # one is not made
    ("if (threadIdx.x == 0) for", "if (threadIdx.x == 5) for"),  # nobody makes any
    ("ARRIVE(&full[k % S]);", "ARRIVE(&full[k % S]); ARRIVE(&full[k % S]);"),
    ("ARRIVE(&empty[k % S]);", "ARRIVE(&empty[k % S]); ARRIVE(&full[k % S]);"),
    ("ARRIVE(&full[k % S]);", "for (int q = 0; q < 2; q++) ARRIVE(&full[k % S]);"),
    ("ARRIVE(&full[k % S]);", "ARRIVE(&full[k % S]); if (k == 3 && i == 0) INIT(full, 2);"),
    ("ARRIVE(&full[k % S]);", "ARRIVE(&full[k % S]); if (i == 0) bars[0] = 0;"),
    ("ARRIVE(&full[k % S]);", _TOLD.replace("asm volatile", "asm")),  # a compiler may move it
    ("await(&full[k % S], (k / S) & 1)", "if (a[k]) await(&full[k % S], (k / S) & 1)"),
    ("await(&full[k % S], (k / S) & 1)", "if (k & 1) await(&full[k % S], (k / S) & 1)"),
    ("await(&full[k % S], (k / S) & 1)", "await(&full[k % S], k & 1)"),
    ("await(&full[k % S], (k / S) & 1)", "await(&full[k % 2], (k / 2) & 1)"),
    ("if (w == 0) for", "for (int m = 0; m < 2; m++) if (w == 0) for"),  # each goes round again
    ("else for (int k = 0; k < n; k++)", "else for (int k = n - 1; k >= 0; k--)"),
    (
        "s[2 * (k % S) + i] = a[i];",  # a copy that nobody has waited for
        'asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" '
        ':: "r"(AT(&s[2 * (k % S) + i])), "l"(a + i));',
    ),
]


@pytest.mark.parametrize("change", some(UNPROVED, 6), ids=lambda c: f"{c[0]} -> {c[1]}")
def test_what_is_not_so_is_not_proved(change: tuple[str, str]) -> None:
    found = statuses(change)
    assert found[RACES[0]] != {"proved"} or found[RACES[1]] != {"proved"}


def test_what_is_no_ring_is_named() -> None:
    stage = TEXT.replace("else for", "else { int t = 0; for").replace(
        "&full[k % S], (k", "&full[t], (k"
    )
    stage = stage.replace(
        "ARRIVE(&empty[k % S]);\n  }", "ARRIVE(&empty[t]); if (++t == S) t = 0; } }"
    )
    found = check_kernel(
        stage, launch="grid=1 block=4", extents={"a": "n + 4", "o": "4"}, properties=RACES[1:],
        given=["1 <= n", "n <= 8", "S == 3"],
    )  # fmt: skip
    assert found.status == "unknown"
    assert any("mbarrier wait at" in f.reason and "not followed" in f.reason for f in found)


def test_what_comes_behind_a_phase_that_may_not_end_is_not_refuted() -> None:
    text = (
        HEAD
        + """__global__ void k(int *o) {
      __shared__ unsigned long long bar;
      if (threadIdx.x == 0) INIT(&bar, 1);
      __syncthreads();
      if (threadIdx.x == 0) {
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 4;" :: "r"(AT(&bar)));
        ARRIVE(&bar);
      } else { await(&bar, 0); o[5] = 1; }
    }"""
    )
    found = check_kernel(
        text, launch="grid=1 block=2", extents={"o": "4"}, properties=["in_bounds"]
    )
    assert "refuted" not in {f.status for f in found}


def test_an_mbarrier_orders_no_other_block() -> None:
    found = statuses(("__shared__ int s[8];", "int *s = o + 4;"), launch="grid=2 block=4")
    assert found[RACES[0]] == {"refuted"}


def test_threads_that_wait_for_ever_write_nothing_and_come_to_no_barrier() -> None:
    text = (
        HEAD
        + """// symcute: covers o
    __global__ void k(int *o) {
      __shared__ unsigned long long bar;
      if (threadIdx.x == 0) INIT(&bar, 1);
      __syncthreads();
      if (threadIdx.x == 0) await(&bar, 0);
      __syncthreads();
      o[threadIdx.x] = 1;
    }"""
    )
    found = check_kernel(
        text, launch="grid=1 block=2", extents={"o": "2"},
        properties=["covers", "barrier_uniform"],
    )  # fmt: skip
    assert {f.status for f in found if f.property == "covers"} == {"unknown"}
    unknown = [f for f in found if f.property == "barrier_uniform" and f.status == "unknown"]
    lines = text.split("\n")
    second = [k for k, line in enumerate(lines, 1) if "__syncthreads" in line][1]
    wait = HEAD[: HEAD.index("asm volatile", HEAD.index(" await("))].count("\n") + 1
    assert [f.place.line for f in unknown] == [second, wait]
    assert all("ends is not known" in str(f.reason) for f in unknown)
    # A kernel in which nothing stands behind the wait is no better.
    alone = "\n".join([*lines[: second - 1], "}"])
    found = check_kernel(alone, launch="grid=1 block=2", properties=["barrier_uniform"])
    assert [f.place.line for f in found if f.status == "unknown"] == [wait]


WAITS = {
    "AGAIN: mbarrier.test_wait.parity.acquire.cta.shared.b64 p, [%0], %1; @!p bra AGAIN;": "proved",
    "AGAIN: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1, 1000; @!p bra AGAIN;": "proved",
    "AGAIN: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @p bra AGAIN;": "unknown",
    "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;": "unknown",
    "AGAIN: mbarrier.try_wait.parity.relaxed.cta.shared.b64 p, [%0], %1; @!p bra AGAIN;": "unknown",
}


@pytest.mark.parametrize(("wait", "status"), WAITS.items())
def test_waits_as_they_are_written(wait: str, status: str) -> None:
    text = (
        HEAD[: HEAD.index("  asm volatile(\n")]
        + f"""
      asm volatile("{{ .reg .pred p; {wait} }}" :: "r"(AT(b)), "r"(parity)); }}
      __global__ void k(int *o) {{
        __shared__ int s;
        __shared__ unsigned long long bar;
        if (threadIdx.x == 0) INIT(&bar, 1);
        __syncthreads();
        if (threadIdx.x == 0) {{ s = 1; ARRIVE(&bar); }}
        else {{ await(&bar, 0); o[0] = s; }}
      }}"""
    )
    found = check_kernel(text, launch="grid=1 block=2", extents={"o": "1"}, properties=RACES[1:])
    assert found.status == status


@pytest.mark.parametrize("parity", ["p[0]", "p[threadIdx.x] & 1"])
@pytest.mark.parametrize(
    "wait",
    [
        "AGAIN: mbarrier.test_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra AGAIN;",
        "AGAIN: mbarrier.try_wait.parity.relaxed.cta.shared.b64 p, [%0], %1; @!p bra AGAIN;",
        "AGAIN: mbarrier.test_wait.shared::cta.b64 p, [%0], state; @!p bra AGAIN;",
    ],
)
def test_who_waits_may_never_come_to_a_barrier(wait: str, parity: str) -> None:
    text = (
        HEAD[: HEAD.index("  asm volatile(\n")]
        + f"""
      asm volatile("{{ .reg .pred p; .reg .b64 state; {wait} }}" :: "r"(AT(b)), "r"(parity)); }}
      __global__ void k(int *o, const int *p) {{
        __shared__ unsigned long long bar;
        if (threadIdx.x == 0) INIT(&bar, 1);
        __syncthreads();
        if (threadIdx.x < 32) await(&bar, {parity});
        __syncthreads();
        o[threadIdx.x] = 0;
      }}"""
    )
    given = {"o": "64", "p": "64"}
    found = check_kernel(
        text, launch="grid=1 block=64", extents=given, properties=["barrier_uniform"]
    )
    assert "proved" not in {f.status for f in found}
