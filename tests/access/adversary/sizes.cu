// Sizes, launches, what is covered and implemented.

// symcute: launch grid=(8) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// symcute: covers x
// symcute: assume N <= 2147481600
__global__ void stride_fits(int n, float *x) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) x[i] = 1.0f;
}

// Written twice by the same thread: no race, no cover.
// symcute: launch grid=(ceil_div(N,64)) block=(64)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 100000
// symcute: covers x
// truth: covers=no
__global__ void same_thread_twice(int n, float *x) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) { x[i] = 0.0f; if (i == 0) x[i] = 1.0f; }
}

// symcute: launch grid=(ceil_div(N,64)) block=(64)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 100000
// symcute: covers x
__global__ void either_branch(int n, float *x) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
  if (i & 1) x[i] = 0.0f; else x[i] = 1.0f;
}

// Only where the data say so.
// symcute: launch grid=(ceil_div(N,64)) block=(64)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent f = N
// symcute: assume N <= 100000
// symcute: covers x
// truth: covers=no
__global__ void cover_by_data(int n, const int *f, float *x) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n && f[i] != 12345) x[i] = 0.0f;
}

// symcute: launch grid=(ceil_div(N,64)) block=(64)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 100000
// symcute: covers x
__global__ void reversed(int n, float *x) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) x[n - 1 - i] = 0.0f;
}

// A hole in the middle: i ^ 1 leaves the last of an odd n.
// symcute: launch grid=(ceil_div(N,64)) block=(64)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 1000
// symcute: covers x
// truth: covers=no in_bounds=no
__global__ void xor_one(int n, float *x) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) x[i ^ 1] = 0.0f;
}

// symcute: launch grid=(ceil_div(N,16),ceil_div(M,16)) block=(16,16)
// symcute: arg n = N
// symcute: arg m = M
// symcute: extent x = M*N
// symcute: assume N <= 1000
// symcute: assume M <= 1000
// symcute: implements x = (M,N):(N,1)
__global__ void implements_rows(int m, int n, float *x) {
  int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
  if (r < m && c < n) x[r * n + c] = 0.0f;
}

// symcute: launch grid=(ceil_div(N,16),ceil_div(M,16)) block=(16,16)
// symcute: arg n = N
// symcute: arg m = M
// symcute: extent x = M*N
// symcute: assume N <= 1000
// symcute: assume M <= 1000
// symcute: implements x = (M,N):(1,M)
__global__ void implements_column_major(int m, int n, float *x) {
  int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
  if (r < m && c < n) x[c * m + r] = 0.0f;
}

// Each is written, each in a layout with holes between.
// symcute: launch grid=(N) block=(32)
// symcute: extent x = 40*N
// symcute: assume N <= 1000
// symcute: implements x = (N,32):(40,1)
__global__ void implements_pitch(float *x) {
  x[blockIdx.x * 40 + threadIdx.x] = 0.0f;
}

// symcute: launch grid=(N) block=(33)
// symcute: extent x = 40*N
// symcute: assume N <= 1000
// symcute: implements x = (N,32):(40,1)
// truth: implements=no
__global__ void implements_too_much(float *x) {
  x[blockIdx.x * 40 + threadIdx.x] = 0.0f;
}

// The layout itself is not injective.
// symcute: launch grid=(N) block=(32)
// symcute: extent x = 32*N + 32
// symcute: assume N <= 1000
// symcute: implements x = (N,32):(31,1)
// truth: implements=no write_race_free=no
__global__ void implements_overlap(float *x) {
  x[blockIdx.x * 31 + threadIdx.x] = 0.0f;
}

// symcute: launch grid=(1) block=(B)
// symcute: extent x = 1024
// truth: launch_valid=no
__global__ void block_unbounded(float *x) {
  x[threadIdx.x] = 0.0f;
}

// symcute: launch grid=(1,N) block=(32)
// symcute: extent x = N
// symcute: assume N <= 65536
// truth: launch_valid=no write_race_free=no
__global__ void grid_y(float *x) {
  x[blockIdx.y] = 0.0f;
}

// symcute: launch grid=(1) block=(8,8,N)
// symcute: assume N <= 16
// symcute: extent x = 1
__global__ void block_z(float *x) {
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0) x[0] = 0.0f;
}

// symcute: launch grid=(1) block=(1,1,N)
// symcute: assume N <= 65
// symcute: extent x = 1
// truth: launch_valid=no
__global__ void block_z_65(float *x) {
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0) x[0] = 0.0f;
}

// symcute: launch grid=(1) block=(32) shared=1024*N
// symcute: assume N <= 48
// symcute: extent x = 1
__global__ void shared_48(float *x) {
  extern __shared__ float s[];
  s[threadIdx.x] = 0.0f;
}

// The grid is larger than needed, guarded.
// symcute: launch grid=(N) block=(64)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 1000
// symcute: covers x
__global__ void grid_too_big(int n, float *x) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) x[i] = 0.0f;
}

// blockDim is 128, the kernel assumes 256: holes.
// symcute: launch grid=(ceil_div(N,256)) block=(128)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 1000
// symcute: covers x
// truth: covers=no
__global__ void block_assumed(int n, float *x) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) x[i] = 0.0f;
}

// symcute: launch grid=(M) block=(1)
// symcute: arg n = N
// symcute: assume M <= 2**31 - 1
// symcute: extent x = M*N
__global__ void early_widening(int n, float *x) {
  long long i = (long long)blockIdx.x * n;
  x[i] = 0.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = N
// truth: no_overflow=no
__global__ void narrow_counter(int n, float *x) {
  unsigned char c = 0;
  for (int i = 0; i < n; ++i) { x[c < n ? c : 0] = 0.0f; c++; }
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 256
// symcute: covers x
__global__ void narrow_counter_fits(int n, float *x) {
  unsigned char c = 0;
  for (int i = 0; i < n; ++i) { x[c] = 0.0f; if (i < 255) c++; }
}

// Midpoint of a binary search wraps.
// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = N
// truth: no_overflow=no in_bounds=no
// run: N=2147483647
__global__ void midpoint(int n, float *x) {
  int lo = n / 2 + 1, hi = n - 1;
  if (lo < hi) x[(lo + hi) / 2] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = N - 5
__global__ void negative_extent(int n, float *x) {
  if (n > 5) x[n - 6] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = N - 5
// truth: in_bounds=no
__global__ void negative_extent_bad(int n, float *x) {
  if (n > 4) x[n - 5] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = 1
// truth: no_overflow=no
// run: N=2147483647
__global__ void negate_twice(int n, float *x) {
  int k = -n - 2;
  if (k < 0) x[0] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 2**32 - 1
__global__ void size_square_small(size_t n, float *x) {
  x[n * n / n - 1] = 1.0f;
}

// Grid of 0 blocks where N is 1.
// symcute: launch grid=(N-1) block=(32)
// symcute: extent x = 32*N - 32
// symcute: assume N <= 1000
// truth: launch_valid=no
__global__ void grid_zero(float *x) {
  x[blockIdx.x * 32 + threadIdx.x] = 1.0f;
}

// symcute: launch grid=(ceil_div(N,M)) block=(M)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 1000
// symcute: assume M <= 1024
// symcute: covers x
__global__ void block_is_dim_ok(int n, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1.0f;
}

// symcute: launch grid=(ceil_div(N,64)) block=(64)
// symcute: arg n = N
// symcute: arg ld = LD
// symcute: extent x = (N-1)*LD + N
// symcute: assume N <= 1000
// symcute: assume LD <= 1000
// symcute: assume LD >= N
__global__ void leading_fits(int n, int ld, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < n; ++j) if (i < n) x[i * ld + j] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = N
// truth: no_overflow=no
// run: N=2147483647
__global__ void min_over_minus_one(int n, float *x) {
  int k = (-n - 1) / -1;
  if (k > n) x[0] = 1.0f;
}
