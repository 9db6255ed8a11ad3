"""What clang wrote, made ready for passes that would lose what is asked about.

LLVM's passes inline functions and turn variables into values, but on the way they drop reads that
nobody uses, compute with numbers that they know and forget that this wrapped, and choose for a
variable that was never set what suits them. So that all of this is still there when a kernel is
read,

- accesses that are not plainly those of a variable are volatile: no pass drops, merges, moves or
  adds one; nor does it drop assembly, or a call of a function that only reads;
- arithmetic is calls of functions that no pass knows, until there is nothing left to inline
  (`restored`);
- functions of CuTe's tensors are called as their layouts, since passes forget types (`LAYOUT`);
- a variable begins with what a function gives of which nothing is known; where it stays in memory
  that is nothing that the source does, and is left out again (`restored`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from symcute.frontends.llvm.debug import LAYOUT, Debug
from symcute.frontends.llvm.layouts import layout_of_tensor
from symcute.frontends.llvm.text import Module, Tokens, Unread
from symcute.frontends.llvm.types import Listed, LType, Number, Ptr, Real, leaves, size_of

__all__ = [
    "ALLOCA",
    "ANY",
    "DOUBT",
    "HOLD",
    "LARGE",
    "MOVABLE",
    "NAME",
    "OWN",
    "prepared",
    "restored",
    "written",
]

#: Functions that give a value of which nothing is known, and that hold a variable in memory.
ANY, HOLD = "symcute.any", "symcute.hold"
#: What clang names variables that hold what others begin with.
OWN = ("@__const.", '@"__const.')
#: What is called with an address that clang knows to be aligned less than a copy may ask for.
DOUBT = "symcute.doubt"
#: What assembly says that need not stay in the source; it means nothing on a GPU.
MOVABLE = "alignstack"
#: Variables of more bytes stay where they are.
LARGE = 256
NAME = re.compile(r'%(?:[-\w$.]+|"[^"]+")')
ALLOCA = re.compile(rf"^  ({NAME.pattern}) = alloca (.*?), align (\d+)")
_ACCESS = re.compile(rf"^(  (?:{NAME.pattern} = load|store)) (?!volatile|atomic)(.*)$")
_POINTER = re.compile(rf", ptr(?: addrspace\(\d+\))? ({NAME.pattern}|[@a-z]\S*)")
#: What wraps, or has no result for some numbers, and what is promised of the operands.
_ARITHMETIC = re.compile(
    rf"^  ({NAME.pattern}) = "
    r"((?:add|sub|mul|shl|lshr|ashr|[su]div|[su]rem|and|or|xor)(?: (?:nsw|nuw|exact|disjoint))*)"
    r" (i\d+) ((?!.*\().*?, .*?)(?=, !|$)"
)
_NARROWED = re.compile(
    rf"^  ({NAME.pattern}) = (trunc(?: nsw| nuw)*) (i\d+) ((?!.*\().*?) to (i\d+)(?=, !|$)"
)
_CALCULATED = re.compile(
    r"(?:tail )?call (?:noundef )?(?:range\([^)]*\) )?"
    r"(i\d+) @symcute\.op\.((?:[a-z]+\.)+)(i\d+)\.i\d+\("
)
#: A copy that the source asks for by name: of its bytes, whatever pointers point to.
_COPIED = re.compile(
    rf"^  ({NAME.pattern}) = (?:tail )?call ptr @mem(cpy|move)\("
    r"ptr noundef ([^,]*), ptr noundef ([^,]*), i64 noundef ([^,]*)\)(?: #\d+)?"
)
#: A pointer of which clang knows but its type, and one that moves by whole elements of that.
_OPAQUE = re.compile(rf"^  ({NAME.pattern}) = (?:load ptr|(?:tail )?call [^()]*\bptr [^()]*@)")
_STEP = re.compile(
    rf"^  ({NAME.pattern}) = getelementptr (?:inbounds )?[^,]*, ptr ([^,]*), \w+ [^,]*$"
)
_MOVE = re.compile(
    r"^(  call void @llvm\.mem(?:cpy|move)\S*\(ptr [^,]*? (\S+), ptr [^,]*? (\S+), i64 \S+, i1 )"
    r"false(?=.*?(?:, !dbg !(\d+))?$)"
)
_SAID = re.compile(r"(?<= align )(\d+)")
#: A function with its class, and the class of a tensor with its namespace.
_METHOD = re.compile(r"!\d+ = distinct !DISubprogram\(name: .*?, scope: !(\d+),")
_TENSOR = re.compile(
    r'(?:distinct )?!DICompositeType\(tag: \w+, name: "(Tensor<[^"]*)", scope: !(\d+),'
)
_READ_ONLY = "llvm.nvvm.ldg."


def prepared(text: str, module: Module, kernels: Iterable[str], plain: Collection[str] = ()) -> str:
    """Return the module with nothing that a pass may drop.

    Copies are volatile where one end is said to be aligned as the type that is copied is: of an
    address clang says that, unless it knows a variable, an element of an array or a member there.
    Of these it may know less than a type asks for to which a pointer was cast: in `plain` files,
    where nothing is, the type asks for no more than clang knows of either end. Who calls `memcpy`
    asks for no alignment.
    """
    debug = Debug(module)
    functions: dict[str, str] = {}
    out: list[str] = []
    variables: dict[str, str] = {}
    first: list[str] = []
    wanted = set(kernels)
    opaque: set[str] = set()
    for line in text.replace(_READ_ONLY, "symcute.ldg.").split("\n"):
        if line.startswith("define "):
            variables, opaque = {}, set()
            name = re.search(r"@([-\w$.]+|\"[^\"]*\")\(", line)
            if name and name[1].strip('"') in wanted:
                line, first = _by_value(line, module)
        elif first and line.startswith("entry:"):
            out += [line, *first]
            first = []
            continue
        elif line.startswith("!"):
            line = _named_by_layout(line, module)
        elif line.startswith("attributes #"):
            if " noreturn " in line:  # calls before what is never reached are cold, and left
                line = line.replace(" noinline ", " alwaysinline ")
            line = re.sub(r" (?:noinline|optnone|readnone|readonly|memory\([^)]*\))(?= )", "", line)
        elif "symcute.ldg." in line:
            line = re.sub(r" #\d+", "", line)
        elif " asm " in line and "call " in line:
            line = re.sub(r" asm (?!sideeffect )", f" asm sideeffect {MOVABLE} ", line)
        elif found := _MOVE.match(line):
            if opaque & {found[2], found[3]} or found[3].startswith(OWN):
                line = f"{found[1]}true{line[found.end() :]}"
            elif found[4] and debug.file(debug.fields(found[4]).get("scope", "")) in plain:
                least = min(map(int, _SAID.findall(found[1])), default=1)
                line = f"{_SAID.sub(str(least), found[1])}true{line[found.end() :]}"
        elif found := _COPIED.match(line):
            out += _copied(found, line[found.end() :])
            continue
        elif found := _ARITHMETIC.match(line) or _NARROWED.match(line):
            line = _called(line, found, functions)
        elif found := ALLOCA.match(line):
            variables[found[1]] = found[2]
            out.append(line)
            out += _unset(found, module, functions)
            continue
        elif found := _ACCESS.match(line):
            pointers = _POINTER.findall(found[2])
            whole = found[2].startswith(f"{variables.get(pointers[-1])}") if pointers else False
            if not whole:
                line = f"{found[1]} volatile {found[2]}"
        made = _OPAQUE.match(line.replace(" volatile ", " ", 1))
        moved = _STEP.match(line.partition(", !")[0])
        if made or (moved and moved[2] in opaque):
            opaque.add(line.split(maxsplit=1)[0])
        out.append(line)
    for one in ("memcpy", "memmove"):
        intrinsic = f"void @llvm.{one}.p0.p0.i64("
        if f"declare {intrinsic}" not in text:
            functions[intrinsic] = f"{intrinsic}ptr, ptr, i64, i1)"
    declared = [f"declare {called}" for called in functions.values()]
    return "\n".join(
        [*out, *declared, f"declare void @{HOLD}(ptr)", f"declare void @{HOLD}.always(ptr)", ""]
    )


def _named_by_layout(line: str, module: Module) -> str:
    """Return the line of a function; one of a tensor of CuTe has its layout for a name."""
    found = _METHOD.match(line)
    of = module.metadata.get(found[1], "") if found else ""
    tensor = _TENSOR.match(of)
    space = module.metadata.get(tensor[2], "") if tensor else ""
    layout = layout_of_tensor(tensor[1]) if tensor and 'name: "cute"' in space else None
    return (
        line
        if layout is None
        else re.sub(r'name: "[^"]*"', f'name: "{LAYOUT}{layout}"', line, count=1)
    )


def restored(text: str) -> str:
    """Return a module in which nothing is inlined any more, with its arithmetic as it was."""
    out = []
    for line in _unwritten(text.split("\n")):
        if line.startswith("declare ") and "@symcute.op." in line:
            continue
        if found := _CALCULATED.search(line):
            end = _closing(line, found.end())
            given = [x.partition(" ")[2] for x in _split(line[found.end() : end])]
            what = f"{found[2].replace('.', ' ')}{found[3]} {', '.join(given)}"
            what += f" to {found[1]}" if what.startswith("trunc") else ""
            rest = re.sub(r"^(?: #\d+)+", "", line[end + 1 :])
            line = f"{line[: found.start()]}{what}{rest}"
        out.append(line)
    return "\n".join(out)


def _unwritten(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines, but what variables in memory begin with: that these are not set says as much."""
    function: list[str] = []
    for line in lines:
        function.append(line)
        if line == "}" or not function[0].startswith("define "):
            yield from _without_starts(function)
            function = []
    yield from function


def _without_starts(function: list[str]) -> list[str]:
    """Return a function without what its variables begin with.

    In the first block alone, which comes once, and where nothing else was done with a variable.
    """
    unknown: set[str] = set()
    variables: dict[str, str] = {}
    touched: set[str] = set()
    left = []
    first = True
    for line in function:
        name, rest = _named(line)
        used = NAME.findall(rest)
        first &= re.match(r"  (?:br|switch|ret|unreachable|invoke)\b", line) is None
        if ALLOCA.match(line):
            variables[name] = name
        elif f" @{ANY}." in rest or (
            rest.startswith("extractvalue ") and used[:1] and used[0] in unknown
        ):
            unknown.add(name)
        elif rest.startswith("getelementptr ") and len(used) == 1 and used[0] in variables:
            variables[name] = variables[used[0]]
        elif line.startswith("  store ") and len(used) == 2 and used[0] in unknown and first:
            if variables.get(used[1], "") not in ("", *touched):
                continue
        elif f"@{HOLD}" not in line:
            touched.update(variables[n] for n in used if n in variables)
        left.append(line)
    wanted: set[str] = set()
    out = []
    for line in reversed(left):
        name, rest = _named(line)
        if name not in unknown or name in wanted:
            wanted.update(NAME.findall(rest))
            out.append(line)
    return out[::-1]


def _named(line: str) -> tuple[str, str]:
    """Return the name of an instruction's value, if it has one, and what comes behind it."""
    name, _, rest = line.strip().partition(" = ")
    return (name, rest) if NAME.fullmatch(name) else ("", line)


def _copied(found: re.Match[str], debug: str) -> Iterator[str]:
    """Yield a copy, and the pointer that it gives."""
    result, name, to, source, size = found.groups()
    ends = f"ptr align 1 {to}, ptr align 1 {source}, i64 {size}"
    yield f"  call void @llvm.mem{name}.p0.p0.i64({ends}, i1 true){debug}"
    yield f"  {result} = getelementptr i8, ptr {to}, i64 0{debug}"


def _called(line: str, found: re.Match[str], functions: dict[str, str]) -> str:
    """Return an instruction as a call of a function of which nothing is known."""
    result, op, type, given = found[1], found[2], found[3], found[4].split(", ")
    target = found[5] if op.startswith("trunc") else type
    name = f"{target} @symcute.op.{op.replace(' ', '.')}.{type}.{target}"
    functions.setdefault(name, f"{name}({', '.join([type] * len(given))})")
    operands = ", ".join(f"{type} {x}" for x in given)
    return f"  {result} = call {name}({operands}){line[found.end() :]}"


def _unset(made: re.Match[str], module: Module, functions: dict[str, str]) -> Iterator[str]:
    """Yield what gives a variable a value of which nothing is known."""
    name, type = made[1], made[2]
    kind = Tokens(type, module).type()
    integers = any(not isinstance(leaf, Real) for leaf, _ in leaves(kind))
    if name.endswith(".addr") or not integers or size_of(kind) > LARGE:
        return
    function = functions.setdefault(type, f"{type} @{ANY}.{len(functions)}()")
    at = f"%any.{name[1:].strip(chr(34))}"
    at = f'%"{at[1:]}"' if '"' in name else at
    yield f"  {at} = call {function}"
    yield f"  store {type} {at}, ptr {name}, align {made[3]}"


def _by_value(header: str, module: Module) -> tuple[str, list[str]]:
    """Return the header of a kernel with fields of structs as arguments, and what stores them."""
    body: list[str] = []
    start = header.index("(") + 1
    end = _closing(header, start)
    arguments = []
    for text in _split(header[start:end]):
        found = re.search(r"byval\((.*)\) align (\d+) (%\S+)$", text)
        if found is None:
            arguments.append(text)
            continue
        type, align, name = found[1], found[2], found[3]
        plain = name[1:].strip('"')
        body.append(f"  {name} = alloca {type}, align {align}")
        fields = list(leaves(Tokens(type, module).type()))
        if len(fields) > 64:
            fields = []
        for k, (leaf, at) in enumerate(fields):
            given, moved = f'{written(leaf)} %"{plain}.field.{at}"', f'%"{plain}.at.{k}"'
            arguments.append(given)
            body.append(f"  {moved} = getelementptr i8, ptr {name}, i64 {at}")
            body.append(f"  store {given}, ptr {moved}, align 1")
        if not fields:
            body.append(f"  call void @{HOLD}.always(ptr {name})")
    return header[:start] + ", ".join(arguments) + header[end:], body


def _closing(text: str, start: int) -> int:
    depth = 1
    for k, sign in _bare(text, start):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if depth == 0:
            return k
    raise Unread("a header that does not end")


def _split(text: str) -> Iterator[str]:
    depth, start = 0, 0
    for k, sign in _bare(text):
        depth += {"(": 1, "{": 1, "[": 1, "<": 1, ")": -1, "}": -1, "]": -1, ">": -1}.get(sign, 0)
        if sign == "," and depth == 0:
            yield text[start:k].strip()
            start = k + 1
    if text[start:].strip():
        yield text[start:].strip()


def _bare(text: str, start: int = 0) -> Iterator[tuple[int, str]]:
    """Yield the signs that are not in names, with where they stand."""
    named = False
    for k in range(start, len(text)):
        named ^= text[k] == '"'
        if not named:
            yield k, text[k]


def written(type: LType) -> str:
    """Return a type as LLVM writes it. Errors: Unread for structs."""
    match type:
        case Number(bits):
            return f"i{bits}"
        case Real(bytes):
            return {2: "half", 4: "float", 8: "double", 16: "fp128"}[bytes]
        case Ptr(space):
            return f"ptr addrspace({space})" if space else "ptr"
        case Listed(count, element, vector):
            inner = f"{count} x {written(element)}"
            return f"<{inner}>" if vector else f"[{inner}]"
    raise Unread("a field")
