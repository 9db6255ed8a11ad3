/* C = A B for row-major A (M x K), B (K x N), C (M x N) in float. A block of 256 threads makes a
   tile of 128 x 128 in steps of 8 along K; each thread has 8 x 8 elements of it in registers.
   Where each element lies, in the matrices, in shared memory and in registers, is said by the
   layouts in sgemm.py, from which the functions a_*, b_* and c_* come. */

#define THREADS 256
#define TILE_M 128
#define TILE_N 128
#define TILE_K 8
#define PER 4      /* elements of A, and of B, that a thread loads in a step */
#define SIDE 8     /* rows, and columns, of C that a thread has */

extern "C" __global__ void __launch_bounds__(THREADS)
sgemm(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a_tile[A_TILE], b_tile[B_TILE];
    const int t = threadIdx.x, tx = t % 16, ty = t / 16;
    const long long first_m = (long long)blockIdx.y * TILE_M, first_n = (long long)blockIdx.x * TILE_N;
    float sum[SIDE * SIDE] = {};

    for (int first_k = 0; first_k < K; first_k += TILE_K) {
        const float *a = A + first_m * K + first_k, *b = B + (long long)first_k * N + first_n;
        for (int v = 0; v < PER; ++v) {
            const bool inside_a = first_m + a_row(t, v) < M && first_k + a_column(t, v) < K;
            const bool inside_b = first_k + b_row(t, v) < K && first_n + b_column(t, v) < N;
            a_tile[a_shared(t, v)] = inside_a ? a[a_global(t, v, K)] : 0.0f;
            b_tile[b_shared(t, v)] = inside_b ? b[b_global(t, v, N)] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < TILE_K; ++k) {
            float left[SIDE], right[SIDE];
            for (int i = 0; i < SIDE; ++i) left[i] = a_tile[a_read(ty, i, k)];
            for (int j = 0; j < SIDE; ++j) right[j] = b_tile[b_read(tx, j, k)];
            for (int i = 0; i < SIDE; ++i)
                for (int j = 0; j < SIDE; ++j) sum[c_register(i, j)] += left[i] * right[j];
        }
        __syncthreads();
    }
    float *c = C + first_m * N + first_n;
    for (int i = 0; i < SIDE; ++i)
        for (int j = 0; j < SIDE; ++j)
            if (first_m + c_row(ty, i) < M && first_n + c_column(tx, j) < N)
                c[c_global(tx, ty, i, j, N)] = sum[c_register(i, j)];
}
