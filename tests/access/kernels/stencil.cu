// Stencils: halos, and halos off by one.

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
// symcute: covers y
// truth: covers=no
__global__ void three_points(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) y[i] = x[i - 1] + x[i] + x[i + 1];
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
// truth: in_bounds=no
__global__ void three_points_right_edge(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n) y[i] = x[i - 1] + x[i] + x[i + 1];
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
// symcute: covers y
__global__ void three_points_clamped(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int left = i > 0 ? i - 1 : 0;
  int right = min(i + 1, n - 1);
  y[i] = x[left] + x[i] + x[right];
}

// symcute: launch grid=(ceil_div(N,128)) block=(128)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
// symcute: assume N <= 2**30
// symcute: covers y
__global__ void halo(int n, const float *x, float *y) {
  __shared__ float s[130];
  int i = blockIdx.x * 128 + threadIdx.x;
  s[threadIdx.x + 1] = i < n ? x[i] : 0.0f;
  if (threadIdx.x == 0) s[0] = i > 0 ? x[i - 1] : 0.0f;
  if (threadIdx.x == 127) s[129] = i + 1 < n ? x[i + 1] : 0.0f;
  __syncthreads();
  if (i < n) y[i] = s[threadIdx.x] + s[threadIdx.x + 1] + s[threadIdx.x + 2];
}

// One cell of the halo is missing.
// symcute: launch grid=(ceil_div(N,128)) block=(128)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
// symcute: assume N <= 2**30
// truth: in_bounds=no
__global__ void halo_too_small(int n, const float *x, float *y) {
  __shared__ float s[129];
  int i = blockIdx.x * 128 + threadIdx.x;
  s[threadIdx.x + 1] = i < n ? x[i] : 0.0f;
  if (threadIdx.x == 0) s[0] = i > 0 ? x[i - 1] : 0.0f;
  if (threadIdx.x == 127) s[129] = i + 1 < n ? x[i + 1] : 0.0f;
  __syncthreads();
  if (i < n) y[i] = s[threadIdx.x] + s[threadIdx.x + 1] + s[threadIdx.x + 2];
}

// symcute: launch grid=(ceil_div(N,128)) block=(128)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
// symcute: assume N <= 2**30
// truth: read_write_race_free=no
__global__ void halo_no_barrier(int n, const float *x, float *y) {
  __shared__ float s[130];
  int i = blockIdx.x * 128 + threadIdx.x;
  s[threadIdx.x + 1] = i < n ? x[i] : 0.0f;
  if (threadIdx.x == 0) s[0] = i > 0 ? x[i - 1] : 0.0f;
  if (threadIdx.x == 127) s[129] = i + 1 < n ? x[i + 1] : 0.0f;
  if (i < n) y[i] = s[threadIdx.x] + s[threadIdx.x + 1] + s[threadIdx.x + 2];
}

// The halo is written where the block's own cells are.
// symcute: launch grid=(ceil_div(N,128)) block=(128)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
// symcute: assume N <= 2**30
// truth: write_race_free=no
__global__ void halo_collides(int n, const float *x, float *y) {
  __shared__ float s[130];
  int i = blockIdx.x * 128 + threadIdx.x;
  s[threadIdx.x + 1] = i < n ? x[i] : 0.0f;
  if (threadIdx.x == 127) s[127] = i + 1 < n ? x[i + 1] : 0.0f;
  __syncthreads();
  if (i < n) y[i] = s[threadIdx.x + 1];
}

// Threads behind the end leave before the barrier.
// symcute: launch grid=(ceil_div(N,128)) block=(128)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
// symcute: assume N <= 2**30
// truth: barrier_uniform=no
__global__ void early_return(int n, const float *x, float *y) {
  __shared__ float s[128];
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  s[threadIdx.x] = x[i];
  __syncthreads();
  y[i] = s[threadIdx.x ^ 1];
}

// Whole blocks leave: that is allowed.
// symcute: launch grid=(G) block=(128)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
// symcute: assume G <= 2**20
// symcute: assume N <= 2**20
// run: N=300 G=3
__global__ void block_returns(int n, const float *x, float *y) {
  __shared__ float s[128];
  if ((blockIdx.x + 1) * 128 > n) return;
  int i = blockIdx.x * 128 + threadIdx.x;
  s[threadIdx.x] = x[i];
  __syncthreads();
  y[i] = s[127 - threadIdx.x];
}

// symcute: launch grid=(ceil_div(N,32),ceil_div(M,8)) block=(32,8)
// symcute: arg m = M
// symcute: arg n = N
// symcute: extent a = M*N
// symcute: extent b = M*N
// symcute: assume M*N <= 2**30
// symcute: assume M <= 2**18
// symcute: assume N <= 2**20
__global__ void five_points(int m, int n, const float *a, float *b) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || j < 1 || i >= m - 1 || j >= n - 1) return;
  int c = i * n + j;
  b[c] = 0.25f * (a[c - n] + a[c + n] + a[c - 1] + a[c + 1]);
}

// The row below the last one is read.
// symcute: launch grid=(ceil_div(N,32),ceil_div(M,8)) block=(32,8)
// symcute: arg m = M
// symcute: arg n = N
// symcute: extent a = M*N
// symcute: extent b = M*N
// symcute: assume M*N <= 2**30
// symcute: assume M <= 2**18
// symcute: assume N <= 2**20
// truth: in_bounds=no
__global__ void five_points_last_row(int m, int n, const float *a, float *b) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || j < 1 || i >= m || j >= n - 1) return;
  int c = i * n + j;
  b[c] = 0.25f * (a[c - n] + a[c + n] + a[c - 1] + a[c + 1]);
}

// A tile with a border of one, loaded by a loop over its cells.
// symcute: launch grid=(ceil_div(N,16),ceil_div(M,16)) block=(16,16)
// symcute: arg m = M
// symcute: arg n = N
// symcute: extent a = M*N
// symcute: extent b = M*N
// symcute: assume M <= 2**14
// symcute: assume N <= 2**14
// symcute: covers b
__global__ void bordered_tile(int m, int n, const float *a, float *b) {
  __shared__ float s[18][18];
  int row0 = (int)blockIdx.y * 16 - 1, col0 = (int)blockIdx.x * 16 - 1;
  for (int k = threadIdx.y * 16 + threadIdx.x; k < 18 * 18; k += 256) {
    int r = k / 18, c = k % 18;
    int row = row0 + r, col = col0 + c;
    s[r][c] = row >= 0 && row < m && col >= 0 && col < n ? a[row * n + col] : 0.0f;
  }
  __syncthreads();
  int row = row0 + 1 + threadIdx.y, col = col0 + 1 + threadIdx.x;
  if (row < m && col < n) {
    int r = threadIdx.y + 1, c = threadIdx.x + 1;
    b[row * n + col] = s[r - 1][c] + s[r + 1][c] + s[r][c - 1] + s[r][c + 1];
  }
}

// Two steps of an update in place; other blocks may still read the old values.
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// truth: read_write_race_free=no
__global__ void relax_in_place(int n, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 0.0f;
  if (i > 0 && i < n - 1) v = 0.5f * (x[i - 1] + x[i + 1]);
  __syncthreads();
  if (i > 0 && i < n - 1) x[i] = v;
}

// Red cells read black ones only.
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
__global__ void relax_red(int n, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1 && i % 2 == 0) x[i] = 0.5f * (x[i - 1] + x[i + 1]);
}
