"""Settings of a folder: the tables of `symcute.toml`, or of `pyproject.toml`, with keys we know."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from symcute.errors import InputError

__all__ = ["KERNEL_KEYS", "KEYS", "NAME", "PROJECT", "config_of"]

NAME, PROJECT = "symcute.toml", "pyproject.toml"
_LISTS = ("files", "include", "given", "limit", "property")
_TABLES = ("define", "arg", "extent", "contents", "align", "template", "type")
KERNEL_KEYS = ("launch", "arch", "timeout", "file", *_LISTS[2:], *_TABLES)
KEYS = ("arch", "timeout", "kernel", *_LISTS, "define")


def config_of(folder: Path) -> tuple[Path, dict[str, Any]]:
    """Return the settings of a folder, and the file that they stand in, or would."""
    path, project = folder / NAME, folder / PROJECT
    own = _toml(path) if path.exists() else None
    table = _toml(project).get("tool", {}).get("symcute") if project.exists() else None
    if own is not None and table is not None:
        raise InputError(f"{path} and {project} both have settings", "leave out one of them")
    if table is not None:
        path = project
    found = own or table or {}
    if not isinstance(found, dict) or not isinstance(found.get("kernel", {}), dict):
        raise InputError(f"{path}: the settings are no table", "write [kernel.NAME]")
    _check_keys(path, "", found, KEYS)
    for name, table in found.get("kernel", {}).items():
        if not isinstance(table, dict):
            raise InputError(f"{path}: kernel.{name} is no table", f"write [kernel.{name}]")
        _check_keys(path, f"kernel.{name}.", table, KERNEL_KEYS)
    return path, found


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {path}: {error}", "write TOML in UTF-8") from None


def _check_keys(path: Path, prefix: str, table: Mapping[str, Any], known: Iterable[str]) -> None:
    for key, value in table.items():
        if key not in known:
            raise InputError(f"{path}: unknown key {prefix}{key}", f"known are {', '.join(known)}")
        if key in _LISTS and not (
            isinstance(value, list) and all(isinstance(x, str) for x in value)
        ):
            raise InputError(f"{path}: {prefix}{key} is no list of texts", f'write {key} = ["..."]')
        if key in _TABLES and not isinstance(value, dict):
            raise InputError(f"{path}: {prefix}{key} is no table", f"write {key} = {{ n = 1 }}")
