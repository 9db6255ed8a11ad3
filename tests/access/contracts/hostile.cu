// Kernels that are meant to deceive whoever looks for a contract.

__global__ void char_size(float *y, unsigned char n) {
  if (threadIdx.x < n) y[threadIdx.x] = 1;
}

__global__ void signed_char_size(float *y, signed char n) {
  int i = threadIdx.x;
  if (i < n) y[i + n] = 1;
}

__global__ void short_size(float *y, short n) {
  short i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 1;
}

__global__ void ushort_sum(float *y, unsigned short a, unsigned short b) {
  if (threadIdx.x < a * b) y[threadIdx.x] = 1;
}

__global__ void long_long_size(float *y, long long n, long long from) {
  long long i = from + (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 1;
}

__global__ void flag(float *y, bool wide, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int width = wide ? 2 : 1;
  if (i < n) y[i * width] = 1;
}

__global__ void count_down(float *y, unsigned n) {
  for (unsigned i = n - 1; i < n; i--) y[i] = 1;
}

__global__ void count_down_int(float *y, int n) {
  for (int i = n - 1 - threadIdx.x; i >= 0; i -= blockDim.x) y[i] = 1;
}

__global__ void unsigned_minus(float *y, const float *x, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) y[i] = x[i + 1];
}

__global__ void unsigned_from(float *y, unsigned n, unsigned from) {
  unsigned i = threadIdx.x - from;
  if (i < n) y[i] = 1;
}

__global__ void offset_first(float *y, const float *x, int n, int offset) {
  x += offset;
  y += offset;
  int i = threadIdx.x;
  if (i < n) y[i] = x[i];
}

__global__ void end_pointer(float *y, int n) {
  float *end = y + n;
  float *p = end - 1 - threadIdx.x;
  if (threadIdx.x < n) *p = 1;
}

__global__ void walk_pointer(float *y, const float *x, int n) {
  const float *end = x + n;
  y += threadIdx.x;
  for (x += threadIdx.x; x < end; x += blockDim.x, y += blockDim.x) *y = *x;
}

__global__ void negative_stride(float *y, const float *x, int n, int stride) {
  int i = threadIdx.x;
  if (i < n) y[i] = x[i * stride];
}

__global__ void reversed_array(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[n - 1 - i] = x[i];
}

__global__ void swap_ends(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) {
    float t = x[i];
    x[i] = x[n - 1 - i];
    x[n - 1 - i] = t;
  }
}

__global__ void size_in_memory(float *y, const int *size) {
  int n = *size, i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 1;
}

__global__ void size_written(float *y, int *size) {
  int n = *size, i = threadIdx.x;
  if (i < n) y[i] = 1;
  *size = 0;
}

struct Shape { int rows, cols; };
__global__ void struct_param(float *y, Shape s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < s.rows * s.cols) y[i] = 1;
}

struct View { float *data; int n; int stride; };
__global__ void struct_view(View v) {
  int i = threadIdx.x;
  if (i < v.n) v.data[i * v.stride] = 1;
}

__global__ void barrier_in_branch(float *y, int n) {
  __shared__ float s[64];
  if (n > 3) {
    s[threadIdx.x] = 1;
    __syncthreads();
    y[threadIdx.x] = s[63 - threadIdx.x];
  }
}

__global__ void barrier_per_round(float *y, const float *x, int n) {
  extern __shared__ float s[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    s[threadIdx.x] = x[i];
    __syncthreads();
    y[i] = s[blockDim.x - 1 - threadIdx.x];
    __syncthreads();
  }
}

__global__ void leave_before(float *y, const float *x, int n) {
  __shared__ float s[256];
  if (threadIdx.x >= n) return;
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = s[n - 1 - threadIdx.x];
}

__global__ void missing_barrier(float *y, const float *x) {
  __shared__ float s[256];
  s[threadIdx.x] = x[threadIdx.x];
  y[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

__global__ void two_shared(float *y) {
  extern __shared__ char raw[];
  float *a = (float *)raw;
  int *b = (int *)(a + blockDim.x);
  a[threadIdx.x] = 1;
  b[threadIdx.x] = 2;
  __syncthreads();
  y[blockIdx.x * blockDim.x + threadIdx.x] = a[threadIdx.x] + b[blockDim.x - 1 - threadIdx.x];
}

__global__ void shared_doubles(double *y, int n) {
  extern __shared__ double d[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) d[i] = i;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = d[n - 1 - i];
}

__global__ void shuffle_masked(int *y, const int *x, int n) {
  int i = threadIdx.x;
  if (i < n) {
    int v = x[i];
    v += __shfl_down_sync(0x0000ffff, v, 8);
    y[i] = v;
  }
}

__global__ void ballot(unsigned *y, const int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned m = __ballot_sync(0xffffffff, i < n && x[i] > 0);
  if (i % 32 == 0) y[i / 32] = m;
}

__global__ void atomic_index(int *y, int *counter, int n) {
  int k = atomicAdd(counter, 1);
  if (k < n) y[k] = 1;
}

__global__ void last_block(float *out, const float *x, unsigned *done) {
  out[blockIdx.x] = x[blockIdx.x];
  __threadfence();
  if (threadIdx.x == 0) {
    unsigned k = atomicInc(done, gridDim.x);
    if (k == gridDim.x - 1)
      for (unsigned i = 1; i < gridDim.x; i++) out[0] += out[i];
  }
}

__global__ void in_place_shift(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) x[i] = x[i + 1];
}

__global__ void aliases(float *x, int n, int m) {
  float *y = x + m;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}

__global__ void even_odd(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * i + 1 < n) x[2 * i] = x[2 * i + 1];
}

__global__ void block_as_stride(float *y, int rows) {
  for (int r = 0; r < rows; r++) y[r * blockDim.x + threadIdx.x] = r;
}

__global__ void block_as_divisor(float *y, int n) {
  int per = n / blockDim.x;
  for (int i = 0; i < per; i++) y[threadIdx.x * per + i] = 1;
}

__global__ void chunk(float *y, int n) {
  int threads = gridDim.x * blockDim.x, t = blockIdx.x * blockDim.x + threadIdx.x;
  int per = (n + threads - 1) / threads;
  for (int i = t * per; i < min(n, (t + 1) * per); i++) y[i] = 1;
}

__global__ void divides_by_param(float *y, int n, int d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i / d * d] = 1;
}

__global__ void modulo_param(int *y, const int *x, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&y[i % m], x[i]);
}

__global__ void shift_param(int *y, int n, int s) {
  int i = threadIdx.x;
  if (i < (1 << s)) y[i << s] = n;
}

__global__ void mask_param(int *y, unsigned mask) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&y[i & mask], 1);
}

__global__ void hash(int *table, const unsigned *keys, int n, int capacity) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned h = keys[i] % capacity;
    atomicAdd(&table[h], 1);
  }
}

__global__ void triangular(float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = 0; j <= i; j++) y[i * (i + 1) / 2 + j] = 1;
}

__global__ void square(float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n * n) y[i] = 1;
}

__global__ void cube(float *y, int n) {
  long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < (long)n * n * n) y[i] = 1;
}

__global__ void difference(float *y, int from, int to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < to - from) y[from + i] = 1;
}

__global__ void absolute(float *y, int n) {
  if (threadIdx.x < abs(n)) y[threadIdx.x] = 1;
}

__global__ void never(float *y, int n) {
  if (n < 0 && n > 0) y[n] = 1;
}

__global__ void always_wrong(float *y) {
  y[-1] = 1;
}

__global__ void constant_index(float *y) { y[7] = threadIdx.x; }

__global__ void wrong_for_all(float *y, const float *x, int n) {
  __shared__ float s[32];
  s[32 + threadIdx.x] = x[0];
  y[0] = s[0];
}

__global__ void only_negative(float *y, int n) {
  int i = threadIdx.x;
  if (i < -n) y[i] = 1;
}

__global__ void gridDim_z(float *blockDim_x, int gridDim_x, int bx, int numel_y, int end_z, const int *z) {
  int tx = blockIdx.x * blockDim.x + threadIdx.x;
  if (tx < gridDim_x) blockDim_x[z[tx] + bx] = numel_y + end_z;
}

template <typename T, int N>
__device__ void fill_row(T *y, int row) {
  for (int i = 0; i < N; i++) y[row * N + i] = 0;
}
__global__ void template_use(float *y, int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) fill_row<float, 8>(y, r);
}

template <typename T>
__global__ void template_kernel(T *y, const T *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}
template __global__ void template_kernel<double>(double *, const double *, int);

__global__ void __launch_bounds__(128) bounded(float *y) {
  __shared__ float s[128];
  s[threadIdx.x] = 1;
  __syncthreads();
  y[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

__global__ void linear_id(float *y, int n) {
  int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  int b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  int i = b * (blockDim.x * blockDim.y * blockDim.z) + t;
  if (i < n) y[i] = 1;
}

__global__ void y_major(float *y, int n) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n) y[i] = 1;
}

__global__ void z_slices(float *y, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  float *slice = y + (size_t)blockIdx.z * w * h;
  for (int r = blockIdx.y; r < h; r += gridDim.y)
    if (x < w) slice[r * w + x] = 1;
}

__global__ void half_precision(unsigned short *y, const unsigned short *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 8) reinterpret_cast<uint4 *>(y)[i] = reinterpret_cast<const uint4 *>(x)[i];
}

__global__ void vector_offset(float *y, const float *x, int n, int offset) {
  int i = threadIdx.x * 4 + offset;
  if (i + 3 < n) *(float4 *)(y + i) = *(const float4 *)(x + i);
}

__global__ void vector_tail(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) ((float4 *)y)[i] = ((const float4 *)x)[i];
  if (i < n % 4) y[n / 4 * 4 + i] = x[n / 4 * 4 + i];
}

__global__ void wide_of_bytes(char *y, long pitch, int rows) {
  int r = threadIdx.x;
  if (r < rows) *(int *)(y + r * pitch) = 1;
}

__global__ void local_array(float *y, int k) {
  float a[8];
  for (int i = 0; i < 8; i++) a[i] = i;
  y[threadIdx.x] = a[k];
}

__global__ void local_rounds(float *y, int k) {
  float a[4];
  for (int i = 0; i < k; i++) a[i] = i;
  y[threadIdx.x] = a[0];
}

__constant__ float table[16];
__global__ void constant_table(float *y, int n) {
  int i = threadIdx.x;
  if (i < n) y[i] = table[i];
}

__device__ float global_buffer[100];
__global__ void device_array(int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) global_buffer[i] = 1;
}

__global__ void float_size(float *y, float n) {
  int i = threadIdx.x;
  if (i < n) y[i] = 1;
}

__global__ void while_loop(int *y, int n) {
  int i = threadIdx.x;
  while (i < n) {
    y[i] = i;
    i += blockDim.x;
  }
}

__global__ void do_loop(int *y, int n) {
  int i = threadIdx.x;
  do {
    y[i] = i;
    i += blockDim.x;
  } while (i < n);
}

__global__ void break_loop(int *y, const int *x, int n) {
  for (int i = 0; i < n; i++) {
    if (x[i] == 0) break;
    y[i * blockDim.x + threadIdx.x] = i;
  }
}

__global__ void step_param(int *y, int n, int step) {
  for (int i = threadIdx.x; i < n; i += step) y[i] = i;
}

__global__ void double_loop(int *y, int n) {
  for (int i = 1; i < n; i *= 2) y[i] = i;
}

__global__ void same_value(int *y, const int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0) *y = 1;
}

__global__ void scatter(float *y, const int *index, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[index[i]] = 1;
}

__global__ void scatter_twice(float *y, const int *index, const int *map, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&y[map[index[i]]], 1.0f);
}

__global__ void index_minus_one(float *y, const int *index, int n) {
  int i = threadIdx.x;
  if (i < n) atomicAdd(&y[index[i] - 1], 1.0f);
}

__global__ void index_unsigned(float *y, const unsigned *index, int n, int m) {
  int i = threadIdx.x;
  if (i < n && index[i] < m) atomicAdd(&y[index[i]], 1.0f);
}

__global__ void warp_tile(float *y, int n) {
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  y[warp * n + lane] = 1;
}

__global__ void volatile_warp(float *out, const float *x) {
  __shared__ volatile float s[64];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  if (t < 32) s[t] += s[t + 32];
  if (t == 0) *out = s[0];
}

__global__ void ring(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[(i + 1) % n] + x[(i + n - 1) % n];
}

__global__ void clamp(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[max(i - 1, 0)] + x[min(i + 1, n - 1)];
}

__global__ void clamp_always(float *y, const float *x, int n) {
  int i = min((int)(blockIdx.x * blockDim.x + threadIdx.x), n - 1);
  y[blockIdx.x * blockDim.x + threadIdx.x] = x[i];
}

__global__ void two_sizes(float *y, const float *x, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 0;
  if (i < m) y[i] = x[i];
}

__global__ void select(float *x, float *y, int n, int which) {
  float *p = which ? x : y;
  int i = threadIdx.x;
  if (i < n) p[i] = 1;
}

__global__ void nothing() {}

__global__ void elect(int *y) {
  if (threadIdx.x == blockDim.x - 1) y[blockIdx.x] = 1;
}

__global__ void first_warp(int *y, int n) {
  if (threadIdx.x < 32) {
    y[blockIdx.x * 32 + threadIdx.x] = n;
    __syncwarp();
  }
}

__global__ void plus_params(float *y, int a, int b) {
  if (threadIdx.x == 0) y[a + b] = 1;
}

__global__ void minus_params(float *y, unsigned a, unsigned b) {
  if (threadIdx.x == 0) y[a - b] = 1;
}

__global__ void long_product(float *y, int a, int b, int c) {
  int i = threadIdx.x;
  if (i < c) y[a * b * c + i] = 1;
}

__global__ void pitch_bytes(char *base, size_t pitch, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) ((float *)(base + y * pitch))[x] = 1;
}
