"""Programs executed: C's arithmetic, barriers, races, and everything that can go wrong."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from symcute.errors import InputError
from symcute.frontends.cuda.target import CUDA
from symcute.kernel.checking import check
from symcute.kernel.ir.expression import Base, Cast, PtrAdd, Select, Unary, Var
from symcute.kernel.ir.interpreter import Explorer, Fixed, Trace, run
from symcute.kernel.ir.program import (
    Array,
    Atomic,
    Havoc,
    If,
    Int,
    Kernel,
    Let,
    Load,
    Loop,
    NotUnderstood,
    Param,
    Pointer,
    Scope,
    Store,
)
from symcute.kernel.ir.semantics import disordered, unordered
from tests.access.programs import (
    BOOL,
    BX,
    GLOBAL_X,
    I32,
    I64,
    TESTS,
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

# --- arithmetic ---------------------------------------------------------------------------------


def value_of(*body, type=I32) -> tuple[int, Trace]:
    """What the variable `r` is after some statements."""
    result = store("out", n(0), v("r", type), width=max(1, type.bits // 8))
    trace = run(kernel(*body, result, ints=(), out="global"), launch(), {})
    value = trace.accesses[-1].value
    assert value is not None
    return value, trace


@pytest.mark.parametrize(
    ("sign", "left", "right", "type", "expected"),
    [
        ("+", 2**31 - 1, 1, I32, -(2**31)),
        ("-", 0, 1, U32, 2**32 - 1),
        ("*", 46341, 46341, I32, 46341**2 - 2**32),
        ("*", 46341, 46341, I64, 46341**2),
        ("*", 2**31, 2, U32, 0),
        ("<<", 1, 31, I32, -(2**31)),
        ("/", -(2**31), -1, I32, -(2**31)),
    ],
)
def test_wraps_are_recorded_with_the_exact_value(sign, left, right, type, expected) -> None:
    expr = op(sign, n(left, type), n(right, type))
    value, trace = value_of(let("r", expr), type=type)
    assert value == expected
    exact = {"+": left + right, "-": left - right, "*": left * right, "<<": left << abs(right),
             "/": 2**31}[sign]  # fmt: skip
    if type.low <= exact <= type.high:
        assert trace.wraps == []
    else:
        (wrap,) = trace.wraps
        assert (wrap.exact, wrap.got, wrap.type, wrap.place) == (exact, expected, type, expr.place)
        assert wrap.conversion == (sign == "<<")


@pytest.mark.parametrize(
    ("sign", "left", "right", "expected"),
    [
        ("/", -7, 2, -3), ("%", -7, 2, -1), ("/", 7, -2, -3), ("%", 7, -2, 1), (">>", -5, 1, -3),
        ("&", -4, 6, 4), ("|", -4, 1, -3), ("^", -1, 5, -6), ("min", -1, 3, -1), ("max", -1, 3, 3),
        ("<", -1, 0, 1), (">=", 2, 3, 0), ("==", 4, 4, 1), ("!=", 4, 4, 0),
    ],
)  # fmt: skip
def test_operators_are_those_of_c(sign, left, right, expected) -> None:
    type = BOOL if sign in TESTS else I32
    value, trace = value_of(let("r", op(sign, n(left), n(right))), type=type)
    assert value == expected
    assert not trace.wraps and not trace.faults


def test_conversions_wrap_and_say_whether_they_were_written() -> None:
    for explicit in (False, True):
        cast = Cast(v("m"), U32, at(), explicit)
        value, trace = value_of(let("m", n(-1)), let("r", cast), type=U32)
        (wrap,) = trace.wraps
        assert value == 2**32 - 1
        assert (wrap.conversion, wrap.explicit, wrap.exact) == (True, explicit, -1)
    value, trace = value_of(let("r", Cast(n(256), BOOL, at())), type=BOOL)
    assert value == 1 and not trace.wraps


def test_unary_operators() -> None:
    assert value_of(let("r", Unary("~", n(5), I32, at())))[0] == -6
    assert value_of(let("r", Unary("~", n(0, U32), U32, at())), type=U32)[0] == 2**32 - 1
    assert value_of(let("r", Unary("!", n(1, BOOL), BOOL, at())), type=BOOL)[0] == 0
    value, trace = value_of(let("r", Unary("-", n(-(2**31)), I32, at())))
    assert value == -(2**31) and trace.wraps[0].exact == 2**31


def test_the_right_side_is_evaluated_only_where_it_decides() -> None:
    bad = op("==", op("/", n(1), n(0)), n(0))
    for sign, left, faults in (("&&", 0, 0), ("&&", 1, 1), ("||", 1, 0), ("||", 0, 1)):
        _, trace = value_of(let("r", op(sign, op("==", n(left), n(1)), bad)), type=BOOL)
        assert len(trace.faults) == faults
    _, trace = value_of(let("r", Select(n(1, BOOL), n(7), op("/", n(1), n(0)), I32)))
    assert not trace.faults


def test_what_c_leaves_undefined_is_a_fault() -> None:
    for expr, kind in (
        (op("/", n(1), n(0)), "division"), (op("%", n(1), n(0)), "division"),
        (op("<<", n(1), n(32)), "shift"), (op(">>", n(1), n(-1)), "shift"),
    ):  # fmt: skip
        _, trace = value_of(let("r", expr))
        assert [f.kind for f in trace.faults] == [kind]
    lost = NotUnderstood("asm", at(), None, ())
    _, trace = value_of(let("a", n(1)), lost, let("r", v("a")))
    assert [f.kind for f in trace.faults] == ["unset"]


def test_the_role_of_a_wrap_is_where_it_ends() -> None:
    big = op("+", v("n"), n(1))
    for body, role in (
        ((let("a", big), let("b", op("&", v("a"), n(1))), store("x", v("b"))), "index"),
        ((let("a", big), when(op("<", v("a"), n(0)), store("x", n(0)))), "test"),
        ((let("a", big), store("x", n(0), v("a"))), "other"),
    ):
        trace = run(kernel(*body, x="global"), launch(), {"n": 2**31 - 1})
        assert [w.role for w in trace.wraps] == [role]


def test_the_first_wrap_of_an_expression_is_told() -> None:
    program = kernel(let("a", op("+", v("n"), TX)), store("x", v("a")), x="global")
    trace = run(program, launch(block=5), {"n": 2**31 - 3})
    (wrap,) = trace.wraps
    assert (wrap.thread, wrap.exact) == ((3, 0, 0), 2**31)


# --- memory -------------------------------------------------------------------------------------


def saxpy(guarded: bool) -> Kernel:
    body = store("x", v("i"))
    test = op("<", v("i"), v("n"))
    return kernel(GLOBAL_X, when(test, body) if guarded else body, x="global")


def test_bounds() -> None:
    setting = launch(grid=2, block=4, extents={"x": 7})
    assert not run(saxpy(True), setting, {"n": 7}).faults
    (fault,) = run(saxpy(False), setting, {"n": 7}).out_of_bounds
    assert (fault.block, fault.thread, fault.touch.offset) == ((1, 0, 0), (3, 0, 0), 28)
    trace = run(saxpy(True), setting, {"n": 7})
    assert trace.written("x") == dict.fromkeys(range(28), 1)


def test_alignment_is_that_of_the_width_and_of_the_array() -> None:
    wide = kernel(store("x", TX, width=16), ints=(), x="global")
    assert not run(wide, launch(block=4, alignment={"x": 16}), {}).misaligned
    assert run(wide, launch(block=4, alignment={"x": 8}), {}).misaligned
    three = Kernel(
        "k", wide.params, wide.arrays, (Store(place_of("x", TX, 12), 12, at()),), at(), CUDA
    )
    assert not run(three, launch(block=4), {}).misaligned
    shifted = Store(PtrAdd(place_of("x", TX, 16), n(1), 4, at()), 16, at())
    trace = run(Kernel("k", wide.params, wide.arrays, (shifted,), at(), CUDA), launch(block=4), {})
    assert len(trace.misaligned) == 1


def test_contents_come_from_memory_then_from_choices() -> None:
    program = kernel(load("x", TX, "j"), store("y", v("j")), ints=(), x="global", y="global")
    given = run(program, launch(block=3), {}, memory={"x": [5, 7, 9]})
    assert [t.offset for t in given.accesses if t.array == "y"] == [20, 28, 36]
    as_bytes = b"".join(k.to_bytes(4, "little", signed=True) for k in (5, 7, -9))
    packed = run(program, launch(block=3), {}, memory={"x": as_bytes})
    assert [t.offset for t in packed.accesses if t.array == "y"] == [20, 28, -36]
    ranged = launch(block=50, contents={"x": (3, 6)})
    offsets = {t.offset for t in run(program, ranged, {}).accesses if t.array == "y"}
    assert offsets == {12, 16, 20, 24}
    fixed = run(program, ranged, {}, choices=Fixed(contents={("x", 8): 5}))
    assert [t.offset for t in fixed.accesses if t.array == "y"][2] == 20


def test_memory_remembers_integers_and_forgets_floats() -> None:
    asked = []

    def choose(choice) -> int:
        asked.append((choice.kind, choice.name, choice.offset))
        return 40

    body = (
        store("s", n(0), n(-2)), load("s", n(0), "a"),
        store("s", n(1)), load("s", n(1), "b"), load("s", n(1), "c"),
        store("x", op("+", op("+", v("a"), v("b")), v("c"))),
    )  # fmt: skip
    trace = run(kernel(*body, ints=(), s="shared:4", x="global"), launch(), {}, choices=choose)
    assert trace.accesses[-1].offset == 4 * 78
    assert asked == [("lost", "s", 4)]  # once, and the same for both loads


def test_parts_of_integers() -> None:
    byte = Load(PtrAdd(Base("s"), n(2), 1, at()), 1, at(), (("b", 0, Int(8, True)),))
    wide = Cast(v("b", Int(8, True)), I32, at())
    trace = run(
        kernel(store("s", n(0), n(0x12F4_5678)), byte, store("x", n(0), wide), ints=(),
               s="shared:4", x="global"), launch(), {},
    )  # fmt: skip
    assert trace.accesses[-1].value == 0xF4 - 256


def test_pointers_move_are_stored_and_compared() -> None:
    walk = loop("l", op("<", Var("p", Pointer()), place_of("x", n(5))),
                Store(Var("p", Pointer()), 4, at()),
                step=(Let("p", PtrAdd(Var("p", Pointer()), n(2), 4, at()), at()),))  # fmt: skip
    first = Let("p", place_of("x", n(1)), at())
    trace = run(kernel(first, walk, ints=(), x="global"), launch(), {})
    assert [t.offset for t in trace.accesses] == [4, 12]
    keep = Store(place_of("s", n(0), 8), 8, at(), place_of("x", n(3)))
    take = Load(place_of("s", n(0), 8), 8, at(), (("q", 0, Pointer()),))
    use = Store(Var("q", Pointer()), 4, at())
    trace = run(kernel(keep, take, use, ints=(), s="private:4", x="global"), launch(), {})
    assert (trace.accesses[-1].array, trace.accesses[-1].offset) == ("x", 12)
    assert not trace.unsupported
    distance = op("-", place_of("x", n(5)), place_of("x", n(2)))
    other = op("<", Base("x"), Base("y"))
    trace = run(
        kernel(store("x", n(0), distance64(distance), 8), when(other), ints=(),
               x="global", y="global"),
        launch(), {},
    )  # fmt: skip
    assert trace.accesses[0].value == 12
    assert [f.kind for f in trace.faults] == ["pointer"]


def distance64(expr):
    """A distance of pointers at its type, ptrdiff_t."""
    return type(expr)(expr.op, expr.left, expr.right, I64, expr.place)


def test_addresses_wrap_at_64_bits() -> None:
    """`x[(size_t)n - 2]` with n = 1 is x[-1]."""
    u64 = Int(64, False)
    index = op("-", Cast(v("n"), u64, at()), n(2, u64))
    trace = run(kernel(store("x", index), x="global"), launch(extents={"x": 4}), {"n": 1})
    assert trace.wraps == []
    assert [f.touch.offset for f in trace.out_of_bounds] == [-4]


def test_atomics_compute() -> None:
    count = Atomic("atomicAdd", place_of("c", n(0)), 4, at(), ("old", I32), n(2))
    trace = run(
        kernel(count, store("x", v("old")), ints=(), c="global", x="global"),
        launch(block=3), {}, memory={"c": [1]},
    )  # fmt: skip
    assert [t.offset // 4 for t in trace.accesses if t.array == "x"] == [1, 3, 5]
    assert not trace.races
    for name, start, value, expected in (
        ("atomicMin", 5, 3, 3), ("atomicMax", 5, 3, 5), ("atomicExch", 5, 3, 3),
        ("atomicXor", 5, 3, 6), ("atomicInc", 5, 5, 0), ("atomicDec", 0, 7, 7),
        ("atomicSub", 5, 3, 2), ("atomicAnd_block", 5, 3, 1), ("atomicOr", 5, 3, 7),
    ):  # fmt: skip
        body = (Atomic(name, place_of("c", n(0)), 4, at(), None, n(value)), load("c", n(0), "r"),
                store("x", v("r")))  # fmt: skip
        trace = run(kernel(*body, ints=(), c="global", x="global"), launch(), {},
                    memory={"c": [start]})  # fmt: skip
        assert trace.accesses[-1].offset == 4 * expected, name


def test_shared_memory_is_of_a_block_private_of_a_thread() -> None:
    body = (load("s", n(0), "a"), store("s", n(0), TX), store("x", v("a")))
    for space, size, seen in (("shared:1", 2, [9, 0, 9, 0]), ("private:1", 2, [9, 9, 9, 9])):
        trace = run(
            kernel(*body, ints=(), s=space, x="global"), launch(grid=2, block=size), {},
            choices=lambda choice: 9,
        )  # fmt: skip
        assert [t.offset // 4 for t in trace.accesses if t.array == "x"] == seen
    dynamic = kernel(store("s", TX), ints=(), s="shared")
    assert run(dynamic, launch(block=4, shared=12), {}).out_of_bounds
    assert not run(dynamic, launch(block=4, shared=16), {}).out_of_bounds
    bytes_ = Array("s", "shared", 1, None, 1, at(), "char s[]", Int(8, True))
    carved = Kernel("k", (), (bytes_,), (Store(place_of("s", TX, 16), 16, at()),), at(), CUDA)
    assert not run(carved, launch(block=4, shared=64), {}).faults


# --- control ------------------------------------------------------------------------------------


def test_loops_and_leaving_them() -> None:
    up = (let("k", op("+", v("k"), n(1))),)
    inner = Scope("continue", (
        when(op("==", v("k"), n(1)), leave("continue")),
        when(op("==", v("k"), n(3)), leave("l")),
        store("x", v("k")),
    ))  # fmt: skip
    body = (let("k", n(0)), loop("l", op("<", v("k"), n(9)), inner, step=up), store("x", n(9)))
    trace = run(kernel(*body, ints=(), x="global"), launch(), {})
    assert [t.offset // 4 for t in trace.accesses] == [0, 2, 9]
    assert [t.rounds for t in trace.accesses] == [(("l", 0),), (("l", 2),), ()]


def test_a_loop_that_tests_last_goes_once() -> None:
    once = Loop("l", (), op("<", n(1), n(0)), (store("x", n(0)),), (), at(), test_last=True)
    assert len(run(kernel(once, ints=(), x="global"), launch(), {}).accesses) == 1
    never = Loop("l", (), op("<", n(1), n(0)), (store("x", n(0)),), (), at())
    assert run(kernel(never, ints=(), x="global"), launch(), {}).accesses == []


def test_loads_before_the_test_run_each_round() -> None:
    """`while (x[k]) k++;`"""
    walk = Loop("l", (load("x", v("k"), "c"),), op("!=", v("c"), n(0)),
                (let("k", op("+", v("k"), n(1))),), (), at())  # fmt: skip
    trace = run(kernel(let("k", n(0)), walk, ints=(), x="global"), launch(), {},
                memory={"x": [4, 4, 0, 4]})  # fmt: skip
    assert [t.offset // 4 for t in trace.accesses] == [0, 1, 2]


def test_a_loop_without_an_end_is_reported() -> None:
    forever = Loop("l", (), None, (let("k", n(0)),), (), at())
    trace = run(kernel(forever, ints=()), launch(), {}, limit=1000)
    assert not trace.complete
    assert trace.stopped.startswith("more than 1000 steps")


def test_the_grid_stride_that_becomes_zero() -> None:
    """cupy/cupy#882: `int stride = gridDim.x * blockDim.x` with 2**16 blocks of 2**16 threads."""
    stride = let("stride", op("*", v("g"), v("b")))
    body = (let("i", TX), stride, loop("l", op("<", v("i"), v("n")), store("x", v("i")),
            step=(let("i", op("+", v("i"), v("stride"))),)))  # fmt: skip
    program = kernel(*body, ints=("n", "g", "b"), x="global")
    trace = run(program, launch(), {"n": 10, "g": 2**16, "b": 2**16}, limit=5000)
    assert trace.stopped and trace.wraps[0].exact == 2**32 and trace.wraps[0].got == 0


def test_choices_are_explored() -> None:
    body = (Havoc("h", BOOL, "a float is compared", at()), when(v("h", BOOL), store("x", n(9))))
    program = kernel(*body, ints=(), x="global")
    explorer = Explorer(limit=20)
    setting = launch(block=2, extents={"x": 1})
    outcomes = [len(run(program, setting, {}, choices=c).out_of_bounds) for c in explorer]
    assert explorer.complete and outcomes == [0, 1, 1, 1]
    together = (Havoc("h", BOOL, "", at(), uniform=True), *body[1:])
    explorer = Explorer(limit=20)
    traces = [run(kernel(*together, ints=(), x="global"), launch(block=3), {}, choices=c)
              for c in explorer]  # fmt: skip
    assert [len(t.accesses) for t in traces] == [0, 3]
    explorer = Explorer(limit=2)
    assert len([run(program, setting, {}, choices=c) for c in explorer]) == 2
    assert not explorer.complete


def test_what_was_not_understood_is_a_doubt_and_forgets() -> None:
    body = (let("a", n(1)), let("b", n(2)), NotUnderstood("asm", at(), ("a",), ("s",)),
            store("x", v("a")), store("x", v("b")), load("s", n(0), "c"))  # fmt: skip
    trace = run(kernel(*body, ints=(), x="global", s="shared:4"), launch(), {},
                choices=lambda choice: 5)  # fmt: skip
    assert [reason for reason, _ in trace.unsupported] == ["asm"]
    assert [t.offset // 4 for t in trace.accesses] == [5, 2, 0]


def test_arguments_are_asked_for_and_must_fit() -> None:
    program = kernel(store("x", v("n")), x="global")
    with pytest.raises(InputError, match="n has no value"):
        run(program, launch(), {})
    with pytest.raises(InputError, match="does not fit"):
        run(program, launch(), {"n": 2**31})
    assert run(program, launch(arguments={"n": 3}), {}).accesses[0].offset == 12
    with pytest.raises(InputError, match="not in"):
        run(program, launch(), {"n": 1}, threads=[(1, 0, 0)])


def test_chosen_threads_of_a_huge_launch() -> None:
    program = kernel(GLOBAL_X, store("x", op("*", v("i"), v("n"))), x="global")
    setting = launch(grid=2**20, block=1024, extents={"x": 2**40})
    trace = run(program, setting, {"n": 5000}, blocks=[(419, 0, 0)], threads=[(441, 0, 0)])
    (wrap,) = trace.wraps
    assert wrap.exact == (419 * 1024 + 441) * 5000 and wrap.got < 0
    assert trace.out_of_bounds[0].touch.offset == 4 * wrap.got


# --- barriers and races -------------------------------------------------------------------------


def exchange(*between) -> Kernel:
    """Each thread writes its cell and reads that of its neighbour."""
    read = load("s", op("%", op("+", TX, n(1)), n(64)), "a")
    return kernel(store("s", TX), *between, read, ints=(), s="shared:64", x="global")


def test_a_barrier_orders_a_block() -> None:
    assert not run(exchange(barrier()), launch(block=64), {}).races
    (race,) = run(exchange(), launch(block=64), {}).races
    assert {race.first.kind, race.second.kind} == {"write", "read"}
    assert race.first.offset == race.second.offset and race.first.thread != race.second.thread


def test_a_race_is_none_where_no_order_is_known() -> None:
    """The same exchange, which races: at the start, or between, something orders perhaps."""
    perhaps = unordered("a fence", barrier().place)
    first = replace(exchange(), body=(perhaps, *exchange().body))
    assert disordered(first.body) and not disordered(exchange(perhaps).body)
    for unsure in (first, exchange(perhaps)):
        assert not run(unsure, launch(block=64), {}).races
        (found,) = check(unsure, launch(block=64), ["read_write_race_free"])
        assert found.status == "unknown"
    (found,) = check(exchange(), launch(block=64), ["read_write_race_free"])
    assert found.status == "refuted"


def test_an_execution_that_is_to_be_ordered_stops_where_no_order_is_known() -> None:
    unsure = exchange(unordered("a fence", barrier().place))
    whole, part = (run(unsure, launch(block=64), {}, ordered=x) for x in (False, True))
    assert whole.complete and whole.unordered and len(whole.accesses) == 128
    assert part.stopped and part.unordered and len(part.accesses) == 1
    racy = exchange()
    whole, part = (run(racy, launch(block=64), {}, ordered=x) for x in (False, True))
    assert whole == part and whole.races


def test_a_barrier_of_a_warp_orders_a_warp() -> None:
    read = load("s", op("^", TX, n(1)), "a")
    within = kernel(store("s", TX), barrier("warp"), read, ints=(), s="shared:64")
    assert not run(within, launch(block=64), {}).races
    assert run(exchange(barrier("warp")), launch(block=64), {}).races
    assert not run(exchange(barrier("warp")), launch(block=64), {}).divergence


def test_blocks_are_not_ordered_but_by_a_barrier_of_the_grid() -> None:
    body = (store("x", op("+", BX, TX)),)
    (race,) = run(kernel(*body, ints=(), x="global"), launch(grid=2, block=4), {}).races
    assert race.both_write and race.first.block != race.second.block
    apart = (store("x", BX), barrier(), load("x", op("^", BX, n(1)), "a"))
    assert run(kernel(*apart, ints=(), x="global"), launch(grid=2), {}).races
    apart = (store("x", BX), barrier("grid"), load("x", op("^", BX, n(1)), "a"))
    trace = run(kernel(*apart, ints=(), x="global"), launch(grid=2), {})
    assert not trace.races and not trace.divergence and len(trace.accesses) == 4


def test_same_values_are_flagged_and_atomics_do_not_race_with_each_other() -> None:
    flag = run(kernel(store("x", n(0), n(1)), ints=(), x="global"), launch(block=4), {}).races
    assert [r.same_value for r in flag] == [True]
    mixed = kernel(store("x", n(0), op("/", TX, n(3))), ints=(), x="global")
    assert [r.same_value for r in run(mixed, launch(block=4), {}).races] == [False]
    unknown = kernel(store("x", n(0)), ints=(), x="global")
    assert [r.same_value for r in run(unknown, launch(block=4), {}).races] == [False]
    add = Atomic("atomicAdd", place_of("x", n(0)), 4, at(), None, n(1))
    assert not run(kernel(add, ints=(), x="global"), launch(block=4), {}).races
    both = run(kernel(add, load("x", n(0)), ints=(), x="global"), launch(block=4), {}).races
    assert len(both) == 1


def test_overlapping_widths_race() -> None:
    body = (store("x", TX, width=8), Store(place_of("x", TX, 4), 4, at()))
    trace = run(kernel(*body, ints=(), x="global"), launch(block=2), {})
    assert trace.races


@pytest.mark.parametrize("kind", ["exited", "elsewhere", "round"])
def test_divergence(kind: str) -> None:
    half = op("<", TX, n(2))
    bodies = {
        "exited": (when(half, leave()), barrier()),
        "elsewhere": (when(half, barrier(), other=(barrier(),)),),
        "round": (let("k", n(0)), loop("l", op("<", v("k"), n(2)),
                  when(op("||", half, op("==", v("k"), n(1))), barrier()),
                  step=(let("k", op("+", v("k"), n(1))),))),
    }  # fmt: skip
    trace = run(kernel(*bodies[kind], ints=()), launch(block=4), {})
    assert trace.divergence[0].kind == kind
    assert trace.complete


def test_a_uniform_condition_does_not_diverge() -> None:
    half = op("<", BX, n(1))
    body = (when(half, leave()), barrier(), when(op("<", v("n"), n(3)), barrier()))
    assert not run(kernel(*body), launch(grid=3, block=4), {"n": 2}).divergence


def test_barriers_in_loops_and_functions() -> None:
    """A reduction: `for (s = 32; s; s >>= 1) { if (tx < s) f(); __syncthreads(); }`."""
    half = Scope("f", (load("s", op("+", TX, v("s")), "a"), load("s", TX, "b"),
                       store("s", TX), leave("f"), store("s", n(0))))  # fmt: skip
    body = (
        store("s", TX), barrier(), let("s", n(32)),
        loop("l", op(">", v("s"), n(0)), when(op("<", TX, v("s")), half), barrier(),
             step=(let("s", op(">>", v("s"), n(1))),)),
    )  # fmt: skip
    trace = run(kernel(*body, ints=(), s="shared:64"), launch(block=64), {})
    assert not trace.races and not trace.divergence and not trace.faults
    assert {t.epoch for t in trace.accesses} == set(range(0, 7))
    missing = (*body[:3], Loop("l", (), body[3].test, body[3].body[:1], body[3].step, at()))
    assert run(kernel(*missing, ints=(), s="shared:64"), launch(block=64), {}).races


def test_a_barrier_before_the_test_of_a_loop() -> None:
    count = Loop("l", (barrier(), load("s", n(0), "a")), op("<", v("k"), n(3)),
                 (let("k", op("+", v("k"), n(1))),), (), at())  # fmt: skip
    trace = run(kernel(let("k", n(0)), count, ints=(), s="shared:4"), launch(block=2), {})
    assert [t.epoch for t in trace.accesses] == [1, 1, 2, 2, 3, 3, 4, 4]
    assert [t.rounds for t in trace.accesses][:2] == [(("l", 0),)] * 2


def test_executions_are_the_same_each_time_and_a_step_is_short() -> None:
    body = (let("k", n(0)), loop("l", op("<", v("k"), n(300)), load("x", op("+", v("k"), TX), "a"),
            store("s", TX, v("a")), step=(let("k", op("+", v("k"), n(1))),)))  # fmt: skip
    program = kernel(*body, ints=(), x="global", s="shared:64")
    found = []
    made = calls(
        lambda: found.append(run(program, launch(block=64, contents={"x": (0, 9)}), {})), 10**8
    )
    (first,) = found
    assert first.steps > 50_000
    assert made < 60 * first.steps
    second = run(program, launch(block=64, contents={"x": (0, 9)}), {})
    assert first == second
    assert all(a.epoch <= b.epoch for a, b in pairwise(first.accesses))


def test_a_parameter_that_is_no_integer_is_left_alone() -> None:
    param = Param("alpha", None, at(), "float")
    array = Array("x", "global", 4, None, 4, at(), "float *x")
    program = Kernel(
        "k", (param,), (array,), (If(n(1, BOOL), (store("x", n(0)),), (), at()),), at(), CUDA
    )
    assert len(run(program, launch(), {}).accesses) == 1
