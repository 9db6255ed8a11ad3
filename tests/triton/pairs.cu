// Kernels of kernels/*.py as CUDA has them, by the same names. What is said of launches and arrays
// is taken from there; a line above each says which block goes with it.

// block=(64)
__global__ void add(const float *x, const float *y, float *out, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) out[i] = x[i] + y[i];
}

// block=(64)
__global__ void copy_without_mask(const float *x, float *out, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  out[i] = x[i];
}

// block=(128)
__global__ void softmax(const float *x, float *out, int stride, int cols) {
  __shared__ float e[128];
  int row = blockIdx.x, t = threadIdx.x;
  e[t] = t < cols ? expf(x[row * stride + t]) : 0.f;
  __syncthreads();
  float sum = 0.f;
  for (int k = 0; k < 128; k++) sum += e[k];
  if (t < cols) out[row * stride + t] = e[t] / sum;
}

// block=(64)
__global__ void softmax_without_mask(const float *x, float *out, int cols) {
  __shared__ float e[64];
  int row = blockIdx.x, t = threadIdx.x;
  e[t] = expf(x[row * cols + t]);
  __syncthreads();
  float sum = 0.f;
  for (int k = 0; k < 64; k++) sum += e[k];
  out[row * cols + t] = e[t] / sum;
}

// block=(32)
__global__ void layernorm(const float *x, const float *w, const float *b, float *out, float *mean,
                          float *rstd, int stride, int cols) {
  __shared__ float part[32], square[32];
  int row = blockIdx.x, t = threadIdx.x;
  x += row * stride;
  out += row * stride;
  float sum = 0.f, squares = 0.f;
  for (int k = t; k < cols; k += 32) {
    sum += x[k];
    squares += x[k] * x[k];
  }
  part[t] = sum;
  square[t] = squares;
  __syncthreads();
  sum = squares = 0.f;
  for (int k = 0; k < 32; k++) {
    sum += part[k];
    squares += square[k];
  }
  float m = sum / cols, r = rsqrtf(squares / cols - m * m + 1e-5f);
  if (t == 0) {
    mean[row] = m;
    rstd[row] = r;
  }
  for (int k = t; k < cols; k += 32) out[k] = (x[k] - m) * r * w[k] + b[k];
}

// block=(32)
__global__ void rmsnorm_dense(const float *x, const float *w, float *out, int stride, int cols) {
  int row = blockIdx.x;
  for (int k = 0; k < cols; k += 32) {
    int at = k + threadIdx.x;
    float weight = w[at];
    if (at < cols) out[row * cols + at] = x[row * stride + at] * weight;
  }
}

// block=(16,16)
__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  int row = blockIdx.x * 16 + threadIdx.y, col = blockIdx.y * 16 + threadIdx.x;
  if (row >= m || col >= n) return;
  float sum = 0.f;
  for (int i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + col];
  c[row * n + col] = sum;
}

// block=(16,16)
__global__ void matmul_without_mask_of_k(const float *a, const float *b, float *c, int m, int n,
                                         int k) {
  int row = blockIdx.x * 16 + threadIdx.y, col = blockIdx.y * 16 + threadIdx.x;
  if (row >= m || col >= n) return;
  float sum = 0.f;
  for (int start = 0; start < k; start += 16)
    for (int i = start; i < start + 16; i++) sum += a[row * k + i] * b[i * n + col];
  c[row * n + col] = sum;
}

// block=(16,16)
__global__ void transpose(const float *x, float *out, int m, int n) {
  int row = blockIdx.x * 16 + threadIdx.y, col = blockIdx.y * 16 + threadIdx.x;
  if (row < m && col < n) out[col * m + row] = x[row * n + col];
}

// block=(16,16)
__global__ void transpose_with_the_mask_of_the_input(const float *x, float *out, int m, int n) {
  __shared__ float tile[16][17];
  int rows = blockIdx.x * 16, cols = blockIdx.y * 16, i = threadIdx.y, j = threadIdx.x;
  bool inside = rows + i < m && cols + j < n;
  if (inside) tile[i][j] = x[(rows + i) * n + cols + j];
  __syncthreads();
  if (inside) out[(cols + i) * m + rows + j] = tile[j][i];
}

// block=(64)
__global__ void embedding(const long long *ids, const float *table, float *out, int width) {
  int at = blockIdx.y * 64 + threadIdx.x;
  if (at >= width) return;
  out[blockIdx.x * width + at] = table[ids[blockIdx.x] * width + at];
}

// block=(64)
__global__ void embedding_of_a_large_table(const int *ids, const float *table, float *out,
                                           int width) {
  int at = blockIdx.y * 64 + threadIdx.x;
  if (at >= width) return;
  out[blockIdx.x * width + at] = table[ids[blockIdx.x] * width + at];
}

// block=(64)
__global__ void histogram(const int *x, int *counts, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) atomicAdd(&counts[x[i]], 1);
}

// block=(64)
__global__ void histogram_without_atomics(const int *x, int *counts, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) counts[x[i]] = counts[x[i]] + 1;
}

// block=(16)
__global__ void rope(float *q, const float *cos, const float *sin, int heads) {
  int token = blockIdx.x, head = blockIdx.y, t = threadIdx.x;
  float c = cos[token * 16 + t], s = sin[token * 16 + t];
  float *first = q + (token * heads + head) * 32 + t;
  float a = first[0], b = first[16];
  first[0] = a * c - b * s;
  first[16] = b * c + a * s;
}

// block=(16)
__global__ void rope_of_half_heads(float *q, const float *cos, const float *sin, int heads) {
  int token = blockIdx.x, head = blockIdx.y, t = threadIdx.x;
  float c = cos[token * 16 + t], s = sin[token * 16 + t];
  float *first = q + (token * heads + head) * 16 + t;
  float a = first[0], b = first[16];
  first[0] = a * c - b * s;
  first[16] = b * c + a * s;
}

// block=(16,16)
__global__ void attention(const float *q, const float *k, const float *v, float *out, int n,
                          int scale) {
  int row = blockIdx.x * 16 + threadIdx.y, d = threadIdx.x, base = blockIdx.y * n * 16;
  if (row >= n) return;
  float total = 0.f, acc = 0.f;
  for (int key = 0; key <= row; key++) {
    float score = 0.f;
    for (int i = 0; i < 16; i++) score += q[base + row * 16 + i] * k[base + key * 16 + i];
    float p = expf(score * scale);
    total += p;
    acc += p * v[base + key * 16 + d];
  }
  out[base + row * 16 + d] = acc / total;
}

// block=(16)
__global__ void attention_without_mask_of_keys(const float *q, const float *k, float *out, int n) {
  int start = blockIdx.x * 16, row = start + threadIdx.x, base = blockIdx.y * n * 16;
  float most = -1e30f;
  for (int key = 0; key < start + 16; key++) {
    float score = 0.f;
    for (int i = 0; i < 16; i++)
      score += (row < n ? q[base + row * 16 + i] : 0.f) * k[base + key * 16 + i];
    if (key <= row) most = fmaxf(most, score);
  }
  if (row < n) out[blockIdx.y * n + row] = most;
}

// block=(32)
__global__ void top_k(const float *x, float *out, int cols) {
  int row = blockIdx.x, t = threadIdx.x;
  if (t >= cols) return;
  float own = x[row * cols + t];
  int before = 0;
  for (int k = 0; k < cols; k++) {
    float other = x[row * cols + k];
    before += other > own || (other == own && k < t);
  }
  __shared__ float best[32];
  best[t] = 0.f;
  if (t < 4) out[row * 4 + t] = best[t] + before;
}
