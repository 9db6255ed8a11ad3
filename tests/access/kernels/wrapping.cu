// Arithmetic that leaves its type on the way, and comes back or does not.

// The offset -1 is a large unsigned number, and the sum is the one that is meant.
// symcute: launch grid=(G) block=(128)
// symcute: assume G <= 2**20
// symcute: extent x = 128*G + 2
// symcute: extent y = 128*G
// symcute: covers y
__global__ void three_points_at_once(const float *x, float *y) {
  float sum = 0;
  for (int k = -1; k <= 1; k++) sum += x[blockIdx.x * blockDim.x + threadIdx.x + 1 + k];
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// symcute: launch grid=(G) block=(128)
// symcute: assume G <= 2**20
// symcute: extent x = 128*G + 1
// symcute: extent y = 128*G
// truth: in_bounds=no
__global__ void three_points_short(const float *x, float *y) {
  float sum = 0;
  for (int k = -1; k <= 1; k++) sum += x[blockIdx.x * blockDim.x + threadIdx.x + 1 + k];
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// The first thread's sum is 2**32 - 1, and that is used.
// symcute: launch grid=(G) block=(128)
// symcute: assume G <= 2**20
// symcute: extent x = 128*G + 1
// symcute: extent y = 128*G
// truth: in_bounds=no no_overflow=no
__global__ void three_points_from_the_left(const float *x, float *y) {
  float sum = 0;
  for (int k = -1; k <= 1; k++) sum += x[blockIdx.x * blockDim.x + threadIdx.x + k];
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// symcute: launch grid=(G) block=(128)
// symcute: assume G <= 2**20
// symcute: extent x = 128*G
// symcute: extent y = 128*G
// symcute: covers y
__global__ void with_left_neighbour(const float *x, float *y) {
  __shared__ float tile[129];
  int i = blockIdx.x * blockDim.x - 1 + threadIdx.x;
  tile[threadIdx.x] = i >= 0 ? x[i] : 0.0f;
  if (threadIdx.x == 127) tile[128] = x[i + 1];
  __syncthreads();
  y[i + 1] = tile[threadIdx.x] + tile[threadIdx.x + 1];
}

// symcute: launch grid=(G) block=(128)
// symcute: assume G <= 2**20
// symcute: extent x = 128*G
// symcute: extent y = 128*G
// truth: in_bounds=no
__global__ void with_left_neighbour_unguarded(const float *x, float *y) {
  int i = blockIdx.x * blockDim.x - 1 + threadIdx.x;
  y[i + 1] = x[i];
}

// symcute: launch grid=(G) block=(128)
// symcute: assume G <= 2**20
// symcute: extent x = 128*G
// symcute: extent y = 128*G
// truth: read_write_race_free=no
__global__ void with_left_neighbour_no_barrier(const float *x, float *y) {
  __shared__ float tile[128];
  int i = blockIdx.x * blockDim.x - 1 + threadIdx.x;
  tile[threadIdx.x] = i >= 0 ? x[i] : 0.0f;
  y[i + 1] = threadIdx.x < 127 ? tile[threadIdx.x + 1] : 0.0f;
}

// One comparison of unsigned numbers tests both ends.
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent y = N
// symcute: assume N <= 2**30
// symcute: assume off <= 2**30
__global__ void both_ends_at_once(int n, int off, float *y) {
  int j = blockIdx.x * 256 + threadIdx.x - off;
  if ((unsigned)j < (unsigned)n) y[j] = 1.0f;
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent y = N - 1
// symcute: assume N >= 2
// symcute: assume N <= 2**30
// symcute: assume 0 <= off <= 2**30
// truth: in_bounds=no
__global__ void both_ends_and_one_more(int n, int off, float *y) {
  int j = blockIdx.x * 256 + threadIdx.x - off;
  if ((unsigned)j < (unsigned)n) y[j] = 1.0f;
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent y = N
// symcute: assume N <= 2**30
// symcute: assume off <= 2**30
// truth: in_bounds=no
__global__ void one_end_at_once(int n, int off, float *y) {
  int j = blockIdx.x * 256 + threadIdx.x - off;
  if (j < n) y[j] = 1.0f;
}

// The last i-- leaves the type, and nothing uses what it leaves.
// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 2**31
// symcute: covers x
__global__ void down_to_zero(unsigned n, float *x) {
  for (unsigned i = n; i-- > 0;) x[i] = 1.0f;
}

// symcute: launch grid=(1) block=(1)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 1000
// truth: in_bounds=no no_overflow=no
__global__ void down_to_zero_and_used(unsigned n, float *x) {
  unsigned i = n;
  while (i-- > 0) x[i] = 1.0f;
  x[i] = 2.0f;
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
// symcute: assume N <= 2**31
__global__ void a_wide_offset(unsigned n, const float *x, float *y) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  size_t back = i > 0 ? -1 : 0;
  if (i < n) y[i] = x[i + back];
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
// symcute: assume N <= 2**31
// truth: in_bounds=no
__global__ void a_wide_offset_below(unsigned n, const float *x, float *y) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  size_t back = -1;
  if (i < n) y[i] = x[i + back];
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent y = 256
// symcute: assume N <= 2**30
// truth: write_race_free=no
// run: N=257 blocks=0;1 threads=0
__global__ void cut_to_a_byte(int n, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[(unsigned char)(i - 77)] = 1.0f;
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent y = 255
// symcute: assume N <= 2**30
// truth: write_race_free=no in_bounds=no
// run: N=257 blocks=0;1 threads=0;76
__global__ void cut_to_a_byte_short(int n, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[(unsigned char)(i - 77)] = 1.0f;
}

// One store may go anywhere; what the others do does not hang on it.
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
// symcute: assume N <= 2**30
// truth: no_overflow=no in_bounds=no
__global__ void one_overflow(int n, float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1.0f;
  if (i == 0) y[n * 256 / n] = 2.0f;
}

// The test overflows, and both ways lead to the store; the barrier behind is met by all.
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = 256*ceil_div(N,256)
// symcute: assume N <= 2**30
// truth: no_overflow=no
__global__ void one_overflow_in_a_test(int n, float *x) {
  __shared__ float tile[256];
  float sign = 1.0f;
  if (n * 256 > 1024) sign = -1.0f;
  tile[threadIdx.x] = sign;
  __syncthreads();
  x[blockIdx.x * 256 + threadIdx.x] = tile[255 - threadIdx.x];
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 2**30
// truth: no_overflow=no
__global__ void one_overflow_in_a_loop(int n, float *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < (n * 256) % 8; k++) sum += 1.0f;
  if (i < n) x[i] = sum;
}

// The barrier hangs on what overflows, and the race on the barrier.
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = 256*ceil_div(N,256)
// symcute: assume N <= 2**30
// truth: no_overflow=no read_write_race_free=no
// run: N=2**24 blocks=0
__global__ void one_overflow_at_a_barrier(int n, float *x) {
  __shared__ float tile[256];
  tile[threadIdx.x] = 1.0f;
  if (n * 256u > 0) __syncthreads();
  x[blockIdx.x * 256 + threadIdx.x] = tile[255 - threadIdx.x];
}

// A product with a number that hardly anything but a hash is multiplied by: it is meant to wrap.
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent table = 32
// symcute: extent y = N
// symcute: assume N <= 2**30
__global__ void hashed(unsigned n, const float *table, float *y) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = table[(i * 2654435761u) >> 27];
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent table = 31
// symcute: extent y = N
// symcute: assume N <= 2**30
// truth: in_bounds=no
// run: N=256 blocks=0
__global__ void hashed_short(unsigned n, const float *table, float *y) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = table[(i * 2654435761u) >> 27];
}

// The same with a number that sizes have, too.
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent table = 32
// symcute: extent y = N
// symcute: assume N <= 2**30
// truth: no_overflow=no
__global__ void shifted_product(unsigned n, const float *table, float *y) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = table[(i * 65536u) >> 27];
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent table = 1000
// symcute: extent y = N
// symcute: assume N <= 2**30
__global__ void congruential(unsigned n, const float *table, float *y) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = table[(i * 3935559001u + 2691343689u) % 1000];
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent table = 999
// symcute: extent y = N
// symcute: assume N <= 2**30
// truth: in_bounds=no
// run: N=1024 blocks=0;1;2;3
__global__ void congruential_short(unsigned n, const float *table, float *y) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = table[(i * 3935559001u + 2691343689u) % 1000];
}
