// Products of matrices: naive, tiled, batched.

// symcute: launch grid=(ceil_div(N,16),ceil_div(M,16)) block=(16,16)
// symcute: arg m = M
// symcute: arg n = N
// symcute: arg k = K
// symcute: extent a = M*K
// symcute: extent b = K*N
// symcute: extent c = M*N
// symcute: assume M*K <= 2**30
// symcute: assume K*N <= 2**30
// symcute: assume M*N <= 2**30
// symcute: assume M <= 2**19
// symcute: covers c
__global__ void matmul_naive(int m, int n, int k, const float *a, const float *b, float *c) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += a[row * k + p] * b[p * n + col];
  c[row * n + col] = sum;
}

// B is read with the pitch of A.
// symcute: launch grid=(ceil_div(N,16),ceil_div(M,16)) block=(16,16)
// symcute: arg m = M
// symcute: arg n = N
// symcute: arg k = K
// symcute: extent a = M*K
// symcute: extent b = K*N
// symcute: extent c = M*N
// symcute: assume M <= 2**9
// symcute: assume N <= 2**9
// symcute: assume K <= 2**9
// truth: in_bounds=no
// run: M=1 N=1 K=4
__global__ void matmul_wrong_pitch(int m, int n, int k, const float *a, const float *b, float *c) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += a[row * k + p] * b[p * k + col];
  c[row * n + col] = sum;
}

// symcute: launch grid=(ceil_div(N,16),ceil_div(M,16)) block=(16,16)
// symcute: arg m = M
// symcute: arg n = N
// symcute: arg k = K
// symcute: extent a = M*K
// symcute: extent b = K*N
// symcute: extent c = M*N
// symcute: assume M <= 2**14
// symcute: assume N <= 2**14
// symcute: assume K <= 2**14
// symcute: covers c
__global__ void matmul_tiled(int m, int n, int k, const float *a, const float *b, float *c) {
  __shared__ float as[16][16];
  __shared__ float bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty;
  int col = blockIdx.x * 16 + tx;
  float sum = 0.0f;
  for (int t = 0; t < (k + 15) / 16; ++t) {
    int p = t * 16 + tx;
    int q = t * 16 + ty;
    as[ty][tx] = row < m && p < k ? a[row * k + p] : 0.0f;
    bs[ty][tx] = q < k && col < n ? b[q * n + col] : 0.0f;
    __syncthreads();
    for (int e = 0; e < 16; ++e) sum += as[ty][e] * bs[e][tx];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

// The next round overwrites tiles that others still read.
// symcute: launch grid=(ceil_div(N,16),ceil_div(M,16)) block=(16,16)
// symcute: arg m = M
// symcute: arg n = N
// symcute: arg k = K
// symcute: extent a = M*K
// symcute: extent b = K*N
// symcute: extent c = M*N
// symcute: assume M <= 2**14
// symcute: assume N <= 2**14
// symcute: assume K <= 2**14
// truth: read_write_race_free=no
__global__ void matmul_last_barrier_missing(int m, int n, int k, const float *a, const float *b,
                                            float *c) {
  __shared__ float as[16][16];
  __shared__ float bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty;
  int col = blockIdx.x * 16 + tx;
  float sum = 0.0f;
  for (int t = 0; t < (k + 15) / 16; ++t) {
    int p = t * 16 + tx;
    int q = t * 16 + ty;
    as[ty][tx] = row < m && p < k ? a[row * k + p] : 0.0f;
    bs[ty][tx] = q < k && col < n ? b[q * n + col] : 0.0f;
    __syncthreads();
    for (int e = 0; e < 16; ++e) sum += as[ty][e] * bs[e][tx];
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

// symcute: launch grid=(ceil_div(N,16),ceil_div(M,16)) block=(16,16)
// symcute: arg m = M
// symcute: arg n = N
// symcute: arg k = K
// symcute: extent a = M*K
// symcute: extent b = K*N
// symcute: extent c = M*N
// symcute: assume M <= 2**14
// symcute: assume N <= 2**14
// symcute: assume K <= 2**14
// truth: read_write_race_free=no
__global__ void matmul_first_barrier_missing(int m, int n, int k, const float *a, const float *b,
                                             float *c) {
  __shared__ float as[16][16];
  __shared__ float bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty;
  int col = blockIdx.x * 16 + tx;
  float sum = 0.0f;
  for (int t = 0; t < (k + 15) / 16; ++t) {
    int p = t * 16 + tx;
    int q = t * 16 + ty;
    as[ty][tx] = row < m && p < k ? a[row * k + p] : 0.0f;
    bs[ty][tx] = q < k && col < n ? b[q * n + col] : 0.0f;
    for (int e = 0; e < 16; ++e) sum += as[ty][e] * bs[e][tx];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

// Without guards, where everything divides.
// symcute: launch grid=(N/16,M/16) block=(16,16)
// symcute: arg n = N
// symcute: arg k = K
// symcute: extent a = M*K
// symcute: extent b = K*N
// symcute: extent c = M*N
// symcute: assume M % 16 == 0
// symcute: assume N % 16 == 0
// symcute: assume K % 16 == 0
// symcute: assume M <= 2**14
// symcute: assume N <= 2**14
// symcute: assume K <= 2**14
// symcute: covers c
__global__ void matmul_full_tiles(int n, int k, const float *a, const float *b, float *c) {
  __shared__ float as[16][16];
  __shared__ float bs[16][16];
  int row = blockIdx.y * 16 + threadIdx.y;
  int col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0.0f;
  for (int p = 0; p < k; p += 16) {
    as[threadIdx.y][threadIdx.x] = a[row * k + p + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(p + threadIdx.y) * n + col];
    __syncthreads();
    for (int e = 0; e < 16; ++e) sum += as[threadIdx.y][e] * bs[e][threadIdx.x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

// K need not be a multiple of 16 any more.
// symcute: launch grid=(N/16,M/16) block=(16,16)
// symcute: arg n = N
// symcute: arg k = K
// symcute: extent a = M*K
// symcute: extent b = K*N
// symcute: extent c = M*N
// symcute: assume M % 16 == 0
// symcute: assume N % 16 == 0
// symcute: assume M <= 2**10
// symcute: assume N <= 2**10
// symcute: assume K <= 2**10
// truth: in_bounds=no
__global__ void matmul_full_tiles_any_k(int n, int k, const float *a, const float *b, float *c) {
  __shared__ float as[16][16];
  __shared__ float bs[16][16];
  int row = blockIdx.y * 16 + threadIdx.y;
  int col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0.0f;
  for (int p = 0; p < k; p += 16) {
    as[threadIdx.y][threadIdx.x] = a[row * k + p + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(p + threadIdx.y) * n + col];
    __syncthreads();
    for (int e = 0; e < 16; ++e) sum += as[threadIdx.y][e] * bs[e][threadIdx.x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

// symcute: launch grid=(ceil_div(N,16),ceil_div(M,16),L) block=(16,16)
// symcute: arg m = M
// symcute: arg n = N
// symcute: arg k = K
// symcute: extent a = L*M*K
// symcute: extent b = L*K*N
// symcute: extent c = L*M*N
// symcute: assume M <= 2**12
// symcute: assume N <= 2**12
// symcute: assume K <= 2**12
// symcute: assume L <= 1024
// truth: no_overflow=no in_bounds=no write_race_free=no
// run: M=2048 N=2048 K=1 L=1024 blocks=0,0,512 threads=0,0
// run: M=4096 N=4096 K=1 L=512 blocks=0,0,0;0,0,256 threads=0,0
__global__ void batched_32(int m, int n, int k, const float *a, const float *b, float *c) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int batch = blockIdx.z;
  if (row >= m || col >= n) return;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p)
    sum += a[batch * m * k + row * k + p] * b[batch * k * n + p * n + col];
  c[batch * m * n + row * n + col] = sum;
}

// symcute: launch grid=(ceil_div(N,16),ceil_div(M,16),L) block=(16,16)
// symcute: arg m = M
// symcute: arg n = N
// symcute: arg k = K
// symcute: extent a = L*M*K
// symcute: extent b = L*K*N
// symcute: extent c = L*M*N
// symcute: assume M <= 2**12
// symcute: assume N <= 2**12
// symcute: assume K <= 2**12
// symcute: assume L <= 1024
// run: M=2048 N=2048 K=1 L=1024 blocks=0,0,512 threads=0,0
__global__ void batched_64(int m, int n, int k, const float *a, const float *b, float *c) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  size_t batch = blockIdx.z;
  if (row >= m || col >= n) return;
  a += batch * m * k;
  b += batch * k * n;
  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += a[row * k + p] * b[p * n + col];
  c[batch * m * n + row * n + col] = sum;
}

// One warp a row of a matrix by a vector.
// symcute: launch grid=(ceil_div(M,4)) block=(32,4)
// symcute: arg m = M
// symcute: arg n = N
// symcute: extent a = M*N
// symcute: extent x = N
// symcute: extent y = M
// symcute: assume M*N <= 2**30
// symcute: assume N <= 2**20
// symcute: assume M <= 2**20
// symcute: covers y
__global__ void gemv_warp(int m, int n, const float *a, const float *x, float *y) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= m) return;
  float sum = 0.0f;
  for (int j = threadIdx.x; j < n; j += 32) sum += a[row * n + j] * x[j];
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (threadIdx.x == 0) y[row] = sum;
}

// Every lane writes the sum of its row.
// symcute: launch grid=(ceil_div(M,4)) block=(32,4)
// symcute: arg m = M
// symcute: arg n = N
// symcute: extent a = M*N
// symcute: extent x = N
// symcute: extent y = M
// symcute: assume M*N <= 2**30
// symcute: assume N <= 2**20
// symcute: assume M <= 2**20
// symcute: covers y
// truth: write_race_free=no covers=no
__global__ void gemv_all_lanes(int m, int n, const float *a, const float *x, float *y) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= m) return;
  float sum = 0.0f;
  for (int j = threadIdx.x; j < n; j += 32) sum += a[row * n + j] * x[j];
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, d);
  y[row] = sum;
}

// The outer product, whose index is a product of two dims at 32 bits.
// symcute: launch grid=(ceil_div(X,16),ceil_div(Y,16)) block=(16,16)
// symcute: arg x_dim = X
// symcute: arg y_dim = Y
// symcute: extent residuals = X*Y
// symcute: assume Y <= 2**19
// truth: no_overflow=no in_bounds=no write_race_free=no
// run: X=429498 Y=5000 blocks=26843,312 threads=9,7
// run: X=65537 Y=65536 blocks=0,0;4096,0 threads=0,0
__global__ void residuals_32(int x_dim, int y_dim, float *residuals) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < x_dim && y < y_dim) residuals[x * y_dim + y] = 1.0f;
}

// symcute: launch grid=(ceil_div(X,16),ceil_div(Y,16)) block=(16,16)
// symcute: arg x_dim = X
// symcute: arg y_dim = Y
// symcute: extent residuals = X*Y
// symcute: assume Y <= 2**19
// symcute: covers residuals
// run: X=429498 Y=5000 blocks=26843,312 threads=9,7
__global__ void residuals_64(int x_dim, int y_dim, float *residuals) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < x_dim && y < y_dim) residuals[(size_t)x * y_dim + y] = 1.0f;
}

// 64 bits come too late: the product is made at 32.
// symcute: launch grid=(ceil_div(X,16),ceil_div(Y,16)) block=(16,16)
// symcute: arg x_dim = X
// symcute: arg y_dim = Y
// symcute: extent residuals = X*Y
// symcute: assume Y <= 2**19
// truth: no_overflow=no in_bounds=no write_race_free=no
// run: X=429498 Y=5000 blocks=26843,312 threads=9,7
// run: X=65537 Y=65536 blocks=0,0;4096,0 threads=0,0
__global__ void residuals_late_cast(int x_dim, int y_dim, float *residuals) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < x_dim && y < y_dim) residuals[(size_t)(x * y_dim + y)] = 1.0f;
}
