// What kernels use of CUB, where its headers are not found: reductions, scans, loads and stores of a
// warp and of a block, with the algorithms that CUB has for them.
//
// What matters is who touches which memory between which barriers: that is written as CUB does it.
// Sums themselves are any values; operators are called once, for what they touch. Storage has the
// layout of CUB's. What CUB does in other ways (reductions that rake, slices of time) is declared only.
#pragma once
#include "/symcute-cuda/symcute_cuda.h"

// As CUDA 12.4 has it, of which the shim is.
#define CUB_VERSION 200301

namespace nvcuda { namespace wmma { template <class F> SYMCUTE_E void symcute_any(F &); } }

namespace cub {
struct Sum { template <class T> SYMCUTE_D T operator()(const T &a, const T &b) const { return a + b; } };
struct Difference {
  template <class T> SYMCUTE_D T operator()(const T &a, const T &b) const { return a - b; } };
struct Max { template <class T> SYMCUTE_D T operator()(const T &a, const T &b) const { return a < b ? b : a; } };
struct Min { template <class T> SYMCUTE_D T operator()(const T &a, const T &b) const { return b < a ? b : a; } };
template <class K, class V> struct KeyValuePair {
  typedef K Key; typedef V Value;
  K key; V value;
  KeyValuePair() = default;
  SYMCUTE_D KeyValuePair(const K &k, const V &v) : key(k), value(v) {}
};
struct ArgMax {
  template <class P> SYMCUTE_D P operator()(const P &a, const P &b) const {
    return b.value > a.value || a.value == b.value && b.key < a.key ? b : a; }
};
struct ArgMin {
  template <class P> SYMCUTE_D P operator()(const P &a, const P &b) const {
    return b.value < a.value || a.value == b.value && b.key < a.key ? b : a; }
};

template <class T> SYMCUTE_D T symcute_value() { T v; nvcuda::wmma::symcute_any(v); return v; }
// What many calls of an operator give: any value, after one call with any two.
template <class T, class Op> SYMCUTE_D T symcute_combined(Op op) {
  T seen = op(symcute_value<T>(), symcute_value<T>());
  return symcute_value<T>();
}
template <int X, int Y, int Z> SYMCUTE_D int symcute_thread() {
  return (Z == 1 ? 0 : threadIdx.z * X * Y) + (Y == 1 ? 0 : threadIdx.y * X) + threadIdx.x;
}
SYMCUTE_D int symcute_lane() {
  return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) & 31;
}
struct symcute_nothing {};
// As a type lies in storage, where nothing is constructed.
template <class T, bool = __is_trivially_constructible(T)> struct symcute_laid { typedef T type; };
template <class T> struct symcute_laid<T, false> {
  struct alignas(alignof(T)) type { char symcute_held[sizeof(T)]; }; };
constexpr bool symcute_is_power(int n) { return n > 0 && (n & (n - 1)) == 0; }

// --- the parts that others build their own scans of: numbers, places in shared memory, shuffles ---

#define CUB_LOG_WARP_THREADS(unused) (5)
#define CUB_WARP_THREADS(unused) (1 << CUB_LOG_WARP_THREADS(0))
#define CUB_PTX_LOG_WARP_THREADS CUB_LOG_WARP_THREADS(0)
#define CUB_PTX_WARP_THREADS CUB_WARP_THREADS(0)

template <int N> struct PowerOfTwo { enum { VALUE = (N & (N - 1)) == 0 }; };
constexpr int symcute_log2(int n) { int k = 0; while ((1 << k) < n) k++; return k; }
template <int N> struct Log2 { enum { VALUE = symcute_log2(N) }; };
template <class T> struct Uninitialized {
  T symcute_held;
  SYMCUTE_D T &Alias() { return symcute_held; }
};
SYMCUTE_D int RowMajorTid(int x, int y, int z) {
  return (z == 1 ? 0 : threadIdx.z * x * y) + (y == 1 ? 0 : threadIdx.y * x) + threadIdx.x;
}
SYMCUTE_D unsigned LaneId() { return symcute_lane(); }
// CUB says that it is another one for each warp, but not which.
SYMCUTE_D unsigned WarpId() { return symcute_value<unsigned>(); }
template <int Threads, int = 0> SYMCUTE_D unsigned WarpMask(unsigned warp) {
  unsigned mask = 0xffffffffu >> (32 - Threads);
  if (symcute_is_power(Threads) && Threads != 32) mask <<= warp * Threads;
  return mask;
}
template <int Threads, class T> SYMCUTE_D T ShuffleUp(T, int, int, unsigned) { return symcute_value<T>(); }
template <int Threads, class T> SYMCUTE_D T ShuffleDown(T, int, int, unsigned) { return symcute_value<T>(); }
template <int Threads, class T> SYMCUTE_D T ShuffleIndex(T, int, unsigned) { return symcute_value<T>(); }

template <class T, int Threads, int = 0> struct BlockRakingLayout {
  enum {
    SHARED_ELEMENTS = Threads,
    MAX_RAKING_THREADS = Threads < 32 ? Threads : 32,
    SEGMENT_LENGTH = (Threads + MAX_RAKING_THREADS - 1) / MAX_RAKING_THREADS,
    RAKING_THREADS = (Threads + SEGMENT_LENGTH - 1) / SEGMENT_LENGTH,
    USE_SEGMENT_PADDING = SEGMENT_LENGTH % 2 == 0 && SEGMENT_LENGTH > 2,
    GRID_ELEMENTS = RAKING_THREADS * (SEGMENT_LENGTH + USE_SEGMENT_PADDING),
    UNGUARDED = Threads % RAKING_THREADS == 0
  };
  struct alignas(16) _TempStorage { T buff[GRID_ELEMENTS]; };
  struct TempStorage : Uninitialized<_TempStorage> {};
  static SYMCUTE_D T *PlacementPtr(TempStorage &temp, unsigned thread) {
    return temp.Alias().buff + thread + (USE_SEGMENT_PADDING ? thread / SEGMENT_LENGTH : 0);
  }
  static SYMCUTE_D T *RakingPtr(TempStorage &temp, unsigned thread) {
    return temp.Alias().buff + thread * (SEGMENT_LENGTH + USE_SEGMENT_PADDING);
  }
};

// --- a warp: registers alone, but for what is not a power of two ---------------------------------

template <class T, int Threads = 32, bool = symcute_is_power(Threads)> struct WarpReduce;
template <class T, int Threads> struct WarpReduce<T, Threads, true> {
  typedef symcute_nothing TempStorage;
  SYMCUTE_D WarpReduce(TempStorage &) {}
  template <class Op> SYMCUTE_D T Reduce(T, Op op) { return symcute_combined<T>(op); }
  template <class Op> SYMCUTE_D T Reduce(T, Op op, int) { return symcute_combined<T>(op); }
  SYMCUTE_D T Sum(T) { return symcute_combined<T>(cub::Sum()); }
  SYMCUTE_D T Sum(T, int) { return symcute_combined<T>(cub::Sum()); }
};

template <class T, int Threads = 32, bool = symcute_is_power(Threads)> struct WarpScan;
template <class T, int Threads> struct WarpScan<T, Threads, true> {
  typedef symcute_nothing TempStorage;
  SYMCUTE_D WarpScan(TempStorage &) {}
  template <class Op> SYMCUTE_D void InclusiveScan(T, T &out, Op op) { out = symcute_combined<T>(op); }
  template <class Op> SYMCUTE_D void InclusiveScan(T, T &out, Op op, T &all) {
    out = symcute_combined<T>(op); all = symcute_value<T>(); }
  template <class Op> SYMCUTE_D void ExclusiveScan(T, T &out, Op op) { out = symcute_combined<T>(op); }
  template <class Op> SYMCUTE_D void ExclusiveScan(T, T &out, T, Op op) { out = symcute_combined<T>(op); }
  template <class Op> SYMCUTE_D void ExclusiveScan(T, T &out, T, Op op, T &all) {
    out = symcute_combined<T>(op); all = symcute_value<T>(); }
  SYMCUTE_D void InclusiveSum(T, T &out) { out = symcute_combined<T>(cub::Sum()); }
  SYMCUTE_D void InclusiveSum(T, T &out, T &all) {
    out = symcute_combined<T>(cub::Sum()); all = symcute_value<T>(); }
  SYMCUTE_D void ExclusiveSum(T, T &out) { out = symcute_combined<T>(cub::Sum()); }
  SYMCUTE_D void ExclusiveSum(T, T &out, T &all) {
    out = symcute_combined<T>(cub::Sum()); all = symcute_value<T>(); }
};

// --- a block reduces: the first lane of each warp says its sum, the first thread reads them ------

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1,
          int = 0, bool = X * Y * Z >= 32 || symcute_is_power(X * Y * Z)> struct BlockReduce;
template <class T, int X, int Y, int Z, int Arch>
struct BlockReduce<T, X, BLOCK_REDUCE_WARP_REDUCTIONS, Y, Z, Arch, true> {
  enum { symcute_warps = (X * Y * Z + 31) / 32 };
  typedef typename symcute_laid<T>::type symcute_laid_t;
  struct TempStorage {
    symcute_nothing symcute_of_warps[symcute_warps];
    symcute_laid_t symcute_sums[symcute_warps], symcute_first;
  };
  TempStorage *symcute_at;
  SYMCUTE_D BlockReduce(TempStorage &temp) : symcute_at(&temp) {}
  template <class Op> SYMCUTE_D T Reduce(T input, Op op) { return Reduce(input, op, X * Y * Z); }
  template <class Op> SYMCUTE_D T Reduce(T, Op op, int valid) {
    int thread = symcute_thread<X, Y, Z>();
    symcute_combined<T>(op);
    symcute_laid_t sum = symcute_value<symcute_laid_t>();
    if (symcute_lane() == 0) symcute_at->symcute_sums[symcute_warps == 1 ? 0 : thread / 32] = sum;
    __syncthreads();
    if (thread == 0)
      for (int warp = 1; warp < symcute_warps; warp++)
        if (valid >= X * Y * Z || warp * 32 < valid)
          symcute_laid_t other = symcute_at->symcute_sums[warp];
    return symcute_value<T>();
  }
  template <class Op, int N> SYMCUTE_D T Reduce(T (&)[N], Op op) { return Reduce(symcute_value<T>(), op); }
  SYMCUTE_D T Sum(T input) { return Reduce(input, cub::Sum()); }
  SYMCUTE_D T Sum(T input, int valid) { return Reduce(input, cub::Sum(), valid); }
  template <int N> SYMCUTE_D T Sum(T (&)[N]) { return Reduce(symcute_value<T>(), cub::Sum()); }
};

// --- a block scans: the last lane of each warp says its sum, every thread reads them -------------

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
template <class T, int Warps> struct symcute_scanned {
  T symcute_sums[Warps];
  symcute_nothing symcute_of_warps[Warps];
  T symcute_first;
};
// CUB aligns it to 32 bytes, and keeps it in words of 16.
template <class T, int Warps, bool = (sizeof(symcute_scanned<T, Warps>) + 15) / 16 % 2 == 0>
struct alignas(16) symcute_scan_storage { symcute_scanned<T, Warps> symcute_held; };
template <class T, int Warps> struct alignas(16) symcute_scan_storage<T, Warps, false> {
  symcute_scanned<T, Warps> symcute_held;
  alignas(16) char symcute_rest[16];
};
// Of other numbers of threads, a warp that is not full scans in memory.
template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0,
          bool = X * Y * Z % 32 == 0> struct BlockScan;
// What all is called, by `symcute_scan` and, behind what a caller says, `symcute_scan_behind`.
#define SYMCUTE_SCAN(name) \
  template <class Op> SYMCUTE_D void name(T, T &out, Op op) { out = symcute_scan(op, false); } \
  template <int N, class Op> SYMCUTE_D void name(T (&)[N], T (&out)[N], Op op) { \
    symcute_scan(op, false); symcute_any_of(out); }
#define SYMCUTE_SCAN_SUM(name) \
  SYMCUTE_D void name(T, T &out) { out = symcute_scan(cub::Sum(), false); } \
  SYMCUTE_D void name(T, T &out, T &all) { \
    out = symcute_scan(cub::Sum(), true); all = symcute_value<T>(); } \
  template <int N> SYMCUTE_D void name(T (&)[N], T (&out)[N]) { \
    symcute_scan(cub::Sum(), false); symcute_any_of(out); } \
  template <int N> SYMCUTE_D void name(T (&)[N], T (&out)[N], T &all) { \
    symcute_scan(cub::Sum(), true); symcute_any_of(out); all = symcute_value<T>(); } \
  template <class F> SYMCUTE_D void name(T, T &out, F &before) { \
    out = symcute_scan_behind(cub::Sum(), before); } \
  template <int N, class F> SYMCUTE_D void name(T (&)[N], T (&out)[N], F &before) { \
    symcute_scan_behind(cub::Sum(), before); symcute_any_of(out); }
#define SYMCUTE_SCANS \
  template <int N> SYMCUTE_D void symcute_any_of(T (&out)[N]) { \
    for (int i = 0; i < N; i++) out[i] = symcute_value<T>(); } \
  SYMCUTE_SCAN(InclusiveScan) SYMCUTE_SCAN(ExclusiveScan) \
  SYMCUTE_SCAN_SUM(InclusiveSum) SYMCUTE_SCAN_SUM(ExclusiveSum) \
  template <class Op> SYMCUTE_D void ExclusiveScan(T, T &out, T, Op op) { \
    out = symcute_scan(op, false); } \
  template <class Op> SYMCUTE_D void ExclusiveScan(T, T &out, T, Op op, T &all) { \
    out = symcute_scan(op, true); all = symcute_value<T>(); } \
  template <int N, class Op> SYMCUTE_D void ExclusiveScan(T (&)[N], T (&out)[N], T, Op op) { \
    symcute_scan(op, false); symcute_any_of(out); } \
  template <class Op, class F> SYMCUTE_D void InclusiveScan(T, T &out, Op op, F &before) { \
    out = symcute_scan_behind(op, before); } \
  template <int N, class Op, class F> \
  SYMCUTE_D void InclusiveScan(T (&)[N], T (&out)[N], Op op, F &before) { \
    symcute_scan_behind(op, before); symcute_any_of(out); }

template <class T, int X, int Y, int Z, int Arch>
struct BlockScan<T, X, BLOCK_SCAN_WARP_SCANS, Y, Z, Arch, true> {
  static_assert(alignof(T) <= 16);
  enum { symcute_warps = X * Y * Z / 32 };
  typedef symcute_scan_storage<T, symcute_warps> TempStorage;
  symcute_scanned<T, symcute_warps> *symcute_at;
  SYMCUTE_D BlockScan(TempStorage &temp) : symcute_at(&temp.symcute_held) {}
  SYMCUTE_D int symcute_warp() { return symcute_warps == 1 ? 0 : symcute_thread<X, Y, Z>() / 32; }
  template <class Op> SYMCUTE_D T symcute_scan(Op op, bool) {
    T sum = symcute_combined<T>(op);
    if (symcute_lane() == 31) symcute_at->symcute_sums[symcute_warp()] = sum;
    __syncthreads();
    for (int warp = 0; warp < symcute_warps; warp++) T other = symcute_at->symcute_sums[warp];
    return symcute_value<T>();
  }
  // The first warp asks for what stands before all, and its first lane says it.
  template <class Op, class F> SYMCUTE_D T symcute_scan_behind(Op op, F &before) {
    T all = symcute_scan(op, true);
    if (symcute_warp() == 0) {
      T first = before(all);
      if (symcute_lane() == 0) symcute_at->symcute_first = first;
    }
    __syncthreads();
    T first = symcute_at->symcute_first;
    return symcute_value<T>();
  }
  SYMCUTE_SCANS
};

// One warp rakes over what all threads have laid down, a segment for each lane.
template <class T, int X, int Y, int Z, int Arch>
struct BlockScan<T, X, BLOCK_SCAN_RAKING, Y, Z, Arch, true> {
  static_assert(alignof(T) <= 16);
  enum { segment = X * Y * Z / 32, padded = segment > 2 && segment % 2 == 0, line = segment + padded };
  struct alignas(16) symcute_grid { T symcute_held[32 * line]; };
  struct TempStorage { symcute_nothing symcute_of_warp; symcute_grid symcute_laid; T symcute_all; };
  TempStorage *symcute_at;
  SYMCUTE_D BlockScan(TempStorage &temp) : symcute_at(&temp) {}
  SYMCUTE_D int symcute_own() {
    int thread = symcute_thread<X, Y, Z>();
    return padded ? thread + thread / segment : thread;
  }
  SYMCUTE_D void symcute_lay() {
    symcute_at->symcute_laid.symcute_held[symcute_own()] = symcute_value<T>();
    __syncthreads();
  }
  SYMCUTE_D void symcute_rake(bool write) {
    for (int i = 0; i < segment; i++) {
      int at = symcute_thread<X, Y, Z>() * line + i;
      if (write) symcute_at->symcute_laid.symcute_held[at] = symcute_value<T>();
      else T seen = symcute_at->symcute_laid.symcute_held[at];
    }
  }
  SYMCUTE_D void symcute_take() {
    __syncthreads();
    T result = symcute_at->symcute_laid.symcute_held[symcute_own()];
  }
  template <class Op> SYMCUTE_D T symcute_scan(Op op, bool all) {
    T sum = symcute_combined<T>(op);
    if constexpr (segment > 1) {
      symcute_lay();
      if (symcute_thread<X, Y, Z>() < 32) {
        symcute_rake(false);
        symcute_rake(true);
        if (all && symcute_thread<X, Y, Z>() == 31) symcute_at->symcute_all = sum;
      }
      symcute_take();
      if (all) T seen = symcute_at->symcute_all;
    }
    return symcute_value<T>();
  }
  template <class Op, class F> SYMCUTE_D T symcute_scan_behind(Op op, F &before) {
    T sum = symcute_combined<T>(op);
    if constexpr (segment > 1) symcute_lay();
    if (symcute_thread<X, Y, Z>() < 32) {
      if constexpr (segment > 1) symcute_rake(false);
      T first = before(sum);
      if constexpr (segment > 1) symcute_rake(true);
    }
    if constexpr (segment > 1) symcute_take();
    return symcute_value<T>();
  }
  SYMCUTE_SCANS
};

// --- a block loads and stores: who has which items -----------------------------------------------

// Items change between threads through memory, all of a block or those of a warp.
template <class T, int Threads, int N> struct alignas(16) symcute_exchange {
  static_assert(alignof(T) <= 16);
  enum { padded = N > 4 && symcute_is_power(N) };
  T symcute_held[Threads * N + (padded ? Threads * N / 32 : 0)];
  SYMCUTE_D static int at(int item) { return padded ? item + (item >> 5) : item; }
};
// The place of an item of a thread: one after the other, or in stripes of a block or of a warp.
template <int N> struct symcute_blocked {
  static SYMCUTE_D int place(int thread, int item) { return thread * N + item; }
};
template <int N, int Threads> struct symcute_striped {
  static SYMCUTE_D int place(int thread, int item) { return thread + item * Threads; }
};
template <int N> struct symcute_warp_striped {
  static SYMCUTE_D int place(int thread, int item) {
    return (thread >> 5) * 32 * N + (thread & 31) + item * 32; }
};
template <class From, class To, bool OfWarps, class T, int Threads, int N>
SYMCUTE_D void symcute_exchanged(symcute_exchange<T, Threads, N> *at, T (&items)[N], int thread) {
  for (int i = 0; i < N; i++) at->symcute_held[at->at(From::place(thread, i))] = items[i];
  if constexpr (OfWarps) __syncwarp(); else __syncthreads();
  for (int i = 0; i < N; i++) items[i] = at->symcute_held[at->at(To::place(thread, i))];
}

template <class T, int X, int N, bool Sliced = false, int Y = 1, int Z = 1> struct BlockExchange;
template <class T, int X, int N, int Y, int Z> struct BlockExchange<T, X, N, false, Y, Z> {
  typedef symcute_exchange<T, X * Y * Z, N> TempStorage;
  TempStorage *symcute_at;
  SYMCUTE_D BlockExchange(TempStorage &temp) : symcute_at(&temp) {}
  template <class From, class To, bool OfWarps, class R>
  SYMCUTE_D void symcute_settle(const T (&items)[N], R (&out)[N]) {
    static_assert(!OfWarps || X * Y * Z % 32 == 0);
    T held[N];
    for (int i = 0; i < N; i++) held[i] = items[i];
    symcute_exchanged<From, To, OfWarps>(symcute_at, held, symcute_thread<X, Y, Z>());
    for (int i = 0; i < N; i++) out[i] = held[i];
  }
#define SYMCUTE_EXCHANGES(name, of_warps, From, ...) \
  template <class R> SYMCUTE_D void name(const T (&items)[N], R (&out)[N]) { \
    symcute_settle<From<N>, __VA_ARGS__, of_warps>(items, out); } \
  SYMCUTE_D void name(T (&items)[N]) { name(items, items); }
  SYMCUTE_EXCHANGES(BlockedToStriped, false, symcute_blocked, symcute_striped<N, X * Y * Z>)
  SYMCUTE_EXCHANGES(BlockedToWarpStriped, true, symcute_blocked, symcute_warp_striped<N>)
  SYMCUTE_EXCHANGES(WarpStripedToBlocked, true, symcute_warp_striped, symcute_blocked<N>)
  template <int M> using symcute_from = symcute_striped<M, X * Y * Z>;
  SYMCUTE_EXCHANGES(StripedToBlocked, false, symcute_from, symcute_blocked<N>)
};

// How it is moved: whose items lie where, and whether they change places, perhaps only within a warp.
#define SYMCUTE_MOVED(kind, A, exchanged, of_warps, ...) \
  template <int N, int Threads> struct kind<A, N, Threads> { \
    typedef __VA_ARGS__ order; enum { exchanges = exchanged, warps = of_warps }; };
template <class Whole, bool Exchanges> struct symcute_room { typedef Whole type; };
template <class Whole> struct symcute_room<Whole, false> { typedef symcute_nothing type; };

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED };
template <BlockLoadAlgorithm A, int N, int Threads> struct symcute_load;
SYMCUTE_MOVED(symcute_load, BLOCK_LOAD_DIRECT, false, false, symcute_blocked<N>)
SYMCUTE_MOVED(symcute_load, BLOCK_LOAD_STRIPED, false, false, symcute_striped<N, Threads>)
// Words of many items are read only where the pointer is aligned to them.
SYMCUTE_MOVED(symcute_load, BLOCK_LOAD_VECTORIZE, false, false, symcute_blocked<N>)
SYMCUTE_MOVED(symcute_load, BLOCK_LOAD_TRANSPOSE, true, false, symcute_striped<N, Threads>)
SYMCUTE_MOVED(symcute_load, BLOCK_LOAD_WARP_TRANSPOSE, true, true, symcute_warp_striped<N>)
template <class T, int X, int N, BlockLoadAlgorithm A = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1>
struct BlockLoad {
  typedef symcute_load<A, N, X * Y * Z> symcute_how;
  static_assert(!symcute_how::warps || X * Y * Z % 32 == 0);
  typedef symcute_exchange<T, X * Y * Z, N> symcute_whole;
  typedef typename symcute_room<symcute_whole, symcute_how::exchanges>::type TempStorage;
  TempStorage *symcute_at;
  SYMCUTE_D BlockLoad(TempStorage &temp) : symcute_at(&temp) {}
  SYMCUTE_D void symcute_settle(T (&items)[N]) {
    if constexpr (symcute_how::exchanges)
      symcute_exchanged<typename symcute_how::order, symcute_blocked<N>, symcute_how::warps>(
          symcute_at, items, symcute_thread<X, Y, Z>());
  }
  template <class From> SYMCUTE_D void Load(From from, T (&items)[N]) {
    for (int i = 0; i < N; i++)
      items[i] = from[symcute_how::order::place(symcute_thread<X, Y, Z>(), i)];
    symcute_settle(items);
  }
  template <class From> SYMCUTE_D void Load(From from, T (&items)[N], int valid) {
    for (int i = 0; i < N; i++) {
      int at = symcute_how::order::place(symcute_thread<X, Y, Z>(), i);
      if (at < valid) items[i] = from[at];
    }
    symcute_settle(items);
  }
  template <class From, class Else> SYMCUTE_D void Load(From from, T (&items)[N], int valid, Else other) {
    for (int i = 0; i < N; i++) items[i] = other;
    Load(from, items, valid);
  }
};

enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED };
template <BlockStoreAlgorithm A, int N, int Threads> struct symcute_store;
SYMCUTE_MOVED(symcute_store, BLOCK_STORE_DIRECT, false, false, symcute_blocked<N>)
SYMCUTE_MOVED(symcute_store, BLOCK_STORE_STRIPED, false, false, symcute_striped<N, Threads>)
SYMCUTE_MOVED(symcute_store, BLOCK_STORE_TRANSPOSE, true, false, symcute_striped<N, Threads>)
SYMCUTE_MOVED(symcute_store, BLOCK_STORE_WARP_TRANSPOSE, true, true, symcute_warp_striped<N>)
// How many are valid is what the first thread says.
template <class T, int Threads, int N> struct symcute_stored {
  symcute_exchange<T, Threads, N> symcute_held; int symcute_valid; };
template <class T, int X, int N, BlockStoreAlgorithm A = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1>
struct BlockStore {
  typedef symcute_store<A, N, X * Y * Z> symcute_how;
  static_assert(!symcute_how::warps || X * Y * Z % 32 == 0);
  typedef symcute_stored<T, X * Y * Z, N> symcute_whole;
  typedef typename symcute_room<symcute_whole, symcute_how::exchanges>::type TempStorage;
  TempStorage *symcute_at;
  SYMCUTE_D BlockStore(TempStorage &temp) : symcute_at(&temp) {}
  SYMCUTE_D void symcute_settle(T (&items)[N]) {
    if constexpr (symcute_how::exchanges)
      symcute_exchanged<symcute_blocked<N>, typename symcute_how::order, symcute_how::warps>(
          &symcute_at->symcute_held, items, symcute_thread<X, Y, Z>());
  }
  template <class To> SYMCUTE_D void Store(To to, T (&items)[N]) {
    symcute_settle(items);
    for (int i = 0; i < N; i++)
      to[symcute_how::order::place(symcute_thread<X, Y, Z>(), i)] = items[i];
  }
  template <class To> SYMCUTE_D void Store(To to, T (&items)[N], int valid) {
    symcute_settle(items);
    if constexpr (symcute_how::exchanges) {
      if (symcute_thread<X, Y, Z>() == 0) symcute_at->symcute_valid = valid;
      __syncthreads();
      valid = symcute_at->symcute_valid;
    }
    for (int i = 0; i < N; i++) {
      int at = symcute_how::order::place(symcute_thread<X, Y, Z>(), i);
      if (at < valid) to[at] = items[i];
    }
  }
};
}  // namespace cub
