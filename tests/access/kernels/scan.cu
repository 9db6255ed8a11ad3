// Prefix sums of a block: single- and double-buffered, and by trees.
// symcute: launch grid=(ceil_div(N,128)) block=(128)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
// symcute: assume N <= 2**30

__global__ void scan_double(int n, const int *x, int *y) {
  __shared__ int s[2][128];
  int t = threadIdx.x;
  int i = blockIdx.x * 128 + t;
  int in = 0, out = 1;
  s[in][t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    s[out][t] = t >= d ? s[in][t] + s[in][t - d] : s[in][t];
    __syncthreads();
    in = 1 - in;
    out = 1 - out;
  }
  if (i < n) y[i] = s[in][t];
}

// The buffers are exchanged, but nobody waits.
// truth: read_write_race_free=no
__global__ void scan_double_no_barrier(int n, const float *x, float *y) {
  __shared__ float s[2][128];
  int t = threadIdx.x;
  int i = blockIdx.x * 128 + t;
  int in = 0, out = 1;
  s[in][t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    s[out][t] = t >= d ? s[in][t] + s[in][t - d] : s[in][t];
    in = 1 - in;
    out = 1 - out;
  }
  if (i < n) y[i] = s[in][t];
}

__global__ void scan_single(int n, const float *x, float *y) {
  __shared__ float s[128];
  int t = threadIdx.x;
  int i = blockIdx.x * 128 + t;
  s[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int d = 1; d < 128; d <<= 1) {
    float v = 0.0f;
    if (t >= d) v = s[t - d];
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  if (i < n) y[i] = s[t];
}

// One barrier a round is not enough for one buffer.
// truth: read_write_race_free=no
__global__ void scan_single_one_barrier(int n, const float *x, float *y) {
  __shared__ float s[128];
  int t = threadIdx.x;
  int i = blockIdx.x * 128 + t;
  s[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int d = 1; d < 128; d <<= 1) {
    float v = 0.0f;
    if (t >= d) v = s[t - d];
    s[t] += v;
    __syncthreads();
  }
  if (i < n) y[i] = s[t];
}

// The cell below the first is read.
// truth: in_bounds=no
__global__ void scan_reads_below(int n, const float *x, float *y) {
  __shared__ float s[128];
  int t = threadIdx.x;
  int i = blockIdx.x * 128 + t;
  s[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int d = 1; d < 128; d <<= 1) {
    float v = s[t - d];
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  if (i < n) y[i] = s[t];
}

// Up and down a tree of 256 cells.
// symcute: launch grid=(ceil_div(N,256)) block=(128)
__global__ void scan_tree(int n, const float *x, float *y) {
  __shared__ float s[256];
  int t = threadIdx.x;
  int base = blockIdx.x * 256;
  s[2 * t] = base + 2 * t < n ? x[base + 2 * t] : 0.0f;
  s[2 * t + 1] = base + 2 * t + 1 < n ? x[base + 2 * t + 1] : 0.0f;
  int offset = 1;
  for (int d = 128; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0) s[255] = 0.0f;
  for (int d = 1; d < 256; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      int a = offset * (2 * t + 1) - 1;
      int b = offset * (2 * t + 2) - 1;
      float v = s[a];
      s[a] = s[b];
      s[b] += v;
    }
  }
  __syncthreads();
  if (base + 2 * t < n) y[base + 2 * t] = s[2 * t];
  if (base + 2 * t + 1 < n) y[base + 2 * t + 1] = s[2 * t + 1];
}

// The offset of the way up is used on the way down.
// symcute: launch grid=(ceil_div(N,256)) block=(128)
// truth: in_bounds=no
__global__ void scan_tree_offset(int n, const float *x, float *y) {
  __shared__ float s[256];
  int t = threadIdx.x;
  int base = blockIdx.x * 256;
  s[2 * t] = base + 2 * t < n ? x[base + 2 * t] : 0.0f;
  s[2 * t + 1] = base + 2 * t + 1 < n ? x[base + 2 * t + 1] : 0.0f;
  int offset = 1;
  for (int d = 128; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  __syncthreads();
  if (t == 0) s[offset] = 0.0f;
}
