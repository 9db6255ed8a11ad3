"""What parameters of a Triton kernel are, as far as their uses say so."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Mapping, Sequence

__all__ = ["addresses", "asked", "described", "extents", "folded", "tested", "unrolled", "uses"]

#: What gives no constant, whatever it is given.
_NO_CONSTANT = frozenset({
    "program_id", "num_programs", "arange", "load", "zeros", "full", "sum", "to", "range",
})  # fmt: skip
#: Modules of Triton, and functions of Python, that tell nobody what their arguments are.
_NO_QUESTION = frozenset({
    "tl", "triton", "libdevice", "math", "range", "min", "max", "float", "int", "bool", "abs",
    "len", "print",
})  # fmt: skip
#: Of whose parts some may not be computed.
_PERHAPS = (ast.IfExp, ast.BoolOp, ast.Lambda, ast.FunctionDef, ast.comprehension)


def uses(
    node: ast.FunctionDef,
    names: frozenset[str],
    functions: Mapping[str, ast.FunctionDef],
    within: tuple[str, ...] = (),
) -> tuple[frozenset[str], frozenset[str]]:
    """Return which parameters addresses begin with, and which others are in addresses and masks.

    What a parameter is that a host function is given, and says nothing of, is taken from these.
    Addresses may be those of what is called: of `functions`, but for those `within` which this is.
    """
    begins: dict[str, set[str]] = {}
    inside: dict[str, set[str]] = {}
    pointers: set[str] = set()
    numbers: set[str] = set()
    for n in ast.walk(node):
        match n:
            case (
                ast.Assign(targets=[ast.Name(id=target)], value=value)
                | ast.AugAssign(target=ast.Name(id=target), value=value)
            ):
                first = _first(value)
                if first is not None and isinstance(n, ast.Assign):
                    begins.setdefault(target, set()).add(first)
                inside.setdefault(target, set()).update(_names(value))
            case ast.Call(func=ast.Attribute(attr=attr), args=[where, *_]) if attr in (
                "load",
                "store",
                "make_block_ptr",
                "make_tensor_descriptor",
            ) or attr.startswith("atomic_"):
                first = _first(where)
                if first is not None:
                    pointers.add(first)
                numbers |= _names(where)
            case ast.Compare() | ast.BinOp(op=ast.FloorDiv() | ast.Mod()):
                numbers |= _names(n)
            case ast.Call(func=called, args=args) if ast.unparse(called).endswith(
                ("range", "cdiv", "minimum", "maximum", "min", "max")
            ):
                numbers |= {
                    x.id for part in args for x in ast.walk(part) if isinstance(x, ast.Name)
                }
    for function, given, around in _calls(node, functions, within):
        taken, _ = uses(function, frozenset(_parameters(function)), functions, around)
        pointers |= {name for p, value in given if p in taken and (name := _first(value))}
    grown = True
    while grown:
        more = set[str]().union(*(begins.get(p, set()) for p in pointers)) - pointers
        pointers |= more
        grown = bool(more)
    numbers = numbers.union(*(inside.get(p, set()) for p in pointers))
    return frozenset(pointers & names), frozenset((numbers & names) - pointers)


def _parameters(node: ast.FunctionDef) -> list[str]:
    return [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]


def _calls(
    node: ast.FunctionDef, functions: Mapping[str, ast.FunctionDef], within: tuple[str, ...]
) -> Iterator[tuple[ast.FunctionDef, list[tuple[str, ast.expr]], tuple[str, ...]]]:
    """Yield what is called, with what its parameters are given, and which functions that is in."""
    around = (*within, node.name)
    for n in ast.walk(node):
        match n:
            case ast.Call(func=ast.Name(id=name), args=args, keywords=words) if (
                name in functions and name not in around
            ):
                given = [*zip(_parameters(functions[name]), args, strict=False)]
                given += [(k.arg, k.value) for k in words if k.arg is not None]
                yield functions[name], given, around


def _names(node: ast.AST) -> set[str]:
    return {x.id for x in ast.walk(node) if isinstance(x, ast.Name)}


def _first(node: ast.expr) -> str | None:
    while isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        node = node.left
    return node.id if isinstance(node, ast.Name) else None


def addresses(node: ast.FunctionDef) -> frozenset[str]:
    """Return the names that loads begin with of which the numbers are made pointers."""
    found = set[str]()
    for n in ast.walk(node):
        match n:
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Call(func=ast.Attribute(attr="load"), args=[where, *_]), attr="to"
                ),
                args=[ast.Call(func=ast.Name(id=made) | ast.Attribute(attr=made))],
            ) if made == "pointer_type" and (first := _first(where)):
                found.add(first)
    return frozenset(found)


def asked(
    node: ast.FunctionDef, functions: Mapping[str, ast.FunctionDef], within: tuple[str, ...] = ()
) -> frozenset[str]:
    """Return the parameters of which a kernel may ask what they are, such as descriptors.

    It may by `isinstance`, by types, and by a function that is none of `functions`.
    """
    made, own = _made(node), {*_parameters(node)}
    found = set[str]()
    of_pointers = set[ast.AST]()
    for n in ast.walk(node):
        match n:
            case ast.Call(func=called, args=args, keywords=words):
                root = ast.unparse(called).partition(".")[0]
                if root not in (*functions, *_NO_QUESTION, *own, *made):
                    found |= {v.id for v in (*args, *(k.value for k in words))
                              if isinstance(v, ast.Name)}  # fmt: skip
            case ast.Attribute(value=ast.Attribute() as type, attr="element_ty"):
                of_pointers.add(type)  # nothing else has it
            case ast.Attribute(value=ast.Name(id=name), attr="type" | "dtype"):
                found |= set() if n in of_pointers else {name}
    for function, given, around in _calls(node, functions, within):
        taken = asked(function, functions, around)
        found |= {v.id for p, v in given if p in taken and isinstance(v, ast.Name)}
    while more := {v.id for n in found for v in made.get(n, ()) if isinstance(v, ast.Name)} - found:
        found |= more
    return frozenset(found & own)


def tested(node: ast.FunctionDef, names: frozenset[str]) -> frozenset[str]:
    """Return the parameters of which it may matter whether they are None."""
    found = set[str]()
    for n in ast.walk(node):
        match n:
            case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq()]):
                parts: list[ast.expr] = [left]
            case ast.If(test=test) | ast.IfExp(test=test):
                parts = [test]
            case ast.BoolOp(values=parts):
                pass
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                parts = [inner]
            case ast.Call(func=ast.Name(), args=parts, keywords=words):
                parts = [*parts, *(k.value for k in words)]
            case _:
                continue
        found |= {x.id for x in parts if isinstance(x, ast.Name)}
    return frozenset(found & names)


def extents(node: ast.FunctionDef, names: frozenset[str]) -> frozenset[str]:
    """Return the parameters that are extents of tensors on every way through a kernel."""
    found = set[str]()
    for statement in _always(node.body):
        parts = list(ast.walk(statement))
        if any(isinstance(n, _PERHAPS) for n in parts):
            continue
        for n in parts:
            match n:
                case ast.Call(
                    func=ast.Attribute(attr="arange"),
                    args=[ast.Constant(value=0), ast.Name(id=name)],
                ):
                    found.add(name)
    return frozenset(found & names)


def _always(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements that Triton compiles whatever the constants are.

    Of a loop over a range there are those inside, however often it turns on a device.
    """
    for statement in body:
        match statement:
            case ast.If() | ast.While() | ast.Return():
                return
            case ast.For(iter=ast.Call(func=ast.Name(id="range") | ast.Attribute(attr="range"))):
                inside = list(_always(statement.body))
                yield from inside
                if inside[-1:] != statement.body[-1:]:
                    return
            case ast.For():
                return
            case _:
                yield statement


def unrolled(node: ast.FunctionDef, names: frozenset[str]) -> frozenset[str]:
    """Return the parameters that say how often what Triton unrolls is repeated."""
    found = set[str]()
    for n in ast.walk(node):
        match n:
            case ast.Call(func=ast.Attribute(attr="static_range"), args=[_] | [_, _] as ends):
                found = found.union(*map(_names, ends))
    return frozenset(found & names)


def described(
    node: ast.FunctionDef, functions: Mapping[str, ast.FunctionDef], within: tuple[str, ...] = ()
) -> dict[str, int]:
    """Return the parameters that are descriptors on all ways, with how many axes each has.

    They are so in what is called, too: `functions` are those that may be, but for those `within`
    which this one is.
    """
    stored = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and type(n.ctx) is ast.Store}
    found: dict[str, int] = {}
    for n in ast.walk(node):
        match n:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=p), attr=attr),
                args=[ast.List(elts=at) | ast.Tuple(elts=at), *_],
            ) if attr in ("load", "store") or attr.startswith("atomic_"):
                found[p] = len(at)
    for function, given, around in _calls(node, functions, within):
        taken = described(function, functions, around)
        found |= {v.id: taken[p] for p, v in given if p in taken and isinstance(v, ast.Name)}
    return {p: found[p] for p in _parameters(node) if p in found and p not in stored}


def folded(
    node: ast.FunctionDef, names: frozenset[str], functions: Mapping[str, ast.FunctionDef]
) -> frozenset[str]:
    """Return the parameters with which Python may compute otherwise than a device does.

    Where a number is 1, Triton takes it for a constant, and Python computes with constants: it
    rounds quotients down, and its numbers do not wrap. `functions` are those that may be called.
    """
    made = _made(node)
    moving = set[str]()
    while more := {n for n, values in made.items() if all(_moves(v, moving) for v in values)
                   } - moving - names:  # fmt: skip
        moving |= more

    def reached(part: ast.AST) -> set[str]:
        found, waiting = set[str](), _names(part)
        while waiting:
            found |= waiting
            waiting = set[str]().union(*(_names(v) for n in waiting for v in made.get(n, ())))
            waiting -= found
        return found

    def may_be_negative(part: ast.expr) -> bool:
        values = [part, *(v for n in reached(part) for v in made.get(n, ()))]
        return any(isinstance(n, (ast.Sub, ast.USub)) for v in values for n in ast.walk(v))

    found = set[str]()
    for n in ast.walk(node):
        match n:
            case ast.BinOp(left=left, op=ast.FloorDiv() | ast.Mod()):
                is_odd = may_be_negative(left) and not _moves(n, moving)
            case ast.BinOp(op=ast.LShift() | ast.RShift() | ast.Pow()):
                is_odd = not _moves(n, moving)
            case ast.Call(func=ast.Name(id=name)) if name in functions:
                rest = {k: f for k, f in functions.items() if k != name}
                held = frozenset(a.arg for a in functions[name].args.args)
                is_odd = bool(folded(functions[name], held, rest))
            case ast.Call(func=called, args=args):
                is_odd = ast.unparse(called).endswith("cdiv") and any(map(may_be_negative, args))
            case _:
                continue
        if is_odd:
            found |= reached(n)
    return frozenset(found & names)


def _made(node: ast.FunctionDef) -> dict[str, list[ast.expr]]:
    """Return what each name is made of."""
    made: dict[str, list[ast.expr]] = {}
    for n in ast.walk(node):
        match n:
            case ast.Assign(targets=targets, value=value):
                pass
            case ast.AugAssign(target=target, value=value) | ast.For(target=target, iter=value):
                targets = [target]
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                targets = [target]
            case _:
                continue
        for name in {x.id for t in targets for x in ast.walk(t) if isinstance(x, ast.Name)}:
            made.setdefault(name, []).append(value)
    return made


def _moves(part: ast.expr, moving: Container[str]) -> bool:
    """Is this no constant, whatever the parameters are?"""
    return any(name in moving for name in _names(part)) or any(
        isinstance(n, ast.Call) and ast.unparse(n.func).rpartition(".")[2] in _NO_CONSTANT
        for n in ast.walk(part)
    )
