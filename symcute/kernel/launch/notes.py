"""`// symcute:` comments, and the same said on the command line or in Python, as a setting.

    // symcute: launch grid=(ceil_div(N,256)) block=(256) shared=4*N
    // symcute: arg n = N                   the parameter n is the dim N
    // symcute: extent x = N                the array x has N elements
    // symcute: assume N <= 2**20
    // symcute: contents cols in [0, N)     what the integers in an array lie between
    // symcute: contents perm distinct in [0, N)         no two of them are equal
    // symcute: contents start increasing from 0 to T    its first and its last, and all in order
    // symcute: contents back inverse of perm            back[perm[i]] is i
    // symcute: align x = 512               the first byte of x is at a multiple of 512
    // symcute: arch sm80
    // symcute: covers out                  every element of out is written exactly once
    // symcute: implements out = (M,N):(N,1)    those of the layout are
    // symcute: bank_conflicts tile <= 0    what a warp's request to the array costs at most
    // symcute: sectors x <= 4

What is said outside of the source takes the place of what the source says of the same thing; what
is assumed comes together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NoReturn

from symcute.errors import InputError, TextError
from symcute.expr import limits
from symcute.expr.assumptions import Assumptions, Given
from symcute.expr.definedness import Condition, of_operators
from symcute.expr.expression import as_leaf, free_dims, read, read_leaf, unrounded
from symcute.expr.formula import Formula, divides, implies, le
from symcute.expr.htuple import Leaf, show_leaf
from symcute.expr.parser import parse
from symcute.expr.syntax import Node
from symcute.kernel.ir.families import Family
from symcute.kernel.ir.program import Int, Kernel
from symcute.kernel.ir.setting import Setting, Table
from symcute.kernel.properties.transactions import COUNTED
from symcute.layout.layout import Layout
from symcute.solve.entailment import Entailment, facts

__all__ = ["read_setting"]

KINDS = (
    "launch", "arg", "extent", "assume", "contents", "align", "arch", "covers", "implements",
    "template", "invariant", "bank_conflicts", "sectors",
)  # fmt: skip
#: What a front end has compiled a kernel for: nothing is left to be taken from it.
PROGRAM = ("type", "constexpr")
_PART = re.compile(r"(?:^|\s)(grid|block|shared)\s*=")
_BIND = re.compile(r"([A-Za-z_]\w*(?:[.\[][^=<>]*)?)\s*=(?!=)\s*(.+)", re.DOTALL)
_MOST = re.compile(r"([A-Za-z_]\w*)\s*<=\s*(\d{1,6})")
_BLOCK = " block=(256)"
_HELD = re.compile(r"([A-Za-z_]\w*)\s+(\S.*)", re.DOTALL)
_IN = re.compile(r"(?:(distinct\s+)?in\s+)?([\[(].*[\])])", re.DOTALL)
_INCREASING = re.compile(r"increasing\s+from\s+(.+)\s+to\s+(.+)", re.DOTALL)
_INVERSE = re.compile(r"inverse\s+of\s+([A-Za-z_]\w*)")
#: The work that it is worth to see that one number divides another.
DIVIDING = 100
Launch = tuple[tuple[Leaf, Leaf, Leaf], tuple[Leaf, Leaf, Leaf], Leaf]


@dataclass
class _Said:
    """What the notes say, each thing with the last word on it."""

    launch: Launch | None = None
    block: tuple[int, int, int] | None = None  # where the source fixes it
    arch: str | None = None
    given: list[Any] = field(default_factory=list)
    covers: list[str] = field(default_factory=list)
    arguments: dict[str, Leaf] = field(default_factory=dict)
    extents: dict[str, Leaf] = field(default_factory=dict)
    contents: dict[str, tuple[Leaf, Leaf]] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    alignment: dict[str, int] = field(default_factory=dict)
    implements: dict[str, Layout] = field(default_factory=dict)
    limits: dict[str, int] = field(default_factory=dict)
    memory: dict[str, str] = field(default_factory=dict)  # which memory a limit is about
    #: What expressions ask for to have a value, and where they are written.
    asked: list[tuple[str, Condition]] = field(default_factory=list)
    place: str = ""

    def leaf(self, value: Any) -> Leaf:
        """Return the leaf that a value or a text is."""
        if not isinstance(value, str):
            return as_leaf(value, "a setting")
        return read_leaf(self.tree(value), value, lambda node: _refuse(node, value))

    def tree(self, text: str, what: str = "expression") -> Node:
        """Return the tree of a text, having noted what it asks for."""
        tree = parse(text, what=what)
        self.asked += [(self.place, condition) for condition in of_operators(tree, text)]
        return tree


def read_setting(
    kernel: Kernel,
    *,
    launch: str | None = None,
    given: Given = (),
    arguments: Mapping[str, Any] | None = None,
    extents: Mapping[str, Any] | None = None,
    contents: Mapping[str, Any] | None = None,
    alignment: Mapping[str, Any] | None = None,
    architecture: str | None = None,
    limits: Iterable[str] = (),
    family: Family | None = None,
) -> Setting:
    """Return the setting that a kernel's notes describe, changed by what is given here.

    What was inferred of a family of launches stands behind all that is written by hand.
    Values are ints, expressions in dims, or text in our grammar; contents are text such as "[0, N)"
    or pairs, both ends included; limits are text such as "tile <= 0".
    Errors: InputError where the launch is missing, a name is none of the kernel's, or a note does
    not make sense, with its place.
    """
    said = _Said(block=kernel.block)
    inferred = [(n.text, n.place) for n in family.notes] if family is not None else []
    for text, place in (*inferred, *kernel.notes):
        said.place = f"{place}: "
        try:
            _take(said, text)
        except TextError as error:
            what = f"{place}: {error.wrong}"
            raise TextError(what, error.text, error.position, error.fix) from None
        except InputError as error:
            raise InputError(f"{place}: {error.what}", error.fix) from None
    said.place = ""
    if launch is not None:
        said.launch = _launch(said, launch)
    own = [given] if isinstance(given, str) else list(given)
    said.arguments.update({k: said.leaf(v) for k, v in (arguments or {}).items()})
    said.extents.update({k: said.leaf(v) for k, v in (extents or {}).items()})
    for name, held in (contents or {}).items():
        _hold(said, name, held)
    said.alignment.update({k: _power(said, v) for k, v in (alignment or {}).items()})
    for text in limits:
        _limit(said, text)
    if said.launch is None:
        raise InputError(
            f"the launch of {kernel.name} is not given",
            f'give --launch "grid=(ceil_div(N,256)){_BLOCK * (kernel.block is None)}", or write it '
            f"above the kernel as {kernel.target.note} launch grid=..."
            + " block=..."
            * (kernel.block is None),
        )
    _check_names(kernel, said)
    _check_tables(said)
    _check_dims(said)
    assumed = Assumptions.of([*said.given, *own, *_truths(kernel, said)])
    assumed = assumed.about(_dims_of(kernel, said))
    _check_values(said, assumed)
    known = facts(assumed)

    def plain(leaf: Leaf) -> Leaf:
        # Digits of a grid of N/16 blocks are told apart where those of ceil_div(N,16) are not.
        return unrounded(leaf, lambda b, a: _goes_into(known, b, a))

    (gx, gy, gz), (bx, by, bz), shared = said.launch
    return Setting(
        (plain(gx), plain(gy), plain(gz)),
        (plain(bx), plain(by), plain(bz)),
        plain(shared),
        {k: plain(v) for k, v in said.arguments.items()},
        {k: plain(v) for k, v in said.extents.items()},
        {k: (plain(low), plain(high)) for k, (low, high) in said.contents.items()},
        said.alignment,
        assumed,
        architecture or said.arch or "sm90",
        tuple(dict.fromkeys(said.covers)),
        said.implements,
        said.limits,
        said.tables,
    )


def _goes_into(known: Entailment, b: Any, a: Any) -> bool:
    """Return whether a number is seen to divide another, at little cost."""
    with suppress(limits.WorkLimit), limits.budget(DIVIDING):
        return known.proves(divides(b, a), solver=False)
    return False


def _launch(said: _Said, text: str) -> Launch:
    cuts = list(_PART.finditer(text))
    parts = {}
    for k, cut in enumerate(cuts):
        end = cuts[k + 1].start() if k + 1 < len(cuts) else len(text)
        # Read where it stands, so that columns are those of the launch.
        part = text[cut.end() : end].rstrip().rstrip(",")
        parts[cut[1]] = " " * cut.end() + part
    before = text[: cuts[0].start() if cuts else None].strip()
    fixed = () if said.block is None else ("block",)
    missing = [name for name in ("grid", "block") if name not in (*parts, *fixed)]
    if any(name in parts for name in fixed):
        wrong = "in this launch: a program is one block, whose extents are those of its tensors"
        raise TextError(wrong, text, 0, "leave out block=")
    if missing or before:
        wrong = (
            f"{' and '.join(missing)} missing" if missing else "expected grid=, block= or shared="
        )
        fix = 'write "grid=(ceil_div(N,256)) block=(256) shared=BYTES"'
        fix = 'write "grid=(ceil_div(N,256))"' if fixed else fix
        # What stands before the first part is what was meant to be one.
        raise TextError(f"in this launch: {wrong}", text, 0 if before else len(text), fix)
    try:
        shared = said.leaf(parts["shared"]) if "shared" in parts else 0
        block = said.block or _three(said, parts["block"])
        return _three(said, parts["grid"]), block, shared
    except TextError as error:
        raise error.within(text) from None


def _take(said: _Said, text: str) -> None:
    kind, _, rest = text.partition(" ")
    rest = rest.strip()
    if kind == "launch":
        said.launch = _launch(said, rest)
    elif kind == "assume":
        said.given.append(Assumptions.of(rest))
    elif kind in ("arg", "extent", "align", "implements"):
        name, value = _bound(kind, rest)
        if kind == "arg":
            said.arguments[name] = said.leaf(value)
        elif kind == "extent":
            said.extents[name] = said.leaf(value)
        elif kind == "align":
            said.alignment[name] = _power(said, value)
        else:
            said.tree(value, "layout")
            said.implements[name] = Layout.parse(value)
    elif kind == "contents":
        found = _HELD.fullmatch(rest)
        if found is None:
            raise InputError(f"{rest!r} is no range", "write contents cols in [0, N)")
        _hold(said, found[1], found[2])
    elif kind in ("bank_conflicts", "sectors"):
        said.memory[_limit(said, rest)] = kind
    elif kind == "covers":
        said.covers.append(rest)
    elif kind == "arch":
        said.arch = rest
    elif kind not in (*KINDS, *PROGRAM):
        raise InputError(f"there is no note {kind!r}", f"known are {', '.join(KINDS)}")


def _bound(kind: str, text: str) -> tuple[str, str]:
    found = _BIND.fullmatch(text)
    if found is None:
        example = {"align": "x = 512", "implements": "out = (M,N):(N,1)"}.get(kind, "n = N")
        raise InputError(f"{text!r} binds nothing", f"write {kind} {example}")
    if "=" in found[2]:
        raise InputError(
            f"{text!r} binds more than one name", f"give each a comment of its own: {kind} x = n"
        )
    return found[1].strip(), found[2].strip()


def _limit(said: _Said, text: str) -> str:
    """Take what a request costs at most, and return the array."""
    found = _MOST.fullmatch(text.strip())
    if found is None:
        raise InputError(f"{text!r} is no limit", 'write "tile <= 1", with a number')
    said.limits[found[1]] = int(found[2])
    return found[1]


def _three(said: _Said, text: str) -> tuple[Leaf, Leaf, Leaf]:
    tree = said.tree(text, "extent")
    value = read(tree, text, lambda node: _refuse(node, text))
    parts: tuple[Any, ...] = value if isinstance(value, tuple) else (value,)
    if not 1 <= len(parts) <= 3 or any(isinstance(x, tuple) or x is None for x in parts):
        wrong = f"{text.strip()!r} are no extents"
        raise TextError(wrong, text, tree.pos, "give one to three, as (x,y,z)")
    x, y, z = (as_leaf(p, "a launch") for p in (*parts, 1, 1)[:3])
    return x, y, z


def _refuse(node: Node, text: str) -> NoReturn:
    raise TextError(
        "expected a number or an expression in dims", text, node.pos, "write such as 4 or M*N"
    )


def _power(said: _Said, value: Any) -> int:
    found = said.leaf(value)
    if not isinstance(found, int) or found < 1 or found & (found - 1):
        raise InputError(f"{value} is no alignment", "give a power of two, in bytes")
    return found


def _hold(said: _Said, name: str, value: Any) -> None:
    """Take what the integers in an array are."""
    text, table = value, None
    if isinstance(value, str):
        if found := _INCREASING.fullmatch(value.strip()):
            text, table = (found[1], found[2]), Table(increasing=True)
        elif found := _INVERSE.fullmatch(value.strip()):
            text, table = (0, -1), Table(distinct=True, inverse=found[1])  # see _check_tables
        elif found := _IN.fullmatch(value.strip()):
            text, table = found[2], Table(distinct=True) if found[1] else None
    said.contents[name] = _range(said, text)
    said.tables.pop(name, None)
    if table is not None:
        said.tables[name] = table


def _check_tables(said: _Said) -> None:
    """Refuse tables of which it is not said how long they are; put inverses together."""
    for name, table in [*said.tables.items()]:
        if name not in said.extents:
            raise InputError(
                f"the contents of {name} are said as a whole, and its extent is not given",
                f"write extent {name} = N too",
            )
        if not table.inverse:
            continue
        other, last = said.tables.get(table.inverse), said.extents[name] - 1
        whole = said.contents.get(table.inverse) == (0, last)
        if other is None or not other.distinct or other.inverse not in ("", name) or not whole:
            extent = show_leaf(said.extents[name])
            raise InputError(
                f"{table.inverse} has no inverse of {extent} elements",
                f"write contents {table.inverse} distinct in [0, {extent})",
            )
        if table.inverse == name or said.extents.get(table.inverse) != said.extents[name]:
            raise InputError(
                f"{table.inverse} and its inverse {name} are not of one extent",
                f"write extent {name} = N and extent {table.inverse} = N",
            )
        said.contents[name] = (0, last)
        said.tables[table.inverse] = Table(distinct=True, inverse=name)


def _range(said: _Said, value: Any) -> tuple[Leaf, Leaf]:
    """Return both ends of a range, included."""
    if not isinstance(value, str):
        low, high = value
        return said.leaf(low), said.leaf(high)
    text = value.strip()
    inner = list(_split(text[1:-1])) if text[:1] in ("[", "(") and text[-1:] in ("]", ")") else []
    if len(inner) != 2:
        raise InputError(f"{value!r} is no range", 'write "[0, N)"')
    low, high = (said.leaf(x.strip()) for x in inner)
    return (low if text[0] == "[" else low + 1), (high if text[-1] == "]" else high - 1)


def _split(text: str) -> Iterator[str]:
    """Yield the parts between commas outside of brackets."""
    level, start = 0, 0
    for k, c in enumerate(text):
        level += (c in "([") - (c in ")]")
        if c == "," and level == 0:
            yield text[start:k]
            start = k + 1
    yield text[start:]


def _check_names(kernel: Kernel, said: _Said) -> None:
    arrays = [a.name for a in kernel.arrays]
    integers = [p.name for p in kernel.params if isinstance(p.type, Int)]
    for what, names, known in (
        ("array", [*said.extents, *said.contents, *said.alignment], arrays),
        ("array", [*said.covers, *said.implements], arrays),
        ("array of shared or global memory", list(said.limits), _limited(kernel)),
        ("integer parameter", list(said.arguments), integers),
    ):
        for name in names:
            if name not in known:
                shown = ", ".join(known) or "none"
                raise InputError(f"{kernel.name} has no {what} {name!r}", f"there are: {shown}")
    for name, kind in said.memory.items():
        space = next(a.space for a in kernel.arrays if a.name == name)
        if COUNTED[kind] != space:
            other = next(k for k, s in COUNTED.items() if s == space)
            raise InputError(f"{kind} of {name}, which is in {space} memory", f"write {other}")


def _check_dims(said: _Said) -> None:
    """Refuse a dim that has the name of an argument and not its value.

    What is assumed of all kernels of a file or folder may be about the arguments of others.
    """
    dims = _used(said)
    for name, value in said.arguments.items():
        if name in dims and name not in free_dims(value):
            shown = show_leaf(value)
            raise InputError(
                f"the dim {name} has the name of an argument that is {shown}",
                f"write {shown} in place of {name}, or leave out arg {name} = {shown}",
            )


def _used(said: _Said) -> set[str]:
    """Return the dims of the launch, of arguments and of arrays."""
    grid, block, shared = said.launch or ((), (), 0)
    bounds = [x for pair in said.contents.values() for x in pair]
    used = [*grid, *block, shared, *said.arguments.values(), *said.extents.values(), *bounds]
    return set[str]().union(*map(free_dims, used))


def _truths(kernel: Kernel, said: _Said) -> list[str]:
    """Return where parameters begin that are no sizes: truths, and those of enums."""
    free = [p for p in kernel.params if p.name not in said.arguments]
    numbers = [(p, p.numbers) for p in free]
    return [f"{p.name} >= {n.low}" for p, n in numbers if n and (p.within or n.bits == 1)]


def _dims_of(kernel: Kernel, said: _Said) -> set[str]:
    """Return the dims that a kernel has; what a folder assumes may be about those of others."""
    shown = (layout.dims() for layout in said.implements.values())
    assumed = Assumptions.of(said.given).dims()
    return _used(said).union((p.name for p in kernel.params), assumed, *shown)


def _check_values(said: _Said, assumed: Assumptions) -> None:
    """Refuse a quotient that is not known to be exact, and a divisor that may be below 1.

    What is assumed of all of them decides.
    """
    known = facts(assumed)
    for place, condition in (*said.asked, *(("", c) for c in assumed.conditions)):
        wanted = _positive(condition.formula)
        if known.proves(wanted):
            continue
        wrong, fix = condition.wrong, condition.fix
        if condition.kind == "divisor":
            wrong = f"the divisor of {condition.source} is not known to be at least 1"
            fix = f'assume "{wanted}"'
        raise InputError(f"{place}{wrong}", fix)


def _positive(condition: Formula) -> Formula:
    """Return that a divisor is at least 1 for that it is not 0: what kernels are walked with."""
    if condition.op == "implies":
        return implies(condition.args[0], _positive(condition.args[1]))
    return le(1, condition.args[0]) if condition.op == "ne" else condition


def _limited(kernel: Kernel) -> list[str]:
    return [a.name for a in kernel.arrays if a.space in COUNTED.values()]
