"""Kernels in CuTe DSL, each a family over its parameters; they are traced, never run."""

import cutlass
from cutlass import cute
from cutlass.cute.runtime import make_fake_tensor


@cute.kernel
def staged(mA: cute.Tensor, mB: cute.Tensor, load: cute.TiledCopy, case: cutlass.Constexpr):
    tidx, _, _ = cute.arch.thread_idx()
    bidx, bidy, _ = cute.arch.block_idx()
    gA = cute.local_tile(mA, case.tile, (bidx, bidy))
    gB = cute.local_tile(mB, case.tile, (bidx, bidy))
    smem = cutlass.utils.SmemAllocator()
    room = smem.allocate_array(mA.element_type, case.allocated, byte_alignment=case.smem_align)
    inner = cute.make_layout(case.smem_shape, stride=case.smem_stride)
    if cutlass.const_expr(case.swizzle is not None):
        layout = cute.make_composed_layout(cute.make_swizzle(*case.swizzle), 0, inner)
    else:
        layout = inner
    sA = cute.make_tensor(room, layout)
    thread = load.get_slice(tidx)
    tAgA = thread.partition_S(gA)
    tAsA = thread.partition_D(sA)
    cute.copy(load, tAgA, tAsA)
    cute.arch.sync_threads()
    tBsA = thread.partition_S(sA)
    tBgB = thread.partition_D(gB)
    registers = cute.make_fragment_like(tBsA)
    cute.autovec_copy(tBsA, registers)
    cute.autovec_copy(registers, tBgB)


@cute.jit
def copy_through(mA: cute.Tensor, mB: cute.Tensor, case: cutlass.Constexpr):
    """A tile from A to shared memory, and from there to B."""
    operation = cute.nvgpu.CopyUniversalOp()
    atom = cute.make_copy_atom(operation, mA.element_type, num_bits_per_copy=case.bits)
    tv = cute.make_layout(case.tv_shape, stride=case.tv_stride)
    load = cute.make_tiled_copy(atom, tv, case.tiler)
    rows = cute.ceil_div(mA.shape[0], case.tile[0])
    columns = cute.ceil_div(mA.shape[1], case.tile[1])
    staged(mA, mB, load, case).launch(grid=[rows, columns, 1], block=[case.threads, 1, 1])


def tensor(divisor, alignment):
    """A row-major matrix of any size; `divisor` divides its leading dimension."""
    shape = (cute.sym_int32(), cute.sym_int32())
    stride = (cute.sym_int64(divisibility=divisor), 1)
    return make_fake_tensor(cutlass.Float16, shape, stride=stride, assumed_align=alignment)
