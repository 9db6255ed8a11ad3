// Maps over vectors: guards, grid strides, and what a tail does without them.

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
// symcute: covers y
__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
// symcute: covers y
// truth: in_bounds=no covers=no
__global__ void saxpy_unguarded(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = a * x[i] + y[i];
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
// truth: in_bounds=no
__global__ void saxpy_off_by_one(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) y[i] = a * x[i] + y[i];
}

// symcute: launch grid=(N/256) block=(256)
// symcute: assume N % 256 == 0
// symcute: assume N <= 2**30
// symcute: extent x = N
// symcute: extent y = N
// symcute: covers y
__global__ void saxpy_full_blocks(float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = a * x[i] + y[i];
}

// symcute: launch grid=(ceil_div(N,B)) block=(B)
// symcute: assume B <= 1024
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
// symcute: assume N <= 2**30
__global__ void saxpy_any_block(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

// The last index of the last block passes 2^31.
// symcute: launch grid=(ceil_div(N,B)) block=(B)
// symcute: assume B <= 1024
// symcute: arg n = N
// symcute: extent y = N
// truth: no_overflow=no in_bounds=no
// run: N=2147483647 B=1000 blocks=2147483 threads=999
__global__ void scale_any_block(int n, float a, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * y[i];
}

// symcute: launch grid=(1024) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
// symcute: assume N <= 2**30
__global__ void grid_stride(int n, float a, const float *x, float *y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    y[i] = a * x[i] + y[i];
}

// symcute: launch grid=(1024) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
// truth: in_bounds=no no_overflow=no
// run: N=2147483647 blocks=1023 threads=254
__global__ void grid_stride_near_2_31(int n, float a, const float *x, float *y) {
  int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    y[i] = a * x[i] + y[i];
}

// symcute: launch grid=(G) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
// symcute: assume G <= 2**31 - 1
// symcute: assume N <= 2**60
__global__ void grid_stride_64(long long n, float a, const float *x, float *y) {
  long long stride = (long long)blockDim.x * gridDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    y[i] = a * x[i] + y[i];
}

// The stride is the product of two unsigned numbers: it may become 0, or that of fewer threads.
// symcute: launch grid=(G) block=(256)
// symcute: arg n = N
// symcute: extent y = N
// symcute: assume N <= 2**30
// symcute: assume G <= 2**31 - 1
// truth: no_overflow=no write_race_free=no
// run: N=100 G=16777217 blocks=0;16777216 threads=0;1
__global__ void grid_stride_wraps(int n, float a, float *y) {
  int first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 2; ++k) {
    int i = first + k * (int)(blockDim.x * gridDim.x);
    if (i >= 0 && i < n) y[i] = a;
  }
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
// symcute: covers y
__global__ void reverse(unsigned n, const float *x, float *y) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[n - 1 - i] = x[i];
}

// Unsigned numbers are never below 0, so this guard holds always.
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
// symcute: assume N <= 2**20
// truth: in_bounds=no no_overflow=no
__global__ void reverse_unsigned_guard(unsigned n, const float *x, float *y) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (n - 1 - i >= 0) y[n - 1 - i] = x[0];
}

// Each thread reads its neighbour's cell while that one may write it.
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// symcute: covers x
// truth: read_write_race_free=no covers=no
__global__ void shift_in_place(int n, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n) x[i] = x[i - 1];
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent found = 1
// symcute: contents x in [0, 10)
// truth: write_race_free=no
__global__ void same_value_flag(int n, const int *x, int *found) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] == 7) found[0] = 1;
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent y = ceil_div(N,2)
// symcute: covers y
// truth: write_race_free=no covers=no
__global__ void pairs_collide(int n, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i / 2] = 1.0f;
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent y = 2*N
// symcute: assume N <= 2**29
// symcute: covers y
__global__ void pairs_apart(int n, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[2 * i] = 1.0f;
    y[2 * i + 1] = 2.0f;
  }
}

// Four elements a thread, a block's width apart.
// symcute: launch grid=(ceil_div(N,1024)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 2**30
// symcute: covers x
__global__ void four_a_thread(int n, float *x) {
  int base = blockIdx.x * 1024 + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    int i = base + k * 256;
    if (i < n) x[i] = 0.5f;
  }
}

// Four neighbours a thread, the guard for the first of them only.
// symcute: launch grid=(ceil_div(N,1024)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 2**30
// truth: in_bounds=no
// run: N=5
__global__ void four_neighbours(int n, float *x) {
  int i = 4 * (blockIdx.x * 256 + threadIdx.x);
  if (i < n)
    for (int k = 0; k < 4; ++k) x[i + k] = 0.5f;
}

// Sums of blocks are added by a second kernel: thread t of block b reads the sum of block b - 1.
// symcute: launch grid=(ceil_div(N,128)) block=(128)
// symcute: arg n = N
// symcute: extent y = N
// symcute: assume N <= 2**30
// symcute: extent sums = ceil_div(N,128)
__global__ void add_block_sums(int n, const float *sums, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x > 0 && i < n) y[i] += sums[blockIdx.x - 1];
}

// Block 0 has none before it.
// symcute: launch grid=(ceil_div(N,128)) block=(128)
// symcute: arg n = N
// symcute: extent y = N
// symcute: assume N <= 2**30
// symcute: extent sums = ceil_div(N,128)
// truth: in_bounds=no no_overflow=no
__global__ void add_block_sums_unguarded(int n, const float *sums, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += sums[blockIdx.x - 1];
}
