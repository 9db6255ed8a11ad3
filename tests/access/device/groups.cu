// Cooperative groups: who waits for whom, or that nobody knows.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// verdict: read_write_race_free=unknown barrier_uniform=unknown
__global__ void tile_of_64(int *x) {
  __shared__ int s[64];
  auto t = cg::tiled_partition<64>(cg::this_thread_block());
  s[threadIdx.x] = threadIdx.x;
  t.sync();
  x[threadIdx.x] = s[(threadIdx.x + 32) % 64];
}

// Two tiles of two warps do not wait for each other.
// symcute: launch grid=(1) block=(128)
// symcute: extent x = 128
// verdict: read_write_race_free=unknown barrier_uniform=unknown
__global__ void two_tiles_of_64(int *x) {
  __shared__ int s[128];
  auto t = cg::tiled_partition<64>(cg::this_thread_block());
  s[threadIdx.x] = threadIdx.x;
  t.sync();
  x[threadIdx.x] = s[(threadIdx.x + 64) % 128];
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
__global__ void ranks_in_64(int *x) {
  auto t = cg::tiled_partition<64>(cg::this_thread_block());
  x[t.thread_rank()] = t.meta_group_rank();
}

// symcute: launch grid=(1) block=(128)
// symcute: extent x = 64
// verdict: write_race_free=refuted
__global__ void ranks_in_64_of_two(int *x) {
  auto t = cg::tiled_partition<64>(cg::this_thread_block());
  x[t.thread_rank()] = t.meta_group_rank();
}

// Each tile comes to a barrier of its own, and may.
// symcute: launch grid=(1) block=(32)
// symcute: extent x = 32
// verdict: barrier_uniform=unknown
__global__ void tiles_of_4_on_their_own(int *x) {
  auto t = cg::tiled_partition<4>(cg::this_thread_block());
  if (t.meta_group_rank() < 2) {
    x[threadIdx.x] = 1;
    t.sync();
  } else {
    t.sync();
    x[threadIdx.x] = 2;
  }
}

// A tile of 4 does not wait for the next one.
// symcute: launch grid=(1) block=(32)
// symcute: extent x = 32
// verdict: read_write_race_free=unknown
__global__ void tile_of_4_reads_the_next(int *x) {
  __shared__ int s[32];
  auto t = cg::tiled_partition<4>(cg::this_thread_block());
  s[threadIdx.x] = 1;
  t.sync();
  x[threadIdx.x] = s[threadIdx.x ^ 4];
}

// symcute: launch grid=(1) block=(32)
// symcute: extent x = 32
// verdict: barrier_uniform=unknown
__global__ void those_that_came(int *x) {
  if (threadIdx.x & 1) {
    auto t = cg::coalesced_threads();
    x[threadIdx.x] = 1;
    t.sync();
  } else {
    auto t = cg::coalesced_threads();
    t.sync();
    x[threadIdx.x] = 2;
  }
}

// symcute: launch grid=(1) block=(32)
// symcute: extent x = 32
__global__ void rank_among_those_that_came(int *x) {
  auto t = cg::coalesced_threads();
  int rank = t.thread_rank();
  x[threadIdx.x] = rank < 32 ? x[threadIdx.x] : 0;
}

// A group of any kind may be the block.
// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// verdict: read_write_race_free=unknown barrier_uniform=unknown
__global__ void block_as_a_group(int *x) {
  __shared__ int s[64];
  cg::thread_group g = cg::this_thread_block();
  s[threadIdx.x] = 1;
  g.sync();
  x[threadIdx.x] = s[63 - threadIdx.x];
}

// One warp waits for the other, which never comes.
// symcute: launch grid=(1) block=(64)
// verdict: barrier_uniform=unknown
__global__ void half_a_block_as_a_group() {
  cg::thread_group g = cg::this_thread_block();
  if (threadIdx.x < 32) g.sync();
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
__global__ void block_by_its_name(int *x) {
  __shared__ int s[64];
  cg::thread_block b = cg::this_thread_block();
  s[threadIdx.x] = 1;
  cg::sync(b);
  x[b.thread_rank()] = s[63 - threadIdx.x];
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// verdict: write_race_free=unknown read_write_race_free=unknown barrier_uniform=unknown
__global__ void some_lanes(int *x) {
  __syncwarp(0xff);
  x[threadIdx.x] = 1;
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
__global__ void all_lanes(int *x) {
  __syncwarp(0xffffffff);
  x[threadIdx.x] = 1;
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
__global__ void barrier_of_a_number(int *x) {
  __shared__ int s[64];
  s[threadIdx.x] = 1;
  __barrier_sync(3);
  x[threadIdx.x] = s[63 - threadIdx.x];
}

// Each warp waits at a barrier of its own for the other.
// symcute: launch grid=(1) block=(64)
// verdict: write_race_free=unknown read_write_race_free=unknown barrier_uniform=unknown
__global__ void barriers_of_numbers() { __barrier_sync(threadIdx.x / 32); }

// symcute: launch grid=(1) block=(64)
// verdict: barrier_uniform=unknown
__global__ void barrier_of_some() {
  if (threadIdx.x < 32) __barrier_sync_count(1, 32);
}

// symcute: launch grid=(2) block=(64)
// verdict: barrier_uniform=refuted
__global__ void grid_of_one_block() {
  if (blockIdx.x == 0) cg::this_grid().sync();
}

// symcute: launch grid=(G) block=(64)
// symcute: assume G <= 2**16
// symcute: extent x = 64*G
__global__ void ranks_in_a_grid(int *x) {
  auto g = cg::this_grid();
  x[g.thread_rank()] = 1;
  g.sync();
}

// symcute: launch grid=(2) block=(64)
// verdict: launch_valid=unknown in_bounds=unknown no_overflow=unknown aligned=unknown
// verdict: write_race_free=unknown read_write_race_free=unknown barrier_uniform=unknown
__global__ void cluster() { cg::this_cluster().sync(); }

// The number of a tile is counted in that of which it is a part.
// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// verdict: write_race_free=refuted
__global__ void tile_of_a_tile(int *x) {
  auto t = cg::tiled_partition<32>(cg::this_thread_block());
  auto u = cg::tiled_partition<8>(t);
  x[u.thread_rank() + 8 * u.meta_group_rank()] = 1;
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
__global__ void tile_of_a_tile_and_its_own(int *x) {
  auto t = cg::tiled_partition<32>(cg::this_thread_block());
  auto u = cg::tiled_partition<8>(t);
  x[u.thread_rank() + 8 * u.meta_group_rank() + 32 * t.meta_group_rank()] = 1;
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// verdict: write_race_free=refuted
__global__ void tile_of_no_named_tile(int *x) {
  cg::thread_block_tile<32> t = cg::tiled_partition<32>(cg::this_thread_block());
  cg::thread_block_tile<8> u = cg::tiled_partition<8>(t);
  x[u.thread_rank() + 8 * u.meta_group_rank()] = u.meta_group_size();
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
__global__ void tile_of_no_named_tile_and_its_own(int *x) {
  cg::thread_block_tile<32> t = cg::tiled_partition<32>(cg::this_thread_block());
  cg::thread_block_tile<8> u = cg::tiled_partition<8>(t);
  x[u.thread_rank() + 8 * u.meta_group_rank() + 32 * t.meta_group_rank()] = 1;
}
