"""Random claims with random hints: whatever the checker accepts is true by brute force."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from symcute.recheck import check
from tests.full import many

from .brute import counterexample
from .certificates import W, make, part

LEAF = st.sampled_from(["1", "2", "3", "M", "N", "2*M", "M*N", "N+1", "M-1", "0", "-1", "-M", "4"])
EXTENT = st.sampled_from(["1", "2", "3", "M", "N", "2*M", "M*N", "N+1"])
GIVEN = st.lists(
    st.sampled_from(["M <= N", "N == 2*M", "M % 2 == 0", "0 <= M", "N == 1", "2 <= M", "M <= 4"]),
    max_size=2, unique=True,
)  # fmt: skip
WAYS = st.sampled_from(
    ["M from 1; N from 1", "M from 0; N from 1", "M from 1; N from M", "M from 1; N is 2*M",
     "M times 2; N from 1", "N is 1; M from 1", "M from 2; N from M", "M times 2; N from M"]
)  # fmt: skip
SIGN = st.sampled_from([1, 1, 1, -1])
KINDS = ["chain", "bounds", "cover", "mod", "mod", "together", "beyond"]
KINDS += ["offset mod", "merge", "given bound", "formula", "swizzle"]


@st.composite
def layouts(draw: Any, low: int = 1, high: int = 3) -> tuple[str, int]:
    """Draw a layout: often a compact one, with a stride exchanged, modes permuted, or as it is."""
    n = draw(st.integers(low, high))
    shape = [draw(EXTENT) for _ in range(n)]
    stride = [draw(LEAF) for _ in range(n)]
    if draw(st.integers(0, 4)):
        compact = ["*".join(f"({s})" for s in ["1", *shape[:k]]) for k in range(n)]
        keep = [draw(st.booleans()) or draw(st.booleans()) for _ in range(n)]
        stride = [c if yes else d for c, d, yes in zip(compact, stride, keep, strict=True)]
    mixed = draw(st.permutations(list(zip(shape, stride, strict=True))))
    shape, stride = ([pair[k] for pair in mixed] for k in (0, 1))
    return f"({','.join(shape)},):({','.join(stride)},)", n


def bound(draw: Any, layout: str) -> str:
    """Draw a number, often the size of a layout."""
    size = "*".join(f"({s})" for s in layout.split(":")[0].strip("()").split(",") if s)
    return str(draw(st.sampled_from([size, size, f"{size} + 1", draw(LEAF)])))


def order(n: int) -> Any:
    return st.permutations(list(range(n)))


@st.composite
def parts(draw: Any) -> tuple[str, Any]:
    """Draw a claim of one part, and a part whose proofs are drawn later."""
    layout, n = draw(layouts())
    kind = draw(st.sampled_from(KINDS))
    signs = [draw(SIGN) for _ in range(n)]
    chain = {"lemma": "chain", "order": draw(order(n)), "signs": signs}
    if kind == "chain":
        return f"injective({layout})", chain
    if kind == "bounds":
        return f"in_bounds({layout}, {bound(draw, layout)})", {"lemma": kind, "signs": signs}
    if kind == "swizzle":
        bits, base = draw(st.integers(0, 2)), draw(st.integers(0, 1))
        shift = draw(SIGN) * (bits + draw(st.integers(0, 1)))
        q = draw(st.sampled_from(["", "2*", "4*", "8*"])) + f"({bound(draw, layout)})"
        limit = draw(st.sampled_from([q, q, f"{q} + 3", bound(draw, layout)]))
        offset = draw(st.sampled_from(["0", "0", "4", "M", "N-1", "-1"]))
        claim = f"in_bounds(Sw<{bits},{base},{shift}> o {offset} o {layout}, {limit})"
        rest = {"lemma": "bounds", "signs": signs}
        return claim, {"lemma": kind, "bound": q, "rest": rest}
    if kind == "cover":
        picked = draw(order(n))[: draw(st.integers(0, n))]
        return f"covers({layout}, {bound(draw, layout)})", {"lemma": kind, "order": picked}
    if kind == "mod":
        strides = [draw(LEAF) for _ in range(n)]
        inner = draw(order(n))[: draw(st.integers(0, n))]
        k = len(inner)
        outer = {"lemma": "chain", "order": draw(order(n - k)), "signs": signs[k:]}
        rest = {"lemma": "chain", "order": draw(order(k)), "signs": signs[:k]}
        hints = {"modulus": draw(st.one_of(st.just("1"), LEAF)), "inner": inner,
                 "times": draw(st.one_of(st.just("1"), LEAF)), "strides": strides,
                 "signs": signs[k:]}  # fmt: skip
        return f"injective({layout})", {"lemma": kind, **hints, "outer": outer, "rest": rest}
    if kind in ("merge", "given bound"):
        shape = layout.split(":")[0]
        guard = f"{shape}:({','.join(draw(LEAF) for _ in range(n))},)"
        where = f"where({guard}, {draw(LEAF)})"
        if kind == "given bound":
            return f"in_bounds({layout}, {draw(LEAF)}, {where})", {"lemma": kind, "guard": 0}
        joined = draw(order(n))[: draw(st.integers(1, n))]
        left = n - len(joined) + 1
        rest = {"lemma": "chain", "order": draw(order(left)), "signs": signs[:left]}
        return f"injective({layout}, {where})", {"lemma": kind, "guard": 0, "modes": joined,
                                                 "rest": rest}  # fmt: skip
    if kind == "formula":
        op = draw(st.sampled_from(["<=", "<", "==", "!="]))
        return f"{draw(LEAF)} {op} {draw(LEAF)}", {"lemma": kind}
    other, m = draw(layouts(1, 2))
    signs += [draw(SIGN) for _ in range(m)]
    if kind == "together":
        out = draw(order(n + m))[: draw(st.integers(0, n + m - 1))]
        k = n + m - len(out)
        rest = {"lemma": "chain", "order": draw(order(k)), "signs": signs[:k]}
        return f"disjoint({layout}, {other})", {"lemma": kind, "modes": out, "rest": rest}
    claim = f"apart({layout}, {other}, {bound(draw, layout)})"
    if kind == "beyond":
        return claim, {"lemma": kind, "below": draw(st.integers(0, 1)), "signs": signs}
    residues = [draw(LEAF) for _ in range(n + m)]
    return claim, {"lemma": kind, "modulus": draw(LEAF), "rho": draw(LEAF), "residues": residues}


def proofs(wanted: str) -> int | None:
    """Return how many proofs the checker asks for, from its reason."""
    words = wanted.split("obligations")[0].split()
    return int(words[-1]) if "obligations, " in wanted and words[-1].isdigit() else None


def settled(claim: str, item: Any, assumed: list[str], ways: str) -> Any:
    """Return the certificate with as many proofs as asked for, each the first of a few that holds.

    The hints stay as drawn, so that what is accepted is what hints of any kind lead to.
    """
    dims = set(re.findall("[A-Z]", " ".join([claim, *assumed])))
    ways = "; ".join(d for d in ways.split("; ") if d[0] in dims)
    sense: list[Any] = []
    slots: dict[str, list[Any]] = {"defined": sense}

    def fill(part_: Any, path: str) -> None:
        part_["by"] = slots.setdefault(path, [])
        for key in ("outer", "rest"):
            if key in part_:
                fill(part_[key], f"{path}: {key}")

    fill(item, "part 0")
    for _ in range(80):
        document = make(claim, item, given=tuple(assumed), ways=(ways,), sense=sense)
        result = check(json.dumps(document))
        if result.accepted:
            return document
        head = result.reason.split(" (")[0]
        path = "defined" if result.reason.startswith("defined") else head
        for key in ("outer", "rest"):
            if f"): {key}" in result.reason:
                path = f"{head}: {key}"
        count = proofs(result.reason)
        if count is not None and path in slots:
            slots[path][:] = ["-"] * count
            continue
        if "obligation " not in result.reason or path not in slots:
            return None
        number = int(result.reason.split("obligation ")[1].split(",")[0])
        tried = ["-", W, ["given", 0], ["sum", 0, [["1", [["g", 0]]]]]]
        at = tried.index(slots[path][number])
        if at + 1 == len(tried):
            return None
        slots[path][number] = tried[at + 1]
    return None


#: What became of what was drawn.
TALLY: Counter[str] = Counter()


def accepted_is_true(drawn: Any, assumed: list[str], ways: str) -> None:
    claim, item = drawn
    document = settled(claim, item, assumed, ways)
    event("accepted" if document else "rejected")
    TALLY["accepted" if document else "rejected"] += 1
    if document:
        found = counterexample(document["claim"], tuple(document["given"]))
        assert found is None, (document, found)


@settings(max_examples=many(200, 5000), deadline=None, suppress_health_check=list(HealthCheck))
@given(parts(), GIVEN, WAYS)
def test_what_is_accepted_is_true(drawn: Any, assumed: list[str], ways: str) -> None:
    accepted_is_true(drawn, assumed, ways)


def test_some_are_accepted() -> None:
    assert TALLY["accepted"] >= many(1, 50)
    item = {"lemma": "chain", "order": [0, 1], "signs": [1, 1]}
    assert settled("injective((M,N,):(1,M,))", item, [], "M from 1; N from 1") is not None
    bounds = part("bounds", [], signs=[1])
    assert settled("in_bounds((M,):(1,), M)", bounds, [], "M from 1; N from 1") is not None
