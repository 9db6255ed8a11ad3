/* Sums of the elements that a layout names: out[j] is the sum of in[element(i, j)] over i. A block
   of 256 threads makes one sum. `element` comes from reduction.py, for whatever layout is asked; the
   kernel is the same for rows, columns, padded rows and tiles. */

extern "C" __global__ void sums(const float *in, float *out, long long count DIMS)
{
    __shared__ float part[8];
    const long long j = blockIdx.x;
    float sum = 0.0f;
    for (long long i = threadIdx.x; i < count; i += blockDim.x) sum += in[element(i, j ARGUMENTS)];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 8) {
        sum = part[threadIdx.x];
        for (int step = 4; step > 0; step /= 2) sum += __shfl_down_sync(0xffu, sum, step);
        if (threadIdx.x == 0) out[j] = sum;
    }
}
