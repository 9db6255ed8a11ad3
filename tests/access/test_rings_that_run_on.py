"""Rings of mbarriers whose rounds run on from one loop to the next, in CUDA C++, against a replay.

Some rounds are fetched before, and the rest while others are used; what is used first stands before
the loop. In the replay the threads go on in every order: where in one of them somebody waits for
ever, `barrier_uniform` is not proved, and where two are at one place of memory at a time, one of
them to write it, races are not. What does not happen is not refuted.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from symcute.kernel.launch.sources import check_kernel
from symcute.kernel.scheduler import Work

from ..full import some
from .test_mbarriers import HEAD

SIZES = (1, 2, 3, 5)
WARP, RACES = 32, ("write_race_free", "read_write_race_free")
FULL, EMPTY = 0, 1


@dataclass(frozen=True)
class Step:
    """A step in round k + ahead: of a ring, with a wait's flip, or of memory."""

    kind: str  # arrive, wait, write, read, sync
    ring: int = FULL
    ahead: str = "0"
    flip: int = 0
    when: str = "true"


@dataclass(frozen=True)
class Loop:
    """Rounds from a number below another, and what some threads do in each."""

    first: str
    end: str
    steps: tuple[Step, ...]
    who: str = "true"


@dataclass(frozen=True)
class Program:
    """How many threads use, stages, rows of memory, rounds that are fetched before, and loops."""

    users: int
    stages: int
    rows: int
    before: str
    counts: tuple[int, int]
    loops: tuple[Loop, ...]


def written(p: Program) -> str:
    lines = []
    for loop in p.loops:
        body = " ".join(_line(s, p) for s in loop.steps)
        if loop.first == loop.end:
            text = f"{{ const int k = {loop.first}; {body} }}"
        else:
            text = f"for (int k = {loop.first}; k < {loop.end}; k++) {{ {body} }}"
        lines.append(f"  if ({loop.who}) {text}\n")
    s = p.stages
    return f"""{HEAD}__global__ void k(int *a, int *o, int n) {{
  __shared__ int s[{p.rows}];
  __shared__ unsigned long long full[{s}], empty[{s}];
  int t = threadIdx.x, p = {p.before};
  if (t == 0) for (int j = 0; j < {s}; j++) {{
    INIT(&full[j], {p.counts[0]}); INIT(&empty[j], {p.counts[1]});
  }}
  __syncthreads();
{"".join(lines)}  __syncthreads();
}}"""


def _line(s: Step, p: Program) -> str:
    k = "k" if s.ahead == "0" else f"(k + {s.ahead})"
    cell = f"&{('full', 'empty')[s.ring]}[{k} % {p.stages}]"
    text = {
        "wait": f"await({cell}, ({k} / {p.stages} + {s.flip}) & 1);",
        "arrive": f"ARRIVE({cell});",
        "write": f"s[{k} % {p.rows}] = a[t];",
        "read": f"o[t] = s[{k} % {p.rows}];",
        "sync": "__syncwarp();",
    }[s.kind]
    return text if s.when == "true" else f"if ({s.when}) {{ {text} }}"


# --- in plain integers ----------------------------------------------------------------------------


def untrue(p: Program) -> set[str]:
    """What does not hold for some sizes."""
    return {x for n in SIZES for x in _untrue_at(p, n)}


def _value(text: str, **names: int) -> int:
    said = text.replace("&&", "and").replace("true", "True")
    return int(eval(said, {"min": min, "__builtins__": {}}, names))


def _untrue_at(p: Program, n: int) -> set[str]:
    before = _value(p.before, n=n)
    threads = [*range(p.users), *range(WARP, WARP + p.users)]

    def steps(t: int) -> list[tuple[str, int, int, int]]:
        found = []
        for loop in p.loops:
            if not _value(loop.who, t=t):
                continue
            first, end = (_value(x, n=n, p=before) for x in (loop.first, loop.end))
            for k in range(first, max(end, first + (loop.first == loop.end))):
                for s in loop.steps:
                    if _value(s.when, t=t, k=k, n=n, p=before):
                        round = k + _value(s.ahead, p=before, k=k)
                        place = round % (p.rows if s.kind in ("read", "write") else p.stages)
                        parity = (round // p.stages + s.flip) % 2
                        cell = place if s.kind in ("read", "write") else s.ring * p.stages + place
                        found.append((s.kind, cell, parity, t // WARP))
        return found

    does = [steps(t) for t in threads]
    start = (0,) * len(does), ((0, 0),) * (2 * p.stages)
    seen, todo, found = {start}, [start], set[str]()
    while todo:
        places, cells = todo.pop()
        nexts = [x[at] if at < len(x) else None for x, at in zip(does, places, strict=True)]
        touch = [x for x in nexts if x is not None and x[0] in ("read", "write")]
        for k, one in enumerate(touch):
            for other in touch[:k]:
                kinds = {one[0], other[0]}
                if one[1] == other[1] and "write" in kinds:
                    found.add(RACES[len(kinds) > 1])
        stuck = True
        for t, x in enumerate(nexts):
            if x is None:
                continue
            kind, cell, parity, warp = x
            over, arrived = cells[cell] if kind in ("arrive", "wait") else (0, 0)
            after, moved = cells, [t]
            if kind == "wait" and over % 2 == parity:
                continue
            if kind == "arrive":
                arrived += 1
                now = (over + 1, 0) if arrived == p.counts[cell // p.stages] else (over, arrived)
                after = (*cells[:cell], now, *cells[cell + 1 :])
            if kind == "sync":  # all of the warp that come by it: they have the same barriers
                moved = [u for u, y in enumerate(threads) if y // WARP == warp and _syncs(does[u])]
                if any(nexts[u] is None or nexts[u][0] != "sync" for u in moved):
                    continue
            stuck = False
            where = tuple(at + (u in moved) for u, at in enumerate(places))
            if (where, after) not in seen:
                seen.add((where, after))
                todo.append((where, after))
        if stuck and any(x is not None for x in nexts):
            found.add("barrier_uniform")
    return found


def _syncs(steps: list[tuple[str, int, int, int]]) -> bool:
    return any(x[0] == "sync" for x in steps)


# --- programs -------------------------------------------------------------------------------------


def apart(users: int, stages: int, before: str) -> Program:
    """One thread fetches, some rounds in a loop before the others; those who use go on likewise."""
    fetch = Step("wait", EMPTY, flip=1), Step("write"), Step("arrive", FULL)
    use = Step("wait", FULL), Step("read"), Step("arrive", EMPTY)
    those = f"t >= {WARP}"
    return Program(
        users, stages, stages, before, (1, users),
        (
            Loop("0", "p", fetch, "t == 0"), Loop("p", "n", fetch, "t == 0"),
            Loop("0", "0", use, those), Loop("1", "n", use, those),
        ),
    )  # fmt: skip


def together(users: int, stages: int, before: str) -> Program:
    """All use, and the first fetches beside, a round later than what is used goes back."""
    more = "t == 0 && k + p - 1 < n"
    ahead = "p - 1"
    main = (
        Step("wait", FULL), Step("read"), Step("arrive", EMPTY, "-1"),
        *(replace(s, ahead=ahead, when=more)
          for s in (Step("wait", EMPTY, flip=1), Step("write"), Step("arrive", FULL))),
    )  # fmt: skip
    those = f"t < {users}"
    return Program(
        users, stages, stages, before, (1, users),
        (
            Loop("0", "p", (Step("write"), Step("arrive", FULL)), "t == 0"),
            Loop("0", "0", (Step("wait", FULL), Step("read")), those),
            Loop("1", "n", main, those),
        ),
    )  # fmt: skip


Kind = Callable[[int, int, str], Program]
#: Where all fetch beside what they use, the second round has to be there before.
RIGHT = [
    *((apart, users, stages, before) for users in (1, 2) for stages in (2, 3)
      for before in (f"min({stages}, n)", "1")),
    *((together, users, stages, f"min({stages}, n)") for users, stages in ((1, 2), (2, 2), (1, 3))),
]  # fmt: skip


def statuses(p: Program, **options: float) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for f in check_kernel(
        written(p), launch=f"grid=1 block={WARP + p.users}",
        properties=(*RACES, "barrier_uniform"), given=["1 <= n", "n <= 2**20"],
        extents={"a": "64", "o": "64"}, **options,
    ):  # fmt: skip
        if "o" not in f.subject.split():
            found.setdefault(f.property, set()).add(f.status)
    return found


@pytest.mark.parametrize(("kind", "users", "stages", "before"), some(RIGHT, 3))
def test_rings_run_on(kind: Kind, users: int, stages: int, before: str) -> None:
    p = kind(users, stages, before)
    assert not untrue(p), written(p)
    assert statuses(p) == {x: {"proved"} for x in (*RACES, "barrier_uniform")}, written(p)


def changed(rng: random.Random, p: Program) -> Program:
    """A program that is changed in one thing."""
    which = rng.randrange(len(p.loops))
    loop, loops = p.loops[which], [*p.loops]
    at = rng.randrange(len(loop.steps))
    step, steps = loop.steps[at], [*loop.steps]
    hows = ["out", "flip", "ahead", "one cell", "rows", "stages", "count", "first", "end", "before",
            "exchanged", "when"]  # fmt: skip
    match rng.choice(hows):
        case "out" if len(steps) > 1:
            del steps[at]
        case "flip":
            steps[at] = replace(step, flip=1 - step.flip)
        case "ahead":
            steps[at] = replace(step, ahead=f"{step.ahead} + 1")
        case "one cell" if step.ahead == "0":
            steps[at] = replace(step, ahead="-k")
        case "rows":
            return replace(p, rows=max(1, p.rows - 1))
        case "stages":
            return replace(p, stages=max(1, p.stages - 1))
        case "count":
            counts = [*p.counts]
            counts[rng.randrange(2)] += rng.choice([-1, 1])
            return replace(p, counts=(max(1, counts[0]), max(1, counts[1])))
        case "first" if loop.first != loop.end:
            loop = replace(loop, first=f"{loop.first} + 1")
        case "end" if loop.first != loop.end:
            loop = replace(loop, end=f"{loop.end} + {rng.choice([-1, 1])}")
        case "before":
            return replace(p, before=f"{p.before} + 1")
        case "exchanged":
            steps[at], steps[at - 1] = steps[at - 1], steps[at]
        case "when":
            steps[at] = replace(step, when=rng.choice(["true", "t == 0", "k + 1 < n"]))
    loops[which] = replace(loop, steps=tuple(steps))
    return replace(p, loops=tuple(loops))


def _with(p: Program, loop: int, step: int, **changes: object) -> Program:
    """A program with one step that is changed, or left out where nothing is."""
    loops = [*p.loops]
    steps = [*loops[loop].steps]
    steps[step : step + 1] = [replace(steps[step], **changes)] if changes else []
    loops[loop] = replace(loops[loop], steps=tuple(steps))
    return replace(p, loops=tuple(loops))


_APART, _TOGETHER = apart(1, 2, "min(2, n)"), together(1, 2, "min(2, n)")
_LONGER = (*_APART.loops[:1], replace(_APART.loops[1], end="n + 1"), *_APART.loops[2:])
NEIGHBOURS = {
    "one row less": (replace(_APART, rows=1), RACES[1]),
    "no wait for what is empty": (_with(_APART, 1, 0), RACES[1]),
    "no wait for what is full": (_with(_APART, 3, 0), RACES[1]),
    "the other phase in the second loop": (_with(_APART, 3, 0, flip=1), RACES[1]),
    "the first is not handed back": (_with(_APART, 2, 2), "barrier_uniform"),
    "one more at the end": (replace(_APART, loops=_LONGER), ""),
    "one more before": (replace(_TOGETHER, before="min(2, n) + 1"), "barrier_uniform"),
    "handed back a round too early": (_with(_TOGETHER, 2, 2, ahead="0"), ""),
    "one round fetched before": (replace(_TOGETHER, before="1"), "barrier_uniform"),
}


@pytest.mark.parametrize("name", some([*NEIGHBOURS], 3))
def test_false_neighbours_are_not_proved(name: str) -> None:
    p, untrue_then = NEIGHBOURS[name]
    bad = untrue(p)
    assert not untrue_then or untrue_then in bad, (bad, written(p))
    for asked, told in statuses(p, timeout=2).items():
        assert asked not in bad or told != {"proved"}, (asked, written(p))
        assert asked in bad or "refuted" not in told, (asked, written(p))


@pytest.mark.parametrize("begins", ["0", "1"])
def test_who_goes_on_has_waited_in_each_round_before(begins: str) -> None:
    """What differs shows in the last round alone: executions of so many do not come there."""
    fetch = Step("wait", EMPTY, flip=1), Step("write"), Step("arrive", FULL)
    use = Step("wait", FULL), Step("read", when="k == n - 1"), Step("arrive", EMPTY)
    those = f"t >= {WARP}"
    first = use[2:] if begins == "1" else (use[0], use[2])
    p = Program(
        1, 2, 2, "0", (1, 1),
        (
            Loop(begins, "n", fetch, "t == 0"), Loop("0", "0", first, those),
            Loop("1", "1", (use[0], use[2]), those), Loop("2", "n", use, those),
        ),
    )  # fmt: skip
    assert (RACES[1] in untrue(p)) is (begins == "1")
    told = {
        f.status
        for f in check_kernel(
            written(p), launch="grid=1 block=33", properties=RACES[1:],
            extents={"a": "64", "o": "64"}, given=["2**19 <= n", "n <= 2**20"],
        )
        if "o" not in f.subject.split()
    }  # fmt: skip
    assert (told == {"proved"}) is (begins == "0"), written(p)


@pytest.mark.full
@pytest.mark.parametrize("executed", [True, False])
def test_what_is_untrue_of_rings_that_run_on_is_not_proved(
    executed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor where no execution refutes it before it is asked for a proof."""
    if not executed:
        for name in ("_execute", "_replay"):
            monkeypatch.setattr(Work, name, lambda *_, **__: None)
    rng = random.Random(31)
    held = proved = wrong = 0
    for _ in range(40):
        kind, *given = rng.choice(RIGHT)
        p = kind(*given)
        for _ in range(rng.choice([1, 1, 2])):
            p = changed(rng, p)
        bad, found = untrue(p), statuses(p, timeout=3)
        for name, told in found.items():
            assert name not in bad or told != {"proved"}, (name, p, written(p))
            assert name in bad or "refuted" not in told, (name, p, written(p))
            held, proved = held + (name not in bad), proved + (told == {"proved"})
            wrong += name in bad
    assert proved * 4 > held > 0 < wrong, (proved, held, wrong)
