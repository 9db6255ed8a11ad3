"""The public functions as users get them: what they are handed is looked at first.

Inside the package functions call each other directly; there, mypy does this.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from symcute.errors import InputError

__all__ = ["classes_of", "kind", "refuse_others", "shown", "types_of", "with_door"]

#: Classes as errors name them, and how to get one where that needs saying.
_WORDS = {
    "Layout": ("a layout", 'write Layout((4, 8), (8, 1)) or Layout.parse("(4,8):(8,1)")'),
    "ComposedLayout": ("a swizzled layout", 'write ComposedLayout.parse("Sw<1,0,1> o 0 o 4:1")'),
    "Swizzle": ("a swizzle", "write Swizzle(3, 3, 3)"),
    "Claim": ("a claim", 'write "injective((4,8))" or Injective(Layout((4, 8)))'),
    "Formula": ("a formula", 'write "M <= N" or le(M, N)'),
    "Access": ("an access", 'write "access((32,8):(8,1), 32)"'),
    "LinearLayout": ("a linear layout", "to_linear, from_triton and blocked_layout give one"),
    "BitMatrix": ("a matrix of bits", "to_f2 gives one"),
    "CopyAtom": ("a copy atom", "make_copy_atom gives one"),
    "TiledMMA": ("a tiled MMA", "make_tiled_mma gives one"),
    "TiledCopy": ("a tiled copy", "make_tiled_copy gives one"),
    "Swizzling": ("a swizzle that was found", "find_swizzle gives one"),
    "str": ("a text", "give it as a str"),
    "int": ("an integer", "give it as an int"),
}
_SHOWN = 60

_Function = TypeVar("_Function", bound=Callable[..., Any])


def with_door(function: _Function) -> _Function:
    """Return a public function that refuses values of other classes than it is written for.

    Only parameters whose type is made of symcute's own classes and texts are looked at; a function
    without any comes back as it is.

    >>> from symcute import Layout
    >>> def columns(layout: Layout) -> int:
    ...     return layout.shape[1]
    >>> with_door(columns)(3.5)
    Traceback (most recent call last):
    ...
    symcute.errors.InputError: columns takes a layout, not 3.5; write Layout((4, 8), (8, 1)) or ...
    """
    hints = types_of(function)
    parameters = signature(function).parameters.values()
    wanted = {p.name: classes_of(hints.get(p.name)) for p in parameters}
    if not any(wanted.values()):
        return function
    positions = [p.name for p in parameters if p.kind in _POSITIONAL]
    classes = [wanted[name] or object for name in positions]
    first, known = classes[0] if classes else (), len(classes)
    rest = next((p.name for p in parameters if p.kind is Parameter.VAR_POSITIONAL), "")

    @wraps(function)
    def door(*args: Any, **kwargs: Any) -> Any:
        # Fast where nothing is wrong: some operations on layouts take less than a microsecond.
        one = len(args) == 1 and not kwargs and isinstance(args[0], first)
        if not one and (kwargs or len(args) > known or not all(map(isinstance, args, classes))):
            names = (*positions[: len(args)], *[rest] * (len(args) - len(positions)))
            for name, value in (*zip(names, args, strict=True), *kwargs.items()):
                if allowed := wanted.get(name):
                    refuse_others(function.__name__, allowed, value)
        return function(*args, **kwargs)

    door.__module__ = "symcute"  # where it is found, also by pickle
    return cast(_Function, door)


_POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


def types_of(value: Any) -> dict[str, Any]:
    """Return the types that a function's parameters, or the fields of a class, are written with."""
    return get_type_hints(value)


def classes_of(hint: Any) -> tuple[type, ...]:
    """Return the classes that a type is made of; () where it is not to be looked at."""
    found = _alternatives(hint)
    ours = any(c.__module__.startswith("symcute.") or c is str for c in found)
    known = all(c.__name__ in _WORDS or c is NoneType for c in found)
    return found if ours and known else ()


def _alternatives(hint: Any) -> tuple[type, ...]:
    if isinstance(hint, TypeVar):
        return tuple(c for h in hint.__constraints__ for c in _alternatives(h))
    if get_origin(hint) in (Union, UnionType):
        return tuple(c for h in get_args(hint) for c in _alternatives(h) or (object,))
    return (hint,) if isinstance(hint, type) else ()


def refuse_others(function: str, classes: tuple[type, ...], value: Any) -> None:
    """Refuse a value that is of none of the classes. Errors: InputError."""
    if isinstance(value, classes):
        return
    words = [_WORDS[c.__name__] for c in classes if c is not NoneType]
    if isinstance(value, bool) and any(c.__name__ == "Formula" for c in classes):
        raise InputError(
            f"{function} takes a claim, not {value}: == compares at once how its sides are written",
            'write eq(a, b), or a text, as "size(A) == M*N"',
        )
    raise InputError(
        f"{function} takes {' or '.join(word for word, _ in words)}, not {shown(value)}",
        words[0][1],
    )


def shown(value: Any) -> str:
    """Return a value as a message shows it: ours as text that is read back, a long one in part."""
    text = str(value) if type(value).__module__.startswith("symcute.") else repr(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def kind(value: Any) -> str:
    """Return what a value is, in words where it is of a class of ours: a layout, a float."""
    name = type(value).__name__
    ours = type(value).__module__.startswith("symcute.") and name in _WORDS
    return _WORDS[name][0] if ours else f"a {name}"
