"""Access maps against executions: whatever a thread does, the map allows.

Random kernels are executed, with every thread of a small launch, and each access, each wrap and
each pair of accesses between the same barriers is looked for in the map. `python -m
tests.access.test_walk_soundness FIRST LAST` runs more of them.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from random import Random

import pytest

from symcute.expr.node import Node
from symcute.kernel.access_map import AccessMap, Phase
from symcute.kernel.ir.expression import Cast, Select
from symcute.kernel.ir.program import Int
from tests.access.allowed import Comparison
from tests.access.programs import (
    GLOBAL_X,
    TX,
    U32,
    at,
    barrier,
    kernel,
    launch,
    let,
    load,
    loop,
    n,
    op,
    store,
    v,
    when,
)
from tests.access.random_kernels import kernel as random_kernel
from tests.access.random_kernels import setting as random_setting
from tests.full import many


def compare(seed: int, questions: int = 20) -> Comparison:
    rng = Random(seed)
    program = random_kernel(rng, unsupported=seed % 7 == 0, calm=seed % 3 == 0)
    setting, dims = random_setting(rng)
    return Comparison(program, setting, dims, seed, 900, questions)


@pytest.mark.parametrize("first", range(0, many(6, 60), 6))
def test_what_random_kernels_do_is_in_their_maps(first: int) -> None:
    for seed in range(first, first + 6):
        assert compare(seed).fails() == [], f"seed {seed}"


# --- the comparison finds what it should --------------------------------------------------------

UP = (let("k", op("+", v("k"), n(1))),)
ROUNDS = kernel(
    let("k", n(0)), let("c", n(1)),
    loop("L", op("<", v("k"), v("n")),
         load("s", op("+", v("c"), n(1)), "a"), barrier(), store("s", TX),
         let("c", op("&", op("+", op("*", v("c"), n(2)), TX), n(7))), step=UP),
    barrier(), when(op("<", TX, n(2)), store("s", v("k"))), s="shared:64",
)  # fmt: skip


def fails(change) -> list[str]:
    found = Comparison(ROUNDS, launch(1, 4), {"n": 3}, 1)
    accesses = tuple(change(a) for a in found.map.accesses)
    found.map = replace(found.map, accesses=tuple(a for a in accesses if a is not None))
    found.at_place.clear()
    for a in found.map.accesses:
        found.at_place[a.place, a.array, a.kind, a.width].append(a)
    return found.fails()


def test_the_comparison_finds_what_is_wrong() -> None:
    assert fails(lambda a: a) == []
    later = (("L", Node("+", "k_L", 1)),)
    for change in (
        lambda a: None,
        lambda a: replace(a, offset=Node("+", a.offset, 4)),
        lambda a: replace(a, guard=(*a.guard, Node("<", "tx", 1))),
        lambda a: replace(a, phases=a.phases[:1]),
        lambda a: replace(a, phases=tuple(
            Phase(i.start, later if a.kind == "read" else i.rounds) for i in a.phases)),
        lambda a: replace(a, guard=()),
        lambda a: replace(
            a, variables=tuple(replace(x, uniform=True) for x in a.variables)),
    ):  # fmt: skip
        assert fails(change) != []


def test_a_wrap_that_is_left_out_is_found() -> None:
    program = kernel(GLOBAL_X, store("x", op("*", v("i"), v("n"))), x="global")
    found = Comparison(program, launch(1, 4), {"n": 2**30}, 1)
    assert found.fails() == []
    found.map = replace(found.map, computations=())
    assert any("no computation" in f for f in found.fails())
    found = Comparison(program, launch(1, 4), {"n": 2**30}, 1)
    free = tuple(replace(a, needs=frozenset()) for a in found.map.accesses)
    for a in free:
        found.at_place[a.place, a.array, a.kind, a.width] = [a]
    assert any("not allowed" in f for f in found.fails())


def test_code_that_only_a_wrap_reaches_is_in_the_map() -> None:
    """`if (-n > 6u) x[0] = 1;` for unsigned n: not reached in integers, but on the machine."""
    unsigned = Cast(v("n"), U32, at())
    program = kernel(
        when(op(">", op("-", n(0, U32), unsigned), n(6, U32)), store("x", n(9))), x="global"
    )
    found = Comparison(program, launch(1, 1), {"n": 5}, 1)
    assert found.fails() == []
    (access,) = found.map.accesses
    assert access.needs


def same(program, setting, dims) -> Comparison:
    for seed in range(5):
        found = Comparison(program, setting, dims, seed)
        assert found.fails() == []
    return found


def test_memory_that_nothing_has_written_holds_anything() -> None:
    """Threads read different numbers from private and shared memory, and the same from global."""
    for space, agree in (("private:4", False), ("shared:4", False), ("global", True)):
        body = (load("p", n(0), "c"), store("s", v("c")), load("s", op("+", v("c"), n(1))))
        setting = launch(1, 4, contents={"p": (0, 5)})
        found = same(kernel(*body, p=space, s="shared:64"), setting, {"n": 1})
        assert [x.uniform for a in found.map.accesses[1:2] for x in a.variables] == [agree]


def test_contents_are_those_of_the_start() -> None:
    body = (store("x", TX, n(77)), load("x", TX, "c"), store("s", v("c")))
    found = same(
        kernel(*body, x="global", s="shared:99"), launch(1, 4, contents={"x": (0, 5)}), {"n": 1}
    )
    assert Node("<=", "h_0", 5) not in found.map.accesses[-1].guard


@pytest.mark.parametrize("start", [0, 2, 5])
def test_a_loop_that_ends_where_two_numbers_are_equal(start: int) -> None:
    """`while (k != 4)`: exactly up to 4 where it starts below, and up to a wrap otherwise."""
    body = (let("k", n(start)), loop("L", op("!=", v("k"), n(4)), store("x", v("k")), step=UP))
    found = same(kernel(*body, x="global"), launch(), {"n": 1})
    assert found.map.accesses[0].exact is (start <= 4)


def test_a_loop_that_some_threads_never_begin() -> None:
    """It would not end for them: what is said of its rounds is said of the others alone."""
    step = (let("k", op("+", v("k"), TX)),)
    counted = loop("L", op("<", v("k"), v("n")), load("x", v("k")), step=step)
    body = (let("k", n(0)), when(op("<", n(0), TX), counted), store("x", v("k")))
    found = same(kernel(*body, x="global"), launch(1, 4), {"n": 5})
    assert len([t for t in found.run.trace.accesses if t.kind == "write"]) == 4


def test_private_memory_that_a_loop_writes() -> None:
    more = (load("p", n(1), "a"), store("x", v("a")), store("p", n(1), op("+", v("a"), n(1))))
    counted = loop("L", op("<", v("k"), v("n")), *more, step=UP)
    behind = (load("p", n(1), "b"), store("x", v("b")))
    body = (store("p", n(1), n(5)), let("k", n(0)), counted, *behind)
    same(kernel(*body, x="global", p="private:4"), launch(), {"n": 4})


def test_an_implicit_conversion_that_wraps() -> None:
    """`signed char i; for (i = 0; i < 200; ++i) x[i]`: the step is one that x rests on."""
    short = Int(8, True)
    wide = Cast(v("k", short), v("n").type, at())
    up = (let("k", Cast(op("+", wide, n(1)), short, at())),)
    counted = loop("L", op("<", wide, v("n")), store("x", wide), step=up)
    program = kernel(let("k", n(0, short)), counted, x="global")
    found = Comparison(program, launch(), {"n": 200}, 1)
    (access,) = found.map.accesses
    (number,) = access.needs
    conversion = found.map.computations[number]
    assert conversion.conversion and not conversion.followed and conversion.role == "index"
    assert [(w.exact, w.conversion) for w in found.run.trace.wraps] == [(128, True)]


def test_an_address_is_modulo_two_to_the_64() -> None:
    back = Cast(op("-", TX, n(2)), Int(64, False), at())
    wide = op("+", Cast(v("n"), Int(64, False), at()), back)
    found = same(kernel(store("x", wide), x="global"), launch(1, 4), {"n": 9})
    assert found.map.accesses[0].needs == frozenset()
    assert found.map.computations == ()


def test_a_condition_that_always_holds_in_integers() -> None:
    """`if (n + threadIdx.x >= 0) __syncthreads();`: for some n, a thread wraps and stays away."""
    always = op(">=", op("+", v("n"), TX), n(0))
    program = kernel(when(always, barrier()), when(always, store("x", TX)), x="global")
    found = Comparison(program, launch(1, 4), {"n": 2**31 - 2}, 1)
    assert found.fails() == [] and found.run.trace.divergence
    assert found.map.events[0].needs == found.map.accesses[0].needs == {0}
    assert found.map.computations[0].role == "test"
    chosen = when(always, let("k", n(5)), other=(let("k", n(6)),))
    program = kernel(chosen, store("x", v("k")), x="global")
    (access,) = same(program, launch(1, 4), {"n": 3}).map.accesses
    assert access.offset == 20 and access.needs == {0}


def test_a_pointer_into_one_of_two_arrays() -> None:
    pointer = Select(op("<", TX, v("n")), store("x", n(1)).pointer, store("y", n(2)).pointer,
                     store("x", n(1)).pointer.type)  # fmt: skip
    program = kernel(replace(store("x", n(0)), pointer=pointer), x="global", y="global")
    found = Comparison(program, launch(1, 4), {"n": 2}, 1)
    assert found.fails() == []
    assert [a.array for a in found.map.accesses] == ["x", "y"]
    assert all(a.exact for a in found.map.accesses)


def test_narrow_types() -> None:
    """`signed char` arithmetic leaves its type long before int does."""
    i8 = Int(8, True)
    narrow = Cast(v("i"), i8, at(), True)
    program = kernel(GLOBAL_X, store("x", Cast(narrow, v("i").type, at())), x="global")
    found = Comparison(program, launch(2, 100), {"n": 1}, 1)
    assert isinstance(found.map, AccessMap)
    assert found.fails() == []
    assert found.run.events and found.map.accesses[0].needs == frozenset()


if __name__ == "__main__":
    start, end = map(int, sys.argv[1:])
    for number in range(start, end):
        problems = compare(number, 60).fails()
        if problems:
            print(number, problems[0])
