"""Tensors of one allocation that are proved apart share no byte, counted one by one."""

from __future__ import annotations

from itertools import product

from symcute.frontends.cutedsl.checking import check_module

ROOM = 4096
#: Where a tensor begins, its shape and strides, a swizzle of elements and one of addresses.
View = tuple[int, tuple[int, int], tuple[int, int], tuple[int, int, int], tuple[int, int, int]]
NONE = (0, 0, 0)
FIRST: list[View] = [
    (0, (16, 64), (64, 1), NONE, NONE),
    (0, (2, 8), (64, 1), (3, 3, 3), NONE),
    (0, (2, 8), (64, 1), NONE, (3, 4, 3)),
    (64, (1, 64), (64, 1), NONE, NONE),
]
SECOND: list[View] = [
    (start, shape, stride, swizzle, NONE)
    for start in (72, 80, 128, 1023, 1024, 1087, 1088)
    for shape, stride in [((1, 8), (8, 1)), ((1, 64), (64, -1)), ((2, 8), (-64, 1))]
    for swizzle in (NONE, (3, 3, 3))
    if swizzle == NONE or min(stride) > 0
]


def turned(x: int, swizzle: tuple[int, int, int]) -> int:
    bits, base, shift = swizzle
    return x ^ ((x >> base + shift & (1 << bits) - 1) << base) if bits else x


def touched(view: View) -> set[int]:
    """The bytes of a tensor of halves, from the start of its allocation, which begins a block."""
    start, shape, stride, swizzle, addresses = view
    return {
        turned(2 * (start + turned(i * stride[0] + j * stride[1], swizzle)) + byte, addresses)
        for i, j in product(*map(range, shape))
        for byte in (0, 1)
    }


def seen(k: int, view: View) -> str:
    start, shape, stride, swizzle, addresses = view
    layout = f"({shape[0]},{shape[1]}):({stride[0]},{stride[1]})".replace("'", "")
    kind = f'!cute.layout<"{layout}">'
    if swizzle != NONE:
        text = "S<{},{},{}>".format(*swizzle)
        layout = f"{text} o 0 o {layout}"
        kind = f'!cute.composed_layout<"{layout}">'
    ptr = "!cute.ptr<f16, smem, align<1024>"
    ptr += ", S<{},{},{}>>".format(*addresses) if addresses != NONE else ">"
    memory = ptr.replace("!cute.ptr", "!cute.memref")[:-1] + f', "{layout}">'
    return f"""
    %{k}0 = "cute.recast_iter"(%2) : (!cute.ptr<i8, smem, align<1024>>) -> {ptr}
    %{k}1 = "cute.make_int_tuple"() : () -> !cute.int_tuple<"{start}">
    %{k}2 = "cute.add_offset"(%{k}0, %{k}1) : ({ptr}, !cute.int_tuple<"{start}">) -> {ptr}
    %{k}3 = "cute.static"() : () -> {kind}
    %{k}4 = "cute.make_view"(%{k}2, %{k}3) : ({ptr}, {kind}) -> {memory} loc(#loc{k})"""


def verdict(first: View, second: View) -> str:
    text = f"""
"builtin.module"() ({{
  "func.func"() <{{sym_name = "host"}}> ({{
    %1 = "cute.memref.alloca"() : () -> !cute.memref<i8, smem, align<1024>, "{ROOM}:1">
    %2 = "cute.get_iter"(%1) : (!cute.memref<i8, smem, align<1024>, "{ROOM}:1">) -> !cute.ptr<i8, smem, align<1024>>
{seen(3, first)}
{seen(4, second)}
  }}) : () -> ()
}}) : () -> ()
#loc3 = loc("k.py":3:1)
#loc4 = loc("k.py":4:1)
"""  # noqa: E501
    found = [f.status for f in check_module(text) if f.property == "disjoint"]
    return found[0] if found else "not asked"


def test_what_is_proved_apart_shares_no_byte() -> None:
    told = [(verdict(x, y), touched(x).isdisjoint(touched(y))) for x, y in product(FIRST, SECOND)]
    assert ("proved", False) not in told
    assert told.count(("proved", True)) >= 30
    assert all(isinstance(min(touched(x)), int) and max(touched(x)) < ROOM for x in FIRST + SECOND)
