// Elements moved about: im2col, memory formats, gather and scatter, sparse rows, softmax.

// symcute: launch grid=(ceil_div(C*OH*OW,256)) block=(256)
// symcute: arg channels = C
// symcute: arg height = OH + 2
// symcute: arg width = OW + 2
// symcute: extent image = C*(OH+2)*(OW+2)
// symcute: extent columns = 9*C*OH*OW
// symcute: assume C*OH*OW <= 2**26
// symcute: assume C*(OH+2)*(OW+2) <= 2**28
__global__ void im2col_3x3(int channels, int height, int width, const float *image,
                           float *columns) {
  int out_h = height - 2, out_w = width - 2;
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= channels * out_h * out_w) return;
  int w = index % out_w;
  int h = index / out_w % out_h;
  int c = index / out_w / out_h;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      columns[((c * 9 + i * 3 + j) * out_h + h) * out_w + w] =
          image[(c * height + h + i) * width + w + j];
}

// The output is as large as if there were padding, and there is none.
// symcute: launch grid=(ceil_div(C*H*W,256)) block=(256)
// symcute: arg channels = C
// symcute: arg height = H
// symcute: arg width = W
// symcute: extent image = C*H*W
// symcute: extent columns = 9*C*H*W
// symcute: assume C*H*W <= 2**26
// truth: in_bounds=no
__global__ void im2col_padding_forgotten(int channels, int height, int width, const float *image,
                                         float *columns) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= channels * height * width) return;
  int w = index % width;
  int h = index / width % height;
  int c = index / width / height;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      columns[((c * 9 + i * 3 + j) * height + h) * width + w] =
          image[(c * height + h + i - 1) * width + w + j - 1];
}

// symcute: launch grid=(ceil_div(C*H*W,256)) block=(256)
// symcute: arg channels = C
// symcute: arg height = H
// symcute: arg width = W
// symcute: extent image = C*H*W
// symcute: extent columns = 9*C*H*W
// symcute: assume C*H*W <= 2**26
__global__ void im2col_padded(int channels, int height, int width, const float *image,
                              float *columns) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= channels * height * width) return;
  int w = index % width;
  int h = index / width % height;
  int c = index / width / height;
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j) {
      bool inside = h + i >= 0 && h + i < height && w + j >= 0 && w + j < width;
      columns[((c * 9 + i * 3 + j + 4) * height + h) * width + w] =
          inside ? image[(c * height + h + i) * width + w + j] : 0.0f;
    }
}

// symcute: launch grid=(ceil_div(H*W,32),ceil_div(C,8),B) block=(32,8)
// symcute: arg c = C
// symcute: arg hw = H*W
// symcute: extent x = B*C*H*W
// symcute: extent y = B*C*H*W
// symcute: assume B*C*H*W <= 2**30
// symcute: assume B <= 65535
// symcute: assume C <= 2**18
// symcute: covers y
__global__ void nchw_to_nhwc(int c, int hw, const float *x, float *y) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  int k = blockIdx.y * blockDim.y + threadIdx.y;
  int b = blockIdx.z;
  if (p < hw && k < c) y[(b * hw + p) * c + k] = x[(b * c + k) * hw + p];
}

// The rows of the image have a pitch.
// symcute: launch grid=(ceil_div(W,32),H,B) block=(32)
// symcute: arg c = C
// symcute: arg h = H
// symcute: arg w = W
// symcute: arg pitch = PITCH
// symcute: extent x = B*C*H*PITCH
// symcute: extent y = B*H*W*C
// symcute: assume PITCH >= W
// symcute: assume B*C*H*PITCH <= 2**30
// symcute: assume B <= 65535
// symcute: assume H <= 65535
// symcute: covers y
__global__ void nchw_to_nhwc_pitched(int c, int h, int w, int pitch, const float *x, float *y) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y, b = blockIdx.z;
  if (col >= w) return;
  for (int k = 0; k < c; ++k)
    y[((b * h + row) * w + col) * c + k] = x[((b * c + k) * h + row) * pitch + col];
}

// The pitch is used for both, but only the input has it.
// symcute: launch grid=(ceil_div(W,32),H,B) block=(32)
// symcute: arg c = C
// symcute: arg h = H
// symcute: arg w = W
// symcute: arg pitch = PITCH
// symcute: extent x = B*C*H*PITCH
// symcute: extent y = B*H*W*C
// symcute: assume PITCH >= W
// symcute: assume B*C*H*PITCH <= 2**30
// symcute: assume B <= 65535
// symcute: assume H <= 65535
// symcute: covers y
// truth: in_bounds=no covers=no
__global__ void nchw_to_nhwc_pitch_twice(int c, int h, int w, int pitch, const float *x, float *y) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y, b = blockIdx.z;
  if (col >= w) return;
  for (int k = 0; k < c; ++k)
    y[((b * h + row) * pitch + col) * c + k] = x[((b * c + k) * h + row) * pitch + col];
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent index = N
// symcute: extent x = V
// symcute: extent y = N
// symcute: contents index in [0, V)
// symcute: assume V <= 2**31 - 1
// symcute: covers y
__global__ void gather(int n, const int *index, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[index[i]];
}

// The index may be V itself.
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent index = N
// symcute: extent x = V
// symcute: extent y = N
// symcute: contents index in [0, V]
// symcute: assume V <= 2**30
// truth: in_bounds=no
// run: N=2 V=1
__global__ void gather_to_the_end(int n, const int *index, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[index[i]];
}

// Negative numbers are kept out, and those that are too large.
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: arg v = V
// symcute: extent index = N
// symcute: extent x = V
// symcute: extent y = N
// symcute: covers y
// truth: covers=no
__global__ void gather_checked(int n, int v, const int *index, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int j = index[i];
  if (j >= 0 && j < v) y[i] = x[j];
}

// Two elements may go to one place.
// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent index = N
// symcute: extent x = N
// symcute: extent y = V
// symcute: contents index in [0, V)
// symcute: assume V <= 2**30
// truth: write_race_free=no
__global__ void scatter(int n, const int *index, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[index[i]] = x[i];
}

// symcute: launch grid=(ceil_div(N,256)) block=(256)
// symcute: arg n = N
// symcute: extent index = N
// symcute: extent x = N
// symcute: extent y = V
// symcute: contents index in [0, V)
// symcute: assume V <= 2**30
__global__ void scatter_add(int n, const int *index, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&y[index[i]], x[i]);
}

// symcute: launch grid=(ceil_div(M,128)) block=(128)
// symcute: arg rows = M
// symcute: extent start = M + 1
// symcute: extent cols = NNZ
// symcute: extent values = NNZ
// symcute: extent x = N
// symcute: extent y = M
// symcute: contents start in [0, NNZ]
// symcute: contents cols in [0, N)
// symcute: assume NNZ <= 2**30
// symcute: assume N <= 2**30
// symcute: assume M <= 2**30
// symcute: covers y
__global__ void spmv_csr(int rows, const int *start, const int *cols, const float *values,
                         const float *x, float *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0.0f;
    for (int k = start[row]; k < start[row + 1]; ++k) sum += values[k] * x[cols[k]];
    y[row] = sum;
  }
}

// There are M starts, not M + 1.
// symcute: launch grid=(ceil_div(M,128)) block=(128)
// symcute: arg rows = M
// symcute: extent start = M
// symcute: extent cols = NNZ
// symcute: extent values = NNZ
// symcute: extent x = N
// symcute: extent y = M
// symcute: contents start in [0, NNZ]
// symcute: contents cols in [0, N)
// symcute: assume NNZ <= 2**20
// symcute: assume N <= 2**20
// symcute: assume M <= 2**20
// truth: in_bounds=no
__global__ void spmv_csr_last_start(int rows, const int *start, const int *cols,
                                    const float *values, const float *x, float *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0.0f;
    for (int k = start[row]; k < start[row + 1]; ++k) sum += values[k] * x[cols[k]];
    y[row] = sum;
  }
}

// symcute: launch grid=(M) block=(128)
// symcute: arg n = N
// symcute: extent x = M*N
// symcute: extent y = M*N
// symcute: assume M*N <= 2**30
// symcute: covers y
__global__ void softmax_rows(int n, const float *x, float *y) {
  __shared__ float s[128];
  int t = threadIdx.x;
  const float *row = x + blockIdx.x * n;
  float top = -INFINITY;
  for (int j = t; j < n; j += 128) top = fmaxf(top, row[j]);
  s[t] = top;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (t < half) s[t] = fmaxf(s[t], s[t + half]);
    __syncthreads();
  }
  top = s[0];
  __syncthreads();
  float sum = 0.0f;
  for (int j = t; j < n; j += 128) sum += expf(row[j] - top);
  s[t] = sum;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  sum = s[0];
  for (int j = t; j < n; j += 128) y[blockIdx.x * n + j] = expf(row[j] - top) / sum;
}

// The maximum is overwritten while others still read it.
// symcute: launch grid=(M) block=(128)
// symcute: arg n = N
// symcute: extent x = M*N
// symcute: extent y = M*N
// symcute: assume M*N <= 2**30
// truth: read_write_race_free=no
__global__ void softmax_reused_too_soon(int n, const float *x, float *y) {
  __shared__ float s[128];
  int t = threadIdx.x;
  const float *row = x + blockIdx.x * n;
  float top = -INFINITY;
  for (int j = t; j < n; j += 128) top = fmaxf(top, row[j]);
  s[t] = top;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (t < half) s[t] = fmaxf(s[t], s[t + half]);
    __syncthreads();
  }
  top = s[0];
  float sum = 0.0f;
  for (int j = t; j < n; j += 128) sum += expf(row[j] - top);
  s[t] = sum;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  sum = s[0];
  for (int j = t; j < n; j += 128) y[blockIdx.x * n + j] = expf(row[j] - top) / sum;
}

// Two matrices beside each other.
// symcute: launch grid=(ceil_div(N1+N2,256),M) block=(256)
// symcute: arg n1 = N1
// symcute: arg n2 = N2
// symcute: extent a = M*N1
// symcute: extent b = M*N2
// symcute: extent c = M*(N1+N2)
// symcute: assume M <= 65535
// symcute: assume M*(N1+N2) <= 2**30
// symcute: covers c
__global__ void concatenate(int n1, int n2, const float *a, const float *b, float *c) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y;
  if (j >= n1 + n2) return;
  c[i * (n1 + n2) + j] = j < n1 ? a[i * n1 + j] : b[i * n2 + (j - n1)];
}

// The second matrix is read from the wrong column.
// symcute: launch grid=(ceil_div(N1+N2,256),M) block=(256)
// symcute: arg n1 = N1
// symcute: arg n2 = N2
// symcute: extent a = M*N1
// symcute: extent b = M*N2
// symcute: extent c = M*(N1+N2)
// symcute: assume M <= 65535
// symcute: assume M*(N1+N2) <= 2**30
// truth: in_bounds=no
__global__ void concatenate_wrong_column(int n1, int n2, const float *a, const float *b, float *c) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y;
  if (j >= n1 + n2) return;
  c[i * (n1 + n2) + j] = j < n1 ? a[i * n1 + j] : b[i * n2 + j];
}
