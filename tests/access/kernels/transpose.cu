// Transposes through shared memory: padded, unpadded, swizzled, and what goes wrong.
// symcute: arg m = M
// symcute: arg n = N
// symcute: extent a = M*N
// symcute: extent b = M*N
// symcute: assume M*N <= 2**30
// symcute: assume M <= 2**20
// symcute: assume N <= 2**20

// symcute: launch grid=(ceil_div(N,32),ceil_div(M,32)) block=(32,32)
// symcute: implements b = (N,M):(M,1)
// symcute: covers b
__global__ void transpose_naive(int m, int n, const float *a, float *b) {
  int col = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 32 + threadIdx.y;
  if (row < m && col < n) b[col * m + row] = a[row * n + col];
}

// symcute: launch grid=(ceil_div(N,32),ceil_div(M,32)) block=(32,32)
// symcute: covers b
__global__ void transpose_padded(int m, int n, const float *a, float *b) {
  __shared__ float tile[32][33];
  int col = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 32 + threadIdx.y;
  if (row < m && col < n) tile[threadIdx.y][threadIdx.x] = a[row * n + col];
  __syncthreads();
  int to_col = blockIdx.y * 32 + threadIdx.x;
  int to_row = blockIdx.x * 32 + threadIdx.y;
  if (to_row < n && to_col < m) b[to_row * m + to_col] = tile[threadIdx.x][threadIdx.y];
}

// symcute: launch grid=(ceil_div(N,32),ceil_div(M,32)) block=(32,32)
__global__ void transpose_unpadded(int m, int n, const float *a, float *b) {
  __shared__ float tile[32][32];
  int col = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 32 + threadIdx.y;
  if (row < m && col < n) tile[threadIdx.y][threadIdx.x] = a[row * n + col];
  __syncthreads();
  int to_col = blockIdx.y * 32 + threadIdx.x;
  int to_row = blockIdx.x * 32 + threadIdx.y;
  if (to_row < n && to_col < m) b[to_row * m + to_col] = tile[threadIdx.x][threadIdx.y];
}

// symcute: launch grid=(ceil_div(N,32),ceil_div(M,32)) block=(32,32)
// symcute: implements b = (M,N):(1,M)
__global__ void transpose_swizzled(int m, int n, const float *a, float *b) {
  __shared__ float tile[32 * 32];
  int col = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 32 + threadIdx.y;
  if (row < m && col < n) tile[threadIdx.y * 32 + (threadIdx.x ^ threadIdx.y)] = a[row * n + col];
  __syncthreads();
  int to_col = blockIdx.y * 32 + threadIdx.x;
  int to_row = blockIdx.x * 32 + threadIdx.y;
  if (to_row < n && to_col < m)
    b[to_row * m + to_col] = tile[threadIdx.x * 32 + (threadIdx.x ^ threadIdx.y)];
}

// The tile is addressed as if it were padded.
// symcute: launch grid=(ceil_div(N,32),ceil_div(M,32)) block=(32,32)
// truth: in_bounds=no
__global__ void transpose_pad_forgotten(int m, int n, const float *a, float *b) {
  __shared__ float tile[32 * 32];
  int col = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 32 + threadIdx.y;
  if (row < m && col < n) tile[threadIdx.y * 33 + threadIdx.x] = a[row * n + col];
  __syncthreads();
  int to_col = blockIdx.y * 32 + threadIdx.x;
  int to_row = blockIdx.x * 32 + threadIdx.y;
  if (to_row < n && to_col < m) b[to_row * m + to_col] = tile[threadIdx.x * 33 + threadIdx.y];
}

// The tile's rows overlap.
// symcute: launch grid=(ceil_div(N,32),ceil_div(M,32)) block=(32,32)
// truth: write_race_free=no
__global__ void transpose_narrow_tile(int m, int n, const float *a, float *b) {
  __shared__ float tile[32 * 32];
  int col = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 32 + threadIdx.y;
  if (row < m && col < n) tile[threadIdx.y * 31 + threadIdx.x] = a[row * n + col];
  __syncthreads();
  int to_col = blockIdx.y * 32 + threadIdx.x;
  int to_row = blockIdx.x * 32 + threadIdx.y;
  if (to_row < n && to_col < m) b[to_row * m + to_col] = tile[threadIdx.x * 31 + threadIdx.y];
}

// symcute: launch grid=(ceil_div(N,32),ceil_div(M,32)) block=(32,32)
// truth: read_write_race_free=no
__global__ void transpose_no_barrier(int m, int n, const float *a, float *b) {
  __shared__ float tile[32][33];
  int col = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 32 + threadIdx.y;
  if (row < m && col < n) tile[threadIdx.y][threadIdx.x] = a[row * n + col];
  int to_col = blockIdx.y * 32 + threadIdx.x;
  int to_row = blockIdx.x * 32 + threadIdx.y;
  if (to_row < n && to_col < m) b[to_row * m + to_col] = tile[threadIdx.x][threadIdx.y];
}

// The guard of the store is that of the load.
// symcute: launch grid=(ceil_div(N,32),ceil_div(M,32)) block=(32,32)
// symcute: covers b
// truth: in_bounds=no write_race_free=no covers=no
__global__ void transpose_wrong_guard(int m, int n, const float *a, float *b) {
  __shared__ float tile[32][33];
  int col = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 32 + threadIdx.y;
  if (row < m && col < n) tile[threadIdx.y][threadIdx.x] = a[row * n + col];
  __syncthreads();
  int to_col = blockIdx.y * 32 + threadIdx.x;
  int to_row = blockIdx.x * 32 + threadIdx.y;
  if (row < m && col < n) b[to_row * m + to_col] = tile[threadIdx.x][threadIdx.y];
}

// Eight rows of threads, each four times.
// symcute: launch grid=(ceil_div(N,32),ceil_div(M,32)) block=(32,8)
// symcute: template TILE=32 ROWS=8
// symcute: covers b
template <int TILE, int ROWS>
__global__ void transpose_rows(int m, int n, const float *a, float *b) {
  __shared__ float tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS)
    if (y + j < m && x < n) tile[threadIdx.y + j][threadIdx.x] = a[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS)
    if (y + j < n && x < m) b[(y + j) * m + x] = tile[threadIdx.x][threadIdx.y + j];
}

// A tile for more rows than the block steps over: some are done twice.
// symcute: launch grid=(ceil_div(N,32),ceil_div(M,32)) block=(32,8)
// symcute: template TILE=32 ROWS=4
// truth: write_race_free=no
template <int TILE, int ROWS>
__global__ void transpose_rows_twice(int m, int n, const float *a, float *b) {
  __shared__ float tile[TILE + 4][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS)
    if (y + j < m && x < n) tile[threadIdx.y + j][threadIdx.x] = a[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  if (y < n && x < m) b[y * m + x] = tile[threadIdx.x][threadIdx.y];
}
