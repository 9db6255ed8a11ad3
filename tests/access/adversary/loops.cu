// Loops, guards and barriers that are easily misread.

__device__ void meet(int t) { if (t < 32) __syncthreads(); }

// -1 < n as unsigned is false: so thread 0 is out, and i=-1 never touches.
// symcute: launch grid=(ceil_div(N,64)) block=(64)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 2**20
// truth: no_overflow=no
__global__ void cmp_unsigned_guard(unsigned n, float *x) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x) - 1;
  if (i < n) x[i] = 1.0f;
}

// Unsigned countdown never ends below 0: i >= 0 always, wraps to 2**32-1.
// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 1000
// truth: no_overflow=no
__global__ void countdown_ge(unsigned n, float *x) {
  for (unsigned i = n - 1; i < n + 1; --i) x[i] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 1000
// The last i-- leaves the type, and nothing uses what it leaves.
__global__ void countdown_post(unsigned n, float *x) {
  for (unsigned i = n; i-- > 0;) x[i] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 1000
// truth: in_bounds=no
__global__ void countdown_pre(unsigned n, float *x) {
  for (unsigned i = n; i > 0; i--) x[i] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 1000
// truth: in_bounds=no
__global__ void while_post(int n, float *x) {
  int i = n;
  while (i-- >= 0) x[i] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 1000
__global__ void while_post_ok(int n, float *x) {
  int i = n;
  while (i--) x[i] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 1000
// truth: in_bounds=no
__global__ void do_while_one(int n, float *x) {
  int i = 0;
  do { x[i + 1] = 1.0f; i += 2; } while (i < n);
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = N + 1
// symcute: assume N <= 1000
__global__ void do_while_two(int n, float *x) {
  int i = 0;
  do { x[i + 1] = 1.0f; i += 2; } while (i < n);
}

// Two induction variables, j runs behind.
// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 1000
// truth: in_bounds=no
__global__ void two_inductions(int n, float *x) {
  int j = 0;
  for (int i = 0; i < n; i += 3, j += 2) { x[j + 2] = 1.0f; }
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = N + 1
// symcute: assume N <= 1000
// truth: in_bounds=no
__global__ void bound_changes(int n, float *x) {
  int m = n;
  for (int i = 0; i < m; ++i) { x[i] = 1.0f; if (i == 2) m = m + 2; }
}

// continue skips the increment of j.
// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent f = N
// symcute: assume N <= 1000
__global__ void continue_counts(int n, float *x, const int *f) {
  int j = 0;
  for (int i = 0; i < n; ++i) { if (f[i] < 0) continue; x[j] = 1.0f; j++; }
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent f = N
// symcute: assume N <= 1000
// truth: in_bounds=no
__global__ void continue_counts_bad(int n, float *x, const int *f) {
  int j = 0;
  for (int i = 0; i < n; ++i) { ++j; if (f[i] < 0) continue; x[j] = 1.0f; }
}

// Swapped pointers, extents of different sizes.
// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent a = N
// symcute: extent b = N - 1
// symcute: assume N <= 1000
// symcute: assume N >= 2
__global__ void swapped_pointers(int n, float *a, float *b) {
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < n - 1; ++i) a[i] = 1.0f;
    a[n - 1 - (k == 0 ? 0 : k == 1 ? 1 : 0)] = 2.0f;
    float *t = a; a = b; b = t;
  }
  b[n - 1] = 3.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent a = N
// symcute: extent b = N - 1
// symcute: assume N <= 1000
// symcute: assume N >= 2
// truth: in_bounds=no
__global__ void swapped_unknown(int n, int m, float *a, float *b) {
  for (int k = 0; k < m; ++k) { float *t = a; a = b; b = t; }
  a[n - 1] = 3.0f;
}

// symcute: launch grid=(1) block=(64)
// symcute: extent out = 64
// truth: read_write_race_free=no
__global__ void carved(float *out) {
  __shared__ float s[128];
  float *p = s; float *q = s + 63;
  p[threadIdx.x] = 1.0f;
  out[threadIdx.x] = q[threadIdx.x];
}

// symcute: launch grid=(1) block=(64)
// symcute: extent out = 64
__global__ void carved_apart(float *out) {
  __shared__ float s[128];
  float *p = s; float *q = s + 64;
  p[threadIdx.x] = 1.0f;
  out[threadIdx.x] = q[threadIdx.x];
}

// Extern carving: ints then floats, the second too early by 4 bytes.
// symcute: launch grid=(1) block=(64) shared=64*8
// symcute: extent out = 64
// truth: read_write_race_free=no
__global__ void carved_extern(float *out) {
  extern __shared__ char raw[];
  int *a = (int *)raw;
  float *b = (float *)(raw + 252);
  a[threadIdx.x] = 1;
  out[threadIdx.x] = b[threadIdx.x];
}

// symcute: launch grid=(1) block=(64)
// symcute: extent out = 64
// truth: read_write_race_free=no
__global__ void row_overrun(float *out) {
  __shared__ float s[8][8];
  int r = threadIdx.x / 8, c = threadIdx.x % 8;
  s[r][c] = 1.0f;
  if (r < 7) out[threadIdx.x] = s[r][c + 1];
}

// symcute: launch grid=(1) block=(64)
// symcute: extent out = 64
// truth: in_bounds=no
__global__ void row_overrun_last(float *out) {
  __shared__ float s[8][8];
  int r = threadIdx.x / 8, c = threadIdx.x % 8;
  s[r][c] = 1.0f;
  __syncthreads();
  out[threadIdx.x] = s[r][c + 1];
}

// One branch of two; all reach it.
// symcute: launch grid=(N) block=(64)
// symcute: extent x = 64
// truth: launch_valid=no write_race_free=no
__global__ void barrier_in_true_branch(float *x) {
  if (blockDim.x == 64) { __syncthreads(); }
  x[threadIdx.x] = 1.0f;
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// truth: barrier_uniform=no
__global__ void barrier_early_return(float *x) {
  if (threadIdx.x > 62) return;
  __syncthreads();
  x[threadIdx.x] = 1.0f;
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// truth: barrier_uniform=no
__global__ void barrier_in_callee(float *x) {
  meet(threadIdx.x);
  x[threadIdx.x] = 1.0f;
}

// symcute: launch grid=(1) block=(32)
// symcute: extent x = 32
__global__ void barrier_in_callee_all(float *x) {
  meet(threadIdx.x);
  x[threadIdx.x] = 1.0f;
}

// Trip count depends on the thread.
// symcute: launch grid=(1) block=(64)
// symcute: arg n = N
// symcute: assume N <= 200
// truth: barrier_uniform=no
__global__ void barrier_in_stride(int n) {
  for (int i = threadIdx.x; i < n; i += 64) __syncthreads();
}

// symcute: launch grid=(1) block=(64)
// symcute: arg n = 64*N
// symcute: assume N <= 20
__global__ void barrier_in_stride_ok(int n) {
  for (int i = threadIdx.x; i < n; i += 64) __syncthreads();
}
