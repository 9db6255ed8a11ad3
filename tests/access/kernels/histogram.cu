// Histograms: the cell that is counted comes from memory.
// symcute: arg n = N
// symcute: extent data = N
// symcute: assume N <= 2**30
// symcute: contents data in [0, 64)

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: extent bins = 64
__global__ void histogram_global(int n, const int *data, int *bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[data[i]], 1);
}

// One bin too few.
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: extent bins = 63
// truth: in_bounds=no
__global__ void histogram_small(int n, const int *data, int *bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[data[i]], 1);
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: extent bins = 64
// truth: write_race_free=no read_write_race_free=no
__global__ void histogram_not_atomic(int n, const int *data, int *bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) bins[data[i]] += 1;
}

// symcute: launch grid=(32) block=(128)
// symcute: extent bins = 64
__global__ void histogram_shared(int n, const int *data, int *bins) {
  __shared__ int s[64];
  for (int b = threadIdx.x; b < 64; b += blockDim.x) s[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&s[data[i]], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < 64; b += blockDim.x) atomicAdd(&bins[b], s[b]);
}

// Counting begins before all bins are zero.
// symcute: launch grid=(32) block=(128)
// symcute: extent bins = 64
// truth: write_race_free=no
__global__ void histogram_shared_early(int n, const int *data, int *bins) {
  __shared__ int s[64];
  for (int b = threadIdx.x; b < 64; b += blockDim.x) s[b] = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&s[data[i]], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < 64; b += blockDim.x) atomicAdd(&bins[b], s[b]);
}

// The bins are added up while some still count.
// symcute: launch grid=(32) block=(128)
// symcute: extent bins = 64
// truth: read_write_race_free=no
__global__ void histogram_shared_late(int n, const int *data, int *bins) {
  __shared__ int s[64];
  for (int b = threadIdx.x; b < 64; b += blockDim.x) s[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&s[data[i]], 1);
  for (int b = threadIdx.x; b < 64; b += blockDim.x) atomicAdd(&bins[b], s[b]);
}

// A copy of the bins for each thread.
// symcute: launch grid=(1) block=(32)
// symcute: extent bins = 64
__global__ void histogram_private(int n, const int *data, int *bins) {
  __shared__ int s[64][32];
  int t = threadIdx.x;
  for (int b = 0; b < 64; ++b) s[b][t] = 0;
  for (int i = t; i < n; i += 32) s[data[i]][t] += 1;
  __syncthreads();
  for (int b = t; b < 64; b += 32) {
    int sum = 0;
    for (int k = 0; k < 32; ++k) sum += s[b][k];
    bins[b] = sum;
  }
}

// Places are handed out by a counter: each is taken once, but nothing here says how many there are.
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: extent count = 1
// symcute: contents count in [0, 0]
// symcute: extent out = N
__global__ void compact(int n, const int *data, int *count, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && data[i] > 31) out[atomicAdd(count, 1)] = data[i];
}
