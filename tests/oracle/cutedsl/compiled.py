"""Compile a kernel with a room in shared memory that asks for little alignment; no GPU is used."""

import cutlass
from cutlass import cute
from cutlass.cute.runtime import make_fake_tensor

THREADS = 100


@cute.kernel
def turned(b: cute.Tensor):
    t, _, _ = cute.arch.thread_idx()
    smem = cutlass.memory.SmemAllocator()
    room = smem.allocate_tensor(cutlass.Float32, cute.make_layout(THREADS), 4)
    room[t] = cutlass.Float32(1.0)
    cute.arch.sync_threads()
    b[t] = room[(t + 1) % THREADS]


@cute.jit
def host(b: cute.Tensor):
    turned(b).launch(grid=[1, 1, 1], block=[THREADS, 1, 1])


if __name__ == "__main__":
    cute.compile(host, make_fake_tensor(cutlass.Float32, (THREADS,), stride=(1,)))
