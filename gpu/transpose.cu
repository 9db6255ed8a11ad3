/* Transposes of an M x N row-major matrix through a 32 x 32 tile in shared memory, by blocks of
   32 x 8 threads. The three kernels differ in where the tile's elements lie: row after row, with a
   row padded by one, or swizzled. tile_plain, tile_padded and tile_swizzled come from transpose.py. */

#define TILE 32
#define ROWS 8

#define TRANSPOSE(name, at, size) \
    extern "C" __global__ void name(const float *in, float *out, int M, int N) \
    { \
        __shared__ float tile[size]; \
        int column = blockIdx.x * TILE + threadIdx.x; \
        int row = blockIdx.y * TILE + threadIdx.y; \
        for (int r = 0; r < TILE; r += ROWS) \
            if (row + r < M && column < N) \
                tile[at(threadIdx.y + r, threadIdx.x)] = in[(long long)(row + r) * N + column]; \
        __syncthreads(); \
        column = blockIdx.y * TILE + threadIdx.x; \
        row = blockIdx.x * TILE + threadIdx.y; \
        for (int r = 0; r < TILE; r += ROWS) \
            if (row + r < N && column < M) \
                out[(long long)(row + r) * M + column] = tile[at(threadIdx.x, threadIdx.y + r)]; \
    }

TRANSPOSE(transpose_plain, tile_plain, 32 * 32)
TRANSPOSE(transpose_padded, tile_padded, 32 * 33)
TRANSPOSE(transpose_swizzled, tile_swizzled, 32 * 32)
