"""The templates of pages and pictures, filled in: the one place that imports jinja2."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template
from markupsafe import Markup

__all__ = ["resource", "template", "words"]


@cache
def resource(name: str) -> str:
    """Return the text of a file of this folder."""
    return files("symcute.report").joinpath(name).read_text(encoding="utf-8")


def template(name: str) -> Template:
    """Return a template that escapes what it is given, and refuses names that have no value.

    Templates may include one another. What text goes through on its way: `inner`, `prose`, `time`,
    `words`.
    """
    return _environment().get_template(name)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(resource),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"inner": _inner, "prose": _prose, "time": _time, "words": words}
    return environment


def _inner(text: str) -> Markup:
    """Return text for the inside of an element, where quotes and primes stand for themselves.

    >>> print(_inner("1 <= M': so"))
    1 &lt;= M': so
    """
    plain = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return Markup(plain)  # noqa: S704 (escaped)


def _prose(text: str) -> Markup:
    """Return text with what stands in backquotes as code, for the inside of an element.

    >>> print(_prose("`(4,8):(8,1)` is <fine>"))
    <code>(4,8):(8,1)</code> is &lt;fine&gt;
    """
    return Markup(  # noqa: S704 (every piece is escaped)
        "".join(
            f"<code>{_inner(piece[1:-1])}</code>" if piece.startswith("`") else _inner(piece)
            for piece in re.split(r"(`[^`]+`)", text)
            if piece
        )
    )


def words(name: str) -> str:
    """Return a theorem's name as words.

    >>> words("row_major_is_injective")
    'row major is injective'
    """
    return name.replace("_", " ")


def _time(seconds: float) -> str:
    if seconds < 0.001:
        return "under 1\u00a0ms"
    return f"{seconds * 1000:.0f}\u00a0ms" if seconds < 1 else f"{seconds:.1f}\u00a0s"
