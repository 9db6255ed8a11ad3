"""The templates of this folder, filled in: the one place that imports jinja2."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined, Template

__all__ = ["resource", "template"]


@cache
def resource(name: str) -> str:
    """Return the text of a file of this folder."""
    return files("symcute.report").joinpath(name).read_text(encoding="utf-8")


def template(name: str, filters: Mapping[str, Callable[..., Any]] | None = None) -> Template:
    """Return a template that escapes what it is given, and refuses names that have no value."""
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=False
    )
    environment.filters |= filters or {}
    return environment.from_string(resource(name))
