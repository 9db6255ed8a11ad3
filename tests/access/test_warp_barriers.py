"""Barriers of warps: what they order for the threads of one, and for no others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random

import pytest

from symcute.frontends.cuda import read_kernels
from symcute.kernel.checking import check
from symcute.kernel.findings import verdict_of
from symcute.kernel.ir.inside import with_blocks
from symcute.kernel.ir.program import Barrier, Stmt
from symcute.kernel.ir.verify import verified
from symcute.kernel.launch.notes import read_setting
from tests.full import full

RACES = ("write_race_free", "read_write_race_free")
HEAD = """
// symcute: launch grid=(1) block=(THREADS)
// symcute: extent x = 256
__global__ void k(float *x, int n) {
  __shared__ float s[256];
  int t = threadIdx.x, w = t / 32, l = t % 32;
  float v = 0;
"""


def said(body: str, threads: int = 96) -> Mapping[str, str]:
    """What is said of races of a kernel."""
    text = HEAD.replace("THREADS", str(threads)) + body + "\n}"
    kernel = verified(read_kernels(text).kernels["k"])
    return verdict_of(check(kernel, read_setting(kernel), RACES))


# --- what people write ---------------------------------------------------------------------------

ORDERED = {
    "neighbours": "s[t] = x[t]; __syncwarp(); v = s[t ^ 1]; x[t] = v;",
    "reversed": "s[t] = x[t]; __syncwarp(); v = s[w * 32 + 31 - l]; x[t] = v;",
    "by one lane": "if (l == 0) s[w] = 1; __syncwarp(); v = s[w]; x[t] = v;",
    "rounds": """for (int i = 0; i < 4; ++i) {
        s[t] = x[t] + i; __syncwarp(); v += s[w * 32 + (l + i) % 32]; __syncwarp(); } x[t] = v;""",
    "tree": """s[t] = x[t]; __syncwarp();
        for (int o = 16; o > 0; o >>= 1) { if (l < o) s[t] += s[t + o]; __syncwarp(); }
        if (l == 0) s[96 + w] = s[t];""",
    "many rounds": """for (int i = 0; i < n; ++i) {
        s[t] = x[t] + i; __syncwarp(); v += s[t ^ 5]; __syncwarp(); } x[t] = v;""",
    "then the block": """s[t] = x[t]; __syncwarp(); v = s[t ^ 3]; __syncthreads();
        s[95 - t] = v; __syncthreads(); x[t] = s[t];""",
    "one warp": """if (w == 1) { s[l] = x[l]; __syncwarp(); v = s[31 - l]; __syncwarp();
        s[l] = v; }""",
}
#: The same with one barrier less, or with threads of other warps.
UNORDERED = {
    "neighbours": "s[t] = x[t]; v = s[t ^ 1]; x[t] = v;",
    "beyond the warp": "s[t] = x[t]; __syncwarp(); v = s[t ^ 33]; x[t] = v;",
    "reversed": "s[t] = x[t]; __syncwarp(); v = s[95 - t]; x[t] = v;",
    "by one lane": "if (l == 0) s[w] = 1; __syncwarp(); v = s[0]; x[t] = v;",
    "rounds": """for (int i = 0; i < 4; ++i) {
        s[t] = x[t] + i; __syncwarp(); v += s[w * 32 + (l + i) % 32]; } x[t] = v;""",
    "tree": """s[t] = x[t]; __syncwarp();
        for (int o = 16; o > 0; o >>= 1) { if (l < o) s[t] += s[t + o]; }
        if (l == 0) s[96 + w] = s[t];""",
    "many rounds": """for (int i = 0; i < n; ++i) {
        s[t] = x[t] + i; v += s[t ^ 5]; __syncwarp(); } x[t] = v;""",
    "then the block": """s[t] = x[t]; __syncwarp(); v = s[t ^ 3]; __syncwarp();
        s[95 - t] = v; __syncthreads(); x[t] = s[t];""",
    "two warps": """if (w > 0) { s[l] = x[l]; __syncwarp(); v = s[31 - l]; __syncwarp(); }
        x[t] = v;""",
    "half of them": "s[t] = x[t]; if (l < 16) __syncwarp(); v = s[t ^ 1]; x[t] = v;",
    "lanes": "s[t] = x[t]; __syncwarp(0xffff); v = s[t ^ 1]; x[t] = v;",
}


@pytest.mark.parametrize("name", ORDERED)
def test_what_barriers_of_a_warp_order_is_proved(name: str) -> None:
    assert set(said(ORDERED[name]).values()) <= {"proved", "not applicable"}


@pytest.mark.parametrize("name", UNORDERED)
def test_what_they_do_not_order_is_not_proved(name: str) -> None:
    assert {"refuted", "unknown"} & set(said(UNORDERED[name]).values())


@pytest.mark.parametrize("name", ["neighbours", "rounds", "one warp"])
def test_where_a_lane_is_elected_nothing_is_ordered(name: str) -> None:
    text = HEAD.replace("THREADS", "96") + ORDERED[name] + "\n}"
    kernel = read_kernels(text).kernels["k"]
    kernel = verified(replace(kernel, body=elected(kernel.body)))
    found = verdict_of(check(kernel, read_setting(kernel), RACES))
    assert found["read_write_race_free"] == "unknown"


def elected(body: Iterable[Stmt]) -> tuple[Stmt, ...]:
    """Statements with elections of a lane, for which a warp waits, for barriers of warps."""
    return tuple(
        replace(s, scope="elected")
        if isinstance(s, Barrier) and s.scope == "warp"
        else with_blocks(s, elected)
        for s in body
    )


def test_what_rests_on_no_barrier_of_a_warp_is_proved_whoever_comes_to_it() -> None:
    body = "s[t] = x[t]; if (l < 16) __syncwarp(); v = s[t]; x[t] = v;"
    assert set(said(body).values()) <= {"proved", "not applicable"}


@pytest.mark.parametrize(
    ("body", "right"),
    [
        ("v = r[t]; __syncwarp(); s[t] = 1;", True),
        ("v = r[t]; __syncwarp(); v += r[t]; s[t] = 1;", False),
        ("r[t] = 1; __syncwarp(); s[t] = 1;", True),
        ("r[t] = 1; __syncwarp(); r[t] = 1; s[t] = 1;", False),
    ],
)
def test_of_two_views_of_memory_what_is_on_either_side_of_a_barrier_is_asked_of(
    body: str, right: bool
) -> None:
    text = HEAD.replace("THREADS", "32") + "__shared__ float r[256];\n" + body + "\n}"
    kernel = read_kernels(text).kernels["k"]
    of = {"r": "s"}
    arrays = tuple(
        replace(a, line=128, view_of=of.get(a.name, "")) if a.name in "sr" else a
        for a in kernel.arrays
    )
    kernel = verified(replace(kernel, arrays=arrays))
    verdicts = set(verdict_of(check(kernel, read_setting(kernel), RACES)).values())
    assert (verdicts <= {"proved", "not applicable"}) is right


# --- drawn programs, all of whose threads are simulated -------------------------------------------


@dataclass(frozen=True)
class Drawn:
    """Statements of a kernel: text, and for each kind what a thread does there."""

    kind: str
    text: str = ""
    body: tuple[Drawn, ...] = ()
    count: int = 0


INDICES = (
    "t", "t ^ {c}", "(t + {c}) % 96", "95 - t", "w * 32 + (l + {c}) % 32", "w * 32 + 31 - l",
    "w * 32 + (l + {k}) % 32", "t + 96", "w + 128", "l + 160", "l",
)  # fmt: skip


def drawn(rng: Random, depth: int, loops: tuple[str, ...], uniform: bool) -> Iterator[Drawn]:
    """Yield statements; a barrier of the block stands where all of its threads come."""
    for _ in range(rng.randint(1, 4)):
        kind = rng.choice(("write", "read", "warp", "warp", "block", "loop", "if"))
        index = rng.choice(INDICES).format(
            c=rng.choice((1, 2, 16, 31, 32)), k=rng.choice((*loops, "1"))
        )
        if kind == "write" or (kind == "block" and not uniform):
            yield Drawn("write", index)
        elif kind == "loop" and depth:
            name = f"i{len(loops)}"
            inner = tuple(drawn(rng, depth - 1, (*loops, name), uniform))
            yield Drawn("loop", name, inner, rng.randint(2, 3))
        elif kind == "if" and depth:
            yield Drawn("if", rng.choice(("w == 1", "w < 2")), (*drawn(rng, 0, loops, False),))
        elif kind in ("warp", "block"):
            yield Drawn(kind)
        else:
            yield Drawn("read", index)


def written(statements: tuple[Drawn, ...]) -> Iterator[str]:
    """Yield the text of statements."""
    for s in statements:
        match s.kind:
            case "write":
                yield f"s[{s.text}] = 1;"
            case "read":
                yield f"v += s[{s.text}];"
            case "warp":
                yield "__syncwarp();"
            case "block":
                yield "__syncthreads();"
            case "if":
                yield f"if ({s.text}) {{ {' '.join(written(s.body))} }}"
            case _:
                head = f"for (int {s.text} = 0; {s.text} < {s.count}; ++{s.text})"
                yield f"{head} {{ {' '.join(written(s.body))} }}"


def trace(statements: tuple[Drawn, ...], names: dict[str, int], met: list[int]) -> Iterator[
    tuple[str, int, int, int]
]:  # fmt: skip
    """Yield what a thread accesses, with how many barriers it met: of the block, and of any."""
    for s in statements:
        match s.kind:
            case "write" | "read":
                yield s.kind, value(s.text, names), met[0], met[1]
            case "warp" | "block":
                met[0] += s.kind == "block"
                met[1] += 1
            case "if":
                holds = names["w"] == 1 if s.text == "w == 1" else names["w"] < 2
                if holds:
                    yield from trace(s.body, names, met)
            case _:
                for i in range(s.count):
                    yield from trace(s.body, {**names, s.text: i}, met)


def value(text: str, names: Mapping[str, int]) -> int:
    """What an index is: those of `INDICES`, read as they are written."""
    t, w, lane = names["t"], names["w"], names["l"]
    last = text.split()[-1].rstrip(")")
    number = names.get(last, int(last) if last.isdigit() else 0)
    if text.startswith("t ^"):
        return t ^ number
    if text.startswith("(t +"):
        return (t + int(text[5:].split(")")[0])) % 96
    if text.startswith("w * 32 + (l + "):
        moved = text[14:].split(")")[0]
        return w * 32 + (lane + (names[moved] if moved in names else int(moved))) % 32
    return {
        "t": t, "95 - t": 95 - t, "w * 32 + 31 - l": w * 32 + 31 - lane, "t + 96": t + 96,
        "w + 128": w + 128, "l + 160": lane + 160, "l": lane,
    }[text]  # fmt: skip


def races(statements: tuple[Drawn, ...]) -> dict[str, bool]:
    """Whether two threads of a block meet, in two writes and in a read and a write."""
    by_place: dict[int, set[tuple[str, int, int, int]]] = {}
    for t in range(96):
        names = {"t": t, "w": t // 32, "l": t % 32}
        for kind, place, blocks, every in trace(statements, names, [0, 0]):
            by_place.setdefault(place, set()).add((kind, t, blocks, every))
    found = dict.fromkeys(RACES, False)
    for accesses in by_place.values():
        for kind, t, blocks, every in accesses:
            if kind != "write":
                continue
            for other, u, theirs, all_theirs in accesses:
                same = t // 32 == u // 32
                ordered = every != all_theirs if same else blocks != theirs
                if t != u and not ordered:
                    found[RACES[other == "read"]] = True
    return found


@pytest.mark.parametrize("seed", range(400 if full() else 24))
def test_drawn_programs_are_judged_as_all_their_threads_are(seed: int) -> None:
    rng = Random(seed)
    statements = tuple(drawn(rng, 2, (), True))
    body = "\n  ".join(written(statements))
    truth = races(statements)
    for name, verdict in said(body).items():
        wrong = ("proved", "not applicable") if truth[name] else ("refuted",)
        assert verdict not in wrong, (name, verdict, body)


def test_of_drawn_programs_most_are_decided() -> None:
    verdicts = []
    for seed in range(24):
        body = "\n  ".join(written(tuple(drawn(Random(seed), 2, (), True))))
        verdicts += said(body).values()
    open_ = verdicts.count("unknown")
    assert open_ <= len(verdicts) // 5, open_
    assert verdicts.count("proved") >= 4 and verdicts.count("refuted") >= 10
