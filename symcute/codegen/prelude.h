/* What the generated functions and checks stand on. Compiles as C99 (with GCC's or Clang's atomic
   builtins), as C++ and as CUDA C++. */

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define SC_INLINE static __device__ __forceinline__
#define SC_ENTRY extern "C" __global__ void
#define SC_BEGIN ((long long)blockIdx.x * blockDim.x + threadIdx.x)
#define SC_STEP ((long long)gridDim.x * blockDim.x)
#define SC_UNROLL _Pragma("unroll 4")
#define SC_ADD(address, n) atomicAdd(address, n)
#define SC_LEAST(address, n) atomicMin(address, n)
#define SC_OR(address, mask) atomicOr(address, mask)
#define SC_HIGH(a, b) __umulhi(a, b)
#else
#ifdef __cplusplus
#define SC_ENTRY extern "C" void
#else
#define SC_ENTRY void
#endif
#define SC_INLINE static inline
#define SC_BEGIN 0LL
#define SC_STEP 1LL
#define SC_UNROLL
#define SC_ADD(address, n) __atomic_fetch_add(address, n, __ATOMIC_RELAXED)
#define SC_OR(address, mask) __atomic_fetch_or(address, mask, __ATOMIC_RELAXED)
#define SC_HIGH(a, b) ((unsigned)((unsigned long long)(a) * (b) >> 32))
SC_INLINE void SC_LEAST(unsigned long long *address, unsigned long long n)
{
    unsigned long long seen = __atomic_load_n(address, __ATOMIC_RELAXED);
    while (n < seen && !__atomic_compare_exchange_n(address, &seen, n, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}
#endif

/* C's `/` and `%` truncate; these round as Python does, for every combination of signs. */
SC_INLINE long long sc_floor_div(long long a, long long b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

SC_INLINE long long sc_ceil_div(long long a, long long b)
{
    return a / b + (a % b != 0 && (a < 0) == (b < 0));
}

SC_INLINE long long sc_mod(long long a, long long b)
{
    const long long r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

SC_INLINE long long sc_min(long long a, long long b)
{
    return a < b ? a : b;
}

SC_INLINE long long sc_max(long long a, long long b)
{
    return a > b ? a : b;
}

/* Division by a number known when the loop starts: n / d for 0 <= n < 2^31 and 1 <= d < 2^31 is
   (high half of n * factor, plus n) >> shift, with 2^shift the power of two at or above d. */
typedef struct {
    unsigned divisor, factor, shift;
} sc_divisor;

SC_INLINE sc_divisor sc_by(long long d)
{
    sc_divisor by;
    by.divisor = (unsigned)d;
    by.shift = 0;
    while ((1ULL << by.shift) < (unsigned long long)d) ++by.shift;
    by.factor = (unsigned)(((((1ULL << by.shift) - d) << 32) / d) + 1);
    return by;
}

SC_INLINE unsigned sc_quotient(unsigned n, sc_divisor by)
{
    return (SC_HIGH(n, by.factor) + n) >> by.shift;
}

/* An entry looks at every i of [start, stop). `p` holds the dims and numbers its check names, `aux`
   the expected offsets or a bitmap. result[0] counts the i that fail, result[1] is the smallest of
   them, result[2] counts all i looked at. */
#define SC_CHECK(name, index, prepare, ...) \
    SC_ENTRY name(const long long *p, long long start, long long stop, void *aux, unsigned long long *result) \
    { \
        index i; \
        unsigned long long looked = 0, wrong = 0, first = ~0ULL; \
        prepare; \
        (void)p; (void)aux; \
        SC_UNROLL \
        for (i = (index)(start + SC_BEGIN); i < (index)stop; i += (index)SC_STEP) { \
            const int failed = (__VA_ARGS__); \
            if (failed) { \
                ++wrong; \
                if ((unsigned long long)i < first) first = (unsigned long long)i; \
            } \
            ++looked; \
        } \
        if (looked) SC_ADD(&result[2], looked); \
        if (wrong) { \
            SC_ADD(&result[0], wrong); \
            SC_LEAST(&result[1], first); \
        } \
    }

/* Set the bit of an offset in [low, low + bits): 1 when it was set before, 0 when not or outside. */
SC_INLINE int sc_mark(void *bitmap, long long offset, long long low, long long bits)
{
    const unsigned long long k = (unsigned long long)(offset - low);
    const unsigned mask = 1u << (k & 31);
    if (k >= (unsigned long long)bits) return 0;
    return (SC_OR((unsigned *)bitmap + (k >> 5), mask) & mask) != 0;
}

/* Whether the bit of an offset is set. */
SC_INLINE int sc_marked(const void *bitmap, long long offset, long long low, long long bits)
{
    const unsigned long long k = (unsigned long long)(offset - low);
    return k < (unsigned long long)bits && ((((const unsigned *)bitmap)[k >> 5] >> (k & 31)) & 1u);
}

/* A table of offsets of [0, stop): two of them, 16 bytes, a store. `out` is aligned to 16 bytes and
   has room for an even number. */
typedef struct __attribute__((aligned(16))) {
    long long first, second;
} sc_pair;
#define SC_TABLE(name, prepare, at_i, at_next) \
    SC_ENTRY name(const long long *p, long long start, long long stop, void *out, unsigned long long *result) \
    { \
        unsigned i; \
        prepare; \
        (void)p; (void)result; \
        for (i = (unsigned)(start + 2 * SC_BEGIN); i < (unsigned)stop; i += (unsigned)(2 * SC_STEP)) { \
            sc_pair pair; \
            pair.first = at_i; \
            pair.second = at_next; \
            ((sc_pair *)out)[i >> 1] = pair; \
        } \
    }

#define SC_EXPECTED(i) (((const long long *)aux)[i])
