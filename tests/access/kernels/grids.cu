// Launches in two and three dimensions, right ones and those that the machine refuses.

// symcute: launch grid=(ceil_div(N,32),ceil_div(M,8)) block=(32,8)
// symcute: arg m = M
// symcute: arg n = N
// symcute: extent a = M*N
// symcute: extent b = M*N
// symcute: assume M*N <= 2**30
// symcute: assume M <= 2**18
// symcute: covers b
// symcute: implements b = (M,N):(N,1)
__global__ void add_2d(int m, int n, const float *a, float *b) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && col < n) b[row * n + col] += a[row * n + col];
}

// grid.y ends at 65535.
// symcute: launch grid=(ceil_div(N,32),ceil_div(M,8)) block=(32,8)
// symcute: arg m = M
// symcute: arg n = N
// symcute: extent b = M*N
// symcute: assume M*N <= 2**30
// truth: launch_valid=no
// run: M=524281 N=1
__global__ void rows_along_y(int m, int n, float *b) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && col < n) b[row * n + col] = 0.0f;
}

// symcute: launch grid=(ceil_div(N,32),ceil_div(M,8)) block=(32,8)
// symcute: arg m = M
// symcute: arg n = N
// symcute: extent b = M*N
// symcute: assume M*N <= 2**30
// symcute: assume M <= 2**18
// symcute: implements b = (M,N):(N,1)
// truth: in_bounds=no write_race_free=no implements=no
__global__ void add_2d_no_column_guard(int m, int n, float *b) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m) b[row * n + col] = 1.0f;
}

// symcute: launch grid=(ceil_div(N,16),ceil_div(M,16)) block=(16,16)
// symcute: arg m = M
// symcute: arg n = N
// symcute: arg ld = LD
// symcute: extent b = M*LD
// symcute: assume LD >= N
// symcute: assume M*LD <= 2**30
// symcute: assume M <= 2**18
// symcute: implements b = (M,N):(LD,1)
__global__ void pitched(int m, int n, int ld, float *b) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && col < n) b[row * ld + col] = 1.0f;
}

// Nothing says that the pitch is as long as a row.
// symcute: launch grid=(ceil_div(N,16),ceil_div(M,16)) block=(16,16)
// symcute: arg m = M
// symcute: arg n = N
// symcute: arg ld = LD
// symcute: extent b = M*LD
// symcute: assume M*LD <= 2**30
// symcute: assume M <= 2**18
// symcute: assume N <= 2**18
// truth: in_bounds=no write_race_free=no
// run: M=3 N=5 LD=2
__global__ void pitched_too_short(int m, int n, int ld, float *b) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && col < n) b[row * ld + col] = 1.0f;
}

// symcute: launch grid=(ceil_div(W,8),ceil_div(H,8),ceil_div(D,4)) block=(8,8,4)
// symcute: arg w = W
// symcute: arg h = H
// symcute: arg d = D
// symcute: extent v = W*H*D
// symcute: assume W*H*D <= 2**30
// symcute: assume H <= 2**18
// symcute: assume D <= 2**17
// symcute: covers v
__global__ void fill_3d(int w, int h, int d, float *v) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= w || y >= h || z >= d) return;
  v[(z * h + y) * w + x] = 0.0f;
}

// The extents of y and z are exchanged in the index.
// symcute: launch grid=(ceil_div(W,8),ceil_div(H,8),ceil_div(D,4)) block=(8,8,4)
// symcute: arg w = W
// symcute: arg h = H
// symcute: arg d = D
// symcute: extent v = W*H*D
// symcute: assume W*H*D <= 2**20
// symcute: assume H <= 2**9
// symcute: assume D <= 2**9
// truth: in_bounds=no write_race_free=no
__global__ void fill_3d_exchanged(int w, int h, int d, float *v) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= w || y >= h || z >= d) return;
  v[(z * d + y) * w + x] = 0.0f;
}

// 2000 threads are more than a block may have.
// symcute: launch grid=(ceil_div(N,2000)) block=(2000)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 2**20
// truth: launch_valid=no
// run: N=1
__global__ void too_many_threads(int n, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1.0f;
}

// symcute: launch grid=(ceil_div(N,256)) block=(256) shared=4*K
// symcute: arg n = N
// symcute: arg k = K
// symcute: extent x = N
// symcute: extent y = N
// symcute: assume N <= 2**20
// symcute: assume K >= 256
// truth: launch_valid=no
// run: N=1 K=100000
__global__ void too_much_shared(int n, int k, const float *x, float *y) {
  extern __shared__ float buffer[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  buffer[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  if (i < n) y[i] = buffer[255 - threadIdx.x];
}

// The dynamic memory is one float too small.
// symcute: launch grid=(ceil_div(N,B)) block=(B) shared=4*B-4
// symcute: assume B <= 1024
// symcute: assume B >= 2
// symcute: assume N <= 2**20
// symcute: arg n = N
// symcute: extent x = N
// truth: in_bounds=no
__global__ void shared_too_small(int n, float *x) {
  extern __shared__ float buffer[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  buffer[threadIdx.x] = 1.0f;
  if (i < n) x[i] = buffer[threadIdx.x];
}

// symcute: launch grid=(X,Y) block=(32)
// symcute: assume Y <= 65535
// symcute: assume X*Y <= 2**20
// symcute: extent out = 32*X*Y
// symcute: covers out
__global__ void linear_block_number(float *out) {
  int block = blockIdx.y * gridDim.x + blockIdx.x;
  out[block * blockDim.x + threadIdx.x] = 1.0f;
}

// symcute: launch grid=(X,Y) block=(32)
// symcute: assume Y <= 65535
// symcute: assume X*Y <= 2**20
// symcute: extent out = 32*X*Y
// truth: write_race_free=no in_bounds=no no_overflow=no
// run: X=3 Y=2
__global__ void linear_block_number_wrong(float *out) {
  int block = blockIdx.y * gridDim.y + blockIdx.x;
  out[block * blockDim.x + threadIdx.x] = 1.0f;
}

// Cells of a triangle, each by the block of its row.
// symcute: launch grid=(N) block=(64)
// symcute: arg n = N
// symcute: extent a = N*N
// symcute: assume N <= 2**15
// symcute: covers a
// truth: covers=no
// run: N=3
__global__ void lower_triangle(int n, float *a) {
  int row = blockIdx.x;
  for (int col = threadIdx.x; col <= row; col += blockDim.x) a[row * n + col] = 0.0f;
}

// The triangle and its mirror image meet on the diagonal.
// symcute: launch grid=(N) block=(64)
// symcute: arg n = N
// symcute: extent a = N*N
// symcute: assume N <= 2**15
__global__ void mirror_strict(int n, float *a) {
  int row = blockIdx.x;
  for (int col = threadIdx.x; col < row; col += blockDim.x) a[col * n + row] = a[row * n + col];
}

// The same memory for both: each pair of cells is exchanged by one thread.
// symcute: launch grid=(ceil_div(N,16),ceil_div(M,16)) block=(16,16)
// symcute: arg m = M
// symcute: arg n = N
// symcute: extent a = M*N
// symcute: assume M*N <= 2**30
// symcute: assume M <= 2**19
// symcute: assume M == N
__global__ void transpose_in_place(int m, int n, float *a) {
  int col = blockIdx.x * 16 + threadIdx.x;
  int row = blockIdx.y * 16 + threadIdx.y;
  if (row < m && col < n && col > row) {
    float above = a[row * n + col];
    a[row * n + col] = a[col * n + row];
    a[col * n + row] = above;
  }
}

// Both threads of a pair exchange it.
// symcute: launch grid=(ceil_div(N,16),ceil_div(M,16)) block=(16,16)
// symcute: arg m = M
// symcute: arg n = N
// symcute: extent a = M*N
// symcute: assume M*N <= 2**30
// symcute: assume M <= 2**19
// symcute: assume M == N
// truth: write_race_free=no read_write_race_free=no
__global__ void transpose_in_place_twice(int m, int n, float *a) {
  int col = blockIdx.x * 16 + threadIdx.x;
  int row = blockIdx.y * 16 + threadIdx.y;
  if (row < m && col < n) {
    float above = a[row * n + col];
    a[row * n + col] = a[col * n + row];
    a[col * n + row] = above;
  }
}
