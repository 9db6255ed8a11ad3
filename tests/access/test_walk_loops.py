"""What the walk says of loops, branches and barriers, against what one works out by hand."""

from __future__ import annotations

from itertools import product

import pytest

from symcute.errors import InputError
from symcute.expr.assumptions import Assumptions, dims
from symcute.expr.expression import ceil_div
from symcute.expr.terms import evaluate, show
from symcute.expr.terms import names as terms_of
from symcute.kernel.access_map import AccessMap, Phase
from symcute.kernel.ir.expression import Builtin, Cast, PtrAdd, Select, Var
from symcute.kernel.ir.program import Havoc, Let, Loop, NotUnderstood, Pointer, Scope, Store
from symcute.kernel.symexec import symexecute
from tests.access.programs import (
    BX,
    GLOBAL_X,
    I32,
    TX,
    U32,
    at,
    barrier,
    kernel,
    launch,
    leave,
    let,
    load,
    loop,
    n,
    op,
    place_of,
    store,
    v,
    when,
)
from tests.work import calls

UP = (let("k", op("+", v("k"), n(1))),)
POINTER = Pointer()


def mapped(*body, setting=None, **arrays) -> AccessMap:
    return symexecute(kernel(*body, **arrays), setting or launch(4, 32))


def offsets(found: AccessMap) -> list[str]:
    return [show(a.offset) for a in found.accesses]


def count(start: int, *body, below="n", step=1) -> tuple:
    steps = (let("k", op("+", v("k"), n(step))),)
    return let("k", n(start)), loop("L", op("<", v("k"), v(below)), *body, step=steps)


# --- counting -----------------------------------------------------------------------------------


def test_a_counting_loop_and_what_is_behind_it() -> None:
    found = mapped(*count(2, store("x", v("k"))), store("x", v("k")), x="global")
    inside, behind = found.accesses
    assert offsets(found) == ["(k_L + 2)*4", "(max(n - 2, 0) + 2)*4"]
    assert [show(g) for g in inside.guard] == ["k_L + 2 < n", "0 <= k_L"]
    assert behind.guard == () and inside.exact and behind.exact
    assert found.computations == ()  # k + 1 is at most n, which is an int


def test_a_step_of_several_is_counted_by_a_variable() -> None:
    found = mapped(*count(0, store("x", v("k")), step=4), store("x", v("k")), x="global")
    (name,) = [x.name for x in found.accesses[1].variables]
    for size in range(1, 12):
        numbers = [
            k for k in range(9)
            if all(evaluate(g, {"n": size, name: k}) for g in found.accesses[1].guard)
        ]  # fmt: skip
        assert numbers == [-(-size // 4)]
    assert found.accesses[1].variables[0].exact and found.accesses[1].variables[0].uniform


def test_a_stride_that_is_computed() -> None:
    """`for (i = ...; i < n; i += gridDim.x * blockDim.x)` is exact, and its steps may wrap."""
    size = dims("N")
    step = (let("i", op("+", v("i"), v("s"))),)
    body = (GLOBAL_X, let("s", op("*", v("g"), v("b"))),
            loop("L", op("<", v("i"), v("n")), store("x", v("i")), step=step))  # fmt: skip
    setting = launch(ceil_div(size, 32), 32, arguments={"g": ceil_div(size, 32), "b": 32})
    found = symexecute(kernel(*body, ints=("n", "g", "b"), x="global"), setting)
    (access,) = found.accesses
    assert access.exact
    assert show(access.offset) == "(bx*32 + tx + (N + 31) // 32*32*k_L)*4"
    wraps = {show(found.computations[c].value) for c in access.needs}
    assert "(N + 31) // 32*32" in wraps
    assert "bx*32 + tx + (N + 31) // 32*32*k_L + (N + 31) // 32*32" in wraps


def test_a_counter_that_not_every_round_moves() -> None:
    found = mapped(
        let("c", n(0)),
        *count(0, load("y", v("k"), "a"), when(op("<", v("a"), n(5)), store("x", v("c")),
               let("c", op("+", v("c"), n(1))))),
        x="global", y="global",
    )  # fmt: skip
    written = found.accesses[-1]
    guards = [show(g) for g in written.guard]
    assert not written.exact
    (name,) = [x.name for x in written.variables if x.reason.startswith("c in")]
    assert f"{name} <= k_L" in guards and f"0 <= {name}" in guards


def test_constant_halvings_are_walked_one_by_one() -> None:
    halve = (let("k", op(">>", v("k"), n(1))),)
    body = (let("k", n(8)), loop("L", op(">", v("k"), n(0)), store("x", op("+", TX, v("k"))),
            barrier(), step=halve), store("x", v("k")))  # fmt: skip
    found = mapped(*body, x="global")
    assert offsets(found) == ["(tx + 8)*4", "(tx + 4)*4", "(tx + 2)*4", "(tx + 1)*4", "0"]
    assert [a.phases for a in found.accesses] == [(Phase(k),) for k in (-1, 0, 1, 2, 3)]
    assert all(a.exact for a in found.accesses)


@pytest.mark.parametrize("less, kept", [(0, True), (1, True), (2, False), (3, False)])
def test_what_doubles_stays_above_its_start_where_every_round_keeps_it(
    less: int, kept: bool
) -> None:
    # From 1 on, 2*k - 1 is at least 1 where k is; 2*k - 2 is not.
    twice = let("k", op("-", op("*", v("k"), n(2)), n(less)))
    start, test = let("k", op("+", TX, n(1))), op("<", v("k"), n(1000))
    found = mapped(start, loop("L", test, store("x", v("k")), step=(twice,)), x="global")
    (h,) = {x.name for a in found.accesses for x in a.variables if x.kind == "havoc"}
    assert (f"1 <= {h}" in [show(g) for g in found.accesses[0].guard]) is kept
    # Twice what may be any number below 1000 may leave the type.
    assert (found.computations == ()) is kept


def test_what_is_guessed_of_one_variable_may_rest_on_another_and_falls_with_it() -> None:
    # j takes what k was; k goes below its start, and so does j a round later.
    body = (store("x", v("j")), let("j", v("k")), let("k", op("-", op("*", v("k"), n(2)), n(9))))
    rounds = loop("L", op("<", v("k"), n(90)), *body)
    found = mapped(let("j", n(5)), let("k", n(5)), rounds, x="global")
    values = [5, 5, 1]  # what j is in the first rounds: 5, 5, and then 2*5 - 9
    assert all(f"5 <= {x}" not in map(show, found.accesses[0].guard) for x in "jk")
    for j in values:
        known = {x.name: j for x in found.accesses[0].variables if x.name.startswith("h")}
        said = [g for g in found.accesses[0].guard if terms_of(g) <= known.keys()]
        assert known and all(evaluate(g, known) for g in said)


def test_halvings_of_a_dim_agree_between_threads_and_shrink() -> None:
    halve = (let("k", op(">>", v("k"), n(1))),)
    add = (load("s", op("+", TX, v("k")), "a"), store("s", TX))
    lower = when(op("<", TX, v("k")), *add)
    body = (let("k", v("n")), loop("L", op(">", v("k"), n(0)), lower, barrier(), step=halve))
    found = mapped(*body, s="shared:64")
    read = found.accesses[0]
    (h,) = [x for x in read.variables if x.kind == "havoc"]
    assert h.uniform and h.around == ("L",)
    assert f"{h.name} <= n" in [show(g) for g in read.guard]
    assert show(read.offset) == f"(tx + {h.name})*4"


def test_what_depends_on_the_thread_is_not_shared() -> None:
    body = (let("c", n(1)), *count(0, store("x", v("c")),
            let("c", op("&", op("+", op("*", v("c"), n(2)), TX), n(7)))))  # fmt: skip
    (access,) = mapped(*body, x="global").accesses
    (h,) = [x for x in access.variables if x.kind == "havoc"]
    assert not h.uniform


@pytest.mark.parametrize(("step", "cycle"), [("flip", [0, 1]), ("ring", [0, 1, 2])])
def test_buffers_in_turn(step: str, cycle: list[int]) -> None:
    after = op("-", n(1), v("b")) if step == "flip" else op("%", op("+", v("b"), n(1)), n(3))
    found = mapped(let("b", n(0)), *count(0, store("s", v("b")), let("b", after)), s="shared:64")
    (access,) = found.accesses
    values = [evaluate(access.offset, {"k_L": k}) // 4 for k in range(9)]
    assert values == [cycle[k % len(cycle)] for k in range(9)]
    assert access.exact


def test_pointers_that_are_swapped() -> None:
    p, q = Var("p", POINTER), Var("q", POINTER)
    swap = (Let("t", p, at()), Let("p", q, at()), Let("q", Var("t", POINTER), at()))
    found = mapped(
        Let("p", place_of("s", n(0)), at()), Let("q", place_of("t", n(8)), at()),
        *count(0, Store(p, 4, at()), *swap), s="shared:64", t="shared:64",
    )  # fmt: skip
    said = [(a.array, a.offset, show(a.guard[1])) for a in found.accesses]
    assert said == [("s", 0, "k_L % 2 == 0"), ("t", 32, "k_L % 2 == 1")]


def test_a_pointer_that_moves() -> None:
    p = Var("p", POINTER)
    end = place_of("x", v("n"))
    move = (Let("p", PtrAdd(p, n(2), 4, at()), at()),)
    body = (Let("p", place_of("x", TX), at()), loop("L", op("<", p, end), Store(p, 4, at()),
            step=move))  # fmt: skip
    (access,) = mapped(*body, x="global").accesses
    assert show(access.offset) == "tx*4 + k_L*8" and access.exact
    assert show(access.guard[0]) == "tx*4 + k_L*8 < n*4"


def test_a_pointer_that_moves_to_its_end() -> None:
    """`for (p = x; p != x + n; ++p) *p = 1;` ends there, since it comes by every element."""
    p = Var("p", POINTER)
    move = (Let("p", PtrAdd(p, n(1), 4, at()), at()),)
    test = op("!=", p, place_of("x", v("n")))
    body = (Let("p", place_of("x", n(0)), at()), loop("L", test, Store(p, 4, at()), step=move))
    (access,) = mapped(*body, x="global").accesses
    assert show(access.guard[0]) == "k_L - n < 0" and access.exact
    assert show(access.offset) == "k_L*4"
    skip = (Let("p", PtrAdd(p, n(2), 4, at()), at()),)
    body = (Let("p", place_of("x", n(0)), at()), loop("L", test, Store(p, 4, at()), step=skip))
    (access,) = mapped(*body, x="global").accesses
    assert not access.exact


def test_a_loop_that_tests_last() -> None:
    again = op("<", v("k"), v("n"))
    body = Loop("L", (), again, (store("x", v("k")), *UP), (), at(), test_last=True)
    found = mapped(let("k", n(0)), body, store("x", v("k")), x="global")
    inside, behind = found.accesses
    for size in range(1, 6):
        rounds = [
            k for k in range(9) if all(evaluate(g, {"n": size, "k_L": k}) for g in inside.guard)
        ]
        assert rounds == list(range(size))
        assert evaluate(behind.offset, {"n": size}) == 4 * size


def test_a_loop_that_tests_last_against_a_number() -> None:
    body = Loop("L", (), op("<", v("k"), n(3)), (store("x", v("k")), *UP), (), at(), test_last=True)
    (access,) = mapped(let("k", n(0)), body, x="global").accesses
    rounds = [k for k in range(9) if all(evaluate(g, {"k_L": k}) for g in access.guard)]
    assert rounds == [0, 1, 2] and access.exact


def test_leaving_a_loop() -> None:
    body = count(
        0, load("y", v("k"), "a"), when(op("==", v("a"), n(7)), leave("L")), store("x", v("k"))
    )
    found = mapped(*body, store("x", v("k")), x="global", y="global")
    write = found.accesses[1]
    assert not any(a.exact for a in found.accesses)
    assert "7" in " ".join(show(g) for g in write.guard)
    early = mapped(when(op(">=", TX, v("n")), leave()), store("x", TX), x="global").accesses[0]
    assert [show(g) for g in early.guard[:1]] == ["tx < n"] and early.exact


def test_continue_and_inlined_functions() -> None:
    inner = Scope("C", (when(op("==", v("k"), n(1)), leave("C")), store("x", v("k"))))
    (access,) = mapped(*count(0, inner), x="global").accesses
    assert show(access.guard[1]) == "k_L != 1" and access.exact
    body = Scope("f", (when(op("<", TX, n(3)), let("r", n(1)), leave("f")), let("r", n(2))))
    (access,) = mapped(body, store("x", v("r")), x="global").accesses
    assert [evaluate(access.offset, {"tx": t}) for t in (2, 3)] == [4, 8] and access.exact


def test_invariants_that_comments_give() -> None:
    """`a = min(a + y[k], 40)` keeps `a <= 50`, and is not seen to keep `a <= 30`."""
    sums = op("min", op("+", v("a"), op("&", v("c"), n(3))), n(40))
    body = (load("y", v("k"), "c"), let("a", sums), store("x", v("a")))
    for text, kept in (("a <= 50 and 0 <= a", True), ("a <= 30", False), ("a <= n", False)):
        made = Loop("L", (), op("<", v("k"), v("n")), body, UP, at(), False, (text,))
        found = mapped(let("a", n(0)), let("k", n(0)), made, x="global", y="global")
        assert [text in d.reason for d in found.unsupported] == ([] if kept else [True])
        assert all(d.arrays == () for d in found.unsupported)
    with pytest.raises(InputError, match="speaks of never"):
        made = Loop("L", (), op("<", v("k"), v("n")), body, UP, at(), False, ("never <= 3",))
        mapped(let("a", n(0)), let("k", n(0)), made, x="global", y="global")


# --- barriers -----------------------------------------------------------------------------------


def intervals(found: AccessMap) -> list[list[tuple]]:
    return [
        [(i.start, [show(t) for _, t in i.rounds], [show(w) for w in i.when]) for i in a.phases]
        for a in found.accesses
    ]


def test_a_tile_loop() -> None:
    found = mapped(
        *count(0, store("s", TX), barrier(), load("s", n(0), "a"), barrier()),
        store("x", TX), s="shared:64", x="global",
    )  # fmt: skip
    assert intervals(found) == [
        [(-1, [], ["k_L == 0"]), (1, ["k_L - 1"], ["1 <= k_L"])],
        [(0, ["k_L"], [])],
        [(1, ["n - 1"], [])],  # n is at least 1
    ]
    assert [m.scope for m in found.events] == ["block", "block"]
    assert all(m.exact for m in found.events)


def test_a_barrier_that_some_rounds_miss() -> None:
    body = when(op("==", op("&", v("k"), n(1)), n(0)), barrier())
    found = mapped(*count(0, store("s", TX), body), s="shared:64")
    assert {start for start, _, _ in intervals(found)[0]} == {-1, 0}
    assert all(not rounds and not when for _, rounds, when in intervals(found)[0])


def test_loops_in_loops() -> None:
    inner = (let("j", n(0)), loop("M", op("<", v("j"), n(3)), store("s", v("j")), barrier(),
             step=(let("j", op("+", v("j"), n(1))),)))  # fmt: skip
    found = mapped(*count(0, load("s", TX, "a"), *inner), s="shared:64")
    assert intervals(found)[0] == [(-1, [], ["k_L == 0"]), (0, ["k_L - 1", "2"], ["1 <= k_L"])]
    assert (0, ["k_L", "k_M - 1"], ["1 <= k_M"]) in intervals(found)[1]


def test_barriers_of_a_warp_start_nothing() -> None:
    found = mapped(store("s", TX), barrier("warp"), load("s", n(0), "a"), s="shared:64")
    assert intervals(found) == [[(-1, [], [])]] * 2
    assert [m.scope for m in found.events] == ["warp"]


def test_a_barrier_behind_threads_that_left() -> None:
    out = when(op("==", v("k"), TX), leave("L"))
    found = mapped(*count(0, barrier(), out), s="shared:64")
    assert [d.barrier for d in found.unsupported] == [True]
    same = when(op("==", v("k"), BX), leave("L"))
    assert mapped(*count(0, barrier(), same), s="shared:64").unsupported == ()


# --- values -------------------------------------------------------------------------------------


def test_what_is_read_twice_is_the_same_where_nothing_writes() -> None:
    twice = (load("p", TX, "a"), load("p", TX, "b"), store("x", op("-", v("a"), v("b"))))
    assert mapped(*twice, p="global", x="global").accesses[-1].offset == 0
    other = (load("p", TX, "a"), store("p", n(0)), load("p", TX, "b"),
             store("x", op("-", v("a"), v("b"))))  # fmt: skip
    assert mapped(*other, p="global", x="global").accesses[-1].offset != 0


def test_private_memory_is_followed() -> None:
    body = (
        store("p", n(1), v("n")),
        store("p", n(2), n(5)),
        load("p", n(1), "a"),
        store("x", v("a")),
    )
    found = mapped(*body, p="private:4", x="global")
    assert show(found.accesses[-1].offset) == "n*4"
    lost = (*body[:2], store("p", v("n"), n(0)), *body[2:])
    assert "h_" in show(mapped(*lost, p="private:4", x="global").accesses[-1].offset)


def test_contents() -> None:
    body = (load("c", TX, "a"), store("x", v("a")))
    size = dims("N")
    found = symexecute(
        kernel(*body, c="global", x="global"), launch(1, 32, contents={"c": (0, size - 1)})
    )
    guards = [show(g) for g in found.accesses[-1].guard]
    assert any("<= N - 1" in g for g in guards) and not found.accesses[-1].exact


def test_what_was_not_understood_leaves_the_rest() -> None:
    body = (let("a", n(1)), let("b", n(2)), NotUnderstood("asm", at(), ("a",), ("s",)),
            store("x", v("a")), store("x", v("b")))  # fmt: skip
    found = mapped(*body, x="global", s="shared:4")
    assert [(d.reason, d.arrays) for d in found.unsupported] == [("asm", ("s",))]
    assert "h_" in show(found.accesses[0].offset) and found.accesses[1].offset == 8


def test_a_pointer_that_is_not_followed_is_a_doubt() -> None:
    found = mapped(Havoc("p", POINTER, "from a float", at()), Store(Var("p", POINTER), 4, at()))
    assert [d.arrays for d in found.unsupported] == [None]


def test_division_is_that_of_c() -> None:
    for sign, (a, b) in product("/%", product(range(-7, 8), (-3, -1, 1, 2, 5))):
        expr = op(sign, op("-", v("n"), n(20)), op("-", v("m"), n(20)))
        (access,) = symexecute(
            kernel(store("x", expr), ints=("n", "m"), x="global"), launch()
        ).accesses
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        expected = quotient if sign == "/" else a - b * quotient
        assert evaluate(access.offset, {"n": a + 20, "m": b + 20}) == 4 * expected
        assert access.needs  # m - 20 may be 0


@pytest.mark.parametrize("sign", ["/", "%"])
def test_a_divisor_that_may_be_zero(sign: str) -> None:
    found = mapped(store("x", op(sign, TX, op("-", v("n"), n(1)))), x="global")
    (number,) = found.accesses[0].needs
    assert show(found.computations[number].divisor) == "n - 1"
    safe = mapped(store("x", op(sign, TX, v("n"))), x="global")
    assert safe.computations == ()


def test_masks_do_not_ask_whether_a_sum_wraps() -> None:
    """`x[(n * n) & 31]`: the low bits are right even where the product wraps."""
    found = mapped(store("x", op("&", op("*", v("n"), v("n")), n(31))), x="global")
    (access,) = found.accesses
    assert show(access.offset) == "n*n % 32*4" and access.needs == frozenset()
    assert [c.role for c in found.computations] == ["index"]
    whole = mapped(store("x", op("/", op("*", v("n"), v("n")), n(32))), x="global").accesses[0]
    assert whole.needs == {0}


def test_numbers_may_wrap_and_what_happens_to_be_one_may_not() -> None:
    """`0u - 1` is meant; `gridDim.x * blockDim.x` that wraps to 0 is followed, and written down."""
    less = op("-", n(0, U32), n(1, U32))
    assert mapped(store("x", op("&", less, n(7, U32))), x="global").computations == ()
    grid, block = Builtin("gridDim.x", U32), Builtin("blockDim.x", U32)
    found = mapped(store("x", op("*", grid, block)), x="global", setting=launch(2**22, 1024))
    (wrap,) = found.computations
    assert (wrap.value, wrap.followed, wrap.role) == (2**32, True, "index")
    assert found.accesses[0].offset == 0 and found.accesses[0].needs == frozenset()


def test_a_conversion_back_mends_a_wrap() -> None:
    """`(int)(blockIdx.x * 16u - 1u)` is -1 in the first block, whatever wraps on the way."""
    back = op("-", op("*", Builtin("blockIdx.x", U32), n(16, U32)), n(1, U32))
    found = mapped(store("x", Cast(back, I32, at())), x="global")
    assert found.accesses[0].needs == frozenset()
    assert found.computations == ()
    wide = mapped(store("x", back), x="global")
    assert wide.accesses[0].needs == {0}


def test_the_right_side_is_computed_under_the_left() -> None:
    square = op("*", v("n"), v("n"))
    test = op("&&", op("<", v("n"), n(100)), op("<", square, v("m")))
    found = symexecute(kernel(when(test, store("x", n(0))), ints=("n", "m"), x="global"), launch())
    assert found.computations == ()  # n*n stays below 10000
    test = op("&&", op("<", square, v("m")), op("<", v("n"), n(100)))
    found = symexecute(kernel(when(test, store("x", n(0))), ints=("n", "m"), x="global"), launch())
    assert [c.role for c in found.computations] == ["test"]


def test_a_choice_is_a_minimum() -> None:
    least = Select(op("<", v("n"), n(5)), v("n"), n(5), I32)
    assert offsets(mapped(store("x", least), x="global")) == ["min(n, 5)*4"]


# --- the launch ---------------------------------------------------------------------------------


def test_facts_and_indices() -> None:
    rows, columns = dims("B N")
    setting = launch(ceil_div(columns, 32), rows, given=Assumptions.of("B <= 64"))
    found = symexecute(kernel(GLOBAL_X, store("x", v("i")), x="global"), setting)
    facts = {show(f) for f in found.facts}
    assert {"1 <= n", "n <= 2147483647", "1 <= B", "B <= 64"} <= facts
    assert "B <= 1024" not in facts  # what a block may have at most says no more
    assert "(N + 31) // 32 <= 2147483647" in facts
    assert found.dims == {"B", "N", "n"}
    assert [x.name for x in found.accesses[0].variables] == ["bx", "tx"]
    alone = symexecute(kernel(GLOBAL_X, store("x", v("i")), x="global"), launch())
    assert alone.accesses[0].offset == 0 and alone.accesses[0].variables == ()


def test_names_that_are_taken() -> None:
    with pytest.raises(InputError, match="arg tx = TX"):
        symexecute(kernel(store("x", v("tx")), ints=("tx",), x="global"), launch(1, 32))
    counted = (let("k", n(0)), loop("L", op("<", v("k"), v("k_L")), store("x", v("k")), step=UP))
    found = symexecute(kernel(*counted, ints=("k_L",), x="global"), launch())
    assert show(found.accesses[0].guard[0]) == "k_L_ < k_L"


def test_large_kernels() -> None:
    """500 accesses under 500 conditions, and loops four deep, in a second or two."""
    body = [GLOBAL_X]
    for j in range(500):
        body.append(
            let(f"a{j}", op("+", op("*", v("i"), n(j % 7)), v("i" if j % 10 == 0 else f"a{j - 1}")))
        )
        body.append(when(op("<", v(f"a{j}"), v("n")), store("x", v(f"a{j}"))))
    deep = [store("x", v("k0"))]
    for d in range(4):
        step = (let(f"k{d}", op("+", v(f"k{d}"), n(1))),)
        deep = [let(f"k{d}", n(0)), loop(f"L{d}", op("<", v(f"k{d}"), v("n")), *deep, step=step)]
    walked = []
    calls(lambda: walked.append(mapped(*body, *deep, x="global")), 20_000_000)
    (found,) = walked
    assert len(found.accesses) == 501
    assert [x.loop for x in found.accesses[-1].variables if x.kind == "round"][-1:] == ["L0"]
