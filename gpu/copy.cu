/* A copy of an M x N matrix whose rows begin LD floats after each other, into one whose rows begin
   LDO after each other. A block of 256 threads copies a tile of 8 x 128; each thread has four
   neighbouring floats of a row, and moves them as one float4 where both matrices allow it.
   row_of, column_of, from_of and to_of come from copy.py. */

#define THREADS 256
#define VALUES 4

extern "C" __global__ void copy_tiles(const float *in, float *out, int M, int N, int LD, int LDO)
{
    const int t = threadIdx.x;
    const long long first_row = 8LL * blockIdx.y, first_column = 128LL * blockIdx.x;
    const long long row = first_row + row_of(t, 0), column = first_column + column_of(t, 0);
    if (row >= M) return;
    const float *source = in + first_row * LD + first_column;
    float *target = out + first_row * LDO + first_column;
    if (LD % VALUES == 0 && LDO % VALUES == 0 && column + VALUES <= N) {
        *(float4 *)(target + to_of(t, 0, LDO)) = *(const float4 *)(source + from_of(t, 0, LD));
        return;
    }
    for (int v = 0; v < VALUES; ++v)
        if (first_column + column_of(t, v) < N) target[to_of(t, v, LDO)] = source[from_of(t, v, LD)];
}
