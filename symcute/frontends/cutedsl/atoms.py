"""NVIDIA's names of instructions in types, and the instructions of the catalogue they are."""

from __future__ import annotations

import math
import re

from symcute.errors import InputError
from symcute.expr.htuple import HTuple
from symcute.frontends.cutedsl import types
from symcute.layout.atoms import CopyOp, MmaAtom, atom
from symcute.layout.layout import Layout
from symcute.layout.tv import CopyAtom, TiledCopy, make_copy_atom
from symcute.layout.tv.mma import TiledMMA, make_tiled_mma

__all__ = ["copied_bits", "loaded", "shared_by", "static", "tiled_copy", "tiled_mma"]

_UNIVERSAL = re.compile(r"atom\.universal_copy<(?P<type>\w+)(?:, (?P<bits>\d+) b)?>\Z")
_ASYNC = re.compile(
    r"atom\.simt_async_copy<(?P<type>\w+), cache = (?P<cache>always|global), (?P<bits>\d+) b>\Z"
)
_MATRICES = re.compile(
    r'atom\.(?P<op>ldsm|stsm)<(?:val_type = )?(?P<type>\w+), mode = <"\(8,8\)">,'
    r"(?: sz_pattern = u16,)? num_matrices = (?P<count>[124]), (?P<order>[nt])>\Z"
)
_LOADED = re.compile(
    r"atom\.tmem_load<(?P<type>\w+), 32 DP, 32 bit, x(?P<count>1|2|4|8|16|32|64|128)>\Z"
)
_SM80 = re.compile(r"sm80\.mma<(?P<mnk>\d+x\d+x\d+), elem_type = \((?P<types>[\w, ]+)\) ?>\Z")
_SM90 = re.compile(
    r"sm90\.mma<(?P<mnk>\d+x\d+x\d+), ab_major = \([km], [kmn]\), "
    r"elem_type = \((?P<types>[\w, ]+)\), frag_kind = (?P<kind>ss|rs)>\Z"
)
_SM100 = re.compile(
    r"sm100\.mma<(?P<mnk>\d+x\d+x\d+), num_cta = 1, ab_major = \([km], [kmn]\), "
    r"elem_type = \((?P<types>[\w, ]+)\), frag_kind = (?P<kind>ss|ts), c_scale_exp = 0>\Z"
)
_FMA = re.compile(r"atom\.universal_fma<1x1x1, \((?P<types>[\w, ]+)\) -> (?P<d>\w+) ?>\Z")


def _name(text: str) -> str:
    return text.removeprefix("!cute_nvgpu.")


def copied_bits(kind: types.AtomType) -> int | None:
    """Return how many bits a thread moves at once; None for what is no copy of single threads.

    >>> copied_bits(types.AtomType("!cute_nvgpu.atom.universal_copy<f16, 128 b>"))
    128
    """
    found = _UNIVERSAL.match(_name(kind.text)) or _ASYNC.match(_name(kind.text))
    if found is None:
        return None
    return int(found.group("bits") or types.bits_of(found.group("type")))


def _copy_name(text: str) -> tuple[str, int]:
    name = _name(text)
    if found := _UNIVERSAL.match(name):
        width = types.bits_of(found.group("type"))
        return f"UniversalCopy<uint{found.group('bits') or width}_t>", width
    if found := _ASYNC.match(name):
        cache = found.group("cache").upper()
        width = types.bits_of(found.group("type"))
        return f"SM80_CP_ASYNC_CACHE{cache}<uint{found.group('bits')}_t>", width
    if found := _MATRICES.match(name):
        count, load = int(found.group("count")), found.group("op") == "ldsm"
        sm = ("SM75", "LDSM") if load else ("SM90", "STSM")
        unit = f"U32x{count}" if found.group("order") == "n" else f"U16x{2 * count}"
        end = found.group("order").upper()
        return f"{sm[0]}_{unit}_{sm[1]}_{end}", types.bits_of(found.group("type"))
    raise InputError(f"the copy instruction {name}", "it is none that is known here")


def tiled_copy(kind: types.TiledCopyType) -> TiledCopy:
    """Return a tiled copy of our own.

    Errors: InputError for an instruction that is not known, or a tile with `_`; NotAdmissible as
    `TiledCopy`.

    >>> print(tiled_copy(types.read_type('!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32>, '
    ...     'layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[1:0;128:1]">>')))
    TiledCopy(UniversalCopy<uint32_t>, (32,4):(4,1), tile (1,128))
    """
    return _tiled(make_copy_atom(*_copy_name(kind.atom.text)), kind)


def loaded(kind: types.TiledCopyType) -> TiledCopy | None:
    """Return a tiled copy from tensor memory, for what its destination is; None for any other.

    A lane gets the columns of its datapath (SM100_TMEM_LOAD_32dp32bNx of copy_traits_sm100.hpp);
    the source is of all lanes.

    >>> print(loaded(types.read_type('!cute.tiled_copy<!cute_nvgpu.atom.tmem_load<f32, 32 DP, '
    ...     '32 bit, x64>, layout_copy_tv = <"((32,4),(64,32)):((0,1),(4,256))">, '
    ...     'tiler_mn = <"[(256,32):(32,1)]">>')).atom.layout_dst)
    (32,64):(64,1)
    """
    found = _LOADED.match(_name(kind.atom.text))
    if found is None or types.bits_of(found.group("type")) != 32:
        return None
    bits = 32 * int(found.group("count"))
    whole, own = Layout((32, 32 * bits), (0, 1)), Layout((32, bits), (bits, 1))
    called = f"SM100_TMEM_LOAD_32dp32b{found.group('count')}x"
    op = CopyOp(called, "sm100", Layout(32, 1), whole, own, whole, _name(kind.atom.text))
    return _tiled(CopyAtom(op, 32), kind)


def _tiled(found: CopyAtom, kind: types.TiledCopyType) -> TiledCopy:
    tiler = []
    for mode in kind.tiler.modes:
        if not isinstance(mode, types.LayoutType):
            raise InputError("a tiled copy whose tile has _, or tiles of modes", "it is not read")
        layout = static(mode)
        tiler.append(1 if layout.shape == 1 else _permutation(layout))
    return TiledCopy(found, static(kind.layout_tv), tuple(tiler))


def static(layout: types.LayoutType) -> Layout:
    """Return a layout of numbers. Errors: InputError for one that has a `?` or a swizzle."""
    if layout.swizzle is not None or types.holes(layout):
        raise InputError("a layout that is not of numbers", "it is not read here")
    return Layout(layout.shape, layout.stride)


def _mma_atom(text: str) -> MmaAtom:
    name = _name(text)
    if found := _FMA.match(name):
        a, b, c = (*found.group("types").split(", "), found.group("d"))[:3]
        one = Layout((1, 1), (0, 0))
        each = (found.group("d"), a, b, c)
        return MmaAtom("universal_fma", "any", (1, 1, 1), each, Layout(1, 0), one, one, one, name)
    if found := _SM100.match(name):
        return _of_one_thread(found, name)
    if found := _SM80.match(name):
        a, b, c = _element_types(found.group("types"), name)
        called = f"SM80_{found.group('mnk')}_{c}{a}{b}{c}_TN"
    elif found := _SM90.match(name):
        a, b, c = _element_types(found.group("types"), name)
        called = f"SM90_{found.group('mnk')}_{c}{a}{b}_{found.group('kind').upper()}"
    else:
        raise InputError(f"the MMA instruction {name}", "it is none that is known here")
    result = atom(called)
    if not isinstance(result, MmaAtom):
        raise InputError(f"{called} is no MMA instruction", "please report it")
    return result


def _of_one_thread(found: re.Match[str], name: str) -> MmaAtom:
    """Return an instruction of tcgen05, which one thread of a block makes for all of it."""
    m, n, k = map(int, found["mnk"].split("x"))
    a, b, c = (x.lower() for x in _element_types(found["types"], name))
    one, (la, lb, lc) = (
        Layout(1, 0),
        (
            Layout((1, (rows, columns)), (0, (1, rows)))
            for rows, columns in ((m, k), (n, k), (m, n))
        ),
    )
    return MmaAtom(name, "sm100", (m, n, k), (c, a, b, c), one, la, lb, lc, name)


def _element_types(text: str, name: str) -> list[str]:
    found = text.upper().split(", ")
    if len(found) != 3:
        raise InputError(f"the element types of {name}", "those of A, B and C are read")
    return found


def tiled_mma(kind: types.TiledMmaType) -> TiledMMA:
    """Return a tiled MMA of our own.

    Errors: InputError for an instruction that is not known; NotAdmissible as `make_tiled_mma`.

    >>> print(tiled_mma(types.read_type(
    ...     '!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, '
    ...     'atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>')
    ...     ).tile_shape())
    (32, 32, 16)
    """
    modes = kind.permutation.modes if kind.permutation.by_mode else (None, None, None)
    if len(modes) != 3:
        raise InputError("a permutation of other modes than M, N, K", "it is not read")
    if any(isinstance(x, types.TileType) for x in modes):
        raise InputError("a permutation with tiles of modes", "it is not read")
    permutations = tuple(
        _permutation(static(x)) if isinstance(x, types.LayoutType) else None for x in modes
    )
    return make_tiled_mma(_mma_atom(kind.atom.text), static(kind.atom_layout), permutations)


def _permutation(layout: Layout) -> HTuple:
    """Return an extent for n:1, which is how a mode is left in its order."""
    plain = not isinstance(layout.shape, tuple) and layout.stride == 1
    return layout.shape if plain else layout


def shared_by(mma: TiledMMA) -> dict[str, int]:
    """Return how many threads hold each element of A, B and C, as instruction and threads say.

    An operand is shared by the repetitions of the instruction along the mode that it has not, and
    by the threads of the instruction over which it is repeated.

    >>> shared_by(make_tiled_mma("SM80_16x8x16_F32F16F16F32_TN", Layout((2, 4, 1))))
    {'A': 4, 'B': 2, 'C': 1}
    """
    without = {"A": 2, "B": 1, "C": 3}
    return {
        operand: int(mma.thr_layout_vmnk[mode].size())
        * int(repetitions(mma.atom.layouts()[operand][0][0]))
        for operand, mode in without.items()
    }


def repetitions(threads: Layout) -> int:
    """Return the product of the extents of stride 0: how many threads are at the same place."""
    return math.prod(int(s) for s, d in threads.modes() if d == 0)
