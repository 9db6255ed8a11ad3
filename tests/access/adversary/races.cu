// Barriers, buffers and who writes what.

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
__global__ void scan_two_buffers(float *x) {
  __shared__ float s[2][64];
  int t = threadIdx.x, in = 0;
  s[0][t] = x[t];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    s[1 - in][t] = t >= d ? s[in][t] + s[in][t - d] : s[in][t];
    in = 1 - in;
    __syncthreads();
  }
  x[t] = s[in][t];
}

// The flip is forgotten in the odd round only.
// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// truth: read_write_race_free=no
__global__ void scan_flip_late(float *x) {
  __shared__ float s[2][64];
  int t = threadIdx.x, in = 0;
  s[0][t] = x[t];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    s[d == 8 ? in : 1 - in][t] = t >= d ? s[in][t] + s[in][t - d] : s[in][t];
    in = 1 - in;
    __syncthreads();
  }
  x[t] = s[in][t];
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
__global__ void scan_pointers(float *x) {
  __shared__ float a[64];
  __shared__ float b[64];
  float *from = a, *to = b;
  int t = threadIdx.x;
  from[t] = x[t];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    to[t] = t >= d ? from[t] + from[t - d] : from[t];
    __syncthreads();
    float *h = from; from = to; to = h;
  }
  x[t] = from[t];
}

// Swapped twice: the same buffer always.
// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// truth: read_write_race_free=no
__global__ void scan_pointers_same(float *x) {
  __shared__ float a[64];
  __shared__ float b[64];
  float *from = a, *to = b;
  int t = threadIdx.x;
  from[t] = x[t];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    to[t] = t >= d ? from[t] + from[t - d] : from[t];
    float *h = from; from = to; to = h;
  }
  x[t] = from[t];
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 65
__global__ void within_block(float *x) {
  int i = blockIdx.x * 64 + threadIdx.x;
  float v = x[i + 1];
  __syncthreads();
  x[i] = v;
}

// symcute: launch grid=(1) block=(64)
// symcute: extent c = 1
// symcute: extent x = 64
__global__ void atomic_then_barrier(int *c, int *x) {
  atomicAdd(&c[0], 1);
  __syncthreads();
  x[threadIdx.x] = c[0];
}

// Write by one thread, read by all before the barrier.
// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// truth: read_write_race_free=no
__global__ void one_writes_early(float *x) {
  __shared__ float v;
  if (threadIdx.x == 0) v = x[0];
  float w = v;
  __syncthreads();
  x[threadIdx.x] = w;
}

// x[0] is read by thread 0 while... thread 0 writes it later: own; others do not touch it.
// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
__global__ void one_writes(float *x) {
  __shared__ float v;
  if (threadIdx.x == 0) v = x[0];
  __syncthreads();
  x[threadIdx.x] = v;
}

// The block leader is lane 0 of each warp: two leaders.
// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// truth: write_race_free=no
__global__ void two_leaders(float *x) {
  __shared__ float v;
  if (threadIdx.x % 32 == 0) v = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = v;
}

// The last warp without barriers.
// symcute: launch grid=(1) block=(128)
// symcute: extent x = 128
// truth: read_write_race_free=no
__global__ void reduce_last_warp(float *x) {
  __shared__ volatile float s[128];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32) { s[t] += s[t + 32]; s[t] += s[t + 16]; s[t] += s[t + 8]; }
  if (t == 0) x[0] = s[0];
}

// Two pointers into one array, rows of different lengths.
// symcute: launch grid=(1) block=(32)
// symcute: arg n = N
// symcute: extent x = 2*N
// symcute: assume N <= 1000
// truth: read_write_race_free=no write_race_free=no
__global__ void halves(int n, float *x) {
  float *a = x, *b = x + n;
  for (int i = threadIdx.x; i <= n; i += 32) { a[i] = 1.0f; if (i < n) b[i] = 2.0f; }
  if (threadIdx.x == 0 && n > 2) a[0] = b[1];
}

// symcute: launch grid=(1) block=(32)
// symcute: arg n = N
// symcute: extent x = 2*N
// symcute: assume N <= 1000
__global__ void halves_apart(int n, float *x) {
  float *a = x, *b = x + n;
  for (int i = threadIdx.x; i < n; i += 32) { a[i] = 1.0f; b[i] = 2.0f; }
}

// c = c: all the same permutation? No: duplicates.
// symcute: launch grid=(1) block=(32)
// symcute: extent c = 32
// symcute: extent x = 32
// symcute: contents c in [0, 32)
// truth: write_race_free=no
__global__ void scatter(const int *c, float *x) {
  x[c[threadIdx.x]] = 1.0f;
}

// symcute: launch grid=(1) block=(32)
// symcute: extent c = 32
// symcute: extent x = 64
// symcute: contents c in [0, 2)
__global__ void scatter_two(const int *c, float *x) {
  x[2 * threadIdx.x + c[threadIdx.x]] = 1.0f;
}

// symcute: launch grid=(1) block=(32)
// symcute: extent c = 32
// symcute: extent x = 64
// symcute: contents c in [0, 2]
// truth: write_race_free=no in_bounds=no
__global__ void scatter_three(const int *c, float *x) {
  x[2 * threadIdx.x + c[threadIdx.x]] = 1.0f;
}

// The barrier is left out of the round with continue.
// symcute: launch grid=(1) block=(64)
// symcute: arg n = N
// symcute: extent x = 64
// symcute: assume N <= 10
// truth: read_write_race_free=no
__global__ void continue_over_barrier(int n, float *x) {
  __shared__ float s[64];
  for (int k = 0; k < n; ++k) {
    s[threadIdx.x] = 1.0f;
    if (k == 3) { x[threadIdx.x] = s[63 - threadIdx.x]; continue; }
    __syncthreads();
    x[threadIdx.x] = s[threadIdx.x];
    __syncthreads();
  }
}
