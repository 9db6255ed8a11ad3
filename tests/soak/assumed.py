"""What assumptions say: whether they are met, and from where on a dim counts."""

from __future__ import annotations

from collections.abc import Iterator

from .evaluate import Env, Senseless, Unclear, formula, number, ungrouped
from .reading import Tree, names


def met(tree: Tree, env: Env) -> bool:
    """Return whether an assumption is met; one without a value is not."""
    try:
        return formula(tree, env)
    except Senseless:
        return False


def lower_bounds(given: list[Tree], dims: set[str]) -> dict[str, int]:
    """Return the least value of each dim: 1, unless assumptions name constants; the largest does.

    Bounds under `or` and `implies` do not count. A side that comes to a constant, or to a dim, by
    sums and products, as in `M + 0 >= 2 - 2`, counts as one; `min(M,M)` does not.
    """
    found: dict[str, int] = {}
    for a, b, more in _stated(given):
        a, b = _opaque(a), _opaque(b)
        for name, bound in ((b, a), (a, b)) if more is None else ((b, a),):
            dim, value = _dim(name), _constant(bound)
            if dim and dim[0] != "@" and value is not None:
                found[dim] = max(value + (more or 0), found.get(dim, value + (more or 0)))
    return {n: found.get(n, 1) for n in dims}


_ROUNDED = ("//", "%", "floor_div", "ceil_div", "mod", "min", "max")


def _opaque(tree: Tree) -> Tree:
    """Return an expression with a name for each rounded quotient, minimum or maximum of dims."""
    rounds = tree[0] in _ROUNDED or (tree[0] == "call" and tree[1] in _ROUNDED)
    if rounds and names(tree):
        return ("name", f"@{tree}")
    return tuple(_opaque(x) if isinstance(x, tuple) else x for x in tree)


_TURNED = {"<=": ">", "<": ">=", ">=": "<", ">": "<=", "!=": "==", "==": "!="}


def _stated(given: list[Tree], true: bool = True) -> Iterator[tuple[Tree, Tree, int | None]]:
    """Yield what is assumed of all: a + more <= b, or a == b where `more` is None.

    A `not` is pushed inwards.
    """
    for tree in given:
        op, *parts = ungrouped(tree)
        if op == "not":
            yield from _stated(parts, not true)
        elif op == ("and" if true else "or"):
            yield from _stated(parts, true)
        elif op == "implies" and not true:
            yield from _stated(parts[:1], True)
            yield from _stated(parts[1:], False)
        elif op in _TURNED:
            op = op if true else _TURNED[op]
            left, right = parts if op in ("<=", "<", "==", "!=") else parts[::-1]
            if op != "!=":
                yield left, right, None if op == "==" else int(op in ("<", ">"))


#: How values of the dims go up, and where they begin; two expressions that are the same at most of
#: these count as the same.
_PROBES = ((7, 3), (-11, 5), (13, -29), (31, -2), (60, 60), (-120, 240), (180, -60), (420, 840))
_ENOUGH = 4


def _values(tree: Tree) -> list[tuple[dict[str, int], int]]:
    """Return a few values of an expression, with those of its dims."""
    found = []
    for step, start in _PROBES:
        env = {n: start + (k * k + 2 * k) * step for k, n in enumerate(sorted(names(tree)))}
        try:
            found.append((env, number(tree, env)))
        except (Senseless, Unclear):
            continue
    return found if len(found) >= _ENOUGH else []


def _constant(tree: Tree) -> int | None:
    values = {x for _, x in _values(tree)}
    return values.pop() if len(values) == 1 else None


def _dim(tree: Tree) -> str:
    found = _values(tree)
    same = [n for n in names(tree) if found and all(env[n] == x for env, x in found)]
    return same[0] if same else ""
