// Sums: by trees in shared memory, by warps, by atomics.
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 2**30

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: extent sums = ceil_div(N,256)
// symcute: covers sums
__global__ void sum_sequential(int n, const float *x, float *sums) {
  __shared__ float s[256];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  s[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int half = 128; half > 0; half >>= 1) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = s[0];
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: extent sums = ceil_div(N,256)
// truth: read_write_race_free=no
__global__ void sum_no_barrier(int n, const float *x, float *sums) {
  __shared__ float s[256];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  s[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int half = 128; half > 0; half >>= 1)
    if (t < half) s[t] += s[t + half];
  if (t == 0) sums[blockIdx.x] = s[0];
}

// Half of the threads do not come to the barrier.
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: extent sums = ceil_div(N,256)
// truth: barrier_uniform=no
__global__ void sum_barrier_inside(int n, const float *x, float *sums) {
  __shared__ float s[256];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  s[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int half = 128; half > 0; half >>= 1) {
    if (t < half) {
      s[t] += s[t + half];
      __syncthreads();
    }
  }
  if (t == 0) sums[blockIdx.x] = s[0];
}

// The tree begins one level too high.
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: extent sums = ceil_div(N,256)
// truth: in_bounds=no
__global__ void sum_too_high(int n, const float *x, float *sums) {
  __shared__ float s[256];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  s[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int half = 256; half > 0; half >>= 1) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = s[0];
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: extent sums = ceil_div(N,256)
__global__ void sum_interleaved(int n, const float *x, float *sums) {
  __shared__ float s[256];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  s[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    if (t % (2 * d) == 0) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = s[0];
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: extent sums = ceil_div(N,256)
__global__ void sum_strided(int n, const float *x, float *sums) {
  __shared__ float s[256];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  s[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    int k = 2 * d * t;
    if (k < 256) s[k] += s[k + d];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = s[0];
}

// The last five steps within a warp, which is no longer in step by itself.
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: extent sums = ceil_div(N,256)
// truth: read_write_race_free=no
__global__ void sum_implicit_warp(int n, const float *x, float *sums) {
  __shared__ float s[256];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  s[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int half = 128; half > 32; half >>= 1) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t < 32) {
    volatile float *w = s;
    w[t] += w[t + 32];
    w[t] += w[t + 16];
    w[t] += w[t + 8];
    w[t] += w[t + 4];
    w[t] += w[t + 2];
    w[t] += w[t + 1];
  }
  if (t == 0) sums[blockIdx.x] = s[0];
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: extent sums = ceil_div(N,256)
__global__ void sum_warp_barriers(int n, const float *x, float *sums) {
  __shared__ float s[256];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  s[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int half = 128; half >= 32; half >>= 1) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t < 32) {
    for (int half = 16; half > 0; half >>= 1) {
      if (t < half) s[t] += s[t + half];
      __syncwarp();
    }
  }
  if (t == 0) sums[blockIdx.x] = s[0];
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: extent sums = ceil_div(N,256)
__global__ void sum_shuffles(int n, const float *x, float *sums) {
  __shared__ float s[8];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  float v = i < n ? x[i] : 0.0f;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  if (t % 32 == 0) s[t / 32] = v;
  __syncthreads();
  if (t < 8) {
    v = s[t];
    for (int d = 4; d > 0; d >>= 1) v += __shfl_down_sync(0xffu, v, d);
    if (t == 0) sums[blockIdx.x] = v;
  }
}

// One cell a warp, but room for seven.
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: extent sums = ceil_div(N,256)
// truth: in_bounds=no
__global__ void sum_shuffles_small(int n, const float *x, float *sums) {
  __shared__ float s[7];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  float v = i < n ? x[i] : 0.0f;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  if ((t & 31) == 0) s[t >> 5] = v;
  __syncthreads();
  if (t == 0) sums[blockIdx.x] = s[0];
}

// symcute: launch grid=(64) block=(256)
// symcute: extent total = 1
__global__ void sum_atomic(int n, const float *x, float *total) {
  float v = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += x[i];
  atomicAdd(total, v);
}

// symcute: launch grid=(64) block=(256)
// symcute: extent total = 1
// truth: write_race_free=no read_write_race_free=no
__global__ void sum_not_atomic(int n, const float *x, float *total) {
  float v = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += x[i];
  *total += v;
}

// Somebody reads the total while others add to it.
// symcute: launch grid=(64) block=(256)
// symcute: extent total = 1
// symcute: extent seen = 64
// truth: read_write_race_free=no
__global__ void sum_read_early(int n, const float *x, float *total, float *seen) {
  float v = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += x[i];
  atomicAdd(total, v);
  __syncthreads();
  if (threadIdx.x == 0) seen[blockIdx.x] = *total;
}

// Any block of an even number of threads.
// symcute: launch grid=(ceil_div(N,2*P)) block=(2*P) shared=8*P
// symcute: assume P <= 512
// symcute: extent sums = ceil_div(N,2*P)
__global__ void sum_any_block(int n, const float *x, float *sums) {
  extern __shared__ float s[];
  unsigned t = threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = s[0];
}

// symcute: launch grid=(ceil_div(N,512)) block=(256)
// symcute: template BLOCK=256
// symcute: extent sums = ceil_div(N,512)
template <int BLOCK>
__global__ void sum_unrolled(int n, const float *x, float *sums) {
  __shared__ float s[BLOCK];
  int t = threadIdx.x;
  int i = blockIdx.x * (2 * BLOCK) + t;
  s[t] = (i < n ? x[i] : 0.0f) + (i + BLOCK < n ? x[i + BLOCK] : 0.0f);
  __syncthreads();
  if (BLOCK >= 512) {
    if (t < 256) s[t] += s[t + 256];
    __syncthreads();
  }
  if (BLOCK >= 256) {
    if (t < 128) s[t] += s[t + 128];
    __syncthreads();
  }
  if (BLOCK >= 128) {
    if (t < 64) s[t] += s[t + 64];
    __syncthreads();
  }
  if (t < 32) {
    float v = s[t] + s[t + 32];
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
    if (t == 0) sums[blockIdx.x] = v;
  }
}
