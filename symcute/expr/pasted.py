"""What people paste, as syntax trees of our grammar: CuTe C++ and DSL, PyTorch, Triton, and prints.

The scanner cuts the marks of these forms (`_8{}`, `cute::`, `smem_ptr[16b](unset)`), the parser
hands each call, template and pointer over, and what comes back are the nodes that our own notation
gives. So a pasted text means the same at every door, and its canonical text is ours.

What is turned here, and nowhere else: a swizzle before a pointer counts bytes, one before a layout
counts elements.

Source: cute/layout.hpp, cute/swizzle_layout.hpp (upcast), cute/pointer_flagged.hpp
(as_position_independent_swizzle_layout), cute/pointer_swizzle.hpp (print).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from symcute.expr.scanner import Refusal
from symcute.expr.syntax import Node, ungrouped

__all__ = [
    "applied",
    "call",
    "composed",
    "grouped",
    "pointer",
    "remarks",
    "size_and_stride",
    "template",
    "triton",
]

_TUPLES = ("make_shape", "make_stride", "make_tuple", "make_coord", "make_tile", "make_step")
_TUPLE_TYPES = ("Shape", "Stride", "Step", "Tile", "Coord", "tuple")
_ORDERS = {
    "LayoutLeft": False, "GenColMajor": False, "LayoutRight": True, "GenRowMajor": True,
}  # fmt: skip
#: The parameters of functions that the DSL calls by name.
_PARAMETERS = {
    "make_layout": ("shape", "stride"),
    "make_ordered_layout": ("shape", "order"),
    "make_composed_layout": ("inner", "offset", "outer"),
    "make_swizzle": ("b", "m", "s"),
    "tile_to_shape": ("atom", "trg_shape", "order"),
    "empty_strided": ("size", "stride"),
    "as_strided": ("input", "size", "stride", "storage_offset"),
}
#: The calls of PyTorch, and where in them the size stands; the stride comes after it.
_STRIDED = {
    "empty_strided": 0, "empty_strided_cuda": 0, "empty_strided_cpu": 0,
    "as_strided": 1, "reinterpret_tensor": 1, "assert_size_stride": 1,
}  # fmt: skip
_BITS = {
    1: "uint1b_t b1", 2: "int2b_t uint2b_t", 4: "int4b_t uint4b_t int4_t uint4_t float_e2m1_t",
    6: "float_e2m3_t float_e3m2_t",
    8: "char int8_t uint8_t float_e4m3_t float_e5m2_t float_ue8m0_t float_ue4m3_t",
    16: "half_t bfloat16_t half __half __nv_bfloat16 int16_t uint16_t",
    32: "float tfloat32_t int int32_t uint32_t", 64: "double int64_t uint64_t",
}  # fmt: skip
_WIDTHS = {name: bits for bits, names in _BITS.items() for name in names.split()}
_RUN_TIME = frozenset(
    [
        "int",
        "long",
        "unsigned",
        "short",
        "size_t",
        "ptrdiff_t",
        "int32_t",
        "int64_t",
        "uint32_t",
        "uint64_t",
    ]
)
_POINTER = re.compile(
    r"(?:(?:Sw|S)<\s*(?P<swizzle>[-\d,\s]+)>_)?"
    r"(?P<kind>\w*)\[(?P<bits>\d+)b\]\((?P<at>unset|\(nil\)|[A-Z][A-Z_0-9]*|0x[0-9a-fA-F.]+)\)"
)
_TRITON = re.compile(
    r"(?:\#\w+\s*=\s*)?(?:(?:tensor|!ttg\.memdesc)<(?P<dims>\d+(?:x\d+)*)x\w+,\s*)?(?P<layout>\#[\w.]+\s*<\{.*?\}>)",
    re.DOTALL,
)
#: The extents that are allocated, of which a tile in shared memory may be a part.
_ALLOCATED = re.compile(r",\s*(\d+(?:x\d+)*)\s*>\Z")
_SWIZZLED_BYTES = re.compile(
    r"(?:Sw|S)<(?P<first>[-\d,\s]+)>\s*(?:o\s*|_)\w*\[(?P<bits>\d+)b\]\("
    r"|ComposedLayout<\s*(?:cute::)?Swizzle<(?P<second>[-\d,\s]+)>\s*,\s*(?:cute::)?"
    r"smem_ptr_flag_bits<\s*(?P<flag>\d+)\s*>"
)
_OFFSET = "an offset between two layouts is not understood"
#: Nodes that stand in a shape or a stride.
_PLAIN = frozenset(
    {"int", "name", "tuple", "paren", "basis", "neg", "add", "sub", "mul", "div", "floordiv",
     "mod", "pow", "shl", "shr"}
)  # fmt: skip


def remarks(text: str) -> tuple[str, ...]:
    """Return what was turned on the way from a pasted text, in words.

    >>> remarks("Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)")
    ('Sw<3,4,3> counts bytes before a pointer; in elements of 16 bits it is Sw<3,3,3>',)
    """
    found = []
    for match in _SWIZZLED_BYTES.finditer(text):
        fields = _ints(match["first"] or match["second"])
        bits = int(match["bits"] or match["flag"])
        if len(fields) == 3 and bits != 8:
            turned = _of_elements(fields, bits, match.start())
            written = [f"Sw<{b},{m},{s}>" for b, m, s in (fields, turned)]
            found.append(
                f"{written[0]} counts bytes before a pointer; in elements of {bits} bits it is "
                f"{written[1]}"
            )
    return tuple(dict.fromkeys(found))


def call(name: str, arguments: Sequence[Node], pos: int, end: int) -> Node | None:
    """Return the node that a call stands for; None where it is a call of our own grammar.

    Errors: Refusal with the place for a call that cannot be read.
    """
    if name == "decltype" and len(arguments) == 1:
        return arguments[0]
    if name in (*_TUPLES, *_STRIDED, "Layout", "ComposedLayout"):
        arguments = [grouped(x) for x in arguments]
    if name in _TUPLES:
        return Node("tuple", tuple(arguments), pos, end)
    given = _positional(name, arguments)
    if name in ("make_layout", "Layout"):
        return _layout(given, pos, end)
    if name in ("Swizzle", "make_swizzle"):
        fields = [_number(x) for x in given]
        if len(fields) != 3:
            raise Refusal(f"{name} takes three integers", pos, "write Swizzle<3,3,3>{}")
        return Node("swizzle", tuple(fields), pos, end)
    if name in ("composition", "make_composed_layout", "ComposedLayout") and len(given) == 3:
        if given[0].op != "swizzle":
            raise Refusal(_OFFSET, given[0].pos, "see symcute show --help for what is read")
        return composed(composed(given[0], given[1], pos, end), given[2], pos, end)
    if name in _STRIDED:
        return _strided(name, given, pos, end)
    if tuple(given) != tuple(arguments):
        return Node("call", (name, *given), pos, end)
    return None


def grouped(node: Node) -> Node:
    """Return a tree in which parentheses only group, as they do in C++ and Python.

    >>> from symcute.expr.parser import parse
    >>> grouped(parse("((M+1),4)")) == parse("(M+1,4)")
    True
    """
    node = ungrouped(node)
    if node.op not in ("tuple", "keyword"):
        return node
    args = tuple(grouped(x) if isinstance(x, Node) else x for x in node.args)
    return Node(node.op, args, node.pos, node.end)


def applied(callee: Node, arguments: Sequence[Node], pos: int, end: int) -> Node | None:
    """Return the layout of `torch.Size([4, 8]) (8, 1)`, as PyTorch prints size and stride."""
    if callee.op == "call" and callee.args[0] == "torch.Size" and isinstance(callee.args[1], Node):
        stride = Node("tuple", tuple(map(ungrouped, arguments)), pos, end)
        return _sized(callee.args[1], stride, pos, end)
    return None


def size_and_stride(items: Sequence[Node], pos: int, end: int) -> Node | None:
    """Return the layout of `(torch.Size([4, 8]), (8, 1))`; None for other tuples."""
    first = items[0] if len(items) == 2 else None
    if first is None or first.op != "call" or first.args[0] != "torch.Size":
        return None
    return _sized(_part(first), items[1], pos, end)


def template(name: str, arguments: Sequence[Node], pos: int, end: int) -> Node:
    """Return the node that a type of CuTe stands for, or a value of it.

    Errors: Refusal with the place, as for a type without the integers that run time brings.
    """
    arguments = [ungrouped(x) for x in arguments]
    if name in ("integral_constant", "constant") and len(arguments) == 2:
        arguments = arguments[1:]
    if name.endswith(("_Atom", "_Atom_Bits")):
        return _atom(name, arguments, pos, end)
    for x in arguments:
        _all_named(x)
    if name in ("Int", "C", "constant", "integral_constant"):
        if len(arguments) != 1:
            raise Refusal(f"{name} takes one integer", pos, f"write {name}<8>")
        return arguments[0]
    if name in _TUPLE_TYPES:
        return Node("tuple", tuple(arguments), pos, end)
    if name == "Layout":
        return _layout(arguments, pos, end, types=True)
    if name == "ComposedLayout" and len(arguments) == 3:
        return composed(composed(arguments[0], arguments[1], pos, end), arguments[2], pos, end)
    if name == "smem_ptr_flag_bits" and len(arguments) == 1:
        return Node("call", ("pointer", arguments[0], Node("int", (0,), pos, end)), pos, end)
    if name == "E" and len(arguments) == 1 and _number(arguments[0]) >= 0:
        return Node("basis", (Node("int", (1,), pos, end), _number(arguments[0])), pos, end)
    raise Refusal(
        f"{name} with {len(arguments)} arguments is not understood",
        pos,
        "write the layout that it is",
    )


def composed(left: Node, right: Node, pos: int, end: int) -> Node:
    """Return `left o right`: a pointer or an offset of zeros before a layout is left out.

    Errors: Refusal with the place for a swizzle that does not count whole elements, and for a
    coordinate as offset that is not 0.
    """
    if _is(left, "pointer"):
        return right
    if _is(left, "composition") and right.op != "swizzle" and len(left.args) == 3:
        first, middle = left.args[1:]
        numeral = isinstance(middle, Node) and ungrouped(middle).op in ("int", "neg")
        if numeral and isinstance(first, Node) and first.op != "swizzle":
            raise Refusal(_OFFSET, left.pos, "a tile of 4 is 4:1; an offset stands after a swizzle")
    if left.op == "swizzle" and _is(right, "pointer"):
        bits = right.args[1]
        if not isinstance(bits, Node) or right.args[2] != Node("int", (0,), 0, 0):
            raise Refusal("a swizzle before the address of a pointer", pos, "give the layout alone")
        fields = tuple(x for x in left.args if isinstance(x, int))
        return Node("swizzle", _of_elements(fields, _number(bits), left.pos), pos, end)
    if _is(left, "ArithTuple"):
        if not _zeros(left):
            what = "a layout after coordinates that are not 0"
            raise Refusal(what, left.pos, "give the layout alone, and add the coordinates to it")
        return right
    return Node("call", ("composition", left, right), pos, end)


def pointer(text: str, pos: int, end: int) -> Node:
    """Return the node of a pointer as CuTe prints it, with the swizzle on its bytes if it has one.

    Here too: `SW_3_4_3`, the swizzle as pycute prints it.

    A swizzle acts on the address: where that is no multiple of what the swizzle spans, it is no
    swizzle of the layout behind, which is refused.
    """
    if text.startswith("SW_"):
        return Node("swizzle", tuple(int(x) for x in text.split("_")[1:]), pos, end)
    match = _POINTER.fullmatch(text)
    if match is None:
        raise Refusal("this pointer is not understood", pos, "give the layout after it")
    bits = Node("int", (int(match["bits"]),), pos, end)
    if match["swizzle"] is not None and match["at"][:1].isupper():
        raise Refusal("a swizzle on an address that is not told", pos, "give the layout after it")
    address = (
        0
        if match["swizzle"] is None or match["at"] in ("unset", "(nil)")
        else int(match["at"].replace(".", ""), 16)
    )
    if match["swizzle"] is None:
        is_set = Node("int", (int(match["at"] != "unset"),), pos, end)
        return Node("call", ("pointer", bits, is_set), pos, end)
    fields = _ints(match["swizzle"])
    is_told = match["at"][:2] == "0x" and "." not in match["at"]
    if len(fields) != 3 or not (is_told or match["at"] in ("unset", "(nil)")):
        raise Refusal("a swizzle on an address that is not told", pos, "give the layout after it")
    address = int(match["at"], 16) if is_told else 0
    spans = 1 << fields[0] + fields[1] + abs(fields[2])
    if address % spans:
        what = f"the address is no multiple of the {spans} bytes that the swizzle spans"
        raise Refusal(what, pos, "print the tensor that begins the tile, or give its layout")
    return Node("swizzle", _of_elements(fields, int(match["bits"]), pos), pos, end)


def triton(text: str, pos: int, end: int) -> Node:
    """Return the call that reads an attribute of Triton, with its tile where the text has one."""
    match = _TRITON.match(text)
    if match is None:
        raise Refusal("this attribute is not understood", pos, "give #ttg.linear or #ttg.blocked")
    parts: list[Node | str | int] = ["triton_layout", Node("text", (match["layout"],), pos, end)]
    if match["dims"]:
        whole = _ALLOCATED.search(text)
        if whole and not f"x{whole[1]}".endswith(f"x{match['dims']}"):
            raise Refusal(f"a part of {whole[1]} elements", pos, "give the tile that is allocated")
        extents = tuple(Node("int", (int(x),), pos, end) for x in match["dims"].split("x"))
        parts.append(Node("tuple", extents, pos, end))
    return Node("call", tuple(parts), pos, end)


# --- the parts -----------------------------------------------------------------------------------


def _positional(name: str, arguments: Sequence[Node]) -> list[Node]:
    """Return the arguments in their order, those with names put where they belong."""
    names = _PARAMETERS.get(name, ())
    given = [x for x in arguments if x.op != "keyword"]
    named = {str(x.args[0]): x for x in arguments if x.op == "keyword"}
    for parameter in names[len(given) :]:
        if parameter not in named:
            break
        given.append(_part(named.pop(parameter)))
    if named and names:
        key, wrong = next(iter(named.items()))
        raise Refusal(f"{name} has no {key} there", wrong.pos, f"its parts are {', '.join(names)}")
    return given if names else list(arguments)


def _part(node: Node) -> Node:
    found = node.args[1]
    if not isinstance(found, Node):
        raise Refusal("a part is missing here", node.pos, "write it")
    return found


def _layout(given: Sequence[Node], pos: int, end: int, types: bool = False) -> Node:
    """Return the layout of a shape, of a shape and a stride or an order, or a call of layouts."""
    order = given[1].args[0] if len(given) == 2 and given[1].op == "name" else ""
    if order in _ORDERS:
        given, right = given[:1], _ORDERS[str(order)]
    else:
        right = False
    if len(given) == 1 and ungrouped(given[0]).op == "layout" and not types:
        return given[0]
    plain = [_is_plain(x) for x in given]
    if len(given) == 1 and plain[0]:
        return Node("layout", (given[0], _compact(given[0], right)), pos, end)
    if len(given) == 2 and all(plain):
        return Node("layout", tuple(given), pos, end)
    if order in _ORDERS or types:
        fix = "write shape and stride as tuples of integers"
        raise Refusal("this layout has no plain shape", pos, fix)
    return Node("call", ("make_layout", *given), pos, end)


def _is_plain(node: Node) -> bool:
    return node.op in _PLAIN and all(_is_plain(x) for x in node.args if isinstance(x, Node))


def _compact(shape: Node, right: bool) -> Node:
    """Return the strides of a compact layout: the first mode fastest, or the last.

    An extent of 1 that is a number has the stride 0, as CuTe has it.
    """
    # What the modes before come to: a number times the dims in a node, if there are any.
    number, dims = 1, list[Node]()

    def stride(extent: Node) -> Node:
        nonlocal number
        value = extent.args[0] if extent.op == "int" else None
        found = Node("int", (0 if value == 1 else number,), extent.pos, extent.end)
        if dims and value != 1:
            found = dims[-1] if number == 1 else _times(found, dims[-1])
        if isinstance(value, int):
            number *= value
        else:
            dims.append(_times(dims[-1], extent) if dims else extent)
        return found

    def strides(node: Node) -> Node:
        items = [x for x in node.args if isinstance(x, Node)]
        if node.op not in ("tuple", "paren"):  # `(8)` is a tuple of one
            return stride(node)
        made = [strides(x) for x in (reversed(items) if right else items)]
        return Node(node.op, tuple(reversed(made) if right else made), node.pos, node.end)

    return strides(shape)


def _times(a: Node, b: Node) -> Node:
    return Node("mul", (a, b), b.pos, b.end)


def _strided(name: str, given: Sequence[Node], pos: int, end: int) -> Node:
    """Return the layout of a call of PyTorch that has a size and a stride."""
    first = _STRIDED[name]
    if len(given) < first + 2:
        raise Refusal(f"{name} has a size and a stride", pos, "write both")
    if first and name != "assert_size_stride":
        for x in given[first + 2 : first + 3]:
            if x != Node("int", (0,), 0, 0):
                raise Refusal("an offset into the storage is no layout", x.pos, "leave it out")
    return _sized(given[first], given[first + 1], pos, end)


def _sized(size: Node, stride: Node, pos: int, end: int) -> Node:
    for x in (size, stride):
        if x.op not in ("tuple", "paren") or not _is_plain(x):
            raise Refusal("expected a tuple of integers", x.pos, "write such as (4, 8)")
    return Node("layout", (size, stride), pos, end)


def _atom(name: str, arguments: Sequence[Node], pos: int, end: int) -> Node:
    """Return the call of a shared-memory atom: of a type's width, or in bits."""
    bits = 1
    if not name.endswith("_Bits"):
        word = arguments[0].args[0] if len(arguments) == 1 and arguments[0].op == "name" else ""
        found = _WIDTHS.get(str(word))
        if found is None:
            place = arguments[0].pos if arguments else pos
            fix = f"write a type such as half_t or float: {name}<half_t>"
            raise Refusal("the width of this type is not known", place, fix)
        bits = found
    parts = (Node("text", (name.removesuffix("_Bits"),), pos, end), Node("int", (bits,), pos, end))
    return Node("call", ("smem_layout_atom", *parts), pos, end)


def _all_named(node: Node) -> None:
    if node.op == "name" and node.args[0] in _RUN_TIME:
        what = f"an {node.args[0]} that has no name here"
        raise Refusal(what, node.pos, "write the dim that it is, such as M")
    if node.op == "name" and node.args[0] == "X":
        raise Refusal("the X of a step is no integer", node.pos, "leave the mode out")


def _of_elements(fields: Sequence[int], bits: int, pos: int) -> tuple[int, int, int]:
    """Return the swizzle of elements that one of bytes is, where it moves whole elements."""
    b, m, s = fields
    if bits < 1 or bits & (bits - 1):
        raise Refusal(f"elements of {bits} bits under a swizzle", pos, "give a power of two")
    base = m + 3 - (bits.bit_length() - 1)
    if b and base < 0:
        what = f"Sw<{b},{m},{s}> on bytes moves parts of elements of {bits} bits"
        raise Refusal(what, pos, "give the swizzle of the elements")
    return b, max(base, 0), s


def _ints(text: str) -> tuple[int, ...]:
    return tuple(int(x) for x in text.split(","))


def _number(node: Node) -> int:
    sign, inner = 1, ungrouped(node)
    if inner.op == "neg" and isinstance(inner.args[0], Node):
        sign, inner = -1, ungrouped(inner.args[0])
    if inner.op != "int" or not isinstance(inner.args[0], int):
        raise Refusal("expected a number", node.pos, "write it as digits")
    return sign * inner.args[0]


def _is(node: Node, name: str) -> bool:
    return node.op == "call" and node.args[0] == name


def _zeros(node: Node) -> bool:
    items = [x for x in node.args if isinstance(x, Node)]
    if node.op in ("call", "tuple", "paren"):
        return all(_zeros(x) for x in items)
    return node.op == "int" and node.args[0] == 0
