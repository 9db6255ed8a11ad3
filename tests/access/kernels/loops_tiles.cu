// Loops over tiles: grid-stride, stream-K, split-K, early exits, triangles.

// symcute: launch grid=(g) block=(256)
// symcute: extent x = n
// symcute: extent y = n
// symcute: assume n <= 2**30
// symcute: assume g <= 2**16
// symcute: covers y
__global__ void stride_by_grid(int n, const float *x, float *y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    y[i] = x[i];
}

// The step is by one block, so that blocks meet.
// symcute: launch grid=(g) block=(256)
// symcute: extent x = n
// symcute: extent y = n
// symcute: assume n <= 2**30
// symcute: assume g <= 2**16
// run: g=2 n=513
// truth: write_race_free=no
__global__ void stride_by_block(int n, const float *x, float *y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x) y[i] = x[i];
}

// Rows and columns in strides of a grid of two axes.
// symcute: launch grid=(gx,gy) block=(32,8)
// symcute: extent x = m*n
// symcute: extent y = m*n
// symcute: assume m*n <= 2**30
// symcute: assume gx <= 2**10
// symcute: assume gy <= 2**10
__global__ void stride_two_axes(int m, int n, const float *x, float *y) {
  for (int r = blockIdx.y * 8 + threadIdx.y; r < m; r += gridDim.y * 8)
    for (int c = blockIdx.x * 32 + threadIdx.x; c < n; c += gridDim.x * 32)
      y[r * n + c] = x[r * n + c];
}

// Both axes are stepped over by the grid's width.
// symcute: launch grid=(gx,gy) block=(32,8)
// symcute: extent x = m*n
// symcute: extent y = m*n
// symcute: assume m*n <= 2**30
// symcute: assume gx <= 2**10
// symcute: assume gy <= 2**10
// truth: write_race_free=no
// run: gx=1 gy=2 m=17 n=2
__global__ void stride_wrong_axis(int m, int n, const float *x, float *y) {
  for (int r = blockIdx.y * 8 + threadIdx.y; r < m; r += gridDim.x * 8)
    for (int c = blockIdx.x * 32 + threadIdx.x; c < n; c += gridDim.x * 32)
      y[r * n + c] = x[r * n + c];
}

// Persistent blocks take tile after tile, and take its number apart.
// symcute: launch grid=(g) block=(128)
// symcute: extent c = 128*tm*tn
// symcute: assume tm*tn <= 2**20
// symcute: assume g <= 2**10
// symcute: covers c
__global__ void persistent_tiles(int tm, int tn, float *c) {
  for (int tile = blockIdx.x; tile < tm * tn; tile += gridDim.x) {
    int row = tile / tn, column = tile % tn;
    c[(column * tm + row) * 128 + threadIdx.x] = 0.0f;
  }
}

// Taken apart by the rows.
// symcute: launch grid=(g) block=(128)
// symcute: extent c = 128*tm*tn
// symcute: assume tm*tn <= 2**20
// symcute: assume tm*tm <= 2**20
// symcute: assume tn*tn <= 2**20
// symcute: assume g <= 2**10
// truth: in_bounds=no write_race_free=no
__global__ void persistent_tiles_wrong(int tm, int tn, float *c) {
  for (int tile = blockIdx.x; tile < tm * tn; tile += gridDim.x) {
    int row = tile / tm, column = tile % tn;
    c[(column * tm + row) * 128 + threadIdx.x] = 0.0f;
  }
}

// Stream-K: a block works off a run of iterations, over the ends of tiles.
// symcute: launch grid=(g) block=(64)
// symcute: extent a = 64*tiles*per
// symcute: extent part = 64*tiles*per
// symcute: assume tiles*per <= 2**20
// symcute: assume g <= 2**10
__global__ void stream_k(int tiles, int per, const float *a, float *part) {
  int total = tiles * per;
  int each = (total + gridDim.x - 1) / gridDim.x;
  int it = blockIdx.x * each, last = min(it + each, total);
  while (it < last) {
    int tile = it / per, k = it % per;
    int end = min(last, (tile + 1) * per);
    float sum = 0.0f;
    for (int i = it; i < end; ++i, ++k) sum += a[(tile * per + k) * 64 + threadIdx.x];
    part[it * 64 + threadIdx.x] = sum;
    it = end;
  }
}

// The run of a block is not cut at the end.
// symcute: launch grid=(g) block=(64)
// symcute: extent a = 64*tiles*per
// symcute: extent part = 64*tiles*per
// symcute: assume tiles*per <= 2**20
// symcute: assume g <= 2**10
// truth: in_bounds=no
__global__ void stream_k_not_cut(int tiles, int per, const float *a, float *part) {
  int total = tiles * per;
  int each = (total + gridDim.x - 1) / gridDim.x;
  int it = blockIdx.x * each, last = it + each;
  while (it < last) {
    int tile = it / per, k = it % per;
    int end = min(last, (tile + 1) * per);
    float sum = 0.0f;
    for (int i = it; i < end; ++i, ++k) sum += a[(tile * per + k) * 64 + threadIdx.x];
    part[it * 64 + threadIdx.x] = sum;
    it = end;
  }
}

// The share is rounded down, plus one: the blocks overlap where nothing is left over.
// symcute: launch grid=(g) block=(64)
// symcute: extent a = 64*n
// symcute: extent y = 64*n
// symcute: assume n <= 2**20
// symcute: assume g <= 2**10
__global__ void split_rounded_up(int n, const float *a, float *y) {
  int each = (n + gridDim.x - 1) / gridDim.x;
  int end = min((int)(blockIdx.x + 1) * each, n);
  for (int i = blockIdx.x * each; i < end; ++i) y[i * 64 + threadIdx.x] = a[i * 64 + threadIdx.x];
}

// The last iteration belongs to two blocks.
// symcute: launch grid=(g) block=(64)
// symcute: extent a = 64*n
// symcute: extent y = 64*n
// symcute: assume n <= 2**20
// symcute: assume g <= 2**10
// truth: write_race_free=no
__global__ void split_with_overlap(int n, const float *a, float *y) {
  int each = (n + gridDim.x - 1) / gridDim.x;
  int end = min((int)(blockIdx.x + 1) * each + 1, n);
  for (int i = blockIdx.x * each; i < end; ++i) y[i * 64 + threadIdx.x] = a[i * 64 + threadIdx.x];
}

// The first blocks take one more: shares that differ by one at most.
// symcute: launch grid=(g) block=(64)
// symcute: extent y = 64*n
// symcute: assume n <= 2**20
// symcute: assume g <= 2**10
__global__ void split_evenly(int n, float *y) {
  int b = blockIdx.x, each = n / (int)gridDim.x, more = n % (int)gridDim.x;
  int first = b * each + min(b, more), count = each + (b < more ? 1 : 0);
  for (int i = first; i < first + count; ++i) y[i * 64 + threadIdx.x] = 0.0f;
}

// All blocks take one more.
// symcute: launch grid=(g) block=(64)
// symcute: extent y = 64*n
// symcute: assume n <= 2**20
// symcute: assume g <= 2**10
// truth: in_bounds=no write_race_free=no
__global__ void split_evenly_one_more(int n, float *y) {
  int b = blockIdx.x, each = n / (int)gridDim.x, more = n % (int)gridDim.x;
  int first = b * each + min(b, more), count = each + 1;
  for (int i = first; i < first + count; ++i) y[i * 64 + threadIdx.x] = 0.0f;
}

// K in parts of the z axis, each with its own plane of results.
// symcute: launch grid=(ceil_div(n,64),m,z) block=(64)
// symcute: extent a = m*k
// symcute: extent b = k*n
// symcute: extent part = z*m*n
// symcute: assume m <= 65535
// symcute: assume z <= 64
// symcute: assume m*k <= 2**28
// symcute: assume k*n <= 2**28
// symcute: assume z*m*n <= 2**28
__global__ void split_k(int m, int n, int k, const float *a, const float *b, float *part) {
  int each = (k + gridDim.z - 1) / gridDim.z;
  int first = blockIdx.z * each, last = min(first + each, k);
  int row = blockIdx.y, column = blockIdx.x * 64 + threadIdx.x;
  if (column >= n) return;
  float sum = 0.0f;
  for (int i = first; i < last; ++i) sum += a[row * k + i] * b[i * n + column];
  part[(blockIdx.z * m + row) * n + column] = sum;
}

// All parts write one plane.
// symcute: launch grid=(ceil_div(n,64),m,z) block=(64)
// symcute: extent a = m*k
// symcute: extent b = k*n
// symcute: extent part = m*n
// symcute: assume m <= 65535
// symcute: assume z <= 64
// symcute: assume m*k <= 2**28
// symcute: assume k*n <= 2**28
// symcute: assume m*n <= 2**28
// run: m=1 n=2 k=3 z=2
// truth: write_race_free=no
__global__ void split_k_one_plane(int m, int n, int k, const float *a, const float *b,
                                  float *part) {
  int each = (k + gridDim.z - 1) / gridDim.z;
  int first = blockIdx.z * each, last = min(first + each, k);
  int row = blockIdx.y, column = blockIdx.x * 64 + threadIdx.x;
  if (column >= n) return;
  float sum = 0.0f;
  for (int i = first; i < last; ++i) sum += a[row * k + i] * b[i * n + column];
  part[row * n + column] = sum;
}

// The first zero ends a search; behind the loop j is at most n.
// symcute: launch grid=(ceil_div(m,128)) block=(128)
// symcute: extent x = m*n
// symcute: extent first = m
// symcute: extent y = m*n
// symcute: assume m*n <= 2**30
__global__ void zero_of_a_row(int m, int n, const int *x, int *first, float *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;
  int j = 0;
  while (j < n && x[row * n + j] != 0) ++j;
  first[row] = j;
  if (j < n) y[row * n + j] = 1.0f;
}

// What is behind the loop forgets that nothing may have been found.
// symcute: launch grid=(ceil_div(m,128)) block=(128)
// symcute: extent x = m*n
// symcute: extent y = m*n
// symcute: assume m*n <= 2**30
// run: m=1 n=2 x[0]=1 x[1]=1
// truth: in_bounds=no
__global__ void first_zero_unchecked(int m, int n, const int *x, float *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row != m - 1) return;
  int j = 0;
  while (j < n && x[row * n + j] != 0) ++j;
  y[row * n + j] = 1.0f;
}

// The element is looked at before the end is.
// symcute: launch grid=(ceil_div(m,128)) block=(128)
// symcute: extent x = m*n
// symcute: extent first = m
// symcute: assume m*n <= 2**30
// run: m=1 n=2 x[0]=1 x[1]=1
// truth: in_bounds=no
__global__ void first_zero_looked_too_far(int m, int n, const int *x, int *first) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;
  int j = 0;
  while (x[row * n + j] != 0 && j < n) ++j;
  first[row] = j;
}

// By break, and a result that is -1 where nothing was found.
// symcute: launch grid=(ceil_div(m,128)) block=(128)
// symcute: extent x = m*n
// symcute: extent y = m*n
// symcute: assume m*n <= 2**30
__global__ void found_by_break(int m, int n, const int *x, float *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;
  int at = -1;
  for (int j = 0; j < n; ++j)
    if (x[row * n + j] == 0) {
      at = j;
      break;
    }
  if (at >= 0) y[row * n + at] = 1.0f;
}

// -1 is used too.
// symcute: launch grid=(ceil_div(m,128)) block=(128)
// symcute: extent x = m*n
// symcute: extent y = m*n
// symcute: assume m*n <= 2**30
// run: m=1 n=2 x[0]=1 x[1]=1
// truth: in_bounds=no
__global__ void found_by_break_unchecked(int m, int n, const int *x, float *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row != 0) return;
  int at = -1;
  for (int j = 0; j < n; ++j)
    if (x[row * n + j] == 0) {
      at = j;
      break;
    }
  y[row * n + at] = 1.0f;
}

// A triangle of a block: the inner loop's end is the outer one's number.
// symcute: launch grid=(g) block=(32)
// symcute: extent a = g*n*n
// symcute: extent x = 32*g*n
// symcute: assume g*n*n <= 2**28
// symcute: assume 32*g*n <= 2**28
__global__ void forward_substitution(int n, const float *a, float *x) {
  const float *l = a + blockIdx.x * n * n;
  float *v = x + blockIdx.x * n * 32 + threadIdx.x;
  for (int i = 0; i < n; ++i) {
    float sum = v[i * 32];
    for (int j = 0; j < i; ++j) sum -= l[i * n + j] * v[j * 32];
    v[i * 32] = sum / l[i * n + i];
  }
}

// The inner loop goes on to the diagonal of the next row.
// symcute: launch grid=(g) block=(32)
// symcute: extent a = g*n*n
// symcute: extent x = 32*g*n
// symcute: assume g*n*n <= 2**28
// symcute: assume 32*g*n <= 2**28
// truth: in_bounds=no read_write_race_free=no
__global__ void forward_substitution_too_far(int n, const float *a, float *x) {
  const float *l = a + blockIdx.x * n * n;
  float *v = x + blockIdx.x * n * 32 + threadIdx.x;
  for (int i = 0; i < n; ++i) {
    float sum = v[i * 32];
    for (int j = 0; j <= i + 1; ++j) sum -= l[i * n + j] * v[j * 32];
    v[i * 32] = sum;
  }
}

// Backwards from the last row.
// symcute: launch grid=(g) block=(32)
// symcute: extent a = g*n*n
// symcute: extent x = 32*g*n
// symcute: assume g*n*n <= 2**28
// symcute: assume 32*g*n <= 2**28
__global__ void backward_substitution(int n, const float *a, float *x) {
  const float *u = a + blockIdx.x * n * n;
  float *v = x + blockIdx.x * n * 32 + threadIdx.x;
  for (int i = n - 1; i >= 0; --i) {
    float sum = v[i * 32];
    for (int j = i + 1; j < n; ++j) sum -= u[i * n + j] * v[j * 32];
    v[i * 32] = sum / u[i * n + i];
  }
}

// A packed triangle read by a running number.
// symcute: launch grid=(g) block=(32)
// symcute: extent packed = g*n*(n + 1)/2
// symcute: extent y = 32*g
// symcute: assume g*n*(n + 1) <= 2**28
// symcute: assume g <= 2**20
__global__ void packed_running(int n, const float *packed, float *y) {
  const float *p = packed + blockIdx.x * (n * (n + 1) / 2);
  float sum = 0.0f;
  int k = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) sum += p[k++];
  y[blockIdx.x * 32 + threadIdx.x] = sum;
}

// The strict triangle's room for the whole one.
// symcute: launch grid=(g) block=(32)
// symcute: extent packed = g*n*(n - 1)/2
// symcute: extent y = 32*g
// symcute: assume 2 <= n
// symcute: assume g*n*(n + 1) <= 2**28
// symcute: assume g <= 2**20
// run: n=5 g=3
// truth: in_bounds=no
__global__ void packed_running_short(int n, const float *packed, float *y) {
  const float *p = packed + blockIdx.x * (n * (n - 1) / 2);
  float sum = 0.0f;
  int k = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) sum += p[k++];
  y[blockIdx.x * 32 + threadIdx.x] = sum;
}

// Causal attention's tiles: only those on and below the diagonal, with a barrier a tile.
// symcute: launch grid=(t) block=(64)
// symcute: extent kv = 64*t
// symcute: extent y = 64*t
// symcute: assume t <= 2**20
// symcute: covers y
// run: t=2
__global__ void causal_tiles(const float *kv, float *y) {
  __shared__ float s[64];
  int t = threadIdx.x;
  float sum = 0.0f;
  for (int j = 0; j <= blockIdx.x; ++j) {
    s[t] = kv[j * 64 + t];
    __syncthreads();
    int end = j == blockIdx.x ? t + 1 : 64;
    for (int i = 0; i < end; ++i) sum += s[i];
    __syncthreads();
  }
  y[blockIdx.x * 64 + t] = sum;
}

// The barrier is within the part that threads above the diagonal skip.
// symcute: launch grid=(t) block=(64)
// symcute: extent kv = 64*t
// symcute: extent y = 64*t
// symcute: assume t <= 2**20
// truth: barrier_uniform=no
__global__ void causal_tiles_skipped(const float *kv, float *y) {
  __shared__ float s[64];
  int t = threadIdx.x;
  float sum = 0.0f;
  for (int j = 0; j * 64 <= blockIdx.x * 64 + t; j += 1 + t / 32) {
    s[t] = kv[j * 64 + t];
    __syncthreads();
    sum += s[t];
  }
  y[blockIdx.x * 64 + t] = sum;
}

// One tile too many above the diagonal.
// symcute: launch grid=(t) block=(64)
// symcute: extent kv = 64*t
// symcute: extent y = 64*t
// symcute: assume t <= 2**20
// run: t=2
// truth: in_bounds=no
__global__ void causal_tiles_too_many(const float *kv, float *y) {
  __shared__ float s[64];
  int t = threadIdx.x;
  float sum = 0.0f;
  for (int j = 0; j <= blockIdx.x + 1; ++j) {
    s[t] = kv[j * 64 + t];
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum += s[i];
    __syncthreads();
  }
  y[blockIdx.x * 64 + t] = sum;
}

// A window that slides along the diagonal, cut at both ends.
// symcute: launch grid=(ceil_div(n,128)) block=(128)
// symcute: extent x = n
// symcute: extent y = n
// symcute: assume n <= 2**29
// symcute: assume r <= 2**29
__global__ void sliding_window(int n, int r, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int j = max(i - r, 0); j <= min(i + r, n - 1); ++j) sum += x[j];
  y[i] = sum;
}

// Not cut below.
// symcute: launch grid=(ceil_div(n,128)) block=(128)
// symcute: extent x = n
// symcute: extent y = n
// symcute: assume n <= 2**29
// symcute: assume r <= 2**29
// truth: in_bounds=no
__global__ void sliding_window_not_cut(int n, int r, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int j = i - r; j <= min(i + r, n - 1); ++j) sum += x[j];
  y[i] = sum;
}

// Matrix product over tiles of 16, two buffers for both operands.
// symcute: launch grid=(tn,tm) block=(16,16)
// symcute: extent a = 256*tm*tk
// symcute: extent b = 256*tk*tn
// symcute: extent c = 256*tm*tn
// symcute: arg n = 16*tn
// symcute: arg k = 16*tk
// symcute: assume tm <= 4096
// symcute: assume tn <= 4096
// symcute: assume tk <= 4096
__global__ void tiles_two_buffers(int n, int k, const float *a, const float *b, float *c) {
  __shared__ float sa[2][16][16], sb[2][16][16];
  int tx = threadIdx.x, ty = threadIdx.y, cur = 0;
  const float *pa = a + (blockIdx.y * 16 + ty) * k + tx;
  const float *pb = b + ty * n + blockIdx.x * 16 + tx;
  sa[0][ty][tx] = *pa;
  sb[0][ty][tx] = *pb;
  __syncthreads();
  float sum = 0.0f;
  for (int i = 16; i < k; i += 16) {
    pa += 16;
    pb += 16 * n;
    sa[cur ^ 1][ty][tx] = *pa;
    sb[cur ^ 1][ty][tx] = *pb;
    for (int j = 0; j < 16; ++j) sum += sa[cur][ty][j] * sb[cur][j][tx];
    __syncthreads();
    cur ^= 1;
  }
  for (int j = 0; j < 16; ++j) sum += sa[cur][ty][j] * sb[cur][j][tx];
  c[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx] = sum;
}

// The rows of b are stepped over by k.
// symcute: launch grid=(tn,tm) block=(16,16)
// symcute: extent a = 256*tm*tk
// symcute: extent b = 256*tk*tn
// symcute: extent c = 256*tm*tn
// symcute: arg n = 16*tn
// symcute: arg k = 16*tk
// symcute: assume tm <= 4096
// symcute: assume tn <= 4096
// symcute: assume tk <= 4096
// run: tm=1 tn=1 tk=3
// truth: in_bounds=no
__global__ void tiles_wrong_step(int n, int k, const float *a, const float *b, float *c) {
  __shared__ float sa[2][16][16], sb[2][16][16];
  int tx = threadIdx.x, ty = threadIdx.y, cur = 0;
  const float *pa = a + (blockIdx.y * 16 + ty) * k + tx;
  const float *pb = b + ty * n + blockIdx.x * 16 + tx;
  sa[0][ty][tx] = *pa;
  sb[0][ty][tx] = *pb;
  __syncthreads();
  float sum = 0.0f;
  for (int i = 16; i < k; i += 16) {
    pa += 16;
    pb += 16 * k;
    sa[cur ^ 1][ty][tx] = *pa;
    sb[cur ^ 1][ty][tx] = *pb;
    for (int j = 0; j < 16; ++j) sum += sa[cur][ty][j] * sb[cur][j][tx];
    __syncthreads();
    cur ^= 1;
  }
  for (int j = 0; j < 16; ++j) sum += sa[cur][ty][j] * sb[cur][j][tx];
  c[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx] = sum;
}
