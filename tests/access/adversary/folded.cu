// Conditions that are always the same in integers, and are not where arithmetic wraps.

__device__ int pick(int n) { if (n + 1 > 0) return 0; return 1; }

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 1
// truth: in_bounds=no no_overflow=no
// run: n=2147483647
__global__ void fold_false(int n, float *x) {
  if (n + 1 < 0) x[1] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 1
// truth: in_bounds=no no_overflow=no
// run: n=4294967295
__global__ void fold_unsigned(unsigned n, float *x) {
  if (n + 1 == 0) x[1] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 1
// truth: in_bounds=no no_overflow=no
// run: n=4294967295
__global__ void fold_unsigned_select(unsigned n, float *x) {
  x[n + 1 == 0 ? 1 : 0] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 1
// truth: in_bounds=no no_overflow=no
// run: n=2147483647
__global__ void fold_return(int n, float *x) {
  if (n + 1 > 0) return;
  x[1] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 1
// truth: in_bounds=no no_overflow=no
// run: n=70000
__global__ void fold_product(int n, float *x) {
  if (n * n < 0) x[1] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 1
// truth: in_bounds=no no_overflow=no
// run: n=2147483647
__global__ void fold_max(int n, float *x) {
  x[-min(n + 1, 0)] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 1
// truth: in_bounds=no no_overflow=no
// run: n=2147483647
__global__ void fold_loop(int n, float *x) {
  for (int i = n + 1; i < 0; i += 1073741824) x[1] = 1.0f;
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// truth: barrier_uniform=no no_overflow=no
// run: n=2147483647
__global__ void fold_barrier(int n, float *x) {
  if (n + (int)threadIdx.x >= 0) __syncthreads();
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// truth: read_write_race_free=no no_overflow=no
// run: n=2147483647
__global__ void fold_race(int n, float *x) {
  __shared__ float s[64];
  s[threadIdx.x] = 1.0f;
  if (n + 1 > 0) __syncthreads();
  x[threadIdx.x] = s[63 - threadIdx.x];
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// truth: in_bounds=no no_overflow=no write_race_free=no
__global__ void fold_subtract(unsigned short n, unsigned m, float *x) {
  unsigned short k = n + 1;
  if (k == 0) x[64] = 1.0f;
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// truth: in_bounds=no no_overflow=no write_race_free=no
__global__ void fold_same(int n, float *x) {
  int k = n + 1;
  bool b = k <= n;
  x[b ? 64 : 0] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 1
// truth: in_bounds=no no_overflow=no
__global__ void fold_and(int n, float *x) {
  if (n > 0 && n + 1 < 0) x[1] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 1
// truth: in_bounds=no no_overflow=no
__global__ void fold_long(int n, float *x) {
  if ((long long)(n + 1) != (long long)n + 1) x[1] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 1
// truth: in_bounds=no no_overflow=no
__global__ void fold_zero(int n, float *x) {
  x[(n + n) * 0] = 1.0f;
  int k = (n + n) / 2 - n;
  x[k] = 2.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 1
// truth: in_bounds=no no_overflow=no
__global__ void fold_switch(int n, float *x) {
  switch (n + 1) { case -2147483647 - 1: x[1] = 1.0f; }
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// symcute: covers x
// truth: covers=no no_overflow=no
__global__ void fold_covers(int n, float *x) {
  if (n + 1 > 0) x[threadIdx.x] = 1.0f;
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// symcute: covers x
// truth: covers=no no_overflow=no
__global__ void fold_covers_thread(int n, float *x) {
  if (n + (int)threadIdx.x > 0) x[threadIdx.x] = 1.0f;
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// truth: read_write_race_free=no no_overflow=no
__global__ void fold_race_all(int n, float *x) {
  __shared__ float s[64];
  s[threadIdx.x] = 1.0f;
  if (n + 1 > 0 || n == 77) { if (n + 1 > 0) __syncthreads(); }
  x[threadIdx.x] = s[63 - threadIdx.x];
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// truth: read_write_race_free=no no_overflow=no barrier_uniform=no
__global__ void fold_race_thread(int n, float *x) {
  __shared__ float s[64];
  s[threadIdx.x] = 1.0f;
  if (n + (int)threadIdx.x > 0) __syncthreads();
  x[threadIdx.x] = s[63 - threadIdx.x];
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// truth: read_write_race_free=no barrier_uniform=no
__global__ void fold_race_loop(unsigned char n, float *x) {
  __shared__ float s[64];
  s[threadIdx.x] = 1.0f;
  for (unsigned char i = n; i + 1 != 0 && (unsigned char)(i + threadIdx.x) != 0; i = 255) { __syncthreads(); break; }
  x[threadIdx.x] = s[63 - threadIdx.x];
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// truth: barrier_uniform=no
__global__ void fold_explicit_cast(int n, float *x) {
  if ((unsigned char)(threadIdx.x + 200) >= 200) __syncthreads();
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// truth: barrier_uniform=no no_overflow=no
__global__ void fold_mask(int n, float *x) {
  if ((n + (int)threadIdx.x) * 2 != 1 && (n & 3) + (threadIdx.x & 7) < 9) __syncthreads();
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 1
// truth: in_bounds=no no_overflow=no
__global__ void true_select(int n, float *x) {
  x[n + 1 > 0 ? 0 : 1] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 1
// truth: in_bounds=no no_overflow=no
__global__ void true_merge(int n, float *x) {
  int k = 1;
  if (n + 1 > 0) k = 0;
  x[k] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 1
// truth: in_bounds=no no_overflow=no
__global__ void true_else(int n, float *x) {
  if (n + 1 > 0) x[0] = 1.0f; else x[1] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 1
// truth: in_bounds=no no_overflow=no
__global__ void true_or(int n, float *x) {
  bool b = n + 1 > 0 || n == 5;
  if (!b) x[1] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 1
// truth: in_bounds=no no_overflow=no
__global__ void true_bool_index(int n, float *x) {
  int b = n + 1 > 0;
  x[1 - b] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 1
// truth: in_bounds=no no_overflow=no
__global__ void true_break(int n, float *x) {
  for (int i = 0; i < 2; ++i) { x[i] = 1.0f; if (n + 1 > 0) break; }
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 1
// truth: in_bounds=no no_overflow=no
__global__ void true_while(int n, float *x) {
  int i = 0;
  while (n + 1 > 0) { i = 1; if (i > 0) { x[0] = 1.0f; return; } }
  x[1] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 1
// truth: in_bounds=no no_overflow=no
__global__ void true_continue(int n, float *x) {
  for (int i = 0; i < 2; ++i) { if (n + 1 > 0) continue; x[i] = 1.0f; }
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 1
// truth: in_bounds=no no_overflow=no
__global__ void true_callee(int n, float *x) {
  x[pick(n)] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 1
// truth: in_bounds=no no_overflow=no
__global__ void true_memory(int n, float *x) {
  int a[2]; a[0] = 1;
  if (n + 1 > 0) a[0] = 0;
  x[a[0]] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 1
// truth: in_bounds=no no_overflow=no
__global__ void true_switch(int n, float *x) {
  int k = 1;
  switch (n + 1 > 0) { case 1: k = 0; break; default: k = 1; }
  x[k] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 1
// truth: in_bounds=no no_overflow=no
__global__ void true_max(int n, float *x) {
  x[1 - min(max(n + 1, 0), 1)] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 1
// truth: in_bounds=no no_overflow=no
__global__ void true_shift(int n, float *x) {
  x[((n + 1) >> 31) & 1] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 1
// truth: in_bounds=no no_overflow=no
__global__ void true_pointer(int n, float *x) {
  float *p = x + 1;
  if (n + 1 > 0) p = x;
  *p = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: extent x = 1
// truth: in_bounds=no no_overflow=no
__global__ void true_trip(int n, float *x) {
  int k = 0;
  for (int i = n + 1; i <= 0; i += 1 << 30) ++k;
  x[k] = 1.0f;
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// truth: read_write_race_free=no no_overflow=no
__global__ void true_return_barrier(int n, float *x) {
  __shared__ float s[64];
  s[threadIdx.x] = 1.0f;
  bool b = n + 1 > 0;
  if (b) __syncthreads();
  x[threadIdx.x] = s[63 - threadIdx.x];
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// truth: barrier_uniform=no no_overflow=no
__global__ void true_early_return(int n, float *x) {
  if (n + (int)threadIdx.x < 0) return;
  __syncthreads();
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// truth: barrier_uniform=no no_overflow=no
__global__ void true_loop_barrier(int n, float *x) {
  for (int k = 0; k < 3; ++k) {
    if (n + (int)threadIdx.x < 0) break;
    __syncthreads();
  }
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// truth: barrier_uniform=no no_overflow=no
__global__ void true_trip_barrier(int n, float *x) {
  for (int k = 0; k < min(n + (int)threadIdx.x, 1); ++k) __syncthreads();
}

// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// truth: barrier_uniform=no no_overflow=no
__global__ void true_max_barrier(int n, float *x) {
  if (max(n + (int)threadIdx.x, 1) == n + (int)threadIdx.x) __syncthreads();
}
