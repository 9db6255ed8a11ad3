// What CUDA kernels expect to find, as declarations and models of our own.
//
// A function with a body is inlined like any other. One without a body computes a value from its
// arguments and does nothing else, unless the front end knows its name (barriers, atomics); where it
// is given a pointer, or gives nothing back, it is not understood. `symcute_range` is a number
// between two others, `symcute_uniform` one that is the same for all threads of a block, and
// `symcute_unknown` may do anything, `symcute_elsewhere` touches memory that is none of the arrays,
// and `symcute_barrier` is a barrier of which it is not known who waits for whom; at one that counts,
// `symcute_gather` is an arrival, which has a token, and `symcute_gathered` the wait with it.
// `symcute_promise` says what a compiler may take as given; `symcute_failed` is where an assertion
// fails, at which a machine stops, or goes on where nothing is checked.
//
// A type that is defined has the layout of NVIDIA's own, to which tests hold it. What has none that
// is known is declared only, so that nothing that depends on its layout can be read.
#pragma once

#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 4
#define CUDART_VERSION 12040
#define CUDA_VERSION 12040
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __grid_constant__
#define __forceinline__ inline
#define __noinline__
#define __inline__ inline
#define alignAS _Alignas
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define SYMCUTE_TEXT(...) #__VA_ARGS__
#define __launch_bounds__(...) \
  __attribute__((annotate("symcute.launch_bounds " SYMCUTE_TEXT(__VA_ARGS__))))
#define __cluster_dims__(...) \
  __attribute__((annotate("symcute.cluster_dims " SYMCUTE_TEXT(__VA_ARGS__))))
#ifndef __restrict__
#define __restrict__ __restrict
#endif
#define CUDART_CB

#define SYMCUTE_D inline __attribute__((device)) __attribute__((host))
#define SYMCUTE_E __attribute__((device)) __attribute__((host))

// --- the C library -------------------------------------------------------------------------------

typedef unsigned long size_t;
typedef long ssize_t;
typedef long ptrdiff_t;
typedef decltype(nullptr) nullptr_t;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef long intmax_t;
typedef unsigned long uintmax_t;
typedef int8_t __int8_t;
typedef int16_t __int16_t;
typedef int32_t __int32_t;
typedef int64_t __int64_t;
typedef uint8_t __uint8_t;
typedef uint16_t __uint16_t;
typedef uint32_t __uint32_t;
typedef uint64_t __uint64_t;
typedef int8_t int_fast8_t;
typedef long int_fast32_t;
typedef unsigned long uint_fast32_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef long clock_t;
typedef long time_t;
#define NULL 0
#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295u
#define INT64_MAX 9223372036854775807L
#define INT64_MIN (-9223372036854775807L - 1)
#define UINT64_MAX 18446744073709551615ul
#define SIZE_MAX UINT64_MAX
#define CHAR_BIT 8
#define CHAR_MAX 127
#define CHAR_MIN (-128)
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define UCHAR_MAX 255
#define SHRT_MAX INT16_MAX
#define SHRT_MIN INT16_MIN
#define USHRT_MAX UINT16_MAX
#define INT_MAX INT32_MAX
#define INT_MIN INT32_MIN
#define UINT_MAX UINT32_MAX
#define LONG_MAX INT64_MAX
#define LONG_MIN INT64_MIN
#define ULONG_MAX UINT64_MAX
#define LLONG_MAX 9223372036854775807LL
#define LLONG_MIN (-9223372036854775807LL - 1)
#define ULLONG_MAX 18446744073709551615ull
#define FLT_MAX 3.402823466e+38F
#define FLT_MIN 1.175494351e-38F
#define FLT_EPSILON 1.192092896e-07F
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-016
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_E 2.7182818284590452354
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define M_2_SQRTPI 1.12837916709551257390
#define M_LOG10E 0.43429448190325182765
#define CLOCKS_PER_SEC 1000000
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_LOG2E 1.4426950408889634074
#define CUDART_INF_F __builtin_inff()
#define CUDART_INF __builtin_inf()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_NAN __builtin_nan("")
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931
#define CUDART_ZERO_F 0.0f
#define CUDART_ONE_F 1.0f
#define CUDART_NORM_HUGE_F FLT_MAX
#define assert(...) ((__VA_ARGS__) ? (void)0 : symcute_failed("assert"))
#define __builtin_expect(x, y) (x)
#define __builtin_assume(x) symcute_promise("__builtin_assume", (x))
#define __builtin_assume_aligned(p, ...) ((void *)(p))
#define __assume(x) symcute_promise("__assume", (x))
#define __builtin_unreachable() (symcute_promise("__builtin_unreachable", false), __trap())
#define __builtin_trap() __trap()
#define __builtin_memcpy memcpy
#define __builtin_memmove memmove
#define __builtin_memset memset

// --- what is not known ---------------------------------------------------------------------------

SYMCUTE_E long long symcute_range(long long low, long long high);
SYMCUTE_E long long symcute_uniform(long long low, long long high);
SYMCUTE_E void symcute_unknown(const char *what);
SYMCUTE_E void symcute_elsewhere(const char *what, const char *memory);
SYMCUTE_E void symcute_barrier(const char *what);
SYMCUTE_E void symcute_gather(void *barrier, unsigned long token);
SYMCUTE_E void symcute_gathered(void *barrier, unsigned long token);
SYMCUTE_E void symcute_promise(const char *how, bool holds);
SYMCUTE_E void symcute_failed(const char *how);

extern "C" {
SYMCUTE_E int printf(const char *, ...);
SYMCUTE_E void *malloc(size_t);
SYMCUTE_E void free(void *);
SYMCUTE_E void __trap();
SYMCUTE_E void exit(int);
SYMCUTE_E void abort();
SYMCUTE_D int abs(int x) { return x < 0 ? -x : x; }
SYMCUTE_D long labs(long x) { return x < 0 ? -x : x; }
SYMCUTE_D long long llabs(long long x) { return x < 0 ? -x : x; }
}

// --- vectors -------------------------------------------------------------------------------------

struct dim3;
#define SYMCUTE_VECTOR(T, name, a1, a2, a4) \
  struct name##1 { T x; }; \
  struct __attribute__((aligned(a2))) name##2 { T x, y; }; \
  struct name##3 { T x, y, z; }; \
  struct __attribute__((aligned(a4))) name##4 { T x, y, z, w; }; \
  SYMCUTE_D name##1 make_##name##1(T x) { return {x}; } \
  SYMCUTE_D name##2 make_##name##2(T x, T y) { return {x, y}; } \
  SYMCUTE_D name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; } \
  SYMCUTE_D name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
SYMCUTE_VECTOR(signed char, char, 1, 2, 4)
SYMCUTE_VECTOR(unsigned char, uchar, 1, 2, 4)
SYMCUTE_VECTOR(short, short, 2, 4, 8)
SYMCUTE_VECTOR(unsigned short, ushort, 2, 4, 8)
SYMCUTE_VECTOR(int, int, 4, 8, 16)
SYMCUTE_VECTOR(unsigned int, uint, 4, 8, 16)
SYMCUTE_VECTOR(long, long, 8, 16, 16)
SYMCUTE_VECTOR(unsigned long, ulong, 8, 16, 16)
SYMCUTE_VECTOR(long long, longlong, 8, 16, 16)
SYMCUTE_VECTOR(unsigned long long, ulonglong, 8, 16, 16)
SYMCUTE_VECTOR(float, float, 4, 8, 16)
SYMCUTE_VECTOR(double, double, 8, 16, 16)

struct dim3 {
  unsigned int x, y, z;
  constexpr SYMCUTE_E dim3(unsigned int a = 1, unsigned int b = 1, unsigned int c = 1)
      : x(a), y(b), z(c) {}
  constexpr SYMCUTE_E dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr SYMCUTE_E operator uint3() const { return uint3{x, y, z}; }
};

extern const __device__ uint3 threadIdx;
extern const __device__ uint3 blockIdx;
extern const __device__ dim3 blockDim;
extern const __device__ dim3 gridDim;
extern const __device__ int warpSize;

// --- barriers, votes, shuffles -------------------------------------------------------------------

__device__ void __syncthreads();
SYMCUTE_E void __syncwarp(unsigned = 0xffffffffu);
SYMCUTE_E void symcute_warp_barrier();
SYMCUTE_E void symcute_lanes_barrier();
SYMCUTE_E void symcute_grid_barrier();
SYMCUTE_D int __syncthreads_count(int p) { __syncthreads(); return symcute_uniform(0, 1024); }
SYMCUTE_D int __syncthreads_and(int p) { __syncthreads(); return symcute_uniform(0, 1); }
SYMCUTE_D int __syncthreads_or(int p) { __syncthreads(); return symcute_uniform(0, 1); }
SYMCUTE_E void __barrier_sync(unsigned);
SYMCUTE_D void __barrier_sync_count(unsigned, unsigned) {
  symcute_barrier("a barrier for some threads of a block"); }
SYMCUTE_D void __threadfence() {}
SYMCUTE_D void __threadfence_block() {}
SYMCUTE_D void __threadfence_system() {}
SYMCUTE_E unsigned __ballot_sync(unsigned, int);
SYMCUTE_E unsigned __ballot(int);
SYMCUTE_E unsigned __activemask();
SYMCUTE_D int __any_sync(unsigned, int) { return symcute_range(0, 1); }
SYMCUTE_D int __all_sync(unsigned, int) { return symcute_range(0, 1); }
SYMCUTE_D int __any(int) { return symcute_range(0, 1); }
SYMCUTE_D int __all(int) { return symcute_range(0, 1); }
SYMCUTE_D void __nanosleep(unsigned) {}
template <class T> SYMCUTE_E unsigned __match_any_sync(unsigned, T);
template <class T> SYMCUTE_E unsigned __match_all_sync(unsigned, T, int *);
template <class T> SYMCUTE_E T __shfl_sync(unsigned, T, int, int = 32);
template <class T> SYMCUTE_E T __shfl_up_sync(unsigned, T, unsigned, int = 32);
template <class T> SYMCUTE_E T __shfl_down_sync(unsigned, T, unsigned, int = 32);
template <class T> SYMCUTE_E T __shfl_xor_sync(unsigned, T, int, int = 32);
template <class T> SYMCUTE_E T __shfl(T, int, int = 32);
template <class T> SYMCUTE_E T __shfl_up(T, unsigned, int = 32);
template <class T> SYMCUTE_E T __shfl_down(T, unsigned, int = 32);
template <class T> SYMCUTE_E T __shfl_xor(T, int, int = 32);
SYMCUTE_E unsigned __reduce_add_sync(unsigned, unsigned);
SYMCUTE_E unsigned __reduce_min_sync(unsigned, unsigned);
SYMCUTE_E unsigned __reduce_max_sync(unsigned, unsigned);
// Between grids: what one writes, another that waits for it sees.
SYMCUTE_D void cudaGridDependencySynchronize() {}
SYMCUTE_D void cudaTriggerProgrammaticLaunchCompletion() {}
SYMCUTE_E clock_t clock();
SYMCUTE_E long long clock64();

// --- atomics: known to the front end by their names ----------------------------------------------

#define SYMCUTE_ATOMIC(op, T) \
  SYMCUTE_E T op(T *, T); \
  SYMCUTE_E T op##_block(T *, T); \
  SYMCUTE_E T op##_system(T *, T);
#define SYMCUTE_ATOMIC_INT(op) \
  SYMCUTE_ATOMIC(op, int) SYMCUTE_ATOMIC(op, unsigned) SYMCUTE_ATOMIC(op, unsigned long long)
#define SYMCUTE_ATOMIC_LONG(op) SYMCUTE_ATOMIC_INT(op) SYMCUTE_ATOMIC(op, long long)
struct __half; struct __nv_bfloat16; struct __half2; struct __nv_bfloat162;
SYMCUTE_ATOMIC_INT(atomicAdd) SYMCUTE_ATOMIC(atomicAdd, float) SYMCUTE_ATOMIC(atomicAdd, double)
SYMCUTE_ATOMIC_INT(atomicExch) SYMCUTE_ATOMIC(atomicExch, float)
SYMCUTE_ATOMIC(atomicSub, int) SYMCUTE_ATOMIC(atomicSub, unsigned)
SYMCUTE_ATOMIC_LONG(atomicMin) SYMCUTE_ATOMIC_LONG(atomicMax)
SYMCUTE_ATOMIC_LONG(atomicAnd) SYMCUTE_ATOMIC_LONG(atomicOr) SYMCUTE_ATOMIC_LONG(atomicXor)
SYMCUTE_ATOMIC(atomicInc, unsigned) SYMCUTE_ATOMIC(atomicDec, unsigned)
#define SYMCUTE_CAS(T) \
  SYMCUTE_E T atomicCAS(T *, T, T); \
  SYMCUTE_E T atomicCAS_block(T *, T, T); \
  SYMCUTE_E T atomicCAS_system(T *, T, T);
SYMCUTE_CAS(int) SYMCUTE_CAS(unsigned) SYMCUTE_CAS(unsigned long long) SYMCUTE_CAS(unsigned short)
SYMCUTE_ATOMIC(atomicAdd, float2) SYMCUTE_ATOMIC(atomicAdd, float4)

// The last argument is the scope, a `cuda::thread_scope`.
template <class T> struct symcute_same { typedef T type; };
template <class T> SYMCUTE_E T symcute_atomic_load(T *, int);
template <class T> SYMCUTE_E void symcute_atomic_store(T *, typename symcute_same<T>::type, int);
template <class T> SYMCUTE_E T symcute_atomic_compare_exchange(
    T *, typename symcute_same<T>::type, typename symcute_same<T>::type, int);
#define SYMCUTE_FETCHED(f) \
  template <class T> SYMCUTE_E T symcute_atomic_##f(T *, typename symcute_same<T>::type, int);
SYMCUTE_FETCHED(exchange) SYMCUTE_FETCHED(fetch_add) SYMCUTE_FETCHED(fetch_sub)
SYMCUTE_FETCHED(fetch_min) SYMCUTE_FETCHED(fetch_max) SYMCUTE_FETCHED(fetch_and)
SYMCUTE_FETCHED(fetch_or) SYMCUTE_FETCHED(fetch_xor)
template <class T> SYMCUTE_D bool symcute_exchanged(T &expected, T found) {
  bool same = symcute_range(0, 1);
  if (!same) expected = found;
  return same;
}
enum { __NV_ATOMIC_RELAXED, __NV_ATOMIC_CONSUME, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELEASE,
       __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_SEQ_CST };
enum { __NV_THREAD_SCOPE_THREAD, __NV_THREAD_SCOPE_BLOCK, __NV_THREAD_SCOPE_CLUSTER,
       __NV_THREAD_SCOPE_DEVICE, __NV_THREAD_SCOPE_SYSTEM };
// Of a cluster it is not known which blocks are in it: its scope, 99, is none.
#define SYMCUTE_SCOPE(s) ((s) == __NV_THREAD_SCOPE_SYSTEM ? 0 : (s) == __NV_THREAD_SCOPE_DEVICE ? 1 \
  : (s) == __NV_THREAD_SCOPE_BLOCK ? 2 : (s) == __NV_THREAD_SCOPE_THREAD ? 10 : 99)
#define __nv_atomic_load_n(p, order, s) symcute_atomic_load(p, SYMCUTE_SCOPE(s))
#define __nv_atomic_load(p, to, order, s) (*(to) = symcute_atomic_load(p, SYMCUTE_SCOPE(s)))
#define __nv_atomic_store_n(p, v, order, s) symcute_atomic_store(p, v, SYMCUTE_SCOPE(s))
#define __nv_atomic_store(p, v, order, s) symcute_atomic_store(p, *(v), SYMCUTE_SCOPE(s))
#define __nv_atomic_exchange_n(p, v, order, s) symcute_atomic_exchange(p, v, SYMCUTE_SCOPE(s))
#define __nv_atomic_compare_exchange_n(p, expected, v, weak, order, failed, s) \
  symcute_exchanged(*(expected), symcute_atomic_compare_exchange(p, *(expected), v, SYMCUTE_SCOPE(s)))
#define __nv_atomic_fetch_add(p, v, order, s) symcute_atomic_fetch_add(p, v, SYMCUTE_SCOPE(s))
#define __nv_atomic_fetch_sub(p, v, order, s) symcute_atomic_fetch_sub(p, v, SYMCUTE_SCOPE(s))
#define __nv_atomic_fetch_min(p, v, order, s) symcute_atomic_fetch_min(p, v, SYMCUTE_SCOPE(s))
#define __nv_atomic_fetch_max(p, v, order, s) symcute_atomic_fetch_max(p, v, SYMCUTE_SCOPE(s))
#define __nv_atomic_fetch_and(p, v, order, s) symcute_atomic_fetch_and(p, v, SYMCUTE_SCOPE(s))
#define __nv_atomic_fetch_or(p, v, order, s) symcute_atomic_fetch_or(p, v, SYMCUTE_SCOPE(s))
#define __nv_atomic_fetch_xor(p, v, order, s) symcute_atomic_fetch_xor(p, v, SYMCUTE_SCOPE(s))
#define __nv_atomic_add(p, v, order, s) ((void)__nv_atomic_fetch_add(p, v, order, s))
#define __nv_atomic_sub(p, v, order, s) ((void)__nv_atomic_fetch_sub(p, v, order, s))
#define __nv_atomic_min(p, v, order, s) ((void)__nv_atomic_fetch_min(p, v, order, s))
#define __nv_atomic_max(p, v, order, s) ((void)__nv_atomic_fetch_max(p, v, order, s))
#define __nv_atomic_and(p, v, order, s) ((void)__nv_atomic_fetch_and(p, v, order, s))
#define __nv_atomic_or(p, v, order, s) ((void)__nv_atomic_fetch_or(p, v, order, s))
#define __nv_atomic_xor(p, v, order, s) ((void)__nv_atomic_fetch_xor(p, v, order, s))

// --- numbers -------------------------------------------------------------------------------------

#define SYMCUTE_MINMAX(T) \
  SYMCUTE_E T min(T, T); \
  SYMCUTE_E T max(T, T);
SYMCUTE_MINMAX(int) SYMCUTE_MINMAX(unsigned) SYMCUTE_MINMAX(long) SYMCUTE_MINMAX(unsigned long)
SYMCUTE_MINMAX(long long) SYMCUTE_MINMAX(unsigned long long)
SYMCUTE_MINMAX(float) SYMCUTE_MINMAX(double)
#define SYMCUTE_MIXED(A, B, T) \
  SYMCUTE_D T min(A a, B b) { return min((T)a, (T)b); } \
  SYMCUTE_D T min(B a, A b) { return min((T)a, (T)b); } \
  SYMCUTE_D T max(A a, B b) { return max((T)a, (T)b); } \
  SYMCUTE_D T max(B a, A b) { return max((T)a, (T)b); }
SYMCUTE_MIXED(int, unsigned, unsigned) SYMCUTE_MIXED(long, unsigned long, unsigned long)
SYMCUTE_MIXED(long long, unsigned long long, unsigned long long) SYMCUTE_MIXED(float, double, double)

#define SYMCUTE_MATH1(n) \
  extern "C" SYMCUTE_E double n(double); extern "C" SYMCUTE_E float n##f(float);
#define SYMCUTE_MATH1O(n) SYMCUTE_MATH1(n) SYMCUTE_E float n(float);
#define SYMCUTE_MATH2(n) \
  extern "C" SYMCUTE_E double n(double, double); extern "C" SYMCUTE_E float n##f(float, float);
#define SYMCUTE_MATH2O(n) SYMCUTE_MATH2(n) SYMCUTE_E float n(float, float);
SYMCUTE_MATH1O(sin) SYMCUTE_MATH1O(cos) SYMCUTE_MATH1O(tan) SYMCUTE_MATH1O(asin)
SYMCUTE_MATH1O(acos) SYMCUTE_MATH1O(atan) SYMCUTE_MATH1O(sinh) SYMCUTE_MATH1O(cosh)
SYMCUTE_MATH1O(tanh) SYMCUTE_MATH1O(asinh) SYMCUTE_MATH1O(acosh) SYMCUTE_MATH1O(atanh)
SYMCUTE_MATH1O(exp) SYMCUTE_MATH1O(exp2) SYMCUTE_MATH1(exp10) SYMCUTE_MATH1O(expm1)
SYMCUTE_MATH1O(log) SYMCUTE_MATH1O(log2) SYMCUTE_MATH1O(log10) SYMCUTE_MATH1O(log1p)
SYMCUTE_MATH1O(sqrt) SYMCUTE_MATH1(rsqrt) SYMCUTE_MATH1O(cbrt) SYMCUTE_MATH1(rcbrt)
SYMCUTE_MATH1O(ceil) SYMCUTE_MATH1O(floor) SYMCUTE_MATH1O(trunc) SYMCUTE_MATH1O(round)
SYMCUTE_MATH1O(rint) SYMCUTE_MATH1O(nearbyint) SYMCUTE_MATH1O(fabs) SYMCUTE_MATH1O(erf)
SYMCUTE_MATH1O(erfc) SYMCUTE_MATH1(erfinv) SYMCUTE_MATH1(erfcinv) SYMCUTE_MATH1(erfcx)
SYMCUTE_MATH1(normcdf) SYMCUTE_MATH1(normcdfinv) SYMCUTE_MATH1O(tgamma) SYMCUTE_MATH1O(lgamma)
SYMCUTE_MATH1(j0) SYMCUTE_MATH1(j1) SYMCUTE_MATH1(y0) SYMCUTE_MATH1(y1) SYMCUTE_MATH1(sinpi)
SYMCUTE_MATH1(cospi) SYMCUTE_MATH1O(logb)
SYMCUTE_MATH2O(pow) SYMCUTE_MATH2O(fmod) SYMCUTE_MATH2O(atan2) SYMCUTE_MATH2O(hypot)
SYMCUTE_MATH2O(fmin) SYMCUTE_MATH2O(fmax) SYMCUTE_MATH2O(fdim) SYMCUTE_MATH2O(copysign)
SYMCUTE_MATH2O(remainder) SYMCUTE_MATH2O(nextafter) SYMCUTE_MATH2(rhypot)
SYMCUTE_E double pow(double, int); SYMCUTE_E float pow(float, int);
SYMCUTE_E float abs(float); SYMCUTE_E double abs(double);
SYMCUTE_D long abs(long x) { return x < 0 ? -x : x; }
SYMCUTE_D long long abs(long long x) { return x < 0 ? -x : x; }
extern "C" {
SYMCUTE_E double fma(double, double, double); SYMCUTE_E float fmaf(float, float, float);
SYMCUTE_E float __fdividef(float, float); SYMCUTE_E float __expf(float);
SYMCUTE_E float __exp10f(float); SYMCUTE_E float __logf(float); SYMCUTE_E float __log2f(float);
SYMCUTE_E float __log10f(float); SYMCUTE_E float __sinf(float); SYMCUTE_E float __cosf(float);
SYMCUTE_E float __tanf(float); SYMCUTE_E float __powf(float, float);
SYMCUTE_E float __saturatef(float); SYMCUTE_E float __frcp_rn(float);
SYMCUTE_E float __fsqrt_rn(float); SYMCUTE_E float __frsqrt_rn(float);
SYMCUTE_E float norm3df(float, float, float); SYMCUTE_E double norm3d(double, double, double);
SYMCUTE_E float rnorm3df(float, float, float); SYMCUTE_E double ldexp(double, int);
SYMCUTE_E float ldexpf(float, int); SYMCUTE_E double scalbn(double, int);
SYMCUTE_E float scalbnf(float, int); SYMCUTE_E int ilogb(double); SYMCUTE_E int ilogbf(float);
SYMCUTE_E float jnf(int, float); SYMCUTE_E double jn(int, double);
SYMCUTE_E long lrint(double); SYMCUTE_E long lrintf(float); SYMCUTE_E long lround(double);
SYMCUTE_E long lroundf(float); SYMCUTE_E long long llrint(double);
SYMCUTE_E long long llround(double); SYMCUTE_E long long llrintf(float);
SYMCUTE_E long long llroundf(float); SYMCUTE_E float nanf(const char *);
SYMCUTE_E double nan(const char *); SYMCUTE_E int rand(); SYMCUTE_E void srand(unsigned);
}
SYMCUTE_E float fma(float, float, float); SYMCUTE_E float ldexp(float, int);
SYMCUTE_D bool isnan(float) { return symcute_range(0, 1); }
SYMCUTE_D bool isnan(double) { return symcute_range(0, 1); }
SYMCUTE_D bool isinf(float) { return symcute_range(0, 1); }
SYMCUTE_D bool isinf(double) { return symcute_range(0, 1); }
SYMCUTE_D bool isfinite(float) { return symcute_range(0, 1); }
SYMCUTE_D bool isfinite(double) { return symcute_range(0, 1); }
SYMCUTE_D bool signbit(float) { return symcute_range(0, 1); }
SYMCUTE_D bool signbit(double) { return symcute_range(0, 1); }
SYMCUTE_E float symcute_number();
SYMCUTE_D void sincos(double, double *s, double *c) { *s = symcute_number(); *c = symcute_number(); }
SYMCUTE_D void sincosf(float, float *s, float *c) { *s = symcute_number(); *c = symcute_number(); }
SYMCUTE_D void __sincosf(float, float *s, float *c) { *s = symcute_number(); *c = symcute_number(); }
SYMCUTE_D void sincospi(double, double *s, double *c) { *s = symcute_number(); *c = symcute_number(); }
SYMCUTE_D void sincospif(float, float *s, float *c) { *s = symcute_number(); *c = symcute_number(); }
SYMCUTE_D double modf(double, double *i) { *i = symcute_number(); return symcute_number(); }
SYMCUTE_D float modff(float, float *i) { *i = symcute_number(); return symcute_number(); }
SYMCUTE_D double frexp(double, int *e) { *e = symcute_range(-1100, 1100); return symcute_number(); }
SYMCUTE_D float frexpf(float, int *e) { *e = symcute_range(-1100, 1100); return symcute_number(); }

#define SYMCUTE_ROUNDED(f, T, ...) \
  SYMCUTE_E T f##_rn(__VA_ARGS__); SYMCUTE_E T f##_rz(__VA_ARGS__); \
  SYMCUTE_E T f##_ru(__VA_ARGS__); SYMCUTE_E T f##_rd(__VA_ARGS__);
SYMCUTE_ROUNDED(__fadd, float, float, float) SYMCUTE_ROUNDED(__fsub, float, float, float)
SYMCUTE_ROUNDED(__fmul, float, float, float) SYMCUTE_ROUNDED(__fdiv, float, float, float)
SYMCUTE_ROUNDED(__fmaf, float, float, float, float) SYMCUTE_ROUNDED(__dadd, double, double, double)
SYMCUTE_ROUNDED(__dsub, double, double, double) SYMCUTE_ROUNDED(__dmul, double, double, double)
SYMCUTE_ROUNDED(__ddiv, double, double, double) SYMCUTE_ROUNDED(__fma, double, double, double, double)
SYMCUTE_ROUNDED(__dsqrt, double, double) SYMCUTE_ROUNDED(__drcp, double, double)
SYMCUTE_ROUNDED(__float2int, int, float) SYMCUTE_ROUNDED(__float2uint, unsigned, float)
SYMCUTE_ROUNDED(__float2ll, long long, float) SYMCUTE_ROUNDED(__int2float, float, int)
SYMCUTE_ROUNDED(__uint2float, float, unsigned) SYMCUTE_ROUNDED(__double2int, int, double)
SYMCUTE_ROUNDED(__double2uint, unsigned, double) SYMCUTE_ROUNDED(__double2ll, long long, double)
SYMCUTE_ROUNDED(__double2float, float, double) SYMCUTE_ROUNDED(__ll2float, float, long long)
SYMCUTE_ROUNDED(__ll2double, double, long long)
SYMCUTE_E double __int2double_rn(int); SYMCUTE_E double __uint2double_rn(unsigned);
SYMCUTE_E int __float_as_int(float); SYMCUTE_E unsigned __float_as_uint(float);
SYMCUTE_E float __int_as_float(int); SYMCUTE_E float __uint_as_float(unsigned);
SYMCUTE_E long long __double_as_longlong(double); SYMCUTE_E double __longlong_as_double(long long);
SYMCUTE_E int __double2hiint(double); SYMCUTE_E int __double2loint(double);
SYMCUTE_E double __hiloint2double(int, int);

SYMCUTE_E int __clz(int); SYMCUTE_E int __clzll(long long);
SYMCUTE_E int __ffs(int); SYMCUTE_E int __ffsll(long long);
SYMCUTE_E int __popc(unsigned); SYMCUTE_E int __popcll(unsigned long long);
SYMCUTE_E unsigned __brev(unsigned); SYMCUTE_E unsigned long long __brevll(unsigned long long);
SYMCUTE_E int __mul24(int, int);
SYMCUTE_D unsigned __umul24(unsigned a, unsigned b) {
  return (unsigned)((unsigned long long)(a & 0xffffffu) * (b & 0xffffffu)); }
SYMCUTE_D int mul24(int a, int b) { return __mul24(a, b); }
SYMCUTE_D unsigned umul24(unsigned a, unsigned b) { return __umul24(a, b); }
SYMCUTE_D int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
SYMCUTE_D unsigned __umulhi(unsigned a, unsigned b) {
  return (unsigned)((unsigned long long)a * b >> 32); }
SYMCUTE_D int mulhi(int a, int b) { return __mulhi(a, b); }
SYMCUTE_D unsigned umulhi(unsigned a, unsigned b) { return __umulhi(a, b); }
SYMCUTE_D long long __mul64hi(long long a, long long b) {
  return (long long)((__int128)a * b >> 64); }
SYMCUTE_D unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64); }
SYMCUTE_D int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
SYMCUTE_D int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
SYMCUTE_D unsigned __uhadd(unsigned a, unsigned b) {
  return (unsigned)(((unsigned long long)a + b) >> 1); }
SYMCUTE_D unsigned __urhadd(unsigned a, unsigned b) {
  return (unsigned)(((unsigned long long)a + b + 1) >> 1); }
SYMCUTE_D unsigned __sad(int a, int b, unsigned c) {
  return (unsigned)((a < b ? (long long)b - a : (long long)a - b) + c); }
SYMCUTE_D unsigned __usad(unsigned a, unsigned b, unsigned c) {
  return (unsigned)((a < b ? (long long)b - a : (long long)a - b) + c); }
#define SYMCUTE_BYTE(v, s, n) ((unsigned)(((v) >> 8 * ((s) >> 4 * (n) & 7)) & 255) << 8 * (n))
SYMCUTE_D unsigned __byte_perm(unsigned a, unsigned b, unsigned s) {
  unsigned long long v = (unsigned long long)b << 32 | a;
  return SYMCUTE_BYTE(v, s, 0) | SYMCUTE_BYTE(v, s, 1) | SYMCUTE_BYTE(v, s, 2) | SYMCUTE_BYTE(v, s, 3);
}
SYMCUTE_D unsigned __funnelshift_l(unsigned a, unsigned b, unsigned s) {
  return (unsigned)(((unsigned long long)b << 32 | a) >> (32 - (s & 31))); }
SYMCUTE_D unsigned __funnelshift_lc(unsigned a, unsigned b, unsigned s) {
  return (unsigned)(((unsigned long long)b << 32 | a) >> (32 - (s < 32 ? s : 32))); }
SYMCUTE_D unsigned __funnelshift_r(unsigned a, unsigned b, unsigned s) {
  return (unsigned)(((unsigned long long)b << 32 | a) >> (s & 31)); }
SYMCUTE_D unsigned __funnelshift_rc(unsigned a, unsigned b, unsigned s) {
  return (unsigned)(((unsigned long long)b << 32 | a) >> (s < 32 ? s : 32)); }
SYMCUTE_E int __dp4a(int, int, int); SYMCUTE_E unsigned __dp4a(unsigned, unsigned, unsigned);
SYMCUTE_D unsigned umin(unsigned a, unsigned b) { return min(a, b); }
SYMCUTE_D unsigned umax(unsigned a, unsigned b) { return max(a, b); }
SYMCUTE_D long long llmin(long long a, long long b) { return min(a, b); }
SYMCUTE_D long long llmax(long long a, long long b) { return max(a, b); }
SYMCUTE_D unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
SYMCUTE_D unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }
template <class T> SYMCUTE_D T __ldg(const T *p) { return *p; }
template <class T> SYMCUTE_D T __ldca(const T *p) { return *p; }
template <class T> SYMCUTE_D T __ldcg(const T *p) { return *p; }
template <class T> SYMCUTE_D T __ldcs(const T *p) { return *p; }
template <class T> SYMCUTE_D T __ldcv(const T *p) { return *p; }
template <class T> SYMCUTE_D T __ldlu(const T *p) { return *p; }
template <class T> SYMCUTE_D void __stcg(T *p, T v) { *p = v; }
template <class T> SYMCUTE_D void __stcs(T *p, T v) { *p = v; }
template <class T> SYMCUTE_D void __stwb(T *p, T v) { *p = v; }
template <class T> SYMCUTE_D void __stwt(T *p, T v) { *p = v; }

// --- memory --------------------------------------------------------------------------------------

SYMCUTE_D void *memcpy(void *to, const void *from, size_t n) {
  for (size_t i = 0; i < n; i++) ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
  return to;
}
SYMCUTE_E unsigned char symcute_moved();
SYMCUTE_D void *memmove(void *to, const void *from, size_t n) {
  // What overlaps is read before it is written; what it was is not followed.
  for (size_t i = 0; i < n; i++) ((const volatile unsigned char *)from)[i];
  for (size_t i = 0; i < n; i++) ((unsigned char *)to)[i] = symcute_moved();
  return to;
}
SYMCUTE_D void *memset(void *to, int value, size_t n) {
  for (size_t i = 0; i < n; i++) ((unsigned char *)to)[i] = (unsigned char)value;
  return to;
}
SYMCUTE_E size_t strlen(const char *);
SYMCUTE_E unsigned __isGlobal(const void *);
SYMCUTE_E unsigned __isShared(const void *);
SYMCUTE_E size_t __cvta_generic_to_shared(const void *);
SYMCUTE_E size_t __cvta_generic_to_global(const void *);

// Asynchronous copies of one thread; the last bytes are zeros.
SYMCUTE_E void symcute_copy(void *, const void *, size_t, size_t);
SYMCUTE_E void symcute_wait(size_t);
SYMCUTE_E void symcute_commit();
#define __pipeline_memcpy_async(...) SYMCUTE_COPY(__VA_ARGS__, 0, 0)
#define SYMCUTE_COPY(to, from, n, zeros, ...) symcute_copy(to, from, n, zeros)
#define __pipeline_commit() symcute_commit()
#define __pipeline_wait_prior(n) symcute_wait(n)

// --- half precision: numbers to the front end ----------------------------------------------------

#define SYMCUTE_HALF(H) \
  struct H##_raw { unsigned short x; }; \
  struct __attribute__((aligned(2))) H { \
    H() = default; \
    SYMCUTE_E H(const H##_raw &); \
    SYMCUTE_E operator H##_raw() const; \
    SYMCUTE_E H(float); SYMCUTE_E H(double); SYMCUTE_E H(int); SYMCUTE_E H(unsigned); \
    SYMCUTE_E H(short); SYMCUTE_E H(unsigned short); SYMCUTE_E H(long long); \
    SYMCUTE_E H(unsigned long long); SYMCUTE_E H(long); SYMCUTE_E H(unsigned long); \
    SYMCUTE_E operator float() const; \
    SYMCUTE_E H &operator+=(const H &); SYMCUTE_E H &operator-=(const H &); \
    SYMCUTE_E H &operator*=(const H &); SYMCUTE_E H &operator/=(const H &); \
    SYMCUTE_E H &operator++(); SYMCUTE_E H &operator--(); \
   private: \
    unsigned short symcute_held; \
  }; \
  SYMCUTE_E H operator+(const H &, const H &); SYMCUTE_E H operator-(const H &, const H &); \
  SYMCUTE_E H operator*(const H &, const H &); SYMCUTE_E H operator/(const H &, const H &); \
  SYMCUTE_E H operator-(const H &); \
  SYMCUTE_E bool operator<(const H &, const H &); SYMCUTE_E bool operator>(const H &, const H &); \
  SYMCUTE_E bool operator<=(const H &, const H &); SYMCUTE_E bool operator>=(const H &, const H &); \
  SYMCUTE_E bool operator==(const H &, const H &); SYMCUTE_E bool operator!=(const H &, const H &); \
  struct __attribute__((aligned(4))) H##2 { \
    H x, y; \
    H##2() = default; \
    SYMCUTE_E H##2(const H &a, const H &b) : x(a), y(b) {} \
  }; \
  SYMCUTE_D H##2 operator+(const H##2 &a, const H##2 &b) { return H##2(a.x + b.x, a.y + b.y); } \
  SYMCUTE_D H##2 operator-(const H##2 &a, const H##2 &b) { return H##2(a.x - b.x, a.y - b.y); } \
  SYMCUTE_D H##2 operator*(const H##2 &a, const H##2 &b) { return H##2(a.x * b.x, a.y * b.y); } \
  SYMCUTE_D H##2 operator/(const H##2 &a, const H##2 &b) { return H##2(a.x / b.x, a.y / b.y); } \
  SYMCUTE_D H##2 &operator+=(H##2 &a, const H##2 &b) { a = a + b; return a; } \
  SYMCUTE_D H##2 &operator*=(H##2 &a, const H##2 &b) { a = a * b; return a; } \
  SYMCUTE_E H __hadd(H, H); SYMCUTE_E H __hsub(H, H); SYMCUTE_E H __hmul(H, H); \
  SYMCUTE_E H __hdiv(H, H); SYMCUTE_E H __hfma(H, H, H); SYMCUTE_E H __hneg(H); \
  SYMCUTE_E H __habs(H); SYMCUTE_E H __hmin(H, H); SYMCUTE_E H __hmax(H, H); \
  SYMCUTE_E H hexp(H); SYMCUTE_E H hlog(H); SYMCUTE_E H hsqrt(H); SYMCUTE_E H hrcp(H); \
  SYMCUTE_E H hsin(H); SYMCUTE_E H hcos(H); SYMCUTE_E H hrsqrt(H); SYMCUTE_E H hfloor(H); \
  SYMCUTE_E bool __hgt(H, H); SYMCUTE_E bool __hlt(H, H); SYMCUTE_E bool __hge(H, H); \
  SYMCUTE_E bool __hle(H, H); SYMCUTE_E bool __heq(H, H); SYMCUTE_E bool __hne(H, H); \
  SYMCUTE_E bool __hisnan(H); \
  SYMCUTE_E H##2 __hadd2(H##2, H##2); SYMCUTE_E H##2 __hsub2(H##2, H##2); \
  SYMCUTE_E H##2 __hmul2(H##2, H##2); SYMCUTE_E H##2 __h2div(H##2, H##2); \
  SYMCUTE_E H##2 __hfma2(H##2, H##2, H##2); SYMCUTE_E H##2 __hmax2(H##2, H##2); \
  SYMCUTE_E H##2 __hmin2(H##2, H##2); SYMCUTE_E H##2 h2exp(H##2); SYMCUTE_E H##2 __hneg2(H##2); \
  SYMCUTE_E H __low2##H(H##2);
SYMCUTE_HALF(__half) SYMCUTE_HALF(__nv_bfloat16)
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
SYMCUTE_E __half __float2half(float); SYMCUTE_E __half __float2half_rn(float);
SYMCUTE_E __half __double2half(double); SYMCUTE_E __half __int2half_rn(int);
SYMCUTE_E __half __ushort_as_half(unsigned short); SYMCUTE_E unsigned short __half_as_ushort(__half);
SYMCUTE_E float __half2float(__half); SYMCUTE_E int __half2int_rn(__half);
SYMCUTE_E __half2 __float2half2_rn(float); SYMCUTE_E __half2 __floats2half2_rn(float, float);
SYMCUTE_E __half2 __float22half2_rn(float2); SYMCUTE_E float2 __half22float2(__half2);
SYMCUTE_E __half2 __half2half2(__half); SYMCUTE_E __half2 __halves2half2(__half, __half);
SYMCUTE_E __half2 make_half2(__half, __half); SYMCUTE_E __half __low2half(__half2);
SYMCUTE_E __half __high2half(__half2); SYMCUTE_E float __low2float(__half2);
SYMCUTE_E float __high2float(__half2);
SYMCUTE_E __nv_bfloat16 __float2bfloat16(float); SYMCUTE_E __nv_bfloat16 __float2bfloat16_rn(float);
SYMCUTE_E float __bfloat162float(__nv_bfloat16);
SYMCUTE_E __nv_bfloat162 __float2bfloat162_rn(float);
SYMCUTE_E __nv_bfloat162 __floats2bfloat162_rn(float, float);
SYMCUTE_E __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16);
SYMCUTE_E __nv_bfloat162 __halves2bfloat162(__nv_bfloat16, __nv_bfloat16);
SYMCUTE_E float2 __bfloat1622float2(__nv_bfloat162);
SYMCUTE_E __nv_bfloat16 __low2bfloat16(__nv_bfloat162);
SYMCUTE_E __nv_bfloat16 __high2bfloat16(__nv_bfloat162);
SYMCUTE_ATOMIC(atomicAdd, __half) SYMCUTE_ATOMIC(atomicAdd, __half2)
SYMCUTE_ATOMIC(atomicAdd, __nv_bfloat16) SYMCUTE_ATOMIC(atomicAdd, __nv_bfloat162)

#include "symcute_narrow.h"

// --- textures and surfaces: reads that touch no array --------------------------------------------

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef unsigned long long CUtexObject;
typedef unsigned long long CUsurfObject;
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
enum cudaTextureAddressMode {
  cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
#define cudaTextureType1D 1
#define cudaTextureType2D 2
#define cudaTextureType3D 3
template <class T, int D = 1, cudaTextureReadMode M = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture { int normalized; cudaTextureFilterMode filterMode; cudaTextureAddressMode addressMode[3]; };
template <class T, int D = 1> struct __attribute__((device_builtin_surface_type)) surface {};
template <int D> struct __attribute__((device_builtin_surface_type)) surface<void, D> {};
template <class T, cudaTextureReadMode M> struct symcute_texel { typedef T type; };
#define SYMCUTE_NORMALIZED(T) \
  template <> struct symcute_texel<T, cudaReadModeNormalizedFloat> { typedef float type; }; \
  template <> struct symcute_texel<T##1, cudaReadModeNormalizedFloat> { typedef float1 type; }; \
  template <> struct symcute_texel<T##2, cudaReadModeNormalizedFloat> { typedef float2 type; }; \
  template <> struct symcute_texel<T##4, cudaReadModeNormalizedFloat> { typedef float4 type; };
SYMCUTE_NORMALIZED(char) SYMCUTE_NORMALIZED(uchar) SYMCUTE_NORMALIZED(short)
SYMCUTE_NORMALIZED(ushort)
#define SYMCUTE_TEX(f, ...) \
  template <class T> SYMCUTE_E T f(cudaTextureObject_t, __VA_ARGS__); \
  template <class T> SYMCUTE_E void f(T *, cudaTextureObject_t, __VA_ARGS__); \
  template <class T, int D, cudaTextureReadMode M> \
  SYMCUTE_E typename symcute_texel<T, M>::type f(texture<T, D, M>, __VA_ARGS__);
SYMCUTE_TEX(tex1Dfetch, int) SYMCUTE_TEX(tex1D, float) SYMCUTE_TEX(tex2D, float, float)
SYMCUTE_TEX(tex3D, float, float, float) SYMCUTE_TEX(tex1DLod, float, float)
SYMCUTE_TEX(tex2DLod, float, float, float) SYMCUTE_TEX(tex3DLod, float, float, float, float)
SYMCUTE_TEX(tex1DLayered, float, int) SYMCUTE_TEX(tex2DLayered, float, float, int)
SYMCUTE_TEX(texCubemap, float, float, float) SYMCUTE_TEX(texCubemapLayered, float, float, float, int)
SYMCUTE_TEX(tex2DGrad, float, float, float2, float2) SYMCUTE_TEX(tex2Dgather, float, float, int)
#define SYMCUTE_SURF(d, ...) \
  template <class T> SYMCUTE_E T surf##d##read(cudaSurfaceObject_t, __VA_ARGS__, int = 0); \
  template <class T> SYMCUTE_E T surf##d##read(surface<void, 2>, __VA_ARGS__, int = 0); \
  template <class T> SYMCUTE_E void surf##d##read(T *, cudaSurfaceObject_t, __VA_ARGS__, int = 0); \
  template <class T> SYMCUTE_D void surf##d##write(T, cudaSurfaceObject_t, __VA_ARGS__, int = 0) { \
    symcute_elsewhere("a write to a surface", "surfaces"); } \
  template <class T> SYMCUTE_D void surf##d##write(T, surface<void, 2>, __VA_ARGS__, int = 0) { \
    symcute_elsewhere("a write to a surface", "surfaces"); }
SYMCUTE_SURF(1D, int) SYMCUTE_SURF(2D, int, int) SYMCUTE_SURF(3D, int, int, int)
SYMCUTE_SURF(2DLayered, int, int, int) SYMCUTE_SURF(Cubemap, int, int, int)

// --- std -----------------------------------------------------------------------------------------

namespace std {
using ::size_t; using ::ptrdiff_t; using ::nullptr_t;
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
using ::intptr_t; using ::uintptr_t;
using ::sin; using ::cos; using ::tan; using ::exp; using ::log; using ::sqrt; using ::pow;
using ::fabs; using ::floor; using ::ceil; using ::abs; using ::fmin; using ::fmax; using ::fmod;
using ::isnan; using ::isinf; using ::isfinite; using ::round; using ::tanh; using ::erf;
using ::log2; using ::exp2; using ::log10; using ::log1p; using ::expm1; using ::atan2;
using ::fma; using ::hypot; using ::trunc; using ::cbrt; using ::sinh; using ::cosh; using ::atan;
using ::asin; using ::acos; using ::printf; using ::memcpy; using ::memset; using ::signbit;
using ::rint; using ::copysign; using ::tgamma; using ::lgamma; using ::ldexp;
template <class T, T v> struct integral_constant {
  static constexpr T value = v; typedef T value_type; typedef integral_constant type;
  constexpr SYMCUTE_E operator T() const noexcept { return v; }
  constexpr SYMCUTE_E T operator()() const noexcept { return v; }
};
template <bool b> using bool_constant = integral_constant<bool, b>;
typedef bool_constant<true> true_type;
typedef bool_constant<false> false_type;
template <bool b, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <bool b, class T = void> using enable_if_t = typename enable_if<b, T>::type;
template <bool b, class T, class F> struct conditional { typedef T type; };
template <class T, class F> struct conditional<false, T, F> { typedef F type; };
template <bool b, class T, class F> using conditional_t = typename conditional<b, T, F>::type;
template <class T, class U> struct is_same : false_type {};
template <class T> struct is_same<T, T> : true_type {};
template <class T, class U> inline constexpr bool is_same_v = is_same<T, U>::value;
template <class T> struct remove_reference { typedef T type; };
template <class T> struct remove_reference<T &> { typedef T type; };
template <class T> struct remove_reference<T &&> { typedef T type; };
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> struct remove_const { typedef T type; };
template <class T> struct remove_const<const T> { typedef T type; };
template <class T> using remove_const_t = typename remove_const<T>::type;
template <class T> struct remove_cv { typedef T type; };
template <class T> struct remove_cv<const T> { typedef T type; };
template <class T> struct remove_cv<volatile T> { typedef T type; };
template <class T> struct remove_cv<const volatile T> { typedef T type; };
template <class T> using remove_cv_t = typename remove_cv<T>::type;
template <class T> struct remove_pointer { typedef T type; };
template <class T> struct remove_pointer<T *> { typedef T type; };
template <class T> using remove_pointer_t = typename remove_pointer<T>::type;
template <class T> using decay_t = remove_cv_t<remove_reference_t<T>>;
template <class T> struct decay { typedef decay_t<T> type; };
template <class T> struct symcute_floating : false_type {};
template <> struct symcute_floating<float> : true_type {};
template <> struct symcute_floating<double> : true_type {};
template <class T> struct is_floating_point : symcute_floating<remove_cv_t<T>> {};
template <class T> inline constexpr bool is_floating_point_v = is_floating_point<T>::value;
template <class T> struct is_integral : bool_constant<__is_integral(T)> {};
template <class T> inline constexpr bool is_integral_v = is_integral<T>::value;
template <class T> struct is_arithmetic : bool_constant<__is_arithmetic(T)> {};
template <class T> inline constexpr bool is_arithmetic_v = is_arithmetic<T>::value;
template <class T> struct is_signed : bool_constant<__is_signed(T)> {};
template <class T> inline constexpr bool is_signed_v = is_signed<T>::value;
template <class T> struct is_unsigned : bool_constant<__is_unsigned(T)> {};
template <class T> struct is_pointer : bool_constant<__is_pointer(T)> {};
template <class T> struct is_void : bool_constant<__is_void(T)> {};
template <class T> struct is_trivially_copyable : bool_constant<__is_trivially_copyable(T)> {};
template <class A, class B> struct is_base_of : bool_constant<__is_base_of(A, B)> {};
template <class A, class B> struct is_convertible : bool_constant<__is_convertible_to(A, B)> {};
template <class...> using void_t = void;
template <class T> struct make_unsigned { typedef __make_unsigned(T) type; };
template <class T> struct make_signed { typedef __make_signed(T) type; };
template <class T> using make_unsigned_t = __make_unsigned(T);
template <class T> using make_signed_t = __make_signed(T);
template <class T> constexpr SYMCUTE_D remove_reference_t<T> &&move(T &&x) noexcept {
  return static_cast<remove_reference_t<T> &&>(x); }
template <class T> constexpr SYMCUTE_D T &&forward(remove_reference_t<T> &x) noexcept {
  return static_cast<T &&>(x); }
template <class T> SYMCUTE_E T &&declval() noexcept;
template <class T> struct is_pod : bool_constant<__is_pod(T)> {};
template <class T> inline constexpr bool is_pod_v = is_pod<T>::value;
template <class T> inline constexpr bool is_pointer_v = is_pointer<T>::value;
template <class T> inline constexpr bool is_void_v = is_void<T>::value;
template <class T> inline constexpr bool is_unsigned_v = is_unsigned<T>::value;
template <class T> inline constexpr bool is_trivially_copyable_v = is_trivially_copyable<T>::value;
template <class A, class B> inline constexpr bool is_base_of_v = is_base_of<A, B>::value;
template <class A, class B> inline constexpr bool is_convertible_v = is_convertible<A, B>::value;
template <class T> struct is_enum : bool_constant<__is_enum(T)> {};
template <class T> struct is_class : bool_constant<__is_class(T)> {};
template <class T> struct is_const : false_type {};
template <class T> struct is_const<const T> : true_type {};
template <class T> inline constexpr bool is_enum_v = is_enum<T>::value;
template <class T> inline constexpr bool is_const_v = is_const<T>::value;
template <class T> struct underlying_type { typedef __underlying_type(T) type; };
template <class T> using underlying_type_t = __underlying_type(T);
template <class T> using remove_cvref_t = remove_cv_t<remove_reference_t<T>>;
template <class T> struct remove_cvref { typedef remove_cvref_t<T> type; };
template <class T> struct add_const { typedef const T type; };
template <class T> using add_const_t = const T;
template <class T> struct add_pointer { typedef remove_reference_t<T> *type; };
template <class T> using add_pointer_t = remove_reference_t<T> *;
template <class T> struct type_identity { typedef T type; };
template <class A, class B = A> struct common_type {
  typedef remove_cvref_t<decltype(true ? declval<A>() : declval<B>())> type; };
template <class A, class B = A> using common_type_t = typename common_type<A, B>::type;
template <class... B> struct conjunction : bool_constant<(bool(B::value) && ...)> {};
template <class... B> struct disjunction : bool_constant<(bool(B::value) || ...)> {};
template <class B> struct negation : bool_constant<!bool(B::value)> {};
template <class... B> inline constexpr bool conjunction_v = conjunction<B...>::value;
template <class... B> inline constexpr bool disjunction_v = disjunction<B...>::value;
template <class B> inline constexpr bool negation_v = negation<B>::value;
template <size_t N, size_t A = 16> struct aligned_storage {
  struct type { alignas(A) unsigned char symcute_held[N]; }; };
template <size_t N, size_t A = 16> using aligned_storage_t = typename aligned_storage<N, A>::type;
enum class byte : unsigned char {};
template <class E> class initializer_list {
  const E *symcute_begin; size_t symcute_size;
 public:
  constexpr SYMCUTE_E initializer_list() noexcept : symcute_begin(nullptr), symcute_size(0) {}
  constexpr SYMCUTE_E size_t size() const noexcept { return symcute_size; }
  constexpr SYMCUTE_E const E *begin() const noexcept { return symcute_begin; }
  constexpr SYMCUTE_E const E *end() const noexcept { return symcute_begin + symcute_size; }
};
template <class T> constexpr SYMCUTE_D const T &min(const T &a, const T &b) { return b < a ? b : a; }
template <class T> constexpr SYMCUTE_D const T &max(const T &a, const T &b) { return a < b ? b : a; }
template <class T> constexpr SYMCUTE_D T min(initializer_list<T> l) {
  T m = *l.begin(); for (auto p = l.begin(); p != l.end(); ++p) m = *p < m ? *p : m; return m; }
template <class T> constexpr SYMCUTE_D T max(initializer_list<T> l) {
  T m = *l.begin(); for (auto p = l.begin(); p != l.end(); ++p) m = m < *p ? *p : m; return m; }
template <class T> constexpr SYMCUTE_D const T &clamp(const T &v, const T &low, const T &high) {
  return v < low ? low : high < v ? high : v; }
// Of a power of two up to 16, as where sizes are cut into vectors, no loop has to be followed.
template <class A, class B> constexpr SYMCUTE_D common_type_t<A, B> gcd(A a, B b) {
  common_type_t<A, B> m = a < 0 ? -a : a, n = b < 0 ? -b : b;
  if (m == 1 || m == 2 || m == 4 || m == 8 || m == 16) {
    if (m >= 16 && n % 16 == 0) return 16;
    if (m >= 8 && n % 8 == 0) return 8;
    if (m >= 4 && n % 4 == 0) return 4;
    return m >= 2 && n % 2 == 0 ? 2 : 1;
  }
  while (n != 0) { common_type_t<A, B> rest = m % n; m = n; n = rest; }
  return m;
}
template <class T> SYMCUTE_D void swap(T &a, T &b) { T c = a; a = b; b = c; }
template <class A, class B> struct pair { A first; B second; };
template <class A, class B> constexpr SYMCUTE_D pair<A, B> make_pair(A a, B b) { return {a, b}; }
template <class T, size_t N> struct array {
  T symcute_held[N];
  constexpr SYMCUTE_E T &operator[](size_t i) { return symcute_held[i]; }
  constexpr SYMCUTE_E const T &operator[](size_t i) const { return symcute_held[i]; }
  constexpr SYMCUTE_E size_t size() const { return N; }
  constexpr SYMCUTE_E T *data() { return symcute_held; }
};
template <class T> struct array<T, 0>;
enum memory_order { memory_order_relaxed, memory_order_consume, memory_order_acquire,
                    memory_order_release, memory_order_acq_rel, memory_order_seq_cst };
template <class T> struct numeric_limits;
#define SYMCUTE_LIMITS(T, low, high) \
  template <> struct numeric_limits<T> { \
    static constexpr bool is_signed = __is_signed(T), is_integer = __is_integral(T); \
    static constexpr bool has_infinity = !__is_integral(T), is_specialized = true; \
    static constexpr int digits = sizeof(T) * 8 - __is_signed(T); \
    static constexpr SYMCUTE_E T min() { return low; } \
    static constexpr SYMCUTE_E T max() { return high; } \
    static constexpr SYMCUTE_E T lowest() { return __is_integral(T) ? low : (T)-high; } \
    static constexpr SYMCUTE_E T infinity() { return __is_integral(T) ? 0 : (T)INFINITY; } \
    static constexpr SYMCUTE_E T quiet_NaN() { return 0; } \
    static constexpr SYMCUTE_E T epsilon() { return __is_integral(T) ? 0 : (T)FLT_EPSILON; } \
  };
SYMCUTE_LIMITS(bool, false, true) SYMCUTE_LIMITS(char, CHAR_MIN, CHAR_MAX)
SYMCUTE_LIMITS(signed char, SCHAR_MIN, SCHAR_MAX) SYMCUTE_LIMITS(unsigned char, 0, UCHAR_MAX)
SYMCUTE_LIMITS(short, SHRT_MIN, SHRT_MAX) SYMCUTE_LIMITS(unsigned short, 0, USHRT_MAX)
SYMCUTE_LIMITS(int, INT_MIN, INT_MAX) SYMCUTE_LIMITS(unsigned, 0, UINT_MAX)
SYMCUTE_LIMITS(long, LONG_MIN, LONG_MAX) SYMCUTE_LIMITS(unsigned long, 0, ULONG_MAX)
SYMCUTE_LIMITS(long long, LLONG_MIN, LLONG_MAX) SYMCUTE_LIMITS(unsigned long long, 0, ULLONG_MAX)
SYMCUTE_LIMITS(float, FLT_MIN, FLT_MAX) SYMCUTE_LIMITS(double, DBL_MIN, DBL_MAX)
#define SYMCUTE_COMPLEX_OF(T, ...) \
  template <> struct __VA_ARGS__ complex<T> { \
    constexpr SYMCUTE_E complex(T re = 0, T im = 0) : symcute_re(re), symcute_im(im) {} \
    constexpr SYMCUTE_E T real() const { return symcute_re; } \
    constexpr SYMCUTE_E T imag() const { return symcute_im; } \
    SYMCUTE_D void real(T v) { symcute_re = v; } \
    SYMCUTE_D void imag(T v) { symcute_im = v; } \
    SYMCUTE_D complex &operator+=(const complex &o) { return *this = *this + o; } \
    SYMCUTE_D complex &operator-=(const complex &o) { return *this = *this - o; } \
    SYMCUTE_D complex &operator*=(const complex &o) { return *this = *this * o; } \
    SYMCUTE_D complex &operator/=(const complex &o) { return *this = *this / o; } \
   private: \
    T symcute_re, symcute_im; \
  };
#define SYMCUTE_COMPLEX_FUNCTIONS \
  template <class T> struct complex; \
  template <class T> SYMCUTE_E complex<T> operator+(const complex<T> &, const complex<T> &); \
  template <class T> SYMCUTE_E complex<T> operator-(const complex<T> &, const complex<T> &); \
  template <class T> SYMCUTE_E complex<T> operator*(const complex<T> &, const complex<T> &); \
  template <class T> SYMCUTE_E complex<T> operator/(const complex<T> &, const complex<T> &); \
  template <class T> SYMCUTE_E complex<T> operator*(const complex<T> &, const T &); \
  template <class T> SYMCUTE_E complex<T> operator-(const complex<T> &); \
  template <class T> SYMCUTE_E complex<T> conj(const complex<T> &); \
  template <class T> SYMCUTE_E complex<T> exp(const complex<T> &); \
  template <class T> SYMCUTE_E T abs(const complex<T> &); \
  template <class T> SYMCUTE_E T norm(const complex<T> &); \
  template <class T> SYMCUTE_E T arg(const complex<T> &);
SYMCUTE_COMPLEX_FUNCTIONS
SYMCUTE_COMPLEX_OF(float) SYMCUTE_COMPLEX_OF(double)
// Types of host code, so that declarations that name them do not hide what follows.
template <class...> struct vector; template <class...> struct basic_string;
typedef basic_string<char> string; template <class...> struct map; template <class...> struct set;
template <class...> struct unordered_map; template <class...> struct unordered_set;
template <class...> struct list; template <class...> struct deque; template <class...> struct queue;
template <class...> struct stack; template <class...> struct tuple; template <class...> struct function;
template <class...> struct unique_ptr; template <class...> struct shared_ptr;
template <class...> struct optional; template <class...> struct variant;
struct ostream; struct istream; struct ofstream; struct ifstream; struct stringstream;
struct mutex; struct thread; struct exception; struct runtime_error; struct mt19937;
extern ostream cout, cerr;
template <class T, T... I> struct integer_sequence {};
template <size_t... I> using index_sequence = integer_sequence<size_t, I...>;
template <class T, T N> using make_integer_sequence = __make_integer_seq<integer_sequence, T, N>;
template <size_t N> using make_index_sequence = make_integer_sequence<size_t, N>;
}  // namespace std
namespace cuda {
#define SYMCUTE_COMMON typename ::std::common_type<A, B>::type
template <class A, class B> constexpr SYMCUTE_D SYMCUTE_COMMON ceil_div(A a, B b) {
  SYMCUTE_COMMON n = a, d = b;
  return n / d + (n % d != 0);
}
template <class A, class B> constexpr SYMCUTE_D SYMCUTE_COMMON round_up(A a, B b) {
  return ceil_div(a, b) * (SYMCUTE_COMMON)b; }
template <class A, class B> constexpr SYMCUTE_D SYMCUTE_COMMON round_down(A a, B b) {
  SYMCUTE_COMMON n = a, d = b;
  return n / d * d;
}
template <class T> constexpr SYMCUTE_D bool is_power_of_two(T n) { return n > 0 && !(n & (n - 1)); }
}
namespace cuda { namespace std {
using namespace ::std;
SYMCUTE_COMPLEX_FUNCTIONS
SYMCUTE_COMPLEX_OF(float, alignas(8)) SYMCUTE_COMPLEX_OF(double, alignas(16))
} }

// --- cooperative groups --------------------------------------------------------------------------

// Bytes without a name: what lies in them is not looked at.
#define SYMCUTE_ROOM_8 unsigned long : 64;
namespace cooperative_groups {
SYMCUTE_D unsigned symcute_rank() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
SYMCUTE_D unsigned long long symcute_block() {
  return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }
struct alignas(8) thread_group {
  SYMCUTE_ROOM_8 SYMCUTE_ROOM_8
  SYMCUTE_E unsigned size() const; SYMCUTE_E unsigned thread_rank() const;
  SYMCUTE_E unsigned num_threads() const;
  SYMCUTE_E void sync() const { symcute_barrier("the barrier of a group that is not known"); }
};
struct alignas(8) thread_block {
  SYMCUTE_ROOM_8 SYMCUTE_ROOM_8 SYMCUTE_ROOM_8
  SYMCUTE_E static void sync() { __syncthreads(); }
  SYMCUTE_E static unsigned thread_rank() { return symcute_rank(); }
  SYMCUTE_E static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  SYMCUTE_E static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  SYMCUTE_E static dim3 group_index() { return dim3(blockIdx); }
  SYMCUTE_E static dim3 thread_index() { return dim3(threadIdx); }
  SYMCUTE_E static dim3 group_dim() { return blockDim; }
  SYMCUTE_E static dim3 dim_threads() { return blockDim; }
  SYMCUTE_E operator thread_group() const { return thread_group(); }
};
struct alignas(8) grid_group {
  SYMCUTE_ROOM_8 SYMCUTE_ROOM_8
  SYMCUTE_E static void sync() { symcute_grid_barrier(); }
  SYMCUTE_E static bool is_valid() { return true; }
  SYMCUTE_E static unsigned long long thread_rank() {
    return symcute_block() * thread_block::size() + symcute_rank(); }
  SYMCUTE_E static unsigned long long size() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * thread_block::size(); }
  SYMCUTE_E static unsigned long long num_threads() { return size(); }
  SYMCUTE_E static unsigned long long block_rank() { return symcute_block(); }
  SYMCUTE_E static unsigned long long num_blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  SYMCUTE_E static dim3 group_dim() { return gridDim; }
  SYMCUTE_E static dim3 dim_blocks() { return gridDim; }
  SYMCUTE_E static dim3 block_index() { return dim3(blockIdx); }
};
struct multi_grid_group;
#define SYMCUTE_TILE(N) \
  SYMCUTE_E static void sync() { \
    if constexpr (N > 32) symcute_barrier("the barrier of a tile of more than a warp"); \
    else if constexpr (N == 32) symcute_warp_barrier(); \
    else symcute_lanes_barrier(); \
  } \
  SYMCUTE_E static unsigned thread_rank() { return symcute_rank() % N; } \
  SYMCUTE_E static constexpr unsigned size() { return N; } \
  SYMCUTE_E static constexpr unsigned num_threads() { return N; } \
  template <class T> SYMCUTE_E T shfl(T, int) const; \
  template <class T> SYMCUTE_E T shfl_up(T, unsigned) const; \
  template <class T> SYMCUTE_E T shfl_down(T, unsigned) const; \
  template <class T> SYMCUTE_E T shfl_xor(T, unsigned) const; \
  SYMCUTE_E int any(int) const { return symcute_range(0, 1); } \
  SYMCUTE_E int all(int) const { return symcute_range(0, 1); } \
  SYMCUTE_E unsigned ballot(int) const; \
  template <class T> SYMCUTE_E unsigned match_any(T) const; \
  SYMCUTE_E operator thread_group() const { return thread_group(); }
template <unsigned N, class P = void> struct thread_block_tile;
// Which of the parts of its parent a tile is: of a block, or of another tile.
template <class P> struct symcute_parts {
  template <unsigned N> SYMCUTE_E static unsigned rank() { return symcute_rank() / N; }
  template <unsigned N> SYMCUTE_E static unsigned size() { return (P::size() + N - 1) / N; }
};
template <unsigned M, class P> struct symcute_parts<thread_block_tile<M, P>> {
  template <unsigned N> SYMCUTE_E static unsigned rank() { return symcute_rank() % M / N; }
  template <unsigned N> SYMCUTE_E static unsigned size() { return M / N; }
};
template <unsigned N, class P> struct alignas(N > 32 ? 8 : 1) thread_block_tile {
  unsigned long : N > 32 ? 64 : 0;
  SYMCUTE_TILE(N)
  SYMCUTE_E static unsigned meta_group_rank() { return symcute_parts<P>::template rank<N>(); }
  SYMCUTE_E static unsigned meta_group_size() { return symcute_parts<P>::template size<N>(); }
};
// One whose parent is not named keeps what it knew.
template <unsigned N> struct alignas(8) thread_block_tile<N, void> {
  unsigned long : 64;
  unsigned symcute_meta, symcute_of;
  thread_block_tile() = default;
  template <class Q> SYMCUTE_E thread_block_tile(const thread_block_tile<N, Q> &t)
      : symcute_meta(t.meta_group_rank()), symcute_of(t.meta_group_size()) {}
  SYMCUTE_TILE(N)
  SYMCUTE_E unsigned meta_group_rank() const { return symcute_meta; }
  SYMCUTE_E unsigned meta_group_size() const { return symcute_of; }
};
struct alignas(8) coalesced_group {
  SYMCUTE_ROOM_8 SYMCUTE_ROOM_8
  SYMCUTE_E static void sync() { symcute_lanes_barrier(); }
  SYMCUTE_E static unsigned thread_rank() { return symcute_range(0, 31); }
  SYMCUTE_E static unsigned size() { return symcute_range(1, 32); }
  SYMCUTE_E static unsigned num_threads() { return symcute_range(1, 32); }
  template <class T> SYMCUTE_E T shfl(T, int) const;
  template <class T> SYMCUTE_E T shfl_up(T, unsigned) const;
  template <class T> SYMCUTE_E T shfl_down(T, unsigned) const;
  SYMCUTE_E int any(int) const { return symcute_range(0, 1); }
  SYMCUTE_E int all(int) const { return symcute_range(0, 1); }
  SYMCUTE_E unsigned ballot(int) const;
  SYMCUTE_E operator thread_group() const { return thread_group(); }
};
SYMCUTE_D thread_block this_thread_block() { return thread_block(); }
SYMCUTE_D grid_group this_grid() { return grid_group(); }
SYMCUTE_E multi_grid_group this_multi_grid();
SYMCUTE_D coalesced_group coalesced_threads() { return coalesced_group(); }
template <class G> SYMCUTE_D coalesced_group binary_partition(const G &, bool) {
  return coalesced_group(); }
template <class G, class L> SYMCUTE_D coalesced_group labeled_partition(const G &, L) {
  return coalesced_group(); }
template <unsigned N, class G> SYMCUTE_D thread_block_tile<N, G> tiled_partition(const G &) {
  return thread_block_tile<N, G>(); }
template <class G> SYMCUTE_D thread_group tiled_partition(const G &, unsigned) { return thread_group(); }
SYMCUTE_D coalesced_group tiled_partition(const coalesced_group &, unsigned) { return coalesced_group(); }
template <class G> SYMCUTE_D void synchronize(const G &g) { g.sync(); }
template <class G> SYMCUTE_D void sync(const G &g) { g.sync(); }
template <class G> SYMCUTE_D unsigned thread_rank(const G &g) { return g.thread_rank(); }
template <class G> SYMCUTE_D unsigned group_size(const G &g) { return g.size(); }
template <class T> struct plus {};
template <class T> struct less {};
template <class T> struct greater {};
template <class T> struct bit_and {};
template <class T> struct bit_or {};
template <class T> struct bit_xor {};
template <class G, class T, class F> SYMCUTE_E T reduce(const G &, T, F);
template <class G, class T, class F> SYMCUTE_E T inclusive_scan(const G &, T, F);
template <class G, class T, class F> SYMCUTE_E T exclusive_scan(const G &, T, F);
template <class G, class T> SYMCUTE_E T inclusive_scan(const G &, T);
template <class G, class T> SYMCUTE_E T exclusive_scan(const G &, T);
template <class G> SYMCUTE_D void wait(const G &g) { g.sync(); }
template <class G, class T> SYMCUTE_E void memcpy_async(const G &, T *, const T *, size_t);
}  // namespace cooperative_groups

// --- complex numbers, random numbers, matrix fragments -------------------------------------------

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
typedef float2 cufftComplex;
typedef double2 cufftDoubleComplex;
typedef float cufftReal;
typedef double cufftDoubleReal;
#define SYMCUTE_COMPLEX(C, T, s) \
  SYMCUTE_D T cuCreal##s(C a) { return a.x; } SYMCUTE_D T cuCimag##s(C a) { return a.y; } \
  SYMCUTE_E T cuCabs##s(C); SYMCUTE_E C cuConj##s(C); SYMCUTE_E C cuCadd##s(C, C); \
  SYMCUTE_E C cuCsub##s(C, C); SYMCUTE_E C cuCmul##s(C, C); SYMCUTE_E C cuCdiv##s(C, C); \
  SYMCUTE_E C cuCfma##s(C, C, C);
SYMCUTE_COMPLEX(cuFloatComplex, float, f) SYMCUTE_COMPLEX(cuDoubleComplex, double, )
SYMCUTE_D cuFloatComplex make_cuFloatComplex(float a, float b) { return make_float2(a, b); }
SYMCUTE_D cuFloatComplex make_cuComplex(float a, float b) { return make_float2(a, b); }
SYMCUTE_D cuDoubleComplex make_cuDoubleComplex(double a, double b) { return make_double2(a, b); }

#define SYMCUTE_STATE(S, ...) struct S { __VA_ARGS__ }; typedef struct S S##_t;
#define SYMCUTE_RANDOM(S) \
  SYMCUTE_D unsigned curand(S *s) { S t = *s; *s = t; return symcute_range(0, 4294967295ll); } \
  SYMCUTE_D float curand_uniform(S *s) { S t = *s; *s = t; return symcute_number(); } \
  SYMCUTE_D float curand_normal(S *s) { S t = *s; *s = t; return symcute_number(); } \
  SYMCUTE_D float curand_log_normal(S *s, float, float) { S t = *s; *s = t; return symcute_number(); } \
  SYMCUTE_D double curand_uniform_double(S *s) { S t = *s; *s = t; return symcute_number(); } \
  SYMCUTE_D double curand_normal_double(S *s) { S t = *s; *s = t; return symcute_number(); } \
  SYMCUTE_D unsigned curand_poisson(S *s, double) { S t = *s; *s = t; return symcute_range(0, 4294967295ll); }
#define SYMCUTE_PSEUDO_RANDOM(S) SYMCUTE_RANDOM(S) \
  SYMCUTE_D void curand_init(unsigned long long, unsigned long long, unsigned long long, S *s) { \
    S t; *s = t; } \
  SYMCUTE_D float2 curand_normal2(S *s) { S t = *s; *s = t; float2 r; return r; } \
  SYMCUTE_D double2 curand_normal2_double(S *s) { S t = *s; *s = t; double2 r; return r; } \
  SYMCUTE_D void skipahead(unsigned long long, S *s) { S t = *s; *s = t; }
SYMCUTE_STATE(curandStateXORWOW, private: int symcute_a[8]; float symcute_b; double symcute_c;)
SYMCUTE_STATE(curandStateMRG32k3a, private: int symcute_a[8]; float symcute_b; double symcute_c;)
SYMCUTE_STATE(curandStatePhilox4_32_10,
    private: alignas(16) int symcute_a[4]; int symcute_b[9]; float symcute_c; double symcute_d;)
SYMCUTE_STATE(curandStateSobol32, private: int symcute_a[35];)
SYMCUTE_STATE(curandStateScrambledSobol32, private: int symcute_a[35];)
SYMCUTE_STATE(curandStateSobol64, private: long symcute_a[67];)
SYMCUTE_STATE(curandStateScrambledSobol64, private: long symcute_a[67];)
SYMCUTE_PSEUDO_RANDOM(curandStateXORWOW) SYMCUTE_PSEUDO_RANDOM(curandStateMRG32k3a)
SYMCUTE_PSEUDO_RANDOM(curandStatePhilox4_32_10)
SYMCUTE_RANDOM(curandStateSobol32) SYMCUTE_RANDOM(curandStateScrambledSobol32)
SYMCUTE_RANDOM(curandStateSobol64) SYMCUTE_RANDOM(curandStateScrambledSobol64)
#define SYMCUTE_FOUR(f, T) \
  SYMCUTE_D T f(curandStatePhilox4_32_10 *s) { curandStatePhilox4_32_10 t = *s; *s = t; T r; return r; }
SYMCUTE_FOUR(curand4, uint4) SYMCUTE_FOUR(curand_uniform4, float4) SYMCUTE_FOUR(curand_normal4, float4)
SYMCUTE_FOUR(curand_uniform2_double, double2)
// That of Mersenne twisters is a block's, and threads wait for each other in it.
struct curandStateMtgp32;
typedef curandStateMtgp32 curandStateMtgp32_t;
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;
typedef unsigned curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];
SYMCUTE_E void curand_init(const unsigned *, unsigned, curandStateSobol32 *);
SYMCUTE_E void curand_init(const unsigned *, unsigned, unsigned, curandStateScrambledSobol32 *);
SYMCUTE_E void curand_init(const unsigned long long *, unsigned long long, curandStateSobol64 *);

namespace nvcuda { namespace wmma {
struct matrix_a; struct matrix_b; struct accumulator; struct row_major; struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision { struct tf32; }
namespace experimental { namespace precision { struct u4; struct s4; struct b1; } }
template <class U, int M, int N, int K, class T, class L = void> struct fragment;
// `n` elements of T in as many or fewer numbers: the threads of a warp hold the operands once, those
// of half precision twice where that makes sixteen.
#define SYMCUTE_FRAGMENT(n, numbers, Number, ...) \
  struct alignas(8) fragment<__VA_ARGS__> { \
    enum { num_elements = n, num_storage_elements = numbers }; Number x[numbers]; };
#define SYMCUTE_OPERANDS(M, N, K, T, a, b, Number, per) \
  template <class L> SYMCUTE_FRAGMENT(a, (a) / per, Number, matrix_a, M, N, K, T, L) \
  template <class L> SYMCUTE_FRAGMENT(b, (b) / per, Number, matrix_b, M, N, K, T, L)
#define SYMCUTE_NUMBERS(M, N, K, T) SYMCUTE_OPERANDS(M, N, K, T, M * K / 32, K * N / 32, T, 1)
#define SYMCUTE_SUMS(M, N, K, T) \
  template <> SYMCUTE_FRAGMENT(M * N / 32, M * N / 32, T, accumulator, M, N, K, T)
#define SYMCUTE_SHAPE(M, N, K) \
  SYMCUTE_OPERANDS(M, N, K, __half, 16, 16, __half, 1) SYMCUTE_NUMBERS(M, N, K, __nv_bfloat16) \
  SYMCUTE_NUMBERS(M, N, K, signed char) SYMCUTE_NUMBERS(M, N, K, unsigned char) \
  SYMCUTE_SUMS(M, N, K, __half) SYMCUTE_SUMS(M, N, K, float) SYMCUTE_SUMS(M, N, K, int)
SYMCUTE_SHAPE(16, 16, 16) SYMCUTE_SHAPE(32, 8, 16) SYMCUTE_SHAPE(8, 32, 16)
SYMCUTE_OPERANDS(16, 16, 8, precision::tf32, 4, 4, float, 1) SYMCUTE_SUMS(16, 16, 8, float)
SYMCUTE_NUMBERS(8, 8, 4, double) SYMCUTE_SUMS(8, 8, 4, double)
SYMCUTE_OPERANDS(8, 8, 32, experimental::precision::u4, 8, 8, unsigned, 8)
SYMCUTE_OPERANDS(8, 8, 32, experimental::precision::s4, 8, 8, int, 8) SYMCUTE_SUMS(8, 8, 32, int)
SYMCUTE_OPERANDS(8, 8, 128, experimental::precision::b1, 32, 32, unsigned, 32)
SYMCUTE_SUMS(8, 8, 128, int)
template <class F, class T> SYMCUTE_E void fill_fragment(F &, T);
// A warp reads and writes a tile line by line, 16 bytes at a time, to which each line is aligned.
// Which lane reads what is not said: here each of them reads all, since whoever wrote it must have
// met the others since. Each piece is written by one lane, and whose turn it is first is not known.
template <class U, int M, int N, int K, class L> struct symcute_lines;
#define SYMCUTE_LINES(U, L, n, of) \
  template <int M, int N, int K> struct symcute_lines<U, M, N, K, L> { enum { lines = n, line = of }; };
SYMCUTE_LINES(matrix_a, row_major, M, K) SYMCUTE_LINES(matrix_a, col_major, K, M)
SYMCUTE_LINES(matrix_b, row_major, K, N) SYMCUTE_LINES(matrix_b, col_major, N, K)
SYMCUTE_LINES(accumulator, row_major, M, N) SYMCUTE_LINES(accumulator, col_major, N, M)
template <class A> struct symcute_width { enum { bytes = sizeof(A) }; };
template <> struct symcute_width<precision::tf32> { enum { bytes = 4 }; };
template <> struct symcute_width<experimental::precision::u4> { enum { bytes = 0 }; };
template <> struct symcute_width<experimental::precision::s4> { enum { bytes = 0 }; };
template <> struct symcute_width<experimental::precision::b1> { enum { bytes = 0 }; };
struct alignas(16) symcute_piece { unsigned symcute_held[4]; };
template <class F> SYMCUTE_E void symcute_any(F &);
template <class A, class T> SYMCUTE_D void symcute_check(const T *) {
  if constexpr (symcute_width<A>::bytes != sizeof(T))
    symcute_unknown("a tile of numbers that are not those at its pointer");
}
template <class T> SYMCUTE_D void symcute_read(const T *p, int lines, int line, unsigned ldm) {
  for (int i = 0; i < lines; i++)
    for (int j = 0; j < line * (int)sizeof(T) / 16; j++)
      symcute_piece held = ((const symcute_piece *)(p + (unsigned long long)i * ldm))[j];
}
template <class T> SYMCUTE_D void symcute_write(T *p, int lines, int line, unsigned ldm) {
  int turn = symcute_uniform(0, 31), row = line * (int)sizeof(T) / 16;
  int lane = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x & 31;
  for (int n = (lane + turn) % 32; n < lines * row; n += 32) {
    symcute_piece held;
    ((symcute_piece *)(p + (unsigned long long)(n / row) * ldm))[n % row] = held;
  }
}
template <class U, int M, int N, int K, class A, class L, class T>
SYMCUTE_D void load_matrix_sync(fragment<U, M, N, K, A, L> &f, const T *p, unsigned ldm) {
  typedef symcute_lines<U, M, N, K, L> S;
  symcute_check<A>(p);
  symcute_read(p, S::lines, S::line, ldm);
  symcute_any(f);
}
template <int M, int N, int K, class A, class T>
SYMCUTE_D void load_matrix_sync(
    fragment<accumulator, M, N, K, A> &f, const T *p, unsigned ldm, layout_t layout) {
  symcute_check<A>(p);
  if (layout == mem_row_major) symcute_read(p, M, N, ldm); else symcute_read(p, N, M, ldm);
  symcute_any(f);
}
template <int M, int N, int K, class A, class T>
SYMCUTE_D void store_matrix_sync(
    T *p, const fragment<accumulator, M, N, K, A> &, unsigned ldm, layout_t layout) {
  symcute_check<A>(p);
  if (layout == mem_row_major) symcute_write(p, M, N, ldm); else symcute_write(p, N, M, ldm);
}
template <class D, class A, class B, class C>
SYMCUTE_E void mma_sync(D &, const A &, const B &, const C &, bool = false);
SYMCUTE_E float __float_to_tf32(float);
} }

// --- libcu++: what runs on while others go on is not understood ----------------------------------

namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread = 10 };
using ::std::memory_order; using ::std::memory_order_relaxed; using ::std::memory_order_consume;
using ::std::memory_order_acquire; using ::std::memory_order_release;
using ::std::memory_order_acq_rel; using ::std::memory_order_seq_cst;
template <size_t N> struct aligned_size_t {
  SYMCUTE_E explicit aligned_size_t(size_t n) : value(n) {}
  size_t value;
};
template <thread_scope S> struct pipeline;
template <> struct pipeline<thread_scope_thread> {
  unsigned char : 8; unsigned char : 8;
  SYMCUTE_D void producer_acquire() {} SYMCUTE_D void producer_commit() {}
  SYMCUTE_D void consumer_wait() {} SYMCUTE_D void consumer_release() {} SYMCUTE_D void quit() {}
};
template <unsigned char N, class P> SYMCUTE_E void pipeline_consumer_wait_prior(P &);
SYMCUTE_D pipeline<thread_scope_thread> make_pipeline() { return {}; }
template <class T, class Z, class P> SYMCUTE_E void memcpy_async(T *, const T *, Z, P &);
template <class G, class T, class Z, class P>
SYMCUTE_E void memcpy_async(const G &, T *, const T *, Z, P &);
// Arrivals are counted at once, and who is waited for hangs on how many are waited for: at one of a
// block that is shown to wait for each of its threads, once a phase, all wait for all.
template <thread_scope S> struct barrier {
  typedef unsigned long arrival_token;
  barrier() = default;
  SYMCUTE_D explicit barrier(long n) { symcute_held = n; }
  barrier(const barrier &) = delete;
  barrier &operator=(const barrier &) = delete;
  static constexpr SYMCUTE_E long max() { return (1 << 20) - 1; }
  __device__ arrival_token arrive(long n = 1) {
    if (S != thread_scope_block || n != 1) return symcute_atomic_fetch_add(&symcute_held, n, S);
    arrival_token token = symcute_range(0, 1L << 62);
    symcute_gather(&symcute_held, token);
    return token;
  }
  __device__ void wait(arrival_token &&token) {
    if (S == thread_scope_block) {
      symcute_gathered(&symcute_held, token);
    } else {
      symcute_atomic_load(&symcute_held, S);
      symcute_barrier("a barrier that counts");
    }
  }
  __device__ void arrive_and_wait() { wait(arrive()); }
  __device__ void arrive_and_drop() { symcute_atomic_fetch_add(&symcute_held, 1, S); }
 private:
  unsigned long symcute_held;
  template <thread_scope R> friend __device__ void init(barrier<R> *, long);
};
template <thread_scope S> __device__ void init(barrier<S> *b, long n) { b->symcute_held = n; }
#define SYMCUTE_ATOMIC_METHODS(C) \
  SYMCUTE_D T load(memory_order = memory_order_seq_cst) C { return symcute_atomic_load(at(), S); } \
  SYMCUTE_D void store(T v, memory_order = memory_order_seq_cst) C { symcute_atomic_store(at(), v, S); } \
  SYMCUTE_D operator T() C { return symcute_atomic_load(at(), S); } \
  SYMCUTE_D T operator=(T v) C { symcute_atomic_store(at(), v, S); return v; } \
  SYMCUTE_METHOD(exchange, C) SYMCUTE_METHOD(fetch_add, C) SYMCUTE_METHOD(fetch_sub, C) \
  SYMCUTE_METHOD(fetch_min, C) SYMCUTE_METHOD(fetch_max, C) SYMCUTE_METHOD(fetch_and, C) \
  SYMCUTE_METHOD(fetch_or, C) SYMCUTE_METHOD(fetch_xor, C) \
  SYMCUTE_D bool compare_exchange_strong(T &e, T v, memory_order = memory_order_seq_cst, \
      memory_order = memory_order_seq_cst) C { \
    return symcute_exchanged(e, symcute_atomic_compare_exchange(at(), e, v, S)); } \
  SYMCUTE_D bool compare_exchange_weak(T &e, T v, memory_order = memory_order_seq_cst, \
      memory_order = memory_order_seq_cst) C { \
    return symcute_exchanged(e, symcute_atomic_compare_exchange(at(), e, v, S)); } \
  SYMCUTE_D T operator++() C { return symcute_atomic_fetch_add(at(), 1, S) + 1; } \
  SYMCUTE_D T operator--() C { return symcute_atomic_fetch_sub(at(), 1, S) - 1; } \
  SYMCUTE_D T operator++(int) C { return symcute_atomic_fetch_add(at(), 1, S); } \
  SYMCUTE_D T operator--(int) C { return symcute_atomic_fetch_sub(at(), 1, S); } \
  SYMCUTE_D T operator+=(T v) C { return symcute_atomic_fetch_add(at(), v, S) + v; } \
  SYMCUTE_D T operator-=(T v) C { return symcute_atomic_fetch_sub(at(), v, S) - v; } \
  SYMCUTE_D T operator&=(T v) C { return symcute_atomic_fetch_and(at(), v, S) & v; } \
  SYMCUTE_D T operator|=(T v) C { return symcute_atomic_fetch_or(at(), v, S) | v; } \
  SYMCUTE_D T operator^=(T v) C { return symcute_atomic_fetch_xor(at(), v, S) ^ v; } \
  SYMCUTE_D void wait(T, memory_order = memory_order_seq_cst) C { symcute_unknown("a wait for an atomic"); } \
  SYMCUTE_D void notify_one() C {} \
  SYMCUTE_D void notify_all() C {}
#define SYMCUTE_METHOD(f, C) \
  SYMCUTE_D T f(T v, memory_order = memory_order_seq_cst) C { return symcute_atomic_##f(at(), v, S); }
template <class T, thread_scope S = thread_scope_system> struct atomic_ref {
  SYMCUTE_D explicit atomic_ref(T &v) : symcute_at(&v) {}
  SYMCUTE_ATOMIC_METHODS(const)
 private:
  T *symcute_at;
  SYMCUTE_D T *at() const { return symcute_at; }
};
// Of numbers only: what else there may be of is larger, or takes turns by a lock.
template <class T, thread_scope S = thread_scope_system> struct atomic;
#define SYMCUTE_ATOMIC_OF(N) \
  template <thread_scope S> struct alignas(sizeof(N)) atomic<N, S> { \
    typedef N T; \
    atomic() = default; \
    constexpr SYMCUTE_D atomic(T v) : symcute_held(v) {} \
    atomic(const atomic &) = delete; \
    atomic &operator=(const atomic &) = delete; \
    SYMCUTE_ATOMIC_METHODS() \
   private: \
    T symcute_held; \
    SYMCUTE_D T *at() { return &symcute_held; } \
  };
SYMCUTE_ATOMIC_OF(int) SYMCUTE_ATOMIC_OF(unsigned) SYMCUTE_ATOMIC_OF(long) SYMCUTE_ATOMIC_OF(float)
SYMCUTE_ATOMIC_OF(unsigned long) SYMCUTE_ATOMIC_OF(long long) SYMCUTE_ATOMIC_OF(double)
SYMCUTE_ATOMIC_OF(unsigned long long)
}  // namespace cuda

// --- what GPUVerify is told ----------------------------------------------------------------------
//
// `__requires` and `__assert` are conditions, asked like those of `assert`, and not executed. The others
// help its prover, or speak of what it keeps of accesses: true or not, they change nothing.

SYMCUTE_E void __requires(bool);
SYMCUTE_E void __assert(bool);
SYMCUTE_E void __ensures(bool);
SYMCUTE_E void __invariant(bool);
SYMCUTE_E void __global_invariant(bool);
template <class T> SYMCUTE_E void __requires_fresh_array(T);
SYMCUTE_E bool __enabled();
SYMCUTE_E bool __implies(bool, bool);
SYMCUTE_E bool __uniform_bool(bool);
SYMCUTE_E bool __uniform_int(int);
SYMCUTE_E bool __distinct_int(int);
SYMCUTE_E int __other_int(int);
SYMCUTE_E int __return_val_int();
SYMCUTE_E void *__return_val_ptr();
SYMCUTE_E bool __read(const void *);
SYMCUTE_E bool __write(const void *);
SYMCUTE_E bool __no_read(const void *);
SYMCUTE_E bool __no_write(const void *);
SYMCUTE_E bool __read_implies(const void *, bool);
SYMCUTE_E bool __write_implies(const void *, bool);
SYMCUTE_E size_t __read_offset_bytes(const void *);
SYMCUTE_E size_t __write_offset_bytes(const void *);
SYMCUTE_E size_t __ptr_offset_bytes(const void *);

// --- the host's side, so that its code says nothing ----------------------------------------------

typedef struct symcute_stream *cudaStream_t;
typedef struct symcute_blas *cublasHandle_t;
typedef struct symcute_event *cudaEvent_t;
typedef struct symcute_array *cudaArray_t;
struct cudaArray;
enum cudaError { cudaSuccess };
typedef cudaError cudaError_t;
struct cudaExtent { size_t width, height, depth; };
struct cudaPitchedPtr { void *ptr; size_t pitch, xsize, ysize; };
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, void * = 0);
unsigned cudaConfigureCall(dim3, dim3, size_t = 0, void * = 0);
