// Kernels of which no launch is known: what their contracts are, `tests/access/test_contracts.py` says.

__global__ void saxpy(float *y, const float *x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}

__global__ void unguarded(float *y, const float *x) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i];
}

__global__ void inclusive(float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) y[i] = 0;
}

__global__ void vectors(float *y, const float *x, int n) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) *(float4 *)(y + i) = *(const float4 *)(x + i);
}

__global__ void vectors_whole(float4 *y, const float4 *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) y[i] = x[i];
}

__global__ void pairs(float2 *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * i < n) y[i] = make_float2(0, 0);
}

__global__ void strided(float *y, const float *x, unsigned n) {
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) y[i] = x[i];
}

__global__ void grid_stride(float *y, const float *x, long n) {
  for (long i = (long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long)gridDim.x * blockDim.x)
    y[i] = x[i];
}

__global__ void stencil(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) y[i] = x[i - 1] + x[i] + x[i + 1];
}

__global__ void histogram(int *bins, const int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[data[i]], 1);
}

__global__ void bytes(unsigned *bins, const unsigned char *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[data[i]], 1u);
}

__global__ void gather(float *y, const float *x, const int *index, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[index[i]];
}

__global__ void embedding(float *y, const float *w, const long *index, int width) {
  long row = index[blockIdx.x];
  for (int j = threadIdx.x; j < width; j += blockDim.x)
    y[(long)blockIdx.x * width + j] = w[row * width + j];
}

__global__ void block_sums(float *y, const float *x, int n) {
  extern __shared__ float s[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) y[blockIdx.x] = s[0];
}

__global__ void fixed_sums(float *y, const float *x) {
  __shared__ float s[256];
  s[threadIdx.x] = x[(size_t)blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (int k = 128; k > 0; k >>= 1) {
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = s[0];
}

__global__ void early(float *y, const float *x, int n) {
  __shared__ float s[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  s[threadIdx.x] = x[i];
  __syncthreads();
  y[i] = s[blockDim.x - 1 - threadIdx.x];
}

__global__ void reversed_in_block(float *y, const float *x) {
  extern __shared__ float s[];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

__global__ void row_max(float *y, const float *x, int cols) {
  const float *row = x + (size_t)blockIdx.x * cols;
  float m = -1;
  for (int i = threadIdx.x; i < cols; i += blockDim.x) m = fmaxf(m, row[i]);
  if (threadIdx.x == 0) y[blockIdx.x] = m;
}

__global__ void row_copy(float *y, const float *x, int cols, int pitch) {
  int i = threadIdx.x;
  if (i < cols) y[(size_t)blockIdx.x * cols + i] = x[(size_t)blockIdx.x * pitch + i];
}

__global__ void pitched(float *y, int cols, int pitch) {
  if (threadIdx.x < cols) y[(size_t)blockIdx.x * pitch + threadIdx.x] = 1;
}

__global__ void transpose(float *y, const float *x, int h, int w) {
  __shared__ float t[32][33];
  int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
  if (c < w && r < h) t[threadIdx.y][threadIdx.x] = x[(size_t)r * w + c];
  __syncthreads();
  c = blockIdx.y * 32 + threadIdx.x, r = blockIdx.x * 32 + threadIdx.y;
  if (c < h && r < w) y[(size_t)r * h + c] = t[threadIdx.x][threadIdx.y];
}

__global__ void column(float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows)
    for (int c = 0; c < cols; c++) y[(size_t)r * cols + c] = 0;
}

__global__ void constant_shift(float *y, const float *x, int n, int shift) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[(long)i + shift];
}

__global__ void divided(float *y, const float *x, int n, int group) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i / group];
}

__global__ void one_thread(int *counter) {
  if (threadIdx.x == 0 && blockIdx.x == 0) *counter = 0;
}

__global__ void warps(float *y, const float *x) {
  unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  y[blockIdx.x * (blockDim.x / 32) + warp] = x[lane];
}
