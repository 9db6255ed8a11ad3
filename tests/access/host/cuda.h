// CUDA C++ as far as the kernels here use it, for the host's compiler: each thread is a fibre, barriers are
// real, and what the compiler's instrumentation says of memory goes to runtime.cpp.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#ifndef HOST_HAS_TYPES  // headers of CUDA were there first
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

#define VECTORS(T, name, a1, a2, a4)                                     \
  struct __attribute__((aligned(a1))) name##1 { T x; };                  \
  struct __attribute__((aligned(a2))) name##2 { T x, y; };               \
  struct name##3 { T x, y, z; };                                         \
  struct __attribute__((aligned(a4))) name##4 { T x, y, z, w; };         \
  inline name##2 make_##name##2(T x, T y) { return {x, y}; }             \
  inline name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }     \
  inline name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
VECTORS(float, float, 4, 8, 16)
VECTORS(int, int, 4, 8, 16)
VECTORS(unsigned, uint, 4, 8, 16)
VECTORS(double, double, 8, 16, 16)
VECTORS(unsigned char, uchar, 1, 2, 4)
VECTORS(short, short, 2, 4, 8)
#undef VECTORS
#endif

// Where the running thread is.
struct Here { uint3 thread, block; dim3 threads, blocks; unsigned linear; };
extern Here *here;

enum Scope { BLOCK = 1, WARP = 2, GRID = 3, QUIET = 4 };
// Wait for the others. QUIET is that of a shuffle, which orders no memory.
extern "C" void host_wait(int scope, void *place);
// One access: 0 read, 1 write, 2 atomic.
extern "C" void host_touch(int kind, const void *address, int width, void *place);
extern "C" unsigned long long *host_lanes();  // one word for each lane of the warp
extern "C" int *host_votes();                 // two numbers of the block
extern "C" char *host_dynamic();              // dynamic shared memory
extern "C" unsigned host_warp_mask();         // the lanes that have not ended

#define threadIdx (here->thread)
#define blockIdx (here->block)
#define blockDim (here->threads)
#define gridDim (here->blocks)
static const int warpSize = 32;

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __restrict__
#define __constant__ static __attribute__((aligned(65536)))
#define __shared__ static __attribute__((aligned(65536)))
#define HOST __attribute__((no_sanitize("thread", "undefined"), noinline))
#define HERE __builtin_return_address(0)

#ifndef HOST_HAS_TYPES
// A narrow float, whose operators are functions: what they touch they touch where they are called.
struct __attribute__((aligned(2))) __half {
  unsigned short x;
  HOST operator float() const {
    host_touch(0, this, 2, HERE);
    return x;
  }
  HOST __half &operator+=(const __half &o) {
    host_touch(0, &o, 2, HERE);
    host_touch(0, this, 2, HERE);
    host_touch(1, this, 2, HERE);
    x += o.x;
    return *this;
  }
};
HOST inline __half __float2half(float v) { return {static_cast<unsigned short>(v)}; }
#endif

// --- barriers -----------------------------------------------------------------------------------

HOST inline void __syncthreads() { host_wait(BLOCK, HERE); }
HOST inline void __syncwarp(unsigned mask = 0xffffffffu) { host_wait(WARP, HERE); }
HOST inline int __syncthreads_count(int p) {
  int *votes = host_votes();
  votes[0] += p != 0;
  host_wait(BLOCK, HERE);
  int found = votes[0];
  host_wait(QUIET, HERE);
  votes[0] = 0;
  host_wait(QUIET, HERE);
  return found;
}
HOST inline int __syncthreads_or(int p) {
  int *votes = host_votes();
  votes[0] |= p != 0;
  host_wait(BLOCK, HERE);
  int found = votes[0];
  host_wait(QUIET, HERE);
  votes[0] = 0;
  host_wait(QUIET, HERE);
  return found;
}
inline void __threadfence() {}
inline void __threadfence_block() {}

// --- shuffles and votes -------------------------------------------------------------------------

template <class T> HOST T host_shuffle(T value, int from) {
  unsigned long long *lanes = host_lanes();
  unsigned lane = here->linear % 32;
  lanes[lane] = 0;
  std::memcpy(&lanes[lane], &value, sizeof value);
  host_wait(QUIET, nullptr);
  T got = value;
  if (from >= 0 && from < 32) std::memcpy(&got, &lanes[from], sizeof got);
  host_wait(QUIET, nullptr);
  return got;
}
template <class T> HOST T __shfl_sync(unsigned, T v, int from, int width = 32) {
  int lane = here->linear % 32;
  return host_shuffle(v, lane / width * width + from % width);
}
template <class T> HOST T __shfl_down_sync(unsigned, T v, unsigned by, int width = 32) {
  int lane = here->linear % 32;
  return host_shuffle(v, lane % width + (int)by < width ? lane + (int)by : lane);
}
template <class T> HOST T __shfl_up_sync(unsigned, T v, unsigned by, int width = 32) {
  int lane = here->linear % 32;
  return host_shuffle(v, lane % width >= (int)by ? lane - (int)by : lane);
}
template <class T> HOST T __shfl_xor_sync(unsigned, T v, int by, int width = 32) {
  return host_shuffle(v, (here->linear % 32) ^ by);
}
HOST inline unsigned __ballot_sync(unsigned, int p) {
  unsigned found = 0;
  for (int lane = 0; lane < 32; ++lane)
    if ((host_warp_mask() >> lane & 1) && host_shuffle(p != 0, lane)) found |= 1u << lane;
  return found;
}
inline unsigned __activemask() { return host_warp_mask(); }
inline int __any_sync(unsigned m, int p) { return __ballot_sync(m, p) != 0; }
inline int __all_sync(unsigned m, int p) { return __ballot_sync(m, p) == host_warp_mask(); }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __clz(int x) { return x ? __builtin_clz(x) : 32; }
inline int __mul24(int a, int b) { return int(unsigned(a << 8 >> 8) * unsigned(b << 8 >> 8)); }
inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
inline unsigned __brev(unsigned x) {
  unsigned found = 0;
  for (int k = 0; k < 32; ++k) found |= (x >> k & 1) << (31 - k);
  return found;
}

// --- memory -------------------------------------------------------------------------------------

template <class T> HOST T __ldg(const T *p) {
  host_touch(0, p, sizeof(T), HERE);
  return *p;
}
#define ATOMIC(name, result)                                    \
  template <class T, class V> HOST T name(T *p, V value) {      \
    host_touch(2, p, sizeof(T), HERE);                          \
    T old = *p, v = (T)value;                                   \
    *p = (result);                                              \
    return old;                                                 \
  }
ATOMIC(atomicAdd, (T)(old + v))
ATOMIC(atomicSub, (T)(old - v))
ATOMIC(atomicExch, v)
ATOMIC(atomicMin, (old < v ? old : v))
ATOMIC(atomicMax, (old > v ? old : v))
ATOMIC(atomicAnd, (T)(old & v))
ATOMIC(atomicOr, (T)(old | v))
ATOMIC(atomicXor, (T)(old ^ v))
ATOMIC(atomicInc, (T)(old >= v ? 0 : old + 1))
#undef ATOMIC
template <class T> HOST T atomicCAS(T *p, T compare, T value) {
  host_touch(2, p, sizeof(T), HERE);
  T old = *p;
  if (old == compare) *p = value;
  return old;
}

// --- numbers ------------------------------------------------------------------------------------

inline int min(int a, int b) { return a < b ? a : b; }
inline int max(int a, int b) { return a > b ? a : b; }
inline unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
inline unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
inline long long min(long long a, long long b) { return a < b ? a : b; }
inline long long max(long long a, long long b) { return a > b ? a : b; }
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline float __expf(float x) { return expf(x); }
inline float __fdividef(float a, float b) { return a / b; }
#ifndef INFINITY
#define INFINITY __builtin_inff()
#endif

// --- cooperative groups -------------------------------------------------------------------------

namespace cooperative_groups {
struct thread_block {
  HOST void sync() const { host_wait(BLOCK, HERE); }
  unsigned thread_rank() const { return here->linear; }
  unsigned size() const { return here->threads.x * here->threads.y * here->threads.z; }
};
struct grid_group {
  HOST void sync() const { host_wait(GRID, HERE); }
  unsigned long long thread_rank() const {
    unsigned long long block = here->block.x + (unsigned long long)here->blocks.x *
                               (here->block.y + (unsigned long long)here->blocks.y * here->block.z);
    return block * thread_block().size() + here->linear;
  }
};
template <unsigned N> struct thread_block_tile {
  static_assert(N == 32, "tiles are warps here");
  HOST void sync() const { host_wait(WARP, HERE); }
  unsigned thread_rank() const { return here->linear % N; }
  unsigned meta_group_rank() const { return here->linear / N; }
  unsigned size() const { return N; }
  template <class T> T shfl_down(T v, unsigned by) const { return __shfl_down_sync(~0u, v, by); }
};
inline thread_block this_thread_block() { return {}; }
inline grid_group this_grid() { return {}; }
template <unsigned N> thread_block_tile<N> tiled_partition(const thread_block &) { return {}; }
}  // namespace cooperative_groups

// --- arguments ----------------------------------------------------------------------------------

// Numbers, addresses and the bytes of structs, in the order of the parameters.
struct Arguments {
  virtual long long number() = 0;
  virtual void *bytes(size_t size) = 0;
};
template <class T> T argument(Arguments &from) {
  if constexpr (std::is_pointer_v<T>) return (T)(intptr_t)from.number();
  else if constexpr (std::is_floating_point_v<T>) return (T)from.number();
  else if constexpr (std::is_integral_v<T>) return (T)from.number();
  else { T value; std::memcpy((void *)&value, from.bytes(sizeof(T)), sizeof(T)); return value; }
}
