"""Matrices that descriptors name: the bytes of CuTe's own tiles, and kernels that read them."""

from __future__ import annotations

import re
from itertools import product

import pytest

from symcute.frontends.cuda.matrices import Matrix, matrix, reading
from symcute.frontends.cuda.target import CUDA
from symcute.frontends.cuda.values import Described
from symcute.frontends.llvm.source import read_through_llvm
from symcute.kernel.findings import PROPERTIES
from symcute.kernel.ir.expression import Base, Const, PtrAdd
from symcute.kernel.ir.interpreter import run
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Array, Int, Kernel
from symcute.kernel.ir.setting import Setting
from symcute.kernel.ir.verify import verified
from symcute.layout.algebra import tile_to_shape
from symcute.layout.atoms.shared import smem_layout_atom
from tests.access.roads import decided
from tests.full import some

HERE = Place("matrix", 1, 1)
#: The numbers of swizzles in descriptors.
NUMBERS = {"INTER": 0, "SW128": 1, "SW64": 2, "SW32": 3}
#: Bytes of a tile along K.
WIDE = 128


def read_by(m: Matrix, start: int, size: int) -> set[int]:
    """The bytes that a program reads whose only statement is that a matrix is read."""
    array = Array("s", "shared", 1, size, 1024, HERE, "char s[]")
    names = (f"c{n}" for n in range(9))
    at = PtrAdd(Base("s"), Const(start, Int(64, True)), 1, HERE)
    body = reading(Described("s", at, 0, 1024), m, lambda: next(names), HERE)
    kernel = verified(Kernel("k", (), (array,), tuple(body), HERE, CUDA))
    trace = run(kernel, Setting((1, 1, 1), (1, 1, 1)), {})
    assert trace.complete and not trace.faults and not trace.wraps
    return {b for t in trace.accesses for b in range(t.offset, t.offset + t.width)}


def tiles() -> list[tuple[str, str, int, int]]:
    found = []
    for major, (name, _), element in product(("K", "MN"), NUMBERS.items(), (1, 2, 4)):
        if major == "K" or element == 2:
            row = 8 if major == "K" else {"INTER": 8, "SW32": 16, "SW64": 32, "SW128": 64}[name]
            found += [(major, name, element, rows) for rows in (64, 2 * row, 128)]
    return found


@pytest.mark.parametrize(("major", "name", "element", "rows"), some(tiles(), 3))
def test_a_descriptor_names_the_bytes_of_a_tile(
    major: str, name: str, element: int, rows: int
) -> None:
    """In a tile of CuTe's each step along K is a matrix that begins where the tile's element is."""
    columns, depth = WIDE // element, 32 // element
    atom = smem_layout_atom(f"Layout_{major}_{name}_Atom", 8 * element)
    tile = tile_to_shape(atom, (2 * rows, columns))
    plain, bits = tile.layout, 128 // (8 * element)
    line = {"INTER": 16, "SW32": 32, "SW64": 64, "SW128": 128}[name] // element

    def bytes_of(row: int, column: int) -> int:
        return int(plain(row, column)) * element if row < 2 * rows and column < columns else 0

    if major == "K":
        leading, stride = bytes_of(0, bits), bytes_of(8, 0)
    elif name == "INTER":
        leading, stride = bytes_of(0, 8), bytes_of(bits, 0)
    else:
        leading, stride = bytes_of(line, 0), bytes_of(0, 8)
    word = leading // 16 << 16 | stride // 16 << 32 | NUMBERS[name] << 62
    m = matrix(word, rows, element, major == "MN")
    assert m is not None
    for row, column in product((0, rows), range(0, columns, depth)):
        wanted = {
            int(tile(r, c)) * element + b
            for r in range(row, row + rows)
            for c in range(column, column + depth)
            for b in range(element)
        }
        assert read_by(m, bytes_of(row, column), 2 * rows * WIDE) == wanted


# --- kernels --------------------------------------------------------------------------------------

_HEAD = """
__device__ unsigned long long named(const void *p, unsigned long long bits) {
  unsigned at = (unsigned)__cvta_generic_to_shared(p);
  return (unsigned long long)((at & 0x3FFFF) >> 4) | bits;
}
__device__ void multiply(unsigned long long a, unsigned long long b) {
  float d[4] = {0, 0, 0, 0};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("{.reg .pred p; setp.ne.b32 p, %6, 0;"
               "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, "
               "1, 1, 0, 0;}"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b), "n"(1));
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
"""
_KERNEL = """
// symcute: launch grid=(1) block=(128)
__global__ void NAME() {
  __shared__ __align__(1024) unsigned short a[64 * 64];
  __shared__ __align__(1024) unsigned short b[8 * 64];
  for (int i = threadIdx.x; i < 64 * 64; i += 128) a[i] = i;
  for (int i = threadIdx.x; i < 8 * 64; i += 128) b[i] = i;
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  for (int k = 0; k < 4; ++k)
    multiply(named(a, 64ull << 32 | 1ull << 62) + 2 * k,
             named(b, 64ull << 32 | 1ull << 62) + 2 * k);
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}
"""
_FENCE = '  asm volatile("fence.proxy.async;" ::: "memory");\n'
_LAST = '0;" ::: "memory");\n}'
_RACE, _BOUNDS = {"read_write_race_free"}, {"in_bounds"}
#: What is changed, and what is not so any more (or not known).
_CHANGES: list[tuple[str, str, set[str]]] = [
    ("", "", set()),
    (_FENCE, "", _RACE),
    ("proxy.async", "proxy.async.global", _RACE),
    ("  __syncthreads();\n", "", _RACE),
    (_FENCE + "  __syncthreads();\n", "  __syncthreads();\n" + _FENCE, _RACE),
    ("named(a, 64ull", "named(a, 128ull", _BOUNDS),
    ("a[64 * 64];", "a[64 * 63];", _BOUNDS),
    ("b[8 * 64];", "b[8 * 64 - 8];", _BOUNDS),
    ("k < 4", "k < 5", _BOUNDS),
    ("named(a, ", "named(a + 8, ", _BOUNDS),
    ("named(b, ", "named(b - 64, ", _BOUNDS),
    ("+ 2 * k,", "- 2 * k,", _BOUNDS),
    (_LAST, '0;" ::: "memory");\n  a[threadIdx.x] = 0;\n}', _RACE),
    ('  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");\n',
     "  __syncthreads();\n  a[threadIdx.x] = 0;\n", _RACE),
    # Where the swizzle begins is not known, nor what a base is, nor bits that are computed.
    ("__align__(1024) unsigned short a", "__align__(128) unsigned short a", _BOUNDS | _RACE),
    ("named(a, 64ull << 32 | ", "named(a, 64ull << 32 | 1ull << 49 | ", _BOUNDS | _RACE),
    ("named(a, 64ull", "named(a, (unsigned long long)blockDim.x", _BOUNDS | _RACE),
]  # fmt: skip


@pytest.mark.full
def test_kernels_with_descriptors() -> None:
    """All is proved of a kernel, and of each false neighbour what is not so is not proved."""
    text = _HEAD
    for number, (old, new, _) in enumerate(_CHANGES):
        assert not old or old in _KERNEL
        text += _KERNEL.replace(old, new).replace("NAME", f"k{number}")
    kernels = read_through_llvm(text, timeout=600).kernels
    for number, (_, _, broken) in enumerate(_CHANGES):
        (kernel,) = (k for n, k in kernels.items() if re.fullmatch(rf"k{number}(\(.*)?", n))
        found = decided(kernel, dict.fromkeys(PROPERTIES, True))
        assert not broken & {p for p, v in found.items() if v == "proved"}, (number, found)
        assert broken or "unknown" not in found.values(), found


#: What is added to other bits, or comes around, and whether that is in bounds.
_ADDED = [
    ("named(a, 64ull << 32 | 1ull << 62)", "named(a, 0) + (64ull << 32 | 1ull << 62)", True),
    ("+ 2 * k,", "+ 2 * k + (1ull << 16),", True),
    ("+ 2 * k,", "+ 2 * k + 16384,", True),
    ("+ 2 * k,", "+ 2 * k - 16384,", True),
    ("+ 2 * k,", "+ ((unsigned long long)(16384 * k) << 2),", True),
    ("named(a, 64ull << 32", "((unsigned long long)k << 36) + named(a, 0", True),
    ("named(a, 64ull << 32", "((unsigned long long)k << 37) + named(a, 0", False),
    ("named(a, 64ull << 32", "(64ull << 33) + named(a, 0", False),
    ("+ 2 * k,", "- 2 * k - 1024,", False),
    ("+ 2 * k,", "+ 2 * k + 8192,", False),
]  # fmt: skip


@pytest.mark.full
def test_what_is_added_may_change_other_bits() -> None:
    text = _HEAD
    for number, (old, new, _) in enumerate(_ADDED):
        assert old in _KERNEL
        text += _KERNEL.replace(old, new).replace("NAME", f"k{number}")
    kernels = read_through_llvm(text, timeout=600).kernels
    for number, (_, _, inside) in enumerate(_ADDED):
        (kernel,) = (k for n, k in kernels.items() if re.fullmatch(rf"k{number}(\(.*)?", n))
        found = decided(kernel, {"in_bounds": True})["in_bounds"]
        assert found != ("refuted" if inside else "proved"), (number, found)
