// What kernels are written with: functions, templates, structs, pointers, tables, groups.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

#define AT(r, c, ld) ((r) * (ld) + (c))

__constant__ int table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};

struct Matrix {
  float *data;
  int rows, cols;
};

struct View {
  float *data;
  int ld;
  __device__ float &operator()(int r, int c) const { return data[r * ld + c]; }
};

__device__ int global_index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ __forceinline__ void put(float *to, int i, float value) { to[i] = value; }

__device__ int wrapped(int i, int n) {
  if (i < 0) return i + n;
  if (i >= n) return i - n;
  return i;
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// symcute: covers x
__global__ void by_function(int n, float *x) {
  int i = global_index();
  if (i < n) put(x, i, 1.0f);
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
__global__ void periodic(int n, const float *x, float *y) {
  int i = global_index();
  if (i < n) y[i] = x[wrapped(i - 1, n)] + x[wrapped(i + 1, n)];
}

// Two to the left: for n = 1 that is still outside.
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
// truth: in_bounds=no
// run: N=1
__global__ void periodic_too_far(int n, const float *x, float *y) {
  int i = global_index();
  if (i < n) y[i] = x[wrapped(i - 2, n)];
}

// symcute: launch grid=(ceil_div(N,64)) block=(64)
// symcute: template T=double ITEMS=3
// symcute: arg n = N
// symcute: extent x = 3*N
// symcute: assume N <= 2**20
// symcute: covers x
template <class T, int ITEMS>
__global__ void by_template(int n, T *x) {
  int i = global_index();
  if (i < n)
    for (int k = 0; k < ITEMS; ++k) x[k * n + i] = T(k);
}

// symcute: launch grid=(ceil_div(N,16),ceil_div(M,16)) block=(16,16)
// symcute: arg a_rows = M
// symcute: arg a_cols = N
// symcute: extent a_data = M*N
// symcute: assume M*N <= 2**30
// symcute: assume M <= 2**19
// symcute: covers a_data
__global__ void by_struct(Matrix a) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < a.rows && c < a.cols) a.data[AT(r, c, a.cols)] = 0.0f;
}

// The macro is right; rows and columns are exchanged.
// symcute: launch grid=(ceil_div(N,16),ceil_div(M,16)) block=(16,16)
// symcute: arg a_rows = M
// symcute: arg a_cols = N
// symcute: extent a_data = M*N
// symcute: assume M*N <= 2**20
// symcute: assume M <= 2**9
// symcute: assume N <= 2**9
// truth: in_bounds=no write_race_free=no
__global__ void by_struct_exchanged(Matrix a) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < a.rows && c < a.cols) a.data[AT(r, c, a.rows)] = 0.0f;
}

// symcute: launch grid=(ceil_div(N,16),ceil_div(M,16)) block=(16,16)
// symcute: arg m = M
// symcute: arg n = N
// symcute: arg ld = LD
// symcute: extent a = M*LD
// symcute: assume LD >= N
// symcute: assume M*LD <= 2**30
// symcute: assume M <= 2**19
__global__ void by_operator(int m, int n, int ld, float *a) {
  View view = {a, ld};
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < m && c < n) view(r, c) = view(r, c) + 1.0f;
}

// symcute: launch grid=(M) block=(1)
// symcute: arg n = N
// symcute: extent a = M*N
// symcute: extent sums = M
// symcute: assume M*N <= 2**30
// symcute: covers sums
__global__ void pointer_walk(int n, const float *a, float *sums) {
  const float *p = a + blockIdx.x * n;
  const float *end = p + n;
  float sum = 0.0f;
  while (p != end) sum += *p++;
  sums[blockIdx.x] = sum;
}

// The walk takes one step too many.
// symcute: launch grid=(M) block=(1)
// symcute: arg n = N
// symcute: extent a = M*N
// symcute: extent sums = M
// symcute: assume M*N <= 2**30
// truth: in_bounds=no
__global__ void pointer_walk_too_far(int n, const float *a, float *sums) {
  const float *p = a + blockIdx.x * n;
  const float *end = p + n;
  float sum = 0.0f;
  while (p <= end) sum += *p++;
  sums[blockIdx.x] = sum;
}

// symcute: launch grid=(ceil_div(N,128)) block=(128)
// symcute: arg n = N
// symcute: extent x = 8*N
// symcute: extent y = 8*N
// symcute: assume N <= 2**27
// symcute: covers y
__global__ void private_array(int n, const float *x, float *y) {
  float v[8];
  int i = global_index();
  if (i >= n) return;
  for (int k = 0; k < 8; ++k) v[k] = x[8 * i + k];
  for (int k = 0; k < 8; ++k) y[8 * i + k] = v[7 - k];
}

// There is no v[8].
// symcute: launch grid=(ceil_div(N,128)) block=(128)
// symcute: arg n = N
// symcute: extent x = 8*N
// symcute: extent y = 8*N
// symcute: assume N <= 2**27
// truth: in_bounds=no
__global__ void private_array_backwards(int n, const float *x, float *y) {
  float v[8];
  int i = global_index();
  if (i >= n) return;
  for (int k = 0; k < 8; ++k) v[k] = x[8 * i + k];
  for (int k = 0; k < 8; ++k) y[8 * i + k] = v[8 - k];
}

// symcute: launch grid=(ceil_div(N,128)) block=(128)
// symcute: arg n = N
// symcute: extent x = N
__global__ void constant_table(int n, int *x) {
  int i = global_index();
  if (i < n) x[i] = table[i & 15];
}

// symcute: launch grid=(ceil_div(N,128)) block=(128)
// symcute: arg n = N
// symcute: extent x = N
// truth: in_bounds=no
__global__ void constant_table_17(int n, int *x) {
  int i = global_index();
  if (i < n) x[i] = table[i % 17];
}

// symcute: launch grid=(ceil_div(N,128)) block=(128)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
// symcute: covers y
__global__ void groups(int n, const float *x, float *y) {
  __shared__ float s[128];
  cg::thread_block block = cg::this_thread_block();
  int t = block.thread_rank();
  int i = global_index();
  s[t] = i < n ? x[i] : 0.0f;
  block.sync();
  if (i < n) y[i] = s[127 - t];
}

// A tile waits for its own 32 threads only.
// symcute: launch grid=(ceil_div(N,128)) block=(128)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
// truth: read_write_race_free=no
__global__ void groups_tile(int n, const float *x, float *y) {
  __shared__ float s[128];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  int t = block.thread_rank();
  int i = global_index();
  s[t] = i < n ? x[i] : 0.0f;
  tile.sync();
  if (i < n) y[i] = s[127 - t];
}

// symcute: launch grid=(4) block=(64)
// symcute: extent x = 256
// symcute: extent y = 256
__global__ void grid_barrier(float *x, float *y) {
  int i = global_index();
  x[i] = 1.0f;
  cg::this_grid().sync();
  y[i] = x[255 - i];
}

// Only the block waits.
// symcute: launch grid=(4) block=(64)
// symcute: extent x = 256
// symcute: extent y = 256
// truth: read_write_race_free=no
__global__ void grid_barrier_missing(float *x, float *y) {
  int i = global_index();
  x[i] = 1.0f;
  __syncthreads();
  y[i] = x[255 - i];
}

// Neighbours within a warp, ordered by its barrier.
// symcute: launch grid=(G) block=(64)
// symcute: extent y = 64*G
// symcute: assume G <= 2**20
// symcute: covers y
__global__ void warp_exchange(float *y) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncwarp();
  y[blockIdx.x * 64 + t] = s[t ^ 1];
}

// The neighbour is in the other warp.
// symcute: launch grid=(G) block=(64)
// symcute: extent y = 64*G
// symcute: assume G <= 2**20
// truth: read_write_race_free=no
__global__ void warp_exchange_across(float *y) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncwarp();
  y[blockIdx.x * 64 + t] = s[t ^ 32];
}

// symcute: launch grid=(G) block=(64)
// symcute: extent y = 64*G
// symcute: arg flag = F
// symcute: assume F >= 0
// symcute: assume G <= 2**20
__global__ void uniform_branch(int flag, float *y) {
  __shared__ float s[64];
  s[threadIdx.x] = 1.0f;
  if (flag > 3) __syncthreads();
  y[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x];
}

// symcute: launch grid=(G) block=(64)
// symcute: extent y = 64*G
// symcute: arg flag = F
// symcute: assume G <= 2**20
// truth: barrier_uniform=no
__global__ void thread_branch(int flag, float *y) {
  __shared__ float s[64];
  s[threadIdx.x] = 1.0f;
  if (threadIdx.x < flag) __syncthreads();
  y[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x];
}

// The number of rounds differs between threads, so does the number of barriers.
// symcute: launch grid=(1) block=(64)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 2**20
// truth: barrier_uniform=no
__global__ void barrier_in_ragged_loop(int n, float *x) {
  for (int i = threadIdx.x; i < n; i += 64) {
    x[i] = 1.0f;
    __syncthreads();
  }
}

// symcute: launch grid=(1) block=(64)
// symcute: arg n = N
// symcute: extent x = N
// symcute: assume N <= 2**20
// symcute: covers x
__global__ void barrier_in_even_loop(int n, float *x) {
  for (int base = 0; base < n; base += 64) {
    int i = base + threadIdx.x;
    if (i < n) x[i] = 1.0f;
    __syncthreads();
  }
}

// symcute: launch grid=(ceil_div(N,64)) block=(64)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
__global__ void controls(int n, const int *x, int *y) {
  int i = global_index();
  if (i >= n) return;
  int steps = 0, k = i;
  do {
    if (k % 3 == 0) {
      k /= 3;
      continue;
    }
    --k;
    if (++steps > 10) break;
  } while (k > 0);
  switch (steps & 3) {
    case 0: y[i] = k; break;
    case 1: y[i] = __ldg(&x[i]); break;
    default: y[i] = -1;
  }
}

// Every halving of the distance stays inside: a search for the first element that is not below.
// symcute: launch grid=(ceil_div(Q,64)) block=(64)
// symcute: arg n = N
// symcute: arg q = Q
// symcute: extent sorted = N
// symcute: extent keys = Q
// symcute: extent found = Q
// symcute: assume N <= 2**30
__global__ void binary_search(int n, int q, const float *sorted, const float *keys, int *found) {
  int i = global_index();
  if (i >= q) return;
  int low = 0, high = n;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (sorted[middle] < keys[i]) low = middle + 1;
    else high = middle;
  }
  found[i] = low;
}

// Bytes, shorts, and shifts of unsigned words.
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent words = ceil_div(N,32)
// symcute: extent flags = N
// symcute: assume N <= 2**30
// symcute: covers flags
__global__ void unpack_bits(int n, const unsigned *words, unsigned char *flags) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) flags[i] = words[i >> 5] >> (i & 31) & 1;
}

// A word more than there are, when n is a multiple of 32.
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent words = ceil_div(N,32)
// symcute: extent flags = N
// symcute: assume N <= 2**30
// truth: in_bounds=no
__global__ void unpack_bits_next(int n, const unsigned *words, unsigned char *flags) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) flags[i] = (words[i / 32] | words[i / 32 + 1]) >> (i % 32) & 1;
}

// A short as counter does not reach 40000.
// symcute: launch grid=(1) block=(1)
// symcute: extent x = 40000
// truth: no_overflow=no in_bounds=no
// run:
__global__ void short_counter(float *x) {
  short i = 0;
  for (int k = 0; k < 40000; ++k) {
    x[i] = 1.0f;
    ++i;
  }
}

// symcute: launch grid=(ceil_div(N,32)) block=(32)
// symcute: arg n = N
// symcute: extent x = N
// symcute: extent y = N
// symcute: covers y
__global__ void warp_votes(int n, const float *x, int *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool positive = i < n && x[i] > 0.0f;
  unsigned mask = __ballot_sync(0xffffffffu, positive);
  int before = __popc(mask & ((1u << threadIdx.x) - 1));
  if (i < n) y[i] = positive ? before : -1;
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent keys = N
// symcute: extent x = 64
// symcute: contents keys in [-2147483647, 2147483647]
// truth: write_race_free=no
__global__ void bucket(int n, const int *keys, int *x) {
  int i = global_index();
  if (i < n) x[abs(keys[i]) % 64] = i;
}

// The absolute value of the smallest int is no int.
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent keys = N
// symcute: extent x = 64
// truth: write_race_free=no no_overflow=no
__global__ void bucket_of_any(int n, const int *keys, int *x) {
  int i = global_index();
  if (i < n) x[abs(keys[i]) % 64] = i;
}
