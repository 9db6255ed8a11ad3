// Kernels in which every warp makes the requests of one pattern, and no other of its kind.
//
// A pattern is a struct: how many threads and requests there are, how many `lanes` of a warp give an
// address and which are `active`, the bytes of shared memory (`room`), the byte address of a thread's
// request (`at`), and the request itself (`request`), one instruction in volatile assembly: it is
// neither merged with another nor moved nor dropped.
//
// With `check` the same kernel also fills and empties shared memory, so that values can be compared;
// without, the request is the only access to shared memory.

struct Value {
    unsigned word[4];
};

__device__ __forceinline__ void keep(const Value& v, unsigned* out, long long k)
{
    reinterpret_cast<uint4*>(out)[k] = make_uint4(v.word[0], v.word[1], v.word[2], v.word[3]);
}

__device__ __forceinline__ unsigned word_of(long long k)
{
    return static_cast<unsigned>(k + 1) * 2654435761u;
}

// The row of the pattern's layout that this thread's address comes from.
template <class Pattern>
__device__ __forceinline__ int row()
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    return warp * Pattern::lanes + lane % Pattern::lanes;
}

template <class Pattern>
__device__ __forceinline__ bool takes_part()
{
    return Pattern::active == ~0u || Pattern::active >> (threadIdx.x % 32) & 1;
}

template <class Pattern, class Address>
__device__ __forceinline__ void load(Address start, unsigned* out)
{
#pragma unroll 1
    for (int r = 0; r < Pattern::requests; ++r) {
        Value v = {};
        if (takes_part<Pattern>())
            Pattern::request(start + static_cast<Address>(Pattern::at(row<Pattern>(), r)), v);
        keep(v, out, r * static_cast<long long>(blockDim.x) + threadIdx.x);
    }
}

template <class Pattern, class Address>
__device__ __forceinline__ void store(Address start)
{
#pragma unroll 1
    for (int r = 0; r < Pattern::requests; ++r) {
        const long long first = 4 * (r * static_cast<long long>(blockDim.x) + threadIdx.x);
        Value v = {{word_of(first), word_of(first + 1), word_of(first + 2), word_of(first + 3)}};
        if (takes_part<Pattern>())
            Pattern::request(start + static_cast<Address>(Pattern::at(row<Pattern>(), r)), v);
    }
}

template <class Pattern>
__device__ __forceinline__ void load_from_shared(unsigned* out, int check)
{
    __shared__ __align__(1024) unsigned tile[Pattern::room / 4];
    if (check)
        for (int k = threadIdx.x; k < Pattern::room / 4; k += blockDim.x)
            tile[k] = word_of(k);
    __syncthreads();
    load<Pattern>(static_cast<unsigned>(__cvta_generic_to_shared(tile)), out);
}

template <class Pattern>
__device__ __forceinline__ void store_to_shared(unsigned* out, int check)
{
    __shared__ __align__(1024) unsigned tile[Pattern::room / 4];
    if (check)
        for (int k = threadIdx.x; k < Pattern::room / 4; k += blockDim.x)
            tile[k] = 0;
    __syncthreads();
    store<Pattern>(static_cast<unsigned>(__cvta_generic_to_shared(tile)));
    __syncthreads();
    if (check)
        for (int k = threadIdx.x; k < Pattern::room / 4; k += blockDim.x)
            out[k] = tile[k];
}

template <class Pattern>
__device__ __forceinline__ void load_from_global(const unsigned* memory, unsigned* out)
{
    load<Pattern>(reinterpret_cast<unsigned long long>(memory), out);
}

template <class Pattern>
__device__ __forceinline__ void store_to_global(unsigned* memory)
{
    store<Pattern>(reinterpret_cast<unsigned long long>(memory));
}
