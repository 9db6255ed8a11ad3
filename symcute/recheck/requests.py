"""What claims about the requests of a warp to memory say: bank conflicts and sectors.

`access(L, element bits, access bits, base)`: the first mode of L is the lane, the others enumerate
requests; a lane accesses some bits from the element base + L(lane, request) on.
"""

from __future__ import annotations

from math import prod

from symcute.checker.poly import value
from symcute.checker.primitive import WARP, Requests
from symcute.checker.settle import Place
from symcute.checker.terms import Modes, Node, Refused, lit
from symcute.recheck.forms import flat, htuple, layout, leaf, modes
from symcute.recheck.parametrisation import Parametrisation
from symcute.recheck.text import strip

#: Shared memory has 32 banks of 32 bits; global memory is touched in sectors of 256 bits.
BANKS, BANK, SECTOR = 32, 32, 256
WIDEST_SHARED, WIDEST = 128, 256


def access(node: Node) -> tuple[Node, Node, int, int, int]:
    """Return layout, base, bits of an element and of an access, and how many modes are lanes."""
    if node.op != "call" or node.args[0] != "access" or not 3 <= len(node.args) <= 5:
        raise Refused("requests are of access(layout, bits)")
    given, *numbers = node.args[1:]
    element = width = _number(numbers[0])
    if len(numbers) > 1:
        width = _number(numbers[1])
    powers = all(x & (x - 1) == 0 for x in (element, width))
    if not powers or not 1 <= element <= width or not 8 <= width <= WIDEST:
        raise Refused(f"an access of {width} bits to elements of {element} bits")
    whole = layout(given)
    plain = layout(whole.args[4]) if whole.op == "swizzled" else whole
    pairs = modes(plain)
    left, right = plain.args
    left = strip(left) if (left.op == "paren") != (right.op == "paren") else left
    shape = htuple(left)
    lanes = 1 if isinstance(shape, Node) else len(flat(shape[0]))
    if not 1 <= prod(_number(s) for s, _ in pairs[:lanes]) <= WARP:
        raise Refused("the lanes are more than a warp")
    return whole, leaf(numbers[2]) if len(numbers) > 2 else lit(0), element, width, lanes


def bank_conflict(element: int, width: int, lanes: int, most: Node, least: Node) -> Requests:
    """Return the service of shared memory: as many lanes at once as fill all banks."""
    if width > WIDEST_SHARED:
        raise Refused(f"an access of {width} bits in shared memory")
    # An access is aligned, so that it fills the banks it needs.
    unit = max(BANK, width)
    row = BANKS * BANK
    together = min(WARP, row // width)
    return Requests(element, width, lanes, unit, row // unit, together, _number(most),
                    _number(least), together < WARP)  # fmt: skip


def sectors(element: int, width: int, lanes: int, most: Node, least: Node) -> Requests:
    """Return the service of global memory: all lanes at once, all sectors count."""
    return Requests(element, width, lanes, SECTOR, 1, WARP, _number(most), _number(least), False)


def filled(pairs: Modes, lanes: int, width: int) -> Node:
    """Return how many sectors the lanes' bits fill."""
    return lit(-(-prod(_number(s) for s, _ in pairs[:lanes]) * width // SECTOR))


def _number(x: Node) -> int:
    """Return a number that is written, or that dims fall out of: `8 + 0*N`."""
    found = value(Parametrisation(Place({}, [])).poly(leaf(x)))
    if found is None or found < 0 or found.denominator > 1:
        raise Refused("a number of an access is none from 0 on")
    return int(found)
