// Kernels as they lie in repositories, of which no launch is known.

__global__ void add_one(int *x, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  x[i] += 1;
}

__global__ void relu_unsigned(float *y, const float *x, unsigned int n) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] > 0 ? x[i] : 0;
}

__global__ void relu_size(float *y, const float *x, size_t n) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] > 0 ? x[i] : 0;
}

__global__ void grid_stride_int(float *y, const float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    y[i] = 2 * x[i];
}

__global__ void grid_stride_size(float *y, const float *x, size_t n) {
  size_t stride = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) y[i] = x[i];
}

__global__ void matrix_2d(float *y, const float *x, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) y[r * cols + c] = x[r * cols + c];
}

__global__ void volume_3d(float *y, const float *x, int nx, int ny, int nz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i < nx && j < ny && k < nz) {
    size_t at = ((size_t)k * ny + j) * nx + i;
    y[at] = x[at] * 0.5f;
  }
}

__global__ void matmul_plain(const float *a, const float *b, float *c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < n) {
    float sum = 0;
    for (int i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}

__global__ void softmax_row(float *out, const float *in, int cols) {
  extern __shared__ float s[];
  const float *x = in + (size_t)blockIdx.x * cols;
  float m = -1e30f;
  for (int i = threadIdx.x; i < cols; i += blockDim.x) m = fmaxf(m, x[i]);
  s[threadIdx.x] = m;
  __syncthreads();
  for (int k = blockDim.x / 2; k >= 1; k /= 2) {
    __syncthreads();
    if (threadIdx.x < k) s[threadIdx.x] = fmaxf(s[threadIdx.x], s[threadIdx.x + k]);
  }
  __syncthreads();
  m = s[0];
  for (int i = threadIdx.x; i < cols; i += blockDim.x)
    out[(size_t)blockIdx.x * cols + i] = expf(x[i] - m);
}

__global__ void warp_sum(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? in[i] : 0;
  for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(0xffffffff, v, k);
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}

__global__ void warp_sum_per_block(float *out, const float *in, int n) {
  __shared__ float partial[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  float v = i < n ? in[i] : 0;
  for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(0xffffffff, v, k);
  if (lane == 0) partial[warp] = v;
  __syncthreads();
  if (warp == 0) {
    v = lane < (blockDim.x + 31) / 32 ? partial[lane] : 0;
    for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(0xffffffff, v, k);
    if (lane == 0) out[blockIdx.x] = v;
  }
}

__global__ void dot_atomic(float *out, const float *a, const float *b, int n) {
  __shared__ float s[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? a[i] * b[i] : 0;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, s[0]);
}

__global__ void scan_block(int *out, const int *in, int n) {
  __shared__ int s[1024];
  int t = threadIdx.x;
  s[t] = t < n ? in[t] : 0;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d <<= 1) {
    int v = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  if (t < n) out[t] = s[t];
}

__global__ void embedding_2d(float *out, const int *ids, const float *table, int dim) {
  int token = blockIdx.x, d = threadIdx.x;
  out[token * dim + d] = table[ids[token] * dim + d];
}

__global__ void bias(float *x, const float *b, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * cols) x[i] += b[i % cols];
}

__global__ void im2row(float *out, const float *in, int height, int width, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width - k + 1 && y < height - k + 1)
    for (int i = 0; i < k; i++)
      for (int j = 0; j < k; j++)
        out[((size_t)(y * (width - k + 1) + x) * k + i) * k + j] = in[(size_t)(y + i) * width + x + j];
}

__global__ void csr(float *y, const int *row, const int *col, const float *val, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = 0;
    for (int k = row[i]; k < row[i + 1]; k++) sum += val[k] * x[col[k]];
    y[i] = sum;
  }
}

__global__ void layernorm_warp(float *out, const float *in, int rows, int cols) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (int i = lane; i < cols; i += 32) sum += in[(size_t)row * cols + i];
  for (int k = 16; k > 0; k /= 2) sum += __shfl_xor_sync(0xffffffff, sum, k);
  for (int i = lane; i < cols; i += 32) out[(size_t)row * cols + i] = in[(size_t)row * cols + i] - sum;
}

__global__ void vec4_stride(float4 *y, const float4 *x, int n4) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n4; i += gridDim.x * blockDim.x) y[i] = x[i];
}

__global__ void vec2_cast(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) reinterpret_cast<float2 *>(y)[i] = reinterpret_cast<const float2 *>(x)[i];
}

__global__ void vec4_row(float *y, const float *x, int cols) {
  for (int i = threadIdx.x * 4; i < cols; i += blockDim.x * 4)
    *(float4 *)&y[blockIdx.x * cols + i] = *(const float4 *)&x[blockIdx.x * cols + i];
}

__global__ void tiled_matmul(float *c, const float *a, const float *b, int n) {
  __shared__ float sa[16][16], sb[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n / 16; t++) {
    sa[threadIdx.y][threadIdx.x] = a[row * n + t * 16 + threadIdx.x];
    sb[threadIdx.y][threadIdx.x] = b[(t * 16 + threadIdx.y) * n + col];
    __syncthreads();
    for (int k = 0; k < 16; k++) sum += sa[threadIdx.y][k] * sb[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

__global__ void adam(float *p, float *m, float *v, const float *g, long n, float lr) {
  long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  m[i] = 0.9f * m[i] + 0.1f * g[i];
  v[i] = 0.99f * v[i] + 0.01f * g[i] * g[i];
  p[i] -= lr * m[i] / (sqrtf(v[i]) + 1e-8f);
}

__global__ void strided_rows(float *y, const float *x, int n, int incx, int incy) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i * incy] += x[i * incx];
}

__global__ void upsample(float *y, const float *x, int n, int scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n * scale) y[i] = x[i / scale];
}

__global__ void channels_last(float *y, const float *x, int c, int hw) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < c * hw) y[(i % hw) * c + i / hw] = x[i];
}

__global__ void argmax(int *out, const float *x, int n) {
  __shared__ float best[1024];
  __shared__ int where[1024];
  int t = threadIdx.x;
  float b = -1e30f;
  int w = 0;
  for (int i = t; i < n; i += blockDim.x)
    if (x[(size_t)blockIdx.x * n + i] > b) b = x[(size_t)blockIdx.x * n + i], w = i;
  best[t] = b;
  where[t] = w;
  __syncthreads();
  if (t == 0) {
    for (int i = 1; i < blockDim.x; i++)
      if (best[i] > b) b = best[i], w = where[i];
    out[blockIdx.x] = w;
  }
}

__global__ void blur(unsigned char *out, const unsigned char *in, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int sum = 0, count = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
      int px = x + dx, py = y + dy;
      if (px >= 0 && px < w && py >= 0 && py < h) sum += in[py * w + px], count++;
    }
  out[y * w + x] = sum / count;
}

__global__ void rope(float *x, int heads, int dim) {
  int token = blockIdx.x, head = blockIdx.y, i = threadIdx.x;
  if (i < dim / 2) {
    float *p = x + ((size_t)token * heads + head) * dim;
    float a = p[i], b = p[i + dim / 2];
    p[i] = a - b;
    p[i + dim / 2] = a + b;
  }
}

__global__ void compact(int *out, int *count, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 0) out[atomicAdd(count, 1)] = in[i];
}

__global__ void gelu_pair(float *y, const float *x, int n) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 1 < n) y[i] = x[i], y[i + 1] = x[i + 1];
  else if (i < n) y[i] = x[i];
}

__global__ void per_warp(float *y, const float *x) {
  int warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (lane == 0) y[warp] = x[warp];
}
