"""The kernels in a file that torch.compile's Inductor wrote: what it says of each, as syntax alone.

Such a file is a wrapper, where the source of each kernel is a string for `async_compile.triton`, or
a kernel by itself. How large blocks are is chosen while it runs; as PyTorch 2.11 chooses
(`torch/_inductor/runtime/triton_heuristics.py`), or whatever it could choose where options ask for
more.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from symcute.frontends.front_end import SourceError
from symcute.frontends.triton.members import Tuning
from symcute.frontends.triton.source import Jitted, is_constant
from symcute.frontends.triton.uses import uses
from symcute.kernel.ir.place import Place

__all__ = ["Generated", "generated"]

#: The largest blocks (`TRITON_MAX_BLOCK`), and what is asked for at most without more options.
_LARGEST = {"X": 4096, "Y": 1024, "Z": 1024, "R0_": 65536, "R1_": 32768}
_MOST_PERSISTENT, _MOST_REDUCED, _LEAST_SCALED = 4096, 2048, 64
_EDGE = (1 << 31) - 1
#: Options by which more blocks are tried, or other ones.
_MORE = ("max_autotune", "max_autotune_pointwise", "coordinate_descent_tuning", "autotune_hints",
         "add_persistent_rblock", "tma_min_block_sizes")  # fmt: skip
_OTHER = ("RSPLIT_SIZE", "combo_grid_meta", "extra_launcher_args", "native_matmul")


@dataclass(frozen=True)
class Generated:
    """A kernel that Inductor wrote: its function, the blocks it may run with, and its grid.

    The arguments of a launch are for `arguments`, in this order. Those of `divisible` are promised
    to be divisible by 16, pointers in bytes. Where it `asserts` what numbers it reads, those that
    are not so end it. `trouble` says why its blocks are not known.
    """

    kernel: Jitted
    tuning: Tuning
    arguments: tuple[str, ...]
    grid: str
    divisible: frozenset[str]
    asserts: bool
    trouble: str = ""


def generated(path: str, text: str) -> dict[str, Generated]:
    """Return the kernels of a file of Inductor's by the names it has for them, none of other files.

    Errors: SourceError for one that is not in the form that Inductor writes.
    """
    if "triton_heuristics" not in text:
        return {}
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}  # who reads other kernels says so
    found = dict(_inside(path, tree.body, (1, len(text.splitlines()))))
    lines = text.splitlines()
    for node in tree.body:
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(func=ast.Attribute(ast.Name("async_compile"), "triton"),
                               args=[ast.Constant(str()), ast.Constant(str() as held) as where]),
            ):  # fmt: skip
                first, last = where.lineno + 1, (where.end_lineno or 0) - 1
                place = Place(path, node.lineno, 1)
                if held.split("\n") != ["", *lines[first - 1 : last], ""]:
                    what = f"the source of {name} is not written line by line"
                    raise SourceError(what, "check the file that Inductor wrote", place)
                try:
                    body = ast.parse("\n" * (first - 1) + held[1:]).body
                except (SyntaxError, ValueError) as error:
                    what = f"the source of {name} is not Python: {error}"
                    raise SourceError(what, "check the file that Inductor wrote", place) from None
                kernels = dict(_inside(path, body, (first, last)))
                if len(kernels) != 1 or name in found:
                    what = f"{name} is not one kernel"
                    raise SourceError(what, "check the file that Inductor wrote", place)
                found[name] = next(iter(kernels.values()))
    return found


def _inside(
    path: str, body: Sequence[ast.stmt], lines: tuple[int, int]
) -> Iterator[tuple[str, Generated]]:
    for node in body:
        if not isinstance(node, ast.FunctionDef):
            continue
        for d in node.decorator_list:
            match d:
                case ast.Call(func=ast.Attribute(ast.Name("triton_heuristics"), rule)):
                    yield node.name, _read(path, node, rule, d, lines)


def _read(
    path: str, node: ast.FunctionDef, rule: str, said: ast.Call, lines: tuple[int, int]
) -> Generated:
    place = Place(path, node.lineno, node.col_offset + 1)
    words = {k.arg: k.value for k in said.keywords}
    triton, inductor = (_entries(words.get(n)) for n in ("triton_meta", "inductor_meta"))
    names = [a.arg for a in node.args.args]
    blocks = tuple(a.arg for a in node.args.args if a.annotation is not None)
    kernel = Jitted(node.name, place, names, lines=lines)
    kernel.pointers, kernel.numbers = uses(node, frozenset(names) - {*blocks}, {})
    arguments = tuple(n for n in names if n not in blocks)
    try:
        signature = ast.literal_eval(triton["signature"])
        constants = ast.literal_eval(triton["constants"])
        promised = ast.literal_eval(triton["configs"])
        hints = ast.literal_eval(words["size_hints"])
        grid = ast.literal_eval(inductor["grid_type"])
        types = {n: t for n, t in signature.items() if t != "constexpr" and n not in constants}
        missing = {*arguments} - {*types} - {*constants}
        if missing or {*types} - {*arguments} or not all(map(is_constant, constants.values())):
            raise ValueError(f"the signature lacks {', '.join(sorted(missing))}")
        divisible = {names[k] for each in promised for at in each for k in at}
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, SyntaxError) as error:
        what = f"{node.name}: what Inductor says of it is not understood ({error})"
        raise SourceError(what, "check the file that Inductor wrote", place) from None
    kernel.constants |= constants
    kernel.types |= types
    configs: tuple[Mapping[str, int], ...] = ()
    trouble = ""
    try:
        configs = _choices(rule, hints, blocks, {**triton, **inductor}, words)
    except _Unknown as unknown:
        trouble = str(unknown)
    tuning = Tuning(configs, False, {}, frozenset(blocks), types)
    asserts = "device_assert" in {n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)}
    return Generated(kernel, tuning, arguments, grid, frozenset(divisible), asserts, trouble)


def _entries(node: ast.expr | None) -> dict[str, ast.expr]:
    if not isinstance(node, ast.Dict):
        return {}
    return {str(k.value): v for k, v in zip(node.keys, node.values, strict=True)
            if isinstance(k, ast.Constant)}  # fmt: skip


# --- blocks ---------------------------------------------------------------------------------------


class _Unknown(Exception):
    """Blocks that are not known, and why."""


def _choices(
    rule: str,
    hints: Mapping[str, int],
    blocks: Sequence[str],
    meta: Mapping[str, ast.expr],
    words: Mapping[str | None, ast.expr],
) -> tuple[Mapping[str, int], ...]:
    """Return all that blocks may be. Errors: _Unknown."""
    if rule not in ("pointwise", "reduction", "persistent_reduction"):
        raise _Unknown(f"what triton_heuristics.{rule} chooses is not known")
    device = {k.arg: ast.unparse(k.value) for k in getattr(meta.get("device"), "keywords", ())}
    if device.get("type") != "'cuda'":
        raise _Unknown("its blocks are chosen for a device that is not of NVIDIA")
    if any(_is_set(meta.get(n)) for n in _OTHER):
        raise _Unknown(f"what triton_heuristics.{rule} chooses here is not known")
    of = {b: b.removesuffix("BLOCK").lower() for b in blocks}
    wanted = {h for h in hints if rule != "persistent_reduction" or not h.startswith("r")}
    if {*of.values()} - wanted or any(
        type(v) is not int or v < 1 or v & (v - 1) for v in hints.values()
    ):
        raise _Unknown("the hints of its sizes are not those of its blocks")
    if _is_set(meta.get("no_x_dim")):
        hints = {**hints, "x": 1}
    limits = {b: min(hints[h], _LARGEST[h.upper()]) for b, h in of.items()}
    more = any(_is_set(meta.get(n)) for n in _MORE) or _is_set(words.get("min_elem_per_thread"))
    if not blocks:
        return ({},)
    if more or hints.get("x", 1) > _EDGE:
        return _powers(limits, prod(limits.values()))
    if rule == "persistent_reduction" and "y" not in hints:
        r = prod(v for h, v in hints.items() if h.startswith("r"))
        return _powers(limits, max(1, _MOST_PERSISTENT // r))
    tries: list[dict[str, int]] = []
    if rule == "pointwise":
        if {*hints} != {*"xyz"[: len(hints)]}:
            raise _Unknown("the hints of its sizes are not those of its blocks")
        tries = [_shrunk(hints, t) for t in _pointwise(hints)]
    elif {*hints} == {"x", "r0_"}:
        hint = ast.unparse(words.get("reduction_hint", ast.Constant(None))).rpartition(".")[2]
        for x, r in _reductions(hints["x"], hints["r0_"], hint):
            x, r = min(x, hints["x"]), min(r, hints["r0_"])
            tries.append({"x": x, "r0_": r})
            while r > _LEAST_SCALED:  # what was halved for its registers is halved again
                r //= 2
                tries.append({"x": x, "r0_": r})
    else:
        return _powers(limits, prod(limits.values()))
    found = {tuple((b, t.get(h, 1)) for b, h in of.items()) for t in tries}
    return tuple(dict(f) for f in sorted(found))


def _is_set(node: ast.expr | None) -> bool:
    """Is an option on, or something that is not seen to be off?"""
    return node is not None and ast.unparse(node) not in ("False", "None", "0", "set()", "{}")


def _powers(limits: Mapping[str, int], most: int) -> tuple[Mapping[str, int], ...]:
    """Return all powers of two up to the limits, and up to a product."""
    ranges = [[1 << k for k in range(limit.bit_length())] for limit in limits.values()]
    return tuple(
        dict(zip(limits, chosen, strict=True)) for chosen in product(*ranges)
        if prod(chosen) <= most
    )  # fmt: skip


def _pointwise(hints: Mapping[str, int]) -> list[dict[str, int]]:
    """Return what `pointwise` tries first."""
    most = max(256, min(prod(hints.values()) // 128, 1024))
    tries: dict[int, list[tuple[int, ...]]] = {
        1: [(most,), (most // 2,)],
        2: [(32, 32), (64, 64), (256, 16), (16, 256), (most, 1), (1, most)],
        3: [(16, 16, 16)],
    }
    return [dict(zip("xyz", t, strict=False)) for t in tries.get(len(hints), [])]


def _shrunk(hints: Mapping[str, int], blocks: Mapping[str, int]) -> dict[str, int]:
    """Return what `triton_config` makes of blocks that it is asked for."""
    limits = {"x": _EDGE, "y": 65535, "z": 65535}
    target = prod(blocks.values())
    if prod(hints.values()) < target:
        target //= 8
    found = {a: min(b, hints[a]) for a, b in blocks.items()}
    for a, hint in ((a, hints[a]) for a in found):
        while found[a] < min(hint, _LARGEST[a.upper()]) and (
            found[a] * limits[a] < hint or prod(found.values()) < target
        ):
            found[a] *= 2
    return found


def _reductions(x: int, r: int, hint: str) -> list[tuple[int, int]]:
    """Return what `reduction` tries, or more than that."""
    long = [min(r, _MOST_REDUCED), min(r, _MOST_REDUCED // 2)]
    inner = [(2 if r <= _MOST_REDUCED else 1, n) for n in long]
    tiny = [(2 * (256 // r) if r <= 256 else 1, n) for n in long]
    if x <= 1024:
        outer = [(max(min(x // 128, 8), 2), min(r, 64))]
    elif x // 4096 <= 8:
        outer = [(16, 32)]
    else:
        outer = [(1 << a, 1 << b) for a in range(5, 9) for b in range(7)]
    several = [*inner, *outer, *tiny, (64, 64), (8, 512), (64, 4), (64, 8)]
    return {"INNER": inner, "OUTER": outer, "OUTER_TINY": tiny}.get(hint, several)
