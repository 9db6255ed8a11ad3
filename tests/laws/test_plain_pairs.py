"""Pairs in which quotients of dims have names, against every thread of small sizes."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

from symcute.expr.node import Node, Term
from symcute.expr.terms import add, at_most, evaluate, less, mul
from symcute.kernel.access_map import Access, Variable
from symcute.kernel.ir.place import Place
from symcute.kernel.properties.apart import Pair
from symcute.kernel.properties.plain import with_plain
from symcute.kernel.properties.sides import Order, Side
from tests.full import many

#: Dims, of which one may be below 0.
SIZES = {"N": range(1, 6), "M": range(-3, 4)}
FACTS = tuple(h for n, r in SIZES.items() for h in (at_most(r[0], n), at_most(n, r[-1])))
#: What wraps, a number of blocks, a remainder, and what may be 0 or below.
QUOTIENTS: list[Term] = [
    Node("//", Node("%", Node("+", Node("%", mul("N", 7), 8), 2), 8), 2),
    Node("//", Node("+", "N", 1), 2), Node("%", "N", 3), Node("//", "M", 2),
]  # fmt: skip
THREADS = 3


def drawn(random: Random) -> tuple[Pair, Term]:
    """Return two accesses of threads of different blocks, and how many blocks there are."""
    blocks = random.choice([*QUOTIENTS, "N"])
    strides: list[Term] = [1, THREADS, THREADS, "N", *QUOTIENTS]
    backward = add(add(blocks, mul("bx", -1)), -1)
    row = random.choice(["bx", backward, backward])
    first = add(mul(row, random.choice(strides)), random.choice(["tx", 0, Node("//", "tx", 2)]))
    guard: list[Term] = [
        at_most(0, "bx"), less("bx", blocks), at_most(0, "tx"), less("tx", THREADS),
    ]  # fmt: skip
    guard += random.sample([less(row, "N"), less("tx", "N"), at_most(1, QUOTIENTS[3])], 1)
    variables = (Variable("bx", "block"), Variable("tx", "thread"))
    a = Access("x", "write", mul(first, 4), 4, tuple(guard), variables, (), Place("k", 1, 1))
    side = Side(a)
    return Pair(side, side, FACTS, frozenset(SIZES), ("bx",), frozenset(), alike=True), blocks


def meeting(pair: Pair, blocks: Term) -> bool:
    """Return whether threads of two blocks touch one element, whatever the sizes."""
    a = pair.a.access
    for sizes in product(*SIZES.values()):
        touched: dict[int, set[int]] = {}
        dims = dict(zip(SIZES, sizes, strict=True))
        for bx in range(int(evaluate(blocks, dims))):
            for tx in range(THREADS):
                at = dims | {"bx": bx, "tx": tx}
                if all(evaluate(g, at) for g in a.guard):
                    touched.setdefault(int(evaluate(a.offset, at)), set()).add(bx)
        if any(len(by) > 1 for by in touched.values()):
            return True
    return False


def test_what_names_keep_apart_is_apart() -> None:
    random, told = Random("plain"), Counter[str]()
    for _ in range(many(60, 2000)):
        pair, blocks = drawn(random)
        plain = with_plain(pair).plain
        assert (plain is None) is not _divides(pair)
        if plain is None:
            continue
        assert not _divides(plain)
        found, met = plain.quickly().status == "proved", meeting(pair, blocks)
        assert not (found and met), pair.a.access
        told[f"{found} {met}"] += 1
    assert told["True False"] >= many(10, 300) and told["False True"] >= many(10, 300), told


def _divides(pair: Pair) -> bool:
    """Return whether there is a quotient of dims in what is accessed when."""
    todo: list[Term] = [pair.a.access.offset, *pair.a.access.guard]
    while todo:
        term = todo.pop()
        if term in QUOTIENTS:
            return True
        todo += term.args if isinstance(term, Node) else ()
    return False


def test_a_pair_that_orders_tell_apart_has_no_plain_one() -> None:
    """Names would stand in what orders say, too: they are left alone."""
    pair, _ = drawn(Random("plain"))
    ordered = Pair(
        pair.a, pair.b, pair.facts, pair.dims, pair.differ, pair.shared,
        orders=(Order((), ("bx", "bx")),),
    )  # fmt: skip
    assert with_plain(ordered).plain is None
