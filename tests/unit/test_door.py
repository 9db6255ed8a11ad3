"""What public functions say of values that are not what they are written for."""

from __future__ import annotations

import inspect
import pickle
from typing import Any

import pytest

import symcute
from symcute import InputError, Layout, Swizzle, SymcuteError
from symcute.expr.arguments import with_door

L = Layout((4, 8), (8, 1))
WRONG = (3.5, "x y", None, {}, object(), Swizzle(2, 0, 3))
#: Errors, and what takes any value: a file to be guarded, a function of the user's.
OTHERS = {"guard", "Guarded", "transform_leaf"}


def functions() -> list[str]:
    found = (name for name in symcute.__all__ if name not in OTHERS)
    return [
        name
        for name in found
        if callable(getattr(symcute, name))
        and not _is_error(getattr(symcute, name))
        and not inspect.isabstract(getattr(symcute, name))
    ]


def _is_error(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, Exception)


def _needed(function: Any) -> int:
    """Return how many arguments a function has to get."""
    parameters = inspect.signature(function).parameters.values()
    by_place = (
        inspect.Parameter.POSITIONAL_ONLY,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
    )
    needed = sum(p.default is p.empty and p.kind in by_place for p in parameters)
    return max(needed, any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in parameters))


def test_there_are_functions() -> None:
    assert len(functions()) >= 150


@pytest.mark.parametrize("name", functions())
def test_wrong_values_are_the_callers_fault(name: str) -> None:
    function = getattr(symcute, name)
    for wrong in WRONG:
        count = _needed(function)
        for arguments in (
            [wrong] * count,
            [L] * (count - 1) + [wrong],
            [wrong] + [L] * (count - 1),
        ):
            try:
                function(*arguments[:count])
            except SymcuteError as error:
                assert error.what and len(error.what) < 1000


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: symcute.coalesce(3.5),
            ("coalesce takes a layout or a swizzled layout, not 3.5; "
            'write Layout((4, 8), (8, 1)) or Layout.parse("(4,8):(8,1)")'),
        ),
        (
            lambda: symcute.Layout("x"),
            "Layout takes tuples of integers, not the text 'x'; write Layout.parse('x')",
        ),
        (
            lambda: symcute.Injective("text"),
            ("injective takes a layout or a swizzled layout, not 'text'; "
            'write Layout((4, 8), (8, 1)) or Layout.parse("(4,8):(8,1)")'),
        ),
        (
            lambda: symcute.InBounds(L, 3.5),
            "3.5 in in_bounds is a float, not an integer; leaves are ints or expressions in dims",
        ),
        (
            lambda: symcute.BankConflict(L, 1),
            'bank_conflict takes an access, not (4,8):(8,1); write "access((32,8):(8,1), 32)"',
        ),
        (
            lambda: symcute.prove(5),
            ("prove takes a claim or a formula or a text, not 5; "
            'write "injective((4,8))" or Injective(Layout((4, 8)))'),
        ),
        (lambda: symcute.dims(5), "dims takes a text, not 5; give it as a str"),
        (
            lambda: symcute.composition(3.5, L),
            "composition takes a layout, not 3.5; write composition(A, B)",
        ),
        (
            lambda: symcute.make_swizzle(3.5, 1),
            "the masks 3.5 and 1; give two integers",
        ),
        (
            lambda: symcute.floor_div(L, "x"),
            "Layout((4,8):(8,1)) and 'x' are no numbers; give integers or expressions in dims",
        ),
        (
            lambda: symcute.BitMatrix(3, 2),
            "a matrix of the columns 3 and the height 2; write BitMatrix((2, 1), 2)",
        ),
        (lambda: symcute.find_swizzle(3.5), "3.5 is no claim and no access; give one of them"),
        (
            lambda: symcute.to_triton(L),
            ("to_triton takes a linear layout, not (4,8):(8,1); "
            "to_linear, from_triton and blocked_layout give one"),
        ),
        (
            lambda: symcute.prove(symcute.size(L) == 33),
            ("prove takes a claim, not False: == compares at once how its sides are written; "
            "write eq(a, b), or a text"),
        ),
        (lambda: symcute.upcast("y" * 99, 2), "upcast takes a layout or a swizzled layout"),
    ],
)  # fmt: skip
def test_the_words(call: Any, words: str) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert str(caught.value).startswith(words)


def test_named_arguments_and_several_are_looked_at() -> None:
    with pytest.raises(InputError, match="coalesce takes a layout"):
        symcute.coalesce(layout=4)
    with pytest.raises(InputError, match="zip_ takes a layout or a swizzled layout, not 4"):
        symcute.zip_(L, 4)
    assert symcute.append(L, 3).rank() == 3


def test_a_function_stays_what_it_is() -> None:
    from symcute.layout.algebra import coalesce

    assert inspect.unwrap(symcute.coalesce) is coalesce
    assert symcute.coalesce.__doc__ == coalesce.__doc__
    assert inspect.signature(symcute.coalesce) == inspect.signature(coalesce)
    assert pickle.loads(pickle.dumps(symcute.coalesce)) is symcute.coalesce

    def plain(a: int, b: float) -> int:
        return a

    assert with_door(plain) is plain
