// Turns of phrase that kernels have: references, lambdas, records, swapped buffers, side effects.

struct Particle {
  float x, y, z;
  int cell;
};

enum Axis { ROWS, COLS };

struct Range {
  int begin, end;
  __device__ Range(int b, int e) : begin(b), end(e) {}
  __device__ int size() const { return end - begin; }
  __device__ bool has(int i) const { return i >= begin && i < end; }
};

template <Axis A> __device__ int line_of(int i, int n) { return A == ROWS ? i / n : i % n; }

__device__ void take_two(int &first, int *second) {
  first += 1;
  *second = first * 2;
}

// symcute: launch grid=(ceil_div(N,128)) block=(128)
// symcute: arg n = N
// symcute: extent p = N
// symcute: extent sums = C
// symcute: assume N <= 2**26
// symcute: assume C <= 2**20
// truth: in_bounds=no
__global__ void records(int n, const Particle *p, float *sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) {
    const Particle &one = p[i];
    if (one.cell == 1) atomicAdd(&sums[0], one.x + one.z);
  }
}

// symcute: launch grid=(ceil_div(N,128)) block=(128)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
// symcute: covers y
__global__ void by_lambda(int n, const float *x, float *y) {
  auto index = [&](int k) { return k < n ? k : n - 1; };
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[index(i + (i < n - 1))];
}

// Two buffers that change places: pointers are exchanged, not data.
// symcute: launch grid=(ceil_div(N,64)) block=(64)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 2**30
__global__ void swapped_buffers(int n, float *x) {
  __shared__ float a[64], b[64];
  float *from = a, *to = b;
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  from[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int d = 1; d < 64; d <<= 1) {
    to[t] = from[t] + (t >= d ? from[t - d] : 0.0f);
    __syncthreads();
    float *kept = from;
    from = to;
    to = kept;
  }
  if (i < n) x[i] = from[t];
}

// The buffers do not change places: what is read is written.
// symcute: launch grid=(ceil_div(N,64)) block=(64)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 2**30
// truth: read_write_race_free=no
__global__ void one_buffer_for_both(int n, float *x) {
  __shared__ float a[64], b[64];
  float *from = a, *to = b;
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  from[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int d = 1; d < 64; d <<= 1) {
    to[t] = from[t] + (t >= d ? from[t - d] : 0.0f);
    __syncthreads();
    from = to;
  }
  if (i < n) x[i] = from[t];
}

// symcute: launch grid=(ceil_div(N,32)) block=(32)
// symcute: arg n = N
// symcute: extent x = 3*N
// symcute: assume N <= 2**20
// symcute: covers x
__global__ void counted_on(int n, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = 3 * i;
  if (i < n) {
    x[k++] = 1.0f;
    x[k] = 2.0f, ++k;
    x[k--] = 3.0f;
  }
}

// One step too far.
// symcute: launch grid=(ceil_div(N,32)) block=(32)
// symcute: arg n = N
// symcute: extent x = 3*N
// symcute: assume N <= 2**20
// truth: in_bounds=no
__global__ void counted_before(int n, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = 3 * i;
  if (i < n) {
    x[++k] = 1.0f;
    x[++k] = 2.0f;
    x[++k] = 3.0f;
  }
}

// symcute: launch grid=(M) block=(1)
// symcute: arg n = N
// symcute: extent x = M*N
// symcute: assume M*N <= 2**30
// symcute: covers x
__global__ void downwards(int n, float *x) {
  for (int j = n - 1; j >= 0; --j) x[blockIdx.x * n + j] = 0.0f;
}

// An unsigned counter never gets below 0.
// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 2**20
// truth: in_bounds=no no_overflow=no
__global__ void downwards_unsigned(unsigned n, float *x) {
  unsigned steps = 0;
  for (unsigned j = n - 1; j >= 0; --j) {
    x[j] = 0.0f;
    if (++steps > n) break;
  }
}

// symcute: launch grid=(ceil_div(M*N,256)) block=(256)
// symcute: arg m = M
// symcute: arg n = N
// symcute: extent x = M*N
// symcute: extent rows = M
// symcute: extent cols = N
// symcute: assume M*N <= 2**30
__global__ void lines(int m, int n, const float *x, float *rows, float *cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m * n) return;
  atomicAdd(rows + line_of<ROWS>(i, n), x[i]);
  atomicAdd(cols + line_of<COLS>(i, n), x[i]);
}

// Rows are counted by the number of rows.
// symcute: launch grid=(ceil_div(M*N,256)) block=(256)
// symcute: arg m = M
// symcute: arg n = N
// symcute: extent x = M*N
// symcute: extent rows = M
// symcute: assume M*N <= 2**30
// truth: in_bounds=no
// run: M=2 N=9
__global__ void lines_wrong(int m, int n, const float *x, float *rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m * n) return;
  atomicAdd(rows + line_of<ROWS>(i, m), x[i]);
}

// symcute: launch grid=(G) block=(64)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume G <= 2**20
// symcute: assume N <= 2**30
__global__ void ranges(int n, float *x) {
  int each = (n + gridDim.x - 1) / gridDim.x;
  Range mine(blockIdx.x * each, min(n, (int)(blockIdx.x + 1) * each));
  for (int k = threadIdx.x; k < mine.size(); k += 64)
    if (mine.has(mine.begin + k)) x[mine.begin + k] = 1.0f;
}

// symcute: launch grid=(ceil_div(N,64)) block=(64)
// symcute: arg n = N
// symcute: extent x = 4*N
// symcute: assume N <= 2**20
__global__ void by_reference(int n, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, second = 0;
  if (i >= n) return;
  int first = 2 * i;
  take_two(first, &second);
  float &cell = x[second - 2];
  cell = 1.0f;
  cell += first;
}

// Guards that are loads: the second is made only where the first allows it.
// symcute: launch grid=(ceil_div(N,64)) block=(64)
// symcute: arg n = N
// symcute: extent next = N
// symcute: extent x = N
__global__ void linked(int n, const int *next, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && next[i] >= 0 && next[i] < n && next[next[i]] == i) x[i] = 1.0f;
}

// The order of the guards is the wrong one.
// symcute: launch grid=(ceil_div(N,64)) block=(64)
// symcute: arg n = N
// symcute: extent next = N
// symcute: extent x = N
// truth: in_bounds=no
__global__ void linked_too_soon(int n, const int *next, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (next[i] >= 0 && i < n) x[i] = 1.0f;
}

// Work for the first warp only, which waits for itself.
// symcute: launch grid=(G) block=(96)
// symcute: extent out = G
// symcute: assume G <= 2**20
// symcute: covers out
__global__ void first_warp(float *out) {
  __shared__ float s[96];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  if (t >= 32) return;
  s[t] += s[t + 32] + s[t + 64];
  __syncwarp();
  if (t == 0) {
    float sum = 0.0f;
    for (int k = 0; k < warpSize; ++k) sum += s[k];
    out[blockIdx.x] = sum;
  }
}

// A barrier of the block after the others have left.
// symcute: launch grid=(G) block=(96)
// symcute: extent out = G
// symcute: assume G <= 2**20
// truth: barrier_uniform=no
__global__ void first_warp_waits(float *out) {
  __shared__ float s[96];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  if (t >= 32) return;
  s[t] += s[t + 32] + s[t + 64];
  __syncthreads();
  if (t == 0) out[blockIdx.x] = s[31];
}

// Both halves have a barrier, but not the same.
// symcute: launch grid=(G) block=(64)
// symcute: extent out = 64*G
// symcute: assume G <= 2**20
// truth: barrier_uniform=no
__global__ void two_barriers(float *out) {
  __shared__ float s[64];
  s[threadIdx.x] = 1.0f;
  if (threadIdx.x & 1)
    __syncthreads();
  else
    __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}

// Numbers of 64 bits all along, past 2^32 elements.
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 2**38
// symcute: covers x
// run: N=2**33 blocks=33554431 threads=255
__global__ void past_2_32(unsigned long long n, unsigned char *x) {
  unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1;
}

// The product of two unsigned numbers comes first.
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 2**38
// truth: no_overflow=no write_race_free=no
// run: N=2**33 blocks=0;16777216 threads=0
__global__ void past_2_32_too_late(unsigned long long n, unsigned char *x) {
  unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1;
}

// Half of the threads, a quarter, ...: the same number for all of a block in each round.
// symcute: launch grid=(G) block=(B) shared=4*B
// symcute: assume B <= 1024
// symcute: assume G <= 2**20
// symcute: extent x = G*B
// symcute: extent sums = G
__global__ void by_halves(const float *x, float *sums) {
  extern __shared__ float part[];
  unsigned t = threadIdx.x;
  part[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half >>= 1) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

// symcute: launch grid=(G) block=(128) shared=512
// symcute: assume G <= 2**20
// symcute: extent x = G*128
// symcute: extent sums = G
// truth: read_write_race_free=no
__global__ void by_halves_and_one_more(const float *x, float *sums) {
  extern __shared__ float part[];
  unsigned t = threadIdx.x;
  part[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half >>= 1) {
    if (t <= half && t + half < blockDim.x) part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

// A remainder made positive in C's arithmetic, where it has the sign of what is divided.
// symcute: launch grid=(ceil_div(N,128)) block=(128)
// symcute: arg n = N
// symcute: assume N <= 2**29
// symcute: assume 0 <= far < N
// symcute: extent x = N
// symcute: extent y = N
// symcute: covers y
__global__ void turned(int n, int far, const float *x, float *y) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) y[i] = x[((i - far) % n + n) % n];
}

// symcute: launch grid=(ceil_div(N,128)) block=(128)
// symcute: arg n = N
// symcute: assume N <= 2**29
// symcute: assume 0 <= far < N
// symcute: extent x = N
// symcute: extent y = N
// truth: in_bounds=no
__global__ void turned_below_zero(int n, int far, const float *x, float *y) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) y[i] = x[(i - far) % n];
}

// The first 0, or n where there is none.
// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = 256
// symcute: extent y = N
// truth: in_bounds=no
// run: N=4
__global__ void first_zero(int n, const int *x, float *y) {
  int j;
  for (j = 0; j < n; j++)
    if (x[j & 255] == 0) break;
  y[j] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = 256
// symcute: extent y = N
__global__ void first_zero_if_any(int n, const int *x, float *y) {
  int j;
  for (j = 0; j < n; j++)
    if (x[j & 255] == 0) break;
  if (j < n) y[j] = 1.0f;
}

// The bound is read again in each round, and the first round overwrites it.
// symcute: launch grid=(1) block=(1)
// symcute: extent a = 8
// truth: in_bounds=no
// run: a[0]=8
__global__ void own_bound(int *a) {
  if (a[0] <= 8)
    for (int i = 0; i < a[0]; i++) a[i] = 100;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent a = 8
__global__ void bound_read_once(int *a) {
  int most = a[0];
  if (most <= 8)
    for (int i = 0; i < most; i++) a[i] = 100;
}

// As many as there are ones in v, which is 32 for the largest v.
// symcute: launch grid=(1) block=(1)
// symcute: extent x = 32
// truth: in_bounds=no
// run: v=2**32-1
__global__ void ones_of(unsigned v, float *x) {
  x[__popc(v)] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 33
__global__ void ones_of_any(unsigned v, float *x) {
  x[__popc(v)] = 1.0f;
}

// Where the tiles fit, rounding up is dividing.
// symcute: launch grid=(ceil_div(N,16),ceil_div(M,16)) block=(16,16)
// symcute: assume N % 16 == 0
// symcute: assume M % 16 == 0
// symcute: assume M <= 2**19
// symcute: assume M*N <= 2**30
// symcute: extent C = M*N
__global__ void tiles_that_fit(float *C, int M, int N) {
  int r = blockIdx.y * 16 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x;
  C[r * N + c] = 1;
}

// symcute: launch grid=(ceil_div(N,16),ceil_div(M,16)) block=(16,16)
// symcute: assume N % 16 == 0
// symcute: assume M % 16 == 0
// symcute: assume M <= 2**19
// symcute: assume M*N <= 2**30
// symcute: extent C = M*N
// truth: write_race_free=no
__global__ void tiles_that_overlap(float *C, int M, int N) {
  int r = blockIdx.y * 16 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x;
  C[r * (N - 1) + c] = 1;
}

// symcute: launch grid=(ceil_div(row*col,256)) block=(256)
// symcute: assume row*col <= 2**30
// symcute: extent y = row*col
__global__ void transposed_by_index(float *y, const int row, const int col) {
  const int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g < row * col) y[(g % col) * row + g / col] = 1;
}

// symcute: launch grid=(ceil_div(row*col,256)) block=(256)
// symcute: assume row*col <= 2**30
// symcute: extent y = row*col
// truth: write_race_free=no
__global__ void transposed_too_close(float *y, const int row, const int col) {
  const int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g < row * col) y[(g % col) * (row - 1) + g / col] = 1;
}

// symcute: launch grid=(ceil_div(row*col,256)) block=(256)
// symcute: assume row*col <= 2**30
// symcute: extent y = row*col
// truth: write_race_free=no in_bounds=no
__global__ void transposed_by_another(float *y, const int row, const int col) {
  const int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g < row * col) y[(g % col) * row + g / row] = 1;
}
