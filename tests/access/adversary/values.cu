// What threads do not share: tickets, votes, what is loaded.

// symcute: launch grid=(2) block=(64)
// symcute: extent c = 1
// symcute: extent x = 128
// symcute: contents c in [0, 0]
__global__ void ticket(int *c, float *x) {
  int i = atomicAdd(&c[0], 1);
  if (i >= 0 && i < 128) x[i] = 1.0f;
}

// symcute: launch grid=(1) block=(32)
// symcute: extent f = 32
// symcute: extent x = 32
__global__ void compact(const int *f, float *x) {
  bool keep = f[threadIdx.x] > 0;
  unsigned m = __ballot_sync(0xffffffff, keep);
  int p = __popc(m & ((1u << threadIdx.x) - 1));
  if (keep) x[p] = 1.0f;
}

// symcute: launch grid=(1) block=(32)
// symcute: extent x = 32
__global__ void shuffled(float *x) {
  int p = __shfl_xor_sync(0xffffffff, (int)threadIdx.x, 1);
  x[p & 31] = 1.0f;
}

// symcute: launch grid=(1) block=(32)
// symcute: extent x = 32
__global__ void elected(float *x) {
  __shared__ int lead;
  int old = atomicCAS((int *)x, 0, 1);
  if (old == 0) lead = threadIdx.x;
}

// symcute: launch grid=(2) block=(32)
// symcute: extent c = 1
// symcute: extent x = 64
// symcute: extent y = 1
__global__ void last_block(unsigned *c, float *x, float *y) {
  __shared__ bool last;
  x[blockIdx.x * 32 + threadIdx.x] = 1.0f;
  __threadfence();
  if (threadIdx.x == 0) last = atomicInc(c, gridDim.x) == gridDim.x - 1;
  __syncthreads();
  if (last && threadIdx.x == 0) y[0] = x[0];
}

// The leader's count decides for all: uniform.
// symcute: launch grid=(1) block=(64)
// symcute: extent f = 1
// symcute: extent x = 64
__global__ void uniform_by_shared(const int *f, float *x) {
  __shared__ int n;
  if (threadIdx.x == 0) n = f[0] & 7;
  __syncthreads();
  int m = n;
  for (int k = 0; k < m; ++k) __syncthreads();
  x[threadIdx.x] = 1.0f;
}

// symcute: launch grid=(1) block=(64)
// symcute: extent f = 64
// symcute: extent x = 64
__global__ void uniform_by_vote(const int *f, float *x) {
  if (__syncthreads_or(f[threadIdx.x] > 0)) __syncthreads();
  x[threadIdx.x] = 1.0f;
}

// symcute: launch grid=(1) block=(64)
// symcute: extent f = 64
// symcute: extent x = 64
// truth: barrier_uniform=no
__global__ void vote_of_warp(const int *f, float *x) {
  if (__any_sync(0xffffffff, f[threadIdx.x] > 0)) __syncthreads();
  x[threadIdx.x] = 1.0f;
}

// symcute: launch grid=(1) block=(64)
// symcute: extent f = 64
// symcute: extent x = 64
// truth: barrier_uniform=no
__global__ void loaded_by_thread(const int *f, float *x) {
  if (f[threadIdx.x / 64 + threadIdx.x % 2]) __syncthreads();
  x[threadIdx.x] = 1.0f;
}

// The same permutation twice is still no duplicate: but c may hold duplicates.
// symcute: launch grid=(1) block=(32)
// symcute: extent c = 32
// symcute: extent x = 32
// symcute: contents c in [0, 31]
// truth: read_write_race_free=no write_race_free=no
__global__ void chained(const int *c, int *x) {
  x[c[threadIdx.x]] = x[c[c[threadIdx.x]]];
}

// What comes back from floating point is what went in; nothing here knows.
// symcute: launch grid=(1) block=(64)
// symcute: extent x = 64
// symcute: covers x
__global__ void by_way_of_floats(float *x) {
  x[__float2int_rn((float)threadIdx.x)] = 1.0f;
}
