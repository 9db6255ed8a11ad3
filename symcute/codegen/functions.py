"""A layout's index function as C that also compiles as CUDA C: a wide form and a narrow one.

Both follow the definition: split the 1-D index in colexicographic order over the flat extents (the
last mode takes what is left), and add digit times stride. Nothing of the algebra or of
`Layout.__call__` is used, so that running them says something about those.

The wide form computes in 64-bit signed integers. The narrow form keeps the index unsigned and the
offset signed in 32 bits, and divides by numbers that are known when a loop starts with a multiply
and a shift; it is what a fast kernel would do. `fits` says whether every intermediate value stays
inside; where it does not, C would overflow and the function must not be run.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from symcute.errors import InputError
from symcute.expr.basis import require_integers
from symcute.expr.htuple import Leaf
from symcute.expr.lowering import lower
from symcute.expr.polynomial import ONE, Monomial, Poly, variable, variables
from symcute.expr.ratio import ATOMS, Ratio, evaluate
from symcute.layout.layout import Layout

__all__ = ["dim_names", "fits", "index_function", "leaf_text", "narrow_function"]

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_HELPERS = {
    "FloorDiv": "sc_floor_div",
    "CeilDiv": "sc_ceil_div",
    "Modulo": "sc_mod",
    "Minimum": "sc_min",
    "Maximum": "sc_max",
}


def dim_names(layout: Layout) -> list[str]:
    """Return the layout's dims in the order in which its functions take them."""
    return sorted(layout.dims())


def index_function(layout: Layout, name: str) -> str:
    """Return a C function `long long name(long long i, long long dim_A, ...)` that computes L(i).

    Pre-conditions: `name` is a C identifier; the parameters after `i` are the layout's dims, sorted
    by name, each with the prefix `dim_` so that none can be a keyword or a macro.
    Post-conditions: for i >= 0 at dims where `fits(layout, dims)` holds, the function returns the
    offset that the layout has at the 1-D coordinate i (the last mode is not bounded).
    Errors: InputError for a name that is no identifier, a constant beyond 64 bits, or a coordinate
    stride.

    >>> print(index_function(Layout.parse("(M,4):(4,1)"), "offset"))
    SC_INLINE long long offset(long long i, long long dim_M)
    {
        long long x = 0, s;
        (void)s; (void)dim_M;
        s = dim_M;
        x += i % s * 4LL;
        i /= s;
        x += i * 1LL;
        return x;
    }
    <BLANKLINE>
    """
    _check(layout, name)
    names = dim_names(layout)
    parameters = "".join(f", long long {_dim(n)}" for n in names)
    lines = [f"SC_INLINE long long {name}(long long i{parameters})", "{"]
    lines.append("    long long x = 0, s;")
    lines.append("    " + " ".join(f"(void){n};" for n in ("s", *map(_dim, names))))
    *inner, (_, last) = layout.modes()
    for extent, stride in inner:
        lines.append(f"    s = {leaf_text(extent)};")
        lines.append(f"    x += i % s * {leaf_text(stride)};")
        lines.append("    i /= s;")
    lines += [f"    x += i * {leaf_text(last)};", "    return x;", "}", ""]
    return "\n".join(lines)


def narrow_function(layout: Layout, name: str) -> str:
    """Return the 32-bit form: a struct of what a loop knows at its start, and two functions.

    `name_at name_for(long long dim_A, ...)` fills the struct, `int name(name_at at, unsigned i)`
    computes L(i).
    Post-conditions: as `index_function`, at dims where `fits(layout, dims, 32)` holds, i < 2**31.
    Errors: as `index_function`.

    >>> print(narrow_function(Layout.parse("(M,4):(4,1)"), "offset"))
    typedef struct { sc_divisor s0; } offset_at;
    SC_INLINE offset_at offset_for(long long dim_M)
    {
        offset_at at;
        (void)dim_M;
        at.s0 = sc_by(dim_M);
        return at;
    }
    SC_INLINE int offset(offset_at at, unsigned i)
    {
        unsigned q;
        int x = 0;
        (void)at; (void)q;
        q = sc_quotient(i, at.s0); x += (int)(i - q * at.s0.divisor) * 4; i = q;
        x += (int)i * 1;
        return x;
    }
    <BLANKLINE>
    """
    _check(layout, name)
    names = dim_names(layout)
    fields, filled, steps = [], [], []
    modes = layout.modes()
    for k, (extent, stride) in enumerate(modes):
        if isinstance(stride, int):
            by = f"({stride})" if stride < 0 else f"{stride}"
            _check_int(stride)
        else:
            fields.append(f"int d{k};")
            filled.append(f"    at.d{k} = (int){leaf_text(stride)};")
            by = f"at.d{k}"
        if k == len(modes) - 1:
            steps.append(f"    x += (int)i * {by};")
        elif isinstance(extent, int):
            _check_int(extent)
            steps.append(f"    q = i / {extent}u; x += (int)(i - q * {extent}u) * {by}; i = q;")
        else:
            fields.append(f"sc_divisor s{k};")
            filled.append(f"    at.s{k} = sc_by({leaf_text(extent)});")
            steps.append(
                f"    q = sc_quotient(i, at.s{k}); "
                f"x += (int)(i - q * at.s{k}.divisor) * {by}; i = q;"
            )
    unused = " ".join(f"(void){_dim(n)};" for n in names) or ""
    parameters = ", ".join(f"long long {_dim(n)}" for n in names) or "void"
    lines = [
        f"typedef struct {{ {' '.join(fields) or 'int none;'} }} {name}_at;",
        f"SC_INLINE {name}_at {name}_for({parameters})",
        "{",
        f"    {name}_at at;",
        *([f"    {unused}"] if unused else []),
        *(filled or ([] if fields else ["    at.none = 0;"])),
        "    return at;",
        "}",
        f"SC_INLINE int {name}({name}_at at, unsigned i)",
        "{",
        "    unsigned q;",
        "    int x = 0;",
        "    (void)at; (void)q;",
        *steps,
        "    return x;",
        "}",
        "",
    ]
    return "\n".join(lines)


def fits(layout: Layout, dims: Mapping[str, int], bits: int = 64) -> bool:
    """Return whether every value the index function computes at these dims fits so many bits.

    One-sided: True is certain (each sum is bounded by the sum of the absolute values of its terms).
    With 32 bits the leaves themselves may take 64: they are computed once, in 64 bits.
    Errors: InputError when a dim has no value or a quotient is no integer.

    >>> L = Layout.parse("(M,N):(N,1)")
    >>> [fits(L, {"M": 2**k, "N": 2**k}) for k in (20, 40)]
    [True, False]
    >>> [fits(L, {"M": 2**k, "N": 2**k}, 32) for k in (15, 16)]
    [True, False]
    """
    static = layout.at(dict(dims))
    size, reach = 1, 0
    for extent, stride in static.modes():
        size *= extent
        reach += max(1, extent - 1) * abs(stride)
    if max(size, reach) >= 1 << bits - 1 or any(abs(v) >= 1 << 63 for v in dims.values()):
        return False
    leaves = [lower(x) for pair in layout.modes() for x in pair]
    return all(_magnitude(r, dims) < 1 << 63 for r in leaves)


def _magnitude(r: Ratio, dims: Mapping[str, int]) -> int:
    """Return a bound on the absolute value of everything computed for a ratio."""
    bounds = [_poly_magnitude(p, dims) for p in (r.num, r.den)]
    for name in variables(r.num) | variables(r.den):
        if name in ATOMS:
            bounds += [_magnitude(ATOMS[name].a, dims), _magnitude(ATOMS[name].b, dims)]
    return max(bounds)


def _poly_magnitude(p: Poly, dims: Mapping[str, int]) -> int:
    total = 0
    for monomial, coefficient in p.items():
        term = abs(coefficient)
        for name, exponent in monomial:
            # A factor 0 must not hide that the product of the other factors is large.
            term *= max(1, abs(evaluate(variable(name), dims))) ** exponent
        total += term
    return total


def leaf_text(leaf: Leaf) -> str:
    """Return a leaf as a C expression in 64 bits over `dim_A, ...`.

    Errors: InputError for a constant beyond 64 bits.
    """
    return _ratio(lower(leaf))


def _ratio(r: Ratio) -> str:
    """Return the C expression of a ratio, in parentheses unless it is a single factor."""
    if r.den == ONE:
        return _poly(r.num)
    # The quotient is exact wherever the layout is defined, so that truncation does no harm.
    return f"({_poly(r.num)} / {_poly(r.den)})"


def _poly(p: Poly) -> str:
    terms = [_term(m, p[m]) for m in sorted(p, key=_order)]
    if len(terms) < 2:
        return terms[0] if terms else "0LL"
    return "(" + " + ".join(terms) + ")"


def _order(m: Monomial) -> tuple[int, Monomial]:
    return -sum(e for _, e in m), m


def _term(m: Monomial, coefficient: int) -> str:
    factors = [f for name, exponent in m for f in [_variable(name)] * exponent]
    if coefficient != 1 or not factors:
        factors.insert(0, _constant(coefficient))
    return factors[0] if len(factors) == 1 else "(" + " * ".join(factors) + ")"


def _constant(c: int) -> str:
    if abs(c) >= 1 << 63:
        raise InputError(f"the constant {c} does not fit 64 bits", "use a smaller layout")
    return f"{c}LL" if c >= 0 else f"({c}LL)"


def _variable(name: str) -> str:
    atom = ATOMS.get(name)
    if atom is None:
        return _dim(name)
    return f"{_HELPERS[atom.kind]}({_ratio(atom.a)}, {_ratio(atom.b)})"


def _dim(name: str) -> str:
    _check_name(name)
    return f"dim_{name}"


def _check(layout: Layout, name: str) -> None:
    _check_name(name)
    if layout.coordinate_strides:
        require_integers(layout.stride, "index_function")


def _check_int(value: int) -> None:
    if abs(value) >= 1 << 31:
        raise InputError(f"the constant {value} does not fit 32 bits", "use the wide function")


def _check_name(name: str) -> None:
    if not _NAME.match(name):
        raise InputError(f"{name!r} is not a name that C accepts", "use letters, digits and _")
